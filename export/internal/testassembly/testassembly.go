// Package testassembly makes small .NET assemblies for tests: a class library without code, with the strings that its code
// would use. It stands in for what the engine compiles a game's scripts into.
package testassembly

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
)

// The layout of the file: headers, and one section that holds everything else (ECMA-335, partition II, 24 and 25).
const (
	peOffset      = 0x80
	headersSize   = 0x200
	fileAlignment = 0x200
	sectionRVA    = 0x2000
	cliHeaderSize = 72
)

// Build returns an assembly of this name whose user strings are the given ones, in this order.
func Build(name string, userStrings ...string) []byte {
	metadata := metadata(name, userStrings)
	section := make([]byte, cliHeaderSize, cliHeaderSize+len(metadata))
	le := binary.LittleEndian
	le.PutUint32(section[0:], cliHeaderSize)
	le.PutUint16(section[4:], 2) // runtime 2.5
	le.PutUint16(section[6:], 5)
	le.PutUint32(section[8:], sectionRVA+cliHeaderSize)
	le.PutUint32(section[12:], uint32(len(metadata)))
	le.PutUint32(section[16:], 1) // nothing but IL
	section = append(section, metadata...)
	return append(headers(len(section)), pad(section, fileAlignment)...)
}

func headers(sectionSize int) []byte {
	h := make([]byte, headersSize)
	le := binary.LittleEndian
	copy(h, "MZ")
	le.PutUint32(h[0x3c:], peOffset)
	copy(h[peOffset:], "PE\x00\x00")

	coff := h[peOffset+4:]
	le.PutUint16(coff[0:], 0x14c) // written for any processor
	le.PutUint16(coff[2:], 1)     // sections
	le.PutUint16(coff[16:], 0xe0) // size of the optional header
	le.PutUint16(coff[18:], 0x2022)

	opt := coff[20:]
	raw := align(sectionSize, fileAlignment)
	le.PutUint16(opt[0:], 0x10b) // PE32
	le.PutUint32(opt[4:], uint32(raw))
	le.PutUint32(opt[20:], sectionRVA)
	le.PutUint32(opt[28:], 0x10000000) // image base
	le.PutUint32(opt[32:], sectionRVA) // section alignment
	le.PutUint32(opt[36:], fileAlignment)
	le.PutUint16(opt[40:], 4) // system version
	le.PutUint16(opt[48:], 4) // subsystem version
	le.PutUint32(opt[56:], uint32(sectionRVA+align(sectionSize, sectionRVA)))
	le.PutUint32(opt[60:], headersSize)
	le.PutUint16(opt[68:], 3)      // console
	le.PutUint16(opt[70:], 0x8540) // dynamic base, NX, no SEH, terminal server aware
	le.PutUint32(opt[72:], 1<<20)  // stack and heap
	le.PutUint32(opt[76:], 1<<12)
	le.PutUint32(opt[80:], 1<<20)
	le.PutUint32(opt[84:], 1<<12)
	le.PutUint32(opt[92:], 16) // data directories
	le.PutUint32(opt[96+14*8:], sectionRVA)
	le.PutUint32(opt[96+14*8+4:], cliHeaderSize)

	text := opt[0xe0:]
	copy(text, ".text")
	le.PutUint32(text[8:], uint32(sectionSize))
	le.PutUint32(text[12:], sectionRVA)
	le.PutUint32(text[16:], uint32(raw))
	le.PutUint32(text[20:], headersSize)
	le.PutUint32(text[36:], 0x60000020) // code, readable, executable
	return h
}

// metadata makes the metadata root with its five streams.
func metadata(name string, userStrings []string) []byte {
	var names []byte
	add := func(s string) uint16 {
		at := len(names)
		names = append(append(names, s...), 0)
		return uint16(at)
	}
	add("")
	moduleType, module, assembly := add("<Module>"), add(name+".dll"), add(name)

	var tables bytes.Buffer
	put := func(values ...any) {
		for _, v := range values {
			_ = binary.Write(&tables, binary.LittleEndian, v)
		}
	}
	put(uint32(0), uint8(2), uint8(0), uint8(0), uint8(1))            // version 2.0, small heaps
	put(uint64(1<<0|1<<2|1<<0x20), uint64(0x16003301fa00))            // Module, TypeDef and Assembly; which tables are sorted
	put(uint32(1), uint32(1), uint32(1))                              // rows of each
	put(uint16(0), module, uint16(1), uint16(0), uint16(0))           // Module
	put(uint32(0), moduleType, uint16(0), uint16(0), [2]uint16{1, 1}) // TypeDef
	put(uint32(0x8004), [4]uint16{1, 0, 0, 0}, uint32(0), uint16(0), assembly, uint16(0))

	user := []byte{0}
	for _, s := range userStrings {
		units := utf16.Encode([]rune(s))
		user = appendLength(user, 2*len(units)+1)
		for _, u := range units {
			user = binary.LittleEndian.AppendUint16(user, u)
		}
		user = append(user, 0)
	}

	streams := []struct {
		name string
		data []byte
	}{
		{"#~", tables.Bytes()},
		{"#Strings", names},
		{"#US", user},
		{"#GUID", []byte("talebinder: test")},
		{"#Blob", []byte{0}},
	}
	var root bytes.Buffer
	root.WriteString("BSJB")
	version := pad([]byte("v4.0.30319\x00"), 4)
	_ = binary.Write(&root, binary.LittleEndian, []uint16{1, 1, 0, 0, uint16(len(version)), 0})
	root.Write(version)
	_ = binary.Write(&root, binary.LittleEndian, []uint16{0, uint16(len(streams))})
	offset := root.Len()
	for _, s := range streams {
		offset += 8 + align(len(s.name)+1, 4)
	}
	for _, s := range streams {
		size := align(len(s.data), 4)
		_ = binary.Write(&root, binary.LittleEndian, []uint32{uint32(offset), uint32(size)})
		root.Write(pad([]byte(s.name+"\x00"), 4))
		offset += size
	}
	for _, s := range streams {
		root.Write(pad(s.data, 4))
	}
	return root.Bytes()
}

// appendLength writes the length of a blob in one, two or four bytes.
func appendLength(b []byte, n int) []byte {
	switch {
	case n < 0x80:
		return append(b, byte(n))
	case n < 0x4000:
		return append(b, 0x80|byte(n>>8), byte(n))
	}
	return append(b, 0xc0|byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
}

func align(n, to int) int { return (n + to - 1) / to * to }

func pad(b []byte, to int) []byte { return append(b, make([]byte, align(len(b), to)-len(b))...) }
