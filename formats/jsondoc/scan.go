package jsondoc

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"unicode/utf8"

	"talebinder/formats"
)

// MaxDepth is the number of lists and objects that may lie in each other.
const MaxDepth = 64

const byteOrderMark = "\uFEFF"

// Options say what Parse accepts.
type Options struct {
	MaxDepth int  // nested lists and objects; 0 means the MaxDepth of the format
	Plain    bool // neither comments nor trailing commas
}

// Parse reads a document. It keeps text, which must not be changed afterwards. The error is a *SyntaxError, or a
// *formats.LimitError for a text of 4 GiB or more.
func Parse(text []byte) (*Doc, error) { return ParseOptions(text, Options{}) }

// ParseOptions is Parse with other rules.
func ParseOptions(text []byte, o Options) (*Doc, error) {
	if int64(len(text)) > math.MaxUint32 {
		return nil, &formats.LimitError{What: "the length of a JSON text", Value: int64(len(text)), Max: math.MaxUint32, Unit: "bytes"}
	}
	if !utf8.Valid(text) {
		return nil, encodingError(text)
	}
	s := scanner{text: text, depth: o.MaxDepth, plain: o.Plain}
	if s.depth <= 0 {
		s.depth = MaxDepth
	}
	start := 0
	if bytes.HasPrefix(text, []byte(byteOrderMark)) {
		start = len(byteOrderMark)
	}
	if err := s.scan(start); err != nil {
		return nil, err
	}
	return &Doc{text: text, spans: s.spans, options: o}, nil
}

// encodingError finds the first byte that is not UTF-8.
func encodingError(text []byte) *SyntaxError {
	if bytes.HasPrefix(text, []byte{0xFF, 0xFE}) || bytes.HasPrefix(text, []byte{0xFE, 0xFF}) {
		return &SyntaxError{Line: 1, Column: 1, Message: "expected UTF-8, found a text in UTF-16; save the file as UTF-8"}
	}
	at := 0
	for {
		r, n := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && n <= 1 {
			return syntaxError(text, at, fmt.Sprintf("expected UTF-8, found the byte 0x%02X; save the file as UTF-8", text[at]))
		}
		at += n
	}
}

// state is what the scanner expects next.
type state uint8

const (
	wantValue     state = iota // a value
	wantFirstItem              // a value, or the end of the list
	wantItem                   // after a comma: a value, or the end of the list
	wantFirstName              // a name, or the end of the object
	wantName                   // after a comma: a name, or the end of the object
	wantEnd                    // after a value: a comma, or the end of the list, object or document
)

// A scanner goes once over the text. The open containers are on its own stack, so nesting costs no stack of ours.
type scanner struct {
	text  []byte
	spans []span
	open  []uint32 // indexes of the spans of the open containers
	depth int
	plain bool
}

func (s *scanner) scan(pos int) error {
	text := s.text
	want := wantValue
	inObject := false
	for {
		if pos < len(text) && (text[pos] <= ' ' || text[pos] == '/') {
			var err error
			if pos, err = s.space(pos, want); err != nil {
				return err
			}
		}
		if pos >= len(text) {
			if want == wantEnd && len(s.open) == 0 {
				return nil
			}
			return s.unexpected(pos, want)
		}
		c := text[pos]
		if want == wantEnd {
			switch {
			case len(s.open) == 0:
				return s.unexpected(pos, want)
			case c == ',':
				want = wantItem
				if inObject {
					want = wantName
				}
				pos++
				continue
			case c == '}' && inObject, c == ']' && !inObject:
				pos++
				inObject = s.close(pos)
				continue
			}
			return s.unexpected(pos, want)
		}
		if want >= wantFirstName {
			if c == '}' && (want == wantFirstName || !s.plain) {
				pos++
				inObject = s.close(pos)
				want = wantEnd
				continue
			}
			if c != '"' {
				return s.unexpected(pos, want)
			}
			end, escaped, err := s.str(pos)
			if err != nil {
				return err
			}
			s.add(span{start: uint32(pos), end: uint32(end), size: 1, kind: String, escaped: escaped})
			pos = end
			if pos < len(text) && text[pos] != ':' {
				if pos, err = s.space(pos, wantValue); err != nil {
					return err
				}
			}
			if pos >= len(text) || text[pos] != ':' {
				return expectedFound(text, pos, "`:` after the property name "+quote(s.last()))
			}
			pos++
			want = wantValue
			continue
		}
		switch c {
		case '"':
			end, escaped, err := s.str(pos)
			if err != nil {
				return err
			}
			s.add(span{start: uint32(pos), end: uint32(end), size: 1, kind: String, escaped: escaped})
			pos = end
		case '{', '[':
			if len(s.open) == s.depth {
				return syntaxError(text, pos, fmt.Sprintf("expected at most %d lists and objects in each other, found one more", s.depth))
			}
			s.open = append(s.open, uint32(len(s.spans)))
			kind := Array
			want = wantFirstItem
			if inObject = c == '{'; inObject {
				kind = Object
				want = wantFirstName
			}
			s.add(span{start: uint32(pos), kind: kind})
			pos++
			continue
		case ']':
			if want == wantFirstItem || want == wantItem && !s.plain {
				pos++
				inObject = s.close(pos)
				want = wantEnd
				continue
			}
			return s.unexpected(pos, want)
		case 't', 'f', 'n':
			word, kind := "true", Bool
			switch c {
			case 'f':
				word = "false"
			case 'n':
				word, kind = "null", Null
			}
			end := pos + len(word)
			if end > len(text) || string(text[pos:end]) != word || end < len(text) && isWord(text[end]) {
				return s.unexpected(pos, want)
			}
			s.add(span{start: uint32(pos), end: uint32(end), size: 1, kind: kind})
			pos = end
		case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			end, err := s.number(pos)
			if err != nil {
				return err
			}
			s.add(span{start: uint32(pos), end: uint32(end), size: 1, kind: Number})
			pos = end
		default:
			return s.unexpected(pos, want)
		}
		want = wantEnd
	}
}

// add appends a span. When the memory is full, the share of the text that is done says how much the rest will need.
func (s *scanner) add(v span) {
	if len(s.spans) == cap(s.spans) {
		s.grow(int(v.start))
	}
	s.spans = append(s.spans, v)
}

func (s *scanner) grow(pos int) {
	n := len(s.spans)
	want := max(64, n+n/4)
	if n > 0 {
		estimate := float64(n) * float64(len(s.text)) / float64(pos+1) * 1.02
		want = max(want, min(int(estimate), 16*n)) // the beginning may be denser than the rest
	}
	grown := make([]span, n, min(want, len(s.text)+1))
	copy(grown, s.spans)
	s.spans = grown
}

// close ends the innermost container and reports whether the one around it is an object.
func (s *scanner) close(end int) (inObject bool) {
	last := len(s.open) - 1
	at := s.open[last]
	s.spans[at].end = uint32(end)
	s.spans[at].size = uint32(len(s.spans)) - at
	s.open = s.open[:last]
	return last > 0 && s.spans[s.open[last-1]].kind == Object
}

// last gives the bytes of the last span, for messages.
func (s *scanner) last() []byte {
	v := s.spans[len(s.spans)-1]
	return s.text[v.start:v.end]
}

// unexpected makes the error for what stands at pos.
func (s *scanner) unexpected(pos int, want state) error {
	var expected string
	switch want {
	case wantValue:
		expected = "a value"
	case wantFirstItem:
		expected = "a value or `]`"
	case wantItem:
		expected = "a value or `]`"
		if s.plain {
			expected = "a value after the comma"
		}
	case wantFirstName:
		expected = "a property name in quotes or `}`"
	case wantName:
		expected = "a property name in quotes or `}`"
		if s.plain {
			expected = "a property name in quotes after the comma"
		}
	case wantEnd:
		switch {
		case len(s.open) == 0:
			expected = "the end of the file"
		case s.spans[s.open[len(s.open)-1]].kind == Object:
			expected = "`,` or `}`"
		default:
			expected = "`,` or `]`"
		}
		if pos >= len(s.text) {
			open := s.spans[s.open[len(s.open)-1]]
			line, column := position(s.text, int(open.start))
			expected += fmt.Sprintf(" for the `%c` of line %d, column %d", s.text[open.start], line, column)
		}
	}
	return expectedFound(s.text, pos, expected)
}

// space skips white space and comments.
func (s *scanner) space(pos int, want state) (int, error) {
	text := s.text
	for pos < len(text) {
		switch text[pos] {
		case ' ':
			pos++
			for pos+8 <= len(text) && binary.LittleEndian.Uint64(text[pos:]) == 0x2020202020202020 {
				pos += 8
			}
		case '\n', '\r', '\t':
			pos++
		case '/':
			end, err := s.comment(pos, want)
			if err != nil {
				return 0, err
			}
			pos = end
		default:
			return pos, nil
		}
	}
	return pos, nil
}

// comment gives the end of the comment at pos: for one of two slashes the end of its line, or of the file.
func (s *scanner) comment(pos int, want state) (int, error) {
	end, ok := commentEnd(s.text, pos)
	switch {
	case end < 0 || s.plain:
		return 0, s.unexpected(pos, want)
	case !ok:
		return 0, syntaxError(s.text, pos, "expected `*/` at the end of the comment that begins here, found the end of the file")
	}
	return end, nil
}

// commentEnd gives the end of the comment at pos, and whether it is closed; -1 when there is no comment.
func commentEnd(text []byte, pos int) (end int, closed bool) {
	if pos+1 >= len(text) {
		return -1, false
	}
	rest := text[pos+2:]
	switch text[pos+1] {
	case '/':
		if n := bytes.IndexAny(rest, "\r\n"); n >= 0 {
			return pos + 2 + n, true
		}
		return len(text), true
	case '*':
		if n := bytes.Index(rest, []byte("*/")); n >= 0 {
			return pos + 2 + n + 2, true
		}
		return len(text), false
	}
	return -1, false
}

// inString marks the bytes that need no look inside a text.
var inString = func() (plain [256]bool) {
	for c := range plain {
		plain[c] = c >= ' ' && c != '"' && c != '\\'
	}
	return plain
}()

// str gives the end of the text whose quote is at pos.
func (s *scanner) str(pos int) (end int, escaped bool, err error) {
	text := s.text
	for i := pos + 1; i < len(text); {
		c := text[i]
		if inString[c] {
			i++
			continue
		}
		switch {
		case c == '"':
			return i + 1, escaped, nil
		case c == '\\':
			n := escapeLength(text[i:])
			if n == 0 {
				return 0, false, s.escapeError(i)
			}
			escaped = true
			i += n
		case c == '\n' || c == '\r':
			return 0, false, syntaxError(text, pos, "expected `\"` at the end of the text that begins here, found the end of the line")
		default:
			return 0, false, syntaxError(text, i, fmt.Sprintf("expected `\\u%04X` for this character inside a text, found the character itself", c))
		}
	}
	return 0, false, syntaxError(text, pos, "expected `\"` at the end of the text that begins here, found the end of the file")
}

// escapeLength gives the length of the escape at the beginning of text, or 0 when it is none.
func escapeLength(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	switch text[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if len(text) >= 6 {
			if _, ok := hex4(text[2:6]); ok {
				return 6
			}
		}
	}
	return 0
}

// escapeError makes the error for the escape at pos.
func (s *scanner) escapeError(pos int) error {
	rest := s.text[pos:]
	if len(rest) > 1 && rest[1] == 'u' {
		end := 2
		for end < len(rest) && end < 6 && rest[end] >= ' ' && rest[end] < utf8.RuneSelf && rest[end] != '"' {
			end++
		}
		return syntaxError(s.text, pos, "expected `\\u` and four hexadecimal digits, found "+quote(rest[:end]))
	}
	_, n := utf8.DecodeRune(rest[1:])
	shown := quote(rest[:1+n])
	if n == 0 || rest[1] < ' ' {
		shown = "`\\` and " + found(s.text, pos+1)
	}
	return syntaxError(s.text, pos, "expected an escape (`\\\"` `\\\\` `\\/` `\\b` `\\f` `\\n` `\\r` `\\t` `\\u`), found "+shown)
}

// number gives the end of the number at pos.
func (s *scanner) number(pos int) (int, error) {
	text := s.text
	i := pos
	if text[i] == '-' {
		i++
	}
	switch {
	case i < len(text) && text[i] == '0':
		i++
	default:
		n := digits(text, i)
		if n == i {
			return 0, s.numberError(pos, i)
		}
		i = n
	}
	if i < len(text) && text[i] == '.' {
		n := digits(text, i+1)
		if n == i+1 {
			return 0, s.numberError(pos, n)
		}
		i = n
	}
	if i < len(text) && text[i]|0x20 == 'e' {
		i++
		if i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		n := digits(text, i)
		if n == i {
			return 0, s.numberError(pos, i)
		}
		i = n
	}
	if i < len(text) && isWord(text[i]) {
		return 0, s.numberError(pos, i)
	}
	return i, nil
}

// digits gives the end of the digits at i.
func digits(text []byte, i int) int {
	for i < len(text) && text[i]-'0' <= 9 {
		i++
	}
	return i
}

// numberError makes the error for a number that goes wrong at the offset at.
func (s *scanner) numberError(pos, at int) error {
	text := s.text
	if at < len(text) && text[at]-'0' <= 9 {
		return syntaxError(text, pos, "expected a number without leading zeros, found "+found(text, pos))
	}
	if at < len(text) && isWord(text[at]) {
		return syntaxError(text, pos, "expected a number, found "+found(text, pos))
	}
	return expectedFound(text, at, "a digit after "+quote(text[pos:at]))
}
