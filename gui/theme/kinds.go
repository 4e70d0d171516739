package theme

// KindIcon gives the icon of a kind of asset by its display name.
func KindIcon(kind string) IconName {
	switch kind {
	case "Texture", "Sprite Atlas":
		return IconImage
	case "Font":
		return IconFont
	case "Audio":
		return IconSound
	case "Scene":
		return IconScene
	case "Prefab":
		return IconPrefab
	case "Material":
		return IconPalette
	case "Shader":
		return IconShader
	case "Particle System":
		return IconParticles
	case "Tile Map":
		return IconMap
	case "Script":
		return IconScript
	case "Plugin Manifest":
		return IconPlugin
	case "Localization":
		return IconData
	case "Folder":
		return IconFolder
	}
	return IconFile
}
