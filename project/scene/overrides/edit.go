package overrides

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
	"talebinder/project/scene"
)

// Set works out what it takes to give a value to a member of an instance, or to another entity: value is JSON, and with an
// empty path it is all of the component's data, an object.
//
// An own component of the instance, and a component of an entity that is no instance, is changed where it is. Else the value
// becomes an override, at the end of the list; overrides of the same value and of parts of it go. A value that equals the
// prefab's needs none. Inside a value that is overridden already, that override's value changes.
func (w *Workspace) Set(ctx context.Context, t Target, value []byte) (*Change, error) {
	v, err := parseValue(value)
	if err != nil {
		return nil, err
	}
	if t.Component == "" {
		return nil, fmt.Errorf("%s: setting a value needs the component that it is in", shown(t.File))
	}
	if t.Path == "" && v.Kind() != jsondoc.Object {
		return nil, fmt.Errorf("the data of a component: expected an object, found %s", v.Kind())
	}
	what := t.Path
	if what == "" {
		what = t.Component
	}
	s := w.begin(ctx, "Set "+what)
	sub, err := s.subject(t.File, t.Instance)
	if err != nil {
		return nil, err
	}
	if err := s.set(sub, t, v); err != nil {
		return nil, err
	}
	return s.finish()
}

func (s *session) set(sub *subject, t Target, v jsondoc.Value) error {
	if !sub.isInstance() {
		if !t.Entity.IsZero() && t.Entity != sub.entity.ID {
			return fmt.Errorf("%s is no instance of a prefab, so it has no entity %s", sub.describe(), t.Entity)
		}
		i, c := ownComponent(sub.entity, t.Component)
		if c == nil {
			return fmt.Errorf("%s has no component %s", sub.describe(), t.Component)
		}
		return s.setStored(sub, guid.Guid{}, i, t.Path, v)
	}
	if sub.err != nil {
		return fmt.Errorf("%s: %w", sub.describe(), sub.err)
	}
	entity, node := sub.member(t.Entity)
	if node == nil {
		return fmt.Errorf("%s: the prefab has no entity with the id %s", sub.describe(), t.Entity)
	}
	if i, c := sub.stored(entity, t.Component); c != nil {
		return s.setStored(sub, entity, i, t.Path, v)
	}
	if t.Path == "" {
		return s.setComponent(sub, node, t.Component, v)
	}
	list := sub.entity.Link.Overrides
	for i := range list {
		o := &list[i]
		if o.Entity == entity && o.Component == t.Component && strings.HasPrefix(t.Path, o.Path+".") {
			return s.setInside(sub, i, t.Path[len(o.Path)+1:], v)
		}
	}
	var gone []int
	for i := range list {
		if o := &list[i]; o.Entity == entity && o.Component == t.Component && covers(t.Path, o.Path) {
			gone = append(gone, i)
		}
	}
	if len(gone) == 1 && list[gone[0]].Path == t.Path && scene.Equal(list[gone[0]].Value, v) && !sub.redundant(node, t, v) {
		return nil
	}
	if sub.redundant(node, t, v) {
		return s.replaceOverrides(sub, gone, nil)
	}
	// What the other overrides make of the component decides whether the path leads somewhere.
	data := emptyObject()
	if c := node.Component(t.Component); c != nil {
		data = c.Data
	}
	for i := range list {
		if o := &list[i]; o.Entity == entity && o.Component == t.Component && !slices.Contains(gone, i) && o.Path != "" {
			data, _ = scene.SetPath(data, o.Path, o.Value) // what cannot be set is passed over, as in the game
		}
	}
	if _, err := scene.SetPath(data, t.Path, v); err != nil {
		return pathProblem(sub, sub.entity.Link.JSON, t.Component, err)
	}
	return s.replaceOverrides(sub, gone, []newOverride{{entity, t.Component, t.Path, v}})
}

// redundant says whether the prefab has the value already.
func (sub *subject) redundant(node *scene.Node, t Target, v jsondoc.Value) bool {
	c := node.Component(t.Component)
	return c != nil && scene.Equal(c.Data.Path(t.Path), v)
}

// setStored changes a component that the entity itself has.
func (s *session) setStored(sub *subject, entity guid.Guid, index int, path string, v jsondoc.Value) error {
	c := &sub.entity.Components[index]
	old := c.Data
	if path != "" {
		old = c.Data.Path(path)
	}
	if scene.Equal(old, v) {
		return nil
	}
	json := sub.work.entity(sub.index).Get("components").Index(index)
	var edit jsondoc.Edit
	switch data := json.Get("data"); {
	case path == "":
		edit = json.SetMember("data", dataText(v), scene.Order(scene.ComponentObject))
	case data.Kind() != jsondoc.Object:
		made, err := scene.SetPath(emptyObject(), path, v)
		if err != nil {
			return pathProblem(sub, json, c.Type, err)
		}
		edit = json.SetMember("data", dataText(made), scene.Order(scene.ComponentObject))
	default:
		var err error
		if edit, err = sub.work.setIn(data, path, v); err != nil {
			return pathProblem(sub, data, c.Type, err)
		}
	}
	s.touch(sub, Touched{What: OwnChanged, Entity: entity, Component: c.Type, Path: path, Old: old, New: v})
	return sub.work.apply(edit)
}

// setComponent makes all of a component's data a value: each property that differs from the prefab's becomes an override.
func (s *session) setComponent(sub *subject, node *scene.Node, component string, v jsondoc.Value) error {
	var data jsondoc.Value
	if c := node.Component(component); c != nil {
		data = c.Data
	}
	var added []newOverride
	seen := map[string]bool{}
	for name := range v.Members() {
		value := v.Get(name) // of a repeated name the last value counts
		if !seen[name] && !scene.Equal(data.Get(name), value) {
			added = append(added, newOverride{node.ID, component, name, value})
		}
		seen[name] = true
	}
	var gone []int
	same := true
	list := sub.entity.Link.Overrides
	for i := range list {
		if o := &list[i]; o.Entity == node.ID && o.Component == component {
			n := len(gone)
			same = same && n < len(added) && added[n].path == o.Path && scene.Equal(added[n].value, o.Value)
			gone = append(gone, i)
		}
	}
	if same && len(gone) == len(added) {
		return nil
	}
	return s.replaceOverrides(sub, gone, added)
}

// setInside changes a part of an override's value.
func (s *session) setInside(sub *subject, index int, rest string, v jsondoc.Value) error {
	o := &sub.entity.Link.Overrides[index]
	if o.Value.Kind() != jsondoc.Object && o.Value.Kind() != jsondoc.Array {
		return nil // there is nothing inside of it
	}
	old := o.Value.Path(rest)
	if scene.Equal(old, v) {
		return nil
	}
	value := sub.work.entity(sub.index).Get("prefab").Get("overrides").Index(index).Get("value")
	edit, err := sub.work.setIn(value, rest, v)
	if err != nil {
		return pathProblem(sub, value, o.Component, err)
	}
	s.touch(sub, Touched{What: OverrideChanged, Entity: o.Entity, Component: o.Component, Path: o.Path + "." + rest, Old: old, New: v})
	return sub.work.apply(edit)
}

// A newOverride is one that is to be added.
type newOverride struct {
	entity          guid.Guid
	component, path string
	value           jsondoc.Value
}

func (o newOverride) text() []byte {
	w := jsondoc.NewWriter(jsondoc.Relaxed)
	w.BeginObject()
	w.Name("entity")
	w.String(o.entity.String())
	w.Name("component")
	w.String(o.component)
	w.Name("path")
	w.String(o.path)
	w.Name("value")
	w.Data(o.value)
	w.EndObject()
	return w.Bytes()
}

// replaceOverrides removes overrides of an instance and adds others at the end.
func (s *session) replaceOverrides(sub *subject, gone []int, added []newOverride) error {
	list := sub.entity.Link.Overrides
	left := slices.Clone(added)
	for _, i := range gone {
		o := &list[i]
		t := Touched{What: OverrideRemoved, Entity: o.Entity, Component: o.Component, Path: o.Path, Old: o.Value}
		if at := slices.IndexFunc(left, func(n newOverride) bool { return n.path == o.Path }); at >= 0 {
			t.What, t.New = OverrideChanged, left[at].value
			left = slices.Delete(left, at, at+1)
		}
		s.touch(sub, t)
	}
	for _, n := range left {
		t := Touched{What: OverrideAdded, Entity: n.entity, Component: n.component, Path: n.path, New: n.value}
		if c := sub.node(n.entity).Component(n.component); c != nil {
			t.Old = c.Data.Path(n.path)
		}
		s.touch(sub, t)
	}
	return replaceItems(sub.work, sub.index, "overrides", list, gone, added)
}

// replaceItems does what replaceOverrides does to the text of an entity. An override that is only given another value keeps its
// bytes, and when it is the last of the list its place: then nothing but the value changes.
func replaceItems(k *work, entity int, member string, list []scene.Override, gone []int, added []newOverride) error {
	items := func() jsondoc.Value { return k.entity(entity).Get("prefab").Get(member) }
	if len(added) == 1 {
		n := added[0]
		at := slices.IndexFunc(gone, func(i int) bool {
			return list[i].Path == n.path && list[i].Entity == n.entity && list[i].Component == n.component
		})
		if at >= 0 {
			kept := gone[at]
			others := slices.Delete(slices.Clone(gone), at, at+1)
			for _, i := range others {
				if i < gone[at] {
					kept--
				}
			}
			if err := removeItems(k, items(), others); err != nil {
				return err
			}
			if last := len(list) - len(others) - 1; kept != last {
				if err := k.apply(items().MoveItem(kept, last)...); err != nil {
					return err
				}
				kept = last
			}
			if scene.Equal(list[gone[at]].Value, n.value) {
				return nil
			}
			item := items().Index(kept)
			value := item.Get("value")
			if !value.Exists() {
				return k.apply(item.SetMember("value", dataText(n.value), scene.Order(scene.OverrideObject)))
			}
			edit, err := k.replace(value, n.value)
			if err != nil {
				return err
			}
			return k.apply(edit)
		}
	}
	if err := removeItems(k, items(), gone); err != nil || len(added) == 0 {
		return err
	}
	raws := make([][]byte, len(added))
	for i, n := range added {
		raws[i] = n.text()
	}
	return appendItems(k, k.entity(entity).Get("prefab"), member, raws, scene.Order(scene.LinkObject))
}

func removeItems(k *work, list jsondoc.Value, gone []int) error {
	if len(gone) == 0 {
		return nil
	}
	return k.apply(list.RemoveItems(gone...))
}

// appendItems adds items to a list of an object, which is made when it is not there.
func appendItems(k *work, object jsondoc.Value, member string, raws [][]byte, order []string) error {
	list := object.Get(member)
	if list.Kind() != jsondoc.Array {
		if err := k.apply(object.SetMember(member, []byte("[]"), order)); err != nil {
			return err
		}
		// The object has the same place in the new text: only a member of it has changed.
		doc := k.json
		list = valueAt(doc.Root(), object.Start()).Get(member)
	}
	return k.apply(list.InsertItems(list.Len(), raws...))
}

// valueAt finds the object or list that begins at an offset.
func valueAt(v jsondoc.Value, offset int) jsondoc.Value {
	for {
		if v.Start() == offset {
			return v
		}
		var inner jsondoc.Value
		for item := range v.Items() {
			if item.Start() <= offset && offset < item.End() {
				inner = item
			}
		}
		for _, member := range v.Members() {
			if member.Start() <= offset && offset < member.End() {
				inner = member
			}
		}
		if !inner.Exists() {
			return inner
		}
		v = inner
	}
}

// RemoveComponent works out what it takes for an instance to do without a component: an own one goes, one of the prefab is
// listed as removed, and its overrides go.
func (w *Workspace) RemoveComponent(ctx context.Context, t Target) (*Change, error) {
	s := w.begin(ctx, "Remove "+t.Component)
	sub, err := s.subject(t.File, t.Instance)
	if err != nil {
		return nil, err
	}
	if sub.isInstance() && sub.err != nil {
		return nil, fmt.Errorf("%s: %w", sub.describe(), sub.err)
	}
	entity, node := sub.member(t.Entity)
	var own []int
	for i := range sub.entity.Components {
		if sub.entity.Components[i].Type == t.Component && (!sub.isInstance() || sub.isRoot(entity)) {
			own = append(own, i)
		}
	}
	switch {
	case len(own) > 0:
		for _, i := range own {
			s.touch(sub, Touched{What: OwnRemoved, Entity: ownEntity(sub), Component: t.Component, Old: sub.entity.Components[i].Data})
		}
		err = removeItems(sub.work, sub.work.entity(sub.index).Get("components"), own)
	case !sub.isInstance():
		err = fmt.Errorf("%s has no component %s", sub.describe(), t.Component)
	case node == nil:
		err = fmt.Errorf("%s: the prefab has no entity with the id %s", sub.describe(), t.Entity)
	default:
		err = s.removeInherited(sub, node, t.Component)
	}
	if err != nil {
		return nil, err
	}
	return s.finish()
}

func ownEntity(sub *subject) guid.Guid {
	if sub.err == nil {
		return sub.root.ID
	}
	return guid.Guid{}
}

func (s *session) removeInherited(sub *subject, node *scene.Node, component string) error {
	link := sub.entity.Link
	var gone []int
	for i := range link.Overrides {
		if o := &link.Overrides[i]; o.Entity == node.ID && o.Component == component {
			gone = append(gone, i)
		}
	}
	inner := node.Component(component)
	listed := slices.ContainsFunc(link.Removed, func(r scene.RemovedComponent) bool { return r.Entity == node.ID && r.Component == component })
	if inner == nil && len(gone) == 0 {
		return fmt.Errorf("%s: the prefab's %s has no component %s", sub.describe(), node.Name, component)
	}
	if err := s.replaceOverrides(sub, gone, nil); err != nil || inner == nil || listed {
		return err
	}
	s.touch(sub, Touched{What: ComponentRemoved, Entity: node.ID, Component: component, Old: inner.Data})
	return appendItems(sub.work, sub.work.entity(sub.index).Get("prefab"), "removedComponents",
		[][]byte{removedText(node.ID, component)}, scene.Order(scene.LinkObject))
}

func removedText(entity guid.Guid, component string) []byte {
	w := jsondoc.NewWriter(jsondoc.Relaxed)
	w.BeginObject()
	w.Name("entity")
	w.String(entity.String())
	w.Name("component")
	w.String(component)
	w.EndObject()
	return w.Bytes()
}

// RestoreComponent works out what it takes for an instance to have a component of the prefab again that it removed.
func (w *Workspace) RestoreComponent(ctx context.Context, t Target) (*Change, error) {
	s := w.begin(ctx, "Restore "+t.Component)
	sub, err := s.subject(t.File, t.Instance)
	if err != nil {
		return nil, err
	}
	if !sub.isInstance() {
		return nil, fmt.Errorf("%s: %w", sub.describe(), sub.err)
	}
	entity, _ := sub.member(t.Entity)
	sel := newSelection()
	for i := range sub.entity.Link.Removed {
		if r := &sub.entity.Link.Removed[i]; r.Entity == entity && r.Component == t.Component {
			sel.removed[i] = true
		}
	}
	if err := s.drop(sub, sel); err != nil {
		return nil, err
	}
	return s.finish()
}

// Overridden says whether an instance has a value of its own there: whether the mark that editors show is to be seen. With an
// empty path it is about the whole component, without a component about all of the member.
func (w *Workspace) Overridden(ctx context.Context, t Target) (bool, error) {
	s := w.begin(ctx, "")
	sub, err := s.subject(t.File, t.Instance)
	if err != nil || !sub.isInstance() {
		return false, err
	}
	entity, node := sub.member(t.Entity)
	link := sub.entity.Link
	if t.Component == "" {
		named := func(id guid.Guid) bool { return t.Entity.IsZero() || sub.isRoot(entity) || id == entity }
		return slices.ContainsFunc(link.Overrides, func(o scene.Override) bool { return named(o.Entity) }) ||
			slices.ContainsFunc(link.Removed, func(r scene.RemovedComponent) bool { return named(r.Entity) }) ||
			(t.Entity.IsZero() || sub.isRoot(entity)) && slices.ContainsFunc(sub.entity.Components, func(c scene.Component) bool { return c.Type != transform }), nil
	}
	if _, c := sub.stored(entity, t.Component); c != nil {
		inner := node.Component(t.Component)
		switch {
		case inner == nil:
			return true, nil
		case t.Path == "":
			return !scene.Equal(inner.Data, c.Data), nil
		}
		return !scene.Equal(inner.Data.Path(t.Path), c.Data.Path(t.Path)), nil
	}
	return slices.ContainsFunc(link.Overrides, func(o scene.Override) bool {
		return o.Entity == entity && o.Component == t.Component && (t.Path == "" || related(o.Path, t.Path))
	}), nil
}
