package export

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"talebinder/export/folders"
	"talebinder/export/internal/compile"
	"talebinder/export/internal/dotnet"
	"talebinder/export/players"
	"talebinder/formats/assetpath"
	"talebinder/formats/clr"
	"talebinder/formats/csharp"
	"talebinder/platforms"
)

// Names below the asset root that have a meaning of their own.
const (
	configFolder   = "config"
	scriptsFolder  = "scripts"
	scriptAssembly = "scripts/bin/Game.Scripts.dll"
	scriptSymbols  = "scripts/bin/Game.Scripts.pdb"
)

// scripts are the C# sources of a project and what they were compiled into: the assembly that the engine's editor leaves beside
// the sources, or one that an export has compiled into this program's cache.
type scripts struct {
	sources  []scriptSource
	assembly *LooseFile // nil when there is none
	symbols  *LooseFile // nil when there are none or the profile ships none
	newer    string     // a source that was changed after the assembly was made, or ""
	managed  error      // what is wrong with the assembly, or nil
}

type scriptSource struct {
	path    string // relative to the asset root, with forward slashes
	file    string // where it is read from
	changed time.Time
}

// findScripts looks for sources in the scripts folder, at any depth but not in folders named bin, obj or starting with a dot,
// and for what they were compiled into.
func findScripts(ctx context.Context, assetRoot string, profile platforms.Profile) (*scripts, error) {
	s := &scripts{}
	folder := filepath.Join(assetRoot, scriptsFolder)
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path == folder {
			return filepath.SkipAll
		}
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if path != folder && (name == "bin" || name == "obj" || strings.HasPrefix(name, ".")) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".cs") {
			return nil
		}
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return nil
		}
		rel, err := filepath.Rel(assetRoot, path)
		if err != nil {
			return err
		}
		s.sources = append(s.sources, scriptSource{filepath.ToSlash(rel), path, info.ModTime()})
		return nil
	})
	if err != nil || len(s.sources) == 0 {
		return s, err
	}
	slices.SortFunc(s.sources, func(a, b scriptSource) int { return assetpath.Compare(a.path, b.path) })
	return s, s.findAssembly(assetRoot, profile)
}

func (s *scripts) findAssembly(assetRoot string, profile platforms.Profile) error {
	file := filepath.Join(assetRoot, filepath.FromSlash(scriptAssembly))
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	s.assembly = &LooseFile{Path: scriptAssembly, Source: file, Size: info.Size(), Category: CategoryScripts}
	for _, source := range s.sources {
		if source.changed.After(info.ModTime()) {
			s.newer = source.path
			break
		}
	}
	if _, err := assemblyStrings(file); err != nil {
		s.managed = err
	}
	if !profile.Info().Symbols {
		return nil
	}
	file = filepath.Join(assetRoot, filepath.FromSlash(scriptSymbols))
	if info, err := os.Stat(file); err == nil {
		s.symbols = &LooseFile{Path: scriptSymbols, Source: file, Size: info.Size(), Category: CategoryScripts}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// literals gives the string literals of all sources, in their order.
func (s *scripts) literals(ctx context.Context) ([]string, error) {
	var all []string
	for _, source := range s.sources {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, err := os.ReadFile(source.file)
		if err != nil {
			return nil, err
		}
		all = append(all, csharp.Literals(text)...)
	}
	return all, nil
}

// assemblyStrings gives the user strings of a .NET assembly.
func assemblyStrings(path string) ([]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return clr.UserStrings(file, info.Size())
}

// outdated says why the scripts have to be compiled before they can ship, and about which file; "" when they need not.
func (s *scripts) outdated() (file, why string) {
	switch {
	case len(s.sources) == 0:
		return "", ""
	case s.assembly == nil:
		return "", fmt.Sprintf("%s not been compiled: there is no assets/%s", count(len(s.sources), "script has", "scripts have"), scriptAssembly)
	case s.managed != nil:
		return scriptAssembly, fmt.Sprintf("not a .NET assembly that can be read: %v", s.managed)
	case s.newer != "":
		return s.newer, fmt.Sprintf("changed after assets/%s was compiled", scriptAssembly)
	}
	return "", ""
}

// inEditor is what helps when nothing else can compile scripts.
const inEditor = "Open the project in the Talesmith editor once, which compiles the scripts"

// compileScripts is the step that makes sure that the game's scripts ship compiled.
func (r *run) compileScripts(ctx context.Context) error {
	s, err := findScripts(ctx, r.project.AssetRoot(), r.profile)
	if err != nil {
		return err
	}
	r.scripts = s
	file, why := s.outdated()
	switch {
	case len(s.sources) == 0:
		r.info("No scripts")
		return nil
	case why == "":
		r.info("Using the compiled %s", scriptAssembly)
		r.tellSymbols()
		return nil
	}
	err = r.compile(ctx)
	var failed *compile.FailedError
	switch {
	case err == nil:
		r.tellSymbols()
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &failed):
		r.logDiagnostics(failed.Diagnostics)
		return failed
	case r.options.ContentOnly && s.managed == nil:
		// A tester who changes the content of a build has its scripts already.
		without := "The game folder is made without them"
		if s.assembly != nil {
			without = "The game folder gets the scripts as they were then"
		}
		r.warn(file, fmt.Sprintf("%s. Nothing here can compile them: %v. %s. %s", why, err, without, inEditor))
	default:
		r.log(Entry{Level: Error, File: file, Message: fmt.Sprintf("%s. Nothing here can compile them: %v. %s", why, err, inEditor)})
	}
	return nil
}

func (r *run) tellSymbols() {
	if r.profile.Info().Symbols && r.scripts.symbols == nil {
		r.info("No %s: stack traces of the scripts have no lines", scriptSymbols)
	}
}

// compile compiles the scripts into this program's cache, and lets the result ship.
func (r *run) compile(ctx context.Context) error {
	c, err := r.compiler(ctx)
	if err != nil {
		return err
	}
	r.info("Compiling %s with %s", count(len(r.scripts.sources), "script", "scripts"), c.Name())
	request := &compile.Request{
		AssetRoot: r.project.AssetRoot(), Debug: r.profile.Info().Symbols, Cache: folders.Cache(),
		PluginsFolder: r.project.Plugins.Folder(),
	}
	for _, source := range r.scripts.sources {
		request.Sources = append(request.Sources, compile.File{Path: source.path, Source: source.file, Changed: source.changed})
	}
	for _, plugin := range r.project.Plugins.Shipped() {
		path := r.project.Plugins.Folder() + "/" + plugin.Folder + "/" + plugin.Manifest.Assembly
		file, err := assetpath.SafeJoin(r.project.AssetRoot(), path)
		if err != nil {
			return err
		}
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			request.Plugins = append(request.Plugins, compile.File{Path: path, Source: file})
		}
	}
	result, err := compile.Run(ctx, c, request, func(line string) {
		r.log(Entry{Level: Debug, Message: line})
		r.progress(0, line)
	})
	if err != nil {
		return err
	}
	r.logDiagnostics(result.Diagnostics)
	if result.Cached {
		r.info("Using the scripts that were compiled before")
	}
	r.scripts.symbols = nil
	if r.scripts.assembly, err = compiledFile(scriptAssembly, result.Assembly); err != nil {
		return err
	}
	if result.Symbols != "" && r.profile.Info().Symbols {
		r.scripts.symbols, err = compiledFile(scriptSymbols, result.Symbols)
	}
	return err
}

func compiledFile(path, source string) (*LooseFile, error) {
	info, err := os.Stat(source)
	if err != nil {
		return nil, err
	}
	return &LooseFile{Path: path, Source: source, Size: info.Size(), Category: CategoryScripts}, nil
}

func (r *run) logDiagnostics(diagnostics []compile.Diagnostic) {
	for _, d := range diagnostics {
		e := Entry{Level: Error, Message: d.Text, File: d.File, Line: d.Line, Column: d.Column}
		if d.Warning {
			e.Level = Warning
		}
		r.log(e)
	}
}

// compiler finds what can compile scripts here: the engine's own command, or else the .NET SDK with the assemblies of a player,
// which is published first when that is how the build gets it.
func (r *run) compiler(ctx context.Context) (compile.Compiler, error) {
	engine, noEngine := compile.WithEngine()
	if noEngine == nil {
		return engine, nil
	}
	if r.publish {
		if err := r.publishPlayer(ctx); err != nil {
			return nil, err
		}
	}
	sdk, noSDK := r.withSDK(ctx, r.player)
	if noSDK == nil {
		return sdk, nil
	}
	return nil, fmt.Errorf("%w, and %w", noEngine, noSDK)
}

// withSDK gives the compiler that uses the .NET SDK: with the build's own player, or with any that is there when the build has
// none, since the engine's assemblies are the same for all targets.
func (b *Build) withSDK(ctx context.Context, player players.Player) (compile.Compiler, error) {
	if player.Dir != "" {
		return compile.WithSDK(ctx, player, b.target)
	}
	if _, err := dotnet.Find(ctx); err != nil {
		return nil, err
	}
	for _, target := range append([]platforms.Target{b.target}, platforms.Targets()...) {
		for _, profile := range []platforms.Profile{b.profile, platforms.Release, platforms.Development} {
			if player, err := players.Find(target, profile, b.playerOptions()); err == nil {
				return compile.WithSDK(ctx, player, target)
			}
		}
	}
	return nil, errors.New("there is no player whose assemblies the .NET SDK could compile them against")
}

// count gives a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
