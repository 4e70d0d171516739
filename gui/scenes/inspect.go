package scenes

import (
	"strconv"

	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
	"talebinder/project/assets"
	"talebinder/project/scene"
	"talebinder/project/scene/overrides"
)

const (
	deepest     = 12   // how deep the inspector goes into data before it shows the rest as JSON
	mostMembers = 2000 // lines that it makes of one entity at most
)

// An Item is a line of the inspector: a component, a group of values, or a value.
type Item struct {
	Component string
	Path      string // empty for a component
	Name      string
	Depth     int
	Group     bool // an object or a list whose values follow
	Unset     bool // a field that the engine knows and the data does not have
	Field     scene.Field
	Known     bool // the engine's own field, not a guess

	Value    jsondoc.Value // as the game sees it
	Base     jsondoc.Value // of a member of an instance: the prefab's value
	Member   bool          // of an instance, so that there is a prefab's value to compare with
	Row      *overrides.Row
	Below    int  // differences among the values of a component or group
	Own      bool // a component of the instance's own, in the place of the prefab's
	Added    bool // a component that the prefab does not have
	Removed  bool // a component of the prefab that the instance does without
	Position int  // line of the value in its file, or 0
}

// IsComponent says whether the line begins a component.
func (i *Item) IsComponent() bool { return i.Path == "" }

// Overridden says whether the instance has a value of its own.
func (i *Item) Overridden() bool { return i.Row != nil }

// An Inspection is everything about an entity.
type Inspection struct {
	File   string
	Node   int
	Name   string
	ID     guid.Guid
	Member bool // of an instance
	Root   bool // the instance itself
	Target overrides.Target
	Prefab []overrides.PrefabRef // from the instance's prefab to the one that the entity is written in
	Path   []string              // names, from the outermost parent down
	Items  []Item
	Counts map[overrides.Class]int // of the whole instance
	Lost   []*overrides.Row        // differences of the instance that belong to no value shown
	Cut    bool                    // there is more than is listed
}

// inspect lists the components of a node.
func inspect(db *assets.Database, w *overrides.Workspace, file string, x *scene.Expansion, node int, differences []overrides.Row) *Inspection {
	n := &x.Nodes[node]
	in := &Inspection{File: file, Node: node, Name: n.Name, ID: n.ID, Counts: map[overrides.Class]int{}}
	in.Target = overrides.Target{File: file, Instance: n.ID}
	if n.Instance != nil && n.Proto != nil {
		in.Member, in.Root = true, n.Instance.ID == n.ID
		in.Target.Instance, in.Target.Entity = n.Instance.ID, n.Proto.ID
		for _, instance := range n.Instances() {
			in.Prefab = append(in.Prefab, overrides.PrefabRef{Asset: instance.Asset, Path: w.PrefabPath(instance.Asset)})
		}
	}
	for p, steps := node, 0; p >= 0 && steps < len(x.Nodes); p, steps = int(x.Nodes[p].ParentIndex), steps+1 {
		in.Path = append([]string{x.Nodes[p].Name}, in.Path...)
	}
	b := builder{db: db, in: in, rows: map[place]*overrides.Row{}, used: map[*overrides.Row]bool{}}
	for i := range differences {
		r := &differences[i]
		if !in.Member && r.Instance == n.ID {
			in.Counts[r.Class]++
			in.Lost = append(in.Lost, r) // an instance of a prefab that is missing: all that it has is lost
		}
		if !in.Member || r.Instance != in.Target.Instance {
			continue
		}
		in.Counts[r.Class]++
		if r.Member == n.ID {
			b.rows[place{r.Component, r.Path}] = r // of several, the last one wins
		} else if r.Member.IsZero() && in.Root {
			in.Lost = append(in.Lost, r)
		}
	}
	seen := map[string]bool{}
	for i := range n.Components {
		c := &n.Components[i]
		seen[c.Type] = true
		var base *scene.NodeComponent
		if n.Proto != nil {
			base = n.Proto.Component(c.Type)
		}
		b.component(c, base)
	}
	if n.Proto != nil {
		for i := range n.Proto.Components {
			if c := &n.Proto.Components[i]; !seen[c.Type] {
				seen[c.Type] = true
				in.Items = append(in.Items, Item{
					Component: c.Type, Name: c.Type, Removed: true, Member: true, Base: c.Data, Row: b.take(c.Type, ""),
				})
			}
		}
	}
	for i := range differences {
		r := &differences[i]
		if in.Member && r.Member == n.ID && r.Instance == in.Target.Instance && !b.used[r] && !b.holds(r) {
			in.Lost = append(in.Lost, r)
		}
	}
	return in
}

type place struct{ component, path string }

type builder struct {
	db   *assets.Database
	in   *Inspection
	rows map[place]*overrides.Row
	used map[*overrides.Row]bool
}

func (b *builder) take(component, path string) *overrides.Row {
	r := b.rows[place{component, path}]
	if r != nil {
		b.used[r] = true
	}
	return r
}

// holds says whether a difference is shown by a line above it: one of several for the same value.
func (b *builder) holds(r *overrides.Row) bool {
	last := b.rows[place{r.Component, r.Path}]
	return last != nil && last != r && b.used[last]
}

func (b *builder) component(c, base *scene.NodeComponent) {
	in := b.in
	at := len(in.Items)
	head := Item{Component: c.Type, Name: c.Type, Value: c.Data, Member: in.Member, Row: b.take(c.Type, ""), Own: c.Own && in.Member}
	if c.Source != nil && c.Source.JSON.Exists() {
		head.Position, _ = c.Source.JSON.Position()
	}
	var baseData jsondoc.Value
	if base != nil {
		head.Base, baseData = base.Data, base.Data
	} else {
		head.Added = in.Member
	}
	in.Items = append(in.Items, head)
	b.members(c.Type, "", c.Data, baseData, 1)
	below := 0
	for i := at + 1; i < len(in.Items); i++ {
		if in.Items[i].Row != nil {
			below++
		}
	}
	in.Items[at].Below = below
}

// members lists the values of an object or a list, and of those that the prefab has besides.
func (b *builder) members(component, prefix string, data, base jsondoc.Value, depth int) {
	names := map[string]bool{}
	each := func(name string, value, baseValue jsondoc.Value) {
		names[name] = true
		path := name
		if prefix != "" {
			path = prefix + "." + name
		}
		b.value(component, path, name, value, baseValue, depth)
	}
	if data.Kind() == jsondoc.Array || !data.Exists() && base.Kind() == jsondoc.Array {
		values, baseValues := firstItems(data), firstItems(base)
		for i := range max(len(values), len(baseValues)) {
			var v, w jsondoc.Value
			if i < len(values) {
				v = values[i]
			}
			if i < len(baseValues) {
				w = baseValues[i]
			}
			each(strconv.Itoa(i), v, w)
		}
		return
	}
	for name := range data.Members() {
		if b.in.Cut {
			return
		}
		if !names[name] {
			each(name, data.Get(name), base.Get(name))
		}
	}
	for name := range base.Members() {
		if b.in.Cut {
			return
		}
		if !names[name] {
			each(name, jsondoc.Value{}, base.Get(name))
		}
	}
	if prefix != "" {
		return
	}
	for _, f := range scene.Fields(component) {
		if !names[f.Name] && len(b.in.Items) < mostMembers {
			b.in.Items = append(b.in.Items, Item{
				Component: component, Path: f.Name, Name: f.Name, Depth: depth, Unset: true, Field: f, Known: true, Member: b.in.Member,
				Row: b.take(component, f.Name),
			})
		}
	}
}

// firstItems gives the items of a list, as many as can be shown and one more.
func firstItems(v jsondoc.Value) []jsondoc.Value {
	var items []jsondoc.Value
	for item := range v.Items() {
		if items = append(items, item); len(items) > mostMembers {
			break
		}
	}
	return items
}

func (b *builder) value(component, path, name string, value, base jsondoc.Value, depth int) {
	in := b.in
	if len(in.Items) >= mostMembers {
		in.Cut = true
		return
	}
	f, known := fieldOf(b.db, component, path, value, base)
	item := Item{
		Component: component, Path: path, Name: name, Depth: depth, Field: f, Known: known, Value: value, Base: base,
		Member: in.Member, Row: b.take(component, path),
	}
	item.Group = depth < deepest && opens(f, value, base)
	at := len(in.Items)
	in.Items = append(in.Items, item)
	if !item.Group {
		return
	}
	b.members(component, path, value, base, depth+1)
	for i := at + 1; i < len(in.Items); i++ {
		if in.Items[i].Row != nil {
			in.Items[at].Below++
		}
	}
}

// opens says whether the values in an object or list get lines of their own: not those of a list of plain values, nor of
// what is shown as a whole.
func opens(f scene.Field, value, base jsondoc.Value) bool {
	switch f.Type {
	case scene.Unknown, scene.ScriptsType:
	default:
		return false
	}
	v := value
	if !v.Exists() {
		v = base
	}
	switch v.Kind() {
	case jsondoc.Object:
		return v.Len() > 0
	case jsondoc.Array:
		for item := range v.Items() {
			if k := item.Kind(); k == jsondoc.Object || k == jsondoc.Array {
				return true
			}
		}
	}
	return false
}

// TargetOf names what an edit of a line is about.
func (in *Inspection) TargetOf(i *Item) overrides.Target {
	t := in.Target
	t.Component, t.Path = i.Component, i.Path
	return t
}

// Whole names the whole instance, for reverting and applying all of it.
func (in *Inspection) Whole() overrides.Target {
	return overrides.Target{File: in.File, Instance: in.Target.Instance}
}

// Differences counts what the whole instance has of its own.
func (in *Inspection) Differences() int {
	n := 0
	for _, count := range in.Counts {
		n += count
	}
	return n
}

// Find gives the line of a component and path, or -1.
func (in *Inspection) Find(component, path string) int {
	for i := range in.Items {
		if in.Items[i].Component == component && in.Items[i].Path == path {
			return i
		}
	}
	return -1
}
