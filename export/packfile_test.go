package export

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"talebinder/formats"
	"talebinder/formats/tspack"
)

// writeFiles makes a tree of files from a map of slash-separated path to text.
func writeFiles(t *testing.T, root string, tree map[string]string) {
	t.Helper()
	for name, text := range tree {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func createPack(t *testing.T, folder, target string) {
	t.Helper()
	if _, err := CreatePack(context.Background(), folder, target, true, nil); err != nil {
		t.Fatal(err)
	}
}

func openPack(t *testing.T, path string) *PackFile {
	t.Helper()
	pack, err := OpenPack(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pack.Close() })
	return pack
}

func TestAPackGivesItsTreeBack(t *testing.T) {
	folder := t.TempDir()
	tree := map[string]string{
		"assets.index.json":  `{"version": 1}`,
		"a/long.txt":         strings.Repeat("again and again\n", 200),
		"a/b/empty.txt":      "",
		"été/ü.bin":          "\x00\x01\x02",
		".hidden/secret.txt": "stays out",
	}
	writeFiles(t, folder, tree)
	// The pack lies in the folder that it is made of, and is made twice: it must not pack itself.
	target := filepath.Join(folder, "content.tspack")
	createPack(t, folder, target)
	createPack(t, folder, target)

	pack := openPack(t, target)
	var paths []string
	for _, e := range pack.Entries() {
		paths = append(paths, e.Path)
	}
	if want := []string{"assets.index.json", "a/b/empty.txt", "a/long.txt", "été/ü.bin"}; !slices.Equal(paths, want) {
		t.Fatalf("the pack holds %q, expected %q", paths, want)
	}
	out := t.TempDir()
	calls := make(chan string, 10)
	totals, err := ExtractPack(context.Background(), pack, out, nil, func(_, _ int, path string) { calls <- path })
	if err != nil {
		t.Fatal(err)
	}
	if totals.Files != 4 || totals.Bytes != int64(14+3200+3) || len(calls) != 4 {
		t.Errorf("totals %+v after %d calls of progress", totals, len(calls))
	}
	for name, text := range tree {
		got, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(name)))
		if strings.HasPrefix(name, ".") {
			if err == nil {
				t.Errorf("%s was packed", name)
			}
			continue
		}
		if err != nil || string(got) != text {
			t.Errorf("%s came back as %q, %v", name, got, err)
		}
	}
}

func TestExtractWritesNothingOutside(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	folder, outside, out := t.TempDir(), t.TempDir(), t.TempDir()
	writeFiles(t, folder, map[string]string{"a/b.txt": "text"})
	target := filepath.Join(t.TempDir(), "content.tspack")
	createPack(t, folder, target)
	if err := os.Symlink(outside, filepath.Join(out, "a")); err != nil {
		t.Fatal(err)
	}
	if _, err := ExtractPack(context.Background(), openPack(t, target), out, nil, nil); err == nil {
		t.Error("a link that leads out of the folder was followed")
	}
	if entries, _ := os.ReadDir(outside); len(entries) != 0 {
		t.Errorf("%d files were written outside", len(entries))
	}
}

func TestPackFileErrors(t *testing.T) {
	folder := t.TempDir()
	writeFiles(t, folder, map[string]string{"a.txt": "a", "bad.tspack": "TSPACK\r\n\x01\x00"})
	bad := filepath.Join(folder, "bad.tspack")
	if _, err := OpenPack(bad); !errors.Is(err, formats.ErrDamaged) || !strings.Contains(err.Error(), bad) {
		t.Errorf("damaged pack: %v", err)
	}
	if _, err := OpenPack(folder); err == nil || !strings.Contains(err.Error(), "no file") {
		t.Errorf("a folder as pack: %v", err)
	}
	if _, err := OpenPack(filepath.Join(folder, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing pack: %v", err)
	}
	good := filepath.Join(t.TempDir(), "good.tspack")
	createPack(t, folder, good)
	pack := openPack(t, good)
	for _, path := range []string{"nothing", "../a.txt"} {
		if _, err := ExtractPack(context.Background(), pack, t.TempDir(), []string{path}, nil); err == nil {
			t.Errorf("extracting %q: no error", path)
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ExtractPack(ended, pack, t.TempDir(), nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("extracting when cancelled: %v", err)
	}
	before, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := CreatePack(ended, folder, good, true, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("creating when cancelled: %v", err)
	}
	writeFiles(t, folder, map[string]string{"A.txt": "another"})
	var duplicate *tspack.DuplicateError
	if _, err := CreatePack(context.Background(), folder, good, true, nil); runtime.GOOS == "linux" && !errors.As(err, &duplicate) {
		t.Errorf("two names that differ by case: %v", err)
	}
	if after, _ := os.ReadFile(good); runtime.GOOS == "linux" && !bytes.Equal(before, after) {
		t.Error("a failed attempt changed the pack")
	}
	if runtime.GOOS != "windows" {
		if err := os.Symlink("a.txt", filepath.Join(folder, "link")); err != nil {
			t.Fatal(err)
		}
		if _, err := CreatePack(context.Background(), folder, good, true, nil); err == nil || !strings.Contains(err.Error(), "link") {
			t.Errorf("a link in the folder: %v", err)
		}
	}
}
