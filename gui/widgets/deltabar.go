package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
)

// DeltaColor is the colour of a difference of sizes. Growth costs, so it has the accent.
func DeltaColor(delta int64) fyne.ThemeColorName {
	switch {
	case delta > 0:
		return theme.ColorNameAccent
	case delta < 0:
		return theme.ColorNameInfo
	}
	return theme.ColorNameMuted
}

// DeltaBar shows a difference as a bar that begins in the middle: to the right for growth, to the left for what became
// smaller.
type DeltaBar struct {
	widget.BaseWidget
	share float64
}

// NewDeltaBar makes a bar for no difference.
func NewDeltaBar() *DeltaBar {
	b := &DeltaBar{}
	b.ExtendBaseWidget(b)
	return b
}

// Set shows a difference as a part of the largest one, from -1 to 1.
func (b *DeltaBar) Set(share float64) {
	if share = min(max(share, -1), 1); share != b.share {
		b.share = share
		b.Refresh()
	}
}

// Share gives what is shown.
func (b *DeltaBar) Share() float64 { return b.share }

// CreateRenderer implements fyne.Widget.
func (b *DeltaBar) CreateRenderer() fyne.WidgetRenderer {
	r := &deltaBarRenderer{b: b, axis: canvas.NewRectangle(nil), bar: canvas.NewRectangle(nil)}
	r.bar.CornerRadius = 2
	r.Refresh()
	return r
}

type deltaBarRenderer struct {
	b         *DeltaBar
	axis, bar *canvas.Rectangle
}

const (
	deltaThickness = 8
	leastDelta     = 2 // shorter bars could not be seen
)

func (r *deltaBarRenderer) Destroy()           {}
func (r *deltaBarRenderer) MinSize() fyne.Size { return fyne.NewSize(40, deltaThickness) }
func (r *deltaBarRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.axis, r.bar}
}

func (r *deltaBarRenderer) Layout(size fyne.Size) {
	middle := size.Width / 2
	r.axis.Move(fyne.NewPos(middle, 3))
	r.axis.Resize(fyne.NewSize(1, max(0, size.Height-6)))
	length := max(leastDelta, float32(max(r.b.share, -r.b.share))*middle)
	x := middle + 1
	if r.b.share < 0 {
		x = middle - length
	}
	r.bar.Hidden = r.b.share == 0
	r.bar.Move(fyne.NewPos(x, (size.Height-deltaThickness)/2))
	r.bar.Resize(fyne.NewSize(length, deltaThickness))
}

func (r *deltaBarRenderer) Refresh() {
	sign := int64(1)
	if r.b.share < 0 {
		sign = -1
	}
	r.axis.FillColor = theme.Color(theme.ColorNameHairline)
	r.bar.FillColor = theme.Color(DeltaColor(sign))
	r.Layout(r.b.Size())
	r.axis.Refresh()
	r.bar.Refresh()
}
