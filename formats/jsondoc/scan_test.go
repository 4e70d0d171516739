package jsondoc

import (
	"bytes"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"talebinder/formats"
)

func TestSyntaxErrorsSayWhereAndWhat(t *testing.T) {
	plain := Options{Plain: true}
	deep := strings.Repeat("[", 64)
	for _, c := range []struct {
		text    string
		options Options
		want    string
	}{
		{"", Options{}, "line 1, column 1: expected a value, found the end of the file"},
		{" \n // nothing", Options{}, "line 2, column 12: expected a value, found the end of the file"},
		{"{\n  \"a\": 1,\n  \"b\": }", Options{}, "line 3, column 8: expected a value, found `}`"},
		{"{\r\n  \"é\u65e5\": x}", Options{}, "line 2, column 9: expected a value, found `x`"},
		{"[1 2]", Options{}, "line 1, column 4: expected `,` or `]`, found `2`"},
		{"{\"a\": 1 \"b\": 2}", Options{}, "line 1, column 9: expected `,` or `}`, found `\"b\"`"},
		{"{\"a\" 1}", Options{}, "line 1, column 6: expected `:` after the property name `\"a\"`, found `1`"},
		{"{\"a\"", Options{}, "line 1, column 5: expected `:` after the property name `\"a\"`, found the end of the file"},
		{"{a: 1}", Options{}, "line 1, column 2: expected a property name in quotes or `}`, found `a`"},
		{"{\"a\": 1,, }", Options{}, "line 1, column 9: expected a property name in quotes or `}`, found `,`"},
		{"[,]", Options{}, "line 1, column 2: expected a value or `]`, found `,`"},
		{"[1,,]", Options{}, "line 1, column 4: expected a value or `]`, found `,`"},
		{"{,}", Options{}, "line 1, column 2: expected a property name in quotes or `}`, found `,`"},
		{"[1}", Options{}, "line 1, column 3: expected `,` or `]`, found `}`"},
		{"{\"a\": 1]", Options{}, "line 1, column 8: expected `,` or `}`, found `]`"},
		{"\n[\n  [1,\n  2", Options{}, "line 4, column 4: expected `,` or `]` for the `[` of line 3, column 3, found the end of the file"},
		{"{\"a\": {}", Options{}, "line 1, column 9: expected `,` or `}` for the `{` of line 1, column 1, found the end of the file"},
		{"{} {}", Options{}, "line 1, column 4: expected the end of the file, found `{`"},
		{"1,", Options{}, "line 1, column 2: expected the end of the file, found `,`"},
		{"True", Options{}, "line 1, column 1: expected a value, found `True`"},
		{"[nul]", Options{}, "line 1, column 2: expected a value or `]`, found `nul`"},
		{"truest", Options{}, "line 1, column 1: expected a value, found `truest`"},
		{"NaN", Options{}, "line 1, column 1: expected a value, found `NaN`"},
		{"-Infinity", Options{}, "line 1, column 1: expected a number, found `-Infinity`"},
		{"'a'", Options{}, "line 1, column 1: expected a value, found `'`"},
		{"\u201ca\u201d", Options{}, "line 1, column 1: expected a value, found `\u201c`"},
		{"\u00a0 1", Options{}, "line 1, column 1: expected a value, found `\u00a0`"},
		{"\v1", Options{}, "line 1, column 1: expected a value, found the character U+000B"},
		{"[1]\x00", Options{}, "line 1, column 4: expected the end of the file, found the character U+0000"},
		{"\uFEFF\uFEFF1", Options{}, "line 1, column 1: expected a value, found the character U+FEFF"},

		{"01", Options{}, "line 1, column 1: expected a number without leading zeros, found `01`"},
		{"-00.5", Options{}, "line 1, column 1: expected a number without leading zeros, found `-00.5`"},
		{"+1", Options{}, "line 1, column 1: expected a value, found `+1`"},
		{".5", Options{}, "line 1, column 1: expected a value, found `.5`"},
		{"[1.]", Options{}, "line 1, column 4: expected a digit after `1.`, found `]`"},
		{"-", Options{}, "line 1, column 2: expected a digit after `-`, found the end of the file"},
		{"1e+ ", Options{}, "line 1, column 4: expected a digit after `1e+`, found a space"},
		{"1.e5", Options{}, "line 1, column 1: expected a number, found `1.e5`"},
		{"0x10", Options{}, "line 1, column 1: expected a number, found `0x10`"},
		{"1.2.3", Options{}, "line 1, column 1: expected a number, found `1.2.3`"},
		{"1_000", Options{}, "line 1, column 1: expected a number, found `1_000`"},

		{"[\"a]", Options{}, "line 1, column 2: expected `\"` at the end of the text that begins here, found the end of the file"},
		{"[\"a\n\"]", Options{}, "line 1, column 2: expected `\"` at the end of the text that begins here, found the end of the line"},
		{"[\"a\tb\"]", Options{}, "line 1, column 4: expected `\\u0009` for this character inside a text, found the character itself"},
		{"\"\\x41\"", Options{}, "line 1, column 2: expected an escape (`\\\"` `\\\\` `\\/` `\\b` `\\f` `\\n` `\\r` `\\t` `\\u`), found `\\x`"},
		{"\"\\\n\"", Options{}, "line 1, column 2: expected an escape (`\\\"` `\\\\` `\\/` `\\b` `\\f` `\\n` `\\r` `\\t` `\\u`), found `\\` and the end of the line"},
		{"\"\\", Options{}, "line 1, column 2: expected an escape (`\\\"` `\\\\` `\\/` `\\b` `\\f` `\\n` `\\r` `\\t` `\\u`), found `\\` and the end of the file"},
		{"\"\\u12G4\"", Options{}, "line 1, column 2: expected `\\u` and four hexadecimal digits, found `\\u12G4`"},
		{"\"\\u12\"", Options{}, "line 1, column 2: expected `\\u` and four hexadecimal digits, found `\\u12`"},

		{"[1, /* two]", Options{}, "line 1, column 5: expected `*/` at the end of the comment that begins here, found the end of the file"},
		{"/*/", Options{}, "line 1, column 1: expected `*/` at the end of the comment that begins here, found the end of the file"},
		{"[1, / 2]", Options{}, "line 1, column 5: expected a value or `]`, found `/`"},
		{"1 /", Options{}, "line 1, column 3: expected the end of the file, found `/`"},
		{"# 1", Options{}, "line 1, column 1: expected a value, found `#`"},

		{"[1, // two\n 2]", plain, "line 1, column 5: expected a value after the comma, found a comment"},
		{"1 /* one */", plain, "line 1, column 3: expected the end of the file, found a comment"},
		{"[1,]", plain, "line 1, column 4: expected a value after the comma, found `]`"},
		{"{\"a\": 1,}", plain, "line 1, column 9: expected a property name in quotes after the comma, found `}`"},

		{deep + "[", Options{}, "line 1, column 65: expected at most 64 lists and objects in each other, found one more"},
		{deep + "{", Options{}, "line 1, column 65: expected at most 64 lists and objects in each other, found one more"},
		{"[[[1]]]", Options{MaxDepth: 2}, "line 1, column 3: expected at most 2 lists and objects in each other, found one more"},

		{"[1,\n \"a\xffb\"]", Options{}, "line 2, column 4: expected UTF-8, found the byte 0xFF; save the file as UTF-8"},
		{"// \xc3\n1", Options{}, "line 1, column 4: expected UTF-8, found the byte 0xC3; save the file as UTF-8"},
		{"\"\xed\xa0\x80\"", Options{}, "line 1, column 2: expected UTF-8, found the byte 0xED; save the file as UTF-8"},
		{"\xff\xfe{\x00}\x00", Options{}, "line 1, column 1: expected UTF-8, found a text in UTF-16; save the file as UTF-8"},
		{"{\"" + strings.Repeat("é", 100) + "\" 1}", Options{}, "line 1, column 105: expected `:` after the property name `\"" + strings.Repeat("é", 19) + "…`, found `1`"},
	} {
		doc, err := ParseOptions([]byte(c.text), c.options)
		var syntax *SyntaxError
		if doc != nil || !errors.As(err, &syntax) || !errors.Is(err, formats.ErrDamaged) {
			t.Errorf("%q: got %v, %v", c.text, doc, err)
			continue
		}
		if err.Error() != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.text, err, c.want)
		}
		if line, column := position([]byte(c.text), syntax.Offset); line != syntax.Line || column != syntax.Column {
			t.Errorf("%q: offset %d is line %d, column %d; the error says %d, %d", c.text, syntax.Offset, line, column, syntax.Line, syntax.Column)
		}
	}
}

func TestParseAccepts(t *testing.T) {
	for _, text := range []string{
		"0", "-0", "-0.0e-0", "1E+400", strings.Repeat("9", 400), "true", "null", `""`, `"\u0000\ud800\uDC00x\ud800"`,
		"\uFEFF{}", "{}//", "{}// no line end", "[1,]", "{\"a\":1,}", "[1 /**/, /***/]", "// a\r1", "/* // */1",
		"[ // a \n ]", "{/**/\"a\"/**/:/**/1/**/,/**/}/**/", "\t\r\n 1\t\r\n ", "\"\u007f\u2028\"", "[\"//\", \"/*\"]",
		strings.Repeat("[", 64) + strings.Repeat("]", 64),
		strings.Repeat(`{"a":`, 64) + "1" + strings.Repeat("}", 64),
	} {
		doc, err := Parse([]byte(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if string(doc.Text()) != text {
			t.Errorf("%q: the text is %q", text, doc.Text())
		}
	}
}

// Nesting must cost neither stack nor memory: 20 MB of brackets are refused at the 65th.
func TestNestingIsRefusedAtOnce(t *testing.T) {
	for _, text := range [][]byte{
		bytes.Repeat([]byte("["), 20_000_000),
		bytes.Repeat([]byte(`{"a":`), 4_000_000),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Parse(text)
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Error("no error")
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 1<<20 {
			t.Errorf("%d bytes allocated", grown)
		}
	}
}

func TestValues(t *testing.T) {
	doc := parse(t, "\uFEFF// head\n{\n  \"é\": \"\\u00e9\\n\\ud83c\\udfee/\\/\", \"half\": \"\\ud83c\",\n"+
		"  \"n\": [1, -2147483648, 2147483648, 1.0, 1e0, 1e999, 0.1, 9223372036854775807, 9223372036854775808],\n"+
		"  \"t\": true, \"f\": false, \"null\": null, \"Mixed\": 1, \"MIXED\": 2, \"o\": {\"a\": [[], {}, [1]]}\n}")
	root := doc.Root()
	if s, err := root.Get("é").Text(); s != "é\n\U0001F3EE//" || err != nil {
		t.Errorf("got %q, %v", s, err)
	}
	n := root.Get("n")
	if i, err := n.Index(1).Int32(); i != -2147483648 || err != nil {
		t.Errorf("got %d, %v", i, err)
	}
	if i, err := n.Index(7).Int64(); i != 9223372036854775807 || err != nil {
		t.Errorf("got %d, %v", i, err)
	}
	if f, err := n.Index(6).Float32(); f != 0.1 || err != nil {
		t.Errorf("got %v, %v", f, err)
	}
	if f, err := n.Index(5).Float64(); f < 1e308 || err != nil {
		t.Errorf("got %v, %v", f, err)
	}
	if b, err := root.Get("t").Bool(); !b || err != nil {
		t.Errorf("got %v, %v", b, err)
	}
	if b, err := root.Get("f").Bool(); b || err != nil {
		t.Errorf("got %v, %v", b, err)
	}
	if i, err := root.GetFold("mixed").Int32(); i != 2 || err != nil || root.Get("mixed").Exists() {
		t.Errorf("got %d, %v", i, err)
	}
	var names []string
	for name, v := range root.Members() {
		names = append(names, name)
		if got, _ := v.Name().Text(); got != name {
			t.Errorf("the member %q has the name %q", name, got)
		}
	}
	if want := []string{"é", "half", "n", "t", "f", "null", "Mixed", "MIXED", "o"}; !slices.Equal(names, want) {
		t.Errorf("got %q", names)
	}
	if line, column := root.Get("half").Position(); line != 3 || column != 43 {
		t.Errorf("half is at line %d, column %d", line, column)
	}
	if line, column := doc.Position(3); line != 1 || column != 1 {
		t.Errorf("the first character is at line %d, column %d", line, column)
	}
	if !root.Get("null").Exists() || root.Get("null").Kind() != Null {
		t.Error("null is missing")
	}
	list := root.Get("o").Get("a")
	if list.Len() != 3 || string(list.Index(2).Raw()) != "[1]" || list.Index(3).Exists() || list.Index(-1).Exists() {
		t.Error("wrong items")
	}
	for range root.Members() {
		break // stopping early must not panic
	}
	for range n.Items() {
		break
	}

	for want, get := range map[string]func() error{
		"line 3, column 43: expected a text, found a text with half of a surrogate pair":     func() error { _, err := root.Get("half").Text(); return err },
		"line 4, column 9: expected a text, found a number":                                  func() error { _, err := n.Index(0).Text(); return err },
		"line 4, column 25: expected a whole number of 32 bits, found `2147483648`":          func() error { _, err := n.Index(2).Int32(); return err },
		"line 4, column 37: expected a whole number, found `1.0`":                            func() error { _, err := n.Index(3).Int32(); return err },
		"line 4, column 42: expected a whole number, found `1e0`":                            func() error { _, err := n.Index(4).Int64(); return err },
		"line 4, column 80: expected a whole number of 64 bits, found `9223372036854775808`": func() error { _, err := n.Index(8).Int64(); return err },
		"line 4, column 8: expected a whole number, found a list":                            func() error { _, err := n.Int32(); return err },
		"line 5, column 8: expected a number, found a boolean":                               func() error { _, err := root.Get("t").Float64(); return err },
		"line 5, column 34: expected true or false, found null":                              func() error { _, err := root.Get("null").Bool(); return err },
		"expected a text, found nothing":                                                     func() error { _, err := root.Get("x").Text(); return err },
		"line 2, column 1: expected a number, found an object":                               func() error { _, err := root.Float32(); return err },
	} {
		err := get()
		var wrong *TypeError
		if !errors.As(err, &wrong) || !errors.Is(err, formats.ErrDamaged) || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestMissingTakesEveryMethod(t *testing.T) {
	var v Value
	if v.Exists() || v.Kind() != Missing || v.Get("a").Exists() || v.GetFold("a").Exists() || v.Index(0).Exists() || v.Name().Exists() ||
		v.Path("a.0").Exists() || v.Len() != 0 || v.Start() != 0 || v.End() != 0 || v.Raw() != nil {
		t.Error("Missing is not empty")
	}
	for range v.Members() {
		t.Error("Missing has members")
	}
	for range v.Items() {
		t.Error("Missing has items")
	}
	if Compact(v, Strict) != "null" {
		t.Error("Missing is not written as null")
	}
	for kind, want := range map[Kind]string{Missing: "nothing", Null: "null", Bool: "a boolean", Number: "a number", String: "a text", Array: "a list", Object: "an object", 9: "Kind(9)"} {
		if kind.String() != want {
			t.Errorf("got %s, want %s", kind, want)
		}
	}
}
