package scenes

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talebinder/formats/jsondoc"
	"talebinder/project/document"
	"talebinder/project/scene"
	"talebinder/project/scene/overrides"
)

func value(t testing.TB, text string) jsondoc.Value {
	t.Helper()
	doc, err := jsondoc.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc.Root()
}

func TestValuesAreTypedAsPeopleWriteThem(t *testing.T) {
	p := sample(t)
	boat := p.Assets.ByPath("sprites/boat.png").Meta.Guid.String()
	texture := scene.Field{Type: scene.AssetType, Asset: "texture"}
	enum := scene.Field{Type: scene.Enum, Enum: []string{"box", "circle"}}
	for _, c := range []struct {
		field     scene.Field
		old       string
		typed     string
		want      string // JSON, or what the message contains with ! in front
		shownText string // of want, in the field; empty: typed
	}{
		{scene.Field{Type: scene.Number}, "1", "0.80", "0.80", ""},
		{scene.Field{Type: scene.Number}, "1", ".5", "0.5", "0.5"},
		{scene.Field{Type: scene.Number}, "1", "1,5", "!Expected a number such as 1.5.", ""},
		{scene.Field{Type: scene.Number}, "1", "0x10", "!a number", ""},
		{scene.Field{Type: scene.Number}, "1", "1e99", "!a number", ""},
		{scene.Field{Type: scene.Number}, "1", "", "!a number", ""},
		{scene.Field{Type: scene.Integer}, "1", "-3", "-3", ""},
		{scene.Field{Type: scene.Integer}, "1", "3.5", "!whole number", ""},
		{scene.Field{Type: scene.Integer}, "1", "3000000000", "!whole number", ""},
		{scene.Field{Type: scene.Angle}, "0", "90", "1.5707964", ""},
		{scene.Field{Type: scene.Angle}, "0", "45°", "0.7853982", "45"},
		{scene.Field{Type: scene.Angle}, "0", "NaN", "!degrees", ""},
		{scene.Field{Type: scene.VectorType}, "[0, 0]", "12, -8.5", "[12, -8.5]", ""},
		{scene.Field{Type: scene.VectorType}, "[0, 0]", "[12 8]", "[12, 8]", "12, 8"},
		{scene.Field{Type: scene.VectorType}, `{"x": 1, "y": 2}`, "3, 4", `{"x": 3, "y": 4}`, ""},
		{scene.Field{Type: scene.VectorType}, "[0, 0]", "12", "!x, y", ""},
		{scene.Field{Type: scene.RectType}, "[0, 0, 1, 1]", "0, 0, 960, 180", "[0, 0, 960, 180]", ""},
		{scene.Field{Type: scene.RectType}, "[0, 0, 1, 1]", "0, 0, 960", "!width, height", ""},
		{scene.Field{Type: scene.ColorType}, `"#FFF"`, "#ffb25a", `"#FFB25A"`, "#FFB25A"},
		{scene.Field{Type: scene.ColorType}, `"#FFF"`, "#12345", "!#RRGGBB", ""},
		{scene.Field{Type: scene.Bool}, "true", "false", "false", ""},
		{scene.Field{Type: scene.Bool}, "true", "no", "!true or false", ""},
		{scene.Field{Type: scene.Text}, `""`, ` a "b" `, `" a \"b\" "`, ""},
		{enum, `"box"`, "Circle", `"circle"`, "circle"},
		{enum, `"box"`, "ball", "!box, circle", ""},
		{scene.Field{Type: scene.TextSet}, "[]", "b, a, b", `["a", "b"]`, "a, b"},
		{texture, "null", "sprites/boat.png", `"` + boat + `"`, boat},
		{texture, "null", boat, `"` + boat + `"`, ""},
		{texture, "null", "", "null", ""},
		{texture, "null", "sprites/Boat.png", "!sprites/boat.png?", ""},
		{texture, "null", "audio/horn.wav", "!a texture is expected", ""},
		{texture, "null", "boat", "!guid of an asset", ""},
		{scene.Field{Type: scene.EntityType}, "null", "here", "!guid of an entity", ""},
		{scene.Field{}, "null", `{"a": [1, 2]}`, `{"a": [1, 2]}`, ""},
		{scene.Field{}, "null", `{"a": `, "!JSON", ""},
		{scene.Field{Type: scene.CurveType}, "[]", `[{"time": "x"}]`, "!keys", ""},
		{scene.Field{Type: scene.GradientType}, "[]", `[{"position": 0, "color": "#FFF"}]`, `[{"position": 0, "color": "#FFF"}]`, ""},
	} {
		raw, err := parseValue(p.Assets, c.typed, c.field, value(t, c.old))
		if message, refused := strings.CutPrefix(c.want, "!"); refused {
			if err == nil || !strings.Contains(err.Error(), message) {
				t.Errorf("%q as %v gives %s, %v; the message should have %q", c.typed, c.field, raw, err, message)
			}
			continue
		}
		if err != nil || string(raw) != c.want {
			t.Errorf("%q as %v gives %s, %v; want %s", c.typed, c.field, raw, err, c.want)
			continue
		}
		back := editText(value(t, c.want), c.field)
		want := c.shownText
		if want == "" {
			want = c.typed
		}
		if c.field.Type != scene.Unknown && c.field.Type != scene.GradientType && back != want {
			t.Errorf("%s is shown as %q, want %q", c.want, back, want)
		}
	}
}

func opened(t testing.TB, dir, file string) (*Opened, *overrides.Workspace) {
	t.Helper()
	p := openProject(t, dir)
	w := overrides.NewWorkspace(p.Assets, document.NewGroup(p.AssetRoot()))
	o, err := openDocument(context.Background(), w, file)
	if err != nil {
		t.Fatal(err)
	}
	return o, w
}

func names(o *Opened) []string {
	var list []string
	for i := range o.Tree.Len() {
		r := o.Tree.Row(i)
		list = append(list, strings.Repeat(".", r.Depth)+o.Expansion.Nodes[r.Node].Name)
	}
	return list
}

func TestHierarchyFoldsSearchesAndMarks(t *testing.T) {
	o, _ := opened(t, sample(t).Dir, harbour)
	if got := strings.Join(names(o), " "); !strings.Contains(got, "Harbour .Island .Lighthouse Boat") || !strings.Contains(got, "Mooring .Left buoy ..Lamp .Right buoy ..Lamp") {
		t.Fatal(got)
	}
	find := func(name string) int {
		for i := range o.Expansion.Nodes {
			if o.Expansion.Nodes[i].Name == name {
				return i
			}
		}
		t.Fatal(name)
		return 0
	}
	golden := find("Golden bottle")
	if m := o.Tree.Marks(golden); !m.Instance || m.Member || m.Own != 2 || m.Below != 1 {
		t.Errorf("%+v", m)
	}
	if m := o.Tree.Marks(find("Left buoy")); !m.Instance || !m.Member || m.Own != 0 {
		t.Errorf("%+v", m)
	}
	before := o.Tree.Len()
	o.Tree.SetOpen(golden, false)
	if o.Tree.Len() != before-1 {
		t.Error("folding hides nothing")
	}
	glint := o.Expansion.Children(golden)[0]
	if o.Tree.Index(glint) >= 0 || o.Tree.Reveal(glint) < 0 {
		t.Error("a folded node is shown, or cannot be brought into sight")
	}
	o.Tree.SetQuery("lamp light2d")
	if got := strings.Join(names(o), " "); got != "Mooring .Left buoy ..Lamp .Right buoy ..Lamp" {
		t.Error(got)
	}
	o.Tree.SetQuery("")
	o.Tree.SetAllOpen(false)
	if o.Tree.AnyOpen() || o.Tree.Len() != len(o.Expansion.Roots) {
		t.Error("not everything is folded")
	}
}

func TestInspectionPutsThePrefabsValueBesideTheInstances(t *testing.T) {
	p := sample(t)
	o, w := opened(t, p.Dir, harbour)
	in := func(name string) *Inspection {
		for i := range o.Expansion.Nodes {
			if o.Expansion.Nodes[i].Name == name {
				return inspect(p.Assets, w, o.File, o.Expansion, i, o.Differences)
			}
		}
		t.Fatal(name)
		return nil
	}
	golden := in("Golden bottle")
	if !golden.Root || golden.Differences() != 3 || len(golden.Prefab) != 1 || golden.Prefab[0].Path != bottle {
		t.Errorf("%+v", golden)
	}
	texture := golden.Items[golden.Find("Sprite", "texture")]
	if texture.Row == nil || texture.Row.Class != overrides.Effective || asset(p.Assets, &texture).Path != "sprites/bottle-golden.png" ||
		showValue(p.Assets, nil, texture.Base, texture.Field) != "sprites/bottle.png" {
		t.Errorf("%+v", texture)
	}
	letters := golden.Items[golden.Find("ScriptComponent", "scripts.0.fields.letters")]
	if letters.Row == nil || letters.Depth != 4 || letters.Field.Type != scene.Number || string(letters.Value.Raw()) != "5" || string(letters.Base.Raw()) != "1" {
		t.Errorf("%+v", letters)
	}
	if script := golden.Items[golden.Find("ScriptComponent", "")]; script.Below != 1 {
		t.Errorf("%+v", script)
	}
	place := golden.Items[golden.Find("Transform", "")]
	if !place.Own || place.Row != nil {
		t.Errorf("where an instance is counts as a difference: %+v", place)
	}
	if origin := golden.Items[golden.Find("Sprite", "origin")]; !origin.Unset {
		t.Errorf("%+v", origin)
	}
	if boat := in("Boat"); boat.Member || !boat.Target.Entity.IsZero() || boat.Target.Instance != boat.ID {
		t.Errorf("%+v", boat)
	}
	lamp := in("Lamp")
	if len(lamp.Prefab) != 2 || lamp.Prefab[0].Path != "prefabs/mooring.tprefab" || lamp.Prefab[1].Path != "prefabs/buoy.tprefab" {
		t.Errorf("%+v", lamp.Prefab)
	}

	o, w = opened(t, p.Dir, "scenes/reef.tscene")
	removed := in("South buoy")
	if collider := removed.Items[removed.Find("Collider2D", "")]; !collider.Removed || collider.Row == nil || !collider.Base.Exists() {
		t.Errorf("%+v", collider)
	}
}

func list(t testing.TB, dir string) *List {
	t.Helper()
	p := openProject(t, dir)
	w := overrides.NewWorkspace(p.Assets, document.NewGroup(p.AssetRoot()))
	table, err := w.Overrides(context.Background(), overrides.Filter{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return newList(p.Assets, table)
}

func headings(l *List) []string {
	var found []string
	for i := range l.Len() {
		if r := l.Row(i); r.Heading != "" {
			found = append(found, r.Heading)
		}
	}
	return found
}

func TestListFiltersGroupsAndTicks(t *testing.T) {
	l := list(t, sample(t).Dir)
	if l.Count(-1) != 8 || l.Count(int(overrides.Redundant)) != 1 || len(headings(l)) != 3 {
		t.Fatalf("%d, %v", l.Count(-1), headings(l))
	}
	l.SetFilter(ListFilter{Query: "golden RADIUS", Class: -1})
	if l.Count(-1) != 1 || l.Difference(0) != nil || l.Difference(1).Path != "radius" {
		t.Errorf("%d lines", l.Len())
	}
	l.SetFilter(ListFilter{Class: int(overrides.Redundant)})
	if l.Len() != 2 || l.Count(-1) != 8 {
		t.Errorf("%d lines; the counts have to stay those of all classes: %d", l.Len(), l.Count(-1))
	}
	l.SetFilter(ListFilter{Class: -1})
	l.SetGrouping(ByPrefab)
	if got := strings.Join(headings(l), " "); got != "prefabs/bottle.tprefab prefabs/buoy.tprefab" {
		t.Error(got)
	}
	l.Tick(0, true)
	if n := len(l.Chosen(-1)); n != 5 || !l.Ticked(0) {
		t.Errorf("%d are ticked", n)
	}
	l.Tick(1, false)
	if l.Ticked(0) {
		t.Error("a group counts as ticked that is not all ticked")
	}
	l.Fold(headings(l)[0])
	if l.Difference(1) != nil {
		t.Error("a folded group shows its lines")
	}
	l.SetGrouping(NoGroups)
	if len(headings(l)) != 0 || l.Len() != 8 || len(l.Chosen(-1)) != 4 {
		t.Errorf("%d lines, %d chosen", l.Len(), len(l.Chosen(-1)))
	}
	again := newList(openProject(t, sample(t).Dir).Assets, l.table)
	again.take(l)
	if again.grouping != NoGroups || len(again.Chosen(-1)) != 4 {
		t.Error("a new list of the same project forgets what was ticked")
	}
	l.TickAll(true)
	if len(l.Chosen(-1)) != 8 || strings.Count(l.Text(), "\n") != 9 {
		t.Error(l.Text())
	}
}

// lanternGrove is a larger project than ours, which is not part of the repository.
func lanternGrove(t testing.TB) string {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "samples", "LanternGrove")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the sample project is not there")
	}
	return dir
}

func TestEveryDocumentOfALargerProjectIsShown(t *testing.T) {
	dir := lanternGrove(t)
	p := openProject(t, dir)
	w := overrides.NewWorkspace(p.Assets, document.NewGroup(p.AssetRoot()))
	files, items := 0, 0
	for _, file := range w.Documents() {
		o, err := openDocument(context.Background(), w, file)
		if err != nil || o.Err != nil {
			t.Errorf("%s: %v %v", file, err, o.Err)
			continue
		}
		files++
		for i := range o.Expansion.Nodes {
			in := inspect(p.Assets, w, file, o.Expansion, i, o.Differences)
			items += len(in.Items)
			for n := range in.Items {
				item := &in.Items[n]
				// What is shown has to be understood again, and to be the same.
				if item.Path == "" || item.Group || !item.Value.Exists() || item.Field.Type == scene.Enum {
					continue
				}
				raw, err := parseValue(p.Assets, editText(item.Value, item.Field), item.Field, item.Value)
				if err != nil {
					t.Errorf("%s %s %s: %q: %v", file, item.Component, item.Path, editText(item.Value, item.Field), err)
				} else if back := value(t, string(raw)); !scene.Equal(back, item.Value) && item.Field.Type != scene.AssetType && item.Field.Type != scene.ColorType {
					t.Errorf("%s %s %s: %s became %s", file, item.Component, item.Path, item.Value.Raw(), raw)
				}
			}
		}
		shown := 0
		for i := range o.Expansion.Nodes {
			shown += o.Tree.Marks(i).Own
		}
		if shown != len(o.Differences) {
			t.Errorf("%s: %d of %d differences are marked", file, shown, len(o.Differences))
		}
	}
	t.Logf("%d documents, %d lines", files, items)
	if files == 0 || items == 0 {
		t.Error("nothing was shown")
	}
}
