package export

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"runtime"
	"strings"

	"talebinder/formats/assetpath"
	"talebinder/formats/desktopentry"
	"talebinder/platforms"
)

// assemble is the step that makes the player and the game folder one game: launcher.json, and what the game's name, version and
// icon become on the platform.
func (r *run) assemble(ctx context.Context) error {
	layout := r.places.layout
	launcher := launcherText(layout.LauncherGameFolder, r.project.Title(), r.profile.Info())
	if err := writeFile(r.staged(layout.Launcher), launcher, r.gameTime()); err != nil {
		return err
	}
	switch r.target.Platform {
	case platforms.Windows:
		return r.brandExecutable(ctx)
	case platforms.MacOS:
		return r.completeBundle(ctx)
	}
	return r.completeLinux()
}

// completeLinux adds the icon, and the entry for the menu of applications when it is wanted.
func (r *run) completeLinux() error {
	layout := r.places.layout
	if r.appIcon != nil {
		if err := writeFile(r.staged(layout.Icon), r.appIcon.data, r.appIcon.changed); err != nil {
			return err
		}
	}
	if !r.options.DesktopEntry {
		return nil
	}
	var b bytes.Buffer
	if err := desktopentry.Write(&b, r.desktopEntry()); err != nil {
		return err
	}
	file := r.staged(layout.DesktopEntry)
	if err := writeFile(file, b.Bytes(), newest(r.settingsFiles()...)); err != nil {
		return err
	}
	if runtime.GOOS == "windows" {
		return nil
	}
	return os.Chmod(file, 0o755) // desktops start an entry outside of the menu's folders only when it may be executed
}

// desktopEntry describes the game to a desktop. The build folder may be anywhere: the entry starts the executable that lies
// beside it.
func (r *run) desktopEntry() desktopentry.Entry {
	e := desktopentry.Entry{
		Name: r.shownTitle(),
		Exec: []desktopentry.Argument{
			{Text: "sh"}, {Text: "-c"}, {Text: `cd "$(dirname "$1")" && exec "./$2"`}, {Text: "sh"}, {Text: "%k", Code: true}, {Text: r.places.name},
		},
		Categories: []string{"Game"},
	}
	if r.appIcon != nil {
		e.Icon = r.places.name
	}
	return e
}

// executableFiles are the names of the files that may be executed, at any depth.
func (r *run) executableFiles() []string {
	layout := r.places.layout
	if !r.target.ExecutableBit {
		return nil
	}
	names := []string{path.Base(layout.Executable)}
	if layout.DesktopEntry != "" {
		names = append(names, layout.DesktopEntry)
	}
	return names
}

// checkNames refuses paths that the players' computers cannot have, although this one can: names that Windows keeps for itself,
// and names that differ only in case where that is no difference.
func (r *run) checkNames() {
	if r.target.Platform == platforms.Linux {
		return
	}
	layout := r.places.layout
	type owner struct{ path, source string }
	seen := make(map[string]owner)
	check := func(file, source string) {
		for _, part := range strings.Split(file, "/") {
			if err := r.target.CheckFileName(part); err != nil {
				r.log(Entry{Level: Error, File: source, Message: fmt.Sprintf("%s cannot be in a build for %s: %v. Rename it, or take it out of what ships", file, r.target.Name, err)})
				return
			}
		}
		key := assetpath.Fold(file)
		if other, ok := seen[key]; ok && other.path != file {
			r.log(Entry{Level: Error, File: source, Message: fmt.Sprintf("%s and %s (%s) are the same file for %s, where case makes no difference. Rename one of them", file, other.path, other.source, r.target.Name)})
			return
		}
		seen[key] = owner{file, source}
	}
	for _, file := range r.content.Loose {
		check(layout.GameDir+"/"+file.Path, file.Source)
	}
	if r.options.ContentOnly {
		return
	}
	check(layout.Launcher, "written by the export")
	check(layout.Executable, "the game's executable")
	for _, file := range r.files {
		if file.Path != r.target.PlayerFile && file.Path != platforms.LauncherFile {
			check(path.Join(layout.ExeDir, file.Path), file.Source)
		}
	}
}
