package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
)

// Note is small wrapped text in one tone, with the tone's icon in front. It knows how high it is at a given width, so that
// a Stack can lay it out in one pass.
type Note struct {
	widget.BaseWidget

	tone Tone
	text *theme.Text
	icon *canvas.Image
}

var _ HeightForWidth = (*Note)(nil)

// NewNote makes a note. An empty text takes no room.
func NewNote(text string, tone Tone) *Note {
	n := &Note{tone: tone, text: theme.Caption(text), icon: canvas.NewImageFromResource(nil)}
	n.text.Wrap = true
	n.icon.FillMode = canvas.ImageFillContain
	n.ExtendBaseWidget(n)
	return n
}

// NewMonoNote makes a note in the monospaced face, for paths that must be readable as a whole.
func NewMonoNote(text string, tone Tone) *Note {
	n := NewNote(text, tone)
	n.text.Style.Monospace = true
	return n
}

// Set changes text and tone. It does nothing when both are the same already.
func (n *Note) Set(text string, tone Tone) {
	if n.text.Text == text && n.tone == tone {
		return
	}
	n.text.Text, n.tone = text, tone
	n.Refresh()
}

// Text gives the text shown.
func (n *Note) Text() string { return n.text.Text }

// Tone gives the tone shown.
func (n *Note) Tone() Tone { return n.tone }

// HeightForWidth gives the height of the text when wrapped at width.
func (n *Note) HeightForWidth(width float32) float32 {
	if n.text.Text == "" {
		return 0
	}
	return HeightFor(n.text, width-n.indent())
}

func (n *Note) side() float32 { return theme.Size(fynetheme.SizeNameCaptionText) + 2 }

func (n *Note) indent() float32 {
	if n.tone.Icon() == nil {
		return 0
	}
	return n.side() + theme.Size(fynetheme.SizeNamePadding)
}

// CreateRenderer implements fyne.Widget.
func (n *Note) CreateRenderer() fyne.WidgetRenderer {
	n.ExtendBaseWidget(n)
	r := &noteRenderer{n}
	r.Refresh()
	return r
}

type noteRenderer struct{ *Note }

func (r *noteRenderer) Destroy() {}

func (r *noteRenderer) MinSize() fyne.Size {
	if r.text.Text == "" {
		return fyne.Size{}
	}
	width := r.Size().Width
	if width <= 0 {
		width = 240
	}
	return fyne.NewSize(r.indent()+40, r.HeightForWidth(width))
}

func (r *noteRenderer) Layout(size fyne.Size) {
	indent := r.indent()
	r.text.Move(fyne.NewPos(indent, 0))
	r.text.Resize(fyne.NewSize(size.Width-indent, size.Height))
	r.icon.Resize(fyne.NewSquareSize(r.side()))
	r.icon.Move(fyne.NewPos(0, 1))
}

func (r *noteRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.icon, r.text} }

func (r *noteRenderer) Refresh() {
	r.text.Hidden = r.text.Text == ""
	r.text.ColorName = r.tone.Color()
	r.icon.Resource = r.tone.Icon()
	r.icon.Hidden = r.icon.Resource == nil || r.text.Hidden
	r.Layout(r.Size())
	r.text.Refresh()
	r.icon.Refresh()
}
