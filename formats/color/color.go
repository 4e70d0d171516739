// Package color reads and writes the colors of Talesmith's files.
//
// A color is a text of 3, 6 or 8 hexadecimal digits: RGB (each digit doubled), RRGGBB or AARRGGBB, the alpha first. White
// space around it and the # in front do not matter. It is written in capitals as #RRGGBB, or as #AARRGGBB when it is not
// opaque.
package color

import (
	"encoding/hex"
	"image/color"
	"strconv"
	"strings"
	"unicode"

	"talebinder/formats"
)

// A Color is a color with 8 bits a channel, its alpha not multiplied into the others.
type Color struct{ A, R, G, B uint8 }

// White is the opaque white, the color that changes nothing when others are multiplied with it.
func White() Color { return Color{255, 255, 255, 255} }

// An Error says that a text is no color. It wraps formats.ErrDamaged.
type Error struct{ Text string }

// Error quotes the text, cut off when it is long.
func (e *Error) Error() string {
	const most = 60
	shown := e.Text
	if len(shown) > most {
		shown = strings.ToValidUTF8(shown[:most], "") + "…"
	}
	return "expected a color such as #0E0F12, found " + strconv.Quote(shown)
}

// Unwrap gives formats.ErrDamaged.
func (e *Error) Unwrap() error { return formats.ErrDamaged }

// Parse reads a color in any of its three forms. The error is an *Error.
func Parse(text string) (Color, error) {
	digits := strings.TrimLeft(strings.TrimFunc(text, unicode.IsSpace), "#")
	var c [8]byte
	switch len(digits) {
	case 3:
		c = [8]byte{'f', 'f', digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]}
	case 6:
		copy(c[:], "ff")
		copy(c[2:], digits)
	case 8:
		copy(c[:], digits)
	}
	var b [4]byte
	if _, err := hex.Decode(b[:], c[:]); err != nil {
		return Color{}, &Error{text}
	}
	return Color{A: b[0], R: b[1], G: b[2], B: b[3]}, nil
}

// String gives the text as it is written.
func (c Color) String() string {
	const digits = "0123456789ABCDEF"
	text := make([]byte, 1, 9)
	text[0] = '#'
	channels := [...]uint8{c.A, c.R, c.G, c.B}
	for i, v := range channels {
		if i > 0 || v != 255 {
			text = append(text, digits[v>>4], digits[v&15])
		}
	}
	return string(text)
}

// NRGBA gives the color for drawing.
func (c Color) NRGBA() color.NRGBA { return color.NRGBA{R: c.R, G: c.G, B: c.B, A: c.A} }
