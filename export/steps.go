package export

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// reportInterval is how long reports of progress inside a step are held back after the last one.
const reportInterval = 50 * time.Millisecond

// A step is a part of a job. The steps of a job stand in one list, which its Run hands to tracker.run.
type step struct {
	title string
	run   func(ctx context.Context) error
}

// tracker is a job's side of its Reporter: it numbers the steps, thins out the progress, keeps the warnings and errors for
// the report, and may be used from any goroutine.
type tracker struct {
	now func() time.Time

	mu       sync.Mutex // also keeps the reports in order
	out      Reporter
	title    string // of the step that was started last
	last     time.Time
	times    []StepTime
	warnings []Entry
	errors   []Entry
}

func newTracker(out Reporter, now func() time.Time) *tracker {
	return &tracker{out: out, now: now}
}

// run runs steps in order until one fails or logs an error, or ctx ends. The error is that of ctx, or wraps ErrFailed; what
// went wrong is in the log. It ends without the final report, which finish makes.
func (t *tracker) run(ctx context.Context, steps []step) error {
	for i, s := range steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		t.mu.Lock()
		t.title, t.last = s.title, t.now()
		t.out.Step(i, len(steps), s.title)
		t.mu.Unlock()

		started := t.now()
		err := protect(ctx, s)
		if ctx.Err() != nil && (err != nil || i+1 < len(steps)) {
			return ctx.Err()
		}
		if err != nil {
			t.fail(err)
		}
		t.mu.Lock()
		t.times = append(t.times, StepTime{Title: s.title, Duration: t.now().Sub(started)})
		failed := len(t.errors) > 0
		t.mu.Unlock()
		if failed {
			return ErrFailed
		}
	}
	return nil
}

// protect runs a step and turns a panic into an error, so that a fault in one job does not take the whole program, with
// what else is open in it, along.
func protect(ctx context.Context, s step) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: unexpected fault of the program: %v\n%s", s.title, p, debug.Stack())
		}
	}()
	return s.run(ctx)
}

// finish makes the last report: Done, Cancelled or Failed.
func (t *tracker) finish(count int, outcome string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.out.Step(count, count, outcome)
	t.out.Progress(1, "")
}

// progress passes on how much of the step is done. Reports strictly between 0 and 1 are dropped when the last one was a
// moment ago.
func (t *tracker) progress(fraction float64, detail string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	if fraction > 0 && fraction < 1 && now.Sub(t.last) < reportInterval {
		return
	}
	t.last = now
	t.out.Progress(fraction, detail)
}

// log adds an entry, with the time and the step filled in.
func (t *tracker) log(e Entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e.Time = t.now()
	e.Step = t.title
	switch e.Level {
	case Warning:
		t.warnings = append(t.warnings, e)
	case Error:
		t.errors = append(t.errors, e)
	}
	t.out.Log(e)
}

func (t *tracker) info(format string, args ...any) {
	t.log(Entry{Level: Info, Message: fmt.Sprintf(format, args...)})
}

func (t *tracker) warn(file, message string) {
	t.log(Entry{Level: Warning, File: file, Message: message})
}

// fail logs an error. One that knows its file and place keeps them.
func (t *tracker) fail(err error) {
	e := Entry{Level: Error, Message: err.Error()}
	var placed *placedError
	if errors.As(err, &placed) {
		e.Message, e.File, e.Line, e.Column = placed.message, placed.file, placed.line, placed.column
	}
	t.log(e)
}

// errorCount is the number of errors logged so far.
func (t *tracker) errorCount() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.errors)
}

// A placedError is an error about a place in a file, which the log shows apart from the message.
type placedError struct {
	file         string
	line, column int
	message      string
	err          error // what it comes from, or nil
}

// Unwrap gives the error that the message was made of.
func (e *placedError) Unwrap() error { return e.err }

func (e *placedError) Error() string {
	return Entry{Message: e.message, File: e.file, Line: e.line, Column: e.column}.String()
}
