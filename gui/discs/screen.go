package discs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/export/discs"
	"talebinder/gui/settings"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

const (
	tick     = 100 * time.Millisecond // how often work is looked at
	watch    = 3 * time.Second        // how often the files behind a plan are looked at
	slowLook = 250 * time.Millisecond // a look that takes longer is not taken that often
)

// What is remembered, for all projects: images and folders of content do not belong to one.
const (
	rememberImages  = "discs.images"
	rememberContent = "discs.content"
	rememberOutput  = "discs.output" // folder that the last new image was written to
	rememberBackup  = "discs.backup" // "no" when no backup is wanted
	mostRecent      = 8
)

// The pages of an image.
const (
	pageImage = iota
	pageSwap
)

// work is something that takes its time with an image.
type work struct {
	title       string
	cancel      context.CancelFunc
	started     time.Time
	done, total atomic.Int64
	mu          sync.Mutex
	what        string
}

func (w *work) progress(done, total int64, what string) {
	w.done.Store(done)
	w.total.Store(total)
	w.mu.Lock()
	w.what = what
	w.mu.Unlock()
}

func (w *work) fraction() float64 {
	if total := w.total.Load(); total > 0 {
		return float64(w.done.Load()) / float64(total)
	}
	return 0
}

func (w *work) text() string {
	total := w.total.Load()
	if total == 0 {
		return w.title
	}
	done := w.done.Load()
	text := fmt.Sprintf("%s: %s of %s", w.title, ui.Size(done), ui.Size(total))
	if elapsed := time.Since(w.started); elapsed > time.Second {
		text += ", " + ui.Size(int64(float64(done)/elapsed.Seconds())) + "/s"
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.what != "" {
		text += " · " + w.what
	}
	return text
}

type screen struct {
	host  ui.Host
	icons theme.Icons
	spawn func(f func()) // runs f beside the interface, unseen

	open    *opened // nil while nothing is
	failed  error   // why the image that was asked for last is not open
	denied  string  // that image
	loading string  // the image that is being opened

	content  string   // the folder that is to become Content
	waiting  string   // the one that was dropped together with the image that is being opened
	planned  *Planned // nil while there is no plan
	refused  error    // why there is none
	stale    string   // why the plan is not to be trusted any more
	backup   bool
	jobs     map[string]*job // the last one of each image
	compared *discs.Comparison

	shown, closed, checking bool
	opening, planNumber     int // count what was asked for, so that an answer that comes late is dropped
	work, planning          *work
	lookNext                time.Time // not before then
	ticker, watcher         func()
	unsubscribe             func()

	root       *fyne.Container // landing, page or comparison
	landing    *landing
	page       *fyne.Container
	summary    *theme.Text
	place      *theme.Text
	pages      *widgets.Segmented
	opens      *widget.Button
	extract    *widget.Button
	compare    *widget.Button
	files      *treePane
	plan       *treePane
	card       *panel // what the image is
	swap       *panel // what is to become of it
	field      *widgets.PathField
	input      *widgets.Field
	live       [2]*liveJob // a page each
	keep       *widgets.Switch
	middle     *fyne.Container
	splits     [2]fyne.CanvasObject
	comparison *comparison

	strip    *fyne.Container // what is being done
	meter    *widgets.Meter
	doing    *theme.Text
	stopWork *widget.Button
	top      *fyne.Container
}

var (
	_ ui.Screen  = (*screen)(nil)
	_ ui.Focuser = (*screen)(nil)
	_ ui.Taker   = (*screen)(nil)
)

// New makes the screen.
func New(h ui.Host) ui.Screen { return newScreen(h) }

func newScreen(h ui.Host) *screen {
	s := &screen{host: h, icons: theme.NewIcons(), spawn: func(f func()) { go f() }, jobs: map[string]*job{}}
	s.backup = s.recall(rememberBackup) != "no"
	s.build()
	s.unsubscribe = h.Workspace().Subscribe(func(c ui.Change) {
		if c == ui.QueueChanged {
			s.followJobs()
		}
	})
	return s
}

func (s *screen) ID() string                 { return ui.ScreenDiscs }
func (s *screen) Title() string              { return "Discs" }
func (s *screen) Icon() fyne.Resource        { return theme.Icon(theme.IconDisc) }
func (s *screen) Content() fyne.CanvasObject { return s.root }
func (s *screen) Badge() string              { return "" }

// Shown looks whether image and content folder are still what is shown.
func (s *screen) Shown() {
	s.shown = true
	s.keepTicking()
	s.followJobs()
	s.look()
}

func (s *screen) Hidden() {
	s.shown = false
	s.keepTicking()
}

// Close ends what is being done: nobody could see what comes of it. What is in the queue goes on.
func (s *screen) Close() {
	s.closed, s.shown = true, false
	s.unsubscribe()
	s.cancel(s.work)
	s.cancel(s.planning)
	s.keepTicking()
}

// Focus opens an image, or takes a folder as the content that the open image is to get.
func (s *screen) Focus(path string) {
	if path == "" {
		return
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		s.setContent(path)
		return
	}
	s.show(path)
}

// Takes implements ui.Taker.
func (s *screen) Takes(path string) bool { return isImage(path) }

// Drop opens an image, compares two of them, or takes a folder as content. It leaves alone what is neither, such as a project.
func (s *screen) Drop(paths []string) bool {
	var images []string
	folder := ""
	for _, p := range paths {
		info, err := os.Stat(p)
		switch {
		case err != nil:
			return false
		case info.IsDir():
			folder = p
		case isImage(p) || slices.Contains(otherExtensions, strings.ToLower(filepath.Ext(p))):
			images = append(images, p)
		default:
			return false
		}
	}
	if folder != "" && (isProject(folder) || len(images) == 0 && s.open == nil) {
		return false
	}
	if len(images) > 0 {
		s.waiting = folder
		s.show(images[0])
	} else {
		s.setContent(folder)
	}
	if len(images) > 1 {
		s.compareTo(images[0], images[1])
	}
	return true
}

// isProject says that a folder is one that the window opens as a project.
func isProject(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "assets", "config", "game.json"))
	return err == nil
}

// show opens an image, in the background.
func (s *screen) show(path string) {
	s.opening++
	wanted := s.opening
	s.loading = path
	if s.open == nil {
		s.landing.show()
	}
	var o *opened
	s.host.Go("Opening "+filepath.Base(path), func(ctx context.Context) error {
		var err error
		o, err = openImage(ctx, path)
		return err
	}, func(err error) {
		if s.closed || wanted != s.opening {
			return
		}
		s.loading = ""
		if errors.Is(err, context.Canceled) {
			s.landing.show()
			return
		}
		if err != nil {
			s.fail(path, err)
			return
		}
		s.arrived(o)
	})
}

// fail says why an image is not opened. Another one that is open stays.
func (s *screen) fail(path string, err error) {
	if s.open != nil && s.open.path != path {
		s.host.Error(fmt.Errorf("%s not opened: %s", filepath.Base(path), reasonOf(err).Text()))
		return
	}
	s.open, s.failed, s.denied, s.waiting = nil, err, path, ""
	s.forgetPlan()
	s.landing.show()
	s.put(s.landing.object)
	s.host.BadgesChanged()
}

func (s *screen) arrived(o *opened) {
	again := s.open != nil && s.open.path == o.path
	s.open, s.failed = o, nil
	s.remember(rememberImages, o.path)
	cartridge := o.id.Container == discs.Cartridge
	s.files.columns[dateColumn].hidden = cartridge
	s.files.columns[placeColumn].title = "Sector"
	if cartridge {
		s.files.columns[placeColumn].title = "Offset"
	}
	s.files.head.Refresh()
	s.files.nothing = [2]string{"No files", "The image holds no files at all."}
	if o.err != nil {
		s.files.nothing = [2]string{"The files cannot be read", reasonOf(o.err).Text()}
	}
	s.files.show(o.files, again)
	s.summary.SetText(o.summary())
	s.place.SetText(o.path)
	s.compared = nil
	s.put(s.page)
	if !again {
		s.forgetPlan()
		s.content = ""
		s.field.Load("")
		s.turn(pageImage)
	}
	if content := s.waiting; content != "" {
		s.waiting = ""
		s.setContent(content)
	}
	s.fill()
	s.keepTicking()
	s.host.BadgesChanged()
}

// forgetPlan drops the plan, and stops making one.
func (s *screen) forgetPlan() {
	s.planNumber++
	s.cancel(s.planning)
	s.planning = nil
	s.planned, s.refused, s.stale = nil, nil, ""
	s.plan.nothing = [2]string{"No plan yet", "Choose or drop the folder that is to become Content. What would become of every file is listed here, before anything is written."}
	s.plan.show(NewTree(nil), false)
}

// setContent takes a folder as content and plans the swap.
func (s *screen) setContent(folder string) {
	if folder == "" {
		return
	}
	s.content = folder
	s.field.Load(folder)
	if s.open == nil {
		return
	}
	s.turn(pageSwap)
	s.replan()
}

// replan plans the swap, in the background. Nothing is written.
func (s *screen) replan() {
	if s.open == nil || s.content == "" {
		return
	}
	if j := s.job(); j != nil && j.row.State().Ended() {
		delete(s.jobs, s.open.path)
	}
	s.forgetPlan()
	if s.open.id.Refusal != nil {
		s.fill()
		return
	}
	s.plan.nothing = [2]string{"Planning…", "The content folder is compared with what is on the image."}
	s.plan.list()
	s.remember(rememberContent, s.content)
	wanted := s.planNumber
	image, content := s.open.path, s.content
	var p *Planned
	w := s.start("Planning", func(ctx context.Context, w *work) error {
		var err error
		p, err = planSwap(ctx, image, content, w.progress)
		return err
	}, func(err error) {
		if wanted != s.planNumber {
			return
		}
		s.planning = nil
		switch {
		case errors.Is(err, context.Canceled):
			s.plan.nothing = [2]string{"Not planned", "Planning was cancelled."}
		case err != nil:
			s.refused = err
			s.plan.nothing = [2]string{"Nothing is planned", "The content of the image cannot be swapped for this folder."}
		default:
			s.planned = p
			s.plan.nothing = [2]string{"Nothing happens", "The image keeps nothing and gets nothing."}
			s.plan.show(p.Tree, false)
		}
		s.plan.list()
		s.fill()
	})
	s.planning = w
	s.fill()
	s.keepTicking()
}

// start does something in the background; done is called on the interface's goroutine.
func (s *screen) start(title string, f func(ctx context.Context, w *work) error, done func(error)) *work {
	ctx, cancel := context.WithCancel(context.Background())
	w := &work{title: title, cancel: cancel, started: time.Now()}
	s.host.Go(title, func(outer context.Context) error {
		defer context.AfterFunc(outer, cancel)()
		return f(ctx, w)
	}, func(err error) {
		cancel()
		if s.closed {
			return
		}
		done(err)
		s.controls()
		s.keepTicking()
		s.host.BadgesChanged()
	})
	return w
}

// begin does work that takes its time, one at a time; done is told the end unless it was cancelled.
func (s *screen) begin(title string, f func(ctx context.Context, w *work) error, done func(error)) {
	if s.work != nil {
		return
	}
	s.work = s.start(title, f, func(err error) {
		s.work = nil
		if errors.Is(err, context.Canceled) {
			s.host.Notify(title + ": cancelled")
			return
		}
		done(err)
	})
	s.controls()
	s.keepTicking()
	s.host.BadgesChanged()
}

func (s *screen) cancel(w *work) {
	if w != nil {
		w.cancel()
	}
}

// stop cancels what the strip shows.
func (s *screen) stop() { s.cancel(s.current()) }

// current is the work that the strip shows.
func (s *screen) current() *work {
	if s.work != nil {
		return s.work
	}
	return s.planning
}

// keepTicking starts the tickers when there is something to watch and stops them when there is not.
func (s *screen) keepTicking() {
	keep := func(wanted bool, stop *func(), d time.Duration, f func()) {
		switch {
		case wanted && *stop == nil:
			*stop = s.host.Every(d, f)
		case !wanted && *stop != nil:
			(*stop)()
			*stop = nil
		}
	}
	keep(s.shown && s.current() != nil, &s.ticker, tick, s.follow)
	keep(s.shown && s.open != nil, &s.watcher, watch, s.look)
}

// follow shows how far the work is.
func (s *screen) follow() {
	if w := s.current(); w != nil {
		s.meter.Set(w.fraction(), theme.ColorNameAccent)
		s.doing.SetText(w.text())
	}
}

// look finds out whether the image has changed, and whether the plan is still true. It is cheap, and done unseen.
func (s *screen) look() {
	o, p := s.open, s.planned
	if o == nil || s.checking || s.loading != "" || s.running() || time.Now().Before(s.lookNext) {
		return
	}
	s.checking = true
	s.spawn(func() {
		started := time.Now()
		changed, why := o.changed(), ""
		if p != nil {
			why = p.outdated(context.Background())
		}
		s.host.Do(func() {
			s.checking = false
			if took := time.Since(started); took > slowLook {
				s.lookNext = time.Now().Add(20 * took) // a large folder, or a slow disk
			}
			if s.closed || s.open != o || s.running() {
				return
			}
			if p != nil && s.planned == p && why != s.stale {
				s.stale = why
				s.fill()
			}
			if changed && s.loading == "" {
				s.show(o.path)
			}
		})
	})
}

// fill shows what is known of the open image and of what is to become of it.
func (s *screen) fill() {
	if s.open == nil {
		return
	}
	s.card.show(s.cardParts())
	s.swap.show(s.swapParts())
	s.controls()
}

// controls turns buttons on and off.
func (s *screen) controls() {
	enable(s.extract, s.canExtract())
	enable(s.compare, s.open != nil && s.open.err == nil && s.work == nil)
	text := "Extract all…"
	if s.files.chosen != "" && s.pages.Selected() == pageImage {
		text = "Extract…"
	}
	if s.extract.Text != text {
		s.extract.SetText(text)
	}
	s.strip.Hidden = s.current() == nil
	s.follow()
	s.top.Refresh()
	s.page.Refresh()
}

func enable(b *widget.Button, on bool) {
	switch {
	case on && b.Disabled():
		b.Enable()
	case !on && !b.Disabled():
		b.Disable()
	}
}

func (s *screen) put(o fyne.CanvasObject) {
	if s.root.Objects[0] != o {
		s.root.Objects[0] = o
		s.root.Refresh()
	}
}

// turn shows one of the pages of the image.
func (s *screen) turn(page int) {
	s.pages.Load(page)
	if s.middle.Objects[0] != s.splits[page] {
		s.middle.Objects[0] = s.splits[page]
		s.middle.Refresh()
	}
	s.controls()
}

func (s *screen) canExtract() bool {
	return s.open != nil && s.open.err == nil && !s.open.files.Empty() && s.work == nil
}

// extractChosen writes the chosen file or folder, or everything, into a folder that the person chooses.
func (s *screen) extractChosen() {
	if !s.canExtract() {
		return
	}
	what := ""
	title := "Extract all files into"
	if n := s.files.node(); n != nil && s.pages.Selected() == pageImage {
		what, title = n.Path, "Extract "+n.Path+" into"
	}
	path := s.open.path
	s.host.Chooser().Folder(title, filepath.Dir(path), func(folder string) { s.extractTo(path, folder, what) })
}

func (s *screen) extractTo(path, folder, what string) {
	var totals discs.Totals
	s.begin("Extracting", func(ctx context.Context, w *work) error {
		im, err := discs.Open(ctx, path)
		if err != nil {
			return err
		}
		defer im.Close()
		var paths []string
		if what != "" {
			paths = []string{what}
		}
		totals, err = discs.Extract(ctx, im, folder, paths, w.progress)
		return err
	}, func(err error) {
		if err != nil {
			s.host.Error(fmt.Errorf("not everything was extracted: %w", err))
			return
		}
		s.host.Notify(fmt.Sprintf("%s extracted, %s", ui.Plural(totals.Files, "file"), ui.Size(totals.Bytes)))
		s.host.OpenFolder(folder)
	})
}

// chooseOther asks what the open image is to be compared with.
func (s *screen) chooseOther() {
	if s.open == nil || s.work != nil {
		return
	}
	items := []*fyne.MenuItem{fyne.NewMenuItem("Another image…", func() {
		s.host.Chooser().File("Compare with an image", filepath.Dir(s.open.path), imageExtensions, func(path string) { s.compareTo(s.open.path, path) })
	})}
	var more []*fyne.MenuItem
	for _, path := range s.recent(rememberImages) {
		if path != s.open.path {
			more = append(more, fyne.NewMenuItem(short(path), func() { s.compareTo(s.open.path, path) }))
		}
	}
	if len(more) > 0 {
		items = append(append(items, fyne.NewMenuItemSeparator()), more...)
	}
	s.menuBelow(s.compare, items)
}

// compareTo compares two images; the second one counts as the later of the two.
func (s *screen) compareTo(before, after string) {
	var c *discs.Comparison
	s.begin("Comparing", func(ctx context.Context, w *work) error {
		var images [2]*discs.Image
		for i, path := range []string{before, after} {
			im, err := discs.Open(ctx, path)
			if err != nil {
				return err
			}
			defer im.Close()
			images[i] = im
		}
		var err error
		c, err = discs.Compare(ctx, images[0], images[1], w.progress)
		return err
	}, func(err error) {
		if err != nil {
			s.host.Error(fmt.Errorf("the images were not compared: %w", err))
			return
		}
		s.remember(rememberImages, after)
		s.remember(rememberImages, before)
		s.compared = c
		s.comparison.show(c)
		s.put(s.comparison.object)
	})
}

func (s *screen) leaveComparison() {
	s.compared = nil
	if s.open == nil {
		s.put(s.landing.object)
		return
	}
	s.put(s.page)
}

func (s *screen) recall(key string) string { return s.host.Settings().Project("").Values[key] }

func (s *screen) keepValue(key, value string) {
	s.host.Error(s.host.Settings().ChangeProject("", func(m *settings.Memory) { m.Values[key] = value }))
}

// recent gives what was used lately, the newest first.
func (s *screen) recent(key string) []string {
	return strings.FieldsFunc(s.recall(key), func(r rune) bool { return r == '\n' })
}

func (s *screen) remember(key, path string) {
	list := []string{path}
	for _, p := range s.recent(key) {
		if p != path && len(list) < mostRecent {
			list = append(list, p)
		}
	}
	s.keepValue(key, strings.Join(list, "\n"))
}

// short leaves the end of a path, which tells most about it.
func short(path string) string {
	parts := strings.Split(filepath.ToSlash(path), "/")
	if len(parts) > 4 {
		return "…/" + strings.Join(parts[len(parts)-4:], "/")
	}
	return path
}

func (s *screen) chooseFile() {
	start := ""
	if s.open != nil {
		start = filepath.Dir(s.open.path)
	}
	s.host.Chooser().File("Open a disc or cartridge image", start, imageExtensions, s.show)
}

func (s *screen) chooseContent() {
	start := s.content
	if start == "" && s.open != nil {
		start = filepath.Dir(s.open.path)
	}
	s.host.Chooser().Folder("The folder that becomes Content", start, s.setContent)
}

// openMenu offers everything that can be opened.
func (s *screen) openMenu() {
	items := []*fyne.MenuItem{fyne.NewMenuItem("An image…", s.chooseFile)}
	if list := s.recent(rememberImages); len(list) > 0 {
		items = append(items, fyne.NewMenuItemSeparator())
		for _, path := range list {
			items = append(items, fyne.NewMenuItem(short(path), func() { s.show(path) }))
		}
	}
	s.menuBelow(s.opens, items)
}

func (s *screen) menuBelow(o fyne.CanvasObject, items []*fyne.MenuItem) {
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
	menuAt(s.host, at.AddXY(0, o.Size().Height), items...)
}

// fileMenu offers the commands for the chosen file where the pointer is.
func (s *screen) fileMenu(at fyne.Position) {
	if s.files.node() == nil {
		return
	}
	items := []*fyne.MenuItem{fyne.NewMenuItem("Copy path", s.copyPath)}
	if s.canExtract() {
		items = append(items, fyne.NewMenuItem("Extract…", s.extractChosen))
	}
	menuAt(s.host, at, items...)
}

// planMenu offers the commands for the chosen line of the plan.
func (s *screen) planMenu(at fyne.Position) {
	n := s.plan.node()
	if n == nil {
		return
	}
	items := []*fyne.MenuItem{fyne.NewMenuItem("Copy path", s.copyPath)}
	if n.SHA256 != "" {
		items = append(items, fyne.NewMenuItem("Copy SHA-256", func() { s.host.Copy(n.SHA256) }))
	}
	menuAt(s.host, at, items...)
}

// copyPath copies the path of what is chosen on the page in front.
func (s *screen) copyPath() {
	pane := s.files
	if s.pages.Selected() == pageSwap {
		pane = s.plan
	}
	if pane.chosen != "" {
		s.host.Copy(pane.chosen)
	}
}

// Commands are what the menus offer for images.
func (s *screen) Commands() []ui.Command {
	here := func(f func()) func() { return func() { s.host.Show(ui.ScreenDiscs, ""); f() } }
	open := func() bool { return s.shown && s.open != nil }
	idle := func() bool { return open() && s.work == nil }
	return []ui.Command{
		{ID: "discs.open", Title: "Open a disc or cartridge image…", Menu: ui.MenuExport, Group: 10, Icon: theme.Icon(theme.IconDisc), Run: here(s.chooseFile)},
		{ID: "discs.content", Title: "Choose the content for the image…", Menu: ui.MenuExport, Group: 10, Icon: theme.Icon(theme.IconFolderOpen),
			Enabled: open, Run: s.chooseContent},
		{ID: "discs.write", Title: "Write a new image with the content…", Menu: ui.MenuExport, Group: 10, Icon: theme.Icon(theme.IconSave),
			Enabled: func() bool { return s.shown && s.canWrite() }, Run: s.writeNew},
		{ID: "discs.replace", Title: "Replace the content of the image in place…", Menu: ui.MenuExport, Group: 10,
			Enabled: func() bool { return s.shown && s.canReplace() }, Run: s.replaceInPlace},
		{ID: "discs.plan", Title: "Plan the content swap again", Icon: theme.Icon(theme.IconReload),
			Enabled: func() bool { return open() && s.content != "" && !s.running() }, Run: s.replan},
		{ID: "discs.cancel", Title: "Cancel the content swap", Enabled: func() bool { return s.shown && s.running() }, Run: s.cancelJob},
		{ID: "discs.convert", Title: "Convert the cartridge image to .z64…", Enabled: func() bool { return s.shown && s.canConvert() }, Run: s.convert},
		{ID: "discs.extract", Title: "Extract from the image…", Enabled: func() bool { return s.shown && s.canExtract() }, Run: s.extractChosen},
		{ID: "discs.compare", Title: "Compare the image with…", Enabled: func() bool { return idle() && s.open.err == nil }, Run: s.chooseOther},
		{ID: "discs.copyComparison", Title: "Copy the comparison of images", Enabled: func() bool { return s.shown && s.compared != nil }, Run: s.comparison.copy},
		{ID: "discs.copyFacts", Title: "Copy what the image is", Enabled: open, Run: s.copyFacts},
		{ID: "discs.copyCommand", Title: "Copy the content swap as command", Icon: theme.Icon(theme.IconCopy),
			Enabled: func() bool { return open() && s.content != "" }, Run: s.copyCommand},
		{ID: "discs.copyCommandInPlace", Title: "Copy the content swap in place as command",
			Enabled: func() bool { return open() && s.content != "" }, Run: s.copyCommandInPlace},
		{ID: "discs.copyProof", Title: "Copy the proof of the content swap",
			Enabled: func() bool { return open() && s.proof() != "" }, Run: s.copyProof},
		{ID: "discs.folder", Title: "Show the image in its folder", Icon: theme.Icon(theme.IconFolderOpen), Enabled: open,
			Run: func() { s.host.OpenFolder(s.open.path) }},
	}
}

// build makes the widgets.
func (s *screen) build() {
	s.landing = newLanding(s)
	s.summary = theme.Muted("").WithTruncation(theme.TruncateEnd)
	s.place = theme.MonoMuted("")
	s.pages = widgets.NewSegmented([]string{"Image", "Swap content"}, s.turn)
	s.opens = widget.NewButtonWithIcon("Open", theme.Icon(theme.IconFolderOpen), s.openMenu)
	s.extract = widget.NewButtonWithIcon("Extract all…", theme.Icon(theme.IconSave), s.extractChosen)
	s.compare = widget.NewButtonWithIcon("Compare", theme.Icon(theme.IconCompare), s.chooseOther)
	s.meter = widgets.NewMeter(5)
	s.doing = theme.Caption("").WithTruncation(theme.TruncateMiddle)
	s.stopWork = widget.NewButton("Cancel", s.stop)
	s.strip = container.NewBorder(nil, nil, nil, s.stopWork, widgets.NewStack(4, s.doing, s.meter))
	s.strip.Hide()

	s.files = newTreePane(s.host, s.icons, fileColumns(), nil)
	s.files.onChosen = s.controls
	s.files.onMenu = s.fileMenu
	s.plan = newTreePane(s.host, s.icons, planColumns(), planGroups())
	s.plan.onMenu = s.planMenu
	s.card, s.swap = newPanel(), newPanel()
	s.live = [2]*liveJob{newLiveJob(s), newLiveJob(s)}
	s.field = widgets.NewPathField()
	s.field.OnBrowse = s.chooseContent
	s.field.Recents = func() []string { return s.recent(rememberContent) }
	s.field.OnChanged = func(text string) {
		if slices.Contains(s.recent(rememberContent), text) && text != s.content {
			s.setContent(text) // chosen from the menu
		}
	}
	s.field.Entry.OnSubmitted = func(text string) { s.setContent(strings.TrimSpace(text)) }
	s.input = widgets.NewField("Content folder", s.field)
	s.input.SetHelp("It becomes the directory Content, whatever it is called here. Drop it on the window, choose it, or type it and press Enter.")
	s.keep = widgets.NewSwitch("Keep the replaced image (.bak)", func(on bool) {
		s.backup = on
		s.keepValue(rememberBackup, map[bool]string{true: "yes", false: "no"}[on])
	})
	s.keep.Load(s.backup)
	s.splits = [2]fyne.CanvasObject{
		widgets.NewAdaptive(s.card.object, s.files.object, 620, 0.42, 0.5),
		widgets.NewAdaptive(s.swap.object, s.plan.object, 620, 0.42, 0.5),
	}
	s.middle = container.NewStack(s.splits[pageImage])
	head := container.New(widgets.HeadLayout{}, theme.Title("Discs"), s.summary, container.NewHBox(s.opens, s.extract, s.compare))
	line := container.New(&widgets.FilterLayout{}, s.pages, s.place)
	s.top = widgets.NewStack(8, head, line, s.strip)
	s.page = container.New(widgets.PageLayout{}, container.New(&widgets.PadLayout{Left: 16, Top: 10, Right: 16, Bottom: 10}, s.top),
		widgets.NewGround(theme.ColorNameHairline, 0), s.middle)
	s.comparison = newComparison(s)
	s.root = container.NewStack(s.landing.object)
	s.forgetPlan()
	s.landing.show()
}

// panel is a scrolling column of parts.
type panel struct {
	object fyne.CanvasObject
	column *widgets.Column
	stack  *fyne.Container
}

func newPanel() *panel {
	p := &panel{stack: widgets.NewStack(8)}
	p.column = widgets.NewColumn(container.New(&widgets.PadLayout{Left: 16, Top: 12, Right: 16, Bottom: 18}, p.stack))
	p.object = container.NewStack(widgets.NewGround(theme.ColorNamePanel, 0), p.column)
	return p
}

func (p *panel) show(parts []fyne.CanvasObject) {
	p.stack.Objects = parts
	p.column.Relayout()
	p.stack.Refresh()
}
