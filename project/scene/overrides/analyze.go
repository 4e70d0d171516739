package overrides

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
	"talebinder/project/problem"
	"talebinder/project/scene"
)

// transform is the component that every instance has of its own: where it stands is no difference from its prefab.
const transform = "Transform"

// Overrides finds everything in which instances differ from their prefabs, with the edits that have been made, on all cores
// and in the same order every time. Progress may be nil; it is never called twice at a time. The error is that of ctx:
// files that cannot be read are problems of the table, and those of the filter that do not exist are too.
func (w *Workspace) Overrides(ctx context.Context, filter Filter, progress func(done, total int, file string)) (*Table, error) {
	files := filter.Files
	if len(files) == 0 {
		files = w.Documents()
	}
	if progress == nil {
		progress = func(int, int, string) {}
	}
	x := scene.NewExpander(catalog{w, nil}, scene.Options{Display: true})
	found := make([]*analysis, len(files))
	var mu sync.Mutex
	done := 0
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, file := range files {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			a := &analysis{workspace: w, ctx: ctx, expander: x, filter: filter, file: file}
			if err := a.run(); err != nil {
				return err
			}
			found[i] = a
			mu.Lock()
			defer mu.Unlock()
			done++
			progress(done, len(files), file)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	t := &Table{}
	rows := 0
	for _, a := range found {
		rows += len(a.rows)
	}
	t.Rows = make([]Row, 0, rows)
	for _, a := range found {
		t.Rows = append(t.Rows, a.rows...)
		t.Instances += a.instances
		if a.problem != nil {
			t.Problems = append(t.Problems, *a.problem)
			continue
		}
		t.Files++
	}
	return t, nil
}

// An analysis is that of one file.
type analysis struct {
	workspace *Workspace
	ctx       context.Context
	expander  *scene.Expander
	filter    Filter
	file      string

	document  *scene.Document
	place     locator
	instances int
	rows      []Row
	problem   *problem.Problem
}

func (a *analysis) run() error {
	d, err := a.workspace.read(a.file, false)
	if err != nil {
		p := problemOf(a.file, err)
		a.problem = &p
		return nil
	}
	a.document = d
	a.place = locator{doc: d.JSON, line: 1}
	for i := range d.Entities {
		e := &d.Entities[i]
		if e.Link == nil || e.Link.Asset.IsZero() {
			continue
		}
		a.instances++
		if err := a.instance(e); err != nil {
			return err
		}
	}
	a.document, a.place = nil, locator{}
	return nil
}

// problemOf tells why a document cannot be read.
func problemOf(file string, err error) problem.Problem {
	p := problem.Problem{Level: problem.Error, Code: "document-unreadable", Message: err.Error(), File: shown(file)}
	var fault *scene.ReadError
	switch {
	case errors.As(err, &fault):
		p.Code, p.Message, p.Line, p.Column, p.Hint = fault.Fault.String(), fault.Message, fault.Line, fault.Column, fault.Hint
	case errors.Is(err, fs.ErrNotExist):
		p.Code, p.Message = "document-missing", "the project has no such scene or prefab"
	}
	return p
}

// differs says quickly whether an instance can have a row at all.
func differs(e *scene.Entity) bool {
	return len(e.Link.Overrides) > 0 || len(e.Link.Removed) > 0 ||
		slices.ContainsFunc(e.Components, func(c scene.Component) bool { return c.Type != transform })
}

func (a *analysis) instance(e *scene.Entity) error {
	if !differs(e) {
		return nil
	}
	base, root, err := a.workspace.base(a.ctx, a.expander, e.Link.Asset)
	if a.ctx.Err() != nil {
		return a.ctx.Err()
	}
	if err == nil && a.document.Kind == scene.Prefab && a.workspace.PrefabPath(e.Link.Asset) == a.file {
		base, err = nil, errors.New("a prefab cannot be in itself")
	}
	in := &instance{asset: e.Link.Asset, entity: e, base: base, root: root, err: err}
	rows := in.rows(a.workspace)
	if len(rows) == 0 {
		return nil
	}
	path := instancePath(a.document, e)
	for _, r := range rows {
		if !a.filter.takes(&r.Row) {
			continue
		}
		r.File, r.Instance, r.InstancePath = a.file, e.ID, path
		r.Line, r.Column = a.place.of(r.json)
		r.InstanceValue = detach(r.InstanceValue)
		a.rows = append(a.rows, r.Row)
	}
	return nil
}

func (f *Filter) takes(r *Row) bool {
	return (len(f.Classes) == 0 || slices.Contains(f.Classes, r.Class)) && (len(f.Kinds) == 0 || slices.Contains(f.Kinds, r.Kind))
}

// detach gives a value that does not keep the text around it in memory.
func detach(v jsondoc.Value) jsondoc.Value {
	if !v.Exists() {
		return v
	}
	doc, err := jsondoc.Parse(bytes.Clone(v.Raw()))
	if err != nil { // it has just been parsed
		return v
	}
	return doc.Root()
}

// maxPathNames bounds the names of an instance's parents, which could go round in a circle.
const maxPathNames = 256

// instancePath gives the names from the outermost parent down to the entity.
func instancePath(d *scene.Document, e *scene.Entity) []string {
	var names []string
	for ; e != nil && len(names) < maxPathNames; e = d.Entity(e.Parent) {
		names = append(names, e.Name)
		if !e.HasParent {
			break
		}
	}
	slices.Reverse(names)
	return names
}

// EntityPath gives the names from the outermost parent down to an entity, separated by slashes.
func EntityPath(d *scene.Document, e *scene.Entity) string {
	return strings.Join(instancePath(d, e), "/")
}

// A locator gives lines and columns of places that mostly follow each other, without counting from the beginning each time.
type locator struct {
	doc          *jsondoc.Doc
	offset, line int
}

func (l *locator) of(v jsondoc.Value) (line, column int) {
	if !v.Exists() {
		return 0, 0
	}
	text, offset := l.doc.Text(), v.Start()
	if offset < l.offset {
		l.offset, l.line = 0, 1
	}
	l.line += bytes.Count(text[l.offset:offset], []byte{'\n'})
	l.offset = offset
	start := bytes.LastIndexByte(text[:offset], '\n') + 1
	if start == 0 {
		return l.doc.Position(offset) // it knows of a byte order mark
	}
	return l.line, utf8.RuneCount(text[start:offset]) + 1
}

// An instance is compared with its prefab.
type instance struct {
	asset  guid.Guid
	entity *scene.Entity
	base   *scene.Expansion // nil when err says why there is none
	root   *scene.Node
	err    error
}

// A foundRow is a row with its place in the document.
type foundRow struct {
	Row
	json jsondoc.Value
}

// rows gives all rows of an instance.
func (in *instance) rows(w *Workspace) []foundRow {
	rows := in.values()
	rows = append(rows, in.removed()...)
	rows = append(rows, in.own()...)
	chains := map[*scene.Node][]PrefabRef{}
	for i := range rows {
		r := &rows[i]
		var node *scene.Node
		if in.err == nil {
			node = in.node(r.Entity)
		}
		if chains[node] == nil {
			chain := []PrefabRef{{Asset: in.asset, Path: w.PrefabPath(in.asset)}}
			for _, inner := range node.Instances() {
				chain = append(chain, PrefabRef{Asset: inner.Asset, Path: w.PrefabPath(inner.Asset)})
			}
			chains[node] = chain
		}
		r.Chain = chains[node]
		if node != nil {
			r.EntityName, r.Member = node.Name, scene.Map(in.entity.ID, in.root.ID, node.ID)
		}
	}
	return rows
}

// node finds an entity of the prefab, or gives nil.
func (in *instance) node(id guid.Guid) *scene.Node {
	if i, ok := in.base.Find(id); ok {
		return &in.base.Nodes[i]
	}
	return nil
}

// ownComponent finds the instance's own component of a type, the last one, which is the one that counts.
func ownComponent(e *scene.Entity, kind string) (index int, c *scene.Component) {
	for i := len(e.Components) - 1; i >= 0; i-- {
		if e.Components[i].Type == kind {
			return i, &e.Components[i]
		}
	}
	return -1, nil
}

func (in *instance) isRoot(entity guid.Guid) bool { return in.err == nil && entity == in.root.ID }

// A slot is a component of an entity of the prefab.
type slot struct {
	entity    guid.Guid
	component string
}

// A layer is what overrides make of a component, one after the other.
type layer struct {
	data    jsondoc.Value // as the game has it after the overrides so far
	own     bool          // an own component of the instance takes its place
	missing string        // why the component is not in the prefab, or empty
	removed bool          // the instance removes it, and an override makes it again
	rows    []int         // of the overrides so far that could be set
}

func (in *instance) values() []foundRow {
	list := in.entity.Link.Overrides
	rows := make([]foundRow, len(list))
	layers := map[slot]*layer{}
	left := map[slot]int{} // overrides of each slot that are still to come
	for i := range list {
		left[slot{list[i].Entity, list[i].Component}]++
	}
	for i := range list {
		o := &list[i]
		key := slot{o.Entity, o.Component}
		left[key]--
		r := &rows[i]
		*r = foundRow{json: o.JSON, Row: Row{Kind: Value, Index: i, Entity: o.Entity, Component: o.Component, Path: o.Path, InstanceValue: o.Value}}
		switch {
		case in.err != nil:
			r.Class, r.Reason = Unreadable, in.err.Error()
			continue
		case o.Path == "":
			r.Class, r.Reason = Unreadable, "the path is empty, and the game passes over the override"
			continue
		}
		node := in.node(o.Entity)
		if node == nil {
			r.Class, r.Reason = Orphaned, fmt.Sprintf("the prefab has no entity with the id %s", o.Entity)
			continue
		}
		l := layers[key]
		if l == nil {
			l = in.layer(node, o)
			layers[key] = l
		}
		if c := node.Component(o.Component); c != nil {
			r.PrefabValue = c.Data.Path(o.Path)
		}
		before := l.data
		if left[key] > 0 || !there(l.data, o.Path) { // else nobody asks what the component is afterwards
			var err error
			if l.data, err = scene.SetPath(l.data, o.Path, o.Value); err != nil {
				r.Class, r.Reason = Orphaned, "the path leads nowhere: "+err.Error()
				continue
			}
		}
		earlier := slices.ContainsFunc(l.rows, func(j int) bool { return related(rows[j].Path, o.Path) })
		for _, j := range l.rows {
			if covers(o.Path, rows[j].Path) && rows[j].Class != Orphaned {
				rows[j].Class = Hidden
				rows[j].Reason = fmt.Sprintf("a later override of %s takes its place", o.Path)
			}
		}
		l.rows = append(l.rows, i)
		switch {
		case l.own:
			r.Class, r.Reason = Hidden, fmt.Sprintf("the instance has a component %s of its own, which takes the place of the prefab's", o.Component)
		case l.removed:
			r.Class, r.Reason = Effective, fmt.Sprintf("the instance removes %s, and this override makes it again", o.Component)
		case l.missing != "":
			r.Class, r.Reason = Orphaned, l.missing
		case !earlier && scene.Equal(before.Path(o.Path), o.Value):
			r.Class = Redundant
		default:
			r.Class = Effective
			if reason := unreadable(o.Component, o.Path, o.Value); reason != "" {
				r.Class, r.Reason = Unreadable, reason
			}
		}
	}
	return rows
}

// there says whether a path leads to something that is there, which can then be set.
func there(data jsondoc.Value, path string) bool { return data.Path(path).Exists() }

// layer begins with the component as the prefab has it, or with an empty one as the game does.
func (in *instance) layer(node *scene.Node, o *scene.Override) *layer {
	l := &layer{data: emptyObject()}
	if in.isRoot(o.Entity) {
		_, own := ownComponent(in.entity, o.Component)
		l.own = own != nil
	}
	l.removed = slices.ContainsFunc(in.entity.Link.Removed, func(r scene.RemovedComponent) bool {
		return r.Entity == o.Entity && r.Component == o.Component
	})
	c := node.Component(o.Component)
	switch {
	case c == nil:
		l.removed = false
		l.missing = fmt.Sprintf("the prefab's %s has no component %s; the game makes one for this override", node.Name, o.Component)
	case !l.removed:
		l.data = c.Data
	}
	return l
}

// covers says that setting the value at path replaces all of the value at the other path.
func covers(path, other string) bool {
	return path == other || len(other) > len(path) && other[len(path)] == '.' && strings.HasPrefix(other, path)
}

func related(a, b string) bool { return covers(a, b) || covers(b, a) }

func (in *instance) removed() []foundRow {
	list := in.entity.Link.Removed
	rows := make([]foundRow, len(list))
	seen := map[slot]bool{}
	for i := range list {
		c := &list[i]
		r := &rows[i]
		*r = foundRow{json: c.JSON, Row: Row{Kind: Removed, Index: i, Entity: c.Entity, Component: c.Component}}
		if in.err != nil {
			r.Class, r.Reason = Unreadable, in.err.Error()
			continue
		}
		node := in.node(c.Entity)
		if node == nil {
			r.Class, r.Reason = Orphaned, fmt.Sprintf("the prefab has no entity with the id %s", c.Entity)
			continue
		}
		component := node.Component(c.Component)
		if component != nil {
			r.PrefabValue = component.Data
		}
		_, own := ownComponent(in.entity, c.Component)
		key := slot{c.Entity, c.Component}
		switch {
		case component == nil:
			r.Class, r.Reason = Orphaned, fmt.Sprintf("the prefab's %s has no component %s", node.Name, c.Component)
		case in.isRoot(c.Entity) && own != nil:
			r.Class, r.Reason = Hidden, fmt.Sprintf("the instance has a component %s of its own", c.Component)
		case seen[key]:
			r.Class = Redundant
		}
		seen[key] = true
	}
	return rows
}

// own gives the own components. Without the prefab there is nothing that they could be held against.
func (in *instance) own() []foundRow {
	if in.err != nil {
		return nil
	}
	var rows []foundRow
	for i := range in.entity.Components {
		c := &in.entity.Components[i]
		if c.Type == transform {
			continue
		}
		r := foundRow{json: c.JSON, Row: Row{Kind: Added, Index: i, Entity: in.root.ID, Component: c.Type, InstanceValue: c.Data}}
		if inner := in.root.Component(c.Type); inner != nil {
			r.Kind, r.PrefabValue = Replaced, inner.Data
			if scene.Equal(inner.Data, c.Data) && !in.hides(c.Type) {
				r.Class = Redundant
			}
		}
		if last, _ := ownComponent(in.entity, c.Type); last != i {
			r.Class, r.Reason = Hidden, fmt.Sprintf("the instance has another component %s after it", c.Type)
		}
		rows = append(rows, r)
	}
	return rows
}

// hides says whether an own component keeps something from having an effect, which would come out without it.
func (in *instance) hides(kind string) bool {
	return slices.ContainsFunc(in.entity.Link.Overrides, func(o scene.Override) bool { return o.Entity == in.root.ID && o.Component == kind }) ||
		slices.ContainsFunc(in.entity.Link.Removed, func(r scene.RemovedComponent) bool { return r.Entity == in.root.ID && r.Component == kind })
}

func emptyObject() jsondoc.Value {
	doc, err := jsondoc.Parse([]byte("{}"))
	if err != nil {
		return jsondoc.Value{}
	}
	return doc.Root()
}
