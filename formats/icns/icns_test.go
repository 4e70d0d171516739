package icns_test

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
	"talebinder/formats/icns"
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
	if err := icns.Write(&b, all); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRoundTrip(t *testing.T) {
	all := images(t, icns.Sizes()...)
	data := write(t, all)
	if length := binary.BigEndian.Uint32(data[4:]); int(length) != len(data) {
		t.Errorf("the length is %d, the file has %d bytes", length, len(data))
	}
	entries, err := icns.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	types := []string{"icp4", "icp5", "ic07", "ic08", "ic09", "ic10"}
	if len(entries) != len(types) {
		t.Fatalf("%d entries, expected %d", len(entries), len(types))
	}
	for i, e := range entries {
		if e.Type != types[i] || e.Size != all[i].Size || !e.PNG() || !bytes.Equal(e.Data, all[i].PNG) {
			t.Errorf("entry %d: %q, %d pixels, %d bytes", i, e.Type, e.Size, len(e.Data))
		}
		if config, err := png.DecodeConfig(bytes.NewReader(e.Data)); err != nil || config.Width != e.Size {
			t.Errorf("entry %d: %+v, %v", i, config, err)
		}
	}
}

func TestLayout(t *testing.T) {
	data := write(t, []icon.Image{{Size: 16, PNG: []byte("first")}, {Size: 1024, PNG: nil}})
	want := []byte("icns\x00\x00\x00\x1dicp4\x00\x00\x00\x0dfirstic10\x00\x00\x00\x08")
	if !bytes.Equal(data, want) {
		t.Errorf("got  %q\nwant %q", data, want)
	}
}

func TestSizesThatHaveNoType(t *testing.T) {
	for _, size := range []int{0, 24, 48, 2048} {
		if err := icns.Write(&bytes.Buffer{}, []icon.Image{{Size: size}}); !errors.Is(err, formats.ErrUnsupported) {
			t.Errorf("%d pixels: got %v", size, err)
		}
	}
}

func TestChunksOfOtherProgramsAreRead(t *testing.T) {
	entries, err := icns.Read([]byte("icns\x00\x00\x00\x1cTOC \x00\x00\x00\x08il32\x00\x00\x00\x0cgreybehind the end"))
	if err != nil {
		t.Fatal(err)
	}
	want := []icns.Entry{{Type: "TOC ", Data: []byte{}}, {Type: "il32", Data: []byte("grey")}}
	if !slices.EqualFunc(entries, want, func(a, b icns.Entry) bool {
		return a.Type == b.Type && a.Size == b.Size && bytes.Equal(a.Data, b.Data)
	}) {
		t.Errorf("got %+v", entries)
	}
}

func TestDamage(t *testing.T) {
	for name, c := range map[string]struct{ data, says string }{
		"an empty file":             {"", `macOS icon: header at byte 0: "", expected "icns" and a length`},
		"another kind of file":      {"\x89PNG\r\n\x1a\n", `"\x89PNG"`},
		"a length below its header": {"icns\x00\x00\x00\x07", "macOS icon: length at byte 4: 7"},
		"a length beyond the end":   {"icns\x00\x00\x00\x09", "length at byte 4: 9, expected 8 to 8"},
		"half of a chunk's header":  {"icns\x00\x00\x00\x0cicp4", "chunk 0 at byte 8: the end of the icon after 4 bytes"},
		"a chunk beyond the end":    {"icns\x00\x00\x00\x10icp4\x00\x00\x00\x09", "chunk 0: length at byte 12: 9"},
		"a chunk of no length":      {"icns\x00\x00\x00\x10icp4\x00\x00\x00\x00", "chunk 0: length at byte 12: 0"},
		"a chunk of 4 GB":           {"icns\x00\x00\x00\x10icp4\xff\xff\xff\xff", "chunk 0: length at byte 12: 4294967295"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := icns.Read([]byte(c.data))
			if !errors.Is(err, formats.ErrDamaged) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
}

func TestSeeds(t *testing.T) {
	good := write(t, []icon.Image{{Size: 16, PNG: []byte("\x89PNG\r\n\x1a\n")}, {Size: 1024, PNG: []byte("large")}})
	seed.Check(t, "FuzzRead", map[string][]byte{
		"two-images.icns":         good,
		"empty.icns":              []byte("icns\x00\x00\x00\x08"),
		"cut-in-a-chunk.icns":     good[:len(good)-2],
		"chunk-of-no-length.icns": []byte("icns\x00\x00\x00\x10icp4\x00\x00\x00\x00"),
		"chunk-of-4-gb.icns":      []byte("icns\x00\x00\x00\x10icp4\xff\xff\xff\xff"),
		"other-chunks.icns":       []byte("icns\x00\x00\x00\x1cTOC \x00\x00\x00\x08il32\x00\x00\x00\x0cgrey"),
	})
}

// What is read and has types of ours is written to the same bytes.
func FuzzRead(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := icns.Read(data)
		if err != nil {
			if !errors.Is(err, formats.ErrDamaged) {
				t.Fatalf("an error of no kind: %v", err)
			}
			return
		}
		var all []icon.Image
		for _, e := range entries {
			if e.Size == 0 {
				return
			}
			all = append(all, icon.Image{Size: e.Size, PNG: e.Data})
		}
		if got := write(t, all); !bytes.Equal(got, data[:len(got)]) {
			t.Fatalf("wrote %q", got)
		}
	})
}
