package document

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func tree(t *testing.T, files map[string]string) *Group {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	return NewGroup(folder)
}

// treeOf gives every file below the folder of a group, so that leftovers show.
func treeOf(t *testing.T, g *Group) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(g.Folder(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(g.Folder(), path)
		files[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func change(t *testing.T, g *Group, name, after string) FileChange {
	t.Helper()
	before, err := g.Text(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return FileChange{Name: name, Before: before, After: []byte(after)}
}

func apply(t *testing.T, g *Group, title, merge string, changes ...FileChange) {
	t.Helper()
	if err := g.Apply(title, merge, changes...); err != nil {
		t.Fatal(err)
	}
}

func text(t *testing.T, g *Group, name string) string {
	t.Helper()
	text, err := g.Text(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "(none)"
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestGroupStepTouchesSeveralFiles(t *testing.T) {
	g := tree(t, map[string]string{"a": "one", "sub/b": "two"})
	apply(t, g, "Both", "", change(t, g, "a", "1"), change(t, g, "sub/b", "2"), change(t, g, "new/deep/c", "3"))
	if got := []string{text(t, g, "a"), text(t, g, "sub/b"), text(t, g, "new/deep/c"), g.UndoTitle(), g.RedoTitle()}; !cmp.Equal(got, []string{"1", "2", "3", "Both", ""}) {
		t.Errorf("after the step: %q", got)
	}
	if diff := cmp.Diff([]string{"a", "new/deep/c", "sub/b"}, g.DirtyFiles()); diff != "" {
		t.Error(diff)
	}
	if !g.Undo() || text(t, g, "a") != "one" || text(t, g, "sub/b") != "two" || text(t, g, "new/deep/c") != "(none)" || g.Dirty() {
		t.Error("undo did not bring back every file")
	}
	if !g.Redo() || g.Redo() {
		t.Error("expected one step to redo")
	}
	if err := g.Save(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"a": "1", "sub/b": "2", "new/deep/c": "3"}, treeOf(t, g)); diff != "" {
		t.Error(diff)
	}
	// Undone after it was saved, a file that the step made goes again.
	if !g.Undo() || !g.Dirty() {
		t.Fatal("expected a step to undo after saving")
	}
	if err := g.Save(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"a": "one", "sub/b": "two"}, treeOf(t, g)); diff != "" {
		t.Error(diff)
	}
}

func TestGroupMerges(t *testing.T) {
	g := tree(t, map[string]string{"a": "one", "b": "two"})
	for _, typed := range []string{"1", "12", "123"} {
		apply(t, g, "Type", "k", change(t, g, "a", typed))
	}
	apply(t, g, "Other", "k", change(t, g, "b", "x"))
	g.Undo()
	if got := text(t, g, "a") + g.UndoTitle(); got != "123Type" {
		t.Errorf("another file became part of the step: %s", got)
	}
	g.Undo()
	if got := text(t, g, "a") + g.UndoTitle(); got != "one" {
		t.Errorf("what was typed took more than one step: %s", got)
	}
	apply(t, g, "Type", "k", change(t, g, "a", "1"))
	apply(t, g, "Type", "k", change(t, g, "a", "one"))
	if g.UndoTitle() != "" || g.Dirty() {
		t.Error("what was taken back by hand is a step")
	}
}

func TestGroupRefusesChangesOfAnotherText(t *testing.T) {
	g := tree(t, map[string]string{"a": "one", "b": "two"})
	stale := []FileChange{change(t, g, "a", "1"), change(t, g, "b", "2")}
	apply(t, g, "Meanwhile", "", change(t, g, "b", "else"))
	var staleErr *StaleError
	if err := g.Apply("Late", "", stale...); !errors.As(err, &staleErr) || staleErr.Name != "b" {
		t.Errorf("got %v, want a *StaleError for b", err)
	}
	if text(t, g, "a") != "one" {
		t.Error("a file of a refused step has changed")
	}
	if err := g.Apply("Twice", "", change(t, g, "a", "1"), change(t, g, "./a", "2")); err == nil {
		t.Error("two changes of one file were taken")
	}
	for _, name := range []string{"../out", "/a/../../out"} {
		if err := g.Apply("Out", "", FileChange{Name: name, After: []byte("x")}); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}

func TestGroupSavesAllFilesOrNone(t *testing.T) {
	files := map[string]string{"a": "one", "sub/b": "two", "c": "three"}
	t.Run("conflict", func(t *testing.T) {
		g := tree(t, files)
		apply(t, g, "All", "", change(t, g, "a", "1"), change(t, g, "sub/b", "2"), change(t, g, "c", "3"))
		if err := os.WriteFile(filepath.Join(g.Folder(), "c"), []byte("outside"), 0o666); err != nil {
			t.Fatal(err)
		}
		var conflict *GroupConflictError
		if err := g.Save(); !errors.As(err, &conflict) || len(conflict.Conflicts) != 1 {
			t.Fatalf("got %v, want one conflict", err)
		}
		if diff := cmp.Diff(map[string]string{"a": "one", "sub/b": "two", "c": "outside"}, treeOf(t, g)); diff != "" {
			t.Error(diff)
		}
		if names, err := g.DiskChanged(); err != nil || !cmp.Equal(names, []string{"c"}) {
			t.Errorf("changed on disk: %v, %v", names, err)
		}
		if err := g.Reload(); err != nil || text(t, g, "c") != "outside" {
			t.Errorf("reload: %v, %q", err, text(t, g, "c"))
		}
		g.Undo()
		if err := g.SaveOver(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]string{"a": "1", "sub/b": "2", "c": "3"}, treeOf(t, g)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("a file that cannot be written", func(t *testing.T) {
		g := tree(t, files)
		apply(t, g, "All", "", change(t, g, "a", "1"), change(t, g, "fresh/x", "new"), change(t, g, "c", "3"))
		// The last one cannot be staged: a link in a circle has no place to write to.
		if err := errors.Join(os.Remove(filepath.Join(g.Folder(), "c")), os.Symlink("c", filepath.Join(g.Folder(), "c"))); err != nil {
			t.Skip("no links here: ", err)
		}
		if err := g.SaveOver(); err == nil {
			t.Fatal("saved")
		}
		if err := os.Remove(filepath.Join(g.Folder(), "c")); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]string{"a": "one", "sub/b": "two"}, treeOf(t, g)); diff != "" {
			t.Error(diff)
		}
		if err := g.SaveOver(); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(map[string]string{"a": "1", "sub/b": "two", "fresh/x": "new", "c": "3"}, treeOf(t, g)); diff != "" {
			t.Error(diff)
		}
	})
}

func TestGroupKeepsOnlyWhatItNeeds(t *testing.T) {
	g := tree(t, map[string]string{"a": "one", "b": "two"})
	if text(t, g, "a"); len(g.members) != 0 {
		t.Error("a file that was only read is kept")
	}
	if err := os.WriteFile(filepath.Join(g.Folder(), "a"), []byte("outside"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := text(t, g, "a"); got != "outside" {
		t.Errorf("got %q, want the file as it is", got)
	}
	apply(t, g, "Same", "", change(t, g, "a", "outside"))
	if len(g.members) != 0 || g.UndoTitle() != "" {
		t.Error("a change without a difference is kept")
	}
	apply(t, g, "Change", "", change(t, g, "a", "x"))
	g.Revert()
	if text(t, g, "a") != "outside" || g.UndoTitle() != "Revert" {
		t.Error("revert is no step")
	}
}

// Whatever is done, undoing everything gives the same bytes, and doing it again the last ones.
func TestGroupRoundTrip(t *testing.T) {
	for seed := range uint64(30) {
		random := rand.New(rand.NewPCG(seed, 7))
		files := map[string]string{"a": "alpha\nbeta\n", "b": "", "c/d": "gamma"}
		g := tree(t, files)
		names := []string{"a", "b", "c/d", "new", "c/new"}
		for step := range 30 {
			var changes []FileChange
			for _, at := range random.Perm(len(names))[:1+random.IntN(len(names))] {
				c := change(t, g, names[at], "")
				switch random.IntN(4) {
				case 0:
					c.After = nil
				case 1:
					c.After = bytes.Repeat([]byte{byte('a' + random.IntN(3))}, random.IntN(9))
				default:
					cut := random.IntN(len(c.Before) + 1)
					c.After = fmt.Appendf(nil, "%s%d%s", c.Before[:cut], random.IntN(99), c.Before[cut:])
				}
				changes = append(changes, c)
			}
			apply(t, g, fmt.Sprint(step), []string{"", "k"}[random.IntN(2)], changes...)
			if random.IntN(5) == 0 {
				if err := g.Save(); err != nil {
					t.Fatal(err)
				}
			}
			if random.IntN(5) == 0 {
				g.Undo()
			}
		}
		for g.Redo() {
		}
		last := map[string]string{}
		for _, name := range names {
			if got := text(t, g, name); got != "(none)" {
				last[name] = got
			}
		}
		for g.Undo() {
		}
		if err := g.Save(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(files, treeOf(t, g)); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
		for g.Redo() {
		}
		if err := g.Save(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(last, treeOf(t, g)); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
	}
}
