package scene

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"talebinder/formats"
	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
	"talebinder/project/assets"
)

func expandWith(t testing.TB, d *Document, p Prefabs, o Options) *Expansion {
	t.Helper()
	x, err := NewExpander(p, o).Expand(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// instanceOf gives an entity that is an instance, as text.
func instanceOf(id, asset guid.Guid, overrides, components string) string {
	return fmt.Sprintf(`{"id":"%s","prefab":{"asset":"%s","overrides":[%s]},"components":[%s]}`, id, asset, overrides, components)
}

func sceneOf(entities ...string) string { return `{"entities":[` + strings.Join(entities, ",") + `]}` }

func kinds(warnings []Warning) string {
	words := make([]string, len(warnings))
	for i := range warnings {
		words[i] = warnings[i].Kind.String()
	}
	return strings.Join(words, " ")
}

func TestCyclesAreCutWhereTheyClose(t *testing.T) {
	p, q := someID(1), someID(2)
	prefabs := Prefabs{
		p: parse(t, "p.tprefab", sceneOf(`{"id":"`+idA+`"}`, instanceOf(someID(3), q, "", ""))),
		q: parse(t, "q.tprefab", sceneOf(`{"id":"`+idB+`"}`, instanceOf(someID(4), p, "", ""))),
	}
	d := parse(t, "a.tscene", sceneOf(instanceOf(someID(5), p, "", ""), instanceOf(someID(6), q, "", "")))
	expander := NewExpander(prefabs, Options{})
	for range 2 { // what was cut in one prefab must not be taken for the whole of it
		x, err := expander.Expand(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		if len(x.Nodes) != 6 || kinds(x.Warnings) != "prefabCycle prefabCycle" || x.Warnings[0].Asset != p || x.Warnings[1].Asset != q {
			t.Errorf("got %d nodes, %s", len(x.Nodes), kinds(x.Warnings))
		}
		if file, line, column := x.Warnings[0].Place(); file != "q.tprefab" || line != 1 || column < 50 {
			t.Errorf("the first is at %s, %d, %d", file, line, column)
		}
	}
	// A prefab that is expanded by itself is inside of itself, too.
	x, err := expander.Prefab(t.Context(), p)
	if err != nil || kinds(x.Warnings) != "prefabCycle" {
		t.Errorf("got %v, %v", x, err)
	}
}

func TestAThousandPrefabsInEachOther(t *testing.T) {
	prefabs := Prefabs{}
	const levels = 1000
	for i := range levels {
		inner := `{"id":"` + idB + `"}`
		if i > 0 {
			inner = instanceOf(id(t, idB), someID(i-1), "", "")
		}
		prefabs[someID(i)] = parse(t, "p.tprefab", sceneOf(`{"id":"`+idA+`"}`, inner))
	}
	x := expandWith(t, parse(t, "a.tscene", sceneOf(instanceOf(someID(-1), someID(levels-1), "", ""))), prefabs, Options{})
	if len(x.Nodes) != levels+1 || len(x.Warnings) > 0 {
		t.Fatalf("got %d nodes, %s", len(x.Nodes), kinds(x.Warnings))
	}
	if got := len(x.Nodes[levels].Instances()); got != levels {
		t.Errorf("the innermost came through %d instances", got)
	}
}

func TestBombsAreRefused(t *testing.T) {
	prefabs := Prefabs{}
	for i := range 40 {
		text := sceneOf(`{"id":"` + idA + `"}`)
		if i > 0 {
			text = sceneOf(`{"id":"`+idA+`"}`, instanceOf(someID(-1), someID(i-1), "", ""), instanceOf(someID(-2), someID(i-1), "", ""))
		}
		prefabs[someID(i)] = parse(t, "p.tprefab", text)
	}
	// Twelve prefabs each of which has all others have very many ways through them, each cut somewhere else.
	for i := range 12 {
		entities := []string{`{"id":"` + idA + `"}`}
		for k := range 12 {
			entities = append(entities, instanceOf(someID(-k-1), someID(100+k), "", ""))
		}
		prefabs[someID(100+i)] = parse(t, "p.tprefab", sceneOf(entities...))
	}
	for _, asset := range []guid.Guid{someID(39), someID(100)} {
		d := parse(t, "a.tscene", sceneOf(instanceOf(someID(-1), asset, "", "")))
		_, err := NewExpander(prefabs, Options{MaxNodes: 50_000}).Expand(t.Context(), d)
		var limit *formats.LimitError
		if !errors.As(err, &limit) || limit.Max != 50_000 {
			t.Errorf("got %v", err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewExpander(prefabs, Options{}).Expand(ctx, parse(t, "a.tscene", sceneOf(instanceOf(someID(-1), someID(3), "", "")))); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled, it gives %v", err)
	}
}

func TestOverridesOwnComponentsAndWarnings(t *testing.T) {
	asset := someID(1)
	prefab := parse(t, "p.tprefab", sceneOf(`{"id":"`+idA+`","name":"Root","components":[{"type":"A","data":{"n":1,"l":[1,2]}},{"type":"B"},{"type":"C","data":{"n":1}}]}`))
	prefabs := Prefabs{asset: prefab}
	override := func(entity, component, path, value string) string {
		return fmt.Sprintf(`{"entity":"%s","component":"%s","path":"%s","value":%s}`, entity, component, path, value)
	}
	overrides := strings.Join([]string{
		override(idA, "A", "n", "5"), override(idA, "A", "l.2", "3"), override(idA, "A", "l.9", "3"), override(idA, "A", "n.x", "3"),
		override(idB, "A", "n", "3"), override(idA, "A", "", "{}"), override(idA, "New", "a.0.b", "true"), override(idA, "B", "n", "7"),
	}, ",")
	d := parse(t, "a.tscene", sceneOf(instanceOf(someID(9), asset, overrides, `{"type":"B","data":{"own":true}},{"type":"Z"}`)))
	before := canonicalOf(t, prefab)
	for display, want := range map[bool]string{
		false: `A {"n":5,"l":[1,2,3]}; C {"n":1}; New {"a":[{"b":true}]}; B {"own":true}; Z {}`,
		true:  `A {"n":5,"l":[1,2,3]}; B {"own":true}; C {"n":1}; New {"a":[{"b":true}]}; Z {}`,
	} {
		x := expandWith(t, d, prefabs, Options{Display: display})
		var got []string
		for _, c := range x.Nodes[0].Components {
			got = append(got, c.Type+" "+jsondoc.Compact(c.Data, jsondoc.Relaxed))
		}
		if text := strings.Join(got, "; "); text != want {
			t.Errorf("display %v: got %s, want %s", display, text, want)
		}
		warnings := "overridePathInvalid overridePathInvalid overrideTargetMissing"
		if !display {
			warnings += " overridePathInvalid"
		}
		if kinds(x.Warnings) != warnings {
			t.Errorf("display %v: %s", display, kinds(x.Warnings))
		}
		for _, p := range Problems(x.Warnings) {
			if p.File != "a.tscene" || p.Line != 1 || p.Column < 100 || p.Message == "" {
				t.Errorf("got %+v", p)
			}
		}
		if x.Nodes[0].Proto.Name != "Root" || jsondoc.Compact(x.Nodes[0].Proto.Components[0].Data, jsondoc.Relaxed) != `{"n":1,"l":[1,2]}` {
			t.Error("the base of the instance is not what the prefab says")
		}
	}
	if canonicalOf(t, prefab) != before {
		t.Error("the prefab has changed")
	}
}

func TestManyGoroutinesExpandTheSame(t *testing.T) {
	asset := someID(3_000_000)
	expander := NewExpander(Prefabs{asset: parse(t, "ten.tprefab", tenEntities())}, Options{})
	d := parse(t, "large.tscene", largeScene(500, asset))
	want := string(expandWith(t, d, expander.catalog.(Prefabs), Options{}).JSON())
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			x, err := expander.Expand(context.Background(), d)
			if err != nil || string(x.JSON()) != want {
				t.Errorf("got another expansion, %v", err)
			}
			if _, err := expander.Prefab(context.Background(), asset); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

func TestTransforms(t *testing.T) {
	d := parse(t, "a.tscene", sceneOf(
		`{"id":"`+idA+`","components":[{"type":"Transform","data":{"position":[10,0],"rotation":1.5707964,"scale":{"x":2,"y":1}}}]}`,
		`{"id":"`+idB+`","parent":"`+idA+`","components":[{"type":"Transform","data":{"position":[1,"3"]}}]}`,
		`{"id":"`+idC+`","parent":"`+idC+`","components":[{"type":"Transform","data":{"position":[1,1]}}]}`,
	))
	x := expandWith(t, d, nil, Options{})
	worlds := x.Worlds()
	for i := range x.Nodes {
		if worlds[i] != x.World(i) {
			t.Errorf("node %d: %v and %v", i, worlds[i], x.World(i))
		}
	}
	// A quarter turn clockwise, y down: x points down, y to the left.
	got := worlds[1]
	if math.Abs(float64(got.Position.X-7)) > 1e-5 || math.Abs(float64(got.Position.Y-2)) > 1e-5 || got.Scale != (Vector{X: 2, Y: 1}) || Degrees(got.Rotation) != 90 {
		t.Errorf("got %+v", got)
	}
	if worlds[2].Position != (Vector{X: 1, Y: 1}) {
		t.Errorf("its own parent is at %+v", worlds[2])
	}
}

func TestProjectCatalog(t *testing.T) {
	root := t.TempDir()
	write := func(path, text string) {
		t.Helper()
		file := filepath.Join(root, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	meta := func(g guid.Guid) string { return `{"version":1,"guid":"` + g.String() + `"}` }
	write("prefabs/p.tprefab", sceneOf(`{"id":"`+idA+`"}`))
	write("prefabs/p.tprefab.meta", meta(someID(1)))
	write("prefabs/bad.tprefab", "{\n]")
	write("prefabs/bad.tprefab.meta", meta(someID(2)))
	write("scenes/s.tscene", `{"id":"`+idA+`","entities":[`+instanceOf(someID(9), someID(2), "", "")+`]}`)
	write("scenes/s.tscene.meta", meta(someID(3)))
	db, err := assets.Scan(t.Context(), root, assets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := NewProjectCatalog(db)
	first, err := c.Prefab(someID(1))
	if again, _ := c.Prefab(someID(1)); err != nil || first == nil || again != first {
		t.Errorf("got %v, then %v, %v", first, again, err)
	}
	if d, err := c.Prefab(someID(7)); d != nil || err != nil {
		t.Errorf("what does not exist gives %v, %v", d, err)
	}
	var fault *ReadError
	if _, err := c.Prefab(someID(2)); !errors.As(err, &fault) || fault.File != "assets/prefabs/bad.tprefab" || fault.Line != 2 {
		t.Errorf("a broken one gives %v", err)
	}
	if d, err := c.Prefab(someID(3)); d != nil || err == nil {
		t.Errorf("a scene gives %v, %v", d, err)
	}
	edited := parse(t, "p.tprefab", sceneOf(`{"id":"`+idB+`"}`))
	if d, err := c.With(map[guid.Guid]*Document{someID(1): edited}).Prefab(someID(1)); d != edited || err != nil {
		t.Errorf("an edited one gives %v, %v", d, err)
	}
	for _, name := range []string{"scenes/s.tscene", "assets/scenes/s.tscene", someID(3).String(), filepath.Join(root, "scenes", "s.tscene")} {
		if a, err := c.Find(name); err != nil || a.Path != "scenes/s.tscene" {
			t.Errorf("%s: got %v, %v", name, a, err)
		}
	}
	if _, err := c.Find("scenes/S.tscene"); err == nil || !strings.Contains(err.Error(), "did you mean scenes/s.tscene?") {
		t.Errorf("got %v", err)
	}
	problems, err := Check(t.Context(), c, c.Documents())
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, p := range problems {
		codes = append(codes, p.Code+" "+p.File)
	}
	want := "not-json assets/prefabs/bad.tprefab, prefab-missing assets/scenes/s.tscene, document-no-id assets/prefabs/p.tprefab"
	if got := strings.Join(codes, ", "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
