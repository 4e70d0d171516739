package presets

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/platforms"
)

func TestPresetsAreKeptForEachProject(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config", "presets.json")
	s := Open(path)
	friday := Preset{Name: "Friday", Targets: []string{"win-x64", "linux-x64"}, Profiles: []string{"distribution"}}
	quick := Preset{Name: "quick look", ContentOnly: true}
	for _, p := range []Preset{friday, quick} {
		if err := s.Save("/games/hex", p); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Save("/games/other", quick); err != nil {
		t.Fatal(err)
	}
	friday.Name, friday.Profiles = "FRIDAY", nil
	if err := s.Save("/games/hex", friday); err != nil {
		t.Fatal(err)
	}
	list, err := Open(path).List("/games/hex")
	if diff := cmp.Diff([]Preset{friday, quick}, list); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if p, err := s.Find("/games/hex", "Quick Look"); err != nil || !p.ContentOnly {
		t.Errorf("%+v, %v", p, err)
	}
	var missing *NotFoundError
	if _, err := s.Find("/games/hex", "monday"); !errors.As(err, &missing) || !strings.Contains(err.Error(), `"FRIDAY", "quick look"`) {
		t.Error(err)
	}
	if err := s.Remove("/games/hex", "friday"); err != nil {
		t.Error(err)
	}
	if err := s.Remove("/games/hex", "friday"); !errors.As(err, &missing) {
		t.Error(err)
	}
	if err := s.Remove("/games/hex", "quick look"); err != nil {
		t.Error(err)
	}
	if _, err := s.Find("/games/hex", "friday"); !errors.As(err, &missing) || !strings.Contains(err.Error(), "this project has none") {
		t.Error(err)
	}
	if text, err := os.ReadFile(path); err != nil || strings.Contains(string(text), "hex") || !strings.Contains(string(text), "other") {
		t.Errorf("%s, %v", text, err)
	}
}

func TestWhatIsNoPreset(t *testing.T) {
	s := Open(filepath.Join(t.TempDir(), "presets.json"))
	for _, p := range []Preset{
		{}, {Name: " x"}, {Name: "a\nb"}, {Name: strings.Repeat("x", 81)}, {Name: "a\xff"},
		{Name: "x", Targets: []string{"amiga"}}, {Name: "x", Profiles: []string{"fast"}},
	} {
		if err := s.Save("/g", p); err == nil {
			t.Errorf("%+v is saved", p)
		}
	}
	if list, err := s.List("/g"); err != nil || len(list) > 0 {
		t.Error(list, err)
	}
}

func TestChoice(t *testing.T) {
	p := Preset{Name: "x", Targets: []string{"WIN-x64", "linux-x64", "win-x64"}, Profiles: []string{"Release", "0", "release"}}
	targets, profiles, err := p.Choice()
	if err != nil {
		t.Fatal(err)
	}
	if len(targets) != 2 || targets[0].ID != "win-x64" || len(profiles) != 2 || profiles[0] != platforms.Release || profiles[1] != platforms.Development {
		t.Error(targets, profiles)
	}
	if _, _, err := (Preset{Name: "x", Targets: []string{"amiga"}}).Choice(); err == nil {
		t.Error("a target that does not exist is chosen")
	}
}
