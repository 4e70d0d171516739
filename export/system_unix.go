//go:build unix

package export

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

func isFull(err error) bool { return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) }

func isReadOnly(err error) bool { return errors.Is(err, unix.EROFS) }

// syncFolder makes the names in a folder survive a power cut. File systems that cannot are content without.
func syncFolder(folder string) error {
	dir, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOTSUP) {
		return err
	}
	return nil
}

// writable says whether a folder may be written to.
func writable(folder string) error {
	if err := unix.Access(folder, unix.W_OK); err != nil {
		return &os.PathError{Op: "write", Path: folder, Err: err}
	}
	return nil
}
