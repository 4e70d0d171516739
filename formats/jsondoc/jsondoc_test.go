package jsondoc

import (
	"testing"
)

func parse(t testing.TB, text string) *Doc {
	t.Helper()
	doc, err := Parse([]byte(text))
	if err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	return doc
}

func TestLastOfRepeatedNamesCounts(t *testing.T) {
	doc := parse(t, `{"a": 1, "b": {"a": 2}, "\u0061": 3, "c": [true, null]}`)
	if n, err := doc.Root().Get("a").Int32(); n != 3 || err != nil {
		t.Errorf("a is %d, %v", n, err)
	}
	if n, err := doc.Root().Get("b").Get("a").Int32(); n != 2 || err != nil {
		t.Errorf("b.a is %d, %v", n, err)
	}
	if name := doc.Root().Get("a").Name(); string(name.Raw()) != `"\u0061"` {
		t.Errorf("the name is %s", name.Raw())
	}
	if doc.Root().Len() != 4 || doc.Root().Get("c").Len() != 2 || doc.Root().Get("c").Index(1).Kind() != Null {
		t.Error("wrong lengths")
	}
}
