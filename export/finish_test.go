package export

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/export/internal/filelock"
)

func TestReplaceFolder(t *testing.T) {
	unsupported := func(string, string) error { return errors.ErrUnsupported }
	for _, c := range []struct {
		name     string
		files    tree
		exchange func(a, b string) error
		want     []string
	}{
		{"nothing to replace", tree{"staging/new": "n"}, exchange, []string{"build/new"}},
		{"exchanged in one call", tree{"staging/new": "n", "build/old": "o"}, func(a, b string) error {
			return errors.Join(os.Rename(a, a+"x"), os.Rename(b, a), os.Rename(a+"x", b))
		}, []string{"build/new", "staging/old"}},
		{"without such a call", tree{"staging/new": "n", "build/old": "o"}, unsupported, []string{"build/new"}},
		{"with the remains of another time", tree{"staging/new": "n", "build/old": "o", "previous/older": "p"}, unsupported, []string{"build/new"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := c.files.write(t, t.TempDir())
			err := replaceFolder(filepath.Join(dir, "staging"), filepath.Join(dir, "build"), filepath.Join(dir, "previous"), c.exchange)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, readTree(t, dir).paths()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReplaceFolderThatFailsKeepsTheOldOne(t *testing.T) {
	dir := tree{"build/old": "o"}.write(t, t.TempDir())
	for name, exchange := range map[string]func(a, b string) error{
		"in one call": exchange,
		"in steps":    func(string, string) error { return errors.ErrUnsupported },
	} {
		err := replaceFolder(filepath.Join(dir, "no staging"), filepath.Join(dir, "build"), filepath.Join(dir, "previous"), exchange)
		if err == nil {
			t.Error(name, ": no error")
		}
		if diff := cmp.Diff([]string{"build/old"}, readTree(t, dir).paths()); diff != "" {
			t.Error(name, diff)
		}
	}
}

func TestExchangeSwapsFolders(t *testing.T) {
	dir := tree{"a/new": "n", "b/old": "o"}.write(t, t.TempDir())
	err := exchange(filepath.Join(dir, "a"), filepath.Join(dir, "b"))
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("this system cannot exchange two folders")
	}
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a/old", "b/new"}, readTree(t, dir).paths()); diff != "" {
		t.Error(diff)
	}
}

func TestRecover(t *testing.T) {
	dir := tree{
		".Tide-linux-x64.previous/old":   "1", // killed between two renames: put back
		".Ebb-linux-x64.previous/old":    "2", // killed after both: nothing to do
		"Ebb-linux-x64/new":              "3",
		".Flow-linux-x64.previous/old":   "4", // an export of it is running
		".notes.previous":                "5", // a file of somebody else's
		"archive.previous/readme":        "6",
		".Neap-linux-x64.staging/partly": "7",
	}.write(t, t.TempDir())
	lock, err := filelock.Acquire(filepath.Join(dir, ".Flow-linux-x64.lock"))
	if err != nil {
		t.Fatal(err)
	}
	restored, err := Recover(dir)
	lock.Release()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{filepath.Join(dir, "Tide-linux-x64")}, restored); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{
		".Ebb-linux-x64.previous/old", ".Flow-linux-x64.previous/old", ".Neap-linux-x64.staging/partly", ".notes.previous",
		"Ebb-linux-x64/new", "Tide-linux-x64/old", "archive.previous/readme",
	}, readTree(t, dir).paths()); diff != "" {
		t.Error(diff)
	}
	if restored, err := Recover(filepath.Join(dir, "none")); restored != nil || err != nil {
		t.Error("an output folder that does not exist: ", restored, err)
	}
}

func TestTheNextExportPutsABuildBackAndClearsUp(t *testing.T) {
	dir, output := tidewater().write(t, t.TempDir()), t.TempDir()
	tree{
		".Tide Water-linux-x64.previous/game/old":     "the build before",
		".Tide Water-linux-x64.staging/game/leftover": "of a killed export",
		".Tide Water-linux-x64.archive":               "of a killed export",
		".Tide Water-linux-x64.lock":                  "",
	}.write(t, output)
	broken := tidewater().with(tree{"assets/scenes/harbour.tscene": "-"}).write(t, t.TempDir())
	if _, _, err := build(t, broken, BuildOptions{ContentOnly: true, Output: output}); !errors.Is(err, ErrFailed) {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Tide Water-linux-x64.report.json", "Tide Water-linux-x64/game/old"}, readTree(t, output).paths()); diff != "" {
		t.Error("after an export that fails: ", diff)
	}
	tree{".Tide Water-linux-x64.previous/game/older": "o", ".Tide Water-linux-x64.staging/game/content.tspack": "half"}.write(t, output)
	report, _, err := build(t, dir, BuildOptions{ContentOnly: true, Output: output})
	if err != nil {
		t.Fatal(err)
	}
	readPack(t, filepath.Join(report.OutputDirectory, "game", "content.tspack"))
	for _, path := range readTree(t, output).paths() {
		if path[0] == '.' || filepath.Base(path) == "old" {
			t.Errorf("%s is left", path)
		}
	}
}
