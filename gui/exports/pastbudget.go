package exports

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/export/history"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/platforms"
)

// budgetNote says that a build is near its budget or over it; nil when there is nothing to say.
func budgetNote(b history.BudgetState) *widgets.Note {
	if b.Level != history.Over && b.Level != history.Near {
		return nil
	}
	return widgets.NewNote(budgetSentence(b))
}

// showBudget draws the line of a budget into a size bar.
func showBudget(bar *widgets.SizeBar, b history.BudgetState) {
	if b.Level == history.NoBudget {
		bar.SetBudget(0, "")
		return
	}
	bar.SetBudget(b.Budget, "Budget "+budgetName(b.Budget))
}

// budgetPage sets the budgets: a card for each target, with its newest build.
type budgetPage struct {
	screen *pastScreen
	column *widgets.Column
	alarm  *widgets.Note
	cards  []*budgetCard
	err    error // why the budgets could not be read
}

// budgetCard is the budget of a target.
type budgetCard struct {
	page   *budgetPage
	target string
	object *widgets.Card
	build  *theme.Text
	bar    *widgets.SizeBar
	entry  *widgets.Entry
	unit   *widget.Select
	field  *widgets.Field
	body   *fyne.Container
}

func newBudgetPage(s *pastScreen) *budgetPage {
	p := &budgetPage{screen: s, alarm: widgets.NewNote("", widgets.Danger)}
	p.alarm.Hide()
	list := widgets.NewStack(12, theme.Paragraph("A budget is the size that the builds for a target should stay below, for instance what a store or a cartridge takes. "+
		"It is kept for this project on this computer; going over it is a warning and stops nothing."), p.alarm)
	for _, t := range platforms.Targets() {
		c := newBudgetCard(p, t)
		p.cards = append(p.cards, c)
		list.Add(c.object)
	}
	p.column = widgets.NewColumn(container.New(&widgets.PadLayout{Left: 16, Top: 14, Right: 18, Bottom: 18}, list))
	return p
}

func newBudgetCard(p *budgetPage, t platforms.Target) *budgetCard {
	c := &budgetCard{page: p, target: t.ID, build: theme.Muted("").WithTruncation(theme.TruncateEnd), bar: widgets.NewSizeBar(), entry: widgets.NewEntry()}
	c.entry.SetPlaceHolder("none")
	c.entry.OnChanged = func(string) { c.changed() }
	c.unit = widget.NewSelect(budgetUnits[:], nil)
	c.unit.SetSelectedIndex(1)
	c.unit.OnChanged = func(string) { c.changed() }
	c.field = widgets.NewField("Budget", container.New(&amountLayout{}, c.entry, c.unit))
	c.body = widgets.NewStack(10, c.build, c.bar, c.field)
	c.object = widgets.NewCard(t.Name, c.body)
	c.entry.OnFocus = func() { p.column.Reveal(c.object) }
	return c
}

// fill shows the budgets as they are kept.
func (p *budgetPage) fill() {
	p.alarm.Hidden = p.err == nil
	if p.err != nil {
		p.alarm.Set("The budgets cannot be read: "+p.err.Error(), widgets.Danger)
	}
	for _, c := range p.cards {
		number, unit := budgetText(p.screen.model.budgets[c.target])
		if kept, ok := parseBudget(c.entry.Text, c.unit.SelectedIndex()); !ok || kept != p.screen.model.budgets[c.target] {
			c.entry.Load(number)
			c.unit.Selected = budgetUnits[unit]
			c.unit.Refresh()
		}
		c.show()
	}
	p.column.Relayout()
}

// show compares the newest build with the budget.
func (c *budgetCard) show() {
	m := &c.page.screen.model
	latest, ok := m.latest(c.target)
	budget := m.budgets[c.target]
	c.bar.Hidden = !ok
	if !ok {
		c.build.SetText("No build for this target yet")
		c.field.SetStatus("", widgets.Neutral)
		c.field.SetHelp("It counts from the next export on.")
		return
	}
	_, what := describe(past{latest})
	text := "Newest build: " + ui.Size(latest.TotalSize) + ", " + when(latest.StartedAt, c.page.screen.now())
	if what != "" {
		text += " · " + what
	}
	c.build.SetText(text)
	var parts []widgets.SizePart
	for i, k := range latest.Categories {
		parts = append(parts, widgets.SizePart{Name: k.Name, Detail: ui.Size(k.Size), Size: k.Size, Color: theme.CategoryColor(i)})
	}
	c.bar.Set(parts)
	state := history.EvaluateBudget(latest.TotalSize, budget)
	showBudget(c.bar, state)
	c.field.SetHelp("Empty: no budget.")
	c.field.SetStatus(budgetSentence(state))
}

// changed keeps what was typed.
func (c *budgetCard) changed() {
	s := c.page.screen
	bytes, ok := parseBudget(c.entry.Text, c.unit.SelectedIndex())
	if !ok {
		c.field.SetStatus("A budget is a number above zero, such as 64. Empty: no budget.", widgets.Danger)
		c.page.column.Relayout()
		return
	}
	if !s.model.known || bytes == s.model.budgets[c.target] {
		if s.model.known {
			c.show()
			c.page.column.Relayout()
		}
		return
	}
	if err := s.budgets.Set(s.project(), c.target, bytes); err != nil {
		c.field.SetStatus("The budget is not kept: "+err.Error(), widgets.Danger)
		c.page.column.Relayout()
		return
	}
	if s.model.budgets == nil {
		s.model.budgets = map[string]int64{}
	}
	s.model.budgets[c.target] = bytes
	s.detail.reported = "" // its bar has a line for the budget
	s.rows.Refresh()
	c.show()
	c.page.column.Relayout()
	s.host.BadgesChanged()
}

// focus puts the caret into the field of a target.
func (p *budgetPage) focus(target string) {
	for _, c := range p.cards {
		if c.target == target {
			p.screen.host.Window().Canvas().Focus(c.entry)
		}
	}
}

// amountLayout puts a number and its unit side by side, no wider than they need.
type amountLayout struct{}

func (amountLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(200, max(o[0].MinSize().Height, o[1].MinSize().Height))
}

func (amountLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	const number, gap, unit = 110, 6, 84
	o[0].Move(fyne.Position{})
	o[0].Resize(fyne.NewSize(number, size.Height))
	o[1].Move(fyne.NewPos(number+gap, 0))
	o[1].Resize(fyne.NewSize(unit, size.Height))
}
