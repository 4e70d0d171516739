// Package plist reads and writes property lists in XML, the settings files of macOS, as far as an application's Info.plist
// needs them.
//
//	<?xml version="1.0" encoding="UTF-8"?>
//	<!DOCTYPE plist PUBLIC ...>
//	<plist version="1.0">
//	<dict>
//		<key>CFBundleName</key>
//		<string>Lantern Grove</string>
//	</dict>
//	</plist>
//
//	Element           Value
//	string            string
//	true, false       bool
//	integer           int64
//	array             []any
//	dict              Dict, pairs of a key element and a value
//	real, date, data  not supported
//
// Other than in the XML of a document, white space between elements has no meaning; within a string it counts.
package plist

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"talebinder/formats"
)

// maxDepth is how deep dictionaries and arrays may be nested.
const maxDepth = 64

const header = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
`

// Dict is a dictionary in the order of its keys in the file.
type Dict []Pair

// Pair is an entry of a dictionary.
type Pair struct {
	Key   string
	Value any // string, bool, int64, Dict or []any of these
}

// Get gives the value of a key, of a repeated one the last, or nil.
func (d Dict) Get(key string) any {
	var value any
	for _, p := range d {
		if p.Key == key {
			value = p.Value
		}
	}
	return value
}

// Write writes a property list. A value of another type, and a text that XML cannot hold, is an error; then nothing is
// written.
func Write(w io.Writer, d Dict) error {
	b, err := appendValue([]byte(header), d, "plist", 0)
	if err != nil {
		return err
	}
	if _, err := w.Write(append(b, "</plist>\n"...)); err != nil {
		return fmt.Errorf("property list: %w", err)
	}
	return nil
}

// appendValue appends a value on lines of its own. path names it in errors.
func appendValue(b []byte, value any, path string, depth int) ([]byte, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("property list: %w", &formats.LimitError{What: "depth", Value: int64(depth), Max: maxDepth})
	}
	indent := strings.Repeat("\t", depth)
	switch v := value.(type) {
	case string:
		return appendText(append(b, indent...), "string", v, path)
	case bool:
		return fmt.Appendf(b, "%s<%t/>\n", indent, v), nil
	case int64:
		return fmt.Appendf(b, "%s<integer>%d</integer>\n", indent, v), nil
	case []any:
		if len(v) == 0 {
			return append(b, indent+"<array/>\n"...), nil
		}
		b = append(b, indent+"<array>\n"...)
		var err error
		for i, item := range v {
			if b, err = appendValue(b, item, fmt.Sprintf("%s[%d]", path, i), depth+1); err != nil {
				return nil, err
			}
		}
		return append(b, indent+"</array>\n"...), nil
	case Dict:
		if len(v) == 0 {
			return append(b, indent+"<dict/>\n"...), nil
		}
		b = append(b, indent+"<dict>\n"...)
		var err error
		for _, p := range v {
			below := path + "." + p.Key
			if b, err = appendText(append(b, indent+"\t"...), "key", p.Key, below); err != nil {
				return nil, err
			}
			if b, err = appendValue(b, p.Value, below, depth+1); err != nil {
				return nil, err
			}
		}
		return append(b, indent+"</dict>\n"...), nil
	}
	return nil, fmt.Errorf("property list: %s is a %T, which cannot be written", path, value)
}

// appendText appends an element with a text.
func appendText(b []byte, element, text, path string) ([]byte, error) {
	if !utf8.ValidString(text) {
		return nil, fmt.Errorf("property list: %s: %q is not UTF-8", path, text)
	}
	b = append(b, "<"+element+">"...)
	for _, r := range text {
		switch {
		case r == '&':
			b = append(b, "&amp;"...)
		case r == '<':
			b = append(b, "&lt;"...)
		case r == '>':
			b = append(b, "&gt;"...)
		case r == '\r':
			b = append(b, "&#13;"...) // readers take it for the end of a line
		case r < ' ' && r != '\t' && r != '\n', r == 0xFFFE, r == 0xFFFF:
			return nil, fmt.Errorf("property list: %s: %q contains the character %U, which XML does not have", path, text, r)
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, "</"+element+">\n"...), nil
}

// Read reads a property list whose outermost value is a dictionary. The error is a *formats.Fault of kind
// formats.ErrUnsupported for a binary one and for elements of other types, else of kind formats.ErrDamaged.
func Read(data []byte) (Dict, error) {
	if bytes.HasPrefix(data, []byte("bplist")) {
		return nil, formats.Unsupported("property list", 0, "a binary property list", "one in XML; `plutil -convert xml1` on macOS makes it one")
	}
	r := &reader{decoder: xml.NewDecoder(bytes.NewReader(data))}
	start, err := r.start()
	if err != nil {
		return nil, err
	}
	if start != "plist" {
		return nil, r.damaged("the element "+start, "plist")
	}
	if start, err = r.start(); err != nil {
		return nil, err
	}
	value, err := r.value(start, 0)
	if err != nil {
		return nil, err
	}
	d, ok := value.(Dict)
	if !ok {
		return nil, r.damaged("the element "+start, "dict")
	}
	if start, err = r.start(); err == nil && start != "" {
		return nil, r.damaged("the element "+start, "the end of plist")
	}
	return d, err
}

// reader reads elements one after another.
type reader struct{ decoder *xml.Decoder }

func (r *reader) damaged(found, expected string) error {
	return formats.Damaged("property list", r.decoder.InputOffset(), found, expected)
}

// token gives the next token, or an error that says where it should be.
func (r *reader) token() (xml.Token, error) {
	token, err := r.decoder.Token()
	switch {
	case err == nil:
		return token, nil
	case errors.Is(err, io.EOF):
		return nil, r.damaged("the end of the file", "an element")
	}
	return nil, r.damaged(err.Error(), "XML")
}

// start gives the name of the next element, or "" at the end of the one that is open.
func (r *reader) start() (string, error) {
	for {
		token, err := r.token()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			return t.Name.Local, nil
		case xml.EndElement:
			return "", nil
		case xml.CharData:
			if text := bytes.TrimSpace(t); len(text) > 0 {
				return "", r.damaged(fmt.Sprintf("the text %.40q", text), "an element")
			}
		}
	}
}

// text gives the text of the element that is open, up to its end.
func (r *reader) text() (string, error) {
	var b strings.Builder
	for {
		token, err := r.token()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			return "", r.damaged("the element "+t.Name.Local, "a text")
		case xml.EndElement:
			return b.String(), nil
		case xml.CharData:
			b.Write(t)
		}
	}
}

// value gives the value of an element that is open.
func (r *reader) value(element string, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("property list: %w", &formats.LimitError{What: "depth", Value: int64(depth), Max: maxDepth})
	}
	switch element {
	case "string":
		return r.text()
	case "true", "false":
		text, err := r.text()
		if err == nil && text != "" {
			err = r.damaged(fmt.Sprintf("the text %.40q", text), "the end of "+element)
		}
		return element == "true", err
	case "integer":
		text, err := r.text()
		if err != nil {
			return nil, err
		}
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err != nil {
			return nil, r.damaged(fmt.Sprintf("the integer %.40q", text), "a number of 64 bits")
		}
		return n, nil
	case "array":
		items := []any{}
		for {
			start, err := r.start()
			if err != nil || start == "" {
				return items, err
			}
			item, err := r.value(start, depth+1)
			if err != nil {
				return nil, err
			}
			items = append(items, item)
		}
	case "dict":
		return r.dict(depth)
	case "real", "date", "data":
		return nil, formats.Unsupported("property list", r.decoder.InputOffset(), "a value of type "+element, "string, true, false, integer, array or dict")
	case "":
		return nil, r.damaged("the end of an element", "a value")
	}
	return nil, r.damaged("the element "+element, "a value")
}

func (r *reader) dict(depth int) (Dict, error) {
	d := Dict{}
	for {
		start, err := r.start()
		if err != nil || start == "" {
			return d, err
		}
		if start != "key" {
			return nil, r.damaged("the element "+start, "key")
		}
		key, err := r.text()
		if err != nil {
			return nil, err
		}
		if start, err = r.start(); err != nil {
			return nil, err
		}
		value, err := r.value(start, depth+1)
		if err != nil {
			return nil, err
		}
		d = append(d, Pair{key, value})
	}
}
