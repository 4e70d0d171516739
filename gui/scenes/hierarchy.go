package scenes

import (
	"strings"

	"talebinder/formats/guid"
	"talebinder/project/scene"
	"talebinder/project/scene/overrides"
)

// unfolded is up to how many nodes a document is shown with the members of its instances.
const unfolded = 60

// A Marks says what the tree shows beside the name of a node.
type Marks struct {
	Instance bool // an instance of a prefab
	Missing  bool // of a prefab that cannot be found or read
	Member   bool // brought here by a prefab
	Own      int  // differences of the node itself
	Below    int  // differences of the nodes below
	Inactive bool
}

// A TreeRow is a line of the hierarchy.
type TreeRow struct {
	Node     int // in the expansion
	Depth    int
	Children bool
	Open     bool
}

// A Hierarchy is the tree of an expanded document, with what is folded and searched for.
type Hierarchy struct {
	x      *scene.Expansion
	marks  []Marks
	closed map[guid.Guid]bool
	query  string

	rows []TreeRow
	at   map[int]int // row of a node
}

// newHierarchy makes the tree of an expansion. The differences are those of the document itself.
func newHierarchy(x *scene.Expansion, differences []overrides.Row) *Hierarchy {
	h := &Hierarchy{x: x, marks: make([]Marks, len(x.Nodes)), closed: map[guid.Guid]bool{}}
	for i := range x.Nodes {
		n := &x.Nodes[i]
		m := &h.marks[i]
		m.Member, m.Inactive = n.Instance != nil && n.Instance.ID != n.ID, !n.Active
		m.Instance = !n.Asset.IsZero()
		m.Missing = m.Instance && n.Instance == nil
		if m.Instance && len(x.Nodes) > unfolded {
			h.closed[n.ID] = true
		}
	}
	for i := range differences {
		d := &differences[i]
		node, ok := x.Find(d.Member)
		if !ok {
			node, ok = x.Find(d.Instance)
		}
		if !ok {
			continue
		}
		h.marks[node].Own++
		// Parents that form a circle are no roots and are not seen; the steps are bounded all the same.
		for p, steps := int(x.Nodes[node].ParentIndex), 0; p >= 0 && steps < len(x.Nodes); p, steps = int(x.Nodes[p].ParentIndex), steps+1 {
			h.marks[p].Below++
		}
	}
	h.list()
	return h
}

// take makes the tree unfold as another one of the same document does.
func (h *Hierarchy) take(old *Hierarchy) {
	h.closed, h.query = old.closed, old.query
	h.list()
}

// Len is the number of lines.
func (h *Hierarchy) Len() int { return len(h.rows) }

// Row gives a line.
func (h *Hierarchy) Row(i int) TreeRow { return h.rows[i] }

// Marks gives the marks of a node.
func (h *Hierarchy) Marks(node int) Marks { return h.marks[node] }

// Index gives the line of a node, or -1 when it is not shown.
func (h *Hierarchy) Index(node int) int {
	if i, ok := h.at[node]; ok {
		return i
	}
	return -1
}

// SetQuery shows only nodes that have all words of a query in their name or among their components, and what they are in.
func (h *Hierarchy) SetQuery(query string) {
	h.query = query
	h.list()
}

// SetOpen folds or unfolds a node.
func (h *Hierarchy) SetOpen(node int, open bool) {
	if open {
		delete(h.closed, h.x.Nodes[node].ID)
	} else {
		h.closed[h.x.Nodes[node].ID] = true
	}
	h.list()
}

// SetAllOpen folds or unfolds everything.
func (h *Hierarchy) SetAllOpen(open bool) {
	clear(h.closed)
	if !open {
		for i := range h.x.Nodes {
			if len(h.x.Children(i)) > 0 {
				h.closed[h.x.Nodes[i].ID] = true
			}
		}
	}
	h.list()
}

// AnyOpen says whether something is unfolded.
func (h *Hierarchy) AnyOpen() bool {
	for _, r := range h.rows {
		if r.Children && r.Open {
			return true
		}
	}
	return false
}

// Reveal unfolds what a node is in, drops the search when it hides the node, and gives the node's line.
func (h *Hierarchy) Reveal(node int) int {
	for p, steps := int(h.x.Nodes[node].ParentIndex), 0; p >= 0 && steps < len(h.x.Nodes); p, steps = int(h.x.Nodes[p].ParentIndex), steps+1 {
		delete(h.closed, h.x.Nodes[p].ID)
	}
	h.list()
	if h.Index(node) < 0 && h.query != "" {
		h.query = ""
		h.list()
	}
	return h.Index(node)
}

func (h *Hierarchy) list() {
	words := strings.Fields(strings.ToLower(h.query))
	var wanted []bool
	if len(words) > 0 {
		wanted = make([]bool, len(h.x.Nodes))
		for i := range h.x.Nodes {
			if wanted[i] || !h.matches(&h.x.Nodes[i], words) {
				continue
			}
			for p := i; p >= 0 && !wanted[p]; p = int(h.x.Nodes[p].ParentIndex) {
				wanted[p] = true
			}
		}
	}
	h.rows, h.at = h.rows[:0], map[int]int{}
	type step struct{ node, depth int }
	var stack []step
	push := func(nodes []int, depth int) {
		for i := len(nodes) - 1; i >= 0; i-- {
			if wanted == nil || wanted[nodes[i]] {
				stack = append(stack, step{nodes[i], depth})
			}
		}
	}
	push(h.x.Roots, 0)
	for len(stack) > 0 {
		next := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		children := h.x.Children(next.node)
		open := wanted != nil || !h.closed[h.x.Nodes[next.node].ID]
		h.at[next.node] = len(h.rows)
		h.rows = append(h.rows, TreeRow{next.node, next.depth, len(children) > 0, open})
		if open {
			push(children, next.depth+1)
		}
	}
}

func (h *Hierarchy) matches(n *scene.Node, words []string) bool {
	text := strings.ToLower(n.Name)
	for i := range n.Components {
		text += " " + strings.ToLower(n.Components[i].Type)
	}
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}
