package widgets

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"talebinder/gui/theme"
)

func TestPathRowLeadsByTapAndByKey(t *testing.T) {
	test.NewTempApp(t)
	test.ApplyTheme(t, theme.New(theme.Dark))
	opened := 0
	r := NewPathRow(nil, "sprites/lantern.png", "ships", func() { opened++ })
	w := test.NewTempWindow(t, r)
	w.Resize(fyne.NewSize(300, 60))
	test.Tap(r)
	r.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if opened != 2 {
		t.Errorf("opened %d times", opened)
	}
	if dead := NewPathRow(nil, "gone.png", "", nil); !dead.Disabled() {
		t.Error("a row that leads nowhere takes the focus")
	}
}

func TestPathRowKeepsBothEndsOfALongPath(t *testing.T) {
	test.NewTempApp(t)
	test.ApplyTheme(t, theme.New(theme.Dark))
	r := NewPathRow(theme.Icon(theme.IconFile), "a/very/long/folder/with/many/parts/and/then/the/name.png", "left out", nil)
	w := test.NewTempWindow(t, r)
	w.Resize(fyne.NewSize(220, 40))
	if r.MinSize().Width > 100 {
		t.Errorf("the path asks for %v", r.MinSize())
	}
	if end := r.text.Position().X + r.text.Size().Width; end > r.note.Position().X {
		t.Errorf("the path ends at %v, the note begins at %v", end, r.note.Position().X)
	}
}

func TestTrailPutsStepsBelowEachOther(t *testing.T) {
	test.NewTempApp(t)
	test.ApplyTheme(t, theme.New(theme.Dark))
	steps := []*PathRow{NewPathRow(nil, "a", "", nil), NewPathRow(nil, "b", "", nil), NewPathRow(nil, "c", "", nil)}
	trail := NewTrail(steps...)
	w := test.NewTempWindow(t, trail)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(200, 100))
	for i, s := range steps {
		if s.Position().Y != float32(i)*pathRowHeight || s.Size().Width != 200-trailGutter {
			t.Errorf("step %d at %v, %v", i, s.Position(), s.Size())
		}
	}
}

func TestMeterClampsAndShowsThatItHasBegun(t *testing.T) {
	test.NewTempApp(t)
	test.ApplyTheme(t, theme.New(theme.Dark))
	m := NewMeter(6)
	w := test.NewTempWindow(t, m)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(200, 20))
	fill := test.TempWidgetRenderer(t, m).(*meterRenderer).fill
	for _, c := range []struct {
		value float64
		width float32
	}{{0.001, 6}, {0.5, 100}, {1.7, 200}, {1, 200}} {
		m.Set(c.value, theme.ColorNameAccent)
		if fill.Size().Width != c.width || !fill.Visible() {
			t.Errorf("%v: %v wide", c.value, fill.Size().Width)
		}
	}
	m.Set(-1, theme.ColorNameAccent)
	if fill.Visible() || m.Value() != 0 {
		t.Error("an empty bar shows something")
	}
}
