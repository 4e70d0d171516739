package overrides

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/formats/jsondoc"
	"talebinder/project/scene"
)

// ids of a small project: a prefab Lamp with a child Bulb, a prefab Post that holds a Lamp, and a scene.
const (
	lampAsset = "11111111111111111111111111111111"
	postAsset = "22222222222222222222222222222222"
	lampRoot  = "a0000000000000000000000000000001"
	bulb      = "a0000000000000000000000000000002"
	postRoot  = "b0000000000000000000000000000001"
	postLamp  = "b0000000000000000000000000000002"
	spot      = "c0000000000000000000000000000001"
	level     = "scenes/level.tscene"
	lampFile  = "prefabs/lamp.tprefab"
	postFile  = "prefabs/post.tprefab"
)

func smallProject(t testing.TB, instance string) map[string]string {
	t.Helper()
	lamp := `{"id": "1", "entities": [
		{"id": "` + lampRoot + `", "name": "Lamp", "components": [
			{"type": "Transform", "data": {"position": [0, 0]}},
			{"type": "Sprite", "data": {"tint": "#FFFFFF", "frames": [{"duration": 1}], "layer": 3}}]},
		{"id": "` + bulb + `", "name": "Bulb", "parent": "` + lampRoot + `", "components": [
			{"type": "Light2D", "data": {"radius": 10, "colors": ["#FFFFFF", "#000000"]}}]}]}`
	post := `{"id": "2", "entities": [
		{"id": "` + postRoot + `", "name": "Post", "components": [{"type": "Transform", "data": {"position": [0, 0]}}]},
		{"id": "` + postLamp + `", "name": "Top", "parent": "` + postRoot + `",
			"prefab": {"asset": "` + lampAsset + `", "overrides": [{"entity": "` + bulb + `", "component": "Light2D", "path": "radius", "value": 20}]},
			"components": [{"type": "Transform", "data": {"position": [0, -30]}}]}]}`
	lamp = strings.ReplaceAll(lamp, `"id": "1"`, `"id": "10000000000000000000000000000000"`)
	post = strings.ReplaceAll(post, `"id": "2"`, `"id": "20000000000000000000000000000000"`)
	files := map[string]string{
		lampFile: canonical(t, scene.Prefab, []byte(lamp)), lampFile + ".meta": metaText(lampAsset),
		postFile: canonical(t, scene.Prefab, []byte(post)), postFile + ".meta": metaText(postAsset),
	}
	files[level] = canonical(t, scene.Scene, []byte(`{"id": "30000000000000000000000000000000", "entities": [`+instance+`]}`))
	return files
}

// instanceOf gives an instance's JSON with lists in short: each override "entity component path value", each removed component
// "entity component", each own component "type data".
func instanceOf(id, name, asset string, overrides, removed, own []string) string {
	var o, r, c []string
	for _, text := range overrides {
		f := strings.SplitN(text, " ", 4)
		o = append(o, fmt.Sprintf(`{"entity": %q, "component": %q, "path": %q, "value": %s}`, f[0], f[1], f[2], f[3]))
	}
	for _, text := range removed {
		f := strings.SplitN(text, " ", 2)
		r = append(r, fmt.Sprintf(`{"entity": %q, "component": %q}`, f[0], f[1]))
	}
	for _, text := range own {
		f := strings.SplitN(text, " ", 2)
		c = append(c, fmt.Sprintf(`{"type": %q, "data": %s}`, f[0], f[1]))
	}
	return fmt.Sprintf(`{"id": %q, "name": %q, "prefab": {"asset": %q, "overrides": [%s], "removedComponents": [%s]}, "components": [%s]}`,
		id, name, asset, strings.Join(o, ","), strings.Join(r, ","), strings.Join(c, ","))
}

func TestClasses(t *testing.T) {
	gone := "f0000000000000000000000000000009"
	nested := scene.Derive(parseGuid(t, postLamp), parseGuid(t, bulb)).String()
	for _, test := range []struct {
		name                    string
		asset                   string
		overrides, removed, own []string
		want                    []string // kind, class, and a part of the reason
	}{
		{name: "another value", overrides: []string{lampRoot + ` Sprite tint "#FF0000"`}, want: []string{"override effective"}},
		{name: "the same value in other words", overrides: []string{bulb + ` Light2D radius 1.0e1`}, want: []string{"override redundant"}},
		{name: "a value that the prefab leaves at its default", overrides: []string{lampRoot + ` Sprite flipX true`}, want: []string{"override effective"}},
		{name: "null where the prefab has nothing", overrides: []string{lampRoot + ` Sprite flipX null`}, want: []string{"override redundant"}},
		{name: "behind the last item", overrides: []string{bulb + ` Light2D colors.2 "#FF0000"`}, want: []string{"override effective"}},
		{name: "an entity that is gone", overrides: []string{gone + ` Sprite tint "#FF0000"`}, want: []string{"override orphaned no entity with the id " + gone}},
		{name: "a component that is gone", overrides: []string{bulb + ` Sprite tint "#FF0000"`}, want: []string{"override orphaned Bulb has no component Sprite"}},
		{name: "a path through a number", overrides: []string{lampRoot + ` Sprite layer.x 1`}, want: []string{"override orphaned path leads nowhere"}},
		{name: "an index that is gone", overrides: []string{lampRoot + ` Sprite frames.4.duration 1`}, want: []string{"override orphaned path leads nowhere"}},
		{name: "an empty path", overrides: []string{lampRoot + ` Sprite  1`}, want: []string{"override unreadable path is empty"}},
		{name: "a color that is none", overrides: []string{lampRoot + ` Sprite tint "red-ish"`}, want: []string{"override unreadable cannot read the value"}},
		{name: "a prefab that is not there", asset: gone, overrides: []string{lampRoot + ` Sprite tint "#FF0000"`}, removed: []string{bulb + " Light2D"}, own: []string{"Sprite {}"}, want: []string{"override unreadable no prefab", "removed unreadable no prefab"}},
		{name: "behind an own component", overrides: []string{lampRoot + ` Sprite tint "#FF0000"`}, own: []string{`Sprite {"tint": "#00FF00"}`}, want: []string{"override hidden component Sprite of its own", "replaced effective"}},
		{name: "an own component like the prefab's", own: []string{`Sprite {"layer": 3, "frames": [{"duration": 1.0}], "tint": "#FFFFFF"}`}, want: []string{"replaced redundant"}},
		{name: "an own component that keeps an override away", overrides: []string{lampRoot + ` Sprite layer 4`}, own: []string{`Sprite {"layer": 3, "frames": [{"duration": 1.0}], "tint": "#FFFFFF"}`}, want: []string{"override hidden", "replaced effective"}},
		{name: "an own component that is new, and where it stands", own: []string{`Transform {"position": [5, 5]}`, `Tags {"values": ["a"]}`}, want: []string{"added effective"}},
		{name: "two own components of a type", own: []string{`Tags {"values": ["a"]}`, `Tags {"values": ["b"]}`}, want: []string{"added hidden another component Tags", "added effective"}},
		{name: "a later override of the same value", overrides: []string{bulb + ` Light2D radius 1`, bulb + ` Light2D radius 2`}, want: []string{"override hidden later override", "override effective"}},
		{name: "the prefab's value again after another", overrides: []string{lampRoot + ` Sprite frames [{"duration":5}]`, lampRoot + ` Sprite frames.0.duration 1`}, want: []string{"override effective", "override effective"}},
		{name: "a removed component", removed: []string{bulb + " Light2D"}, want: []string{"removed effective"}},
		{name: "removed twice", removed: []string{bulb + " Light2D", bulb + " Light2D"}, want: []string{"removed effective", "removed redundant"}},
		{name: "removed and gone", removed: []string{bulb + " Sprite", gone + " Sprite"}, want: []string{"removed orphaned no component Sprite", "removed orphaned no entity"}},
		{name: "an override of a removed component", overrides: []string{bulb + ` Light2D radius 10`}, removed: []string{bulb + " Light2D"}, want: []string{"override effective makes it again", "removed effective"}},
		{name: "a member of a prefab in the prefab", asset: postAsset, overrides: []string{nested + ` Light2D radius 20`, nested + ` Light2D colors.0 "#123456"`}, want: []string{"override redundant", "override effective"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			asset := test.asset
			if asset == "" {
				asset = lampAsset
			}
			w := workspace(t, smallProject(t, instanceOf(spot, "Spot", asset, test.overrides, test.removed, test.own)))
			var got []string
			for _, r := range table(t, w, Filter{Files: []string{level}}).Rows {
				got = append(got, strings.TrimSpace(r.Kind.String()+" "+r.Class.String()+" "+r.Reason))
			}
			if len(got) != len(test.want) {
				t.Fatalf("got %q, want %q", got, test.want)
			}
			for i, want := range test.want {
				words := strings.SplitN(want, " ", 3)
				if !strings.HasPrefix(got[i], words[0]+" "+words[1]) || len(words) > 2 && !strings.Contains(got[i], words[2]) {
					t.Errorf("got %q, want %q", got[i], want)
				}
			}
		})
	}
}

func TestRowsOfNestedPrefabs(t *testing.T) {
	member := scene.Derive(parseGuid(t, postLamp), parseGuid(t, bulb))
	w := workspace(t, smallProject(t, instanceOf(spot, "Spot", postAsset, []string{member.String() + ` Light2D radius 5`}, nil, nil)))
	found := table(t, w, Filter{})
	if found.Files != 3 || found.Instances != 2 || len(found.Rows) != 2 {
		t.Fatalf("%d files, %d instances, %d rows", found.Files, found.Instances, len(found.Rows))
	}
	inner, r := found.Rows[0], found.Rows[1]
	if inner.File != postFile || inner.Class != Effective || inner.EntityName != "Bulb" || jsondoc.Compact(inner.PrefabValue, jsondoc.Relaxed) != "10" {
		t.Errorf("in the prefab: %s", describe(inner))
	}
	if got := jsondoc.Compact(r.PrefabValue, jsondoc.Relaxed); got != "20" || r.EntityName != "Bulb" || r.Member != scene.Derive(parseGuid(t, spot), member) {
		t.Errorf("in the scene: %s, member %s", describe(r), r.Member)
	}
	want := []PrefabRef{{parseGuid(t, postAsset), postFile}, {parseGuid(t, lampAsset), lampFile}}
	if diff := cmp.Diff(want, r.Chain); diff != "" {
		t.Error(diff)
	}
	// A change of the innermost prefab is seen through both.
	c, err := w.Set(t.Context(), Target{File: lampFile, Instance: parseGuid(t, lampRoot), Component: "Sprite", Path: "layer"}, []byte("7"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, v := range c.Values {
		if v.What == Seen {
			seen[v.File]++
		}
	}
	if diff := cmp.Diff(map[string]int{level: 1, postFile: 1}, seen); diff != "" {
		t.Error(diff)
	}
}

// What cannot be read is a problem with its place, and the others are listed all the same.
func TestOverridesPassesOverDamagedFiles(t *testing.T) {
	files := smallProject(t, instanceOf(spot, "Spot", lampAsset, []string{lampRoot + ` Sprite layer 9`}, nil, nil))
	files["scenes/broken.tscene"] = "{\n  \"entities\": [ {\"id\": 5} ]\n}"
	files["scenes/newer.tscene"] = `{"version": 2}`
	files["scenes/bad.tscene"] = "\xff"
	w := workspace(t, files)
	found := table(t, w, Filter{})
	var got []string
	for _, p := range found.Problems {
		got = append(got, fmt.Sprintf("%s %s %d", p.Code, p.File, p.Line))
	}
	want := []string{"not-json assets/scenes/bad.tscene 1", "bad-type assets/scenes/broken.tscene 2", "newer-version assets/scenes/newer.tscene 1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(found.Rows) != 2 {
		t.Errorf("%d rows", len(found.Rows))
	}
	for file := range files {
		if strings.HasSuffix(file, ".meta") {
			continue
		}
		if _, err := w.Set(t.Context(), Target{File: file, Instance: parseGuid(t, spot), Component: "Sprite", Path: "layer"}, []byte("1")); (err == nil) != (file == level) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// Prefabs in themselves, directly and through each other, neither hang nor keep the rest from being listed.
func TestOverridesOfPrefabsInThemselves(t *testing.T) {
	files := smallProject(t, instanceOf(spot, "Spot", lampAsset, []string{lampRoot + ` Sprite layer 9`}, nil, nil))
	self := instanceOf("d0000000000000000000000000000001", "Self", "33333333333333333333333333333333", []string{lampRoot + ` Sprite layer 9`}, nil, nil)
	files["prefabs/self.tprefab"] = canonical(t, scene.Prefab, []byte(`{"entities": [`+self+`]}`))
	files["prefabs/self.tprefab.meta"] = metaText("33333333333333333333333333333333")
	one := instanceOf("d0000000000000000000000000000002", "One", "55555555555555555555555555555555", []string{lampRoot + ` Sprite layer 9`}, nil, nil)
	two := instanceOf("d0000000000000000000000000000003", "Two", "44444444444444444444444444444444", []string{lampRoot + ` Sprite layer 9`}, nil, nil)
	files["prefabs/one.tprefab"] = canonical(t, scene.Prefab, []byte(`{"entities": [`+one+`]}`))
	files["prefabs/one.tprefab.meta"] = metaText("44444444444444444444444444444444")
	files["prefabs/two.tprefab"] = canonical(t, scene.Prefab, []byte(`{"entities": [`+two+`]}`))
	files["prefabs/two.tprefab.meta"] = metaText("55555555555555555555555555555555")
	w := workspace(t, files)
	found := table(t, w, Filter{Classes: []Class{Unreadable}})
	if len(found.Rows) != 1 || !strings.Contains(found.Rows[0].Reason, "in itself") {
		t.Errorf("got %+v", found.Rows)
	}
	if _, err := w.Apply(t.Context(), found.Rows[0].Target()); err == nil {
		t.Error("applied to a prefab in itself")
	}
	if _, err := w.Revert(t.Context(), found.Rows[0].Target()); err != nil {
		t.Errorf("revert: %v", err)
	}
}

func TestApplySkipsWhatLeadsNowhere(t *testing.T) {
	gone := "f0000000000000000000000000000009"
	w := workspace(t, smallProject(t, instanceOf(spot, "Spot", lampAsset, []string{
		gone + ` Sprite tint "#FF0000"`, lampRoot + ` Sprite layer.x 1`, lampRoot + ` Sprite layer 8`, lampRoot + ` Sprite  1`, bulb + ` Halo size 2`,
	}, []string{gone + " Sprite"}, []string{`Tags {"values": ["a"]}`, `Transform {"position": [9, 9]}`})))
	c, err := w.Apply(t.Context(), Target{File: level, Instance: parseGuid(t, spot)})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Skipped) != 4 {
		t.Errorf("skipped: %v", c.Skipped)
	}
	for _, p := range c.Skipped {
		if p.File != "assets/"+level || p.Line == 0 || p.Hint == "" {
			t.Errorf("skipped without place or advice: %+v", p)
		}
	}
	do(t, w, c)
	d, err := w.Document(level)
	if err != nil {
		t.Fatal(err)
	}
	e := &d.Entities[0]
	if len(e.Link.Overrides) != 3 || len(e.Link.Removed) != 1 || len(e.Components) != 1 || e.Components[0].Type != transform {
		t.Errorf("left: %s", e.JSON.Raw())
	}
	p, err := w.Document(lampFile)
	if err != nil {
		t.Fatal(err)
	}
	got := []string{
		jsondoc.Compact(p.Entities[0].Component("Sprite").Data.Get("layer"), jsondoc.Relaxed), jsondoc.Compact(p.Entities[0].Component("Tags").Data, jsondoc.Relaxed),
		jsondoc.Compact(p.Entities[1].Component("Halo").Data, jsondoc.Relaxed), jsondoc.Compact(p.Entities[0].Component(transform).Data, jsondoc.Relaxed),
	}
	if diff := cmp.Diff([]string{"8", `{"values":["a"]}`, `{"size":2}`, `{"position":[0,0]}`}, got); diff != "" {
		t.Error(diff)
	}
	if text := current(t, w, lampFile); text != canonical(t, scene.Prefab, []byte(text)) {
		t.Error("the prefab has left the engine's layout")
	}
}

// Comments, another indentation and line ends stay, and what is new follows them.
func TestEditsKeepTheLayoutOfAFile(t *testing.T) {
	files := smallProject(t, instanceOf(spot, "Spot", lampAsset, nil, nil, nil))
	files[level] = "// by hand\r\n{\r\n\t\"entities\": [\r\n\t\t{ \"id\": \"" + spot + "\", /* the only one */ \"prefab\": { \"asset\": \"" + lampAsset + "\" }, \"mine\": [1,2,  3] },\r\n\t],\r\n}\r\n"
	w := workspace(t, files)
	target := Target{File: level, Instance: parseGuid(t, spot), Entity: parseGuid(t, bulb), Component: "Light2D", Path: "radius"}
	for _, value := range []string{"33", "34"} {
		c, err := w.Set(t.Context(), target, []byte(value))
		if err != nil {
			t.Fatal(err)
		}
		do(t, w, c)
	}
	want := strings.Replace(files[level], `"asset": "`+lampAsset+`"`, `"asset": "`+lampAsset+`", "overrides": [{ "entity": "`+bulb+`", "component": "Light2D", "path": "radius", "value": 34 }]`, 1)
	if got := current(t, w, level); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	w.Files().Undo()
	w.Files().Undo()
	if current(t, w, level) != files[level] {
		t.Error("undo does not give the same bytes")
	}
}
