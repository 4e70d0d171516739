package players

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/platforms"
)

// plant writes files, given as a map of path to text, below dir.
func plant(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for path, text := range files {
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func target(t *testing.T, id string) platforms.Target {
	t.Helper()
	found, ok := platforms.TargetByID(id)
	if !ok {
		t.Fatal("no target ", id)
	}
	return found
}

func TestLookupOrder(t *testing.T) {
	const key = "linux-x64-r2r-nosymbols"
	for _, c := range []struct {
		name   string
		files  map[string]string
		want   string
		source string
	}{
		{"the named folder comes first", map[string]string{
			"named/" + key + "/talesmith-player":               "x",
			"program/players/" + key + "/talesmith-player":     "x",
			"cache/players/" + key + "-0123/talesmith-player":  "x",
			"cache/players/" + key + "-0123/" + completeFile:   "2026-03-01T10:00:00.0000000Z",
			"named/linux-x64-jit-symbols/talesmith-player":     "x",
			"named/" + key + "-more/talesmith-player":          "x",
			"program/players/" + key + "/libSkiaSharp.so":      "x",
			"cache/players/" + key + "-0123/libHarfBuzz.so.1a": "x",
		}, "named/" + key, Named},
		{"then the program's folder, when the named one has no player file", map[string]string{
			"named/" + key + "/talesmith-player.exe":       "x",
			"program/players/" + key + "/talesmith-player": "x",
		}, "program/players/" + key, Beside},
		{"then the newest complete folder of the cache", map[string]string{
			"cache/players/" + key + "-aaaa/talesmith-player": "x",
			"cache/players/" + key + "-aaaa/" + completeFile:  "2026-03-01T10:00:00.0000000Z",
			"cache/players/" + key + "-bbbb/talesmith-player": "x",
			"cache/players/" + key + "-bbbb/" + completeFile:  "2026-03-02T10:00:00.0000000Z",
			"cache/players/" + key + "-cccc/talesmith-player": "x",
		}, "cache/players/" + key + "-bbbb", InCache},
		{"a cached folder without the player file is passed over", map[string]string{
			"cache/players/" + key + "-aaaa/talesmith-player": "x",
			"cache/players/" + key + "-aaaa/" + completeFile:  "2026-03-01T10:00:00.0000000Z",
			"cache/players/" + key + "-bbbb/" + completeFile:  "2026-03-02T10:00:00.0000000Z",
		}, "cache/players/" + key + "-aaaa", InCache},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			plant(t, dir, c.files)
			p, err := Find(target(t, "linux-x64"), platforms.Release, Options{
				Dir: filepath.Join(dir, "named"), ProgramDir: filepath.Join(dir, "program"), CacheDir: filepath.Join(dir, "cache"),
			})
			if err != nil {
				t.Fatal(err)
			}
			want, err := filepath.EvalSymlinks(filepath.Join(dir, filepath.FromSlash(c.want)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(Player{Dir: want, Key: key, Source: c.source}, p); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheRightBrandComesBeforeNewerFolders(t *testing.T) {
	const key = "win-x64-r2r-nosymbols"
	brand := Brand("Hex Quest", "1.0.0", []byte("icon"))
	dir := t.TempDir()
	plant(t, dir, map[string]string{
		"players/" + key + "-" + brand + "-0011/talesmith-player.exe": "x",
		"players/" + key + "-" + brand + "-0011/" + completeFile:      "2020-01-01T00:00:00.0000000Z",
		"players/" + key + "-0011/talesmith-player.exe":               "x",
		"players/" + key + "-0011/" + completeFile:                    "2026-01-01T00:00:00.0000000Z",
	})
	for brand, want := range map[string]string{brand: key + "-" + brand + "-0011", "": key + "-0011", "000000000000": key + "-0011"} {
		p, err := Find(target(t, "win-x64"), platforms.Distribution, Options{ProgramDir: dir + "/none", CacheDir: dir, Brand: brand})
		if err != nil {
			t.Fatal(err)
		}
		if got := filepath.Base(p.Dir); got != want {
			t.Errorf("brand %q takes %s, want %s", brand, got, want)
		}
	}
	if Brand("", "1.0.0", nil) != "" {
		t.Error("no title has a brand")
	}
}

func TestNotFoundListsEveryPlaceAndWhatIsWrongThere(t *testing.T) {
	const key = "linux-x64-jit-symbols"
	dir := t.TempDir()
	plant(t, dir, map[string]string{
		"named/" + key:                                  "a file",
		"program/players/" + key + "/readme":            "x",
		"cache/players/" + key + "-01/" + completeFile:  "",
		"cache/players/" + key + "-02/talesmith-player": "",
		"cache/players/" + key + "-02/" + completeFile:  "",
	})
	_, err := Find(target(t, "linux-x64"), platforms.Development, Options{
		Dir: filepath.Join(dir, "named"), ProgramDir: filepath.Join(dir, "program"), CacheDir: filepath.Join(dir, "cache"),
	})
	var notFound *NotFoundError
	if !errors.As(err, &notFound) || notFound.Key != key || len(notFound.Looked) != 4 {
		t.Fatalf("%v", err)
	}
	for _, want := range []string{
		filepath.Join(dir, "named", key) + " (not a folder)",
		filepath.Join(dir, "program", "players", key) + " (no talesmith-player in it)",
		key + "-01 (no talesmith-player in it)",
		key + "-02 (talesmith-player is empty)",
		"Linux x64", "Put the folder " + key,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q:\n%v", want, err)
		}
	}

	_, err = Find(target(t, "linux-x64"), platforms.Development, Options{ProgramDir: filepath.Join(dir, "x"), CacheDir: filepath.Join(dir, "y")})
	if !errors.As(err, &notFound) || len(notFound.Looked) != 2 || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("%v", err)
	}
}

func TestEngineCache(t *testing.T) {
	for _, c := range []struct {
		goos string
		env  map[string]string
		want string
	}{
		{"linux", map[string]string{"TALESMITH_CACHE": "/c", "HOME": "/h"}, "/c"},
		{"linux", map[string]string{"XDG_CACHE_HOME": "/x", "HOME": "/h"}, filepath.Join("/x", "Talesmith")},
		{"darwin", map[string]string{"HOME": "/h"}, filepath.Join("/h", ".cache", "Talesmith")},
		{"windows", map[string]string{"LOCALAPPDATA": "/l", "HOME": "/h"}, filepath.Join("/l", "Talesmith", "Cache")},
		{"windows", map[string]string{"HOME": "/h"}, ""},
		{"linux", nil, ""},
	} {
		if got := engineCache(c.goos, func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%s %v: %q, want %q", c.goos, c.env, got, c.want)
		}
	}
}

func TestFiles(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	plant(t, dir, map[string]string{
		"talesmith-player":    "player",
		"libSkiaSharp.so":     "s",
		"licenses/MIT.txt":    "m",
		".complete":           "",
		"licenses/.gitignore": "",
		".fonts/a.ttf":        "ttf",
	})
	link := func(target, name string) {
		t.Helper()
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip("links cannot be made here: ", err)
		}
	}
	link("libSkiaSharp.so", "libSkiaSharp.so.88")
	files, err := Player{Dir: dir}.Files(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		text, err := os.ReadFile(f.Source)
		if err != nil || int64(len(text)) != f.Size {
			t.Errorf("%s: %d bytes, said to be %d, %v", f.Path, len(text), f.Size, err)
		}
		got = append(got, f.Path+" "+string(text))
	}
	want := []string{".fonts/a.ttf ttf", "libSkiaSharp.so s", "libSkiaSharp.so.88 s", "licenses/MIT.txt m", "talesmith-player player"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}

	outside := filepath.Join(t.TempDir(), "library.so")
	plant(t, filepath.Dir(outside), map[string]string{"library.so": "x"})
	for _, c := range []struct{ target, want string }{
		{outside, "leads out of the player folder"},
		{"../" + filepath.Base(dir) + "/../x", "leads to nothing"},
		{"..", "leads out of the player folder"},
		{"licenses", "something else"},
	} {
		link(c.target, "bad")
		_, err := Player{Dir: dir}.Files(t.Context())
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "bad") {
			t.Errorf("a link to %s: %v", c.target, err)
		}
		os.Remove(filepath.Join(dir, "bad"))
	}
}
