package widgets

import (
	"fyne.io/fyne/v2/container"

	"talebinder/gui/theme"
)

// Chip is a small word that can be switched on and off.
type Chip struct {
	*Pressable
	OnChanged func(on bool)

	on   bool
	text *theme.Text
}

// NewChip makes a chip. The callback is told what a person does, not what Load does.
func NewChip(word string, on bool, onChanged func(bool)) *Chip {
	c := &Chip{OnChanged: onChanged, on: on, text: theme.Caption(word)}
	c.Pressable = NewPressable(container.New(&PadLayout{Left: 7, Top: 3, Right: 7, Bottom: 3}, c.text), c.Toggle)
	c.Border = true
	c.show()
	return c
}

// On says whether it is switched on.
func (c *Chip) On() bool { return c.on }

// Load switches it without telling.
func (c *Chip) Load(on bool) {
	c.on = on
	c.show()
}

// Toggle switches it as a tap does.
func (c *Chip) Toggle() {
	c.Load(!c.on)
	if c.OnChanged != nil {
		c.OnChanged(c.on)
	}
}

func (c *Chip) show() {
	c.text.SetColor(theme.ColorNameMuted)
	if c.on {
		c.text.SetColor(theme.ColorNameAccent)
	}
	c.SetSelected(c.on)
}
