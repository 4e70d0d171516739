package document

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"talebinder/formats"
)

// write puts a text on the disk behind the document's back, with a time that is clearly later or earlier.
func write(t *testing.T, path, text string, age time.Duration) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	when := time.Now().Add(-age)
	if err := os.Chtimes(path, when, when); err != nil {
		t.Fatal(err)
	}
}

func openText(t *testing.T, text string) *Document {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file.json")
	write(t, path, text, time.Hour)
	d, err := Open(path, []byte("fallback"))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func expect(t *testing.T, d *Document, text string, dirty bool, undo, redo string) {
	t.Helper()
	if got := string(d.Text()); got != text {
		t.Errorf("the text is %q, want %q", got, text)
	}
	if d.Dirty() != dirty {
		t.Errorf("dirty is %v, want %v", d.Dirty(), dirty)
	}
	if d.UndoTitle() != undo || d.RedoTitle() != redo {
		t.Errorf("undo %q and redo %q, want %q and %q", d.UndoTitle(), d.RedoTitle(), undo, redo)
	}
}

func onDisk(t *testing.T, d *Document) string {
	t.Helper()
	data, err := os.ReadFile(d.Path())
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestUndoAndRedo(t *testing.T) {
	d := openText(t, "one")
	expect(t, d, "one", false, "", "")
	if d.Undo() || d.Redo() {
		t.Error("there was something to undo or redo")
	}
	d.Apply("Add two", "", []byte("one two"))
	d.Apply("Nothing", "", []byte("one two"))
	d.Apply("Add three", "", []byte("one two three"))
	expect(t, d, "one two three", true, "Add three", "")
	d.Undo()
	expect(t, d, "one two", true, "Add two", "Add three")
	d.Undo()
	expect(t, d, "one", false, "", "Add two")
	d.Redo()
	d.Redo()
	expect(t, d, "one two three", true, "Add three", "")
	d.Undo()
	d.Apply("Add four", "", []byte("one two four"))
	expect(t, d, "one two four", true, "Add four", "")
	if d.Redo() {
		t.Error("an edit after an undo left something to redo")
	}
	d.Undo()
	d.Undo()
	expect(t, d, "one", false, "", "Add two")
}

func TestEditsWithOneKeyBecomeOneStep(t *testing.T) {
	d := openText(t, "version 1.0.0")
	for _, text := range []string{"version ", "version 2", "version 2.", "version 2.0"} {
		d.Apply("Change version", "version", []byte(text))
	}
	expect(t, d, "version 2.0", true, "Change version", "")
	d.Apply("Change name", "name", []byte("version 2.0 n"))
	d.Apply("Change version", "version", []byte("version 3 n"))
	d.Undo()
	expect(t, d, "version 2.0 n", true, "Change name", "Change version")
	d.Undo()
	expect(t, d, "version 2.0", true, "Change version", "Change name")

	// Undo ends a run of typing: what is typed next is a step of its own.
	d.Apply("Change version", "version", []byte("version 4"))
	d.Undo()
	expect(t, d, "version 2.0", true, "Change version", "Change version")
	d.Undo()
	expect(t, d, "version 1.0.0", false, "", "Change version")

	// Typing something and taking it back by hand is no step.
	d.Apply("Change version", "version", []byte("version 1.0.0x"))
	d.Apply("Change version", "version", []byte("version 1.0.0"))
	expect(t, d, "version 1.0.0", false, "", "")
	d.Apply("Change version", "version", []byte("version 5"))
	expect(t, d, "version 5", true, "Change version", "")

	// So does saving, so that undo can stop at what was saved.
	if err := d.Save(); err != nil {
		t.Fatal(err)
	}
	d.Apply("Change version", "version", []byte("version 55"))
	d.Undo()
	expect(t, d, "version 5", false, "Change version", "Change version")

	// The empty key never merges.
	d.Apply("A", "", []byte("a"))
	d.Apply("B", "", []byte("b"))
	d.Undo()
	expect(t, d, "a", true, "A", "B")
}

func TestManyStepsComeBackExactly(t *testing.T) {
	d := openText(t, strings.Repeat("line\n", 100))
	texts := []string{string(d.Text())}
	for i := range 200 {
		text := []byte(texts[len(texts)-1])
		at := (i * 37) % len(text)
		text = append(append(append([]byte{}, text[:at]...), fmt.Sprintf("é<%d", i)...), text[min(at+i%5, len(text)):]...)
		d.Apply("Edit", "", text)
		texts = append(texts, string(text))
	}
	for i := len(texts) - 2; i >= 0; i-- {
		d.Undo()
		if string(d.Text()) != texts[i] {
			t.Fatalf("undo to text %d differs", i)
		}
	}
	for i := 1; i < len(texts); i++ {
		d.Redo()
		if string(d.Text()) != texts[i] {
			t.Fatalf("redo to text %d differs", i)
		}
	}
}

func TestSaveWritesOnlyWhatChanged(t *testing.T) {
	d := openText(t, "old")
	before, err := os.Stat(d.Path())
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Save(); err != nil {
		t.Fatal(err)
	}
	d.Apply("Edit", "", []byte("new"))
	d.Undo()
	if err := d.Save(); err != nil {
		t.Fatal(err)
	}
	if err := d.SaveOver(); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(d.Path())
	if err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
		t.Error("saving an unchanged document touched the file")
	}
	d.Redo()
	if err := d.Save(); err != nil {
		t.Fatal(err)
	}
	if got := onDisk(t, d); got != "new" || d.Dirty() {
		t.Errorf("the file holds %q, dirty is %v", got, d.Dirty())
	}
	d.Undo()
	expect(t, d, "old", true, "", "Edit")
}

func TestNewFileAppearsWithTheFirstSave(t *testing.T) {
	path := filepath.Join(t.TempDir(), "build.json")
	d, err := Open(path, []byte("{}\n"))
	if err != nil {
		t.Fatal(err)
	}
	expect(t, d, "{}\n", false, "", "")
	if err := d.Save(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) || d.Exists() {
		t.Fatalf("saving the fallback made a file: %v", err)
	}
	d.Apply("Edit", "", []byte("{1}\n"))
	if err := d.Save(); err != nil {
		t.Fatal(err)
	}
	if got := onDisk(t, d); got != "{1}\n" || !d.Exists() {
		t.Errorf("the file holds %q", got)
	}
	if changed, err := d.DiskChanged(); changed || err != nil {
		t.Errorf("right after saving: changed %v, %v", changed, err)
	}
}

func TestChangesOnDisk(t *testing.T) {
	tests := []struct {
		name    string
		disk    func(t *testing.T, d *Document)
		changed bool
		deleted bool
		reload  string
	}{
		{"untouched", func(*testing.T, *Document) {}, false, false, "base"},
		{"touched only", func(t *testing.T, d *Document) { write(t, d.Path(), "base", time.Minute) }, false, false, "base"},
		{"longer", func(t *testing.T, d *Document) { write(t, d.Path(), "base and more", time.Minute) }, true, false, "base and more"},
		{"same length", func(t *testing.T, d *Document) { write(t, d.Path(), "BASE", time.Minute) }, true, false, "BASE"},
		{"deleted", func(t *testing.T, d *Document) {
			if err := os.Remove(d.Path()); err != nil {
				t.Fatal(err)
			}
		}, true, true, "fallback"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := openText(t, "base")
			d.Apply("Edit", "", []byte("mine"))
			test.disk(t, d)
			changed, err := d.DiskChanged()
			if changed != test.changed || err != nil {
				t.Fatalf("DiskChanged gives %v, %v", changed, err)
			}
			err = d.Save()
			var conflict *ConflictError
			switch {
			case !test.changed:
				if err != nil || onDisk(t, d) != "mine" {
					t.Fatalf("Save gives %v", err)
				}
				return
			case !errors.As(err, &conflict) || conflict.Deleted != test.deleted || conflict.Path != d.Path():
				t.Fatalf("Save gives %v", err)
			}
			if !test.deleted && onDisk(t, d) != test.reload {
				t.Errorf("a refused Save wrote %q", onDisk(t, d))
			}

			if disk, err := d.Disk(); err != nil || string(disk) != test.reload {
				t.Errorf("the disk has %q, %v", disk, err)
			}
			expect(t, d, "mine", true, "Edit", "")
			if err := d.Reload(); err != nil {
				t.Fatal(err)
			}
			expect(t, d, test.reload, false, "Reload", "")
			if changed, err := d.DiskChanged(); changed || err != nil {
				t.Errorf("after Reload: changed %v, %v", changed, err)
			}
			d.Undo()
			expect(t, d, "mine", true, "Edit", "Reload")
			if err := d.Save(); err != nil || onDisk(t, d) != "mine" {
				t.Errorf("saving after Reload gives %v", err)
			}
		})
	}
}

func TestSaveOverKeepsMine(t *testing.T) {
	d := openText(t, "base")
	write(t, d.Path(), "theirs", time.Minute)
	if err := d.SaveOver(); err != nil || onDisk(t, d) != "base" {
		t.Errorf("an unchanged document saved over: %q, %v", onDisk(t, d), err)
	}
	write(t, d.Path(), "theirs", time.Minute)
	d.Apply("Edit", "", []byte("mine"))
	if err := d.SaveOver(); err != nil || onDisk(t, d) != "mine" {
		t.Errorf("the file holds %q, %v", onDisk(t, d), err)
	}
	if err := os.Remove(d.Path()); err != nil {
		t.Fatal(err)
	}
	if err := d.SaveOver(); err != nil || onDisk(t, d) != "mine" {
		t.Errorf("after deleting: %v", err)
	}
}

func TestASecondChangeWithTheSameTimeIsSeen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write(t, path, "aaaa", 0)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, "bbbb", 0)
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if changed, err := d.DiskChanged(); !changed || err != nil {
		t.Errorf("changed is %v, %v", changed, err)
	}
}

func TestRevertIsAStep(t *testing.T) {
	d := openText(t, "base")
	d.Apply("Edit", "", []byte("mine"))
	d.Revert()
	expect(t, d, "base", false, "Revert", "")
	d.Undo()
	expect(t, d, "mine", true, "Edit", "Revert")
	d.Undo()
	d.Revert()
	expect(t, d, "base", false, "", "Edit")
}

func TestUnreadableFiles(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir, nil); err == nil || !strings.Contains(err.Error(), dir+" is a folder") {
		t.Errorf("a folder gives %v", err)
	}
	large := filepath.Join(dir, "large")
	if err := os.WriteFile(large, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, MaxSize+1); err != nil {
		t.Skip(err)
	}
	var limit *formats.LimitError
	if _, err := Open(large, nil); !errors.As(err, &limit) || limit.Value != MaxSize+1 || !strings.Contains(err.Error(), large) {
		t.Errorf("a file that is too large gives %v", err)
	}
	if _, err := os.Stat("/dev/zero"); err == nil {
		if _, err := Open("/dev/zero", nil); err == nil || !strings.Contains(err.Error(), "not an ordinary file") {
			t.Errorf("a device gives %v", err)
		}
	}
}

func TestBlockedDocumentIsNeverWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "build.json")
	if err := os.Mkdir(path, 0o777); err != nil {
		t.Fatal(err)
	}
	reason := errors.New("no way in")
	d := Blocked(path, []byte("fallback"), reason)
	d.Apply("Edit", "", []byte("mine"))
	if err := d.Save(); err != reason {
		t.Errorf("Save gives %v", err)
	}
	if err := d.SaveOver(); err != reason {
		t.Errorf("SaveOver gives %v", err)
	}
	if err := d.Reload(); err == nil || d.Blocked() != reason {
		t.Errorf("Reload gives %v, blocked by %v", err, d.Blocked())
	}
	if changed, err := d.DiskChanged(); changed || err != nil {
		t.Errorf("changed is %v, %v", changed, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	write(t, path, "readable now", time.Minute)
	if changed, err := d.DiskChanged(); !changed || err != nil {
		t.Errorf("changed is %v, %v", changed, err)
	}
	if err := d.Reload(); err != nil || d.Blocked() != nil {
		t.Errorf("Reload gives %v", err)
	}
	expect(t, d, "readable now", false, "Reload", "")
}

func TestFailedSaveKeepsEverything(t *testing.T) {
	d := openText(t, "base")
	d.Apply("Edit", "", []byte("mine"))
	if err := os.Chmod(d.Path(), 0o444); err != nil {
		t.Fatal(err)
	}
	if err := d.Save(); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("Save gives %v", err)
	}
	expect(t, d, "mine", true, "Edit", "")
	if err := os.Chmod(d.Path(), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := d.Save(); err != nil || onDisk(t, d) != "mine" {
		t.Errorf("the second Save gives %v", err)
	}
}

func TestTheCallersTextMayChange(t *testing.T) {
	d := openText(t, "base")
	text := []byte("mine")
	d.Apply("Edit", "", text)
	copy(text, "oops")
	expect(t, d, "mine", true, "Edit", "")
}

func TestUseFromManyGoroutines(t *testing.T) {
	d := openText(t, "base")
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for range 100 {
				d.Apply("Edit", "", []byte(strings.Repeat("x", i)))
				d.Undo()
				_, _ = d.Snapshot()
				_, _ = d.DiskChanged()
			}
		})
	}
	all.Wait()
	for d.Undo() {
	}
	expect(t, d, "base", false, "", d.RedoTitle())
}
