package jsondoc

import (
	"fmt"
	"strconv"
	"strings"
)

// A PathError says that a path cannot be set because something on the way is neither an object nor a list that has the
// index.
type PathError struct {
	Path    string
	Segment string // where it went wrong
	Found   Kind   // what is there
}

// Error names the path, the segment and what was found.
func (e *PathError) Error() string {
	return fmt.Sprintf("path %q: %q cannot be set in %s", e.Path, e.Segment, e.Found)
}

// Path gives the value at a path in v, or Missing. The segments of a path are separated by dots; in a list a segment of
// digits is an index, in an object every segment is a name.
func (v Value) Path(path string) Value {
	for segment := range strings.SplitSeq(path, ".") {
		switch v.Kind() {
		case Object:
			v = v.Get(segment)
		case Array:
			i, ok := pathIndex(segment)
			if !ok {
				return Value{}
			}
			v = v.Index(i)
		default:
			return Value{}
		}
	}
	return v
}

// SetPath gives the edit that sets the value at a path in v. What is missing, or null in an object, on the way is
// created: a list where the next segment is an index, else an object. A list takes an index up to its length. When the
// path turns out to be wrong the error is a *PathError; the edit then still creates what the path needed until there,
// as the engine does, and may be left out.
func (v Value) SetPath(path string, raw []byte) (Edit, error) {
	segments := strings.Split(path, ".")
	fault := func(segment string, found Kind) error {
		return &PathError{Path: path, Segment: segment, Found: found}
	}
	for n, segment := range segments {
		rest := segments[n+1:]
		switch v.Kind() {
		case Object:
			next := v.Get(segment)
			if len(rest) > 0 && next.Exists() && next.Kind() != Null {
				v = next
				continue
			}
			created, bad := create(rest, raw)
			if bad != "" {
				return v.SetMember(segment, created, nil), fault(bad, Array)
			}
			return v.SetMember(segment, created, nil), nil
		case Array:
			i, ok := pathIndex(segment)
			count := v.Len()
			if !ok || i > count {
				return Edit{}, fault(segment, Array)
			}
			if i < count {
				next := v.Index(i)
				if len(rest) > 0 {
					v = next
					continue
				}
				return next.Replace(raw), nil
			}
			created, bad := create(rest, raw)
			if bad != "" {
				return v.InsertItem(i, created), fault(bad, Array)
			}
			return v.InsertItem(i, created), nil
		default:
			return Edit{}, fault(segment, v.Kind())
		}
	}
	return Edit{}, nil // there is always a segment
}

// create makes the containers for the segments with raw inside. A new list has no index but 0; the segment that asks for
// another is given back, with what has been made until there.
func create(segments []string, raw []byte) (created []byte, bad string) {
	var closing []byte
	for _, segment := range segments {
		i, ok := pathIndex(segment)
		if !ok {
			created = append(created, "{\n"...)
			created = append(AppendString(created, segment, Relaxed), ": "...)
			closing = append(closing, "}\n"...)
			continue
		}
		created = append(created, '[')
		closing = append(closing, ']')
		if i != 0 {
			raw, bad = nil, segment
			break
		}
	}
	created = append(created, raw...)
	for i := len(closing) - 1; i >= 0; i-- {
		created = append(created, closing[i])
	}
	return created, bad
}

// pathIndex reads a segment as an index: digits only, at most 2147483647.
func pathIndex(segment string) (int, bool) {
	for _, c := range []byte(segment) {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	i, err := strconv.ParseInt(segment, 10, 32)
	return int(i), err == nil
}
