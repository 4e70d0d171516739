package overrides

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
	"talebinder/project/document"
	"talebinder/project/problem"
	"talebinder/project/scene"
)

// A session works out one change: on copies of the documents, which nobody else sees.
type session struct {
	ctx       context.Context
	workspace *Workspace
	works     map[string]*work
	order     []*work
	expander  *scene.Expander
	change    *Change
	edited    map[instanceKey]bool // instances that are edited themselves
}

type instanceKey struct {
	file string
	id   guid.Guid
}

// A work is a document that a session edits.
type work struct {
	session *session
	file    string
	kind    scene.Kind
	before  []byte // nil for a new file
	json    *jsondoc.Doc
	doc     *scene.Document // of json, or nil when it has not been read yet
	plain   []byte          // the text of a file that is no document, such as a .meta
	pending []jsondoc.Edit
}

func (w *Workspace) begin(ctx context.Context, title string) *session {
	return &session{
		ctx: ctx, workspace: w, works: map[string]*work{}, edited: map[instanceKey]bool{},
		change: &Change{Title: title, prefabs: map[guid.Guid]string{}},
	}
}

// open gives a document to edit.
func (s *session) open(file string) (*work, error) {
	if k := s.works[file]; k != nil {
		return k, nil
	}
	d, err := s.workspace.Document(file)
	if err != nil {
		return nil, err
	}
	if d.Migrated {
		return nil, fmt.Errorf("%s is of an older version: open and save it in the editor before it is edited here", shown(file))
	}
	k := &work{session: s, file: file, kind: d.Kind, before: d.Text(), json: d.JSON, doc: d}
	s.add(k)
	return k, nil
}

func (s *session) add(k *work) {
	s.works[k.file] = k
	s.order = append(s.order, k)
}

// parsed gives the document as it is after the edits so far.
func (k *work) parsed() (*scene.Document, error) {
	if k.doc == nil {
		d, err := scene.Parse(k.kind, shown(k.file), k.json.Text())
		if err != nil {
			return nil, err
		}
		k.doc, k.json = d, d.JSON
	}
	return k.doc, nil
}

// apply makes edits of values of the document as it is now.
func (k *work) apply(edits ...jsondoc.Edit) error {
	doc, err := k.json.Apply(edits...)
	if err != nil {
		return fmt.Errorf("%s: the change could not be made: %w", shown(k.file), err)
	}
	k.json, k.doc = doc, nil
	if k.kind == scene.Prefab {
		k.session.expander = nil
	}
	return nil
}

// flush makes the edits that have been collected.
func (k *work) flush() error {
	if len(k.pending) == 0 {
		return nil
	}
	edits := k.pending
	k.pending = nil
	return k.apply(edits...)
}

// entity gives the JSON of an entity by its index.
func (k *work) entity(index int) jsondoc.Value { return k.json.Root().Get("entities").Index(index) }

// prefabs gives an expander that finds the documents as they are after the edits so far.
func (s *session) prefabs() *scene.Expander {
	if s.expander == nil {
		s.expander = scene.NewExpander(catalog{s.workspace, s}, scene.Options{Display: true})
	}
	return s.expander
}

// A subject is an instance, or another entity, that is edited.
type subject struct {
	instance
	work  *work
	doc   *scene.Document
	index int // of the entity
}

// subject finds an entity. One that is an instance is found with its prefab, or with the error why there is none.
func (s *session) subject(file string, id guid.Guid) (*subject, error) {
	k, err := s.open(file)
	if err != nil {
		return nil, err
	}
	d, err := k.parsed()
	if err != nil {
		return nil, err
	}
	e := d.Entity(id)
	if e == nil {
		return nil, fmt.Errorf("%s has no entity with the id %s", shown(file), id)
	}
	sub := &subject{work: k, doc: d, index: slices.IndexFunc(d.Entities, func(o scene.Entity) bool { return o.ID == id })}
	sub.entity = e
	if e.Link == nil || e.Link.Asset.IsZero() {
		sub.err = errors.New("the entity is no instance of a prefab")
		return sub, nil
	}
	sub.asset = e.Link.Asset
	if d.Kind == scene.Prefab && s.workspace.PrefabPath(sub.asset) == file {
		sub.err = errors.New("a prefab cannot be in itself")
		return sub, nil
	}
	sub.base, sub.root, sub.err = s.workspace.base(s.ctx, s.prefabs(), sub.asset)
	return sub, s.ctx.Err()
}

// isInstance says whether the entity has a link to a prefab, whatever has become of that.
func (sub *subject) isInstance() bool { return !sub.asset.IsZero() }

// describe names the subject in messages.
func (sub *subject) describe() string {
	return shown(sub.work.file) + ", " + EntityPath(sub.doc, sub.entity)
}

// member gives the id, within the prefab, of the entity that a target means. An id that nothing has is given back as it is, for
// overrides whose entity is gone.
func (sub *subject) member(id guid.Guid) (guid.Guid, *scene.Node) {
	if sub.err != nil {
		return id, nil
	}
	if id.IsZero() || id == sub.entity.ID {
		return sub.root.ID, sub.root
	}
	if n := sub.node(id); n != nil {
		return id, n
	}
	for i := range sub.base.Nodes {
		if n := &sub.base.Nodes[i]; scene.Map(sub.entity.ID, sub.root.ID, n.ID) == id {
			return n.ID, n
		}
	}
	return id, nil
}

// stored finds the instance's own component that a target means.
func (sub *subject) stored(entity guid.Guid, component string) (index int, c *scene.Component) {
	if !sub.isRoot(entity) {
		return -1, nil
	}
	return ownComponent(sub.entity, component)
}

// touch notes what the change does to a value of the subject.
func (s *session) touch(sub *subject, t Touched) {
	t.File, t.Instance = sub.work.file, sub.entity.ID
	if sub.err == nil {
		if n := sub.node(t.Entity); n != nil {
			t.EntityName = n.Name
		}
	} else if t.Entity.IsZero() {
		t.Entity, t.EntityName = sub.entity.ID, sub.entity.Name
	}
	s.change.Values = append(s.change.Values, t)
	key := instanceKey{sub.work.file, sub.entity.ID}
	if !s.edited[key] {
		s.edited[key] = true
		s.change.Instances = append(s.change.Instances, InstanceRef{File: key.file, ID: key.id, Path: instancePath(sub.doc, sub.entity)})
	}
}

func (s *session) skip(sub *subject, at jsondoc.Value, code, message, hint string) {
	line, column := at.Position()
	s.change.Skipped = append(s.change.Skipped, problem.Problem{
		Level: problem.Warning, Code: code, Message: message, File: shown(sub.work.file), Line: line, Column: column, Hint: hint,
	})
}

// finish gives the change with its files: new ones first, then prefabs, then scenes, so that a program that is killed between
// two of them leaves nothing that refers to what is not there.
func (s *session) finish() (*Change, error) {
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	rank := func(k *work) int {
		switch {
		case k.before == nil:
			return 0
		case k.kind == scene.Prefab:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(s.order, func(a, b *work) int { return rank(a) - rank(b) })
	var prefabs []*work
	for _, k := range s.order {
		if err := k.flush(); err != nil {
			return nil, err
		}
		after := k.plain
		if after == nil {
			after = k.json.Text()
		}
		if k.before != nil && bytes.Equal(k.before, after) {
			continue
		}
		s.change.Files = append(s.change.Files, document.FileChange{Name: k.file, Before: k.before, After: after})
		if rank(k) == 1 {
			prefabs = append(prefabs, k)
		}
	}
	if err := s.see(prefabs); err != nil {
		return nil, err
	}
	return s.change, nil
}

// dataText lays a value out as the engine does in component data and override values.
func dataText(v jsondoc.Value) []byte {
	w := jsondoc.NewWriter(jsondoc.Relaxed)
	w.Data(v)
	return w.Bytes()
}

// parseValue reads a value that a person gives.
func parseValue(text []byte) (jsondoc.Value, error) {
	doc, err := jsondoc.ParseOptions(bytes.Clone(text), jsondoc.Options{Plain: true})
	if err != nil {
		return jsondoc.Value{}, fmt.Errorf("the new value is not JSON: %w", err)
	}
	return doc.Root(), nil
}

// setIn gives the edit that sets the value at a path in component data or in the value of an override: of what is there only
// what has to be replaced is.
func (k *work) setIn(data jsondoc.Value, path string, value jsondoc.Value) (jsondoc.Edit, error) {
	after, err := scene.SetPath(data, path, value)
	if err != nil {
		return jsondoc.Edit{}, err
	}
	v, now := data, after
	segments := strings.Split(path, ".")
	for i, segment := range segments {
		next, goal := v.Path(segment), now.Path(segment)
		if v.Kind() == jsondoc.Array && oneLine(v) != oneLine(now) {
			return k.replace(v, now) // the engine lays the whole list out in another way
		}
		last := i == len(segments)-1
		switch {
		case last && next.Exists():
			return k.replace(next, goal)
		case last || !next.Exists() || next.Kind() == jsondoc.Null:
			return v.SetPath(segment, dataText(goal))
		}
		v, now = next, goal
	}
	return jsondoc.Edit{}, nil // there is always a segment
}

// replace gives the edit that puts component data in the place of a value. A list of numbers on one line is no reason to write
// what comes in its place on one line too: the engine writes every such list so.
func (k *work) replace(v, value jsondoc.Value) (jsondoc.Edit, error) {
	raw := dataText(value)
	if !oneLine(v) || oneLine(value) || !bytes.ContainsRune(raw, '\n') {
		return v.Replace(raw), nil
	}
	doc, err := k.json.Apply(jsondoc.Edit{Start: v.Start(), End: v.End(), New: []byte("0")})
	if err != nil {
		return jsondoc.Edit{}, err
	}
	laid := valueAt(doc.Root(), v.Start()).Replace(raw)
	return jsondoc.Edit{Start: v.Start(), End: v.End(), New: laid.New}, laid.Err()
}

// oneLine says whether the engine writes a list on one line.
func oneLine(list jsondoc.Value) bool {
	n := list.Len()
	if list.Kind() != jsondoc.Array || n < 1 || n > 4 {
		return false
	}
	for item := range list.Items() {
		if item.Kind() != jsondoc.Number {
			return false
		}
	}
	return true
}

// pathProblem turns the error of a path into one that names where and what can be done.
func pathProblem(sub *subject, at jsondoc.Value, component string, err error) error {
	place := shown(sub.work.file)
	if line, column := at.Position(); line > 0 {
		place = fmt.Sprintf("%s(%d,%d)", place, line, column)
	}
	return fmt.Errorf("%s: %s cannot be set: %w", place, component, err)
}
