package ico_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/png"
	"slices"
	"strings"
	"testing"

	"talebinder/formats"
	"talebinder/formats/ico"
	"talebinder/formats/icon"
	"talebinder/formats/internal/seed"
)

func images(t testing.TB, sizes ...int) []icon.Image {
	t.Helper()
	all := make([]icon.Image, len(sizes))
	for i, size := range sizes {
		m := image.NewNRGBA(image.Rect(0, 0, size, size))
		for x := range size {
			m.SetNRGBA(x, x, color.NRGBA{R: uint8(size), G: uint8(x), A: 200})
		}
		var b bytes.Buffer
		if err := png.Encode(&b, m); err != nil {
			t.Fatal(err)
		}
		all[i] = icon.Image{Size: size, PNG: b.Bytes()}
	}
	return all
}

func write(t testing.TB, all []icon.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := ico.Write(&b, all); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRoundTrip(t *testing.T) {
	all := images(t, ico.Sizes()...)
	data := write(t, all)
	entries, err := ico.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(all) {
		t.Fatalf("%d entries, expected %d", len(entries), len(all))
	}
	for i, e := range entries {
		if e.Width != all[i].Size || e.Height != all[i].Size || e.Bits != 32 || !e.PNG() || !bytes.Equal(e.Data, all[i].PNG) {
			t.Errorf("entry %d: %dx%d, %d bits, %d bytes", i, e.Width, e.Height, e.Bits, len(e.Data))
		}
		if config, err := png.DecodeConfig(bytes.NewReader(e.Data)); err != nil || config.Width != e.Width {
			t.Errorf("entry %d: %+v, %v", i, config, err)
		}
	}
}

func TestLayout(t *testing.T) {
	data := write(t, []icon.Image{{Size: 256, PNG: []byte("first")}, {Size: 16, PNG: []byte("second")}})
	want := []byte("\x00\x00\x01\x00\x02\x00" +
		"\x00\x00\x00\x00\x01\x00\x20\x00\x05\x00\x00\x00\x26\x00\x00\x00" +
		"\x10\x10\x00\x00\x01\x00\x20\x00\x06\x00\x00\x00\x2b\x00\x00\x00" +
		"firstsecond")
	if !bytes.Equal(data, want) {
		t.Errorf("got  %x\nwant %x", data, want)
	}
}

func TestSizesThatAnIconCannotHave(t *testing.T) {
	for _, all := range [][]icon.Image{nil, {{Size: 0}}, {{Size: 257}}, {{Size: 16}, {Size: -1}}, make([]icon.Image, 65536)} {
		var limit *formats.LimitError
		if err := ico.Write(&bytes.Buffer{}, all); !errors.As(err, &limit) {
			t.Errorf("%d images: got %v", len(all), err)
		}
	}
}

func with(data []byte, at int, value byte) []byte {
	b := slices.Clone(data)
	b[at] = value
	return b
}

func TestDamage(t *testing.T) {
	good := write(t, images(t, 16, 32))
	far := slices.Clone(good)
	binary.LittleEndian.PutUint32(far[6+12:], 0xfffffff0)
	for name, c := range map[string]struct {
		data []byte
		says string
	}{
		"an empty file":                  {nil, "icon: header at byte 0: the end of the file after 0 bytes, expected 6 bytes"},
		"a cursor":                       {with(good, 2, 2), "the start of an icon file"},
		"no images":                      {with(good, 4, 0), "number of images at byte 4: 0"},
		"entries beyond the end":         {with(good, 5, 255), "number of images at byte 4: 65282"},
		"an image inside the entries":    {with(good, 6+12, 8), "icon: entry 0 at byte 6: an image from byte 8"},
		"an image beyond the end":        {good[:len(good)-1], "icon: entry 1 at byte 22"},
		"an image at the end of 32 bits": {far, "an image from byte 4294967280"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ico.Read(c.data)
			if !errors.Is(err, formats.ErrDamaged) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
}

func TestSeeds(t *testing.T) {
	good := write(t, []icon.Image{{Size: 16, PNG: []byte("\x89PNG\r\n\x1a\n")}, {Size: 256, PNG: []byte("bitmap")}})
	seed.Check(t, "FuzzRead", map[string][]byte{
		"two-images.ico":           good,
		"cut-in-the-entries.ico":   good[:30],
		"cut-in-the-images.ico":    good[:len(good)-2],
		"more-images-than-fit.ico": with(good, 4, 200),
		"overlapping-images.ico":   with(good, 6+16+12, 38),
		"cursor.cur":               with(good, 2, 2),
	})
}

// What is read, written and read again gives the same images.
func FuzzRead(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := ico.Read(data)
		if err != nil {
			if !errors.Is(err, formats.ErrDamaged) {
				t.Fatalf("an error of no kind: %v", err)
			}
			return
		}
		if len(entries) > 64 {
			return // overlapping images make large files of small ones
		}
		var all []icon.Image
		for _, e := range entries {
			all = append(all, icon.Image{Size: e.Width, PNG: e.Data})
		}
		again, err := ico.Read(write(t, all))
		if err != nil || len(again) != len(entries) {
			t.Fatalf("%d entries, %v, expected %d", len(again), err, len(entries))
		}
		for i, e := range again {
			if e.Width != entries[i].Width || !bytes.Equal(e.Data, entries[i].Data) {
				t.Fatalf("entry %d differs", i)
			}
		}
	})
}
