package exports

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/export"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// detailPane shows one export: what it is, what can be done with it, and its steps, its log or its report.
type detailPane struct {
	screen *screen
	object fyne.CanvasObject

	title    *theme.Text
	badge    *widgets.Badge
	status   *theme.Text
	output   *theme.Text
	actions  *fyne.Container
	pages    *widgets.Segmented
	stack    *fyne.Container
	bar      *widgets.Meter
	stepPage *widgets.Column
	steps    *stepList
	log      *widgets.LogView
	entry    *fyne.Container // the chosen line of the log in full
	logPage  *fyne.Container
	report   *reportView
	pending  *widgets.EmptyState // in place of a report that is not there yet

	id       int
	line     Line
	offered  Mark // what the buttons were made for
	current  int
	wantsLog bool // the person looks at logs, also of the next row
	turning  bool
	started  time.Time // of the run that log and report belong to
	next     uint64    // log entry to ask for next
	reported bool
}

func newDetailPane(s *screen) *detailPane {
	p := &detailPane{
		screen: s,
		title:  theme.Heading("").WithTruncation(theme.TruncateEnd),
		badge:  widgets.NewBadge("", widgets.Neutral),
		status: theme.Muted("").WithTruncation(theme.TruncateEnd),
		output: theme.MonoMuted(""),
		bar:    widgets.NewMeter(6),
		steps:  newStepList(),
		log:    widgets.NewLogView(logLines),
		report: newReportView(s.host),
	}
	p.actions = container.New(&widgets.FlowLayout{Gap: 8, Line: 30})
	p.pages = widgets.NewSegmented([]string{"Steps", "Log", "Report"}, func(i int) {
		p.wantsLog = i == pageLog
		p.turn(i)
	})
	p.log.OnCopy = func(text string) {
		s.host.Copy(text)
		s.host.Notify("The log is on the clipboard")
	}
	p.log.OnSelected = p.showEntry
	p.log.OnActivated = func(l widgets.LogLine) {
		if e, ok := l.Data.(export.Entry); ok {
			if file := placeOf(e.File, s.host.Workspace().Project); file != "" {
				s.host.OpenPlace(file, e.Line)
			}
		}
	}
	p.entry = container.New(&widgets.PadLayout{Left: 12, Top: 8, Right: 14, Bottom: 8})
	p.entry.Hide()
	p.pending = widgets.NewEmptyState(theme.Icon(theme.IconWaiting), "No report yet", "The report is written when the export has ended.")
	p.stepPage = widgets.NewColumn(container.New(&widgets.PadLayout{Left: 16, Top: 14, Right: 18, Bottom: 14}, widgets.NewStack(12, p.bar, p.steps)))
	logPage := container.New(&logLayout{}, container.New(&widgets.PadLayout{Left: 12, Top: 8, Right: 4, Bottom: 4}, p.log),
		widgets.NewGround(theme.ColorNameHairline, 0), p.entry)
	p.logPage = logPage
	p.stack = container.NewStack(p.stepPage, logPage, container.NewStack(p.report.column, p.pending))
	head := container.New(&widgets.PadLayout{Left: 16, Top: 12, Right: 14, Bottom: 10}, widgets.NewStack(6,
		container.NewBorder(nil, nil, nil, p.badge, p.title),
		widgets.NewStack(2, p.status, p.output),
		container.New(&controlLayout{}, p.pages, p.actions)))
	p.object = container.NewStack(widgets.NewGround(theme.ColorNamePanel, 0), container.New(widgets.PageLayout{}, head, widgets.NewGround(theme.ColorNameHairline, 0), p.stack))
	p.turn(pageSteps)
	return p
}

// show turns to the row with an id and fills everything anew.
func (p *detailPane) show(id int) {
	r := p.screen.model.Row(id)
	if r == nil {
		return
	}
	s := r.Snapshot()
	if id != p.id || !s.Started.Equal(p.started) {
		p.id, p.started = id, s.Started
		p.log.Clear()
		p.entry.Hide()
		p.next, p.reported = 0, false
		switch {
		case p.wantsLog:
			p.turn(pageLog)
		case s.State.Ended():
			p.turn(pageReport)
		default:
			p.turn(pageSteps)
		}
		p.line = Line{}
	}
	p.update()
}

// turn shows a page.
func (p *detailPane) turn(page int) {
	p.current = page
	p.pages.Load(page)
	for i, o := range p.stack.Objects {
		if i == page {
			o.Show()
		} else {
			o.Hide()
		}
	}
	p.stack.Refresh()
}

// update brings the pane up to date with its row; it is called ten times a second while an export runs.
func (p *detailPane) update() {
	r := p.screen.model.Row(p.id)
	if r == nil {
		return
	}
	s := r.Snapshot()
	if !s.Started.Equal(p.started) && !p.started.IsZero() {
		p.show(p.id) // it runs again
		return
	}
	p.started = s.Started
	line := lineOf(p.id, r.Job(), s, p.screen.model.dir)
	if line != p.line {
		p.head(line)
	}
	before := len(p.steps.lines)
	p.steps.set(stepsOf(r.Job(), s, p.screen.now()))
	if len(p.steps.lines) != before {
		p.stepPage.Relayout()
	}
	entries, next := r.Entries(p.next)
	p.next = next
	p.log.Append(logLinesOf(entries)...)
	if s.State.Ended() && !p.reported {
		p.reported = true
		p.report.show(reportOf(r, p.screen.host.Workspace().Project))
		p.pending.Hide()
		p.report.column.Show()
		if p.current == pageSteps && p.id == p.screen.model.Selected {
			p.turn(pageReport)
		}
	} else if !s.State.Ended() {
		p.report.column.Hide()
		p.pending.Show()
	}
}

func (p *detailPane) head(l Line) {
	before := p.line
	p.line = l
	p.title.SetText(l.Title)
	tone := l.Mark.look().tone
	p.badge.Set(l.Word, tone)
	text := l.Text
	if l.What != "" {
		text = l.What + " · " + text
	}
	if l.Active {
		for _, more := range []string{percent(l), l.Elapsed, l.Left} {
			if more != "" {
				text += " · " + more
			}
		}
	} else if l.Elapsed != "" {
		text += " · " + l.Elapsed
	}
	p.status.SetText(text)
	p.output.SetText(l.Output)
	barColor := theme.ColorNameAccent
	if l.Mark == MarkCancelling {
		barColor = theme.ColorNameMuted
	}
	p.bar.Set(l.Fraction, barColor)
	if p.bar.Visible() != l.Active {
		p.bar.Hidden = !l.Active
		p.stepPage.Relayout()
	}
	if before.ID != l.ID || p.offered != l.Mark || len(p.actions.Objects) == 0 {
		p.offer(l.Mark)
	}
}

// offer makes the buttons for what can be done now.
func (p *detailPane) offer(m Mark) {
	s := p.screen
	p.offered = m
	button := func(title string, icon theme.IconName, f func()) *widget.Button {
		return widget.NewButtonWithIcon(title, theme.Icon(icon), f)
	}
	var first []*widget.Button
	switch m {
	case MarkWaiting, MarkRunning:
		first = append(first, button("Cancel", theme.IconClose, s.cancel))
	case MarkCancelling:
		b := button("Cancelling…", theme.IconStop, func() {})
		b.Disable()
		first = append(first, b)
	case MarkFinished, MarkWarned:
		open := button("Open folder", theme.IconFolderOpen, s.openFolder)
		open.Importance = widget.HighImportance
		first = append(first, open, button(s.againWord(), theme.IconReload, s.again))
	default:
		retry := button("Retry", theme.IconReload, s.again)
		retry.Importance = widget.HighImportance
		first = append(first, retry)
		if r := s.selected(); r != nil && m == MarkFailed {
			if j, ok := r.Job().(made); ok {
				first = append(first, button("What is missing", theme.IconHealthy, func() {
					s.host.Show(ui.ScreenReadiness, r.Job().Target()+"/"+j.Profile().String())
				}))
			}
		}
	}
	p.actions.Objects = nil
	for _, b := range first {
		p.actions.Add(b)
	}
	p.actions.Add(button("Copy as command", theme.IconCopy, s.copyCommand))
	if m != MarkRunning && m != MarkCancelling && m != MarkWaiting {
		p.actions.Add(button("Remove", theme.IconTrash, s.remove))
	}
	p.object.Refresh()
}

// logLinesOf turns log entries into lines of the view.
func logLinesOf(entries []export.Entry) []widgets.LogLine {
	lines := make([]widgets.LogLine, len(entries))
	for i, e := range entries {
		tone := widgets.Neutral
		switch e.Level {
		case export.Info:
			tone = widgets.Notice
		case export.Warning:
			tone = widgets.Warning
		case export.Error:
			tone = widgets.Danger
		}
		lines[i] = widgets.LogLine{Time: e.Time, Tone: tone, Text: e.String(), Data: e}
	}
	return lines
}

// showEntry shows all of a log line below the log: the list cuts what is longer than it is wide.
func (p *detailPane) showEntry(l widgets.LogLine) {
	e, ok := l.Data.(export.Entry)
	if !ok {
		return
	}
	parts := []fyne.CanvasObject{widgets.NewNote(e.Message, l.Tone)}
	if e.File != "" {
		var open func()
		if file := placeOf(e.File, p.screen.host.Workspace().Project); file != "" {
			open = func() { p.screen.host.OpenPlace(file, e.Line) }
		}
		place := export.Entry{File: e.File, Line: e.Line, Column: e.Column}.String()
		parts = append(parts, widgets.NewPathRow(theme.IconIn(theme.IconArrowRight, theme.ColorNameMuted), strings.TrimSuffix(place, ": "), "", open))
	}
	if e.Step != "" {
		parts = append(parts, theme.Caption("While: "+e.Step))
	}
	p.entry.Objects = []fyne.CanvasObject{widgets.NewStack(2, parts...)}
	p.entry.Show()
	p.logPage.Refresh()
}

// logLayout puts the log above its chosen line, which takes what it needs but never more than half.
type logLayout struct{}

func (logLayout) MinSize(o []fyne.CanvasObject) fyne.Size { return o[0].MinSize() }

func (logLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	height := float32(0)
	if o[2].Visible() {
		height = min(widgets.HeightFor(o[2], size.Width), size.Height/2)
	}
	o[0].Move(fyne.Position{})
	o[0].Resize(fyne.NewSize(size.Width, size.Height-height))
	o[1].Move(fyne.NewPos(0, size.Height-height))
	o[1].Resize(fyne.NewSize(size.Width, min(height, 1)))
	o[2].Move(fyne.NewPos(0, size.Height-height+1))
	o[2].Resize(fyne.NewSize(size.Width, max(0, height-1)))
}

// controlLayout puts the switch between the pages and the buttons into one line, or the buttons above when both do not fit.
type controlLayout struct{}

const controlGap = 16

func (controlLayout) wraps(o []fyne.CanvasObject, width float32) bool {
	buttons := float32(-8)
	for _, b := range o[1].(*fyne.Container).Objects {
		buttons += b.MinSize().Width + 8
	}
	return o[0].MinSize().Width+controlGap+buttons > width
}

// HeightFor gives the height at a width.
func (l controlLayout) HeightFor(o []fyne.CanvasObject, width float32) float32 {
	if l.wraps(o, width) {
		return widgets.HeightFor(o[1], width) + 8 + o[0].MinSize().Height
	}
	return max(o[0].MinSize().Height, widgets.HeightFor(o[1], width))
}

func (l controlLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(o[0].MinSize().Width, o[0].MinSize().Height)
}

func (l controlLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	pages := o[0].MinSize()
	if l.wraps(o, size.Width) {
		height := widgets.HeightFor(o[1], size.Width)
		o[1].Move(fyne.Position{})
		o[1].Resize(fyne.NewSize(size.Width, height))
		o[0].Move(fyne.NewPos(0, height+8))
		o[0].Resize(pages)
		return
	}
	buttons := float32(-8)
	for _, b := range o[1].(*fyne.Container).Objects {
		buttons += b.MinSize().Width + 8
	}
	o[0].Move(fyne.NewPos(0, (size.Height-pages.Height)/2))
	o[0].Resize(pages)
	o[1].Move(fyne.NewPos(size.Width-buttons, 0))
	o[1].Resize(fyne.NewSize(buttons, size.Height))
}
