package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
)

// Fill is a rectangle in a colour of the theme, which it follows: the ground of a panel, or a line between two areas.
type Fill struct {
	widget.BaseWidget

	color fyne.ThemeColorName
	least fyne.Size
}

// NewFill makes a rectangle that takes what room it gets.
func NewFill(color fyne.ThemeColorName) *Fill { return newFill(color, fyne.Size{}) }

// NewRule makes a hairline, horizontal or vertical as its container stretches it.
func NewRule() *Fill { return newFill(theme.ColorNameHairline, fyne.NewSize(1, 1)) }

func newFill(color fyne.ThemeColorName, least fyne.Size) *Fill {
	f := &Fill{color: color, least: least}
	f.ExtendBaseWidget(f)
	return f
}

// CreateRenderer implements fyne.Widget.
func (f *Fill) CreateRenderer() fyne.WidgetRenderer {
	f.ExtendBaseWidget(f)
	r := &fillRenderer{f: f, fill: canvas.NewRectangle(theme.Color(f.color))}
	return r
}

type fillRenderer struct {
	f    *Fill
	fill *canvas.Rectangle
}

func (r *fillRenderer) Destroy()                     {}
func (r *fillRenderer) MinSize() fyne.Size           { return r.f.least }
func (r *fillRenderer) Layout(size fyne.Size)        { r.fill.Resize(size) }
func (r *fillRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.fill} }
func (r *fillRenderer) Refresh() {
	r.fill.FillColor = theme.Color(r.f.color)
	r.fill.Refresh()
}
