package history

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var began = time.Date(2026, 3, 1, 12, 0, 0, 123_000_000, time.FixedZone("", 3600))

// record is an export of a game, n minutes after the first one.
func record(project, target string, n int, assets ...Asset) *Record {
	r := &Record{
		Summary: Summary{
			Project: project, Game: "Hex Quest", Target: target, Profile: "release", Success: true,
			StartedAt: began.Add(time.Duration(n) * time.Minute), Duration: 1500 * time.Millisecond, Warnings: 2,
			AssetCount: len(assets), Categories: []Category{{Name: "Texture", Files: 1, Size: 10, OriginalSize: 20}},
		},
		Report: []byte(`{"success":true,"target":"` + target + `"}`),
		Assets: assets,
	}
	for _, a := range assets {
		r.TotalSize += a.StoredSize
	}
	return r
}

func add(t *testing.T, s *Store, r *Record) string {
	t.Helper()
	id, err := s.Add(r)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func many(n int) []Asset {
	var assets []Asset
	for i := range n {
		assets = append(assets, Asset{Path: fmt.Sprintf("sprites/tile-%d.png", i), Kind: "Texture", Reason: "Dependency", Size: int64(i), StoredSize: int64(i)})
	}
	return assets
}

func TestRecordsComeBackAsTheyWere(t *testing.T) {
	for _, count := range []int{0, 3, 5000} {
		dir := t.TempDir()
		project := filepath.Join(dir, "Hex: Quest")
		s := Open(filepath.Join(dir, "history"))
		want := record(project, "linux-x64", 0, many(count)...)
		id := add(t, s, want)
		got, err := s.Load(project, id)
		if err != nil {
			t.Fatal(err)
		}
		want.ID = id
		if !got.StartedAt.Equal(want.StartedAt) {
			t.Errorf("%s, want %s", got.StartedAt, want.StartedAt)
		}
		got.StartedAt = want.StartedAt
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		list, damaged, err := s.List(project, "")
		if err != nil || len(damaged) > 0 || len(list) != 1 || list[0].ID != id || list[0].TotalSize != want.TotalSize {
			t.Errorf("%+v, %v, %v", list, damaged, err)
		}
		info, err := os.Stat(filepath.Join(s.folder(project), id+".json"))
		if err != nil || info.Size() > 80_000 {
			t.Errorf("%d assets take %d bytes, %v", count, info.Size(), err)
		}
		if err := s.Remove(project, id); err != nil {
			t.Error(err)
		}
		if _, err := s.Load(project, id); !errors.Is(err, ErrNoRecord) {
			t.Error(err)
		}
	}
}

func TestListsAreNewestFirstAndBounded(t *testing.T) {
	dir := t.TempDir()
	s := Open(dir)
	s.kept = 3
	for n := range 5 {
		add(t, s, record("/games/hex", "linux-x64", n))
	}
	add(t, s, record("/games/hex", "win-x64", 2))
	add(t, s, record("/games/other", "win-x64", 9))
	minutes := func(target string) (got []string) {
		list, damaged, err := s.List("/games/hex", target)
		if err != nil || len(damaged) > 0 {
			t.Fatal(damaged, err)
		}
		for _, e := range list {
			got = append(got, fmt.Sprintf("%s %v", e.Target, e.StartedAt.Sub(began).Minutes()))
		}
		return got
	}
	if diff := cmp.Diff([]string{"linux-x64 4", "linux-x64 3", "linux-x64 2"}, minutes("linux-x64")); diff != "" {
		t.Error(diff)
	}
	if got := minutes(""); len(got) != 4 || got[0] != "linux-x64 4" {
		t.Error(got)
	}
	if list, _, err := s.List("/games/none", ""); err != nil || len(list) > 0 {
		t.Error(list, err)
	}
}

func TestProjectsOfTheSameNameAreKeptApart(t *testing.T) {
	s := Open(t.TempDir())
	add(t, s, record("/a/hex", "linux-x64", 0))
	if list, _, err := s.List("/b/hex", ""); err != nil || len(list) > 0 {
		t.Error(list, err)
	}
	if list, _, err := s.List("/a/./hex/", ""); err != nil || len(list) != 1 {
		t.Error(list, err)
	}
}

func TestDamagedFilesAreLeftOut(t *testing.T) {
	s := Open(t.TempDir())
	good := add(t, s, record("/g", "linux-x64", 5))
	folder := s.folder("/g")
	defects := map[string]string{
		"20260101T000000.000Z-linux-x64-00000001": "",
		"20260101T000000.000Z-linux-x64-00000002": `{"version":1,"summary":{"id":"x","proj`,
		"20260101T000000.000Z-linux-x64-00000003": `{"summary":{},"version":1}`,
		"20260101T000000.000Z-linux-x64-00000004": `{"version":2,"summary":[]}`,
		"20260101T000000.000Z-linux-x64-00000005": `[1]`,
		"20260101T000000.000Z-linux-x64-00000006": `{"version":1,"summary":{"totalSize":"big"}}`,
		"20260101T000000.000Z-linux-x64-00000007": strings.Repeat("[", 20_000),
		"20260101T000000.000Z-linux-x64-00000008": `null`,
	}
	for id, text := range defects {
		if err := os.WriteFile(filepath.Join(folder, id+".json"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Load("/g", id); err == nil && text != `{"summary":{},"version":1}` && text != "null" {
			t.Errorf("%q is loaded", text)
		}
	}
	for _, other := range []string{"notes.txt", "x.json", "20260101T000000.000Z-linux-x64-0000000g.json"} {
		if err := os.WriteFile(filepath.Join(folder, other), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	list, damaged, err := s.List("/g", "linux-x64")
	if err != nil || len(list) != 1 || list[0].ID != good || len(damaged) != len(defects) {
		t.Errorf("%d, %d: %v, %v", len(list), len(damaged), damaged, err)
	}
	newer := 0
	for _, err := range damaged {
		if strings.Contains(err.Error(), "newer version of Talebinder") {
			newer++
		}
		if !strings.Contains(err.Error(), folder) {
			t.Error(err)
		}
	}
	if newer != 1 {
		t.Errorf("%d of %v are newer", newer, damaged)
	}

	// A list that cannot be decompressed is noticed when it is loaded.
	id := "20260101T000000.000Z-linux-x64-00000009"
	text := `{"version":1,"summary":{"target":"linux-x64"},"report":{},"assetsGzip":"H4sIAAAAAAAA"}`
	if err := os.WriteFile(filepath.Join(folder, id+".json"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Load("/g", id); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Error(err)
	}
}

func TestIDsLeadNowhereElse(t *testing.T) {
	s := Open(t.TempDir())
	for _, id := range []string{"", "..", "../x", "20260101T000000.000Z-../../x-00000001", `20260101T000000.000Z-a\b-00000001`} {
		if _, err := s.Load("/g", id); !errors.Is(err, ErrNoRecord) {
			t.Errorf("%q: %v", id, err)
		}
		if err := s.Remove("/g", id); !errors.Is(err, ErrNoRecord) {
			t.Errorf("%q: %v", id, err)
		}
	}
	if _, err := s.Add(record("/g", "../x", 0)); err == nil {
		t.Error("a target that leaves the folder is kept")
	}
	if _, err := s.Add(record("/g", "", 0)); err == nil {
		t.Error("an export without a target is kept")
	}
}

func TestManyWritersAtOnce(t *testing.T) {
	dir := t.TempDir()
	var done sync.WaitGroup
	for w := range 6 {
		done.Go(func() {
			s := Open(dir)
			s.kept = 4
			for n := range 8 {
				if _, err := s.Add(record("/g", "linux-x64", 10*n+w)); err != nil {
					t.Error(err)
				}
				if _, damaged, err := s.List("/g", ""); err != nil || len(damaged) > 0 {
					t.Error(damaged, err)
				}
			}
		})
	}
	done.Wait()
	list, damaged, err := Open(dir).List("/g", "")
	if err != nil || len(damaged) > 0 || len(list) != 4 {
		t.Errorf("%d, %v, %v", len(list), damaged, err)
	}
	if entries, err := os.ReadDir(Open(dir).folder("/g")); err != nil || len(entries) != 4 {
		t.Errorf("%v, %v", entries, err)
	}
}

func TestWhatKilledWritersLeaveGoesLater(t *testing.T) {
	s := Open(t.TempDir())
	add(t, s, record("/g", "linux-x64", 0))
	old, young := filepath.Join(s.folder("/g"), ".a.json.00.tmp"), filepath.Join(s.folder("/g"), ".b.json.00.tmp")
	for _, path := range []string{old, young} {
		if err := os.WriteFile(path, []byte("half"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-3 * time.Hour)
	if err := os.Chtimes(old, long, long); err != nil {
		t.Fatal(err)
	}
	add(t, s, record("/g", "linux-x64", 1))
	if _, err := os.Stat(old); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := os.Stat(young); err != nil {
		t.Error(err)
	}
}

func TestCompare(t *testing.T) {
	before := record("/g", "linux-x64", 0,
		Asset{Path: "a.png", Kind: "Texture", Reason: "StartScene", Size: 100, StoredSize: 100},
		Asset{Path: "b.wav", Kind: "Audio", Reason: "Dependency", Size: 1000, StoredSize: 400},
		Asset{Path: "c.txt", Kind: "Text", Size: 50, StoredSize: 20},
		Asset{Path: "d.txt", Kind: "Text", Size: 50, StoredSize: 20},
		Asset{Place: WithPlayer, Path: "talesmith-player", Kind: "Engine and player", Size: 9, StoredSize: 9},
		Asset{Path: "gone.png", Kind: "Texture", Reason: "BuildScene", Size: 7, StoredSize: 5},
	)
	after := record("/g", "linux-x64", 1,
		Asset{Path: "a.png", Kind: "Texture", Reason: "StartScene", Size: 130, StoredSize: 130},
		Asset{Path: "b.wav", Kind: "Audio", Reason: "BuildScene", Size: 900, StoredSize: 300},
		Asset{Path: "c.txt", Kind: "Text", Size: 60, StoredSize: 20},
		Asset{Path: "d.txt", Kind: "Text", Size: 50, StoredSize: 20},
		Asset{Path: "talesmith-player", Kind: "File", Size: 3, StoredSize: 3},
		Asset{Path: "new/big.png", Kind: "Texture", Size: 800, StoredSize: 700},
	)
	before.Categories = []Category{{Name: "Texture", Size: 105}, {Name: "Audio", Size: 400}, {Name: "Plugins", Size: 4}}
	after.Categories = []Category{{Name: "Texture", Size: 830}, {Name: "Audio", Size: 300}, {Name: "File", Size: 3}}
	c := Compare(before, after)
	text := func(list []Change) (got []string) {
		for _, c := range list {
			got = append(got, fmt.Sprintf("%s%s %s %d>%d %+d", c.Place, c.Path, c.Reason, c.Before, c.After, c.Delta()))
		}
		return got
	}
	for _, check := range []struct {
		name string
		got  []Change
		want []string
	}{
		{"added", c.Added, []string{"new/big.png  0>700 +700", "talesmith-player  0>3 +3"}},
		{"removed", c.Removed, []string{"playertalesmith-player  9>0 -9", "gone.png BuildScene 5>0 -5"}},
		{"grown", c.Grown, []string{"a.png StartScene 100>130 +30", "c.txt  20>20 +0"}},
		{"shrunk", c.Shrunk, []string{"b.wav BuildScene 400>300 -100"}},
	} {
		if diff := cmp.Diff(check.want, text(check.got)); diff != "" {
			t.Errorf("%s: %s", check.name, diff)
		}
	}
	var categories []string
	for _, c := range c.Categories {
		categories = append(categories, fmt.Sprintf("%s %+d", c.Name, c.Delta()))
	}
	if diff := cmp.Diff([]string{"Texture +725", "Audio -100", "Plugins -4", "File +3"}, categories); diff != "" {
		t.Error(diff)
	}
	if c.Unchanged != 1 || c.Delta() != after.TotalSize-before.TotalSize || c.Delta() == 0 {
		t.Errorf("%d unchanged, %+d", c.Unchanged, c.Delta())
	}
	if same := Compare(after, after); len(same.Added)+len(same.Removed)+len(same.Grown)+len(same.Shrunk) > 0 || same.Unchanged != len(after.Assets) {
		t.Errorf("%+v", same)
	}
}

func TestLastTwo(t *testing.T) {
	s := func(id, target, profile string, success, contentOnly bool) Summary {
		return Summary{ID: id, Target: target, Profile: profile, Success: success, ContentOnly: contentOnly}
	}
	for _, c := range []struct {
		name string
		list []Summary
		want string
	}{
		{"the same target and profile", []Summary{
			s("5", "linux-x64", "release", false, false), s("4", "linux-x64", "release", true, false), s("3", "win-x64", "release", true, false),
			s("2", "linux-x64", "development", true, false), s("1", "linux-x64", "release", true, false),
		}, "1 4"},
		{"else another profile", []Summary{
			s("3", "linux-x64", "release", true, false), s("2", "linux-x64", "release", true, true), s("1", "linux-x64", "development", true, false),
		}, "2 3"},
		{"never another target", []Summary{s("2", "linux-x64", "release", true, false), s("1", "win-x64", "release", true, false)}, " "},
		{"one", []Summary{s("1", "linux-x64", "release", true, false)}, " "},
		{"none", nil, " "},
	} {
		before, after, err := LastTwo(c.list)
		if got := before.ID + " " + after.ID; got != c.want || (err != nil) != (c.want == " ") {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}

func TestBudgets(t *testing.T) {
	b := OpenBudgets(filepath.Join(t.TempDir(), "config", "budgets.json"))
	if got, err := b.Get("/g"); err != nil || len(got) != 0 {
		t.Error(got, err)
	}
	for _, step := range []struct {
		target string
		bytes  int64
	}{{"linux-x64", 64e6}, {"win-x64", 1}, {"win-x64", 0}} {
		if err := b.Set("/g", step.target, step.bytes); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Set("/g", "linux-x64", -1); err == nil {
		t.Error("a budget below nothing is taken")
	}
	got, err := b.Get("/g")
	if diff := cmp.Diff(map[string]int64{"linux-x64": 64e6}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	for _, c := range []struct {
		size, budget int64
		want         BudgetLevel
	}{{5, 0, NoBudget}, {89, 100, Within}, {90, 100, Near}, {100, 100, Near}, {101, 100, Over}, {1 << 62, 1, Over}} {
		if s := EvaluateBudget(c.size, c.budget); s.Level != c.want || c.budget > 0 && s.Left() != c.budget-c.size {
			t.Errorf("%d of %d: %v", c.size, c.budget, s)
		}
	}
	if s := EvaluateBudget(50, 200); s.Share() != 0.25 || s.Level.String() != "within the budget" {
		t.Error(s)
	}
}

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{
		"64 MB": 64 << 20, "64MiB": 64 << 20, " 1.5 gb ": 3 << 29, "700000": 700000, "0": 0, "12 bytes": 12, "0.5kB": 512,
	} {
		if got, err := ParseSize(text); err != nil || got != want {
			t.Errorf("%q: %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "MB", "-1", "1,5 MB", "1 parsec", "1e9", "99999999999 TB", "NaN"} {
		if got, err := ParseSize(text); err == nil {
			t.Errorf("%q is %d", text, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	s := Open(f.TempDir())
	id, err := s.Add(record("/g", "linux-x64", 0, many(2)...))
	if err != nil {
		f.Fatal(err)
	}
	path := filepath.Join(s.folder("/g"), id+".json")
	text, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"version":1,"summary":{},"report":{},"assetsGzip":"H4sIAAAAAAAA/wMAAAAAAAAAAAA="}`))
	f.Add([]byte(`{"version":1,"summary":null}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		list, damaged, err := s.List("/g", "")
		if err != nil || len(list)+len(damaged) != 1 {
			t.Fatal(list, damaged, err)
		}
		if r, err := s.Load("/g", id); err == nil {
			Compare(r, r)
		}
	})
}

func BenchmarkList(b *testing.B) {
	s := Open(b.TempDir())
	for n := range Kept {
		if _, err := s.Add(record("/g", "linux-x64", n, many(5000)...)); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if _, _, err := s.List("/g", ""); err != nil {
			b.Fatal(err)
		}
	}
}
