package overrides

import (
	"os"
	"path/filepath"
	"testing"

	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
	"talebinder/project/scene"
)

// goldenFolder holds the cases that this package has to agree with, outside of the repository.
const goldenFolder = "../../../../shared/golden/talesmith"

func TestGoldenEdits(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(goldenFolder, "edits.json"))
	if err != nil {
		t.Skip("no golden files here: ", err)
	}
	listing, err := jsondoc.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	paths := map[guid.Guid]string{}
	for asset, prefab := range listing.Root().Get("prefabs").Members() {
		path := "prefabs/" + word(t, prefab.Get("name")) + ".tprefab"
		files[path] = canonical(t, scene.Prefab, prefab.Get("document").Raw())
		files[path+".meta"] = metaText(asset)
		paths[parseGuid(t, asset)] = path
	}
	count := 0
	for item := range listing.Root().Get("cases").Items() {
		count++
		t.Run(word(t, item.Get("name")), func(t *testing.T) {
			files["scenes/level.tscene"] = oneEntity(t, item.Get("instance"))
			files["scenes/level.tscene.meta"] = metaText("0123456789abcdef0123456789abcdef")
			w := workspace(t, files)
			id := parseGuid(t, word(t, item.Get("instance").Get("id")))
			operation, result := item.Get("operation"), item.Get("result")
			target := Target{File: "scenes/level.tscene", Instance: id}
			if entity := operation.Get("entity"); entity.Exists() {
				target.Entity = parseGuid(t, word(t, entity))
				target.Component = word(t, operation.Get("component"))
				if path := operation.Get("path"); path.Exists() {
					target.Path = word(t, path)
				}
			}
			var c *Change
			var err error
			switch do := word(t, operation.Get("do")); do {
			case "set":
				c, err = w.Set(t.Context(), target, operation.Get("value").Raw())
			case "revert", "revertAll":
				c, err = w.Revert(t.Context(), target)
			case "remove":
				c, err = w.RemoveComponent(t.Context(), target)
			case "apply":
				c, err = w.Apply(t.Context(), target)
			default:
				t.Fatalf("unknown operation %q", do)
			}
			if err != nil {
				t.Fatal(err)
			}
			do(t, w, c)
			if got, want := current(t, w, "scenes/level.tscene"), oneEntity(t, result.Get("instance")); got != want {
				t.Errorf("the scene:\n%s\nwant:\n%s", got, want)
			}
			if overridden := result.Get("overriddenAfter"); overridden.Exists() {
				want, err := overridden.Bool()
				if err != nil {
					t.Fatal(err)
				}
				if got, err := w.Overridden(t.Context(), target); got != want || err != nil {
					t.Errorf("overridden: got %v, %v, want %v", got, err, want)
				}
			}
			if prefab := result.Get("prefabDocument"); prefab.Exists() {
				asset := parseGuid(t, word(t, item.Get("instance").Get("prefab").Get("asset")))
				if got, want := current(t, w, paths[asset]), word(t, prefab); got != want {
					t.Errorf("the prefab:\n%s\nwant:\n%s", got, want)
				}
			}
			for w.Files().Undo() {
			}
			for path, text := range files {
				if got := current(t, w, path); got != text {
					t.Errorf("%s after undo:\n%s\nwant:\n%s", path, got, text)
				}
			}
		})
	}
	t.Logf("%d cases", count)
	if count == 0 {
		t.Error("no cases")
	}
}

// oneEntity gives a scene with one entity as the engine writes it.
func oneEntity(t *testing.T, entity jsondoc.Value) string {
	t.Helper()
	return canonical(t, scene.Scene, []byte(`{"id": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "entities": [`+string(entity.Raw())+`]}`))
}
