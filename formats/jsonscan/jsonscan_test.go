package jsonscan_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"talebinder/formats"
	"talebinder/formats/jsondoc"
	"talebinder/formats/jsonscan"
)

var shapes = [...]string{"end", "{", "}", "[", "]", "name", "string", "number", "true", "false", "null"}

// tokens lists what a scanner finds: a word a token, with the content of names, strings and numbers.
func tokens(r io.Reader) (all []string, err error) {
	var s jsonscan.Scanner
	s.Reset(r)
	for {
		t, err := s.Next()
		if err != nil || t == jsonscan.End {
			return all, err
		}
		switch t {
		case jsonscan.Name, jsonscan.String:
			all = append(all, shapes[t]+"="+s.Text())
		case jsonscan.Number:
			all = append(all, string(s.Raw()))
		default:
			all = append(all, shapes[t])
		}
	}
}

// walk lists the same for a parsed document.
func walk(v jsondoc.Value) (all []string) {
	switch v.Kind() {
	case jsondoc.Object:
		all = append(all, "{")
		for name, value := range v.Members() {
			all = append(append(all, "name="+name), walk(value)...)
		}
		all = append(all, "}")
	case jsondoc.Array:
		all = append(all, "[")
		for item := range v.Items() {
			all = append(all, walk(item)...)
		}
		all = append(all, "]")
	case jsondoc.String:
		text, err := v.Text()
		if err != nil { // half of a surrogate pair, which only names are read with
			doc, _ := jsondoc.Parse(fmt.Appendf(nil, `{%s:0}`, v.Raw()))
			for name := range doc.Root().Members() {
				text = name
			}
		}
		all = append(all, "string="+text)
	default:
		all = append(all, string(v.Raw()))
	}
	return all
}

// texts are documents and things that are none, shared by the test of both readers and the fuzz target.
var texts = []string{
	`{"a":1,"b":[true,false,null,-0.5e+10,0],"c":{"d":"e"},"":""}`,
	"\uFEFF[ 1 , 2 ]\r\n\t ",
	`"top"`, `17`, `true`, ` null `,
	"{ // one\n\"a\" /* two */ : /**/ 1, // three\r}\n// four",
	`[1,2,]`, `{"a":1,}`, `[]`, `{}`, `[[[]]]`, `[[],{}]`,
	`"\"\\\/\b\f\n\r\t\u00e9\uD83C\uDFEE"`, `"\uD83C"`, `{"\u0061":"\u0062"}`,
	"\"caf\u00e9 \u65e5\u672c \U0001F3EE and some more text that is plain\"",
	strings.Repeat("[", 64) + strings.Repeat("]", 64),
	// Broken ones.
	``, ` `, `//`, `/`, `/* `, `/*/`, `[,]`, `[1,,2]`, `{,}`, `{"a"}`, `{"a":}`, `{"a":1 "b":2}`, `{a:1}`, `{1:1}`, `[1 2]`, `[1}`, `{"a":1]`,
	`[`, `{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `]`, `}`, `1 2`, `{} x`, `01`, `-`, `1.`, `1e`, `1e+`, `.5`, `+1`, `1x`, `truex`, `tru`, `nul`, `True`,
	`"a`, `"\`, `"\x"`, `"\u12"`, `"\u12G4"`, "\"a\nb\"", "\"\x01\"", "\"\xFF\"", "\xFF", `'a'`, `🏮`, "[1]\x00", "\uFEFF", "\xEF\xBB",
	strings.Repeat("[", 65) + strings.Repeat("]", 65),
}

// same compares the scanner with the parser on one text, whole and in single bytes.
func same(t *testing.T, text []byte) {
	t.Helper()
	doc, parseErr := jsondoc.Parse(text)
	got, err := tokens(bytes.NewReader(text))
	slow, slowErr := tokens(iotest.OneByteReader(bytes.NewReader(text)))
	if fmt.Sprint(got, err) != fmt.Sprint(slow, slowErr) {
		t.Fatalf("%q: whole %q, %v; in single bytes %q, %v", text, got, err, slow, slowErr)
	}
	if err != nil && !errors.Is(err, formats.ErrDamaged) {
		t.Fatalf("%q: an error that is no damage: %v", text, err)
	}
	if parseErr != nil {
		// Outside texts only the parser looks at the encoding.
		if err == nil && !strings.Contains(parseErr.Error(), "expected UTF-8") {
			t.Fatalf("%q: the parser says %v, the scanner takes it", text, parseErr)
		}
		return
	}
	if want := walk(doc.Root()); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("%q: got %q, %v, want %q", text, got, err, want)
	}
}

func TestSameAsTheParser(t *testing.T) {
	for _, text := range texts {
		same(t, []byte(text))
	}
}

func TestTokensLongerThanTheBuffer(t *testing.T) {
	for _, n := range []int{1, 7, 8, 9, 65527, 65534, 65535, 65536, 65537, 200_001} {
		long := strings.Repeat("x", n)
		same(t, []byte(`{"`+long+`":["`+long+`é\n",1`+strings.Repeat("0", n)+`,/*`+long+`*/true,//`+long+"\n"+strings.Repeat(" ", n)+`null]}`))
	}
}

func TestWhatStandsBeforeAnErrorComesFirst(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":"x","b":["y"],,"c":"z"}`: "[{ name=a string=x name=b [ string=y ]] JSON at byte 19: `,`, expected a name or `}`",
		`{"a":"x","b":"y`:              "[{ name=a string=x name=b] JSON at byte 13: a text without an end, expected `\"` before the end of the file",
		`["x"] "y"`:                    "[[ string=x ]] JSON at byte 6: `\"`, expected the end of the file",
		"[\"x\"\n\xFE":                 "[[ string=x] JSON at byte 5: the byte 0xFE, expected `,` or `]`",
	} {
		got, err := tokens(strings.NewReader(text))
		if s := fmt.Sprint(got, " ", err); s != want {
			t.Errorf("%s\ngot  %s\nwant %s", text, s, want)
		}
	}
}

func TestErrorsOfTheReaderAreKept(t *testing.T) {
	broken := errors.New("the disk is gone")
	for _, text := range []string{``, `[1, `, `["a`, `["\u`, `[1`, `[t`, `[/*`, `[//`} {
		_, err := tokens(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)))
		if !errors.Is(err, broken) {
			t.Errorf("%s: got %v", text, err)
		}
	}
	if _, err := tokens(stuck{}); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("a reader that gives nothing: got %v", err)
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

func TestAnErrorStays(t *testing.T) {
	var s jsonscan.Scanner
	s.Reset(strings.NewReader(`[}1]`))
	s.Next()
	_, first := s.Next()
	_, second := s.Next()
	if first == nil || first != second {
		t.Errorf("got %v, then %v", first, second)
	}
	s.Reset(strings.NewReader(`1`))
	if token, err := s.Next(); token != jsonscan.Number || err != nil {
		t.Errorf("after Reset: got %v, %v", token, err)
	}
}

func TestOffset(t *testing.T) {
	text := "\uFEFF{ \"a\" :\n \"b\"}"
	var s jsonscan.Scanner
	s.Reset(strings.NewReader(text))
	for range 3 {
		s.Next()
	}
	if want := int64(strings.Index(text, `"b"`)); s.Offset() != want {
		t.Errorf("got %d, want %d", s.Offset(), want)
	}
}

func FuzzScanner(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	f.Fuzz(same)
}

func BenchmarkScanner(b *testing.B) {
	const entity = `    {
      "id": "e4d082dc51aae5abb347ccb2921b3389",
      "name": "Player",
      "parent": null,
      "active": true,
      "components": [
        {
          "type": "Transform",
          "data": {
            "position": [256, 672.25]
          }
        }
      ]
    },
`
	text := []byte("{\n  \"entities\": [\n" + strings.Repeat(entity, 1000) + "  ]\n}")
	var s jsonscan.Scanner
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		s.Reset(bytes.NewReader(text))
		for {
			t, err := s.Next()
			if err != nil {
				b.Fatal(err)
			}
			if t == jsonscan.End {
				break
			}
		}
	}
}
