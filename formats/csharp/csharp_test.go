package csharp_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"talebinder/formats/csharp"
)

func TestGolden(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "golden", "talesmith", "csharp_literals.json"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("no golden files beside the project")
	}
	var list struct {
		Cases []struct {
			Source   string
			Literals []string
		}
	}
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range list.Cases {
		if got := csharp.Literals([]byte(c.Source)); !slices.Equal(got, c.Literals) {
			t.Errorf("case %d: got %q, want %q", i, got, c.Literals)
		}
	}
	t.Logf("%d cases", len(list.Cases))
}

func TestLiterals(t *testing.T) {
	for _, c := range []struct {
		name, source string
		want         []string
	}{
		{"no strings", `class A { int b = 1 / 2; }`, nil},
		{"an empty string", `f("", "a")`, []string{"", "a"}},
		{"every escape", `"\'\"\\\0\a\b\e\f\n\r\t\v\u0041\U0001F3EE\x42\x1234x"`, []string{"'\"\\\x00\a\b\x1b\f\n\r\t\vA🏮B\u1234x"}},
		{"a surrogate pair in two escapes", `"\uD83C\uDFEE"`, []string{"🏮"}},
		{"half a surrogate pair", `"\uD83Cx"`, []string{"\uFFFDx"}},
		{"an escape beyond Unicode", `"\UFFFFFFFFa"`, []string{"\uFFFDa"}},
		{"escapes that are none", `"\q\u12\xg"`, []string{"qu12xg"}},
		{"a string without an end", "\"a/b\nx = \"c/d\"", []string{"a/b", "c/d"}},
		{"a backslash at the end of a line", "\"a\\\n\"b\"", []string{"a", "b"}},
		{"characters that look like strings", `'"', '\'', "a", '\\', "b", '\u0022'`, []string{"a", "b"}},
		{"a character without an end", "'a\n\"b\"", []string{"b"}},
		{"comments", "// \"a\"\n/* \"b\" \n \"c\" */ \"d\" /// \"e\"", []string{"d"}},
		{"a comment without an end", `"a" /* "b"`, []string{"a"}},
		{"a line comment ends at any line end", "// x\r\"a\" // y\u2028\"b\"", []string{"a", "b"}},
		{"a division", `a / b + "c"`, []string{"c"}},
		{"a verbatim string of several lines", "@\"a\n\"\"b\"\"\\\"", []string{"a\n\"b\"\\"}},
		{"an identifier with @", `var @class = "a";`, []string{"a"}},
		{"a verbatim UTF-8 string", `@"a"u8 + @"b"`, []string{"b"}},
		{"a UTF-8 suffix in capitals", `"a"U8 + "b"`, []string{"b"}},
		{"an interpolated string", `$"a{x}b{y}c"`, []string{"a", "b", "c"}},
		{"only holes", `$"{x}{y}" + $""`, nil},
		{"alignment and format", `$"{x,10:000.0}/{y,-3}/{z:dd\u002FMM}"`, []string{"000.0", "/", "/", "dd/MM"}},
		{"a doubled brace in a format", `$"{x:a}}b}c"`, []string{"a}}b", "c"}},
		{"a colon in parentheses is code", `$"{(on ? "a" : "b")}{d[k: "c"]}"`, []string{"a", "b", "c"}},
		{"braces in the code of a hole", `$"{new[] { "a", "b" }[0]}c"`, []string{"a", "b", "c"}},
		{"strings in strings in strings", `$"1{$"2{$"3{"4"}5"}6"}7"`, []string{"1", "2", "3", "4", "5", "6", "7"}},
		{"a comment in a hole", "$\"a{x /* }\" */ }b\"", []string{"a", "b"}},
		{"a character in a hole", `$"a{f('}', '"')}b"`, []string{"a", "b"}},
		{"a verbatim interpolated string, both orders", `$@"a\{x}""b" + @$"c\{y:d""e}f"`, []string{`a\`, `"b`, `c\`, `d"e`, "f"}},
		{"a hole over several lines", "$\"a{\n\"b\"\n}c\"", []string{"a", "b", "c"}},
		{"a raw string with more quotes", `""""a"""b""""`, []string{`a"""b`}},
		{"a raw string keeps escapes", `"""a\u002Fb"""`, []string{`a\u002Fb`}},
		{"raw UTF-8 strings", "\"\"\"a\"\"\"u8 + \"\"\"\nb\n\"\"\"u8 + \"c\"", []string{"c"}},
		{"a raw string without an end", "\"\"\"a\n\"b\"", []string{"b"}},
		{"raw with two dollars", `$$"""{a}{{x}}{{{y:f}}}}b"""`, []string{"{a}", "{", "f", "}}b"}},
		{"a raw string in a hole of a raw string", `$"""a{"""b"""}c"""`, []string{"a", "b", "c"}},
		{"an interpolated raw string of several lines", "x = $\"\"\"\n    ui/{x + \"in\"}/a.png\n      b\n    \"\"\";", []string{"ui/", "in", "/a.png\n  b"}},
		{"such a string that starts and ends with a hole", "$\"\"\"\n  {x}\n  {y}\n  \"\"\" + \"z\"", []string{"\n", "z"}},
		{"such a string without holes", "$\"\"\"\r\n\ta\r\n\t\tb\r\n\t\"\"\"", []string{"a\r\n\tb"}},
		{"such a string without text", "$\"\"\"\n  \"\"\" + \"z\"", []string{"z"}},
		{"directives are no code", "#pragma warning \"a\"\n  # region it's \"b\"\nx = 1 # \"c\"\n", []string{"c"}},
		{"code after #if", "#if DEBUG\n\"a\"\n#else\n\"b\"\n#endif\n\"c\"", []string{"b", "c"}},
		{"a defined symbol", "#define X\n#if X && !Y\n\"a\"\n#elif true\n\"b\"\n#else\n\"c\"\n#endif", []string{"a"}},
		{"an undefined symbol", "#define X\n#undef X // again\n#if X\n\"a\"\n#elif (Y || true) == (Z != true)\n\"b\"\n#elif true\n\"c\"\n#endif", []string{"b"}},
		{"disabled sections in disabled sections", "#if A\n#if true\n\"a\"\n#else\n\"b\"\n#endif\n#define B\n#elif B\n\"c\"\n#else\n\"d\"\n#endif", []string{"d"}},
		{"disabled code need not be code", "#if A\nit's \" /* $\"{\n#endif\n\"a\"", []string{"a"}},
		{"#endif without #if", "#endif\n#else\n\"a\"", []string{"a"}},
		{"#if without #endif", "#if false\n\"a\"", nil},
		{"a condition that is none", "#if && ) x\n\"a\"\n#endif\n\"b\"", []string{"b"}},
		{"a directive inside a verbatim string", "@\"\n#if X\n\" + \"a\"\n#endif", []string{"\n#if X\n", "a"}},
		{"a byte order mark", "\uFEFF#if X\n\"a\"\n#endif\n\"b\"", []string{"b"}},
		{"bytes that are no UTF-8", "\"a\xFFb\"", []string{"a\uFFFDb"}},
		{"cut off in a hole", `$"a{b`, []string{"a"}},
		{"cut off in a format", `$"a{b:c`, []string{"a", "c"}},
		{"cut off after a dollar", `"a" + $`, []string{"a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := csharp.Literals([]byte(c.source)); !slices.Equal(got, c.want) {
				t.Errorf("%s\ngot  %q\nwant %q", c.source, got, c.want)
			}
		})
	}
}

func TestSourcesInUTF16(t *testing.T) {
	units := utf16.Encode([]rune("\uFEFFx = \"日/🏮.png\";"))
	var little, big []byte
	for _, u := range units {
		little = append(little, byte(u), byte(u>>8))
		big = append(big, byte(u>>8), byte(u))
	}
	for name, source := range map[string][]byte{"little-endian": little, "big-endian": big, "an odd byte": append(little, 'x')} {
		if got := csharp.Literals(source); !slices.Equal(got, []string{"日/🏮.png"}) {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func TestDeepNestingEnds(t *testing.T) {
	for _, open := range []string{`$"{`, `$"a{(`, `$"""{`, "#if (" + strings.Repeat("(", 100_000) + "\n"} {
		if got := csharp.Literals([]byte(strings.Repeat(open, 100_000/len(open)+1))); len(got) > 100_000 {
			t.Errorf("%q repeated: got %d literals", open, len(got))
		}
	}
}

func FuzzLiterals(f *testing.F) {
	for _, s := range []string{
		`var a = "b/c.png"; // "d"`, `@"a""b" + @$"{x:y}"`, `$"{{a}}{b,3:c}d"`, `$$"""{a}{{b}}"""`,
		"$\"\"\"\n  a{b}\n  c\n  \"\"\"", "\"\"\"\n a\n \"\"\"u8", "#if A\n\"a\"\n#elif !B\n\"b\"\n#endif", `'\'' "\uD83C\uDFEE\x4"`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		for _, s := range csharp.Literals(source) {
			// Escapes never make text longer, and one character that is no UTF-8 becomes three bytes.
			if !utf8.ValidString(s) || len(s) > 3*len(source) {
				t.Fatalf("literal %q", s)
			}
		}
	})
}

func BenchmarkLiterals(b *testing.B) {
	const unit = `// the lantern at the gate
public sealed class Lantern : Script
{
    private readonly string sound = "audio/lantern.wav";

    public override void Start()
    {
        Play($"audio/{name}/{index:000}.wav", @"C:\not\an\asset", 'x');
    }
}
`
	source := []byte(strings.Repeat(unit, 100))
	b.SetBytes(int64(len(source)))
	b.ReportAllocs()
	for b.Loop() {
		if got := csharp.Literals(source); len(got) != 600 {
			b.Fatalf("%d literals", len(got))
		}
	}
}
