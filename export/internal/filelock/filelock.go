// Package filelock keeps two processes, or two jobs of one, from doing the same work at the same time.
//
// A lock is the system's lock of a file that is made for it. It ends with the process, however that ends, so that nothing has
// to be tidied up by hand after a crash.
package filelock

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"
)

// ErrLocked says that another process, or another job of this one, holds the lock.
var ErrLocked = errors.New("locked")

// A Lock that is held.
type Lock struct{ file *os.File }

// Acquire takes the lock that is named by a file, which is made when it does not exist and removed by Release. Its folder
// has to exist. The error is ErrLocked when the lock is held.
func Acquire(path string) (*Lock, error) {
	for {
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		if err := lock(file); err != nil {
			_ = file.Close()
			return nil, err
		}
		// Whoever held the lock before may have removed the file between the two calls; then a third party could lock a new one.
		held, err := file.Stat()
		if err == nil {
			var named os.FileInfo
			if named, err = os.Stat(path); err == nil && os.SameFile(held, named) {
				return &Lock{file}, nil
			}
		}
		_ = file.Close()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
}

// Wait is Acquire for a caller who can wait until the lock is free or ctx ends. When it has to wait it calls waiting first,
// unless that is nil.
func Wait(ctx context.Context, path string, waiting func()) (*Lock, error) {
	const pause = 50 * time.Millisecond
	for first := true; ; first = false {
		l, err := Acquire(path)
		if !errors.Is(err, ErrLocked) {
			return l, err
		}
		if first && waiting != nil {
			waiting()
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// Release gives the lock up and removes its file. Releasing nil does nothing.
func (l *Lock) Release() {
	if l != nil {
		release(l.file)
	}
}
