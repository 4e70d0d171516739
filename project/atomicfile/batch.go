package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// A Change is what a batch does with one file.
type Change struct {
	Path   string
	Data   []byte // the new content
	Remove bool   // the file goes; Data is not used
}

// WriteAll makes all changes or none of them. Every new content is written beside its target and flushed to the disk first,
// so that a full disk or a folder that cannot be written is noticed while nothing has changed. Then the files change their
// places, in the order given. When one cannot, those before it are put back: their former files themselves, which needs no
// room on the disk. Errors are *Error, or an error that names the files which could not be put back and where their former
// content is. A process that is killed between two files leaves those before in place: the caller orders them so that this
// does no harm.
func WriteAll(changes []Change) error {
	return writeAll(changes, rename)
}

// writeAll takes the function that renames as a parameter, for tests of what happens when it fails.
func writeAll(changes []Change, rename func(from, to string) error) (err error) {
	b := &batch{rename: rename}
	defer func() {
		if err != nil {
			err = errors.Join(append([]error{err}, b.putBack()...)...)
		}
		b.clean()
	}()
	for _, c := range changes {
		if err := b.stage(c); err != nil {
			return err
		}
	}
	var folders []string
	for i := range b.items {
		item := &b.items[i]
		if err := b.replace(item); err != nil {
			return failed(item.path, err)
		}
		folders = append(folders, filepath.Dir(item.target))
	}
	slices.Sort(folders)
	for _, folder := range slices.Compact(folders) {
		if err := syncFolder(folder); err != nil {
			return &Error{Path: folder, Reason: "the folder could not be flushed to the disk: " + cause(err).Error(), Err: err}
		}
	}
	return nil
}

// A batch is the state of WriteAll.
type batch struct {
	items  []item
	rename func(from, to string) error
}

// An item is one file of a batch.
type item struct {
	path   string // as the caller named it
	target string // behind all links
	staged string // the new content, or empty when there is none or it has its place
	backup string // the former file under another name, or empty when there was none
	remove bool
	done   bool
	keep   bool // the former file could not be put back and stays where it is
}

// stage writes the new content of one file and gives the former one a second name.
func (b *batch) stage(c Change) error {
	target, old, err := resolve(c.Path)
	if err != nil {
		return failed(c.Path, err)
	}
	if slices.ContainsFunc(b.items, func(i item) bool { return i.target == target }) {
		return &Error{Path: c.Path, Reason: "it is to be written twice at once", Err: fs.ErrInvalid}
	}
	it := item{path: c.Path, target: target, remove: c.Remove}
	if !c.Remove {
		f, err := Create(c.Path)
		if err != nil {
			return err
		}
		defer f.Abort()
		if _, err := f.Write(c.Data); err != nil {
			return err
		}
		if it.staged, err = f.stage(); err != nil {
			return err
		}
	}
	b.items = append(b.items, it)
	if old == nil {
		return nil
	}
	if !old.Mode().IsRegular() {
		return &Error{Path: c.Path, Reason: "it is not an ordinary file", Err: fs.ErrInvalid}
	}
	last := &b.items[len(b.items)-1]
	last.backup = filepath.Join(filepath.Dir(target), tempName(filepath.Base(target)))
	if err := secondName(target, last.backup, old); err != nil {
		last.backup = ""
		return failed(c.Path, err)
	}
	return nil
}

// stage flushes the content to the disk and gives the name of the file that holds it, which is the caller's from then on.
func (f *File) stage() (temp string, err error) {
	err = f.file.Sync()
	if closeErr := f.file.Close(); err == nil {
		err = closeErr
	}
	f.file = nil
	if err != nil {
		_ = os.Remove(f.temp)
		return "", failed(f.path, err)
	}
	return f.temp, nil
}

// secondName makes the file known under another name too, or copies it where the system has no such thing.
func secondName(path, name string, info fs.FileInfo) error {
	if os.Link(path, name) == nil {
		return nil
	}
	from, err := os.Open(path)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	if err == nil {
		err = keepAttributes(to, info)
	}
	if err == nil {
		err = to.Sync()
	}
	if closeErr := to.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		_ = os.Remove(name)
	}
	return err
}

func (b *batch) replace(it *item) error {
	if it.remove {
		if it.backup == "" {
			return nil // there is no such file
		}
		if err := os.Remove(it.target); err != nil {
			return err
		}
		it.done = true
		return nil
	}
	if err := b.rename(it.staged, it.target); err != nil {
		return err
	}
	it.staged, it.done = "", true
	return nil
}

// putBack undoes what has been done, the last first.
func (b *batch) putBack() (errs []error) {
	for i := len(b.items) - 1; i >= 0; i-- {
		it := &b.items[i]
		if !it.done {
			continue
		}
		var err error
		if it.backup == "" {
			err = os.Remove(it.target)
		} else if err = rename(it.backup, it.target); err == nil {
			it.backup = ""
		}
		if err != nil {
			it.keep = true
			errs = append(errs, fmt.Errorf("%s could not be put back as it was: %w", it.path, cause(err)))
			if it.backup != "" {
				errs = append(errs, fmt.Errorf("its former content is in %s", it.backup))
			}
		}
	}
	return errs
}

// clean removes what has no use any more.
func (b *batch) clean() {
	for _, it := range b.items {
		if it.staged != "" {
			_ = os.Remove(it.staged)
		}
		if it.backup != "" && !it.keep {
			_ = os.Remove(it.backup)
		}
	}
}
