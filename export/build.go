package export

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"talebinder/platforms"
	"talebinder/project"
)

// BuildOptions say what differs from a project's build settings.
type BuildOptions struct {
	Target      string             // id of the target; "" takes the settings' target, or this computer
	Profile     *platforms.Profile // nil takes the settings' profile
	Output      string             // folder that the build goes into; "" takes the settings' output folder
	ContentOnly bool               // make the game folder only, without a player
	PlayersDir  string             // a players folder that is looked at first; may be ""

	// Reopen reads the project from disk again when the job starts, unsaved changes left aside. A window, whose project has been
	// open for a while and may change during the export, sets it; a command that has just opened the project does not.
	Reopen        bool
	EngineVersion string // for reading it again; see project.Options

	Workers int              // 0 means one for each core
	Now     func() time.Time // nil means time.Now
}

// A Build is the job that makes a game out of a project: a build folder, in the distribution profile an archive too, and a
// report. It replaces the previous build only when everything went well, and changes no file of the project.
type Build struct {
	project *project.Project
	options BuildOptions
	target  platforms.Target
	profile platforms.Profile
	root    string // absolute output folder
	name    string // of the executable and in folder names
}

// NewBuild prepares a build of the project. It fails when build.json is not valid or the target is unknown.
func NewBuild(p *project.Project, o BuildOptions) (*Build, error) {
	if err := p.Build.Err(); err != nil {
		return nil, fmt.Errorf("build.json is not valid: %w", err)
	}
	settings := p.Build.Settings()
	b := &Build{project: p, options: o, target: platforms.Host(), profile: settings.Profile}
	if settings.Target != nil {
		if t, ok := platforms.TargetByID(*settings.Target); ok {
			b.target = t
		}
	}
	if o.Target != "" {
		t, ok := platforms.TargetByID(o.Target)
		if !ok {
			return nil, fmt.Errorf("%q is no target", o.Target)
		}
		b.target = t
	}
	if o.Profile != nil {
		b.profile = *o.Profile
	}
	title := p.Title()
	if settings.ExecutableName != nil {
		title = *settings.ExecutableName
	}
	b.name = platforms.SanitizeName(title)
	var err error
	b.root, err = OutputRoot(p.Dir, settings.OutputFolder, o.Output)
	return b, err
}

// OutputRoot gives the absolute folder that builds go into: a folder that was named, else the settings' output folder, which
// may be relative to the project.
func OutputRoot(projectDir, outputFolder, named string) (string, error) {
	if named == "" {
		named = outputFolder
		if !filepath.IsAbs(named) {
			named = filepath.Join(projectDir, filepath.FromSlash(named))
		}
	}
	return filepath.Abs(named)
}

// Title says what is built, such as "Hex Quest for Linux x64, release".
func (b *Build) Title() string {
	title := fmt.Sprintf("%s for %s, %s", b.project.Title(), b.target.Name, b.profile)
	if b.options.ContentOnly {
		title += ", game folder only"
	}
	return title
}

// Target is the id of the target.
func (b *Build) Target() string { return b.target.ID }

// Profile is the profile of the build.
func (b *Build) Profile() platforms.Profile { return b.profile }

// ContentOnly says that only the game folder is made.
func (b *Build) ContentOnly() bool { return b.options.ContentOnly }

// Output is the build folder.
func (b *Build) Output() string { return filepath.Join(b.root, b.target.BuildFolder(b.name)) }

// Command gives the words of the command line that makes the same build.
func (b *Build) Command() []string {
	words := []string{"talebinder", "export", b.project.Dir, "--target", b.target.ID, "--profile", b.profile.String()}
	if b.options.Output != "" {
		words = append(words, "--output", b.root)
	}
	if b.options.ContentOnly {
		words = append(words, "--content-only")
	}
	if b.options.PlayersDir != "" {
		words = append(words, "--players", b.options.PlayersDir)
	}
	return words
}

// Run makes the build.
func (b *Build) Run(ctx context.Context, r Reporter) (*Report, error) {
	return nil, errors.ErrUnsupported
}

var _ Job = (*Build)(nil)

// CollectContent finds out what a build of the project would ship and what it would not. The profile decides whether debug
// symbols ship. Its problems are what an export would report about the content; the error says that the project cannot be
// collected at all, or that ctx ended.
func CollectContent(ctx context.Context, p *project.Project, profile platforms.Profile) (*Content, error) {
	return nil, errors.ErrUnsupported
}
