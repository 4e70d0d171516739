package iso9660

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"talebinder/formats"
)

// Descriptor is what a primary or a Joliet volume descriptor says. Texts are without the spaces that fill them up.
type Descriptor struct {
	SystemID, VolumeID                             string
	VolumeSetID, PublisherID, PreparerID           string
	ApplicationID                                  string
	CopyrightFile, AbstractFile, BibliographicFile string
	Created, Modified, Expires, Effective          time.Time // zero: not given
	Sectors                                        uint32    // of the volume
	PathTableSize                                  uint32    // in bytes
	PathTable, PathTableBig                        uint32    // LBA of the little-endian and of the big-endian path table
	sector                                         uint32    // where the descriptor is, from the start of the track
	rootLBA, rootSize                              uint32
	rootDate                                       Date
	raw                                            [SectorSize]byte
}

// Volume is an ISO 9660 volume whose descriptors have been read. All methods may be called from many goroutines at once.
type Volume struct {
	Primary  *Descriptor
	Joliet   *Descriptor // nil: the volume has no Joliet names
	Base     uint32      // LBA of the first sector of the track
	Sectors  uint32      // of the track; those behind Primary.Sectors do not belong to the volume
	ElTorito bool        // there is a boot record for PCs

	r      io.ReaderAt
	offset func(int64) int64 // of a byte of the track, in the file
}

// placer is what a reader implements whose bytes stand elsewhere in the file that a person knows.
type placer interface{ FileOffset(int64) int64 }

// NewVolume reads the volume descriptors of a track of 2048-byte sectors. The track is size bytes long, and its first
// sector has the address base; a part of a sector at the end is ignored. Nothing but the descriptors is read.
//
// A track without a volume, or with a damaged descriptor, gives a *formats.Fault. When r has a method FileOffset(int64)
// int64, faults name the offsets that it gives for bytes of the track.
func NewVolume(r io.ReaderAt, size int64, base uint32) (*Volume, error) {
	v := &Volume{Base: base, r: r, offset: func(offset int64) int64 { return offset }}
	if p, ok := r.(placer); ok {
		v.offset = p.FileOffset
	}
	sectors := size / SectorSize
	if sectors <= systemSectors {
		return nil, formats.Damaged("volume", -1, fmt.Sprintf("%d sectors of %d bytes", max(sectors, 0), SectorSize),
			fmt.Sprintf("at least %d: the image is cut off, or is no ISO 9660 volume", systemSectors+1))
	}
	if last := int64(1)<<32 - 1 - int64(base); sectors > last {
		return nil, &formats.LimitError{What: "track length", Value: sectors, Max: last, Unit: "sectors"}
	}
	v.Sectors = uint32(sectors)
	sector := make([]byte, SectorSize)
	if err := v.readSector(systemSectors, sector); err != nil {
		return nil, err
	}
	if sector[0] != typePrimary || string(sector[1:6]) != "CD001" {
		return nil, formats.Damaged("primary volume descriptor", v.at(systemSectors, 0), fmt.Sprintf("% X", sector[:6]),
			`01 "CD001": this is no ISO 9660 volume`)
	}
	v.Primary = newDescriptor(systemSectors, sector, false)
	for n := uint32(systemSectors + 1); n < systemSectors+4 && n < v.Sectors; n++ {
		if err := v.readSector(n, sector); err != nil {
			return nil, err
		}
		if sector[0] == typeTerminator {
			break
		}
		if string(sector[1:6]) != "CD001" {
			continue
		}
		if sector[0] == 0 && strings.HasPrefix(string(sector[7:39]), "EL TORITO SPECIFICATION") {
			v.ElTorito = true
		}
		if sector[0] == typeSupplementary && isJoliet(sector) {
			v.Joliet = newDescriptor(n, sector, true)
			break
		}
	}
	if d, _ := v.hierarchy(); d.rootLBA == 0 || d.rootSize == 0 {
		return nil, formats.Damaged("root directory record", v.at(d.sector, 156), fmt.Sprintf("%d bytes at sector %d", d.rootSize, d.rootLBA), "a directory")
	}
	return v, nil
}

func isJoliet(sector []byte) bool {
	escape := string(sector[88:91])
	return escape == "%/@" || escape == "%/C" || escape == "%/E"
}

func newDescriptor(n uint32, sector []byte, joliet bool) *Descriptor {
	text := func(at, n int) string {
		if joliet {
			return strings.TrimRight(decodeUCS2(sector[at:at+n&^1]), " \x00")
		}
		return strings.TrimRight(string(sector[at:at+n]), " \x00")
	}
	d := &Descriptor{
		sector:   n,
		SystemID: text(8, 32), VolumeID: text(40, 32),
		VolumeSetID: text(190, 128), PublisherID: text(318, 128), PreparerID: text(446, 128), ApplicationID: text(574, 128),
		CopyrightFile: text(702, 37), AbstractFile: text(739, 37), BibliographicFile: text(776, 37),
		Created: longDate(sector[813:]), Modified: longDate(sector[830:]), Expires: longDate(sector[847:]), Effective: longDate(sector[864:]),
		Sectors:       le.Uint32(sector[80:]),
		PathTableSize: le.Uint32(sector[132:]),
		PathTable:     le.Uint32(sector[140:]),
		PathTableBig:  be.Uint32(sector[148:]),
		rootLBA:       le.Uint32(sector[158:]),
		rootSize:      le.Uint32(sector[166:]),
		rootDate:      Date(sector[174:181]),
	}
	copy(d.raw[:], sector)
	return d
}

// longDate reads a date of a volume descriptor: 16 digits down to hundredths of a second, and the offset from GMT.
func longDate(b []byte) time.Time {
	var n [7]int
	for i, at := range []int{0, 4, 6, 8, 10, 12, 14, 16} {
		if i == len(n) {
			break
		}
		next := []int{4, 6, 8, 10, 12, 14, 16}[i]
		v, err := strconv.ParseUint(string(b[at:next]), 10, 16)
		if err != nil {
			return time.Time{}
		}
		n[i] = int(v)
	}
	if n[1] < 1 || n[1] > 12 || n[2] < 1 || n[2] > 31 || n[3] > 23 || n[4] > 59 || n[5] > 59 {
		return time.Time{}
	}
	return time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], n[6]*int(10*time.Millisecond), zone(int8(b[16])))
}

// decodeUCS2 gives big-endian UCS-2 as text. Pairs of surrogates, which UCS-2 does not have, are taken as UTF-16.
func decodeUCS2(b []byte) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = be.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units))
}

// readSector reads a sector of the track, counted from its start.
func (v *Volume) readSector(n uint32, sector []byte) error {
	if _, err := io.ReadFull(io.NewSectionReader(v.r, int64(n)*SectorSize, SectorSize), sector); err != nil {
		return fmt.Errorf("sector %d: %w", v.Base+n, err)
	}
	return nil
}

// at gives the offset in the file of a byte in a sector of the track.
func (v *Volume) at(sector uint32, offset int64) int64 {
	return v.offset(int64(sector)*SectorSize + offset)
}

// inside says whether n bytes from an address lie in the track.
func (v *Volume) inside(lba uint32, n int64) bool {
	return lba >= v.Base && int64(lba-v.Base)+sectorsOf(n) <= int64(v.Sectors)
}

// SystemArea gives the 32768 bytes ahead of the descriptors.
func (v *Volume) SystemArea() *io.SectionReader {
	return io.NewSectionReader(v.r, 0, systemSectors*SectorSize)
}
