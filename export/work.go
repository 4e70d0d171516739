package export

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// A Step is a part of the work of a job.
type Step struct {
	Title string
	Run   func(ctx context.Context) error
}

// Work is what jobs of other packages are made of: it runs their steps, thins out their progress, and keeps what their
// report has to say. It may be used from any goroutine.
type Work struct{ t *tracker }

// NewWork begins the work of a job that reports to r.
func NewWork(r Reporter, now func() time.Time) *Work { return &Work{newTracker(r, now)} }

// Run runs the steps in order until one fails or logs an error, or ctx ends. The error is that of ctx or ErrFailed; what
// went wrong is in the log. Finish makes the last report.
func (w *Work) Run(ctx context.Context, steps []Step) error {
	list := make([]step, len(steps))
	for i, s := range steps {
		list[i] = step{s.Title, s.Run}
	}
	return w.t.run(ctx, list)
}

// Progress says how much of the step is done, from 0 to 1, and what is being worked on.
func (w *Work) Progress(fraction float64, detail string) { w.t.progress(fraction, detail) }

// Info logs a line.
func (w *Work) Info(format string, args ...any) { w.t.info(format, args...) }

// Warn logs a warning, about a file unless that is "".
func (w *Work) Warn(file, message string) { w.t.warn(file, message) }

// Fail logs an error.
func (w *Work) Fail(err error) { w.t.fail(err) }

// Finish makes the last report of a job with so many steps: Done, Cancelled or Failed.
func (w *Work) Finish(steps int, outcome string) { w.t.finish(steps, outcome) }

// Fill writes how long the steps took, the warnings and the errors into a report.
func (w *Work) Fill(r *Report) {
	w.t.mu.Lock()
	defer w.t.mu.Unlock()
	r.Steps, r.Warnings, r.Errors = slices.Clone(w.t.times), slices.Clone(w.t.warnings), slices.Clone(w.t.errors)
}

// FreeSpace is the number of bytes that can be written to the disk of a folder, or -1 when the system does not say.
func FreeSpace(folder string) int64 { return freeSpace(folder) }

// CheckWritable says why files cannot be made in a folder, as far as that is known without trying.
func CheckWritable(folder string) error {
	err := writable(folder)
	switch {
	case err == nil:
		return nil
	case isReadOnly(err):
		return fmt.Errorf("the disk that holds %s cannot be written to: %w", folder, err)
	}
	return fmt.Errorf("%s cannot be written to: %w", folder, err)
}

// IsFull says that an error is that of a disk without room.
func IsFull(err error) bool { return isFull(err) }
