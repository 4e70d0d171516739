package export

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"talebinder/formats/assetpath"
	"talebinder/platforms"
)

// preparePlayer is the step that copies the player into the build, its executable renamed after the game.
func (r *run) preparePlayer(ctx context.Context) error {
	r.info("Player from %s (%s)", r.player.Dir, r.player.Source)
	layout := r.places.layout
	folder := r.staged(layout.ExeDir)
	var done, total int64
	for _, file := range r.files {
		total += file.Size
	}
	for _, file := range r.files {
		if file.Path == platforms.LauncherFile {
			continue // the build has its own
		}
		name, mode := file.Path, file.Mode|0o644
		executable := name == r.target.PlayerFile
		if executable {
			name = path.Base(layout.Executable)
		}
		target, err := assetpath.SafeJoin(folder, name)
		if err != nil {
			return err
		}
		err = copyFile(ctx, target, file.Source, mode, func(n int64) {
			done += n
			r.progress(float64(done)/float64(max(total, 1)), file.Path)
		})
		if err != nil {
			return err
		}
		if executable && r.target.ExecutableBit && runtime.GOOS != "windows" {
			if err := os.Chmod(target, mode|0o111); err != nil {
				return err
			}
		}
		r.copied = append(r.copied, file)
	}
	return nil
}

// assemble is the step that makes the player and the game folder one game: launcher.json and the icon.
func (r *run) assemble(context.Context) error {
	layout := r.places.layout
	launcher := launcherText(layout.LauncherGameFolder, r.project.Title(), r.profile.Info())
	if err := writeFile(r.staged(layout.Launcher), launcher, r.gameTime()); err != nil {
		return err
	}
	icon := r.icon()
	if icon == "" || layout.Icon == "" {
		return nil
	}
	return copyFile(context.Background(), r.staged(layout.Icon), icon, 0o666, nil)
}

// icon is the file that the settings name as icon, or "" when there is none that can be used, about which the checks have
// warned.
func (r *run) icon() string {
	if r.settings.Icon == nil || *r.settings.Icon == "" || !strings.EqualFold(filepath.Ext(*r.settings.Icon), ".png") {
		return ""
	}
	icon := filepath.FromSlash(*r.settings.Icon)
	if !filepath.IsAbs(icon) {
		icon = filepath.Join(r.project.AssetRoot(), icon)
	}
	if info, err := os.Stat(icon); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return icon
}
