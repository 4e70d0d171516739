package palettes

import (
	"image"
	"image/color"

	"talebinder/formats/jazz2/palette"
	"talebinder/gui/widgets"
)

// A Side is one of the two pictures.
type Side uint8

// The sides.
const (
	Source Side = iota
	Result
)

// A Pick is what is highlighted: the pixels of an index, or of a colour that is not in the palette.
type Pick struct {
	Index int // -1: none
	Odd   int // index in Picture.Odd, or -1
}

// nothing is picked.
func nothing() Pick { return Pick{-1, -1} }

// Any says whether something is picked.
func (k Pick) Any() bool { return k.Index >= 0 || k.Odd >= 0 }

// Show is how the pictures are drawn.
type Show struct {
	Raw   bool // indices as greys, not as the colours that they stand for
	Marks bool // colours that are not in the palette
	Pick  Pick
	Hover image.Point // the pixel under the pointer; outside of the picture: none
}

// The colours around and over the pictures, which are the same in every theme since what they lie on does not follow it.
var (
	chequer = [2]color.RGBA{{0x5a, 0x5e, 0x68, 0xff}, {0x4c, 0x50, 0x5a, 0xff}}
	mark    = color.RGBA{0xff, 0x3d, 0x7f, 0xff}
	frame   = color.RGBA{0xff, 0xb2, 0x3d, 0xff}
	edge    = color.RGBA{0x10, 0x12, 0x16, 0xff}
)

// indices says whether a side is the one in indices.
func (p *Picture) indices(s Side) bool { return (p.Direction == ToColors) == (s == Source) }

// at gives the colour that a pixel is drawn in, not premultiplied.
func (p *Picture) at(s Side, show Show, x, y int) color.NRGBA {
	if !p.indices(s) {
		return p.Colors.NRGBAAt(x, y)
	}
	i := y*p.Size.X + x
	index, alpha := p.Indices[i], p.Alpha[i]
	if show.Raw {
		return color.NRGBA{index, index, index, alpha}
	}
	c := palette.Color(index)
	if index != 0 {
		c.A = alpha
	}
	return c
}

// picked says whether a pixel is one of those that are highlighted.
func (p *Picture) picked(k Pick, x, y int) bool {
	if k.Odd >= 0 {
		c := p.Colors.NRGBAAt(x, y)
		return c.A != 0 && color.NRGBA{c.R, c.G, c.B, 255} == p.Odd[k.Odd].Color
	}
	i := y*p.Size.X + x
	return int(p.Indices[i]) == k.Index
}

// drawPicture draws the part of a picture that is in sight.
func drawPicture(dst *image.RGBA, p *Picture, s Side, v widgets.PixelView, show Show, back color.RGBA) {
	fill(dst, dst.Rect, back)
	if p == nil {
		return
	}
	window := dst.Rect.Size()
	shown := v.Visible(p.Size, window)
	area := v.Rect(shown).Intersect(dst.Rect)
	last, phase := -1, -1
	for y := area.Min.Y; y < area.Max.Y; y++ {
		row := dst.Pix[dst.PixOffset(area.Min.X, y):][:4*area.Dx()]
		py := v.Pixel(image.Pt(0, y)).Y
		if py == last && y/8%2 == phase && y > area.Min.Y {
			copy(row, dst.Pix[dst.PixOffset(area.Min.X, y-1):][:len(row)])
			continue
		}
		last, phase = py, y/8%2
		p.drawRow(row, s, v, show, area.Min.X, py, phase, back)
	}
	if show.Marks && s == Source && p.Inexact.Pixels > 0 {
		p.drawMarks(dst, v, shown, show.Pick)
	}
	if p.In(show.Hover) {
		at := v.Rect(image.Rectangle{Min: show.Hover, Max: show.Hover.Add(image.Pt(1, 1))})
		outline(dst, at.Inset(-2), edge)
		outline(dst, at.Inset(-1), frame)
	}
}

// drawRow draws the device pixels of a row of the picture from the device column left on.
func (p *Picture) drawRow(row []byte, s Side, v widgets.PixelView, show Show, left, py, phase int, back color.RGBA) {
	last := -1
	var c color.NRGBA
	dim := false
	for i := 0; i < len(row); i += 4 {
		x := left + i/4
		if px := v.Pixel(image.Pt(x, 0)).X; px != last {
			last = px
			c = p.at(s, show, px, py)
			dim = show.Pick.Any() && !p.picked(show.Pick, px, py)
		}
		under := chequer[(x/8+phase)%2]
		out := over(under, c)
		if dim {
			out = over(out, color.NRGBA{back.R, back.G, back.B, 0xd4})
		}
		row[i], row[i+1], row[i+2], row[i+3] = out.R, out.G, out.B, 255
	}
}

// drawMarks marks colours that are not in the palette, of those that are highlighted when some are: a dot in the corner, or all of the pixel where it is too small for one.
func (p *Picture) drawMarks(dst *image.RGBA, v widgets.PixelView, shown image.Rectangle, pick Pick) {
	side := v.Zoom / 3
	if v.Zoom < 4 {
		side = v.Zoom
	}
	for y := shown.Min.Y; y < shown.Max.Y; y++ {
		for x := shown.Min.X; x < shown.Max.X; x++ {
			if p.Squared(image.Pt(x, y)) == 0 || pick.Any() && !p.picked(pick, x, y) {
				continue
			}
			at := v.Rect(image.Rect(x, y, x+1, y+1))
			fill(dst, image.Rectangle{Min: at.Min, Max: at.Min.Add(image.Pt(side, side))}, mark)
		}
	}
}

// over puts a colour, not premultiplied, over an opaque one.
func over(under color.RGBA, c color.NRGBA) color.RGBA {
	switch c.A {
	case 0:
		return under
	case 255:
		return color.RGBA{c.R, c.G, c.B, 255}
	}
	a := int(c.A)
	mix := func(u, v uint8) uint8 { return uint8((int(u)*(255-a) + int(v)*a + 127) / 255) }
	return color.RGBA{mix(under.R, c.R), mix(under.G, c.G), mix(under.B, c.B), 255}
}

func fill(dst *image.RGBA, r image.Rectangle, c color.RGBA) {
	r = r.Intersect(dst.Rect)
	if r.Empty() {
		return
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := dst.Pix[dst.PixOffset(r.Min.X, y):][:4*r.Dx()]
		row[0], row[1], row[2], row[3] = c.R, c.G, c.B, 255
		for n := 4; n < len(row); n *= 2 {
			copy(row[n:], row[:n])
		}
	}
}

func outline(dst *image.RGBA, r image.Rectangle, c color.RGBA) {
	fill(dst, image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+1), c)
	fill(dst, image.Rect(r.Min.X, r.Max.Y-1, r.Max.X, r.Max.Y), c)
	fill(dst, image.Rect(r.Min.X, r.Min.Y, r.Min.X+1, r.Max.Y), c)
	fill(dst, image.Rect(r.Max.X-1, r.Min.Y, r.Max.X, r.Max.Y), c)
}

// gridSide is how many colours the palette has in a row.
const gridSide = 16

// gridCell gives where a colour lies in a picture of the palette, in device pixels.
func gridCell(size image.Point, index int) image.Rectangle {
	side := min(size.X, size.Y) / gridSide
	at := image.Pt(index%gridSide, index/gridSide).Mul(side)
	return image.Rectangle{Min: at, Max: at.Add(image.Pt(side, side))}
}

// gridAt gives the colour at a place, or -1.
func gridAt(size, at image.Point) int {
	side := min(size.X, size.Y) / gridSide
	if side == 0 || at.X < 0 || at.Y < 0 || at.X >= side*gridSide || at.Y >= side*gridSide {
		return -1
	}
	return at.Y/side*gridSide + at.X/side
}

// drawPalette draws the 256 colours: those that the picture uses fill their cell, the others are small.
func drawPalette(dst *image.RGBA, p *Picture, hover, picked int, back color.RGBA) {
	fill(dst, dst.Rect, back)
	for i := range 256 {
		cell := gridCell(dst.Rect.Size(), i)
		at := cell.Inset(1)
		if p != nil && p.Counts[i] == 0 {
			at = cell.Inset(cell.Dx() / 3)
		}
		if i == 0 {
			half := at
			fill(dst, half, chequer[0])
			half.Max.X = (at.Min.X + at.Max.X) / 2
			half.Max.Y = (at.Min.Y + at.Max.Y) / 2
			fill(dst, half, chequer[1])
			fill(dst, image.Rectangle{Min: half.Max, Max: at.Max}, chequer[1])
		} else {
			c := palette.Color(uint8(i))
			fill(dst, at, color.RGBA{c.R, c.G, c.B, 255})
		}
	}
	for _, i := range []int{picked, hover} {
		if i >= 0 {
			cell := gridCell(dst.Rect.Size(), i)
			outline(dst, cell, frame)
			outline(dst, cell.Inset(1), edge)
		}
	}
}
