package jsondoc

import (
	"fmt"
	"strings"
	"testing"
)

// lists are lists of one to six items in many layouts.
func lists() []string {
	return []string{
		`[1]`, `[1,2,3]`, `[ 1, 2 ]`, `[1, 2, 3,]`, "[\n  1,\n  2\n]", "[\r\n\t1,\r\n\t2,\r\n]", "[ // a\n  1, // b\n  2 // c\n  // d\n]",
		"[1,\n 2, 3,\n 4]", "[\n  1\n  , 2\n  , 3 ]", "{\"a\": [/* x */ 1, /* y */ 2 /* z */]}", "{\n  \"a\": [\n    {\n      \"b\": 1\n    },\n    {}\n  ]\n}",
		"[1, // a\n2, 3, 4, // b\n\n5,\n\n6\n\n]",
	}
}

func listOf(doc *Doc) Value {
	if v := doc.Root().Get("a"); v.Exists() {
		return v
	}
	return doc.Root()
}

func TestRemoveItemsRemovesEach(t *testing.T) {
	cases := 0
	for _, text := range lists() {
		doc := parse(t, text)
		n := listOf(doc).Len()
		for set := range 1 << n {
			var gone []int
			want := []string{}
			i := 0
			for item := range listOf(doc).Items() {
				if set>>i&1 == 1 {
					gone = append([]int{i, i}, gone...)
				} else {
					want = append(want, string(item.Raw()))
				}
				i++
			}
			after, err := doc.Apply(listOf(doc).RemoveItems(gone...))
			if err != nil {
				t.Fatalf("%q without %v: %v", text, gone, err)
			}
			got := []string{}
			for item := range listOf(after).Items() {
				got = append(got, string(item.Raw()))
			}
			if strings.Join(got, "|") != strings.Join(want, "|") {
				t.Errorf("%q without %v is %q", text, gone, after.Text())
			}
			if len(gone) == 2 {
				single, err := doc.Apply(listOf(doc).RemoveItem(gone[0]))
				if err != nil || string(single.Text()) != string(after.Text()) {
					t.Errorf("%q without %d is %q alone and %q with RemoveItems (%v)", text, gone[0], single.Text(), after.Text(), err)
				}
			}
			cases++
		}
	}
	t.Logf("%d cases", cases)
}

func TestInsertItemsIsInsertItemManyTimes(t *testing.T) {
	cases := 0
	for _, text := range append(lists(), `[]`, "{\n  \"a\": []\n}", "{\"a\": []}", "[ ]", "[\n]", "[ // a\n]") {
		for at := range listOf(parse(t, text)).Len() + 1 {
			for count := range 4 {
				raws := [][]byte{[]byte(`"x"`), []byte("{\n  \"y\": [\n    1\n  ]\n}"), []byte(`{}`)}[:count]
				doc := parse(t, text)
				after, err := doc.Apply(listOf(doc).InsertItems(at, raws...))
				if err != nil {
					t.Fatal(err)
				}
				for i, raw := range raws {
					if doc, err = doc.Apply(listOf(doc).InsertItem(at+i, raw)); err != nil {
						t.Fatal(err)
					}
				}
				want, got := compactAll(doc), compactAll(after)
				if want != got {
					t.Errorf("%d items in %q at %d give %q, want %q", count, text, at, after.Text(), doc.Text())
				}
				// Where each item has a line of its own, or none has, the layout has to be the same too.
				if strings.Count(text, "\n") == 0 || !strings.ContainsAny(text, "/") && strings.Count(text, ",\n") == strings.Count(text, ",") {
					if string(after.Text()) != string(doc.Text()) {
						t.Errorf("%d items in %q at %d give\n%s\nwant\n%s", count, text, at, after.Text(), doc.Text())
					}
				}
				cases++
			}
		}
	}
	t.Logf("%d cases", cases)
}

func compactAll(doc *Doc) string { return Compact(doc.Root(), Strict) }

func TestItemsErrors(t *testing.T) {
	root := parse(t, `{"a": [1, 2]}`).Root()
	for want, e := range map[string]Edit{
		"insert items: expected a list, found an object":        root.InsertItems(0, []byte("1")),
		"insert items: expected an index from 0 to 2, found 3":  root.Get("a").InsertItems(3),
		"item 1: new value: line 1, column 1":                   root.Get("a").InsertItems(0, []byte("1"), []byte("]")),
		"remove items: expected an index from 0 to 1, found 2":  root.Get("a").RemoveItems(0, 2),
		"remove items: expected a list, found nothing":          root.Get("b").RemoveItems(0),
		"remove items: expected an index from 0 to 1, found -1": root.Get("a").RemoveItems(1, -1),
		"insert items: expected a list, found nothing":          root.Get("b").InsertItems(0, []byte("1")),
		"insert items: expected an index from 0 to 2, found -1": root.Get("a").InsertItems(-1, []byte("1")),
	} {
		if e.Err() == nil || !strings.HasPrefix(e.Err().Error(), want) {
			t.Errorf("the error is %v, want %s", e.Err(), want)
		}
	}
}

func BenchmarkInsertItems(b *testing.B) {
	doc, err := Parse([]byte("[\n  \"first\"\n]"))
	if err != nil {
		b.Fatal(err)
	}
	var raws [][]byte
	for i := range 1000 {
		raws = append(raws, fmt.Appendf(nil, "{\n  \"path\": \"scenes/%d.tscene\"\n}", i))
	}
	for b.Loop() {
		if _, err := doc.Apply(doc.Root().InsertItems(1, raws...)); err != nil {
			b.Fatal(err)
		}
	}
}
