package assetpath

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

func TestNormalizeGolden(t *testing.T) {
	data, err := os.ReadFile("../../../shared/golden/talesmith/paths.json")
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("the golden files are not here")
	}
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Cases []struct {
			Path, Normalized string
			Error            bool
		}
	}
	if err := json.Unmarshal(data, &golden); err != nil {
		t.Fatal(err)
	}
	for _, c := range golden.Cases {
		got, err := Normalize(c.Path)
		if got != c.Normalized || (err != nil) != c.Error {
			t.Errorf("Normalize(%q) = %q, %v, want %q", c.Path, got, err, c.Normalized)
		}
	}
	t.Logf("%d cases", len(golden.Cases))
	if len(golden.Cases) == 0 {
		t.Error("no cases")
	}
}

func TestNormalize(t *testing.T) {
	for path, want := range map[string]string{
		"":               "",
		".":              "",
		"./":             "",
		`a\b\\c`:         "a/b/c",
		`\\server\share`: "server/share",
		"a/b/../c":       "a/c",
		"a/..":           "",
		"a/.../b":        "a/.../b",
		"..a/b..":        "..a/b..",
		"a /../b":        "b",
		"a/b\x00":        "a/b\x00",
	} {
		if got, err := Normalize(path); got != want || err != nil {
			t.Errorf("Normalize(%q) = %q, %v, want %q", path, got, err, want)
		}
	}
	for _, path := range []string{"..", "../a", "a/../..", `..\a`, "/..", "a/b/../../../c", "./.."} {
		got, err := Normalize(path)
		if !errors.Is(err, ErrLeaves) || got != "" {
			t.Errorf("Normalize(%q) = %q, %v, want ErrLeaves", path, got, err)
		}
	}
	_, err := Normalize("../secret")
	if want := `"../secret": the path leaves the asset folder`; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
}

func TestResolve(t *testing.T) {
	for _, c := range []struct{ folder, rel, want string }{
		{"materials", "../shaders/glow.sksl", "shaders/glow.sksl"},
		{"materials", "glow.sksl", "materials/glow.sksl"},
		{"", "a.png", "a.png"},
		{"a", "/b", "a/b"},
		{"a", "", "a"},
	} {
		if got, err := Resolve(c.folder, c.rel); got != c.want || err != nil {
			t.Errorf("Resolve(%q, %q) = %q, %v, want %q", c.folder, c.rel, got, err, c.want)
		}
	}
	if _, err := Resolve("a", "../../b"); !errors.Is(err, ErrLeaves) {
		t.Errorf("got %v, want ErrLeaves", err)
	}
}

func TestFold(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		equal bool
	}{
		{"Scenes/Grove.tscene", "scenes/GROVE.TSCENE", true},
		{"été.png", "ÉTÉ.png", true},
		{"straße", "STRASSE", false},
		{"straße", "STRAßE", true},
		{"σ", "ς", true},
		{"ı", "I", false},
		{"İ", "i", false},
		{"ſ", "S", false},
		{"ﬁ", "FI", false},
		{"\U00010428", "\U00010400", true},
		{"a\xffb", "A\xffB", true},
		{"a\xff", "a\xfe", false},
		{"\uFFFD", "\xff", false},
	} {
		if got := Fold(c.a) == Fold(c.b); got != c.equal {
			t.Errorf("Fold(%q) = %q, Fold(%q) = %q", c.a, Fold(c.a), c.b, Fold(c.b))
		}
	}
	if n := testing.AllocsPerRun(10, func() { Fold("SCENES/GROVE_2.TSCENE") }); n != 0 {
		t.Errorf("%v allocations for an upper-case path", n)
	}
}

func TestCompareIsTheOrderOfUTF16(t *testing.T) {
	paths := []string{"", "A", "B", "a", "a/b", "a0", "ab", "é", "\ud7ff", "\U00010000", "\U0010FFFF", "\ue000", "\uffee", "\ufffd", "a\U0001F600", "a\uff00"}
	for _, a := range paths {
		for _, b := range paths {
			want := slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
			if got := Compare(a, b); got != want {
				t.Errorf("Compare(%q, %q) = %d, want %d", a, b, got, want)
			}
		}
	}
	if Compare("\xff", "\xfe") == 0 || Compare("\xff", "\xfe") == Compare("\xfe", "\xff") {
		t.Error("texts that are not UTF-8 have no order")
	}
}

func TestExtDirBase(t *testing.T) {
	for _, c := range []struct{ path, ext, dir, base string }{
		{"a/b.PNG", ".png", "a", "b.PNG"},
		{"a.b/c", "", "a.b", "c"},
		{"c.", "", "", "c."},
		{"a/.b", ".b", "a", ".b"},
		{"a.tar.Gz", ".gz", "", "a.tar.Gz"},
		{"x.É", ".é", "", "x.É"},
		{"x.Iİ", ".iİ", "", "x.Iİ"},
		{"", "", "", ""},
		{"a/b/c", "", "a/b", "c"},
	} {
		if Ext(c.path) != c.ext || Dir(c.path) != c.dir || Base(c.path) != c.base {
			t.Errorf("%q: Ext %q, Dir %q, Base %q", c.path, Ext(c.path), Dir(c.path), Base(c.path))
		}
	}
}

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		path, folder string
		want         bool
	}{
		{"a/b", "a", true},
		{"a", "a", true},
		{"ab", "a", false},
		{"a", "", true},
		{"", "", true},
		{"", "a", false},
		{"A/b", "a", false},
		{"a", "a/b", false},
	} {
		if got := Within(c.path, c.folder); got != c.want {
			t.Errorf("Within(%q, %q) = %v", c.path, c.folder, got)
		}
	}
}

func TestSafeJoin(t *testing.T) {
	root := t.TempDir()
	for rel, want := range map[string]string{
		"":        root,
		"a/b.png": filepath.Join(root, "a", "b.png"),
		`/a\..\c`: filepath.Join(root, "c"),
		"...":     filepath.Join(root, "..."),
	} {
		if runtime.GOOS == "windows" && rel == "..." {
			continue
		}
		if got, err := SafeJoin(root, rel); got != want || err != nil {
			t.Errorf("SafeJoin(%q) = %q, %v, want %q", rel, got, err, want)
		}
	}
	for rel, want := range map[string]error{"../x": ErrLeaves, `a\..\..\x`: ErrLeaves, "a\x00b": ErrFileName} {
		if got, err := SafeJoin(root, rel); !errors.Is(err, want) || got != "" {
			t.Errorf("SafeJoin(%q) = %q, %v, want %v", rel, got, err, want)
		}
	}
}

func TestNamesThatWindowsRefuses(t *testing.T) {
	for _, name := range []string{"C:", "a:b", "NUL", "nul.txt", "com1", "LPT¹.log", "CON .x", "a.", "a ", "a<", "a\tb", "a?", "CONIN$", "x\x00"} {
		if segmentFault(name, true) == "" {
			t.Errorf("%q is taken", name)
		}
	}
	for _, name := range []string{"a.b", "COM", "COM10", "CONSOLE", "nulls", " a", ".x", "été", "LPT"} {
		if fault := segmentFault(name, true); fault != "" {
			t.Errorf("%q: %s", name, fault)
		}
	}
}

func FuzzNormalize(f *testing.F) {
	f.Add("a/../b", "A")
	f.Add(`..\x//y/.`, "\xff")
	f.Add("İ/ı/\U00010428", "ß")
	f.Fuzz(func(t *testing.T, path, other string) {
		normal, err := Normalize(path)
		if err != nil {
			if !errors.Is(err, ErrLeaves) {
				t.Fatal(err)
			}
			return
		}
		if again, err := Normalize(normal); again != normal || err != nil {
			t.Errorf("%q normalizes to %q, then to %q, %v", path, normal, again, err)
		}
		if resolved, err := Resolve(Dir(normal), Base(normal)); resolved != normal || err != nil {
			t.Errorf("%q from its folder is %q, %v", normal, resolved, err)
		}
		if folded := Fold(path); Fold(folded) != folded || utf8.ValidString(path) != utf8.ValidString(folded) {
			t.Errorf("Fold(%q) = %q, then %q", path, folded, Fold(folded))
		}
		if ab, ba := Compare(path, other), Compare(other, path); ab != -ba || (ab == 0) != (path == other) {
			t.Errorf("Compare(%q, %q) = %d and %d", path, other, ab, ba)
		}
		root := filepath.FromSlash("/root/of/all")
		if joined, err := SafeJoin(root, path); err == nil && joined != root && !strings.HasPrefix(joined, root+string(filepath.Separator)) {
			t.Errorf("SafeJoin(%q) = %q", path, joined)
		}
	})
}
