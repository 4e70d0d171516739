package scene

import (
	"context"
	"errors"
	"strings"
	"testing"

	"talebinder/formats"
	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
)

// FuzzParse reads anything. What is read is written, and what is written is read and written again without a change.
func FuzzParse(f *testing.F) {
	for _, d := range documentsAt(f, "../../examples/*/assets/*/*.t*") {
		f.Add(d.Text(), d.Kind == Prefab)
	}
	for _, text := range []string{
		``, `{}`, `[]`, `null`, `{"version":1.0}`, `{"version":2,"entities":5`, "\uFEFF{}", "// c\n{\"id\":1,}",
		`{"x":1,"x":2,"id":"` + idA + `","id":"` + idB + `"}`,
		`{"environment":{"clearColor":"#f80","ambientIntensity":"NaN","gravity":{"Y":" 1e1","x":2},"renderLayers":[{"name":null,"layer":-1,"lit":false,"u":[1]}],"lighting":{"quality":"high"}}}`,
		`{"environment":{"gravity":[1e99,0]}}`,
		`{"entities":[{"id":"{` + idA + `}","parent":"` + idA + `","components":[{"type":"Light2D","data":{"color":3}},{"type":"Light2D","data":null,"k":{}}],"editor":{"locked":true,"z":1}}]}`,
		`{"entities":[` + instanceOf(someID(1), someID(2), `{"entity":"`+idA+`","path":"a.0","value":[1,2.50]},{"u":1}`, ``) + `]}`,
	} {
		f.Add([]byte(text), false)
		f.Add([]byte(text), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, prefab bool) {
		kind := Scene
		if prefab {
			kind = Prefab
		}
		d, err := Parse(kind, "f", text)
		if err != nil {
			var fault *ReadError
			if !errors.As(err, &fault) || fault.Line == 0 || fault.Message == "" {
				t.Fatalf("the error is %v", err)
			}
			return
		}
		for _, p := range d.Problems() {
			if p.Line == 0 {
				t.Errorf("%v has no place", p)
			}
		}
		written, err := d.Canonical()
		if err != nil {
			if d.Environment == nil || d.Environment.Gravity.finite() {
				t.Fatal(err)
			}
			return
		}
		again, err := Parse(kind, "f", written)
		if err != nil {
			t.Fatalf("%v in\n%s", err, written)
		}
		if twice, err := again.Canonical(); err != nil || string(twice) != string(written) {
			t.Errorf("%v: %s becomes %s", err, written, twice)
		}
	})
}

// FuzzExpand expands two documents that may be instances of each other.
func FuzzExpand(f *testing.F) {
	p, q := someID(1), someID(2)
	prefab := sceneOf(`{"id":"`+idA+`","components":[{"type":"A","data":{"l":[1]}}]}`, `{"id":"`+idB+`","parent":"`+idA+`"}`)
	override := `{"entity":"` + idA + `","component":"A","path":"l.1","value":{"x":1}}`
	f.Add(sceneOf(instanceOf(someID(3), p, override, `{"type":"A"}`), instanceOf(someID(4), q, "", "")), prefab, prefab)
	f.Add(sceneOf(instanceOf(someID(3), p, "", "")), sceneOf(`{"id":"`+idA+`"}`, instanceOf(someID(5), q, override, "")), prefab)
	f.Add(sceneOf(instanceOf(someID(3), p, "", "")), sceneOf(`{"id":"`+idA+`"}`, instanceOf(someID(5), q, "", "")), sceneOf(`{"id":"`+idB+`"}`, instanceOf(someID(6), p, "", "")))
	f.Add(sceneOf(instanceOf(someID(3), p, override+","+override, ""), instanceOf(someID(3), p, "", "")), sceneOf(instanceOf(id(f, idA), q, override, `{"type":"B"}`)), prefab)
	f.Add(sceneOf(`{"id":"`+idA+`","parent":"`+idB+`"}`, `{"id":"`+idB+`","parent":"`+idA+`"}`), `{}`, sceneOf(`{"parent":"`+idC+`"}`))
	f.Fuzz(func(t *testing.T, scene, first, second string) {
		prefabs := Prefabs{}
		for asset, text := range map[guid.Guid]string{p: first, q: second} {
			if d, err := Parse(Prefab, "p", []byte(text)); err == nil {
				prefabs[asset] = d
			}
		}
		d, err := Parse(Scene, "s", []byte(scene))
		if err != nil {
			return
		}
		for _, display := range []bool{false, true} {
			expander := NewExpander(prefabs, Options{Display: display, MaxNodes: 2000})
			x, err := expander.Expand(context.Background(), d)
			if err != nil {
				var limit *formats.LimitError
				if !errors.As(err, &limit) {
					t.Fatal(err)
				}
				continue
			}
			children := 0
			for i := range x.Nodes {
				n := &x.Nodes[i]
				if at, ok := x.Find(n.ID); !ok || at != i {
					t.Fatalf("node %d is found at %d", i, at)
				}
				children += len(x.Children(i))
				for c := range n.Components {
					if n.Components[c].Data.Kind() != jsondoc.Object {
						t.Fatalf("the data of %s is %s", n.Components[c].Type, n.Components[c].Data.Kind())
					}
					x.Resolve(i, &n.Components[c], id(t, idA))
				}
			}
			if children+len(x.Roots) != len(x.Nodes) {
				t.Errorf("%d children and %d roots of %d nodes", children, len(x.Roots), len(x.Nodes))
			}
			x.Worlds()
			Problems(x.Warnings)
			if _, err := jsondoc.ParseOptions(x.JSON(), jsondoc.Options{MaxDepth: 1000}); err != nil {
				t.Error(err)
			}
			again, err := expander.Expand(context.Background(), d)
			if err != nil || string(again.JSON()) != string(x.JSON()) {
				t.Errorf("the second time it differs, %v", err)
			}
		}
	})
}

// FuzzSetPath compares with jsondoc, whose edit of the text is another implementation of the same rules.
func FuzzSetPath(f *testing.F) {
	for _, path := range []string{"a", "a.b", "l.0", "l.2", "l.3", "l.007", "l.x", "n.0.a", "n.1", "s.x", "", ".", "a.", "o.1", "l.1.x", "2147483648", "new.0.0.x"} {
		f.Add(`{"a":{"b":1,"b":2},"l":[1,null],"n":null,"s":"x","o":{"1":1}}`, path, `{"v":[1,2]}`)
	}
	f.Add(`[]`, "0.0.1", `null`)
	f.Add(`{"\ud83c":1}`, "x", `1`)
	f.Fuzz(func(t *testing.T, text, path, value string) {
		doc, err := jsondoc.Parse([]byte(text))
		if err != nil {
			return
		}
		set, err := jsondoc.Parse([]byte(value))
		if err != nil || strings.Count(path, ".") >= maxPath || strings.Contains(text+value, "\\u") || strings.ToValidUTF8(path, "") != path {
			return // an escape may be half of a pair, which no name can be found by
		}
		after, err := SetPath(doc.Root(), path, set.Root())
		edit, editErr := doc.Root().SetPath(path, set.Root().Raw())
		if (err == nil) != (editErr == nil) {
			t.Fatalf("%q in %s: %v and %v", path, text, err, editErr)
		}
		edited, applyErr := doc.Apply(edit)
		if applyErr != nil {
			return // nested too deeply for a document
		}
		if got, want := jsondoc.Compact(after, jsondoc.Relaxed), jsondoc.Compact(edited.Root(), jsondoc.Relaxed); got != want {
			t.Errorf("%q in %s: got %s, want %s", path, text, got, want)
		}
		if err == nil && !Equal(after.Path(path), set.Root()) {
			t.Errorf("%q in %s is then %s", path, text, after.Path(path).Raw())
		}
	})
}
