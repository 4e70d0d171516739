package netbundle

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strings"
	"unicode/utf8"

	"talebinder/formats"
)

// Find looks for a bundle in the executable in r, which is size bytes long, and reads its header. The second result is
// false for a host without a bundle and for every other file. A damaged bundle gives a *formats.Fault of kind
// formats.ErrDamaged, one of an unknown version a fault of kind formats.ErrUnsupported.
func Find(r io.ReaderAt, size int64) (*Bundle, bool, error) { return FindInHost(r, size, size) }

// FindInHost is Find for a caller who knows that the host's own code and data end at hostSize, which saves searching what
// is appended to it.
func FindInHost(r io.ReaderAt, size, hostSize int64) (*Bundle, bool, error) {
	marker, found, err := findMarker(r, min(size, hostSize))
	if err != nil || !found {
		return nil, false, err
	}
	var b [offsetSize]byte
	if err := readFull(r, b[:], marker); err != nil {
		return nil, false, err
	}
	header := int64(binary.LittleEndian.Uint64(b[:]))
	if header == 0 {
		return nil, false, nil
	}
	if header < marker+markerSize || header >= size {
		return nil, false, formats.Damaged("bundle: offset of the header", marker, fmt.Sprint(header),
			fmt.Sprintf("%d to %d, inside the file and behind this place", marker+markerSize, size-1))
	}
	bundle := &Bundle{Marker: marker, Header: header, file: r}
	if err := bundle.readHeader(size); err != nil {
		return nil, false, err
	}
	return bundle, true, nil
}

// anchor is where in the signature the search begins: at two bytes that are rare in the code of processors, while its first
// one is among the most common of all.
const anchor = 13

// findMarker finds the first signature that has room for an offset before it.
func findMarker(r io.ReaderAt, size int64) (marker int64, found bool, err error) {
	wanted := signature()
	buffer := make([]byte, min(1<<20, max(size, 0)))
	for at := int64(0); size-at >= markerSize; at += int64(len(buffer)) - markerSize + 1 {
		part := buffer[:min(int64(len(buffer)), size-at)]
		if err := readFull(r, part, at); err != nil {
			return 0, false, err
		}
		for from := offsetSize + anchor; ; {
			i := bytes.Index(part[from:], wanted[anchor:])
			if i < 0 {
				break
			}
			start := from + i - anchor
			if bytes.HasPrefix(part[start:], wanted[:anchor]) {
				return at + int64(start) - offsetSize, true, nil
			}
			from += i + 1
		}
	}
	return 0, false, nil
}

// readFull reads len(b) bytes that lie inside the file.
func readFull(r io.ReaderAt, b []byte, offset int64) error {
	n, err := r.ReadAt(b, offset)
	if n == len(b) {
		return nil
	}
	if errors.Is(err, io.EOF) {
		return formats.Damaged("executable", offset+int64(n), "the end of the file", fmt.Sprintf("%d more bytes", len(b)-n))
	}
	return fmt.Errorf("executable at byte %d: %w", offset, err)
}

// readHeader reads the header and the entries of a bundle whose place is known.
func (b *Bundle) readHeader(size int64) error {
	c := &cursor{r: bufio.NewReaderSize(io.NewSectionReader(b.file, b.Header, size-b.Header), 1<<15), at: b.Header, size: size, part: "bundle: header"}
	b.Major, b.Minor = uint32(c.number(4)), uint32(c.number(4))
	count := int64(int32(c.number(4)))
	if c.err != nil {
		return c.err
	}
	// The version decides the layout, so that a newer bundle is called newer even when its header is another one.
	if (b.Major != 1 && b.Major != 2 && b.Major != 6) || b.Minor != 0 {
		return formats.Unsupported("bundle: version", b.Header, b.Version(),
			"1.0, 2.0 or 6.0; publish the program for another .NET version or without PublishSingleFile")
	}
	least := int64(8 + 8 + 1 + 2)
	if b.Major >= 6 {
		least += 8
	}
	if count < 1 || count > (size-b.Header)/least {
		return formats.Damaged("bundle: number of files", b.Header+8, fmt.Sprint(count), fmt.Sprintf("1 to %d, as many as there is room for", (size-b.Header)/least))
	}
	b.ID = c.text()
	if b.Major >= 2 {
		b.DepsJSON = c.location(".deps.json")
		b.RuntimeConfig = c.location(".runtimeconfig.json")
		c.part = "bundle: header"
		b.Flags = c.number(8)
	}
	seen := make(map[string]bool)
	for i := range count {
		c.part = fmt.Sprintf("bundle: file %d", i)
		e := c.entry(b.Major)
		if c.err != nil {
			return c.err
		}
		if seen[e.Path] {
			return formats.Damaged(c.part, e.field, fmt.Sprintf("%q for the second time", e.Path), "each path once")
		}
		seen[e.Path] = true
		b.Entries = append(b.Entries, e)
	}
	b.End = c.at
	return c.err
}

// cursor reads the header from front to back. After an error it gives zero values.
type cursor struct {
	r    *bufio.Reader
	at   int64 // offset in the file
	size int64 // of the file
	part string
	err  error
}

func (c *cursor) read(b []byte) {
	if c.err != nil {
		return
	}
	n, err := io.ReadFull(c.r, b)
	c.at += int64(n)
	switch {
	case err == nil:
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		c.err = formats.Damaged(c.part, c.at, "the end of the file", fmt.Sprintf("%d more bytes", len(b)-n))
	default:
		c.err = fmt.Errorf("%s at byte %d: %w", c.part, c.at, err)
	}
}

// number reads a number of at most 8 bytes.
func (c *cursor) number(bytes int) uint64 {
	var b [8]byte
	c.read(b[:bytes])
	if c.err != nil {
		return 0
	}
	return binary.LittleEndian.Uint64(b[:])
}

// text reads a length and as many bytes of UTF-8.
func (c *cursor) text() string {
	start := c.at
	length := c.number(1)
	if length >= 0x80 {
		second := c.number(1)
		if c.err == nil && second >= 0x80 {
			c.err = formats.Damaged(c.part+": length of a text", start, "more than 2 bytes", "a length in 1 or 2 bytes")
		}
		length = length&0x7f | second<<7
	}
	if c.err == nil && length == 0 {
		c.err = formats.Damaged(c.part+": length of a text", start, "0", fmt.Sprintf("1 to %d", maxPathLength))
	}
	if c.err != nil {
		return ""
	}
	b := make([]byte, length)
	c.read(b)
	if c.err == nil && !utf8.Valid(b) {
		c.err = formats.Damaged(c.part, start, fmt.Sprintf("%q, which is not UTF-8", b), "a text")
	}
	if c.err != nil {
		return ""
	}
	return string(b)
}

// location reads the place of a file.
func (c *cursor) location(name string) Location {
	c.part = "bundle: place of the " + name
	l := Location{field: c.at}
	l.Offset, l.Size = int64(c.number(8)), int64(c.number(8))
	if c.err == nil && !c.inside(l.Offset, l.Size) && l.Offset|l.Size != 0 {
		c.err = formats.Damaged(c.part, l.field, span(l.Offset, l.Size), fmt.Sprintf("bytes of the file, which ends at %d", c.size))
	}
	return l
}

// entry reads the entry of a file.
func (c *cursor) entry(major uint32) Entry {
	e := Entry{field: c.at}
	e.Offset, e.Size = int64(c.number(8)), int64(c.number(8))
	if major >= 6 {
		e.CompressedSize = int64(c.number(8))
	}
	kind := c.number(1)
	if c.err != nil {
		return e
	}
	if e.Size < 0 || e.CompressedSize < 0 || e.Offset <= 0 || !c.inside(e.Offset, e.StoredSize()) {
		c.err = formats.Damaged(c.part, e.field, span(e.Offset, e.StoredSize()), fmt.Sprintf("bytes of the file, which ends at %d", c.size))
		return e
	}
	if kind >= uint64(typeCount) {
		c.err = formats.Damaged(c.part+": type", c.at-1, fmt.Sprint(kind), fmt.Sprintf("0 to %d", typeCount-1))
		return e
	}
	e.Type = Type(kind)
	start := c.at
	e.Path = c.text()
	if c.err == nil && !local(e.Path) {
		c.err = formats.Damaged(c.part, start, fmt.Sprintf("the path %q", e.Path), "a relative path that does not leave its folder")
	}
	return e
}

// local says whether a path stays in its folder on every system.
func local(path string) bool {
	slashes := strings.ReplaceAll(path, `\`, "/")
	return fs.ValidPath(slashes) && slashes != "." && !(len(path) > 1 && path[1] == ':')
}

// inside says whether a range lies in the file.
func (c *cursor) inside(offset, size int64) bool {
	return offset >= 0 && size >= 0 && offset <= c.size && size <= c.size-offset
}

// span describes a range that may be far outside of the file.
func span(offset, size int64) string {
	if offset < 0 || size < 0 || size > math.MaxInt64-offset {
		return fmt.Sprintf("%d bytes from byte %d on", size, offset)
	}
	return fmt.Sprintf("bytes %d to %d", offset, offset+size)
}
