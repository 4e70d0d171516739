package examples

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestExtractWritesEveryFileOnce(t *testing.T) {
	parent := t.TempDir()
	dir, err := Extract(parent)
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	err = fs.WalkDir(Files(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		want, err := fs.ReadFile(Files(), name)
		if err != nil {
			return err
		}
		got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs from the embedded file", name)
		}
		count++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if count < 50 {
		t.Fatalf("only %d files are embedded", count)
	}

	build := filepath.Join(dir, "build.json")
	if err := os.WriteFile(build, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	again, err := Extract(parent)
	if err != nil || again != dir {
		t.Fatalf("second Extract gave %q, %v", again, err)
	}
	if text, _ := os.ReadFile(build); string(text) != "{}" {
		t.Error("a second Extract overwrote a file that the person had changed")
	}
	entries, err := os.ReadDir(parent)
	if err != nil || len(entries) != 1 {
		t.Errorf("Extract left %d entries beside the project, %v", len(entries)-1, err)
	}
}

func TestExtractNamesTheFolderItCannotWrite(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(parent, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Extract(filepath.Join(parent, "below")); err == nil {
		t.Fatal("no error for a parent that is a file")
	}
}
