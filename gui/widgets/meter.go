package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
)

// Meter is a thin bar that fills from the left. It does not move by itself, so it costs nothing while nothing changes.
type Meter struct {
	widget.BaseWidget

	value  float64
	color  fyne.ThemeColorName
	height float32
}

// NewMeter makes an empty bar of a height in device-independent pixels, in the accent colour.
func NewMeter(height float32) *Meter {
	m := &Meter{color: theme.ColorNameAccent, height: height}
	m.ExtendBaseWidget(m)
	return m
}

// Set fills the bar to a value from 0 to 1, in a colour of the theme.
func (m *Meter) Set(value float64, color fyne.ThemeColorName) {
	value = min(max(value, 0), 1)
	if m.value != value || m.color != color {
		m.value, m.color = value, color
		m.Refresh()
	}
}

// Value gives what the bar shows, from 0 to 1.
func (m *Meter) Value() float64 { return m.value }

// CreateRenderer implements fyne.Widget.
func (m *Meter) CreateRenderer() fyne.WidgetRenderer {
	m.ExtendBaseWidget(m)
	r := &meterRenderer{m: m, back: canvas.NewRectangle(nil), fill: canvas.NewRectangle(nil)}
	r.Refresh()
	return r
}

type meterRenderer struct {
	m          *Meter
	back, fill *canvas.Rectangle
}

func (r *meterRenderer) Destroy()                     {}
func (r *meterRenderer) MinSize() fyne.Size           { return fyne.NewSize(24, r.m.height) }
func (r *meterRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.back, r.fill} }

func (r *meterRenderer) Layout(size fyne.Size) {
	y := (size.Height - r.m.height) / 2
	r.back.Move(fyne.NewPos(0, y))
	r.back.Resize(fyne.NewSize(size.Width, r.m.height))
	r.fill.Move(fyne.NewPos(0, y))
	// A bar that has begun shows at least its round end.
	width := size.Width * float32(r.m.value)
	if r.m.value > 0 {
		width = min(max(width, r.m.height), size.Width)
	}
	r.fill.Resize(fyne.NewSize(width, r.m.height))
	r.fill.Hidden = r.m.value <= 0
}

func (r *meterRenderer) Refresh() {
	r.back.FillColor = theme.Color(fynetheme.ColorNamePressed)
	r.fill.FillColor = theme.Color(r.m.color)
	r.back.CornerRadius, r.fill.CornerRadius = r.m.height/2, r.m.height/2
	r.Layout(r.m.Size())
	r.back.Refresh()
	r.fill.Refresh()
}
