package scene

import (
	"fmt"
	"slices"

	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
	"talebinder/project/problem"
)

// An Expansion is a document with the entities of prefabs in the place of their instances. It never changes and may be used by
// many goroutines.
type Expansion struct {
	Document *Document
	Nodes    []Node
	Roots    []int // indexes of the nodes without a parent, in order
	Warnings []Warning

	byID       map[guid.Guid]int32
	firstChild []int32 // for each node, the places of its children in children: from firstChild[i] to firstChild[i+1]
	children   []int
}

// finish drops nodes whose id has occurred and finds every node's parent.
func finish(d *Document, nodes []Node, warnings []Warning) *Expansion {
	x := &Expansion{Document: d, Warnings: warnings, byID: make(map[guid.Guid]int32, len(nodes))}
	kept := nodes[:0]
	for i := range nodes {
		n := &nodes[i]
		if _, ok := x.byID[n.ID]; ok {
			document, entity := n.written()
			x.Warnings = append(x.Warnings, Warning{Kind: DuplicateID, Entity: n.ID, Document: document, JSON: entity.JSON})
			continue
		}
		x.byID[n.ID] = int32(len(kept))
		kept = append(kept, *n)
	}
	x.Nodes = kept
	x.firstChild = make([]int32, len(kept)+1)
	for i := range kept {
		n := &kept[i]
		n.ParentIndex = -1
		if n.HasParent {
			if at, ok := x.byID[n.Parent]; ok {
				n.ParentIndex = at
				x.firstChild[at+1]++
				continue
			}
			document, entity := n.written()
			x.Warnings = append(x.Warnings, Warning{Kind: ParentMissing, Entity: n.ID, Parent: n.Parent, Document: document, JSON: entity.JSON})
		}
		x.Roots = append(x.Roots, i)
	}
	for i := range kept {
		x.firstChild[i+1] += x.firstChild[i]
	}
	x.children = make([]int, x.firstChild[len(kept)])
	next := slices.Clone(x.firstChild)
	for i := range kept {
		if p := kept[i].ParentIndex; p >= 0 {
			x.children[next[p]] = i
			next[p]++
		}
	}
	return x
}

// written gives the entity that makes a node what it is in this document: that with the link for the root of an instance,
// else its own.
func (n *Node) written() (*Document, *Entity) {
	if n.Instance != nil && n.ID == n.Instance.ID {
		return n.Instance.Document, n.Instance.Entity
	}
	return n.Document, n.Entity
}

// Find gives the index of the node of an id.
func (x *Expansion) Find(id guid.Guid) (int, bool) {
	i, ok := x.byID[id]
	return int(i), ok
}

// Children gives the indexes of the children of a node, in order. The list is not to be changed.
func (x *Expansion) Children(i int) []int {
	return x.children[x.firstChild[i]:x.firstChild[i+1]:x.firstChild[i+1]]
}

// Resolve finds the node that an id in the data of a component refers to. Inside a prefab it means the entity of the same
// instance: the id is mapped through the instances that the component was expanded through, all of them first, then without the
// innermost, and so on; an id as it is comes last.
func (x *Expansion) Resolve(node int, c *NodeComponent, id guid.Guid) (int, bool) {
	chain := x.Nodes[node].Instances() // the outermost first
	for last := len(chain) - 1 - int(c.Skip); last >= -1; last-- {
		mapped := id
		for i := last; i >= 0; i-- {
			mapped = Map(chain[i].ID, chain[i].Root, mapped)
		}
		if found, ok := x.byID[mapped]; ok {
			return int(found), true
		}
	}
	return 0, false
}

// WarningKind says what is wrong.
type WarningKind uint8

// The warnings of an expansion.
const (
	PrefabCycle           WarningKind = iota // an instance of a prefab inside of the same prefab
	PrefabMissing                            // there is no such prefab, or it cannot be read
	OverrideTargetMissing                    // an override names an entity that the prefab does not have
	OverridePathInvalid                      // an override's path does not fit the component's data, or is empty
	DuplicateID                              // an entity with an id that occurred before; it is left out
	ParentMissing                            // an entity whose parent does not exist; it becomes a root
)

var warningWords = [...]string{"prefabCycle", "prefabMissing", "overrideTargetMissing", "overridePathInvalid", "duplicateId", "parentMissing"}

// String gives the word of the kind, such as "prefabMissing".
func (k WarningKind) String() string { return warningWords[k] }

var warningCodes = [...]string{"prefab-cycle", "prefab-missing", "override-target", "override-path", "entity-twice", "parent-missing"}

// A Warning is something that an expansion passed over.
type Warning struct {
	Kind      WarningKind
	Asset     guid.Guid // the prefab, of an instance or override
	Entity    guid.Guid // the entity that is meant; of an override, the one that it names
	Parent    guid.Guid // of ParentMissing
	Component string    // of an override
	Path      string    // of an override
	Err       error     // why, when more is known

	Document *Document // where it is written
	JSON     jsondoc.Value
}

// Place gives the file, as the document is named, and the line and column in it.
func (w *Warning) Place() (file string, line, column int) {
	if !w.Document.Migrated {
		line, column = w.JSON.Position()
	}
	return w.Document.Name, line, column
}

// Message says what is wrong.
func (w *Warning) Message() string {
	switch w.Kind {
	case PrefabCycle:
		return fmt.Sprintf("%s is an instance of the prefab %s inside of that prefab; it stays empty", w.entity(), w.Asset)
	case PrefabMissing:
		if w.Err != nil {
			return fmt.Sprintf("the prefab of %s cannot be read: %v", w.entity(), w.Err)
		}
		return fmt.Sprintf("the prefab of %s does not exist: no asset has the guid %s", w.entity(), w.Asset)
	case OverrideTargetMissing:
		return fmt.Sprintf("the override of %s in %s names the entity %s, which the prefab %s does not have", w.Path, w.Component, w.Entity, w.Asset)
	case OverridePathInvalid:
		if w.Path == "" {
			return fmt.Sprintf("an override of %s in entity %s has no path", w.Component, w.Entity)
		}
		return fmt.Sprintf("an override of %s in entity %s cannot be set: %v", w.Component, w.Entity, w.Err)
	case DuplicateID:
		return fmt.Sprintf("%s has an id that occurred before; it is left out", w.entity())
	}
	return fmt.Sprintf("the parent %s of %s does not exist; it becomes a root", w.Parent, w.entity())
}

// entity names the entity that is meant.
func (w *Warning) entity() string {
	name, _ := w.JSON.Get("name").Text()
	if e := w.Document.Entity(w.Entity); e != nil && (w.Kind == PrefabCycle || w.Kind == PrefabMissing) {
		name = e.Name // the place is that of the link
	}
	if name == "" {
		return "entity " + w.Entity.String()
	}
	return fmt.Sprintf("entity %q (%s)", name, w.Entity)
}

// Problem gives the warning as a problem of the project. For many warnings, Problems is faster.
func (w *Warning) Problem() problem.Problem {
	p := w.problem()
	p.File, p.Line, p.Column = w.Place()
	return p
}

// problem is Problem without the place.
func (w *Warning) problem() problem.Problem {
	p := problem.Problem{Level: problem.Warning, Code: warningCodes[w.Kind], Message: w.Message()}
	switch w.Kind {
	case PrefabCycle:
		p.Hint = "remove the instance, or make it one of another prefab"
	case PrefabMissing:
		p.Hint = "bring back the prefab with its .meta file, or remove the instance"
	case OverrideTargetMissing, OverridePathInvalid:
		p.Hint = "remove the override: it has no effect"
	case DuplicateID:
		p.Hint = "give one of the two another id"
	}
	return p
}

// JSON gives the expansion as text: `entities` in order with `id`, `name`, `parent`, `active`, `prefab` (the asset, or null)
// and `components`, `roots`, and `warnings`, each with its `kind` and what belongs to it.
func (x *Expansion) JSON() []byte {
	w := canonical{Writer: jsondoc.NewWriter(jsondoc.Relaxed)}
	w.BeginObject()
	w.Name("entities")
	w.BeginArray()
	for i := range x.Nodes {
		n := &x.Nodes[i]
		w.BeginObject()
		w.guid("id", n.ID)
		w.Name("name")
		w.String(n.Name)
		w.optional("parent", n.Parent, n.HasParent)
		w.Name("active")
		w.Bool(n.Active)
		w.optional("prefab", n.Asset, !n.Asset.IsZero())
		w.Name("components")
		w.BeginArray()
		for c := range n.Components {
			w.BeginObject()
			w.Name("type")
			w.String(n.Components[c].Type)
			w.Name("data")
			w.Data(n.Components[c].Data)
			w.EndObject()
		}
		w.EndArray()
		w.EndObject()
	}
	w.EndArray()
	w.Name("roots")
	w.BeginArray()
	for _, root := range x.Roots {
		w.String(x.Nodes[root].ID.String())
	}
	w.EndArray()
	w.Name("warnings")
	w.BeginArray()
	for i := range x.Warnings {
		w.warning(&x.Warnings[i])
	}
	w.EndArray()
	w.EndObject()
	return w.Bytes()
}

func (w *canonical) optional(name string, g guid.Guid, is bool) {
	if is {
		w.guid(name, g)
		return
	}
	w.Name(name)
	w.Null()
}

func (w *canonical) warning(warning *Warning) {
	w.BeginObject()
	w.Name("kind")
	w.String(warning.Kind.String())
	switch warning.Kind {
	case PrefabCycle, PrefabMissing, OverrideTargetMissing:
		w.guid("asset", warning.Asset)
		w.guid("entity", warning.Entity)
	case OverridePathInvalid:
		w.Name("component")
		w.String(warning.Component)
		w.Name("path")
		w.String(warning.Path)
	case DuplicateID:
		w.guid("entity", warning.Entity)
	case ParentMissing:
		w.guid("entity", warning.Entity)
		w.guid("parent", warning.Parent)
	}
	w.EndObject()
}
