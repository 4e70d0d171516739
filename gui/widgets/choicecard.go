package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"

	"talebinder/gui/theme"
)

// ChoiceCard is a card that can be ticked: an icon, a name, a line below the name, a badge and a check mark. Several cards
// together make a choice of any number. A note with links can stand at its foot, for what the choice needs.
type ChoiceCard struct {
	control

	icon            fyne.Resource
	title, subtitle string
	checked         bool
	onChanged       func(checked bool)

	badge *Badge
	note  *Note
	links []*Link
}

// CardLink is one thing that the foot of a card offers.
type CardLink struct {
	Text   string
	Tapped func()
}

var _ HeightForWidth = (*ChoiceCard)(nil)

// NewChoiceCard makes a card that is not ticked.
func NewChoiceCard(icon fyne.Resource, title, subtitle string, onChanged func(checked bool)) *ChoiceCard {
	c := &ChoiceCard{icon: icon, title: title, subtitle: subtitle, onChanged: onChanged,
		badge: NewBadge("", Accent), note: NewNote("", Neutral)}
	c.badge.Hide()
	c.setup(c, func() {
		c.Load(!c.checked)
		if c.onChanged != nil {
			c.onChanged(c.checked)
		}
	})
	return c
}

// Checked says whether the card is ticked.
func (c *ChoiceCard) Checked() bool { return c.checked }

// Load ticks or unticks the card without telling anybody.
func (c *ChoiceCard) Load(checked bool) {
	if c.checked != checked {
		c.checked = checked
		c.Refresh()
	}
}

// SetSubtitle changes the line below the name.
func (c *ChoiceCard) SetSubtitle(text string) {
	if c.subtitle != text {
		c.subtitle = text
		c.Refresh()
	}
}

// SetBadge shows a badge beside the name, or none when the text is empty.
func (c *ChoiceCard) SetBadge(text string, tone Tone) {
	if c.badge.text == text && c.badge.tone == tone {
		return
	}
	c.badge.Set(text, tone)
	c.badge.Hidden = text == ""
	c.Refresh()
}

// SetNote shows a note at the foot, or none when the text is empty, and links under it. The height of the card changes.
func (c *ChoiceCard) SetNote(text string, tone Tone, links ...CardLink) {
	changed := c.note.Text() != text || c.note.Tone() != tone || len(c.links) != len(links)
	c.note.Set(text, tone)
	for len(c.links) < len(links) {
		c.links = append(c.links, NewLink("", nil))
	}
	c.links = c.links[:len(links)]
	for i, l := range links {
		changed = changed || c.links[i].Text() != l.Text
		c.links[i].Set(l.Text, l.Tapped)
	}
	if changed {
		c.Refresh()
	}
}

// Note gives the text at the foot.
func (c *ChoiceCard) Note() string { return c.note.Text() }

// Links gives the links at the foot.
func (c *ChoiceCard) Links() []*Link { return c.links }

const (
	choicePad  = 10
	choiceIcon = 24
)

// HeightForWidth gives the height with the note wrapped.
func (c *ChoiceCard) HeightForWidth(width float32) float32 {
	height := c.headHeight() + 2*choicePad
	if h := c.note.HeightForWidth(width - 2*choicePad); h > 0 {
		height += h + 6
	}
	if len(c.links) > 0 {
		_, links := c.placeLinks(width - 2*choicePad)
		height += links + 2
	}
	return height
}

// placeLinks gives the places of the links at a width, relative to the first, and their height.
func (c *ChoiceCard) placeLinks(width float32) (at []fyne.Position, height float32) {
	x, y := float32(-4), float32(0)
	for _, l := range c.links {
		min := l.MinSize()
		if x > 0 && x+min.Width > width+4 {
			x, y = -4, y+min.Height
		}
		at = append(at, fyne.NewPos(x, y))
		x += min.Width + 4
		height = y + min.Height
	}
	return at, height
}

func (c *ChoiceCard) headHeight() float32 {
	title := fyne.MeasureText("M", theme.Size(fynetheme.SizeNameText), fyne.TextStyle{Bold: true}).Height
	caption := fyne.MeasureText("M", theme.Size(fynetheme.SizeNameCaptionText), fyne.TextStyle{}).Height
	return fyne.Max(title+1+caption, choiceIcon)
}

// CreateRenderer implements fyne.Widget.
func (c *ChoiceCard) CreateRenderer() fyne.WidgetRenderer {
	r := &choiceRenderer{
		c: c, back: canvas.NewRectangle(nil), icon: canvas.NewImageFromResource(nil),
		box: canvas.NewRectangle(nil), tick: canvas.NewImageFromResource(nil),
		title: theme.Strong(c.title), subtitle: theme.Caption(c.subtitle),
	}
	r.title.Truncate, r.subtitle.Truncate = theme.TruncateEnd, theme.TruncateEnd
	r.icon.FillMode, r.tick.FillMode = canvas.ImageFillContain, canvas.ImageFillContain
	r.Refresh()
	return r
}

type choiceRenderer struct {
	c               *ChoiceCard
	back, box       *canvas.Rectangle
	icon, tick      *canvas.Image
	title, subtitle *theme.Text
}

func (r *choiceRenderer) Destroy() {}

func (r *choiceRenderer) MinSize() fyne.Size {
	width := fyne.Max(r.c.Size().Width, 150)
	return fyne.NewSize(150, r.c.HeightForWidth(width))
}

func (r *choiceRenderer) Layout(size fyne.Size) {
	r.back.Resize(size)
	head := r.c.headHeight()
	r.icon.Move(fyne.NewPos(choicePad, choicePad+(head-choiceIcon)/2))
	r.icon.Resize(fyne.NewSquareSize(choiceIcon))

	const box = 16
	r.box.Move(fyne.NewPos(size.Width-choicePad-box, choicePad))
	r.box.Resize(fyne.NewSquareSize(box))
	r.tick.Move(r.box.Position().AddXY(1, 1))
	r.tick.Resize(fyne.NewSquareSize(box - 2))

	left := float32(choicePad + choiceIcon + 10)
	width := size.Width - choicePad - box - 8 - left
	title := r.title.MinSize().Height
	r.title.Move(fyne.NewPos(left, choicePad))
	r.title.Resize(fyne.NewSize(width, title))
	r.subtitle.Move(fyne.NewPos(left, choicePad+title+1))
	r.subtitle.Resize(fyne.NewSize(size.Width-choicePad-left, r.subtitle.MinSize().Height))
	if r.c.badge.Visible() {
		min := r.c.badge.MinSize()
		r.c.badge.Resize(min)
		r.c.badge.Move(fyne.NewPos(size.Width-choicePad-min.Width, choicePad+head-min.Height+1))
		r.subtitle.Resize(fyne.NewSize(size.Width-choicePad-left-min.Width-6, r.subtitle.MinSize().Height))
	}

	y := choicePad + head + 6
	note := r.c.note.HeightForWidth(size.Width - 2*choicePad)
	r.c.note.Move(fyne.NewPos(choicePad, y))
	r.c.note.Resize(fyne.NewSize(size.Width-2*choicePad, note))
	places, _ := r.c.placeLinks(size.Width - 2*choicePad)
	for i, l := range r.c.links {
		l.Move(places[i].AddXY(choicePad, y+note+2))
		l.Resize(l.MinSize())
	}
}

func (r *choiceRenderer) Objects() []fyne.CanvasObject {
	objects := []fyne.CanvasObject{r.back, r.icon, r.title, r.subtitle, r.c.badge, r.box, r.tick, r.c.note}
	for _, l := range r.c.links {
		objects = append(objects, l)
	}
	return objects
}

func (r *choiceRenderer) Refresh() {
	c := r.c
	r.back.FillColor, r.back.CornerRadius = theme.Color(theme.ColorNameCard), theme.Size(theme.SizeNameRadius)
	r.back.StrokeColor, r.back.StrokeWidth = theme.Color(theme.ColorNameCardBorder), 1
	iconColor := theme.ColorNameMuted
	if c.checked {
		r.back.StrokeColor = theme.Color(theme.ColorNameAccent)
		iconColor = theme.ColorNameAccent
	} else if c.hovered && !c.disabled {
		r.back.StrokeColor = theme.Color(theme.ColorNameMuted)
	}
	if c.focused {
		r.back.StrokeColor, r.back.StrokeWidth = theme.Color(theme.ColorNameAccent), 2
	}
	if c.disabled {
		iconColor = fynetheme.ColorNameDisabled
	}
	r.icon.Resource = tinted(c.icon, iconColor)

	r.box.CornerRadius = 4
	r.box.FillColor, r.box.StrokeColor, r.box.StrokeWidth = theme.Color(fynetheme.ColorNameInputBackground), theme.Color(theme.ColorNameMuted), 1
	if c.checked {
		r.box.FillColor, r.box.StrokeWidth = theme.Color(theme.ColorNameAccent), 0
	}
	r.box.Hidden = c.disabled
	r.tick.Hidden = !c.checked || c.disabled
	r.tick.Resource = tinted(theme.Icon(theme.IconCheck), fynetheme.ColorNameForegroundOnPrimary)

	name := fynetheme.ColorNameForeground
	if c.disabled {
		name = fynetheme.ColorNameDisabled
	}
	r.title.Set(c.title, name)
	r.subtitle.SetText(c.subtitle)
	r.Layout(c.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}
