// Package formats holds the kinds of error that every format package shares.
//
// A reader reports one of three things: the file breaks its format (ErrDamaged), the file is fine but this program
// does not handle it (ErrUnsupported), or a limit of the format or of the medium is exceeded (*LimitError). Every
// other error of a format package wraps one of them or the error of the reader below it.
package formats

import (
	"errors"
	"fmt"
	"strings"
)

// ErrDamaged is wrapped by every error that says a file does not follow its format.
var ErrDamaged = errors.New("damaged")

// ErrUnsupported is wrapped by every error that says a well-formed file uses something this program does not handle.
var ErrUnsupported = errors.New("not supported")

// A Fault is damage, or an unsupported feature, at a place in a file.
type Fault struct {
	Kind     error  // ErrDamaged or ErrUnsupported
	Part     string // the structure that was read, such as "table of contents: entry 2"
	Offset   int64  // byte offset in the file, or -1 when no single place can be named
	Found    string // what was found, such as "an end at byte 68157440"
	Expected string // what was expected, such as "at most 67108864, the file's length"
}

// Error names the part, the offset, what was found and what was expected.
func (f *Fault) Error() string {
	var b strings.Builder
	b.WriteString(f.Part)
	if f.Offset >= 0 {
		fmt.Fprintf(&b, " at byte %d", f.Offset)
	}
	b.WriteString(": ")
	b.WriteString(f.Found)
	if f.Expected != "" {
		b.WriteString(", expected ")
		b.WriteString(f.Expected)
	}
	return b.String()
}

// Unwrap gives the kind of the fault.
func (f *Fault) Unwrap() error { return f.Kind }

// Damaged returns a Fault of kind ErrDamaged. An offset of -1 means that no single place can be named.
func Damaged(part string, offset int64, found, expected string) *Fault {
	return &Fault{Kind: ErrDamaged, Part: part, Offset: offset, Found: found, Expected: expected}
}

// Unsupported returns a Fault of kind ErrUnsupported.
func Unsupported(part string, offset int64, found, expected string) *Fault {
	return &Fault{Kind: ErrUnsupported, Part: part, Offset: offset, Found: found, Expected: expected}
}

// A LimitError says that a value exceeds what a format or a medium can hold.
type LimitError struct {
	What  string // what is limited, such as "glyph width"
	Value int64
	Max   int64
	Unit  string // "pixels", "bytes", ... or empty
}

// Error gives the value and the limit.
func (e *LimitError) Error() string {
	unit := ""
	if e.Unit != "" {
		unit = " " + e.Unit
	}
	return fmt.Sprintf("%s is %d%s, the limit is %d%s", e.What, e.Value, unit, e.Max, unit)
}
