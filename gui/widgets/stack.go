package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"talebinder/gui/theme"
)

// HeightForWidth is implemented by objects whose height depends on their width, such as wrapped text.
type HeightForWidth interface {
	HeightForWidth(width float32) float32
}

// HeightFor gives the height that an object wants at a width: what it says itself, what its layout says, or its minimum.
func HeightFor(o fyne.CanvasObject, width float32) float32 {
	switch o := o.(type) {
	case HeightForWidth:
		return o.HeightForWidth(width)
	case *theme.Text:
		if o.Wrap && o.Size().Width != width {
			o.Resize(fyne.NewSize(width, o.Size().Height))
		}
	case *fyne.Container:
		if l, ok := o.Layout.(interface {
			HeightFor(objects []fyne.CanvasObject, width float32) float32
		}); ok {
			return l.HeightFor(o.Objects, width)
		}
	}
	return o.MinSize().Height
}

// StackLayout puts objects below each other at full width, each as high as it wants to be at that width. Unlike a VBox it
// gets wrapped text right in one pass.
type StackLayout struct {
	Gap  float32
	last float32 // the width of the latest layout, for MinSize
}

// NewStack puts objects below each other with a gap between them.
func NewStack(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&StackLayout{Gap: gap}, objects...)
}

// HeightFor gives the height of the visible objects at a width.
func (l *StackLayout) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	height, first := float32(0), true
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		h := HeightFor(o, width)
		if h == 0 {
			continue
		}
		if !first {
			height += l.Gap
		}
		first = false
		height += h
	}
	return height
}

// Layout implements fyne.Layout.
func (l *StackLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.last = size.Width
	y := float32(0)
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		h := HeightFor(o, size.Width)
		o.Move(fyne.NewPos(0, y))
		o.Resize(fyne.NewSize(size.Width, h))
		if h > 0 {
			y += h + l.Gap
		}
	}
}

// MinSize implements fyne.Layout: the widest object, and the height at the width of the latest layout.
func (l *StackLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	width := float32(0)
	for _, o := range objects {
		if o.Visible() {
			width = fyne.Max(width, o.MinSize().Width)
		}
	}
	return fyne.NewSize(width, l.HeightFor(objects, fyne.Max(width, l.last)))
}

// PadLayout keeps space around its objects and hands on how high they want to be.
type PadLayout struct{ Left, Top, Right, Bottom float32 }

// NewPad puts the same space around an object on all sides.
func NewPad(space float32, o fyne.CanvasObject) *fyne.Container {
	return container.New(&PadLayout{space, space, space, space}, o)
}

// HeightFor gives the height at a width, with the space.
func (l *PadLayout) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	height := float32(0)
	for _, o := range objects {
		if o.Visible() {
			height = fyne.Max(height, HeightFor(o, width-l.Left-l.Right))
		}
	}
	return height + l.Top + l.Bottom
}

// Layout implements fyne.Layout.
func (l *PadLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.NewPos(l.Left, l.Top))
		o.Resize(fyne.NewSize(size.Width-l.Left-l.Right, size.Height-l.Top-l.Bottom))
	}
}

// MinSize implements fyne.Layout.
func (l *PadLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.Size{}
	for _, o := range objects {
		if o.Visible() {
			size = size.Max(o.MinSize())
		}
	}
	return size.AddWidthHeight(l.Left+l.Right, l.Top+l.Bottom)
}

// Column is a vertical scroll whose content gets exactly the width there is, and as much height as it wants at that width.
type Column struct {
	container.Scroll

	// Outer, when set, takes the wheel once this column has reached its end.
	Outer fyne.Scrollable

	fitted *columnLayout
}

// NewColumn makes a scrolling column around an object.
func NewColumn(content fyne.CanvasObject) *Column {
	c := &Column{fitted: &columnLayout{}}
	c.Direction = container.ScrollVerticalOnly
	c.Content = container.New(c.fitted, content)
	c.ExtendBaseWidget(c)
	return c
}

// Resize gives the content its new width before the scroll asks for its height.
func (c *Column) Resize(size fyne.Size) {
	c.fitted.width = size.Width
	c.Scroll.Resize(size)
}

// Relayout must be called when something in the content may have changed its height. It moves objects and draws none
// of them again.
func (c *Column) Relayout() {
	c.fitted.width = c.Size().Width
	Relayout(c.Content)
	c.Base.Refresh()
}

// Relayout lays containers out again although their own size stays: one child may have grown as much as another shrank.
func Relayout(o fyne.CanvasObject) {
	switch o := o.(type) {
	case *fyne.Container:
		if o.Layout != nil {
			o.Layout.Layout(o.Objects, o.Size())
		}
		for _, child := range o.Objects {
			Relayout(child)
		}
	case interface{ Relayout() }:
		o.Relayout()
	}
}

// Scrolled hands the wheel to Outer when this column does not move.
func (c *Column) Scrolled(e *fyne.ScrollEvent) {
	before := c.Offset
	c.Scroll.Scrolled(e)
	if c.Offset == before && c.Outer != nil {
		c.Outer.Scrolled(e)
	}
}

// Reveal scrolls as little as needed to show an object inside the column, with some room around it.
func (c *Column) Reveal(o fyne.CanvasObject) {
	driver := fyne.CurrentApp().Driver()
	const room = 24
	top := driver.AbsolutePositionForObject(o).Y - driver.AbsolutePositionForObject(c.Content).Y
	offset := c.Offset.Y
	if bottom := top + o.Size().Height + room; bottom > offset+c.Size().Height {
		offset = bottom - c.Size().Height
	}
	if top-room < offset {
		offset = top - room
	}
	offset = fyne.Min(offset, c.Content.Size().Height-c.Size().Height)
	if offset = fyne.Max(offset, 0); offset != c.Offset.Y {
		c.Offset.Y = offset
		c.Refresh()
	}
}

type columnLayout struct{ width float32 }

func (l *columnLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.Position{})
		o.Resize(fyne.NewSize(size.Width, fyne.Max(HeightFor(o, size.Width), 0)))
	}
}

func (l *columnLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	height := float32(0)
	for _, o := range objects {
		height = fyne.Max(height, HeightFor(o, l.width))
	}
	return fyne.NewSize(0, height)
}
