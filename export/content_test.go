package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/formats/assetpath"
	"talebinder/formats/tspack"
	"talebinder/platforms"
	"talebinder/project/problem"
)

// lanternGrove is the folder of the sample project that the golden listings are about.
func lanternGrove(tb testing.TB) string {
	tb.Helper()
	dir := filepath.Join("..", "..", "shared", "samples", "LanternGrove")
	if _, err := os.Stat(dir); err != nil {
		tb.Skip("the sample project is not here: ", err)
	}
	return dir
}

func TestGoldenContentOfLanternGrove(t *testing.T) {
	p := openProject(t, lanternGrove(t))
	c, err := CollectContent(t.Context(), p, platforms.Release)
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		Path, Kind, Reason, Via string
		TryBrotli               bool
	}
	var manifest struct{ Items []row }
	if err := json.Unmarshal(golden(t, "lantern_grove/manifest.json"), &manifest); err != nil {
		t.Fatal(err)
	}
	var got []row
	for _, item := range c.Items {
		got = append(got, row{item.Path, item.Kind, item.Reason.String(), item.Via, !tspack.Precompressed(assetpath.Ext(item.Path))})
	}
	if diff := cmp.Diff(manifest.Items, got); diff != "" {
		t.Error(diff)
	}
	t.Logf("%d items", len(got))
	index, err := c.indexText()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(golden(t, "lantern_grove/assets.index.json")), string(index)); diff != "" {
		t.Error("index: ", diff)
	}
	for _, problem := range c.Problems {
		t.Error(problem)
	}
}

func TestContent(t *testing.T) {
	p := openProject(t, tidewater().write(t, t.TempDir()))
	c, err := CollectContent(t.Context(), p, platforms.Release)
	if err != nil {
		t.Fatal(err)
	}
	var items []string
	for _, i := range c.Items {
		items = append(items, fmt.Sprintf("%s: %s, %v via %s", i.Path, i.Kind, i.Reason, i.Via))
	}
	if diff := cmp.Diff([]string{
		"audio/shanty.ogg: Audio, AlwaysInclude via label:music",
		"audio/tide.wav: Audio, CodeReference via scripts",
		"extra/deep/chart.txt: File, AlwaysInclude via build.json",
		"prefabs/boat.tprefab: Prefab, Dependency via scenes/pier.tscene",
		"scenes/harbour.tscene: Scene, BuildScene via build.json",
		"scenes/pier.tscene: Scene, StartScene via config/game.json",
		"sprites/boat.png: Texture, Dependency via prefabs/boat.tprefab",
		"sprites/drop.png: Texture, CodeReference via rain",
		"sprites/gull.png: Texture, Dependency via scenes/pier.tscene",
		"sprites/loading.png: Texture, LoadingScreen via config/game.json",
		"text/en.tloc: Localization, Localization via localization",
	}, items); diff != "" {
		t.Error("items: ", diff)
	}

	var left []string
	for _, l := range c.Left {
		left = append(left, fmt.Sprintf("%s: %s", l.Path, l.Why))
		if l.Size == 0 {
			t.Errorf("%s has no size", l.Path)
		}
	}
	if diff := cmp.Diff([]string{
		"plugins/fog/Fog.dll: disabledPlugin",
		"plugins/fog/plugin.json: disabledPlugin",
		"plugins/hail/plugin.json: failedPlugin",
		"plugins/rain/Rain.Editor.dll: unreferenced",
		"plugins/rain/Rain.pdb: unreferenced",
		"plugins/rain/Rain.xml: unreferenced",
		"plugins/rain/rain.editor.deps.json: unreferenced",
		"scenes/draft.tscene: unreferenced",
		"scripts/Game.cs: script",
		"sprites/icon.png: unreferenced",
		"sprites/unused.png: unreferenced",
	}, left); diff != "" {
		t.Error("left: ", diff)
	}

	var loose []string
	for _, f := range c.Loose {
		loose = append(loose, f.Category+" "+f.Path)
	}
	if diff := cmp.Diff([]string{
		"Configuration config/game.json",
		"Configuration config/input.json",
		"Scripts scripts/bin/Game.Scripts.dll",
		"Plugins plugins/rain/Rain.dll",
		"Plugins plugins/rain/data/rain.txt",
		"Plugins plugins/rain/plugin.json",
	}, loose); diff != "" {
		t.Error("loose: ", diff)
	}

	var folders []string
	for _, f := range c.Folders {
		folders = append(folders, f.Path)
	}
	if diff := cmp.Diff([]string{"audio", "extra", "extra/deep", "prefabs", "scenes", "sprites", "text"}, folders); diff != "" {
		t.Error("folders: ", diff)
	}
	if len(c.Problems) != 0 {
		t.Error("problems: ", c.Problems)
	}

	var chain []string
	for _, i := range c.Chain("sprites/boat.png") {
		chain = append(chain, i.Path)
	}
	if diff := cmp.Diff([]string{"scenes/pier.tscene", "prefabs/boat.tprefab", "sprites/boat.png"}, chain); diff != "" {
		t.Error("chain: ", diff)
	}
	if c.Chain("sprites/unused.png") != nil {
		t.Error("what does not ship has a chain")
	}
}

func TestSymbolsShipInDevelopment(t *testing.T) {
	p := openProject(t, tidewater().write(t, t.TempDir()))
	c, err := CollectContent(t.Context(), p, platforms.Development)
	if err != nil {
		t.Fatal(err)
	}
	var symbols []string
	for _, f := range c.Loose {
		if strings.HasSuffix(f.Path, ".pdb") {
			symbols = append(symbols, f.Path)
		}
	}
	if diff := cmp.Diff([]string{"scripts/bin/Game.Scripts.pdb", "plugins/rain/Rain.pdb"}, symbols); diff != "" {
		t.Error(diff)
	}
}

func TestStartScenes(t *testing.T) {
	for _, c := range []struct {
		name, game string
		want       []string // path: via
	}{
		{"a guid", fmt.Sprintf(`{ "startScene": { "name": "scene", "parameters": { "guid": "%s" } } }`, id("scenes/harbour.tscene")),
			[]string{"scenes/harbour.tscene"}},
		{"a path wins over a guid", fmt.Sprintf(`{ "startScene": { "name": "scene", "parameters": { "guid": %q, "path": "./scenes//draft.tscene" } } }`, id("scenes/harbour.tscene")),
			[]string{"scenes/draft.tscene"}},
		{"a scene made in code, with assets among its parameters", `{ "startScene": { "name": "map", "parameters": { "maps": "sprites/unused.png; text/en.tloc;two words;;sprites;../x.png", "n": 4 } } }`,
			[]string{"sprites/unused.png", "text/en.tloc"}},
		{"another folder in a parameter", `{ "startScene": { "name": "map", "parameters": { "folder": "extra" } } }`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := tidewater().with(tree{"assets/config/game.json": c.game}).write(t, t.TempDir())
			content, err := CollectContent(t.Context(), openProject(t, dir), platforms.Release)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, item := range content.Items {
				if item.Reason == StartScene {
					got = append(got, item.Path)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestContentProblems(t *testing.T) {
	settings := func(always string) string {
		return fmt.Sprintf(`{ "scenes": [], "alwaysInclude": [ %s ] }`, always)
	}
	for _, c := range []struct {
		name    string
		changes tree
		want    problem.Problem // Message and Hint: a part of them
	}{
		{"a dangling guid in a scene that ships", tree{"assets/scenes/harbour.tscene": "{\n  \"entities\": [ { \"components\": [ { \"data\": { \"texture\": \"" + id("gone") + "\" } } ] } ]\n}"},
			problem.Problem{Level: problem.Error, Code: "reference-missing", File: "assets/scenes/harbour.tscene", Line: 2, Message: id("gone"), Hint: "Restore the asset"}},
		{"a dangling path", tree{"assets/extra/stone.tmaterial": `{ "shader": "stone.tshader" }`},
			problem.Problem{Level: problem.Error, Code: "reference-missing", File: "assets/extra/stone.tmaterial", Line: 1, Message: "extra/stone.tshader", Hint: "Restore the file"}},
		{"a path of another case", tree{"assets/extra/stone.tmaterial": `{ "shader": "stone.tshader" }`, "assets/extra/Stone.tshader": `{}`},
			problem.Problem{Level: problem.Error, Code: "reference-missing", File: "assets/extra/stone.tmaterial", Line: 1, Message: "extra/stone.tshader", Hint: "extra/Stone.tshader exists"}},
		{"two assets that differ by case", tree{"assets/extra/a.txt": "1", "assets/extra/A.txt": "2"},
			problem.Problem{Level: problem.Error, Code: "case-twins", File: "assets/extra/a.txt", Message: "extra/A.txt", Hint: "Rename"}},
		{"an included file that is not there", tree{"build.json": settings(`"sprites/gul.png"`)},
			problem.Problem{Level: problem.Warning, Code: "always-include-missing", File: "build.json", Message: `"sprites/gul.png"`, Hint: "sprites/gull.png exists"}},
		{"the asset folder itself", tree{"build.json": settings(`"."`)},
			problem.Problem{Level: problem.Warning, Code: "always-include-missing", File: "build.json", Message: `"."`, Hint: "Correct or remove"}},
		{"a path with a space before label:", tree{"build.json": settings(`" label:music"`)},
			problem.Problem{Level: problem.Warning, Code: "always-include-missing", File: "build.json", Message: `" label:music"`, Hint: "Correct or remove"}},
		{"an included path that leaves the assets", tree{"build.json": settings(`"../secret.txt"`)},
			problem.Problem{Level: problem.Error, Code: "always-include-leaves", File: "build.json", Message: `"../secret.txt"`, Hint: "below assets"}},
		{"a plugin that is not an assembly", tree{"assets/plugins/rain/Rain.dll": "MZ"},
			problem.Problem{Level: problem.Warning, Code: "plugin-assembly", File: "assets/plugins/rain/Rain.dll", Message: "plugin rain", Hint: "alwaysInclude"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := tidewater().with(c.changes).write(t, t.TempDir())
			content, err := CollectContent(t.Context(), openProject(t, dir), platforms.Release)
			if err != nil {
				t.Fatal(err)
			}
			found := withCode(content.Problems, c.want.Code)
			if len(found) != 1 || len(content.Problems) != 1 {
				t.Fatalf("problems: %v", content.Problems)
			}
			got := found[0]
			if got.Level != c.want.Level || got.File != c.want.File || got.Line != c.want.Line ||
				!strings.Contains(got.Message, c.want.Message) || !strings.Contains(got.Hint, c.want.Hint) {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestWhatIsHarmlessForContent(t *testing.T) {
	for _, c := range []struct {
		name    string
		changes tree
	}{
		{"a missing plugin assembly", tree{"assets/plugins/rain/Rain.dll": "-"}},
		{"a label that nothing has", tree{"build.json": `{ "alwaysInclude": [ "label:nothing", "", "  " ] }`}},
		{"missing references of what does not ship", nil},
		{"no scripts", tree{"assets/scripts/Game.cs": "-"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := tidewater().with(c.changes).write(t, t.TempDir())
			content, err := CollectContent(t.Context(), openProject(t, dir), platforms.Release)
			if err != nil || len(content.Problems) != 0 {
				t.Errorf("%v %v", err, content)
			}
		})
	}
}

func TestCompiledScriptsWithoutSourcesDoNotShip(t *testing.T) {
	dir := tidewater().with(tree{"assets/scripts/Game.cs": "-"}).write(t, t.TempDir())
	content, err := CollectContent(t.Context(), openProject(t, dir), platforms.Release)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range content.Loose {
		if f.Category == CategoryScripts {
			t.Error(f)
		}
	}
}

func TestCollectingCanBeCancelled(t *testing.T) {
	p := openProject(t, tidewater().write(t, t.TempDir()))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := CollectContent(ctx, p, platforms.Release); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestContentOfAProjectWithoutAGame(t *testing.T) {
	p := openProject(t, tidewater().with(tree{"assets/config/game.json": `{ "title": `}).write(t, t.TempDir()))
	if _, err := CollectContent(t.Context(), p, platforms.Release); err == nil || !strings.Contains(err.Error(), "config/game.json") {
		t.Error(err)
	}
}
