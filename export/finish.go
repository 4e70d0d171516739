package export

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"talebinder/export/internal/filelock"
)

// finishBuild is the step that puts the finished build in its place. Up to here, and while the archive is written, the
// previous build and its archive are untouched; then both are replaced at once.
func (r *run) finishBuild(ctx context.Context) error {
	archived := r.profile.Info().Archive && !r.options.ContentOnly
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

// tidy removes what the run leaves behind: its unfinished build, or the one that was replaced.
func (r *run) tidy() {
	if r.lock == nil {
		return
	}
	for _, path := range []string{r.places.staging, r.places.archivePart, r.places.reportPart} {
		if err := os.RemoveAll(path); err != nil {
			r.warn("", fmt.Sprintf("%s could not be removed: %v", path, err))
		}
	}
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
