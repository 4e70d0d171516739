package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
)

// Field is a labelled input with a line below it: help as long as all is well, otherwise what is wrong, with a link that
// mends it where that can be done.
type Field struct {
	widget.BaseWidget

	label *theme.Text
	input fyne.CanvasObject
	note  *Note
	fix   *Link

	help     string
	status   string
	tone     Tone
	renderer *fieldRenderer
}

var _ HeightForWidth = (*Field)(nil)

// NewField makes a field. An empty label takes no room.
func NewField(label string, input fyne.CanvasObject) *Field {
	f := &Field{label: theme.Caption(label), input: input, note: NewNote("", Neutral), fix: NewLink("", nil)}
	f.label.Style = fyne.TextStyle{Bold: true}
	f.label.Truncate = theme.TruncateEnd
	f.fix.Hide()
	f.ExtendBaseWidget(f)
	return f
}

// SetHelp sets the words that explain the field while nothing is wrong.
func (f *Field) SetHelp(text string) {
	f.help = text
	f.show()
}

// SetStatus shows what is to be said about the value, in place of the help; an empty text brings the help back. It returns
// whether the field may have another height now.
func (f *Field) SetStatus(text string, tone Tone) bool {
	f.status, f.tone = text, tone
	return f.show()
}

// SetFix shows a link below the status that mends what is wrong; without words there is none.
func (f *Field) SetFix(text string, tapped func()) bool {
	hidden := text == ""
	changed := f.fix.Hidden != hidden
	f.fix.Set(text, tapped)
	f.fix.Hidden = hidden
	if changed {
		f.Refresh()
	}
	return changed
}

// Status gives what is said below the input now, and in which tone.
func (f *Field) Status() (string, Tone) { return f.note.Text(), f.note.Tone() }

// Fix gives the link below the status; it is hidden when there is none.
func (f *Field) Fix() *Link { return f.fix }

// Relayout lays label, input and the line below out again.
func (f *Field) Relayout() {
	if f.renderer != nil {
		f.renderer.Layout(f.Size())
	}
	Relayout(f.input)
}

func (f *Field) show() bool {
	text, tone := f.status, f.tone
	if text == "" {
		text, tone = f.help, Neutral
	}
	if f.note.Text() == text && f.note.Tone() == tone {
		return false
	}
	f.note.Set(text, tone)
	return true
}

const fieldGap = 4

// HeightForWidth gives the height of label, input and the line below at a width.
func (f *Field) HeightForWidth(width float32) float32 {
	height := HeightFor(f.input, width)
	if f.label.Text != "" {
		height += f.label.MinSize().Height + fieldGap
	}
	if h := f.note.HeightForWidth(width); h > 0 {
		height += h + fieldGap
	}
	if f.fix.Visible() {
		height += f.fix.MinSize().Height
	}
	return height
}

// CreateRenderer implements fyne.Widget.
func (f *Field) CreateRenderer() fyne.WidgetRenderer {
	f.ExtendBaseWidget(f)
	f.renderer = &fieldRenderer{f}
	return f.renderer
}

type fieldRenderer struct{ f *Field }

func (r *fieldRenderer) Destroy() {}

func (r *fieldRenderer) MinSize() fyne.Size {
	width := fyne.Max(r.f.input.MinSize().Width, 80)
	return fyne.NewSize(width, r.f.HeightForWidth(fyne.Max(width, r.f.Size().Width)))
}

func (r *fieldRenderer) Layout(size fyne.Size) {
	f, y := r.f, float32(0)
	if f.label.Text != "" {
		height := f.label.MinSize().Height
		f.label.Move(fyne.NewPos(0, 0))
		f.label.Resize(fyne.NewSize(size.Width, height))
		y += height + fieldGap
	}
	height := HeightFor(f.input, size.Width)
	f.input.Move(fyne.NewPos(0, y))
	f.input.Resize(fyne.NewSize(size.Width, height))
	y += height
	if h := f.note.HeightForWidth(size.Width); h > 0 {
		y += fieldGap
		f.note.Move(fyne.NewPos(0, y))
		f.note.Resize(fyne.NewSize(size.Width, h))
		y += h
	}
	f.fix.Move(fyne.NewPos(-4, y))
	f.fix.Resize(f.fix.MinSize())
}

func (r *fieldRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.f.label, r.f.input, r.f.note, r.f.fix}
}

func (r *fieldRenderer) Refresh() {
	r.Layout(r.f.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}
