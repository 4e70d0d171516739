package export

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"talebinder/export/internal/filelock"
	"talebinder/export/words"
	"talebinder/project/assets"
	"talebinder/project/problem"
)

// finishBuild is the step that puts the finished build in its place. Up to here, and while the archive is written, the
// previous build and its archive are untouched; then both are replaced at once.
func (r *run) finishBuild(ctx context.Context) error {
	archived := r.profile.Info().Archive && !r.options.ContentOnly
	flushed := make(chan error, 1) // to the disk, while the build is read
	go func() { flushed <- flushFolder(r.places.staging) }()
	err := r.verify(ctx)
	if flushErr := <-flushed; err == nil {
		err = flushErr
	}
	if err != nil {
		return err
	}
	if archived {
		if err := r.writeArchive(ctx); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := replaceFolder(r.places.staging, r.places.build, r.places.previous, r.exchange); err != nil {
		return explain(err)
	}
	r.made.build = r.places.build
	if !r.options.ContentOnly {
		r.made.executable = filepath.Join(r.places.build, filepath.FromSlash(r.places.layout.Executable))
	}
	if archived {
		if err := os.Rename(r.places.archivePart, r.places.archive); err != nil {
			return fmt.Errorf("the build is complete, but not its archive: %w", explain(err))
		}
		r.made.archive = r.places.archive
	}
	if err := syncFolder(r.places.root); err != nil {
		r.warn("", fmt.Sprintf("%s could not be flushed to the disk: %v", r.places.root, err))
	}
	return nil
}

// verifyShare is the part of the last step that verifying the build takes when there is an archive to be written.
const verifyShare = 0.25

// mostFaults is how many faults of a finished build are reported one by one.
const mostFaults = 50

// verify opens the finished build as the player will, before it takes the place of the previous one.
func (r *run) verify(ctx context.Context) error {
	share := 1.0
	if r.profile.Info().Archive && !r.options.ContentOnly {
		share = verifyShare
	}
	layout := r.places.layout
	build := BuildFolder{Kind: CompleteBuild, Folder: r.places.staging, Launcher: r.staged(layout.Launcher)}
	if r.options.ContentOnly {
		build.Kind = GameFolder
		build.setGame(r.staged(layout.GameDir))
	}
	v := newVerifier(build, func(done, total int, path string) {
		r.progress(share*float64(done)/float64(total), "Verifying "+path)
	})
	v.expected = r.expected()
	if err := v.run(ctx); err != nil {
		return err
	}
	faults := 0
	for _, p := range v.problems {
		if p.Level < problem.Error {
			continue
		}
		if faults++; faults <= mostFaults {
			r.log(Entry{Level: Error, File: p.File, Message: p.Message})
		}
	}
	if faults > 0 {
		return fmt.Errorf("%s found in the finished build, so it was not put in its place. Export it again; if it stays so, look at the disk and at what else writes to the output folder",
			count(faults, "error was", "errors were"))
	}
	r.info("Verified %s, %s", count(len(r.packed), "packed file", "packed files"), words.Size(v.bytes.Load()))
	return nil
}

// expected is what the build that was just made has to be.
func (r *run) expected() *expected {
	layout := r.places.layout
	e := &expected{
		title:   r.project.Title(),
		entries: r.packed,
		sums:    r.packing.sums,
		files:   make(map[string]int64),
		// What lies in the project and never ships in a pack, such as a script, is as it has to be.
		known: func(ref assets.Reference) bool {
			if ref.Guid.IsZero() {
				return r.project.Assets.ByPath(ref.Path) != nil
			}
			return r.project.Assets.ByGuid(ref.Guid) != nil
		},
	}
	e.documents = r.documents
	for i, file := range r.content.Loose {
		e.files[r.staged(layout.GameDir+"/"+file.Path)] = r.packing.loose[i]
	}
	if r.options.ContentOnly {
		return e
	}
	e.executable = r.staged(layout.Executable)
	e.runnable = r.target.ExecutableBit && runtime.GOOS != "windows"
	for _, file := range r.copied {
		if file.Path != r.target.PlayerFile { // which the build has named and branded
			e.files[r.staged(path.Join(layout.ExeDir, file.Path))] = file.Size
		}
	}
	return e
}

// tidy removes what the run leaves behind: its unfinished build, or the one that was replaced. Removing that takes a while, in
// which the rest of the work can be done; the function that is given waits for it.
func (r *run) tidy() (wait func()) {
	if r.lock == nil {
		return func() {}
	}
	remove := func(path string) {
		if err := os.RemoveAll(path); err != nil {
			r.warn("", fmt.Sprintf("%s could not be removed: %v", path, err))
		}
	}
	remove(r.places.archivePart)
	remove(r.places.reportPart)
	if r.made.build == "" {
		remove(r.places.staging)
		return func() {}
	}
	var removing sync.WaitGroup
	removing.Go(func() { remove(r.places.staging) })
	return removing.Wait
}

// unlock lets other exports write the output.
func (r *run) unlock() {
	r.lock.Release()
	r.lock = nil
}

// replaceFolder puts the folder staging in the place of build. Where the system can exchange two folders there is no moment
// without a complete build, and staging is the old one afterwards. Elsewhere the old one is called previous for a moment;
// restore puts it back if the program is killed in that moment.
func replaceFolder(staging, build, previous string, exchange func(a, b string) error) error {
	if _, err := os.Lstat(build); isMissing(err) {
		return os.Rename(staging, build)
	}
	err := exchange(staging, build)
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if err := os.RemoveAll(previous); err != nil {
		return err
	}
	if err := os.Rename(build, previous); err != nil {
		return err
	}
	if err := os.Rename(staging, build); err != nil {
		return errors.Join(err, os.Rename(previous, build))
	}
	_ = os.RemoveAll(previous) // the next export tries again
	return nil
}

// restore puts a build back that was moved away and never replaced. A previous build beside a complete one is removed. The
// output's lock is held.
func restore(build, previous string) (restored bool, err error) {
	if _, err := os.Lstat(previous); err != nil {
		return false, nil
	}
	if _, err := os.Lstat(build); !isMissing(err) {
		return false, os.RemoveAll(previous)
	}
	return true, os.Rename(previous, build)
}

// Recover puts builds back in their place that an export had moved away before it was killed, and gives their folders. It does
// nothing in an output folder where there are none, or where an export is running.
func Recover(outputRoot string) ([]string, error) {
	entries, err := os.ReadDir(outputRoot)
	if isMissing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var restored []string
	var errs []error
	for _, entry := range entries {
		name, ok := strings.CutSuffix(entry.Name(), ".previous")
		if !ok || !strings.HasPrefix(name, ".") || !entry.IsDir() {
			continue
		}
		build := filepath.Join(outputRoot, name[1:])
		if _, err := os.Lstat(build); !isMissing(err) {
			continue
		}
		lock, err := filelock.Acquire(filepath.Join(outputRoot, name+".lock"))
		if errors.Is(err, filelock.ErrLocked) {
			continue
		}
		if err == nil {
			var done bool
			if done, err = restore(build, filepath.Join(outputRoot, entry.Name())); done && err == nil {
				restored = append(restored, build)
			}
			lock.Release()
		}
		errs = append(errs, err)
	}
	return restored, errors.Join(errs...)
}
