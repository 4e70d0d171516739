// Package overrides says where the instances of prefabs differ from their prefabs, over a whole project, and edits them:
// sets, reverts, applies, removes, restores and clears. Every edit is worked out as a Change first, which lists the files,
// instances and values that it touches, and is then made as one step that can be undone.
//
// # What an instance can have of its own
//
// An instance is an entity with a link to a prefab. The link lists overrides, each a value at a path in a component of an entity of
// the prefab, and components that the instance does without. The instance's own components take the place of those of the
// prefab's root, which hides overrides of the same component. Entities of a prefab in the prefab have derived ids there, so
// overrides reach any depth. A prefab is a document like a scene and may hold instances itself.
//
// # Edits
//
// Edits are lossless: of a file only the bytes of the changed values change. What is new is laid out as the engine does it,
// indented as its surroundings are, so that a file that was in the engine's own layout stays in it, and one that was not
// stays as it is everywhere else. A value that is set to what it is already is no edit, not even of a number's text.
package overrides

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"talebinder/formats/guid"
	"talebinder/project/assets"
	"talebinder/project/document"
	"talebinder/project/scene"
)

// A Workspace is the scenes and prefabs of a project with the edits that have been made. All methods may be called from
// any goroutine.
type Workspace struct {
	files   *document.Group
	newGuid func() guid.Guid

	mu       sync.Mutex
	db       *assets.Database
	created  map[guid.Guid]string // prefabs that edits have made and the database does not know yet
	prefabs  map[string]*reading  // by asset path
	recent   *reading             // the scene that was asked for last
	expander *scene.Expander
	version  uint64 // of the files that the expander has read
}

// A reading is a document as it was read from a text.
type reading struct {
	file     string
	text     []byte
	document *scene.Document
	err      error
}

// NewWorkspace returns the workspace of a project's assets, whose files are edited in a group of the asset folder.
func NewWorkspace(db *assets.Database, files *document.Group) *Workspace {
	w := &Workspace{files: files, newGuid: guid.New}
	w.Refresh(db)
	return w
}

// Files gives the group in which edits are made: for undo, redo and saving.
func (w *Workspace) Files() *document.Group { return w.files }

// Refresh takes a newer scan of the assets, and reads prefabs again.
func (w *Workspace) Refresh(db *assets.Database) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for asset := range w.created {
		if db.ByGuid(asset) != nil {
			delete(w.created, asset)
		}
	}
	w.db, w.expander, w.recent = db, nil, nil
	w.prefabs = map[string]*reading{}
	if w.created == nil {
		w.created = map[guid.Guid]string{}
	}
}

// Documents gives the asset paths of all scenes and prefabs, in order.
func (w *Workspace) Documents() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var files []string
	for _, a := range w.db.All() {
		if !a.Folder && (a.Kind.ID == assets.Scene || a.Kind.ID == assets.Prefab) {
			files = append(files, a.Path)
		}
	}
	for _, file := range w.created {
		if _, err := w.files.Text(file); err == nil {
			files = append(files, file)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// Document reads a scene or a prefab with the edits that have been made. The error wraps fs.ErrNotExist when there is no such
// file, and is a *scene.ReadError when it cannot be read as one.
func (w *Workspace) Document(file string) (*scene.Document, error) { return w.read(file, true) }

// read is Document that keeps a scene, so that it need not be read again when it is asked for next. Prefabs are always kept.
func (w *Workspace) read(file string, keep bool) (*scene.Document, error) {
	kind, ok := scene.KindOf(file)
	if !ok {
		return nil, fmt.Errorf("%s is no scene and no prefab: expected a name that ends in .tscene or .tprefab", shown(file))
	}
	text, err := w.files.Text(file)
	if err != nil {
		return nil, readError(file, err)
	}
	w.mu.Lock()
	known := w.prefabs[file]
	if known == nil && w.recent != nil && w.recent.file == file {
		known = w.recent
	}
	w.mu.Unlock()
	if known != nil && bytes.Equal(known.text, text) {
		return known.document, known.err
	}
	known = &reading{file: file, text: text}
	known.document, known.err = scene.Parse(kind, shown(file), text)
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case kind == scene.Prefab:
		w.prefabs[file] = known
	case keep:
		w.recent = known
	}
	return known.document, known.err
}

// shown gives the path of a file as messages name it, relative to the project.
func shown(file string) string { return "assets/" + file }

func readError(file string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: there is no such file: %w", shown(file), fs.ErrNotExist)
	}
	return fmt.Errorf("%s cannot be read: %w", shown(file), err)
}

// PrefabPath gives the asset path of a prefab, or "" when the project has no such prefab.
func (w *Workspace) PrefabPath(asset guid.Guid) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if a := w.db.ByGuid(asset); a != nil && a.Kind.ID == assets.Prefab && !a.Folder {
		return a.Path
	}
	return w.created[asset]
}

// assetOf gives the guid of a prefab by its path, or zero.
func (w *Workspace) assetOf(file string) guid.Guid {
	w.mu.Lock()
	defer w.mu.Unlock()
	if a := w.db.ByPath(file); a != nil {
		return a.Meta.Guid
	}
	for asset, path := range w.created {
		if path == file {
			return asset
		}
	}
	return guid.Guid{}
}

// Expander gives an expander, as editors show instances, that finds the prefabs as they are now. It has to be asked for
// anew after every change.
func (w *Workspace) Expander() *scene.Expander {
	version := w.files.Version()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.expander == nil || w.version != version {
		w.expander, w.version = scene.NewExpander(catalog{w, nil}, scene.Options{Display: true}), version
	}
	return w.expander
}

// A catalog finds the prefabs of a workspace, those of edits that are being worked out first.
type catalog struct {
	workspace *Workspace
	session   *session // may be nil
}

// Prefab gives the prefab of an asset as it is now.
func (c catalog) Prefab(asset guid.Guid) (*scene.Document, error) {
	file := c.workspace.PrefabPath(asset)
	if file == "" {
		return nil, nil
	}
	if c.session != nil {
		if work := c.session.works[file]; work != nil {
			return work.parsed()
		}
	}
	d, err := c.workspace.Document(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return d, err
}

// Do makes a change, as one step to undo; steps with the same merge key become one, see document.Group.Apply. The error is a
// *document.StaleError when a file has changed since the change was worked out.
func (w *Workspace) Do(c *Change, merge string) error {
	if c.Empty() {
		return nil
	}
	if err := w.files.Apply(c.Title, merge, c.Files...); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for asset, file := range c.prefabs {
		w.created[asset] = file
	}
	return nil
}

// base gives the prefab of an instance in its own space of ids, without anything that the instance changes, and the
// prefab's root in it. Without a root the error says why there is no such thing.
func (w *Workspace) base(ctx context.Context, x *scene.Expander, asset guid.Guid) (*scene.Expansion, *scene.Node, error) {
	file := w.PrefabPath(asset)
	if file == "" {
		return nil, nil, fmt.Errorf("the project has no prefab with the id %s", asset)
	}
	base, err := x.Prefab(ctx, asset)
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case err != nil:
		return nil, nil, fmt.Errorf("the prefab cannot be read: %w", err)
	case base == nil:
		return nil, nil, fmt.Errorf("the prefab %s does not exist", shown(file))
	}
	for i := range base.Nodes {
		if !base.Nodes[i].HasParent {
			return base, &base.Nodes[i], nil
		}
	}
	return nil, nil, fmt.Errorf("the prefab %s has no entity without a parent, which its instances would be", shown(file))
}
