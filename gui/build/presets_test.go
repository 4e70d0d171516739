package build

import (
	"strings"
	"testing"

	"talebinder/export"
	"talebinder/export/presets"
	"talebinder/gui/ui"
	"talebinder/platforms"
)

func TestPresetsAreSavedRenamedRunAndRemoved(t *testing.T) {
	h, s := openScreen(t, buildText)
	must(t, s.model.choose("win-x64", true))
	must(t, s.model.choose("osx-x64", true))
	must(t, s.model.alsoExport(platforms.Development, true))
	s.sync()
	s.showPresets()
	if got := s.picker.Shown(); len(got) != 0 {
		t.Errorf("presets at the beginning: %q", got)
	}
	s.picker.Close()
	h.Text = "Friday"
	s.savePreset()
	if len(h.Asks) != 1 || h.Asks[0].Text != "3 targets, Development and Release" || !strings.Contains(h.Asks[0].Body, "3 targets · Development and Release") {
		t.Fatalf("asked %+v", h.Asks)
	}
	if err := h.Asks[0].Check("FRIDAY"); err == nil {
		t.Error("a name can be given twice")
	}
	if err := h.Asks[0].Check("two\nlines"); err == nil {
		t.Error("a name can have two lines")
	}
	// What is chosen later does not matter to the preset.
	must(t, s.model.choose("win-x64", false))
	must(t, s.model.alsoExport(platforms.Development, false))
	h.Text = "Friday build"
	s.renamePreset("Friday")
	s.showPresets()
	if got := s.picker.Shown(); len(got) != 1 || got[0] != "Friday build" {
		t.Fatalf("presets %q", got)
	}
	s.picker.Close()

	// Without any player nothing of it can be exported.
	s.runPreset("Friday build")
	h.Drain()
	if len(h.Errors) != 1 || !strings.Contains(h.Errors[0].Error(), "Windows x64, Development: No player") && !strings.Contains(h.Errors[0].Error(), "Windows x64, Development: no player") {
		t.Fatalf("errors %v", h.Errors)
	}
	h.Errors = nil

	// With a player for Linux one build is left, which is asked about.
	s.model.settings.SetPlayersFolder(s.model.project().Dir + "/players")
	s.runPreset("Friday build")
	h.Drain()
	if len(h.Questions) != 1 || h.Questions[0].Title != "5 of 6 builds cannot be exported" || h.Questions[0].Verb != "Export the other 1" {
		t.Fatalf("asked %+v", h.Questions)
	}
	h.Questions[0].OK()
	rows := h.Workspace().Queue.Rows()
	if len(rows) != 1 || rows[0].Job().Target() != "linux-x64" || rows[0].Job().(*export.Build).Profile() != platforms.Release {
		t.Fatalf("rows %v", rows)
	}
	if !strings.HasSuffix(rows[0].Job().Output(), "release/Hex Quest-linux-x64") || s.model.document().Dirty() {
		t.Errorf("output %s, build.json changed: %v", rows[0].Job().Output(), s.model.document().Dirty())
	}
	if last := h.Screens[len(h.Screens)-1]; last.Screen != ui.ScreenExports {
		t.Errorf("shown %v", h.Screens)
	}

	h.Yes = true
	s.removePreset("Friday build")
	if list, err := s.model.presets.List(s.model.project().Dir); err != nil || len(list) != 0 {
		t.Errorf("presets at the end: %v, %v", list, err)
	}
	s.runPreset("Friday build")
	if len(h.Errors) != 1 || !strings.Contains(h.Errors[0].Error(), "there is no preset") {
		t.Errorf("errors %v", h.Errors)
	}
	h.Errors = nil
}

func TestPresetsInWords(t *testing.T) {
	for want, p := range map[string]presets.Preset{
		"target of build.json":                     {Name: "a"},
		"Linux x64 · Release":                      {Name: "a", Targets: []string{"linux-x64"}, Profiles: []string{"release"}},
		"all targets · game folder only":           {Name: "a", Targets: []string{"win-x64", "linux-x64", "osx-x64", "osx-arm64"}, ContentOnly: true},
		"2 targets · Development and Distribution": {Name: "a", Targets: []string{"win-x64", "linux-x64"}, Profiles: []string{"development", "distribution"}},
		"names what does not exist":                {Name: "a", Targets: []string{"amiga"}},
	} {
		if got := presetText(p); got != want {
			t.Errorf("%+v in words: %q, want %q", p, got, want)
		}
	}
}
