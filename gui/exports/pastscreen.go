package exports

import (
	"context"
	"errors"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/export"
	"talebinder/export/history"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// allTargets is the choice of the filter that hides nothing.
const allTargets = "All targets"

// pastScreen is the screen of the exports of the past: a row each, with its report, compared with another one, and the budgets
// that builds are to stay below.
type pastScreen struct {
	host    ui.Host
	model   pastModel
	store   *history.Store
	budgets history.Budgets
	now     func() time.Time

	shown, looking, again bool
	ended                 int // rows of the queue that had ended when the history was read last
	wanted                int // counts what was asked for, so that an answer that comes late is dropped
	stop                  func()

	root    *fyne.Container // one of: waiting, empty, failed, page
	waiting *widgets.EmptyState
	empty   *widgets.EmptyState
	failed  *widgets.EmptyState
	page    fyne.CanvasObject
	summary *theme.Text
	filter  *widget.Select
	filters []string // target ids as the filter has them, after the first
	pages   *widgets.Segmented
	rows    *widgets.Rows
	detail  *pastDetail
	split   fyne.CanvasObject
	limits  *budgetPage
	middle  *fyne.Container
}

var (
	_ ui.Screen  = (*pastScreen)(nil)
	_ ui.Focuser = (*pastScreen)(nil)
)

// NewHistory makes the screen of the exports of the past.
func NewHistory(h ui.Host) ui.Screen { return newPastScreen(h) }

func newPastScreen(h ui.Host) *pastScreen {
	s := &pastScreen{host: h, store: history.Default(), budgets: history.DefaultBudgets(), now: time.Now}
	s.build()
	s.stop = h.Workspace().Subscribe(func(c ui.Change) {
		if c == ui.QueueChanged && s.shown && s.endedRows() != s.ended {
			s.look()
		}
	})
	return s
}

func (s *pastScreen) ID() string                 { return ui.ScreenHistory }
func (s *pastScreen) Title() string              { return "History" }
func (s *pastScreen) Icon() fyne.Resource        { return theme.Icon(theme.IconHistory) }
func (s *pastScreen) Content() fyne.CanvasObject { return s.root }
func (s *pastScreen) Hidden()                    { s.shown = false }
func (s *pastScreen) Close()                     { s.shown = false; s.stop() }

// Badge counts the targets whose newest build is over its budget.
func (s *pastScreen) Badge() string {
	if n := s.model.over(); n > 0 {
		return ui.Count(int64(n))
	}
	return ""
}

// Shown reads the history again: exports from a terminal stand in it as well.
func (s *pastScreen) Shown() {
	s.shown = true
	s.look()
}

// Focus shows an export by its id, the comparison of the chosen one ("compare"), the budgets ("budgets"), or the budget of a
// target ("budgets/linux-x64").
func (s *pastScreen) Focus(what string) {
	if target, ok := strings.CutPrefix(what, "budgets"); ok {
		s.turn(1)
		s.limits.focus(strings.TrimPrefix(target, "/"))
		return
	}
	if what == "compare" {
		s.detail.turn(pageCompare)
		s.turn(0)
		return
	}
	s.turn(0)
	s.choose(what)
}

// project is the folder that the history is asked for.
func (s *pastScreen) project() string { return s.host.Workspace().Project.Dir }

func (s *pastScreen) endedRows() int {
	n := 0
	for _, r := range s.host.Workspace().Queue.Rows() {
		if r.State().Ended() {
			n++
		}
	}
	return n
}

// look reads the history in the background. A second call while one is under way makes another one follow.
func (s *pastScreen) look() {
	if s.looking {
		s.again = true
		return
	}
	s.looking, s.again = true, false
	s.ended = s.endedRows()
	project := s.project()
	var all []history.Summary
	var damaged []error
	var budgets map[string]int64
	var budgetErr error
	s.host.Go("Reading the history", func(context.Context) error {
		budgets, budgetErr = s.budgets.Get(project)
		var err error
		all, damaged, err = s.store.List(project, "")
		return err
	}, func(err error) {
		s.looking = false
		switch {
		case err == nil:
			s.model.set(all, damaged, budgets)
			s.limits.err = budgetErr
			s.fill()
			s.host.BadgesChanged()
		case !errors.Is(err, context.Canceled):
			s.failed.Set("The history cannot be read", err.Error())
			s.put(s.failed)
		}
		if s.again {
			s.look()
		}
	})
}

func (s *pastScreen) put(o fyne.CanvasObject) {
	if s.root.Objects[0] != o {
		s.root.Objects[0] = o
		s.root.Refresh()
	}
}

// fill shows what is known.
func (s *pastScreen) fill() {
	if len(s.model.all) == 0 && s.pages.Selected() == 0 {
		s.put(s.empty)
		return
	}
	s.put(s.page)
	s.filters = s.model.targets()
	names := []string{allTargets}
	chosen := allTargets
	for _, id := range s.filters {
		names = append(names, targetName(id))
		if id == s.model.target {
			chosen = targetName(id)
		}
	}
	s.filter.Options, s.filter.Selected = names, chosen
	s.filter.Refresh()
	s.summary.SetText(s.model.summary())
	s.rows.Refresh()
	i := s.model.index(s.model.selected)
	s.rows.Mark(i)
	if i >= 0 {
		s.rows.ScrollTo(i)
	}
	s.limits.fill()
	s.load()
}

func (s *pastScreen) turn(page int) {
	s.pages.Load(page)
	front := s.split
	if page == 1 {
		front = s.limits.column
	}
	s.filter.Hidden = page == 1
	if s.middle.Objects[0] != front {
		s.middle.Objects[0] = front
		s.middle.Refresh()
	}
	if s.model.known {
		s.fill()
	}
}

// narrow lists the exports for the target that the filter names.
func (s *pastScreen) narrow() {
	target := ""
	if i := s.filter.SelectedIndex(); i > 0 && i <= len(s.filters) {
		target = s.filters[i-1]
	}
	s.model.filter(target)
	s.fill()
}

// choose selects an export.
func (s *pastScreen) choose(id string) {
	if s.model.index(id) < 0 {
		if _, ok := s.model.find(id); !ok {
			s.model.selected = id // it counts once the history is known
			return
		}
		s.model.filter("")
	}
	s.model.selected = id
	if s.model.before == id {
		s.model.before = ""
	}
	s.fill()
	s.host.BadgesChanged()
}

// compareWith compares the selected export with another one.
func (s *pastScreen) compareWith(id string) {
	if s.model.compareWith(id) {
		s.detail.turn(pageCompare)
		s.fill()
	}
}

// load reads the records that the detail pane needs.
func (s *pastScreen) load() {
	selected, ok := s.model.find(s.model.selected)
	s.detail.head(selected, ok)
	if !ok {
		return
	}
	s.wanted++
	wanted, project := s.wanted, s.project()
	if s.detail.page == pageReportOf {
		if s.detail.reported == selected.ID {
			s.detail.arrange()
			return
		}
		s.detail.wait()
		var report *export.Report
		s.host.Go("Reading a report", func(context.Context) error {
			record, err := s.store.Load(project, selected.ID)
			if err == nil {
				report, err = export.ParseReport(record.Report)
			}
			return err
		}, func(err error) {
			if wanted == s.wanted {
				s.detail.showReport(selected, report, err)
			}
		})
		return
	}
	before, after, ok := s.model.pair()
	if !ok {
		s.detail.showNoPair(selected)
		return
	}
	if s.detail.compared == [2]string{before.ID, after.ID} {
		s.detail.arrange()
		return
	}
	s.detail.wait()
	var c *history.Comparison
	s.host.Go("Comparing two exports", func(context.Context) error {
		a, err := s.store.Load(project, before.ID)
		if err != nil {
			return err
		}
		b, err := s.store.Load(project, after.ID)
		if err != nil {
			return err
		}
		c = history.Compare(a, b)
		return nil
	}, func(err error) {
		if wanted == s.wanted {
			s.detail.showComparison(before, after, c, err)
		}
	})
}

// pick offers the other exports for the comparison.
func (s *pastScreen) pick() {
	now := s.now()
	var items []widgets.PickItem
	for _, e := range s.model.all {
		if e.Success && e.ID != s.model.selected {
			title, what := describe(past{e})
			if what != "" {
				title += " · " + what
			}
			items = append(items, widgets.PickItem{
				Key: e.ID, Title: title, Detail: when(e.StartedAt, now) + " · " + ui.Size(e.TotalSize), Icon: theme.IconIn(theme.IconHistory, theme.ColorNameMuted),
			})
		}
	}
	widgets.ShowPicker(s.host.Window().Canvas(), s.detail.with, widgets.PickerOptions{
		Placeholder: "Target, profile or day", Items: items, Width: 420,
		Empty:  "No other export of this project has made a build yet.",
		OnPick: func(keys []string) { s.compareWith(keys[0]) },
	})
}

func (s *pastScreen) openFolder() {
	if e, ok := s.model.find(s.model.selected); ok && e.Output != "" {
		s.host.OpenFolder(e.Output)
	}
}

func (s *pastScreen) copyCommand() {
	if e, ok := s.model.find(s.model.selected); ok {
		s.host.Copy(ui.CommandLine(past{e}.command()))
		s.host.Notify("The command is on the clipboard")
	}
}

func (s *pastScreen) copyComparison() {
	if c := s.detail.comparison; c != nil {
		s.host.Copy(c.text(s.now()))
		s.host.Notify("The comparison is on the clipboard")
	}
}

// remove forgets the selected export; its build stays.
func (s *pastScreen) remove() {
	e, ok := s.model.find(s.model.selected)
	if !ok {
		return
	}
	title, _ := describe(past{e})
	s.host.Confirm("Forget this export?", "The report of "+title+", "+when(e.StartedAt, s.now())+", is removed from the history. What was built stays where it is.", "Forget",
		func() {
			i := s.model.index(e.ID)
			if err := s.store.Remove(s.project(), e.ID); err != nil && !errors.Is(err, history.ErrNoRecord) {
				s.host.Error(err)
				return
			}
			s.model.selected = ""
			if n := len(s.model.shown); n > 1 {
				next := i + 1
				if next == n {
					next = i - 1
				}
				s.model.selected = s.model.all[s.model.shown[next]].ID
			}
			s.look()
		})
}

func (s *pastScreen) key(e *fyne.KeyEvent) bool {
	switch e.Name {
	case fyne.KeyDelete, fyne.KeyBackspace:
		s.remove()
	case fyne.KeyRight:
		s.detail.turn(pageCompare)
		s.load()
	case fyne.KeyLeft:
		s.detail.turn(pageReportOf)
		s.load()
	default:
		return false
	}
	return true
}

func (s *pastScreen) menu(i int, at fyne.Position) {
	e := s.model.all[s.model.shown[i]]
	items := []*fyne.MenuItem{fyne.NewMenuItem("Compare with…", s.pick)}
	if e.Output != "" {
		items = append(items, fyne.NewMenuItem("Open folder", s.openFolder))
	}
	items = append(items, fyne.NewMenuItem("Copy as command", s.copyCommand), fyne.NewMenuItemSeparator(), fyne.NewMenuItem("Forget…", s.remove))
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), s.host.Window().Canvas(), at)
}

// Commands are what the menus offer for the history.
func (s *pastScreen) Commands() []ui.Command {
	is := func(f func(history.Summary) bool) func() bool {
		return func() bool {
			e, ok := s.model.find(s.model.selected)
			return s.shown && ok && f(e)
		}
	}
	any := func(history.Summary) bool { return true }
	return []ui.Command{
		{ID: "history.budgets", Title: "Set budgets of builds", Menu: ui.MenuExport, Group: 8, Run: func() { s.host.Show(ui.ScreenHistory, "budgets") }},
		{ID: "history.compare", Title: "Compare the export with…", Menu: ui.MenuExport, Group: 8, Icon: theme.Icon(theme.IconCompare),
			Enabled: is(func(e history.Summary) bool { return e.Success && len(s.model.all) > 1 }), Run: s.pick},
		{ID: "history.copyComparison", Title: "Copy the comparison of exports",
			Enabled: is(func(history.Summary) bool { return s.detail.page == pageCompare && s.detail.comparison != nil }), Run: s.copyComparison},
		{ID: "history.openFolder", Title: "Open the folder of the past export", Enabled: is(func(e history.Summary) bool { return e.Output != "" }), Run: s.openFolder},
		{ID: "history.copyCommand", Title: "Copy the past export as command", Enabled: is(any), Run: s.copyCommand},
		{ID: "history.forget", Title: "Forget the past export…", Enabled: is(any), Run: s.remove},
	}
}

// build makes the widgets.
func (s *pastScreen) build() {
	s.waiting = widgets.NewEmptyState(theme.Icon(theme.IconWaiting), "Reading the history", "The reports of all exports of this project.")
	s.failed = widgets.NewEmptyState(theme.Icon(theme.IconError), "The history cannot be read", "", widget.NewButton("Try again", s.look))
	start := widget.NewButtonWithIcon("Export…", theme.Icon(theme.IconBuild), func() { s.host.Show(ui.ScreenBuild, "") })
	start.Importance = widget.HighImportance
	s.empty = widgets.NewEmptyState(theme.Icon(theme.IconHistory), "No exports yet",
		"Every export leaves its report here, also one from a terminal and one that failed: when, what for, how large. "+
			"Two of them can be compared, file by file.", start, widget.NewButton("Set budgets", func() { s.turn(1) }))
	s.summary = theme.Muted("").WithTruncation(theme.TruncateEnd)
	s.filter = widget.NewSelect([]string{allTargets}, func(string) { s.narrow() })
	s.filter.Selected = allTargets
	s.pages = widgets.NewSegmented([]string{"Exports", "Budgets"}, s.turn)
	s.pages.Load(0)
	s.rows = widgets.NewRows(func() int { return len(s.model.shown) }, func() fyne.CanvasObject { return newPastRow(s.compareWith) },
		func(i int, o fyne.CanvasObject) { o.(*pastRow).set(s.model.line(i, s.now())) })
	s.rows.Height = pastRowHeight
	s.rows.OnSelected = func(i int) { s.choose(s.model.all[s.model.shown[i]].ID) }
	s.rows.OnActivated = func(int) { s.openFolder() }
	s.rows.OnKey = s.key
	s.rows.OnSecondary = s.menu
	s.detail = newPastDetail(s)
	s.limits = newBudgetPage(s)
	s.split = widgets.NewAdaptive(s.rows, s.detail.object, 820, 0.4, 0.34)
	s.middle = container.NewStack(s.split)
	head := container.New(widgets.HeadLayout{}, theme.Title("History"), s.summary, container.NewHBox(s.filter, s.pages))
	s.page = container.New(widgets.PageLayout{}, container.New(&widgets.PadLayout{Left: 16, Top: 10, Right: 16, Bottom: 10}, head),
		widgets.NewGround(theme.ColorNameHairline, 0), s.middle)
	s.root = container.NewStack(s.waiting)
}
