package scene

import (
	"fmt"
	"path/filepath"
	"sync"

	"talebinder/formats/guid"
	"talebinder/project/assets"
	"talebinder/project/internal/textfile"
)

// MaxSize is the largest scene or prefab that is read, in bytes.
const MaxSize = 1 << 30

// A ProjectCatalog is a Catalog of the prefabs of a project. Each is read when it is first asked for, and kept; what changes on disk
// afterwards is not seen, so make a new one after a scan. It may be used by many goroutines: a prefab that several ask for
// at once is read once, and others are read meanwhile.
type ProjectCatalog struct {
	assets *assets.Database

	mu      sync.Mutex
	prefabs map[guid.Guid]*entry
}

type entry struct {
	once     sync.Once
	document *Document
	err      error
}

// NewProjectCatalog returns the catalog of the project with these assets.
func NewProjectCatalog(db *assets.Database) *ProjectCatalog {
	return &ProjectCatalog{assets: db, prefabs: map[guid.Guid]*entry{}}
}

// Prefab gives the prefab of an asset. It gives nil when there is none. A prefab that cannot be read gives the same error, of Read, each
// time; so does an asset that is no prefab.
func (c *ProjectCatalog) Prefab(asset guid.Guid) (*Document, error) {
	a := c.assets.ByGuid(asset)
	if a == nil {
		return nil, nil
	}
	c.mu.Lock()
	e := c.prefabs[asset]
	if e == nil {
		e = &entry{}
		c.prefabs[asset] = e
	}
	c.mu.Unlock()
	e.once.Do(func() {
		if a.Kind.ID != assets.Prefab {
			e.err = fmt.Errorf("assets/%s is no prefab", a.Path)
			return
		}
		e.document, e.err = c.Read(a.Path)
	})
	return e.document, e.err
}

// Read reads the scene or prefab of an asset path; it is not kept. Messages name it as "assets/<path>", relative to the project. The error
// is that of Parse, or that of reading the file, or wraps a *formats.LimitError for a file of more than MaxSize bytes.
func (c *ProjectCatalog) Read(path string) (*Document, error) {
	name := "assets/" + path
	kind, ok := KindOf(path)
	if !ok {
		return nil, fmt.Errorf("%s is neither a scene nor a prefab", name)
	}
	text, _, err := textfile.Read(filepath.Join(c.assets.Root(), filepath.FromSlash(path)), MaxSize)
	if err != nil {
		return nil, err
	}
	return Parse(kind, name, text)
}

// With gives a catalog that has these prefabs instead of those on disk, such as ones that are being edited.
func (c *ProjectCatalog) With(edited map[guid.Guid]*Document) Catalog { return &overlay{c, edited} }

type overlay struct {
	below  Catalog
	edited map[guid.Guid]*Document
}

func (o *overlay) Prefab(asset guid.Guid) (*Document, error) {
	if d := o.edited[asset]; d != nil {
		return d, nil
	}
	return o.below.Prefab(asset)
}
