package jsondoc

import (
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Escaping is one of the two forms in which texts are written.
type Escaping uint8

const (
	// Strict escapes everything outside U+0020 to U+007E, and " < > & ' + and the backtick, all as \uXXXX except the
	// short forms \b \t \n \f \r and \\. It is the form of all files but scenes and prefabs.
	Strict Escaping = iota
	// Relaxed escapes the quote as \", and as \uXXXX what is not a letter, mark, number, punctuation, symbol, format
	// character or the space, and everything above U+FFFF as two escapes. It is the form of scenes and prefabs.
	Relaxed
)

// AppendString appends the text s in quotes, escaped as the engine escapes it. What is not UTF-8 becomes U+FFFD.
func AppendString(dst []byte, s string, e Escaping) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if plainASCII(c, e) {
				i++
				continue
			}
			dst = append(dst, s[start:i]...)
			dst = appendEscape(dst, rune(c), e)
			i++
			start = i
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if !(r == utf8.RuneError && n == 1) && e == Relaxed && staysRaw(r) {
			i += n
			continue
		}
		dst = append(dst, s[start:i]...)
		if e == Relaxed && staysRaw(r) {
			dst = utf8.AppendRune(dst, r)
		} else {
			dst = appendEscape(dst, r, e)
		}
		i += n
		start = i
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

func plainASCII(c byte, e Escaping) bool {
	if c < ' ' || c == '"' || c == '\\' || c == 0x7F {
		return false
	}
	if e == Strict {
		switch c {
		case '<', '>', '&', '\'', '+', '`':
			return false
		}
	}
	return true
}

// staysRaw reports whether the relaxed form writes a character outside ASCII as it is. The engine decides by the
// categories of its own Unicode version, Go by those of unicode.Version (15.0 in Go 1.26): a character of the basic
// plane that a later version assigned is escaped here, which reads back the same.
func staysRaw(r rune) bool {
	return r <= 0xFFFF && unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Cf)
}

func appendEscape(dst []byte, r rune, e Escaping) []byte {
	switch r {
	case '\b':
		return append(dst, '\\', 'b')
	case '\t':
		return append(dst, '\\', 't')
	case '\n':
		return append(dst, '\\', 'n')
	case '\f':
		return append(dst, '\\', 'f')
	case '\r':
		return append(dst, '\\', 'r')
	case '\\':
		return append(dst, '\\', '\\')
	case '"':
		if e == Relaxed {
			return append(dst, '\\', '"')
		}
	}
	if r > 0xFFFF {
		high, low := utf16.EncodeRune(r)
		return appendUnit(appendUnit(dst, high), low)
	}
	return appendUnit(dst, r)
}

// appendUnit appends the escape of one UTF-16 code unit.
func appendUnit(dst []byte, unit rune) []byte {
	const hex = "0123456789ABCDEF"
	return append(dst, '\\', 'u', hex[unit>>12&15], hex[unit>>8&15], hex[unit>>4&15], hex[unit&15])
}

// hex4 reads four hexadecimal digits.
func hex4(text []byte) (unit rune, ok bool) {
	for _, c := range text[:4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		unit = unit<<4 | rune(c)
	}
	return unit, true
}

// unescape reads the inside of a text whose escapes are known to be well formed. A surrogate without partner becomes
// U+FFFD, and ok is false.
func unescape(raw []byte) (text string, ok bool) {
	ok = true
	dst := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			dst = append(dst, raw[i])
			i++
			continue
		}
		r, n := unescapeOne(raw[i:])
		if utf16.IsSurrogate(r) {
			r = utf8.RuneError
			ok = false
		}
		dst = utf8.AppendRune(dst, r)
		i += n
	}
	return string(dst), ok
}

// unescapeOne reads the escape, or the two escapes of a surrogate pair, at the beginning of raw. A surrogate without
// partner is given as it is.
func unescapeOne(raw []byte) (r rune, n int) {
	switch c := raw[1]; c {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		r, _ = hex4(raw[2:])
		if utf16.IsSurrogate(r) && len(raw) >= 12 && raw[6] == '\\' && raw[7] == 'u' {
			low, _ := hex4(raw[8:])
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return pair, 12
			}
		}
		return r, 6
	default: // a quote, backslash or slash
		return rune(c), 2
	}
}

// appendRaw appends a text of a document escaped anew. A surrogate without partner keeps its escape.
func appendRaw(dst, raw []byte, e Escaping) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(raw); {
		c := raw[i]
		if c < utf8.RuneSelf && c != '\\' {
			if plainASCII(c, e) {
				dst = append(dst, c)
			} else {
				dst = appendEscape(dst, rune(c), e)
			}
			i++
			continue
		}
		var r rune
		var n int
		if c == '\\' {
			r, n = unescapeOne(raw[i:])
		} else {
			r, n = utf8.DecodeRune(raw[i:])
		}
		switch {
		case r < utf8.RuneSelf && plainASCII(byte(r), e), e == Relaxed && r >= utf8.RuneSelf && staysRaw(r):
			dst = utf8.AppendRune(dst, r)
		default:
			dst = appendEscape(dst, r, e)
		}
		i += n
	}
	return append(dst, '"')
}
