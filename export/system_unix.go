//go:build unix

package export

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

func isFull(err error) bool { return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) }

func isReadOnly(err error) bool { return errors.Is(err, unix.EROFS) }

// errLocked says that another process, or another job of this one, holds a lock.
var errLocked = errors.New("locked")

// lockFile takes the lock of an open file until it is closed. It ends with the process, however that ends.
func lockFile(file *os.File) error {
	for {
		err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EWOULDBLOCK):
			return errLocked
		}
		return err
	}
}

// removeLocked removes the lock's file while its lock is held.
func removeLocked(file *os.File) {
	_ = os.Remove(file.Name())
	_ = file.Close()
}

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
