package discs

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"talebinder/export"
	"talebinder/formats/disctest"
)

// dreamcast writes a small DiscJuggler image whose sectors of 2336 bytes have no codes, those of the run-out neither.
func dreamcast(t testing.TB, folder string) string {
	t.Helper()
	volume := disctest.ISO{Base: 11702, System: []byte("SEGA SEGAKATANA SEGA ENTERPRISES"), Joliet: true, RunOut: 2, Files: []disctest.File{
		{Path: "1ST_READ.BIN", Content: bytes.Repeat([]byte("scrambled"), 3000)},
		{Path: "Content", Dir: true},
		{Path: "Content/old.pak", Content: bytes.Repeat([]byte("old"), 5000)},
	}}.Build().Data
	image := disctest.CDI{Version: 0x80000006, Tracks: []disctest.CDITrack{
		{Session: 1, Mode: 0, SectorSize: 2352, Pregap: 150, Sectors: make([]byte, 302*2352)},
		{Session: 2, Mode: 2, SectorSize: 2336, Pregap: 150, LBA: 11702, Sectors: disctest.Stored(volume, 2336, 2)},
	}}.Build().Data
	path := filepath.Join(folder, "game.cdi")
	if err := os.WriteFile(path, image, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// tree writes a folder with files.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// The run-out is copied as it is stored, so that its codes say nothing about the swap.
func TestTheRunOutNeedsNoCodes(t *testing.T) {
	folder := t.TempDir()
	image := dreamcast(t, folder)
	if _, out, err := swap(t, image, "", tree(t, map[string]string{"new.pak": "new"})); err != nil {
		t.Fatal(err, out.messages(export.Error))
	}
	im, err := Open(t.Context(), image)
	if err != nil {
		t.Fatal(err)
	}
	defer im.Close()
	if err := im.cdi.VerifyData(t.Context(), nil); err == nil {
		t.Error("the run-out has codes: this test shows nothing")
	}
}

// Names with characters that Joliet cannot spell are planned and proven under the names that are read back.
func TestNamesThatADiscCannotSpell(t *testing.T) {
	image := dreamcast(t, t.TempDir())
	content := tree(t, map[string]string{"🐰/fox 🦊.txt": "fox", "plain.txt": "plain"})
	for _, want := range []ChangeKind{Added, Unchanged} {
		s, err := NewSwap(SwapOptions{Image: image, Content: content})
		if err != nil {
			t.Fatal(err)
		}
		plan, err := s.Plan(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(plan.Changes, func(c Change) bool { return c.Path == "Content/_/fox _.txt" })
		if i < 0 || plan.Changes[i].Kind != want {
			t.Errorf("planned %+v", plan.Changes)
		}
		if _, out, err := swap(t, image, "", content); err != nil {
			t.Fatal(err, out.messages(export.Error))
		}
	}
}

// A plan without a place is made for an image that lies in a folder where nothing can be written, and cannot be run.
func TestPlanWithoutAPlace(t *testing.T) {
	folder := t.TempDir()
	image := dreamcast(t, folder)
	before := read(t, image)
	if err := os.Chmod(image, 0o444); err != nil {
		t.Fatal(err)
	}
	content := tree(t, map[string]string{"new.pak": "new"})
	options := SwapOptions{Image: image, Content: content}
	placed, err := NewSwap(options)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := placed.Plan(t.Context(), nil); err == nil {
		t.Error("a read-only image is replaced")
	}
	options.NoPlace = true
	s, err := NewSwap(options)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := s.Plan(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if plan.Target != "" || plan.InPlace || plan.Count(Added) != 1 || plan.Count(Removed) != 1 {
		t.Errorf("planned %+v", plan)
	}
	if _, err := s.Run(t.Context(), export.Discard()); !errors.Is(err, export.ErrFailed) {
		t.Errorf("it runs: %v", err)
	}
	if !bytes.Equal(read(t, image), before) || len(names(t, folder)) != 1 {
		t.Error("something was written")
	}
}
