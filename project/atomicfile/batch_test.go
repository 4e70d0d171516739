package atomicfile

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// files gives the content of every file in a folder, so that leftovers show.
func files(t *testing.T, folder string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		list[e.Name()] = string(text)
	}
	return list
}

func batchFolder(t *testing.T) (folder string, changes []Change, before map[string]string) {
	t.Helper()
	folder = t.TempDir()
	before = map[string]string{"a": "old a", "b": "old b", "gone": "old gone"}
	for name, text := range before {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	return folder, []Change{
		{Path: filepath.Join(folder, "a"), Data: []byte("new a")},
		{Path: filepath.Join(folder, "gone"), Remove: true},
		{Path: filepath.Join(folder, "fresh"), Data: []byte("new fresh")},
		{Path: filepath.Join(folder, "b"), Data: []byte("new b")},
	}, before
}

func TestWriteAll(t *testing.T) {
	folder, changes, _ := batchFolder(t)
	if err := WriteAll(changes); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a": "new a", "b": "new b", "fresh": "new fresh"}
	if diff := cmp.Diff(want, files(t, folder)); diff != "" {
		t.Error(diff)
	}
	info, err := os.Stat(filepath.Join(folder, "a"))
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v; want that of the file before", info.Mode(), err)
	}
}

func TestWriteAllPutsBackWhatWasDoneWhenAFileFails(t *testing.T) {
	for failing := range 3 {
		folder, changes, before := batchFolder(t)
		calls := 0
		err := writeAll(changes, func(from, to string) error {
			if calls++; calls-1 == failing {
				return &os.LinkError{Op: "rename", Old: from, New: to, Err: fs.ErrPermission}
			}
			return rename(from, to)
		})
		var failure *Error
		if !errors.As(err, &failure) || !errors.Is(err, fs.ErrPermission) {
			t.Fatalf("rename %d: got %v, want an *Error", failing, err)
		}
		if diff := cmp.Diff(before, files(t, folder)); diff != "" {
			t.Errorf("rename %d failed, and the files are not as before:\n%s", failing, diff)
		}
	}
}

func TestWriteAllChangesNothingWhenOneContentCannotBeWritten(t *testing.T) {
	folder, changes, before := batchFolder(t)
	changes = append(changes, Change{Path: filepath.Join(folder, "no", "such", "folder"), Data: []byte("x")})
	if err := WriteAll(changes); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("got %v", err)
	}
	if diff := cmp.Diff(before, files(t, folder)); diff != "" {
		t.Error(diff)
	}
	twice := []Change{changes[0], changes[0]}
	if err := WriteAll(twice); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a file twice: got %v", err)
	}
	if diff := cmp.Diff(before, files(t, folder)); diff != "" {
		t.Error(diff)
	}
}

func TestWriteAllNamesWhatCouldNotBePutBack(t *testing.T) {
	folder, changes, _ := batchFolder(t)
	err := writeAll(changes[2:], func(from, to string) error {
		if filepath.Base(to) == "b" {
			// Something else takes the place of the new file meanwhile: it cannot be removed as a file.
			fresh := filepath.Join(folder, "fresh")
			if err := errors.Join(os.Remove(fresh), os.MkdirAll(filepath.Join(fresh, "sub"), 0o777)); err != nil {
				t.Fatal(err)
			}
			return fs.ErrPermission
		}
		return rename(from, to)
	})
	if err == nil || !errors.Is(err, fs.ErrPermission) {
		t.Fatalf("got %v", err)
	}
	if got := err.Error(); !strings.Contains(got, "fresh could not be put back") {
		t.Errorf("got %q", got)
	}
}

// A process that is killed before a rename leaves every file whole: those before it are new, in the order given, and the
// others are old. What else is left has names that the editor passes over.
func TestWriteAllIsKilled(t *testing.T) {
	const at, in = "TALEBINDER_TEST_KILL_AT", "TALEBINDER_TEST_KILL_IN"
	if text := os.Getenv(at); text != "" {
		folder, calls := os.Getenv(in), 0
		_ = writeAll([]Change{
			{Path: filepath.Join(folder, "a"), Data: []byte("new a")},
			{Path: filepath.Join(folder, "fresh"), Data: []byte("new fresh")},
			{Path: filepath.Join(folder, "b"), Data: []byte("new b")},
		}, func(from, to string) error {
			if strconv.Itoa(calls) == text {
				os.Exit(7)
			}
			calls++
			return rename(from, to)
		})
		t.Fatal("still there")
	}
	for calls := range 3 {
		folder, _, before := batchFolder(t)
		child := exec.Command(os.Args[0], "-test.run=^TestWriteAllIsKilled$")
		child.Env = append(os.Environ(), at+"="+strconv.Itoa(calls), in+"="+folder)
		var exit *exec.ExitError
		if err := child.Run(); !errors.As(err, &exit) || exit.ExitCode() != 7 {
			t.Fatalf("the process ended with %v", err)
		}
		want := maps.Clone(before)
		for _, name := range []string{"a", "fresh", "b"}[:calls] {
			want[name] = "new " + name
		}
		got := files(t, folder)
		for name := range got {
			if strings.HasPrefix(name, ".") && strings.HasSuffix(name, ".tmp") {
				delete(got, name)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("killed before rename %d:\n%s", calls, diff)
		}
	}
}
