package scene

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"

	"talebinder/formats/jsondoc"
	"talebinder/project/problem"
)

// Problem gives the error as a problem of the project.
func (e *ReadError) Problem() problem.Problem {
	return problem.Problem{Level: problem.Error, Code: e.Fault.String(), Message: e.Message, File: e.File, Line: e.Line, Column: e.Column, Hint: e.Hint}
}

// Problems gives what is odd in a document by itself, in document order. None of it keeps the document from being read. Parents that
// do not exist and ids that occur twice are among the warnings of its expansion, since prefabs bring entities too.
//
//	parent-later     warning  an entity stands before its parent; the engine writes parents first
//	parent-circle    warning  entities are each other's parents, so none of them is seen
//	entity-no-id     warning  an entity has no id, so nothing can refer to it
//	component-twice  warning  an entity has two components of one type
//	prefab-no-root   warning  a prefab has no entity without a parent, so its instances stay empty
//	value-unreadable warning  a value that the engine cannot read in one of its own components, which keeps its default
//	document-no-id   info     the document has no id of its own
//	not-finite       warning  gravity that the engine cannot write
func (d *Document) Problems() []problem.Problem {
	var found []problem.Problem
	var values []placed
	add := func(level problem.Level, v jsondoc.Value, code, hint, format string, args ...any) {
		found = append(found, problem.Problem{Level: level, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint})
		values = append(values, placed{d, v})
	}
	if d.ID.IsZero() {
		add(problem.Info, d.JSON.Root(), "document-no-id", "save it once in Talesmith", "the %s has no id", d.Kind)
	}
	if d.Environment != nil && !d.Environment.Gravity.finite() {
		add(problem.Warning, d.Environment.JSON.Get("gravity"), "not-finite", "use finite numbers", "gravity is not finite")
	}
	if d.Kind == Prefab && d.Root() == nil {
		add(problem.Warning, d.JSON.Root(), "prefab-no-root", "give one entity the parent null", "no entity is without a parent, so instances of this prefab stay empty")
	}
	circles := d.circles()
	for i := range d.Entities {
		e := &d.Entities[i]
		if e.ID.IsZero() {
			add(problem.Warning, e.JSON, "entity-no-id", "give it an id of 32 hexadecimal digits", "entity %q has no id", e.Name)
		}
		if parent, ok := d.byID[e.Parent]; ok && e.HasParent {
			switch {
			case circles[i]:
				add(problem.Warning, e.JSON.Get("parent"), "parent-circle", "give one of them the parent null",
					"entity %q is its own parent, or that of its parents; none of them is seen", e.Name)
			case int(parent) > i:
				add(problem.Warning, e.JSON.Get("parent"), "parent-later", "move the parent in front of its children",
					"entity %q stands before its parent %q", e.Name, d.Entities[parent].Name)
			}
		}
		if e.Link != nil {
			for o := range e.Link.Overrides {
				o := &e.Link.Overrides[o]
				if err := FieldOf(o.Component, o.Path).Check(o.Value); o.Value.Exists() && err != nil {
					add(problem.Warning, o.Value, "value-unreadable", "the engine takes its default instead", "the override of %s in %s of entity %q: %s", o.Path, o.Component, e.Name, reason(err))
				}
			}
		}
		last := lastOfType(e.Components)
		for c := range e.Components {
			if kind := e.Components[c].Type; last(kind) != c {
				add(problem.Warning, e.Components[c].JSON, "component-twice", "remove one of the two",
					"entity %q has another component of the type %s below this one", e.Name, kind)
			}
			for _, field := range Fields(e.Components[c].Type) {
				v := e.Components[c].Data.Get(field.Name)
				if err := field.Check(v); v.Exists() && err != nil {
					add(problem.Warning, v, "value-unreadable", "the engine takes its default instead", "%s.%s of entity %q: %s", e.Components[c].Type, field.Name, e.Name, reason(err))
				}
			}
		}
	}
	places(found, values)
	return found
}

// Problems gives the warnings of an expansion as problems of the project.
func Problems(warnings []Warning) []problem.Problem {
	found := make([]problem.Problem, len(warnings))
	values := make([]placed, len(warnings))
	for i := range warnings {
		found[i] = warnings[i].problem()
		values[i] = placed{warnings[i].Document, warnings[i].JSON}
	}
	places(found, values)
	return found
}

// A placed is where a problem is.
type placed struct {
	document *Document
	value    jsondoc.Value
}

// places gives problems their places. Each text is gone over once, however many problems it has.
func places(problems []problem.Problem, values []placed) {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
		problems[i].File = values[i].document.Name
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(values[a].document.Name, values[b].document.Name), cmp.Compare(values[a].value.Start(), values[b].value.Start()))
	})
	var at *Document
	var offset, line, column int
	for _, i := range order {
		d, v := values[i].document, values[i].value
		if d.Migrated || !v.Exists() {
			continue
		}
		if d != at {
			at, offset, line, column = d, 0, 1, 1
			if bytes.HasPrefix(d.Text(), []byte("\uFEFF")) {
				offset = len("\uFEFF")
			}
		}
		if v.Start() < offset { // two documents of one name
			line, column = v.Position()
		} else {
			between := d.Text()[offset:v.Start()]
			if n := bytes.Count(between, []byte{'\n'}); n > 0 {
				line, column = line+n, 1
				between = between[bytes.LastIndexByte(between, '\n')+1:]
			}
			column += utf8.RuneCount(between)
		}
		offset = v.Start()
		problems[i].Line, problems[i].Column = line, column
	}
}

// circles finds the entities that are reached by going from parent to parent from themselves.
func (d *Document) circles() []bool {
	const unseen, onTheWay, done = 0, 1, 2
	state := make([]uint8, len(d.Entities))
	circle := make([]bool, len(d.Entities))
	parent := func(i int32) int32 {
		if e := &d.Entities[i]; e.HasParent {
			if p, ok := d.byID[e.Parent]; ok {
				return p
			}
		}
		return -1
	}
	for i := range d.Entities {
		at := int32(i)
		for at >= 0 && state[at] == unseen {
			state[at] = onTheWay
			at = parent(at)
		}
		if at >= 0 && state[at] == onTheWay {
			for !circle[at] {
				circle[at] = true
				at = parent(at)
			}
		}
		for at := int32(i); at >= 0 && state[at] == onTheWay; at = parent(at) {
			state[at] = done
		}
	}
	return circle
}
