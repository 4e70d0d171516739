package scenes

import (
	"path"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/project/assets"
	"talebinder/project/scene/overrides"
)

// tableColumns are the places of a line's parts; one without width is left out.
type tableColumns struct {
	tick, file, instance, entity, component, path, prefab, arrow, value, class span
}

type span struct{ x, width float32 }

func tableColumnsAt(width float32, grouped Grouping) tableColumns {
	var c tableColumns
	const gap = 10
	c.tick.width, c.class.width, c.arrow.width = 22, 86, 12
	free := width - 2*edge - 10 - c.tick.width - c.class.width - c.arrow.width - 3*gap
	type share struct {
		column *span
		part   float32
	}
	parts := []share{{&c.instance, 1.25}, {&c.path, 1.5}, {&c.prefab, 1}, {&c.value, 1}}
	if width >= 640 {
		parts = append(parts, share{&c.component, 0.95})
	}
	if width >= 760 {
		parts = append(parts, share{&c.entity, 0.85})
	}
	if grouped != ByFile && width >= 560 {
		parts = append(parts, share{&c.file, 1.1})
	}
	total := float32(0)
	for _, p := range parts {
		total += p.part
	}
	free -= gap * float32(len(parts)-1)
	for _, p := range parts {
		p.column.width = max(30, free*p.part/total)
	}
	x := float32(edge)
	for _, column := range []*span{&c.tick, &c.file, &c.instance, &c.entity, &c.component, &c.path, &c.prefab, &c.arrow, &c.value, &c.class} {
		if column.width > 0 {
			column.x = x
			x += column.width + gap
		}
	}
	return c
}

// differenceLine is a heading or a difference in the table.
type differenceLine struct {
	widget.BaseWidget

	screen  *screen
	index   int
	heading bool
	tick    *widgets.RowCheck
	chevron *widgets.RowButton
	icon    *mark
	head    *theme.Text
	count   *theme.Text
	ground  *widgets.Ground
	cells   [5]*theme.Text // file, instance, entity, component, path
	prefab  *valueCell
	value   *valueCell
	arrow   *mark
	badge   *widgets.Badge
}

func newDifferenceLine(s *screen) *differenceLine {
	l := &differenceLine{
		screen: s, tick: widgets.NewRowCheck(), chevron: widgets.NewRowButton(theme.Icon(theme.IconChevronDown)), icon: newMark(),
		head: theme.Strong("").WithTruncation(theme.TruncateMiddle), count: theme.Caption(""),
		ground: widgets.NewGround(theme.ColorNameCard, widgets.EdgeBottom),
		arrow:  newMark(), badge: widgets.NewBadge("", widgets.Neutral),
	}
	choose := func(*assets.Asset) { s.overrides.rows.Select(l.index) }
	l.prefab, l.value = newValueCell(s.thumbs, choose), newValueCell(s.thumbs, choose)
	for i := range l.cells {
		l.cells[i] = theme.Body("").WithTruncation(theme.TruncateEnd)
	}
	l.cells[0].Truncate, l.cells[1].Truncate, l.cells[4].Truncate = theme.TruncateMiddle, theme.TruncateMiddle, theme.TruncateMiddle
	l.arrow.set(s.icons.get(theme.IconArrowRight, theme.ColorNameMuted))
	l.tick.OnChanged = func(on bool) { s.tickLine(l.index, on) }
	l.chevron.OnTapped = func() { s.foldLine(l.index) }
	l.ExtendBaseWidget(l)
	return l
}

func (l *differenceLine) set(i int) {
	s := l.screen
	l.index = i
	row := s.list.Row(i)
	l.heading = row.Heading != ""
	l.tick.Set(s.list.Ticked(i), true)
	for _, o := range []fyne.CanvasObject{l.chevron, l.head, l.count, l.ground} {
		setShown(o, l.heading)
	}
	setShown(l.icon, l.heading)
	for _, o := range l.cells {
		setShown(o, !l.heading)
	}
	for _, o := range []fyne.CanvasObject{l.prefab, l.value, l.arrow, l.badge} {
		setShown(o, !l.heading)
	}
	if l.heading {
		chevron := theme.IconChevronDown
		if s.list.Folded(row.Heading) {
			chevron = theme.IconChevronRight
		}
		l.chevron.SetIcon(s.icons.get(chevron, theme.ColorNameMuted), theme.ColorNameMuted)
		icon, color := theme.IconScene, theme.ColorNameAccent
		if strings.HasSuffix(row.Heading, ".tprefab") {
			icon, color = theme.IconPrefab, theme.ColorNameInfo
		}
		l.icon.set(s.icons.get(icon, color))
		l.head.SetText(row.Heading)
		l.count.SetText(ui.Count(int64(row.Count)))
		l.Refresh()
		return
	}
	r := s.list.Difference(i)
	entity := r.EntityName
	if entity == "" {
		entity = shortID(r.Entity) + "…"
	}
	l.cells[0].Set(path.Base(r.File), foreground)
	l.cells[1].Set(strings.Join(r.InstancePath, " / "), foreground)
	l.cells[2].Set(entity, foreground)
	l.cells[3].Set(r.Component, theme.ColorNameMuted)
	l.cells[4].Set(pathOf(r), foreground)
	prefab, instance := s.list.Values(i)
	field := s.list.Field(i)
	l.prefab.set(s.db(), r.PrefabValue, field, orNothing(prefab), theme.ColorNameMuted)
	color := foreground
	if r.Class != overrides.Effective {
		color = theme.ColorNameMuted
	}
	l.value.set(s.db(), r.InstanceValue, field, orNothing(instance), color)
	l.badge.Set(className(r.Class), classTone(r.Class))
	l.Refresh()
}

func setShown(o fyne.CanvasObject, on bool) {
	if on != o.Visible() {
		if on {
			o.Show()
		} else {
			o.Hide()
		}
	}
}

func (l *differenceLine) CreateRenderer() fyne.WidgetRenderer {
	objects := []fyne.CanvasObject{l.ground, l.tick, l.chevron, l.icon.Image, l.head, l.count, l.prefab, l.value, l.arrow.Image, l.badge}
	for _, c := range l.cells {
		objects = append(objects, c)
	}
	return &lineRenderer{l, objects, l.place}
}

func (l *differenceLine) place(size fyne.Size) {
	s := l.screen
	grouping := ByFile
	if s.list != nil {
		grouping = s.list.grouping
	}
	c := tableColumnsAt(size.Width, grouping)
	l.ground.Resize(size)
	l.tick.Move(fyne.NewPos(c.tick.x, (size.Height-20)/2))
	l.tick.Resize(fyne.NewSquareSize(20))
	if l.heading {
		x := c.tick.x + c.tick.width + 2
		l.chevron.Move(fyne.NewPos(x, (size.Height-20)/2))
		l.chevron.Resize(fyne.NewSquareSize(20))
		l.icon.place(x+22, size.Height, 15)
		x += 44
		count := l.count.MinSize().Width
		width := min(fyne.MeasureText(l.head.Text, theme.Size("text"), l.head.Style).Width+2, size.Width-x-count-30)
		l.head.Move(fyne.NewPos(x, 0))
		l.head.Resize(fyne.NewSize(max(20, width), size.Height))
		l.count.Move(fyne.NewPos(x+width+8, 0))
		l.count.Resize(fyne.NewSize(count, size.Height))
		return
	}
	for i, column := range []span{c.file, c.instance, c.entity, c.component, c.path} {
		setShown(l.cells[i], column.width > 0)
		l.cells[i].Move(fyne.NewPos(column.x, 0))
		l.cells[i].Resize(fyne.NewSize(column.width, size.Height))
	}
	l.prefab.Move(fyne.NewPos(c.prefab.x, 0))
	l.prefab.Resize(fyne.NewSize(c.prefab.width, size.Height))
	l.arrow.place(c.arrow.x, size.Height, 12)
	l.value.Move(fyne.NewPos(c.value.x, 0))
	l.value.Resize(fyne.NewSize(c.value.width, size.Height))
	badge := l.badge.MinSize()
	l.badge.Move(fyne.NewPos(c.class.x, (size.Height-badge.Height)/2))
	l.badge.Resize(badge)
}

// tableHead names the columns, and ticks all.
type tableHead struct {
	widget.BaseWidget
	screen *screen
	ground *widgets.Ground
	tick   *widgets.RowCheck
	titles [8]*theme.Text
}

func newTableHead(s *screen) *tableHead {
	h := &tableHead{screen: s, ground: widgets.NewGround(theme.ColorNamePanel, widgets.EdgeBottom), tick: widgets.NewRowCheck()}
	for i, title := range []string{"Document", "Instance", "Entity", "Component", "Value", "Prefab value", "Instance value", "Class"} {
		h.titles[i] = theme.Caption(title).WithTruncation(theme.TruncateEnd)
		h.titles[i].Style.Bold = true
	}
	h.tick.OnChanged = s.tickAll
	h.ExtendBaseWidget(h)
	return h
}

func (h *tableHead) CreateRenderer() fyne.WidgetRenderer {
	objects := []fyne.CanvasObject{h.ground, h.tick}
	for _, t := range h.titles {
		objects = append(objects, t)
	}
	return &headLineRenderer{lineRenderer{h, objects, func(size fyne.Size) {
		h.ground.Resize(size)
		grouping := ByFile
		if h.screen.list != nil {
			grouping = h.screen.list.grouping
		}
		c := tableColumnsAt(size.Width, grouping)
		h.tick.Move(fyne.NewPos(c.tick.x, (size.Height-20)/2))
		h.tick.Resize(fyne.NewSquareSize(20))
		for i, column := range []span{c.file, c.instance, c.entity, c.component, c.path, c.prefab, c.value, c.class} {
			h.titles[i].Hidden = column.width <= 0
			h.titles[i].Move(fyne.NewPos(column.x, 0))
			h.titles[i].Resize(fyne.NewSize(column.width, size.Height))
		}
	}}}
}

// overridesPage is the list of all differences of the project.
type overridesPage struct {
	screen  *screen
	object  fyne.CanvasObject
	classes *widgets.Segmented
	search  *widgets.SearchEntry
	groups  *widgets.Segmented
	head    *tableHead
	rows    *widgets.Rows
	none    *widgets.EmptyState
	count   *theme.Text
	revert  *widget.Button
	apply   *widget.Button
	clear   *widget.Button
	clean   *widget.Button
	meter   *widgets.Meter
	doing   *theme.Text
	working *fyne.Container
	alarm   *fyne.Container
	detail  *fyne.Container
	column  *widgets.Column
	top     *fyne.Container
	loading bool
}

var classWords = []string{"All", "Effective", "Redundant", "Hidden", "Orphaned", "Unreadable"}

func newOverridesPage(s *screen) *overridesPage {
	p := &overridesPage{screen: s, count: theme.Caption(""), meter: widgets.NewMeter(3), doing: theme.Caption("").WithTruncation(theme.TruncateMiddle)}
	p.classes = widgets.NewSegmented(classWords, func(i int) { p.narrow(func(f *ListFilter) { f.Class = i - 1 }) })
	p.search = widgets.NewSearchEntry("Filter by document, entity, component, path or value", func(text string) { p.narrow(func(f *ListFilter) { f.Query = text }) })
	p.groups = widgets.NewSegmented([]string{"By document", "By prefab", "One list"}, func(i int) {
		if s.list != nil && !p.loading {
			s.list.SetGrouping(Grouping(i))
			p.fill()
		}
	})
	p.head = newTableHead(s)
	p.rows = widgets.NewRows(func() int {
		if s.list == nil {
			return 0
		}
		return s.list.Len()
	}, func() fyne.CanvasObject { return newDifferenceLine(s) }, func(i int, o fyne.CanvasObject) { o.(*differenceLine).set(i) })
	p.rows.Height = theme.Size(theme.SizeNameRow)
	p.rows.OnSelected = func(int) { p.showDetail() }
	p.rows.OnActivated = func(i int) {
		if s.list.Difference(i) == nil {
			s.foldLine(i)
			return
		}
		s.showDifference()
	}
	p.rows.OnSecondary = func(_ int, at fyne.Position) { s.differenceMenu(at) }
	p.rows.OnKey = p.key
	p.search.OnDown = func() {
		s.host.Window().Canvas().Focus(p.rows)
		if s.list != nil && s.list.Len() > 0 && p.rows.Selected() < 0 {
			p.rows.Select(0)
		}
	}
	p.none = widgets.NewEmptyState(theme.Icon(theme.IconPrefab), "", "")
	p.revert = widget.NewButton("Revert…", s.revertChosen)
	p.apply = widget.NewButton("Apply…", s.applyChosen)
	p.clear = widget.NewButton("Clear…", s.clearChosen)
	p.clean = widget.NewButton("Clean up…", s.clean)
	stop := widget.NewButton("Stop", s.stopTable)
	p.working = container.NewBorder(nil, p.meter, nil, stop, p.doing)
	p.working.Hide()
	p.alarm = widgets.NewStack(4)
	p.column = widgets.NewColumn(nil)
	p.detail = widgets.NewStack(7)
	p.column.Content = container.New(&widgets.PadLayout{Left: 14, Top: 11, Right: 14, Bottom: 14}, p.detail)
	p.top = container.New(&widgets.PadLayout{Left: 12, Top: 9, Right: 12, Bottom: 8}, widgets.NewStack(8,
		container.New(&widgets.FilterLayout{}, p.classes, p.search),
		container.New(&barLayout{}, p.groups, container.NewHBox(p.revert, p.apply, p.clear, p.clean)),
		p.working, p.alarm))
	foot := container.NewStack(widgets.NewGround("background", widgets.EdgeTop), container.New(&widgets.PadLayout{Left: edge, Top: 4, Right: edge, Bottom: 4}, p.count))
	list := container.New(&tableLayout{}, p.head, container.NewStack(p.rows, p.none), foot)
	side := container.NewStack(widgets.NewGround(theme.ColorNamePanel, 0), p.column)
	p.object = container.New(widgets.PageLayout{}, p.top, widgets.NewGround(theme.ColorNameHairline, 0), widgets.NewAdaptive(list, side, 1000, 0.74, 0.62))
	return p
}

// tableLayout puts the names of the columns, the rows and the footer below each other, without a gap.
type tableLayout struct{}

func (tableLayout) MinSize(o []fyne.CanvasObject) fyne.Size { return fyne.NewSize(300, 140) }
func (tableLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	const head = 24
	foot := o[2].MinSize().Height
	o[0].Resize(fyne.NewSize(size.Width, head))
	o[1].Move(fyne.NewPos(0, head))
	o[1].Resize(fyne.NewSize(size.Width, max(0, size.Height-head-foot)))
	o[2].Move(fyne.NewPos(0, size.Height-foot))
	o[2].Resize(fyne.NewSize(size.Width, foot))
}

// barLayout puts one thing at the beginning of a line and one at its end, or below when there is no room.
type barLayout struct{}

func (barLayout) HeightFor(o []fyne.CanvasObject, width float32) float32 {
	a, b := o[0].MinSize(), o[1].MinSize()
	if a.Width+b.Width+12 > width {
		return a.Height + b.Height + 6
	}
	return max(a.Height, b.Height)
}
func (l barLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	a, b := o[0].MinSize(), o[1].MinSize()
	return fyne.NewSize(max(a.Width, b.Width), max(a.Height, b.Height))
}
func (barLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	a, b := o[0].MinSize(), o[1].MinSize()
	if a.Width+b.Width+12 > size.Width {
		o[0].Move(fyne.Position{})
		o[0].Resize(a)
		o[1].Move(fyne.NewPos(0, a.Height+6))
		o[1].Resize(b)
		return
	}
	o[0].Move(fyne.NewPos(0, (size.Height-a.Height)/2))
	o[0].Resize(a)
	o[1].Move(fyne.NewPos(size.Width-b.Width, (size.Height-b.Height)/2))
	o[1].Resize(b)
}

func (p *overridesPage) narrow(change func(*ListFilter)) {
	s := p.screen
	if s.list == nil || p.loading {
		return
	}
	f := s.list.Filter()
	change(&f)
	s.list.SetFilter(f)
	p.fill()
	p.rows.ScrollToTop()
}

// fill brings everything up to date with the list.
func (p *overridesPage) fill() {
	s := p.screen
	p.showWork()
	if s.list == nil {
		p.none.Show()
		p.none.Set("Comparing instances with their prefabs", "Every scene and prefab of the project is read. The list appears when that is done.")
		p.controls()
		return
	}
	labels := []string{"All  " + ui.Count(int64(s.list.Count(-1)))}
	for _, c := range overrides.Classes() {
		labels = append(labels, className(c)+"  "+ui.Count(int64(s.list.Count(int(c)))))
	}
	p.loading = true
	p.classes.SetOptions(labels)
	p.classes.Load(s.list.Filter().Class + 1)
	p.groups.Load(int(s.list.grouping))
	if p.search.Text() != s.list.Filter().Query {
		p.search.Entry.SetText(s.list.Filter().Query)
	}
	p.loading = false
	p.none.Hidden = s.list.Len() > 0
	switch f := s.list.Filter(); {
	case s.list.Len() > 0:
	case len(s.list.table.Rows) == 0 && s.list.table.Instances == 0:
		p.none.Set("No instances of prefabs", "When a scene has instances of prefabs, everything in which they differ is listed here.")
	case len(s.list.table.Rows) == 0:
		p.none.Set("No differences", "All "+ui.Plural(s.list.table.Instances, "instance")+" of the project are exactly as their prefabs.")
	case f.Query != "":
		p.none.Set("Nothing matches", "No difference of this class has this in its names, path or values.")
	default:
		p.none.Set("None of this class", "No difference is "+overrides.Class(f.Class).String()+". "+classHelp(overrides.Class(max(0, f.Class))))
	}
	p.alarm.Objects = nil
	for i, problem := range s.list.table.Problems {
		if i == 2 {
			p.alarm.Add(theme.Caption("and " + ui.Plural(len(s.list.table.Problems)-i, "more file") + " that cannot be read"))
			break
		}
		file := trimAssets(problem.File)
		p.alarm.Add(container.NewBorder(nil, nil, nil, widgets.NewLink("Show", func() { s.openFile(file) }), widgets.NewNote("Left out: "+problem.Message, widgets.Danger)))
	}
	p.alarm.Hidden = len(p.alarm.Objects) == 0
	text := ui.Plural(s.list.Count(s.list.Filter().Class), "difference") + " in " + ui.Plural(s.list.table.Files, "document") + " with " + ui.Plural(s.list.table.Instances, "instance")
	p.count.SetText(text)
	p.head.Refresh()
	p.mark()
	p.rows.Refresh()
	p.showDetail()
	p.top.Refresh()
	p.object.Refresh()
}

// mark chooses the line that was chosen last. When its difference is gone, the one that has come to its place is next.
func (p *overridesPage) mark() {
	s := p.screen
	if s.difference == nil {
		p.rows.Mark(-1)
		return
	}
	line := s.list.Find(*s.difference)
	if line < 0 && p.rows.Selected() >= 0 {
		for line = min(p.rows.Selected(), s.list.Len()-1); line >= 0 && s.list.Difference(line) == nil; line-- {
		}
	}
	p.rows.Mark(line)
}

// controls turns buttons on and off, and says on them how many differences they are about.
func (p *overridesPage) controls() {
	s := p.screen
	n := len(s.chosenDifferences())
	count := ""
	if n > 1 {
		count = " " + ui.Count(int64(n))
	}
	for _, b := range []struct {
		button *widget.Button
		title  string
	}{{p.revert, "Revert"}, {p.apply, "Apply"}, {p.clear, "Clear"}} {
		b.button.SetText(b.title + count + "…")
		setEnabled(b.button, n > 0 && !s.busy)
	}
	waste := 0
	if s.list != nil {
		waste = s.waste()
	}
	p.clean.SetText("Clean up…")
	if waste > 0 {
		p.clean.SetText("Clean up " + ui.Count(int64(waste)) + "…")
	}
	setEnabled(p.clean, waste > 0 && !s.busy)
}

func setEnabled(b *widget.Button, on bool) {
	if on && b.Disabled() {
		b.Enable()
	} else if !on && !b.Disabled() {
		b.Disable()
	}
}

// showDetail says everything about the chosen difference.
func (p *overridesPage) showDetail() {
	s := p.screen
	if s.list != nil {
		if r := s.list.Difference(p.rows.Selected()); r != nil {
			k := keyOf(r)
			s.difference = &k
		}
	}
	p.controls()
	s.host.BadgesChanged()
	p.detail.Objects = nil
	add := func(o ...fyne.CanvasObject) { p.detail.Objects = append(p.detail.Objects, o...) }
	line := -1
	if s.list != nil {
		line = p.rows.Selected()
	}
	if s.list == nil || s.list.Difference(line) == nil {
		add(theme.Heading("Overrides"), theme.Paragraph("Everything in which an instance differs from its prefab, in all scenes and prefabs. Choose a line to see where it comes "+
			"from; tick several to revert or apply them in one step."))
		for _, c := range overrides.Classes() {
			add(container.NewHBox(widgets.NewBadge(className(c), classTone(c))), theme.Paragraph(classHelp(c)))
		}
		p.column.Relayout()
		p.column.Refresh()
		return
	}
	r := s.list.Difference(line)
	add(container.New(&nameLayout{}, theme.Heading(r.Component+" › "+pathOf(r)).WithTruncation(theme.TruncateMiddle), widgets.NewBadge(className(r.Class), classTone(r.Class))))
	help := classHelp(r.Class)
	if r.Reason != "" {
		help = ui.Sentence(r.Reason)
	}
	add(widgets.NewNote(help, classTone(r.Class)))
	field := s.list.Field(line)
	add(container.New(&comparedLayout{}, s.inspector.editor.cell("Prefab", r.PrefabValue, field), s.inspector.editor.cell("Instance", r.InstanceValue, field)))
	add(container.NewHBox(widgets.NewLink("Show in the hierarchy", s.showDifference), widgets.NewLink("Open line "+ui.Count(int64(r.Line)), func() {
		s.host.OpenPlace("assets/"+r.File, r.Line)
	})))
	add(theme.Overline("Where"))
	steps := []*widgets.PathRow{widgets.NewPathRow(s.icons.get(kindIcon(r.File), theme.ColorNameMuted), r.File, "line "+ui.Count(int64(r.Line)), func() { s.openFile(r.File) })}
	steps = append(steps, widgets.NewPathRow(s.icons.get(theme.IconEntity, theme.ColorNameMuted), strings.Join(r.InstancePath, " / "), "instance", s.showDifference).SetPlain())
	for i, ref := range r.Chain {
		note := "prefab"
		if i > 0 {
			note = "in it"
		}
		name, open := ref.Path, func() { s.openFile(ref.Path) }
		if name == "" {
			name, open, note = ref.Asset.String(), nil, "missing"
		}
		steps = append(steps, widgets.NewPathRow(s.icons.get(theme.IconPrefab, theme.ColorNameMuted), name, note, open))
	}
	entity := r.EntityName
	if entity == "" {
		entity = r.Entity.String()
	}
	steps = append(steps, widgets.NewPathRow(s.icons.get(theme.IconEntity, theme.ColorNameMuted), entity, "entity", nil).SetPlain().SetStrong())
	add(widgets.NewTrail(steps...))
	p.column.Relayout()
	p.column.Refresh()
}

func kindIcon(file string) theme.IconName {
	if strings.HasSuffix(file, ".tprefab") {
		return theme.IconPrefab
	}
	return theme.IconScene
}

func trimAssets(file string) string { return strings.TrimPrefix(file, "assets/") }

// key ticks with the space bar, folds with the arrows and reverts with Delete.
func (p *overridesPage) key(e *fyne.KeyEvent) bool {
	s := p.screen
	i := p.rows.Selected()
	if s.list == nil || i < 0 {
		return false
	}
	switch e.Name {
	case fyne.KeySpace:
		s.tickLine(i, !s.list.Ticked(i))
		return true
	case fyne.KeyDelete, fyne.KeyBackspace:
		s.revertChosen()
		return true
	case fyne.KeyEscape:
		s.tickAll(false)
		return true
	case fyne.KeyLeft, fyne.KeyRight:
		folds := e.Name == fyne.KeyLeft
		for ; i >= 0 && s.list.Row(i).Heading == ""; i-- {
			if !folds {
				return true
			}
		}
		if i >= 0 && s.list.Folded(s.list.Row(i).Heading) != folds {
			p.rows.Select(i)
			s.foldLine(i)
		}
		return true
	}
	return false
}

// showWork shows how far the comparison is.
func (p *overridesPage) showWork() {
	w := p.screen.work
	p.working.Hidden = w == nil
	if w != nil {
		p.meter.Set(w.fraction(), theme.ColorNameAccent)
		p.doing.SetText(w.text())
	}
}
