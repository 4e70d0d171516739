package content

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"talebinder/export"
	"talebinder/formats/assetpath"
	"talebinder/gui/ui"
	"talebinder/project"
	"talebinder/project/assets"
	"talebinder/project/plugins"
	"talebinder/project/problem"
)

// Words for files that are not in the pack. They stand in the list, in the filter and above the explanation.
const (
	wordLoose        = "Beside the pack"
	wordUnused       = "Not used"
	wordScript       = "Script source"
	wordPluginOff    = "Plugin off"
	wordPluginFailed = "Plugin failed"
)

func whyWord(why string) string {
	switch why {
	case export.ScriptSource:
		return wordScript
	case export.DisabledPlugin:
		return wordPluginOff
	case export.FailedPlugin:
		return wordPluginFailed
	}
	return wordUnused
}

// Model is the content of a build as the screen shows it: the list, and on demand everything about one file of it.
type Model struct {
	Tree     *Tree
	Problems []problem.Problem // of the content, the worst first

	project *project.Project
	content *export.Content
}

// NewModel arranges the content of a project. It reads no files.
func NewModel(p *project.Project, c *export.Content) *Model {
	m := &Model{project: p, content: c, Problems: problem.Merge(c.Problems)}
	entries := make([]Entry, 0, len(c.Items)+len(c.Left)+len(c.Loose))
	for i := range c.Items {
		item := &c.Items[i]
		e := Entry{Path: item.Path, Kind: item.Kind, State: Packed, Reason: ui.ReasonWord(item.Reason), Via: item.Via, Size: item.Size, source: int32(i)}
		if item.Asset != nil {
			e.Missing = len(p.Assets.Missing(item.Asset))
		}
		e.Broken = e.Missing > 0
		entries = append(entries, e)
	}
	for i := range c.Loose {
		file := &c.Loose[i]
		at := m.assetOf(file)
		entries = append(entries, Entry{
			Path: at, Kind: assets.KindOf(at).Name, State: Loose, Reason: wordLoose, Via: file.Category, Size: file.Size, source: int32(i),
		})
	}
	for i := range c.Left {
		file := &c.Left[i]
		e := Entry{Path: file.Path, Kind: assets.KindOf(file.Path).Name, State: Left, Reason: whyWord(file.Why), Size: file.Size, source: int32(i)}
		if a := p.Assets.ByPath(file.Path); a != nil {
			e.Missing = len(p.Assets.Missing(a))
		}
		entries = append(entries, e)
	}
	m.Tree = NewTree(entries)
	return m
}

// assetOf gives the asset path of a loose file, or its path in the game folder when it comes from somewhere else.
func (m *Model) assetOf(f *export.LooseFile) string {
	rel, err := filepath.Rel(m.project.AssetRoot(), f.Source)
	if err != nil || f.Source == "" || !filepath.IsLocal(rel) {
		return f.Path
	}
	return filepath.ToSlash(rel)
}

// Summary says in one line what ships.
func (m *Model) Summary() string {
	var packed, loose Count
	for i := range m.content.Items {
		packed.Files++
		packed.Size += m.content.Items[i].Size
	}
	for i := range m.content.Loose {
		loose.Files++
		loose.Size += m.content.Loose[i].Size
	}
	text := fmt.Sprintf("%s, %s in the pack", ui.Plural(packed.Files, "file"), ui.Size(packed.Size))
	if loose.Files > 0 {
		text += fmt.Sprintf(" · %s beside it, %s", ui.Count(int64(loose.Files)), ui.Size(loose.Size))
	}
	return text
}

// Breaking counts the problems that stop an export.
func (m *Model) Breaking() int {
	n := 0
	for _, p := range m.Problems {
		if p.Level == problem.Error {
			n++
		}
	}
	return n
}

// A Part is a slice of what ships, by kind.
type Part struct {
	Name  string
	Kind  string // what to filter by; empty for the rest
	Files int
	Size  int64 // bytes
}

// shownParts is how many kinds the size bar tells apart; the others are put together.
const shownParts = 7

// Parts divides what ships by kind, the largest first, and puts the small ones together.
func (m *Model) Parts() []Part {
	var parts []Part
	for i, c := range m.Tree.Kinds(ModeShips) {
		if i < shownParts {
			parts = append(parts, Part{Name: c.Name, Kind: c.Name, Files: c.Files, Size: c.Size})
			continue
		}
		if i == shownParts {
			parts = append(parts, Part{Name: "Other kinds"})
		}
		rest := &parts[shownParts]
		rest.Files += c.Files
		rest.Size += c.Size
	}
	return parts
}

// A Fact is one thing to know about a file.
type Fact struct {
	Name, Value string
	Copy        string // what to copy when that is more than the value
	Mono        bool
}

// A Step leads from the reason why something ships down to it.
type Step struct {
	Word string // the root's reason; empty for a file
	Path string // asset path, or the project file of the root; empty when there is none
	Root bool   // Path is relative to the project folder
}

// A Use is a file that refers to another one.
type Use struct {
	Path  string
	Ships bool
}

// A MissingTarget is a reference that leads nowhere.
type MissingTarget struct {
	Text  string // the path or guid that was looked for
	Hint  string // a near miss, or what to do
	Near  string // asset path of the near miss, or empty
	Line  int    // in the referring file, 0 when unknown
	Fatal bool   // it fails an export
}

// An Action is what the screen offers to do about a file.
type Action uint8

// The actions.
const (
	ActionNone        Action = iota
	ActionInclude            // add it to Always include
	ActionExclude            // take it out of Always include again
	ActionAddScene           // add it to the scenes of the build
	ActionEnableScene        // tick it in the scenes of the build
	ActionOpenPlugins        // look at the plugin's switch
)

// Title gives the words on the action's button.
func (a Action) Title() string {
	switch a {
	case ActionInclude:
		return "Always include"
	case ActionExclude:
		return "No longer always include"
	case ActionAddScene:
		return "Add to the scenes"
	case ActionEnableScene:
		return "Tick in the scenes"
	case ActionOpenPlugins:
		return "Open plugins.json"
	}
	return ""
}

// Detail is everything about one file or folder.
type Detail struct {
	Path, Name  string
	Folder      bool
	Kind        string
	State       State
	Word        string // why, in two words
	Explanation string // why, in a sentence
	Advice      string // what to do to change it; empty when there is nothing to do
	Actions     []Action
	Facts       []Fact
	Chain       []Step
	Users       []Use
	Targets     []Use
	Missing     []MissingTarget
	File        string // path in the file system; empty when it has none
	Picture     bool   // the file is a picture that can be shown
}

// Detail gives everything about the file or folder at an asset path, or nil when the project has none there.
func (m *Model) Detail(path string) *Detail {
	if e := m.Tree.ByPath(path); e != nil {
		return m.file(e)
	}
	if f := m.Tree.FolderByPath(path); f != nil {
		return m.folder(f)
	}
	return nil
}

func (m *Model) file(e *Entry) *Detail {
	d := &Detail{Path: e.Path, Name: e.Name, Kind: e.Kind, State: e.State, Word: e.Reason}
	d.File = m.fileOf(e.Path)
	d.Facts = append(d.Facts, Fact{Name: "Kind", Value: e.Kind}, Fact{Name: "Size", Value: ui.Size(e.Size), Copy: ui.ExactSize(e.Size)})
	a := m.project.Assets.ByPath(e.Path)
	if a != nil {
		d.Picture = a.Kind.ID == assets.Texture
		d.about(m.project.Assets, a)
		m.relations(d, a, e.State != Left)
	}
	switch e.State {
	case Packed:
		m.packed(d, &m.content.Items[e.source])
	case Loose:
		m.besides(d, &m.content.Loose[e.source])
	default:
		m.leftOut(d, m.content.Left[e.source].Why)
	}
	return d
}

func (d *Detail) about(db *assets.Database, a *assets.Asset) {
	d.Facts = append(d.Facts, Fact{Name: "Changed", Value: a.ModTime.Format("2 Jan 2006, 15:04")})
	if len(a.Meta.Labels) > 0 {
		d.Facts = append(d.Facts, Fact{Name: "Labels", Value: strings.Join(a.Meta.Labels, ", ")})
	}
	if a.Meta.Importer != "" {
		d.Facts = append(d.Facts, Fact{Name: "Importer", Value: a.Meta.Importer})
	}
	d.Facts = append(d.Facts, Fact{Name: "Guid", Value: a.Meta.Guid.String(), Copy: a.Meta.Guid.String(), Mono: true})
	switch a.MetaState {
	case assets.MetaAbsent:
		d.Facts = append(d.Facts, Fact{Name: "Meta file", Value: "None: the guid follows from the path"})
	case assets.MetaInvalid:
		d.Facts = append(d.Facts, Fact{Name: "Meta file", Value: "Damaged: the guid follows from the path"})
	case assets.MetaRestored:
		d.Facts = append(d.Facts, Fact{Name: "Meta file", Value: "Read from the backup of an interrupted save"})
	}
	for _, r := range db.Missing(a) {
		d.Missing = append(d.Missing, missing(db, r, d.State != Left))
	}
}

func missing(db *assets.Database, r assets.MissingReference, fatal bool) MissingTarget {
	t := MissingTarget{Text: r.Path, Line: r.Line, Fatal: fatal}
	if r.Path == "" {
		t.Text = r.Guid.String()
		t.Hint = "No asset has this guid: the file was deleted, or its .meta file did not come along."
		return t
	}
	if t.Near = db.NearMiss(r.Path); t.Near != "" {
		t.Hint = t.Near + " exists."
		if strings.EqualFold(t.Near, r.Path) {
			t.Hint = t.Near + " exists with another case."
		}
	} else {
		t.Hint = "No asset has this path: the file was moved, renamed or deleted."
	}
	return t
}

func (m *Model) relations(d *Detail, a *assets.Asset, ships bool) {
	use := func(list []*assets.Asset) []Use {
		uses := make([]Use, 0, len(list))
		for _, other := range list {
			if e := m.Tree.ByPath(other.Path); e != nil {
				uses = append(uses, Use{other.Path, e.State != Left})
			} else if m.Tree.FolderByPath(other.Path) != nil {
				uses = append(uses, Use{other.Path, true})
			}
		}
		return uses
	}
	d.Users = use(m.project.Assets.Users(a))
	d.Targets = use(m.project.Assets.Targets(a))
}

func (m *Model) packed(d *Detail, item *export.Item) {
	switch item.Reason {
	case export.StartScene:
		d.Explanation = "The game starts with this scene."
		if item.Kind != "Scene" {
			d.Explanation = "A parameter of the start scene names it."
		}
	case export.LoadingScreen:
		d.Explanation = "It is the picture that shows while the game loads."
	case export.BuildScene:
		d.Explanation = "It is ticked in the list of scenes."
	case export.AlwaysInclude:
		d.Explanation = "It is listed under Always include."
		if item.Via != "build.json" {
			d.Explanation = "It carries a label that is always included: " + strings.TrimSpace(item.Via) + "."
		}
	case export.Localization:
		d.Explanation = "Every localization table ships."
	case export.CodeReference:
		d.Explanation = "A script names its path in a string."
		if item.Via != "scripts" {
			d.Explanation = "The plugin " + item.Via + " names its path in a string."
		}
	default:
		d.Explanation = item.Via + " refers to it."
	}
	for i, step := range m.content.Chain(item.Path) {
		if i == 0 {
			d.Chain = append(d.Chain, rootStep(step))
		}
		d.Chain = append(d.Chain, Step{Path: step.Path})
	}
	if m.included(d.Path).listed {
		d.Actions = append(d.Actions, ActionExclude)
	} else if item.Reason == export.CodeReference || item.Reason == export.Dependency {
		d.Actions = append(d.Actions, ActionInclude)
	}
}

// rootStep is the start of a chain: the file or list that brought the first item in.
func rootStep(item export.Item) Step {
	s := Step{Word: ui.ReasonWord(item.Reason)}
	switch item.Reason {
	case export.StartScene, export.LoadingScreen:
		s.Path, s.Root = "assets/"+item.Via, true
	case export.BuildScene, export.AlwaysInclude:
		s.Path, s.Root = "build.json", true
	case export.CodeReference:
		s.Word = "Named in scripts"
		if item.Via != "scripts" {
			s.Word = "Named in the plugin " + item.Via
		}
	}
	return s
}

func (m *Model) besides(d *Detail, f *export.LooseFile) {
	d.Explanation = "It ships as a file of its own, " + f.Path + " in the game folder."
	switch f.Category {
	case export.CategoryConfiguration:
		d.Explanation += " Everything in config does."
	case export.CategoryScripts:
		d.Explanation += " Compiled scripts do."
	case export.CategoryPlugins:
		d.Explanation += " The files of plugins that are on do."
	}
	d.Facts = append(d.Facts, Fact{Name: "Part", Value: f.Category})
	d.File = f.Source
}

func (m *Model) leftOut(d *Detail, why string) {
	switch why {
	case export.ScriptSource:
		d.Explanation = "Scripts ship compiled, as scripts/bin/Game.Scripts.dll. Their sources stay here."
	case export.DisabledPlugin, export.FailedPlugin:
		m.leftPlugin(d, why)
	default:
		d.Explanation = "Nothing that ships refers to it, and no script names its path."
		for _, u := range d.Users {
			if !u.Ships {
				d.Explanation = u.Path + " refers to it, but does not ship either."
				break
			}
		}
		d.Advice = "Refer to it from something that ships, or include it always."
		if m.project.Assets.ByPath(d.Path) == nil {
			d.Advice = ""
			return
		}
		if d.Kind == "Scene" {
			m.leftScene(d)
		}
		d.Actions = append(d.Actions, ActionInclude)
	}
}

func (m *Model) leftScene(d *Detail) {
	if m.scene(d.Path) < 0 {
		d.Explanation = "It is not in the list of scenes, and nothing that ships refers to it."
		d.Advice = "Add it to the scenes of the build."
		d.Actions = append(d.Actions, ActionAddScene)
		return
	}
	d.Explanation = "It is in the list of scenes, but not ticked."
	d.Advice = "Tick it to ship it."
	d.Actions = append(d.Actions, ActionEnableScene)
}

// scene gives the place of a path in the list of scenes, or -1.
func (m *Model) scene(path string) int {
	return slices.IndexFunc(m.project.Build.Settings().Scenes, func(s project.SceneEntry) bool { return same(s.Path, path) })
}

func (m *Model) leftPlugin(d *Detail, why string) {
	d.Explanation = "It belongs to a plugin that is switched off."
	d.Advice = "Switch the plugin on in config/plugins.json."
	d.Actions = append(d.Actions, ActionOpenPlugins)
	if why == export.FailedPlugin {
		d.Explanation = "It belongs to a plugin that cannot be loaded."
		d.Advice = "Mend the plugin's manifest, or remove its folder."
		d.Actions = nil
	}
	for _, p := range m.project.Plugins.All() {
		if !assetpath.Within(d.Path, m.project.Plugins.Folder()+"/"+p.Folder) {
			continue
		}
		switch p.State {
		case plugins.Disabled:
			d.Explanation = "It belongs to the plugin in " + p.Folder + ", which is switched off."
		case plugins.Skipped, plugins.Failed:
			d.Explanation = "It belongs to the plugin in " + p.Folder + ", which cannot be loaded"
			if p.Reason != "" {
				d.Explanation += ": " + p.Reason
			}
			d.Explanation = strings.TrimSuffix(d.Explanation, ".") + "."
		}
	}
}

func (m *Model) folder(f *Folder) *Detail {
	d := &Detail{Path: f.Path, Name: f.Name, Folder: true, Kind: "Folder", File: m.fileOf(f.Path)}
	var ships, left Count
	unused := 0
	kinds := map[string]int{}
	for i := range m.Tree.entries {
		e := &m.Tree.entries[i]
		if !strings.HasPrefix(e.Path, f.Path+"/") {
			continue
		}
		c := &ships
		if e.State == Left {
			c = &left
			if e.Reason == wordUnused {
				unused++
			}
		}
		c.Files++
		c.Size += e.Size
		kinds[e.Kind]++
	}
	d.State = Packed
	d.Word = "Ships"
	d.Explanation = fmt.Sprintf("%s in it, all of which ship.", ui.Plural(ships.Files, "file"))
	if ships.Files == 1 {
		d.Explanation = "1 file in it, which ships."
	}
	switch {
	case ships.Files == 0:
		d.State, d.Word = Left, "Left out"
		d.Explanation = fmt.Sprintf("%s in it, none of which ships.", ui.Plural(left.Files, "file"))
		if left.Files == 1 {
			d.Explanation = "1 file in it, which does not ship."
		}
	case left.Files > 0:
		d.Word = "Ships in part"
		verb := "ship"
		if ships.Files == 1 {
			verb = "ships"
		}
		d.Explanation = fmt.Sprintf("%s of %s in it %s.", ui.Count(int64(ships.Files)), ui.Plural(ships.Files+left.Files, "file"), verb)
	}
	d.Facts = append(d.Facts,
		Fact{Name: "Ships", Value: ui.Plural(ships.Files, "file") + ", " + ui.Size(ships.Size), Copy: ui.ExactSize(ships.Size)},
		Fact{Name: "Left out", Value: ui.Plural(left.Files, "file") + ", " + ui.Size(left.Size), Copy: ui.ExactSize(left.Size)})
	names := make([]string, 0, len(kinds))
	for k := range kinds {
		names = append(names, k)
	}
	slices.SortFunc(names, func(a, b string) int {
		if kinds[a] != kinds[b] {
			return kinds[b] - kinds[a]
		}
		return strings.Compare(a, b)
	})
	for _, k := range names {
		d.Facts = append(d.Facts, Fact{Name: k, Value: ui.Plural(kinds[k], "file")})
	}
	a := m.project.Assets.ByPath(f.Path)
	if a == nil {
		return d
	}
	d.Users = nil
	switch in := m.included(f.Path); {
	case in.listed:
		d.Actions = append(d.Actions, ActionExclude)
	case unused > 0 && !in.covered:
		d.Actions = append(d.Actions, ActionInclude)
		d.Advice = "Always include the folder to ship every file in it that can be packed."
	}
	return d
}

// inclusion says what Always include says about a path.
type inclusion struct {
	listed  bool // an entry names it
	covered bool // an entry names a folder above it
}

func (m *Model) included(path string) inclusion {
	var in inclusion
	for _, entry := range m.project.Build.Settings().AlwaysInclude {
		if label(entry) {
			continue
		}
		p, err := assetpath.Normalize(entry)
		switch {
		case err != nil || p == "":
		case p == path:
			in.listed = true
		case assetpath.Within(path, p):
			in.covered = true
		}
	}
	return in
}

// label says whether an entry of Always include names a label.
func label(entry string) bool { return len(entry) >= 6 && strings.EqualFold(entry[:6], "label:") }

func same(entry, path string) bool {
	p, err := assetpath.Normalize(entry)
	return err == nil && p == path
}

func (m *Model) fileOf(path string) string {
	file, err := assetpath.SafeJoin(m.project.AssetRoot(), path)
	if err != nil {
		return ""
	}
	return file
}

// Do carries out an action that edits build.json, as one undoable step.
func (m *Model) Do(a Action, path string) error {
	build := m.project.Build
	scene := m.scene(path)
	switch a {
	case ActionInclude:
		if m.included(path).listed {
			return nil // pressed twice, before the content was computed again
		}
		return build.Change("Always include "+path, "", func(s *project.BuildSettings) {
			s.AlwaysInclude = append(slices.Clone(s.AlwaysInclude), path)
		})
	case ActionExclude:
		return build.Change("No longer always include "+path, "", func(s *project.BuildSettings) {
			s.AlwaysInclude = slices.DeleteFunc(slices.Clone(s.AlwaysInclude), func(e string) bool { return !label(e) && same(e, path) })
		})
	case ActionAddScene:
		if scene >= 0 {
			return nil
		}
		return build.Change("Add the scene "+path, "", func(s *project.BuildSettings) {
			s.Scenes = append(slices.Clone(s.Scenes), project.SceneEntry{Path: path, Enabled: true})
		})
	case ActionEnableScene:
		if scene < 0 {
			return nil
		}
		return build.Change("Tick the scene "+path, "", func(s *project.BuildSettings) {
			s.Scenes = slices.Clone(s.Scenes)
			s.Scenes[scene].Enabled = true
		})
	}
	return nil
}
