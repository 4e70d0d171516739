package assets_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/formats/guid"
	"talebinder/project/assets"
	"talebinder/project/problem"
)

// A repaired project is a tree with one thing wrong, the problem it gives, and what its repair makes of it.
var repairs = []struct {
	name    string
	files   map[string]string
	problem problem.Problem // without message and hint
	message string          // part of the message
	hint    string          // part of the hint
	files2  []string        // files of the repair
	after   map[string]string
	gone    string // a file that the repair takes away
}{
	{
		name:    "a file without a meta",
		files:   map[string]string{"s.png": "x"},
		problem: problem.Problem{Level: problem.Info, Code: "meta-missing", File: "assets/s.png", Repair: "meta:s.png"},
		message: "s.png.meta does not exist yet",
		hint:    guid.FromPath("s.png").String(),
		files2:  []string{"assets/s.png.meta"},
		after:   map[string]string{"s.png.meta": meta(guid.FromPath("s.png").String(), `"importer": "texture"`, `"importerVersion": 1`)},
	},
	{
		name:    "a folder without a meta",
		files:   map[string]string{"s/": ""},
		problem: problem.Problem{Level: problem.Info, Code: "meta-missing", File: "assets/s", Repair: "meta:s"},
		message: "s.meta does not exist yet",
		files2:  []string{"assets/s.meta"},
		after:   map[string]string{"s.meta": folderMeta(guid.FromPath("s").String())},
	},
	{
		name:    "a meta that is cut off",
		files:   map[string]string{"s.cs": "x", "s.cs.meta": "{\n  \"guid\": \"" + guidOf("1")},
		problem: problem.Problem{Level: problem.Warning, Code: "meta-invalid", File: "assets/s.cs.meta", Line: 2, Column: 11, Repair: "meta:s.cs"},
		message: "s.cs.meta is not valid: expected `\"` at the end of the text that begins here",
		hint:    ".s.cs.meta.invalid",
		files2:  []string{"assets/s.cs.meta", "assets/.s.cs.meta.invalid"},
		after:   map[string]string{"s.cs.meta": meta(guid.FromPath("s.cs").String()), ".s.cs.meta.invalid": "{\n  \"guid\": \"" + guidOf("1")},
	},
	{
		name:    "a meta of a newer version",
		files:   map[string]string{"a/s.cs": "x", "a/s.cs.meta": `{"version": 2}`, "a.meta": folderMeta(guidOf("1")), "a/.s.cs.meta.invalid": "older"},
		problem: problem.Problem{Level: problem.Warning, Code: "meta-invalid", File: "assets/a/s.cs.meta", Line: 1, Column: 13, Repair: "meta:a/s.cs"},
		message: "version 2 is newer than 1",
		files2:  []string{"assets/a/s.cs.meta", "assets/a/.s.cs.meta.invalid"},
		after:   map[string]string{"a/s.cs.meta": meta(guid.FromPath("a/s.cs").String()), "a/.s.cs.meta.invalid": `{"version": 2}`},
	},
	{
		name:    "a meta of which an interrupted write left the backup",
		files:   map[string]string{"s.cs": "x", ".s.cs.meta.bak": "{ \"guid\": \"" + guidOf("1") + "\" /* mine */ }"},
		problem: problem.Problem{Level: problem.Warning, Code: "meta-restored", File: "assets/s.cs.meta", Repair: "meta:s.cs"},
		message: "s.cs.meta was lost",
		hint:    ".s.cs.meta.bak",
		files2:  []string{"assets/s.cs.meta"},
		after:   map[string]string{"s.cs.meta": "{ \"guid\": \"" + guidOf("1") + "\" /* mine */ }"},
		gone:    ".s.cs.meta.bak",
	},
	{
		name:    "a file that its meta takes for a folder",
		files:   map[string]string{"s.cs": "x", "s.cs.meta": "{\r\n\t\"guid\": \"" + guidOf("1") + "\",\r\n\t\"folder\": true,\r\n\t\"mine\": 1 // kept\r\n}\r\n"},
		problem: problem.Problem{Level: problem.Info, Code: "meta-folder", File: "assets/s.cs.meta", Repair: "meta:s.cs"},
		message: "s.cs is a file, but",
		files2:  []string{"assets/s.cs.meta"},
		after:   map[string]string{"s.cs.meta": "{\r\n\t\"guid\": \"" + guidOf("1") + "\",\r\n\t\"mine\": 1 // kept\r\n}\r\n"},
	},
	{
		name:    "a folder that its meta takes for a file",
		files:   map[string]string{"s/": "", "s.meta": meta(guidOf("1"), `"importer": "texture"`, `"importerVersion": 1`)},
		problem: problem.Problem{Level: problem.Info, Code: "meta-folder", File: "assets/s.meta", Repair: "meta:s"},
		message: "s is a folder, but",
		files2:  []string{"assets/s.meta"},
		after:   map[string]string{"s.meta": meta(guidOf("1"), `"folder": true`, `"importerVersion": 1`)},
	},
	{
		name:    "the guid of another asset",
		files:   map[string]string{"a.cs": "x", "a.cs.meta": meta(guidOf("1")), "s.cs": "x", "s.cs.meta": "// kept\n{\"labels\":[\"x\"],\"Guid\":\"" + guidOf("1") + "\"}"},
		problem: problem.Problem{Level: problem.Warning, Code: "guid-duplicate", File: "assets/s.cs.meta", Repair: "meta:s.cs"},
		message: "s.cs has the guid of a.cs, " + guidOf("1"),
		hint:    "a.cs keeps it, so references with this guid lead there; s.cs gets " + guid.FromPath("s.cs").String(),
		files2:  []string{"assets/s.cs.meta"},
		after:   map[string]string{"a.cs.meta": meta(guidOf("1")), "s.cs.meta": "// kept\n{\"labels\":[\"x\"],\"Guid\":\"" + guid.FromPath("s.cs").String() + "\"}"},
	},
	{
		name:    "no importer",
		files:   map[string]string{"s.ogg": "x", "s.ogg.meta": meta(guidOf("1"), `"settings": {"volume": 1.0}`)},
		problem: problem.Problem{Level: problem.Info, Code: "importer-missing", File: "assets/s.ogg.meta", Repair: "meta:s.ogg"},
		message: "s.ogg.meta names no importer",
		hint:    "The importer audio, version 1",
		files2:  []string{"assets/s.ogg.meta"},
		after:   map[string]string{"s.ogg.meta": meta(guidOf("1"), `"importer": "audio"`, `"importerVersion": 1`, `"settings": {"volume": 1.0}`)},
	},
	{
		name:    "an older importer",
		files:   map[string]string{"s.ogg": "x", "s.ogg.meta": meta(guidOf("1"), `"importer": "audio"`, `"importerVersion": 0`, `"x": [1]`)},
		problem: problem.Problem{Level: problem.Info, Code: "importer-old", File: "assets/s.ogg.meta", Repair: "meta:s.ogg"},
		message: "s.ogg.meta names version 0 of the importer audio",
		files2:  []string{"assets/s.ogg.meta"},
		after:   map[string]string{"s.ogg.meta": meta(guidOf("1"), `"importer": "audio"`, `"importerVersion": 1`, `"x": [1]`)},
	},
	{
		name:    "repeated names, where only the engine's text is right",
		files:   map[string]string{"s.ogg": "x", "s.ogg.meta": `{"guid":"` + guidOf("1") + `","importer":"audio","importer":" ","labels":["l"]}`},
		problem: problem.Problem{Level: problem.Info, Code: "importer-missing", File: "assets/s.ogg.meta", Repair: "meta:s.ogg"},
		message: "names no importer",
		files2:  []string{"assets/s.ogg.meta"},
		after:   map[string]string{"s.ogg.meta": `{"guid":"` + guidOf("1") + `","importer":"audio","importer":"audio","importerVersion":1,"labels":["l"]}`},
	},
}

func TestRepairs(t *testing.T) {
	for _, c := range repairs {
		t.Run(c.name, func(t *testing.T) {
			root := tree(t, c.files)
			db := scan(t, root)
			problems := db.Problems()
			if len(problems) != 1 {
				t.Fatalf("problems: %v", problems)
			}
			p := problems[0]
			if !strings.Contains(p.Message, c.message) || !strings.Contains(p.Hint, c.hint) || p.Hint == "" {
				t.Errorf("%s\n%s\nwant %s\n%s", p.Message, p.Hint, c.message, c.hint)
			}
			p.Message, p.Hint = "", ""
			if diff := cmp.Diff(c.problem, p); diff != "" {
				t.Error(diff)
			}
			list := db.Repairs()
			if len(list) != 1 || list[0].ID != p.Repair || list[0].Title == "" || !slices.Equal(list[0].Files, c.files2) {
				t.Errorf("repairs: %+v", list)
			}
			want := make(map[string]string)
			for _, a := range db.All() {
				want[a.Path] = fmt.Sprintf("%v %v %v %d %q", a.Meta.Guid, a.Meta.Folder, a.Meta.Importer, a.Meta.ImporterVersion, a.Meta.Labels)
			}
			if err := db.Repair(p.Repair); err != nil {
				t.Fatal(err)
			}
			for path, text := range c.after {
				if got, err := os.ReadFile(filepath.Join(root, path)); err != nil || string(got) != text {
					t.Errorf("%s: %v, got %q, want %q", path, err, got, text)
				}
			}
			if c.gone != "" {
				if _, err := os.Lstat(filepath.Join(root, c.gone)); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s is still there: %v", c.gone, err)
				}
			}
			// What was decided in memory is now what the files say.
			db = scan(t, root)
			if left := db.Problems(); len(left) != 0 || len(db.Repairs()) != 0 {
				t.Errorf("after the repair: %v", left)
			}
			for _, a := range db.All() {
				if got := fmt.Sprintf("%v %v %v %d %q", a.Meta.Guid, a.Meta.Folder, a.Meta.Importer, a.Meta.ImporterVersion, a.Meta.Labels); got != want[a.Path] {
					t.Errorf("%s: got %s, want %s", a.Path, got, want[a.Path])
				}
			}
		})
	}
}

func TestAllRepairsAtOnce(t *testing.T) {
	root := tree(t, mixed(30))
	db := scan(t, root)
	list := db.Repairs()
	if list[0].ID != assets.AllMetas || len(list[0].Files) < 100 {
		t.Fatalf("the first repair is %s with %d files", list[0].ID, len(list[0].Files))
	}
	before := dump(db)
	if err := db.Repair(assets.AllMetas); err != nil {
		t.Fatal(err)
	}
	after := scan(t, root)
	if n := len(after.Repairs()); n != 0 {
		t.Errorf("%d repairs are left", n)
	}
	for i, a := range after.All() {
		if b := db.All()[i]; a.Path != b.Path || a.Meta.Guid != b.Meta.Guid || a.Meta.Importer != b.Meta.Importer || !slices.Equal(paths(after.Targets(a)), paths(db.Targets(b))) {
			t.Fatalf("got %+v, want %+v", a, b)
		}
	}
	if dump(db) != before {
		t.Error("the repair has changed the database")
	}
	t.Logf("%d files", len(list[0].Files))
}

func TestRepairsLeaveAloneWhatHasChanged(t *testing.T) {
	for _, c := range repairs {
		t.Run(c.name, func(t *testing.T) {
			root := tree(t, c.files)
			db := scan(t, root)
			repair := db.Repairs()[0]
			file := filepath.Join(root, strings.TrimPrefix(repair.Files[0], "assets/"))
			text := []byte(meta(guidOf("e")))
			if err := os.WriteFile(file, text, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := db.Repair(repair.ID); err == nil || !strings.Contains(err.Error(), "has changed since the project was scanned") {
				t.Errorf("got %v", err)
			}
			if got, err := os.ReadFile(file); err != nil || string(got) != string(text) {
				t.Errorf("%v, got %s", err, got)
			}
		})
	}
	db := scan(t, tree(t, map[string]string{"a": ""}))
	if err := db.Repair("meta:b"); err == nil || !strings.Contains(err.Error(), `no repair "meta:b"`) {
		t.Errorf("an unknown repair: got %v", err)
	}
}

func TestARepairThatCannotBeWritten(t *testing.T) {
	root := tree(t, map[string]string{"a/b.cs": "", "c.cs": ""})
	db := scan(t, root)
	if err := os.RemoveAll(filepath.Join(root, "a")); err != nil {
		t.Fatal(err)
	}
	if err := db.Repair(assets.AllMetas); err == nil || !strings.Contains(err.Error(), "b.cs.meta was not written") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(root, "c.cs.meta")); err != nil {
		t.Errorf("the others are not written: %v", err)
	}
}

// report lists problems as level, code, place and message, sorted as they come.
func report(db *assets.Database) []string {
	var all []string
	for _, p := range db.Problems() {
		if p.Code != "meta-missing" {
			all = append(all, fmt.Sprintf("%s %s %s", p.Level, p.Code, p))
		}
	}
	return all
}

func TestProblems(t *testing.T) {
	lost := guidOf("7")
	root := tree(t, map[string]string{
		"sprites/Hero.png": "", "Sprites/hero.png": "", "Sprites/x.png": "",
		"a.tscene":         "{\n  \"a\": \"" + lost + "\",\n  \"é\": {\"b\": [\"" + guidOf("8") + "\"]},\n  \"c\": \"" + guidOf("9") + "\"\n}",
		"b.tatlas":         `{"sources": ["SPRITES/hero.png", "sprites/Hera.png", "nowhere", "/.."]}`,
		"broken.tscene":    "{\n  \"a\": [1,\n  \"é\": 2]}",
		"map.hexy":         `{"tilesets": [`,
		"gone.png.meta":    meta(lost),
		"x/gone.meta":      folderMeta(guidOf("6")),
		"broken.cs":        "",
		"broken.cs.meta":   "<<<<<<< ours\n\"guid\": \"" + guidOf("8") + "\"",
		"plugins/p/x.dll":  "",
		"plugins.meta":     folderMeta(guidOf("5")),
		".DS_Store.meta":   "",
		"scripts/bin/x":    "",
		"scripts/bin.meta": folderMeta(guidOf("4")),
		"y.txt.Meta":       meta(guidOf("3")),
		"y.txt":            "",
	})
	want := []string{
		"warning case-twins assets/sprites/Hero.png: sprites/Hero.png and Sprites/hero.png differ only by case",
		"warning case-twins assets/sprites: sprites and Sprites differ only by case",
		"warning document-damaged assets/broken.tscene(3,6): broken.tscene is damaged: found `:`, expected `,` or `]`",
		"warning document-damaged assets/map.hexy(1,15): map.hexy is damaged: found the end of the file, expected a value or `]`",
		"warning meta-invalid assets/broken.cs.meta(1,1): broken.cs.meta is not valid: expected a value, found `<`",
		"warning meta-name assets/y.txt.Meta: y.txt.Meta is not read: its name does not end in .meta in small letters",
		"warning meta-stray assets/gone.png.meta: gone.png.meta belongs to no asset",
		"warning meta-stray assets/x/gone.meta: x/gone.meta belongs to no asset",
		"warning reference-missing assets/a.tscene(2,8): a.tscene refers to the guid " + lost + ", which no asset has",
		"warning reference-missing assets/a.tscene(3,15): a.tscene refers to the guid " + guidOf("8") + ", which no asset has",
		"warning reference-missing assets/a.tscene(4,8): a.tscene refers to the guid " + guidOf("9") + ", which no asset has",
		"warning reference-missing assets/b.tatlas(1,14): b.tatlas refers to SPRITES/hero.png, which does not exist",
		"warning reference-missing assets/b.tatlas(1,34): b.tatlas refers to sprites/Hera.png, which does not exist",
		"warning reference-missing assets/b.tatlas(1,54): b.tatlas refers to nowhere, which does not exist",
	}
	db := scan(t, root)
	got := report(db)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	hints := make(map[string]string)
	for _, p := range db.Problems() {
		hints[fmt.Sprint(p.File, p.Line, p.Column)] = p.Hint
		if p.Hint == "" {
			t.Errorf("no hint: %s", p)
		}
	}
	for place, want := range map[string]string{
		"assets/a.tscene2 8":  "gone.png.meta has this guid",
		"assets/a.tscene3 15": "broken.cs.meta has this guid",
		"assets/a.tscene4 8":  "It may also be an entity inside a prefab instance",
		"assets/b.tatlas1 14": "Sprites/hero.png exists with another case",
		"assets/b.tatlas1 34": "sprites/Hero.png exists: ",
		"assets/b.tatlas1 54": "Put the asset back",
	} {
		if !strings.Contains(hints[place], want) {
			t.Errorf("%s: the hint is %q, want %q", place, hints[place], want)
		}
	}
}

func TestManyProblems(t *testing.T) {
	var sources, guids []string
	files := map[string]string{}
	for i := range 400 {
		sources = append(sources, fmt.Sprintf(`"s/near%dd.png"`, i))
		guids = append(guids, fmt.Sprintf(`"%032x"`, i+1))
		files[fmt.Sprintf("s/near%d.png", i)] = ""
	}
	for i := range 10 {
		files[fmt.Sprintf("a%d.tatlas", i)] = `{"sources":[` + strings.Join(sources, ",") + `]}`
		files[fmt.Sprintf("b%d.tscene", i)] = `[` + strings.Join(guids, ",") + `]`
	}
	db := scan(t, tree(t, files))
	got := report(db)
	if len(got) != 20*51 || !strings.HasSuffix(got[50], "a0.tatlas has 350 more references that lead nowhere") {
		t.Errorf("%d problems, %s", len(got), got[50])
	}
	if n := len(db.Missing(db.ByPath("a0.tatlas"))); n != 400 {
		t.Errorf("%d missing references", n)
	}
}

func TestCancelledRepair(t *testing.T) {
	root := tree(t, map[string]string{"a": "", "b": "", "c": ""})
	ctx, cancel := context.WithCancel(context.Background())
	err := scan(t, root).RepairContext(ctx, assets.AllMetas, func(done, total int) {
		if total != 3 {
			t.Errorf("%d of %d", done, total)
		}
		if done == 2 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if left := len(scan(t, root).Repairs()); left != 1 {
		t.Errorf("%d repairs are left", left)
	}
}

func TestLinksAndSpecialFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links and pipes of Unix")
	}
	outside := tree(t, map[string]string{"inside.png": "12345", "m.meta": meta(guidOf("1"))})
	root := tree(t, map[string]string{"real/a.png": "", "m.cs": "", "loop.cs": "", "bad\\name.png": "", "bad\xFFname.png": ""})
	for name, target := range map[string]string{
		"folder": outside, "file.png": filepath.Join(outside, "inside.png"), "nowhere": "gone", "circle": "circle", "up": "..",
		"m.cs.meta": filepath.Join(outside, "m.meta"), "loop.cs.meta": "loop.cs.meta", "device": "/dev/null",
	} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	makePipe(t, filepath.Join(root, "pipe.png"))
	makePipe(t, filepath.Join(root, "real", "a.png.meta"))
	db := scan(t, root)
	if diff := cmp.Diff([]string{"file.png", "folder", "m.cs", "real", "real/a.png", "up"}, paths(db.All())); diff != "" {
		t.Error(diff)
	}
	if a := db.ByPath("file.png"); !a.Link || a.Size != 5 || a.Folder {
		t.Errorf("the linked file is %+v", a)
	}
	if a := db.ByPath("folder"); !a.Link || !a.Folder || a.Kind.ID != assets.Folder {
		t.Errorf("the linked folder is %+v", a)
	}
	if a := db.ByPath("m.cs"); a.Meta.Guid.String() != guidOf("1") || a.Link {
		t.Errorf("the file with a linked meta is %+v", a)
	}
	want := []string{
		"info folder-link assets/folder: the folder folder is a symbolic link, which is not entered",
		"info folder-link assets/up: the folder up is a symbolic link, which is not entered",
		"warning link-broken assets/circle: circle is a symbolic link that leads nowhere: too many levels of symbolic links",
		"warning link-broken assets/nowhere: nowhere is a symbolic link that leads nowhere: no such file or directory",
		"warning meta-unreadable assets/loop.cs.meta: loop.cs.meta cannot be read: too many levels of symbolic links",
		"warning name-backslash assets/bad\\name.png: bad\\name.png: the name has a backslash",
		"warning name-not-utf8 assets/bad\uFFFDname.png: bad\uFFFDname.png: the name is not UTF-8",
		"warning not-a-file assets/device: device is neither a file nor a folder, but a device, pipe or socket",
		"warning not-a-file assets/pipe.png: pipe.png is neither a file nor a folder, but a device, pipe or socket",
	}
	got := report(db)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// deep makes folders inside each other until the path is too long for the system, and gives the paths of the deepest
// folder that can be read and of a file in it that cannot.
func deep(t *testing.T, root string) (folder, file string) {
	t.Helper()
	const limit = 4096
	at, err := os.OpenRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.Repeat("d", 200)
	for len(root)+len(folder)+2*len(name) < limit {
		err := at.Mkdir(name, 0o755)
		next := (*os.Root)(nil)
		if err == nil {
			next, err = at.OpenRoot(name)
		}
		if err != nil {
			t.Fatal(err)
		}
		at.Close()
		at = next
		folder = strings.TrimPrefix(folder+"/"+name, "/")
	}
	defer at.Close()
	file = strings.Repeat("f", 250)
	if f, err := at.Create(file); err != nil {
		t.Fatal(err)
	} else {
		f.Close()
	}
	if err := at.Mkdir(strings.Repeat("e", 250), 0o755); err != nil {
		t.Fatal(err)
	}
	return folder, folder + "/" + file
}

func TestPathsThatTheSystemCannotOpen(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the longest path differs")
	}
	root := t.TempDir()
	folder, file := deep(t, root)
	db := scan(t, root)
	if db.ByPath(folder) == nil || db.ByPath(file) != nil {
		t.Errorf("found folder %v, file %v", db.ByPath(folder), db.ByPath(file))
	}
	codes := make(map[string]int)
	for _, p := range db.Problems() {
		codes[p.Code]++
		if p.Code == "file-unreadable" && !strings.Contains(p.Message, "file name too long") {
			t.Errorf("%s", p.Message)
		}
	}
	if codes["file-unreadable"] != 2 || codes["folder-unreadable"] != 1 {
		t.Errorf("problems: %v", codes)
	}
}

func TestFilesThatMayNotBeRead(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("this user may read everything")
	}
	root := tree(t, map[string]string{"a.png": "", "b.cs": "", "b.cs.meta": "", "c/d.png": "", "e.png": ""})
	for _, name := range []string{"a.png", "b.cs.meta", "c"} {
		path := filepath.Join(root, name)
		if err := os.Chmod(path, 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(path, 0o755) })
	}
	db := scan(t, root)
	if diff := cmp.Diff([]string{"c", "e.png"}, paths(db.All())); diff != "" {
		t.Error(diff)
	}
	want := []string{
		"warning file-unreadable assets/a.png: a.png cannot be read: permission denied",
		"warning folder-unreadable assets/c: the folder c cannot be read: permission denied",
		"warning meta-unreadable assets/b.cs.meta: b.cs.meta cannot be read: permission denied",
	}
	got := report(db)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestFilesThatAreTooLarge(t *testing.T) {
	root := tree(t, map[string]string{"a.tscene": `["` + guidOf("1") + `"]`, "b.hexy": "PK", "c.cs": "", "c.cs.meta": meta(guidOf("1"))})
	for name, size := range map[string]int64{"a.tscene": 256<<20 + 1, "b.hexy": 300 << 20, "c.cs.meta": 20 << 20} {
		if err := os.Truncate(filepath.Join(root, name), size); err != nil {
			t.Fatal(err)
		}
	}
	db := scan(t, root)
	want := []string{
		"warning document-too-large assets/a.tscene: a.tscene is too large to be searched for references: the size of a document is 268435457 bytes, the limit is 268435456 bytes",
		"warning document-too-large assets/b.hexy: b.hexy is too large to be searched for references: the size of a tile map is 314572800 bytes, the limit is 268435456 bytes",
	}
	got := report(db)
	if len(got) != 3 || !slices.Equal(got[:2], want) || !strings.Contains(got[2], "meta-invalid") || !strings.Contains(got[2], "the limit is 16777216 bytes") {
		t.Errorf("got %q", got)
	}
	// The repair keeps even such a meta.
	if err := db.Repair("meta:c.cs"); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(root, ".c.cs.meta.invalid")); err != nil || info.Size() != 20<<20 {
		t.Errorf("the copy: %v, %v", info, err)
	}
}
