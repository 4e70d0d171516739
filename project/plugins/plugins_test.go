package plugins

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/formats"
	"talebinder/project/problem"
)

// tree writes files below a new asset root; a path that ends in a slash is a folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "assets")
	for path, text := range files {
		full := filepath.Join(root, filepath.FromSlash(path))
		if strings.HasSuffix(path, "/") {
			if err := os.MkdirAll(full, 0o777); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// manifest is a valid plugin.json with more properties.
func manifest(id, more string) string {
	if more != "" {
		more = ", " + more
	}
	return fmt.Sprintf(`{"id": %q, "assembly": "P.dll", "contractVersion": 1%s}`, id, more)
}

// states describes a set as "folder state" lines and the load order.
func states(s *Set) (all map[string]string, order []string) {
	all = map[string]string{}
	for _, p := range s.All() {
		all[p.Folder] = p.State.String()
		if p.Reason != "" {
			all[p.Folder] += ": " + p.Reason
		}
	}
	for _, p := range s.Shipped() {
		order = append(order, p.ID())
	}
	return all, order
}

func TestManifest(t *testing.T) {
	text := "\ufeff" + `{
  // what a full manifest looks like
  "id": " weather.rain-2_b ", "name": "Rain", "description": "Falls", "license": "MIT", "version": "1.2",
  "authors": ["Ada", " Bo "], "homepage": "https://example.org/rain", "icon": "art/icon.png", "assets": "assets\\rain",
  "assembly": "Rain.DLL", "editorAssembly": "Rain.Editor.dll", "contractVersion": 1, "minEngineVersion": "3",
  "extensions": ["weather.kind"], "permissions": ["fileSystem", "renderBackend"],
  "dependencies": [
    {"id": "sky", "version": "^1.0"}, {"id": "wind", "minimumVersion": "2.1", "optional": true}, {"id": "base"},
  ],
  "enabled": false,
}`
	got, err := ParseManifest([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	sky, err := ParseRange("^1.0")
	if err != nil {
		t.Fatal(err)
	}
	want := &Manifest{
		ID: "weather.rain-2_b", Name: "Rain", Description: "Falls", License: "MIT", Version: Version{1, 2, 0},
		Authors: []string{"Ada", "Bo"}, Homepage: "https://example.org/rain", Icon: "art/icon.png", Assets: "assets\\rain",
		Assembly: "Rain.DLL", EditorAssembly: "Rain.Editor.dll", ContractVersion: 1, MinEngineVersion: &Version{3, 0, 0},
		Extensions: []string{"weather.kind"}, Permissions: []string{"fileSystem", "renderBackend"},
		Dependencies: []Dependency{
			{ID: "sky", Range: sky},
			{ID: "wind", Range: atLeast(Version{2, 1, 0}), Optional: true},
			{ID: "base"},
		},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Range{}, span{})); diff != "" {
		t.Errorf("manifest (-want +got):\n%s", diff)
	}
}

func TestManifestDefaults(t *testing.T) {
	for name, more := range map[string]string{
		"missing": "",
		"null": `"name": null, "description": null, "license": null, "version": null, "authors": null, "homepage": null,
			"icon": null, "assets": null, "editorAssembly": null, "minEngineVersion": null, "extensions": null,
			"permissions": null, "dependencies": null`,
		"empty": `"name": " ", "homepage": "", "icon": "", "assets": " ", "editorAssembly": ""`,
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParseManifest([]byte(manifest("a", more)))
			if err != nil {
				t.Fatal(err)
			}
			if got.Name != "a" || got.Version != (Version{1, 0, 0}) || !got.Enabled || got.Homepage+got.Icon+got.Assets+got.EditorAssembly != "" ||
				got.MinEngineVersion != nil || len(got.Authors)+len(got.Extensions)+len(got.Permissions)+len(got.Dependencies) != 0 {
				t.Errorf("defaults are %+v", got)
			}
		})
	}
}

func TestManifestFaults(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"not JSON", `{"id": `, "line 1, column 8: "},
		{"empty file", ``, "line 1, column 1: "},
		{"a list", `[]`, "line 1, column 1: the document: expected an object, found a list"},
		{"null", `null`, "line 1, column 1: expected an object, found null"},
		{"nothing", `{}`, "id is missing; line 1, column 1: assembly is missing; line 1, column 1: contractVersion is missing"},
		{"id in capitals", manifest("Rain", ""), `line 1, column 8: id: "Rain" is not an id`},
		{"id with a double dot", manifest("a..b", ""), "is not an id"},
		{"id ending in a hyphen", manifest("a-", ""), "is not an id"},
		{"empty id", manifest("", ""), "is not an id"},
		{"null id", `{"id": null, "assembly": "P.dll", "contractVersion": 1}`, "id is missing"},
		{"id as a number", `{"id": 5, "assembly": "P.dll", "contractVersion": 1}`, "line 1, column 8: id: expected a text, found a number"},
		{"assembly in a folder", `{"id": "a", "assembly": "bin/P.dll", "contractVersion": 1}`, `"bin/P.dll" is not a plain file name ending in .dll`},
		{"assembly on a drive", `{"id": "a", "assembly": "C:P.dll", "contractVersion": 1}`, "not a plain file name"},
		{"assembly of another kind", `{"id": "a", "assembly": "P.exe", "contractVersion": 1}`, "not a plain file name"},
		{"empty assembly", `{"id": "a", "assembly": "", "contractVersion": 1}`, "not a plain file name"},
		{"contract 0", `{"id": "a", "assembly": "P.dll", "contractVersion": 0}`, "contractVersion: expected 1 or more, found 0"},
		{"contract null", `{"id": "a", "assembly": "P.dll", "contractVersion": null}`, "contractVersion: expected a whole number, found null"},
		{"contract with a fraction", `{"id": "a", "assembly": "P.dll", "contractVersion": 1.0}`, "contractVersion: expected a whole number, found"},
		{"unknown property", manifest("a", "\n\"colour\": 1"), "line 2, column 1: colour is not a property of this file"},
		{"empty version", manifest("a", `"version": ""`), "is not a version"},
		{"version with letters", manifest("a", `"version": "1.0-beta"`), "is not a version"},
		{"version as a number", manifest("a", `"version": 1`), "version: expected a text, found a number"},
		{"engine version", manifest("a", `"minEngineVersion": "x"`), "minEngineVersion: "},
		{"authors as a text", manifest("a", `"authors": "me"`), "authors: expected a list, found a text"},
		{"null author", manifest("a", `"authors": ["me", null]`), "authors[1]: expected a text, found null"},
		{"homepage of another kind", manifest("a", `"homepage": "ftp://example.org"`), "not an http or https address"},
		{"homepage without a host", manifest("a", `"homepage": "https:rain"`), "not an http or https address"},
		{"icon above the folder", manifest("a", `"icon": "../icon.png"`), "not a path inside the plugin's folder"},
		{"icon through the folder", manifest("a", `"icon": "a\\.\\b.png"`), "not a path inside"},
		{"rooted assets", manifest("a", `"assets": "/assets"`), "not a path inside"},
		{"assets on a drive", manifest("a", `"assets": "d:assets"`), "not a path inside"},
		{"one assembly for both", manifest("a", `"editorAssembly": "p.DLL"`), "must not be the game's"},
		{"extension that is no id", manifest("a", `"extensions": ["A"]`), `extensions[0]: "A" is not allowed, expected lower-case`},
		{"extension twice", manifest("a", `"extensions": ["b", " b"]`), `extensions[1]: "b" is listed twice`},
		{"unknown permission", manifest("a", `"permissions": ["filesystem"]`), "expected one of fileSystem, network"},
		{"permission twice", manifest("a", `"permissions": ["network", "network"]`), "listed twice"},
		{"dependency as a text", manifest("a", `"dependencies": ["b"]`), "dependencies[0]: expected an object, found a text"},
		{"null dependency", manifest("a", `"dependencies": [null]`), "dependencies[0]: expected an object, found null"},
		{"dependency without id", manifest("a", `"dependencies": [{}]`), "dependencies[0].id is missing"},
		{"dependency with a bad id", manifest("a", `"dependencies": [{"id": "B"}]`), `dependencies[0].id: "B" is not an id`},
		{"dependency on itself", manifest("a", `"dependencies": [{"id": "a"}]`), "depends on itself"},
		{"dependency twice", manifest("a", `"dependencies": [{"id": "b"}, {"id": "b"}]`), "dependencies[1].id: the plugin \"b\" is listed twice"},
		{"dependency with both versions", manifest("a", `"dependencies": [{"id": "b", "version": "1", "minimumVersion": "1"}]`), "exclude each other"},
		{"dependency with a bad range", manifest("a", `"dependencies": [{"id": "b", "version": "1 ||"}]`), "dependencies[0].version: the version range"},
		{"dependency with an empty range", manifest("a", `"dependencies": [{"id": "b", "version": ""}]`), "the version range is empty"},
		{"dependency with an unknown property", manifest("a", `"dependencies": [{"id": "b", "x": 1}]`), "dependencies[0].x is not a property"},
		{"optional null", manifest("a", `"dependencies": [{"id": "b", "optional": null}]`), "dependencies[0].optional: expected true or false, found null"},
		{"enabled null", manifest("a", `"enabled": null`), "enabled: expected true or false, found null"},
		{"two faults in order", manifest("A", `"enabled": 1`), "is not an id, expected " + idRule + "; line 1, column 67: enabled: expected"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m, err := ParseManifest([]byte(test.text))
			if m != nil || err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %+v, %v\nwant %s", m, err, test.want)
			}
			if !errors.Is(err, formats.ErrDamaged) {
				t.Errorf("%v is not ErrDamaged", err)
			}
		})
	}
}

func TestConfig(t *testing.T) {
	c, err := ParseConfig([]byte(`{"disabled": [" a "], "enabled": ["b"], "settings": {"a": {"x": 1}}, /* c */ }`))
	if err != nil || !cmp.Equal(c, Config{Disabled: []string{"a"}, Enabled: []string{"b"}}) {
		t.Errorf("got %+v, %v", c, err)
	}
	tests := []struct{ name, text, want string }{
		{"not JSON", `{`, "line 1, column 2"},
		{"null", `null`, "expected an object, found null"},
		{"a list", `[]`, "expected an object, found a list"},
		{"unknown property", `{"Disabled": []}`, "line 1, column 2: Disabled is not a property"},
		{"null list", `{"disabled": null}`, "disabled: expected a list, found null"},
		{"a number in a list", `{"enabled": [1]}`, "enabled[0]: expected a text, found a number"},
		{"null in a list", `{"enabled": [null]}`, "enabled[0]: expected a text, found null"},
		{"in both lists", `{"disabled": ["a"], "enabled": ["b", "a "]}`, `line 1, column 38: enabled[1]: "a" is in both lists`},
		{"settings as a list", `{"settings": []}`, "settings: expected an object, found a list"},
		{"null settings", `{"settings": null}`, "settings: expected an object, found null"},
		{"settings of a plugin as a text", `{"settings": {"a": "x"}}`, "settings.a: expected an object, found a text"},
		{"null settings of a plugin", `{"settings": {"a": null}}`, "settings.a: expected an object, found null"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if c, err := ParseConfig([]byte(test.text)); err == nil || !strings.Contains(err.Error(), test.want) || !errors.Is(err, formats.ErrDamaged) {
				t.Errorf("got %+v, %v, want %s", c, err, test.want)
			}
		})
	}
}

func TestStates(t *testing.T) {
	needs := func(dependencies string) string { return `"dependencies": [` + dependencies + `]` }
	tests := []struct {
		name   string
		files  map[string]string // folder to manifest
		config string
		engine string
		want   map[string]string
		order  []string
	}{
		{
			name: "no plugins",
			want: map[string]string{},
		},
		{
			name:  "one id in two folders",
			files: map[string]string{"one": manifest("a", ""), "two": manifest("a", `"enabled": false`), "b": manifest("b", "")},
			want: map[string]string{
				"one": `failed: the id "a" is used by several folders: one, two`,
				"two": `failed: the id "a" is used by several folders: one, two`,
				"b":   "loadable",
			},
			order: []string{"b"},
		},
		{
			name: "switched on and off",
			files: map[string]string{
				"a": manifest("a", ""), "b": manifest("b", `"enabled": false`), "c": manifest("c", `"enabled": false`), "d": manifest("d", ""),
			},
			config: `{"disabled": ["d"], "enabled": ["c", "unknown"]}`,
			want:   map[string]string{"a": "loadable", "b": "disabled", "c": "loadable", "d": "disabled"},
			order:  []string{"a", "c"},
		},
		{
			name: "another contract",
			files: map[string]string{
				"a": `{"id": "a", "assembly": "P.dll", "contractVersion": 2}`,
				"b": `{"id": "b", "assembly": "P.dll", "contractVersion": 2, "enabled": false}`,
			},
			want: map[string]string{
				"a": "skipped: it was made for version 2 of the engine's plugin contract, this engine has version 1", "b": "disabled",
			},
		},
		{
			name:   "a newer engine needed",
			files:  map[string]string{"a": manifest("a", `"minEngineVersion": "1.2.1"`), "b": manifest("b", `"minEngineVersion": "1.2"`)},
			engine: "1.2",
			want:   map[string]string{"a": "skipped: it needs engine version 1.2.1, this engine has version 1.2.0", "b": "loadable"},
			order:  []string{"b"},
		},
		{
			name:  "the engine's version not known",
			files: map[string]string{"a": manifest("a", `"minEngineVersion": "99"`)},
			want:  map[string]string{"a": "loadable"},
			order: []string{"a"},
		},
		{
			name: "dependencies first, then the smallest id",
			files: map[string]string{
				"a": manifest("a", needs(`{"id": "z"}`)), "b": manifest("b", ""), "c": manifest("c", needs(`{"id": "a"}, {"id": "b"}`)), "z": manifest("z", ""),
			},
			want:  map[string]string{"a": "loadable", "b": "loadable", "c": "loadable", "z": "loadable"},
			order: []string{"b", "z", "a", "c"},
		},
		{
			name: "dependencies that are not there",
			files: map[string]string{
				"off":   manifest("off", `"enabled": false`),
				"bad":   `{"id": 5, "assembly": "P.dll", "contractVersion": 1}`,
				"old":   manifest("old", `"version": "1.9.9"`),
				"a":     manifest("a", needs(`{"id": "nowhere"}`)),
				"b":     manifest("b", needs(`{"id": "off"}`)),
				"c":     manifest("c", needs(`{"id": "old", "version": "^2"}`)),
				"d":     manifest("d", needs(`{"id": "old", "minimumVersion": "2"}, {"id": "off"}`)),
				"e":     manifest("e", needs(`{"id": "a"}`)),
				"f":     manifest("f", needs(`{"id": "nowhere", "optional": true}, {"id": "old", "version": "2", "optional": true}, {"id": "a", "optional": true}`)),
				"fits":  manifest("fits", needs(`{"id": "old", "version": "^1.5"}`)),
				"notes": manifest("notes", needs(`{"id": "bad", "optional": true}`)),
			},
			want: map[string]string{
				"off": "disabled",
				"bad": "failed: plugin.json is not valid: line 1, column 8: id: expected a text, found a number",
				"old": "loadable",
				"a":   `skipped: it cannot be loaded: the plugin "nowhere" is missing`,
				"b":   `skipped: it cannot be loaded: the plugin "off" is disabled`,
				"c":   `skipped: it cannot be loaded: the plugin "old" has version 1.9.9, expected ^2`,
				"d":   `skipped: it cannot be loaded: the plugin "old" has version 1.9.9, expected >=2.0.0; the plugin "off" is disabled`,
				"e":   `skipped: it cannot be loaded: the plugin "a" is skipped`,
				"f":   "loadable", "fits": "loadable", "notes": "loadable",
			},
			order: []string{"notes", "old", "f", "fits"},
		},
		{
			name: "circles",
			files: map[string]string{
				"a":    manifest("a", needs(`{"id": "b"}`)),
				"b":    manifest("b", needs(`{"id": "c", "optional": true}`)),
				"c":    manifest("c", needs(`{"id": "a"}`)),
				"d":    manifest("d", needs(`{"id": "c"}`)),
				"e":    manifest("e", needs(`{"id": "d", "optional": true}`)),
				"free": manifest("free", ""),
			},
			want: map[string]string{
				"a":    "skipped: its dependencies go round in a circle: a needs b needs c needs a",
				"b":    "skipped: its dependencies go round in a circle: b needs c needs a needs b",
				"c":    "skipped: its dependencies go round in a circle: c needs a needs b needs c",
				"d":    "skipped: a plugin that it depends on is in a circle of dependencies",
				"e":    "skipped: a plugin that it depends on is in a circle of dependencies",
				"free": "loadable",
			},
			order: []string{"free"},
		},
		{
			name:  "a disabled plugin breaks a circle",
			files: map[string]string{"a": manifest("a", needs(`{"id": "b", "optional": true}`)), "b": manifest("b", `"enabled": false, `+needs(`{"id": "a"}`))},
			want:  map[string]string{"a": "loadable", "b": "disabled"},
			order: []string{"a"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{"plugins/readme.txt": "not a plugin"}
			for folder, text := range test.files {
				files["plugins/"+folder+"/plugin.json"] = text
			}
			var config []byte
			if test.config != "" {
				config = []byte(test.config)
			}
			all, order := states(Load(tree(t, files), "plugins", config, test.engine))
			if diff := cmp.Diff(test.want, all); diff != "" {
				t.Errorf("states (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.order, order); diff != "" {
				t.Errorf("load order (-want +got):\n%s", diff)
			}
		})
	}
}

func TestProblems(t *testing.T) {
	root := tree(t, map[string]string{
		"add/ons/empty/":               "",
		"add/ons/wrong/plugin.json":    "{\n  \"id\": \"wrong\",\n  \"assembly\": 5,\n  \"contractVersion\": 1\n}",
		"add/ons/good/plugin.json":     manifest("good", ""),
		"add/ons/off/plugin.json":      manifest("off", `"enabled": false`),
		"add/ons/new/plugin.json":      manifest("new", `"minEngineVersion": "9"`),
		"add/ons/device/plugin.json/x": "",
	})
	s := Load(root, "/add//ons/", []byte("{\"disabled\": [],\n  \"enabled\": 1, \"x\": 2}"), "3.0")
	if s.Folder() != "add/ons" {
		t.Errorf("the folder is %q", s.Folder())
	}
	if s.ConfigErr() == nil {
		t.Error("the faulty plugins.json went unnoticed")
	}
	var got []string
	for _, p := range s.Problems() {
		text, err := p.Level.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %s %s", text, p.Code, strings.ReplaceAll(p.String(), root, "ROOT")))
	}
	want := []string{
		"error plugins-config-invalid assets/config/plugins.json(2,14): config/plugins.json is not valid: enabled: expected a list, found a number",
		"error plugins-config-invalid assets/config/plugins.json(2,17): config/plugins.json is not valid: x is not a property of this file",
		"warning plugin-failed assets/add/ons/device: the plugin device does not ship: plugin.json cannot be read: " + filepath.Join("ROOT", "add", "ons", "device", "plugin.json") + " is a folder, expected a file",
		"warning plugin-failed assets/add/ons/empty: the plugin empty does not ship: it has no plugin.json",
		"warning plugin-skipped assets/add/ons/new: the plugin new does not ship: it needs engine version 9.0.0, this engine has version 3.0.0",
		"warning plugin-failed assets/add/ons/wrong/plugin.json(3,15): the plugin wrong does not ship: plugin.json is not valid: line 3, column 15: assembly: expected a text, found a number",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if ids := slices.Collect(func(yield func(string) bool) {
		for _, p := range s.All() {
			if !yield(p.ID()) {
				return
			}
		}
	}); !slices.Equal(ids, []string{"device", "empty", "good", "new", "off", "wrong"}) {
		t.Errorf("the plugins are %v", ids)
	}
}

func TestPluginsFolderThatCannotBeUsed(t *testing.T) {
	root := tree(t, map[string]string{"a/plugin.json": manifest("a", "")})
	for _, folder := range []string{"", ".", "/", "..", "plugins/../../x"} {
		s := Load(root, folder, nil, "")
		if len(s.All()) != 0 || len(s.Problems()) != 1 || s.Problems()[0].Level != problem.Error || s.Problems()[0].Code != "plugins-folder" {
			t.Errorf("%q: %v, %v", folder, s.All(), s.Problems())
		}
	}
	s := Load(filepath.Join(root, "a"), "plugin.json", nil, "")
	if len(s.Problems()) != 1 || s.Problems()[0].Code != "plugins-unreadable" {
		t.Errorf("a file as plugins folder: %v", s.Problems())
	}
}

// FuzzParse reads the same bytes as a manifest and as plugins.json, and holds every version and range to what it says.
func FuzzParse(f *testing.F) {
	f.Add([]byte(manifest("a.b-c", `"version": "1.2", "dependencies": [{"id": "b", "version": ">=1 <2 || ~3.x"}], "homepage": "http://a"`)))
	f.Add([]byte(`{"disabled": ["a"], "enabled": ["b"], "settings": {"a": {}}}`))
	f.Add([]byte(`{"id": null, "authors": [null], "dependencies": [{}, null, 5], "permissions": ["network"]}`))
	f.Add([]byte(`{"id": 1, "contractVersion": 1e3, "extensions": [[]], "icon": "\ud800", "assets": "\\"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if m, err := ParseManifest(text); err == nil {
			if !idForm.MatchString(m.ID) || m.Name == "" || m.ContractVersion < 1 || strings.ContainsAny(m.Assembly, `/\`) {
				t.Errorf("accepted %+v", m)
			}
			for _, d := range m.Dependencies {
				d.Range.Contains(m.Version)
				if d.ID == m.ID {
					t.Errorf("accepted a dependency on itself")
				}
			}
		} else if m != nil || !errors.Is(err, formats.ErrDamaged) {
			t.Errorf("refused with %v, %v", m, err)
		}
		if _, err := ParseConfig(text); err != nil && !errors.Is(err, formats.ErrDamaged) {
			t.Errorf("refused with %v", err)
		}
		if r, err := ParseRange(string(text)); err == nil {
			again, err := ParseRange(r.String())
			for _, v := range []Version{{}, {1, 2, 3}, {0, 0, 3}, {2147483647, 0, 0}} {
				if err != nil || r.Contains(v) != again.Contains(v) {
					t.Errorf("the range %q does not come back: %v", r, err)
				}
			}
		}
	})
}
