// Package perproject keeps what a person decided about projects in a file outside of them: a JSON object with a value for each
// project folder.
//
// Every change reads the file again under a lock and replaces it in one step, so that a window and a command do not undo
// each other.
package perproject

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"talebinder/export/internal/filelock"
	"talebinder/project/atomicfile"
)

// A File holds a T for each project.
type File[T any] struct{ path string }

// New returns the file at a path, which need not exist yet.
func New[T any](path string) File[T] { return File[T]{path} }

// largest is the most bytes that are read; a person's decisions take a few kilobytes.
const largest = 16 << 20

// Folder is the name that a project goes by: its absolute path behind all links.
func Folder(project string) string {
	abs, err := filepath.Abs(project)
	if err != nil {
		return filepath.Clean(project)
	}
	if resolved, err := filepath.EvalSymlinks(abs); err == nil {
		return resolved
	}
	return abs
}

// Get gives the value of a project; the zero T when there is none. The error says that the file cannot be read or is not
// understood.
func (f File[T]) Get(project string) (T, error) {
	all, err := f.read()
	return all[Folder(project)], err
}

// Change changes the value of a project. When edit says not to keep it, the project is taken out of the file. A file that is
// not understood is left as it is.
func (f File[T]) Change(project string, edit func(T) (value T, keep bool)) error {
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return err
	}
	const patience = 10 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	lock, err := filelock.Wait(ctx, f.path+".lock", nil)
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s is being changed by another program, and has been for %s", f.path, patience)
	}
	if err != nil {
		return err
	}
	defer lock.Release()
	all, err := f.read()
	if err != nil {
		return err
	}
	folder := Folder(project)
	value, keep := edit(all[folder])
	if keep {
		all[folder] = value
	} else {
		delete(all, folder)
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Write(f.path, append(text, '\n'))
}

func (f File[T]) read() (map[string]T, error) {
	all := make(map[string]T)
	file, err := os.Open(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, largest+1))
	if err == nil && len(text) > largest {
		err = fmt.Errorf("more than %d bytes", largest)
	}
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		return nil, fmt.Errorf("%s is not understood: %w. Correct the file, or remove it to begin anew", f.path, err)
	}
	if all == nil {
		all = make(map[string]T)
	}
	return all, nil
}
