//go:build unix

package export

import (
	"io"
	"os"
	"syscall"
)

// plainFile is a file that is read from its beginning to its end, straight through the system: os.File makes every file ready to
// be waited for, which takes longer than reading a small one.
type plainFile struct {
	fd   int
	path string
}

// openPlain opens a file for reading.
func openPlain(path string) (io.ReadCloser, error) {
	fd, err := uninterrupted(func() (int, error) { return syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0) })
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return &plainFile{fd, path}, nil
}

func (f *plainFile) Read(b []byte) (int, error) {
	n, err := uninterrupted(func() (int, error) { return syscall.Read(f.fd, b) })
	switch {
	case err != nil:
		return 0, &os.PathError{Op: "read", Path: f.path, Err: err}
	case n == 0 && len(b) > 0:
		return 0, io.EOF
	}
	return n, nil
}

func (f *plainFile) Close() error {
	if err := syscall.Close(f.fd); err != nil {
		return &os.PathError{Op: "close", Path: f.path, Err: err}
	}
	return nil
}

// uninterrupted calls f until no signal interrupts it.
func uninterrupted(f func() (int, error)) (int, error) {
	for {
		n, err := f()
		if err != syscall.EINTR {
			return n, err
		}
	}
}
