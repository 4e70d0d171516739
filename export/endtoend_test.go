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

// buildStandIn builds the program that stands in for the player, once for all tests.
var buildStandIn = sync.OnceValues(func() (string, error) {
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
	if out, err := exec.Command(goTool, "build", "-o", program, "talebinder/export/internal/standin").CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the stand-in: %w\n%s", err, out)
	}
	data, err := os.ReadFile(program)
	return string(data), err
})

// standIn gives a players folder with the program that stands in for the player.
func standIn(t *testing.T) string {
	t.Helper()
	program, err := buildStandIn()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("the Go tool is not here: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return plantPlayers(t, program)
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
	driftmail, err := examples.Extract(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tree{"assets/scripts/bin/Game.Scripts.dll": string(testassembly.Build("Game.Scripts", "hello"))}.write(t, driftmail)
	projects["the sample game"] = driftmail
	return projects
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
