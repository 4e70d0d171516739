package gui

import (
	"talebinder/gui/build"
	"talebinder/gui/content"
	"talebinder/gui/discs"
	"talebinder/gui/exports"
	"talebinder/gui/fonts"
	"talebinder/gui/packs"
	"talebinder/gui/palettes"
	"talebinder/gui/players"
	"talebinder/gui/problems"
	"talebinder/gui/readiness"
	"talebinder/gui/scenes"
	"talebinder/gui/ui"
)

// Screens makes the screens of the workspace in the order of the side bar: those of a project, or the tools that need none.
func Screens(h ui.Host) []ui.Screen {
	if h.Workspace().Project == nil {
		return []ui.Screen{fonts.New(h), palettes.New(h), discs.New(h), packs.New(h), exports.New(h)}
	}
	return []ui.Screen{build.New(h), content.New(h), scenes.New(h), exports.New(h), exports.NewHistory(h), problems.New(h), readiness.New(h), players.New(h), fonts.New(h), palettes.New(h), packs.New(h), discs.New(h)}
}
