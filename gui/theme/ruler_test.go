package theme

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	fynetheme "fyne.io/fyne/v2/theme"
)

func TestShorteningAgreesWithTheToolkit(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(New(Dark))
	u := newRuler()
	text := "assets/sprites/background/AVATAR_forest-layer.far.png"
	for _, style := range []fyne.TextStyle{{}, {Bold: true}, {Monospace: true}} {
		real := fyne.MeasureText(text, 13, style).Width
		if got := u.width(text, 13, style); got < real-1 || got > real*1.03 {
			t.Errorf("%+v: %v wide, the toolkit says %v", style, got, real)
		}
		if got := shortenEnd(u, text, real, 13, style); got != text {
			t.Errorf("%+v: in exactly its own width it becomes %q", style, got)
		}
		for width := float32(20); width < real-1; width += 7 {
			for name, short := range map[string]string{"end": shortenEnd(u, text, width, 13, style), "middle": shortenMiddle(u, text, width, 13, style)} {
				if got := fyne.MeasureText(short, 13, style).Width; got > width+1 || short != ellipsis && got < width-24 {
					t.Errorf("%s in %v: %q is %v wide", name, width, short, got)
				}
			}
			for _, line := range wrap(u, "a few words, and "+text+" and some more", width, 13, style) {
				if got := fyne.MeasureText(line, 13, style).Width; got > width+1 && len([]rune(line)) > 1 {
					t.Errorf("a line of %v: %q is %v wide", width, line, got)
				}
			}
		}
	}
}

func TestMonospacedTextKeepsItsUnderscores(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(New(Dark))
	text := Mono("____").WithColor(fynetheme.ColorNameForeground)
	w := test.NewTempWindow(t, text)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(100, 30))
	picture := w.Canvas().Capture()
	ground := picture.At(99, 29)
	for y := range 30 {
		for x := range 100 {
			if picture.At(x, y) != ground {
				return
			}
		}
	}
	t.Error("four underscores leave no mark")
}

func BenchmarkShorten(b *testing.B) {
	test.NewTempApp(b).Settings().SetTheme(New(Dark))
	u := newRuler()
	for i := 0; b.Loop(); i++ {
		shortenMiddle(u, fmt.Sprintf("assets/sprites/background/forest-layer-%d.png", i), 120, 13, fyne.TextStyle{})
	}
}
