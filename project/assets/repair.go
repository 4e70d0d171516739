package assets

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"talebinder/project/atomicfile"
)

// AllMetas is the id of the repair that carries out all others.
const AllMetas = "metas"

// A Repair is a change of .meta files that a person can start.
type Repair struct {
	ID    string
	Title string
	Files []string // what it writes, relative to the project folder
}

// repairID gives the id of the repair of an asset's meta.
func repairID(a *Asset) string { return "meta:" + a.Path }

// Repairs gives what the engine would write, in path order: a repair for each asset whose meta differs from what was
// decided, and in front of them, when there are several, one that does them all.
func (d *Database) Repairs() []Repair {
	var all []Repair
	var files []string
	for i := range d.assets {
		a := &d.assets[i]
		if a.changes == 0 {
			continue
		}
		r := Repair{ID: repairID(a), Title: repairTitle(a), Files: []string{assetFolder + a.Path + ".meta"}}
		if a.changes&isReplaced != 0 {
			r.Files = append(r.Files, assetFolder+invalidOf(a.Path+".meta"))
		}
		files = append(files, r.Files...)
		all = append(all, r)
	}
	if len(all) > 1 {
		title := fmt.Sprintf("Put %d .meta files in order", len(all))
		all = append([]Repair{{AllMetas, title, files}}, all...)
	}
	return all
}

// repairTitle says what the repair of a meta does.
func repairTitle(a *Asset) string {
	meta := a.Path + ".meta"
	switch {
	case a.changes&isReplaced != 0:
		return "Replace " + meta + ", which is not valid"
	case a.changes&isRestored != 0:
		return "Put " + meta + " back from its backup"
	case a.changes&isNew != 0:
		return "Write " + meta
	case a.changes&guidReplaced != 0:
		return "Give " + a.Path + " a guid of its own"
	}
	return "Correct " + meta
}

// invalidOf gives the file that keeps a meta that was not valid.
func invalidOf(meta string) string { return hidden(meta, ".invalid") }

// backupOf gives the file that an interrupted write of a meta leaves.
func backupOf(meta string) string { return hidden(meta, ".bak") }

// hidden gives a file beside another one, with a dot in front of its name and a suffix.
func hidden(file, suffix string) string {
	folder, name := filepath.Split(file)
	return folder + "." + name + suffix
}

// Repair is RepairContext without progress, to the end.
func (d *Database) Repair(id string) error { return d.RepairContext(context.Background(), id, nil) }

// RepairContext carries out a repair. Each meta is written atomically; one that was valid changes only where it has to,
// and one that was not is first copied to .<name>.meta.invalid. A meta that has changed since the scan is left alone,
// which is an error; the others are written all the same. Progress may be nil. The database does not change: scan again
// afterwards, also after an error.
func (d *Database) RepairContext(ctx context.Context, id string, progress func(done, total int)) error {
	var todo []*Asset
	for _, a := range d.all {
		if a.changes != 0 && (id == AllMetas || id == repairID(a)) {
			todo = append(todo, a)
		}
	}
	if len(todo) == 0 && id != AllMetas {
		return fmt.Errorf("there is no repair %q; scan the project again", id)
	}
	var failed []error
	for i, a := range todo {
		if err := ctx.Err(); err != nil {
			return errors.Join(append(failed, err)...)
		}
		if err := d.repair(a); err != nil {
			failed = append(failed, err)
		}
		if progress != nil {
			progress(i+1, len(todo))
		}
	}
	return errors.Join(failed...)
}

// repair writes the meta of one asset.
func (d *Database) repair(a *Asset) error {
	target := d.file(a.Path + ".meta")
	changed := func() error {
		return fmt.Errorf("%s.meta has changed since the project was scanned; scan it again", a.Path)
	}
	if a.changes&isNew != 0 {
		if _, err := os.Lstat(target); !errors.Is(err, fs.ErrNotExist) {
			return changed()
		}
		return atomicfile.Write(target, a.Meta.Text())
	}
	source := d.metaFile(a)
	if a.changes&isRestored != 0 {
		if _, err := os.Lstat(target); !errors.Is(err, fs.ErrNotExist) {
			return changed()
		}
	}
	if a.changes&isReplaced != 0 {
		return d.replace(a, source, target, changed)
	}
	text, err := readMetaText(source)
	if err != nil {
		return err
	}
	original := &d.details[a.index].original
	if old, err := ParseMeta(text); err != nil || !old.equal(original) {
		return changed()
	}
	if a.changes&^isRestored != 0 {
		text = a.Meta.edited(text, original)
	}
	if err := atomicfile.Write(target, text); err != nil {
		return err
	}
	return d.dropBackup(a, source)
}

// replace writes a new meta in the place of one that is not valid, of which it keeps a copy.
func (d *Database) replace(a *Asset, source, target string, changed func() error) error {
	text, err := readMetaText(source)
	if err == nil {
		if _, err := ParseMeta(text); err == nil {
			return changed()
		}
	}
	if err := copyFile(source, invalidOf(target)); err != nil {
		return err
	}
	if err := atomicfile.Write(target, a.Meta.Text()); err != nil {
		return err
	}
	return d.dropBackup(a, source)
}

// dropBackup deletes the backup that a meta was restored from.
func (d *Database) dropBackup(a *Asset, backup string) error {
	if a.changes&isRestored == 0 {
		return nil
	}
	return os.Remove(backup)
}

// readMetaText reads a meta.
func readMetaText(file string) ([]byte, error) {
	r := metaReader{buf: make([]byte, metaBuffer)}
	return r.read(file)
}

// copyFile copies a file of any size; the copy appears complete or not at all.
func copyFile(from, to string) error {
	r, err := os.Open(from)
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := atomicfile.Create(to)
	if err != nil {
		return err
	}
	defer w.Abort()
	if _, err := r.WriteTo(w); err != nil {
		return fmt.Errorf("copying %s: %w", filepath.Base(from), err)
	}
	return w.Commit()
}
