package assets_test

import (
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"talebinder/project/assets"
)

func TestSearchOfStreams(t *testing.T) {
	var search assets.Search // one for all, as its users have it
	zipped := archive(t, 8, map[string]string{"map.json": `{"tilesets":[{"image":"b.png"},{"image":"inside.png"}]}`, "inside.png": ""})
	for _, c := range []struct{ path, text string }{
		{"a.tscene", `{"id":"` + ga + `","a":"` + gb + `","b":["` + gc + `"]}`},
		{"a.tscene", `{"a":"` + ga + `","id":"` + gb + `"}`},
		{"fx/a.tmaterial", `{"shader":"b.tshader","x":"` + ga + `"}`},
		{"m/a.hexy", `{"tilesets":[{"image":"b.png"}]}`},
		{"m/a.hexy", zipped},
		{"a.png", "no document"},
		{"a.tscene", ""},
	} {
		got, err := search.References(c.path, iotest.HalfReader(strings.NewReader(c.text)), int64(len(c.text)))
		if err != nil && c.text != "" {
			t.Errorf("%s: %v", c.path, err)
		}
		if want := assets.References(c.path, []byte(c.text)); !slices.Equal(got, want) {
			t.Errorf("%s %q: %v, want %v", c.path, c.text, got, want)
		}
	}
	got, err := search.References("a.tscene", strings.NewReader(`["`+ga+`","`+gb), 70)
	if err == nil || len(got) != 1 {
		t.Errorf("a document that breaks off: %v, %v", got, err)
	}
	if _, err := search.References("a.hexy", strings.NewReader(""), 1<<40); err == nil {
		t.Error("a tile map of a terabyte is read")
	}
	if !assets.HasReferences("a.TScene") || assets.HasReferences("a.tloc") {
		t.Error("which files have references")
	}
}
