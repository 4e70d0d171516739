package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
)

// SumRow is a file with its hash, and a button that copies the hash. Both lose their middle when there is no room: people
// compare how a hash begins and ends.
type SumRow struct {
	widget.BaseWidget

	name, hash *theme.Text
	size       *theme.Text
	copy       *IconButton
}

// NewSumRow makes a row. copied is called with the hash; an empty hash has no button.
func NewSumRow(name, size, hash string, copied func(hash string)) *SumRow {
	r := &SumRow{name: theme.Mono(name), size: theme.Caption(size).WithAlign(fyne.TextAlignTrailing), hash: theme.MonoMuted(hash)}
	r.name.Truncate, r.hash.Truncate = theme.TruncateMiddle, theme.TruncateMiddle
	r.copy = NewIconButton(theme.Icon(theme.IconCopy), "Copy the SHA-256 of "+name, func() { copied(hash) })
	r.copy.Quiet = true
	r.copy.Hidden = hash == ""
	r.ExtendBaseWidget(r)
	return r
}

// SetOnFocus is told when the button gets the focus, to bring the row into sight.
func (r *SumRow) SetOnFocus(f func()) { r.copy.OnFocus = f }

// CreateRenderer implements fyne.Widget.
func (r *SumRow) CreateRenderer() fyne.WidgetRenderer {
	r.ExtendBaseWidget(r)
	return &sumRowRenderer{r}
}

const (
	sumRowHeight = 24
	sumRowSize   = 66
)

type sumRowRenderer struct{ r *SumRow }

func (n *sumRowRenderer) Destroy()           {}
func (n *sumRowRenderer) MinSize() fyne.Size { return fyne.NewSize(180, sumRowHeight) }
func (n *sumRowRenderer) Refresh() {
	n.Layout(n.r.Size())
	for _, o := range n.Objects() {
		o.Refresh()
	}
}
func (n *sumRowRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{n.r.name, n.r.size, n.r.hash, n.r.copy}
}

// Layout gives the name as much as it needs, up to half of what there is.
func (n *sumRowRenderer) Layout(size fyne.Size) {
	r := n.r
	const gap, button = 8, 24
	place := func(o fyne.CanvasObject, x, width float32) {
		o.Move(fyne.NewPos(x, 0))
		o.Resize(fyne.NewSize(max(0, width), size.Height))
	}
	free := size.Width - sumRowSize - button - 3*gap
	name := min(fyne.MeasureText(r.name.Text, theme.Size(r.name.SizeName), r.name.Style).Width+2, free/2)
	if r.hash.Text == "" {
		name = free
	}
	place(r.name, 0, name)
	place(r.size, name+gap, sumRowSize)
	place(r.hash, name+sumRowSize+2*gap, free-name)
	r.copy.Move(fyne.NewPos(size.Width-button, (size.Height-button)/2))
	r.copy.Resize(fyne.NewSquareSize(button))
}
