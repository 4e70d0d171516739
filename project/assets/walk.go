package assets

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode/utf8"

	"talebinder/formats/assetpath"
)

// An entry is a file or folder that a walk found to be an asset.
type entry struct {
	path   string
	folder bool
	link   bool
	meta   metaSource
}

// metaSource says where the .meta of an entry is.
type metaSource uint8

const (
	noMeta metaSource = iota
	metaFile
	metaBackup // only what an interrupted write left
)

// A note is a finding about something that is no asset, or about the file system.
type note struct {
	code string
	path string // relative to the asset root
	err  error  // when the system gave one
}

// A walk lists the assets below a root with several workers.
type walk struct {
	ctx     context.Context
	root    string
	plugins string // the plugins folder, relative to the root
	fold    bool   // paths are equal ignoring case

	mu      sync.Mutex
	changed sync.Cond
	queue   []string // folders to read
	busy    int      // folders that are being read
	entries []entry
	notes   []note
	err     error // the root cannot be read
}

// run walks and leaves entries and notes, in no particular order.
func (w *walk) run(workers int) error {
	w.changed.L = &w.mu
	w.queue = []string{""}
	var all sync.WaitGroup
	for range workers {
		all.Go(w.work)
	}
	all.Wait()
	if err := w.ctx.Err(); err != nil {
		return err
	}
	return w.err
}

func (w *walk) work() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		for len(w.queue) == 0 && w.busy > 0 {
			w.changed.Wait()
		}
		if len(w.queue) == 0 || w.ctx.Err() != nil {
			return
		}
		last := len(w.queue) - 1
		folder := w.queue[last]
		w.queue = w.queue[:last]
		w.busy++
		w.mu.Unlock()

		var l listing
		err := l.read(w, folder)

		w.mu.Lock()
		w.busy--
		w.entries = append(w.entries, l.entries...)
		w.notes = append(w.notes, l.notes...)
		w.queue = append(w.queue, l.folders...)
		if err != nil && folder == "" {
			w.err = err
		} else if err != nil {
			w.notes = append(w.notes, note{"folder-unreadable", folder, err})
		}
		w.changed.Broadcast()
	}
}

// metaNames holds the metas of a folder, by their key.
type metaNames struct {
	files   map[string]string // their paths
	backups map[string]bool
}

// A listing is what one folder holds.
type listing struct {
	entries []entry
	folders []string // to be entered
	notes   []note
}

// read lists a folder. What was listed before an error is kept.
func (l *listing) read(w *walk, folder string) error {
	dir, err := os.Open(filepath.Join(w.root, filepath.FromSlash(folder)))
	if err != nil {
		return err
	}
	defer dir.Close()
	m := metaNames{make(map[string]string), make(map[string]bool)}
	for {
		// In portions, so that a folder of any size can be cancelled and costs no more than its assets.
		names, err := dir.ReadDir(4096)
		for _, name := range names {
			l.take(w, folder, name, m)
		}
		if err == nil {
			err = w.ctx.Err()
		}
		if err != nil {
			l.claim(w, m)
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}

// take sorts one name of a folder into assets, metas and what is neither.
func (l *listing) take(w *walk, folder string, file fs.DirEntry, m metaNames) {
	name := file.Name()
	path := join(folder, name)
	switch {
	case isMetaName(name):
		if name[0] != '.' && w.isFile(path, file) {
			m.files[w.key(path)] = path
		}
		return
	case name[0] == '.':
		if meta, ok := strings.CutSuffix(name[1:], ".bak"); ok && isMetaName(meta) && file.Type().IsRegular() {
			m.backups[w.key(join(folder, meta))] = true
		}
		return
	case w.ignores(folder, name):
		return
	case !utf8.ValidString(name):
		l.notes = append(l.notes, note{code: "name-not-utf8", path: path})
		return
	case strings.Contains(name, `\`):
		l.notes = append(l.notes, note{code: "name-backslash", path: path})
		return
	}
	e := entry{path: path, folder: file.IsDir()}
	switch {
	case e.folder:
		l.folders = append(l.folders, path)
	case file.Type()&fs.ModeSymlink != 0:
		target, err := os.Stat(w.file(path))
		if err != nil {
			l.notes = append(l.notes, note{"link-broken", path, err})
			return
		}
		e.link = true
		if e.folder = target.IsDir(); e.folder {
			l.notes = append(l.notes, note{code: "folder-link", path: path})
		} else if !target.Mode().IsRegular() {
			l.notes = append(l.notes, note{code: "not-a-file", path: path})
			return
		}
	case !file.Type().IsRegular():
		l.notes = append(l.notes, note{code: "not-a-file", path: path})
		return
	}
	l.entries = append(l.entries, e)
}

// claim gives the entries their metas; those that are left over are strays.
func (l *listing) claim(w *walk, m metaNames) {
	for i := range l.entries {
		e := &l.entries[i]
		key := w.key(e.path + ".meta")
		switch {
		case m.files[key] != "":
			delete(m.files, key)
			e.meta = metaFile
		case m.backups[key]:
			e.meta = metaBackup
		}
	}
	for _, meta := range m.files {
		owner := meta[:len(meta)-len(".meta")]
		if !w.fold && !strings.HasSuffix(meta, ".meta") {
			l.notes = append(l.notes, note{code: "meta-name", path: meta})
			continue
		}
		// What is there but no asset, such as the plugins folder, may have a meta.
		if _, err := os.Lstat(w.file(owner)); err != nil {
			l.notes = append(l.notes, note{code: "meta-stray", path: meta})
		}
	}
}

// key gives the key under which paths are equal as the project compares them.
func (w *walk) key(path string) string {
	if w.fold {
		return assetpath.Fold(path)
	}
	return path
}

// isFile reports whether a name is an ordinary file, or leads to one or nowhere: not a folder, and not a pipe, which
// reading would wait for.
func (w *walk) isFile(path string, file fs.DirEntry) bool {
	if file.Type()&fs.ModeSymlink == 0 {
		return file.Type().IsRegular()
	}
	target, err := os.Stat(w.file(path))
	return err != nil || target.Mode().IsRegular()
}

// file gives the path on this computer.
func (w *walk) file(path string) string { return filepath.Join(w.root, filepath.FromSlash(path)) }

// ignores reports whether a name in a folder is no asset, whatever it is. Names that start with a dot and metas are
// none either.
func (w *walk) ignores(folder, name string) bool {
	switch {
	case strings.HasSuffix(name, "~"), strings.EqualFold(name, "Thumbs.db"), strings.EqualFold(name, "desktop.ini"):
		return true
	case folder == "" && w.same(name, "assets.index.json"):
		return true
	case (name == "bin" || name == "obj") && w.same(firstSegment(folder), "scripts"):
		return true
	}
	return assetpath.Base(w.plugins) == name && w.plugins == join(folder, name) || w.fold && w.same(join(folder, name), w.plugins)
}

// same compares paths as the project does.
func (w *walk) same(a, b string) bool { return w.key(a) == w.key(b) }

func join(folder, name string) string {
	if folder == "" {
		return name
	}
	return folder + "/" + name
}

func firstSegment(path string) string {
	first, _, _ := strings.Cut(path, "/")
	return first
}

// isMetaName reports whether a file of this name is a meta, or looks like one.
func isMetaName(name string) bool {
	const suffix = ".meta"
	return len(name) >= len(suffix) && strings.EqualFold(name[len(name)-len(suffix):], suffix)
}
