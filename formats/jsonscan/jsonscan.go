// Package jsonscan reads the tokens of a JSON text one after the other, without keeping the text.
//
// It reads the dialect of package jsondoc (comments, one trailing comma, a byte order mark, at most 64 lists and
// objects in each other, strict numbers, escapes that are well formed), from a reader through a small buffer. Use it to
// look for something in many or large files; use jsondoc to read or edit one. Other than there, bytes that are no
// UTF-8 are an error only inside texts.
//
// Everything before an error has been delivered as tokens when the error comes.
package jsonscan

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"unicode/utf8"

	"talebinder/formats"
	"talebinder/formats/jsondoc"
)

// A Token is what a Scanner finds next.
type Token uint8

// The tokens. Name is the name of a member, whose value is the next token; End comes after the document.
const (
	End Token = iota
	BeginObject
	EndObject
	BeginArray
	EndArray
	Name
	String
	Number
	True
	False
	Null
)

// state is what the scanner expects next.
type state uint8

const (
	wantValue     state = iota // a value
	wantFirstItem              // a value, or the end of the list
	wantItem                   // after a comma: a value, or the end of the list
	wantFirstName              // a name, or the end of the object
	wantName                   // after a comma: a name, or the end of the object
	wantColon                  // a colon, then a value
	wantEnd                    // after a value: a comma, or the end of the list, object or document
)

var wanted = [...]string{
	wantValue:     "a value",
	wantFirstItem: "a value or `]`",
	wantItem:      "a value or `]`",
	wantFirstName: "a name or `}`",
	wantName:      "a name or `}`",
	wantColon:     "`:` after the name",
}

// bufferSize is the part of the text that is kept; a longer token makes the buffer grow.
const bufferSize = 64 << 10

// A Scanner reads one text after the other; its zero value is ready for Reset. It must not be used by several
// goroutines at once.
type Scanner struct {
	r   io.Reader
	buf []byte // up to end it holds text; there is always room for one more byte
	end int
	at  int // where the scanner stands
	eof bool

	base    int64 // offset of buf[0] in the text
	start   int   // start of the current token, without its quote, or of what is being read
	stop    int   // end of the current token, without its quote
	quote   int   // 1 when a quote stands before start
	escaped bool

	want    state
	depth   int
	objects uint64 // for each open list or object, the innermost in the lowest bit, whether it is an object
	err     error
}

// Reset begins with another text.
func (s *Scanner) Reset(r io.Reader) {
	if len(s.buf) != bufferSize { // none yet, or grown by a long token
		s.buf = make([]byte, bufferSize)
	}
	*s = Scanner{r: r, buf: s.buf}
	for s.end < 3 && s.more() {
	}
	if s.end >= 3 && string(s.buf[:3]) == "\uFEFF" {
		s.at, s.start = 3, 3
	}
}

// Offset gives the byte offset at which the current token begins: that of the quote for a Name or String.
func (s *Scanner) Offset() int64 { return s.base + int64(s.start-s.quote) }

// Raw gives the bytes of a Name or String between its quotes, or those of a Number. They are valid until Next.
func (s *Scanner) Raw() []byte { return s.buf[s.start:s.stop] }

// Escaped reports whether Raw contains escapes.
func (s *Scanner) Escaped() bool { return s.escaped }

// Text gives what a Name or String says. Half of a surrogate pair reads as U+FFFD.
func (s *Scanner) Text() string {
	if !s.escaped {
		return string(s.Raw())
	}
	// A member's name is read leniently, a text is not.
	doc, err := jsondoc.Parse(fmt.Appendf(nil, `{"%s":0}`, s.Raw()))
	if err != nil {
		return ""
	}
	for name := range doc.Root().Members() {
		return name
	}
	return ""
}

// Next gives the next token. The error is a *formats.Fault with the offset, or that of the reader; it stays.
func (s *Scanner) Next() (Token, error) {
	if s.err != nil {
		return End, s.err
	}
	t, err := s.next()
	if err != nil {
		s.err = err
	}
	return t, err
}

func (s *Scanner) next() (Token, error) {
	for {
		c, err := s.space()
		if err != nil {
			return End, err
		}
		s.start = s.at
		s.stop = s.at
		if s.at == s.end {
			if s.want == wantEnd && s.depth == 0 {
				return End, nil
			}
			return End, s.unexpected()
		}
		switch s.want {
		case wantColon:
			if c != ':' {
				return End, s.unexpected()
			}
			s.at++
			s.want = wantValue
			continue
		case wantEnd:
			switch {
			case s.depth == 0:
				return End, s.unexpected()
			case c == ',':
				s.at++
				s.want = wantItem
				if s.objects&1 == 1 {
					s.want = wantName
				}
				continue
			case c == '}' && s.objects&1 == 1:
				return s.close(EndObject), nil
			case c == ']' && s.objects&1 == 0:
				return s.close(EndArray), nil
			}
			return End, s.unexpected()
		case wantFirstName, wantName:
			if c == '}' {
				return s.close(EndObject), nil
			}
			if c != '"' {
				return End, s.unexpected()
			}
			s.want = wantColon
			return Name, s.text()
		}
		switch {
		case c == '"':
			s.want = wantEnd
			return String, s.text()
		case c == '{':
			s.want = wantFirstName
			return BeginObject, s.open(1)
		case c == '[':
			s.want = wantFirstItem
			return BeginArray, s.open(0)
		case c == ']' && s.want != wantValue:
			return s.close(EndArray), nil
		case c == '-' || c-'0' <= 9:
			s.want = wantEnd
			return Number, s.number()
		case c == 't':
			return True, s.word("true")
		case c == 'f':
			return False, s.word("false")
		case c == 'n':
			return Null, s.word("null")
		}
		return End, s.unexpected()
	}
}

func (s *Scanner) open(object uint64) error {
	if s.depth == jsondoc.MaxDepth {
		return formats.Damaged("JSON", s.Offset(), fmt.Sprintf("a list or object inside %d others", jsondoc.MaxDepth), "less nesting")
	}
	s.at++
	s.depth++
	s.objects = s.objects<<1 | object
	return nil
}

func (s *Scanner) close(t Token) Token {
	s.at++
	s.depth--
	s.objects >>= 1
	s.want = wantEnd
	return t
}

// more reads on, keeping what stands from start on. It reports false at the end of the text and after an error.
func (s *Scanner) more() bool {
	if s.eof || s.err != nil {
		return false
	}
	if s.start > 0 {
		copy(s.buf, s.buf[s.start:s.end])
		s.base += int64(s.start)
		s.at -= s.start
		s.end -= s.start
		s.start = 0
	}
	if s.end == len(s.buf)-1 {
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
	for range 100 {
		n, err := s.r.Read(s.buf[s.end : len(s.buf)-1])
		s.end += n
		s.eof = err == io.EOF
		if err != nil && err != io.EOF {
			s.err = err
		}
		if n > 0 || err != nil {
			return n > 0
		}
	}
	s.err = io.ErrNoProgress
	return false
}

// space passes white space and comments and gives the byte after it.
func (s *Scanner) space() (byte, error) {
	const spaces = 0x2020202020202020
	s.quote = 0
	for {
		for s.at < s.end {
			switch c := s.buf[s.at]; c {
			case ' ':
				s.at++
				for s.at+8 <= s.end {
					if other := binary.LittleEndian.Uint64(s.buf[s.at:]) ^ spaces; other != 0 {
						s.at += bits.TrailingZeros64(other) / 8
						break
					}
					s.at += 8
				}
			case '\n', '\r', '\t':
				s.at++
			case '/':
				s.start = s.at
				if err := s.comment(); err != nil {
					return 0, err
				}
			default:
				return c, nil
			}
		}
		s.start = s.at
		if !s.more() {
			return 0, s.err
		}
	}
}

// peek gives the byte n bytes after at, or 0 at the end of the text.
func (s *Scanner) peek(n int) byte {
	for s.at+n >= s.end {
		if !s.more() {
			return 0
		}
	}
	return s.buf[s.at+n]
}

// comment passes a comment, of which only the part in the buffer is kept.
func (s *Scanner) comment() error {
	begin := s.Offset()
	switch s.peek(1) {
	case '/':
		for s.at += 2; ; s.at++ {
			if s.at == s.end {
				if s.start = s.at; !s.more() {
					return s.err
				}
			}
			if c := s.buf[s.at]; c == '\n' || c == '\r' {
				return nil
			}
		}
	case '*':
		for s.at += 2; ; s.at++ {
			s.start = s.at
			c, next := s.peek(0), s.peek(1)
			if s.at+1 >= s.end {
				return s.failed(formats.Damaged("JSON", begin, "a comment without an end", "`*/` before the end of the file"))
			}
			if c == '*' && next == '/' {
				s.at += 2
				return nil
			}
		}
	}
	return s.failed(s.unexpected())
}

// failed gives the reader's error, if there is one, else err.
func (s *Scanner) failed(err error) error {
	if s.err != nil {
		return s.err
	}
	return err
}

// text passes a text in quotes and leaves start and stop at its inside.
func (s *Scanner) text() error {
	const (
		ones      = 0x0101010101010101
		highs     = 0x8080808080808080
		quotes    = '"' * ones
		backslash = '\\' * ones
	)
	s.escaped = false
	plain := true // ASCII only
	at := s.at + 1
	for {
		for at+8 <= s.end {
			// Finds the first byte that is a quote, a backslash, a control character or not ASCII.
			x := binary.LittleEndian.Uint64(s.buf[at:])
			q, b := x^quotes, x^backslash
			special := ((q - ones) &^ q) | ((b - ones) &^ b) | (x - ' '*ones) | x
			if special &= highs; special != 0 {
				at += bits.TrailingZeros64(special) / 8
				break
			}
			at += 8
		}
		if at == s.end {
			length := at - s.start
			s.at = at
			if !s.more() {
				return s.failed(formats.Damaged("JSON", s.base+int64(s.start), "a text without an end", "`\"` before the end of the file"))
			}
			at = s.start + length
			continue
		}
		switch c := s.buf[at]; {
		case c == '"':
			s.start++
			s.quote = 1
			s.stop = at
			s.at = at + 1
			if !plain && !utf8.Valid(s.buf[s.start:s.stop]) {
				return formats.Damaged("JSON", s.Offset(), "a text that is not UTF-8", "UTF-8")
			}
			return nil
		case c == '\\':
			s.at = at
			n := s.escape()
			if n == 0 {
				return s.failed(formats.Damaged("JSON", s.base+int64(s.at), "a backslash that begins no escape", "an escape such as `\\n` or `\\u00E9`"))
			}
			s.escaped = true
			at = s.at + n
		case c < ' ':
			return formats.Damaged("JSON", s.base+int64(at), fmt.Sprintf("the character U+%04X inside a text", c), fmt.Sprintf("`\\u%04X`", c))
		default:
			plain = plain && c < utf8.RuneSelf
			at++
		}
	}
}

// escape gives the length of the escape at the position, or 0.
func (s *Scanner) escape() int {
	switch s.peek(1) {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		for i := range 4 {
			if c := s.peek(2 + i); c-'0' > 9 && c|0x20-'a' > 5 {
				return 0
			}
		}
		return 6
	}
	return 0
}

// number passes a number.
func (s *Scanner) number() error {
	n := 0
	digits := func() bool {
		first := n
		for s.peek(n)-'0' <= 9 {
			n++
		}
		return n > first
	}
	if s.peek(n) == '-' {
		n++
	}
	ok := true
	if s.peek(n) == '0' {
		n++
	} else {
		ok = digits()
	}
	if ok && s.peek(n) == '.' {
		n++
		ok = digits()
	}
	if ok && s.peek(n)|0x20 == 'e' {
		n++
		if c := s.peek(n); c == '+' || c == '-' {
			n++
		}
		ok = digits()
	}
	if next := s.peek(n); !ok || isWord(next) {
		return s.failed(formats.Damaged("JSON", s.Offset(), "a number that goes wrong", "digits, optionally with a fraction and an exponent"))
	}
	if s.err != nil {
		return s.err
	}
	s.at += n
	s.stop = s.at
	return nil
}

// isWord reports whether a byte continues a number or a word, so that there is no end.
func isWord(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || c-'0' <= 9 || c == '.' || c == '+' || c == '-' || c == '_'
}

// word passes true, false or null.
func (s *Scanner) word(word string) error {
	s.want = wantEnd
	for i := range len(word) {
		if s.peek(i) != word[i] {
			return s.failed(formats.Damaged("JSON", s.Offset(), "a word that is no value", "`"+word+"`"))
		}
	}
	if isWord(s.peek(len(word))) {
		return s.failed(formats.Damaged("JSON", s.Offset(), "a word that is no value", "`"+word+"`"))
	}
	if s.err != nil {
		return s.err
	}
	s.at += len(word)
	s.stop = s.at
	return nil
}

// unexpected makes the error for what stands at the position.
func (s *Scanner) unexpected() error {
	expected := ""
	switch {
	case s.want != wantEnd:
		expected = wanted[s.want]
	case s.depth == 0:
		expected = "the end of the file"
	case s.objects&1 == 1:
		expected = "`,` or `}`"
	default:
		expected = "`,` or `]`"
	}
	found := "the end of the file"
	if s.at < s.end {
		s.peek(utf8.UTFMax - 1) // the whole character
		r, n := utf8.DecodeRune(s.buf[s.at:s.end])
		if found = fmt.Sprintf("`%c`", r); r == utf8.RuneError && n == 1 {
			found = fmt.Sprintf("the byte 0x%02X", s.buf[s.at])
		}
	}
	return formats.Damaged("JSON", s.base+int64(s.at), found, expected)
}
