package exports

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"talebinder/export"
	"talebinder/gui/ui"
	"talebinder/platforms"
)

// Mark is how a row stands, for its icon, its colour and its word.
type Mark uint8

// The marks.
const (
	MarkWaiting Mark = iota
	MarkRunning
	MarkCancelling
	MarkFinished
	MarkWarned
	MarkCancelled
	MarkFailed
)

// A Line is everything that the list shows of one export. Two equal lines look the same.
type Line struct {
	ID       int
	Mark     Mark
	Title    string  // target and profile
	What     string  // what it makes, when that is not the whole game
	Word     string  // how it stands
	Text     string  // the step it is at, or the outcome
	Detail   string  // what is being worked on
	Output   string  // where it goes, relative to the project when it lies in there
	Fraction float64 // 0 to 1 of the bar, which only an active export has
	Active   bool    // waits or runs
	Elapsed  string  // time taken so far or in all; empty while it waits
	Left     string  // time still to go; empty when unknown
}

// A made job says whom a build is for; builds of a game do.
type made interface {
	Profile() platforms.Profile
	ContentOnly() bool
}

// A stepped job knows its steps before it takes them.
type stepped interface{ Steps() []string }

// A subject is what was or is to be exported: a job of the queue, or an export of the past.
type subject interface {
	Title() string
	Target() string // target id, or empty
	Output() string // path of what it writes
}

// describe names a job: the target and profile of a build, else its title.
func describe(job subject) (title, what string) {
	m, ok := job.(made)
	t, known := platforms.TargetByID(job.Target())
	if !ok || !known {
		return job.Title(), ""
	}
	if m.ContentOnly() {
		what = "Game folder only"
	}
	return t.Name + " · " + m.Profile().Info().Name, what
}

// lineOf writes the line of an export. dir is the project's folder.
func lineOf(id int, job subject, s export.RowState, dir string) Line {
	l := Line{ID: id, Output: shortPath(job.Output(), dir), Active: !s.State.Ended()}
	l.Title, l.What = describe(job)
	if !s.Started.IsZero() {
		l.Elapsed = ui.Duration(s.Elapsed)
	}
	switch s.State {
	case export.Waiting:
		l.Mark, l.Word, l.Text = MarkWaiting, "Waiting", "Starts as soon as another export has ended"
	case export.Running:
		l.Fraction = s.Overall
		if s.Cancelling {
			l.Mark, l.Word, l.Text = MarkCancelling, "Cancelling…", "Stopping, and removing what is half done"
			break
		}
		l.Mark, l.Word, l.Text, l.Detail = MarkRunning, "Running", "Starting", s.Detail
		if s.StepCount > 0 {
			l.Text = fmt.Sprintf("Step %d of %d: %s", min(s.StepIndex+1, s.StepCount), s.StepCount, s.Step)
		}
		if s.Remaining >= 0 {
			l.Left = "about " + ui.Duration(s.Remaining.Round(time.Second)) + " left"
			if s.Remaining < 10*time.Second {
				l.Left = "a few seconds left"
			}
		}
	case export.Finished, export.FinishedWithWarnings:
		l.Mark, l.Word, l.Text = MarkFinished, "Finished", "Done"
		if s.State == export.FinishedWithWarnings {
			l.Mark, l.Word = MarkWarned, "Finished with "+ui.Plural(s.Warnings, "warning")
		}
		if r := s.Report; r != nil {
			l.Text = madeText(kindOf(job, r), r)
		}
	case export.Cancelled:
		l.Mark, l.Word, l.Text = MarkCancelled, "Cancelled", "Stopped"
		switch {
		case s.Started.IsZero():
			l.Text = "It had not started"
		case len(s.Steps) > 0:
			l.Text = "Stopped in: " + s.Steps[len(s.Steps)-1].Title
		}
	default:
		l.Mark, l.Word, l.Text = MarkFailed, "Failed", firstError(s)
	}
	return l
}

// The kinds of reports about images; other jobs than exports of games have kinds of their own.
const (
	kindSwap    = "swap-content"
	kindConvert = "convert-rom"
)

// kindOf is the kind of a job with a report. One that is for no target is no export of a game, whatever it calls itself.
func kindOf(job subject, r *export.Report) string {
	if r.Kind == "" && job.Target() == "" {
		return "tool"
	}
	return r.Kind
}

// madeText says in a few words what a successful job of a kind has made.
func madeText(kind string, r *export.Report) string {
	switch {
	case kind == "":
		return ui.Size(r.TotalSize) + " · " + ui.Plural(r.AssetCount, "asset") + " in the pack"
	case kind == kindSwap:
		return ui.Size(r.TotalSize) + " · " + ui.Plural(r.AssetCount, "file") + " of content · verified"
	case r.TotalSize > 0:
		return ui.Size(r.TotalSize)
	}
	return "Done"
}

// firstError is the error that a failed export stumbled over first, which explains more than the summary at the end.
func firstError(s export.RowState) string {
	if s.Report != nil && len(s.Report.Errors) > 0 {
		return s.Report.Errors[0].String()
	}
	if s.Err != nil {
		return s.Err.Error()
	}
	return "No reason was given"
}

// shortPath writes a path relative to the project when it lies in there, with forward slashes.
func shortPath(path, dir string) string {
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

// Model is the list of exports behind the screen: what was last seen of every row of the queue.
type Model struct {
	Selected int // id of the chosen row, 0: none

	queue *export.Queue
	dir   string
	rows  []*export.Row
	lines []Line
	state map[int]export.State
	set   map[int]bool // ids of the exports started together last
}

// NewModel looks at a queue for the project in a folder.
func NewModel(q *export.Queue, dir string) *Model {
	m := &Model{queue: q, dir: dir, state: map[int]export.State{}}
	m.Update()
	return m
}

// A News is what an update has found.
type News struct {
	Rows    bool          // rows came, went or changed their places
	Changed []int         // indexes of lines that look different
	Ended   []*export.Row // exports that have ended since the last update
	Started []*export.Row // rows that were not there before
	SetOver bool          // the last one of several started together has ended
}

// Update looks at every row again. It is cheap: a snapshot a row.
func (m *Model) Update() News {
	var news News
	rows := m.queue.Rows()
	news.Rows = !slices.Equal(rows, m.rows)
	state := make(map[int]export.State, len(rows))
	lines := make([]Line, len(rows))
	for i, r := range rows {
		s := r.Snapshot()
		state[r.ID()] = s.State
		before, known := m.state[r.ID()]
		switch {
		case !known:
			news.Started = append(news.Started, r)
		case s.State.Ended() && !before.Ended():
			news.Ended = append(news.Ended, r)
		}
		lines[i] = lineOf(r.ID(), r.Job(), s, m.dir)
		if !news.Rows && lines[i] != m.lines[i] {
			news.Changed = append(news.Changed, i)
		}
	}
	if len(news.Started) > 0 {
		m.join(news.Started, m.state)
	}
	m.rows, m.lines, m.state = rows, lines, state
	news.SetOver = len(news.Ended)+len(news.Started) > 0 && m.SetOver()
	if m.Selected != 0 && m.Row(m.Selected) == nil {
		m.Selected = 0
	}
	return news
}

// Len is the number of rows.
func (m *Model) Len() int { return len(m.lines) }

// Line gives a row as it looks.
func (m *Model) Line(i int) Line { return m.lines[i] }

// Row gives the row with an id, or nil.
func (m *Model) Row(id int) *export.Row {
	if i := m.Index(id); i >= 0 {
		return m.rows[i]
	}
	return nil
}

// Index gives the place of the row with an id, or -1.
func (m *Model) Index(id int) int {
	return slices.IndexFunc(m.rows, func(r *export.Row) bool { return r.ID() == id })
}

// Active is the number of rows that wait or run.
func (m *Model) Active() int {
	n := 0
	for _, s := range m.state {
		if !s.Ended() {
			n++
		}
	}
	return n
}

// Failed gives the rows that failed or were cancelled.
func (m *Model) Failed() []*export.Row {
	return m.where(func(s export.State) bool { return s == export.Failed || s == export.Cancelled })
}

// Over gives the rows that have ended.
func (m *Model) Over() []*export.Row { return m.where(export.State.Ended) }

func (m *Model) where(is func(export.State) bool) []*export.Row {
	var rows []*export.Row
	for _, r := range m.rows {
		if is(m.state[r.ID()]) {
			rows = append(rows, r)
		}
	}
	return rows
}

// Summary counts the rows by how they stand, such as "2 running, 1 waiting, 3 finished".
func (m *Model) Summary() string {
	var counts [MarkFailed + 1]int
	for _, l := range m.lines {
		counts[l.Mark]++
	}
	counts[MarkRunning] += counts[MarkCancelling]
	counts[MarkFinished] += counts[MarkWarned]
	var parts []string
	for _, p := range []struct {
		mark Mark
		word string
	}{{MarkRunning, "running"}, {MarkWaiting, "waiting"}, {MarkFinished, "finished"}, {MarkCancelled, "cancelled"}, {MarkFailed, "failed"}} {
		if counts[p.mark] > 0 {
			parts = append(parts, ui.Count(int64(counts[p.mark]))+" "+p.word)
		}
	}
	return strings.Join(parts, ", ")
}

// Ending says in one line how an export ended, for a notification.
func Ending(r *export.Row) string {
	s := r.Snapshot()
	title := r.Job().Title()
	switch s.State {
	case export.Finished:
		return title + ": finished in " + ui.Duration(s.Elapsed)
	case export.FinishedWithWarnings:
		return title + ": finished with " + ui.Plural(s.Warnings, "warning") + " in " + ui.Duration(s.Elapsed)
	case export.Cancelled:
		return title + ": cancelled"
	}
	return title + ": failed. " + firstError(s)
}

// StepMark is how a step of an export stands.
type StepMark uint8

// The marks of steps.
const (
	StepPending StepMark = iota
	StepRunning
	StepDone
	StepFailed
	StepCancelled
	StepSkipped // not reached by an export that failed or was cancelled
)

// A Step is one line of the list of steps.
type Step struct {
	Title    string
	Mark     StepMark
	Time     string  // how long it took, or takes so far; empty before it
	Detail   string  // of the running step
	Fraction float64 // of the running step, 0 to 1
}

// stepsOf lists the steps of an export: those that are over, the one at work, and those to come.
func stepsOf(job subject, s export.RowState, now time.Time) []Step {
	var titles []string
	if j, ok := job.(stepped); ok {
		titles = j.Steps()
	}
	count := max(s.StepCount, len(titles), len(s.Steps))
	steps := make([]Step, count)
	for i := range steps {
		switch {
		case i < len(s.Steps):
			steps[i] = Step{Title: s.Steps[i].Title, Mark: StepDone, Time: ui.Duration(s.Steps[i].Duration)}
		case i == s.StepIndex && s.StepCount > 0:
			steps[i] = Step{Title: s.Step, Mark: StepRunning}
		case i < len(titles):
			steps[i].Title = titles[i]
		default:
			steps[i].Title = fmt.Sprintf("Step %d", i+1)
		}
	}
	last := min(len(s.Steps), count) - 1 // the step that an unhappy end belongs to
	if at := s.StepIndex; at < count && at >= len(s.Steps) && s.StepCount > 0 {
		last = at
		if s.State == export.Running {
			steps[at].Detail = s.Detail
			steps[at].Fraction = min(max(s.Overall*float64(s.StepCount)-float64(at), 0), 1)
			if !s.StepSince.IsZero() {
				steps[at].Time = ui.Duration(now.Sub(s.StepSince))
			}
		} else {
			steps[at].Mark = StepDone
		}
	}
	if s.State == export.Failed || s.State == export.Cancelled {
		for i := range steps {
			switch {
			case i == last && s.State == export.Failed:
				steps[i].Mark = StepFailed
			case i == last:
				steps[i].Mark = StepCancelled
			case i > last:
				steps[i].Mark = StepSkipped
			}
		}
	}
	return steps
}
