package pe

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
)

// bufferSize is even, as the checksum needs it.
const bufferSize = 1 << 20

// write streams the copy to w, from its current position on, and gives its checksum. w is left at the end of the copy.
func (p *plan) write(ctx context.Context, w io.WriteSeeker) (uint32, error) {
	base, err := w.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, fmt.Errorf("write the executable: %w", err)
	}
	field := p.f.optional + 64
	if !p.plain {
		p.put32(field, 0)
	}
	slices.SortFunc(p.patches, func(a, b patch) int { return cmp.Compare(a.offset, b.offset) })
	var sum checksum
	patches := p.patches
	position := int64(0)
	buffer := make([]byte, 0, roundUp(min(bufferSize, p.result.Size), 2))
	flush := func() error {
		for len(patches) > 0 && patches[0].offset < position+int64(len(buffer)) {
			overwrite(buffer, position, patches[0].offset, patches[0].data)
			if patches[0].offset+int64(len(patches[0].data)) > position+int64(len(buffer)) {
				break // the rest of it is in the next buffer
			}
			patches = patches[1:]
		}
		if !p.plain {
			sum.add(buffer)
		}
		if _, err := w.Write(buffer); err != nil {
			return fmt.Errorf("write the executable: %w", err)
		}
		position += int64(len(buffer))
		buffer = buffer[:0]
		return ctx.Err()
	}
	for _, piece := range p.pieces {
		for done := int64(0); done < piece.size; {
			n := min(piece.size-done, int64(cap(buffer)-len(buffer)))
			part := buffer[len(buffer) : len(buffer)+int(n)]
			switch {
			case piece.copied:
				if err := p.f.fill("executable", part, piece.source+done); err != nil {
					return 0, err
				}
			case piece.data != nil:
				copy(part, piece.data[done:])
			default:
				clear(part)
			}
			buffer = buffer[:len(buffer)+int(n)]
			done += n
			if len(buffer) == cap(buffer) {
				if err := flush(); err != nil {
					return 0, err
				}
			}
		}
	}
	if err := flush(); err != nil {
		return 0, err
	}
	if p.plain {
		return p.f.checksum, nil
	}
	value := sum.value()
	last := patch{data: []byte{byte(value), byte(value >> 8), byte(value >> 16), byte(value >> 24)}}
	if _, err = w.Seek(base+field, io.SeekStart); err == nil {
		if _, err = w.Write(last.data); err == nil {
			_, err = w.Seek(base+position, io.SeekStart)
		}
	}
	if err != nil {
		return 0, fmt.Errorf("write the executable: %w", err)
	}
	return value, nil
}

// overwrite puts data that belong at an offset into a part of the file that begins at start, as far as they lie in it.
func overwrite(part []byte, start, offset int64, data []byte) {
	if skip := start - offset; skip > 0 {
		if skip >= int64(len(data)) {
			return
		}
		data, offset = data[skip:], start
	}
	if offset-start < int64(len(part)) {
		copy(part[offset-start:], data)
	}
}
