package widgets

import (
	"fmt"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
)

// SizePart is one part of a size bar.
type SizePart struct {
	Name   string
	Detail string // the size in words, such as "12.4 MB"
	Size   int64  // in any unit that all parts and the budget share
	Color  fyne.ThemeColorName
}

// SizeBar shows sizes as one stacked bar with a legend below, and a budget as a line across it. The part under the pointer
// is brought out in bar and legend; a part can be tapped.
type SizeBar struct {
	widget.BaseWidget

	// OnTapped is told which part was tapped.
	OnTapped func(i int)

	parts       []SizePart
	budget      int64
	budgetLabel string
	hover       int
}

var (
	_ HeightForWidth     = (*SizeBar)(nil)
	_ fyne.Tappable      = (*SizeBar)(nil)
	_ desktop.Hoverable  = (*SizeBar)(nil)
	_ desktop.Cursorable = (*SizeBar)(nil)
)

// NewSizeBar makes an empty bar.
func NewSizeBar() *SizeBar {
	b := &SizeBar{hover: -1}
	b.ExtendBaseWidget(b)
	return b
}

// Set shows parts, in their order. Parts without a size stay in the legend.
func (b *SizeBar) Set(parts []SizePart) {
	b.parts, b.hover = parts, -1
	b.Refresh()
}

// SetBudget draws a line at a size; 0 takes it away. The label should say what the line means, such as "64 MB cartridge".
func (b *SizeBar) SetBudget(size int64, label string) {
	b.budget, b.budgetLabel = size, label
	b.Refresh()
}

const (
	sizeBarHeight = 22
	sizeBarGap    = 10
	legendSwatch  = 10
	legendGap     = 16
	legendLine    = 20
	leastPart     = 3 // narrower parts could not be seen or hit
)

// spans gives where each part begins and ends, in a bar of some width.
func (b *SizeBar) spans(width float32) []float32 {
	total := int64(0)
	for _, p := range b.parts {
		total += max(p.Size, 0)
	}
	whole := max(total, b.budget)
	edges := make([]float32, 1, len(b.parts)+1)
	if whole == 0 {
		return append(edges, make([]float32, len(b.parts))...)
	}
	used := float32(0)
	for _, p := range b.parts {
		w := float32(float64(max(p.Size, 0)) / float64(whole) * float64(width))
		if p.Size > 0 && w < leastPart {
			w = leastPart
		}
		used += w
		edges = append(edges, used)
	}
	if used > width {
		for i := range edges {
			edges[i] *= width / used
		}
	}
	return edges
}

func (b *SizeBar) budgetAt(width float32) float32 {
	total := int64(0)
	for _, p := range b.parts {
		total += max(p.Size, 0)
	}
	return float32(float64(b.budget) / float64(max(total, b.budget, 1)) * float64(width))
}

func (b *SizeBar) entryWidth(p SizePart) float32 {
	size := theme.Size(fynetheme.SizeNameCaptionText)
	return legendSwatch + 6 + fyne.MeasureText(p.Name, size, fyne.TextStyle{}).Width + 6 +
		fyne.MeasureText(p.Detail, size, fyne.TextStyle{Bold: true}).Width
}

// legend gives the places of the legend's entries at a width, and its height.
func (b *SizeBar) legend(width float32) ([]fyne.Position, float32) {
	at := make([]fyne.Position, len(b.parts))
	x, y := float32(0), float32(0)
	for i, p := range b.parts {
		w := b.entryWidth(p)
		if x > 0 && x+w > width {
			x, y = 0, y+legendLine
		}
		at[i] = fyne.NewPos(x, y)
		x += w + legendGap
	}
	if len(b.parts) == 0 {
		return at, 0
	}
	return at, y + legendLine
}

func (b *SizeBar) top() float32 {
	if b.budget > 0 {
		return 18
	}
	return 0
}

// HeightForWidth gives the height with the legend wrapped.
func (b *SizeBar) HeightForWidth(width float32) float32 {
	_, legend := b.legend(width)
	return b.top() + sizeBarHeight + sizeBarGap + legend
}

func (b *SizeBar) at(p fyne.Position) int {
	if y := p.Y - b.top(); y >= 0 && y < sizeBarHeight {
		edges := b.spans(b.Size().Width)
		for i := range b.parts {
			if p.X >= edges[i] && p.X < edges[i+1] {
				return i
			}
		}
		return -1
	}
	places, _ := b.legend(b.Size().Width)
	for i, at := range places {
		y := b.top() + sizeBarHeight + sizeBarGap + at.Y
		if p.Y >= y && p.Y < y+legendLine && p.X >= at.X && p.X < at.X+b.entryWidth(b.parts[i]) {
			return i
		}
	}
	return -1
}

// Tapped implements fyne.Tappable.
func (b *SizeBar) Tapped(e *fyne.PointEvent) {
	if i := b.at(e.Position); i >= 0 && b.OnTapped != nil {
		b.OnTapped(i)
	}
}

// MouseIn implements desktop.Hoverable.
func (b *SizeBar) MouseIn(e *desktop.MouseEvent) { b.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable.
func (b *SizeBar) MouseMoved(e *desktop.MouseEvent) {
	if i := b.at(e.Position); i != b.hover {
		b.hover = i
		b.Refresh()
	}
}

// MouseOut implements desktop.Hoverable.
func (b *SizeBar) MouseOut() {
	if b.hover != -1 {
		b.hover = -1
		b.Refresh()
	}
}

// Cursor implements desktop.Cursorable.
func (b *SizeBar) Cursor() desktop.Cursor {
	if b.hover >= 0 && b.OnTapped != nil {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

// CreateRenderer implements fyne.Widget.
func (b *SizeBar) CreateRenderer() fyne.WidgetRenderer {
	b.ExtendBaseWidget(b)
	r := &sizeBarRenderer{b: b, ground: canvas.NewRectangle(nil), line: canvas.NewRectangle(nil), label: canvas.NewText("", nil)}
	r.Refresh()
	return r
}

type sizeBarRenderer struct {
	b      *SizeBar
	ground *canvas.Rectangle
	bars   []*canvas.Rectangle
	swatch []*canvas.Rectangle
	names  []*canvas.Text
	sizes  []*canvas.Text
	line   *canvas.Rectangle
	label  *canvas.Text
}

func (r *sizeBarRenderer) Destroy() {}

func (r *sizeBarRenderer) MinSize() fyne.Size {
	return fyne.NewSize(160, r.b.HeightForWidth(fyne.Max(160, r.b.Size().Width)))
}

func (r *sizeBarRenderer) Layout(size fyne.Size) {
	b, top := r.b, r.b.top()
	r.ground.Move(fyne.NewPos(0, top))
	r.ground.Resize(fyne.NewSize(size.Width, sizeBarHeight))
	edges := b.spans(size.Width)
	places, _ := b.legend(size.Width)
	for i := range b.parts {
		gap := float32(1)
		if i == len(b.parts)-1 || edges[i+1]-edges[i] <= 2*gap {
			gap = 0
		}
		r.bars[i].Move(fyne.NewPos(edges[i], top))
		r.bars[i].Resize(fyne.NewSize(fyne.Max(0, edges[i+1]-edges[i]-gap), sizeBarHeight))

		at := places[i].AddXY(0, top+sizeBarHeight+sizeBarGap)
		r.swatch[i].Move(at.AddXY(0, (legendLine-legendSwatch)/2))
		r.swatch[i].Resize(fyne.NewSquareSize(legendSwatch))
		name, detail := r.names[i].MinSize(), r.sizes[i].MinSize()
		r.names[i].Move(at.AddXY(legendSwatch+6, (legendLine-name.Height)/2))
		r.names[i].Resize(name)
		r.sizes[i].Move(at.AddXY(legendSwatch+6+name.Width+6, (legendLine-detail.Height)/2))
		r.sizes[i].Resize(detail)
	}
	if b.budget > 0 {
		x := fyne.Min(b.budgetAt(size.Width), size.Width-2)
		r.line.Move(fyne.NewPos(x, top-4))
		r.line.Resize(fyne.NewSize(2, sizeBarHeight+8))
		label := r.label.MinSize()
		r.label.Move(fyne.NewPos(fyne.Max(0, fyne.Min(x-label.Width/2, size.Width-label.Width)), 0))
		r.label.Resize(label)
	}
}

func (r *sizeBarRenderer) Objects() []fyne.CanvasObject {
	objects := []fyne.CanvasObject{r.ground}
	for i := range r.b.parts {
		objects = append(objects, r.bars[i], r.swatch[i], r.names[i], r.sizes[i])
	}
	return append(objects, r.line, r.label)
}

func (r *sizeBarRenderer) Refresh() {
	b := r.b
	for len(r.bars) < len(b.parts) {
		r.bars = append(r.bars, canvas.NewRectangle(nil))
		r.swatch = append(r.swatch, canvas.NewRectangle(nil))
		r.names = append(r.names, canvas.NewText("", nil))
		r.sizes = append(r.sizes, canvas.NewText("", nil))
	}
	size := theme.Size(fynetheme.SizeNameCaptionText)
	r.ground.FillColor, r.ground.CornerRadius = theme.Color(theme.ColorNameBadge), 4
	total := int64(0)
	for i, p := range b.parts {
		total += max(p.Size, 0)
		fill, text := theme.Color(p.Color), theme.Color(theme.ColorNameMuted)
		if b.hover >= 0 && b.hover != i {
			fill = faded(fill, 0.35)
		} else if b.hover == i {
			text = theme.Color(fynetheme.ColorNameForeground)
		}
		r.bars[i].FillColor, r.swatch[i].FillColor, r.swatch[i].CornerRadius = fill, fill, 2
		r.names[i].Text, r.names[i].TextSize, r.names[i].Color = p.Name, size, text
		r.sizes[i].Text, r.sizes[i].TextSize, r.sizes[i].Color = p.Detail, size, theme.Color(fynetheme.ColorNameForeground)
		r.sizes[i].TextStyle = fyne.TextStyle{Bold: true}
	}
	r.line.Hidden, r.label.Hidden = b.budget <= 0, b.budget <= 0
	name, text := fynetheme.ColorNameForeground, b.budgetLabel
	if b.budget > 0 && total > b.budget {
		name, text = fynetheme.ColorNameError, fmt.Sprintf("%s — exceeded by %d %%", b.budgetLabel, (total-b.budget)*100/b.budget)
	}
	r.line.FillColor = theme.Color(name)
	r.label.Text, r.label.TextSize, r.label.Color = text, size, theme.Color(name)
	r.Layout(b.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

// faded gives a colour with its opacity scaled.
func faded(c color.Color, alpha float64) color.Color {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	n.A = uint8(float64(n.A) * alpha)
	return n
}
