package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
)

// Badge is a word or a number on a small coloured ground.
type Badge struct {
	widget.BaseWidget

	text string
	tone Tone
}

// NewBadge makes a badge.
func NewBadge(text string, tone Tone) *Badge {
	b := &Badge{text: text, tone: tone}
	b.ExtendBaseWidget(b)
	return b
}

// Set changes text and tone.
func (b *Badge) Set(text string, tone Tone) {
	if b.text == text && b.tone == tone {
		return
	}
	b.text, b.tone = text, tone
	b.Refresh()
}

// Text gives the word shown.
func (b *Badge) Text() string { return b.text }

// CreateRenderer implements fyne.Widget.
func (b *Badge) CreateRenderer() fyne.WidgetRenderer {
	b.ExtendBaseWidget(b)
	r := &badgeRenderer{badge: b, back: canvas.NewRectangle(nil), text: canvas.NewText("", nil)}
	r.text.Alignment = fyne.TextAlignCenter
	r.Refresh()
	return r
}

type badgeRenderer struct {
	badge *Badge
	back  *canvas.Rectangle
	text  *canvas.Text
}

const badgeSide, badgeHeight = 6, 17

func (r *badgeRenderer) Destroy() {}

func (r *badgeRenderer) MinSize() fyne.Size {
	text := fyne.MeasureText(r.badge.text, theme.Size(fynetheme.SizeNameCaptionText), fyne.TextStyle{})
	return fyne.NewSize(text.Width+2*badgeSide, fyne.Max(badgeHeight, text.Height+2))
}

func (r *badgeRenderer) Layout(size fyne.Size) {
	height := fyne.Min(size.Height, r.MinSize().Height)
	top := (size.Height - height) / 2
	r.back.Move(fyne.NewPos(0, top))
	r.back.Resize(fyne.NewSize(size.Width, height))
	r.text.Move(fyne.NewPos(0, top))
	r.text.Resize(fyne.NewSize(size.Width, height))
}

func (r *badgeRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.back, r.text} }

func (r *badgeRenderer) Refresh() {
	r.back.FillColor = theme.Color(r.badge.tone.Soft())
	r.back.CornerRadius = 4
	name := r.badge.tone.Color()
	if r.badge.tone == Neutral {
		name = theme.ColorNameBadgeText
	}
	r.text.Text, r.text.Color = r.badge.text, theme.Color(name)
	r.text.TextSize = theme.Size(fynetheme.SizeNameCaptionText)
	r.Layout(r.badge.Size())
	r.back.Refresh()
	r.text.Refresh()
}
