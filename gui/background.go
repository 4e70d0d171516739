package gui

import (
	"context"
	"errors"
	"slices"
	"time"
)

// taskDelay is how long work may run before the status bar shows a line for it, so that quick work does not flicker.
const taskDelay = 150 * time.Millisecond

// A task is a piece of background work with a line in the status bar.
type task struct {
	what       string
	started    time.Time
	cancel     context.CancelFunc
	cancelling bool
}

// Go runs work in the background; see [ui.Host].
func (s *Shell) Go(what string, work func(ctx context.Context) error, done func(error)) {
	ctx, cancel := context.WithCancel(s.ctx)
	t := &task{what: what, started: s.options.Now(), cancel: cancel}
	s.tasks = append(s.tasks, t)
	s.options.Spawn(func() {
		err := work(ctx)
		s.Do(func() {
			cancel()
			s.tasks = slices.DeleteFunc(s.tasks, func(o *task) bool { return o == t })
			s.refreshTasks()
			switch {
			case done != nil:
				done(err)
			case err != nil && !errors.Is(err, context.Canceled):
				s.Error(err)
			}
		})
	})
	if s.stopTasks == nil {
		s.stopTasks = s.Every(tickInterval, s.refreshTasks)
	}
}

// refreshTasks shows the work that has been running longest.
func (s *Shell) refreshTasks() {
	if len(s.tasks) == 0 {
		if s.stopTasks != nil {
			s.stopTasks()
			s.stopTasks = nil
		}
		s.status.setTask("", 0, nil)
		return
	}
	t := s.tasks[0]
	if s.options.Now().Sub(t.started) < taskDelay {
		return
	}
	what := t.what
	if t.cancelling {
		what = "Cancelling: " + what
	}
	s.status.setTask(what, len(s.tasks)-1, func() {
		t.cancelling = true
		t.cancel()
		s.refreshTasks()
	})
}
