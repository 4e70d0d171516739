// Package problem defines what a project has to say about itself: one value a finding, with its place and what to do.
package problem

import (
	"cmp"
	"fmt"
	"slices"
)

// Level says how bad a problem is.
type Level uint8

// The levels, from the least to the most severe.
const (
	Info Level = iota
	Warning
	Error
)

// String gives the word used in JSON output and in the log: info, warning or error.
func (l Level) String() string {
	switch l {
	case Error:
		return "error"
	case Warning:
		return "warning"
	}
	return "info"
}

// MarshalText writes the level as its word.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// A Problem is one finding about a project. Its JSON form is part of what the commands promise.
type Problem struct {
	Level   Level  `json:"level"`
	Code    string `json:"code"`             // a fixed word such as "scene-missing", for programs and for tests
	Message string `json:"message"`          // what is wrong, with exact names
	File    string `json:"file,omitempty"`   // relative to the project folder, with forward slashes
	Line    int    `json:"line,omitempty"`   // from 1; 0 when the whole file is meant
	Column  int    `json:"column,omitempty"` // from 1, in characters; 0 when the whole line is meant
	Hint    string `json:"hint,omitempty"`   // what the person can do next
	Repair  string `json:"repair,omitempty"` // id of the repair that Project.Repair can carry out, or empty
}

// String gives the problem in the form "file(line,column): message".
func (p Problem) String() string {
	switch {
	case p.File == "":
		return p.Message
	case p.Line == 0:
		return p.File + ": " + p.Message
	}
	return fmt.Sprintf("%s(%d,%d): %s", p.File, p.Line, p.Column, p.Message)
}

// Merge puts lists together: each problem once, errors before warnings before notes, then by file and place. A problem
// that two lists tell with the same code, message and place is the same problem.
func Merge(lists ...[]Problem) []Problem {
	type identity struct{ code, message, file string }
	seen := map[identity]bool{}
	var all []Problem
	for _, list := range lists {
		for _, p := range list {
			id := identity{p.Code, p.Message, p.File}
			if seen[id] {
				continue
			}
			seen[id] = true
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(b.Level, a.Level), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return all
}
