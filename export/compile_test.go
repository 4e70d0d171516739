package export

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talebinder/export/internal/testassembly"
	"talebinder/platforms"
)

// standInSDK puts a dotnet command on PATH that builds what the shell script act does. It finds what it may need beside it: an
// assembly Game.Scripts.dll with its symbols.
func standInSDK(t *testing.T, act string) (calls func() int) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("stand-in commands are shell scripts")
	}
	dir := tree{
		"dotnet": `#!/bin/sh
here=$(dirname "$0")
[ "$1" = --list-sdks ] && { echo '10.0.100 [/sdk]'; exit 0; }
echo "$*" >> "$here/calls"
while [ $# -gt 0 ]; do [ "$1" = -o ] && out=$2; shift; done
` + act + "\n",
		"Game.Scripts.dll": string(testassembly.Build("Game.Scripts", "compiled here")),
		"Game.Scripts.pdb": "symbols of here",
	}.write(t, t.TempDir())
	if err := os.Chmod(filepath.Join(dir, "dotnet"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	t.Setenv("DOTNET_ROOT", "")
	t.Setenv("TALEBINDER_CACHE", t.TempDir())
	return func() int {
		text, err := os.ReadFile(filepath.Join(dir, "calls"))
		if err != nil {
			return 0
		}
		return strings.Count(string(text), "\n")
	}
}

// touched makes a source of the scripts newer than their assembly.
func touched(t *testing.T, dir string) {
	t.Helper()
	when := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(dir, "assets", "scripts", "Game.cs"), when, when); err != nil {
		t.Fatal(err)
	}
}

// withAssemblies makes a players folder whose players have the engine's assemblies beside them.
func withAssemblies(t *testing.T) string {
	t.Helper()
	dir := plantPlayers(t, "player")
	linux, _ := platforms.TargetByID("linux-x64")
	for _, profile := range []platforms.Profile{platforms.Development, platforms.Release} {
		tree{linux.PlayerKey(profile) + "/Talesmith.Core.dll": "core"}.write(t, dir)
	}
	return dir
}

const compiles = `mkdir out; cp "$here"/Game.Scripts.* out/; echo 'Game.cs(1,2): warning CS0168: unused [Game.Scripts.csproj]'`

func TestScriptsThatHaveChangedAreCompiled(t *testing.T) {
	calls := standInSDK(t, compiles)
	options := BuildOptions{PlayersDir: withAssemblies(t)}
	dir := tidewater().write(t, t.TempDir())
	before := readTree(t, dir)

	// Up to date: nothing is compiled.
	if _, out, err := build(t, dir, options); err != nil || calls() != 0 {
		t.Fatal(err, calls(), out.lines)
	}
	touched(t, dir)
	for _, p := range []platforms.Profile{platforms.Release, platforms.Development} {
		for range 2 {
			options.Profile, options.Output = &p, t.TempDir()
			report, out, err := build(t, dir, options)
			if err != nil {
				t.Fatal(err, out.lines)
			}
			files := readTree(t, filepath.Join(report.OutputDirectory, "game", "scripts"))
			want := tree{"bin/Game.Scripts.dll": string(testassembly.Build("Game.Scripts", "compiled here"))}
			if p == platforms.Development {
				want["bin/Game.Scripts.pdb"] = "symbols of here"
			}
			if diff := cmp.Diff(want, files); diff != "" {
				t.Errorf("%s: %s", p, diff)
			}
			if len(report.Warnings) == 0 || !strings.HasPrefix(report.Warnings[len(report.Warnings)-1].Message, "CS0168") {
				t.Errorf("%v", report.Warnings)
			}
		}
	}
	if calls() != 2 {
		t.Errorf("compiled %d times for two profiles", calls())
	}
	if diff := cmp.Diff(before, readTree(t, dir)); diff != "" {
		t.Error("the project has changed: ", diff)
	}
}

func TestScriptsThatDoNotCompileEndTheExport(t *testing.T) {
	standInSDK(t, `echo "$(sed -n 's/.*Compile Include="\(.*\)".*/\1/p' Game.Scripts.csproj)(3,9): error CS1002: ; expected [x.csproj]"; exit 1`)
	dir := tidewater().with(tree{"assets/scripts/bin/Game.Scripts.dll": "-"}).write(t, t.TempDir())
	output := t.TempDir()
	report, _, err := build(t, dir, BuildOptions{PlayersDir: withAssemblies(t), Output: output})
	if !errors.Is(err, ErrFailed) || len(report.Errors) != 3 {
		t.Fatalf("%v, %v", err, report.Errors)
	}
	first := report.Errors[0]
	if first.File != "scripts/Game.cs" || first.Line != 3 || first.Column != 9 || first.Message != "CS1002: ; expected" || first.Step != "Compiling scripts" {
		t.Errorf("%+v", first)
	}
	if !strings.Contains(report.Errors[1].Message, "do not compile: 1 error") {
		t.Errorf("%+v", report.Errors[1])
	}
	if _, err := os.Stat(filepath.Join(output, "Tide Water-linux-x64")); !isMissing(err) {
		t.Error("something was built")
	}
}

func TestScriptsThatCannotBeCompiled(t *testing.T) {
	t.Setenv("DOTNET_ROOT", "")
	t.Setenv("PATH", "/nowhere")
	options := BuildOptions{PlayersDir: withAssemblies(t)}
	dir := tidewater().write(t, t.TempDir())
	touched(t, dir)
	for _, want := range []string{"no talesmith command on PATH", "no .NET SDK was found", "Talesmith editor"} {
		_, out, err := build(t, dir, options)
		errs := out.messages(Error)
		if !errors.Is(err, ErrFailed) || !strings.HasPrefix(errs[0], "scripts/Game.cs: changed after") || !strings.Contains(errs[0], want) {
			t.Errorf("%v: %q", err, errs)
		}
	}
	options.ContentOnly = true
	report, out, err := build(t, dir, options)
	warnings := out.messages(Warning)
	if err != nil || !slices.ContainsFunc(warnings, func(w string) bool { return strings.Contains(w, "gets the scripts as they were then") }) {
		t.Errorf("%v: %q", err, warnings)
	}
	if _, err := os.Stat(filepath.Join(report.OutputDirectory, "game", "scripts", "bin", "Game.Scripts.dll")); err != nil {
		t.Error(err)
	}

	// A player that is a single file without a bundle has nothing to compile against.
	standInSDK(t, compiles)
	options = BuildOptions{PlayersDir: plantPlayers(t, "player")}
	if _, out, err = build(t, dir, options); !errors.Is(err, ErrFailed) || !strings.Contains(out.messages(Error)[0], "neither beside the player nor inside") {
		t.Errorf("%v: %q", err, out.messages(Error))
	}
}

func TestAnExportPublishesThePlayerItNeeds(t *testing.T) {
	calls := standInSDK(t, `case "$(pwd)" in *Talesmith.Player) mkdir -p "$out"; echo published > "$out/talesmith-player"; echo core > "$out/Talesmith.Core.dll" ;;
*) `+compiles+` ;; esac`)
	engine := tree{"src/Talesmith.Player/Talesmith.Player.csproj": "<Project/>"}.write(t, t.TempDir())
	t.Setenv("TALESMITH_SOURCE", engine)
	dir := tidewater().write(t, t.TempDir())
	touched(t, dir)
	for _, want := range []int{2, 2} { // the player and the scripts, once
		report, out, err := build(t, dir, BuildOptions{})
		if err != nil || calls() != want {
			t.Fatal(err, calls(), out.lines)
		}
		if text, err := os.ReadFile(report.Executable); err != nil || string(text) != "published\n" {
			t.Errorf("%q, %v", text, err)
		}
	}

	// The content alone needs no player, and none is published for it.
	t.Setenv("TALEBINDER_CACHE", t.TempDir())
	if _, out, err := build(t, dir, BuildOptions{ContentOnly: true}); err != nil || calls() != 2 {
		t.Fatal(err, calls(), out.lines)
	}

	standInSDK(t, `echo 'a.cs(1,1): error CS1: one [x.csproj]'; echo 'a.cs(2,1): error CS2: two [x.csproj]'; exit 1`)
	_, out, err := build(t, dir, BuildOptions{})
	errs := strings.Join(out.messages(Error), "\n")
	if !errors.Is(err, ErrFailed) || !strings.Contains(errs, "publishing the player for Linux x64, release, failed with exit code 1: CS1: one (and 1 more)") {
		t.Errorf("%v: %s", err, errs)
	}
}
