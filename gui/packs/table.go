package packs

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// column is a place in a row, from left to right. One without width is left out.
type column struct{ x, width float32 }

const (
	cellGap   = 10
	edge      = 8
	scrollbar = 10 // kept free at the right, for the scroll bar
	indent    = 16
	iconSide  = 16
)

// columnsAt gives the places of name, kind, size, stored size and ratio, in the order of the orders.
func columnsAt(width float32) [ByRatio + 1]column {
	var c [ByRatio + 1]column
	c[BySize].width, c[ByStored].width, c[ByRatio].width = 72, 72, 52
	if width >= 520 {
		c[ByKind].width = 104
	}
	used := float32(2*edge + scrollbar)
	for _, o := range []Order{ByKind, BySize, ByStored, ByRatio} {
		if c[o].width > 0 {
			used += c[o].width + cellGap
		}
	}
	c[ByName] = column{edge, max(60, width-used)}
	x := edge + c[ByName].width + cellGap
	for o := ByKind; o <= ByRatio; o++ {
		if c[o].width > 0 {
			c[o].x = x
			x += c[o].width + cellGap
		}
	}
	return c
}

var headings = [ByRatio + 1]string{"Name", "Kind", "Size", "Stored", "Ratio"}

func number(o Order) bool { return o >= BySize }

// header names the columns; a tap on one sorts by it.
type header struct {
	widget.BaseWidget

	tree    func() *Tree
	sort    func(Order)
	hovered int
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
	for o, c := range columnsAt(h.Size().Width) {
		if c.width > 0 && x >= c.x-cellGap/2 && x < c.x+c.width+cellGap/2 {
			return o
		}
	}
	return -1
}

func (h *header) Tapped(e *fyne.PointEvent) {
	if i := h.at(e.Position.X); i >= 0 {
		h.sort(Order(i))
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
	for _, title := range headings {
		t := theme.Caption(title)
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

func (r *headerRenderer) order() (Order, bool) {
	if tree := r.h.tree(); tree != nil {
		return tree.Order()
	}
	return ByName, false
}

func (r *headerRenderer) Layout(size fyne.Size) {
	const side = 12
	order, descending := r.order()
	r.arrow.Hide()
	for i, c := range columnsAt(size.Width) {
		o, t := Order(i), r.titles[i]
		t.Hidden = c.width <= 0
		if t.Hidden {
			continue
		}
		width := min(fyne.MeasureText(t.Text, theme.Size(fynetheme.SizeNameCaptionText), t.Style).Width+1, c.width)
		x := c.x
		if number(o) {
			x = c.x + c.width - width
		}
		t.Move(fyne.NewPos(x, 0))
		t.Resize(fyne.NewSize(width, size.Height-1))
		if o != order {
			continue
		}
		// Names run from A to Z downwards, sizes from large to small: the arrow points to the larger end.
		name := theme.IconChevronDown
		if number(o) == descending {
			name = theme.IconChevronUp
		}
		at := x + width + 2
		if number(o) {
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
	order, _ := r.order()
	for i, t := range r.titles {
		t.ColorName = theme.ColorNameMuted
		if i == r.h.hovered || Order(i) == order {
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
	icon    *canvas.Image
	name    *theme.Text
	cells   [ByRatio]*theme.Text // kind, size, stored, ratio
}

func newTableRow(s *screen) *tableRow {
	r := &tableRow{
		screen: s, chevron: widgets.NewRowButton(theme.Icon(theme.IconChevronRight)), icon: canvas.NewImageFromResource(nil),
		name:  theme.Body("").WithTruncation(theme.TruncateMiddle),
		cells: [...]*theme.Text{theme.Muted("").WithTruncation(theme.TruncateEnd), theme.Number(""), theme.Number(""), theme.Number("")},
	}
	r.icon.FillMode = canvas.ImageFillContain
	r.chevron.OnTapped = func() { s.toggle(r.path) }
	r.ExtendBaseWidget(r)
	return r
}

// set shows a row of the tree; it sets everything that differs between rows.
func (r *tableRow) set(row Row) {
	tree := r.screen.tree
	shifted := r.row.Depth != row.Depth || r.row.index < 0 != (row.index < 0)
	r.row = row
	icon, kind, color := theme.IconFolder, "", theme.ColorNameMuted
	var size, stored int64
	if f := tree.Folder(row); f != nil {
		r.path = f.Path
		chevron := theme.IconChevronRight
		if tree.Open(f) {
			chevron, icon = theme.IconChevronDown, theme.IconFolderOpen
		}
		r.chevron.SetIcon(r.screen.icons.Get(chevron, theme.ColorNameMuted), theme.ColorNameMuted)
		r.chevron.Show()
		iconColor := theme.ColorNameMuted
		if f.Pack {
			icon, iconColor = theme.IconPackage, theme.ColorNameAccent
		}
		r.setIcon(r.screen.icons.Get(icon, iconColor))
		r.name.Set(f.Name, fynetheme.ColorNameForeground)
		kind, size, stored = ui.Plural(f.Files, "file"), f.Size, f.Stored
	} else {
		e := tree.Entry(row)
		r.path = ""
		r.chevron.Hide()
		kind, size, stored, color = e.Kind, e.Size, e.Stored, fynetheme.ColorNameForeground
		iconColor := theme.ColorNameAccent
		if e.Asset == "" {
			iconColor = theme.ColorNameInfo
		}
		if e.Hidden {
			kind, color, iconColor = "Never seen", theme.ColorNameMuted, theme.ColorNameMuted
		}
		r.setIcon(r.screen.icons.Get(theme.KindIcon(e.Kind), iconColor))
		r.name.Set(e.Name, color)
	}
	r.cells[0].SetText(kind)
	r.cells[1].Set(ui.Size(size), theme.ColorNameMuted)
	r.cells[2].Set(ui.Size(stored), color)
	r.cells[3].Set(ratioText(stored, size), theme.ColorNameMuted)
	if shifted {
		r.Refresh()
	}
}

// setIcon changes the picture only when it is another one: reading an SVG is not free.
func (r *tableRow) setIcon(resource fyne.Resource) {
	if r.icon.Resource != resource {
		r.icon.Resource = resource
		r.icon.Refresh()
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
	objects := []fyne.CanvasObject{n.r.chevron, n.r.icon, n.r.name}
	for _, c := range n.r.cells {
		objects = append(objects, c)
	}
	return objects
}

func (n *tableRowRenderer) Layout(size fyne.Size) {
	r := n.r
	columns := columnsAt(size.Width)
	name := columns[ByName]
	// Deep folders stop moving to the right before their names run out of room.
	x := name.x + min(float32(r.row.Depth)*indent, name.width/2)
	r.chevron.Move(fyne.NewPos(x-3, (size.Height-22)/2))
	r.chevron.Resize(fyne.NewSquareSize(22))
	x += 18
	r.icon.Move(fyne.NewPos(x, (size.Height-iconSide)/2))
	r.icon.Resize(fyne.NewSquareSize(iconSide))
	x += iconSide + 6
	r.name.Move(fyne.NewPos(x, 0))
	r.name.Resize(fyne.NewSize(max(20, name.x+name.width-x), size.Height))
	for i, t := range r.cells {
		c := columns[i+1]
		t.Hidden = c.width <= 0
		t.Move(fyne.NewPos(c.x, 0))
		t.Resize(fyne.NewSize(c.width, size.Height))
	}
}

// differenceRow is a line of a comparison.
type differenceRow struct {
	widget.BaseWidget

	icons   theme.Icons
	icon    *canvas.Image
	path    *theme.Text
	kind    *theme.Text
	numbers [3]*theme.Text // before, after, difference
	bar     *widgets.DeltaBar
}

func newDifferenceRow(c theme.Icons) *differenceRow {
	r := &differenceRow{
		icons: c, icon: canvas.NewImageFromResource(nil), path: theme.Mono(""), kind: theme.Caption("").WithTruncation(theme.TruncateEnd),
		numbers: [3]*theme.Text{theme.Number(""), theme.Number(""), theme.Number("")}, bar: widgets.NewDeltaBar(),
	}
	r.icon.FillMode = canvas.ImageFillContain
	r.ExtendBaseWidget(r)
	return r
}

func (c Change) icon() (theme.IconName, fyne.ThemeColorName) {
	switch c {
	case Added:
		return theme.IconAdd, fynetheme.ColorNameSuccess
	case Removed:
		return theme.IconRemove, fynetheme.ColorNameError
	case Changed:
		return theme.IconCompare, theme.ColorNameAccent
	}
	return theme.IconCheck, theme.ColorNameMuted
}

func (r *differenceRow) set(d Difference, largest int64) {
	name, color := d.Change.icon()
	if resource := r.icons.Get(name, color); r.icon.Resource != resource {
		r.icon.Resource = resource
		r.icon.Refresh()
	}
	r.path.SetText(d.Path)
	r.kind.SetText(d.Kind)
	before, after := ui.Size(d.Before), ui.Size(d.After)
	if d.Change == Added {
		before = "–"
	}
	if d.Change == Removed {
		after = "–"
	}
	share := 0.0
	if largest > 0 {
		share = float64(d.Delta()) / float64(largest)
	}
	r.bar.Set(share)
	r.numbers[0].Set(before, theme.ColorNameMuted)
	r.numbers[1].Set(after, fynetheme.ColorNameForeground)
	r.numbers[2].Set(ui.SignedSize(d.Delta()), widgets.DeltaColor(d.Delta()))
	r.Refresh()
}

func (r *differenceRow) CreateRenderer() fyne.WidgetRenderer {
	n := &differenceRenderer{r}
	n.Refresh()
	return n
}

type differenceRenderer struct{ r *differenceRow }

func (n *differenceRenderer) Destroy() {}
func (n *differenceRenderer) MinSize() fyne.Size {
	return fyne.NewSize(220, theme.Size(theme.SizeNameRow))
}
func (n *differenceRenderer) Objects() []fyne.CanvasObject {
	r := n.r
	return []fyne.CanvasObject{r.bar, r.icon, r.path, r.kind, r.numbers[0], r.numbers[1], r.numbers[2]}
}
func (n *differenceRenderer) Refresh() { n.Layout(n.r.Size()); canvas.Refresh(n.r) }

func (n *differenceRenderer) Layout(size fyne.Size) {
	r := n.r
	const left, gap, icon, number = 16, 10, 14, 72
	right := size.Width - 18
	bar := float32(72)
	if size.Width >= 700 {
		bar = 150
	}
	r.bar.Move(fyne.NewPos(right-bar, 0))
	r.bar.Resize(fyne.NewSize(bar, size.Height))
	right -= bar + gap
	place := func(o fyne.CanvasObject, width float32) {
		o.Move(fyne.NewPos(right-width, 0))
		o.Resize(fyne.NewSize(max(0, width), size.Height))
		right -= width + gap
	}
	for i := range r.numbers {
		place(r.numbers[len(r.numbers)-1-i], number)
	}
	r.kind.Hidden = size.Width < 560
	if !r.kind.Hidden {
		place(r.kind, 104)
	}
	r.icon.Move(fyne.NewPos(left, (size.Height-icon)/2))
	r.icon.Resize(fyne.NewSquareSize(icon))
	place(r.path, right-left-icon-6)
}
