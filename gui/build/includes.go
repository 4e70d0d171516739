package build

import (
	"fmt"
	"path"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/project/assets"
)

// includes is the card with what ships although nothing refers to it.
type includes struct {
	screen *screen
	model  *model

	rows                []includeRow
	list                *widgets.Rows
	note                *widgets.Note
	empty               *widgets.EmptyState
	file, folder, label *widget.Button
	box                 *fyne.Container // around the list
	card                *widgets.Card
}

const includeHeight = 28

func newIncludes(s *screen) *includes {
	c := &includes{screen: s, model: s.model}
	c.list = widgets.NewRows(func() int { return len(c.rows) }, func() fyne.CanvasObject { return newIncludeLine(c) },
		func(i int, o fyne.CanvasObject) { o.(*includeLine).set(i, c.rows[i]) })
	c.list.Height = includeHeight
	c.list.OnActivated = c.activate
	c.list.OnKey = func(e *fyne.KeyEvent) bool {
		if (e.Name == fyne.KeyDelete || e.Name == fyne.KeyBackspace) && c.list.Selected() >= 0 {
			c.remove(c.list.Selected())
			return true
		}
		return false
	}
	c.list.OnFocus = func() { s.reveal(c.list) }
	c.empty = widgets.NewEmptyState(nil, "Nothing is added by hand",
		"What the start scene and the scenes above refer to, what scripts name, and the config files ship by themselves. Add a file, a folder or a label for what is only loaded by a name put together at run time.")
	button := func(text string, tapped func()) *widget.Button {
		return widget.NewButtonWithIcon(text, theme.Icon(theme.IconAdd), tapped)
	}
	c.file = button("File…", c.pickFile)
	c.folder = button("Folder…", c.pickFolder)
	c.label = button("Label…", c.pickLabel)
	c.box = container.New(&rowsLayout{count: func() int { return len(c.rows) }}, c.list)
	c.note = widgets.NewNote("", widgets.Neutral)
	c.list.OnSelected = func(int) {
		if c.explain() {
			s.body.relayout()
		}
	}
	body := container.New(&fillLayout{gap: 6, fill: c.box}, c.box, c.note, c.empty)
	c.card = widgets.NewCard("Always include", body, c.file, c.folder, c.label)
	return c
}

// rowsLayout gives a list the height of its rows, up to eight.
type rowsLayout struct{ count func() int }

func (l *rowsLayout) HeightFor([]fyne.CanvasObject, float32) float32 {
	return float32(max(3, min(l.count(), 8))) * includeHeight
}

func (l *rowsLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) { objects[0].Resize(size) }
func (l *rowsLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(120, 2*includeHeight)
}

func (c *includes) load() {
	c.rows = c.model.includeRows()
	c.empty.Hidden = len(c.rows) > 0
	c.box.Hidden = len(c.rows) == 0
	c.list.Refresh()
	c.explain()
	c.card.Relayout()
}

// explain says below the list what is wrong with the selected row, else with the first one that has something wrong.
func (c *includes) explain() bool {
	before := c.note.Text()
	at := c.list.Selected()
	if at < 0 || at >= len(c.rows) || !c.rows[at].found {
		at = slices.IndexFunc(c.rows, func(r includeRow) bool { return r.found })
	}
	if at < 0 {
		c.note.Set("", widgets.Neutral)
	} else {
		c.note.Set(sentence(c.rows[at].problem), tone(c.rows[at].problem.Level))
	}
	return c.note.Text() != before
}

func (c *includes) remove(i int) {
	c.screen.do(c.model.removeInclude(i))
	if n := len(c.rows); n > 0 {
		c.list.Select(min(i, n-1))
	}
}

func (c *includes) activate(i int) {
	switch row := c.rows[i]; {
	case row.fix != "":
		c.screen.do(c.model.fixInclude(i, row.fix))
	case row.kind != "" && row.kind != "label":
		c.screen.host.Show(ui.ScreenContent, row.entry)
	}
}

func (c *includes) show(anchor fyne.CanvasObject, o widgets.PickerOptions, title, prefix string) {
	o.Stay, o.Width = true, 420
	o.AllLabel = func(n int) string { return fmt.Sprintf("Add all %d", n) }
	o.OnPick = func(keys []string) {
		entries := make([]string, len(keys))
		for i, k := range keys {
			entries[i] = prefix + k
		}
		c.screen.do(c.model.addIncludes(title, entries))
		c.list.Select(len(c.rows) - 1)
	}
	widgets.ShowPicker(c.screen.host.Window().Canvas(), anchor, o)
}

func (c *includes) pickFile() {
	var items []widgets.PickItem
	for _, a := range c.model.filesToAdd() {
		items = append(items, widgets.PickItem{Key: a.Path, Title: path.Base(a.Path), Detail: a.Path, Icon: kindIcon(a.Kind.ID)})
	}
	c.show(c.file, widgets.PickerOptions{Placeholder: "Search files", Items: items, Empty: "Every file is in the list."}, "Always include file", "")
}

func (c *includes) pickFolder() {
	var items []widgets.PickItem
	for _, a := range c.model.foldersToAdd() {
		n := len(c.model.project().Assets.FilesWithin(a.Path))
		items = append(items, widgets.PickItem{Key: a.Path, Title: a.Path, Detail: ui.Plural(n, "file"), Icon: theme.Icon(theme.IconFolder)})
	}
	c.show(c.folder, widgets.PickerOptions{Placeholder: "Search folders", Items: items, Empty: "Every folder is in the list."}, "Always include folder", "")
}

func (c *includes) pickLabel() {
	var items []widgets.PickItem
	for _, l := range c.model.labelsToAdd() {
		n := len(c.model.project().Assets.WithLabel(l))
		items = append(items, widgets.PickItem{Key: l, Title: l, Detail: ui.Plural(n, "asset"), Icon: theme.Icon(theme.IconLabel)})
	}
	empty := "Every label is in the list."
	if len(c.model.project().Assets.Labels()) == 0 {
		empty = "No asset has a label. Labels are given in the editor."
	}
	c.show(c.label, widgets.PickerOptions{Placeholder: "Search labels", Items: items, Empty: empty}, "Always include label", labelPrefix)
}

func (c *includes) focus(index int) {
	if cv := c.screen.host.Window().Canvas(); cv != nil {
		cv.Focus(c.list)
	}
	c.list.Select(index)
}

// kindIcon gives the icon of a kind of asset.
func kindIcon(kind string) fyne.Resource {
	icons := map[string]theme.IconName{
		assets.Texture: theme.IconImage, assets.Font: theme.IconFont, assets.Audio: theme.IconSound, assets.Scene: theme.IconScene,
		assets.Prefab: theme.IconPrefab, assets.Shader: theme.IconShader, assets.Particles: theme.IconParticles, assets.TileMap: theme.IconMap,
		assets.Script: theme.IconScript, assets.Plugin: theme.IconPlugin, assets.Folder: theme.IconFolder, "label": theme.IconLabel,
		assets.Material: theme.IconPalette, assets.Localization: theme.IconData,
	}
	if name, ok := icons[kind]; ok {
		return theme.Icon(name)
	}
	return theme.Icon(theme.IconFile)
}

// includeLine is a row: icon, path or label, badge, how much, remove.
type includeLine struct {
	widget.BaseWidget

	owner  *includes
	index  int
	icon   *canvas.Image
	text   *theme.Text
	badge  *widgets.Badge
	detail *theme.Text
	fix    *widgets.RowLink
	remove *widgets.RowButton
}

func newIncludeLine(c *includes) *includeLine {
	l := &includeLine{owner: c, icon: canvas.NewImageFromResource(nil), text: theme.Mono(""), badge: widgets.NewBadge("", widgets.Neutral),
		detail: theme.Caption(""), fix: widgets.NewRowLink(), remove: widgets.NewRowButton(theme.Icon(theme.IconClose))}
	l.icon.FillMode = canvas.ImageFillContain
	l.detail.Align = fyne.TextAlignTrailing
	l.remove.OnTapped = func() { c.remove(l.index) }
	l.fix.OnTapped = func() { c.activate(l.index) }
	l.ExtendBaseWidget(l)
	return l
}

func (l *includeLine) set(i int, row includeRow) {
	l.index = i
	icon, text, badge, detail := kindIcon(row.kind), fynetheme.ColorNameForeground, widgets.Neutral, row.detail
	if row.found {
		t := tone(row.problem.Level)
		icon, text, badge = t.Icon(), t.Color(), t
		if row.kind == "" {
			detail = ""
		}
	}
	if l.icon.Resource == nil || l.icon.Resource.Name() != icon.Name() {
		l.icon.Resource = icon
		l.icon.Refresh()
	}
	l.text.Set(row.text, text)
	l.badge.Set(row.badge, badge)
	l.detail.SetText(detail)
	l.fix.Set("")
	if row.fix != "" {
		l.fix.Set("Use " + row.fix)
	}
	l.layout(l.Size())
}

func (l *includeLine) layout(size fyne.Size) {
	place := func(o fyne.CanvasObject, x, w, h float32) {
		o.Move(fyne.NewPos(x, (size.Height-h)/2))
		o.Resize(fyne.NewSize(w, h))
	}
	place(l.icon, 6, 16, 16)
	right := size.Width - 4
	place(l.remove, right-22, 22, 22)
	right -= 26
	if l.detail.Text != "" {
		w := l.detail.MinSize().Width
		place(l.detail, right-w, w, size.Height)
		right -= w + 8
	}
	if l.fix.Visible() {
		w := fyne.Min(l.fix.WantedWidth(), size.Width*0.4)
		place(l.fix, right-w, w, l.fix.MinSize().Height)
		right -= w + 8
	}
	badge := l.badge.MinSize()
	place(l.badge, right-badge.Width, badge.Width, badge.Height)
	right -= badge.Width + 8
	place(l.text, 30, fyne.Max(0, right-30), size.Height)
}

func (l *includeLine) CreateRenderer() fyne.WidgetRenderer {
	return &lineRenderer{layout: l.layout, objects: []fyne.CanvasObject{l.icon, l.text, l.badge, l.detail, l.fix, l.remove}}
}
