package exports

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"talebinder/export"
	"talebinder/export/history"
	"talebinder/platforms"
)

// reported is a job that ends at once, with a report of a size or a failure.
func reported(dir, target string, profile platforms.Profile, size int64, started time.Time) *job {
	j := linux(dir)
	j.target, j.profile = target, profile
	j.run = func(context.Context, export.Reporter) (*export.Report, error) {
		if size == 0 {
			return nil, errors.New("no player was found")
		}
		return &export.Report{Success: true, TotalSize: size, StartedAt: started}, nil
	}
	return j
}

func TestASetOfExportsEndsInATable(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	r := newRig(t, 1)
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	remember := func(target, profile string, size int64, age time.Duration) {
		_, err := history.Default().Add(&history.Record{Summary: history.Summary{
			Project: r.dir, Target: target, Profile: profile, Success: size > 0, TotalSize: size, StartedAt: now.Add(-age),
		}, Report: []byte("{}")})
		if err != nil {
			t.Fatal(err)
		}
	}
	remember("linux-x64", "release", 900_000, 2*time.Hour)
	remember("linux-x64", "release", 1_000_000, time.Hour)
	remember("linux-x64", "release", 0, time.Minute) // it failed
	remember("linux-x64", "release", 1_500_000, 0)   // the export itself
	remember("linux-x64", "distribution", 5, time.Hour)

	r.queue.Add(reported(r.dir, "linux-x64", platforms.Release, 1, now)) // alone: no table
	r.queue.Wait()
	r.update()
	if r.model.SetOver() || !r.table.Hidden {
		t.Error("one export is no set")
	}
	_, let := r.held(t)
	r.update()
	r.queue.Add(reported(r.dir, "linux-x64", platforms.Release, 1_500_000, now))
	r.queue.Add(reported(r.dir, "win-x64", platforms.Release, 2_000_000, now))
	r.queue.Add(reported(r.dir, "osx-x64", platforms.Development, 0, now))
	r.update()
	if n := len(r.model.Set()); n != 4 || r.right.Objects[0] != r.detail.object {
		t.Errorf("%d in the set, the table is shown early", n)
	}
	let(nil)
	r.queue.Wait()
	r.host.Tick()
	if r.right.Objects[0] != r.results.object || r.table.Hidden {
		t.Fatal("the table is not shown")
	}
	if got := r.results.title.Text; got != "4 exports: 3 finished, 1 failed" {
		t.Errorf("title %q", got)
	}
	var lines []string
	for _, l := range r.results.results[1:] {
		lines = append(lines, strings.Join([]string{l.Target, l.Profile, l.Word, l.Size, l.Change, l.Text}, "|"))
	}
	want := []string{
		"Linux x64|Release|Finished|1.4 MB|+488.3 kB|",
		"Windows x64|Release|Finished|1.9 MB|first|",
		"macOS x64|Development|Failed|||no player was found",
	}
	if strings.Join(lines, "\n") != strings.Join(want, "\n") {
		t.Errorf("table\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	r.copyCommands()
	if len(r.host.Copied) != 1 || strings.Count(r.host.Copied[0], "\n") != 3 {
		t.Errorf("copied %q", r.host.Copied)
	}
	// A line leads to its export, and the table comes back.
	r.results.rows.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	r.results.rows.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if r.right.Objects[0] != r.detail.object || r.selected().Job().Target() != "osx-x64" {
		t.Error("a line of the table does not lead to its export")
	}
	r.showResults()
	r.retryFailed()
	if r.right.Objects[0] != r.detail.object {
		t.Error("retrying does not show what is retried")
	}
	r.queue.Wait()
	r.update()
	if r.right.Objects[0] != r.results.object {
		t.Error("the table does not come back after a retry")
	}
	r.clearEnded()
	if len(r.model.Set()) != 0 {
		t.Error("the set outlives its rows")
	}
}

func TestReplacedComparesLikeWithLike(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	list := []history.Summary{
		{Target: "a", Profile: "release", Success: true, TotalSize: 4, StartedAt: now},
		{Target: "a", Profile: "release", Success: true, TotalSize: 3, StartedAt: now.Add(-time.Minute), ContentOnly: true},
		{Target: "a", Profile: "release", TotalSize: 2, StartedAt: now.Add(-2 * time.Minute)},
		{Target: "a", Profile: "release", Success: true, TotalSize: 1, StartedAt: now.Add(-3 * time.Minute)},
	}
	got := replaced(list, map[int]time.Time{1: now, 2: now, 3: now}, map[int]kind{1: {"a", "release", false}, 2: {"a", "release", true}, 3: {"b", "release", false}})
	if len(got) != 2 || got[1] != 1 || got[2] != 3 {
		t.Errorf("sizes %v", got)
	}
	for by, want := range map[int64]string{0: "same", 2048: "+2.0 kB", -5: "−5 B"} {
		if text, _ := changeText(by); text != want {
			t.Errorf("%d becomes %q", by, text)
		}
	}
}
