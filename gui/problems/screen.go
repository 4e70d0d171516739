package problems

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/project/assets"
	"talebinder/project/problem"
)

// A Screen lists the problems of the open project.
type Screen struct {
	host  ui.Host
	model model
	stop  func()
	know  bool // the list has been computed once

	counted    *assets.Database // that references were counted in
	references int

	root    *fyne.Container
	filter  *widgets.Segmented
	search  *widgets.SearchEntry
	list    *widgets.Rows
	detail  *detail
	healthy *healthyView
	none    *widgets.EmptyState
	waiting *widgets.EmptyState
	middle  *fyne.Container
	split   *widgets.Adaptive
	fixAll  *widget.Button
	head    *fyne.Container
}

var (
	_ ui.Screen  = (*Screen)(nil)
	_ ui.Focuser = (*Screen)(nil)
)

// New makes the screen of the open project.
func New(h ui.Host) ui.Screen {
	s := &Screen{host: h}
	s.list = widgets.NewRows(func() int { return len(s.model.shown) }, newRow, func(i int, o fyne.CanvasObject) {
		s.fillRow(o.(*fyne.Container), s.model.shown[i])
	})
	s.list.Height = rowHeight
	s.list.OnSelected = func(i int) { s.showDetail() }
	s.list.OnActivated = func(i int) { s.goTo() }
	s.search = widgets.NewSearchEntry("Find in problems", func(q string) { s.model.setQuery(q); s.fill() })
	s.search.OnDown = func() { h.Window().Canvas().Focus(s.list) }
	s.detail = newDetail(s)
	s.healthy = newHealthyView(func() { h.Workspace().Check() })
	s.none = widgets.NewEmptyState(theme.Icon(theme.IconSearch), "No problem matches", "Another filter or search shows the others.",
		widget.NewButton("Show all", func() { s.search.Entry.SetText(""); s.filter.SetSelected(0) }))
	s.waiting = widgets.NewEmptyState(theme.Icon(theme.IconWaiting), "Checking the project", "Settings, scenes, references and plugins are looked at.")
	s.fixAll = widget.NewButtonWithIcon("Repair all…", theme.Icon(theme.IconWrench), s.repairAll)
	s.head = container.New(&headLayout{s})
	s.split = widgets.NewAdaptive(s.list, s.detail.root, 860, 0.6, 0.58)
	s.middle = container.NewStack(s.waiting)
	s.root = container.NewBorder(s.head, nil, nil, nil, s.middle)
	s.makeFilter()
	s.stop = h.Workspace().Subscribe(func(c ui.Change) {
		if c == ui.ProblemsReady || c == ui.Rescanned {
			s.reload()
		}
	})
	s.know = len(h.Workspace().Problems()) > 0
	s.model.set(h.Workspace().Problems())
	s.fill()
	return s
}

// ID is the screen's id.
func (s *Screen) ID() string { return ui.ScreenProblems }

// Title stands in the side bar.
func (s *Screen) Title() string { return "Problems" }

// Icon stands in the side bar.
func (s *Screen) Icon() fyne.Resource { return theme.Icon(theme.IconProblems) }

// Content is the screen.
func (s *Screen) Content() fyne.CanvasObject { return s.root }

// Badge counts errors and warnings.
func (s *Screen) Badge() string { return s.model.badge() }

// Shown does nothing: the list is kept up to date all the time.
func (s *Screen) Shown() {}

// Hidden does nothing.
func (s *Screen) Hidden() {}

// Close ends the subscription.
func (s *Screen) Close() { s.stop() }

// Commands are what can be done with problems.
func (s *Screen) Commands() []ui.Command {
	selected := func() bool { _, ok := s.selected(); return ok }
	return []ui.Command{
		{ID: "problems.check", Title: "Check the project", Menu: ui.MenuProject, Group: 5, Icon: theme.Icon(theme.IconHealthy),
			Run: func() { s.host.Show(ui.ScreenProblems, ""); s.host.Workspace().Check() }},
		{ID: "problems.repairAll", Title: "Repair all .meta files…", Menu: ui.MenuProject, Group: 5, Icon: theme.Icon(theme.IconWrench),
			Enabled: func() bool { _, ok := repairAll(s.repairs()); return ok }, Run: s.repairAll},
		{ID: "problems.copy", Title: "Copy all problems", Menu: ui.MenuProject, Group: 5, Icon: theme.Icon(theme.IconCopy),
			Enabled: func() bool { return len(s.model.shown) > 0 }, Run: s.copyAll},
		{ID: "problems.go", Title: "Go to the place of the selected problem", Enabled: selected, Run: s.goTo},
		{ID: "problems.repair", Title: "Repair the selected problem…", Enabled: selected, Run: s.repairSelected},
	}
}

// Focus selects the first problem of a file.
func (s *Screen) Focus(file string) {
	for i, p := range s.model.shown {
		if p.File == file {
			s.list.Select(i)
			return
		}
	}
}

func (s *Screen) reload() {
	selected, had := s.selected()
	s.know = true
	s.model.set(s.host.Workspace().Problems())
	s.makeFilter()
	s.fill()
	if had {
		if i := s.model.find(selected); i >= 0 {
			s.list.Mark(i)
			s.showDetail()
		}
	}
	s.host.BadgesChanged()
}

// makeFilter makes the filter again, as its words have counts in them.
func (s *Screen) makeFilter() {
	s.filter = widgets.NewSegmented(s.model.labels(), func(i int) { s.model.setFilter(filter(i)); s.fill() })
	s.filter.Load(int(s.model.filter))
	s.head.Objects = []fyne.CanvasObject{s.filter, s.search, s.fixAll}
	s.head.Refresh()
}

func (s *Screen) fill() {
	all, _ := repairAll(s.repairs())
	s.fixAll.Hidden = all.ID == ""
	s.head.Hidden = len(s.model.all) == 0
	var front fyne.CanvasObject = s.split
	switch {
	case !s.know:
		front = s.waiting
	case len(s.model.all) == 0:
		p := s.host.Workspace().Project
		if s.counted != p.Assets { // a million references take a while to count
			s.counted, s.references = p.Assets, countReferences(p.Assets)
		}
		s.healthy.set(checks(p, s.references))
		front = s.healthy.root
	case len(s.model.shown) == 0:
		front = s.none
	}
	s.middle.Objects = []fyne.CanvasObject{front}
	s.list.Refresh()
	if i := s.list.Selected(); len(s.model.shown) > 0 && (i < 0 || i >= len(s.model.shown)) {
		s.list.Mark(0)
	}
	s.showDetail()
	s.root.Refresh()
}

func (s *Screen) selected() (problem.Problem, bool) {
	i := s.list.Selected()
	if i < 0 || i >= len(s.model.shown) {
		return problem.Problem{}, false
	}
	return s.model.shown[i], true
}

func (s *Screen) showDetail() {
	p, ok := s.selected()
	s.detail.show(p, ok)
}

func (s *Screen) goTo() {
	if p, ok := s.selected(); ok && p.File != "" {
		s.host.OpenPlace(p.File, p.Line)
	}
}

func (s *Screen) copyAll() {
	out := ""
	for _, p := range s.model.shown {
		out += text(p) + "\n"
	}
	s.host.Copy(out)
}

func (s *Screen) repairs() []assets.Repair {
	p := s.host.Workspace().Project
	if p.Assets == nil {
		return nil
	}
	return p.Assets.Repairs()
}

func (s *Screen) repairSelected() {
	p, _ := s.selected()
	if r, ok := repairOf(s.repairs(), p); ok {
		s.repair(r)
	}
}

func (s *Screen) repairAll() {
	if r, ok := repairAll(s.repairs()); ok {
		s.repair(r)
	}
}

func (s *Screen) repair(r assets.Repair) { ui.Repair(s.host, r) }

// icon gives the mark of a level.
func icon(l problem.Level) (theme.IconName, widgets.Tone) {
	switch l {
	case problem.Error:
		return theme.IconError, widgets.Danger
	case problem.Warning:
		return theme.IconProblems, widgets.Warning
	}
	return theme.IconInfo, widgets.Notice
}

const rowHeight = 44

func newRow() fyne.CanvasObject {
	image := canvas.NewImageFromResource(nil)
	image.FillMode = canvas.ImageFillContain
	fix := canvas.NewImageFromResource(theme.IconIn(theme.IconWrench, theme.ColorNameMuted))
	fix.FillMode = canvas.ImageFillContain
	return container.New(&rowLayout{}, image, theme.Body("").WithTruncation(theme.TruncateEnd), theme.MonoMuted(""), fix)
}

func (s *Screen) fillRow(row *fyne.Container, p problem.Problem) {
	name, tone := icon(p.Level)
	image := row.Objects[0].(*canvas.Image)
	image.Resource = theme.IconIn(name, tone.Color())
	image.Refresh()
	row.Objects[1].(*theme.Text).SetText(p.Message)
	row.Objects[2].(*theme.Text).SetText(place(p))
	row.Objects[3].(*canvas.Image).Hidden = p.Repair == ""
	row.Objects[3].Refresh()
}

type rowLayout struct{}

func (l *rowLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(160, rowHeight) }

func (l *rowLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Move(fyne.NewPos(12, 6))
	objects[0].Resize(fyne.NewSquareSize(16))
	w := size.Width - 36 - 36
	for i, y := range []float32{5, 24} {
		h := objects[i+1].MinSize().Height
		objects[i+1].Move(fyne.NewPos(36, y))
		objects[i+1].Resize(fyne.NewSize(w, h))
	}
	objects[3].Move(fyne.NewPos(size.Width-28, (size.Height-14)/2))
	objects[3].Resize(fyne.NewSquareSize(14))
}

// headLayout puts filter and search on one line, and the button at the right; the search gives way.
type headLayout struct{ s *Screen }

const headPad = 10

func (l *headLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(300, l.s.filter.MinSize().Height+2*headPad)
}

func (l *headLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	h := size.Height - 2*headPad
	x := float32(12)
	w := l.s.filter.MinSize().Width
	l.s.filter.Move(fyne.NewPos(x, headPad))
	l.s.filter.Resize(fyne.NewSize(w, h))
	x += w + 10
	right := size.Width - 12
	if l.s.fixAll.Visible() {
		bw := l.s.fixAll.MinSize().Width + 8
		right -= bw
		l.s.fixAll.Move(fyne.NewPos(right, headPad))
		l.s.fixAll.Resize(fyne.NewSize(bw, h))
		right -= 10
	}
	l.s.search.Move(fyne.NewPos(x, headPad))
	l.s.search.Resize(fyne.NewSize(min(320, max(0, right-x)), h))
}
