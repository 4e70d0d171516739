package picture

import (
	"bufio"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"talebinder/formats"
)

// maxRatio is more than deflate can compress: a byte of it gives at most 1032.
const maxRatio = 1032

// A Reader gives the rows of a picture from the top. Only two rows are in memory at a time.
type Reader struct {
	header  header
	palette [256][4]byte
	rows    io.Reader
	row     []byte // filter byte and samples
	above   []byte // samples of the row before
	read    int    // rows
}

type header struct {
	width, height int
	colorType     byte
}

// channels is the number of samples a pixel.
func (h header) channels() int {
	switch h.colorType {
	case 2:
		return 3
	case 4:
		return 2
	case 6:
		return 4
	}
	return 1
}

// NewReader looks at the chunks of a file; data is kept. The error is a *formats.Fault of kind formats.ErrDamaged, one of
// kind formats.ErrUnsupported for bit depths, colour types and interlacing that the game's tools do not read, or a
// *formats.LimitError for a file or a side that is too large. No memory is taken for pixels before the compressed data can
// hold them.
func NewReader(data []byte) (*Reader, error) {
	if len(data) > MaxFile {
		return nil, &formats.LimitError{What: "PNG: the size of the file", Value: int64(len(data)), Max: MaxFile, Unit: "bytes"}
	}
	if len(data) < minFile {
		return nil, formats.Damaged("PNG", -1, fmt.Sprintf("a file of %d bytes", len(data)), fmt.Sprintf("%d to %d", minFile, MaxFile))
	}
	if string(data[:len(signature)]) != signature {
		return nil, formats.Damaged("PNG: signature", 0, fmt.Sprintf("%q", data[:len(signature)]),
			"a PNG file; save the picture as PNG in an image editor")
	}
	r := &Reader{}
	for i := range r.palette {
		r.palette[i][3] = 255
	}
	if err := r.chunks(data); err != nil {
		return nil, err
	}
	return r, nil
}

// chunks takes in everything but the pixels.
func (r *Reader) chunks(data []byte) error {
	compressed := 0
	walk := walker{data: data, at: len(signature)}
	for {
		c, ok, err := walk.next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		switch c.kind {
		case "IHDR":
			if err := r.parseHeader(c); err != nil {
				return err
			}
		case "PLTE":
			for i := 0; i < len(r.palette) && 3*i+3 <= len(c.payload); i++ {
				copy(r.palette[i][:3], c.payload[3*i:])
			}
		case "tRNS":
			if r.header.width > 0 && r.header.colorType == 3 {
				for i := 0; i < len(r.palette) && i < len(c.payload); i++ {
					r.palette[i][3] = c.payload[i]
				}
			}
		case "IDAT":
			compressed += len(c.payload)
		}
	}
	if r.header.width == 0 {
		return formats.Damaged("PNG", -1, "no IHDR chunk", "one that says how large the picture is")
	}
	if compressed < 2 {
		return formats.Damaged("PNG", -1, fmt.Sprintf("%d bytes of image data", compressed), "IDAT chunks with the picture")
	}
	samples := r.header.width * r.header.channels()
	needed := int64(r.header.height) * int64(1+samples)
	if needed > maxRatio*int64(compressed) {
		return formats.Damaged("PNG: image data", -1, fmt.Sprintf("%d bytes, which hold at most %d once decompressed", compressed, maxRatio*int64(compressed)),
			fmt.Sprintf("%d for a picture of %dx%d pixels", needed, r.header.width, r.header.height))
	}
	stream := &idat{walk: walker{data: data, at: len(signature)}, skip: 2}
	r.rows = flate.NewReader(bufio.NewReaderSize(stream, 4096))
	r.row, r.above = make([]byte, 1+samples), make([]byte, samples)
	return nil
}

func (r *Reader) parseHeader(c chunk) error {
	if len(c.payload) < 13 {
		return formats.Damaged("PNG: IHDR chunk", c.offset, fmt.Sprintf("%d bytes", len(c.payload)), "13")
	}
	width, height := int64(int32(binary.BigEndian.Uint32(c.payload))), int64(int32(binary.BigEndian.Uint32(c.payload[4:])))
	if width < 1 || height < 1 {
		return formats.Damaged("PNG: size of the picture", c.offset, fmt.Sprintf("%dx%d pixels", width, height),
			fmt.Sprintf("1x1 to %dx%d", MaxSide, MaxSide))
	}
	if width > MaxSide || height > MaxSide {
		return fmt.Errorf("PNG: the picture has %dx%d pixels: %w", width, height,
			&formats.LimitError{What: "its longer side", Value: max(width, height), Max: MaxSide, Unit: "pixels"})
	}
	if depth := c.payload[8]; depth != 8 {
		return formats.Unsupported("PNG: bit depth", c.offset, fmt.Sprintf("%d bits a sample", depth), "8; save the picture with 8 bits a channel")
	}
	if interlacing := c.payload[12]; interlacing != 0 {
		return formats.Unsupported("PNG", c.offset, fmt.Sprintf("interlacing (method %d)", interlacing), "a picture that is not interlaced; save it again without")
	}
	switch kind := c.payload[9]; kind {
	case 0, 2, 3, 4, 6:
		r.header = header{int(width), int(height), kind}
		return nil
	default:
		return formats.Unsupported("PNG: colour type", c.offset, fmt.Sprintf("%d", kind), "0 (grey), 2 (RGB), 3 (palette), 4 (grey with alpha) or 6 (RGBA)")
	}
}

// Width gives the width in pixels.
func (r *Reader) Width() int { return r.header.width }

// Height gives the height in pixels.
func (r *Reader) Height() int { return r.header.height }

// ReadRow decodes the next row into dst, four bytes a pixel. Behind the last row it gives io.EOF, and a *formats.Fault where
// the image data is broken or ends too early.
func (r *Reader) ReadRow(dst []byte) error {
	if r.read == r.header.height {
		return io.EOF
	}
	if n, err := io.ReadFull(r.rows, r.row); err != nil {
		found := fmt.Sprintf("the end in row %d, after %d of its %d bytes", r.read, n, len(r.row))
		var corrupt flate.CorruptInputError
		if errors.As(err, &corrupt) {
			found = fmt.Sprintf("data in row %d that cannot be decompressed", r.read)
		}
		return formats.Damaged("PNG: image data", -1, found, fmt.Sprintf("%d rows; open it in an image editor and save it again", r.header.height))
	}
	r.read++
	samples := r.row[1:]
	unfilter(r.row[0], samples, r.above, r.header.channels())
	r.expand(dst, samples)
	copy(r.above, samples)
	return nil
}

// unfilter turns the bytes of a row into its samples.
func unfilter(filter byte, row, above []byte, distance int) {
	switch filter {
	case 0:
	case 1:
		for i := distance; i < len(row); i++ {
			row[i] += row[i-distance]
		}
	case 2:
		for i := range row {
			row[i] += above[i]
		}
	case 3:
		for i := range row {
			left := 0
			if i >= distance {
				left = int(row[i-distance])
			}
			row[i] += uint8((left + int(above[i])) / 2)
		}
	case 4:
		for i := range row {
			var left, corner uint8
			if i >= distance {
				left, corner = row[i-distance], above[i-distance]
			}
			row[i] += paeth(left, above[i], corner)
		}
	default:
		clear(row)
	}
}

// paeth gives the one of three neighbours that is closest to left + above - corner.
func paeth(left, above, corner uint8) uint8 {
	pa := int(above) - int(corner)
	pb := int(left) - int(corner)
	pc := abs(pa + pb)
	pa, pb = abs(pa), abs(pb)
	switch {
	case pa <= pb && pa <= pc:
		return left
	case pb <= pc:
		return above
	}
	return corner
}

func abs(v int) int {
	if v < 0 {
		return -v
	}
	return v
}

// expand turns the samples of a row into pixels.
func (r *Reader) expand(dst, samples []byte) {
	switch r.header.colorType {
	case 0:
		for i, v := range samples {
			copy(dst[4*i:], []byte{v, v, v, 255})
		}
	case 2:
		for i := range r.header.width {
			dst[4*i], dst[4*i+1], dst[4*i+2], dst[4*i+3] = samples[3*i], samples[3*i+1], samples[3*i+2], 255
		}
	case 3:
		for i, v := range samples {
			copy(dst[4*i:], r.palette[v][:])
		}
	case 4:
		for i := range r.header.width {
			v := samples[2*i]
			dst[4*i], dst[4*i+1], dst[4*i+2], dst[4*i+3] = v, v, v, samples[2*i+1]
		}
	default:
		copy(dst, samples)
	}
}

type chunk struct {
	kind    string
	offset  int64 // of the payload
	payload []byte
}

// A walker goes through the chunks of a file.
type walker struct {
	data []byte
	at   int
}

// next gives the next chunk; ok is false at the end of the picture.
func (w *walker) next() (c chunk, ok bool, err error) {
	if len(w.data)-w.at < 8 {
		return chunk{}, false, nil
	}
	length := int64(binary.BigEndian.Uint32(w.data[w.at:]))
	kind := string(w.data[w.at+4 : w.at+8])
	if kind == "IEND" && int64(w.at)+12+length <= int64(len(w.data)) {
		w.at = len(w.data)
		return chunk{}, false, nil
	}
	if int64(w.at)+12+length > int64(len(w.data)) {
		return chunk{}, false, formats.Damaged(fmt.Sprintf("PNG: chunk %q", kind), int64(w.at), fmt.Sprintf("a length of %d bytes", length),
			fmt.Sprintf("at most %d up to the end of the file", max(len(w.data)-w.at-12, 0)))
	}
	c = chunk{kind: kind, offset: int64(w.at + 8), payload: w.data[w.at+8 : w.at+8+int(length)]}
	w.at += 12 + int(length)
	return c, true, nil
}

// idat joins the payloads of the IDAT chunks without their first bytes, the header of the zlib stream.
type idat struct {
	walk walker
	rest []byte
	skip int
}

func (d *idat) Read(p []byte) (int, error) {
	for len(d.rest) == 0 {
		c, ok, err := d.walk.next()
		if err != nil {
			return 0, err
		}
		if !ok {
			return 0, io.EOF
		}
		if c.kind == "IDAT" {
			n := min(d.skip, len(c.payload))
			d.rest, d.skip = c.payload[n:], d.skip-n
		}
	}
	n := copy(p, d.rest)
	d.rest = d.rest[n:]
	return n, nil
}
