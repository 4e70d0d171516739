// Package plugins reads the plugins of a Talesmith project: the manifest of each folder, config/plugins.json, and what
// follows from both, which plugins ship and in which order they load.
package plugins

import "talebinder/project/problem"

// A State says what becomes of a plugin.
type State uint8

// The states of a plugin.
const (
	Pending  State = iota // can be loaded, and ships
	Disabled              // switched off by the person or by its manifest
	Skipped               // does not fit the engine or the other plugins
	Failed                // its manifest is missing or invalid, or its id is taken
)

// A Plugin is one folder of the plugins folder.
type Plugin struct {
	Folder   string    // name of its folder in the plugins folder
	Manifest *Manifest // nil when there is none, or an invalid one
	State    State
	Reason   string // why it is skipped or failed, for people
}

// A Manifest is the content of a plugin.json.
type Manifest struct{}

// A Set is the plugins of a project.
type Set struct{}

// Load reads every plugin. configText is the text of config/plugins.json, nil when there is none; engineVersion is the
// version of the engine that the manifests' minEngineVersion is held against, and empty when it is not known.
func Load(assetRoot, pluginsFolder string, configText []byte, engineVersion string) *Set {
	return &Set{}
}

// All gives every plugin in ordinal order of its folder.
func (s *Set) All() []*Plugin { return nil }

// Shipped gives the plugins that ship, in load order.
func (s *Set) Shipped() []*Plugin { return nil }

// Problems gives what is wrong with the plugins and with config/plugins.json.
func (s *Set) Problems() []problem.Problem { return nil }
