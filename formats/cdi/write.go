package cdi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"sync"

	"talebinder/formats"
)

const (
	maxWorkers    = 16
	encodeSectors = 128 // of a piece of work
)

// Replacement is a new data track.
type Replacement struct {
	Sectors uint32 // of the track, without the pregap
	RunOut  uint32 // how many at its end are copied as they are from the end of the track that it replaces

	// Write writes the user data of all others, 2048 bytes each.
	Write func(ctx context.Context, w io.Writer) error
}

// Rewrite writes the image with another data track: everything ahead of the track and the descriptor stay as they are, but
// for the lengths. Sectors of 2336 bytes get their codes on all cores, in memory of a few MiB, the same bytes whatever the
// number of cores.
//
// An image that Writable refuses, or a track that the format cannot hold, gives its error before anything is written.
func (im *Image) Rewrite(ctx context.Context, w io.Writer, r Replacement) error {
	if err := im.Writable(); err != nil {
		return err
	}
	descriptor, footer, err := im.newDescriptor(r)
	if err != nil {
		return err
	}
	t := im.Tracks[im.data]
	if err := im.copy(ctx, w, 0, t.start()); err != nil {
		return err
	}
	if err := writeTrack(ctx, w, t.SectorSize, r); err != nil {
		return err
	}
	if err := im.copy(ctx, w, t.end()-int64(r.RunOut)*int64(t.SectorSize), t.end()); err != nil {
		return err
	}
	_, err = w.Write(append(descriptor, footer...))
	return err
}

// newDescriptor gives the descriptor and the footer of the image with another data track.
func (im *Image) newDescriptor(r Replacement) (descriptor, footer []byte, err error) {
	t := im.Tracks[im.data]
	if r.RunOut > r.Sectors || r.RunOut > t.Length {
		return nil, nil, fmt.Errorf("a run-out of %d sectors for tracks of %d and %d", r.RunOut, t.Length, r.Sectors)
	}
	disc, err := im.DiscLength(r.Sectors)
	if err != nil {
		return nil, nil, err
	}
	total := int64(t.Pregap) + int64(r.Sectors)
	for _, l := range []struct {
		what  string
		value int64
	}{{"length of the disc", disc}, {"length of the data track", total}, {"address of the disc's end", int64(t.LBA) + int64(r.Sectors)}} {
		if l.value < 0 || l.value > math.MaxUint32 {
			return nil, nil, &formats.LimitError{What: l.what, Value: l.value, Max: math.MaxUint32, Unit: "sectors"}
		}
	}
	descriptor = append(make([]byte, 0, len(im.descriptor)+footerSize), im.descriptor...)
	le.PutUint32(descriptor[t.lengthAt:], r.Sectors)
	le.PutUint32(descriptor[t.totalAt:], uint32(total))
	le.PutUint32(descriptor[t.total2At:], uint32(total))
	le.PutUint32(descriptor[im.discAt:], uint32(disc))
	place := t.Offset + total*int64(t.SectorSize)
	if im.Version == Version35 {
		place = int64(len(descriptor)) + footerSize
	}
	if place > math.MaxUint32 {
		return nil, nil, &formats.LimitError{What: "place of the descriptor", Value: place, Max: math.MaxUint32, Unit: "bytes"}
	}
	footer = le.AppendUint32(le.AppendUint32(nil, uint32(im.Version)), uint32(place))
	return descriptor, footer, nil
}

// copy writes a part of the file.
func (im *Image) copy(ctx context.Context, w io.Writer, from, to int64) error {
	buffer := make([]byte, 1<<20)
	for at := from; at < to; {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := buffer[:min(int64(len(buffer)), to-at)]
		if n, err := im.file.ReadAt(b, at); n < len(b) {
			if err == nil || errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return fmt.Errorf("reading at byte %d: %w", at+int64(n), err)
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
		at += int64(len(b))
	}
	return nil
}

// writeTrack writes the sectors of a track that r gives.
func writeTrack(ctx context.Context, w io.Writer, size int, r Replacement) error {
	want := int64(r.Sectors-r.RunOut) * sectorSize
	c := &counter{w: w}
	if size == sectorSize {
		if err := r.Write(ctx, c); err != nil {
			return err
		}
	} else {
		e := NewEncoder(w)
		c.w = e
		err := r.Write(ctx, c)
		if closing := e.Close(); err == nil {
			err = closing
		}
		if err != nil {
			return err
		}
	}
	if c.n != want {
		return fmt.Errorf("the data track has %d bytes of user data instead of the planned %d", c.n, want)
	}
	return nil
}

// counter counts what is written.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

// Encoder turns user data into Mode 2 Form 1 sectors of 2336 bytes, on all cores. It has to be closed.
type Encoder struct {
	w       io.Writer
	free    chan *piece
	work    chan *piece
	order   chan *piece // in the order of the sectors
	current *piece      // that is filled
	done    chan struct{}
	workers sync.WaitGroup
	closed  bool

	failed chan struct{} // closed when writing has failed
	err    error         // then why; set before failed is closed
}

// piece is some sectors on their way.
type piece struct {
	data    []byte // user data
	sectors []byte
	encoded chan struct{}
}

// NewEncoder gives an encoder that writes to w, in large pieces and from a goroutine of its own.
func NewEncoder(w io.Writer) *Encoder {
	workers := min(runtime.GOMAXPROCS(0), maxWorkers)
	pieces := 2*workers + 2
	e := &Encoder{
		w: w, free: make(chan *piece, pieces), work: make(chan *piece, pieces), order: make(chan *piece, pieces),
		done: make(chan struct{}), failed: make(chan struct{}),
	}
	for range pieces {
		e.free <- &piece{data: make([]byte, 0, encodeSectors*sectorSize), encoded: make(chan struct{}, 1)}
	}
	for range workers {
		e.workers.Go(func() {
			var zero [rawSize]byte
			EncodeForm1(&zero, new([sectorSize]byte))
			for p := range e.work {
				p.encode(&zero)
				p.encoded <- struct{}{}
			}
		})
	}
	go e.write()
	return e
}

// encode makes the sectors of a piece. Discs have long stretches of zeros, whose codes are known.
func (p *piece) encode(zero *[rawSize]byte) {
	if p.sectors == nil {
		p.sectors = make([]byte, 0, encodeSectors*rawSize)
	}
	n := len(p.data) / sectorSize
	p.sectors = p.sectors[:n*rawSize]
	for i := range n {
		data := (*[sectorSize]byte)(p.data[i*sectorSize:])
		sector := (*[rawSize]byte)(p.sectors[i*rawSize:])
		if *data == ([sectorSize]byte{}) {
			*sector = *zero
		} else {
			EncodeForm1(sector, data)
		}
	}
}

// write writes the pieces in order; after an error it only lets them go.
func (e *Encoder) write() {
	defer close(e.done)
	for p := range e.order {
		<-p.encoded
		if e.err == nil {
			if _, err := e.w.Write(p.sectors); err != nil {
				e.err = err
				close(e.failed)
			}
		}
		p.data = p.data[:0]
		e.free <- p
	}
}

// Write takes user data. An error of the writer below may be given by a later call, or by Close.
func (e *Encoder) Write(b []byte) (int, error) {
	if e.closed {
		return 0, io.ErrClosedPipe
	}
	n := 0
	for n < len(b) {
		select {
		case <-e.failed:
			return n, e.err
		default:
		}
		if e.current == nil {
			e.current = <-e.free
		}
		p := e.current
		k := copy(p.data[len(p.data):cap(p.data)], b[n:])
		p.data = p.data[:len(p.data)+k]
		n += k
		if len(p.data) == cap(p.data) {
			e.send()
		}
	}
	return n, nil
}

func (e *Encoder) send() {
	e.order <- e.current
	e.work <- e.current
	e.current = nil
}

// Close encodes and writes what is left. Data that does not end with a sector is an error.
func (e *Encoder) Close() error {
	if e.closed {
		return e.err
	}
	e.closed = true
	var cut error
	if e.current != nil {
		if n := len(e.current.data) % sectorSize; n != 0 {
			cut = fmt.Errorf("user data ends %d bytes into a sector of %d", n, sectorSize)
			e.current.data = e.current.data[:len(e.current.data)-n]
		}
		e.send()
	}
	close(e.work)
	close(e.order)
	<-e.done
	e.workers.Wait()
	if e.err == nil {
		e.err = cut
	}
	return e.err
}
