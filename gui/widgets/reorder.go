package widgets

import (
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
)

// ReorderList is a list whose rows can be put in another order: by dragging the grip at their left end, and by Alt+Up and
// Alt+Down. Rows at its beginning can be locked; they stay where they are and show a lock in place of the grip.
//
// Space toggles the selected row, Delete removes it, Enter activates it; what that means is up to the callbacks.
type ReorderList struct {
	widget.BaseWidget

	// Locked is the number of rows at the beginning that cannot be moved, and before which nothing can be put.
	Locked func() int
	// OnMove moves row from to index to, counted after it was taken out. The owner changes its data and refreshes the list.
	OnMove func(from, to int)
	// OnToggle, OnDelete and OnActivated answer Space, Delete and Enter (or a double tap) on a row.
	OnToggle, OnDelete, OnActivated func(i int)
	// OnSelected is told about a new selection.
	OnSelected func(i int)
	// MinRows and MaxRows bound the height that the list asks for, in rows; beyond MaxRows it scrolls. 0 means 3 and 12.
	MinRows, MaxRows int

	rows   *Rows
	length func() int
	drag   *drag
	line   *canvas.Rectangle
	knob   *canvas.Circle
	scroll *fyne.Animation
}

// drag is a row on its way to another place.
type drag struct {
	from   int
	y      float32 // of the row's middle, from the top of the list's visible part
	target int     // the gap it would fall into: 0 is before the first row
}

var _ HeightForWidth = (*ReorderList)(nil)

// NewReorderList makes a list. create makes the objects of a row and update fills them, as for Rows.
func NewReorderList(length func() int, create func() fyne.CanvasObject, update func(i int, row fyne.CanvasObject)) *ReorderList {
	l := &ReorderList{length: length, line: canvas.NewRectangle(color.Transparent), knob: canvas.NewCircle(color.Transparent)}
	l.line.Hide()
	l.knob.Hide()
	l.rows = NewRows(length, func() fyne.CanvasObject {
		return newReorderRow(l, create())
	}, func(i int, o fyne.CanvasObject) {
		row := o.(*reorderRow)
		row.set(i)
		update(i, row.content)
	})
	l.rows.Height = 30
	l.rows.OnKey = l.key
	l.rows.OnShortcut = l.shortcut
	l.rows.OnSelected = func(i int) {
		if l.OnSelected != nil {
			l.OnSelected(i)
		}
	}
	l.rows.OnActivated = func(i int) {
		if l.OnActivated != nil {
			l.OnActivated(i)
		}
	}
	l.ExtendBaseWidget(l)
	return l
}

// SetOnFocus sets what is told when the list gets the focus.
func (l *ReorderList) SetOnFocus(f func()) { l.rows.OnFocus = f }

// SetOuter sets the scroll that takes the wheel once the list has reached its end.
func (l *ReorderList) SetOuter(outer fyne.Scrollable) { l.rows.Outer = outer }

// Selected gives the selected row, or -1.
func (l *ReorderList) Selected() int { return l.rows.Selected() }

// Select selects a row and brings it into sight.
func (l *ReorderList) Select(i int) { l.rows.Select(i) }

// Focus gives the keyboard to the list.
func (l *ReorderList) Focus() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(l.rows); c != nil {
		c.Focus(l.rows)
	}
}

// Focused says whether the list has the keyboard.
func (l *ReorderList) Focused() bool { return l.rows.focused }

// Refresh fills the rows in sight again and takes up a changed length.
func (l *ReorderList) Refresh() {
	l.rows.Refresh()
	l.BaseWidget.Refresh()
}

// RefreshRow fills one row again if it is in sight.
func (l *ReorderList) RefreshRow(i int) { l.rows.RefreshRow(i) }

// RowHeight is the height of a row.
func (l *ReorderList) RowHeight() float32 { return l.rows.Height }

// SetRowHeight changes the height of all rows.
func (l *ReorderList) SetRowHeight(h float32) { l.rows.Height = h }

// HeightForWidth gives the height of the rows, within MinRows and MaxRows.
func (l *ReorderList) HeightForWidth(float32) float32 {
	least, most := l.MinRows, l.MaxRows
	if least == 0 {
		least = 3
	}
	if most == 0 {
		most = 12
	}
	return float32(max(least, min(l.length(), most))) * l.rows.Height
}

// MoveRow moves row from by the callback, when both places are allowed, and lets the selection follow it.
func (l *ReorderList) MoveRow(from, to int) bool {
	locked, n := l.locked(), l.length()
	if from == to || from < locked || from >= n || to < locked || to >= n || l.OnMove == nil {
		return false
	}
	l.OnMove(from, to)
	l.rows.Mark(to)
	l.rows.ScrollTo(to)
	l.Refresh()
	return true
}

// MoveSelected moves the selected row by a number of places, as Alt+Up and Alt+Down do.
func (l *ReorderList) MoveSelected(by int) bool {
	return l.rows.Selected() >= 0 && l.MoveRow(l.rows.Selected(), l.rows.Selected()+by)
}

func (l *ReorderList) locked() int {
	if l.Locked == nil {
		return 0
	}
	return l.Locked()
}

func (l *ReorderList) key(e *fyne.KeyEvent) bool {
	i := l.rows.Selected()
	if i < 0 {
		return false
	}
	switch e.Name {
	case fyne.KeySpace:
		if l.OnToggle != nil {
			l.OnToggle(i)
		}
		return true
	case fyne.KeyDelete, fyne.KeyBackspace:
		if l.OnDelete != nil {
			l.OnDelete(i)
		}
		return true
	case fyne.KeyEscape:
		if l.drag != nil {
			l.endDrag(false)
			return true
		}
	}
	return false
}

func (l *ReorderList) shortcut(s fyne.Shortcut) {
	if c, ok := s.(*desktop.CustomShortcut); ok && c.Modifier == fyne.KeyModifierAlt {
		switch c.KeyName {
		case fyne.KeyUp:
			l.MoveSelected(-1)
		case fyne.KeyDown:
			l.MoveSelected(1)
		}
	}
}

// dragged moves the row that hangs at the pointer by dy and shows where it would fall.
func (l *ReorderList) dragged(i int, dy float32) {
	if l.drag == nil {
		if i < l.locked() {
			return
		}
		top := float32(i)*l.rows.Height - l.rows.scroll.Offset.Y
		l.drag = &drag{from: i, y: top + l.rows.Height/2, target: i}
		l.rows.Select(i)
		l.Focus()
	}
	l.drag.y += dy
	l.aim()
	l.autoscroll()
}

// aim finds the gap nearest to the row's middle and draws the line there.
func (l *ReorderList) aim() {
	d, height := l.drag, l.rows.Height
	y := d.y + l.rows.scroll.Offset.Y
	d.target = max(l.locked(), min(int(math.Round(float64(y/height))), l.length()))
	at := float32(d.target)*height - l.rows.scroll.Offset.Y
	l.line.FillColor, l.knob.FillColor = theme.Color(theme.ColorNameAccent), theme.Color(theme.ColorNameAccent)
	at = fyne.Max(1, fyne.Min(at, l.rows.scroll.Size().Height-1))
	l.line.Move(fyne.NewPos(4, at-1))
	l.line.Resize(fyne.NewSize(l.Size().Width-8, 2))
	l.knob.Move(fyne.NewPos(1, at-3))
	l.knob.Resize(fyne.NewSquareSize(6))
	l.line.Show()
	l.knob.Show()
	l.line.Refresh()
	l.knob.Refresh()
}

// autoscroll runs while the row hangs at an edge of the visible part, faster the further it is out.
func (l *ReorderList) autoscroll() {
	if l.speed() == 0 {
		l.stopScroll()
		return
	}
	if l.scroll != nil {
		return
	}
	l.scroll = fyne.NewAnimation(canvas.DurationStandard, func(float32) {
		if l.drag == nil {
			return
		}
		l.rows.offset(l.rows.scroll.Offset.Y + l.speed())
		l.aim()
	})
	l.scroll.RepeatCount = fyne.AnimationRepeatForever
	l.scroll.Start()
}

// speed gives how far to scroll in one tick; negative is upwards.
func (l *ReorderList) speed() float32 {
	if l.drag == nil {
		return 0
	}
	edge := l.rows.Height / 2
	view := l.rows.scroll.Size().Height
	switch y := l.drag.y; {
	case y < edge:
		return fyne.Max(-12, (y-edge)/4)
	case y > view-edge:
		return fyne.Min(12, (y-view+edge)/4)
	}
	return 0
}

func (l *ReorderList) stopScroll() {
	if l.scroll != nil {
		l.scroll.Stop()
		l.scroll = nil
	}
}

func (l *ReorderList) endDrag(drop bool) {
	l.stopScroll()
	d := l.drag
	l.drag = nil
	l.line.Hide()
	l.knob.Hide()
	if d == nil {
		return
	}
	if drop {
		to := d.target
		if to > d.from {
			to--
		}
		l.MoveRow(d.from, to)
	}
	l.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (l *ReorderList) CreateRenderer() fyne.WidgetRenderer {
	l.ExtendBaseWidget(l)
	return &reorderRenderer{l}
}

type reorderRenderer struct{ l *ReorderList }

func (r *reorderRenderer) Destroy()              { r.l.stopScroll() }
func (r *reorderRenderer) Layout(size fyne.Size) { r.l.rows.Resize(size) }
func (r *reorderRenderer) MinSize() fyne.Size    { return fyne.NewSize(160, 3*r.l.rows.Height) }
func (r *reorderRenderer) Refresh()              { canvas.Refresh(r.l) }
func (r *reorderRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.l.rows, r.l.line, r.l.knob}
}

// reorderRow is a grip and the owner's objects.
type reorderRow struct {
	widget.BaseWidget

	list    *ReorderList
	grip    *grip
	content fyne.CanvasObject
}

func newReorderRow(l *ReorderList, content fyne.CanvasObject) *reorderRow {
	r := &reorderRow{list: l, content: content, grip: &grip{list: l}}
	r.grip.ExtendBaseWidget(r.grip)
	r.ExtendBaseWidget(r)
	return r
}

func (r *reorderRow) set(i int) {
	r.grip.index = i
	if locked := i < r.list.locked(); r.grip.locked != locked {
		r.grip.locked = locked
		r.grip.Refresh()
	}
}

func (r *reorderRow) CreateRenderer() fyne.WidgetRenderer { return &reorderRowRenderer{r} }

type reorderRowRenderer struct{ r *reorderRow }

const gripWidth = 24

func (r *reorderRowRenderer) Destroy() {}
func (r *reorderRowRenderer) MinSize() fyne.Size {
	return r.r.content.MinSize().AddWidthHeight(gripWidth, 0)
}
func (r *reorderRowRenderer) Refresh() { canvas.Refresh(r.r) }
func (r *reorderRowRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.r.grip, r.r.content}
}

func (r *reorderRowRenderer) Layout(size fyne.Size) {
	r.r.grip.Resize(fyne.NewSize(gripWidth, size.Height))
	r.r.content.Move(fyne.NewPos(gripWidth, 0))
	r.r.content.Resize(fyne.NewSize(size.Width-gripWidth, size.Height))
}

// grip is what the pointer takes hold of.
type grip struct {
	widget.BaseWidget

	list   *ReorderList
	index  int
	locked bool
}

var (
	_ fyne.Draggable     = (*grip)(nil)
	_ desktop.Cursorable = (*grip)(nil)
)

// Dragged implements fyne.Draggable. Rows are used again while the list scrolls, so after the first event the list's own
// record counts, not this grip's row.
func (g *grip) Dragged(e *fyne.DragEvent) {
	if g.list.drag == nil && g.locked {
		return
	}
	g.list.dragged(g.index, e.Dragged.DY)
}

// DragEnd implements fyne.Draggable.
func (g *grip) DragEnd() { g.list.endDrag(true) }

// Cursor implements desktop.Cursorable.
func (g *grip) Cursor() desktop.Cursor {
	if g.locked {
		return desktop.DefaultCursor
	}
	return desktop.VResizeCursor
}

// CreateRenderer implements fyne.Widget.
func (g *grip) CreateRenderer() fyne.WidgetRenderer {
	r := &rowIconRenderer{icon: canvas.NewImageFromResource(nil), look: func() fyne.Resource {
		if g.locked {
			return tinted(theme.Icon(theme.IconLock), theme.ColorNameMuted)
		}
		return tinted(theme.Icon(theme.IconGrip), fynetheme.ColorNamePlaceHolder)
	}}
	r.icon.FillMode = canvas.ImageFillContain
	r.Refresh()
	return r
}
