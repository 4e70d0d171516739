package exports

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"talebinder/export"
	"talebinder/gui/ui"
	"talebinder/gui/ui/uitest"
	"talebinder/gui/widgets"
	"talebinder/project"
	"talebinder/project/assets"
)

// rig is the screen in a test window with a queue that runs as many jobs at once as it is given.
type rig struct {
	*screen
	host  *uitest.Host
	queue *export.Queue
	dir   string
}

func newRig(t testing.TB, limit int) *rig {
	t.Helper()
	dir := t.TempDir()
	db, err := assets.Scan(context.Background(), dir, assets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := &project.Project{Dir: dir, Build: project.OpenBuild(filepath.Join(dir, "build.json")), Assets: db}
	h := uitest.New(t)
	q := export.NewQueue(limit)
	h.SetWorkspace(ui.NewWorkspace(p, q, h))
	s := newScreen(h)
	t.Cleanup(s.Close)
	h.Put(s)
	return &rig{s, h, q, dir}
}

// held is a job that stops in its second step until it is let go or cancelled.
func (r *rig) held(t testing.TB) (row *export.Row, let func(err error)) {
	t.Helper()
	j := linux(r.dir)
	begun, end := make(chan bool), make(chan error, 1)
	j.run = func(ctx context.Context, out export.Reporter) (*export.Report, error) {
		out.Step(0, 3, "Checking the project")
		out.Step(1, 3, "Packing content")
		out.Progress(0.5, "sprites/a.png")
		out.Log(export.Entry{Level: export.Info, Message: "half way"})
		begun <- true
		select {
		case err := <-end:
			out.Step(3, 3, "Done")
			return &export.Report{Success: err == nil, Game: "Grove", TotalSize: 1000, AssetCount: 3}, err
		case <-ctx.Done():
			out.Step(3, 3, "Cancelled")
			return &export.Report{Cancelled: true, Game: "Grove"}, ctx.Err()
		}
	}
	row = r.queue.Add(j)
	<-begun
	r.host.Workspace().Changed(ui.QueueChanged)
	return row, func(err error) { end <- err }
}

func (r *rig) can(t *testing.T, id string) bool {
	t.Helper()
	for _, c := range r.Commands() {
		if c.ID == id {
			return c.CanRun()
		}
	}
	t.Fatalf("no command %s", id)
	return false
}

func TestScreenWithoutExportsOffersOne(t *testing.T) {
	r := newRig(t, 1)
	if r.root.Objects[0] != r.empty || r.Badge() != "" || r.host.Tickers() != 0 {
		t.Fatal("the empty state is not shown")
	}
	r.startExport()
	if len(r.host.Screens) != 1 || r.host.Screens[0].Screen != ui.ScreenBuild {
		t.Errorf("Export leads to %v", r.host.Screens)
	}
}

func TestScreenFollowsARunningExport(t *testing.T) {
	r := newRig(t, 1)
	row, let := r.held(t)
	if r.root.Objects[0] != r.page || r.Badge() != "1" || r.model.Selected != row.ID() || r.host.Tickers() != 1 {
		t.Fatalf("badge %q, %d selected, %d tickers", r.Badge(), r.model.Selected, r.host.Tickers())
	}
	if d := r.detail; d.current != pageSteps || len(d.steps.lines) != 3 || d.steps.lines[1].step.Mark != StepRunning || d.bar.Value() != 0.5 {
		t.Errorf("page %d, steps %d, bar %v", r.detail.current, len(r.detail.steps.lines), r.detail.bar.Value())
	}
	if text := r.detail.log.Text(); !strings.Contains(text, "half way") {
		t.Errorf("log %q", text)
	}
	let(nil)
	r.queue.Wait()
	r.host.Tick()
	if r.host.Tickers() != 0 || r.Badge() != "" {
		t.Errorf("%d tickers run on, badge %q", r.host.Tickers(), r.Badge())
	}
	if len(r.host.Notices) != 1 || !strings.Contains(r.host.Notices[0], "Grove for Linux x64, release: finished in ") {
		t.Errorf("notices %v", r.host.Notices)
	}
	if r.detail.current != pageReport || r.detail.pending.Visible() || !r.detail.report.column.Visible() {
		t.Error("the report is not shown at the end")
	}
	r.host.Tick()
	if len(r.host.Notices) != 1 {
		t.Error("the end is told twice")
	}
}

func TestScreenTellsOfTheEndWhileHidden(t *testing.T) {
	r := newRig(t, 1)
	_, let := r.held(t)
	r.Hidden()
	if r.host.Tickers() != 0 {
		t.Fatal("a hidden screen ticks")
	}
	let(nil)
	r.queue.Wait()
	r.host.Workspace().Changed(ui.QueueChanged)
	if len(r.host.Notices) != 1 {
		t.Errorf("notices %v", r.host.Notices)
	}
	r.Shown()
	if l := r.model.Line(0); l.Mark != MarkFinished || r.detail.badge.Text() != "Finished" {
		t.Errorf("%+v, badge %q", l, r.detail.badge.Text())
	}
}

func TestScreenCancelAnswersAtOnce(t *testing.T) {
	r := newRig(t, 1)
	stop := make(chan bool)
	j := linux(r.dir)
	begun := make(chan bool)
	j.run = func(ctx context.Context, out export.Reporter) (*export.Report, error) {
		begun <- true
		<-stop // busy tidying up
		return nil, ctx.Err()
	}
	row := r.queue.Add(j)
	<-begun
	r.host.Workspace().Changed(ui.QueueChanged)
	if !r.can(t, "export.cancel") || r.can(t, "export.again") {
		t.Error("commands of a running export")
	}
	r.act(row.ID())
	if l := r.model.Line(0); l.Mark != MarkCancelling || r.detail.badge.Text() != "Cancelling…" {
		t.Errorf("%+v, badge %q", l, r.detail.badge.Text())
	}
	close(stop)
	r.queue.Wait()
	r.host.Tick()
	if l := r.model.Line(0); l.Mark != MarkCancelled || !r.can(t, "export.again") || r.can(t, "export.cancel") {
		t.Errorf("%+v", l)
	}
}

func TestScreenRetriesAndClears(t *testing.T) {
	r := newRig(t, 1)
	_, let := r.held(t)
	let(export.ErrFailed)
	r.queue.Wait()
	r.host.Tick()
	if l := r.model.Line(0); l.Mark != MarkFailed || r.retry.Disabled() {
		t.Fatalf("%+v", l)
	}
	// The job waits for its reader again as soon as it runs.
	j := r.model.rows[0].Job().(*job)
	again := make(chan bool)
	j.run = func(_ context.Context, out export.Reporter) (*export.Report, error) {
		again <- true
		out.Log(export.Entry{Level: export.Info, Message: "afresh"})
		return &export.Report{Success: true, Game: "Grove"}, nil
	}
	r.retryFailed()
	<-again
	r.queue.Wait()
	r.host.Tick()
	if l := r.model.Line(0); l.Mark != MarkFinished {
		t.Errorf("%+v", l)
	}
	if text := r.detail.log.Text(); strings.Contains(text, "half way") || !strings.Contains(text, "afresh") {
		t.Errorf("the log of the second run is %q", text)
	}
	r.clearEnded()
	if r.model.Len() != 0 || r.root.Objects[0] != r.empty {
		t.Error("the list is not cleared")
	}
}

func TestScreenByKeyboard(t *testing.T) {
	r := newRig(t, 3)
	var rows []*export.Row
	for range 3 {
		row, let := r.held(t)
		rows = append(rows, row)
		let(nil)
	}
	r.queue.Wait()
	r.host.Tick()
	press := func(keys ...fyne.KeyName) {
		for _, k := range keys {
			r.rows.TypedKey(&fyne.KeyEvent{Name: k})
		}
	}
	press(fyne.KeyHome)
	if r.model.Selected != rows[0].ID() {
		t.Fatalf("%d selected", r.model.Selected)
	}
	press(fyne.KeyDown, fyne.KeyReturn)
	if len(r.host.Folders) != 1 || filepath.Base(r.host.Folders[0]) != "Grove-linux-x64" {
		t.Errorf("Enter opened %v", r.host.Folders)
	}
	press(fyne.KeyLeft)
	if r.detail.current != pageLog {
		t.Errorf("page %d", r.detail.current)
	}
	press(fyne.KeyDelete)
	if r.model.Len() != 2 || r.model.Selected != rows[2].ID() {
		t.Errorf("%d rows, %d selected", r.model.Len(), r.model.Selected)
	}
	r.Focus(strconv.Itoa(rows[0].ID()))
	if r.model.Selected != rows[0].ID() || r.rows.Selected() != 0 {
		t.Errorf("%d selected", r.model.Selected)
	}
	r.Focus("not a number")
	r.copyCommand()
	if len(r.host.Copied) != 1 || r.host.Copied[0] != "talebinder export 'Grove for Linux x64, release'" {
		t.Errorf("copied %v", r.host.Copied)
	}
}

func TestScreenNewExportsDoNotStealTheSelection(t *testing.T) {
	r := newRig(t, 2)
	first, let1 := r.held(t)
	_, let2 := r.held(t)
	if r.model.Selected != first.ID() {
		t.Errorf("%d selected while the first one runs", r.model.Selected)
	}
	let1(nil)
	let2(nil)
	r.queue.Wait()
	r.host.Tick()
	third, let3 := r.held(t)
	if r.model.Selected != third.ID() {
		t.Errorf("%d selected after all others have ended", r.model.Selected)
	}
	let3(nil)
	r.queue.Wait()
}

func TestScreenProblemsLeadToTheirPlace(t *testing.T) {
	r := newRig(t, 1)
	j := linux(r.dir)
	entry := export.Entry{Level: export.Error, File: "build.json", Line: 3, Column: 5, Message: "no such scene"}
	j.run = func(_ context.Context, out export.Reporter) (*export.Report, error) {
		out.Log(entry)
		return &export.Report{Game: "Grove", Errors: []export.Entry{entry}}, export.ErrFailed
	}
	r.queue.Add(j)
	r.queue.Wait()
	r.host.Workspace().Changed(ui.QueueChanged)
	place := pathRow(r.detail.report.stack, "build.json(3,5)")
	if place == nil {
		t.Fatal("the report does not name the place")
	}
	r.detail.log.OnSelected(logLinesOf([]export.Entry{entry})[0])
	if !r.detail.entry.Visible() || pathRow(r.detail.entry, "build.json(3,5)") == nil {
		t.Error("the chosen line of the log is not shown in full")
	}
	test.Tap(place)
	if len(r.host.Places) != 1 || r.host.Places[0] != (uitest.Place{File: "build.json", Line: 3}) {
		t.Errorf("places %v", r.host.Places)
	}
}

// pathRow finds the line with a path below an object.
func pathRow(o fyne.CanvasObject, path string) fyne.Tappable {
	switch o := o.(type) {
	case interface {
		fyne.Tappable
		Path() string
	}:
		if o.Path() == path {
			return o
		}
	case *fyne.Container:
		for _, c := range o.Objects {
			if found := pathRow(c, path); found != nil {
				return found
			}
		}
	}
	return nil
}

// What a swap of content has made is no export of a game: its report speaks of hashes, and not of packs and budgets.
func TestReportOfASwap(t *testing.T) {
	r := newRig(t, 1)
	sums := []export.Sum{
		{Role: "image", Path: "/discs/lamps-new.cdi", Size: 3 << 20, SHA256: strings.Repeat("a1", 32)},
		{Role: "kept", Path: "IP.BIN", Size: 32 << 10, SHA256: strings.Repeat("b2", 32)},
		{Role: "content", Path: "Content/a.lev", Size: 7, SHA256: strings.Repeat("c3", 32)},
	}
	r.queue.Add(&bare{"Swap the content of lamps.cdi", "/discs/lamps-new.cdi", &export.Report{
		Success: true, Kind: "swap-content", Game: "Lamps", TotalSize: 3 << 20, AssetCount: 1, OutputDirectory: "/discs", Sums: sums,
		Categories: []export.Category{{Name: "Content", Files: 1, Size: 7, OriginalSize: 7}},
	}})
	r.queue.Wait()
	r.host.Workspace().Changed(ui.QueueChanged)
	r.host.Tick()
	report := reportOf(r.selected(), nil)
	if report.Outcome != "lamps-new.cdi is written and verified." || report.Paths[0].Name != "Folder" || len(report.Sums) != 3 {
		t.Errorf("%+v", report)
	}
	if r.againWord() != "Run again" {
		t.Error(r.againWord())
	}
	var rows, all int
	for _, o := range test.LaidOutObjects(r.detail.report.column) {
		switch o := o.(type) {
		case *widgets.SumRow:
			rows++
		case *widgets.Link:
			t.Errorf("%q is offered", o.Text())
		case *widget.Button:
			if o.Text == "Copy all hashes" {
				all++
				test.Tap(o)
			}
		}
	}
	if rows != 2 || all != 1 || len(r.host.Copied) != 1 || !strings.Contains(r.host.Copied[0], "content\tContent/a.lev\t7 bytes\tsha256 c3c3") {
		t.Errorf("%d rows, copied %q", rows, r.host.Copied)
	}
}

// bare is a job that is for no target and no profile.
type bare struct {
	title, output string
	report        *export.Report
}

func (b *bare) Title() string     { return b.title }
func (b *bare) Target() string    { return "" }
func (b *bare) Output() string    { return b.output }
func (b *bare) Command() []string { return []string{"talebinder", "swap-content"} }
func (b *bare) Run(context.Context, export.Reporter) (*export.Report, error) {
	return b.report, nil
}
