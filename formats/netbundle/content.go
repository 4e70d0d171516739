package netbundle

import (
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"golang.org/x/sync/errgroup"

	"talebinder/formats"
)

// Open gives the content of a file of this bundle, decompressed while it is read. Damage is reported by Read as a
// *formats.Fault: data that is not deflate, or whose length is not the file's.
func (b *Bundle) Open(e Entry) (io.ReadCloser, error) {
	stored := io.NewSectionReader(b.file, e.Offset, e.StoredSize())
	if e.CompressedSize == 0 {
		return io.NopCloser(&content{entry: e, source: stored, rest: e.Size}), nil
	}
	inflater := flate.NewReader(stored)
	return struct {
		io.Reader
		io.Closer
	}{&content{entry: e, source: inflater, rest: e.Size}, inflater}, nil
}

// content checks that the bytes of a file are as many as its entry says.
type content struct {
	entry  Entry
	source io.Reader
	rest   int64
}

func (c *content) Read(p []byte) (int, error) {
	if c.rest == 0 {
		// One byte too many is read, if there is one, to notice it.
		var more [1]byte
		n, err := io.ReadFull(c.source, more[:])
		if n > 0 {
			return 0, c.damaged(fmt.Sprintf("more than %d bytes", c.entry.Size))
		}
		return 0, c.wrap(err)
	}
	n, err := c.source.Read(p[:min(int64(len(p)), c.rest)])
	c.rest -= int64(n)
	if err == nil || (errors.Is(err, io.EOF) && c.rest == 0) {
		return n, nil
	}
	if errors.Is(err, io.EOF) {
		return n, c.damaged(fmt.Sprintf("%d bytes", c.entry.Size-c.rest))
	}
	return n, c.wrap(err)
}

func (c *content) damaged(found string) error {
	return formats.Damaged("bundle: "+c.entry.Path, c.entry.Offset, found, fmt.Sprintf("%d, the file's size", c.entry.Size))
}

// wrap tells damaged data from an error of the reader below.
func (c *content) wrap(err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, io.EOF):
		return io.EOF
	case errors.As(err, &corrupt), errors.Is(err, io.ErrUnexpectedEOF):
		return formats.Damaged("bundle: "+c.entry.Path, c.entry.Offset, "data that cannot be decompressed: "+err.Error(), "a deflate stream")
	}
	return fmt.Errorf("bundle: %s: %w", c.entry.Path, err)
}

// Verify decompresses every compressed file, on all cores, and compares the places that the header repeats with the
// entries. Of files that are stored as they are there is nothing to check beyond what Find has checked. Of several faults
// the first in the order of the entries is given.
func (b *Bundle) Verify(ctx context.Context) error {
	for _, special := range []struct {
		kind Type
		at   Location
	}{{DepsJSON, b.DepsJSON}, {RuntimeConfigJSON, b.RuntimeConfig}} {
		if err := b.verifyLocation(special.kind, special.at); err != nil {
			return err
		}
	}
	faults := make([]error, len(b.Entries))
	group := new(errgroup.Group)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, e := range b.Entries {
		if e.CompressedSize == 0 {
			continue
		}
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error {
			faults[i] = b.verifyEntry(ctx, e)
			return nil
		})
	}
	_ = group.Wait() // the functions give no errors
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, fault := range faults {
		if fault != nil {
			return fault
		}
	}
	return nil
}

// verifyLocation checks that the header gives a file the place that its entry gives it.
func (b *Bundle) verifyLocation(kind Type, l Location) error {
	if l.Offset == 0 {
		return nil
	}
	for _, e := range b.Entries {
		if e.Type == kind && e.Offset == l.Offset && e.Size == l.Size && e.CompressedSize == 0 {
			return nil
		}
	}
	return formats.Damaged("bundle: place of the "+kind.String(), l.field, span(l.Offset, l.Size), "the place of a stored file of that type")
}

func (b *Bundle) verifyEntry(ctx context.Context, e Entry) error {
	r, err := b.Open(e)
	if err != nil {
		return err
	}
	defer r.Close()
	buffer := make([]byte, 1<<16)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := r.Read(buffer); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// Compare checks that after is the bundle before at another place: the same header, the same files with the same bytes,
// all moved by the same distance, which is a multiple of Alignment.
func Compare(ctx context.Context, before, after *Bundle) error {
	differs := func(what string, found, expected any) error {
		return formats.Damaged("moved bundle: "+what, -1, fmt.Sprint(found), fmt.Sprint(expected))
	}
	shift := after.Header - before.Header
	if shift%Alignment != 0 {
		return differs("distance", shift, fmt.Sprintf("a multiple of %d", Alignment))
	}
	moved := func(l Location) Location {
		if l.Offset != 0 {
			l.Offset += shift
		}
		return Location{Offset: l.Offset, Size: l.Size}
	}
	place := func(l Location) Location { return Location{Offset: l.Offset, Size: l.Size} }
	switch {
	case after.Version() != before.Version():
		return differs("version", after.Version(), before.Version())
	case after.ID != before.ID:
		return differs("id", after.ID, before.ID)
	case after.Flags != before.Flags:
		return differs("flags", after.Flags, before.Flags)
	case place(after.DepsJSON) != moved(before.DepsJSON):
		return differs("place of the .deps.json", place(after.DepsJSON), moved(before.DepsJSON))
	case place(after.RuntimeConfig) != moved(before.RuntimeConfig):
		return differs("place of the .runtimeconfig.json", place(after.RuntimeConfig), moved(before.RuntimeConfig))
	case len(after.Entries) != len(before.Entries):
		return differs("number of files", len(after.Entries), len(before.Entries))
	}
	first, second := make([]byte, 1<<18), make([]byte, 1<<18)
	for i, e := range before.Entries {
		got, want := after.Entries[i], e
		got.field, want.field = 0, 0
		want.Offset += shift
		if got != want {
			return differs(fmt.Sprintf("file %d", i), fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want))
		}
		for done := int64(0); done < e.StoredSize(); {
			if err := ctx.Err(); err != nil {
				return err
			}
			n := min(int64(len(first)), e.StoredSize()-done)
			if err := readFull(before.file, first[:n], e.Offset+done); err != nil {
				return err
			}
			if err := readFull(after.file, second[:n], e.Offset+shift+done); err != nil {
				return err
			}
			if !bytes.Equal(first[:n], second[:n]) {
				return differs(e.Path, "other bytes", "the same")
			}
			done += n
		}
	}
	return nil
}
