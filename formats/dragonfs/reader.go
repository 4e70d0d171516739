package dragonfs

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"talebinder/formats"
)

// Limits of what is read, far beyond what fits on a cartridge.
const (
	maxEntries = 1 << 18
	maxDepth   = 256
	maxImage   = 256 << 20 // bytes
)

// NewReader reads the directories of an image of size bytes. The data of files is not looked at.
func NewReader(r io.ReaderAt, size int64) (*FS, error) {
	if size < MinSize {
		return nil, formats.Damaged("file system", -1, fmt.Sprintf("a length of %d bytes", size), fmt.Sprintf("%d at least", MinSize))
	}
	if size > maxImage {
		return nil, &formats.LimitError{What: "length of the file system", Value: size, Max: maxImage, Unit: "bytes"}
	}
	var root [rootSize]byte
	n, err := r.ReadAt(root[:min(size, rootSize)], 0)
	if n < MinSize {
		return nil, short(err, "root block", 0)
	}
	if !bytes.Equal(root[4:8], []byte{0xFF, 0xFF, 0xFF, 0xFF}) {
		return nil, formats.Damaged("root block", 4, fmt.Sprintf("% X", root[4:8]), "FF FF FF FF: this is no DragonFS image of version 2.1")
	}
	if id := root[12 : 12+len(identifier)]; string(id) != identifier {
		if bytes.HasPrefix(id, []byte("DragonFS ")) {
			return nil, formats.Unsupported("root block", 12, fmt.Sprintf("%q", id), fmt.Sprintf("%q: build the image with newer tools of libdragon", identifier))
		}
		return nil, formats.Damaged("root block", 12, fmt.Sprintf("%q", id), fmt.Sprintf("%q", identifier))
	}
	d := &dirReader{r: r, size: size, seen: make(map[uint32]bool), fs: &FS{Root: &Node{Dir: true}, r: r}}
	first := uint32(rootSize)
	if lookup := binary.BigEndian.Uint32(root[8:]); size <= rootSize || lookup == rootSize {
		first = 0 // no entry
	}
	if err := d.chain(d.fs.Root, first, 0); err != nil {
		return nil, err
	}
	return d.fs, nil
}

type dirReader struct {
	r     io.ReaderAt
	size  int64
	fs    *FS
	seen  map[uint32]bool
	bytes int64 // of all entry blocks: they do not overlap, so they fit into the image
}

// chain reads the entries of a directory from the first one on.
func (d *dirReader) chain(dir *Node, at uint32, depth int) error {
	if depth > maxDepth {
		return formats.Unsupported("directory "+quote(dir), int64(at), fmt.Sprintf("more than %d levels of directories", maxDepth), "fewer")
	}
	for at != 0 {
		node, next, first, err := d.entry(dir, at)
		if err != nil {
			return err
		}
		dir.Children = append(dir.Children, node)
		if node.Dir {
			d.fs.Dirs++
			if err := d.chain(node, first, depth+1); err != nil {
				return err
			}
		} else {
			d.fs.Files++
			d.fs.Bytes += node.Size
		}
		at = next
	}
	return nil
}

func quote(dir *Node) string {
	if dir.Parent == nil {
		return "root"
	}
	return fmt.Sprintf("%q", dir.Path())
}

// entry reads the entry block at an offset.
func (d *dirReader) entry(dir *Node, at uint32) (node *Node, next, first uint32, err error) {
	part := "entry of directory " + quote(dir)
	offset := int64(at)
	switch {
	case at%2 != 0 || offset < rootSize || offset+entryHeader+2 > d.size:
		return nil, 0, 0, formats.Damaged(part, offset, fmt.Sprintf("an entry at byte %d", at), fmt.Sprintf("one at an even offset from %d to %d", rootSize, d.size-entryHeader-2))
	case d.seen[at]:
		return nil, 0, 0, formats.Damaged(part, offset, "an entry that another entry leads to as well", "every entry once: the directories run in a circle")
	case len(d.seen) >= maxEntries:
		return nil, 0, 0, formats.Unsupported(part, offset, fmt.Sprintf("more than %d entries", maxEntries), "fewer")
	}
	d.seen[at] = true
	var b [entryHeader + MaxName + 1]byte
	n, err := d.r.ReadAt(b[:min(int64(len(b)), d.size-offset)], offset)
	if n < entryHeader+2 {
		return nil, 0, 0, short(err, part, offset)
	}
	name, _, ended := bytes.Cut(b[entryHeader:n], []byte{0})
	if !ended || len(name) == 0 {
		return nil, 0, 0, formats.Damaged(part, offset+entryHeader, "no name that ends with a NUL", fmt.Sprintf("a name of 1 to %d bytes", MaxName))
	}
	if i := bytes.IndexByte(name, '/'); i >= 0 {
		return nil, 0, 0, formats.Damaged(part, offset+entryHeader+int64(i), fmt.Sprintf("the name %q", name), "a name without the slash that parts names in a path")
	}
	if d.bytes += even(int64(entryHeader + len(name) + 1)); d.bytes > d.size {
		return nil, 0, 0, formats.Damaged(part, offset, "entries that overlap", "entries that fit into the file system together")
	}
	flags, pointer := binary.BigEndian.Uint32(b[4:]), binary.BigEndian.Uint32(b[8:])
	node = &Node{Name: string(name), Parent: dir}
	switch {
	case flags == dirFlag:
		node.Dir, first = true, pointer
	case flags >= dirFlag:
		return nil, 0, 0, formats.Damaged(part, offset+4, fmt.Sprintf("flags %08X", flags), "10000000 for a directory, or the size of a file")
	default:
		node.Size, node.Offset = int64(flags), int64(pointer)
		if node.Offset+node.Size > d.size {
			return nil, 0, 0, formats.Damaged(fmt.Sprintf("file %q", node.Path()), offset+8, fmt.Sprintf("data that ends at byte %d", node.Offset+node.Size), fmt.Sprintf("an end within the file system's %d bytes", d.size))
		}
	}
	return node, binary.BigEndian.Uint32(b[:]), first, nil
}

// short makes a fault of an end of the file that came too early.
func short(err error, part string, offset int64) error {
	if err == nil || err == io.EOF || err == io.ErrUnexpectedEOF {
		return formats.Damaged(part, offset, "the end of the file", "the whole of it")
	}
	return err
}
