package discs

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// mediumBars show what an image takes of its medium before and after a swap: a bar each of the same scale, with the content,
// the rest of the image and what is free. What the medium does not hold is drawn in red behind a line at its end.
type mediumBars struct {
	widget.BaseWidget

	before, after usage
	medium        int64
}

var _ widgets.HeightForWidth = (*mediumBars)(nil)

func newMediumBars(before, after usage, medium int64) *mediumBars {
	b := &mediumBars{before: before, after: after, medium: medium}
	b.ExtendBaseWidget(b)
	return b
}

// span is a piece of a bar from one place to another, in bytes.
type span struct {
	from, to int64
	color    fyne.ThemeColorName
}

const (
	contentColor = theme.ColorNameCategory0
	restColor    = theme.ColorNameCategory1
	overColor    = fynetheme.ColorNameError
)

// spans gives the pieces of a bar. What lies beyond the medium is red, whatever it is.
func (b *mediumBars) spans(u usage) []span {
	limit := b.medium
	cut := func(n int64) int64 { return min(n, limit) }
	return []span{
		{0, cut(u.rest), restColor}, {cut(u.rest), cut(u.total()), contentColor}, {cut(u.total()), u.total(), overColor},
	}
}

// scale is how many bytes the whole width stands for.
func (b *mediumBars) scale() int64 { return max(b.medium, b.before.total(), b.after.total(), 1) }

const (
	barHeight  = 16
	barLine    = 24
	barName    = 48
	barSize    = 72
	legendRoom = 24
)

// HeightForWidth gives the height of both bars and the legend.
func (b *mediumBars) HeightForWidth(float32) float32 { return 2*barLine + legendRoom }

func (b *mediumBars) CreateRenderer() fyne.WidgetRenderer {
	r := &mediumRenderer{b: b}
	for i, u := range []usage{b.before, b.after} {
		line := barLineParts{name: theme.Caption([]string{"Before", "After"}[i]), size: theme.Caption(ui.Size(u.total())).WithAlign(fyne.TextAlignTrailing),
			ground: canvas.NewRectangle(nil), limit: canvas.NewRectangle(nil)}
		line.size.ColorName = fynetheme.ColorNameForeground
		for range b.spans(u) {
			line.pieces = append(line.pieces, canvas.NewRectangle(nil))
		}
		r.lines = append(r.lines, line)
	}
	for _, entry := range []struct {
		name  string
		color fyne.ThemeColorName
	}{{"Everything else", restColor}, {"Content", contentColor}, {"Free", theme.ColorNameBadge}} {
		r.legend = append(r.legend, legendEntry{canvas.NewRectangle(nil), theme.Caption(entry.name), entry.color})
	}
	if b.after.total() > b.medium || b.before.total() > b.medium {
		r.legend[2] = legendEntry{canvas.NewRectangle(nil), theme.Caption("Too much").WithColor(overColor), overColor}
	}
	r.Refresh()
	return r
}

type barLineParts struct {
	name, size    *theme.Text
	ground, limit *canvas.Rectangle
	pieces        []*canvas.Rectangle
}

type legendEntry struct {
	swatch *canvas.Rectangle
	text   *theme.Text
	color  fyne.ThemeColorName
}

type mediumRenderer struct {
	b      *mediumBars
	lines  []barLineParts
	legend []legendEntry
}

func (r *mediumRenderer) Destroy()           {}
func (r *mediumRenderer) MinSize() fyne.Size { return fyne.NewSize(220, r.b.HeightForWidth(0)) }

func (r *mediumRenderer) Objects() []fyne.CanvasObject {
	var objects []fyne.CanvasObject
	for _, l := range r.lines {
		objects = append(objects, l.name, l.size, l.ground)
		for _, p := range l.pieces {
			objects = append(objects, p)
		}
		objects = append(objects, l.limit)
	}
	for _, e := range r.legend {
		objects = append(objects, e.swatch, e.text)
	}
	return objects
}

func (r *mediumRenderer) Layout(size fyne.Size) {
	width := max(0, size.Width-barName-barSize)
	at := func(n int64) float32 { return float32(float64(n) / float64(r.b.scale()) * float64(width)) }
	for i, u := range []usage{r.b.before, r.b.after} {
		l, y := r.lines[i], float32(i)*barLine
		bar := y + (barLine-barHeight)/2
		l.name.Move(fyne.NewPos(0, y))
		l.name.Resize(fyne.NewSize(barName, barLine))
		l.size.Move(fyne.NewPos(size.Width-barSize, y))
		l.size.Resize(fyne.NewSize(barSize, barLine))
		l.ground.Move(fyne.NewPos(barName, bar))
		l.ground.Resize(fyne.NewSize(at(r.b.medium), barHeight))
		used := float32(0) // a piece too thin to be seen is widened, and moves the next one on
		for j, s := range r.b.spans(u) {
			from, to := max(at(s.from), used), at(s.to)
			if s.to > s.from {
				to = max(to, from+2)
			}
			used = max(used, to)
			l.pieces[j].Hidden = s.to <= s.from
			l.pieces[j].Move(fyne.NewPos(barName+from, bar))
			l.pieces[j].Resize(fyne.NewSize(max(0, to-from), barHeight))
		}
		l.limit.Hidden = u.total() <= r.b.medium
		l.limit.Move(fyne.NewPos(barName+at(r.b.medium)-1, bar-3))
		l.limit.Resize(fyne.NewSize(2, barHeight+6))
	}
	x, y := float32(barName), float32(2*barLine+2)
	for _, e := range r.legend {
		const side = 10
		text := e.text.MinSize()
		width := fyne.MeasureText(e.text.Text, theme.Size(fynetheme.SizeNameCaptionText), e.text.Style).Width + 2
		e.swatch.Move(fyne.NewPos(x, y+(legendRoom-4-side)/2))
		e.swatch.Resize(fyne.NewSquareSize(side))
		e.text.Move(fyne.NewPos(x+side+6, y+(legendRoom-4-text.Height)/2))
		e.text.Resize(fyne.NewSize(width, text.Height))
		x += side + 6 + width + 14
	}
}

func (r *mediumRenderer) Refresh() {
	for i, u := range []usage{r.b.before, r.b.after} {
		l := r.lines[i]
		l.ground.FillColor, l.ground.CornerRadius = theme.Color(theme.ColorNameBadge), 3
		l.limit.FillColor = theme.Color(fynetheme.ColorNameForeground)
		l.size.ColorName = fynetheme.ColorNameForeground
		if u.total() > r.b.medium {
			l.size.ColorName = overColor
		}
		for j, s := range r.b.spans(u) {
			l.pieces[j].FillColor = theme.Color(s.color)
		}
	}
	for _, e := range r.legend {
		e.swatch.FillColor, e.swatch.CornerRadius = theme.Color(e.color), 2
	}
	r.Layout(r.b.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}
