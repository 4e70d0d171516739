package content

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"talebinder/gui/theme"
	"talebinder/gui/widgets"
)

// margin is the room between the screen's edge and what stands in it.
const margin = 16

// pageLayout puts the head of the screen, a rule and the rest below each other.
type pageLayout struct{}

func (pageLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	rest := objects[2].MinSize()
	return fyne.NewSize(max(rest.Width, objects[0].MinSize().Width+2*margin), rest.Height+120)
}

func (pageLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	width := size.Width - 2*margin
	height := widgets.HeightFor(objects[0], width)
	objects[0].Move(fyne.NewPos(margin, 12))
	objects[0].Resize(fyne.NewSize(width, height))
	y := height + 22
	objects[1].Move(fyne.NewPos(0, y))
	objects[1].Resize(fyne.NewSize(size.Width, 1))
	objects[2].Move(fyne.NewPos(0, y+1))
	objects[2].Resize(fyne.NewSize(size.Width, max(0, size.Height-y-1)))
}

// listLayout puts the names of the columns, the rows and the footer below each other, without a gap.
type listLayout struct{}

func (listLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	head, rows, foot := o[0].MinSize(), o[1].MinSize(), o[2].MinSize()
	return fyne.NewSize(max(head.Width, rows.Width), head.Height+rows.Height+foot.Height)
}

func (listLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	head, foot := o[0].MinSize().Height, o[2].MinSize().Height
	o[0].Move(fyne.Position{})
	o[0].Resize(fyne.NewSize(size.Width, head))
	o[1].Move(fyne.NewPos(0, head))
	o[1].Resize(fyne.NewSize(size.Width, max(0, size.Height-head-foot)))
	o[2].Move(fyne.NewPos(0, size.Height-foot))
	o[2].Resize(fyne.NewSize(size.Width, foot))
}

// titleLayout puts a title, a badge right after it and the summary at the end of the line, or below when there is no room.
type titleLayout struct{}

func (l *titleLayout) stacked(objects []fyne.CanvasObject, width float32) bool {
	summary := fyne.MeasureText(objects[2].(*theme.Text).Text, theme.Size(fynetheme.SizeNameText), fyne.TextStyle{}).Width
	return l.titleWidth(objects[0])+summary+140 > width
}

func (*titleLayout) titleWidth(o fyne.CanvasObject) float32 {
	t := o.(*theme.Text)
	return fyne.MeasureText(t.Text, theme.Size(theme.SizeNameTitle), t.Style).Width + 2
}

// HeightFor gives the height at a width.
func (l *titleLayout) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	height := objects[0].MinSize().Height
	if l.stacked(objects, width) {
		height += 2 + objects[2].MinSize().Height
	}
	return height
}

func (l *titleLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(l.titleWidth(objects[0])+110, objects[0].MinSize().Height)
}

func (l *titleLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	title, badge, summary := objects[0], objects[1], objects[2]
	height, width := title.MinSize().Height, l.titleWidth(title)
	title.Move(fyne.Position{})
	title.Resize(fyne.NewSize(width, height))
	badge.Move(fyne.NewPos(width+10, 0))
	badge.Resize(fyne.NewSize(badge.MinSize().Width, height))
	text := summary.(*theme.Text)
	if l.stacked(objects, size.Width) {
		text.Align = fyne.TextAlignLeading
		summary.Move(fyne.NewPos(0, height+2))
		summary.Resize(fyne.NewSize(size.Width, summary.MinSize().Height))
	} else {
		text.Align = fyne.TextAlignTrailing
		summary.Move(fyne.NewPos(width+110, 0))
		summary.Resize(fyne.NewSize(size.Width-width-110, height))
	}
}

// toolLayout puts the two switches, the search and the two filters in a line: the search takes what is left,
// and with too little left it gets a line of its own with the filters.
type toolLayout struct{}

const (
	toolGap    = 8
	filterSize = 128
	searchMin  = 150
)

func (toolLayout) wraps(objects []fyne.CanvasObject, width float32) bool {
	return objects[0].MinSize().Width+searchMin+2*filterSize+objects[4].MinSize().Width+5*toolGap > width
}

func (toolLayout) line(objects []fyne.CanvasObject) float32 {
	return max(objects[0].MinSize().Height, objects[1].MinSize().Height, objects[2].MinSize().Height)
}

// HeightFor gives the height at a width.
func (l toolLayout) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	if l.wraps(objects, width) {
		return 2*l.line(objects) + toolGap
	}
	return l.line(objects)
}

func (l toolLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(max(objects[0].MinSize().Width+objects[4].MinSize().Width+2*toolGap, searchMin+2*filterSize+2*toolGap), l.line(objects))
}

func (l toolLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	height := l.line(objects)
	place := func(o fyne.CanvasObject, x, y, width float32) {
		h := min(height, o.MinSize().Height)
		o.Move(fyne.NewPos(x, y+(height-h)/2))
		o.Resize(fyne.NewSize(width, h))
	}
	modes, search, kinds, reasons, layout := objects[0], objects[1], objects[2], objects[3], objects[4]
	width, shape := modes.MinSize().Width, layout.MinSize().Width
	place(modes, 0, 0, width)
	right := size.Width - shape
	place(layout, right, 0, shape)
	right -= toolGap
	x, y := width+2*toolGap, float32(0)
	if l.wraps(objects, size.Width) {
		x, y, right = 0, height+toolGap, size.Width
	}
	right -= filterSize
	place(reasons, right, y, filterSize)
	right -= filterSize + toolGap
	place(kinds, right, y, filterSize)
	right -= toolGap
	place(search, x, y, max(40, right-x))
}

// newFooter is the line below the list that adds up what it shows.
func newFooter(count *theme.Text, fold *widgets.Link) *fyne.Container {
	return container.NewStack(widgets.NewGround(fynetheme.ColorNameBackground, widgets.EdgeTop),
		container.New(&widgets.PadLayout{Left: edge, Top: 4, Right: edge, Bottom: 4}, container.NewBorder(nil, nil, nil, fold, count)))
}

// veilColor dims a list whose content is being computed again, without hiding it.
func veilColor() color.Color {
	r, g, b, _ := theme.Color(fynetheme.ColorNameBackground).RGBA()
	return color.NRGBA{R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8), A: 0x88}
}
