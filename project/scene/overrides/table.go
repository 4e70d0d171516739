package overrides

import (
	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
	"talebinder/project/problem"
)

// Class says what an instance's own value is good for.
type Class uint8

// The classes, in the order in which they are shown.
const (
	Effective  Class = iota // the game sees the instance's value instead of the prefab's
	Redundant               // the same value as the prefab's: without it nothing changes, until the prefab does
	Hidden                  // an own component of the instance takes the place of the one that the value is for
	Orphaned                // the entity or component is not in the prefab, or the path leads nowhere in it any more
	Unreadable              // it cannot be set at all: the path is empty, or the prefab is missing or cannot be read
)

// Classes gives all classes in order.
func Classes() []Class { return []Class{Effective, Redundant, Hidden, Orphaned, Unreadable} }

// String gives the word that commands and tables use.
func (c Class) String() string {
	switch c {
	case Effective:
		return "effective"
	case Redundant:
		return "redundant"
	case Hidden:
		return "hidden"
	case Orphaned:
		return "orphaned"
	}
	return "unreadable"
}

// ParseClass finds a class by its word.
func ParseClass(word string) (Class, bool) {
	for _, c := range Classes() {
		if c.String() == word {
			return c, true
		}
	}
	return 0, false
}

// Kind says in which way an instance differs from its prefab.
type Kind uint8

// The kinds of a difference.
const (
	Value    Kind = iota // an override: a value instead of the prefab's
	Removed              // a component of the prefab that the instance does not have
	Replaced             // an own component in the place of the prefab's of the same type
	Added                // an own component that the prefab does not have
)

// String gives the word that commands and tables use.
func (k Kind) String() string {
	switch k {
	case Value:
		return "override"
	case Removed:
		return "removed"
	case Replaced:
		return "replaced"
	}
	return "added"
}

// A PrefabRef names a prefab.
type PrefabRef struct {
	Asset guid.Guid
	Path  string // asset path, or empty when the project has no such asset
}

// A Row is one thing in which an instance differs from its prefab.
type Row struct {
	File         string // asset path of the scene or prefab that the instance is in
	Line, Column int    // of the override, counted from 1
	Kind         Kind
	Class        Class
	Reason       string // why it is hidden, orphaned or unreadable, as a sentence; empty otherwise
	Index        int    // among the instance's overrides, removed components or own components

	Instance     guid.Guid // the entity with the prefab link
	InstancePath []string  // the names from the outermost parent down to the instance
	Entity       guid.Guid // within the prefab: as the override names it, the root's for an own component
	EntityName   string    // empty when there is no such entity
	Member       guid.Guid // the same entity as the expanded scene has it, or zero
	Component    string
	Path         string // in the component's data; empty for whole components

	PrefabValue   jsondoc.Value // without this instance's changes; Missing when the prefab has none
	InstanceValue jsondoc.Value // as the file says it; Missing for a removed component
	Chain         []PrefabRef   // from the instance's prefab, through the prefabs in it, to the one in which the entity is written
}

// Target names what the row is about, for Revert and Apply.
func (r Row) Target() Target {
	return Target{File: r.File, Instance: r.Instance, Entity: r.Entity, Component: r.Component, Path: r.Path}
}

// A Filter chooses rows. Its zero value chooses all.
type Filter struct {
	Files   []string // asset paths of scenes and prefabs; empty means all of the project
	Classes []Class  // empty means all
	Kinds   []Kind   // empty means all
}

// A Table is what Overrides found.
type Table struct {
	Rows      []Row             // by file, then in the order of the document; within an instance by kind, then in order
	Problems  []problem.Problem // files that cannot be read, by file
	Files     int               // read
	Instances int               // of prefabs, in these files
}

// Counts gives the number of rows of each class.
func (t *Table) Counts() map[Class]int {
	counts := map[Class]int{}
	for i := range t.Rows {
		counts[t.Rows[i].Class]++
	}
	return counts
}
