package disctest

import "encoding/binary"

// CDITrack is a track of a DiscJuggler image.
type CDITrack struct {
	Session    int // from 1
	Mode       uint32
	SectorSize int
	Pregap     uint32
	LBA        uint32
	Sectors    []byte // as they are stored, without the pregap
}

// CDI describes a DiscJuggler image, made by other code than that which is tested.
type CDI struct {
	Version uint32 // 0x80000004, 0x80000005 or 0x80000006
	Long    bool   // headers and tracks have the parts that they need not have
	Tracks  []CDITrack
}

// CDIImage is an image that has been made, and where its structures are.
type CDIImage struct {
	Data       []byte
	Descriptor int   // offset
	Tracks     []int // offsets of the tracks in the descriptor
	Disc       int   // offset of the length of the disc
}

// Build makes the image. Pregaps are of zeros.
func (c CDI) Build() CDIImage {
	le := binary.LittleEndian
	var image CDIImage
	total, sessions := uint32(0), 0
	for _, t := range c.Tracks {
		image.Data = append(image.Data, make([]byte, int(t.Pregap)*t.SectorSize)...)
		image.Data = append(image.Data, t.Sectors...)
		total += t.Pregap + uint32(len(t.Sectors)/t.SectorSize)
		sessions = max(sessions, t.Session)
	}
	image.Descriptor = len(image.Data)
	b := image.Data
	header := func(first bool) {
		if first {
			b = append(b, 0, 0, 0, 0)
		} else {
			b = append(b, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
		}
		mark := "\x00\x00\x01\x00\x00\x00\xFF\xFF\xFF\xFF"
		b = append(b, mark+mark...)
		b = append(b, 0xAB, 0, 0x10, byte(len(c.Tracks)), 4)
		b = append(b, "disc"...)
		b = append(b, make([]byte, 19)...)
		if c.Long {
			b = le.AppendUint32(b, 0x80000000)
			b = le.AppendUint32(le.AppendUint32(b, 360000), 0x980000)
		} else {
			b = le.AppendUint32(b, 0)
		}
	}
	b = le.AppendUint16(b, uint16(sessions))
	for s := 1; s <= sessions; s++ {
		count := 0
		for _, t := range c.Tracks {
			if t.Session == s {
				count++
			}
		}
		b = le.AppendUint16(b, uint16(count))
		for i, t := range c.Tracks {
			if t.Session != s {
				continue
			}
			header(!c.Long)
			at := len(b)
			image.Tracks = append(image.Tracks, at)
			b = append(b, make([]byte, 89)...)
			length := uint32(len(t.Sectors) / t.SectorSize)
			r := b[at:]
			le.PutUint16(r, 2)
			le.PutUint32(r[2:], t.Pregap)
			le.PutUint32(r[6:], length)
			le.PutUint32(r[16:], t.Mode)
			le.PutUint32(r[24:], uint32(s-1))
			le.PutUint32(r[28:], uint32(i))
			le.PutUint32(r[32:], t.LBA)
			le.PutUint32(r[36:], t.Pregap+length)
			le.PutUint32(r[56:], map[int]uint32{2048: 0, 2336: 1, 2352: 2}[t.SectorSize])
			le.PutUint32(r[65:], t.Pregap+length)
			if c.Version != 0x80000004 {
				b = append(b, 0, 0, 0, 0, 0)
				if c.Long {
					b = append(le.AppendUint32(b, 0xFFFFFFFF), make([]byte, 78)...)
				} else {
					b = le.AppendUint32(b, 0)
				}
			}
		}
		b = append(b, make([]byte, 12)...)
		if c.Version != 0x80000004 {
			b = append(b, 0)
		}
	}
	b = append(b, 0, 0)
	header(true)
	image.Disc = len(b)
	b = le.AppendUint32(b, total+4500+6750)
	b = append(b, "names and codes"...)
	b = le.AppendUint32(b, c.Version)
	place := uint32(image.Descriptor)
	if c.Version == 0x80000006 {
		place = uint32(len(b) - image.Descriptor + 4)
	}
	image.Data = le.AppendUint32(b, place)
	return image
}

// Stored gives user data in sectors of another size: 2336 with a subheader and no codes, 2352 with a header, too.
func Stored(data []byte, size int, mode uint32) []byte {
	ahead := map[int]int{2048: 0, 2336: 8, 2352: 24}[size]
	if size == 2352 && mode == 1 {
		ahead = 16
	}
	var b []byte
	for ; len(data) > 0; data = data[SectorSize:] {
		sector := make([]byte, size)
		copy(sector[ahead:], data[:SectorSize])
		b = append(b, sector...)
	}
	return b
}
