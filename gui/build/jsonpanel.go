package build

import (
	"image/color"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// jsonPanel shows the bytes that Save would write, line by line, with what changed since the file was saved.
type jsonPanel struct {
	screen *screen

	lines   []line
	wrong   int // line with the mistake, or 0
	list    *widgets.Rows
	state   *widgets.Note
	wide    *wideLayout
	content fyne.CanvasObject
}

// textLeft is where the text of a line begins.
const textLeft = 50

func newJSONPanel(s *screen) *jsonPanel {
	p := &jsonPanel{screen: s, state: widgets.NewNote("", widgets.Neutral)}
	p.list = widgets.NewRows(func() int { return len(p.lines) }, newJSONLine, func(i int, o fyne.CanvasObject) {
		o.(*jsonLine).set(p.lines[i], p.wrong != 0 && p.lines[i].number == p.wrong)
	})
	p.list.Height = 18
	p.list.OnActivated = func(i int) {
		if f := s.model.fieldAt(p.lines[i].number); f != "" {
			s.Focus(f)
		}
	}
	p.list.OnShortcut = func(shortcut fyne.Shortcut) {
		if _, ok := shortcut.(*fyne.ShortcutCopy); ok {
			p.copy()
		}
	}
	title := theme.Heading("build.json")
	copyButton := widgets.NewIconButton(theme.Icon(theme.IconCopy), "Copy the text", p.copy)
	closeButton := widgets.NewIconButton(theme.Icon(theme.IconClose), "Close the panel", s.toggleJSON)
	top := widgets.NewStack(2, container.New(&sidesLayout{gap: 8}, title, container.NewHBox(copyButton, closeButton)), p.state)
	p.wide = &wideLayout{}
	across := container.NewHScroll(container.New(p.wide, p.list))
	p.list.Outer = across // which takes what the list leaves: the wheel to the side
	p.content = container.New(&overLayout{}, widgets.NewGround(theme.ColorNamePanel, widgets.EdgeLeft|widgets.EdgeTop),
		container.New(&fillLayout{fill: across}, widgets.NewPad(12, top), across))
	return p
}

func (p *jsonPanel) copy() { p.screen.host.Copy(string(p.screen.model.document().Text())) }

// load shows the text. The place in it stays.
func (p *jsonPanel) load() {
	p.lines = p.screen.model.lines()
	p.wrong = 0
	changed := 0
	for _, l := range p.lines {
		if l.mark != same {
			changed++
		}
	}
	switch err := p.screen.model.broken(); {
	case err != nil:
		p.wrong = brokenLine(err)
		p.state.Set("Not valid: "+brokenText(err)+".", widgets.Danger)
	case !p.screen.model.document().Exists():
		p.state.Set("Not on disk yet: Save writes it.", widgets.Neutral)
	case changed == 0:
		p.state.Set("As on disk.", widgets.Neutral)
	default:
		p.state.Set(ui.Plural(changed, "line")+" changed since the last save.", widgets.Accent)
	}
	longest := ""
	for _, l := range p.lines {
		if len(l.text) > len(longest) {
			longest = l.text
		}
	}
	p.wide.width = textLeft + 12 + fyne.MeasureText(longest, theme.Size(fynetheme.SizeNameCaptionText), fyne.TextStyle{Monospace: true}).Width
	p.list.Refresh()
	p.content.Refresh()
}

// wideLayout gives a list the width of its longest line.
type wideLayout struct{ width float32 }

func (l *wideLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(l.width, 60) }
func (l *wideLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Resize(size)
}

// show brings a line into sight and selects it.
func (p *jsonPanel) show(number int) {
	for i, l := range p.lines {
		if l.number == number {
			p.list.Select(i)
			return
		}
	}
}

// jsonLine is a row: a mark, a number, a text.
type jsonLine struct {
	widget.BaseWidget

	back   *canvas.Rectangle
	sign   *theme.Text
	number *theme.Text
	text   *theme.Text
}

func newJSONLine() fyne.CanvasObject {
	l := &jsonLine{back: canvas.NewRectangle(color.Transparent), sign: theme.Mono(""), number: theme.MonoMuted(""), text: theme.Mono("").WithTruncation(theme.TruncateEnd)}
	l.number.Align = fyne.TextAlignTrailing
	l.sign.Align = fyne.TextAlignCenter
	l.ExtendBaseWidget(l)
	return l
}

func (l *jsonLine) set(n line, wrong bool) {
	sign, ground, text := "", fyne.ThemeColorName(""), fynetheme.ColorNameForeground
	switch {
	case wrong:
		sign, ground, text = "!", theme.ColorNameErrorSoft, fynetheme.ColorNameError
	case n.mark == added:
		sign, ground = "+", theme.ColorNameSuccessSoft
	case n.mark == removed:
		sign, ground, text = "−", theme.ColorNameErrorSoft, theme.ColorNameMuted
	}
	var fill color.Color = color.Transparent
	if ground != "" {
		fill = theme.Color(ground)
	}
	if l.back.FillColor != fill {
		l.back.FillColor = fill
		l.back.Refresh()
	}
	l.sign.Set(sign, text)
	number := ""
	if n.number > 0 {
		number = strconv.Itoa(n.number)
	}
	l.number.SetText(number)
	l.text.Set(n.text, text)
}

func (l *jsonLine) layout(size fyne.Size) {
	l.back.Resize(size)
	for _, p := range []struct {
		o    fyne.CanvasObject
		x, w float32
	}{{l.number, 0, 32}, {l.sign, 34, 14}, {l.text, textLeft, size.Width - textLeft - 4}} {
		p.o.Move(fyne.NewPos(p.x, 0))
		p.o.Resize(fyne.NewSize(p.w, size.Height))
	}
}

func (l *jsonLine) CreateRenderer() fyne.WidgetRenderer {
	return &lineRenderer{layout: l.layout, objects: []fyne.CanvasObject{l.back, l.number, l.sign, l.text}}
}
