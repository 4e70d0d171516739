// Package content is the screen that shows what a build ships and why, what it leaves out and why not.
package content

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"talebinder/export"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

type screen struct {
	host  ui.Host
	model *Model // nil until the content is known
	icons theme.Icons

	root     *fyne.Container // one of: waiting, failed, nothing, body
	waiting  *widgets.EmptyState
	failed   *widgets.EmptyState
	body     fyne.CanvasObject
	title    *theme.Text
	summary  *theme.Text
	updating *widgets.Badge
	sizes    *widgets.SizeBar
	parts    []Part
	alert    *fyne.Container
	alarm    *widgets.Note
	modes    *widgets.Segmented
	search   *widgets.SearchEntry
	kinds    *widget.Select
	reasons  *widget.Select
	layout   *widgets.Segmented
	fold     *widgets.Link
	head     *header
	rows     *widgets.Rows
	veil     *canvas.Rectangle
	count    *theme.Text
	footer   *fyne.Container
	none     *widgets.EmptyState
	detail   *detailPane
	top      *fyne.Container

	selected string // asset path of a file or folder
	focus    string // asset path to show as soon as the content is known
	shown    bool
	asked    bool // the workspace is working on the content for us
	loading  bool // controls are being set from the model and must not set it back
	stop     func()
}

var (
	_ ui.Screen  = (*screen)(nil)
	_ ui.Focuser = (*screen)(nil)
)

// New makes the screen.
func New(h ui.Host) ui.Screen { return newScreen(h) }

func newScreen(h ui.Host) *screen {
	s := &screen{host: h, icons: theme.NewIcons()}
	s.build()
	s.stop = h.Workspace().Subscribe(s.changed)
	return s
}

func (s *screen) ID() string                  { return ui.ScreenContent }
func (s *screen) Title() string               { return "Content" }
func (s *screen) Icon() fyne.Resource         { return theme.Icon(theme.IconContent) }
func (s *screen) Content() fyne.CanvasObject  { return s.root }
func (s *screen) Hidden()                     { s.shown = false }
func (s *screen) Close()                      { s.stop(); s.detail.close() }
func (s *screen) tree() *Tree                 { return s.model.Tree }
func (s *screen) selectedDetail() *Detail     { return s.detail.detail }
func (s *screen) canAct(a Action) func() bool { return func() bool { return s.offers(a) } }

// Badge is the number of problems in the content that stop an export.
func (s *screen) Badge() string {
	if s.model == nil || s.model.Breaking() == 0 {
		return ""
	}
	return ui.Count(int64(s.model.Breaking()))
}

func (s *screen) Shown() {
	s.shown = true
	s.request()
}

// Focus shows the asset at a path.
func (s *screen) Focus(path string) {
	if s.model == nil {
		s.focus = path
		return
	}
	s.reveal(path)
}

func (s *screen) changed(c ui.Change) {
	switch c {
	case ui.BuildEdited, ui.Rescanned, ui.ContentReady:
		if s.shown {
			s.request()
		}
	}
}

// request asks for the content unless what is shown is it.
func (s *screen) request() {
	w := s.host.Workspace()
	if c, fresh := w.ContentNow(); fresh && s.model != nil && s.model.content == c {
		s.setUpdating(false)
		return
	}
	if s.asked {
		return
	}
	s.asked = true
	if s.model == nil {
		s.put(s.waiting)
	}
	s.setUpdating(true)
	w.Content(s.arrived)
}

func (s *screen) arrived(c *export.Content, err error) {
	if err != nil {
		s.asked = false
		s.setUpdating(false)
		if !errors.Is(err, context.Canceled) {
			s.fail(err)
		} else if s.model == nil {
			s.fail(errors.New("The search was cancelled."))
		}
		return
	}
	p := s.host.Workspace().Project
	var m *Model
	s.host.Go("Listing the content", func(context.Context) error {
		m = NewModel(p, c)
		return nil
	}, func(error) {
		s.asked = false
		s.setUpdating(false)
		s.load(m)
		if s.shown {
			s.request() // the project may have changed meanwhile
		}
	})
}

// tryAgain computes the content once more, as after a change of the project.
func (s *screen) tryAgain() {
	s.host.Workspace().Changed(ui.Rescanned)
	s.request()
}

func (s *screen) fail(err error) {
	s.failed.Set("What ships is not known", err.Error())
	s.put(s.failed)
}

// load shows new content, with the filter, the open folders and the selection as they were.
func (s *screen) load(m *Model) {
	first := s.model == nil
	if !first {
		m.Tree.Take(s.model.Tree)
	}
	s.model = m
	s.parts = m.Parts()
	var bar []widgets.SizePart
	for i, p := range s.parts {
		bar = append(bar, widgets.SizePart{Name: p.Name, Detail: ui.Size(p.Size), Size: p.Size, Color: theme.CategoryColor(i)})
	}
	s.sizes.Set(bar)
	s.summary.SetText(m.Summary())
	s.showAlarm()
	s.put(s.body)
	s.refreshList()
	switch {
	case s.focus != "":
		focus := s.focus
		s.focus = ""
		s.reveal(focus)
	case s.selected != "" && m.Detail(s.selected) == nil:
		s.choose("")
	default:
		s.choose(s.selected)
	}
	s.host.BadgesChanged()
}

// showAlarm says above the list what stops an export.
func (s *screen) showAlarm() {
	n := s.model.Breaking()
	s.alert.Hidden = n == 0
	if n > 0 {
		text := s.model.Problems[0].String()
		if n > 1 {
			text = fmt.Sprintf("%s stop an export. The first: %s", ui.Plural(n, "problem"), text)
		} else {
			text = "An export stops here: " + text
		}
		s.alarm.Set(text, widgets.Danger)
	}
	s.relayout()
}

func (s *screen) relayout() {
	s.top.Refresh()
	if c, ok := s.body.(*fyne.Container); ok {
		c.Refresh()
	}
}

func (s *screen) setUpdating(on bool) {
	s.updating.Hidden = !on || s.model == nil
	s.veil.Hidden = s.updating.Hidden
	s.veil.FillColor = veilColor()
	s.veil.Refresh()
	s.top.Refresh()
}

func (s *screen) put(o fyne.CanvasObject) {
	if s.root.Objects[0] != o {
		s.root.Objects[0] = o
		s.root.Refresh()
	}
}

// refreshList brings the list and the controls above it up to date with the tree.
func (s *screen) refreshList() {
	t := s.tree()
	f := t.Filter()
	s.loading = true
	defer func() { s.loading = false }()
	label := func(name string, m Mode) string { return name + "  " + ui.Count(int64(t.ModeTotal(m).Files)) }
	s.modes.SetOptions([]string{
		label("Ships", ModeShips), label("Left out", ModeLeft), label("All", ModeAll), label("Problems", ModeProblems),
	})
	s.modes.Load(int(f.Mode))
	choices(s.kinds, allKinds, t.Kinds(f.Mode), f.Kind)
	choices(s.reasons, allReasons, t.Reasons(f.Mode), f.Reason)
	if s.search.Text() != f.Query {
		s.search.Entry.SetText(f.Query)
	}
	s.layout.Load(int(t.Layout()))
	s.showFold()
	files, size, missing := t.Total()
	text := ui.Plural(files, "file") + ", " + ui.Size(size) + " before compression"
	if missing > 0 {
		text += ", " + ui.Plural(missing, "missing reference")
	}
	s.count.SetText(text)
	s.showNone()
	s.head.Refresh()
	s.rows.Mark(t.Index(s.selected))
	s.rows.Refresh()
}

// showNone explains an empty list.
func (s *screen) showNone() {
	t := s.tree()
	s.none.Hidden = t.Len() > 0
	if t.Len() > 0 {
		return
	}
	f := t.Filter()
	switch {
	case f.Query != "" || f.Kind != "" || f.Reason != "":
		s.none.Set("Nothing matches", "No file has this in its path, kind and reason. Widen the search, or look at all files.")
	case f.Mode == ModeShips:
		s.none.Set("Nothing ships yet", "A build ships the start scene and all that it leads to, the ticked scenes and what is always included. "+
			"Set a start scene in the game's settings, or tick a scene on the Build screen.")
	case f.Mode == ModeLeft:
		s.none.Set("Nothing is left out", "Every file of the project ships.")
	case f.Mode == ModeProblems:
		s.none.Set("No problems", "Every reference of every file leads to a file.")
	default:
		s.none.Set("The project has no files", "Files that you put into the assets folder appear here.")
	}
}

const (
	allKinds   = "All kinds"
	allReasons = "All reasons"
)

// choices fills a filter with what there is to choose, and keeps a choice that leads to nothing now in sight.
func choices(control *widget.Select, all string, counts []Count, chosen string) {
	options := []string{all}
	found := chosen == ""
	for _, c := range counts {
		options = append(options, c.Name)
		found = found || c.Name == chosen
	}
	if !found {
		options = append(options, chosen)
	}
	control.Options = options
	control.Selected = all
	if chosen != "" {
		control.Selected = chosen
	}
	control.Refresh()
}

// narrow changes the filter and shows what is left.
func (s *screen) narrow(change func(*Filter)) {
	if s.loading || s.model == nil {
		return
	}
	f := s.tree().Filter()
	change(&f)
	s.tree().SetFilter(f)
	s.refreshList()
	s.rows.ScrollToTop()
	if i := s.rows.Selected(); i >= 0 {
		s.rows.ScrollTo(i)
	}
}

func (s *screen) sort(o Order) {
	if s.model == nil {
		return
	}
	s.tree().SortBy(o)
	s.refreshList()
	s.rows.ScrollToTop()
}

func (s *screen) toggle(folder string) {
	if f := s.tree().FolderByPath(folder); f != nil {
		s.tree().SetOpen(folder, !s.tree().Open(f))
		s.refreshList()
	}
}

func (s *screen) turnLayout() {
	if s.model != nil {
		s.setLayout(Flat - s.tree().Layout())
	}
}

func (s *screen) setLayout(l Layout) {
	if s.model == nil || s.loading {
		return
	}
	s.tree().SetLayout(l)
	s.refreshList()
	if i := s.rows.Selected(); i >= 0 {
		s.rows.ScrollTo(i)
	}
}

// turnFold closes all folders, or opens all when all are closed.
func (s *screen) turnFold() {
	if s.model == nil {
		return
	}
	s.tree().SetAllOpen(!s.anyOpen())
	s.refreshList()
}

func (s *screen) anyOpen() bool {
	t := s.tree()
	for i := range t.Len() {
		if f := t.Folder(t.Row(i)); f != nil && t.Open(f) {
			return true
		}
	}
	return false
}

// showFold offers to open or to close all folders, whichever does something.
func (s *screen) showFold() {
	t := s.tree()
	s.fold.Hidden = t.Layout() == Flat || t.Filter().Query != "" || t.Len() == 0
	title := "Open all folders"
	if !s.fold.Hidden && s.anyOpen() {
		title = "Close all folders"
	}
	s.fold.Set(title, s.turnFold)
	s.footer.Refresh()
}

// selectRow is told by the list which row was chosen.
func (s *screen) selectRow(i int) {
	t := s.tree()
	r := t.Row(i)
	if f := t.Folder(r); f != nil {
		s.choose(f.Path)
		return
	}
	s.choose(t.Entry(r).Path)
}

func (s *screen) choose(path string) {
	s.selected = path
	var d *Detail
	if path != "" {
		d = s.model.Detail(path)
	}
	s.detail.show(d)
}

// reveal selects a path and brings it into sight.
func (s *screen) reveal(path string) {
	i := s.tree().Reveal(path)
	if i < 0 {
		s.host.Notify("The project has no file " + path)
		return
	}
	s.selected = path
	s.refreshList()
	s.rows.Mark(i)
	s.rows.ScrollTo(i)
	s.choose(path)
}

// key folds and unfolds as file managers do.
func (s *screen) key(e *fyne.KeyEvent) bool {
	i := s.rows.Selected()
	if s.model == nil || i < 0 {
		return false
	}
	t := s.tree()
	r := t.Row(i)
	f := t.Folder(r)
	switch e.Name {
	case fyne.KeyRight:
		switch {
		case f == nil:
		case !t.Open(f):
			s.toggle(f.Path)
		case i+1 < t.Len():
			s.rows.Select(i + 1)
		}
		return true
	case fyne.KeyLeft:
		if f != nil && t.Open(f) && t.Filter().Query == "" {
			s.toggle(f.Path)
			return true
		}
		for j := i - 1; j >= 0 && r.Depth > 0; j-- {
			if t.Row(j).Depth < r.Depth {
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
	}
	return false
}

func (s *screen) activate(i int) {
	t := s.tree()
	if f := t.Folder(t.Row(i)); f != nil {
		s.toggle(f.Path)
		return
	}
	s.openFile()
}

func (s *screen) openFile() {
	if d := s.selectedDetail(); d != nil && d.File != "" {
		s.host.OpenFolder(d.File)
	}
}

func (s *screen) copyPath() {
	if d := s.selectedDetail(); d != nil {
		s.host.Copy(d.Path)
	}
}

func (s *screen) offers(a Action) bool {
	d := s.selectedDetail()
	if d == nil {
		return false
	}
	for _, offered := range d.Actions {
		if offered == a {
			return true
		}
	}
	return false
}

// do carries out what the detail pane or a command offers for the selected path.
func (s *screen) do(a Action) {
	if !s.offers(a) {
		return
	}
	if a == ActionOpenPlugins {
		s.host.OpenPlace("assets/config/plugins.json", 0)
		return
	}
	if err := s.model.Do(a, s.selected); err != nil {
		s.host.Error(err)
		return
	}
	s.host.Workspace().Changed(ui.BuildEdited)
}

// openStep leads to a step of a chain.
func (s *screen) openStep(step Step) {
	if step.Root {
		s.host.OpenPlace(step.Path, 0)
		return
	}
	s.reveal(step.Path)
}

// placeOf gives a path as problems name it: relative to the project folder.
func (s *screen) placeOf(asset string) string {
	p := s.host.Workspace().Project
	rel, err := filepath.Rel(p.Dir, filepath.Join(p.AssetRoot(), filepath.FromSlash(asset)))
	if err != nil {
		return asset
	}
	return filepath.ToSlash(rel)
}

func (s *screen) focusSearch() { s.search.Focus() }

// Commands are what the menus offer for this screen.
func (s *screen) Commands() []ui.Command {
	known := func() bool { return s.shown && s.model != nil }
	chosen := func() bool { return s.shown && s.selectedDetail() != nil }
	offers := func(a Action) func() bool {
		can := s.canAct(a)
		return func() bool { return s.shown && can() }
	}
	shortcut := func(key fyne.KeyName, m fyne.KeyModifier) fyne.Shortcut {
		return &desktop.CustomShortcut{KeyName: key, Modifier: m}
	}
	ctrl := fyne.KeyModifierShortcutDefault
	return []ui.Command{
		{ID: "content.search", Title: "Find a file", Menu: ui.MenuEdit, Group: 4, Shortcut: shortcut(fyne.KeyF, ctrl), Enabled: known, Run: s.focusSearch},
		{ID: "content.include", Title: "Always include the file", Menu: ui.MenuProject, Group: 4,
			Shortcut: shortcut(fyne.KeyI, ctrl), Enabled: offers(ActionInclude), Run: func() { s.do(ActionInclude) }},
		{ID: "content.exclude", Title: "No longer always include the file", Menu: ui.MenuProject, Group: 4,
			Enabled: offers(ActionExclude), Run: func() { s.do(ActionExclude) }},
		{ID: "content.reveal", Title: "Show the file in its folder", Menu: ui.MenuProject, Group: 5, Icon: theme.Icon(theme.IconExternal),
			Shortcut: shortcut(fyne.KeyE, ctrl|fyne.KeyModifierShift), Enabled: chosen, Run: s.openFile},
		{ID: "content.copyPath", Title: "Copy the asset path", Menu: ui.MenuEdit, Group: 4, Icon: theme.Icon(theme.IconCopy),
			Shortcut: shortcut(fyne.KeyC, ctrl|fyne.KeyModifierShift), Enabled: chosen, Run: s.copyPath},
		{ID: "content.layout", Title: "Content by folder or as one list", Menu: ui.MenuView, Group: 4,
			Shortcut: shortcut(fyne.KeyL, ctrl), Enabled: known, Run: s.turnLayout},
		{ID: "content.fold", Title: "Open or close all folders", Menu: ui.MenuView, Group: 4, Enabled: known, Run: s.turnFold},
	}
}

// build makes the widgets.
func (s *screen) build() {
	s.waiting = widgets.NewEmptyState(theme.Icon(theme.IconContent), "Finding what ships",
		"Talebinder follows every reference from the start scene on. The line at the bottom says how far it is.")
	s.failed = widgets.NewEmptyState(theme.Icon(theme.IconError), "What ships is not known", "",
		widget.NewButton("Try again", s.tryAgain))
	s.title = theme.Title("What ships")
	s.summary = theme.Muted("").WithTruncation(theme.TruncateEnd)
	s.updating = widgets.NewBadge("Updating…", widgets.Accent)
	s.updating.Hide()
	s.sizes = widgets.NewSizeBar()
	s.sizes.OnTapped = func(i int) {
		if i < len(s.parts) {
			s.narrow(func(f *Filter) {
				f.Mode, f.Reason = ModeShips, ""
				if f.Kind == s.parts[i].Kind {
					f.Kind = ""
				} else {
					f.Kind = s.parts[i].Kind
				}
			})
		}
	}
	s.alarm = widgets.NewNote("", widgets.Danger)
	s.alert = container.NewBorder(nil, nil, nil, widgets.NewLink("Show", s.showProblems), s.alarm)
	s.alert.Hide()

	s.modes = widgets.NewSegmented([]string{"Ships", "Left out", "All", "Problems"}, func(i int) {
		s.narrow(func(f *Filter) { f.Mode, f.Kind, f.Reason = Mode(i), "", "" })
	})
	s.search = widgets.NewSearchEntry("Search paths", func(text string) { s.narrow(func(f *Filter) { f.Query = text }) })
	s.search.OnDown = func() {
		s.host.Window().Canvas().Focus(s.rows)
		if s.model != nil && s.rows.Selected() < 0 && s.tree().Len() > 0 {
			s.rows.Select(0)
		}
	}
	s.kinds = widget.NewSelect(nil, func(string) {
		s.narrow(func(f *Filter) { f.Kind = without(s.kinds.Selected, allKinds) })
	})
	s.reasons = widget.NewSelect(nil, func(string) {
		s.narrow(func(f *Filter) { f.Reason = without(s.reasons.Selected, allReasons) })
	})
	s.layout = widgets.NewSegmented([]string{"Folders", "List"}, func(i int) { s.setLayout(Layout(i)) })
	s.fold = widgets.NewLink("Open all folders", s.turnFold)

	s.head = newHeader(func() *Tree {
		if s.model == nil {
			return nil
		}
		return s.tree()
	}, s.sort)
	s.rows = widgets.NewRows(func() int {
		if s.model == nil {
			return 0
		}
		return s.tree().Len()
	}, func() fyne.CanvasObject { return newTableRow(s) }, func(i int, o fyne.CanvasObject) { o.(*tableRow).set(s.tree().Row(i)) })
	s.rows.Height = theme.Size(theme.SizeNameRow)
	s.rows.OnSelected = s.selectRow
	s.rows.OnActivated = s.activate
	s.rows.OnKey = s.key
	s.rows.OnSecondary = func(_ int, at fyne.Position) { s.menu(at) }
	s.veil = canvas.NewRectangle(veilColor())
	s.veil.Hide()
	s.count = theme.Caption("")
	s.none = widgets.NewEmptyState(theme.Icon(theme.IconSearch), "", "", widget.NewButton("Show all files", func() {
		s.narrow(func(f *Filter) { *f = Filter{Mode: ModeAll} })
	}))
	s.none.Hide()
	s.detail = newDetailPane(s)

	s.footer = newFooter(s.count, s.fold)
	list := container.New(&listLayout{}, s.head, container.NewStack(s.rows, s.none, s.veil), s.footer)
	split := widgets.NewAdaptive(list, s.detail.object, 640, 0.68, 0.5)
	s.top = widgets.NewStack(10,
		container.New(&titleLayout{}, s.title, s.updating, s.summary),
		s.sizes, s.alert,
		container.New(&toolLayout{}, s.modes, s.search, s.kinds, s.reasons, s.layout))
	s.body = container.New(&pageLayout{}, s.top, widgets.NewGround(theme.ColorNameHairline, 0), split)
	s.root = container.NewStack(s.waiting)
}

func without(selected, all string) string {
	if selected == all {
		return ""
	}
	return selected
}

func (s *screen) showProblems() {
	if s.model == nil || len(s.model.Problems) == 0 {
		return
	}
	if s.tree().ModeTotal(ModeProblems).Files > 0 {
		s.narrow(func(f *Filter) { *f = Filter{Mode: ModeProblems} })
	}
	s.host.OpenPlace(s.model.Problems[0].File, s.model.Problems[0].Line)
}

// menu offers the commands for the selected path where the pointer is.
func (s *screen) menu(at fyne.Position) {
	d := s.selectedDetail()
	if d == nil {
		return
	}
	items := []*fyne.MenuItem{
		fyne.NewMenuItem("Copy path", s.copyPath),
		fyne.NewMenuItem("Show in folder", s.openFile),
	}
	if len(d.Actions) > 0 {
		items = append(items, fyne.NewMenuItemSeparator())
	}
	for _, a := range d.Actions {
		items = append(items, fyne.NewMenuItem(a.Title(), func() { s.do(a) }))
	}
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), s.host.Window().Canvas(), at)
}
