package export

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// task is a job made of a function.
type task struct {
	name string
	run  func(ctx context.Context, r Reporter) (*Report, error)
}

func (t task) Title() string     { return t.name }
func (t task) Target() string    { return "linux-x64" }
func (t task) Output() string    { return t.name }
func (t task) Command() []string { return []string{"talebinder", "export", t.name} }
func (t task) Run(ctx context.Context, r Reporter) (*Report, error) {
	return t.run(ctx, r)
}

func TestQueueRunsAtMostItsLimitAtOnceAndAllInTheEnd(t *testing.T) {
	var now, most, total atomic.Int32
	q := NewQueue(3)
	for i := range 20 {
		q.Add(task{fmt.Sprint(i), func(context.Context, Reporter) (*Report, error) {
			n := now.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			time.Sleep(time.Millisecond)
			now.Add(-1)
			total.Add(1)
			return &Report{Success: true}, nil
		}})
	}
	q.Wait()
	if most.Load() > 3 || total.Load() != 20 {
		t.Errorf("%d jobs at once, %d in all", most.Load(), total.Load())
	}
	for _, row := range q.Rows() {
		if s := row.Snapshot(); s.State != Finished || s.Overall != 1 || s.Report == nil || s.Elapsed <= 0 {
			t.Errorf("row %d: %+v", row.ID(), s)
		}
	}
}

func TestRowStates(t *testing.T) {
	boom := fmt.Errorf("the export %w with 1 error", ErrFailed)
	for _, c := range []struct {
		name string
		run  func(context.Context, Reporter) (*Report, error)
		want State
	}{
		{"finished", func(context.Context, Reporter) (*Report, error) { return nil, nil }, Finished},
		{"with a warning", func(_ context.Context, r Reporter) (*Report, error) {
			r.Log(Entry{Level: Warning, Message: "hm"})
			return nil, nil
		}, FinishedWithWarnings},
		{"failed", func(context.Context, Reporter) (*Report, error) { return nil, boom }, Failed},
		{"failed with a cancellation that nobody asked for", func(context.Context, Reporter) (*Report, error) {
			return nil, context.Canceled
		}, Failed},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := NewQueue(1)
			row := q.Add(task{c.name, c.run})
			q.Wait()
			if got := row.State(); got != c.want || !got.Ended() {
				t.Errorf("state %v, want %v", got, c.want)
			}
		})
	}
}

func TestCancelRowsThatRunAndThatWait(t *testing.T) {
	started := make(chan struct{})
	blocked := func(ctx context.Context, r Reporter) (*Report, error) {
		r.Step(1, 4, "Waiting for the end")
		r.Progress(0.5, "half")
		close(started)
		<-ctx.Done()
		return &Report{Cancelled: true}, fmt.Errorf("stopped: %w", ctx.Err())
	}
	q := NewQueue(1)
	first := q.Add(task{"first", blocked})
	second := q.Add(task{"second", func(context.Context, Reporter) (*Report, error) {
		t.Error("a cancelled row ran")
		return nil, nil
	}})
	<-started
	if s := first.Snapshot(); s.State != Running || s.Overall != 0.375 || s.Detail != "half" || s.Step != "Waiting for the end" {
		t.Errorf("while running: %+v", s)
	}
	if q.Remove(first) || q.Retry(first) {
		t.Error("a running row was removed or started twice")
	}
	q.Cancel(second)
	q.CancelAll()
	q.Wait()
	if first.State() != Cancelled || second.State() != Cancelled {
		t.Errorf("states %v and %v", first.State(), second.State())
	}
	if s := second.Snapshot(); s.Elapsed != 0 || s.Report != nil {
		t.Errorf("a row that never ran: %+v", s)
	}
	if !q.Remove(second) || len(q.Rows()) != 1 {
		t.Error("a cancelled row cannot be removed")
	}
}

func TestRetryStartsAfresh(t *testing.T) {
	fail := true
	q := NewQueue(1)
	row := q.Add(task{"again", func(_ context.Context, r Reporter) (*Report, error) {
		r.Log(Entry{Level: Error, Message: fmt.Sprint("failing: ", fail)})
		if fail {
			fail = false
			return nil, ErrFailed
		}
		return &Report{Success: true}, nil
	}})
	q.Wait()
	if row.State() != Failed || !errors.Is(row.Snapshot().Err, ErrFailed) {
		t.Fatalf("%+v", row.Snapshot())
	}
	if !q.Retry(row) {
		t.Fatal("cannot be retried")
	}
	q.Wait()
	entries, next := row.Entries(0)
	if row.State() != Finished || len(entries) != 1 || next != 1 || entries[0].Message != "failing: false" {
		t.Errorf("%+v %v", row.Snapshot(), entries)
	}
	q.Remove(row)
	if q.Retry(row) {
		t.Error("a removed row was retried")
	}
}

func TestRowKeepsTheStepsThatAreOver(t *testing.T) {
	q := NewQueue(1)
	inSecond, goOn := make(chan bool), make(chan bool)
	row := q.Add(task{"steps", func(_ context.Context, r Reporter) (*Report, error) {
		r.Step(0, 3, "Checking")
		r.Step(1, 3, "Packing")
		inSecond <- true
		<-goOn
		r.Step(3, 3, "Failed")
		return nil, ErrFailed
	}})
	<-inSecond
	s := row.Snapshot()
	if len(s.Steps) != 1 || s.Steps[0].Title != "Checking" || s.Step != "Packing" || s.StepSince.IsZero() {
		t.Errorf("in the second step: %+v", s)
	}
	close(goOn)
	q.Wait()
	if s = row.Snapshot(); len(s.Steps) != 2 || s.Steps[1].Title != "Packing" || s.Steps[1].Duration < 0 {
		t.Errorf("at the end: %+v", s.Steps)
	}
}

func TestLogKeepsTheNewestEntries(t *testing.T) {
	q := NewQueue(1)
	row := q.Add(task{"talkative", func(_ context.Context, r Reporter) (*Report, error) {
		for i := range keptEntries + 100 {
			r.Log(Entry{Level: Info, Message: fmt.Sprint(i)})
		}
		return nil, nil
	}})
	q.Wait()
	all, next := row.Entries(0)
	if len(all) != keptEntries || next != keptEntries+100 || all[0].Message != "100" || all[len(all)-1].Message != fmt.Sprint(keptEntries+99) {
		t.Errorf("%d entries from %q to %q, next %d", len(all), all[0].Message, all[len(all)-1].Message, next)
	}
	tail, _ := row.Entries(next - 3)
	if len(tail) != 3 || tail[0].Message != fmt.Sprint(keptEntries+97) {
		t.Errorf("the last three: %v", tail)
	}
	if none, _ := row.Entries(next); len(none) != 0 {
		t.Errorf("after the end: %v", none)
	}
	if after, _ := row.Entries(next + 1); len(after) != keptEntries {
		t.Errorf("beyond the end: %d entries", len(after))
	}
}

func TestQueueIsSafeForMany(t *testing.T) {
	var changes atomic.Int64
	q := NewQueue(4)
	q.OnChange = func() { changes.Add(1) }
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			row := q.Add(task{fmt.Sprint(g), func(ctx context.Context, r Reporter) (*Report, error) {
				for i := range 100 {
					r.Step(i, 100, "step")
					r.Progress(0.5, "x")
					r.Log(Entry{Message: "m"})
				}
				return nil, ctx.Err()
			}})
			for range 50 {
				row.Snapshot()
				row.Entries(0)
				q.Rows()
			}
			if g%2 == 0 {
				q.Cancel(row)
			}
			q.Retry(row)
		})
	}
	wg.Wait()
	q.Wait()
	if q.Active() != 0 || changes.Load() == 0 {
		t.Errorf("%d active, %d changes", q.Active(), changes.Load())
	}
}

func TestRemaining(t *testing.T) {
	for _, c := range []struct {
		overall float64
		elapsed time.Duration
		want    time.Duration
	}{
		{0.01, time.Minute, -1},
		{0.5, time.Second, -1},
		{0.5, 10 * time.Second, 10 * time.Second},
		{0.25, 10 * time.Second, 30 * time.Second},
		{1, 10 * time.Second, 0},
	} {
		if got := remaining(c.overall, c.elapsed); got != c.want {
			t.Errorf("remaining(%v, %v) = %v, want %v", c.overall, c.elapsed, got, c.want)
		}
	}
}
