package widgets

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"

	"talebinder/gui/theme"
)

// Pressable makes anything one thing to press: it shows hover, focus and selection behind its content and answers tap,
// Enter and Space. What inside of it can be pressed itself keeps working.
type Pressable struct {
	control

	// Ground is the colour behind the content; empty: none.
	Ground fyne.ThemeColorName
	// Border draws a hairline around it.
	Border bool
	// Selected gives it the soft ground of the accent.
	Selected bool
	// Radius of the corners, in device-independent pixels.
	Radius float32
	// OnKey sees every key first and returns true to keep it.
	OnKey func(*fyne.KeyEvent) bool
	// OnHover is told when the pointer or the focus comes and goes.
	OnHover func(on bool)
	// OnSecondary answers a tap with the secondary button, at a position in the window.
	OnSecondary func(at fyne.Position)

	content fyne.CanvasObject
}

// NewPressable makes content pressable.
func NewPressable(content fyne.CanvasObject, tapped func()) *Pressable {
	p := &Pressable{content: content, Radius: 5}
	if tapped == nil {
		tapped = func() {}
	}
	p.setup(p, tapped)
	return p
}

// SetSelected changes the selection.
func (p *Pressable) SetSelected(on bool) {
	if p.Selected != on {
		p.Selected = on
		p.Refresh()
	}
}

// SetContent shows something else.
func (p *Pressable) SetContent(o fyne.CanvasObject) {
	p.content = o
	p.Refresh()
}

// HeightForWidth gives the height of the content at a width.
func (p *Pressable) HeightForWidth(width float32) float32 { return HeightFor(p.content, width) }

// TypedKey implements fyne.Focusable.
func (p *Pressable) TypedKey(e *fyne.KeyEvent) {
	if p.OnKey != nil && p.OnKey(e) {
		return
	}
	p.control.TypedKey(e)
}

// TappedSecondary implements fyne.SecondaryTappable.
func (p *Pressable) TappedSecondary(e *fyne.PointEvent) {
	if p.OnSecondary != nil {
		p.OnSecondary(e.AbsolutePosition)
	}
}

// FocusGained implements fyne.Focusable.
func (p *Pressable) FocusGained() { p.control.FocusGained(); p.tell() }

// FocusLost implements fyne.Focusable.
func (p *Pressable) FocusLost() { p.control.FocusLost(); p.tell() }

// MouseIn implements desktop.Hoverable.
func (p *Pressable) MouseIn(e *desktop.MouseEvent) { p.control.MouseIn(e); p.tell() }

// MouseOut implements desktop.Hoverable.
func (p *Pressable) MouseOut() { p.control.MouseOut(); p.tell() }

func (p *Pressable) tell() {
	if p.OnHover != nil {
		p.OnHover(p.hovered || p.focused)
	}
}

// CreateRenderer implements fyne.Widget.
func (p *Pressable) CreateRenderer() fyne.WidgetRenderer {
	r := &pressableRenderer{p: p, back: canvas.NewRectangle(nil), over: canvas.NewRectangle(nil)}
	r.Refresh()
	return r
}

type pressableRenderer struct {
	p          *Pressable
	back, over *canvas.Rectangle
}

func (r *pressableRenderer) Destroy()           {}
func (r *pressableRenderer) MinSize() fyne.Size { return r.p.content.MinSize() }

func (r *pressableRenderer) Layout(size fyne.Size) {
	r.back.Resize(size)
	r.over.Resize(size)
	r.p.content.Resize(size)
}

func (r *pressableRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.back, r.over, r.p.content}
}

func (r *pressableRenderer) Refresh() {
	r.back.FillColor, r.back.StrokeColor, r.back.StrokeWidth = color.Transparent, color.Transparent, 0
	if r.p.Ground != "" {
		r.back.FillColor = theme.Color(r.p.Ground)
	}
	if r.p.Border {
		r.back.StrokeColor, r.back.StrokeWidth = theme.Color(theme.ColorNameCardBorder), 1
	}
	r.over.FillColor = color.Transparent
	switch {
	case r.p.Selected:
		r.over.FillColor = theme.Color(theme.ColorNameAccentSoft)
	case r.p.hovered && !r.p.disabled:
		r.over.FillColor = theme.Color(fynetheme.ColorNameHover)
	}
	r.back.CornerRadius, r.over.CornerRadius = r.p.Radius, r.p.Radius
	ring(r.over, r.p.focused)
	if r.p.content.Size() != r.p.Size() {
		r.Layout(r.p.Size())
	}
	r.back.Refresh()
	r.over.Refresh()
	canvas.Refresh(r.p)
}
