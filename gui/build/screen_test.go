package build

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"talebinder/export"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/ui/uitest"
	"talebinder/gui/widgets"
	"talebinder/project"
	"talebinder/project/document"
)

func openScreen(t *testing.T, build string) (*uitest.Host, *screen) {
	t.Helper()
	isolate(t)
	p, err := project.Open(context.Background(), tree(t, hexQuest(t, build)), project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h := uitest.New(t)
	h.SetWorkspace(ui.NewWorkspace(p, export.NewQueue(1), h))
	s := New(h).(*screen)
	h.Put(s)
	h.Drain()
	t.Cleanup(func() {
		s.Hidden()
		s.Close()
		h.Workspace().Queue.CancelAll()
		h.Workspace().Queue.Wait()
		for _, err := range h.Errors {
			var conflict *document.ConflictError
			if !errors.As(err, &conflict) {
				t.Errorf("the screen showed an error: %v", err)
			}
		}
	})
	return h, s
}

func resize(h *uitest.Host, width, height float32) {
	h.Window().Resize(fyne.NewSize(width, height))
}

// undo does what the window's command does.
func undo(h *uitest.Host, s *screen) {
	s.model.document().Undo()
	h.Workspace().Changed(ui.BuildEdited)
}

func press(name fyne.KeyName) *fyne.KeyEvent { return &fyne.KeyEvent{Name: name} }

// inside says whether an object is drawn within the window.
func inside(h *uitest.Host, o fyne.CanvasObject) bool {
	driver := h.App().Driver()
	// The test driver counts from a frame around the content.
	at := driver.AbsolutePositionForObject(o).Subtract(driver.AbsolutePositionForObject(h.Window().Content()))
	size := h.Window().Canvas().Size()
	return at.X >= 0 && at.Y >= 0 && at.X+o.Size().Width <= size.Width && at.Y+o.Size().Height <= size.Height
}

func TestTypingChangesTheDocumentAndTheFormFollowsIt(t *testing.T) {
	h, s := openScreen(t, buildText)
	h.Window().Canvas().Focus(s.form.version)
	s.form.version.CursorColumn = 5
	test.Type(s.form.version, "-rc")
	if got := s.model.current().Version; got != "1.0.0-rc" {
		t.Fatalf("version %q", got)
	}
	if s.form.version.CursorColumn != 8 {
		t.Errorf("the caret is at %d", s.form.version.CursorColumn)
	}
	if s.head.state.Text() != "Unsaved changes" || s.head.save.Disabled() || s.head.revert.Disabled() {
		t.Error("the head does not say that there are changes")
	}
	undo(h, s)
	if s.form.version.Text != "1.0.0" || s.head.state.Text() != "Saved" || !s.head.revert.Disabled() {
		t.Errorf("after undo the form shows %q, %s", s.form.version.Text, s.head.state.Text())
	}
	s.model.document().Redo()
	h.Workspace().Changed(ui.BuildEdited)
	if s.form.version.Text != "1.0.0-rc" {
		t.Errorf("after redo the form shows %q", s.form.version.Text)
	}
	test.Tap(s.head.revert)
	if s.form.version.Text != "1.0.0" {
		t.Errorf("after reverting the form shows %q", s.form.version.Text)
	}
}

func TestSaveWritesOnlyWhatChanged(t *testing.T) {
	h, s := openScreen(t, buildText)
	s.form.profile.SetSelected(0)
	s.form.compress.TypedKey(press(fyne.KeySpace))
	test.Tap(s.head.save)
	text, err := os.ReadFile(filepath.Join(s.model.project().Dir, "build.json"))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(strings.Replace(buildText, `"release"`, `"development"`, 1), `"compress": true`, `"compress": false`, 1)
	if string(text) != want {
		t.Errorf("build.json is\n%swant\n%s", text, want)
	}
	if s.head.state.Text() != "Saved" || len(h.Notices) != 1 {
		t.Errorf("state %s, notices %q", s.head.state.Text(), h.Notices)
	}
	if got, _ := s.form.profiles.Status(); !strings.HasPrefix(got, "Debug scripts") {
		t.Errorf("the profile is explained as %q", got)
	}
}

func TestFindingsStandBelowTheirFieldsAndBesideTheButton(t *testing.T) {
	h, s := openScreen(t, buildText)
	s.model.setContentOnly("linux-x64", true)
	s.sync()
	if s.foot.export.Disabled() || s.foot.export.Text != "Export Linux x64" {
		t.Fatalf("the button says %q, off: %v", s.foot.export.Text, s.foot.export.Disabled())
	}
	if text, tone := s.form.versions.Status(); tone != widgets.Neutral {
		t.Errorf("a good version is commented: %s", text)
	}
	s.form.version.SetText("")
	text, tone := s.form.versions.Status()
	if tone != widgets.Danger || !strings.HasPrefix(text, "The version is empty") {
		t.Errorf("below the version: %q in tone %d", text, tone)
	}
	if !s.foot.export.Disabled() || s.Badge() != "1" || len(s.foot.lines.Objects) != 1 {
		t.Errorf("export off: %v, badge %q, %d reasons", s.foot.export.Disabled(), s.Badge(), len(s.foot.lines.Objects))
	}
	h.Window().Canvas().Unfocus()
	test.Tap(s.foot.lines.Objects[0].(*widgets.Link))
	if h.Window().Canvas().Focused() != s.form.version {
		t.Error("the reason does not lead to its field")
	}
	s.export()
	if len(h.Workspace().Queue.Rows()) != 0 {
		t.Error("an export was started in spite of it")
	}
	s.form.version.SetText("2.0.0")
	if s.foot.export.Disabled() || s.foot.export.Text != "Save and export Linux x64" || s.Badge() != "" {
		t.Errorf("the button says %q, badge %q", s.foot.export.Text, s.Badge())
	}
}

func TestACardWithoutAPlayerOffersTheGameFolder(t *testing.T) {
	h, s := openScreen(t, buildText)
	c := s.form.cards["linux-x64"]
	if c.Note() != "No player found." || len(c.Links()) != 2 || s.foot.export.Disabled() == false {
		t.Fatalf("the card says %q with %d links", c.Note(), len(c.Links()))
	}
	if text, tone := s.form.targets.Status(); tone != widgets.Warning || !strings.Contains(text, "linux-x64-r2r-nosymbols") {
		t.Errorf("what is missing and where it was looked for is not said: %q", text)
	}
	test.Tap(c.Links()[0]) // game folder only
	if !s.model.contentOnly["linux-x64"] || s.foot.export.Disabled() {
		t.Error("the game folder cannot be exported")
	}
	test.Tap(c.Links()[0]) // whole build
	if s.model.contentOnly["linux-x64"] {
		t.Error("the card does not go back to a whole build")
	}
	test.Tap(c.Links()[1]) // find the player
	if len(h.Screens) != 1 || h.Screens[0] != (uitest.Shown{Screen: ui.ScreenPlayers, Focus: "linux-x64/release"}) {
		t.Errorf("shown %v", h.Screens)
	}
	if err := h.Settings().SetPlayersFolder(filepath.Join(s.model.project().Dir, "players")); err != nil {
		t.Fatal(err)
	}
	h.Workspace().Changed(ui.SettingsChanged)
	h.Drain()
	if c.Note() != "" || s.foot.export.Disabled() {
		t.Errorf("with a player the card says %q", c.Note())
	}
}

func cardOf(m *model, id string) card {
	for _, c := range m.cards() {
		if c.target.ID == id {
			return c
		}
	}
	return card{}
}

func TestCardsAreTickedByPointerAndKey(t *testing.T) {
	_, s := openScreen(t, buildText)
	test.Tap(s.form.cards["win-x64"])
	s.form.cards["osx-x64"].TypedKey(press(fyne.KeySpace))
	if got := ids(s.model.chosen()); got != "win-x64 linux-x64 osx-x64" {
		t.Errorf("chosen: %s", got)
	}
	if s.foot.export.Text != "Export 3 targets" {
		t.Errorf("the button says %q", s.foot.export.Text)
	}
	for _, id := range []string{"win-x64", "osx-x64", "linux-x64"} {
		test.Tap(s.form.cards[id])
	}
	if !s.form.cards["linux-x64"].Checked() {
		t.Error("the last target can be unticked")
	}
}

func TestExportShowsTheQueue(t *testing.T) {
	h, s := openScreen(t, buildText)
	s.model.setContentOnly("linux-x64", true)
	s.form.version.SetText("3.0.0")
	test.Tap(s.foot.export)
	rows := h.Workspace().Queue.Rows()
	if len(rows) != 1 || len(h.Screens) != 1 || h.Screens[0].Screen != ui.ScreenExports {
		t.Fatalf("%d rows, screens %v", len(rows), h.Screens)
	}
	test.Tap(s.foot.command)
	if len(h.Copied) != 1 || !strings.HasPrefix(h.Copied[0], "talebinder export ") {
		t.Errorf("copied %q", h.Copied)
	}
}

func TestTheGameFolderIsExportedWithoutAPlayer(t *testing.T) {
	h, s := openScreen(t, buildText)
	for _, c := range s.Commands() {
		if c.ID == "build.exportContent" && c.CanRun() {
			c.Run()
		}
	}
	rows := h.Workspace().Queue.Rows()
	if len(rows) != 1 || !strings.Contains(strings.Join(rows[0].Job().Command(), " "), "--content-only") {
		t.Fatalf("%d rows, errors %v", len(rows), h.Errors)
	}
	if !s.model.contentOnly["linux-x64"] {
		t.Error("the card does not say so")
	}
	h.Workspace().Queue.CancelAll()
	h.Workspace().Queue.Wait()
}

func TestScenesAreDragged(t *testing.T) {
	h, s := openScreen(t, buildText)
	list := s.scenes.list
	at := h.App().Driver().AbsolutePositionForObject(list)
	height := list.RowHeight()
	test.Drag(h.Window().Canvas(), at.AddXY(10, 1.5*height), 0, height)
	if got := paths(s.scenes.rows); got != "start -level-2 level-1" || list.Selected() != 2 {
		t.Errorf("rows %s, selected %d", got, list.Selected())
	}
	undo(h, s)
	if got := paths(s.scenes.rows); got != "start level-1 -level-2" {
		t.Errorf("rows after undo %s", got)
	}
}

func TestScenesAreChangedByKeys(t *testing.T) {
	h, s := openScreen(t, buildText)
	s.Focus("scenes/1")
	rows := h.Window().Canvas().Focused()
	if rows == nil || s.scenes.list.Selected() != 2 {
		t.Fatal("the list has no focus")
	}
	rows.TypedKey(press(fyne.KeySpace))
	rows.(fyne.Shortcutable).TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyUp, Modifier: fyne.KeyModifierAlt})
	if got := paths(s.scenes.rows); got != "start level-2 level-1" || s.scenes.list.Selected() != 1 {
		t.Errorf("rows %s, selected %d", got, s.scenes.list.Selected())
	}
	rows.TypedKey(press(fyne.KeyDelete))
	rows.TypedKey(press(fyne.KeyUp))
	rows.TypedKey(press(fyne.KeyDelete)) // the start scene stays
	rows.TypedKey(press(fyne.KeySpace))
	if got := paths(s.scenes.rows); got != "start level-1" {
		t.Errorf("rows %s", got)
	}
	rows.TypedKey(press(fyne.KeyReturn))
	if len(h.Places) != 1 || h.Places[0].File != project.GameFile {
		t.Errorf("Enter on the start scene opened %v", h.Places)
	}
}

func TestCommandsMoveTheSelectedScene(t *testing.T) {
	h, s := openScreen(t, buildText)
	commands := map[string]ui.Command{}
	for _, c := range s.Commands() {
		commands[c.ID] = c
		if c.Title == "" || c.Run == nil || !slices.Contains(ui.Menus(), c.Menu) {
			t.Errorf("command %+v", c)
		}
	}
	up, down := commands["build.moveUp"], commands["build.moveDown"]
	if up.CanRun() || down.CanRun() {
		t.Error("a scene can be moved although none is selected")
	}
	s.scenes.list.Select(1)
	if up.CanRun() || !down.CanRun() {
		t.Error("the first scene cannot be moved down, or up")
	}
	down.Run()
	if got := paths(s.scenes.rows); got != "start -level-2 level-1" || down.CanRun() || !up.CanRun() {
		t.Errorf("rows %s", got)
	}
	s.Hidden()
	if up.CanRun() {
		t.Error("a scene is moved while another screen is shown")
	}
	s.Shown()
	h.Drain()
	if commands["build.export"].CanRun() {
		t.Error("an export without a player can be run")
	}
	commands["build.json"].Run()
	if !s.body.jsonShown {
		t.Error("the text is not shown")
	}
}

func TestAddingFromThePickers(t *testing.T) {
	h, s := openScreen(t, buildText)
	cv := h.Window().Canvas()
	test.Tap(s.scenes.add)
	cv.Focused().TypedKey(press(fyne.KeyReturn))
	if got := paths(s.scenes.rows); got != "start level-1 -level-2 credits" {
		t.Errorf("rows %s", got)
	}
	if cv.Overlays().Top() != nil {
		t.Error("the picker is open with nothing left to add")
	}
	for button, want := range map[fyne.Tappable]string{s.includes.label: "label:extra", s.includes.folder: "texts", s.includes.file: "texts/notes.txt"} {
		test.Tap(button)
		search := cv.Focused()
		test.Type(search, strings.TrimPrefix(want, "label:"))
		search.TypedKey(press(fyne.KeyReturn))
		search.TypedKey(press(fyne.KeyEscape))
		search.TypedKey(press(fyne.KeyEscape))
		if got := s.model.current().AlwaysInclude; !slices.Contains(got, want) {
			t.Errorf("entries %q, without %s", got, want)
		}
		if cv.Overlays().Top() != nil {
			t.Fatal("the picker did not close")
		}
	}
	test.Tap(s.form.choose)
	test.Type(cv.Focused(), "menu a")
	cv.Focused().TypedKey(press(fyne.KeyReturn))
	h.Drain()
	if s.form.icon.Text != "ui/menu/a.png" || s.form.picture.Empty() {
		t.Errorf("icon %q, picture empty: %v", s.form.icon.Text, s.form.picture.Empty())
	}
}

func TestAlwaysIncludedRowsAreTakenOff(t *testing.T) {
	h, s := openScreen(t, buildText)
	s.Focus("alwaysInclude/1")
	list := h.Window().Canvas().Focused()
	list.TypedKey(press(fyne.KeyDelete))
	list.TypedKey(press(fyne.KeyDelete))
	if len(s.includes.rows) != 0 || !s.includes.empty.Visible() || s.includes.box.Visible() {
		t.Errorf("%d rows left", len(s.includes.rows))
	}
	list.TypedKey(press(fyne.KeyDelete))
	undo(h, s)
	if len(s.includes.rows) != 1 || s.includes.empty.Visible() {
		t.Error("undo does not bring the row back")
	}
}

func TestMissingEntriesAreMendedWithEnter(t *testing.T) {
	h, s := openScreen(t, `{ "scenes": [ { "path": "scenes/Level-1.tscene" } ], "alwaysInclude": [ "UI/menu" ] }`)
	s.Focus("scenes/0")
	if text := s.scenes.note.Text(); !strings.Contains(text, "does not exist") {
		t.Errorf("below the list: %q", text)
	}
	h.Window().Canvas().Focused().TypedKey(press(fyne.KeyReturn))
	s.Focus("alwaysInclude/0")
	h.Window().Canvas().Focused().TypedKey(press(fyne.KeyReturn))
	c := s.model.current()
	if c.Scenes[0].Path != "scenes/level-1.tscene" || c.AlwaysInclude[0] != "ui/menu" {
		t.Errorf("mended to %v and %v", c.Scenes, c.AlwaysInclude)
	}
}

func TestBrokenTextHidesTheFormUntilItIsMended(t *testing.T) {
	h, s := openScreen(t, "{\n  \"version\": 12\n}\n")
	if s.body.form.Visible() || !s.broken.content.Visible() || !s.foot.export.Disabled() || s.Badge() != "1" {
		t.Fatal("the form is shown")
	}
	s.Focus("version") // nothing to focus, and no harm
	s.Focus("json")
	if !s.body.jsonShown || s.json.wrong != 2 || s.json.list.Selected() != 1 {
		t.Errorf("the text is shown at line %d", s.json.list.Selected()+1)
	}
	s.model.replaceWithDefaults()
	if !s.body.form.Visible() || s.broken.content.Visible() || s.form.version.Text != "1.0.0" {
		t.Error("the form does not come back")
	}
	undo(h, s)
	if s.body.form.Visible() {
		t.Error("undo does not bring the broken text back")
	}
	resize(h, 700, 500)
	if !inside(h, s.json.content) || !inside(h, s.broken.content) {
		t.Error("something is cut off in a small window")
	}
}

func TestTheTextPanelMarksWhatChanged(t *testing.T) {
	h, s := openScreen(t, buildText)
	s.toggleJSON()
	if s.json.state.Text() != "As on disk." {
		t.Errorf("state %q", s.json.state.Text())
	}
	s.form.version.SetText("9")
	if s.json.state.Text() != "2 lines changed since the last save." {
		t.Errorf("state %q", s.json.state.Text())
	}
	s.json.list.Select(2)
	s.json.list.TypedKey(press(fyne.KeyReturn)) // the line of the target
	if h.Window().Canvas().Focused() != s.form.cards["linux-x64"] {
		t.Errorf("Enter leads to %T", h.Window().Canvas().Focused())
	}
	s.json.copy()
	if h.Copied[0] != string(s.model.document().Text()) {
		t.Error("the copied text differs")
	}
	again := New(h).(*screen)
	defer again.Close()
	if !again.body.jsonShown {
		t.Error("the panel is not remembered")
	}
	s.toggleJSON()
	if s.body.json.Visible() {
		t.Error("the panel does not close")
	}
}

func TestLinesOfBuildJSONLeadToTheirFields(t *testing.T) {
	h, s := openScreen(t, buildText)
	s.Focus("line:11")
	if h.Window().Canvas().Focused() != s.form.version {
		t.Error("line 11 does not lead to the version")
	}
	s.Focus("line:8")
	if s.scenes.list.Selected() != 2 {
		t.Error("line 8 does not lead to the second scene")
	}
	s.Focus("line:13")
	if !s.body.jsonShown || s.json.list.Selected() != 12 {
		t.Error("an unknown field is not shown in the text")
	}
	s.Focus("target/linux-x64")
	s.Focus("target/none")
	s.Focus("nothing")
}

func TestDroppedFiles(t *testing.T) {
	h, s := openScreen(t, buildText)
	dir := s.model.project().Dir
	asset := func(p string) string { return filepath.Join(dir, "assets", filepath.FromSlash(p)) }
	if !s.Drop([]string{asset("scenes/credits.tscene"), asset("scenes/level-1.tscene"), asset("texts"), asset("ui/menu")}) {
		t.Fatal("assets were not taken")
	}
	if got := paths(s.scenes.rows); got != "start level-1 -level-2 credits" {
		t.Errorf("scenes %s", got)
	}
	if got := s.model.current().AlwaysInclude; !slices.Equal(got, []string{"ui/menu", "label:music", "texts"}) {
		t.Errorf("always included %q", got)
	}
	if !s.Drop([]string{asset("icon.png")}) || s.form.icon.Text != "icon.png" {
		t.Error("a picture does not become the icon")
	}
	h.Drain()
	out := t.TempDir()
	if !s.Drop([]string{out}) || s.model.current().OutputFolder != out {
		t.Error("a folder does not become the output folder")
	}
	other := tree(t, hexQuest(t, ""))
	if s.Drop([]string{other}) || s.Drop([]string{filepath.Join(out, "missing")}) {
		t.Error("a project, or nothing at all, was taken")
	}
}

func TestBrowsingForTheOutputFolder(t *testing.T) {
	h, s := openScreen(t, buildText)
	h.Answer = filepath.Join(s.model.project().Dir, "out", "linux")
	s.form.output.OnBrowse()
	if s.form.output.Text() != "out/linux" || !strings.HasSuffix(s.form.output.Resolved(), filepath.Join("out", "linux", "Hex Quest-linux-x64")) {
		t.Errorf("%q resolves to %q", s.form.output.Text(), s.form.output.Resolved())
	}
}

func TestChangesOnDiskAndRescans(t *testing.T) {
	h, s := openScreen(t, buildText)
	dir := s.model.project().Dir
	must(t, os.WriteFile(filepath.Join(dir, "build.json"), []byte(strings.Replace(buildText, "1.0.0", "5.0.0", 1)), 0o644))
	must(t, s.model.document().Reload())
	h.Workspace().Changed(ui.BuildEdited)
	if s.form.version.Text != "5.0.0" {
		t.Errorf("after reloading the form shows %q", s.form.version.Text)
	}
	must(t, os.WriteFile(filepath.Join(dir, "assets", "scenes", "new.tscene"), []byte("{}"), 0o644))
	must(t, s.model.project().Rescan(context.Background(), project.Options{}))
	h.Workspace().Changed(ui.Rescanned)
	h.Drain()
	if list := s.model.scenesToAdd(); len(list) != 2 {
		t.Errorf("%d scenes to add after a rescan", len(list))
	}
}

func TestEverythingIsReachedByTab(t *testing.T) {
	h, s := openScreen(t, buildText)
	for _, size := range []fyne.Size{{Width: 1104, Height: 750}, {Width: 756, Height: 550}} {
		resize(h, size.Width, size.Height)
		cv := h.Window().Canvas()
		cv.Unfocus()
		seen := map[fyne.Focusable]bool{}
		for range 60 {
			test.FocusNext(cv)
			o := cv.Focused()
			if seen[o] {
				break
			}
			seen[o] = true
			if o, ok := o.(fyne.CanvasObject); ok && reveals(o) && !inside(h, o) {
				t.Errorf("at %v the focus is out of sight, on %T", size, o)
			}
		}
		for name, o := range map[string]fyne.Focusable{
			"card": s.form.cards["osx-x64"], "profile": s.form.profile, "output": s.form.output.Entry, "version": s.form.version, "icon": s.form.icon,
			"name": s.form.name, "bundle": s.form.bundle, "compress": s.form.compress, "add": s.scenes.add, "file": s.includes.file, "label": s.includes.label,
			"includes": s.includes.list, "copy": s.foot.command, "json": s.head.json,
		} {
			if !seen[o] {
				t.Errorf("at %v Tab does not reach %s", size, name)
			}
		}
	}
}

// reveals tells which objects bring themselves into sight.
func reveals(o fyne.CanvasObject) bool {
	switch o.(type) {
	case *widgets.Entry, *widgets.Segmented, *widgets.ChoiceCard, *widgets.Switch:
		return true
	}
	return false
}

func TestNothingIsCutOffAtAnySize(t *testing.T) {
	h, s := openScreen(t, buildText)
	s.form.version.SetText("")
	for _, json := range []bool{false, true} {
		s.showJSON(json)
		for _, size := range []fyne.Size{{Width: 1280, Height: 800}, {Width: 1104, Height: 750}, {Width: 830, Height: 600}, {Width: 756, Height: 550}, {Width: 600, Height: 450}} {
			resize(h, size.Width, size.Height)
			for name, o := range map[string]fyne.CanvasObject{"head": s.head.content, "save": s.head.save, "foot": s.foot.content, "export": s.foot.export, "command": s.foot.command, "form": s.body.form} {
				if !inside(h, o) {
					t.Errorf("at %v, text %v, %s is cut off: %v at %v", size, json, name, o.Size(), h.App().Driver().AbsolutePositionForObject(o))
				}
			}
			if json && !inside(h, s.json.content) {
				t.Errorf("at %v the text is cut off", size)
			}
			if wide := s.body.form.Size().Width >= twoColumns; s.body.form.wide != wide {
				t.Errorf("at %v two columns: %v", size, s.body.form.wide)
			}
		}
	}
}

func TestTheFormFollowsTheTheme(t *testing.T) {
	h, s := openScreen(t, buildText)
	resize(h, 1104, 750)
	dark := h.Window().Canvas().Capture()
	test.ApplyTheme(t, theme.New(theme.Light))
	light := h.Window().Canvas().Capture()
	for name, o := range map[string]fyne.CanvasObject{"head": s.head.content, "foot": s.foot.content, "scenes": s.scenes.card, "card": s.form.cards["win-x64"], "profile": s.form.profile} {
		at := h.App().Driver().AbsolutePositionForObject(o)
		x, y := int(at.X)+4, int(at.Y)+4
		a, _, _, _ := dark.At(x, y).RGBA()
		b, _, _, _ := light.At(x, y).RGBA()
		if a > 0x5000 || b < 0xa000 {
			t.Errorf("%s: %x in dark, %x in light", name, a, b)
		}
	}
}
