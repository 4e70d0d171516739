package coverage

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"talebinder/formats"
	"talebinder/formats/jsondoc"
	"talebinder/formats/po"
)

// MaxText is the size of the largest file that is read, in bytes.
const MaxText = 64 << 20

// An Error says where a text cannot be read. It wraps formats.ErrDamaged, formats.ErrUnsupported, a *formats.LimitError, or the
// error of the system.
type Error struct {
	File    string
	Line    int // from 1; 0 when no line can be named
	Message string
	Err     error
}

// Error names the file and the line.
func (e *Error) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
	}
	return e.File + ": " + e.Message
}

// Unwrap gives the reason.
func (e *Error) Unwrap() error { return e.Err }

// Extensions are the ones of files that Read takes apart; any other file is read as plain text.
func Extensions() []string {
	return []string{".po", ".pot", ".tloc", ".json", ".csv", ".tsv", ".txt"}
}

// Reads says whether a file is one of those.
func Reads(path string) bool {
	return slices.Contains(Extensions(), strings.ToLower(filepath.Ext(path)))
}

// Read reads the strings of a file: the translations of a .po file (of one without, the texts to translate), every language of a
// localization table, all texts in a JSON file, the cells of a .csv or .tsv file, else the lines of a plain text. Files are in
// UTF-8, or in UTF-16 when a byte order mark says so. The error is an *Error.
func Read(path string) ([]String, error) {
	data, err := load(path)
	if err != nil {
		return nil, err
	}
	if data, err = decode(path, data); err != nil {
		return nil, err
	}
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".po", ".pot":
		return readPO(path, data)
	case ".tloc", ".json":
		return readJSON(path, data, ext == ".tloc")
	case ".csv":
		return readTable(path, data, separator(data))
	case ".tsv":
		return readTable(path, data, '\t')
	}
	return readLines(path, data), nil
}

func load(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxText+1))
	if err != nil {
		return nil, unreadable(path, err)
	}
	if len(data) > MaxText {
		limit := &formats.LimitError{What: "the size of the file", Value: int64(len(data)), Max: MaxText, Unit: "bytes"}
		return nil, &Error{path, 0, limit.Error(), limit}
	}
	return data, nil
}

func unreadable(path string, err error) error {
	reason := err
	var system *os.PathError
	if errors.As(err, &system) {
		reason = system.Err
	}
	return &Error{path, 0, "cannot be read: " + reason.Error(), err}
}

// decode gives the text in UTF-8 without a byte order mark.
func decode(path string, data []byte) ([]byte, error) {
	order := -1 // of the low byte
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		order = 0
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		order = 1
	}
	if order >= 0 {
		var units []uint16
		for i := 2; i+1 < len(data); i += 2 {
			units = append(units, uint16(data[i+order])|uint16(data[i+1-order])<<8)
		}
		return []byte(string(utf16.Decode(units))), nil
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	line := 1
	for i := 0; i < len(data); {
		switch c := data[i]; {
		case c == '\n':
			line++
			i++
		case c == 0:
			return nil, &Error{path, line, fmt.Sprintf("byte %d is 0: this is no text", i), formats.ErrUnsupported}
		case c < utf8.RuneSelf:
			i++
		default:
			r, n := utf8.DecodeRune(data[i:])
			if r == utf8.RuneError && n == 1 {
				return nil, &Error{path, line, fmt.Sprintf("byte %d is no UTF-8; save the file in UTF-8", i), formats.ErrUnsupported}
			}
			i += n
		}
	}
	return data, nil
}

func readLines(path string, data []byte) []String {
	var list []String
	for i, row := range strings.Split(string(data), "\n") {
		if row = strings.TrimRight(row, "\r"); row != "" {
			list = append(list, String{File: path, Line: i + 1, Text: row})
		}
	}
	return list
}

func readPO(path string, data []byte) ([]String, error) {
	entries, err := po.Parse(data)
	if err != nil {
		e := &Error{File: path, Message: err.Error(), Err: err}
		var at *po.Error
		if errors.As(err, &at) {
			e.Line = at.Line
		}
		return nil, e
	}
	var list, originals []String
	for i := range entries {
		e := &entries[i]
		if e.Header() {
			continue
		}
		key := e.ID
		if e.Context != "" {
			key = e.Context + ": " + key
		}
		for _, text := range []string{e.ID, e.Plural} {
			if text != "" {
				originals = append(originals, String{path, e.Line, key, text})
			}
		}
		for _, t := range e.Translations {
			if t.Text != "" {
				list = append(list, String{path, t.Line, key, t.Text})
			}
		}
	}
	if list == nil {
		return originals, nil
	}
	return list, nil
}

// maxKey bounds the keys of deep values, in bytes.
const maxKey = 200

func readJSON(path string, data []byte, table bool) ([]String, error) {
	doc, err := jsondoc.Parse(data)
	if err != nil {
		e := &Error{File: path, Message: err.Error(), Err: err}
		var at *jsondoc.SyntaxError
		if errors.As(err, &at) {
			e.Line, e.Message = at.Line, at.Message
		}
		return nil, e
	}
	var list []String
	root := doc.Root()
	if table {
		entries := root.Get("entries")
		if entries.Kind() != jsondoc.Object {
			line, _ := root.Position()
			return nil, &Error{path, line, "there are no entries, which a localization table has", formats.ErrDamaged}
		}
		root = entries
	}
	collect(path, "", root, &list)
	slices.SortStableFunc(list, func(a, b String) int { return a.Line - b.Line })
	line, at := 1, 0
	for i, s := range list { // what was noted as the line is the place in the text
		line += bytes.Count(data[at:s.Line], []byte{'\n'})
		at = s.Line
		list[i].Line = line
	}
	return list, nil
}

// collect adds the texts of a value and of all below it, each with its place in the text as its line.
func collect(path, key string, v jsondoc.Value, list *[]String) {
	below := func(name string) string {
		if key != "" {
			name = key + "." + name
		}
		if len(name) > maxKey {
			name = strings.ToValidUTF8(name[:maxKey], "") + "…"
		}
		return name
	}
	switch v.Kind() {
	case jsondoc.String:
		text, err := v.Text()
		if err == nil && text != "" {
			*list = append(*list, String{path, v.Start(), key, text})
		}
	case jsondoc.Object:
		for name, member := range v.Members() {
			collect(path, below(name), member, list)
		}
	case jsondoc.Array:
		i := 0
		for item := range v.Items() {
			collect(path, below(fmt.Sprint(i)), item, list)
			i++
		}
	}
}

// separator finds what divides the cells of a table: what its first line has most of.
func separator(data []byte) rune {
	first, _, _ := bytes.Cut(data, []byte("\n"))
	best, most := ',', -1
	for _, c := range ",;\t" {
		if n := bytes.Count(first, []byte(string(c))); n > most {
			best, most = c, n
		}
	}
	return best
}

// readTable reads all cells. The first cell of a row is its key.
func readTable(path string, data []byte, separator rune) ([]String, error) {
	r := csv.NewReader(bytes.NewReader(data))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = separator, -1, true
	var list []String
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			e := &Error{File: path, Message: err.Error(), Err: fmt.Errorf("%w: %w", formats.ErrDamaged, err)}
			var at *csv.ParseError
			if errors.As(err, &at) {
				e.Line, e.Message = at.Line, at.Err.Error()
			}
			return nil, e
		}
		for i, cell := range row {
			if cell == "" {
				continue
			}
			line, _ := r.FieldPos(i)
			s := String{File: path, Line: line, Text: cell}
			if i > 0 {
				s.Key = row[0]
			}
			list = append(list, s)
		}
	}
}
