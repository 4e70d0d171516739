package jsondoc

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// decoded gives a plain text as the standard library reads it, numbers as their text.
func decoded(t *testing.T, text []byte) any {
	t.Helper()
	var v any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	return v
}

// FuzzParse compares with encoding/json, which knows neither comments nor trailing commas, and with hujson, which
// does. Known differences: we refuse invalid UTF-8 and more than 64 levels, take a byte order mark, and end a comment of
// two slashes at a carriage return and at the end of the file too.
func FuzzParse(f *testing.F) {
	f.Add([]byte(scenes))
	f.Fuzz(func(t *testing.T, text []byte) {
		body := bytes.TrimPrefix(text, []byte(byteOrderMark))
		plain, plainErr := ParseOptions(text, Options{Plain: true})
		doc, err := Parse(text)
		for _, err := range []error{plainErr, err} {
			var syntax *SyntaxError
			if err == nil {
				continue
			}
			if !errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > len(text) || syntax.Line < 1 || syntax.Column < 1 || !utf8.ValidString(err.Error()) {
				t.Fatalf("%#v", err)
			}
		}
		if plainErr == nil && err != nil {
			t.Fatalf("refused only with comments allowed: %v", err)
		}
		if bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > MaxDepth || !utf8.Valid(text) {
			return
		}
		if valid := json.Valid(body); valid != (plainErr == nil) {
			t.Fatalf("encoding/json says %v, we %v", valid, plainErr)
		}
		if plainErr == nil {
			if got, want := decoded(t, []byte(Compact(plain.Root(), Strict))), decoded(t, body); !reflect.DeepEqual(got, want) {
				t.Fatalf("got %v, want %v", got, want)
			}
		}
		if !bytes.Contains(text, []byte("\r")) {
			standard, oracleErr := hujson.Standardize(append(bytes.Clone(body), '\n'))
			if (oracleErr == nil) != (err == nil) {
				t.Fatalf("hujson says %v, we %v", oracleErr, err)
			}
			if err == nil {
				if got, want := decoded(t, []byte(Compact(doc.Root(), Relaxed))), decoded(t, standard); !reflect.DeepEqual(got, want) {
					t.Fatalf("got %v, want %v", got, want)
				}
			}
		}
		if err != nil {
			return
		}
		if !bytes.Equal(doc.Text(), text) {
			t.Fatal("the text has changed")
		}
		checkSpans(t, doc.Root(), 0, len(text))
		for _, escaping := range []Escaping{Strict, Relaxed} {
			w := NewWriter(escaping)
			w.Value(doc.Root())
			again := NewWriter(escaping)
			again.Value(parse(t, string(w.Bytes())).Root())
			if !bytes.Equal(w.Bytes(), again.Bytes()) {
				t.Fatalf("written %q, then %q", w.Bytes(), again.Bytes())
			}
			if got, want := Compact(parse(t, string(w.Bytes())).Root(), escaping), Compact(doc.Root(), escaping); got != want {
				t.Fatalf("got %q, want %q", got, want)
			}
		}
	})
}

// checkSpans checks that values lie in their containers, in order, and are values by themselves.
func checkSpans(t *testing.T, v Value, from, to int) {
	t.Helper()
	if v.Start() < from || v.End() > to || v.Start() >= v.End() {
		t.Fatalf("%d to %d lies outside %d to %d", v.Start(), v.End(), from, to)
	}
	if again, err := Parse(v.Raw()); err != nil || again.Root().Kind() != v.Kind() || again.Root().Len() != v.Len() {
		t.Fatalf("%q: %v", v.Raw(), err)
	}
	at := v.Start() + 1
	for _, member := range v.Members() {
		if member.Name().Start() < at || member.Name().Kind() != String {
			t.Fatalf("the name of %q is at %d", member.Raw(), member.Name().Start())
		}
		checkSpans(t, member, member.Name().End()+1, v.End()-1)
		at = member.End()
	}
	for item := range v.Items() {
		checkSpans(t, item, at, v.End()-1)
		at = item.End()
	}
}

// FuzzString checks that what is written reads back, in both forms.
func FuzzString(f *testing.F) {
	for _, s := range []string{"", "é\"\\/\b", "\u2028\uFEFF\U0001F600", "\xff\xed\xa0\x80", "\u0378"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := string([]rune(s))
		for _, escaping := range []Escaping{Strict, Relaxed} {
			text := AppendString(nil, s, escaping)
			doc := parse(t, string(text))
			if got, err := doc.Root().Text(); got != want || err != nil {
				t.Errorf("%q is written as %s and reads as %q, %v", s, text, got, err)
			}
			if again := Compact(doc.Root(), escaping); again != string(text) {
				t.Errorf("%s escaped anew is %s", text, again)
			}
			if !json.Valid(text) {
				t.Errorf("%s is no JSON", text)
			}
		}
	})
}

// FuzzEdit makes an edit of some list or object in a document and checks what it says against a plain model, and
// that nothing else went missing.
func FuzzEdit(f *testing.F) {
	f.Add(scenes, uint16(5), uint8(0), uint8(1), uint8(2))
	f.Add(strings.ReplaceAll(scenes, "\n", "\r\n"), uint16(5), uint8(2), uint8(3), uint8(0))
	f.Fuzz(checkEdit)
}

// TestEditsOfRandomDocuments does what FuzzEdit does on documents that are made of every kind of spacing and comment.
func TestEditsOfRandomDocuments(t *testing.T) {
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 1))
		text := string(randomDocument(r))
		parse(t, text)
		for range 8 {
			which, operation, i, j := uint16(r.Uint32()), uint8(r.Uint32()), uint8(r.Uint32()), uint8(r.Uint32())
			checkEdit(t, text, which, operation, i, j)
			if t.Failed() {
				t.Fatalf("seed %d: %q, %d, %d, %d, %d", seed, text, which, operation, i, j)
			}
		}
	}
}

// randomDocument makes a document in one of several styles, or in none.
func randomDocument(r *rand.Rand) []byte {
	spaces := [][]string{
		{"", " ", "\n  ", "\r\n\t", "\n", "\n\n", " /* c */ ", "// c\n", " // c\r\n\t", "\n /* c */", "/*\n*/", "\t\r"},
		{"", "", "", " ", "\n  ", "\n    "},
		{"\n", "\n  ", " // c\n  ", "\n  // c\n  "},
		{"", " ", " /* c */"},
		{"\r\n  ", "\r\n  ", " // c\r\n  "},
	}[r.IntN(5)]
	space := func(dst []byte) []byte { return append(dst, spaces[r.IntN(len(spaces))]...) }
	trailing := r.IntN(2) == 0
	var value func(dst []byte, depth int) []byte
	value = func(dst []byte, depth int) []byte {
		kind := r.IntN(6)
		if depth == 0 {
			kind = r.IntN(2)
		}
		if depth > 2 || kind > 3 {
			return append(dst, []string{"1", "-0.50", `"a,b"`, `"//"`, "true", "null", "{}", "[]"}[r.IntN(8)]...)
		}
		brackets := "[]"
		if kind%2 == 0 {
			brackets = "{}"
		}
		dst = space(append(dst, brackets[0]))
		n := r.IntN(5)
		for i := range n {
			if brackets == "{}" {
				dst = append(dst, []string{`"a"`, `"b"`, `"c"`, `"\u0061"`, `"é"`}[r.IntN(5)]...)
				dst = append(dst, ':')
				if r.IntN(2) == 0 {
					dst = append(dst, ' ')
				}
			}
			dst = value(dst, depth+1)
			if r.IntN(4) == 0 {
				dst = space(dst)
			}
			if i < n-1 || trailing {
				dst = append(dst, ',')
			}
			dst = space(dst)
		}
		return append(dst, brackets[1])
	}
	dst := value(space(nil), 0)
	return space(dst)
}

func checkEdit(t *testing.T, text string, which uint16, operation, i, j uint8) {
	doc, err := Parse([]byte(text))
	if err != nil {
		return
	}
	v := Value{doc: doc, at: uint32(which) % uint32(len(doc.spans))}
	if v.at > 0 && v.span().kind == String { // perhaps a name, which is no value
		return
	}
	raw := []string{"7", "{\n  \"new\": [\n    1\n  ]\n}", "[\n  // new\n  2\n]", `"x"`}[int(i+j)%4]
	if v.Kind() == Object {
		fuzzMember(t, v, operation, i, raw)
		return
	}
	if v.Kind() != Array {
		after := apply(t, doc, v.Replace([]byte(raw)))
		if after == nil {
			return
		}
		checkOutside(t, v, after, raw)
		return
	}
	items := contents(v)
	n := len(items)
	switch operation % 4 {
	case 0:
		at := int(i) % (n + 1)
		after := apply(t, doc, v.InsertItem(at, []byte(raw)))
		if after == nil {
			return
		}
		check(t, doc, v, after, slices.Insert(items, at, compact(t, raw)))
		if !subsequence(essence(doc.text), essence(after.text)) {
			t.Fatalf("something of\n%s\nis missing in\n%s", text, after.text)
		}
	case 1:
		if n == 0 {
			return
		}
		at := int(i) % n
		after := apply(t, doc, v.RemoveItem(at))
		check(t, doc, v, after, slices.Delete(items, at, at+1))
		if !subsequence(essence(after.text), essence(doc.text)) {
			t.Fatalf("something is new in\n%s\nmade of\n%s", after.text, text)
		}
	case 2:
		if n == 0 {
			return
		}
		from, to := int(i)%n, int(j)%n
		after := apply(t, doc, v.MoveItem(from, to)...)
		moved := items[from]
		check(t, doc, v, after, slices.Insert(slices.Delete(items, from, from+1), to, moved))
		if got, want := sorted(essence(after.text)), sorted(essence(doc.text)); got != want {
			t.Fatalf("got\n%s\nof\n%s", after.text, text)
		}
	case 3:
		after := apply(t, doc, v.Replace([]byte(raw)))
		if after == nil {
			return
		}
		checkOutside(t, v, after, raw)
	}
}

func fuzzMember(t *testing.T, v Value, operation, i uint8, raw string) {
	t.Helper()
	doc := v.doc
	var names []string
	for name := range v.Members() {
		names = append(names, name)
	}
	name := "new"
	if n := len(names); n > 0 && operation%4 != 0 {
		name = names[int(i)%n]
	}
	members := contents(v)
	if operation%2 == 0 {
		at := len(members)
		var order []string
		if operation%8 > 3 && len(names) > 0 {
			order = []string{"new", names[int(i)%len(names)]}
			at = slices.Index(names, order[1])
		}
		after := apply(t, doc, v.SetMember(name, []byte(raw), order))
		if after == nil {
			return
		}
		if slices.Contains(names, name) {
			last := len(names) - 1
			for names[last] != name {
				last--
			}
			members[last] = compact(t, `{`+string(AppendString(nil, name, Strict))+`:`+raw+`}`)
			check(t, doc, v, after, members)
			return
		}
		check(t, doc, v, after, slices.Insert(members, at, compact(t, `{"new":`+raw+`}`)))
		if !subsequence(essence(doc.text), essence(after.text)) {
			t.Fatalf("something of\n%s\nis missing in\n%s", doc.text, after.text)
		}
		return
	}
	after := apply(t, doc, v.RemoveMember(name))
	kept := members[:0]
	for n, member := range members {
		if names[n] != name {
			kept = append(kept, member)
		}
	}
	check(t, doc, v, after, kept)
	if !subsequence(essence(after.text), essence(doc.text)) {
		t.Fatalf("something is new in\n%s\nmade of\n%s", after.text, doc.text)
	}
}

// apply applies the edits, which must work unless they make the document too deep; nil then.
func apply(t *testing.T, doc *Doc, edits ...Edit) *Doc {
	t.Helper()
	after, err := doc.Apply(edits...)
	if err != nil {
		if strings.Contains(err.Error(), "in each other") {
			return nil
		}
		t.Fatalf("%v\n%s", err, doc.text)
	}
	return after
}

// contents gives the items of a list, or the members of an object as objects of one member.
func contents(v Value) []string {
	list := []string{}
	for item := range v.Items() {
		list = append(list, Compact(item, Strict))
	}
	for name, member := range v.Members() {
		list = append(list, `{`+string(AppendString(nil, name, Strict))+`:`+Compact(member, Strict)+`}`)
	}
	return list
}

func compact(t *testing.T, text string) string { return Compact(parse(t, text).Root(), Strict) }

// check compares the edited container, which has the same number as before, and all that is around it.
func check(t *testing.T, doc *Doc, v Value, after *Doc, want []string) {
	t.Helper()
	edited := Value{doc: after, at: v.at}
	if got := contents(edited); !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q in\n%s\nmade of\n%s", got, want, after.text, doc.text)
	}
	behind := len(doc.text) - v.End()
	if !bytes.Equal(after.text[:v.Start()], doc.text[:v.Start()]) || len(after.text)-edited.End() != behind ||
		!bytes.Equal(after.text[edited.End():], doc.text[v.End():]) {
		t.Fatalf("something outside of bytes %d to %d has changed in\n%s\nmade of\n%s", v.Start(), v.End(), after.text, doc.text)
	}
}

// checkOutside checks a replaced value.
func checkOutside(t *testing.T, v Value, after *Doc, raw string) {
	t.Helper()
	edited := Value{doc: after, at: v.at}
	if Compact(edited, Strict) != compact(t, raw) {
		t.Fatalf("got %s", edited.Raw())
	}
	if !bytes.Equal(after.text[:v.Start()], v.doc.text[:v.Start()]) || !bytes.Equal(after.text[edited.End():], v.doc.text[v.End():]) {
		t.Fatalf("something else has changed in\n%s\nmade of\n%s", after.text, v.doc.text)
	}
}

// essence gives the bytes that are no white space; a comma counts nothing, since edits move them.
func essence(text []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n,", r) {
			return -1
		}
		return r
	}, text)
}

// subsequence reports whether the bytes of a are all in b, in order.
func subsequence(a, b []byte) bool {
	for _, c := range b {
		if len(a) > 0 && a[0] == c {
			a = a[1:]
		}
	}
	return len(a) == 0
}

func sorted(text []byte) string {
	text = bytes.Clone(text)
	slices.Sort(text)
	return string(text)
}
