package cdi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"talebinder/formats"
)

// Data is the user data of a data track, in sectors of 2048 bytes. It may be used from many goroutines at once.
type Data struct {
	im      *Image
	track   Track
	buffers chan []byte // stored sectors; a few are kept for the next reads
}

// readSectors is how many sectors are read at a time.
const readSectors = 128

// Data gives the last data track, where the file system of a disc is. A disc without one gives an error that wraps
// ErrNoDataTrack.
func (im *Image) Data() (*Data, error) {
	if im.data < 0 {
		return nil, im.noData()
	}
	t := im.Tracks[im.data]
	return &Data{im: im, track: t, buffers: make(chan []byte, runtime.GOMAXPROCS(0))}, nil
}

// Track gives the track.
func (d *Data) Track() Track { return d.track }

// Size gives the length of the user data in bytes, without the pregap.
func (d *Data) Size() int64 { return int64(d.track.Length) * sectorSize }

// Base gives the LBA of the first sector.
func (d *Data) Base() uint32 { return d.track.LBA }

// FileOffset gives the offset in the file of a byte of the user data.
func (d *Data) FileOffset(offset int64) int64 {
	return d.track.start() + offset/sectorSize*int64(d.track.SectorSize) + d.track.dataOffset() + offset%sectorSize
}

// ReadAt reads user data. Codes that find and correct errors are not looked at.
func (d *Data) ReadAt(p []byte, offset int64) (int, error) {
	if offset < 0 {
		return 0, errors.New("a negative offset")
	}
	var end error
	if rest := max(d.Size()-offset, 0); int64(len(p)) > rest {
		p, end = p[:rest], io.EOF
	}
	if len(p) == 0 {
		return 0, end
	}
	if d.track.SectorSize == sectorSize {
		n, err := d.im.file.ReadAt(p, d.track.start()+offset)
		if n == len(p) {
			err = end
		}
		return n, err
	}
	raw := int64(d.track.SectorSize)
	buffer := d.take()
	defer d.release(buffer)
	n := 0
	for n < len(p) {
		first := offset / sectorSize
		sectors := min((offset%sectorSize+int64(len(p)-n)+sectorSize-1)/sectorSize, readSectors)
		b := buffer[:sectors*raw]
		got, err := d.im.file.ReadAt(b, d.track.start()+first*raw)
		if got < len(b) {
			if err == nil || errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return n, err
		}
		for ; len(b) > 0; b = b[raw:] {
			in := offset % sectorSize
			k := copy(p[n:], b[d.track.dataOffset()+in:d.track.dataOffset()+sectorSize])
			n += k
			offset += int64(k)
		}
	}
	return n, end
}

// take gives a buffer for stored sectors.
func (d *Data) take() []byte {
	select {
	case b := <-d.buffers:
		return b
	default:
		return make([]byte, readSectors*d.track.SectorSize)
	}
}

// release keeps a buffer for another read, when there are not enough already.
func (d *Data) release(b []byte) {
	select {
	case d.buffers <- b:
	default:
	}
}

// VerifyData checks the codes of all sectors of the data track, as VerifySectors does.
func (im *Image) VerifyData(ctx context.Context, progress func(bytes int64)) error {
	if im.data < 0 {
		return im.noData()
	}
	return im.VerifySectors(ctx, im.Tracks[im.data].Length, progress)
}

// VerifySectors checks the codes of the first sectors of the data track, on all cores: a sector of 2336 bytes whose subheader
// says Form 1 has to be the one that EncodeForm1 makes of its user data, with a subheader of its own. Form 2 sectors, which
// have no parity, are left alone, and so are other sector sizes. The first sector that differs gives a *formats.Fault.
//
// The sectors behind the volume that Rewrite copies are as they were, with whatever codes they had.
//
// progress may be nil; it is called with the bytes of the file that have been checked, from any goroutine.
func (im *Image) VerifySectors(ctx context.Context, sectors uint32, progress func(bytes int64)) error {
	if im.data < 0 {
		return im.noData()
	}
	t := im.Tracks[im.data]
	if t.SectorSize != rawSize {
		return nil
	}
	sectors = min(sectors, t.Length)
	workers := min(runtime.GOMAXPROCS(0), maxWorkers)
	group, ctx := errgroup.WithContext(ctx)
	var (
		mutex  sync.Mutex
		next   int64
		faults = make(map[int64]error) // by sector, so that the first one is reported whatever the number of cores
	)
	take := func() (int64, int64) {
		mutex.Lock()
		defer mutex.Unlock()
		first := next
		if len(faults) > 0 {
			return 0, 0
		}
		next = min(first+readSectors, int64(sectors))
		return first, next
	}
	for range workers {
		group.Go(func() error {
			buffer := make([]byte, readSectors*rawSize)
			var want, zero [rawSize]byte
			EncodeForm1(&zero, new([sectorSize]byte))
			for {
				if err := ctx.Err(); err != nil {
					return err
				}
				first, end := take()
				if first >= end {
					return nil
				}
				b := buffer[:(end-first)*rawSize]
				at := t.start() + first*rawSize
				if n, err := im.file.ReadAt(b, at); n < len(b) {
					return fmt.Errorf("sectors from byte %d: %w", at, err)
				}
				for i := int64(0); i < end-first; i++ {
					raw := (*[rawSize]byte)(b[i*rawSize:])
					if raw[2]&0x20 != 0 || *raw == zero {
						continue
					}
					encode(&want, (*[8]byte)(raw[:8]), (*[sectorSize]byte)(raw[8:]))
					if want != *raw {
						place := 0
						for want[place] == raw[place] {
							place++
						}
						mutex.Lock()
						faults[first+i] = formats.Damaged(fmt.Sprintf("sector %d of track %d", int64(t.LBA)+first+i, t.Number), at+i*rawSize+int64(place),
							fmt.Sprintf("the byte %02X in %s", raw[place], code(place)), fmt.Sprintf("%02X", want[place]))
						mutex.Unlock()
						break
					}
				}
				if progress != nil {
					progress(int64(len(b)))
				}
			}
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if len(faults) > 0 {
		return faults[slices.Min(slices.Collect(maps.Keys(faults)))]
	}
	return nil
}

// code names the code that a byte of a sector belongs to.
func code(place int) string {
	switch {
	case place < edcAt:
		return "its data"
	case place < pAt:
		return "the EDC"
	case place < qAt:
		return "the P parity"
	}
	return "the Q parity"
}
