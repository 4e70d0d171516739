package readiness

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"talebinder/examples"
	"talebinder/export"
	"talebinder/gui/settings"
	"talebinder/gui/ui"
	"talebinder/gui/ui/uitest"
	"talebinder/gui/widgets"
	"talebinder/platforms"
	"talebinder/project"
	"talebinder/project/problem"
)

// open opens the screen on a copy of the sample game, changed before it is read, in a computer without players.
func open(t *testing.T, change func(dir string)) (*uitest.Host, *screen, string) {
	t.Helper()
	empty := t.TempDir()
	for _, name := range []string{"TALEBINDER_CACHE", "TALESMITH_CACHE", "DOTNET_ROOT", "XDG_CONFIG_HOME", "XDG_DATA_HOME"} {
		t.Setenv(name, filepath.Join(empty, strings.ToLower(name)))
	}
	t.Setenv("TALESMITH_SOURCE", "")
	dir, err := examples.Extract(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(dir)
	}
	p, err := project.Open(t.Context(), dir, project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h := uitest.New(t)
	h.SetWorkspace(ui.NewWorkspace(p, export.NewQueue(1), h))
	s := newScreen(h)
	h.Put(s)
	t.Cleanup(s.Close)
	return h, s, dir
}

// links gives the links of the detail pane by their words.
func links(s *screen) map[string]*widgets.Link {
	all := map[string]*widgets.Link{}
	var walk func(o fyne.CanvasObject)
	walk = func(o fyne.CanvasObject) {
		switch o := o.(type) {
		case *widgets.Link:
			all[o.Text()] = o
		case *fyne.Container:
			for _, c := range o.Objects {
				walk(c)
			}
		}
	}
	walk(s.detail.stack)
	return all
}

func press(o fyne.Focusable) { o.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace}) }

func TestAMissingPlayerStandsInTheWayUntilAFolderIsChosen(t *testing.T) {
	h, s, dir := open(t, func(dir string) { // there is nothing here to compile scripts with
		if err := os.RemoveAll(filepath.Join(dir, "assets", "scripts")); err != nil {
			t.Fatal(err)
		}
	})
	if s.middle.Objects[0] != fyne.CanvasObject(s.waiting) {
		t.Error("the screen does not say that it is looking")
	}
	h.Drain()
	if len(s.all) != len(platforms.Targets()) || s.middle.Objects[0] != fyne.CanvasObject(s.split) {
		t.Fatalf("%d targets", len(s.all))
	}
	s.Focus("linux-x64/release")
	h.Drain()
	r, _ := s.current()
	if r.State != export.NotReady || r.Profile != platforms.Release || !strings.HasPrefix(headline(r), "A release build for Linux x64 cannot be exported: 1 error") {
		t.Fatal(text(r))
	}
	fix := links(s)["Choose players folder…"]
	if fix == nil {
		t.Fatalf("links %v", links(s))
	}
	players := filepath.Join(dir, "players")
	for _, key := range []string{"linux-x64-r2r-nosymbols", "linux-x64-jit-symbols"} {
		if err := os.MkdirAll(filepath.Join(players, key), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(players, key, "talesmith-player"), []byte("player"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	h.Answer = players
	press(fix)
	h.Drain()
	if r, _ = s.current(); r.State == export.NotReady || h.Settings().PlayersFolder() != players {
		t.Errorf("after choosing a folder: %s", text(r))
	}
	if !strings.Contains(summary(s.all), "1 of 4 targets") {
		t.Errorf("summary %q", summary(s.all))
	}
	s.profiles.SetSelected(int(platforms.Development))
	h.Drain()
	if r, _ = s.current(); r.Profile != platforms.Development || r.State == export.NotReady {
		t.Errorf("after another profile: %s", text(r))
	}
	// Where the build screen says so, the game folder alone is looked at.
	if err := os.RemoveAll(players); err != nil {
		t.Fatal(err)
	}
	if err := h.Settings().ChangeProject(dir, func(m *settings.Memory) { m.Values[ui.RememberContentOnly] = "linux-x64" }); err != nil {
		t.Fatal(err)
	}
	s.look()
	h.Drain()
	if r, _ = s.current(); !r.ContentOnly || r.State == export.NotReady || !strings.HasPrefix(headline(r), "The game folder for Linux x64") {
		t.Errorf("the game folder alone: %s", text(r))
	}
}

func TestChecksLeadToTheirPlacesAndFixes(t *testing.T) {
	h, s, dir := open(t, func(dir string) {
		if err := os.Remove(filepath.Join(dir, "assets", "icon.png.meta")); err != nil {
			t.Fatal(err)
		}
	})
	h.Drain()
	linux, _ := platforms.TargetByID("linux-x64")
	repairs := h.Workspace().Project.Repairs()
	if len(repairs) == 0 {
		t.Fatal("nothing to repair")
	}
	check := func(level problem.Level, message, file string, fix export.Fix) export.Check {
		return export.Check{Problem: problem.Problem{Level: level, Message: message, File: file, Line: 3, Hint: "do something"}, Fix: fix}
	}
	s.doctor = func(context.Context, *project.Project, []string, export.BuildOptions) ([]export.Readiness, error) {
		return []export.Readiness{{Target: linux, Profile: platforms.Release, State: export.NotReady, Output: dir, Checks: []export.Check{
			check(problem.Info, "all is well", "", export.Fix{}),
			check(problem.Warning, "a warning", "build.json", export.Fix{ID: export.FixSetting, Title: "Change setting", Field: "version"}),
			check(problem.Error, "no player", "", export.Fix{ID: export.FixPublishPlayer, Title: "Publish player", Command: []string{"talebinder", "players", "publish"}}),
			check(problem.Error, "no room", "", export.Fix{ID: export.FixOutput, Title: "Choose output folder"}),
			check(problem.Error, "metas", "icon.png.meta", export.Fix{ID: export.FixRepair, Title: "Repair", Repair: repairs[0].ID}),
		}}}, nil
	}
	s.look()
	h.Drain()
	s.Focus("linux-x64")
	r, _ := s.current()
	if got := groups(r); len(got) != 3 || len(got[0].checks) != 3 || got[2].title != "In order" {
		t.Errorf("groups %v", got)
	}
	if got := brief(r); got != "3 errors. No player." {
		t.Errorf("the row says %q", got)
	}
	all := links(s)
	press(all["Change setting…"])
	press(all["Publish player…"])
	press(all["Choose output folder…"])
	want := []uitest.Shown{{Screen: ui.ScreenBuild, Focus: "version"}, {Screen: ui.ScreenPlayers, Focus: "publish:linux-x64/release"}, {Screen: ui.ScreenBuild, Focus: "outputFolder"}}
	if len(h.Screens) != 3 || h.Screens[0] != want[0] || h.Screens[1] != want[1] || h.Screens[2] != want[2] {
		t.Errorf("shown %v", h.Screens)
	}
	press(all["Copy as command"])
	if len(h.Copied) != 1 || h.Copied[0] != "talebinder players publish" {
		t.Errorf("copied %q", h.Copied)
	}
	press(all["Repair…"])
	if len(h.Questions) != 1 || h.Questions[0].Verb != "Repair" {
		t.Errorf("asked %+v", h.Questions)
	}
	s.open(r.Checks[1])
	if len(h.Places) != 1 || h.Places[0] != (uitest.Place{File: "build.json", Line: 3}) {
		t.Errorf("places %v", h.Places)
	}
	if got := text(r); strings.Count(got, "\n") != 12 || !strings.HasPrefix(got, "Linux x64, Release: Not ready\n  info: all is well\n") {
		t.Errorf("the copied text is\n%s", got)
	}
}

func TestTheScreenFollowsEditsWhileItIsShown(t *testing.T) {
	h, s, _ := open(t, nil)
	h.Drain()
	looks := 0
	s.doctor = func(_ context.Context, _ *project.Project, _ []string, o export.BuildOptions) ([]export.Readiness, error) {
		looks++
		if *o.Profile != platforms.Distribution {
			t.Errorf("looked at profile %v", *o.Profile)
		}
		return nil, errors.New("the disk is gone")
	}
	err := h.Workspace().Project.Build.Change("Profile", "", func(b *project.BuildSettings) { b.Profile = platforms.Distribution })
	if err != nil {
		t.Fatal(err)
	}
	h.Workspace().Changed(ui.BuildEdited)
	h.Workspace().Changed(ui.BuildSaved) // while the first look is under way
	h.Drain()
	if looks != 2 || s.profiles.Selected() != int(platforms.Distribution) || len(h.Errors) != 2 {
		t.Errorf("%d looks, profile %d, errors %v", looks, s.profiles.Selected(), h.Errors)
	}
	s.Hidden()
	h.Workspace().Changed(ui.BuildEdited)
	h.Drain()
	if looks != 2 {
		t.Error("it looks while nobody sees it")
	}
	h.Workspace().Project.Build.Apply("Break", "", []byte("{ \"version\": "))
	h.Workspace().Changed(ui.BuildEdited)
	s.fill()
	if s.middle.Objects[0] != fyne.CanvasObject(s.broken) {
		t.Error("a broken build.json is not told")
	}
	test.WidgetRenderer(s.broken)
}
