package content

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"talebinder/export"
	"talebinder/gui/ui"
	"talebinder/gui/ui/uitest"
	"talebinder/gui/widgets"
	"talebinder/platforms"
	"talebinder/project"
)

// shownScreen opens a project in a test window with the screen in front, before anything in the background has run.
func shownScreen(t testing.TB, p *project.Project) (*screen, *uitest.Host) {
	t.Helper()
	h := uitest.New(t)
	h.SetWorkspace(ui.NewWorkspace(p, export.NewQueue(1), h))
	s := newScreen(h)
	s.detail.loader.start = func(work func()) { work() }
	t.Cleanup(s.Close)
	h.Put(s)
	return s, h
}

func ready(t testing.TB, files map[string]string) (*screen, *uitest.Host) {
	t.Helper()
	s, h := shownScreen(t, open(t, files))
	h.Drain()
	if s.model == nil {
		t.Fatal("the content did not arrive")
	}
	return s, h
}

func TestScreenFindsTheContentInTheBackground(t *testing.T) {
	s, h := shownScreen(t, open(t, lanterns(t)))
	if s.root.Objects[0] != s.waiting {
		t.Error("it does not say that it is busy")
	}
	h.Drain()
	if s.root.Objects[0] != s.body || s.rows.Selected() != -1 {
		t.Error("the list is not there")
	}
	if got := s.summary.Text; got != "10 files, 561 B in the pack · 1 beside it, 109 B" {
		t.Error(got)
	}
	if s.Badge() != "2" || !s.alert.Visible() || !strings.Contains(s.alarm.Text(), "2 problems stop an export") {
		t.Errorf("badge %q, alarm %q", s.Badge(), s.alarm.Text())
	}
}

func TestScreenSaysWhyThereIsNothing(t *testing.T) {
	files := lanterns(t)
	files["assets/config/game.json"] = "{"
	s, h := shownScreen(t, open(t, files))
	h.Drain()
	if s.root.Objects[0] != s.failed || s.model != nil {
		t.Fatal("a broken game.json is not shown as a failure")
	}
}

func TestScreenKeepsTheOldContentWhileItUpdates(t *testing.T) {
	s, h := ready(t, lanterns(t))
	s.Focus("sprites/unused.png")
	if s.tree().Filter().Mode != ModeAll || !strings.HasPrefix(s.detail.detail.Explanation, "Nothing that ships") {
		t.Fatalf("filter %+v, %q", s.tree().Filter(), s.detail.detail.Explanation)
	}
	s.do(ActionInclude)
	if !s.updating.Visible() || !s.veil.Visible() || s.root.Objects[0] != s.body || s.rows.Selected() < 0 {
		t.Error("the old content is not shown, dimmed, while the new one is computed")
	}
	h.Drain()
	if s.updating.Visible() || s.veil.Visible() {
		t.Error("it still says that it is updating")
	}
	if e := s.tree().ByPath("sprites/unused.png"); e.State != Packed || s.selected != e.Path {
		t.Errorf("%+v, %q selected", e, s.selected)
	}
	if d := s.detail.detail; d.State != Packed || d.Actions[0] != ActionExclude {
		t.Errorf("the pane shows %+v", d)
	}
	if title := h.Workspace().Project.Build.UndoTitle(); title != "Always include sprites/unused.png" {
		t.Errorf("undo would take back %q", title)
	}
	h.Workspace().Project.Build.Undo()
	h.Workspace().Changed(ui.BuildEdited)
	h.Drain()
	if s.tree().ByPath("sprites/unused.png").State != Left {
		t.Error("undo does not reach the list")
	}
}

func TestScreenDoesNothingWhileHidden(t *testing.T) {
	s, h := ready(t, lanterns(t))
	s.Hidden()
	before := s.model
	h.Workspace().Changed(ui.Rescanned)
	h.Drain()
	if s.model != before {
		t.Error("the content was computed for nobody")
	}
	s.Shown()
	h.Drain()
	if s.model == before {
		t.Error("the content is not computed again when the screen is shown")
	}
}

func TestScreenFocusBeforeTheContentIsKnown(t *testing.T) {
	s, h := shownScreen(t, open(t, lanterns(t)))
	s.Focus("prefabs/lantern.tprefab")
	h.Drain()
	if s.selected != "prefabs/lantern.tprefab" || s.rows.Selected() != s.tree().Index(s.selected) {
		t.Errorf("%q selected", s.selected)
	}
	s.Focus("no/such/file.png")
	if len(h.Notices) != 1 || s.selected != "prefabs/lantern.tprefab" {
		t.Errorf("notices %v, %q selected", h.Notices, s.selected)
	}
}

func TestScreenSearchAndFilters(t *testing.T) {
	s, h := ready(t, lanterns(t))
	test.Type(s.search.Entry, "lantern png")
	if s.tree().Len() != 2 || s.tree().Entry(s.tree().Row(1)).Path != "sprites/lantern.png" {
		t.Fatalf("found %v", lines(s.tree()))
	}
	s.search.OnDown()
	if s.rows.Selected() != 0 || h.Window().Canvas().Focused() != s.rows {
		t.Error("the down arrow does not go on to the list")
	}
	test.Type(s.search.Entry, "zzz")
	if !s.none.Visible() {
		t.Error("an empty list is not explained")
	}
	s.search.Entry.SetText("")
	s.kinds.SetSelected("Texture")
	if files, _, _ := s.tree().Total(); files != 3 {
		t.Errorf("%d textures ship", files)
	}
	s.modes.SetSelected(int(ModeLeft))
	if f := s.tree().Filter(); f.Kind != "" || f.Mode != ModeLeft {
		t.Errorf("filter %+v", f)
	}
	s.reasons.SetSelected("Plugin off")
	if files, _, _ := s.tree().Total(); files != 1 {
		t.Errorf("%d files of plugins that are off", files)
	}
	s.sizes.OnTapped(0)
	if f := s.tree().Filter(); f.Mode != ModeShips || f.Kind != s.parts[0].Kind || f.Reason != "" {
		t.Errorf("after a tap on the size bar: %+v", f)
	}
	s.sizes.OnTapped(0)
	if f := s.tree().Filter(); f.Kind != "" {
		t.Errorf("a second tap keeps %+v", f)
	}
}

func TestScreenByKeyboard(t *testing.T) {
	s, h := ready(t, lanterns(t))
	press := func(keys ...fyne.KeyName) {
		for _, k := range keys {
			s.rows.TypedKey(&fyne.KeyEvent{Name: k})
		}
	}
	press(fyne.KeyDown)
	if s.selected != "audio" || s.detail.detail == nil || !s.detail.detail.Folder {
		t.Fatalf("%q selected", s.selected)
	}
	press(fyne.KeyLeft)
	if s.tree().Open(s.tree().FolderByPath("audio")) {
		t.Error("Left does not close the folder")
	}
	press(fyne.KeyRight, fyne.KeyRight)
	if s.selected != "audio/jump.wav" {
		t.Errorf("Right opens and goes in: %q", s.selected)
	}
	press(fyne.KeyLeft)
	if s.selected != "audio" {
		t.Errorf("Left goes up: %q", s.selected)
	}
	press(fyne.KeySpace, fyne.KeySpace, fyne.KeyDown, fyne.KeyReturn)
	if len(h.Folders) != 1 || filepath.Base(h.Folders[0]) != "jump.wav" {
		t.Errorf("Enter opened %v", h.Folders)
	}
	s.copyPath()
	if h.Copied[0] != "audio/jump.wav" {
		t.Errorf("copied %v", h.Copied)
	}
}

func TestScreenSortsByTheHeader(t *testing.T) {
	s, _ := ready(t, lanterns(t))
	s.setLayout(Flat)
	c := columnsAt(s.head.Size().Width)
	test.TapAt(s.head, fyne.NewPos(c.size.x+4, 10))
	if o, down := s.tree().Order(); o != BySize || down {
		t.Errorf("order %d, %t", o, down)
	}
	test.TapAt(s.head, fyne.NewPos(c.size.x+4, 10))
	if _, down := s.tree().Order(); !down {
		t.Error("a second tap does not turn the order")
	}
	test.TapAt(s.head, fyne.NewPos(c.kind.x+4, 10))
	if o, _ := s.tree().Order(); o != ByKind {
		t.Errorf("order %d", o)
	}
}

func TestColumnsGiveWayInTurn(t *testing.T) {
	for _, c := range []struct {
		width     float32
		kind, via bool
	}{{900, true, true}, {600, true, false}, {400, false, false}, {240, false, false}} {
		got := columnsAt(c.width)
		if got.kind.width > 0 != c.kind || got.via.width > 0 != c.via || got.name.width < 60 || got.reason.width == 0 {
			t.Errorf("%v wide: %+v", c.width, got)
		}
		if end := max(got.via.x+got.via.width, got.reason.x+got.reason.width); c.width >= 400 && end > c.width {
			t.Errorf("%v wide: the last column ends at %v", c.width, end)
		}
	}
}

func TestScreenChainLeadsToEachStep(t *testing.T) {
	s, h := ready(t, lanterns(t))
	s.Focus("sprites/lantern.png")
	rows := pathRows(s.detail.stack)
	var steps []string
	for _, r := range rows {
		steps = append(steps, r.Path())
	}
	if got := strings.Join(steps[:4], " > "); got != "Start scene > scenes/start.tscene > prefabs/lantern.tprefab > sprites/lantern.png" {
		t.Fatal(got)
	}
	test.Tap(rows[0])
	if len(h.Places) != 1 || h.Places[0].File != "assets/config/game.json" {
		t.Errorf("the root leads to %v", h.Places)
	}
	test.Tap(rows[2])
	if s.selected != "prefabs/lantern.tprefab" {
		t.Errorf("a step leads to %q", s.selected)
	}
}

// pathRows finds the lines that lead to files below an object, from top to bottom.
func pathRows(o fyne.CanvasObject) []*widgets.PathRow {
	var found []*widgets.PathRow
	switch o := o.(type) {
	case *widgets.PathRow:
		return []*widgets.PathRow{o}
	case *fyne.Container:
		for _, c := range o.Objects {
			found = append(found, pathRows(c)...)
		}
	case fyne.Widget:
		for _, c := range test.WidgetRenderer(o).Objects() {
			found = append(found, pathRows(c)...)
		}
	}
	return found
}

func TestScreenShowsPictures(t *testing.T) {
	s, h := ready(t, lanterns(t))
	s.Focus("sprites/lantern.png")
	h.Drain()
	if s.detail.picture.Empty() || s.detail.caption.Text != "24 × 32 PNG" {
		t.Errorf("caption %q", s.detail.caption.Text)
	}
	s.Focus("audio/jump.wav")
	h.Drain()
	if !s.detail.picture.Empty() {
		t.Error("the picture of another file is still there")
	}
}

func TestScreenShowsFailuresOfEdits(t *testing.T) {
	files := lanterns(t)
	files["build.json"] = `{"scenes": 3}`
	p := open(t, files)
	h := uitest.New(t)
	w := ui.NewWorkspace(p, export.NewQueue(1), h)
	w.Collect = func(context.Context, *project.Project, platforms.Profile) (*export.Content, error) {
		return &export.Content{Left: []export.LeftOut{{Path: "sprites/unused.png", Why: export.Unreferenced}}}, nil
	}
	h.SetWorkspace(w)
	s := newScreen(h)
	t.Cleanup(s.Close)
	h.Put(s)
	h.Drain()
	s.Focus("sprites/unused.png")
	s.do(ActionInclude)
	if len(h.Errors) != 1 {
		t.Errorf("errors %v", h.Errors)
	}
}

func TestScreenOffersToTryAgain(t *testing.T) {
	h := uitest.New(t)
	w := ui.NewWorkspace(open(t, lanterns(t)), export.NewQueue(1), h)
	fail := errors.New("the disk is gone")
	w.Collect = func(ctx context.Context, p *project.Project, profile platforms.Profile) (*export.Content, error) {
		if fail != nil {
			return nil, fail
		}
		return export.CollectContent(ctx, p, profile)
	}
	h.SetWorkspace(w)
	s := newScreen(h)
	t.Cleanup(s.Close)
	h.Put(s)
	h.Drain()
	if s.root.Objects[0] != s.failed {
		t.Fatal("the failure is not shown")
	}
	fail = nil
	s.tryAgain()
	h.Drain()
	if s.root.Objects[0] != s.body {
		t.Error("trying again does not bring the list")
	}
}

func TestCommandsFollowTheSelection(t *testing.T) {
	s, _ := ready(t, lanterns(t))
	can := func(id string) bool {
		for _, c := range s.Commands() {
			if c.ID == id {
				return c.CanRun()
			}
		}
		t.Fatalf("no command %s", id)
		return false
	}
	if can("content.include") || can("content.copyPath") || !can("content.search") {
		t.Error("commands without a selection")
	}
	s.Focus("sprites/unused.png")
	if !can("content.include") || can("content.exclude") || !can("content.reveal") {
		t.Error("commands of a file that is left out")
	}
	s.Focus("extras")
	if can("content.include") || !can("content.exclude") {
		t.Error("commands of a folder that is always included")
	}
	s.Hidden()
	if can("content.exclude") {
		t.Error("commands of a hidden screen")
	}
}

// manyItems is the content of a project of n files, all of which ship.
func manyItems(n int) *export.Content {
	c := &export.Content{}
	for _, e := range many(n) {
		c.Items = append(c.Items, export.Item{Path: e.Path, Kind: e.Kind, Reason: export.Dependency, Via: e.Via, Size: e.Size})
	}
	return c
}

func BenchmarkModel(b *testing.B) {
	p, c := open(b, lanterns(b)), manyItems(50_000)
	b.ReportAllocs()
	for b.Loop() {
		NewModel(p, c)
	}
}

// BenchmarkScroll turns the wheel over fifty thousand files, three rows at a time, without painting.
func BenchmarkScroll(b *testing.B) {
	h := uitest.New(b)
	w := ui.NewWorkspace(open(b, lanterns(b)), export.NewQueue(1), h)
	c := manyItems(50_000)
	w.Collect = func(context.Context, *project.Project, platforms.Profile) (*export.Content, error) { return c, nil }
	h.SetWorkspace(w)
	s := newScreen(h)
	b.Cleanup(s.Close)
	h.Put(s)
	h.Drain()
	s.tree().SetAllOpen(true)
	s.refreshList()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s.rows.ScrollTo(i * 3 % s.tree().Len())
	}
}
