// Package font reads and writes the packed bitmap fonts of Jazz² Resurrection, version 2: files that end in .font, with the
// glyphs cut to what they draw, on an atlas of palette indices.
//
// All numbers are little-endian.
//
//	0   8  signature: EF BB BF F0 9F A5 95 20
//	8   1  file type, 9
//	9   1  version, 2
//	10  1  flags, written as 0 and not looked at
//	11  4  int32 length of the block; a negative one reaches to the end of the file
//	15  n  block: raw deflate, without zlib header or checksum
//
// The block holds
//
//	0   2  uint16 atlas width
//	2   2  uint16 atlas height
//	4   2  uint16 line height
//	6   2  int16 base spacing, added to every advance
//	8   1  AsciiFirst, code point of the first glyph of the range
//	9   1  AsciiCount, glyphs in the range
//	10  2  uint16 number of other glyphs
//	12     9 bytes for each glyph of the range, whose code points are AsciiFirst, AsciiFirst + 1 and so on
//	       13 bytes for each of the others: uint32 code point, and the 9 bytes of a glyph
//	       the atlas in the index encoding with one channel (see package index), to the end
//
// A glyph is
//
//	0   2  uint16 x in the atlas
//	2   2  uint16 y
//	4   1  width
//	5   1  height
//	6   1  int8 bearing x: how far the glyph lies right of the pen
//	7   1  int8 bearing y: how far it lies below the top of the line
//	8   1  advance: how far the pen moves
//
// One that draws nothing is 0 but for its advance. Code point 0 is the fallback glyph, which stands for those that a font does
// not have. The order of the other glyphs is that of the character list, and one may be there more than once.
//
// A reader takes what is missing at the end of the block as 0 if the deflate stream ends properly. Bytes behind the block, and
// in the block behind the atlas, are passed over. A glyph has to lie inside the atlas and may not have a negative bearing.
package font

import (
	"fmt"
	"image"
	"unicode/utf8"

	"talebinder/formats/jazz2/charlist"
)

// The limits of the format.
const (
	MaxGlyphSide = 255   // pixels
	MaxBearing   = 127   // pixels
	MaxAdvance   = 255   // pixels
	MaxRange     = 255   // glyphs in the range
	MaxOthers    = 65535 // glyphs outside it

	// MaxAtlasSide is the longest side of an atlas that is read, in pixels. No packer writes one of more than 1024.
	MaxAtlasSide = 16384
	// MinGameFile and MaxGameFile are the sizes in bytes of the files that the game loads.
	MinGameFile, MaxGameFile = 24, 8 << 20
)

// A Font is what a file holds. The first ASCIICount glyphs are the range.
type Font struct {
	LineHeight  int // pixels, 0 to 65535
	BaseSpacing int // pixels, -32768 to 32767
	ASCIIFirst  int // 0 to 255
	ASCIICount  int // 0 to 255
	Glyphs      []Glyph
	Atlas       Atlas

	// MissingPixels is how many pixels at the end of the atlas were not in the file that was read; they are made up. Rows below
	// the last glyph count as well.
	MissingPixels int
}

// A Glyph says where a character is drawn from, and where to. All numbers but the code point are pixels.
type Glyph struct {
	Code               uint32 // Unicode code point, or 0 for the fallback glyph
	X, Y               int    // in the atlas
	Width, Height      int    // both 0 when it draws nothing
	BearingX, BearingY int    // from the pen and from the top of the line
	Advance            int    // before the base spacing
}

// Ink gives the glyph's rectangle in the atlas.
func (g *Glyph) Ink() image.Rectangle { return image.Rect(g.X, g.Y, g.X+g.Width, g.Y+g.Height) }

// An Atlas holds the pixels of all glyphs.
type Atlas struct {
	Width, Height int
	// Pix holds a palette index a pixel, row by row. Of a font that was read it ends with the last row that a glyph touches.
	Pix []byte
}

// Row gives the indices of a glyph's row y.
func (a *Atlas) Row(g *Glyph, y int) []byte {
	if g.Width == 0 {
		return nil
	}
	at := (g.Y+y)*a.Width + g.X
	return a.Pix[at : at+g.Width]
}

// A Face finds glyphs the way the game does.
type Face struct {
	ascii    [utf8.RuneSelf]int32 // index of the glyph, or none
	others   map[uint32]int32
	fallback int32
}

const none = -1

// Face returns the way from characters to glyphs. Of the range only the part below U+0080 counts, and characters below it are
// found nowhere else; of others the last one that is listed counts.
func (f *Font) Face() *Face {
	face := &Face{others: make(map[uint32]int32, len(f.Glyphs)-f.ASCIICount), fallback: none}
	for i := range face.ascii {
		face.ascii[i] = none
	}
	for i := range f.ASCIICount {
		if code := f.ASCIIFirst + i; code < len(face.ascii) {
			face.ascii[code] = int32(i)
		}
	}
	for i := f.ASCIICount; i < len(f.Glyphs); i++ {
		face.others[f.Glyphs[i].Code] = int32(i)
	}
	if i, ok := face.others[charlist.Fallback]; ok {
		face.fallback = i
	}
	return face
}

// Lookup gives the index of the glyph that the game draws for a character. found is false when the font does not have the
// character: the glyph is then the fallback, or -1 when nothing at all is drawn.
func (f *Face) Lookup(r rune) (glyph int, found bool) {
	if r >= 0 && int(r) < len(f.ascii) {
		glyph = int(f.ascii[r])
		return glyph, glyph != none
	}
	if i, ok := f.others[uint32(r)]; ok {
		return int(i), true
	}
	return int(f.fallback), false
}

// Check says whether the format can hold the font. The errors wrap *formats.LimitError or formats.ErrDamaged.
func (f *Font) Check() error {
	for _, l := range []struct {
		what      string
		value     int
		low, high int
	}{
		{"line height", f.LineHeight, 0, 1<<16 - 1},
		{"base spacing", f.BaseSpacing, -1 << 15, 1<<15 - 1},
		{"AsciiFirst", f.ASCIIFirst, 0, 255},
		{"AsciiCount", f.ASCIICount, 0, min(MaxRange, len(f.Glyphs))},
		{"number of glyphs outside the range", len(f.Glyphs) - f.ASCIICount, 0, MaxOthers},
		{"atlas width", f.Atlas.Width, 1, MaxAtlasSide},
		{"atlas height", f.Atlas.Height, 1, MaxAtlasSide},
	} {
		if l.value < l.low || l.value > l.high {
			return outside(l.what, l.value, l.low, l.high)
		}
	}
	for i := range f.Glyphs {
		g := &f.Glyphs[i]
		for _, l := range []struct {
			what        string
			value, high int
		}{
			{"x", g.X, f.Atlas.Width - g.Width}, {"y", g.Y, f.Atlas.Height - g.Height},
			{"width", g.Width, MaxGlyphSide}, {"height", g.Height, MaxGlyphSide},
			{"bearing x", g.BearingX, MaxBearing}, {"bearing y", g.BearingY, MaxBearing}, {"advance", g.Advance, MaxAdvance},
		} {
			if l.value < 0 || l.value > l.high {
				return fmt.Errorf("glyph %d (%s): %w", i, charlist.CodeName(g.Code), outside(l.what, l.value, 0, l.high))
			}
		}
	}
	return nil
}
