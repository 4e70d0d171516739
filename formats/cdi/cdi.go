// Package cdi reads DiscJuggler disc images (.cdi) and writes them again around a new data track.
//
// A file is the sectors of all tracks one after another, each track's pregap ahead of it, then a descriptor and a footer of
// 8 bytes. All numbers are little-endian.
//
//	Footer
//	0  4  version: 80000004 (2), 80000005 (3) or 80000006 (3.5)
//	4  4  place of the descriptor: from the start of the file, in version 3.5 from its end
//
//	Descriptor
//	  u16 sessions; for each: u16 tracks; for each of them a header and a track; then 12 bytes, from version 3 on 13
//	  2 bytes, a header, u32 sectors of the whole disc, and names and codes up to the end
//
//	Header
//	   u32 x, and 8 bytes more when x is not 0
//	   20 bytes, twice 00 00 01 00 00 00 FF FF FF FF; 4 bytes
//	   u8 length of a path, and the path; 19 bytes
//	   u32 y, and 8 bytes more when y is 80000000
//
//	Track
//	 0  2  number of indices
//	 2  4  sectors of the pregap
//	 6  4  sectors behind the pregap; 6 bytes follow
//	16  4  mode: 0 audio, 1 Mode 1, 2 Mode 2 or XA
//	20 12  u32, session, number
//	32  4  LBA of the first sector behind the pregap
//	36  4  sectors with the pregap; 16 bytes follow
//	56  4  sector size: 0 is 2048, 1 is 2336, 2 is 2352 bytes
//	60  5  control
//	65  4  sectors with the pregap once more; 20 bytes follow
//	89  9  from version 3 on: 5 bytes and a u32, 78 bytes more when that is FFFFFFFF
//
// The file system of a disc is in its last data track. A sector of 2048 bytes is the user data alone. A sector of 2336
// bytes is one of Mode 2 Form 1 without sync and header:
//
//	   0    8  subheader: 00 00 09 00, twice
//	   8 2048  user data
//	2056    4  EDC of what is ahead of it
//	2060  172  P parity
//	2232  104  Q parity
package cdi

import (
	"fmt"

	"talebinder/formats"
)

// MaxDiscSectors is how many sectors a disc of 80 minutes has. An image can hold more, and no disc for it exists.
const MaxDiscSectors = 360000

const (
	footerSize    = 8
	maxDescriptor = 1 << 20
	sectorSize    = 2048 // of the user data
	rawSize       = 2336 // of a stored Mode 2 sector
)

// Version is the version of DiscJuggler that a file is written for, as the footer has it.
type Version uint32

// The versions of the format.
const (
	Version2  Version = 0x80000004
	Version3  Version = 0x80000005
	Version35 Version = 0x80000006
)

// String gives the number that people know.
func (v Version) String() string {
	switch v {
	case Version2:
		return "2"
	case Version3:
		return "3"
	case Version35:
		return "3.5"
	}
	return fmt.Sprintf("%08X", uint32(v))
}

// Mode says what the sectors of a track hold.
type Mode uint32

// The modes of tracks.
const (
	Audio Mode = 0
	Mode1 Mode = 1
	Mode2 Mode = 2 // also XA
)

// String gives the mode as people know it.
func (m Mode) String() string {
	switch m {
	case Audio:
		return "audio"
	case Mode1:
		return "mode 1"
	case Mode2:
		return "mode 2"
	}
	return fmt.Sprintf("mode %d", uint32(m))
}

// Track is a track of a disc.
type Track struct {
	Session, Number int // from 1
	Mode            Mode
	SectorSize      int    // bytes of a stored sector: 2048, 2336 or 2352
	Pregap          uint32 // sectors ahead of the track
	Length          uint32 // sectors of the track
	LBA             uint32 // of the first sector behind the pregap
	Offset          int64  // of the pregap, in bytes from the start of the file

	lengthAt, totalAt, total2At int // offsets of the lengths in the descriptor
}

// start gives the offset of the first sector behind the pregap.
func (t Track) start() int64 { return t.Offset + int64(t.Pregap)*int64(t.SectorSize) }

// end gives the offset behind the last sector.
func (t Track) end() int64 {
	return t.Offset + (int64(t.Pregap)+int64(t.Length))*int64(t.SectorSize)
}

// dataOffset gives where the user data begins in a stored sector.
func (t Track) dataOffset() int64 {
	switch {
	case t.SectorSize == rawSize:
		return 8
	case t.SectorSize == sectorSize:
		return 0
	case t.Mode == Mode1:
		return 16
	}
	return 24
}

// Image is a disc image whose descriptor has been read.
type Image struct {
	Version     Version
	Sessions    int
	Tracks      []Track
	DiscSectors uint32 // of the whole disc, with all that is between the sessions

	file       reader
	size       int64
	start      int64  // of the descriptor
	descriptor []byte // without the footer
	discAt     int    // offset of DiscSectors in the descriptor
	data       int    // index of the last data track, or -1
}

// ErrNoDataTrack is wrapped by errors about discs that hold audio alone.
var ErrNoDataTrack = fmt.Errorf("no data track: %w", formats.ErrUnsupported)
