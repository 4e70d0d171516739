package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// workspaceView is the window while a project is open: the side bar, a strip of facts, a banner when one is needed, and
// the screen in front.
type workspaceView struct {
	shell  *Shell
	side   *sideBar
	facts  *factBar
	banner *banner
	screen fyne.CanvasObject
	root   *fyne.Container
}

func newWorkspaceView(s *Shell) *workspaceView {
	v := &workspaceView{shell: s}
	v.side, v.facts, v.banner = newSideBar(s), newFactBar(s), newBanner()
	v.root = container.New(&workspaceLayout{v})
	return v
}

// Content is everything.
func (v *workspaceView) Content() fyne.CanvasObject { return v.root }

func (v *workspaceView) show(screen ui.Screen) {
	v.screen = screen.Content()
	v.root.Objects = []fyne.CanvasObject{v.screen, v.facts.root, v.banner.root, v.side.root, v.side.edge()}
	v.root.Refresh()
}

func (v *workspaceView) refresh() {
	v.side.refresh()
	v.facts.set(v.shell.open.health.facts)
	v.facts.root.Hidden = v.shell.open.work.Project == nil
}

func (v *workspaceView) hideBanner() {
	if v.banner.root.Visible() {
		v.banner.root.Hide()
		v.root.Refresh()
	}
}

func (v *workspaceView) showBanner(text string, actions ...bannerAction) {
	v.banner.set(text, actions)
	v.banner.root.Show()
	v.root.Refresh()
}

// edge is the line between the side bar and the rest.
func (b *sideBar) edge() fyne.CanvasObject {
	if b.line == nil {
		b.line = newGround(theme.ColorNameHairline)
	}
	return b.line
}

type workspaceLayout struct{ v *workspaceView }

func (l *workspaceLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(400, 300) }

func (l *workspaceLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	v := l.v
	v.side.setThin(size.Width < sidebarBreak)
	w := v.side.root.MinSize().Width
	v.side.root.Move(fyne.Position{})
	v.side.root.Resize(fyne.NewSize(w, size.Height))
	v.side.edge().Move(fyne.NewPos(w, 0))
	v.side.edge().Resize(fyne.NewSize(1, size.Height))
	x, y := w+1, float32(0)
	place := func(o fyne.CanvasObject, h float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(size.Width-x, h))
		y += h
	}
	if v.shell.open == nil || v.shell.open.work.Project != nil { // without one there are no facts
		place(v.facts.root, v.facts.root.MinSize().Height)
	}
	if v.banner.root.Visible() {
		place(v.banner.root, v.banner.root.MinSize().Height)
	}
	if v.screen != nil {
		place(v.screen, size.Height-y)
	}
}

// The factBar says in a line how the project stands; each fact leads to its screen.
type factBar struct {
	shell *Shell
	root  *fyne.Container
	row   *fyne.Container
	items []*factItem
}

type factItem struct {
	press *widgets.Pressable
	icon  *canvas.Image
	text  *theme.Text
	fact  fact
}

func newFactBar(s *Shell) *factBar {
	b := &factBar{shell: s}
	b.row = container.New(&factLayout{b})
	b.root = container.New(&barLayout{}, newGround(theme.ColorNamePanel), newGround(theme.ColorNameHairline), b.row)
	return b
}

func (b *factBar) set(facts []fact) {
	for len(b.items) < len(facts) {
		item := &factItem{icon: canvas.NewImageFromResource(nil), text: theme.Caption("").WithTruncation(theme.TruncateEnd)}
		item.icon.FillMode = canvas.ImageFillContain
		item.press = widgets.NewPressable(container.New(&factItemLayout{item}, item.icon, item.text), func() {
			b.shell.Show(item.fact.screen, item.fact.focus)
		})
		b.items = append(b.items, item)
		b.row.Add(item.press)
	}
	changed := false
	for i, f := range facts {
		item := b.items[i]
		if item.fact == f {
			continue
		}
		changed = true
		item.fact = f
		item.icon.Resource = theme.IconIn(f.icon, f.tone.Color())
		item.icon.Refresh()
		color := theme.ColorNameMuted
		if f.tone == widgets.Danger || f.tone == widgets.Warning {
			color = f.tone.Color()
		}
		item.text.Set(f.text, color)
	}
	if changed {
		b.row.Refresh()
	}
}

// factLayout puts facts beside each other, in their brief form when there is no room for the long one.
type factLayout struct{ b *factBar }

const factIcon = 14

func (l *factLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(200, 30) }

func (l *factLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	width := func(text string, t *theme.Text) float32 {
		return fyne.MeasureText(text, theme.Size("helperText"), t.Style).Width + factIcon + 6 + 16 + 2
	}
	full := float32(12)
	for _, item := range l.b.items {
		full += width(item.fact.text, item.text) + 4
	}
	x := float32(6)
	for _, item := range l.b.items {
		text := item.fact.text
		if full > size.Width {
			text = item.fact.brief
		}
		item.text.SetText(text)
		w := width(text, item.text)
		item.press.Move(fyne.NewPos(x, 3))
		item.press.Resize(fyne.NewSize(w, size.Height-6))
		x += w + 4
	}
}

type factItemLayout struct{ item *factItem }

func (l *factItemLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(factIcon+16, 22) }

func (l *factItemLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	l.item.icon.Move(fyne.NewPos(8, (size.Height-factIcon)/2))
	l.item.icon.Resize(fyne.NewSquareSize(factIcon))
	h := l.item.text.MinSize().Height
	l.item.text.Move(fyne.NewPos(8+factIcon+6, (size.Height-h)/2))
	l.item.text.Resize(fyne.NewSize(size.Width-16-factIcon-6, h))
}

// A banner is a line across the workspace that asks for a decision without stopping the work.
type banner struct {
	root *fyne.Container
	row  *fyne.Container
	icon *canvas.Image
	text *theme.Text
}

type bannerAction struct {
	text string
	run  func()
}

func newBanner() *banner {
	b := &banner{icon: canvas.NewImageFromResource(theme.IconIn(theme.IconReload, widgets.Warning.Color()))}
	b.icon.FillMode = canvas.ImageFillContain
	b.text = theme.Body("").WithTruncation(theme.TruncateEnd)
	b.row = container.New(&bannerLayout{b}, b.icon, b.text)
	b.root = container.New(&barLayout{}, newGround(theme.ColorNameWarningSoft), newGround(theme.ColorNameHairline), b.row)
	b.root.Hide()
	return b
}

func (b *banner) set(text string, actions []bannerAction) {
	b.text.SetText(text)
	b.row.Objects = b.row.Objects[:2:2]
	for _, a := range actions {
		b.row.Add(widgets.NewLink(a.text, a.run))
	}
	b.row.Refresh()
}

type bannerLayout struct{ b *banner }

func (l *bannerLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(200, 32) }

func (l *bannerLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.b.icon.Move(fyne.NewPos(14, (size.Height-16)/2))
	l.b.icon.Resize(fyne.NewSquareSize(16))
	right := size.Width - 10
	for i := len(objects) - 1; i >= 2; i-- {
		m := objects[i].MinSize()
		right -= m.Width
		objects[i].Move(fyne.NewPos(right, (size.Height-m.Height)/2))
		objects[i].Resize(m)
		right -= 6
	}
	h := l.b.text.MinSize().Height
	l.b.text.Move(fyne.NewPos(38, (size.Height-h)/2))
	l.b.text.Resize(fyne.NewSize(max(0, right-44), h))
}
