package stage

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
)

// A bar has the buttons and switches below the picture. What does not fit its width is left out from the right.
type bar struct {
	widget.BaseWidget

	s                             *Stage
	out, zoom, in, fit            *chip
	names, grid, frames, outlines *chip
	before, split, after          *chip
}

func newBar(s *Stage) *bar {
	b := &bar{s: s}
	b.out = newChip(s, "−", "Zoom out (−)", func() { s.step(false) })
	b.zoom = newChip(s, "100 %", "A world unit as a pixel (1)", s.Actual)
	b.in = newChip(s, "+", "Zoom in (+)", func() { s.step(true) })
	b.fit = newChip(s, "Fit", "Show everything (0)", s.Fit)
	b.names = newChip(s, "Names", "Names of entities (N)", func() { s.ShowNames(!s.names) })
	b.grid = newChip(s, "Grid", "Grid (G)", func() { s.ShowGrid(!s.show.Grid) })
	b.frames = newChip(s, "Camera", "What the camera sees (C)", func() { s.ShowFrames(!s.show.Frames) })
	b.outlines = newChip(s, "Outlines", "Lights, colliders and marks (O)", func() { s.ShowOutlines(!s.show.Outlines) })
	b.before = newChip(s, "Before", "The state before alone", func() { s.SetDivider(1) })
	b.split = newChip(s, "Split", "Both states, with a line to drag ([ and ])", func() { s.SetDivider(0.5) })
	b.after = newChip(s, "After", "The state after alone", func() { s.SetDivider(0) })
	b.ExtendBaseWidget(b)
	b.update()
	return b
}

func (b *bar) chips() []*chip {
	all := []*chip{b.out, b.zoom, b.in, b.fit}
	if b.s.comparing() {
		all = append(all, b.before, b.split, b.after)
	}
	return append(all, b.names, b.frames, b.outlines, b.grid)
}

// update shows the state of the stage.
func (b *bar) update() {
	s := b.s
	percent := s.Zoom() * 100
	text := fmt.Sprintf("%.0f %%", percent)
	if percent < 10 {
		text = fmt.Sprintf("%.1f %%", percent)
	}
	b.zoom.set(text, false)
	b.names.set(b.names.text, s.names)
	b.grid.set(b.grid.text, s.show.Grid)
	b.frames.set(b.frames.text, s.show.Frames)
	b.outlines.set(b.outlines.text, s.show.Outlines)
	b.before.set(b.before.text, s.divider >= 1)
	b.split.set(b.split.text, s.divider > 0 && s.divider < 1)
	b.after.set(b.after.text, s.divider <= 0)
	if two := s.comparing(); b.before.Hidden == two {
		b.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (b *bar) CreateRenderer() fyne.WidgetRenderer {
	r := &barRenderer{b: b, back: canvas.NewRectangle(nil), line: canvas.NewRectangle(nil)}
	r.objects = []fyne.CanvasObject{r.back, r.line, b.out, b.zoom, b.in, b.fit, b.names, b.grid, b.frames, b.outlines, b.before, b.split, b.after}
	r.Refresh()
	return r
}

type barRenderer struct {
	b          *bar
	back, line *canvas.Rectangle
	objects    []fyne.CanvasObject
}

func (r *barRenderer) Destroy()                     {}
func (r *barRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *barRenderer) MinSize() fyne.Size           { return fyne.NewSize(160, 28) }

func (r *barRenderer) Layout(size fyne.Size) {
	r.back.Resize(size)
	r.line.Resize(fyne.NewSize(size.Width, 1))
	for _, c := range []*chip{r.b.before, r.b.split, r.b.after} {
		c.Hide()
	}
	const gap = 4
	x := float32(gap)
	for _, c := range r.b.chips() {
		w := c.MinSize().Width
		if c == r.b.zoom {
			w = max(w, 58) // so that the others stay where they are
		}
		if c == r.b.names || c == r.b.before {
			x += 2 * gap
		}
		c.Hidden = x+w > size.Width-gap
		c.Resize(fyne.NewSize(w, 22))
		c.Move(fyne.NewPos(x, (size.Height-22)/2))
		x += w + gap
	}
}

func (r *barRenderer) Refresh() {
	r.back.FillColor = theme.Color(theme.ColorNamePanel)
	r.line.FillColor = theme.Color(theme.ColorNameHairline)
	r.Layout(r.b.Size())
	for _, o := range r.objects {
		o.Refresh()
	}
}

// A chip is a small button with a word that may be switched on.
type chip struct {
	widget.BaseWidget

	s                *Stage
	text, hint       string
	on               bool
	press            func()
	hovered, focused bool
}

var (
	_ fyne.Tappable     = (*chip)(nil)
	_ fyne.Focusable    = (*chip)(nil)
	_ desktop.Hoverable = (*chip)(nil)
)

func newChip(s *Stage, text, hint string, press func()) *chip {
	c := &chip{s: s, text: text, hint: hint, press: press}
	c.ExtendBaseWidget(c)
	return c
}

func (c *chip) set(text string, on bool) {
	if c.text != text || c.on != on {
		c.text, c.on = text, on
		c.Refresh()
	}
}

// Tapped implements fyne.Tappable.
func (c *chip) Tapped(*fyne.PointEvent) { c.press() }

// TypedKey implements fyne.Focusable.
func (c *chip) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		c.press()
	}
}

// TypedRune implements fyne.Focusable.
func (c *chip) TypedRune(rune) {}

// FocusGained implements fyne.Focusable.
func (c *chip) FocusGained() {
	c.focused = true
	c.tell(c.hint)
	c.Refresh()
}

// FocusLost implements fyne.Focusable.
func (c *chip) FocusLost() {
	c.focused = false
	c.tell("")
	c.Refresh()
}

// MouseIn implements desktop.Hoverable.
func (c *chip) MouseIn(*desktop.MouseEvent) {
	c.hovered = true
	c.tell(c.hint)
	c.Refresh()
}

// MouseMoved implements desktop.Hoverable.
func (c *chip) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (c *chip) MouseOut() {
	c.hovered = false
	c.tell("")
	c.Refresh()
}

func (c *chip) tell(hint string) {
	if c.s.OnHint != nil {
		c.s.OnHint(hint)
	}
}

// CreateRenderer implements fyne.Widget.
func (c *chip) CreateRenderer() fyne.WidgetRenderer {
	r := &chipRenderer{c: c, back: canvas.NewRectangle(nil), text: theme.Caption("")}
	r.Refresh()
	return r
}

type chipRenderer struct {
	c    *chip
	back *canvas.Rectangle
	text *theme.Text
}

func (r *chipRenderer) Destroy()                     {}
func (r *chipRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.back, r.text} }

func (r *chipRenderer) MinSize() fyne.Size {
	return fyne.NewSize(max(22, r.text.MinSize().Width+14), 22)
}

func (r *chipRenderer) Layout(size fyne.Size) {
	r.back.Resize(size)
	m := r.text.MinSize()
	r.text.Resize(m)
	r.text.Move(fyne.NewPos((size.Width-m.Width)/2, (size.Height-m.Height)/2))
}

func (r *chipRenderer) Refresh() {
	c := r.c
	r.back.CornerRadius = theme.Size(theme.SizeNameRadius)
	r.back.StrokeColor, r.back.StrokeWidth = theme.Color(theme.ColorNameCardBorder), 1
	r.back.FillColor = theme.Color(theme.ColorNameCard)
	colour := theme.ColorNameMuted
	if c.on {
		r.back.FillColor, r.back.StrokeColor = theme.Color(theme.ColorNameAccentSoft), theme.Color(theme.ColorNameAccent)
		colour = fynetheme.ColorNameForeground
	}
	if c.hovered {
		colour = fynetheme.ColorNameForeground
	}
	if c.focused {
		r.back.StrokeColor, r.back.StrokeWidth = theme.Color(fynetheme.ColorNameFocus), 2
	}
	r.text.Text, r.text.ColorName = c.text, colour
	r.text.Refresh()
	r.back.Refresh()
	r.Layout(c.Size())
}
