package coverage

import (
	"bytes"
	"fmt"
	"image"
	"slices"
	"unicode"

	"talebinder/formats"
	"talebinder/formats/jazz2/charlist"
	"talebinder/formats/jazz2/font"
	"talebinder/formats/jazz2/picture"
	"talebinder/formats/jsondoc"
)

// A Cell is one that was added to a list.
type Cell struct {
	Index   int // in the list
	Code    rune
	Advance uint8
	Rect    image.Rectangle // in pixels of the image
}

// A Skipped character got no cell.
type Skipped struct {
	Code   rune
	Reason string
}

// Cells are new cells at the end of a list. Those that are there already keep their places.
type Cells struct {
	List    *charlist.List // with the new ones
	Added   []Cell
	Skipped []Skipped
}

// AddCells plans cells for characters, in the order of their code points. The pen moves after each as far as after the letter that it
// is built on, or else as far as after most characters. The list stays as it is.
func AddCells(list *charlist.List, characters []rune) *Cells {
	c := &Cells{List: list.Clone()}
	advances := map[rune]uint8{}
	for _, old := range list.Characters {
		advances[rune(old.Code)] = old.Advance
	}
	usual := usualAdvance(list)
	wanted := slices.Clone(characters)
	slices.Sort(wanted)
	for _, r := range slices.Compact(wanted) {
		_, listed := advances[r]
		if reason := c.refuses(r, listed); reason != "" {
			c.Skipped = append(c.Skipped, Skipped{r, reason})
			continue
		}
		advance, ok := advances[base(r)]
		if !ok {
			advance = usual
		}
		index := len(c.List.Characters)
		if r < 0x80 {
			c.List.ASCIICount++
		}
		c.List.Characters = append(c.List.Characters, charlist.Character{Code: uint32(r), Advance: advance})
		c.Added = append(c.Added, Cell{index, r, advance, c.List.Cell(index)})
	}
	return c
}

// refuses says why a character gets no cell, or "".
func (c *Cells) refuses(r rune, listed bool) string {
	l := c.List
	switch {
	case r == charlist.Fallback || unicode.IsControl(r):
		return "control characters are not drawn"
	case listed && r < 0x80 && !(int(r) >= l.ASCIIFirst && int(r) < l.ASCIIFirst+l.ASCIICount):
		return "it has a cell outside the range of the first characters, where the game does not look"
	case listed:
		return "it has a cell already"
	case r < 0x80 && (len(l.Characters) != l.ASCIICount || int(r) != l.ASCIIFirst+l.ASCIICount || l.ASCIICount == charlist.MaxRangeCount):
		return "characters below U+0080 have to be in the range at the beginning of the list, where a new cell would move those behind it"
	case len(l.Characters)-l.ASCIICount >= font.MaxOthers:
		return fmt.Sprintf("a font has at most %d characters outside the range", font.MaxOthers)
	}
	return ""
}

// usualAdvance is the median of those that are not 0.
func usualAdvance(l *charlist.List) uint8 {
	var all []uint8
	for _, c := range l.Characters {
		if c.Advance > 0 {
			all = append(all, c.Advance)
		}
	}
	if len(all) == 0 {
		return uint8(min(l.CellWidth, charlist.MaxAdvance))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// JSON puts the new cells into the text of the list in its JSON form. All else in the text stays byte for byte, unless it is written
// in a way that can only be read (numbers with leading zeros and the like): lossless is false then, and the list is written anew.
func (c *Cells) JSON(text []byte) (changed []byte, lossless bool, err error) {
	doc, err := jsondoc.ParseOptions(text, jsondoc.Options{MaxDepth: 256})
	if err != nil {
		return c.List.JSON(), false, c.List.Check()
	}
	raws := make([][]byte, len(c.Added))
	for i, cell := range c.Added {
		raws[i] = fmt.Appendf(nil, `{ %s, "Advance": %d }`, named(cell.Code), cell.Advance)
	}
	if len(raws) > 0 {
		characters := doc.Root().Get("Characters")
		if doc, err = doc.Apply(characters.InsertItems(characters.Len(), raws...)); err != nil {
			return nil, false, err
		}
	}
	got, err := charlist.ParseJSON(doc.Text())
	if err == nil && got.ASCIICount != c.List.ASCIICount {
		order := []string{"CellWidth", "CellHeight", "Columns", "LineHeight", "BaseSpacing", "AsciiFirst", "AsciiCount", "Characters"}
		if doc, err = doc.Apply(doc.Root().SetMember("AsciiCount", fmt.Append(nil, c.List.ASCIICount), order)); err != nil {
			return nil, false, err
		}
		_, err = charlist.ParseJSON(doc.Text())
	}
	return doc.Text(), true, err
}

// named writes the member that names a character, as the game's tool does.
func named(r rune) string {
	switch {
	case r < 0x20 || r >= 0x7f && r < 0xa0 || r >= 0xd800 && r < 0xe000:
		return fmt.Sprintf(`"Codepoint": %d`, r)
	case r == '"' || r == '\\':
		return `"Char": "\` + string(r) + `"`
	}
	return `"Char": "` + string(r) + `"`
}

// Grow gives an image with room for all cells of a list: the rows and columns that are missing are transparent, all else stays in its
// place. It gives sheet itself when there is room enough. The error is a *formats.LimitError.
func Grow(sheet *image.NRGBA, l *charlist.List) (*image.NRGBA, error) {
	size := sheet.Rect.Size()
	width, height := size.X, size.Y
	if last := min(len(l.Characters), l.Columns); last > 0 {
		width, height = max(width, last*l.CellWidth), max(height, l.Rows()*l.CellHeight)
	}
	if width == size.X && height == size.Y {
		return sheet, nil
	}
	for _, side := range []struct {
		what  string
		value int
	}{{"the width of the grid image", width}, {"the height of the grid image", height}} {
		if side.value > picture.MaxSide {
			return nil, &formats.LimitError{What: side.what, Value: int64(side.value), Max: picture.MaxSide, Unit: "pixels"}
		}
	}
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range size.Y {
		copy(m.Pix[y*m.Stride:], sheet.Pix[y*sheet.Stride:][:4*size.X])
	}
	return m, nil
}

// PNG writes an image.
func PNG(m *image.NRGBA) ([]byte, error) {
	var b bytes.Buffer
	err := picture.Write(&b, m)
	return b.Bytes(), err
}
