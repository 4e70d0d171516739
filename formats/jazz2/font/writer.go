package font

import (
	"bytes"
	"compress/flate"
	"encoding/binary"

	"talebinder/formats/jazz2/index"
)

// Payload gives the block before it is compressed. Two fonts are the same for the game when their payloads are. The errors are
// those of [Font.Check].
func (f *Font) Payload() ([]byte, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	out := make([]byte, 0, fieldsSize+(glyphSize+4)*len(f.Glyphs)+len(f.Atlas.Pix)/2)
	for _, v := range []int{f.Atlas.Width, f.Atlas.Height, f.LineHeight, f.BaseSpacing} {
		out = binary.LittleEndian.AppendUint16(out, uint16(v))
	}
	out = append(out, byte(f.ASCIIFirst), byte(f.ASCIICount))
	out = binary.LittleEndian.AppendUint16(out, uint16(len(f.Glyphs)-f.ASCIICount))
	for i, g := range f.Glyphs {
		if i >= f.ASCIICount {
			out = binary.LittleEndian.AppendUint32(out, g.Code)
		}
		out = binary.LittleEndian.AppendUint16(out, uint16(g.X))
		out = binary.LittleEndian.AppendUint16(out, uint16(g.Y))
		out = append(out, byte(g.Width), byte(g.Height), byte(g.BearingX), byte(g.BearingY), byte(g.Advance))
	}
	pixels := f.Atlas.Pix
	if missing := f.Atlas.Width*f.Atlas.Height - len(pixels); missing > 0 {
		pixels = append(bytes.Clone(pixels), make([]byte, missing)...)
	}
	return index.Append(out, pixels, 1), nil
}

// File gives the font as a file. The errors are those of [Font.Check].
func (f *Font) File() ([]byte, error) {
	payload, err := f.Payload()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.WriteString(signature)
	out.Write([]byte{fileType, version, 0, 0, 0, 0, 0})
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(payload); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	file := out.Bytes()
	binary.LittleEndian.PutUint32(file[11:], uint32(len(file)-headerSize))
	return file, nil
}
