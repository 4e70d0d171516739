package widgets

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"talebinder/gui/theme"
)

// show puts an object into a window of the test driver, in our theme.
func show(t *testing.T, o fyne.CanvasObject, width, height float32) fyne.Window {
	t.Helper()
	app := test.NewTempApp(t)
	app.Settings().SetTheme(theme.New(theme.Dark))
	w := test.NewTempWindow(t, o)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(width, height))
	return w
}

func key(name fyne.KeyName) *fyne.KeyEvent { return &fyne.KeyEvent{Name: name} }

func TestControlsArePressedByKeyAndPointer(t *testing.T) {
	var told []string
	tell := func(what string) func() { return func() { told = append(told, what) } }
	sw := NewSwitch("Compress", func(on bool) { told = append(told, fmt.Sprint("switch ", on)) })
	button := NewIconButton(theme.Icon(theme.IconAdd), "Add", tell("button"))
	link := NewLink("Mend", tell("link"))
	card := NewChoiceCard(theme.Icon(theme.IconLinux), "Linux", "x64", func(on bool) { told = append(told, fmt.Sprint("card ", on)) })
	w := show(t, container.NewVBox(sw, button, link, card), 300, 300)

	for _, c := range []interface {
		fyne.Tappable
		fyne.Focusable
		fyne.Disableable
	}{sw, button, link, card} {
		test.Tap(c)
		if w.Canvas().Focused() != c {
			t.Errorf("%T does not have the focus after a tap", c)
		}
		c.TypedKey(key(fyne.KeySpace))
		c.TypedKey(key(fyne.KeyReturn))
		c.TypedKey(key(fyne.KeyLeft))
		c.Disable()
		test.Tap(c)
		c.TypedKey(key(fyne.KeySpace))
	}
	want := "switch true,switch false,switch true,button,button,button,link,link,link,card true,card false,card true"
	if got := strings.Join(told, ","); got != want {
		t.Errorf("told %s\nwant %s", got, want)
	}
}

func TestTabVisitsEveryControlOnce(t *testing.T) {
	entry, sw := NewEntry(), NewSwitch("On", nil)
	seg := NewSegmented([]string{"a", "b"}, nil)
	list := NewReorderList(func() int { return 5 }, func() fyne.CanvasObject {
		return container.NewHBox(NewRowCheck(), NewRowButton(theme.Icon(theme.IconRemove)))
	}, func(int, fyne.CanvasObject) {})
	w := show(t, container.NewVBox(entry, sw, seg, list), 300, 400)
	var visited []string
	for range 5 {
		test.FocusNext(w.Canvas())
		visited = append(visited, fmt.Sprintf("%T", w.Canvas().Focused()))
	}
	want := []string{"*widgets.Entry", "*widgets.Switch", "*widgets.Segmented", "*widgets.Rows", "*widgets.Entry"}
	if !slices.Equal(visited, want) {
		t.Errorf("Tab visits %v, want %v", visited, want)
	}
}

func TestSegmentedFollowsPointerAndArrows(t *testing.T) {
	var told []int
	s := NewSegmented([]string{"Development", "Release", "Distribution"}, func(i int) { told = append(told, i) })
	show(t, s, 300, 32)
	if s.Selected() != -1 {
		t.Fatal("something is chosen from the start")
	}
	test.TapAt(s, fyne.NewPos(150, 10))
	test.TapAt(s, fyne.NewPos(150, 10)) // no change, not told again
	s.TypedKey(key(fyne.KeyRight))
	s.TypedKey(key(fyne.KeyRight))
	s.TypedKey(key(fyne.KeyHome))
	s.TypedKey(key(fyne.KeyLeft))
	s.Load(2)
	s.Load(7)
	s.TypedKey(key(fyne.KeyEnd))
	if want := []int{1, 2, 0, 2}; !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
}

func TestEntryKeepsTheCaretWhenTheDocumentFollowsIt(t *testing.T) {
	e := NewEntry()
	show(t, e, 300, 32)
	changes := 0
	e.OnChanged = func(string) { changes++ }
	test.Type(e, "1.2.3")
	e.TypedKey(key(fyne.KeyLeft))
	e.TypedKey(key(fyne.KeyLeft))
	before := changes
	e.Load("1.2.3")
	if e.CursorColumn != 3 {
		t.Errorf("loading the same text moved the caret to %d", e.CursorColumn)
	}
	e.Load("1.2.34")
	if e.CursorColumn != 3 || e.Text != "1.2.34" {
		t.Errorf("after loading %q the caret is at %d, not 3", e.Text, e.CursorColumn)
	}
	e.Load("1")
	if e.CursorColumn != 1 {
		t.Errorf("the caret is at %d in a text of one character", e.CursorColumn)
	}
	if changes != before {
		t.Error("loading told OnChanged")
	}
}

func TestTheWheelPassesAnEntry(t *testing.T) {
	outer := &wheel{}
	e := NewEntry()
	w := show(t, e, 300, 32)
	e.SetText(strings.Repeat("long ", 50))
	test.Scroll(w.Canvas(), fyne.NewPos(20, 10), 0, 7)
	e.Outer = outer
	e.Refresh()
	test.Scroll(w.Canvas(), fyne.NewPos(20, 10), 0, 7)
	if outer.moved != 7 {
		t.Errorf("the wheel moved what is around the entry by %v", outer.moved)
	}
	e.SetText("")
	test.Tap(e)
	test.Type(e, "still")
	if e.Text != "still" {
		t.Errorf("typed %q", e.Text)
	}
}

func TestMoveCaret(t *testing.T) {
	for _, c := range []struct {
		before, after string
		caret, want   int
	}{
		{"1.2.0", "1.2.0-rc", 5, 8}, // redo of what was typed at the end
		{"1.2.0-rc", "1.2.0", 8, 5},
		{"1.2.0", "1.2.0-rc", 2, 2},
		{"a/b", "long/b", 3, 6},
		{"a/b", "long/b", 0, 0},
		{"abXXcd", "abcd", 3, 2},
		{"", "é", 0, 1},
		{"éa", "", 1, 0},
	} {
		if got := moveCaret([]rune(c.before), []rune(c.after), c.caret); got != c.want {
			t.Errorf("%q to %q moves the caret from %d to %d, not to %d", c.before, c.after, c.caret, got, c.want)
		}
	}
}

func TestFieldShowsHelpUntilThereIsAStatus(t *testing.T) {
	f := NewField("Version", NewEntry())
	f.SetHelp("Goes into archive names.")
	show(t, f, 300, 120)
	plain := f.HeightForWidth(300)
	if text, tone := f.Status(); text != "Goes into archive names." || tone != Neutral {
		t.Errorf("shows %q in tone %d", text, tone)
	}
	if !f.SetStatus(strings.Repeat("A version cannot contain a slash. ", 4), Danger) {
		t.Error("a new status was not reported as a change")
	}
	if got := f.HeightForWidth(300); got <= plain {
		t.Errorf("four lines of status need no more height: %v, without %v", got, plain)
	}
	if f.SetStatus(strings.Repeat("A version cannot contain a slash. ", 4), Danger) {
		t.Error("the same status was reported as a change")
	}
	mended := false
	f.SetFix("Use 1.0.0", func() { mended = true })
	test.Tap(f.Fix())
	if !mended || !f.Fix().Visible() {
		t.Error("the fix is not offered")
	}
	f.SetFix("", nil)
	f.SetStatus("", Neutral)
	if text, _ := f.Status(); text != "Goes into archive names." || f.Fix().Visible() {
		t.Errorf("the help does not come back: %q", text)
	}
	if got := f.HeightForWidth(300); got != plain {
		t.Errorf("height %v after, %v before", got, plain)
	}
}

func TestPathField(t *testing.T) {
	p := NewPathField()
	var told []string
	p.OnChanged = func(s string) { told = append(told, s) }
	browsed := false
	p.OnBrowse = func() { browsed = true }
	p.Recents = func() []string { return []string{"/exports", "D:\\builds"} }
	w := show(t, p, 400, 80)
	p.Load("builds")
	if len(told) != 0 {
		t.Error("loading told OnChanged")
	}
	test.Tap(p.browse)
	test.Tap(p.recent)
	if !browsed || len(w.Canvas().Overlays().List()) != 1 {
		t.Error("the chooser or the menu of recent folders did not open")
	}
	p.menu.Items[1].(fyne.Tappable).Tapped(&fyne.PointEvent{})
	if want := []string{"D:\\builds"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	plain := p.HeightForWidth(400)
	if !p.SetResolved(strings.Repeat("/very/long/path", 10)) || p.HeightForWidth(400) <= plain {
		t.Error("the resolved path does not get the room it needs")
	}
}

func TestColumnGivesContentItsWidthAndHeight(t *testing.T) {
	note := NewNote(strings.Repeat("words that wrap ", 30), Warning)
	below := NewBadge("below", Neutral)
	c := NewColumn(NewStack(8, note, below))
	w := show(t, c, 200, 120)
	narrow := note.Size()
	if narrow.Width != 200 || below.Position().Y != narrow.Height+8 {
		t.Errorf("note %v, badge at %v", narrow, below.Position())
	}
	w.Resize(fyne.NewSize(400, 120))
	if note.Size().Width != 400 || note.Size().Height >= narrow.Height {
		t.Errorf("at twice the width the note is %v, before %v", note.Size(), narrow)
	}
	note.Set("short", Neutral)
	c.Relayout()
	if below.Position().Y > 40 {
		t.Errorf("the badge stayed at %v", below.Position())
	}
	note.Set(strings.Repeat("words that wrap ", 60), Neutral)
	c.Relayout()
	c.Reveal(below)
	if bottom := below.Position().Y + below.Size().Height - c.Offset.Y; bottom > 120 || bottom < 60 {
		t.Errorf("the badge ends %v below the top of the column", bottom)
	}
	outer := &wheel{}
	c.Outer = outer
	test.Scroll(w.Canvas(), fyne.NewPos(50, 50), 0, 20)
	if outer.moved != 0 || c.Offset.Y == 0 {
		t.Error("the column handed the wheel on although it could move")
	}
	c.ScrollToTop()
	test.Scroll(w.Canvas(), fyne.NewPos(50, 50), 0, 20)
	if outer.moved != 20 {
		t.Error("at its end the column kept the wheel")
	}
}

type wheel struct{ moved float32 }

func (w *wheel) Scrolled(e *fyne.ScrollEvent) { w.moved += e.Scrolled.DY }

func reorderable(n int) (*ReorderList, *[]string) {
	var names []string
	for i := range n {
		names = append(names, fmt.Sprint("row ", i))
	}
	list := NewReorderList(func() int { return len(names) }, func() fyne.CanvasObject { return theme.Body("") },
		func(i int, o fyne.CanvasObject) { o.(*theme.Text).SetText(names[i]) })
	list.Locked = func() int { return 1 }
	list.OnMove = func(from, to int) {
		row := names[from]
		names = slices.Insert(slices.Delete(names, from, from+1), to, row)
	}
	return list, &names
}

func TestRowsAreReorderedByDragging(t *testing.T) {
	for _, c := range []struct {
		name       string
		row        int
		by         float32 // rows
		want       string
		wantSelect int
	}{
		{"down by two", 1, 2, "0 2 3 1 4", 3},
		{"up to the first free place", 3, -5, "0 3 1 2 4", 1},
		{"to the end", 1, 9, "0 2 3 4 1", 4},
		{"a little, so that it stays", 2, 0.3, "0 1 2 3 4", 2},
		{"the locked row", 0, 3, "0 1 2 3 4", -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			list, names := reorderable(5)
			w := show(t, list, 300, 200)
			h := list.RowHeight()
			test.Drag(w.Canvas(), fyne.NewPos(gripWidth/2, (float32(c.row)+0.5)*h), 0, c.by*h)
			got := strings.ReplaceAll(strings.Join(*names, " "), "row ", "")
			if got != c.want || list.Selected() != c.wantSelect {
				t.Errorf("order %s, row %d selected; want %s and %d", got, list.Selected(), c.want, c.wantSelect)
			}
			if list.line.Visible() || list.drag != nil {
				t.Error("the line of the drag is still there")
			}
		})
	}
}

func TestDraggingShowsTheGapAndScrolls(t *testing.T) {
	list, names := reorderable(100)
	show(t, list, 300, 150)
	list.dragged(2, 40)
	if list.drag.target != 4 || !list.line.Visible() {
		t.Fatalf("the row would fall into gap %d, want 4", list.drag.target)
	}
	before := list.rows.scroll.Offset.Y
	list.dragged(2, 100) // beyond the lower edge; the test driver runs one tick of the animation
	if list.rows.scroll.Offset.Y <= before {
		t.Error("the list does not scroll at its edge")
	}
	list.key(key(fyne.KeyEscape))
	if list.drag != nil || (*names)[2] != "row 2" {
		t.Error("Escape does not call the drag off")
	}
}

func TestRowsAreReorderedByKeys(t *testing.T) {
	list, names := reorderable(4)
	w := show(t, list, 300, 200)
	var told []string
	list.OnToggle = func(i int) { told = append(told, fmt.Sprint("toggle ", i)) }
	list.OnDelete = func(i int) { told = append(told, fmt.Sprint("delete ", i)) }
	list.OnActivated = func(i int) { told = append(told, fmt.Sprint("activate ", i)) }
	list.Focus()
	if !list.Focused() {
		t.Fatal("the list has no focus")
	}
	rows := w.Canvas().Focused()
	alt := func(name fyne.KeyName) {
		rows.(fyne.Shortcutable).TypedShortcut(&desktop.CustomShortcut{KeyName: name, Modifier: fyne.KeyModifierAlt})
	}
	rows.TypedKey(key(fyne.KeySpace)) // nothing is selected
	list.Select(1)
	alt(fyne.KeyUp) // the locked row stays first
	alt(fyne.KeyDown)
	alt(fyne.KeyDown)
	alt(fyne.KeyDown) // the end
	if got := strings.Join(*names, ","); got != "row 0,row 2,row 3,row 1" || list.Selected() != 3 {
		t.Errorf("order %s, row %d selected", got, list.Selected())
	}
	for _, k := range []fyne.KeyName{fyne.KeySpace, fyne.KeyDelete, fyne.KeyReturn} {
		rows.TypedKey(key(k))
	}
	if got := strings.Join(told, ","); got != "toggle 3,delete 3,activate 3" {
		t.Errorf("told %s", got)
	}
	if got := list.HeightForWidth(300); got != 4*list.RowHeight() {
		t.Errorf("four rows ask for %v", got)
	}
}

func TestPicker(t *testing.T) {
	anchor := NewBadge("anchor", Neutral)
	w := show(t, container.NewVBox(anchor), 500, 400)
	items := []PickItem{{Key: "a", Title: "level-1", Detail: "scenes/level-1.tscene"}, {Key: "b", Title: "level-2", Detail: "scenes/level-2.tscene"}, {Key: "c", Title: "credits", Detail: "scenes/credits.tscene"}}
	var picked [][]string
	open := func(stay bool) *Picker {
		return ShowPicker(w.Canvas(), anchor, PickerOptions{Items: items, Stay: stay, OnPick: func(k []string) { picked = append(picked, k) },
			AllLabel: func(n int) string { return fmt.Sprintf("Add all %d", n) }, Empty: "Every scene is in the list."})
	}

	p := open(true)
	if w.Canvas().Focused() != p.search.Entry {
		t.Error("the search field does not have the focus")
	}
	test.Type(p.search.Entry, "LEVEL tscene")
	if got := p.Shown(); !slices.Equal(got, []string{"a", "b"}) || p.all.Text != "Add all 2" {
		t.Errorf("the search shows %v and offers %q", got, p.all.Text)
	}
	p.search.Entry.TypedKey(key(fyne.KeyDown))
	p.rows.TypedKey(key(fyne.KeyDown))
	p.rows.TypedKey(key(fyne.KeyReturn))
	if got := p.Shown(); !slices.Equal(got, []string{"a"}) {
		t.Errorf("after picking one, %v is left", got)
	}
	p.search.Entry.TypedKey(key(fyne.KeyEscape)) // empties the search
	test.Tap(p.all)
	if want := [][]string{{"b"}, {"a", "c"}}; fmt.Sprint(picked) != fmt.Sprint(want) {
		t.Errorf("picked %v, want %v", picked, want)
	}
	if w.Canvas().Overlays().Top() != nil {
		t.Error("the picker is open although nothing is left")
	}

	p = open(false)
	p.search.Entry.TypedKey(key(fyne.KeyReturn))
	if got := picked[2]; !slices.Equal(got, []string{"a"}) || w.Canvas().Overlays().Top() != nil {
		t.Errorf("Enter picked %v", got)
	}
	p = open(true)
	test.TapCanvas(w.Canvas(), fyne.NewPos(490, 390))
	if w.Canvas().Overlays().Top() != nil {
		t.Error("a tap beside the picker does not close it")
	}
	p = open(true)
	w.Resize(fyne.NewSize(220, 200))
	if at, size := p.float.content.Position(), p.float.content.Size(); at.X < 0 || at.Y < 0 || at.X+size.Width > 220 || at.Y+size.Height > 200 {
		t.Errorf("in a small window the picker is at %v with %v", at, size)
	}
	p.Close()
	p = open(true)
	test.Type(p.search.Entry, "nothing like it")
	if !p.empty.Visible() || p.all.Visible() {
		t.Error("an empty result is not explained")
	}
	p.search.Entry.TypedKey(key(fyne.KeyEscape))
	p.search.Entry.TypedKey(key(fyne.KeyEscape))
	if w.Canvas().Overlays().Top() != nil {
		t.Error("Escape does not close the picker")
	}
}

func TestPixelImageUsesWholeDevicePixels(t *testing.T) {
	img := image.NewNRGBA(image.Rect(5, 5, 21, 13)) // 16 by 8, not at the origin
	img.Set(5, 5, color.NRGBA{R: 255, A: 255})
	p := NewPixelImage(img, fyne.NewSize(64, 64))
	for _, c := range []struct {
		scale float32
		want  fyne.Size
	}{{1, fyne.NewSize(64, 32)}, {1.25, fyne.NewSize(64, 32)}, {1.5, fyne.NewSize(64, 32)}, {0.8, fyne.NewSize(60, 30)}} {
		got, enlarged := p.fit(fyne.NewSize(64, 64), c.scale)
		if got != c.want || !enlarged {
			t.Errorf("at scale %v the picture takes %v, want %v", c.scale, got, c.want)
		}
	}
	if got, enlarged := p.fit(fyne.NewSize(8, 8), 1); enlarged || got != fyne.NewSize(8, 4) {
		t.Errorf("in too little room the picture takes %v, enlarged %v", got, enlarged)
	}
	if p.pixels.RGBAAt(0, 0) != (color.RGBA{255, 0, 0, 255}) {
		t.Error("the pixels are not where they were")
	}
	w := show(t, p, 68, 68)
	at := w.Canvas().Capture().At(2+1, 18+1)
	if r, g, b, _ := at.RGBA(); r>>8 != 255 || g>>8 != 0 || b>>8 != 0 {
		t.Errorf("the first pixel is drawn as %v", at)
	}
	p.SetImage(nil)
	if !p.Empty() {
		t.Error("the picture is still there")
	}
}

func TestSizeBar(t *testing.T) {
	b := NewSizeBar()
	b.Set([]SizePart{{"Textures", "60 MB", 60, theme.CategoryColor(0)}, {"Tiny", "1 B", 0, theme.CategoryColor(1)}, {"Audio", "30 MB", 30, theme.CategoryColor(2)}, {"Scenes", "little", 1, theme.CategoryColor(3)}})
	show(t, b, 364, 100)
	edges := b.spans(364)
	if edges[1] != 240 || edges[2] != 240 || edges[4] > 364 || edges[4]-edges[3] < 2.9 {
		t.Errorf("parts end at %v", edges)
	}
	b.SetBudget(182, "budget")
	if got := b.spans(364)[1]; got != 120 {
		t.Errorf("with a budget of twice the sum the first part ends at %v", got)
	}
	b.SetBudget(45, "64 MB cartridge")
	if label := test.WidgetRenderer(b).(*sizeBarRenderer).label.Text; label != "64 MB cartridge — exceeded by 102 %" {
		t.Errorf("the budget says %q", label)
	}
	tapped := -1
	b.OnTapped = func(i int) { tapped = i }
	test.TapAt(b, fyne.NewPos(20, b.top()+5))
	if tapped != 0 {
		t.Errorf("part %d was tapped", tapped)
	}
	b.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(5, b.top()+sizeBarHeight+sizeBarGap+4)}})
	if b.hover != 0 {
		t.Error("the legend does not react to the pointer")
	}
	if wide, narrow := b.HeightForWidth(1000), b.HeightForWidth(100); narrow <= wide {
		t.Errorf("the legend does not wrap: %v at 100, %v at 1000", narrow, wide)
	}
	b.Set(nil)
	if got := b.spans(100); len(got) != 1 {
		t.Errorf("an empty bar has edges %v", got)
	}
}

// pixel gives the colour drawn at a place of an object.
func pixel(w fyne.Window, o fyne.CanvasObject, at fyne.Position) color.NRGBA {
	driver := fyne.CurrentApp().Driver()
	// The test driver counts from a frame around the content.
	p := driver.AbsolutePositionForObject(o).Subtract(driver.AbsolutePositionForObject(w.Content())).Add(at)
	return color.NRGBAModel.Convert(w.Canvas().Capture().At(int(p.X), int(p.Y))).(color.NRGBA)
}

func TestWhatWeDrawFollowsTheTheme(t *testing.T) {
	bar := NewSizeBar()
	bar.Set([]SizePart{{"Textures", "60 MB", 60, theme.CategoryColor(0)}, {"Audio", "40 MB", 40, theme.CategoryColor(1)}})
	sw := NewSwitch("On", nil)
	sw.Load(true)
	seg := NewSegmented([]string{"", ""}, nil)
	seg.Load(1)
	card := NewChoiceCard(theme.Icon(theme.IconLinux), "Linux", "x64", nil)
	content := NewStack(10, bar, sw, seg, card)
	w := show(t, content, 300, 260)
	for _, mode := range []theme.Mode{theme.Dark, theme.Light} {
		test.ApplyTheme(t, theme.New(mode))
		for _, c := range []struct {
			what string
			o    fyne.CanvasObject
			at   fyne.Position
			want fyne.ThemeColorName
		}{
			{"the first part of the bar", bar, fyne.NewPos(40, 5), theme.CategoryColor(0)},
			{"the second part of the bar", bar, fyne.NewPos(250, 5), theme.CategoryColor(1)},
			{"the track of the switch", sw, fyne.NewPos(8, sw.Size().Height/2), theme.ColorNameAccent},
			{"the segment not chosen", seg, fyne.NewPos(40, seg.Size().Height/2), "inputBackground"},
			{"the ground of the card", card, fyne.NewPos(150, card.Size().Height-8), theme.ColorNameCard},
		} {
			want := color.NRGBAModel.Convert(theme.Color(c.want)).(color.NRGBA)
			if got := pixel(w, c.o, c.at); got != want {
				t.Errorf("%s, %s: %v, want %v", mode, c.what, got, want)
			}
		}
	}
	card.Load(true)
	if got := pixel(w, card, fyne.NewPos(card.Size().Width-choicePad-14, choicePad+3)); got != color.NRGBAModel.Convert(theme.Color(theme.ColorNameAccent)) {
		t.Errorf("the mark of a ticked card is drawn as %v", got)
	}
}

func TestLogViewKeepsTheLatestLines(t *testing.T) {
	v := NewLogView(100)
	var copied []string
	v.OnCopy = func(s string) { copied = append(copied, s) }
	show(t, v, 500, 200)
	at := time.Date(2024, 5, 1, 12, 30, 0, 0, time.UTC)
	for i := range 250 {
		tone := Neutral
		if i%10 == 0 {
			tone = Warning
		}
		v.Append(LogLine{Time: at, Tone: tone, Text: fmt.Sprint("line ", i)})
	}
	if v.Len() != 100 || v.Shown() != 100 || !v.rows.AtBottom() {
		t.Errorf("%d lines kept, %d shown, at the end: %v", v.Len(), v.Shown(), v.rows.AtBottom())
	}
	if text := v.Text(); !strings.HasPrefix(text, "12:30:00.000  warning  line 150\n") || !strings.HasSuffix(text, "line 249\n") {
		t.Errorf("the text is %.80q…", text)
	}
	v.SetLevel(Warning)
	if v.Shown() != 10 {
		t.Errorf("%d warnings shown", v.Shown())
	}
	v.Append(LogLine{Time: at, Tone: Danger, Text: "disk full"}, LogLine{Time: at, Text: "detail"})
	if v.Shown() != 10 { // line 150 has gone, the error has come
		t.Errorf("%d lines shown after an error", v.Shown())
	}
	test.Tap(v.copy)
	if len(copied) != 1 || !strings.HasSuffix(copied[0], "error    disk full\n") {
		t.Errorf("copied %q", copied)
	}
	var opened []string
	v.OnActivated = func(l LogLine) { opened = append(opened, l.Text) }
	v.rows.Select(9)
	v.rows.TypedKey(key(fyne.KeyReturn))
	v.rows.TypedShortcut(&fyne.ShortcutCopy{})
	if !slices.Equal(opened, []string{"disk full"}) || copied[1] != "12:30:00.000  error    disk full" {
		t.Errorf("opened %q, copied %q", opened, copied[1:])
	}
	v.SetLevel(Neutral)
	v.rows.ScrollToTop()
	v.Append(LogLine{Text: "more"})
	if v.rows.AtBottom() {
		t.Error("the log jumps to its end although somebody reads further up")
	}
	v.Clear()
	if v.Len() != 0 || v.empty.Text == "" {
		t.Error("the log is not empty")
	}
}

func TestChoiceCardGrowsWithItsNote(t *testing.T) {
	c := NewChoiceCard(theme.Icon(theme.IconWindows), "Windows", "x64", nil)
	show(t, c, 200, 120)
	plain := c.HeightForWidth(200)
	tapped := false
	c.SetNote("No player was found for Windows x64.", Warning, CardLink{"Export game folder only", func() { tapped = true }}, CardLink{"Players folder…", func() {}})
	if c.HeightForWidth(200) < plain+30 {
		t.Errorf("with note and link %v, without %v", c.HeightForWidth(200), plain)
	}
	test.Tap(c.Links()[0])
	if c.Links()[1].Position().Y <= c.Links()[0].Position().Y {
		t.Error("the links do not wrap")
	}
	if !tapped || c.Checked() {
		t.Error("the link was not pressed, or the card was")
	}
	c.SetNote("", Neutral)
	if c.HeightForWidth(200) != plain || len(c.Links()) != 0 {
		t.Error("the note did not go")
	}
}

func TestSearchEntry(t *testing.T) {
	var told []string
	s := NewSearchEntry("Search", func(text string) { told = append(told, text) })
	escaped := 0
	s.OnEscape = func() { escaped++ }
	show(t, s, 300, 40)
	test.Type(s.Entry, "ab")
	if !s.clear.Visible() {
		t.Error("nothing to clear the search with")
	}
	test.Tap(s.clear)
	s.Entry.TypedKey(key(fyne.KeyEscape))
	if want := []string{"a", "ab", ""}; !slices.Equal(told, want) || escaped != 1 || s.clear.Visible() {
		t.Errorf("told %q, Escape handed on %d times", told, escaped)
	}
}
