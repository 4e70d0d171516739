//go:build unix && !linux && !darwin

package export

import "errors"

// exchange is not to be had here.
func exchange(string, string) error { return errors.ErrUnsupported }

// freeSpace is not asked for here: -1 says that it is not known.
func freeSpace(string) int64 { return -1 }
