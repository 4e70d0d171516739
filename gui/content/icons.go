package content

import (
	"fyne.io/fyne/v2"

	"talebinder/gui/theme"
)

// kindIcon gives the icon of a kind by its display name.
func kindIcon(kind string) theme.IconName {
	switch kind {
	case "Texture", "Sprite Atlas":
		return theme.IconImage
	case "Font":
		return theme.IconFont
	case "Audio":
		return theme.IconSound
	case "Scene":
		return theme.IconScene
	case "Prefab":
		return theme.IconPrefab
	case "Material":
		return theme.IconPalette
	case "Shader":
		return theme.IconShader
	case "Particle System":
		return theme.IconParticles
	case "Tile Map":
		return theme.IconMap
	case "Script":
		return theme.IconScript
	case "Plugin Manifest":
		return theme.IconPlugin
	case "Localization":
		return theme.IconData
	case "Folder":
		return theme.IconFolder
	}
	return theme.IconFile
}

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
