package project

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/examples"
	"talebinder/platforms"
	"talebinder/project/problem"
)

// A tree is a project as a map of path to text; a path that ends in a slash is a folder.
type tree map[string]string

// write puts the tree into a new folder.
func (files tree) write(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for path, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(path))
		folder := filepath.Dir(full)
		if strings.HasSuffix(path, "/") {
			folder = full
		}
		if err := os.MkdirAll(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		if folder == full {
			continue
		}
		if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// with gives a tree with more files; a text of "-" takes one away.
func (files tree) with(more tree) tree {
	all := tree{}
	for path, text := range files {
		all[path] = text
	}
	for path, text := range more {
		if text == "-" {
			delete(all, path)
		} else {
			all[path] = text
		}
	}
	return all
}

func open(t testing.TB, dir string) *Project {
	t.Helper()
	p, err := Open(context.Background(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func meta(id int) string { return fmt.Sprintf("{\n  \"version\": 1,\n  \"guid\": \"%032x\"\n}", id) }

// small is a project with which everything is fine, down to its metas.
var small = tree{
	"build.json": `{
  "scenes": [
    { "path": "scenes/two.tscene" }
  ]
}`,
	"assets/config/game.json":       "{\n  \"title\": \"Small\",\n  \"startScene\": \"scenes/one.tscene\"\n}",
	"assets/config/game.json.meta":  meta(1),
	"assets/config.meta":            strings.Replace(meta(2), "\"\n}", "\",\n  \"folder\": true\n}", 1),
	"assets/scenes.meta":            strings.Replace(meta(3), "\"\n}", "\",\n  \"folder\": true\n}", 1),
	"assets/scenes/one.tscene":      "{}",
	"assets/scenes/one.tscene.meta": sceneMeta(4),
	"assets/scenes/two.tscene":      "{}",
	"assets/scenes/two.tscene.meta": sceneMeta(5),
	"assets/picture.png":            "not really",
	"assets/picture.png.meta":       strings.Replace(meta(6), "\"\n}", "\",\n  \"importer\": \"texture\",\n  \"importerVersion\": 1,\n  \"labels\": [\n    \"Art\"\n  ]\n}", 1),
}

func sceneMeta(id int) string {
	return strings.Replace(meta(id), "\"\n}", "\",\n  \"importer\": \"scenedocument\",\n  \"importerVersion\": 1\n}", 1)
}

// list gives problems as lines.
func list(all []problem.Problem) []string {
	lines := []string{}
	for _, p := range all {
		line := fmt.Sprintf("%s %s %s", p.Level, p.Code, p)
		if p.Hint != "" {
			line += " | " + p.Hint
		}
		lines = append(lines, line)
	}
	return lines
}

func TestSmallProjectIsFine(t *testing.T) {
	p := open(t, small.write(t))
	if p.Title() != "Small" || p.GameErr != nil || p.Build.Err() != nil || p.Assets.Len() != 6 {
		t.Errorf("%q, %v, %v, %d assets", p.Title(), p.GameErr, p.Build.Err(), p.Assets.Len())
	}
	if got := list(p.Problems()); len(got) > 0 {
		t.Errorf("problems:\n%s", strings.Join(got, "\n"))
	}
	if got := list(p.Check("")); len(got) > 0 {
		t.Errorf("check:\n%s", strings.Join(got, "\n"))
	}
	if got := p.ValidateBuild(p.Build.Settings()); len(got) > 0 {
		t.Errorf("validate: %v", got)
	}
}

func TestFind(t *testing.T) {
	dir := small.with(tree{
		"builds/Small-linux-x64/game/config/game.json": "{}",
		"assets/deep/er/note.txt":                      "",
		"assets/deep/inner/assets/config/game.json":    "{}",
		"assets/deep/inner/assets/a/b.txt":             "",
	}).write(t)
	for _, at := range []string{
		".", "build.json", "assets", "assets/config", "assets/config/game.json", "assets/scenes/one.tscene", "assets/deep/er",
		"assets/deep/er/note.txt", "builds/Small-linux-x64/game", "assets/deep/er/../../..",
	} {
		if got, err := Find(filepath.Join(dir, filepath.FromSlash(at))); got != dir || err != nil {
			t.Errorf("%s: found %s, %v", at, got, err)
		}
	}
	inner := filepath.Join(dir, "assets", "deep", "inner")
	if got, err := Find(filepath.Join(inner, "assets", "a", "b.txt")); got != inner || err != nil {
		t.Errorf("the inner project: found %s, %v", got, err)
	}
	t.Chdir(filepath.Join(dir, "assets", "scenes"))
	if got, err := Find("."); err != nil || realPath(got) != realPath(dir) {
		t.Errorf("a relative path: found %s, %v", got, err)
	}
}

func TestFindRefusesInPlainWords(t *testing.T) {
	dir := tree{
		"empty/":   "",
		"file.txt": "",
		"parent/game one/assets/config/game.json": "{}",
		"many/a/assets/config/game.json":          "{}",
		"many/b/assets/config/game.json":          "{}",
		"exported/launcher.json":                  "{}",
		"exported/game/content.tspack":            "",
		"half/assets/config/input.json":           "{}",
		"bare/assets/":                            "",
		"folder/assets/config/game.json/":         "",
	}.write(t)
	tests := []struct{ path, looked, hint string }{
		{"empty", "there is no assets/config/game.json in DIR/empty or in a folder above it", "Open the folder that holds assets, or anything inside it."},
		{"file.txt", "there is no assets/config/game.json in DIR or", "Open the folder that holds assets"},
		{"parent", "no assets/config/game.json", "The folder game one in it is a project: open that one."},
		{"many", "no assets/config/game.json", "2 folders in it are projects"},
		{"exported", "no assets/config/game.json", "This is an exported game."},
		{"exported/game", "no assets/config/game.json", "This is an exported game."},
		{"half", "no assets/config/game.json", "game.json is missing in it"},
		{"bare", "no assets/config/game.json", "config/game.json is missing in it"},
		{"folder", "no assets/config/game.json", "game.json is missing in it"},
		{"nowhere", "it does not exist", "moved or renamed"},
		{"file.txt/x", "", ""},
	}
	for _, test := range tests {
		t.Run(test.path, func(t *testing.T) {
			path := filepath.Join(dir, filepath.FromSlash(test.path))
			_, err := Open(context.Background(), path, Options{})
			var not *NotProjectError
			if !errors.As(err, &not) || not.Path != path {
				t.Fatalf("the error is %v", err)
			}
			text := filepath.ToSlash(strings.ReplaceAll(err.Error(), dir, "DIR"))
			if !strings.HasPrefix(text, "DIR/"+test.path+" is not a Talesmith project: ") || !strings.Contains(text, test.looked) || !strings.Contains(text, test.hint) {
				t.Errorf("the message is %s", text)
			}
		})
	}
}

func TestFindWithoutPermission(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("permissions do not bind this user")
	}
	dir := small.write(t)
	if err := os.Chmod(filepath.Join(dir, "assets"), 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "assets"), 0o777) })
	_, err := Find(dir)
	if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "Check the permissions") {
		t.Errorf("the error is %v", err)
	}
}

func TestBrokenFilesAreProblems(t *testing.T) {
	dir := small.with(tree{
		"build.json":                     "{\n  \"version\": 1,\n  \"scenes\": {}\n}",
		"assets/config/game.json":        "{\n  \"view\": { \"width\": 0 },\n  \"vSync\": 1,\n}",
		"assets/config/plugins.json":     "",
		"assets/plugins/p/plugin.json":   "{",
		"assets/scenes/two.tscene.meta":  "{",
		"assets/scenes/three.tscene":     `{"a": "00000000000000000000000000000099"}`,
		"assets/scenes/gone.tscene.meta": sceneMeta(7),
	}).write(t)
	p := open(t, dir)
	if p.GameErr == nil || p.Build.Err() == nil || p.Plugins.ConfigErr() == nil || p.Title() != "Talesmith Game" {
		t.Errorf("%v, %v, %v, %q", p.GameErr, p.Build.Err(), p.Plugins.ConfigErr(), p.Title())
	}
	want := []string{
		"error game-invalid assets/config/game.json(2,22): view.width must be positive, found 0",
		"error game-invalid assets/config/game.json(3,12): vSync: expected true or false, found a number",
		"error plugins-config-invalid assets/config/plugins.json(1,1): ",
		"error build-invalid build.json(2,14): version: expected a text, found a number",
		"error build-invalid build.json(3,13): scenes: expected a list, found an object",
		"warning plugin-failed assets/plugins/p/plugin.json(1,2): the plugin p does not ship: plugin.json is not valid: ",
		"warning meta-invalid assets/scenes/two.tscene.meta",
	}
	problems := list(p.Problems())
	for _, prefix := range want {
		if !slices.ContainsFunc(problems, func(line string) bool { return strings.HasPrefix(line, prefix) }) {
			t.Errorf("there is no problem %q in\n%s", prefix, strings.Join(problems, "\n"))
		}
	}
	if !slices.IsSortedFunc(p.Problems(), func(a, b problem.Problem) int { return int(b.Level) - int(a.Level) }) {
		t.Errorf("errors do not come first:\n%s", strings.Join(problems, "\n"))
	}
	check := list(p.Check("linux-x64"))
	for _, prefix := range want {
		if !slices.ContainsFunc(check, func(line string) bool { return strings.HasPrefix(line, prefix) }) {
			t.Errorf("the check does not say %q:\n%s", prefix, strings.Join(check, "\n"))
		}
	}
	for _, code := range []string{"reference-missing", "meta-stray", "meta-missing"} {
		if slices.ContainsFunc(p.Check(""), func(p problem.Problem) bool { return p.Code == code }) {
			t.Errorf("an export says %s, which concerns only the project", code)
		}
	}
}

func TestUnreadableSettings(t *testing.T) {
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip("there are no devices here")
	}
	dir := small.with(tree{"assets/config/game.json": "-", "build.json": "-"}).write(t)
	for _, path := range []string{"assets/config/game.json", "assets/config/plugins.json", "build.json"} {
		if err := os.Symlink("/dev/zero", filepath.Join(dir, filepath.FromSlash(path))); err != nil {
			t.Skip(err)
		}
	}
	p := open(t, dir)
	got := list(p.Check(""))
	for _, want := range []string{
		"error game-invalid assets/config/game.json: the file cannot be read: ",
		"error plugins-config-invalid assets/config/plugins.json: config/plugins.json is not valid: the file cannot be read: ",
		"error build-invalid build.json: the file cannot be read: ",
	} {
		if !slices.ContainsFunc(got, func(line string) bool { return strings.HasPrefix(line, want) }) {
			t.Errorf("the check does not say %q:\n%s", want, strings.Join(got, "\n"))
		}
	}
}

func TestCheck(t *testing.T) {
	game := func(rest string) tree {
		return tree{"assets/config/game.json": "{\n  \"title\": \"Small\",\n  " + rest + "\n}"}
	}
	build := func(text string) tree { return tree{"build.json": text} }
	tests := []struct {
		name  string
		files tree
		want  []string
	}{
		{"no build.json", tree{"build.json": "-"}, nil},
		{"start scene gone", game(`"startScene": "scenes/zero.tscene"`), []string{
			"error start-scene-missing assets/config/game.json(3,17): the start scene scenes/zero.tscene does not exist | Choose another start scene in the project settings, or bring the file back."}},
		{"start scene with another case", game(`"startScene": "Scenes/One.tscene"`), []string{
			"error start-scene-missing assets/config/game.json(3,17): the start scene Scenes/One.tscene does not exist | scenes/one.tscene exists with another case."}},
		{"start scene that leaves", game(`"startScene": "../one.tscene"`), []string{
			`error path-leaves assets/config/game.json(3,17): the start scene "../one.tscene" leaves the asset folder | Paths are relative to the folder assets and stay in it.`}},
		{"start scene in other words", game(`"startScene": "\\scenes/./one.tscene"`), nil},
		{"start scene as a picture", game(`"startScene": {"name": "scene", "parameters": {"path": "picture.png"}}`), []string{
			"warning start-scene-kind assets/config/game.json(3,58): the start scene picture.png is not a scene but: Texture | Choose a .tscene file."}},
		{"start scene by guid", game(`"startScene": {"name": "scene", "parameters": {"guid": "{00000000-0000-0000-0000-000000000004}"}}`), nil},
		{"start scene by an unknown guid", game(`"startScene": {"name": "scene", "parameters": {"guid": "0000000000000000000000000000000f"}}`), []string{
			"error start-scene-missing assets/config/game.json(3,58): the start scene with the guid 0000000000000000000000000000000f does not exist | Name the scene by its path, or bring its file and .meta back."}},
		{"start scene by no guid", game(`"startScene": {"name": "scene", "parameters": {"guid": "five"}}`), []string{
			`error start-scene-missing assets/config/game.json(3,58): the start scene's guid "five" is not a guid | Name the scene by its path, or copy the guid from its .meta file.`}},
		{"start scene by the zero guid", game(`"startScene": {"name": "scene", "parameters": {"guid": "00000000000000000000000000000000"}}`), []string{
			`error start-scene-missing assets/config/game.json(3,58): the start scene's guid "00000000000000000000000000000000" is not a guid | Name the scene by its path, or copy the guid from its .meta file.`}},
		{"path goes before guid", game(`"startScene": {"name": "scene", "parameters": {"guid": "five", "path": "scenes/one.tscene"}}`), nil},
		{"start scene with nothing", game(`"startScene": "scene"`), []string{
			`error start-scene-missing assets/config/game.json(3,17): the start scene "scene" has neither a path nor a guid | Add the parameter "path" with the path of a .tscene file.`}},
		{"another start scene", game(`"startScene": {"name": "map", "parameters": {"a": " scenes/one.tscene ; ;hello.png world;x.unknown;", "b": 5}}`), nil},
		{"another start scene with files that are not there", game(`"startScene": {"name": "map", "parameters": {"a": "picture.png;maps/a.hexy;Picture.png;../b.wav"}}`), []string{
			"error start-scene-missing assets/config/game.json(3,53): the start scene's parameter a names maps/a.hexy, which does not exist | Correct the parameter in the project settings, or bring the file back.",
			"error start-scene-missing assets/config/game.json(3,53): the start scene's parameter a names Picture.png, which does not exist | picture.png exists with another case.",
			`error path-leaves assets/config/game.json(3,53): the start scene's parameter a names "../b.wav", which leaves the asset folder | Paths are relative to the folder assets and stay in it.`}},
		{"loading image", game(`"startScene": "x", "loadingScreen": {"image": "picture.png"}`), nil},
		{"no loading image", game(`"startScene": "x", "loadingScreen": {"image": ""}`), nil},
		{"loading image gone", game(`"startScene": "x", "loadingScreen": {"image": "pictures.png"}`), []string{
			"warning loading-image assets/config/game.json(3,49): the loading screen's image pictures.png does not exist | picture.png exists."}},
		{"loading image of another kind", game(`"startScene": "x", "loadingScreen": {"image": "scenes/one.tscene"}`), []string{
			"warning loading-image assets/config/game.json(3,49): the loading screen's image scenes/one.tscene is not a picture but: Scene | Without a picture the player shows the title."}},
		{"loading image that leaves", game(`"startScene": "x", "loadingScreen": {"image": "a/../../b.png"}`), []string{
			`error path-leaves assets/config/game.json(3,49): the loading screen's image "a/../../b.png" leaves the asset folder | Paths are relative to the folder assets and stay in it.`}},
		{"scenes", build("{\n\"scenes\": [\n {\"path\": \"scenes/Two.tscene\"},\n {\"path\": \"nowhere\", \"enabled\": false},\n {\"path\": \"picture.png\"},\n {},\n {\"path\": \"..\"},\n {\"path\": \"scenes\"}\n]}"), []string{
			"error scene-missing build.json(3,2): the scene scenes/Two.tscene does not exist | scenes/two.tscene exists with another case.",
			"error scene-kind build.json(5,2): picture.png is not a scene but: Texture | Choose a .tscene file, or move the entry to the files that are always included.",
			"error scene-path build.json(6,2): scene 4 of the list has no path | Choose a scene, or take the row off the list.",
			`error path-leaves build.json(7,2): the scene ".." leaves the asset folder | Paths are relative to the folder assets and stay in it.`,
			"error scene-kind build.json(8,2): scenes is not a scene but: Folder | Choose a .tscene file, or move the entry to the files that are always included."}},
		{"icon", build(`{"icon": "picture.png"}`), nil},
		{"icon outside", build(`{"icon": "../assets/picture.png"}`), nil},
		{"empty icon", build(`{"icon": ""}`), nil},
		{"icon gone", build(`{"icon": "art/Picture.png"}`), []string{
			"warning icon-missing build.json(1,10): the icon art/Picture.png does not exist | picture.png exists."}},
		{"icon as a folder", build(`{"icon": "scenes"}`), []string{
			"warning icon-missing build.json(1,10): the icon scenes is not a file | Choose a PNG file."}},
		{"icon of another kind", build(`{"icon": "scenes/one.tscene"}`), []string{
			"warning icon-kind build.json(1,10): the icon scenes/one.tscene does not end in .png | Choose a PNG file; without one the game has no icon."}},
		{"plugins.json", tree{"assets/config/plugins.json": "{\"disabled\": 1}"}, []string{
			"error plugins-config-invalid assets/config/plugins.json(1,14): config/plugins.json is not valid: disabled: expected a list, found a number | Correct the file; until then every plugin counts as its manifest says."}},
		{"a plugin", tree{"assets/plugins/p/": ""}, []string{"warning plugin-failed assets/plugins/p: the plugin p does not ship: it has no plugin.json"}},
		{"plugins folder", game(`"startScene": "x", "pluginsFolder": "../p"`), []string{
			`error plugins-folder assets/config/game.json: the plugins folder "../p" cannot be used: "../p": the path leaves the asset folder | Name a folder below assets, such as "plugins".`}},
		{"target", build(`{"target": "ps5"}`), []string{
			fmt.Sprintf(`warning target-unknown build.json(1,12): the target "ps5" is not known: the build is for this computer, %s | The targets are win-x64, linux-x64, osx-arm64, osx-x64.`, platforms.Host().ID)}},
		{"target in capitals", build(`{"target": "LINUX-X64"}`), nil},
		{"what is only left out", build(`{"alwaysInclude": ["nowhere"], "version": "", "outputFolder": "assets"}`), nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.Contains(test.name, "case") {
				t.Skip("paths are equal there whatever the case")
			}
			p := open(t, small.with(test.files).write(t))
			got := list(p.Check(""))
			if test.want == nil {
				test.want = []string{}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("check (-want +got):\n%s", diff)
			}
		})
	}
	p := open(t, small.with(build(`{"target": "ps5"}`)).write(t))
	if got := p.Check("linux-x64"); len(got) > 0 {
		t.Errorf("with a target of its own: %v", got)
	}
}

func TestScanFindingsThatAnExportRepeats(t *testing.T) {
	p := open(t, small.with(tree{
		"assets/scenes/one.tscene.meta": sceneMeta(5),
		"assets/picture.png.meta":       "{",
		"assets/other.txt":              "no meta",
	}).write(t))
	var codes []string
	for _, found := range p.Check("") {
		codes = append(codes, found.Code)
	}
	slices.Sort(codes)
	if !slices.Equal(codes, []string{"guid-duplicate", "meta-invalid"}) {
		t.Errorf("the check says %v", list(p.Check("")))
	}
}

// hashes gives the SHA-256, the size and the time of everything in a folder.
func hashes(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		line := fmt.Sprint(info.Mode(), info.ModTime().UnixNano())
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			line += fmt.Sprintf(" %x", sha256.Sum256(data))
		}
		all[path] = line
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// use does everything with a project that must not write.
func use(t *testing.T, dir string) *Project {
	t.Helper()
	before := hashes(t, dir)
	p := open(t, dir)
	p.Problems()
	p.Check("")
	p.Repairs()
	p.ValidateBuild(p.Build.Settings())
	fresh, err := p.Refreshed(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := fresh.Rescan(context.Background(), Options{Workers: 1}); err != nil {
		t.Fatal(err)
	}
	if err := p.Build.Save(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, hashes(t, dir)); diff != "" {
		t.Errorf("opening and checking changed the project (-before +after):\n%s", diff)
	}
	return p
}

func TestOpeningTheExampleChangesNothing(t *testing.T) {
	dir, err := examples.Extract(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := use(t, dir)
	for _, found := range append(p.Problems(), p.Check("")...) {
		if found.Level == problem.Error {
			t.Errorf("the example has an error: %v", found)
		}
	}
}

func TestOpeningLanternGroveChangesNothing(t *testing.T) {
	sample := filepath.Join("..", "..", "shared", "samples", "LanternGrove")
	if _, err := os.Stat(sample); err != nil {
		t.Skip("no sample project: ", err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(sample)); err != nil {
		t.Fatal(err)
	}
	p := use(t, dir)
	if p.Title() != "Lantern Grove" || p.Game.TextureFilter != FilterNearest || p.Game.View.OverlayHeight == nil {
		t.Errorf("the game is %+v", p.Game)
	}
	if got := list(p.Check("")); len(got) > 0 {
		t.Errorf("the check says\n%s", strings.Join(got, "\n"))
	}
	for _, found := range p.Problems() {
		if found.Level == problem.Error {
			t.Errorf("an error: %v", found)
		}
	}
	settings := p.Build.Settings()
	if got, want := string(settings.Text()), string(p.Build.Text()); got != want {
		t.Errorf("the engine's own file is written as\n%s", got)
	}
	t.Logf("%d assets, %d problems", p.Assets.Len(), len(p.Problems()))
}

func TestABrokenProjectIsNotChangedEither(t *testing.T) {
	use(t, small.with(tree{
		"build.json":                                     "{",
		"assets/config/game.json":                        "[",
		"assets/config/plugins.json":                     "}",
		"assets/scenes/two.tscene.meta":                  "{",
		"assets/fresh.png":                               "",
		"builds/.Small-linux-x64.previous/launcher.json": "{}",
	}).write(t))
}

func TestInterruptedBuild(t *testing.T) {
	dir := small.with(tree{
		"builds/.Small-linux-x64.previous/launcher.json": "{}",
		"builds/.Other-win-x64.previous/launcher.json":   "{}",
		"builds/Other-win-x64/launcher.json":             "{}",
		"builds/.unrelated.previous/x":                   "",
		"builds/.Small-osx-x64.previous":                 "a file",
		"builds/.Small-linux-x64.staging/launcher.json":  "{}",
	}).write(t)
	p := open(t, dir)
	found := p.Problems()
	want := []string{"warning build-interrupted builds/.Small-linux-x64.previous: an export was ended before it could replace the build Small-linux-x64" +
		" | The previous build is complete and can be put back; the next export does so too."}
	if diff := cmp.Diff(want, list(found)); diff != "" {
		t.Fatalf("problems (-want +got):\n%s", diff)
	}
	if repairs := p.Repairs(); len(repairs) != 1 || repairs[0].ID != found[0].Repair {
		t.Errorf("the repairs are %+v", repairs)
	}
	for _, id := range []string{"previous-build:Other-win-x64", "previous-build:../x-win-x64", "previous-build:a/b-win-x64", "previous-build:unrelated", "nonsense"} {
		if err := p.Repair(id); err == nil {
			t.Errorf("the repair %s was done", id)
		}
	}
	if err := p.Repair(found[0].Repair); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "builds", "Small-linux-x64", "launcher.json")); err != nil {
		t.Errorf("the build is not back: %v", err)
	}
	if got := list(p.Problems()); len(got) > 0 {
		t.Errorf("afterwards: %v", got)
	}
}

func TestInterruptedWrite(t *testing.T) {
	dir := small.with(tree{
		"build.json":                      "-",
		".build.json.bak":                 `{"version": "5"}`,
		"assets/config/.plugins.json.bak": `{"disabled": []}`,
		"assets/config/plugins.json":      `{}`,
		"assets/config/plugins.json.meta": meta(8),
		"assets/config/.nothing.json.bak": "",
	}).write(t)
	p := open(t, dir)
	want := []string{"warning settings-backup build.json: the file is missing, but the backup of an interrupted write is there: .build.json.bak" +
		" | The repair brings the file back. Until then its settings are the defaults."}
	found := p.Problems()
	if diff := cmp.Diff(want, list(found)); diff != "" {
		t.Fatalf("problems (-want +got):\n%s", diff)
	}
	if repairs := p.Repairs(); len(repairs) != 1 || repairs[0].ID != found[0].Repair {
		t.Errorf("the repairs are %+v", repairs)
	}
	for _, id := range []string{"backup:assets/config/plugins.json", "backup:assets/config/.nothing.json", "backup:../x"} {
		if err := p.Repair(id); err == nil {
			t.Errorf("the repair %s was done", id)
		}
	}
	if err := p.Repair(found[0].Repair); err != nil {
		t.Fatal(err)
	}
	if err := p.Build.Reload(); err != nil || p.Build.Settings().Version != "5" || len(p.Problems()) > 0 {
		t.Errorf("afterwards: %v, %+v, %v", err, p.Build.Settings(), p.Problems())
	}
}

func TestRepairOfAssets(t *testing.T) {
	dir := small.with(tree{"assets/fresh.txt": "new"}).write(t)
	p := open(t, dir)
	repairs := p.Repairs()
	if len(repairs) != 1 {
		t.Fatalf("the repairs are %+v", repairs)
	}
	if err := p.Repair(repairs[0].ID); err != nil {
		t.Fatal(err)
	}
	if err := p.Rescan(context.Background(), Options{}); err != nil {
		t.Fatal(err)
	}
	if got := list(p.Problems()); len(got) > 0 {
		t.Errorf("afterwards: %v", got)
	}
}

func TestRefreshedKeepsTheEdits(t *testing.T) {
	dir := small.write(t)
	p := open(t, dir)
	if err := p.Build.Change("Change version", "", func(s *BuildSettings) { s.Version = "7" }); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "assets", "config", "game.json"), []byte(`{"title": "Large", "startScene": "x"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	fresh, err := p.Refreshed(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if fresh.Title() != "Large" || p.Title() != "Small" || fresh.Build != p.Build || fresh.Build.Settings().Version != "7" {
		t.Errorf("%q, %q, %+v", fresh.Title(), p.Title(), fresh.Build.Settings())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := p.Rescan(ctx, Options{}); !errors.Is(err, context.Canceled) || p.Title() != "Small" || p.Assets == nil {
		t.Errorf("a cancelled rescan gives %v, %q", err, p.Title())
	}
}

func TestProgress(t *testing.T) {
	var steps []string
	_, err := Open(context.Background(), small.write(t), Options{Progress: func(step, _ string, done, total int) {
		if done < 0 || total > 0 && done > total {
			t.Errorf("%s: %d of %d", step, done, total)
		}
		if len(steps) == 0 || steps[len(steps)-1] != step {
			steps = append(steps, step)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(steps, Steps()) {
		t.Errorf("the steps were %v", steps)
	}
}

// picture writes a PNG file of a size.
func picture(t *testing.T, path string, width, height int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
}

func TestValidateBuild(t *testing.T) {
	dir := small.with(tree{
		"assets/scenes/Two.tscene":     "{}",
		"assets/scripts/a.cs":          "",
		"assets/empty/":                "",
		"assets/plugins/p/plugin.json": `{"id": "p", "assembly": "p.dll", "contractVersion": 1}`,
		"file":                         "",
	}).write(t)
	for name, size := range map[string][2]int{"small": {64, 64}, "good": {512, 512}, "wide": {512, 256}} {
		picture(t, filepath.Join(dir, "assets", name+".png"), size[0], size[1])
	}
	picture(t, filepath.Join(dir, "outside.png"), 256, 256)
	if err := os.Symlink(filepath.Join(dir, "assets", "scenes"), filepath.Join(dir, "linked")); err != nil {
		t.Skip(err)
	}
	p := open(t, dir)
	tests := []struct {
		name   string
		change func(s *BuildSettings)
		want   []string
	}{
		{"nothing", func(*BuildSettings) {}, nil},
		{"target", func(s *BuildSettings) { s.Target = text("ps5") }, []string{"target warning target-unknown"}},

		{"version", func(s *BuildSettings) { s.Version = "1.0.0-beta" }, nil},
		{"empty version", func(s *BuildSettings) { s.Version = " " }, []string{"version error version-empty"}},
		{"version with a slash", func(s *BuildSettings) { s.Version = "1/2" }, []string{"version error version-shape"}},
		{"version with a backslash", func(s *BuildSettings) { s.Version = `1\2` }, []string{"version error version-shape"}},
		{"version with a line end", func(s *BuildSettings) { s.Version = "1\n" }, []string{"version error version-shape"}},
		{"version with a colon", func(s *BuildSettings) { s.Version = "1:2" }, []string{"version warning version-shape"}},
		{"version without numbers", func(s *BuildSettings) { s.Version = "beta" }, []string{"version info version-number"}},

		{"output in a folder", func(s *BuildSettings) { s.OutputFolder = "out/put" }, nil},
		{"output beside the project", func(s *BuildSettings) { s.OutputFolder = "../out" }, nil},
		{"output in assets", func(s *BuildSettings) { s.OutputFolder = "assets/builds" }, []string{"outputFolder error output-in-assets"}},
		{"output is assets", func(s *BuildSettings) { s.OutputFolder = "builds/../assets" }, []string{"outputFolder error output-in-assets"}},
		{"output in assets through a link", func(s *BuildSettings) { s.OutputFolder = "linked/builds" }, []string{"outputFolder error output-in-assets"}},
		{"output beside assets", func(s *BuildSettings) { s.OutputFolder = "assets2" }, nil},
		{"output is a file", func(s *BuildSettings) { s.OutputFolder = "file" }, []string{"outputFolder error output-not-folder"}},
		{"no output", func(s *BuildSettings) { s.OutputFolder = "" }, []string{"outputFolder warning output-empty"}},
		{"output elsewhere", func(s *BuildSettings) { s.OutputFolder = filepath.Join(filepath.Dir(dir), "elsewhere") }, []string{"outputFolder warning output-absolute"}},
		{"output inside with its full path", func(s *BuildSettings) { s.OutputFolder = filepath.Join(dir, "builds") }, []string{"outputFolder warning output-absolute"}},
		{"output of another system", func(s *BuildSettings) { s.OutputFolder = `D:\builds` }, []string{"outputFolder warning output-absolute"}},
		{"output with a NUL", func(s *BuildSettings) { s.OutputFolder = "a\x00b" }, []string{"outputFolder error output-folder"}},

		{"good icon", func(s *BuildSettings) { s.Icon = text("good.png") }, []string{"icon info icon-size"}},
		{"small icon", func(s *BuildSettings) { s.Icon = text("small.png") }, []string{"icon info icon-size"}},
		{"wide icon", func(s *BuildSettings) { s.Icon = text("wide.png") }, []string{"icon warning icon-shape"}},
		{"icon that is no picture", func(s *BuildSettings) { s.Icon = text("picture.png") }, []string{"icon warning icon-kind"}},
		{"icon of another kind", func(s *BuildSettings) { s.Icon = text("scripts/a.cs") }, []string{"icon warning icon-kind"}},
		{"missing icon", func(s *BuildSettings) { s.Icon = text("nowhere.png") }, []string{"icon warning icon-missing"}},
		{"icon outside", func(s *BuildSettings) { s.Icon = text("../outside.png") }, []string{"icon info icon-outside", "icon info icon-size"}},
		{"no icon", func(s *BuildSettings) { s.Icon = text("") }, nil},

		{"name", func(s *BuildSettings) { s.ExecutableName = text("Hex Quest") }, nil},
		{"name with a colon", func(s *BuildSettings) { s.ExecutableName = text("Hex: Quest") }, []string{"executableName info name-changed"}},
		{"empty name", func(s *BuildSettings) { s.ExecutableName = text("") }, []string{"executableName warning name-empty"}},
		{"reserved name", func(s *BuildSettings) { s.ExecutableName = text("com1") }, []string{"executableName warning name-reserved"}},
		{"name of the game folder", func(s *BuildSettings) { s.ExecutableName, s.Target = text("game"), text("linux-x64") }, []string{"executableName error name-clash"}},

		{"bundle identifier", func(s *BuildSettings) { s.BundleIdentifier = text("org.example.hex-quest2") }, nil},
		{"bundle identifier of one part", func(s *BuildSettings) { s.BundleIdentifier = text("hex") }, []string{"bundleIdentifier warning bundle-shape"}},
		{"bundle identifier with a space", func(s *BuildSettings) { s.BundleIdentifier = text("org.hex quest") }, []string{"bundleIdentifier warning bundle-shape"}},
		{"bundle identifier with an empty part", func(s *BuildSettings) { s.BundleIdentifier = text("org..hex") }, []string{"bundleIdentifier warning bundle-shape"}},
		{"empty bundle identifier for macOS", func(s *BuildSettings) { s.BundleIdentifier, s.Target = text(""), text("osx-arm64") }, []string{"bundleIdentifier error bundle-shape"}},

		{"scenes that are not there", func(s *BuildSettings) {
			s.Scenes = []SceneEntry{{"a.tscene", true}, {"b.tscene", false}, {"", true}, {"../c.tscene", false}, {"picture.png", true}}
		}, []string{"scenes/0 error scene-missing", "scenes/1 warning scene-missing", "scenes/2 error scene-path", "scenes/3 warning path-leaves", "scenes/4 error scene-kind"}},
		{"scene twice", func(s *BuildSettings) { s.Scenes = append(s.Scenes, SceneEntry{"/scenes//two.tscene", true}) }, []string{"scenes/1 warning scene-twice"}},
		{"two scenes that differ by case", func(s *BuildSettings) { s.Scenes = append(s.Scenes, SceneEntry{"scenes/Two.tscene", true}) }, []string{"scenes/1 error scene-case"}},
		{"one of them switched off", func(s *BuildSettings) { s.Scenes = append(s.Scenes, SceneEntry{"scenes/Two.tscene", false}) }, []string{"scenes/1 warning scene-case"}},
		{"one of them not there", func(s *BuildSettings) { s.Scenes = append(s.Scenes, SceneEntry{"SCENES/two.tscene", true}) }, []string{"scenes/1 error scene-missing", "scenes/1 warning scene-case"}},
		{"the start scene", func(s *BuildSettings) { s.Scenes = []SceneEntry{{"scenes/one.tscene", true}} }, []string{"scenes/0 info scene-start"}},

		{"includes", func(s *BuildSettings) { s.AlwaysInclude = []string{"scenes", "picture.png", "label:ART"} }, nil},
		{"includes that bring nothing", func(s *BuildSettings) {
			s.AlwaysInclude = []string{"nowhere", "Picture.png", "label:none", "label: ", " ", ".", "empty", "../x", " label:art"}
		}, []string{
			"alwaysInclude/0 warning always-include-missing", "alwaysInclude/1 warning always-include-missing", "alwaysInclude/2 warning include-label",
			"alwaysInclude/3 warning include-empty", "alwaysInclude/4 warning include-empty", "alwaysInclude/5 warning include-root",
			"alwaysInclude/6 warning include-empty", "alwaysInclude/7 error always-include-leaves", "alwaysInclude/8 warning always-include-missing",
		}},
		{"includes that ship otherwise", func(s *BuildSettings) {
			s.AlwaysInclude = []string{"config", "config/game.json", "plugins/p/x.png", "plugins", "scripts", "scripts/a.cs"}
		}, []string{
			"alwaysInclude/0 info include-needless", "alwaysInclude/1 info include-needless", "alwaysInclude/2 info include-needless",
			"alwaysInclude/3 info include-needless", "alwaysInclude/4 warning include-script", "alwaysInclude/5 warning include-script",
		}},
		{"includes twice", func(s *BuildSettings) { s.AlwaysInclude = []string{"scenes", "label:Art", "./scenes/", "LABEL:art"} }, []string{
			"alwaysInclude/2 warning include-twice", "alwaysInclude/3 warning include-twice",
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.Contains(test.name, "case") {
				t.Skip("paths are equal there whatever the case")
			}
			settings := p.Build.Settings()
			test.change(&settings)
			var got []string
			for _, f := range p.ValidateBuild(settings) {
				got = append(got, fmt.Sprintf("%s %s %s", f.Field, f.Level, f.Code))
				if f.Message == "" || f.File != BuildFile || f.Level > problem.Info && f.Hint == "" && f.Code != "output-folder" {
					t.Errorf("a finding that does not help: %+v", f)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestValidationMessages(t *testing.T) {
	dir := small.with(tree{"build.json": "{\n  \"icon\": \"icon.png\",\n  \"executableName\": \"a/b\"\n}"}).write(t)
	picture(t, filepath.Join(dir, "assets", "icon.png"), 300, 200)
	p := open(t, dir)
	var got []string
	for _, f := range p.ValidateBuild(p.Build.Settings()) {
		got = append(got, f.String())
	}
	want := []string{
		"build.json(3,21): the executable is named a b, so that all systems take the name",
		"build.json(2,11): the icon has 300 × 200 pixels and is not square",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	settings := p.Build.Settings()
	settings.AlwaysInclude = []string{"label:x"}
	for _, f := range p.ValidateBuild(settings) {
		if f.Code == "include-label" && f.Hint != "The project's labels are Art." {
			t.Errorf("the hint is %s", f.Hint)
		}
	}
}

func TestProblemsNameTheFieldsOfBuildJSON(t *testing.T) {
	p := open(t, small.with(tree{"build.json": `{"version": "a/b", "outputFolder": "assets", "icon": "gone.png", "scenes": [{}], "alwaysInclude": ["gone"]}`}).write(t))
	var codes []string
	for _, found := range p.Problems() {
		codes = append(codes, found.Code)
	}
	if !slices.Equal(codes, []string{"version-shape", "output-in-assets", "scene-path", "icon-missing"}) {
		t.Errorf("the problems are\n%s", strings.Join(list(p.Problems()), "\n"))
	}
}

func BenchmarkOpen(b *testing.B) {
	files := tree{"assets/config/game.json": `{"startScene": "scenes/0.tscene"}`}
	for i := range 2000 {
		files[fmt.Sprintf("assets/scenes/%d.tscene", i)] = fmt.Sprintf(`{"a": "%032x"}`, i)
		files[fmt.Sprintf("assets/scenes/%d.tscene.meta", i)] = sceneMeta(i + 1)
	}
	dir := files.write(b)
	b.ResetTimer()
	for b.Loop() {
		p, err := Open(context.Background(), dir, Options{})
		if err != nil {
			b.Fatal(err)
		}
		p.Problems()
	}
	b.ReportMetric(float64(len(files)-1)*float64(b.N)/b.Elapsed().Seconds(), "files/s")
}

func BenchmarkValidateBuild(b *testing.B) {
	files := small.with(tree{})
	settings := DefaultBuildSettings()
	for i := range 500 {
		files[fmt.Sprintf("assets/scenes/level%d.tscene", i)] = "{}"
		settings.Scenes = append(settings.Scenes, SceneEntry{fmt.Sprintf("scenes/level%d.tscene", i), true})
	}
	files["build.json"] = string(settings.Text())
	p := open(b, files.write(b))
	for b.Loop() {
		p.ValidateBuild(p.Build.Settings())
	}
}
