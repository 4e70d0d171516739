package scenes

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"talebinder/examples"
	"talebinder/export"
	"talebinder/gui/ui"
	"talebinder/gui/ui/uitest"
	"talebinder/project"
	"talebinder/project/scene/overrides"
)

// sample opens a copy of the sample game.
func sample(t testing.TB) *project.Project {
	t.Helper()
	dir, err := examples.Extract(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return openProject(t, dir)
}

func openProject(t testing.TB, dir string) *project.Project {
	t.Helper()
	p, err := project.Open(context.Background(), dir, project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// shown puts the screen of a project into a test window, with everything read.
func shown(t testing.TB, p *project.Project) (*screen, *uitest.Host) {
	t.Helper()
	h := uitest.New(t)
	h.SetWorkspace(ui.NewWorkspace(p, export.NewQueue(1), h))
	s := newScreen(h)
	t.Cleanup(s.Close)
	h.Window().Resize(fyne.NewSize(1100, 720))
	h.Put(s)
	h.Drain()
	return s, h
}

// choose opens a document and chooses an entity, and a value of it.
func choose(t testing.TB, s *screen, h *uitest.Host, file, entity, component, path string) {
	t.Helper()
	s.openFile(file)
	h.Drain()
	for i := range s.open.Expansion.Nodes {
		if s.open.Expansion.Nodes[i].Name != entity {
			continue
		}
		s.chooseNode(i, true)
		at := s.inspection.Find(component, path)
		if at < 0 {
			t.Fatalf("%s has no %s %s: %+v", entity, component, path, s.inspection.Items)
		}
		s.inspector.rows.Select(at)
		return
	}
	t.Fatalf("%s has no entity %s", file, entity)
}

func text(t testing.TB, p *project.Project, file string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(p.AssetRoot(), filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// differing gives the lines that are in one of two texts only, with - and + in front.
func differing(before, after string) []string {
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	var lines []string
	for _, l := range a {
		lines = append(lines, "-"+strings.TrimSpace(l))
	}
	for _, l := range b {
		lines = append(lines, "+"+strings.TrimSpace(l))
	}
	return lines
}

func save(t testing.TB, s *screen) {
	t.Helper()
	s.Save(func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	})
}

const (
	harbour = "scenes/harbour.tscene"
	bottle  = "prefabs/bottle.tprefab"
)

func TestScreenOpensTheStartSceneAndComparesTheProject(t *testing.T) {
	s, h := shown(t, sample(t))
	if s.open == nil || s.open.Expansion == nil || s.list == nil {
		t.Fatal("nothing was read")
	}
	if len(h.Errors) > 0 {
		t.Fatal(h.Errors)
	}
	if len(s.documents) != 6 || s.documents[0].Path != harbour || s.documents[0].Counts[overrides.Effective] != 4 {
		t.Errorf("%+v", s.documents)
	}
	if s.inspection == nil || !s.inspection.Member {
		t.Error("the first difference is not chosen")
	}
}

func TestEditingAValueChangesOneLine(t *testing.T) {
	p := sample(t)
	s, h := shown(t, p)
	before := text(t, p, harbour)
	choose(t, s, h, harbour, "Bottle 2", "Sprite", "tint")
	e := s.inspector.editor
	if e.entry == nil || e.entry.Text != "#BFE8FF" {
		t.Fatalf("%+v", e.entry)
	}
	e.entry.SetText("blue")
	if status, _ := e.field.Status(); !strings.Contains(status, "#RRGGBB") || !e.set.Disabled() {
		t.Errorf("%q is not refused: %q", e.entry.Text, status)
	}
	e.commit()
	h.Drain()
	if s.Dirty() {
		t.Fatal("something invalid was set")
	}
	e.entry.SetText("#ff8800")
	if e.set.Disabled() {
		t.Fatal("a valid color cannot be set")
	}
	test.Tap(e.set)
	h.Drain()
	if !s.Dirty() || len(s.DirtyFiles()) != 1 || s.UndoTitle() == "" || s.item().Value.Kind() == 0 {
		t.Fatalf("dirty %v, files %v, undo %q", s.Dirty(), s.DirtyFiles(), s.UndoTitle())
	}
	if got := editText(s.item().Value, s.item().Field); got != "#FF8800" {
		t.Errorf("the inspector shows %s", got)
	}
	if text(t, p, harbour) != before {
		t.Error("the file was written before it was saved")
	}
	s.Undo()
	h.Drain()
	if s.Dirty() || editText(s.item().Value, s.item().Field) != "#BFE8FF" {
		t.Error("undo did not bring the value back")
	}
	s.Redo()
	h.Drain()
	save(t, s)
	if got := differing(before, text(t, p, harbour)); strings.Join(got, "\n") != "-\"value\": \"#BFE8FF\"\n+\"value\": \"#FF8800\"" {
		t.Errorf("the file changed by %q", got)
	}
	if s.Dirty() {
		t.Error("still dirty")
	}
}

func TestApplyShowsAPreviewFirst(t *testing.T) {
	p := sample(t)
	s, h := shown(t, p)
	before := text(t, p, bottle)
	choose(t, s, h, harbour, "Bottle 2", "Sprite", "tint")
	s.apply()
	h.Drain()
	if s.dialog == nil {
		t.Fatal("no preview")
	}
	v := s.dialog.preview
	if s.Dirty() || v.Seen == 0 || len(v.Change.Files) != 2 || !strings.Contains(v.Sentence, "2 files would change") {
		t.Errorf("%v %+v", s.Dirty(), v)
	}
	if v.Verb != "Apply in 2 files" {
		t.Error(v.Verb)
	}
	// Nothing is to be edited behind the preview.
	for _, c := range s.Commands() {
		if c.CanRun() {
			t.Errorf("%s can run behind the preview", c.ID)
		}
	}
	test.Tap(s.dialog.cancel)
	h.Drain()
	if s.dialog != nil || s.Dirty() {
		t.Fatal("cancel did something")
	}
	s.apply()
	h.Drain()
	test.Tap(s.dialog.do)
	h.Drain()
	if s.item().Row != nil || len(s.DirtyFiles()) != 2 {
		t.Errorf("%+v, %v", s.item().Row, s.DirtyFiles())
	}
	save(t, s)
	if got := differing(before, text(t, p, bottle)); strings.Join(got, "\n") != "-\"tint\": \"#FFFFFF\"\n+\"tint\": \"#BFE8FF\"" {
		t.Errorf("the prefab changed by %q", got)
	}
	if strings.Contains(text(t, p, harbour), "#BFE8FF") {
		t.Error("the override is still in the scene")
	}
}
