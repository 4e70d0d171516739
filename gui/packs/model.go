// Package packs is the screen that looks into content packs: what is in them and how large, whether it is sound, and what
// differs from another pack. It takes packs, builds and game folders, whoever made them.
package packs

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"talebinder/export/packview"
	"talebinder/formats/assetpath"
	"talebinder/formats/tspack"
	"talebinder/gui/ui"
)

// An Entry is one file of a pack, or of the build around it.
type Entry struct {
	Path   string // in the tree
	Name   string // its last part
	Asset  string // its path in the pack; empty for a file beside it
	Kind   string // display name
	Size   int64  // bytes, once decompressed
	Stored int64  // bytes as they are stored
	Packed bool   // compressed
	Hidden bool   // a later entry has the same path: the game never sees this one

	folded string // the path in lower case, for searching
	folder int32
}

// Order is the column that the list is sorted by.
type Order uint8

// The orders. Sizes put the largest first, the ratio what is compressed worst.
const (
	ByName Order = iota
	ByKind
	BySize
	ByStored
	ByRatio
)

// A Row is one line in sight: a file or a folder.
type Row struct {
	index int32 // of the entry, or ^index of the folder
	Depth int16
}

// A Folder is one folder with what it holds under the search.
type Folder struct {
	Path, Name   string // empty for the root
	Files        int    // matching files below it, at any depth
	Size, Stored int64  // of them, in bytes
	Pack         bool   // it is the content pack of a build

	parent  int32
	folders []int32
	files   []int32
}

// Tree is a pack behind the screen: its files once, and the rows that the search, the order and the open folders leave in
// sight.
type Tree struct {
	pack    string // path of the pack in the tree of a build; empty for a pack alone
	entries []Entry
	folders []Folder // parents before their children; the first is the root
	byPath  map[string]int32
	at      map[string]int32 // folders by path

	query      string
	order      Order
	descending bool
	closed     map[string]bool
	match      []bool
	rows       []Row
}

// NewTree takes the files of a pack, or of a build with the pack as one of its folders.
func NewTree(v *packview.View) *Tree {
	t := &Tree{folders: []Folder{{parent: -1}}, byPath: map[string]int32{}, at: map[string]int32{"": 0}, closed: map[string]bool{}}
	t.take(v.Root, "")
	slices.SortStableFunc(t.entries, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	t.match = make([]bool, len(t.entries))
	for i := range t.entries {
		e := &t.entries[i]
		dir, _ := path.Split(e.Path)
		e.folder = t.folder(strings.TrimSuffix(dir, "/"))
		t.folders[e.folder].files = append(t.folders[e.folder].files, int32(i))
		if !e.Hidden {
			t.byPath[e.Path] = int32(i)
		}
	}
	if t.pack != "" {
		t.folders[t.folder(t.pack)].Pack = true
	}
	t.update()
	return t
}

// take adds the files below a node, whose path in the tree is at.
func (t *Tree) take(n *packview.Node, at string) {
	if n.IsPack {
		t.pack = at
	}
	for _, c := range n.Children {
		p := path.Join(at, c.Name)
		if c.Folder {
			t.take(c, p)
			continue
		}
		e := Entry{Path: p, Name: c.Name, Kind: c.Kind, Size: c.Size, Stored: c.Stored, Hidden: c.Shadowed, folded: strings.ToLower(p)}
		if c.Entry != nil {
			e.Asset, e.Packed = c.Entry.Path, c.Entry.Compression != tspack.Stored
		}
		t.entries = append(t.entries, e)
	}
}

// Asset gives what a path of the tree is called in the pack, if it lies in there. The pack itself is "".
func (t *Tree) Asset(p string) (asset string, inside bool) {
	if t.pack == "" {
		return p, true
	}
	if p == t.pack {
		return "", true
	}
	if asset, inside = strings.CutPrefix(p, t.pack+"/"); !inside {
		return "", false
	}
	return asset, true
}

// Find gives the path in the tree of a file that is named as in the pack, or as in the build.
func (t *Tree) Find(name string) (p string, ok bool) {
	for _, p := range []string{path.Join(t.pack, name), name} {
		if t.ByPath(p) != nil {
			return p, true
		}
	}
	return "", false
}

func (t *Tree) folder(p string) int32 {
	if i, ok := t.at[p]; ok {
		return i
	}
	dir, name := path.Split(p)
	parent := t.folder(strings.TrimSuffix(dir, "/"))
	i := int32(len(t.folders))
	t.folders = append(t.folders, Folder{Path: p, Name: name, parent: parent})
	t.folders[parent].folders = append(t.folders[parent].folders, i)
	t.at[p] = i
	return i
}

// Len is the number of rows in sight.
func (t *Tree) Len() int { return len(t.rows) }

// Row gives a row in sight.
func (t *Tree) Row(i int) Row { return t.rows[i] }

// Entry gives the file of a row, or nil for a folder.
func (t *Tree) Entry(r Row) *Entry {
	if r.index < 0 {
		return nil
	}
	return &t.entries[r.index]
}

// Folder gives the folder of a row, or nil for a file.
func (t *Tree) Folder(r Row) *Folder {
	if r.index >= 0 {
		return nil
	}
	return &t.folders[^r.index]
}

// ByPath gives the file that the game sees under a path, or nil.
func (t *Tree) ByPath(p string) *Entry {
	if i, ok := t.byPath[p]; ok {
		return &t.entries[i]
	}
	return nil
}

// FolderByPath gives a folder, or nil.
func (t *Tree) FolderByPath(p string) *Folder {
	if i, ok := t.at[p]; ok && p != "" {
		return &t.folders[i]
	}
	return nil
}

// Open says whether a folder's rows are in sight. While something is searched for, all of them are.
func (t *Tree) Open(f *Folder) bool { return t.query != "" || !t.closed[f.Path] }

// SetOpen opens or closes a folder.
func (t *Tree) SetOpen(p string, open bool) {
	t.closed[p] = !open
	t.list()
}

// Search keeps the files whose paths contain all words, whatever their case.
func (t *Tree) Search(query string) {
	if query = strings.ToLower(query); query != t.query {
		t.query = query
		t.update()
	}
}

// Order gives the column that the list is sorted by, and whether it runs against its natural direction.
func (t *Tree) Order() (Order, bool) { return t.order, t.descending }

// SortBy sorts by a column in its natural direction, and turns the direction when it is the current one.
func (t *Tree) SortBy(o Order) {
	t.descending = o == t.order && !t.descending
	t.order = o
	t.list()
}

// Shown adds up what the search leaves.
func (t *Tree) Shown() *Folder { return &t.folders[0] }

// Index gives the row of a path, or -1 when it is not in sight.
func (t *Tree) Index(p string) int {
	want, ok := t.byPath[p]
	if !ok {
		f, ok := t.at[p]
		if !ok || p == "" {
			return -1
		}
		want = ^f
	}
	return slices.IndexFunc(t.rows, func(r Row) bool { return r.index == want })
}

// Reveal brings a path into the rows and gives its row: it opens the folders above it, and gives up a search that hides it.
// It gives -1 for a path that the pack does not have.
func (t *Tree) Reveal(p string) int {
	i, ok := t.byPath[p]
	if !ok {
		return -1
	}
	if !t.match[i] {
		t.query = ""
		t.update()
	}
	for f := t.entries[i].folder; f > 0; f = t.folders[f].parent {
		delete(t.closed, t.folders[f].Path)
	}
	t.list()
	return t.Index(p)
}

// Take gives the tree the search, order and open folders of an earlier one.
func (t *Tree) Take(from *Tree) {
	t.query, t.order, t.descending, t.closed = from.query, from.order, from.descending, from.closed
	t.update()
}

// update applies the search, adds up the folders and lists the rows.
func (t *Tree) update() {
	for i := range t.folders {
		f := &t.folders[i]
		f.Files, f.Size, f.Stored = 0, 0, 0
	}
	words := strings.Fields(t.query)
	for i := range t.entries {
		e := &t.entries[i]
		t.match[i] = !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(e.folded, w) })
		if t.match[i] {
			f := &t.folders[e.folder]
			f.Files++
			f.Size += e.Size
			f.Stored += e.Stored
		}
	}
	for i := len(t.folders) - 1; i > 0; i-- {
		f := &t.folders[i]
		p := &t.folders[f.parent]
		p.Files += f.Files
		p.Size += f.Size
		p.Stored += f.Stored
	}
	t.list()
}

// list writes the rows in sight: the folders of a folder before its files.
func (t *Tree) list() {
	t.rows = t.rows[:0]
	t.listFolder(0, 0)
}

func (t *Tree) listFolder(f int32, depth int16) {
	folder := &t.folders[f]
	var folders, files []Row
	for _, i := range folder.folders {
		if t.folders[i].Files > 0 {
			folders = append(folders, Row{^i, depth})
		}
	}
	t.sort(folders)
	for _, r := range folders {
		t.rows = append(t.rows, r)
		if t.Open(&t.folders[^r.index]) {
			t.listFolder(^r.index, depth+1)
		}
	}
	for _, i := range folder.files {
		if t.match[i] {
			files = append(files, Row{i, depth})
		}
	}
	t.sort(files)
	t.rows = append(t.rows, files...)
}

// facts of a row that orders compare.
func (t *Tree) facts(r Row) (name, kind string, size, stored int64) {
	if f := t.Folder(r); f != nil {
		return f.Name, "", f.Size, f.Stored
	}
	e := t.Entry(r)
	return e.Name, e.Kind, e.Size, e.Stored
}

func (t *Tree) sort(rows []Row) {
	slices.SortStableFunc(rows, func(a, b Row) int {
		an, ak, as, ap := t.facts(a)
		bn, bk, bs, bp := t.facts(b)
		by := 0
		switch t.order {
		case ByName:
			by = strings.Compare(an, bn)
		case ByKind:
			by = strings.Compare(ak, bk)
		case BySize:
			by = cmp.Compare(bs, as)
		case ByStored:
			by = cmp.Compare(bp, ap)
		case ByRatio:
			by = cmp.Compare(ratio(bp, bs), ratio(ap, as))
		}
		if t.descending {
			by = -by
		}
		return cmp.Or(by, strings.Compare(an, bn))
	})
}

// ratio is the stored size as a part of the size; 1 for an empty file.
func ratio(stored, size int64) float64 {
	if size == 0 {
		return 1
	}
	return float64(stored) / float64(size)
}

// ratioText writes a ratio for people.
func ratioText(stored, size int64) string {
	if size == 0 {
		return "–"
	}
	return ui.Percent(min(1, ratio(stored, size)))
}

// A Part is a kind of file with what it takes.
type Part struct {
	Kind   string
	Files  int
	Stored int64 // bytes
}

// Parts adds up the kinds below a folder, the largest first; "" is everything.
func (t *Tree) Parts(folder string) []Part {
	var parts []Part
	at := map[string]int{}
	for i := range t.entries {
		e := &t.entries[i]
		if folder != "" && !assetpath.Within(e.Path, folder) {
			continue
		}
		j, ok := at[e.Kind]
		if !ok {
			j = len(parts)
			at[e.Kind] = j
			parts = append(parts, Part{Kind: e.Kind})
		}
		parts[j].Files++
		parts[j].Stored += e.Stored
	}
	slices.SortFunc(parts, func(a, b Part) int { return cmp.Or(cmp.Compare(b.Stored, a.Stored), strings.Compare(a.Kind, b.Kind)) })
	return parts
}
