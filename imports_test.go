package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// floors lists the house from the cellar up: a package may import packages of its own floor and of those below it.
// gui and cli stand side by side on the same floor and do not import each other.
var floors = map[string]int{"formats": 0, "examples": 1, "platforms": 1, "project": 1, "export": 2, "cli": 3, "gui": 3}

// inside names, by import path prefix, the modules that only one place may use.
var inside = map[string]string{
	"fyne.io/":               "gui",
	"github.com/spf13/cobra": "cli",
	"fyne.io/fyne/v2/app":    "gui/start",
}

type importFault struct{ file, imported, why string }

// importFaults reads the imports of every Go file below fsys and returns those that break the order of the house.
func importFaults(t *testing.T, fsys fs.FS) []importFault {
	t.Helper()
	var faults []importFault
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name != "." && strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			return err
		}
		dir := path.Dir(name)
		top, _, _ := strings.Cut(dir, "/")
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			for prefix, home := range inside {
				if strings.HasPrefix(imported, prefix) && dir != home && !strings.HasPrefix(dir, home+"/") {
					faults = append(faults, importFault{name, imported, "belongs to " + home})
				}
			}
			ours, ok := strings.CutPrefix(imported, "talebinder/")
			if !ok || dir == "." {
				continue
			}
			below, _, _ := strings.Cut(ours, "/")
			mine, known := floors[top]
			theirs, knownToo := floors[below]
			switch {
			case !known || !knownToo:
				faults = append(faults, importFault{name, imported, "a folder that has no floor"})
			case theirs > mine, theirs == mine && below != top && !(top == "project" && (below == "platforms" || below == "examples")):
				faults = append(faults, importFault{name, imported, top + " may not import " + below})
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return faults
}

func TestImportsRunOneWay(t *testing.T) {
	root, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range importFaults(t, os.DirFS(root)) {
		t.Errorf("%s imports %s: %s", fault.file, fault.imported, fault.why)
	}
}

func TestImportFaultsAreNoticed(t *testing.T) {
	tree := fstest.MapFS{}
	for name, text := range map[string]string{
		"formats/tspack/a.go": `package tspack; import "talebinder/project"`,
		"export/b.go":         `package export; import "talebinder/gui/widgets"`,
		"gui/c.go":            `package gui; import "talebinder/cli"`,
		"cli/d.go":            `package cli; import "fyne.io/fyne/v2/widget"`,
		"gui/hub/e.go":        `package hub; import "fyne.io/fyne/v2/app"`,
		"gui/start/f.go":      `package start; import "fyne.io/fyne/v2/app"`,
		"export/g.go":         `package export; import "talebinder/project/assets"`,
		"extra/h.go":          `package extra; import "talebinder/formats/tspack"`,
	} {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	got := map[string]bool{}
	for _, fault := range importFaults(t, tree) {
		got[fault.file] = true
	}
	want := []string{"formats/tspack/a.go", "export/b.go", "gui/c.go", "cli/d.go", "gui/hub/e.go", "extra/h.go"}
	for _, file := range want {
		if !got[file] {
			t.Errorf("the import in %s passed", file)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files were refused, expected %d: %v", len(got), len(want), got)
	}
}
