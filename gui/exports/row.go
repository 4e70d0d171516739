package exports

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// look is the icon and the tone of a mark. Every mark has an icon of its own, so that colour is never the only difference.
type look struct {
	icon theme.IconName
	tone widgets.Tone
}

func (m Mark) look() look {
	switch m {
	case MarkRunning:
		return look{theme.IconPlay, widgets.Accent}
	case MarkCancelling:
		return look{theme.IconStop, widgets.Neutral}
	case MarkFinished:
		return look{theme.IconSuccess, widgets.Success}
	case MarkWarned:
		return look{theme.IconProblems, widgets.Warning}
	case MarkCancelled:
		return look{theme.IconCancelled, widgets.Neutral}
	case MarkFailed:
		return look{theme.IconFailed, widgets.Danger}
	}
	return look{theme.IconWaiting, widgets.Neutral}
}

func (m StepMark) look() look {
	switch m {
	case StepRunning:
		return look{theme.IconPlay, widgets.Accent}
	case StepDone:
		return look{theme.IconSuccess, widgets.Success}
	case StepFailed:
		return look{theme.IconFailed, widgets.Danger}
	case StepCancelled:
		return look{theme.IconCancelled, widgets.Neutral}
	case StepSkipped:
		return look{theme.IconRemove, widgets.Neutral}
	}
	return look{theme.IconWaiting, widgets.Neutral}
}

func (l look) resource() fyne.Resource { return theme.IconIn(l.icon, l.tone.Color()) }

// icon is a picture that is only read again when it is another one.
type icon struct {
	*canvas.Image
	shown look
}

func newIcon() *icon {
	i := &icon{Image: canvas.NewImageFromResource(nil)}
	i.FillMode = canvas.ImageFillContain
	return i
}

func (i *icon) set(l look) {
	if i.shown != l || i.Resource == nil {
		i.shown = l
		i.Resource = l.resource()
		i.Refresh()
	}
}

const rowHeight = 68

// row is one export in the list.
type row struct {
	widget.BaseWidget

	line   Line
	icon   *icon
	title  *theme.Text
	word   *theme.Text
	text   *theme.Text
	time   *theme.Text
	output *theme.Text
	bar    *widgets.Meter
	rule   *canvas.Rectangle
	button *widgets.RowButton
}

// newRow makes a row; act is called with the id of the row whose button is pressed.
func newRow(act func(id int)) *row {
	r := &row{
		icon:   newIcon(),
		title:  theme.Strong("").WithTruncation(theme.TruncateEnd),
		word:   theme.Body("").WithAlign(fyne.TextAlignTrailing),
		text:   theme.Muted("").WithTruncation(theme.TruncateEnd),
		time:   theme.Caption("").WithAlign(fyne.TextAlignTrailing),
		output: theme.MonoMuted(""),
		bar:    widgets.NewMeter(5),
		rule:   canvas.NewRectangle(nil),
		button: widgets.NewRowButton(theme.Icon(theme.IconClose)),
	}
	r.button.OnTapped = func() { act(r.line.ID) }
	r.ExtendBaseWidget(r)
	return r
}

func (r *row) set(l Line) {
	moved := r.line.Word != l.Word || r.line.Elapsed != l.Elapsed || r.line.Left != l.Left || r.line.Active != l.Active
	r.line = l
	look := l.Mark.look()
	r.icon.set(look)
	title, text := l.Title, l.Text
	switch {
	case l.What == "":
	case l.Active:
		title += " · " + l.What
	default: // the word for how it ended needs the room
		text = l.What + " · " + text
	}
	r.title.SetText(title)
	color := look.tone.Color()
	if l.Mark == MarkRunning || l.Mark == MarkWaiting {
		color = theme.ColorNameMuted
	}
	word := l.Word
	if l.Mark == MarkRunning && l.Left != "" {
		word = l.Left // which says that it is running, and more
	}
	r.word.Set(word, color)
	textColor := theme.ColorNameMuted
	if l.Mark == MarkFailed {
		textColor = fynetheme.ColorNameError
	}
	r.text.Set(text, textColor)
	r.time.SetText(l.Elapsed)
	r.output.Truncate = theme.TruncateMiddle
	output := l.Output
	if l.Active && l.Detail != "" {
		output, r.output.Truncate = l.Detail, theme.TruncateEnd // it begins with what matters: how much, how fast
	}
	r.output.SetText(output)
	barColor := theme.ColorNameAccent
	if l.Mark == MarkCancelling {
		barColor = theme.ColorNameMuted
	}
	r.bar.Set(l.Fraction, barColor)
	switch l.Mark {
	case MarkWaiting, MarkRunning:
		r.button.SetIcon(theme.Icon(theme.IconClose), theme.ColorNameMuted)
	case MarkFailed, MarkCancelled:
		r.button.SetIcon(theme.Icon(theme.IconReload), theme.ColorNameMuted)
	case MarkFinished, MarkWarned:
		r.button.SetIcon(theme.Icon(theme.IconFolderOpen), theme.ColorNameMuted)
	}
	r.button.Hidden = l.Mark == MarkCancelling
	if moved {
		r.Refresh()
	}
}

func (r *row) CreateRenderer() fyne.WidgetRenderer {
	n := &rowRenderer{r}
	n.Refresh()
	return n
}

type rowRenderer struct{ r *row }

func (n *rowRenderer) Destroy()           {}
func (n *rowRenderer) MinSize() fyne.Size { return fyne.NewSize(200, rowHeight) }
func (n *rowRenderer) Objects() []fyne.CanvasObject {
	r := n.r
	return []fyne.CanvasObject{r.rule, r.icon.Image, r.title, r.word, r.text, r.time, r.output, r.bar, r.button}
}

func (n *rowRenderer) Refresh() {
	n.r.rule.FillColor = theme.Color(theme.ColorNameHairline)
	n.r.rule.Refresh()
	n.Layout(n.r.Size())
	canvas.Refresh(n.r)
}

func (n *rowRenderer) Layout(size fyne.Size) {
	r := n.r
	const left, gap, side, line = 42, 10, 18, 18
	right := size.Width - 14 // a scroll bar may lie over the edge
	r.rule.Move(fyne.NewPos(left, size.Height-1))
	r.rule.Resize(fyne.NewSize(size.Width-left, 1))
	r.icon.Move(fyne.NewPos(14, 9))
	r.icon.Resize(fyne.NewSquareSize(side))
	r.button.Move(fyne.NewPos(right-24, (size.Height-24)/2))
	r.button.Resize(fyne.NewSquareSize(24))
	right -= 24 + gap
	place := func(o fyne.CanvasObject, x, y, width float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(max(0, width), line))
	}
	pair := func(first, second *theme.Text, y float32) {
		width := second.MinSize().Width
		place(second, right-width, y, width)
		if width > 0 {
			width += gap
		}
		place(first, left, y, right-left-width)
	}
	pair(r.title, r.word, 8)
	pair(r.text, r.time, 26)
	r.bar.Hidden = !r.line.Active
	if r.line.Active {
		// What is being worked on, and how fast, stands behind the bar.
		width := (right - left) * 0.4
		place(r.bar, left, 44, width)
		place(r.output, left+width+gap, 44, right-left-width-gap)
		return
	}
	place(r.output, left, 44, right-left)
}

// stepList shows the steps of an export. It keeps its lines and changes only what they say.
type stepList struct {
	widget.BaseWidget
	lines []*stepLine
}

func newStepList() *stepList {
	l := &stepList{}
	l.ExtendBaseWidget(l)
	return l
}

func (l *stepList) set(steps []Step) {
	changed := len(l.lines) != len(steps)
	for len(l.lines) < len(steps) {
		l.lines = append(l.lines, newStepLine())
	}
	l.lines = l.lines[:len(steps)]
	for i, s := range steps {
		l.lines[i].set(s)
	}
	if changed {
		l.Refresh()
	}
}

// HeightForWidth is the height of all lines.
func (l *stepList) HeightForWidth(float32) float32 { return float32(len(l.lines)) * stepHeight }

func (l *stepList) CreateRenderer() fyne.WidgetRenderer { return &stepListRenderer{l} }

type stepListRenderer struct{ l *stepList }

const stepHeight = 36

func (n *stepListRenderer) Destroy() {}
func (n *stepListRenderer) MinSize() fyne.Size {
	return fyne.NewSize(160, n.l.HeightForWidth(0))
}
func (n *stepListRenderer) Refresh() { n.Layout(n.l.Size()); canvas.Refresh(n.l) }
func (n *stepListRenderer) Objects() []fyne.CanvasObject {
	objects := make([]fyne.CanvasObject, len(n.l.lines))
	for i, l := range n.l.lines {
		objects[i] = l
	}
	return objects
}
func (n *stepListRenderer) Layout(size fyne.Size) {
	for i, l := range n.l.lines {
		l.Move(fyne.NewPos(0, float32(i)*stepHeight))
		l.Resize(fyne.NewSize(size.Width, stepHeight))
	}
}

// stepLine is one step: its mark, what it does, how long it took, and for the one at work a bar and what is in its hands.
type stepLine struct {
	widget.BaseWidget
	step   Step
	icon   *icon
	title  *theme.Text
	detail *theme.Text
	time   *theme.Text
	bar    *widgets.Meter
}

func newStepLine() *stepLine {
	l := &stepLine{
		icon: newIcon(), title: theme.Body("").WithTruncation(theme.TruncateEnd), detail: theme.MonoMuted(""),
		time: theme.Caption("").WithAlign(fyne.TextAlignTrailing), bar: widgets.NewMeter(3),
	}
	l.ExtendBaseWidget(l)
	return l
}

func (l *stepLine) set(s Step) {
	if s == l.step && l.icon.Resource != nil {
		return
	}
	moved := s.Mark != l.step.Mark || (s.Time == "") != (l.step.Time == "")
	l.step = s
	l.icon.set(s.Mark.look())
	color := fynetheme.ColorNameForeground
	if s.Mark == StepPending || s.Mark == StepSkipped {
		color = theme.ColorNameMuted
	}
	l.title.Style.Bold = s.Mark == StepRunning
	l.title.Set(s.Title, color)
	l.detail.SetText(s.Detail)
	text := s.Time
	if s.Mark == StepSkipped {
		text = "not run"
	}
	l.time.SetText(text)
	l.bar.Set(s.Fraction, theme.ColorNameAccent)
	if moved {
		l.Refresh()
	}
}

func (l *stepLine) CreateRenderer() fyne.WidgetRenderer { return &stepLineRenderer{l} }

type stepLineRenderer struct{ l *stepLine }

func (n *stepLineRenderer) Destroy()           {}
func (n *stepLineRenderer) MinSize() fyne.Size { return fyne.NewSize(120, stepHeight) }
func (n *stepLineRenderer) Refresh()           { n.Layout(n.l.Size()); canvas.Refresh(n.l) }
func (n *stepLineRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{n.l.icon.Image, n.l.title, n.l.detail, n.l.time, n.l.bar}
}
func (n *stepLineRenderer) Layout(size fyne.Size) {
	l := n.l
	const left, side, timeWidth = 26, 16, 70
	running := l.step.Mark == StepRunning
	height := size.Height
	if running {
		height -= 10
	}
	l.icon.Move(fyne.NewPos(0, (height-side)/2))
	l.icon.Resize(fyne.NewSquareSize(side))
	free := size.Width - left - timeWidth
	l.detail.Hidden, l.bar.Hidden = !running, !running
	width := free
	if running {
		width = min(fyne.MeasureText(l.title.Text, theme.Size(fynetheme.SizeNameText), l.title.Style).Width+2, free)
		l.detail.Move(fyne.NewPos(left+width+10, 0))
		l.detail.Resize(fyne.NewSize(max(0, free-width-10), height))
		l.bar.Move(fyne.NewPos(left, height-2))
		l.bar.Resize(fyne.NewSize(size.Width-left, 4))
	}
	l.title.Move(fyne.NewPos(left, 0))
	l.title.Resize(fyne.NewSize(width, height))
	l.time.Move(fyne.NewPos(size.Width-timeWidth, 0))
	l.time.Resize(fyne.NewSize(timeWidth, height))
}

// percent is how far an export is, for the detail pane.
func percent(l Line) string {
	if !l.Active || l.Mark == MarkWaiting {
		return ""
	}
	return ui.Percent(l.Fraction)
}
