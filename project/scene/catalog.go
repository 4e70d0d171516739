package scene

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"talebinder/formats/assetpath"
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

// ReadFile reads a scene or a prefab that need not belong to a project. Messages name it as the path does. The errors are those of
// ProjectCatalog.Read.
func ReadFile(path string) (*Document, error) {
	kind, ok := KindOf(path)
	if !ok {
		return nil, fmt.Errorf("%s is neither a scene (.tscene) nor a prefab (.tprefab)", path)
	}
	text, _, err := textfile.Read(path, MaxSize)
	if err != nil {
		return nil, err
	}
	return Parse(kind, path, text)
}

// Find gives the scene or prefab that a person names: by its asset path, with or without "assets/" in front, by the path of
// the file, or by its guid.
func (c *ProjectCatalog) Find(name string) (*assets.Asset, error) {
	a := c.find(name)
	switch {
	case a == nil:
		err := fmt.Errorf("the project has no scene or prefab %q", name)
		if path, bad := assetpath.Normalize(name); bad == nil {
			if near := c.assets.NearMiss(strings.TrimPrefix(path, "assets/")); near != "" {
				err = fmt.Errorf("%w; did you mean %s?", err, near)
			}
		}
		return nil, err
	case a.Kind.ID != assets.Scene && a.Kind.ID != assets.Prefab:
		return nil, fmt.Errorf("%s is neither a scene nor a prefab", a.Path)
	}
	return a, nil
}

func (c *ProjectCatalog) find(name string) *assets.Asset {
	if path, err := assetpath.Normalize(name); err == nil {
		if a := c.assets.ByPath(path); a != nil {
			return a
		}
		if inside, ok := strings.CutPrefix(path, "assets/"); ok {
			if a := c.assets.ByPath(inside); a != nil {
				return a
			}
		}
	}
	if g, ok := guid.ParseReference(name); ok {
		return c.assets.ByGuid(g)
	}
	root, rootErr := filepath.Abs(c.assets.Root())
	file, fileErr := filepath.Abs(name)
	if rootErr != nil || fileErr != nil {
		return nil
	}
	path, err := filepath.Rel(root, file)
	if err != nil || !filepath.IsLocal(path) {
		return nil
	}
	return c.assets.ByPath(filepath.ToSlash(path))
}

// Documents gives the scenes and prefabs of the project, in path order.
func (c *ProjectCatalog) Documents() []*assets.Asset {
	var found []*assets.Asset
	for _, a := range c.assets.All() {
		if a.Kind.ID == assets.Scene || a.Kind.ID == assets.Prefab {
			found = append(found, a)
		}
	}
	return found
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
