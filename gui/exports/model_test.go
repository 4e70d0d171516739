package exports

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talebinder/export"
	"talebinder/platforms"
)

// job is an export that does what a test wants.
type job struct {
	title, target, output string
	profile               platforms.Profile
	folder                bool
	run                   func(ctx context.Context, r export.Reporter) (*export.Report, error)
}

func (j *job) Title() string              { return j.title }
func (j *job) Target() string             { return j.target }
func (j *job) Output() string             { return j.output }
func (j *job) Command() []string          { return []string{"talebinder", "export", j.title} }
func (j *job) Profile() platforms.Profile { return j.profile }
func (j *job) ContentOnly() bool          { return j.folder }
func (j *job) Steps() []string {
	return []string{"Checking the project", "Packing content", "Finishing"}
}
func (j *job) Run(ctx context.Context, r export.Reporter) (*export.Report, error) {
	return j.run(ctx, r)
}

func linux(dir string) *job {
	return &job{title: "Grove for Linux x64, release", target: "linux-x64", output: filepath.Join(dir, "builds", "Grove-linux-x64"), profile: platforms.Release}
}

func TestLine(t *testing.T) {
	dir := t.TempDir()
	started := time.Now()
	boom := errors.New("disk full")
	for _, c := range []struct {
		name  string
		job   export.Job
		state export.RowState
		want  Line
	}{
		{"waiting", linux(dir), export.RowState{Remaining: -1}, Line{
			Mark: MarkWaiting, Title: "Linux x64 · Release", Word: "Waiting", Text: "Starts as soon as another export has ended",
			Output: "builds/Grove-linux-x64", Active: true,
		}},
		{"running", linux(dir), export.RowState{
			State: export.Running, Started: started, Elapsed: 42 * time.Second, Remaining: 75 * time.Second,
			Step: "Packing content", StepIndex: 3, StepCount: 7, Overall: 0.5, Detail: "sprites/a.png",
		}, Line{
			Mark: MarkRunning, Title: "Linux x64 · Release", Word: "Running", Text: "Step 4 of 7: Packing content", Detail: "sprites/a.png",
			Output: "builds/Grove-linux-x64", Fraction: 0.5, Active: true, Elapsed: "42 s", Left: "about 1:15 left",
		}},
		{"before the first step", linux(dir), export.RowState{State: export.Running, Started: started, Remaining: -1}, Line{
			Mark: MarkRunning, Title: "Linux x64 · Release", Word: "Running", Text: "Starting", Output: "builds/Grove-linux-x64", Active: true, Elapsed: "0.0 s",
		}},
		{"nearly there", linux(dir), export.RowState{
			State: export.Running, Started: started, Elapsed: time.Minute, Remaining: 3 * time.Second, Step: "Done", StepIndex: 7, StepCount: 7, Overall: 1,
		}, Line{
			Mark: MarkRunning, Title: "Linux x64 · Release", Word: "Running", Text: "Step 7 of 7: Done", Output: "builds/Grove-linux-x64",
			Fraction: 1, Active: true, Elapsed: "1:00", Left: "a few seconds left",
		}},
		{"cancelling", linux(dir), export.RowState{State: export.Running, Cancelling: true, Started: started, Elapsed: time.Second, Overall: 0.25, Remaining: 9}, Line{
			Mark: MarkCancelling, Title: "Linux x64 · Release", Word: "Cancelling…", Text: "Stopping, and removing what is half done",
			Output: "builds/Grove-linux-x64", Fraction: 0.25, Active: true, Elapsed: "1.0 s",
		}},
		{"finished", linux(dir), export.RowState{
			State: export.Finished, Started: started, Elapsed: 48 * time.Second, Report: &export.Report{Success: true, TotalSize: 39_951_565, AssetCount: 28},
		}, Line{
			Mark: MarkFinished, Title: "Linux x64 · Release", Word: "Finished", Text: "38.1 MB · 28 assets in the pack", Output: "builds/Grove-linux-x64", Elapsed: "48 s",
		}},
		{"finished with warnings", linux(dir), export.RowState{
			State: export.FinishedWithWarnings, Warnings: 3, Started: started, Elapsed: time.Second, Report: &export.Report{AssetCount: 1},
		}, Line{
			Mark: MarkWarned, Title: "Linux x64 · Release", Word: "Finished with 3 warnings", Text: "0 B · 1 asset in the pack", Output: "builds/Grove-linux-x64", Elapsed: "1.0 s",
		}},
		{"cancelled", linux(dir), export.RowState{
			State: export.Cancelled, Started: started, Elapsed: time.Second, Steps: []export.StepTime{{Title: "Packing content"}},
		}, Line{
			Mark: MarkCancelled, Title: "Linux x64 · Release", Word: "Cancelled", Text: "Stopped in: Packing content", Output: "builds/Grove-linux-x64", Elapsed: "1.0 s",
		}},
		{"cancelled while it waited", linux(dir), export.RowState{State: export.Cancelled}, Line{
			Mark: MarkCancelled, Title: "Linux x64 · Release", Word: "Cancelled", Text: "It had not started", Output: "builds/Grove-linux-x64",
		}},
		{"failed with a report", linux(dir), export.RowState{State: export.Failed, Started: started, Err: boom, Report: &export.Report{
			Errors: []export.Entry{{Message: "no such scene", File: "build.json", Line: 3, Column: 5}, {Message: "failed with 1 error"}},
		}}, Line{
			Mark: MarkFailed, Title: "Linux x64 · Release", Word: "Failed", Text: "build.json(3,5): no such scene", Output: "builds/Grove-linux-x64", Elapsed: "0.0 s",
		}},
		{"failed without one, elsewhere", &job{title: "x", target: "win-x64", output: "/elsewhere/x", folder: true}, export.RowState{State: export.Failed, Err: boom}, Line{
			Mark: MarkFailed, Title: "Windows x64 · Development", What: "Game folder only", Word: "Failed", Text: "disk full", Output: "/elsewhere/x",
		}},
		{"swapped", &job{title: "Swap the content of lamps.cdi", output: "/discs/lamps-new.cdi"}, export.RowState{
			State: export.Finished, Started: started, Elapsed: time.Second, Report: &export.Report{Kind: "swap-content", TotalSize: 3 << 20, AssetCount: 6},
		}, Line{
			Mark: MarkFinished, Title: "Swap the content of lamps.cdi", Word: "Finished", Text: "3.0 MB · 6 files of content · verified", Output: "/discs/lamps-new.cdi", Elapsed: "1.0 s",
		}},
		{"done by a tool", &job{title: "Pack menu.png", output: "/fonts/menu.font"}, export.RowState{
			State: export.Finished, Started: started, Elapsed: time.Second, Report: &export.Report{Success: true, AssetCount: 1},
		}, Line{Mark: MarkFinished, Title: "Pack menu.png", Word: "Finished", Text: "Done", Output: "/fonts/menu.font", Elapsed: "1.0 s"}},
		{"a job for no known target", &job{title: "Convert two fonts", target: "", output: "out"}, export.RowState{Remaining: -1}, Line{
			Mark: MarkWaiting, Title: "Convert two fonts", Word: "Waiting", Text: "Starts as soon as another export has ended", Output: "out", Active: true,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, lineOf(0, c.job, c.state, dir)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSteps(t *testing.T) {
	now := time.Now()
	over := func(titles ...string) (times []export.StepTime) {
		for _, s := range titles {
			times = append(times, export.StepTime{Title: s, Duration: 2 * time.Second})
		}
		return times
	}
	for _, c := range []struct {
		name  string
		state export.RowState
		want  string
	}{
		{"waiting", export.RowState{}, "pending Checking the project, pending Packing content, pending Finishing"},
		{"in the second", export.RowState{
			State: export.Running, Step: "Packing content", StepIndex: 1, StepCount: 3, Overall: 0.5, Detail: "a.png",
			StepSince: now.Add(-5 * time.Second), Steps: over("Checking the project"),
		}, "done Checking the project 2.0 s, running Packing content 5.0 s 50 % a.png, pending Finishing"},
		{"finished", export.RowState{
			State: export.Finished, Step: "Done", StepIndex: 3, StepCount: 3, Steps: over("Checking the project", "Packing content", "Finishing"),
		}, "done Checking the project 2.0 s, done Packing content 2.0 s, done Finishing 2.0 s"},
		{"failed in the second", export.RowState{
			State: export.Failed, Step: "Failed", StepIndex: 3, StepCount: 3, Steps: over("Checking the project", "Packing content"),
		}, "done Checking the project 2.0 s, failed Packing content 2.0 s, skipped Finishing"},
		{"cancelled in the first, without a last word", export.RowState{
			State: export.Cancelled, Step: "Checking the project", StepIndex: 0, StepCount: 3,
		}, "cancelled Checking the project, skipped Packing content, skipped Finishing"},
		{"cancelled while it waited", export.RowState{State: export.Cancelled}, "skipped Checking the project, skipped Packing content, skipped Finishing"},
		{"more steps than the job knew of", export.RowState{State: export.Running, Step: "More", StepIndex: 3, StepCount: 5, Steps: over("a", "b", "c")},
			"done a 2.0 s, done b 2.0 s, done c 2.0 s, running More, pending Step 5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			words := [...]string{"pending", "running", "done", "failed", "cancelled", "skipped"}
			var got []string
			for _, s := range stepsOf(linux(""), c.state, now) {
				text := words[s.Mark] + " " + s.Title
				if s.Time != "" {
					text += " " + s.Time
				}
				if s.Fraction > 0 {
					text += fmt.Sprintf(" %.0f %%", s.Fraction*100)
				}
				if s.Detail != "" {
					text += " " + s.Detail
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(c.want, strings.Join(got, ", ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestModelFollowsTheQueue(t *testing.T) {
	q := export.NewQueue(1)
	m := NewModel(q, "/p")
	begun, goOn := make(chan bool), make(chan bool)
	first := linux("/p")
	first.run = func(ctx context.Context, r export.Reporter) (*export.Report, error) {
		r.Step(0, 3, "Checking the project")
		begun <- true
		<-goOn
		r.Log(export.Entry{Level: export.Warning, Message: "hm"})
		return &export.Report{Success: true}, nil
	}
	second := linux("/p")
	second.run = func(ctx context.Context, r export.Reporter) (*export.Report, error) {
		r.Step(0, 3, "Checking the project")
		begun <- true
		<-ctx.Done()
		return &export.Report{Cancelled: true}, ctx.Err()
	}
	a, b := q.Add(first), q.Add(second)
	<-begun
	news := m.Update()
	if !news.Rows || len(news.Started) != 2 || m.Summary() != "1 running, 1 waiting" || m.Active() != 2 {
		t.Fatalf("%+v, %s", news, m.Summary())
	}
	m.Selected = b.ID()
	goOn <- true
	<-begun // the second has begun, so the first is over
	news = m.Update()
	if news.Rows || len(news.Ended) != 1 || news.Ended[0] != a || len(news.Changed) != 2 || m.Summary() != "1 running, 1 finished" {
		t.Fatalf("%+v, %s", news, m.Summary())
	}
	if got := Ending(a); !strings.HasPrefix(got, "Grove for Linux x64, release: finished with 1 warning in ") {
		t.Errorf("notice %q", got)
	}
	q.Cancel(b)
	m.Update()
	if l := m.Line(1); l.Mark != MarkCancelling && l.Mark != MarkCancelled {
		t.Errorf("after Cancel: %+v", l)
	}
	q.Wait()
	m.Update()
	if len(m.Failed()) != 1 || len(m.Over()) != 2 || m.Active() != 0 || Ending(b) != "Grove for Linux x64, release: cancelled" {
		t.Errorf("%d failed, %d over, %d active, %s", len(m.Failed()), len(m.Over()), m.Active(), Ending(b))
	}
	q.Remove(b)
	if news = m.Update(); !news.Rows || m.Selected != 0 || m.Len() != 1 {
		t.Errorf("after Remove: %+v, %d selected", news, m.Selected)
	}
	if news = m.Update(); news.Rows || len(news.Changed) > 0 || len(news.Ended) > 0 {
		t.Errorf("without a change: %+v", news)
	}
}

func TestReport(t *testing.T) {
	entry := func(l export.Level, file, message string) export.Entry {
		return export.Entry{Level: l, File: file, Message: message}
	}
	run := func(j *job, r *export.Report, err error, log ...export.Entry) *Report {
		q := export.NewQueue(1)
		j.run = func(_ context.Context, out export.Reporter) (*export.Report, error) {
			for _, e := range log {
				out.Log(e)
			}
			return r, err
		}
		row := q.Add(j)
		q.Wait()
		return reportOf(row, nil)
	}
	t.Run("success", func(t *testing.T) {
		r := run(linux(""), &export.Report{
			Success: true, Game: "Grove", TotalSize: 10_250, AssetCount: 2, OutputDirectory: "out/Grove", ReportFile: "out/Grove.report.json",
			Categories: []export.Category{{Name: "Texture", Files: 1, Size: 900, OriginalSize: 900}, {Name: "Scene", Files: 2, Size: 200, OriginalSize: 700}},
			LargestAssets: []export.AssetSize{
				{Path: "a.png", Kind: "Texture", Size: 900, StoredSize: 900, Reason: export.Dependency},
				{Path: "b.tscene", Kind: "Scene", Size: 700, StoredSize: 225, Reason: export.StartScene},
			},
			Warnings: []export.Entry{{Level: export.Warning, File: "build.json", Line: 4, Column: 2, Message: "no icon"}},
		}, nil, entry(export.Warning, "build.json", "no icon"))
		if r.Outcome != "Grove for Linux x64 is ready, with 1 warning." || r.Size != "10.0 kB" || r.Exact != "10,250 bytes" {
			t.Errorf("%q, %s, %s", r.Outcome, r.Size, r.Exact)
		}
		want := []Part{{"Texture", 900, "900 B", "", "1 file"}, {"Scene", 200, "200 B", "700 B", "2 files"}}
		if diff := cmp.Diff(want, r.Parts); diff != "" {
			t.Error(diff)
		}
		if l := r.Largest[1]; l.Share != 0.25 || l.Reason != "Start scene" || l.Original != "700 B" || r.Largest[0].Share != 1 {
			t.Errorf("largest %+v", r.Largest)
		}
		if diff := cmp.Diff([]Problem{{Text: "No icon.", Line: 4, Place: "build.json(4,2)"}}, r.Problems); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]Path{{"Build folder", "out/Grove"}, {"Report", "out/Grove.report.json"}}, r.Paths); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("the game folder alone", func(t *testing.T) {
		j := linux("")
		j.folder = true
		if r := run(j, &export.Report{Success: true, Game: "Grove"}, nil); r.Outcome != "The game folder of Grove for Linux x64 is ready." {
			t.Error(r.Outcome)
		}
	})
	t.Run("failure leaves the summing-up out", func(t *testing.T) {
		r := run(linux(""), &export.Report{Game: "Grove", Errors: []export.Entry{
			entry(export.Error, "scenes/a.tscene", "missing"), entry(export.Error, "scenes/b.tscene", "missing"), entry(export.Error, "", "failed with 2 errors"),
		}}, export.ErrFailed)
		if r.Outcome != "Grove for Linux x64 was not exported: 2 errors." || r.Next != "Failed with 2 errors." || len(r.Problems) != 2 || !r.Problems[0].Fatal || r.Size != "" {
			t.Errorf("%q with %+v", r.Outcome, r.Problems)
		}
	})
	t.Run("failure without a report", func(t *testing.T) {
		r := run(linux(""), nil, errors.New("game.json is not valid"))
		if len(r.Problems) != 1 || r.Problems[0].Text != "game.json is not valid." || !strings.Contains(r.Outcome, "was not exported: 1 error.") {
			t.Errorf("%q with %+v", r.Outcome, r.Problems)
		}
	})
	t.Run("too many to list", func(t *testing.T) {
		in := &export.Report{Game: "Grove"}
		for range 250 {
			in.Errors = append(in.Errors, entry(export.Error, "a", "b"))
		}
		if r := run(linux(""), in, export.ErrFailed); len(r.Problems) != shownProblems || r.More != 149 {
			t.Errorf("%d listed, %d more", len(r.Problems), r.More)
		}
	})
	t.Run("none before the end", func(t *testing.T) {
		q := export.NewQueue(1)
		j := linux("")
		stop := make(chan bool)
		j.run = func(context.Context, export.Reporter) (*export.Report, error) { <-stop; return nil, nil }
		row := q.Add(j)
		if r := reportOf(row, nil); r != nil {
			t.Errorf("%+v", r)
		}
		close(stop)
		q.Wait()
	})
}
