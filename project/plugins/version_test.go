package plugins

import (
	"strings"
	"testing"
)

func TestParseVersion(t *testing.T) {
	good := map[string]Version{
		"1": {1, 0, 0}, "1.2": {1, 2, 0}, "1.2.3": {1, 2, 3}, " 1.2 ": {1, 2, 0}, "0": {}, "007.08": {7, 8, 0},
		"2147483647.2147483647.2147483647": {2147483647, 2147483647, 2147483647},
	}
	for text, want := range good {
		if got, err := ParseVersion(text); err != nil || got != want {
			t.Errorf("%q gives %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", " ", ".", "1.", ".1", "1..2", "1.2.3.4", "-1", "+1", "1.x", "v1", "1.2-beta", "1_000", "0x1", "1 .2", "٣"} {
		if got, err := ParseVersion(text); err == nil || !strings.Contains(err.Error(), "is not a version") {
			t.Errorf("%q gives %v, %v", text, got, err)
		}
	}
	if _, err := ParseVersion("2147483648"); err == nil || !strings.Contains(err.Error(), "2147483647 at most") {
		t.Errorf("a number that is too large gives %v", err)
	}
}

func TestRanges(t *testing.T) {
	tests := []struct{ text, in, out string }{
		{"*", "0 1 99.9.9", ""},
		{"x", "0 1", ""},
		{"X", "0 1", ""},
		{"1.2.3", "1.2.3", "1.2.2 1.2.4"},
		{"=1.2.3", "1.2.3", "1.2.4"},
		{"1.2", "1.2.0 1.2.9", "1.1.9 1.3.0"},
		{"= 1.2", "1.2.0 1.2.9", "1.1.9 1.3.0"},
		{"1", "1.0.0 1.9.9", "0.9.9 2.0.0"},
		{"1.x", "1.0.0 1.9.9", "0.9.9 2.0.0"},
		{"1.X.*", "1.0.0 1.9.9", "0.9.9 2.0.0"},
		{"1.2.*", "1.2.0 1.2.9", "1.3.0"},
		{">=1.2", "1.2.0 5", "1.1.9"},
		{">1.2", "1.3.0 5", "1.2.0 1.2.9"},
		{">1.2.3", "1.2.4", "1.2.3"},
		{">1", "2.0.0", "1.9.9"},
		{"<1.2", "1.1.9 0", "1.2.0"},
		{"<=1.2", "1.2.9", "1.3.0"},
		{"<=1.2.3", "1.2.3", "1.2.4"},
		{"^1.2.3", "1.2.3 1.9.0", "1.2.2 2.0.0"},
		{"^1", "1.0.0 1.9.9", "2.0.0 0.9.9"},
		{"^0.2.3", "0.2.3 0.2.9", "0.3.0 0.2.2"},
		{"^0.2", "0.2.0 0.2.9", "0.3.0"},
		{"^0", "0.0.0 0.9.9", "1.0.0"},
		{"^0.0", "0.0.0 0.0.9", "0.1.0"},
		{"^0.0.3", "0.0.3", "0.0.4 0.0.2"},
		{"^0.0.0", "0.0.0", "0.0.1"},
		{"^0.x", "0.9.9", "1.0.0"},
		{"~1.2.3", "1.2.3 1.2.9", "1.3.0 1.2.2"},
		{"~1.2", "1.2.0 1.2.9", "1.3.0"},
		{"~1", "1.0.0 1.9.9", "2.0.0"},
		{"~0.0.3", "0.0.3 0.0.9", "0.1.0"},
		{">=1 <2", "1.0.0 1.9.9", "0.9.9 2.0.0"},
		{">= 1   < 2", "1.0.0 1.9.9", "0.9.9 2.0.0"},
		{"\t>=1\n<2 ", "1.0.0", "2.0.0"},
		{"1.0 || 3.0", "1.0.5 3.0.1", "2.0.0 1.1.0"},
		{"<1||>=2 <3||5.x", "0.9.0 2.5.0 5.1.0", "1.5.0 3.0.0 6.0.0"},
		{"^2147483647", "2147483647.1.0", "2147483646.0.0"},
	}
	for _, test := range tests {
		r, err := ParseRange(test.text)
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		for _, version := range strings.Fields(test.in) {
			if v, err := ParseVersion(version); err != nil || !r.Contains(v) {
				t.Errorf("%q does not contain %s (%v)", test.text, version, err)
			}
		}
		for _, version := range strings.Fields(test.out) {
			if v, err := ParseVersion(version); err != nil || r.Contains(v) {
				t.Errorf("%q contains %s (%v)", test.text, version, err)
			}
		}
		if r.String() != strings.TrimSpace(test.text) {
			t.Errorf("%q is shown as %q", test.text, r)
		}
	}
	if (Range{}).String() != "*" || !(Range{}).Contains(Version{9, 9, 9}) {
		t.Error("the zero range does not accept everything")
	}
}

func TestBadRanges(t *testing.T) {
	tests := map[string]string{
		"":             "is empty",
		"  ":           "is empty",
		"||":           "empty alternative",
		"1 ||":         "empty alternative",
		"|| 1":         "empty alternative",
		"1 || || 2":    "empty alternative",
		">=":           "missing after >=",
		"1 ^":          "missing after ^",
		"one":          "not a version",
		"1.2.3.4":      "not a version",
		">>1":          "not a version",
		"> >1":         "not a version",
		"1 | 2":        "not a version",
		"^*":           "not a version",
		"1.2-1.4":      "not a version",
		"1,2":          "not a version",
		"99999999999":  "at most",
		"x.1":          "not a version",
		">= 1 < two":   "not a version",
		"1.2.3-beta.1": "not a version",
	}
	for text, want := range tests {
		if r, err := ParseRange(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v, %v, want an error with %q", text, r, err, want)
		}
	}
}
