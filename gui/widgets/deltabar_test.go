package widgets

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"talebinder/gui/theme"
)

func TestDeltaBarBeginsInTheMiddle(t *testing.T) {
	test.NewTempApp(t)
	b := NewDeltaBar()
	b.Resize(fyne.NewSize(100, 20))
	r := test.WidgetRenderer(b).(*deltaBarRenderer)
	for _, c := range []struct {
		share         float64
		x, width      float32
		hidden        bool
		color         fyne.ThemeColorName
		afterClamping float64
	}{
		{0.5, 51, 25, false, theme.ColorNameAccent, 0.5},
		{-1, 0, 50, false, theme.ColorNameInfo, -1},
		{0.001, 51, 2, false, theme.ColorNameAccent, 0.001},
		{0, 0, 0, true, "", 0},
		{7, 51, 50, false, theme.ColorNameAccent, 1},
	} {
		b.Set(c.share)
		if b.Share() != c.afterClamping || r.bar.Hidden != c.hidden {
			t.Errorf("%v: share %v, hidden %v", c.share, b.Share(), r.bar.Hidden)
		}
		if c.hidden {
			continue
		}
		if r.bar.Position().X != c.x || r.bar.Size().Width != c.width || r.bar.FillColor != theme.Color(c.color) {
			t.Errorf("%v: at %v, %v wide", c.share, r.bar.Position().X, r.bar.Size().Width)
		}
	}
}
