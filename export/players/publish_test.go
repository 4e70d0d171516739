package players

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talebinder/export/internal/dotnet"
	"talebinder/platforms"
)

// TestMain keeps the players and sources of this computer out of reach.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "talebinder-players")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		for _, name := range []string{"TALEBINDER_CACHE", "TALESMITH_CACHE", "DOTNET_ROOT"} {
			os.Setenv(name, filepath.Join(dir, strings.ToLower(name)))
		}
		os.Unsetenv(SourceVariable)
		return m.Run()
	}())
}

// standInSDK is a dotnet command that notes how it is called and does what the file `act` beside it says, with the output
// folder as $out.
const standInSDK = `#!/bin/sh
if [ "$1" = --list-sdks ]; then echo '10.0.100 [/sdk]'; exit 0; fi
here=$(dirname "$0")
printf '%s\n' "$*" >> "$here/calls"
while [ $# -gt 0 ]; do
  case "$1" in
    -o) out=$2; shift ;;
    --artifacts-path) mkdir -p "$2"; echo built > "$2/kept"; shift ;;
  esac
  shift
done
mkdir -p "$out"
. "$here/act"
`

// workshop is a computer with the engine's sources and the .NET SDK.
type workshop struct {
	t       *testing.T
	dir     string
	options Options
}

func newWorkshop(t *testing.T) *workshop {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("stand-in commands are shell scripts")
	}
	dir := t.TempDir()
	plant(t, dir, map[string]string{
		"engine/src/Talesmith.Player/Talesmith.Player.csproj": "<Project/>",
		"engine/src/Talesmith.Player/Program.cs":              "class Program {}",
		"engine/src/Talesmith.Core/Talesmith.Core.csproj":     "<Project/>",
		"engine/src/Talesmith.Core/obj/project.assets.json":   "made by a build",
		"engine/Directory.Build.props":                        "<Project/>",
		"engine/README.md":                                    "read me",
		"bin/dotnet":                                          standInSDK,
		"program/readme":                                      "",
	})
	if err := os.Chmod(filepath.Join(dir, "bin", "dotnet"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Join(dir, "bin")+string(os.PathListSeparator)+"/usr/bin"+string(os.PathListSeparator)+"/bin")
	w := &workshop{t, dir, Options{
		Source: filepath.Join(dir, "engine"), OwnCache: filepath.Join(dir, "cache"), CacheDir: filepath.Join(dir, "none"), ProgramDir: filepath.Join(dir, "program"),
	}}
	w.act(`echo '  Talesmith.Core -> /x/Talesmith.Core.dll'; echo '  Talesmith.Player -> /x/talesmith-player.dll'
echo player > "$out/talesmith-player"; echo p > "$out/talesmith-player.pdb"; echo d > "$out/Talesmith.Core.xml"; echo s > "$out/libSkiaSharp.so"; chmod +x "$out/talesmith-player"`)
	return w
}

// act says what the next call of dotnet does.
func (w *workshop) act(script string) {
	w.t.Helper()
	plant(w.t, w.dir, map[string]string{"bin/act": script + "\n"})
}

// calls gives how dotnet was called so far.
func (w *workshop) calls() []string {
	text, err := os.ReadFile(filepath.Join(w.dir, "bin", "calls"))
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// files lists what is below a folder of the computer.
func (w *workshop) files(folder string) []string {
	w.t.Helper()
	var files []string
	root := filepath.Join(w.dir, folder)
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
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

func TestPublishedPlayersAreFoundAndPublishedOnce(t *testing.T) {
	w := newWorkshop(t)
	linux := target(t, "linux-x64")
	sources := w.files("engine")
	var lines []string
	last := -1.0
	player, err := Publish(t.Context(), linux, platforms.Distribution, w.options, func(fraction float64, line string) {
		if fraction < last || fraction > 1 {
			t.Errorf("%v after %v", fraction, last)
		}
		last = fraction
		lines = append(lines, line)
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(lines, "Talesmith.Core -> /x/Talesmith.Core.dll") || last != 1 {
		t.Errorf("progress up to %v: %q", last, lines)
	}
	if player.Source != Published || player.Outdated || player.Key != "linux-x64-r2r-nosymbols" {
		t.Errorf("%+v", player)
	}
	calls := w.calls()
	if len(calls) != 1 {
		t.Fatalf("%q", calls)
	}
	for _, want := range []string{"publish " + filepath.Join(w.dir, "engine"), "-r linux-x64", "--self-contained true", "-p:PublishReadyToRun=true", "-p:DebugType=none", "-p:PublishSingleFile=true"} {
		if !strings.Contains(calls[0], want) {
			t.Errorf("dotnet is called without %q: %s", want, calls[0])
		}
	}
	name := filepath.Base(player.Dir)
	want := []string{
		"artifacts/linux-x64-r2r-nosymbols/kept",
		"players/" + name + "/.complete", "players/" + name + "/libSkiaSharp.so", "players/" + name + "/talesmith-player",
	}
	if diff := cmp.Diff(want, w.files("cache")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(sources, w.files("engine")); diff != "" {
		t.Error("the sources have changed: ", diff)
	}
	again, err := Publish(t.Context(), linux, platforms.Release, w.options, nil)
	if err != nil || again != player || len(w.calls()) != 1 {
		t.Errorf("%+v, %v, %d calls", again, err, len(w.calls()))
	}
	if found, err := Find(linux, platforms.Release, w.options); err != nil || found != player {
		t.Errorf("%+v, %v", found, err)
	}

	// What a build leaves in the sources and what no build reads make no difference; a source does.
	plant(t, w.dir, map[string]string{"engine/src/Talesmith.Core/bin/x.dll": "y", "engine/README.md": "other"})
	if found, err := Find(linux, platforms.Release, w.options); err != nil || found != player {
		t.Errorf("%+v, %v", found, err)
	}
	plant(t, w.dir, map[string]string{"engine/src/Talesmith.Player/Program.cs": "class Changed {}"})
	found, err := Find(linux, platforms.Release, w.options)
	if err != nil || !found.Outdated || found.Dir != player.Dir {
		t.Errorf("%+v, %v", found, err)
	}
	var names []string
	for _, text := range []string{"second", "third"} {
		plant(t, w.dir, map[string]string{"engine/Directory.Build.props": text})
		p, err := Publish(t.Context(), linux, platforms.Release, w.options, nil)
		if err != nil || p.Outdated || p.Dir == player.Dir {
			t.Fatalf("%+v, %v", p, err)
		}
		names = append(names, filepath.Base(p.Dir))
	}
	folders, err := cached(filepath.Join(w.dir, "cache", "players"), player.Key, "")
	if err != nil || len(folders) != 2 || filepath.Base(folders[0]) != names[1] || filepath.Base(folders[1]) != names[0] {
		t.Errorf("%q are left of %q, %v", folders, names, err)
	}
}

func TestSymbolsStayInDevelopment(t *testing.T) {
	w := newWorkshop(t)
	player, err := Publish(t.Context(), target(t, "linux-x64"), platforms.Development, w.options, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(player.Dir, "talesmith-player.pdb")); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"-p:PublishReadyToRun=false", "-p:DebugType=embedded", "-p:TalesmithWindowedPlayer=false"} {
		if !strings.Contains(w.calls()[0], want) {
			t.Errorf("without %q: %s", want, w.calls()[0])
		}
	}
}

func TestFailedPublishingLeavesNoPlayer(t *testing.T) {
	for _, c := range []struct{ name, act, want string }{
		{"errors of the compiler", `echo 'half' > "$out/talesmith-player"; echo '/e/A.cs(3,4): error CS0103: The name x [/e/A.csproj]'; echo '/e/A.cs(3,4): error CS0103: The name x [/e/B.csproj]'; echo '/e/B.cs(1,1): error CS1002: ; expected [/e/B.csproj]'; exit 1`,
			"failed with exit code 1: CS0103: The name x (and 1 more)"},
		{"no error that is understood", `echo 'it is raining'; exit 134`, "failed with exit code 134: it is raining"},
		{"nothing at all", `exit 9`, "failed with exit code 9"},
		{"a success without a player", `echo library > "$out/lib.so"`, "is no player: no talesmith-player in it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorkshop(t)
			w.act(c.act)
			_, err := Publish(t.Context(), target(t, "linux-x64"), platforms.Release, w.options, nil)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
			for _, file := range w.files("cache") {
				if strings.HasPrefix(file, "players/") {
					t.Errorf("%s is left", file)
				}
			}
		})
	}
}

func TestCancelledPublishingEndsWithinMoments(t *testing.T) {
	w := newWorkshop(t)
	w.act(`echo half > "$out/talesmith-player"; echo started; sleep 600 & sleep 600`)
	ctx, cancel := context.WithCancel(t.Context())
	started := time.Now()
	_, err := Publish(ctx, target(t, "linux-x64"), platforms.Release, w.options, func(_ float64, line string) {
		if line == "started" {
			cancel()
		}
	})
	cancel()
	if !errors.Is(err, context.Canceled) || time.Since(started) > 10*time.Second {
		t.Errorf("%v after %s", err, time.Since(started))
	}
	if entries, err := os.ReadDir(filepath.Join(w.dir, "cache", "players")); err != nil || len(entries) > 0 {
		t.Errorf("%v is left, %v", entries, err)
	}
}

func TestWhatPublishingNeeds(t *testing.T) {
	w := newWorkshop(t)
	o := w.options
	o.Source = ""
	if _, err := Publish(t.Context(), target(t, "linux-x64"), platforms.Release, o, nil); !errors.Is(err, ErrNoSources) || !strings.Contains(err.Error(), SourceVariable) {
		t.Errorf("%v", err)
	}
	o.Source = w.dir
	if _, err := FindCheckout(o); err == nil || !strings.Contains(err.Error(), "is no checkout") {
		t.Errorf("%v", err)
	}
	o.Source = ""
	t.Setenv(SourceVariable, filepath.Join(w.dir, "engine"))
	if c, err := FindCheckout(o); err != nil || c.Dir != filepath.Join(w.dir, "engine") {
		t.Errorf("%+v, %v", c, err)
	}
	t.Setenv(SourceVariable, "")
	o.ProgramDir = filepath.Join(w.dir, "engine", "src", "Talesmith.Core", "bin")
	if c, err := FindCheckout(o); err != nil || c.Dir != filepath.Join(w.dir, "engine") {
		t.Errorf("above the program: %+v, %v", c, err)
	}
	t.Setenv("PATH", filepath.Join(w.dir, "program"))
	var missing *dotnet.NotFoundError
	if _, err := Publish(t.Context(), target(t, "linux-x64"), platforms.Release, w.options, nil); !errors.As(err, &missing) {
		t.Errorf("%v", err)
	}
}

func TestCopyTo(t *testing.T) {
	w := newWorkshop(t)
	player, err := Publish(t.Context(), target(t, "linux-x64"), platforms.Release, w.options, nil)
	if err != nil {
		t.Fatal(err)
	}
	plant(t, w.dir, map[string]string{"mine/linux-x64-r2r-nosymbols/old": "x"})
	dir, err := player.CopyTo(t.Context(), filepath.Join(w.dir, "mine"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"linux-x64-r2r-nosymbols/libSkiaSharp.so", "linux-x64-r2r-nosymbols/talesmith-player"}, w.files("mine")); diff != "" {
		t.Error(diff)
	}
	if info, err := os.Stat(filepath.Join(dir, "talesmith-player")); err != nil || info.Mode()&0o100 == 0 {
		t.Errorf("%v, %v", info, err)
	}
	o := w.options
	o.Dir = filepath.Join(w.dir, "mine")
	copied, err := Find(target(t, "linux-x64"), platforms.Release, o)
	if err != nil || copied.Source != Named {
		t.Fatalf("%+v, %v", copied, err)
	}
	if _, err := copied.CopyTo(t.Context(), o.Dir); err != nil || len(w.files("mine")) != 2 {
		t.Errorf("onto itself: %v, %q", err, w.files("mine"))
	}
}
