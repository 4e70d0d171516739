package fonts

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/formats/jazz2/charlist"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// tones gives the tone of a level.
func (l Level) tone() widgets.Tone {
	switch l {
	case Error:
		return widgets.Danger
	case Warning:
		return widgets.Warning
	case Hint:
		return widgets.Notice
	}
	return widgets.Neutral
}

// lists is the part at the left: the glyphs, and what is to be said about the font.
type lists struct {
	s      *screen
	pages  *widgets.Segmented
	front  *fyne.Container
	object fyne.CanvasObject

	glyphs *widgets.Rows
	none   *widgets.EmptyState
	search *widgets.SearchEntry
	only   *widgets.Chip
	count  *theme.Text
	page   fyne.CanvasObject

	problems *widgets.Rows
	fine     *widgets.EmptyState
	detail   *widgets.Note
	action   *widgets.Link
	column   *widgets.Column
	second   fyne.CanvasObject
	lines    []line
}

// A line of the second list is a problem, or one of its places.
type line struct {
	problem int
	spot    int // -1: the problem itself
}

// mostSpots bounds the places that are listed of one problem.
const mostSpots = 500

func newLists(s *screen) *lists {
	l := &lists{s: s}
	l.page, l.second = l.glyphPage(), l.problemPage()
	l.pages = widgets.NewSegmented([]string{"Glyphs", "Problems"}, l.turn)
	l.pages.Load(0)
	l.front = container.NewStack(l.page)
	l.object = container.New(widgets.PageLayout{}, container.New(&widgets.PadLayout{Left: 8, Top: 6, Right: 8, Bottom: 6}, container.NewHBox(l.pages)),
		widgets.NewGround(theme.ColorNameHairline, 0), l.front)
	return l
}

func (l *lists) turn(i int) {
	l.pages.Load(i)
	l.front.Objects[0] = []fyne.CanvasObject{l.page, l.second}[i]
	l.front.Refresh()
}

func (l *lists) glyphPage() fyne.CanvasObject {
	l.search = widgets.NewSearchEntry("A, U+E9, acute …", func(text string) {
		l.s.table.Query = text
		l.fill()
		l.glyphs.ScrollToTop()
	})
	l.only = widgets.NewChip("Problems", false, func(on bool) {
		l.s.table.Problems = on
		l.fill()
	})
	l.glyphs = widgets.NewRows(func() int { return l.s.table.Len() }, func() fyne.CanvasObject { return newGlyphRow() }, func(i int, o fyne.CanvasObject) {
		glyph := l.s.table.At(i)
		if g, ok := l.s.work.Glyph(glyph); ok {
			g.Level = l.s.table.Level(glyph)
			g.Advance = l.s.advance(g)
			o.(*glyphRow).set(g)
		}
	})
	l.glyphs.Height = theme.Size(theme.SizeNameRow)
	l.glyphs.OnSelected = func(i int) { l.s.choose(l.s.table.At(i), fromList) }
	l.glyphs.OnKey = func(e *fyne.KeyEvent) bool {
		switch e.Name {
		case fyne.KeyLeft:
			l.s.stepAdvance(-1)
		case fyne.KeyRight:
			l.s.stepAdvance(1)
		default:
			return false
		}
		return true
	}
	l.search.OnDown = func() {
		l.s.focus(l.glyphs)
		if l.glyphs.Selected() < 0 {
			l.glyphs.Select(0)
		}
	}
	l.none = widgets.NewEmptyState(theme.Icon(theme.IconSearch), "", "")
	l.none.Hide()
	l.count = theme.Caption("").WithTruncation(theme.TruncateEnd)
	head := container.New(&widgets.PadLayout{Left: 8, Top: 6, Right: 8, Bottom: 6}, container.NewBorder(nil, nil, nil, container.NewCenter(l.only.Pressable), l.search))
	foot := container.New(&widgets.PadLayout{Left: 10, Top: 3, Right: 10, Bottom: 4}, l.count)
	return container.NewBorder(head, foot, nil, nil, container.NewStack(l.glyphs, l.none))
}

func (l *lists) problemPage() fyne.CanvasObject {
	l.problems = widgets.NewRows(func() int { return len(l.lines) }, func() fyne.CanvasObject { return newProblemRow() }, func(i int, o fyne.CanvasObject) {
		o.(*problemRow).set(l.s, l.lines[i])
	})
	l.problems.Height = theme.Size(theme.SizeNameRow)
	l.problems.OnSelected = func(i int) { l.s.chooseProblem(l.lines[i]) }
	l.fine = widgets.NewEmptyState(theme.Icon(theme.IconHealthy), "Nothing to mend", "The font packs without a warning.")
	l.detail = widgets.NewNote("", widgets.Neutral)
	l.action = widgets.NewLink("Begin a list…", l.s.beginList)
	l.action.Hide()
	l.column = widgets.NewColumn(container.New(&widgets.PadLayout{Left: 10, Top: 8, Right: 10, Bottom: 8}, widgets.NewStack(4, l.detail, l.action)))
	return container.New(problemLayout{}, container.NewStack(l.problems, l.fine), widgets.NewGround(theme.ColorNameHairline, 0), l.column)
}

// problemLayout gives what is chosen two fifths of the height.
type problemLayout struct{}

func (problemLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(120, 160) }

func (problemLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	below := float32(0)
	if o[2].Visible() {
		below = min(max(size.Height*0.4, 90), 170)
	}
	o[0].Move(fyne.Position{})
	o[0].Resize(fyne.NewSize(size.Width, size.Height-below))
	o[1].Move(fyne.NewPos(0, size.Height-below))
	o[1].Resize(fyne.NewSize(size.Width, 1))
	o[2].Move(fyne.NewPos(0, size.Height-below+1))
	o[2].Resize(fyne.NewSize(size.Width, max(0, below-1)))
}

// fill brings both lists up to date with the font.
func (l *lists) fill() {
	s := l.s
	s.table.Update(s.work)
	all := 0
	if s.work != nil && s.work.List() != nil {
		all = len(s.work.List().Characters)
	}
	text := ui.Plural(all, "glyph")
	if s.table.Len() != all {
		text = fmt.Sprintf("%s of %s", ui.Count(int64(s.table.Len())), text)
	}
	l.count.SetText(text)
	l.none.Hidden = s.table.Len() > 0
	switch {
	case all == 0:
		l.none.Set("No characters", "They come from the list beside the image.")
	case s.table.Problems && s.table.Query == "":
		l.none.Set("No problems", "Nothing is to be said about any glyph.")
	default:
		l.none.Set("Nothing matches", "Search for a character, a code point such as U+E9, or a word of its name.")
	}
	l.none.Refresh()
	l.glyphs.Refresh()
	l.glyphs.Mark(s.table.Row(s.glyph))

	l.lines = l.lines[:0]
	for i, p := range s.found {
		l.lines = append(l.lines, line{i, -1})
		if len(p.Spots) > 1 || len(p.Spots) == 1 && p.Glyph < 0 {
			for j := range p.Spots[:min(len(p.Spots), mostSpots)] {
				l.lines = append(l.lines, line{i, j})
			}
		}
	}
	words := []string{"Glyphs", "Problems"}
	if n := len(s.found); n > 0 {
		words[1] = fmt.Sprintf("Problems %d", n)
	}
	l.pages.SetOptions(words)
	l.fine.Hidden = len(l.lines) > 0
	l.problems.Refresh()
	l.showDetail()
}

// showDetail says the chosen problem in full.
func (l *lists) showDetail() {
	p := l.s.problem
	l.column.Hide()
	if p != nil {
		l.column.Show()
		l.detail.Set(p.Text, p.Level.tone())
		l.action.Hidden = !l.s.work.NoList()
		l.column.Relayout()
	}
	l.second.Refresh()
	relayout(l.second)
}

func relayout(o fyne.CanvasObject) {
	if c, ok := o.(*fyne.Container); ok && c.Layout != nil {
		c.Layout.Layout(c.Objects, c.Size())
	}
}

// glyphRow is a line of the list of glyphs.
type glyphRow struct {
	widget.BaseWidget
	char, code, name, advance, size *theme.Text
	mark                            *widget.Icon
	level                           Level
}

func newGlyphRow() *glyphRow {
	r := &glyphRow{char: theme.Body(""), code: theme.MonoMuted(""), name: theme.Caption("").WithTruncation(theme.TruncateEnd),
		advance: theme.Mono(""), size: theme.MonoMuted(""), mark: widget.NewIcon(nil)}
	r.char.Truncate = theme.TruncateEnd
	r.advance.Align, r.size.Align = fyne.TextAlignTrailing, fyne.TextAlignTrailing
	r.mark.Hide()
	r.ExtendBaseWidget(r)
	return r
}

func (r *glyphRow) set(g Glyph) {
	r.char.SetText(g.Text())
	r.code.SetText(charlist.CodeName(g.Code))
	r.name.SetText(g.Name())
	r.advance.SetText(fmt.Sprint(g.Advance))
	size := "·"
	if g.Width > 0 {
		size = fmt.Sprintf("%d×%d", g.Width, g.Height)
	}
	r.size.SetText(size)
	if r.level != g.Level {
		r.level = g.Level
		r.mark.Hidden = g.Level == Fine
		r.mark.SetResource(g.Level.tone().Icon())
	}
}

// CreateRenderer implements fyne.Widget.
func (r *glyphRow) CreateRenderer() fyne.WidgetRenderer { return &glyphRowRenderer{r} }

type glyphRowRenderer struct{ r *glyphRow }

func (r *glyphRowRenderer) Destroy()           {}
func (r *glyphRowRenderer) MinSize() fyne.Size { return fyne.NewSize(150, 20) }
func (r *glyphRowRenderer) Refresh()           { r.Layout(r.r.Size()); canvas.Refresh(r.r) }
func (r *glyphRowRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.r.char, r.r.code, r.r.name, r.r.advance, r.r.size, r.r.mark}
}

func (r *glyphRowRenderer) Layout(size fyne.Size) {
	put := func(o fyne.CanvasObject, x, width float32) {
		o.Move(fyne.NewPos(x, 0))
		o.Resize(fyne.NewSize(max(0, width), size.Height))
	}
	put(r.r.char, 10, 34)
	put(r.r.code, 46, 56)
	right := size.Width - 8
	if size.Width >= 210 {
		put(r.r.size, right-46, 46)
		right -= 50
		r.r.size.Hidden = false
	} else {
		r.r.size.Hidden = true
	}
	put(r.r.advance, right-26, 26)
	right -= 32
	r.r.mark.Move(fyne.NewPos(right-14, (size.Height-14)/2))
	r.r.mark.Resize(fyne.NewSquareSize(14))
	right -= 18
	r.r.name.Hidden = right-106 < 30
	put(r.r.name, 106, right-106)
}

// problemRow is a line of the list of problems: the problem, or one of its places below it.
type problemRow struct {
	widget.BaseWidget
	icon  *widget.Icon
	text  *theme.Text
	count *theme.Text
	inset float32
	level Level
}

func newProblemRow() *problemRow {
	r := &problemRow{icon: widget.NewIcon(nil), text: theme.Body("").WithTruncation(theme.TruncateEnd), count: theme.MonoMuted("")}
	r.count.Align = fyne.TextAlignTrailing
	r.ExtendBaseWidget(r)
	return r
}

func (r *problemRow) set(s *screen, l line) {
	p := s.found[l.problem]
	r.count.SetText("")
	r.inset = 10
	if l.spot < 0 {
		if r.level != p.Level || r.icon.Resource == nil {
			r.level = p.Level
			r.icon.SetResource(p.Level.tone().Icon())
		}
		r.icon.Show()
		r.text.Set(p.Title, fynetheme.ColorNameForeground)
	} else {
		r.icon.Hide()
		r.inset = 14
		spot := p.Spots[l.spot]
		name := "outside the cells"
		if g, ok := s.work.Glyph(spot.Glyph); ok {
			name = charlist.CodeName(g.Code) + "  " + g.Text()
		}
		r.text.Set(name, theme.ColorNameMuted)
		if spot.Count > 0 && !p.Atlas {
			r.count.SetText(ui.Count(int64(spot.Count)))
		}
	}
	r.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (r *problemRow) CreateRenderer() fyne.WidgetRenderer { return &problemRowRenderer{r} }

type problemRowRenderer struct{ r *problemRow }

func (r *problemRowRenderer) Destroy()           {}
func (r *problemRowRenderer) MinSize() fyne.Size { return fyne.NewSize(120, 20) }
func (r *problemRowRenderer) Refresh()           { r.Layout(r.r.Size()); canvas.Refresh(r.r) }
func (r *problemRowRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.r.icon, r.r.text, r.r.count}
}

func (r *problemRowRenderer) Layout(size fyne.Size) {
	r.r.icon.Move(fyne.NewPos(10, (size.Height-14)/2))
	r.r.icon.Resize(fyne.NewSquareSize(14))
	x := r.r.inset + 20
	r.r.text.Move(fyne.NewPos(x, 0))
	right := float32(8)
	if r.r.count.Text != "" {
		right = 52
	}
	r.r.text.Resize(fyne.NewSize(max(0, size.Width-x-right), size.Height))
	r.r.count.Move(fyne.NewPos(size.Width-48, 0))
	r.r.count.Resize(fyne.NewSize(40, size.Height))
}
