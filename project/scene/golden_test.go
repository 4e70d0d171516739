package scene

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
)

const goldenDir = "../../../shared/golden/talesmith"

// golden reads a listing; the test is skipped where the golden files are missing.
func golden[T any](t *testing.T, name string) (listing T) {
	t.Helper()
	data := goldenFile(t, name)
	if err := json.Unmarshal(data, &listing); err != nil {
		t.Fatal(err)
	}
	return listing
}

func goldenFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(goldenDir, filepath.FromSlash(name)))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("the golden files are not here")
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func id(t testing.TB, text string) guid.Guid {
	t.Helper()
	g, err := guid.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func parse(t testing.TB, name, text string) *Document {
	t.Helper()
	kind, _ := KindOf(name)
	d, err := Parse(kind, name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func canonicalOf(t testing.TB, d *Document) string {
	t.Helper()
	text, err := d.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestGoldenDocuments(t *testing.T) {
	listing := golden[struct {
		Cases []struct{ Name, Kind, Input, Outcome, Error, Output string }
	}](t, "documents.json")
	refused := 0
	for _, c := range listing.Cases {
		t.Run(c.Name, func(t *testing.T) {
			kind, ok := KindOf(c.Input)
			if !ok || kind.String() != c.Kind {
				t.Fatalf("%s is taken for a %s", c.Input, kind)
			}
			d, err := Parse(kind, c.Input, goldenFile(t, c.Input))
			if c.Outcome == "error" {
				refused++
				var fault *ReadError
				if !errors.As(err, &fault) || fault.Fault.String() != c.Error || fault.Line == 0 || fault.Column == 0 || fault.File != c.Input {
					t.Fatalf("got %v, want %s with its place", err, c.Error)
				}
				t.Log(err)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want := string(goldenFile(t, c.Output))
			got := canonicalOf(t, d)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if again := canonicalOf(t, parse(t, c.Output, got)); again != got {
				t.Error("reading and writing it once more changes it")
			}
		})
	}
	t.Logf("%d cases, %d of them refused", len(listing.Cases), refused)
}

func TestGoldenPrefabIDs(t *testing.T) {
	listing := golden[struct {
		Cases []struct{ Instance, Root, Entity, Derive, Map string }
	}](t, "prefab_ids.json")
	for _, c := range listing.Cases {
		instance, root, entity := id(t, c.Instance), id(t, c.Root), id(t, c.Entity)
		if got := Derive(instance, entity).String(); got != c.Derive {
			t.Errorf("derive(%s, %s) = %s, want %s", instance, entity, got, c.Derive)
		}
		if got := Map(instance, root, entity).String(); got != c.Map {
			t.Errorf("map(%s, %s, %s) = %s, want %s", instance, root, entity, got, c.Map)
		}
	}
	t.Logf("%d cases", len(listing.Cases))
}

func TestGoldenPaths(t *testing.T) {
	text := goldenFile(t, "json_paths.json")
	doc, err := jsondoc.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	start, count := doc.Root().Get("start"), 0
	before := string(start.Raw())
	for c := range doc.Root().Get("cases").Items() {
		count++
		path, err := c.Get("path").Text()
		if err != nil {
			t.Fatal(err)
		}
		if got := start.Path(path); !Equal(got, c.Get("before")) {
			t.Errorf("%q: got %s, want %s", path, got.Raw(), c.Get("before").Raw())
		}
		after, err := SetPath(start, path, c.Get("set"))
		valid, _ := c.Get("valid").Bool()
		var fault *jsondoc.PathError
		if (err == nil) != valid || err != nil && !errors.As(err, &fault) {
			t.Errorf("%q: got %v, want valid %v", path, err, valid)
		}
		// Compared as text, since the order of properties counts as well.
		if got, want := jsondoc.Compact(after, jsondoc.Relaxed), jsondoc.Compact(c.Get("data"), jsondoc.Relaxed); got != want {
			t.Errorf("%q: got %s, want %s", path, got, want)
		}
	}
	if string(start.Raw()) != before {
		t.Error("the data that values were set in has changed")
	}
	t.Logf("%d cases", count)
}

// The golden lists, numbers and strings as component data and override values of whole documents.
func TestGoldenListsInDocuments(t *testing.T) {
	listing := golden[struct {
		Cases []struct{ JSON, ComponentData, UnknownField string }
	}](t, "lists.json")
	for _, c := range listing.Cases {
		d := parse(t, "a.tprefab", `{"entities":[{"components":[{"type":"X","data":{"v":`+c.JSON+`}}],"u":`+c.JSON+
			`,"prefab":{"overrides":[{"value":`+c.JSON+`}]}}]}`)
		again := parse(t, "a.tprefab", canonicalOf(t, d))
		e := &again.Entities[0]
		for what, v := range map[string]jsondoc.Value{"data": e.Components[0].Data.Get("v"), "value": e.Link.Overrides[0].Value} {
			if got := unindent(again, v); got != c.ComponentData {
				t.Errorf("%s in %s: got %s, want %s", c.JSON, what, got, c.ComponentData)
			}
		}
		if got := unindent(again, e.JSON.Get("u")); got != c.UnknownField {
			t.Errorf("%s as an unknown field: got %s, want %s", c.JSON, got, c.UnknownField)
		}
	}
	t.Logf("%d cases", len(listing.Cases))
}

func TestGoldenNumbersAndStringsInDocuments(t *testing.T) {
	count := 0
	for _, name := range []string{"number_single.json", "number_double.json"} {
		for _, c := range golden[struct{ Cases []struct{ Text string } }](t, name).Cases {
			d := parse(t, "a.tprefab", `{"entities":[{"components":[{"data":{"v":`+c.Text+`}}]}]}`)
			again := parse(t, "a.tprefab", canonicalOf(t, d))
			if got := string(again.Entities[0].Components[0].Data.Get("v").Raw()); got != c.Text {
				t.Errorf("got %s, want %s", got, c.Text)
			}
			if name == "number_single.json" {
				d := parse(t, "a.tscene", `{"environment":{"ambientIntensity":`+c.Text+`}}`)
				again := parse(t, "a.tscene", canonicalOf(t, d))
				if got := string(again.Environment.JSON.Get("ambientIntensity").Raw()); got != c.Text {
					t.Errorf("as a typed number: got %s, want %s", got, c.Text)
				}
			}
			count++
		}
	}
	for _, c := range golden[struct {
		Cases []struct{ Value, Strict, Relaxed string }
	}](t, "strings.json").Cases {
		d := parse(t, "a.tprefab", `{"entities":[{"name":`+c.Strict+`,"components":[{"data":{"v":`+c.Strict+`}}]}]}`)
		if d.Entities[0].Name != c.Value {
			t.Errorf("got the name %q, want %q", d.Entities[0].Name, c.Value)
		}
		e := parse(t, "a.tprefab", canonicalOf(t, d)).Entities[0]
		for _, v := range []jsondoc.Value{e.JSON.Get("name"), e.Components[0].Data.Get("v")} {
			if got := string(v.Raw()); got != c.Relaxed {
				t.Errorf("got %s, want %s", got, c.Relaxed)
			}
		}
		count++
	}
	t.Logf("%d cases", count)
}

// unindent gives a value's text as it would stand at the beginning of a line.
func unindent(d *Document, v jsondoc.Value) string {
	text := d.Text()
	line := v.Start()
	for line > 0 && text[line-1] != '\n' {
		line--
	}
	indent := line
	for text[indent] == ' ' {
		indent++
	}
	var out []byte
	raw := v.Raw()
	for i := 0; i < len(raw); i++ {
		out = append(out, raw[i])
		if raw[i] == '\n' {
			i += indent - line
		}
	}
	return string(out)
}

func TestGoldenExpansion(t *testing.T) {
	listing := golden[struct {
		Cases []struct {
			Name, Scene, Expected string
			Prefabs               map[string]string
		}
	}](t, "expansion.json")
	for _, c := range listing.Cases {
		t.Run(c.Name, func(t *testing.T) {
			prefabs := Prefabs{}
			for asset, file := range c.Prefabs {
				prefabs[id(t, asset)] = parse(t, file, string(goldenFile(t, file)))
			}
			checkExpansion(t, parse(t, c.Scene, string(goldenFile(t, c.Scene))), prefabs, goldenFile(t, c.Expected))
		})
	}
	t.Logf("%d cases", len(listing.Cases))
}

func TestGoldenLanternGrove(t *testing.T) {
	grove := goldenFile(t, "../../samples/LanternGrove/assets/scenes/grove.tscene")
	lantern := goldenFile(t, "../../samples/LanternGrove/assets/prefabs/lantern.tprefab")
	d := parse(t, "grove.tscene", string(grove))
	if canonicalOf(t, d) != string(grove) {
		t.Error("the scene is changed by reading and writing it")
	}
	prefabs := Prefabs{id(t, "b3678458367d4fcdb8d2e23cb30aab79"): parse(t, "lantern.tprefab", string(lantern))}
	checkExpansion(t, d, prefabs, goldenFile(t, "lantern_grove/grove.expanded.json"))
}

// checkExpansion compares an expansion with the expected one, as text, and every reference that is listed there.
func checkExpansion(t *testing.T, d *Document, prefabs Prefabs, expected []byte) {
	t.Helper()
	x, err := NewExpander(prefabs, Options{}).Expand(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsondoc.Parse(expected)
	if err != nil {
		t.Fatal(err)
	}
	without, err := doc.Apply(doc.Root().RemoveMember("references"))
	if err != nil {
		t.Fatal(err)
	}
	// Laid out anew, since the listing of one short prefab may be laid out as the whole.
	want, got := jsondoc.NewWriter(jsondoc.Relaxed), jsondoc.NewWriter(jsondoc.Relaxed)
	want.Data(without.Root())
	own, err := jsondoc.Parse(x.JSON())
	if err != nil {
		t.Fatal(err)
	}
	got.Data(own.Root())
	if diff := cmp.Diff(string(want.Bytes()), string(got.Bytes())); diff != "" {
		t.Error(diff)
	}
	count := 0
	for reference := range doc.Root().Get("references").Items() {
		count++
		text := func(name string) string {
			text, err := reference.Get(name).Text()
			if err != nil {
				t.Fatal(err)
			}
			return text
		}
		node, ok := x.Find(id(t, text("entity")))
		if !ok {
			t.Fatalf("there is no entity %s", text("entity"))
		}
		component := x.Nodes[node].Component(text("component"))
		if component == nil {
			t.Fatalf("%s has no %s", text("entity"), text("component"))
		}
		resolved := "null"
		if at, ok := x.Resolve(node, component, id(t, text("id"))); ok {
			resolved = `"` + x.Nodes[at].ID.String() + `"`
		}
		if want := string(reference.Get("resolved").Raw()); resolved != want {
			t.Errorf("%s in %s of %s leads to %s, want %s", text("id"), text("component"), text("entity"), resolved, want)
		}
	}
	t.Logf("%d entities, %d references, %d warnings", len(x.Nodes), count, len(x.Warnings))
}
