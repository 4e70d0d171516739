package project

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/formats"
	"talebinder/formats/jsondoc"
	"talebinder/platforms"
	"talebinder/project/document"
)

const defaultBuild = `{
  "profile": "release",
  "outputFolder": "builds",
  "scenes": [],
  "alwaysInclude": [],
  "version": "1.0.0",
  "compress": true
}
`

func TestBuildGolden(t *testing.T) {
	var list struct {
		Cases []struct{ Name, Text, Outcome, Written string }
	}
	golden(t, "build_json.json", &list)
	for _, c := range list.Cases {
		t.Run(c.Name, func(t *testing.T) {
			settings, err := ParseBuildSettings([]byte(c.Text))
			if (err != nil) != (c.Outcome == "error") {
				t.Fatalf("the error is %v, the outcome should be %s", err, c.Outcome)
			}
			if err != nil {
				return
			}
			if diff := cmp.Diff(c.Written, string(settings.Text())); diff != "" {
				t.Errorf("written (-want +got):\n%s", diff)
			}
		})
	}
	t.Logf("%d cases", len(list.Cases))
}

func text(s string) *string { return &s }

func TestBuildSettingsText(t *testing.T) {
	if got := string(DefaultBuildSettings().Text()); got != defaultBuild {
		t.Errorf("the default text is\n%s", got)
	}
	settings := BuildSettings{
		Target: text("osx-arm64"), Profile: platforms.Distribution, OutputFolder: "out/é",
		Scenes:        []SceneEntry{{"scenes/a.tscene", true}, {"scenes/b.tscene", false}},
		AlwaysInclude: []string{"ui/menu", "label:<music>"}, Version: "2.0", ExecutableName: text("Hex"), Icon: text("icon.png"),
		BundleIdentifier: text("org.example.hex"),
	}
	want := `{
  "target": "osx-arm64",
  "profile": "distribution",
  "outputFolder": "out/\u00E9",
  "scenes": [
    {
      "path": "scenes/a.tscene",
      "enabled": true
    },
    {
      "path": "scenes/b.tscene",
      "enabled": false
    }
  ],
  "alwaysInclude": [
    "ui/menu",
    "label:\u003Cmusic\u003E"
  ],
  "version": "2.0",
  "executableName": "Hex",
  "icon": "icon.png",
  "bundleIdentifier": "org.example.hex",
  "compress": false
}
`
	if diff := cmp.Diff(want, string(settings.Text())); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	again, err := ParseBuildSettings(settings.Text())
	if diff := cmp.Diff(settings, again); diff != "" || err != nil {
		t.Errorf("read again (-want +got): %v\n%s", err, diff)
	}
}

func TestBuildFaults(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", "build.json(1,1): "},
		{"cut off", "{\r\n  \"version\": \"1", "build.json(2,"},
		{"a list", "[]", "build.json(1,1): the document: expected an object, found a list"},
		{"target as a number", `{"target": 1}`, "build.json(1,12): target: expected a text, found a number"},
		{"null profile", `{"profile": null}`, "build.json(1,13): profile: expected development, release or distribution, found null"},
		{"unknown profile", "{\n  \"profile\": \"debug\"\n}", `build.json(2,14): profile: expected development, release or distribution, found "debug"`},
		{"profile with a fraction", `{"profile": 1.0}`, "build.json(1,13): profile: expected a whole number"},
		{"folder as a boolean", `{"outputFolder": true}`, "build.json(1,18): outputFolder: expected a text, found"},
		{"scenes as an object", `{"scenes": {}}`, "build.json(1,12): scenes: expected a list, found an object"},
		{"a null scene", `{"scenes": [{}, null]}`, "build.json(1,17): scenes[1]: expected an object, found null"},
		{"scene path as a number", `{"scenes": [{"path": 1}]}`, "build.json(1,22): scenes[0].path: expected a text, found a number"},
		{"null enabled", `{"scenes": [{"path": "a", "enabled": null}]}`, "build.json(1,38): scenes[0].enabled: expected true or false, found null"},
		{"include as a number", `{"alwaysInclude": ["a", 2]}`, "build.json(1,25): alwaysInclude[1]: expected a text, found a number"},
		{"version as a number", `{"version": 1.0}`, "build.json(1,13): version: expected a text, found a number"},
		{"icon as a list", `{"icon": []}`, "build.json(1,10): icon: expected a text, found a list"},
		{"null compress", `{"compress": null}`, "build.json(1,14): compress: expected true or false, found null"},
		{"two faults", `{"compress": 1, "version": 2}`, "build.json(1,14): compress: expected true or false, found a number\nbuild.json(1,28): version: "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "build.json")
			if err := os.WriteFile(path, []byte(test.text), 0o666); err != nil {
				t.Fatal(err)
			}
			d := OpenBuild(path)
			err := d.Err()
			if err == nil || !strings.HasPrefix(err.Error(), test.want) || !errors.Is(err, formats.ErrDamaged) {
				t.Fatalf("the error is  %v\nwant %s", err, test.want)
			}
			if diff := cmp.Diff(DefaultBuildSettings(), d.Settings()); diff != "" {
				t.Errorf("settings (-default +got):\n%s", diff)
			}
			if got := d.Change("Edit", "", func(s *BuildSettings) { s.Version = "9" }); got == nil || got.Error() != err.Error() {
				t.Errorf("Change gives %v", got)
			}
			if d.Dirty() || string(d.Text()) != test.text {
				t.Errorf("a refused change left %q", d.Text())
			}

			d.ReplaceWithDefaults()
			if d.Err() != nil || d.UndoTitle() != "Replace with defaults" {
				t.Errorf("after replacing: %v", d.Err())
			}
			if err := d.Change("Edit", "", func(s *BuildSettings) { s.Version = "9" }); err != nil {
				t.Error(err)
			}
			d.Undo()
			d.Undo()
			if d.Dirty() || d.Err() == nil {
				t.Error("undo did not bring the faulty text back")
			}
			if d.Settings().Version != "1.0.0" {
				t.Errorf("the settings are not the last valid ones: %+v", d.Settings())
			}
		})
	}
}

func TestReadingLeniently(t *testing.T) {
	settings, err := ParseBuildSettings([]byte(`{"profile": 7, "outputFolder": null, "scenes": null, "alwaysInclude": null, "version": null, "Version": 5, "target": "LINUX-X64"}`))
	want := DefaultBuildSettings()
	want.Target = text("LINUX-X64")
	if diff := cmp.Diff(want, settings); diff != "" || err != nil {
		t.Errorf("(-want +got): %v\n%s", err, diff)
	}
	settings, err = ParseBuildSettings([]byte(`{"alwaysInclude": [null, "a"], "scenes": [{}, {"path": null, "enabled": false, "x": 1}], "version": "1", "version": "2"}`))
	want = DefaultBuildSettings()
	want.AlwaysInclude, want.Scenes, want.Version = []string{"", "a"}, []SceneEntry{{"", true}, {"", false}}, "2"
	if diff := cmp.Diff(want, settings); diff != "" || err != nil {
		t.Errorf("(-want +got): %v\n%s", err, diff)
	}
}

// handmade is a file as a person writes it: comments, fields of other programs, an order and a layout of its own.
const handmade = `// The settings of the game.
{
	"version" : "1.0.0",  // bump for each release
	"studio": { "name": "Owl", "tags": [1.0, 2] },

	/* What ships. */
	"scenes": [
		{ "path": "scenes/one.tscene", "enabled": true, "note": "intro" }, // first
		{ "path": "scenes/two.tscene" }, // second

		// the long one
		{ "path": "scenes/three.tscene", "enabled": false },
	],
	"alwaysInclude": [ "ui", /* all */ "label:music" ],
	"profile": "Release",
	"compress": true, // for now
}
`

func TestLosslessChanges(t *testing.T) {
	swap := func(from, to string) func(string) string {
		return func(s string) string {
			if strings.Count(s, from) != 1 {
				panic("the test's text is ambiguous: " + from)
			}
			return strings.Replace(s, from, to, 1)
		}
	}
	swaps := func(pairs ...string) func(string) string {
		return func(s string) string {
			for i := 0; i < len(pairs); i += 2 {
				s = swap(pairs[i], pairs[i+1])(s)
			}
			return s
		}
	}
	tests := []struct {
		name   string
		change func(s *BuildSettings)
		want   func(string) string
	}{
		{"nothing", func(*BuildSettings) {}, func(s string) string { return s }},
		{"the same values again", func(s *BuildSettings) {
			s.Scenes, s.Version, s.Profile, s.Target = slices.Clone(s.Scenes), "1.0.0", platforms.Release, nil
		}, func(s string) string { return s }},
		{"version", func(s *BuildSettings) { s.Version = "1.0.1" }, swap(`"1.0.0"`, `"1.0.1"`)},
		{"version with characters to escape", func(s *BuildSettings) { s.Version = "1+é" }, swap(`"1.0.0"`, `"1\u002B\u00E9"`)},
		{"profile", func(s *BuildSettings) { s.Profile = platforms.Development }, swap(`"Release"`, `"development"`)},
		{"compress", func(s *BuildSettings) { s.Compress = false }, swap("\"compress\": true,", "\"compress\": false,")},
		{"a new target goes first", func(s *BuildSettings) { s.Target = text("linux-x64") },
			swap("\t\"profile\": \"Release\",\n", "\t\"target\" : \"linux-x64\",\n\t\"profile\": \"Release\",\n")},
		{"a new icon goes behind the version", func(s *BuildSettings) { s.Icon = text("icon.png") },
			swap("// bump for each release\n", "// bump for each release\n\t\"icon\" : \"icon.png\",\n")},
		{"output folder", func(s *BuildSettings) { s.OutputFolder = "../out" },
			swap("\"profile\": \"Release\",\n", "\"profile\": \"Release\",\n\t\"outputFolder\" : \"../out\",\n")},
		{"enabled turned off", func(s *BuildSettings) { s.Scenes[0].Enabled = false }, swap(`"enabled": true`, `"enabled": false`)},
		{"enabled turned on", func(s *BuildSettings) { s.Scenes[2].Enabled = true }, swap(`"enabled": false`, `"enabled": true`)},
		{"enabled that was left out", func(s *BuildSettings) { s.Scenes[1].Enabled = false },
			swap(`"scenes/two.tscene" }`, `"scenes/two.tscene", "enabled": false }`)},
		{"a scene renamed", func(s *BuildSettings) { s.Scenes[0].Path = "scenes/uno.tscene" }, swap("one.tscene", "uno.tscene")},
		{"a scene removed", func(s *BuildSettings) { s.Scenes = slices.Delete(s.Scenes, 1, 2) },
			swap("\t\t{ \"path\": \"scenes/two.tscene\" }, // second\n", "")},
		{"a scene added at the end", func(s *BuildSettings) { s.Scenes = append(s.Scenes, SceneEntry{"scenes/four.tscene", true}) },
			swap("\"enabled\": false },\n", "\"enabled\": false },\n\t\t{ \"path\": \"scenes/four.tscene\", \"enabled\": true },\n")},
		{"a scene added in between", func(s *BuildSettings) {
			s.Scenes = slices.Insert(s.Scenes, 1, SceneEntry{"scenes/zero.tscene", false})
		}, swap("// first\n", "// first\n\t\t{ \"path\": \"scenes/zero.tscene\", \"enabled\": false },\n")},
		{"a scene moved down", func(s *BuildSettings) { s.Scenes[0], s.Scenes[1] = s.Scenes[1], s.Scenes[0] },
			swaps("\t\t{ \"path\": \"scenes/one.tscene\", \"enabled\": true, \"note\": \"intro\" }, // first\n", "",
				"// second\n", "// second\n\t\t{ \"path\": \"scenes/one.tscene\", \"enabled\": true, \"note\": \"intro\" }, // first\n")},
		{"moved and switched off", func(s *BuildSettings) {
			s.Scenes = []SceneEntry{s.Scenes[1], {"scenes/one.tscene", false}, s.Scenes[2]}
		}, swaps("\t\t{ \"path\": \"scenes/one.tscene\", \"enabled\": true, \"note\": \"intro\" }, // first\n", "",
			"// second\n", "// second\n\t\t{ \"path\": \"scenes/one.tscene\", \"enabled\": false, \"note\": \"intro\" }, // first\n")},
		{"an include added", func(s *BuildSettings) { s.AlwaysInclude = append(s.AlwaysInclude, "fonts/a.ttf") },
			swap(`"label:music" ]`, `"label:music", "fonts/a.ttf" ]`)},
		{"an include removed", func(s *BuildSettings) { s.AlwaysInclude = s.AlwaysInclude[:1] },
			swap(`[ "ui", /* all */ "label:music" ]`, `[ "ui" /* all */ ]`)},
		{"an include changed", func(s *BuildSettings) { s.AlwaysInclude[1] = "label:Music" }, swap("label:music", "label:Music")},
		{"several at once", func(s *BuildSettings) { s.Version, s.Compress, s.Scenes[0].Enabled = "2", false, false },
			swaps(`"1.0.0"`, `"2"`, "\"compress\": true", "\"compress\": false", "\"enabled\": true", "\"enabled\": false")},
	}
	for _, ending := range []string{"\n", "\r\n"} {
		for _, test := range tests {
			t.Run(fmt.Sprintf("%s %q", test.name, ending), func(t *testing.T) {
				withEnding := func(s string) string { return strings.ReplaceAll(s, "\n", ending) }
				path := filepath.Join(t.TempDir(), "build.json")
				before := withEnding(handmade)
				if err := os.WriteFile(path, []byte(before), 0o666); err != nil {
					t.Fatal(err)
				}
				d := OpenBuild(path)
				settings := d.Settings()
				test.change(&settings)
				if err := d.Change(test.name, "", test.change); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(withEnding(test.want(handmade)), string(d.Text())); diff != "" {
					t.Errorf("text (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(settings, d.Settings()); diff != "" {
					t.Errorf("settings (-want +got):\n%s", diff)
				}
				for d.Undo() {
				}
				if d.Dirty() || string(d.Text()) != before {
					t.Errorf("undo left\n%s", d.Text())
				}
			})
		}
	}
}

func TestChangesInOtherLayouts(t *testing.T) {
	addScene := func(s *BuildSettings) { s.Scenes = append(s.Scenes, SceneEntry{"b.tscene", true}) }
	tests := []struct {
		name, before string
		change       func(s *BuildSettings)
		after        string
	}{
		{"the engine's own", defaultBuild, addScene, strings.Replace(defaultBuild, "[]",
			"[\n    {\n      \"path\": \"b.tscene\",\n      \"enabled\": true\n    }\n  ]", 1)},
		{"the engine's own, second scene", string(BuildSettings{Scenes: []SceneEntry{{"a.tscene", false}}}.Text()), addScene,
			string(BuildSettings{Scenes: []SceneEntry{{"a.tscene", false}, {"b.tscene", true}}}.Text())},
		{"an empty object", "{}", func(s *BuildSettings) { s.Version = "2" }, "{\n  \"version\": \"2\"\n}"},
		{"null", "null\n", func(s *BuildSettings) { s.Version = "2" }, strings.Replace(defaultBuild, "1.0.0", "2", 1)},
		{"null unchanged", " null // nothing yet", func(*BuildSettings) {}, " null // nothing yet"},
		{"one line", `{"version":"1","scenes":[{"path":"a.tscene"}]}`, addScene,
			`{"version":"1","scenes":[{"path":"a.tscene"},{"path":"b.tscene","enabled":true}]}`},
		{"one line, new list", `{ "version": "1" }`, addScene,
			`{ "scenes": [{ "path": "b.tscene", "enabled": true }], "version": "1" }`},
		{"a null list", "{\n  \"scenes\": null\n}", addScene,
			"{\n  \"scenes\": [\n    {\n      \"path\": \"b.tscene\",\n      \"enabled\": true\n    }\n  ]\n}"},
		{"a null text", `{"icon": null, "version": null}`, func(s *BuildSettings) { s.Icon, s.Version = text("i.png"), "2" },
			`{"icon": "i.png", "version": "2"}`},
		{"a null text that stays nothing", `{"icon": null}`, func(s *BuildSettings) { s.Compress = false },
			`{"icon": null, "compress": false}`},
		{"a field taken out", "{\n  \"version\": \"1\",\n  \"icon\": \"i.png\", // ours\n  \"compress\": true\n}", func(s *BuildSettings) { s.Icon = nil },
			"{\n  \"version\": \"1\",\n  \"compress\": true\n}"},
		{"the last field taken out", "{\n  \"version\": \"1\",\n  \"icon\": \"i.png\"\n}", func(s *BuildSettings) { s.Icon = nil },
			"{\n  \"version\": \"1\"\n}"},
		{"a repeated field", `{"version": "1", "version": "2"}`, func(s *BuildSettings) { s.Version = "3" }, `{"version": "1", "version": "3"}`},
		{"a repeated field taken out", `{"icon": "1", "icon": "2"}`, func(s *BuildSettings) { s.Icon = nil }, `{}`},
		{"profile as a number", `{"profile": 2}`, func(s *BuildSettings) { s.Profile = platforms.Release }, `{"profile": "release"}`},
		{"byte order mark", "\ufeff{\"version\": \"1\"}", func(s *BuildSettings) { s.Version = "2" }, "\ufeff{\"version\": \"2\"}"},
		{"a comment at the end without line end", "{\"version\": \"1\"}// end", func(s *BuildSettings) { s.Version = "2" }, "{\"version\": \"2\"}// end"},
		{"scene without a path", `{"scenes": [{"enabled": false}]}`, func(s *BuildSettings) { s.Scenes[0].Path = "a.tscene" },
			`{"scenes": [{"path": "a.tscene", "enabled": false}]}`},
		{"all scenes removed", "{\n  \"scenes\": [\n    {\"path\": \"a\"},\n    {\"path\": \"b\"}\n  ]\n}", func(s *BuildSettings) { s.Scenes = nil },
			"{\n  \"scenes\": []\n}"},
		{"four spaces", "{\n    \"scenes\": [\n        {\n            \"path\": \"a\"\n        }\n    ]\n}", addScene,
			"{\n    \"scenes\": [\n        {\n            \"path\": \"a\"\n        },\n        {\n            \"path\": \"b.tscene\",\n            \"enabled\": true\n        }\n    ]\n}"},
		{"two equal includes, one removed", `{"alwaysInclude": ["a", "b", "a"]}`, func(s *BuildSettings) { s.AlwaysInclude = []string{"a", "b"} },
			`{"alwaysInclude": ["a", "b"]}`},
		{"a null include stays", `{"alwaysInclude": [null, "b"]}`, func(s *BuildSettings) { s.AlwaysInclude = []string{"", "c"} },
			`{"alwaysInclude": [null, "c"]}`},
		{"turned round", `{"alwaysInclude": ["a", "b", "c"]}`, func(s *BuildSettings) { slices.Reverse(s.AlwaysInclude) },
			`{"alwaysInclude": ["c", "b", "a"]}`},
		{"like the nearest compact scene", "{\"scenes\": [\n  {  \"path\" :\"a\",\"enabled\" :true  }\n]}", addScene,
			"{\"scenes\": [\n  {  \"path\" :\"a\",\"enabled\" :true  },\n  {  \"path\" :\"b.tscene\",\"enabled\" :true  }\n]}"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "build.json")
			if err := os.WriteFile(path, []byte(test.before), 0o666); err != nil {
				t.Fatal(err)
			}
			d := OpenBuild(path)
			if err := d.Err(); err != nil {
				t.Fatal(err)
			}
			if err := d.Change("Edit", "", test.change); err != nil {
				t.Fatal(err)
			}
			if string(d.Text()) != test.after {
				t.Errorf("the text is\n%s\nwant\n%s", d.Text(), test.after)
			}
		})
	}
}

func TestNewBuildFileHasTheEnginesText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "build.json")
	d := OpenBuild(path)
	if d.Exists() || d.Err() != nil || string(d.Text()) != defaultBuild {
		t.Fatalf("a missing file: %v, %v,\n%s", d.Exists(), d.Err(), d.Text())
	}
	if err := d.Change("Change version", "version", func(s *BuildSettings) { s.Version = "1.1" }); err != nil {
		t.Fatal(err)
	}
	if err := d.Save(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != strings.Replace(defaultBuild, "1.0.0", "1.1", 1) {
		t.Errorf("the file holds\n%s%v", got, err)
	}
}

func TestTypingIsOneStep(t *testing.T) {
	d := OpenBuild(filepath.Join(t.TempDir(), "build.json"))
	for _, version := range []string{"", "2", "2.", "2.1"} {
		if err := d.Change("Change version", "version", func(s *BuildSettings) { s.Version = version }); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Change("Change profile", "profile", func(s *BuildSettings) { s.Profile = platforms.Development }); err != nil {
		t.Fatal(err)
	}
	if d.Settings().Version != "2.1" || d.UndoTitle() != "Change profile" {
		t.Fatalf("%+v, %s", d.Settings(), d.UndoTitle())
	}
	d.Undo()
	d.Undo()
	if d.Dirty() || d.Settings().Version != "1.0.0" || d.RedoTitle() != "Change version" {
		t.Errorf("%+v, %s", d.Settings(), d.RedoTitle())
	}
}

func TestBuildChangedOnDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "build.json")
	if err := os.WriteFile(path, []byte(`{"version": "1"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	d := OpenBuild(path)
	if err := d.Change("Change version", "", func(s *BuildSettings) { s.Version = "2" }); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(`{"version": "theirs", }`), 0o666); err != nil {
		t.Fatal(err)
	}
	var conflict *document.ConflictError
	if err := d.Save(); !errors.As(err, &conflict) {
		t.Fatalf("Save gives %v", err)
	}
	if err := d.Reload(); err != nil || d.Settings().Version != "theirs" {
		t.Errorf("after Reload: %+v, %v", d.Settings(), err)
	}
	d.Undo()
	if err := d.Save(); err != nil || d.Settings().Version != "2" {
		t.Errorf("mine over theirs: %+v, %v", d.Settings(), err)
	}
}

func TestUnreadableBuildFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "build.json")
	if err := os.Mkdir(path, 0o777); err != nil {
		t.Fatal(err)
	}
	d := OpenBuild(path)
	if d.Err() == nil || !strings.HasPrefix(d.Err().Error(), "build.json: the file cannot be read: ") {
		t.Errorf("the error is %v", d.Err())
	}
	if err := d.Change("Edit", "", func(s *BuildSettings) { s.Version = "2" }); err == nil {
		t.Error("an unreadable file was changed")
	}
	if diff := cmp.Diff(DefaultBuildSettings(), d.Settings()); diff != "" {
		t.Errorf("settings (-default +got):\n%s", diff)
	}
	if err := d.Save(); err == nil {
		t.Error("an unreadable file was saved")
	}
	if line, column := d.Place("version"); line != 0 || column != 0 {
		t.Errorf("a place in nothing: %d,%d", line, column)
	}
}

func TestPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "build.json")
	if err := os.WriteFile(path, []byte(handmade), 0o666); err != nil {
		t.Fatal(err)
	}
	d := OpenBuild(path)
	for field, want := range map[string][2]int{
		"version": {3, 14}, "scenes": {7, 12}, "scenes/0": {8, 3}, "scenes/2": {12, 3}, "scenes/3": {7, 12}, "scenes/x": {7, 12},
		"alwaysInclude/1": {14, 37}, "icon": {0, 0}, "": {0, 0}, "version/0": {3, 14},
	} {
		if line, column := d.Place(field); [2]int{line, column} != want {
			t.Errorf("%s is at %d,%d, want %v", field, line, column, want)
		}
	}
}

func TestSettingsAreNotShared(t *testing.T) {
	d := OpenBuild(filepath.Join(t.TempDir(), "build.json"))
	if err := d.Change("Edit", "", func(s *BuildSettings) {
		s.Icon, s.Scenes, s.AlwaysInclude = text("a.png"), []SceneEntry{{"a", true}}, []string{"a"}
	}); err != nil {
		t.Fatal(err)
	}
	before := d.Settings()
	mine := d.Settings()
	*mine.Icon, mine.Scenes[0].Path, mine.AlwaysInclude[0] = "b", "b", "b"
	if diff := cmp.Diff(before, d.Settings()); diff != "" {
		t.Errorf("a caller changed the document (-before +after):\n%s", diff)
	}
}

func TestParseInclude(t *testing.T) {
	tests := []struct{ entry, label, path string }{
		{"label:music", "music", ""}, {"LABEL:  Big Ones ", "Big Ones", ""}, {"label:", "", ""}, {" label:music", "", " label:music"},
		{"ui/menu/", "", "ui/menu"}, {`\ui\.\menu`, "", "ui/menu"}, {" ui", "", " ui"}, {"", "", ""}, {" \t", "", ""}, {".", "", ""}, {"a:/..", "", ""},
	}
	for _, test := range tests {
		label, path, err := ParseInclude(test.entry)
		if label != test.label || path != test.path || err != nil {
			t.Errorf("%q gives %q, %q, %v", test.entry, label, path, err)
		}
	}
	if _, _, err := ParseInclude("ui/../../x"); err == nil {
		t.Error("a path that leaves the asset folder was accepted")
	}
}

func TestManyScenesKeepTheirBytes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		settings := DefaultBuildSettings()
		for i := range random.IntN(12) {
			settings.Scenes = append(settings.Scenes, SceneEntry{fmt.Sprintf("s%d", i%9), random.IntN(2) == 0})
		}
		path := filepath.Join(t.TempDir(), "build.json")
		if err := os.WriteFile(path, settings.Text(), 0o666); err != nil {
			t.Fatal(err)
		}
		d := OpenBuild(path)
		wanted := settings.clone()
		random.Shuffle(len(wanted.Scenes), func(i, j int) { wanted.Scenes[i], wanted.Scenes[j] = wanted.Scenes[j], wanted.Scenes[i] })
		wanted.Scenes = wanted.Scenes[:random.IntN(len(wanted.Scenes)+1)]
		for range random.IntN(4) {
			wanted.Scenes = slices.Insert(wanted.Scenes, random.IntN(len(wanted.Scenes)+1), SceneEntry{fmt.Sprintf("n%d", random.IntN(5)), true})
		}
		if err := d.Change("Edit", "", func(s *BuildSettings) { *s = wanted.clone() }); err != nil {
			t.Fatal(err)
		}
		// In the engine's own layout an edit has one right result: what the engine would write.
		if diff := cmp.Diff(string(wanted.Text()), string(d.Text())); diff != "" {
			t.Fatalf("from %v to %v (-want +got):\n%s", settings.Scenes, wanted.Scenes, diff)
		}
	}
}

// FuzzChange edits a text in ways that the second argument decides, and looks at what is left: the settings that were
// asked for, and a change back that undoes every value.
func FuzzChange(f *testing.F) {
	f.Add([]byte(handmade), []byte{1, 2, 3, 4, 5})
	f.Add([]byte(defaultBuild), []byte{4, 9, 14, 200})
	f.Add([]byte("{}"), []byte{0, 5, 10})
	f.Add([]byte(`{"scenes":[{"path":"a"},{"path":"a","enabled":false,"x":[]}],"alwaysInclude":[null,"b","b"]}`), []byte{3, 3, 3, 4, 8, 6})
	f.Add([]byte("// c\nnull /* d */"), []byte{2})
	f.Add([]byte("\ufeff{\"scenes\":/*a*/[//b\n{//c\n}//d\n,//e\n]//f\n,}//g"), []byte{3, 4, 5, 6, 7})
	f.Fuzz(func(t *testing.T, raw, moves []byte) {
		doc, before, err := parseBuild(raw)
		if err != nil {
			return
		}
		after := before.clone()
		for _, b := range moves {
			mutate(&after, int(b))
		}
		changed, err := editBuild(doc, before, after)
		if err != nil {
			t.Fatalf("%q to %+v: %v", raw, after, err)
		}
		_, got, err := parseBuild(changed.Text())
		if err != nil || !settingsEqual(got, after) {
			t.Fatalf("%q became %q, which is\n%+v, want\n%+v (%v)", raw, changed.Text(), got, after, err)
		}
		if settingsEqual(before, after) && string(changed.Text()) != string(raw) {
			t.Fatalf("nothing changed, but %q became %q", raw, changed.Text())
		}
		if doc.Root().Kind() == jsondoc.Object {
			for name, v := range doc.Root().Members() {
				if !slices.Contains(buildOrder, name) && string(changed.Root().Get(name).Raw()) != string(doc.Root().Get(name).Raw()) {
					t.Fatalf("the unknown field %q was %q and is %q", name, v.Raw(), changed.Root().Get(name).Raw())
				}
			}
		}
		back, err := editBuild(changed, got, before)
		if err != nil {
			t.Fatal(err)
		}
		if _, got, err := parseBuild(back.Text()); err != nil || !settingsEqual(got, before) {
			t.Fatalf("back to %+v, want %+v (%v)", got, before, err)
		}
	})
}

// mutate changes one thing of the settings.
func mutate(s *BuildSettings, b int) {
	n := b / 16
	at := func(length int) int { return n % max(length, 1) }
	switch b % 16 {
	case 0:
		s.Version += "é"
	case 1:
		s.Profile = platforms.Profile(n % 3)
	case 2:
		s.Icon = text(fmt.Sprint("icon", n))
	case 3:
		s.Icon, s.Target = nil, nil
	case 4:
		s.Scenes = slices.Insert(s.Scenes, at(len(s.Scenes)), SceneEntry{fmt.Sprint("new", n%3), n%2 == 0})
	case 5:
		if len(s.Scenes) > 0 {
			s.Scenes = slices.Delete(s.Scenes, at(len(s.Scenes)), at(len(s.Scenes))+1)
		}
	case 6:
		if len(s.Scenes) > 0 {
			s.Scenes[at(len(s.Scenes))].Enabled = n%2 == 0
		}
	case 7:
		if len(s.Scenes) > 0 {
			s.Scenes[at(len(s.Scenes))].Path += "x"
		}
	case 8:
		slices.Reverse(s.Scenes)
	case 9:
		s.AlwaysInclude = append(s.AlwaysInclude, fmt.Sprint("label:", n))
	case 10:
		if len(s.AlwaysInclude) > 0 {
			s.AlwaysInclude = slices.Delete(s.AlwaysInclude, at(len(s.AlwaysInclude)), at(len(s.AlwaysInclude))+1)
		}
	case 11:
		slices.Reverse(s.AlwaysInclude)
	case 12:
		s.Compress = !s.Compress
	case 13:
		s.OutputFolder = fmt.Sprint("out", n)
	case 14:
		s.Target, s.BundleIdentifier = text("linux-x64"), text("a.b")
	case 15:
		if len(s.Scenes) > 1 {
			i := at(len(s.Scenes))
			scene := s.Scenes[i]
			s.Scenes = slices.Insert(slices.Delete(s.Scenes, i, i+1), len(s.Scenes)/2, scene)
		}
	}
}

// manyScenes is a build.json with n scenes.
func manyScenes(n int) BuildSettings {
	settings := DefaultBuildSettings()
	for i := range n {
		settings.Scenes = append(settings.Scenes, SceneEntry{fmt.Sprintf("scenes/level-%04d.tscene", i), i%3 != 0})
	}
	return settings
}

func TestWholeListsAtOnce(t *testing.T) {
	all := manyScenes(300)
	tests := []struct {
		name   string
		from   BuildSettings
		change func(s *BuildSettings)
	}{
		{"all added", DefaultBuildSettings(), func(s *BuildSettings) { s.Scenes = slices.Clone(all.Scenes) }},
		{"all removed", all, func(s *BuildSettings) { s.Scenes = nil }},
		{"all switched over", all, func(s *BuildSettings) {
			for i := range s.Scenes {
				s.Scenes[i].Enabled = !s.Scenes[i].Enabled
			}
		}},
		{"turned round", all, func(s *BuildSettings) { slices.Reverse(s.Scenes) }},
		{"every second one new", all, func(s *BuildSettings) {
			for i := 0; i < len(s.Scenes); i += 2 {
				s.Scenes = slices.Insert(s.Scenes, i, SceneEntry{fmt.Sprint("new", i), true})
			}
		}},
		{"other ones", all, func(s *BuildSettings) {
			s.Scenes = s.Scenes[:0]
			for i := range 200 {
				s.Scenes = append(s.Scenes, SceneEntry{fmt.Sprint("other", i), false})
			}
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "build.json")
			if err := os.WriteFile(path, test.from.Text(), 0o666); err != nil {
				t.Fatal(err)
			}
			d := OpenBuild(path)
			want := test.from.clone()
			test.change(&want)
			if err := d.Change(test.name, "", test.change); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want.Text()), string(d.Text())); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSortingALongListKeepsWhatIsBetween(t *testing.T) {
	var before, after strings.Builder
	const n = 100
	for i := range n {
		fmt.Fprintf(&before, "  {\"path\": \"%03d\", \"n\": %d}, // row %d\n", i, i, i)
		fmt.Fprintf(&after, "  {\"path\": \"%03d\", \"n\": %d}, // row %d\n", n-1-i, n-1-i, i)
	}
	doc, settings, err := parseBuild([]byte("{\"scenes\": [\n" + before.String() + "]}"))
	if err != nil {
		t.Fatal(err)
	}
	wanted := settings.clone()
	slices.Reverse(wanted.Scenes)
	changed, err := editBuild(doc, settings, wanted)
	if err != nil || string(changed.Text()) != "{\"scenes\": [\n"+after.String()+"]}" {
		t.Errorf("%v\n%s", err, changed.Text())
	}
}

func BenchmarkChange(b *testing.B) {
	n := 0
	benchmarks := []struct {
		name   string
		change func(s *BuildSettings)
	}{
		{"version", func(s *BuildSettings) { n++; s.Version = fmt.Sprint(n) }},
		{"move", func(s *BuildSettings) { s.Scenes = append(s.Scenes[1:], s.Scenes[0]) }},
		{"toggle all", func(s *BuildSettings) {
			for i := range s.Scenes {
				s.Scenes[i].Enabled = !s.Scenes[i].Enabled
			}
		}},
		{"reverse", func(s *BuildSettings) { slices.Reverse(s.Scenes) }},
	}
	for _, benchmark := range benchmarks {
		b.Run(benchmark.name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "build.json")
			if err := os.WriteFile(path, manyScenes(2000).Text(), 0o666); err != nil {
				b.Fatal(err)
			}
			d := OpenBuild(path)
			for b.Loop() {
				if err := d.Change("Change", "change", benchmark.change); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func FuzzParseBuildSettings(f *testing.F) {
	f.Add([]byte(handmade))
	f.Add([]byte(defaultBuild))
	f.Add([]byte(`{"profile": 2, "scenes": [{"path": null}], "alwaysInclude": [null], "target": "\u0000", "version": "\ud83d\ude00"}`))
	f.Add([]byte(`{"profile": -1e9, "scenes": [[]], "version": "1", "version": 2}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		settings, err := ParseBuildSettings(raw)
		if err != nil {
			var faulty *FileError
			if !errors.As(err, &faulty) || len(faulty.Faults) == 0 || !errors.Is(err, formats.ErrDamaged) {
				t.Errorf("refused with %v", err)
			}
			return
		}
		again, err := ParseBuildSettings(settings.Text())
		if err != nil || !settingsEqual(settings, again) {
			t.Errorf("%+v comes back as %+v, %v", settings, again, err)
		}
	})
}
