// Package atomicfile writes files that appear complete or not at all.
//
// The bytes go to a file named .<name>.<32 hex digits>.tmp beside the target, are flushed to the disk, and the finished
// file is renamed over the target; on Unix the folder is flushed too, so that the new name survives a power cut. Until
// the rename the old file is untouched: a failure, a full disk or a killed process leaves it as it was. The Talesmith
// editor names its own temporary files the same way and ignores them when it scans a project.
//
// A target that is a symbolic link is followed: the file it leads to is replaced and the link stays. An existing
// file's permissions are kept. A file that is marked read-only is not replaced.
package atomicfile

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"
)

// An Error says that a file was not written. The file is as it was before.
type Error struct {
	Path   string // the file that was to be written
	Reason string // in plain words
	Err    error  // the error of the system
}

// Error gives the path and the reason.
func (e *Error) Error() string { return e.Path + " was not written: " + e.Reason }

// Unwrap gives the system's error, for errors.Is with fs.ErrPermission and the like.
func (e *Error) Unwrap() error { return e.Err }

// Write replaces the file at path by data, or creates it. Its errors are *Error.
func Write(path string, data []byte) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Commit()
}

// A File is being written beside its target. Either Commit or Abort ends it; Abort after Commit does nothing, so that
// it can be deferred. A File must not be used from several goroutines at once.
type File struct {
	path   string // as the caller named it
	target string // behind all links
	temp   string
	file   *os.File // nil when ended
}

var (
	_ io.WriteSeeker = (*File)(nil)
	_ io.ReaderAt    = (*File)(nil)
)

// Create starts a new content for the file at path, whose folder must exist. Its errors are *Error.
func Create(path string) (*File, error) { return create(path, os.O_EXCL, tempName) }

// CreateTmp is Create with a temporary file that is named <name>.tmp, for large files: what a killed process has left of
// one is written over by the next. Two at a time must not write the same file; callers see to that.
func CreateTmp(path string) (*File, error) {
	return create(path, os.O_TRUNC, func(name string) string { return name + ".tmp" })
}

func create(path string, flag int, name func(string) string) (*File, error) {
	target, old, err := resolve(path)
	if err != nil {
		return nil, failed(path, err)
	}
	if old != nil {
		switch {
		case old.IsDir():
			return nil, &Error{Path: path, Reason: "it is a folder", Err: fs.ErrExist}
		case !old.Mode().IsRegular():
			return nil, &Error{Path: path, Reason: "it is not an ordinary file", Err: fs.ErrInvalid}
		case old.Mode().Perm()&0o222 == 0:
			return nil, &Error{Path: path, Reason: "the file is marked read-only", Err: fs.ErrPermission}
		}
	}
	temp := filepath.Join(filepath.Dir(target), name(filepath.Base(target)))
	if left, err := os.Lstat(temp); err == nil && !left.Mode().IsRegular() {
		return nil, &Error{Path: path, Reason: temp + ", where it is written first, is not an ordinary file", Err: fs.ErrExist}
	}
	file, err := os.OpenFile(temp, os.O_RDWR|os.O_CREATE|flag, 0o666)
	if err != nil {
		return nil, failedIn(path, filepath.Dir(target), err)
	}
	f := &File{path: path, target: target, temp: temp, file: file}
	if old != nil {
		if err := keepAttributes(file, old); err != nil {
			f.Abort()
			return nil, failed(path, err)
		}
	}
	return f, nil
}

// Name gives the path that was passed to Create.
func (f *File) Name() string { return f.path }

// Temp gives the path of the temporary file, to read it like any other before Commit.
func (f *File) Temp() string { return f.temp }

// Flush writes what there is so far to the disk.
func (f *File) Flush() error {
	if f.file == nil {
		return failed(f.path, os.ErrClosed)
	}
	if err := f.file.Sync(); err != nil {
		return failed(f.path, err)
	}
	return nil
}

// StartFlush sets the disk to work on a part of what has been written, where the system can, so that flushing all of it
// takes less time. It does not wait.
func (f *File) StartFlush(offset, length int64) {
	if f.file != nil {
		startFlush(f.file, offset, length)
	}
}

// Write appends to the new content.
func (f *File) Write(p []byte) (int, error) {
	if f.file == nil {
		return 0, failed(f.path, os.ErrClosed)
	}
	n, err := f.file.Write(p)
	if err != nil {
		err = failed(f.path, err)
	}
	return n, err
}

// Seek sets where the next Write goes, for formats whose header is known last.
func (f *File) Seek(offset int64, whence int) (int64, error) {
	if f.file == nil {
		return 0, failed(f.path, os.ErrClosed)
	}
	n, err := f.file.Seek(offset, whence)
	if err != nil {
		err = failed(f.path, err)
	}
	return n, err
}

// ReadAt reads what has been written so far, to check it before Commit.
func (f *File) ReadAt(p []byte, offset int64) (int, error) {
	if f.file == nil {
		return 0, failed(f.path, os.ErrClosed)
	}
	return f.file.ReadAt(p, offset)
}

// Commit flushes the content to the disk and puts it in place of the target. When it fails, the target is as it was
// and the temporary file is gone. The one exception: when only the folder cannot be flushed, the new content is in place already.
func (f *File) Commit() error {
	if f.file == nil {
		return failed(f.path, os.ErrClosed)
	}
	err := f.file.Sync()
	if closeErr := f.file.Close(); err == nil {
		err = closeErr
	}
	f.file = nil
	if err == nil {
		err = rename(f.temp, f.target)
	}
	if err != nil {
		_ = os.Remove(f.temp)
		return failed(f.path, err)
	}
	if err := syncFolder(filepath.Dir(f.target)); err != nil {
		return &Error{Path: f.path, Reason: "its folder could not be flushed to the disk: " + cause(err).Error(), Err: err}
	}
	return nil
}

// Abort drops the new content and leaves the target as it was. It does nothing after Commit.
func (f *File) Abort() {
	if f.file == nil {
		return
	}
	_ = f.file.Close()
	_ = os.Remove(f.temp)
	f.file = nil
}

// maxLinks bounds the chain of links, as the systems do.
const maxLinks = 40

// resolve follows path through symbolic links to the file that a write is about, which need not exist; old is nil then.
func resolve(path string) (target string, old fs.FileInfo, err error) {
	target = path
	for range maxLinks {
		info, err := os.Lstat(target)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return target, nil, nil
		case err != nil:
			return "", nil, err
		case info.Mode()&fs.ModeSymlink == 0:
			return target, info, nil
		}
		next, err := os.Readlink(target)
		if err != nil {
			return "", nil, err
		}
		if !filepath.IsAbs(next) {
			// Not filepath.Join on the name alone: ".." in a link counts from the folder that really holds the link.
			folder, err := filepath.EvalSymlinks(filepath.Dir(target))
			if err != nil {
				return "", nil, err
			}
			next = filepath.Join(folder, next)
		}
		target = next
	}
	return "", nil, fmt.Errorf("more than %d symbolic links follow each other", maxLinks)
}

// maxTempBase keeps the temporary name within the 255 bytes that file systems allow.
const maxTempBase = 255 - len("..") - 32 - len(".tmp")

func tempName(name string) string {
	if len(name) > maxTempBase {
		name = name[:maxTempBase]
		for len(name) > 0 && !utf8.ValidString(name) {
			name = name[:len(name)-1]
		}
	}
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails
	return "." + name + "." + hex.EncodeToString(id[:]) + ".tmp"
}

// cause is err without the path and the operation, which name the temporary file.
func cause(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	var linkErr *os.LinkError
	if errors.As(err, &linkErr) {
		return linkErr.Err
	}
	return err
}

func failed(path string, err error) error {
	return failedIn(path, filepath.Dir(path), err)
}

func failedIn(path, folder string, err error) error {
	reason := cause(err).Error()
	switch {
	case diskFull(err):
		reason = "the disk is full"
	case errors.Is(err, os.ErrClosed):
		reason = "the file is closed already"
	case readOnlySystem(err):
		reason = "the disk that holds the folder " + folder + " is read-only"
	case errors.Is(err, fs.ErrPermission):
		reason = "the folder " + folder + " does not allow it (" + reason + ")"
	case errors.Is(err, fs.ErrNotExist):
		reason = "the folder " + folder + " does not exist"
	}
	return &Error{Path: path, Reason: reason, Err: err}
}
