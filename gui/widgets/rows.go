package widgets

import (
	"image/color"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	tbtheme "talebinder/gui/theme"
)

// doubleTap is the longest time between two taps on one row that counts as a double tap. Rows look at the clock
// themselves because a widget that asks the driver for double taps gets its single taps late.
const doubleTap = 400 * time.Millisecond

// Rows is a list of rows of one height without gaps. Only the rows in sight exist as objects, so its cost does not
// depend on its length. The selection follows the arrow, page, Home and End keys, as in a file list.
type Rows struct {
	widget.BaseWidget

	// Height is the height of a row in device-independent pixels.
	Height float32
	// OnSelected is told about a new selection, made by hand or by Select.
	OnSelected func(i int)
	// OnActivated is called for Enter and for a double tap.
	OnActivated func(i int)
	// OnClicked is called for every tap, after the row was selected, for a list where one tap is enough.
	OnClicked func(i int)
	// OnKey sees every key before the list does and returns true to keep it, for instance Left and Right in a tree.
	OnKey func(key *fyne.KeyEvent) bool
	// OnShortcut sees the shortcuts that no menu item has taken, such as Alt+Up.
	OnShortcut func(fyne.Shortcut)
	// OnFocus is told when the list gets the focus.
	OnFocus func()
	// Outer, when set, takes the wheel once the list does not move any further.
	Outer fyne.Scrollable
	// OnSecondary is called for a tap with the secondary button, with the position in the window.
	OnSecondary func(i int, at fyne.Position)
	// OnScrolled is called after the list was scrolled by hand or by a key.
	OnScrolled func()
	// Striped shades every other row, which helps the eye across many columns.
	Striped bool

	length func() int
	create func() fyne.CanvasObject
	update func(i int, row fyne.CanvasObject)

	selected  int
	focused   bool
	scroll    *chained
	body      *fyne.Container
	visible   map[int]*row
	spare     []*row
	lastTap   time.Time
	lastIndex int
	now       func() time.Time
}

var (
	_ fyne.Widget    = (*Rows)(nil)
	_ fyne.Focusable = (*Rows)(nil)

	_ fyne.Shortcutable = (*Rows)(nil)
)

// NewRows makes a list. length gives the number of rows, create a row's objects, and update fills a row; since rows are
// used again, update has to set every property that differs between rows.
func NewRows(length func() int, create func() fyne.CanvasObject, update func(i int, row fyne.CanvasObject)) *Rows {
	r := &Rows{
		Height: 24, length: length, create: create, update: update,
		selected: -1, lastIndex: -1, visible: map[int]*row{}, now: time.Now,
	}
	r.body = container.New(&rowsLayout{r})
	r.scroll = newChained(r)
	r.scroll.OnScrolled = func(fyne.Position) {
		r.arrange(false)
		if r.OnScrolled != nil {
			r.OnScrolled()
		}
	}
	r.ExtendBaseWidget(r)
	return r
}

// CreateRenderer implements fyne.Widget.
func (r *Rows) CreateRenderer() fyne.WidgetRenderer { return &rowsRenderer{r} }

// MinSize implements fyne.CanvasObject: a list can always shrink to three rows.
func (r *Rows) MinSize() fyne.Size { return fyne.NewSize(80, 3*r.Height) }

// Selected gives the index of the selected row, or -1.
func (r *Rows) Selected() int { return r.selected }

// Select selects row i, brings it into sight and tells OnSelected when that is a change. An index outside the list
// takes the selection away without telling anybody.
func (r *Rows) Select(i int) {
	if i < 0 || i >= r.length() {
		r.Mark(-1)
		return
	}
	changed := i != r.selected
	r.Mark(i)
	r.ScrollTo(i)
	if changed && r.OnSelected != nil {
		r.OnSelected(i)
	}
}

// Mark selects row i without scrolling and without telling anybody, for a list whose rows have moved.
func (r *Rows) Mark(i int) {
	if i >= r.length() {
		i = -1
	}
	if i == r.selected {
		return
	}
	old := r.selected
	r.selected = i
	r.paint(old)
	r.paint(i)
}

// ScrollTo brings row i into sight with as little movement as possible.
func (r *Rows) ScrollTo(i int) {
	top, height := float32(i)*r.Height, r.scroll.Size().Height
	switch offset := r.scroll.Offset.Y; {
	case height <= 0:
		return
	case top < offset:
		r.offset(top)
	case top+r.Height > offset+height:
		r.offset(top + r.Height - height)
	}
}

// ScrollToBottom shows the last row.
func (r *Rows) ScrollToBottom() { r.offset(r.total()) }

// ScrollToTop shows the first row.
func (r *Rows) ScrollToTop() { r.offset(0) }

// AtBottom says whether the last row is in sight.
func (r *Rows) AtBottom() bool {
	return r.scroll.Offset.Y+r.scroll.Size().Height >= r.total()-r.Height/2
}

// RefreshRow fills row i again if it is in sight.
func (r *Rows) RefreshRow(i int) {
	if row, ok := r.visible[i]; ok {
		row.fill()
	}
}

// Refresh fills every row in sight again and takes up a changed length.
func (r *Rows) Refresh() {
	r.spare = nil // nobody else would tell them that the theme has changed
	if r.selected >= r.length() {
		r.selected = -1
	}
	r.arrange(true)
	r.BaseWidget.Refresh()
}

// FocusGained implements fyne.Focusable.
func (r *Rows) FocusGained() {
	r.focused = true
	r.paint(r.selected)
	if r.OnFocus != nil {
		r.OnFocus()
	}
}

// FocusLost implements fyne.Focusable.
func (r *Rows) FocusLost() {
	r.focused = false
	r.paint(r.selected)
}

// TypedRune implements fyne.Focusable.
func (r *Rows) TypedRune(rune) {}

// TypedShortcut implements fyne.Shortcutable.
func (r *Rows) TypedShortcut(s fyne.Shortcut) {
	if r.OnShortcut != nil {
		r.OnShortcut(s)
	}
}

// TypedKey implements fyne.Focusable.
func (r *Rows) TypedKey(key *fyne.KeyEvent) {
	if r.OnKey != nil && r.OnKey(key) {
		return
	}
	n := r.length()
	if n == 0 {
		return
	}
	page := max(1, int(r.scroll.Size().Height/r.Height)-1)
	switch key.Name {
	case fyne.KeyDown:
		r.Select(min(r.selected+1, n-1))
	case fyne.KeyUp:
		r.Select(max(r.selected-1, 0))
	case fyne.KeyPageDown:
		r.Select(min(r.selected+page, n-1))
	case fyne.KeyPageUp:
		r.Select(max(r.selected-page, 0))
	case fyne.KeyHome:
		r.Select(0)
	case fyne.KeyEnd:
		r.Select(n - 1)
	case fyne.KeyReturn, fyne.KeyEnter:
		if r.selected >= 0 && r.OnActivated != nil {
			r.OnActivated(r.selected)
		}
	}
}

func (r *Rows) inSight(i int) bool {
	top := float32(i)*r.Height - r.scroll.Offset.Y
	return i >= 0 && top >= 0 && top+r.Height <= r.scroll.Size().Height
}

func (r *Rows) total() float32 { return float32(r.length()) * r.Height }

func (r *Rows) offset(y float32) {
	y = max(0, min(y, r.total()-r.scroll.Size().Height))
	r.scroll.ScrollToOffset(fyne.NewPos(0, y))
	r.arrange(false)
}

func (r *Rows) tapped(i int) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(r); c != nil {
		c.Focus(r)
	}
	now := r.now()
	double := i == r.lastIndex && now.Sub(r.lastTap) <= doubleTap
	r.lastIndex, r.lastTap = i, now
	r.Select(i)
	if r.OnClicked != nil {
		r.OnClicked(i)
		return
	}
	if double {
		r.lastIndex = -1
		if r.OnActivated != nil {
			r.OnActivated(i)
		}
	}
}

func (r *Rows) secondary(i int, at fyne.Position) {
	r.Select(i)
	if r.OnSecondary != nil {
		r.OnSecondary(i, at)
	}
}

func (r *Rows) paint(i int) {
	if row, ok := r.visible[i]; ok {
		row.paint()
	}
}

// arrange makes the rows in sight exist, each at its place. With all it fills also those that were there before.
func (r *Rows) arrange(all bool) {
	size := r.scroll.Size()
	if size.Height <= 0 {
		return
	}
	if height := r.total(); r.scroll.Offset.Y > 0 && r.scroll.Offset.Y > height-size.Height {
		r.scroll.Offset.Y = max(0, height-size.Height)
	}
	first := max(0, int(r.scroll.Offset.Y/r.Height))
	last := min(r.length()-1, int((r.scroll.Offset.Y+size.Height)/r.Height))
	for i, row := range r.visible {
		if i < first || i > last {
			delete(r.visible, i)
			r.spare = append(r.spare, row)
		}
	}
	r.body.Objects = r.body.Objects[:0]
	for i := first; i <= last; i++ {
		item, ok := r.visible[i]
		if !ok {
			item = r.take()
			item.index = i
			r.visible[i] = item
		}
		item.Move(fyne.NewPos(0, float32(i)*r.Height))
		item.Resize(fyne.NewSize(size.Width, r.Height))
		if !ok || all {
			item.fill()
		}
		r.body.Objects = append(r.body.Objects, item)
	}
	canvas.Refresh(r.body)
}

func (r *Rows) take() *row {
	if n := len(r.spare); n > 0 {
		item := r.spare[n-1]
		r.spare = r.spare[:n-1]
		item.hovered = false
		return item
	}
	return newRow(r, r.create())
}

// chained is a scroll that hands the wheel on when it has reached its end.
type chained struct {
	container.Scroll
	rows *Rows
}

func newChained(r *Rows) *chained {
	s := &chained{rows: r}
	s.Direction, s.Content = container.ScrollVerticalOnly, r.body
	s.ExtendBaseWidget(s)
	return s
}

// Scrolled implements fyne.Scrollable.
func (s *chained) Scrolled(e *fyne.ScrollEvent) {
	before := s.Offset
	s.Scroll.Scrolled(e)
	if s.Offset == before && s.rows.Outer != nil {
		s.rows.Outer.Scrolled(e)
	}
}

type rowsLayout struct{ rows *Rows }

func (l *rowsLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, l.rows.total()) }
func (l *rowsLayout) Layout([]fyne.CanvasObject, fyne.Size) { l.rows.arrange(false) }

type rowsRenderer struct{ rows *Rows }

func (r *rowsRenderer) Destroy() {}
func (r *rowsRenderer) Layout(size fyne.Size) {
	// What was chosen stays in sight when the list becomes lower.
	keep := r.rows.inSight(r.rows.selected)
	r.rows.scroll.Resize(size)
	if keep {
		r.rows.ScrollTo(r.rows.selected)
	}
	r.rows.arrange(false)
}
func (r *rowsRenderer) MinSize() fyne.Size           { return r.rows.MinSize() }
func (r *rowsRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.rows.scroll} }
func (r *rowsRenderer) Refresh()                     { r.rows.scroll.Refresh() }

// row is the frame around one row's objects: stripe, hover, selection and the pointer.
type row struct {
	widget.BaseWidget

	rows    *Rows
	index   int
	content fyne.CanvasObject
	back    *canvas.Rectangle
	mark    *canvas.Rectangle
	hovered bool
}

var (
	_ fyne.Tappable          = (*row)(nil)
	_ fyne.SecondaryTappable = (*row)(nil)
	_ desktop.Hoverable      = (*row)(nil)
)

func newRow(rows *Rows, content fyne.CanvasObject) *row {
	r := &row{rows: rows, content: content, back: canvas.NewRectangle(color.Transparent), mark: canvas.NewRectangle(color.Transparent)}
	r.ExtendBaseWidget(r)
	return r
}

func (r *row) CreateRenderer() fyne.WidgetRenderer { return &rowRenderer{r} }

func (r *row) fill() {
	r.rows.update(r.index, r.content)
	r.paint()
}

func (r *row) paint() {
	selected := r.index == r.rows.selected
	var back, mark color.Color = color.Transparent, color.Transparent
	switch {
	case selected:
		back = theme.Color(theme.ColorNameSelection)
		if r.rows.focused {
			mark = theme.Color(theme.ColorNamePrimary)
		}
	case r.hovered:
		back = theme.Color(theme.ColorNameHover)
	case r.rows.Striped && r.index%2 == 1:
		back = tbtheme.Color(tbtheme.ColorNameRowAlt)
	}
	if r.back.FillColor != back || r.mark.FillColor != mark {
		r.back.FillColor, r.mark.FillColor = back, mark
		r.back.Refresh()
		r.mark.Refresh()
	}
}

func (r *row) Tapped(*fyne.PointEvent)            { r.rows.tapped(r.index) }
func (r *row) TappedSecondary(e *fyne.PointEvent) { r.rows.secondary(r.index, e.AbsolutePosition) }
func (r *row) MouseIn(*desktop.MouseEvent)        { r.hovered = true; r.paint() }
func (r *row) MouseMoved(*desktop.MouseEvent)     {}
func (r *row) MouseOut()                          { r.hovered = false; r.paint() }

type rowRenderer struct{ row *row }

func (r *rowRenderer) Destroy()           {}
func (r *rowRenderer) MinSize() fyne.Size { return fyne.NewSize(0, r.row.rows.Height) }
func (r *rowRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.row.back, r.row.mark, r.row.content}
}
func (r *rowRenderer) Refresh() { r.row.paint(); canvas.Refresh(r.row) }
func (r *rowRenderer) Layout(size fyne.Size) {
	r.row.back.Resize(size)
	r.row.mark.Resize(fyne.NewSize(2, size.Height))
	r.row.content.Resize(size)
}
