package widgets

import (
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"

	"talebinder/gui/theme"
)

// Segmented is a choice of one among a few, side by side. The arrow keys move the choice.
type Segmented struct {
	control

	options   []string
	selected  int
	hover     int
	onChanged func(i int)
}

// NewSegmented makes a control with nothing chosen (-1).
func NewSegmented(options []string, onChanged func(i int)) *Segmented {
	s := &Segmented{options: options, selected: -1, hover: -1, onChanged: onChanged}
	s.setup(s, func() {})
	return s
}

// SetOptions changes the words of the options, for instance a count in them. There have to be as many as before.
func (s *Segmented) SetOptions(options []string) {
	if len(options) == len(s.options) && !slices.Equal(options, s.options) {
		s.options = options
		s.Refresh()
	}
}

// Selected gives the index of the chosen option, or -1.
func (s *Segmented) Selected() int { return s.selected }

// Load chooses without telling anybody. Any index outside the options takes the choice away.
func (s *Segmented) Load(i int) {
	if i < 0 || i >= len(s.options) {
		i = -1
	}
	if i != s.selected {
		s.selected = i
		s.Refresh()
	}
}

// SetSelected chooses and tells when that is a change.
func (s *Segmented) SetSelected(i int) {
	before := s.selected
	s.Load(i)
	if s.selected != before && s.onChanged != nil {
		s.onChanged(s.selected)
	}
}

// Tapped implements fyne.Tappable.
func (s *Segmented) Tapped(e *fyne.PointEvent) {
	if s.disabled {
		return
	}
	s.focus()
	s.SetSelected(s.at(e.Position.X))
}

// TypedKey implements fyne.Focusable.
func (s *Segmented) TypedKey(e *fyne.KeyEvent) {
	if s.disabled {
		return
	}
	switch e.Name {
	case fyne.KeyLeft:
		s.SetSelected(max(s.selected-1, 0))
	case fyne.KeyRight:
		s.SetSelected(min(s.selected+1, len(s.options)-1))
	case fyne.KeyHome:
		s.SetSelected(0)
	case fyne.KeyEnd:
		s.SetSelected(len(s.options) - 1)
	}
}

// MouseMoved implements desktop.Hoverable.
func (s *Segmented) MouseMoved(e *desktop.MouseEvent) {
	if i := s.at(e.Position.X); i != s.hover {
		s.hover = i
		s.Refresh()
	}
}

// MouseOut implements desktop.Hoverable.
func (s *Segmented) MouseOut() {
	s.hover = -1
	s.control.MouseOut()
}

func (s *Segmented) at(x float32) int {
	for i, end := range s.edges(s.Size().Width) {
		if x < end {
			return i
		}
	}
	return len(s.options) - 1
}

// edges gives where each option ends. All are of one width where there is room for that, else as wide as their words need.
func (s *Segmented) edges(width float32) []float32 {
	edges := make([]float32, len(s.options))
	room, widest := width-2*segmentInset, float32(0)
	words, free := make([]float32, len(s.options)), room
	for i, o := range s.options {
		words[i] = fyne.MeasureText(o, theme.Size(fynetheme.SizeNameText), fyne.TextStyle{Bold: true}).Width
		widest = max(widest, words[i])
		free -= words[i]
	}
	equal := width >= (widest+segmentPad)*float32(len(edges))
	at := float32(segmentInset)
	for i := range edges {
		if at += words[i] + free/float32(len(edges)); equal {
			at = segmentInset + room*float32(i+1)/float32(len(edges))
		}
		edges[i] = at
	}
	return edges
}

// CreateRenderer implements fyne.Widget.
func (s *Segmented) CreateRenderer() fyne.WidgetRenderer {
	r := &segmentedRenderer{s: s, back: canvas.NewRectangle(nil)}
	for range s.options {
		text := canvas.NewText("", nil)
		text.Alignment = fyne.TextAlignCenter
		r.texts = append(r.texts, text)
		r.grounds = append(r.grounds, canvas.NewRectangle(nil))
	}
	r.Refresh()
	return r
}

type segmentedRenderer struct {
	s       *Segmented
	back    *canvas.Rectangle
	grounds []*canvas.Rectangle
	texts   []*canvas.Text
}

const (
	segmentInset = 2
	segmentPad   = 16 // beside the words of an option, when there is room
)

func (r *segmentedRenderer) Destroy() {}

func (r *segmentedRenderer) MinSize() fyne.Size {
	widest := fyne.Size{}
	for _, o := range r.s.options {
		widest = widest.Max(fyne.MeasureText(o, theme.Size(fynetheme.SizeNameText), fyne.TextStyle{Bold: true}))
	}
	return fyne.NewSize((widest.Width+segmentPad)*float32(len(r.s.options)), widest.Height+12)
}

func (r *segmentedRenderer) Layout(size fyne.Size) {
	r.back.Resize(size)
	x := float32(segmentInset)
	for i, end := range r.s.edges(size.Width) {
		at := fyne.NewPos(x, segmentInset)
		area := fyne.NewSize(end-x, size.Height-2*segmentInset)
		x = end
		r.grounds[i].Move(at)
		r.grounds[i].Resize(area)
		r.texts[i].Move(at)
		r.texts[i].Resize(area)
	}
}

func (r *segmentedRenderer) Objects() []fyne.CanvasObject {
	objects := []fyne.CanvasObject{r.back}
	for _, g := range r.grounds {
		objects = append(objects, g)
	}
	for _, t := range r.texts {
		objects = append(objects, t)
	}
	return objects
}

func (r *segmentedRenderer) Refresh() {
	r.back.FillColor = theme.Color(fynetheme.ColorNameInputBackground)
	r.back.CornerRadius = theme.Size(fynetheme.SizeNameInputRadius) + 1
	r.back.StrokeColor, r.back.StrokeWidth = theme.Color(fynetheme.ColorNameInputBorder), 1
	if r.s.focused {
		r.back.StrokeColor, r.back.StrokeWidth = theme.Color(theme.ColorNameAccent), 2
	}
	for i, t := range r.texts {
		var ground color.Color = color.Transparent
		name, bold := theme.ColorNameMuted, false
		switch {
		case i == r.s.selected && !r.s.disabled:
			ground, name, bold = theme.Color(theme.ColorNameAccentSoft), theme.ColorNameAccent, true
		case i == r.s.selected:
			ground, bold = theme.Color(theme.ColorNameBadge), true
		case i == r.s.hover && !r.s.disabled:
			ground, name = theme.Color(fynetheme.ColorNameHover), fynetheme.ColorNameForeground
		}
		if r.s.disabled {
			name = fynetheme.ColorNameDisabled
		}
		r.grounds[i].FillColor, r.grounds[i].CornerRadius = ground, theme.Size(fynetheme.SizeNameInputRadius)-1
		t.Text, t.Color, t.TextSize = r.s.options[i], theme.Color(name), theme.Size(fynetheme.SizeNameText)
		t.TextStyle = fyne.TextStyle{Bold: bold}
		r.grounds[i].Refresh()
		t.Refresh()
	}
	r.Layout(r.s.Size())
	r.back.Refresh()
}
