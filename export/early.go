package export

import (
	"io"
	"os"
)

// earlyPortion is how many bytes are written before the disk is set to work on them.
const earlyPortion = 8 << 20

// An earlyFile sets the disk to work while the file is still written, so that flushing it at the end takes less time.
type earlyFile struct {
	*os.File
	position int64
	begun    int64 // up to where the disk is at work
}

func (f *earlyFile) Write(b []byte) (int, error) {
	n, err := f.File.Write(b)
	f.position += int64(n)
	if length := f.position - f.begun; length >= earlyPortion {
		beginFlush(f.File, f.begun, length)
		f.begun = f.position
	}
	return n, err
}

func (f *earlyFile) Seek(offset int64, whence int) (int64, error) {
	position, err := f.File.Seek(offset, whence)
	if err == nil {
		f.position, f.begun = position, min(f.begun, position)
	}
	return position, err
}

var _ io.WriteSeeker = (*earlyFile)(nil)
