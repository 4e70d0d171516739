package jsondoc

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"talebinder/formats"
)

// A SyntaxError says where and how a text is not a document. It wraps formats.ErrDamaged.
type SyntaxError struct {
	Offset       int // in bytes, from the beginning of the text
	Line, Column int // from 1; a column is a character
	Message      string
}

// Error gives the position and the message: "line 3, column 7: expected a value, found `}`".
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// Unwrap gives formats.ErrDamaged.
func (e *SyntaxError) Unwrap() error { return formats.ErrDamaged }

// A TypeError says that a value is not of the kind that was asked for. It wraps formats.ErrDamaged.
type TypeError struct {
	Line, Column    int // of the value, from 1; 0 when there is no value
	Expected, Found string
}

// Error gives the position, unless there is none, and the two kinds: "line 3, column 7: expected a text, found a number".
func (e *TypeError) Error() string {
	message := "expected " + e.Expected + ", found " + e.Found
	if e.Line == 0 {
		return message
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, message)
}

// Unwrap gives formats.ErrDamaged.
func (e *TypeError) Unwrap() error { return formats.ErrDamaged }

// syntaxError makes the error for the offset.
func syntaxError(text []byte, offset int, message string) *SyntaxError {
	line, column := position(text, offset)
	return &SyntaxError{Offset: offset, Line: line, Column: column, Message: message}
}

// expectedFound makes the usual message about what stands at an offset.
func expectedFound(text []byte, offset int, expected string) *SyntaxError {
	return syntaxError(text, offset, "expected "+expected+", found "+found(text, offset))
}

// found describes what stands at an offset: a character, or the word, number or text that begins there.
func found(text []byte, offset int) string {
	if offset >= len(text) {
		return "the end of the file"
	}
	rest := text[offset:]
	switch c := rest[0]; {
	case c == '"':
		if end := strings.IndexAny(string(rest[1:min(len(rest), most)]), "\"\n"); end >= 0 && rest[1+end] == '"' {
			return quote(rest[:end+2])
		}
		return "a text"
	case c == '/' && len(rest) > 1 && (rest[1] == '/' || rest[1] == '*'):
		return "a comment"
	case c == '\n' || c == '\r':
		return "the end of the line"
	case c == ' ':
		return "a space"
	case c == '\t':
		return "a tab"
	}
	end := 0
	for end < len(rest) && isWord(rest[end]) {
		end++
	}
	if end > 0 {
		return quote(rest[:end])
	}
	r, n := utf8.DecodeRune(rest)
	if unicode.IsGraphic(r) && r != utf8.RuneError {
		return quote(rest[:n])
	}
	return fmt.Sprintf("the character U+%04X", r)
}

// isWord reports whether a byte belongs to what people take for a word or a number.
func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '.' || c == '+' || c == '-' || c == '_'
}

// most is the number of bytes that a message quotes.
const most = 40

// quote puts text between backticks, cut off when it is long.
func quote(text []byte) string {
	if len(text) <= most {
		return "`" + string(text) + "`"
	}
	text = text[:most]
	for len(text) > 0 && !utf8.Valid(text) { // not inside a character
		text = text[:len(text)-1]
	}
	return "`" + string(text) + "…`"
}
