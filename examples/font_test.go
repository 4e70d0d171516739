package examples

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/examples/internal/pixelfont"
	"talebinder/formats/jazz2/palette"
	"talebinder/formats/jazz2/picture"
)

func fontFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := fs.ReadFile(Fonts(), name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestFontFilesAreThoseOfTheDrawing(t *testing.T) {
	text, err := os.ReadFile("fonts/postmark.txt")
	if err != nil {
		t.Fatal(err)
	}
	want, err := pixelfont.Files(text)
	if err != nil {
		t.Fatal(err)
	}
	for suffix, data := range want {
		got := fontFile(t, FontName+suffix)
		same := bytes.Equal(got, data)
		if filepath.Ext(suffix) == ".png" { // compressed differently by another version of Go
			a, errA := picture.Read(got)
			b, errB := picture.Read(data)
			same = errA == nil && errB == nil && cmp.Equal(a, b)
		}
		if !same {
			t.Errorf("%s%s is not what the drawing gives: run go generate ./examples", FontName, suffix)
		}
	}
}

func TestFontHasColorsOfThePalette(t *testing.T) {
	colors, err := picture.Read(fontFile(t, FontColors))
	if err != nil {
		t.Fatal(err)
	}
	indices, err := picture.Read(fontFile(t, FontImage))
	if err != nil {
		t.Fatal(err)
	}
	got, inexact := palette.ResolveImage(colors)
	if inexact.Pixels != 0 || !bytes.Equal(got.Pix, indices.Pix) {
		t.Errorf("%d pixels are not of the palette", inexact.Pixels)
	}
}

func TestExtractFont(t *testing.T) {
	parent := t.TempDir()
	dir, err := ExtractFont(parent)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{FontImage, FontImage + ".json", FontColors, FontTranslation} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !bytes.Equal(got, fontFile(t, name)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if again, err := ExtractFont(parent); err != nil || again != dir {
		t.Errorf("the second time: %s, %v", again, err)
	}
	if _, err := ExtractFont(filepath.Join(dir, FontImage)); err == nil {
		t.Error("no error for a parent that is a file")
	}
}
