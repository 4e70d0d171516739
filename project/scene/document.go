package scene

import (
	"talebinder/formats/color"
	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
)

// Version is the version of scenes and prefabs that the engine writes, and the newest that is read.
const Version = 1

// Kind says which of the two a document is.
type Kind uint8

// The kinds of a document.
const (
	Scene  Kind = iota // .tscene
	Prefab             // .tprefab
)

// String gives the word that messages use.
func (k Kind) String() string {
	if k == Prefab {
		return "prefab"
	}
	return "scene"
}

// A Document is a scene or a prefab as its file says it, with typed values beside the JSON that they were read from. It
// never changes and may be used by many goroutines: an edit splices the text and parses it again.
type Document struct {
	Kind        Kind
	Name        string       // the file, as messages name it
	JSON        *jsondoc.Doc // the text that the values are places in: after migrations, see Migrated
	Migrated    bool         // JSON is not the text of the file but what migrations made of it
	ID          guid.Guid    // zero when the document has none
	Environment *Environment // nil for a prefab
	Entities    []Entity     // in document order, which is that of the hierarchy

	byID map[guid.Guid]int32 // the first entity of each id
}

// Environment is what a scene says about everything in it.
type Environment struct {
	JSON             jsondoc.Value // Missing when the scene has none and these are the defaults
	ClearColor       *color.Color  // nil means that of game.json
	AmbientLight     color.Color
	AmbientIntensity float32
	Gravity          Vector // world units per second squared; y points down
	RenderLayers     []RenderLayer
	Lighting         jsondoc.Value // the settings of the lighting module, which the engine itself does not read
}

// A RenderLayer is a name for a layer number that sprites and maps use.
type RenderLayer struct {
	JSON  jsondoc.Value // Missing for a default layer
	Name  string
	Layer int32
	Lit   bool // lights affect it
}

// An Entity is an entity of a document.
type Entity struct {
	JSON       jsondoc.Value
	ID         guid.Guid // zero when it has none
	Name       string
	Parent     guid.Guid // of the same document
	HasParent  bool      // false for a root
	Active     bool
	Hidden     bool // in the editor's viewport
	Locked     bool // in the editor's viewport
	Link       *Link
	Components []Component
}

// A Component is a component of an entity. Its data is not interpreted: see Fields and Value for the components that the
// engine has.
type Component struct {
	JSON jsondoc.Value
	Type string
	Data jsondoc.Value // always an object
}

// A Link makes an entity an instance of a prefab.
type Link struct {
	JSON      jsondoc.Value
	Asset     guid.Guid // of the .tprefab file, from its .meta; zero when there is none
	Overrides []Override
	Removed   []RemovedComponent
}

// An Override is a value that an instance has instead of the prefab's.
type Override struct {
	JSON      jsondoc.Value
	Entity    guid.Guid // within the prefab; for an entity of a nested prefab, its id as expanded in the enclosing one
	Component string    // the type
	Path      string    // in the component's data, see Get
	Value     jsondoc.Value
}

// A RemovedComponent is a component of the prefab that an instance does not have.
type RemovedComponent struct {
	JSON      jsondoc.Value
	Entity    guid.Guid // within the prefab
	Component string    // the type
}

// Text gives the text that the document was parsed from, or what migrations made of it.
func (d *Document) Text() []byte { return d.JSON.Text() }

// Entity finds an entity by its id, the first one when the id is repeated. It gives nil when there is none.
func (d *Document) Entity(id guid.Guid) *Entity {
	if i, ok := d.byID[id]; ok {
		return &d.Entities[i]
	}
	return nil
}

// Root gives the first entity without a parent: the one that becomes the instance's entity when the document is a
// prefab. It gives nil when there is none.
func (d *Document) Root() *Entity {
	for i := range d.Entities {
		if !d.Entities[i].HasParent {
			return &d.Entities[i]
		}
	}
	return nil
}

// Component finds the first component of a type, or nil.
func (e *Entity) Component(kind string) *Component {
	for i := range e.Components {
		if e.Components[i].Type == kind {
			return &e.Components[i]
		}
	}
	return nil
}

// DefaultRenderLayers gives the layers of a scene that names none.
func DefaultRenderLayers() []RenderLayer {
	return []RenderLayer{
		{Name: "Background", Layer: 0, Lit: true},
		{Name: "Terrain", Layer: 100, Lit: true},
		{Name: "Decals", Layer: 200, Lit: true},
		{Name: "Entities", Layer: 300, Lit: true},
		{Name: "Effects", Layer: 400, Lit: true},
		{Name: "Overlay", Layer: 500, Lit: false},
	}
}
