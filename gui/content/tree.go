package content

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// State says whether a file ships, and how.
type State uint8

// The states.
const (
	Packed State = iota // in the content pack
	Loose               // beside the pack, as a file of its own
	Left                // not at all
)

// An Entry is one file of the project on this screen.
type Entry struct {
	Path    string // asset path
	Name    string // its last part
	Kind    string // display name of the kind
	State   State
	Reason  string // the word for why it ships or why it does not, one of a handful
	Via     string // what brought it in; empty for what stays behind
	Size    int64  // bytes, uncompressed
	Missing int    // references that lead nowhere
	Broken  bool   // the missing references fail an export

	source int32  // index in the list of the content that it comes from, which the state tells
	folded string // the path in lower case, for searching
	folder int32
}

// Layout is the shape of the list.
type Layout uint8

// The layouts.
const (
	Folders Layout = iota // a tree by folder
	Flat                  // one list of paths
)

// Mode says which files are listed at all.
type Mode uint8

// The modes.
const (
	ModeShips Mode = iota
	ModeLeft
	ModeAll
	ModeProblems
)

// Order is the column that the list is sorted by.
type Order uint8

// The orders. Size and missing references put the largest first.
const (
	ByName Order = iota
	ByKind
	BySize
	ByReason
	ByVia
)

// Filter is everything a person can set to narrow the list.
type Filter struct {
	Mode   Mode
	Query  string // words that all have to occur in the path, whatever their case
	Kind   string // empty: every kind
	Reason string // empty: every reason
}

// A Row is one line in sight: a file or a folder.
type Row struct {
	index int32 // of the entry, or ^index of the folder
	Depth int16
}

// IsFolder says whether the row stands for a folder.
func (r Row) IsFolder() bool { return r.index < 0 }

// A Folder is one folder with what it holds under the filter.
type Folder struct {
	Path string // empty for the root
	Name string

	Files   int   // matching files below it, at any depth
	Size    int64 // their size in bytes
	Missing int   // their references that lead nowhere

	parent  int32
	folders []int32
	files   []int32
}

// Tree is the list behind the screen: every file once, and the rows that the filter, the layout, the order and the open
// folders leave in sight. It does no work while it is scrolled.
type Tree struct {
	entries []Entry
	folders []Folder // parents before their children; the first is the root
	byPath  map[string]int32
	at      map[string]int32 // folders by path

	filter     Filter
	layout     Layout
	order      Order
	descending bool
	closed     map[string]bool // folders by path; what is not in it has the default
	openAll    bool            // the default

	counts  [ModeProblems + 1]modeCounts
	rows    []Row
	files   int
	size    int64
	missing int
	match   []bool
}

// fewFiles is the number of files up to which a tree shows all of its folders open at first.
const fewFiles = 400

// NewTree takes the files of a project. The entries may come in any order and are kept in path order.
func NewTree(entries []Entry) *Tree {
	t := &Tree{
		entries: entries,
		folders: []Folder{{parent: -1}},
		byPath:  make(map[string]int32, len(entries)),
		at:      map[string]int32{"": 0},
		closed:  map[string]bool{},
		openAll: len(entries) <= fewFiles,
		match:   make([]bool, len(entries)),
	}
	if !slices.IsSortedFunc(entries, byPath) {
		slices.SortFunc(entries, byPath)
	}
	for i := range entries {
		e := &entries[i]
		dir, name := path.Split(e.Path)
		e.Name, e.folded = name, strings.ToLower(e.Path)
		e.folder = t.folder(strings.TrimSuffix(dir, "/"))
		t.folders[e.folder].files = append(t.folders[e.folder].files, int32(i))
		t.byPath[e.Path] = int32(i)
	}
	t.update()
	return t
}

func byPath(a, b Entry) int { return strings.Compare(a.Path, b.Path) }

// folder gives the index of a folder and makes it and those above it when they are new.
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

// Take gives the tree the filter, layout, order and open folders of an earlier one, so that new results of the same
// project change nothing but the results.
func (t *Tree) Take(from *Tree) {
	t.filter, t.layout, t.order, t.descending = from.filter, from.layout, from.order, from.descending
	t.closed, t.openAll = from.closed, from.openAll
	t.update()
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

// ByPath gives the file with an asset path, or nil.
func (t *Tree) ByPath(p string) *Entry {
	if i, ok := t.byPath[p]; ok {
		return &t.entries[i]
	}
	return nil
}

// FolderByPath gives the folder with an asset path, or nil.
func (t *Tree) FolderByPath(p string) *Folder {
	if i, ok := t.at[p]; ok && p != "" {
		return &t.folders[i]
	}
	return nil
}

// Open says whether a folder's rows are in sight. While something is searched for, all of them are.
func (t *Tree) Open(f *Folder) bool {
	if t.filter.Query != "" {
		return true
	}
	if closed, ok := t.closed[f.Path]; ok {
		return !closed
	}
	return t.openAll
}

// SetOpen opens or closes a folder.
func (t *Tree) SetOpen(p string, open bool) {
	t.closed[p] = !open
	t.list()
}

// SetAllOpen opens or closes every folder.
func (t *Tree) SetAllOpen(open bool) {
	clear(t.closed)
	t.openAll = open
	t.list()
}

// Filter gives what the list is narrowed to.
func (t *Tree) Filter() Filter { return t.filter }

// SetFilter narrows the list.
func (t *Tree) SetFilter(f Filter) {
	if f != t.filter {
		t.filter = f
		t.update()
	}
}

// Layout gives the shape of the list.
func (t *Tree) Layout() Layout { return t.layout }

// SetLayout changes the shape of the list.
func (t *Tree) SetLayout(l Layout) {
	if l != t.layout {
		t.layout = l
		t.list()
	}
}

// Order gives the column that the list is sorted by, and whether it runs against its natural direction.
func (t *Tree) Order() (Order, bool) { return t.order, t.descending }

// SortBy sorts by a column in its natural direction, and turns the direction when it is the current one.
func (t *Tree) SortBy(o Order) {
	if o == t.order {
		t.descending = !t.descending
	} else {
		t.order, t.descending = o, false
	}
	t.list()
}

// Total gives the number of matching files, their size in bytes and their references that lead nowhere.
func (t *Tree) Total() (files int, size int64, missing int) { return t.files, t.size, t.missing }

// Index gives the row of an asset path, of a file or a folder, or -1 when it is not in sight.
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

// Reveal brings an asset path into the rows and gives its row: it opens the folders above it and, when the filter hides
// it, widens the filter. It gives -1 for a path that the project does not have.
func (t *Tree) Reveal(p string) int {
	i, isFile := t.byPath[p]
	f, isFolder := t.at[p]
	switch {
	case isFile:
		if !t.match[i] {
			t.filter = Filter{Mode: ModeAll}
			t.update()
		}
		f = t.entries[i].folder
	case isFolder && p != "":
		if t.layout == Flat {
			t.layout = Folders
		}
		if t.folders[f].Files == 0 {
			t.filter = Filter{Mode: ModeAll}
			t.update()
		}
		f = t.folders[f].parent
	default:
		return -1
	}
	for ; f > 0; f = t.folders[f].parent {
		if !t.Open(&t.folders[f]) {
			t.closed[t.folders[f].Path] = false
		}
	}
	t.list()
	return t.Index(p)
}

// Count is how many files have a property, and their size.
type Count struct {
	Name  string
	Files int
	Size  int64 // bytes
}

// modeCounts are the counts of a mode, made when they are first asked for.
type modeCounts struct {
	made           bool
	total          Count
	kinds, reasons []Count
}

// Kinds counts the files of a mode by kind, the largest first.
func (t *Tree) Kinds(m Mode) []Count { return t.counted(m).kinds }

// Reasons counts the files of a mode by reason, the most frequent first.
func (t *Tree) Reasons(m Mode) []Count { return t.counted(m).reasons }

// ModeTotal counts the files of a mode.
func (t *Tree) ModeTotal(m Mode) Count { return t.counted(m).total }

func (t *Tree) counted(m Mode) *modeCounts {
	c := &t.counts[m]
	if c.made {
		return c
	}
	c.made = true
	for i := range t.entries {
		if m.takes(&t.entries[i]) {
			c.total.Files++
			c.total.Size += t.entries[i].Size
		}
	}
	c.kinds = t.count(m, func(e *Entry) string { return e.Kind }, func(a, b Count) int { return cmp.Compare(b.Size, a.Size) })
	c.reasons = t.count(m, func(e *Entry) string { return e.Reason }, func(a, b Count) int { return cmp.Compare(b.Files, a.Files) })
	return c
}

func (t *Tree) count(m Mode, key func(*Entry) string, order func(a, b Count) int) []Count {
	var counts []Count
	at := map[string]int{}
	for i := range t.entries {
		e := &t.entries[i]
		if !m.takes(e) {
			continue
		}
		name := key(e)
		j, ok := at[name]
		if !ok {
			j = len(counts)
			at[name] = j
			counts = append(counts, Count{Name: name})
		}
		counts[j].Files++
		counts[j].Size += e.Size
	}
	slices.SortStableFunc(counts, func(a, b Count) int { return cmp.Or(order(a, b), strings.Compare(a.Name, b.Name)) })
	return counts
}

func (m Mode) takes(e *Entry) bool {
	switch m {
	case ModeShips:
		return e.State != Left
	case ModeLeft:
		return e.State == Left
	case ModeProblems:
		return e.Missing > 0
	}
	return true
}

// update applies the filter, adds up the folders and lists the rows.
func (t *Tree) update() {
	for i := range t.folders {
		f := &t.folders[i]
		f.Files, f.Size, f.Missing = 0, 0, 0
	}
	t.files, t.size, t.missing = 0, 0, 0
	words := strings.Fields(strings.ToLower(t.filter.Query))
	for i := range t.entries {
		e := &t.entries[i]
		t.match[i] = t.filter.takes(e, words)
		if t.match[i] {
			f := &t.folders[e.folder]
			f.Files++
			f.Size += e.Size
			f.Missing += e.Missing
		}
	}
	for i := len(t.folders) - 1; i > 0; i-- {
		f := &t.folders[i]
		p := &t.folders[f.parent]
		p.Files += f.Files
		p.Size += f.Size
		p.Missing += f.Missing
	}
	t.files, t.size, t.missing = t.folders[0].Files, t.folders[0].Size, t.folders[0].Missing
	t.list()
}

func (f *Filter) takes(e *Entry, words []string) bool {
	if !f.Mode.takes(e) || f.Kind != "" && e.Kind != f.Kind || f.Reason != "" && e.Reason != f.Reason {
		return false
	}
	for _, w := range words {
		if !strings.Contains(e.folded, w) {
			return false
		}
	}
	return true
}

// list writes the rows in sight.
func (t *Tree) list() {
	t.rows = t.rows[:0]
	if t.layout == Folders {
		t.listFolder(0, 0)
		return
	}
	for i := range t.entries {
		if t.match[i] {
			t.rows = append(t.rows, Row{index: int32(i)})
		}
	}
	t.sort(t.rows)
}

func (t *Tree) listFolder(f int32, depth int16) {
	folder := &t.folders[f]
	begin := len(t.rows)
	for _, i := range folder.folders {
		if t.folders[i].Files > 0 {
			t.rows = append(t.rows, Row{^i, depth})
		}
	}
	folders := slices.Clone(t.rows[begin:])
	t.rows = t.rows[:begin]
	t.sort(folders)
	for _, r := range folders {
		t.rows = append(t.rows, r)
		if t.Open(&t.folders[^r.index]) {
			t.listFolder(^r.index, depth+1)
		}
	}
	begin = len(t.rows)
	for _, i := range folder.files {
		if t.match[i] {
			t.rows = append(t.rows, Row{i, depth})
		}
	}
	t.sort(t.rows[begin:])
}

// sort orders rows that are either all files or all folders.
func (t *Tree) sort(rows []Row) {
	if t.order == ByName && !t.descending {
		if len(rows) > 0 && rows[0].IsFolder() {
			slices.SortFunc(rows, func(a, b Row) int { return strings.Compare(t.Folder(a).Name, t.Folder(b).Name) })
		}
		return // files are in path order
	}
	compare := func(a, b Row) int { return cmp.Compare(a.index, b.index) }
	switch {
	case len(rows) > 0 && rows[0].IsFolder():
		compare = func(a, b Row) int { return strings.Compare(t.Folder(a).Name, t.Folder(b).Name) }
		if t.order == BySize {
			compare = func(a, b Row) int { return cmp.Compare(t.Folder(b).Size, t.Folder(a).Size) }
		}
	case t.order == BySize:
		compare = func(a, b Row) int { return cmp.Compare(t.entries[b.index].Size, t.entries[a.index].Size) }
	case t.order == ByKind:
		compare = func(a, b Row) int { return strings.Compare(t.entries[a.index].Kind, t.entries[b.index].Kind) }
	case t.order == ByReason:
		compare = func(a, b Row) int { return strings.Compare(t.entries[a.index].Reason, t.entries[b.index].Reason) }
	case t.order == ByVia:
		compare = func(a, b Row) int { return strings.Compare(t.entries[a.index].Via, t.entries[b.index].Via) }
	}
	if t.descending {
		forward := compare
		compare = func(a, b Row) int { return forward(b, a) }
	}
	slices.SortStableFunc(rows, compare)
}
