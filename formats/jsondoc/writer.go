package jsondoc

import (
	"slices"
	"strconv"
)

// A Writer lays out a document as the engine does: two spaces of indentation, one member or item a line, `"name": value`,
// `{}` and `[]` for what is empty, line feeds, and no line end after the last line. The calls must form one value: a
// name before each value of an object, an end for each begin.
type Writer struct {
	text     []byte
	escaping Escaping
	open     []level
	named    bool // a name has been written, its value not yet
}

// A level is an open list or object.
type level struct {
	filled bool // it has an item
}

// NewWriter returns a Writer that escapes texts and names in that form.
func NewWriter(e Escaping) *Writer { return &Writer{escaping: e} }

// Grow makes room for n more bytes, so that a text whose length is known roughly is not moved again and again.
func (w *Writer) Grow(n int) { w.text = slices.Grow(w.text, n) }

// Bytes gives what has been written. The next call may change it.
func (w *Writer) Bytes() []byte { return w.text }

// next begins a name, or a value that is not the value of a name: a comma and a new line inside a container.
func (w *Writer) next() {
	if w.named {
		w.named = false
		return
	}
	if n := len(w.open); n > 0 {
		if w.open[n-1].filled {
			w.text = append(w.text, ',')
		}
		w.open[n-1].filled = true
		w.line()
	}
}

func (w *Writer) line() {
	w.text = append(w.text, '\n')
	for range w.open {
		w.text = append(w.text, ' ', ' ')
	}
}

func (w *Writer) begin(bracket byte) {
	w.next()
	w.text = append(w.text, bracket)
	w.open = append(w.open, level{})
}

func (w *Writer) end(bracket byte) {
	last := len(w.open) - 1
	filled := w.open[last].filled
	w.open = w.open[:last]
	if filled {
		w.line()
	}
	w.text = append(w.text, bracket)
}

// BeginObject begins an object.
func (w *Writer) BeginObject() { w.begin('{') }

// EndObject ends the object begun last.
func (w *Writer) EndObject() { w.end('}') }

// BeginArray begins a list.
func (w *Writer) BeginArray() { w.begin('[') }

// EndArray ends the list begun last.
func (w *Writer) EndArray() { w.end(']') }

// Name writes the name of the next member of an object.
func (w *Writer) Name(name string) {
	w.next()
	w.text = AppendString(w.text, name, w.escaping)
	w.text = append(w.text, ':', ' ')
	w.named = true
}

// String writes a text.
func (w *Writer) String(s string) {
	w.next()
	w.text = AppendString(w.text, s, w.escaping)
}

// Bool writes a boolean.
func (w *Writer) Bool(b bool) {
	w.next()
	w.text = strconv.AppendBool(w.text, b)
}

// Int writes a whole number.
func (w *Writer) Int(n int64) {
	w.next()
	w.text = strconv.AppendInt(w.text, n, 10)
}

// Float32 writes a single precision number as AppendFloat32 does.
func (w *Writer) Float32(f float32) {
	w.next()
	w.text = AppendFloat32(w.text, f)
}

// Float64 writes a double precision number as AppendFloat64 does.
func (w *Writer) Float64(f float64) {
	w.next()
	w.text = AppendFloat64(w.text, f)
}

// Null writes a null.
func (w *Writer) Null() {
	w.next()
	w.text = append(w.text, "null"...)
}

// Number writes a number whose text is given.
func (w *Writer) Number(text string) {
	w.next()
	w.text = append(w.text, text...)
}

// Vector writes single precision numbers as a list on one line: "[0, 980]".
func (w *Writer) Vector(numbers ...float32) {
	w.next()
	w.text = append(w.text, '[')
	for i, n := range numbers {
		if i > 0 {
			w.text = append(w.text, ',', ' ')
		}
		w.text = AppendFloat32(w.text, n)
	}
	w.text = append(w.text, ']')
}

// Value writes a value of a document in this layout: order and the text of numbers are kept, texts are escaped anew,
// comments are lost. Of a repeated name the last value counts, at the place of the first. A Missing value writes null.
func (w *Writer) Value(v Value) { w.value(v, false) }

// Data is Value in the layout of component data and override values of scenes and prefabs, where a list of one to
// four numbers and nothing else stays on one line: "[0.5, 1]".
func (w *Writer) Data(v Value) { w.value(v, true) }

func (w *Writer) value(v Value, shortLists bool) {
	switch v.Kind() {
	case Object:
		w.BeginObject()
		for member := range v.unique() {
			w.next()
			w.text = v.doc.appendText(w.text, member.Name(), w.escaping)
			w.text = append(w.text, ':', ' ')
			w.named = true
			w.value(member, shortLists)
		}
		w.EndObject()
	case Array:
		if shortLists && isShort(v) {
			w.next()
			w.text = append(w.text, '[')
			separator := ""
			for item := range v.Items() {
				w.text = append(w.text, separator...)
				w.text = append(w.text, item.Raw()...)
				separator = ", "
			}
			w.text = append(w.text, ']')
			return
		}
		w.BeginArray()
		for item := range v.Items() {
			w.value(item, shortLists)
		}
		w.EndArray()
	default:
		w.next()
		w.text = appendScalar(w.text, v, w.escaping)
	}
}

// isShort reports whether a list has one to four items, all numbers. Each span of such a list is an item.
func isShort(v Value) bool {
	s := v.span()
	if s.size < 2 || s.size > 5 {
		return false
	}
	for _, item := range v.doc.spans[v.at+1 : v.at+s.size] {
		if item.kind != Number {
			return false
		}
	}
	return true
}

// appendScalar appends anything that is neither list nor object.
func appendScalar(dst []byte, v Value, e Escaping) []byte {
	switch v.Kind() {
	case Missing:
		return append(dst, "null"...)
	case String:
		return v.doc.appendText(dst, v, e)
	}
	return append(dst, v.Raw()...)
}

func (d *Doc) appendText(dst []byte, v Value, e Escaping) []byte {
	s := v.span()
	return appendRaw(dst, d.text[s.start+1:s.end-1], e)
}

// unique goes through the members of an object that count: a repeated name once, at its first place, with its last value.
func (v Value) unique() func(yield func(Value) bool) {
	const few = 8 // as many names are compared one by one without a map
	return func(yield func(Value) bool) {
		members := make([]Value, 0, few)
		for _, member := range v.Members() {
			members = append(members, member)
		}
		var places map[string]int
		if len(members) > few {
			places = make(map[string]int, len(members))
		}
		kept := members[:0]
		for _, member := range members {
			name := v.doc.decode(member.Name().span())
			place := -1
			if places == nil {
				for i, k := range kept {
					if v.doc.nameIs(k.Name().span(), name) {
						place = i
					}
				}
			} else if at, ok := places[name]; ok {
				place = at
			}
			if place >= 0 {
				kept[place] = member
				continue
			}
			if places != nil {
				places[name] = len(kept)
			}
			kept = append(kept, member)
		}
		for _, member := range kept {
			if !yield(member) {
				return
			}
		}
	}
}

// Compact gives a value without any white space or comment; texts are escaped anew, repeated names treated as Value
// of a Writer treats them.
func Compact(v Value, e Escaping) string { return string(appendCompact(nil, v, e)) }

func appendCompact(dst []byte, v Value, e Escaping) []byte {
	switch v.Kind() {
	case Object:
		dst = append(dst, '{')
		separator := ""
		for member := range v.unique() {
			dst = append(dst, separator...)
			dst = v.doc.appendText(dst, member.Name(), e)
			dst = append(dst, ':')
			dst = appendCompact(dst, member, e)
			separator = ","
		}
		return append(dst, '}')
	case Array:
		dst = append(dst, '[')
		separator := ""
		for item := range v.Items() {
			dst = append(dst, separator...)
			dst = appendCompact(dst, item, e)
			separator = ","
		}
		return append(dst, ']')
	}
	return appendScalar(dst, v, e)
}
