// Package project opens a Talesmith project: its settings, assets and plugins, and the list of what is wrong with them.
package project

import (
	"context"

	"talebinder/project/assets"
	"talebinder/project/plugins"
	"talebinder/project/problem"
)

// A NotProjectError says that a path does not lie in a project.
type NotProjectError struct {
	Path   string // what was to be opened
	Looked string // what was looked for
	Hint   string // what the person can do
}

func (e *NotProjectError) Error() string { return e.Path + " is not a Talesmith project" }

// Find gives the project folder for a project, for any folder or file in it.
func Find(path string) (dir string, err error) { return "", &NotProjectError{Path: path} }

// Progress is told how far opening has come.
type Progress func(step, detail string, done, total int)

// Options are how a project is opened.
type Options struct {
	Progress      Progress
	EngineVersion string // of the engine that plugins are checked against; empty when not known
	Workers       int    // 0 for one on each core
}

// A Project is a Talesmith project on disk.
type Project struct {
	Dir     string
	Game    Game
	GameErr error
	Build   *BuildDocument
	Assets  *assets.Database
	Plugins *plugins.Set
}

// Open reads the project that path lies in.
func Open(ctx context.Context, path string, o Options) (*Project, error) { return nil, nil }

// Rescan reads the project again.
func (p *Project) Rescan(ctx context.Context, o Options) error { return nil }

// AssetRoot is the folder that asset paths are relative to.
func (p *Project) AssetRoot() string { return "" }

// Title is the game's title.
func (p *Project) Title() string { return p.Game.Title }

// Problems gives everything that is wrong with the project.
func (p *Project) Problems() []problem.Problem { return nil }

// Repair carries out a repair of a problem.
func (p *Project) Repair(id string) error { return nil }

// Check gives what the first step of an export for the target says.
func (p *Project) Check(target string) []problem.Problem { return nil }

// A FieldProblem is a problem of one field of the build settings.
type FieldProblem struct {
	Field string // "version", "icon", "scenes/2", "alwaysInclude/0", ...
	problem.Problem
}

// ValidateBuild gives what is wrong with build settings, while they are being typed.
func (p *Project) ValidateBuild(s BuildSettings) []FieldProblem { return nil }
