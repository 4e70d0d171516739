package tspack

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"talebinder/formats"
)

type header struct {
	version     int32
	count       int32
	tableOffset int64
	tableLength int64
}

// readHeader reads and checks the header of a file of size bytes. The version is looked at before the rest, so that a
// newer pack is called newer even when its header has another length.
func readHeader(r io.ReaderAt, size int64) (header, error) {
	var h header
	var b [headerSize]byte
	n, err := r.ReadAt(b[:min(size, headerSize)], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return h, fmt.Errorf("header: %w", err)
	}
	le := binary.LittleEndian
	if n < len(magic) {
		return h, truncated("header", 0, int64(n), int64(len(magic)))
	}
	if string(b[:len(magic)]) != magic {
		return h, formats.Damaged("header", 0, fmt.Sprintf("%q, which is not a content pack", b[:len(magic)]), fmt.Sprintf("%q", magic))
	}
	if n < 12 {
		return h, truncated("header: version", 8, int64(n-8), 4)
	}
	h.version = int32(le.Uint32(b[8:]))
	if h.version > version {
		return h, formats.Unsupported("header: version", 8, fmt.Sprintf("version %d, made for a newer engine", h.version), fmt.Sprintf("at most version %d", version))
	}
	if n < headerSize {
		return h, truncated("header", 0, int64(n), headerSize)
	}
	h.count = int32(le.Uint32(b[12:]))
	h.tableOffset = int64(le.Uint64(b[16:]))
	h.tableLength = int64(le.Uint64(b[24:]))
	switch {
	case h.count < 0:
		return h, formats.Damaged("header: number of entries", 12, fmt.Sprint(h.count), "0 or more")
	case h.tableOffset < headerSize:
		return h, formats.Damaged("header: offset of the table", 16, fmt.Sprint(h.tableOffset), fmt.Sprintf("at least %d, the header's length", headerSize))
	case h.tableOffset > size:
		return h, formats.Damaged("header: offset of the table", 16, fmt.Sprint(h.tableOffset), fmt.Sprintf("at most %d, the file's length", size))
	case h.tableLength < 0:
		return h, formats.Damaged("header: length of the table", 24, fmt.Sprint(h.tableLength), "0 or more")
	case h.tableLength > size-h.tableOffset:
		return h, formats.Damaged("header: length of the table", 24, fmt.Sprint(h.tableLength), fmt.Sprintf("at most %d, the bytes from the table's offset to the end of the file", size-h.tableOffset))
	}
	return h, nil
}

// appendHeader appends the header's bytes.
func appendHeader(b []byte, h header) []byte {
	le := binary.LittleEndian
	b = append(b, magic...)
	b = le.AppendUint32(b, uint32(h.version))
	b = le.AppendUint32(b, uint32(h.count))
	b = le.AppendUint64(b, uint64(h.tableOffset))
	return le.AppendUint64(b, uint64(h.tableLength))
}

// truncated says that a file ends inside the part that begins at offset.
func truncated(part string, offset, found, expected int64) error {
	return formats.Damaged(part, offset, fmt.Sprintf("the end of the file after %d bytes", found), fmt.Sprintf("%d bytes", expected))
}
