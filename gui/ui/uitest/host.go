// Package uitest has a window for the tests of a screen: everything that the real one would do later, it does when the
// test says so, and what a screen asks of it is kept for the test to look at.
package uitest

import (
	"context"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"talebinder/gui/settings"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
)

// A Shown is a request for a screen.
type Shown struct{ Screen, Focus string }

// A Place is a request to open a place in a file.
type Place struct {
	File string
	Line int
}

// A Question is what a screen asked before doing something.
type Question struct {
	Title, Body, Verb string
	OK                func() // what the button does
}

// A Host is a [ui.Host] for tests. Work given to Go runs when the test calls Drain, on the test's goroutine.
type Host struct {
	app      fyne.App
	window   fyne.Window
	settings *settings.Settings
	work     *ui.Workspace

	// What has been asked for, in order.
	Screens   []Shown
	Places    []Place
	Folders   []string
	Copied    []string
	Notices   []string
	Errors    []error
	Questions []Question
	Asks      []ui.Question
	Badges    int // how often BadgesChanged was called

	// Answer is the path that the chooser gives; empty: the person cancels.
	Answer string
	// Asked lists the titles of the choosers that were shown.
	Asked []string
	// Text is the line that every Ask is answered with, when its Check has nothing against it; empty: the person cancels.
	Text string
	// Yes answers every question with its button at once.
	Yes bool

	mu     sync.Mutex
	queue  []func()
	jobs   []func()
	ticks  map[int]func()
	nextID int
}

var _ ui.Host = (*Host)(nil)

// New makes a host in Fyne's test application, in the dark theme, with settings in a temporary folder. The window has
// 1000 by 700 pixels.
func New(t testing.TB) *Host {
	t.Helper()
	app := test.NewTempApp(t)
	app.Settings().SetTheme(theme.New(theme.Dark))
	s, err := settings.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := &Host{app: app, settings: s, ticks: map[int]func(){}}
	h.window = app.NewWindow("test")
	h.window.SetPadded(false)
	h.window.Resize(fyne.NewSize(1000, 700))
	t.Cleanup(h.window.Close)
	return h
}

// SetWorkspace makes w the open project.
func (h *Host) SetWorkspace(w *ui.Workspace) { h.work = w }

// Show puts a screen into the window and tells it so.
func (h *Host) Put(s ui.Screen) {
	h.window.SetContent(s.Content())
	s.Shown()
}

// Drain runs everything that waits, background work included, until nothing is left.
func (h *Host) Drain() {
	for {
		h.mu.Lock()
		var next func()
		switch {
		case len(h.queue) > 0:
			next, h.queue = h.queue[0], h.queue[1:]
		case len(h.jobs) > 0:
			next, h.jobs = h.jobs[0], h.jobs[1:]
		}
		h.mu.Unlock()
		if next == nil {
			return
		}
		next()
	}
}

// Tick lets every ticker run once, and drains.
func (h *Host) Tick() {
	h.mu.Lock()
	var fs []func()
	for id := 0; id < h.nextID; id++ {
		if f := h.ticks[id]; f != nil {
			fs = append(fs, f)
		}
	}
	h.mu.Unlock()
	for _, f := range fs {
		f()
	}
	h.Drain()
}

// Tickers counts the tickers that run.
func (h *Host) Tickers() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.ticks)
}

// Do keeps f for the next Drain.
func (h *Host) Do(f func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.queue = append(h.queue, f)
}

// Every keeps f for Tick.
func (h *Host) Every(_ time.Duration, f func()) func() {
	h.mu.Lock()
	defer h.mu.Unlock()
	id := h.nextID
	h.nextID++
	h.ticks[id] = f
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.ticks, id)
	}
}

func (h *Host) Window() fyne.Window          { return h.window }
func (h *Host) App() fyne.App                { return h.app }
func (h *Host) Workspace() *ui.Workspace     { return h.work }
func (h *Host) Settings() *settings.Settings { return h.settings }
func (h *Host) Show(screen, focus string)    { h.Screens = append(h.Screens, Shown{screen, focus}) }
func (h *Host) OpenPlace(file string, l int) { h.Places = append(h.Places, Place{file, l}) }
func (h *Host) OpenFolder(path string)       { h.Folders = append(h.Folders, path) }
func (h *Host) Copy(text string)             { h.Copied = append(h.Copied, text) }
func (h *Host) Notify(text string)           { h.Notices = append(h.Notices, text) }
func (h *Host) BadgesChanged()               { h.Badges++ }
func (h *Host) Chooser() ui.Chooser          { return chooser{h} }

// Error keeps what failed.
func (h *Host) Error(err error) {
	if err != nil {
		h.Errors = append(h.Errors, err)
	}
}

// Confirm keeps the question, and answers it when Yes is set.
func (h *Host) Confirm(title, body, verb string, ok func()) {
	h.Questions = append(h.Questions, Question{title, body, verb, ok})
	if h.Yes {
		ok()
	}
}

// Ask keeps the question, and answers it when Text is set.
func (h *Host) Ask(q ui.Question) {
	h.Asks = append(h.Asks, q)
	if h.Text != "" && (q.Check == nil || q.Check(h.Text) == nil) {
		q.OK(h.Text)
	}
}

// Go keeps the work for the next Drain.
func (h *Host) Go(_ string, work func(ctx context.Context) error, done func(error)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.jobs = append(h.jobs, func() {
		err := work(context.Background())
		if done != nil {
			done(err)
		}
	})
}

type chooser struct{ h *Host }

func (c chooser) answer(title string, done func(string)) {
	c.h.Asked = append(c.h.Asked, title)
	if c.h.Answer != "" {
		done(c.h.Answer)
	}
}

func (c chooser) Folder(title, _ string, done func(string))           { c.answer(title, done) }
func (c chooser) File(title, _ string, _ []string, done func(string)) { c.answer(title, done) }
func (c chooser) Save(title, _, _ string, done func(string))          { c.answer(title, done) }
