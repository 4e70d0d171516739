package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
)

// Card is a bordered area with a heading, actions at the right end of the heading, and a body that gets the rest.
type Card struct {
	widget.BaseWidget

	heading *theme.Text
	actions []fyne.CanvasObject
	body    fyne.CanvasObject

	renderer *cardRenderer
}

var _ HeightForWidth = (*Card)(nil)

const (
	cardPad  = 12
	cardHead = 28
)

// NewCard makes a card. Without a title there is no heading.
func NewCard(title string, body fyne.CanvasObject, actions ...fyne.CanvasObject) *Card {
	c := &Card{body: body, actions: actions}
	if title != "" {
		c.heading = theme.Heading(title)
		c.heading.Truncate = theme.TruncateEnd
	}
	c.ExtendBaseWidget(c)
	return c
}

// SetTitle changes the heading of a card that was made with one.
func (c *Card) SetTitle(title string) { c.heading.SetText(title) }

// HeightForWidth gives the height of heading and body at a width.
func (c *Card) HeightForWidth(width float32) float32 {
	return c.headHeight() + HeightFor(c.body, width-2*cardPad) + 2*cardPad
}

// Relayout lays the body out again after something in it changed its height.
func (c *Card) Relayout() {
	if c.renderer != nil {
		c.renderer.Layout(c.Size())
	}
	Relayout(c.body)
}

func (c *Card) headHeight() float32 {
	if c.heading == nil && len(c.actions) == 0 {
		return 0
	}
	height := float32(cardHead)
	for _, a := range c.actions {
		height = fyne.Max(height, a.MinSize().Height+4)
	}
	return height
}

// CreateRenderer implements fyne.Widget.
func (c *Card) CreateRenderer() fyne.WidgetRenderer {
	c.ExtendBaseWidget(c)
	r := &cardRenderer{card: c, back: canvas.NewRectangle(nil)}
	r.Refresh()
	c.renderer = r
	return r
}

type cardRenderer struct {
	card *Card
	back *canvas.Rectangle
}

func (r *cardRenderer) Destroy() {}

func (r *cardRenderer) MinSize() fyne.Size {
	body := r.card.body.MinSize()
	width := float32(0)
	if r.card.heading != nil {
		width = 80
	}
	for _, a := range r.card.actions {
		width += a.MinSize().Width + 6
	}
	return fyne.NewSize(fyne.Max(width, body.Width)+2*cardPad, r.card.headHeight()+body.Height+2*cardPad)
}

func (r *cardRenderer) Layout(size fyne.Size) {
	r.back.Resize(size)
	head := r.card.headHeight()
	right := size.Width - cardPad
	for i := len(r.card.actions) - 1; i >= 0; i-- {
		a := r.card.actions[i]
		if !a.Visible() {
			continue
		}
		min := a.MinSize()
		right -= min.Width
		a.Resize(min)
		a.Move(fyne.NewPos(right, cardPad+(head-6-min.Height)/2))
		right -= 6
	}
	if h := r.card.heading; h != nil {
		h.Move(fyne.NewPos(cardPad, cardPad))
		h.Resize(fyne.NewSize(right-cardPad, head-6))
	}
	r.card.body.Move(fyne.NewPos(cardPad, cardPad+head))
	r.card.body.Resize(fyne.NewSize(size.Width-2*cardPad, size.Height-2*cardPad-head))
}

func (r *cardRenderer) Objects() []fyne.CanvasObject {
	objects := []fyne.CanvasObject{r.back}
	if r.card.heading != nil {
		objects = append(objects, r.card.heading)
	}
	objects = append(objects, r.card.actions...)
	return append(objects, r.card.body)
}

func (r *cardRenderer) Refresh() {
	r.back.FillColor = theme.Color(theme.ColorNamePanel)
	r.back.StrokeColor = theme.Color(theme.ColorNameCardBorder)
	r.back.StrokeWidth = 1
	r.back.CornerRadius = theme.Size(theme.SizeNameRadius)
	r.Layout(r.card.Size())
	r.back.Refresh()
	if r.card.heading != nil {
		r.card.heading.Refresh()
	}
	for _, a := range r.card.actions {
		a.Refresh()
	}
	r.card.body.Refresh()
}
