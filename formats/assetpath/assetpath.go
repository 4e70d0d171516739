// Package assetpath works with the paths of assets: texts with forward slashes, relative to the asset folder of a
// Talesmith project.
//
// A path is normalized when it has no empty, "." or ".." segment, no backslash and no slash at either end; "" is the
// asset folder itself. Every path read from a file, typed by a person or found in code goes through Normalize first:
// backslashes count as slashes, leading slashes are dropped, and a path whose ".." segments go above the asset folder
// is refused. So "/a/b" is "a/b", and "C:/x" is an ordinary path of two segments. Spaces are kept.
//
// Inside a content pack paths are equal when their Fold is equal; in a project they are equal byte for byte (on Windows
// by Fold). Sorted lists are in the order of Compare.
package assetpath

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ErrLeaves is wrapped by the error for a path that leads out of the asset folder.
var ErrLeaves = errors.New("the path leaves the asset folder")

// Normalize gives the normalized form of p. Its error wraps ErrLeaves and quotes the path.
func Normalize(p string) (string, error) {
	if isNormal(p) {
		return p, nil
	}
	kept := make([]string, 0, 8)
	for segment := range strings.SplitSeq(strings.ReplaceAll(p, `\`, "/"), "/") {
		switch segment {
		case "", ".":
		case "..":
			if len(kept) == 0 {
				return "", fmt.Errorf("%q: %w", p, ErrLeaves)
			}
			kept = kept[:len(kept)-1]
		default:
			kept = append(kept, segment)
		}
	}
	return strings.Join(kept, "/"), nil
}

// isNormal reports whether p is in normalized form already, without allocating.
func isNormal(p string) bool {
	if p == "" {
		return true
	}
	start := 0
	for i := 0; i <= len(p); i++ {
		if i < len(p) && p[i] != '/' {
			if p[i] == '\\' {
				return false
			}
			continue
		}
		switch p[start:i] {
		case "", ".", "..":
			return false
		}
		start = i + 1
	}
	return true
}

// Resolve normalizes rel as seen from folder: a leading slash of rel means nothing, and ".." may lead out of folder
// but not out of the asset folder.
func Resolve(folder, rel string) (string, error) {
	return Normalize(folder + "/" + rel)
}

// Fold gives a key that is equal for two paths exactly when they are equal ignoring case, as .NET compares ordinally:
// every character is replaced by its simple upper-case form, so "É" and "é" are equal while "ß" and "SS" are not. The
// dotless "ı" and the long "ſ" have no upper-case form here. Bytes that are not UTF-8 stay as they are.
func Fold(p string) string {
	for i := 0; i < len(p); i++ {
		if c := p[i]; c >= utf8.RuneSelf || 'a' <= c && c <= 'z' {
			return fold(p, i)
		}
	}
	return p
}

func fold(p string, from int) string {
	b := make([]byte, from, len(p)+4)
	copy(b, p[:from])
	for i := from; i < len(p); {
		c := p[i]
		if c < utf8.RuneSelf {
			if 'a' <= c && c <= 'z' {
				c -= 'a' - 'A'
			}
			b = append(b, c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(p[i:])
		if r == utf8.RuneError && n == 1 {
			b = append(b, c)
		} else {
			b = utf8.AppendRune(b, upper(r))
		}
		i += n
	}
	return string(b)
}

func upper(r rune) rune {
	switch r {
	case 'ı', 'ſ':
		return r
	}
	return unicode.ToUpper(r)
}

// Compare orders two paths by their UTF-16 code units, the ordinal order of .NET: -1, 0 or +1. It differs from the
// order of the bytes only where a character above U+FFFF meets one of U+E000 to U+FFFF. Paths that are not UTF-8 have a
// fixed place too; only equal texts give 0.
func Compare(a, b string) int {
	for i, j := 0, 0; ; {
		if i == len(a) || j == len(b) {
			switch {
			case i < len(a):
				return 1
			case j < len(b):
				return -1
			}
			return strings.Compare(a, b)
		}
		if a[i] < utf8.RuneSelf && b[j] < utf8.RuneSelf {
			if a[i] != b[j] {
				if a[i] < b[j] {
					return -1
				}
				return 1
			}
			i++
			j++
			continue
		}
		r, n := utf8.DecodeRuneInString(a[i:])
		s, m := utf8.DecodeRuneInString(b[j:])
		if r != s {
			if x, y := utf16Key(r), utf16Key(s); x < y {
				return -1
			}
			return 1
		}
		i += n
		j += m
	}
}

// utf16Key moves the characters above U+FFFF to where their surrogates sort: between U+D7FF and U+E000.
func utf16Key(r rune) rune {
	const above = utf8.MaxRune + 1
	if 0xE000 <= r && r <= 0xFFFF {
		return r + above
	}
	return r
}

// Ext gives the extension of the last segment with its dot, in lower case, or "" when there is none. A name that ends
// in a dot has none; ".b" is nothing but an extension.
func Ext(p string) string {
	base := Base(p)
	dot := strings.LastIndexByte(base, '.')
	if dot < 0 || dot == len(base)-1 {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if r == 'İ' { // no simple lower-case form in the invariant culture
			return r
		}
		return unicode.ToLower(r)
	}, base[dot:])
}

// Within reports whether the path p is folder or lies in it, at any depth. Everything lies within "". Case matters.
func Within(p, folder string) bool {
	if folder == "" {
		return true
	}
	return strings.HasPrefix(p, folder) && (len(p) == len(folder) || p[len(folder)] == '/')
}

// Dir gives the folder that holds p: all but the last segment, "" for a path of one segment.
func Dir(p string) string {
	return p[:max(strings.LastIndexByte(p, '/'), 0)]
}

// Base gives the last segment of p.
func Base(p string) string {
	return p[strings.LastIndexByte(p, '/')+1:]
}
