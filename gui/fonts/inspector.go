package fonts

import (
	"fmt"
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"

	pack "talebinder/export/fonts"
	"talebinder/formats/jazz2/charlist"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// glyphView shows the chosen glyph large, with lines for the pen, the baseline and the advance, which can be dragged.
type glyphView struct {
	widgets.PixelArea
	s *screen

	dragging bool
	near     bool // the pointer is where the line can be taken
}

var (
	_ fyne.Draggable     = (*glyphView)(nil)
	_ fyne.Focusable     = (*glyphView)(nil)
	_ fyne.Tappable      = (*glyphView)(nil)
	_ desktop.Hoverable  = (*glyphView)(nil)
	_ desktop.Cursorable = (*glyphView)(nil)
)

func newGlyphView(s *screen) *glyphView {
	v := &glyphView{s: s}
	v.Setup(v, fyne.NewSize(120, 220), v.render)
	return v
}

func (v *glyphView) render(dst *image.RGBA) {
	g, ok := v.s.chosen()
	if !ok {
		brush{dst}.fill(dst.Rect, themeColors().Back)
		return
	}
	drawGlyph(dst, v.s.work, g, StageOf(v.s.work, g, dst.Rect.Size()), v.s.advance(g), v.s.overlay.Raw, themeColors())
}

// grab is how far from the line, in device pixels, it can be taken.
const grab = 9

func (v *glyphView) over(at fyne.Position) bool {
	g, ok := v.s.chosen()
	if !ok || v.s.work.listErr != nil {
		return false
	}
	x := StageOf(v.s.work, g, v.Room()).X(v.s.advance(g))
	d := v.Device(at).X - x
	return d >= -grab && d <= grab
}

// Dragged implements fyne.Draggable.
func (v *glyphView) Dragged(e *fyne.DragEvent) {
	g, ok := v.s.chosen()
	if !ok {
		return
	}
	if !v.dragging {
		if !v.over(e.Position.SubtractXY(e.Dragged.DX, e.Dragged.DY)) {
			return
		}
		v.dragging = true
	}
	v.s.dragAdvance(StageOf(v.s.work, g, v.Room()).Advance(v.Device(e.Position).X))
}

// DragEnd implements fyne.Draggable.
func (v *glyphView) DragEnd() {
	if v.dragging {
		v.dragging = false
		v.s.dropAdvance()
	}
}

// Tapped implements fyne.Tappable.
func (v *glyphView) Tapped(*fyne.PointEvent) { v.s.focus(v) }

// TypedRune implements fyne.Focusable.
func (v *glyphView) TypedRune(rune) {}

// FocusGained implements fyne.Focusable.
func (v *glyphView) FocusGained() {}

// FocusLost implements fyne.Focusable.
func (v *glyphView) FocusLost() {}

// TypedKey implements fyne.Focusable: the arrows move the advance, and lead to the glyphs beside.
func (v *glyphView) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyLeft:
		v.s.stepAdvance(-1)
	case fyne.KeyRight:
		v.s.stepAdvance(1)
	case fyne.KeyUp:
		v.s.next(-1)
	case fyne.KeyDown:
		v.s.next(1)
	}
}

// MouseIn implements desktop.Hoverable.
func (v *glyphView) MouseIn(e *desktop.MouseEvent) { v.near = v.over(e.Position) }

// MouseMoved implements desktop.Hoverable.
func (v *glyphView) MouseMoved(e *desktop.MouseEvent) { v.near = v.over(e.Position) }

// MouseOut implements desktop.Hoverable.
func (v *glyphView) MouseOut() { v.near = false }

// Cursor implements desktop.Cursorable.
func (v *glyphView) Cursor() desktop.Cursor {
	if v.near || v.dragging {
		return desktop.HResizeCursor
	}
	return desktop.DefaultCursor
}

// coverageTab is the page of the inspector with what the font lacks.
const coverageTab = 2

// inspector is the part at the right: the chosen glyph, the numbers and limits of the font, and what it lacks. A panel is one of its
// pages.
type inspector struct {
	s       *screen
	pages   *widgets.Segmented
	panels  []fyne.CanvasObject
	numbers *widgets.Column // the second panel
	lacks   *coveragePage
	front   *fyne.Container
	object  fyne.CanvasObject

	sign, name, code *theme.Text
	view             *glyphView
	advance          *number
	facts            [4]*theme.Text
	settings         [len(settingTable)]*number
	meters           []*limitRow
	area             *widgets.Note
}

func newInspector(s *screen) *inspector {
	p := &inspector{s: s, lacks: newCoveragePage(s)}
	p.numbers = p.fontPanel()
	p.panels = []fyne.CanvasObject{p.glyphPanel(), p.numbers, p.lacks.object}
	p.pages = widgets.NewSegmented([]string{"Glyph", "Font", "Coverage"}, p.turn)
	p.front = container.NewStack(p.panels[0])
	p.pages.Load(0)
	p.object = container.New(widgets.PageLayout{}, container.New(&widgets.PadLayout{Left: 8, Top: 6, Right: 8, Bottom: 6}, container.New(snugLayout{}, p.pages)),
		widgets.NewGround(theme.ColorNameHairline, 0), p.front)
	return p
}

func (p *inspector) turn(i int) {
	p.pages.Load(i)
	p.front.Objects[0] = p.panels[i]
	p.front.Refresh()
}

func (p *inspector) glyphPanel() *widgets.Column {
	p.sign, p.name, p.code = theme.Heading(""), theme.Caption("").WithTruncation(theme.TruncateEnd), theme.Mono("").WithAlign(fyne.TextAlignTrailing)
	p.view = newGlyphView(p.s)
	p.advance = newNumber("Advance", func(v int) error { return p.s.setAdvance(v) })
	var rows []fyne.CanvasObject
	for i, title := range []string{"Bearing", "Draws", "Cell", "On the atlas"} {
		p.facts[i] = theme.Mono("")
		p.facts[i].Align = fyne.TextAlignTrailing
		rows = append(rows, container.New(factLayout{}, theme.Muted(title), p.facts[i]))
	}
	head := widgets.NewStack(1, container.New(factLayout{}, p.sign, p.code), p.name)
	column := widgets.NewColumn(widgets.NewPad(10, widgets.NewStack(8, append([]fyne.CanvasObject{head, p.view, p.advance.object}, rows...)...)))
	p.advance.outer, p.advance.entry.Outer = column, column
	return column
}

func (p *inspector) fontPanel() *widgets.Column {
	items := []fyne.CanvasObject{theme.Overline("Numbers")}
	for _, setting := range []Setting{LineHeight, BaseSpacing, CellWidth, CellHeight, Columns} {
		n := newNumber(setting.String(), func(v int) error { return p.s.set(setting, v) })
		p.settings[setting] = n
		items = append(items, n.object)
	}
	items = append(items, theme.Overline("Limits"))
	for name := pack.AtlasWidth; name <= pack.OtherGlyphs; name++ {
		row := newLimitRow(p.s, upperFirst(name.String()))
		p.meters = append(p.meters, row)
		items = append(items, row.object)
	}
	p.area = widgets.NewNote("", widgets.Neutral)
	items = append(items, p.area)
	column := widgets.NewColumn(widgets.NewPad(10, widgets.NewStack(7, items...)))
	for _, n := range p.settings {
		n.outer, n.entry.Outer = column, column
	}
	return column
}

// showGlyph brings the first page up to date.
func (p *inspector) showGlyph() {
	g, ok := p.s.chosen()
	if !ok {
		p.sign.SetText("No glyph")
		p.name.SetText("Choose one in the list or on the sheet.")
		p.code.SetText("")
		for _, f := range p.facts {
			f.SetText("")
		}
		p.advance.load(0, errNothingChosen)
		p.view.Redraw()
		return
	}
	p.sign.SetText(g.Text())
	p.name.SetText(g.Name())
	p.code.SetText(charlist.CodeName(g.Code))
	var reason error
	if p.s.work.listErr != nil {
		reason = errMend
	}
	p.advance.load(p.s.advance(g), reason)
	texts := [4]string{"–", "nothing", "", "–"}
	if g.Width > 0 {
		texts[0], texts[1] = fmt.Sprintf("%d, %d", g.Bearing.X, g.Bearing.Y), fmt.Sprintf("%d × %d", g.Width, g.Height)
		if packed := p.s.work.packed(g.Index); packed != nil {
			texts[3] = fmt.Sprintf("%d, %d", packed.X, packed.Y)
		}
	}
	column, row := p.s.work.list.Place(g.Index)
	texts[2] = fmt.Sprintf("%d: column %d, row %d", g.Index, column, row)
	for i, text := range texts {
		p.facts[i].SetText(text)
	}
	p.view.Redraw()
}

// showFont brings the second page up to date.
func (p *inspector) showFont() {
	w := p.s.work
	if w == nil {
		return
	}
	for s, n := range p.settings {
		n.load(w.Value(Setting(s)), w.CanSet(Setting(s)))
	}
	r := w.Result()
	for i, row := range p.meters {
		row.object.Hidden = true
		for _, l := range r.Limits {
			if int(l.Name) == i {
				row.object.Hidden = false
				row.set(l)
			}
		}
	}
	text := ""
	if f := r.Font; f != nil {
		width, height := padded(f.Atlas.Width), padded(f.Atlas.Height)
		text = fmt.Sprintf("Consoles pay for %d × %d, a texture of %s; the atlas itself has %s.", width, height,
			ui.Size(int64(width*height)), ui.Size(int64(f.Atlas.Width*f.Atlas.Height)))
	}
	p.area.Set(text, widgets.Neutral)
	p.numbers.Relayout()
}

// limitRow shows how much of a limit is used. A press leads to the glyph that uses it.
type limitRow struct {
	value  *theme.Text
	meter  *widgets.Meter
	object *widgets.Pressable
	glyph  int
}

func newLimitRow(s *screen, title string) *limitRow {
	r := &limitRow{value: theme.Mono(""), meter: widgets.NewMeter(4), glyph: -1}
	r.value.Align = fyne.TextAlignTrailing
	r.object = widgets.NewPressable(widgets.NewStack(3, container.New(factLayout{}, theme.Body(title), r.value), r.meter), func() {
		if r.glyph >= 0 {
			s.choose(r.glyph, fromElsewhere)
		}
	})
	return r
}

func (r *limitRow) set(l pack.Limit) {
	r.glyph = l.Glyph
	r.value.SetText(fmt.Sprintf("%s / %s", ui.Count(int64(l.Value)), ui.Count(int64(l.Max))))
	share := float64(l.Value) / float64(l.Max)
	tone := fyne.ThemeColorName(theme.ColorNameAccent)
	switch {
	case share > 1:
		tone = fynetheme.ColorNameError
	case share > 0.9:
		tone = fynetheme.ColorNameWarning
	}
	r.value.SetColor("")
	if share > 1 {
		r.value.SetColor(fynetheme.ColorNameError)
	}
	r.meter.Set(min(share, 1), tone)
}

// factLayout puts a name at the left and its value at the right, which gives way.
type factLayout struct{}

func (factLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	a, b := o[0].MinSize(), o[1].MinSize()
	return fyne.NewSize(a.Width+8+b.Width, max(a.Height, b.Height))
}

func (factLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	a, b := o[0].MinSize(), o[1].MinSize()
	o[0].Move(fyne.NewPos(0, (size.Height-a.Height)/2))
	o[0].Resize(a)
	o[1].Move(fyne.NewPos(a.Width+8, (size.Height-b.Height)/2))
	o[1].Resize(fyne.NewSize(max(0, size.Width-a.Width-8), b.Height))
}
