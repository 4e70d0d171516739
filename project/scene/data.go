package scene

import (
	"bytes"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"talebinder/formats/jsondoc"
)

// emptyObject is the data of a component that has none.
var emptyObject = mustParse("{}")

func mustParse(text string) jsondoc.Value {
	doc, err := jsondoc.Parse([]byte(text))
	if err != nil {
		panic(err)
	}
	return doc.Root()
}

// maxPath is the number of segments that a path may have: data lies at most as deep.
const maxPath = jsondoc.MaxDepth

// maxDataDepth is the nesting of data that values were set in: that of a path and of a value at its end.
const maxDataDepth = maxPath + jsondoc.MaxDepth

// SetPath gives data in which the path has the value. Data itself stays as it is; what is not touched is shared text by text.
// The segments of a path are separated by dots. In a list a segment of digits is an index, and the index after the last
// item appends one; in an object every segment is a name. What is missing, or null in an object, on the way is created: a
// list where the next segment is an index, else an object. A Missing value sets null.
//
// The error is a *jsondoc.PathError when something on the way is neither an object nor a list with that index; what was
// created until there stays in the data that is given, as in the engine.
func SetPath(data jsondoc.Value, path string, value jsondoc.Value) (jsondoc.Value, error) {
	e := newEditor(data)
	err := e.set(path, value)
	return e.value(), err
}

// An editor sets any number of values in data and makes the new data once at the end.
type editor struct {
	data    jsondoc.Value
	root    node
	changed bool
}

// A node is a value that may have been changed: while it was not, it is the value of a document. It is opened, one level
// at a time, where a path leads through it.
type node struct {
	kind    jsondoc.Kind
	raw     jsondoc.Value // when it was not opened
	opened  bool
	names   []string // of the members of an object; of a repeated name the first place, with the last value
	entries []*node
	places  map[string]int // of the names, once there are many
}

func newEditor(data jsondoc.Value) *editor {
	return &editor{data: data, root: node{kind: data.Kind(), raw: data}}
}

// open makes the children of a list or object.
func (n *node) open() {
	if n.opened {
		return
	}
	n.opened = true
	switch n.kind {
	case jsondoc.Object:
		for name, value := range n.raw.Members() {
			child := &node{kind: value.Kind(), raw: value}
			if at := n.find(name); at >= 0 {
				n.entries[at] = child
			} else {
				n.add(name, child)
			}
		}
	case jsondoc.Array:
		for value := range n.raw.Items() {
			n.entries = append(n.entries, &node{kind: value.Kind(), raw: value})
		}
	}
}

func (n *node) find(name string) int {
	if n.places != nil {
		if at, ok := n.places[name]; ok {
			return at
		}
		return -1
	}
	return slices.Index(n.names, name)
}

func (n *node) add(name string, child *node) {
	const few = 16
	n.names = append(n.names, name)
	n.entries = append(n.entries, child)
	switch {
	case n.places != nil:
		n.places[name] = len(n.names) - 1
	case len(n.names) > few:
		n.places = make(map[string]int, 2*few)
		for i, name := range n.names {
			n.places[name] = i
		}
	}
}

// set carries out what SetPath describes.
func (e *editor) set(path string, value jsondoc.Value) error {
	if strings.Count(path, ".") >= maxPath {
		return &jsondoc.PathError{Path: path, Segment: path[strings.LastIndexByte(path, '.')+1:], Found: jsondoc.Missing}
	}
	segments := strings.Split(path, ".")
	leaf := &node{kind: value.Kind(), raw: value}
	if !value.Exists() {
		leaf.kind = jsondoc.Null
	}
	at := &e.root
	for i, segment := range segments {
		last := i == len(segments)-1
		fault := func() error { return &jsondoc.PathError{Path: path, Segment: segment, Found: at.kind} }
		place := -1
		switch at.kind {
		case jsondoc.Object:
			at.open()
			place = at.find(segment)
			if place < 0 {
				place = len(at.entries)
				at.add(segment, &node{kind: jsondoc.Null})
			}
		case jsondoc.Array:
			at.open()
			index, ok := listIndex(segment)
			switch {
			case !ok || index > len(at.entries):
				return fault()
			case index == len(at.entries):
				at.entries = append(at.entries, &node{kind: jsondoc.Null})
			case !last && at.entries[index].kind == jsondoc.Null:
				at, segment = at.entries[index], segments[i+1] // what is null in a list is not replaced
				return fault()
			}
			place = index
		default:
			return fault()
		}
		e.changed = true
		if last {
			at.entries[place] = leaf
			return nil
		}
		next := at.entries[place]
		if next.kind == jsondoc.Null {
			next = &node{kind: jsondoc.Object, opened: true}
			if _, ok := listIndex(segments[i+1]); ok {
				next.kind = jsondoc.Array
			}
			at.entries[place] = next
		}
		at = next
	}
	return nil
}

// value gives the data with everything that was set.
func (e *editor) value() jsondoc.Value {
	if !e.changed {
		return e.data
	}
	w := jsondoc.NewWriter(jsondoc.Relaxed)
	w.Grow(len(e.data.Raw()) + 256)
	e.root.write(w)
	doc, err := jsondoc.ParseOptions(w.Bytes(), jsondoc.Options{MaxDepth: maxDataDepth})
	if err != nil { // only data beyond 4 GiB
		return e.data
	}
	return doc.Root()
}

func (n *node) write(w *jsondoc.Writer) {
	switch {
	case !n.opened:
		w.Data(n.raw)
	case n.kind == jsondoc.Object:
		w.BeginObject()
		for i, name := range n.names {
			w.Name(name)
			n.entries[i].write(w)
		}
		w.EndObject()
	default:
		w.BeginArray()
		for _, entry := range n.entries {
			entry.write(w)
		}
		w.EndArray()
	}
}

// listIndex reads a segment as an index: digits only, at most 2147483647.
func listIndex(segment string) (int, bool) {
	if segment == "" {
		return 0, false
	}
	for _, c := range []byte(segment) {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	i, err := strconv.ParseInt(segment, 10, 32)
	return int(i), err == nil
}

// Equal compares values as the engine does: numbers by what they are worth, exactly (5, 5.0 and 0.5e1 are equal), objects
// in any order of their properties, lists in order. A Missing value equals null.
func Equal(a, b jsondoc.Value) bool {
	ka, kb := a.Kind(), b.Kind()
	if ka == jsondoc.Missing {
		ka = jsondoc.Null
	}
	if kb == jsondoc.Missing {
		kb = jsondoc.Null
	}
	if ka != kb {
		return false
	}
	if bytes.Equal(a.Raw(), b.Raw()) {
		return true
	}
	switch ka {
	case jsondoc.Null:
		return true
	case jsondoc.Number:
		return equalNumbers(string(a.Raw()), string(b.Raw()))
	case jsondoc.String:
		return jsondoc.Compact(a, jsondoc.Relaxed) == jsondoc.Compact(b, jsondoc.Relaxed)
	case jsondoc.Array:
		if a.Len() != b.Len() {
			return false
		}
		var others []jsondoc.Value
		for item := range b.Items() {
			others = append(others, item)
		}
		i := 0
		for item := range a.Items() {
			if !Equal(item, others[i]) {
				return false
			}
			i++
		}
		return true
	case jsondoc.Object:
		members := lastMembers(a)
		others := lastMembers(b)
		if len(members) != len(others) {
			return false
		}
		for name, value := range members {
			other, ok := others[name]
			if !ok || !Equal(value, other) {
				return false
			}
		}
		return true
	}
	return false // different booleans
}

// lastMembers gives the members of an object by name, of a repeated one the last.
func lastMembers(v jsondoc.Value) map[string]jsondoc.Value {
	members := make(map[string]jsondoc.Value, v.Len())
	for name, value := range v.Members() {
		members[name] = value
	}
	return members
}

// equalNumbers compares decimals exactly, without ever writing out what an exponent stands for.
func equalNumbers(a, b string) bool {
	digitsA, scaleA, negativeA := decimal(a)
	digitsB, scaleB, negativeB := decimal(b)
	if scaleA == nil || scaleB == nil {
		return false
	}
	if digitsA == "" || digitsB == "" {
		return digitsA == digitsB // zeros of any sign
	}
	return negativeA == negativeB && digitsA == digitsB && scaleA.Cmp(scaleB) == 0
}

// decimal gives a number as 0.digits x 10^scale, with neither leading nor trailing zeros; zero has no digits. The scale is nil
// when the exponent has more digits than any use.
func decimal(text string) (digits string, scale *big.Int, negative bool) {
	text, negative = strings.CutPrefix(text, "-")
	mantissa, exponent := text, ""
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		mantissa, exponent = text[:at], strings.TrimPrefix(text[at+1:], "+")
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits = whole + fraction
	scale = big.NewInt(int64(len(whole)))
	trimmed := strings.TrimLeft(digits, "0")
	scale.Sub(scale, big.NewInt(int64(len(digits)-len(trimmed))))
	digits = strings.TrimRight(trimmed, "0")
	if exponent != "" {
		const most = 1000 // reading more takes time that grows with the square
		e, ok := new(big.Int), false
		if len(exponent) <= most {
			e, ok = e.SetString(exponent, 10)
		}
		if !ok {
			return digits, nil, negative
		}
		scale.Add(scale, e)
	}
	return digits, scale, negative
}
