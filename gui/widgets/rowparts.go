package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
)

// RowButton is an icon inside a row of a list that can be clicked. It takes neither the focus nor the hover of its row: the
// list stays one stop for the Tab key, and offers the same by a key of its own.
type RowButton struct {
	widget.BaseWidget

	OnTapped func()

	icon fyne.Resource
	tone fyne.ThemeColorName
}

var (
	_ fyne.Tappable      = (*RowButton)(nil)
	_ desktop.Cursorable = (*RowButton)(nil)
)

// NewRowButton makes a button.
func NewRowButton(icon fyne.Resource) *RowButton {
	b := &RowButton{icon: icon, tone: theme.ColorNameMuted}
	b.ExtendBaseWidget(b)
	return b
}

// SetIcon changes icon and colour.
func (b *RowButton) SetIcon(icon fyne.Resource, tone fyne.ThemeColorName) {
	if b.icon.Name() == icon.Name() && b.tone == tone {
		return // rows are filled often, and drawing an icon is not free
	}
	b.icon, b.tone = icon, tone
	b.Refresh()
}

// Tapped implements fyne.Tappable.
func (b *RowButton) Tapped(*fyne.PointEvent) { call(b.OnTapped) }

// Cursor implements desktop.Cursorable.
func (b *RowButton) Cursor() desktop.Cursor { return desktop.PointerCursor }

// CreateRenderer implements fyne.Widget.
func (b *RowButton) CreateRenderer() fyne.WidgetRenderer {
	b.ExtendBaseWidget(b)
	r := &rowIconRenderer{icon: canvas.NewImageFromResource(nil), look: func() fyne.Resource { return tinted(b.icon, b.tone) }}
	r.icon.FillMode = canvas.ImageFillContain
	r.Refresh()
	return r
}

type rowIconRenderer struct {
	icon *canvas.Image
	look func() fyne.Resource
}

func (r *rowIconRenderer) Destroy()                     {}
func (r *rowIconRenderer) MinSize() fyne.Size           { return fyne.NewSize(22, 22) }
func (r *rowIconRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.icon} }

func (r *rowIconRenderer) Layout(size fyne.Size) {
	side := theme.Size(fynetheme.SizeNameInlineIcon)
	r.icon.Resize(fyne.NewSquareSize(side))
	r.icon.Move(fyne.NewPos((size.Width-side)/2, (size.Height-side)/2))
}

func (r *rowIconRenderer) Refresh() {
	r.icon.Resource = r.look()
	r.icon.Refresh()
}

// RowLink is a text inside a row of a list that can be clicked, of the same kind as RowButton. It is hidden without words.
type RowLink struct {
	widget.BaseWidget

	OnTapped func()

	text *theme.Text
}

var _ fyne.Tappable = (*RowLink)(nil)

// NewRowLink makes a link without words.
func NewRowLink() *RowLink {
	l := &RowLink{text: theme.Caption("").WithColor(theme.ColorNameAccent)}
	l.text.Style = fyne.TextStyle{Bold: true}
	l.text.Truncate = theme.TruncateMiddle
	l.Hidden = true
	l.ExtendBaseWidget(l)
	return l
}

// Set changes the words.
func (l *RowLink) Set(text string) {
	l.text.SetText(text)
	l.Hidden = text == ""
}

// Text gives the words.
func (l *RowLink) Text() string { return l.text.Text }

// WantedWidth is the width at which the words are not cut.
func (l *RowLink) WantedWidth() float32 {
	return fyne.MeasureText(l.text.Text, theme.Size(fynetheme.SizeNameCaptionText), l.text.Style).Width + 1
}

// Tapped implements fyne.Tappable.
func (l *RowLink) Tapped(*fyne.PointEvent) { call(l.OnTapped) }

// Cursor implements desktop.Cursorable.
func (l *RowLink) Cursor() desktop.Cursor { return desktop.PointerCursor }

// CreateRenderer implements fyne.Widget.
func (l *RowLink) CreateRenderer() fyne.WidgetRenderer {
	l.ExtendBaseWidget(l)
	return widget.NewSimpleRenderer(l.text)
}

// RowCheck is a check box inside a row of a list, of the same kind as RowButton.
type RowCheck struct {
	widget.BaseWidget

	OnChanged func(checked bool)

	checked, off bool
}

var _ fyne.Tappable = (*RowCheck)(nil)

// NewRowCheck makes a box that is not ticked.
func NewRowCheck() *RowCheck {
	c := &RowCheck{}
	c.ExtendBaseWidget(c)
	return c
}

// Set says whether the box is ticked and whether it can be changed, without telling anybody.
func (c *RowCheck) Set(checked, enabled bool) {
	if c.checked != checked || c.off == enabled {
		c.checked, c.off = checked, !enabled
		c.Refresh()
	}
}

// Tapped implements fyne.Tappable.
func (c *RowCheck) Tapped(*fyne.PointEvent) {
	if !c.off && c.OnChanged != nil {
		c.OnChanged(!c.checked)
	}
}

// Cursor implements desktop.Cursorable.
func (c *RowCheck) Cursor() desktop.Cursor {
	if c.off {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}

// CreateRenderer implements fyne.Widget.
func (c *RowCheck) CreateRenderer() fyne.WidgetRenderer {
	c.ExtendBaseWidget(c)
	r := &rowCheckRenderer{c: c, box: canvas.NewRectangle(nil), tick: canvas.NewImageFromResource(nil)}
	r.tick.FillMode = canvas.ImageFillContain
	r.Refresh()
	return r
}

type rowCheckRenderer struct {
	c    *RowCheck
	box  *canvas.Rectangle
	tick *canvas.Image
}

const checkSide = 14

func (r *rowCheckRenderer) Destroy()                     {}
func (r *rowCheckRenderer) MinSize() fyne.Size           { return fyne.NewSize(22, 22) }
func (r *rowCheckRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.box, r.tick} }

func (r *rowCheckRenderer) Layout(size fyne.Size) {
	at := fyne.NewPos((size.Width-checkSide)/2, (size.Height-checkSide)/2)
	r.box.Move(at)
	r.box.Resize(fyne.NewSquareSize(checkSide))
	r.tick.Move(at)
	r.tick.Resize(fyne.NewSquareSize(checkSide))
}

func (r *rowCheckRenderer) Refresh() {
	r.box.CornerRadius = 3
	r.box.FillColor = theme.Color(fynetheme.ColorNameInputBackground)
	r.box.StrokeColor, r.box.StrokeWidth = theme.Color(theme.ColorNameMuted), 1
	tick := fynetheme.ColorNameForegroundOnPrimary
	switch {
	case r.c.checked && r.c.off:
		r.box.FillColor, r.box.StrokeWidth = theme.Color(theme.ColorNameBadge), 0
		tick = theme.ColorNameMuted
	case r.c.checked:
		r.box.FillColor, r.box.StrokeWidth = theme.Color(theme.ColorNameAccent), 0
	}
	r.tick.Hidden = !r.c.checked
	r.tick.Resource = tinted(theme.Icon(theme.IconCheck), tick)
	r.box.Refresh()
	r.tick.Refresh()
}
