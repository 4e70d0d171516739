package iso9660

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"talebinder/formats"
)

// Node is a file or a directory of a volume.
type Node struct {
	// Name is the name as it is on the disc, without the version behind the last semicolon. It has not been checked: it may
	// be empty, "..", or hold separators, control characters or bytes that are not UTF-8.
	Name     string
	Dir      bool
	Hidden   bool
	Date     Date
	LBA      uint32 // of the extent, counted on the whole medium
	Size     int64  // in bytes
	Parent   *Node  // nil for the root
	Children []*Node

	// Fault says why the content of a file cannot be read, or an entry cannot be kept: it lies outside the track, has
	// several extents, or a name that no file can have.
	Fault error

	at int64 // offset of the record in the file
}

// Path gives the names from the root down, separated by slashes. The root's is empty.
func (n *Node) Path() string {
	if n.Parent == nil {
		return ""
	}
	var names []string
	for ; n.Parent != nil; n = n.Parent {
		names = append(names, n.Name)
	}
	var b strings.Builder
	for i := len(names) - 1; i >= 0; i-- {
		b.WriteString(names[i])
		if i > 0 {
			b.WriteByte('/')
		}
	}
	return b.String()
}

// Tree is the files and directories of a volume.
type Tree struct {
	Root   *Node
	Joliet bool // the names come from the Joliet hierarchy
	Files  int
	Dirs   int   // without the root
	Bytes  int64 // sizes of all files
}

// Find gives the entry with this path, names separated by slashes, ignoring the case of ASCII letters; nil when there is
// none.
func (t *Tree) Find(path string) *Node {
	n := t.Root
	for name := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		if n = n.child(name); n == nil {
			return nil
		}
	}
	return n
}

func (n *Node) child(name string) *Node {
	for _, c := range n.Children {
		if equalFold(c.Name, name) {
			return c
		}
	}
	return nil
}

// All gives every entry but the root, those of a directory behind it, breadth first.
func (t *Tree) All() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for queue := []*Node{t.Root}; len(queue) > 0; queue = queue[1:] {
			for _, c := range queue[0].Children {
				if !yield(c) {
					return
				}
				if c.Dir {
					queue = append(queue, c)
				}
			}
		}
	}
}

// hierarchy gives the descriptor that names are taken from.
func (v *Volume) hierarchy() (d *Descriptor, joliet bool) {
	if v.Joliet != nil {
		return v.Joliet, true
	}
	return v.Primary, false
}

func (v *Volume) root(d *Descriptor) *Node {
	return &Node{Dir: true, Date: d.rootDate, LBA: d.rootLBA, Size: int64(d.rootSize), at: v.at(d.sector, 156)}
}

// ReadRoot reads the entries of the root directory alone. The directories among them have no children.
func (v *Volume) ReadRoot(ctx context.Context) ([]*Node, error) {
	d, joliet := v.hierarchy()
	root := v.root(d)
	s := newScan(v, joliet)
	if err := s.directory(ctx, root); err != nil {
		return nil, err
	}
	return root.Children, nil
}

// ReadTree reads all directories, of the Joliet hierarchy if there is one.
//
// A damaged directory gives a *formats.Fault: one that lies outside the track, that is reached twice (a loop, or an extent
// that directories share), that is nested deeper than 64, or that has a damaged record. More than 65535 directories or
// 1048576 entries, or a directory of more than 64 MiB, give a *formats.LimitError. What is wrong with a single file is told
// by its Fault. The content of files is not read.
func (v *Volume) ReadTree(ctx context.Context) (*Tree, error) {
	d, joliet := v.hierarchy()
	return v.readTree(ctx, d, joliet)
}

func (v *Volume) readTree(ctx context.Context, d *Descriptor, joliet bool) (*Tree, error) {
	t := &Tree{Root: v.root(d), Joliet: joliet}
	s := newScan(v, joliet)
	level := []*Node{t.Root}
	for depth := 0; len(level) > 0; depth++ {
		var next []*Node
		for _, dir := range level {
			if depth > maxDepth {
				return nil, formats.Damaged(part(dir), dir.at, fmt.Sprintf("a directory %d levels deep", depth), fmt.Sprintf("at most %d", maxDepth))
			}
			if err := s.directory(ctx, dir); err != nil {
				return nil, err
			}
			for _, c := range dir.Children {
				if c.Dir {
					t.Dirs++
					next = append(next, c)
				} else {
					t.Files++
					t.Bytes += c.Size
				}
			}
			if t.Dirs+1 > maxDirectories {
				return nil, &formats.LimitError{What: "number of directories", Value: int64(t.Dirs + 1), Max: maxDirectories}
			}
		}
		level = next
	}
	return t, nil
}

// scan reads directories one after another.
type scan struct {
	v        *Volume
	joliet   bool
	seen     map[uint32]*Node // by LBA
	entries  int
	buffered *bufio.Reader
}

func newScan(v *Volume, joliet bool) *scan {
	return &scan{v: v, joliet: joliet, seen: make(map[uint32]*Node), buffered: bufio.NewReaderSize(nil, 16*SectorSize)}
}

// part names an entry in a message.
func part(n *Node) string {
	switch {
	case n.Parent == nil:
		return "root directory"
	case n.Dir:
		return "directory " + quote(n.Path())
	}
	return "file " + quote(n.Path())
}

// directory reads the entries of a directory into its children.
func (s *scan) directory(ctx context.Context, dir *Node) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if dir.Size == 0 {
		return nil
	}
	if !s.v.inside(dir.LBA, dir.Size) {
		return s.v.outside(dir)
	}
	if dir.Size > maxDirectorySize {
		return &formats.LimitError{What: "size of " + part(dir), Value: dir.Size, Max: maxDirectorySize, Unit: "bytes"}
	}
	if other, ok := s.seen[dir.LBA]; ok {
		return formats.Damaged(part(dir), dir.at, fmt.Sprintf("sector %d, where %s is already: directories that loop or overlap", dir.LBA, part(other)), "an extent of its own")
	}
	s.seen[dir.LBA] = dir
	more := false // the record before said that its file goes on
	return s.records(dir, func(record []byte, at int64) error {
		identifier := record[recordSize : recordSize+int(record[32])]
		if len(identifier) == 0 || len(identifier) == 1 && identifier[0] <= 1 {
			return nil
		}
		if s.entries++; s.entries > maxEntries {
			return &formats.LimitError{What: "number of files and directories", Value: int64(s.entries), Max: maxEntries}
		}
		n := &Node{
			Name: nameOf(identifier, s.joliet), Dir: record[25]&flagDirectory != 0, Hidden: record[25]&flagHidden != 0,
			Date: Date(record[18:25]), LBA: le.Uint32(record[2:]), Size: int64(le.Uint32(record[10:])), Parent: dir, at: at,
		}
		n.Fault = s.v.fault(n, record)
		if more && n.Fault == nil {
			n.Fault = multiExtent(n)
		}
		more = record[25]&flagMultiExtent != 0
		dir.Children = append(dir.Children, n)
		if n.Dir && (record[1] != 0 || record[26] != 0 || record[27] != 0 || more) {
			return n.Fault
		}
		return nil
	})
}

// records calls f with each record of a directory and its offset in the file.
func (s *scan) records(dir *Node, f func(record []byte, at int64) error) error {
	start := int64(dir.LBA-s.v.Base) * SectorSize
	s.buffered.Reset(io.NewSectionReader(s.v.r, start, dir.Size))
	damaged := func(at int64, found, expected string) error {
		return formats.Damaged("a record of "+part(dir), s.v.offset(start+at), found, expected)
	}
	for at := int64(0); at < dir.Size; {
		head, err := s.buffered.Peek(1)
		if err != nil {
			return s.failed(dir, start+at, err)
		}
		length := int64(head[0])
		if length == 0 {
			skip := min(SectorSize-at%SectorSize, dir.Size-at)
			if _, err := s.buffered.Discard(int(skip)); err != nil {
				return s.failed(dir, start+at, err)
			}
			at += skip
			continue
		}
		if length < recordSize+1 {
			return damaged(at, fmt.Sprintf("a length of %d bytes", length), fmt.Sprintf("at least %d", recordSize+1))
		}
		if length > dir.Size-at {
			return damaged(at, fmt.Sprintf("a length of %d bytes", length), fmt.Sprintf("at most %d, to the end of the directory", dir.Size-at))
		}
		record, err := s.buffered.Peek(int(length))
		if err != nil {
			return s.failed(dir, start+at, err)
		}
		if n := int64(record[32]); recordSize+n > length {
			return damaged(at, fmt.Sprintf("an identifier of %d bytes in a record of %d", n, length), fmt.Sprintf("at most %d", length-recordSize))
		}
		if err := f(record, s.v.offset(start+at)); err != nil {
			return err
		}
		if _, err := s.buffered.Discard(int(length)); err != nil {
			return s.failed(dir, start+at, err)
		}
		at += length
	}
	return nil
}

// failed says that reading went wrong; a file that ends early has become shorter since it was opened.
func (s *scan) failed(dir *Node, at int64, err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("%s at byte %d: %w", part(dir), s.v.offset(at), err)
}

func (v *Volume) outside(n *Node) *formats.Fault {
	return formats.Damaged(part(n), n.at, fmt.Sprintf("%d bytes at sector %d", n.Size, n.LBA),
		fmt.Sprintf("an extent inside the track, sectors %d to %d: the image is cut off or damaged", v.Base, v.Base+v.Sectors-1))
}

func multiExtent(n *Node) *formats.Fault {
	return formats.Unsupported(part(n), n.at, "a file in several extents", "files in one piece, below 4 GiB")
}

// fault says what keeps an entry from being read or kept; nil when nothing does. The extent of a directory is checked when
// it is read.
func (v *Volume) fault(n *Node, record []byte) error {
	switch {
	case record[25]&flagMultiExtent != 0:
		return multiExtent(n)
	case record[26] != 0 || record[27] != 0:
		return formats.Unsupported(part(n), n.at, fmt.Sprintf("interleaved sectors (unit %d, gap %d)", record[26], record[27]), "sectors in one piece")
	case record[1] != 0:
		return formats.Unsupported(part(n), n.at, fmt.Sprintf("%d sectors of extended attributes", record[1]), "none")
	case n.Name == "" || strings.ContainsAny(n.Name, "/\\\x00"):
		return formats.Damaged(part(n), n.at, "the name "+quote(n.Name), "a name without separators")
	case !n.Dir && n.Size > 0 && !v.inside(n.LBA, n.Size):
		return v.outside(n)
	}
	return nil
}

// nameOf gives the name that an identifier spells.
func nameOf(identifier []byte, joliet bool) string {
	name := string(identifier)
	if joliet {
		name = decodeUCS2(identifier)
	}
	if i := strings.LastIndexByte(name, ';'); i >= 0 {
		name = name[:i]
	}
	return name
}

// Open gives the content of a file of this volume. A file with a fault gives that.
func (v *Volume) Open(n *Node) (*io.SectionReader, error) {
	switch {
	case n.Fault != nil:
		return nil, n.Fault
	case n.Dir:
		return nil, fmt.Errorf("open %s: a directory", quote(n.Path()))
	case n.Size == 0:
		return io.NewSectionReader(v.r, 0, 0), nil
	case !v.inside(n.LBA, n.Size):
		return nil, v.outside(n)
	}
	return io.NewSectionReader(v.r, int64(n.LBA-v.Base)*SectorSize, n.Size), nil
}

// RockRidge says whether the plain hierarchy carries POSIX names and attributes.
func (v *Volume) RockRidge(ctx context.Context) (bool, error) {
	root := v.root(v.Primary)
	if !v.inside(root.LBA, SectorSize) {
		return false, v.outside(root)
	}
	root.Size = min(root.Size, SectorSize)
	found, first := false, true
	err := newScan(v, false).records(root, func(record []byte, _ int64) error {
		if first {
			// The first entry announces the protocol: "SP", length 7, version 1, BE EF.
			use := record[min(recordSize+int(record[32])+1&^1, len(record)):]
			found = len(use) >= 7 && string(use[:6]) == "SP\x07\x01\xBE\xEF"
		}
		first = false
		return ctx.Err()
	})
	return found, err
}
