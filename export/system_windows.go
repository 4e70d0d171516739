package export

import (
	"errors"

	"golang.org/x/sys/windows"
)

func isFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

func isReadOnly(err error) bool { return errors.Is(err, windows.ERROR_WRITE_PROTECT) }

// freeSpace is the number of bytes that can be written to the disk of a folder, or -1 when the system does not say.
func freeSpace(folder string) int64 {
	path, err := windows.UTF16PtrFromString(folder)
	if err != nil {
		return -1
	}
	var free uint64
	if windows.GetDiskFreeSpaceEx(path, &free, nil, nil) != nil {
		return -1
	}
	return int64(min(free, 1<<62))
}

// exchange is not to be had here.
func exchange(string, string) error { return errors.ErrUnsupported }

// syncFolder is not needed here: the system writes names on its own.
func syncFolder(string) error { return nil }

// writable says nothing here: who may write to a folder is known only by trying.
func writable(string) error { return nil }
