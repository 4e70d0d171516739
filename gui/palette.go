package gui

import (
	"slices"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// A paletteItem is something the palette can find.
type paletteItem struct {
	title  string
	detail string // searched too, and shown muted
	keys   string
	icon   fyne.Resource
	run    func()
}

// paletteItems lists what makes sense now: every command of the table and the recent projects.
func (s *Shell) paletteItems() []paletteItem {
	var out []paletteItem
	for _, c := range s.commands {
		if !c.CanRun() || c.ID == "view.palette" {
			continue
		}
		detail := c.Menu
		out = append(out, paletteItem{title: c.Title, detail: detail, keys: ui.ShortcutText(c.Shortcut), icon: c.Icon, run: func() { s.RunCommand(c.ID) }})
	}
	for _, r := range s.options.Settings.Recents() {
		if s.open != nil && r.Path == s.open.work.Project.Dir {
			continue
		}
		out = append(out, paletteItem{title: "Open " + r.Title, detail: r.Path, icon: theme.Icon(theme.IconFolder), run: func() { s.Open(r.Path) }})
	}
	return out
}

// match rates how well an item answers a query: 0 means not at all. Every word of the query has to be found, best at the
// beginning of a word of the title, then anywhere in it, then as letters in their order, then in the detail.
func match(query string, item paletteItem) int {
	words := strings.Fields(strings.ToLower(query))
	if len(words) == 0 {
		return 1
	}
	title, detail := strings.ToLower(item.title), strings.ToLower(item.detail)
	score := 0
	for _, w := range words {
		at := strings.Index(title, w)
		switch {
		case at == 0:
			score += 100
		case at > 0 && !unicode.IsLetter(rune(title[at-1])):
			score += 80
		case at > 0:
			score += 50
		case strings.Contains(detail, w):
			score += 20
		case inOrder(title, w):
			score += 10
		default:
			return 0
		}
	}
	return score
}

// inOrder tells whether the letters of w occur in text in their order.
func inOrder(text, w string) bool {
	rest := []rune(w)
	for _, r := range text {
		if len(rest) > 0 && r == rest[0] {
			rest = rest[1:]
		}
	}
	return len(rest) == 0
}

// find gives the items that answer a query, the best first.
func find(query string, items []paletteItem) []paletteItem {
	type rated struct {
		item  paletteItem
		score int
	}
	var list []rated
	for _, item := range items {
		if n := match(query, item); n > 0 {
			list = append(list, rated{item, n})
		}
	}
	slices.SortStableFunc(list, func(a, b rated) int { return b.score - a.score })
	out := make([]paletteItem, len(list))
	for i, r := range list {
		out[i] = r.item
	}
	return out
}

// A palette finds commands by typing.
type palette struct {
	shell *Shell
	items []paletteItem
	shown []paletteItem
	entry *widgets.SearchEntry
	list  *widgets.Rows
	none  *theme.Text
	sheet *sheet
}

const paletteRow = 30

func (s *Shell) showPalette() {
	p := &palette{shell: s, items: s.paletteItems()}
	p.list = widgets.NewRows(func() int { return len(p.shown) }, newPaletteRow, func(i int, row fyne.CanvasObject) {
		fillPaletteRow(row.(*fyne.Container), p.shown[i])
	})
	p.list.Height = paletteRow
	p.list.OnClicked = func(int) { p.run() }
	p.list.OnActivated = func(int) { p.run() }
	p.entry = widgets.NewSearchEntry("Find a command or a project", p.search)
	p.entry.Entry.OnKey = p.key
	p.none = theme.Muted("Nothing has that name.").WithAlign(fyne.TextAlignCenter)
	content := container.NewBorder(container.New(&widgets.PadLayout{Left: 8, Right: 8, Top: 8, Bottom: 8}, p.entry), nil, nil, nil,
		container.NewStack(p.list, container.NewCenter(p.none)))
	p.sheet = s.showBare(content, fyne.NewSize(560, 54+paletteRow*10))
	p.search("")
	s.window.Canvas().Focus(p.entry.Entry)
}

func (p *palette) search(query string) {
	p.shown = find(query, p.items)
	p.list.Refresh()
	p.list.ScrollToTop()
	p.list.Mark(min(0, len(p.shown)-1))
	p.none.Hidden = len(p.shown) > 0
	p.none.Refresh()
}

func (p *palette) key(e *fyne.KeyEvent) bool {
	by := 0
	switch e.Name {
	case fyne.KeyDown:
		by = 1
	case fyne.KeyUp:
		by = -1
	case fyne.KeyPageDown:
		by = 8
	case fyne.KeyPageUp:
		by = -8
	case fyne.KeyReturn, fyne.KeyEnter:
		p.run()
		return true
	case fyne.KeyEscape:
		p.sheet.close()
		return true
	default:
		return false
	}
	if len(p.shown) > 0 {
		i := min(max(p.list.Selected()+by, 0), len(p.shown)-1)
		p.list.Mark(i)
		p.list.ScrollTo(i)
	}
	return true
}

func (p *palette) run() {
	i := p.list.Selected()
	if i < 0 || i >= len(p.shown) {
		return
	}
	p.sheet.close()
	p.shown[i].run()
}

func newPaletteRow() fyne.CanvasObject {
	icon := canvas.NewImageFromResource(nil)
	icon.FillMode = canvas.ImageFillContain
	return container.New(&paletteRowLayout{}, icon, theme.Body("").WithTruncation(theme.TruncateEnd),
		theme.Caption("").WithTruncation(theme.TruncateMiddle), theme.Caption("").WithAlign(fyne.TextAlignTrailing))
}

func fillPaletteRow(row *fyne.Container, item paletteItem) {
	icon := row.Objects[0].(*canvas.Image)
	icon.Resource = item.icon
	if item.icon == nil {
		icon.Resource = theme.IconIn(theme.IconChevronRight, theme.ColorNameMuted)
	}
	icon.Refresh()
	row.Objects[1].(*theme.Text).SetText(item.title)
	row.Objects[2].(*theme.Text).SetText(item.detail)
	row.Objects[3].(*theme.Text).SetText(item.keys)
	row.Layout.Layout(row.Objects, row.Size())
}

type paletteRowLayout struct{}

func (l *paletteRowLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(200, paletteRow)
}

func (l *paletteRowLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Move(fyne.NewPos(12, (size.Height-16)/2))
	objects[0].Resize(fyne.NewSquareSize(16))
	place := func(o fyne.CanvasObject, x, w float32) {
		o.Move(fyne.NewPos(x, 0))
		o.Resize(fyne.NewSize(max(0, w), size.Height))
	}
	keys := objects[3].(*theme.Text)
	kw := fyne.MeasureText(keys.Text, theme.Size("helperText"), keys.Style).Width + 4
	title := objects[1].(*theme.Text)
	tw := min(fyne.MeasureText(title.Text, theme.Size("text"), title.Style).Width+2, size.Width-60-kw)
	place(title, 38, tw)
	place(objects[2], 38+tw+10, size.Width-12-kw-8-(38+tw+10))
	place(keys, size.Width-12-kw, kw)
}

// showBare puts something in front of the window without a title, near its top.
func (s *Shell) showBare(content fyne.CanvasObject, size fyne.Size) *sheet {
	sh := &sheet{shell: s}
	sh.popup = widget.NewModalPopUp(container.New(&bareLayout{s, size}, content), s.window.Canvas())
	s.sheets = append(s.sheets, sh)
	sh.popup.Show()
	return sh
}

type bareLayout struct {
	shell *Shell
	size  fyne.Size
}

func (l *bareLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	c := l.shell.window.Canvas().Size()
	return fyne.NewSize(min(l.size.Width, c.Width-48), min(l.size.Height, c.Height-96))
}

func (l *bareLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.Position{})
		o.Resize(size)
	}
}
