package tspack

import (
	"bufio"
	"fmt"
	"io"
)

// output is where a pack is written to. It counts from the pack's first byte.
type output struct {
	file     io.WriteSeeker
	base     int64 // of the pack's first byte in file
	buffered *bufio.Writer
	position int64
	highest  int64 // the end of what was written before a rewind
	err      error // of the last write
}

func newOutput(w io.WriteSeeker) (*output, error) {
	base, err := w.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, fmt.Errorf("write the pack: %w", err)
	}
	return &output{file: w, base: base, buffered: bufio.NewWriterSize(w, 1<<18)}, nil
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.buffered.Write(p)
	o.position += int64(n)
	if err != nil {
		o.err = fmt.Errorf("write the pack: %w", err)
		return n, o.err
	}
	return n, nil
}

// seek goes to a position in the pack.
func (o *output) seek(position int64) error {
	err := o.buffered.Flush()
	if err == nil {
		_, err = o.file.Seek(o.base+position, io.SeekStart)
	}
	if err != nil {
		return fmt.Errorf("write the pack: %w", err)
	}
	o.highest = max(o.highest, o.position)
	o.position = position
	return nil
}

// finish puts the header in its place and leaves the file at the end of the pack. A file that can be cut off does not
// keep what was written beyond that.
func (o *output) finish(h header) error {
	end := o.position
	if err := o.seek(0); err != nil {
		return err
	}
	if _, err := o.Write(appendHeader(nil, h)); err != nil {
		return err
	}
	if err := o.seek(end); err != nil {
		return err
	}
	if f, ok := o.file.(interface{ Truncate(size int64) error }); ok && o.highest > end {
		if err := f.Truncate(o.base + end); err != nil {
			return fmt.Errorf("write the pack: %w", err)
		}
	}
	return nil
}
