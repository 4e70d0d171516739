// Package csharp finds the string literals of C# sources.
//
// It is a lexer, not a parser: it knows what is a comment, a directive, a character and a string, and where the holes
// of interpolated strings begin and end. What it finds:
//
//	"..."                 a regular string, its escapes resolved
//	@"..."                a verbatim string; "" is a quote
//	"""..."""             a raw string of one line, with three or more quotes
//	$"a{x}b" $@"" $"""""" interpolated strings, raw ones of several lines too: every piece of text between the holes
//	                      and every format of a hole (yyyy of {d:yyyy}); {{ and }} stay doubled; the code in the holes
//	                      is searched as well, in place
//
// What it leaves out: comments, directives, characters, UTF-8 strings ("..."u8), raw strings of several lines that are
// not interpolated, and code that #if disables, where only the symbols that the file itself defines are defined.
package csharp

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxNesting bounds strings in holes of strings in holes; the compiler gives up far earlier.
const maxNesting = 200

// Literals gives the string literals of a C# source in source order. The source is UTF-8, or UTF-16 with a byte order
// mark. Of code that does not compile it gives what can be made out; it never fails.
func Literals(source []byte) []string {
	l := lexer{text: decode(source), lineStart: true}
	l.code(false)
	return l.literals
}

// decode gives the source as valid UTF-8 without a byte order mark.
func decode(source []byte) string {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(source, []byte("\xFF\xFE")):
		order = binary.LittleEndian
	case bytes.HasPrefix(source, []byte("\xFE\xFF")):
		order = binary.BigEndian
	default:
		return strings.ToValidUTF8(string(bytes.TrimPrefix(source, []byte("\uFEFF"))), "\uFFFD")
	}
	units := make([]uint16, 0, len(source)/2)
	for pair := range slices.Chunk(source[2:], 2) {
		if len(pair) == 2 {
			units = append(units, order.Uint16(pair))
		}
	}
	return string(utf16.Decode(units))
}

type lexer struct {
	text      string
	at        int
	lineStart bool // nothing but white space stands before at on its line
	nesting   int  // holes that are open
	literals  []string
	directives
}

// peek gives the byte n bytes on, or 0 at the end.
func (l *lexer) peek(n int) byte {
	if l.at+n < len(l.text) {
		return l.text[l.at+n]
	}
	return 0
}

// run counts how often c stands from at on.
func (l *lexer) run(c byte) int {
	n := 0
	for l.at+n < len(l.text) && l.text[l.at+n] == c {
		n++
	}
	return n
}

// newline gives the length of the line end at the position, 0 when there is none. \r\n counts as two.
func (l *lexer) newline() int {
	switch c := l.peek(0); {
	case l.at >= len(l.text):
		return 0
	case c == '\n' || c == '\r':
		return 1
	case c == 0xC2 && l.peek(1) == 0x85: // U+0085
		return 2
	case c == 0xE2 && l.peek(1) == 0x80 && (l.peek(2) == 0xA8 || l.peek(2) == 0xA9): // U+2028 and U+2029
		return 3
	}
	return 0
}

// restOfLine moves to the end of the line and gives what it passed.
func (l *lexer) restOfLine() string {
	start := l.at
	for l.at < len(l.text) && l.newline() == 0 {
		l.at++
	}
	return l.text[start:l.at]
}

// code searches code to the end of the text or, in a hole, to the colon or brace that ends the code of the hole.
func (l *lexer) code(hole bool) {
	depth := 0
	for l.at < len(l.text) {
		if n := l.newline(); n > 0 {
			l.at += n
			l.lineStart = true
			continue
		}
		c := l.text[l.at]
		if c == '#' && l.lineStart {
			l.directive()
			continue
		}
		if c == ' ' || c == '\t' {
			l.at++
			continue
		}
		l.lineStart = false
		switch c {
		case '/':
			l.slash()
		case '\'':
			l.character()
		case '"', '@', '$':
			l.prefixed()
		case '(', '[', '{':
			depth++
			l.at++
		case ')', ']':
			depth--
			l.at++
		case '}':
			if hole && depth <= 0 {
				return
			}
			depth--
			l.at++
		case ':':
			if hole && depth <= 0 {
				return
			}
			l.at++
		default:
			l.at++
		}
	}
}

// slash passes a comment, or a slash that starts none.
func (l *lexer) slash() {
	switch l.peek(1) {
	case '/':
		l.restOfLine()
	case '*':
		if end := strings.Index(l.text[l.at+2:], "*/"); end >= 0 {
			l.at += end + 4
		} else {
			l.at = len(l.text)
		}
	default:
		l.at++
	}
}

// character passes a character literal, which ends with its line at the latest.
func (l *lexer) character() {
	for l.at++; l.at < len(l.text) && l.newline() == 0; l.at++ {
		switch l.text[l.at] {
		case '\'':
			l.at++
			return
		case '\\':
			l.at++
			if l.newline() > 0 {
				return
			}
		}
	}
}

// prefixed reads a string with the marks before it, or passes marks that start none.
func (l *lexer) prefixed() {
	dollars, verbatim := 0, false
	start := l.at
	for ; ; l.at++ {
		if c := l.peek(0); c == '$' {
			dollars++
		} else if c == '@' && !verbatim {
			verbatim = true
		} else {
			break
		}
	}
	if l.peek(0) != '"' {
		l.at = max(l.at, start+1)
		return
	}
	quotes := l.run('"')
	switch {
	case verbatim:
		l.at++
		l.quoted(dollars > 0, true)
	case quotes >= 3:
		l.at += quotes
		l.raw(quotes, dollars)
	default:
		l.at++
		l.quoted(dollars > 0, false)
	}
}

// quoted reads a regular or verbatim string after its opening quote.
func (l *lexer) quoted(interpolated, verbatim bool) {
	var text text
	for l.at < len(l.text) {
		c := l.text[l.at]
		switch {
		case c == '"' && verbatim && l.peek(1) == '"':
			text.add('"')
			l.at += 2
		case c == '"':
			l.at++
			l.end(text, interpolated)
			return
		case c == '\\' && !verbatim:
			l.escape(&text)
		case interpolated && (c == '{' || c == '}') && l.peek(1) == c:
			text.add(rune(c))
			text.add(rune(c))
			l.at += 2
		case interpolated && c == '{':
			l.piece(text)
			text = nil
			l.at++
			if !l.hole(1, func() string { return l.format(verbatim) }) {
				return
			}
		case !verbatim && l.newline() > 0:
			l.end(text, interpolated)
			return
		default:
			l.rune(&text)
		}
	}
}

// end gives a string that is complete, unless it is a UTF-8 string.
func (l *lexer) end(text text, interpolated bool) {
	switch {
	case interpolated:
		l.piece(text)
	case !l.utf8Suffix():
		l.literals = append(l.literals, text.String())
	}
}

// utf8Suffix passes the suffix of a UTF-8 string.
func (l *lexer) utf8Suffix() bool {
	if c := l.peek(0); (c == 'u' || c == 'U') && l.peek(1) == '8' {
		l.at += 2
		return true
	}
	return false
}

// piece gives a part of an interpolated string.
func (l *lexer) piece(text text) {
	if len(text) > 0 {
		l.literals = append(l.literals, text.String())
	}
}

// hole searches a hole of an interpolated string after its opening braces and passes its closing ones. It reports
// whether the text goes on.
func (l *lexer) hole(braces int, format func() string) bool {
	if l.nesting == maxNesting {
		l.at = len(l.text)
		return false
	}
	l.nesting++
	defer func() { l.nesting-- }()
	l.code(true)
	if l.peek(0) == ':' {
		l.at++
		if f := format(); f != "" {
			l.literals = append(l.literals, f)
		}
	}
	// What follows is a closing brace, or the end of a string that is not complete.
	l.at += min(l.run('}'), braces)
	return l.at < len(l.text)
}

// format reads the format of a hole in a regular or verbatim string, up to the brace that closes the hole.
func (l *lexer) format(verbatim bool) string {
	var text text
	for l.at < len(l.text) {
		c := l.text[l.at]
		switch {
		case (c == '{' || c == '}') && l.peek(1) == c:
			text.add(rune(c))
			text.add(rune(c))
			l.at += 2
		case c == '}':
			return text.String()
		case c == '"' && verbatim && l.peek(1) == '"':
			text.add('"')
			l.at += 2
		case c == '"', !verbatim && l.newline() > 0:
			return text.String()
		case c == '\\' && !verbatim:
			l.escape(&text)
		default:
			l.rune(&text)
		}
	}
	return text.String()
}

// raw reads a raw string after its opening quotes.
func (l *lexer) raw(quotes, dollars int) {
	first := len(l.literals)
	start := l.at
	for l.peek(0) == ' ' || l.peek(0) == '\t' {
		l.at++
	}
	multiline := l.newline() > 0
	if !multiline {
		l.at = start
	}
	var own []int // which of the literals since first are pieces of this string
	from := l.at
	give := func(to int) {
		if from < to {
			own = append(own, len(l.literals))
			l.literals = append(l.literals, l.text[from:to])
		}
	}
	for l.at < len(l.text) {
		switch c := l.text[l.at]; {
		case c == '"':
			n := l.run('"')
			if n < quotes {
				l.at += n
				continue
			}
			end := l.at
			l.at += n
			if dollars > 0 {
				give(end)
				if multiline {
					l.unindent(first, own)
				}
			} else if !l.utf8Suffix() && !multiline {
				l.literals = append(l.literals, l.text[from:end])
			}
			return
		case c == '{' && dollars > 0:
			n := l.run('{')
			l.at += n
			if n < dollars {
				continue
			}
			give(l.at - dollars)
			if !l.hole(dollars, func() string { return l.rawFormat(quotes, dollars) }) {
				return
			}
			from = l.at
		case !multiline && l.newline() > 0:
			return
		default:
			l.at++
		}
	}
}

// rawFormat reads the format of a hole in a raw string.
func (l *lexer) rawFormat(quotes, braces int) string {
	start := l.at
	for l.at < len(l.text) && l.run('}') < braces && l.run('"') < quotes && l.newline() == 0 {
		l.at++
	}
	return l.text[start:l.at]
}

// unindent gives the pieces of a raw string of several lines the text that they stand for: without the line ends after
// the opening and before the closing quotes, and without the white space before the closing quotes on every line.
// The pieces are the literals with the indices own, all of them from first on.
func (l *lexer) unindent(first int, own []int) {
	if len(own) == 0 {
		return
	}
	all := l.literals
	last := own[len(own)-1]
	indent := ""
	if line := strings.LastIndexAny(all[last], "\r\n"); line >= 0 && strings.Trim(all[last][line+1:], " \t") == "" {
		indent = all[last][line+1:]
		all[last] = strings.TrimSuffix(strings.TrimSuffix(all[last][:line+1], "\n"), "\r")
	}
	for i, at := range own {
		s := strings.ReplaceAll(all[at], "\n"+indent, "\n")
		if i == 0 {
			s = strings.TrimPrefix(strings.TrimPrefix(s, "\r"), "\n")
		}
		all[at] = s
	}
	kept := all[:first]
	for at := first; at < len(all); at++ {
		mine := len(own) > 0 && own[0] == at
		if mine {
			own = own[1:]
		}
		if !mine || all[at] != "" {
			kept = append(kept, all[at])
		}
	}
	l.literals = kept
}

// text is a literal in the making: characters, and halves of surrogate pairs that escapes may give.
type text []rune

func (t *text) add(r rune) { *t = append(*t, r) }

// String joins surrogate pairs; a half of one becomes U+FFFD.
func (t text) String() string {
	var b strings.Builder
	for i := 0; i < len(t); i++ {
		r := t[i]
		if utf16.IsSurrogate(r) {
			next := rune(0)
			if i+1 < len(t) {
				next = t[i+1]
			}
			if r = utf16.DecodeRune(r, next); r != utf8.RuneError {
				i++
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}

// rune takes a character as it is.
func (l *lexer) rune(t *text) {
	r, n := utf8.DecodeRuneInString(l.text[l.at:])
	t.add(r)
	l.at += n
}

// simpleEscapes holds the escapes of one letter.
var simpleEscapes = map[byte]rune{'0': 0, 'a': 7, 'b': 8, 't': 9, 'n': 10, 'v': 11, 'f': 12, 'r': 13, 'e': 27}

// escape takes the escape sequence at the position; one that is none stands for the character after the backslash.
func (l *lexer) escape(t *text) {
	l.at++
	if l.at == len(l.text) || l.newline() > 0 {
		return
	}
	c := l.text[l.at]
	if r, ok := simpleEscapes[c]; ok {
		t.add(r)
		l.at++
		return
	}
	least, most := 0, 0
	switch c {
	case 'u':
		least, most = 4, 4
	case 'U':
		least, most = 8, 8
	case 'x':
		least, most = 1, 4
	}
	value, n := rune(0), 0
	for ; n < most && isHex(l.peek(1+n)); n++ {
		value = value<<4 | hexValue(l.peek(1+n))
	}
	if most == 0 || n < least {
		l.rune(t)
		return
	}
	if value < 0 || value > utf8.MaxRune {
		value = utf8.RuneError
	}
	t.add(value)
	l.at += 1 + n
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func hexValue(c byte) rune {
	switch {
	case c <= '9':
		return rune(c - '0')
	case c <= 'F':
		return rune(c-'A') + 10
	}
	return rune(c-'a') + 10
}
