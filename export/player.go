package export

import (
	"context"
	"errors"
	"os"
	"path"
	"runtime"

	"talebinder/export/players"
	"talebinder/formats/assetpath"
	"talebinder/platforms"
)

// preparePlayer is the step that copies the player into the build, its executable renamed after the game.
func (r *run) preparePlayer(ctx context.Context) error {
	if r.publish {
		if err := r.publishPlayer(ctx); err != nil {
			return err
		}
	}
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
		if executable && r.target.Platform == platforms.Windows {
			continue // assembling the build writes it, with the game's icon and version
		}
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

// playerOptions say where players are looked for.
func (b *Build) playerOptions() players.Options {
	return players.Options{Dir: b.options.PlayersDir, Source: b.options.EngineSources, Brand: b.brandOf()}
}

// publishPlayer publishes the player from the engine's sources.
func (r *run) publishPlayer(ctx context.Context) error {
	player, err := players.Publish(ctx, r.target, r.profile, r.playerOptions(), func(fraction float64, line string) {
		r.log(Entry{Level: Debug, Message: line})
		r.progress(min(fraction, 0.9), line)
	})
	var failed *players.PublishError
	if errors.As(err, &failed) && len(failed.Errors) > 1 { // a single one is in the error itself
		for _, message := range failed.Errors {
			r.log(Entry{Level: Error, Message: message})
		}
	}
	if err != nil {
		return err
	}
	r.publish, r.player = false, player
	r.files, err = player.Files(ctx)
	return err
}
