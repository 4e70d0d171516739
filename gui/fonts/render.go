package fonts

import (
	"image"
	"image/color"

	pack "talebinder/export/fonts"
	"talebinder/formats/jazz2/font"
	"talebinder/formats/jazz2/palette"
	"talebinder/formats/jazz2/rectpack"
	"talebinder/gui/widgets"
)

// Colors are the colours that the pictures are drawn in.
type Colors struct {
	Back, Light, Dark            color.RGBA // around the picture, and the two of the chequer behind it
	Line, Ink, Baseline, Page    color.RGBA
	Padded, Mark, Accent, Danger color.RGBA
}

// colorTable holds the colours of the palette, or greys for raw indices.
type colorTable [256]color.RGBA

func colorsOf(raw bool) *colorTable {
	var t colorTable
	for i := range t {
		if raw {
			t[i] = color.RGBA{uint8(i), uint8(i), uint8(i), 255}
			continue
		}
		c := palette.Color(uint8(i))
		t[i] = color.RGBA{c.R, c.G, c.B, c.A}
	}
	t[0] = color.RGBA{}
	return &t
}

// Overlay says what is drawn over a picture.
type Overlay struct {
	Cells, Boxes, Baseline, Pages, Padded, Marks bool
	Raw                                          bool // indices as greys in place of the palette
	Glyph                                        int  // the chosen one, or -1
	Spots                                        []pack.Spot
}

// A brush draws on an image, clipped.
type brush struct{ *image.RGBA }

func (b brush) fill(r image.Rectangle, c color.RGBA) {
	r = r.Intersect(b.Rect)
	if r.Empty() || c.A == 0 {
		return
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := b.Pix[b.PixOffset(r.Min.X, y):][:4*r.Dx()]
		if c.A == 255 {
			row[0], row[1], row[2], row[3] = c.R, c.G, c.B, 255
			for n := 4; n < len(row); n *= 2 {
				copy(row[n:], row[:n])
			}
			continue
		}
		for ; len(row) > 0; row = row[4:] {
			blend(row, c)
		}
	}
}

// blend puts a colour, not premultiplied, over an opaque pixel.
func blend(p []byte, c color.RGBA) {
	a := int(c.A)
	p[0] = uint8((int(p[0])*(255-a) + int(c.R)*a + 127) / 255)
	p[1] = uint8((int(p[1])*(255-a) + int(c.G)*a + 127) / 255)
	p[2] = uint8((int(p[2])*(255-a) + int(c.B)*a + 127) / 255)
}

// frame draws the outline of a rectangle, inside of it.
func (b brush) frame(r image.Rectangle, width int, c color.RGBA) {
	width = min(width, (min(r.Dx(), r.Dy())+1)/2)
	b.fill(image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+width), c)
	b.fill(image.Rect(r.Min.X, r.Max.Y-width, r.Max.X, r.Max.Y), c)
	b.fill(image.Rect(r.Min.X, r.Min.Y+width, r.Min.X+width, r.Max.Y-width), c)
	b.fill(image.Rect(r.Max.X-width, r.Min.Y+width, r.Max.X, r.Max.Y-width), c)
}

// dashes draws a line of dashes along a rectangle one pixel wide.
func (b brush) dashes(r image.Rectangle, c color.RGBA) {
	const on, off = 4, 3
	if r.Dx() > r.Dy() {
		for x := r.Min.X; x < r.Max.X; x += on + off {
			b.fill(image.Rect(x, r.Min.Y, min(x+on, r.Max.X), r.Max.Y), c)
		}
		return
	}
	for y := r.Min.Y; y < r.Max.Y; y += on + off {
		b.fill(image.Rect(r.Min.X, y, r.Max.X, min(y+on, r.Max.Y)), c)
	}
}

// chequer fills a rectangle with squares that stay where they are while the picture moves.
func (b brush) chequer(r image.Rectangle, light, dark color.RGBA) {
	const side = 8
	r = r.Intersect(b.Rect)
	b.fill(r, light)
	for y := r.Min.Y / side; y*side < r.Max.Y; y++ {
		for x := r.Min.X/side + (r.Min.X/side+y)%2; x*side < r.Max.X; x += 2 {
			b.fill(image.Rect(x*side, y*side, (x+1)*side, (y+1)*side).Intersect(r), dark)
		}
	}
}

// drawSheet draws the grid image with what is known of its cells.
func drawSheet(dst *image.RGBA, w *Workshop, v widgets.PixelView, o Overlay, c *Colors) {
	b := brush{dst}
	b.fill(dst.Rect, c.Back)
	sheet := w.sheet
	if sheet == nil {
		return
	}
	size := sheet.Rect.Size()
	b.chequer(v.Rect(image.Rectangle{Max: size}), c.Light, c.Dark)
	table := colorsOf(o.Raw)
	shown := v.Visible(size, dst.Rect.Size())
	for y := shown.Min.Y; y < shown.Max.Y; y++ {
		row := sheet.Pix[y*sheet.Stride:][:sheet.Stride]
		for x := shown.Min.X; x < shown.Max.X; x++ {
			red, alpha := row[4*x], row[4*x+3]
			if red == 0 && alpha == 0 {
				continue
			}
			at := v.Rect(image.Rect(x, y, x+1, y+1))
			if red != 0 && alpha != 0 {
				col := table[red]
				col.A = alpha
				b.fill(at, col)
			}
			if o.Marks {
				b.mark(at, pack.Classify(red, alpha), c)
			}
		}
	}
	if w.list != nil {
		b.cells(w, v, o, c)
	}
	b.spots(v, o.Spots, c)
}

// mark shows pixels that a font does not have as they are.
func (b brush) mark(at image.Rectangle, kind pack.Pixel, c *Colors) {
	if kind != pack.Partial && kind != pack.Transparent {
		return
	}
	if at.Dx() < 3 {
		b.fill(at, c.Mark)
		return
	}
	b.frame(at, max(1, at.Dx()/6), c.Mark)
}

// cells draws what belongs to the cells in sight.
func (b brush) cells(w *Workshop, v widgets.PixelView, o Overlay, c *Colors) {
	l := w.list
	n := len(l.Characters)
	window := b.Rect.Size()
	first, last := v.Pixel(image.Point{}), v.Pixel(window)
	base := w.result.Baseline
	for row := max(0, first.Y/l.CellHeight); row <= last.Y/l.CellHeight && row*l.Columns < n; row++ {
		for column := max(0, first.X/l.CellWidth); column <= last.X/l.CellWidth && column < l.Columns; column++ {
			i := row*l.Columns + column
			if i >= n {
				break
			}
			cell := v.Rect(l.Cell(i))
			if o.Baseline && base > 0 && base <= l.CellHeight {
				y := cell.Min.Y + base*v.Zoom
				b.fill(image.Rect(cell.Min.X, y, cell.Max.X, y+1), c.Baseline)
			}
			if o.Cells {
				b.fill(image.Rect(cell.Min.X, cell.Max.Y-1, cell.Max.X, cell.Max.Y), c.Line)
				b.fill(image.Rect(cell.Max.X-1, cell.Min.Y, cell.Max.X, cell.Max.Y), c.Line)
			}
			if ink := w.ink(i); o.Boxes && !ink.Empty() {
				b.frame(v.Rect(ink), 1, c.Ink)
			}
			if i == o.Glyph {
				b.frame(cell.Inset(-1), 2, c.Accent)
			}
		}
	}
}

// spots frames the places that a problem is about.
func (b brush) spots(v widgets.PixelView, spots []pack.Spot, c *Colors) {
	for _, s := range spots {
		if at := v.Rect(s.Rect); at.Overlaps(b.Rect) {
			b.frame(at.Inset(-3), 2, c.Danger)
		}
	}
}

// drawAtlas draws the atlas of the packed font.
func drawAtlas(dst *image.RGBA, w *Workshop, v widgets.PixelView, o Overlay, c *Colors) {
	b := brush{dst}
	b.fill(dst.Rect, c.Back)
	f := w.result.Font
	if f == nil {
		return
	}
	size := image.Pt(f.Atlas.Width, f.Atlas.Height)
	if o.Padded {
		all := v.Rect(image.Rect(0, 0, padded(size.X), padded(size.Y)))
		faint := c.Padded
		faint.A = 0x28
		b.fill(all, faint)
		b.frame(all, 1, c.Padded)
	}
	b.chequer(v.Rect(image.Rectangle{Max: size}), c.Light, c.Dark)
	table := colorsOf(o.Raw)
	shown := v.Visible(size, dst.Rect.Size())
	for y := shown.Min.Y; y < shown.Max.Y && (y+1)*size.X <= len(f.Atlas.Pix); y++ {
		row := f.Atlas.Pix[y*size.X:][:size.X]
		for x := shown.Min.X; x < shown.Max.X; x++ {
			if row[x] != 0 {
				b.fill(v.Rect(image.Rect(x, y, x+1, y+1)), table[row[x]])
			}
		}
	}
	b.glyphs(w, f, v, o, c)
	if o.Pages {
		for at := rectpack.Page; at < max(size.X, size.Y); at += rectpack.Page {
			line := at*v.Zoom - 1
			if at < size.X {
				b.fill(image.Rect(line-v.At.X, -v.At.Y, line-v.At.X+2, size.Y*v.Zoom-v.At.Y), c.Page)
			}
			if at < size.Y {
				b.fill(image.Rect(-v.At.X, line-v.At.Y, size.X*v.Zoom-v.At.X, line-v.At.Y+2), c.Page)
			}
		}
	}
	b.spots(v, o.Spots, c)
}

// glyphs draws what belongs to the glyphs in sight. Their margins stand for cells, which the atlas has none of.
func (b brush) glyphs(w *Workshop, f *font.Font, v widgets.PixelView, o Overlay, c *Colors) {
	for i := range f.Glyphs {
		g := &f.Glyphs[i]
		if g.Width == 0 || g.Height == 0 {
			continue
		}
		ink := g.Ink()
		at := v.Rect(ink)
		outer := v.Rect(ink.Inset(-pack.Margin))
		if !outer.Inset(-2).Overlaps(b.Rect) {
			continue
		}
		if o.Cells {
			b.frame(outer, 1, c.Line)
		}
		if o.Boxes {
			b.frame(at, 1, c.Ink)
		}
		if y := w.result.Baseline - g.BearingY; o.Baseline && y > 0 && y <= g.Height {
			b.fill(image.Rect(at.Min.X, at.Min.Y+y*v.Zoom, at.Max.X, at.Min.Y+y*v.Zoom+1), c.Baseline)
		}
		if i == o.Glyph {
			b.frame(outer.Inset(-1), 2, c.Accent)
		}
	}
}

// glyphAt gives the glyph at a pixel of the sheet or of the atlas, or -1.
func glyphAt(w *Workshop, p image.Point, atlas bool) int {
	if atlas {
		if f := w.result.Font; f != nil {
			for i := range f.Glyphs {
				if ink := f.Glyphs[i].Ink(); !ink.Empty() && p.In(ink.Inset(-pack.Margin)) {
					return i
				}
			}
		}
		return -1
	}
	l := w.list
	if l == nil || p.X < 0 || p.Y < 0 || p.X >= l.Columns*l.CellWidth {
		return -1
	}
	if i := p.Y/l.CellHeight*l.Columns + p.X/l.CellWidth; i < len(l.Characters) {
		return i
	}
	return -1
}

// glyphRect gives where a glyph lies on the sheet or on the atlas.
func glyphRect(w *Workshop, i int, atlas bool) (image.Rectangle, bool) {
	if w.list == nil || i < 0 || i >= len(w.list.Characters) {
		return image.Rectangle{}, false
	}
	if !atlas {
		return w.list.Cell(i), true
	}
	g := w.packed(i)
	if g == nil || g.Width == 0 {
		return image.Rectangle{}, false
	}
	return g.Ink(), true
}

// A Stage is how the chosen glyph lies in the panel that shows it large.
type Stage struct {
	Zoom   int
	Origin image.Point // of the pen at the top of the line, in device pixels
}

const stageBorder = 10 // device pixels around what is drawn

// StageOf fits a glyph with its line into a panel: 16 times, or as much of it as there is room for.
func StageOf(w *Workshop, g Glyph, size image.Point) Stage {
	l := w.list
	width := max(l.CellWidth, g.Bearing.X+g.Width, g.Advance+max(0, l.BaseSpacing), 1)
	height := max(l.LineHeight, g.Bearing.Y+g.Height, 1)
	left := max(0, -(g.Advance + l.BaseSpacing)) // a negative spacing may lead behind the pen
	zoom := min((size.X-2*stageBorder)/(width+left), (size.Y-2*stageBorder)/height, 16)
	zoom = max(zoom, 1)
	return Stage{zoom, image.Pt((size.X-(width+left)*zoom)/2+left*zoom, max(stageBorder, (size.Y-height*zoom)/2))}
}

// Advance gives the advance whose line stands at a place of the panel.
func (s Stage) Advance(x int) int {
	return min(max(x-s.Origin.X+s.Zoom/2, 0)/s.Zoom, font.MaxAdvance)
}

// X gives the place of a distance from the pen.
func (s Stage) X(distance int) int { return s.Origin.X + distance*s.Zoom }

// drawGlyph draws the chosen glyph large: out of the atlas when it is packed, else out of the sheet. The advance is the one
// that a person may just be dragging.
func drawGlyph(dst *image.RGBA, w *Workshop, g Glyph, s Stage, advance int, raw bool, c *Colors) {
	b := brush{dst}
	b.fill(dst.Rect, c.Back)
	l := w.list
	height := max(l.LineHeight, g.Bearing.Y+g.Height)
	width := max(l.CellWidth, g.Bearing.X+g.Width)
	at := func(x, y, x2, y2 int) image.Rectangle {
		return image.Rect(x*s.Zoom, y*s.Zoom, x2*s.Zoom, y2*s.Zoom).Add(s.Origin)
	}
	b.chequer(at(0, 0, width, height), c.Light, c.Dark)
	table := colorsOf(raw)
	for y := range g.Height {
		for x := range g.Width {
			if index := w.index(g.Index, x, y); index != 0 {
				b.fill(at(g.Bearing.X+x, g.Bearing.Y+y, g.Bearing.X+x+1, g.Bearing.Y+y+1), table[index])
			}
		}
	}
	if s.Zoom >= 6 {
		grid := c.Line
		grid.A /= 3
		for x := range width + 1 {
			b.fill(image.Rect(s.X(x), s.Origin.Y, s.X(x)+1, s.Origin.Y+height*s.Zoom), grid)
		}
		for y := range height + 1 {
			line := at(0, y, width, y)
			b.fill(image.Rect(line.Min.X, line.Min.Y, line.Max.X, line.Min.Y+1), grid)
		}
	}
	if g.Width > 0 {
		b.frame(at(g.Bearing.X, g.Bearing.Y, g.Bearing.X+g.Width, g.Bearing.Y+g.Height), 1, c.Ink)
	}
	full := dst.Rect
	if base := w.result.Baseline; base > 0 {
		y := s.Origin.Y + base*s.Zoom
		b.fill(image.Rect(full.Min.X, y, full.Max.X, y+1), c.Baseline)
	}
	for _, y := range []int{0, l.LineHeight} {
		line := s.Origin.Y + y*s.Zoom
		b.dashes(image.Rect(full.Min.X, line, full.Max.X, line+1), c.Line)
	}
	b.fill(image.Rect(s.Origin.X, full.Min.Y, s.Origin.X+1, full.Max.Y), c.Ink)
	if l.BaseSpacing != 0 {
		x := s.X(advance + l.BaseSpacing)
		b.dashes(image.Rect(x, full.Min.Y, x+1, full.Max.Y), c.Accent)
	}
	x := s.X(advance)
	b.fill(image.Rect(x-1, full.Min.Y, x+1, full.Max.Y), c.Accent)
	for i := range 7 { // the handle
		b.fill(image.Rect(x-7+i, full.Min.Y+i, x+7-i, full.Min.Y+i+1), c.Accent)
		b.fill(image.Rect(x-7+i, full.Max.Y-i-1, x+7-i, full.Max.Y-i), c.Accent)
	}
}

// index gives a pixel of what a glyph draws.
func (w *Workshop) index(glyph, x, y int) uint8 {
	if g := w.packed(glyph); g != nil {
		return w.result.Font.Atlas.Row(g, y)[x]
	}
	ink := w.ink(glyph)
	p := w.sheet.Pix[w.sheet.PixOffset(w.sheet.Rect.Min.X+ink.Min.X+x, w.sheet.Rect.Min.Y+ink.Min.Y+y):]
	if p[3] == 0 {
		return 0
	}
	return p[0]
}

// A Sample is a text with what is behind it.
type Sample struct {
	Text   string
	Zoom   int
	Ground Ground
	Color  color.RGBA  // of GroundColor
	Offset image.Point // how far it is scrolled, in device pixels
	Raw    bool

	// Glyph has the advance Advance in place of its own while that is dragged; -1 is none.
	Glyph, Advance int
}

// A Ground is what is behind a sample.
type Ground uint8

// The grounds.
const (
	GroundDark Ground = iota
	GroundLight
	GroundChequer
	GroundColor
)

// drawSample draws a text as the game does, out of the packed atlas and by the packed numbers. It gives the size of the whole
// text in device pixels.
func drawSample(dst *image.RGBA, r *Result, s Sample, c *Colors) image.Point {
	b := brush{dst}
	switch s.Ground {
	case GroundLight:
		b.fill(dst.Rect, color.RGBA{0xf2, 0xf0, 0xea, 0xff})
	case GroundChequer:
		b.chequer(dst.Rect, c.Light, c.Dark)
	case GroundColor:
		b.fill(dst.Rect, s.Color)
	default:
		b.fill(dst.Rect, color.RGBA{0x14, 0x16, 0x1c, 0xff})
	}
	if r.Font == nil {
		return image.Point{}
	}
	table := colorsOf(s.Raw)
	const border = 8
	var size image.Point
	layOut(r, s, func(g *font.Glyph, pen image.Point) {
		size.X, size.Y = max(size.X, (pen.X+g.BearingX+g.Width)*s.Zoom), max(size.Y, (pen.Y+r.Font.LineHeight)*s.Zoom)
		corner := pen.Add(image.Pt(g.BearingX, g.BearingY)).Mul(s.Zoom).Add(image.Pt(border, border)).Sub(s.Offset)
		if !image.Rect(0, 0, g.Width*s.Zoom, g.Height*s.Zoom).Add(corner).Overlaps(b.Rect) {
			return
		}
		for y := range g.Height {
			for x, index := range r.Font.Atlas.Row(g, y) {
				if index != 0 {
					b.fill(image.Rect(x*s.Zoom, y*s.Zoom, (x+1)*s.Zoom, (y+1)*s.Zoom).Add(corner), table[index])
				}
			}
		}
	})
	return size.Add(image.Pt(2*border, 2*border))
}

// layOut walks through the glyphs of a text with the place of the pen, in pixels of the font. A glyph with an advance of 0 is
// neither drawn nor moved over.
func layOut(r *Result, s Sample, draw func(g *font.Glyph, pen image.Point)) {
	var pen image.Point
	for _, char := range s.Text {
		if char == '\n' {
			pen = image.Pt(0, pen.Y+r.Font.LineHeight)
			continue
		}
		i, _ := r.Face.Lookup(char)
		if i < 0 {
			continue
		}
		g := &r.Font.Glyphs[i]
		advance := g.Advance
		if i == s.Glyph {
			advance = s.Advance
		}
		if advance == 0 {
			continue
		}
		draw(g, pen)
		pen.X += advance + r.Font.BaseSpacing
	}
}

// missing lists the characters of a text that a font does not have, each once.
func missing(r *Result, text string) []rune {
	var list []rune
	seen := map[rune]bool{'\n': true}
	for _, char := range text {
		if seen[char] {
			continue
		}
		seen[char] = true
		if _, found := r.Face.Lookup(char); !found {
			list = append(list, char)
		}
	}
	return list
}
