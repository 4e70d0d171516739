package po

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/formats"
	"talebinder/formats/internal/seed"
)

const sample = "\ufeff" + `# A translation
msgid ""
msgstr ""
"Language: pl\n"
"Content-Type: text/plain; charset=UTF-8\n"

#, c-format, fuzzy
msgctxt "menu"
msgid "%d \"letter\""
msgid_plural "%d letters"
msgstr[0] "%d list"
msgstr[1] ""
  "%d "
	"listy\t\101\xC5\x82\n"

#~ msgid "old"
#~ msgstr "stary"
msgctxt ""
msgid ""
msgstr "no header"
msgid"tight"
msgstr""
`

func TestParse(t *testing.T) {
	for name, text := range map[string]string{"line feeds": sample, "carriage returns": strings.ReplaceAll(sample, "\n", "\r\n")} {
		got, err := Parse([]byte(text))
		if err != nil {
			t.Fatal(name, err)
		}
		want := []Entry{
			{Line: 2, Translations: []Translation{{0, "Language: pl\nContent-Type: text/plain; charset=UTF-8\n", 3}}},
			{Line: 8, Context: "menu", HasContext: true, ID: `%d "letter"`, Plural: "%d letters", Fuzzy: true,
				Translations: []Translation{{0, "%d list", 11}, {1, "%d listy\tAł\n", 12}}},
			{Line: 18, HasContext: true, Translations: []Translation{{0, "no header", 20}}},
			{Line: 21, ID: "tight", Translations: []Translation{{0, "", 22}}},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(name, diff)
		}
		if !got[0].Header() || got[2].Header() {
			t.Error("the header is not known")
		}
	}
	if got, err := Parse(nil); err != nil || got != nil {
		t.Errorf("an empty file is %v, %v", got, err)
	}
}

var wrong = []struct {
	name, text string
	line       int
	want       string
}{
	{"text-first", `"abc"`, 1, "belongs to nothing"},
	{"unknown-word", "msgid \"a\"\nmsgtxt \"b\"", 2, "unknown"},
	{"word-alone", "msgid", 1, "no text behind it"},
	{"unquoted", "msgid abc", 1, "no text in quotes"},
	{"open-quote", "msgid \"abc", 1, "closing quote"},
	{"ends-in-backslash", "msgid \"abc\\", 1, "closing quote"},
	{"behind-quote", `msgid "a" b`, 1, "behind the closing quote"},
	{"escape", `msgid "\q"`, 1, "escape"},
	{"octal", `msgid "\777"`, 1, "no byte"},
	{"hex", `msgid "\xZ"`, 1, "no byte"},
	{"not-utf8", "msgid \"a\"\nmsgstr \"\\xff\"", 2, "no UTF-8"},
	{"plural-first", `msgid_plural "a"`, 1, "follows nothing"},
	{"str-first", `msgstr "a"`, 1, "follows nothing"},
	{"plural-number", "msgid \"a\"\nmsgstr[x] \"\"", 2, "no plural form"},
	{"plural-large", "msgid \"a\"\nmsgstr[100] \"\"", 2, "no plural form"},
	{"twice", "msgid \"a\"\nmsgstr[1] \"\"\nmsgstr[1] \"\"", 3, "translated twice"},
	{"context-alone", `msgctxt "a"`, 1, "without msgid"},
	{"contexts", "msgctxt \"a\"\nmsgctxt \"b\"\nmsgid \"c\"", 1, "without msgid"},
}

func TestParseSaysWhereAFileIsDamaged(t *testing.T) {
	for _, c := range wrong {
		_, err := Parse([]byte(c.text))
		var e *Error
		if !errors.As(err, &e) || e.Line != c.line || !strings.Contains(e.Message, c.want) || !errors.Is(err, formats.ErrDamaged) {
			t.Errorf("%s: %+v, want line %d %q", c.name, err, c.line, c.want)
		}
	}
	_, err := Parse([]byte("msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=ISO-8859-2\\n\""))
	var e *Error
	if !errors.As(err, &e) || e.Line != 2 || !errors.Is(err, formats.ErrUnsupported) || !strings.Contains(err.Error(), "iso-8859-2") {
		t.Errorf("another character set: %v", err)
	}
}

// FuzzParse holds that nothing panics, and that what was read reads the same when it is written plainly.
func FuzzParse(f *testing.F) {
	f.Fuzz(func(t *testing.T, text []byte) {
		entries, err := Parse(text)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Line < 1 {
				t.Fatalf("an error without a line: %v", err)
			}
			return
		}
		var b strings.Builder
		for i := range entries {
			write(&b, &entries[i])
		}
		again, err := Parse([]byte(b.String()))
		if err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		plain := func(entries []Entry) []Entry {
			out := append([]Entry{}, entries...)
			for i := range out {
				out[i].Line = 0
				out[i].Translations = append([]Translation{}, out[i].Translations...)
				for j := range out[i].Translations {
					out[i].Translations[j].Line = 0
				}
			}
			return out
		}
		if diff := cmp.Diff(plain(entries), plain(again)); diff != "" {
			t.Fatal(diff)
		}
	})
}

func write(b *strings.Builder, e *Entry) {
	quote := func(s string) string {
		var q strings.Builder
		for _, c := range []byte(s) {
			fmt.Fprintf(&q, `\%03o`, c)
		}
		return `"` + q.String() + `"`
	}
	if e.Fuzzy {
		b.WriteString("#, fuzzy\n")
	}
	if e.HasContext {
		b.WriteString("msgctxt " + quote(e.Context) + "\n")
	}
	b.WriteString("msgid " + quote(e.ID) + "\n")
	if e.Plural != "" {
		b.WriteString("msgid_plural " + quote(e.Plural) + "\n")
	}
	for _, t := range e.Translations {
		fmt.Fprintf(b, "msgstr[%d] %s\n", t.Form, quote(t.Text))
	}
}

func TestSeeds(t *testing.T) {
	seeds := map[string][]byte{"sample": []byte(sample)}
	for _, c := range wrong {
		seeds[c.name] = []byte(c.text)
	}
	seed.Check(t, "FuzzParse", seeds)
}
