package n64rom

import (
	"encoding/binary"
	"io"
	"math/bits"

	"talebinder/formats"
)

// Unit is how many bytes belong together in an order: 1, 2 or 4. The length of an image is a multiple of it.
func (o Order) Unit() int64 {
	switch o {
	case ByteSwapped:
		return 2
	case LittleEndian:
		return 4
	}
	return 1
}

// Reorder brings bytes of an image in order o into the console's order, or the other way round, in place. They have to
// begin at a multiple of the order's unit in the image; bytes at the end that make no whole unit stay as they are.
func Reorder(b []byte, o Order) {
	switch o {
	case ByteSwapped:
		for ; len(b) >= 8; b = b[8:] {
			v := binary.LittleEndian.Uint64(b)
			binary.LittleEndian.PutUint64(b, v>>8&0x00FF00FF00FF00FF|v<<8&0xFF00FF00FF00FF00)
		}
		for ; len(b) >= 2; b = b[2:] {
			b[0], b[1] = b[1], b[0]
		}
	case LittleEndian:
		for ; len(b) >= 4; b = b[4:] {
			binary.LittleEndian.PutUint32(b, bits.ReverseBytes32(binary.LittleEndian.Uint32(b)))
		}
	}
}

// NewConverter gives an image of order o that is read from r in the console's order. An image that ends within a unit is
// damaged.
func NewConverter(r io.Reader, o Order) io.Reader {
	return &converter{in: r, order: o}
}

type converter struct {
	in     io.Reader
	order  Order
	offset int64
	buffer [64 << 10]byte
	ready  []byte // converted, not yet handed on
	err    error
}

func (c *converter) Read(p []byte) (int, error) {
	for len(c.ready) == 0 {
		if c.err != nil {
			return 0, c.err
		}
		n, err := io.ReadFull(c.in, c.buffer[:])
		if err == io.ErrUnexpectedEOF {
			err = io.EOF
		}
		if unit := c.order.Unit(); err == io.EOF && int64(n)%unit != 0 {
			err = formats.Damaged("image", c.offset+int64(n), "the end of the file", "a length that is a multiple of the order's unit: the image is cut off")
			n -= n % int(unit)
		}
		c.ready, c.err = c.buffer[:n], err
		c.offset += int64(n)
		Reorder(c.ready, c.order)
	}
	n := copy(p, c.ready)
	c.ready = c.ready[n:]
	return n, nil
}

// NewReaderAt gives an image of order o in the console's order, to read parts of it.
func NewReaderAt(r io.ReaderAt, o Order) io.ReaderAt {
	if o == BigEndian {
		return r
	}
	return &reordered{r, o}
}

type reordered struct {
	in    io.ReaderAt
	order Order
}

func (r *reordered) ReadAt(p []byte, offset int64) (int, error) {
	unit := r.order.Unit()
	start := offset - offset%unit
	b := make([]byte, (offset-start+int64(len(p))+unit-1)/unit*unit)
	n, err := r.in.ReadAt(b, start)
	Reorder(b[:n], r.order)
	n = copy(p, b[min(int(offset-start), n):n])
	if n == len(p) {
		err = nil
	} else if err == nil {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
