package widgets

import (
	"fyne.io/fyne/v2"
	fynetheme "fyne.io/fyne/v2/theme"

	"talebinder/gui/theme"
)

// Tone says what a piece of text or a mark means. A tone is never shown by its colour alone: widgets that take one also
// show its icon or a word.
type Tone uint8

// The tones.
const (
	Neutral Tone = iota // no meaning of its own
	Accent              // chosen, current, ours
	Notice              // worth knowing, nothing to do
	Success
	Warning
	Danger // an error; it blocks something
)

// Color gives the theme colour of text and icons in this tone.
func (t Tone) Color() fyne.ThemeColorName {
	switch t {
	case Accent:
		return theme.ColorNameAccent
	case Notice:
		return theme.ColorNameInfo
	case Success:
		return fynetheme.ColorNameSuccess
	case Warning:
		return fynetheme.ColorNameWarning
	case Danger:
		return fynetheme.ColorNameError
	}
	return theme.ColorNameMuted
}

// Soft gives the theme colour of a ground in this tone, for a badge or a banner.
func (t Tone) Soft() fyne.ThemeColorName {
	switch t {
	case Accent:
		return theme.ColorNameAccentSoft
	case Notice:
		return theme.ColorNameInfoSoft
	case Success:
		return theme.ColorNameSuccessSoft
	case Warning:
		return theme.ColorNameWarningSoft
	case Danger:
		return theme.ColorNameErrorSoft
	}
	return theme.ColorNameBadge
}

// Icon gives the icon that stands for the tone, or nil for Neutral and Accent.
func (t Tone) Icon() fyne.Resource {
	var icon fyne.Resource
	switch t {
	case Notice:
		icon = theme.Icon(theme.IconInfo)
	case Success:
		icon = theme.Icon(theme.IconSuccess)
	case Warning:
		icon = theme.Icon(theme.IconProblems)
	case Danger:
		icon = theme.Icon(theme.IconError)
	default:
		return nil
	}
	return tinted(icon, t.Color())
}

// tinted gives an icon in a colour of the theme. Icons that carry their own colours stay as they are.
func tinted(icon fyne.Resource, name fyne.ThemeColorName) fyne.Resource {
	if icon == nil {
		return nil
	}
	if t, ok := icon.(*fynetheme.ThemedResource); ok {
		return fynetheme.NewColoredResource(t, name)
	}
	return icon
}
