// Package project opens a Talesmith project: its settings, assets and plugins, and the list of what is wrong with them.
//
// A folder is a project when it holds assets/config/game.json. Beside assets lies build.json, the settings of the export,
// and everything below assets is an asset, with a few exceptions that package assets names. Opening reads and never writes;
// a file that is broken is a problem in the list and never keeps the project from being opened.
package project

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
// the plugins, the assets and the fields of build.json. Check says what an export for a target says, some of it the same.
// What is always included and does not exist is said by the collection of the content. Errors come first, then warnings and
// notes, each by file and place.
func (p *Project) Problems() []problem.Problem {
	var fields []problem.Problem
	if p.Build.Err() == nil {
		for _, f := range p.ValidateBuild(p.Build.Settings()) {
			if f.Level > problem.Info && f.Code != includeMissing && f.Code != includeLeaves {
				fields = append(fields, f.Problem)
			}
		}
	}
	return problem.Merge(p.fileProblems(), p.Plugins.Problems(), p.Assets.Problems(), p.interruptedWrites(), p.interruptedBuilds(), fields)
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

// backupRepair begins the ids of repairs that take a settings file from its backup.
const backupRepair = "backup:"

// interruptedWrites finds settings files of which only the backup is left: the editor moves a file away before it puts the
// new one in its place, and was ended in between. Without the file its settings would silently be the defaults.
func (p *Project) interruptedWrites() []problem.Problem {
	var all []problem.Problem
	for _, file := range []string{BuildFile, PluginsFile} {
		path := filepath.Join(p.Dir, filepath.FromSlash(file))
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if info, err := os.Lstat(backupOf(path)); err != nil || !info.Mode().IsRegular() {
			continue
		}
		all = append(all, problem.Problem{
			Level: problem.Warning, Code: "settings-backup", File: file,
			Message: "the file is missing, but the backup of an interrupted write is there: " + filepath.Base(backupOf(path)),
			Hint:    "The repair brings the file back. Until then its settings are the defaults.",
			Repair:  backupRepair + file,
		})
	}
	return all
}

func backupOf(path string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".bak")
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

// Repairs gives what can be repaired: settings files and builds that can be put back, then what the engine would write into
// .meta files. The list of an asset database with several of them begins with one that does them all.
func (p *Project) Repairs() []assets.Repair {
	var all []assets.Repair
	for _, found := range p.interruptedWrites() {
		all = append(all, assets.Repair{ID: found.Repair, Title: "Bring " + found.File + " back from its backup", Files: []string{found.File}})
	}
	for _, found := range p.interruptedBuilds() {
		name := strings.TrimPrefix(found.Repair, previousRepair)
		all = append(all, assets.Repair{ID: found.Repair, Title: "Put the build " + name + " back", Files: []string{found.File}})
	}
	return append(all, p.Assets.Repairs()...)
}

// Repair carries out a repair, which the field Repair of a problem names. Read the project again afterwards, also after an
// error; build.json, when the repair brought it back, by BuildDocument.Reload.
func (p *Project) Repair(id string) error {
	if file, ok := strings.CutPrefix(id, backupRepair); ok && slices.Contains([]string{BuildFile, PluginsFile}, file) {
		path := filepath.Join(p.Dir, filepath.FromSlash(file))
		return putBack(backupOf(path), path)
	}
	if name, ok := strings.CutPrefix(id, previousRepair); ok {
		moved := filepath.Join(p.OutputRoot(p.Build.Settings()), "."+name+".previous")
		if found, ok := previousOf(filepath.Base(moved)); ok && found == name {
			return putBack(moved, filepath.Join(filepath.Dir(moved), name))
		}
	}
	return p.Assets.Repair(id)
}

// putBack gives a file or folder that was moved away its name again.
func putBack(moved, path string) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s was not put back: %s is there by now", filepath.Base(moved), path)
	}
	if err := os.Rename(moved, path); err != nil {
		return fmt.Errorf("%s was not put back: %w", filepath.Base(moved), err)
	}
	return nil
}
