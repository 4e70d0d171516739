package overrides

import (
	"errors"
	"runtime"

	"golang.org/x/sync/errgroup"

	"talebinder/formats"
	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
	"talebinder/project/problem"
	"talebinder/project/scene"
)

// see finds out what instances anywhere in the project come to see through changes of prefabs.
func (s *session) see(prefabs []*work) error {
	if len(prefabs) == 0 {
		return nil
	}
	holds, err := s.holders(prefabs)
	if err != nil {
		return err
	}
	before := scene.NewExpander(catalog{s.workspace, nil}, scene.Options{Display: true})
	after := s.prefabs()
	// Everything is read in advance: works are not for several goroutines.
	documents := map[string]*scene.Document{}
	for file, k := range s.works {
		if k.json == nil {
			continue
		}
		d, err := k.parsed()
		if err != nil {
			return err
		}
		documents[file] = d
	}
	files := s.workspace.Documents()
	seen := make([]seeing, len(files))
	group, ctx := errgroup.WithContext(s.ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, file := range files {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			d, err := s.workspace.read(file, false)
			if err != nil || !uses(d, holds) {
				return nil // what cannot be read has no instances
			}
			later := documents[file]
			if later == nil {
				later = d
			}
			old, err := before.Expand(ctx, d)
			var now *scene.Expansion
			if err == nil {
				now, err = after.Expand(ctx, later)
			}
			var limit *formats.LimitError
			switch {
			case errors.As(err, &limit):
				seen[i].skipped = []problem.Problem{{
					Level: problem.Warning, Code: "not-compared", File: shown(file), Message: "what changes here is not known: " + limit.Error(),
				}}
				return nil
			case err != nil:
				return err
			}
			seen[i] = s.compare(d, old, now, file)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for _, found := range seen {
		s.change.Instances = append(s.change.Instances, found.instances...)
		s.change.Values = append(s.change.Values, found.values...)
		s.change.Skipped = append(s.change.Skipped, found.skipped...)
	}
	return nil
}

// A seeing is what the instances of one document come to see.
type seeing struct {
	instances []InstanceRef
	values    []Touched
	skipped   []problem.Problem
}

// uses says whether a document has an instance of one of the prefabs.
func uses(d *scene.Document, assets map[guid.Guid]bool) bool {
	for i := range d.Entities {
		if l := d.Entities[i].Link; l != nil && assets[l.Asset] {
			return true
		}
	}
	return false
}

// holders gives the changed prefabs and all that hold one of them, at any depth.
func (s *session) holders(changed []*work) (map[guid.Guid]bool, error) {
	holds := map[guid.Guid]bool{}
	for _, k := range changed {
		holds[s.workspace.assetOf(k.file)] = true
	}
	type prefab struct {
		asset    guid.Guid
		document *scene.Document
	}
	var all []prefab
	for _, file := range s.workspace.Documents() {
		if err := s.ctx.Err(); err != nil {
			return nil, err
		}
		if kind, _ := scene.KindOf(file); kind != scene.Prefab {
			continue
		}
		if d, err := s.workspace.Document(file); err == nil {
			all = append(all, prefab{s.workspace.assetOf(file), d})
		}
	}
	for more := true; more; {
		more = false
		for _, p := range all {
			if !holds[p.asset] && uses(p.document, holds) {
				holds[p.asset], more = true, true
			}
		}
	}
	return holds, nil
}

// compare finds the values that differ in the members of instances, except of those that are edited themselves.
func (s *session) compare(d *scene.Document, old, now *scene.Expansion, file string) seeing {
	var found seeing
	listed := map[guid.Guid]bool{}
	for i := range now.Nodes {
		n := &now.Nodes[i]
		if n.Instance == nil || s.edited[instanceKey{file, n.Instance.ID}] {
			continue
		}
		at, ok := old.Find(n.ID)
		if !ok {
			continue
		}
		o := &old.Nodes[at]
		base := Touched{What: Seen, File: file, Instance: n.Instance.ID, Entity: n.Proto.ID, EntityName: n.Name}
		from := len(found.values)
		for c := range n.Components {
			later := &n.Components[c]
			base.Component = later.Type
			if earlier := o.Component(later.Type); earlier == nil {
				found.add(base, "", jsondoc.Value{}, later.Data)
			} else {
				found.diff(base, "", earlier.Data, later.Data)
			}
		}
		for c := range o.Components {
			if gone := &o.Components[c]; n.Component(gone.Type) == nil {
				base.Component = gone.Type
				found.add(base, "", gone.Data, jsondoc.Value{})
			}
		}
		if len(found.values) > from && !listed[n.Instance.ID] {
			listed[n.Instance.ID] = true
			found.instances = append(found.instances, InstanceRef{File: file, ID: n.Instance.ID, Path: instancePath(d, n.Instance.Entity)})
		}
	}
	return found
}

func (f *seeing) add(t Touched, path string, old, now jsondoc.Value) {
	t.Path, t.Old, t.New = path, old, now
	f.values = append(f.values, t)
}

// diff lists the values that differ, the innermost properties of objects and whole lists.
func (f *seeing) diff(t Touched, path string, old, now jsondoc.Value) {
	if scene.Equal(old, now) {
		return
	}
	if old.Kind() != jsondoc.Object || now.Kind() != jsondoc.Object {
		f.add(t, path, old, now)
		return
	}
	prefix := path
	if prefix != "" {
		prefix += "."
	}
	seen := map[string]bool{}
	for _, object := range []jsondoc.Value{old, now} {
		for name := range object.Members() {
			if !seen[name] {
				seen[name] = true
				f.diff(t, prefix+name, old.Get(name), now.Get(name))
			}
		}
	}
}
