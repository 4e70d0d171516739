package pe_test

import (
	"bytes"
	debugpe "debug/pe"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/tc-hib/winres"

	"talebinder/formats/netbundle/bundletest"
	"talebinder/formats/pe/petest"
)

// image is an executable as the Windows loader takes it in.
type image struct {
	data    []byte
	file    *debugpe.File
	memory  []byte
	overlay int
}

// load does what the Windows loader does, and refuses what it refuses: sections that leave gaps in memory, overlap, lie
// outside the file or are not aligned, a wrong size of the image, and a wrong checksum unless there is none.
func load(t testing.TB, data []byte) image {
	t.Helper()
	file, err := debugpe.NewFile(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var sectionAlignment, fileAlignment, sizeOfImage, headers, checksum uint32
	switch o := file.OptionalHeader.(type) {
	case *debugpe.OptionalHeader32:
		sectionAlignment, fileAlignment, sizeOfImage, headers, checksum = o.SectionAlignment, o.FileAlignment, o.SizeOfImage, o.SizeOfHeaders, o.CheckSum
	case *debugpe.OptionalHeader64:
		sectionAlignment, fileAlignment, sizeOfImage, headers, checksum = o.SectionAlignment, o.FileAlignment, o.SizeOfImage, o.SizeOfHeaders, o.CheckSum
	}
	up := func(n uint32) uint32 { return (n + sectionAlignment - 1) / sectionAlignment * sectionAlignment }
	m := image{data: data, file: file, memory: make([]byte, sizeOfImage), overlay: int(headers)}
	copy(m.memory, data[:headers])
	next := up(headers)
	type span struct{ start, end uint32 }
	used := []span{{0, headers}}
	for _, s := range file.Sections {
		if s.VirtualAddress != next {
			t.Errorf("section %s is at 0x%x, expected 0x%x", s.Name, s.VirtualAddress, next)
		}
		virtual := s.VirtualSize
		if virtual == 0 {
			virtual = s.Size
		}
		next = s.VirtualAddress + up(virtual)
		if s.Size == 0 {
			continue
		}
		if s.Offset%fileAlignment != 0 {
			t.Errorf("section %s begins at byte %d", s.Name, s.Offset)
		}
		end := s.Offset + s.Size
		if int(end) > len(data) {
			t.Fatalf("section %s ends at byte %d of %d", s.Name, end, len(data))
		}
		for _, u := range used {
			if s.Offset < u.end && u.start < end {
				t.Errorf("section %s overlaps bytes %d to %d", s.Name, u.start, u.end)
			}
		}
		used = append(used, span{s.Offset, end})
		m.overlay = max(m.overlay, int(end))
		if int(s.VirtualAddress) < len(m.memory) {
			copy(m.memory[s.VirtualAddress:min(int(next), len(m.memory))], data[s.Offset:end])
		}
	}
	if next != sizeOfImage {
		t.Errorf("the image ends at 0x%x, its size is 0x%x", next, sizeOfImage)
	}
	if want := petest.Checksum(data); checksum != want && checksum != 0 {
		t.Errorf("checksum 0x%x, expected 0x%x", checksum, want)
	}
	return m
}

// directories gives the data directories.
func (m image) directories() []debugpe.DataDirectory {
	switch o := m.file.OptionalHeader.(type) {
	case *debugpe.OptionalHeader32:
		return o.DataDirectory[:]
	case *debugpe.OptionalHeader64:
		return o.DataDirectory[:]
	}
	return nil
}

// headers gives the headers with all that branding may change set to 0.
func (m image) headers() string {
	file := m.file.FileHeader
	file.NumberOfSections, file.PointerToSymbolTable = 0, 0
	changing := []int{2, 4, 5}
	switch o := m.file.OptionalHeader.(type) {
	case *debugpe.OptionalHeader32:
		c := *o
		c.SizeOfImage, c.SizeOfInitializedData, c.CheckSum, c.Subsystem = 0, 0, 0, 0
		for _, i := range changing {
			c.DataDirectory[i] = debugpe.DataDirectory{}
		}
		return fmt.Sprintf("%+v %+v", file, c)
	case *debugpe.OptionalHeader64:
		c := *o
		c.SizeOfImage, c.SizeOfInitializedData, c.CheckSum, c.Subsystem = 0, 0, 0, 0
		for _, i := range changing {
			c.DataDirectory[i] = debugpe.DataDirectory{}
		}
		return fmt.Sprintf("%+v %+v", file, c)
	}
	return ""
}

// resources gives every resource by type, name and language, as another library reads them.
func (m image) resources(t testing.TB) map[string][]byte {
	t.Helper()
	all := make(map[string][]byte)
	set, err := winres.LoadFromEXE(bytes.NewReader(m.data))
	if err != nil {
		t.Fatal(err)
	}
	set.Walk(func(kind, name winres.Identifier, language uint16, data []byte) bool {
		all[fmt.Sprintf("%v/%v/%d", kind, name, language)] = bytes.Clone(data)
		return true
	})
	return all
}

// described gives the resources of a description in the same way.
func described(list []petest.Resource) map[string][]byte {
	all := make(map[string][]byte)
	for _, r := range list {
		kind, name := r.TypeName, r.Name
		if kind == "" {
			kind = fmt.Sprint(r.Type)
		}
		if name == "" {
			name = fmt.Sprint(r.ID)
		}
		all[fmt.Sprintf("%s/%s/%d", kind, name, r.Language)] = r.Data
	}
	return all
}

// checkKept compares everything that branding leaves alone.
func checkKept(t testing.TB, before, after image) {
	t.Helper()
	if b, a := before.headers(), after.headers(); b != a {
		t.Errorf("headers\nbefore %s\nafter  %s", b, a)
	}
	if len(after.file.Sections) < len(before.file.Sections) {
		t.Fatalf("%d sections, expected at least %d", len(after.file.Sections), len(before.file.Sections))
	}
	for i, b := range before.file.Sections {
		a := after.file.Sections[i]
		if a.Name != b.Name || a.Characteristics != b.Characteristics {
			t.Errorf("section %d: %+v, before %+v", i, a.SectionHeader, b.SectionHeader)
		}
		if before.directories()[2].VirtualAddress == b.VirtualAddress {
			continue
		}
		if a.VirtualSize != b.VirtualSize || a.Size != b.Size {
			t.Errorf("section %s: %+v, before %+v", a.Name, a.SectionHeader, b.SectionHeader)
		}
		if a.VirtualAddress != b.VirtualAddress && b.Name != ".reloc" && b.Name != ".stab" {
			t.Errorf("section %s has moved from 0x%x to 0x%x", a.Name, b.VirtualAddress, a.VirtualAddress)
		}
		was, is := before.memory[b.VirtualAddress:][:b.VirtualSize], after.memory[a.VirtualAddress:][:a.VirtualSize]
		if b.Name == ".debug" {
			was, is = was[28:], is[28:] // its directory has offsets in the file, which are looked at elsewhere
		}
		if !bytes.Equal(withoutBundle(was), withoutBundle(is)) {
			t.Errorf("section %s has another content", a.Name)
		}
		if b.VirtualAddress == before.directories()[5].VirtualAddress {
			if d := after.directories()[5]; d.VirtualAddress != a.VirtualAddress || d.Size != before.directories()[5].Size {
				t.Errorf("relocations at 0x%x, the section is at 0x%x", d.VirtualAddress, a.VirtualAddress)
			}
		}
	}
}

// withoutBundle sets the offset of a bundle to 0.
func withoutBundle(section []byte) []byte {
	b := bytes.Clone(section)
	if at := bytes.Index(b, bundletest.Marker()[8:]); at >= 8 {
		clear(b[at-8 : at])
	}
	return b
}

// checkDebug looks whether the debug directory leads to its data, in the file and in memory.
func checkDebug(t testing.TB, m image, want []byte) {
	t.Helper()
	d := m.directories()[6]
	if d.Size != 28 {
		t.Fatalf("a debug directory of %d bytes", d.Size)
	}
	entry := m.memory[d.VirtualAddress:][:28]
	le := binary.LittleEndian
	size, address, offset := le.Uint32(entry[16:]), le.Uint32(entry[20:]), le.Uint32(entry[24:])
	if !bytes.Equal(m.memory[address:][:size], want) || !bytes.Equal(m.data[offset:][:size], want) {
		t.Errorf("the debug directory leads to 0x%x in memory and byte %d of the file", address, offset)
	}
}

// names gives the sorted keys of resources.
func names(all map[string][]byte) []string {
	var keys []string
	for key := range all {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
