package gui

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"talebinder/examples"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
)

// An editorScreen has edits of its own.
type editorScreen struct {
	fakeScreen
	edits, undone int
	files         []string
	failure       error
}

func (s *editorScreen) UndoTitle() string {
	if s.edits == 0 {
		return ""
	}
	return "Advance of A"
}

func (s *editorScreen) RedoTitle() string {
	if s.undone == 0 {
		return ""
	}
	return "Advance of A"
}
func (s *editorScreen) Undo()                { s.edits, s.undone = s.edits-1, s.undone+1 }
func (s *editorScreen) Redo()                { s.edits, s.undone = s.edits+1, s.undone-1 }
func (s *editorScreen) Dirty() bool          { return s.edits > 0 }
func (s *editorScreen) DirtyFiles() []string { return s.files }
func (s *editorScreen) Revert()              { s.edits = 0 }
func (s *editorScreen) Takes(p string) bool {
	return filepath.Ext(p) == ".font" || filepath.Ext(p) == ".png"
}
func (s *editorScreen) Save(done func(error)) { s.save(done) }
func (s *editorScreen) save(done func(error)) {
	if s.failure == nil {
		s.edits = 0
	}
	done(s.failure)
}

// toolRig is a window whose second screen is a tool with edits.
func toolRig(t *testing.T) (*rig, *editorScreen) {
	t.Helper()
	tool := &editorScreen{files: []string{"menu.json"}}
	r := newRig(t, func(o *Options) {
		o.Screens = func(ui.Host) []ui.Screen {
			first := &fakeScreen{id: ui.ScreenBuild, object: theme.Body("build")}
			*tool = editorScreen{fakeScreen: fakeScreen{id: ui.ScreenFonts, object: theme.Body("fonts"), take: true}, files: tool.files}
			return []ui.Screen{first, tool}
		}
	})
	return r, tool
}

func TestToolsNeedNoProject(t *testing.T) {
	r, tool := toolRig(t)
	dir := t.TempDir()
	font, picture, text := filepath.Join(dir, "menu.font"), filepath.Join(dir, "sheet.png"), filepath.Join(dir, "notes.txt")
	for _, path := range []string{font, picture, text} {
		write(t, path, "x")
	}
	r.drop(font)
	if r.current() != ui.ScreenFonts || !slices.Equal(tool.drops, []string{font}) {
		t.Fatalf("a font leads to %q with %q; sheet %q", r.current(), tool.drops, r.sheet())
	}
	if w := r.shell.Workspace(); w.Project != nil || w.Dir() != "" {
		t.Error("there is a project")
	}
	for _, id := range []string{"project.reload", "project.folder"} {
		if r.shell.RunCommand(id) {
			t.Errorf("%s runs without a project", id)
		}
	}
	if r.shell.space.facts.root.Visible() || r.shell.space.side.project.title.Text != "Tools" || r.shell.window.Title() != "Talebinder" {
		t.Errorf("head %q, window %q", r.shell.space.side.project.title.Text, r.shell.window.Title())
	}
	r.drop(picture)
	if len(tool.drops) != 2 {
		t.Errorf("a picture on its own is not taken: %q", tool.drops)
	}
	r.drop(text)
	tool.take = false
	if r.drop(text); r.sheet() == "" || r.current() != ui.ScreenFonts {
		t.Errorf("a file that nothing takes: sheet %q, screen %q", r.sheet(), r.current())
	}
	r.press("Cancel")
	r.shell.CloseProject()
	r.drain()
	if r.shell.Workspace() != nil || !tool.closed {
		t.Error("the tools are still there")
	}
	r.shell.ShowTool(ui.ScreenFonts, "")
	r.drain()
	if r.current() != ui.ScreenFonts {
		t.Errorf("shown: %q", r.current())
	}
	// From here a project opens as from everywhere else.
	sample, err := examples.Extract(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r.shell.Open(sample)
	r.drain()
	if p := r.shell.Workspace().Project; p == nil || p.Dir != sample {
		t.Errorf("opened %v", p)
	}
	// Its pictures are its own; a font goes to the tool, and the project stays open.
	tool.take = true
	r.shell.showIndex(0)
	r.drop(font)
	if r.current() != ui.ScreenFonts || r.shell.Workspace().Project == nil {
		t.Errorf("a font in a project leads to %q", r.current())
	}
}

func TestTheHubOffersTools(t *testing.T) {
	r := newRig(t, func(o *Options) { o.Screens = nil })
	for _, tool := range r.shell.tools() {
		tool.Run()
		r.drain()
		if r.shell.open == nil || r.shell.open.work.Project != nil {
			t.Fatalf("%s does not open", tool.Title)
		}
		for _, screen := range r.shell.open.screens {
			r.shell.Show(screen.ID(), "")
			r.drain()
			r.shell.window.Resize(fyne.NewSize(800, 600))
		}
		if r.sheet() != "" {
			t.Errorf("%s: %s", tool.Title, r.sheet())
		}
		r.shell.CloseProject()
		r.drain()
	}
}

func TestEditsOfAScreen(t *testing.T) {
	r, tool := toolRig(t)
	r.sample()
	r.edit("5.0.0")
	r.shell.showIndex(1)
	tool.edits = 2
	r.shell.BadgesChanged()
	r.shell.RunCommand("edit.undo")
	if tool.edits != 1 || r.shell.undoTitle() != "Advance of A" || r.shell.Workspace().Project.Build.UndoTitle() != "Version" {
		t.Errorf("undone: %d edits, next %q", tool.edits, r.shell.undoTitle())
	}
	r.shell.RunCommand("edit.redo")
	if tool.edits != 2 {
		t.Errorf("done again: %d edits", tool.edits)
	}
	r.shell.RunCommand("file.revert")
	if tool.edits != 0 || r.shell.RunCommand("file.revert") {
		t.Errorf("reverted: %d edits", tool.edits)
	}
	tool.edits = 1
	r.shell.RunCommand("file.save")
	if tool.edits != 0 || !r.shell.open.dirty() {
		t.Errorf("saved: %d edits, build settings dirty: %v", tool.edits, r.shell.open.dirty())
	}
	if !strings.HasPrefix(r.shell.window.Title(), "• ") {
		t.Errorf("title %q", r.shell.window.Title())
	}
}

func TestLeavingAsksAboutEditsOfScreens(t *testing.T) {
	r, tool := toolRig(t)
	r.sample()
	r.edit("5.0.0")
	tool.edits, tool.failure = 1, errors.New("font not saved: the disk is full")
	r.shell.Quit()
	if sh := r.shell.topSheet(); sh == nil || !strings.Contains(sh.options.body, "menu.json") || !strings.Contains(sh.options.body, "build.json") {
		t.Fatalf("asked %+v", sh)
	}
	r.press("Save all")
	if r.shell.quitting || r.shell.open.dirty() || r.sheet() != "Font not saved" {
		t.Errorf("with a failure: quitting %v, sheet %q", r.shell.quitting, r.sheet())
	}
	r.press("OK")
	tool.failure = nil
	tool.files = []string{"1", "2", "3", "4", "5", "6", "7", "8"}
	r.shell.Quit()
	if body := r.shell.topSheet().options.body; body != "8 files have changes that are not saved: 1, 2, 3, 4, 5, 6 and 2 more." {
		t.Errorf("asked %q", body)
	}
	r.press("Save all")
	if !r.shell.quitting || tool.edits != 0 {
		t.Errorf("quitting %v with %d edits", r.shell.quitting, tool.edits)
	}
}
