package assets_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/formats/guid"
	"talebinder/project/assets"
)

// meta writes the text of a meta as the engine does, with more properties after the guid.
func meta(g string, more ...string) string {
	lines := append([]string{`"version": 1`, `"guid": "` + g + `"`}, more...)
	return "{\n  " + strings.Join(lines, ",\n  ") + "\n}"
}

// folderMeta is meta for a folder.
func folderMeta(g string) string { return meta(g, `"folder": true`) }

func TestWhatIsAnAsset(t *testing.T) {
	root := tree(t, map[string]string{
		"a.png": "", "a.png.meta": "", "b": "", "ünï/日.png": "", "with space/c .txt": "", "x.": "", "content.tspack": "",
		".hidden": "", ".git/config": "", "sub/.x/y.png": "", "backup~": "", "old~/a.png": "", "Thumbs.db": "", "sub/THUMBS.DB": "",
		"Desktop.ini": "", ".x.meta": "", "sub/y.META": "", "odd.meta/a.png": "",
		"assets.index.json": "", "sub/assets.index.json": "",
		"scripts/a.cs": "", "scripts/bin/Game.Scripts.dll": "", "scripts/sub/obj/x.cs": "", "scripts/obj": "", "scripts/Bin/x.cs": "", "scripts/bin.cs": "",
		"sub/scripts/bin/a.png": "", "bin/a.png": "", "Scripts/obj/a.png": "",
		"plugins/one/plugin.json": "", "plugins2/a.png": "", "sub/plugins/a.png": "",
	})
	want := []string{
		"Scripts", "Scripts/obj", "Scripts/obj/a.png", "a.png", "b", "bin", "bin/a.png", "content.tspack", "plugins2", "plugins2/a.png",
		"scripts", "scripts/Bin", "scripts/Bin/x.cs", "scripts/a.cs", "scripts/bin.cs", "scripts/sub",
		"sub", "sub/assets.index.json", "sub/plugins", "sub/plugins/a.png", "sub/scripts", "sub/scripts/bin", "sub/scripts/bin/a.png",
		"with space", "with space/c .txt", "x.", "ünï", "ünï/日.png",
	}
	db := scan(t, root)
	if diff := cmp.Diff(want, paths(db.All())); diff != "" {
		t.Error(diff)
	}
	if db.Root() != root || db.Len() != len(want) {
		t.Errorf("root %s, %d assets", db.Root(), db.Len())
	}
}

func TestPluginsFolder(t *testing.T) {
	files := map[string]string{"plugins/a": "", "ext/plug/b": "", "ext/plugins/c": "", "plug": ""}
	for option, want := range map[string][]string{
		"":                {"ext", "ext/plug", "ext/plug/b", "ext/plugins", "ext/plugins/c", "plug"},
		"plugins":         {"ext", "ext/plug", "ext/plug/b", "ext/plugins", "ext/plugins/c", "plug"},
		`\ext\.\plug/`:    {"ext", "ext/plugins", "ext/plugins/c", "plug", "plugins", "plugins/a"},
		"nowhere":         {"ext", "ext/plug", "ext/plug/b", "ext/plugins", "ext/plugins/c", "plug", "plugins", "plugins/a"},
		"../outside":      {"ext", "ext/plug", "ext/plug/b", "ext/plugins", "ext/plugins/c", "plug"},
		"ext/..":          {"ext", "ext/plug", "ext/plug/b", "ext/plugins", "ext/plugins/c", "plug"},
		"ext/plug/deeper": {"ext", "ext/plug", "ext/plug/b", "ext/plugins", "ext/plugins/c", "plug", "plugins", "plugins/a"},
	} {
		db, err := assets.Scan(context.Background(), tree(t, files), assets.Options{PluginsFolder: option})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, paths(db.All())); diff != "" {
			t.Errorf("%q: %s", option, diff)
		}
	}
}

func TestKinds(t *testing.T) {
	for path, want := range map[string]string{
		"a.png": "Texture", "a.JPG": "Texture", "x/a.ico": "Texture", "a.tatlas": "Sprite Atlas", "a.otf": "Font", "a.ogg": "Audio", "a.tscene": "Scene",
		"a.tprefab": "Prefab", "a.tmaterial": "Material", "a.spv": "Shader", "a.tparticles": "Particle System", "a.hexy": "Tile Map", "a.cs": "Script",
		"a.tplugin": "Plugin Manifest", "a.tloc": "Localization", "a.txt": "File", "png": "File", "a.png.": "File", "a.png/b": "File", ".png": "Texture", "": "File",
	} {
		if got := assets.KindOf(path).Name; got != want {
			t.Errorf("%q is a %s, want %s", path, got, want)
		}
	}
	all := assets.Kinds()
	for _, k := range all {
		if found, ok := assets.KindByID(k.ID); !ok || found.Name != k.Name {
			t.Errorf("%s: found %+v", k.ID, found)
		}
	}
	if len(all) != 15 || all[13].ID != assets.Folder || all[14].ID != assets.Other {
		t.Errorf("%d kinds", len(all))
	}
	if _, ok := assets.KindByID("nothing"); ok {
		t.Error("there is a kind of nothing")
	}
}

// guidOf gives a guid of one repeated digit.
func guidOf(digit string) string { return strings.Repeat(digit, 32) }

func TestDecisionsInMemory(t *testing.T) {
	settings := `"settings": {"filter": "nearest"}`
	root := tree(t, map[string]string{
		// A folder that its meta takes for a file, and a file that its meta takes for a folder.
		"dir/x.txt": "", "dir/x.txt.meta": meta(guidOf("1"), `"folder": true`, `"importer": "mine"`),
		"dir.meta": meta(guidOf("2"), `"importer": "texture"`, `"importerVersion": 1`, settings, `"labels": ["a"]`),
		// One guid three times: the first path keeps it, whatever else is wrong with it.
		"b/one.png": "", "b/one.png.meta": meta(guidOf("3")),
		"b/two.png": "", "b/two.png.meta": meta(guidOf("3"), `"importer": "texture"`, `"importerVersion": 1`, settings),
		"c.txt": "", "c.txt.meta": meta(guidOf("3")),
		"b.meta": folderMeta(guidOf("4")),
		// Importers: missing, older, newer, another one's.
		"i1.wav": "", "i1.wav.meta": meta(guidOf("5")),
		"i2.wav": "", "i2.wav.meta": meta(guidOf("6"), `"importer": "audio"`),
		"i3.wav": "", "i3.wav.meta": meta(guidOf("7"), `"importer": "audio"`, `"importerVersion": 9`),
		"i4.wav": "", "i4.wav.meta": meta(guidOf("8"), `"importer": "plugin.audio"`),
		"i5.WAV": "", "i5.WAV.meta": meta(guidOf("9")),
		"i6.spv": "", "i6.spv.meta": meta(guidOf("a")),
		// No meta, an invalid one, and the backup of one.
		"m1.png": "", "m2.png": "", "m2.png.meta": "{", "m3.png": "", ".m3.png.meta.bak": meta(guidOf("b"), settings),
		"m4.png": "", "m4.png.meta": meta(guidOf("c"), `"importer": "texture"`, `"importerVersion": 1`), ".m4.png.meta.bak": meta(guidOf("d")),
		"m5.png": "", ".m5.png.meta.bak": "[]",
		"m6/": "", "m7.cs": "",
	})
	before := state(t, root)
	db := scan(t, root)
	type row struct {
		State    assets.MetaState
		Guid     string
		Folder   bool
		Importer string
		Settings string
		Labels   int
	}
	got := make(map[string]row)
	for _, a := range db.All() {
		importer := a.Meta.Importer
		if importer != "" || a.Meta.ImporterVersion != 0 {
			importer += fmt.Sprintf(" %d", a.Meta.ImporterVersion)
		}
		got[a.Path] = row{a.MetaState, a.Meta.Guid.String(), a.Meta.Folder, importer, string(a.Meta.Settings), len(a.Meta.Labels)}
	}
	derived := func(path string) string { return guid.FromPath(path).String() }
	kept := `{"filter": "nearest"}`
	want := map[string]row{
		"dir":       {assets.MetaValid, guidOf("2"), true, " 1", kept, 1},
		"dir/x.txt": {assets.MetaValid, guidOf("1"), false, "mine 0", "", 0},
		"b":         {assets.MetaValid, guidOf("4"), true, "", "", 0},
		"b/one.png": {assets.MetaValid, guidOf("3"), false, "texture 1", "", 0},
		"b/two.png": {assets.MetaValid, derived("b/two.png"), false, "texture 1", kept, 0},
		"c.txt":     {assets.MetaValid, derived("c.txt"), false, "", "", 0},
		"i1.wav":    {assets.MetaValid, guidOf("5"), false, "audio 1", "", 0},
		"i2.wav":    {assets.MetaValid, guidOf("6"), false, "audio 1", "", 0},
		"i3.wav":    {assets.MetaValid, guidOf("7"), false, "audio 9", "", 0},
		"i4.wav":    {assets.MetaValid, guidOf("8"), false, "plugin.audio 0", "", 0},
		"i5.WAV":    {assets.MetaValid, guidOf("9"), false, "audio 1", "", 0},
		"i6.spv":    {assets.MetaValid, guidOf("a"), false, "", "", 0},
		"m1.png":    {assets.MetaAbsent, derived("m1.png"), false, "texture 1", "", 0},
		"m2.png":    {assets.MetaInvalid, derived("m2.png"), false, "texture 1", "", 0},
		"m3.png":    {assets.MetaRestored, guidOf("b"), false, "texture 1", kept, 0},
		"m4.png":    {assets.MetaValid, guidOf("c"), false, "texture 1", "", 0},
		"m5.png":    {assets.MetaInvalid, derived("m5.png"), false, "texture 1", "", 0},
		"m6":        {assets.MetaAbsent, derived("m6"), true, "", "", 0},
		"m7.cs":     {assets.MetaAbsent, derived("m7.cs"), false, "", "", 0},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(before, state(t, root)); diff != "" {
		t.Errorf("the scan has written: %s", diff)
	}
}

func TestDerivedGuidsAvoidThoseInUse(t *testing.T) {
	taken := guid.FromPath("b.txt").String()
	db := scan(t, tree(t, map[string]string{"z.txt": "", "z.txt.meta": meta(taken), "b.txt": ""}))
	if got := db.ByPath("z.txt").Meta.Guid.String(); got != taken {
		t.Errorf("z.txt has %s, want its own %s", got, taken)
	}
	if got := db.ByPath("b.txt").Meta.Guid; got.String() == taken || db.ByGuid(got) != db.ByPath("b.txt") {
		t.Errorf("b.txt has %s", got)
	}
}

func TestGraph(t *testing.T) {
	scene := func(refs ...string) string { return `{"x":["` + strings.Join(refs, `","`) + `"]}` }
	db := scan(t, tree(t, map[string]string{
		"a.tscene": scene(guidOf("3"), guidOf("2"), guidOf("1"), guidOf("3"), guidOf("f"), guidOf("4")), "a.tscene.meta": meta(guidOf("1")),
		"b.tprefab": scene(guidOf("3")), "b.tprefab.meta": meta(guidOf("2")),
		"c.png": "", "c.png.meta": meta(guidOf("3")),
		"dir/d.png": "", "dir.meta": folderMeta(guidOf("4")),
		"ui/e.tatlas": `{"sources":["../c.png","../dir","../gone.png","` + guidOf("3") + `","..","e.tatlas"]}`,
	}))
	targets := func(path string) []string { return paths(db.Targets(db.ByPath(path))) }
	users := func(path string) []string { return paths(db.Users(db.ByPath(path))) }
	missing := func(path string) (all []string) {
		for _, m := range db.Missing(db.ByPath(path)) {
			all = append(all, fmt.Sprintf("%s %d:%d", m, m.Line, m.Column))
		}
		return all
	}
	for what, c := range map[string]struct{ got, want []string }{
		"targets of a":   {targets("a.tscene"), []string{"c.png", "b.tprefab", "dir"}},
		"missing of a":   {missing("a.tscene"), []string{guidOf("f") + " 1:147"}},
		"targets of e":   {targets("ui/e.tatlas"), []string{"c.png", "dir"}},
		"missing of e":   {missing("ui/e.tatlas"), []string{"gone.png 1:33", " 1:82"}},
		"users of c":     {users("c.png"), []string{"a.tscene", "b.tprefab", "ui/e.tatlas"}},
		"users of dir":   {users("dir"), []string{"a.tscene", "ui/e.tatlas"}},
		"users of b":     {users("b.tprefab"), []string{"a.tscene"}},
		"users of a":     {users("a.tscene"), []string{}},
		"targets of c":   {targets("c.png"), []string{}},
		"missing of c":   {missing("c.png"), nil},
		"users of ui":    {users("ui"), []string{}},
		"users of d.png": {users("dir/d.png"), []string{}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: got %q, want %q", what, c.got, c.want)
		}
	}
}

func TestLookUps(t *testing.T) {
	files := map[string]string{}
	for _, path := range []string{"a", "a-b/x", "a.b/x", "b/a/x", "b/a/y/z", "b/a-/x", "b/a0", "b/a/\U00010000", "b/a/\uFFEE"} {
		files[path] = ""
	}
	files["b/a.meta"] = meta(guidOf("1"), `"folder": true`, `"labels": ["Night", "level"]`)
	files["b/a0.meta"] = meta(guidOf("2"), `"labels": ["night", "Été"]`)
	files["a.meta"] = meta(guidOf("3"), `"labels": ["ÉTÉ", "NIGHT"]`)
	db := scan(t, tree(t, files))
	for what, c := range map[string]struct{ got, want []string }{
		"everything":      {paths(db.FilesWithin("")), []string{"a", "a-b/x", "a.b/x", "b/a-/x", "b/a/x", "b/a/y/z", "b/a/\U00010000", "b/a/\uFFEE", "b/a0"}},
		"a folder":        {paths(db.FilesWithin("b/a")), []string{"b/a/x", "b/a/y/z", "b/a/\U00010000", "b/a/\uFFEE"}},
		"a file":          {paths(db.FilesWithin("a")), []string{"a"}},
		"nothing":         {paths(db.FilesWithin("c")), []string{}},
		"folders":         {paths(db.Folders()), []string{"a-b", "a.b", "b", "b/a", "b/a-", "b/a/y"}},
		"a label":         {paths(db.WithLabel("nIGHT")), []string{"a", "b/a", "b/a0"}},
		"a foreign label": {paths(db.WithLabel("été")), []string{"a", "b/a0"}},
		"no label":        {paths(db.WithLabel("x")), []string{}},
		"labels":          {db.Labels(), []string{"level", "NIGHT", "ÉTÉ"}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: got %q, want %q", what, c.got, c.want)
		}
	}
	if a := db.ByPath("B/A0"); a != nil {
		t.Errorf("another case finds %s", a.Path)
	}
	if a := db.ByGuid(mustGuid(t, guidOf("2"))); a == nil || a.Path != "b/a0" {
		t.Errorf("the guid finds %v", a)
	}
	if a := db.ByGuid(mustGuid(t, guidOf("9"))); a != nil {
		t.Errorf("another guid finds %s", a.Path)
	}
}

func TestAssetsNamed(t *testing.T) {
	long := strings.Repeat("x", 250)
	db := scan(t, tree(t, map[string]string{"a/b.png": "", "a.b": "", "x/日.png": "", long + "/y.png": "", "ab": "", "a/c d.png": ""}))
	for _, c := range []struct{ literals, want []string }{
		{[]string{"a/b.png", "a/b.png"}, []string{"a/b.png"}},
		{[]string{"a/", "/a/"}, []string{"a"}},
		{[]string{`a\b.png`, `a\`}, []string{"a/b.png"}},
		{[]string{"a/b.png/", "a/b.png"}, nil},
		{[]string{"\u00A0a/c d.png\u2003"}, []string{"a/c d.png"}},
		{[]string{"x/日.png", "A/B.PNG", "ab", "a.", "../a/b.png", ".//"}, []string{"x/日.png"}},
		{[]string{long + "/y.png"}, []string{long + "/y.png"}},
		{[]string{"./././" + long + "/y.png"}, nil},
		{[]string{"a/../a.b", "a/c\rd.png", "a/\"", "a/*"}, []string{"a.b"}},
	} {
		if got := paths(db.AssetsNamed(c.literals)); !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.literals, got, c.want)
		}
	}
}

func TestNearMiss(t *testing.T) {
	db := scan(t, tree(t, map[string]string{
		"scenes/Level-2.tscene": "", "scenes/grove.tscene": "", "old/hero.png": "", "sprites/hero.png": "", "sprites/old/hero.png": "",
		"sprites/lantern.png": "", "sprites/abc": "", "top.txt": "",
		"sprites/old-x/y.png": "", "sprites/old.x/y.png": "", "sprites/zebra.png": "",
	}))
	for path, want := range map[string]string{
		"scenes/level-2.tscene":              "scenes/Level-2.tscene",
		"SCENES/grove.tscene":                "scenes/grove.tscene",
		"Sprites":                            "sprites",
		"sprites/enemies/hero.png":           "sprites/hero.png",
		"art/old/hero.png":                   "old/hero.png",
		"hero.png":                           "old/hero.png",
		"scenes/groev.tscene":                "scenes/grove.tscene",
		"scenes/grov.tscene":                 "scenes/grove.tscene",
		"Sprites/lanterns.png":               "sprites/lantern.png",
		"sprites/abd":                        "sprites/abc",
		"sprites/acbd":                       "",
		"tpo.txt":                            "top.txt",
		"nowhere/xyz.png":                    "",
		"scenes/grove.tscene":                "",
		"../x":                               "",
		"":                                   "",
		"sprites/" + strings.Repeat("é", 70): "",
	} {
		if got := db.NearMiss(path); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

func TestSHA256(t *testing.T) {
	root := tree(t, map[string]string{"a.txt": "abc"})
	db := scan(t, root)
	sum, err := db.SHA256(db.ByPath("a.txt"))
	if got := fmt.Sprintf("%x", sum); err != nil || got != "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" {
		t.Errorf("got %s, %v", got, err)
	}
	if err := os.Remove(filepath.Join(root, "a.txt")); err != nil {
		t.Fatal(err)
	}
	if _, err := db.SHA256(db.ByPath("a.txt")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestScanErrors(t *testing.T) {
	root := tree(t, map[string]string{"a.txt": ""})
	for name, path := range map[string]string{"a missing folder": "none", "a file": "a.txt"} {
		if _, err := assets.Scan(context.Background(), filepath.Join(root, path), assets.Options{}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := assets.Scan(ctx, root, assets.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
}

func TestProgressEndsWithEverything(t *testing.T) {
	last := -1
	_, err := assets.Scan(context.Background(), tree(t, map[string]string{"a/b/c.txt": "", "d.tscene": "{}"}), assets.Options{
		Progress: func(done int, path string) { last = done }, // never called twice at a time, which -race checks
	})
	if err != nil || last != 4 {
		t.Errorf("ended with %d, %v", last, err)
	}
}

// mixed is a project in which much is wrong, of n textures, scenes and atlases each.
func mixed(n int) map[string]string {
	files := make(map[string]string)
	for i := range n {
		texture := fmt.Sprintf("sprites/set%d/s%d.png", i%7, i)
		files[texture] = "png"
		switch i % 5 {
		case 0:
			files[texture+".meta"] = meta(fmt.Sprintf("%032x", 1+i%40))
		case 1:
			files[texture+".meta"] = meta(fmt.Sprintf("%032x", 1000+i), `"importer": "texture"`, `"importerVersion": 1`, `"settings": {"filter": "nearest"}`, `"labels": ["l`+fmt.Sprint(i%3)+`"]`)
		case 2:
			files[texture+".meta"] = "{broken"
		case 3:
			files[fmt.Sprintf("sprites/set%d/.s%d.png.meta.bak", i%7, i)] = meta(fmt.Sprintf("%032x", 2000+i))
		}
		scene := fmt.Sprintf("scenes/S%d.tscene", i)
		files[scene] = fmt.Sprintf("{\n\"a\":[\"%032x\",\"%032x\",\"%032x\"]}", 1+i%40, 1000+i, 9000+i)
		files[strings.ToLower(scene)] = `{"a":,}`
		files[fmt.Sprintf("ui/u%d.tatlas", i)] = fmt.Sprintf(`{"sources":["../sprites/set%d","../Sprites/set%d/s%d.png"]}`, i%9, i%7, i)
		files[fmt.Sprintf("stray/x%d.txt.meta", i)] = meta(fmt.Sprintf("%032x", 9000+i))
	}
	return files
}

// dump writes everything that a database says.
func dump(db *assets.Database) string {
	var b strings.Builder
	for _, a := range db.All() {
		fmt.Fprintln(&b, a.Path, a.Kind.ID, a.Folder, a.Link, a.Size, a.ModTime, a.Meta, a.MetaState)
		fmt.Fprintln(&b, paths(db.Targets(a)), db.Missing(a), paths(db.Users(a)))
	}
	fmt.Fprintln(&b, db.Labels(), db.Repairs())
	for _, p := range db.Problems() {
		fmt.Fprintf(&b, "%+v\n", p)
	}
	return b.String()
}

func TestSameResultWithAnyNumberOfWorkers(t *testing.T) {
	root := tree(t, mixed(200))
	want := ""
	for _, workers := range []int{1, 1, 2, 3, 8, 50} {
		db, err := assets.Scan(context.Background(), root, assets.Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		got := dump(db)
		if want == "" {
			want = got
		}
		if got != want {
			t.Fatalf("%d workers: %s", workers, cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
		}
	}
	t.Logf("%d bytes of description", len(want))
}

func BenchmarkScan(b *testing.B) {
	files := make(map[string]string)
	for i := range 4000 {
		path := fmt.Sprintf("sprites/set%d/sprite%d.png", i/50, i)
		files[path] = "png"
		files[path+".meta"] = meta(fmt.Sprintf("%032x", i+1), `"importer": "texture"`, `"importerVersion": 1`)
	}
	for i := range 200 {
		path := fmt.Sprintf("scenes/level%d.tscene", i)
		files[path] = benchScene(i)
		files[path+".meta"] = meta(fmt.Sprintf("%032x", 100_000+i), `"importer": "scenedocument"`, `"importerVersion": 1`)
	}
	for i := range 800 {
		files[fmt.Sprintf("text/t%d.txt", i)] = "text"
	}
	root := tree(b, files)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n = scan(b, root).Len()
	}
	b.ReportMetric(float64(n), "assets")
}
