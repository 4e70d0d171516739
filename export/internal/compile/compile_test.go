package compile

import (
	"context"
	"encoding/xml"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talebinder/export/internal/testassembly"
	"talebinder/export/players"
	"talebinder/platforms"
)

// workshop is a computer with a project, a player and stand-ins for the compilers, which are shell scripts. Each notes its calls
// in the file `calls` beside it and then does what the file `act` says, with $work as the folder it works in.
type workshop struct {
	t   *testing.T
	dir string
}

const standIn = `#!/bin/sh
here=$(dirname "$0")
if [ "$1" = --list-sdks ]; then echo '10.0.100 [/sdk]'; exit 0; fi
printf '%s\n' "$*" >> "$here/calls"
work=$(pwd)
. "$here/act"
`

func newWorkshop(t *testing.T) *workshop {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("stand-in commands are shell scripts")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &workshop{t, dir}
	w.put("my game; 2/assets/scripts/Hero.cs", "class Hero {}")
	w.put("my game; 2/assets/scripts/ui/Menu.cs", "class Menu {}")
	w.put("my game; 2/assets/plugins/rain/Rain.dll", "rain")
	w.put("my game; 2/assets/plugins/rain/plugin.json", `{ "id": "rain" }`)
	w.put("my game; 2/assets/plugins/rain/data/big.bin", "big")
	w.put("my game; 2/assets/config/plugins.json", `{ "disabled": [] }`)
	w.put("player/talesmith-player", "player")
	w.put("player/Talesmith.Core.dll", "core")
	w.put("player/talesmith-player.runtimeconfig.json", `{ "runtimeOptions": { "tfm": "net9.0" } }`)
	w.put("made/Game.Scripts.dll", string(testassembly.Build("Game.Scripts", "hello")))
	w.put("made/Game.Scripts.pdb", "symbols")
	for _, name := range []string{"sdk/dotnet", "engine/talesmith"} {
		w.put(name, standIn)
		if err := os.Chmod(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("DOTNET_ROOT", "")
	t.Setenv("PATH", strings.Join([]string{filepath.Join(dir, "sdk"), filepath.Join(dir, "engine"), "/usr/bin", "/bin"}, ":"))
	return w
}

func (w *workshop) put(path, text string) {
	w.t.Helper()
	file := filepath.Join(w.dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		w.t.Fatal(err)
	}
}

func (w *workshop) text(path string) string {
	text, err := os.ReadFile(filepath.Join(w.dir, filepath.FromSlash(path)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.t.Fatal(err)
	}
	return string(text)
}

func (w *workshop) files(folder string) (files []string) {
	w.t.Helper()
	root := filepath.Join(w.dir, folder)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(root, path)
			files = append(files, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return files
}

var changed = time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)

func (w *workshop) request() *Request {
	root := filepath.Join(w.dir, "my game; 2", "assets")
	file := func(path string) File { return File{path, filepath.Join(root, filepath.FromSlash(path)), changed} }
	return &Request{
		AssetRoot: root, Sources: []File{file("scripts/Hero.cs"), file("scripts/ui/Menu.cs")},
		PluginsFolder: "plugins", Plugins: []File{file("plugins/rain/Rain.dll")}, Cache: filepath.Join(w.dir, "cache"),
	}
}

func (w *workshop) withSDK() Compiler {
	w.t.Helper()
	linux, _ := platforms.TargetByID("linux-x64")
	c, err := WithSDK(w.t.Context(), players.Player{Dir: filepath.Join(w.dir, "player")}, linux)
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

func quiet(string) {}

func TestTheSDKCompilesOnceAndOutsideTheProject(t *testing.T) {
	w := newWorkshop(t)
	w.put("sdk/act", `cp "$work/Game.Scripts.csproj" "$here/project.xml"; mkdir "$work/out"; cp "$here"/../made/* "$work/out/"
echo "$here/../my game; 2/assets/scripts/Hero.cs(1,7): warning CS0169: The field 'x' is never used [$work/Game.Scripts.csproj]" | sed "s|/sdk/\.\.||"`)
	before := w.files("my game; 2")
	result, err := Run(t.Context(), w.withSDK(), w.request(), quiet)
	if err != nil {
		t.Fatal(err)
	}
	if w.text(strings.TrimPrefix(result.Assembly, w.dir)) != w.text("made/Game.Scripts.dll") || w.text(strings.TrimPrefix(result.Symbols, w.dir)) != "symbols" || result.Cached {
		t.Errorf("%+v", result)
	}
	want := []Diagnostic{{File: "scripts/Hero.cs", Line: 1, Column: 7, Warning: true, Text: "CS0169: The field 'x' is never used"}}
	if diff := cmp.Diff(want, result.Diagnostics); diff != "" {
		t.Error(diff)
	}
	if info, err := os.Stat(result.Assembly); err != nil || !info.ModTime().Equal(changed) {
		t.Errorf("%v, %v", info.ModTime(), err)
	}
	if diff := cmp.Diff(before, w.files("my game; 2")); diff != "" {
		t.Error("the project has changed: ", diff)
	}
	if files := w.files("cache"); len(files) != 3 {
		t.Errorf("%q", files)
	}
	if calls := w.text("sdk/calls"); !strings.Contains(calls, "build Game.Scripts.csproj -c Release") {
		t.Error(calls)
	}

	var project struct {
		Groups []struct {
			Framework string `xml:"TargetFramework"`
		} `xml:"PropertyGroup"`
		Compile []struct {
			Include string `xml:",attr"`
		} `xml:"ItemGroup>Compile"`
		References []struct {
			Include string `xml:",attr"`
			Path    string `xml:"HintPath"`
		} `xml:"ItemGroup>Reference"`
	}
	if err := xml.Unmarshal([]byte(w.text("sdk/project.xml")), &project); err != nil {
		t.Fatal(err)
	}
	escaped := strings.ReplaceAll(filepath.Join(w.dir, "my game; 2"), ";", "%3B")
	if len(project.Compile) != 2 || project.Compile[1].Include != filepath.Join(escaped, "assets", "scripts", "ui", "Menu.cs") {
		t.Errorf("%+v", project.Compile)
	}
	if len(project.References) != 2 || project.References[0].Path != filepath.Join(w.dir, "player", "Talesmith.Core.dll") || project.References[1].Include != "Rain" {
		t.Errorf("%+v", project.References)
	}
	if project.Groups[1].Framework != "net9.0" {
		t.Errorf("%+v", project.Groups)
	}

	again, err := Run(t.Context(), w.withSDK(), w.request(), quiet)
	if err != nil || !again.Cached || again.Assembly != result.Assembly || strings.Count(w.text("sdk/calls"), "\n") != 1 {
		t.Errorf("%+v, %v, %s", again, err, w.text("sdk/calls"))
	}
	if diff := cmp.Diff(want, again.Diagnostics); diff != "" {
		t.Error(diff)
	}
	for name, change := range map[string]func(*Request){
		"a source":   func(*Request) { w.put("my game; 2/assets/scripts/Hero.cs", "class Other {}") },
		"a plugin":   func(*Request) { w.put("my game; 2/assets/plugins/rain/Rain.dll", "rain 2") },
		"the player": func(*Request) { w.put("player/talesmith-player", "player 2") },
		"debugging":  func(r *Request) { r.Debug = true },
		"a file":     func(r *Request) { r.Sources = r.Sources[:1] },
	} {
		r := w.request()
		change(r)
		if again, err := Run(t.Context(), w.withSDK(), r, quiet); err != nil || again.Cached {
			t.Errorf("%s: %+v, %v", name, again, err)
		}
	}
	if !strings.Contains(w.text("sdk/calls"), "-c Debug") {
		t.Error("nothing was compiled for development")
	}
}

func TestTheEnginesCommandCompilesACopy(t *testing.T) {
	w := newWorkshop(t)
	w.put("engine/act", `find "$work/project" -type f | sort | sed "s|$work/||" > "$here/laid"
cat "$work/project/assets/config/game.json" > "$here/game.json"
echo "Building $2"; echo "warning: $2/assets/scripts/ui/Menu.cs(3,4): CS0168: unused" >&2; echo 'warning: no start scene' >&2
mkdir -p "$7/Scripts-linux-x64/game/scripts/bin"; cp "$here"/../made/* "$7/Scripts-linux-x64/game/scripts/bin/"`)
	c, err := WithEngine()
	if err != nil {
		t.Fatal(err)
	}
	r := w.request()
	r.Debug = true
	result, err := Run(t.Context(), c, r, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Diagnostic{{File: "scripts/ui/Menu.cs", Line: 3, Column: 4, Warning: true, Text: "CS0168: unused"}}, result.Diagnostics); diff != "" {
		t.Error(diff)
	}
	want := []string{
		"project/assets/config/game.json", "project/assets/config/plugins.json", "project/assets/plugins/rain/Rain.dll",
		"project/assets/plugins/rain/plugin.json", "project/assets/scripts/Hero.cs", "project/assets/scripts/ui/Menu.cs",
	}
	if diff := cmp.Diff(want, strings.Fields(w.text("engine/laid"))); diff != "" {
		t.Error(diff)
	}
	if calls := w.text("engine/calls"); !strings.Contains(calls, "--content-only --profile development --output ") {
		t.Error(calls)
	}
	if game := w.text("engine/game.json"); game != `{"pluginsFolder":"plugins","title":"Scripts"}` {
		t.Error(game)
	}
}

func TestScriptsThatDoNotCompile(t *testing.T) {
	w := newWorkshop(t)
	w.put("sdk/act", `f="$here/../my game; 2/assets/scripts/Hero.cs"; for i in 1 2; do echo "$f(2,5): error CS0246: The type 'Foo' could not be found [$work/Game.Scripts.csproj]"; echo "$f(9,1): warning CS0219: unused [$work/Game.Scripts.csproj]"; done | sed "s|/sdk/\.\.||"; exit 1`)
	w.put("engine/act", `echo "error: $2/assets/scripts/Hero.cs(2,5): CS0246: The type 'Foo' could not be found" >&2; echo "error: The scripts do not compile: 1 errors" >&2; echo "The build failed with 2 error(s)." >&2; exit 1`)
	engine, err := WithEngine()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]Compiler{"sdk": w.withSDK(), "engine": engine} {
		_, err := Run(t.Context(), c, w.request(), quiet)
		var failed *FailedError
		if !errors.As(err, &failed) || err.Error() != "the scripts do not compile: 1 error" {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := Diagnostic{File: "scripts/Hero.cs", Line: 2, Column: 5, Text: "CS0246: The type 'Foo' could not be found"}
		if diff := cmp.Diff(want, failed.Diagnostics[0]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if files := w.files("cache"); len(files) > 0 {
		t.Errorf("%q is left", files)
	}
}

func TestCompilersThatFail(t *testing.T) {
	for _, c := range []struct{ name, act, want string }{
		{"no words", "exit 3", "ended with exit code 3"},
		{"last words", "echo 'out of memory'; exit 134", "exit code 134: out of memory"},
		{"no assembly", "true", "left no Game.Scripts.dll"},
		{"no .NET assembly", `mkdir "$work/out"; echo text > "$work/out/Game.Scripts.dll"`, "left a Game.Scripts.dll that cannot be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorkshop(t)
			w.put("sdk/act", c.act)
			_, err := Run(t.Context(), w.withSDK(), w.request(), quiet)
			var failed *FailedError
			if err == nil || errors.As(err, &failed) || !strings.Contains(err.Error(), c.want) {
				t.Error(err)
			}
			if files := w.files("cache"); len(files) > 0 {
				t.Errorf("%q is left", files)
			}
		})
	}
}

func TestCancellingACompilation(t *testing.T) {
	w := newWorkshop(t)
	w.put("sdk/act", "echo started; sleep 600")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := Run(ctx, w.withSDK(), w.request(), func(line string) {
		if line == "started" {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if files := w.files("cache"); len(files) > 0 {
		t.Errorf("%q is left", files)
	}
}

func TestWhatKeepsFromCompiling(t *testing.T) {
	w := newWorkshop(t)
	linux, _ := platforms.TargetByID("linux-x64")
	player := players.Player{Dir: filepath.Join(w.dir, "player")}
	w.put("player/talesmith-player.runtimeconfig.json", `{ "runtimeOptions": { "tfm": "net11.0" } }`)
	if _, err := WithSDK(t.Context(), player, linux); err == nil || !strings.Contains(err.Error(), "is older than the .NET 11") {
		t.Error(err)
	}
	w.put("player/talesmith-player.runtimeconfig.json", `{}`)
	if err := os.Remove(filepath.Join(w.dir, "player", "Talesmith.Core.dll")); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), w.withSDK(), w.request(), quiet); !errors.Is(err, players.ErrNoAssemblies) {
		t.Error(err)
	}
	t.Setenv("PATH", "/nowhere")
	if _, err := WithSDK(t.Context(), player, linux); err == nil || !strings.Contains(err.Error(), "no .NET SDK was found") {
		t.Error(err)
	}
	if _, err := WithEngine(); err == nil || !strings.Contains(err.Error(), "no talesmith command") {
		t.Error(err)
	}
}

func TestOldResultsGo(t *testing.T) {
	root := t.TempDir()
	names := []string{"current"}
	for i := range kept + 3 {
		names = append(names, "old"+string(rune('a'+i)))
	}
	for i, name := range names {
		if err := os.MkdirAll(filepath.Join(root, name), 0o777); err != nil {
			t.Fatal(err)
		}
		mark := filepath.Join(root, name, completeFile)
		if err := os.WriteFile(mark, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		used := changed.Add(time.Duration(i) * time.Hour)
		if err := os.Chtimes(mark, used, used); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(root, ".dead.work", "obj"), 0o777); err != nil {
		t.Fatal(err)
	}
	prune(root, "current")
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, entry := range entries {
		left = append(left, entry.Name())
	}
	if len(left) != kept || !slices.Contains(left, "current") || slices.Contains(left, "olda") || !slices.Contains(left, names[len(names)-1]) {
		t.Errorf("%q", left)
	}
}
