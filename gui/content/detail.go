package content

import (
	"fmt"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// shownUses is how many files a list of the pane names before it only counts the others.
const shownUses = 12

// detailPane shows everything about the selected file or folder.
type detailPane struct {
	screen *screen
	detail *Detail
	object fyne.CanvasObject

	empty   *widgets.EmptyState
	column  *widgets.Column
	stack   *fyne.Container
	picture *widgets.PixelImage
	caption *theme.Text
	preview *fyne.Container
	loader  *previewer
	closed  atomic.Bool
}

const pictureRoom = 168

func newDetailPane(s *screen) *detailPane {
	p := &detailPane{screen: s}
	p.empty = widgets.NewEmptyState(theme.Icon(theme.IconSearch), "Why does it ship?",
		"Choose a file or a folder to see what brought it in, what uses it, and what to do to ship it or not.")
	p.picture = widgets.NewPixelImage(nil, fyne.NewSize(pictureRoom, pictureRoom))
	p.caption = theme.Caption("")
	p.caption.Align = fyne.TextAlignCenter
	p.preview = widgets.NewStack(4, p.picture, p.caption)
	p.stack = widgets.NewStack(8)
	p.column = widgets.NewColumn(container.New(&widgets.PadLayout{Left: 14, Top: 12, Right: 14, Bottom: 16}, p.stack))
	p.object = container.NewStack(widgets.NewGround(theme.ColorNamePanel, 0), p.column, p.empty)
	p.loader = &previewer{
		start: func(work func()) { go work() },
		done: func(v Preview) {
			if !p.closed.Load() {
				s.host.Do(func() { p.arrived(v) })
			}
		},
		load: loadPreview,
	}
	return p
}

func (p *detailPane) close() {
	p.closed.Store(true)
	p.loader.want("", "")
}

// show fills the pane; nil empties it.
func (p *detailPane) show(d *Detail) {
	other := d == nil || p.detail == nil || d.Path != p.detail.Path
	p.detail = d
	p.empty.Hidden = d != nil
	if d == nil {
		p.column.Hide()
		p.loader.want("", "")
		p.object.Refresh()
		return
	}
	p.column.Show()
	p.stack.Objects = p.parts(d)
	if other {
		p.column.Offset = fyne.Position{}
		p.picture.SetImage(nil)
		p.caption.SetText("Reading the picture…")
	}
	if d.Picture && d.File != "" {
		p.loader.want(d.Path, d.File)
	} else {
		p.loader.want("", "")
	}
	p.column.Relayout()
	p.object.Refresh()
}

// arrived shows a picture that was decoded, unless the person has gone on to another file.
func (p *detailPane) arrived(v Preview) {
	if p.detail == nil || p.detail.Path != v.Path {
		return
	}
	if v.Image != nil {
		p.picture.SetImage(v.Image)
		p.caption.SetText(fmt.Sprintf("%s × %s %s", ui.Count(int64(v.Width)), ui.Count(int64(v.Height)), v.Format))
	} else {
		p.picture.SetImage(nil)
		p.caption.SetText(v.Problem)
	}
	p.column.Relayout()
}

func (p *detailPane) parts(d *Detail) []fyne.CanvasObject {
	s := p.screen
	var parts []fyne.CanvasObject
	add := func(o ...fyne.CanvasObject) { parts = append(parts, o...) }
	if d.Picture {
		add(p.preview)
	}
	name := theme.Heading(d.Name).WithTruncation(theme.TruncateMiddle)
	copyPath := widgets.NewIconButton(theme.Icon(theme.IconCopy), "Copy the path", s.copyPath)
	reveal := widgets.NewIconButton(theme.Icon(theme.IconExternal), "Show in its folder", s.openFile)
	copyPath.Quiet, reveal.Quiet = true, true
	if d.File == "" {
		reveal.Disable()
	}
	titles := widgets.NewStack(1, name)
	if d.Path != d.Name {
		titles.Add(theme.MonoMuted(d.Path))
	}
	add(container.NewBorder(nil, nil, nil, container.NewHBox(copyPath, reveal), titles))
	add(container.NewHBox(p.badge(d), theme.Muted(d.Word)))
	add(theme.Paragraph(d.Explanation).WithColor(fynetheme.ColorNameForeground))
	if d.Advice != "" {
		add(widgets.NewNote(d.Advice, widgets.Notice))
	}
	if len(d.Actions) > 0 {
		row := container.NewHBox()
		for i, a := range d.Actions {
			b := widget.NewButton(a.Title(), func() { s.do(a) })
			if i == 0 && d.State == Left {
				b.Importance = widget.HighImportance
			}
			row.Add(b)
		}
		add(row)
	}
	for _, m := range d.Missing {
		add(p.missing(d, m))
	}
	if len(d.Chain) > 0 {
		add(section("How it gets in"), p.trail(d))
	}
	if len(d.Users) > 0 {
		add(section("Used by"), p.uses(d.Users))
	}
	if len(d.Targets) > 0 {
		add(section("Refers to"), p.uses(d.Targets))
	}
	add(section("Facts"), p.facts(d))
	return parts
}

func section(title string) fyne.CanvasObject {
	return container.New(&widgets.PadLayout{Top: 6}, theme.Overline(title))
}

func (p *detailPane) badge(d *Detail) fyne.CanvasObject {
	switch {
	case d.State == Left:
		return widgets.NewBadge("Left out", widgets.Neutral)
	case d.State == Loose:
		return widgets.NewBadge("Ships beside the pack", widgets.Notice)
	case d.Folder:
		return widgets.NewBadge("Folder", widgets.Neutral)
	}
	return widgets.NewBadge("Ships", widgets.Success)
}

// missing is one reference that leads nowhere, with what may have been meant.
func (p *detailPane) missing(d *Detail, m MissingTarget) fyne.CanvasObject {
	tone, text := widgets.Warning, "Missing: "
	if m.Fatal {
		tone, text = widgets.Danger, "An export stops here. Missing: "
	}
	note := widgets.NewNote(text+m.Text, tone)
	hint := widgets.NewNote(m.Hint, widgets.Neutral)
	links := container.NewHBox()
	if m.Near != "" {
		links.Add(widgets.NewLink("Show "+m.Near, func() { p.screen.reveal(m.Near) }))
	}
	if m.Line > 0 {
		place := p.screen.placeOf(d.Path)
		links.Add(widgets.NewLink(fmt.Sprintf("Open line %d", m.Line), func() { p.screen.host.OpenPlace(place, m.Line) }))
	}
	return widgets.NewStack(2, note, hint, links)
}

func (p *detailPane) trail(d *Detail) fyne.CanvasObject {
	var rows []*widgets.PathRow
	for i, step := range d.Chain {
		open := func() { p.screen.openStep(step) }
		var r *widgets.PathRow
		switch {
		case step.Word != "":
			if step.Path == "" {
				open = nil
			}
			r = widgets.NewPathRow(nil, step.Word, step.Path, open).SetPlain()
		case i == len(d.Chain)-1:
			r = widgets.NewPathRow(p.icon(step.Path), step.Path, "", open).SetStrong()
		default:
			r = widgets.NewPathRow(p.icon(step.Path), step.Path, "", open)
		}
		r.OnFocus = func() { p.column.Reveal(r) }
		rows = append(rows, r)
	}
	return widgets.NewTrail(rows...)
}

func (p *detailPane) icon(path string) fyne.Resource {
	kind := "Folder"
	if e := p.screen.tree().ByPath(path); e != nil {
		kind = e.Kind
	}
	return p.screen.icons.Get(theme.KindIcon(kind), theme.ColorNameMuted)
}

func (p *detailPane) uses(uses []Use) fyne.CanvasObject {
	list := widgets.NewStack(0)
	for i, u := range uses {
		if i == shownUses {
			list.Add(theme.Caption("and " + ui.Count(int64(len(uses)-i)) + " more"))
			break
		}
		note := ""
		if !u.Ships {
			note = "left out"
		}
		r := widgets.NewPathRow(p.icon(u.Path), u.Path, note, func() { p.screen.reveal(u.Path) })
		r.OnFocus = func() { p.column.Reveal(r) }
		if !u.Ships {
			r.SetMuted()
		}
		list.Add(r)
	}
	return list
}

func (p *detailPane) facts(d *Detail) fyne.CanvasObject {
	list := widgets.NewStack(2)
	for _, f := range d.Facts {
		value := theme.Body(f.Value).WithTruncation(theme.TruncateEnd)
		if f.Mono {
			value = theme.Mono(f.Value)
		}
		row := container.New(&factLayout{}, theme.Muted(f.Name).WithTruncation(theme.TruncateEnd), value)
		if f.Copy != "" {
			b := widgets.NewIconButton(theme.Icon(theme.IconCopy), "Copy "+f.Copy, func() { p.screen.host.Copy(f.Copy) })
			b.Quiet = true
			b.OnFocus = func() { p.column.Reveal(b) }
			row.Add(b)
		}
		list.Add(row)
	}
	return list
}

// factLayout puts a name, its value and perhaps a button into a line.
type factLayout struct{}

const factName = 96

func (factLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(160, 22) }

func (factLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	right := size.Width
	if len(objects) > 2 {
		right -= 22
		objects[2].Move(fyne.NewPos(right, 0))
		objects[2].Resize(fyne.NewSize(22, size.Height))
		right -= 4
	}
	objects[0].Move(fyne.Position{})
	objects[0].Resize(fyne.NewSize(factName-6, size.Height))
	objects[1].Move(fyne.NewPos(factName, 0))
	objects[1].Resize(fyne.NewSize(max(0, right-factName), size.Height))
}
