package overrides

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/formats/guid"
	"talebinder/project/assets"
	"talebinder/project/document"
	"talebinder/project/scene"
)

// step makes one edit that the numbers choose, whatever it is about, and says whether there was something to do.
func step(ctx context.Context, w *Workspace, choose func(n int) int, path, value string) (bool, error) {
	t, err := w.Overrides(ctx, Filter{}, nil)
	if err != nil {
		return false, err
	}
	var targets []Target
	for _, r := range t.Rows {
		targets = append(targets, r.Target())
	}
	for _, file := range w.Documents() {
		d, err := w.Document(file)
		if err != nil {
			continue
		}
		for i := range d.Entities {
			e := &d.Entities[i]
			target := Target{File: file, Instance: e.ID}
			targets = append(targets, target)
			if len(e.Components) > 0 {
				target.Component = e.Components[choose(len(e.Components))].Type
				targets = append(targets, target)
			}
			if e.Link == nil {
				continue
			}
			x, err := w.Expander().Prefab(ctx, e.Link.Asset)
			if err != nil || x == nil || len(x.Nodes) == 0 {
				continue
			}
			n := &x.Nodes[choose(len(x.Nodes))]
			target.Entity = n.ID
			if len(n.Components) > 0 {
				target.Component = n.Components[choose(len(n.Components))].Type
			}
			targets = append(targets, target)
		}
	}
	if len(targets) == 0 {
		return false, nil
	}
	target := targets[choose(len(targets))]
	if choose(2) == 0 {
		target.Path = path
	}
	var c *Change
	switch choose(8) {
	case 0, 1, 2:
		if target.Component == "" {
			target.Component = transform
		}
		c, err = w.Set(ctx, target, []byte(value))
	case 3:
		c, err = w.Revert(ctx, target)
	case 4:
		c, err = w.Apply(ctx, target)
	case 5:
		c, err = w.RemoveComponent(ctx, target)
	case 6:
		c, err = w.CreatePrefab(ctx, target.File, target.Instance)
	default:
		c, err = w.Clear(ctx, Filter{})
	}
	if err != nil {
		return false, nil // refused: what a refusal leaves behind is looked at by the caller
	}
	return !c.Empty(), w.Do(c, "")
}

// texts gives every document as it is.
func texts(t testing.TB, w *Workspace) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, file := range w.Documents() {
		all[file] = current(t, w, file)
	}
	return all
}

// checkRoundTrip undoes everything and does it again.
func checkRoundTrip(t testing.TB, w *Workspace, before map[string]string) {
	t.Helper()
	after := texts(t, w)
	for w.Files().Undo() {
	}
	undone := texts(t, w)
	if len(undone) != len(before) {
		t.Errorf("%d documents after undo, want %d", len(undone), len(before))
	}
	for file, text := range before {
		if undone[file] != text {
			t.Errorf("%s after undo:\n%s\nwant:\n%s", file, undone[file], text)
		}
	}
	if w.Files().Dirty() {
		t.Error("dirty after undo")
	}
	for w.Files().Redo() {
	}
	for file, text := range texts(t, w) {
		if after[file] != text {
			t.Errorf("%s after redo:\n%s\nwant:\n%s", file, text, after[file])
		}
	}
}

// Whatever is done to canonical documents, they stay canonical, and undoing gives the same bytes.
func TestRandomEditsOfTheSampleGame(t *testing.T) {
	values := []string{"1", "12.50", "null", "true", `"#123456"`, "[1, 2]", "[1, 2, 3, 4, 5]", `["a"]`, "{}", "[]", `{"position": [3, 4], "deep": {"a": [1, {"b": null}]}}`}
	paths := []string{"position", "position.0", "position.2", "radius", "a.b.c", "scripts.0.fields.letters", "new.0.x", "tint", "values.0"}
	done := 0
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 11))
		w := sample(t)
		before := texts(t, w)
		for range 25 {
			changed, err := step(t.Context(), w, random.IntN, paths[random.IntN(len(paths))], values[random.IntN(len(values))])
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if changed {
				done++
			}
			for file, text := range texts(t, w) {
				kind, _ := scene.KindOf(file)
				if want := canonical(t, kind, []byte(text)); text != want {
					t.Fatalf("seed %d: %q left %s in another layout than the engine's:\n%s", seed, w.Files().UndoTitle(), file, cmp.Diff(want, text))
				}
			}
		}
		checkRoundTrip(t, w, before)
	}
	t.Logf("%d edits", done)
	if done < 100 {
		t.Errorf("only %d edits did something", done)
	}
}

func FuzzEdits(f *testing.F) {
	member := scene.Derive(parseGuid(f, postLamp), parseGuid(f, bulb)).String()
	instances := instanceOf(spot, "Spot", postAsset, []string{member + ` Light2D radius 5`, lampRoot + ` Sprite  1`}, []string{postRoot + " Transform"}, []string{`Tags {"values": [1, 2]}`})
	files := smallProject(f, instances)
	f.Add([]byte(files[level]), uint64(1), "radius", "7")
	f.Add([]byte(files[level]), uint64(2), "values.2", "[1, 2]")
	f.Add([]byte(`{"entities":[`+instances+`,/* two */{"id":"`+spot+`"},]}`), uint64(3), "a.b", `{"c": null}`)
	f.Add([]byte("\xef\xbb\xbf{\r\n\t\"entities\": [ {\"id\": \""+spot+"\", \"prefab\": {\"asset\": \""+lampAsset+"\", \"overrides\": null} } ] // end\r\n}"), uint64(4), "layer", "1e2")
	f.Add([]byte(`{"version": 0, "entities": [{"prefab": {}, "components": [{"type": "Transform"}]}]}`), uint64(5), "position.0", "1")
	root := f.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			f.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			f.Fatal(err)
		}
	}
	db, err := assets.Scan(context.Background(), root, assets.Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte, seed uint64, path, value string) {
		group := document.NewGroup(root)
		original, err := group.Text(level)
		if err != nil {
			t.Fatal(err)
		}
		if err := group.Apply("Fuzz", "", document.FileChange{Name: level, Before: original, After: text}); err != nil {
			t.Fatal(err)
		}
		w := NewWorkspace(db, group)
		made := byte(0)
		w.newGuid = func() guid.Guid { made++; return guid.Guid{0: 0xAB, 15: made} }
		random := rand.New(rand.NewPCG(seed, 13))
		_, readable := w.Document(level)
		for range 4 {
			before := texts(t, w)
			version := w.Files().Version()
			changed, err := step(t.Context(), w, random.IntN, path, value)
			if err != nil {
				t.Fatal(err)
			}
			if !changed && w.Files().Version() != version {
				t.Fatal("a refused edit has changed something")
			}
			for file, text := range before {
				if d, err := w.Document(file); err != nil && (file != level || readable == nil) {
					t.Fatalf("%s cannot be read after an edit: %v\n%s\nbefore:\n%s", file, err, current(t, w, file), text)
				} else if err == nil && d.JSON == nil {
					t.Fatal("no text")
				}
			}
		}
		for group.UndoTitle() != "Fuzz" && group.Undo() {
		}
		if got := current(t, w, level); got != string(text) {
			t.Fatalf("after undo:\n%q\nwant:\n%q", got, text)
		}
	})
}

// many makes a project of scenes with so many instances each, every third of which has overrides.
func many(b testing.TB, scenes, instances int) *Workspace {
	b.Helper()
	root := b.TempDir()
	files := smallProject(b, "")
	delete(files, level)
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(root, "scenes"), 0o777); err != nil {
		b.Fatal(err)
	}
	member := scene.Derive(parseGuid(b, postLamp), parseGuid(b, bulb)).String()
	for n := range scenes {
		var list []byte
		for i := range instances {
			if i > 0 {
				list = append(list, ',')
			}
			var overridden []string
			if i%3 == 0 {
				overridden = []string{member + fmt.Sprintf(` Light2D radius %d`, i), member + ` Light2D colors.0 "#FFFFFF"`, postRoot + ` Sprite tint "#FF0000"`}
			}
			list = append(list, instanceOf(fmt.Sprintf("c%07x%024x", n, i), fmt.Sprintf("Post %d", i), postAsset, overridden, nil, []string{`Transform {"position": [1, 2]}`})...)
		}
		text := canonical(b, scene.Scene, []byte(`{"id": "30000000000000000000000000000000", "entities": [`+string(list)+`]}`))
		if err := os.WriteFile(filepath.Join(root, "scenes", fmt.Sprintf("level%04d.tscene", n)), []byte(text), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	return openWorkspace(b, root)
}

func BenchmarkOverridesOf1000Scenes(b *testing.B) {
	w := many(b, 1000, 100)
	var size int64
	for _, file := range w.Documents() {
		size += int64(len(current(b, w, file)))
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		t := table(b, w, Filter{})
		if len(t.Rows) != 1000*34*3+1 {
			b.Fatalf("%d rows", len(t.Rows))
		}
	}
}

// One value of a scene of 60 MB.
func BenchmarkSetInALargeScene(b *testing.B) {
	w := many(b, 1, 100_000)
	const file = "scenes/level0000.tscene"
	text := current(b, w, file)
	target := Target{File: file, Instance: parseGuid(b, fmt.Sprintf("c%07x%024x", 0, 50_000)), Component: transform, Path: "position"}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n++
		c, err := w.Set(b.Context(), target, fmt.Appendf(nil, "[%d, 0]", n))
		if err != nil {
			b.Fatal(err)
		}
		do(b, w, c)
	}
}

// Applying a value that 1,000 scenes see.
func BenchmarkApplySeenBy1000Scenes(b *testing.B) {
	w := many(b, 1000, 20)
	rows := table(b, w, Filter{Files: []string{"scenes/level0500.tscene"}}).Rows
	b.ReportAllocs()
	for b.Loop() {
		c, err := w.Apply(b.Context(), rows[0].Target())
		if err != nil {
			b.Fatal(err)
		}
		if len(c.Values) < 1000 {
			b.Fatalf("%d values", len(c.Values))
		}
	}
}
