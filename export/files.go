package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"
)

// copyChunk is how much is copied between two looks at the context.
const copyChunk = 8 << 20

// newFile is a file that is created in a staging folder. It never replaces one, since two parts of a build with the same
// path would be a mistake.
type newFile struct {
	*os.File
	path string
}

// createFile creates a file and the folders that lead to it.
func createFile(path string, mode fs.FileMode) (*newFile, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%s: two parts of the build have this path", path)
	}
	if err != nil {
		return nil, err
	}
	return &newFile{file, path}, nil
}

// finish closes the file and gives it its time. An error of writing is passed on, or else one of closing: on some systems only
// that tells about a full disk. Whatever is to be there after a crash has to be flushed too.
func (f *newFile) finish(changed time.Time, err error) error {
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil && !changed.IsZero() {
		err = os.Chtimes(f.path, time.Time{}, changed)
	}
	return explain(err)
}

// flushFile puts a file on the disk, so that it is there after a crash.
func flushFile(path string) error {
	mode := os.O_RDONLY
	if runtime.GOOS == "windows" {
		mode = os.O_RDWR // where only those who may write may flush
	}
	file, err := os.OpenFile(path, mode, 0)
	if err != nil {
		return err
	}
	err = file.Sync()
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	return explain(err)
}

// flushFolder puts the files of a folder on the disk. Several at a time share the work.
func flushFolder(folder string) error {
	var group errgroup.Group
	group.SetLimit(4)
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			group.Go(func() error { return flushFile(path) })
		}
		return err
	})
	if flushErr := group.Wait(); err == nil {
		err = flushErr
	}
	return err
}

// writeFile creates a file with this content.
func writeFile(path string, content []byte, changed time.Time) error {
	f, err := createFile(path, 0o666)
	if err != nil {
		return explain(err)
	}
	_, err = f.Write(content)
	return f.finish(changed, err)
}

// copyFile creates a copy with the same time. The number of bytes that have been copied goes to progress.
func copyFile(ctx context.Context, target, source string, mode fs.FileMode, progress func(n int64)) error {
	in, err := os.Open(source)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := createFile(target, mode)
	if err != nil {
		return explain(err)
	}
	return out.finish(info.ModTime(), copyBytes(ctx, out.File, in, progress))
}

// copyBytes copies in pieces, so that it can be cancelled.
func copyBytes(ctx context.Context, out io.Writer, in io.Reader, progress func(n int64)) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := io.CopyN(out, in, copyChunk)
		if progress != nil && n > 0 {
			progress(n)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// explain adds what can be done about the errors of a system that people meet most.
func explain(err error) error {
	switch {
	case err == nil:
		return nil
	case isFull(err):
		return fmt.Errorf("%w. The disk is full: free some space, or choose another output folder", err)
	case isReadOnly(err):
		return fmt.Errorf("%w. The disk cannot be written to: choose another output folder", err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w. Choose an output folder that you may write to", err)
	}
	return err
}
