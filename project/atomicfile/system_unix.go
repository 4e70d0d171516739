//go:build unix

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

func rename(from, to string) error { return os.Rename(from, to) }

// keepAttributes gives the new file the permissions of the one it replaces, and its owner where that is allowed: a file
// saved by root stays the user's.
func keepAttributes(file *os.File, old fs.FileInfo) error {
	if stat, ok := old.Sys().(*syscall.Stat_t); ok {
		_ = file.Chown(int(stat.Uid), int(stat.Gid))
	}
	return file.Chmod(old.Mode().Perm())
}

func syncFolder(folder string) error {
	d, err := os.Open(folder)
	if err != nil {
		// A folder that may be written but not listed cannot be opened; the rename is done all the same.
		if errors.Is(err, fs.ErrPermission) {
			return nil
		}
		return err
	}
	defer d.Close()
	err = d.Sync()
	// Some network and FUSE file systems do not flush folders.
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOSYS) {
		return nil
	}
	return err
}

func diskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

func readOnlySystem(err error) bool { return errors.Is(err, syscall.EROFS) }
