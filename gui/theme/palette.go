package theme

import (
	"image/color"

	"fyne.io/fyne/v2"
	fynetheme "fyne.io/fyne/v2/theme"
)

// A palette is everything that differs between light and dark.
type palette struct {
	window, panel, card, hairline, sidebar, rowAlt color.NRGBA
	text, muted, faint                             color.NRGBA
	input, button, overlay, menu                   color.NRGBA
	accent, onAccent                               color.NRGBA
	success, warning, bad, info                    color.NRGBA
	onSuccess, onWarning, onBad                    color.NRGBA
	shadow                                         color.NRGBA
	hover, pressed                                 uint8 // opacity of the text colour over the thing
	soft                                           uint8 // opacity of a soft ground, of the colour it carries
	categories                                     [8]color.NRGBA
}

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xff}
}

func fade(c color.NRGBA, alpha uint8) color.NRGBA {
	c.A = alpha
	return c
}

// ink is a colour for text: opaque to the eye, and a hair below that in its 16 bits of opacity. Menus take 95 % of those
// bits for their shortcuts and keep the lower half, which of a fully opaque colour leaves hardly anything to be seen.
type ink color.NRGBA

const inkOpacity = 0xff64 // 95 % of it end in 0x9f: shortcuts get 62 %

// RGBA implements color.Color.
func (c ink) RGBA() (r, g, b, a uint32) {
	r, g, b, _ = color.NRGBA(c).RGBA()
	return r, g, b, inkOpacity
}

// The dark palette: greys with some ink blue in them, amber on top.
var darkPalette = palette{
	window: rgb(0x16181D), panel: rgb(0x1D2027), card: rgb(0x262A33), hairline: rgb(0x323743),
	sidebar: rgb(0x1A1C22), rowAlt: rgb(0x20232B),
	text: rgb(0xE6E8EC), muted: rgb(0x9AA1AD), faint: rgb(0x6B7280),
	input: rgb(0x14161A), button: rgb(0x2E333E), overlay: rgb(0x21242C), menu: rgb(0x262A33),
	accent: rgb(0xE8A33D), onAccent: rgb(0x1B1407),
	success: rgb(0x5BB98B), warning: rgb(0xE8B04B), bad: rgb(0xE5686A), info: rgb(0x6CA8E8),
	onSuccess: rgb(0x08160F), onWarning: rgb(0x1B1407), onBad: rgb(0x1E0707),
	shadow: color.NRGBA{A: 0x66},
	hover:  0x12, pressed: 0x22, soft: 0x2a,
	categories: [8]color.NRGBA{
		rgb(0xE8A33D), rgb(0x6CA8E8), rgb(0x5BB98B), rgb(0xC58AE0),
		rgb(0xE07A5F), rgb(0x55BFC7), rgb(0xB9BE62), rgb(0x8B93A3),
	},
}

// The light palette: paper, ink and a darker amber that reads on white.
var lightPalette = palette{
	window: rgb(0xF5F3EE), panel: rgb(0xFBFAF7), card: rgb(0xFFFFFF), hairline: rgb(0xDDD8CE),
	sidebar: rgb(0xEFECE5), rowAlt: rgb(0xF7F5F0),
	text: rgb(0x22252B), muted: rgb(0x646973), faint: rgb(0x8E929B),
	input: rgb(0xFFFFFF), button: rgb(0xECE8DF), overlay: rgb(0xFBFAF7), menu: rgb(0xFFFFFF),
	accent: rgb(0xAB620B), onAccent: rgb(0xFFFFFF),
	success: rgb(0x2B7A52), warning: rgb(0x9A6700), bad: rgb(0xB3261E), info: rgb(0x2A68AE),
	onSuccess: rgb(0xFFFFFF), onWarning: rgb(0xFFFFFF), onBad: rgb(0xFFFFFF),
	shadow: color.NRGBA{R: 0x3a, G: 0x33, B: 0x24, A: 0x33},
	hover:  0x0d, pressed: 0x1a, soft: 0x1f,
	categories: [8]color.NRGBA{
		rgb(0xC9801F), rgb(0x3B79BF), rgb(0x3B8F66), rgb(0x8E5BB0),
		rgb(0xBF5638), rgb(0x2E8F98), rgb(0x858A2C), rgb(0x7A808C),
	},
}

func (p *palette) color(name fyne.ThemeColorName) (color.Color, bool) {
	switch name {
	case fynetheme.ColorNameBackground:
		return p.window, true
	case ColorNameSidebar, fynetheme.ColorNameHeaderBackground:
		return p.sidebar, true
	case ColorNamePanel:
		return p.panel, true
	case ColorNameCard:
		return p.card, true
	case ColorNameCardBorder, ColorNameHairline, fynetheme.ColorNameSeparator, fynetheme.ColorNameInputBorder:
		return p.hairline, true
	case ColorNameRowAlt:
		return p.rowAlt, true
	case ColorNameBadge:
		return fade(p.text, p.pressed), true
	case fynetheme.ColorNameForeground:
		return ink(p.text), true
	case ColorNameBadgeText:
		return p.text, true
	case ColorNameMuted:
		return p.muted, true
	case fynetheme.ColorNamePlaceHolder, fynetheme.ColorNameDisabled:
		return p.faint, true
	case ColorNameAccent, fynetheme.ColorNamePrimary, fynetheme.ColorNameHyperlink:
		return p.accent, true
	case fynetheme.ColorNameForegroundOnPrimary:
		return p.onAccent, true
	case ColorNameAccentSoft, fynetheme.ColorNameSelection:
		return fade(p.accent, p.soft), true
	case fynetheme.ColorNameFocus:
		return fade(p.accent, 0x66), true
	case fynetheme.ColorNameButton:
		return p.button, true
	case fynetheme.ColorNameDisabledButton:
		return fade(p.button, 0x80), true
	case fynetheme.ColorNameInputBackground:
		return p.input, true
	case fynetheme.ColorNameMenuBackground:
		return p.menu, true
	case fynetheme.ColorNameOverlayBackground:
		return p.overlay, true
	case fynetheme.ColorNameHover:
		return fade(p.text, p.hover), true
	case fynetheme.ColorNamePressed:
		return fade(p.text, p.pressed), true
	case fynetheme.ColorNameScrollBar:
		return fade(p.text, 0x50), true
	case fynetheme.ColorNameScrollBarBackground:
		return fade(p.text, 0x08), true
	case fynetheme.ColorNameShadow:
		return p.shadow, true
	case fynetheme.ColorNameSuccess:
		return p.success, true
	case fynetheme.ColorNameWarning:
		return p.warning, true
	case fynetheme.ColorNameError:
		return p.bad, true
	case ColorNameInfo:
		return p.info, true
	case fynetheme.ColorNameForegroundOnSuccess:
		return p.onSuccess, true
	case fynetheme.ColorNameForegroundOnWarning:
		return p.onWarning, true
	case fynetheme.ColorNameForegroundOnError:
		return p.onBad, true
	case ColorNameSuccessSoft:
		return fade(p.success, p.soft), true
	case ColorNameWarningSoft:
		return fade(p.warning, p.soft), true
	case ColorNameErrorSoft:
		return fade(p.bad, p.soft), true
	case ColorNameInfoSoft:
		return fade(p.info, p.soft), true
	}
	for i := range p.categories {
		if name == CategoryColor(i) {
			return p.categories[i], true
		}
	}
	return nil, false
}
