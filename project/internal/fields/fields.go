// Package fields reads the typed fields of a settings file and collects every fault with its place, so that a person
// sees all of them at once.
//
// The rules are those of the engine's settings: names count exactly, a field that is missing keeps its default, and so
// does a text, list or object that is null; a null for a number or a boolean is a fault.
package fields

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"talebinder/formats"
	"talebinder/formats/assetpath"
	"talebinder/formats/jsondoc"
)

// A Fault is one thing that a file says wrongly, and where.
type Fault struct {
	Line, Column int // from 1; 0 when the whole file is meant
	Message      string
}

// String gives the place and the message.
func (f Fault) String() string {
	if f.Line == 0 {
		return f.Message
	}
	return fmt.Sprintf("line %d, column %d: %s", f.Line, f.Column, f.Message)
}

// An Error holds every fault of a file, in the order of their places. It wraps formats.ErrDamaged.
type Error struct{ Faults []Fault }

// Error lists the faults.
func (e *Error) Error() string {
	all := make([]string, len(e.Faults))
	for i, f := range e.Faults {
		all[i] = f.String()
	}
	return strings.Join(all, "; ")
}

// Unwrap gives formats.ErrDamaged.
func (e *Error) Unwrap() error { return formats.ErrDamaged }

// A Reader reads one document.
type Reader struct {
	doc    *jsondoc.Doc
	faults []Fault
}

// Read parses a text. Its error is an *Error.
func Read(text []byte) (*Reader, error) {
	doc, err := jsondoc.Parse(text)
	if err != nil {
		var syntax *jsondoc.SyntaxError
		if errors.As(err, &syntax) {
			return nil, &Error{[]Fault{{syntax.Line, syntax.Column, syntax.Message}}}
		}
		return nil, &Error{[]Fault{{Message: err.Error()}}}
	}
	return &Reader{doc: doc}, nil
}

// Doc gives the document.
func (r *Reader) Doc() *jsondoc.Doc { return r.doc }

// Fault adds a fault at a value.
func (r *Reader) Fault(at jsondoc.Value, format string, args ...any) {
	line, column := at.Position()
	r.faults = append(r.faults, Fault{line, column, fmt.Sprintf(format, args...)})
}

// typeFault adds the fault that a value is of the wrong kind.
func (r *Reader) typeFault(at jsondoc.Value, path string, err error) {
	var wrong *jsondoc.TypeError
	if errors.As(err, &wrong) {
		r.Fault(at, "%s: expected %s, found %s", path, wrong.Expected, wrong.Found)
		return
	}
	r.Fault(at, "%s: %v", path, err)
}

// Err gives the collected faults as an *Error, or nil.
func (r *Reader) Err() error {
	if len(r.faults) == 0 {
		return nil
	}
	slices.SortStableFunc(r.faults, func(a, b Fault) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	return &Error{r.faults}
}

// An Object reads the members of one object. One that is not there has no members.
type Object struct {
	r     *Reader
	value jsondoc.Value
	path  string // how messages name it; "" for the document
}

// Root gives the document as an object. Null counts as an object without members, everything else is a fault.
func (r *Reader) Root() Object { return r.object(r.doc.Root(), "") }

// Item gives a list's item as an object; null is a fault too.
func (r *Reader) Item(v jsondoc.Value, path string) Object {
	if v.Kind() == jsondoc.Null {
		r.Fault(v, "%s: expected an object, found %s", path, v.Kind())
	}
	return r.object(v, path)
}

func (r *Reader) object(v jsondoc.Value, path string) Object {
	switch v.Kind() {
	case jsondoc.Object:
		return Object{r, v, path}
	case jsondoc.Missing, jsondoc.Null:
	default:
		name := path
		if name == "" {
			name = "the document"
		}
		r.Fault(v, "%s: expected an object, found %s", name, v.Kind())
	}
	return Object{r, jsondoc.Value{}, path}
}

// Path names a member in messages: "view.width".
func (o Object) Path(name string) string {
	if o.path == "" {
		return name
	}
	return o.path + "." + name
}

// Value gives the object itself, Missing when it is not there.
func (o Object) Value() jsondoc.Value { return o.value }

// Get gives a member, or Missing when it is not there or null.
func (o Object) Get(name string) jsondoc.Value {
	v := o.value.Get(name)
	if v.Kind() == jsondoc.Null {
		return jsondoc.Value{}
	}
	return v
}

// Object gives a member that is an object.
func (o Object) Object(name string) Object {
	return o.r.object(o.value.Get(name), o.Path(name))
}

// Text reads a text into into, which keeps its value when the member is missing or null.
func (o Object) Text(name string, into *string) {
	if v := o.Get(name); v.Exists() {
		text, err := v.Text()
		if err != nil {
			o.r.typeFault(v, o.Path(name), err)
			return
		}
		*into = text
	}
}

// OptionalText reads a text, nil when it is missing or null.
func (o Object) OptionalText(name string) *string {
	if !o.Get(name).Exists() {
		return nil
	}
	var text string
	o.Text(name, &text)
	return &text
}

// Bool reads a boolean into into, which keeps its value when the member is missing.
func (o Object) Bool(name string, into *bool) {
	if v := o.value.Get(name); v.Exists() {
		b, err := v.Bool()
		if err != nil {
			o.r.typeFault(v, o.Path(name), err)
			return
		}
		*into = b
	}
}

// Int reads a whole number into into, which keeps its value when the member is missing.
func (o Object) Int(name string, into *int) {
	if v := o.value.Get(name); v.Exists() {
		n, err := v.Int32()
		if err != nil {
			o.r.typeFault(v, o.Path(name), err)
			return
		}
		*into = int(n)
	}
}

// Texts reads a list of texts. A null item is a fault, unless nullItems is set: then it is an empty text.
func (o Object) Texts(name string, nullItems bool) []string {
	v := o.Get(name)
	if !o.r.list(v, o.Path(name)) {
		return nil
	}
	all := make([]string, 0, v.Len())
	i := 0
	for item := range v.Items() {
		text, err := item.Text()
		if err != nil && !(nullItems && item.Kind() == jsondoc.Null) {
			o.r.typeFault(item, fmt.Sprintf("%s[%d]", o.Path(name), i), err)
		}
		all = append(all, text)
		i++
	}
	return all
}

// List gives the items of a list and how messages name each.
func (o Object) List(name string) (items []jsondoc.Value, paths []string) {
	v := o.Get(name)
	if !o.r.list(v, o.Path(name)) {
		return nil, nil
	}
	for item := range v.Items() {
		paths = append(paths, fmt.Sprintf("%s[%d]", o.Path(name), len(items)))
		items = append(items, item)
	}
	return items, paths
}

// list says whether v is a list; what is neither a list nor missing is a fault.
func (r *Reader) list(v jsondoc.Value, path string) bool {
	switch v.Kind() {
	case jsondoc.Array:
		return true
	case jsondoc.Missing:
	default:
		r.Fault(v, "%s: expected a list, found %s", path, v.Kind())
	}
	return false
}

// Enum reads one of a few words, ignoring case, or with numbers set also a whole number, which need not be that of a
// word. ok is false when the member is missing or at fault.
func (o Object) Enum(name string, words []string, numbers bool) (number int, ok bool) {
	v := o.value.Get(name)
	switch {
	case !v.Exists():
		return 0, false
	case v.Kind() == jsondoc.String:
		text, err := v.Text()
		if err != nil {
			o.r.typeFault(v, o.Path(name), err)
			return 0, false
		}
		for i, word := range words {
			if assetpath.Fold(text) == assetpath.Fold(word) {
				return i, true
			}
		}
		o.r.Fault(v, "%s: expected %s, found %q", o.Path(name), oneOf(words), text)
		return 0, false
	case v.Kind() == jsondoc.Number && numbers:
		n, err := v.Int32()
		if err != nil {
			o.r.typeFault(v, o.Path(name), err)
			return 0, false
		}
		return int(n), true
	}
	o.r.Fault(v, "%s: expected %s, found %s", o.Path(name), oneOf(words), v.Kind())
	return 0, false
}

// oneOf lists words as "a, b or c".
func oneOf(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
