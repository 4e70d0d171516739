// Package jsondoc reads, edits and writes JSON texts without losing anything: comments, order, spacing, line ends and
// the text of numbers stay byte for byte outside the value that is edited.
//
// # Format
//
// The texts are those of Talesmith's files: JSON of RFC 8259 in UTF-8, with these rules.
//
//	comments          // to the end of the line or file, and /* */; anywhere between tokens   (refused with Options.Plain)
//	trailing commas   one, after the last item or member                                      (refused with Options.Plain)
//	byte order mark   accepted at the beginning, and kept
//	depth             at most 64 lists and objects in each other (Options.MaxDepth)
//	encoding          invalid UTF-8 is refused everywhere, in comments too
//	numbers           the strict grammar of JSON; the text is kept whatever its size
//	repeated names    accepted, the last one counts
//	texts             an escaped surrogate without partner is accepted, but reading that text is an error
//	size              below 4 GiB
//	line ends         LF and CRLF alike
//
// # Memory and speed
//
// Parse goes over the text once and keeps it with a flat array of spans, 16 bytes for each value and each name: where
// it begins and ends, its kind, and the number of spans in its subtree, so that a walk can step over it. Nothing is
// decoded before it is asked for. The nesting of a text costs neither stack nor time: a text of nothing but opening brackets
// is refused at the 65th.
//
// # Edits
//
// The methods of Value make an Edit each (a range of bytes and what replaces them), and Doc.Apply makes the new
// document. What is inserted takes its line ends, indentation and spacing from the object or list that it goes to; what is
// removed leaves no stray comma and no empty line.
//
// # Writing
//
// Writer, AppendString and AppendFloat32 give the text that the engine itself would write.
package jsondoc

import (
	"bytes"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Kind is the kind of a value.
type Kind uint8

// The kinds of a Value. Missing is the kind of a value that is not there.
const (
	Missing Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// String names the kind as messages do: "a text", "a list".
func (k Kind) String() string {
	switch k {
	case Missing:
		return "nothing"
	case Null:
		return "null"
	case Bool:
		return "a boolean"
	case Number:
		return "a number"
	case String:
		return "a text"
	case Array:
		return "a list"
	case Object:
		return "an object"
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}

// A span is a value's place in the text. The spans of a document stand in document order: a container is followed by
// what it contains, a member by its name and then its value.
type span struct {
	start, end uint32 // byte offsets in the whole text; the quotes of a text and the brackets of a container included
	size       uint32 // spans in the subtree, this one included
	kind       Kind
	escaped    bool // a text that contains escapes
}

// A Doc is a parsed document. It never changes, so it may be read by many goroutines; an edit gives a new one.
type Doc struct {
	text    []byte
	spans   []span
	options Options
}

// Text gives the whole text, with its byte order mark if it has one. It must not be changed.
func (d *Doc) Text() []byte { return d.text }

// Root gives the document's value.
func (d *Doc) Root() Value { return Value{doc: d} }

// Position gives the line and column of a byte offset, both counted from 1. A column is a character (not a byte, and
// not a UTF-16 code unit); a byte order mark has none. Lines end with a line feed.
func (d *Doc) Position(offset int) (line, column int) { return position(d.text, offset) }

func position(text []byte, offset int) (line, column int) {
	before := text[:min(max(offset, 0), len(text))]
	line = bytes.Count(before, []byte{'\n'}) + 1
	start := bytes.LastIndexByte(before, '\n') + 1
	if start == 0 && bytes.HasPrefix(before, []byte(byteOrderMark)) {
		start = len(byteOrderMark)
	}
	return line, utf8.RuneCount(before[start:]) + 1
}

// A Value is a value of a document: a small handle that is passed by value. The zero Value is Missing, and every
// method works on it: looking for something in a value that is not there, or not of the right kind, gives Missing.
type Value struct {
	doc   *Doc
	at    uint32 // index of the span
	named bool   // the value of a member: its name is the span before
}

func (v Value) span() *span { return &v.doc.spans[v.at] }

// Kind gives the kind of the value.
func (v Value) Kind() Kind {
	if v.doc == nil {
		return Missing
	}
	return v.span().kind
}

// Exists reports whether the value is there. A null is.
func (v Value) Exists() bool { return v.doc != nil }

// Start gives the offset of the value's first byte in the document's text.
func (v Value) Start() int {
	if v.doc == nil {
		return 0
	}
	return int(v.span().start)
}

// End gives the offset after the value's last byte in the document's text.
func (v Value) End() int {
	if v.doc == nil {
		return 0
	}
	return int(v.span().end)
}

// Raw gives the value's own bytes. They must not be changed.
func (v Value) Raw() []byte {
	if v.doc == nil {
		return nil
	}
	return v.doc.text[v.span().start:v.span().end:v.span().end]
}

// Position gives the line and column of the value's first character, counted from 1, or 0, 0 for Missing.
func (v Value) Position() (line, column int) {
	if v.doc == nil {
		return 0, 0
	}
	return v.doc.Position(v.Start())
}

// Name gives the name of a member, for a value that Get, GetFold or Members gave: a value of kind String. It is Missing
// for others.
func (v Value) Name() Value {
	if !v.named {
		return Value{}
	}
	return Value{doc: v.doc, at: v.at - 1}
}

// Get gives the member of that name, the last one when the name is repeated, or Missing.
func (v Value) Get(name string) Value {
	return v.find(func(s *span) bool { return v.doc.nameIs(s, name) })
}

// GetFold is Get ignoring the case of the name.
func (v Value) GetFold(name string) Value {
	return v.find(func(s *span) bool { return strings.EqualFold(v.doc.decode(s), name) })
}

func (v Value) find(match func(name *span) bool) (found Value) {
	if v.Kind() != Object {
		return Value{}
	}
	spans := v.doc.spans
	for at, end := v.at+1, v.at+v.span().size; at < end; at += 1 + spans[at+1].size {
		if match(&spans[at]) {
			found = Value{doc: v.doc, at: at + 1, named: true}
		}
	}
	return found
}

// nameIs compares a name without allocating.
func (d *Doc) nameIs(s *span, name string) bool {
	if s.escaped {
		return d.decode(s) == name
	}
	return string(d.text[s.start+1:s.end-1]) == name
}

// decode gives what a text says; a surrogate escape without partner reads as U+FFFD.
func (d *Doc) decode(s *span) string {
	raw := d.text[s.start+1 : s.end-1]
	if !s.escaped {
		return string(raw)
	}
	decoded, _ := unescape(raw)
	return decoded
}

// Members goes through the members of an object in document order; a repeated name comes repeatedly.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if v.Kind() != Object {
			return
		}
		spans := v.doc.spans
		for at, end := v.at+1, v.at+v.span().size; at < end; at += 1 + spans[at+1].size {
			if !yield(v.doc.decode(&spans[at]), Value{doc: v.doc, at: at + 1, named: true}) {
				return
			}
		}
	}
}

// Items goes through the items of a list.
func (v Value) Items() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.Kind() != Array {
			return
		}
		spans := v.doc.spans
		for at, end := v.at+1, v.at+v.span().size; at < end; at += spans[at].size {
			if !yield(Value{doc: v.doc, at: at}) {
				return
			}
		}
	}
}

// Len counts the items of a list or the members of an object, repeats included. Other values have none.
func (v Value) Len() int {
	n := 0
	switch v.Kind() {
	case Array:
		for range v.Items() {
			n++
		}
	case Object:
		spans := v.doc.spans
		for at, end := v.at+1, v.at+v.span().size; at < end; at += 1 + spans[at+1].size {
			n++
		}
	}
	return n
}

// Index gives the item at i, counted from 0, or Missing. It walks over the items before.
func (v Value) Index(i int) Value {
	n := 0
	for item := range v.Items() {
		if n == i {
			return item
		}
		n++
	}
	return Value{}
}

// Text gives what a text says. The error for anything else, and for a text with a surrogate escape that has no
// partner (which no text of the engine can hold), is a *TypeError.
func (v Value) Text() (string, error) {
	if v.Kind() != String {
		return "", v.typeError("a text", "")
	}
	s := v.span()
	raw := v.doc.text[s.start+1 : s.end-1]
	if !s.escaped {
		return string(raw), nil
	}
	decoded, ok := unescape(raw)
	if !ok {
		return "", v.typeError("a text", "a text with half of a surrogate pair")
	}
	return decoded, nil
}

// Bool gives a boolean. The error for anything else is a *TypeError.
func (v Value) Bool() (bool, error) {
	if v.Kind() != Bool {
		return false, v.typeError("true or false", "")
	}
	return v.doc.text[v.span().start] == 't', nil
}

// Int32 gives a number of 32 bits without fraction and exponent: 1.0 and 1e0 are not taken. The error is a *TypeError.
func (v Value) Int32() (int32, error) {
	n, err := v.integer(32)
	return int32(n), err
}

// Int64 gives a number of 64 bits without fraction and exponent: 1.0 and 1e0 are not taken. The error is a *TypeError.
func (v Value) Int64() (int64, error) { return v.integer(64) }

func (v Value) integer(bits int) (int64, error) {
	if v.Kind() != Number {
		return 0, v.typeError("a whole number", "")
	}
	raw := v.Raw()
	if bytes.ContainsAny(raw, ".eE") {
		return 0, v.typeError("a whole number", quote(raw))
	}
	n, err := strconv.ParseInt(string(raw), 10, bits)
	if err != nil {
		return 0, v.typeError("a whole number of "+strconv.Itoa(bits)+" bits", quote(raw))
	}
	return n, nil
}

// Float64 gives a number as the nearest double; one that is too large gives an infinity. The error for anything else is
// a *TypeError.
func (v Value) Float64() (float64, error) { return v.float(64) }

// Float32 gives a number as the nearest single precision number, as Float64 does.
func (v Value) Float32() (float32, error) {
	f, err := v.float(32)
	return float32(f), err
}

func (v Value) float(bits int) (float64, error) {
	if v.Kind() != Number {
		return 0, v.typeError("a number", "")
	}
	f, _ := strconv.ParseFloat(string(v.Raw()), bits) // the only possible error is the range, which gives ±Inf
	return f, nil
}

// typeError says what was found: the kind of the value unless something more exact is given.
func (v Value) typeError(expected, found string) *TypeError {
	if found == "" {
		found = v.Kind().String()
	}
	line, column := v.Position()
	return &TypeError{Line: line, Column: column, Expected: expected, Found: found}
}
