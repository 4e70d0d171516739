package gui

import (
	"talebinder/gui/hub"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
)

// tools are what the hub offers beside projects: the screens that need none.
func (s *Shell) tools() []hub.Tool {
	show := func(screen string) func() { return func() { s.ShowTool(screen, "") } }
	return []hub.Tool{
		{Icon: theme.Icon(theme.IconFont), Title: "Fonts", Text: "See a bitmap font as the game draws it", Run: show(ui.ScreenFonts)},
		{Icon: theme.Icon(theme.IconPalette), Title: "Palette", Text: "Colours to palette indices, and back", Run: show(ui.ScreenPalette)},
		{Icon: theme.Icon(theme.IconDisc), Title: "Discs", Text: "Other content on a finished disc or cartridge", Run: show(ui.ScreenDiscs)},
		{Icon: theme.Icon(theme.IconPackage), Title: "Packs", Text: "What is in a build, and whether it is whole", Run: show(ui.ScreenPacks)},
	}
}
