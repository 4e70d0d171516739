// Package scenes is the screen that shows scenes and prefabs: their hierarchy with the entities of prefabs in their places,
// the components of an entity beside the prefab's, and every difference between instances and their prefabs in the whole
// project. Edits change single values of the files, can be undone, and are saved all together.
package scenes

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"talebinder/formats/guid"
	"talebinder/gui/ui"
	"talebinder/project"
	"talebinder/project/assets"
	"talebinder/project/problem"
	"talebinder/project/scene"
	"talebinder/project/scene/overrides"
)

// An Opened is a document as it is shown. It does not change: after an edit there is another one.
type Opened struct {
	File        string
	Document    *scene.Document // nil when it cannot be read
	Expansion   *scene.Expansion
	Differences []overrides.Row
	Problems    []problem.Problem // of the document and its expansion
	Err         error             // why it cannot be read
	Tree        *Hierarchy
}

// openDocument reads, expands and compares a document. The error is that of ctx; what is wrong with the file is in the
// result.
func openDocument(ctx context.Context, w *overrides.Workspace, file string) (*Opened, error) {
	o := &Opened{File: file}
	d, err := w.Document(file)
	if err != nil {
		o.Err = err
		return o, ctx.Err()
	}
	o.Document = d
	if o.Expansion, err = w.Expander().Expand(ctx, d); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		o.Err, o.Expansion = err, nil
		return o, nil
	}
	table, err := w.Overrides(ctx, overrides.Filter{Files: []string{file}}, nil)
	if err != nil {
		return nil, err
	}
	o.Differences = table.Rows
	o.Problems = ui.Merge(d.Problems(), scene.Problems(o.Expansion.Warnings))
	o.Tree = newHierarchy(o.Expansion, o.Differences)
	return o, nil
}

// Summary says what the document holds.
func (o *Opened) Summary() string {
	if o.Expansion == nil {
		return ""
	}
	instances := 0
	for i := range o.Document.Entities {
		if o.Document.Entities[i].Link != nil {
			instances++
		}
	}
	text := ui.Plural(len(o.Expansion.Nodes), "entity")
	if instances > 0 {
		text += ", " + ui.Plural(instances, "instance")
	}
	if n := len(o.Differences); n > 0 {
		text += ", " + ui.Plural(n, "difference")
	}
	return text
}

// failure takes a reason why a document cannot be read apart: a title, what is wrong, and what to do.
func failure(file string, err error) (title, body string) {
	title = path.Base(file) + " cannot be read"
	var read *scene.ReadError
	if !errors.As(err, &read) {
		return title, ui.Sentence(err.Error())
	}
	body = ui.Sentence(read.Message)
	if read.Line > 0 {
		body = ui.Sentence("Line " + ui.Count(int64(read.Line)) + ", column " + ui.Count(int64(read.Column)) + ": " + read.Message)
	}
	if read.Hint != "" {
		body += " " + ui.Sentence(read.Hint)
	}
	return title, body + " The rest of the project can be used, and this file is left as it is."
}

// lineOf gives the line at which a document cannot be read, or 0.
func lineOf(err error) int {
	var read *scene.ReadError
	if errors.As(err, &read) {
		return read.Line
	}
	return 0
}

// changed expands a document as it is after a change that has not been made.
func changed(ctx context.Context, w *overrides.Workspace, o *Opened, change *overrides.Change) (*scene.Expansion, error) {
	c := patched{w, map[string]*scene.Document{}}
	for _, f := range change.Files {
		if kind, ok := scene.KindOf(f.Name); ok && f.After != nil {
			d, err := scene.Parse(kind, f.Name, f.After)
			if err != nil {
				return nil, err
			}
			c.edited[f.Name] = d
		}
	}
	d := o.Document
	if after := c.edited[o.File]; after != nil {
		d = after
	}
	return scene.NewExpander(c, scene.Options{Display: true}).Expand(ctx, d)
}

// A patched catalog has some documents as they are after a change.
type patched struct {
	work   *overrides.Workspace
	edited map[string]*scene.Document
}

// Prefab gives the prefab of an asset.
func (c patched) Prefab(asset guid.Guid) (*scene.Document, error) {
	file := c.work.PrefabPath(asset)
	if file == "" {
		return nil, nil
	}
	if d := c.edited[file]; d != nil {
		return d, nil
	}
	d, err := c.work.Document(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return d, err
}

// startScene gives the asset path of the scene that the game begins with, or "".
func startScene(p *project.Project) string {
	start := p.Game.StartScene
	if start.Name != project.SceneFile {
		return ""
	}
	if file, ok := start.Parameter("path"); ok {
		return strings.TrimPrefix(file, "assets/")
	}
	if text, ok := start.Parameter("guid"); ok {
		if g, err := guid.Parse(text); err == nil {
			if a := p.Assets.ByGuid(g); a != nil {
				return a.Path
			}
		}
	}
	return ""
}

// asset gives the asset that a value refers to, or nil.
func asset(db *assets.Database, i *Item) *assets.Asset {
	v := i.Value
	if !v.Exists() {
		v = i.Base
	}
	if i.Field.Type != scene.AssetType {
		return nil
	}
	g, err := scene.ReadReference(v)
	if err != nil || g.IsZero() {
		return nil
	}
	return db.ByGuid(g)
}

// same says whether a typed value says the same as the one that is there, so that nothing would change.
func same(v []byte, raw []byte) bool { return bytes.Equal(bytes.TrimSpace(v), bytes.TrimSpace(raw)) }
