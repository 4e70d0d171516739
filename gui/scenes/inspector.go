package scenes

import (
	"path"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/project/assets"
	"talebinder/project/scene"
	"talebinder/project/scene/overrides"
)

// twoValues is the width from which the inspector has a column for the prefab's values.
const twoValues = 330

// itemLine is a component or a value in the inspector.
type itemLine struct {
	widget.BaseWidget

	screen *screen
	item   *Item
	ground *widgets.Ground
	dot    *dot
	below  *dot
	name   *theme.Text
	head   *theme.Text
	note   *theme.Text
	value  *valueCell
	base   *valueCell
}

func newItemLine(s *screen) *itemLine {
	l := &itemLine{
		screen: s, ground: widgets.NewGround(theme.ColorNameCard, widgets.EdgeTop), dot: newDot(), below: newDot(),
		name: theme.Muted("").WithTruncation(theme.TruncateEnd), head: theme.Strong("").WithTruncation(theme.TruncateEnd),
		note: theme.Caption("").WithTruncation(theme.TruncateEnd),
	}
	choose := func(*assets.Asset) { s.tapItem(l.item) }
	l.value, l.base = newValueCell(s.thumbs, choose), newValueCell(s.thumbs, choose)
	l.ExtendBaseWidget(l)
	return l
}

func (l *itemLine) set(i *Item) {
	l.item = i
	component := i.IsComponent()
	l.ground.Hidden, l.head.Hidden, l.name.Hidden = !component, !component, component
	class := overrides.Effective
	if i.Row != nil {
		class = i.Row.Class
	}
	l.dot.set(i.Row != nil, class)
	l.below.set(i.Row == nil && i.Below > 0 && (component || i.Group), overrides.Redundant)
	if !l.below.Hidden {
		l.below.StrokeColor = theme.Color(theme.ColorNameAccent)
	}
	s := l.screen
	l.note.SetText("")
	l.value.Hidden, l.base.Hidden = component || i.Group, component || i.Group || !i.Member || i.Unset
	if component {
		l.head.Set(i.Name, foreground)
		if i.Removed {
			l.head.Set(i.Name, theme.ColorNameMuted)
		}
		l.note.SetText(componentNote(i))
		l.Refresh()
		return
	}
	color := theme.ColorNameMuted
	if i.Row != nil {
		color = foreground
	}
	l.name.Set(i.Name, color)
	if i.Group {
		l.Refresh()
		return
	}
	if i.Unset {
		l.value.set(s.db(), i.Value, scene.Field{Type: scene.Text}, "not set", fynetheme.ColorNameDisabled)
		l.Refresh()
		return
	}
	text, valueColor := showValue(s.db(), s.nameOf, i.Value, i.Field), foreground
	if !i.Value.Exists() {
		text, valueColor = "–", theme.ColorNameMuted
	}
	l.value.set(s.db(), i.Value, i.Field, text, valueColor)
	if i.Member {
		text := showValue(s.db(), s.nameOf, i.Base, i.Field)
		if !i.Base.Exists() {
			text = "–"
		}
		l.base.set(s.db(), i.Base, i.Field, text, theme.ColorNameMuted)
	}
	l.Refresh()
}

func componentNote(i *Item) string {
	switch {
	case i.Removed:
		return "removed here"
	case i.Own && i.Component == transform:
		return "where the instance is"
	case i.Own && i.Added:
		return "added here"
	case i.Own:
		return "the instance's own"
	case i.Below == 1:
		return "1 difference"
	case i.Below > 1:
		return ui.Plural(i.Below, "difference")
	}
	return ""
}

const transform = "Transform"

func (l *itemLine) CreateRenderer() fyne.WidgetRenderer {
	return &lineRenderer{l, []fyne.CanvasObject{l.ground, l.dot.Circle, l.below.Circle, l.name, l.head, l.note, l.value, l.base}, l.place}
}

// valueColumns gives where the names, the values and the prefab's values begin at a width. Without room there is no third.
func valueColumns(width float32, member bool) (value, base, end float32) {
	end = width - 14
	value = edge + 14 + min(max(90, (width-40)*0.32), 190)
	if !member || width < twoValues {
		return value, end, end
	}
	return value, value + (end-value)*0.54, end
}

func (l *itemLine) place(size fyne.Size) {
	l.ground.Resize(size)
	l.dot.place(edge, size.Height)
	l.below.place(edge, size.Height)
	x := float32(edge + 14)
	value, base, end := valueColumns(size.Width, l.screen.inspection != nil && l.screen.inspection.Member)
	l.head.Move(fyne.NewPos(x, 0))
	l.head.Resize(fyne.NewSize(max(20, end-x-130), size.Height))
	l.note.Align = fyne.TextAlignTrailing
	l.note.Move(fyne.NewPos(end-126, 0))
	l.note.Resize(fyne.NewSize(126, size.Height))
	if l.item != nil && !l.item.IsComponent() {
		x += min(float32(l.item.Depth-1)*12, 60)
	}
	room := value - x - 8
	if l.item != nil && l.item.Group {
		room = end - x
	}
	l.name.Move(fyne.NewPos(x, 0))
	l.name.Resize(fyne.NewSize(max(20, room), size.Height))
	l.value.Move(fyne.NewPos(value, 0))
	l.value.Resize(fyne.NewSize(max(10, base-value-8), size.Height))
	l.base.Move(fyne.NewPos(base, 0))
	l.base.Resize(fyne.NewSize(max(0, end-base), size.Height))
	if l.item != nil && l.item.Member && !l.item.IsComponent() && !l.item.Group && !l.item.Unset {
		l.base.Hidden = base >= end
	}
}

// inspector shows the chosen entity.
type inspector struct {
	screen *screen
	object *fyne.Container

	empty   *widgets.EmptyState
	page    *fyne.Container
	name    *theme.Text
	badge   *widgets.Badge
	where   *theme.Text
	prefabs *fyne.Container
	actions *fyne.Container
	lost    *fyne.Container
	head    *fyne.Container
	columns *columnHead
	rows    *widgets.Rows
	editor  *editor
}

func newInspector(s *screen) *inspector {
	p := &inspector{
		screen: s, name: theme.Heading("").WithTruncation(theme.TruncateEnd), badge: widgets.NewBadge("", widgets.Notice),
		where: theme.Caption("").WithTruncation(theme.TruncateMiddle), prefabs: container.New(&widgets.FlowLayout{Gap: 6, Line: 20}),
		actions: container.New(&widgets.FlowLayout{Gap: 6, Line: 30}), lost: widgets.NewStack(4),
	}
	p.empty = widgets.NewEmptyState(theme.Icon(theme.IconEntity), "", "")
	p.rows = widgets.NewRows(func() int {
		if s.inspection == nil {
			return 0
		}
		return len(s.inspection.Items)
	}, func() fyne.CanvasObject { return newItemLine(s) }, func(i int, o fyne.CanvasObject) { o.(*itemLine).set(&s.inspection.Items[i]) })
	p.rows.Height = theme.Size(theme.SizeNameRow)
	p.rows.OnSelected = s.chooseItem
	p.rows.OnActivated = func(i int) { p.editor.focus() }
	p.rows.OnKey = func(e *fyne.KeyEvent) bool {
		switch e.Name {
		case fyne.KeyDelete, fyne.KeyBackspace:
			s.revertValue()
			return true
		case fyne.KeyF2:
			p.editor.focus()
			return true
		case fyne.KeyLeft:
			s.host.Window().Canvas().Focus(s.tree)
			return true
		}
		return false
	}
	p.rows.OnSecondary = func(_ int, at fyne.Position) { s.itemMenu(at) }
	p.columns = newColumnHead(s)
	p.editor = newEditor(s)
	p.head = widgets.NewStack(5, container.New(&nameLayout{}, p.name, p.badge), p.where, p.prefabs, p.actions, p.lost)
	p.page = container.New(&inspectorLayout{}, container.New(&widgets.PadLayout{Left: edge + 2, Top: 9, Right: 12, Bottom: 8}, p.head),
		p.columns, p.rows, p.editor.object)
	p.object = container.NewStack(widgets.NewGround(theme.ColorNamePanel, 0), p.page, p.empty)
	return p
}

// show fills the pane from the screen's inspection.
func (p *inspector) show() {
	s := p.screen
	in := s.inspection
	p.empty.Hidden, p.page.Hidden = in != nil, in == nil
	if in == nil {
		switch {
		case s.open != nil && s.open.Err != nil:
			p.empty.Set("Nothing to look at", "This file cannot be read.")
		case s.open != nil && s.open.Expansion != nil && len(s.open.Expansion.Nodes) == 0:
			p.empty.Set("No entities", "This document has no entities yet.")
		default:
			p.empty.Set("Choose an entity", "Its components appear here, beside those of its prefab. A dot marks what is the instance's own.")
		}
		p.object.Refresh()
		return
	}
	name := in.Name
	if name == "" {
		name = "(no name)"
	}
	p.name.SetText(name)
	p.badge.Hidden = !in.Member
	switch {
	case in.Root:
		p.badge.Set("Instance", widgets.Notice)
	case in.Member:
		p.badge.Set("In an instance", widgets.Notice)
	}
	p.where.Hidden = len(in.Path) < 2
	p.where.SetText(strings.Join(in.Path, " / "))
	p.prefabs.Objects = nil
	for i, ref := range in.Prefab {
		if i > 0 {
			p.prefabs.Add(theme.Caption("›"))
		}
		if ref.Path == "" {
			p.prefabs.Add(theme.Caption(ref.Asset.String()))
			continue
		}
		p.prefabs.Add(widgets.NewLink(path.Base(ref.Path), func() { s.openFile(ref.Path) }))
	}
	if len(in.Prefab) > 0 {
		p.prefabs.Objects = append([]fyne.CanvasObject{theme.Caption("Prefab")}, p.prefabs.Objects...)
	}
	for _, c := range overrides.Classes() {
		if n := in.Counts[c]; n > 0 {
			p.prefabs.Add(widgets.NewBadge(ui.Count(int64(n))+" "+c.String(), classTone(c)))
		}
	}
	p.prefabs.Hidden = len(p.prefabs.Objects) == 0
	p.actions.Objects = nil
	if in.Member && in.Differences() > 0 {
		p.actions.Add(widget.NewButton("Revert instance…", s.revertInstance))
		p.actions.Add(widget.NewButton("Apply all…", s.applyAll))
	}
	p.actions.Hidden = len(p.actions.Objects) == 0
	p.lost.Objects = nil
	for i, r := range in.Lost {
		if i == 3 {
			p.lost.Add(widgets.NewLink("and "+ui.Count(int64(len(in.Lost)-i))+" more in the list of overrides", func() { s.showOverridesOf(in.File) }))
			break
		}
		text := r.Component + " › " + pathOf(r) + ": " + r.Class.String()
		if r.Reason != "" {
			text += ", " + r.Reason
		}
		p.lost.Add(widgets.NewNote(ui.Sentence(text), classTone(r.Class)))
	}
	if in.Cut {
		p.lost.Add(widgets.NewNote("There is more than fits here: the first "+ui.Count(mostMembers)+" values are shown.", widgets.Notice))
	}
	p.lost.Hidden = len(p.lost.Objects) == 0
	p.columns.Hidden = !in.Member
	p.columns.Refresh()
	p.rows.Mark(s.itemIndex())
	p.rows.Refresh()
	p.editor.show()
	p.head.Refresh()
	p.object.Refresh()
	p.page.Refresh()
}

// columnHead names the two columns of values of a member of an instance.
type columnHead struct {
	widget.BaseWidget
	screen   *screen
	instance *theme.Text
	prefab   *theme.Text
	ground   *widgets.Ground
}

func newColumnHead(s *screen) *columnHead {
	h := &columnHead{screen: s, instance: theme.Caption("Instance"), prefab: theme.Caption("Prefab"), ground: widgets.NewGround(theme.ColorNamePanel, widgets.EdgeTop)}
	h.instance.Style.Bold, h.prefab.Style.Bold = true, true
	h.ExtendBaseWidget(h)
	return h
}

func (h *columnHead) CreateRenderer() fyne.WidgetRenderer {
	return &headLineRenderer{lineRenderer{h, []fyne.CanvasObject{h.ground, h.instance, h.prefab}, func(size fyne.Size) {
		h.ground.Resize(size)
		value, base, end := valueColumns(size.Width, true)
		h.instance.Move(fyne.NewPos(value, 0))
		h.instance.Resize(fyne.NewSize(base-value, size.Height))
		h.prefab.Hidden = base >= end
		h.prefab.Move(fyne.NewPos(base, 0))
		h.prefab.Resize(fyne.NewSize(max(0, end-base), size.Height))
	}}}
}

type headLineRenderer struct{ lineRenderer }

func (r *headLineRenderer) MinSize() fyne.Size { return fyne.NewSize(60, 22) }

// nameLayout puts a badge right behind a name.
type nameLayout struct{}

func (nameLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(80, max(o[0].MinSize().Height, o[1].MinSize().Height))
}

func (nameLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	t := o[0].(*theme.Text)
	badge := float32(0)
	if o[1].Visible() {
		badge = o[1].MinSize().Width + 8
	}
	width := min(fyne.MeasureText(t.Text, theme.Size(theme.SizeNameHeading), t.Style).Width+2, size.Width-badge)
	o[0].Move(fyne.Position{})
	o[0].Resize(fyne.NewSize(width, size.Height))
	o[1].Move(fyne.NewPos(width+8, (size.Height-o[1].MinSize().Height)/2))
	o[1].Resize(o[1].MinSize())
}

// inspectorLayout puts the head, the names of the columns, the values and the editor below each other. The editor gets what it
// wants, up to a bit more than half of the room; the head gives way before the values do.
type inspectorLayout struct{}

func (inspectorLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(220, 160) }

func (inspectorLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	y := float32(0)
	put := func(o fyne.CanvasObject, h float32) {
		o.Move(fyne.NewPos(0, y))
		o.Resize(fyne.NewSize(size.Width, h))
		y += h
	}
	editor := min(widgets.HeightFor(o[3], size.Width), size.Height*0.56)
	if !o[3].Visible() {
		editor = 0
	}
	head := min(widgets.HeightFor(o[0], size.Width), size.Height*0.5)
	columns := float32(0)
	if o[1].Visible() {
		columns = 22
	}
	put(o[0], head)
	put(o[1], columns)
	put(o[2], max(0, size.Height-head-columns-editor))
	put(o[3], editor)
}
