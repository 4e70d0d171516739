package scene

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"talebinder/formats"
	"talebinder/formats/jsondoc"
)

const (
	idA = "000000000000000000000000000000a1"
	idB = "000000000000000000000000000000b2"
	idC = "000000000000000000000000000000c3"
)

func TestWhatCannotBeRead(t *testing.T) {
	entity := func(members string) string { return "{\n  \"entities\": [\n    { " + members + " }\n  ]\n}" }
	for name, c := range map[string]struct {
		text         string
		fault        Fault
		line, column int
		message      string
	}{
		"nothing":                 {"", NotJSON, 1, 1, "the end of the file"},
		"a list":                  {" []", NotObject, 1, 2, "expected an object, the beginning of a scene, found a list"},
		"null":                    {"null", NotObject, 1, 1, "found null"},
		"version as text":         {`{"version":"1"}`, VersionNotNumber, 1, 12, "expected a whole number, found a text"},
		"version null":            {`{"version":null}`, VersionNotNumber, 1, 12, "found null"},
		"version too large":       {`{"version":2147483648}`, VersionNotNumber, 1, 12, "32 bits"},
		"newer":                   {"{\n\"version\":2}", NewerVersion, 2, 11, "update Talesmith"},
		"newer, then no JSON":     {"{\n\"x\":{\"version\":1},\"version\":7,]", NewerVersion, 2, 29, "version 7"},
		"newer second":            {`{"version":1,"version":2}`, NewerVersion, 1, 24, "version 2"},
		"no JSON before version":  {`{"x":},"version":7}`, NotJSON, 1, 6, "expected a value"},
		"invalid UTF-8":           {"{\n\"é\xff\":1}", NotJSON, 2, 3, "expected UTF-8"},
		"UTF-16":                  {"\xff\xfe{\x00", NotJSON, 1, 1, "UTF-16"},
		"document id":             {`{"id":"x"}`, BadGuid, 1, 7, "id: expected a guid"},
		"document id null":        {`{"id":null}`, BadType, 1, 7, "expected a guid, found null"},
		"entities":                {`{"entities":{}}`, BadType, 1, 13, "entities: expected a list, found an object"},
		"an entity":               {`{"entities":[null]}`, BadType, 1, 14, "expected an object, found null"},
		"entity id":               {entity(`"id": "12"`), BadGuid, 3, 13, "id: "},
		"entity name":             {entity(`"name": 1`), BadType, 3, 15, "name: expected a text, found a number"},
		"half of a pair":          {entity(`"name": "\ud83c"`), BadType, 3, 15, "surrogate"},
		"parent":                  {entity(`"parent": "Player"`), BadGuid, 3, 17, "parent: "},
		"parent type":             {entity(`"parent": 0`), BadType, 3, 17, "parent: expected a guid"},
		"active":                  {entity(`"active": null`), BadType, 3, 17, "active: expected true or false, found null"},
		"editor":                  {entity(`"editor": []`), BadType, 3, 17, "editor: expected an object"},
		"hidden":                  {entity(`"editor": {"hidden": 1}`), BadType, 3, 28, "hidden: "},
		"prefab":                  {entity(`"prefab": "x"`), BadType, 3, 17, "prefab: expected an object"},
		"asset":                   {entity(`"prefab": {"asset": "x"}`), BadGuid, 3, 27, "asset: "},
		"overrides":               {entity(`"prefab": {"overrides": 1}`), BadType, 3, 31, "overrides: expected a list"},
		"an override":             {entity(`"prefab": {"overrides": [1]}`), BadType, 3, 32, "overrides: expected an object"},
		"override entity":         {entity(`"prefab": {"overrides": [{"entity": 1}]}`), BadType, 3, 43, "entity: "},
		"override path":           {entity(`"prefab": {"overrides": [{"path": 1}]}`), BadType, 3, 41, "path: expected a text"},
		"removed":                 {entity(`"prefab": {"removedComponents": [[]]}`), BadType, 3, 40, "removedComponents: expected an object"},
		"components":              {entity(`"components": "x"`), BadType, 3, 21, "components: expected a list"},
		"a component":             {entity(`"components": ["x"]`), BadType, 3, 22, "components: expected an object"},
		"component type":          {entity(`"components": [{"type": 1}]`), BadType, 3, 31, "type: expected a text"},
		"data":                    {entity(`"components": [{"data": []}]`), BadType, 3, 31, "data: expected an object, found a list"},
		"environment":             {`{"environment":[]}`, BadType, 1, 16, "environment: expected an object"},
		"clear color":             {`{"environment":{"clearColor":"blue"}}`, BadColor, 1, 30, "clearColor: expected a color"},
		"ambient light null":      {`{"environment":{"ambientLight":null}}`, BadType, 1, 32, "expected a color, found null"},
		"intensity":               {`{"environment":{"ambientIntensity":"high"}}`, BadType, 1, 36, "ambientIntensity: expected a number"},
		"gravity":                 {`{"environment":{"gravity":[1,2,3]}}`, BadType, 1, 27, "gravity: expected two numbers"},
		"gravity without y":       {`{"environment":{"gravity":{"x":1}}}`, BadType, 1, 27, "gravity: "},
		"layers":                  {`{"environment":{"renderLayers":{}}}`, BadType, 1, 32, "renderLayers: expected a list"},
		"layer number":            {`{"environment":{"renderLayers":[{"layer":1e2}]}}`, BadType, 1, 42, "layer: expected a whole number"},
		"layer lit":               {`{"environment":{"renderLayers":[{"lit":"yes"}]}}`, BadType, 1, 40, "lit: "},
		"nothing but brackets":    {strings.Repeat("[", 1<<20), NotJSON, 1, 65, "at most 64"},
		"a thousand levels":       {`{"x":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + `}`, NotJSON, 1, 69, "at most 64"},
		"a text without an end":   {"{\"id\": \"000", NotJSON, 1, 0, ""},
		"something behind it":     {"{}\n{}", NotJSON, 2, 1, ""},
		"a very long wrong color": {`{"environment":{"clearColor":"` + strings.Repeat("é", 5000) + `"}}`, BadColor, 1, 30, "…"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := Parse(Scene, "scenes/a.tscene", []byte(c.text))
			var fault *ReadError
			if !errors.As(err, &fault) || d != nil {
				t.Fatalf("got %v, %v", d, err)
			}
			if fault.Fault != c.fault || fault.Line != c.line || c.column > 0 && fault.Column != c.column || !strings.Contains(err.Error(), c.message) {
				t.Errorf("got %s, %v; want %s at %d, %d: %s", fault.Fault, err, c.fault, c.line, c.column, c.message)
			}
			if !strings.HasPrefix(err.Error(), fmt.Sprintf("scenes/a.tscene(%d,%d): ", fault.Line, fault.Column)) || len(err.Error()) > 400 {
				t.Errorf("the message is %q", err)
			}
			kind := formats.ErrDamaged
			if c.fault == NewerVersion {
				kind = formats.ErrUnsupported
			}
			if !errors.Is(err, kind) {
				t.Errorf("%v is not %v", err, kind)
			}
		})
	}
}

func TestOddDocumentsAreReadAndSaid(t *testing.T) {
	for name, c := range map[string]struct{ file, text, code, at string }{
		"child before its parent": {"a.tscene", `{"id":"` + idA + `","entities":[{"id":"` + idB + `","parent":"` + idC + `"},{"id":"` + idC + `"}]}`, "parent-later", `"` + idC + `"},`},
		"its own parent":          {"a.tscene", `{"id":"` + idA + `","entities":[{"id":"` + idB + `","parent":"` + idB + `"}]}`, "parent-circle", `"` + idB + `"}]`},
		"no id":                   {"a.tscene", `{"id":"` + idA + `","entities":[{}]}`, "entity-no-id", `{}`},
		"two of a type":           {"a.tscene", `{"id":"` + idA + `","entities":[{"id":"` + idB + `","components":[{"type":"A"},{"type":"A"}]}]}`, "component-twice", `{"type":"A"},`},
		"a color":                 {"a.tscene", `{"id":"` + idA + `","entities":[{"id":"` + idB + `","components":[{"type":"Light2D","data":{"color":"red"}}]}]}`, "value-unreadable", `"red"`},
		"an overridden color":     {"a.tscene", `{"id":"` + idA + `","entities":[{"id":"` + idB + `","prefab":{"asset":"` + idC + `","overrides":[{"component":"Light2D","path":"color","value":3}]}}]}`, "value-unreadable", `3}]`},
		"no root":                 {"a.tprefab", "\uFEFF" + `{"id":"` + idA + `"}`, "prefab-no-root", `{"id"`},
		"no document id":          {"a.tprefab", "\n\n" + `{"entities":[{"id":"` + idA + `"}]}`, "document-no-id", `{"ent`},
		"gravity":                 {"a.tscene", `{"id":"` + idA + `","environment":{"gravity":[1e99,0]}}`, "not-finite", `[1e99`},
	} {
		problems := parse(t, c.file, c.text).Problems()
		text := strings.TrimPrefix(c.text, "\uFEFF")
		at := strings.Index(text, c.at)
		line := strings.Count(text[:at], "\n") + 1
		column := at - strings.LastIndex(text[:at], "\n")
		if len(problems) != 1 || problems[0].Code != c.code || problems[0].File != c.file || problems[0].Line != line || problems[0].Column != column {
			t.Errorf("%s: got %v, want %s at %d, %d", name, problems, c.code, line, column)
		}
	}
	_, err := parse(t, "a.tscene", `{"environment":{"gravity":[1e99,0]}}`).Canonical()
	var fault *ReadError
	if !errors.As(err, &fault) || fault.File != "a.tscene" || fault.Column != 27 {
		t.Errorf("gravity that the engine cannot write gives %v", err)
	}
}

func TestNothingIsLost(t *testing.T) {
	text := "// ours\r\n{ \"zeta\": [1, 2], \"entities\": [ { \"id\": \"" + idA + "\", \"mine\": {\"a\": 1.0}, \"components\": [ { \"type\": \"X\", \"data\": {\"n\": 1e2}, \"k\": null } ] }, ] }\n"
	d := parse(t, "a.tprefab", text)
	if string(d.Text()) != text {
		t.Error("the text has changed")
	}
	e := d.Entity(id(t, idA))
	if line, column := e.Components[0].Data.Get("n").Position(); line != 2 || column != strings.Index(text, "1e2")-strings.Index(text, "\n") {
		t.Errorf("the value is at %d, %d", line, column)
	}
	again := parse(t, "a.tprefab", canonicalOf(t, d))
	e = again.Entity(id(t, idA))
	for what, v := range map[string]jsondoc.Value{"zeta": again.JSON.Root().Get("zeta"), "mine": e.JSON.Get("mine").Get("a"), "k": e.Components[0].JSON.Get("k"), "n": e.Components[0].Data.Get("n")} {
		if !v.Exists() {
			t.Errorf("%s is lost", what)
		}
	}
	if string(e.Components[0].Data.Get("n").Raw()) != "1e2" {
		t.Error("the text of a number has changed")
	}
}

func TestMigrations(t *testing.T) {
	var m Migrations
	var steps []string
	step := func(name string) Migration {
		return func(d *jsondoc.Doc) (*jsondoc.Doc, error) {
			version, err := d.Root().Get("version").Int32()
			steps = append(steps, fmt.Sprintf("%s at %d, %v", name, version, err))
			return d.Apply(d.Root().SetMember(name, []byte("true"), nil))
		}
	}
	for _, from := range []int32{-3, 0} {
		if err := m.Register(Scene, from, step(fmt.Sprintf("from%d", from))); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Register(Scene, 0, step("again")); err == nil {
		t.Error("two migrations from one version are registered")
	}
	if err := m.Register(Prefab, Version, step("new")); err == nil {
		t.Error("a migration from the current version is registered")
	}
	d, err := ParseWith(&m, Scene, "old.tscene", []byte("{\n  \"version\": -2147483648\n}"))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(steps, "; "); got != "from-3 at -3, <nil>; from0 at 0, <nil>" {
		t.Errorf("the steps were: %s", got)
	}
	if root := d.JSON.Root(); !d.Migrated || string(root.Get("version").Raw()) != "1" || !root.Get("from-3").Exists() || !root.Get("from0").Exists() {
		t.Errorf("got %s", d.Text())
	}
	steps = nil
	for _, c := range []struct {
		kind Kind
		text string
	}{{Scene, `{"version":1}`}, {Scene, `{}`}, {Prefab, `{"version":0}`}} {
		d, err := ParseWith(&m, c.kind, "a", []byte(c.text))
		if err != nil || d.Migrated || string(d.Text()) != c.text || len(steps) > 0 {
			t.Errorf("%s %s: %v, %v", c.kind, c.text, steps, err)
		}
	}
	failure := errors.New("no such thing")
	var failing Migrations
	if err := failing.Register(Prefab, 0, func(*jsondoc.Doc) (*jsondoc.Doc, error) { return nil, failure }); err != nil {
		t.Fatal(err)
	}
	var fault *ReadError
	if _, err := ParseWith(&failing, Prefab, "a.tprefab", []byte(`{"version":0}`)); !errors.Is(err, failure) || !errors.As(err, &fault) || fault.Fault != BadMigration {
		t.Errorf("got %v", err)
	}
}

func TestKindOf(t *testing.T) {
	for path, want := range map[string]string{"a.tscene": "scene", "b/c.TPREFAB": "prefab", "a.json": "", "tscene": "", "a.tscene.bak": ""} {
		kind, ok := KindOf(path)
		if ok != (want != "") || ok && kind.String() != want {
			t.Errorf("%s: got %s, %v", path, kind, ok)
		}
	}
}
