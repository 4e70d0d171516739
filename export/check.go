package export

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"talebinder/export/internal/filelock"
	"talebinder/export/players"
	"talebinder/platforms"
	"talebinder/project"
	"talebinder/project/plugins"
)

// check is the step that finds out whether the build can be made at all, before anything is written.
func (r *run) check(ctx context.Context) error {
	if r.options.Reopen {
		if err := r.reopen(ctx); err != nil {
			return err
		}
	}
	if err := r.claim(); err != nil {
		return err
	}
	r.logProblems(r.project.Check(r.target.ID))
	for _, p := range r.points() {
		if err := p.look(ctx); ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			r.fail(err)
		}
	}
	r.info("%s scanned", count(r.project.Assets.Len(), "asset", "assets"))
	for _, plugin := range r.project.Plugins.All() {
		if plugin.State == plugins.Pending {
			r.info("Plugin %s %v ships", plugin.Manifest.ID, plugin.Manifest.Version)
		}
	}
	return nil
}

// A point is something that the first step looks at, apart from the project itself. Readiness is found out with the same points.
type point struct {
	code string        // a fixed word for programs
	fine func() string // what is said when nothing is wrong; nil or "" for nothing
	fix  Fix           // what helps when there is
	look func(ctx context.Context) error
}

// points lists what is looked at, in order.
func (r *run) points() []point {
	if r.options.ContentOnly {
		return nil
	}
	points := []point{
		{"version", func() string { return "Version " + r.settings.Version }, settingFix("version"), r.checkVersion},
		{"name", func() string { return "The executable is " + path.Base(r.places.layout.Executable) }, settingFix("executableName"), r.checkName},
	}
	if r.target.Platform == platforms.MacOS {
		points = append(points, point{
			"bundle-identifier", func() string { return "The bundle identifier is " + r.bundleIdentifier() }, settingFix("bundleIdentifier"), r.checkBundleIdentifier,
		})
	}
	return append(points,
		point{"icon", r.iconFine, settingFix("icon"), func(context.Context) error { r.readIcon(); return nil }},
		point{"player", r.playerFine, Fix{}, r.checkPlayer},
	)
}

// iconFine says which icon there is.
func (r *run) iconFine() string {
	if iconFile(r.project) == "" {
		return "No icon is set"
	}
	return "The icon " + *r.settings.Icon + " can be used"
}

// playerFine says which player was found; how it will be made has been said already.
func (r *run) playerFine() string {
	if r.publish {
		return ""
	}
	return fmt.Sprintf("The player is %s (%s)", r.player.Dir, r.player.Source)
}

// checkVersion refuses a version that archives cannot be named after, and says what players see of one that is not made of
// numbers.
func (r *run) checkVersion(context.Context) error {
	version := r.settings.Version
	switch r.target.Platform {
	case platforms.Windows:
		if number, exact := fileVersion(version); !exact {
			r.info("Windows shows the file version %s for the version %q", numberText(number), version)
		}
	case platforms.MacOS:
		if shown := bundleVersion(version); shown != version {
			r.info("macOS shows the version %s for the version %q", shown, version)
		}
	}
	if !r.profile.Info().Archive {
		return nil
	}
	if err := platforms.CheckVersion(version); err != nil {
		return &placedError{file: viaBuild, message: err.Error()}
	}
	if err := r.target.CheckFileName(r.target.ArchiveName(r.places.name, version)); err != nil {
		return &placedError{file: viaBuild, message: fmt.Sprintf("%v: the archive is named after the version. Write numbers with dots, such as 1.0.0", err)}
	}
	return nil
}

// checkName refuses a name of the executable that the players' computers cannot have, or that something else in the build has.
func (r *run) checkName(context.Context) error {
	written, from := r.project.Title(), "title"
	if r.settings.ExecutableName != nil {
		written, from = *r.settings.ExecutableName, "executableName"
	}
	if platforms.Reserved(strings.Trim(written, " .")) && !platforms.Reserved(r.places.name) {
		r.warn(viaBuild, fmt.Sprintf("the %s %q is reserved on Windows for a device, so the executable is called %q. Set another executableName", from, written, r.places.name))
	}
	if clash := r.places.layout.Clash(); clash != "" {
		return &placedError{file: viaBuild, message: fmt.Sprintf("the executable would be named %q, which the build needs for something else. Set another executableName", clash)}
	}
	if err := r.target.CheckFileName(path.Base(r.places.layout.Executable)); err != nil {
		return &placedError{file: viaBuild, message: fmt.Sprintf("%v: the executable is named after the title. Set another executableName", err)}
	}
	return nil
}

func (r *run) checkBundleIdentifier(context.Context) error {
	if err := platforms.CheckBundleIdentifier(r.bundleIdentifier()); err != nil {
		return &placedError{file: viaBuild, message: fmt.Sprintf("%v. Write something such as com.example.game, or leave bundleIdentifier out", err)}
	}
	return nil
}

// reopen reads the project as it is on disk now.
func (r *run) reopen(ctx context.Context) error {
	p, err := project.Open(ctx, r.project.Dir, project.Options{
		EngineVersion: r.options.EngineVersion,
		Workers:       r.options.Workers,
		Progress: func(step, detail string, done, total int) {
			r.progress(min(float64(done)/float64(max(total, 1)), 0.99), detail)
		},
	})
	if err != nil {
		return err
	}
	r.project = p
	if p.GameErr != nil {
		r.unnamed = true
		return gameError(p.GameErr)
	}
	if err := p.Build.Err(); err != nil {
		return &placedError{file: viaBuild, message: fmt.Sprintf("not valid: %v", err)}
	}
	r.settings = p.Build.Settings()
	r.places, err = r.findPlaces(p)
	return err
}

// claim makes sure that the output may be written and keeps other exports from writing it. It also puts the previous build
// back in its place if an export was killed while it replaced it.
func (r *run) claim() error {
	if err := r.checkPlaces(); err != nil {
		return err
	}
	if err := os.MkdirAll(r.places.root, 0o777); err != nil {
		return fmt.Errorf("the output folder cannot be made: %w", explain(err))
	}
	lock, err := filelock.Acquire(r.places.lock)
	if errors.Is(err, filelock.ErrLocked) {
		return fmt.Errorf("%s is being written by another export. Wait for it to end, or choose another output folder", r.places.build)
	}
	if err != nil {
		return fmt.Errorf("the output folder cannot be written to: %w", explain(err))
	}
	r.lock = lock
	restored, err := restore(r.places.build, r.places.previous)
	if restored {
		r.info("Put back the build that an interrupted export had moved away")
	}
	return err
}

// checkPlaces refuses an output that would lie in the assets or take the place of the project.
func (r *run) checkPlaces() error {
	assetRoot := resolved(r.project.AssetRoot())
	if root := resolved(r.places.root); isWithin(root, assetRoot) {
		return fmt.Errorf("the output folder %s lies in the assets folder, where the build would become a part of the game. Choose a folder outside of it", r.places.root)
	}
	build := resolved(r.places.build)
	for _, precious := range []string{resolved(r.project.Dir), assetRoot} {
		if isWithin(precious, build) {
			return fmt.Errorf("the build folder %s would replace the project in it. Choose another output folder", r.places.build)
		}
	}
	if there := existing(r.places.root); !isFolder(there) {
		return fmt.Errorf("the output folder %s cannot be made: %s is a file. Choose another output folder", r.places.root, there)
	}
	if info, err := os.Lstat(r.places.build); err == nil && !info.IsDir() {
		return fmt.Errorf("%s is not a folder and stands where the build folder goes. Move it away, or choose another output folder", r.places.build)
	}
	return nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// checkPlayer finds the player and what it consists of, or how to get it.
func (r *run) checkPlayer(ctx context.Context) error {
	player, err := players.Find(r.target, r.profile, r.playerOptions())
	if err != nil || player.Outdated {
		checkout, cannot := players.Publishable(ctx, r.playerOptions())
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if cannot == nil {
			r.publish = true
			r.info("The player for %s, %s, will be published from the engine's sources in %s", r.target.Name, r.profile, checkout.Dir)
			return nil
		}
	}
	if err != nil {
		return fmt.Errorf("%w. Without a player the game folder alone can be exported", err)
	}
	r.player = player
	if r.files, err = player.Files(ctx); err != nil || r.target.Platform != platforms.Windows {
		return err
	}
	return r.checkWindowsPlayer()
}

// resolved gives the absolute path behind all links. What does not exist yet keeps its name.
func resolved(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	for rest := ""; ; {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Join(real, rest)
		}
		parent := filepath.Dir(path)
		if parent == path {
			return filepath.Join(path, rest)
		}
		rest = filepath.Join(filepath.Base(path), rest)
		path = parent
	}
}

// isWithin says whether a path is a folder or lies in it. Both are resolved.
func isWithin(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
