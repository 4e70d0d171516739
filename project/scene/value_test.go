package scene

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"talebinder/formats/jsondoc"
)

func TestReadValues(t *testing.T) {
	sprint := func(v any, err error) string {
		if err != nil {
			return "error"
		}
		return fmt.Sprint(v)
	}
	shapes := []string{"box", "circle", "roundRect"}
	for _, c := range []struct {
		text, want string
		read       func(jsondoc.Value) (any, error)
	}{
		{`[1, 2.5]`, "1, 2.5", func(v jsondoc.Value) (any, error) { return ReadVector(v) }},
		{`{"Y": "-2", "x": 1, "z": 3}`, "1, -2", func(v jsondoc.Value) (any, error) { return ReadVector(v) }},
		{`[" 1e2 ", 0]`, "100, 0", func(v jsondoc.Value) (any, error) { return ReadVector(v) }},
		{`["0x10", 0]`, "error", func(v jsondoc.Value) (any, error) { return ReadVector(v) }},
		{`["Inf", 0]`, "error", func(v jsondoc.Value) (any, error) { return ReadVector(v) }},
		{`[1, 2, 3]`, "error", func(v jsondoc.Value) (any, error) { return ReadVector(v) }},
		{`{"x": 1}`, "error", func(v jsondoc.Value) (any, error) { return ReadVector(v) }},
		{`[-32, -32, 5120, "1024"]`, "-32, -32, 5120 × 1024", func(v jsondoc.Value) (any, error) { return ReadRect(v) }},
		{`[1, 2]`, "error", func(v jsondoc.Value) (any, error) { return ReadRect(v) }},
		{`"#f80"`, "#FF8800", func(v jsondoc.Value) (any, error) { return ReadColor(v) }},
		{`null`, "error", func(v jsondoc.Value) (any, error) { return ReadColor(v) }},
		{`"Circle"`, "circle", func(v jsondoc.Value) (any, error) { return ReadEnum(v, shapes) }},
		{`1`, "circle", func(v jsondoc.Value) (any, error) { return ReadEnum(v, shapes) }},
		{`-7`, "-7", func(v jsondoc.Value) (any, error) { return ReadEnum(v, shapes) }},
		{`1.0`, "error", func(v jsondoc.Value) (any, error) { return ReadEnum(v, shapes) }},
		{`"square"`, "error", func(v jsondoc.Value) (any, error) { return ReadEnum(v, shapes) }},
		{`"roundrect, BOX"`, "[roundRect box]", func(v jsondoc.Value) (any, error) { return ReadFlags(v, shapes) }},
		{`""`, "[]", func(v jsondoc.Value) (any, error) { return ReadFlags(v, shapes) }},
		{`"box,,"`, "error", func(v jsondoc.Value) (any, error) { return ReadFlags(v, shapes) }},
		{`"` + idA + `"`, idA, func(v jsondoc.Value) (any, error) { return ReadReference(v) }},
		{`null`, strings.Repeat("0", 32), func(v jsondoc.Value) (any, error) { return ReadReference(v) }},
		{`"Player"`, "error", func(v jsondoc.Value) (any, error) { return ReadReference(v) }},
		{`"-Infinity"`, "-Inf", func(v jsondoc.Value) (any, error) { return ReadFloat32(v) }},
		{`"1"`, "error", func(v jsondoc.Value) (any, error) { return ReadFloat32(v) }},
		{`[{"time":1,"value":2},{"time":0,"outTangent":3}]`, "[{0 0 0 3} {1 2 0 0}]", func(v jsondoc.Value) (any, error) { return ReadCurve(v) }},
		{`[{"time":"x"}]`, "error", func(v jsondoc.Value) (any, error) { return ReadCurve(v) }},
		{`[1]`, "error", func(v jsondoc.Value) (any, error) { return ReadCurve(v) }},
		{`[{"position":0.5,"color":"#000"},{}]`, "[{0 #FFFFFF} {0.5 #000000}]", func(v jsondoc.Value) (any, error) { return ReadGradient(v) }},
		{`[{"color":"x"}]`, "error", func(v jsondoc.Value) (any, error) { return ReadGradient(v) }},
	} {
		v, err := c.read(mustParse(c.text))
		if got := sprint(v, err); got != c.want {
			t.Errorf("%s: got %s, %v, want %s", c.text, got, err, c.want)
		}
		var fault *ValueError
		if err != nil && (!errors.As(err, &fault) || fault.Line != 1 || fault.Column == 0) {
			t.Errorf("%s: the error is %v", c.text, err)
		}
	}
}

func TestCurvesAndGradients(t *testing.T) {
	line := Curve{{Time: 1, Value: 0, OutTangent: 2}, {Time: 3, Value: 4, InTangent: 2}}
	for time, want := range map[float32]float32{0: 0, 1: 0, 1.5: 1, 2: 2, 3: 4, 9: 4} {
		if got := line.At(time); math.Abs(float64(got-want)) > 1e-5 {
			t.Errorf("at %g: got %g, want %g", time, got, want)
		}
	}
	ease := Curve{{Time: 0, Value: 0}, {Time: 1, Value: 1}}
	if got := ease.At(0.25); got != 0.15625 {
		t.Errorf("got %g", got)
	}
	if got := (Curve{{1, 5, 0, 0}, {1, 6, 0, 0}}).At(1); got != 5 {
		t.Errorf("got %g", got)
	}
	g, err := ReadGradient(mustParse(`[{"position":0,"color":"#000000"},{"position":1,"color":"#00FF0080"}]`))
	if err != nil || g.At(0.5).String() != "#80800040" || g.At(-1) != g[0].Color || g.At(2) != g[1].Color || (Gradient{}).At(0).String() != "#FFFFFF" || (Curve{}).At(1) != 0 {
		t.Errorf("got %s, %v", g.At(0.5), err)
	}
	if Degrees(1.5707964) != 90 || Degrees(Radians(33.3)) != 33.3 {
		t.Error("degrees do not come back")
	}
}

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`5`, `5.0`, true}, {`5`, `0.5e1`, true}, {`50e-1`, `5E+0`, true}, {`-0`, `0.00e9`, true}, {`5`, `-5`, false}, {`1e400`, `1e401`, false},
		{`1e400`, `10e399`, true}, {`0.1`, `0.10000000000000000000000001`, false}, {`1e` + strings.Repeat("9", 2000), `1`, false},
		{`{"a":1,"b":[1,2]}`, `{"b":[1.0,2],"a":1}`, true}, {`{"a":1}`, `{"a":1,"b":null}`, false}, {`[1,2]`, `[2,1]`, false}, {`[1]`, `[1,1]`, false},
		{`"\u0041"`, `"A"`, true}, {`"a"`, `"A"`, false}, {`true`, `false`, false}, {`null`, `null`, true}, {`null`, `0`, false}, {`"1"`, `1`, false},
		{`{"a":1,"a":2}`, `{"a":2}`, true},
	} {
		a, b := mustParse(c.a), mustParse(c.b)
		if Equal(a, b) != c.want || Equal(b, a) != c.want || !Equal(a, a) {
			t.Errorf("%s and %s: want %v", c.a, c.b, c.want)
		}
	}
	if !Equal(jsondoc.Value{}, mustParse("null")) || Equal(jsondoc.Value{}, mustParse("{}")) {
		t.Error("what is missing equals null and nothing else")
	}
}

func TestSetPathBeyondTheDepth(t *testing.T) {
	data := mustParse(`{"a":{"b":1}}`)
	long := strings.Repeat("x.", 100)
	after, err := SetPath(data, long, mustParse("1"))
	var fault *jsondoc.PathError
	if !errors.As(err, &fault) || after != data {
		t.Errorf("got %s, %v", after.Raw(), err)
	}
	if after, err = SetPath(data, "a.b", jsondoc.Value{}); err != nil || jsondoc.Compact(after, jsondoc.Relaxed) != `{"a":{"b":null}}` {
		t.Errorf("got %s, %v", after.Raw(), err)
	}
}

func TestFields(t *testing.T) {
	for _, c := range []struct{ component, path, text, want string }{
		{"Transform", "rotation", "1.5707964", "90°"}, {"Transform", "position", "[256, 672]", "256, 672"}, {"Transform", "position.0", "1.50", "1.50"},
		{"Camera", "bounds", "[-32, -32, 5120, 1024]", "-32, -32, 5120 × 1024"}, {"Light2D", "color", `"ffb25a"`, "#FFB25A"}, {"Light2D", "color", `3`, "3"},
		{"Tags", "values", `["a", "b"]`, "a, b"}, {"Sprite", "sprite", `"boat-0"`, "boat-0"}, {"My.Health", "points", `{"max": 3}`, `{"max":3}`},
		{"ScriptComponent", "scripts.0.enabled", "true", "true"}, {"ScriptComponent", "scripts.0.fields.speed", "84", "84"},
	} {
		if got := FieldOf(c.component, c.path).Show(mustParse(c.text)); got != c.want {
			t.Errorf("%s %s: got %s, want %s", c.component, c.path, got, c.want)
		}
	}
	if f := FieldOf("ScriptComponent", "scripts.0.enabled"); f.Type != Bool {
		t.Errorf("got %+v", f)
	}
	for text, want := range map[string]ValueType{
		`1`: Number, `true`: Bool, `"x"`: Text, `"#FFF"`: ColorType, `"` + idA + `"`: AssetType, `[1,2]`: VectorType, `[1,2,3,4]`: RectType, `[1,2,3]`: Unknown,
		`[]`: Unknown, `{}`: Unknown, `null`: Unknown, `[{"time":0,"value":1}]`: CurveType, `[{"position":0,"color":"#FFF"}]`: GradientType, `[1,2,3,4,5]`: Unknown,
	} {
		if got := GuessType(mustParse(text)); got != want {
			t.Errorf("%s: got %d, want %d", text, got, want)
		}
	}
	if got := strings.Join(SortSet([]string{"b", "a", "\U0001F600", "\uFF00", "a"}), " "); got != "a b \U0001F600 \uFF00" {
		t.Errorf("got %s", got)
	}
}

// Every field of the sample game and of Lantern Grove is readable as the table says it is.
func TestFieldsOfRealScenes(t *testing.T) {
	count := 0
	for _, pattern := range []string{"../../examples/*/assets/*/*.t*", "../../../shared/samples/*/assets/*/*.t*"} {
		for _, d := range documentsAt(t, pattern) {
			for _, e := range d.Entities {
				for _, c := range e.Components {
					for name, v := range c.Data.Members() {
						f := FieldOf(c.Type, name)
						if err := f.Check(v); err != nil || f.Type == Unknown && Fields(c.Type) != nil {
							t.Errorf("%s: %s.%s of %s is %s: %v", d.Name, c.Type, name, e.Name, v.Raw(), err)
						}
						count++
					}
				}
			}
		}
	}
	t.Logf("%d values", count)
	if count == 0 {
		t.Error("no values")
	}
}

// documentsAt reads the scenes and prefabs whose paths match the pattern.
func documentsAt(t testing.TB, pattern string) []*Document {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	var documents []*Document
	for _, file := range files {
		if _, ok := KindOf(file); ok {
			d, err := ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			documents = append(documents, d)
		}
	}
	return documents
}
