package jsondoc

import (
	"bytes"
	"fmt"
)

// A style is how a list or object and its surroundings are laid out.
type style struct {
	lineEnd   string // "\n" or "\r\n"
	unit      string // one step of indentation
	colon     string // between name and value
	separator string // between a comma and what follows on the line
	padding   string // inside the braces of an object of one line
}

// style finds the layout of v: its own, else that of the containers around it, else the usual one.
func (d *Doc) style(v Value) style {
	s := style{lineEnd: "\n", unit: "  ", colon: ": ", separator: " "}
	for _, text := range [][]byte{v.Raw(), d.text} {
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			if i > 0 && text[i-1] == '\r' {
				s.lineEnd = "\r\n"
			}
			break
		}
	}
	var unit, colon, separator, padding bool
	for c := v; c.Exists() && !(unit && colon && separator && padding); c = d.parent(c) {
		entries := c.entries()
		if len(entries) == 0 {
			continue
		}
		first := entries[0]
		if line, own := lineStart(d.text, first.start); own && !unit {
			indent := d.text[line:first.start]
			if rest, ok := bytes.CutPrefix(indent, []byte(d.lineIndent(c.Start()))); ok {
				s.unit, unit = string(rest), true
			}
		}
		if c.Kind() == Object {
			if !colon {
				between := d.text[d.spans[first.name].end:d.spans[first.value].start]
				if len(bytes.Trim(between, " \t:")) == 0 {
					s.colon, colon = string(between), true
				}
			}
			if !padding {
				if from := c.Start() + 1; !hasLineEnd(c.Raw()) {
					s.padding, padding = string(d.text[from:skipBlanks(d.text, from)]), true
				}
			}
		}
		if !separator && len(entries) > 1 {
			if comma := c.tailOf(entries, 0).comma + 1; comma > 0 {
				if end := skipBlanks(d.text, comma); d.text[end] != '\n' && d.text[end] != '\r' {
					s.separator, separator = string(d.text[comma:end]), true
				}
			}
		}
	}
	if colon && !separator && s.colon == ":" {
		s.separator = ""
	}
	return s
}

// layOut checks that raw is one value and gives it with the document's line ends and indentation. Indent is the
// indentation of the line on which it begins. Text of one line stays as it is. With oneLine it becomes one line, unless a
// comment needs the end of its line.
func (d *Doc) layOut(raw []byte, s style, indent string, oneLine bool) ([]byte, error) {
	value, err := ParseOptions(raw, d.options)
	if err != nil {
		return nil, fmt.Errorf("new value: %w", err)
	}
	text := value.Root().Raw()
	if bytes.IndexByte(text, '\n') < 0 {
		return text, nil
	}
	oneLine = oneLine && !value.hasSlashes()
	dst := make([]byte, 0, len(text)+len(text)/4)
	depth := 0
	for pos := 0; pos < len(text); {
		c := text[pos]
		end := pos + 1
		switch c {
		case '"':
			end = stringEnd(text, pos)
		case '/':
			end, _ = commentEnd(text, pos)
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ' ', '\t', '\r', '\n':
			for end < len(text) && (text[end] == ' ' || text[end] == '\t' || text[end] == '\r' || text[end] == '\n') {
				end++
			}
			lines := bytes.Count(text[pos:end], []byte{'\n'})
			if lines == 0 {
				break
			}
			before, after := text[pos-1], text[end]
			if oneLine {
				switch {
				case before == '{' || after == '}':
					dst = append(dst, s.padding...)
				case before == '[' || after == ']':
				default:
					dst = append(dst, s.separator...)
				}
				pos = end
				continue
			}
			steps := depth
			if after == '}' || after == ']' {
				steps--
			}
			dst = append(dst, bytes.Repeat([]byte(s.lineEnd), lines)...)
			dst = append(dst, indent...)
			dst = append(dst, bytes.Repeat([]byte(s.unit), steps)...)
			pos = end
			continue
		}
		dst = append(dst, text[pos:end]...)
		pos = end
	}
	return dst, nil
}

// stringEnd gives the end of the text whose quote is at pos.
func stringEnd(text []byte, pos int) int {
	for pos++; text[pos] != '"'; pos++ {
		if text[pos] == '\\' {
			pos++
		}
	}
	return pos + 1
}

// hasSlashes reports whether the document has a comment of two slashes.
func (d *Doc) hasSlashes() bool {
	for pos := 0; pos < len(d.text); {
		switch d.text[pos] {
		case '"':
			pos = stringEnd(d.text, pos)
		case '/':
			if d.text[pos+1] == '/' {
				return true
			}
			pos, _ = commentEnd(d.text, pos)
		default:
			pos++
		}
	}
	return false
}
