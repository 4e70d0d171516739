package platforms

import (
	"strings"
	"unicode"
	"unicode/utf16"
)

// maxName is the most UTF-16 units that a name may have.
const maxName = 64

// fallbackName is the name of a game whose title gives none.
const fallbackName = "Game"

// SanitizeName turns a game's title, or the executable name from its settings, into a name that is good for a file on every
// platform: no control characters, nothing of < > : " / \ | ? *, single spaces, no dot or space at either end, at most 64
// UTF-16 units, and none of the names that Windows reserves. What is left of nothing is "Game".
func SanitizeName(title string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || strings.ContainsRune(`<>:"/\|?*`, r) {
			return ' '
		}
		return r
	}, title)
	name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == ' ' }), " ")
	name = strings.Trim(name, ". ")
	name = strings.TrimRight(cut(name, maxName), ". ")
	if name == "" || reserved(name) {
		return fallbackName
	}
	return name
}

// cut keeps the first n UTF-16 units of s. A character that does not fit as a whole is left out.
func cut(s string, n int) string {
	units := 0
	for i, r := range s {
		units += utf16.RuneLen(r)
		if units > n {
			return s[:i]
		}
	}
	return s
}

// reserved says whether Windows takes the name for a device.
func reserved(name string) bool {
	upper := strings.ToUpper(name)
	switch upper {
	case "CON", "PRN", "AUX", "NUL":
		return true
	}
	port, isCom := strings.CutPrefix(upper, "COM")
	if !isCom {
		var isLpt bool
		if port, isLpt = strings.CutPrefix(upper, "LPT"); !isLpt {
			return false
		}
	}
	return len(port) == 1 && port[0] >= '1' && port[0] <= '9'
}

// DeriveBundleIdentifier gives the macOS bundle identifier of a game that names none.
func DeriveBundleIdentifier(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	if len(words) == 0 {
		words = []string{"game"}
	}
	return "com.talesmith." + strings.Join(words, "-")
}
