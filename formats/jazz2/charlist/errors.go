package charlist

import (
	"fmt"

	"talebinder/formats"
)

// An Error says what is wrong with a list, and where. It wraps formats.ErrDamaged, or a *formats.LimitError.
type Error struct {
	Line     int // from 1; 0 when no place in a text is known
	Column   int // in characters, from 1
	Position int // index of the character in the list, or -1
	Err      error
}

// Error names the character and what is wrong. Line and column are left to the caller, who knows the file's name.
func (e *Error) Error() string {
	if e.Position >= 0 {
		return fmt.Sprintf("character at position %d: %v", e.Position, e.Err)
	}
	return e.Err.Error()
}

// Unwrap gives the reason.
func (e *Error) Unwrap() error { return e.Err }

// fault is damage in words that need no structure in front of them.
type fault struct{ found, expected string }

func (f *fault) Error() string {
	if f.expected == "" {
		return f.found
	}
	return f.found + ", expected " + f.expected
}

func (f *fault) Unwrap() error { return formats.ErrDamaged }

func damaged(position int, found, expected string) *Error {
	return &Error{Position: position, Err: &fault{found, expected}}
}

func outOfRange(name string, position int, value, low, high int64) *Error {
	err := fmt.Errorf("%s is %d, expected %d to %d: %w", name, value, low, high, &formats.LimitError{What: name, Value: value, Max: high})
	if value < low {
		err = &fault{fmt.Sprintf("%s is %d", name, value), fmt.Sprintf("%d to %d", low, high)}
	}
	return &Error{Position: position, Err: err}
}

func noCharacters() *Error {
	return damaged(-1, "Characters has none", "an array with an object for each cell of the image")
}
