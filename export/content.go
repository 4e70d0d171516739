package export

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"talebinder/formats/assetpath"
	"talebinder/formats/guid"
	"talebinder/platforms"
	"talebinder/project"
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

// Why a file of the project does not ship.
const (
	Unreferenced   = "unreferenced"   // nothing that ships needs it
	ScriptSource   = "script"         // in the scripts folder, or C# source anywhere: scripts ship compiled
	DisabledPlugin = "disabledPlugin" // of a plugin that is switched off
	FailedPlugin   = "failedPlugin"   // of a plugin that cannot be loaded
)

// The categories of what ships beside the pack. Packed assets count under their kind's display name.
const (
	CategoryConfiguration = "Configuration"
	CategoryScripts       = "Scripts"
	CategoryPlugins       = "Plugins"
	CategoryPlayer        = "Engine and player"
)

// An Item is an asset that ships in the content pack.
type Item struct {
	Asset  *assets.Asset
	Path   string
	Kind   string // the kind's display name
	Reason Reason
	Via    string // where the reason lies: a file, an entry of alwaysInclude, a plugin's id, or the asset that refers to it
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
	Category string // CategoryConfiguration, CategoryScripts or CategoryPlugins
}

// Content is what a build would ship, and what it would not.
type Content struct {
	Items    []Item          // in ordinal path order, the order of the pack
	Left     []LeftOut       // in ordinal path order
	Loose    []LooseFile     // configuration, then scripts, then plugins in load order
	Folders  []*assets.Asset // the folders that contain items, in ordinal path order
	Problems []problem.Problem
}

// Find returns the item at path.
func (c *Content) Find(path string) (Item, bool) {
	i, ok := slices.BinarySearchFunc(c.Items, path, func(item Item, path string) int { return assetpath.Compare(item.Path, path) })
	if !ok {
		return Item{}, false
	}
	return c.Items[i], true
}

// Chain gives the items that lead to the one at path: from the root down to it. It is nil when path does not ship.
func (c *Content) Chain(path string) []Item {
	var chain []Item
	for {
		item, ok := c.Find(path)
		if !ok {
			break
		}
		chain = append(chain, item)
		if item.Reason != Dependency || len(chain) > len(c.Items) {
			break
		}
		path = item.Via
	}
	slices.Reverse(chain)
	return chain
}

// CollectContent finds out what a build of the project would ship and what it would not. The profile decides whether debug
// symbols ship. Its problems are what an export would report about the content; the error says that the project cannot be
// collected at all, or that ctx ended.
func CollectContent(ctx context.Context, p *project.Project, profile platforms.Profile) (*Content, error) {
	if p.GameErr != nil {
		return nil, fmt.Errorf("config/game.json: %w", p.GameErr)
	}
	s, err := findScripts(ctx, p.AssetRoot(), profile)
	if err != nil {
		return nil, err
	}
	return collect(ctx, collection{project: p, settings: p.Build.Settings(), profile: profile, scripts: s})
}

// collection is what content is collected from.
type collection struct {
	project  *project.Project
	settings project.BuildSettings
	profile  platforms.Profile
	scripts  *scripts
	progress func(fraction float64, detail string) // may be nil
}

func collect(ctx context.Context, from collection) (*Content, error) {
	c := &collector{
		collection: from,
		db:         from.project.Assets,
		plugins:    from.project.Plugins.Folder(),
		content:    &Content{},
		linked:     make(map[string]bool),
		reached:    make(map[*assets.Asset]reach),
	}
	if err := c.roots(ctx); err != nil {
		return nil, err
	}
	if err := c.follow(ctx); err != nil {
		return nil, err
	}
	c.list()
	if err := c.checkItems(ctx); err != nil {
		return nil, err
	}
	if err := c.loose(ctx); err != nil {
		return nil, err
	}
	return c.content, c.left(ctx)
}

// collector gathers the content of a build: it queues the roots in order and follows references from there. The first root
// or reference that brings an asset in decides why it ships.
type collector struct {
	collection
	db      *assets.Database
	plugins string // the plugins folder, "" when there is none
	content *Content
	linked  map[string]bool // links to folders that have been reported
	queue   []*assets.Asset
	reached map[*assets.Asset]reach // queued at some time
}

// reach is how an asset was reached first.
type reach struct {
	reason Reason
	via    string
}

// add queues an asset unless it has been queued before.
func (c *collector) add(a *assets.Asset, reason Reason, via string) {
	if a == nil {
		return
	}
	if _, ok := c.reached[a]; !ok {
		c.reached[a] = reach{reason, via}
		c.queue = append(c.queue, a)
	}
}

func (c *collector) problem(p problem.Problem) {
	c.content.Problems = append(c.content.Problems, p)
}

// named finds the asset that a path from a file names, or nil.
func (c *collector) named(path string) *assets.Asset {
	normalized, err := assetpath.Normalize(path)
	if err != nil || normalized == "" {
		return nil
	}
	return c.db.ByPath(normalized)
}

// Names of the files that roots come from, as reasons name them.
const (
	viaGame         = "config/game.json"
	viaBuild        = "build.json"
	viaLocalization = "localization"
	viaScripts      = "scripts"
)

// roots queues what a build starts from.
func (c *collector) roots(ctx context.Context) error {
	game := c.project.Game
	c.startScene(game.StartScene)
	for _, p := range game.StartScene.Parameters {
		for _, part := range strings.Split(p.Value, ";") {
			part = strings.TrimSpace(part)
			if part == "" || strings.Contains(part, " ") {
				continue
			}
			if a := c.named(part); a != nil && !a.Folder {
				c.add(a, StartScene, viaGame)
			}
		}
	}
	if image := game.LoadingScreen.Image; image != nil {
		c.add(c.named(*image), LoadingScreen, viaGame)
	}
	for _, scene := range c.settings.Scenes {
		if scene.Enabled {
			c.add(c.named(scene.Path), BuildScene, viaBuild)
		}
	}
	for _, entry := range c.settings.AlwaysInclude {
		c.alwaysInclude(entry)
	}
	for _, a := range c.db.All() {
		if a.Kind.ID == assets.Localization {
			c.add(a, Localization, viaLocalization)
		}
	}
	literals, err := c.scripts.literals(ctx)
	if err != nil {
		return err
	}
	for _, a := range c.db.AssetsNamed(literals) {
		c.add(a, CodeReference, viaScripts)
	}
	return c.pluginCode(ctx)
}

// startScene queues the scene file of the built-in start scene: by its path or else by its guid.
func (c *collector) startScene(s project.StartScene) {
	if s.Name != project.SceneFile {
		return
	}
	if path, ok := s.Parameter("path"); ok {
		c.add(c.named(path), StartScene, viaGame)
		return
	}
	if text, ok := s.Parameter("guid"); ok {
		if id, err := guid.Parse(text); err == nil {
			c.add(c.db.ByGuid(id), StartScene, viaGame)
		}
	}
}

// alwaysInclude queues what an entry of the build settings names: a label, or the path of a file or folder.
func (c *collector) alwaysInclude(entry string) {
	if strings.TrimSpace(entry) == "" {
		return
	}
	const prefix = "label:"
	if len(entry) >= len(prefix) && strings.EqualFold(entry[:len(prefix)], prefix) {
		for _, a := range c.db.WithLabel(strings.TrimSpace(entry[len(prefix):])) {
			c.add(a, AlwaysInclude, entry)
		}
		return
	}
	path, err := assetpath.Normalize(entry)
	if err != nil {
		c.problem(problem.Problem{Level: problem.Error, Code: "always-include-leaves", File: viaBuild,
			Message: fmt.Sprintf("alwaysInclude names %q, which leaves the asset folder", entry),
			Hint:    "Name a file or folder below assets, or remove the entry."})
		return
	}
	if a := c.named(path); a != nil {
		c.add(a, AlwaysInclude, viaBuild)
		return
	}
	hint := "Correct or remove the entry in build.json."
	if near := c.db.NearMiss(path); near != "" {
		hint = fmt.Sprintf("%s exists. %s", near, hint)
	}
	c.problem(problem.Problem{Level: problem.Warning, Code: "always-include-missing", File: viaBuild,
		Message: fmt.Sprintf("alwaysInclude names %q, which is neither a file nor a folder below assets", entry), Hint: hint})
}

// pluginCode queues what the assemblies of the plugins that ship name.
func (c *collector) pluginCode(ctx context.Context) error {
	for _, plugin := range c.project.Plugins.Shipped() {
		if err := ctx.Err(); err != nil {
			return err
		}
		path := c.plugins + "/" + plugin.Folder + "/" + plugin.Manifest.Assembly
		file, err := assetpath.SafeJoin(c.project.AssetRoot(), path)
		if err != nil {
			return err
		}
		literals, err := assemblyStrings(file)
		switch {
		case isMissing(err):
			continue
		case isFault(err):
			c.problem(problem.Problem{Level: problem.Warning, Code: "plugin-assembly", File: "assets/" + path,
				Message: fmt.Sprintf("what plugin %s names in its code is not known: %v", plugin.Manifest.ID, err),
				Hint:    "Build the plugin again, or add what it needs to alwaysInclude."})
			continue
		case err != nil:
			return err
		}
		for _, a := range c.db.AssetsNamed(literals) {
			c.add(a, CodeReference, plugin.Manifest.ID)
		}
	}
	return nil
}

// follow takes assets from the queue until it is empty.
func (c *collector) follow(ctx context.Context) error {
	for n := 0; n < len(c.queue); n++ {
		a := c.queue[n]
		if n%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if c.progress != nil {
				c.progress(min(float64(n)/float64(c.db.Len()), 0.99), a.Path)
			}
		}
		switch {
		case a.Folder:
			how := c.reached[a]
			for _, file := range c.db.FilesWithin(a.Path) {
				c.add(file, how.reason, how.via)
			}
		case c.packable(a):
			for _, target := range c.db.Targets(a) {
				c.add(target, Dependency, a.Path)
			}
		}
	}
	c.queue = nil
	return nil
}

// ships says whether a file is an item.
func (c *collector) ships(a *assets.Asset) bool {
	_, reached := c.reached[a]
	return reached && !a.Folder && c.packable(a)
}

// packable says whether a file goes into the pack once it is reached.
func (c *collector) packable(a *assets.Asset) bool {
	return a.Kind.ID != assets.Script && !within(a.Path, configFolder) && !within(a.Path, scriptsFolder) &&
		(c.plugins == "" || !within(a.Path, c.plugins)) && !samePath(a.Path, indexPath) && !samePath(a.Path, packPath)
}

// The names of the build's index and pack, relative to the game folder.
const (
	indexPath = "assets.index.json"
	packPath  = "content.tspack"
)

// list lists the items and the folders that contain them, in the order of the database.
func (c *collector) list() {
	c.content.Items = make([]Item, 0, len(c.reached))
	containing := make(map[string]bool)
	for _, a := range c.db.All() {
		if !c.ships(a) {
			continue
		}
		how := c.reached[a]
		c.content.Items = append(c.content.Items, Item{
			Asset: a, Path: a.Path, Kind: a.Kind.Name, Reason: how.reason, Via: how.via, Size: a.Size,
		})
		for dir := assetpath.Dir(a.Path); dir != "" && !containing[dir]; dir = assetpath.Dir(dir) {
			containing[dir] = true
		}
	}
	for _, folder := range c.db.Folders() {
		if containing[folder.Path] {
			c.content.Folders = append(c.content.Folders, folder)
		}
	}
}

// checkItems reports references of items that lead nowhere, and items that a pack cannot tell apart.
func (c *collector) checkItems(ctx context.Context) error {
	folded := make(map[string]string, len(c.content.Items))
	for n, item := range c.content.Items {
		if n%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		for _, missing := range c.db.Missing(item.Asset) {
			c.missing(item, missing)
		}
		key := assetpath.Fold(item.Path)
		if twin, ok := folded[key]; ok {
			c.problem(problem.Problem{Level: problem.Error, Code: "case-twins", File: "assets/" + item.Path,
				Message: fmt.Sprintf("differs from %s only in upper and lower case: a game finds its assets without regard to case", twin),
				Hint:    "Rename one of the two, or leave it out of the build."})
		}
		folded[key] = item.Path
	}
	return nil
}

func (c *collector) missing(item Item, m assets.MissingReference) {
	p := problem.Problem{Level: problem.Error, Code: "reference-missing", File: "assets/" + item.Path, Line: m.Line, Column: m.Column}
	if m.Guid.IsZero() {
		p.Message = fmt.Sprintf("refers to %s, which does not exist", m.Path)
		p.Hint = "Restore the file, or correct the reference."
		if near := c.db.NearMiss(m.Path); near != "" {
			p.Hint = fmt.Sprintf("%s exists. Rename it, or correct the reference.", near)
		}
	} else {
		p.Message = fmt.Sprintf("refers to %s, which is the guid of no asset", m.Guid)
		p.Hint = "Restore the asset with its .meta file, or assign another asset in the editor."
	}
	c.problem(p)
}

// left lists what does not ship.
func (c *collector) left(ctx context.Context) error {
	loose := make(map[string]bool, len(c.content.Loose))
	for _, file := range c.content.Loose {
		loose[file.Path] = true
	}
	for n, a := range c.db.All() {
		if n%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if a.Folder || loose[a.Path] || c.ships(a) {
			continue
		}
		why := Unreferenced
		if a.Kind.ID == assets.Script || within(a.Path, scriptsFolder) {
			why = ScriptSource
		}
		c.content.Left = append(c.content.Left, LeftOut{a.Path, why, a.Size})
	}
	if err := c.leftPlugins(ctx, loose); err != nil {
		return err
	}
	slices.SortFunc(c.content.Left, func(a, b LeftOut) int { return assetpath.Compare(a.Path, b.Path) })
	return nil
}

// within says whether an asset path lies in a folder, comparing as the database does.
func within(path, folder string) bool { return assetpath.Within(pathKey(path), pathKey(folder)) }

// samePath says whether two asset paths are equal, comparing as the database does.
func samePath(a, b string) bool { return pathKey(a) == pathKey(b) }

func pathKey(path string) string {
	if runtime.GOOS == "windows" {
		return assetpath.Fold(path)
	}
	return path
}

// fileBelow gives the place of an asset path on disk.
func fileBelow(root, path string) string { return filepath.Join(root, filepath.FromSlash(path)) }
