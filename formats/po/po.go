// Package po reads translations in the form of gettext, the files that end in .po.
//
//	# a comment; "#," holds flags such as fuzzy, "#~" an entry that is no longer used
//	msgctxt "menu"               optional, tells the same text in two places apart
//	msgid "%d letter"            the text to translate
//	msgid_plural "%d letters"    optional
//	msgstr[0] "%d list"          the translation, one for each plural form; msgstr without a number when there is no plural
//	"goes on here"               texts go on in the lines below
//
// The entry with an empty msgid is the header, whose translation holds lines such as "Content-Type: text/plain; charset=UTF-8".
// Texts have the escapes of C: \n \t \r \a \b \f \v \\ \" \? \', up to three octal digits, and \x with hexadecimal ones. Only files in UTF-8 (or
// ASCII) are read.
package po

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"talebinder/formats"
)

// MaxForms bounds the number of a plural form; languages have six at most.
const MaxForms = 99

// An Error says where a file is wrong. It wraps formats.ErrDamaged, or formats.ErrUnsupported for another character set.
type Error struct {
	Line    int // from 1
	Message string
	Err     error
}

// Error gives the message; the name of the file and the line are for the caller to add.
func (e *Error) Error() string { return e.Message }

// Unwrap gives the kind.
func (e *Error) Unwrap() error { return e.Err }

// A Translation is one msgstr.
type Translation struct {
	Form int // of the plural, or 0
	Text string
	Line int // where it begins, from 1
}

// An Entry is a text with its translations.
type Entry struct {
	Line         int // of its first line that is no comment, from 1
	Context      string
	HasContext   bool
	ID, Plural   string
	Translations []Translation
	Fuzzy        bool // translated by a guess that nobody has looked at
}

// Header says whether the entry is the file's header.
func (e *Entry) Header() bool { return e.ID == "" && !e.HasContext }

// Parse reads a file. The header is the entry for which Header is true. Entries that are no longer used are passed over.
func Parse(text []byte) ([]Entry, error) {
	p := parser{}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	for len(text) > 0 {
		var row []byte
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			row, text = text[:i], text[i+1:]
		} else {
			row, text = text, nil
		}
		p.line++
		if err := p.row(string(bytes.TrimSpace(row))); err != nil {
			return nil, err
		}
	}
	if err := p.flush(); err != nil {
		return nil, err
	}
	return p.entries, nil
}

// part is what a text belongs to.
type part uint8

const (
	none part = iota
	context
	id
	plural
	translation
)

var partWords = [...]string{"nothing", "msgctxt", "msgid", "msgid_plural", "msgstr"}

type parser struct {
	line    int
	entry   Entry
	at      part
	text    strings.Builder
	open    bool // a text has not been closed
	started int  // line of the text
	form    int
	fuzzy   bool // flags of the entry that is to come
	entries []Entry
}

func (p *parser) damaged(line int, format string, args ...any) error {
	return &Error{line, fmt.Sprintf(format, args...), formats.ErrDamaged}
}

func (p *parser) row(row string) error {
	switch {
	case row == "":
		return nil
	case strings.HasPrefix(row, "#"):
		if flags, ok := strings.CutPrefix(row, "#,"); ok {
			for _, flag := range strings.Split(flags, ",") {
				p.fuzzy = p.fuzzy || strings.TrimSpace(flag) == "fuzzy"
			}
		}
		return nil
	case row[0] == '"':
		if p.at == none {
			return p.damaged(p.line, "a text belongs to nothing, expected msgid before it")
		}
		return p.add(row)
	}
	end := strings.IndexAny(row, " \t\"")
	if end < 0 {
		return p.damaged(p.line, "%.40q has no text behind it", row)
	}
	word, rest := row[:end], strings.TrimLeft(row[end:], " \t")
	if err := p.close(); err != nil {
		return err
	}
	next, form := none, 0
	switch word {
	case "msgctxt":
		next = context
	case "msgid":
		next = id
	case "msgid_plural":
		next = plural
	case "msgstr":
		next = translation
	default:
		digits, ok := strings.CutPrefix(word, "msgstr[")
		if digits, ok = strings.CutSuffix(digits, "]"); ok && strings.HasPrefix(word, "msgstr[") {
			n, err := strconv.Atoi(digits)
			if err != nil || n < 0 || n > MaxForms {
				return p.damaged(p.line, "%.40q is no plural form, expected msgstr[0] to msgstr[%d]", word, MaxForms)
			}
			next, form = translation, n
			break
		}
		return p.damaged(p.line, "%.40q is unknown, expected msgctxt, msgid, msgid_plural or msgstr", word)
	}
	if err := p.begin(next, form); err != nil {
		return err
	}
	return p.add(rest)
}

// begin starts a part, and an entry where one begins.
func (p *parser) begin(next part, form int) error {
	begins := next == context || next == id && p.entry.Line != 0 && p.at != context || p.entry.Line == 0
	if begins {
		if err := p.flush(); err != nil {
			return err
		}
		p.entry = Entry{Line: p.line, Fuzzy: p.fuzzy}
		p.fuzzy = false
	}
	if next == plural && p.at != id || next == translation && p.at < id {
		return p.damaged(p.line, "%s follows %s, expected msgid before it", partWords[next], partWords[p.at])
	}
	if next == translation {
		for _, t := range p.entry.Translations {
			if t.Form == form {
				return p.damaged(p.line, "the text of line %d is translated twice", p.entry.Line)
			}
		}
	}
	p.at, p.form, p.started, p.open = next, form, p.line, true
	p.entry.HasContext = p.entry.HasContext || next == context
	return nil
}

// close ends the text of a part.
func (p *parser) close() error {
	if !p.open {
		return nil
	}
	p.open = false
	text := p.text.String()
	p.text.Reset()
	if !utf8.ValidString(text) {
		return p.damaged(p.started, "the text is no UTF-8; save the file in UTF-8")
	}
	switch p.at {
	case context:
		p.entry.Context = text
	case id:
		p.entry.ID = text
	case plural:
		p.entry.Plural = text
	case translation:
		p.entry.Translations = append(p.entry.Translations, Translation{p.form, text, p.started})
	}
	return nil
}

// flush ends an entry.
func (p *parser) flush() error {
	if p.entry.Line == 0 {
		return nil
	}
	if err := p.close(); err != nil {
		return err
	}
	if p.at < id {
		return p.damaged(p.entry.Line, "a msgctxt without msgid")
	}
	if p.entry.Header() {
		for _, t := range p.entry.Translations {
			if err := charset(t); err != nil {
				return err
			}
		}
	}
	p.entries = append(p.entries, p.entry)
	p.entry, p.at = Entry{}, none
	return nil
}

// charset refuses a file whose texts are not in UTF-8. CHARSET is what a template says.
func charset(header Translation) error {
	for _, row := range strings.Split(header.Text, "\n") {
		name, value, _ := strings.Cut(row, ":")
		if !strings.EqualFold(strings.TrimSpace(name), "Content-Type") {
			continue
		}
		_, set, ok := strings.Cut(strings.ToLower(value), "charset=")
		switch set = strings.TrimSpace(set); {
		case !ok, set == "utf-8", set == "utf8", set == "us-ascii", set == "ascii", set == "charset":
		default:
			return &Error{header.Line, fmt.Sprintf("the character set is %.40s, expected UTF-8; save the file in UTF-8", set), formats.ErrUnsupported}
		}
	}
	return nil
}

// add takes a quoted text up.
func (p *parser) add(quoted string) error {
	if len(quoted) < 2 || quoted[0] != '"' {
		return p.damaged(p.line, "%.40q is no text in quotes", quoted)
	}
	for i := 1; i < len(quoted); {
		c := quoted[i]
		switch c {
		case '"':
			if i != len(quoted)-1 {
				return p.damaged(p.line, "there is more behind the closing quote: %.40q", quoted[i+1:])
			}
			return nil
		case '\\':
			n, err := p.escape(quoted[i+1:])
			if err != nil {
				return err
			}
			i += 1 + n
		default:
			p.text.WriteByte(c)
			i++
		}
	}
	return p.damaged(p.line, "the closing quote is missing")
}

// escape takes up what stands behind a backslash and says how long it is.
func (p *parser) escape(s string) (int, error) {
	if s == "" {
		return 0, p.damaged(p.line, "the closing quote is missing")
	}
	const from, to = `ntrabfv\"?'`, "\n\t\r\a\b\f\v\\\"?'"
	if i := strings.IndexByte(from, s[0]); i >= 0 {
		p.text.WriteByte(to[i])
		return 1, nil
	}
	number := func(digits string, base, start, most int) (int, error) {
		end := start
		for end < len(s) && end < start+most && strings.IndexByte(digits, lower(s[end])) >= 0 {
			end++
		}
		v, err := strconv.ParseUint(s[start:end], base, 8)
		if err != nil {
			return 0, p.damaged(p.line, `"\\%.4s" is no byte`, s)
		}
		p.text.WriteByte(byte(v))
		return end, nil
	}
	switch {
	case s[0] == 'x':
		return number("0123456789abcdef", 16, 1, 2)
	case s[0] >= '0' && s[0] <= '7':
		return number("01234567", 8, 0, 3)
	}
	return 0, p.damaged(p.line, `the escape "\\%c" is unknown`, []rune(s)[0])
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
