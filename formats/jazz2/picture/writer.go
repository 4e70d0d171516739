package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"talebinder/formats"
)

// A Writer makes a file of rows from the top. The compressed picture is held in memory until Close writes it, since its
// length stands in front of it.
type Writer struct {
	out        io.Writer
	width      int
	height     int
	left       int // rows that are still to come
	compressed bytes.Buffer
	rows       *zlib.Writer
	above      []byte
	try, best  []byte // filter byte and filtered samples
}

// NewWriter returns a Writer for a picture with sides of 1 to MaxSide pixels; others give a *formats.LimitError.
func NewWriter(w io.Writer, width, height int) (*Writer, error) {
	for _, side := range []int{width, height} {
		if side < 1 || side > MaxSide {
			return nil, fmt.Errorf("PNG: a picture of %dx%d pixels: %w", width, height,
				&formats.LimitError{What: "side", Value: int64(side), Max: MaxSide, Unit: "pixels"})
		}
	}
	e := &Writer{out: w, width: width, height: height, left: height, above: make([]byte, 4*width), try: make([]byte, 1+4*width), best: make([]byte, 1+4*width)}
	var err error
	e.rows, err = zlib.NewWriterLevel(&e.compressed, zlib.BestCompression)
	return e, err
}

// WriteRow adds the next row, four bytes a pixel.
func (e *Writer) WriteRow(row []byte) error {
	if e.left == 0 || len(row) != 4*e.width {
		return fmt.Errorf("PNG: a row of %d bytes with %d rows left to write, expected rows of %d bytes", len(row), e.left, 4*e.width)
	}
	smallest := -1
	for filter := range byte(5) {
		if sum := applyFilter(e.try, filter, row, e.above, smallest); smallest < 0 || sum < smallest {
			smallest = sum
			e.try, e.best = e.best, e.try
		}
		if smallest == 0 {
			break
		}
	}
	copy(e.above, row)
	e.left--
	_, err := e.rows.Write(e.best)
	return err
}

// applyFilter puts a filtered row into dst and gives the sum of its magnitudes. It may stop early once the sum is not below
// limit, when that is not negative.
func applyFilter(dst []byte, filter byte, row, above []byte, limit int) int {
	const distance = 4
	dst[0] = filter
	out := dst[1:]
	switch filter {
	case 0:
		copy(out, row)
	case 1:
		copy(out, row[:distance])
		for i := distance; i < len(row); i++ {
			out[i] = row[i] - row[i-distance]
		}
	case 2:
		for i, v := range row {
			out[i] = v - above[i]
		}
	case 3:
		for i, v := range row {
			left := 0
			if i >= distance {
				left = int(row[i-distance])
			}
			out[i] = v - uint8((left+int(above[i]))/2)
		}
	default:
		for i, v := range row {
			var left, corner uint8
			if i >= distance {
				left, corner = row[i-distance], above[i-distance]
			}
			out[i] = v - paeth(left, above[i], corner)
		}
	}
	sum := 0
	for _, v := range out {
		sum += min(int(v), 256-int(v))
		if limit >= 0 && sum >= limit {
			break
		}
	}
	return sum
}

// Close writes the file; it does not close the writer below.
func (e *Writer) Close() error {
	if e.left > 0 {
		return fmt.Errorf("PNG: %d rows were not written", e.left)
	}
	if err := e.rows.Close(); err != nil {
		return err
	}
	var header [13]byte
	binary.BigEndian.PutUint32(header[0:], uint32(e.width))
	binary.BigEndian.PutUint32(header[4:], uint32(e.height))
	header[8], header[9] = 8, 6
	if _, err := io.WriteString(e.out, signature); err != nil {
		return err
	}
	for _, c := range []struct {
		kind    string
		payload []byte
	}{{"IHDR", header[:]}, {"IDAT", e.compressed.Bytes()}, {"IEND", nil}} {
		if err := writeChunk(e.out, c.kind, c.payload); err != nil {
			return err
		}
	}
	return nil
}

func writeChunk(w io.Writer, kind string, payload []byte) error {
	head := binary.BigEndian.AppendUint32(nil, uint32(len(payload)))
	head = append(head, kind...)
	sum := crc32.ChecksumIEEE(head[4:])
	sum = crc32.Update(sum, crc32.IEEETable, payload)
	for _, part := range [][]byte{head, payload, binary.BigEndian.AppendUint32(nil, sum)} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}
