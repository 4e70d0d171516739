package fonts

import (
	"fmt"
	"image"
	"math"

	"talebinder/formats"
	"talebinder/formats/jazz2/charlist"
	"talebinder/formats/jazz2/font"
	"talebinder/formats/jazz2/picture"
)

// A Grid is a font laid out again as the image and the list that it can be packed from. Packing them gives the same font.
type Grid struct {
	List          *charlist.List
	Width, Height int // of the image in pixels

	font *font.Font
}

// NewGrid lays a font out. The cells are as large as the glyphs need, and about as many side by side as make the image square.
// The error is an *Error of kind GridSize for an image that could not be read again.
func NewGrid(f *font.Font) (*Grid, error) {
	width, height := 1, max(1, f.LineHeight)
	for i := range f.Glyphs {
		g := &f.Glyphs[i]
		width = max(width, g.BearingX+g.Width, g.Advance)
		height = max(height, g.BearingY+g.Height)
	}
	n := len(f.Glyphs)
	columns := math.Round(math.Sqrt(float64(n) * float64(height) / float64(width)))
	list := &charlist.List{
		CellWidth: width, CellHeight: height, Columns: int(min(max(columns, 1), charlist.MaxColumns)),
		LineHeight: f.LineHeight, BaseSpacing: f.BaseSpacing, ASCIIFirst: f.ASCIIFirst, ASCIICount: f.ASCIICount,
		Characters: make([]charlist.Character, n),
	}
	for i := range f.Glyphs {
		list.Characters[i] = charlist.Character{Code: f.Glyphs[i].Code, Advance: uint8(f.Glyphs[i].Advance)}
	}
	g := &Grid{List: list, Width: list.Columns * width, Height: list.Rows() * height, font: f}
	if g.Width > picture.MaxSide || g.Height > picture.MaxSide {
		return nil, &Error{Kind: GridSize, Glyph: -1, Err: fmt.Errorf("the grid image would be %dx%d pixels: %w: %w", g.Width, g.Height, formats.ErrDamaged,
			&formats.LimitError{What: "its longer side", Value: int64(max(g.Width, g.Height)), Max: picture.MaxSide, Unit: "pixels"})}
	}
	return g, nil
}

// Row writes row y of the image to dst, four bytes a pixel: the index as red, green and blue, and alpha 255 where it is not 0.
func (g *Grid) Row(y int, dst []byte) {
	clear(dst)
	row, y := y/g.List.CellHeight, y%g.List.CellHeight
	for column := range g.List.Columns {
		i := row*g.List.Columns + column
		if i >= len(g.font.Glyphs) {
			return
		}
		glyph := &g.font.Glyphs[i]
		if y < glyph.BearingY || y >= glyph.BearingY+glyph.Height {
			continue
		}
		at := 4 * (column*g.List.CellWidth + glyph.BearingX)
		for _, index := range g.font.Atlas.Row(glyph, y-glyph.BearingY) {
			if index != 0 {
				dst[at], dst[at+1], dst[at+2], dst[at+3] = index, index, index, 255
			}
			at += 4
		}
	}
}

// Image gives the whole image.
func (g *Grid) Image() *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, g.Width, g.Height))
	for y := range g.Height {
		g.Row(y, m.Pix[y*m.Stride:][:m.Stride])
	}
	return m
}
