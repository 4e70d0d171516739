package tspack

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/andybalholm/brotli"

	"talebinder/formats"
)

// section reads the stored bytes of an entry. It fails with a Fault when the file has become shorter than it was when
// its table was read.
type section struct {
	file  io.ReaderAt
	entry Entry
	done  int64 // bytes read
	err   error // what ended the reading early
}

func (s *section) Read(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	rest := s.entry.StoredLength - s.done
	if rest == 0 {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), rest)]
	n, err := s.file.ReadAt(p, s.entry.Offset+s.done)
	s.done += int64(n)
	switch {
	case n == len(p):
		return n, nil
	case err == nil, errors.Is(err, io.EOF):
		s.err = truncated(part(s.entry), s.entry.Offset, s.done, s.entry.StoredLength)
	default:
		s.err = fmt.Errorf("%s: %w", part(s.entry), err)
	}
	return n, s.err
}

func (s *section) Close() error {
	s.err = fs.ErrClosed
	return nil
}

// inflater reads exactly the length of a compressed entry.
type inflater struct {
	pack    *Reader
	stored  *section
	decoder *brotli.Reader
	rest    int64 // bytes that are still to come
	err     error
}

func (f *inflater) Read(p []byte) (int, error) {
	switch {
	case f.err != nil:
		return 0, f.err
	case f.rest == 0:
		return 0, io.EOF
	case len(p) == 0:
		return 0, nil
	}
	n, err := f.decoder.Read(p[:min(int64(len(p)), f.rest)])
	f.rest -= int64(n)
	if err != nil && f.rest > 0 {
		f.err = f.fault(err)
		return n, f.err
	}
	return n, nil
}

// fault says why the decoder gave less than the length.
func (f *inflater) fault(err error) error {
	if f.stored.err != nil {
		return f.stored.err
	}
	e := f.stored.entry
	found := fmt.Sprintf("Brotli data of %d bytes once decompressed", e.Length-f.rest)
	switch {
	case errors.Is(err, io.EOF):
	case errors.Is(err, io.ErrUnexpectedEOF):
		found = fmt.Sprintf("Brotli data that is cut off after %d bytes once decompressed", e.Length-f.rest)
	default:
		found = fmt.Sprintf("data that is not Brotli, after %d bytes once decompressed (%v)", e.Length-f.rest, err)
	}
	return formats.Damaged(part(e), e.Offset, found, fmt.Sprintf("%d bytes", e.Length))
}

func (f *inflater) Close() error {
	if f.decoder != nil {
		f.pack.decoders.Put(f.decoder)
		f.decoder = nil
	}
	f.err = fs.ErrClosed
	return f.stored.Close()
}

// readAll reads the content of e without trusting its length: at first it takes no more memory than the stored bytes
// make likely.
func readAll(content io.Reader, e Entry) ([]byte, error) {
	expected := e.StoredLength
	if e.Compression == Brotli {
		expected = min(e.Length, 1<<16+8*e.StoredLength)
	}
	data := make([]byte, 0, expected+1) // one more, so that the end is seen without growing
	for {
		n, err := content.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if errors.Is(err, io.EOF) {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}
