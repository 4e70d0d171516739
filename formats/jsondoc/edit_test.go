package jsondoc

import (
	"bytes"
	"strings"
	"testing"
)

// An edit case is written as "before => after"; ␍ stands for a carriage return and → for a tab.
type editCase struct {
	name   string
	before string
	edit   func(root Value) []Edit
	after  string
}

func one(edit func(root Value) Edit) func(root Value) []Edit {
	return func(root Value) []Edit { return []Edit{edit(root)} }
}

func set(name, raw string, order ...string) func(Value) []Edit {
	return one(func(root Value) Edit { return root.SetMember(name, []byte(raw), order) })
}

func remove(name string) func(Value) []Edit {
	return one(func(root Value) Edit { return root.RemoveMember(name) })
}

func insert(i int, raw string) func(Value) []Edit {
	return one(func(root Value) Edit { return root.InsertItem(i, []byte(raw)) })
}

func removeItem(i int) func(Value) []Edit {
	return one(func(root Value) Edit { return root.RemoveItem(i) })
}

func move(from, to int) func(Value) []Edit {
	return func(root Value) []Edit { return root.MoveItem(from, to) }
}

// in applies an edit to a member of the root.
func in(name string, edit func(Value) []Edit) func(Value) []Edit {
	return func(root Value) []Edit { return edit(root.Get(name)) }
}

var unshow = strings.NewReplacer("␍\n", "\r\n", "→", "\t")

func runEdits(t *testing.T, cases []editCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			before, want := unshow.Replace(c.before), unshow.Replace(c.after)
			doc := parse(t, before)
			after, err := doc.Apply(c.edit(doc.Root())...)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(after.Text()); got != want {
				t.Errorf("got\n%s\nwant\n%s\n(%q)", got, want, got)
			}
			if string(doc.Text()) != before {
				t.Error("the edit changed the old document")
			}
		})
	}
}

const scenes = `{
  // which game
  "version": "1.0",
  "scenes": [
    { "path": "scenes/Title.tscene", "enabled": true }, // first
    { "path": "scenes/Grove.tscene", "enabled": true },
    // the last two are tests
    { "path": "scenes/A.tscene", "enabled": false }, /* slow */
    { "path": "scenes/B.tscene", "enabled": false }  // broken
  ],
  "compress": true
}
`

func TestReplace(t *testing.T) {
	runEdits(t, []editCase{
		{"keeps the comments around", "{\n  \"a\": /* was 2 */ 1, // one\n  \"b\": 2\n}", set("a", "3"), "{\n  \"a\": /* was 2 */ 3, // one\n  \"b\": 2\n}"},
		{"the last of repeated names", `{"a":1,"a":2}`, set("a", "3"), `{"a":1,"a":3}`},
		{"the root", "\uFEFF// top\n1\n", one(func(v Value) Edit { return v.Replace([]byte("[]")) }), "\uFEFF// top\n[]\n"},
		{"a null by an object", "{\n→\"a\": {\n→→\"b\": null\n→}\n}", in("a", set("b", "{\n  \"c\": {\n    \"d\": []\n  }\n}")),
			"{\n→\"a\": {\n→→\"b\": {\n→→→\"c\": {\n→→→→\"d\": []\n→→→}\n→→}\n→}\n}"},
		{"lines take CRLF", "{␍\n    \"a\": null␍\n}␍\n", set("a", "[\n  1,\n  // two\n  2\n]"), "{␍\n    \"a\": [␍\n        1,␍\n        // two␍\n        2␍\n    ]␍\n}␍\n"},
		{"a list of one line stays on one line", "{\n  \"a\": [1, 2],\n  \"b\": 1\n}", set("a", "[\n  1,\n  {\n    \"x\": 2\n  }\n]"), "{\n  \"a\": [1, {\"x\": 2}],\n  \"b\": 1\n}"},
		{"an object of one line stays on one line", "[{ \"a\": 1 }]", one(func(v Value) Edit { return v.Index(0).Replace([]byte("{\n  \"a\": 1,\n  \"b\": []\n}")) }), "[{ \"a\": 1, \"b\": [] }]"},
		{"comments of two slashes need their lines", "{\"a\": [1]}", set("a", "[\n  1 // one\n]"), "{\"a\": [\n  1 // one\n]}"},
		{"text of one line stays as it is", "{\n  \"a\": 1\n}", set("a", `  {"x":[1,2]} // left out`), "{\n  \"a\": {\"x\":[1,2]}\n}"},
	})
}

func TestSetMemberInserts(t *testing.T) {
	runEdits(t, []editCase{
		{"behind the member that should be before it", scenes, set("target", `"win-x64"`, "version", "target", "scenes", "compress"),
			strings.Replace(scenes, `"version": "1.0",`, "\"version\": \"1.0\",\n  \"target\": \"win-x64\",", 1)},
		{"in front of the member that should be behind it", scenes, set("target", `null`, "target", "version"),
			strings.Replace(scenes, "{\n", "{\n  \"target\": null,\n", 1)},
		{"at the end when it has no place", scenes, set("icon", `"a.png"`, "version"),
			strings.Replace(scenes, `"compress": true`, "\"compress\": true,\n  \"icon\": \"a.png\"", 1)},
		{"unknown members stay in front", "{\n  \"$schema\": \"x\",\n  \"b\": 1\n}", set("a", "0", "a", "b"), "{\n  \"$schema\": \"x\",\n  \"a\": 0,\n  \"b\": 1\n}"},
		{"members out of order", "{\n  \"c\": 3,\n  \"a\": 1\n}", set("b", "2", "a", "b", "c"), "{\n  \"c\": 3,\n  \"a\": 1,\n  \"b\": 2\n}"},
		{"behind a comment of the last member", "{\n  \"a\": 1 // one\n}", set("b", "2"), "{\n  \"a\": 1, // one\n  \"b\": 2\n}"},
		{"behind comments below the last member", "{\n  \"a\": 1\n  // end\n}", set("b", "2"), "{\n  \"a\": 1,\n  \"b\": 2\n  // end\n}"},
		{"a trailing comma stays the style", "{\n  \"a\": 1, // one\n}", set("b", "2"), "{\n  \"a\": 1, // one\n  \"b\": 2,\n}"},
		{"tabs and CRLF", "{␍\n→\"a\": 1␍\n}", set("b", "{\n  \"c\": []\n}"), "{␍\n→\"a\": 1,␍\n→\"b\": {␍\n→→\"c\": []␍\n→}␍\n}"},
		{"four spaces", "{\n    \"a\": 1\n}", set("b", "[\n  1\n]"), "{\n    \"a\": 1,\n    \"b\": [\n        1\n    ]\n}"},
		{"one line stays one line", `{"a": 1}`, set("b", "{\n  \"c\": 1\n}"), `{"a": 1, "b": {"c": 1}}`},
		{"one line with inner spaces", `{ "a": 1 }`, set("b", "{\n  \"c\": 1\n}"), `{ "a": 1, "b": { "c": 1 } }`},
		{"one line without spaces", `{"a":1}`, set("b", "[\n  1,\n  2\n]"), `{"a":1,"b":[1,2]}`},
		{"one line with a trailing comma", `{"a": 1, }`, set("b", "2"), `{"a": 1, "b": 2, }`},
		{"one line in front", `{ "b": 1 }`, set("a", "0", "a", "b"), `{ "a": 0, "b": 1 }`},
		{"one line in front without padding", `{"b": 1, "c": 2}`, set("a", "0", "a", "b"), `{"a": 0, "b": 1, "c": 2}`},
		{"the colons of the neighbours", "{\n  \"a\" : 1\n}", set("b", "2"), "{\n  \"a\" : 1,\n  \"b\" : 2\n}"},
		{"into an empty document", "{}", set("a", "1"), "{\n  \"a\": 1\n}"},
		{"into an empty document with a line", "{\r\n}\r\n", set("a", "1"), "{\r\n  \"a\": 1\r\n}\r\n"},
		{"into an empty document with a comment", "{\n    // nothing yet\n}", set("a", "1"), "{\n    // nothing yet\n    \"a\": 1\n}"},
		{"into an empty document with a comment of one line", "{ /* none */ }", set("a", "1"), "{ /* none */ \"a\": 1 }"},
		{"into an empty object of many lines", "{\n→\"o\": {}\n}", in("o", set("a", "[\n  true\n]")), "{\n→\"o\": {\n→→\"a\": [\n→→→true\n→→]\n→}\n}"},
		{"into an empty object of one line", `{ "o": {} }`, in("o", set("a", "1")), `{ "o": { "a": 1 } }`},
		{"names are escaped", "{}", set("a\"\n", "1"), "{\n  \"a\\\"\\n\": 1\n}"},
		{"the indentation of a nested object", "[\n  {\n    \"a\": 1\n  }\n]", one(func(v Value) Edit { return v.Index(0).SetMember("b", []byte("2"), nil) }), "[\n  {\n    \"a\": 1,\n    \"b\": 2\n  }\n]"},
		{"members that share a line", "{ \"a\": 1,\n  \"b\": 2 }", set("c", "3"), "{ \"a\": 1,\n  \"b\": 2,\n  \"c\": 3 }"},
		{"commas that begin lines", "{\n  \"a\": 1\n  , \"c\": 3\n}", set("b", "2", "a", "b", "c"), "{\n  \"a\": 1,\n  \"b\": 2\n  , \"c\": 3\n}"},
	})
}

func TestRemoveMember(t *testing.T) {
	runEdits(t, []editCase{
		{"with its line", scenes, remove("version"), strings.Replace(scenes, "  \"version\": \"1.0\",\n", "", 1)},
		{"the last, with the comma before it", scenes, remove("compress"), strings.Replace(scenes, "],\n  \"compress\": true", "]", 1)},
		{"of many lines", "{\n  \"a\": [\n    1\n  ],\n  \"b\": 2\n}", remove("a"), "{\n  \"b\": 2\n}"},
		{"the comment behind goes, the one above stays", "{\n  // above\n  \"a\": 1, // behind\n  // below\n  \"b\": 2\n}", remove("a"), "{\n  // above\n  // below\n  \"b\": 2\n}"},
		{"the last with comments", "{\n  \"a\": 1, // one\n  \"b\": 2 // two\n  // end\n}", remove("b"), "{\n  \"a\": 1 // one\n  // end\n}"},
		{"a trailing comma stays the style", "{\n  \"a\": 1,\n  \"b\": 2,\n}", remove("b"), "{\n  \"a\": 1,\n}"},
		{"the only one", "{\n  \"a\": 1,\n}", remove("a"), "{}"},
		{"the only one with a comment", "{\n  // keep me\n  \"a\": 1\n}", remove("a"), "{\n  // keep me\n}"},
		{"every one of a repeated name", "{\n  \"a\": 1,\n  \"b\": 2,\n  \"\\u0061\": 3\n}", remove("a"), "{\n  \"b\": 2\n}"},
		{"nothing but repeats", `{"a":1,"a":2}`, remove("a"), `{}`},
		{"what is not there", scenes, remove("icon"), scenes},
		{"one line, first", `{ "a": 1, "b": 2 }`, remove("a"), `{ "b": 2 }`},
		{"one line, last", `{ "a": 1, "b": 2 }`, remove("b"), `{ "a": 1 }`},
		{"one line, middle, without spaces", `{"a":1,"b":2,"c":3}`, remove("b"), `{"a":1,"c":3}`},
		{"one line, only", `{ "a": 1 }`, remove("a"), `{}`},
		{"CRLF", "{␍\n  \"a\": 1,␍\n  \"b\": 2␍\n}␍\n", remove("b"), "{␍\n  \"a\": 1␍\n}␍\n"},
		{"no two blank lines stay", "{\n  \"a\": 1,\n\n  \"b\": 2,\n\n  \"c\": 3\n}", remove("b"), "{\n  \"a\": 1,\n\n  \"c\": 3\n}"},
		{"no blank line stays at the end", "{␍\n  \"a\": 1,␍\n␍\n␍\n  \"b\": 2␍\n}", remove("b"), "{␍\n  \"a\": 1␍\n}"},
		{"a brace behind the last", "{\n  \"a\": 1,\n  \"b\": 2 }", remove("b"), "{\n  \"a\": 1 }"},
		{"a brace behind the last, a comment before it", "{\n  \"a\": 1, // one\n  \"b\": 2 }", remove("b"), "{\n  \"a\": 1 // one\n  }"},
		{"commas that begin lines", "{\n  \"a\": 1\n  , \"b\": 2\n  , \"c\": 3\n}", remove("a"), "{\n  \"b\": 2\n  , \"c\": 3\n}"},
	})
}

func TestItems(t *testing.T) {
	runEdits(t, []editCase{
		{"insert in front", "[\n  // about one\n  1,\n  2\n]", insert(0, "0"), "[\n  0,\n  // about one\n  1,\n  2\n]"},
		{"insert behind the bracket's comment", "[ // numbers\n  1\n]", insert(0, "0"), "[ // numbers\n  0,\n  1\n]"},
		{"insert in the middle, behind the comment of the item before", "[\n  1, // one\n  // about two\n  2\n]", insert(1, "9"), "[\n  1, // one\n  9,\n  // about two\n  2\n]"},
		{"insert at the end", "[\n  1, // one\n  2 /* two */\n]", insert(2, "3"), "[\n  1, // one\n  2, /* two */\n  3\n]"},
		{"insert on one line", "[1, 2]", insert(1, "9"), "[1, 9, 2]"},
		{"insert on one line at the end", "[1, 2 /* two */]", insert(2, "3"), "[1, 2 /* two */, 3]"},
		{"insert on one line in front", "[/* one */ 1,2]", insert(0, "0"), "[0,/* one */ 1,2]"},
		{"insert behind a comment that needs its line", "[1 // one\n]", insert(1, "2"), "[1, // one\n  2\n]"},
		{"insert into an empty list", "{\n  \"a\": []\n}", in("a", insert(0, "{\n  \"b\": 1\n}")), "{\n  \"a\": [\n    {\n      \"b\": 1\n    }\n  ]\n}"},
		{"insert among objects that share brackets' lines", "[{\n  \"a\": 1\n}, {\n  \"a\": 2\n}]", insert(2, "{\n    \"a\": 3\n}"), "[{\n  \"a\": 1\n}, {\n  \"a\": 2\n}, {\n  \"a\": 3\n}]"},
		{"insert into rows of numbers", "[\n  1, 2, 3,\n  4, 5, 6\n]", insert(4, "9"), "[\n  1, 2, 3,\n  4,\n  9, 5, 6\n]"},

		{"remove the first", "[\n  1, // one\n  2\n]", removeItem(0), "[\n  2\n]"},
		{"remove between comments on one line", "[1, /* two */ 2 /* too */, /* three */ 3]", removeItem(1), "[1, /* two */ /* three */ 3]"},
		{"remove the last of one line with comments", "[1 /* one */, 2 /* two */]", removeItem(1), "[1 /* one */]"},
		{"remove the last of a row", "[\n  1, 2, // two\n  3\n]", removeItem(1), "[\n  1,\n  3\n]"},
		{"remove the first of a row", "[\n  1, 2,\n  3\n]", removeItem(0), "[\n  2,\n  3\n]"},
		{"remove the last of one line with a trailing comma", "[1, 2,]", removeItem(1), "[1,]"},
		{"remove the only one before a comment", "[1, // one\n]", removeItem(0), "[]"},
		{"remove where the comma is a line below", "[\n  1 // one\n  ,\n  2\n]", removeItem(0), "[\n  2\n]"},

		{"move up with its comment", scenes, in("scenes", move(1, 0)), strings.Replace(strings.Replace(scenes,
			"    { \"path\": \"scenes/Grove.tscene\", \"enabled\": true },\n", "", 1),
			"\"scenes\": [\n", "\"scenes\": [\n    { \"path\": \"scenes/Grove.tscene\", \"enabled\": true },\n", 1)},
		{"move the last up", "[\n  1, // one\n  2, /* two */\n  3  // three\n]", move(2, 0), "[\n  3,  // three\n  1, // one\n  2 /* two */\n]"},
		{"move the first to the end", "[\n  1, // one\n  2, /* two */\n  3  // three\n]", move(0, 2), "[\n  2, /* two */\n  3,  // three\n  1 // one\n]"},
		{"move with a trailing comma", "[\n  1, // one\n  2,\n]", move(0, 1), "[\n  2,\n  1, // one\n]"},
		{"move on one line", "[1, 2, 3]", move(0, 2), "[2, 3, 1]"},
		{"move on one line to the front", "[ 1,2 /* two */ ]", move(1, 0), "[ 2 /* two */,1 ]"},
		{"move keeps comments above where they are", "[\n  // group\n  1,\n  2\n]", move(0, 1), "[\n  // group\n  2,\n  1\n]"},
		{"move keeps the item's own bytes", "[\n  {\"a\":1,\n     \"b\":2},\n  {}\n]", move(0, 1), "[\n  {},\n  {\"a\":1,\n     \"b\":2}\n]"},
		{"move CRLF", "[␍\n  1,␍\n  2␍\n]", move(1, 0), "[␍\n  2,␍\n  1␍\n]"},
		{"move nowhere", "[1,2]", move(1, 1), "[1,2]"},
		{"move a comment of two slashes into a line", "[1, 2,\n  3 // three\n]", move(2, 0), "[3, // three\n1, 2\n]"},
	})
}

func TestSeveralEditsAtOnce(t *testing.T) {
	doc := parse(t, scenes)
	root := doc.Root()
	after, err := doc.Apply(
		root.Get("compress").Replace([]byte("false")),
		root.Get("scenes").Index(3).RemoveMember("enabled"),
		root.Get("version").Replace([]byte(`"1.1"`)),
		root.SetMember("icon", []byte("null"), []string{"version", "icon"}),
		root.RemoveMember("nothing"),
	)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer("true\n}", "false\n}", `{ "path": "scenes/B.tscene", "enabled": false }`, `{ "path": "scenes/B.tscene" }`,
		`"1.0",`, "\"1.1\",\n  \"icon\": null,").Replace(scenes)
	if string(after.Text()) != want {
		t.Errorf("got\n%s\nwant\n%s", after.Text(), want)
	}
}

func TestEditErrors(t *testing.T) {
	doc := parse(t, `{"a": [1, 2], "b": 1}`)
	root := doc.Root()
	for want, edit := range map[string][]Edit{
		"there is no value to change":                                                 {root.Get("c").Replace([]byte("1"))},
		`set "x": expected an object, found a list`:                                   {root.Get("a").SetMember("x", []byte("1"), nil)},
		`set "x": expected an object, found nothing`:                                  {Value{}.SetMember("x", []byte("1"), nil)},
		`remove "x": expected an object, found a number`:                              {root.Get("b").RemoveMember("x")},
		"insert an item: expected a list, found an object":                            {root.InsertItem(0, []byte("1"))},
		"insert an item: expected an index from 0 to 2, found 3":                      {root.Get("a").InsertItem(3, []byte("1"))},
		"remove an item: expected an index from 0 to 1, found -1":                     {root.Get("a").RemoveItem(-1)},
		"move an item: expected an index from 0 to 1, found 2":                        root.Get("a").MoveItem(0, 2),
		"new value: line 1, column 1: expected a value, found `x`":                    {root.Replace([]byte("x"))},
		"new value: line 1, column 2: expected the end of the file, found `,`":        {root.SetMember("c", []byte(`1, "d": 2`), nil)},
		"new value: line 1, column 1: expected a value, found the end of the file":    {root.Get("a").InsertItem(0, nil)},
		"edit of bytes 7 to 10: expected edits of this document that do not overlap":  {root.Get("a").RemoveItem(0), root.Get("a").Replace([]byte("1"))},
		"edit of bytes 5 to 500: expected edits of this document that do not overlap": {{Start: 5, End: 500}},
		"edit of bytes 5 to 4: expected edits of this document that do not overlap":   {{Start: 5, End: 4}},
		"line 1, column 2: expected a property name in quotes or `}`, found `1`":      {{Start: 1, End: 5, New: []byte("1, ")}},
	} {
		after, err := doc.Apply(edit...)
		if after != nil || err == nil || err.Error() != want {
			t.Errorf("got %v, %v, want %q", after, err, want)
		}
	}
	deep := parse(t, strings.Repeat("[", 64)+strings.Repeat("]", 64))
	v := deep.Root()
	for range 63 {
		v = v.Index(0)
	}
	if _, err := deep.Apply(v.InsertItem(0, []byte("{}"))); err == nil {
		t.Error("an edit makes the document too deep")
	}
}

// The inverse of an insertion is a removal: the text is then the same as before.
func TestInsertThenRemoveGivesTheSameText(t *testing.T) {
	for _, text := range []string{
		scenes,
		strings.ReplaceAll(scenes, "\n", "\r\n"),
		strings.ReplaceAll(scenes, "  ", "\t"),
		"\uFEFF" + scenes,
		strings.ReplaceAll(scenes, "true\n}", "true, // trailing\n}"),
		`{"version":1,"scenes":[1,2,3]}`,
		`{ "version": 1, "scenes": [ 1, 2, 3, ], }`,
		"{\n\"version\": 1,\n\n\"scenes\": [{\n}, {\n}],\n\n\n\"x\": 2\n}",
	} {
		doc := parse(t, text)
		for n := range doc.Root().Get("scenes").Len() + 1 {
			inserted, err := doc.Apply(doc.Root().Get("scenes").InsertItem(n, []byte("[\n  7\n]")))
			if err != nil {
				t.Fatal(err)
			}
			if item := inserted.Root().Get("scenes").Index(n); Compact(item, Strict) != "[7]" {
				t.Errorf("item %d is %s", n, item.Raw())
			}
			removed, err := inserted.Apply(inserted.Root().Get("scenes").RemoveItem(n))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(removed.Text(), []byte(text)) {
				t.Errorf("item %d: got\n%s\nfrom\n%s\nand\n%s", n, removed.Text(), inserted.Text(), text)
			}
		}
		for _, order := range [][]string{nil, {"new", "version"}, {"version", "new"}, {"new"}, {"new", "scenes"}} {
			inserted, err := doc.Apply(doc.Root().SetMember("new", []byte("{\n  \"a\": 7\n}"), order))
			if err != nil {
				t.Fatal(err)
			}
			removed, err := inserted.Apply(inserted.Root().RemoveMember("new"))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(removed.Text(), []byte(text)) {
				t.Errorf("%v: got\n%s\nfrom\n%s\nand\n%s", order, removed.Text(), inserted.Text(), text)
			}
		}
	}
}

// Moving an item and moving it back gives the same text where each item has its own line. (A comment line between two
// items stays between the items that are there then, so it has no one place to come back to.)
func TestMoveThereAndBack(t *testing.T) {
	scenes := strings.Replace(scenes, "    // the last two are tests\n", "", 1)
	for _, text := range []string{scenes, strings.ReplaceAll(scenes, "\n", "\r\n"), strings.ReplaceAll(scenes, "false }  //", "false },  //")} {
		doc := parse(t, text)
		list := doc.Root().Get("scenes")
		for from := range list.Len() {
			for to := range list.Len() {
				moved, err := doc.Apply(list.MoveItem(from, to)...)
				if err != nil {
					t.Fatal(err)
				}
				if got, want := moved.Root().Get("scenes").Index(to).Raw(), list.Index(from).Raw(); !bytes.Equal(got, want) {
					t.Errorf("%d to %d: the item is %s, was %s", from, to, got, want)
				}
				back, err := moved.Apply(moved.Root().Get("scenes").MoveItem(to, from)...)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(back.Text(), []byte(text)) {
					t.Errorf("%d to %d: got\n%s\nfrom\n%s\nand\n%s", from, to, back.Text(), moved.Text(), text)
				}
			}
		}
	}
}
