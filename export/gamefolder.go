package export

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"talebinder/export/words"
	"talebinder/formats/assetpath"
	"talebinder/formats/tspack"
)

// staged gives the place of a part of the build in the staging folder.
func (r *run) staged(path string) string {
	return filepath.Join(r.places.staging, filepath.FromSlash(path))
}

// packContent is the step that makes the game folder: the pack, and the files beside it.
func (r *run) packContent(ctx context.Context) error {
	if err := r.checkSpace(); err != nil {
		return err
	}
	if err := os.RemoveAll(r.places.staging); err != nil {
		return fmt.Errorf("the remains of an earlier export cannot be removed: %w", explain(err))
	}
	if err := r.writePack(ctx); err != nil {
		return err
	}
	for _, file := range r.content.Loose {
		target, err := assetpath.SafeJoin(r.staged(r.places.layout.GameDir), file.Path)
		if err != nil {
			return err
		}
		var copied int64
		if err := copyFile(ctx, target, file.Source, 0o666, func(n int64) { copied += n }); err != nil {
			return err
		}
		r.packing.loose = append(r.packing.loose, copied)
	}
	return nil
}

// writePack writes the content pack: the index and then every item. The pack gets the time of the newest asset in it, so that
// the same assets make the same build.
func (r *run) writePack(ctx context.Context) error {
	index, err := r.content.indexText()
	if err != nil {
		return err
	}
	var newest time.Time
	for _, item := range r.content.Items {
		if item.Asset.ModTime.After(newest) {
			newest = item.Asset.ModTime
		}
	}
	if newest.IsZero() {
		newest = r.gameTime()
	}
	return r.sharePack(ctx, index, newest)
}

// makePack packs the index and the items.
func (r *run) makePack(ctx context.Context, index []byte, newest time.Time) error {
	r.packing = r.beginPacking()
	sources := make([]tspack.Source, 0, len(r.content.Items)+1)
	sources = append(sources, tspack.Source{
		Path: indexPath,
		Size: int64(len(index)),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(index)), nil },
	})
	for i := range r.content.Items {
		sources = append(sources, r.packing.source(i))
	}
	pack, err := createFile(r.staged(r.places.layout.GameDir+"/"+packPath), 0o666)
	if err == nil {
		r.packed, err = tspack.Write(ctx, &earlyFile{File: pack.File}, sources, r.packing.options(r, tspack.WriterOptions{
			Compress: r.settings.Compress,
			Workers:  r.options.Workers,
			Progress: func(done int, path string) {
				index = nil // packed first, and large in a large game
				r.progress(float64(done)/float64(len(sources)), path)
			},
		}))
	}
	r.packing.end(r, err == nil)
	if pack == nil {
		return explain(err)
	}
	if err := pack.finish(newest, err); err != nil {
		r.packed = nil
		return err
	}
	return nil
}

// gameTime is the time of config/game.json, or zero when there is none.
func (r *run) gameTime() time.Time {
	info, err := os.Stat(fileBelow(r.project.AssetRoot(), viaGame))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// checkSpace refuses to start writing when the disk is certainly too small, and warns when it may be.
func (r *run) checkSpace() error { return r.checkFree(freeSpace(r.places.root)) }

// checkFree judges by the number of free bytes, -1 when it is not known.
func (r *run) checkFree(free int64) error {
	if free < 0 {
		return nil
	}
	least, most := r.spaceNeeded()
	switch {
	case free < least:
		return fmt.Errorf("%s: the build needs at least %s on this disk, which has %s free. Free some space, or choose another output folder",
			r.places.root, words.Size(least), words.Size(free))
	case free < most:
		r.warn("", fmt.Sprintf("%s: the build may need up to %s on this disk, which has %s free", r.places.root, words.Size(most), words.Size(free)))
	}
	return nil
}

// spaceNeeded is how many bytes the build takes, if everything that can be compressed shrinks to nothing, and if nothing
// shrinks. The previous build stays until the end and needs no room of its own.
func (r *run) spaceNeeded() (least, most int64) {
	for _, item := range r.content.Items {
		most += item.Size
		if !r.settings.Compress || tspack.Precompressed(assetpath.Ext(item.Path)) {
			least += item.Size
		}
	}
	var fixed int64
	for _, file := range r.content.Loose {
		fixed += file.Size
	}
	for _, file := range r.files {
		fixed += file.Size
	}
	least, most = least+fixed, most+fixed
	if r.profile.Info().Archive && !r.options.ContentOnly {
		most *= 2
	}
	return least, most
}
