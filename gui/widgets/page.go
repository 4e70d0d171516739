package widgets

import (
	"fyne.io/fyne/v2"

	"talebinder/gui/theme"
)

// HeadLayout is the head of a screen: its title, a summary behind it that gives way, and buttons at the end of the line.
type HeadLayout struct{}

// MinSize implements fyne.Layout.
func (HeadLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(96+o[2].MinSize().Width, max(o[0].MinSize().Height, o[2].MinSize().Height))
}

// Layout implements fyne.Layout.
func (HeadLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	title := o[0].(*theme.Text)
	width := fyne.MeasureText(title.Text, theme.Size(theme.SizeNameTitle), title.Style).Width + 2
	title.Move(fyne.Position{})
	title.Resize(fyne.NewSize(width, size.Height))
	buttons := o[2].MinSize()
	o[2].Move(fyne.NewPos(size.Width-buttons.Width, (size.Height-buttons.Height)/2))
	o[2].Resize(buttons)
	o[1].Move(fyne.NewPos(width+12, 1))
	o[1].Resize(fyne.NewSize(max(0, size.Width-buttons.Width-width-24), size.Height))
}

// PageLayout puts a head as high as it wants to be, a line and the rest below each other.
type PageLayout struct{}

// MinSize implements fyne.Layout.
func (PageLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(280, 200) }

// Layout implements fyne.Layout.
func (PageLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	height := HeightFor(o[0], size.Width)
	o[0].Move(fyne.Position{})
	o[0].Resize(fyne.NewSize(size.Width, height))
	o[1].Move(fyne.NewPos(0, height))
	o[1].Resize(fyne.NewSize(size.Width, 1))
	o[2].Move(fyne.NewPos(0, height+1))
	o[2].Resize(fyne.NewSize(size.Width, max(0, size.Height-height-1)))
}

// FlowLayout puts objects into lines of a height, as many on each as fit.
type FlowLayout struct {
	Gap, Line float32
	last      float32
}

func (l *FlowLayout) each(objects []fyne.CanvasObject, width float32, f func(o fyne.CanvasObject, x, y float32)) float32 {
	x, y := float32(0), float32(0)
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		w := o.MinSize().Width
		if x > 0 && x+w > width {
			x, y = 0, y+l.Line+l.Gap/2
		}
		if f != nil {
			f(o, x, y)
		}
		x += w + l.Gap
	}
	return y + l.Line
}

// HeightFor gives the height at a width.
func (l *FlowLayout) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	return l.each(objects, width, nil)
}

// MinSize implements fyne.Layout: the widest object, and the height at the width of the latest layout.
func (l *FlowLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	widest := float32(0)
	for _, o := range objects {
		if o.Visible() {
			widest = max(widest, o.MinSize().Width)
		}
	}
	return fyne.NewSize(widest, l.HeightFor(objects, max(widest, l.last)))
}

// Layout implements fyne.Layout.
func (l *FlowLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.last = size.Width
	l.each(objects, size.Width, func(o fyne.CanvasObject, x, y float32) {
		min := o.MinSize()
		o.Move(fyne.NewPos(x, y+max(0, (l.Line-min.Height)/2)))
		o.Resize(min)
	})
}

// FilterLayout puts a switch and a search into a line, or below each other when it is narrow.
type FilterLayout struct{}

func (FilterLayout) wraps(o []fyne.CanvasObject, width float32) bool {
	return o[0].MinSize().Width+8+140 > width
}

// HeightFor gives the height at a width.
func (l FilterLayout) HeightFor(o []fyne.CanvasObject, width float32) float32 {
	a, b := o[0].MinSize().Height, o[1].MinSize().Height
	if l.wraps(o, width) {
		return a + 6 + b
	}
	return max(a, b)
}

// MinSize implements fyne.Layout.
func (l FilterLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(o[0].MinSize().Width, max(o[0].MinSize().Height, o[1].MinSize().Height))
}

// Layout implements fyne.Layout.
func (l FilterLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	a, b := o[0].MinSize(), o[1].MinSize()
	if l.wraps(o, size.Width) {
		o[0].Move(fyne.Position{})
		o[0].Resize(a)
		o[1].Move(fyne.NewPos(0, a.Height+6))
		o[1].Resize(fyne.NewSize(size.Width, b.Height))
		return
	}
	o[0].Move(fyne.NewPos(0, (size.Height-a.Height)/2))
	o[0].Resize(a)
	o[1].Move(fyne.NewPos(a.Width+8, (size.Height-b.Height)/2))
	o[1].Resize(fyne.NewSize(size.Width-a.Width-8, b.Height))
}
