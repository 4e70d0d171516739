package gui

import (
	"sync/atomic"

	"talebinder/export"
	"talebinder/gui/ui"
)

// followQueue turns what happens in a queue into QueueChanged, ten times a second at most, and only while something does.
func (s *Shell) followQueue(q *export.Queue) (stop func()) {
	var changed atomic.Bool
	var stopTicker func()
	ended := false
	tick := func() {
		moved := changed.Swap(false)
		if !moved && q.Active() == 0 {
			if stopTicker != nil {
				stopTicker()
				stopTicker = nil
			}
			return
		}
		if s.open != nil {
			s.open.work.Changed(ui.QueueChanged)
		}
	}
	q.OnChange = func() {
		if changed.Swap(true) {
			return // the interface knows already
		}
		s.Do(func() {
			if !ended && stopTicker == nil {
				stopTicker = s.Every(tickInterval, tick)
				tick()
			}
		})
	}
	return func() {
		ended = true
		if stopTicker != nil {
			stopTicker()
			stopTicker = nil
		}
	}
}

// running says in a few words what a queue does, and how far it is over all; empty when nothing runs.
func running(q *export.Queue) (text string, fraction float64) {
	active, verb := 0, "Building"
	for _, row := range q.Rows() {
		state := row.Snapshot()
		if state.State.Ended() {
			continue
		}
		if row.Job().Target() == "" { // what the tools do is for no target
			verb = "Working"
		}
		active++
		fraction += state.Overall
	}
	switch active {
	case 0:
		return "", 0
	case 1:
		return verb, fraction
	}
	return verb + " " + ui.Count(int64(active)), fraction / float64(active)
}

// queueChanged follows the queue of the open project.
func (s *Shell) queueChanged() {
	o := s.open
	ended := 0
	for _, row := range o.work.Queue.Rows() {
		if row.State().Ended() {
			ended++
		}
	}
	if ended != o.ended {
		o.ended = ended
		s.refreshHealth() // there may be a newer report
	}
}
