package settings_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talebinder/gui/settings"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func open(t *testing.T, folder string) *settings.Settings {
	t.Helper()
	s, err := settings.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func titles(list []settings.Recent) []string {
	var out []string
	for _, r := range list {
		out = append(out, r.Title)
	}
	return out
}

func TestEverythingComesBackAfterARestart(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "talebinder")
	s := open(t, folder)
	check(t, s.SetTheme("light"))
	check(t, s.SetScale(1.25))
	check(t, s.SetPlayersFolder("/opt/players"))
	check(t, s.SetEngineVersion("0.9.2"))
	check(t, s.SetEngineSources("/src/engine"))
	check(t, s.SetWindowSize(1000, 700))
	check(t, s.Remember("/games/a", "A", noon))
	check(t, s.ChangeProject("/games/a", func(m *settings.Memory) {
		m.Screen, m.Targets, m.Profile = "exports", []string{"linux-x64"}, "release"
		m.Values["content.tab"] = "left"
	}))

	again := open(t, folder)
	if w, h := again.WindowSize(); again.Theme() != "light" || again.Scale() != 1.25 || again.PlayersFolder() != "/opt/players" ||
		again.EngineVersion() != "0.9.2" || again.EngineSources() != "/src/engine" || w != 1000 || h != 700 {
		t.Errorf("read back: %q %v %q %q %v %v", again.Theme(), again.Scale(), again.PlayersFolder(), again.EngineVersion(), w, h)
	}
	want := settings.Memory{Screen: "exports", Targets: []string{"linux-x64"}, Profile: "release", Values: map[string]string{"content.tab": "left"}}
	if diff := cmp.Diff(want, again.Project("/games/a")); diff != "" {
		t.Error("memory of the project:", diff)
	}
	if diff := cmp.Diff([]settings.Recent{{Path: "/games/a", Title: "A", Opened: noon}}, again.Recents()); diff != "" {
		t.Error("recents:", diff)
	}
}

func TestDefaults(t *testing.T) {
	s := open(t, t.TempDir())
	if s.Theme() != "system" || s.Scale() != 0 || len(s.Recents()) != 0 || s.PlayersFolder() != "" {
		t.Errorf("theme %q, scale %v, %d recents, players %q", s.Theme(), s.Scale(), len(s.Recents()), s.PlayersFolder())
	}
	if m := s.Project("/nowhere"); m.Screen != "" || m.Values == nil {
		t.Errorf("an unknown project has the memory %+v", m)
	}
	if _, err := os.Stat(s.Path()); err == nil {
		t.Error("reading the settings wrote a file")
	}
}

func TestAScaleThatWouldMakeTheWindowUselessIsBounded(t *testing.T) {
	s := open(t, t.TempDir())
	for set, want := range map[float32]float32{0.01: settings.MinScale, 40: settings.MaxScale, 1.5: 1.5} {
		check(t, s.SetScale(set))
		if got := s.Scale(); got != want {
			t.Errorf("scale %v counts as %v, want %v", set, got, want)
		}
	}
}

func TestRecentsAreNewestFirstAndEachOnce(t *testing.T) {
	s := open(t, t.TempDir())
	check(t, s.Remember("/a", "A", noon))
	check(t, s.Remember("/b", "B", noon.Add(time.Hour)))
	check(t, s.Remember("/c", "C", noon.Add(2*time.Hour)))
	check(t, s.Remember("/a/../a/", "A again", noon.Add(3*time.Hour)))
	if diff := cmp.Diff([]string{"A again", "C", "B"}, titles(s.Recents())); diff != "" {
		t.Error(diff)
	}
	check(t, s.Pin("/b", true))
	check(t, s.Remember("/c", "C", noon.Add(9*time.Hour)))
	if diff := cmp.Diff([]string{"B", "C", "A again"}, titles(s.Recents())); diff != "" {
		t.Error("with a pin:", diff)
	}
	check(t, s.Forget("/c"))
	if diff := cmp.Diff([]string{"B", "A again"}, titles(s.Recents())); diff != "" {
		t.Error("without C:", diff)
	}
	check(t, s.ClearRecents())
	if len(s.Recents()) != 0 {
		t.Error("cleared, and still there")
	}
}

func TestTheOldestRecentGoesAndAPinnedOneStays(t *testing.T) {
	s := open(t, t.TempDir())
	check(t, s.Remember("/first", "first", noon))
	check(t, s.Pin("/first", true))
	for i := range settings.MaxRecents + 5 {
		check(t, s.Remember(fmt.Sprintf("/p%02d", i), fmt.Sprint(i), noon.Add(time.Duration(i+1)*time.Minute)))
	}
	list := s.Recents()
	if len(list) != settings.MaxRecents || list[0].Title != "first" || list[len(list)-1].Title != "6" {
		t.Errorf("%d are left: %v", len(list), titles(list))
	}
}

func TestSearchLooksAtTitleAndFolder(t *testing.T) {
	list := []settings.Recent{{Path: "/games/Lantern", Title: "Lantern Grove"}, {Path: "/work/harbour", Title: "Driftmail"}}
	for query, want := range map[string]int{"": 2, "LANTERN": 1, "grove games": 1, "work drift": 1, "grove work": 0, "  ": 2} {
		if got := len(settings.Search(list, query)); got != want {
			t.Errorf("%q finds %d, want %d", query, got, want)
		}
	}
}

func TestADamagedFileIsKeptAside(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, settings.FileName)
	check(t, os.WriteFile(path, []byte(`{"theme": "light", `), 0o600))
	s, err := settings.Open(folder)
	if err == nil || !strings.Contains(err.Error(), path) || s == nil {
		t.Fatalf("settings %v, error %v", s, err)
	}
	if s.Theme() != "system" {
		t.Errorf("theme %q", s.Theme())
	}
	check(t, s.SetTheme("dark"))
	if text, err := os.ReadFile(path + ".invalid"); err != nil || !strings.Contains(string(text), `"light"`) {
		t.Errorf("kept aside: %q, %v", text, err)
	}
	if again := open(t, folder); again.Theme() != "dark" {
		t.Errorf("after the change the theme is %q", again.Theme())
	}
}

func TestTwoWindowsDoNotUndoEachOther(t *testing.T) {
	folder := t.TempDir()
	one, two := open(t, folder), open(t, folder)
	check(t, one.Remember("/one", "one", noon))
	check(t, two.Remember("/two", "two", noon.Add(time.Minute)))
	check(t, one.SetTheme("light"))
	last := open(t, folder)
	if diff := cmp.Diff([]string{"two", "one"}, titles(last.Recents())); diff != "" || last.Theme() != "light" {
		t.Errorf("theme %q, recents %s", last.Theme(), diff)
	}
}

func TestAChangeTellsTheWatchers(t *testing.T) {
	s := open(t, t.TempDir())
	seen := ""
	s.OnChange(func() { seen += s.Theme() + ";" })
	check(t, s.SetTheme("dark"))
	check(t, s.SetTheme("light"))
	if seen != "dark;light;" {
		t.Errorf("told %q", seen)
	}
}

func TestAFolderThatCannotBeWrittenIsAnErrorAndLosesNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	check(t, os.WriteFile(file, nil, 0o600))
	s, _ := settings.Open(filepath.Join(file, "below"))
	if err := s.SetTheme("light"); err == nil {
		t.Error("no error")
	}
	if s.Theme() != "light" {
		t.Errorf("theme %q", s.Theme())
	}
}
