package export

import (
	"context"
	"errors"
	"slices"
	"sync"
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
	StepSince  time.Time  // when the step began
	Steps      []StepTime // the steps that are over; the last one may be the one that failed or was cancelled
	Overall    float64    // 0 to 1
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

// keptEntries is how many log entries a row keeps. Reports keep every warning and error.
const keptEntries = 5000

// defaultLimit is how many jobs run at once unless the queue is told otherwise. A job keeps all cores busy while it packs;
// the second one fills the gaps while the first one reads and copies.
const defaultLimit = 2

// A Queue runs jobs in the order in which they are added, some of them at a time. Its rows stay after their jobs have ended,
// until they are removed. All methods may be called from any goroutine.
type Queue struct {
	// OnChange, when set before the first Add, is called after anything about the queue or a row has changed: often, from any
	// goroutine, and without any lock held. It has to be quick.
	OnChange func()

	limit int

	mu      sync.Mutex // before a row's own mutex
	idle    *sync.Cond // signalled when a row ends
	rows    []*Row
	lastID  int
	running int
}

// NewQueue returns a queue that runs at most limit jobs at once; a limit below 1 stands for a sensible default.
func NewQueue(limit int) *Queue {
	if limit < 1 {
		limit = defaultLimit
	}
	q := &Queue{limit: limit}
	q.idle = sync.NewCond(&q.mu)
	return q
}

// A Row is a job in a queue, with its log.
type Row struct {
	id    int
	job   Job
	queue *Queue

	mu     sync.Mutex
	state  RowState
	ended  time.Time
	log    []Entry // a ring once it is full; entry n stands at n modulo keptEntries
	cancel context.CancelFunc
}

// Add puts a job at the end of the queue and starts it as soon as the limit allows.
func (q *Queue) Add(job Job) *Row {
	q.mu.Lock()
	q.lastID++
	row := &Row{id: q.lastID, job: job, queue: q, state: RowState{Remaining: -1}}
	q.rows = append(q.rows, row)
	q.start()
	q.mu.Unlock()
	q.changed()
	return row
}

// Rows returns the rows in their order.
func (q *Queue) Rows() []*Row {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.rows)
}

// Active says how many rows wait or run.
func (q *Queue) Active() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.active()
}

func (q *Queue) active() int {
	n := 0
	for _, row := range q.rows {
		if !row.State().Ended() {
			n++
		}
	}
	return n
}

// Cancel takes a waiting row out of the running, or tells a running one to stop. It does not wait for it.
func (q *Queue) Cancel(row *Row) {
	q.mu.Lock()
	row.stop()
	q.idle.Broadcast()
	q.mu.Unlock()
	q.changed()
}

// CancelAll cancels every row that waits or runs.
func (q *Queue) CancelAll() {
	q.mu.Lock()
	for _, row := range q.rows {
		row.stop()
	}
	q.idle.Broadcast()
	q.mu.Unlock()
	q.changed()
}

// Retry runs the job of a row that has ended once more, in its place and with a fresh log. It reports whether the row had
// ended.
func (q *Queue) Retry(row *Row) bool {
	q.mu.Lock()
	ok := slices.Contains(q.rows, row) && row.reset()
	if ok {
		q.start()
	}
	q.mu.Unlock()
	if ok {
		q.changed()
	}
	return ok
}

// Remove takes a row out of the queue, unless it is running. It reports whether the row is gone.
func (q *Queue) Remove(row *Row) bool {
	q.mu.Lock()
	ok := row.State() != Running
	if ok {
		row.stop()
		q.rows = slices.DeleteFunc(q.rows, func(r *Row) bool { return r == row })
		q.idle.Broadcast()
	}
	q.mu.Unlock()
	if ok {
		q.changed()
	}
	return ok
}

// Wait returns when no row waits or runs.
func (q *Queue) Wait() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.active() > 0 {
		q.idle.Wait()
	}
}

// start runs waiting rows up to the limit. The queue is locked.
func (q *Queue) start() {
	for _, row := range q.rows {
		if q.running >= q.limit {
			return
		}
		if ctx, ok := row.begin(); ok {
			q.running++
			go q.run(ctx, row)
		}
	}
}

func (q *Queue) run(ctx context.Context, row *Row) {
	report, err := row.job.Run(ctx, rowReporter{row})
	q.mu.Lock()
	row.end(ctx, report, err)
	q.running--
	q.start()
	q.idle.Broadcast()
	q.mu.Unlock()
	q.changed()
}

func (q *Queue) changed() {
	if q.OnChange != nil {
		q.OnChange()
	}
}

// Job returns the row's job.
func (r *Row) Job() Job { return r.job }

// ID is a number that no other row of the queue has or had.
func (r *Row) ID() int { return r.id }

// State says where the row stands.
func (r *Row) State() State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.State
}

// Snapshot returns what the row shows now. It is cheap enough to be asked ten times a second.
func (r *Row) Snapshot() RowState {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.state
	switch {
	case s.State == Running:
		s.Elapsed = time.Since(s.Started)
		s.Remaining = remaining(s.Overall, s.Elapsed)
	case !s.Started.IsZero():
		s.Elapsed = r.ended.Sub(s.Started)
	}
	return s
}

// remaining guesses how long a job still takes from what it has done so far, or gives -1 while that says too little.
func remaining(overall float64, elapsed time.Duration) time.Duration {
	if overall < 0.05 || elapsed < 2*time.Second {
		return -1
	}
	return time.Duration(float64(elapsed) * (1 - overall) / overall).Round(time.Second)
}

// Entries returns the log entries from number from on, counted from 0, and the number to ask for next. Of a long log the
// oldest entries are gone. After a retry numbers start at 0 again: a caller that asks for more than was logged gets all.
func (r *Row) Entries(from uint64) ([]Entry, uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := r.state.Logged
	if from > next {
		from = 0
	}
	from = max(from, next-uint64(len(r.log)))
	entries := make([]Entry, 0, next-from)
	for n := from; n < next; n++ {
		entries = append(entries, r.log[n%keptEntries])
	}
	return entries, next
}

// begin turns a waiting row into a running one.
func (r *Row) begin() (context.Context, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state.State != Waiting {
		return nil, false
	}
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel = cancel
	r.state.State, r.state.Started = Running, time.Now()
	return ctx, true
}

func (r *Row) end(ctx context.Context, report *Report, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = time.Now()
	r.state.Report, r.state.Err, r.state.Cancelling = report, err, false
	switch {
	case err == nil && r.state.Warnings > 0:
		r.state.State = FinishedWithWarnings
	case err == nil:
		r.state.State = Finished
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		r.state.State = Cancelled
	default:
		r.state.State = Failed
	}
	if err == nil {
		r.state.Overall = 1
	}
	r.cancel()
}

// stop ends a waiting row and tells a running one to end.
func (r *Row) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch r.state.State {
	case Waiting:
		r.state.State = Cancelled
	case Running:
		r.state.Cancelling = true
		r.cancel()
	}
}

func (r *Row) reset() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.state.State.Ended() {
		return false
	}
	r.state, r.ended, r.log = RowState{Remaining: -1}, time.Time{}, nil
	return true
}

// rowReporter is the Reporter of a row's job.
type rowReporter struct{ row *Row }

func (p rowReporter) Step(index, count int, title string) {
	p.update(func(s *RowState) {
		now := time.Now()
		if !s.StepSince.IsZero() && s.StepIndex < s.StepCount {
			s.Steps = append(s.Steps, StepTime{Title: s.Step, Duration: now.Sub(s.StepSince)})
		}
		s.Step, s.StepIndex, s.StepCount, s.StepSince, s.Detail = title, index, count, now, ""
		s.Overall = Overall(index, count, 0)
	})
}

func (p rowReporter) Progress(fraction float64, detail string) {
	p.update(func(s *RowState) {
		s.Detail = detail
		s.Overall = Overall(s.StepIndex, s.StepCount, fraction)
	})
}

func (p rowReporter) Log(e Entry) {
	p.update(func(s *RowState) {
		if len(p.row.log) < keptEntries {
			p.row.log = append(p.row.log, e)
		} else {
			p.row.log[s.Logged%keptEntries] = e
		}
		s.Logged++
		switch e.Level {
		case Warning:
			s.Warnings++
		case Error:
			s.Errors++
		}
	})
}

func (p rowReporter) update(change func(*RowState)) {
	p.row.mu.Lock()
	change(&p.row.state)
	p.row.mu.Unlock()
	p.row.queue.changed()
}

var _ Reporter = rowReporter{}
