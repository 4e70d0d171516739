package export

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"talebinder/formats/assetpath"
	"talebinder/formats/guid"
)

func TestReadCatalog(t *testing.T) {
	asset := func(path, more string) string {
		return `{ "path": "` + path + `", "guid": "` + id(path) + `"` + more + ` }`
	}
	for _, c := range []struct {
		name, text string
		files      []string
		all        int
	}{
		{"files and folders", `{ "version": 1, "assets": [ ` + asset("a", `, "folder": true`) + `, ` + asset("a/b.png", `, "importer": "texture", "importerVersion": 1, "settings": { "x": [ 1, { "path": "c" } ] }`) + ` ] }`, []string{"a/b.png"}, 2},
		{"names in any case, comments and a byte order mark", "\uFEFF{ // an index\n \"Version\": 0, \"ASSETS\": [ { \"Path\": \"a.png\", \"GUID\": \"" + id("a.png") + "\", }, ], }", []string{"a.png"}, 1},
		{"what is not known", `{ "more": [ { "path": 5 }, [] ], "assets": [ ` + asset("a.png", `, "labels": [ "x" ]`) + ` ], "x": "y" }`, []string{"a.png"}, 1},
		{"repeated names", `{ "assets": [ ` + asset("a.png", "") + ` ], "assets": [ { "path": "x", "path": "b.png", "guid": "` + id("b") + `" } ] }`, []string{"b.png"}, 1},
		{"paths that are not normal", `{ "assets": [ ` + asset(`a\\.\\b.png`, "") + ` ] }`, []string{"a/b.png"}, 1},
		{"nothing", `{}`, nil, 0},
		{"null", `{ "assets": null }`, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := readCatalog(iotest.OneByteReader(strings.NewReader(c.text)))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.files, c.files) || len(got.byGuid) != c.all || len(got.paths) != c.all {
				t.Errorf("%+v", got)
			}
		})
	}
	for name, text := range map[string]string{
		"nothing at all":        ``,
		"a list":                `[]`,
		"cut off":               `{ "assets": [ ` + asset("a.png", ""),
		"more behind it":        `{} {}`,
		"a newer version":       `{ "version": 2 }`,
		"a version in words":    `{ "version": "one" }`,
		"assets that are none":  `{ "assets": [ 5 ] }`,
		"assets in no list":     `{ "assets": {} }`,
		"no path":               `{ "assets": [ { "guid": "` + id("a") + `" } ] }`,
		"a blank path":          `{ "assets": [ { "path": " ", "guid": "` + id("a") + `" } ] }`,
		"a path that leaves":    `{ "assets": [ ` + asset("../a", "") + ` ] }`,
		"no guid":               `{ "assets": [ { "path": "a" } ] }`,
		"the zero guid":         `{ "assets": [ { "path": "a", "guid": "00000000000000000000000000000000" } ] }`,
		"a guid that is twice":  `{ "assets": [ { "path": "a", "guid": "` + id("a") + `" }, { "path": "b", "guid": "` + id("a") + `" } ] }`,
		"a guid that is a list": `{ "assets": [ { "path": "a", "guid": [] } ] }`,
	} {
		if got, err := readCatalog(strings.NewReader(text)); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// What an export writes as the index is read as the catalog of the same assets.
func TestCatalogOfAnExport(t *testing.T) {
	content, err := CollectContent(t.Context(), openProject(t, tidewater().write(t, t.TempDir())), 0)
	if err != nil {
		t.Fatal(err)
	}
	text, err := content.indexText()
	if err != nil {
		t.Fatal(err)
	}
	got, err := readCatalog(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[guid.Guid]string)
	for _, item := range content.Items {
		want[item.Asset.Meta.Guid] = item.Path
		if !got.paths[assetpath.Fold(item.Path)] {
			t.Errorf("%s is missing", item.Path)
		}
	}
	for _, folder := range content.Folders {
		want[folder.Meta.Guid] = folder.Path
	}
	if diff := cmp.Diff(slices.Sorted(maps.Values(want)), slices.Sorted(maps.Values(got.byGuid))); diff != "" || len(got.files) != len(content.Items) {
		t.Error(diff)
	}
}

func FuzzReadCatalog(f *testing.F) {
	f.Add(`{ "version": 1, "assets": [ { "path": "a", "guid": "` + id("a") + `", "folder": true } ] }`)
	f.Add(`{ "assets": [ { "settings": { "a": [ 1, null ] } } ], "assets": [] }`)
	f.Add(`{ "a": [[[[{"b":`)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := readCatalog(strings.NewReader(text))
		if err == nil && len(c.files) > len(c.byGuid) {
			t.Errorf("%+v", c)
		}
	})
}
