package charlist

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"talebinder/formats"
)

// ParseJSON reads the JSON form. The error is an *Error; a text without problems can still be a list of which the game makes
// less than it says, which is for the caller to look at.
func ParseJSON(text []byte) (*List, error) {
	if len(text) > MaxJSON {
		return nil, &Error{Position: -1, Err: &formats.LimitError{What: "the size of the list", Value: int64(len(text)), Max: MaxJSON, Unit: "bytes"}}
	}
	if len(text) == 0 {
		return nil, damaged(-1, "a file of 0 bytes", fmt.Sprintf("a character list of 1 to %d bytes", MaxJSON))
	}
	p := &parser{s: scanner{text: text}}
	list, err := p.parse()
	if err != nil {
		return nil, p.located(err)
	}
	return list, nil
}

// parser takes a list out of a text whose syntax has been checked.
type parser struct {
	s  scanner
	at int // the place of what is being looked at
}

// located puts the place into an error.
func (p *parser) located(err error) error {
	var syntax *syntaxError
	if errors.As(err, &syntax) {
		p.at = syntax.at
		err = damaged(-1, "the list is not valid JSON: "+syntax.problem, "")
	}
	var e *Error
	if errors.As(err, &e) {
		e.Line, e.Column = place(p.s.text, p.at)
	}
	return err
}

func (p *parser) parse() (*List, error) {
	s := &p.s
	if err := s.document(); err != nil {
		return nil, err
	}
	p.at = s.at
	if k, _ := s.kind(); k != kindObject {
		return nil, damaged(-1, "the list is "+kindWords[k], "an object with CellWidth, CellHeight, Columns and Characters")
	}
	object := s.at
	var values [len(fields)]int // where they stand; 0 for those that are absent
	characters := 0
	err := s.members(func(raw []byte) error {
		name := unescape(raw)
		if string(name) == "Characters" {
			characters = s.at
		}
		for i, f := range fields {
			if string(name) == f.name {
				values[i] = s.at
			}
		}
		return s.skip(1)
	})
	if err != nil {
		return nil, err
	}
	list := &List{}
	for i, f := range fields {
		if values[i] = p.present(values[i]); values[i] == 0 {
			continue
		}
		v, err := p.number(values[i], f.name, -1, f.min, f.max)
		if err != nil {
			return nil, err
		}
		*f.in(list) = int(v)
	}
	p.at = object
	for _, f := range fields[:3] {
		if *f.in(list) == 0 {
			return nil, damaged(-1, f.name+" is missing", "CellWidth, CellHeight and Columns, the layout of the grid image")
		}
	}
	if list.LineHeight == 0 {
		list.LineHeight = list.CellHeight
	}
	if characters = p.present(characters); characters == 0 {
		return nil, noCharacters()
	}
	if err := p.characters(list, characters); err != nil {
		return nil, err
	}
	const first, count = 5, 6 // of fields
	if values[first] == 0 && list.Characters[0].Code < rangeEnd {
		list.ASCIIFirst = int(list.Characters[0].Code)
	}
	if values[count] == 0 {
		list.ASCIICount = list.rangeLength()
	}
	p.at = max(values[first], values[count], object)
	if err := list.checkRange(); err != nil {
		var e *Error
		if errors.As(err, &e) && e.Position >= 0 {
			p.at = p.nth(characters, e.Position)
		}
		return nil, err
	}
	return list, nil
}

// present gives the offset of a value, or 0 when it is absent or null.
func (p *parser) present(at int) int {
	if at > 0 {
		p.s.at = at
		if k, _ := p.s.kind(); k == kindNull {
			return 0
		}
	}
	return at
}

func (p *parser) number(at int, name string, position int, low, high int64) (int64, error) {
	p.at, p.s.at = at, at
	v, ok := p.s.integer()
	if !ok {
		return 0, damaged(position, name+" is not a number", fmt.Sprintf("%d to %d", low, high))
	}
	if v < low || v > high {
		return 0, outOfRange(name, position, v, low, high)
	}
	return v, nil
}

// characters takes the characters from the array at an offset.
func (p *parser) characters(list *List, array int) error {
	p.at, p.s.at = array, array
	if k, _ := p.s.kind(); k != kindArray {
		return damaged(-1, "Characters is "+kindWords[k], "an array with an object for each cell of the image")
	}
	err := p.s.items(func() error {
		c, err := p.character(len(list.Characters))
		list.Characters = append(list.Characters, c)
		return err
	})
	if err == nil && len(list.Characters) == 0 {
		return noCharacters()
	}
	return err
}

// nth gives the offset of an item of the array at an offset.
func (p *parser) nth(array, n int) int {
	found := array
	p.s.at = array
	_ = p.s.items(func() error {
		if n == 0 {
			found = p.s.at
		}
		n--
		return p.s.skip(1)
	})
	return found
}

// character reads the object that the scanner stands at, and passes it.
func (p *parser) character(position int) (Character, error) {
	s := &p.s
	start := s.at
	p.at = start
	if k, _ := s.kind(); k != kindObject {
		return Character{}, damaged(position, "found "+kindWords[k], "an object with Char, Codepoint or Fallback, and Advance")
	}
	var fallback, char, codepoint, advance int
	err := s.members(func(raw []byte) error {
		switch string(unescape(raw)) {
		case "Fallback":
			fallback = s.at
		case "Char":
			char = s.at
		case "Codepoint":
			codepoint = s.at
		case "Advance":
			advance = s.at
		}
		return s.skip(1)
	})
	if err != nil {
		return Character{}, err
	}
	end := s.at
	defer func() { s.at = end }()
	var isFallback bool
	if fallback = p.present(fallback); fallback > 0 {
		if isFallback, err = p.truth(fallback, position); err != nil {
			return Character{}, err
		}
	}
	var text []byte
	if char = p.present(char); char > 0 {
		p.at, s.at = char, char
		if k, _ := s.kind(); k != kindString {
			return Character{}, damaged(position, "Char is "+kindWords[k], "a text of one character")
		}
		raw, err := s.quoted()
		if err != nil {
			return Character{}, err
		}
		text = unescape(raw)
	}
	var code int64
	if codepoint = p.present(codepoint); codepoint > 0 {
		p.at, s.at = codepoint, codepoint
		const highest = 1<<32 - 1
		ok := false
		if code, ok = s.integer(); !ok || code < 0 || code > highest {
			return Character{}, damaged(position, "Codepoint is not a code point", fmt.Sprintf("a number from 0 to %d", highest))
		}
	}
	c := Character{Code: uint32(code)}
	switch {
	case isFallback:
		c.Code = Fallback
	case char > 0:
		p.at = char
		if len(text) == 0 {
			return Character{}, damaged(position, "Char is empty", "a text of one character")
		}
		code, size := decodeCode(text)
		if size != len(text) {
			return Character{}, damaged(position, fmt.Sprintf("Char is %s, which is not one character", strconv.QuoteToGraphic(shortened(text))),
				"one character; a letter with a combining mark behind it is two")
		}
		c.Code = code
	case codepoint == 0:
		p.at = start
		return Character{}, damaged(position, "nothing says which character it is", "Char, Codepoint or Fallback")
	}
	p.at = start
	if advance = p.present(advance); advance == 0 {
		return Character{}, damaged(position, "Advance is missing", fmt.Sprintf("how far the pen moves, 0 to %d pixels", MaxAdvance))
	}
	moved, err := p.number(advance, "Advance", position, 0, MaxAdvance)
	c.Advance = uint8(moved)
	return c, err
}

// truth reads true, false, or a number that is not 0.
func (p *parser) truth(at, position int) (bool, error) {
	p.at, p.s.at = at, at
	k, err := p.s.kind()
	if err != nil {
		return false, err
	}
	switch k {
	case kindTrue, kindFalse:
		return k == kindTrue, nil
	case kindNumber:
		text, err := p.s.number()
		if err != nil {
			return false, err
		}
		// A number too large for 64 bits is an infinity, and that is not 0 either.
		v, _ := strconv.ParseFloat(text, 64)
		return v != 0, nil
	}
	return false, damaged(position, "Fallback is "+kindWords[k], "true or false")
}

// shortened keeps an error message readable.
func shortened(text []byte) string {
	const most = 20
	if len(text) <= most {
		return string(text)
	}
	return string(bytes.ToValidUTF8(text[:most], nil)) + "…"
}

// JSON gives the JSON form: UTF-8 without byte order mark, tabs, a character a line, a line feed at the end.
func (l *List) JSON() []byte {
	out := make([]byte, 0, 256+40*len(l.Characters))
	out = append(out, "{\n"...)
	for _, f := range fields {
		out = fmt.Appendf(out, "\t%q: %d,\n", f.name, *f.in(l))
	}
	out = append(out, "\t\"Characters\": [\n"...)
	for i, c := range l.Characters {
		out = append(out, "\t\t{ "...)
		switch {
		case c.Code == Fallback:
			out = append(out, `"Fallback": true`...)
		case c.Code < 0x20, c.Code >= 0x7F && c.Code < 0xA0, isSurrogate(c.Code), c.Code > maxUnicode:
			out = append(out, `"Codepoint": `...)
			out = strconv.AppendUint(out, uint64(c.Code), 10)
		default:
			out = append(out, `"Char": "`...)
			if c.Code == '"' || c.Code == '\\' {
				out = append(out, '\\')
			}
			out = appendCode(out, c.Code)
			out = append(out, '"')
		}
		out = append(out, `, "Advance": `...)
		out = strconv.AppendUint(out, uint64(c.Advance), 10)
		out = append(out, " }"...)
		if i+1 < len(l.Characters) {
			out = append(out, ',')
		}
		out = append(out, '\n')
	}
	return append(out, "\t]\n}\n"...)
}
