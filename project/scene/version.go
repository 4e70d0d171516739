package scene

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"talebinder/formats/jsondoc"
	"talebinder/formats/jsonscan"
)

// A Migration brings a document from one version to the next: it gives the document with everything changed but its
// version, which is raised afterwards.
type Migration func(*jsondoc.Doc) (*jsondoc.Doc, error)

// Migrations are the migrations that ParseWith uses. The zero value has none, as the engine has none itself; games and plugins
// may have some. Register all before the first use: afterwards it may be used by many goroutines.
type Migrations struct {
	steps map[migrationKey]Migration
}

type migrationKey struct {
	kind Kind
	from int32
}

// Register adds the migration of a kind of document from a version to the next. It is an error to register two for one
// version, or one for a version that is current or newer.
func (m *Migrations) Register(kind Kind, from int32, step Migration) error {
	key := migrationKey{kind, from}
	switch {
	case from >= Version:
		return fmt.Errorf("migration of a %s from version %d: expected a version below %d, the current one", kind, from, Version)
	case m.steps[key] != nil:
		return fmt.Errorf("migration of a %s from version %d: there is one already", kind, from)
	}
	if m.steps == nil {
		m.steps = map[migrationKey]Migration{}
	}
	m.steps[key] = step
	return nil
}

// migrate brings a document to the current version. Where no migration is registered the version alone rises, which is
// only written into the text when a migration has changed it.
func (r *reader) migrate(m *Migrations, version int32) error {
	if m == nil {
		return nil
	}
	d := r.document
	for key := range m.steps { // a version far below the first migration has nothing to do until there
		if key.kind == d.Kind && key.from >= version {
			d.Migrated = true
		}
	}
	if !d.Migrated {
		return nil
	}
	first := version
	for from := version; from < Version; from++ {
		from = m.next(d.Kind, from)
		if from >= Version {
			break
		}
		failed := func(err error) error {
			return &ReadError{Fault: BadMigration, Err: err,
				Message: fmt.Sprintf("the %s is of version %d, and bringing it from version %d to %d failed: %v", d.Kind, first, from, from+1, err)}
		}
		doc, err := setVersion(d.JSON, from)
		if err != nil {
			return failed(err)
		}
		if doc, err = m.steps[migrationKey{d.Kind, from}](doc); err != nil {
			return failed(err)
		}
		if doc == nil || doc.Root().Kind() != jsondoc.Object {
			return failed(errors.New("the migration gave no object"))
		}
		if doc, err = setVersion(doc, from+1); err != nil {
			return failed(err)
		}
		d.JSON = doc
	}
	var err error
	d.JSON, err = setVersion(d.JSON, Version)
	return err
}

// next gives the first version from the given one on that a migration is for, or the current version.
func (m *Migrations) next(kind Kind, from int32) int32 {
	next := int32(Version)
	for key := range m.steps {
		if key.kind == kind && key.from >= from {
			next = min(next, key.from)
		}
	}
	return next
}

func setVersion(doc *jsondoc.Doc, version int32) (*jsondoc.Doc, error) {
	return doc.Apply(doc.Root().SetMember("version", strconv.AppendInt(nil, int64(version), 10), documentOrder))
}

// readVersion gives the version of a document. The first property of that name decides whether the document is refused,
// as in the engine, which looks at it before it reads anything else; the last one counts afterwards.
func readVersion(root jsondoc.Value) (int32, error) {
	version := int32(1)
	for name, value := range root.Members() {
		if name != "version" {
			continue
		}
		n, err := value.Int32()
		if err != nil {
			return 0, faultAt(value, VersionNotNumber, "version: %s", reason(err))
		}
		if n > Version {
			line, column := value.Position()
			return 0, newer(line, column, strconv.Itoa(int(n)))
		}
		version = n
	}
	return version, nil
}

// newer makes the error for a version that this program does not know.
func newer(line, column int, version string) *ReadError {
	return &ReadError{Line: line, Column: column, Fault: NewerVersion,
		Message: fmt.Sprintf("this file is of version %s, and version %d is the newest that can be read", version, Version),
		Hint:    "it was saved by a newer Talesmith: update Talesmith and Talebinder, or save it again with the older one"}
}

// syntax makes the error for a text that is no JSON. When its version stands before the mistake and is newer, that is the
// better reason: a newer version may well look different.
func (r *reader) syntax(text []byte, err error) error {
	if offset, version, ok := versionBefore(text); ok {
		n, bad := strconv.ParseInt(version, 10, 32)
		if bad == nil && n > Version {
			line, column := place(text, offset)
			return newer(line, column, version)
		}
	}
	var syntax *jsondoc.SyntaxError
	if errors.As(err, &syntax) {
		return &ReadError{Line: syntax.Line, Column: syntax.Column, Fault: NotJSON, Message: syntax.Message, Err: err}
	}
	return err
}

// versionBefore finds the first version at the top of a text, which need not be sound behind it.
func versionBefore(text []byte) (offset int, number string, ok bool) {
	var s jsonscan.Scanner
	s.Reset(bytes.NewReader(text))
	depth, named := 0, false
	for {
		token, err := s.Next()
		if err != nil || token == jsonscan.End {
			return 0, "", false
		}
		switch token {
		case jsonscan.BeginObject, jsonscan.BeginArray:
			depth++
		case jsonscan.EndObject, jsonscan.EndArray:
			depth--
		case jsonscan.Name:
			named = depth == 1 && string(s.Raw()) == "version"
			continue
		case jsonscan.Number:
			if named && depth == 1 {
				return int(s.Offset()), string(s.Raw()), true
			}
		}
		named = false
	}
}

// place gives the line and column of an offset in a text that is no document.
func place(text []byte, offset int) (line, column int) {
	before := text[:min(offset, len(text))]
	line = bytes.Count(before, []byte{'\n'}) + 1
	return line, len([]rune(string(before[bytes.LastIndexByte(before, '\n')+1:]))) + 1
}
