// Package export carries out what a person asks for: jobs that run in the background with progress, cancel and a report.
//
// A [Job] is a value that can run more than once. It tells a [Reporter] what it is doing, answers a cancelled context within
// moments, and leaves the previous output as it was unless it succeeds. [Build] is the job that makes a game out of a
// project; a [Queue] runs several jobs at a time.
package export

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrFailed is wrapped by the error of a job that logged errors. The errors themselves are in its report.
var ErrFailed = errors.New("failed")

// A Job is work that a person started: an export, for instance.
type Job interface {
	// Title says what the job makes, such as "Hex Quest for Linux x64, release".
	Title() string
	// Target is the id of the target that the job makes something for.
	Target() string
	// Output is the file or folder that the job makes.
	Output() string
	// Command gives the words of a command line that does the same.
	Command() []string
	// Run does the work. Its error is nil after a success, wraps context.Canceled or context.DeadlineExceeded when ctx ended
	// it, and wraps ErrFailed otherwise. The report is nil only when the work ended before anything could be said about it.
	Run(ctx context.Context, r Reporter) (*Report, error)
}

// Level says how important a log entry is.
type Level uint8

// The levels of log entries, from the least to the most important.
const (
	Debug Level = iota
	Info
	Warning
	Error
)

var levelWords = [...]string{"debug", "info", "warning", "error"}

// String gives the level's word: debug, info, warning or error.
func (l Level) String() string {
	if int(l) < len(levelWords) {
		return levelWords[l]
	}
	return fmt.Sprintf("level %d", uint8(l))
}

// MarshalText writes the level's word.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// An Entry is a line of a job's log.
type Entry struct {
	Time    time.Time
	Level   Level
	Message string
	File    string // relative to the project folder or the asset root, or absolute; "" when the entry is about no file
	Line    int    // from 1; 0 when the whole file is meant
	Column  int    // from 1; 0 when the whole line is meant
	Step    string // title of the step that the entry belongs to, or ""
}

// String gives the entry in the form "file(line,column): message".
func (e Entry) String() string {
	switch {
	case e.File == "":
		return e.Message
	case e.Line == 0:
		return e.File + ": " + e.Message
	}
	return fmt.Sprintf("%s(%d,%d): %s", e.File, e.Line, e.Column, e.Message)
}

// A Reporter is told how a job gets on. Its methods may be called from any goroutine.
type Reporter interface {
	// Step says that step index of count, counted from 0, starts. After the last step it is called once more with index equal
	// to count and the outcome as title: Done, Cancelled or Failed.
	Step(index, count int, title string)
	// Progress says how much of the step is done, from 0 to 1, and what is being worked on.
	Progress(fraction float64, detail string)
	// Log adds an entry to the job's log.
	Log(e Entry)
}

// Overall is the share of a whole job that is done, from 0 to 1, when a fraction of step index of count is done. All steps
// weigh the same.
func Overall(index, count int, fraction float64) float64 {
	if count <= 0 {
		return 0
	}
	return min(max((float64(index)+fraction)/float64(count), 0), 1)
}

// Discard returns a Reporter that does nothing.
func Discard() Reporter { return discard{} }

type discard struct{}

func (discard) Step(int, int, string)    {}
func (discard) Progress(float64, string) {}
func (discard) Log(Entry)                {}
