package export

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"talebinder/examples"
	"talebinder/export/internal/testassembly"
	"talebinder/platforms"
)

// builders builds the program that stands in for the player, for each target once for all tests.
var builders = func() map[string]func() (string, error) {
	systems := map[string][2]string{
		"win-x64": {"windows", "amd64"}, "linux-x64": {"linux", "amd64"}, "osx-arm64": {"darwin", "arm64"}, "osx-x64": {"darwin", "amd64"},
	}
	all := make(map[string]func() (string, error))
	for _, target := range platforms.Targets() {
		all[target.ID] = sync.OnceValues(func() (string, error) { return buildStandIn(systems[target.ID][0], systems[target.ID][1]) })
	}
	return all
}()

func buildStandIn(goos, goarch string) (string, error) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "talebinder-standin")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "standin")
	cmd := exec.Command(goTool, "build", "-ldflags=-s -w", "-o", program, "talebinder/export/internal/standin")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the stand-in for %s: %w\n%s", goos, err, out)
	}
	data, err := os.ReadFile(program)
	return string(data), err
}

// standInFor gives the program that stands in for the player of a target.
func standInFor(t testing.TB, target string) string {
	t.Helper()
	program, err := builders[target]()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("the Go tool is not here: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// standIn gives a players folder with the program that stands in for the player.
func standIn(t *testing.T) string {
	t.Helper()
	return plantPlayers(t, standInFor(t, "linux-x64"))
}

// start runs an exported game and gives what it says.
func start(t *testing.T, executable string, arguments ...string) (output string, exitCode int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, executable, arguments...)
	cmd.Dir = t.TempDir() // a game must not need to be started in its own folder
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func says(t *testing.T, output string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains("\n"+output, "\n"+line) {
			t.Errorf("the game does not say %q:\n%s", line, output)
		}
	}
}

// sampleProjects are the projects that are exported and started.
func sampleProjects(t *testing.T) map[string]string {
	t.Helper()
	projects := map[string]string{"a project of the test": tidewater().write(t, t.TempDir())}
	projects["the sample game"] = sampleGame(t)
	return projects
}

// sampleGame is the game that comes with the program, with an assembly that stands in for its compiled scripts.
func sampleGame(t *testing.T) string {
	t.Helper()
	dir, err := examples.Extract(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	const assembly = "assets/scripts/bin/Game.Scripts.dll"
	tree{assembly: string(testassembly.Build("Game.Scripts", "hello"))}.write(t, dir)
	now := time.Now() // the sources are as old as this test
	if err := os.Chtimes(filepath.Join(dir, assembly), now, now); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestExportedGamesStart(t *testing.T) {
	if platforms.Host().ID != "linux-x64" {
		t.Skip("games for Linux x64 cannot be started here")
	}
	players := standIn(t)
	for name, dir := range sampleProjects(t) {
		for _, info := range platforms.Profiles() {
			t.Run(name+" "+info.ID, func(t *testing.T) {
				report, out, err := build(t, dir, BuildOptions{Target: "linux-x64", Profile: &info.Profile, PlayersDir: players})
				if err != nil {
					t.Fatal(err, out.lines)
				}
				said, code := start(t, report.Executable)
				if code != 0 {
					t.Errorf("exit code %d:\n%s", code, said)
				}
				tools := "off"
				if info.DevTools {
					tools = "on"
				}
				says(t, said, "launcher: launcher.json\n", "title: "+report.Game+"\n", "log level: "+info.LogLevel+"\n", "developer tools: "+tools+"\n",
					"game folder: game\n", "asset root: .\n", "pack: ", "start scene: scenes/", "scripts: ", "ready\n")
			})
		}
	}
}

func TestExportedGameWithArguments(t *testing.T) {
	if platforms.Host().ID != "linux-x64" {
		t.Skip("games for Linux x64 cannot be started here")
	}
	dir := tidewater().write(t, t.TempDir())
	report, out, err := build(t, dir, BuildOptions{PlayersDir: standIn(t)})
	if err != nil {
		t.Fatal(err, out.lines)
	}
	said, code := start(t, report.Executable)
	says(t, said, "pack: 12 entries\n", "catalog: 18 assets from assets.index.json\n", "read: 11 files, ", "scenes/pier.tscene: 2 references\n", "prefabs/boat.tprefab: 1 references\n", "scripts: ")
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
	// A project's own folder is played without a pack; its draft is not reached, its metas are the catalog.
	said, code = start(t, report.Executable, dir, "--log-level", "trace", "--mute")
	says(t, said, "log level: trace\n", "asset root: assets\n", "pack: none\n", "catalog: 12 assets from .meta files\n", "ready\n")
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
	if said, code = start(t, report.Executable, "no such folder"); code != 2 {
		t.Errorf("a game folder that does not exist: exit code %d\n%s", code, said)
	}
	if said, code = start(t, report.Executable, "--windowed"); code != 2 {
		t.Errorf("an unknown option: exit code %d\n%s", code, said)
	}

	for name, c := range map[string]struct {
		change tree
		says   string
	}{
		"a launcher that is not valid":  {tree{"launcher.json": `{ "gameFolder": 5 }`}, "error: launcher.json: gameFolder"},
		"a damaged pack":                {tree{"game/content.tspack": "TSPACK\r\n"}, "error: content.tspack"},
		"another start scene":           {tree{"game/config/game.json": `{ "startScene": "scenes/gone.tscene" }`}, "missing: scenes/gone.tscene"},
		"scripts that are no assembly":  {tree{"game/scripts/bin/Game.Scripts.dll": "MZ"}, "missing: scripts/bin/Game.Scripts.dll"},
		"a launcher with comments only": {tree{"launcher.json": "// nothing\n{ \"title\": 'x' }"}, "error: launcher.json"},
	} {
		t.Run(name, func(t *testing.T) {
			copied := t.TempDir()
			if err := os.CopyFS(copied, os.DirFS(report.OutputDirectory)); err != nil {
				t.Fatal(err)
			}
			c.change.write(t, copied)
			said, code := start(t, filepath.Join(copied, "Tide Water"))
			if code != 1 {
				t.Errorf("exit code %d", code)
			}
			says(t, said, c.says)
		})
	}
}
