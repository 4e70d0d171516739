package overrides

import (
	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
	"talebinder/project/document"
	"talebinder/project/problem"
)

// A Target says what an edit is about. With Component empty it is all of a member, and with Entity zero too, the whole
// instance. With Path empty it is a whole component. A component without an entity is one of the instance's root.
type Target struct {
	File      string    // asset path of the scene or prefab that the instance is in
	Instance  guid.Guid // the entity with the prefab link
	Entity    guid.Guid // of the prefab; the id that the member has in the expanded scene is understood as well
	Component string
	Path      string
}

// What says in which way a change touches a value.
type What uint8

// The ways.
const (
	OverrideAdded     What = iota // the instance gets an override
	OverrideChanged               // an override of the instance gets another value, or another place among the overrides
	OverrideRemoved               // an override of the instance goes
	ComponentRemoved              // the instance does without a component of the prefab
	ComponentRestored             // the instance has a component of the prefab again
	OwnChanged                    // an own component of the instance changes
	OwnRemoved                    // an own component of the instance goes
	PrefabChanged                 // a value of the prefab changes, or one that it keeps for a prefab in it
	PrefabRemoved                 // a component of the prefab goes
	Seen                          // another instance, which does not override the value, comes to see another one
)

// String gives the word that commands use.
func (w What) String() string {
	return [...]string{
		"overrideAdded", "overrideChanged", "overrideRemoved", "componentRemoved", "componentRestored", "ownChanged",
		"ownRemoved", "prefabChanged", "prefabRemoved", "seen",
	}[w]
}

// An InstanceRef names an instance.
type InstanceRef struct {
	File string
	ID   guid.Guid
	Path []string // the names from the outermost parent down to the instance
}

// A Touched is one value that a change touches.
type Touched struct {
	What       What
	File       string    // the file that changes; for Seen the file of the instance, which stays as it is
	Instance   guid.Guid // zero for PrefabChanged and PrefabRemoved
	Entity     guid.Guid // within the prefab; for PrefabChanged and PrefabRemoved the entity of the file
	EntityName string
	Component  string
	Path       string
	Old, New   jsondoc.Value // Missing when there is none
}

// A Change is an edit that has been worked out and not been made: what it would do is there to be looked at. Workspace.Do
// makes it.
type Change struct {
	Title     string                // for the undo stack, such as "Revert tint"
	Files     []document.FileChange // what changes, in the order in which it is saved; empty when nothing changes
	Instances []InstanceRef         // which differ afterwards: those that are written and those that see other values
	Values    []Touched             // in the order of the files, those of kind Seen last
	Skipped   []problem.Problem     // what could not be done: such as overrides that cannot be applied
	Created   guid.Guid             // the entity or the prefab asset that the change makes, or zero

	prefabs map[guid.Guid]string // asset paths of prefabs that the change makes
}

// Empty says that the change changes nothing.
func (c *Change) Empty() bool { return len(c.Files) == 0 }
