package assets

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// On a system where paths are equal ignoring case, everything that looks up a path does the same.
func TestPathsIgnoringCase(t *testing.T) {
	root := t.TempDir()
	for path, text := range map[string]string{
		"Sprites/Hero.png": "", "Sprites/Hero.png.meta": "{\"guid\":\"11111111111111111111111111111111\"}", "a.tatlas": `{"sources":["sprites/HERO.png"]}`,
		"Scripts/bin/x.dll": "", "PLUGINS/p/plugin.json": "", "Assets.Index.json": "", "ÉTÉ.txt": "",
	} {
		file := filepath.Join(root, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	db, err := scan(context.Background(), root, Options{}, true)
	if err != nil {
		t.Fatal(err)
	}
	if got := db.Len(); got != 5 { // Scripts, Sprites, Sprites/Hero.png, a.tatlas, ÉTÉ.txt
		t.Errorf("%d assets", got)
	}
	hero := db.ByPath("SPRITES/hero.PNG")
	if hero == nil || hero.Path != "Sprites/Hero.png" {
		t.Fatalf("found %v", hero)
	}
	if db.ByPath("été.TXT") == nil {
		t.Error("été.TXT is not found")
	}
	if got := db.FilesWithin("SPRITES"); len(got) != 1 || got[0] != hero {
		t.Errorf("files: %v", got)
	}
	if got := db.Targets(db.ByPath("A.tatlas")); len(got) != 1 || got[0] != hero {
		t.Errorf("targets: %v", got)
	}
	if got := db.AssetsNamed([]string{"sprites/hero.png", "Sprites/Hero.png"}); len(got) != 1 || got[0] != hero {
		t.Errorf("named: %v", got)
	}
	for _, n := range db.notes {
		t.Errorf("note: %+v", n)
	}
}
