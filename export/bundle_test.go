package export

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"talebinder/formats/plist"
	"talebinder/platforms"
)

// machO is the header of a program for macOS, with or without the load command of a signature.
func machO(processor uint32, signed bool) string {
	var b []byte
	word := func(values ...uint32) {
		for _, v := range values {
			b = append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
		}
	}
	commands := uint32(0)
	if signed {
		commands = 1
	}
	word(0xfeedfacf, processor, 0, 2, commands, commands*16, 0, 0)
	if signed {
		word(0x1d, 16, 0, 0)
	}
	return string(b)
}

const (
	arm64 = 0x0100000c
	amd64 = 0x01000007
)

func TestMacPlayers(t *testing.T) {
	for name, c := range map[string]struct {
		player, target, want, note string
	}{
		"signed":                {machO(arm64, true), "osx-arm64", "", "a signature of its own"},
		"not signed":            {machO(arm64, false), "osx-arm64", "codesign --force --deep --sign - 'Tide Water.app'", "not signed at all"},
		"not signed, for Intel": {machO(amd64, false), "osx-x64", "", "not signed at all"},
		"for another processor": {machO(amd64, true), "osx-arm64", "not made for the processor of macOS arm64", "not signed at all"},
		"for Linux":             {"\x7fELF", "osx-x64", "no program for macOS", "not signed at all"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tidewater().with(tree{"assets/sprites/icon.png": picture(t, 32, 32)}).write(t, t.TempDir())
			report, out, err := build(t, dir, BuildOptions{Target: c.target, PlayersDir: plant(t, t.TempDir(), target(t, c.target), c.player)})
			if err != nil {
				t.Fatal(err, out.lines)
			}
			var said []string
			for _, e := range report.Warnings {
				if e.Step == "Assembling the build" {
					said = append(said, e.String())
				}
			}
			if warnings := strings.Join(said, "\n"); c.want == "" && warnings != "" || !strings.Contains(warnings, c.want) {
				t.Errorf("warnings %q, want %q", warnings, c.want)
			}
			if len(report.Notes) != 1 || !strings.Contains(report.Notes[0].Text, c.note) {
				t.Errorf("notes %v, want %q", report.Notes, c.note)
			}
		})
	}
}

func TestGameFolderOfAnAppBundle(t *testing.T) {
	report, out, err := build(t, tidewater().write(t, t.TempDir()), BuildOptions{Target: "osx-arm64", ContentOnly: true})
	if err != nil {
		t.Fatal(err, out.lines)
	}
	const game = "Tide Water.app/Contents/Resources/game/"
	files := readTree(t, report.OutputDirectory)
	for file := range files {
		if !strings.HasPrefix(file, game) {
			t.Errorf("%s is not in the game folder", file)
		}
	}
	if files[game+"content.tspack"] == "" || len(report.Notes) > 0 {
		t.Errorf("%q, notes %v", files.paths(), report.Notes)
	}
}

// awkward is a title with everything that some file format gives a meaning of its own.
const awkward = `Rock & "Roll" <100%> $HOME's \ [a] é`

func TestTitlesThatNeedEscaping(t *testing.T) {
	game := fmt.Sprintf(`{ "title": %q, "startScene": "scenes/pier.tscene" }`, awkward)
	dir := tidewater().with(tree{"assets/config/game.json": game, "assets/sprites/icon.png": picture(t, 32, 32)}).write(t, t.TempDir())
	name := platforms.SanitizeName(awkward)
	playersDir := t.TempDir()
	for id, player := range map[string]string{
		"win-x64": string(tinyProgram{}.bytes()), "osx-x64": machO(amd64, true), "linux-x64": "#!/bin/sh\ntest -f launcher.json && echo started in its folder\n",
	} {
		plant(t, playersDir, target(t, id), player)
	}
	export := func(id string) *Report {
		report, out, err := build(t, dir, BuildOptions{Target: id, PlayersDir: playersDir, DesktopEntry: true, Profile: profile(platforms.Distribution)})
		if err != nil {
			t.Fatal(err, out.lines)
		}
		return report
	}

	f, _ := openExecutable(t, export("win-x64").Executable)
	if v, err := f.VersionInfo(); err != nil || v.ProductName != awkward || v.OriginalFilename != name+".exe" {
		t.Errorf("%+v, %v", v, err)
	}

	mac := export("osx-x64")
	text, err := os.ReadFile(filepath.Join(mac.OutputDirectory, name+".app", "Contents", "Info.plist"))
	if err != nil {
		t.Fatal(err)
	}
	info, err := plist.Read(text)
	if err != nil || info.Get("CFBundleDisplayName") != awkward || info.Get("CFBundleName") != name {
		t.Errorf("%v, %v", info, err)
	}
	if err := platforms.CheckBundleIdentifier(fmt.Sprint(info.Get("CFBundleIdentifier"))); err != nil {
		t.Error(err)
	}
	if runtime.GOOS != "windows" {
		checkCommands(t, mac, name)
	}

	linux := export("linux-x64")
	if runtime.GOOS != "windows" {
		checkEntryStarts(t, filepath.Join(linux.OutputDirectory, name+".desktop"))
	}
}

// checkCommands runs the commands of a macOS build, with programs that print their arguments instead of Apple's.
func checkCommands(t *testing.T, report *Report, name string) {
	t.Helper()
	const show = `for a in "$@"; do printf '<%s>' "$a"; done; echo`
	script := "codesign() { " + show + "; }; ditto() { " + show + "; }; xcrun() { " + show + "; }; spctl() { " + show + "; }\n"
	for _, command := range report.Notes[0].Commands {
		command = strings.Replace(command, "-exec codesign", "-exec echo codesign", 1)
		script += strings.Replace(command, "/usr/libexec/PlistBuddy", "echo", 1) + "\n"
	}
	out, err := exec.Command("sh", "-e", "-c", script).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, script, out)
	}
	folder := filepath.Base(report.OutputDirectory)
	for _, part := range []string{"<" + folder + "/" + name + ".app>", "<" + folder + ".zip>", "<" + folder + ".entitlements>", "/Contents/MacOS/launcher.json", "/Contents/MacOS/native/library.bin"} {
		if !strings.Contains(string(out), part) {
			t.Errorf("the commands do not reach %s:\n%s", part, out)
		}
	}
	if strings.Contains(string(out), "/Contents/MacOS/"+name+" ") || strings.Contains(string(out), "/Contents/MacOS/"+name+"\n") {
		t.Errorf("the executable is signed before the files beside it:\n%s", out)
	}
}

// checkEntryStarts starts what a desktop entry names, as a desktop does.
func checkEntryStarts(t *testing.T, file string) {
	t.Helper()
	words := entryCommand(t, file)
	said, code := start(t, words[0], words[1:]...)
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
	says(t, said, "started in its folder\n")
}

func TestSettingsOfTargets(t *testing.T) {
	playersDir := t.TempDir()
	plant(t, playersDir, target(t, "win-x64"), string(tinyProgram{}.bytes()))
	plant(t, playersDir, target(t, "osx-x64"), machO(amd64, true))
	plant(t, playersDir, target(t, "linux-x64"), "#!/bin/sh\n")
	settings := func(replaced, by string) tree {
		return tree{"build.json": strings.Replace(tidewater()["build.json"], replaced, by, 1)}
	}
	version := func(v string) tree { return settings(`"1.2.0"`, fmt.Sprintf("%q", v)) }
	with := func(name, value string) tree {
		return settings(`"compress"`, fmt.Sprintf("%q: %q, \"compress\"", name, value))
	}
	for name, c := range map[string]struct {
		target string
		change tree
		level  Level
		want   []string // "" for nothing of the level
	}{
		"a version with a separator":     {"win-x64", version("1/2"), Error, []string{`version "1/2" contains '/'`, "archives are named after the version"}},
		"a version with a backslash":     {"linux-x64", version(`1\2`), Error, []string{`version "1\\2" contains '\\'`}},
		"a version with a colon":         {"win-x64", version("1:2"), Error, []string{"the character ':'", "the archive is named after the version"}},
		"a colon where it is possible":   {"linux-x64", version("1:2"), Error, nil},
		"a version with letters":         {"win-x64", version("1.2.3-beta"), Info, []string{`Windows shows the file version 1.2.3.0 for the version "1.2.3-beta"`}},
		"a version of letters":           {"win-x64", version("beta"), Info, []string{`the file version 1.0.0.0 for the version "beta"`}},
		"a version with a large number":  {"win-x64", version("1.99999"), Info, []string{"the file version 1.65535.0.0"}},
		"a version with letters, macOS":  {"osx-x64", version("1.2.3-beta"), Info, []string{`macOS shows the version 1.2.3 for the version "1.2.3-beta"`}},
		"a version of letters, macOS":    {"osx-x64", version("v7"), Info, []string{`macOS shows the version 1.0.0 for the version "v7"`}},
		"an identifier with a space":     {"osx-x64", with("bundleIdentifier", "com.my game"), Error, []string{`the character ' ', which macOS does not take`, "com.example.game"}},
		"an identifier of one part":      {"osx-x64", with("bundleIdentifier", "game"), Error, []string{"one part only"}},
		"an empty identifier":            {"osx-x64", with("bundleIdentifier", ""), Error, []string{"the bundle identifier is empty"}},
		"an identifier, not for macOS":   {"win-x64", with("bundleIdentifier", "game"), Error, nil},
		"a reserved name":                {"win-x64", with("executableName", "aux"), Warning, []string{`the executableName "aux" is reserved on Windows`, `the executable is called "Game"`}},
		"a reserved name with extension": {"win-x64", with("executableName", "com1.game"), Error, []string{`"com1.game.exe" is reserved on Windows`, "Set another executableName"}},
		"such a name on Linux":           {"linux-x64", with("executableName", "com1.game"), Error, nil},
		"a name that launcher.json has":  {"osx-x64", with("executableName", "LAUNCHER.JSON"), Error, []string{"which the build needs for something else"}},
		"a reserved name in the config":  {"win-x64", tree{"assets/config/aux.json": "{}"}, Error, []string{"game/config/aux.json cannot be in a build for Windows x64", "reserved on Windows"}},
		"a bad name in a plugin":         {"win-x64", tree{"assets/plugins/rain/data/what?.txt": "?"}, Error, []string{"what?.txt", "the character '?'"}},
		"names that differ in case":      {"osx-x64", tree{"assets/config/Input.json": "{}"}, Error, []string{"config/input.json", "config/Input.json", "case makes no difference"}},
		"such names on Linux":            {"linux-x64", tree{"assets/config/Input.json": "{}", "assets/config/aux.json": "{}"}, Error, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS != "linux" && (strings.Contains(name, "case") || strings.Contains(name, "name in") || strings.Contains(name, "names")) {
				t.Skip("this system cannot have such files")
			}
			dir := tidewater().with(tree{"assets/sprites/icon.png": picture(t, 32, 32)}).with(c.change).write(t, t.TempDir())
			_, out, err := build(t, dir, BuildOptions{Target: c.target, PlayersDir: playersDir, Profile: profile(platforms.Distribution)})
			failed := c.level == Error && len(c.want) > 0
			if failed != errors.Is(err, ErrFailed) || !failed && err != nil {
				t.Fatal(err, out.lines)
			}
			messages := out.messages(c.level)
			if len(c.want) == 0 && len(messages) > 0 {
				t.Errorf("%q", messages)
			}
			if !slices.ContainsFunc(messages, func(m string) bool {
				return !slices.ContainsFunc(c.want, func(part string) bool { return !strings.Contains(m, part) })
			}) && len(c.want) > 0 {
				t.Errorf("no message says %q: %q", c.want, messages)
			}
		})
	}
}
