package netbundle

import "encoding/binary"

// Patch is a change of a few bytes at a place of a file.
type Patch struct {
	Offset int64 // in the file before anything has moved
	Data   []byte
}

// Shift gives the changes that a bundle needs when everything from Start to End moves by delta bytes, a multiple of
// Alignment. The first one is in the host, which does not move; the others are in the header and move with it.
func (b *Bundle) Shift(delta int64) []Patch {
	moved := func(at, value int64) Patch {
		return Patch{Offset: at, Data: binary.LittleEndian.AppendUint64(nil, uint64(value+delta))}
	}
	patches := []Patch{moved(b.Marker, b.Header)}
	for _, l := range []Location{b.DepsJSON, b.RuntimeConfig} {
		if l.Offset != 0 {
			patches = append(patches, moved(l.field, l.Offset))
		}
	}
	for _, e := range b.Entries {
		patches = append(patches, moved(e.field, e.Offset))
	}
	return patches
}
