package overrides

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"talebinder/formats/jsondoc"
	"talebinder/project/scene"
)

// A selection is what is chosen of one instance, by index.
type selection struct {
	overrides, removed, own map[int]bool
	values                  []storedValue // in own components
}

// A storedValue is a value in an own component, or with an empty path all of its data.
type storedValue struct {
	own  int
	path string
}

func newSelection() *selection {
	return &selection{overrides: map[int]bool{}, removed: map[int]bool{}, own: map[int]bool{}}
}

func (sel *selection) empty() bool {
	return len(sel.overrides)+len(sel.removed)+len(sel.own)+len(sel.values) == 0
}

// choose adds what a target means.
func (sub *subject) choose(sel *selection, t Target) {
	link := sub.entity.Link
	if t.Component != "" {
		entity, _ := sub.member(t.Entity)
		if i, c := sub.stored(entity, t.Component); c != nil {
			sel.values = append(sel.values, storedValue{i, t.Path})
			return
		}
		for i := range link.Overrides {
			if o := &link.Overrides[i]; o.Entity == entity && o.Component == t.Component && (t.Path == "" || covers(t.Path, o.Path)) {
				sel.overrides[i] = true
			}
		}
		for i := range link.Removed {
			if r := &link.Removed[i]; t.Path == "" && r.Entity == entity && r.Component == t.Component {
				sel.removed[i] = true
			}
		}
		return
	}
	all := t.Entity.IsZero()
	entity, _ := sub.member(t.Entity)
	for i := range link.Overrides {
		if all || link.Overrides[i].Entity == entity {
			sel.overrides[i] = true
		}
	}
	for i := range link.Removed {
		if all || link.Removed[i].Entity == entity {
			sel.removed[i] = true
		}
	}
	for i := range sub.entity.Components {
		if (all || sub.isRoot(entity)) && sub.entity.Components[i].Type != transform {
			sel.own[i] = true
		}
	}
}

// A group is the targets of one instance.
type group struct {
	key     instanceKey
	targets []Target
}

func groupTargets(targets []Target) []group {
	var groups []group
	at := map[instanceKey]int{}
	for _, t := range targets {
		key := instanceKey{t.File, t.Instance}
		i, ok := at[key]
		if !ok {
			i = len(groups)
			at[key] = i
			groups = append(groups, group{key: key})
		}
		groups[i].targets = append(groups[i].targets, t)
	}
	return groups
}

// targetTitle names what a step is about.
func targetTitle(verb string, targets []Target) string {
	if len(targets) != 1 {
		return fmt.Sprintf("%s %d changes", verb, len(targets))
	}
	switch t := targets[0]; {
	case t.Path != "":
		return verb + " " + t.Path
	case t.Component != "":
		return verb + " " + t.Component
	case !t.Entity.IsZero():
		return verb + " entity"
	}
	return verb + " instance"
}

// Revert works out what it takes to give values back to the prefab: the overrides at and below each path go, removed components
// come back, and an own component takes the prefab's value, if the prefab has the component. Of a whole instance, all overrides,
// removed components and own components but Transform go. An override above a path stays.
func (w *Workspace) Revert(ctx context.Context, targets ...Target) (*Change, error) {
	s := w.begin(ctx, targetTitle("Revert", targets))
	for _, g := range groupTargets(targets) {
		sub, err := s.subject(g.key.file, g.key.id)
		if err != nil {
			return nil, err
		}
		if !sub.isInstance() {
			return nil, fmt.Errorf("%s: %w", sub.describe(), sub.err)
		}
		sel := newSelection()
		for _, t := range g.targets {
			sub.choose(sel, t)
		}
		if err := s.revertStored(sub, sel); err != nil {
			return nil, err
		}
		if err := s.drop(sub, sel); err != nil {
			return nil, err
		}
	}
	return s.finish()
}

// revertStored gives values of own components the prefab's value. It changes no index.
func (s *session) revertStored(sub *subject, sel *selection) error {
	for _, value := range sel.values {
		if sel.own[value.own] || sub.err != nil {
			continue
		}
		// An edit before may have changed the document that the subject is of.
		if err := sub.work.flush(); err != nil {
			return err
		}
		fresh, err := s.subject(sub.work.file, sub.entity.ID)
		if err != nil {
			return err
		}
		*sub = *fresh
		c := &sub.entity.Components[value.own]
		inner := sub.root.Component(c.Type)
		switch {
		case value.path == "" && inner == nil:
		case value.path == "":
			err = s.setStored(sub, sub.root.ID, value.own, "", inner.Data)
		case inner != nil && inner.Data.Path(value.path).Exists():
			err = s.setStored(sub, sub.root.ID, value.own, value.path, inner.Data.Path(value.path))
		default:
			err = s.dropStored(sub, value)
		}
		if err != nil {
			return err
		}
		if sub.work.doc == nil {
			if fresh, err = s.subject(sub.work.file, sub.entity.ID); err != nil {
				return err
			}
			*sub = *fresh
		}
	}
	return nil
}

// dropStored removes a property that the prefab does not have. In a list it becomes null.
func (s *session) dropStored(sub *subject, value storedValue) error {
	c := &sub.entity.Components[value.own]
	old := c.Data.Path(value.path)
	if !old.Exists() {
		return nil
	}
	if old.Name().Exists() {
		owner := c.Data
		name, err := old.Name().Text()
		if err != nil {
			return err
		}
		if head := len(value.path) - len(name) - 1; head > 0 {
			owner = c.Data.Path(value.path[:head])
		}
		if owner.Kind() == jsondoc.Object {
			s.touch(sub, Touched{What: OwnChanged, Entity: sub.root.ID, Component: c.Type, Path: value.path, Old: old})
			return sub.work.apply(owner.RemoveMember(name))
		}
	}
	return s.setStored(sub, sub.root.ID, value.own, value.path, nullValue())
}

func nullValue() jsondoc.Value {
	doc, err := jsondoc.Parse([]byte("null"))
	if err != nil {
		return jsondoc.Value{}
	}
	return doc.Root()
}

// drop takes what is selected out of an instance, together with what is dropped of other instances of the document: the edits
// of all of them are made at once.
func (s *session) drop(sub *subject, sel *selection) error {
	k := sub.work
	if k.doc == nil {
		return fmt.Errorf("%s: the entity was read before the last edit", shown(k.file))
	}
	link := sub.entity.Link
	for _, i := range slices.Sorted(maps.Keys(sel.overrides)) {
		o := &link.Overrides[i]
		t := Touched{What: OverrideRemoved, Entity: o.Entity, Component: o.Component, Path: o.Path, Old: o.Value}
		if sub.err == nil {
			if n := sub.node(o.Entity); n != nil && n.Component(o.Component) != nil {
				t.New = n.Component(o.Component).Data.Path(o.Path)
			}
		}
		s.touch(sub, t)
	}
	for _, i := range slices.Sorted(maps.Keys(sel.removed)) {
		r := &link.Removed[i]
		t := Touched{What: ComponentRestored, Entity: r.Entity, Component: r.Component}
		if sub.err == nil {
			if n := sub.node(r.Entity); n != nil && n.Component(r.Component) != nil {
				t.New = n.Component(r.Component).Data
			}
		}
		s.touch(sub, t)
	}
	for _, i := range slices.Sorted(maps.Keys(sel.own)) {
		c := &sub.entity.Components[i]
		t := Touched{What: OwnRemoved, Entity: ownEntity(sub), Component: c.Type, Old: c.Data}
		if sub.err == nil && sub.root.Component(c.Type) != nil {
			t.New = sub.root.Component(c.Type).Data
		}
		s.touch(sub, t)
	}
	json := sub.entity.JSON
	for _, part := range []struct {
		list jsondoc.Value
		gone map[int]bool
	}{
		{json.Get("prefab").Get("overrides"), sel.overrides},
		{json.Get("prefab").Get("removedComponents"), sel.removed},
		{json.Get("components"), sel.own},
	} {
		if len(part.gone) > 0 {
			k.pending = append(k.pending, part.list.RemoveItems(slices.Sorted(maps.Keys(part.gone))...))
		}
	}
	return nil
}

// Clear works out what it takes to remove everything that a filter chooses, in all of the project: without classes, what is
// redundant or orphaned. The game does not change by what is redundant.
func (w *Workspace) Clear(ctx context.Context, filter Filter) (*Change, error) {
	if len(filter.Classes) == 0 {
		filter.Classes = []Class{Redundant, Orphaned}
	}
	t, err := w.Overrides(ctx, filter, nil)
	if err != nil {
		return nil, err
	}
	return w.ClearRows(ctx, t.Rows)
}

// ClearRows is Clear for rows that are chosen one by one: exactly these are removed. The error says so when a document has
// changed since the rows were found.
func (w *Workspace) ClearRows(ctx context.Context, rows []Row) (*Change, error) {
	title := "Clear overrides"
	if len(rows) == 1 {
		title = "Clear override"
	}
	s := w.begin(ctx, title)
	selections := map[instanceKey]*selection{}
	var order []instanceKey
	for i := range rows {
		r := &rows[i]
		key := instanceKey{r.File, r.Instance}
		sel := selections[key]
		if sel == nil {
			sel = newSelection()
			selections[key] = sel
			order = append(order, key)
		}
		switch r.Kind {
		case Value:
			sel.overrides[r.Index] = true
		case Removed:
			sel.removed[r.Index] = true
		default:
			sel.own[r.Index] = true
		}
	}
	subjects := map[instanceKey]*subject{}
	for _, key := range order {
		sub, err := s.subject(key.file, key.id)
		if err != nil {
			return nil, err
		}
		subjects[key] = sub
	}
	for i := range rows {
		r := &rows[i]
		if !subjects[instanceKey{r.File, r.Instance}].has(r) {
			return nil, fmt.Errorf("%s has changed since its overrides were listed: list them again", shown(r.File))
		}
	}
	for _, key := range order {
		if err := s.drop(subjects[key], selections[key]); err != nil {
			return nil, err
		}
	}
	return s.finish()
}

// has says whether a row is still what it was.
func (sub *subject) has(r *Row) bool {
	if !sub.isInstance() || r.Index < 0 {
		return false
	}
	link := sub.entity.Link
	switch r.Kind {
	case Value:
		return r.Index < len(link.Overrides) && link.Overrides[r.Index].Entity == r.Entity && link.Overrides[r.Index].Component == r.Component &&
			link.Overrides[r.Index].Path == r.Path && scene.Equal(link.Overrides[r.Index].Value, r.InstanceValue)
	case Removed:
		return r.Index < len(link.Removed) && link.Removed[r.Index].Entity == r.Entity && link.Removed[r.Index].Component == r.Component
	}
	return r.Index < len(sub.entity.Components) && sub.entity.Components[r.Index].Type == r.Component &&
		scene.Equal(sub.entity.Components[r.Index].Data, r.InstanceValue)
}
