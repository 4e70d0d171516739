package atomicfile

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// content reads a file that must exist.
func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// names lists a folder, so that left-over temporary files show.
func names(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

func TestWriteCreatesAndReplaces(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "build.json")
	for _, text := range []string{"first", "", "second, longer"} {
		if err := Write(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got := content(t, path); got != text {
			t.Fatalf("content is %q, want %q", got, text)
		}
	}
	if got := names(t, dir); got != "build.json" {
		t.Errorf("the folder holds %s", got)
	}
}

func TestTargetIsUntouchedUntilCommit(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	if err := Write(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(f, strings.NewReader("????new content")); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("head")); err != nil {
		t.Fatal(err)
	}
	written, err := io.ReadAll(io.NewSectionReader(f, 0, 100))
	if err != nil || string(written) != "headnew content" {
		t.Fatalf("read back %q, %v", written, err)
	}
	if got := content(t, path); got != "old" {
		t.Fatalf("the target changed before Commit: %q", got)
	}
	temp := strings.Fields(names(t, dir))[0]
	if !strings.HasPrefix(temp, ".a.txt.") || !strings.HasSuffix(temp, ".tmp") || len(temp) != len(".a.txt.")+32+len(".tmp") {
		t.Errorf("the temporary file is named %s", temp)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	f.Abort()
	if got := content(t, path); got != "headnew content" {
		t.Errorf("content is %q", got)
	}
	if err := f.Commit(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a second Commit gives %v", err)
	}
	if _, err := f.Write(nil); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Write after Commit gives %v", err)
	}
}

func TestAbortLeavesTheOldFileAndNothingElse(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	if err := Write(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(bytes.Repeat([]byte("x"), 1<<20)); err != nil {
		t.Fatal(err)
	}
	f.Abort()
	f.Abort()
	if got := content(t, path) + " " + names(t, dir); got != "old a.txt" {
		t.Errorf("after Abort: %s", got)
	}
}

func TestPermissionsAreKept(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits")
	}
	path := filepath.Join(t.TempDir(), "tool")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []fs.FileMode{0o600, 0o755, 0o664} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if err := Write(path, []byte("new")); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != mode {
			t.Errorf("the mode is %v, want %v", info.Mode().Perm(), mode)
		}
	}
}

func TestLinksAreFollowed(t *testing.T) {
	dir := t.TempDir()
	for _, folder := range []string{"real/deep", "links"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	target := filepath.Join(dir, "real", "deep", "build.json")
	link := func(to, at string) {
		t.Helper()
		if err := os.Symlink(to, filepath.Join(dir, at)); err != nil {
			t.Skip("links cannot be made here: ", err)
		}
	}
	link(filepath.Join(dir, "real", "deep"), "links/folder")
	link("folder/build.json", "links/relative.json")
	link(filepath.Join("..", "links", "relative.json"), "links/twice.json")
	link(filepath.Join("..", "up.json"), "real/deep/up.json")
	link("round.json", "links/round.json")

	// The first write goes through links to a file that does not exist yet.
	for _, at := range []string{"links/twice.json", "links/relative.json", "links/folder/build.json"} {
		if err := Write(filepath.Join(dir, at), []byte(at)); err != nil {
			t.Fatal(err)
		}
		if got := content(t, target); got != at {
			t.Errorf("%s: the file behind the link holds %q", at, got)
		}
	}
	if info, err := os.Lstat(filepath.Join(dir, "links", "twice.json")); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v, %v", info, err)
	}
	// ".." counts from the folder behind the link, not from the path that was written.
	if err := Write(filepath.Join(dir, "links", "folder", "up.json"), []byte("up")); err != nil {
		t.Fatal(err)
	}
	if got := content(t, filepath.Join(dir, "real", "up.json")); got != "up" {
		t.Errorf("real/up.json holds %q", got)
	}
	var notWritten *Error
	if err := Write(filepath.Join(dir, "links", "round.json"), nil); !errors.As(err, &notWritten) {
		t.Errorf("a link to itself gives %v", err)
	}
}

func TestRefusalsNameTheFileAndTheReason(t *testing.T) {
	dir := t.TempDir()
	for path, text := range map[string]string{"file": "x", "locked": "keep"} {
		if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "locked"), 0o444); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, path, reason string
		is                 error
	}{
		{"a folder in the way", "folder", "it is a folder", fs.ErrExist},
		{"a read-only file", "locked", "marked read-only", fs.ErrPermission},
		{"a missing folder", "nowhere/a.txt", "nowhere does not exist", fs.ErrNotExist},
		{"a file where a folder is needed", "file/a.txt", "", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(dir, filepath.FromSlash(test.path))
			err := Write(path, []byte("new"))
			var notWritten *Error
			if !errors.As(err, &notWritten) || notWritten.Path != path {
				t.Fatalf("the error is %v", err)
			}
			if !strings.HasPrefix(err.Error(), path+" was not written: ") || !strings.Contains(err.Error(), test.reason) {
				t.Errorf("the message is %q", err)
			}
			if test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("%v is not %v", err, test.is)
			}
		})
	}
	if got := content(t, filepath.Join(dir, "locked")); got != "keep" {
		t.Errorf("the read-only file holds %q", got)
	}
	if got := names(t, dir); got != "file folder locked" {
		t.Errorf("the folder holds %s", got)
	}
}

func TestReadOnlyFolder(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("permissions do not bind this user")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o777) })
	err := Write(filepath.Join(dir, "a.txt"), nil)
	if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "does not allow it") {
		t.Errorf("the error is %v", err)
	}
}

func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full here")
	}
	// A file on a full disk, as far as writing can tell.
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	if err := Write(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	full, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	_ = f.file.Close()
	f.file = full
	_, err = f.Write([]byte("x"))
	if err == nil || err.Error() != path+" was not written: the disk is full" {
		t.Errorf("the error is %v", err)
	}
	f.Abort()
	if got := content(t, path) + " " + names(t, dir); got != "old a.txt" {
		t.Errorf("after the failure: %s", got)
	}
}

func TestLongNames(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, strings.Repeat("é", 125)) // 250 bytes, allowed where names have 255
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Skip("the file system does not take 250 bytes: ", err)
	}
	if err := Write(path, []byte("long")); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); got != "long" {
		t.Errorf("content is %q", got)
	}
}

func TestWritersAtTheSameTimeLeaveOneWholeFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	const writers = 8
	done := make(chan error, writers)
	for i := range writers {
		go func() { done <- Write(path, bytes.Repeat([]byte{byte('a' + i)}, 100_000)) }()
	}
	for range writers {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	got := content(t, path)
	if len(got) != 100_000 || strings.Trim(got, got[:1]) != "" {
		t.Errorf("the file is a mixture of %d bytes", len(got))
	}
	if got := names(t, dir); got != "a.txt" {
		t.Errorf("the folder holds %s", got)
	}
}

// writeForever is set in the environment of a copy of this test that writes until it is killed.
const writeForever = "ATOMICFILE_TEST_WRITE"

func TestKilledWriterLeavesAWholeFile(t *testing.T) {
	contents := [][]byte{bytes.Repeat([]byte("old "), 50_000), bytes.Repeat([]byte("new line\n"), 90_000)}
	if path := os.Getenv(writeForever); path != "" {
		for i := 0; ; i++ {
			if err := Write(path, contents[i%2]); err != nil {
				t.Fatal(err)
			}
		}
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	if err := Write(path, contents[0]); err != nil {
		t.Fatal(err)
	}
	for round := range 12 {
		writer := exec.Command(os.Args[0], "-test.run=^TestKilledWriterLeavesAWholeFile$")
		writer.Env = append(os.Environ(), writeForever+"="+path)
		if err := writer.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(20+7*round) * time.Millisecond)
		if err := writer.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = writer.Wait()
		got := []byte(content(t, path))
		if !bytes.Equal(got, contents[0]) && !bytes.Equal(got, contents[1]) {
			t.Fatalf("round %d: the file has %d bytes and is neither the old nor the new one", round, len(got))
		}
	}
	for _, name := range strings.Fields(names(t, dir)) {
		if name != "a.txt" && !(strings.HasPrefix(name, ".a.txt.") && strings.HasSuffix(name, ".tmp")) {
			t.Errorf("the folder holds %s", name)
		}
	}
}

func TestATmpFileThatWasLeftIsWrittenOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "disc.iso")
	for name, content := range map[string]string{path: "old", path + ".tmp": "left by a process that was killed"} {
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := CreateTmp(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("new")); err != nil {
		t.Fatal(err)
	}
	f.StartFlush(0, 3)
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(f.Temp()); f.Temp() != path+".tmp" || string(got) != "new" {
		t.Errorf("%s: %q, %v", f.Temp(), got, err)
	}
	if got, _ := os.ReadFile(path); string(got) != "old" {
		t.Errorf("before the commit: %q", got)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); string(got) != "new" {
		t.Errorf("after the commit: %q", got)
	}
	if err := f.Flush(); err == nil {
		t.Error("flushed after the commit")
	}
	if err := os.Mkdir(path+".tmp", 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := CreateTmp(path); err == nil || !strings.Contains(err.Error(), "not an ordinary file") {
		t.Error(err)
	}
}
