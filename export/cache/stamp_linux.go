package cache

import (
	"io/fs"
	"syscall"
)

// stampOf gives the stamp of a file. Programs that set the time of a file to what it was cannot set the time at which they did.
func stampOf(info fs.FileInfo) (Stamp, bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return Stamp{}, false
	}
	return Stamp{s.Size, info.ModTime().UnixNano(), s.Ctim.Nano(), s.Ino}, true
}
