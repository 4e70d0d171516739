//go:build !unix

package assets

import (
	"io"
	"os"
)

// fill reads the beginning of a file into b. When whole is true, the file holds nothing else.
func fill(path string, b []byte) (n int, whole bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, false, err
	}
	defer f.Close()
	n, err = io.ReadFull(f, b)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return n, true, nil
	}
	return n, false, err
}
