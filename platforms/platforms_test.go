package platforms

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNamesAsTheEngineMakesThem(t *testing.T) {
	var listing struct {
		Cases []struct{ Title, Name string }
	}
	text, err := os.ReadFile(filepath.FromSlash("../../shared/golden/talesmith/names.json"))
	if err != nil {
		t.Skip("the golden listings are not here: ", err)
	}
	if err := json.Unmarshal(text, &listing); err != nil {
		t.Fatal(err)
	}
	for _, c := range listing.Cases {
		if got := SanitizeName(c.Title); got != c.Name {
			t.Errorf("SanitizeName(%q) = %q, want %q", c.Title, got, c.Name)
		}
	}
	t.Logf("%d cases", len(listing.Cases))
}

func TestSanitizeName(t *testing.T) {
	for _, c := range []struct{ title, want string }{
		{"Hex Quest: Tides?", "Hex Quest Tides"},
		{"  a \t b  ", "a b"},
		{"\u00a0x", "\u00a0x"}, // only U+0020 separates
		{"com1", "Game"},
		{"COM0", "COM0"},
		{"lpt10", "lpt10"},
		{strings.Repeat("x", 63) + "😀", strings.Repeat("x", 63)}, // no half of a pair
		{strings.Repeat("x", 62) + "😀", strings.Repeat("x", 62) + "😀"},
		{strings.Repeat("é", 70), strings.Repeat("é", 64)},
		{"../../etc", "etc"},
	} {
		if got := SanitizeName(c.title); got != c.want {
			t.Errorf("SanitizeName(%q) = %q, want %q", c.title, got, c.want)
		}
	}
}

func FuzzSanitizeName(f *testing.F) {
	for _, s := range []string{"", "Hex Quest", "..", "con", "a/b\\c|d", strings.Repeat("x", 64) + ". ."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, title string) {
		name := SanitizeName(title)
		if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\\:\x00") {
			t.Errorf("SanitizeName(%q) = %q, which is not one file name", title, name)
		}
		if again := SanitizeName(name); again != name {
			t.Errorf("SanitizeName(%q) = %q, and again %q", title, name, again)
		}
	})
}

func TestDeriveBundleIdentifier(t *testing.T) {
	for name, want := range map[string]string{
		"Hex Quest":    "com.talesmith.hex-quest",
		"L'été  2":     "com.talesmith.l-t-2",
		"日本":           "com.talesmith.game",
		"--A--b--":     "com.talesmith.a-b",
		"Game":         "com.talesmith.game",
		"Hex.Quest_II": "com.talesmith.hex-quest-ii",
	} {
		if got := DeriveBundleIdentifier(name); got != want {
			t.Errorf("DeriveBundleIdentifier(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestCheckBundleIdentifier(t *testing.T) {
	for _, id := range []string{"com.example.game", "com.talesmith.hex-quest", "A.1"} {
		if err := CheckBundleIdentifier(id); err != nil {
			t.Errorf("CheckBundleIdentifier(%q): %v", id, err)
		}
	}
	for id, want := range map[string]string{
		"":               "is empty",
		"game":           "has one part only",
		"com..game":      "has an empty part",
		".com.game":      "has an empty part",
		"com.my_game":    `the character '_'`,
		"com.my game":    `the character ' '`,
		"com.jeu d'été":  `the character ' '`,
		"com.été":        `the character 'é'`,
		"com.game\n.x":   `the character '\n'`,
		"com.<game>.key": `the character '<'`,
	} {
		if err := CheckBundleIdentifier(id); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("CheckBundleIdentifier(%q): %v, want one that says %q", id, err, want)
		}
	}
	for _, name := range []string{"Hex Quest", "日本", "--", "L'été  2"} {
		if err := CheckBundleIdentifier(DeriveBundleIdentifier(name)); err != nil {
			t.Errorf("the identifier derived from %q: %v", name, err)
		}
	}
}

func TestFileNamesOfWindows(t *testing.T) {
	windows, _ := TargetByID("win-x64")
	linux, _ := TargetByID("linux-x64")
	for name, want := range map[string]string{
		"aux.json": "reserved on Windows", "CON": "reserved on Windows", "com7.tar.gz": "reserved on Windows", "nul .txt": "reserved on Windows",
		"a:b": `the character ':'`, `a\b`: `the character '\\'`, "what?": `the character '?'`, "tab\t": `the character '\t'`,
		"dot.": `ends with "."`, "space ": `ends with " "`,
		"auxiliary.json": "", "console": "", "COM0": "", "COM10": "", ".hidden": "", "ünï.txt": "",
	} {
		err := windows.CheckFileName(name)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("Windows: %q: %v, want %q", name, err, want)
		}
		if err := linux.CheckFileName(name); err != nil {
			t.Errorf("Linux: %v", err)
		}
	}
}

func TestTargets(t *testing.T) {
	for _, target := range Targets() {
		if got, ok := TargetByID(strings.ToUpper(target.ID)); !ok || got != target {
			t.Errorf("TargetByID does not find %s when written in capitals", target.ID)
		}
		l := target.Layout("Hex Quest")
		if l.Clash() != "" {
			t.Errorf("%s: %s is used twice", target.ID, l.Clash())
		}
		if !strings.HasSuffix(l.Executable, "Hex Quest"+target.ExeSuffix) {
			t.Errorf("%s: executable %q", target.ID, l.Executable)
		}
	}
	if _, ok := TargetByID("amiga"); ok {
		t.Error("TargetByID finds a target that does not exist")
	}
}

func TestHost(t *testing.T) {
	for _, c := range []struct{ goos, goarch, want string }{
		{"windows", "amd64", "win-x64"},
		{"linux", "amd64", "linux-x64"},
		{"freebsd", "arm64", "linux-x64"},
		{"darwin", "arm64", "osx-arm64"},
		{"darwin", "amd64", "osx-x64"},
	} {
		if got := host(c.goos, c.goarch).ID; got != c.want {
			t.Errorf("host(%s, %s) = %s, want %s", c.goos, c.goarch, got, c.want)
		}
	}
}

func TestLayout(t *testing.T) {
	linux, _ := TargetByID("linux-x64")
	mac, _ := TargetByID("osx-x64")
	if got := linux.ArchiveName("Hex Quest", "1.0.0"); got != "Hex Quest-1.0.0-linux-x64.tar.gz" {
		t.Error("archive", got)
	}
	if got := linux.StagingName("Hex Quest"); got != ".Hex Quest-linux-x64.staging" {
		t.Error("staging", got)
	}
	if got := linux.Layout("game").Clash(); got != "game" {
		t.Errorf("a game titled game clashes with %q", got)
	}
	if got := linux.Layout("Game").Clash(); got != "" {
		t.Errorf("a game titled Game clashes with %q", got)
	}
	if got := mac.Layout("LAUNCHER.json").Clash(); got != mac.Layout("LAUNCHER.json").Launcher {
		t.Errorf("a game titled LAUNCHER.json clashes with %q", got)
	}
	if got := mac.Layout("Hex Quest"); got.LauncherGameFolder != "../Resources/game" || got.Launcher != "Hex Quest.app/Contents/MacOS/launcher.json" {
		t.Errorf("macOS layout %+v", got)
	}
	if got := linux.PlayerKey(Development) + " " + linux.PlayerKey(Distribution); got != "linux-x64-jit-symbols linux-x64-r2r-nosymbols" {
		t.Error("player keys", got)
	}
}

func TestCheckVersion(t *testing.T) {
	for _, v := range []string{"1.0.0", "1.0 beta", "", "ü"} {
		if err := CheckVersion(v); err != nil {
			t.Errorf("CheckVersion(%q): %v", v, err)
		}
	}
	for _, v := range []string{"1/0", `1\0`, "../x", "1\n"} {
		if CheckVersion(v) == nil {
			t.Errorf("CheckVersion(%q) accepts it", v)
		}
	}
}

func TestProfiles(t *testing.T) {
	for i, info := range Profiles() {
		for _, text := range []string{info.ID, strings.ToUpper(info.ID), string(rune('0' + i))} {
			if p, ok := ParseProfile(text); !ok || p != info.Profile {
				t.Errorf("ParseProfile(%q) = %v, %v", text, p, ok)
			}
		}
		if info.Profile.Info() != info || info.Sentence == "" {
			t.Errorf("the row of %s is not in its place", info.ID)
		}
	}
	for _, text := range []string{"", "3", "final", "1.0"} {
		if _, ok := ParseProfile(text); ok {
			t.Errorf("ParseProfile(%q) accepts it", text)
		}
	}
	if Profile(7).String() != "release" {
		t.Error("a number that is no profile does not act as release")
	}
}
