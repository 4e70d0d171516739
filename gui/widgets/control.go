package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// control is what everything has in common that can be pressed: hover, focus, being switched off, and Space or Enter in
// place of a tap. The outer widget embeds it and calls setup with itself and with what a press does.
type control struct {
	widget.BaseWidget

	// OnFocus is told when the control gets the focus, so that a scrolling column can bring it into sight.
	OnFocus func()

	self             fyne.Widget
	press            func()
	hovered, focused bool
	disabled         bool
}

var (
	_ fyne.Focusable     = (*control)(nil)
	_ fyne.Tappable      = (*control)(nil)
	_ fyne.Disableable   = (*control)(nil)
	_ desktop.Hoverable  = (*control)(nil)
	_ desktop.Cursorable = (*control)(nil)
)

func (c *control) setup(self fyne.Widget, press func()) {
	c.self, c.press = self, press
	c.ExtendBaseWidget(self)
}

// Tapped implements fyne.Tappable.
func (c *control) Tapped(*fyne.PointEvent) {
	if c.disabled {
		return
	}
	c.focus()
	c.press()
}

func (c *control) focus() {
	if cv := fyne.CurrentApp().Driver().CanvasForObject(c.self); cv != nil {
		cv.Focus(c.self.(fyne.Focusable))
	}
}

// TypedKey implements fyne.Focusable: Enter and Space press.
func (c *control) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		if !c.disabled {
			c.press()
		}
	}
}

// TypedRune implements fyne.Focusable.
func (c *control) TypedRune(rune) {}

// FocusGained implements fyne.Focusable.
func (c *control) FocusGained() {
	c.focused = true
	c.self.Refresh()
	if c.OnFocus != nil {
		c.OnFocus()
	}
}

// FocusLost implements fyne.Focusable.
func (c *control) FocusLost() {
	c.focused = false
	c.self.Refresh()
}

// MouseIn implements desktop.Hoverable.
func (c *control) MouseIn(*desktop.MouseEvent) {
	c.hovered = true
	c.self.Refresh()
}

// MouseMoved implements desktop.Hoverable.
func (c *control) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (c *control) MouseOut() {
	c.hovered = false
	c.self.Refresh()
}

// Cursor implements desktop.Cursorable.
func (c *control) Cursor() desktop.Cursor {
	if c.disabled {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}

// Enable implements fyne.Disableable.
func (c *control) Enable() { c.setDisabled(false) }

// Disable implements fyne.Disableable.
func (c *control) Disable() { c.setDisabled(true) }

// Disabled implements fyne.Disableable.
func (c *control) Disabled() bool { return c.disabled }

func (c *control) setDisabled(disabled bool) {
	if c.disabled != disabled {
		c.disabled = disabled
		c.self.Refresh()
	}
}
