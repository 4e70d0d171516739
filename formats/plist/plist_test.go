package plist_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/formats"
	"talebinder/formats/internal/seed"
	"talebinder/formats/plist"
)

func write(t testing.TB, d plist.Dict) string {
	t.Helper()
	var b bytes.Buffer
	if err := plist.Write(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func sample() plist.Dict {
	return plist.Dict{
		{"CFBundleName", "Lantern Grove"},
		{"CFBundleDisplayName", "Lantern & <Grove> \"Größe\" 🏮"},
		{"NSHighResolutionCapable", true},
		{"LSUIElement", false},
		{"Level", int64(-7)},
		{"Lines", "one\r\ntwo\t\nthree "},
		{"Empty", ""},
		{"Nothing", plist.Dict{}},
		{"None", []any{}},
		{"CFBundleDocumentTypes", []any{plist.Dict{{"CFBundleTypeName", "Save game"}}, "text", int64(1)}},
	}
}

func TestLayout(t *testing.T) {
	want := `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>CFBundleName</key>
	<string>A &amp; &lt;B&gt;</string>
	<key>NSHighResolutionCapable</key>
	<true/>
	<key>List</key>
	<array>
		<integer>5</integer>
		<dict>
			<key>k</key>
			<string></string>
		</dict>
	</array>
</dict>
</plist>
`
	got := write(t, plist.Dict{{"CFBundleName", "A & <B>"}, {"NSHighResolutionCapable", true}, {"List", []any{int64(5), plist.Dict{{"k", ""}}}}})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestRoundTrip(t *testing.T) {
	got, err := plist.Read([]byte(write(t, sample())))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sample(), got); diff != "" {
		t.Error(diff)
	}
	if got.Get("CFBundleName") != "Lantern Grove" || got.Get("Level") != int64(-7) || got.Get("Other") != nil {
		t.Errorf("%v", got)
	}
	if v := (plist.Dict{{"a", "1"}, {"a", "2"}}).Get("a"); v != "2" {
		t.Errorf("of a repeated key %v counts", v)
	}
}

func TestListsOfOthersAreRead(t *testing.T) {
	got, err := plist.Read([]byte("\n<plist version='1.0'><!-- a comment --><dict><key>a</key><string>1<![CDATA[<2>]]>&#x33;</string>\n\n<key>b</key><integer> 12 </integer></dict></plist><!-- more -->"))
	if diff := cmp.Diff(plist.Dict{{"a", "1<2>3"}, {"b", int64(12)}}, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

func TestValuesThatCannotBeWritten(t *testing.T) {
	deep := any("bottom")
	for range 66 {
		deep = []any{deep}
	}
	for name, c := range map[string]struct {
		value any
		says  string
	}{
		"another type":    {3.5, "plist.a is a float64"},
		"inside an array": {[]any{"x", nil}, "plist.a[1] is a <nil>"},
		"a control":       {"a\x01b", "the character U+0001"},
		"no character":    {"a\uffff", "the character U+FFFF"},
		"not UTF-8":       {"a\xff", "is not UTF-8"},
		"in a key":        {plist.Dict{{"b\x00", "x"}}, "U+0000"},
		"too deep":        {deep, "depth is 65, the limit is 64"},
	} {
		var b bytes.Buffer
		if err := plist.Write(&b, plist.Dict{{"a", c.value}}); err == nil || !strings.Contains(err.Error(), c.says) || b.Len() > 0 {
			t.Errorf("%s: got %v, %d bytes, want %q", name, err, b.Len(), c.says)
		}
	}
}

var faults = map[string]struct {
	text string
	kind error // nil: a LimitError
	says string
}{
	"empty":              {"", formats.ErrDamaged, "property list at byte 0: the end of the file, expected an element"},
	"binary":             {"bplist00", formats.ErrUnsupported, "a binary property list, expected one in XML"},
	"another-document":   {"<html></html>", formats.ErrDamaged, "the element html, expected plist"},
	"empty-plist":        {"<plist></plist>", formats.ErrDamaged, "the end of an element, expected a value"},
	"not-a-dict":         {"<plist><string>a</string></plist>", formats.ErrDamaged, "the element string, expected dict"},
	"two-values":         {"<plist><dict/><dict/></plist>", formats.ErrDamaged, "the element dict, expected the end of plist"},
	"text-before":        {"hello <plist/>", formats.ErrDamaged, `the text "hello", expected an element`},
	"value-without-key":  {"<plist><dict><string>a</string></dict></plist>", formats.ErrDamaged, "the element string, expected key"},
	"key-without-value":  {"<plist><dict><key>a</key></dict></plist>", formats.ErrDamaged, "the end of an element, expected a value"},
	"unknown-element":    {"<plist><dict><key>a</key><b/></dict></plist>", formats.ErrDamaged, "the element b, expected a value"},
	"date":               {"<plist><dict><key>a</key><date>2024-01-01T00:00:00Z</date></dict></plist>", formats.ErrUnsupported, "a value of type date"},
	"element-in-a-text":  {"<plist><dict><key>a</key><string><b/></string></dict></plist>", formats.ErrDamaged, "the element b, expected a text"},
	"text-in-true":       {"<plist><dict><key>a</key><true>1</true></dict></plist>", formats.ErrDamaged, `the text "1", expected the end of true`},
	"integer-of-letters": {"<plist><dict><key>a</key><integer>x</integer></dict></plist>", formats.ErrDamaged, `the integer "x"`},
	"integer-of-65-bits": {"<plist><dict><key>a</key><integer>9223372036854775808</integer></dict></plist>", formats.ErrDamaged, "a number of 64 bits"},
	"cut-off":            {"<plist><dict><key>a</key><arr", formats.ErrDamaged, "XML"},
	"wrong-end":          {"<plist><dict></plist>", formats.ErrDamaged, "XML"},
	"unknown-entity":     {"<plist><dict><key>&a;</key></dict></plist>", formats.ErrDamaged, "XML"},
	"other-encoding":     {`<?xml version="1.0" encoding="latin1"?><plist><dict/></plist>`, formats.ErrDamaged, "XML"},
	"too-deep":           {"<plist><dict><key>a</key>" + strings.Repeat("<array>", 65), nil, "depth is 65, the limit is 64"},
}

func TestDamage(t *testing.T) {
	for name, c := range faults {
		t.Run(name, func(t *testing.T) {
			_, err := plist.Read([]byte(c.text))
			var limit *formats.LimitError
			if c.kind == nil && !errors.As(err, &limit) || c.kind != nil && !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
}

func TestSeeds(t *testing.T) {
	seeds := map[string][]byte{"sample": []byte(write(t, sample())), "comment-and-cdata": []byte("<plist><!-- c --><dict><key>a</key><string><![CDATA[<]]></string></dict></plist>")}
	for name, c := range faults {
		seeds[name] = []byte(c.text)
	}
	seed.Check(t, "FuzzRead", seeds)
}

// What is read and can be written is read again as the same.
func FuzzRead(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := plist.Read(data)
		if err != nil {
			var limit *formats.LimitError
			if !errors.Is(err, formats.ErrDamaged) && !errors.Is(err, formats.ErrUnsupported) && !errors.As(err, &limit) {
				t.Fatalf("an error of no kind: %v", err)
			}
			return
		}
		again, err := plist.Read([]byte(write(t, d)))
		if diff := cmp.Diff(d, again); err != nil || diff != "" {
			t.Fatalf("%v\n%s", err, diff)
		}
	})
}
