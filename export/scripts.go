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

// scripts are the C# sources of a project and what they were compiled into. This program has no compiler: it ships the
// assembly that the engine's editor leaves beside the sources.
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

// compileScripts is the step that makes sure that the game's scripts ship compiled.
func (r *run) compileScripts(ctx context.Context) error {
	s, err := findScripts(ctx, r.project.AssetRoot(), r.profile)
	if err != nil {
		return err
	}
	r.scripts = s
	switch {
	case len(s.sources) == 0:
		r.info("No scripts")
	case s.assembly == nil:
		message := fmt.Sprintf("%s has not been compiled: there is no assets/%s. Open the project in the Talesmith editor once, which compiles the scripts, or leave them out",
			count(len(s.sources), "script", "scripts"), scriptAssembly)
		if r.options.ContentOnly {
			r.warn("", message+". The game folder is made without it")
			break
		}
		r.log(Entry{Level: Error, Message: message})
	case s.managed != nil:
		r.log(Entry{Level: Error, File: scriptAssembly, Message: fmt.Sprintf("not a .NET assembly that can be read: %v. Compile the scripts again in the Talesmith editor", s.managed)})
	default:
		if s.newer != "" {
			r.warn(s.newer, fmt.Sprintf("changed after %s was compiled: the build gets the scripts as they were then. Compile them again in the Talesmith editor", scriptAssembly))
		}
		r.info("Using the compiled %s", scriptAssembly)
		if r.profile.Info().Symbols && s.symbols == nil {
			r.info("No %s: stack traces of the scripts have no lines", scriptSymbols)
		}
	}
	return nil
}

// count gives a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
