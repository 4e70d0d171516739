package scenes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/project/scene"
	"talebinder/project/scene/overrides"
)

const (
	edge   = 10 // between the sides of a list and what stands in it
	indent = 14 // of a level of the tree
)

// documentLine is a scene or prefab in the list.
type documentLine struct {
	widget.BaseWidget

	screen *screen
	icon   *mark
	name   *theme.Text
	count  *theme.Text
	dot    *dot
	waste  *dot
	wasted *theme.Text
	edited *mark
	start  *mark // the game starts with it
}

func newDocumentLine(s *screen) *documentLine {
	l := &documentLine{
		screen: s, icon: newMark(), name: theme.Body("").WithTruncation(theme.TruncateMiddle), count: theme.Caption(""), dot: newDot(),
		waste: newDot(), wasted: theme.Caption(""), edited: newMark(), start: newMark(),
	}
	l.ExtendBaseWidget(l)
	return l
}

func (l *documentLine) set(d *DocumentRow) {
	icon, color, text := theme.IconScene, theme.ColorNameAccent, foreground
	if d.Kind == scene.Prefab {
		icon, color = theme.IconPrefab, theme.ColorNameInfo
	}
	if d.Broken {
		icon, color = theme.IconError, fynetheme.ColorNameError
	}
	l.icon.set(l.screen.icons.get(icon, color))
	l.name.Set(trimFolder(d), text)
	l.start.set(nil)
	if d.Start {
		l.start.set(l.screen.icons.get(theme.IconPlay, theme.ColorNameMuted))
	}
	good := d.Counts[overrides.Effective]
	l.dot.set(good > 0, overrides.Effective)
	l.count.SetText(blank(good))
	l.waste.set(d.Waste() > 0, overrides.Orphaned)
	l.wasted.SetText(blank(d.Waste()))
	l.edited.set(nil)
	if d.Edited {
		l.edited.set(l.screen.icons.get(theme.IconSave, theme.ColorNameAccent))
	}
	l.Refresh()
}

// trimFolder leaves out the folder that most scenes or prefabs are in.
func trimFolder(d *DocumentRow) string {
	prefix := "scenes/"
	if d.Kind == scene.Prefab {
		prefix = "prefabs/"
	}
	name := d.Path
	if len(name) > len(prefix) && name[:len(prefix)] == prefix {
		name = name[len(prefix):]
	}
	return name
}

func blank(n int) string {
	if n == 0 {
		return ""
	}
	return ui.Count(int64(n))
}

func (l *documentLine) CreateRenderer() fyne.WidgetRenderer {
	return &lineRenderer{l, []fyne.CanvasObject{l.icon.Image, l.name, l.dot.Circle, l.count, l.waste.Circle, l.wasted, l.edited.Image, l.start.Image}, l.place}
}

func (l *documentLine) place(size fyne.Size) {
	right := size.Width - edge - 8
	for _, pair := range []struct {
		text *theme.Text
		dot  *dot
	}{{l.wasted, l.waste}, {l.count, l.dot}} {
		if pair.dot.Hidden {
			continue
		}
		w := pair.text.MinSize().Width
		right -= w
		pair.text.Move(fyne.NewPos(right, 0))
		pair.text.Resize(fyne.NewSize(w, size.Height))
		right -= dotSide + 3
		pair.dot.place(right, size.Height)
		right -= 8
	}
	if !l.edited.Hidden {
		right -= 14
		l.edited.place(right, size.Height, 14)
		right -= 6
	}
	l.icon.place(edge, size.Height, 16)
	l.name.Move(fyne.NewPos(edge+22, 0))
	room := max(20, right-edge-22)
	if !l.start.Hidden {
		width := min(fyne.MeasureText(l.name.Text, theme.Size(fynetheme.SizeNameText), l.name.Style).Width+6, room-14)
		l.start.place(edge+22+width, size.Height, 12)
		room = width
	}
	l.name.Resize(fyne.NewSize(room, size.Height))
}

// lineRenderer draws a row of fixed parts.
type lineRenderer struct {
	row     fyne.CanvasObject
	objects []fyne.CanvasObject
	place   func(fyne.Size)
}

func (r *lineRenderer) Destroy()                     {}
func (r *lineRenderer) MinSize() fyne.Size           { return fyne.NewSize(60, theme.Size(theme.SizeNameRow)) }
func (r *lineRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *lineRenderer) Layout(size fyne.Size)        { r.place(size) }
func (r *lineRenderer) Refresh()                     { r.place(r.row.Size()); canvas.Refresh(r.row) }

// treeLine is an entity in the hierarchy.
type treeLine struct {
	widget.BaseWidget

	screen  *screen
	node    int
	depth   int
	chevron *widgets.RowButton
	icon    *mark
	name    *theme.Text
	note    *theme.Text
	dot     *dot
	below   *dot
}

func newTreeLine(s *screen) *treeLine {
	l := &treeLine{
		screen: s, chevron: widgets.NewRowButton(theme.Icon(theme.IconChevronRight)), icon: newMark(),
		name: theme.Body("").WithTruncation(theme.TruncateEnd), note: theme.Caption(""), dot: newDot(), below: newDot(),
	}
	l.chevron.OnTapped = func() { s.toggle(l.node) }
	l.ExtendBaseWidget(l)
	return l
}

func (l *treeLine) set(r TreeRow) {
	s := l.screen
	n := &s.open.Expansion.Nodes[r.Node]
	m := s.open.Tree.Marks(r.Node)
	l.node, l.depth = r.Node, r.Depth
	l.chevron.Hidden = !r.Children
	if r.Children {
		chevron := theme.IconChevronRight
		if r.Open {
			chevron = theme.IconChevronDown
		}
		l.chevron.SetIcon(s.icons.get(chevron, theme.ColorNameMuted), theme.ColorNameMuted)
	}
	icon, iconColor, color := theme.IconEntity, theme.ColorNameMuted, foreground
	switch {
	case m.Missing:
		icon, iconColor = theme.IconProblems, fynetheme.ColorNameWarning
	case m.Instance:
		icon, iconColor = theme.IconPrefab, theme.ColorNameInfo
	}
	if m.Member && !m.Instance {
		iconColor = theme.ColorNameInfo
	}
	if m.Inactive {
		color = theme.ColorNameMuted
	}
	l.icon.set(s.icons.get(icon, iconColor))
	name := n.Name
	if name == "" {
		name = "(no name)"
	}
	l.name.Set(name, color)
	l.note.SetText("")
	switch {
	case m.Missing:
		l.note.SetText("prefab missing")
	case m.Inactive:
		l.note.SetText("inactive")
	}
	l.dot.set(m.Own > 0, overrides.Effective)
	// What is folded away must not be overlooked.
	l.below.set(m.Own == 0 && m.Below > 0 && !r.Open, overrides.Redundant)
	if !l.below.Hidden {
		l.below.StrokeColor = theme.Color(theme.ColorNameAccent)
	}
	l.Refresh()
}

func (l *treeLine) CreateRenderer() fyne.WidgetRenderer {
	return &lineRenderer{l, []fyne.CanvasObject{l.chevron, l.icon.Image, l.name, l.note, l.dot.Circle, l.below.Circle}, l.place}
}

func (l *treeLine) place(size fyne.Size) {
	// Deep trees stop moving to the right before their names run out of room.
	x := 4 + min(float32(l.depth)*indent, size.Width*0.45)
	l.chevron.Move(fyne.NewPos(x-2, (size.Height-20)/2))
	l.chevron.Resize(fyne.NewSquareSize(20))
	x += 18
	l.icon.place(x, size.Height, 15)
	x += 21
	right := size.Width - edge - 10 - dotSide
	l.dot.place(right, size.Height)
	l.below.place(right, size.Height)
	right -= 6
	if l.note.Text != "" {
		w := l.note.MinSize().Width
		right -= w
		l.note.Move(fyne.NewPos(right, 0))
		l.note.Resize(fyne.NewSize(w, size.Height))
		right -= 6
	}
	l.name.Move(fyne.NewPos(x, 0))
	l.name.Resize(fyne.NewSize(max(20, right-x), size.Height))
}
