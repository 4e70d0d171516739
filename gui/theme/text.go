package theme

import (
	"image/color"
	"slices"
	"sort"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A Text is one line of text, or a wrapped paragraph, without any padding around it. Its colour and size are names, so
// it follows the theme. Text that does not fit its width ends in an ellipsis when Truncate is set; without it the
// whole text is the minimum width. Set the fields before it is shown, or call Refresh after a change.
type Text struct {
	widget.BaseWidget
	Text      string
	ColorName fyne.ThemeColorName // empty: foreground
	SizeName  fyne.ThemeSizeName  // empty: text
	Style     fyne.TextStyle
	Align     fyne.TextAlign
	Truncate  Truncation
	Wrap      bool // breaks at spaces to as many lines as the width asks for

	lines []string // as drawn
}

// Truncation says which part of a text gives way when there is no room.
type Truncation uint8

// The truncations. Paths lose their middle, so that the file name stays readable.
const (
	TruncateNone Truncation = iota
	TruncateEnd
	TruncateMiddle
)

var _ fyne.Widget = (*Text)(nil)

func newText(t *Text) *Text {
	t.ExtendBaseWidget(t)
	return t
}

// Title is the one big line of a screen.
func Title(text string) *Text {
	return newText(&Text{Text: text, SizeName: SizeNameTitle, Style: fyne.TextStyle{Bold: true}, Truncate: TruncateEnd})
}

// Heading begins a section.
func Heading(text string) *Text {
	return newText(&Text{Text: text, SizeName: SizeNameHeading, Style: fyne.TextStyle{Bold: true}})
}

// Body is ordinary text on one line.
func Body(text string) *Text { return newText(&Text{Text: text}) }

// Strong is ordinary text in bold.
func Strong(text string) *Text { return newText(&Text{Text: text, Style: fyne.TextStyle{Bold: true}}) }

// Muted is secondary text.
func Muted(text string) *Text { return newText(&Text{Text: text, ColorName: ColorNameMuted}) }

// Caption is small secondary text: a hint below a field, a unit, an age.
func Caption(text string) *Text {
	return newText(&Text{Text: text, ColorName: ColorNameMuted, SizeName: fynetheme.SizeNameCaptionText})
}

// Overline is the small bold line above a group.
func Overline(text string) *Text {
	return newText(&Text{Text: strings.ToUpper(text), ColorName: ColorNameMuted, SizeName: fynetheme.SizeNameCaptionText,
		Style: fyne.TextStyle{Bold: true}})
}

// Mono is text in the monospaced face, for paths and numbers of code; a text that is too long loses its middle.
func Mono(text string) *Text {
	return newText(&Text{Text: text, SizeName: fynetheme.SizeNameCaptionText, Style: fyne.TextStyle{Monospace: true},
		Truncate: TruncateMiddle})
}

// MonoMuted is a path that is not the main thing in its place.
func MonoMuted(text string) *Text {
	t := Mono(text)
	t.ColorName = ColorNameMuted
	return t
}

// Number is text aligned to the right.
func Number(text string) *Text { return newText(&Text{Text: text, Align: fyne.TextAlignTrailing}) }

// Paragraph is muted text that wraps at the width it is given.
func Paragraph(text string) *Text {
	return newText(&Text{Text: text, ColorName: ColorNameMuted, Wrap: true})
}

// SetText changes the text and draws it.
func (t *Text) SetText(text string) {
	if t.Text == text {
		return
	}
	t.Text = text
	t.Refresh()
}

// SetColor changes the colour and draws the text.
func (t *Text) SetColor(name fyne.ThemeColorName) {
	if t.ColorName == name {
		return
	}
	t.ColorName = name
	t.Refresh()
}

// Set changes text and colour together, for a row that is reused.
func (t *Text) Set(text string, name fyne.ThemeColorName) {
	if t.Text == text && t.ColorName == name {
		return
	}
	t.Text, t.ColorName = text, name
	t.Refresh()
}

// WithColor sets the colour of a text that is being made and returns it.
func (t *Text) WithColor(name fyne.ThemeColorName) *Text { t.ColorName = name; return t }

// WithTruncation sets the truncation of a text that is being made and returns it.
func (t *Text) WithTruncation(how Truncation) *Text { t.Truncate = how; return t }

// WithAlign sets the alignment of a text that is being made and returns it.
func (t *Text) WithAlign(a fyne.TextAlign) *Text { t.Align = a; return t }

// Lines gives the text as it is drawn: shortened, or broken into lines.
func (t *Text) Lines() []string { return slices.Clone(t.lines) }

// CreateRenderer makes the renderer; Fyne calls it.
func (t *Text) CreateRenderer() fyne.WidgetRenderer {
	t.ExtendBaseWidget(t)
	return &textRenderer{t: t}
}

type textRenderer struct {
	t       *Text
	lines   []*canvas.Text
	objects []fyne.CanvasObject
	width   float32 // of the last layout
}

func (r *textRenderer) look() (color.Color, float32) {
	name := r.t.ColorName
	if name == "" {
		name = fynetheme.ColorNameForeground
	}
	size := r.t.SizeName
	if size == "" {
		size = fynetheme.SizeNameText
	}
	th := r.t.Theme()
	return th.Color(name, fyne.CurrentApp().Settings().ThemeVariant()), th.Size(size)
}

func (r *textRenderer) spacing() float32 { return r.t.Theme().Size(fynetheme.SizeNameLineSpacing) }

func (r *textRenderer) MinSize() fyne.Size {
	_, size := r.look()
	one := fyne.MeasureText(r.t.Text, size, r.t.Style)
	switch {
	case r.t.Wrap:
		n := float32(len(wrap(rulerOf(r.t.Theme()), r.t.Text, r.t.Size().Width, size, r.t.Style)))
		return fyne.NewSize(min(one.Width, 4*size), n*one.Height+(n-1)*r.spacing())
	case r.t.Truncate != TruncateNone:
		return fyne.NewSize(min(one.Width, 2*size), one.Height)
	}
	return one
}

func (r *textRenderer) Layout(size fyne.Size) {
	before := len(r.lines)
	r.width = size.Width
	r.arrange(size)
	if r.t.Wrap && len(r.lines) != before {
		canvas.Refresh(r.t) // the height follows the width: the container has to ask again
	}
}

func (r *textRenderer) arrange(area fyne.Size) {
	col, size := r.look()
	texts := []string{r.t.Text}
	switch {
	case r.t.Wrap:
		texts = wrap(rulerOf(r.t.Theme()), r.t.Text, area.Width, size, r.t.Style)
	case r.t.Truncate == TruncateEnd:
		texts[0] = shortenEnd(rulerOf(r.t.Theme()), r.t.Text, area.Width, size, r.t.Style)
	case r.t.Truncate == TruncateMiddle:
		texts[0] = shortenMiddle(rulerOf(r.t.Theme()), r.t.Text, area.Width, size, r.t.Style)
	}
	r.t.lines = texts
	for len(r.lines) < len(texts) {
		c := canvas.NewText("", col)
		r.lines = append(r.lines, c)
		r.objects = append(r.objects, c)
	}
	r.lines, r.objects = r.lines[:len(texts)], r.objects[:len(texts)]
	height := fyne.MeasureText("M", size, r.t.Style).Height
	step := height + r.spacing()
	y := float32(0)
	if n := float32(len(texts)); area.Height > n*step-r.spacing() && !r.t.Wrap {
		y = (area.Height - (n*step - r.spacing())) / 2
	}
	for i, c := range r.lines {
		c.Text, c.Color, c.TextSize, c.TextStyle, c.Alignment = texts[i], col, size, r.t.Style, r.t.Align
		c.Move(fyne.NewPos(0, y+float32(i)*step))
		c.Resize(fyne.NewSize(area.Width, height))
	}
}

func (r *textRenderer) Refresh() {
	r.arrange(r.t.Size())
	for _, c := range r.lines {
		c.Refresh()
	}
	canvas.Refresh(r.t)
}

func (r *textRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *textRenderer) Destroy()                     {}

const ellipsis = "…"

// most gives the largest n up to limit for which fits holds; it holds for fewer when it holds for more.
func most(limit int, fits func(n int) bool) int {
	return max(0, sort.Search(limit+1, func(n int) bool { return !fits(n) })-1)
}

func shortenEnd(u *ruler, text string, width, size float32, style fyne.TextStyle) string {
	runes := []rune(text)
	ends := u.ends(runes, size, style)
	if width <= 0 || u.fits(text, ends[len(runes)], width, size, style) {
		return text
	}
	width -= u.width(ellipsis, size, style)
	n := most(len(runes), func(n int) bool { return ends[n] <= width })
	return strings.TrimRight(string(runes[:n]), " ") + ellipsis
}

func shortenMiddle(u *ruler, text string, width, size float32, style fyne.TextStyle) string {
	runes := []rune(text)
	ends := u.ends(runes, size, style)
	all := len(runes)
	if width <= 0 || u.fits(text, ends[all], width, size, style) {
		return text
	}
	width -= u.width(ellipsis, size, style)
	// The end of a path says more than its beginning.
	n := most(all, func(n int) bool { return ends[n/3]+ends[all]-ends[all-(n-n/3)] <= width })
	return string(runes[:n/3]) + ellipsis + string(runes[all-(n-n/3):])
}

// wrap breaks text at spaces and line ends; a word that is longer than a line is broken anywhere.
func wrap(u *ruler, text string, width, size float32, style fyne.TextStyle) []string {
	if width <= 0 {
		return strings.Split(text, "\n")
	}
	space := u.width(" ", size, style)
	var lines []string
	for _, paragraph := range strings.Split(text, "\n") {
		line, used := "", float32(0)
		for _, word := range strings.Fields(paragraph) {
			runes := []rune(word)
			ends := u.ends(runes, size, style)
			wide := ends[len(runes)]
			if line != "" && used+space+wide <= width {
				line, used = line+" "+word, used+space+wide
				continue
			}
			if line != "" {
				lines = append(lines, line)
			}
			from := 0
			for wide-ends[from] > width {
				n := max(1, most(len(runes)-from, func(n int) bool { return ends[from+n]-ends[from] <= width }))
				if from+n >= len(runes) {
					break
				}
				lines = append(lines, string(runes[from:from+n]))
				from += n
			}
			line, used = string(runes[from:]), wide-ends[from]
		}
		lines = append(lines, line)
	}
	return lines
}
