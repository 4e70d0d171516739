package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
)

// SumRow is a file with its hash below it, and a button that copies the hash. What is too long loses its middle: people compare
// how a hash begins and ends.
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
	sumRowHeight = 38
	sumRowSize   = 72
)

type sumRowRenderer struct{ r *SumRow }

func (n *sumRowRenderer) Destroy() {}
func (n *sumRowRenderer) MinSize() fyne.Size {
	if n.r.hash.Text == "" {
		return fyne.NewSize(180, sumRowHeight/2+4)
	}
	return fyne.NewSize(180, sumRowHeight)
}
func (n *sumRowRenderer) Refresh() {
	n.Layout(n.r.Size())
	for _, o := range n.Objects() {
		o.Refresh()
	}
}
func (n *sumRowRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{n.r.name, n.r.size, n.r.hash, n.r.copy}
}

func (n *sumRowRenderer) Layout(size fyne.Size) {
	r := n.r
	const gap, button, line = 8, 24, sumRowHeight/2 - 1
	right := size.Width - button - gap
	place := func(o fyne.CanvasObject, x, y, width float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(max(0, width), line))
	}
	place(r.name, 0, 1, right-sumRowSize-gap)
	place(r.size, right-sumRowSize, 1, sumRowSize)
	place(r.hash, 0, line, right)
	r.copy.Move(fyne.NewPos(size.Width-button, (size.Height-button)/2))
	r.copy.Resize(fyne.NewSquareSize(button))
}
