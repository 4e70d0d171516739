package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
)

// EmptyState stands where there is nothing yet: it says what belongs here, what happens by itself, and offers the first step.
type EmptyState struct {
	widget.BaseWidget

	icon    fyne.Resource
	title   *theme.Text
	text    *theme.Text
	actions []fyne.CanvasObject
}

var _ HeightForWidth = (*EmptyState)(nil)

const emptyWidth = 420 // longer lines are hard to read

// NewEmptyState makes the block; it centres itself in the room it gets.
func NewEmptyState(icon fyne.Resource, title, text string, actions ...fyne.CanvasObject) *EmptyState {
	e := &EmptyState{icon: icon, title: theme.Strong(title), text: theme.Paragraph(text), actions: actions}
	e.title.Align, e.text.Align = fyne.TextAlignCenter, fyne.TextAlignCenter
	e.title.Wrap = true
	e.ExtendBaseWidget(e)
	return e
}

// Set changes title and text.
func (e *EmptyState) Set(title, text string) {
	e.title.SetText(title)
	e.text.SetText(text)
	e.Refresh()
}

// HeightForWidth gives the height of the block at a width.
func (e *EmptyState) HeightForWidth(width float32) float32 {
	width = fyne.Min(width-16, emptyWidth)
	height := HeightFor(e.title, width) + 4 + HeightFor(e.text, width)
	if e.icon != nil {
		height += 28 + 10
	}
	if len(e.actions) > 0 {
		height += 12 + e.actionSize().Height
	}
	return height + 16
}

func (e *EmptyState) actionSize() fyne.Size {
	size := fyne.Size{}
	for _, a := range e.actions {
		min := a.MinSize()
		size = fyne.NewSize(size.Width+min.Width+8, fyne.Max(size.Height, min.Height))
	}
	return size.SubtractWidthHeight(8, 0)
}

// CreateRenderer implements fyne.Widget.
func (e *EmptyState) CreateRenderer() fyne.WidgetRenderer {
	e.ExtendBaseWidget(e)
	r := &emptyRenderer{e: e, icon: canvas.NewImageFromResource(nil)}
	r.icon.FillMode = canvas.ImageFillContain
	r.icon.Resource = tinted(e.icon, theme.ColorNameMuted)
	r.icon.Hidden = e.icon == nil
	return r
}

type emptyRenderer struct {
	e    *EmptyState
	icon *canvas.Image
}

func (r *emptyRenderer) Destroy() {}

func (r *emptyRenderer) MinSize() fyne.Size {
	width := fyne.Max(r.e.Size().Width, 160)
	return fyne.NewSize(fyne.Max(160, r.e.actionSize().Width+16), r.e.HeightForWidth(width))
}

func (r *emptyRenderer) Layout(size fyne.Size) {
	e := r.e
	width := fyne.Min(size.Width-16, emptyWidth)
	left := (size.Width - width) / 2
	y := fyne.Max(0, (size.Height-e.HeightForWidth(size.Width))/2) + 8
	if e.icon != nil {
		r.icon.Move(fyne.NewPos((size.Width-28)/2, y))
		r.icon.Resize(fyne.NewSquareSize(28))
		y += 28 + 10
	}
	for _, t := range []*theme.Text{e.title, e.text} {
		height := HeightFor(t, width)
		t.Move(fyne.NewPos(left, y))
		t.Resize(fyne.NewSize(width, height))
		y += height + 4
	}
	y += 8
	total := e.actionSize()
	x := (size.Width - total.Width) / 2
	for _, a := range e.actions {
		min := a.MinSize()
		a.Move(fyne.NewPos(x, y+(total.Height-min.Height)/2))
		a.Resize(min)
		x += min.Width + 8
	}
}

func (r *emptyRenderer) Objects() []fyne.CanvasObject {
	return append([]fyne.CanvasObject{r.icon, r.e.title, r.e.text}, r.e.actions...)
}

func (r *emptyRenderer) Refresh() {
	r.icon.Resource = tinted(r.e.icon, theme.ColorNameMuted)
	r.Layout(r.e.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}
