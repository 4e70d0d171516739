package disctest

import (
	"bytes"
	"encoding/binary"
)

// ROM describes a cartridge image with the table of contents that libdragon's tools write, in the console's order.
type ROM struct {
	Title      string
	Code       string // four bytes, or ""
	Executable []byte
	FileSystem []byte // a DragonFS image; nil: there is none
}

// Build makes the image. It ends at a multiple of 16 KiB.
func (r ROM) Build() []byte {
	const table, entry, align = 0x1000, 64, 16 << 10
	b := make([]byte, table+1024)
	copy(b, "\x80\x37\x12\x40")
	binary.BigEndian.PutUint32(b[8:], 0x80000400)
	copy(b[0x20:0x34], r.Title)
	copy(b[0x3B:0x3F], r.Code)
	for i := 0x40; i < table; i++ {
		b[i] = byte(i * 7) // a bootcode of some kind
	}
	type part struct {
		name string
		data []byte
	}
	parts := []part{{"game.elf", r.Executable}}
	if r.FileSystem != nil {
		parts = append(parts, part{"game.dfs", r.FileSystem})
	}
	copy(b[table:], "TOC0")
	binary.BigEndian.PutUint32(b[table+8:], 1024)
	binary.BigEndian.PutUint16(b[table+12:], entry)
	binary.BigEndian.PutUint16(b[table+14:], uint16(len(parts)))
	for i, p := range parts {
		e := b[table+16+i*entry:]
		binary.BigEndian.PutUint32(e, uint32(len(b)))
		binary.BigEndian.PutUint32(e[4:], uint32(len(p.data)))
		copy(e[8:entry], p.name)
		b = append(b, p.data...)
		b = append(b, make([]byte, -len(b)&15)...)
	}
	return append(b, make([]byte, -len(b)&(align-1))...)
}

// Swapped gives an image in units of two or four bytes that are turned round: those of a .v64 or a .n64.
func Swapped(image []byte, unit int) []byte {
	b := bytes.Clone(image)
	for i := 0; i+unit <= len(b); i += unit {
		for j := range unit / 2 {
			b[i+j], b[i+unit-1-j] = b[i+unit-1-j], b[i+j]
		}
	}
	return b
}
