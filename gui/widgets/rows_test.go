package widgets

import (
	"fmt"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	tbtheme "talebinder/gui/theme"
)

// textRows is a list of numbered rows in a window of 200 by 240, that is ten rows of 24.
func textRows(t testing.TB, n *int) (*Rows, *int) {
	test.NewTempApp(t).Settings().SetTheme(tbtheme.New(tbtheme.Dark))
	created := 0
	r := NewRows(func() int { return *n },
		func() fyne.CanvasObject { created++; return container.NewStack(tbtheme.Body("")) },
		func(i int, o fyne.CanvasObject) {
			o.(*fyne.Container).Objects[0].(*tbtheme.Text).SetText(fmt.Sprint("row ", i))
		})
	w := test.NewTempWindow(t, r)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(200, 240))
	return r, &created
}

// shown gives the texts in sight from top to bottom.
func shown(r *Rows) []string {
	var texts []string
	for _, o := range r.body.Objects {
		texts = append(texts, o.(*row).content.(*fyne.Container).Objects[0].(*tbtheme.Text).Text)
	}
	return texts
}

func TestRowsKeepOnlyTheRowsInSight(t *testing.T) {
	n := 100_000
	r, created := textRows(t, &n)
	if got := shown(r); got[0] != "row 0" || len(got) > 12 {
		t.Fatalf("at the top: %v", got)
	}
	for i := 0; i < n; i += 7919 {
		r.ScrollTo(i)
	}
	r.ScrollToBottom()
	if got := shown(r); got[len(got)-1] != "row 99999" {
		t.Errorf("at the bottom: %v", got)
	}
	if !r.AtBottom() {
		t.Error("the list does not know that it is at its end")
	}
	if *created > 24 {
		t.Errorf("%d rows were made for ten in sight", *created)
	}
}

func TestRowsFollowTheKeys(t *testing.T) {
	n := 50
	r, _ := textRows(t, &n)
	var told []int
	r.OnSelected = func(i int) { told = append(told, i) }
	activated := -1
	r.OnActivated = func(i int) { activated = i }
	for _, step := range []struct {
		key  fyne.KeyName
		want int
	}{
		{fyne.KeyDown, 0}, {fyne.KeyDown, 1}, {fyne.KeyUp, 0}, {fyne.KeyUp, 0},
		{fyne.KeyPageDown, 9}, {fyne.KeyEnd, 49}, {fyne.KeyPageUp, 40}, {fyne.KeyHome, 0},
	} {
		r.TypedKey(&fyne.KeyEvent{Name: step.key})
		if r.Selected() != step.want {
			t.Fatalf("after %s row %d is selected, not %d", step.key, r.Selected(), step.want)
		}
	}
	if fmt.Sprint(told) != "[0 1 0 9 49 40 0]" {
		t.Errorf("told of %v", told)
	}
	r.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if activated != 0 {
		t.Errorf("Enter activated %d", activated)
	}
	r.OnKey = func(key *fyne.KeyEvent) bool { return key.Name == fyne.KeyEnd }
	r.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	if r.Selected() != 0 {
		t.Error("a key that OnKey kept still moved the selection")
	}
}

func TestRowsDoubleTapActivates(t *testing.T) {
	n := 5
	r, _ := textRows(t, &n)
	clock := time.Unix(0, 0)
	r.now = func() time.Time { return clock }
	activated := 0
	r.OnActivated = func(int) { activated++ }
	tap := func(i int, after time.Duration) {
		clock = clock.Add(after)
		test.Tap(r.visible[i])
	}
	tap(1, 0)
	tap(2, 100*time.Millisecond) // another row
	tap(2, time.Second)          // too late
	if activated != 0 {
		t.Fatal("two single taps count as a double tap")
	}
	tap(2, 200*time.Millisecond)
	if activated != 1 {
		t.Fatal("a double tap did nothing")
	}
	tap(2, 200*time.Millisecond) // the third of a triple tap
	if activated != 1 {
		t.Error("a triple tap activates twice")
	}
	if fyne.CurrentApp().Driver().CanvasForObject(r).Focused() != r {
		t.Error("a tap does not focus the list")
	}
}

func TestRowsTakeUpAChangedLength(t *testing.T) {
	n := 100
	r, _ := textRows(t, &n)
	r.Select(99)
	n = 4
	r.Refresh()
	if got := shown(r); fmt.Sprint(got) != "[row 0 row 1 row 2 row 3]" {
		t.Errorf("after the list shrank: %v", got)
	}
	if r.Selected() != -1 {
		t.Errorf("row %d is still selected", r.Selected())
	}
	n = 0
	r.Refresh()
	if len(shown(r)) != 0 {
		t.Error("an empty list shows rows")
	}
	r.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	if r.Selected() != -1 {
		t.Error("an empty list has a selection")
	}
}

func TestRowsKeepTheSelectionInSightWhenTheyBecomeLower(t *testing.T) {
	n := 100
	r, _ := textRows(t, &n)
	r.Select(9)
	r.Resize(fyne.NewSize(200, 100))
	if !r.inSight(9) {
		t.Errorf("row 9 is selected, in sight are %v", shown(r))
	}
	r.ScrollToTop()
	r.Resize(fyne.NewSize(200, 80))
	if got := shown(r); got[0] != "row 0" {
		t.Errorf("a selection that was out of sight has moved the list to %v", got)
	}
}

func TestRowsMarkSelectsSilently(t *testing.T) {
	n := 100
	r, _ := textRows(t, &n)
	r.OnSelected = func(i int) { t.Errorf("told of %d", i) }
	r.Mark(60)
	if r.Selected() != 60 || shown(r)[0] != "row 0" {
		t.Errorf("selected %d with %s on top", r.Selected(), shown(r)[0])
	}
}

func BenchmarkRowsScroll(b *testing.B) {
	n := 100_000
	r, _ := textRows(b, &n)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		r.scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -72)})
		if r.AtBottom() {
			r.ScrollToTop()
		}
	}
}

func TestAdaptiveTurnsWithTheWidth(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(tbtheme.New(tbtheme.Dark))
	first, second := canvas.NewRectangle(nil), canvas.NewRectangle(nil)
	first.SetMinSize(fyne.NewSize(100, 80))
	second.SetMinSize(fyne.NewSize(100, 80))
	a := NewAdaptive(first, second, 600, 0.5, 0.25)
	a.Resize(fyne.NewSize(801, 401))
	test.NewTempWindow(t, a).Resize(fyne.NewSize(801, 401))
	a.Resize(fyne.NewSize(801, 401))
	if first.Size().Width != 400 || second.Position().X != 401 || first.Size().Height != 401 {
		t.Errorf("wide: %v, %v at %v", first.Size(), second.Size(), second.Position())
	}
	a.bar.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(1000, 0)})
	if second.Size().Width != 100 {
		t.Errorf("dragged to the end the second part is %v wide, not its least width", second.Size().Width)
	}
	a.Resize(fyne.NewSize(500, 401))
	if first.Size().Width != 500 || first.Size().Height != 100 || second.Position().Y != 101 {
		t.Errorf("narrow: %v, %v at %v", first.Size(), second.Size(), second.Position())
	}
	a.bar.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(0, 50)})
	if first.Size().Height != 150 {
		t.Errorf("dragged by 50: %v high", first.Size().Height)
	}
	second.Hide()
	a.Refresh()
	if first.Size() != a.Size() || a.bar.Visible() {
		t.Error("a hidden part still takes room")
	}
}
