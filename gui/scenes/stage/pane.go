package stage

import (
	"image"
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
	"talebinder/project/scene/picture"
)

// A pane is the picture with the names and the line on it.
type pane struct {
	widget.BaseWidget

	s        *Stage
	focused  bool
	onLine   bool // the pointer is on the line between two states
	moveLine bool // and drags it
	widths   map[string]float32
}

var (
	_ fyne.Draggable     = (*pane)(nil)
	_ fyne.Scrollable    = (*pane)(nil)
	_ fyne.Tappable      = (*pane)(nil)
	_ fyne.Focusable     = (*pane)(nil)
	_ desktop.Hoverable  = (*pane)(nil)
	_ desktop.Mouseable  = (*pane)(nil)
	_ desktop.Cursorable = (*pane)(nil)
)

func newPane(s *Stage) *pane {
	p := &pane{s: s, widths: map[string]float32{}}
	p.ExtendBaseWidget(p)
	return p
}

// pixel gives the pixel at a place of the toolkit.
func (p *pane) pixel(at fyne.Position) picture.Point {
	return picture.Point{X: float64(at.X) * p.s.scale, Y: float64(at.Y) * p.s.scale}
}

// near says whether a place is on the line between two states.
func (p *pane) near(at fyne.Position) bool {
	return p.s.comparing() && math.Abs(p.pixel(at).X-float64(p.s.split())) <= 6*p.s.scale
}

// Cursor implements desktop.Cursorable.
func (p *pane) Cursor() desktop.Cursor {
	if p.onLine || p.moveLine {
		return desktop.HResizeCursor
	}
	return desktop.DefaultCursor
}

// MouseIn implements desktop.Hoverable.
func (p *pane) MouseIn(e *desktop.MouseEvent) { p.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable.
func (p *pane) MouseMoved(e *desktop.MouseEvent) {
	p.onLine = p.near(e.Position)
	if p.onLine {
		p.s.unhover()
		return
	}
	p.s.hover(p.pixel(e.Position))
}

// MouseOut implements desktop.Hoverable.
func (p *pane) MouseOut() {
	p.onLine = false
	p.s.unhover()
}

// MouseDown implements desktop.Mouseable: it decides what a drag will move.
func (p *pane) MouseDown(e *desktop.MouseEvent) {
	p.moveLine = e.Button == desktop.MouseButtonPrimary && p.near(e.Position)
	p.focus()
}

// MouseUp implements desktop.Mouseable.
func (p *pane) MouseUp(*desktop.MouseEvent) {}

func (p *pane) focus() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(p); c != nil {
		c.Focus(p)
	}
}

// Tapped implements fyne.Tappable.
func (p *pane) Tapped(e *fyne.PointEvent) {
	p.focus()
	p.moveLine = false
	p.s.tap(p.pixel(e.Position))
}

// Dragged implements fyne.Draggable.
func (p *pane) Dragged(e *fyne.DragEvent) {
	if p.moveLine {
		if w := p.Size().Width; w > 0 {
			p.s.SetDivider(float64(e.Position.X / w))
		}
		return
	}
	p.s.pan(float64(e.Dragged.DX)*p.s.scale, float64(e.Dragged.DY)*p.s.scale)
}

// DragEnd implements fyne.Draggable.
func (p *pane) DragEnd() { p.moveLine = false }

// Scrolled implements fyne.Scrollable: a step of the wheel is about a fifth.
func (p *pane) Scrolled(e *fyne.ScrollEvent) {
	const step = 25 // what the toolkit reports for it
	way := min(max(float64(e.Scrolled.DY)/step, -6), 6)
	p.s.zoomTo(p.s.view.Zoom*math.Pow(1.2, way), p.pixel(e.Position))
	p.s.hover(p.pixel(e.Position))
}

// FocusGained implements fyne.Focusable.
func (p *pane) FocusGained() {
	p.focused = true
	p.Refresh()
}

// FocusLost implements fyne.Focusable.
func (p *pane) FocusLost() {
	p.focused = false
	p.Refresh()
}

// TypedRune implements fyne.Focusable.
func (p *pane) TypedRune(r rune) {
	s := p.s
	switch r {
	case '+', '=':
		s.step(true)
	case '-', '_':
		s.step(false)
	case '0', 'f', 'F':
		s.Fit()
	case '1':
		s.Actual()
	case 'n', 'N':
		s.ShowNames(!s.names)
	case 'g', 'G':
		s.ShowGrid(!s.show.Grid)
	case 'c', 'C':
		s.ShowFrames(!s.show.Frames)
	case 'o', 'O':
		s.ShowOutlines(!s.show.Outlines)
	case '[':
		s.stepDivider(-0.1)
	case ']':
		s.stepDivider(0.1)
	}
}

func (s *Stage) stepDivider(by float64) {
	if s.comparing() {
		s.SetDivider(math.Round((s.divider+by)*10) / 10)
	}
}

// TypedKey implements fyne.Focusable.
func (p *pane) TypedKey(e *fyne.KeyEvent) {
	s := p.s
	way := 48 * s.scale
	switch e.Name {
	case fyne.KeyLeft:
		s.pan(way, 0)
	case fyne.KeyRight:
		s.pan(-way, 0)
	case fyne.KeyUp:
		s.pan(0, way)
	case fyne.KeyDown:
		s.pan(0, -way)
	case fyne.KeyPageUp:
		s.step(true)
	case fyne.KeyPageDown:
		s.step(false)
	case fyne.KeyHome:
		s.Fit()
	case fyne.KeyReturn, fyne.KeyEnter:
		if n := s.show.Selected; n != picture.NoNode {
			s.FitNode(n)
		}
	case fyne.KeyEscape:
		s.Select(picture.NoNode)
		if s.OnPicked != nil {
			s.OnPicked(picture.NoNode)
		}
	}
}

// CreateRenderer implements fyne.Widget.
func (p *pane) CreateRenderer() fyne.WidgetRenderer {
	r := &paneRenderer{p: p, line: canvas.NewRectangle(nil), grip: canvas.NewRectangle(nil), focus: canvas.NewRectangle(color.Transparent),
		empty: theme.Muted("")}
	r.raster = canvas.NewRaster(r.pixels)
	r.raster.ScaleMode = canvas.ImageScalePixels
	r.before, r.after = newTag(), newTag()
	r.before.set("Before", false, false)
	r.after.set("After", false, false)
	r.Refresh()
	return r
}

type paneRenderer struct {
	p             *pane
	raster        *canvas.Raster
	line, grip    *canvas.Rectangle
	focus         *canvas.Rectangle
	empty         *theme.Text
	before, after *tag
	tags          []*tag
	used          int
	blank         *image.RGBA
	objects       []fyne.CanvasObject
}

// pixels is asked for the picture in the size that it has on the display.
func (r *paneRenderer) pixels(w, h int) image.Image {
	s := r.p.s
	if size := r.raster.Size(); size.Width > 0 && w > 0 && h > 0 {
		s.resized(w, h, math.Round(float64(w)/float64(size.Width)*100)/100)
	}
	if s.front != nil {
		return s.front.image
	}
	if r.blank == nil {
		r.blank = image.NewRGBA(image.Rect(0, 0, 1, 1))
	}
	fill(r.blank, nrgba(theme.Color(theme.ColorNamePanel)))
	return r.blank
}

func (r *paneRenderer) Destroy()           {}
func (r *paneRenderer) MinSize() fyne.Size { return fyne.NewSize(160, 120) }

func (r *paneRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *paneRenderer) Layout(size fyne.Size) {
	r.raster.Resize(size)
	r.focus.Resize(size)
	r.place()
}

// place moves what lies on the picture to where the frame on the screen has it.
func (r *paneRenderer) place() {
	s, size := r.p.s, r.p.Size()
	f := s.front
	two := f != nil && f.two
	r.line.Hidden, r.grip.Hidden = !two, !two
	r.before.Hidden, r.after.Hidden = !two || f.split < 40, !two || f.split > f.view.Width-40
	if two {
		x := float32(float64(f.split) / s.scale)
		r.line.Move(fyne.NewPos(x-1, 0))
		r.line.Resize(fyne.NewSize(2, size.Height))
		r.grip.Move(fyne.NewPos(x-4, size.Height/2-18))
		r.grip.Resize(fyne.NewSize(8, 36))
		before := r.before.MinSize()
		r.before.Resize(before)
		r.before.Move(fyne.NewPos(x-before.Width-8, 8))
		r.after.Resize(r.after.MinSize())
		r.after.Move(fyne.NewPos(x+8, 8))
	}
	r.used = 0
	if f != nil {
		r.labels(f, size)
	}
	for _, t := range r.tags[r.used:] {
		t.Hide()
	}
	text := r.empty.MinSize()
	r.empty.Resize(text)
	r.empty.Move(fyne.NewPos((size.Width-text.Width)/2, (size.Height-text.Height)/2))
}

// labels writes the names of a frame where they do not cover each other.
func (r *paneRenderer) labels(f *frame, size fyne.Size) {
	type place struct{ x0, y0, x1, y1 float32 }
	var taken []place
	for _, l := range f.labels {
		if r.used == mostLabels {
			return
		}
		text := shorten(l.Text)
		width, ok := r.p.widths[text]
		if !ok {
			if len(r.p.widths) > 4096 {
				clear(r.p.widths)
			}
			width = fyne.MeasureText(text, theme.Size(fynetheme.SizeNameCaptionText), fyne.TextStyle{}).Width
			r.p.widths[text] = width
		}
		w, h := width+2*tagPad, theme.Size(fynetheme.SizeNameCaptionText)+6
		x := min(max(float32(l.At.X/r.p.s.scale)-w/2, 0), max(0, size.Width-w))
		y := float32(l.At.Y/r.p.s.scale) + 4
		if l.Above {
			y -= 8 + 8 + h
		}
		y = min(max(y, 0), size.Height-h)
		at := place{x, y, x + w, y + h}
		hovered := l.Node != picture.NoNode && (l.Node == r.p.s.show.Hovered || l.Node == r.p.s.show.Selected)
		free := true
		for _, o := range taken {
			if at.x0 < o.x1 && o.x0 < at.x1 && at.y0 < o.y1 && o.y0 < at.y1 {
				free = false
				break
			}
		}
		if !free {
			continue
		}
		taken = append(taken, at)
		if r.used == len(r.tags) {
			r.tags = append(r.tags, newTag())
			r.list()
		}
		t := r.tags[r.used]
		r.used++
		t.set(text, l.Bad, hovered)
		t.Resize(fyne.NewSize(w, h))
		t.Move(fyne.NewPos(x, y))
		t.Show()
	}
}

// shorten cuts a name off that is too long for a picture.
func shorten(name string) string {
	const most = 40
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return name
}

func (r *paneRenderer) list() {
	r.objects = append(r.objects[:0], r.raster)
	for _, t := range r.tags {
		r.objects = append(r.objects, t)
	}
	r.objects = append(r.objects, r.line, r.grip, r.before, r.after, r.empty, r.focus)
}

func (r *paneRenderer) Refresh() {
	accent := theme.Color(theme.ColorNameAccent)
	r.line.FillColor, r.grip.FillColor = accent, accent
	r.grip.CornerRadius = 4
	r.focus.StrokeWidth = 0
	if r.p.focused {
		r.focus.StrokeColor, r.focus.StrokeWidth = theme.Color(fynetheme.ColorNameFocus), 2
	}
	text := ""
	if p := r.p.s.shown[1]; p != nil && len(p.Items) == 0 {
		text = "This document has no entities to show."
	}
	if r.empty.Text != text {
		r.empty.SetText(text)
	}
	if len(r.objects) == 0 {
		r.list()
	}
	r.place()
	for _, o := range r.objects {
		o.Refresh()
	}
}

const tagPad = 5

// A tag is a name on the picture, readable on whatever is below it.
type tag struct {
	widget.BaseWidget

	text         string
	bad, hovered bool
}

func newTag() *tag {
	t := &tag{}
	t.ExtendBaseWidget(t)
	return t
}

func (t *tag) set(text string, bad, hovered bool) {
	if t.text != text || t.bad != bad || t.hovered != hovered {
		t.text, t.bad, t.hovered = text, bad, hovered
		t.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (t *tag) CreateRenderer() fyne.WidgetRenderer {
	r := &tagRenderer{t: t, back: canvas.NewRectangle(nil), text: canvas.NewText("", nil)}
	r.Refresh()
	return r
}

type tagRenderer struct {
	t    *tag
	back *canvas.Rectangle
	text *canvas.Text
}

func (r *tagRenderer) Destroy()                     {}
func (r *tagRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.back, r.text} }

func (r *tagRenderer) MinSize() fyne.Size {
	return fyne.NewSize(r.text.MinSize().Width+2*tagPad, r.text.TextSize+6)
}

func (r *tagRenderer) Layout(size fyne.Size) {
	r.back.Resize(size)
	m := r.text.MinSize()
	r.text.Resize(m)
	r.text.Move(fyne.NewPos(tagPad, (size.Height-m.Height)/2))
}

func (r *tagRenderer) Refresh() {
	// The same on light and dark scenes and themes.
	r.back.FillColor, r.back.CornerRadius = color.NRGBA{R: 16, G: 18, B: 23, A: 200}, 3
	r.text.Text, r.text.Color = r.t.text, color.NRGBA{R: 236, G: 238, B: 242, A: 255}
	if r.t.bad {
		r.text.Color = color.NRGBA{R: 255, G: 150, B: 150, A: 255}
	}
	if r.t.hovered {
		r.back.FillColor, r.text.Color = color.NRGBA{R: 232, G: 163, B: 61, A: 240}, color.NRGBA{R: 27, G: 20, B: 7, A: 255}
	}
	r.text.TextSize = theme.Size(fynetheme.SizeNameCaptionText)
	r.back.Refresh()
	r.text.Refresh()
}
