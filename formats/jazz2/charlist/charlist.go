// Package charlist reads and writes the character lists that stand beside the grid images of Jazz² Resurrection's fonts: which
// character is in which cell, and how far the pen moves after it. There are two forms with the same content.
//
// # JSON form
//
// The form to edit, in image.png.json. It is an object with
//
//	CellWidth, CellHeight    1 to 65535 pixels, required
//	Columns                  1 to 255 cells in a row of the image, required
//	LineHeight               1 to 65535 pixels; CellHeight when absent
//	BaseSpacing              -32768 to 32767 pixels, added to every advance; 0 when absent
//	AsciiFirst               0 to 255; the first character's code point when that is up to 255, else 0
//	AsciiCount               0 to 255; how far the characters follow each other from AsciiFirst on, at most 255 and up to U+00FF
//	Characters               an array of at least one object, in the order of the cells:
//	  Fallback               true for the glyph that stands for what is missing, whose code point is 0
//	  Char                   a text of one character
//	  Codepoint              0 to 4294967295
//	  Advance                0 to 255 pixels, required
//
// Fallback comes before Char, and Char before Codepoint; one of them is required. Names count with their case, other names are
// passed over, and null is the same as absent. The first AsciiCount characters are AsciiFirst, AsciiFirst + 1 and so on; no code
// point behind U+00FF is among them.
//
// The text may have a byte order mark, comments, trailing commas and repeated names, of which the last counts. Numbers may have
// a leading plus and leading zeros; fractions are cut off; true and false are 1 and 0. A \u escape may be half of a surrogate
// pair. Texts need not be valid UTF-8. A file has 1 byte to 16 MiB, and values are nested 256 deep at most.
//
// # Binary form
//
// In image.png.font; all numbers are little-endian.
//
//	0   1  flags, written as 0 and not looked at
//	1   2  uint16 cell width
//	3   2  uint16 cell height, which is also the line height
//	5   1  columns
//	6   2  int16 base spacing
//	8   1  AsciiFirst
//	9   1  AsciiCount
//	10  n  an advance for each of the AsciiCount characters
//	    4  int32 number of other characters; a negative number is 0
//	    n  for each of them one character in UTF-8, then its advance
//
// A single byte that begins no UTF-8 sequence stands for the fallback glyph, also an ASCII letter. A sequence that is not right
// gives the code point 0xFFFFFFFF. The form cannot hold a line height other than the cell height, characters below U+0080
// outside the range other than the fallback, and code points above U+10FFFF.
package charlist

import (
	"fmt"
	"image"
)

// The limits of a list.
const (
	MaxCell       = 65535 // pixels, width and height of a cell, and the line height
	MaxColumns    = 255
	MinSpacing    = -32768
	MaxSpacing    = 32767
	MaxAdvance    = 255
	MaxRangeCount = 255
	MaxJSON       = 16 << 20 // bytes

	rangeEnd = 256 // code points of the range are below it
	maxDepth = 256
)

// Fallback is the code point of the glyph that stands for characters which a font does not have.
const Fallback = 0

// A Character is a cell of the grid image.
type Character struct {
	Code    uint32 // Unicode code point, or Fallback
	Advance uint8  // pixels that the pen moves, before the base spacing
}

// A List describes a grid image.
type List struct {
	CellWidth, CellHeight int // pixels
	Columns               int // cells in a row of the image
	LineHeight            int // pixels
	BaseSpacing           int // pixels, added to every advance
	ASCIIFirst            int // code point of the first character of the range
	ASCIICount            int // characters in the range; they come first
	Characters            []Character
}

// Place gives the column and row of a character's cell in the grid.
func (l *List) Place(i int) (column, row int) { return i % l.Columns, i / l.Columns }

// Cell gives the pixels of a character's cell in the image.
func (l *List) Cell(i int) image.Rectangle {
	column, row := l.Place(i)
	at := image.Pt(column*l.CellWidth, row*l.CellHeight)
	return image.Rectangle{Min: at, Max: at.Add(image.Pt(l.CellWidth, l.CellHeight))}
}

// Rows says how many rows of cells the characters take.
func (l *List) Rows() int { return (len(l.Characters) + l.Columns - 1) / l.Columns }

// Clone gives a list that shares nothing with l.
func (l *List) Clone() *List {
	c := *l
	c.Characters = append([]Character(nil), l.Characters...)
	return &c
}

// CodeName writes a code point as U+0041.
func CodeName(code uint32) string { return fmt.Sprintf("U+%04X", code) }

// FitRange sets ASCIIFirst and ASCIICount to what a JSON list without them has.
func (l *List) FitRange() {
	l.ASCIIFirst = 0
	if len(l.Characters) > 0 && l.Characters[0].Code < rangeEnd {
		l.ASCIIFirst = int(l.Characters[0].Code)
	}
	l.ASCIICount = l.rangeLength()
}

// rangeLength says how many characters from the first on follow each other from ASCIIFirst on.
func (l *List) rangeLength() int {
	limit := min(MaxRangeCount, rangeEnd-l.ASCIIFirst, len(l.Characters))
	n := 0
	for n < limit && l.Characters[n].Code == uint32(l.ASCIIFirst+n) {
		n++
	}
	return n
}

// Check says whether the JSON form of the list can be read back: all numbers are within their limits, and the range is as it
// has to be. The error is an *Error.
func (l *List) Check() error {
	if err := l.CheckNumbers(); err != nil {
		return err
	}
	if len(l.Characters) == 0 {
		return noCharacters()
	}
	return l.checkRange()
}

// CheckNumbers says whether the numbers of the list are within their limits. Of the range it only asks that it is no longer
// than the list: the binary form allows others. The error is an *Error.
func (l *List) CheckNumbers() error {
	for _, f := range fields {
		if v := int64(*f.in(l)); v < f.min || v > f.max {
			return outOfRange(f.name, -1, v, f.min, f.max)
		}
	}
	return l.checkCount()
}

// A field is a number of the list.
type field struct {
	name     string
	min, max int64
	in       func(*List) *int
}

// fields are in the order in which they are checked.
var fields = [...]field{
	{"CellWidth", 1, MaxCell, func(l *List) *int { return &l.CellWidth }},
	{"CellHeight", 1, MaxCell, func(l *List) *int { return &l.CellHeight }},
	{"Columns", 1, MaxColumns, func(l *List) *int { return &l.Columns }},
	{"LineHeight", 1, MaxCell, func(l *List) *int { return &l.LineHeight }},
	{"BaseSpacing", MinSpacing, MaxSpacing, func(l *List) *int { return &l.BaseSpacing }},
	{"AsciiFirst", 0, rangeEnd - 1, func(l *List) *int { return &l.ASCIIFirst }},
	{"AsciiCount", 0, MaxRangeCount, func(l *List) *int { return &l.ASCIICount }},
}

func (l *List) checkCount() error {
	if l.ASCIICount > len(l.Characters) {
		return damaged(-1, fmt.Sprintf("AsciiCount is %d, but the number of characters is %d", l.ASCIICount, len(l.Characters)),
			"at most that many; without AsciiCount the range is worked out")
	}
	return nil
}

// checkRange looks at the run of characters that come first.
func (l *List) checkRange() error {
	if err := l.checkCount(); err != nil {
		return err
	}
	first := CodeName(uint32(l.ASCIIFirst))
	if l.ASCIIFirst+l.ASCIICount > rangeEnd {
		return damaged(-1, fmt.Sprintf("AsciiCount is %d from %s on, which reaches past U+00FF", l.ASCIICount, first),
			fmt.Sprintf("at most %d", rangeEnd-l.ASCIIFirst))
	}
	if n := l.rangeLength(); n < l.ASCIICount {
		return damaged(n, fmt.Sprintf("the character is %s", CodeName(l.Characters[n].Code)),
			fmt.Sprintf("%s: the range has to come first, one character after another from %s on", CodeName(uint32(l.ASCIIFirst+n)), first))
	}
	return nil
}
