package ui

import "talebinder/export"

// ReasonWord says in two words why an asset ships.
func ReasonWord(r export.Reason) string {
	switch r {
	case export.StartScene:
		return "Start scene"
	case export.LoadingScreen:
		return "Loading screen"
	case export.BuildScene:
		return "Scene in build"
	case export.AlwaysInclude:
		return "Always include"
	case export.Localization:
		return "Localization"
	case export.CodeReference:
		return "Named in code"
	}
	return "Dependency"
}
