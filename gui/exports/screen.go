// Package exports has the screen of running and finished exports, a row each with its steps, its log and its report, and the
// screen of the exports of the past, which compares them and keeps budgets.
package exports

import (
	"context"
	"strconv"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"talebinder/export"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// tick is how often a running export is looked at.
const tick = 100 * time.Millisecond

// logLines is how many lines of a log the view keeps.
const logLines = 5000

// The pages of the detail pane.
const (
	pageSteps = iota
	pageLog
	pageReport
)

type screen struct {
	host  ui.Host
	model *Model

	root      *fyne.Container // the empty state, or the page
	empty     *widgets.EmptyState
	page      fyne.CanvasObject
	summary   *theme.Text
	cancelAll *widget.Button
	retry     *widget.Button
	clear     *widget.Button
	rows      *widgets.Rows
	detail    *detailPane
	results   *resultsPane
	table     *widget.Button
	head      *fyne.Container
	right     *fyne.Container // the one export that is chosen, or the table

	shown  bool
	ticker func() // stops the ticker, nil while there is none
	stop   func()
	now    func() time.Time
}

var (
	_ ui.Screen  = (*screen)(nil)
	_ ui.Focuser = (*screen)(nil)
)

// New makes the screen.
func New(h ui.Host) ui.Screen { return newScreen(h) }

func newScreen(h ui.Host) *screen {
	w := h.Workspace()
	s := &screen{host: h, model: NewModel(w.Queue, w.Dir()), now: time.Now}
	s.build()
	s.stop = w.Subscribe(func(c ui.Change) {
		// While the screen is in front its own ticker looks at the rows.
		if c == ui.QueueChanged && s.ticker == nil {
			s.update()
		}
	})
	s.arrange()
	return s
}

func (s *screen) ID() string                 { return ui.ScreenExports }
func (s *screen) Title() string              { return "Exports" }
func (s *screen) Icon() fyne.Resource        { return theme.Icon(theme.IconExports) }
func (s *screen) Content() fyne.CanvasObject { return s.root }

// Badge is the number of exports that wait or run.
func (s *screen) Badge() string {
	if n := s.model.Active(); n > 0 {
		return strconv.Itoa(n)
	}
	return ""
}

func (s *screen) Shown() {
	s.shown = true
	s.update()
	s.arrange()
}

func (s *screen) Hidden() {
	s.shown = false
	s.keepTicking()
}

func (s *screen) Close() {
	s.stop()
	s.shown = false
	s.keepTicking()
}

// Focus selects the row with an id.
func (s *screen) Focus(id string) {
	if n, err := strconv.Atoi(id); err == nil {
		s.update()
		s.choose(n)
	}
}

// keepTicking starts the ticker when there is something to watch and stops it when there is not.
func (s *screen) keepTicking() {
	watch := s.shown && s.model.Active() > 0
	switch {
	case watch && s.ticker == nil:
		s.ticker = s.host.Every(tick, s.update)
	case !watch && s.ticker != nil:
		s.ticker()
		s.ticker = nil
	}
}

// update looks at the queue and shows what has become different.
func (s *screen) update() {
	active := s.model.Active()
	news := s.model.Update()
	for _, r := range news.Ended {
		s.host.Notify(Ending(r))
	}
	if len(news.Started) > 0 {
		current := s.model.Row(s.model.Selected)
		if current == nil || current.State().Ended() {
			s.model.Selected = news.Started[0].ID()
			s.front(s.detail.object)
		}
	}
	if s.shown {
		if news.Rows {
			s.arrange()
		} else {
			for _, i := range news.Changed {
				s.rows.RefreshRow(i)
			}
			if len(news.Ended) > 0 {
				s.header()
			}
			s.detail.update()
		}
	}
	if news.SetOver {
		s.showResults()
	}
	s.keepTicking()
	if news.Rows || active != s.model.Active() {
		s.host.BadgesChanged()
	}
}

// arrange shows the rows as they are now.
func (s *screen) arrange() {
	if s.model.Len() == 0 {
		s.put(s.empty)
		return
	}
	s.put(s.page)
	if s.model.Selected == 0 {
		s.model.Selected = s.model.Line(s.model.Len() - 1).ID
	}
	s.header()
	s.rows.Refresh()
	i := s.model.Index(s.model.Selected)
	s.rows.Mark(i)
	s.rows.ScrollTo(i)
	s.detail.show(s.model.Selected)
}

func (s *screen) put(o fyne.CanvasObject) {
	if s.root.Objects[0] != o {
		s.root.Objects[0] = o
		s.root.Refresh()
	}
}

func (s *screen) header() {
	s.summary.SetText(s.model.Summary())
	if several := len(s.model.Set()) > 1; s.table.Hidden == several {
		s.table.Hidden = !several
		widgets.Relayout(s.head)
	}
	enable(s.cancelAll, s.model.Active() > 0)
	enable(s.retry, len(s.model.Failed()) > 0)
	enable(s.clear, len(s.model.Over()) > 0)
}

func enable(b *widget.Button, on bool) {
	if b.Disabled() != on {
		return
	}
	if on {
		b.Enable()
	} else {
		b.Disable()
	}
}

// choose selects the row with an id.
func (s *screen) choose(id int) {
	i := s.model.Index(id)
	if i < 0 {
		return
	}
	s.model.Selected = id
	s.front(s.detail.object)
	s.rows.Mark(i)
	s.rows.ScrollTo(i)
	s.detail.show(id)
}

// front shows the chosen export, or the table of results.
func (s *screen) front(o fyne.CanvasObject) {
	if s.right.Objects[0] != o {
		s.right.Objects[0] = o
		s.right.Refresh()
	}
}

// showResults shows how the exports that were started together ended.
func (s *screen) showResults() {
	if len(s.model.Set()) > 1 {
		s.front(s.results.object)
		s.results.show()
	}
}

// copyCommands copies the command lines of the exports that were started together.
func (s *screen) copyCommands() {
	s.host.Copy(s.model.Commands())
	s.host.Notify("The commands are on the clipboard")
}

// background runs work beside the interface and then what it returns on the interface's goroutine.
func (s *screen) background(what string, work func() (apply func())) {
	var apply func()
	s.host.Go(what, func(context.Context) error {
		apply = work()
		return nil
	}, func(error) { apply() })
}

func (s *screen) selected() *export.Row { return s.model.Row(s.model.Selected) }

// act does what the button in a row stands for: cancel, open the folder, or try again.
func (s *screen) act(id int) {
	r := s.model.Row(id)
	if r == nil {
		return
	}
	s.choose(id)
	switch r.State() {
	case export.Waiting, export.Running:
		s.cancel()
	case export.Finished, export.FinishedWithWarnings:
		s.openFolder()
	default:
		s.again()
	}
}

func (s *screen) cancel() {
	if r := s.selected(); r != nil {
		s.model.queue.Cancel(r)
		s.update()
	}
}

func (s *screen) cancelEverything() {
	s.model.queue.CancelAll()
	s.update()
}

func (s *screen) again() {
	if r := s.selected(); r != nil && s.model.queue.Retry(r) {
		s.update()
		s.detail.show(s.model.Selected)
	}
}

// againWord names what runs the selected job again.
func (s *screen) againWord() string {
	if r := s.selected(); r != nil {
		if _, ok := r.Job().(made); !ok {
			return "Run again"
		}
	}
	return "Export again"
}

func (s *screen) retryFailed() {
	failed := s.model.Failed()
	for _, r := range failed {
		s.model.queue.Retry(r)
	}
	s.update()
	s.header()
	if len(failed) > 0 {
		s.choose(failed[0].ID())
	}
}

func (s *screen) remove() {
	r := s.selected()
	if r == nil {
		return
	}
	i := s.model.Index(r.ID())
	if !s.model.queue.Remove(r) {
		return
	}
	s.model.Update()
	if n := s.model.Len(); n > 0 {
		s.model.Selected = s.model.Line(min(i, n-1)).ID
	}
	s.arrange()
	s.keepTicking()
	s.host.BadgesChanged()
}

func (s *screen) clearEnded() {
	for _, r := range s.model.Over() {
		s.model.queue.Remove(r)
	}
	s.update()
}

func (s *screen) openFolder() {
	if r := s.selected(); r != nil {
		s.host.OpenFolder(r.Job().Output())
	}
}

func (s *screen) copyCommand() {
	if r := s.selected(); r != nil {
		s.host.Copy(ui.CommandLine(r.Job().Command()))
		s.host.Notify("The command is on the clipboard")
	}
}

func (s *screen) showReport() { s.detail.turn(pageReport) }

func (s *screen) startExport() { s.host.Show(ui.ScreenBuild, "") }

// key does by keyboard what the buttons do.
func (s *screen) key(e *fyne.KeyEvent) bool {
	r := s.selected()
	if r == nil {
		return false
	}
	switch e.Name {
	case fyne.KeyDelete, fyne.KeyBackspace:
		if r.State().Ended() {
			s.remove()
		} else {
			s.cancel()
		}
		return true
	case fyne.KeyRight:
		s.detail.turn(min(s.detail.current+1, pageReport))
		return true
	case fyne.KeyLeft:
		s.detail.turn(max(s.detail.current-1, pageSteps))
		return true
	}
	return false
}

// menu offers at the pointer what can be done with the selected export.
func (s *screen) menu(at fyne.Position) {
	r := s.selected()
	if r == nil {
		return
	}
	var items []*fyne.MenuItem
	add := func(title string, f func()) { items = append(items, fyne.NewMenuItem(title, f)) }
	switch state := r.State(); {
	case !state.Ended():
		add("Cancel", s.cancel)
	case state == export.Finished || state == export.FinishedWithWarnings:
		add("Open folder", s.openFolder)
		add(s.againWord(), s.again)
	default:
		add("Retry", s.again)
	}
	add("Copy as command", s.copyCommand)
	if r.State().Ended() {
		items = append(items, fyne.NewMenuItemSeparator())
		add("Remove", s.remove)
	}
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), s.host.Window().Canvas(), at)
}

// Commands are what the menus offer for exports. Those about all of them work on every screen.
func (s *screen) Commands() []ui.Command {
	is := func(f func(export.State) bool) func() bool {
		return func() bool {
			r := s.selected()
			return s.shown && r != nil && f(r.State())
		}
	}
	ended := export.State.Ended
	shortcut := func(key fyne.KeyName, m fyne.KeyModifier) fyne.Shortcut {
		return &desktop.CustomShortcut{KeyName: key, Modifier: m}
	}
	ctrl := fyne.KeyModifierShortcutDefault
	return []ui.Command{
		{ID: "export.cancel", Title: "Cancel the export", Menu: ui.MenuExport, Group: 4, Icon: theme.Icon(theme.IconClose),
			Shortcut: shortcut(fyne.KeyPeriod, ctrl), Enabled: is(func(st export.State) bool { return !st.Ended() }), Run: s.cancel},
		{ID: "export.cancelAll", Title: "Cancel all exports", Menu: ui.MenuExport, Group: 4,
			Shortcut: shortcut(fyne.KeyPeriod, ctrl|fyne.KeyModifierShift), Enabled: func() bool { return s.model.Active() > 0 }, Run: s.cancelEverything},
		{ID: "export.again", Title: "Run the export again", Menu: ui.MenuExport, Group: 5, Icon: theme.Icon(theme.IconReload),
			Shortcut: shortcut(fyne.KeyR, ctrl|fyne.KeyModifierShift), Enabled: is(ended), Run: s.again},
		{ID: "export.retryFailed", Title: "Retry failed exports", Menu: ui.MenuExport, Group: 5,
			Enabled: func() bool { return len(s.model.Failed()) > 0 }, Run: s.retryFailed},
		{ID: "export.results", Title: "Show the results of the exports started together", Menu: ui.MenuExport, Group: 5, Icon: theme.Icon(theme.IconData),
			Enabled: func() bool { return len(s.model.Set()) > 1 }, Run: func() { s.host.Show(ui.ScreenExports, ""); s.showResults() }},
		{ID: "export.copyCommands", Title: "Copy exports started together as commands", Menu: ui.MenuExport, Group: 6,
			Enabled: func() bool { return len(s.model.Set()) > 1 }, Run: s.copyCommands},
		{ID: "export.openFolder", Title: "Open the build's folder", Menu: ui.MenuExport, Group: 6, Icon: theme.Icon(theme.IconFolderOpen),
			Shortcut: shortcut(fyne.KeyO, ctrl|fyne.KeyModifierShift), Enabled: is(ended), Run: s.openFolder},
		{ID: "export.report", Title: "Show the report", Menu: ui.MenuExport, Group: 6, Enabled: is(ended), Run: s.showReport},
		{ID: "export.copyCommand", Title: "Copy as command", Menu: ui.MenuExport, Group: 6, Icon: theme.Icon(theme.IconCopy),
			Enabled: is(func(export.State) bool { return true }), Run: s.copyCommand},
		{ID: "export.remove", Title: "Remove the export from the list", Menu: ui.MenuExport, Group: 7, Enabled: is(ended), Run: s.remove},
		{ID: "export.clear", Title: "Clear finished exports", Menu: ui.MenuExport, Group: 7,
			Enabled: func() bool { return len(s.model.Over()) > 0 }, Run: s.clearEnded},
	}
}

// build makes the widgets.
func (s *screen) build() {
	start := widget.NewButtonWithIcon("Export…", theme.Icon(theme.IconBuild), s.startExport)
	start.Importance = widget.HighImportance
	s.empty = widgets.NewEmptyState(theme.Icon(theme.IconExports), "No exports yet",
		"Choose targets and a profile on the Build screen and press Export. Each export appears here as a row, with its steps, "+
			"its log and its report, and goes on while you work on something else.", start)
	tools := s.host.Workspace().Project == nil
	if tools {
		s.empty = widgets.NewEmptyState(theme.Icon(theme.IconExports), "Nothing has run yet",
			"What the tools do that takes longer appears here as a row, with its steps, its log and its report, and goes on while you "+
				"work on something else.")
	}
	s.summary = theme.Muted("").WithTruncation(theme.TruncateEnd)
	s.cancelAll = widget.NewButton("Cancel all", s.cancelEverything)
	s.retry = widget.NewButton("Retry failed", s.retryFailed)
	s.clear = widget.NewButton("Clear finished", s.clearEnded)
	s.rows = widgets.NewRows(s.model.Len, func() fyne.CanvasObject { return newRow(s.act) },
		func(i int, o fyne.CanvasObject) { o.(*row).set(s.model.Line(i)) })
	s.rows.Height = rowHeight
	s.rows.OnSelected = func(i int) { s.choose(s.model.Line(i).ID) }
	s.rows.OnActivated = func(i int) {
		if r := s.model.rows[i]; r.State() == export.Finished || r.State() == export.FinishedWithWarnings {
			s.openFolder()
		}
	}
	s.rows.OnKey = s.key
	s.rows.OnSecondary = func(_ int, at fyne.Position) { s.menu(at) }
	s.rows.OnClicked = func(i int) { s.choose(s.model.Line(i).ID) }
	s.detail = newDetailPane(s)
	s.results = newResultsPane(s)
	s.right = container.NewStack(s.detail.object)
	s.table = widget.NewButtonWithIcon("Results", theme.Icon(theme.IconData), s.showResults)
	s.table.Hide()

	another := widget.NewButtonWithIcon("Export…", theme.Icon(theme.IconBuild), s.startExport)
	another.Hidden = tools
	s.head = container.New(widgets.HeadLayout{}, theme.Title("Exports"), s.summary, container.NewHBox(s.table, s.cancelAll, s.retry, s.clear, another))
	split := widgets.NewAdaptive(s.rows, s.right, 820, 0.42, 0.42)
	s.page = container.New(widgets.PageLayout{}, container.New(&widgets.PadLayout{Left: 16, Top: 10, Right: 16, Bottom: 10}, s.head),
		widgets.NewGround(theme.ColorNameHairline, 0), split)
	s.root = container.NewStack(s.empty)
}
