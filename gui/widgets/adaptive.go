package widgets

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// grab is the width of the strip along the hairline that takes the pointer.
const grab = 7

// Adaptive shows two parts side by side while there is room, else one above the other, with a hairline between them
// that can be dragged. Each of the two arrangements remembers its own proportion.
type Adaptive struct {
	widget.BaseWidget

	// Wide is the width from which the parts stand side by side.
	Wide float32
	// Across and Down are the shares of the first part, from 0 to 1, in the wide and in the narrow arrangement.
	Across, Down float32

	first, second fyne.CanvasObject
	bar           *splitBar
}

// NewAdaptive arranges first and second. From the width wide on they stand side by side.
func NewAdaptive(first, second fyne.CanvasObject, wide, across, down float32) *Adaptive {
	a := &Adaptive{Wide: wide, Across: across, Down: down, first: first, second: second}
	a.bar = &splitBar{owner: a, line: canvas.NewRectangle(color.Transparent)}
	a.bar.ExtendBaseWidget(a.bar)
	a.ExtendBaseWidget(a)
	return a
}

// SideBySide says which of the two arrangements is shown.
func (a *Adaptive) SideBySide() bool { return a.Size().Width >= a.Wide }

// CreateRenderer implements fyne.Widget.
func (a *Adaptive) CreateRenderer() fyne.WidgetRenderer { return &adaptiveRenderer{a} }

func (a *Adaptive) moveBar(by fyne.Delta) {
	if size := a.Size(); a.SideBySide() {
		a.Across = share(a.first.Size().Width+by.DX, a.first.MinSize().Width, a.second.MinSize().Width, size.Width)
	} else {
		a.Down = share(a.first.Size().Height+by.DY, a.first.MinSize().Height, a.second.MinSize().Height, size.Height)
	}
	a.Refresh()
}

// share turns a wanted length of the first part into a proportion that leaves both parts their least length.
func share(want, firstMin, secondMin, total float32) float32 {
	return length(want, firstMin, secondMin, total) / max(1, total-1)
}

func length(want, firstMin, secondMin, total float32) float32 {
	free := max(0, total-1)
	if firstMin+secondMin >= free {
		return free * firstMin / max(1, firstMin+secondMin)
	}
	return min(max(want, firstMin), free-secondMin)
}

type adaptiveRenderer struct{ a *Adaptive }

func (r *adaptiveRenderer) Destroy() {}
func (r *adaptiveRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.a.first, r.a.second, r.a.bar}
}
func (r *adaptiveRenderer) MinSize() fyne.Size {
	first, second := r.a.first.MinSize(), r.a.second.MinSize()
	return fyne.NewSize(max(first.Width, second.Width), first.Height+second.Height+1)
}
func (r *adaptiveRenderer) Refresh() {
	r.Layout(r.a.Size())
	r.a.bar.Refresh()
	canvas.Refresh(r.a)
}
func (r *adaptiveRenderer) Layout(size fyne.Size) {
	a := r.a
	switch {
	case !a.second.Visible():
		a.bar.Hide()
		a.first.Move(fyne.Position{})
		a.first.Resize(size)
	case !a.first.Visible():
		a.bar.Hide()
		a.second.Move(fyne.Position{})
		a.second.Resize(size)
	case a.SideBySide():
		w := length(a.Across*(size.Width-1), a.first.MinSize().Width, a.second.MinSize().Width, size.Width)
		a.first.Move(fyne.Position{})
		a.first.Resize(fyne.NewSize(w, size.Height))
		a.second.Move(fyne.NewPos(w+1, 0))
		a.second.Resize(fyne.NewSize(size.Width-w-1, size.Height))
		a.bar.Move(fyne.NewPos(w-grab/2, 0))
		a.bar.Resize(fyne.NewSize(grab, size.Height))
		a.bar.Show()
	default:
		h := length(a.Down*(size.Height-1), a.first.MinSize().Height, a.second.MinSize().Height, size.Height)
		a.first.Move(fyne.Position{})
		a.first.Resize(fyne.NewSize(size.Width, h))
		a.second.Move(fyne.NewPos(0, h+1))
		a.second.Resize(fyne.NewSize(size.Width, size.Height-h-1))
		a.bar.Move(fyne.NewPos(0, h-grab/2))
		a.bar.Resize(fyne.NewSize(size.Width, grab))
		a.bar.Show()
	}
}

// splitBar is the hairline between the parts, with a strip around it for the pointer.
type splitBar struct {
	widget.BaseWidget
	owner   *Adaptive
	line    *canvas.Rectangle
	hovered bool
}

var (
	_ fyne.Draggable     = (*splitBar)(nil)
	_ desktop.Hoverable  = (*splitBar)(nil)
	_ desktop.Cursorable = (*splitBar)(nil)
)

func (b *splitBar) CreateRenderer() fyne.WidgetRenderer { return &splitBarRenderer{b} }
func (b *splitBar) Dragged(e *fyne.DragEvent)           { b.owner.moveBar(e.Dragged) }
func (b *splitBar) DragEnd()                            {}
func (b *splitBar) MouseIn(*desktop.MouseEvent)         { b.hovered = true; b.Refresh() }
func (b *splitBar) MouseMoved(*desktop.MouseEvent)      {}
func (b *splitBar) MouseOut()                           { b.hovered = false; b.Refresh() }
func (b *splitBar) Cursor() desktop.Cursor {
	if b.owner.SideBySide() {
		return desktop.HResizeCursor
	}
	return desktop.VResizeCursor
}

type splitBarRenderer struct{ bar *splitBar }

func (r *splitBarRenderer) Destroy()                     {}
func (r *splitBarRenderer) MinSize() fyne.Size           { return fyne.NewSize(1, 1) }
func (r *splitBarRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.bar.line} }
func (r *splitBarRenderer) Refresh() {
	name := theme.ColorNameSeparator
	if r.bar.hovered {
		name = theme.ColorNamePrimary
	}
	r.bar.line.FillColor = theme.Color(name)
	r.bar.line.Refresh()
}
func (r *splitBarRenderer) Layout(size fyne.Size) {
	r.bar.line.FillColor = theme.Color(theme.ColorNameSeparator)
	if r.bar.owner.SideBySide() {
		r.bar.line.Move(fyne.NewPos(grab/2, 0))
		r.bar.line.Resize(fyne.NewSize(1, size.Height))
	} else {
		r.bar.line.Move(fyne.NewPos(0, grab/2))
		r.bar.line.Resize(fyne.NewSize(size.Width, 1))
	}
}
