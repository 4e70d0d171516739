package assets_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"talebinder/formats/assetpath"
	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
	"talebinder/project/assets"
	"talebinder/project/problem"
)

// Guids for tests.
var (
	ga = strings.Repeat("a", 32)
	gb = strings.Repeat("b", 32)
	gc = strings.Repeat("c", 32)
)

// references lists what References gives, as texts.
func references(path, text string) []string {
	var all []string
	for _, r := range assets.References(path, []byte(text)) {
		all = append(all, r.String())
	}
	return all
}

func TestReferences(t *testing.T) {
	nested := strings.Repeat("[", 63)
	for _, c := range []struct {
		name, path, text string
		want             []string
	}{
		{"a text at the top", "a.tscene", `"` + ga + `"`, []string{ga}},
		{"capitals and hyphens", "a.tscene", `["AAAAAAAA-aaaa-AAAA-aaaa-AAAAAAAAAAAA"]`, []string{ga}},
		{"other forms of guid", "a.tscene", `["{` + ga + `}"," ` + ga + `","` + ga + `0"]`, nil},
		{"the zero guid", "a.tscene", `["` + strings.Repeat("0", 32) + `"]`, nil},
		{"a definition after its use", "a.tscene", `{"a":"` + ga + `","b":{"id":"` + ga + `"},"c":"` + gb + `"}`, []string{gb}},
		{"a definition under another case", "a.tscene", `{"ID":"` + ga + `","a":"` + ga + `"}`, nil},
		{"definitions in a list", "a.tscene", `{"id":["` + ga + `"],"a":"` + ga + `"}`, nil},
		{"ignored names in any case", "a.tscene", `{"PARENT":"` + ga + `","Entity":"` + ga + `","entityid":["` + ga + `"],"entities":"` + gb + `"}`, []string{gb}},
		{"an ignored one that is used elsewhere", "a.tscene", `{"parent":"` + ga + `","a":"` + ga + `"}`, []string{ga}},
		{"a list in a list has no name", "a.tscene", `{"parent":[["` + ga + `"],"` + gb + `"],"id":[["` + gc + `"]]}`, []string{ga, gc}},
		{"an object in a list has its own names", "a.tscene", `{"parent":[{"a":"` + ga + `"}]}`, []string{ga}},
		{"a name after an object", "a.tscene", `{"parent":{"a":[]},"b":"` + ga + `"}`, []string{ga}},
		{"escaped names and guids", "a.tscene", `{"p\u0061rent":"` + ga + `","\u0069d":"` + gb + `","a":"\u0062` + gb[1:] + `","b":"\u0063` + gc[1:] + `"}`, []string{gc}},
		{"guids as names", "a.tscene", `{"` + ga + `":1}`, nil},
		{"comments and trailing commas", "a.tscene", "\uFEFF{ // \"" + gb + "\"\n\"a\": [\"" + ga + "\",], /* \"" + gb + "\" */}", []string{ga}},
		{"repeated names all count", "a.tscene", `{"a":"` + ga + `","a":"` + gb + `"}`, []string{ga, gb}},
		{"a second document", "a.tscene", `["` + ga + `"]["` + gb + `"]`, []string{ga}},
		{"64 levels", "a.tscene", nested + `["` + ga + `"]` + strings.Repeat("]", 63), []string{ga}},
		{"65 levels", "a.tscene", `["` + gb + `",` + nested + `["` + ga + `"]` + strings.Repeat("]", 64), []string{gb}},
		{"broken off, the definitions found count", "a.tscene", `{"id":"` + ga + `","a":"` + ga + `","b":"` + gb + `",}}`, []string{gb}},
		{"an empty file", "a.tscene", ``, nil},
		{"a prefab", "a.tprefab", `["` + ga + `"]`, []string{ga}},
		{"an extension in capitals", "a.TSCENE", `["` + ga + `"]`, []string{ga}},
		{"no paths in scenes", "a.tscene", `{"shader":"b.tshader","sources":["c"]}`, nil},
		{"a material", "fx/a.tmaterial", `{"Shader":"b.tshader","x":{"shader":"../c.tshader"},"sources":"d"}`, []string{"fx/b.tshader", "c.tshader"}},
		{"a shader", "a.tshader", `{"skSlFile":"b.sksl","SPIRVFILE":"./x/../c.spv","shader":"d"}`, []string{"b.sksl", "c.spv"}},
		{"guids before paths", "ui/a.tatlas", `{"sources":["b","` + ga + `","b","./b","c\\d"]}`, []string{ga, "ui/b", "ui/c/d"}},
		{"paths out of the folder and the folder itself", "ui/a.tatlas", `{"sources":["../../b","..","/"]}`, []string{"", "ui"}},
		{"a path of an id", "a.tatlas", `{"sources":{"id":"` + ga + `"},"b":"` + ga + `"}`, nil},
		{"localization has none", "a.tloc", `["` + ga + `"]`, nil},
		{"other files have none", "a.json", `["` + ga + `"]`, nil},
		{"a map", "m/a.hexy", "\uFEFF{\"tilesets\":[{\"image\":\"b.png\"},{\"image\":\"\\u002e./c.png\",},],}", []string{"m/b.png", "c.png"}},
		{"a map with images elsewhere", "a.hexy", `{"image":"b","tilesets":{"image":"c"},"x":{"tilesets":[{"image":"d"}]},"layers":[{"image":"e"}]}`, nil},
		{"a map with images deeper", "a.hexy", `{"tilesets":[{"x":{"image":"b"},"image":"c","y":[{"image":"d"}]},[{"image":"e"}],"f"]}`, []string{"c"}},
		{"a map with other names", "a.hexy", `{"Tilesets":[{"image":"b"}],"tilesets":[{"Image":"c"}]}`, nil},
		{"a map with repeated names", "a.hexy", `{"tilesets":[{"image":"b"}],"tilesets":[{"image":"c","image":"d"},{"image":"e","image":1}]}`, []string{"d"}},
		{"a map whose last list is none", "a.hexy", `{"tilesets":[{"image":"b"}],"tilesets":null}`, nil},
		{"a map that breaks off", "a.hexy", `{"tilesets":[{"image":"b"}]`, nil},
		{"a map that is no object", "a.hexy", `[{"image":"b"}]`, nil},
		{"an empty map", "a.hexy", ``, nil},
		{"a guid as an image is a path", "a.hexy", `{"tilesets":[{"image":"` + ga + `"}]}`, []string{ga}},
	} {
		if got := references(c.path, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// archive writes a ZIP of the files, in order of their names.
func archive(t testing.TB, method uint16, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err == nil {
			_, err = f.Write([]byte(files[name]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const packedMap = `{"tilesets":[{"image":"tiles/a.png"},{"image":"tiles/A.png"},{"image":"../b.png"},{"image":"/c.png"}]}`

func TestReferencesOfArchives(t *testing.T) {
	good := archive(t, zip.Deflate, map[string]string{"map.json": packedMap, "tiles/a.png": "x"})
	want := []string{"m/tiles/A.png", "b.png"}
	if got := references("m/a.hexy", good); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	wrongSum := archive(t, zip.Store, map[string]string{"map.json": packedMap})
	wrongSum = strings.Replace(wrongSum, "tiles/a.png", "tiles/x.png", 1)
	bomb := `{"tilesets":[{"image":"b.png"}],"x":"` + strings.Repeat("x", 65<<20) + `"}`
	bad := map[string]struct{ data, code, want string }{
		"without":  {archive(t, zip.Deflate, map[string]string{"Map.json": packedMap}), "", ""},
		"cut":      {good[:len(good)-30], "document-damaged", "not a valid zip file"},
		"short":    {"PK", "document-damaged", "not a valid zip file"},
		"checksum": {wrongSum, "document-damaged", "checksum"},
		"json":     {archive(t, zip.Deflate, map[string]string{"map.json": packedMap[1:]}), "document-damaged", "map.json in the archive: JSON at byte"},
		"bomb":     {archive(t, zip.Deflate, map[string]string{"map.json": bomb}), "document-too-large", "the size of an unpacked map"},
		"method":   {strings.ReplaceAll(good, "\x14\x00\x08\x00\x08\x00", "\x14\x00\x08\x00\x63\x00"), "document-damaged", "unsupported compression"},
		"entries":  {manyEntries(t), "document-too-large", "the size of an archive's list of entries"},
	}
	files := make(map[string]string)
	for name, c := range bad {
		files["m/"+name+".hexy"] = c.data
	}
	problems := make(map[string]problem.Problem)
	db := scan(t, tree(t, files))
	for _, p := range db.Problems() {
		if strings.HasPrefix(p.Code, "document-") {
			problems[p.File] = p
		}
	}
	for name, c := range bad {
		if a := db.ByPath("m/" + name + ".hexy"); len(db.Targets(a)) != 0 || len(db.Missing(a)) != 0 {
			t.Errorf("%s: refers to %v and %v", name, db.Targets(a), db.Missing(a))
		}
		if p := problems["assets/m/"+name+".hexy"]; p.Code != c.code || !strings.Contains(p.Message, c.want) {
			t.Errorf("%s: problem %+v, want %s: %s", name, p, c.code, c.want)
		}
	}
}

// manyEntries writes an archive whose list of entries is longer than a map's may be.
func manyEntries(t testing.TB) string {
	files := map[string]string{"map.json": packedMap}
	for i := range 140 {
		files[fmt.Sprintf("%03d%s", i, strings.Repeat("x", 65000))] = ""
	}
	return archive(t, zip.Store, files)
}

// byDocument finds the references of a valid JSON document in another way: through package jsondoc.
func byDocument(path string, properties []string, root jsondoc.Value) []string {
	var guids, paths []string
	defined := make(map[string]bool)
	add := func(list *[]string, s string) {
		if !slices.Contains(*list, s) {
			*list = append(*list, s)
		}
	}
	var walk func(v jsondoc.Value, name string)
	walk = func(v jsondoc.Value, name string) {
		switch v.Kind() {
		case jsondoc.Object:
			for n, value := range v.Members() {
				walk(value, n)
			}
		case jsondoc.Array:
			for item := range v.Items() {
				if item.Kind() == jsondoc.Array {
					walk(item, "")
				} else {
					walk(item, name)
				}
			}
		case jsondoc.String:
			is := func(names ...string) bool {
				return slices.ContainsFunc(names, func(n string) bool { return assetpath.Fold(n) == assetpath.Fold(name) })
			}
			s, err := v.Text()
			if err != nil {
				return
			}
			g, ok := guid.ParseReference(s)
			switch {
			case is("parent", "entity", "entityId"):
			case ok && is("id"):
				defined[g.String()] = true
			case ok:
				add(&guids, g.String())
			case is(properties...) && s != "":
				if p, err := assetpath.Resolve(assetpath.Dir(path), s); err == nil {
					add(&paths, p)
				}
			}
		}
	}
	walk(root, "")
	return append(slices.DeleteFunc(guids, func(g string) bool { return defined[g] }), paths...)
}

func FuzzReferences(f *testing.F) {
	for _, seed := range []string{
		`{"id":"` + ga + `","parent":"` + gb + `","a":["` + gc + `",["` + gb + `"]],"b":"` + ga + `"}`,
		`{"sources":["a.png","../b.png","../../c.png",""],"id":["` + ga + `"]}`,
		`{"a":"` + ga + `",,"b":"` + gb + `"}`,
		`{"s\u006furces":"\u0061","i\u0064":"\u0061` + ga[1:] + `","\ud800":"\ud800"}`,
		packedMap,
		archive(f, zip.Deflate, map[string]string{"map.json": packedMap, "tiles/a.png": "x"}),
		"[[[[", "PK\x03\x04", "PK\x05\x06" + strings.Repeat("\x00", 18),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, path := range []string{"ui/a.tatlas", "m/a.hexy"} {
			seen := make(map[assets.Reference]bool)
			for _, r := range assets.References(path, data) {
				if normal, err := assetpath.Normalize(r.Path); seen[r] || !r.Guid.IsZero() && r.Path != "" || err != nil || normal != r.Path {
					t.Fatalf("%s: reference %+v", path, r)
				}
				seen[r] = true
			}
		}
		doc, err := jsondoc.Parse(data)
		if err != nil || bytes.Contains(bytes.ToLower(data), []byte(`\ud`)) { // halves of surrogate pairs read in two ways
			return
		}
		want := byDocument("ui/a.tatlas", []string{"sources"}, doc.Root())
		if got := references("ui/a.tatlas", string(data)); !slices.Equal(got, want) {
			t.Fatalf("%s: got %q, want %q", data, got, want)
		}
	})
}

// The scanner and the document agree on every scene of the sample.
func TestReferencesOfTheSample(t *testing.T) {
	n, found := 0, 0
	for _, pattern := range []string{"scenes/*.tscene", "prefabs/*.tprefab", "particles/*.tparticles"} {
		files, err := filepath.Glob(filepath.Join(shared(t, "samples", "LanternGrove", "assets"), filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			doc, err := jsondoc.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			want := byDocument(file, nil, doc.Root())
			if got := references(file, string(text)); !slices.Equal(got, want) {
				t.Errorf("%s: got %q, want %q", file, got, want)
			}
			n++
			found += len(want)
		}
	}
	t.Logf("%d references in %d documents", found, n)
}

// benchScene is a scene of 250 entities as the engine writes it.
func benchScene(seed int) string {
	var b strings.Builder
	b.WriteString("{\n  \"version\": 1,\n  \"entities\": [")
	for i := range 250 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `
    {
      "id": "%032x",
      "name": "Entity %d",
      "parent": null,
      "active": true,
      "editor": {
        "hidden": false,
        "locked": false
      },
      "prefab": null,
      "components": [
        {
          "type": "Transform",
          "data": {
            "position": [%d, %d.25]
          }
        },
        {
          "type": "Sprite",
          "data": {
            "texture": "%032x",
            "layer": 100
          }
        }
      ]
    }`, 1<<40+i, i, i*7, i, 1+(seed*250+i)%4000)
	}
	b.WriteString("\n  ]\n}")
	return b.String()
}

func BenchmarkReferences(b *testing.B) {
	scene := []byte(benchScene(0))
	b.SetBytes(int64(len(scene)))
	b.ReportAllocs()
	for b.Loop() {
		if got := assets.References("a.tscene", scene); len(got) != 250 {
			b.Fatalf("%d references", len(got))
		}
	}
}
