package gui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
)

// A ground is an area in a colour of the theme.
type ground struct {
	widget.BaseWidget
	name fyne.ThemeColorName
}

func newGround(name fyne.ThemeColorName) *ground {
	g := &ground{name: name}
	g.ExtendBaseWidget(g)
	return g
}

// set changes the colour.
func (g *ground) set(name fyne.ThemeColorName) {
	if g.name != name {
		g.name = name
		g.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (g *ground) CreateRenderer() fyne.WidgetRenderer {
	r := &groundRenderer{g: g, area: canvas.NewRectangle(theme.Color(g.name))}
	return r
}

type groundRenderer struct {
	g    *ground
	area *canvas.Rectangle
}

func (r *groundRenderer) Destroy()                     {}
func (r *groundRenderer) Layout(size fyne.Size)        { r.area.Resize(size) }
func (r *groundRenderer) MinSize() fyne.Size           { return fyne.NewSize(1, 1) }
func (r *groundRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.area} }
func (r *groundRenderer) Refresh() {
	r.area.FillColor = theme.Color(r.g.name)
	r.area.Refresh()
}

// A spinner shows that something runs: a row of three dots, one of them lit, that the shell's clock moves on. It does not
// animate by itself, so nothing is drawn while nothing happens.
type spinner struct {
	widget.BaseWidget
	at int
}

func newSpinner() *spinner {
	s := &spinner{}
	s.ExtendBaseWidget(s)
	return s
}

func (s *spinner) step() { s.at = (s.at + 1) % 12; s.Refresh() }
func (s *spinner) stop() { s.at = 0 }

// CreateRenderer implements fyne.Widget.
func (s *spinner) CreateRenderer() fyne.WidgetRenderer {
	r := &spinnerRenderer{s: s}
	for i := range r.dots {
		r.dots[i] = canvas.NewCircle(color.Transparent)
	}
	r.Refresh()
	return r
}

type spinnerRenderer struct {
	s    *spinner
	dots [3]*canvas.Circle
}

func (r *spinnerRenderer) Destroy()           {}
func (r *spinnerRenderer) MinSize() fyne.Size { return fyne.NewSquareSize(14) }

func (r *spinnerRenderer) Layout(size fyne.Size) {
	const d = 3
	for i, c := range r.dots {
		c.Resize(fyne.NewSquareSize(d))
		c.Move(fyne.NewPos(size.Width/2-d/2-5+float32(i)*5, (size.Height-d)/2))
	}
}

func (r *spinnerRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.dots[0], r.dots[1], r.dots[2]}
}

func (r *spinnerRenderer) Refresh() {
	for i, c := range r.dots {
		c.FillColor = theme.Color(theme.ColorNameHairline)
		if r.s.at/4 == i {
			c.FillColor = theme.Color(theme.ColorNameAccent)
		}
		c.Refresh()
	}
}
