package font

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"talebinder/formats"
	"talebinder/formats/jazz2/charlist"
	"talebinder/formats/jazz2/index"
)

const (
	signature  = "\xef\xbb\xbf\xf0\x9f\xa5\x95\x20"
	fileType   = 9
	version    = 2
	headerSize = 15
	fieldsSize = 12 // of the block, before the glyphs
	glyphSize  = 9
)

// Read reads a file. The error is a *formats.Fault of kind formats.ErrDamaged, or of kind formats.ErrUnsupported for another
// version; both say where. It takes memory for at most 65790
// glyphs, and for the rows of the atlas that they use.
func Read(data []byte) (*Font, error) {
	block, err := readHeader(data)
	if err != nil {
		return nil, err
	}
	r := &blockReader{in: flate.NewReader(bytes.NewReader(block))}
	f := &Font{}
	fields := r.take(fieldsSize)
	if r.broken() {
		return nil, r.fault("font: header of the block", fieldsSize)
	}
	f.Atlas.Width, f.Atlas.Height = int(binary.LittleEndian.Uint16(fields)), int(binary.LittleEndian.Uint16(fields[2:]))
	f.LineHeight, f.BaseSpacing = int(binary.LittleEndian.Uint16(fields[4:])), int(int16(binary.LittleEndian.Uint16(fields[6:])))
	f.ASCIIFirst, f.ASCIICount = int(fields[8]), int(fields[9])
	others := int(binary.LittleEndian.Uint16(fields[10:]))

	f.Glyphs = make([]Glyph, 0, f.ASCIICount+others)
	for i := range f.ASCIICount + others {
		code := uint32(f.ASCIIFirst + i)
		if i >= f.ASCIICount {
			code = binary.LittleEndian.Uint32(r.take(4))
		}
		g := parseGlyph(code, r.take(glyphSize))
		if r.broken() {
			return nil, r.fault(fmt.Sprintf("font: glyph %d of %d", i, f.ASCIICount+others), glyphSize)
		}
		f.Glyphs = append(f.Glyphs, g)
	}
	if err := f.checkRead(); err != nil {
		return nil, err
	}
	if err := f.readAtlas(r); err != nil {
		return nil, err
	}
	return f, nil
}

// readHeader gives the compressed block.
func readHeader(data []byte) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte(signature)) {
		return nil, formats.Damaged("font: signature", 0, fmt.Sprintf("% X", data[:min(len(data), len(signature))]), fmt.Sprintf("% X, a packed font", signature))
	}
	if len(data) <= len(signature) || data[8] != fileType {
		found := "the end of the file"
		if len(data) > len(signature) {
			found = fmt.Sprint(data[8])
		}
		return nil, formats.Damaged("font: file type", 8, found, fmt.Sprintf("%d, a packed font", fileType))
	}
	var head [headerSize]byte
	copy(head[:], data)
	if head[9] != version {
		return nil, formats.Unsupported("font: version", 9, fmt.Sprint(head[9]), fmt.Sprintf("version %d", version))
	}
	block := data[min(len(data), headerSize):]
	if size := int32(binary.LittleEndian.Uint32(head[11:])); size >= 0 && int64(size) < int64(len(block)) {
		block = block[:size]
	}
	return block, nil
}

func parseGlyph(code uint32, b []byte) Glyph {
	return Glyph{
		Code: code,
		X:    int(binary.LittleEndian.Uint16(b)), Y: int(binary.LittleEndian.Uint16(b[2:])),
		Width: int(b[4]), Height: int(b[5]),
		BearingX: int(int8(b[6])), BearingY: int(int8(b[7])),
		Advance: int(b[8]),
	}
}

// checkRead looks at what a file may claim but cannot mean.
func (f *Font) checkRead() error {
	for _, side := range []struct {
		name   string
		pixels int
		offset int64
	}{{"width", f.Atlas.Width, 0}, {"height", f.Atlas.Height, 2}} {
		if side.pixels < 1 || side.pixels > MaxAtlasSide {
			return formats.Damaged(fmt.Sprintf("font: atlas %s", side.name), -1, fmt.Sprintf("%d pixels", side.pixels), fmt.Sprintf("1 to %d", MaxAtlasSide))
		}
	}
	for i := range f.Glyphs {
		g := &f.Glyphs[i]
		part := fmt.Sprintf("font: glyph %d (%s)", i, charlist.CodeName(g.Code))
		if g.X+g.Width > f.Atlas.Width || g.Y+g.Height > f.Atlas.Height {
			return formats.Damaged(part, -1, fmt.Sprintf("%dx%d pixels at (%d, %d)", g.Width, g.Height, g.X, g.Y),
				fmt.Sprintf("a place inside the atlas of %dx%d", f.Atlas.Width, f.Atlas.Height))
		}
		if g.BearingX < 0 || g.BearingY < 0 {
			return formats.Damaged(part, -1, fmt.Sprintf("the bearing (%d, %d)", g.BearingX, g.BearingY), fmt.Sprintf("0 to %d", MaxBearing))
		}
	}
	if len(f.Glyphs) == 0 {
		return formats.Damaged("font", -1, "no glyphs at all", "at least one")
	}
	return nil
}

// readAtlas decodes the rows that glyphs use, and counts the pixels that the data does not reach.
func (f *Font) readAtlas(r *blockReader) error {
	used := 0
	for i := range f.Glyphs {
		if g := &f.Glyphs[i]; g.Width > 0 && g.Height > 0 {
			used = max(used, g.Y+g.Height)
		}
	}
	decoder := index.NewDecoder(r.stream(), 1)
	f.Atlas.Pix = make([]byte, f.Atlas.Width*used)
	f.MissingPixels = decoder.Decode(f.Atlas.Pix)
	below := make([]byte, f.Atlas.Width)
	for range f.Atlas.Height - used {
		f.MissingPixels += decoder.Decode(below)
	}
	return nil
}

// blockReader takes fields out of the block.
type blockReader struct {
	in  io.Reader
	buf [16]byte
	err error // what ended the data, io.EOF included
}

// take gives the next bytes, 0 for those that are missing. They are valid until the next call.
func (r *blockReader) take(n int) []byte {
	b := r.buf[:n]
	clear(b)
	if r.err == nil {
		if _, err := io.ReadFull(r.in, b); err != nil {
			r.err = err
			// The end of the deflate stream inside a field is an end like any other, unlike the end of the input.
			if errors.Is(err, io.ErrUnexpectedEOF) {
				if _, again := r.in.Read(make([]byte, 1)); again == io.EOF {
					r.err = io.EOF
				}
			}
		}
	}
	return b
}

// broken says that the data ended other than by the end of the deflate stream.
func (r *blockReader) broken() bool { return r.err != nil && !errors.Is(r.err, io.EOF) }

func (r *blockReader) fault(part string, size int) error {
	found := "compressed data that ends too early"
	var corrupt flate.CorruptInputError
	if errors.As(r.err, &corrupt) {
		found = fmt.Sprintf("compressed data that is broken at byte %d of the file", headerSize+int64(corrupt))
	}
	return formats.Damaged(part, -1, found, fmt.Sprintf("%d bytes", size))
}

// stream is the rest of the block.
func (r *blockReader) stream() io.Reader {
	if r.err != nil {
		return bytes.NewReader(nil)
	}
	return r.in
}

func outside(what string, value, low, high int) error {
	if value < low {
		return formats.Damaged("font: "+what, -1, fmt.Sprint(value), fmt.Sprintf("%d to %d", low, high))
	}
	return &formats.LimitError{What: "font: " + what, Value: int64(value), Max: int64(high)}
}
