package build

import (
	"fmt"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/project"
)

// scenes is the card with the scene list.
type scenes struct {
	screen *screen
	model  *model

	rows  []sceneRow
	list  *widgets.ReorderList
	note  *widgets.Note
	count *theme.Text
	add   *widget.Button
	card  *widgets.Card
}

func newScenes(s *screen) *scenes {
	c := &scenes{screen: s, model: s.model}
	c.list = widgets.NewReorderList(func() int { return len(c.rows) }, func() fyne.CanvasObject { return newSceneLine(c) },
		func(i int, o fyne.CanvasObject) { o.(*sceneLine).set(i, c.rows[i]) })
	c.list.SetRowHeight(38)
	c.list.MaxRows = 10
	c.list.Locked = func() int { return 1 }
	c.list.OnMove = func(from, to int) { s.do(c.model.moveScene(from-1, to-1)) }
	c.list.OnToggle = c.toggle
	c.list.OnDelete = c.remove
	c.list.OnActivated = c.activate
	c.list.OnSelected = func(int) { c.selected() }
	c.list.SetOnFocus(func() { s.reveal(c.list) })
	c.note = widgets.NewNote("", widgets.Neutral)
	c.count = theme.Caption("")
	c.add = widget.NewButtonWithIcon("Add scene…", theme.Icon(theme.IconAdd), c.pick)
	body := container.New(&fillLayout{gap: 8, fill: c.list}, c.list, c.note)
	c.card = widgets.NewCard("Scenes", body, c.count, c.add)
	return c
}

func (c *scenes) load() {
	c.rows = c.model.sceneRows()
	ships := 0
	for _, r := range c.rows {
		if r.enabled {
			ships++
		}
	}
	c.count.SetText(fmt.Sprintf("%d of %d ship", ships, len(c.rows)))
	c.explain()
	c.list.Refresh()
	c.card.Relayout()
}

// explain says below the list what is wrong with the selected row, else how the list is used.
func (c *scenes) explain() bool {
	before := c.note.Text()
	i := c.list.Selected()
	switch {
	case i >= 0 && i < len(c.rows) && c.rows[i].found:
		c.note.Set(sentence(c.rows[i].problem), tone(c.rows[i].problem.Level))
	case len(c.rows) == 1:
		c.note.Set("Scenes that the start scene names, in its entities or in scripts, ship by themselves. Add those that nothing leads to.", widgets.Neutral)
	default:
		c.note.Set("Drag, or Alt+Up and Alt+Down, to put in order. Space ticks a row, Delete takes it off the list.", widgets.Neutral)
	}
	return c.note.Text() != before
}

func (c *scenes) selected() {
	if c.explain() {
		c.screen.body.relayout()
	}
	c.screen.host.BadgesChanged()
}

func (c *scenes) toggle(i int) {
	if i > 0 {
		c.screen.do(c.model.toggleScene(i - 1))
	}
}

func (c *scenes) remove(i int) {
	if i > 0 {
		c.screen.do(c.model.removeScene(i - 1))
		if n := len(c.rows); n > 0 {
			c.list.Select(min(i, n-1))
		}
	}
}

// activate mends a row where that can be done, opens game.json for the start scene, and shows a scene otherwise.
func (c *scenes) activate(i int) {
	row := c.rows[i]
	switch {
	case row.locked:
		c.screen.host.OpenPlace(project.GameFile, 0)
	case row.fix != "":
		c.fix(i)
	case !row.found:
		c.screen.host.Show(ui.ScreenContent, row.path)
	}
}

func (c *scenes) fix(i int) {
	if i > 0 && c.rows[i].fix != "" {
		c.screen.do(c.model.fixScene(i-1, c.rows[i].fix))
	}
}

func (c *scenes) move(by int) { c.list.MoveSelected(by) }

// canMove says whether the selected row can be moved.
func (c *scenes) canMove(by int) bool {
	i := c.list.Selected()
	return i > 0 && i+by > 0 && i+by < len(c.rows)
}

// pick lets the person choose scenes that are not in the list yet.
func (c *scenes) pick() {
	var items []widgets.PickItem
	for _, a := range c.model.scenesToAdd() {
		items = append(items, widgets.PickItem{Key: a.Path, Title: sceneName(a.Path), Detail: a.Path, Icon: theme.Icon(theme.IconScene)})
	}
	widgets.ShowPicker(c.screen.host.Window().Canvas(), c.add, widgets.PickerOptions{
		Placeholder: "Search scenes", Items: items, Stay: true, Width: 420,
		Empty:    "Every scene of the project is in the list.",
		AllLabel: func(n int) string { return fmt.Sprintf("Add all %d", n) },
		OnPick: func(keys []string) {
			c.screen.do(c.model.addScenes(keys))
			c.list.Select(len(c.rows) - 1)
		},
	})
}

// focus selects the row of "scenes/2".
func (c *scenes) focus(index int) {
	c.list.Focus()
	c.list.Select(index + 1)
}

// sceneLine is a row: number, tick, name above path, remove.
type sceneLine struct {
	widget.BaseWidget

	owner  *scenes
	index  int
	number *theme.Text
	check  *widgets.RowCheck
	name   *theme.Text
	path   *theme.Text
	icon   *canvas.Image
	fix    *widgets.RowLink
	aside  *theme.Text
	remove *widgets.RowButton
}

func newSceneLine(c *scenes) *sceneLine {
	l := &sceneLine{
		owner: c, number: theme.Number(""), check: widgets.NewRowCheck(), name: theme.Body("").WithTruncation(theme.TruncateEnd),
		path: theme.MonoMuted(""), icon: canvas.NewImageFromResource(nil), fix: widgets.NewRowLink(), aside: theme.Caption(""),
		remove: widgets.NewRowButton(theme.Icon(theme.IconClose)),
	}
	l.icon.FillMode = canvas.ImageFillContain
	l.icon.Hidden = true
	l.number.SizeName = fynetheme.SizeNameCaptionText
	l.aside.Align = fyne.TextAlignTrailing
	l.check.OnChanged = func(bool) { c.toggle(l.index) }
	l.remove.OnTapped = func() { c.remove(l.index) }
	l.fix.OnTapped = func() { c.fix(l.index) }
	l.ExtendBaseWidget(l)
	return l
}

func (l *sceneLine) set(i int, row sceneRow) {
	l.index = i
	l.number.Set(strconv.Itoa(row.number), theme.ColorNameMuted)
	l.check.Set(row.enabled, !row.locked)
	name, path := fynetheme.ColorNameForeground, theme.ColorNameMuted
	if !row.enabled {
		name, path = theme.ColorNameMuted, fynetheme.ColorNamePlaceHolder
	}
	l.name.Set(row.name, name)
	l.say(row.path, path, true)
	l.remove.Hidden = row.locked
	l.aside.SetText("")
	if row.locked {
		l.aside.SetText("Set in game.json")
	}
	l.fix.Set("")
	l.icon.Hidden = !row.found
	if row.found {
		t := tone(row.problem.Level)
		if icon := t.Icon(); l.icon.Resource == nil || l.icon.Resource.Name() != icon.Name() {
			l.icon.Resource = icon
			l.icon.Refresh()
		}
		if row.fix != "" && !row.locked {
			l.say(row.path, t.Color(), true)
			l.fix.Set("Use " + row.fix)
		} else {
			l.say(upperFirst(row.problem.Message), t.Color(), false)
		}
	}
	l.layout(l.Size())
}

// say sets the line below the name: a path in the monospaced face, or a sentence.
func (l *sceneLine) say(text string, color fyne.ThemeColorName, mono bool) {
	if l.path.Style.Monospace != mono {
		l.path.Style.Monospace = mono
		l.path.Truncate = theme.TruncateMiddle
		if !mono {
			l.path.Truncate = theme.TruncateEnd
		}
	}
	l.path.Text, l.path.ColorName = text, color
	l.path.Refresh()
}

func (l *sceneLine) layout(size fyne.Size) {
	half := size.Height / 2
	place := func(o fyne.CanvasObject, x, y, w, h float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(w, h))
	}
	place(l.number, 0, 0, 20, size.Height)
	place(l.check, 24, (size.Height-22)/2, 22, 22)
	right := size.Width - 4
	if l.remove.Visible() {
		place(l.remove, right-22, (size.Height-22)/2, 22, 22)
		right -= 26
	}
	left := float32(52)
	top := right
	if l.aside.Text != "" {
		w := l.aside.MinSize().Width
		place(l.aside, right-w-4, 2, w, half)
		top -= w + 12
	}
	place(l.name, left, 2, top-left, half)
	if l.icon.Visible() {
		place(l.icon, left, half+(half-2-13)/2, 13, 13)
		left += 17
	}
	rest := right - left
	if l.fix.Visible() {
		w := fyne.Min(l.fix.WantedWidth(), rest*0.6)
		place(l.fix, right-w, half-1, w, half)
		rest -= w + 8
	}
	place(l.path, left, half-1, rest, half)
}

func (l *sceneLine) CreateRenderer() fyne.WidgetRenderer {
	return &lineRenderer{layout: l.layout, objects: []fyne.CanvasObject{l.number, l.check, l.name, l.path, l.icon, l.fix, l.aside, l.remove}}
}

// lineRenderer draws the objects of a row where the row puts them.
type lineRenderer struct {
	layout  func(fyne.Size)
	objects []fyne.CanvasObject
}

func (r *lineRenderer) Destroy()                     {}
func (r *lineRenderer) Layout(size fyne.Size)        { r.layout(size) }
func (r *lineRenderer) MinSize() fyne.Size           { return fyne.NewSize(120, 20) }
func (r *lineRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *lineRenderer) Refresh() {
	for _, o := range r.objects {
		o.Refresh()
	}
}
