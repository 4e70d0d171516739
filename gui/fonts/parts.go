package fonts

import (
	"fmt"
	"image/color"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"talebinder/gui/theme"
	"talebinder/gui/widgets"
)

func rgba(name fyne.ThemeColorName) color.RGBA {
	c := color.NRGBAModel.Convert(theme.Color(name)).(color.NRGBA)
	return color.RGBA{c.R, c.G, c.B, c.A}
}

func withAlpha(c color.RGBA, a uint8) color.RGBA {
	c.A = a
	return c
}

// themeColors gives the colours of the pictures in the theme of the moment. Overlays keep one colour each in both themes, since
// what they lie on does not change with it.
func themeColors() *Colors {
	back := rgba(fynetheme.ColorNameInputBackground)
	return &Colors{
		Back: withAlpha(back, 255), Light: color.RGBA{0x5a, 0x5e, 0x68, 0xff}, Dark: color.RGBA{0x4c, 0x50, 0x5a, 0xff},
		Line: color.RGBA{0xff, 0xff, 0xff, 0x60}, Ink: color.RGBA{0x5f, 0xc8, 0xff, 0xd0}, Baseline: color.RGBA{0x7b, 0xe0, 0x9a, 0xc0},
		Page: color.RGBA{0xff, 0x6a, 0xd5, 0xff}, Padded: color.RGBA{0xc5, 0x8a, 0xe0, 0xff}, Mark: color.RGBA{0xff, 0x3d, 0x7f, 0xff},
		Accent: color.RGBA{0xff, 0xb2, 0x3d, 0xff}, Danger: color.RGBA{0xff, 0x50, 0x50, 0xff},
	}
}

// number is a field for a whole number with its name in front. The arrow keys and two buttons step it.
type number struct {
	title  *theme.Text
	entry  *widgets.Entry
	less   *widgets.IconButton
	more   *widgets.IconButton
	note   *widgets.Note
	object *fyne.Container
	value  int
	set    func(v int) error
	off    bool
	outer  *widgets.Column
}

func newNumber(title string, set func(v int) error) *number {
	n := &number{title: theme.Body(title), entry: widgets.NewMonoEntry(), note: widgets.NewNote("", widgets.Neutral), set: set}
	n.title.Truncate = theme.TruncateEnd
	n.entry.OnChanged = n.typed
	n.entry.OnKey = func(e *fyne.KeyEvent) bool {
		switch e.Name {
		case fyne.KeyUp:
			n.step(1)
		case fyne.KeyDown:
			n.step(-1)
		case fyne.KeyPageUp:
			n.step(10)
		case fyne.KeyPageDown:
			n.step(-10)
		default:
			return false
		}
		return true
	}
	n.entry.OnLeave = func() { n.show() }
	n.less = widgets.NewIconButton(theme.Icon(theme.IconRemove), title+" less", func() { n.step(-1) })
	n.more = widgets.NewIconButton(theme.Icon(theme.IconAdd), title+" more", func() { n.step(1) })
	n.object = widgets.NewStack(2, container.New(numberLayout{}, n.title, n.entry, n.less, n.more), n.note)
	return n
}

// load shows a value; a reason says why it cannot be changed.
func (n *number) load(v int, reason error) {
	changed := n.value != v
	n.value = v
	if n.off = reason != nil; n.off {
		n.entry.Disable()
		n.less.Disable()
		n.more.Disable()
		n.say(upperFirst(reason.Error()), widgets.Neutral)
	} else {
		n.entry.Enable()
		n.less.Enable()
		n.more.Enable()
	}
	if shown, err := n.parse(n.entry.Text); changed || n.off || err != nil || shown != v {
		n.show()
	}
}

func (n *number) parse(text string) (int, error) {
	v, err := strconv.Atoi(strings.Replace(strings.TrimSpace(text), "−", "-", 1))
	if err != nil {
		return 0, fmt.Errorf("%q is no whole number", text)
	}
	return v, nil
}

func (n *number) show() {
	n.entry.Load(strconv.Itoa(n.value))
	if !n.off {
		n.say("", widgets.Neutral)
	}
}

func (n *number) say(text string, tone widgets.Tone) {
	if text == n.note.Text() {
		return
	}
	n.note.Set(text, tone)
	if n.outer != nil {
		n.outer.Relayout()
	}
}

func (n *number) typed(text string) {
	v, err := n.parse(text)
	if err == nil && v != n.value {
		err = n.set(v)
	}
	if err != nil {
		n.say(upperFirst(err.Error()), widgets.Danger)
		return
	}
	n.say("", widgets.Neutral)
}

func (n *number) step(by int) {
	if n.off {
		return
	}
	if err := n.set(n.value + by); err != nil {
		n.say(upperFirst(err.Error()), widgets.Danger)
		return
	}
	n.show()
}

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// numberLayout puts a name, a narrow field and two buttons into a line.
type numberLayout struct{}

const numberWidth = 62

func (numberLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(60+numberWidth+52, o[1].MinSize().Height)
}

func (numberLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	x := size.Width
	for i := 3; i > 1; i-- {
		x -= 26
		o[i].Move(fyne.NewPos(x, (size.Height-26)/2))
		o[i].Resize(fyne.NewSquareSize(26))
	}
	x -= numberWidth + 4
	height := o[1].MinSize().Height
	o[1].Move(fyne.NewPos(x, (size.Height-height)/2))
	o[1].Resize(fyne.NewSize(numberWidth, height))
	title := o[0].MinSize().Height
	o[0].Move(fyne.NewPos(0, (size.Height-title)/2))
	o[0].Resize(fyne.NewSize(max(0, x-6), title))
}
