// Package picture reads and writes the PNG files of Jazz² Resurrection's asset packer: a part of PNG, read with less
// strictness than the standard asks for.
//
// A file has 8 bytes to 64 MiB. Behind the signature stand chunks: length (4 bytes, big-endian), type (4 bytes), payload, CRC
// (4 bytes). Reading stops at IEND, or where fewer than 8 bytes are left; CRCs are not looked at.
//
//	IHDR    width and height (4 bytes each, 1 to 16384), bit depth (8 only), colour type (0 grey, 2 RGB, 3 palette, 4 grey with
//	        alpha, 6 RGBA), compression, filter (neither is looked at), interlacing (0 only); a later one replaces it
//	PLTE    colours of 3 bytes; entries that are not listed are opaque black
//	tRNS    alpha of the palette's entries; passed over for other colour types
//	IDAT    zlib stream of the rows, its header and checksum not looked at; the payloads are joined
//
// A row is a filter byte and its samples: 0 as they are, 1 Sub, 2 Up, 3 Average, 4 Paeth. A row with another filter byte is
// read as zeros. Data behind the last row is passed over.
//
// What is written is always RGBA of 8 bits, with one IDAT chunk and right checksums. Each row has the filter whose bytes,
// taken as signed, have the smallest sum of magnitudes, the lowest number of several.
//
// Pixels are 8-bit red, green, blue and alpha, not premultiplied.
package picture

import (
	"image"
	"io"
)

const (
	// MaxSide is the largest width and height in pixels.
	MaxSide = 16384
	// MaxFile is the size of the largest file in bytes.
	MaxFile = 64 << 20

	minFile   = 8
	signature = "\x89PNG\r\n\x1a\n"
)

// Read decodes a whole picture. The errors are those of [NewReader] and of [Reader.ReadRow].
func Read(data []byte) (*image.NRGBA, error) {
	r, err := NewReader(data)
	if err != nil {
		return nil, err
	}
	m := image.NewNRGBA(image.Rect(0, 0, r.Width(), r.Height()))
	for y := range r.Height() {
		if err := r.ReadRow(m.Pix[y*m.Stride:][:m.Stride]); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// Write encodes a picture.
func Write(w io.Writer, m *image.NRGBA) error {
	e, err := NewWriter(w, m.Rect.Dx(), m.Rect.Dy())
	if err != nil {
		return err
	}
	for y := range m.Rect.Dy() {
		if err := e.WriteRow(m.Pix[y*m.Stride:][:4*m.Rect.Dx()]); err != nil {
			return err
		}
	}
	return e.Close()
}
