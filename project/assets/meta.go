package assets

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"talebinder/formats"
	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
)

// metaVersion is the newest version of .meta files that is read, and the one that is written.
const metaVersion = 1

// maxMeta is the size in bytes above which a file is not taken for a .meta file. Real ones have a few kilobytes.
const maxMeta = 16 << 20

// Meta is what a .meta file says.
type Meta struct {
	Version         int // as it was read; always written as 1
	Guid            guid.Guid
	Folder          bool
	Importer        string // "" when there is none
	ImporterVersion int
	Settings        []byte   // the JSON object of the importer's settings as it was read, or nil; not to be changed
	Labels          []string // not to be changed
}

// A MetaError says where and why a file is no valid .meta file. It wraps formats.ErrDamaged, or formats.ErrUnsupported
// when the file is of a newer version.
type MetaError struct {
	Line, Column int // from 1
	Message      string
	Kind         error
}

// Error gives the place and the message.
func (e *MetaError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// Unwrap gives the kind of the error.
func (e *MetaError) Unwrap() error { return e.Kind }

// ParseMeta reads a .meta file: an object whose property names are taken in any case. Comments and trailing commas are
// accepted and unknown properties ignored. A version above 1, a guid that is missing, zero or no guid, and values of a
// wrong type are errors: *MetaError, *jsondoc.SyntaxError or *jsondoc.TypeError, all with line and column.
func ParseMeta(text []byte) (*Meta, error) {
	m, err := parseMeta(text, nil)
	if err != nil {
		return nil, err
	}
	return &m, nil
}

// A pool keeps the texts of metas, which are the same in many files, only once. A nil pool copies them. It is not safe
// for several goroutines.
type pool struct {
	texts map[string]string
	raws  map[string][]byte
}

func newPool() *pool { return &pool{texts: map[string]string{}, raws: map[string][]byte{}} }

func (p *pool) text(b []byte) string {
	if p == nil {
		return string(b)
	}
	s, ok := p.texts[string(b)]
	if !ok {
		s = string(b)
		p.texts[s] = s
	}
	return s
}

func (p *pool) raw(b []byte) []byte {
	if p == nil {
		return bytes.Clone(b)
	}
	s, ok := p.raws[string(b)]
	if !ok {
		s = bytes.Clone(b)
		p.raws[string(s)] = s
	}
	return s
}

// parseMeta is ParseMeta; it keeps nothing of text.
func parseMeta(text []byte, keep *pool) (Meta, error) {
	if m, ok := parseEngineMeta(text, keep); ok {
		return m, nil
	}
	doc, err := jsondoc.Parse(text)
	if err != nil {
		return Meta{}, err
	}
	root := doc.Root()
	fail := func(v jsondoc.Value, kind error, format string, args ...any) (Meta, error) {
		line, column := v.Position()
		return Meta{}, &MetaError{Line: line, Column: column, Message: fmt.Sprintf(format, args...), Kind: kind}
	}
	if root.Kind() != jsondoc.Object {
		return fail(root, formats.ErrDamaged, "expected an object, found %s", root.Kind())
	}
	var m Meta
	for name, v := range root.Members() {
		if v.Kind() == jsondoc.Null {
			m.clear(name)
			continue
		}
		switch strings.ToLower(name) {
		case "version":
			var n int32
			if n, err = v.Int32(); err == nil && n > metaVersion {
				return fail(v, formats.ErrUnsupported, "version %d is newer than %d, the version that can be read", n, metaVersion)
			}
			m.Version = int(n)
		case "guid":
			var s string
			if s, err = v.Text(); err != nil {
				break
			}
			if m.Guid, err = guid.Parse(s); err != nil {
				return fail(v, formats.ErrDamaged, "%v", err)
			}
			if m.Guid.IsZero() {
				return fail(v, formats.ErrDamaged, "the guid is zero, which stands for no guid")
			}
		case "folder":
			m.Folder, err = v.Bool()
		case "importer":
			m.Importer, err = blankless(v, keep)
		case "importerversion":
			var n int32
			n, err = v.Int32()
			m.ImporterVersion = int(n)
		case "settings":
			m.Settings = nil
			if v.Kind() == jsondoc.Object {
				m.Settings = keep.raw(v.Raw())
			}
		case "labels":
			m.Labels, err = parseLabels(v, keep)
		}
		if err != nil {
			return Meta{}, err
		}
	}
	if m.Guid.IsZero() {
		return fail(root, formats.ErrDamaged, "there is no guid")
	}
	return m, nil
}

// clear does what a property with the value null does.
func (m *Meta) clear(name string) {
	switch strings.ToLower(name) {
	case "version":
		m.Version = 0
	case "guid":
		m.Guid = guid.Guid{}
	case "folder":
		m.Folder = false
	case "importer":
		m.Importer = ""
	case "importerversion":
		m.ImporterVersion = 0
	case "settings":
		m.Settings = nil
	case "labels":
		m.Labels = nil
	}
}

// blankless gives a text, or "" when it is blank.
func blankless(v jsondoc.Value, keep *pool) (string, error) {
	s, err := v.Text()
	if err != nil || strings.TrimSpace(s) == "" {
		return "", err
	}
	return keep.text([]byte(s)), nil
}

func parseLabels(v jsondoc.Value, keep *pool) ([]string, error) {
	if v.Kind() != jsondoc.Array {
		line, column := v.Position()
		return nil, &jsondoc.TypeError{Line: line, Column: column, Expected: "a list of labels", Found: v.Kind().String()}
	}
	var labels []string
	for item := range v.Items() {
		if item.Kind() == jsondoc.Null {
			continue
		}
		label, err := blankless(item, keep)
		if err != nil {
			return nil, err
		}
		if label != "" {
			labels = append(labels, label)
		}
	}
	return labels, nil
}

// parseEngineMeta reads the text that the engine itself writes for a meta without settings and labels, which nearly all
// are, without building a document. It declines every other text.
func parseEngineMeta(text []byte, keep *pool) (m Meta, ok bool) {
	rest, ok := bytes.CutPrefix(text, []byte("{\n  \"version\": 1,\n  \"guid\": \""))
	if !ok || len(rest) < 33 || rest[32] != '"' {
		return m, false
	}
	if _, err := hex.Decode(m.Guid[:], rest[:32]); err != nil || m.Guid.IsZero() {
		return m, false
	}
	m.Version = 1
	rest = rest[33:]
	if after, ok := bytes.CutPrefix(rest, []byte(",\n  \"folder\": true")); ok {
		m.Folder = true
		rest = after
	}
	if after, ok := bytes.CutPrefix(rest, []byte(",\n  \"importer\": \"")); ok {
		end := bytes.IndexByte(after, '"')
		if end <= 0 || slices.ContainsFunc(after[:end], func(c byte) bool { return c <= ' ' || c > '~' || c == '\\' }) {
			return m, false
		}
		m.Importer = keep.text(after[:end])
		if rest, ok = bytes.CutPrefix(after[end:], []byte("\",\n  \"importerVersion\": ")); !ok || len(rest) < 3 {
			return m, false
		}
		if c := rest[0]; c < '1' || c > '9' || rest[1] != '\n' {
			return m, false
		}
		m.ImporterVersion = int(rest[0] - '0')
		rest = rest[1:]
	}
	return m, string(rest) == "\n}"
}

// Text gives the meta exactly as the engine writes it: without a final newline, and without what a reader drops.
func (m *Meta) Text() []byte {
	w := jsondoc.NewWriter(jsondoc.Strict)
	w.BeginObject()
	w.Name("version")
	w.Int(metaVersion)
	w.Name("guid")
	w.String(m.Guid.String())
	if m.Folder {
		w.Name("folder")
		w.Bool(true)
	}
	if m.Importer != "" {
		w.Name("importer")
		w.String(m.Importer)
	}
	if m.Importer != "" || m.ImporterVersion != 0 {
		w.Name("importerVersion")
		w.Int(int64(m.ImporterVersion))
	}
	if m.Settings != nil {
		if doc, err := jsondoc.Parse(m.Settings); err == nil && doc.Root().Kind() == jsondoc.Object {
			w.Name("settings")
			w.Value(doc.Root())
		}
	}
	if len(m.Labels) > 0 {
		w.Name("labels")
		w.BeginArray()
		for _, label := range m.Labels {
			w.String(label)
		}
		w.EndArray()
	}
	w.EndObject()
	return w.Bytes()
}

// equal reports whether two metas say the same.
func (m *Meta) equal(o *Meta) bool {
	return m.Version == o.Version && m.Guid == o.Guid && m.Folder == o.Folder && m.Importer == o.Importer &&
		m.ImporterVersion == o.ImporterVersion && bytes.Equal(m.Settings, o.Settings) && slices.Equal(m.Labels, o.Labels)
}

// metaOrder is the order of the properties of a .meta file.
var metaOrder = []string{"version", "guid", "folder", "importer", "importerVersion", "settings", "labels"}

// edited gives the text of a .meta file that says m, made from one that says old by changing nothing but what differs.
// Where that cannot be done, it is the text that the engine writes.
func (m *Meta) edited(text []byte, old *Meta) []byte {
	doc, err := jsondoc.Parse(text)
	if err != nil {
		return m.Text()
	}
	change := func(changed bool, name string, value []byte) {
		if err != nil || !changed {
			return
		}
		var edit jsondoc.Edit
		switch member := doc.Root().GetFold(name); {
		case value == nil && member.Exists():
			written, _ := member.Name().Text()
			edit = doc.Root().RemoveMember(written)
		case value == nil:
			return
		case member.Exists():
			edit = member.Replace(value)
		default:
			edit = doc.Root().SetMember(name, value, metaOrder)
		}
		doc, err = doc.Apply(edit)
	}
	quoted := func(s string) []byte {
		if s == "" {
			return nil
		}
		return jsondoc.AppendString(nil, s, jsondoc.Strict)
	}
	var folder []byte
	if m.Folder {
		folder = []byte("true")
	}
	change(m.Guid != old.Guid, "guid", quoted(m.Guid.String()))
	change(m.Folder != old.Folder, "folder", folder)
	change(m.Importer != old.Importer, "importer", quoted(m.Importer))
	change(m.ImporterVersion != old.ImporterVersion, "importerVersion", fmt.Append(nil, m.ImporterVersion))
	if err == nil {
		want := *m
		want.Version = old.Version
		if got, err := ParseMeta(doc.Text()); err == nil && got.equal(&want) {
			return doc.Text()
		}
	}
	return m.Text()
}

// placeOf gives the line and column that an error of ParseMeta names.
func placeOf(err error) (line, column int) {
	var meta *MetaError
	var syntax *jsondoc.SyntaxError
	var kind *jsondoc.TypeError
	switch {
	case errors.As(err, &meta):
		return meta.Line, meta.Column
	case errors.As(err, &syntax):
		return syntax.Line, syntax.Column
	case errors.As(err, &kind):
		return kind.Line, kind.Column
	}
	return 0, 0
}
