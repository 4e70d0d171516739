package fonts_test

import (
	"io/fs"
	"testing"
	"unicode"

	"talebinder/examples"
	"talebinder/export/fonts"
	"talebinder/formats/jazz2/charlist"
	"talebinder/formats/jazz2/picture"
)

func sampleFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := fs.ReadFile(examples.Fonts(), name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestTheSampleFontPacksWithoutWarnings(t *testing.T) {
	sheet, err := picture.Read(sampleFile(t, examples.FontImage))
	if err != nil {
		t.Fatal(err)
	}
	list, err := charlist.ParseJSON(sampleFile(t, examples.FontImage+".json"))
	if err != nil {
		t.Fatal(err)
	}
	packed, err := fonts.Pack(t.Context(), sheet, list)
	if err != nil {
		t.Fatal(err)
	}
	if w := append(fonts.CheckList(list), packed.Warnings...); len(w) > 0 {
		t.Errorf("warnings: %v", w)
	}
	face := packed.Font.Face()
	count := 0
	for r := rune(' '); r <= 0xff; r++ {
		if r != 0xa0 && r != 0xad && !unicode.IsPrint(r) {
			continue
		}
		count++
		i, found := face.Lookup(r)
		if !found {
			t.Errorf("there is no U+%04X", r)
			continue
		}
		if g := packed.Font.Glyphs[i]; (g.Width == 0) != unicode.IsSpace(r) || g.Advance < 4 {
			t.Errorf("U+%04X is %+v", r, g)
		}
	}
	if count != 95+96 {
		t.Errorf("%d characters", count)
	}
	if i, _ := face.Lookup('ł'); i < 0 {
		t.Error("there is no fallback glyph")
	}
}
