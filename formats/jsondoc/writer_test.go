package jsondoc

import (
	"math"
	"testing"
)

func TestWriterLayout(t *testing.T) {
	w := NewWriter(Strict)
	w.BeginObject()
	w.Name("a\"é")
	w.String("<b>")
	w.Name("list")
	w.BeginArray()
	w.Int(-9223372036854775808)
	w.Bool(true)
	w.Bool(false)
	w.Null()
	w.Number("1.50")
	w.Float32(0.1)
	w.Float64(0.1)
	w.Vector(0, 980.5)
	w.BeginObject()
	w.EndObject()
	w.BeginArray()
	w.EndArray()
	w.EndArray()
	w.Name("o")
	w.BeginObject()
	w.Name("x")
	w.BeginArray()
	w.Vector()
	w.EndArray()
	w.EndObject()
	w.EndObject()
	const want = `{
  "a\u0022\u00E9": "\u003Cb\u003E",
  "list": [
    -9223372036854775808,
    true,
    false,
    null,
    1.50,
    0.1,
    0.1,
    [0, 980.5],
    {},
    []
  ],
  "o": {
    "x": [
      []
    ]
  }
}`
	if got := string(w.Bytes()); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestWrittenAnew(t *testing.T) {
	const text = `// top
{
	"b" : 1.0, // kept text
	"a": [1, 2.50], "\u0062": -0, "s": "\u00e9\/\u003c\ud800\ud83c\udfee\u0001", "e": {}, "l": [ ],
	"many": {"1":1,"2":2,"3":3,"4":4,"5":5,"6":6,"7":7,"8":8,"9":9,"3":30,"9":{"1":0,"1":1}},
}`
	root := parse(t, text).Root()
	for escaping, want := range map[Escaping]string{
		Strict:  `{"b":-0,"a":[1,2.50],"s":"\u00E9/\u003C\uD800\uD83C\uDFEE\u0001","e":{},"l":[],"many":{"1":1,"2":2,"3":30,"4":4,"5":5,"6":6,"7":7,"8":8,"9":{"1":1}}}`,
		Relaxed: `{"b":-0,"a":[1,2.50],"s":"é/<\uD800\uD83C\uDFEE\u0001","e":{},"l":[],"many":{"1":1,"2":2,"3":30,"4":4,"5":5,"6":6,"7":7,"8":8,"9":{"1":1}}}`,
	} {
		if got := Compact(root, escaping); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		w := NewWriter(escaping)
		w.Value(root)
		again := parse(t, string(w.Bytes())).Root()
		if got := Compact(again, escaping); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
	w := NewWriter(Relaxed)
	w.BeginObject()
	w.Name("data")
	w.Data(root.Get("a"))
	w.Name("settings")
	w.Value(root.Get("a"))
	w.Name("none")
	w.Value(root.Get("none"))
	w.EndObject()
	const want = "{\n  \"data\": [1, 2.50],\n  \"settings\": [\n    1,\n    2.50\n  ],\n  \"none\": null\n}"
	if got := string(w.Bytes()); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestEscapingByCategory(t *testing.T) {
	for _, c := range []struct {
		name string
		r    rune
		raw  bool
	}{
		{"letter", 'ж', true},
		{"mark", '\u0301', true},
		{"number", '½', true},
		{"punctuation", '«', true},
		{"symbol", '€', true},
		{"format", '\u200b', true},
		{"soft hyphen", '\u00ad', true},
		{"byte order mark", '\uFEFF', true},
		{"replacement character", '\uFFFD', true},
		{"control", '\u0085', false},
		{"delete", '\u007f', false},
		{"private use", '\uE000', false},
		{"unassigned", '\u0378', false},
		{"noncharacter", '\uFFFF', false},
		{"space", '\u2003', false},
		{"line separator", '\u2028', false},
		{"paragraph separator", '\u2029', false},
		{"above U+FFFF", '\U00010000', false},
	} {
		got := string(AppendString(nil, string(c.r), Relaxed))
		if (got == `"`+string(c.r)+`"`) != c.raw {
			t.Errorf("%s: got %s", c.name, got)
		}
		if s, err := parse(t, got).Root().Text(); s != string(c.r) || err != nil {
			t.Errorf("%s: %s reads as %q, %v", c.name, got, s, err)
		}
	}
	if got := string(AppendString(nil, "a\xffb\xed\xa0\x80", Strict)); got != `"a\uFFFDb\uFFFD\uFFFD\uFFFD"` {
		t.Errorf("got %s", got)
	}
	if got := string(AppendString([]byte("x"), "a\xff/é", Relaxed)); got != "x\"a\uFFFD/é\"" {
		t.Errorf("got %s", got)
	}
}

func TestNumbersThatAreNotFinite(t *testing.T) {
	for want, f := range map[string]float64{`"NaN"`: math.NaN(), `"Infinity"`: math.Inf(1), `"-Infinity"`: math.Inf(-1)} {
		if got := string(AppendFloat64(nil, f)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if got := string(AppendFloat32(nil, float32(f))); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
