package widgets

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
)

const pathRowHeight = 22

// PathRow is a line that leads to a file: an icon, its path in the monospaced face, and a word about it at the end. It is
// as wide as the room; a path that is too long loses its middle.
type PathRow struct {
	control

	icon fyne.Resource
	text *theme.Text
	note *theme.Text
}

// NewPathRow makes a row. tapped may be nil for a row that leads nowhere; icon and note may be missing.
func NewPathRow(icon fyne.Resource, path, note string, tapped func()) *PathRow {
	r := &PathRow{icon: icon, text: theme.Mono(path), note: theme.Caption(note)}
	r.setup(r, func() { call(tapped) })
	r.disabled = tapped == nil
	return r
}

// Path gives the path shown.
func (r *PathRow) Path() string { return r.text.Text }

// SetPlain shows the text in the normal face, for what is not a path.
func (r *PathRow) SetPlain() *PathRow {
	r.text.Style.Monospace, r.text.SizeName = false, fynetheme.SizeNameText
	return r
}

// SetMuted shows the text in the muted colour, for what matters less.
func (r *PathRow) SetMuted() *PathRow {
	r.text.ColorName = theme.ColorNameMuted
	return r
}

// SetStrong shows the text in bold, for the one that everything is about.
func (r *PathRow) SetStrong() *PathRow {
	r.text.Style.Bold = true
	return r
}

// CreateRenderer implements fyne.Widget.
func (r *PathRow) CreateRenderer() fyne.WidgetRenderer {
	n := &pathRowRenderer{r: r, back: canvas.NewRectangle(color.Transparent), icon: canvas.NewImageFromResource(r.icon)}
	n.icon.FillMode = canvas.ImageFillContain
	n.icon.Hidden = r.icon == nil
	n.Refresh()
	return n
}

type pathRowRenderer struct {
	r    *PathRow
	back *canvas.Rectangle
	icon *canvas.Image
}

func (n *pathRowRenderer) Destroy()           {}
func (n *pathRowRenderer) MinSize() fyne.Size { return fyne.NewSize(80, pathRowHeight) }
func (n *pathRowRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{n.back, n.icon, n.r.text, n.r.note}
}

func (n *pathRowRenderer) Layout(size fyne.Size) {
	n.back.Resize(size)
	const side, gap = 14, 6
	x := float32(gap)
	if n.r.icon != nil {
		n.icon.Move(fyne.NewPos(x, (size.Height-side)/2))
		n.icon.Resize(fyne.NewSquareSize(side))
		x += side + gap
	}
	right := size.Width - gap
	if n.r.note.Text != "" {
		width := n.r.note.MinSize().Width
		right -= width
		n.r.note.Move(fyne.NewPos(right, 0))
		n.r.note.Resize(fyne.NewSize(width, size.Height))
		right -= gap
	}
	n.r.text.Move(fyne.NewPos(x, 0))
	n.r.text.Resize(fyne.NewSize(max(0, right-x), size.Height))
}

func (n *pathRowRenderer) Refresh() {
	n.back.FillColor, n.back.CornerRadius = color.Transparent, 4
	if n.r.hovered && !n.r.disabled {
		n.back.FillColor = theme.Color(fynetheme.ColorNameHover)
	}
	ring(n.back, n.r.focused)
	n.Layout(n.r.Size())
	n.back.Refresh()
	n.icon.Refresh()
	n.r.text.Refresh()
	n.r.note.Refresh()
}

// Trail shows steps that lead from one to the next, from top to bottom, with a line along them.
type Trail struct {
	widget.BaseWidget

	steps []*PathRow
}

// NewTrail joins rows with a line; the last one is where the steps lead to.
func NewTrail(steps ...*PathRow) *Trail {
	t := &Trail{steps: steps}
	t.ExtendBaseWidget(t)
	return t
}

// CreateRenderer implements fyne.Widget.
func (t *Trail) CreateRenderer() fyne.WidgetRenderer {
	t.ExtendBaseWidget(t)
	r := &trailRenderer{t: t, line: canvas.NewRectangle(nil)}
	for range t.steps {
		r.dots = append(r.dots, canvas.NewCircle(nil))
	}
	r.Refresh()
	return r
}

type trailRenderer struct {
	t    *Trail
	line *canvas.Rectangle
	dots []*canvas.Circle
}

const (
	trailGutter = 16
	trailDot    = 7
)

func (r *trailRenderer) Destroy() {}

func (r *trailRenderer) MinSize() fyne.Size {
	return fyne.NewSize(trailGutter+80, pathRowHeight*float32(len(r.t.steps)))
}

func (r *trailRenderer) Objects() []fyne.CanvasObject {
	objects := []fyne.CanvasObject{r.line}
	for i, s := range r.t.steps {
		objects = append(objects, r.dots[i], s)
	}
	return objects
}

func (r *trailRenderer) Layout(size fyne.Size) {
	n := float32(len(r.t.steps))
	r.line.Move(fyne.NewPos(trailGutter/2-1, pathRowHeight/2))
	r.line.Resize(fyne.NewSize(1, max(0, n-1)*pathRowHeight))
	for i, s := range r.t.steps {
		y := float32(i) * pathRowHeight
		r.dots[i].Move(fyne.NewPos((trailGutter-trailDot)/2-0.5, y+(pathRowHeight-trailDot)/2))
		r.dots[i].Resize(fyne.NewSquareSize(trailDot))
		s.Move(fyne.NewPos(trailGutter, y))
		s.Resize(fyne.NewSize(size.Width-trailGutter, pathRowHeight))
	}
}

func (r *trailRenderer) Refresh() {
	r.line.FillColor = theme.Color(theme.ColorNameMuted)
	for i, d := range r.dots {
		d.FillColor = theme.Color(theme.ColorNameMuted)
		if i == len(r.dots)-1 {
			d.FillColor = theme.Color(theme.ColorNameAccent)
		}
		d.Refresh()
	}
	r.line.Refresh()
	for _, s := range r.t.steps {
		s.Refresh()
	}
	r.Layout(r.t.Size())
}
