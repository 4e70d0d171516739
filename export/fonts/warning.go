package fonts

import (
	"fmt"
	"image"
	"slices"

	"talebinder/formats/jazz2/charlist"
	"talebinder/formats/jazz2/font"
	"talebinder/formats/jazz2/palette"
	"talebinder/formats/jazz2/rectpack"
)

// Kind is what a warning is about.
type Kind uint8

// The kinds of warnings.
const (
	RangePastASCII    Kind = iota // of the list: the range reaches past U+007F
	OutsideRange                  // of the list: a character below U+0080 is not in the range
	Duplicate                     // of the list: a character is there more than once
	TransparentPixels             // of the image: see Transparent
	PartialPixels                 // of the image: see Partial
	PageLine                      // of the atlas: a glyph lies on two pages
	InexactColors                 // of an image: colours that are not in the palette
	AtlasShort                    // of a font: pixels of the atlas are missing in the file
)

// A Warning is something that a person should know, though the work was done.
type Warning struct {
	Kind  Kind
	Glyph int         // index in the list, or -1 when no single one is meant
	Code  uint32      // the character that is meant: the last of the range, the one outside it, or the duplicate
	Count int         // pixels, glyphs, or how often a character is there
	Size  image.Point // of PageLine: the atlas
	Value int         // of InexactColors: the largest distance, see palette.Inexact
	Spots []Spot      // where it is, glyph by glyph
}

// A Spot is a place that a warning is about.
type Spot struct {
	Glyph int             // index in the list, or -1 for what is in no cell
	Rect  image.Rectangle // in pixels of the grid image; of PageLine, of the atlas
	Count int             // pixels inside Rect that are meant
}

// String gives the warning as a sentence without the name of the file that it is about.
func (w Warning) String() string {
	name := charlist.CodeName(w.Code)
	switch w.Kind {
	case RangePastASCII:
		return fmt.Sprintf("The range reaches up to %s, but the game keeps only its part below U+0080. Let it end there, and list the characters behind it.", name)
	case OutsideRange:
		return fmt.Sprintf("%s is listed outside the range, where the game does not look for it. Let AsciiFirst and AsciiCount cover it.", name)
	case Duplicate:
		return fmt.Sprintf("%s is listed more than once; the game uses the last one.", name)
	case TransparentPixels:
		return fmt.Sprintf("%d %s a palette index without alpha, or alpha without a palette index. Nothing is drawn there.", w.Count, pixelsHave(w.Count))
	case PartialPixels:
		return fmt.Sprintf("%d %s covered in part. A font knows no coverage: they are drawn in full.", w.Count, pixelsAre(w.Count))
	case PageLine:
		return fmt.Sprintf("Glyphs lie across a line between pages of %d pixels on the atlas of %dx%d. The PSP, which draws from one page at a time, shows them cut.",
			rectpack.Page, w.Size.X, w.Size.Y)
	case InexactColors:
		return fmt.Sprintf("The colours of %d %s not in the palette. The nearest ones stand in for them, at a distance of up to %d.", w.Count, pixelsAre(w.Count), w.Value)
	}
	return fmt.Sprintf("The atlas ends too early. The last %d %s made up.", w.Count, pixelsAre(w.Count))
}

func pixelsAre(n int) string {
	if n == 1 {
		return "pixel is"
	}
	return "pixels are"
}

func pixelsHave(n int) string {
	if n == 1 {
		return "pixel has"
	}
	return "pixels have"
}

// CheckList tells what the game will not do as a list says it.
func CheckList(list *charlist.List) []Warning {
	var all []Warning
	const end = 0x80 // of the range, as far as the game keeps it
	if last := list.ASCIIFirst + list.ASCIICount - 1; list.ASCIICount > 0 && last >= end {
		w := Warning{Kind: RangePastASCII, Glyph: list.ASCIICount - 1, Code: uint32(last), Count: min(last+1-end, list.ASCIICount)}
		for i := list.ASCIICount - w.Count; i < list.ASCIICount; i++ {
			w.Spots = append(w.Spots, Spot{Glyph: i, Rect: list.Cell(i)})
		}
		all = append(all, w)
	}
	places := make(map[uint32]int, len(list.Characters))
	var repeated []uint32
	for i, c := range list.Characters {
		if i >= list.ASCIICount && c.Code != charlist.Fallback && c.Code < end {
			all = append(all, Warning{Kind: OutsideRange, Glyph: i, Code: c.Code, Count: 1, Spots: []Spot{{Glyph: i, Rect: list.Cell(i)}}})
		}
		if places[c.Code]++; places[c.Code] == 2 {
			repeated = append(repeated, c.Code)
		}
	}
	if len(repeated) == 0 {
		return all
	}
	slices.Sort(repeated)
	spots := make(map[uint32][]Spot, len(repeated))
	for i, c := range list.Characters {
		if places[c.Code] > 1 {
			spots[c.Code] = append(spots[c.Code], Spot{Glyph: i, Rect: list.Cell(i)})
		}
	}
	for _, code := range repeated {
		at := spots[code]
		all = append(all, Warning{Kind: Duplicate, Glyph: at[len(at)-1].Glyph, Code: code, Count: len(at), Spots: at})
	}
	return all
}

// FontWarnings tells what is missing in a font that was read.
func FontWarnings(f *font.Font) []Warning {
	if f.MissingPixels == 0 {
		return nil
	}
	return []Warning{{Kind: AtlasShort, Glyph: -1, Count: f.MissingPixels}}
}

// ColorWarnings tells about colours that are not in the palette.
func ColorWarnings(x palette.Inexact) []Warning {
	if x.Pixels == 0 {
		return nil
	}
	return []Warning{{Kind: InexactColors, Glyph: -1, Count: x.Pixels, Value: x.Distance()}}
}

// ErrorKind is what an error is about.
type ErrorKind uint8

// The kinds of errors.
const (
	TooMany      ErrorKind = iota // more characters outside the range than the format counts
	GlyphSize                     // a glyph is larger than the format allows
	GlyphBearing                  // a glyph lies further from the corner of its cell than the format allows
	NoInk                         // no glyph draws anything
	AtlasFull                     // the glyphs have no room on the largest atlas
	GridSize                      // the grid image of a font would be larger than can be read again
)

// An Error says why a font cannot be packed or unpacked. It wraps a *formats.LimitError, formats.ErrDamaged or
// rectpack.ErrDoesNotFit.
type Error struct {
	Kind  ErrorKind
	Glyph int             // index in the list, or -1
	Code  uint32          // of the glyph
	Rect  image.Rectangle // of the glyph, in pixels of the grid image
	Err   error
}

// Error says what is wrong; the name of the file is for the caller to add.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap gives the reason.
func (e *Error) Unwrap() error { return e.Err }
