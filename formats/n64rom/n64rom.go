// Package n64rom reads Nintendo 64 cartridge images, with the table of contents that libdragon's tools write behind the
// bootcode, and brings byte-swapped images into the console's own order.
//
// Three orders of the same bytes are in use. The first word of an image tells which one it has:
//
//	80 37 12 40  .z64, the console's order; every number is big-endian
//	37 80 40 12  .v64, the two bytes of every 16-bit unit swapped
//	40 12 37 80  .n64, the four bytes of every 32-bit word reversed
//
// The image, in the console's order:
//
//	0x0000   4  80 37 12 40
//	0x0008   4  entry address
//	0x0010   8  two checksums over the first MiB behind the bootcode; libdragon's bootcode does not look at them
//	0x0020  20  title
//	0x003B   4  game code; "ED" at 0x3C says that the save type at 0x3F is in use
//	0x003E   1  region
//	0x003F   1  version, or the save type and accessories
//	0x0040      bootcode, up to 0x0FFF
//	0x1000      the table of contents, at one of the 1024 multiples of 16 from here on
//
//	Table of contents
//	 0   4  "TOC0"
//	 4   4  cookie: FNV-1a over the file system and the entries
//	 8   4  size of the table in bytes; 1024 as the tools write it
//	12   2  size e of an entry; 64 as the tools write it
//	14   2  number n of entries
//	16 n*e  entries: offset in the image (4), size (4), name up to a NUL (e-8)
//
// The file system is the first entry whose name ends with ".dfs". It has to be the last part of the image, since what it
// takes the place of is as long as it needs to be.
package n64rom

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"talebinder/formats"
)

// Limits of the medium and of the format.
const (
	MinSize       = 0x1010    // bytes of an image; a smaller one has no place for a table of contents
	MaxSize       = 256 << 20 // bytes of an image that is read
	CartridgeSize = 64 << 20  // bytes of the address space that a cartridge is mapped to: a larger image does not start
	Alignment     = 16 << 10  // an image ends at a multiple of it, in bytes
	BootcodeStart = 0x40      // offset of the bootcode
	BootcodeEnd   = 0x1000    // end of the bootcode
	headerSize    = 0x40
	tableStart    = 0x1000
	tableStep     = 16
	tablePlaces   = 1024
	tableHeader   = 16
	entryHeader   = 8 // offset and size, in front of the name
	maxEntrySize  = 1024
	maxEntries    = 1024
)

// Order is the order of an image's bytes.
type Order uint8

// The orders that are in use.
const (
	BigEndian    Order = iota // .z64, the console's own
	ByteSwapped               // .v64
	LittleEndian              // .n64
)

// orders has the first bytes and the usual extension of every order.
var orders = [...]struct {
	word      [4]byte
	extension string
	name      string
}{
	BigEndian:    {[4]byte{0x80, 0x37, 0x12, 0x40}, ".z64", "big-endian"},
	ByteSwapped:  {[4]byte{0x37, 0x80, 0x40, 0x12}, ".v64", "byte-swapped"},
	LittleEndian: {[4]byte{0x40, 0x12, 0x37, 0x80}, ".n64", "little-endian"},
}

// Extension is what the names of such images end with: .z64, .v64 or .n64.
func (o Order) Extension() string { return orders[o].extension }

// String gives the order in a word: big-endian, byte-swapped or little-endian.
func (o Order) String() string { return orders[o].name }

// Detect tells the order of an image from its first four bytes.
func Detect(start []byte) (Order, bool) {
	for o, order := range orders {
		if bytes.HasPrefix(start, order.word[:]) {
			return Order(o), true
		}
	}
	return 0, false
}

// A Header is what an image says about itself.
type Header struct {
	Order    Order
	Entry    uint32 // address that the program starts at
	CRC1     uint32
	CRC2     uint32
	Title    string // as far as it is ASCII, without the blanks at its end
	Code     string // game code, four characters; "" when there is none
	Region   byte   // letter, or 0
	SaveType byte   // save type and accessories as libdragon's tools write them; meaningful when HasSave is true
	HasSave  bool
}

// ReadHeader reads the header of an image of any order.
func ReadHeader(r io.ReaderAt) (*Header, error) {
	var b [headerSize]byte
	if _, err := r.ReadAt(b[:], 0); err != nil {
		return nil, short(err, "header", 0, "64 bytes")
	}
	order, ok := Detect(b[:])
	if !ok {
		return nil, formats.Damaged("header", 0, fmt.Sprintf("the first bytes % X", b[:4]), "80 37 12 40 (.z64), 37 80 40 12 (.v64) or 40 12 37 80 (.n64)")
	}
	Reorder(b[:], order)
	h := &Header{
		Order:    order,
		Entry:    binary.BigEndian.Uint32(b[0x08:]),
		CRC1:     binary.BigEndian.Uint32(b[0x10:]),
		CRC2:     binary.BigEndian.Uint32(b[0x14:]),
		Title:    printable(b[0x20:0x34]),
		Code:     printable(b[0x3B:0x3F]),
		Region:   b[0x3E],
		SaveType: b[0x3F],
		HasSave:  b[0x3C] == 'E' && b[0x3D] == 'D',
	}
	return h, nil
}

// printable is a text of a header: what is not ASCII becomes a question mark.
func printable(b []byte) string {
	text := make([]byte, 0, len(b))
	for _, c := range b {
		switch {
		case c == 0:
			c = ' '
		case c < 0x20 || c > 0x7E:
			c = '?'
		}
		text = append(text, c)
	}
	return strings.TrimSpace(string(text))
}

// An Entry is a row of the table of contents: a part of the image.
type Entry struct {
	Name   string // such as "game.elf", "game.sym" or "game.dfs"
	Offset int64  // in bytes from the start of the image
	Size   int64  // in bytes
}

// End is where the part ends, in bytes from the start of the image.
func (e Entry) End() int64 { return e.Offset + e.Size }

// A Table is an image's table of contents.
type Table struct {
	Offset    int64  // in bytes from the start of the image
	Cookie    uint32 // as the image has it
	Size      int64  // bytes of the table
	EntrySize int    // bytes of an entry
	Entries   []Entry

	raw []byte // header and entries, as the image has them
}

// A ROM is an image in the console's order with a table of contents.
type ROM struct {
	*Header
	Size  int64 // of the image, in bytes
	Table Table
}

// NewReader reads the header and the table of contents of an image of size bytes. An image in another order has to be
// converted first; its error wraps formats.ErrUnsupported.
func NewReader(r io.ReaderAt, size int64) (*ROM, error) {
	h, err := ReadHeader(r)
	if err != nil {
		return nil, err
	}
	if h.Order != BigEndian {
		return nil, formats.Unsupported("header", 0, fmt.Sprintf("a %s image (%s)", h.Order, h.Order.Extension()), "a .z64 image: convert it first")
	}
	switch {
	case size < MinSize:
		return nil, formats.Damaged("image", -1, fmt.Sprintf("a length of %d bytes", size), fmt.Sprintf("%d at least", MinSize))
	case size > MaxSize:
		return nil, &formats.LimitError{What: "length of the image", Value: size, Max: MaxSize, Unit: "bytes"}
	}
	table, err := readTable(r, size)
	if err != nil {
		return nil, err
	}
	return &ROM{Header: h, Size: size, Table: *table}, nil
}

// tablePart names the table in errors.
const tablePart = "table of contents"

func readTable(r io.ReaderAt, size int64) (*Table, error) {
	area := make([]byte, min(size-tableStart, tablePlaces*tableStep))
	if _, err := r.ReadAt(area, tableStart); err != nil {
		return nil, short(err, tablePart, tableStart, fmt.Sprintf("%d bytes", len(area)))
	}
	at := -1
	for i := 0; i+tableHeader <= len(area); i += tableStep {
		if string(area[i:i+4]) == "TOC0" {
			at = i
			break
		}
	}
	if at < 0 {
		return nil, formats.Unsupported(tablePart, -1, "none behind the bootcode", "one that begins with \"TOC0\" at a multiple of 16 from 0x1000 to 0x4FF0, as libdragon's n64tool writes it")
	}
	b := area[at:]
	t := &Table{
		Offset:    tableStart + int64(at),
		Cookie:    binary.BigEndian.Uint32(b[4:]),
		Size:      int64(binary.BigEndian.Uint32(b[8:])),
		EntrySize: int(binary.BigEndian.Uint16(b[12:])),
	}
	count := int(binary.BigEndian.Uint16(b[14:]))
	used := tableHeader + int64(count)*int64(t.EntrySize)
	switch {
	case t.EntrySize <= entryHeader || t.EntrySize >= maxEntrySize:
		hint := fmt.Sprintf("a size from %d to %d", entryHeader+1, maxEntrySize-1)
		if t.EntrySize == 0 {
			hint += "; tools of libdragon from 2024 and before write another table: build the image with newer ones"
		}
		return nil, formats.Damaged(tablePart, t.Offset+12, fmt.Sprintf("entries of %d bytes", t.EntrySize), hint)
	case count >= maxEntries:
		return nil, formats.Damaged(tablePart, t.Offset+14, fmt.Sprintf("%d entries", count), fmt.Sprintf("at most %d", maxEntries-1))
	case used > t.Size:
		return nil, formats.Damaged(tablePart, t.Offset+14, fmt.Sprintf("%d entries of %d bytes", count, t.EntrySize), fmt.Sprintf("at most what fits into the table's %d bytes", t.Size))
	case t.Offset+t.Size > size:
		return nil, formats.Damaged(tablePart, t.Offset+8, fmt.Sprintf("a table that ends at byte %d", t.Offset+t.Size), fmt.Sprintf("an end within the image's %d", size))
	}
	t.raw = make([]byte, used)
	if _, err := r.ReadAt(t.raw, t.Offset); err != nil {
		return nil, short(err, tablePart, t.Offset, fmt.Sprintf("%d bytes", used))
	}
	for i := range count {
		e := t.raw[tableHeader+i*t.EntrySize:][:t.EntrySize]
		name, _, _ := bytes.Cut(e[entryHeader:], []byte{0})
		t.Entries = append(t.Entries, Entry{
			Name:   string(name),
			Offset: int64(binary.BigEndian.Uint32(e)),
			Size:   int64(binary.BigEndian.Uint32(e[4:])),
		})
	}
	return t, nil
}

// FileSystem gives the entry of the DragonFS image, which has to be the last part of the image, and its index.
func (r *ROM) FileSystem() (index int, e Entry, err error) {
	index = -1
	for i, entry := range r.Table.Entries {
		if strings.HasSuffix(entry.Name, ".dfs") {
			index = i
			break
		}
	}
	if index < 0 {
		return 0, Entry{}, formats.Unsupported(tablePart, r.Table.Offset, "no entry whose name ends with \".dfs\"", "the DragonFS image that holds the game's content")
	}
	e = r.Table.Entries[index]
	part := fmt.Sprintf("%s: entry %d (%s)", tablePart, index, e.Name)
	at := r.Table.Offset + tableHeader + int64(index*r.Table.EntrySize)
	if e.End() > r.Size {
		return 0, Entry{}, formats.Damaged(part, at, fmt.Sprintf("an end at byte %d", e.End()), fmt.Sprintf("at most %d, the image's length", r.Size))
	}
	if e.Offset < r.Table.Offset+int64(len(r.Table.raw)) {
		return 0, Entry{}, formats.Damaged(part, at, fmt.Sprintf("a start at byte %d", e.Offset), fmt.Sprintf("a start behind the table, which ends at byte %d", r.Table.Offset+int64(len(r.Table.raw))))
	}
	for i, other := range r.Table.Entries {
		if other.End() > e.End() {
			return 0, Entry{}, formats.Unsupported(part, at, fmt.Sprintf("entry %d (%s) behind it, which ends at byte %d", i, other.Name, other.End()), "the file system as the last part of the image")
		}
	}
	return index, e, nil
}

// Patch gives the bytes of the table's header and entries for a file system of another size: entry index gets that size, and
// the cookie is the hash over the file system and the entries. They belong at Table.Offset.
func (t *Table) Patch(index int, size int64, fileSystem Hash) ([]byte, error) {
	if index < 0 || index >= len(t.Entries) {
		return nil, fmt.Errorf("table of contents: no entry %d", index)
	}
	if size < 0 || size > CartridgeSize {
		return nil, &formats.LimitError{What: "size of the file system", Value: size, Max: CartridgeSize, Unit: "bytes"}
	}
	b := bytes.Clone(t.raw)
	binary.BigEndian.PutUint32(b[tableHeader+index*t.EntrySize+4:], uint32(size))
	fileSystem.Write(b[tableHeader:])
	binary.BigEndian.PutUint32(b[4:], uint32(fileSystem))
	return b, nil
}

// Bytes gives the table's header and entries as the image has them.
func (t *Table) Bytes() []byte { return bytes.Clone(t.raw) }

// A Hash is a running FNV-1a of 32 bits. It begins as NewHash.
type Hash uint32

// NewHash is the hash of nothing.
const NewHash Hash = 2166136261

// Write adds bytes to the hash. Its error is always nil.
func (h *Hash) Write(b []byte) (int, error) {
	v := uint32(*h)
	for _, c := range b {
		v = (v ^ uint32(c)) * 16777619
	}
	*h = Hash(v)
	return len(b), nil
}

var _ io.Writer = (*Hash)(nil)

// short makes a fault of an end of the file that came too early.
func short(err error, part string, offset int64, expected string) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return formats.Damaged(part, offset, "the end of the file", expected)
	}
	return err
}
