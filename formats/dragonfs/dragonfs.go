// Package dragonfs reads and writes DragonFS 2.1 images, the read-only file system that libdragon's tools put at the end of a
// Nintendo 64 cartridge.
//
// All numbers are big-endian, all offsets count from the start of the image, and every block is padded with a zero to an even
// length.
//
//	Root block
//	 0  4  size of the lookup table
//	 4  4  FF FF FF FF
//	 8  4  offset of the lookup table
//	12 14  "DragonFS 2.1", NUL, pad
//
//	Entry block
//	 0  4  offset of the next entry of the same directory, 0 after the last one
//	 4  4  0x10000000 for a directory, the size of a file
//	 8  4  directory: offset of its first entry, 0 when it is empty; file: offset of its data
//	12     name, NUL
//
//	Lookup table
//	 0  4  number of files
//	 4  4  offset of the path text
//	 8 16  a file: hash of its path, length of the path with its NUL << 20 | offset in the path text, offset of the data, size
//
// The first entry of the root stands at 26; nothing points at it. The hash of a path is h = 31 h + byte, the bytes taken as
// signed, modulo 2^32. The lookup table is sorted by hash as an unsigned number; equal hashes stand in the order in which the
// files are stored. Paths have no leading slash; each ends with a NUL and begins at an even offset of the path text.
//
// The writer stores, for the entries of a directory in the order of their bytes: the entry block, then directly behind it the
// data of the file, or the blocks of the directory. The lookup table and the path text follow. Given back its own tree, an
// image that was written in this order comes out the same byte for byte. The reader takes blocks in any order.
package dragonfs

import (
	"io"
	"iter"
)

// Limits of the format.
const (
	MaxName     = 243       // bytes of a name
	MaxPath     = 4094      // bytes of a path
	MaxFile     = 1<<28 - 1 // bytes of a file
	MaxPathText = 1<<20 - 1 // bytes of all paths together, with their NULs and pads

	rootSize    = 26
	entryHeader = 12 // in front of the name
	lookupEntry = 16
	lookupStart = 8
	dirFlag     = 1 << 28
	identifier  = "DragonFS 2.1"
	// MinSize is how long an image has to be to hold a root block, in bytes.
	MinSize = 25
)

// A Node is a file or a directory of an image.
type Node struct {
	Name     string // unchecked bytes, as stored: look at it before it becomes a path of a system
	Dir      bool
	Size     int64 // bytes of a file
	Offset   int64 // of a file's data in the image, in bytes
	Parent   *Node // nil for the root
	Children []*Node
}

// Path gives the names from below the root to the node, with slashes between them; "" for the root.
func (n *Node) Path() string {
	if n.Parent == nil || n.Parent.Parent == nil {
		return n.Name
	}
	return n.Parent.Path() + "/" + n.Name
}

// FS is an image whose directories have been read.
type FS struct {
	Root  *Node
	Files int
	Dirs  int   // without the root
	Bytes int64 // of all files

	r io.ReaderAt
}

// Open gives the data of a file.
func (fs *FS) Open(n *Node) *io.SectionReader { return io.NewSectionReader(fs.r, n.Offset, n.Size) }

// All gives everything below the root: a directory before what is in it.
func (fs *FS) All() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		var walk func(n *Node) bool
		walk = func(n *Node) bool {
			for _, child := range n.Children {
				if !yield(child) || !walk(child) {
					return false
				}
			}
			return true
		}
		walk(fs.Root)
	}
}

// A Source is a file or directory of a tree to write.
type Source struct {
	Path string // slashes; the directories that lead to it need not be listed
	Dir  bool
	Size int64 // bytes of a file; Open has to give exactly that many
	Open func() (io.ReadCloser, error)
}

// hash is that of a path in the lookup table.
func hash(path string) uint32 {
	h := uint32(0)
	for i := range len(path) {
		h = h*31 + uint32(int8(path[i]))
	}
	return h
}

// even rounds up to the length of a block.
func even(n int64) int64 { return n + n&1 }
