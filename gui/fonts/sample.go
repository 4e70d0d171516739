package fonts

import (
	"image"
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	hexcolor "talebinder/formats/color"
	"talebinder/gui/theme"
	"talebinder/gui/widgets"
)

// firstSample is shown until a person types something else.
const firstSample = "The quick brown fox jumps\nover 13 lazy dogs? ÄÖÜ àéîõ ß"

// sampleView shows the text as the game draws it; dragging moves a text that is too long.
type sampleView struct {
	widgets.PixelArea
	s *screen

	offset  fyne.Delta // in device pixels
	content image.Point
}

var (
	_ fyne.Draggable  = (*sampleView)(nil)
	_ fyne.Scrollable = (*sampleView)(nil)
)

func newSampleView(s *screen) *sampleView {
	v := &sampleView{s: s}
	v.Setup(v, fyne.NewSize(120, 60), v.render)
	return v
}

func (v *sampleView) render(dst *image.RGBA) {
	w := v.s.work
	if w == nil {
		return
	}
	sample := v.s.sample
	sample.Raw = v.s.overlay.Raw
	sample.Glyph = -1
	if v.s.dragged >= 0 {
		sample.Glyph, sample.Advance = v.s.glyph, v.s.dragged
	}
	sample.Offset = image.Pt(int(v.offset.DX), int(v.offset.DY))
	v.content = drawSample(dst, w.Result(), sample, themeColors())
}

func (v *sampleView) move(dx, dy float32) {
	room := v.Room()
	v.offset.DX = max(0, min(v.offset.DX+dx, float32(v.content.X-room.X)))
	v.offset.DY = max(0, min(v.offset.DY+dy, float32(v.content.Y-room.Y)))
	v.Redraw()
}

// Dragged implements fyne.Draggable.
func (v *sampleView) Dragged(e *fyne.DragEvent) {
	v.move(-e.Dragged.DX*v.Scale(), -e.Dragged.DY*v.Scale())
}

// DragEnd implements fyne.Draggable.
func (v *sampleView) DragEnd() {}

// Scrolled implements fyne.Scrollable.
func (v *sampleView) Scrolled(e *fyne.ScrollEvent) {
	if v.content.Y > v.Room().Y {
		v.move(-e.Scrolled.DX, -e.Scrolled.DY)
	} else {
		v.move(-e.Scrolled.DX-e.Scrolled.DY, 0)
	}
}

// buildSample makes the part at the bottom.
func (s *screen) buildSample() fyne.CanvasObject {
	s.sample = Sample{Text: s.settledText(), Zoom: 2, Color: color.RGBA{0x3a, 0x6e, 0x5c, 0xff}}
	s.view = newSampleView(s)
	s.text = widget.NewMultiLineEntry()
	s.text.SetMinRowsVisible(2)
	s.text.Wrapping = fyne.TextWrapOff
	s.text.SetPlaceHolder("Type what the game should say")
	s.text.SetText(s.sample.Text)
	s.text.OnChanged = func(text string) {
		s.sample.Text = text
		s.view.offset = fyne.Delta{}
		s.showSample()
	}
	zoom := widgets.NewSegmented([]string{"1×", "2×", "3×"}, func(i int) {
		s.sample.Zoom = i + 1
		s.view.offset = fyne.Delta{}
		s.view.Redraw()
	})
	zoom.Load(1)
	s.hex = widgets.NewMonoEntry()
	s.hex.SetPlaceHolder("#3A6E5C")
	s.hex.Load("#3A6E5C")
	s.hex.OnChanged = func(text string) {
		if c, err := hexcolor.Parse(text); err == nil {
			s.sample.Color = color.RGBA{c.R, c.G, c.B, 255}
			s.view.Redraw()
		}
	}
	hex := container.NewGridWrap(fyne.NewSize(86, s.hex.MinSize().Height), s.hex)
	hex.Hide()
	var controls *fyne.Container
	s.grounds = widgets.NewSegmented([]string{"Dark", "Light", "Chequer", "Colour"}, func(i int) {
		s.sample.Ground = Ground(i)
		hex.Hidden = s.sample.Ground != GroundColor
		controls.Refresh()
		s.view.Redraw()
	})
	s.grounds.Load(0)
	s.lacks = theme.Caption("").WithTruncation(theme.TruncateEnd)
	s.lacks.Align = fyne.TextAlignTrailing
	controls = container.New(&stripLayout{}, container.New(&widgets.FlowLayout{Gap: 8, Line: 30}, zoom, s.grounds, hex), s.lacks)
	s.zooms = zoom
	return container.New(sampleLayout{}, container.New(&widgets.PadLayout{Left: 10, Top: 5, Right: 10, Bottom: 5}, controls), s.text, s.view)
}

// showSample draws the text again and says what the font lacks for it.
func (s *screen) showSample() {
	text := ""
	if w := s.work; w != nil && w.Font() != nil {
		if list := missing(w.Result(), s.sample.Text); len(list) > 0 {
			more := ""
			if len(list) > 12 {
				list, more = list[:12], " …"
			}
			var words []string
			for _, r := range list {
				words = append(words, characterText(uint32(r)))
			}
			text = "The font lacks " + strings.Join(words, " ") + more
		}
	}
	if s.work != nil && s.work.Font() == nil {
		text = "Nothing to draw: the font is not packed"
	}
	s.lacks.SetText(text)
	s.view.Redraw()
}

// sampleLayout puts the controls above the text and what is drawn of it.
type sampleLayout struct{}

func (sampleLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(280, 96) }

func (sampleLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	const edge = 10
	strip := widgets.HeightFor(o[0], size.Width)
	o[0].Move(fyne.Position{})
	o[0].Resize(fyne.NewSize(size.Width, strip))
	text := min(max(size.Width*0.28, 150), 330)
	o[1].Move(fyne.NewPos(edge, strip))
	o[1].Resize(fyne.NewSize(text-edge, max(0, size.Height-strip-edge)))
	o[2].Move(fyne.NewPos(text+edge, strip))
	o[2].Resize(fyne.NewSize(max(0, size.Width-text-2*edge), max(0, size.Height-strip-edge)))
}

// stripLayout puts controls and a line that gives way beside each other.
type stripLayout struct{}

func (stripLayout) MinSize(o []fyne.CanvasObject) fyne.Size { return o[0].MinSize() }

func (stripLayout) HeightFor(o []fyne.CanvasObject, width float32) float32 {
	return widgets.HeightFor(o[0], width)
}

func (stripLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	controls := float32(0)
	for _, c := range o[0].(*fyne.Container).Objects {
		if c.Visible() {
			controls += c.MinSize().Width + 8
		}
	}
	controls = min(controls, size.Width)
	o[0].Move(fyne.Position{})
	o[0].Resize(fyne.NewSize(controls, size.Height))
	line := o[1].MinSize().Height
	o[1].Move(fyne.NewPos(controls, max(0, (30-line)/2)))
	o[1].Resize(fyne.NewSize(max(0, size.Width-controls), line))
}
