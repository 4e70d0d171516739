package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/formats/tspack"
	"talebinder/platforms"
	"talebinder/project/problem"
)

// repack writes a pack again with other files changed, added, or, when their content is "-", taken out.
func repack(t *testing.T, file string, changes tree) {
	t.Helper()
	order, content := readPack(t, file)
	for path := range changes {
		if _, ok := content[path]; !ok {
			order = append(order, path)
		}
	}
	slices.Sort(order[1:])
	content = content.with(changes)
	var sources []tspack.Source
	for _, path := range order {
		if text, ok := content[path]; ok {
			sources = append(sources, tspack.Source{Path: path, Size: -1, Open: func() (io.ReadCloser, error) {
				return io.NopCloser(strings.NewReader(text)), nil
			}})
		}
	}
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if _, err := tspack.Write(t.Context(), out, sources, tspack.WriterOptions{Compress: true}); err != nil {
		t.Fatal(err)
	}
}

// copyTree copies a folder to a temporary one.
func copyTree(t *testing.T, dir string) string {
	t.Helper()
	copied := filepath.Join(t.TempDir(), filepath.Base(dir))
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return copied
}

// verify gives what is wrong with a build, as "level code file".
func verify(t *testing.T, path string) (*Verification, []string) {
	t.Helper()
	v, err := VerifyBuild(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, p := range v.Problems {
		found = append(found, fmt.Sprintf("%s %s %s", p.Level, p.Code, p.File))
		if p.Message == "" || p.Level == problem.Error && p.Hint == "" {
			t.Errorf("nothing is said about %+v", p)
		}
	}
	return v, found
}

// change overwrites bytes of a file.
func change(t *testing.T, file string, edit func(b []byte) []byte) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, edit(text), 0o777); err != nil {
		t.Fatal(err)
	}
}

// entryOf finds an entry of a pack.
func entryOf(t *testing.T, file, path string) tspack.Entry {
	t.Helper()
	pack, err := OpenPack(file)
	if err != nil {
		t.Fatal(err)
	}
	defer pack.Close()
	e, ok, err := pack.Find(path)
	if err != nil || !ok {
		t.Fatal(path, err)
	}
	return e
}

func TestVerifyNoticesEveryKindOfDamage(t *testing.T) {
	dir := tidewater().write(t, t.TempDir())
	report, out, err := build(t, dir, BuildOptions{Target: "linux-x64", PlayersDir: plantPlayers(t, "program")})
	if err != nil {
		t.Fatal(err, out.lines)
	}
	sound := report.OutputDirectory
	const pack = "game/content.tspack"
	for _, c := range []struct {
		name   string
		damage func(t *testing.T, build string)
		want   []string
	}{
		{"none", func(*testing.T, string) {}, nil},
		{"no launcher", remove("launcher.json"), []string{"error launcher-missing launcher.json"}},
		{"a launcher that is no JSON", put("launcher.json", "{ gameFolder"), []string{"error launcher-invalid launcher.json"}},
		{"a launcher with another type", put("launcher.json", `{ "gameFolder": 5 }`), []string{"error launcher-invalid launcher.json"}},
		{"a launcher with a log level that is none", put("launcher.json", `{ "logLevel": "loud" }`), []string{"error launcher-invalid launcher.json"}},
		{"a launcher with comments and little else", put("launcher.json", "// all is as usual\n{ \"logLevel\": \"Debug\", }"), nil},
		{"a game folder that is not there", put("launcher.json", `{ "gameFolder": "games" }`), []string{"error game-folder-missing launcher.json"}},
		{"a game folder that is a file", put("launcher.json", `{ "gameFolder": "libSkiaSharp.so" }`), []string{"error game-folder-missing launcher.json"}},
		{"a game folder elsewhere", func(t *testing.T, build string) {
			elsewhere := copyTree(t, filepath.Join(build, "game"))
			put("launcher.json", fmt.Sprintf(`{ "gameFolder": %q }`, filepath.ToSlash(elsewhere)))(t, build)
		}, []string{"error game-folder-outside launcher.json"}},
		{"no executable", remove("Tide Water"), []string{"error executable-missing ."}},
		{"no pack", remove(pack), []string{"error pack-missing game/content.tspack"}},
		{"a pack that is none", put(pack, "TSPUCK\r\nxxxxxxxxxxxxxxxxxxxxxxxx"), []string{"error pack-damaged game/content.tspack"}},
		{"a pack that is cut off", cut(pack, 10), []string{"error pack-damaged game/content.tspack"}},
		{"a pack of a newer version", edit(pack, func(b []byte) []byte { b[8] = 2; return b }), []string{"error pack-damaged game/content.tspack"}},
		{"an entry that is changed", func(t *testing.T, build string) {
			file := filepath.Join(build, filepath.FromSlash(pack))
			e := entryOf(t, file, "audio/tide.wav")
			change(t, file, func(b []byte) []byte { b[e.Offset+e.StoredLength-2] ^= 0xFF; b[e.Offset+3] ^= 0xFF; return b })
		}, []string{"error entry-damaged audio/tide.wav"}},
		{"an entry that is cut off", func(t *testing.T, build string) {
			file := filepath.Join(build, filepath.FromSlash(pack))
			e := entryOf(t, file, "audio/tide.wav")
			change(t, file, func(b []byte) []byte { // its stored length, in the table
				at := strings.LastIndex(string(b), "audio/tide.wav") + len("audio/tide.wav") + 8
				b[at] = byte(e.StoredLength - 1)
				return b
			})
		}, []string{"error entry-damaged audio/tide.wav"}},
		{"no index", inPack("assets.index.json", "-"), []string{"error index-missing game/content.tspack"}},
		{"an index that is no JSON", inPack("assets.index.json", "{"), []string{"error index-invalid assets.index.json"}},
		{"an index of a newer version", inPack("assets.index.json", `{ "version": 2, "assets": [] }`), []string{"error index-invalid assets.index.json"}},
		{"an index with a guid that is none", inPack("assets.index.json", `{ "version": 1, "assets": [ { "path": "a.png", "guid": "0" } ] }`), []string{"error index-invalid assets.index.json"}},
		{"an index with a path that leaves", inPack("assets.index.json", `{ "version": 1, "assets": [ { "path": "../a.png", "guid": "`+id("a")+`" } ] }`), []string{"error index-invalid assets.index.json"}},
		{"an asset that is missing", inPack("audio/shanty.ogg", "-"), []string{"error asset-missing audio/shanty.ogg"}},
		{"an asset that the index does not list", inPack("audio/more.ogg", "OggS"), []string{"warning asset-unlisted audio/more.ogg"}},
		{"no start scene", inPack("scenes/pier.tscene", "-"), []string{"error asset-missing scenes/pier.tscene", "error start-scene-missing config/game.json"}},
		{"a guid that is in no index", inPack("prefabs/boat.tprefab", scene("boat", "sprites/boat.png", "nothing")), []string{"error reference-missing prefabs/boat.tprefab"}},
		{"a scene that breaks off", inPack("scenes/harbour.tscene", `{ "version": 1, `), []string{"warning document-invalid scenes/harbour.tscene"}},
		{"no game.json", remove("game/config/game.json"), []string{"error game-missing config/game.json"}},
		{"a game.json that is not valid", put("game/config/game.json", `{ "windowWidth": "wide" }`), []string{"error game-invalid config/game.json"}},
		{"another start scene", put("game/config/game.json", `{ "startScene": "scenes/gone.tscene" }`), []string{"error start-scene-missing config/game.json"}},
		{"a start scene by a guid", put("game/config/game.json", `{ "startScene": { "name": "scene", "parameters": { "guid": "`+id("scenes/pier.tscene")+`" } } }`), nil},
		{"a start scene by a guid of nothing", put("game/config/game.json", `{ "startScene": { "name": "scene", "parameters": { "guid": "`+id("nothing")+`" } } }`), []string{"error start-scene-missing config/game.json"}},
		{"a start scene without either", put("game/config/game.json", `{ "startScene": { "name": "scene" } }`), []string{"error start-scene-missing config/game.json"}},
		{"a start scene of the scripts", put("game/config/game.json", `{ "startScene": { "name": "title", "parameters": { "music": "audio/shanty.ogg; fade in;scripts/Game.cs", "picture": "a.png" } } }`), []string{"error start-scene-missing config/game.json"}},
		{"a loading picture that is missing", put("game/config/game.json", `{ "startScene": "scenes/pier.tscene", "loadingScreen": { "image": "sprites/none.png" } }`), []string{"warning loading-image-missing config/game.json"}},
		{"configuration that is no JSON", put("game/config/input.json", `{`), []string{"warning config-invalid game/config/input.json"}},
		{"scripts that are no assembly", put("game/scripts/bin/Game.Scripts.dll", "MZ"), []string{"error scripts-invalid game/scripts/bin/Game.Scripts.dll"}},
		{"a plugin without its manifest", remove("game/plugins/rain/plugin.json"), []string{"warning plugin-invalid game/plugins/rain/plugin.json"}},
		{"a plugin without its assembly", remove("game/plugins/rain/Rain.dll"), []string{"warning plugin-invalid game/plugins/rain/Rain.dll"}},
		{"an asset beside the pack", func(t *testing.T, build string) {
			inPack("sprites/gull.png", "-")(t, build)
			put("game/sprites/gull.png", "\x89PNG gull")(t, build)
		}, nil},
		{"assets in a folder of their own", func(t *testing.T, build string) {
			game := filepath.Join(build, "game")
			if err := errors.Join(os.Rename(game, filepath.Join(build, "inner")), os.Mkdir(game, 0o777), os.Rename(filepath.Join(build, "inner"), filepath.Join(game, "assets"))); err != nil {
				t.Fatal(err)
			}
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			build := copyTree(t, sound)
			if err := os.Chmod(filepath.Join(build, "Tide Water"), 0o777); err != nil { // which copying a tree does not keep
				t.Fatal(err)
			}
			c.damage(t, build)
			v, found := verify(t, build)
			if diff := cmp.Diff(c.want, found); diff != "" {
				t.Error(diff)
			}
			if v.Sound() != !slices.ContainsFunc(c.want, func(w string) bool { return strings.HasPrefix(w, "error") }) {
				t.Errorf("sound: %v", v.Sound())
			}
			if c.want == nil && (v.Assets < 11 || v.Bytes < 10_000 || v.Build.Kind != CompleteBuild) {
				t.Errorf("%+v", v)
			}
		})
	}
}

// The damages of the table.
func remove(path string) func(*testing.T, string) {
	return func(t *testing.T, build string) {
		t.Helper()
		if err := os.Remove(filepath.Join(build, filepath.FromSlash(path))); err != nil {
			t.Fatal(err)
		}
	}
}

func put(path, text string) func(*testing.T, string) {
	return func(t *testing.T, build string) { t.Helper(); tree{path: text}.write(t, build) }
}

func edit(path string, edit func([]byte) []byte) func(*testing.T, string) {
	return func(t *testing.T, build string) {
		t.Helper()
		change(t, filepath.Join(build, filepath.FromSlash(path)), edit)
	}
}

func cut(path string, bytes int) func(*testing.T, string) {
	return edit(path, func(b []byte) []byte { return b[:len(b)-bytes] })
}

func inPack(path, text string) func(*testing.T, string) {
	return func(t *testing.T, build string) {
		t.Helper()
		repack(t, filepath.Join(build, "game", "content.tspack"), tree{path: text})
	}
}

func TestVerifyFindsTheBuild(t *testing.T) {
	dir := tidewater().write(t, t.TempDir())
	for _, target := range platforms.Targets() {
		t.Run(target.ID, func(t *testing.T) {
			report, out, err := build(t, dir, BuildOptions{Target: target.ID, ContentOnly: true})
			if err != nil {
				t.Fatal(err, out.lines)
			}
			game := filepath.Join(report.OutputDirectory, filepath.FromSlash(target.Layout("Tide Water").GameDir))
			for _, path := range []string{report.OutputDirectory, game, filepath.Join(game, "content.tspack")} {
				v, found := verify(t, path)
				if found != nil || v.Assets != 12 {
					t.Errorf("%s: %v, %d assets", path, found, v.Assets)
				}
				if pack, err := FindPack(path); err != nil || pack != filepath.Join(game, "content.tspack") {
					t.Errorf("%s: its pack is %s, %v", path, pack, err)
				}
			}
		})
	}
	empty := t.TempDir()
	for _, path := range []string{empty, filepath.Join(empty, "missing")} {
		if _, err := VerifyBuild(t.Context(), path, nil); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
	lone := filepath.Join(empty, "lone.tspack")
	if _, err := CreatePack(t.Context(), tree{"a.txt": "a"}.write(t, t.TempDir()), lone, true, nil); err != nil {
		t.Fatal(err)
	}
	if _, found := verify(t, lone); !cmp.Equal(found, []string{"warning index-missing lone.tspack"}) {
		t.Error("a pack that is no game's: ", found)
	}
}

func TestVerifyGoldenPack(t *testing.T) {
	file := filepath.FromSlash("../../shared/golden/talesmith/packs/content.tspack")
	if _, err := os.Stat(file); err != nil {
		t.Skip("the golden files are not here: ", err)
	}
	v, found := verify(t, file)
	t.Log(found)
	if !v.Sound() || v.Assets == 0 {
		t.Errorf("%+v", v)
	}
}

func TestVerifyIsCancelled(t *testing.T) {
	dir := tidewater().write(t, t.TempDir())
	report, _, err := build(t, dir, BuildOptions{ContentOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err = VerifyBuild(ctx, report.OutputDirectory, func(int, int, string) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A saboteur damages the build that is being made when its last step begins.
type saboteur struct {
	recorder
	damage func()
}

func (s *saboteur) Step(index, count int, title string) {
	if index == count-1 {
		s.damage()
	}
	s.recorder.Step(index, count, title)
}

func TestDamagedBuildsDoNotReplaceThePreviousOne(t *testing.T) {
	dir := tidewater().write(t, t.TempDir())
	players := plantPlayers(t, "program")
	const pack = "game/content.tspack"
	output := t.TempDir()
	options := BuildOptions{Target: "linux-x64", Output: output, PlayersDir: players, Profile: profile(platforms.Distribution)}
	if _, out, err := build(t, dir, options); err != nil {
		t.Fatal(err, out.lines)
	}
	before := readTree(t, output)
	delete(before, "Tide Water-linux-x64.report.json")
	for _, c := range []struct {
		name   string
		damage func(t *testing.T, build string)
		says   string
	}{
		{"no launcher", remove("launcher.json"), "launcher.json: is missing"},
		{"another title", put("launcher.json", `{ "gameFolder": "game", "title": "Other" }`), `launcher.json: has the title "Other"`},
		{"no executable", remove("Tide Water"), "the executable cannot be read"},
		{"an empty executable", put("Tide Water", ""), "Tide Water is not a program"},
		{"an executable that may not be executed", func(t *testing.T, build string) {
			if runtime.GOOS == "windows" {
				t.Skip("there is no such permission here")
			}
			if err := os.Chmod(filepath.Join(build, "Tide Water"), 0o666); err != nil {
				t.Fatal(err)
			}
		}, "may not be executed"},
		{"no file of the player", remove("libSkiaSharp.so"), "libSkiaSharp.so: cannot be read"},
		{"configuration that is cut off", cut("game/config/input.json", 1), "game/config/input.json: has 18 bytes, expected 19"},
		{"no pack", remove(pack), "game/content.tspack: is missing"},
		{"a changed picture", edit(pack, func(b []byte) []byte {
			b[strings.Index(string(b), "PNG gull")] ^= 1
			return b
		}), "sprites/gull.png: is not what was packed"},
		{"another pack", inPack("extra/more.txt", "more"), "does not list what was packed"},
		{"a pack that is as long and not the same", inPack("scenes/harbour.tscene", scene("harbour", "prefabs/what.tprefab")), "harbour.tscene: "},
		{"an archive's build too", remove("game/scripts/bin/Game.Scripts.dll"), "Game.Scripts.dll: cannot be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			job, err := NewBuild(openProject(t, dir), options)
			if err != nil {
				t.Fatal(err)
			}
			out := &saboteur{damage: func() { c.damage(t, job.places.staging) }}
			report, err := job.Run(t.Context(), out)
			if !errors.Is(err, ErrFailed) || report.Success || report.OutputDirectory != "" {
				t.Fatalf("%v, %+v", err, report)
			}
			if all := strings.Join(out.messages(Error), "\n"); !strings.Contains(all, c.says) || !strings.Contains(all, "found in the finished build") {
				t.Error(all)
			}
			after := readTree(t, output)
			delete(after, "Tide Water-linux-x64.report.json")
			if diff := cmp.Diff(before, after); diff != "" {
				t.Error("the previous build has changed: ", diff)
			}
		})
	}
}

func BenchmarkVerifyBuild(b *testing.B) {
	changes := make(tree)
	for n := range 200 {
		var entities strings.Builder
		for range 100 {
			entities.WriteString(scene(fmt.Sprint(n), "sprites/gull.png", "prefabs/boat.tprefab"))
		}
		changes[fmt.Sprintf("assets/extra/%d.tscene", n)] = "[" + strings.ReplaceAll(entities.String(), "}{", "},{") + "]"
	}
	dir := tidewater().with(changes).write(b, b.TempDir())
	report, _, err := build(b, dir, BuildOptions{ContentOnly: true})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		v, err := VerifyBuild(b.Context(), report.OutputDirectory, nil)
		if err != nil || !v.Sound() {
			b.Fatal(err, v)
		}
		b.SetBytes(v.Bytes)
	}
}

func TestVerifyApplicationBundles(t *testing.T) {
	dir := tidewater().write(t, t.TempDir())
	target, _ := platforms.TargetByID("osx-arm64")
	report, out, err := build(t, dir, BuildOptions{Target: target.ID, PlayersDir: plant(t, t.TempDir(), target, "program"), Profile: profile(platforms.Release)})
	if err != nil {
		t.Fatal(err, out.lines)
	}
	const contents = "Tide Water.app/Contents/"
	for _, c := range []struct {
		name   string
		damage func(t *testing.T, build string)
		want   []string
	}{
		{"none", func(*testing.T, string) {}, nil},
		{"no launcher", remove(contents + "MacOS/launcher.json"), []string{"error launcher-missing Tide Water.app/Contents/MacOS/launcher.json"}},
		{"no executable", remove(contents + "MacOS/Tide Water"), []string{"error executable-missing Tide Water.app/Contents/MacOS"}},
		{"an Info.plist that is none", put(contents+"Info.plist", "{}"), []string{"error bundle-invalid Tide Water.app/Contents/Info.plist"}},
		{"no pack", remove(contents + "Resources/game/content.tspack"), []string{"error pack-missing Tide Water.app/Contents/Resources/game/content.tspack"}},
		{"no game", func(t *testing.T, build string) {
			if err := os.RemoveAll(filepath.Join(build, filepath.FromSlash(contents+"Resources/game"))); err != nil {
				t.Fatal(err)
			}
		}, []string{"error game-folder-missing Tide Water.app/Contents/MacOS/launcher.json"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			build := copyTree(t, report.OutputDirectory)
			c.damage(t, build)
			if _, found := verify(t, build); !cmp.Equal(found, c.want) {
				t.Errorf("%v, want %v", found, c.want)
			}
		})
	}
	if v, found := verify(t, filepath.Join(report.OutputDirectory, "Tide Water.app")); found != nil || v.Build.Kind != CompleteBuild {
		t.Errorf("the bundle alone: %v, %+v", found, v.Build)
	}
}
