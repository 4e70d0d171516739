package overrides

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"

	"talebinder/formats/assetpath"
	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
	"talebinder/project/assets"
	"talebinder/project/scene"
)

// prefabFolder is where new prefabs go.
const prefabFolder = "prefabs"

// CreatePrefab works out what it takes to make a prefab of an entity and everything below it: a file in the folder prefabs, with
// its .meta file, named after the entity. The root of the prefab stands at the origin. The entity becomes an instance of it
// that keeps its own Transform, and the entities below it go from the document. Change.Created is the guid of the new asset.
//
// The entities of the prefab have derived ids in the scene from then on. What else refers to them in the document is listed as
// skipped, since it refers to nothing afterwards.
func (w *Workspace) CreatePrefab(ctx context.Context, file string, entity guid.Guid) (*Change, error) {
	s := w.begin(ctx, "Create prefab")
	sub, err := s.subject(file, entity)
	if err != nil {
		return nil, err
	}
	name := prefabName(sub.entity.Name)
	s.change.Title = "Create prefab " + name
	below := descendants(sub.doc, sub.entity)
	text, err := w.prefabText(sub, below)
	if err != nil {
		return nil, err
	}
	path, err := w.freeName(name)
	if err != nil {
		return nil, err
	}
	asset := w.newGuid()
	s.add(&work{session: s, file: path, kind: scene.Prefab, plain: text})
	s.add(&work{session: s, file: path + ".meta", kind: scene.Prefab, plain: assets.NewMeta(path, asset).Text()})
	s.change.Created, s.change.prefabs[asset] = asset, path

	s.references(sub, below)
	if err := s.makeInstance(sub, asset, below); err != nil {
		return nil, err
	}
	return s.finish()
}

// prefabName makes a file name of an entity's name: what some system does not allow in one becomes "_".
func prefabName(name string) string {
	clean := strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`<>:"/\|?*`, r) {
			return '_'
		}
		return r
	}, name)
	if clean = strings.TrimRight(strings.TrimFunc(clean, unicode.IsSpace), ". "); clean == "" {
		return "Prefab"
	}
	return clean
}

// freeName gives the path of a prefab that does not exist, whatever its case.
func (w *Workspace) freeName(name string) (string, error) {
	taken := map[string]bool{}
	for _, file := range w.Documents() {
		taken[assetpath.Fold(file)] = true
	}
	for n := 1; ; n++ {
		path := prefabFolder + "/" + name
		if n > 1 {
			path = fmt.Sprintf("%s %d", path, n)
		}
		path, err := assetpath.Normalize(path + ".tprefab")
		if err != nil {
			return "", err
		}
		if taken[assetpath.Fold(path)] {
			continue
		}
		free := true
		for _, file := range []string{path, path + ".meta"} {
			if _, err := w.files.Text(file); err == nil {
				free = false
			} else if !errors.Is(err, fs.ErrNotExist) {
				return "", err
			}
		}
		if free {
			return path, nil
		}
	}
}

// descendants gives the entities below an entity, by index, in order.
func descendants(d *scene.Document, top *scene.Entity) []int {
	below := map[guid.Guid]bool{top.ID: true}
	var found []int
	for more := true; more; { // once, unless a child stands before its parent
		more = false
		for i := range d.Entities {
			e := &d.Entities[i]
			if e.HasParent && below[e.Parent] && e != top && !below[e.ID] {
				below[e.ID], more = true, true
				found = append(found, i)
			}
		}
	}
	slices.Sort(found)
	return found
}

// prefabText gives the document of the new prefab as the engine writes it.
func (w *Workspace) prefabText(sub *subject, below []int) ([]byte, error) {
	out := jsondoc.NewWriter(jsondoc.Relaxed)
	out.BeginObject()
	out.Name("version")
	out.Int(scene.Version)
	out.Name("id")
	out.String(w.newGuid().String())
	out.Name("entities")
	out.BeginArray()
	root, err := rootText(sub.entity)
	if err != nil {
		return nil, err
	}
	out.Value(root)
	for _, i := range below {
		out.Value(sub.doc.Entities[i].JSON)
	}
	out.EndArray()
	out.EndObject()
	d, err := scene.Parse(scene.Prefab, sub.entity.Name, out.Bytes())
	if err != nil {
		return nil, err
	}
	return d.Canonical()
}

// rootText gives the entity without parent and at the origin.
func rootText(e *scene.Entity) (jsondoc.Value, error) {
	doc, err := jsondoc.Parse(e.JSON.Raw())
	if err != nil {
		return jsondoc.Value{}, err
	}
	if doc, err = doc.Apply(doc.Root().SetMember("parent", []byte("null"), scene.Order(scene.EntityObject))); err != nil {
		return jsondoc.Value{}, err
	}
	if data := findComponent(doc.Root(), transform).Get("data"); data.Kind() == jsondoc.Object {
		if doc, err = doc.Apply(data.SetMember("position", []byte("[0, 0]"), nil)); err != nil {
			return jsondoc.Value{}, err
		}
	}
	return doc.Root(), nil
}

// makeInstance makes the entity an instance of the new prefab.
func (s *session) makeInstance(sub *subject, asset guid.Guid, below []int) error {
	k := sub.work
	s.touch(sub, Touched{What: OwnChanged, Path: "prefab", Old: sub.entity.JSON.Get("prefab")})
	var gone []int
	for i := range sub.entity.Components {
		c := &sub.entity.Components[i]
		if last, _ := ownComponent(sub.entity, transform); i == last {
			continue
		}
		gone = append(gone, i)
		s.touch(sub, Touched{What: OwnRemoved, Component: c.Type, Old: c.Data})
	}
	if err := k.apply(k.entity(sub.index).SetMember("prefab", linkText(asset), scene.Order(scene.EntityObject))); err != nil {
		return err
	}
	if err := removeItems(k, k.entity(sub.index).Get("components"), gone); err != nil {
		return err
	}
	return removeItems(k, k.json.Root().Get("entities"), below)
}

func linkText(asset guid.Guid) []byte {
	w := jsondoc.NewWriter(jsondoc.Relaxed)
	writeLink(w, asset)
	return w.Bytes()
}

func writeLink(w *jsondoc.Writer, asset guid.Guid) {
	w.BeginObject()
	w.Name("asset")
	w.String(asset.String())
	w.Name("overrides")
	w.BeginArray()
	w.EndArray()
	w.Name("removedComponents")
	w.BeginArray()
	w.EndArray()
	w.EndObject()
}

// references lists what will refer to nothing: values elsewhere in the document that name an entity that goes into the prefab.
func (s *session) references(sub *subject, below []int) {
	inside := map[guid.Guid]string{}
	gone := map[int]bool{sub.index: true}
	for _, i := range below {
		inside[sub.doc.Entities[i].ID] = sub.doc.Entities[i].Name
		gone[i] = true
	}
	var look func(e *scene.Entity, v jsondoc.Value)
	look = func(e *scene.Entity, v jsondoc.Value) {
		if v.Kind() == jsondoc.String {
			text, err := v.Text()
			if err != nil {
				return
			}
			if id, ok := guid.ParseReference(text); ok {
				if name, ok := inside[id]; ok {
					s.skip(sub, v, "reference-lost", fmt.Sprintf("%s refers to %s, which becomes a part of the prefab", e.Name, name),
						fmt.Sprintf("let it refer to %s, the id that %s has in the instance", scene.Derive(sub.entity.ID, id), name))
				}
			}
			return
		}
		for item := range v.Items() {
			look(e, item)
		}
		for _, member := range v.Members() {
			look(e, member)
		}
	}
	for i := range sub.doc.Entities {
		e := &sub.doc.Entities[i]
		if gone[i] {
			continue
		}
		for c := range e.Components {
			look(e, e.Components[c].Data)
		}
		if e.Link != nil {
			for o := range e.Link.Overrides {
				look(e, e.Link.Overrides[o].Value)
			}
		}
	}
}

// A Placement says where an instance is to be made.
type Placement struct {
	File     string       // of the scene or prefab that gets the instance
	Asset    guid.Guid    // of the prefab
	Parent   guid.Guid    // an entity of the document, or zero for none
	Position scene.Vector // relative to the parent, in world units
}

// Instantiate works out what it takes to put an instance of a prefab into a document, as the last child of its parent. Its name is
// that of the prefab's root, with a number when a sibling has it already; its Transform is that of the root at the
// new position. Change.Created is its id. A prefab cannot be put into itself, at any depth.
func (w *Workspace) Instantiate(ctx context.Context, p Placement) (*Change, error) {
	s := w.begin(ctx, "Place prefab")
	k, err := s.open(p.File)
	if err != nil {
		return nil, err
	}
	d, err := k.parsed()
	if err != nil {
		return nil, err
	}
	if !p.Parent.IsZero() && d.Entity(p.Parent) == nil {
		return nil, fmt.Errorf("%s has no entity with the id %s", shown(p.File), p.Parent)
	}
	base, root, err := w.base(ctx, s.prefabs(), p.Asset)
	if err != nil {
		return nil, err
	}
	if k.kind == scene.Prefab {
		if err := w.holdsItself(p, base); err != nil {
			return nil, err
		}
	}
	data := emptyObject()
	if c := root.Component(transform); c != nil {
		data = c.Data
	}
	position, err := vectorValue(p.Position)
	if err != nil {
		return nil, err
	}
	if data, err = scene.SetPath(data, "position", position); err != nil {
		return nil, err
	}
	id, name := w.newGuid(), siblingName(d, p.Parent, root.Name)
	s.change.Title, s.change.Created = "Place "+name, id
	s.change.Instances = append(s.change.Instances, InstanceRef{File: p.File, ID: id, Path: append(parentPath(d, p.Parent), name)})
	s.change.Values = append(s.change.Values, Touched{What: OwnChanged, File: p.File, Instance: id, Entity: root.ID, EntityName: name, Component: transform, New: data})
	s.edited[instanceKey{p.File, id}] = true
	text := instanceText(id, name, p, data)
	if err := appendItems(k, k.json.Root(), "entities", [][]byte{text}, scene.Order(documentPart(k.kind))); err != nil {
		return nil, err
	}
	return s.finish()
}

func documentPart(kind scene.Kind) scene.Part {
	if kind == scene.Prefab {
		return scene.PrefabObject
	}
	return scene.SceneObject
}

// holdsItself refuses a prefab that is, or holds, the one that the instance is to be put into.
func (w *Workspace) holdsItself(p Placement, base *scene.Expansion) error {
	own := w.assetOf(p.File)
	inside := p.Asset == own
	for i := range base.Nodes {
		inside = inside || base.Nodes[i].Asset == own
		for _, instance := range base.Nodes[i].Instances() {
			inside = inside || instance.Asset == own
		}
	}
	if inside && !own.IsZero() {
		return fmt.Errorf("%s cannot be placed in %s: a prefab cannot be in itself", shown(w.PrefabPath(p.Asset)), shown(p.File))
	}
	return nil
}

func vectorValue(v scene.Vector) (jsondoc.Value, error) {
	w := jsondoc.NewWriter(jsondoc.Relaxed)
	w.Vector(v.X, v.Y)
	doc, err := jsondoc.Parse(w.Bytes())
	if err != nil {
		return jsondoc.Value{}, fmt.Errorf("the position: expected two finite numbers, found %s", v)
	}
	return doc.Root(), nil
}

// siblingName gives a name that no other child of the parent has.
func siblingName(d *scene.Document, parent guid.Guid, name string) string {
	taken := map[string]bool{}
	for i := range d.Entities {
		e := &d.Entities[i]
		if e.HasParent == !parent.IsZero() && (!e.HasParent || e.Parent == parent) {
			taken[e.Name] = true
		}
	}
	unique := name
	for n := 2; taken[unique]; n++ {
		unique = fmt.Sprintf("%s %d", name, n)
	}
	return unique
}

func parentPath(d *scene.Document, parent guid.Guid) []string {
	if e := d.Entity(parent); e != nil && !parent.IsZero() {
		return instancePath(d, e)
	}
	return nil
}

func instanceText(id guid.Guid, name string, p Placement, data jsondoc.Value) []byte {
	w := jsondoc.NewWriter(jsondoc.Relaxed)
	w.BeginObject()
	w.Name("id")
	w.String(id.String())
	w.Name("name")
	w.String(name)
	w.Name("parent")
	if p.Parent.IsZero() {
		w.Null()
	} else {
		w.String(p.Parent.String())
	}
	w.Name("active")
	w.Bool(true)
	w.Name("editor")
	w.BeginObject()
	w.Name("hidden")
	w.Bool(false)
	w.Name("locked")
	w.Bool(false)
	w.EndObject()
	w.Name("prefab")
	writeLink(w, p.Asset)
	w.Name("components")
	w.BeginArray()
	w.BeginObject()
	w.Name("type")
	w.String(transform)
	w.Name("data")
	w.Data(data)
	w.EndObject()
	w.EndArray()
	w.EndObject()
	return w.Bytes()
}
