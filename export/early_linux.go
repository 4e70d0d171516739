package export

import (
	"os"

	"golang.org/x/sys/unix"
)

// beginFlush sets the disk to work on a part of a file, and does not wait for it. That it cannot is no error: flushing tells.
func beginFlush(f *os.File, offset, length int64) {
	_ = unix.SyncFileRange(int(f.Fd()), offset, length, unix.SYNC_FILE_RANGE_WRITE)
}
