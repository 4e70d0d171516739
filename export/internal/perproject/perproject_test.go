package perproject

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestChangesOfManyAtOnceAllCount(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "config", "counts.json")
	var done sync.WaitGroup
	for i := range 8 {
		done.Go(func() {
			f := New[[]string](path)
			if err := f.Change(filepath.Join(dir, "game"), func(v []string) ([]string, bool) { return append(v, fmt.Sprint(i)), true }); err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
	got, err := New[[]string](path).Get(filepath.Join(dir, ".", "game"))
	if err != nil || len(got) != 8 {
		t.Errorf("%q, %v", got, err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

func TestTakingOutLeavesTheOthers(t *testing.T) {
	dir := t.TempDir()
	f := New[int](filepath.Join(dir, "f.json"))
	set := func(project string, n int, keep bool) {
		t.Helper()
		if err := f.Change(filepath.Join(dir, project), func(int) (int, bool) { return n, keep }); err != nil {
			t.Fatal(err)
		}
	}
	set("a", 1, true)
	set("b", 2, true)
	set("a", 0, false)
	all, err := f.read()
	if diff := cmp.Diff(map[string]int{filepath.Join(Folder(dir), "b"): 2}, rooted(all, dir)); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// rooted writes the folders as they are behind links that lead to the temporary folder, which exists while they do not.
func rooted(all map[string]int, dir string) map[string]int {
	out := make(map[string]int)
	for folder, n := range all {
		if rest, ok := strings.CutPrefix(folder, dir); ok {
			folder = Folder(dir) + rest
		}
		out[folder] = n
	}
	return out
}

func TestAFileThatIsNotUnderstoodStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.json")
	for _, text := range []string{`{ "a": `, `[]`, `{ "/x": "text" }`} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		f := New[int](path)
		if _, err := f.Get("/x"); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", text, err)
		}
		if err := f.Change("/x", func(int) (int, bool) { return 1, true }); err == nil {
			t.Errorf("%s was changed", text)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%s became %s", text, got)
		}
	}
	if err := os.WriteFile(path, []byte("null"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := New[int](path).Change("/x", func(int) (int, bool) { return 1, true }); err != nil {
		t.Error(err)
	}
}
