package widgets

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
)

// Edge is a side of an area.
type Edge uint8

// The edges, to be combined.
const (
	EdgeTop Edge = 1 << iota
	EdgeBottom
	EdgeLeft
	EdgeRight
)

// Ground is a plain area in a colour of the theme, with hairlines at some of its edges, to put behind something.
type Ground struct {
	widget.BaseWidget

	name  fyne.ThemeColorName
	edges Edge
}

// NewGround makes an area.
func NewGround(name fyne.ThemeColorName, edges Edge) *Ground {
	g := &Ground{name: name, edges: edges}
	g.ExtendBaseWidget(g)
	return g
}

// CreateRenderer implements fyne.Widget.
func (g *Ground) CreateRenderer() fyne.WidgetRenderer {
	g.ExtendBaseWidget(g)
	r := &groundRenderer{g: g, back: canvas.NewRectangle(color.Transparent)}
	for range 4 {
		r.lines = append(r.lines, canvas.NewRectangle(color.Transparent))
	}
	r.Refresh()
	return r
}

type groundRenderer struct {
	g     *Ground
	back  *canvas.Rectangle
	lines []*canvas.Rectangle
}

func (r *groundRenderer) Destroy()           {}
func (r *groundRenderer) MinSize() fyne.Size { return fyne.Size{} }

func (r *groundRenderer) Layout(size fyne.Size) {
	r.back.Resize(size)
	for i, at := range []struct {
		pos  fyne.Position
		size fyne.Size
	}{
		{fyne.NewPos(0, 0), fyne.NewSize(size.Width, 1)},
		{fyne.NewPos(0, size.Height-1), fyne.NewSize(size.Width, 1)},
		{fyne.NewPos(0, 0), fyne.NewSize(1, size.Height)},
		{fyne.NewPos(size.Width-1, 0), fyne.NewSize(1, size.Height)},
	} {
		r.lines[i].Move(at.pos)
		r.lines[i].Resize(at.size)
	}
}

func (r *groundRenderer) Objects() []fyne.CanvasObject {
	objects := []fyne.CanvasObject{r.back}
	for _, l := range r.lines {
		objects = append(objects, l)
	}
	return objects
}

func (r *groundRenderer) Refresh() {
	r.back.FillColor = theme.Color(r.g.name)
	for i, l := range r.lines {
		l.Hidden = r.g.edges&(1<<i) == 0
		l.FillColor = theme.Color(theme.ColorNameHairline)
		l.Refresh()
	}
	r.back.Refresh()
}
