package pe

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"unicode/utf16"

	"talebinder/formats"
)

// Types of resources that are looked at.
const (
	typeIcon      = 3
	typeGroupIcon = 14
	typeVersion   = 16
)

// maxResources bounds what a tree may claim; its directories can be shared, so that few bytes could claim a great many.
const maxResources = 1 << 16

// Ident is the type or the name of a resource: a number or a text. It can be compared.
type Ident struct {
	id  uint16
	raw string // UTF-16, little-endian
}

func number(id uint16) Ident { return Ident{id: id} }

// ID gives the number; ok is false for a text.
func (i Ident) ID() (id uint16, ok bool) { return i.id, i.raw == "" }

// String gives the text, or the number after #.
func (i Ident) String() string {
	if i.raw == "" {
		return fmt.Sprintf("#%d", i.id)
	}
	units := make([]uint16, len(i.raw)/2)
	for k := range units {
		units[k] = binary.LittleEndian.Uint16([]byte(i.raw[2*k:]))
	}
	return string(utf16.Decode(units))
}

// compare orders texts by their UTF-16 units, and before numbers.
func (i Ident) compare(j Ident) int {
	if (i.raw == "") != (j.raw == "") {
		if i.raw != "" {
			return -1
		}
		return 1
	}
	a, b := i.raw, j.raw
	for k := 0; k+1 < min(len(a), len(b)); k += 2 {
		if c := cmp.Compare(uint16(a[k])|uint16(a[k+1])<<8, uint16(b[k])|uint16(b[k+1])<<8); c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(i.id, j.id))
}

// Resource is a leaf of the tree of resources.
type Resource struct {
	Type, Name Ident
	Language   uint16 // 0 is neutral
	CodePage   uint32
	Size       int64 // in bytes

	offset int64  // of the data in the file
	data   []byte // of a new resource, which is not in the file
}

func (r Resource) compare(s Resource) int {
	return cmp.Or(r.Type.compare(s.Type), r.Name.compare(s.Name), cmp.Compare(r.Language, s.Language))
}

// Resources reads the tree of resources, in its order. An executable without one has none. The data are not read.
func (f *File) Resources() ([]Resource, error) {
	d := f.directory(resourceDirectory)
	if d.size == 0 {
		return nil, nil
	}
	start, size, err := f.locate("resources", d.address, 16)
	if err != nil {
		return nil, err
	}
	t := &tree{f: f, start: start, size: size, left: maxResources}
	err = t.walk(0, 0, Resource{})
	return t.all, err
}

// ReadResource reads the data of a resource of this file.
func (f *File) ReadResource(r Resource) ([]byte, error) {
	if r.data != nil {
		return bytes.Clone(r.data), nil
	}
	return f.read("resource "+r.Type.String()+" "+r.Name.String(), r.offset, r.Size)
}

// tree reads the directories of resources.
type tree struct {
	f           *File
	start, size int64
	left        int // entries that may still be read
	all         []Resource
}

// read gives n bytes at an offset of the tree.
func (t *tree) read(part string, offset, n int64) ([]byte, error) {
	if offset > t.size || n > t.size-offset {
		return nil, formats.Damaged(part, t.start+offset, fmt.Sprintf("%d bytes that end beyond their section", n), fmt.Sprintf("an end at or before byte %d", t.start+t.size))
	}
	return t.f.read(part, t.start+offset, n)
}

// levels names what the entries of a directory are, from the root on.
var levels = [...]string{"type", "name", "language"}

// walk reads the directory at an offset of the tree, whose leaves share what is set in r.
func (t *tree) walk(level int, offset int64, r Resource) error {
	part := "resources: directory of " + levels[level] + "s"
	head, err := t.read(part, offset, 16)
	if err != nil {
		return err
	}
	le := binary.LittleEndian
	count := int(le.Uint16(head[12:])) + int(le.Uint16(head[14:]))
	if t.left -= count; t.left < 0 {
		return fmt.Errorf("resources: %w", &formats.LimitError{What: "number of entries", Value: int64(maxResources - t.left), Max: maxResources})
	}
	entries, err := t.read(part, offset+16, 8*int64(count))
	if err != nil {
		return err
	}
	for i := range count {
		at := offset + 16 + 8*int64(i)
		id, target := le.Uint32(entries[8*i:]), le.Uint32(entries[8*i+4:])
		ident, err := t.ident(part, at, id)
		if err != nil {
			return err
		}
		switch level {
		case 0:
			r.Type = ident
		case 1:
			r.Name = ident
		default:
			if _, ok := ident.ID(); !ok {
				return formats.Damaged(part, t.start+at, fmt.Sprintf("the text %q", ident), "a number")
			}
			r.Language = ident.id
		}
		if deeper := target&(1<<31) != 0; deeper != (level < len(levels)-1) {
			return formats.Damaged(part, t.start+at+4, fmt.Sprintf("0x%X", target), "a tree of three levels: types, names, languages")
		}
		target &^= 1 << 31
		if level < len(levels)-1 {
			err = t.walk(level+1, int64(target), r)
		} else {
			err = t.leaf(int64(target), r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ident reads the number or the text of an entry.
func (t *tree) ident(part string, at int64, id uint32) (Ident, error) {
	if id&(1<<31) == 0 {
		if id > 0xffff {
			return Ident{}, formats.Damaged(part, t.start+at, fmt.Sprint(id), "a number of 16 bits")
		}
		return number(uint16(id)), nil
	}
	offset := int64(id &^ (1 << 31))
	b, err := t.read("resources: text", offset, 2)
	if err != nil {
		return Ident{}, err
	}
	length := int64(binary.LittleEndian.Uint16(b))
	if length == 0 {
		return Ident{}, formats.Damaged("resources: text", t.start+offset, "no characters", "at least 1")
	}
	b, err = t.read("resources: text", offset+2, 2*length)
	return Ident{raw: string(b)}, err
}

// leaf reads the entry that says where the data of a resource are.
func (t *tree) leaf(offset int64, r Resource) error {
	b, err := t.read("resources: leaf", offset, 16)
	if err != nil {
		return err
	}
	le := binary.LittleEndian
	r.Size, r.CodePage = int64(le.Uint32(b[4:])), le.Uint32(b[8:])
	if r.Size > 0 {
		if r.offset, _, err = t.f.locate(fmt.Sprintf("resource %v %v", r.Type, r.Name), le.Uint32(b), r.Size); err != nil {
			return err
		}
	}
	t.all = append(t.all, r)
	return nil
}

// layout is a tree of resources whose size is known, while its address is not.
type layout struct {
	resources []Resource // sorted, each once
	places    []int64    // of the data in the tree
	tables    int64      // bytes before the data
	size      int64      // of everything
	pieces    []piece    // the data, behind the tables
}

// dataAlignment is the alignment of the data in the tree.
const dataAlignment = 8

// arrange sorts resources and gives every one its place. Data that several resources share stay shared. limit is the most
// bytes that data of the file may take.
func arrange(resources []Resource, limit int64) (*layout, error) {
	l := &layout{resources: slices.Clone(resources)}
	slices.SortStableFunc(l.resources, Resource.compare)
	l.resources = slices.CompactFunc(l.resources, func(a, b Resource) bool { return a.compare(b) == 0 })
	l.tables = roundUp(int64(len(l.render(0))), dataAlignment)

	shared := make(map[span]int64)
	at, kept := l.tables, int64(0)
	for _, r := range l.resources {
		source := span{r.offset, r.Size}
		if place, ok := shared[source]; ok && r.data == nil {
			l.places = append(l.places, place)
			continue
		}
		l.places = append(l.places, at)
		if r.data != nil {
			l.pieces = append(l.pieces, piece{data: r.data, size: r.Size})
		} else {
			shared[source] = at
			if kept += r.Size; kept > limit {
				return nil, formats.Damaged("resources", -1, fmt.Sprintf("%d bytes of data or more", kept), fmt.Sprintf("at most %d, the file's length", limit))
			}
			l.pieces = append(l.pieces, piece{source: source.offset, size: r.Size, copied: true})
		}
		end := roundUp(at+r.Size, dataAlignment)
		l.pieces = append(l.pieces, piece{size: end - at - r.Size})
		at = end
	}
	if at > maxSection {
		return nil, fmt.Errorf("resources: %w", &formats.LimitError{What: "length", Value: at, Max: maxSection, Unit: "bytes"})
	}
	l.size = at
	return l, nil
}

// maxSection is the most that the resources may take: offsets in the tree have 31 bits.
const maxSection = 1<<31 - 1

// render gives the tables for a tree at an address: directories, leaves and texts.
func (l *layout) render(address uint32) []byte {
	le := binary.LittleEndian
	// A directory is a run of resources that share a type, or a type and a name. Directories stand in the order of their
	// levels; every entry of a level above leads to the next directory of the level below.
	same := [...]func(a, b Resource) bool{
		func(a, b Resource) bool { return true },
		func(a, b Resource) bool { return a.Type == b.Type },
		func(a, b Resource) bool { return a.Type == b.Type && a.Name == b.Name },
		func(a, b Resource) bool { return false },
	}
	var runs [len(same)][][]Resource
	for level, alike := range same {
		runs[level] = split(l.resources, alike)
	}
	leaves := 0
	for level := range levels {
		leaves += 16*len(runs[level]) + 8*len(runs[level+1])
	}
	texts := leaves + 16*len(l.resources)

	var tables, text []byte
	places := make(map[string]uint32) // of texts
	below := 16 + 8*len(runs[1])      // where the directories of the next level begin
	leaf := leaves
	for level := range levels {
		for _, run := range runs[level] {
			entries := split(run, same[level+1])
			named := 0
			var b []byte
			for _, entry := range entries {
				ident := [...]Ident{entry[0].Type, entry[0].Name, number(entry[0].Language)}[level]
				id := uint32(ident.id)
				if ident.raw != "" {
					named++
					place, ok := places[ident.raw]
					if !ok {
						place = uint32(texts + len(text))
						places[ident.raw] = place
						text = append(le.AppendUint16(text, uint16(len(ident.raw)/2)), ident.raw...)
					}
					id = place | 1<<31
				}
				b = le.AppendUint32(b, id)
				if level < len(levels)-1 {
					b = le.AppendUint32(b, uint32(below)|1<<31)
					below += 16 + 8*len(split(entry, same[level+2]))
				} else {
					b = le.AppendUint32(b, uint32(leaf))
					leaf += 16
				}
			}
			tables = append(tables, make([]byte, 12)...)
			tables = le.AppendUint16(tables, uint16(named))
			tables = le.AppendUint16(tables, uint16(len(entries)-named))
			tables = append(tables, b...)
		}
	}
	for i, r := range l.resources {
		place := int64(0)
		if i < len(l.places) {
			place = l.places[i]
		}
		for _, n := range []uint32{address + uint32(place), uint32(r.Size), r.CodePage, 0} {
			tables = le.AppendUint32(tables, n)
		}
	}
	return append(tables, text...)
}

// split cuts resources into runs of those that are alike.
func split(resources []Resource, alike func(a, b Resource) bool) [][]Resource {
	var runs [][]Resource
	for len(resources) > 0 {
		n := 1
		for n < len(resources) && alike(resources[0], resources[n]) {
			n++
		}
		runs = append(runs, resources[:n])
		resources = resources[n:]
	}
	return runs
}
