// Package theme is the look of the window: colours, sizes and the kinds of text that the screens are set in.
//
// It is the density of an editor, not of a form: small text, thin lines, one accent. Screens take colours by name
// only, so that light and dark follow at once when the person changes the setting.
package theme

import (
	"image/color"

	"fyne.io/fyne/v2"
	fynetheme "fyne.io/fyne/v2/theme"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/gomonobold"
)

// A Mode says which of the two palettes is shown.
type Mode string

// The modes. System follows the desktop.
const (
	System Mode = "system"
	Light  Mode = "light"
	Dark   Mode = "dark"
)

// Colour names of this theme beside Fyne's own. Use them with [Color] or in a rich text style.
const (
	ColorNameSidebar    fyne.ThemeColorName = "tbSidebar"    // side bar, status bar, tool strips
	ColorNamePanel      fyne.ThemeColorName = "tbPanel"      // a column or panel on the window
	ColorNameCard       fyne.ThemeColorName = "tbCard"       // a card on a panel
	ColorNameCardBorder fyne.ThemeColorName = "tbCardBorder" // hairline around a card
	ColorNameHairline   fyne.ThemeColorName = "tbHairline"   // line between two areas
	ColorNameRowAlt     fyne.ThemeColorName = "tbRowAlt"     // every second row of a table
	ColorNameBadge      fyne.ThemeColorName = "tbBadge"      // ground of a neutral badge
	ColorNameBadgeText  fyne.ThemeColorName = "tbBadgeText"
	ColorNameMuted      fyne.ThemeColorName = "tbMuted"  // secondary text
	ColorNameAccent     fyne.ThemeColorName = "tbAccent" // the same as Fyne's primary
	ColorNameAccentSoft fyne.ThemeColorName = "tbAccentSoft"
	ColorNameInfo       fyne.ThemeColorName = "tbInfo"

	ColorNameErrorSoft   fyne.ThemeColorName = "tbErrorSoft"
	ColorNameWarningSoft fyne.ThemeColorName = "tbWarningSoft"
	ColorNameSuccessSoft fyne.ThemeColorName = "tbSuccessSoft"
	ColorNameInfoSoft    fyne.ThemeColorName = "tbInfoSoft"

	ColorNameCategory0 fyne.ThemeColorName = "tbCategory0"
	ColorNameCategory1 fyne.ThemeColorName = "tbCategory1"
	ColorNameCategory2 fyne.ThemeColorName = "tbCategory2"
	ColorNameCategory3 fyne.ThemeColorName = "tbCategory3"
	ColorNameCategory4 fyne.ThemeColorName = "tbCategory4"
	ColorNameCategory5 fyne.ThemeColorName = "tbCategory5"
	ColorNameCategory6 fyne.ThemeColorName = "tbCategory6"
	ColorNameCategory7 fyne.ThemeColorName = "tbCategory7"
)

// Size names of this theme beside Fyne's own, in device independent pixels.
const (
	SizeNameRow         fyne.ThemeSizeName = "tbRow"         // height of a row in a list: 26
	SizeNameBar         fyne.ThemeSizeName = "tbBar"         // height of a tool strip or status bar: 26
	SizeNameSidebar     fyne.ThemeSizeName = "tbSidebar"     // width of the side bar: 176
	SizeNameSidebarThin fyne.ThemeSizeName = "tbSidebarThin" // the same, icons only: 44
	SizeNameRadius      fyne.ThemeSizeName = "tbRadius"      // corners of cards: 6
	SizeNameGap         fyne.ThemeSizeName = "tbGap"         // between groups of things: 12
	SizeNameTitle       fyne.ThemeSizeName = "tbTitle"       // text size of a screen's title: 18
	SizeNameHeading     fyne.ThemeSizeName = "tbHeading"     // text size of a section's heading: 15
)

// CategoryColor gives the colour name of the i-th category of a chart; it starts again after eight.
func CategoryColor(i int) fyne.ThemeColorName {
	names := [...]fyne.ThemeColorName{
		ColorNameCategory0, ColorNameCategory1, ColorNameCategory2, ColorNameCategory3,
		ColorNameCategory4, ColorNameCategory5, ColorNameCategory6, ColorNameCategory7,
	}
	return names[((i%len(names))+len(names))%len(names)]
}

// Color gives a colour of the theme in use.
func Color(name fyne.ThemeColorName) color.Color { return fynetheme.Color(name) }

// Size gives a size of the theme in use, in device independent pixels.
func Size(name fyne.ThemeSizeName) float32 { return fynetheme.Size(name) }

type theme struct {
	mode  Mode
	base  fyne.Theme
	ruler *ruler

	mono, monoBold fyne.Resource
}

var _ fyne.Theme = (*theme)(nil)

// New gives the theme in one mode. An unknown mode counts as [System].
func New(mode Mode) fyne.Theme {
	return &theme{
		mode: mode, base: fynetheme.DefaultTheme(), ruler: newRuler(),
		mono:     fyne.NewStaticResource("Go-Mono.ttf", gomono.TTF),
		monoBold: fyne.NewStaticResource("Go-Mono-Bold.ttf", gomonobold.TTF),
	}
}

func (t *theme) dark(variant fyne.ThemeVariant) bool {
	switch t.mode {
	case Light:
		return false
	case Dark:
		return true
	}
	return variant != fynetheme.VariantLight
}

// Color looks a colour up; names that neither palette knows are Fyne's.
func (t *theme) Color(name fyne.ThemeColorName, variant fyne.ThemeVariant) color.Color {
	p, fallback := &lightPalette, fynetheme.VariantLight
	if t.dark(variant) {
		p, fallback = &darkPalette, fynetheme.VariantDark
	}
	if c, ok := p.color(name); ok {
		return c
	}
	return t.base.Color(name, fallback)
}

// Font gives Go Mono as the monospaced face. The toolkit's own one loses the underscores of paths at small sizes: the picture
// that a text is drawn into ends above them.
func (t *theme) Font(style fyne.TextStyle) fyne.Resource {
	switch {
	case style.Monospace && style.Bold:
		return t.monoBold
	case style.Monospace:
		return t.mono
	}
	return t.base.Font(style)
}

func (t *theme) Icon(name fyne.ThemeIconName) fyne.Resource { return t.base.Icon(name) }

// Size looks a size up; names that this theme does not set are Fyne's.
func (t *theme) Size(name fyne.ThemeSizeName) float32 {
	switch name {
	case fynetheme.SizeNameText:
		return 13
	case fynetheme.SizeNameCaptionText:
		return 11
	case fynetheme.SizeNameSubHeadingText, SizeNameHeading:
		return 15
	case fynetheme.SizeNameHeadingText, SizeNameTitle:
		return 18
	case fynetheme.SizeNamePadding:
		return 4
	case fynetheme.SizeNameInnerPadding:
		return 6
	case fynetheme.SizeNameLineSpacing:
		return 3
	case fynetheme.SizeNameInlineIcon:
		return 16
	case fynetheme.SizeNameInputRadius, fynetheme.SizeNameSelectionRadius:
		return 5
	case fynetheme.SizeNameInputBorder, fynetheme.SizeNameSeparatorThickness:
		return 1
	case fynetheme.SizeNameScrollBar:
		return 10
	case fynetheme.SizeNameScrollBarSmall:
		return 4
	case fynetheme.SizeNameScrollBarRadius:
		return 3
	case SizeNameRow, SizeNameBar:
		return 26
	case SizeNameSidebar:
		return 176
	case SizeNameSidebarThin:
		return 44
	case SizeNameRadius:
		return 6
	case SizeNameGap:
		return 12
	}
	return t.base.Size(name)
}
