package scene

import (
	"encoding/hex"
	"errors"
	"fmt"

	"talebinder/formats/color"
	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
)

// Parse reads a scene or a prefab. The name stands in messages and is usually the path of the file. It keeps text, which
// must not be changed afterwards. The error is a *ReadError, or wraps a *formats.LimitError for a text of 4 GiB or more.
//
// What is missing takes its default. A null in the place of a list or an object counts as missing; unknown fields stay in the
// JSON. Comments and trailing commas are read. The order of entities, parents that do not exist and ids that occur twice are
// no errors, see Problems.
func Parse(kind Kind, name string, text []byte) (*Document, error) {
	return ParseWith(nil, kind, name, text)
}

// ParseWith is Parse that brings a document of an older version up to date with migrations. Without a migration for it, an
// older document is read as it is.
func ParseWith(m *Migrations, kind Kind, name string, text []byte) (*Document, error) {
	r := &reader{document: &Document{Kind: kind, Name: name}}
	if err := r.parse(m, text); err != nil {
		var fault *ReadError
		if errors.As(err, &fault) {
			fault.File = name
			return nil, err
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r.document, nil
}

// A reader reads one document. Its first error stays; what is read after it is of no use.
type reader struct {
	document *Document
	err      error

	components arena[Component]
	overrides  arena[Override]
	removed    arena[RemovedComponent]
	links      arena[Link]
	texts      map[string]string // types and paths, which occur again and again
}

func (r *reader) parse(m *Migrations, text []byte) error {
	doc, err := jsondoc.Parse(text)
	if err != nil {
		return r.syntax(text, err)
	}
	if doc.Root().Kind() != jsondoc.Object {
		return faultAt(doc.Root(), NotObject, "expected an object, the beginning of a %s, found %s", r.document.Kind, doc.Root().Kind())
	}
	version, err := readVersion(doc.Root())
	if err != nil {
		return err
	}
	r.document.JSON = doc
	if version < Version {
		if err := r.migrate(m, version); err != nil {
			return err
		}
	}
	r.texts = map[string]string{}
	r.read(r.document.JSON.Root())
	return r.err
}

func (r *reader) read(root jsondoc.Value) {
	d := r.document
	d.ID = r.guid(root.Get("id"), "id")
	if d.Kind == Scene {
		d.Environment = r.environment(root.Get("environment"))
	}
	list := r.list(root.Get("entities"), "entities")
	count := list.Len()
	d.Entities = make([]Entity, 0, count)
	d.byID = make(map[guid.Guid]int32, count)
	for value := range list.Items() {
		if r.object(value, "an entity").Kind() != jsondoc.Object {
			r.bad(value, "entities: expected an object, found %s", value.Kind())
		}
		if r.err != nil {
			return
		}
		d.Entities = append(d.Entities, Entity{})
		e := &d.Entities[len(d.Entities)-1]
		r.entity(value, e)
		if _, ok := d.byID[e.ID]; !ok {
			d.byID[e.ID] = int32(len(d.Entities) - 1)
		}
	}
}

func (r *reader) environment(v jsondoc.Value) *Environment {
	v = r.object(v, "environment")
	e := &Environment{JSON: v, AmbientLight: color.White(), AmbientIntensity: 1, Gravity: Vector{X: 0, Y: 980}, Lighting: v.Get("lighting")}
	if c := v.Get("clearColor"); c.Exists() && c.Kind() != jsondoc.Null {
		clear := r.color(c, "clearColor")
		e.ClearColor = &clear
	}
	if c := v.Get("ambientLight"); c.Exists() {
		e.AmbientLight = r.color(c, "ambientLight")
	}
	if f := v.Get("ambientIntensity"); f.Exists() {
		var err error
		if e.AmbientIntensity, err = ReadFloat32(f); err != nil {
			r.bad(f, "ambientIntensity: %s", reason(err))
		}
	}
	if g := v.Get("gravity"); g.Exists() {
		var err error
		if e.Gravity, err = ReadVector(g); err != nil {
			r.bad(g, "gravity: %s", reason(err))
		}
	}
	layers := v.Get("renderLayers")
	if !layers.Exists() || layers.Kind() == jsondoc.Null {
		e.RenderLayers = DefaultRenderLayers()
		return e
	}
	layers = r.list(layers, "renderLayers")
	e.RenderLayers = make([]RenderLayer, 0, layers.Len())
	for value := range layers.Items() {
		if value.Kind() != jsondoc.Object {
			r.bad(value, "renderLayers: expected an object, found %s", value.Kind())
			return e
		}
		layer := RenderLayer{JSON: value, Name: r.text(value.Get("name"), "name"), Lit: r.bool(value.Get("lit"), "lit", true)}
		if n := value.Get("layer"); n.Exists() {
			var err error
			if layer.Layer, err = n.Int32(); err != nil {
				r.bad(n, "layer: %s", reason(err))
			}
		}
		e.RenderLayers = append(e.RenderLayers, layer)
	}
	return e
}

func (r *reader) entity(v jsondoc.Value, e *Entity) {
	e.JSON = v
	e.ID = r.guid(v.Get("id"), "id")
	e.Name = r.text(v.Get("name"), "name")
	if parent := v.Get("parent"); parent.Exists() && parent.Kind() != jsondoc.Null {
		e.Parent, e.HasParent = r.guid(parent, "parent"), true
	}
	e.Active = r.bool(v.Get("active"), "active", true)
	if editor := v.Get("editor"); editor.Exists() {
		editor = r.object(editor, "editor")
		e.Hidden = r.bool(editor.Get("hidden"), "hidden", false)
		e.Locked = r.bool(editor.Get("locked"), "locked", false)
	}
	if link := v.Get("prefab"); link.Exists() {
		if link = r.object(link, "prefab"); link.Exists() {
			e.Link = r.link(link)
		}
	}
	list := r.list(v.Get("components"), "components")
	e.Components = r.components.take(list.Len())
	for value := range list.Items() {
		if value.Kind() != jsondoc.Object {
			r.bad(value, "components: expected an object, found %s", value.Kind())
			return
		}
		data := value.Get("data")
		switch data.Kind() {
		case jsondoc.Object:
		case jsondoc.Missing, jsondoc.Null:
			data = emptyObject
		default:
			r.bad(data, "data: expected an object, found %s", data.Kind())
		}
		e.Components = append(e.Components, Component{JSON: value, Type: r.word(value.Get("type"), "type"), Data: data})
	}
}

func (r *reader) link(v jsondoc.Value) *Link {
	l := &r.links.take(1)[:1][0]
	l.JSON = v
	if asset := v.Get("asset"); asset.Exists() && asset.Kind() != jsondoc.Null && string(asset.Raw()) != `""` {
		l.Asset = r.guid(asset, "asset")
	}
	list := r.list(v.Get("overrides"), "overrides")
	l.Overrides = r.overrides.take(list.Len())
	for value := range list.Items() {
		if value.Kind() != jsondoc.Object {
			r.bad(value, "overrides: expected an object, found %s", value.Kind())
			return l
		}
		l.Overrides = append(l.Overrides, Override{
			JSON:      value,
			Entity:    r.guid(value.Get("entity"), "entity"),
			Component: r.word(value.Get("component"), "component"),
			Path:      r.word(value.Get("path"), "path"),
			Value:     value.Get("value"),
		})
	}
	list = r.list(v.Get("removedComponents"), "removedComponents")
	l.Removed = r.removed.take(list.Len())
	for value := range list.Items() {
		if value.Kind() != jsondoc.Object {
			r.bad(value, "removedComponents: expected an object, found %s", value.Kind())
			return l
		}
		l.Removed = append(l.Removed, RemovedComponent{
			JSON:      value,
			Entity:    r.guid(value.Get("entity"), "entity"),
			Component: r.word(value.Get("component"), "component"),
		})
	}
	return l
}

// list gives a list; one that is null or missing has no items.
func (r *reader) list(v jsondoc.Value, field string) jsondoc.Value {
	switch v.Kind() {
	case jsondoc.Array:
		return v
	case jsondoc.Missing, jsondoc.Null:
	default:
		r.bad(v, "%s: expected a list, found %s", field, v.Kind())
	}
	return jsondoc.Value{}
}

// object gives an object; one that is null or missing is Missing.
func (r *reader) object(v jsondoc.Value, field string) jsondoc.Value {
	switch v.Kind() {
	case jsondoc.Object:
		return v
	case jsondoc.Missing, jsondoc.Null:
	default:
		r.bad(v, "%s: expected an object, found %s", field, v.Kind())
	}
	return jsondoc.Value{}
}

// guid gives an id, zero when it is missing.
func (r *reader) guid(v jsondoc.Value, field string) guid.Guid {
	switch v.Kind() {
	case jsondoc.Missing:
		return guid.Guid{}
	case jsondoc.String:
		var g guid.Guid
		if raw := v.Raw(); len(raw) == 34 { // 32 digits in quotes, the usual form
			if _, err := hex.Decode(g[:], raw[1:33]); err == nil {
				return g
			}
		}
		text, err := v.Text()
		if err != nil {
			r.bad(v, "%s: %s", field, reason(err))
			return guid.Guid{}
		}
		g, err = guid.Parse(text)
		if err != nil {
			r.fault(faultAt(v, BadGuid, "%s: expected a guid of 32 hexadecimal digits, found %s", field, quote(v)))
		}
		return g
	}
	r.bad(v, "%s: expected a guid, found %s", field, v.Kind())
	return guid.Guid{}
}

// text gives a text; one that is null or missing is empty.
func (r *reader) text(v jsondoc.Value, field string) string {
	switch v.Kind() {
	case jsondoc.Missing, jsondoc.Null:
		return ""
	}
	text, err := v.Text()
	if err != nil {
		r.bad(v, "%s: %s", field, reason(err))
	}
	return text
}

// word is text for what occurs again and again in a document: each is kept once.
func (r *reader) word(v jsondoc.Value, field string) string {
	raw := v.Raw()
	if known, ok := r.texts[string(raw)]; ok {
		return known
	}
	text := r.text(v, field)
	if r.err == nil {
		r.texts[string(raw)] = text
	}
	return text
}

func (r *reader) bool(v jsondoc.Value, field string, missing bool) bool {
	if !v.Exists() {
		return missing
	}
	b, err := v.Bool()
	if err != nil {
		r.bad(v, "%s: %s", field, reason(err))
	}
	return b
}

func (r *reader) color(v jsondoc.Value, field string) color.Color {
	text, err := v.Text()
	if err != nil {
		r.bad(v, "%s: expected a color, found %s", field, v.Kind())
		return color.Color{}
	}
	c, err := color.Parse(text)
	if err != nil {
		r.fault(faultAt(v, BadColor, "%s: expected a color such as #FFB25A, found %s", field, quote(v)))
	}
	return c
}

func (r *reader) bad(v jsondoc.Value, format string, args ...any) {
	if r.err == nil {
		r.err = faultAt(v, BadType, format, args...)
	}
}

func (r *reader) fault(err *ReadError) {
	if r.err == nil {
		r.err = err
	}
}

func faultAt(v jsondoc.Value, fault Fault, format string, args ...any) *ReadError {
	line, column := v.Position()
	return &ReadError{Line: line, Column: column, Fault: fault, Message: fmt.Sprintf(format, args...)}
}

// reason gives the message of an error without its place, which the caller adds.
func reason(err error) string {
	var kind *jsondoc.TypeError
	if errors.As(err, &kind) {
		return "expected " + kind.Expected + ", found " + kind.Found
	}
	return err.Error()
}

// quote gives a value as it is written, cut off when it is long.
func quote(v jsondoc.Value) string {
	const most = 60
	raw := []rune(string(v.Raw()))
	if len(raw) > most {
		return "`" + string(raw[:most]) + "…`"
	}
	return "`" + string(raw) + "`"
}

// An arena hands out slices of larger pieces of memory, since a document has very many very short lists.
type arena[T any] struct{ free []T }

// take gives an empty slice with room for n.
func (a *arena[T]) take(n int) []T {
	if n == 0 {
		return nil
	}
	if n > cap(a.free) {
		const piece = 512
		if n >= piece {
			return make([]T, 0, n)
		}
		a.free = make([]T, piece)
	}
	taken := a.free[:0:n]
	a.free = a.free[n:]
	return taken
}
