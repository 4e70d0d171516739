// Package project opens a Talesmith project: its settings, assets and plugins, and the list of what is wrong with them.
//
// A folder is a project when it holds assets/config/game.json. Beside assets lies build.json, the settings of the export,
// and everything below assets is an asset, with a few exceptions that package assets names. Opening reads and never writes;
// a file that is broken is a problem in the list and never keeps the project from being opened.
package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"talebinder/formats/assetpath"
	"talebinder/formats/jsondoc"
	"talebinder/platforms"
	"talebinder/project/assets"
	"talebinder/project/internal/textfile"
	"talebinder/project/plugins"
	"talebinder/project/problem"
)

// The files that settings are read from, relative to the project folder, as problems name them.
const (
	GameFile    = "assets/config/game.json"
	PluginsFile = "assets/config/plugins.json"
)

// maxSettings is the largest settings file that is read, in bytes.
const maxSettings = 16 << 20

// Progress is told how far opening has come. Done counts up to total, which is 0 while it is not known. It may be called
// from any goroutine, never twice at a time.
type Progress func(step, detail string, done, total int)

// Steps are the steps that Progress names, in order.
func Steps() []string { return []string{stepSettings, stepAssets, stepChecks} }

const (
	stepSettings = "Reading the settings"
	stepAssets   = "Looking through the assets"
	stepChecks   = "Checking the project"
)

// Options are how a project is opened.
type Options struct {
	Progress      Progress // may be nil
	EngineVersion string   // of the engine that plugins are held against; empty: not known, and no plugin is left out for it
	Workers       int      // 0 means one for each core
}

// A Project is a Talesmith project on disk. The fields are as of the last reading; Build alone changes in between.
type Project struct {
	Dir     string           // absolute
	Game    Game             // the defaults when GameErr is not nil
	GameErr error            // why config/game.json cannot be used, as a *FileError
	Build   *BuildDocument   // never nil; see BuildDocument.Err
	Assets  *assets.Database // never nil
	Plugins *plugins.Set     // never nil

	gameDoc *jsondoc.Doc // for the places of problems; nil when GameErr is not nil
}

// Open reads the project that path lies in; see Find. The error is a *NotProjectError, that of ctx, or says that the folder
// assets cannot be read. Everything else that is wrong is in Problems, and nothing is written.
func Open(ctx context.Context, path string, o Options) (*Project, error) {
	dir, err := Find(path)
	if err != nil {
		return nil, err
	}
	return read(ctx, dir, OpenBuild(filepath.Join(dir, BuildFile)), o)
}

// Refreshed reads the project again and gives the result as a new value, which has the same build.json document with its
// edits. The project itself stays as it is, so that others can go on using it meanwhile.
func (p *Project) Refreshed(ctx context.Context, o Options) (*Project, error) {
	return read(ctx, p.Dir, p.Build, o)
}

// Rescan reads the project again in place. Nobody may use the project meanwhile; see Refreshed. After an error it is as before.
func (p *Project) Rescan(ctx context.Context, o Options) error {
	fresh, err := p.Refreshed(ctx, o)
	if err != nil {
		return err
	}
	*p = *fresh
	return nil
}

func read(ctx context.Context, dir string, build *BuildDocument, o Options) (*Project, error) {
	progress := o.Progress
	if progress == nil {
		progress = func(string, string, int, int) {}
	}
	p := &Project{Dir: dir, Build: build}
	progress(stepSettings, GameFile, 0, 2)
	p.readGame()
	progress(stepSettings, PluginsFile, 1, 2)
	p.readPlugins(o.EngineVersion)
	progress(stepSettings, "", 2, 2)

	progress(stepAssets, "", 0, 0)
	var err error
	p.Assets, err = assets.Scan(ctx, p.AssetRoot(), assets.Options{
		PluginsFolder: p.Plugins.Folder(),
		Workers:       o.Workers,
		Progress:      func(done int, path string) { progress(stepAssets, path, done, 0) },
	})
	if err != nil {
		return nil, err
	}
	progress(stepAssets, "", p.Assets.Len(), p.Assets.Len())
	progress(stepChecks, "", 1, 1)
	return p, nil
}

func (p *Project) readGame() {
	p.Game = DefaultGame()
	text, _, err := textfile.Read(filepath.Join(p.Dir, gameFile), maxSettings)
	if err != nil {
		p.GameErr = &FileError{File: GameFile, Err: err, Faults: []Fault{{Message: "the file cannot be read: " + systemReason(err)}}}
		return
	}
	game, err := ParseGame(text)
	if err != nil {
		var faulty *FileError
		if errors.As(err, &faulty) {
			faulty.File = GameFile
		}
		p.GameErr = err
		return
	}
	p.Game = game
	p.gameDoc, _ = jsondoc.Parse(text) // it has just been parsed
}

func (p *Project) readPlugins(engineVersion string) {
	text, _, err := textfile.Read(filepath.Join(p.Dir, filepath.FromSlash(PluginsFile)), maxSettings)
	switch {
	case err == nil:
		if text == nil {
			text = []byte{}
		}
	case errors.Is(err, fs.ErrNotExist):
		text = nil
	default:
		p.Plugins = plugins.LoadUnreadable(p.AssetRoot(), p.Game.PluginsFolder, errors.New("the file cannot be read: "+systemReason(err)), engineVersion)
		return
	}
	p.Plugins = plugins.Load(p.AssetRoot(), p.Game.PluginsFolder, text, engineVersion)
}

// AssetRoot is the absolute path of the folder that asset paths are relative to.
func (p *Project) AssetRoot() string { return filepath.Join(p.Dir, "assets") }

// Title is the game's title.
func (p *Project) Title() string { return p.Game.Title }

// ExecutableName is the name of the executable and of the build folders with these settings, without extension.
func (p *Project) ExecutableName(s BuildSettings) string {
	if s.ExecutableName != nil {
		return platforms.SanitizeName(*s.ExecutableName)
	}
	return platforms.SanitizeName(p.Title())
}

// OutputRoot is the absolute path of the folder that builds with these settings go into.
func (p *Project) OutputRoot(s BuildSettings) string {
	if filepath.IsAbs(s.OutputFolder) {
		return filepath.Clean(s.OutputFolder)
	}
	return filepath.Join(p.Dir, filepath.FromSlash(s.OutputFolder))
}

// IconPath is the path of the file that an icon setting names. Unlike an asset path it may be absolute or leave the asset folder.
func (p *Project) IconPath(icon string) string {
	if filepath.IsAbs(icon) {
		return filepath.Clean(icon)
	}
	return filepath.Join(p.AssetRoot(), filepath.FromSlash(icon))
}

// target gives the target that a build is for: the named one, else that of build.json, else this computer.
func (p *Project) target(id string, s BuildSettings) platforms.Target {
	if t, ok := platforms.TargetByID(id); ok {
		return t
	}
	if s.Target != nil {
		if t, ok := platforms.TargetByID(*s.Target); ok {
			return t
		}
	}
	return platforms.Host()
}

// Problems gives everything that is wrong with the project itself, whatever it is exported for: with the settings files,
// the plugins, the assets and the fields of build.json. Check adds what concerns an export. Errors come first, then
// warnings, each by file and place.
func (p *Project) Problems() []problem.Problem {
	var all []problem.Problem
	all = append(all, p.fileProblems()...)
	all = append(all, p.Plugins.Problems()...)
	all = append(all, p.Assets.Problems()...)
	all = append(all, p.interruptedBuilds()...)
	if p.Build.Err() == nil {
		for _, f := range p.ValidateBuild(p.Build.Settings()) {
			// What an export checks or collects is said there; notes are for the form.
			if f.Level > problem.Info && !strings.HasPrefix(f.Field, "scenes/") && !strings.HasPrefix(f.Field, "alwaysInclude/") && f.Field != "icon" {
				all = append(all, f.Problem)
			}
		}
	}
	sortProblems(all)
	return all
}

func sortProblems(all []problem.Problem) {
	slices.SortStableFunc(all, func(a, b problem.Problem) int {
		return cmp.Or(
			cmp.Compare(b.Level, a.Level),
			assetpath.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
		)
	})
}

// fileProblems are the faults of game.json and build.json.
func (p *Project) fileProblems() []problem.Problem {
	all := faultProblems("game-invalid", p.GameErr, "Correct the file: the game can neither be exported nor started with it.")
	return append(all, faultProblems("build-invalid", p.Build.Err(), "Correct the file, or replace it with the defaults.")...)
}

// faultProblems gives a problem for each fault of a *FileError.
func faultProblems(code string, err error, hint string) []problem.Problem {
	var faulty *FileError
	if !errors.As(err, &faulty) {
		return nil
	}
	all := make([]problem.Problem, len(faulty.Faults))
	for i, f := range faulty.Faults {
		all[i] = problem.Problem{
			Level: problem.Error, Code: code, File: faulty.File, Line: f.Line, Column: f.Column, Message: f.Message, Hint: hint,
		}
	}
	return all
}

// previousRepair begins the ids of repairs that put a build folder back.
const previousRepair = "previous-build:"

// interruptedBuilds finds builds that an export had moved away when it was killed, before the new one was in their place.
func (p *Project) interruptedBuilds() []problem.Problem {
	root := p.OutputRoot(p.Build.Settings())
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil
	}
	var all []problem.Problem
	for _, entry := range entries {
		name, previous := previousOf(entry.Name())
		if !previous || !entry.IsDir() {
			continue
		}
		if _, err := os.Lstat(filepath.Join(root, name)); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		all = append(all, problem.Problem{
			Level: problem.Warning, Code: "build-interrupted", File: p.relative(filepath.Join(root, entry.Name())),
			Message: fmt.Sprintf("an export was ended before it could replace the build %s", name),
			Hint:    "The previous build is complete and can be put back; the next export does so too.",
			Repair:  previousRepair + name,
		})
	}
	return all
}

// previousOf gives the name of the build folder for that of a folder that a build was moved away to.
func previousOf(name string) (build string, ok bool) {
	build, ok = strings.CutSuffix(name, ".previous")
	if !ok || !strings.HasPrefix(build, ".") {
		return "", false
	}
	build = build[1:]
	for _, t := range platforms.Targets() {
		if strings.HasSuffix(build, "-"+t.ID) {
			return build, true
		}
	}
	return "", false
}

// relative gives a path as problems name files: relative to the project where it lies in it, with forward slashes.
func (p *Project) relative(path string) string {
	if rel, err := filepath.Rel(p.Dir, path); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(path)
}

// Repairs gives what can be repaired: builds that can be put back, then what the engine would write into .meta files. The
// list of an asset database with many of them begins with one that does them all.
func (p *Project) Repairs() []assets.Repair {
	var all []assets.Repair
	for _, found := range p.interruptedBuilds() {
		name := strings.TrimPrefix(found.Repair, previousRepair)
		all = append(all, assets.Repair{ID: found.Repair, Title: "Put the build " + name + " back", Files: []string{found.File}})
	}
	return append(all, p.Assets.Repairs()...)
}

// Repair carries out the repair of a problem, which its field Repair names. Read the project again afterwards, also after an error.
func (p *Project) Repair(id string) error {
	name, ok := strings.CutPrefix(id, previousRepair)
	if !ok {
		return p.Assets.Repair(id)
	}
	root := p.OutputRoot(p.Build.Settings())
	moved := filepath.Join(root, "."+name+".previous")
	if found, ok := previousOf(filepath.Base(moved)); !ok || found != name {
		return fmt.Errorf("there is no repair %q", id)
	}
	build := filepath.Join(root, name)
	if _, err := os.Lstat(build); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s was not put back: the folder %s is there by now", filepath.Base(moved), build)
	}
	if err := os.Rename(moved, build); err != nil {
		return fmt.Errorf("%s was not put back: %w", filepath.Base(moved), err)
	}
	return nil
}
