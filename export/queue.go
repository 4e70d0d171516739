package export

import (
	"time"
)

// State is where a row of a queue stands.
type State uint8

// The states of a row. The last four are ends.
const (
	Waiting State = iota
	Running
	Finished
	FinishedWithWarnings
	Cancelled
	Failed
)

var stateWords = [...]string{"Waiting", "Running", "Finished", "Finished with warnings", "Cancelled", "Failed"}

// String gives the state in words for people.
func (s State) String() string { return stateWords[s] }

// Ended says that the row's job is over.
func (s State) Ended() bool { return s >= Finished }

// RowState is what a row shows at a moment.
type RowState struct {
	State      State
	Cancelling bool // still running, but told to stop
	Step       string
	StepIndex  int // from 0
	StepCount  int
	Overall    float64 // 0 to 1
	Detail     string
	Started    time.Time     // zero while it waits
	Elapsed    time.Duration // until now, or until the end
	Remaining  time.Duration // an estimate, or -1
	Warnings   int
	Errors     int
	Logged     uint64  // number of entries logged so far, see Row.Entries
	Report     *Report // after the end, or nil
	Err        error   // what Run returned
}
