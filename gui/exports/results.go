package exports

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/export"
	"talebinder/export/history"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/platforms"
)

// A Result is a line of the table that sums up exports that were started together.
type Result struct {
	ID      int
	Mark    Mark
	Target  string
	Profile string
	Word    string // how it ended
	Size    string
	Time    string
	Change  string // of the size, since the last export of the same kind
	Grown   int    // 1 when it is larger than that, -1 when it is smaller
	Text    string // why it failed; empty otherwise
}

// Set gives the rows of the exports that were started together last: since the queue was empty, without those removed since.
func (m *Model) Set() []*export.Row {
	var rows []*export.Row
	for _, r := range m.rows {
		if m.set[r.ID()] {
			rows = append(rows, r)
		}
	}
	return rows
}

// join adds rows to the set, or begins another one when all of it had ended.
func (m *Model) join(rows []*export.Row, before map[int]export.State) {
	going := false
	for id := range m.set {
		s, there := before[id]
		going = going || there && !s.Ended()
	}
	if !going {
		m.set = map[int]bool{}
	}
	for _, r := range rows {
		m.set[r.ID()] = true
	}
}

// SetOver says that there is more than one export in the set and that all of them have ended.
func (m *Model) SetOver() bool {
	rows := m.Set()
	for _, r := range rows {
		if !m.state[r.ID()].Ended() {
			return false
		}
	}
	return len(rows) > 1
}

// Results sums up the set. before gives the size of the build that each export has replaced, by the id of its row.
func (m *Model) Results(before map[int]int64) []Result {
	var list []Result
	for _, row := range m.Set() {
		s := row.Snapshot()
		line := lineOf(row.ID(), row.Job(), s, m.dir)
		r := Result{ID: row.ID(), Mark: line.Mark, Target: line.Title, Word: line.Word, Time: line.Elapsed}
		if j, ok := row.Job().(made); ok {
			if t, known := platforms.TargetByID(row.Job().Target()); known {
				r.Target, r.Profile = t.Name, j.Profile().Info().Name
			}
		}
		if line.What != "" {
			r.Target += " · game folder"
		}
		if s.State == export.FinishedWithWarnings {
			r.Word = "Finished, " + ui.Plural(s.Warnings, "warning")
		}
		if s.State == export.Failed {
			r.Text = line.Text
			if s.Report != nil && len(s.Report.Errors) > 0 {
				r.Text = s.Report.Errors[0].Message // its file is for the report to say
			}
		}
		if s.Report != nil && s.Report.Success {
			r.Size = ui.Size(s.Report.TotalSize)
			if size, ok := before[row.ID()]; ok {
				r.Change, r.Grown = changeText(s.Report.TotalSize - size)
			} else {
				r.Change = "first"
			}
		}
		list = append(list, r)
	}
	return list
}

// changeText writes by how much something has grown.
func changeText(by int64) (text string, sign int) {
	switch {
	case by > 0:
		return "+" + ui.Size(by), 1
	case by < 0:
		return "−" + ui.Size(-by), -1
	}
	return "same", 0
}

// SetSummary counts the set by outcome: "4 exports: 3 finished, 1 failed".
func (m *Model) SetSummary() string {
	part := Model{}
	for _, row := range m.Set() {
		part.lines = append(part.lines, m.lines[m.Index(row.ID())])
	}
	return ui.Plural(len(part.lines), "export") + ": " + part.Summary()
}

// Commands gives the command lines of the set, one for each export.
func (m *Model) Commands() string {
	var lines []string
	for _, row := range m.Set() {
		lines = append(lines, ui.CommandLine(row.Job().Command()))
	}
	return strings.Join(lines, "\n")
}

// kind says which exports can be compared with each other.
type kind struct {
	target, profile string
	contentOnly     bool
}

// replaced finds the sizes of the builds that exports have replaced: of the newest successful one of the same kind that began
// before. The list is the history, newest first.
func replaced(list []history.Summary, started map[int]time.Time, kinds map[int]kind) map[int]int64 {
	sizes := map[int]int64{}
	for id, k := range kinds {
		for _, s := range list {
			// The history keeps whole seconds and less; the export itself is in it already.
			earlier := s.StartedAt.Before(started[id].Add(-time.Millisecond))
			if s.Success && earlier && (kind{s.Target, s.Profile, s.ContentOnly}) == k {
				sizes[id] = s.TotalSize
				break
			}
		}
	}
	return sizes
}

// resultsPane shows the table in place of a single export.
type resultsPane struct {
	screen  *screen
	object  fyne.CanvasObject
	title   *theme.Text
	retry   *widget.Button
	rows    *widgets.Rows
	results []Result
	before  map[int]int64
}

func newResultsPane(s *screen) *resultsPane {
	p := &resultsPane{screen: s, title: theme.Heading("").WithTruncation(theme.TruncateEnd)}
	p.retry = widget.NewButtonWithIcon("Retry failed", theme.Icon(theme.IconReload), s.retryFailed)
	p.retry.Importance = widget.HighImportance
	commands := widget.NewButtonWithIcon("Copy as commands", theme.Icon(theme.IconCopy), s.copyCommands)
	p.rows = widgets.NewRows(func() int { return len(p.results) }, newResultRow, func(i int, o fyne.CanvasObject) { o.(*resultRow).set(p.results[i]) })
	p.rows.Height = resultHeight
	open := func(i int) { s.choose(p.results[i].ID) }
	p.rows.OnClicked, p.rows.OnActivated = open, open
	names := newResultRow().(*resultRow)
	names.head()
	head := container.New(&widgets.PadLayout{Left: 16, Top: 12, Right: 14, Bottom: 8}, widgets.NewStack(8, p.title,
		container.New(&widgets.FlowLayout{Gap: 8, Line: 30}, p.retry, commands)))
	table := container.New(widgets.PageLayout{}, names, widgets.NewGround(theme.ColorNameHairline, 0), p.rows)
	p.object = container.NewStack(widgets.NewGround(theme.ColorNamePanel, 0), container.New(widgets.PageLayout{}, head, widgets.NewGround(theme.ColorNameHairline, 0), table))
	return p
}

// show fills the table, and asks the history how large the builds were before.
func (p *resultsPane) show() {
	p.fill()
	kinds, started := map[int]kind{}, map[int]time.Time{}
	for _, row := range p.screen.model.Set() {
		s := row.Snapshot()
		if j, ok := row.Job().(made); ok && s.Report != nil && s.Report.Success {
			kinds[row.ID()] = kind{row.Job().Target(), j.Profile().String(), j.ContentOnly()}
			started[row.ID()] = s.Report.StartedAt
		}
	}
	dir := p.screen.model.dir
	p.screen.background("Reading the history", func() func() {
		// What cannot be read is left out: a size without its change is no reason to stop anybody.
		list, _, _ := history.Default().List(dir, "")
		before := replaced(list, started, kinds)
		return func() {
			p.before = before
			p.fill()
		}
	})
}

func (p *resultsPane) fill() {
	p.results = p.screen.model.Results(p.before)
	p.title.SetText(p.screen.model.SetSummary())
	enable(p.retry, len(p.screen.model.Failed()) > 0)
	p.rows.Refresh()
}

const resultHeight = 40

// resultRow is a line of the table.
type resultRow struct {
	widget.BaseWidget

	icon                                              *icon
	target, profile, word, size, time, change, reason *theme.Text
}

func newResultRow() fyne.CanvasObject {
	end := func() *theme.Text {
		return theme.Body("").WithAlign(fyne.TextAlignTrailing).WithTruncation(theme.TruncateEnd)
	}
	start := func() *theme.Text { return theme.Body("").WithTruncation(theme.TruncateEnd) }
	r := &resultRow{icon: newIcon(), target: start(), profile: start(), word: start(), size: end(), time: end(), change: end(),
		reason: theme.Caption("").WithColor(fynetheme.ColorNameError).WithTruncation(theme.TruncateEnd)}
	r.ExtendBaseWidget(r)
	return r
}

func (r *resultRow) texts() []*theme.Text {
	return []*theme.Text{r.target, r.profile, r.word, r.size, r.time, r.change, r.reason}
}

// head makes the row that of the names of the columns.
func (r *resultRow) head() {
	for i, name := range []string{"Target", "Profile", "Outcome", "Size", "Time", "Change", ""} {
		t := r.texts()[i]
		t.Text, t.ColorName, t.SizeName = name, theme.ColorNameMuted, fynetheme.SizeNameCaptionText
		t.Style.Bold = true
	}
	r.icon.Hide()
}

func (r *resultRow) set(v Result) {
	look := v.Mark.look()
	r.icon.set(look)
	for i, text := range []string{v.Target, v.Profile, v.Word, v.Size, v.Time, v.Change, v.Text} {
		r.texts()[i].Text = text
	}
	r.word.ColorName = look.tone.Color()
	r.change.ColorName = theme.ColorNameMuted
	if v.Grown != 0 {
		r.change.ColorName = fynetheme.ColorNameForeground
	}
	r.Refresh()
}

// HeightForWidth is that of the line with the names.
func (r *resultRow) HeightForWidth(float32) float32 { return 26 }

func (r *resultRow) CreateRenderer() fyne.WidgetRenderer { return &resultRenderer{r} }

type resultRenderer struct{ r *resultRow }

func (n *resultRenderer) Destroy()           {}
func (n *resultRenderer) MinSize() fyne.Size { return fyne.NewSize(240, 24) }

func (n *resultRenderer) Objects() []fyne.CanvasObject {
	objects := []fyne.CanvasObject{n.r.icon.Image}
	for _, t := range n.r.texts() {
		objects = append(objects, t)
	}
	return objects
}

func (n *resultRenderer) Refresh() {
	n.Layout(n.r.Size())
	for _, t := range n.r.texts() {
		t.Refresh()
	}
	canvas.Refresh(n.r)
}

// Layout gives all columns but the first a fixed width; a reason stands across the numbers, behind the outcome.
func (n *resultRenderer) Layout(size fyne.Size) {
	r := n.r
	const left, side, gap, profile, outcome, failed = 42, 16, 8, 90, 142, 48
	r.icon.Move(fyne.NewPos(14, (size.Height-side)/2))
	r.icon.Resize(fyne.NewSquareSize(side))
	place := func(o fyne.CanvasObject, x, width float32) {
		o.Move(fyne.NewPos(x, 0))
		o.Resize(fyne.NewSize(max(0, width), size.Height))
	}
	right := size.Width - 14 // a scroll bar may lie over the edge
	x := right
	for _, column := range []struct {
		text  *theme.Text
		width float32
	}{{r.change, 66}, {r.time, 44}, {r.size, 62}} {
		column.text.Hidden = r.reason.Text != ""
		x -= column.width
		place(column.text, x, column.width)
		x -= gap
	}
	x -= outcome
	place(r.word, x, outcome)
	place(r.reason, x+failed, right-x-failed)
	r.reason.Hidden = r.reason.Text == ""
	x -= profile + gap
	place(r.profile, x, profile)
	place(r.target, left, x-gap-left)
}
