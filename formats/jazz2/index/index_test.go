package index

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"
)

type vector struct {
	Channels, Width, Height int
	Pixels, Encoded         string
	Truncated               string
}

// TestVectors encodes and decodes every image that the game's own tool has encoded.
func TestVectors(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "shared", "golden", "fonts", "index_encoding.json"))
	if err != nil {
		t.Skip("the shared test material is missing: ", err)
	}
	var vectors []vector
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	images, streams := 0, 0
	for i, v := range vectors {
		pixels := unhex(t, v.Pixels)
		got := make([]byte, v.Width*v.Height*v.Channels)
		if v.Truncated != "" {
			streams++
			if missing := Decode(unhex(t, v.Truncated), got, v.Channels); missing == 0 {
				t.Errorf("vector %d: the cut is not noticed", i)
			}
		} else {
			images++
			encoded := unhex(t, v.Encoded)
			if e := Encode(pixels, v.Channels); !bytes.Equal(e, encoded) {
				t.Errorf("vector %d, %d channels: encoded\n% x, want\n% x", i, v.Channels, e, encoded)
			}
			if missing := Decode(encoded, got, v.Channels); missing != 0 {
				t.Errorf("vector %d: %d pixels are missing", i, missing)
			}
		}
		if !bytes.Equal(got, pixels) {
			t.Errorf("vector %d, %d channels: decoded\n% x, want\n% x", i, v.Channels, got, pixels)
		}
	}
	t.Logf("%d images and %d cut streams", images, streams)
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestOperationsOfOneChannel(t *testing.T) {
	tests := []struct {
		name            string
		pixels, encoded []byte
	}{
		{"no pixels", nil, nil},
		{"zeros are a run from the start", []byte{0, 0, 0, 0}, []byte{0xC3}},
		{"the first return to zero is no place of the table", []byte{0, 77, 0}, []byte{0xC0, 0xFE, 77, 0xFE, 0}},
		{"the second one is", []byte{77, 0, 77, 0}, []byte{0xFE, 77, 0xFE, 0, 28, 53}},
		{"the number wraps around", []byte{255, 0, 254, 255}, []byte{0x6A - 0x10, 0x7A, 0x4A, 50}},
		{"a small step", []byte{7, 0, 8}, []byte{0xA0, 0xF8, 0xA0, 0x18, 0xFE, 8}},
		{"a run ends at 62", bytes.Repeat([]byte{0}, 63), []byte{0xFD, 0xC0}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Encode(test.pixels, 1); !bytes.Equal(got, test.encoded) {
				t.Errorf("encoded % x, want % x", got, test.encoded)
			}
		})
	}
}

func TestPiecesAndSlowReaders(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for channels := 1; channels <= 4; channels++ {
		pixels := randomPixels(r, 5000, channels)
		encoded := Encode(pixels, channels)
		d := NewDecoder(iotest.OneByteReader(bytes.NewReader(encoded)), channels)
		var got []byte
		for len(got) < len(pixels) {
			piece := make([]byte, min(channels*(1+r.IntN(100)), len(pixels)-len(got)))
			if missing := d.Decode(piece); missing != 0 {
				t.Fatalf("%d channels: %d pixels are missing", channels, missing)
			}
			got = append(got, piece...)
		}
		if !bytes.Equal(got, pixels) {
			t.Errorf("%d channels: the pieces differ from the whole", channels)
		}
	}
}

// TestCutStreams cuts a stream everywhere: the pixels before the cut are right, and the others are counted.
func TestCutStreams(t *testing.T) {
	pixels := randomPixels(rand.New(rand.NewPCG(3, 4)), 300, 4)
	encoded := Encode(pixels, 4)
	got := make([]byte, len(pixels))
	for cut := range encoded {
		missing := Decode(encoded[:cut], got, 4)
		if missing == 0 {
			t.Fatalf("%d of %d bytes: nothing is missing", cut, len(encoded))
		}
		if right := len(pixels) - 4*missing; !bytes.Equal(got[:right], pixels[:right]) {
			t.Fatalf("%d of %d bytes: pixels before the cut are wrong", cut, len(encoded))
		}
	}
}

// randomPixels makes pixels with runs, returns and steps of all sizes.
func randomPixels(r *rand.Rand, count, channels int) []byte {
	pixels := make([]byte, count*channels)
	for i := channels; i < len(pixels); i += channels {
		copy(pixels[i:i+channels], pixels[i-channels:i])
		switch r.IntN(6) {
		case 0, 1:
		case 2:
			back := channels * r.IntN(i/channels)
			copy(pixels[i:i+channels], pixels[back:back+channels])
		case 3:
			for c := range channels {
				pixels[i+c] += byte(r.IntN(4) - 2)
			}
		case 4:
			step := byte(r.IntN(64) - 32)
			for c := range channels {
				pixels[i+c] += step
			}
		default:
			for c := range channels {
				pixels[i+c] = byte(r.Uint32())
			}
		}
	}
	return pixels
}

func FuzzDecode(f *testing.F) {
	r := rand.New(rand.NewPCG(5, 6))
	for channels := 1; channels <= 4; channels++ {
		f.Add(Encode(randomPixels(r, 200, channels), channels), channels)
	}
	f.Fuzz(func(t *testing.T, data []byte, channels int) {
		channels = 1 + int(uint(channels)%4)
		pixels := make([]byte, 400*channels)
		Decode(data, pixels, channels)
		// What was decoded is encoded and decoded to itself, and the encoded form is the same each time. An alpha that 1 to 3
		// channels cannot say is lost on the way.
		encoded := Encode(pixels, channels)
		again := make([]byte, len(pixels))
		if missing := Decode(encoded, again, channels); missing != 0 || !bytes.Equal(again, pixels) {
			t.Fatalf("%d missing, % x instead of % x", missing, again, pixels)
		}
	})
}

func BenchmarkEncode(b *testing.B) { benchmark(b, func(pixels, _ []byte) { Encode(pixels, 1) }) }

func BenchmarkDecode(b *testing.B) {
	var got []byte
	benchmark(b, func(pixels, encoded []byte) {
		if got == nil {
			got = make([]byte, len(pixels))
		}
		Decode(encoded, got, 1)
	})
}

// benchmark uses a picture of 512x512 pixels that is a third ink.
func benchmark(b *testing.B, f func(pixels, encoded []byte)) {
	r := rand.New(rand.NewPCG(7, 8))
	pixels := make([]byte, 512*512)
	for i := range pixels {
		if i%24 < 8 {
			pixels[i] = byte(64 + r.IntN(8))
		}
	}
	encoded := Encode(pixels, 1)
	b.SetBytes(int64(len(pixels)))
	b.ReportAllocs()
	for b.Loop() {
		f(pixels, encoded)
	}
}
