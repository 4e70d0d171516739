package build

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/widgets"
)

// The widths at which the screen changes its shape, in device-independent pixels.
const (
	twoColumns = 820 // from here on the lists stand beside the form
	sideJSON   = 1000
	jsonWidth  = 340
	jsonHeight = 200 // of the panel when it lies below the form
	edge       = 16
)

// body holds the form, the lists and the text: two columns beside each other where there is room, one scrolling column
// otherwise; the panel with the text at the right end, or at the bottom.
type body struct {
	widget.BaseWidget

	form      *formArea
	json      fyne.CanvasObject
	jsonShown bool
}

func newBody(s *screen) *body {
	b := &body{form: newFormArea(s), json: s.json.content}
	b.ExtendBaseWidget(b)
	return b
}

func (b *body) setJSON(shown bool) {
	b.jsonShown = shown
	b.json.Hide()
	if shown {
		b.json.Show()
	}
	b.Refresh()
}

func (b *body) relayout() { b.form.relayout() }

func (b *body) reveal(o fyne.CanvasObject) { b.form.reveal(o) }

func (b *body) CreateRenderer() fyne.WidgetRenderer { return &bodyRenderer{b} }

type bodyRenderer struct{ b *body }

func (r *bodyRenderer) Destroy()           {}
func (r *bodyRenderer) MinSize() fyne.Size { return fyne.NewSize(320, 160) }
func (r *bodyRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.b.form, r.b.json}
}

func (r *bodyRenderer) Layout(size fyne.Size) {
	b := r.b
	form := size
	if b.jsonShown {
		if size.Width >= sideJSON || b.form.Hidden {
			width := fyne.Min(jsonWidth, size.Width/2)
			form.Width -= width
			b.json.Move(fyne.NewPos(form.Width, 0))
			b.json.Resize(fyne.NewSize(width, size.Height))
		} else {
			height := fyne.Min(jsonHeight, size.Height/2)
			form.Height -= height
			b.json.Move(fyne.NewPos(0, form.Height))
			b.json.Resize(fyne.NewSize(size.Width, height))
		}
	}
	b.form.Resize(form)
}

func (r *bodyRenderer) Refresh() {
	r.Layout(r.b.Size())
	r.b.form.Refresh()
	r.b.json.Refresh()
}

// formArea is the form and the lists, in one or two columns.
type formArea struct {
	widget.BaseWidget

	wide        bool
	left        *widgets.Column // the form alone
	one         *widgets.Column // form and lists below each other
	right       *fyne.Container // the lists filling a height
	below       *fyne.Container // the lists as high as they want to be
	form        fyne.CanvasObject
	scenes      *scenes
	setListHost func(narrow bool)
}

func newFormArea(s *screen) *formArea {
	a := &formArea{form: s.form.content, scenes: s.scenes}
	left := container.New(&widgets.PadLayout{Left: edge, Top: edge, Right: edge / 2, Bottom: edge}, s.form.content)
	a.left = widgets.NewColumn(left)
	a.right = container.New(&widgets.PadLayout{Left: edge / 2, Top: edge, Right: edge, Bottom: edge},
		container.New(&listsLayout{scenes: s.scenes.card, includes: s.includes.card}, s.scenes.card, s.includes.card))
	a.one = widgets.NewColumn(widgets.NewPad(edge, widgets.NewStack(sectionGap, s.form.content, s.scenes.card, s.includes.card)))
	a.setListHost = func(narrow bool) {
		// In a column that scrolls as a whole, the wheel must not end at a list.
		var outer fyne.Scrollable
		if narrow {
			outer = a.one
		}
		s.scenes.list.SetOuter(outer)
		s.includes.list.Outer = outer
	}
	a.setListHost(true)
	a.ExtendBaseWidget(a)
	return a
}

func (a *formArea) relayout() {
	if a.wide {
		a.left.Relayout()
		a.right.Layout.Layout(a.right.Objects, a.right.Size())
		inner := a.right.Objects[0].(*fyne.Container)
		inner.Layout.Layout(inner.Objects, inner.Size())
		return
	}
	a.one.Relayout()
}

// column is the scrolling column that the form stands in now.
func (a *formArea) column() *widgets.Column {
	if a.wide {
		return a.left
	}
	return a.one
}

func (a *formArea) reveal(o fyne.CanvasObject) {
	if !a.wide {
		a.one.Reveal(o)
		return
	}
	if o != fyne.CanvasObject(a.scenes.list) {
		a.left.Reveal(o)
	}
}

func (a *formArea) CreateRenderer() fyne.WidgetRenderer { return &formAreaRenderer{a} }

type formAreaRenderer struct{ a *formArea }

func (r *formAreaRenderer) Destroy()           {}
func (r *formAreaRenderer) MinSize() fyne.Size { return fyne.NewSize(320, 120) }

func (r *formAreaRenderer) Objects() []fyne.CanvasObject {
	if r.a.wide {
		return []fyne.CanvasObject{r.a.left, r.a.right}
	}
	return []fyne.CanvasObject{r.a.one}
}

func (r *formAreaRenderer) Layout(size fyne.Size) {
	a := r.a
	wide := size.Width >= twoColumns
	changed := wide != a.wide
	if changed {
		a.wide = wide
		a.setListHost(!wide)
	}
	if wide {
		left := float32(int(size.Width * 0.5))
		a.left.Resize(fyne.NewSize(left, size.Height))
		a.right.Move(fyne.NewPos(left, 0))
		a.right.Resize(fyne.NewSize(size.Width-left, size.Height))
	} else {
		a.one.Resize(size)
	}
	if changed {
		// The same objects stand in the other arrangement now, with the places of the old one.
		a.relayout()
	}
}

func (r *formAreaRenderer) Refresh() {
	r.Layout(r.a.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

// listsLayout gives the list of what is always included the height it wants, at most two fifths, and the scenes the rest.
type listsLayout struct{ scenes, includes *widgets.Card }

func (l *listsLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(280, 240) }

func (l *listsLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	const gap = 12
	low := fyne.Min(widgets.HeightFor(l.includes, size.Width), fyne.Max(size.Height*0.4, 190))
	low = fyne.Min(low, size.Height/2)
	l.scenes.Resize(fyne.NewSize(size.Width, size.Height-low-gap))
	l.includes.Move(fyne.NewPos(0, size.Height-low))
	l.includes.Resize(fyne.NewSize(size.Width, low))
	l.scenes.Move(fyne.Position{})
}

// frameLayout puts a head and a foot around what lies between them.
type frameLayout struct{}

func (l *frameLayout) MinSize(objects []fyne.CanvasObject) fyne.Size { return fyne.NewSize(320, 300) }

func (l *frameLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	head := widgets.HeightFor(objects[0], size.Width)
	foot := widgets.HeightFor(objects[3], size.Width)
	objects[0].Resize(fyne.NewSize(size.Width, head))
	objects[3].Move(fyne.NewPos(0, size.Height-foot))
	objects[3].Resize(fyne.NewSize(size.Width, foot))
	middle := fyne.NewSize(size.Width, fyne.Max(0, size.Height-head-foot))
	objects[1].Move(fyne.NewPos(0, head))
	objects[1].Resize(middle)
	broken := middle
	if b, ok := objects[1].(*body); ok && b.jsonShown {
		broken.Width -= fyne.Min(jsonWidth, size.Width/2)
	}
	objects[2].Move(fyne.NewPos(0, head))
	objects[2].Resize(broken)
}
