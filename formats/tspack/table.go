package tspack

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"talebinder/formats"
	"talebinder/formats/assetpath"
)

// tableReader reads the table of contents from front to back through a buffer of fixed size.
type tableReader struct {
	buffered *bufio.Reader
	offset   int64 // of the next byte, in the file
	size     int64 // of the file
	number   int   // of the entry that is read, from 1
	path     []byte
	fields   [25]byte // what follows the path
}

// part names the entry that is read.
func (t *tableReader) part() string { return fmt.Sprintf("table of contents: entry %d", t.number) }

// readTable reads the table that h announces.
func readTable(r io.ReaderAt, size int64, h header) ([]Entry, error) {
	// A count that the rest of the file cannot hold is refused before memory is taken for it.
	if most := (size - h.tableOffset) / entrySize; int64(h.count) > most {
		return nil, formats.Damaged("table of contents", h.tableOffset, fmt.Sprintf("the end of the file after %d bytes, room for %d entries", size-h.tableOffset, most),
			fmt.Sprintf("%d entries of at least %d bytes", h.count, entrySize))
	}
	t := &tableReader{
		buffered: bufio.NewReaderSize(io.NewSectionReader(r, h.tableOffset, size-h.tableOffset), 1<<16),
		offset:   h.tableOffset,
		size:     size,
	}
	entries := make([]Entry, 0, min(h.count, 1<<16))
	for t.number = 1; t.number <= int(h.count); t.number++ {
		e, err := t.entry(h.tableOffset)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// entry reads one entry. Stored bytes have to end where the table begins, or before.
func (t *tableReader) entry(tableOffset int64) (Entry, error) {
	var e Entry
	start := t.offset
	path, err := t.readPath()
	if err != nil {
		return e, err
	}
	fields, b := t.offset, t.fields[:]
	if err := t.read(b); err != nil {
		return e, err
	}
	le := binary.LittleEndian
	e.Offset = int64(le.Uint64(b[0:]))
	e.StoredLength = int64(le.Uint64(b[8:]))
	e.Length = int64(le.Uint64(b[16:]))
	e.Compression = Compression(b[24])
	damaged := func(offset int64, found, expected string) (Entry, error) {
		return Entry{}, formats.Damaged(fmt.Sprintf("%s (%s)", t.part(), quote(path)), offset, found, expected)
	}
	switch {
	case e.Offset < headerSize:
		return damaged(fields, fmt.Sprintf("offset %d", e.Offset), fmt.Sprintf("at least %d, the header's length", headerSize))
	case e.StoredLength < 0:
		return damaged(fields+8, fmt.Sprintf("stored length %d", e.StoredLength), "0 or more")
	case e.Offset > tableOffset:
		return damaged(fields, fmt.Sprintf("offset %d", e.Offset), fmt.Sprintf("at most %d, where the table begins", tableOffset))
	case e.StoredLength > tableOffset-e.Offset:
		return damaged(fields+8, fmt.Sprintf("stored length %d from offset %d", e.StoredLength, e.Offset),
			fmt.Sprintf("at most %d, up to where the table begins", tableOffset-e.Offset))
	case e.Compression > Brotli:
		return damaged(fields+24, fmt.Sprintf("compression %d", e.Compression), "0 (none) or 1 (Brotli)")
	case e.Length < 0:
		return damaged(fields+16, fmt.Sprintf("length %d", e.Length), "0 or more")
	}
	if e.Path, err = assetpath.Normalize(path); err != nil {
		return damaged(start, "a path that leaves the asset folder", "a path inside it")
	}
	return e, nil
}

// readPath reads the length in groups of 7 bits and the path.
func (t *tableReader) readPath() (string, error) {
	start := t.offset
	var length uint64
	for group := 0; ; group++ {
		b := t.fields[:1]
		if err := t.read(b); err != nil {
			return "", err
		}
		if group == 4 && b[0] > math.MaxInt32>>28 {
			return "", formats.Damaged(t.part(), start, "a path length of more than 31 bits", "at most 5 groups of 7 bits, together a positive int32")
		}
		length |= uint64(b[0]&0x7F) << (7 * group)
		if b[0] < 0x80 {
			break
		}
	}
	if rest := t.size - t.offset; int64(length) > rest {
		return "", formats.Damaged(t.part(), start, fmt.Sprintf("the end of the file %d bytes into the path", rest), fmt.Sprintf("a path of %d bytes", length))
	}
	if length > maxPathBytes {
		return "", formats.Damaged(t.part(), start, fmt.Sprintf("a path of %d bytes", length), fmt.Sprintf("at most %d", maxPathBytes))
	}
	if uint64(cap(t.path)) < length {
		t.path = make([]byte, length)
	}
	t.path = t.path[:length]
	if err := t.read(t.path); err != nil {
		return "", err
	}
	return toText(t.path), nil
}

// read fills b.
func (t *tableReader) read(b []byte) error {
	n, err := io.ReadFull(t.buffered, b)
	start := t.offset
	t.offset += int64(n)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return truncated(t.part(), start, int64(n), int64(len(b)))
	}
	return fmt.Errorf("%s at byte %d: %w", t.part(), t.offset, err)
}

// appendEntry appends the entry's bytes in the table.
func appendEntry(b []byte, e Entry) []byte {
	b = binary.AppendUvarint(b, uint64(len(e.Path)))
	b = append(b, e.Path...)
	le := binary.LittleEndian
	b = le.AppendUint64(b, uint64(e.Offset))
	b = le.AppendUint64(b, uint64(e.StoredLength))
	b = le.AppendUint64(b, uint64(e.Length))
	return append(b, byte(e.Compression))
}

// toText gives b as text in which each stretch that is not UTF-8 is one U+FFFD. A stretch is the longest beginning of
// a character that is missing its end, or one byte: the replacement that .NET makes, so look-ups find what the engine
// finds.
func toText(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var text strings.Builder
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		text.WriteRune(r)
		if r == utf8.RuneError && n == 1 {
			for n < len(b) && !utf8.FullRune(b[:n+1]) {
				n++
			}
		}
		b = b[n:]
	}
	return text.String()
}

// quote gives a path as it is named in messages, shortened when it is a damaged file's idea of a path.
func quote(path string) string {
	const most = 200
	if len(path) > most {
		path = strings.ToValidUTF8(path[:most], "") + "…"
	}
	return fmt.Sprintf("%q", path)
}
