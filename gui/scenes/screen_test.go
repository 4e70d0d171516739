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
	"talebinder/gui/widgets"
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

func press(o fyne.Focusable, keys ...fyne.KeyName) {
	for _, k := range keys {
		o.TypedKey(&fyne.KeyEvent{Name: k})
	}
}

func chosenName(s *screen) string {
	if s.inspection == nil {
		return ""
	}
	return s.inspection.Name
}

func TestHierarchyByKeyboard(t *testing.T) {
	s, h := shown(t, sample(t))
	choose(t, s, h, harbour, "Harbour", "Transform", "")
	h.Window().Canvas().Focus(s.tree)
	before := s.open.Tree.Len()
	press(s.tree, fyne.KeyLeft)
	if s.open.Tree.Len() != before-2 {
		t.Error("Left does not fold")
	}
	press(s.tree, fyne.KeyRight, fyne.KeyRight)
	if chosenName(s) != "Island" {
		t.Errorf("Right chose %q", chosenName(s))
	}
	press(s.tree, fyne.KeyDown, fyne.KeyLeft)
	if chosenName(s) != "Harbour" {
		t.Errorf("Left of a leaf chose %q", chosenName(s))
	}
	press(s.tree, fyne.KeyDown, fyne.KeyReturn)
	if h.Window().Canvas().Focused() != fyne.Focusable(s.inspector.rows) {
		t.Fatal("Enter does not lead to the values")
	}
	press(s.inspector.rows, fyne.KeyDown, fyne.KeyReturn)
	if s.item().Path != "position" || h.Window().Canvas().Focused() != fyne.Focusable(s.inspector.editor.entry) {
		t.Fatalf("Enter does not edit: %+v", s.item())
	}
	s.inspector.editor.entry.SetText("1, 2")
	press(s.inspector.editor.entry, fyne.KeyEscape)
	if s.inspector.editor.entry.Text != "242, 118" || s.Dirty() {
		t.Error("Escape does not drop what was typed")
	}
}

func TestRevertingByKeyAndBoolByChoice(t *testing.T) {
	p := sample(t)
	s, h := shown(t, p)
	before := text(t, p, harbour)
	choose(t, s, h, harbour, "Golden bottle", "ScriptComponent", "scripts.0.fields.letters")
	press(s.inspector.rows, fyne.KeyDelete)
	h.Drain()
	if s.dialog != nil || s.item().Row != nil || string(s.item().Value.Raw()) != "1" {
		t.Errorf("%+v", s.item())
	}
	choose(t, s, h, harbour, "Golden bottle", "AudioSource", "loop")
	s.inspector.editor.toggle.SetSelected(0)
	h.Drain()
	if r := s.item().Row; r == nil || string(s.item().Value.Raw()) != "true" {
		t.Errorf("%+v", s.item())
	}
	s.Undo()
	h.Drain()
	s.Undo()
	h.Drain()
	if s.Dirty() || s.UndoTitle() != "" {
		t.Errorf("dirty %v, undo %q", s.Dirty(), s.UndoTitle())
	}
	save(t, s)
	if text(t, p, harbour) != before {
		t.Error("the file has changed")
	}
}

func TestComponentsAreRemovedAndRestored(t *testing.T) {
	p := sample(t)
	s, h := shown(t, p)
	choose(t, s, h, "scenes/reef.tscene", "South buoy", "Collider2D", "")
	s.restoreComponent()
	h.Drain()
	if s.item().Removed {
		t.Fatal("it is still removed")
	}
	save(t, s)
	if strings.Contains(text(t, p, "scenes/reef.tscene"), `"component": "Collider2D"`) {
		t.Error("the file still removes it")
	}
	s.removeComponent()
	h.Drain()
	if item := s.item(); item == nil || !item.Removed {
		t.Errorf("%+v", item)
	}
}

func TestOverridesAreFilteredAndRevertedTogether(t *testing.T) {
	p := sample(t)
	s, h := shown(t, p)
	s.Focus(focusOverrides)
	h.Drain()
	page := s.overrides
	if page.rows.Selected() >= 0 || !page.revert.Disabled() || page.clean.Text != "Clean up 1…" {
		t.Errorf("%d is selected, clean up says %q", page.rows.Selected(), page.clean.Text)
	}
	page.search.Entry.SetText("golden")
	if s.list.Count(-1) != 3 {
		t.Errorf("%d match", s.list.Count(-1))
	}
	page.search.Entry.SetText("nothing has this")
	if !page.none.Visible() {
		t.Error("an empty list says nothing")
	}
	page.search.Entry.SetText("golden")
	press(page.rows, fyne.KeyDown, fyne.KeySpace)
	if page.revert.Text != "Revert 3…" {
		t.Errorf("the button says %q", page.revert.Text)
	}
	press(page.rows, fyne.KeyDelete)
	h.Drain()
	if s.dialog == nil || s.dialog.do.Text != "Revert 3 differences in harbour.tscene" {
		t.Fatalf("%+v", s.dialog)
	}
	commands := s.commandsOf("revert", targetsOf(s.chosenDifferences()))
	if strings.Count(commands, "\n") != 2 || !strings.Contains(commands, "talebinder prefab revert "+p.Dir+" scenes/harbour.tscene e19125bbd4ff4fcf8495e21c354086f3 --entity") {
		t.Error(commands)
	}
	press(s.dialog.do, fyne.KeyReturn)
	h.Drain()
	if len(s.list.table.Rows) != 5 || len(s.DirtyFiles()) != 1 {
		t.Errorf("%d differences, %v", len(s.list.table.Rows), s.DirtyFiles())
	}
	s.Undo()
	h.Drain()
	if len(s.list.table.Rows) != 8 || s.Dirty() {
		t.Error("one undo does not take all of it back")
	}
	page.search.Entry.SetText("")
	test.Tap(page.clean)
	h.Drain()
	press(s.dialog.do, fyne.KeyReturn)
	h.Drain()
	if s.list.Count(int(overrides.Redundant)) != 0 || !page.clean.Disabled() {
		t.Error("what is redundant is still there")
	}
}

func TestADifferenceIsShownInItsDocument(t *testing.T) {
	s, h := shown(t, sample(t))
	s.Focus(focusOverrides)
	for i := range s.list.Len() {
		if r := s.list.Difference(i); r != nil && r.EntityName == "Glint" {
			s.overrides.rows.Select(i)
		}
	}
	test.Tap(find(t, s.overrides.detail, "Show in the hierarchy"))
	h.Drain()
	if s.modes.Selected() != 0 || chosenName(s) != "Glint" || s.item() == nil || s.item().Path != "radius" {
		t.Errorf("%q, %+v", chosenName(s), s.item())
	}
	s.openPlace()
	if len(h.Places) != 1 || h.Places[0].File != "assets/"+harbour || h.Places[0].Line < 300 {
		t.Errorf("%+v", h.Places)
	}
	s.Focus("scenes/harbour.tscene:40")
	h.Drain()
	if chosenName(s) != "Main Camera" {
		t.Errorf("a line leads to %q", chosenName(s))
	}
}

// find gives the link with these words.
func find(t testing.TB, o fyne.CanvasObject, words string) *widgets.Link {
	t.Helper()
	l := findIn(o, words)
	if l == nil {
		t.Fatalf("no link %q", words)
	}
	return l
}

func findIn(o fyne.CanvasObject, words string) *widgets.Link {
	if l, ok := o.(*widgets.Link); ok && l.Text() == words {
		return l
	}
	if c, ok := o.(*fyne.Container); ok {
		for _, child := range c.Objects {
			if l := findIn(child, words); l != nil {
				return l
			}
		}
	}
	return nil
}

func write(t testing.TB, p *project.Project, file, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(p.AssetRoot(), filepath.FromSlash(file)), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestAnUnreadableDocumentLeavesTheOthersUsable(t *testing.T) {
	p := sample(t)
	write(t, p, "scenes/lagoon.tscene", "{\n  \"version\": 1,\n  \"entities\": [\n    {\"id\": \"no guid\"}\n  ]\n}\n")
	s, h := shown(t, p)
	s.openFile("scenes/lagoon.tscene")
	h.Drain()
	if s.open.Err == nil || !s.treeNone.Visible() || s.inspection != nil {
		t.Fatal("it counts as read")
	}
	if title, body := failure(s.open.File, s.open.Err); title != "lagoon.tscene cannot be read" || !strings.HasPrefix(body, "Line 4, column ") {
		t.Errorf("%s: %s", title, body)
	}
	broken := false
	for _, d := range s.documents {
		broken = broken || d.Path == "scenes/lagoon.tscene" && d.Broken
	}
	if !broken || len(s.list.table.Rows) == 0 {
		t.Error("the list does not mark it, or has nothing of the others")
	}
	s.setMode(1)
	if !s.overrides.alarm.Visible() {
		t.Error("the list of overrides does not say what it leaves out")
	}
	choose(t, s, h, harbour, "Bottle 2", "Sprite", "tint")
	s.revertValue()
	h.Drain()
	if !s.Dirty() || len(h.Errors) > 0 {
		t.Errorf("another document cannot be edited: %v", h.Errors)
	}
	save(t, s)
}

func TestChangesOfAnotherProgram(t *testing.T) {
	p := sample(t)
	s, h := shown(t, p)
	choose(t, s, h, harbour, "Bottle 2", "Sprite", "tint")
	s.setValue([]byte(`"#112233"`))
	h.Drain()
	theirs := strings.Replace(text(t, p, harbour), "Golden bottle", "Silver bottle", 1)
	write(t, p, harbour, theirs)
	h.Tick()
	if !s.banner.Visible() || !strings.Contains(s.warning.Text(), harbour) {
		t.Fatal("nothing is said")
	}
	var failed error
	s.Save(func(err error) { failed = err })
	if failed == nil || text(t, p, harbour) != theirs {
		t.Fatalf("the other program's changes are gone: %v", failed)
	}
	s.takeDisk()
	h.Drain()
	if s.banner.Visible() || s.Dirty() || len(s.DirtyFiles()) != 0 {
		t.Error("the file was not read again")
	}
	if !strings.Contains(strings.Join(names(s.open), " "), "Silver bottle") {
		t.Error("the tree is still the old one")
	}
	s.Undo()
	h.Drain()
	if !s.Dirty() {
		t.Error("undo does not bring the edits back")
	}
	h.Yes = true
	write(t, p, harbour, strings.Replace(theirs, "Silver", "Tin", 1))
	h.Tick()
	s.keepMine()
	h.Drain()
	if s.Dirty() || s.banner.Visible() || !strings.Contains(text(t, p, harbour), "#112233") {
		t.Error("ours were not saved")
	}
}

func TestAProjectWithoutScenesSaysSo(t *testing.T) {
	p := sample(t)
	for _, folder := range []string{"scenes", "prefabs"} {
		if err := os.RemoveAll(filepath.Join(p.AssetRoot(), folder)); err != nil {
			t.Fatal(err)
		}
	}
	s, h := shown(t, openProject(t, p.Dir))
	if len(h.Errors) > 0 || !s.treeNone.Visible() || s.open != nil {
		t.Errorf("%v", h.Errors)
	}
	s.setMode(1)
	if !s.overrides.none.Visible() {
		t.Error("the list of overrides is just empty")
	}
}

func TestScreenFitsSmallWindows(t *testing.T) {
	s, h := shown(t, sample(t))
	choose(t, s, h, harbour, "Golden bottle", "Sprite", "texture")
	for _, mode := range []int{0, 1} {
		s.setMode(mode)
		if size := s.Content().MinSize(); size.Width > 750 || size.Height > 500 {
			t.Errorf("mode %d wants %v", mode, size)
		}
	}
	s.setMode(0)
	h.Window().Resize(fyne.NewSize(700, 520))
	if s.pane.wide {
		t.Fatal("there is no room for two")
	}
	s.pane.choose(1)
	if s.inspector.object.Visible() && len(s.pane.single.Objects) != 1 || s.pane.single.Objects[0] != fyne.CanvasObject(s.stage) {
		t.Error("the picture is not shown")
	}
	h.Window().Resize(fyne.NewSize(1200, 520))
	if !s.pane.wide {
		t.Error("both are not shown again")
	}
}
