package discs

import (
	"cmp"
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

// column is one of a list's columns behind the name.
type column struct {
	title  string
	width  float32
	from   float32 // width of the list from which the column is shown
	number bool
	hidden bool
	text   func(n *Node) (string, fyne.ThemeColorName)
	order  func(a, b *Node) int
}

const (
	cellGap   = 10
	edge      = 10
	scrollbar = 10 // kept free at the right, for the scroll bar
	indent    = 16
	iconSide  = 16
)

// sizeText writes the size that a node has before or after. A folder of which nothing is there has none.
func sizeText(n *Node, size int64, absent Mark) string {
	if size < 0 || n.Dir && n.Files > 0 && n.Marks[absent]+n.Marks[LeftOut] == n.Files {
		return "–"
	}
	return ui.Size(size)
}

func afterColumn(title string) column {
	return column{title: title, width: 74, number: true,
		text: func(n *Node) (string, fyne.ThemeColorName) {
			return sizeText(n, n.After, Removed), fynetheme.ColorNameForeground
		},
		order: func(a, b *Node) int { return cmp.Compare(b.After, a.After) }}
}

// Columns of fileColumns: a cartridge keeps no dates, and counts its places in bytes.
const (
	dateColumn  = 0
	placeColumn = 1
)

// fileColumns are those of the files of an image.
func fileColumns() []column {
	return []column{
		{title: "Date", width: 118, from: 520,
			text:  func(n *Node) (string, fyne.ThemeColorName) { return n.Date, theme.ColorNameMuted },
			order: func(a, b *Node) int { return strings.Compare(b.Date, a.Date) }},
		{title: "Sector", width: 84, from: 400, number: true,
			text: func(n *Node) (string, fyne.ThemeColorName) {
				if n.Place < 0 || n.Dir && n.Place == 0 {
					return "", theme.ColorNameMuted
				}
				return ui.Count(n.Place), theme.ColorNameMuted
			},
			order: func(a, b *Node) int { return cmp.Compare(a.Place, b.Place) }},
		afterColumn("Size"),
	}
}

// planColumns are those of what is planned, or differs.
func planColumns() []column {
	return []column{
		{title: "What happens", width: 100,
			text: func(n *Node) (string, fyne.ThemeColorName) {
				text, mark := n.What()
				return text, markColor(mark)
			},
			order: func(a, b *Node) int { return cmp.Compare(markRank(a.Mark), markRank(b.Mark)) }},
		{title: "Before", width: 74, from: 470, number: true,
			text:  func(n *Node) (string, fyne.ThemeColorName) { return sizeText(n, n.Before, Added), theme.ColorNameMuted },
			order: func(a, b *Node) int { return cmp.Compare(b.Before, a.Before) }},
		afterColumn("After"),
		{title: "SHA-256", width: 84, from: 640,
			text: func(n *Node) (string, fyne.ThemeColorName) {
				if len(n.SHA256) < 8 {
					return "", theme.ColorNameMuted
				}
				return n.SHA256[:8] + "…", theme.ColorNameMuted
			},
			order: func(a, b *Node) int { return strings.Compare(a.SHA256, b.SHA256) }},
	}
}

// markRank puts what people look for first.
func markRank(m Mark) int {
	return [...]int{Plain: 7, Added: 0, Removed: 1, Changed: 2, Moved: 3, Kept: 4, LeftOut: 5, Unchanged: 6}[m]
}

func markColor(m Mark) fyne.ThemeColorName {
	switch m {
	case Added:
		return fynetheme.ColorNameSuccess
	case Removed:
		return fynetheme.ColorNameError
	case Changed:
		return theme.ColorNameAccent
	case Moved:
		return theme.ColorNameInfo
	}
	return theme.ColorNameMuted
}

func markIcon(m Mark) theme.IconName {
	switch m {
	case Added:
		return theme.IconAdd
	case Removed:
		return theme.IconRemove
	case Changed:
		return theme.IconCompare
	case Moved:
		return theme.IconArrowRight
	case Kept:
		return theme.IconLock
	case Unchanged:
		return theme.IconCheck
	case LeftOut:
		return theme.IconCancelled
	}
	return theme.IconFile
}

// place is where a column is; one that is not shown has no width.
type place struct{ x, width float32 }

// placesAt gives the places of the name and of the columns at a width.
func placesAt(columns []column, width float32) []place {
	places := make([]place, len(columns)+1)
	used := float32(2*edge + scrollbar)
	for i, c := range columns {
		if width >= c.from && !c.hidden {
			places[i+1].width = c.width
			used += c.width + cellGap
		}
	}
	places[0] = place{edge, max(60, width-used)}
	x := edge + places[0].width + cellGap
	for i := range columns {
		if places[i+1].width > 0 {
			places[i+1].x = x
			x += places[i+1].width + cellGap
		}
	}
	return places
}

// header names the columns; a tap on one sorts by it, a second tap turns the order round.
type header struct {
	widget.BaseWidget

	columns    []column
	sorted     int // 0 is the name
	descending bool
	hovered    int
	onSort     func()
}

var (
	_ fyne.Tappable     = (*header)(nil)
	_ desktop.Hoverable = (*header)(nil)
)

func newHeader(columns []column, onSort func()) *header {
	h := &header{columns: columns, hovered: -1, onSort: onSort}
	h.ExtendBaseWidget(h)
	return h
}

// order gives what the tree is to be sorted by; nil is the name.
func (h *header) order() func(a, b *Node) int {
	if h.sorted == 0 {
		return nil
	}
	return h.columns[h.sorted-1].order
}

func (h *header) at(x float32) int {
	for i, p := range placesAt(h.columns, h.Size().Width) {
		if p.width > 0 && x >= p.x-cellGap/2 && x < p.x+p.width+cellGap/2 {
			return i
		}
	}
	return -1
}

func (h *header) Tapped(e *fyne.PointEvent) {
	i := h.at(e.Position.X)
	if i < 0 {
		return
	}
	h.descending = i == h.sorted && !h.descending
	h.sorted = i
	h.Refresh()
	h.onSort()
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
	for range len(h.columns) + 1 {
		t := theme.Caption("Name")
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
func (r *headerRenderer) MinSize() fyne.Size { return fyne.NewSize(160, theme.Size(theme.SizeNameBar)) }
func (r *headerRenderer) Objects() []fyne.CanvasObject {
	objects := []fyne.CanvasObject{r.line, r.arrow}
	for _, t := range r.titles {
		objects = append(objects, t)
	}
	return objects
}

func (r *headerRenderer) Layout(size fyne.Size) {
	const side = 12
	r.arrow.Hide()
	for i, p := range placesAt(r.h.columns, size.Width) {
		t := r.titles[i]
		t.Hidden = p.width <= 0
		if t.Hidden {
			continue
		}
		number := i > 0 && r.h.columns[i-1].number
		width := min(fyne.MeasureText(t.Text, theme.Size(fynetheme.SizeNameCaptionText), t.Style).Width+1, p.width)
		x := p.x
		if number {
			x = p.x + p.width - width
		}
		t.Move(fyne.NewPos(x, 0))
		t.Resize(fyne.NewSize(width, size.Height-1))
		if i != r.h.sorted {
			continue
		}
		name := theme.IconChevronDown
		if r.h.descending {
			name = theme.IconChevronUp
		}
		at := x + width + 2
		if number {
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
	for i, t := range r.titles {
		if i > 0 {
			t.Text = r.h.columns[i-1].title
		}
		t.ColorName = theme.ColorNameMuted
		if i == r.h.hovered || i == r.h.sorted {
			t.ColorName = fynetheme.ColorNameForeground
		}
		t.Refresh()
	}
	r.line.FillColor = theme.Color(theme.ColorNameHairline)
	r.Layout(r.h.Size())
	r.line.Refresh()
	r.arrow.Refresh()
}

// fileRow is one line of a list.
type fileRow struct {
	widget.BaseWidget

	pane *treePane
	node *Node

	chevron *widgets.RowButton
	icon    *canvas.Image
	name    *theme.Text
	cells   []*theme.Text
}

func newFileRow(p *treePane) *fileRow {
	r := &fileRow{
		pane: p, chevron: widgets.NewRowButton(theme.Icon(theme.IconChevronRight)), icon: canvas.NewImageFromResource(nil),
		name: theme.Body("").WithTruncation(theme.TruncateMiddle),
	}
	r.icon.FillMode = canvas.ImageFillContain
	r.chevron.OnTapped = func() { p.toggle(r.node) }
	for _, c := range p.columns {
		t := theme.Body("").WithTruncation(theme.TruncateEnd)
		if c.number {
			t = theme.Number("")
		}
		r.cells = append(r.cells, t)
	}
	r.ExtendBaseWidget(r)
	return r
}

// set shows a node; it sets everything that differs between rows.
func (r *fileRow) set(n *Node) {
	shifted := r.node == nil || r.node.Depth != n.Depth || r.node.Dir != n.Dir
	r.node = n
	icons := r.pane.icons
	r.chevron.Hidden = !n.Dir || len(n.children) == 0
	name, color, text := theme.IconFile, theme.ColorNameMuted, fynetheme.ColorNameForeground
	switch {
	case n.Dir:
		name = theme.IconFolder
		chevron := theme.IconChevronRight
		if len(n.children) > 0 && r.pane.tree.Open(n) {
			chevron, name = theme.IconChevronDown, theme.IconFolderOpen
		}
		r.chevron.SetIcon(icons.Get(chevron, theme.ColorNameMuted), theme.ColorNameMuted)
	case n.Fault != nil:
		name, color = theme.IconProblems, fynetheme.ColorNameError
	case n.Mark != Plain:
		name, color = markIcon(n.Mark), markColor(n.Mark)
	}
	if n.Mark == Removed || n.Mark == LeftOut {
		text = theme.ColorNameMuted
	}
	if resource := icons.Get(name, color); r.icon.Resource != resource {
		r.icon.Resource = resource
		r.icon.Refresh()
	}
	r.name.Set(n.Name, text)
	for i, c := range r.pane.columns {
		text, color := c.text(n)
		r.cells[i].Set(text, color)
	}
	if shifted {
		r.Refresh()
	}
}

func (r *fileRow) CreateRenderer() fyne.WidgetRenderer { return &fileRowRenderer{r} }

type fileRowRenderer struct{ r *fileRow }

func (n *fileRowRenderer) Destroy() {}
func (n *fileRowRenderer) MinSize() fyne.Size {
	return fyne.NewSize(160, theme.Size(theme.SizeNameRow))
}
func (n *fileRowRenderer) Refresh() { n.Layout(n.r.Size()); canvas.Refresh(n.r) }
func (n *fileRowRenderer) Objects() []fyne.CanvasObject {
	objects := []fyne.CanvasObject{n.r.chevron, n.r.icon, n.r.name}
	for _, c := range n.r.cells {
		objects = append(objects, c)
	}
	return objects
}

func (n *fileRowRenderer) Layout(size fyne.Size) {
	r := n.r
	places := placesAt(r.pane.columns, size.Width)
	depth := 0
	if r.node != nil {
		depth = r.node.Depth
	}
	// Deep folders stop moving to the right before their names run out of room.
	x := places[0].x + min(float32(depth)*indent, places[0].width/2)
	r.chevron.Move(fyne.NewPos(x-5, (size.Height-22)/2))
	r.chevron.Resize(fyne.NewSquareSize(22))
	x += 16
	r.icon.Move(fyne.NewPos(x, (size.Height-iconSide)/2))
	r.icon.Resize(fyne.NewSquareSize(iconSide))
	x += iconSide + 6
	r.name.Move(fyne.NewPos(x, 0))
	r.name.Resize(fyne.NewSize(max(20, places[0].x+places[0].width-x), size.Height))
	for i, t := range r.cells {
		p := places[i+1]
		t.Hidden = p.width <= 0
		t.Move(fyne.NewPos(p.x, 0))
		t.Resize(fyne.NewSize(p.width, size.Height))
	}
}
