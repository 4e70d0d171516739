package charlist

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// kind is the kind of a JSON value.
type kind uint8

const (
	kindNull kind = iota
	kindTrue
	kindFalse
	kindNumber
	kindString
	kindArray
	kindObject
)

var kindWords = [...]string{"null", "true", "false", "a number", "a text", "an array", "an object"}

// scanner reads JSON with the tolerance that the package describes. It keeps nothing: a text is gone through once to check its
// syntax, and again to take the values out, so that a list takes no more memory than its characters.
type scanner struct {
	text []byte
	at   int
}

// syntaxError is a place and a reason.
type syntaxError struct {
	at      int
	problem string
}

func (e *syntaxError) Error() string { return e.problem }

func (s *scanner) fail(format string, args ...any) error {
	return &syntaxError{s.at, fmt.Sprintf(format, args...)}
}

// unexpected says what stands where something else was expected.
func (s *scanner) unexpected(expected string) error {
	if s.at >= len(s.text) {
		return s.fail("the text ends, expected %s", expected)
	}
	r, _ := utf8.DecodeRune(s.text[s.at:])
	return s.fail("found %q, expected %s", r, expected)
}

// document checks a whole text and leaves the scanner at its value.
func (s *scanner) document() error {
	if bytes.HasPrefix(s.text, []byte("\ufeff")) {
		s.at = 3
	}
	if err := s.space(); err != nil {
		return err
	}
	start := s.at
	if err := s.skip(1); err != nil {
		return err
	}
	if err := s.space(); err != nil {
		return err
	}
	if s.at < len(s.text) {
		return s.unexpected("nothing behind the end of the document")
	}
	s.at = start
	return nil
}

// space passes white space and comments.
func (s *scanner) space() error {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		case '/':
			rest := s.text[s.at:]
			switch {
			case len(rest) > 1 && rest[1] == '/':
				for s.at < len(s.text) && s.text[s.at] != '\n' && s.text[s.at] != '\r' {
					s.at++
				}
			case len(rest) > 1 && rest[1] == '*':
				end := bytes.Index(rest[2:], []byte("*/"))
				if end < 0 {
					return s.fail("a comment is not closed, expected */")
				}
				s.at += 2 + end + 2
			default:
				return s.unexpected("// or /* of a comment")
			}
		default:
			return nil
		}
	}
	return nil
}

// kind says what kind of value stands here.
func (s *scanner) kind() (kind, error) {
	if s.at >= len(s.text) {
		return 0, s.unexpected("a value")
	}
	switch c := s.text[s.at]; {
	case c == '{':
		return kindObject, nil
	case c == '[':
		return kindArray, nil
	case c == '"':
		return kindString, nil
	case c == '-' || c == '+' || c >= '0' && c <= '9':
		return kindNumber, nil
	}
	for k, word := range kindWords[:kindFalse+1] {
		if end := s.at + len(word); end <= len(s.text) && string(s.text[s.at:end]) == word {
			return kind(k), nil
		}
	}
	return 0, s.unexpected("a value")
}

// skip passes a value and checks its syntax. depth counts the values around it and itself.
func (s *scanner) skip(depth int) error {
	k, err := s.kind()
	if err != nil {
		return err
	}
	if depth > maxDepth && (k == kindObject || k == kindArray) {
		return s.fail("the value is nested deeper than %d levels", maxDepth)
	}
	switch k {
	case kindObject:
		return s.members(func([]byte) error { return s.skip(depth + 1) })
	case kindArray:
		return s.items(func() error { return s.skip(depth + 1) })
	case kindString:
		_, err := s.quoted()
		return err
	case kindNumber:
		_, err := s.number()
		return err
	case kindFalse:
		s.at += 5
	default:
		s.at += 4
	}
	return nil
}

// members goes through an object; f has to pass the value. The name is as it stands between the quotes.
func (s *scanner) members(f func(name []byte) error) error {
	return s.list('}', func() error {
		if s.text[s.at] != '"' {
			return s.unexpected("a name in double quotes")
		}
		name, err := s.quoted()
		if err != nil {
			return err
		}
		if err := s.space(); err != nil {
			return err
		}
		if s.at >= len(s.text) || s.text[s.at] != ':' {
			return s.unexpected("a colon behind the name")
		}
		s.at++
		if err := s.space(); err != nil {
			return err
		}
		return f(name)
	})
}

// items goes through an array; f has to pass the value.
func (s *scanner) items(f func() error) error { return s.list(']', f) }

// list goes through what stands between an opening and the closing bracket, with commas in between and perhaps at the end.
func (s *scanner) list(closing byte, f func() error) error {
	s.at++
	for {
		if err := s.space(); err != nil {
			return err
		}
		if s.at >= len(s.text) {
			return s.unexpected(string(closing))
		}
		if s.text[s.at] == closing {
			s.at++
			return nil
		}
		if err := f(); err != nil {
			return err
		}
		if err := s.space(); err != nil {
			return err
		}
		switch {
		case s.at >= len(s.text):
			return s.unexpected("a comma or " + string(closing))
		case s.text[s.at] == ',':
			s.at++
		case s.text[s.at] != closing:
			return s.unexpected("a comma or " + string(closing))
		}
	}
}

// quoted passes a text and gives what stands between its quotes.
func (s *scanner) quoted() ([]byte, error) {
	opening := s.at
	s.at++
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '"':
			s.at++
			return s.text[opening+1 : s.at-1], nil
		case c < 0x20:
			return nil, s.fail("a control character in a text, expected it as \\u%04x", c)
		case c == '\\':
			if err := s.escape(); err != nil {
				return nil, err
			}
		default:
			s.at++
		}
	}
	s.at = opening
	return nil, s.fail("a text is not closed, expected a double quote")
}

// escape passes an escape, with both halves of a surrogate pair.
func (s *scanner) escape() error {
	if s.at+1 >= len(s.text) {
		return s.unexpected("an escape and a closing double quote")
	}
	switch s.text[s.at+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.at += 2
		return nil
	case 'u':
		unit, ok := hexUnit(s.text[s.at:])
		if !ok {
			return s.fail("an escape that is not complete, expected \\u and four hexadecimal digits")
		}
		s.at += 6
		if unit >= 0xD800 && unit < 0xDC00 {
			if _, ok := hexUnit(s.text[s.at:]); !ok {
				return s.fail("the first half of a surrogate pair stands alone, expected another \\u escape behind it")
			}
			s.at += 6
		}
		return nil
	}
	return s.fail("an escape that there is not, expected \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u")
}

// hexUnit reads \uXXXX.
func hexUnit(text []byte) (uint32, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	var unit uint32
	for _, c := range text[2:6] {
		unit <<= 4
		switch {
		case c >= '0' && c <= '9':
			unit |= uint32(c - '0')
		case c >= 'a' && c <= 'f':
			unit |= uint32(c - 'a' + 10)
		case c >= 'A' && c <= 'F':
			unit |= uint32(c - 'A' + 10)
		default:
			return 0, false
		}
	}
	return unit, true
}

// unescape gives the bytes of a text whose syntax has been checked. Halves of surrogate pairs become three bytes.
func unescape(raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			out = append(out, raw[i])
			i++
			continue
		}
		if c := raw[i+1]; c != 'u' {
			if j := strings.IndexByte("bfnrt", c); j >= 0 {
				c = "\b\f\n\r\t"[j]
			}
			out = append(out, c)
			i += 2
			continue
		}
		code, _ := hexUnit(raw[i:])
		i += 6
		if code >= 0xD800 && code < 0xDC00 {
			low, _ := hexUnit(raw[i:])
			code = 0x10000 + (code&0x3FF)<<10 + low&0x3FF
			i += 6
		}
		out = appendCode(out, code)
	}
	return out
}

// number passes a number and gives its text.
func (s *scanner) number() (string, error) {
	start := s.at
	if c := s.text[s.at]; c == '-' || c == '+' {
		s.at++
	}
	if !s.digits() {
		return "", s.unexpected("a digit")
	}
	if s.at < len(s.text) && s.text[s.at] == '.' {
		s.at++
		if !s.digits() {
			return "", s.unexpected("a digit")
		}
	}
	if s.at < len(s.text) && (s.text[s.at] == 'e' || s.text[s.at] == 'E') {
		s.at++
		if s.at < len(s.text) && (s.text[s.at] == '-' || s.text[s.at] == '+') {
			s.at++
		}
		if !s.digits() {
			return "", s.unexpected("a digit")
		}
	}
	return string(s.text[start:s.at]), nil
}

func (s *scanner) digits() bool {
	start := s.at
	for s.at < len(s.text) && s.text[s.at] >= '0' && s.text[s.at] <= '9' {
		s.at++
	}
	return s.at > start
}

// integer passes a value and gives its number with the fraction cut off; ok is false when it is none, or one that does not fit.
func (s *scanner) integer() (v int64, ok bool) {
	k, err := s.kind()
	if err != nil || k != kindNumber {
		_ = s.skip(1)
		if k == kindTrue {
			return 1, true
		}
		return 0, k == kindFalse
	}
	text, err := s.number()
	if err != nil {
		return 0, false
	}
	if v, err := strconv.ParseInt(text, 10, 64); err == nil {
		return v, true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, false
	}
	if f = math.Trunc(f); f < math.MinInt64 || f >= math.MaxInt64 {
		return 0, false
	}
	return int64(f), true
}

// place gives the line and column of an offset, both from 1, the column in characters.
func place(text []byte, at int) (line, column int) {
	at = min(at, len(text))
	before := text[:at]
	start := bytes.LastIndexByte(before, '\n') + 1
	return 1 + bytes.Count(before, []byte("\n")), 1 + utf8.RuneCount(bytes.TrimPrefix(before[start:], []byte("\ufeff")))
}
