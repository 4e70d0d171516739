package readiness

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/export"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/project/problem"
)

const rowHeight = 52

// row is one target in the list.
type row struct {
	widget.BaseWidget

	icon  *canvas.Image
	title *theme.Text
	word  *widgets.Badge
	text  *theme.Text
}

func newRow() fyne.CanvasObject {
	r := &row{
		icon: canvas.NewImageFromResource(nil), title: theme.Strong("").WithTruncation(theme.TruncateEnd),
		word: widgets.NewBadge("", widgets.Neutral), text: theme.Caption("").WithTruncation(theme.TruncateEnd),
	}
	r.icon.FillMode = canvas.ImageFillContain
	r.ExtendBaseWidget(r)
	return r
}

func (r *row) set(t export.Readiness) {
	icon, tone := look(t.State)
	r.icon.Resource = theme.IconIn(icon, tone.Color())
	r.icon.Refresh()
	title := t.Target.Name
	if t.ContentOnly {
		title += " · Game folder only"
	}
	r.title.SetText(title)
	r.word.Set(t.State.String(), tone)
	r.text.SetText(brief(t))
	r.Refresh()
}

func (r *row) CreateRenderer() fyne.WidgetRenderer { return &rowRenderer{r} }

type rowRenderer struct{ r *row }

func (n *rowRenderer) Destroy()           {}
func (n *rowRenderer) MinSize() fyne.Size { return fyne.NewSize(200, rowHeight) }
func (n *rowRenderer) Refresh()           { n.Layout(n.r.Size()); canvas.Refresh(n.r) }
func (n *rowRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{n.r.icon, n.r.title, n.r.word, n.r.text}
}

func (n *rowRenderer) Layout(size fyne.Size) {
	r := n.r
	const left, side = 44, 18
	right := size.Width - 14 // a scroll bar may lie over the edge
	r.icon.Move(fyne.NewPos(14, (size.Height-side)/2))
	r.icon.Resize(fyne.NewSquareSize(side))
	badge := r.word.MinSize()
	r.word.Move(fyne.NewPos(right-badge.Width, 8))
	r.word.Resize(badge)
	r.title.Move(fyne.NewPos(left, 8))
	r.title.Resize(fyne.NewSize(max(0, right-badge.Width-10-left), 17))
	r.text.Move(fyne.NewPos(left, 29))
	r.text.Resize(fyne.NewSize(max(0, right-left), 16))
}

// detail lists the checks of the selected target.
type detail struct {
	screen *screen
	object fyne.CanvasObject
	column *widgets.Column
	stack  *fyne.Container
	target string
}

func newDetail(s *screen) *detail {
	d := &detail{screen: s, stack: widgets.NewStack(10)}
	d.column = widgets.NewColumn(container.New(&widgets.PadLayout{Left: 16, Top: 14, Right: 18, Bottom: 16}, d.stack))
	d.object = container.NewStack(widgets.NewGround(theme.ColorNamePanel, 0), d.column)
	return d
}

func (d *detail) show() {
	s := d.screen
	r, ok := s.current()
	if !ok {
		d.stack.Objects = nil
		d.column.Relayout()
		return
	}
	if d.target != r.Target.ID {
		d.target = r.Target.ID
		d.column.Offset = fyne.Position{}
	}
	var parts []fyne.CanvasObject
	add := func(o fyne.CanvasObject) { parts = append(parts, o) }
	icon, tone := look(r.State)
	title := theme.Paragraph(headline(r)).WithColor(fynetheme.ColorNameForeground)
	title.Style.Bold = true
	title.SizeName = theme.SizeNameHeading
	add(container.New(&markLayout{side: 20}, picture(icon, tone), title))
	if r.Output != "" {
		open := widgets.NewIconButton(theme.Icon(theme.IconFolderOpen), "Open "+r.Output, func() { s.host.OpenFolder(r.Output) })
		open.Quiet = true
		add(container.NewBorder(nil, nil, nil, open, theme.MonoMuted(r.Output)))
	}
	build := widget.NewButtonWithIcon("Go to Build", theme.Icon(theme.IconBuild), func() { s.host.Show(ui.ScreenBuild, "target/"+r.Target.ID) })
	add(container.New(&widgets.FlowLayout{Gap: 8, Line: 30}, build,
		widget.NewButtonWithIcon("Show the player", theme.Icon(theme.IconDesktop), s.showPlayer),
		widget.NewButtonWithIcon("Copy", theme.Icon(theme.IconCopy), s.copyText)))
	for _, g := range groups(r) {
		list := widgets.NewStack(8)
		for _, c := range g.checks {
			list.Add(d.check(r, c))
		}
		add(widgets.NewStack(6, container.New(&widgets.PadLayout{Top: 6}, theme.Overline(g.title)), list))
	}
	d.stack.Objects = parts
	d.stack.Refresh()
	d.column.Relayout()
}

// check is one line: what was looked at, where, what to do about it, and a link that does it.
func (d *detail) check(r export.Readiness, c export.Check) fyne.CanvasObject {
	s := d.screen
	icon, tone := levelLook(c.Level)
	message := theme.Paragraph(ui.Sentence(c.Message))
	if c.Level != problem.Info {
		message.ColorName = fynetheme.ColorNameForeground
	}
	parts := []fyne.CanvasObject{message}
	if c.Hint != "" {
		parts = append(parts, theme.Paragraph(ui.Sentence(c.Hint)))
	}
	if c.File != "" {
		var open func()
		if ui.PlaceOf(c.File, s.host.Workspace().Project) != "" {
			open = func() { s.open(c) }
		}
		at := widgets.NewPathRow(theme.IconIn(theme.IconArrowRight, theme.ColorNameMuted), place(c), "", open)
		at.OnFocus = func() { d.column.Reveal(at) }
		parts = append(parts, container.New(&widgets.PadLayout{Left: -6}, at))
	}
	var links []fyne.CanvasObject
	link := func(text string, f func()) {
		l := widgets.NewLink(text, f)
		l.OnFocus = func() { d.column.Reveal(l) }
		links = append(links, l)
	}
	if c.Fix.ID != "" {
		link(c.Fix.Title+"…", func() { s.fix(r, c) })
	}
	if len(c.Fix.Command) > 0 {
		link("Copy as command", func() { s.host.Copy(ui.CommandLine(c.Fix.Command)) })
	}
	if len(links) > 0 {
		parts = append(parts, container.New(&widgets.PadLayout{Left: -4}, container.New(&widgets.FlowLayout{Gap: 6, Line: 20}, links...)))
	}
	return container.New(&markLayout{side: 16}, picture(icon, tone), widgets.NewStack(2, parts...))
}

func picture(icon theme.IconName, tone widgets.Tone) fyne.CanvasObject {
	p := canvas.NewImageFromResource(theme.IconIn(icon, tone.Color()))
	p.FillMode = canvas.ImageFillContain
	return p
}

// markLayout puts a mark in front of something wrapped, level with its first line.
type markLayout struct{ side float32 }

// HeightFor gives the height at a width.
func (l *markLayout) HeightFor(o []fyne.CanvasObject, width float32) float32 {
	return max(l.side, widgets.HeightFor(o[1], width-l.side-10))
}

func (l *markLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(120, max(l.side, o[1].MinSize().Height))
}

func (l *markLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.NewPos(0, 1))
	o[0].Resize(fyne.NewSquareSize(l.side))
	o[1].Move(fyne.NewPos(l.side+10, 0))
	o[1].Resize(fyne.NewSize(size.Width-l.side-10, size.Height))
}
