package font

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"talebinder/formats"
)

// example has a range of two, the fallback and a character beyond it; the space draws nothing.
func example() *Font {
	return &Font{
		LineHeight: 9, BaseSpacing: -1, ASCIIFirst: ' ', ASCIICount: 2,
		Glyphs: []Glyph{
			{Code: ' ', Advance: 4},
			{Code: '!', X: 1, Y: 1, Width: 1, Height: 2, BearingX: 2, BearingY: 3, Advance: 3},
			{Code: 0, X: 4, Y: 1, Width: 2, Height: 1, BearingX: 0, BearingY: 127, Advance: 255},
			{Code: 0x1F600, X: 4, Y: 1, Width: 2, Height: 1, Advance: 0},
		},
		Atlas: Atlas{Width: 7, Height: 4, Pix: []byte{
			0, 0, 0, 0, 0, 0, 0,
			0, 77, 0, 0, 1, 2, 0,
			0, 78, 0, 0, 0, 0, 0,
			0, 0, 0, 0, 0, 0, 0,
		}},
	}
}

// pack puts a file together from the block before compression.
func pack(payload []byte) []byte {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, 9)
	_, _ = w.Write(payload)
	_ = w.Close()
	return head(9, 2, int32(b.Len()), b.Bytes())
}

func head(kind, version byte, size int32, block []byte) []byte {
	out := append([]byte(signature), kind, version, 99)
	return append(binary.LittleEndian.AppendUint32(out, uint32(size)), block...)
}

// fields is the start of a block.
func fields(width, height, lineHeight uint16, first, count byte, others uint16) []byte {
	var b []byte
	for _, v := range []uint16{width, height, lineHeight, 0} {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	return binary.LittleEndian.AppendUint16(append(b, first, count), others)
}

func TestWrittenFontsAreRead(t *testing.T) {
	f := example()
	data, err := f.File()
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	f.Atlas.Pix = f.Atlas.Pix[:3*7] // the last row is no glyph's
	if !reflect.DeepEqual(got, f) {
		t.Errorf("read %+v\nwant %+v", got, f)
	}
	again, err := got.File()
	if err != nil || !bytes.Equal(again, data) {
		t.Errorf("written again: % x, %v; want % x", again, err, data)
	}
}

// TestMinimal is an example that can be followed byte by byte: one pixel of index 77.
func TestMinimal(t *testing.T) {
	f := &Font{LineHeight: 4, ASCIIFirst: 'A', ASCIICount: 1,
		Glyphs: []Glyph{{Code: 'A', X: 1, Y: 1, Width: 1, Height: 1, BearingX: 1, BearingY: 2, Advance: 3}},
		Atlas:  Atlas{Width: 3, Height: 3, Pix: []byte{0, 0, 0, 0, 77, 0, 0, 0, 0}}}
	want := []byte{3, 0, 3, 0, 4, 0, 0, 0, 0x41, 1, 0, 0, 1, 0, 1, 0, 1, 1, 1, 2, 3, 0xc3, 0xfe, 0x4d, 0xfe, 0, 0xc2}
	if got, err := f.Payload(); err != nil || !bytes.Equal(got, want) {
		t.Errorf("% x, %v; want % x", got, err, want)
	}
}

// TestGoldenFonts reads every packed font of the shared material, of both layouts, and writes the same block again.
func TestGoldenFonts(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join("..", "..", "..", "..", "shared", "golden", "fonts", "pack", "*", "*.json"))
	count := 0
	for _, description := range files {
		file := strings.TrimSuffix(description, ".json") + ".font"
		if name := filepath.Base(file); name != "packed.font" && name != "legacy.font" {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(description)
		if err != nil {
			t.Fatal(err)
		}
		var want struct{ AtlasWidth, AtlasHeight int }
		_ = json.Unmarshal(text, &want)
		f, err := Read(data)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		payload, err := f.Payload()
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
		block, err := io.ReadAll(flate.NewReader(bytes.NewReader(data[headerSize:])))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(payload, block) {
			t.Errorf("%s: the block is not the same when it is written again", file)
		}
		count++
	}
	if count == 0 {
		t.Skip("the shared test material is missing")
	}
	t.Logf("%d fonts", count)
}

func TestTolerance(t *testing.T) {
	f := example()
	payload, err := f.Payload()
	if err != nil {
		t.Fatal(err)
	}
	whole := pack(payload)
	block := whole[headerSize:]
	tests := []struct {
		name    string
		data    []byte
		missing int
	}{
		{"bytes behind the block", append(bytes.Clone(whole), 1, 2, 3), 0},
		{"bytes behind the atlas", pack(append(bytes.Clone(payload), 1, 2, 3)), 0},
		{"a negative size", head(9, 2, -1, block), 0},
		{"a size past the end", head(9, 2, 1<<31-1, block), 0},
		{"an atlas that ends early, below the last glyph", pack(payload[:len(payload)-1]), 11},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Read(test.data)
			if err != nil {
				t.Fatal(err)
			}
			if got.MissingPixels != test.missing || !reflect.DeepEqual(got.Glyphs, f.Glyphs) || !bytes.Equal(got.Atlas.Pix, f.Atlas.Pix[:3*7]) {
				t.Errorf("read %+v", got)
			}
		})
	}
	// A block that ends as it should, but early: the last glyph and the atlas are 0.
	got, err := Read(pack(payload[:fieldsSize+glyphSize+3]))
	if err != nil || got.Glyphs[1] != (Glyph{Code: '!', X: 1, Y: 1}) || got.Glyphs[3] != (Glyph{}) || got.MissingPixels != 28 {
		t.Errorf("read %+v, %v", got, err)
	}
}

func TestErrors(t *testing.T) {
	payload, err := example().Payload()
	if err != nil {
		t.Fatal(err)
	}
	whole := pack(payload)
	glyph := func(x, y uint16, width, height, bearingX, bearingY byte) []byte {
		b := binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(nil, x), y)
		return append(fields(10, 10, 9, 'A', 1, 0), append(b, width, height, bearingX, bearingY, 1)...)
	}
	tests := []struct {
		name    string
		data    []byte
		kind    error
		message string
	}{
		{"empty", nil, formats.ErrDamaged, "font: signature at byte 0: , expected EF BB BF F0 9F A5 95 20, a packed font"},
		{"another file", []byte("\x89PNG\r\n\x1a\n"), formats.ErrDamaged, "font: signature at byte 0: 89 50 4E 47 0D 0A 1A 0A"},
		{"no file type", []byte(signature), formats.ErrDamaged, "font: file type at byte 8: the end of the file, expected 9"},
		{"another file type", head(8, 2, 0, nil), formats.ErrDamaged, "font: file type at byte 8: 8, expected 9"},
		{"version 1", head(9, 1, 0, nil), formats.ErrUnsupported, "font: version at byte 9: 1, expected version 2"},
		{"cut before the version", whole[:9], formats.ErrUnsupported, "font: version at byte 9: 0, expected version 2"},
		{"cut before the block", whole[:15], formats.ErrDamaged, "font: header of the block: compressed data that ends too early, expected 12 bytes"},
		{"a size of 0", head(9, 2, 0, whole[headerSize:]), formats.ErrDamaged, "font: header of the block: compressed data that ends too early"},
		{"no deflate", head(9, 2, 4, []byte{0xff, 0xff, 0xff, 0xff}), formats.ErrDamaged, "font: header of the block: compressed data that is broken at byte "},
		{"cut in the glyphs", func() []byte {
			var b bytes.Buffer
			w, _ := flate.NewWriter(&b, flate.NoCompression)
			_, _ = w.Write(payload[:fieldsSize+glyphSize+2])
			_ = w.Flush()
			return head(9, 2, int32(b.Len()), b.Bytes())
		}(), formats.ErrDamaged, "font: glyph 1 of 4: compressed data that ends too early, expected 9 bytes"},
		{"an empty block", pack(nil), formats.ErrDamaged, "font: atlas width: 0 pixels, expected 1 to 16384"},
		{"no atlas height", pack(fields(5, 0, 1, 0, 1, 0)), formats.ErrDamaged, "font: atlas height: 0 pixels"},
		{"an atlas of 65535", pack(fields(65535, 65535, 1, 0, 1, 0)), formats.ErrDamaged, "font: atlas width: 65535 pixels"},
		{"right of the atlas", pack(glyph(9, 0, 2, 1, 0, 0)), formats.ErrDamaged, "font: glyph 0 (U+0041): 2x1 pixels at (9, 0), expected a place inside the atlas of 10x10"},
		{"below the atlas", pack(glyph(0, 65535, 1, 1, 0, 0)), formats.ErrDamaged, "font: glyph 0 (U+0041): 1x1 pixels at (0, 65535)"},
		{"a negative bearing", pack(glyph(0, 0, 1, 1, 0, 255)), formats.ErrDamaged, "font: glyph 0 (U+0041): the bearing (0, -1), expected 0 to 127"},
		{"no glyphs", pack(fields(5, 5, 1, 0, 0, 0)), formats.ErrDamaged, "font: no glyphs at all, expected at least one"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Read(test.data)
			if !errors.Is(err, test.kind) || !strings.HasPrefix(err.Error(), test.message) {
				t.Errorf("the error is %v, want %s", err, test.message)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	tests := []struct {
		name    string
		change  func(*Font)
		limit   bool
		message string
	}{
		{"line height", func(f *Font) { f.LineHeight = 65536 }, true, "font: line height is 65536, the limit is 65535"},
		{"base spacing", func(f *Font) { f.BaseSpacing = -32769 }, false, "font: base spacing: -32769, expected -32768 to 32767"},
		{"range", func(f *Font) { f.ASCIICount = 5 }, true, "font: AsciiCount is 5, the limit is 4"},
		{"others", func(f *Font) { f.Glyphs = make([]Glyph, 65538) }, true, "font: number of glyphs outside the range is 65536, the limit is 65535"},
		{"atlas", func(f *Font) { f.Atlas.Width = 0 }, false, "font: atlas width: 0, expected 1 to 16384"},
		{"width", func(f *Font) { f.Glyphs[1].Width, f.Atlas.Width = 256, 999 }, true, "glyph 1 (U+0021): font: width is 256, the limit is 255"},
		{"bearing", func(f *Font) { f.Glyphs[1].BearingX = 128 }, true, "glyph 1 (U+0021): font: bearing x is 128, the limit is 127"},
		{"outside the atlas", func(f *Font) { f.Glyphs[1].X = 7 }, true, "glyph 1 (U+0021): font: x is 7, the limit is 6"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := example()
			test.change(f)
			_, err := f.File()
			var limit *formats.LimitError
			if err == nil || err.Error() != test.message || errors.As(err, &limit) != test.limit {
				t.Errorf("the error is %v, want %s", err, test.message)
			}
		})
	}
}

// TestNoMemoryForWhatIsNotThere has small files that claim 65535 glyphs, and the largest atlas below the only glyph.
func TestNoMemoryForWhatIsNotThere(t *testing.T) {
	files := map[string][]byte{
		"glyphs": pack(fields(16384, 16384, 9, 0, 255, 65535)[:fieldsSize]),
		"atlas":  pack(append(fields(16384, 16384, 9, 'A', 1, 0), 0, 0, 0, 0, 1, 1, 0, 0, 1)),
		"4 GB":   head(9, 2, -1, nil),
	}
	for name, data := range files {
		used := testing.Benchmark(func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = Read(data)
			}
		}).AllocedBytesPerOp()
		if used > 12<<20 {
			t.Errorf("%s: %d bytes were taken for a file of %d", name, used, len(data))
		}
	}
}

func TestFace(t *testing.T) {
	f := &Font{ASCIIFirst: 0x7D, ASCIICount: 5, Glyphs: []Glyph{
		{Code: '}'}, {Code: '~'}, {Code: 0x7F}, {Code: 0x80}, {Code: 0x81},
		{Code: 'A'}, {Code: 'é'}, {Code: 0}, {Code: 'é'},
	}}
	face := f.Face()
	for _, test := range []struct {
		r     rune
		glyph int
		found bool
	}{{'}', 0, true}, {0x7F, 2, true}, {0x80, 7, false}, {'A', -1, false}, {'é', 8, true}, {'ß', 7, false}, {0, -1, false}, {-1, 7, false}} {
		if glyph, found := face.Lookup(test.r); glyph != test.glyph || found != test.found {
			t.Errorf("U+%04X: glyph %d, %v; want %d, %v", test.r, glyph, found, test.glyph, test.found)
		}
	}
	if glyph, found := (&Font{}).Face().Lookup('é'); glyph != -1 || found {
		t.Errorf("without fallback: %d, %v", glyph, found)
	}
}

func FuzzRead(f *testing.F) {
	data, err := example().File()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(data[:len(data)-6])
	payload, _ := example().Payload()
	// Stored, so that the fields can be changed by a fuzzer.
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.NoCompression)
	_, _ = w.Write(payload)
	_ = w.Close()
	f.Add(head(9, 2, -1, b.Bytes()))
	f.Add(pack(append(fields(16384, 16384, 9, 'A', 1, 0), 0, 0, 0, 64, 1, 1, 0, 0, 1)))
	f.Fuzz(func(t *testing.T, data []byte) {
		font, err := Read(data)
		if err != nil {
			if !errors.Is(err, formats.ErrDamaged) && !errors.Is(err, formats.ErrUnsupported) {
				t.Fatalf("%v is of no kind", err)
			}
			return
		}
		if font.Atlas.Width*font.Atlas.Height > 1<<22 {
			return // right, but slow to write
		}
		payload, err := font.Payload()
		if err != nil {
			t.Fatal(err)
		}
		file, err := font.File()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Read(file)
		if err != nil {
			t.Fatal(err)
		}
		if second, err := again.Payload(); err != nil || !bytes.Equal(second, payload) {
			t.Fatalf("%v, or another block", err)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	f := example()
	f.Atlas = Atlas{Width: 512, Height: 512, Pix: make([]byte, 512*512)}
	for i := range f.Atlas.Pix {
		if i%24 < 8 {
			f.Atlas.Pix[i] = byte(64 + i*i%8)
		}
	}
	data, err := f.File()
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(512 * 512)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(data); err != nil {
			b.Fatal(err)
		}
	}
}
