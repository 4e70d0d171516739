package widgets

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
)

// float shows something over the rest of a window, at a place. A tap beside it closes it. In contrast to the toolkit's
// pop-up it takes the focus away from what is in it when it closes: a hidden entry would go on drawing its caret.
type float struct {
	widget.BaseWidget

	canvas  fyne.Canvas
	content fyne.CanvasObject
	place   func(window fyne.Size) (fyne.Position, fyne.Size)
}

var (
	_ fyne.Tappable          = (*float)(nil)
	_ fyne.SecondaryTappable = (*float)(nil)
)

// newFloat shows content. place says where, and is asked again when the window changes its size.
func newFloat(c fyne.Canvas, content fyne.CanvasObject, place func(window fyne.Size) (fyne.Position, fyne.Size)) *float {
	f := &float{canvas: c, content: content, place: place}
	f.ExtendBaseWidget(f)
	c.Overlays().Add(f)
	f.Resize(c.Size())
	return f
}

func (f *float) close() {
	if f.canvas.Overlays().Top() == fyne.CanvasObject(f) {
		f.canvas.Unfocus()
	}
	f.canvas.Overlays().Remove(f)
}

func (f *float) tapped(at fyne.Position) {
	pos, size := f.place(f.Size())
	if at.X < pos.X || at.Y < pos.Y || at.X > pos.X+size.Width || at.Y > pos.Y+size.Height {
		f.close()
	}
}

// Tapped implements fyne.Tappable.
func (f *float) Tapped(e *fyne.PointEvent) { f.tapped(e.Position) }

// TappedSecondary implements fyne.SecondaryTappable.
func (f *float) TappedSecondary(e *fyne.PointEvent) { f.tapped(e.Position) }

// CreateRenderer implements fyne.Widget.
func (f *float) CreateRenderer() fyne.WidgetRenderer {
	r := &floatRenderer{f: f, back: canvas.NewRectangle(color.Transparent)}
	for range floatShadow {
		r.shadow = append(r.shadow, canvas.NewRectangle(color.Transparent))
	}
	r.Refresh()
	return r
}

// floatShadow is the width of the shadow, one frame for each pixel.
const floatShadow = 6

type floatRenderer struct {
	f      *float
	back   *canvas.Rectangle
	shadow []*canvas.Rectangle
}

func (r *floatRenderer) Destroy()           {}
func (r *floatRenderer) MinSize() fyne.Size { return fyne.Size{} }

func (r *floatRenderer) Layout(window fyne.Size) {
	at, size := r.f.place(window)
	for i, s := range r.shadow {
		d := float32(i + 1)
		s.Move(at.SubtractXY(d, d-2))
		s.Resize(size.AddWidthHeight(2*d, 2*d))
	}
	for _, o := range []fyne.CanvasObject{r.back, r.f.content} {
		o.Move(at)
		o.Resize(size)
	}
}

func (r *floatRenderer) Objects() []fyne.CanvasObject {
	var objects []fyne.CanvasObject
	for i := len(r.shadow) - 1; i >= 0; i-- {
		objects = append(objects, r.shadow[i])
	}
	return append(objects, r.back, r.f.content)
}

func (r *floatRenderer) Refresh() {
	radius := theme.Size(theme.SizeNameRadius)
	for i, s := range r.shadow {
		s.FillColor, s.CornerRadius = faded(theme.Color(fynetheme.ColorNameShadow), 0.25), radius+float32(i)
		s.Refresh()
	}
	r.back.FillColor, r.back.CornerRadius = theme.Color(fynetheme.ColorNameOverlayBackground), radius
	r.back.StrokeColor, r.back.StrokeWidth = theme.Color(theme.ColorNameCardBorder), 1
	r.back.Refresh()
	r.f.content.Refresh()
}
