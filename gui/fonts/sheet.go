package fonts

import (
	"fmt"
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"talebinder/gui/theme"
	"talebinder/gui/widgets"
)

// sheetView shows the grid image or the atlas. The wheel zooms where the pointer is, dragging and the arrow keys move it, plus,
// minus and 0 zoom, and a tap chooses the glyph there.
type sheetView struct {
	widgets.PixelArea
	s *screen

	view    widgets.PixelView
	fitted  bool        // a view was chosen for the picture that there is
	auto    bool        // it shows all of it, and goes on doing so when the window changes
	window  image.Point // that the view was fitted into
	dragged fyne.Delta
	focused bool
}

var (
	_ fyne.Tappable   = (*sheetView)(nil)
	_ fyne.Draggable  = (*sheetView)(nil)
	_ fyne.Scrollable = (*sheetView)(nil)
	_ fyne.Focusable  = (*sheetView)(nil)
)

func newSheetView(s *screen) *sheetView {
	v := &sheetView{s: s}
	v.Setup(v, fyne.NewSize(80, 80), v.render)
	return v
}

// picture is the size of what is shown.
func (v *sheetView) picture() image.Point {
	w := v.s.work
	switch {
	case w == nil:
	case v.s.atlas:
		if f := w.Font(); f != nil {
			return image.Pt(f.Atlas.Width, f.Atlas.Height)
		}
	case w.Sheet() != nil:
		return w.Sheet().Rect.Size()
	}
	return image.Point{}
}

func (v *sheetView) render(dst *image.RGBA) {
	w := v.s.work
	if w == nil {
		return
	}
	size := dst.Rect.Size()
	v.settle(size)
	o := v.s.overlay
	o.Glyph = v.s.glyph
	o.Spots = nil
	if p := v.s.problem; p != nil && p.Atlas == v.s.atlas {
		o.Spots = p.Spots
	}
	if v.s.atlas {
		drawAtlas(dst, w, v.view, o, themeColors())
	} else {
		drawSheet(dst, w, v.view, o, themeColors())
	}
}

// settle makes the view one of a window of a size.
func (v *sheetView) settle(size image.Point) {
	if !v.fitted || v.auto && v.window != size {
		v.view, v.fitted, v.auto = widgets.FitPixels(v.picture(), size), true, true
		v.s.showZoom()
	} else if v.window != size {
		v.view = v.view.Clamp(v.picture(), size)
	}
	v.window = size
}

// fit shows all of it.
func (v *sheetView) fit() {
	v.fitted = false
	v.Redraw()
}

// zoom steps the enlargement around a place, or around the chosen glyph when there is none.
func (v *sheetView) zoom(by int, place image.Point) {
	v.set(v.view.ZoomAt(v.view.Step(by), place))
	v.s.showZoom()
}

func (v *sheetView) middle() image.Point { return v.window.Div(2) }

func (v *sheetView) set(view widgets.PixelView) {
	v.auto = false
	v.view = view.Clamp(v.picture(), v.window)
	v.Redraw()
}

// reveal brings a part of the picture into sight, enlarged at least as much as a step says.
func (v *sheetView) reveal(r image.Rectangle, zoom int) {
	if room := v.Room(); room.X > 0 && room.Y > 0 {
		v.settle(room)
		if v.view.Zoom < zoom {
			v.view = v.view.ZoomAt(zoom, v.view.Rect(r).Min)
			v.auto = false
			v.s.showZoom()
		}
		v.view = v.view.Clamp(v.picture(), v.window).Reveal(r, v.picture(), v.window)
	}
	v.Redraw()
}

// spotZoom is how large the place of a problem is shown at least: single pixels have to be seen.
const spotZoom = 4

// Tapped implements fyne.Tappable.
func (v *sheetView) Tapped(e *fyne.PointEvent) {
	v.s.focus(v)
	if v.s.work == nil {
		return
	}
	if i := glyphAt(v.s.work, v.view.Pixel(v.Device(e.Position)), v.s.atlas); i >= 0 {
		v.s.choose(i, fromSheet)
	}
}

// Dragged implements fyne.Draggable.
func (v *sheetView) Dragged(e *fyne.DragEvent) {
	s := v.Scale()
	v.dragged.DX += e.Dragged.DX * s
	v.dragged.DY += e.Dragged.DY * s
	by := image.Pt(int(v.dragged.DX), int(v.dragged.DY))
	v.dragged.DX -= float32(by.X)
	v.dragged.DY -= float32(by.Y)
	view := v.view
	view.At = view.At.Sub(by)
	v.set(view)
}

// DragEnd implements fyne.Draggable.
func (v *sheetView) DragEnd() { v.dragged = fyne.Delta{} }

// Scrolled implements fyne.Scrollable.
func (v *sheetView) Scrolled(e *fyne.ScrollEvent) {
	switch {
	case e.Scrolled.DY > 0:
		v.zoom(1, v.Device(e.Position))
	case e.Scrolled.DY < 0:
		v.zoom(-1, v.Device(e.Position))
	}
}

// FocusGained implements fyne.Focusable.
func (v *sheetView) FocusGained() { v.focused = true }

// FocusLost implements fyne.Focusable.
func (v *sheetView) FocusLost() { v.focused = false }

// TypedRune implements fyne.Focusable.
func (v *sheetView) TypedRune(r rune) {
	switch r {
	case '+', '=':
		v.zoom(1, v.middle())
	case '-':
		v.zoom(-1, v.middle())
	case '0':
		v.fit()
	}
}

// TypedKey implements fyne.Focusable.
func (v *sheetView) TypedKey(e *fyne.KeyEvent) {
	by := image.Point{}
	switch e.Name {
	case fyne.KeyLeft:
		by.X = -48
	case fyne.KeyRight:
		by.X = 48
	case fyne.KeyUp:
		by.Y = -48
	case fyne.KeyDown:
		by.Y = 48
	case fyne.KeyPageUp:
		by.Y = -v.window.Y * 3 / 4
	case fyne.KeyPageDown:
		by.Y = v.window.Y * 3 / 4
	default:
		return
	}
	view := v.view
	view.At = view.At.Add(by)
	v.set(view)
}

// buildCentre makes the picture with what is above it.
func (s *screen) buildCentre() fyne.CanvasObject {
	s.overlay = Overlay{Cells: true, Baseline: true, Pages: true, Marks: true}
	s.sheet = newSheetView(s)
	s.which = widgets.NewSegmented([]string{"Sheet", "Atlas"}, func(i int) { s.showAtlas(i == 1) })
	s.which.Load(0)
	s.zoomText = theme.Caption("").WithAlign(fyne.TextAlignCenter)
	smaller := widgets.NewIconButton(theme.Icon(theme.IconRemove), "Zoom out", func() { s.sheet.zoom(-1, s.sheet.middle()) })
	larger := widgets.NewIconButton(theme.Icon(theme.IconAdd), "Zoom in", func() { s.sheet.zoom(1, s.sheet.middle()) })
	fit := widgets.NewChip("Fit", false, nil)
	fit.OnChanged = func(bool) {
		fit.Load(false)
		s.sheet.fit()
	}
	bar := []fyne.CanvasObject{s.which, container.NewHBox(smaller, container.NewGridWrap(fyne.NewSize(26, 26), s.zoomText), larger), fit.Pressable}
	s.chips = map[string]*widgets.Chip{}
	for _, c := range []struct {
		word string
		at   *bool
	}{
		{"Cells", &s.overlay.Cells}, {"Boxes", &s.overlay.Boxes}, {"Baseline", &s.overlay.Baseline}, {"512 pages", &s.overlay.Pages},
		{"Padded", &s.overlay.Padded}, {"Marks", &s.overlay.Marks},
	} {
		chip := widgets.NewChip(c.word, *c.at, func(on bool) { *c.at = on; s.sheet.Redraw() })
		s.chips[c.word] = chip
		bar = append(bar, chip.Pressable)
	}
	palette := widgets.NewChip("Palette", true, func(on bool) { s.overlay.Raw = !on; s.redrawAll() })
	s.chips["Palette"] = palette
	bar = append(bar, palette.Pressable)
	strip := container.New(&widgets.FlowLayout{Gap: 6, Line: 26}, bar...)
	s.blank = widgets.NewEmptyState(theme.Icon(theme.IconImage), "", "")
	s.blank.Hide()
	body := container.NewStack(s.sheet, s.blank)
	return container.New(widgets.PageLayout{}, container.New(&widgets.PadLayout{Left: 8, Top: 6, Right: 8, Bottom: 6}, strip),
		widgets.NewGround(theme.ColorNameHairline, 0), body)
}

// showAtlas turns between the grid image and the packed atlas.
func (s *screen) showAtlas(on bool) {
	if s.atlas == on {
		return
	}
	s.atlas = on
	s.which.Load(map[bool]int{false: 0, true: 1}[on])
	s.sheet.fitted = false
	s.showBlank()
	s.sheet.Redraw()
	s.revealChosen()
}

// showBlank explains why there is no picture.
func (s *screen) showBlank() {
	w := s.work
	missing := w != nil && s.sheet.picture() == (image.Point{})
	if missing && s.atlas {
		text := "The font cannot be packed yet."
		if err := w.Result().Err; err != nil {
			text = w.failure(err).Text
		}
		s.blank.Set("No atlas", text)
	} else if missing {
		s.blank.Set("No sheet", "A grid image of this font would be too large to be shown. The atlas is all there is to see.")
	}
	s.blank.Hidden = !missing
	s.sheet.Hidden = missing
	s.blank.Refresh()
	s.sheet.Refresh()
}

func (s *screen) showZoom() { s.zoomText.SetText(fmt.Sprintf("%d×", s.sheet.view.Zoom)) }

// revealChosen brings the chosen glyph into sight, or the places of the chosen problem.
func (s *screen) revealChosen() {
	if s.work == nil {
		return
	}
	if p := s.problem; p != nil && p.Atlas == s.atlas && len(p.Spots) > 0 {
		s.sheet.reveal(p.Spots[0].Rect, spotZoom)
		return
	}
	if r, ok := glyphRect(s.work, s.glyph, s.atlas); ok {
		s.sheet.reveal(r, 1)
		return
	}
	s.sheet.Redraw()
}
