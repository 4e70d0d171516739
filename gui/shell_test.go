package gui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"talebinder/gui/ui"
	"talebinder/project"
	"talebinder/project/document"
)

func TestOpeningShowsTheWorkspace(t *testing.T) {
	r := newRig(t)
	if title := r.shell.window.Title(); title != "Talebinder" {
		t.Errorf("the hub's title is %q", title)
	}
	dir := r.sample()
	p := r.shell.Workspace().Project
	if got, want := r.shell.window.Title(), p.Title()+" — Talebinder"; got != want {
		t.Errorf("title %q, want %q", got, want)
	}
	if r.current() != ui.ScreenBuild || !has(r.screens[0].calls, "shown") {
		t.Errorf("screen %q, told %v", r.current(), r.screens[0].calls)
	}
	if recents := r.settings.Recents(); len(recents) != 1 || recents[0].Path != dir || recents[0].Title != p.Title() {
		t.Errorf("recents: %+v", recents)
	}
	facts := r.shell.open.health.facts
	if len(facts) != 4 || !r.shell.open.health.checked || !strings.HasPrefix(facts[0].text, "Starts with") || facts[3].text != "Not exported yet" {
		t.Errorf("health: %+v", r.shell.open.health)
	}
}

func TestOpeningTakesAnyFolderInside(t *testing.T) {
	r := newRig(t)
	dir := r.sample()
	r.shell.CloseProject()
	r.drain()
	r.shell.Open(filepath.Join(dir, "assets", "scenes"))
	r.drain()
	if w := r.shell.Workspace(); w == nil || !sameFolder(w.Project.Dir, dir) {
		t.Error("the project was not opened")
	}
}

func TestAFileOpensItsPlace(t *testing.T) {
	r := newRig(t)
	dir := r.sample()
	r.shell.Open(filepath.Join(dir, "assets", "config", "game.json"))
	r.drain()
	if r.current() != ui.ScreenContent || r.screens[1].focus != "config/game.json" {
		t.Errorf("screen %q, focus %q", r.current(), r.screens[1].focus)
	}
	r.shell.Open(filepath.Join(dir, "build.json"))
	r.drain()
	if r.current() != ui.ScreenBuild {
		t.Errorf("build.json leads to %q", r.current())
	}
}

func TestWhatIsNoProjectIsRefusedInPlainWords(t *testing.T) {
	r := newRig(t)
	folder := t.TempDir()
	r.shell.Open(folder)
	r.drain()
	if r.sheet() != "This is not a Talesmith project" || !strings.Contains(r.shell.topSheet().options.body, "game.json") {
		t.Errorf("sheet %q", r.sheet())
	}
	r.press("Try the sample game")
	if r.shell.Workspace() == nil {
		t.Error("the sample game did not open")
	}
}

func TestOpeningCanBeCancelled(t *testing.T) {
	r := newRig(t, func(o *Options) {
		o.Open = func(ctx context.Context, path string, o project.Options) (*project.Project, error) {
			o.Progress("Reading the settings", "", 0, 2)
			o.Progress("Looking through the assets", "sprites/a.png", 3, 10)
			<-ctx.Done()
			return nil, fmt.Errorf("opening: %w", ctx.Err())
		}
	})
	dir := t.TempDir()
	write(t, filepath.Join(dir, "assets", "config", "game.json"), "{}")
	r.shell.Open(dir)
	view := r.shell.opening
	if view == nil {
		t.Fatal("nothing is being opened")
	}
	view.cancel()
	r.drain()
	view.refresh()
	if len(view.rows) != 2 || !view.rows[0].shown.finished || view.rows[1].count.Text != "3 of 10" || view.detail.Text != "sprites/a.png" {
		t.Errorf("steps: %+v", view.model.snapshot())
	}
	if r.shell.Workspace() != nil || r.shell.opening != nil || r.sheet() != "" {
		t.Errorf("after the cancel: sheet %q", r.sheet())
	}
	if r.shell.root.Objects[0] != r.shell.hub.Content() {
		t.Error("the hub is not back")
	}
}

func TestSwitchingScreens(t *testing.T) {
	r := newRig(t)
	dir := r.sample()
	r.shell.RunCommand("view.next")
	if r.current() != ui.ScreenContent || !has(r.screens[0].calls, "hidden") || !has(r.screens[1].calls, "shown") {
		t.Errorf("next: %q, %v, %v", r.current(), r.screens[0].calls, r.screens[1].calls)
	}
	r.shell.RunCommand("view.previous")
	r.shell.RunCommand("view.previous")
	if r.current() != ui.ScreenProblems {
		t.Errorf("before the first is %q", r.current())
	}
	r.shell.RunCommand("view.screen.exports")
	if r.current() != ui.ScreenExports {
		t.Errorf("by its number: %q", r.current())
	}
	r.shell.Show("nowhere", "")
	r.shell.Show(ui.ScreenContent, "sprites/a.png")
	if r.current() != ui.ScreenContent || r.screens[1].focus != "sprites/a.png" {
		t.Errorf("shown: %q with %q", r.current(), r.screens[1].focus)
	}

	screens := r.screens
	r.shell.CloseProject()
	r.drain()
	for _, s := range screens {
		if !s.closed {
			t.Errorf("%s was not closed", s.id)
		}
	}
	if len(r.watch) != 0 {
		t.Error("a closed project is still watched")
	}
	r.shell.Open(dir)
	r.drain()
	if r.current() != ui.ScreenContent {
		t.Errorf("a project opened again shows %q", r.current())
	}
}

func TestTheTitleHasADotWhileThereAreUnsavedEdits(t *testing.T) {
	r := newRig(t)
	dir := r.sample()
	r.edit("3.2.1")
	if !strings.HasPrefix(r.shell.window.Title(), "• ") {
		t.Errorf("title %q", r.shell.window.Title())
	}
	r.shell.RunCommand("file.save")
	if strings.HasPrefix(r.shell.window.Title(), "•") || !strings.Contains(read(t, filepath.Join(dir, "build.json")), "3.2.1") {
		t.Errorf("after saving: %q", r.shell.window.Title())
	}
	r.shell.RunCommand("edit.undo")
	if !strings.HasPrefix(r.shell.window.Title(), "• ") {
		t.Errorf("after undoing a saved edit: %q", r.shell.window.Title())
	}
	r.shell.RunCommand("edit.redo")
	if strings.HasPrefix(r.shell.window.Title(), "•") {
		t.Errorf("after redoing: %q", r.shell.window.Title())
	}
}

func TestQuitAsksAboutUnsavedEdits(t *testing.T) {
	for answer, want := range map[string]struct {
		saved, quit bool
	}{"Save": {true, true}, "Discard": {false, true}, "Cancel": {false, false}} {
		t.Run(answer, func(t *testing.T) {
			r := newRig(t)
			dir := r.sample()
			r.edit("7.7.7")
			r.shell.Quit()
			if r.sheet() != "Quit Talebinder?" {
				t.Fatalf("asked %q", r.sheet())
			}
			r.press(answer)
			if saved := strings.Contains(read(t, filepath.Join(dir, "build.json")), "7.7.7"); saved != want.saved {
				t.Errorf("saved: %v", saved)
			}
			if r.shell.quitting != want.quit {
				t.Errorf("quitting: %v", r.shell.quitting)
			}
		})
	}
}

func TestQuitAsksNothingWhenNothingIsAtStake(t *testing.T) {
	r := newRig(t)
	r.sample()
	r.shell.Quit()
	r.drain()
	if r.sheet() != "" || !r.shell.quitting {
		t.Errorf("sheet %q", r.sheet())
	}
	if w, h := r.settings.WindowSize(); w != 1280 || h != 800 {
		t.Errorf("remembered size %v by %v", w, h)
	}
	r.shell.Do(func() { t.Error("work arrives after the end") })
	r.drain()
}

func TestQuitAsksAboutRunningExports(t *testing.T) {
	r := newRig(t)
	r.sample()
	queue := r.shell.Workspace().Queue
	job := newHeldJob()
	queue.Add(job)
	<-job.started
	r.tick(time.Second)
	if text, fraction := running(queue); text != "Building" || fraction != 0.25 {
		t.Errorf("the side bar says %q %v", text, fraction)
	}
	if !r.shell.space.side.chip.press.Visible() {
		t.Error("the side bar does not show what runs")
	}
	r.shell.Quit()
	if r.sheet() != "1 export is still running" {
		t.Fatalf("asked %q", r.sheet())
	}
	r.press("Keep working")
	if r.shell.quitting || queue.Active() != 1 {
		t.Fatal("it did not go on")
	}
	r.shell.Quit()
	r.press("Cancel exports")
	if !r.shell.quitting || queue.Active() != 0 {
		t.Errorf("quitting %v with %d active", r.shell.quitting, queue.Active())
	}
}

func TestDropping(t *testing.T) {
	r := newRig(t)
	dir := r.sample()
	r.screens[0].take = true
	r.drop(filepath.Join(dir, "assets", "icon.png"))
	if len(r.screens[0].drops) != 1 || r.current() != ui.ScreenBuild {
		t.Errorf("dropped %v, screen %q", r.screens[0].drops, r.current())
	}
	r.screens[0].take = false
	r.drop(filepath.Join(dir, "assets", "config", "game.json"))
	if r.current() != ui.ScreenContent {
		t.Errorf("a file of the project leads to %q", r.current())
	}
	other := t.TempDir()
	write(t, filepath.Join(other, "assets", "config", "game.json"), `{ "title": "Other" }`)
	r.drop(other)
	if got := r.shell.Workspace().Project.Title(); got != "Other" {
		t.Errorf("the open project is %q", got)
	}
}

func TestChangedOnDisk(t *testing.T) {
	r := newRig(t)
	dir := r.sample()
	path := filepath.Join(dir, "build.json")
	theirs := strings.Replace(read(t, path), `"compress"`, "// a remark\n  \"compress\"", 1)
	notice := func() { // as the watch would
		r.watch[dir]()
		r.drain()
	}
	banner := r.shell.space.banner.root
	notice()
	if banner.Visible() {
		t.Fatal("asked although nothing has changed")
	}
	write(t, path, theirs)
	notice()
	if !banner.Visible() {
		t.Fatal("not asked")
	}
	r.shell.Compare()
	if r.sheet() == "" {
		t.Fatal("no comparison")
	}
	r.press("Reload")
	if string(r.shell.Workspace().Project.Build.Text()) != theirs || banner.Visible() || r.shell.open.dirty() {
		t.Error("not read again")
	}

	mine := read(t, path)
	r.edit("4.4.4")
	write(t, path, mine+"\n")
	r.shell.RunCommand("file.save") // before the watch has said anything
	if r.sheet() != "build.json changed on disk" {
		t.Fatalf("saving asked %q", r.sheet())
	}
	if read(t, path) != mine+"\n" {
		t.Fatal("the file was written over")
	}
	r.press("Save over it")
	if !strings.Contains(read(t, path), "4.4.4") || r.shell.open.dirty() {
		t.Error("not saved over it")
	}

	write(t, path, mine)
	notice()
	r.shell.keepMine()
	notice()
	if banner.Visible() {
		t.Error("asked again after Keep mine")
	}
	r.edit("5.5.5")
	r.shell.RunCommand("file.save")
	if r.sheet() != "" || !strings.Contains(read(t, path), "5.5.5") {
		t.Errorf("after Keep mine, saving asked %q", r.sheet())
	}
}

func TestConflictIsAskedAboutWhereverItComesFrom(t *testing.T) {
	r := newRig(t)
	r.sample()
	r.shell.Error(fmt.Errorf("export not started: %w", &document.ConflictError{Path: "build.json"}))
	if r.sheet() != "build.json changed on disk" {
		t.Errorf("sheet %q", r.sheet())
	}
}

func TestRecentMenuAndHub(t *testing.T) {
	r := newRig(t)
	dir := r.sample()
	gone := filepath.Join(t.TempDir(), "Gone")
	for path, title := range map[string]string{gone: "Lost Game", dir: "Driftmail"} {
		if err := r.settings.Remember(path, title, r.now); err != nil {
			t.Fatal(err)
		}
	}
	r.shell.CloseProject()
	r.drain()
	if got := r.shell.hub.Titles(); len(got) != 2 {
		t.Fatalf("cards: %v", got)
	}
	recent := 0
	for _, item := range r.shell.menu.main.Items[0].Items {
		if item.Label == "Recent projects" {
			recent = len(item.ChildMenu.Items)
		}
	}
	if recent != 2 {
		t.Errorf("%d recent projects in the menu", recent)
	}
}

func TestAMissingProjectIsExplained(t *testing.T) {
	r := newRig(t)
	dir := r.sample()
	list := r.settings.Recents()
	r.shell.explainMissing(list[0], "The project folder is not there", "It is gone.")
	r.answer = filepath.Join(dir, "assets")
	r.press("Find the folder…")
	if len(r.settings.Recents()) != 0 { // the project is open already: nothing new is remembered
		t.Errorf("recents: %+v", r.settings.Recents())
	}
}

func TestBackgroundWork(t *testing.T) {
	r := newRig(t)
	var got error
	r.shell.Go("Counting sheep", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, func(err error) { got = err })
	if r.shell.status.task.Text != "" {
		t.Error("a line at once: quick work would flicker")
	}
	r.now = r.now.Add(time.Second)
	r.shell.Tick()
	if r.shell.status.task.Text != "Counting sheep…" || !r.shell.status.cancel.Visible() {
		t.Errorf("the status bar says %q", r.shell.status.task.Text)
	}
	test.Tap(r.shell.status.cancel)
	if r.shell.status.task.Text != "Cancelling: Counting sheep…" {
		t.Errorf("after Cancel it says %q", r.shell.status.task.Text)
	}
	r.drain()
	r.tick(time.Second)
	if !errors.Is(got, context.Canceled) || r.shell.status.task.Text != "" || r.shell.stopTasks != nil {
		t.Errorf("ended with %v, the status bar says %q", got, r.shell.status.task.Text)
	}
	r.shell.Go("Failing", func(context.Context) error { return errors.New("report not kept: no room") }, nil)
	r.drain()
	if r.sheet() != "Report not kept" {
		t.Errorf("a failure nobody looks at shows %q", r.sheet())
	}
}

func TestErrorsAreTitleAndCause(t *testing.T) {
	for message, want := range map[string][2]string{
		"report not kept: no room":        {"Report not kept", "no room"},
		"build.json not saved: no room":   {"build.json not saved", "no room"},
		"open /a/b: permission denied":    {"That did not work", "open /a/b: permission denied"},
		"just a sentence without a cause": {"That did not work", "just a sentence without a cause"},
	} {
		if title, body := outcome(message); title != want[0] || body != want[1] {
			t.Errorf("%q: %q, %q", message, title, body)
		}
	}
}

func TestEscapeClosesWhatIsInFront(t *testing.T) {
	r := newRig(t)
	r.shell.RunCommand("view.settings")
	if !r.shell.modal() {
		t.Fatal("no settings")
	}
	r.shell.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if r.shell.modal() {
		t.Error("still open")
	}
	r.shell.RunCommand("help.shortcuts")
	if r.shell.RunCommand("file.open") {
		t.Error("a command ran behind a sheet")
	}
	r.shell.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if r.shell.modal() {
		t.Error("still open without a focus")
	}
	r.shell.typedKey(&fyne.KeyEvent{Name: fyne.KeyF1})
	if r.sheet() != "Keyboard shortcuts" {
		t.Errorf("F1 shows %q", r.sheet())
	}
}

func TestTheNoticeGoesAway(t *testing.T) {
	r := newRig(t)
	r.shell.Copy("x")
	if r.shell.app.Clipboard().Content() != "x" || r.shell.status.text.Text != "Copied." {
		t.Errorf("clipboard %q, notice %q", r.shell.app.Clipboard().Content(), r.shell.status.text.Text)
	}
	r.shell.status.hint("Close")
	r.shell.status.hint("")
	if r.shell.status.text.Text != "Copied." {
		t.Errorf("after a hint: %q", r.shell.status.text.Text)
	}
	r.tick(noticeTime + time.Second)
	if r.shell.status.text.Text != "" {
		t.Errorf("still there: %q", r.shell.status.text.Text)
	}
}

func TestTheSideBarCollapses(t *testing.T) {
	r := newRig(t)
	r.sample()
	r.screens[2].badge = "2"
	r.shell.BadgesChanged()
	if r.shell.space.side.thin {
		t.Error("thin at 1280")
	}
	r.shell.window.Resize(fyne.NewSize(800, 600))
	if !r.shell.space.side.thin {
		t.Error("not thin at 800")
	}
	r.shell.window.Resize(fyne.NewSize(1280, 800))
	if item := r.shell.space.side.items[2]; r.shell.space.side.thin || item.badge != "2" {
		t.Errorf("thin %v, badge %q", r.shell.space.side.thin, item.badge)
	}
	test.Tap(r.shell.space.side.items[3].press)
	if r.current() != ui.ScreenProblems {
		t.Errorf("a tap shows %q", r.current())
	}
}

func TestLookIsKept(t *testing.T) {
	r := newRig(t)
	r.shell.RunCommand("view.light")
	if r.settings.Theme() != "light" {
		t.Errorf("kept %q", r.settings.Theme())
	}
}

func TestReadingTheProjectAgainFindsNewAssets(t *testing.T) {
	r := newRig(t)
	dir := r.sample()
	before := r.shell.Workspace().Project.Assets.Len()
	write(t, filepath.Join(dir, "assets", "new.txt"), "new")
	var changes []ui.Change
	r.shell.Workspace().Subscribe(func(c ui.Change) { changes = append(changes, c) })
	r.shell.typedKey(&fyne.KeyEvent{Name: fyne.KeyF5})
	r.drain()
	if got := r.shell.Workspace().Project.Assets.Len(); got != before+1 {
		t.Errorf("%d assets, before %d", got, before)
	}
	if len(changes) == 0 || changes[0] != ui.Rescanned {
		t.Errorf("told of %v", changes)
	}
}

func TestWatchFolderSeesAFileThatIsReplaced(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "build.json")
	write(t, path, "{}")
	changed := make(chan struct{}, 8)
	stop, err := watchFolder(dir, func() { changed <- struct{}{} })
	if err != nil {
		t.Skip("this system cannot watch:", err)
	}
	defer stop()
	for range 2 { // the second time the file is another one
		write(t, path+".tmp", "{ }")
		if err := os.Rename(path+".tmp", path); err != nil {
			t.Fatal(err)
		}
		<-changed
	}
}
