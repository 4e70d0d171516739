package widgets

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"

	"talebinder/gui/theme"
)

// IconButton is a small square button with an icon and no words. Hint says what it does; it is handed to OnHint while the
// pointer or the focus is on the button (the toolkit has no tooltips), and identifies the button in tests.
type IconButton struct {
	control

	Icon   fyne.Resource
	Hint   string
	OnHint func(hint string)
	Quiet  bool // muted until the pointer is on it
}

// NewIconButton makes a button.
func NewIconButton(icon fyne.Resource, hint string, tapped func()) *IconButton {
	b := &IconButton{Icon: icon, Hint: hint}
	b.setup(b, tapped)
	return b
}

// SetIcon changes the icon.
func (b *IconButton) SetIcon(icon fyne.Resource) {
	b.Icon = icon
	b.Refresh()
}

// FocusGained implements fyne.Focusable.
func (b *IconButton) FocusGained() {
	b.control.FocusGained()
	b.tell(b.Hint)
}

// FocusLost implements fyne.Focusable.
func (b *IconButton) FocusLost() {
	b.control.FocusLost()
	b.tell("")
}

// MouseIn implements desktop.Hoverable.
func (b *IconButton) MouseIn(e *desktop.MouseEvent) {
	b.control.MouseIn(e)
	b.tell(b.Hint)
}

// MouseOut implements desktop.Hoverable.
func (b *IconButton) MouseOut() {
	b.control.MouseOut()
	b.tell("")
}

func (b *IconButton) tell(hint string) {
	if b.OnHint != nil {
		b.OnHint(hint)
	}
}

// CreateRenderer implements fyne.Widget.
func (b *IconButton) CreateRenderer() fyne.WidgetRenderer {
	r := &iconButtonRenderer{b: b, back: canvas.NewRectangle(nil), icon: canvas.NewImageFromResource(nil)}
	r.icon.FillMode = canvas.ImageFillContain
	r.Refresh()
	return r
}

type iconButtonRenderer struct {
	b    *IconButton
	back *canvas.Rectangle
	icon *canvas.Image
}

func (r *iconButtonRenderer) Destroy() {}

func (r *iconButtonRenderer) MinSize() fyne.Size { return fyne.NewSquareSize(24) }

func (r *iconButtonRenderer) Layout(size fyne.Size) {
	r.back.Resize(size)
	side := theme.Size(fynetheme.SizeNameInlineIcon)
	r.icon.Resize(fyne.NewSquareSize(side))
	r.icon.Move(fyne.NewPos((size.Width-side)/2, (size.Height-side)/2))
}

func (r *iconButtonRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.back, r.icon}
}

func (r *iconButtonRenderer) Refresh() {
	var ground color.Color = color.Transparent
	name := fynetheme.ColorNameForeground
	switch {
	case r.b.disabled:
		name = fynetheme.ColorNameDisabled
	case r.b.hovered:
		ground = theme.Color(fynetheme.ColorNameHover)
	case r.b.Quiet && !r.b.focused:
		name = theme.ColorNameMuted
	}
	r.back.FillColor, r.back.CornerRadius = ground, 4
	ring(r.back, r.b.focused)
	r.icon.Resource = tinted(r.b.Icon, name)
	r.Layout(r.b.Size())
	r.back.Refresh()
	r.icon.Refresh()
}

// ring draws or takes away the mark of the focus around a rectangle.
func ring(r *canvas.Rectangle, focused bool) {
	r.StrokeColor, r.StrokeWidth = color.Transparent, 0
	if focused {
		r.StrokeColor, r.StrokeWidth = theme.Color(theme.ColorNameAccent), 2
	}
}

// Link is a short text in the accent colour that does something when pressed.
type Link struct {
	control

	text string
}

// NewLink makes a link.
func NewLink(text string, tapped func()) *Link {
	l := &Link{text: text}
	l.setup(l, tapped)
	return l
}

// Set changes the words and what they do.
func (l *Link) Set(text string, tapped func()) {
	l.press = tapped
	if l.text != text {
		l.text = text
		l.Refresh()
	}
}

// Text gives the words.
func (l *Link) Text() string { return l.text }

// CreateRenderer implements fyne.Widget.
func (l *Link) CreateRenderer() fyne.WidgetRenderer {
	r := &linkRenderer{l: l, back: canvas.NewRectangle(color.Transparent), line: canvas.NewRectangle(nil), text: theme.Caption("")}
	r.text.Style, r.text.Truncate = fyne.TextStyle{Bold: true}, theme.TruncateEnd
	r.Refresh()
	return r
}

type linkRenderer struct {
	l          *Link
	back, line *canvas.Rectangle
	text       *theme.Text
}

func (r *linkRenderer) Destroy() {}

func (r *linkRenderer) MinSize() fyne.Size {
	return fyne.MeasureText(r.l.text, theme.Size(fynetheme.SizeNameCaptionText), fyne.TextStyle{Bold: true}).AddWidthHeight(8, 4)
}

func (r *linkRenderer) Layout(size fyne.Size) {
	min := r.MinSize()
	width := fyne.Min(min.Width, size.Width)
	r.back.Resize(fyne.NewSize(width, size.Height))
	r.text.Move(fyne.NewPos(4, (size.Height-min.Height)/2+2))
	r.text.Resize(fyne.NewSize(fyne.Max(0, width-8), min.Height-4))
	r.line.Move(fyne.NewPos(4, (size.Height+min.Height)/2-2))
	r.line.Resize(fyne.NewSize(fyne.Max(0, width-8), 1))
}

func (r *linkRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.back, r.text, r.line}
}

func (r *linkRenderer) Refresh() {
	name := theme.ColorNameAccent
	if r.l.disabled {
		name = fynetheme.ColorNameDisabled
	}
	ring(r.back, r.l.focused)
	r.back.CornerRadius = 4
	r.text.Text, r.text.ColorName = r.l.text, name
	r.line.FillColor = theme.Color(name)
	r.line.Hidden = !r.l.hovered || r.l.disabled
	r.Layout(r.l.Size())
	r.back.Refresh()
	r.text.Refresh()
	r.line.Refresh()
}
