// Package discs is the screen of finished disc and cartridge images: what they are, what is on them, and their content swapped
// for another, with a plan before and a proof afterwards. It needs no project.
package discs

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Mark says what becomes of a file.
type Mark uint8

// The marks.
const (
	Plain     Mark = iota // nothing is planned
	Kept                  // stays byte for byte, where it is
	Moved                 // stays byte for byte, at another place
	Added                 // is new
	Removed               // is gone
	Changed               // has other content
	Unchanged             // is written again with the content it has
	LeftOut               // is in the folder and does not get onto the medium
)

var markWords = [...]string{"", "Kept", "Moved", "Added", "Removed", "Changed", "Unchanged", "Left out"}

// String gives the mark in a word; Plain has none.
func (m Mark) String() string { return markWords[m] }

// An Item is a file or folder of a tree.
type Item struct {
	Path          string // with slashes
	Dir           bool
	Mark          Mark
	Before, After int64  // bytes of a file; -1 where it is not there
	Place         int64  // sector of a disc or byte of a cartridge; -1 when that says nothing
	Date          string // for people, such that dates sort as text; empty when there is none
	Note          string // a sentence about it
	SHA256        string // hexadecimal; empty when it is not known
	Fault         error  // why it cannot be read
}

// A Node is an item in its tree. Of a folder, Before and After add up the files below it that are listed.
type Node struct {
	Item
	Name  string
	Depth int

	// Of a folder: the files below it that are listed, and how many of them have each mark.
	Files int
	Marks [LeftOut + 1]int

	parent   *Node
	children []*Node
	folded   string // the path in lower case, for searching
	match    bool
}

// Tree is files in their folders, and the rows that a filter, a search, an order and the open folders leave in sight.
type Tree struct {
	root   *Node
	nodes  []*Node // all but the root, parents first
	rows   []*Node
	closed map[string]bool

	filter     func(Mark) bool // nil lists all
	query      []string
	order      func(a, b *Node) int // nil is by name
	descending bool
}

// NewTree makes the tree of items. Folders that are not among them are made.
func NewTree(items []Item) *Tree {
	t := &Tree{root: &Node{Depth: -1}, closed: map[string]bool{}}
	folders := map[string]*Node{"": t.root}
	var folder func(p string) *Node
	add := func(i Item) *Node {
		dir, name := path.Split(i.Path)
		parent := folder(strings.TrimSuffix(dir, "/"))
		n := &Node{Item: i, Name: name, Depth: parent.Depth + 1, parent: parent, folded: strings.ToLower(i.Path)}
		parent.children = append(parent.children, n)
		t.nodes = append(t.nodes, n)
		return n
	}
	folder = func(p string) *Node {
		n := folders[p]
		if n == nil {
			n = add(Item{Path: p, Dir: true, Place: -1})
			folders[p] = n
		}
		return n
	}
	for _, i := range items {
		if !i.Dir {
			add(i)
			continue
		}
		if n := folders[i.Path]; n != nil {
			n.Item = i // it was made for what is in it
			continue
		}
		folders[i.Path] = add(i)
	}
	t.update()
	return t
}

// Len is the number of rows in sight.
func (t *Tree) Len() int { return len(t.rows) }

// Row gives a row in sight.
func (t *Tree) Row(i int) *Node { return t.rows[i] }

// Root gives the sums over all that is listed.
func (t *Tree) Root() *Node { return t.root }

// Empty says that the tree has nothing, whatever is searched for.
func (t *Tree) Empty() bool { return len(t.nodes) == 0 }

// Find gives the node of a path, or nil.
func (t *Tree) Find(p string) *Node {
	i := slices.IndexFunc(t.nodes, func(n *Node) bool { return n.Path == p })
	if i < 0 {
		return nil
	}
	return t.nodes[i]
}

// Index gives the row of a node, or -1 when it is not in sight.
func (t *Tree) Index(n *Node) int {
	if n == nil {
		return -1
	}
	return slices.Index(t.rows, n)
}

// Open says whether a folder's rows are in sight. While something is searched for, all of them are.
func (t *Tree) Open(n *Node) bool { return len(t.query) > 0 || !t.closed[n.Path] }

// SetOpen opens or closes a folder.
func (t *Tree) SetOpen(n *Node, open bool) {
	t.closed[n.Path] = !open
	t.list()
}

// Search keeps the files whose paths contain all words, whatever their case.
func (t *Tree) Search(text string) {
	t.query = strings.Fields(strings.ToLower(text))
	t.update()
}

// Filter keeps the files with marks that f says yes to; nil keeps all.
func (t *Tree) Filter(f func(Mark) bool) {
	t.filter = f
	t.update()
}

// Sort sets the order of files among each other and of folders among each other; nil is by name.
func (t *Tree) Sort(order func(a, b *Node) int, descending bool) {
	t.order, t.descending = order, descending
	t.list()
}

// Take gives the tree the search, the filter, the order and the open folders of another one.
func (t *Tree) Take(from *Tree) {
	t.query, t.filter, t.order, t.descending, t.closed = from.query, from.filter, from.order, from.descending, from.closed
	t.update()
}

// update applies search and filter, adds up the folders and lists the rows.
func (t *Tree) update() {
	for _, n := range append([]*Node{t.root}, t.nodes...) {
		if n.Dir || n == t.root {
			n.Files, n.Before, n.After, n.Marks = 0, 0, 0, [LeftOut + 1]int{}
		}
		n.match = n != t.root && (t.filter == nil || t.filter(n.Mark)) && t.found(n)
	}
	for i := len(t.nodes) - 1; i >= 0; i-- {
		n := t.nodes[i]
		if !n.match {
			continue
		}
		for p := n.parent; p != nil; p = p.parent {
			p.match = true
			if !n.Dir {
				p.Files++
				p.Before += max(n.Before, 0)
				p.After += max(n.After, 0)
				p.Marks[n.Mark]++
			}
		}
	}
	t.list()
}

func (t *Tree) found(n *Node) bool {
	return !slices.ContainsFunc(t.query, func(word string) bool { return !strings.Contains(n.folded, word) })
}

func (t *Tree) list() {
	t.rows = t.rows[:0]
	t.listBelow(t.root)
}

// listBelow lists what is in a folder, its folders first.
func (t *Tree) listBelow(folder *Node) {
	sorted := slices.Clone(folder.children)
	slices.SortStableFunc(sorted, func(a, b *Node) int {
		if a.Dir != b.Dir {
			if a.Dir {
				return -1
			}
			return 1
		}
		by := 0
		if t.order != nil {
			by = t.order(a, b)
		}
		by = cmp.Or(by, cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)))
		if t.descending {
			by = -by
		}
		return by
	})
	for _, n := range sorted {
		if !n.match {
			continue
		}
		t.rows = append(t.rows, n)
		if n.Dir && t.Open(n) {
			t.listBelow(n)
		}
	}
}

// What says what becomes of the node, in a word; of a folder, what becomes of the files in it.
func (n *Node) What() (text string, mark Mark) {
	if !n.Dir || n.Files == 0 {
		return n.Mark.String(), n.Mark
	}
	var parts []string
	for m, count := range n.Marks {
		switch {
		case count == n.Files:
			return Mark(m).String(), Mark(m)
		case count == 0:
		case Mark(m) == Added:
			parts = append(parts, "+"+strconv.Itoa(count))
		case Mark(m) == Removed:
			parts = append(parts, "−"+strconv.Itoa(count))
		case Mark(m) == Changed:
			parts = append(parts, "~"+strconv.Itoa(count))
		}
	}
	if len(parts) == 0 {
		return Kept.String(), Kept
	}
	return strings.Join(parts, " "), Changed
}
