package problem

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMergeSortsAndKeepsEachProblemOnce(t *testing.T) {
	missing := Problem{Level: Error, Code: "scene-missing", Message: "scene a is missing", File: "build.json", Line: 4}
	later := Problem{Level: Error, Code: "scene-missing", Message: "scene b is missing", File: "build.json", Line: 9}
	note := Problem{Level: Info, Code: "scanned", Message: "12 assets"}
	stray := Problem{Level: Warning, Code: "meta-stray", Message: "no asset", File: "assets/a.meta"}
	got := Merge([]Problem{note, later, missing}, []Problem{stray, missing})
	if diff := cmp.Diff([]Problem{missing, later, stray, note}, got); diff != "" {
		t.Error(diff)
	}
}

func TestProblemAsTextAndJSON(t *testing.T) {
	p := Problem{Level: Warning, Code: "icon-missing", Message: "the icon is not there", File: "build.json", Line: 3, Column: 9}
	if got, want := p.String(), "build.json(3,9): the icon is not there"; got != want {
		t.Errorf("got %q, expected %q", got, want)
	}
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"level":"warning","code":"icon-missing","message":"the icon is not there","file":"build.json","line":3,"column":9}`
	if string(text) != want {
		t.Errorf("got %s, expected %s", text, want)
	}
}
