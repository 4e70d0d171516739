package overrides

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/examples"
	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
	"talebinder/project/document"
	"talebinder/project/scene"
)

// sample gives a workspace of a copy of the sample game.
func sample(t testing.TB) *Workspace {
	t.Helper()
	folder, err := examples.Extract(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return openWorkspace(t, filepath.Join(folder, "assets"))
}

func table(t testing.TB, w *Workspace, f Filter) *Table {
	t.Helper()
	found, err := w.Overrides(t.Context(), f, nil)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func describe(r Row) string {
	return fmt.Sprintf("%s %s %s %s %s %s: %s -> %s", r.File, strings.Join(r.InstancePath, "/"), r.Kind, r.EntityName, r.Component, r.Path,
		jsondoc.Compact(r.PrefabValue, jsondoc.Relaxed), jsondoc.Compact(r.InstanceValue, jsondoc.Relaxed)) + " " + r.Class.String()
}

// saveAndDiff saves and gives the lines that git shows as removed and added.
func saveAndDiff(t *testing.T, w *Workspace, file string) (lines []string) {
	t.Helper()
	before, err := os.ReadFile(filepath.Join(w.Files().Folder(), filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(t.TempDir(), "before")
	if err := errors.Join(os.WriteFile(old, before, 0o666), w.Files().Save()); err != nil {
		t.Fatal(err)
	}
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not here")
	}
	out, _ := exec.Command(git, "diff", "--no-index", "--unified=0", old, filepath.Join(w.Files().Folder(), filepath.FromSlash(file))).Output()
	for line := range strings.Lines(string(out)) {
		if (strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-")) && !strings.HasPrefix(line, "+++") && !strings.HasPrefix(line, "---") {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

func TestChangingAnOverrideIsADiffOfOneLine(t *testing.T) {
	w := sample(t)
	rows := table(t, w, Filter{Kinds: []Kind{Value}}).Rows
	changed := 0
	for _, r := range rows {
		d, err := w.Document(r.File)
		if err != nil {
			t.Fatal(err)
		}
		if r.Index != len(d.Entity(r.Instance).Link.Overrides)-1 || r.InstanceValue.Kind() != jsondoc.Number {
			continue // another one goes to the end of the list
		}
		c, err := w.Set(t.Context(), r.Target(), []byte("12345"))
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Files) == 0 {
			t.Fatalf("%s: no change", describe(r))
		}
		do(t, w, c)
		lines := saveAndDiff(t, w, r.File)
		if len(lines) != 2 || !strings.Contains(lines[1], `"value": 12345`) {
			t.Errorf("%s: the difference is\n%s", describe(r), strings.Join(lines, "\n"))
		}
		changed++
	}
	if changed == 0 {
		t.Fatal("the sample game has no such override")
	}
	t.Logf("%d overrides changed, of %d", changed, len(rows))
}

// The scene of another game, written by the engine: a value is added, changed, and taken back.
func TestEditsOfAnEngineScene(t *testing.T) {
	source := "../../../../shared/samples/LanternGrove/assets"
	if _, err := os.Stat(source); err != nil {
		t.Skip("the sample is not here")
	}
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	w := openWorkspace(t, root)
	const file = "scenes/grove.tscene"
	original := current(t, w, file)
	d, err := w.Document(file)
	if err != nil {
		t.Fatal(err)
	}
	var target Target
	for i := range d.Entities {
		if e := &d.Entities[i]; e.Name == "Lantern 2" {
			target = Target{File: file, Instance: e.ID, Component: "Light2D", Path: "color"}
		}
	}
	set := func(value string) []string {
		c, err := w.Set(t.Context(), target, []byte(value))
		if err != nil {
			t.Fatal(err)
		}
		do(t, w, c)
		if got := current(t, w, file); got != canonical(t, scene.Scene, []byte(got)) {
			t.Error("the scene has left the engine's layout")
		}
		return saveAndDiff(t, w, file)
	}
	if lines := set(`"#FF0000"`); len(lines) != 9 {
		t.Errorf("a new override:\n%s", strings.Join(lines, "\n"))
	}
	want := []string{`-            "value": "#FF0000"`, `+            "value": "#00FF00"`}
	if diff := cmp.Diff(want, set(`"#00FF00"`)); diff != "" {
		t.Error(diff)
	}
	if lines := set(`"#FFB25A"`); len(lines) == 0 || current(t, w, file) != original {
		t.Errorf("the prefab's value leaves a difference:\n%s", strings.Join(lines, "\n"))
	}
	// Every instance gets an override of its own and is reverted: the file is as before, byte for byte.
	for i := range d.Entities {
		if e := &d.Entities[i]; e.Link != nil {
			c, err := w.Set(t.Context(), Target{File: file, Instance: e.ID, Component: "Light2D", Path: "intensity"}, []byte("9.5"))
			if err != nil {
				t.Fatal(err)
			}
			do(t, w, c)
		}
	}
	rows := table(t, w, Filter{}).Rows
	if len(rows) == 0 {
		t.Fatal("no overrides")
	}
	var targets []Target
	for _, r := range rows {
		targets = append(targets, r.Target())
	}
	c, err := w.Revert(t.Context(), targets...)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Values) != len(rows) || len(c.Instances) != len(rows) {
		t.Errorf("the preview lists %d values of %d instances, want %d", len(c.Values), len(c.Instances), len(rows))
	}
	do(t, w, c)
	if current(t, w, file) != original {
		t.Error("reverting everything does not give the same bytes")
	}
}

const (
	bottle  = "prefabs/bottle.tprefab"
	buoy    = "prefabs/buoy.tprefab"
	mooring = "prefabs/mooring.tprefab"
	reef    = "scenes/reef.tscene"
)

func TestOverridesOfTheSampleGame(t *testing.T) {
	w := sample(t)
	found := table(t, w, Filter{})
	if len(found.Problems) > 0 {
		t.Errorf("problems: %v", found.Problems)
	}
	got := map[Class]int{}
	for _, r := range found.Rows {
		got[r.Class]++
		if len(r.Chain) == 0 || r.Chain[0].Path == "" || r.Line == 0 {
			t.Errorf("%s: chain %v, line %d", describe(r), r.Chain, r.Line)
		}
		if text := current(t, w, r.File); r.Kind == Value {
			line := strings.Split(text, "\n")[r.Line-1]
			if strings.TrimSpace(line) != "{" || len(line) != r.Column {
				t.Errorf("%s: %d,%d is not where the override begins: %q", describe(r), r.Line, r.Column, line)
			}
		}
	}
	if got[Effective] == 0 || got[Redundant] == 0 {
		t.Errorf("expected effective and redundant overrides: %v", got)
	}
	again := table(t, w, Filter{})
	for i := range again.Rows {
		if describe(again.Rows[i]) != describe(found.Rows[i]) {
			t.Fatal("another order the second time")
		}
	}
}

// Applying to the prefab changes other instances that do not override the value, and none that do.
func TestApplyShowsWhatOtherInstancesSee(t *testing.T) {
	w := sample(t)
	rows := table(t, w, Filter{Files: []string{reef}}).Rows
	at := -1
	for i, r := range rows {
		if r.Component == "Light2D" && r.Path == "radius" {
			at = i
		}
	}
	if at < 0 {
		t.Fatal("the sample game has no such override")
	}
	r := rows[at]
	c, err := w.Apply(t.Context(), r.Target())
	if err != nil {
		t.Fatal(err)
	}
	written, seen := 0, map[string]int{}
	for _, v := range c.Values {
		switch v.What {
		case Seen:
			seen[v.File]++
			if v.Component != r.Component || v.Path != r.Path || !scene.Equal(v.New, r.InstanceValue) || !scene.Equal(v.Old, r.PrefabValue) {
				t.Errorf("seen: %+v", v)
			}
		default:
			written++
		}
	}
	if written != 2 || len(c.Files) != 2 || c.Files[0].Name != r.Chain[len(r.Chain)-1].Path {
		t.Errorf("%d values written in %d files, want the prefab's and the override's: %+v", written, len(c.Files), c.Values)
	}
	if len(seen) == 0 {
		t.Error("no other instance sees the new value")
	}
	before := effective(t, w)
	do(t, w, c)
	after := effective(t, w)
	differ := map[string]int{}
	for key, value := range after {
		if before[key] != value {
			differ[strings.SplitN(key, " ", 2)[0]]++
		}
	}
	if diff := cmp.Diff(differ, seen); diff != "" {
		t.Errorf("what differs after, and what the preview said:\n%s", diff)
	}
	if lines := saveAndDiff(t, w, c.Files[0].Name); len(lines) != 2 {
		t.Logf("difference: %q", lines)
	}
}

// effective gives all values of all expanded documents, but not those of the prefabs' own entities.
func effective(t testing.TB, w *Workspace) map[string]string {
	t.Helper()
	values := map[string]string{}
	for _, file := range w.Documents() {
		d, err := w.Document(file)
		if err != nil {
			t.Fatal(err)
		}
		x, err := w.Expander().Expand(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		for i := range x.Nodes {
			n := &x.Nodes[i]
			for c := range n.Components {
				if n.Instance == nil {
					continue
				}
				for name := range n.Components[c].Data.Members() {
					values[fmt.Sprintf("%s %s %s %s", file, n.ID, n.Components[c].Type, name)] = jsondoc.Compact(n.Components[c].Data.Get(name), jsondoc.Relaxed)
				}
			}
		}
	}
	return values
}

// Whatever is redundant has no effect: clearing it leaves everything that the game sees as it is.
func TestClearRedundantLeavesTheGameAsItIs(t *testing.T) {
	w := sample(t)
	before := effective(t, w)
	c, err := w.Clear(t.Context(), Filter{Classes: []Class{Redundant, Hidden}})
	if err != nil {
		t.Fatal(err)
	}
	if c.Empty() {
		t.Fatal("the sample game has nothing redundant")
	}
	do(t, w, c)
	if diff := cmp.Diff(before, effective(t, w)); diff != "" {
		t.Error(diff)
	}
	if left := table(t, w, Filter{Classes: []Class{Redundant, Hidden}}).Rows; len(left) > 0 {
		t.Errorf("left: %s", describe(left[0]))
	}
}

func TestRemoveAndRestoreComponent(t *testing.T) {
	w := sample(t)
	rows := table(t, w, Filter{Files: []string{reef}, Kinds: []Kind{Removed}}).Rows
	if len(rows) == 0 {
		t.Fatal("the sample game removes no component")
	}
	original := current(t, w, reef)
	c, err := w.RestoreComponent(t.Context(), rows[0].Target())
	if err != nil || len(c.Values) != 1 || c.Values[0].What != ComponentRestored {
		t.Fatalf("restore: %+v, %v", c, err)
	}
	do(t, w, c)
	if c, err = w.RemoveComponent(t.Context(), rows[0].Target()); err != nil || len(c.Values) != 1 || c.Values[0].What != ComponentRemoved {
		t.Fatalf("remove: %+v, %v", c, err)
	}
	do(t, w, c)
	if current(t, w, reef) != original {
		t.Error("removing again does not give the same bytes")
	}
	if c, err = w.RemoveComponent(t.Context(), rows[0].Target()); err != nil || !c.Empty() {
		t.Errorf("removed twice: %+v, %v", c, err)
	}
}

func TestCreatePrefabAndInstantiate(t *testing.T) {
	w := sample(t)
	next := byte(0)
	w.newGuid = func() guid.Guid { next++; return guid.Guid{0: 0xAB, 15: next} }
	const file = "scenes/harbour.tscene"
	d, err := w.Document(file)
	if err != nil {
		t.Fatal(err)
	}
	var parent *scene.Entity
	for i := range d.Entities {
		if e := d.Entity(d.Entities[i].Parent); d.Entities[i].HasParent && e != nil && e.Link == nil {
			parent = e
		}
	}
	if parent == nil {
		parent = &d.Entities[0]
	}
	original, count := current(t, w, file), len(d.Entities)
	c, err := w.CreatePrefab(t.Context(), file, parent.ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Files) != 3 || c.Files[2].Name != file || c.Files[0].Before != nil {
		t.Fatalf("files: %v", c.Files)
	}
	do(t, w, c)
	made := c.Files[0].Name
	if got := current(t, w, made); got != canonical(t, scene.Prefab, []byte(got)) {
		t.Error("the prefab is not as the engine writes it")
	}
	p, err := w.Document(made)
	if err != nil {
		t.Fatal(err)
	}
	if root := p.Root(); root == nil || root.ID != parent.ID || !scene.Equal(root.Component(transform).Data.Get("position"), parse(t, "[0, 0]")) {
		t.Errorf("root: %+v", p.Root())
	}
	now, err := w.Document(file)
	if err != nil {
		t.Fatal(err)
	}
	if e := now.Entity(parent.ID); e.Link == nil || e.Link.Asset != c.Created || len(e.Components) != 1 || e.Components[0].Type != transform {
		t.Errorf("the entity is %+v", e)
	}
	if len(now.Entities)+len(p.Entities) != count+1 {
		t.Errorf("%d entities in the scene and %d in the prefab, want %d together", len(now.Entities), len(p.Entities), count+1)
	}
	if got := current(t, w, file); got != canonical(t, scene.Scene, []byte(got)) {
		t.Error("the scene has left the engine's layout")
	}
	// The new prefab is known before it is saved and scanned.
	placed, err := w.Instantiate(t.Context(), Placement{File: "scenes/lagoon.tscene", Asset: c.Created, Position: scene.Vector{X: 1.5, Y: -2}})
	if err != nil {
		t.Fatal(err)
	}
	do(t, w, placed)
	other, err := w.Document("scenes/lagoon.tscene")
	if err != nil {
		t.Fatal(err)
	}
	if e := other.Entity(placed.Created); e == nil || e.Name != p.Root().Name || e.HasParent || !scene.Equal(e.Components[0].Data.Get("position"), parse(t, "[1.5, -2]")) {
		t.Errorf("placed: %+v", e)
	}
	if got := current(t, w, "scenes/lagoon.tscene"); got != canonical(t, scene.Scene, []byte(got)) {
		t.Error("the other scene has left the engine's layout")
	}
	if _, err := w.Instantiate(t.Context(), Placement{File: made, Asset: c.Created}); err == nil || !strings.Contains(err.Error(), "in itself") {
		t.Errorf("in itself: got %v", err)
	}
	if err := w.Files().Save(); err != nil {
		t.Fatal(err)
	}
	w.Files().Undo()
	w.Files().Undo()
	if err := w.Files().Save(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(w.Files().Folder(), filepath.FromSlash(made))); !errors.Is(err, fs.ErrNotExist) || current(t, w, file) != original {
		t.Errorf("after undo and save the prefab is still there: %v", err)
	}
}

func TestCreatePrefabNames(t *testing.T) {
	for name, want := range map[string]string{
		"Lantern": "Lantern", "a/b:c": "a_b_c", "": "Prefab", "  ": "Prefab", "dots...": "dots", "tab\tname": "tab_name", "Bühne": "Bühne", "..": "Prefab",
	} {
		if got := prefabName(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	w := sample(t)
	if got, err := w.freeName("BUOY"); err != nil || got != "prefabs/BUOY 2.tprefab" {
		t.Errorf("got %q, %v", got, err)
	}
}

func parse(t testing.TB, text string) jsondoc.Value {
	t.Helper()
	doc, err := jsondoc.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc.Root()
}

func TestRefusals(t *testing.T) {
	w := sample(t)
	rows := table(t, w, Filter{Files: []string{reef}, Kinds: []Kind{Value}}).Rows
	good := rows[0].Target()
	with := func(change func(*Target)) Target {
		target := good
		change(&target)
		return target
	}
	set := func(target Target, value string) func() (*Change, error) {
		return func() (*Change, error) { return w.Set(t.Context(), target, []byte(value)) }
	}
	for _, test := range []struct {
		name string
		do   func() (*Change, error)
		want []string
	}{
		{"no such scene", set(with(func(x *Target) { x.File = "scenes/none.tscene" }), "1"), []string{"scenes/none.tscene", "no such file"}},
		{"no scene at all", set(with(func(x *Target) { x.File = "config/game.json" }), "1"), []string{"config/game.json", ".tscene"}},
		{"outside the project", set(with(func(x *Target) { x.File = "../x.tscene" }), "1"), []string{"leaves"}},
		{"no such instance", set(with(func(x *Target) { x.Instance = guid.FromPath("x") }), "1"), []string{reef, guid.FromPath("x").String()}},
		{"no such member", set(with(func(x *Target) { x.Entity = guid.FromPath("x") }), "1"), []string{reef, "no entity with the id"}},
		{"no JSON", set(good, "{"), []string{"not JSON", "line 1"}},
		{"a value without component", set(with(func(x *Target) { x.Component = "" }), "1"), []string{"component"}},
		{"a component that is no object", set(with(func(x *Target) { x.Path = "" }), "[1]"), []string{"expected an object", "a list"}},
		{"a path through a number", set(with(func(x *Target) { x.Path = "intensity.x.y" }), "1"), []string{reef + "(", "cannot be set"}},
		{"an index out of range", set(with(func(x *Target) { x.Component, x.Path = transform, "position.7" }), "1"), []string{reef + "(", `"7" cannot be set in a list`}},
		{"an index that is none", set(with(func(x *Target) { x.Component, x.Path = transform, "position.x" }), "1"), []string{`"x" cannot be set in a list`}},
		{"revert of no instance", func() (*Change, error) {
			return w.Revert(t.Context(), Target{File: bottle, Instance: parseGuid(t, "cacd83468fab4c6c9019ddcd7a997db3")})
		}, []string{bottle, "no instance of a prefab"}},
		{"apply of no instance", func() (*Change, error) {
			return w.Apply(t.Context(), Target{File: bottle, Instance: parseGuid(t, "cacd83468fab4c6c9019ddcd7a997db3")})
		}, []string{bottle, "no instance of a prefab"}},
		{"removing what is not there", func() (*Change, error) {
			return w.RemoveComponent(t.Context(), with(func(x *Target) { x.Component, x.Path = "Nothing", "" }))
		}, []string{"no component Nothing"}},
		{"placing what is no prefab", func() (*Change, error) {
			return w.Instantiate(t.Context(), Placement{File: reef, Asset: guid.FromPath("x")})
		}, []string{"no prefab"}},
		{"placing below what is not there", func() (*Change, error) {
			return w.Instantiate(t.Context(), Placement{File: reef, Asset: rows[0].Chain[0].Asset, Parent: guid.FromPath("x")})
		}, []string{reef, "no entity"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := test.do()
			if err == nil {
				t.Fatalf("got %+v, want an error", c)
			}
			for _, part := range test.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("got %q, want it to say %q", err, part)
				}
			}
		})
	}
	if w.Files().Dirty() {
		t.Error("a refused edit has changed something")
	}
}

func TestDoRefusesAChangeOfAnOldText(t *testing.T) {
	w := sample(t)
	r := table(t, w, Filter{Files: []string{reef}, Kinds: []Kind{Value}}).Rows[0]
	c, err := w.Revert(t.Context(), r.Target())
	if err != nil {
		t.Fatal(err)
	}
	do(t, w, c)
	var stale *document.StaleError
	if err := w.Do(c, ""); !errors.As(err, &stale) {
		t.Errorf("got %v", err)
	}
	if _, err := w.ClearRows(t.Context(), []Row{r}); err == nil {
		t.Error("a row that is gone was cleared")
	}
}
