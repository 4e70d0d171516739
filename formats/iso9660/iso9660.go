// Package iso9660 reads ISO 9660 file systems with their Joliet names, and lays out a new one in which one directory of
// the root is replaced and everything else is kept.
//
// A volume is a sequence of logical sectors of 2048 bytes. An address (LBA) counts sectors of the whole medium, so in a
// track that begins at LBA T0 (0 for a plain .iso, 11702 as a rule for a Dreamcast disc) the volume's sector n is at T0 + n.
// Numbers in both orders are little-endian first, then big-endian; readers take the little-endian one.
//
//	Volume, in sectors
//	 0  16  system area (the bootstrap of a Dreamcast disc)
//	16   1  primary volume descriptor
//	17   1  supplementary volume descriptor with UCS-2 names (Joliet), when there is one
//	 n   1  terminator: FF "CD001" 01
//
//	Volume descriptor
//	  0   1  type: 0 boot record, 1 primary, 2 supplementary, 255 terminator
//	  1   6  "CD001", version 1
//	  8  32  system identifier; 40: volume identifier, 32
//	 80   8  sectors of the volume, both orders
//	 88  32  escape sequences; Joliet: "%/@", "%/C" or "%/E"
//	120  12  set size 1, sequence number 1, sector size 2048; 16 bits each, both orders
//	132   8  bytes of a path table, both orders
//	140   8  LBA of the little-endian path table and of an optional second one
//	148   8  the same, big-endian
//	156  34  directory record of the root
//	190 128  volume set; 318: publisher; 446: preparer; 574: application, 128 each
//	702  37  copyright file; 739: abstract file; 776: bibliographic file, 37 each
//	813  17  created; 830: modified; 847: expires; 864: effective, 17 each
//	881   1  1
//
//	Directory record
//	 0   1  length of the record; 0: the rest of the sector is padding
//	 1   1  sectors of extended attributes
//	 2   8  LBA of the extent, both orders
//	10   8  its length in bytes, both orders
//	18   7  date: year - 1900, month, day, hour, minute, second, offset from GMT in quarters of an hour
//	25   1  flags: 1 hidden, 2 directory, 4 associated, 80 not the last extent of the file
//	26   2  interleave: unit and gap
//	28   4  volume sequence number, 16 bits, both orders
//	32   1  length n of the identifier
//	33   n  identifier: one byte 00 is the directory itself, 01 its parent; files end with ";1" as a rule
//	        then a pad byte when n is even, then anything (Rock Ridge, XA)
//
//	Path table record
//	 0   1  length n of the identifier
//	 2   4  LBA of the directory, 6: number of its parent from 1, 16 bits
//	 8   n  identifier, and a pad byte when n is odd
//
// Rock Ridge, extended attributes, El Torito and files of several extents are recognised and not interpreted.
package iso9660

import (
	"encoding/binary"
	"fmt"
	"strings"
	"time"
)

// SectorSize is the length of a logical sector in bytes.
const SectorSize = 2048

const (
	systemSectors     = 16       // of the system area
	recordSize        = 33       // of a directory record without its identifier
	maxRecord         = 254      // a record's length is even and fits one byte
	maxIdentifier     = 221      // so that a record holds it
	maxDirectories    = 65535    // a path table numbers them with 16 bits
	maxDepth          = 64       // directories inside one another that a reader follows
	maxDirectorySize  = 64 << 20 // bytes
	maxEntries        = 1 << 20  // files and directories of one volume that a reader takes
	flagHidden        = 0x01
	flagDirectory     = 0x02
	flagMultiExtent   = 0x80
	typePrimary       = 1
	typeSupplementary = 2
	typeTerminator    = 255
)

var (
	le = binary.LittleEndian
	be = binary.BigEndian
)

// Date is the date of a directory record as it is stored: year - 1900, month, day, hour, minute, second, and the offset
// from GMT in quarters of an hour. All zero means that there is none.
type Date [7]byte

// DateOf gives the date of t as a wall clock in loc shows it, with an offset of zero. A zero t gives no date. Years
// are kept modulo 256.
func DateOf(t time.Time, loc *time.Location) Date {
	if t.IsZero() {
		return Date{}
	}
	t = t.In(loc)
	return Date{byte(t.Year() - 1900), byte(t.Month()), byte(t.Day()), byte(t.Hour()), byte(t.Minute()), byte(t.Second()), 0}
}

// Time gives the moment that the date stands for, or the zero time when it is not a date.
func (d Date) Time() time.Time {
	if d[1] < 1 || d[1] > 12 || d[2] < 1 || d[2] > 31 || d[3] > 23 || d[4] > 59 || d[5] > 59 {
		return time.Time{}
	}
	return time.Date(1900+int(d[0]), time.Month(d[1]), int(d[2]), int(d[3]), int(d[4]), int(d[5]), 0, zone(int8(d[6])))
}

// zone gives the time zone of an offset in quarters of an hour.
func zone(quarters int8) *time.Location {
	if quarters == 0 {
		return time.UTC
	}
	return time.FixedZone("", int(quarters)*15*60)
}

// sectorsOf gives how many sectors n bytes take.
func sectorsOf(n int64) int64 { return (n + SectorSize - 1) / SectorSize }

// put32 stores v in both orders.
func put32(b []byte, v uint32) {
	le.PutUint32(b, v)
	be.PutUint32(b[4:], v)
}

// put16 stores v in both orders.
func put16(b []byte, v uint16) {
	le.PutUint16(b, v)
	be.PutUint16(b[2:], v)
}

// equalFold compares two names ignoring the case of ASCII letters.
func equalFold(a, b string) bool { return len(a) == len(b) && fold(a) == fold(b) }

// fold makes ASCII letters small, and leaves all other bytes alone.
func fold(s string) string {
	for i := range len(s) {
		if c := s[i]; 'A' <= c && c <= 'Z' {
			b := []byte(s)
			for j := i; j < len(b); j++ {
				if 'A' <= b[j] && b[j] <= 'Z' {
					b[j] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

// quote gives a name as it stands in messages, shortened when it is a damaged volume's idea of a name.
func quote(name string) string {
	const most = 200
	if len(name) > most {
		name = strings.ToValidUTF8(name[:most], "") + "…"
	}
	return fmt.Sprintf("%q", name)
}
