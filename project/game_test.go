package project

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/formats"
)

// golden reads a listing of expected results that lies beside the repository, and skips the test where it is missing.
func golden(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "shared", "golden", "talesmith", name))
	if err != nil {
		t.Skip("no golden files: ", err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

func TestGameGolden(t *testing.T) {
	var list struct {
		Cases []struct {
			Name, Outcome string
			Text          *string
			Values        map[string]any
		}
	}
	golden(t, "game_json.json", &list)
	for _, c := range list.Cases {
		t.Run(c.Name, func(t *testing.T) {
			game, err := DefaultGame(), error(nil)
			if c.Text != nil {
				game, err = ParseGame([]byte(*c.Text))
			}
			if (err != nil) != (c.Outcome == "error") {
				t.Fatalf("the error is %v, the outcome should be %s", err, c.Outcome)
			}
			for name, want := range c.Values {
				got, known := goldenValue(game, name)
				if !known {
					t.Fatalf("this test does not know the value %s", name)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
			}
		})
	}
	t.Logf("%d cases", len(list.Cases))
}

// goldenValue gives a field in the form that the golden listing has it.
func goldenValue(g Game, name string) (any, bool) {
	switch name {
	case "title":
		return g.Title, true
	case "windowWidth":
		return float64(g.WindowWidth), true
	case "windowHeight":
		return float64(g.WindowHeight), true
	case "pluginsFolder":
		return g.PluginsFolder, true
	case "startScene":
		parameters := map[string]any{}
		for _, p := range g.StartScene.Parameters {
			parameters[p.Name] = p.Value
		}
		return map[string]any{"name": g.StartScene.Name, "parameters": parameters}, true
	case "loadingScreen":
		var image any
		if g.LoadingScreen.Image != nil {
			image = *g.LoadingScreen.Image
		}
		return map[string]any{"image": image, "betweenScenes": g.LoadingScreen.BetweenScenes}, true
	case "view":
		return map[string]any{
			"width": float64(g.View.Width), "height": float64(g.View.Height), "scaleMode": g.View.ScaleMode.String(),
			"integerScale": g.View.IntegerScale, "borderColor": g.View.BorderColor.String(),
		}, true
	}
	return nil, false
}

func TestGameWithEverything(t *testing.T) {
	text := `{
  "title": "Caf\u00e9", "windowWidth": 0, "windowHeight": -5,
  "view": { "width": 640, "height": 360, "scaleMode": "Expand", "integerScale": true, "borderColor": " #fa0 ", "overlayWidth": 1280, "overlayHeight": 720 },
  "renderer": "Vulkan", "fixedUpdateRate": 30, "maxFixedStepsPerFrame": 2, "textureFilter": 7, "clearColor": "80102030",
  "startScene": { "name": "intro", "parameters": { "b": "x;y", "a": { "q": [ 1.50, "<é>" ] }, "b": 1e2, "gone": 1, "gone": null, "f": false } },
  "loadingScreen": { "backgroundColor": "##000", "image": "ui\\logo.png", "foregroundColor": null, "betweenScenes": false },
  "inputProfile": "config/keys.json", "pluginsFolder": "addons", "vSync": false, "maxFramesPerSecond": 144,
  "pauseWhenInactive": true, "showPerformanceOverlay": true
}`
	got, err := ParseGame([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	number := func(n int) *int { return &n }
	image := `ui\logo.png`
	want := Game{
		Title: "Café", WindowHeight: -5,
		View:     &View{640, 360, ScaleExpand, true, Color{A: 255, R: 0xff, G: 0xaa}, number(1280), number(720)},
		Renderer: RendererVulkan, FixedUpdateRate: 30, MaxFixedStepsPerFrame: 2, TextureFilter: 7, ClearColor: Color{A: 0x80, R: 0x10, G: 0x20, B: 0x30},
		StartScene:    StartScene{"intro", []Parameter{{"b", "1e2"}, {"a", `{"q":[1.50,"\u003C\u00E9\u003E"]}`}, {"f", "false"}}},
		LoadingScreen: LoadingScreen{BackgroundColor: &Color{A: 255}, Image: &image},
		InputProfile:  "config/keys.json", PluginsFolder: "addons", MaxFramesPerSecond: 144,
		PauseWhenInactive: true, ShowPerformanceOverlay: true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("game (-want +got):\n%s", diff)
	}
	if s := got.TextureFilter.String() + got.Renderer.String() + got.ClearColor.String(); s != "7vulkan#80102030" {
		t.Errorf("the words are %s", s)
	}
	if v, ok := got.StartScene.Parameter("a"); !ok || !strings.HasPrefix(v, "{") {
		t.Errorf("the parameter a is %q, %v", v, ok)
	}
	if v, ok := got.StartScene.Parameter("gone"); ok {
		t.Errorf("the parameter gone is %q", v)
	}
}

func TestStartSceneForms(t *testing.T) {
	tests := []struct {
		text string
		want StartScene
	}{
		{`"scenes/a.tscene"`, StartScene{"scene", []Parameter{{"path", "scenes/a.tscene"}}}},
		{`"a.TScene"`, StartScene{"scene", []Parameter{{"path", "a.TScene"}}}},
		{`".tscene"`, StartScene{"scene", []Parameter{{"path", ".tscene"}}}},
		{`"tscene"`, StartScene{Name: "tscene"}},
		{`""`, StartScene{}},
		{`{"name": "scene", "parameters": {"guid": "{0}"}}`, StartScene{"scene", []Parameter{{"guid", "{0}"}}}},
		{`{"name": "x", "parameters": null}`, StartScene{Name: "x"}},
		{`{"name": "x"}`, StartScene{Name: "x"}},
		{`null`, StartScene{Name: "map"}},
	}
	for _, test := range tests {
		game, err := ParseGame([]byte(`{"startScene": ` + test.text + `}`))
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if diff := cmp.Diff(test.want, game.StartScene); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.text, diff)
		}
	}
}

func TestNullsThatMeanDefaults(t *testing.T) {
	for _, text := range []string{
		"null", "{}", "\ufeff{}\r\n// end",
		`{"title": null, "view": null, "startScene": null, "loadingScreen": null, "inputProfile": null, "pluginsFolder": null}`,
	} {
		game, err := ParseGame([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if diff := cmp.Diff(DefaultGame(), game); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestGameFaults(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"cut off", "{\n  \"title\": \"a\n", "(2,12): "},
		{"empty", "", "(1,1): "},
		{"a list", " []", "(1,2): the document: expected an object, found a list"},
		{"title as a number", "{\n\t\"title\": 5\n}", "(2,11): title: expected a text, found a number"},
		{"half a surrogate pair", `{"title": "\ud83d"}`, "(1,11): title: expected a text, found"},
		{"width with a fraction", `{"windowWidth": 1280.0}`, "(1,17): windowWidth: expected a whole number, found"},
		{"width of 64 bits", `{"windowWidth": 3000000000}`, "(1,17): windowWidth: expected a whole number of 32 bits"},
		{"null width", `{"windowWidth": null}`, "(1,17): windowWidth: expected a whole number, found null"},
		{"null boolean", `{"vSync": null}`, "(1,11): vSync: expected true or false, found null"},
		{"boolean as a text", `{"pauseWhenInactive": "yes"}`, "(1,23): pauseWhenInactive: expected true or false, found a text"},
		{"unknown renderer", `{"renderer": "opengl"}`, `(1,14): renderer: expected auto, vulkan or skia, found "opengl"`},
		{"renderer with a fraction", `{"renderer": 1.5}`, "(1,14): renderer: expected a whole number"},
		{"null renderer", `{"renderer": null}`, "(1,14): renderer: expected auto, vulkan or skia, found null"},
		{"filter as a list", `{"textureFilter": []}`, "(1,19): textureFilter: expected linear or nearest, found a list"},
		{"scale mode by number", `{"view": {"scaleMode": 1}}`, "(1,24): view.scaleMode: expected fit, expand, crop or none, found a number"},
		{"color that is none", `{"clearColor": "#12345"}`, `(1,16): clearColor: expected a color such as #0E0F12, found "#12345"`},
		{"color with a sign", `{"clearColor": "#+12345"}`, "(1,16): clearColor: expected a color"},
		{"color as a number", `{"clearColor": 123}`, "(1,16): clearColor: expected a color such as #0E0F12, found a number"},
		{"null color", `{"clearColor": null}`, "(1,16): clearColor: expected a color such as #0E0F12, found null"},
		{"loading color", `{"loadingScreen": {"foregroundColor": ""}}`, `(1,39): loadingScreen.foregroundColor: expected a color such as #0E0F12, found ""`},
		{"loading screen as a text", `{"loadingScreen": "x"}`, "(1,19): loadingScreen: expected an object, found a text"},
		{"image as a number", `{"loadingScreen": {"image": 1}}`, "(1,29): loadingScreen.image: expected a text, found a number"},
		{"view as a list", `{"view": []}`, "(1,10): view: expected an object, found a list"},
		{"view without width", "{\n  \"view\": {\n    \"width\": 0\n  }\n}", "(3,14): view.width must be positive, found 0"},
		{"view height", `{"view": {"height": -1}}`, "(1,21): view.height must be positive, found -1"},
		{"one overlay size", `{"view": {"overlayWidth": 100}}`, "(1,27): view.overlayHeight is missing"},
		{"the other overlay size", `{"view": {"overlayHeight": 100, "overlayWidth": null}}`, "(1,28): view.overlayWidth is missing"},
		{"overlay of nothing", `{"view": {"overlayHeight": 100, "overlayWidth": 0}}`, "(1,49): view.overlayWidth must be positive, found 0"},
		{"start scene as a number", `{"startScene": 5}`, "(1,16): startScene: expected a text or an object, found a number"},
		{"start scene without name", `{"startScene": {"parameters": {}}}`, "(1,16): startScene: an object needs the name of a scene"},
		{"start scene with a null name", `{"startScene": {"name": null}}`, "(1,16): startScene: an object needs the name of a scene"},
		{"start scene with a number as name", `{"startScene": {"name": 1}}`, "(1,25): startScene.name: expected a text, found a number"},
		{"parameters as a list", `{"startScene": {"name": "a", "parameters": []}}`, "(1,44): startScene.parameters: expected an object, found a list"},
		{"65 levels", strings.Repeat(`{"a":`, 65), "(1,321): "},
		{"columns count characters", `{"title": "日本", "vSync": 0}`, "(1,26): vSync"},
		{"the last of a repeated name counts", `{"vSync": true, "vSync": 1}`, "(1,26): vSync"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			game, err := ParseGame([]byte(test.text))
			var faulty *FileError
			if !errors.As(err, &faulty) || !errors.Is(err, formats.ErrDamaged) {
				t.Fatalf("the error is %v", err)
			}
			if len(faulty.Faults) != 1 {
				t.Errorf("%d faults: %v", len(faulty.Faults), err)
			}
			faulty.File = "game.json"
			if want := "game.json" + test.want; !strings.HasPrefix(err.Error(), want) {
				t.Errorf("the error is  %s\nwant %s", err, want)
			}
			if diff := cmp.Diff(DefaultGame(), game); diff != "" {
				t.Errorf("a faulty file gave (-default +got):\n%s", diff)
			}
		})
	}
	_, err := ParseGame([]byte("{\"vSync\": 1,\n\"view\": {\"height\": 0, \"width\": \"x\"}}"))
	want := "line 1, column 11: vSync: expected true or false, found a number\n" +
		"line 2, column 20: view.height must be positive, found 0\n" +
		"line 2, column 32: view.width: expected a whole number, found a text"
	if err == nil || err.Error() != want {
		t.Errorf("the faults are\n%v\nwant\n%s", err, want)
	}
}

func FuzzParseGame(f *testing.F) {
	f.Add([]byte(`{"title": "T", "view": {"width": 1, "height": 2, "scaleMode": "CROP", "overlayWidth": 1, "overlayHeight": 1}, "clearColor": "#abc"}`))
	f.Add([]byte(`{"startScene": {"name": "map", "parameters": {"a": [1, {"b": null}], "c": "d", "a": null}}, "renderer": 2}`))
	f.Add([]byte("\ufeff// c\n{\"startScene\": \"x.tscene\", /* */ \"loadingScreen\": {\"image\": \"a\\ud800\"},}"))
	f.Add([]byte(`{"clearColor": "é12", "startScene": "é.tscen"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		game, err := ParseGame(text)
		if err != nil {
			var faulty *FileError
			if !errors.As(err, &faulty) || len(faulty.Faults) == 0 || !errors.Is(err, formats.ErrDamaged) {
				t.Errorf("refused with %v", err)
			}
			for _, fault := range faulty.Faults {
				if fault.Line < 1 || fault.Line > 1+strings.Count(string(text), "\n") || fault.Column < 1 {
					t.Errorf("a fault at %d,%d", fault.Line, fault.Column)
				}
			}
			return
		}
		if game.View != nil && (game.View.Width < 1 || game.View.Height < 1 || (game.View.OverlayWidth == nil) != (game.View.OverlayHeight == nil)) {
			t.Errorf("accepted the view %+v", game.View)
		}
		if c, err := ParseColor(game.ClearColor.String()); err != nil || c != game.ClearColor {
			t.Errorf("the color %v does not come back: %v, %v", game.ClearColor, c, err)
		}
	})
}
