package overrides

import (
	"os"
	"path/filepath"
	"testing"

	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
	"talebinder/project/assets"
	"talebinder/project/document"
	"talebinder/project/scene"
)

// workspace makes a project of asset paths and texts.
func workspace(t testing.TB, files map[string]string) *Workspace {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return openWorkspace(t, root)
}

func openWorkspace(t testing.TB, root string) *Workspace {
	t.Helper()
	db, err := assets.Scan(t.Context(), root, assets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return NewWorkspace(db, document.NewGroup(root))
}

func metaText(id string) string { return `{ "version": 1, "guid": "` + id + `" }` }

func parseGuid(t testing.TB, text string) guid.Guid {
	t.Helper()
	id, err := guid.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func word(t testing.TB, v jsondoc.Value) string {
	t.Helper()
	text, err := v.Text()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func canonical(t testing.TB, kind scene.Kind, text []byte) string {
	t.Helper()
	d, err := scene.Parse(kind, "test", text)
	if err != nil {
		t.Fatal(err)
	}
	written, err := d.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	return string(written)
}

func current(t testing.TB, w *Workspace, file string) string {
	t.Helper()
	text, err := w.Files().Text(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func do(t testing.TB, w *Workspace, c *Change) {
	t.Helper()
	if err := w.Do(c, ""); err != nil {
		t.Fatal(err)
	}
}
