// Package textfile reads whole files with a limit, for settings and documents that are edited as text.
package textfile

import (
	"fmt"
	"io"
	"io/fs"
	"os"

	"talebinder/formats"
)

// Read gives the bytes of an ordinary file of at most limit bytes. A pipe or a device is refused before it can make the
// program wait. A missing file is an error that is fs.ErrNotExist, a larger one wraps a *formats.LimitError.
func Read(path string, limit int64) ([]byte, fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if info.IsDir() {
		return nil, nil, fmt.Errorf("%s is a folder, expected a file", path)
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s is not an ordinary file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, nil, err
	}
	size := info.Size()
	if size <= limit {
		text, err := io.ReadAll(io.LimitReader(f, limit+1))
		if err != nil {
			return nil, nil, err
		}
		if size = int64(len(text)); size <= limit {
			return text, info, nil
		}
	}
	return nil, nil, fmt.Errorf("%s: %w", path, &formats.LimitError{What: "file size", Value: size, Max: limit, Unit: "bytes"})
}
