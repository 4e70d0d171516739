package packs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/export"
	"talebinder/export/history"
	"talebinder/export/packview"
	"talebinder/gui/settings"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// tick is how often work on a pack is looked at.
const tick = 100 * time.Millisecond

// What is remembered of a project, and how many packs of it.
const (
	rememberPacks = "packs"
	mostRecent    = 8
)

// opened is a pack or build that is being looked at. It is not kept open: an export may replace it at any time.
type opened struct {
	path    string // what the person named: a pack, a build, a game folder
	pack    string // the pack itself; empty when a build has none
	err     error  // why the pack of a build cannot be read
	size    int64  // of the pack, in bytes
	changed time.Time
	tree    *Tree
	alone   bool // path is the pack
}

// openPack lists what path leads to.
func openPack(ctx context.Context, path string) (*opened, error) {
	v, err := packview.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	o := &opened{path: path, pack: v.Build.Pack, err: v.Err, tree: NewTree(v), alone: v.Build.Kind == export.PackAlone}
	if info, err := os.Stat(o.pack); err == nil {
		o.size, o.changed = info.Size(), info.ModTime()
	}
	return o, nil
}

// stale says that the pack on disk is another one now, or gone.
func (o *opened) stale() bool {
	info, err := os.Stat(o.pack)
	if o.changed.IsZero() {
		return err == nil // it has appeared
	}
	return err != nil || info.Size() != o.size || !info.ModTime().Equal(o.changed)
}

// name is how the pack is called: its folder, and its own name when it was named itself.
func (o *opened) name() string {
	if o.alone {
		return filepath.Base(filepath.Dir(o.pack)) + "/" + filepath.Base(o.pack)
	}
	return filepath.Base(o.path)
}

// work is something that takes its time with a pack.
type work struct {
	title       string
	cancel      context.CancelFunc
	done, total atomic.Int64
	mu          sync.Mutex
	path        string
}

func (w *work) progress(done, total int, path string) {
	w.done.Store(int64(done))
	w.total.Store(int64(total))
	w.mu.Lock()
	w.path = path
	w.mu.Unlock()
}

func (w *work) fraction() float64 {
	if total := w.total.Load(); total > 0 {
		return float64(w.done.Load()) / float64(total)
	}
	return 0
}

func (w *work) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if total := w.total.Load(); total > 0 {
		return fmt.Sprintf("%s: %s of %s · %s", w.title, ui.Count(w.done.Load()), ui.Plural(int(total), "file"), w.path)
	}
	return w.title
}

type screen struct {
	host   ui.Host
	icons  theme.Icons
	tree   *Tree // of what is open; nil while nothing is
	open   *opened
	last   string // folder of the newest build of the project; empty when there is none
	chosen string // path of a file or folder in the pack

	shown, closed, loading bool
	opening                int // counts what was asked for, so that an answer that comes late is dropped
	work                   *work
	ticker                 func()

	root      *fyne.Container // landing or page
	landing   *fyne.Container
	recents   *fyne.Container
	lastLink  *widgets.Link
	page      *fyne.Container
	summary   *theme.Text
	place     *theme.Text
	where     *fyne.Container // the path of the pack, and the search
	sizes     *widgets.SizeBar
	verify    *widget.Button
	extract   *widget.Button
	compare   *widget.Button
	search    *widgets.SearchEntry
	head      *header
	rows      *widgets.Rows
	count     *theme.Text
	none      *widgets.EmptyState
	detail    *detailPane
	split     fyne.CanvasObject
	compared  *comparePage
	middle    *fyne.Container
	progress  *fyne.Container
	meter     *widgets.Meter
	doing     *theme.Text
	stopWork  *widget.Button
	top       *fyne.Container
	openMenus *widget.Button
}

var (
	_ ui.Screen  = (*screen)(nil)
	_ ui.Focuser = (*screen)(nil)
	_ ui.Dropper = (*screen)(nil)
)

// New makes the screen.
func New(h ui.Host) ui.Screen { return newScreen(h) }

func newScreen(h ui.Host) *screen {
	s := &screen{host: h, icons: theme.NewIcons()}
	s.build()
	return s
}

func (s *screen) ID() string                 { return ui.ScreenPacks }
func (s *screen) Title() string              { return "Packs" }
func (s *screen) Icon() fyne.Resource        { return theme.Icon(theme.IconPackage) }
func (s *screen) Content() fyne.CanvasObject { return s.root }
func (s *screen) Badge() string              { return "" }

// Shown looks whether the pack is still the one that is shown, and for the newest build.
func (s *screen) Shown() {
	s.shown = true
	s.findLast()
	if s.open != nil && s.work == nil && s.open.stale() {
		s.show(s.open.path)
	}
	s.keepTicking()
}

func (s *screen) Hidden() {
	s.shown = false
	s.keepTicking()
}

// Close ends what is being done with a pack: nobody could see what comes of it.
func (s *screen) Close() {
	s.closed, s.shown = true, false
	s.stop()
	s.keepTicking()
	s.detail.close()
}

// Focus opens a pack, a build or a game folder, or shows a file of the pack that is open.
func (s *screen) Focus(path string) {
	if s.tree != nil {
		if _, ok := s.tree.Find(path); ok {
			s.reveal(path)
			return
		}
	}
	s.show(path)
}

// Takes implements ui.Taker.
func (s *screen) Takes(path string) bool { return strings.EqualFold(filepath.Ext(path), ".tspack") }

// Drop opens a pack, a build or a game folder; two of them are compared. It leaves alone what holds no pack, such as a project.
func (s *screen) Drop(paths []string) bool {
	for _, p := range paths {
		pack, err := export.FindPack(p)
		if err != nil {
			return false
		}
		if _, err := os.Stat(pack); err != nil {
			return false
		}
	}
	s.show(paths[0])
	if len(paths) > 1 {
		s.compareTo(paths[1])
	}
	return true
}

// show opens what path leads to, in the background.
func (s *screen) show(path string) {
	s.stop()
	s.opening++
	wanted := s.opening
	var o *opened
	s.host.Go("Opening a pack", func(ctx context.Context) error {
		var err error
		o, err = openPack(ctx, path)
		return err
	}, func(err error) {
		if s.closed || wanted != s.opening {
			return
		}
		if errors.Is(err, context.Canceled) {
			return
		}
		if err != nil {
			s.host.Error(fmt.Errorf("nothing was opened: %w", err))
			return
		}
		s.arrived(o)
	})
}

func (s *screen) arrived(o *opened) {
	again := s.open != nil && s.open.path == o.path
	if again {
		o.tree.Take(s.open.tree)
	} else {
		s.chosen = ""
		s.loading = true
		s.search.Entry.SetText("")
		s.loading = false
	}
	s.open, s.tree = o, o.tree
	s.remember(o.path)
	s.detail.verified = nil
	s.put(s.page)
	s.leaveComparison()
	s.fill()
	s.host.BadgesChanged()
}

// fill shows the open pack.
func (s *screen) fill() {
	t, o := s.tree, s.open
	all := int64(0)
	var unpacked int64
	for i := range t.entries {
		all += t.entries[i].Stored
		unpacked += t.entries[i].Size
	}
	s.summary.SetText(fmt.Sprintf("%s · %s stored, %s unpacked (%s)", ui.Plural(len(t.entries), "file"), ui.Size(all), ui.Size(unpacked), ratioText(all, unpacked)))
	s.place.SetText(o.path)
	var bar []widgets.SizePart
	for i, p := range t.Parts("") {
		bar = append(bar, widgets.SizePart{Name: p.Kind, Detail: ui.Size(p.Stored), Size: p.Stored, Color: theme.CategoryColor(i)})
	}
	s.sizes.Set(bar)
	s.list()
	s.choose(s.chosen)
	s.controls()
}

// list brings the rows up to date with the tree.
func (s *screen) list() {
	t := s.tree
	f := t.Shown()
	text := ui.Plural(f.Files, "file") + ", " + ui.Size(f.Stored) + " stored"
	s.count.SetText(text)
	s.none.Hidden = t.Len() > 0
	if t.query != "" {
		s.none.Set("Nothing matches", "No file has this in its path.")
	} else {
		s.none.Set("The pack is empty", "It holds no files at all.")
	}
	s.head.Refresh()
	s.rows.Mark(t.Index(s.chosen))
	s.rows.Refresh()
}

func (s *screen) put(o fyne.CanvasObject) {
	if s.root.Objects[0] != o {
		s.root.Objects[0] = o
		s.root.Refresh()
	}
}

// controls turns buttons on and off.
func (s *screen) controls() {
	busy := s.work != nil
	what, inside := s.extractable()
	for b, on := range map[*widget.Button]bool{s.verify: !busy, s.extract: !busy && inside, s.compare: !busy && s.readable()} {
		if !on && !b.Disabled() {
			b.Disable()
		} else if on && b.Disabled() {
			b.Enable()
		}
	}
	s.extract.SetText("Extract all…")
	if what != "" {
		s.extract.SetText("Extract…")
	}
	s.progress.Hidden = !busy
	s.relayout()
}

// readable says whether there is a pack that can be read.
func (s *screen) readable() bool { return s.open != nil && s.open.pack != "" && s.open.err == nil }

// extractable gives what of the pack is chosen, "" for all of it; ok is false when there is nothing to take out.
func (s *screen) extractable() (asset string, ok bool) {
	if !s.readable() {
		return "", false
	}
	if s.chosen == "" {
		return "", true
	}
	return s.tree.Asset(s.chosen)
}

func (s *screen) selectRow(i int) {
	r := s.tree.Row(i)
	if f := s.tree.Folder(r); f != nil {
		s.choose(f.Path)
		return
	}
	s.choose(s.tree.Entry(r).Path)
}

// choose selects a file or folder; "" is the pack itself.
func (s *screen) choose(path string) {
	if path != "" && s.tree.ByPath(path) == nil && s.tree.FolderByPath(path) == nil {
		path = ""
	}
	s.chosen = path
	s.detail.show()
	s.controls()
}

// reveal shows a file in the tree, which is named as in the pack or as in the build.
func (s *screen) reveal(path string) {
	found, ok := s.tree.Find(path)
	if !ok {
		s.host.Notify("There is no file " + path + " here")
		return
	}
	path = found
	i := s.tree.Reveal(path)
	s.leaveComparison()
	s.chosen = path
	s.list()
	s.rows.Mark(i)
	s.rows.ScrollTo(i)
	s.choose(path)
}

func (s *screen) toggle(folder string) {
	if f := s.tree.FolderByPath(folder); f != nil {
		s.tree.SetOpen(folder, !s.tree.Open(f))
		s.list()
	}
}

// key folds and unfolds as file managers do.
func (s *screen) key(e *fyne.KeyEvent) bool {
	i := s.rows.Selected()
	if s.tree == nil || i < 0 {
		return false
	}
	r := s.tree.Row(i)
	f := s.tree.Folder(r)
	switch e.Name {
	case fyne.KeyRight:
		switch {
		case f == nil:
		case !s.tree.Open(f):
			s.toggle(f.Path)
		case i+1 < s.tree.Len():
			s.rows.Select(i + 1)
		}
		return true
	case fyne.KeyLeft:
		if f != nil && s.tree.Open(f) && s.tree.query == "" {
			s.toggle(f.Path)
			return true
		}
		for j := i - 1; j >= 0 && r.Depth > 0; j-- {
			if s.tree.Row(j).Depth < r.Depth {
				s.rows.Select(j)
				break
			}
		}
		return true
	case fyne.KeySpace:
		if f != nil {
			s.toggle(f.Path)
		}
		return true
	case fyne.KeyEscape:
		s.rows.Mark(-1)
		s.choose("")
		return true
	}
	return false
}

// begin does work that takes its time, one at a time; done is told the end unless it was cancelled.
func (s *screen) begin(title string, f func(ctx context.Context, w *work) error, done func(error)) {
	if s.work != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	w := &work{title: title, cancel: cancel}
	s.work = w
	s.follow()
	s.controls()
	s.keepTicking()
	s.host.BadgesChanged()
	s.host.Go(title, func(outer context.Context) error {
		defer context.AfterFunc(outer, cancel)()
		return f(ctx, w)
	}, func(err error) {
		cancel()
		if s.work == w {
			s.work = nil
		}
		if s.closed {
			return
		}
		s.controls()
		s.keepTicking()
		s.host.BadgesChanged()
		if errors.Is(err, context.Canceled) {
			s.host.Notify(title + ": cancelled")
			return
		}
		done(err)
	})
}

// stop cancels what is being done.
func (s *screen) stop() {
	if s.work != nil {
		s.work.cancel()
	}
}

func (s *screen) keepTicking() {
	watch := s.shown && s.work != nil
	switch {
	case watch && s.ticker == nil:
		s.ticker = s.host.Every(tick, s.follow)
	case !watch && s.ticker != nil:
		s.ticker()
		s.ticker = nil
	}
}

// follow shows how far the work is.
func (s *screen) follow() {
	if w := s.work; w != nil {
		s.meter.Set(w.fraction(), theme.ColorNameAccent)
		s.doing.SetText(w.text())
	}
}

// verifyOpen looks at everything that a player would need of the pack or build.
func (s *screen) verifyOpen() {
	if s.open == nil {
		return
	}
	path := s.open.path
	var v *export.Verification
	s.begin("Verifying", func(ctx context.Context, w *work) error {
		var err error
		v, err = export.VerifyBuild(ctx, path, w.progress)
		return err
	}, func(err error) {
		if err != nil {
			s.host.Error(fmt.Errorf("the pack was not verified: %w", err))
			return
		}
		if s.open == nil || s.open.path != path {
			return
		}
		s.detail.verified = v
		s.rows.Mark(-1)
		s.leaveComparison()
		s.choose("")
		outcome := "sound"
		if !v.Sound() {
			outcome = "not sound"
		}
		s.host.Notify(s.open.name() + " is " + outcome)
	})
}

// extractChosen writes the chosen file or folder, or everything, into a folder that the person chooses.
func (s *screen) extractChosen() {
	what, ok := s.extractable()
	if !ok || s.work != nil {
		return
	}
	pack := s.open.pack
	title := "Extract the whole pack into"
	if what != "" {
		title = "Extract " + what + " into"
	}
	s.host.Chooser().Folder(title, "", func(folder string) {
		if entries, err := os.ReadDir(folder); err == nil && len(entries) > 0 {
			s.host.Confirm("Extract into a folder with files?", folder+" is not empty. Files of the same names are replaced.", "Extract", func() { s.extractTo(pack, folder, what) })
			return
		}
		s.extractTo(pack, folder, what)
	})
}

func (s *screen) extractTo(pack, folder, what string) {
	var totals export.PackTotals
	s.begin("Extracting", func(ctx context.Context, w *work) error {
		file, err := export.OpenPack(pack)
		if err != nil {
			return err
		}
		defer file.Close()
		var paths []string
		if what != "" {
			paths = []string{what}
		}
		totals, err = export.ExtractPack(ctx, file, folder, paths, w.progress)
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

// chooseOther asks what the open pack is to be compared with.
func (s *screen) chooseOther() {
	if !s.readable() || s.work != nil {
		return
	}
	items := []*fyne.MenuItem{
		fyne.NewMenuItem("A pack…", func() {
			s.host.Chooser().File("Compare with a content pack", filepath.Dir(s.open.pack), []string{".tspack"}, s.compareTo)
		}),
		fyne.NewMenuItem("A build or game folder…", func() {
			s.host.Chooser().Folder("Compare with a build", filepath.Dir(s.open.path), s.compareTo)
		}),
	}
	var more []*fyne.MenuItem
	for _, path := range s.recent() {
		if path != s.open.path {
			more = append(more, fyne.NewMenuItem(short(path), func() { s.compareTo(path) }))
		}
	}
	if len(more) > 0 {
		items = append(append(items, fyne.NewMenuItemSeparator()), more...)
	}
	s.menuBelow(s.compare, items)
}

// compareTo compares the open pack with another one, which counts as the later of the two.
func (s *screen) compareTo(path string) {
	opening := s.opening
	var c *Comparison
	s.begin("Comparing", func(ctx context.Context, w *work) error {
		if s.open == nil {
			return errors.New("no pack is open")
		}
		after, err := export.FindPack(path)
		if err != nil {
			return err
		}
		c, err = compare(ctx, s.open.pack, after, w.progress)
		return err
	}, func(err error) {
		if err != nil {
			s.host.Error(fmt.Errorf("the packs were not compared: %w", err))
			return
		}
		if opening != s.opening {
			return
		}
		s.remember(path)
		s.compared.show(c)
		s.turn(s.compared.object)
	})
}

// turn puts the pack or the comparison to the front. The comparison has a search of its own.
func (s *screen) turn(o fyne.CanvasObject) {
	if s.middle.Objects[0] == o {
		return
	}
	s.middle.Objects[0] = o
	s.sizes.Hidden = o != s.split
	s.where.Hidden = o != s.split
	s.middle.Refresh()
	s.relayout()
}

func (s *screen) relayout() {
	s.top.Refresh()
	s.page.Refresh()
}

func (s *screen) leaveComparison() { s.turn(s.split) }

// recent gives what was opened lately in this project, the newest first.
func (s *screen) recent() []string {
	text := s.host.Settings().Project(s.host.Workspace().Dir()).Values[rememberPacks]
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

func (s *screen) remember(path string) {
	list := []string{path}
	for _, p := range s.recent() {
		if p != path && len(list) < mostRecent {
			list = append(list, p)
		}
	}
	s.host.Error(s.host.Settings().ChangeProject(s.host.Workspace().Dir(), func(m *settings.Memory) {
		m.Values[rememberPacks] = strings.Join(list, "\n")
	}))
	s.fillRecents()
}

// short leaves the end of a path, which tells most about it.
func short(path string) string {
	parts := strings.Split(filepath.ToSlash(path), "/")
	if len(parts) > 4 {
		return "…/" + strings.Join(parts[len(parts)-4:], "/")
	}
	return path
}

func (s *screen) fillRecents() {
	s.recents.Objects = nil
	list := s.recent()
	if len(list) > 0 {
		s.recents.Add(theme.Overline("Opened lately"))
	}
	for _, path := range list {
		s.recents.Add(widgets.NewPathRow(s.icons.Get(theme.IconPackage, theme.ColorNameMuted), path, "", func() { s.show(path) }))
	}
	s.recents.Refresh()
}

// findLast looks for the newest build of the project that is still there.
func (s *screen) findLast() {
	project := s.host.Workspace().Dir()
	if project == "" {
		return
	}
	found := ""
	s.host.Go("Looking for the last build", func(context.Context) error {
		list, _, err := history.Default().List(project, "")
		for _, e := range list {
			if e.Success && e.Output != "" {
				if pack, err := export.FindPack(e.Output); err == nil {
					if _, err := os.Stat(pack); err == nil {
						found = e.Output
						break
					}
				}
			}
		}
		return err
	}, func(err error) {
		if s.closed || err != nil {
			return
		}
		s.last = found
		s.lastLink.Hidden = found == ""
		s.landing.Refresh()
		s.host.BadgesChanged()
	})
}

func (s *screen) openLast() {
	if s.last == "" {
		s.host.Notify("This project has no build yet")
		return
	}
	s.show(s.last)
}

func (s *screen) chooseFile() {
	start := ""
	if s.open != nil {
		start = filepath.Dir(s.open.pack)
	}
	s.host.Chooser().File("Open a content pack", start, []string{".tspack"}, s.show)
}

func (s *screen) chooseFolder() {
	start := s.last
	if s.open != nil {
		start = s.open.path
	}
	s.host.Chooser().Folder("Open a build or game folder", start, s.show)
}

// openMenu offers everything that can be opened.
func (s *screen) openMenu() {
	items := []*fyne.MenuItem{fyne.NewMenuItem("A pack…", s.chooseFile), fyne.NewMenuItem("A build or game folder…", s.chooseFolder)}
	if s.last != "" {
		items = append(items, fyne.NewMenuItem("The last build of this project", s.openLast))
	}
	if list := s.recent(); len(list) > 0 {
		items = append(items, fyne.NewMenuItemSeparator())
		for _, path := range list {
			items = append(items, fyne.NewMenuItem(short(path), func() { s.show(path) }))
		}
	}
	s.menuBelow(s.openMenus, items)
}

func (s *screen) menuBelow(o fyne.CanvasObject, items []*fyne.MenuItem) {
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), s.host.Window().Canvas(), at.AddXY(0, o.Size().Height))
}

// menu offers the commands for the selected path where the pointer is.
func (s *screen) menu(at fyne.Position) {
	items := []*fyne.MenuItem{fyne.NewMenuItem("Copy path", s.copyPath)}
	if _, ok := s.extractable(); ok {
		items = append(items, fyne.NewMenuItem("Extract…", s.extractChosen))
	} else {
		items = append(items, fyne.NewMenuItem("Show in its folder", s.openPlace))
	}
	if s.inProject() {
		items = append(items, fyne.NewMenuItem("Show in the project", s.showInProject))
	}
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), s.host.Window().Canvas(), at)
}

// asset is what the chosen path is called in the pack; empty when it does not lie in there.
func (s *screen) asset() string {
	if s.tree == nil || s.chosen == "" {
		return ""
	}
	asset, _ := s.tree.Asset(s.chosen)
	return asset
}

func (s *screen) copyPath() {
	if asset := s.asset(); asset != "" {
		s.host.Copy(asset)
	} else if s.chosen != "" {
		s.host.Copy(s.chosen)
	}
}

// openPlace shows a file beside the pack in the system's file manager.
func (s *screen) openPlace() {
	if s.open != nil && s.asset() == "" {
		s.host.OpenFolder(filepath.Join(s.open.path, filepath.FromSlash(s.chosen)))
	}
}

// inProject says whether the project has an asset of the chosen path.
func (s *screen) inProject() bool {
	p, asset := s.host.Workspace().Project, s.asset()
	return p != nil && asset != "" && p.Assets != nil && p.Assets.ByPath(asset) != nil
}

func (s *screen) showInProject() { s.host.Show(ui.ScreenContent, s.asset()) }

// Commands are what the menus offer for packs.
func (s *screen) Commands() []ui.Command {
	ready := func() bool { return s.shown && s.open != nil && s.work == nil }
	here := func(f func()) func() { return func() { s.host.Show(ui.ScreenPacks, ""); f() } }
	return []ui.Command{
		{ID: "packs.open", Title: "Open a content pack…", Menu: ui.MenuExport, Group: 9, Icon: theme.Icon(theme.IconPackage), Run: here(s.chooseFile)},
		{ID: "packs.openFolder", Title: "Look into a build or game folder…", Menu: ui.MenuExport, Group: 9, Run: here(s.chooseFolder)},
		{ID: "packs.openLast", Title: "Look into the last build", Menu: ui.MenuExport, Group: 9, Run: here(s.openLast)},
		{ID: "packs.verify", Title: "Verify the open pack", Enabled: ready, Run: s.verifyOpen},
		{ID: "packs.extract", Title: "Extract from the open pack…", Enabled: func() bool { _, ok := s.extractable(); return ok && ready() }, Run: s.extractChosen},
		{ID: "packs.compare", Title: "Compare the open pack with…", Enabled: func() bool { return ready() && s.readable() }, Run: s.chooseOther},
		{ID: "packs.copyComparison", Title: "Copy the comparison of packs",
			Enabled: func() bool { return s.shown && s.middle.Objects[0] == s.compared.object }, Run: s.compared.copy},
	}
}

// build makes the widgets.
func (s *screen) build() {
	file := widget.NewButtonWithIcon("Open a pack…", theme.Icon(theme.IconFile), s.chooseFile)
	file.Importance = widget.HighImportance
	folder := widget.NewButtonWithIcon("Open a build…", theme.Icon(theme.IconFolderOpen), s.chooseFolder)
	empty := widgets.NewEmptyState(theme.Icon(theme.IconPackage), "Look into a content pack",
		"Open or drop a .tspack file, a build or a game folder, also one that another program made: see what is in it and how large, "+
			"verify it as the player would read it, take files out, and compare it with another one. Drop two to compare them at once.", file, folder)
	s.lastLink = widgets.NewLink("Open the last build of this project", s.openLast)
	s.lastLink.Hide()
	s.recents = widgets.NewStack(2)
	s.landing = container.New(&landingLayout{}, empty, s.lastLink, s.recents)

	s.summary = theme.Muted("").WithTruncation(theme.TruncateEnd)
	s.place = theme.MonoMuted("")
	s.sizes = widgets.NewSizeBar()
	s.openMenus = widget.NewButtonWithIcon("Open", theme.Icon(theme.IconFolderOpen), s.openMenu)
	s.verify = widget.NewButtonWithIcon("Verify", theme.Icon(theme.IconHealthy), s.verifyOpen)
	s.extract = widget.NewButtonWithIcon("Extract all…", theme.Icon(theme.IconSave), s.extractChosen)
	s.compare = widget.NewButtonWithIcon("Compare", theme.Icon(theme.IconCompare), s.chooseOther)
	s.search = widgets.NewSearchEntry("Search paths", func(text string) {
		if s.tree != nil && !s.loading {
			s.tree.Search(text)
			s.list()
			s.rows.ScrollToTop()
		}
	})
	s.search.OnDown = func() {
		s.host.Window().Canvas().Focus(s.rows)
		if s.tree != nil && s.rows.Selected() < 0 {
			s.rows.Select(0)
		}
	}
	s.meter = widgets.NewMeter(5)
	s.doing = theme.Caption("").WithTruncation(theme.TruncateMiddle)
	s.stopWork = widget.NewButton("Cancel", s.stop)
	s.progress = container.NewBorder(nil, nil, nil, s.stopWork, widgets.NewStack(4, s.doing, s.meter))
	s.progress.Hide()

	s.head = newHeader(func() *Tree { return s.tree }, func(o Order) {
		if s.tree != nil {
			s.tree.SortBy(o)
			s.list()
			s.rows.ScrollToTop()
		}
	})
	s.rows = widgets.NewRows(func() int {
		if s.tree == nil {
			return 0
		}
		return s.tree.Len()
	}, func() fyne.CanvasObject { return newTableRow(s) }, func(i int, o fyne.CanvasObject) { o.(*tableRow).set(s.tree.Row(i)) })
	s.rows.Height = theme.Size(theme.SizeNameRow)
	s.rows.OnSelected = s.selectRow
	s.rows.OnActivated = func(i int) {
		if f := s.tree.Folder(s.tree.Row(i)); f != nil {
			s.toggle(f.Path)
		}
	}
	s.rows.OnKey = s.key
	s.rows.OnSecondary = func(_ int, at fyne.Position) { s.menu(at) }
	s.count = theme.Caption("")
	s.none = widgets.NewEmptyState(theme.Icon(theme.IconSearch), "", "")
	s.none.Hide()
	s.detail = newDetailPane(s)
	s.compared = newComparePage(s)

	list := container.New(&listLayout{}, s.head, container.NewStack(s.rows, s.none),
		container.New(&widgets.PadLayout{Left: edge, Top: 4, Right: edge, Bottom: 4}, s.count))
	s.split = widgets.NewAdaptive(list, s.detail.object, 640, 0.6, 0.5)
	s.middle = container.NewStack(s.split)
	head := container.New(widgets.HeadLayout{}, theme.Title("Packs"), s.summary, container.NewHBox(s.openMenus, s.verify, s.extract, s.compare))
	s.where = container.New(&placeLayout{}, s.place, s.search)
	s.top = widgets.NewStack(8, head, s.where, s.sizes, s.progress)
	s.page = container.New(widgets.PageLayout{}, container.New(&widgets.PadLayout{Left: 16, Top: 10, Right: 16, Bottom: 10}, s.top),
		widgets.NewGround(theme.ColorNameHairline, 0), s.middle)
	s.root = container.NewStack(s.landing)
	s.fillRecents()
}

// landingLayout puts what the screen is for above the last build and what was opened lately, in the middle.
type landingLayout struct{}

const landingWidth = 520

func (landingLayout) MinSize(o []fyne.CanvasObject) fyne.Size { return fyne.NewSize(280, 200) }

func (landingLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	width := min(size.Width-32, landingWidth)
	x := (size.Width - width) / 2
	heights := [3]float32{widgets.HeightFor(o[0], width)}
	total := heights[0]
	for i := 1; i < 3; i++ {
		if o[i].Visible() {
			heights[i] = widgets.HeightFor(o[i], width)
			total += heights[i] + 12
		}
	}
	y := max(16, (size.Height-total)/2)
	for i := range heights {
		w, at := width, x
		if i == 1 {
			w = o[i].MinSize().Width
			at = (size.Width - w) / 2
		}
		o[i].Move(fyne.NewPos(at, y))
		o[i].Resize(fyne.NewSize(w, heights[i]))
		if heights[i] > 0 {
			y += heights[i] + 12
		}
	}
}

// placeLayout puts a path and a search into a line; the search has a width of its own.
type placeLayout struct{}

func (placeLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(260, max(o[0].MinSize().Height, o[1].MinSize().Height))
}

func (placeLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	search := min(260, size.Width/2)
	path, entry := o[0].MinSize().Height, o[1].MinSize().Height
	o[0].Move(fyne.NewPos(0, (size.Height-path)/2))
	o[0].Resize(fyne.NewSize(size.Width-search-12, path))
	o[1].Move(fyne.NewPos(size.Width-search, (size.Height-entry)/2))
	o[1].Resize(fyne.NewSize(search, entry))
}

// listLayout puts the names of the columns, the rows and the footer below each other, without a gap.
type listLayout struct{}

func (listLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	head, rows, foot := o[0].MinSize(), o[1].MinSize(), o[2].MinSize()
	return fyne.NewSize(max(head.Width, rows.Width), head.Height+rows.Height+foot.Height)
}

func (listLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	head, foot := o[0].MinSize().Height, o[2].MinSize().Height
	o[0].Move(fyne.Position{})
	o[0].Resize(fyne.NewSize(size.Width, head))
	o[1].Move(fyne.NewPos(0, head))
	o[1].Resize(fyne.NewSize(size.Width, max(0, size.Height-head-foot)))
	o[2].Move(fyne.NewPos(0, size.Height-foot))
	o[2].Resize(fyne.NewSize(size.Width, foot))
}
