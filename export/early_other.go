//go:build !linux

package export

import "os"

// beginFlush is not to be had here.
func beginFlush(*os.File, int64, int64) {}
