package overrides

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
	"talebinder/project/scene"
)

// Apply works out what it takes to make an instance's values those of its prefab, and to take them out of the instance. Values of
// entities that belong to a prefab in the prefab become overrides there. Components that the instance removed go from the
// prefab, and its own components, except Transform, take the place of those of the prefab's root. Other instances stay as
// they are and come to see the new values where they do not override them: the change lists these as Seen.
//
// What cannot be applied, since its target is gone or its path leads nowhere, is listed as skipped and stays in the instance. An
// own Transform is only applied when a target names it, and stays in the instance.
func (w *Workspace) Apply(ctx context.Context, targets ...Target) (*Change, error) {
	s := w.begin(ctx, targetTitle("Apply", targets)+" to prefab")
	for _, g := range groupTargets(targets) {
		sub, err := s.subject(g.key.file, g.key.id)
		if err != nil {
			return nil, err
		}
		if sub.err != nil {
			return nil, fmt.Errorf("%s: %w", sub.describe(), sub.err)
		}
		sel := newSelection()
		for _, t := range g.targets {
			sub.choose(sel, t)
		}
		if sel.empty() {
			continue
		}
		if err := s.applyAll(sub, sel); err != nil {
			return nil, err
		}
	}
	return s.finish()
}

// An origin says where a member of a prefab is written.
type origin struct {
	entity int       // index of the document's entity, which is the instance when nested is set
	nested bool      // it comes from a prefab in the prefab
	inner  guid.Guid // its id in there
	node   *scene.Node
}

// origins finds out where each member of a prefab is written.
func origins(d *scene.Document, x *scene.Expansion) map[guid.Guid]origin {
	index := make(map[*scene.Entity]int, len(d.Entities))
	for i := range d.Entities {
		index[&d.Entities[i]] = i
	}
	found := make(map[guid.Guid]origin, len(x.Nodes))
	for i := range x.Nodes {
		n := &x.Nodes[i]
		if n.Instance == nil {
			found[n.ID] = origin{entity: index[n.Entity], node: n}
		} else {
			found[n.ID] = origin{entity: index[n.Instance.Entity], nested: true, inner: n.Proto.ID, node: n}
		}
	}
	return found
}

// applyAll applies what is selected of one instance.
func (s *session) applyAll(sub *subject, sel *selection) error {
	k, err := s.open(s.workspace.PrefabPath(sub.asset))
	if err != nil {
		return err
	}
	if err := k.flush(); err != nil {
		return err
	}
	d, err := k.parsed()
	if err != nil {
		return err
	}
	x, err := s.prefabs().Expand(s.ctx, d)
	if err != nil {
		return err
	}
	p := &applying{session: s, sub: sub, work: k, document: d, origins: origins(d, x)}
	link := sub.entity.Link
	for _, i := range slices.Sorted(maps.Keys(sel.overrides)) {
		applied, err := p.override(&link.Overrides[i])
		if err != nil {
			return err
		}
		if !applied {
			delete(sel.overrides, i)
		}
	}
	for _, i := range slices.Sorted(maps.Keys(sel.removed)) {
		applied, err := p.removed(&link.Removed[i])
		if err != nil {
			return err
		}
		if !applied {
			delete(sel.removed, i)
		}
	}
	for _, i := range slices.Sorted(maps.Keys(sel.own)) {
		if err := p.own(&sub.entity.Components[i]); err != nil {
			return err
		}
	}
	for _, value := range sel.values {
		c := &sub.entity.Components[value.own]
		switch {
		case sel.own[value.own]:
		case value.path == "":
			if err := p.own(c); err != nil {
				return err
			}
			if c.Type != transform {
				sel.own[value.own] = true
			}
		default:
			if err := p.ownValue(c, value.path); err != nil {
				return err
			}
		}
	}
	return s.drop(sub, sel)
}

// An applying changes a prefab to what an instance of it is.
type applying struct {
	session  *session
	sub      *subject
	work     *work
	document *scene.Document // as it was before: entities keep their indexes
	origins  map[guid.Guid]origin
}

// touched notes a change of the prefab.
func (p *applying) touched(t Touched, at origin) {
	e := &p.document.Entities[at.entity]
	t.File, t.Entity, t.EntityName = p.work.file, e.ID, e.Name
	if at.nested {
		t.Entity, t.EntityName = at.node.ID, at.node.Name
	}
	p.session.change.Values = append(p.session.change.Values, t)
}

func (p *applying) override(o *scene.Override) (applied bool, err error) {
	at, ok := p.origins[o.Entity]
	switch {
	case !ok:
		p.session.skip(p.sub, o.JSON, "override-orphaned", fmt.Sprintf("%s of %s is not applied: the prefab has no entity with the id %s", o.Path, o.Component, o.Entity),
			"clear the override, or leave it")
		return false, nil
	case o.Path == "":
		p.session.skip(p.sub, o.JSON, "override-path", fmt.Sprintf("an override of %s is not applied: its path is empty", o.Component), "clear the override")
		return false, nil
	}
	var old jsondoc.Value
	data := emptyObject()
	if c := at.node.Component(o.Component); c != nil {
		data, old = c.Data, c.Data.Path(o.Path)
	}
	if at.nested {
		// The prefab's own changes of the prefab in it come before, and this one at their end.
		if _, err := scene.SetPath(data, o.Path, o.Value); err != nil {
			p.invalid(o, err)
			return false, nil
		}
		p.touched(Touched{What: PrefabChanged, Component: o.Component, Path: o.Path, Old: old, New: o.Value}, at)
		return true, p.nest(at, o)
	}
	value, err := p.set(at, o.Component, o.Path, o.Value)
	if err != nil {
		p.invalid(o, err)
		return false, nil
	}
	p.touched(Touched{What: PrefabChanged, Component: o.Component, Path: o.Path, Old: value, New: o.Value}, at)
	return true, nil
}

func (p *applying) invalid(o *scene.Override, err error) {
	p.session.skip(p.sub, o.JSON, "override-path", fmt.Sprintf("%s of %s is not applied: %v", o.Path, o.Component, err), "clear the override")
}

// nest makes an override one of the instance in the prefab.
func (p *applying) nest(at origin, o *scene.Override) error {
	d, err := p.work.parsed()
	if err != nil {
		return err
	}
	link := d.Entities[at.entity].Link
	var gone []int
	for i := range link.Overrides {
		if n := &link.Overrides[i]; n.Entity == at.inner && n.Component == o.Component && n.Path == o.Path {
			gone = append(gone, i)
		}
	}
	return replaceItems(p.work, at.entity, "overrides", link.Overrides, gone, []newOverride{{at.inner, o.Component, o.Path, o.Value}})
}

// set gives a component of one of the document's own entities a value, and makes the component when it is missing. It gives the
// value from before.
func (p *applying) set(at origin, component, path string, value jsondoc.Value) (old jsondoc.Value, err error) {
	entity := p.work.entity(at.entity)
	c := findComponent(entity, component)
	data := c.Get("data")
	switch {
	case !c.Exists():
		made, err := scene.SetPath(emptyObject(), path, value)
		if err != nil {
			return old, err
		}
		return old, appendItems(p.work, entity, "components", [][]byte{componentText(component, made)}, scene.Order(scene.EntityObject))
	case data.Kind() != jsondoc.Object:
		made, err := scene.SetPath(emptyObject(), path, value)
		if err != nil {
			return old, err
		}
		return old, p.work.apply(c.SetMember("data", dataText(made), scene.Order(scene.ComponentObject)))
	}
	old = data.Path(path)
	edit, err := p.work.setIn(data, path, value)
	if err != nil || old.Exists() && scene.Equal(old, value) {
		return old, err
	}
	return old, p.work.apply(edit)
}

// findComponent finds the first component of a type in the JSON of an entity.
func findComponent(entity jsondoc.Value, kind string) jsondoc.Value {
	for c := range entity.Get("components").Items() {
		if word, err := c.Get("type").Text(); err == nil && word == kind {
			return c
		}
	}
	return jsondoc.Value{}
}

func componentText(kind string, data jsondoc.Value) []byte {
	w := jsondoc.NewWriter(jsondoc.Relaxed)
	w.BeginObject()
	w.Name("type")
	w.String(kind)
	w.Name("data")
	w.Data(data)
	w.EndObject()
	return w.Bytes()
}

func (p *applying) removed(r *scene.RemovedComponent) (applied bool, err error) {
	at, ok := p.origins[r.Entity]
	if !ok {
		p.session.skip(p.sub, r.JSON, "override-orphaned", fmt.Sprintf("the removal of %s is not applied: the prefab has no entity with the id %s", r.Component, r.Entity),
			"clear it, or leave it")
		return false, nil
	}
	var old jsondoc.Value
	if c := at.node.Component(r.Component); c != nil {
		old = c.Data
	}
	entity := p.work.entity(at.entity)
	if at.nested {
		d, err := p.work.parsed()
		if err != nil {
			return false, err
		}
		listed := slices.ContainsFunc(d.Entities[at.entity].Link.Removed, func(n scene.RemovedComponent) bool {
			return n.Entity == at.inner && n.Component == r.Component
		})
		if listed {
			return true, nil
		}
		p.touched(Touched{What: PrefabRemoved, Component: r.Component, Old: old}, at)
		return true, appendItems(p.work, entity.Get("prefab"), "removedComponents", [][]byte{removedText(at.inner, r.Component)}, scene.Order(scene.LinkObject))
	}
	var gone []int
	i := 0
	for c := range entity.Get("components").Items() {
		if word, err := c.Get("type").Text(); err == nil && word == r.Component {
			gone = append(gone, i)
		}
		i++
	}
	if len(gone) == 0 {
		return true, nil
	}
	p.touched(Touched{What: PrefabRemoved, Component: r.Component, Old: old}, at)
	return true, removeItems(p.work, entity.Get("components"), gone)
}

// root gives the place of the prefab's root. When that is itself an instance, own components are its own components.
func (p *applying) root() origin {
	return p.origins[p.sub.root.ID]
}

// own makes an own component of the instance that of the prefab's root.
func (p *applying) own(c *scene.Component) error {
	at := p.root()
	entity := p.work.entity(at.entity)
	there := findComponent(entity, c.Type)
	var old jsondoc.Value
	if inner := at.node.Component(c.Type); inner != nil {
		old = inner.Data
	}
	t := Touched{What: PrefabChanged, Component: c.Type, Old: old, New: c.Data}
	if !there.Exists() {
		p.touched(t, at)
		return appendItems(p.work, entity, "components", [][]byte{wholeComponent(c)}, scene.Order(scene.EntityObject))
	}
	if plain(c.JSON) && plain(there) && there.Get("data").Kind() == jsondoc.Object {
		if scene.Equal(there.Get("data"), c.Data) {
			return nil
		}
		p.touched(t, at)
		return p.work.apply(there.SetMember("data", dataText(c.Data), scene.Order(scene.ComponentObject)))
	}
	p.touched(t, at)
	return p.work.apply(there.Replace(wholeComponent(c)))
}

// plain says whether a component has nothing but its type and data.
func plain(component jsondoc.Value) bool {
	for name := range component.Members() {
		if name != "type" && name != "data" {
			return false
		}
	}
	return true
}

// wholeComponent lays out a component with what else it has.
func wholeComponent(c *scene.Component) []byte {
	w := jsondoc.NewWriter(jsondoc.Relaxed)
	w.BeginObject()
	w.Name("type")
	w.String(c.Type)
	w.Name("data")
	w.Data(c.Data)
	seen := map[string]bool{"type": true, "data": true}
	for name := range c.JSON.Members() {
		if !seen[name] {
			seen[name] = true
			w.Name(name)
			w.Value(c.JSON.Get(name))
		}
	}
	w.EndObject()
	return w.Bytes()
}

// ownValue makes a value of an own component that of the prefab's root.
func (p *applying) ownValue(c *scene.Component, path string) error {
	value := c.Data.Path(path)
	if !value.Exists() {
		return nil
	}
	at := p.root()
	if at.nested && !findComponent(p.work.entity(at.entity), c.Type).Exists() {
		// The root is an instance and has the component from its prefab.
		p.touched(Touched{What: PrefabChanged, Component: c.Type, Path: path, New: value}, at)
		return p.nest(at, &scene.Override{Component: c.Type, Path: path, Value: value})
	}
	old, err := p.set(at, c.Type, path, value)
	if err != nil {
		return pathProblem(p.sub, c.Data, c.Type, err)
	}
	if !scene.Equal(old, value) {
		p.touched(Touched{What: PrefabChanged, Component: c.Type, Path: path, Old: old, New: value}, at)
	}
	return nil
}
