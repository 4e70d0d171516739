package problems

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"talebinder/examples"
	"talebinder/export"
	"talebinder/gui/ui"
	"talebinder/gui/ui/uitest"
	"talebinder/project"
	"talebinder/project/problem"
)

var list = []problem.Problem{
	{Level: problem.Error, Code: "scene-missing", Message: "the scene scenes/b.tscene does not exist", File: "build.json", Line: 7, Column: 3, Hint: "scenes/B.tscene exists"},
	{Level: problem.Warning, Code: "reference-missing", Message: "a reference leads nowhere", File: "assets/scenes/a.tscene", Line: 2},
	{Level: problem.Info, Code: "meta-missing", Message: "a.png.meta does not exist yet", File: "assets/a.png", Repair: "meta:a.png"},
}

func TestModel(t *testing.T) {
	var m model
	m.set(list)
	if m.badge() != "2" || len(m.shown) != 3 {
		t.Errorf("badge %q, %d shown", m.badge(), len(m.shown))
	}
	for f, want := range map[filter]int{everything: 3, onlyErrors: 1, onlyWarnings: 1, onlyNotes: 1} {
		if m.setFilter(f); len(m.shown) != want {
			t.Errorf("filter %d shows %d", f, len(m.shown))
		}
	}
	m.setFilter(everything)
	for query, want := range map[string]int{"SCENE": 2, "scene build": 1, "B.tscene exists": 1, "meta-missing": 1, "zzz": 0} {
		if m.setQuery(query); len(m.shown) != want {
			t.Errorf("%q shows %d, want %d", query, len(m.shown), want)
		}
	}
	if got := m.labels(); got[0] != "All 3" || got[1] != "1 error" || got[3] != "1 note" {
		t.Errorf("labels %v", got)
	}
	m.set(list[2:])
	if m.badge() != "" {
		t.Errorf("notes count in the badge: %q", m.badge())
	}
	if place(list[0]) != "build.json:7:3" || place(list[1]) != "assets/scenes/a.tscene:2" || place(list[2]) != "assets/a.png" || place(problem.Problem{}) != "" {
		t.Error("places")
	}
	if got := text(list[0]); got != "error: build.json(7,3): the scene scenes/b.tscene does not exist\n  hint: scenes/B.tscene exists" {
		t.Errorf("text %q", got)
	}
}

// open opens a copy of the sample game without some of its .meta files.
func open(t *testing.T, broken bool) (*uitest.Host, *Screen, string) {
	t.Helper()
	dir, err := examples.Extract(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if broken {
		for _, name := range []string{"icon.png.meta", "config/game.json.meta"} {
			if err := os.Remove(filepath.Join(dir, "assets", filepath.FromSlash(name))); err != nil {
				t.Fatal(err)
			}
		}
	}
	p, err := project.Open(context.Background(), dir, project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h := uitest.New(t)
	w := ui.NewWorkspace(p, export.NewQueue(1), h)
	h.SetWorkspace(w)
	s := New(h).(*Screen)
	h.Put(s)
	return h, s, dir
}

func TestAHealthyProjectSaysWhatWasLookedAt(t *testing.T) {
	h, s, _ := open(t, false)
	if s.middle.Objects[0] != fyne.CanvasObject(s.waiting) {
		t.Error("it does not wait for the check")
	}
	h.Workspace().Check()
	h.Drain()
	if s.middle.Objects[0] != s.healthy.root || len(s.healthy.lines.Objects) < 4 || s.Badge() != "" {
		t.Errorf("shown: %v, badge %q, problems %v", s.middle.Objects[0], s.Badge(), h.Workspace().Problems())
	}
}

func TestARepairAsksWritesAndReadsAgain(t *testing.T) {
	h, s, dir := open(t, true)
	h.Workspace().Subscribe(func(c ui.Change) { // as the window does
		if c == ui.Rescanned {
			h.Workspace().Check()
		}
	})
	h.Workspace().Check()
	h.Drain()
	metas := 0
	for i, p := range s.model.shown {
		if p.Repair != "" {
			metas++
			s.list.Select(i)
		}
	}
	if metas != 2 || s.detail.repair.Hidden || !strings.Contains(s.detail.files.Text, ".meta") {
		t.Fatalf("%d problems can be repaired; the last shows %q", metas, s.detail.files.Text)
	}
	selected, _ := s.selected()
	test.Tap(s.detail.repair)
	if len(h.Questions) != 1 || !strings.Contains(h.Questions[0].Body, ".meta") {
		t.Fatalf("asked %+v", h.Questions)
	}
	before, err := os.Stat(filepath.Join(dir, "assets", "icon.png.meta"))
	if err == nil {
		t.Fatal("written before the answer", before)
	}
	h.Questions[0].OK()
	h.Drain()
	if len(h.Errors) > 0 {
		t.Fatal(h.Errors)
	}
	for _, p := range s.model.all {
		if p.Message == selected.Message {
			t.Error("the problem is still there")
		}
	}
	s.repairAll()
	if len(h.Questions) > 1 {
		t.Error("one repair is left, and a repair of all is offered")
	}
}

func TestAProblemLeadsToItsPlace(t *testing.T) {
	h, s, _ := open(t, true)
	s.know = true
	s.model.set(list)
	s.fill()
	s.list.Select(0)
	s.goTo()
	if len(h.Places) != 1 || h.Places[0] != (uitest.Place{File: "build.json", Line: 7}) {
		t.Errorf("places %v", h.Places)
	}
	s.copyAll()
	if len(h.Copied) != 1 || strings.Count(h.Copied[0], "\n") != 4 {
		t.Errorf("copied %q", h.Copied)
	}
	s.Focus("assets/scenes/a.tscene")
	if p, _ := s.selected(); p.Level != problem.Warning {
		t.Errorf("focus selects %v", p)
	}
	s.search.Entry.SetText("nothing of that kind")
	if s.middle.Objects[0] != fyne.CanvasObject(s.none) {
		t.Error("no word about an empty result")
	}
}

func TestClosingEndsTheSubscription(t *testing.T) {
	h, s, _ := open(t, true)
	h.Workspace().Check()
	s.Close()
	h.Drain()
	if len(s.model.all) != 0 {
		t.Error("a closed screen was told")
	}
}
