package exports

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/export"
	"talebinder/export/history"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// The pages of a past export.
const (
	pageReportOf = iota
	pageCompare
)

// pastDetail shows an export of the past: its report, or what has changed since another one.
type pastDetail struct {
	screen *pastScreen
	object fyne.CanvasObject

	title   *theme.Text
	badge   *widgets.Badge
	status  *theme.Text
	pages   *widgets.Segmented
	with    *widget.Button
	actions *fyne.Container
	stack   *fyne.Container // the front page
	report  *reportView
	message *widgets.EmptyState // in place of a page that cannot be shown

	compare  fyne.CanvasObject
	sentence *theme.Text
	sign     *icon
	tally    *theme.Text
	filters  *widgets.Segmented
	search   *widgets.SearchEntry
	rows     *widgets.Rows
	none     *widgets.EmptyState

	page       int
	reported   string    // id of the report shown
	compared   [2]string // ids of the comparison shown
	comparison *comparison
	loading    bool // controls are being set and must not set back
}

func newPastDetail(s *pastScreen) *pastDetail {
	d := &pastDetail{
		screen: s, title: theme.Heading("").WithTruncation(theme.TruncateEnd), badge: widgets.NewBadge("", widgets.Neutral),
		status: theme.Muted("").WithTruncation(theme.TruncateEnd), report: newReportView(s.host),
		sentence: theme.Strong("").WithTruncation(theme.TruncateEnd), sign: newIcon(), tally: theme.Muted("").WithTruncation(theme.TruncateEnd),
	}
	d.message = widgets.NewEmptyState(theme.Icon(theme.IconCompare), "", "")
	d.pages = widgets.NewSegmented([]string{"Report", "Compare"}, func(i int) { d.turn(i); s.load() })
	d.pages.Load(pageReportOf)
	d.with = widget.NewButtonWithIcon("Compare with…", theme.Icon(theme.IconCompare), s.pick)
	d.actions = container.New(&widgets.FlowLayout{Gap: 8, Line: 30})
	d.buildCompare()
	head := container.New(&widgets.PadLayout{Left: 16, Top: 12, Right: 14, Bottom: 10}, widgets.NewStack(6,
		container.NewBorder(nil, nil, nil, d.badge, d.title), d.status, container.New(&controlLayout{}, d.pages, d.actions)))
	d.stack = container.NewStack(d.message)
	d.object = container.NewStack(widgets.NewGround(theme.ColorNamePanel, 0),
		container.New(widgets.PageLayout{}, head, widgets.NewGround(theme.ColorNameHairline, 0), d.stack))
	return d
}

func (d *pastDetail) buildCompare() {
	d.filters = widgets.NewSegmented([]string{"All", "Added", "Removed", "Grown", "Shrunk"}, func(int) { d.narrow() })
	d.search = widgets.NewSearchEntry("Search paths", func(string) { d.narrow() })
	d.rows = widgets.NewRows(func() int {
		if d.comparison == nil {
			return 0
		}
		return len(d.comparison.rows)
	}, func() fyne.CanvasObject { return newCompareRow() }, func(i int, o fyne.CanvasObject) { o.(*compareRow).set(d.comparison.rows[i]) })
	d.rows.Height = theme.Size(theme.SizeNameRow)
	d.rows.OnActivated = func(i int) {
		if path := d.comparison.rows[i].Path; path != "" {
			d.screen.host.Show(ui.ScreenContent, path)
		}
	}
	d.search.OnDown = func() {
		d.screen.host.Window().Canvas().Focus(d.rows)
		d.rows.Select(0)
	}
	d.none = widgets.NewEmptyState(theme.Icon(theme.IconSearch), "", "")
	copied := widgets.NewIconButton(theme.Icon(theme.IconCopy), "Copy the comparison", d.screen.copyComparison)
	copied.Quiet = true
	top := container.New(&widgets.PadLayout{Left: 16, Top: 10, Right: 14, Bottom: 8}, widgets.NewStack(8,
		widgets.NewStack(2, container.NewBorder(nil, nil, container.New(&fixedLayout{width: 24}, d.sign.Image), copied, d.sentence), d.tally),
		container.New(&widgets.FilterLayout{}, d.filters, d.search)))
	d.compare = container.New(widgets.PageLayout{}, top, widgets.NewGround(theme.ColorNameHairline, 0), container.NewStack(d.rows, d.none))
}

func (d *pastDetail) turn(page int) {
	d.page = page
	d.pages.Load(page)
}

// head names the export and what can be done with it.
func (d *pastDetail) head(e history.Summary, ok bool) {
	if !ok {
		d.title.SetText("")
		d.front(d.message)
		d.message.Set("No export is chosen", "Choose one of the list.")
		return
	}
	s, p := d.screen, past{e}
	row := lineOf(0, p, p.state(nil), "")
	d.title.SetText(row.Title)
	d.badge.Set(row.Word, row.Mark.look().tone)
	text := when(e.StartedAt, s.now())
	if row.What != "" {
		text += " · " + row.What
	}
	if e.Success {
		text += " · " + ui.Size(e.TotalSize)
	}
	if e.Duration > 0 {
		text += " · " + ui.Duration(e.Duration)
	}
	d.status.SetText(text)
	button := func(title string, icon theme.IconName, f func()) *widget.Button {
		return widget.NewButtonWithIcon(title, theme.Icon(icon), f)
	}
	d.actions.Objects = nil
	if e.Success {
		d.actions.Add(d.with)
	}
	if e.Output != "" {
		d.actions.Add(button("Open folder", theme.IconFolderOpen, s.openFolder))
	}
	d.actions.Add(button("Forget…", theme.IconTrash, s.remove))
	d.object.Refresh()
}

func (d *pastDetail) front(o fyne.CanvasObject) {
	if d.stack.Objects[0] != o {
		d.stack.Objects[0] = o
		d.stack.Refresh()
	}
}

// arrange shows the front page as it was left.
func (d *pastDetail) arrange() {
	if d.page == pageReportOf {
		d.front(d.report.column)
	} else {
		d.front(d.compare)
	}
}

// wait stands in for a page that is being read.
func (d *pastDetail) wait() {
	d.message.Set("Reading", "What was kept of the export is being read.")
	d.front(d.message)
}

func (d *pastDetail) showReport(e history.Summary, report *export.Report, err error) {
	if err != nil {
		d.reported = ""
		d.message.Set("The report cannot be read", err.Error())
		d.front(d.message)
		return
	}
	d.reported = e.ID
	p := past{e}
	d.report.show(reportFrom(p, p.state(report), d.screen.host.Workspace().Project))
	d.arrange()
}

// showNoPair says why there is nothing to compare.
func (d *pastDetail) showNoPair(e history.Summary) {
	d.comparison, d.compared = nil, [2]string{}
	if e.Success {
		d.message.Set("Nothing to compare with yet", "A comparison needs two exports that made a build. Export once more and see here what has changed.")
	} else {
		d.message.Set("Nothing was built", "An export that failed or was cancelled leaves no build to compare. Choose one that finished.")
	}
	d.front(d.message)
}

func (d *pastDetail) showComparison(before, after history.Summary, c *history.Comparison, err error) {
	if err != nil {
		d.comparison, d.compared = nil, [2]string{}
		d.message.Set("The exports cannot be compared", err.Error())
		d.front(d.message)
		return
	}
	d.comparison, d.compared = newComparison(c), [2]string{before.ID, after.ID}
	d.sentence.SetText(d.comparison.sentence(d.screen.now()))
	look := look{theme.IconCheck, widgets.Success}
	switch delta := c.Delta(); {
	case delta > 0:
		look.icon, look.tone = theme.IconChevronUp, widgets.Accent
	case delta < 0:
		look.icon, look.tone = theme.IconChevronDown, widgets.Notice
	}
	d.sign.set(look)
	d.tally.SetText(d.comparison.tally())
	d.loading = true
	d.filters.Load(0)
	d.search.Entry.SetText("")
	d.loading = false
	n := d.comparison.counts()
	labels := []string{"All", "Added", "Removed", "Grown", "Shrunk"}
	for i := range labels {
		labels[i] += "  " + ui.Count(int64(n[i]))
	}
	d.filters.SetOptions(labels)
	d.list()
	d.arrange()
}

func (d *pastDetail) narrow() {
	if d.loading || d.comparison == nil {
		return
	}
	d.comparison.narrow(ChangeFilter(max(d.filters.Selected(), 0)), d.search.Text())
	d.list()
}

func (d *pastDetail) list() {
	d.rows.Mark(-1)
	d.rows.Refresh()
	d.rows.ScrollToTop()
	d.none.Hidden = len(d.comparison.rows) > 0
	if d.comparison.counts()[AllChanges] == 0 {
		d.none.Set("Nothing has changed", "Every file of the two builds takes the same room.")
	} else {
		d.none.Set("Nothing matches", "No file that has changed is of this kind with this in its path.")
	}
	d.none.Refresh()
}

// budgetColor is the colour of a size beside its budget.
func budgetColor(l history.BudgetLevel) fyne.ThemeColorName {
	switch l {
	case history.Over:
		return fynetheme.ColorNameError
	case history.Near:
		return fynetheme.ColorNameWarning
	}
	return fynetheme.ColorNameForeground
}
