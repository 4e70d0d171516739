// Package petest makes small Windows executables for tests. They have the structure of real ones and no code that runs.
package petest

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"unicode/utf16"
)

// Characteristics of the usual sections.
const (
	Code     = 0x60000020
	Data     = 0xC0000040
	ReadOnly = 0x40000040
	Discard  = 0x42000040 // as of .reloc
)

// Section is a section of an image.
type Section struct {
	Name            string
	Data            []byte
	VirtualSize     uint32 // 0 means as many bytes as Data
	Characteristics uint32
}

// Resource is a leaf of the resources. Name and TypeName stand in for the numbers when they are not empty.
type Resource struct {
	Type, ID       uint16
	TypeName, Name string
	Language       uint16
	Data           []byte
}

// Image describes an executable. Sections named .rsrc and .reloc get the data directories for resources and base
// relocations, unless their Data say otherwise.
type Image struct {
	Wide             bool   // PE32+
	Machine          uint16 // 0 means x64, or x86 when not Wide
	Subsystem        uint16 // 0 means 3, a console program
	FileAlignment    uint32 // 0 means 512
	SectionAlignment uint32 // 0 means 4096
	Headers          uint32 // size of the headers; 0 means room for two more sections
	Directories      uint32 // 0 means 16
	Sections         []Section
	Resources        []Resource // the content of the section .rsrc
	Merged           []byte     // other data before the resources in their section
	Debug            []byte     // data of a debug directory, which stands at the start of the section .debug; that section is made behind all others
	Overlay          []byte     // behind the last section
	Symbols          bool       // the overlay is the COFF symbol table
	Signature        int        // bytes of a signature behind the overlay
	Behind           []byte     // behind the signature
}

// Usual gives sections like those of a program made with Microsoft's linker: the resources next to last, .reloc last.
func Usual() []Section {
	return []Section{
		{Name: ".text", Data: pattern(3000, 1), Characteristics: Code},
		{Name: ".rdata", Data: pattern(1500, 2), Characteristics: ReadOnly},
		{Name: ".data", Data: pattern(700, 3), VirtualSize: 9000, Characteristics: Data},
		{Name: ".rsrc", Characteristics: ReadOnly},
		{Name: ".reloc", Data: pattern(300, 4), Characteristics: Discard},
	}
}

// pattern gives bytes that differ from place to place.
func pattern(n int, seed byte) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i)*7 + byte(i>>8)*13 + seed
	}
	return b
}

func align(n, unit uint32) uint32 { return (n + unit - 1) / unit * unit }

// Build gives the bytes of the executable.
func (m Image) Build() []byte {
	le := binary.LittleEndian
	fileAlignment, sectionAlignment := cmp.Or(m.FileAlignment, 512), cmp.Or(m.SectionAlignment, 4096)
	directories := cmp.Or(m.Directories, 16)
	machine, magic, counted := uint16(0x14C), uint16(0x10B), uint32(92)
	if m.Wide {
		machine, magic, counted = 0x8664, 0x20B, 108
	}
	machine = cmp.Or(m.Machine, machine)
	sections := slices.Clone(m.Sections)
	if m.Debug != nil {
		sections = append(sections, Section{Name: ".debug", Characteristics: ReadOnly})
	}
	const pe = 0x80
	optionalSize := counted + 4 + 8*directories
	table := pe + 24 + optionalSize
	headers := align(cmp.Or(m.Headers, table+40*uint32(len(sections)+2)), fileAlignment)

	b := make([]byte, headers)
	copy(b, "MZ")
	le.PutUint32(b[0x3C:], pe)
	copy(b[pe:], "PE\x00\x00")
	le.PutUint16(b[pe+4:], machine)
	le.PutUint16(b[pe+6:], uint16(len(sections)))
	le.PutUint16(b[pe+20:], uint16(optionalSize))
	le.PutUint16(b[pe+22:], 0x22) // an executable that knows large addresses
	optional := b[pe+24:]
	le.PutUint16(optional, magic)
	le.PutUint32(optional[16:], align(headers, sectionAlignment)) // the entry point is the start of the first section
	le.PutUint32(optional[32:], sectionAlignment)
	le.PutUint32(optional[36:], fileAlignment)
	le.PutUint16(optional[40:], 6)
	le.PutUint16(optional[48:], 6)
	le.PutUint32(optional[60:], headers)
	le.PutUint16(optional[68:], cmp.Or(m.Subsystem, 3))
	le.PutUint32(optional[counted:], directories)
	directory := func(i int, address, size uint32) {
		if uint32(i) < directories {
			le.PutUint32(optional[counted+4+8*uint32(i):], address)
			le.PutUint32(optional[counted+4+8*uint32(i)+4:], size)
		}
	}
	address, initialized := align(headers, sectionAlignment), uint32(0)
	for i, s := range sections {
		data := s.Data
		offset := uint32(len(b))
		switch {
		case s.Name == ".rsrc" && data == nil:
			tree := Tree(m.Resources, address+uint32(len(m.Merged)))
			directory(2, address+uint32(len(m.Merged)), uint32(len(tree)))
			data = append(bytes.Clone(m.Merged), tree...)
		case s.Name == ".reloc":
			directory(5, address, uint32(len(data)))
		case s.Name == ".debug" && m.Debug != nil:
			data = make([]byte, 28)
			le.PutUint32(data[16:], uint32(len(m.Debug)))
			le.PutUint32(data[20:], address+28)
			le.PutUint32(data[24:], offset+28)
			data = append(data, m.Debug...)
			directory(6, address, 28)
		}
		header := b[table+40*uint32(i):]
		copy(header[:8], s.Name)
		virtual := cmp.Or(s.VirtualSize, uint32(len(data)))
		le.PutUint32(header[8:], virtual)
		le.PutUint32(header[12:], address)
		if size := align(uint32(len(data)), fileAlignment); size > 0 {
			le.PutUint32(header[16:], size)
			le.PutUint32(header[20:], offset)
			b = append(b, data...)
			b = append(b, make([]byte, offset+size-uint32(len(b)))...)
			if s.Characteristics&0x40 != 0 {
				initialized += size
			}
		}
		le.PutUint32(b[table+40*uint32(i)+36:], s.Characteristics)
		address += align(virtual, sectionAlignment)
		optional = b[pe+24:]
	}
	le.PutUint32(optional[8:], initialized)
	le.PutUint32(optional[56:], address)
	if m.Symbols {
		le.PutUint32(b[pe+12:], uint32(len(b)))
		le.PutUint32(b[pe+16:], uint32(len(m.Overlay)/18))
	}
	b = append(b, m.Overlay...)
	if m.Signature > 0 {
		for len(b)%8 != 0 {
			b = append(b, 0)
		}
		optional = b[pe+24:]
		directory(4, uint32(len(b)), uint32(m.Signature))
		signature := pattern(m.Signature, 9)
		le.PutUint32(signature, uint32(m.Signature))
		le.PutUint32(signature[4:], 0x00020200)
		b = append(b, signature...)
	}
	b = append(b, m.Behind...)
	le.PutUint32(b[pe+24+64:], Checksum(b))
	return b
}

// Checksum gives the checksum that the executable ought to have, added up one word after another.
func Checksum(exe []byte) uint32 {
	field := int(binary.LittleEndian.Uint32(exe[0x3C:])) + 24 + 64
	sum := uint32(0)
	for i := 0; i < len(exe); i += 2 {
		word := uint32(exe[i])
		if i+1 < len(exe) {
			word |= uint32(exe[i+1]) << 8
		}
		if i == field || i == field+2 {
			word = 0
		}
		sum += word
		sum = sum&0xffff + sum>>16
	}
	return sum + uint32(len(exe))
}

// Tree gives the bytes of a tree of resources at an address. The directories are written depth first, each followed by what
// it leads to, which readers have to cope with as well as with the usual order.
func Tree(resources []Resource, address uint32) []byte {
	b := make([]byte, 0, 4096)
	var write func(level int, all []Resource) uint32
	write = func(level int, all []Resource) uint32 {
		le := binary.LittleEndian
		if level == 3 {
			leaf := uint32(len(b))
			b = append(b, make([]byte, 16)...)
			for len(b)%4 != 0 {
				b = append(b, 0)
			}
			place := uint32(len(b))
			b = append(b, all[0].Data...)
			for len(b)%4 != 0 {
				b = append(b, 0)
			}
			le.PutUint32(b[leaf:], address+place)
			le.PutUint32(b[leaf+4:], uint32(len(all[0].Data)))
			return leaf
		}
		key := func(r Resource) (string, uint16) {
			switch level {
			case 0:
				return r.TypeName, r.Type
			case 1:
				return r.Name, r.ID
			}
			return "", r.Language
		}
		var groups [][]Resource
		for _, named := range []bool{true, false} {
			for _, r := range all {
				text, id := key(r)
				if (text != "") != named {
					continue
				}
				i := slices.IndexFunc(groups, func(g []Resource) bool {
					t, n := key(g[0])
					return t == text && (t != "" || n == id)
				})
				if i < 0 {
					groups = append(groups, nil)
					i = len(groups) - 1
				}
				groups[i] = append(groups[i], r)
			}
		}
		slices.SortStableFunc(groups, func(x, y []Resource) int {
			xt, xn := key(x[0])
			yt, yn := key(y[0])
			if (xt != "") != (yt != "") {
				return map[bool]int{true: -1, false: 1}[xt != ""]
			}
			return cmp.Or(cmp.Compare(xt, yt), cmp.Compare(xn, yn))
		})
		start := len(b)
		b = append(b, make([]byte, 16+8*len(groups))...)
		named := 0
		for i, g := range groups {
			text, id := key(g[0])
			entry := uint32(id)
			if text != "" {
				named++
				entry = uint32(len(b)) | 1<<31
				units := utf16.Encode([]rune(text))
				b = le.AppendUint16(b, uint16(len(units)))
				for _, u := range units {
					b = le.AppendUint16(b, u)
				}
				for len(b)%4 != 0 {
					b = append(b, 0)
				}
			}
			target := write(level+1, g)
			if level < 2 {
				target |= 1 << 31
			}
			le.PutUint32(b[start+16+8*i:], entry)
			le.PutUint32(b[start+16+8*i+4:], target)
		}
		le.PutUint16(b[start+12:], uint16(named))
		le.PutUint16(b[start+14:], uint16(len(groups)-named))
		return uint32(start)
	}
	write(0, resources)
	return bytes.Clone(b)
}
