package platforms

import (
	"errors"
	"fmt"
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

// Reserved says whether Windows takes the name, in any case, for a device. A file cannot have it, with no extension either.
func Reserved(name string) bool {
	if stem, _, found := strings.Cut(name, "."); found {
		name = stem
	}
	return reserved(strings.TrimRight(name, " "))
}

// reserved says whether the name, which has no extension, is one of a device.
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

// CheckFileName refuses the name of a file or folder that a player's computer cannot have, whatever this computer can.
func (t Target) CheckFileName(name string) error {
	if t.Platform != Windows {
		return nil
	}
	for _, r := range name {
		if r < ' ' || strings.ContainsRune(`<>:"/\|?*`, r) {
			return fmt.Errorf("the name %q has the character %q, which Windows does not allow", name, r)
		}
	}
	switch {
	case strings.HasSuffix(name, ".") || strings.HasSuffix(name, " "):
		return fmt.Errorf("the name %q ends with %q, which Windows does not allow", name, name[len(name)-1:])
	case Reserved(name):
		return fmt.Errorf("the name %q is reserved on Windows for a device", name)
	}
	return nil
}

// CheckBundleIdentifier refuses what macOS does not take as a bundle identifier: at least two parts with dots between, of
// letters, digits and hyphens.
func CheckBundleIdentifier(id string) error {
	if id == "" {
		return errors.New("the bundle identifier is empty")
	}
	parts := strings.Split(id, ".")
	for _, part := range parts {
		if part == "" {
			return fmt.Errorf("the bundle identifier %q has an empty part", id)
		}
		for _, r := range part {
			if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' {
				return fmt.Errorf("the bundle identifier %q has the character %q, which macOS does not take", id, r)
			}
		}
	}
	if len(parts) < 2 {
		return fmt.Errorf("the bundle identifier %q has one part only", id)
	}
	return nil
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
