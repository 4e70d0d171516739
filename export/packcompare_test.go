package export

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/formats"
)

// openedPack packs files and opens the pack.
func openedPack(t *testing.T, compress bool, files tree) *PackFile {
	t.Helper()
	file := filepath.Join(t.TempDir(), "content.tspack")
	if _, err := CreatePack(t.Context(), files.write(t, t.TempDir()), file, compress, nil); err != nil {
		t.Fatal(err)
	}
	pack, err := OpenPack(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pack.Close() })
	return pack
}

func compare(t *testing.T, a, b *PackFile) *PackComparison {
	t.Helper()
	c, err := ComparePacks(t.Context(), a, b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestComparePacks(t *testing.T) {
	long := strings.Repeat("once upon a time ", 50_000)
	files := tree{"Same.txt": long, "case/Name.txt": "x", "longer.txt": "a", "other.txt": long + "a", "gone.txt": "gone", "raw.png": "\x89PNG raw", "empty": ""}
	before := openedPack(t, true, files)
	after := openedPack(t, false, files.with(tree{
		"gone.txt": "-", "new/one.txt": "new", "longer.txt": "ab", "other.txt": long + "b", "case/Name.txt": "-", "CASE/name.txt": "x",
	}))
	want := &PackComparison{
		Added:   []PackChange{{"new/one.txt", -1, 3, -1, 3}},
		Removed: []PackChange{{"gone.txt", 4, -1, 4, -1}},
		Changed: []PackChange{{"longer.txt", 1, 2, 1, 2}, {"other.txt", int64(len(long)) + 1, int64(len(long)) + 1, 0, int64(len(long)) + 1}},
		Same:    4, SameBytes: int64(len(long)) + 1 + int64(len("\x89PNG raw")),
	}
	got := compare(t, before, after)
	got.Changed[1].StoredBefore = 0 // as the encoder likes
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got.Equal() {
		t.Error("packs that differ are equal")
	}
	again := openedPack(t, true, files)
	if c := compare(t, before, again); !c.Equal() || c.Same != len(files) {
		t.Errorf("%+v", c)
	}
	if c := compare(t, before, openedPack(t, false, files)); !c.Equal() {
		t.Errorf("compressed or not: %+v", c)
	}
}

func TestComparingDamagedPacks(t *testing.T) {
	long := strings.Repeat("once upon a time ", 5000)
	a, b := openedPack(t, true, tree{"a.txt": long}), openedPack(t, true, tree{"a.txt": long + "b"})
	file := b.Path
	b.Close()
	change(t, file, func(b []byte) []byte { // so that the length is the same, and less comes
		row := strings.LastIndex(string(b), "a.txt") + len("a.txt")
		b[row+16]--   // the length
		b[row+8] /= 2 // the stored length
		return b
	})
	b, err := OpenPack(file)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	_, err = ComparePacks(t.Context(), a, b, nil)
	if !errors.Is(err, formats.ErrDamaged) || !strings.Contains(err.Error(), file) {
		t.Error(err)
	}
}

func TestComparingIsCancelled(t *testing.T) {
	files := make(tree)
	for i := range 100 {
		files[fmt.Sprint(i)] = "x"
	}
	a, b := openedPack(t, true, files), openedPack(t, true, files)
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := ComparePacks(ctx, a, b, func(int, int, string) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
