package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
	"talebinder/gui/widgets"
)

// A sheetButton is one of the answers at the foot of a sheet. The first one is the proposal: it has the accent and the focus.
type sheetButton struct {
	text   string
	danger bool // it throws something away
	run    func()
	stay   bool // the sheet stays open
}

// sheetOptions describe a question or a small form in front of the window.
type sheetOptions struct {
	icon    theme.IconName
	tone    widgets.Tone
	title   string
	body    string            // wrapped text; may be empty
	content fyne.CanvasObject // below the text; may be nil
	width   float32           // 0: 460
	height  float32           // of the content, at most; 0: what it needs
	buttons []sheetButton
	onClose func() // also after a button
	focus   fyne.Focusable
}

// A sheet is in front of the window until it is answered. Escape closes it.
type sheet struct {
	shell   *Shell
	options sheetOptions
	popup   *widget.PopUp
	buttons []*answerButton
	closed  bool
}

// modal tells whether a sheet or the palette is in front.
func (s *Shell) modal() bool { return len(s.sheets) > 0 }

func (s *Shell) topSheet() *sheet {
	if len(s.sheets) == 0 {
		return nil
	}
	return s.sheets[len(s.sheets)-1]
}

func (s *Shell) showSheet(o sheetOptions) *sheet {
	sh := &sheet{shell: s, options: o}
	body := &sheetBody{sheet: sh}
	if o.icon != "" {
		body.icon = canvas.NewImageFromResource(theme.IconIn(o.icon, o.tone.Color()))
		body.icon.FillMode = canvas.ImageFillContain
	}
	body.title = theme.Heading(o.title)
	body.title.Wrap = true
	if o.body != "" {
		body.text = theme.Paragraph(o.body)
		body.text.ColorName = fynetheme.ColorNameForeground
	}
	body.close = widgets.NewIconButton(theme.Icon(theme.IconClose), "Close", sh.close)
	body.close.Quiet = true
	for i, b := range o.buttons {
		button := newAnswerButton(b.text, func() {
			if !b.stay {
				sh.close()
			}
			if b.run != nil {
				b.run()
			}
		}, sh.close)
		switch {
		case b.danger:
			button.Importance = widget.DangerImportance
		case i == 0:
			button.Importance = widget.HighImportance
		}
		sh.buttons = append(sh.buttons, button)
	}
	content := body.build()
	sh.popup = widget.NewModalPopUp(content, s.window.Canvas())
	s.sheets = append(s.sheets, sh)
	sh.popup.Show()
	switch {
	case o.focus != nil:
		s.window.Canvas().Focus(o.focus)
	case len(sh.buttons) > 0:
		s.window.Canvas().Focus(sh.buttons[0])
	}
	return sh
}

// CloseSheets closes everything that is in front of the window.
func (s *Shell) CloseSheets() {
	for sh := s.topSheet(); sh != nil; sh = s.topSheet() {
		sh.close()
	}
}

func (sh *sheet) close() {
	if sh.closed {
		return
	}
	sh.closed = true
	s := sh.shell
	for i, other := range s.sheets {
		if other == sh {
			s.sheets = append(s.sheets[:i], s.sheets[i+1:]...)
			break
		}
	}
	sh.popup.Hide()
	if sh.options.onClose != nil {
		sh.options.onClose()
	}
}

// sheetBody puts the parts of a sheet together.
type sheetBody struct {
	sheet *sheet
	icon  *canvas.Image
	title *theme.Text
	text  *theme.Text
	close *widgets.IconButton
}

func (b *sheetBody) build() fyne.CanvasObject {
	parts := []fyne.CanvasObject{container.New(&sheetHeadLayout{}, b.head()...)}
	if b.text != nil {
		parts = append(parts, b.text)
	}
	if c := b.sheet.options.content; c != nil {
		parts = append(parts, container.New(&sheetContentLayout{b.sheet}, c))
	}
	if len(b.sheet.buttons) > 0 {
		row := container.New(&answerLayout{})
		for i := len(b.sheet.buttons) - 1; i >= 0; i-- {
			row.Add(b.sheet.buttons[i])
		}
		parts = append(parts, row)
	}
	stack := widgets.NewStack(theme.Size(theme.SizeNameGap), parts...)
	return container.New(&sheetLayout{b.sheet}, widgets.NewPad(12, stack))
}

func (b *sheetBody) head() []fyne.CanvasObject {
	if b.icon == nil {
		return []fyne.CanvasObject{b.title, b.close}
	}
	return []fyne.CanvasObject{b.title, b.close, b.icon}
}

// sheetHeadLayout lays out title, close button and, when there is one, the icon.
type sheetHeadLayout struct{}

const sheetIcon = 20

func (l *sheetHeadLayout) sides(objects []fyne.CanvasObject) (left, right float32) {
	if len(objects) == 3 {
		left = sheetIcon + 8
	}
	return left, objects[1].MinSize().Width + 4
}

func (l *sheetHeadLayout) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	left, right := l.sides(objects)
	return max(widgets.HeightFor(objects[0], width-left-right), objects[1].MinSize().Height)
}

func (l *sheetHeadLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(120, objects[1].MinSize().Height)
}

func (l *sheetHeadLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	left, right := l.sides(objects)
	h := widgets.HeightFor(objects[0], size.Width-left-right)
	objects[0].Move(fyne.NewPos(left, max(0, (objects[1].MinSize().Height-h)/2)))
	objects[0].Resize(fyne.NewSize(size.Width-left-right, h))
	objects[1].Move(fyne.NewPos(size.Width-objects[1].MinSize().Width, 0))
	objects[1].Resize(objects[1].MinSize())
	if len(objects) == 3 {
		objects[2].Move(fyne.NewPos(0, (objects[1].MinSize().Height-sheetIcon)/2))
		objects[2].Resize(fyne.NewSquareSize(sheetIcon))
	}
}

// sheetLayout gives a sheet its width, and as much height as the window has for it.
type sheetLayout struct{ sheet *sheet }

func (l *sheetLayout) width() float32 {
	w := l.sheet.options.width
	if w == 0 {
		w = 460
	}
	return min(w, l.sheet.shell.window.Canvas().Size().Width-32)
}

func (l *sheetLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	w := l.width()
	return fyne.NewSize(w, widgets.HeightFor(objects[0], w))
}

func (l *sheetLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Move(fyne.Position{})
	objects[0].Resize(size)
}

// sheetContentLayout bounds the height of the content by the window's, so that the answers stay in sight.
type sheetContentLayout struct{ sheet *sheet }

func (l *sheetContentLayout) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	h := l.sheet.options.height
	if h == 0 {
		h = widgets.HeightFor(objects[0], width)
	}
	return min(h, max(120, l.sheet.shell.window.Canvas().Size().Height-180))
}

func (l *sheetContentLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(objects[0].MinSize().Width, 0)
}

func (l *sheetContentLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Move(fyne.Position{})
	objects[0].Resize(size)
}

// answerLayout puts the answers at the right end, the first one outermost.
type answerLayout struct{}

const answerWidth = 84

func (l *answerLayout) width(o fyne.CanvasObject) float32 {
	return max(answerWidth, o.MinSize().Width+12)
}

func (l *answerLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.Size{}
	for _, o := range objects {
		size.Width += l.width(o) + 8
		size.Height = max(size.Height, o.MinSize().Height)
	}
	return size
}

func (l *answerLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	x := size.Width
	for i := len(objects) - 1; i >= 0; i-- {
		w := l.width(objects[i])
		x -= w
		objects[i].Move(fyne.NewPos(x, 0))
		objects[i].Resize(fyne.NewSize(w, size.Height))
		x -= 8
	}
}

// An answerButton is a button that also takes Enter and Escape.
type answerButton struct {
	widget.Button
	escape func()
}

func newAnswerButton(text string, tapped, escape func()) *answerButton {
	b := &answerButton{escape: escape}
	b.Text, b.OnTapped = text, tapped
	b.ExtendBaseWidget(b)
	return b
}

// TypedKey answers with Enter and closes with Escape.
func (b *answerButton) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		b.Tapped(&fyne.PointEvent{})
	case fyne.KeyEscape:
		b.escape()
	default:
		b.Button.TypedKey(e)
	}
}
