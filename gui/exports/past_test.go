package exports

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/google/go-cmp/cmp"

	"talebinder/export"
	"talebinder/export/history"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/platforms"
)

// noon is when the tests of the history run.
var noon = time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)

// keep puts an export into the history of a project, as many hours before noon as it says.
func keep(t testing.TB, dir string, hours int, edit func(*history.Record)) string {
	t.Helper()
	r := &history.Record{Summary: history.Summary{
		Project: dir, Game: "Grove", Target: "linux-x64", Profile: "release", Success: true,
		StartedAt: noon.Add(-time.Duration(hours) * time.Hour), Duration: 48 * time.Second, Output: filepath.Join(dir, "builds", "Grove-linux-x64"),
	}}
	edit(r)
	at := map[string]int{}
	for _, a := range r.Assets {
		i, ok := at[a.Kind]
		if !ok {
			i = len(r.Categories)
			at[a.Kind] = i
			r.Categories = append(r.Categories, history.Category{Name: a.Kind})
		}
		c := &r.Categories[i]
		c.Files++
		c.Size += a.StoredSize
		c.OriginalSize += a.Size
		r.TotalSize += a.StoredSize
	}
	r.AssetCount = len(r.Assets)
	profile, _ := platforms.ParseProfile(r.Profile)
	report := &export.Report{
		Success: r.Success, Cancelled: r.Cancelled, Game: r.Game, Target: r.Target, Profile: profile, StartedAt: r.StartedAt, Duration: r.Duration,
		TotalSize: r.TotalSize, AssetCount: r.AssetCount, Steps: []export.StepTime{{Title: "Packing content", Duration: time.Second}},
	}
	if r.Success {
		report.OutputDirectory = r.Output
	}
	for _, c := range r.Categories {
		report.Categories = append(report.Categories, export.Category(c))
	}
	if r.Failure != "" {
		report.Errors = []export.Entry{{Level: export.Error, Message: r.Failure}, {Level: export.Error, Message: "The export failed with 1 error"}}
		r.Errors = 1
	}
	r.Report = report.Text()
	id, err := history.Default().Add(r)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func file(path, kind string, size int64) history.Asset {
	return history.Asset{Path: path, Kind: kind, Reason: "dependency", Size: 2 * size, StoredSize: size}
}

// ids of a history with everything that there can be.
type kept struct{ first, second, windows, failed string }

func keepSome(t testing.TB, dir string) (k kept) {
	t.Helper()
	const mb = 1 << 20
	k.first = keep(t, dir, 50, func(r *history.Record) {
		r.Assets = []history.Asset{
			file("sprites/lamp.png", "Texture", 4*mb), file("audio/harbour.ogg", "Audio", 20*mb), file("scenes/dock.tscene", "Scene", 300<<10),
			file("sprites/old.png", "Texture", 2*mb),
		}
	})
	k.windows = keep(t, dir, 26, func(r *history.Record) {
		r.Target, r.Profile, r.Warnings = "win-x64", "distribution", 2
		r.Assets = []history.Asset{file("sprites/lamp.png", "Texture", 4*mb), file("audio/harbour.ogg", "Audio", 20*mb)}
	})
	k.failed = keep(t, dir, 5, func(r *history.Record) {
		r.Success, r.Failure = false, "build.json: the scene scenes/reef.tscene does not exist"
	})
	k.second = keep(t, dir, 1, func(r *history.Record) {
		r.Assets = []history.Asset{
			file("sprites/lamp.png", "Texture", 5*mb), file("audio/harbour.ogg", "Audio", 19*mb), file("scenes/dock.tscene", "Scene", 300<<10),
			file("video/intro.ogv", "Video", 12*mb),
		}
	})
	return k
}

// pastRig opens the screen on a history of its own.
func pastRig(t testing.TB, fill func(dir string)) (*pastScreen, *rig) {
	t.Helper()
	for _, name := range []string{"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, t.TempDir())
	}
	r := newRig(t, 1)
	if fill != nil {
		fill(r.dir)
	}
	s := newPastScreen(r.host)
	s.now = func() time.Time { return noon }
	t.Cleanup(s.Close)
	r.host.Put(s)
	r.host.Drain()
	return s, r
}

func TestHistoryWithoutExportsOffersOne(t *testing.T) {
	s, r := pastRig(t, nil)
	if s.root.Objects[0] != s.empty || s.Badge() != "" {
		t.Fatal("the empty state is not shown")
	}
	s.Focus("budgets")
	if s.root.Objects[0] != s.page || s.middle.Objects[0] != s.limits.column {
		t.Error("budgets cannot be set before the first export")
	}
	keep(t, r.dir, 1, func(*history.Record) {})
	s.turn(0)
	s.Hidden()
	s.Shown()
	r.host.Drain()
	if s.root.Objects[0] != s.page || len(s.model.shown) != 1 {
		t.Error("a new export is not shown")
	}
}

func TestHistoryLines(t *testing.T) {
	var k kept
	s, _ := pastRig(t, func(dir string) { k = keepSome(t, dir) })
	var got []PastLine
	for i := range s.model.shown {
		got = append(got, s.model.line(i, noon))
	}
	want := []PastLine{
		{ID: k.second, Mark: MarkFinished, Title: "Linux x64 · Release", When: "Today, 11:00", Text: "48 s · Finished", Size: "36.3 MB", Delta: "+10.0 MB", Grown: true, role: afterRole},
		{ID: k.failed, Mark: MarkFailed, Title: "Linux x64 · Release", When: "Today, 07:00", Text: "48 s · Failed"},
		{ID: k.windows, Mark: MarkWarned, Title: "Windows x64 · Distribution", When: "14 Jun, 10:00", Text: "48 s · Finished with 2 warnings", Size: "24.0 MB"},
		{ID: k.first, Mark: MarkFinished, Title: "Linux x64 · Release", When: "13 Jun, 10:00", Text: "48 s · Finished", Size: "26.3 MB", role: beforeRole},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(PastLine{})); diff != "" {
		t.Error(diff)
	}
	if s.summary.Text != "4 exports, 3 successful" {
		t.Errorf("summary %q", s.summary.Text)
	}
	s.filter.SetSelected("Windows x64")
	if len(s.model.shown) != 1 || s.model.selected != k.windows || s.rows.Selected() != 0 {
		t.Errorf("%d exports for Windows, %q selected", len(s.model.shown), s.model.selected)
	}
	s.Focus(k.failed)
	if len(s.model.shown) != 4 || s.rows.Selected() != 1 {
		t.Error("an export that the filter hides is not found")
	}
}

func TestReportOfThePast(t *testing.T) {
	var k kept
	s, r := pastRig(t, func(dir string) { k = keepSome(t, dir) })
	if s.detail.reported != k.second || s.detail.stack.Objects[0] != s.detail.report.column {
		t.Fatalf("the newest report is not shown but %q", s.detail.reported)
	}
	s.choose(k.failed)
	if s.detail.stack.Objects[0] != s.detail.message {
		t.Error("the pane does not say that it reads")
	}
	r.host.Drain()
	record, err := s.store.Load(r.dir, k.failed)
	if err != nil {
		t.Fatal(err)
	}
	report, err := export.ParseReport(record.Report)
	if err != nil {
		t.Fatal(err)
	}
	p := past{record.Summary}
	got := reportFrom(p, p.state(report), nil)
	if got.Mark != MarkFailed || len(got.Problems) != 1 || !strings.Contains(got.Problems[0].Text, "reef.tscene") {
		t.Errorf("%+v", got)
	}
	if n := len(got.Steps); n != 1 || got.Steps[0].Mark != StepFailed {
		t.Errorf("steps %+v", got.Steps)
	}
	s.copyCommand()
	if want := ui.CommandLine([]string{"talebinder", "export", r.dir, "--target", "linux-x64", "--profile", "release"}); r.host.Copied[0] != want {
		t.Errorf("command %q, want %q", r.host.Copied[0], want)
	}
	if !strings.Contains(s.detail.title.Text, "Linux x64") || s.detail.badge.Text() != "Failed" {
		t.Errorf("%q, %q", s.detail.title.Text, s.detail.badge.Text())
	}
}

func TestComparison(t *testing.T) {
	var k kept
	s, r := pastRig(t, func(dir string) { k = keepSome(t, dir) })
	s.detail.pages.SetSelected(pageCompare)
	r.host.Drain()
	c := s.detail.comparison
	if c == nil || s.detail.compared != [2]string{k.first, k.second} || s.detail.stack.Objects[0] != s.detail.compare {
		t.Fatal("the newest two builds of a kind are not compared")
	}
	if got := s.detail.sentence.Text; got != "10.0 MB larger than on 13 Jun, 10:00" {
		t.Errorf("sentence %q", got)
	}
	if got := s.detail.tally.Text; got != "1 added, 1 removed, 1 grown, 1 shrunk, 1 unchanged" {
		t.Errorf("tally %q", got)
	}
	want := []CompareRow{
		{Group: "By category"},
		{Name: "Video", Note: "0 → 1 file", After: "12.0 MB", Delta: 12 << 20, Share: 1},
		{Name: "Texture", Note: "2 → 1 file", Before: "6.0 MB", After: "5.0 MB", Delta: -1 << 20, Share: -1. / 12},
		{Name: "Audio", Note: "1 file", Before: "20.0 MB", After: "19.0 MB", Delta: -1 << 20, Share: -1. / 12},
		{Name: "Scene", Note: "1 file", Before: "300.0 kB", After: "300.0 kB"},
		{Group: "By asset"},
		{Filter: AddedFiles, Path: "video/intro.ogv", Note: "Video", After: "12.0 MB", Delta: 12 << 20, Share: 1},
		{Filter: RemovedFiles, Path: "sprites/old.png", Note: "Texture", Before: "2.0 MB", Delta: -2 << 20, Share: -1. / 6},
		{Filter: GrownFiles, Path: "sprites/lamp.png", Note: "Texture", Before: "4.0 MB", After: "5.0 MB", Delta: 1 << 20, Share: 1. / 12},
		{Filter: ShrunkFiles, Path: "audio/harbour.ogg", Note: "Audio", Before: "20.0 MB", After: "19.0 MB", Delta: -1 << 20, Share: -1. / 12},
	}
	sorted := slices.Clone(c.rows)
	slices.SortStableFunc(sorted[1:5], func(a, b CompareRow) int {
		return slices.Index([]string{"Video", "Texture", "Audio", "Scene"}, a.Name) - slices.Index([]string{"Video", "Texture", "Audio", "Scene"}, b.Name)
	})
	if diff := cmp.Diff(want, sorted); diff != "" {
		t.Error(diff)
	}
	s.detail.filters.SetSelected(int(GrownFiles))
	if len(c.rows) != 2 || c.rows[1].Path != "sprites/lamp.png" {
		t.Errorf("grown: %+v", c.rows)
	}
	s.detail.filters.SetSelected(int(AllChanges))
	s.detail.search.Entry.SetText("SPRITES png")
	if len(c.rows) != 3 || s.detail.none.Visible() {
		t.Errorf("search: %+v", c.rows)
	}
	s.detail.search.Entry.SetText("nothing of this name")
	if len(c.rows) != 0 || !s.detail.none.Visible() {
		t.Error("a search without results is not explained")
	}
	s.detail.search.Entry.SetText("")
	s.copyComparison()
	if text := r.host.Copied[0]; !strings.Contains(text, "removed\tsprites/old.png\t2.0 MB\t–\t−2.0 MB\n") {
		t.Errorf("copied %q", text)
	}
	s.detail.rows.OnActivated(7)
	if got := r.host.Screens; len(got) != 1 || got[0].Screen != ui.ScreenContent || got[0].Focus != "sprites/old.png" {
		t.Errorf("a file leads to %v", got)
	}

	s.compareWith(k.windows) // older than the chosen one, of another target
	r.host.Drain()
	if got := s.detail.sentence.Text; got != "12.3 MB larger than Windows x64 · Distribution on 14 Jun, 10:00" {
		t.Errorf("sentence %q", got)
	}
	s.choose(k.failed)
	r.host.Drain()
	if s.detail.stack.Objects[0] != s.detail.message || s.detail.comparison != nil {
		t.Error("a failed export is compared")
	}
}

func TestTwoEqualBuilds(t *testing.T) {
	same := func(r *history.Record) { r.Assets = []history.Asset{file("a.png", "Texture", 100)} }
	s, r := pastRig(t, func(dir string) { keep(t, dir, 3, same); keep(t, dir, 2, same) })
	s.detail.pages.SetSelected(pageCompare)
	r.host.Drain()
	c := s.detail.comparison
	if got := s.detail.sentence.Text; got != "Of the same size as at 09:00 today" || c.Unchanged != 1 {
		t.Errorf("%q, %d unchanged", got, c.Unchanged)
	}
	s.detail.filters.SetSelected(int(AddedFiles))
	if !s.detail.none.Visible() {
		t.Error("an empty list is not explained")
	}
}

func TestForgettingAnExport(t *testing.T) {
	var k kept
	s, r := pastRig(t, func(dir string) { k = keepSome(t, dir) })
	s.remove()
	if len(r.host.Questions) != 1 {
		t.Fatal("it is forgotten without a question")
	}
	r.host.Questions[0].OK()
	r.host.Drain()
	if len(s.model.all) != 3 || s.model.selected != k.failed {
		t.Errorf("%d exports, %q selected", len(s.model.all), s.model.selected)
	}
	for len(s.model.all) > 0 {
		s.remove()
		r.host.Questions[len(r.host.Questions)-1].OK()
		r.host.Drain()
	}
	if s.root.Objects[0] != s.empty {
		t.Error("the empty state is not shown after the last one")
	}
}

func TestDamagedRecordsAreCounted(t *testing.T) {
	s, r := pastRig(t, func(dir string) {
		keepSome(t, dir)
		found, err := filepath.Glob(filepath.Join(os.Getenv("XDG_DATA_HOME"), "talebinder", "history", "*", "*-win-x64-*.json"))
		if err != nil || len(found) != 1 {
			t.Fatal(found, err)
		}
		if err := os.WriteFile(found[0], []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
	})
	if s.summary.Text != "3 exports, 2 successful · 1 damaged record left out" || len(r.host.Errors) != 0 {
		t.Errorf("summary %q, errors %v", s.summary.Text, r.host.Errors)
	}
}

func TestBudgets(t *testing.T) {
	s, r := pastRig(t, func(dir string) { keepSome(t, dir) })
	s.Focus("budgets/linux-x64")
	card := s.limits.cards[slices.IndexFunc(s.limits.cards, func(c *budgetCard) bool { return c.target == "linux-x64" })]
	if r.host.Window().Canvas().Focused() != card.entry {
		t.Error("the field has not got the focus")
	}
	card.entry.SetText("32")
	if text, tone := card.field.Status(); text != "Over the budget: 36.3 MB of 32 MB, 4.3 MB too much." || tone.Color() != "error" {
		t.Errorf("%q in %v", text, tone.Color())
	}
	if kept, err := history.DefaultBudgets().Get(r.dir); err != nil || kept["linux-x64"] != 32<<20 {
		t.Errorf("kept %v, %v", kept, err)
	}
	if s.Badge() != "1" || s.model.line(0, noon).Budget != history.Over {
		t.Errorf("badge %q", s.Badge())
	}
	card.entry.SetText("38")
	if text, _ := card.field.Status(); text != "Near the budget: 36.3 MB of 38 MB (95 %), 1.7 MB left." || s.Badge() != "" {
		t.Errorf("%q, badge %q", text, s.Badge())
	}
	card.unit.SetSelected("GB")
	if text, _ := card.field.Status(); !strings.HasPrefix(text, "Within the budget: 36.3 MB of 38 GB") {
		t.Errorf("%q", text)
	}
	for _, bad := range []string{"-3", "much", "1e99"} {
		card.entry.SetText(bad)
		if text, _ := card.field.Status(); !strings.HasPrefix(text, "A budget is a number") {
			t.Errorf("%q: %q", bad, text)
		}
	}
	card.entry.SetText("")
	if kept, err := history.DefaultBudgets().Get(r.dir); err != nil || len(kept) != 0 {
		t.Errorf("kept %v, %v", kept, err)
	}
}

func TestReportHasALineForTheBudget(t *testing.T) {
	s, r := pastRig(t, func(dir string) { keepSome(t, dir) })
	if err := history.DefaultBudgets().Set(r.dir, "linux-x64", 30<<20); err != nil {
		t.Fatal(err)
	}
	b := s.detail.report.budget(&Report{Target: "linux-x64", Total: 36 << 20})
	if b.Level != history.Over || budgetNote(b) == nil {
		t.Errorf("%+v", b)
	}
	if b := s.detail.report.budget(&Report{Target: "win-x64", Total: 36 << 20}); b.Level != history.NoBudget || budgetNote(b) != nil {
		t.Errorf("%+v", b)
	}
}

func TestReportNotesCanBeCopied(t *testing.T) {
	s, r := pastRig(t, func(string) {})
	note := Note{Title: "Sign and notarise Grove.app", Text: "On a Mac, run these.", Commands: []string{"cd 'builds'", "codesign --verify 'Grove.app'"}}
	parts := s.detail.report.parts(&Report{Outcome: "Grove is ready.", Notes: []Note{note}})
	var button *widget.Button
	for _, part := range parts {
		if box, ok := part.(*fyne.Container); ok {
			for _, o := range box.Objects {
				if b, ok := o.(*widget.Button); ok {
					button = b
				}
			}
		}
	}
	if button == nil {
		t.Fatal("the report has no button for the commands")
	}
	test.Tap(button)
	if want := "cd 'builds'\ncodesign --verify 'Grove.app'"; len(r.host.Copied) != 1 || r.host.Copied[0] != want {
		t.Errorf("copied %q, want %q", r.host.Copied, want)
	}
}

func TestBudgetText(t *testing.T) {
	for _, c := range []struct {
		bytes  int64
		number string
		unit   string
	}{
		{64 << 20, "64", "MB"}, {1 << 30, "1", "GB"}, {3 << 29, "1.5", "GB"}, {500 << 10, "500", "kB"}, {64_000_000, "62500", "kB"}, {0, "", "MB"},
	} {
		number, unit := budgetText(c.bytes)
		if number != c.number || budgetUnits[unit] != c.unit {
			t.Errorf("%d is %s %s", c.bytes, number, budgetUnits[unit])
		}
		if back, ok := parseBudget(number, unit); !ok || back != c.bytes {
			t.Errorf("%d comes back as %d", c.bytes, back)
		}
	}
	if back, ok := parseBudget(" 1,5 ", 1); !ok || back != 3<<19 {
		t.Errorf("a comma: %d", back)
	}
}

func TestHeadOfAPastExportIsAsHighAsItNeeds(t *testing.T) {
	s, _ := pastRig(t, func(dir string) { keepSome(t, dir) })
	page := s.detail.object.(*fyne.Container).Objects[1].(*fyne.Container)
	if head := page.Objects[0]; head.Size().Height != widgets.HeightFor(head, page.Size().Width) {
		t.Errorf("%v high, wanted %v", head.Size().Height, widgets.HeightFor(head, page.Size().Width))
	}
}
