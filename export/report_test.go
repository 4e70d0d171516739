package export

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talebinder/formats"
	"talebinder/platforms"
)

// golden reads a file of the golden listings, or skips the test where they are missing.
func golden(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "shared", "golden", "talesmith", filepath.FromSlash(name)))
	if err != nil {
		t.Skip("the golden listings are not here: ", err)
	}
	return text
}

func goldenCases[T any](t testing.TB, name string) []T {
	t.Helper()
	var listing struct{ Cases []T }
	if err := json.Unmarshal(golden(t, name), &listing); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d cases", name, len(listing.Cases))
	return listing.Cases
}

func TestGoldenDurations(t *testing.T) {
	type duration struct {
		Ticks int64
		Text  string
	}
	for _, c := range goldenCases[duration](t, "durations.json") {
		d := time.Duration(c.Ticks) * tick
		if got := FormatDuration(d); got != c.Text {
			t.Errorf("%d ticks: %s, want %s", c.Ticks, got, c.Text)
		}
		if back, err := ParseDuration(c.Text); err != nil || back != d {
			t.Errorf("ParseDuration(%q) = %v, %v, want %v", c.Text, back, err, d)
		}
	}
}

func TestGoldenTimestamps(t *testing.T) {
	type timestamp struct {
		Local         string
		FractionTicks int64
		OffsetMinutes int
		Text          string
	}
	for _, c := range goldenCases[timestamp](t, "timestamps.json") {
		when, err := time.ParseInLocation("2006-01-02T15:04:05", c.Local, time.FixedZone("", c.OffsetMinutes*60))
		if err != nil {
			t.Fatal(err)
		}
		when = when.Add(time.Duration(c.FractionTicks)*tick + 99) // what is below a tick is dropped
		if got := formatTime(when); got != c.Text {
			t.Errorf("%v: %s, want %s", when, got, c.Text)
		}
		if back, err := parseTime(c.Text); err != nil || !back.Equal(when.Add(-99)) {
			t.Errorf("parseTime(%q) = %v, %v", c.Text, back, err)
		}
	}
}

// engineReport is the content of the golden report.
func engineReport(t testing.TB) *Report {
	t.Helper()
	zone := time.FixedZone("", 3600)
	at := func(s string) time.Time {
		when, err := time.ParseInLocation("15:04:05.9999999", s, zone)
		if err != nil {
			t.Fatal(err)
		}
		return time.Date(2026, 3, 1, when.Hour(), when.Minute(), when.Second(), when.Nanosecond(), zone)
	}
	return &Report{
		Success: true, Game: "Hex Quest: Tides?", Target: "linux-x64", Profile: platforms.Distribution,
		StartedAt: at("12:34:55.5"), Duration: 7250 * time.Millisecond,
		OutputDirectory: "out/Hex Quest Tides-linux-x64",
		Executable:      "out/Hex Quest Tides-linux-x64/Hex Quest Tides",
		Archive:         "out/Hex Quest Tides-1.0.0-linux-x64.tar.gz",
		ReportFile:      "out/Hex Quest Tides-linux-x64.report.json",
		TotalSize:       10250, AssetCount: 2,
		Categories: []Category{
			{"Engine and player", 2, 9000, 9000}, {"Texture", 1, 900, 900}, {"Scene", 1, 200, 700}, {"Configuration", 2, 150, 150},
		},
		LargestAssets: []AssetSize{
			{"sprites/a.png", "Texture", 900, 900, Dependency}, {"scenes/a.tscene", "Scene", 700, 200, StartScene},
		},
		Steps: []StepTime{
			{"Checking the project", time.Second}, {"Compiling scripts", 500 * time.Millisecond}, {"Collecting content", 12 * time.Millisecond},
			{"Packing content", 2100*time.Millisecond + tick}, {"Preparing the player", 0}, {"Assembling the build", 250 * time.Millisecond},
			{"Finishing", 3 * time.Second},
		},
		Warnings: []Entry{{Time: at("12:34:56.1234567"), Level: Warning, Message: "The icon ü+.png isn't there", File: "build.json", Step: "Checking the project"}},
	}
}

func TestGoldenReport(t *testing.T) {
	want := string(golden(t, "report.success.json"))
	if diff := cmp.Diff(want, string(engineReport(t).Text())); diff != "" {
		t.Error("written (-want +got):\n", diff)
	}
	read, err := ParseReport([]byte(want))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(engineReport(t), read); diff != "" {
		t.Error("read (-want +got):\n", diff)
	}
}

func TestReportLeavesOutWhatIsNotThere(t *testing.T) {
	r := &Report{Cancelled: true, Target: "linux-x64", Profile: platforms.Release, StartedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Errors: []Entry{{Time: time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC), Level: Error, Message: "no", File: "a.tscene", Line: 3, Column: 7}}}
	const want = `{
  "success": false,
  "cancelled": true,
  "game": "",
  "target": "linux-x64",
  "profile": "release",
  "startedAt": "2026-01-02T03:04:05+00:00",
  "duration": "00:00:00",
  "totalSize": 0,
  "assetCount": 0,
  "categories": [],
  "largestAssets": [],
  "steps": [],
  "warnings": [],
  "errors": [
    {
      "time": "2026-01-02T03:04:06+00:00",
      "level": "error",
      "message": "no",
      "file": "a.tscene",
      "line": 3,
      "column": 7
    }
  ]
}`
	if diff := cmp.Diff(want, string(r.Text())); diff != "" {
		t.Error(diff)
	}
	line, err := json.Marshal(map[string]any{"report": r, "entry": r.Errors[0]})
	if err != nil || strings.Contains(string(line), "\n") || !strings.Contains(string(line), `"report":{"success":false,`) {
		t.Errorf("as part of a JSON line: %s, %v", line, err)
	}
}

func TestParseReportRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"an empty file", "", "line 1, column 1"},
		{"a cut file", `{ "success": tr`, "line 1"},
		{"a list", `[]`, "expected an object"},
		{"a comment", "{} // done", "line 1, column 4"},
		{"text for a number", "{\n  \"totalSize\": \"1\"\n}", "line 2, column 16: expected"},
		{"a fraction of a byte", `{ "totalSize": 1.5 }`, "line 1, column 16"},
		{"a time without an offset", `{ "startedAt": "2026-03-01T12:34:55" }`, "expected a time of the form"},
		{"a duration in seconds", `{ "duration": "7.25" }`, `expected a duration of the form [d.]hh:mm:ss[.fffffff], found "7.25"`},
		{"an unknown level", `{ "errors": [ { "level": "fatal" } ] }`, "expected one of debug, info, warning, error"},
		{"a level beyond the last", `{ "errors": [ { "level": 4 } ] }`, "expected a number from 0 to 3"},
		{"an unknown reason", `{ "largestAssets": [ { "reason": "Because" } ] }`, "expected one of StartScene"},
		{"an unknown profile", `{ "profile": "final" }`, "expected development, release or distribution"},
		{"a list of numbers", `{ "steps": [ 1 ] }`, "expected an object, found 1"},
		{"an object for a list", `{ "steps": {} }`, "expected a list"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParseReport([]byte(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, formats.ErrDamaged) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestParseReportAccepts(t *testing.T) {
	for _, c := range []struct {
		text string
		want Report
	}{
		{`{}`, Report{Profile: platforms.Release}},
		{"\ufeff" + `{ "game": null, "other": [1], "errors": null, "profile": "Development" }`, Report{Profile: platforms.Development}},
		{`{ "profile": 2, "warnings": [ { "level": 2 } ] }`, Report{Profile: platforms.Distribution, Warnings: []Entry{{Level: Warning}}}},
	} {
		r, err := ParseReport([]byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if diff := cmp.Diff(&c.want, r); diff != "" {
			t.Errorf("%s: %s", c.text, diff)
		}
	}
}

func TestParseDurationRefuses(t *testing.T) {
	for _, s := range []string{"", "1", "1:2:3", "00:00", "00:60:00", "24:00:00", "00:00:60", "00:00:00.", "00:00:00.00000001", "-", "a.00:00:00", "00:00:0x", "+1:00:00", "106752.00:00:00", "99999999999999999999.00:00:00", "00:+1:00"} {
		if d, err := ParseDuration(s); err == nil {
			t.Errorf("ParseDuration(%q) = %v", s, d)
		}
	}
	for _, d := range []time.Duration{-time.Second, math.MaxInt64 / tick * tick, -25 * time.Hour} {
		if back, err := ParseDuration(FormatDuration(d)); err != nil || back != d {
			t.Errorf("%v comes back as %v, %v", d, back, err)
		}
	}
}

func FuzzParseReport(f *testing.F) {
	f.Add(engineReport(f).Text())
	f.Add([]byte(`{}`))
	f.Add([]byte(`{ "duration": "1.02:03:04.0000005", "profile": 0, "steps": [ { "title": "\ud800" } ] }`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := ParseReport(text)
		if err != nil {
			return
		}
		written := r.Text()
		again, err := ParseReport(written)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, written)
		}
		if diff := cmp.Diff(string(written), string(again.Text())); diff != "" {
			t.Error("written once and twice:\n", diff)
		}
	})
}

func TestReportsOfOtherJobsComeBack(t *testing.T) {
	want := &Report{
		Success: true, Kind: "swap-content", Game: "Tide Water", Target: "disc", Profile: platforms.Release,
		StartedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), ReportFile: "x",
		Sums: []Sum{{"image", "tide.iso", 4096, strings.Repeat("ab", 32)}, {"kept", "SYSTEM.CNF", 54, strings.Repeat("01", 32)}},
	}
	text := want.Text()
	if strings.Contains(string(text), "profile") {
		t.Errorf("a profile without meaning: %s", text)
	}
	got, err := ParseReport(text)
	if err != nil {
		t.Fatal(err)
	}
	got.StartedAt = got.StartedAt.UTC()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
