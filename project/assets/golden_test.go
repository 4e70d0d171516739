package assets_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/project/assets"
	"talebinder/project/problem"
)

// shared gives a path in the material beside the project, and skips the test where that is missing.
func shared(t *testing.T, path ...string) string {
	t.Helper()
	file := filepath.Join(append([]string{"..", "..", "..", "shared"}, path...)...)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		t.Skip("no golden files beside the project")
	}
	return file
}

// golden reads a listing of golden cases.
func golden(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(shared(t, "golden", "talesmith", name))
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// tree writes files below a new folder and gives that folder. A path that ends in "/" is a folder.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for path, text := range files {
		file := filepath.Join(root, filepath.FromSlash(path))
		folder, isFolder := filepath.Dir(file), strings.HasSuffix(path, "/")
		if isFolder {
			folder = file
		}
		err := os.MkdirAll(folder, 0o755)
		if err == nil && !isFolder {
			err = os.WriteFile(file, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func scan(t testing.TB, root string) *assets.Database {
	t.Helper()
	db, err := assets.Scan(context.Background(), root, assets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func paths(list []*assets.Asset) []string {
	all := make([]string, 0, len(list))
	for _, a := range list {
		all = append(all, a.Path)
	}
	return all
}

func TestGoldenMeta(t *testing.T) {
	var list struct {
		Cases []struct{ Text, Outcome, Written string }
	}
	golden(t, "meta.json", &list)
	for _, c := range list.Cases {
		m, err := assets.ParseMeta([]byte(c.Text))
		if c.Outcome == "error" {
			if err == nil {
				t.Errorf("%s: accepted", c.Text)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.Text, err)
			continue
		}
		if got := string(m.Text()); got != c.Written {
			t.Errorf("%s: wrote %s, want %s", c.Text, got, c.Written)
		}
	}
	t.Logf("%d cases", len(list.Cases))
}

func TestGoldenReferences(t *testing.T) {
	var list struct {
		Cases []struct {
			Path, Text string
			References []struct{ Guid, Path string }
		}
	}
	golden(t, "references.json", &list)
	for _, c := range list.Cases {
		var want, got []string
		for _, r := range c.References {
			want = append(want, r.Guid+r.Path)
		}
		for _, r := range assets.References(c.Path, []byte(c.Text)) {
			got = append(got, r.String())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", c.Path, got, want)
		}
	}
	t.Logf("%d cases", len(list.Cases))
}

func TestGoldenMaps(t *testing.T) {
	var list struct {
		Cases []struct {
			File, AssetPath string
			References      []string
		}
	}
	golden(t, "maps.json", &list)
	for _, c := range list.Cases {
		data, err := os.ReadFile(shared(t, "golden", "talesmith", filepath.FromSlash(c.File)))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range assets.References(c.AssetPath, data) {
			got = append(got, r.Path)
		}
		if !slices.Equal(got, c.References) {
			t.Errorf("%s: got %q, want %q", c.File, got, c.References)
		}
	}
	t.Logf("%d cases", len(list.Cases))
}

func TestGoldenLiteralPaths(t *testing.T) {
	var list struct {
		Records map[string]bool
		Cases   []struct{ Literals, Assets []string }
	}
	golden(t, "literal_paths.json", &list)
	files := make(map[string]string)
	for path, folder := range list.Records {
		if folder {
			path += "/"
		}
		files[path] = ""
	}
	db := scan(t, tree(t, files))
	for _, c := range list.Cases {
		if got := paths(db.AssetsNamed(c.Literals)); !slices.Equal(got, c.Assets) {
			t.Errorf("%q: got %q, want %q", c.Literals, got, c.Assets)
		}
	}
	t.Logf("%d cases", len(list.Cases))
}

// state lists every file below a folder with its time and content.
func state(t *testing.T, root string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := ""
		if d.Type().IsRegular() {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text = string(b)
		}
		all[path] = info.ModTime().String() + text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestLanternGrove(t *testing.T) {
	root := shared(t, "samples", "LanternGrove", "assets")
	before := state(t, root)
	db := scan(t, root)
	if problems := db.Problems(); len(problems) != 0 {
		t.Errorf("problems: %v", problems)
	}
	if repairs := db.Repairs(); len(repairs) != 0 {
		t.Errorf("repairs: %v", repairs)
	}
	if diff := cmp.Diff(before, state(t, root)); diff != "" {
		t.Errorf("the project has changed: %s", diff)
	}
	scene := db.ByPath("scenes/grove.tscene")
	if scene == nil || scene.Meta.Importer != "scenedocument" || scene.Kind.Name != "Scene" {
		t.Fatalf("the scene is %+v", scene)
	}
	if targets := paths(db.Targets(scene)); !slices.Contains(targets, "prefabs/lantern.tprefab") || !slices.Contains(targets, "maps/grove.hexy") {
		t.Errorf("the scene refers to %q", targets)
	}
	if users := paths(db.Users(db.ByPath("prefabs/lantern.tprefab"))); !slices.Equal(users, []string{"scenes/grove.tscene"}) {
		t.Errorf("the lantern is used by %q", users)
	}
	// Every meta of the sample was written by the engine and comes out the same.
	n := 0
	for _, a := range db.All() {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(a.Path)+".meta"))
		if err != nil || string(text) != string(a.Meta.Text()) {
			t.Errorf("%s.meta: %v, wrote %s", a.Path, err, a.Meta.Text())
		}
		n++
	}
	t.Logf("%d assets", n)
}

// A copy that lacks its metas gets the same kinds and importers, and guids that depend on nothing but the paths.
func TestLanternGroveWithoutMetas(t *testing.T) {
	root := shared(t, "samples", "LanternGrove", "assets")
	bare := t.TempDir()
	if err := os.CopyFS(bare, os.DirFS(root)); err != nil {
		t.Fatal(err)
	}
	real := scan(t, root)
	for _, a := range real.All() {
		if err := os.Remove(filepath.Join(bare, filepath.FromSlash(a.Path)+".meta")); err != nil {
			t.Fatal(err)
		}
	}
	db := scan(t, bare)
	again := scan(t, bare)
	if db.Len() != real.Len() {
		t.Fatalf("%d assets, want %d", db.Len(), real.Len())
	}
	for i, a := range db.All() {
		want := real.All()[i]
		if a.Path != want.Path || a.Kind.ID != want.Kind.ID || a.Meta.Importer != want.Meta.Importer || a.Meta.ImporterVersion != want.Meta.ImporterVersion {
			t.Errorf("got %+v, want %+v", a, want)
		}
		if a.MetaState != assets.MetaAbsent || a.Meta.Guid != again.All()[i].Meta.Guid || a.Meta.Guid.IsZero() {
			t.Errorf("%s: state %v, guid %s and %s", a.Path, a.MetaState, a.Meta.Guid, again.All()[i].Meta.Guid)
		}
	}
	counts := make(map[string]int)
	for _, p := range db.Problems() {
		counts[p.Code]++
		if p.Code == "meta-missing" && (p.Level != problem.Info || p.Repair == "") {
			t.Errorf("problem %+v", p)
		}
	}
	if counts["meta-missing"] != db.Len() || counts["reference-missing"] == 0 {
		t.Errorf("problems: %v", counts)
	}
}
