package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"

	"talebinder/gui/theme"
)

// Switch turns something on or off at once. The words stand beside it, so that the whole line can be pressed.
type Switch struct {
	control

	label     string
	on        bool
	onChanged func(on bool)
}

// NewSwitch makes a switch that is off.
func NewSwitch(label string, onChanged func(on bool)) *Switch {
	s := &Switch{label: label, onChanged: onChanged}
	s.setup(s, func() {
		s.Load(!s.on)
		if s.onChanged != nil {
			s.onChanged(s.on)
		}
	})
	return s
}

// On says how the switch stands.
func (s *Switch) On() bool { return s.on }

// Load sets the switch without telling anybody.
func (s *Switch) Load(on bool) {
	if s.on != on {
		s.on = on
		s.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (s *Switch) CreateRenderer() fyne.WidgetRenderer {
	r := &switchRenderer{s: s, track: canvas.NewRectangle(nil), knob: canvas.NewCircle(nil), text: canvas.NewText("", nil)}
	r.Refresh()
	return r
}

type switchRenderer struct {
	s     *Switch
	track *canvas.Rectangle
	knob  *canvas.Circle
	text  *canvas.Text
}

const trackWidth, trackHeight = 32, 18

func (r *switchRenderer) Destroy() {}

func (r *switchRenderer) MinSize() fyne.Size {
	text := fyne.MeasureText(r.s.label, theme.Size(fynetheme.SizeNameText), fyne.TextStyle{})
	return fyne.NewSize(trackWidth+8+text.Width, fyne.Max(trackHeight+4, text.Height))
}

func (r *switchRenderer) Layout(size fyne.Size) {
	top := (size.Height - trackHeight) / 2
	r.track.Move(fyne.NewPos(0, top))
	r.track.Resize(fyne.NewSize(trackWidth, trackHeight))
	x := float32(3)
	if r.s.on {
		x = trackWidth - trackHeight + 3
	}
	r.knob.Move(fyne.NewPos(x, top+3))
	r.knob.Resize(fyne.NewSquareSize(trackHeight - 6))
	text := r.text.MinSize()
	r.text.Move(fyne.NewPos(trackWidth+8, (size.Height-text.Height)/2))
	r.text.Resize(text)
}

func (r *switchRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.track, r.knob, r.text}
}

func (r *switchRenderer) Refresh() {
	track, knob, text := theme.ColorNameBadge, theme.ColorNameMuted, fynetheme.ColorNameForeground
	if r.s.on {
		track, knob = theme.ColorNameAccent, fynetheme.ColorNameForegroundOnPrimary
	}
	if r.s.disabled {
		track, knob, text = theme.ColorNameBadge, fynetheme.ColorNameDisabled, fynetheme.ColorNameDisabled
	}
	r.track.FillColor, r.track.CornerRadius = theme.Color(track), trackHeight/2
	r.track.StrokeColor, r.track.StrokeWidth = theme.Color(theme.ColorNameHairline), 1
	if r.s.focused {
		// On an accent ground a ring of the same colour would not be seen.
		r.track.StrokeColor, r.track.StrokeWidth = theme.Color(fynetheme.ColorNameForeground), 2
	}
	r.knob.FillColor = theme.Color(knob)
	r.text.Text, r.text.Color, r.text.TextSize = r.s.label, theme.Color(text), theme.Size(fynetheme.SizeNameText)
	r.Layout(r.s.Size())
	r.track.Refresh()
	r.knob.Refresh()
	r.text.Refresh()
}
