package exports

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/export/history"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

const pastRowHeight = 50

// pastRow is an export of the past in the list.
type pastRow struct {
	widget.BaseWidget

	line   PastLine
	icon   *icon
	title  *theme.Text
	size   *theme.Text
	text   *theme.Text
	delta  *theme.Text
	badge  *widgets.Badge
	alarm  *icon // over or near the budget
	rule   *canvas.Rectangle
	button *widgets.RowButton
}

// newPastRow makes a row; compare is called with the id of the row whose button is pressed.
func newPastRow(compare func(id string)) *pastRow {
	r := &pastRow{
		icon:   newIcon(),
		title:  theme.Strong("").WithTruncation(theme.TruncateEnd),
		size:   theme.Number(""),
		text:   theme.Muted("").WithTruncation(theme.TruncateEnd),
		delta:  theme.Number(""),
		badge:  widgets.NewBadge("", widgets.Neutral),
		alarm:  newIcon(),
		rule:   canvas.NewRectangle(nil),
		button: widgets.NewRowButton(theme.IconIn(theme.IconCompare, theme.ColorNameMuted)),
	}
	r.button.OnTapped = func() { compare(r.line.ID) }
	r.ExtendBaseWidget(r)
	return r
}

func (r *pastRow) set(l PastLine) {
	r.line = l
	r.icon.set(l.Mark.look())
	r.title.SetText(l.Title)
	r.size.Set(l.Size, budgetColor(l.Budget))
	r.text.SetText(l.When + " · " + l.Text)
	color := theme.ColorNameInfo
	if l.Grown {
		color = theme.ColorNameAccent
	}
	r.delta.Set(l.Delta, color)
	switch l.role {
	case beforeRole:
		r.badge.Set("Before", widgets.Neutral)
	case afterRole:
		r.badge.Set("After", widgets.Accent)
	}
	r.badge.Hidden = l.role == noRole
	switch l.Budget {
	case history.Over:
		r.alarm.set(look{theme.IconError, widgets.Danger})
	case history.Near:
		r.alarm.set(look{theme.IconProblems, widgets.Warning})
	}
	r.alarm.Hidden = l.Budget != history.Over && l.Budget != history.Near
	r.button.Hidden = l.Size == "" || l.role != noRole
	r.Refresh()
}

func (r *pastRow) CreateRenderer() fyne.WidgetRenderer {
	n := &pastRowRenderer{r}
	n.Refresh()
	return n
}

type pastRowRenderer struct{ r *pastRow }

func (n *pastRowRenderer) Destroy()           {}
func (n *pastRowRenderer) MinSize() fyne.Size { return fyne.NewSize(200, pastRowHeight) }
func (n *pastRowRenderer) Objects() []fyne.CanvasObject {
	r := n.r
	return []fyne.CanvasObject{r.rule, r.icon.Image, r.title, r.size, r.text, r.delta, r.badge, r.alarm.Image, r.button}
}

func (n *pastRowRenderer) Refresh() {
	n.r.rule.FillColor = theme.Color(theme.ColorNameHairline)
	n.r.rule.Refresh()
	n.Layout(n.r.Size())
	canvas.Refresh(n.r)
}

func (n *pastRowRenderer) Layout(size fyne.Size) {
	r := n.r
	const left, gap, side, line, button, numbers = 42, 8, 18, 18, 24, 78
	right := size.Width - 14 // a scroll bar may lie over the edge
	place := func(o fyne.CanvasObject, x, y, width, height float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(max(0, width), height))
	}
	place(r.rule, left, size.Height-1, size.Width-left, 1)
	place(r.icon.Image, 14, 7, side, side)
	place(r.button, right-button, (size.Height-button)/2, button, button)
	right -= button + gap
	place(r.size, right-numbers, 7, numbers, line)
	place(r.delta, right-numbers, 25, numbers, line)
	end := right - numbers - gap
	if r.alarm.Visible() {
		place(r.alarm.Image, end-14, 9, 14, 14)
		end -= 14 + gap
	}
	if r.badge.Visible() {
		width := r.badge.MinSize().Width
		place(r.badge, end-width, 7, width, line)
		end -= width + gap
	}
	place(r.title, left, 7, end-left, line)
	place(r.text, left, 25, right-numbers-gap-left, line)
}

// compareRow is a line of a comparison.
type compareRow struct {
	widget.BaseWidget

	row    CompareRow
	icon   *icon
	name   *theme.Text
	path   *theme.Text
	group  *theme.Text
	note   *theme.Text
	before *theme.Text
	after  *theme.Text
	delta  *theme.Text
	bar    *widgets.DeltaBar
}

func newCompareRow() *compareRow {
	r := &compareRow{
		icon: newIcon(), name: theme.Body("").WithTruncation(theme.TruncateEnd), path: theme.Mono(""), group: theme.Overline(""),
		note: theme.Caption("").WithTruncation(theme.TruncateEnd), before: theme.Number(""), after: theme.Number(""), delta: theme.Number(""),
		bar: widgets.NewDeltaBar(),
	}
	r.before.ColorName = theme.ColorNameMuted
	r.ExtendBaseWidget(r)
	return r
}

// look is the mark of a file's change; every kind has a picture of its own.
func (f ChangeFilter) look() look {
	switch f {
	case AddedFiles:
		return look{theme.IconAdd, widgets.Success}
	case RemovedFiles:
		return look{theme.IconRemove, widgets.Danger}
	case GrownFiles:
		return look{theme.IconChevronUp, widgets.Accent}
	}
	return look{theme.IconChevronDown, widgets.Notice}
}

func (r *compareRow) set(row CompareRow) {
	r.row = row
	group, file := row.Group != "", row.Path != ""
	r.group.Hidden, r.path.Hidden, r.name.Hidden = !group, !file, group || file
	r.icon.Hidden = !file
	if file {
		r.icon.set(row.Filter.look())
	}
	r.group.SetText(row.Group)
	r.name.SetText(row.Name)
	r.path.SetText(row.Path)
	r.note.SetText(row.Note)
	before, after, delta := "", "", ""
	if !group {
		before, after, delta = dash(row.Before), dash(row.After), ui.SignedSize(row.Delta)
	}
	r.before.SetText(before)
	r.after.Set(after, fynetheme.ColorNameForeground)
	r.delta.Set(delta, widgets.DeltaColor(row.Delta))
	r.bar.Hidden = group
	r.bar.Set(row.Share)
	r.Refresh()
}

func (r *compareRow) CreateRenderer() fyne.WidgetRenderer {
	n := &compareRowRenderer{r}
	n.Refresh()
	return n
}

type compareRowRenderer struct{ r *compareRow }

func (n *compareRowRenderer) Destroy() {}
func (n *compareRowRenderer) MinSize() fyne.Size {
	return fyne.NewSize(220, theme.Size(theme.SizeNameRow))
}
func (n *compareRowRenderer) Objects() []fyne.CanvasObject {
	r := n.r
	return []fyne.CanvasObject{r.bar, r.icon.Image, r.group, r.name, r.path, r.note, r.before, r.after, r.delta}
}

func (n *compareRowRenderer) Refresh() { n.Layout(n.r.Size()); canvas.Refresh(n.r) }

func (n *compareRowRenderer) Layout(size fyne.Size) {
	r := n.r
	const left, gap, icon, number = 16, 10, 14, 68
	right := size.Width - 18
	place := func(o fyne.CanvasObject, x, width float32) {
		o.Move(fyne.NewPos(x, 0))
		o.Resize(fyne.NewSize(max(0, width), size.Height))
	}
	place(r.group, left, right-left)
	bar := float32(72)
	if size.Width >= 560 {
		bar = 110
	}
	r.bar.Move(fyne.NewPos(right-bar, 0))
	r.bar.Resize(fyne.NewSize(bar, size.Height))
	right -= bar + gap
	for _, t := range []*theme.Text{r.delta, r.after, r.before} {
		place(t, right-number, number)
		right -= number + gap/2
	}
	right -= gap / 2
	note := float32(0)
	if size.Width >= 500 {
		note = 92
	}
	r.note.Hidden = note == 0 || r.row.Group != ""
	place(r.note, right-note, note)
	if note > 0 {
		right -= note + gap
	}
	x := float32(left)
	if r.row.Path != "" {
		r.icon.Move(fyne.NewPos(x, (size.Height-icon)/2))
		r.icon.Resize(fyne.NewSquareSize(icon))
		x += icon + 6
	}
	place(r.name, x, right-x)
	place(r.path, x, right-x)
}
