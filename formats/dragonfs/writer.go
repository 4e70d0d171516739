package dragonfs

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"talebinder/formats"
)

// A Layout is an image to be written: where everything goes is known, the data of the files has not been read yet.
type Layout struct {
	Size  int64 // bytes of the image
	Files int

	blocks []block  // in the order of the image
	tail   []byte   // lookup table and path text
	lookup int64    // offset of the lookup table
	table  uint32   // size of the lookup table
	root   *pending // its first child stands at 26
}

// A pending node is one that is going to be written.
type pending struct {
	name     string
	path     string
	dir      bool
	source   *Source
	children []*pending

	offset int64 // of the entry block
	data   int64 // of the data, or of the first entry of a directory; 0 for one that is empty
	next   int64
}

// A block is an entry block, with the data of a file behind it.
type block struct{ node *pending }

// NewLayout lays out a tree. What the format cannot hold is refused: an error names the path.
func NewLayout(sources []Source) (*Layout, error) {
	l := &Layout{root: &pending{dir: true}}
	dirs := map[string]*pending{"": l.root}
	files := make(map[string]bool)
	// In the order of the paths, so that an error does not depend on the order of the sources.
	sorted := make([]*Source, len(sources))
	for i := range sources {
		sorted[i] = &sources[i]
	}
	slices.SortStableFunc(sorted, func(a, b *Source) int { return strings.Compare(a.Path, b.Path) })
	for _, s := range sorted {
		if s.Dir {
			if _, err := l.directory(dirs, files, s.Path); err != nil {
				return nil, err
			}
			continue
		}
		if err := l.file(dirs, files, s); err != nil {
			return nil, err
		}
	}
	if len(l.root.children) == 0 {
		return nil, errors.New("a file system needs a file or a directory at least")
	}
	at := int64(rootSize)
	if err := l.place(l.root, &at); err != nil {
		return nil, err
	}
	if err := l.index(at); err != nil {
		return nil, err
	}
	return l, nil
}

// directory finds or adds a directory and those that lead to it.
func (l *Layout) directory(dirs map[string]*pending, files map[string]bool, path string) (*pending, error) {
	if dir := dirs[path]; dir != nil {
		return dir, nil
	}
	if files[path] {
		return nil, fmt.Errorf("%s: a file and a directory have this path", path)
	}
	parentPath, name := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		parentPath, name = path[:i], path[i+1:]
	}
	if err := checkName(path, name); err != nil {
		return nil, err
	}
	if strings.Count(path, "/") > maxDepth {
		return nil, &formats.LimitError{What: "depth of " + path, Value: int64(strings.Count(path, "/")), Max: maxDepth, Unit: "directories"}
	}
	parent, err := l.directory(dirs, files, parentPath)
	if err != nil {
		return nil, err
	}
	dir := &pending{name: name, path: path, dir: true}
	parent.children = append(parent.children, dir)
	dirs[path] = dir
	return dir, nil
}

func (l *Layout) file(dirs map[string]*pending, files map[string]bool, s *Source) error {
	parentPath, name := "", s.Path
	if i := strings.LastIndexByte(s.Path, '/'); i >= 0 {
		parentPath, name = s.Path[:i], s.Path[i+1:]
	}
	if err := checkName(s.Path, name); err != nil {
		return err
	}
	switch {
	case len(s.Path) > MaxPath:
		return &formats.LimitError{What: "length of the path " + s.Path, Value: int64(len(s.Path)), Max: MaxPath, Unit: "bytes"}
	case s.Size < 0 || s.Size > MaxFile:
		return &formats.LimitError{What: "size of " + s.Path, Value: s.Size, Max: MaxFile, Unit: "bytes"}
	case files[s.Path]:
		return fmt.Errorf("%s: two files have this path", s.Path)
	case dirs[s.Path] != nil:
		return fmt.Errorf("%s: a file and a directory have this path", s.Path)
	}
	parent, err := l.directory(dirs, files, parentPath)
	if err != nil {
		return err
	}
	parent.children = append(parent.children, &pending{name: name, path: s.Path, source: s})
	files[s.Path] = true
	return nil
}

func checkName(path, name string) error {
	switch {
	case name == "":
		return fmt.Errorf("%q: an empty name", path)
	case strings.IndexByte(name, 0) >= 0:
		return fmt.Errorf("%q: a name with a NUL", path)
	case len(name) > MaxName:
		return &formats.LimitError{What: "length of the name of " + path, Value: int64(len(name)), Max: MaxName, Unit: "bytes"}
	}
	return nil
}

// place gives the entries of a directory and everything below them their offsets.
func (l *Layout) place(dir *pending, at *int64) error {
	slices.SortFunc(dir.children, func(a, b *pending) int { return strings.Compare(a.name, b.name) })
	for i, child := range dir.children {
		child.offset = *at
		if i > 0 {
			dir.children[i-1].next = *at
		}
		l.blocks = append(l.blocks, block{child})
		*at += even(int64(entryHeader + len(child.name) + 1))
		if child.dir {
			if len(child.children) > 0 {
				child.data = *at
			}
			if err := l.place(child, at); err != nil {
				return err
			}
			continue
		}
		l.Files++
		child.data = *at
		*at += even(child.source.Size)
		if *at > maxImage {
			return &formats.LimitError{What: "size of the file system", Value: *at, Max: maxImage, Unit: "bytes"}
		}
	}
	return nil
}

// index makes the lookup table and the path text.
func (l *Layout) index(at int64) error {
	type row struct {
		hash uint32
		node *pending
	}
	var rows []row
	for _, b := range l.blocks {
		if !b.node.dir {
			rows = append(rows, row{hash(b.node.path), b.node})
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.hash, b.hash) })
	l.lookup, l.table = at, uint32(lookupStart+lookupEntry*len(rows))
	l.tail = binary.BigEndian.AppendUint32(l.tail, uint32(len(rows)))
	l.tail = binary.BigEndian.AppendUint32(l.tail, uint32(at)+l.table)
	text := int64(0)
	for _, r := range rows {
		length := int64(len(r.node.path) + 1)
		if text+even(length) > MaxPathText {
			return &formats.LimitError{What: "length of all paths together", Value: text + even(length), Max: MaxPathText, Unit: "bytes"}
		}
		l.tail = binary.BigEndian.AppendUint32(l.tail, r.hash)
		l.tail = binary.BigEndian.AppendUint32(l.tail, uint32(length)<<20|uint32(text))
		l.tail = binary.BigEndian.AppendUint32(l.tail, uint32(r.node.data))
		l.tail = binary.BigEndian.AppendUint32(l.tail, uint32(r.node.source.Size))
		text += even(length)
	}
	for _, r := range rows {
		l.tail = append(append(l.tail, r.node.path...), 0)
		if (len(r.node.path)+1)%2 != 0 {
			l.tail = append(l.tail, 0)
		}
	}
	l.Size = at + int64(len(l.tail))
	return nil
}

// Write writes the image to w in one go, from its first byte to its last. A file that has another length than its source says
// is an error, as its place in the image is taken.
func (l *Layout) Write(ctx context.Context, w io.Writer) error {
	var b []byte
	b = binary.BigEndian.AppendUint32(b, l.table)
	b = append(b, 0xFF, 0xFF, 0xFF, 0xFF)
	b = binary.BigEndian.AppendUint32(b, uint32(l.lookup))
	b = append(append(b, identifier...), 0, 0)
	for _, block := range l.blocks {
		n := block.node
		b = binary.BigEndian.AppendUint32(b, uint32(n.next))
		if n.dir {
			b = binary.BigEndian.AppendUint32(b, dirFlag)
		} else {
			b = binary.BigEndian.AppendUint32(b, uint32(n.source.Size))
		}
		b = binary.BigEndian.AppendUint32(b, uint32(n.data))
		b = append(append(b, n.name...), 0)
		if len(n.name)%2 == 0 {
			b = append(b, 0)
		}
		if n.dir || n.source.Size == 0 {
			continue
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
		b = b[:0]
		if err := copyFile(ctx, w, n.source); err != nil {
			return err
		}
		if n.source.Size%2 != 0 {
			b = append(b, 0)
		}
	}
	_, err := w.Write(append(b, l.tail...))
	return err
}

func copyFile(ctx context.Context, w io.Writer, s *Source) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	in, err := s.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	n, err := io.CopyN(w, in, s.Size)
	if err == io.EOF {
		return fmt.Errorf("%s: it has only %d bytes, expected %d: did it change?", s.Path, n, s.Size)
	}
	if err != nil {
		return err
	}
	if more, err := in.Read(make([]byte, 1)); more > 0 {
		return fmt.Errorf("%s: it has more than %d bytes: did it change?", s.Path, s.Size)
	} else if err != nil && err != io.EOF {
		return err
	}
	return nil
}
