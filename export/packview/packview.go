// Package packview is what a screen shows of a build or a content pack: the tree of its files with their sizes, and what can be
// said about each of them. It draws nothing.
package packview

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"talebinder/export"
	"talebinder/formats/assetpath"
	"talebinder/formats/tspack"
	"talebinder/project/assets"
)

// A View is an open build, game folder or pack. What it says does not change while it is open; its methods may be called from
// many goroutines, Close last.
type View struct {
	Build export.BuildFolder
	Pack  *export.PackFile // nil when there is none that can be read
	Err   error            // why there is none
	Root  *Node            // the folder of the build, or the pack when it was opened alone
}

// A Node is a file or a folder of the tree. The content pack is a folder in it, whose files are its entries.
type Node struct {
	Name     string
	Path     string // of an entry: its asset path; of another file: relative to the build's folder
	Folder   bool
	IsPack   bool    // the pack; it is a folder too
	Kind     string  // of a file: its kind's display name, such as "Texture"
	Children []*Node // folders first, both in ordinal order

	Files  int   // of a folder: all that lie in it at any depth; of a file 1
	Size   int64 // bytes, decompressed
	Stored int64 // bytes as they are stored

	Entry    *tspack.Entry // of a file in the pack, else nil
	Shadowed bool          // another entry with the same path, further back in the pack, is the one that a game sees
}

// Ratio is the part of the size that is stored: 1 when nothing was saved, and of what is empty.
func (n *Node) Ratio() float64 {
	if n.Size == 0 {
		return 1
	}
	return float64(n.Stored) / float64(n.Size)
}

// Find gives the node of the file or folder with a path below n, which it has in the tree: names with slashes between them.
func (n *Node) Find(path string) *Node {
	for name := range strings.SplitSeq(path, "/") {
		i := slices.IndexFunc(n.Children, func(c *Node) bool { return c.Name == name })
		if i < 0 {
			return nil
		}
		n = n.Children[i]
	}
	return n
}

// All calls yield for n and all that lies in it, each folder before what it holds.
func (n *Node) All(yield func(*Node) bool) {
	n.walk(yield)
}

func (n *Node) walk(yield func(*Node) bool) bool {
	if !yield(n) {
		return false
	}
	for _, c := range n.Children {
		if !c.walk(yield) {
			return false
		}
	}
	return true
}

// Open opens what path names: a build folder, a game folder or a content pack. A pack that is damaged does not keep the rest of
// a build from being shown; alone it is an error.
func Open(ctx context.Context, path string) (*View, error) {
	build, err := export.FindBuild(path)
	if err != nil {
		return nil, err
	}
	v := &View{Build: build}
	if v.Build.Pack == "" {
		v.Build.Pack, v.Err = export.FindPack(path)
	}
	if v.Err == nil {
		v.Pack, v.Err = export.OpenPack(v.Build.Pack)
	}
	if build.Kind == export.PackAlone {
		if v.Err != nil {
			return nil, v.Err
		}
		v.Root = v.packNode(filepath.Base(path), path)
		v.Root.finish()
		return v, nil
	}
	v.Root = &Node{Name: filepath.Base(build.Folder), Folder: true}
	if err := v.addFiles(ctx); err != nil {
		v.Close()
		return nil, err
	}
	v.Root.finish()
	return v, nil
}

// Close closes the pack.
func (v *View) Close() error {
	if v.Pack == nil {
		return nil
	}
	return v.Pack.Close()
}

// addFiles adds the files on disk, hidden ones aside.
func (v *View) addFiles(ctx context.Context) error {
	root := v.Build.Folder
	pack, _ := os.Stat(v.Build.Pack)
	t := tree{root: v.Root, folders: map[string]*Node{"": v.Root}}
	return filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || file == root {
			return err
		}
		if strings.HasPrefix(d.Name(), ".") {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			return nil
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		path := filepath.ToSlash(rel)
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if v.Pack != nil && pack != nil && os.SameFile(pack, info) {
			t.add(path, v.packNode(d.Name(), path))
			return nil
		}
		t.add(path, &Node{Name: d.Name(), Path: path, Kind: assets.KindOf(path).Name, Files: 1, Size: info.Size(), Stored: info.Size()})
		return nil
	})
}

// packNode makes the tree of the pack.
func (v *View) packNode(name, path string) *Node {
	root := &Node{Name: name, Path: path, Folder: true, IsPack: true}
	t := tree{root: root, folders: map[string]*Node{"": root}}
	entries := v.Pack.Entries()
	last := make(map[string]int, len(entries))
	for i, e := range entries {
		last[assetpath.Fold(e.Path)] = i
	}
	for i := range entries {
		e := &entries[i]
		t.add(e.Path, &Node{Name: assetpath.Base(e.Path), Path: e.Path, Kind: assets.KindOf(e.Path).Name, Files: 1, Size: e.ContentLength(), Stored: e.StoredLength,
			Entry: e, Shadowed: last[assetpath.Fold(e.Path)] != i})
	}
	return root
}

// A tree is built from the paths of files.
type tree struct {
	root    *Node
	folders map[string]*Node
}

// add puts a node at a path.
func (t *tree) add(at string, n *Node) {
	folder := t.folder(assetpath.Dir(at))
	folder.Children = append(folder.Children, n)
}

func (t *tree) folder(at string) *Node {
	if n, ok := t.folders[at]; ok {
		return n
	}
	n := &Node{Name: path.Base(at), Path: at, Folder: true}
	t.folders[at] = n
	t.add(at, n)
	return n
}

// finish sorts the tree and adds up its folders.
func (n *Node) finish() {
	if !n.Folder {
		return
	}
	for _, c := range n.Children {
		c.finish()
		n.Files += c.Files
		n.Size += c.Size
		n.Stored += c.Stored
	}
	slices.SortStableFunc(n.Children, func(a, b *Node) int {
		if a.Folder != b.Folder {
			if a.Folder {
				return -1
			}
			return 1
		}
		return assetpath.Compare(a.Name, b.Name)
	})
}

// open opens a file of the tree.
func (v *View) open(n *Node) (io.ReadCloser, error) {
	if n.Folder {
		return nil, errors.New("is a folder")
	}
	if n.Entry != nil {
		return v.Pack.Open(*n.Entry)
	}
	file, err := assetpath.SafeJoin(v.Build.Folder, n.Path)
	if err != nil {
		return nil, err
	}
	return os.Open(file)
}
