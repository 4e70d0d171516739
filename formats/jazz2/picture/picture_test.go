package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"talebinder/formats"
)

// piece is a chunk of a file that a test puts together.
func piece(kind string, payload []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(payload)))
	b = append(append(b, kind...), payload...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

func headerOf(width, height uint32, depth, colorType, interlacing byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, width)
	b = binary.BigEndian.AppendUint32(b, height)
	return piece("IHDR", append(b, depth, colorType, 0, 0, interlacing))
}

func compressed(level int, rows []byte) []byte {
	var b bytes.Buffer
	w, _ := zlib.NewWriterLevel(&b, level)
	_, _ = w.Write(rows)
	_ = w.Close()
	return b.Bytes()
}

func file(chunks ...[]byte) []byte {
	return append([]byte(signature), bytes.Join(append(chunks, piece("IEND", nil)), nil)...)
}

func noise(width, height int, seed uint64) *image.NRGBA {
	r := rand.New(rand.NewPCG(seed, 1))
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := range m.Pix {
		m.Pix[i] = byte(r.Uint32())
	}
	return m
}

func TestWrittenPicturesAreRead(t *testing.T) {
	for _, size := range []image.Point{{1, 1}, {3, 2}, {100, 37}, {MaxSide, 1}, {1, MaxSide}} {
		m := noise(size.X, size.Y, 7)
		var b bytes.Buffer
		if err := Write(&b, m); err != nil {
			t.Fatal(err)
		}
		got, err := Read(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if got.Rect != m.Rect || !bytes.Equal(got.Pix, m.Pix) {
			t.Errorf("%v: the pixels differ", size)
		}
		other, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		if n, ok := other.(*image.NRGBA); !ok || !bytes.Equal(n.Pix, m.Pix) {
			t.Errorf("%v: the standard library reads other pixels from a %T", size, other)
		}
	}
}

// TestKindsOfPictures reads what the standard library writes, whose encoder uses all filters.
func TestKindsOfPictures(t *testing.T) {
	noisy := noise(61, 43, 9)
	gray := image.NewGray(noisy.Rect)
	opaque := image.NewRGBA(noisy.Rect)
	paletted := image.NewPaletted(noisy.Rect, color.Palette{color.NRGBA{1, 2, 3, 4}, color.NRGBA{250, 0, 9, 255}, color.NRGBA{5, 6, 7, 0}})
	// Fewer than 17 colours are written with fewer than 8 bits.
	for i := range 20 {
		paletted.Palette = append(paletted.Palette, color.NRGBA{byte(i), 9, 9, byte(255 - i)})
	}
	for y := range 43 {
		for x := range 61 {
			gray.Set(x, y, noisy.At(x, y))
			c := noisy.NRGBAAt(x, y)
			c.A = 255
			opaque.Set(x, y, c)
			paletted.SetColorIndex(x, y, noisy.Pix[4*(61*y+x)]%23)
		}
	}
	for name, m := range map[string]image.Image{"grey": gray, "RGB": opaque, "RGBA": noisy, "palette": paletted} {
		var b bytes.Buffer
		if err := png.Encode(&b, m); err != nil {
			t.Fatal(err)
		}
		got, err := Read(b.Bytes())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for y := range 43 {
			for x := range 61 {
				if want := color.NRGBAModel.Convert(m.At(x, y)); got.NRGBAAt(x, y) != want {
					// Colours of palettes come back as they were, also where alpha is small.
					if p, ok := m.(*image.Paletted); ok && got.NRGBAAt(x, y) == p.Palette[p.ColorIndexAt(x, y)] {
						continue
					}
					t.Fatalf("%s: (%d, %d) is %v, want %v", name, x, y, got.NRGBAAt(x, y), want)
				}
			}
		}
	}
}

func TestTolerance(t *testing.T) {
	row := []byte{0, 10, 20, 30, 40}
	header := headerOf(1, 1, 8, 6, 0)
	data := piece("IDAT", compressed(6, row))
	broken := bytes.Clone(data)
	broken[len(broken)-1] ^= 1
	broken[8], broken[9] = 0, 0 // the header of the zlib stream
	stored := compressed(0, row)
	tests := []struct {
		name string
		data []byte
		want []byte
	}{
		{"wrong checksums and no zlib header", file(header, broken), row[1:]},
		{"stored data", file(header, piece("IDAT", stored)), row[1:]},
		{"one byte a chunk", file(header, bytes.Join(split(stored), nil)), row[1:]},
		{"no checksum of the stream", file(header, piece("IDAT", stored[:len(stored)-4])), row[1:]},
		{"no end", file(header, data)[:8+len(header)+len(data)], row[1:]},
		{"a few bytes behind the last chunk", append(file(header, data)[:8+len(header)+len(data)], 1, 2, 3, 4, 5, 6, 7), row[1:]},
		{"chunks behind the end", append(file(header, data), 255, 255, 255, 255, 255, 255, 255, 255, 255), row[1:]},
		{"unknown chunks", file(piece("abCD", make([]byte, 300)), header, piece("tEXt", []byte("x")), data), row[1:]},
		{"a second header", file(headerOf(9, 9, 8, 0, 0), data, header), row[1:]},
		{"an unknown filter", file(headerOf(1, 2, 8, 6, 0), piece("IDAT", compressed(6, []byte{5, 1, 2, 3, 4, 2, 9, 9, 9, 9}))), []byte{0, 0, 0, 0, 9, 9, 9, 9}},
		{"alpha of a grey picture is passed over", file(headerOf(1, 1, 8, 0, 0), piece("tRNS", []byte{0, 7}), piece("IDAT", compressed(6, []byte{0, 7}))), []byte{7, 7, 7, 255}},
		{"alpha in front of the header is passed over", file(piece("tRNS", []byte{1}), headerOf(1, 1, 8, 3, 0), piece("IDAT", compressed(6, []byte{0, 0}))), []byte{0, 0, 0, 255}},
		{"entries that are not in the palette", file(headerOf(2, 1, 8, 3, 0), piece("PLTE", []byte{1, 2, 3, 4}), piece("tRNS", []byte{9}), piece("IDAT", compressed(6, []byte{0, 0, 200}))),
			[]byte{1, 2, 3, 9, 0, 0, 0, 255}},
		{"grey with alpha", file(headerOf(1, 1, 8, 4, 0), piece("IDAT", compressed(6, []byte{0, 7, 8}))), []byte{7, 7, 7, 8}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m, err := Read(test.data)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(m.Pix, test.want) {
				t.Errorf("read % x, want % x", m.Pix, test.want)
			}
		})
	}
}

func split(data []byte) [][]byte {
	var chunks [][]byte
	for i := range data {
		chunks = append(chunks, piece("IDAT", data[i:i+1]), piece("IDAT", nil))
	}
	return chunks
}

func TestErrors(t *testing.T) {
	data := piece("IDAT", compressed(6, make([]byte, 1000)))
	bad := piece("IDAT", []byte{0x78, 0x9c, 0xff, 0xff, 0xff, 0xff})
	tests := []struct {
		name    string
		data    []byte
		kind    error // nil for a limit
		message string
	}{
		{"empty", nil, formats.ErrDamaged, "PNG: a file of 0 bytes, expected 8 to 67108864"},
		{"another file", []byte("GIF89a.............."), formats.ErrDamaged, `PNG: signature at byte 0: "GIF89a..", expected a PNG file`},
		{"signature alone", []byte(signature), formats.ErrDamaged, "PNG: no IHDR chunk"},
		{"a chunk past the end", file(headerOf(4, 4, 8, 6, 0), data)[:60], formats.ErrDamaged, `PNG: chunk "IDAT" at byte 33: a length of `},
		{"a chunk of 4 GB", append([]byte(signature), "\xff\xff\xff\xffIDAT...."...), formats.ErrDamaged, `PNG: chunk "IDAT" at byte 8: a length of 4294967295 bytes, expected at most 0`},
		{"a short header", file(piece("IHDR", make([]byte, 12)), data), formats.ErrDamaged, "PNG: IHDR chunk at byte 16: 12 bytes, expected 13"},
		{"no size", file(headerOf(0, 0, 8, 6, 0), data), formats.ErrDamaged, "PNG: size of the picture at byte 16: 0x0 pixels, expected 1x1 to 16384x16384"},
		{"a negative size", file(headerOf(1<<31, 4, 8, 6, 0), data), formats.ErrDamaged, "PNG: size of the picture at byte 16: -2147483648x4 pixels"},
		{"100000x1", file(headerOf(100000, 1, 8, 6, 0), data), nil, "PNG: the picture has 100000x1 pixels: its longer side is 100000 pixels, the limit is 16384 pixels"},
		{"2147483647 squared", file(headerOf(1<<31-1, 1<<31-1, 16, 6, 1), data), nil, "PNG: the picture has 2147483647x2147483647 pixels"},
		{"16 bits", file(headerOf(4, 4, 16, 6, 0), data), formats.ErrUnsupported, "PNG: bit depth at byte 16: 16 bits a sample, expected 8"},
		{"1 bit", file(headerOf(4, 4, 1, 3, 0), data), formats.ErrUnsupported, "PNG: bit depth at byte 16: 1 bits a sample, expected 8"},
		{"interlaced", file(headerOf(4, 4, 8, 6, 1), data), formats.ErrUnsupported, "PNG at byte 16: interlacing (method 1)"},
		{"a colour type like CMYK", file(headerOf(4, 4, 8, 5, 0), data), formats.ErrUnsupported, "PNG: colour type at byte 16: 5, expected 0 (grey)"},
		{"no image data", file(headerOf(4, 4, 8, 6, 0)), formats.ErrDamaged, "PNG: 0 bytes of image data"},
		{"one byte of image data", file(headerOf(4, 4, 8, 6, 0), piece("IDAT", []byte{1})), formats.ErrDamaged, "PNG: 1 bytes of image data"},
		{"broken image data", file(headerOf(4, 4, 8, 6, 0), bad), formats.ErrDamaged, "PNG: image data: data in row 0 that cannot be decompressed, expected 4 rows"},
		{"too few rows", file(headerOf(20, 20, 8, 6, 0), data), formats.ErrDamaged, "PNG: image data: the end in row 12, after 28 of its 81 bytes, expected 20 rows"},
		{"cut image data", file(headerOf(20, 5, 8, 6, 0), piece("IDAT", compressed(0, make([]byte, 405))[:200])), formats.ErrDamaged, "PNG: image data: the end in row 2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Read(test.data)
			if err == nil || !strings.HasPrefix(err.Error(), test.message) {
				t.Fatalf("the error is %v, want %s", err, test.message)
			}
			var limit *formats.LimitError
			if test.kind == nil && !errors.As(err, &limit) || test.kind != nil && !errors.Is(err, test.kind) {
				t.Errorf("%v is of another kind", err)
			}
		})
	}
	var limit *formats.LimitError
	if _, err := Read(make([]byte, MaxFile+1)); !errors.As(err, &limit) || limit.Max != MaxFile {
		t.Errorf("a file that is too large gives %v", err)
	}
}

// TestNoMemoryForWhatIsNotThere has files that claim the largest picture, and ones that hold more than their picture.
func TestNoMemoryForWhatIsNotThere(t *testing.T) {
	claim := file(headerOf(MaxSide, MaxSide, 8, 6, 0), piece("IDAT", compressed(9, make([]byte, 1<<20))))
	more := file(headerOf(1, 1, 8, 0, 0), piece("IDAT", compressed(9, make([]byte, 64<<20))))
	bytesUsed := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Read(claim); !errors.Is(err, formats.ErrDamaged) {
				b.Fatal(err)
			}
			if m, err := Read(more); err != nil || len(m.Pix) != 4 {
				b.Fatal(err)
			}
		}
	}).AllocedBytesPerOp()
	if bytesUsed > 1<<20 {
		t.Errorf("%d bytes were taken", bytesUsed)
	}
}

func TestRowsOfAReader(t *testing.T) {
	r, err := NewReader(file(headerOf(1, 2, 8, 0, 0), piece("IDAT", compressed(9, []byte{0, 1, 1, 2}))))
	if err != nil || r.Width() != 1 || r.Height() != 2 {
		t.Fatal(r, err)
	}
	row := make([]byte, 4)
	for _, want := range []error{nil, nil, io.EOF, io.EOF} {
		if err := r.ReadRow(row); err != want {
			t.Errorf("%v, want %v", err, want)
		}
	}
}

func TestWriterErrors(t *testing.T) {
	var limit *formats.LimitError
	for _, size := range []image.Point{{0, 1}, {1, 0}, {MaxSide + 1, 1}} {
		if _, err := NewWriter(io.Discard, size.X, size.Y); !errors.As(err, &limit) {
			t.Errorf("%v: %v", size, err)
		}
	}
	w, err := NewWriter(io.Discard, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err == nil {
		t.Error("a picture without its rows is written")
	}
	if err := w.WriteRow(make([]byte, 4)); err == nil {
		t.Error("a row that is too short is written")
	}
}

func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	if err := Write(&b, noise(3, 3, 1)); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add(file(headerOf(3, 2, 8, 3, 0), piece("PLTE", make([]byte, 30)), piece("tRNS", []byte{1, 2, 3}), piece("IDAT", compressed(0, make([]byte, 8)))))
	f.Add(file(headerOf(2, 5, 8, 4, 0), piece("IDAT", compressed(9, []byte{0, 1, 2, 3, 4, 1, 5, 6, 7, 8, 2, 1, 1, 1, 1, 3, 2, 2, 2, 2, 4, 3, 3, 3, 3}))))
	f.Add(file(headerOf(MaxSide, MaxSide, 8, 6, 0), piece("IDAT", compressed(9, make([]byte, 1<<16)))))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := NewReader(data)
		if err != nil {
			return
		}
		if r.Width()*r.Height() > 1<<20 {
			return // right, but slow
		}
		m, err := Read(data)
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := Write(&b, m); err != nil {
			t.Fatal(err)
		}
		again, err := Read(b.Bytes())
		if err != nil || again.Rect != m.Rect || !bytes.Equal(again.Pix, m.Pix) {
			t.Fatalf("%v, or other pixels", err)
		}
	})
}

// sheet is a picture of 512x512 pixels that is a third ink.
func sheet() *image.NRGBA {
	r := rand.New(rand.NewPCG(7, 8))
	m := image.NewNRGBA(image.Rect(0, 0, 512, 512))
	for i := 0; i < len(m.Pix); i += 4 {
		if i%96 < 32 {
			v := byte(64 + r.IntN(8))
			copy(m.Pix[i:], []byte{v, v, v, 255})
		}
	}
	return m
}

func BenchmarkRead(b *testing.B) {
	m := sheet()
	var out bytes.Buffer
	if err := Write(&out, m); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(m.Pix)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(out.Bytes()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	m := sheet()
	b.SetBytes(int64(len(m.Pix)))
	b.ReportAllocs()
	for b.Loop() {
		if err := Write(io.Discard, m); err != nil {
			b.Fatal(err)
		}
	}
}
