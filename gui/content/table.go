package content

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// column is a place in a row, from left to right.
type column struct{ x, width float32 }

// columns are the places of a row's parts at some width. A column without width is left out: the narrower the list, the
// fewer of them there are; name, size and reason always stay.
type columns struct{ name, kind, size, reason, via column }

const (
	cellGap   = 10
	edge      = 8
	scrollbar = 10 // kept free at the right, for the scroll bar
)

func columnsAt(width float32) columns {
	var c columns
	free := width - 2*edge - scrollbar
	c.size.width, c.reason.width = 72, 104
	if width >= 460 {
		c.kind.width = 104
	}
	if width >= 660 {
		c.via.width = free * 0.28
	}
	c.name.x = edge
	c.name.width = free - c.size.width - c.reason.width - 2*cellGap
	for _, optional := range []*column{&c.kind, &c.via} {
		if optional.width > 0 {
			c.name.width -= optional.width + cellGap
		}
	}
	c.name.width = max(c.name.width, 60)
	x := c.name.x + c.name.width + cellGap
	for _, next := range []*column{&c.kind, &c.size, &c.reason, &c.via} {
		if next.width > 0 {
			next.x = x
			x += next.width + cellGap
		}
	}
	return c
}

// header names the columns; a tap on one sorts by it.
type header struct {
	widget.BaseWidget

	tree    func() *Tree
	sort    func(Order)
	hovered int
}

type heading struct {
	order Order
	title string
	place func(columns) column
}

var headings = [...]heading{
	{ByName, "Name", func(c columns) column { return c.name }},
	{ByKind, "Kind", func(c columns) column { return c.kind }},
	{BySize, "Size", func(c columns) column { return c.size }},
	{ByReason, "Reason", func(c columns) column { return c.reason }},
	{ByVia, "Brought in by", func(c columns) column { return c.via }},
}

var (
	_ fyne.Tappable     = (*header)(nil)
	_ desktop.Hoverable = (*header)(nil)
)

func newHeader(tree func() *Tree, sort func(Order)) *header {
	h := &header{tree: tree, sort: sort, hovered: -1}
	h.ExtendBaseWidget(h)
	return h
}

func (h *header) at(x float32) int {
	columns := columnsAt(h.Size().Width)
	for i, head := range headings {
		if c := head.place(columns); c.width > 0 && x >= c.x-cellGap/2 && x < c.x+c.width+cellGap/2 {
			return i
		}
	}
	return -1
}

func (h *header) Tapped(e *fyne.PointEvent) {
	if i := h.at(e.Position.X); i >= 0 {
		h.sort(headings[i].order)
	}
}

func (h *header) MouseIn(e *desktop.MouseEvent) { h.MouseMoved(e) }
func (h *header) MouseMoved(e *desktop.MouseEvent) {
	if i := h.at(e.Position.X); i != h.hovered {
		h.hovered = i
		h.Refresh()
	}
}
func (h *header) MouseOut() {
	h.hovered = -1
	h.Refresh()
}
func (h *header) Cursor() desktop.Cursor { return desktop.PointerCursor }

func (h *header) CreateRenderer() fyne.WidgetRenderer {
	r := &headerRenderer{h: h, line: canvas.NewRectangle(nil), arrow: canvas.NewImageFromResource(nil)}
	r.arrow.FillMode = canvas.ImageFillContain
	for _, head := range headings {
		t := theme.Caption(head.title)
		t.Style.Bold = true
		t.Truncate = theme.TruncateEnd
		r.titles = append(r.titles, t)
	}
	r.Refresh()
	return r
}

type headerRenderer struct {
	h      *header
	titles []*theme.Text
	arrow  *canvas.Image
	line   *canvas.Rectangle
}

func (r *headerRenderer) Destroy()           {}
func (r *headerRenderer) MinSize() fyne.Size { return fyne.NewSize(200, theme.Size(theme.SizeNameBar)) }
func (r *headerRenderer) Objects() []fyne.CanvasObject {
	objects := []fyne.CanvasObject{r.line, r.arrow}
	for _, t := range r.titles {
		objects = append(objects, t)
	}
	return objects
}

func (r *headerRenderer) Layout(size fyne.Size) {
	const side = 12
	columns := columnsAt(size.Width)
	order, descending := ByName, false
	if tree := r.h.tree(); tree != nil {
		order, descending = tree.Order()
	}
	r.arrow.Hide()
	for i, head := range headings {
		c := head.place(columns)
		t := r.titles[i]
		t.Hidden = c.width <= 0
		if t.Hidden {
			continue
		}
		width := min(t.MinSize().Width, c.width-side)
		full := fyne.MeasureText(t.Text, theme.Size(fynetheme.SizeNameCaptionText), t.Style).Width
		width = min(max(width, full), c.width)
		x := c.x
		if head.order == BySize {
			x = c.x + c.width - width
		}
		t.Move(fyne.NewPos(x, 0))
		t.Resize(fyne.NewSize(width, size.Height-1))
		if head.order != order {
			continue
		}
		// Names run from A to Z downwards, sizes from large to small: the arrow points to the larger end.
		up := (order == BySize) == descending
		name := theme.IconChevronDown
		if up {
			name = theme.IconChevronUp
		}
		at := x + width + 2
		if head.order == BySize {
			at = x - side - 2
		}
		r.arrow.Resource = theme.IconIn(name, theme.ColorNameAccent)
		r.arrow.Move(fyne.NewPos(at, (size.Height-side)/2))
		r.arrow.Resize(fyne.NewSquareSize(side))
		r.arrow.Show()
	}
	r.line.Move(fyne.NewPos(0, size.Height-1))
	r.line.Resize(fyne.NewSize(size.Width, 1))
}

func (r *headerRenderer) Refresh() {
	order := ByName
	if tree := r.h.tree(); tree != nil {
		order, _ = tree.Order()
	}
	for i, t := range r.titles {
		t.ColorName = theme.ColorNameMuted
		if i == r.h.hovered || headings[i].order == order {
			t.ColorName = fynetheme.ColorNameForeground
		}
		t.Refresh()
	}
	r.line.FillColor = theme.Color(theme.ColorNameHairline)
	r.Layout(r.h.Size())
	r.line.Refresh()
	r.arrow.Refresh()
}

// tableRow is one line of the list.
type tableRow struct {
	widget.BaseWidget

	screen *screen
	row    Row
	path   string // of the folder that the chevron opens

	chevron *widgets.RowButton
	icon    *slot
	mark    *slot
	name    *theme.Text
	kind    *theme.Text
	size    *theme.Text
	reason  *theme.Text
	via     *theme.Text

	pictures []fyne.CanvasObject // of both slots
}

func newTableRow(s *screen) *tableRow {
	r := &tableRow{
		screen:  s,
		chevron: widgets.NewRowButton(theme.Icon(theme.IconChevronRight)),
		name:    theme.Body("").WithTruncation(theme.TruncateMiddle),
		kind:    theme.Muted("").WithTruncation(theme.TruncateEnd),
		size:    theme.Number(""),
		reason:  theme.Body("").WithTruncation(theme.TruncateEnd),
		via:     theme.MonoMuted(""),
	}
	r.icon, r.mark = newSlot(&r.pictures), newSlot(&r.pictures)
	r.chevron.OnTapped = func() { s.toggle(r.path) }
	r.ExtendBaseWidget(r)
	return r
}

const (
	indent   = 16
	iconSide = 16
)

// set shows a row of the tree; it sets everything that differs between rows.
func (r *tableRow) set(row Row) {
	tree := r.screen.model.Tree
	shifted := r.row.Depth != row.Depth || r.row.IsFolder() != row.IsFolder()
	r.row = row
	var icon, mark fyne.Resource
	if f := tree.Folder(row); f != nil {
		shifted = shifted || !r.chevron.Visible()
		r.path = f.Path
		open := tree.Open(f)
		chevron, folder := theme.IconChevronRight, theme.IconFolder
		if open {
			chevron, folder = theme.IconChevronDown, theme.IconFolderOpen
		}
		r.chevron.SetIcon(r.screen.icons.Get(chevron, theme.ColorNameMuted), theme.ColorNameMuted)
		r.chevron.Show()
		icon = r.screen.icons.Get(folder, theme.ColorNameMuted)
		if f.Missing > 0 && !open {
			mark = r.screen.icons.Get(theme.IconError, fynetheme.ColorNameError)
		}
		r.name.Set(f.Name, fynetheme.ColorNameForeground)
		r.kind.SetText(ui.Plural(f.Files, "file"))
		r.size.Set(ui.Size(f.Size), theme.ColorNameMuted)
		r.reason.Set("", theme.ColorNameMuted)
		r.via.SetText("")
	} else {
		e := tree.Entry(row)
		r.path = ""
		r.chevron.Hide()
		color, iconColor := fynetheme.ColorNameForeground, theme.ColorNameAccent
		if e.State == Loose {
			iconColor = theme.ColorNameInfo
		}
		if e.State == Left {
			color, iconColor = theme.ColorNameMuted, theme.ColorNameMuted
		}
		icon = r.screen.icons.Get(theme.KindIcon(e.Kind), iconColor)
		reason, reasonColor := e.Reason, color
		if e.Missing > 0 {
			name, tone := theme.IconProblems, fynetheme.ColorNameWarning
			if e.Broken {
				name, tone = theme.IconError, fynetheme.ColorNameError
			}
			mark = r.screen.icons.Get(name, tone)
			reason, reasonColor = ui.Count(int64(e.Missing))+" missing", tone
		}
		name := e.Name
		if tree.Layout() == Flat {
			name = e.Path
		}
		r.name.Set(name, color)
		r.kind.SetText(e.Kind)
		r.size.Set(ui.Size(e.Size), color)
		r.reason.Set(reason, reasonColor)
		r.via.SetText(strings.TrimPrefix(e.Via, "assets/"))
	}
	pictures := len(r.pictures)
	shifted = shifted || r.mark.empty() != (mark == nil)
	r.icon.set(icon)
	r.mark.set(mark)
	if shifted || len(r.pictures) != pictures {
		r.Refresh()
	}
}

// A slot shows one icon of several. It keeps an object for each icon that it ever had, since giving an object another icon
// means to read the icon's file again, and rows change their icons while they scroll.
type slot struct {
	images map[fyne.Resource]*canvas.Image
	shown  *canvas.Image
	all    *[]fyne.CanvasObject // where its objects are listed
	at     fyne.Position
	side   float32
}

func newSlot(all *[]fyne.CanvasObject) *slot {
	return &slot{images: map[fyne.Resource]*canvas.Image{}, all: all}
}

func (s *slot) empty() bool { return s.shown == nil }

func (s *slot) set(icon fyne.Resource) {
	next := s.images[icon]
	if next == nil && icon != nil {
		next = canvas.NewImageFromResource(icon)
		next.FillMode = canvas.ImageFillContain
		s.images[icon] = next
		*s.all = append(*s.all, next)
	}
	if next == s.shown {
		return
	}
	if s.shown != nil {
		s.shown.Hide()
	}
	if s.shown = next; next != nil {
		s.place(s.at, s.side)
		next.Show()
	}
}

func (s *slot) place(at fyne.Position, side float32) {
	s.at, s.side = at, side
	if s.shown != nil {
		s.shown.Move(at)
		s.shown.Resize(fyne.NewSquareSize(side))
	}
}

func (r *tableRow) CreateRenderer() fyne.WidgetRenderer { return &tableRowRenderer{r} }

type tableRowRenderer struct{ r *tableRow }

func (n *tableRowRenderer) Destroy() {}
func (n *tableRowRenderer) MinSize() fyne.Size {
	return fyne.NewSize(200, theme.Size(theme.SizeNameRow))
}
func (n *tableRowRenderer) Refresh() { n.Layout(n.r.Size()); canvas.Refresh(n.r) }
func (n *tableRowRenderer) Objects() []fyne.CanvasObject {
	r := n.r
	return append([]fyne.CanvasObject{r.chevron, r.name, r.kind, r.size, r.reason, r.via}, r.pictures...)
}

func (n *tableRowRenderer) Layout(size fyne.Size) {
	r := n.r
	c := columnsAt(size.Width)
	x, end := c.name.x, c.name.x+c.name.width
	if r.screen.model != nil && r.screen.model.Tree.Layout() == Folders {
		// Deep folders stop moving to the right before their names run out of room.
		x += min(float32(r.row.Depth)*indent, c.name.width/2)
		r.chevron.Move(fyne.NewPos(x-3, (size.Height-22)/2))
		r.chevron.Resize(fyne.NewSquareSize(22))
		x += 18
	}
	r.icon.place(fyne.NewPos(x, (size.Height-iconSide)/2), iconSide)
	x += iconSide + 6
	if !r.mark.empty() {
		end -= iconSide
		r.mark.place(fyne.NewPos(end, (size.Height-14)/2), 14)
		end -= 4
	}
	r.name.Move(fyne.NewPos(x, 0))
	r.name.Resize(fyne.NewSize(max(20, end-x), size.Height))
	for _, cell := range []struct {
		text *theme.Text
		column
	}{{r.kind, c.kind}, {r.size, c.size}, {r.reason, c.reason}, {r.via, c.via}} {
		cell.text.Hidden = cell.width <= 0
		cell.text.Move(fyne.NewPos(cell.x, 0))
		cell.text.Resize(fyne.NewSize(cell.width, size.Height))
	}
}
