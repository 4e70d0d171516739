//go:build !unix

package export

import (
	"io"
	"os"
)

// openPlain opens a file for reading.
func openPlain(path string) (io.ReadCloser, error) { return os.Open(path) }
