package export

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talebinder/export/history"
)

func TestEveryExportIsRemembered(t *testing.T) {
	dir := tidewater().write(t, t.TempDir())
	store := t.TempDir()
	options := BuildOptions{PlayersDir: plantPlayers(t, "player"), HistoryDir: store}
	report, out, err := build(t, dir, options)
	if err != nil {
		t.Fatal(err, out.lines)
	}
	list := remembered(t, store, dir, 1)
	if !list[0].Success || list[0].TotalSize != report.TotalSize || list[0].Output != report.OutputDirectory {
		t.Errorf("%+v", list[0])
	}
	record, err := history.Open(store).Load(dir, list[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	total := int64(0)
	for _, a := range record.Assets {
		total += a.StoredSize
	}
	if total != report.TotalSize {
		t.Errorf("the files add up to %d, the report says %d", total, report.TotalSize)
	}
	if kept, err := ParseReport(record.Report); err != nil || string(kept.Text()) != string(report.Text()) {
		t.Errorf("%v", err)
	}

	// One picture more, one less: the comparison names both.
	tree{"assets/sprites/gull.png": "\x89PNG a larger gull", "assets/extra/deep/chart.txt": "c", "assets/extra/new.txt": "new"}.write(t, dir)
	if _, out, err = build(t, dir, options); err != nil {
		t.Fatal(err, out.lines)
	}
	list = remembered(t, store, dir, 2)
	before, after, err := history.LastTwo(list)
	if err != nil {
		t.Fatal(err)
	}
	a, errA := history.Open(store).Load(dir, before.ID)
	b, errB := history.Open(store).Load(dir, after.ID)
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	c := history.Compare(a, b)
	if len(c.Added) != 1 || c.Added[0].Path != "extra/new.txt" || len(c.Grown) != 1 || c.Grown[0].Path != "sprites/gull.png" ||
		len(c.Shrunk) != 1 || c.Shrunk[0].Path != "extra/deep/chart.txt" || len(c.Removed) != 0 || c.Delta() != int64(len(" a larger")+len("new")-len("hart")) {
		t.Errorf("%+v", c)
	}

	// Failed and cancelled ones too.
	tree{"assets/scenes/pier.tscene": scene("pier", "nothing such")}.write(t, dir)
	if _, _, err = build(t, dir, options); !errors.Is(err, ErrFailed) {
		t.Fatal(err)
	}
	if list = remembered(t, store, dir, 3); list[0].Success || list[0].Cancelled || list[0].Failure == "" {
		t.Errorf("%+v", list[0])
	}
	job, err := NewBuild(openProject(t, dir), BuildOptions{Output: t.TempDir(), HistoryDir: store})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = job.Run(ctx, Discard()); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if list = remembered(t, store, dir, 4); !list[0].Cancelled || list[0].Failure != "" {
		t.Errorf("%+v", list[0])
	}
}

// remembered lists the history, which has to have a number of entries.
func remembered(t *testing.T, store, dir string, want int) []history.Summary {
	t.Helper()
	list, damaged, err := history.Open(store).List(dir, "linux-x64")
	if err != nil || len(damaged) > 0 || len(list) != want {
		t.Fatalf("%d of %d, %v, %v", len(list), want, damaged, err)
	}
	return list
}

func TestAHistoryThatCannotBeWrittenIsAWarning(t *testing.T) {
	dir := tidewater().write(t, t.TempDir())
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	report, out, err := build(t, dir, BuildOptions{ContentOnly: true, HistoryDir: blocked})
	if err != nil || !report.Success {
		t.Fatal(err, out.lines)
	}
	warnings := strings.Join(out.messages(Warning), "\n")
	if !strings.Contains(warnings, "could not be added to the history") {
		t.Error(warnings)
	}
}
