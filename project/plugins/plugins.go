// Package plugins reads the plugins of a Talesmith project: the manifest of each folder, config/plugins.json, and what
// follows from both, which plugins ship and in which order they load.
//
// Each direct subfolder of the plugins folder is a plugin. What becomes of it is decided in this order:
//
//  1. Without a valid plugin.json it has failed. So have all plugins with one id, when there are several.
//  2. It is disabled when config/plugins.json says so, or when its manifest does and config/plugins.json does not enable it.
//  3. It is skipped when its contractVersion is not the engine's, or its minEngineVersion is newer than the engine.
//  4. Dependencies come first, the smallest id first among those that are ready. A plugin is skipped when a plugin that
//     it requires is missing, is not loaded, or has a version that does not fit, and when it is in a circle of
//     dependencies or needs one that is. A dependency that is optional is left out instead, but counts in circles.
//  5. Everything else is pending: it ships.
package plugins

import (
	"container/heap"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"talebinder/formats/assetpath"
	"talebinder/project/internal/fields"
	"talebinder/project/internal/textfile"
	"talebinder/project/problem"
)

// A State says what becomes of a plugin.
type State uint8

// The states of a plugin.
const (
	Pending  State = iota // can be loaded, and ships
	Disabled              // switched off by the person or by its manifest
	Skipped               // does not fit the engine or the other plugins
	Failed                // its manifest is missing or invalid, or its id is taken
)

// String names the state as people do.
func (s State) String() string {
	switch s {
	case Disabled:
		return "disabled"
	case Skipped:
		return "skipped"
	case Failed:
		return "failed"
	}
	return "loadable"
}

// A Plugin is one folder of the plugins folder.
type Plugin struct {
	Folder   string    // name of its folder in the plugins folder
	Manifest *Manifest // nil when there is none, or an invalid one
	State    State
	Reason   string   // why it is skipped or failed, for people
	Notes    []string // optional dependencies that are left out

	line, column int // of the reason, in plugin.json
}

// ID is the id of the manifest, or the folder's name without a valid one.
func (p *Plugin) ID() string {
	if p.Manifest == nil {
		return p.Folder
	}
	return p.Manifest.ID
}

// A Set is the plugins of a project. It does not change.
type Set struct {
	folder    string // normalized, relative to the asset root
	all       []*Plugin
	shipped   []*Plugin
	configErr error
	problems  []problem.Problem
}

// ManifestFile is the name of the file that makes a folder a plugin.
const ManifestFile = "plugin.json"

// maxManifest is the largest plugin.json that is read, in bytes.
const maxManifest = 4 << 20

// Load reads every plugin. pluginsFolder is relative to the asset root, as game.json has it. configText is the text of
// config/plugins.json, nil when there is none; without a valid one nothing is switched on or off. engineVersion is what
// the manifests' minEngineVersion is held against; empty or no version, it is not known and no plugin is skipped for it.
func Load(assetRoot, pluginsFolder string, configText []byte, engineVersion string) *Set {
	var config Config
	var err error
	if configText != nil {
		config, err = ParseConfig(configText)
	}
	return load(assetRoot, pluginsFolder, config, err, engineVersion)
}

// LoadUnreadable is Load for a project whose config/plugins.json cannot be read; err says why.
func LoadUnreadable(assetRoot, pluginsFolder string, err error, engineVersion string) *Set {
	return load(assetRoot, pluginsFolder, Config{}, err, engineVersion)
}

func load(assetRoot, pluginsFolder string, config Config, configErr error, engineVersion string) *Set {
	s := &Set{configErr: configErr}
	if configErr != nil {
		s.configFaults()
	}
	var err error
	if s.folder, err = assetpath.Normalize(pluginsFolder); err == nil && s.folder == "" {
		err = errors.New("it is the asset folder itself")
	}
	if err != nil {
		s.problems = append(s.problems, problem.Problem{
			Level: problem.Error, Code: "plugins-folder", File: "assets/config/game.json",
			Message: fmt.Sprintf("the plugins folder %q cannot be used: %v", pluginsFolder, err),
			Hint:    "Name a folder below assets, such as \"plugins\".",
		})
		return s
	}
	s.readFolder(assetRoot)
	s.decide(config, engineVersion)
	s.report()
	return s
}

// readFolder finds the plugins and reads their manifests.
func (s *Set) readFolder(assetRoot string) {
	root, err := assetpath.SafeJoin(assetRoot, s.folder)
	var entries []fs.DirEntry
	if err == nil {
		entries, err = os.ReadDir(root)
	}
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			s.problems = append(s.problems, problem.Problem{
				Level: problem.Warning, Code: "plugins-unreadable", File: "assets/" + s.folder,
				Message: "the plugins folder cannot be read: " + err.Error(),
				Hint:    "Plugins do not ship until the folder can be read.",
			})
		}
		return
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return assetpath.Compare(a.Name(), b.Name()) })
	for _, entry := range entries {
		path := filepath.Join(root, entry.Name())
		// A link to a folder is a plugin folder too.
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			continue
		}
		s.all = append(s.all, readPlugin(path))
	}
}

func readPlugin(path string) *Plugin {
	p := &Plugin{Folder: filepath.Base(path)}
	text, _, err := textfile.Read(filepath.Join(path, ManifestFile), maxManifest)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.fail("it has no " + ManifestFile)
		return p
	case err != nil:
		p.fail(ManifestFile + " cannot be read: " + err.Error())
		return p
	}
	p.Manifest, err = ParseManifest(text)
	if err != nil {
		p.fail(ManifestFile + " is not valid: " + err.Error())
		var faults *fields.Error
		if errors.As(err, &faults) {
			p.line, p.column = faults.Faults[0].Line, faults.Faults[0].Column
		}
	}
	return p
}

func (p *Plugin) fail(reason string) { p.State, p.Reason = Failed, reason }
func (p *Plugin) skip(format string, args ...any) {
	p.State, p.Reason = Skipped, fmt.Sprintf(format, args...)
}

// decide sets the states; see the package comment.
func (s *Set) decide(config Config, engineVersion string) {
	byID := map[string][]*Plugin{}
	for _, p := range s.all {
		if p.Manifest != nil {
			byID[p.Manifest.ID] = append(byID[p.Manifest.ID], p)
		}
	}
	for id, same := range byID {
		if len(same) == 1 {
			continue
		}
		folders := make([]string, len(same))
		for i, p := range same {
			folders[i] = p.Folder
		}
		for _, p := range same {
			p.fail(fmt.Sprintf("the id %q is used by several folders: %s", id, strings.Join(folders, ", ")))
		}
	}

	disabled, enabled := setOf(config.Disabled), setOf(config.Enabled)
	engine, err := ParseVersion(engineVersion)
	engineKnown := err == nil
	for _, p := range s.all {
		if p.State == Failed {
			continue
		}
		m := p.Manifest
		switch {
		case disabled[m.ID], !m.Enabled && !enabled[m.ID]:
			p.State = Disabled
		case m.ContractVersion != ContractVersion:
			p.skip("it was made for version %d of the engine's plugin contract, this engine has version %d", m.ContractVersion, ContractVersion)
		case engineKnown && m.MinEngineVersion != nil && m.MinEngineVersion.Compare(engine) > 0:
			p.skip("it needs engine version %s, this engine has version %s", m.MinEngineVersion, engine)
		}
	}
	s.order(byID)
}

func setOf(ids []string) map[string]bool {
	set := make(map[string]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}

// order puts the pending plugins into load order and skips those whose dependencies do not allow them.
func (s *Set) order(byID map[string][]*Plugin) {
	waiting := map[string]*Plugin{} // pending plugins that are not placed yet
	for _, p := range s.all {
		if p.State == Pending {
			waiting[p.Manifest.ID] = p
		}
	}
	needed := map[string]int{}      // how many waiting plugins a plugin depends on
	users := map[string][]*Plugin{} // the waiting plugins that depend on a plugin
	ready := &idHeap{}
	for id, p := range waiting {
		for _, d := range p.Manifest.Dependencies {
			if waiting[d.ID] != nil {
				needed[id]++
				users[d.ID] = append(users[d.ID], p)
			}
		}
		if needed[id] == 0 {
			heap.Push(ready, id)
		}
	}
	for ready.Len() > 0 {
		id := heap.Pop(ready).(string)
		p := waiting[id]
		delete(waiting, id)
		if p.checkDependencies(byID); p.State == Pending {
			s.shipped = append(s.shipped, p)
		}
		for _, user := range users[id] {
			if needed[user.Manifest.ID]--; needed[user.Manifest.ID] == 0 {
				heap.Push(ready, user.Manifest.ID)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(waiting)) {
		if circle := findCircle(id, waiting); circle != nil {
			waiting[id].skip("its dependencies go round in a circle: %s", strings.Join(circle, " needs "))
		} else {
			waiting[id].skip("a plugin that it depends on is in a circle of dependencies")
		}
	}
}

// checkDependencies skips the plugin when a dependency does not allow it. The plugins that it depends on have their final state.
func (p *Plugin) checkDependencies(byID map[string][]*Plugin) {
	var wrong []string
	for _, d := range p.Manifest.Dependencies {
		reason := ""
		switch found := byID[d.ID]; {
		case len(found) == 0:
			reason = fmt.Sprintf("the plugin %q is missing", d.ID)
		case found[0].State != Pending:
			reason = fmt.Sprintf("the plugin %q is %s", d.ID, found[0].State)
		case !d.Range.Contains(found[0].Manifest.Version):
			reason = fmt.Sprintf("the plugin %q has version %s, expected %s", d.ID, found[0].Manifest.Version, d.Range)
		}
		switch {
		case reason == "":
		case d.Optional:
			p.Notes = append(p.Notes, reason)
		default:
			wrong = append(wrong, reason)
		}
	}
	if len(wrong) > 0 {
		p.skip("it cannot be loaded: %s", strings.Join(wrong, "; "))
	}
}

// findCircle gives the shortest way along dependencies from a plugin back to itself, or nil. All plugins on it wait for each other.
func findCircle(id string, waiting map[string]*Plugin) []string {
	from := map[string]string{}
	queue := []string{id}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, d := range waiting[at].Manifest.Dependencies {
			if d.ID == id {
				circle := []string{id}
				for ; at != id; at = from[at] {
					circle = append(circle, at)
				}
				circle = append(circle, id)
				slices.Reverse(circle)
				return circle
			}
			if _, seen := from[d.ID]; !seen && waiting[d.ID] != nil {
				from[d.ID] = at
				queue = append(queue, d.ID)
			}
		}
	}
	return nil
}

// An idHeap gives the smallest id first.
type idHeap []string

func (h idHeap) Len() int           { return len(h) }
func (h idHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h idHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *idHeap) Push(x any)        { *h = append(*h, x.(string)) }
func (h *idHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}

// configFaults adds a problem for each fault of config/plugins.json.
func (s *Set) configFaults() {
	all := []fields.Fault{{Message: s.configErr.Error()}}
	var faults *fields.Error
	if errors.As(s.configErr, &faults) {
		all = faults.Faults
	}
	for _, f := range all {
		s.problems = append(s.problems, problem.Problem{
			Level: problem.Error, Code: "plugins-config-invalid", File: "assets/config/plugins.json", Line: f.Line, Column: f.Column,
			Message: "config/plugins.json is not valid: " + f.Message,
			Hint:    "Correct the file; until then every plugin counts as its manifest says.",
		})
	}
}

// report lists the plugins that do not ship although nobody switched them off.
func (s *Set) report() {
	for _, p := range s.all {
		if p.State != Failed && p.State != Skipped {
			continue
		}
		found := problem.Problem{
			Level: problem.Warning, Code: "plugin-" + p.State.String(), File: "assets/" + s.folder + "/" + p.Folder,
			Message: fmt.Sprintf("the plugin %s does not ship: %s", p.ID(), p.Reason),
		}
		if p.line > 0 {
			found.File += "/" + ManifestFile
			found.Line, found.Column = p.line, p.column
		}
		s.problems = append(s.problems, found)
	}
}

// Folder is the plugins folder as an asset path, empty when it cannot be used.
func (s *Set) Folder() string { return s.folder }

// All gives every plugin in ordinal order of its folder.
func (s *Set) All() []*Plugin { return s.all }

// Shipped gives the plugins that ship, in load order.
func (s *Set) Shipped() []*Plugin { return s.shipped }

// ConfigErr says what is wrong with config/plugins.json, or is nil.
func (s *Set) ConfigErr() error { return s.configErr }

// Problems gives what is wrong with the plugins and with config/plugins.json.
func (s *Set) Problems() []problem.Problem { return s.problems }
