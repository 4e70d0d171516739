package build

import (
	"fyne.io/fyne/v2"

	"talebinder/gui/widgets"
)

// gridLayout puts objects into as many equal columns as their least width allows, at most max. Each row is as high as its
// highest object wants to be.
type gridLayout struct {
	max  int
	min  float32 // least width of a column
	gap  float32
	even bool // all objects of a row get the height of the highest
	last float32
}

func (l *gridLayout) columns(width float32, n int) int {
	c := max(1, min(l.max, int((width+l.gap)/(l.min+l.gap))))
	return max(1, min(c, n))
}

func visible(objects []fyne.CanvasObject) []fyne.CanvasObject {
	var list []fyne.CanvasObject
	for _, o := range objects {
		if o.Visible() {
			list = append(list, o)
		}
	}
	return list
}

// each calls f with the place and size of every visible object, and gives the height of all.
func (l *gridLayout) each(objects []fyne.CanvasObject, width float32, f func(o fyne.CanvasObject, at fyne.Position, size fyne.Size)) float32 {
	list := visible(objects)
	n := l.columns(width, len(list))
	column := (width - float32(n-1)*l.gap) / float32(n)
	y := float32(0)
	for first := 0; first < len(list); first += n {
		row := list[first:min(first+n, len(list))]
		height := float32(0)
		for _, o := range row {
			height = fyne.Max(height, widgets.HeightFor(o, column))
		}
		if f != nil {
			for i, o := range row {
				h := height
				if !l.even {
					h = widgets.HeightFor(o, column)
				}
				f(o, fyne.NewPos(float32(i)*(column+l.gap), y), fyne.NewSize(column, h))
			}
		}
		y += height + l.gap
	}
	return fyne.Max(0, y-l.gap)
}

func (l *gridLayout) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	return l.each(objects, width, nil)
}

func (l *gridLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.last = size.Width
	l.each(objects, size.Width, func(o fyne.CanvasObject, at fyne.Position, s fyne.Size) {
		o.Move(at)
		o.Resize(s)
	})
}

func (l *gridLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(l.min, l.HeightFor(objects, fyne.Max(l.min, l.last)))
}

// besideLayout puts a first object of fixed width beside a second one that gets the rest.
type besideLayout struct{ width, gap, last float32 }

func (l *besideLayout) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	return fyne.Max(objects[0].MinSize().Height, widgets.HeightFor(objects[1], width-l.width-l.gap))
}

func (l *besideLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.last = size.Width
	objects[0].Move(fyne.Position{})
	objects[0].Resize(fyne.NewSize(l.width, objects[0].MinSize().Height))
	rest := size.Width - l.width - l.gap
	objects[1].Move(fyne.NewPos(l.width+l.gap, 0))
	objects[1].Resize(fyne.NewSize(rest, widgets.HeightFor(objects[1], rest)))
}

func (l *besideLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	width := l.width + l.gap + objects[1].MinSize().Width
	return fyne.NewSize(width, l.HeightFor(objects, fyne.Max(width, l.last)))
}

// fillLayout puts objects below each other; one of them gets the height that the others leave. Where the height is free, as
// in a scrolling column, every object gets what it wants.
type fillLayout struct {
	gap  float32
	fill fyne.CanvasObject
	last float32
}

func (l *fillLayout) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	height := -l.gap
	for _, o := range visible(objects) {
		if h := widgets.HeightFor(o, width); h > 0 {
			height += h + l.gap
		}
	}
	return fyne.Max(0, height)
}

func (l *fillLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.last = size.Width
	list := visible(objects)
	free := size.Height - l.HeightFor(objects, size.Width)
	y := float32(0)
	for _, o := range list {
		h := widgets.HeightFor(o, size.Width)
		if h <= 0 {
			o.Resize(fyne.NewSize(size.Width, 0))
			continue
		}
		if o == l.fill {
			h = fyne.Max(h+free, 40)
		}
		o.Move(fyne.NewPos(0, y))
		o.Resize(fyne.NewSize(size.Width, h))
		y += h + l.gap
	}
}

func (l *fillLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	width := float32(0)
	for _, o := range visible(objects) {
		width = fyne.Max(width, o.MinSize().Width)
	}
	return fyne.NewSize(width, 120)
}

// sidesLayout puts one object at the left end and another at the right end of a line. The right one has its least width.
type sidesLayout struct{ gap float32 }

func (l *sidesLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	right := objects[1].MinSize()
	objects[1].Move(fyne.NewPos(size.Width-right.Width, (size.Height-right.Height)/2))
	objects[1].Resize(right)
	left := size.Width - right.Width - l.gap
	height := fyne.Min(widgets.HeightFor(objects[0], left), size.Height)
	objects[0].Move(fyne.NewPos(0, (size.Height-height)/2))
	objects[0].Resize(fyne.NewSize(left, height))
}

func (l *sidesLayout) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	right := objects[1].MinSize()
	return fyne.Max(right.Height, widgets.HeightFor(objects[0], width-right.Width-l.gap))
}

func (l *sidesLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	left, right := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(right.Width+l.gap+60, fyne.Max(left.Height, right.Height))
}

// overLayout puts objects over each other.
type overLayout struct{}

func (l *overLayout) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	height := float32(0)
	for _, o := range objects {
		height = fyne.Max(height, widgets.HeightFor(o, width))
	}
	return height
}

func (l *overLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.Position{})
		o.Resize(size)
	}
}

func (l *overLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.Size{}
	for _, o := range objects {
		size = size.Max(o.MinSize())
	}
	return size
}
