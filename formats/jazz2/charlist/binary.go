package charlist

import (
	"encoding/binary"
	"fmt"
)

// ParseBinary reads the binary form. The error is an *Error that wraps formats.ErrDamaged.
func ParseBinary(data []byte) (*List, error) {
	r := &reader{data: data}
	head := r.take(10, "the header")
	if r.err != nil {
		return nil, r.err
	}
	list := &List{
		CellWidth:   int(binary.LittleEndian.Uint16(head[1:])),
		CellHeight:  int(binary.LittleEndian.Uint16(head[3:])),
		Columns:     int(head[5]),
		BaseSpacing: int(int16(binary.LittleEndian.Uint16(head[6:]))),
		ASCIIFirst:  int(head[8]),
		ASCIICount:  int(head[9]),
	}
	list.LineHeight = list.CellHeight
	for _, f := range fields[:3] {
		if *f.in(list) == 0 {
			return nil, damaged(-1, f.name+" is 0", fmt.Sprintf("%d to %d", f.min, f.max))
		}
	}
	for i, advance := range r.take(list.ASCIICount, "the advances of the range") {
		list.Characters = append(list.Characters, Character{uint32(list.ASCIIFirst + i), advance})
	}
	count := 0
	if c := r.take(4, "the number of other characters"); r.err == nil {
		count = int(int32(binary.LittleEndian.Uint32(c)))
	}
	for i := 0; i < count && r.err == nil; i++ {
		code := r.code()
		if advance := r.take(1, "the advance"); r.err == nil {
			list.Characters = append(list.Characters, Character{code, advance[0]})
		} else {
			r.err.Position = len(list.Characters)
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	return list, nil
}

// reader takes bytes until they end; err stays from then on.
type reader struct {
	data []byte
	at   int
	err  *Error
}

func (r *reader) take(n int, what string) []byte {
	if r.err != nil {
		return nil
	}
	if len(r.data)-r.at < n {
		r.err = damaged(-1, fmt.Sprintf("the file ends at byte %d", len(r.data)), fmt.Sprintf("%s at byte %d", what, r.at))
		return nil
	}
	r.at += n
	return r.data[r.at-n : r.at]
}

// code reads a character. How many bytes belong to it is in its first one, whether they make a character or not.
func (r *reader) code() uint32 {
	first := r.take(1, "a character")
	if r.err != nil {
		return 0
	}
	more := 0
	switch lead := first[0]; {
	case lead&0xF0 == 0xF0:
		more = 3
	case lead&0xE0 == 0xE0:
		more = 2
	case lead&0xC0 == 0xC0:
		more = 1
	default:
		return Fallback
	}
	start := r.at - 1
	if r.take(more, "the rest of a character"); r.err != nil {
		return 0
	}
	code, size := decodeCode(r.data[start:r.at])
	if size != 1+more {
		return notACode
	}
	return code
}

// Binary gives the binary form. A list that has what this form cannot hold (see the package) is written all the same: the
// game's tools keep it beside the JSON form only for programs that know no other.
func (l *List) Binary() []byte {
	out := []byte{0}
	out = binary.LittleEndian.AppendUint16(out, uint16(l.CellWidth))
	out = binary.LittleEndian.AppendUint16(out, uint16(l.CellHeight))
	out = append(out, byte(l.Columns))
	out = binary.LittleEndian.AppendUint16(out, uint16(int16(l.BaseSpacing)))
	out = append(out, byte(l.ASCIIFirst), byte(l.ASCIICount))
	for _, c := range l.Characters[:l.ASCIICount] {
		out = append(out, c.Advance)
	}
	out = binary.LittleEndian.AppendUint32(out, uint32(len(l.Characters)-l.ASCIICount))
	for _, c := range l.Characters[l.ASCIICount:] {
		out = append(appendCode(out, c.Code), c.Advance)
	}
	return out
}
