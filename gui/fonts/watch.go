package fonts

import (
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// How long files have to be quiet before they are looked at, and how long a file that cannot be read is given to be finished.
const (
	watchDelay = 120 * time.Millisecond
	retryDelay = 250 * time.Millisecond
	retries    = 8
)

// watchFiles calls changed, from a goroutine of its own, after one of some files in a folder has changed. The folder is watched,
// because an editor that saves by renaming would take the file itself out of sight.
func watchFiles(folder string, names []string, changed func()) (stop func(), err error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	if err := w.Add(folder); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	go func() {
		var quiet <-chan time.Time
		for {
			select {
			case e, ok := <-w.Events:
				if !ok {
					return
				}
				if slices.Contains(names, filepath.Base(e.Name)) && e.Op != fsnotify.Chmod {
					quiet = time.After(watchDelay)
				}
			case _, ok := <-w.Errors:
				if !ok {
					return
				}
				quiet = time.After(watchDelay) // events may have been lost
			case <-quiet:
				quiet = nil
				changed()
			}
		}
	}()
	var once sync.Once
	return func() { once.Do(func() { _ = w.Close() }) }, nil
}
