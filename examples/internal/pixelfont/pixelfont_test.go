package pixelfont

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	f, err := Parse([]byte(`
# a comment
glyphs 8: A .
#.# #
### #
glyphs 0: <dot>
#
accents: Å = A <dot>
same: U+00AD = .
blank: U+0020 5
`))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(f.names, " "); got != "U+0020 . A U+00AD Å" {
		t.Errorf("names %s", got)
	}
	if got := f.glyphs["Å"]; got.top != 6 || strings.Join(got.lines, "/") != "#../.../#.#/###" && strings.Join(got.lines, "/") != ".#./.../#.#/###" {
		t.Errorf("Å is %+v", got)
	}
	if list := f.List(); len(list.Characters) != 5 || list.Characters[0].Advance != 5 || list.Characters[2].Advance != 5 || list.CellWidth != 5 {
		t.Errorf("list %+v", list)
	}
}

func TestParseSaysWhereADrawingIsWrong(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"glyphs 0: A B\n##\n", "line 2: 1 columns for 2 glyphs"},
		{"glyphs 0: A\n##\n#\n", "row 1 of A"},
		{"glyphs x: A\n", "line 1"},
		{"glyphs 0:\n", "no names"},
		{"glyphs 12: A\n#\n#\n", "there is room"},
		{"glyphs 0: A\n#\nglyphs 0: A\n#\n", "drawn twice"},
		{"blank: U+0020 x\n", "no number"},
		{"same: A B\n", "no rule"},
		{"same: A = B\n", "not drawn above"},
		{"what is this\n", "line 1: \"what\""},
		{"glyphs 0: AB\n#\n", "neither one character"},
	} {
		if _, err := Parse([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}
