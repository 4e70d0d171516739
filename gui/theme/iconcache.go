package theme

import "fyne.io/fyne/v2"

// Icons hands out icons in a colour, each made once: rows ask for them while they scroll. It belongs to the interface's
// goroutine; the zero value cannot be used, see [NewIcons].
type Icons map[iconKey]fyne.Resource

type iconKey struct {
	name  IconName
	color fyne.ThemeColorName
}

// NewIcons makes an empty store of icons.
func NewIcons() Icons { return make(Icons) }

// Get gives an icon that follows a colour of the theme.
func (c Icons) Get(name IconName, color fyne.ThemeColorName) fyne.Resource {
	key := iconKey{name, color}
	r, ok := c[key]
	if !ok {
		r = IconIn(name, color)
		c[key] = r
	}
	return r
}
