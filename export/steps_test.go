package export

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// recorder is a Reporter that writes everything down.
type recorder struct {
	mu      sync.Mutex
	lines   []string
	entries []Entry
}

func (r *recorder) Step(index, count int, title string) {
	r.add(fmt.Sprintf("%d/%d %s", index, count, title))
}
func (r *recorder) Progress(fraction float64, detail string) {
	r.add(fmt.Sprintf("%.2f %s", fraction, detail))
}
func (r *recorder) Log(e Entry) {
	r.mu.Lock()
	r.entries = append(r.entries, e)
	r.mu.Unlock()
	r.add(e.Level.String() + ": " + e.String())
}
func (r *recorder) add(line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, line)
}

// clock is a time that moves only when it is told to, or by a fixed amount at every look.
type clock struct {
	mu   sync.Mutex
	now  time.Time
	tick time.Duration
}

func newClock(tick time.Duration) *clock {
	return &clock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), tick: tick}
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(c.tick)
	return c.now
}

func (c *clock) wait(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func TestProgressIsThinnedOut(t *testing.T) {
	out, clock := &recorder{}, newClock(0)
	tr := newTracker(out, clock.Now)
	err := tr.run(t.Context(), []step{{"Counting", func(context.Context) error {
		tr.progress(0, "start")   // 0 always comes
		tr.progress(0.1, "early") // too early
		clock.wait(49 * time.Millisecond)
		tr.progress(0.2, "a moment early")
		clock.wait(time.Millisecond)
		tr.progress(0.3, "in time")
		tr.progress(0.4, "early again")
		tr.progress(1, "end") // 1 always comes
		return nil
	}}})
	tr.finish(1, "Done")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"0/1 Counting", "0.00 start", "0.30 in time", "1.00 end", "1/1 Done", "1.00 "}
	if diff := cmp.Diff(want, out.lines); diff != "" {
		t.Error(diff)
	}
}

func TestStepsEndAtTheFirstThatFails(t *testing.T) {
	never := step{"Never", func(context.Context) error { t.Error("the step after the failure ran"); return nil }}
	for _, c := range []struct {
		name string
		run  func(*tracker) error
		want string
	}{
		{"an error", func(*tracker) error { return errors.New("the disk is full") }, "error: the disk is full"},
		{"a logged error", func(tr *tracker) error { tr.fail(errors.New("no scene")); return nil }, "error: no scene"},
		{"an error with a place", func(*tracker) error {
			return fmt.Errorf("somewhere: %w", &placedError{file: "config/game.json", line: 3, column: 7, message: "expected a text"})
		}, "error: config/game.json(3,7): expected a text"},
		{"a panic", func(*tracker) error { panic("no such thing") }, "error: Failing: unexpected fault of the program: no such thing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := &recorder{}
			tr := newTracker(out, newClock(time.Second).Now)
			err := tr.run(t.Context(), []step{
				{"Working", func(context.Context) error { return nil }},
				{"Failing", func(context.Context) error { return c.run(tr) }},
				never,
			})
			if !errors.Is(err, ErrFailed) {
				t.Errorf("error %v", err)
			}
			if last := out.lines[len(out.lines)-1]; !strings.HasPrefix(last, c.want) {
				t.Errorf("logged %q, want %q", last, c.want)
			}
			if len(tr.errors) != 1 || tr.errors[0].Step != "Failing" || tr.errors[0].Time.IsZero() {
				t.Errorf("errors %+v", tr.errors)
			}
			if len(tr.times) != 2 || tr.times[1].Title != "Failing" || tr.times[1].Duration <= 0 {
				t.Errorf("times %+v", tr.times)
			}
		})
	}
}

func TestStepsEndWhenTheyAreCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	out := &recorder{}
	tr := newTracker(out, time.Now)
	err := tr.run(ctx, []step{
		{"Working", func(context.Context) error { return nil }},
		{"Stopped", func(ctx context.Context) error { cancel(); return fmt.Errorf("reading: %w", ctx.Err()) }},
		{"Never", func(context.Context) error { t.Error("ran after the cancellation"); return nil }},
	})
	if !errors.Is(err, context.Canceled) || len(tr.errors) != 0 {
		t.Errorf("error %v, logged %v", err, tr.errors)
	}
	if len(tr.times) != 1 || tr.times[0].Title != "Working" {
		t.Errorf("the cancelled step has a time: %+v", tr.times)
	}
}

func TestACancellationAfterTheLastStepComesTooLate(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	tr := newTracker(Discard(), time.Now)
	if err := tr.run(ctx, []step{{"Last", func(context.Context) error { cancel(); return nil }}}); err != nil {
		t.Errorf("a job that has done everything ends with %v", err)
	}
}

func TestTrackerIsSafeForMany(t *testing.T) {
	out := &recorder{}
	tr := newTracker(out, time.Now)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 100 {
				tr.progress(float64(i)/100, "x")
				tr.warn("", fmt.Sprint(g, i))
			}
		})
	}
	wg.Wait()
	if len(tr.warnings) != 800 || len(out.entries) != 800 {
		t.Errorf("%d warnings kept, %d passed on", len(tr.warnings), len(out.entries))
	}
}

func TestOverall(t *testing.T) {
	for _, c := range []struct {
		index, count int
		fraction     float64
		want         float64
	}{
		{0, 4, 0, 0}, {1, 4, 0.5, 0.375}, {4, 4, 1, 1}, {3, 4, 7, 1}, {0, 4, -1, 0}, {0, 0, 0.5, 0},
	} {
		if got := Overall(c.index, c.count, c.fraction); got != c.want {
			t.Errorf("Overall(%d, %d, %v) = %v, want %v", c.index, c.count, c.fraction, got, c.want)
		}
	}
}

func TestEntryAsText(t *testing.T) {
	for want, e := range map[string]Entry{
		"no":               {Message: "no"},
		"a.tscene: no":     {Message: "no", File: "a.tscene"},
		"b.json(3,7): no":  {Message: "no", File: "b.json", Line: 3, Column: 7},
		"c.json(3,0): one": {Message: "one", File: "c.json", Line: 3},
	} {
		if got := e.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
