package fonts

import (
	"errors"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"talebinder/export"
	"talebinder/formats/jazz2/font"
	"talebinder/gui/ui"
	"talebinder/gui/ui/uitest"
	"talebinder/project/document"
)

// rig is the screen in a test window, without a project. Files change when the test says so.
type rig struct {
	*screen
	host    *uitest.Host
	changed func()
	late    []func()
}

func newRig(t testing.TB, path string) *rig {
	t.Helper()
	h := uitest.New(t)
	h.SetWorkspace(&ui.Workspace{Queue: export.NewQueue(1)})
	r := &rig{screen: newScreen(h), host: h}
	r.watch = func(_ string, _ []string, changed func()) (func(), error) { r.changed = changed; return func() {}, nil }
	r.after = func(_ time.Duration, f func()) { r.late = append(r.late, f) }
	r.first = func() {}
	t.Cleanup(r.Close)
	h.Put(r.screen)
	h.Drain()
	if path != "" {
		r.Drop([]string{path})
		h.Drain()
		if r.work == nil {
			t.Fatalf("did not open: %v", h.Errors)
		}
		h.Window().Canvas().Capture()
	}
	return r
}

// written is what the watcher does after another program has saved something.
func (r *rig) written() {
	r.changed()
	r.host.Drain()
	for len(r.late) > 0 {
		f := r.late[0]
		r.late = r.late[1:]
		f()
		r.host.Drain()
	}
}

func TestEmptyAtFirst(t *testing.T) {
	r := newRig(t, "")
	if r.root.Objects[0] != r.landing || r.Badge() != "" || r.Dirty() || r.UndoTitle() != "" {
		t.Error("something is there before a font is open")
	}
	for _, c := range r.Commands() {
		if c.Enabled != nil && c.CanRun() {
			t.Errorf("%s can run without a font", c.ID)
		}
	}
	r.Drop([]string{"nothing.font"})
	r.host.Drain()
	if len(r.host.Errors) != 1 || r.root.Objects[0] != r.landing {
		t.Errorf("a font that is not there: %v", r.host.Errors)
	}
	if r.Drop([]string{"scene.tscene"}) {
		t.Error("took a scene")
	}
}

func TestOpenShowsEverything(t *testing.T) {
	path := fontFiles(t, listText)
	r := newRig(t, path)
	if r.root.Objects[0] != r.page || r.table.Len() != 6 || r.glyph != 0 || r.Badge() == "" {
		t.Fatalf("%d glyphs, glyph %d, badge %q", r.table.Len(), r.glyph, r.Badge())
	}
	if got := r.recent(); len(got) != 1 || got[0] != path {
		t.Errorf("remembered %v", got)
	}
	if !strings.Contains(r.summary.Text, "6 glyphs · atlas ") {
		t.Error(r.summary.Text)
	}
	if r.lacks.Text == "" {
		t.Error("what the font lacks for the sample is not told")
	}
}

func TestFilter(t *testing.T) {
	r := newRig(t, fontFiles(t, listText))
	r.lists.search.Entry.SetText("C")
	if r.table.Len() != 1 || r.table.At(0) != 2 || r.lists.count.Text != "1 of 6 glyphs" {
		t.Errorf("%d, %q", r.table.Len(), r.lists.count.Text)
	}
	r.lists.glyphs.Select(0)
	if r.glyph != 2 || r.inspector.sign.Text != "C" {
		t.Errorf("chose %d", r.glyph)
	}
	r.lists.search.Entry.SetText("no such glyph")
	if !r.lists.none.Visible() {
		t.Error("an empty list is not explained")
	}
	r.text.SetText("ABC")
	r.Hidden()
	if text := newScreen(r.host).sample.Text; text != "ABC" || r.lacks.Text != "" {
		t.Errorf("the sample %q was not kept", text)
	}
	r.lists.search.Entry.SetText("")
	r.lists.only.Tapped(&fyne.PointEvent{})
	if r.table.Len() != 2 {
		t.Errorf("%d glyphs with problems", r.table.Len())
	}
}

func TestDragAdvanceAndUndo(t *testing.T) {
	path := fontFiles(t, listText)
	r := newRig(t, path)
	v := r.inspector.view
	g, _ := r.chosen()
	stage := StageOf(r.work, g, v.Room())
	at := fyne.NewPos(float32(stage.X(5)), 40)
	by := float32(3 * stage.Zoom)
	for i := range 3 {
		d := by / 3
		at = at.AddXY(d, 0)
		v.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: at}, Dragged: fyne.NewDelta(d, 0)})
		if r.Dirty() {
			t.Fatalf("step %d of a drag is an edit already", i)
		}
	}
	if r.dragged != 8 || r.inspector.advance.entry.Text != "8" {
		t.Errorf("dragged to %d, field %q", r.dragged, r.inspector.advance.entry.Text)
	}
	v.DragEnd()
	if r.work.List().Characters[0].Advance != 8 || r.UndoTitle() != "Advance of U+0041" || r.dragged != -1 {
		t.Fatalf("%d, %q", r.work.List().Characters[0].Advance, r.UndoTitle())
	}
	r.Undo()
	if r.Dirty() || r.inspector.advance.entry.Text != "5" || r.RedoTitle() == "" {
		t.Errorf("after undo: %q", r.inspector.advance.entry.Text)
	}
	r.Redo()
	r.Save(nil)
	text, err := os.ReadFile(path + ".json")
	if err != nil || string(text) != strings.Replace(listText, `"A", "Advance": 5`, `"A", "Advance": 8`, 1) || r.Dirty() {
		t.Errorf("saved %s, %v", text, err)
	}
	// A drag that does not begin at the line is none.
	v.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(2, 40)}, Dragged: fyne.NewDelta(1, 0)})
	v.DragEnd()
	if r.Dirty() {
		t.Error("a drag beside the line is an edit")
	}
}

func TestNumbersAreEdited(t *testing.T) {
	r := newRig(t, fontFiles(t, listText))
	test.Type(&r.inspector.settings[BaseSpacing].entry.Entry, "-")
	r.inspector.settings[BaseSpacing].entry.SetText("-2")
	if r.work.List().BaseSpacing != -2 {
		t.Error("the spacing was not taken")
	}
	r.inspector.settings[LineHeight].entry.SetText("70000")
	if text := r.inspector.settings[LineHeight].note.Text(); !strings.Contains(text, "expected 1 to 65535") || r.work.List().LineHeight != 10 {
		t.Errorf("said %q", text)
	}
	r.inspector.settings[CellWidth].more.Tapped(nil)
	r.host.Drain()
	if r.work.List().CellWidth != 9 || r.work.Font() == nil || r.packing != nil {
		t.Error("the cells were not packed again")
	}
	r.Revert()
	r.host.Drain()
	if r.Dirty() || r.work.List().CellWidth != 8 {
		t.Error("revert left something")
	}
	r.stepAdvance(1)
	if g, _ := r.chosen(); g.Advance != 6 {
		t.Error("the keys do not move the advance")
	}
}

func TestProblemsLeadToTheirPlace(t *testing.T) {
	r := newRig(t, fontFiles(t, listText))
	r.showAtlas(true)
	r.Focus("problems")
	for i, l := range r.lists.lines {
		if r.found[l.problem].Title == "1 pixel is partly covered" {
			r.lists.problems.Select(i)
		}
	}
	if r.glyph != 1 || r.atlas || r.problem == nil || r.problem.Spots[0].Rect.Min.X != 11 || !strings.Contains(r.lists.detail.Text(), "no coverage") {
		t.Errorf("glyph %d, atlas %v, %+v", r.glyph, r.atlas, r.problem)
	}
	broken := newRig(t, fontFiles(t, strings.Replace(listText, `"Columns": 4,`, `"Columns": 4, "AsciiFirst": 65, "AsciiCount": 4,`, 1)))
	if broken.lists.front.Objects[0] != broken.lists.second || broken.glyph != 3 || broken.found[0].Level != Error || broken.save.Disabled() == false {
		t.Errorf("an error of the list leads to %d, %+v", broken.glyph, broken.found)
	}
}

func TestWatching(t *testing.T) {
	path := fontFiles(t, listText)
	r := newRig(t, path)
	m := sheetOf()
	m.SetNRGBA(6, 8, color.NRGBA{65, 65, 65, 255})
	width := r.work.Font().Glyphs[0].Width
	writeSheet(t, path, m)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, whole[:len(whole)/2])
	r.changed()
	r.host.Drain()
	if len(r.late) != 1 || len(r.host.Errors) > 0 || r.work.sheetErr != nil {
		t.Fatalf("half a file: %v", r.host.Errors)
	}
	write(t, path, append(whole, 0)) // another size, whatever the clock says
	r.written()
	if r.work.Font() == nil || r.work.Font().Glyphs[0].Width == width || r.began != r.work.Round() {
		t.Fatal("the saved image was not packed")
	}
	// An image that stays broken is told in the end.
	write(t, path, whole[:20])
	r.written()
	if r.work.sheetErr == nil || r.found[0].Title != "The image cannot be read" || r.work.Font() == nil {
		t.Errorf("%+v", r.found)
	}
	write(t, path, whole)
	r.written()
	if r.work.sheetErr != nil {
		t.Error("the mended image was not taken")
	}
	write(t, path+".json", []byte(strings.Replace(listText, `"Advance": 5`, `"Advance": 55`, 1)))
	r.written()
	if g, _ := r.work.Glyph(0); g.Advance != 55 || r.Dirty() {
		t.Errorf("%+v", g)
	}
	// With edits of their own, nobody's are thrown away without a question.
	r.host.Error(r.setAdvance(9))
	write(t, path+".json", []byte(strings.Replace(listText, `"Advance": 5`, `"Advance": 155`, 1)))
	r.written()
	if g, _ := r.work.Glyph(0); g.Advance != 9 || !r.banner.Visible() {
		t.Errorf("%+v", g)
	}
	var conflict *document.ConflictError
	r.Save(func(err error) {
		if !errors.As(err, &conflict) {
			t.Errorf("saved over another program's list: %v", err)
		}
	})
	r.keep = true
	r.Save(func(err error) {
		if err != nil {
			t.Error(err)
		}
	})
}

func TestFilesAreWatched(t *testing.T) {
	path := fontFiles(t, listText)
	seen := make(chan struct{}, 10)
	stop, err := watchFiles(filepath.Dir(path), []string{"lamp.png"}, func() { seen <- struct{}{} })
	if err != nil {
		t.Skip(err)
	}
	defer stop()
	write(t, path+".bak", []byte("not ours"))
	write(t, path+".tmp", []byte("saved by renaming"))
	if err := os.Rename(path+".tmp", path); err != nil {
		t.Fatal(err)
	}
	select {
	case <-seen:
	case <-time.After(10 * time.Second):
		t.Fatal("a file that was replaced was not seen")
	}
}

func TestPackAndRoundTrip(t *testing.T) {
	path := fontFiles(t, listText)
	r := newRig(t, path)
	r.roundTrip()
	r.host.Drain()
	if !r.banner.Visible() || !strings.Contains(r.bannerNote.Text(), "identical") {
		t.Errorf("said %q", r.bannerNote.Text())
	}
	r.host.Error(r.setAdvance(30))
	r.saveFont()
	r.host.Drain()
	data, err := os.ReadFile(r.work.Target())
	if err != nil {
		t.Fatal(err)
	}
	f, err := font.Read(data)
	if err != nil || f.Glyphs[0].Advance != 30 || r.Dirty() {
		t.Errorf("%v, %v", f, err)
	}
	r.saveFontTo(path + ".json")
	if len(r.host.Errors) != 1 {
		t.Error("the list was offered as a target")
	}
	r.host.Errors = nil
	r.agreed = map[string]bool{}
	r.saveFont()
	if len(r.host.Questions) != 1 {
		t.Error("a font was replaced without a question")
	}
	r.copyCommand()
	if len(r.host.Copied) != 1 || !strings.Contains(r.host.Copied[0], "pack-font") {
		t.Errorf("copied %v", r.host.Copied)
	}
	r.packJob()
	r.host.Workspace().Queue.Wait()
	if rows := r.host.Workspace().Queue.Rows(); len(rows) != 1 || len(r.host.Screens) != 1 {
		t.Error("no job")
	}
	// What was packed is opened and unpacked again.
	packed := newRig(t, r.work.Target())
	if packed.work.Form != PackedFont || !packed.atlas {
		t.Fatal("the packed font is not shown")
	}
	packed.host.Answer = filepath.Join(t.TempDir(), "again.png")
	packed.unpack()
	packed.host.Drain()
	if packed.work.Path != packed.host.Answer || packed.work.Form != JSONList || len(packed.host.Errors) > 0 {
		t.Errorf("%s, %v", packed.work.Path, packed.host.Errors)
	}
}

func TestBeginList(t *testing.T) {
	path := fontFiles(t, listText)
	if err := os.Remove(path + ".json"); err != nil {
		t.Fatal(err)
	}
	r := newRig(t, path)
	if r.lists.front.Objects[0] != r.lists.second || !r.lists.action.Visible() {
		t.Error("nothing is offered")
	}
	r.host.Text = "8 by 10"
	r.beginList()
	if r.work.List() != nil {
		t.Error("took a size that is none")
	}
	r.host.Text = "8x10"
	r.beginList()
	r.host.Drain()
	if r.work.List() == nil || r.table.Len() != 95 || !r.Dirty() || r.work.Font() == nil {
		t.Errorf("%+v", r.work.Result().Err)
	}
}

func TestSheetFollowsThePointer(t *testing.T) {
	r := newRig(t, fontFiles(t, listText))
	cell := r.sheet.view.Rect(r.work.List().Cell(5))
	r.sheet.Tapped(&fyne.PointEvent{Position: fyne.NewPos(float32(cell.Min.X+3), float32(cell.Min.Y+3))})
	if r.glyph != 5 || r.lists.glyphs.Selected() != 5 {
		t.Errorf("chose %d, row %d", r.glyph, r.lists.glyphs.Selected())
	}
	before := r.sheet.view
	r.sheet.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -10)})
	if r.sheet.view.Zoom >= before.Zoom || r.zoomText.Text == "" {
		t.Error("the wheel does not zoom")
	}
	r.sheet.TypedRune('0')
	r.host.Window().Canvas().Capture()
	if r.sheet.view != before {
		t.Error("0 does not show all of it")
	}
	for _, c := range r.Commands() {
		if c.CanRun() && strings.HasPrefix(c.Title, "Font: ") {
			c.Run()
		}
	}
	if !r.overlay.Raw || !r.overlay.Boxes || r.sample.Zoom != 3 || r.sample.Ground != GroundColor {
		t.Errorf("%+v %+v", r.overlay, r.sample)
	}
	r.hex.SetText("#102030")
	dst := image.NewRGBA(image.Rect(0, 0, 40, 20))
	r.view.render(dst)
	if got := dst.RGBAAt(1, 1); got != (color.RGBA{0x10, 0x20, 0x30, 0xff}) {
		t.Errorf("the ground is %v", got)
	}
}
