package ui_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"talebinder/export"
	"talebinder/gui/ui"
	"talebinder/gui/ui/uitest"
	"talebinder/platforms"
	"talebinder/project"
	"talebinder/project/problem"
)

func TestNumbersForPeople(t *testing.T) {
	cases := []struct{ name, got, want string }{
		{"bytes", ui.Size(512), "512 B"},
		{"a kilobyte", ui.Size(4096), "4.0 kB"},
		{"megabytes", ui.Size(39_951_565), "38.1 MB"},
		{"gigabytes", ui.Size(1_857_000_000), "1.73 GB"},
		{"exact", ui.ExactSize(39_951_565), "39,951,565 bytes"},
		{"one byte", ui.ExactSize(1), "1 byte"},
		{"a small count", ui.Count(999), "999"},
		{"a negative count", ui.Count(-1234), "-1,234"},
		{"one", ui.Plural(1, "problem"), "1 problem"},
		{"none", ui.Plural(0, "entry"), "0 entries"},
		{"keys", ui.Plural(2, "key"), "2 keys"},
		{"many", ui.Plural(50_000, "asset"), "50,000 assets"},
		{"tenths", ui.Duration(412 * time.Millisecond), "0.4 s"},
		{"seconds", ui.Duration(48 * time.Second), "48 s"},
		{"minutes", ui.Duration(125 * time.Second), "2:05"},
		{"hours", ui.Duration(3725 * time.Second), "1:02:05"},
		{"percent", ui.Percent(0.999), "99 %"},
		{"percent done", ui.Percent(1.2), "100 %"},
		{"keys with Ctrl", ui.ShortcutText(&undo{}), "Ctrl+Shift+Z"},
		{"a function key", ui.ShortcutText(ui.Key(fyne.KeyF5)), "F5"},
		{"Alt and a number", ui.ShortcutText(ui.Alt(fyne.Key1)), "Alt+1"},
	}
	for _, c := range cases {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.name, c.got, c.want)
		}
	}
}

type undo struct{}

func (undo) ShortcutName() string  { return "undo" }
func (undo) Key() fyne.KeyName     { return fyne.KeyZ }
func (undo) Mod() fyne.KeyModifier { return fyne.KeyModifierControl | fyne.KeyModifierShift }

func TestAges(t *testing.T) {
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	for want, ago := range map[string]time.Duration{
		"just now": 20 * time.Second, "1 minute ago": 90 * time.Second, "3 hours ago": 200 * time.Minute,
		"yesterday": 30 * time.Hour, "5 days ago": 5 * 24 * time.Hour, "3 weeks ago": 22 * 24 * time.Hour,
		"4 months ago": 130 * 24 * time.Hour, "2 years ago": 800 * 24 * time.Hour,
	} {
		if got := ui.Age(now.Add(-ago), now); got != want {
			t.Errorf("%v ago: %q, want %q", ago, got, want)
		}
	}
	if got := ui.Age(time.Time{}, now); got != "never" {
		t.Errorf("no time: %q", got)
	}
}

func TestMergeListsEachProblemOnceWorstFirst(t *testing.T) {
	warn := problem.Problem{Level: problem.Warning, Message: "a", File: "build.json", Line: 3}
	bad := problem.Problem{Level: problem.Error, Message: "b", File: "z"}
	other := problem.Problem{Level: problem.Error, Message: "b", File: "build.json", Line: 9}
	got := ui.Merge([]problem.Problem{warn, bad}, []problem.Problem{warn, other})
	if len(got) != 3 || got[0] != other || got[1] != bad || got[2] != warn {
		t.Errorf("merged to %v", got)
	}
}

func TestContentIsComputedOncePerChange(t *testing.T) {
	h := uitest.New(t)
	w := ui.NewWorkspace(&project.Project{}, export.NewQueue(1), h)
	runs := 0
	fail := errors.New("no")
	w.Collect = func(context.Context, *project.Project, platforms.Profile) (*export.Content, error) {
		runs++
		if runs == 3 {
			return nil, fail
		}
		return &export.Content{}, nil
	}
	var got []*export.Content
	take := func(c *export.Content, err error) { got = append(got, c) }
	w.Content(take)
	w.Content(take)
	if len(got) != 0 {
		t.Fatal("content came before it was computed")
	}
	h.Drain()
	if len(got) != 2 || runs != 1 || got[0] != got[1] || got[0] == nil {
		t.Fatalf("two questions: %d answers from %d runs", len(got), runs)
	}
	w.Content(take)
	if runs != 1 || len(got) != 3 {
		t.Fatal("known content is given at once")
	}

	w.Changed(ui.BuildEdited)
	w.Content(take)
	w.Changed(ui.BuildEdited) // while it waits: the second run counts
	h.Drain()
	if len(got) != 4 {
		t.Fatalf("after an edit: %d answers", len(got))
	}
	if _, fresh := w.ContentNow(); !fresh {
		t.Error("what was computed last is not fresh")
	}
}

func TestUnsubscribedIsNotTold(t *testing.T) {
	w := ui.NewWorkspace(&project.Project{}, export.NewQueue(1), nil)
	var seen []ui.Change
	stop := w.Subscribe(func(c ui.Change) { seen = append(seen, c) })
	w.Changed(ui.BuildSaved)
	stop()
	w.Changed(ui.DiskChanged)
	if len(seen) != 1 || seen[0] != ui.BuildSaved {
		t.Errorf("told of %v", seen)
	}
}

func TestSignedSize(t *testing.T) {
	for n, want := range map[int64]string{0: "±0", 300: "+300 B", -300: "−300 B", 3 << 19: "+1.5 MB"} {
		if got := ui.SignedSize(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestSentence(t *testing.T) {
	for in, want := range map[string]string{
		"the player cannot be read": "The player cannot be read.", "It is well.": "It is well.", "": "",
		"build.json is damaged": "build.json is damaged.", "audio/horn.wav was left out": "audio/horn.wav was left out.", "älter": "Älter.",
	} {
		if got := ui.Sentence(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
