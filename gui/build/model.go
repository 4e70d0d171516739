package build

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"talebinder/export"
	"talebinder/export/presets"
	"talebinder/formats/assetpath"
	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
	"talebinder/gui/settings"
	"talebinder/gui/ui"
	"talebinder/platforms"
	"talebinder/project"
	"talebinder/project/assets"
	"talebinder/project/problem"
)

// The fields of the form, named as in build.json and in the findings about it.
const (
	fieldTarget  = "target"
	fieldProfile = "profile"
	fieldOutput  = "outputFolder"
	fieldScenes  = "scenes"
	fieldInclude = "alwaysInclude"
	fieldVersion = "version"
	fieldName    = "executableName"
	fieldIcon    = "icon"
	fieldBundle  = "bundleIdentifier"
	fieldPack    = "compress"
)

// Names of what is remembered of a project outside its folder.
const (
	rememberOutputs  = "outputFolders" // one a line, the newest first
	rememberJSON     = "jsonPanel"
	rememberProfiles = "profiles" // ids of further profiles, separated by spaces
	rememberEntry    = "desktopEntry"
)

// presetsFile holds the presets, beside the settings, where the command line looks for them.
const presetsFile = "presets.json"

// maxOutputs is how many output folders are offered again.
const maxOutputs = 8

// model is what the screen shows and does, without a window. The build settings are those of the project's document; the
// model adds what is not in the file: further targets, which of them make a game folder only, players, and findings.
type model struct {
	work     *ui.Workspace
	settings *settings.Settings

	also         map[string]bool            // ids of chosen targets beside the document's
	alsoIn       map[platforms.Profile]bool // profiles beside the document's
	contentOnly  map[string]bool
	desktopEntry bool // beside the executable of Linux builds
	outputs      []string
	fields       map[string][]problem.Problem
	ready        map[exportKey]export.Readiness // from the latest look at what exports need
	presets      presets.Store
	session      int // of typing: what is typed in one go is one step to undo
}

func newModel(work *ui.Workspace, s *settings.Settings) *model {
	m := &model{work: work, settings: s, also: map[string]bool{}, alsoIn: map[platforms.Profile]bool{}, contentOnly: map[string]bool{},
		presets: presets.Open(filepath.Join(filepath.Dir(s.Path()), presetsFile))}
	memory := s.Project(work.Project.Dir)
	for _, id := range memory.Targets {
		if t, ok := platforms.TargetByID(id); ok {
			m.also[t.ID] = true
		}
	}
	for _, id := range strings.Fields(memory.Values[ui.RememberContentOnly]) {
		m.contentOnly[id] = true
	}
	for _, id := range strings.Fields(memory.Values[rememberProfiles]) {
		if p, ok := platforms.ParseProfile(id); ok {
			m.alsoIn[p] = true
		}
	}
	m.desktopEntry = memory.Values[rememberEntry] != ""
	m.outputs = splitNonEmpty(memory.Values[rememberOutputs])
	m.validate()
	return m
}

func splitNonEmpty(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == '\n' })
}

func (m *model) project() *project.Project           { return m.work.Project }
func (m *model) document() *project.BuildDocument    { return m.work.Project.Build }
func (m *model) current() project.BuildSettings      { return m.document().Settings() }
func (m *model) broken() error                       { return m.document().Err() }
func (m *model) problems(f string) []problem.Problem { return m.fields[f] }

// change edits the build settings as one step to undo; edits with the same merge key become one.
func (m *model) change(title, merge string, edit func(*project.BuildSettings)) error {
	if err := m.document().Change(title, merge, edit); err != nil {
		return err
	}
	m.work.Changed(ui.BuildEdited)
	return nil
}

// validate looks at every field of the form.
func (m *model) validate() {
	m.fields = map[string][]problem.Problem{}
	if m.broken() != nil {
		return
	}
	for _, p := range m.project().ValidateBuild(m.current()) {
		m.fields[p.Field] = append(m.fields[p.Field], p.Problem)
	}
	for _, list := range m.fields {
		slices.SortStableFunc(list, func(a, b problem.Problem) int { return cmp.Compare(b.Level, a.Level) })
	}
}

// worst gives the most severe finding about a field.
func (m *model) worst(field string) (problem.Problem, bool) {
	if list := m.fields[field]; len(list) > 0 {
		return list[0], true
	}
	return problem.Problem{}, false
}

// Targets

// card is a target as the form shows it.
type card struct {
	target      platforms.Target
	host        bool
	chosen      bool
	contentOnly bool // an export makes the game folder only
	noPlayer    bool // it was looked for and not found
	looked      string
}

// main is the target that build.json names, or that it stands for.
func (m *model) main() platforms.Target {
	if id := m.current().Target; id != nil {
		if t, ok := platforms.TargetByID(*id); ok {
			return t
		}
	}
	return platforms.Host()
}

func (m *model) cards() []card {
	main, host := m.main(), platforms.Host()
	var cards []card
	for _, t := range platforms.Targets() {
		c := card{target: t, host: t.ID == host.ID, chosen: t.ID == main.ID || m.also[t.ID], contentOnly: m.contentOnly[t.ID]}
		for _, p := range m.profiles() {
			if check, found := playerCheck(m.ready[exportKey{t.ID, p, false}]); found && !c.noPlayer {
				c.noPlayer, c.looked = true, check.Message
			}
		}
		cards = append(cards, c)
	}
	return cards
}

// chosen gives the targets that an export is made for, in the order of the cards.
func (m *model) chosen() []card {
	return slices.DeleteFunc(m.cards(), func(c card) bool { return !c.chosen })
}

// choose ticks or unticks a target. One target always stays: it is the one that build.json names, for the editor and for
// the command line. The others are remembered beside the project, so that ticking them changes no file.
func (m *model) choose(id string, on bool) error {
	main := m.main().ID
	if id != main {
		if on {
			m.also[id] = true
		} else {
			delete(m.also, id)
		}
		return m.remember()
	}
	if on {
		return nil
	}
	for _, t := range platforms.Targets() {
		if t.ID != main && m.also[t.ID] {
			delete(m.also, t.ID)
			next := t.ID
			err := m.change("Change target", "", func(s *project.BuildSettings) { s.Target = &next })
			return errors.Join(err, m.remember())
		}
	}
	return nil
}

// missingPlayer says which player is missing for a chosen target and where it was looked for, or is empty.
func (m *model) missingPlayer() string {
	for _, c := range m.chosen() {
		if c.noPlayer && !c.contentOnly {
			return c.looked
		}
	}
	return ""
}

// setContentOnly says whether exports for a target make the game folder only.
func (m *model) setContentOnly(id string, on bool) error {
	if on {
		m.contentOnly[id] = true
	} else {
		delete(m.contentOnly, id)
	}
	return m.remember()
}

func (m *model) remember() error {
	var also, only, profiles []string
	for _, t := range platforms.Targets() {
		if m.also[t.ID] {
			also = append(also, t.ID)
		}
		if m.contentOnly[t.ID] {
			only = append(only, t.ID)
		}
	}
	for _, p := range platforms.Profiles() {
		if m.alsoIn[p.Profile] {
			profiles = append(profiles, p.ID)
		}
	}
	return m.settings.ChangeProject(m.project().Dir, func(memory *settings.Memory) {
		memory.Targets = also
		memory.Values[rememberProfiles] = strings.Join(profiles, " ")
		delete(memory.Values, rememberEntry)
		if m.desktopEntry {
			memory.Values[rememberEntry] = "yes"
		}
		memory.Values[ui.RememberContentOnly] = strings.Join(only, " ")
		memory.Values[rememberOutputs] = strings.Join(m.outputs, "\n")
	})
}

func (m *model) jsonPanel() bool {
	return m.settings.Project(m.project().Dir).Values[rememberJSON] == "shown"
}

func (m *model) setJSONPanel(shown bool) error {
	return m.settings.ChangeProject(m.project().Dir, func(memory *settings.Memory) {
		delete(memory.Values, rememberJSON)
		if shown {
			memory.Values[rememberJSON] = "shown"
		}
	})
}

// exportKey names what an export is made of.
type exportKey struct {
	target      string
	profile     platforms.Profile
	contentOnly bool
}

// look finds out what exports need, in the profiles that are chosen: whole builds for all targets, since the cards say which
// players are missing, and the game folder where only that is wanted. The work reads from the disk and may run on another
// goroutine; apply takes its result over.
func (m *model) look() (work func(ctx context.Context) error, apply func()) {
	p, o := m.project(), m.options()
	whole, folders := export.Batch{Profiles: m.profiles()}, export.Batch{Profiles: m.profiles(), ContentOnly: true}
	for _, c := range m.cards() {
		whole.Targets = append(whole.Targets, c.target)
		if c.chosen && c.contentOnly {
			folders.Targets = append(folders.Targets, c.target)
		}
	}
	found := map[exportKey]export.Readiness{}
	work = func(ctx context.Context) error {
		for _, b := range someOf(whole, folders) {
			if err := examine(ctx, p, b, o, found); err != nil {
				return err
			}
		}
		return nil
	}
	return work, func() { m.ready = found }
}

// examine finds out what the builds of a batch need.
func examine(ctx context.Context, p *project.Project, b export.Batch, o export.BuildOptions, found map[exportKey]export.Readiness) error {
	var ids []string
	for _, t := range b.Targets {
		ids = append(ids, t.ID)
	}
	o.ContentOnly = b.ContentOnly
	for _, profile := range b.Profiles {
		o.Profile = &profile
		all, err := export.Doctor(ctx, p, ids, o)
		if err != nil {
			return err
		}
		for _, r := range all {
			found[exportKey{r.Target.ID, r.Profile, r.ContentOnly}] = r
		}
	}
	return nil
}

// someOf leaves out the batches without a target.
func someOf(batches ...export.Batch) []export.Batch {
	return slices.DeleteFunc(batches, func(b export.Batch) bool { return len(b.Targets) == 0 })
}

// codePlayerMissing is the code of the check that says that there is no player.
const codePlayerMissing = "player-missing"

func playerCheck(r export.Readiness) (export.Check, bool) {
	for _, c := range r.Checks {
		if c.Code == codePlayerMissing && c.Level == problem.Error {
			return c, true
		}
	}
	return export.Check{}, false
}

// Profiles

// profiles gives the profiles that an export is made in: that of build.json and those beside it.
func (m *model) profiles() []platforms.Profile {
	var list []platforms.Profile
	main := m.current().Profile
	for _, p := range platforms.Profiles() {
		if p.Profile == main || m.alsoIn[p.Profile] {
			list = append(list, p.Profile)
		}
	}
	return list
}

// alsoExport adds a profile to the one of build.json, or takes it away. Further profiles are remembered beside the project.
func (m *model) alsoExport(p platforms.Profile, on bool) error {
	if on && p != m.current().Profile {
		m.alsoIn[p] = true
	} else {
		delete(m.alsoIn, p)
	}
	return m.remember()
}

// setDesktopEntry says whether Linux builds get an entry for the menu of applications. Like further targets it is remembered
// beside the project.
func (m *model) setDesktopEntry(on bool) error {
	m.desktopEntry = on
	return m.remember()
}

// linux says that a whole build for Linux is chosen.
func (m *model) linux() bool {
	return slices.ContainsFunc(m.chosen(), func(c card) bool { return c.target.Platform == platforms.Linux && !c.contentOnly })
}

// archives says that one of the profiles makes an archive.
func (m *model) archives() bool {
	return slices.ContainsFunc(m.profiles(), func(p platforms.Profile) bool { return p.Info().Archive })
}

// Simple fields

func (m *model) setProfile(p platforms.Profile) error {
	if m.alsoIn[p] {
		delete(m.alsoIn, p)
		if err := m.remember(); err != nil {
			return err
		}
	}
	return m.change("Change profile", "", func(s *project.BuildSettings) { s.Profile = p })
}

func (m *model) setCompress(on bool) error {
	return m.change("Change compression", "", func(s *project.BuildSettings) { s.Compress = on })
}

// typed changes a field by what is typed into it.
func (m *model) typed(title, field string, edit func(*project.BuildSettings)) error {
	return m.change(title, fmt.Sprintf("%s#%d", field, m.session), edit)
}

// left ends what is typed in one go.
func (m *model) left() { m.session++ }

func (m *model) setVersion(text string) error {
	return m.typed("Change version", fieldVersion, func(s *project.BuildSettings) { s.Version = text })
}

func (m *model) setOutput(text string) error {
	return m.typed("Change output folder", fieldOutput, func(s *project.BuildSettings) { s.OutputFolder = text })
}

// optional gives the value of a field that is left out of the file when its entry is empty.
func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func (m *model) setName(text string) error {
	return m.typed("Change executable name", fieldName, func(s *project.BuildSettings) { s.ExecutableName = optional(text) })
}

func (m *model) setIcon(text string) error {
	return m.typed("Change icon", fieldIcon, func(s *project.BuildSettings) { s.Icon = optional(text) })
}

func (m *model) setBundle(text string) error {
	return m.typed("Change bundle identifier", fieldBundle, func(s *project.BuildSettings) { s.BundleIdentifier = optional(text) })
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// name is the name that executable and folders get.
func (m *model) name() string { return m.project().ExecutableName(m.current()) }

// bundle is the bundle identifier that a macOS build gets when none is written.
func (m *model) bundle() string { return platforms.DeriveBundleIdentifier(m.name()) }

// outputRoot is the absolute folder that builds go into.
func (m *model) outputRoot() string { return m.project().OutputRoot(m.current()) }

// resolved gives the build folders in one line.
func (m *model) resolved() string {
	root := m.outputRoot()
	chosen, profiles := m.chosen(), m.profiles()
	if len(profiles) > 1 {
		root = filepath.Join(root, profiles[0].String())
	}
	line := filepath.Join(root, chosen[0].target.BuildFolder(m.name()))
	if n := len(chosen)*len(profiles) - 1; n > 0 {
		line += fmt.Sprintf("  and %d more", n)
	}
	return line
}

// outputFor gives what is written for a folder that was chosen: relative when it lies in the project, so that the file
// means the same on every computer of a team.
func (m *model) outputFor(folder string) string {
	rel, err := filepath.Rel(m.project().Dir, folder)
	if err != nil || !filepath.IsLocal(rel) || rel == "." {
		return folder
	}
	return filepath.ToSlash(rel)
}

// recentOutputs gives the output folders used before, without the current one.
func (m *model) recentOutputs() []string {
	return slices.DeleteFunc(slices.Clone(m.outputs), func(s string) bool { return s == m.current().OutputFolder })
}

func (m *model) noteOutput() {
	now := m.current().OutputFolder
	list := slices.DeleteFunc(m.outputs, func(s string) bool { return s == now })
	m.outputs = slices.Insert(list, 0, now)
	if len(m.outputs) > maxOutputs {
		m.outputs = m.outputs[:maxOutputs]
	}
}

// iconFile gives the path of the icon on disk; "" when none is set.
func (m *model) iconFile() string {
	icon := text(m.current().Icon)
	if icon == "" {
		return ""
	}
	return m.project().IconPath(icon)
}

// pngs lists the PNG files of the project.
func (m *model) pngs() []*assets.Asset {
	return m.files(func(a *assets.Asset) bool { return assetpath.Ext(a.Path) == ".png" })
}

func (m *model) files(keep func(*assets.Asset) bool) []*assets.Asset {
	var list []*assets.Asset
	for _, a := range m.project().Assets.All() {
		if !a.Folder && keep(a) {
			list = append(list, a)
		}
	}
	return list
}

// Scenes

// sceneRow is a row of the scene list. Row 0 is the start scene, which game.json sets.
type sceneRow struct {
	number  int
	name    string
	path    string
	enabled bool
	locked  bool
	problem problem.Problem // the most severe finding, when found is set
	found   bool
	fix     string // path to use instead, or ""
}

func (m *model) startScene() sceneRow {
	start := m.project().Game.StartScene
	row := sceneRow{name: start.Name, enabled: true, locked: true}
	if start.Name != "scene" {
		row.path = "scene of the engine"
		return row
	}
	for _, p := range start.Parameters {
		switch p.Name {
		case "path":
			row.path = p.Value
		case "guid":
			if g, err := guid.Parse(p.Value); err == nil && row.path == "" {
				if a := m.project().Assets.ByGuid(g); a != nil {
					row.path = a.Path
				}
			}
		}
	}
	row.name = sceneName(row.path)
	if normalized, err := assetpath.Normalize(row.path); row.path != "" && (err != nil || m.project().Assets.ByPath(normalized) == nil) {
		row.found = true
		row.problem = problem.Problem{Level: problem.Error, Message: fmt.Sprintf("The start scene %q does not exist", row.path), File: project.GameFile}
		if err == nil {
			row.fix = m.project().Assets.NearMiss(normalized)
		}
	}
	return row
}

func sceneName(p string) string {
	base := path.Base(p)
	if p == "" {
		return "No scene"
	}
	return strings.TrimSuffix(base, path.Ext(base))
}

func (m *model) sceneRows() []sceneRow {
	rows := []sceneRow{m.startScene()}
	listed := m.listedScenes()
	for i, s := range m.current().Scenes {
		row := sceneRow{number: i + 1, name: sceneName(s.Path), path: s.Path, enabled: s.Enabled}
		row.problem, row.found = m.worst(fieldScenes + "/" + strconv.Itoa(i))
		if row.found {
			// A path that another row has would only stand in the list twice.
			if better := m.nearMiss(s.Path); better != "" && listed[assetpath.Fold(better)] == own(better, s.Path) {
				row.fix = better
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// nearMiss proposes another path for one that names no asset.
func (m *model) nearMiss(p string) string {
	normalized, err := assetpath.Normalize(p)
	if err != nil || m.project().Assets.ByPath(normalized) != nil {
		return ""
	}
	return m.project().Assets.NearMiss(normalized)
}

// own counts how often a path that is proposed for another stands in the list because of that other one.
func own(better, path string) int {
	if assetpath.Fold(better) == fold(path) {
		return 1
	}
	return 0
}

// listedScenes counts how often each scene stands in the list, by the key of its path, the start scene included.
func (m *model) listedScenes() map[string]int {
	listed := map[string]int{fold(m.startScene().path): 1}
	for _, s := range m.current().Scenes {
		listed[fold(s.Path)]++
	}
	return listed
}

// scenesToAdd lists the scenes of the project that are not in the list and are not the start scene.
func (m *model) scenesToAdd() []*assets.Asset {
	listed := m.listedScenes()
	return m.files(func(a *assets.Asset) bool { return a.Kind.ID == assets.Scene && listed[assetpath.Fold(a.Path)] == 0 })
}

// fold gives the key under which two paths that mean the same asset are equal.
func fold(p string) string {
	if normalized, err := assetpath.Normalize(p); err == nil {
		p = normalized
	}
	return assetpath.Fold(p)
}

func (m *model) addScenes(paths []string) error {
	title := "Add scene"
	if len(paths) > 1 {
		title = "Add " + ui.Plural(len(paths), "scene")
	}
	return m.change(title, "", func(s *project.BuildSettings) {
		for _, p := range paths {
			s.Scenes = append(slices.Clip(s.Scenes), project.SceneEntry{Path: p, Enabled: true})
		}
	})
}

// scene changes entry i of the scene list, counted without the start scene.
func (m *model) scene(title string, i int, edit func(*project.BuildSettings)) error {
	if i < 0 || i >= len(m.current().Scenes) {
		return nil
	}
	return m.change(title, "", func(s *project.BuildSettings) {
		s.Scenes = slices.Clone(s.Scenes)
		edit(s)
	})
}

func (m *model) toggleScene(i int) error {
	if i < 0 || i >= len(m.current().Scenes) {
		return nil
	}
	title := "Leave scene out"
	if !m.current().Scenes[i].Enabled {
		title = "Ship scene"
	}
	return m.scene(title, i, func(s *project.BuildSettings) { s.Scenes[i].Enabled = !s.Scenes[i].Enabled })
}

func (m *model) removeScene(i int) error {
	return m.scene("Remove scene", i, func(s *project.BuildSettings) { s.Scenes = slices.Delete(s.Scenes, i, i+1) })
}

func (m *model) moveScene(from, to int) error {
	if to < 0 || to >= len(m.current().Scenes) || from == to {
		return nil
	}
	return m.scene("Move scene", from, func(s *project.BuildSettings) {
		entry := s.Scenes[from]
		s.Scenes = slices.Insert(slices.Delete(s.Scenes, from, from+1), to, entry)
	})
}

func (m *model) fixScene(i int, to string) error {
	return m.scene("Correct scene path", i, func(s *project.BuildSettings) { s.Scenes[i].Path = to })
}

// Always included

// includeRow is a row of the list of what ships in any case.
type includeRow struct {
	entry   string // as written
	text    string // path or label
	badge   string // Folder, File, Label or Missing
	kind    string // id of the asset's kind, "label", or "" when it names nothing
	detail  string // how much it brings
	problem problem.Problem
	found   bool
	fix     string
}

const labelPrefix = "label:"

func (m *model) includeRows() []includeRow {
	var rows []includeRow
	db := m.project().Assets
	for i, entry := range m.current().AlwaysInclude {
		row := includeRow{entry: entry, text: entry, badge: "Missing"}
		row.problem, row.found = m.worst(fieldInclude + "/" + strconv.Itoa(i))
		label, normalized, err := project.ParseInclude(entry)
		var a *assets.Asset
		if normalized != "" {
			a = db.ByPath(normalized)
		}
		switch {
		case err != nil:
		case label != "":
			row.text, row.badge, row.kind = label, "Label", "label"
			row.detail = ui.Plural(len(db.WithLabel(label)), "asset")
		case a != nil && a.Folder:
			row.badge, row.kind = "Folder", assets.Folder
			row.detail = ui.Plural(len(db.FilesWithin(normalized)), "file")
		case a != nil:
			row.badge, row.kind = "File", a.Kind.ID
			row.detail = ui.Size(a.Size)
		case normalized != "":
			row.fix = db.NearMiss(normalized)
		}
		rows = append(rows, row)
	}
	return rows
}

// listed gives the keys of what is in the list already.
func (m *model) listed() (paths, labels map[string]bool) {
	paths, labels = map[string]bool{}, map[string]bool{}
	for _, entry := range m.current().AlwaysInclude {
		if label, normalized, err := project.ParseInclude(entry); err == nil {
			labels[assetpath.Fold(label)] = true
			paths[assetpath.Fold(normalized)] = true
		}
	}
	return paths, labels
}

func (m *model) filesToAdd() []*assets.Asset {
	paths, _ := m.listed()
	return m.files(func(a *assets.Asset) bool { return !paths[assetpath.Fold(a.Path)] })
}

func (m *model) foldersToAdd() []*assets.Asset {
	paths, _ := m.listed()
	return slices.DeleteFunc(slices.Clone(m.project().Assets.Folders()), func(a *assets.Asset) bool { return paths[assetpath.Fold(a.Path)] })
}

func (m *model) labelsToAdd() []string {
	_, labels := m.listed()
	return slices.DeleteFunc(slices.Clone(m.project().Assets.Labels()), func(l string) bool { return labels[assetpath.Fold(l)] })
}

func (m *model) addIncludes(title string, entries []string) error {
	return m.change(title, "", func(s *project.BuildSettings) {
		s.AlwaysInclude = append(slices.Clip(s.AlwaysInclude), entries...)
	})
}

func (m *model) removeInclude(i int) error {
	if i < 0 || i >= len(m.current().AlwaysInclude) {
		return nil
	}
	return m.change("Remove from always included", "", func(s *project.BuildSettings) {
		s.AlwaysInclude = slices.Delete(slices.Clone(s.AlwaysInclude), i, i+1)
	})
}

func (m *model) fixInclude(i int, to string) error {
	if i < 0 || i >= len(m.current().AlwaysInclude) {
		return nil
	}
	return m.change("Correct path", "", func(s *project.BuildSettings) {
		s.AlwaysInclude = slices.Clone(s.AlwaysInclude)
		s.AlwaysInclude[i] = to
	})
}

// Export

// reason is something that stands in the way of an export, and where to mend it: a field of the form, a place in a file, or
// what the readiness screen says about a target.
type reason struct {
	text   string
	field  string
	file   string
	line   int
	target string // with a profile behind it, as the readiness screen takes them
}

// reasons lists what stands in the way of exporting the chosen targets, in the order of the form.
func (m *model) reasons() []reason {
	if err := m.broken(); err != nil {
		return []reason{{text: brokenText(err), field: "json"}}
	}
	var list []reason
	seen, told := map[string]bool{}, map[string]bool{} // texts, and fields whose value is wrong
	add := func(r reason) {
		if !seen[r.text] {
			seen[r.text] = true
			list = append(list, r)
		}
	}
	for _, c := range m.chosen() {
		if c.noPlayer && !c.contentOnly {
			add(reason{text: "No player for " + c.target.Name, field: "target/" + c.target.ID})
		}
	}
	for _, f := range slices.SortedFunc(maps.Keys(m.fields), compareFields) {
		for _, p := range m.fields[f] {
			if p.Level == problem.Error {
				told[f] = true
				add(reason{text: p.Message, field: f})
			}
		}
	}
	for _, c := range m.chosen() {
		for _, profile := range m.profiles() {
			for _, check := range m.ready[exportKey{c.target.ID, profile, c.contentOnly}].Checks {
				// What build.json says is looked at while it is typed; the check knows an older text.
				if check.Level != problem.Error || check.File == project.BuildFile || check.Code == codePlayerMissing {
					continue
				}
				if r := m.reasonOf(c.target, profile, check); !told[r.field] {
					add(r)
				}
			}
		}
	}
	return list
}

// reasonOf says where a check that stands in the way is mended.
func (m *model) reasonOf(t platforms.Target, profile platforms.Profile, c export.Check) reason {
	r := reason{text: c.Message, file: ui.PlaceOf(c.File, m.project()), line: c.Line}
	switch c.Fix.ID {
	case export.FixSetting:
		r.field = c.Fix.Field
	case export.FixOutput:
		r.field = fieldOutput
	}
	if r.field == "" && r.file == "" {
		r.target = t.ID + "/" + profile.String()
	}
	return r
}

// fieldOrder is the order of the form.
var fieldOrder = []string{fieldTarget, fieldProfile, fieldOutput, fieldVersion, fieldIcon, fieldName, fieldBundle, fieldPack, fieldScenes, fieldInclude}

func compareFields(a, b string) int {
	nameA, indexA := splitField(a)
	nameB, indexB := splitField(b)
	return cmp.Or(cmp.Compare(slices.Index(fieldOrder, nameA), slices.Index(fieldOrder, nameB)), cmp.Compare(indexA, indexB))
}

// splitField takes "scenes/2" apart; the index is -1 for a field without one.
func splitField(f string) (name string, index int) {
	name, tail, found := strings.Cut(f, "/")
	if !found {
		return name, -1
	}
	if i, err := strconv.Atoi(tail); err == nil {
		return name, i
	}
	return name, -1
}

// warnings counts the warnings about the form.
func (m *model) warnings() int {
	n := 0
	for _, list := range m.fields {
		for _, p := range list {
			if p.Level == problem.Warning {
				n++
			}
		}
	}
	return n
}

// verb is what the export button says.
func (m *model) verb() string {
	chosen := m.chosen()
	verb := "Export "
	if m.document().Dirty() {
		verb = "Save and export "
	}
	switch n := len(m.profiles()); {
	case n > 1:
		return fmt.Sprintf("%s%d builds", verb, n*len(chosen))
	case len(chosen) == 1:
		return verb + chosen[0].target.Name
	}
	return fmt.Sprintf("%s%d targets", verb, len(chosen))
}

// and puts words together: "a", "a and b", "a, b and c".
func and(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}

// summary says in a sentence what an export would do.
func (m *model) summary() string {
	var names, profiles []string
	for _, c := range m.chosen() {
		name := c.target.Name
		if c.contentOnly {
			name += " (game folder only)"
		}
		names = append(names, name)
	}
	for _, p := range m.profiles() {
		profiles = append(profiles, p.Info().Name)
	}
	noun := " build for "
	if len(profiles) > 1 {
		noun = " builds for "
	}
	text := and(profiles) + noun + and(names)
	if m.archives() {
		text += ", with an archive"
	}
	switch n := m.warnings(); n {
	case 0:
	case 1:
		text += ". One warning does not stand in the way"
	default:
		text += fmt.Sprintf(". %d warnings do not stand in the way", n)
	}
	return text + "."
}

// batches gives what is chosen: the whole builds, and those of the game folder only.
func (m *model) batches() []export.Batch {
	whole, folders := export.Batch{Profiles: m.profiles()}, export.Batch{Profiles: m.profiles(), ContentOnly: true}
	for _, c := range m.chosen() {
		if c.contentOnly {
			folders.Targets = append(folders.Targets, c.target)
		} else {
			whole.Targets = append(whole.Targets, c.target)
		}
	}
	return someOf(whole, folders)
}

func (m *model) options() export.BuildOptions {
	return export.BuildOptions{
		PlayersDir: m.settings.PlayersFolder(), EngineSources: m.settings.EngineSources(), EngineVersion: m.settings.EngineVersion(),
		Reopen: true, DesktopEntry: m.desktopEntry && m.linux(),
	}
}

// start puts a job for each target and profile that is chosen into the queue.
func (m *model) start() ([]*export.Row, error) { return m.startBatches(m.batches(), nil) }

// startBatches saves the settings, since a job reads them from the disk, and puts the jobs into the queue, except those that
// skip says yes to.
func (m *model) startBatches(batches []export.Batch, skip func(*export.Build) bool) ([]*export.Row, error) {
	if m.document().Dirty() || !m.document().Exists() {
		if err := m.document().Save(); err != nil {
			return nil, fmt.Errorf("build.json not saved: %w", err)
		}
		m.work.Changed(ui.BuildSaved)
	}
	var jobs []*export.Build
	for _, b := range batches {
		some, err := b.Jobs(m.project(), m.options())
		if err != nil {
			return nil, fmt.Errorf("export not started: %w", err)
		}
		jobs = append(jobs, some...)
	}
	var rows []*export.Row
	for _, j := range jobs {
		if skip == nil || !skip(j) {
			rows = append(rows, m.work.Queue.Add(j))
		}
	}
	m.noteOutput()
	return rows, m.remember()
}

// command gives command lines that do what the export button does: one for the whole builds, and one for the game folders.
func (m *model) command() (string, error) {
	if err := m.broken(); err != nil {
		return "", fmt.Errorf("no command: build.json is not valid: %w", err)
	}
	var lines []string
	for _, b := range m.batches() {
		lines = append(lines, ui.CommandLine(b.Command(m.project(), m.options())))
	}
	return strings.Join(lines, "\n"), nil
}

// Broken text

// faults gives what is wrong with build.json, in the order of the text.
func faults(err error) []project.Fault {
	var faulty *project.FileError
	if !errors.As(err, &faulty) {
		return nil
	}
	return faulty.Faults
}

// brokenText says what is wrong first, with its place.
func brokenText(err error) string {
	list := faults(err)
	if len(list) == 0 {
		return err.Error()
	}
	text := list[0].Message
	if list[0].Line > 0 {
		text = fmt.Sprintf("line %d, column %d: %s", list[0].Line, list[0].Column, text)
	}
	if n := len(list) - 1; n > 0 {
		text += " (and " + strconv.Itoa(n) + " more)"
	}
	return text
}

// brokenLine gives the line that is wrong first, or 0.
func brokenLine(err error) int {
	if list := faults(err); len(list) > 0 {
		return list[0].Line
	}
	return 0
}

// replaceWithDefaults makes the text that of a new file, as a step to undo.
func (m *model) replaceWithDefaults() {
	m.document().ReplaceWithDefaults()
	m.work.Changed(ui.BuildEdited)
}

// lines gives the text that Save would write, with what changed since the last save.
func (m *model) lines() []line { return compareLines(m.document().Saved(), m.document().Text()) }

// fieldAt gives the field that stands at a line of build.json, or "".
func (m *model) fieldAt(lineNumber int) string {
	doc, err := jsondoc.Parse(m.document().Text())
	if err != nil {
		return ""
	}
	within := func(v jsondoc.Value) bool {
		first, _ := doc.Position(v.Start())
		last, _ := doc.Position(v.End())
		return first <= lineNumber && lineNumber <= last
	}
	for name, v := range doc.Root().Members() {
		if !within(v) {
			continue
		}
		if name == fieldScenes || name == fieldInclude {
			for i := range v.Len() {
				if within(v.Index(i)) {
					return name + "/" + strconv.Itoa(i)
				}
			}
		}
		return name
	}
	return ""
}
