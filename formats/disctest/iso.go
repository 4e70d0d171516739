package disctest

import (
	"encoding/binary"
	"path"
	"slices"
	"strings"
)

// SectorSize is the length of a logical sector in bytes.
const SectorSize = 2048

// File is a file or a directory of an image that is made for a test.
type File struct {
	Path    string // names separated by slashes; the directories ahead of what is in them
	Dir     bool
	Content []byte
	Flags   byte // besides that of directories
}

// ISO describes a small ISO 9660 volume, made by other code than that which is tested. Every directory fits one sector.
type ISO struct {
	Base      uint32 // LBA of the first sector
	System    []byte // start of the system area
	Joliet    bool
	RockRidge bool // the root announces it, nothing more
	ElTorito  bool // there is a boot record
	Files     []File
	RunOut    int // sectors behind the volume, of FF bytes
}

// Image is a volume that has been made, and where its structures are.
type Image struct {
	Data    []byte
	Plain   map[string]int // path to the offset of the directory record; "" is the root's in the descriptor
	Joliet  map[string]int
	Primary int // offset of the descriptor
	Second  int // the Joliet one's
}

// Date is the date of all records: 2004-05-06 07:08:09, two hours ahead of GMT.
var Date = [7]byte{104, 5, 6, 7, 8, 9, 8}

type extent struct{ sector, size int }

// Build makes the volume.
func (v ISO) Build() Image {
	hierarchies := 1
	if v.Joliet {
		hierarchies = 2
	}
	boot := 0
	if v.ElTorito {
		boot = 1
	}
	dirs := []string{""}
	for _, f := range v.Files {
		if f.Dir {
			dirs = append(dirs, f.Path)
		}
	}
	next := 16 + hierarchies + boot + 1
	tables := next
	next += 2 * hierarchies
	places := make([]map[string]extent, hierarchies)
	for h := range places {
		places[h] = make(map[string]extent)
		for _, d := range dirs {
			places[h][d] = extent{next, SectorSize}
			next++
		}
	}
	for _, f := range v.Files {
		if f.Dir {
			continue
		}
		for h := range places {
			places[h][f.Path] = extent{next, len(f.Content)}
		}
		next += (len(f.Content) + SectorSize - 1) / SectorSize
	}
	image := Image{Data: make([]byte, next*SectorSize), Plain: make(map[string]int), Joliet: make(map[string]int), Primary: 16 * SectorSize}
	copy(image.Data, v.System)
	for _, f := range v.Files {
		copy(image.Data[places[0][f.Path].sector*SectorSize:], f.Content)
	}
	if v.ElTorito {
		copy(image.Data[17*SectorSize:], "\x00CD001\x01EL TORITO SPECIFICATION")
	}
	copy(image.Data[(tables-1)*SectorSize:], "\xFFCD001\x01")
	for h := range hierarchies {
		at, records := 16*SectorSize, image.Plain
		if h == 1 {
			at, records = (17+boot)*SectorSize, image.Joliet
			image.Second = at
		}
		v.descriptor(image.Data[at:][:SectorSize], h, next, tables+2*h, places[h])
		records[""] = at + 156
		v.pathTables(image.Data[(tables+2*h)*SectorSize:], h, dirs, places[h])
		for _, d := range dirs {
			v.directory(image.Data, h, d, places[h], records)
		}
	}
	for range v.RunOut * SectorSize {
		image.Data = append(image.Data, 0xFF)
	}
	return image
}

func both32(b []byte, n int) {
	binary.LittleEndian.PutUint32(b, uint32(n))
	binary.BigEndian.PutUint32(b[4:], uint32(n))
}

func (v ISO) record(b []byte, identifier string, e extent, flags byte) int {
	n := 33 + len(identifier)
	n += n % 2
	b[0] = byte(n)
	both32(b[2:], e.sector+int(v.Base))
	both32(b[10:], e.size)
	copy(b[18:], Date[:])
	b[25] = flags
	b[28], b[31] = 1, 1
	b[32] = byte(len(identifier))
	copy(b[33:], identifier)
	return n
}

func identifier(name string, dir bool, h int) string {
	if !dir {
		name += ";1"
	}
	if h == 0 {
		return strings.ToUpper(name)
	}
	var b []byte
	for _, r := range name {
		b = append(b, byte(r>>8), byte(r))
	}
	return string(b)
}

func (v ISO) descriptor(b []byte, h, sectors, table int, places map[string]extent) {
	copy(b, "\x01CD001\x01")
	fill := func(at, n int, text string) {
		for i := range n {
			switch {
			case h == 0 && i < len(text):
				b[at+i] = text[i]
			case h == 0:
				b[at+i] = ' '
			case i%2 == 1 && i/2 < len(text):
				b[at+i] = text[i/2]
			case i%2 == 1 || i == n-1:
				b[at+i] = ' '
			}
		}
	}
	if h == 1 {
		b[0] = 2
		copy(b[88:], "%/E")
	}
	fill(8, 32, "SYSTEM")
	fill(40, 32, "VOLUME")
	fill(190, 128, "SET")
	fill(318, 128, "PUBLISHER")
	fill(446, 128, "PREPARER")
	fill(574, 128, "APPLICATION")
	for _, at := range []int{702, 739, 776} {
		fill(at, 37, "")
	}
	both32(b[80:], sectors)
	for at, n := range map[int]byte{120: 1, 124: 1} {
		b[at], b[at+3] = n, n
	}
	b[129], b[130] = 8, 8
	both32(b[132:], 10)
	binary.LittleEndian.PutUint32(b[140:], v.Base+uint32(table))
	binary.BigEndian.PutUint32(b[148:], v.Base+uint32(table)+1)
	v.record(b[156:], "\x00", places[""], 2)
	copy(b[813:], "2004050607080900\x08")
	copy(b[830:], "2004050607080900\x08")
	copy(b[847:], strings.Repeat("0", 16))
	copy(b[864:], strings.Repeat("0", 16))
	b[881] = 1
}

func (v ISO) pathTables(b []byte, h int, dirs []string, places map[string]extent) {
	at := 0
	for _, d := range dirs {
		id, parent := identifier(path.Base(d), true, h), 1
		if d == "" {
			id = "\x00"
		} else if p := path.Dir(d); p != "." {
			parent = slices.Index(dirs, p) + 1
		}
		lba := v.Base + uint32(places[d].sector)
		b[at], b[SectorSize+at] = byte(len(id)), byte(len(id))
		binary.LittleEndian.PutUint32(b[at+2:], lba)
		binary.BigEndian.PutUint32(b[SectorSize+at+2:], lba)
		b[at+6], b[SectorSize+at+7] = byte(parent), byte(parent)
		copy(b[at+8:], id)
		copy(b[SectorSize+at+8:], id)
		at += 8 + len(id) + len(id)%2
	}
}

func (v ISO) directory(data []byte, h int, dir string, places map[string]extent, records map[string]int) {
	start := places[dir].sector * SectorSize
	b := data[start:][:SectorSize]
	parent := places[""]
	if p := path.Dir(dir); dir != "" && p != "." {
		parent = places[p]
	}
	at := v.record(b, "\x00", places[dir], 2)
	if v.RockRidge && dir == "" && h == 0 {
		copy(b[at:], "SP\x07\x01\xBE\xEF\x00\x00")
		at += 8
		b[0] = byte(at)
	}
	at += v.record(b[at:], "\x01", parent, 2)
	for _, f := range v.Files {
		in := path.Dir(f.Path)
		if in == "." {
			in = ""
		}
		if in != dir {
			continue
		}
		flags := f.Flags
		if f.Dir {
			flags |= 2
		}
		records[f.Path] = start + at
		at += v.record(b[at:], identifier(path.Base(f.Path), f.Dir, h), places[f.Path], flags)
	}
}
