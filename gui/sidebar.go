package gui

import (
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// sidebarBreak is the width of the window below which the side bar shows icons only.
const sidebarBreak = 900

// The sideBar names the project, leads to its screens, and tells at its foot what runs.
type sideBar struct {
	shell   *Shell
	root    *fyne.Container
	project *sideHead
	items   []*sideItem
	chip    *sideItem
	home    *sideItem
	setup   *sideItem
	line    *ground
	thin    bool
}

func newSideBar(s *Shell) *sideBar {
	b := &sideBar{shell: s}
	b.project = newSideHead(s)
	objects := []fyne.CanvasObject{newGround(theme.ColorNameSidebar), b.project.root}
	for i, screen := range s.open.screens {
		item := newSideItem(screen.Icon(), screen.Title(), func() { s.showIndex(i) })
		item.keys = func(by int) { b.focusItem(i + by) }
		b.items = append(b.items, item)
		objects = append(objects, item.press)
	}
	b.chip = newSideItem(theme.IconIn(theme.IconExports, theme.ColorNameAccent), "", func() { s.Show(ui.ScreenExports, "") })
	b.chip.meter = true
	b.chip.press.Hide()
	b.home = newSideItem(theme.IconIn(theme.IconHome, theme.ColorNameMuted), "All projects", s.CloseProject)
	b.setup = newSideItem(theme.IconIn(theme.IconSettings, theme.ColorNameMuted), "Settings", s.showSettings)
	for _, item := range []*sideItem{b.home, b.setup} {
		item.muted = true
	}
	for _, item := range append(b.items[:len(b.items):len(b.items)], b.chip, b.home, b.setup) {
		item.press.OnHover = func(on bool) {
			switch {
			case on && item.thin:
				s.status.hint(strings.TrimSpace(item.title + "  " + item.badge))
			default:
				s.status.hint("")
			}
		}
	}
	objects = append(objects, b.chip.press, b.home.press, b.setup.press)
	b.root = container.New(&sideLayout{b}, objects...)
	return b
}

func (b *sideBar) focusItem(i int) {
	if i >= 0 && i < len(b.items) {
		b.shell.window.Canvas().Focus(b.items[i].press)
	}
}

// refresh takes up badges, the selected screen, the health and what runs.
func (b *sideBar) refresh() {
	o := b.shell.open
	for i, item := range b.items {
		item.set(o.screens[i].Title(), o.screens[i].Badge(), i == o.current)
	}
	if o.work.Project == nil {
		b.project.setTools()
	} else {
		b.project.set(o.work.Project.Title(), o.health)
	}
	b.setChip(o)
}

func (b *sideBar) setChip(o *openProject) {
	text, fraction := running(o.work.Queue)
	if text == "" {
		if b.chip.press.Visible() {
			b.chip.press.Hide()
			b.root.Refresh()
		}
		return
	}
	b.chip.fraction = fraction
	b.chip.set(text, ui.Percent(fraction), false)
	if !b.chip.press.Visible() {
		b.chip.press.Show()
		b.root.Refresh()
	}
}

func (b *sideBar) setThin(thin bool) {
	if b.thin == thin {
		return
	}
	b.thin = thin
	b.project.setThin(thin)
	for _, item := range append(b.items[:len(b.items):len(b.items)], b.chip, b.home, b.setup) {
		item.thin = thin
		item.refresh()
	}
}

// sideLayout puts head and screens at the top, and the rest at the foot.
type sideLayout struct{ b *sideBar }

func (l *sideLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	w := theme.Size(theme.SizeNameSidebar)
	if l.b.thin {
		w = theme.Size(theme.SizeNameSidebarThin)
	}
	return fyne.NewSize(w, 240)
}

const sideItemHeight, sideHeadHeight = 32, 52

func (l *sideLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	b := l.b
	objects[0].Resize(size)
	place := func(o fyne.CanvasObject, y, h float32) {
		o.Move(fyne.NewPos(6, y))
		o.Resize(fyne.NewSize(size.Width-12, h))
	}
	b.project.root.Move(fyne.NewPos(0, 0))
	b.project.root.Resize(fyne.NewSize(size.Width, sideHeadHeight))
	y := float32(sideHeadHeight + 6)
	for _, item := range b.items {
		place(item.press, y, sideItemHeight)
		y += sideItemHeight + 2
	}
	y = size.Height - 6 - sideItemHeight
	for _, item := range []*sideItem{b.setup, b.home, b.chip} {
		place(item.press, y, sideItemHeight)
		y -= sideItemHeight + 2
	}
}

// sideHead is the project's name with its health below.
type sideHead struct {
	root  *fyne.Container
	press *widgets.Pressable
	title *theme.Text
	state *theme.Text
	icon  *canvas.Image
	thin  bool
}

func newSideHead(s *Shell) *sideHead {
	h := &sideHead{title: theme.Strong("").WithTruncation(theme.TruncateEnd), state: theme.Caption("").WithTruncation(theme.TruncateEnd)}
	h.icon = canvas.NewImageFromResource(theme.Icon(theme.IconHealthy))
	h.icon.FillMode = canvas.ImageFillContain
	content := container.New(&sideHeadLayout{h}, h.title, h.icon, h.state)
	h.press = widgets.NewPressable(content, func() { s.Show(ui.ScreenProblems, "") })
	h.press.Radius = 0
	h.root = container.New(&barLayout{}, newGround(theme.ColorNameSidebar), newGround(theme.ColorNameHairline), h.press)
	return h
}

func (h *sideHead) set(title string, health health) {
	icon, tone, text := health.summary()
	h.title.SetText(title)
	h.state.Set(text, tone.Color())
	h.icon.Resource = theme.IconIn(icon, tone.Color())
	h.icon.Refresh()
}

// setTools says that no project is open.
func (h *sideHead) setTools() {
	h.title.SetText("Tools")
	h.state.Set("No project", theme.ColorNameMuted)
	h.icon.Resource = theme.IconIn(theme.IconSettings, theme.ColorNameMuted)
	h.icon.Refresh()
}

func (h *sideHead) setThin(thin bool) {
	h.thin = thin
	if thin {
		h.title.Hide()
		h.state.Hide()
	} else {
		h.title.Show()
		h.state.Show()
	}
	h.root.Refresh()
}

type sideHeadLayout struct{ h *sideHead }

func (l *sideHeadLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(32, 40) }

func (l *sideHeadLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	h := l.h
	if h.thin {
		h.icon.Resize(fyne.NewSquareSize(20))
		h.icon.Move(fyne.NewPos((size.Width-20)/2, (size.Height-20)/2))
		return
	}
	x := float32(14)
	lines := h.title.MinSize().Height + 3 + h.state.MinSize().Height
	y := (size.Height - lines) / 2
	h.title.Move(fyne.NewPos(x, y))
	h.title.Resize(fyne.NewSize(size.Width-x-8, h.title.MinSize().Height))
	y += h.title.MinSize().Height + 3
	sh := h.state.MinSize().Height
	h.icon.Resize(fyne.NewSquareSize(13))
	h.icon.Move(fyne.NewPos(x, y+(sh-13)/2))
	h.state.Move(fyne.NewPos(x+18, y))
	h.state.Resize(fyne.NewSize(size.Width-x-26, sh))
}

// A sideItem is one line of the side bar: an icon, a word, and at its right a badge.
type sideItem struct {
	press    *widgets.Pressable
	icon     fyne.Resource
	title    string
	badge    string
	selected bool
	muted    bool
	thin     bool
	meter    bool    // it shows a bar for fraction
	fraction float64 // 0..1
	keys     func(by int)
	face     *sideFace
}

func newSideItem(icon fyne.Resource, title string, tapped func()) *sideItem {
	item := &sideItem{icon: icon, title: title}
	item.face = newSideFace(item)
	item.press = widgets.NewPressable(item.face, tapped)
	item.press.OnKey = func(e *fyne.KeyEvent) bool {
		if item.keys == nil {
			return false
		}
		switch e.Name {
		case fyne.KeyUp:
			item.keys(-1)
		case fyne.KeyDown:
			item.keys(1)
		default:
			return false
		}
		return true
	}
	return item
}

func (i *sideItem) set(title, badge string, selected bool) {
	if i.title == title && i.badge == badge && i.selected == selected && !i.meter {
		return
	}
	i.title, i.badge, i.selected = title, badge, selected
	i.refresh()
}

func (i *sideItem) refresh() {
	i.press.SetSelected(i.selected)
	i.face.Refresh()
}

// sideFace draws a sideItem.
type sideFace struct {
	widget.BaseWidget
	item *sideItem
}

func newSideFace(item *sideItem) *sideFace {
	f := &sideFace{item: item}
	f.ExtendBaseWidget(f)
	return f
}

// CreateRenderer implements fyne.Widget.
func (f *sideFace) CreateRenderer() fyne.WidgetRenderer {
	r := &sideFaceRenderer{item: f.item, face: f,
		bar: canvas.NewRectangle(color.Transparent), meter: canvas.NewRectangle(color.Transparent), track: canvas.NewRectangle(color.Transparent),
		dot:  canvas.NewCircle(color.Transparent),
		icon: canvas.NewImageFromResource(nil), text: theme.Body("").WithTruncation(theme.TruncateEnd), badge: widgets.NewBadge("", widgets.Neutral)}
	r.icon.FillMode = canvas.ImageFillContain
	r.bar.CornerRadius, r.meter.CornerRadius, r.track.CornerRadius = 1.5, 1, 1
	r.Refresh()
	return r
}

type sideFaceRenderer struct {
	item              *sideItem
	face              *sideFace
	bar, meter, track *canvas.Rectangle
	dot               *canvas.Circle
	icon              *canvas.Image
	text              *theme.Text
	badge             *widgets.Badge
}

func (r *sideFaceRenderer) Destroy()           {}
func (r *sideFaceRenderer) MinSize() fyne.Size { return fyne.NewSize(30, 24) }

func (r *sideFaceRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.bar, r.track, r.meter, r.icon, r.text, r.badge, r.dot}
}

func (r *sideFaceRenderer) Layout(size fyne.Size) {
	const icon = 16
	r.bar.Move(fyne.NewPos(0, 7))
	r.bar.Resize(fyne.NewSize(3, size.Height-14))
	x := float32(10)
	if r.item.thin {
		x = (size.Width - icon) / 2
	}
	r.icon.Move(fyne.NewPos(x, (size.Height-icon)/2))
	r.icon.Resize(fyne.NewSquareSize(icon))
	r.dot.Resize(fyne.NewSquareSize(6))
	r.dot.Move(fyne.NewPos(x+icon-2, (size.Height-icon)/2-3))
	right := size.Width - 6
	if r.badge.Visible() {
		m := r.badge.MinSize()
		r.badge.Resize(m)
		r.badge.Move(fyne.NewPos(right-m.Width, (size.Height-m.Height)/2))
		right -= m.Width + 4
	}
	h := r.text.MinSize().Height
	r.text.Move(fyne.NewPos(x+icon+10, (size.Height-h)/2))
	r.text.Resize(fyne.NewSize(max(0, right-x-icon-10), h))
	r.track.Move(fyne.NewPos(8, size.Height-4))
	r.track.Resize(fyne.NewSize(size.Width-16, 2))
	r.meter.Move(r.track.Position())
	r.meter.Resize(fyne.NewSize((size.Width-16)*float32(r.item.fraction), 2))
}

func (r *sideFaceRenderer) Refresh() {
	i := r.item
	name := fynetheme.ColorNameForeground
	if i.muted {
		name = theme.ColorNameMuted
	}
	r.bar.FillColor = color.Transparent
	if i.selected {
		r.bar.FillColor = theme.Color(theme.ColorNameAccent)
	}
	r.track.FillColor, r.meter.FillColor = color.Transparent, color.Transparent
	if i.meter {
		r.track.FillColor, r.meter.FillColor = theme.Color(theme.ColorNameHairline), theme.Color(theme.ColorNameAccent)
	}
	r.icon.Resource = i.icon
	r.text.Style = fyne.TextStyle{Bold: i.selected}
	r.text.Text, r.text.ColorName = i.title, name
	r.text.Hidden = i.thin
	r.badge.Hidden = i.thin || i.badge == ""
	r.badge.Set(i.badge, widgets.Neutral)
	r.dot.FillColor = color.Transparent
	if i.thin && i.badge != "" {
		r.dot.FillColor = theme.Color(theme.ColorNameAccent)
	}
	r.Layout(r.face.Size())
	r.text.Refresh()
	for _, o := range []fyne.CanvasObject{r.bar, r.track, r.meter, r.icon, r.dot} {
		o.Refresh()
	}
}
