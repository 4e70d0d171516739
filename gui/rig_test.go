package gui

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"

	"talebinder/examples"
	"talebinder/export"
	"talebinder/gui/settings"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
)

// A rig is a window without a display whose clock and whose background work move when the test says so.
type rig struct {
	t        *testing.T
	shell    *Shell
	settings *settings.Settings
	now      time.Time
	screens  []*fakeScreen
	answer   string            // what the chooser gives
	watch    map[string]func() // by folder

	mu    sync.Mutex
	queue []func()
	jobs  []func()
}

func newRig(t *testing.T, change ...func(*Options)) *rig {
	t.Helper()
	t.Setenv("TALEBINDER_CACHE", t.TempDir())
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	set, err := settings.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, settings: set, now: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC), watch: map[string]func(){}}
	o := Options{
		Settings: set, Sample: examples.Extract, DataFolder: t.TempDir(), Now: func() time.Time { return r.now },
		Dispatch: func(f func()) { r.mu.Lock(); defer r.mu.Unlock(); r.queue = append(r.queue, f) },
		Spawn:    func(f func()) { r.mu.Lock(); defer r.mu.Unlock(); r.jobs = append(r.jobs, f) },
		Chooser:  func(ui.Host) ui.Chooser { return rigChooser{r} },
		Watch: func(folder string, changed func()) (func(), error) {
			r.watch[folder] = changed
			return func() { delete(r.watch, folder) }, nil
		},
		Screens: func(h ui.Host) []ui.Screen {
			r.screens = []*fakeScreen{{id: ui.ScreenBuild}, {id: ui.ScreenContent}, {id: ui.ScreenExports}, {id: ui.ScreenProblems}}
			var out []ui.Screen
			for _, s := range r.screens {
				s.object = theme.Body(s.id)
				out = append(out, s)
			}
			return out
		},
	}
	for _, f := range change {
		f(&o)
	}
	r.shell = New(test.NewTempApp(t), o)
	r.shell.window.Resize(fyne.NewSize(1280, 800))
	t.Cleanup(r.shell.window.Close)
	r.drain()
	return r
}

// drain runs everything that waits, background work included.
func (r *rig) drain() {
	for r.runOne(true) {
	}
}

// dispatchOnly runs what waits for the interface, and no background work.
func (r *rig) dispatchOnly() {
	for r.runOne(false) {
	}
}

func (r *rig) runOne(jobs bool) bool {
	r.mu.Lock()
	var next func()
	switch {
	case len(r.queue) > 0:
		next, r.queue = r.queue[0], r.queue[1:]
	case jobs && len(r.jobs) > 0:
		next, r.jobs = r.jobs[0], r.jobs[1:]
	}
	r.mu.Unlock()
	if next == nil {
		return false
	}
	next()
	return true
}

func (r *rig) tick(d time.Duration) {
	r.now = r.now.Add(d)
	r.shell.Tick()
	r.drain()
}

// sample opens a copy of the sample game and gives its folder.
func (r *rig) sample() string {
	r.t.Helper()
	dir, err := examples.Extract(r.t.TempDir())
	if err != nil {
		r.t.Fatal(err)
	}
	r.shell.Open(dir)
	r.drain()
	if r.shell.Workspace() == nil {
		r.t.Fatalf("the sample game did not open: %s", r.sheet())
	}
	return dir
}

// edit changes the version in the open project's build settings.
func (r *rig) edit(version string) {
	r.t.Helper()
	w := r.shell.Workspace()
	s := w.Project.Build.Settings()
	s.Version = version
	w.Project.Build.Apply("Version", "", s.Text())
	w.Changed(ui.BuildEdited)
	r.drain()
}

// sheet gives the title of the sheet in front, or nothing.
func (r *rig) sheet() string {
	if sh := r.shell.topSheet(); sh != nil {
		return sh.options.title
	}
	return ""
}

// press answers the sheet in front.
func (r *rig) press(button string) {
	r.t.Helper()
	sh := r.shell.topSheet()
	if sh == nil {
		r.t.Fatalf("no sheet with a button %q", button)
	}
	for _, b := range sh.buttons {
		if b.Text == button {
			test.Tap(b)
			r.drain()
			return
		}
	}
	r.t.Fatalf("the sheet %q has no button %q", sh.options.title, button)
}

func (r *rig) current() string {
	o := r.shell.open
	if o == nil {
		return ""
	}
	return o.screens[o.current].ID()
}

func (r *rig) drop(paths ...string) {
	var uris []fyne.URI
	for _, p := range paths {
		uris = append(uris, storage.NewFileURI(p))
	}
	r.shell.dropped(uris)
	r.drain()
}

type rigChooser struct{ r *rig }

func (c rigChooser) give(done func(string)) {
	if c.r.answer != "" {
		done(c.r.answer)
	}
}
func (c rigChooser) Folder(_, _ string, done func(string))           { c.give(done) }
func (c rigChooser) File(_, _ string, _ []string, done func(string)) { c.give(done) }
func (c rigChooser) Save(_, _, _ string, done func(string))          { c.give(done) }

// A fakeScreen keeps what is asked of it.
type fakeScreen struct {
	id     string
	object fyne.CanvasObject
	calls  []string
	focus  string
	badge  string
	take   bool // takes what is dropped
	drops  []string
	closed bool
}

func (s *fakeScreen) ID() string                 { return s.id }
func (s *fakeScreen) Title() string              { return strings.ToUpper(s.id[:1]) + s.id[1:] }
func (s *fakeScreen) Icon() fyne.Resource        { return theme.Icon(theme.IconBuild) }
func (s *fakeScreen) Content() fyne.CanvasObject { return s.object }
func (s *fakeScreen) Badge() string              { return s.badge }
func (s *fakeScreen) Shown()                     { s.calls = append(s.calls, "shown") }
func (s *fakeScreen) Hidden()                    { s.calls = append(s.calls, "hidden") }
func (s *fakeScreen) Close()                     { s.closed = true }
func (s *fakeScreen) Focus(what string)          { s.focus = what }
func (s *fakeScreen) Drop(paths []string) bool {
	s.drops = append(s.drops, paths...)
	return s.take
}
func (s *fakeScreen) Commands() []ui.Command {
	return []ui.Command{{ID: s.id + ".poke", Title: "Poke " + s.id, Menu: ui.MenuProject, Run: func() { s.calls = append(s.calls, "poked") }}}
}

// A heldJob runs until it is cancelled.
type heldJob struct{ started chan struct{} }

func newHeldJob() *heldJob { return &heldJob{started: make(chan struct{})} }

func (j *heldJob) Title() string     { return "Held" }
func (j *heldJob) Target() string    { return "linux-x64" }
func (j *heldJob) Output() string    { return "" }
func (j *heldJob) Command() []string { return nil }
func (j *heldJob) Run(ctx context.Context, r export.Reporter) (*export.Report, error) {
	r.Step(0, 2, "Wait")
	r.Progress(0.5, "for nothing")
	close(j.started)
	<-ctx.Done()
	return nil, ctx.Err()
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func has(list []string, want string) bool { return slices.Contains(list, want) }
