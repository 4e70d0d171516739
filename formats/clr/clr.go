// Package clr reads the user strings of a .NET assembly: the string literals of its code.
//
// The assembly is neither loaded nor run. It is a PE file whose CLI header leads to metadata (ECMA-335, partition II,
// sections 24 and 25), in which the stream #US holds the literals. All numbers are little-endian.
//
//	At                Content
//	file 0            "MZ"
//	file 0x3C         u32 offset of the PE signature
//	PE                "PE\0\0"
//	PE+4              COFF header, 20 bytes: +2 u16 number of sections, +16 u16 size of the optional header
//	PE+24             optional header: u16 magic 0x10B (PE32) or 0x20B (PE32+);
//	                  u32 number of data directories at +92 or +108, the directories (u32 RVA, u32 size) after it;
//	                  directory 14 is the CLI header, absent in a file that is not managed
//	after it          section headers, 40 bytes each: +8 u32 virtual size, +12 u32 RVA, +16 u32 raw size,
//	                  +20 u32 file offset
//	CLI header        +8 u32 RVA and +12 u32 size of the metadata
//	metadata          u32 0x424A5342 "BSJB", u16 major, u16 minor, u32 reserved, u32 L, L bytes of version text,
//	                  u16 flags, u16 number of streams; for each stream u32 offset from the metadata's start,
//	                  u32 size, name with a terminating zero, padded to a multiple of 4
//	#US               byte 0 is 0; then entries: length n in 1 byte (0xxxxxxx), 2 bytes (10xxxxxx, big-endian) or
//	                  4 bytes (110xxxxx, big-endian); n bytes: (n-1)/2 UTF-16 code units and a flag byte;
//	                  n = 0 is padding
package clr

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"unicode/utf16"

	"talebinder/formats"
)

// Limits keep a damaged file from costing memory. Real assemblies stay far below them.
const (
	maxSections   = 96 // the limit of the Windows loader
	maxStreams    = 64
	maxStreamName = 32 // ECMA-335 II.24.2.2, terminating zero included
	maxVersion    = 256
	maxHeap       = 1 << 29 // what a 4-byte length can address

	cliDirectory  = 14
	metadataMagic = 0x424A5342 // "BSJB"
)

// UserStrings gives the strings of the #US heap in the order of the heap; the empty strings that pad it are left out.
// A PE file that is not managed has none. The error is a *formats.Fault when the file is no PE file, is damaged or is
// cut off, or the error of r.
func UserStrings(r io.ReaderAt, size int64) ([]string, error) {
	f := file{r: r, size: size}
	metadata, length, err := f.metadata()
	if err != nil || length == 0 {
		return nil, err
	}
	heap, err := f.userStringHeap(metadata, length)
	if err != nil {
		return nil, err
	}
	return parseHeap(heap.data, heap.offset)
}

// file reads structures of a PE file by offset.
type file struct {
	r        io.ReaderAt
	size     int64
	sections []section
}

// section is the part of a section header that places it in memory and in the file.
type section struct {
	rva, virtualSize, rawSize, offset uint32
}

// read fills n bytes from offset, all of them inside the file.
func (f *file) read(part string, offset, n int64) ([]byte, error) {
	if offset < 0 || n < 0 || offset > f.size || n > f.size-offset {
		return nil, formats.Damaged(part, offset, fmt.Sprintf("%d bytes that end beyond the file", n),
			fmt.Sprintf("an end at or before byte %d, the file's length", f.size))
	}
	b := make([]byte, n)
	got, err := f.r.ReadAt(b, offset)
	if int64(got) == n {
		return b, nil
	}
	if err == io.EOF {
		return nil, formats.Damaged(part, offset+int64(got), "the end of the file", fmt.Sprintf("%d more bytes", n-int64(got)))
	}
	return nil, fmt.Errorf("%s at byte %d: %w", part, offset, err)
}

// metadata finds the CLI metadata; a length of 0 without an error means that the file is not managed.
func (f *file) metadata() (offset, length int64, err error) {
	dos, err := f.read("DOS header", 0, 64)
	if err != nil {
		return 0, 0, err
	}
	if dos[0] != 'M' || dos[1] != 'Z' {
		return 0, 0, formats.Damaged("DOS header", 0, fmt.Sprintf("%q", dos[:2]), `"MZ", the start of a PE file`)
	}
	pe := int64(binary.LittleEndian.Uint32(dos[0x3C:]))
	head, err := f.read("PE header", pe, 24)
	if err != nil {
		return 0, 0, err
	}
	if string(head[:4]) != "PE\x00\x00" {
		return 0, 0, formats.Damaged("PE signature", pe, fmt.Sprintf("%q", head[:4]), `"PE\x00\x00"`)
	}
	count := int64(binary.LittleEndian.Uint16(head[6:]))
	optionalSize := int64(binary.LittleEndian.Uint16(head[20:]))
	if count > maxSections {
		return 0, 0, formats.Damaged("COFF header", pe+6, fmt.Sprintf("%d sections", count), fmt.Sprintf("at most %d", maxSections))
	}
	optional, err := f.read("optional header", pe+24, optionalSize)
	if err != nil {
		return 0, 0, err
	}
	cli, found, err := directory(optional, pe+24)
	if err != nil || !found {
		return 0, 0, err
	}
	table := pe + 24 + optionalSize
	headers, err := f.read("section headers", table, count*40)
	if err != nil {
		return 0, 0, err
	}
	for h := range slices.Chunk(headers, 40) {
		f.sections = append(f.sections, section{
			virtualSize: binary.LittleEndian.Uint32(h[8:]),
			rva:         binary.LittleEndian.Uint32(h[12:]),
			rawSize:     binary.LittleEndian.Uint32(h[16:]),
			offset:      binary.LittleEndian.Uint32(h[20:]),
		})
	}
	at, err := f.resolve("CLI header", cli, 16)
	if err != nil {
		return 0, 0, err
	}
	header, err := f.read("CLI header", at, 16)
	if err != nil {
		return 0, 0, err
	}
	rva, n := binary.LittleEndian.Uint32(header[8:]), binary.LittleEndian.Uint32(header[12:])
	if n == 0 {
		return 0, 0, formats.Damaged("CLI header", at+12, "metadata of 0 bytes", "the metadata's size")
	}
	start, err := f.resolve("metadata", rva, n)
	return start, int64(n), err
}

// directory finds the CLI header's RVA in the optional header, which starts at byte at of the file.
func directory(optional []byte, at int64) (rva uint32, found bool, err error) {
	if len(optional) < 2 {
		return 0, false, formats.Damaged("optional header", at, fmt.Sprintf("%d bytes", len(optional)), "at least 2")
	}
	var count int
	switch magic := binary.LittleEndian.Uint16(optional); magic {
	case 0x10B:
		count = 92
	case 0x20B:
		count = 108
	default:
		return 0, false, formats.Damaged("optional header", at, fmt.Sprintf("magic 0x%X", magic), "0x10B (PE32) or 0x20B (PE32+)")
	}
	if len(optional) < count+4 {
		return 0, false, formats.Damaged("optional header", at, fmt.Sprintf("%d bytes", len(optional)), fmt.Sprintf("at least %d", count+4))
	}
	if binary.LittleEndian.Uint32(optional[count:]) <= cliDirectory {
		return 0, false, nil
	}
	entry := count + 4 + cliDirectory*8
	if len(optional) < entry+8 {
		return 0, false, formats.Damaged("data directories", at+int64(count), fmt.Sprintf("%d bytes of optional header", len(optional)),
			fmt.Sprintf("at least %d", entry+8))
	}
	rva = binary.LittleEndian.Uint32(optional[entry:])
	return rva, rva != 0, nil
}

// resolve gives the file offset of n bytes at a relative virtual address.
func (f *file) resolve(part string, rva, n uint32) (int64, error) {
	for _, s := range f.sections {
		within := int64(rva) - int64(s.rva)
		if within < 0 || within >= max(int64(s.virtualSize), int64(s.rawSize)) {
			continue
		}
		if within+int64(n) > int64(s.rawSize) {
			return 0, formats.Damaged(part, int64(s.offset)+within, fmt.Sprintf("%d bytes that end beyond their section", n),
				fmt.Sprintf("at most %d", int64(s.rawSize)-within))
		}
		return int64(s.offset) + within, nil
	}
	return 0, formats.Damaged(part, -1, fmt.Sprintf("address 0x%X outside every section", rva), "an address inside a section")
}

// heap is the content of a metadata stream and its place in the file.
type heap struct {
	data   []byte
	offset int64
}

// userStringHeap reads the stream #US of the metadata at offset, which is length bytes long. A file without the
// stream has no strings.
func (f *file) userStringHeap(offset, length int64) (heap, error) {
	damaged := func(at int64, found, expected string) (heap, error) {
		return heap{}, formats.Damaged("metadata root", at, found, expected)
	}
	if length < 16 {
		return damaged(offset, fmt.Sprintf("%d bytes", length), "at least 16")
	}
	root, err := f.read("metadata root", offset, 16)
	if err != nil {
		return heap{}, err
	}
	if magic := binary.LittleEndian.Uint32(root); magic != metadataMagic {
		return damaged(offset, fmt.Sprintf("0x%X", magic), "0x424A5342, the metadata's signature")
	}
	version := int64(binary.LittleEndian.Uint32(root[12:]))
	if version > maxVersion {
		return damaged(offset+12, fmt.Sprintf("a version text of %d bytes", version), fmt.Sprintf("at most %d", maxVersion))
	}
	streams := 16 + version
	if streams+4 > length {
		return damaged(offset+12, fmt.Sprintf("a version text of %d bytes in metadata of %d", version, length), "a shorter one")
	}
	// The stream headers are read in one piece: as many bytes as they can take, but not beyond the metadata.
	table, err := f.read("stream headers", offset+streams, min(length-streams, 4+maxStreams*(8+maxStreamName)))
	if err != nil {
		return heap{}, err
	}
	count := int(binary.LittleEndian.Uint16(table[2:]))
	if count > maxStreams {
		return damaged(offset+streams+2, fmt.Sprintf("%d streams", count), fmt.Sprintf("at most %d", maxStreams))
	}
	at := 4
	for i := range count {
		part := fmt.Sprintf("stream header %d", i)
		if at+8 > len(table) {
			return heap{}, formats.Damaged(part, offset+streams+int64(at), "the end of the metadata", "8 bytes and a name")
		}
		start, size := int64(binary.LittleEndian.Uint32(table[at:])), int64(binary.LittleEndian.Uint32(table[at+4:]))
		name := table[at+8 : min(at+8+maxStreamName, len(table))]
		end := bytes.IndexByte(name, 0)
		if end < 0 {
			return heap{}, formats.Damaged(part, offset+streams+int64(at)+8, "a name without an end", fmt.Sprintf("at most %d bytes", maxStreamName))
		}
		if string(name[:end]) == "#US" {
			if start > length || size > length-start || size > maxHeap {
				return heap{}, formats.Damaged(part, offset+streams+int64(at), fmt.Sprintf("a stream from %d to %d", start, start+size),
					fmt.Sprintf("an end at or before %d, the metadata's length", length))
			}
			data, err := f.read("#US stream", offset+start, size)
			return heap{data, offset + start}, err
		}
		at += 8 + (end+4)&^3
	}
	return heap{}, nil
}

// parseHeap splits the #US heap, which starts at byte offset of the file, into its strings.
func parseHeap(data []byte, offset int64) ([]string, error) {
	var all []string
	for at := 1; at < len(data); {
		n, width := entryLength(data[at:])
		if width == 0 {
			return nil, formats.Damaged("#US stream", offset+int64(at), fmt.Sprintf("length byte 0x%02X", data[at]), "a length in 1, 2 or 4 bytes inside the stream")
		}
		if n > len(data)-at-width {
			return nil, formats.Damaged("#US stream", offset+int64(at), fmt.Sprintf("a string of %d bytes", n),
				fmt.Sprintf("at most %d, what is left of the stream", len(data)-at-width))
		}
		at += width
		if n > 0 {
			all = append(all, text(data[at:at+(n-1)&^1]))
		}
		at += n
	}
	return all, nil
}

// entryLength decodes the compressed length at the start of b; a width of 0 means that it is none.
func entryLength(b []byte) (n, width int) {
	switch {
	case b[0]&0x80 == 0:
		return int(b[0]), 1
	case b[0]&0xC0 == 0x80 && len(b) >= 2:
		return int(b[0]&0x3F)<<8 | int(b[1]), 2
	case b[0]&0xE0 == 0xC0 && len(b) >= 4:
		return int(b[0]&0x1F)<<24 | int(b[1])<<16 | int(b[2])<<8 | int(b[3]), 4
	}
	return 0, 0
}

// text decodes UTF-16; half of a surrogate pair becomes U+FFFD.
func text(b []byte) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units))
}
