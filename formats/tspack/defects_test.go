package tspack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talebinder/formats"
)

var update = flag.Bool("update", false, "write the files of testdata/packs")

// parts is a pack taken apart, so that a test can change any piece of it.
type parts struct {
	header header
	data   []byte
	rows   [][]byte // the rows of the table
	tail   []byte
	cut    int // bytes to keep of the whole; 0 for all
}

// bytes puts the pack together. A zero table offset or length in the header is replaced by the right one.
func (p parts) bytes() []byte {
	table := bytes.Join(p.rows, nil)
	h := p.header
	if h.tableOffset == 0 {
		h.tableOffset = int64(headerSize + len(p.data))
	}
	if h.tableLength == 0 {
		h.tableLength = int64(len(table))
	}
	b := appendHeader(nil, h)
	b = append(b, p.data...)
	b = append(b, table...)
	b = append(b, p.tail...)
	if p.cut > 0 {
		b = b[:p.cut]
	}
	return b
}

const (
	helloText = "Hello, lantern!"
	longText  = "A long road, a long night, a long road, a long night, and a long, long road. "

	// longText 8 times, compressed
	longStream = "\xe2\x4c\x00\x80\xe8\x0e\xaf\x77\xfe\x74\xfc\x5d\x67\x44\x45\x16\x09\x36\xe0\x44\x28\xe1\x04\x96\x1d\x06" +
		"\xc7\x61\x63\x6c\x39\x7d\x05\x0e\xc3\x2c\x13\xb7\x1e\x02\x57\x76\xd6\x93\x6f\x18\x6b\x49\xe3\xd5\x8a\x20"
)

// sample is a pack of three entries: a stored one, a compressed one and an empty one.
func sample() parts {
	p := parts{header: header{version: 1, count: 3}}
	p.data = []byte(helloText + longStream)
	hello := int64(len(helloText))
	p.rows = [][]byte{
		appendEntry(nil, Entry{"hello.txt", headerSize, hello, hello, Stored}),
		appendEntry(nil, Entry{"data/long.txt", headerSize + hello, int64(len(longStream)), 8 * int64(len(longText)), Brotli}),
		appendEntry(nil, Entry{"data/Empty.txt", headerSize + int64(len(p.data)), 0, 0, Stored}),
	}
	return p
}

// set writes a number over the row i of the table, at bytes from its end.
func (p *parts) set(i, fromEnd int, value int64) {
	row := bytes.Clone(p.rows[i])
	binary.LittleEndian.PutUint64(row[len(row)-fromEnd:], uint64(value))
	p.rows[i] = row
}

// path gives row i another path, with its length written as lengthBytes when there are any.
func (p *parts) path(i int, path string, lengthBytes ...byte) {
	if lengthBytes == nil {
		lengthBytes = binary.AppendUvarint(nil, uint64(len(path)))
	}
	p.rows[i] = append(append(bytes.Clone(lengthBytes), path...), p.rows[i][len(p.rows[i])-25:]...)
}

// The fields of a row, in bytes from its end.
const (
	offsetField, storedField, lengthField, compressionField = 25, 17, 9, 1
)

// defect is a pack with one thing wrong or unusual.
type defect struct {
	name   string
	change func(*parts)
	open   string // the error of opening; "" for none
	read   string // the error of reading an entry; "" for none
}

func defects() []defect {
	return []defect{
		{name: "valid", change: func(p *parts) {}},
		{name: "empty-file", change: func(p *parts) { p.cut = -1 },
			open: `header at byte 0: the end of the file after 0 bytes, expected 8 bytes`},
		{name: "truncated-magic", change: func(p *parts) { p.cut = 7 },
			open: `header at byte 0: the end of the file after 7 bytes, expected 8 bytes`},
		{name: "truncated-version", change: func(p *parts) { p.cut = 11 },
			open: `header: version at byte 8: the end of the file after 3 bytes, expected 4 bytes`},
		{name: "truncated-header", change: func(p *parts) { p.cut = 31 },
			open: `header at byte 0: the end of the file after 31 bytes, expected 32 bytes`},
		{name: "version-2", change: func(p *parts) { p.header.version = 2 },
			open: `header: version at byte 8: version 2, made for a newer engine, expected at most version 1`},
		{name: "version-2-truncated-header", change: func(p *parts) { p.header.version, p.cut = 2, 12 },
			open: `header: version at byte 8: version 2, made for a newer engine, expected at most version 1`},
		{name: "version-below-zero", change: func(p *parts) { p.header.version = -7 }},
		{name: "count-below-zero", change: func(p *parts) { p.header.count = -1 },
			open: `header: number of entries at byte 12: -1, expected 0 or more`},
		{name: "count-too-large-for-file", change: func(p *parts) { p.header.count = math.MaxInt32 },
			open: `table of contents at byte 99: the end of the file after 114 bytes, room for 4 entries, expected 2147483647 entries of at least 26 bytes`},
		{name: "count-one-more", change: func(p *parts) { p.header.count++ },
			open: `table of contents: entry 4 at byte 213: the end of the file after 0 bytes, expected 1 bytes`},
		{name: "count-less", change: func(p *parts) { p.header.count = 1 }},
		{name: "table-in-header", change: func(p *parts) { p.header.tableOffset = 31 },
			open: `header: offset of the table at byte 16: 31, expected at least 32, the header's length`},
		{name: "table-past-end", change: func(p *parts) { p.header.tableOffset = 1000 },
			open: `header: offset of the table at byte 16: 1000, expected at most 213, the file's length`},
		{name: "table-offset-overflows", change: func(p *parts) { p.header.tableOffset = math.MaxInt64 },
			open: `header: offset of the table at byte 16: 9223372036854775807, expected at most 213, the file's length`},
		{name: "table-length-below-zero", change: func(p *parts) { p.header.tableLength = -1 },
			open: `header: length of the table at byte 24: -1, expected 0 or more`},
		{name: "table-length-past-end", change: func(p *parts) { p.header.tableLength = math.MaxInt64 },
			open: `header: length of the table at byte 24: 9223372036854775807, expected at most 114, the bytes from the table's offset to the end of the file`},
		{name: "table-length-short", change: func(p *parts) { p.header.tableLength = 1 }},
		{name: "truncated-table", change: func(p *parts) { p.header.tableLength, p.cut = 1, 208 },
			open: `table of contents: entry 3 at byte 188: the end of the file after 20 bytes, expected 25 bytes`},
		{name: "truncated-path", change: func(p *parts) { p.header.count, p.rows = 1, [][]byte{append([]byte{100}, make([]byte, 30)...)} },
			open: `table of contents: entry 1 at byte 99: the end of the file 30 bytes into the path, expected a path of 100 bytes`},
		{name: "path-length-6-groups", change: func(p *parts) { p.path(0, "hello.txt", 0x89, 0x80, 0x80, 0x80, 0x80, 0x00) },
			open: `table of contents: entry 1 at byte 99: a path length of more than 31 bits, expected at most 5 groups of 7 bits, together a positive int32`},
		{name: "path-length-32-bits", change: func(p *parts) { p.path(0, "hello.txt", 0x89, 0x80, 0x80, 0x80, 0x08) },
			open: `table of contents: entry 1 at byte 99: a path length of more than 31 bits, expected at most 5 groups of 7 bits, together a positive int32`},
		{name: "path-length-5-groups", change: func(p *parts) { p.path(0, "hello.txt", 0x89, 0x80, 0x80, 0x80, 0x00) }},
		{name: "path-leaves-folder", change: func(p *parts) { p.path(0, `a\..\..\b.txt`) },
			open: `table of contents: entry 1 ("a\\..\\..\\b.txt") at byte 99: a path that leaves the asset folder, expected a path inside it`},
		{name: "path-not-normal", change: func(p *parts) { p.path(0, `\a\.\..\hello.txt`) }},
		{name: "path-not-utf8", change: func(p *parts) { p.path(0, "hello\xff\xe2\x82.txt") }},
		{name: "path-empty", change: func(p *parts) { p.path(0, "") }},
		{name: "path-twice-but-for-case", change: func(p *parts) { p.path(0, "DATA/LONG.TXT") }},
		{name: "offset-in-header", change: func(p *parts) { p.set(1, offsetField, 31) },
			open: `table of contents: entry 2 ("data/long.txt") at byte 148: offset 31, expected at least 32, the header's length`},
		{name: "offset-below-zero", change: func(p *parts) { p.set(1, offsetField, -1) },
			open: `table of contents: entry 2 ("data/long.txt") at byte 148: offset -1, expected at least 32, the header's length`},
		{name: "offset-past-table", change: func(p *parts) { p.set(1, offsetField, 100) },
			open: `table of contents: entry 2 ("data/long.txt") at byte 148: offset 100, expected at most 99, where the table begins`},
		{name: "offset-overflows", change: func(p *parts) { p.set(1, offsetField, math.MaxInt64) },
			open: `table of contents: entry 2 ("data/long.txt") at byte 148: offset 9223372036854775807, expected at most 99, where the table begins`},
		{name: "stored-length-below-zero", change: func(p *parts) { p.set(1, storedField, math.MinInt64) },
			open: `table of contents: entry 2 ("data/long.txt") at byte 156: stored length -9223372036854775808, expected 0 or more`},
		{name: "stored-length-into-table", change: func(p *parts) { p.set(1, storedField, 53) },
			open: `table of contents: entry 2 ("data/long.txt") at byte 156: stored length 53 from offset 47, expected at most 52, up to where the table begins`},
		{name: "stored-length-overflows", change: func(p *parts) { p.set(1, storedField, math.MaxInt64) },
			open: `table of contents: entry 2 ("data/long.txt") at byte 156: stored length 9223372036854775807 from offset 47, expected at most 52, up to where the table begins`},
		{name: "length-below-zero", change: func(p *parts) { p.set(0, lengthField, -1) },
			open: `table of contents: entry 1 ("hello.txt") at byte 125: length -1, expected 0 or more`},
		{name: "compression-2", change: func(p *parts) { p.rows[0][len(p.rows[0])-compressionField] = 2 },
			open: `table of contents: entry 1 ("hello.txt") at byte 133: compression 2, expected 0 (none) or 1 (Brotli)`},
		{name: "entries-overlap", change: func(p *parts) { p.set(0, storedField, 20) }},
		{name: "gap-before-table", change: func(p *parts) { p.data = append(p.data, "unused"...) }},
		{name: "bytes-after-table", change: func(p *parts) { p.tail = []byte("unused") }},
		{name: "stored-length-differs", change: func(p *parts) { p.set(0, lengthField, math.MaxInt64) }},
		{name: "brotli-garbage", change: func(p *parts) { copy(p.data[len(helloText):], strings.Repeat("\xff", 30)) },
			read: `entry "data/long.txt" at byte 47: data that is not Brotli, after 0 bytes once decompressed (brotli: PADDING_2), expected 616 bytes`},
		{name: "brotli-truncated", change: func(p *parts) { p.set(1, storedField, 50) },
			read: `entry "data/long.txt" at byte 47: Brotli data that is cut off after 75 bytes once decompressed, expected 616 bytes`},
		{name: "brotli-no-bytes", change: func(p *parts) { p.set(1, storedField, 0) },
			read: `entry "data/long.txt" at byte 47: Brotli data that is cut off after 0 bytes once decompressed, expected 616 bytes`},
		{name: "brotli-shorter-than-length", change: func(p *parts) { p.set(1, lengthField, 617) },
			read: `entry "data/long.txt" at byte 47: Brotli data of 616 bytes once decompressed, expected 617 bytes`},
		{name: "brotli-length-huge", change: func(p *parts) { p.set(1, lengthField, math.MaxInt64) },
			read: `entry "data/long.txt" at byte 47: Brotli data of 616 bytes once decompressed, expected 9223372036854775807 bytes`},
		{name: "brotli-longer-than-length", change: func(p *parts) { p.set(1, lengthField, 615) }},
		{name: "brotli-length-0", change: func(p *parts) { p.set(1, lengthField, 0) }},
	}
}

// build gives the bytes of a defective pack.
func (d defect) build() []byte {
	p := sample()
	d.change(&p)
	if p.cut < 0 {
		return nil
	}
	return p.bytes()
}

func TestDefects(t *testing.T) {
	for _, d := range defects() {
		t.Run(d.name, func(t *testing.T) {
			name := filepath.Join("testdata", "packs", d.name+".tspack")
			data := d.build()
			if *update {
				if err := os.WriteFile(name, data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			file, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(file, data) {
				t.Errorf("%s is not the pack of this table; run the test with -update", name)
			}
			var message string
			r, err := NewReader(bytes.NewReader(file), int64(len(file)))
			if err != nil {
				message = err.Error()
			}
			if message != d.open {
				t.Errorf("open:\ngot  %s\nwant %s", message, d.open)
			}
			if err != nil {
				checkFault(t, err)
				return
			}
			message = ""
			for _, err := range r.Verify(t.Context(), nil) {
				checkFault(t, err)
				message += err.Error()
			}
			if message != d.read {
				t.Errorf("read:\ngot  %s\nwant %s", message, d.read)
			}
		})
	}
}

// checkFault sees that err is of the shared kind.
func checkFault(t *testing.T, err error) {
	t.Helper()
	var f *formats.Fault
	if !errors.As(err, &f) || !errors.Is(err, formats.ErrDamaged) && !errors.Is(err, formats.ErrUnsupported) {
		t.Errorf("%T: %v", err, err)
	}
}
