package scene

import (
	"fmt"

	"talebinder/formats"
)

// Fault says what kind of thing is wrong with a document that cannot be read.
type Fault uint8

// The faults of a document.
const (
	NotJSON          Fault = iota // not a JSON text: syntax, encoding, nesting
	NotObject                     // JSON, but not an object
	VersionNotNumber              // the version is not a whole number of 32 bits
	NewerVersion                  // made by a newer engine
	BadGuid                       // a text that is no guid
	BadColor                      // a text that is no color
	BadType                       // a value of another type than its field
	BadMigration                  // an older document that could not be brought to this version
)

// String gives a fixed word, as problems use it for their code.
func (f Fault) String() string {
	switch f {
	case NotJSON:
		return "not-json"
	case NotObject:
		return "not-object"
	case VersionNotNumber:
		return "version-not-number"
	case NewerVersion:
		return "newer-version"
	case BadGuid:
		return "bad-guid"
	case BadColor:
		return "bad-color"
	case BadMigration:
		return "bad-migration"
	}
	return "bad-type"
}

// A ReadError says why a file is no scene or prefab that can be read, and where. It wraps formats.ErrDamaged, or
// formats.ErrUnsupported when the file is of a newer version.
type ReadError struct {
	File         string
	Line, Column int // from 1, the column in characters; 0 when the whole file is meant
	Fault        Fault
	Message      string
	Hint         string // what the person can do, or empty
	Err          error  // what was behind it, or nil
}

// Error gives the place in the form "file(line,column): message".
func (e *ReadError) Error() string {
	message := e.Message
	if e.Hint != "" {
		message += "; " + e.Hint
	}
	switch {
	case e.File == "" && e.Line == 0:
		return message
	case e.File == "":
		return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, message)
	case e.Line == 0:
		return e.File + ": " + message
	}
	return fmt.Sprintf("%s(%d,%d): %s", e.File, e.Line, e.Column, message)
}

// Unwrap gives the kind of the error and what was behind it.
func (e *ReadError) Unwrap() []error {
	kind := formats.ErrDamaged
	if e.Fault == NewerVersion {
		kind = formats.ErrUnsupported
	}
	if e.Err == nil {
		return []error{kind}
	}
	return []error{kind, e.Err}
}
