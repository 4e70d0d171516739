package content

import (
	"fyne.io/fyne/v2"

	"talebinder/gui/theme"
)

// icons hands out icons of the theme, each made once: rows ask for them while they scroll.
type icons map[iconKey]fyne.Resource

type iconKey struct {
	name  theme.IconName
	color fyne.ThemeColorName
}

func (c icons) get(name theme.IconName, color fyne.ThemeColorName) fyne.Resource {
	key := iconKey{name, color}
	r, ok := c[key]
	if !ok {
		r = theme.IconIn(name, color)
		c[key] = r
	}
	return r
}
