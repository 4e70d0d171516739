// Package fonts turns grid images with their character lists into packed fonts and back, in memory.
//
// [Pack] cuts every glyph down to the pixels it draws, places the glyphs on an atlas, and says what it noticed on the way as
// values with their places, so that a window can show them. [NewGrid] is the way back. Nothing here reads or writes files.
package fonts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"slices"

	"talebinder/formats"
	"talebinder/formats/jazz2/charlist"
	"talebinder/formats/jazz2/font"
	"talebinder/formats/jazz2/rectpack"
)

// Margin is how many pixels of the atlas are left free on each side of a glyph. Neighbours are two of them apart, enough that a
// smoothed sample at the edge of one does not reach the next.
const Margin = 1

// Packed is what came of packing a grid image.
type Packed struct {
	Font     *font.Font        // nil when it failed
	Ink      []image.Rectangle // for each glyph, in pixels of the image, what it draws; empty for one that draws nothing
	Warnings []Warning         // in the order in which they are to be told
	Limits   []Limit
	Grid     image.Point // width and height of the image in pixels
}

// Percent is the area of the atlas in percent of that of the grid image, rounded down. It can be above 100.
func (p *Packed) Percent() int {
	if p.Font == nil || p.Grid.X < 1 || p.Grid.Y < 1 {
		return 0
	}
	return p.Font.Atlas.Width * p.Font.Atlas.Height * 100 / (p.Grid.X * p.Grid.Y)
}

// A LimitName names what is limited.
type LimitName uint8

// The limits of a packed font.
const (
	AtlasWidth LimitName = iota
	AtlasHeight
	GlyphWidth
	GlyphHeight
	BearingX
	BearingY
	RangeGlyphs
	OtherGlyphs
)

var limitWords = [...]string{"atlas width", "atlas height", "glyph width", "glyph height", "bearing x", "bearing y", "glyphs in the range", "other glyphs"}

// String gives the name in words.
func (n LimitName) String() string { return limitWords[n] }

// A Limit says how much of what the format allows a font uses. All but the last two are pixels.
type Limit struct {
	Name       LimitName
	Value, Max int
	Glyph      int // index of the glyph that has the value, or -1
}

// A Pixel is a kind of pixel in a grid image.
type Pixel uint8

// The kinds of pixels. Only those of the first two are as a font wants them.
const (
	Empty       Pixel = iota // index 0 and alpha 0
	Ink                      // an index with alpha 255
	Transparent              // an index without alpha, or alpha without an index: it becomes empty
	Partial                  // an index with some alpha: it becomes ink
)

// Classify says which kind a pixel of a grid image is. Red is its palette index.
func Classify(red, alpha uint8) Pixel {
	switch {
	case red != 0 && alpha == 255:
		return Ink
	case red != 0 && alpha != 0:
		return Partial
	case red != 0 || alpha != 0:
		return Transparent
	}
	return Empty
}

// Pack makes a font of a grid image and its list, neither of which it changes. Cells that lie outside the image are empty.
//
// The error is that of ctx, an *Error, or a *charlist.Error for a list whose numbers break their limits; the warnings, the ink
// and the limits that were found before are there in every case.
func Pack(ctx context.Context, sheet *image.NRGBA, list *charlist.List) (*Packed, error) {
	p := &Packed{Grid: sheet.Rect.Size()}
	if err := list.CheckNumbers(); err != nil {
		return p, err
	}
	others := len(list.Characters) - list.ASCIICount
	p.Limits = []Limit{
		{Name: RangeGlyphs, Value: list.ASCIICount, Max: font.MaxRange, Glyph: -1}, {Name: OtherGlyphs, Value: others, Max: font.MaxOthers, Glyph: -1},
	}
	if others > font.MaxOthers {
		return p, &Error{Kind: TooMany, Glyph: -1, Err: &formats.LimitError{
			What: "the number of characters outside the range of the list", Value: int64(others), Max: font.MaxOthers}}
	}
	m, err := measure(ctx, sheet, list)
	if err != nil {
		return p, err
	}
	p.Ink = m.ink
	p.Limits = append(glyphLimits(list, m.ink), p.Limits...)
	if err := checkGlyphs(list, m.ink); err != nil {
		return p, err
	}
	p.Warnings = m.warnings()
	f, placed, err := place(ctx, list, m.ink)
	if err != nil {
		return p, err
	}
	p.Limits = append([]Limit{
		{Name: AtlasWidth, Value: f.Atlas.Width, Max: rectpack.MaxSide, Glyph: -1}, {Name: AtlasHeight, Value: f.Atlas.Height, Max: rectpack.MaxSide, Glyph: -1},
	}, p.Limits...)
	if w, across := acrossPages(f, placed); across {
		p.Warnings = append(p.Warnings, w)
	}
	draw(f, sheet, m.ink)
	p.Font = f
	return p, nil
}

// glyphLimits finds the largest values of glyphs.
func glyphLimits(list *charlist.List, ink []image.Rectangle) []Limit {
	limits := []Limit{
		{Name: GlyphWidth, Max: font.MaxGlyphSide, Glyph: -1}, {Name: GlyphHeight, Max: font.MaxGlyphSide, Glyph: -1},
		{Name: BearingX, Max: font.MaxBearing, Glyph: -1}, {Name: BearingY, Max: font.MaxBearing, Glyph: -1},
	}
	for i, r := range ink {
		bearing := bearing(list, i, r)
		for j, v := range [...]int{r.Dx(), r.Dy(), bearing.X, bearing.Y} {
			if v > limits[j].Value {
				limits[j].Value, limits[j].Glyph = v, i
			}
		}
	}
	return limits
}

// bearing is where a glyph's ink lies in its cell.
func bearing(list *charlist.List, i int, ink image.Rectangle) image.Point {
	if ink.Empty() {
		return image.Point{}
	}
	return ink.Min.Sub(list.Cell(i).Min)
}

func checkGlyphs(list *charlist.List, ink []image.Rectangle) error {
	for i, r := range ink {
		b := bearing(list, i, r)
		code := list.Characters[i].Code
		if r.Dx() > font.MaxGlyphSide || r.Dy() > font.MaxGlyphSide {
			return &Error{GlyphSize, i, code, r, fmt.Errorf("%s draws %dx%d pixels: %w", charlist.CodeName(code), r.Dx(), r.Dy(),
				&formats.LimitError{What: "the longer side", Value: int64(max(r.Dx(), r.Dy())), Max: font.MaxGlyphSide, Unit: "pixels"})}
		}
		if b.X > font.MaxBearing || b.Y > font.MaxBearing {
			return &Error{GlyphBearing, i, code, r, fmt.Errorf("%s lies %d pixels right of and %d below the corner of its cell: %w", charlist.CodeName(code), b.X, b.Y,
				&formats.LimitError{What: "the larger distance", Value: int64(max(b.X, b.Y)), Max: font.MaxBearing, Unit: "pixels"})}
		}
	}
	return nil
}

// place makes the font, its atlas still empty. The rectangles are those of the glyphs with their margins, in their order; they
// are empty for glyphs that draw nothing.
func place(ctx context.Context, list *charlist.List, ink []image.Rectangle) (*font.Font, []image.Rectangle, error) {
	var sizes []rectpack.Size
	for _, r := range ink {
		if !r.Empty() {
			sizes = append(sizes, rectpack.Size{Width: r.Dx() + 2*Margin, Height: r.Dy() + 2*Margin})
		}
	}
	if len(sizes) == 0 {
		return nil, nil, &Error{Kind: NoInk, Glyph: -1, Err: fmt.Errorf("%w: no glyph draws anything; in a grid image red is the palette index and alpha says that it is there",
			formats.ErrDamaged)}
	}
	sheet, err := rectpack.Pack(ctx, sizes, 0)
	if errors.Is(err, rectpack.ErrDoesNotFit) {
		return nil, nil, &Error{Kind: AtlasFull, Glyph: -1, Err: fmt.Errorf("the atlas would be larger than %dx%d pixels; take characters out, or draw them smaller: %w",
			rectpack.MaxSide, rectpack.MaxSide, err)}
	}
	if err != nil {
		return nil, nil, err
	}
	f := &font.Font{
		LineHeight: list.LineHeight, BaseSpacing: list.BaseSpacing, ASCIIFirst: list.ASCIIFirst, ASCIICount: list.ASCIICount,
		Glyphs: make([]font.Glyph, len(ink)),
		Atlas:  font.Atlas{Width: sheet.Width, Height: sheet.Height, Pix: make([]byte, sheet.Width*sheet.Height)},
	}
	placed := make([]image.Rectangle, len(ink))
	next := 0
	for i, r := range ink {
		c := list.Characters[i]
		g := &f.Glyphs[i]
		g.Code, g.Advance = c.Code, int(c.Advance)
		if r.Empty() {
			continue
		}
		at := sheet.Positions[next]
		placed[i] = image.Rectangle{Min: at, Max: at.Add(image.Pt(sizes[next].Width, sizes[next].Height))}
		next++
		b := bearing(list, i, r)
		g.X, g.Y, g.Width, g.Height, g.BearingX, g.BearingY = at.X+Margin, at.Y+Margin, r.Dx(), r.Dy(), b.X, b.Y
	}
	return f, placed, nil
}

// acrossPages tells of glyphs that lie on more than one page of the atlas.
func acrossPages(f *font.Font, placed []image.Rectangle) (Warning, bool) {
	w := Warning{Kind: PageLine, Glyph: -1, Size: image.Pt(f.Atlas.Width, f.Atlas.Height)}
	for i, r := range placed {
		if !r.Empty() && rectpack.Crosses(r) {
			w.Count++
			w.Spots = append(w.Spots, Spot{Glyph: i, Rect: f.Glyphs[i].Ink(), Count: 1})
		}
	}
	return w, w.Count > 0
}

// draw copies the indices of all glyphs to the atlas.
func draw(f *font.Font, sheet *image.NRGBA, ink []image.Rectangle) {
	for i, r := range ink {
		g := &f.Glyphs[i]
		for y := range r.Dy() {
			from := sheet.Pix[sheet.PixOffset(sheet.Rect.Min.X+r.Min.X, sheet.Rect.Min.Y+r.Min.Y+y):]
			to := f.Atlas.Row(g, y)
			for x := range to {
				if from[4*x+3] != 0 {
					to[x] = from[4*x]
				}
			}
		}
	}
}

// measurement is what a look at all pixels gives.
type measurement struct {
	ink         []image.Rectangle
	transparent faults
	partial     faults
}

// faults counts pixels by glyph; -1 stands for those outside all cells.
type faults struct {
	count int
	spots map[int]*Spot
}

// add takes in the pixels of a row that belong to one glyph.
func (f *faults) add(glyph, y int, pixels stretch) {
	if pixels.count == 0 {
		return
	}
	f.count += pixels.count
	s := f.spots[glyph]
	if s == nil {
		if f.spots == nil {
			f.spots = map[int]*Spot{}
		}
		s = &Spot{Glyph: glyph}
		f.spots[glyph] = s
	}
	s.Count += pixels.count
	s.Rect = s.Rect.Union(image.Rect(pixels.first, y, pixels.last+1, y+1))
}

// stretch is where pixels of a kind are in a row.
type stretch struct{ count, first, last int }

func (s *stretch) add(x int) {
	if s.count == 0 {
		s.first = x
	}
	s.count++
	s.last = x
}

// measure finds what every cell draws, and the pixels of the whole image that are neither empty nor ink.
func measure(ctx context.Context, sheet *image.NRGBA, list *charlist.List) (*measurement, error) {
	m := &measurement{ink: make([]image.Rectangle, len(list.Characters))}
	width, height := sheet.Rect.Dx(), sheet.Rect.Dy()
	for y := range height {
		if y%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		row := sheet.Pix[y*sheet.Stride:][:4*width]
		first := y / list.CellHeight * list.Columns
		for column := 0; column*list.CellWidth < width; column++ {
			glyph := first + column
			if column >= list.Columns || glyph >= len(list.Characters) {
				glyph = -1
			}
			from, to := column*list.CellWidth, min((column+1)*list.CellWidth, width)
			if glyph < 0 {
				to = width // there is no cell right of this one either
			}
			m.segment(row, from, to, y, glyph)
			if glyph < 0 {
				break
			}
		}
	}
	return m, nil
}

// segment looks at the pixels of a row that belong to one cell.
func (m *measurement) segment(row []byte, from, to, y, glyph int) {
	var ink, transparent, partial stretch
	for x := from; x < to; x++ {
		switch Classify(row[4*x], row[4*x+3]) {
		case Ink:
			ink.add(x)
		case Partial:
			ink.add(x)
			partial.add(x)
		case Transparent:
			transparent.add(x)
		}
	}
	m.transparent.add(glyph, y, transparent)
	m.partial.add(glyph, y, partial)
	if glyph >= 0 && ink.count > 0 {
		m.ink[glyph] = m.ink[glyph].Union(image.Rect(ink.first, y, ink.last+1, y+1))
	}
}

func (m *measurement) warnings() []Warning {
	var all []Warning
	for _, f := range []struct {
		kind   Kind
		faults faults
	}{{TransparentPixels, m.transparent}, {PartialPixels, m.partial}} {
		if f.faults.count == 0 {
			continue
		}
		w := Warning{Kind: f.kind, Glyph: -1, Count: f.faults.count}
		for _, s := range f.faults.spots {
			w.Spots = append(w.Spots, *s)
		}
		// Glyphs in their order, and what belongs to none behind them.
		slices.SortFunc(w.Spots, func(a, b Spot) int { return cmp.Compare(uint(a.Glyph), uint(b.Glyph)) })
		all = append(all, w)
	}
	return all
}
