package gui

import (
	"errors"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// watchDelay is how long a folder has to be quiet before a change counts: editors save in several steps.
const watchDelay = 250 * time.Millisecond

// watchFolder calls changed, from a goroutine of its own, after files in a folder have changed. The folder is watched and
// not a file of it, because a file that is saved by renaming another one over it would be lost sight of.
func watchFolder(folder string, changed func()) (stop func(), err error) {
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
			case _, ok := <-w.Events:
				if !ok {
					return
				}
				quiet = time.After(watchDelay)
			case _, ok := <-w.Errors:
				if !ok {
					return
				}
				quiet = time.After(watchDelay) // events may have been lost: better to look once too often
			case <-quiet:
				quiet = nil
				changed()
			}
		}
	}()
	var once sync.Once
	return func() { once.Do(func() { _ = w.Close() }) }, nil
}

// watchBuild watches build.json of the open project. Where the system cannot watch, the file is looked at whenever the
// window comes to the front and before it is saved.
func (s *Shell) watchBuild() (stop func()) {
	build := s.open.build()
	if build == nil {
		return func() {}
	}
	stop, err := s.options.Watch(filepath.Dir(build.Path()), func() { s.Do(s.checkDisk) })
	if err != nil {
		return func() {}
	}
	return stop
}

// checkDisk looks whether build.json on disk is still what was read, and asks when it is not.
func (s *Shell) checkDisk() {
	o := s.open
	if o == nil || o.build() == nil || s.space == nil {
		return
	}
	changed, err := o.work.Project.Build.DiskChanged()
	if err != nil || !changed {
		s.space.hideBanner()
		o.keepMine = false
		return
	}
	if o.keepMine || s.space.banner.root.Visible() {
		return
	}
	s.space.showBanner("build.json changed on disk.",
		bannerAction{"Compare", s.Compare}, bannerAction{"Keep mine", s.keepMine}, bannerAction{"Reload", s.reloadBuild})
	o.work.Changed(ui.DiskChanged)
}

// keepMine leaves the window's text as it is; saving writes it over the file.
func (s *Shell) keepMine() {
	if s.open == nil {
		return
	}
	s.open.keepMine = true
	s.space.hideBanner()
	s.status.notice("Your settings are kept. Save writes them over build.json.")
}

// reloadBuild takes the text from disk. Undo brings the edits back.
func (s *Shell) reloadBuild() {
	o := s.open
	if o == nil {
		return
	}
	if err := o.work.Project.Build.Reload(); err != nil {
		s.Error(err)
		return
	}
	s.space.hideBanner()
	o.work.Changed(ui.BuildEdited)
	s.status.notice("Read build.json again. Undo brings your edits back.")
}

// conflict asks what to do when saving found that the file is no longer what was read.
func (s *Shell) conflict() {
	o := s.open
	if o == nil {
		return
	}
	if o.keepMine {
		s.saveOver()
		return
	}
	s.showSheet(sheetOptions{
		icon: theme.IconReload, tone: widgets.Warning, title: "build.json changed on disk",
		body: "Something else has written build.json since it was read here. Your changes are not saved yet.",
		buttons: []sheetButton{
			{text: "Compare…", run: s.Compare},
			{text: "Save over it", danger: true, run: s.saveOver},
			{text: "Reload", run: s.reloadBuild},
			{text: "Cancel"},
		},
	})
}

func (s *Shell) saveOver() {
	o := s.open
	if err := o.work.Project.Build.SaveOver(); err != nil {
		s.Error(err)
		return
	}
	o.keepMine = false
	s.space.hideBanner()
	o.work.Changed(ui.BuildSaved)
	s.status.notice("Saved build.json.")
}
