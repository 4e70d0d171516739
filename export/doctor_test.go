package export

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/export/internal/filelock"
	"talebinder/formats/pe/petest"
	"talebinder/platforms"
	"talebinder/project/problem"
)

// allPlayers makes a players folder with a player for every target, for the release profiles.
func allPlayers(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, target := range platforms.Targets() {
		content := "player"
		if target.Platform == platforms.Windows {
			content = string(petest.Image{Wide: true, Sections: petest.Usual()}.Build())
		}
		tree{target.PlayerKey(platforms.Release) + "/" + target.PlayerFile: content}.write(t, dir)
	}
	return dir
}

// diagnose asks for the readiness for one target.
func diagnose(t *testing.T, dir, target string, o BuildOptions) Readiness {
	t.Helper()
	all, err := Doctor(t.Context(), openProject(t, dir), []string{target}, o)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	return all[0]
}

// find gives the first check of a code that is at least of a level.
func (r Readiness) find(code string, level problem.Level) (Check, bool) {
	i := slices.IndexFunc(r.Checks, func(c Check) bool { return c.Code == code && c.Level >= level })
	if i < 0 {
		return Check{}, false
	}
	return r.Checks[i], true
}

// healthy is a project that nothing is to be said about.
func healthy() tree {
	return tidewater().with(tree{
		"assets/plugins/hail/plugin.json": "-",
		"assets/config/game.json":         `{ "title": "Tide Water", "startScene": "scenes/pier.tscene" }`,
		"build.json":                      `{ "profile": "release", "outputFolder": "builds", "version": "1.2.0" }`,
	})
}

func TestAHealthyProjectIsReadyForEveryTarget(t *testing.T) {
	dir := healthy().write(t, t.TempDir())
	before := readTree(t, dir)
	all, err := Doctor(t.Context(), openProject(t, dir), nil, BuildOptions{PlayersDir: allPlayers(t)})
	if err != nil || len(all) != len(platforms.Targets()) {
		t.Fatal(err, len(all))
	}
	for _, r := range all {
		if r.State != Ready || r.Output != filepath.Join(dir, "builds", "Tide Water-"+r.Target.ID) {
			t.Errorf("%s: %s, %s\n%+v", r.Target.ID, r.State, r.Output, r.Checks)
		}
		for _, code := range []string{"project", "version", "name", "icon", "player", "output", "scripts", "content", "space"} {
			if c, ok := r.find(code, problem.Info); !ok || c.Message == "" || c.Level != problem.Info || c.Fix.ID != "" {
				t.Errorf("%s: %s: %+v", r.Target.ID, code, c)
			}
		}
	}
	if diff := cmp.Diff(before, readTree(t, dir)); diff != "" {
		t.Error("something was written: ", diff)
	}
}

func TestWhatStandsInTheWay(t *testing.T) {
	players := allPlayers(t)
	for _, c := range []struct {
		name    string
		changes tree
		target  string
		options BuildOptions
		state   ReadyState
		code    string
		message string
		fix     string
	}{
		{"no player", nil, "linux-x64", BuildOptions{PlayersDir: "-"}, NotReady, "player-missing", "no player for Linux x64, release, was found", FixPlayersFolder},
		{"no player for development", nil, "win-x64", BuildOptions{Profile: profile(platforms.Development)}, NotReady, "player-missing", "development", FixPlayersFolder},
		{"the game folder alone needs no player", nil, "linux-x64", BuildOptions{PlayersDir: "-", ContentOnly: true}, Ready, "", "", ""},
		{"no start scene", tree{"assets/scenes/pier.tscene": "-"}, "linux-x64", BuildOptions{}, NotReady, "start-scene-missing", "scenes/pier.tscene", ""},
		{"a dangling reference", tree{"assets/sprites/boat.png": "-", "assets/sprites/boat.png.meta": "-"}, "osx-x64", BuildOptions{}, NotReady, "reference-missing", "", ""},
		{"a version that is no file name", tree{"build.json": `{ "version": "1/2" }`}, "linux-x64", BuildOptions{Profile: profile(platforms.Distribution)}, NotReady, "version", "1/2", FixSetting},
		{"a version that no archive is named after", tree{"build.json": `{ "version": "1/2" }`}, "linux-x64", BuildOptions{}, Ready, "", "", ""},
		{"a name that is taken", tree{"build.json": `{ "executableName": "game" }`}, "linux-x64", BuildOptions{}, NotReady, "name", `named "game"`, FixSetting},
		{"a bundle identifier", tree{"build.json": `{ "bundleIdentifier": "my game" }`}, "osx-arm64", BuildOptions{}, NotReady, "bundle-identifier", "my game", FixSetting},
		{"a bundle identifier that does not matter", tree{"build.json": `{ "bundleIdentifier": "my game" }`}, "win-x64", BuildOptions{}, Ready, "", "", ""},
		{"an icon that is no picture", tree{"build.json": `{ "icon": "sprites/icon.png" }`}, "win-x64", BuildOptions{}, ReadyWithLimits, "icon", "sprites/icon.png", FixSetting},
		{"scripts that are not compiled", tree{"assets/scripts/bin/Game.Scripts.dll": "-"}, "linux-x64", BuildOptions{}, NotReady, "scripts", "1 script has not been compiled", ""},
		{"scripts that a game folder goes without", tree{"assets/scripts/bin/Game.Scripts.dll": "-"}, "linux-x64", BuildOptions{ContentOnly: true}, ReadyWithLimits, "scripts", "1 script has not been compiled", ""},
		{"an output in the assets", tree{"build.json": `{ "outputFolder": "assets/builds" }`}, "linux-x64", BuildOptions{}, NotReady, "output", "lies in the assets folder", FixOutput},
		{"an output that is a file", tree{"build.json": `{ "outputFolder": "build.json/x" }`}, "linux-x64", BuildOptions{}, NotReady, "output", "is a file", FixOutput},
		{"a broken build.json", tree{"build.json": `{ "compress": 1 }`}, "linux-x64", BuildOptions{}, NotReady, "build-invalid", "", ""},
		{"a broken game.json", tree{"assets/config/game.json": `{`}, "linux-x64", BuildOptions{}, NotReady, "game-invalid", "", ""},
		{"a long path", tree{"assets/config/" + strings.Repeat("deep/", 30) + "settings.json": "{}"}, "win-x64", BuildOptions{}, ReadyWithLimits, "paths", "has 1", FixOutput},
		{"a name that Windows refuses", tree{"assets/config/aux.json": "{}"}, "win-x64", BuildOptions{}, NotReady, "content", "aux.json", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("PATH", "/nowhere")
			switch c.options.PlayersDir {
			case "":
				c.options.PlayersDir = players
			case "-":
				c.options.PlayersDir = ""
			}
			dir := healthy().with(c.changes).write(t, t.TempDir())
			r := diagnose(t, dir, c.target, c.options)
			if r.State != c.state {
				t.Errorf("%s: %+v", r.State, r.Checks)
			}
			if c.code == "" {
				return
			}
			level := problem.Error
			if c.state == ReadyWithLimits {
				level = problem.Warning
			}
			found, ok := r.find(c.code, level)
			if !ok || !strings.Contains(found.Message, c.message) || found.Fix.ID != c.fix {
				t.Errorf("%+v\namong %+v", found, r.Checks)
			}
			// An export says the same.
			_, out, err := func() (*Report, *recorder, error) {
				c.options.Target = c.target
				job, err := NewBuild(openProject(t, dir), c.options)
				if err != nil {
					return nil, &recorder{entries: []Entry{{Level: Error, Message: err.Error()}}}, err
				}
				out := &recorder{}
				report, err := job.Run(t.Context(), out)
				return report, out, err
			}()
			if (err != nil) != (c.state == NotReady) {
				t.Errorf("an export: %v, %q", err, out.messages(Error))
			}
			said := append(out.messages(Error), out.messages(Warning)...)
			if c.message != "" && c.code != "player-missing" && !slices.ContainsFunc(said, func(m string) bool { return strings.Contains(m, c.message) }) {
				t.Errorf("an export says %q", said)
			}
		})
	}
}

func TestAnOutputThatMayNotBeWrittenOrIsBusy(t *testing.T) {
	dir := healthy().write(t, t.TempDir())
	o := BuildOptions{PlayersDir: allPlayers(t), Output: t.TempDir()}
	lock, err := filelock.Acquire(filepath.Join(o.Output, ".Tide Water-linux-x64.lock"))
	if err != nil {
		t.Fatal(err)
	}
	if c, ok := diagnose(t, dir, "linux-x64", o).find("output", problem.Warning); !ok || !strings.Contains(c.Message, "being written by another export") {
		t.Errorf("%+v", c)
	}
	lock.Release()
	if r := diagnose(t, dir, "linux-x64", o); r.State != Ready {
		t.Errorf("%+v", r)
	}
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("everything may be written")
	}
	if err := os.Chmod(o.Output, 0o500); err != nil {
		t.Fatal(err)
	}
	o.Output = filepath.Join(o.Output, "new", "deep")
	if c, ok := diagnose(t, dir, "linux-x64", o).find("output", problem.Error); !ok || !strings.Contains(c.Message, "cannot be written to") {
		t.Errorf("%+v", c)
	}
}

func TestWhatAnExportWouldMakeFirst(t *testing.T) {
	calls := standInSDK(t, "exit 1")
	engine := tree{"src/Talesmith.Player/Talesmith.Player.csproj": "<Project/>"}.write(t, t.TempDir())
	t.Setenv("TALESMITH_SOURCE", engine)
	dir := healthy().write(t, t.TempDir())
	touched(t, dir)
	r := diagnose(t, dir, "linux-x64", BuildOptions{})
	player, _ := r.find("player", problem.Info)
	scripts, _ := r.find("scripts", problem.Info)
	if r.State != Ready || calls() != 0 || !strings.Contains(player.Message, "will be published") || !strings.Contains(scripts.Message, "will be compiled with .NET SDK 10.0.100") {
		t.Errorf("%s, %d calls: %+v", r.State, calls(), r.Checks)
	}
}

func TestReadyStates(t *testing.T) {
	for state, want := range map[ReadyState]string{NotReady: "Not ready notReady", ReadyWithLimits: "Ready with limits limits", Ready: "Ready ready"} {
		text, err := state.MarshalText()
		if got := fmt.Sprintf("%s %s", state, text); got != want || err != nil {
			t.Errorf("%s, %v", got, err)
		}
	}
	if _, err := Doctor(t.Context(), openProject(t, healthy().write(t, t.TempDir())), []string{"amiga"}, BuildOptions{}); err == nil {
		t.Error("a target that does not exist")
	}
}
