package exports

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/export/history"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// reportView shows the report of an export that has ended.
type reportView struct {
	host   ui.Host
	column *widgets.Column
	stack  *fyne.Container
}

func newReportView(h ui.Host) *reportView {
	v := &reportView{host: h, stack: widgets.NewStack(8)}
	v.column = widgets.NewColumn(container.New(&widgets.PadLayout{Left: 16, Top: 14, Right: 18, Bottom: 18}, v.stack))
	return v
}

func (v *reportView) show(r *Report) {
	v.stack.Objects = v.parts(r)
	v.column.Offset = fyne.Position{}
	v.column.Relayout()
}

func (v *reportView) parts(r *Report) []fyne.CanvasObject {
	var parts []fyne.CanvasObject
	add := func(o ...fyne.CanvasObject) { parts = append(parts, o...) }
	head := theme.Paragraph(r.Outcome).WithColor(fynetheme.ColorNameForeground)
	head.Style.Bold = true
	head.SizeName = theme.SizeNameHeading
	add(container.New(&outcomeLayout{}, pictureOf(r.Mark.look()), head))
	if r.Next != "" {
		add(theme.Paragraph(r.Next))
	}
	if r.Size != "" {
		figures := container.New(&widgets.FlowLayout{Gap: 28, Line: 40}, figure("Total size", r.Size))
		switch r.Kind {
		case "":
			figures.Add(figure("Assets in the pack", r.Assets))
		case kindSwap:
			figures.Add(figure("Files of content", r.Assets))
		}
		figures.Add(figure("Time", r.Time))
		add(figures)
	}
	if len(r.Problems) > 0 {
		add(heading("Problems"), v.problems(r))
	}
	if len(r.Sums) > 0 {
		add(v.sums(r)...)
	}
	if len(r.Parts) > 0 && r.Kind != "" {
		add(heading("Size by category"), sizes(r, history.BudgetState{}))
	} else if len(r.Parts) > 0 {
		budget := v.budget(r)
		title := "Set a budget"
		if budget.Level != history.NoBudget {
			title = "Change the budget"
		}
		add(container.NewBorder(nil, nil, nil, widgets.NewLink(title, func() { v.host.Show(ui.ScreenHistory, "budgets/"+r.Target) }), heading("Size by category")))
		if note := budgetNote(budget); note != nil {
			add(note)
		}
		add(sizes(r, budget))
	}
	for _, n := range r.Notes {
		add(v.note(n)...)
	}
	if len(r.Largest) > 0 {
		add(heading("Largest assets"), v.largest(r))
	}
	if len(r.Steps) > 0 {
		steps := newStepList()
		steps.set(r.Steps)
		add(heading("Steps"), steps)
	}
	if len(r.Paths) > 0 {
		add(heading("Written"), v.paths(r))
	}
	return parts
}

func heading(text string) fyne.CanvasObject {
	return container.New(&widgets.PadLayout{Top: 10, Bottom: 2}, theme.Overline(text))
}

func pictureOf(l look) fyne.CanvasObject {
	i := newIcon()
	i.set(l)
	return i.Image
}

// figure is a number with its name.
func figure(name, value string) fyne.CanvasObject {
	v := theme.Title(value)
	v.Truncate = theme.TruncateNone
	return container.NewVBox(theme.Caption(name), v)
}

// budget compares the size of a build with what the person wants it to stay below.
func (v *reportView) budget(r *Report) history.BudgetState {
	if r.Total == 0 {
		return history.BudgetState{}
	}
	// A file of budgets that cannot be read is told about where budgets are set.
	budgets, _ := history.DefaultBudgets().Get(v.host.Workspace().Dir())
	return history.EvaluateBudget(r.Total, budgets[r.Target])
}

func sizes(r *Report, budget history.BudgetState) fyne.CanvasObject {
	bar := widgets.NewSizeBar()
	var parts []widgets.SizePart
	for i, p := range r.Parts {
		detail := p.Stored
		if p.Original != "" {
			detail += " of " + p.Original
		}
		parts = append(parts, widgets.SizePart{Name: p.Name, Detail: detail, Size: p.Size, Color: theme.CategoryColor(i)})
	}
	bar.Set(parts)
	showBudget(bar, budget)
	return bar
}

// shownSums is how many hashes a report lists; all of them can be copied.
const shownSums = 40

// sums lists hashes for those who compare what they got. Those of the content are many, and only copied.
func (v *reportView) sums(r *Report) []fyne.CanvasObject {
	list := widgets.NewStack(2)
	left := 0
	for _, sum := range r.Sums {
		if sum.Role == "content" || len(list.Objects) == shownSums {
			left++
			continue
		}
		row := widgets.NewSumRow(sum.Path, ui.Size(sum.Size), sum.SHA256, func(hash string) {
			v.host.Copy(hash)
			v.host.Notify("The SHA-256 is on the clipboard")
		})
		row.SetOnFocus(func() { v.column.Reveal(row) })
		list.Add(row)
	}
	if left > 0 {
		list.Add(theme.Caption("and " + ui.Plural(left, "more file") + " when all are copied"))
	}
	all := widget.NewButtonWithIcon("Copy all hashes", theme.Icon(theme.IconCopy), func() {
		v.host.Copy(r.Outcome + "\n" + ui.SumsText(r.Sums))
		v.host.Notify("The hashes are on the clipboard")
	})
	return []fyne.CanvasObject{heading("Hashes"), list, container.NewHBox(all)}
}

func (v *reportView) problems(r *Report) fyne.CanvasObject {
	list := widgets.NewStack(6)
	for _, p := range r.Problems {
		tone := widgets.Warning
		if p.Fatal {
			tone = widgets.Danger
		}
		note := widgets.NewNote(p.Text, tone)
		if p.Place == "" {
			list.Add(note)
			continue
		}
		var open func()
		if p.File != "" {
			open = func() { v.host.OpenPlace(p.File, p.Line) }
		}
		place := widgets.NewPathRow(theme.IconIn(theme.IconArrowRight, theme.ColorNameMuted), p.Place, "", open)
		place.OnFocus = func() { v.column.Reveal(place) }
		list.Add(widgets.NewStack(0, note, container.New(&widgets.PadLayout{Left: 12}, place)))
	}
	if r.More > 0 {
		list.Add(theme.Caption("and " + ui.Count(int64(r.More)) + " more in the log"))
	}
	return list
}

func (v *reportView) largest(r *Report) fyne.CanvasObject {
	list := widgets.NewStack(0)
	for _, a := range r.Largest {
		path := widgets.NewPathRow(nil, a.Path, "", func() { v.host.Show(ui.ScreenContent, a.Path) })
		path.OnFocus = func() { v.column.Reveal(path) }
		bar := widgets.NewMeter(8)
		bar.Set(a.Share, theme.ColorNameCategory1)
		original := ""
		if a.Original != "" {
			original = "of " + a.Original
		}
		list.Add(container.New(&assetLayout{}, path, theme.Caption(a.Kind).WithTruncation(theme.TruncateEnd),
			theme.Caption(a.Reason).WithTruncation(theme.TruncateEnd), bar, theme.Number(a.Stored), theme.Caption(original).WithTruncation(theme.TruncateEnd)))
	}
	return list
}

// note shows advice with the commands that it is about, ready to be copied.
func (v *reportView) note(n Note) []fyne.CanvasObject {
	parts := []fyne.CanvasObject{heading(n.Title), theme.Paragraph(n.Text)}
	if len(n.Commands) == 0 {
		return parts
	}
	all := strings.Join(n.Commands, "\n")
	lines := widgets.NewStack(4)
	for _, command := range n.Commands {
		line := theme.Paragraph(command).WithColor(fynetheme.ColorNameForeground)
		line.Style.Monospace = true
		line.SizeName = fynetheme.SizeNameCaptionText
		lines.Add(line)
	}
	copied := widget.NewButtonWithIcon("Copy the commands", theme.Icon(theme.IconCopy), func() { v.host.Copy(all) })
	return append(parts, widgets.NewCard("", lines), container.NewHBox(copied))
}

func (v *reportView) paths(r *Report) fyne.CanvasObject {
	list := widgets.NewStack(2)
	for _, p := range r.Paths {
		open := widgets.NewIconButton(theme.Icon(theme.IconFolderOpen), "Open the folder of "+p.Path, func() { v.host.OpenFolder(p.Path) })
		copied := widgets.NewIconButton(theme.Icon(theme.IconCopy), "Copy "+p.Path, func() { v.host.Copy(p.Path) })
		open.Quiet, copied.Quiet = true, true
		open.OnFocus, copied.OnFocus = func() { v.column.Reveal(open) }, func() { v.column.Reveal(copied) }
		name := container.New(&fixedLayout{width: 92}, theme.Muted(p.Name))
		list.Add(container.NewBorder(nil, nil, name, container.NewHBox(open, copied), theme.Mono(p.Path)))
	}
	return list
}

// outcomeLayout puts an icon in front of a wrapped sentence, level with its first line.
type outcomeLayout struct{}

const outcomeIcon = 20

// HeightFor gives the height at a width.
func (outcomeLayout) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	return max(outcomeIcon, widgets.HeightFor(objects[1], width-outcomeIcon-8))
}

func (outcomeLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(120, max(outcomeIcon, objects[1].MinSize().Height))
}

func (outcomeLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Move(fyne.Position{})
	objects[0].Resize(fyne.NewSquareSize(outcomeIcon))
	objects[1].Move(fyne.NewPos(outcomeIcon+8, 0))
	objects[1].Resize(fyne.NewSize(size.Width-outcomeIcon-8, size.Height))
}

// fixedLayout gives its object a fixed width.
type fixedLayout struct{ width float32 }

func (l *fixedLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(l.width, objects[0].MinSize().Height)
}
func (l *fixedLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Resize(size)
}

// assetLayout is a line of the largest assets: path, kind, reason, bar, stored size, original size. Kind and reason give way
// first when it is narrow.
type assetLayout struct{}

func (assetLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(220, 24) }

func (assetLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const stored, original, gap = 66, 74, 8
	kind, reason, bar := float32(0), float32(0), float32(90)
	if size.Width >= 460 {
		kind = 84
	}
	if size.Width >= 560 {
		reason, bar = 96, 110
	}
	x := size.Width
	take := func(o fyne.CanvasObject, width float32) {
		if c, ok := o.(interface{ Hide() }); ok && width == 0 {
			c.Hide()
			return
		}
		o.Show()
		x -= width
		o.Move(fyne.NewPos(x, 0))
		o.Resize(fyne.NewSize(width, size.Height))
		x -= gap
	}
	take(objects[5], original)
	take(objects[4], stored)
	take(objects[3], bar)
	take(objects[2], reason)
	take(objects[1], kind)
	objects[0].Move(fyne.NewPos(-6, 0))
	objects[0].Resize(fyne.NewSize(max(60, x+6), size.Height))
}
