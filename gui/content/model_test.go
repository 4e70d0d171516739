package content

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/export"
	"talebinder/platforms"
	"talebinder/project"
)

const (
	guidPrefab = "11111111111111111111111111111111"
	guidSprite = "22222222222222222222222222222222"
	guidShader = "33333333333333333333333333333333"
	guidGone   = "99999999999999999999999999999999"
)

func meta(guid string, labels ...string) string {
	text := `{"version": 1, "guid": "` + guid + `"`
	if len(labels) > 0 {
		text += `, "labels": ["` + strings.Join(labels, `", "`) + `"]`
	}
	return text + "}"
}

// lanterns is a project with a file for every reason to ship and every reason not to.
func lanterns(t testing.TB) map[string]string {
	return map[string]string{
		"build.json": `{
  "scenes": [
    { "path": "scenes/bonus.tscene", "enabled": true },
    { "path": "scenes/off.tscene", "enabled": false }
  ],
  // art that code builds the paths of
  "alwaysInclude": ["extras", "label:keep"]
}
`,
		"assets/config/game.json": `{
  "title": "Lanterns",
  "startScene": "scenes/start.tscene",
  "loadingScreen": { "image": "title.png" }
}`,
		"assets/scenes/start.tscene":          `{"entities": [{"id": "1", "sprite": "` + guidPrefab + `", "shader": "` + guidShader + `"}]}`,
		"assets/scenes/bonus.tscene":          `{}`,
		"assets/scenes/off.tscene":            `{"sprite": "` + guidSprite + `"}`,
		"assets/scenes/draft.tscene":          `{}`,
		"assets/prefabs/lantern.tprefab":      "{\n  \"sprite\": \"" + guidSprite + "\"\n}",
		"assets/prefabs/lantern.tprefab.meta": meta(guidPrefab),
		"assets/sprites/lantern.png":          string(encoded(t, 24, 32)),
		"assets/sprites/lantern.png.meta":     meta(guidSprite),
		"assets/sprites/unused.png":           string(encoded(t, 8, 8)),
		"assets/shaders/glow.tshader":         "{\n  \"skSlFile\": \"Glow.sksl\",\n  \"texture\": \"" + guidGone + "\"\n}",
		"assets/shaders/glow.tshader.meta":    meta(guidShader),
		"assets/shaders/glow.sksl":            "half4 main() {}",
		"assets/scripts/Game.cs":              `class Game { const string Jump = "audio/jump.wav"; }`,
		"assets/audio/jump.wav":               "RIFF",
		"assets/extras/cloud.png":             string(encoded(t, 2, 2)),
		"assets/notes.txt":                    "keep me",
		"assets/notes.txt.meta":               meta("44444444444444444444444444444444", "keep"),
		"assets/title.png":                    string(encoded(t, 64, 16)),
		"assets/text/en.tloc":                 `{}`,
		"assets/plugins/off/plugin.json":      `{"id": "off", "assembly": "Off.dll", "contractVersion": 1, "enabled": false}`,
		"assets/plugins/bad/plugin.json":      `{`,
		"assets/plugins/bad/art.png":          string(encoded(t, 1, 1)),
	}
}

// open writes a project into a temporary folder and opens it.
func open(t testing.TB, files map[string]string) *project.Project {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := project.Open(context.Background(), dir, project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func collect(t testing.TB, p *project.Project) *Model {
	t.Helper()
	c, err := export.CollectContent(context.Background(), p, platforms.Release)
	if err != nil {
		t.Fatal(err)
	}
	return NewModel(p, c)
}

func TestModelListsEveryFileOnce(t *testing.T) {
	m := collect(t, open(t, lanterns(t)))
	words := [...]string{"ships", "loose", "left"}
	var got []string
	for _, e := range m.Tree.entries {
		line := fmt.Sprintf("%s: %s, %s", e.Path, words[e.State], e.Reason)
		if e.Via != "" {
			line += " via " + e.Via
		}
		if e.Missing > 0 {
			line += fmt.Sprintf(", %d missing", e.Missing)
		}
		got = append(got, line)
	}
	want := []string{
		"audio/jump.wav: ships, Named in code via scripts",
		"config/game.json: loose, Beside the pack via Configuration",
		"extras/cloud.png: ships, Always include via build.json",
		"notes.txt: ships, Always include via label:keep",
		"plugins/bad/art.png: left, Plugin failed",
		"plugins/bad/plugin.json: left, Plugin failed",
		"plugins/off/plugin.json: left, Plugin off",
		"prefabs/lantern.tprefab: ships, Dependency via scenes/start.tscene",
		"scenes/bonus.tscene: ships, Scene in build via build.json",
		"scenes/draft.tscene: left, Not used",
		"scenes/off.tscene: left, Not used",
		"scenes/start.tscene: ships, Start scene via config/game.json",
		"scripts/Game.cs: left, Script source",
		"shaders/glow.sksl: left, Not used",
		"shaders/glow.tshader: ships, Dependency via scenes/start.tscene, 2 missing",
		"sprites/lantern.png: ships, Dependency via prefabs/lantern.tprefab",
		"sprites/unused.png: left, Not used",
		"text/en.tloc: ships, Localization via localization",
		"title.png: ships, Loading screen via config/game.json",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if m.Breaking() != 2 {
		t.Errorf("%d problems stop an export: %v", m.Breaking(), m.Problems)
	}
}

func TestModelOfTheRealSample(t *testing.T) {
	const sample = "../../../shared/samples/LanternGrove"
	if _, err := os.Stat(sample); err != nil {
		t.Skip("the sample is not here")
	}
	p, err := project.Open(context.Background(), sample, project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := collect(t, p)
	if got := m.Summary(); got != "22 files, 80.9 kB in the pack · 2 beside it, 1.4 kB" {
		t.Error(got)
	}
	for i := range m.Tree.entries {
		e := &m.Tree.entries[i]
		d := m.Detail(e.Path)
		if d == nil || d.Explanation == "" {
			t.Errorf("%s has no explanation", e.Path)
			continue
		}
		if e.State == Packed && (len(d.Chain) < 2 || d.Chain[0].Word == "" || d.Chain[len(d.Chain)-1].Path != e.Path) {
			t.Errorf("%s: chain %+v", e.Path, d.Chain)
		}
		if _, err := os.Stat(d.File); err != nil {
			t.Errorf("%s: %v", e.Path, err)
		}
	}
}

func TestDetailExplains(t *testing.T) {
	m := collect(t, open(t, lanterns(t)))
	for _, c := range []struct {
		path, explanation, advice string
		actions                   []Action
	}{
		{"scenes/start.tscene", "The game starts with this scene.", "", nil},
		{"scenes/bonus.tscene", "It is ticked in the list of scenes.", "", nil},
		{"title.png", "It is the picture that shows while the game loads.", "", nil},
		{"text/en.tloc", "Every localization table ships.", "", nil},
		{"audio/jump.wav", "A script names its path in a string.", "", []Action{ActionInclude}},
		{"prefabs/lantern.tprefab", "scenes/start.tscene refers to it.", "", []Action{ActionInclude}},
		{"extras/cloud.png", "It is listed under Always include.", "", nil},
		{"notes.txt", "It carries a label that is always included: label:keep.", "", nil},
		{"config/game.json", "It ships as a file of its own, config/game.json in the game folder. Everything in config does.", "", nil},
		{"sprites/unused.png", "Nothing that ships refers to it, and no script names its path.",
			"Refer to it from something that ships, or include it always.", []Action{ActionInclude}},
		{"scenes/draft.tscene", "It is not in the list of scenes, and nothing that ships refers to it.",
			"Add it to the scenes of the build.", []Action{ActionAddScene, ActionInclude}},
		{"scenes/off.tscene", "It is in the list of scenes, but not ticked.", "Tick it to ship it.", []Action{ActionEnableScene, ActionInclude}},
		{"scripts/Game.cs", "Scripts ship compiled, as scripts/bin/Game.Scripts.dll. Their sources stay here.", "", nil},
		{"plugins/off/plugin.json", "It belongs to the plugin in off, which is switched off.",
			"Switch the plugin on in config/plugins.json.", []Action{ActionOpenPlugins}},
		{"extras", "1 file in it, which ships.", "", []Action{ActionExclude}},
		{"sprites", "1 of 2 files in it ships.", "Always include the folder to ship every file in it that can be packed.", []Action{ActionInclude}},
		{"scripts", "1 file in it, which does not ship.", "", nil},
	} {
		t.Run(c.path, func(t *testing.T) {
			d := m.Detail(c.path)
			if d.Explanation != c.explanation || d.Advice != c.advice || !slices.Equal(d.Actions, c.actions) {
				t.Errorf("%q, %q, %v", d.Explanation, d.Advice, d.Actions)
			}
		})
	}
	if d := m.Detail("plugins/bad/art.png"); !strings.Contains(d.Explanation, "cannot be loaded: ") {
		t.Errorf("a file of a plugin that fails: %q", d.Explanation)
	}
	if m.Detail("nowhere") != nil || m.Detail("") != nil {
		t.Error("there is something to say about nothing")
	}
}

func TestDetailLeadsFromTheStartSceneDown(t *testing.T) {
	m := collect(t, open(t, lanterns(t)))
	d := m.Detail("sprites/lantern.png")
	want := []Step{
		{Word: "Start scene", Path: "assets/config/game.json", Root: true},
		{Path: "scenes/start.tscene"}, {Path: "prefabs/lantern.tprefab"}, {Path: "sprites/lantern.png"},
	}
	if diff := cmp.Diff(want, d.Chain); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Use{{"prefabs/lantern.tprefab", true}, {"scenes/off.tscene", false}}, d.Users); diff != "" {
		t.Error(diff)
	}
	if !d.Picture || filepath.Base(d.File) != "lantern.png" {
		t.Errorf("picture %t in %s", d.Picture, d.File)
	}
	if d := m.Detail("scenes/start.tscene"); len(d.Targets) != 2 {
		t.Errorf("the start scene refers to %v", d.Targets)
	}
}

func TestDetailNamesMissingReferencesInTheirPlace(t *testing.T) {
	m := collect(t, open(t, lanterns(t)))
	d := m.Detail("shaders/glow.tshader")
	want := []MissingTarget{
		{Text: guidGone, Hint: "No asset has this guid: the file was deleted, or its .meta file did not come along.", Line: 3, Fatal: true},
		{Text: "shaders/Glow.sksl", Hint: "shaders/glow.sksl exists with another case.", Near: "shaders/glow.sksl", Line: 2, Fatal: true},
	}
	if diff := cmp.Diff(want, d.Missing); diff != "" {
		t.Error(diff)
	}
}

// after carries out an action and gives the new model with the text of build.json.
func after(t *testing.T, m *Model, a Action, path string) (*Model, string) {
	t.Helper()
	if err := m.Do(a, path); err != nil {
		t.Fatal(err)
	}
	return collect(t, m.project), string(m.project.Build.Text())
}

func TestActionsEditBuildLosslesslyAndShip(t *testing.T) {
	before := lanterns(t)["build.json"]
	for _, c := range []struct {
		action          Action
		path, line, now string
	}{
		{ActionInclude, "sprites/unused.png", `"sprites/unused.png"`, "Always include"},
		{ActionAddScene, "scenes/draft.tscene", `"scenes/draft.tscene"`, "Scene in build"},
		{ActionEnableScene, "scenes/off.tscene", `{ "path": "scenes/off.tscene", "enabled": true }`, "Scene in build"},
		{ActionExclude, "extras", `"alwaysInclude": ["label:keep"]`, ""},
	} {
		t.Run(c.action.Title(), func(t *testing.T) {
			m, text := after(t, collect(t, open(t, lanterns(t))), c.action, c.path)
			if !strings.Contains(text, c.line) || !strings.Contains(text, "// art that code builds the paths of") {
				t.Errorf("build.json is now\n%s", text)
			}
			if _, again := after(t, m, c.action, c.path); again != text && c.action != ActionExclude {
				t.Errorf("a second time changes it to\n%s", again)
			}
			if e := m.Tree.ByPath(c.path); e != nil && (e.State != Packed || e.Reason != c.now) {
				t.Errorf("%s: %+v", c.path, e)
			}
			if e := m.Tree.ByPath("extras/cloud.png"); c.action == ActionExclude && e.State != Left {
				t.Errorf("what is no longer included still ships: %+v", e)
			}
			if !m.project.Build.Undo() || string(m.project.Build.Text()) != before {
				t.Errorf("one undo does not bring the text back:\n%s", m.project.Build.Text())
			}
		})
	}
}

func TestPartsPutSmallKindsTogether(t *testing.T) {
	var entries []Entry
	for i := range 10 {
		entries = append(entries, Entry{Path: fmt.Sprint("f", i), Kind: fmt.Sprint("Kind", i), State: Packed, Size: int64(100 - i)})
	}
	m := &Model{Tree: NewTree(entries), content: &export.Content{}}
	parts := m.Parts()
	if len(parts) != 8 || parts[0].Kind != "Kind0" || parts[7] != (Part{Name: "Other kinds", Files: 3, Size: 93 + 92 + 91}) {
		t.Errorf("%+v", parts)
	}
}
