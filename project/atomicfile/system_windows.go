package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"
)

const (
	errorSharingViolation = syscall.Errno(32)
	errorHandleDiskFull   = syscall.Errno(39)
	errorDiskFull         = syscall.Errno(112)
	errorWriteProtect     = syscall.Errno(19)
)

// rename tries again for a moment: virus scanners and indexers hold new files open just after they were written.
func rename(from, to string) error {
	const attempts = 8
	var err error
	for i := range attempts {
		err = os.Rename(from, to)
		if !errors.Is(err, errorSharingViolation) && !errors.Is(err, syscall.ERROR_ACCESS_DENIED) {
			return err
		}
		time.Sleep(time.Duration(i+1) * 10 * time.Millisecond)
	}
	return err
}

// keepAttributes has nothing to do: the only permission bit is the read-only mark, and such files are refused.
func keepAttributes(*os.File, fs.FileInfo) error { return nil }

// syncFolder has nothing to do: folders cannot be flushed.
func syncFolder(string) error { return nil }

func diskFull(err error) bool {
	return errors.Is(err, errorDiskFull) || errors.Is(err, errorHandleDiskFull)
}

func readOnlySystem(err error) bool { return errors.Is(err, errorWriteProtect) }
