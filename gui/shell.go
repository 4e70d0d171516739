// Package gui is the window: the hub with the recent projects, the workspace of an open project with its screens, and
// everything around them. Screens are packages of their own below this one.
package gui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"talebinder/export"
	"talebinder/gui/hub"
	"talebinder/gui/settings"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/project"
)

// The size of the window: at the first start, and the least it can have.
const (
	defaultWidth, defaultHeight = 1280, 800
	minWidth, minHeight         = 760, 560
)

// Options are what the window is made of. Zero values stand for the real thing.
type Options struct {
	Settings *settings.Settings // required
	// Screens makes the screens of the workspace in the order of the side bar.
	Screens func(ui.Host) []ui.Screen
	// Sample writes the sample game below a folder and gives its project folder; nil: it is not offered.
	Sample func(folder string) (string, error)
	// DataFolder is where the sample game is written to.
	DataFolder string
	// Version is shown in the About line of the settings.
	Version string
	// Now is the clock.
	Now func() time.Time
	// Open reads a project: project.Open.
	Open func(ctx context.Context, path string, o project.Options) (*project.Project, error)
	// Chooser asks for folders and files.
	Chooser func(ui.Host) ui.Chooser
	// Dispatch runs a function on the interface's goroutine, soon: fyne.Do. When it is set nothing ticks by itself, see [Shell.Tick].
	Dispatch func(func())
	// Spawn starts background work: go.
	Spawn func(func())
	// Watch tells about changes of files in a folder until stop is called; nil: the system's notification.
	Watch func(folder string, changed func()) (stop func(), err error)
}

// A Shell is the window with everything in it. All methods but Do belong to the interface's goroutine.
type Shell struct {
	app     fyne.App
	window  fyne.Window
	options Options
	ctx     context.Context // ends when the window closes
	cancel  context.CancelFunc

	presenter *presenter
	commands  []ui.Command
	further   []fyne.Shortcut // second shortcuts that the canvas knows
	menu      *menuBar
	sheets    []*sheet

	root    *fyne.Container
	hub     *hub.Hub
	opening *openingView
	space   *workspaceView
	status  *statusBar

	tasks     []*task
	stopTasks func()

	open     *openProject
	inFront  bool
	quitting bool
}

var _ ui.Host = (*Shell)(nil)

// openProject is what belongs to the project that is open now.
type openProject struct {
	work    *ui.Workspace
	screens []ui.Screen
	current int
	stops   []func() // ends tickers, watches and subscriptions
	health  health
	ended   int // rows of the queue that have ended
	last    *lastExport
	checked bool // the problems have been computed once

	keepMine bool // the person knows that build.json has changed on disk
}

// New makes the window of an application; it is not shown yet.
func New(a fyne.App, o Options) *Shell {
	manual := o.Dispatch != nil
	if o.Dispatch == nil {
		o.Dispatch = fyne.Do
	}
	if o.Spawn == nil {
		o.Spawn = func(f func()) { go f() }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Open == nil {
		o.Open = project.Open
	}
	if o.Screens == nil {
		o.Screens = Screens
	}
	if o.Chooser == nil {
		o.Chooser = systemChooser
	}
	if o.Watch == nil {
		o.Watch = watchFolder
	}
	s := &Shell{app: a, options: o, presenter: newPresenter(o.Dispatch, manual), inFront: true}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	a.Settings().SetTheme(theme.New(theme.Mode(o.Settings.Theme())))

	s.window = a.NewWindow("Talebinder")
	s.window.SetPadded(false)
	s.window.SetMaster()
	s.status = newStatusBar(s)
	s.hub = hub.New(hub.Options{
		Settings: o.Settings, Now: o.Now, Open: s.Open, OpenFolder: s.chooseProject, Sample: s.sampleAction(),
		Spawn: func(f func()) { s.options.Spawn(f) }, Do: s.Do, Missing: s.explainMissing, Error: s.Error, ShowSettings: s.showSettings,
		Hint: s.status.hint, Tools: s.tools(),
	})
	s.root = container.New(&frameLayout{shell: s}, s.hub.Content(), s.status.Content())
	s.window.SetContent(s.root)
	s.window.Resize(s.rememberedSize())
	s.menu = newMenuBar(s)
	s.rebuildCommands()
	s.window.SetOnDropped(func(_ fyne.Position, uris []fyne.URI) { s.dropped(uris) })
	s.window.SetCloseIntercept(s.Quit)
	s.window.Canvas().SetOnTypedKey(s.typedKey)
	a.Lifecycle().SetOnEnteredForeground(func() { s.inFront = true; s.checkDisk() })
	a.Lifecycle().SetOnExitedForeground(func() { s.inFront = false })
	s.showHub()
	return s
}

func (s *Shell) rememberedSize() fyne.Size {
	w, h := s.options.Settings.WindowSize()
	if w < minWidth || h < minHeight {
		return fyne.NewSize(defaultWidth, defaultHeight)
	}
	return fyne.NewSize(w, h)
}

// Run shows the window and returns when it is closed.
func (s *Shell) Run() { s.window.ShowAndRun() }

// Tick lets everything that runs by the clock run once. It is for programs that drive the window themselves: with
// [Options.Dispatch] set nothing ticks by itself.
func (s *Shell) Tick() { s.presenter.tick(s.options.Now()) }

// frameLayout shows one of hub, opening and workspace above the status bar, and keeps the window at a usable size.
type frameLayout struct{ shell *Shell }

func (l *frameLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(minWidth, minHeight)
}

func (l *frameLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	bar := l.shell.status.Content()
	h := bar.MinSize().Height
	for _, o := range objects {
		if o == bar {
			o.Move(fyne.NewPos(0, size.Height-h))
			o.Resize(fyne.NewSize(size.Width, h))
			continue
		}
		o.Move(fyne.NewPos(0, 0))
		o.Resize(fyne.NewSize(size.Width, size.Height-h))
	}
}

// front puts one object above the status bar, in the place of what was there.
func (s *Shell) front(o fyne.CanvasObject) {
	s.window.Canvas().Unfocus()
	s.root.Objects = []fyne.CanvasObject{o, s.status.Content()}
	s.root.Refresh()
}

func (s *Shell) showHub() {
	s.hub.Reload()
	s.front(s.hub.Content())
	s.status.setPath("")
	s.rebuildCommands()
	s.refreshTitle()
}

// Do runs f on the interface's goroutine; see [ui.Host].
func (s *Shell) Do(f func()) { s.presenter.do(f) }

// Every runs f by the clock; see [ui.Host].
func (s *Shell) Every(d time.Duration, f func()) func() { return s.presenter.every(d, f) }

// Window is the window.
func (s *Shell) Window() fyne.Window { return s.window }

// App is the application.
func (s *Shell) App() fyne.App { return s.app }

// Settings are the person's settings.
func (s *Shell) Settings() *settings.Settings { return s.options.Settings }

// Chooser asks for folders and files.
func (s *Shell) Chooser() ui.Chooser { return s.options.Chooser(s) }

// Workspace is the open project, or nil while the hub is shown.
func (s *Shell) Workspace() *ui.Workspace {
	if s.open == nil {
		return nil
	}
	return s.open.work
}

// BadgesChanged looks at titles, badges and commands again.
func (s *Shell) BadgesChanged() {
	if s.open == nil || s.space == nil {
		return // nothing is shown yet that could be wrong
	}
	s.space.refresh()
	s.refreshTitle()
	s.menu.refresh()
}

func (s *Shell) refreshTitle() {
	title := "Talebinder"
	if s.open != nil {
		if p := s.open.work.Project; p != nil {
			title = p.Title() + " — Talebinder"
		}
		if s.open.edited() {
			title = "• " + title
		}
	}
	if s.window.Title() != title {
		s.window.SetTitle(title)
	}
}

func (o *openProject) dirty() bool {
	return o.build() != nil && o.build().Dirty()
}

// build is the document of the build settings, or nil without a project.
func (o *openProject) build() *project.BuildDocument {
	if o.work.Project == nil {
		return nil
	}
	return o.work.Project.Build
}

// editor is the screen in front when it has edits of its own, or nil.
func (o *openProject) editor() ui.Editor {
	e, _ := o.screens[o.current].(ui.Editor)
	return e
}

// editors are the screens that have edits of their own which are not saved.
func (o *openProject) editors() []ui.Editor {
	var dirty []ui.Editor
	for _, screen := range o.screens {
		if e, ok := screen.(ui.Editor); ok && e.Dirty() {
			dirty = append(dirty, e)
		}
	}
	return dirty
}

// edited says that there is anything that is not saved.
func (o *openProject) edited() bool { return o.dirty() || len(o.editors()) > 0 }

// Show brings a screen to the front; see [ui.Host].
func (s *Shell) Show(screen, focus string) {
	if s.open == nil || s.space == nil {
		return
	}
	i := slices.IndexFunc(s.open.screens, func(c ui.Screen) bool { return c.ID() == screen })
	if i < 0 {
		return
	}
	s.showIndex(i)
	if f, ok := s.open.screens[i].(ui.Focuser); ok && focus != "" {
		f.Focus(focus)
	}
}

func (s *Shell) showIndex(i int) {
	o := s.open
	if o == nil || i < 0 || i >= len(o.screens) {
		return
	}
	if i != o.current {
		o.screens[o.current].Hidden()
		o.current = i
		s.window.Canvas().Unfocus()
		s.space.show(o.screens[i])
		o.screens[i].Shown()
		s.Error(s.options.Settings.ChangeProject(o.work.Dir(), func(m *settings.Memory) { m.Screen = o.screens[i].ID() }))
	}
	s.BadgesChanged()
}

func (s *Shell) step(by int) {
	if o := s.open; o != nil {
		n := len(o.screens)
		s.showIndex(((o.current+by)%n + n) % n)
	}
}

// Open opens the project that a path lies in, after asking about edits of the one that is open. A path of a file shows
// its place as well. What is no project is refused in plain words.
//
// A file that belongs to one of the tools, such as a packed font or the image of a disc, goes to its screen instead.
func (s *Shell) Open(path string) {
	if s.take(path, toolFile(path)) {
		return
	}
	dir, err := project.Find(path)
	if err != nil {
		if s.take(path, strings.EqualFold(filepath.Ext(path), ".png")) { // a picture that is no part of a project
			return
		}
		s.refuse(path, err)
		return
	}
	if s.open != nil && s.open.work.Project != nil && sameFolder(dir, s.open.work.Project.Dir) {
		s.openFile(path)
		return
	}
	s.leaveProject("Open another project?", func() { s.startOpening(dir, path) })
}

func sameFolder(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// openFile shows the place of a file of the open project.
func (s *Shell) openFile(path string) {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return
	}
	root := s.open.work.Project.Dir
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	if abs, err := filepath.EvalSymlinks(path); err == nil {
		path = abs
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return
	}
	if rel, err := filepath.Rel(root, abs); err == nil && filepath.IsLocal(rel) {
		s.OpenPlace(filepath.ToSlash(rel), 0)
	}
}

func (s *Shell) startOpening(dir, path string) {
	s.closeProject()
	ctx, cancel := context.WithCancel(s.ctx)
	view := newOpeningView(s, dir, cancel)
	s.opening = view
	s.front(view.Content())
	s.status.setPath(dir)
	s.rebuildCommands()
	stop := s.Every(tickInterval, view.refresh)
	var p *project.Project
	s.options.Spawn(func() {
		var err error
		p, err = s.options.Open(ctx, dir, project.Options{
			Progress: view.progress, EngineVersion: s.options.Settings.EngineVersion(),
		})
		s.Do(func() {
			stop()
			cancel()
			s.opening = nil
			switch {
			case errors.Is(err, context.Canceled):
				s.showHub()
			case err != nil:
				s.showHub()
				s.refuse(path, err)
			default:
				s.enter(p)
				s.openFile(path)
			}
		})
	})
}

// enter shows the workspace of a project that has just been opened.
func (s *Shell) enter(p *project.Project) {
	s.Error(s.options.Settings.Remember(p.Dir, p.Title(), s.options.Now()))
	s.Error(s.options.Settings.ChangeProject(p.Dir, func(m *settings.Memory) { m.Values[rememberAssets] = strconv.Itoa(p.Assets.Len()) }))
	s.enterWorkspace(p, s.options.Settings.Project(p.Dir).Screen)
}

// ShowTool shows one of the tools that need no project, on a file when path is not empty. While a project is open its own
// screen of the tool does it.
func (s *Shell) ShowTool(screen, path string) {
	if s.open == nil {
		s.enterWorkspace(nil, screen)
	}
	s.Show(screen, "")
	if path == "" || s.open == nil {
		return
	}
	if d, ok := s.open.screens[s.open.current].(ui.Dropper); !ok || !d.Drop([]string{path}) {
		s.Error(fmt.Errorf("file not opened: %s is not what its name says", path))
	}
}

// toolFile says that a file is of a kind that one of the tools opens, wherever it lies.
func toolFile(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".font", ".cdi", ".iso", ".z64", ".v64", ".n64", ".tspack":
		info, err := os.Stat(path)
		return err == nil && info.Mode().IsRegular()
	}
	return false
}

// take hands a file to the tool that takes it, if it may, and says whether there is one.
func (s *Shell) take(path string, may bool) bool {
	if !may {
		return false
	}
	alone := s.open == nil
	if alone {
		s.enterWorkspace(nil, s.options.Settings.Project("").Screen)
	}
	for _, screen := range s.open.screens {
		if t, ok := screen.(ui.Taker); ok && t.Takes(path) {
			s.ShowTool(screen.ID(), path)
			return true
		}
	}
	if alone {
		s.closeProject()
		s.showHub()
	}
	return false
}

// enterWorkspace shows the screens of a project, or those of the tools when p is nil.
func (s *Shell) enterWorkspace(p *project.Project, screen string) {
	queue := export.NewQueue(0)
	o := &openProject{work: ui.NewWorkspace(p, queue, s)}
	s.open = o
	o.screens = s.options.Screens(s)
	for i, c := range o.screens {
		if c.ID() == screen {
			o.current = i
		}
	}
	o.stops = append(o.stops, o.work.Subscribe(s.changed), s.followQueue(queue), s.watchBuild())
	s.status.notice("")
	s.space = newWorkspaceView(s)
	s.rebuildCommands()
	s.space.show(o.screens[o.current])
	s.front(s.space.Content())
	s.status.setPath(o.work.Dir())
	o.screens[o.current].Shown()
	s.refreshHealth()
	s.BadgesChanged()
}

// changed follows what happens to the open project.
func (s *Shell) changed(c ui.Change) {
	switch c {
	case ui.Rescanned, ui.BuildSaved, ui.BuildEdited, ui.DiskChanged:
		s.refreshHealth()
		s.checkDisk()
	case ui.ProblemsReady:
		s.open.checked = true
		s.showHealth()
	case ui.QueueChanged:
		s.queueChanged()
	}
	s.BadgesChanged()
}

// closeProject forgets the open project. Edits and jobs have been asked about before.
func (s *Shell) closeProject() {
	o := s.open
	if o == nil {
		return
	}
	o.screens[o.current].Hidden()
	for _, c := range o.screens {
		c.Close()
	}
	for _, stop := range o.stops {
		stop()
	}
	o.work.Queue.CancelAll()
	s.open, s.space = nil, nil
}

// CloseProject goes back to the hub, after asking about edits and running exports.
func (s *Shell) CloseProject() {
	if s.open == nil {
		return
	}
	s.leaveProject("Close the project?", func() {
		s.closeProject()
		s.showHub()
	})
}

// Rescan reads the project again from disk.
func (s *Shell) Rescan() {
	if s.open == nil || s.open.work.Project == nil {
		return
	}
	o := s.open
	p := o.work.Project
	var fresh *project.Project
	s.Go("Reading the project again", func(ctx context.Context) error {
		var err error
		fresh, err = p.Refreshed(ctx, project.Options{EngineVersion: s.options.Settings.EngineVersion()})
		return err
	}, func(err error) {
		if s.open != o {
			return
		}
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				s.Error(err)
			}
			return
		}
		o.work.Replace(fresh)
		s.Notify(fmt.Sprintf("Read again: %s.", ui.Plural(o.work.Project.Assets.Len(), "asset")))
	})
}

// sampleAction offers the sample game, when there is one.
func (s *Shell) sampleAction() func() {
	if s.options.Sample == nil {
		return nil
	}
	return s.OpenSample
}

// OpenSample writes the sample game into our data folder, unless it is there already, and opens it.
func (s *Shell) OpenSample() {
	var dir string
	s.Go("Unpacking the sample game", func(context.Context) error {
		var err error
		dir, err = s.options.Sample(s.options.DataFolder)
		return err
	}, func(err error) {
		if err != nil {
			s.Error(fmt.Errorf("sample game not unpacked: %w", err))
			return
		}
		s.Open(dir)
	})
}

// ReloadHub looks at the recent projects again.
func (s *Shell) ReloadHub() { s.hub.Reload() }

func (s *Shell) chooseProject() {
	start := ""
	if recents := s.options.Settings.Recents(); len(recents) > 0 {
		start = filepath.Dir(recents[0].Path)
	}
	s.Chooser().Folder("Open project folder", start, s.Open)
}

// dropped opens what was dropped on the window; a screen in front may want it first.
func (s *Shell) dropped(uris []fyne.URI) {
	var paths []string
	for _, u := range uris {
		if u.Scheme() == "file" {
			paths = append(paths, u.Path())
		}
	}
	if len(paths) == 0 || s.modal() || s.opening != nil {
		return
	}
	if s.open != nil {
		if d, ok := s.open.screens[s.open.current].(ui.Dropper); ok && d.Drop(paths) {
			return
		}
	}
	s.Open(paths[0])
}
