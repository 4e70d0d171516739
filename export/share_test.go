package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"talebinder/export/cache"
	"talebinder/platforms"
)

// batch runs the builds of a project for all targets at once and gives what they logged.
func batch(t *testing.T, dir string, o BuildOptions, run func(i int, b *Build, out *recorder) error) ([]*Build, []*recorder) {
	t.Helper()
	o.ContentOnly = true
	if o.Output == "" {
		o.Output = t.TempDir()
	}
	jobs, err := Batch{Targets: platforms.Targets()}.Jobs(openProject(t, dir), o)
	if err != nil {
		t.Fatal(err)
	}
	logs := make([]*recorder, len(jobs))
	var all sync.WaitGroup
	for i, job := range jobs {
		logs[i] = &recorder{}
		all.Go(func() {
			if err := run(i, job, logs[i]); err != nil {
				t.Errorf("%s: %v %v", job.Target(), err, logs[i].lines)
			}
		})
	}
	all.Wait()
	return jobs, logs
}

// packPathOf is where the pack of a finished build is.
func packPathOf(b *Build) string {
	return filepath.Join(b.Output(), filepath.FromSlash(b.places.layout.GameDir), packPath)
}

func needSharing(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("packs are not shared here")
	}
}

func TestBuildsOfABatchPackOnce(t *testing.T) {
	needSharing(t)
	dir := manyFiles(50).write(t, t.TempDir())
	want, _ := packOf(t, dir, BuildOptions{NoCache: true})
	jobs, logs := batch(t, dir, BuildOptions{NoCache: true}, func(_ int, b *Build, out *recorder) error {
		_, err := b.Run(t.Context(), out)
		return err
	})
	made, copied := 0, 0
	for i, job := range jobs {
		got, err := os.ReadFile(packPathOf(job))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: the pack has other bytes (%v)", job.Target(), err)
		}
		said := strings.Join(logs[i].messages(Info), "\n")
		if strings.Contains(said, " compressed, ") {
			made++
		}
		if strings.Contains(said, "The pack is the one that was made for ") {
			copied++
		}
		if !strings.Contains(said, "Verified 62 packed files") {
			t.Errorf("%s: %s", job.Target(), said)
		}
		if _, found := verify(t, job.Output()); found != nil {
			t.Error(found)
		}
	}
	// Which of them run at the same time is up to the system; what one lets go another has to make again.
	if made == 0 || made+copied != len(jobs) {
		t.Errorf("%d packs made, %d copied", made, copied)
	}
	t.Logf("%d packs made, %d copied", made, copied)
	if n := len(jobs[0].options.shared.packs); n != 0 {
		t.Errorf("%d packs are held on to", n)
	}
}

// A build that waits for the pack of another makes it when the other is cancelled.
func TestCancelledBuildsLeaveThePackToOthers(t *testing.T) {
	needSharing(t)
	changes := make(tree)
	for n := range 30 { // each long enough to be packed by itself
		changes[fmt.Sprintf("assets/extra/%d.txt", n)] = strings.Repeat(fmt.Sprint(n, " bottles, "), 30_000)
	}
	dir := tidewater().with(changes).write(t, t.TempDir())
	o := BuildOptions{ContentOnly: true, Output: t.TempDir(), Cache: cache.New(t.TempDir(), cache.DefaultLimit), Now: newClock(time.Second).Now}
	jobs, err := Batch{Targets: platforms.Targets()[:2]}.Jobs(openProject(t, dir), o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	waiting := make(chan struct{})
	second := &watcher{when: func(line string) bool { return strings.Contains(line, "Waiting for the pack") }, then: func() { close(waiting) }}
	first := &watcher{when: func(line string) bool { return strings.HasPrefix(line, "3/5 ") }}
	first.then = func() {} // packing begins
	// The first build has the pack from its first packed file on, and holds it until the second one waits for it.
	first.progress = func() {
		all.Go(func() {
			if _, err := jobs[1].Run(t.Context(), second); err != nil {
				t.Error(err, second.lines)
			}
		})
		<-waiting
		cancel()
	}
	if _, err := jobs[0].Run(ctx, first); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	all.Wait()
	if _, found := verify(t, jobs[1].Output()); found != nil {
		t.Error(found)
	}
	if said := strings.Join(second.messages(Info), "\n"); !strings.Contains(said, " compressed, ") {
		t.Error("the second build has not made the pack: ", said)
	}
}

// A watcher waits for a line of what a build reports.
type watcher struct {
	recorder
	when     func(line string) bool
	then     func()
	once     sync.Once
	progress func() // once, at the first progress after then
	passed   bool
}

func (w *watcher) Step(index, count int, title string) {
	w.recorder.Step(index, count, title)
	w.look()
}

func (w *watcher) Progress(fraction float64, detail string) {
	w.recorder.Progress(fraction, detail)
	if w.passed && w.progress != nil {
		w.progress()
		w.progress = nil
	}
	w.look()
}

func (w *watcher) look() {
	w.mu.Lock()
	found := w.when(w.lines[len(w.lines)-1])
	w.mu.Unlock()
	if found {
		w.passed = true
		w.once.Do(w.then)
	}
}

func TestPacksThatDifferAreNotShared(t *testing.T) {
	needSharing(t)
	dir := manyFiles(5).write(t, t.TempDir())
	key := func(change func(r *run)) packKey {
		job, err := NewBuild(openProject(t, dir), BuildOptions{ContentOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		r := &run{tracker: newTracker(Discard(), job.options.Now), Build: *job, settings: job.project.Build.Settings()}
		if r.scripts, err = findScripts(t.Context(), job.project.AssetRoot(), job.profile); err != nil {
			t.Fatal(err)
		}
		if err := r.collectContent(t.Context()); err != nil {
			t.Fatal(err)
		}
		change(r)
		index, err := r.content.indexText()
		if err != nil {
			t.Fatal(err)
		}
		return r.packKey(index)
	}
	same := key(func(*run) {})
	if key(func(r *run) { r.target, _ = platforms.TargetByID("win-x64") }) != same {
		t.Error("another target has another pack")
	}
	for name, change := range map[string]func(r *run){
		"compression":  func(r *run) { r.settings.Compress = false },
		"less content": func(r *run) { r.content.Items = r.content.Items[1:] },
		"another size": func(r *run) { r.content.Items[0].Size++ },
	} {
		if key(change) == same {
			t.Errorf("%s makes no difference", name)
		}
	}
}
