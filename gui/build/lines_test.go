package build

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func show(lines []line) string {
	var b strings.Builder
	for _, l := range lines {
		sign := map[mark]string{same: " ", added: "+", removed: "-"}[l.mark]
		fmt.Fprintf(&b, "%s%s\n", sign, l.text)
	}
	return b.String()
}

func TestCompareLines(t *testing.T) {
	for _, c := range []struct{ name, before, after, want string }{
		{"nothing changed", "a\nb\n", "a\nb\n", " a\n b\n"},
		{"a line changed", "a\nb\nc\n", "a\nx\nc\n", " a\n-b\n+x\n c\n"},
		{"a line more", "a\nc\n", "a\nb\nc\n", " a\n+b\n c\n"},
		{"a line less", "a\nb\nc\n", "a\nc\n", " a\n-b\n c\n"},
		{"moved", "a\nb\nc\nd\n", "a\nc\nb\nd\n", " a\n-b\n c\n+b\n d\n"},
		{"a new file", "", "a\nb", "+a\n+b\n"},
		{"other line ends", "a\r\nb\r\n", "a\r\nc\r\n", " a\n-b\n+c\n"},
		{"all equal lines", "x\nx\n", "x\nx\nx\n", " x\n x\n+x\n"},
	} {
		if got := show(compareLines([]byte(c.before), []byte(c.after))); got != c.want {
			t.Errorf("%s:\n%swant\n%s", c.name, got, c.want)
		}
	}
}

func TestComparedLinesGiveBothTexts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var lines []string
		for range random.IntN(12) {
			lines = append(lines, string(rune('a'+random.IntN(4))))
		}
		return strings.Join(lines, "\n")
	}
	for range 2000 {
		before, after := text(), text()
		var old, now []string
		for _, l := range compareLines([]byte(before), []byte(after)) {
			if l.mark != added {
				old = append(old, l.text)
			}
			if l.mark != removed {
				now = append(now, l.text)
				if l.number != len(now) {
					t.Fatalf("line %q has number %d, not %d", l.text, l.number, len(now))
				}
			}
		}
		if strings.Join(old, "\n") != before || strings.Join(now, "\n") != after {
			t.Fatalf("%q and %q come back as %q and %q", before, after, old, now)
		}
	}
}

func TestHugeDifferencesAreNotCompared(t *testing.T) {
	before, after := strings.Repeat("a\n", 3000), strings.Repeat("b\n", 3000)
	lines := compareLines([]byte(before), []byte(after))
	if len(lines) != 6000 || lines[0].mark != removed || lines[5999].mark != added {
		t.Errorf("%d lines", len(lines))
	}
}
