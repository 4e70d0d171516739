package scenes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/scenes/stage"
	"talebinder/gui/theme"
	"talebinder/gui/widgets"
)

// previewLine is a line of a preview.
type previewLine struct {
	widget.BaseWidget

	dialog *dialog
	line   *PreviewLine
	icon   *mark
	head   *theme.Text
	text   *theme.Text
	note   *theme.Text
	old    *valueCell
	arrow  *mark
	value  *valueCell
	ground *widgets.Ground
}

func newPreviewLine(d *dialog) *previewLine {
	l := &previewLine{
		dialog: d, icon: newMark(), head: theme.Strong("").WithTruncation(theme.TruncateEnd), text: theme.Body("").WithTruncation(theme.TruncateMiddle),
		note: theme.Caption("").WithTruncation(theme.TruncateEnd), old: newValueCell(d.screen.thumbs, nil), arrow: newMark(), value: newValueCell(d.screen.thumbs, nil),
		ground: widgets.NewGround(theme.ColorNameCard, 0),
	}
	l.note.Align = fyne.TextAlignTrailing
	l.arrow.set(d.screen.icons.get(theme.IconArrowRight, theme.ColorNameMuted))
	l.ExtendBaseWidget(l)
	return l
}

func (l *previewLine) set(line *PreviewLine) {
	l.line = line
	s := l.dialog.screen
	heading, value := line.Kind == HeadingLine, line.Kind == ValueLine
	setShown(l.head, heading)
	setShown(l.ground, heading)
	setShown(l.text, !heading)
	for _, o := range []fyne.CanvasObject{l.old, l.arrow, l.value} {
		setShown(o, value)
	}
	l.icon.set(nil)
	color := foreground
	switch line.Kind {
	case HeadingLine:
		l.head.SetText(line.Text)
	case FileLine:
		l.icon.set(s.icons.get(kindIcon(line.Text), theme.ColorNameAccent))
	case InstanceLine:
		l.icon.set(s.icons.get(kindIcon(line.File), theme.ColorNameInfo))
	case SkippedLine:
		l.icon.set(s.icons.get(theme.IconProblems, widgets.Warning.Color()))
	case ValueLine:
		color = theme.ColorNameMuted
		l.old.set(s.db(), line.OldValue, line.Field, line.Old, theme.ColorNameMuted)
		l.value.set(s.db(), line.NewValue, line.Field, line.New, foreground)
	}
	l.text.Set(line.Text, color)
	l.note.SetText(line.Note)
	l.Refresh()
}

func (l *previewLine) CreateRenderer() fyne.WidgetRenderer {
	return &lineRenderer{l, []fyne.CanvasObject{l.ground, l.icon.Image, l.head, l.text, l.note, l.old, l.arrow.Image, l.value}, l.place}
}

func (l *previewLine) place(size fyne.Size) {
	l.ground.Resize(size)
	if l.line == nil {
		return
	}
	x, end := float32(edge), size.Width-14
	put := func(o fyne.CanvasObject, from, to float32) {
		o.Move(fyne.NewPos(from, 0))
		o.Resize(fyne.NewSize(max(10, to-from), size.Height))
	}
	switch l.line.Kind {
	case HeadingLine:
		put(l.head, x, end-150)
		put(l.note, end-200, end)
	case ValueLine:
		note := float32(126)
		if size.Width < 560 {
			note = 0
		}
		setShown(l.note, note > 0)
		values := (end - x - note) * 0.55
		from := end - note - values
		put(l.text, x+24, from-10)
		half := (values - 30) / 2
		put(l.old, from, from+half)
		l.arrow.place(from+half+6, size.Height, 12)
		put(l.value, from+half+26, from+half+26+half)
		put(l.note, end-note+6, end)
	case SkippedLine:
		setShown(l.note, false)
		l.icon.place(x, size.Height, 15)
		put(l.text, x+22, end)
	default:
		setShown(l.note, true)
		l.icon.place(x, size.Height, 15)
		put(l.text, x+22, end-120)
		put(l.note, end-116, end)
	}
}

// dialog shows a preview in front of the window until the change is made or dropped.
type dialog struct {
	screen  *screen
	preview *Preview
	popup   *widget.PopUp
	rows    *widgets.Rows
	do      *keyButton
	cancel  *keyButton
	modes   *widgets.Segmented
	picture *stage.Stage
	middle  *fyne.Container
	list    fyne.CanvasObject
	closed  bool
}

// keyButton is a button that also takes Enter and Escape.
type keyButton struct {
	widget.Button
	escape func()
}

func newKeyButton(text string, tapped, escape func()) *keyButton {
	b := &keyButton{escape: escape}
	b.Text, b.OnTapped = text, tapped
	b.ExtendBaseWidget(b)
	return b
}

// TypedKey presses with Enter and closes with Escape.
func (b *keyButton) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		if !b.Disabled() {
			b.Tapped(&fyne.PointEvent{})
		}
	case fyne.KeyEscape:
		b.escape()
	default:
		b.Button.TypedKey(e)
	}
}

// showPreview asks whether to make a change. commands is what would do the same in a terminal.
func (s *screen) showPreview(p *Preview, commands string, do func()) *dialog {
	d := &dialog{screen: s, preview: p}
	d.rows = widgets.NewRows(func() int { return len(p.Lines) }, func() fyne.CanvasObject { return newPreviewLine(d) }, func(i int, o fyne.CanvasObject) {
		o.(*previewLine).set(&p.Lines[i])
	})
	d.rows.Height = theme.Size(theme.SizeNameRow)
	d.rows.OnKey = func(e *fyne.KeyEvent) bool {
		if e.Name == fyne.KeyEscape {
			d.close()
			return true
		}
		return false
	}
	d.do = newKeyButton(p.Verb, func() { d.close(); do() }, d.close)
	d.do.Importance = widget.HighImportance
	d.cancel = newKeyButton("Cancel", d.close, d.close)
	if p.Change.Empty() {
		d.do.Disable()
	}
	title := theme.Heading(p.Title + "?")
	title.Wrap = true
	sentence := theme.Paragraph(p.Sentence).WithColor(foreground)
	head := widgets.NewStack(4, title, sentence)
	if p.Skipped > 0 {
		head.Add(widgets.NewNote(skippedText(p.Skipped), widgets.Warning))
	}
	d.list = container.NewStack(widgets.NewGround(theme.ColorNamePanel, widgets.EdgeTop|widgets.EdgeBottom), d.rows)
	d.middle = container.NewStack(d.list)
	d.modes = widgets.NewSegmented([]string{"Values", "Before and after"}, d.show)
	d.modes.Load(0)
	copyCommand := widgets.NewLink("Copy as command", func() { s.host.Copy(commands) })
	copyCommand.Hidden = commands == ""
	foot := container.NewBorder(nil, nil, container.NewHBox(d.modes, widgets.NewLink("Copy the list", func() { s.host.Copy(p.Text()) }), copyCommand), container.NewHBox(d.cancel, d.do))
	content := container.New(&dialogLayout{s}, widgets.NewGround(theme.ColorNamePanel, 0), widgets.NewPad(14, head), d.middle, widgets.NewPad(12, foot))
	d.popup = widget.NewModalPopUp(content, s.host.Window().Canvas())
	s.dialog = d
	d.popup.Show()
	if d.do.Disabled() {
		s.host.Window().Canvas().Focus(d.cancel)
	} else {
		s.host.Window().Canvas().Focus(d.do)
	}
	s.host.BadgesChanged()
	return d
}

func skippedText(n int) string {
	if n == 1 {
		return "1 difference is left as it is. The list says why."
	}
	return "Some differences are left as they are. The list says why."
}

// show changes between the values and the picture before and after.
func (d *dialog) show(i int) {
	if i == 0 {
		d.middle.Objects = []fyne.CanvasObject{d.list}
		d.middle.Refresh()
		return
	}
	s := d.screen
	if d.picture == nil {
		if s.open == nil || s.open.Expansion == nil {
			return
		}
		d.picture = s.newStage()
		s.compare(d)
	}
	d.middle.Objects = []fyne.CanvasObject{d.picture}
	d.middle.Refresh()
}

func (d *dialog) close() {
	if d.closed {
		return
	}
	d.closed = true
	d.popup.Hide()
	if d.picture != nil {
		d.picture.Close()
	}
	d.screen.dialog = nil
	d.screen.focusList()
	d.screen.host.BadgesChanged()
}

// dialogLayout gives the dialog most of the window; ground, head, list and foot are below each other.
type dialogLayout struct{ screen *screen }

func (l *dialogLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	window := l.screen.host.Window().Canvas().Size()
	return fyne.NewSize(min(860, window.Width-40), min(620, window.Height-60))
}

func (l *dialogLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Resize(size)
	head := widgets.HeightFor(o[1], size.Width)
	foot := o[3].MinSize().Height
	o[1].Move(fyne.Position{})
	o[1].Resize(fyne.NewSize(size.Width, head))
	o[2].Move(fyne.NewPos(0, head))
	o[2].Resize(fyne.NewSize(size.Width, max(0, size.Height-head-foot)))
	o[3].Move(fyne.NewPos(0, size.Height-foot))
	o[3].Resize(fyne.NewSize(size.Width, foot))
}
