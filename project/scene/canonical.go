package scene

import (
	"talebinder/formats/color"
	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
)

// The properties of each object in the order in which the engine writes them. What else an object has comes after them.
var (
	documentOrder    = []string{"version", "id", "environment", "entities"}
	prefabOrder      = []string{"version", "id", "entities"}
	environmentOrder = []string{"clearColor", "ambientLight", "ambientIntensity", "gravity", "renderLayers"}
	layerOrder       = []string{"name", "layer", "lit"}
	entityOrder      = []string{"id", "name", "parent", "active", "editor", "prefab", "components"}
	editorOrder      = []string{"hidden", "locked"}
	componentOrder   = []string{"type", "data"}
	linkOrder        = []string{"asset", "overrides", "removedComponents"}
	overrideOrder    = []string{"entity", "component", "path", "value"}
	removedOrder     = []string{"entity", "component"}
)

// Order gives the properties of an object of a document in the order in which the engine writes them, for edits that insert
// one (see jsondoc.Value.SetMember). The list is a copy.
func Order(p Part) []string {
	orders := map[Part][]string{
		SceneObject: documentOrder, PrefabObject: prefabOrder, EnvironmentObject: environmentOrder, LayerObject: layerOrder,
		EntityObject: entityOrder, EditorObject: editorOrder, ComponentObject: componentOrder, LinkObject: linkOrder,
		OverrideObject: overrideOrder, RemovedObject: removedOrder,
	}
	return append([]string(nil), orders[p]...)
}

// A Part is one of the objects that documents are made of.
type Part uint8

// The objects of a document.
const (
	SceneObject Part = iota
	PrefabObject
	EnvironmentObject
	LayerObject
	EntityObject
	EditorObject
	ComponentObject
	LinkObject
	OverrideObject
	RemovedObject
)

// Canonical gives the text that the engine itself writes for the document: every property in its order, defaults included,
// unknown fields after them, lists of up to four numbers in component data and override values on one line, no line end after
// the last line. A newly read Canonical text gives the same text again. The error is a *ReadError for a value that the engine cannot
// write: gravity that is not finite.
func (d *Document) Canonical() ([]byte, error) {
	w := canonical{Writer: jsondoc.NewWriter(jsondoc.Relaxed)}
	w.Grow(len(d.Text()) + len(d.Text())/8 + 1024)
	root := d.JSON.Root()
	w.BeginObject()
	w.Name("version")
	w.Int(Version)
	w.guid("id", d.ID)
	known := prefabOrder
	if d.Kind == Scene {
		known = documentOrder
		w.Name("environment")
		if err := w.environment(d.Environment); err != nil {
			err.File = d.Name
			return nil, err
		}
	}
	w.Name("entities")
	w.BeginArray()
	for i := range d.Entities {
		w.entity(&d.Entities[i])
	}
	w.EndArray()
	w.rest(root, known)
	w.EndObject()
	return w.Bytes(), nil
}

type canonical struct{ *jsondoc.Writer }

func (w *canonical) guid(name string, g guid.Guid) {
	w.Name(name)
	w.String(g.String())
}

// text writes a text as the document has it: null stays null.
func (w *canonical) text(name string, v jsondoc.Value) {
	w.Name(name)
	if !v.Exists() {
		w.String("")
		return
	}
	w.Value(v)
}

// rest writes the unknown fields of an object: a repeated one at its first place, with its last value.
func (w *canonical) rest(object jsondoc.Value, known []string) {
	if object.Len() == w.countKnown(object, known) {
		return
	}
	last := map[string]jsondoc.Value{}
	for name, value := range object.Members() {
		last[name] = value
	}
	for _, name := range known {
		delete(last, name)
	}
	for name := range object.Members() {
		if value, ok := last[name]; ok {
			delete(last, name)
			w.Name(name)
			w.Value(value)
		}
	}
}

// countKnown counts the known names that an object has.
func (w *canonical) countKnown(object jsondoc.Value, known []string) int {
	n := 0
	for _, name := range known {
		if object.Get(name).Exists() {
			n++
		}
	}
	return n
}

func (w *canonical) environment(e *Environment) *ReadError {
	w.BeginObject()
	w.Name("clearColor")
	if e.ClearColor == nil {
		w.Null()
	} else {
		w.String(e.ClearColor.String())
	}
	w.color("ambientLight", e.AmbientLight)
	w.Name("ambientIntensity")
	w.Float32(e.AmbientIntensity)
	if !e.Gravity.finite() {
		return faultAt(e.JSON.Get("gravity"), BadType, "gravity: expected two finite numbers, found %s", quote(e.JSON.Get("gravity")))
	}
	w.Name("gravity")
	w.Vector(e.Gravity.X, e.Gravity.Y)
	w.Name("renderLayers")
	w.BeginArray()
	for _, layer := range e.RenderLayers {
		w.BeginObject()
		if layer.JSON.Exists() {
			w.text("name", layer.JSON.Get("name"))
		} else {
			w.Name("name")
			w.String(layer.Name)
		}
		w.Name("layer")
		w.Int(int64(layer.Layer))
		w.Name("lit")
		w.Bool(layer.Lit)
		w.rest(layer.JSON, layerOrder)
		w.EndObject()
	}
	w.EndArray()
	w.rest(e.JSON, environmentOrder)
	w.EndObject()
	return nil
}

func (w *canonical) color(name string, c color.Color) {
	w.Name(name)
	w.String(c.String())
}

func (w *canonical) entity(e *Entity) {
	w.BeginObject()
	w.guid("id", e.ID)
	w.text("name", e.JSON.Get("name"))
	if e.HasParent {
		w.guid("parent", e.Parent)
	} else {
		w.Name("parent")
		w.Null()
	}
	w.Name("active")
	w.Bool(e.Active)
	w.Name("editor")
	w.BeginObject()
	w.Name("hidden")
	w.Bool(e.Hidden)
	w.Name("locked")
	w.Bool(e.Locked)
	w.rest(e.JSON.Get("editor"), editorOrder)
	w.EndObject()
	w.Name("prefab")
	if e.Link == nil {
		w.Null()
	} else {
		w.link(e.Link)
	}
	w.Name("components")
	w.BeginArray()
	for i := range e.Components {
		c := &e.Components[i]
		w.BeginObject()
		w.text("type", c.JSON.Get("type"))
		w.Name("data")
		w.Data(c.Data)
		w.rest(c.JSON, componentOrder)
		w.EndObject()
	}
	w.EndArray()
	w.rest(e.JSON, entityOrder)
	w.EndObject()
}

func (w *canonical) link(l *Link) {
	w.BeginObject()
	if l.Asset.IsZero() {
		w.Name("asset")
		w.Null()
	} else {
		w.guid("asset", l.Asset)
	}
	w.Name("overrides")
	w.BeginArray()
	for i := range l.Overrides {
		o := &l.Overrides[i]
		w.BeginObject()
		w.guid("entity", o.Entity)
		w.text("component", o.JSON.Get("component"))
		w.text("path", o.JSON.Get("path"))
		w.Name("value")
		w.Data(o.Value)
		w.EndObject()
	}
	w.EndArray()
	w.Name("removedComponents")
	w.BeginArray()
	for i := range l.Removed {
		w.BeginObject()
		w.guid("entity", l.Removed[i].Entity)
		w.text("component", l.Removed[i].JSON.Get("component"))
		w.EndObject()
	}
	w.EndArray()
	w.rest(l.JSON, linkOrder)
	w.EndObject()
}
