package palettes

import (
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/formats/jazz2/palette"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// opaque gives a colour of the theme for drawing.
func opaque(name fyne.ThemeColorName) color.RGBA {
	c := color.NRGBAModel.Convert(theme.Color(name)).(color.NRGBA)
	return color.RGBA{c.R, c.G, c.B, 255}
}

// pictureView shows one of the two pictures. Both show the same part: the wheel zooms where the pointer is, dragging and the arrow
// keys move, plus, minus and 0 zoom, a tap highlights the pixels of an index.
type pictureView struct {
	widgets.PixelArea
	s    *screen
	side Side

	dragged fyne.Delta
}

var (
	_ fyne.Tappable     = (*pictureView)(nil)
	_ fyne.Draggable    = (*pictureView)(nil)
	_ fyne.Scrollable   = (*pictureView)(nil)
	_ fyne.Focusable    = (*pictureView)(nil)
	_ desktop.Hoverable = (*pictureView)(nil)
)

func newPictureView(s *screen, side Side) *pictureView {
	v := &pictureView{s: s, side: side}
	v.Setup(v, fyne.NewSize(60, 60), v.render)
	return v
}

func (v *pictureView) render(dst *image.RGBA) {
	s := v.s
	if s.open == nil {
		fill(dst, dst.Rect, opaque(fynetheme.ColorNameInputBackground))
		return
	}
	size := dst.Rect.Size()
	switch {
	case !s.fitted:
		s.view, s.fitted = widgets.FitPixels(s.open.Size, size), true
		s.showZoom()
	case s.window != size:
		s.view = s.view.Clamp(s.open.Size, size)
	}
	s.window = size
	drawPicture(dst, s.open, v.side, s.view, s.show(), opaque(fynetheme.ColorNameInputBackground))
}

// Tapped implements fyne.Tappable.
func (v *pictureView) Tapped(e *fyne.PointEvent) {
	v.s.focus(v)
	if p := v.s.open; p != nil {
		if at := v.s.view.Pixel(v.Device(e.Position)); p.In(at) {
			v.s.pickIndex(int(p.Index(at)))
		}
	}
}

// Dragged implements fyne.Draggable.
func (v *pictureView) Dragged(e *fyne.DragEvent) {
	scale := v.Scale()
	v.dragged.DX += e.Dragged.DX * scale
	v.dragged.DY += e.Dragged.DY * scale
	by := image.Pt(int(v.dragged.DX), int(v.dragged.DY))
	v.dragged.DX -= float32(by.X)
	v.dragged.DY -= float32(by.Y)
	v.s.move(image.Point{}.Sub(by))
}

// DragEnd implements fyne.Draggable.
func (v *pictureView) DragEnd() { v.dragged = fyne.Delta{} }

// Scrolled implements fyne.Scrollable.
func (v *pictureView) Scrolled(e *fyne.ScrollEvent) {
	switch {
	case e.Scrolled.DY > 0:
		v.s.zoom(1, v.Device(e.Position))
	case e.Scrolled.DY < 0:
		v.s.zoom(-1, v.Device(e.Position))
	}
}

// MouseIn implements desktop.Hoverable.
func (v *pictureView) MouseIn(e *desktop.MouseEvent) { v.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable.
func (v *pictureView) MouseMoved(e *desktop.MouseEvent) {
	v.s.point(v.s.view.Pixel(v.Device(e.Position)))
}

// MouseOut implements desktop.Hoverable.
func (v *pictureView) MouseOut() { v.s.point(nowhere) }

// FocusGained implements fyne.Focusable.
func (v *pictureView) FocusGained() {}

// FocusLost implements fyne.Focusable.
func (v *pictureView) FocusLost() {}

// TypedRune implements fyne.Focusable.
func (v *pictureView) TypedRune(r rune) {
	switch r {
	case '+', '=':
		v.s.zoom(1, v.s.window.Div(2))
	case '-':
		v.s.zoom(-1, v.s.window.Div(2))
	case '0':
		v.s.fit()
	}
}

// TypedKey implements fyne.Focusable.
func (v *pictureView) TypedKey(e *fyne.KeyEvent) {
	const far = 48
	switch e.Name {
	case fyne.KeyLeft:
		v.s.move(image.Pt(-far, 0))
	case fyne.KeyRight:
		v.s.move(image.Pt(far, 0))
	case fyne.KeyUp:
		v.s.move(image.Pt(0, -far))
	case fyne.KeyDown:
		v.s.move(image.Pt(0, far))
	case fyne.KeyPageUp:
		v.s.move(image.Pt(0, -v.s.window.Y*3/4))
	case fyne.KeyPageDown:
		v.s.move(image.Pt(0, v.s.window.Y*3/4))
	case fyne.KeyEscape:
		v.s.pick(nothing())
	}
}

// gridView shows the palette. A tap, or Enter, highlights the pixels of a colour; the arrow keys go from one to the next.
type gridView struct {
	widgets.PixelArea
	s       *screen
	at      int // under the pointer or the keys, or -1
	focused bool
}

var (
	_ fyne.Tappable     = (*gridView)(nil)
	_ fyne.Focusable    = (*gridView)(nil)
	_ desktop.Hoverable = (*gridView)(nil)
)

func newGridView(s *screen) *gridView {
	g := &gridView{s: s, at: -1}
	g.Setup(g, fyne.NewSize(144, 144), g.render)
	return g
}

func (g *gridView) render(dst *image.RGBA) {
	hover := g.at
	if p := g.s.open; hover < 0 && p != nil && p.In(g.s.hover) {
		hover = int(p.Index(g.s.hover))
	}
	picked := g.s.picked.Index
	if o := g.s.picked.Odd; o >= 0 {
		picked = int(g.s.open.Odd[o].Index)
	}
	drawPalette(dst, g.s.open, hover, picked, opaque(theme.ColorNamePanel))
}

// Tapped implements fyne.Tappable.
func (g *gridView) Tapped(e *fyne.PointEvent) {
	g.s.focus(g)
	if i := gridAt(g.Room(), g.Device(e.Position)); i >= 0 {
		g.s.pickIndex(i)
	}
}

// MouseIn implements desktop.Hoverable.
func (g *gridView) MouseIn(e *desktop.MouseEvent) { g.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable.
func (g *gridView) MouseMoved(e *desktop.MouseEvent) {
	g.set(gridAt(g.Room(), g.Device(e.Position)))
}

// MouseOut implements desktop.Hoverable.
func (g *gridView) MouseOut() { g.set(-1) }

func (g *gridView) set(i int) {
	if g.at != i {
		g.at = i
		g.Redraw()
		g.s.describe()
	}
}

// FocusGained implements fyne.Focusable.
func (g *gridView) FocusGained() {
	g.focused = true
	if g.at < 0 {
		g.set(max(0, g.s.picked.Index))
	}
}

// FocusLost implements fyne.Focusable.
func (g *gridView) FocusLost() { g.focused = false; g.set(-1) }

// TypedRune implements fyne.Focusable.
func (g *gridView) TypedRune(r rune) {
	if r == ' ' && g.at >= 0 {
		g.s.pickIndex(g.at)
	}
}

// TypedKey implements fyne.Focusable.
func (g *gridView) TypedKey(e *fyne.KeyEvent) {
	by := map[fyne.KeyName]int{fyne.KeyLeft: -1, fyne.KeyRight: 1, fyne.KeyUp: -gridSide, fyne.KeyDown: gridSide}[e.Name]
	switch {
	case by != 0 && g.at+by >= 0 && g.at+by < 256:
		g.set(g.at + by)
	case (e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter) && g.at >= 0:
		g.s.pickIndex(g.at)
	case e.Name == fyne.KeyEscape:
		g.s.pick(nothing())
	}
}

// oddRow is a line of the list of colours that are not in the palette.
type oddRow struct {
	widget.BaseWidget
	from, to              *canvas.Rectangle
	name, distance, count *theme.Text
}

func newOddRow() *oddRow {
	r := &oddRow{from: canvas.NewRectangle(color.Transparent), to: canvas.NewRectangle(color.Transparent), name: theme.Mono(""), distance: theme.MonoMuted(""), count: theme.MonoMuted("")}
	r.name.Truncate = theme.TruncateEnd
	r.distance.Align, r.count.Align = fyne.TextAlignTrailing, fyne.TextAlignTrailing
	r.ExtendBaseWidget(r)
	return r
}

func (r *oddRow) set(o Odd) {
	r.from.FillColor, r.to.FillColor = o.Color, palette.Color(o.Index)
	r.from.Refresh()
	r.to.Refresh()
	r.name.SetText(hex(o.Color))
	r.distance.SetText(offText(o))
	r.count.SetText(ui.Count(int64(o.Pixels)))
}

// CreateRenderer implements fyne.Widget.
func (r *oddRow) CreateRenderer() fyne.WidgetRenderer { return &oddRowRenderer{r} }

type oddRowRenderer struct{ r *oddRow }

func (r *oddRowRenderer) Destroy()           {}
func (r *oddRowRenderer) MinSize() fyne.Size { return fyne.NewSize(150, 20) }
func (r *oddRowRenderer) Refresh()           { r.Layout(r.r.Size()); canvas.Refresh(r.r) }
func (r *oddRowRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.r.from, r.r.to, r.r.name, r.r.distance, r.r.count}
}

func (r *oddRowRenderer) Layout(size fyne.Size) {
	put := func(o fyne.CanvasObject, x, y, width, height float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(max(0, width), height))
	}
	const swatch = 14
	y := (size.Height - swatch) / 2
	put(r.r.from, 10, y, swatch, swatch)
	put(r.r.to, 10+swatch, y, swatch, swatch)
	right := size.Width - 8
	put(r.r.count, right-38, 0, 38, size.Height)
	put(r.r.distance, right-80, 0, 38, size.Height)
	put(r.r.name, 46, 0, right-80-46, size.Height)
}

// pairLayout puts the two pictures side by side, each as wide as the other, with a bar between them.
type pairLayout struct{}

func (pairLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(180, 120) }

func (pairLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	const gap = 5
	half := float32(int((size.Width - gap) / 2))
	o[0].Move(fyne.Position{})
	o[0].Resize(fyne.NewSize(half, size.Height))
	o[1].Move(fyne.NewPos(half, 0))
	o[1].Resize(fyne.NewSize(gap, size.Height))
	o[2].Move(fyne.NewPos(half+gap, 0))
	o[2].Resize(fyne.NewSize(half, size.Height))
}

// panelLayout puts the palette, as large as fits, above what is said about it, and gives the list the rest.
type panelLayout struct{}

const panelPad = 10

func (panelLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(168, 220) }

func (panelLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	side := min(size.Width-2*panelPad, max(144, size.Height*0.48), 320)
	o[0].Move(fyne.NewPos(panelPad, panelPad))
	o[0].Resize(fyne.NewSquareSize(side))
	y := panelPad + side + 6
	text := widgets.HeightFor(o[1], size.Width-2*panelPad)
	o[1].Move(fyne.NewPos(panelPad, y))
	o[1].Resize(fyne.NewSize(size.Width-2*panelPad, text))
	y += text + 6
	o[2].Move(fyne.NewPos(0, y))
	o[2].Resize(fyne.NewSize(size.Width, 1))
	o[3].Move(fyne.NewPos(0, y+1))
	o[3].Resize(fyne.NewSize(size.Width, max(0, size.Height-y-1)))
}

// landingLayout puts what the screen is for above what was opened lately, in the middle.
type landingLayout struct{}

const landingWidth = 520

func (landingLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(280, 200) }

func (landingLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	width := min(size.Width-32, landingWidth)
	heights := [2]float32{widgets.HeightFor(o[0], width), widgets.HeightFor(o[1], width)}
	y := max(16, (size.Height-heights[0]-heights[1]-12)/2)
	for i := range o {
		o[i].Move(fyne.NewPos((size.Width-width)/2, y))
		o[i].Resize(fyne.NewSize(width, heights[i]))
		y += heights[i] + 12
	}
}
