package export

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// exchange swaps two folders in one call, so that there is no moment without either. Not every file system can.
func exchange(a, b string) error {
	err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP) {
		return errors.ErrUnsupported
	}
	if err != nil {
		return fmt.Errorf("exchanging %s and %s: %w", a, b, err)
	}
	return nil
}

// freeSpace is the number of bytes that can be written to the disk of a folder, or -1 when the system does not say.
func freeSpace(folder string) int64 {
	var stat unix.Statfs_t
	if unix.Statfs(folder, &stat) != nil {
		return -1
	}
	return int64(min(stat.Bavail*uint64(stat.Bsize), 1<<62))
}
