package gui

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/google/go-cmp/cmp"

	"talebinder/export"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/project"
	"talebinder/project/problem"
)

func show(lines []diffLine) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString([]string{" ", "-", "+"}[l.kind] + l.text + "\n")
	}
	return b.String()
}

func TestDiff(t *testing.T) {
	cases := []struct{ name, a, b, want string }{
		{"equal", "x\ny\n", "x\ny\n", " x\n y\n"},
		{"both empty", "", "", ""},
		{"all new", "", "a\nb", "+a\n+b\n"},
		{"all gone", "a\nb\n", "", "-a\n-b\n"},
		{"one changed", "a\nb\nc\n", "a\nB\nc\n", " a\n-b\n+B\n c\n"},
		{"one in the middle", "a\nc\n", "a\nb\nc\n", " a\n+b\n c\n"},
		{"moved", "a\nb\nc\n", "b\nc\na\n", "-a\n b\n c\n+a\n"},
		{"line ends of both kinds", "a\r\nb\r\n", "a\nb\n", " a\n b\n"},
		{"byte order mark", "\ufeffa\n", "a\n", " a\n"},
	}
	for _, c := range cases {
		if got := show(diffLines([]byte(c.a), []byte(c.b))); got != c.want {
			t.Errorf("%s:\n%swant\n%s", c.name, got, c.want)
		}
	}
}

func TestDiffGivesBothTextsBack(t *testing.T) {
	a := strings.Split("q w e r t z u i o p a s d f g h j k l", " ")
	for seed := range 200 {
		var x, y []string
		for i, l := range a {
			if (seed*7+i*13)%5 != 0 {
				x = append(x, l)
			}
			if (seed*11+i*17)%4 != 0 {
				y = append(y, l)
			}
		}
		var left, right []string
		for _, l := range diffLines([]byte(strings.Join(x, "\n")), []byte(strings.Join(y, "\n"))) {
			if l.kind != added {
				if left = append(left, l.text); l.left != len(left) {
					t.Fatalf("line %d is numbered %d", len(left), l.left)
				}
			}
			if l.kind != removed {
				if right = append(right, l.text); l.right != len(right) {
					t.Fatalf("line %d is numbered %d", len(right), l.right)
				}
			}
		}
		if diff := cmp.Diff(x, left); diff != "" {
			t.Fatal("left:", diff)
		}
		if diff := cmp.Diff(y, right); diff != "" {
			t.Fatal("right:", diff)
		}
	}
}

func TestDiffOfHugeTextsStaysCheap(t *testing.T) {
	a := strings.Repeat("a\n", 3*diffLimit)
	b := strings.Repeat("b\n", 3*diffLimit)
	if got := len(diffLines([]byte(a), []byte(b))); got != 6*diffLimit {
		t.Errorf("%d lines", got)
	}
}

func TestAroundKeepsWhatDiffers(t *testing.T) {
	a := strings.Split("1 2 3 4 5 6 7 8 9", " ")
	b := strings.Split("1 2 3 4 five 6 7 8 9", " ")
	got := show(around(diffLines([]byte(strings.Join(a, "\n")), []byte(strings.Join(b, "\n"))), 1))
	if want := " ⋯\n 4\n-5\n+five\n 6\n ⋯\n"; got != want {
		t.Errorf("%swant\n%s", got, want)
	}
	if len(around(diffLines([]byte("a"), []byte("a")), 3)) != 1 {
		t.Error("equal texts show more than a gap")
	}
}

func TestPaletteFindsByWordBeginningsFirst(t *testing.T) {
	items := []paletteItem{
		{title: "Reopen the file", detail: "Project"}, {title: "Open project folder…", detail: "File"},
		{title: "Show the project folder", detail: "Project"}, {title: "Quit", detail: "File"},
	}
	cases := map[string][]string{
		"open":   {"Open project folder…", "Reopen the file"},
		"folder": {"Open project folder…", "Show the project folder"},
		"show f": {"Show the project folder"},
		"qt":     {"Quit"},
		"file q": {"Quit"},
		"xyz":    nil,
	}
	for query, want := range cases {
		var got []string
		for _, item := range find(query, items) {
			got = append(got, item.title)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", query, diff)
		}
	}
	if len(find("", items)) != 4 {
		t.Error("without a query some are missing")
	}
}

func TestPaletteRunsWhatWasTyped(t *testing.T) {
	r := newRig(t)
	r.sample()
	r.shell.RunCommand("view.palette")
	entry := r.shell.window.Canvas().Focused()
	test.Type(entry, "poke cont")
	entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if r.shell.modal() || !has(r.screens[1].calls, "poked") {
		t.Errorf("palette open: %v, told %v", r.shell.modal(), r.screens[1].calls)
	}
}

func TestCommandsAndShortcutsAreUnique(t *testing.T) {
	r := newRig(t, func(o *Options) { o.Screens = Screens })
	r.sample()
	ids, keys := map[string]bool{}, map[string]string{}
	for _, c := range r.shell.Commands() {
		if c.ID == "" || c.Title == "" || c.Run == nil || ids[c.ID] {
			t.Errorf("command %q (%q) is not whole, or stands there twice", c.ID, c.Title)
		}
		ids[c.ID] = true
		if c.Menu == "" && c.Shortcut != nil {
			t.Errorf("%s has a shortcut and no menu: it would not work while a field has the focus", c.ID)
		}
		for _, sc := range append([]fyne.Shortcut{c.Shortcut}, c.Also...) {
			if sc == nil {
				continue
			}
			text := ui.ShortcutText(sc)
			if other := keys[text]; other != "" {
				t.Errorf("%s belongs to %s and to %s", text, other, c.ID)
			}
			keys[text] = c.ID
			if key, modifier, _ := ui.KeysOf(sc); modifier == 0 && sc == c.Shortcut {
				t.Errorf("%s: a menu item cannot have %s as its shortcut; it belongs under Also", c.ID, key)
			}
		}
	}
	if runtime.GOOS == "darwin" {
		return
	}
	for _, must := range []string{"Ctrl+O", "Ctrl+W", "Ctrl+S", "Ctrl+Z", "Ctrl+Shift+Z", "Ctrl+Shift+B", "Ctrl+K", "Ctrl+,", "F1", "F5", "Ctrl+Tab", "Alt+1", "Ctrl+Q"} {
		if keys[must] == "" {
			t.Errorf("nothing answers %s", must)
		}
	}
	for _, field := range []string{"Ctrl+C", "Ctrl+V", "Ctrl+X", "Ctrl+A"} {
		if keys[field] != "" {
			t.Errorf("%s takes %s away from the fields", keys[field], field)
		}
	}
}

func TestTheMenuFollowsTheTable(t *testing.T) {
	r := newRig(t)
	r.sample()
	count := 0
	for _, m := range r.shell.menu.main.Items {
		for _, item := range m.Items {
			if !item.IsSeparator && item.ChildMenu == nil {
				count++
			}
		}
	}
	inMenus := 0
	for _, c := range r.shell.Commands() {
		if c.Menu != "" {
			inMenus++
		}
	}
	if count != inMenus {
		t.Errorf("%d menu items for %d commands", count, inMenus)
	}
	undo := r.shell.menu.items["edit.undo"]
	if !undo.Disabled {
		t.Error("Undo is offered although nothing was done")
	}
	r.edit("9.0.0")
	if undo.Disabled || undo.Label != "Undo: Version" {
		t.Errorf("after an edit: %q, off %v", undo.Label, undo.Disabled)
	}
	undo.Action()
	if r.shell.Workspace().Project.Build.Settings().Version == "9.0.0" {
		t.Error("the menu item does not undo")
	}
	groups := shortcutGroups(r.shell.Commands())
	if len(groups) < 4 || groups[0].name != ui.MenuFile || !has(groups[0].lines[0].keys, ui.ShortcutText(ui.Ctrl(fyne.KeyO))) {
		t.Errorf("shortcut sheet: %+v", groups)
	}
}

func TestFieldAt(t *testing.T) {
	text := "{\n  // target\n  \"target\": \"linux-x64\",\n  \"scenes\": [\n    { \"path\": \"a\" },\n    {\n      \"path\": \"b\"\n    }\n  ],\n  \"version\": \"1\"\n}"
	for line, want := range map[int]string{1: "", 3: "target", 4: "scenes", 5: "scenes/0", 7: "scenes/1", 10: "version", 99: ""} {
		if got := fieldAt([]byte(text), line); got != want {
			t.Errorf("line %d is %q, want %q", line, got, want)
		}
	}
	if got := fieldAt([]byte("{ broken"), 1); got != "" {
		t.Errorf("a broken text has the field %q", got)
	}
}

func TestPlaces(t *testing.T) {
	r := newRig(t)
	r.sample()
	p := r.shell.Workspace().Project
	for file, want := range map[string]place{
		"build.json":                   {ui.ScreenBuild, ""},
		"assets/config/game.json":      {ui.ScreenContent, "config/game.json"},
		"assets/config/game.json.meta": {ui.ScreenContent, "config/game.json"},
		"config/game.json":             {ui.ScreenContent, "config/game.json"},
		"assets/no/such/thing.png":     {},
		"../outside.txt":               {},
	} {
		if got := findPlace(p, file, 0); got != want {
			t.Errorf("%s leads to %+v, want %+v", file, got, want)
		}
	}
	for file, want := range map[string]place{
		"assets/scenes/reef.tscene":        {ui.ScreenScenes, "scenes/reef.tscene:12"},
		"prefabs/buoy.tprefab":             {ui.ScreenScenes, "prefabs/buoy.tprefab:12"},
		"assets/scenes/reef.tscene.meta":   {ui.ScreenContent, "scenes/reef.tscene"},
		"assets/localization/letters.tloc": {ui.ScreenContent, "localization/letters.tloc"},
	} {
		if got := findPlace(p, file, 12); got != want {
			t.Errorf("line 12 of %s leads to %+v, want %+v", file, got, want)
		}
	}
}

func TestHealth(t *testing.T) {
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	p := &project.Project{Game: project.Game{StartScene: project.StartScene{Name: "map"}}}
	list := []problem.Problem{{Level: problem.Error}, {Level: problem.Warning}, {Level: problem.Warning}, {Level: problem.Info}}
	h := newHealth(p, list, true, nil, now)
	if _, tone, text := h.summary(); tone != widgets.Danger || text != "1 error" {
		t.Errorf("summary %q", text)
	}
	if h.facts[2].text != "1 error, 2 warnings" || h.facts[0].text != "Starts with “map”" || h.facts[1].tone != widgets.Danger {
		t.Errorf("facts: %+v", h.facts)
	}
	if _, _, text := newHealth(p, nil, false, nil, now).summary(); text != "Checking…" {
		t.Errorf("before the check: %q", text)
	}
	if _, _, text := newHealth(p, list[3:], true, nil, now).summary(); text != "Healthy" {
		t.Errorf("with a note only: %q", text)
	}
	failed := &lastExport{report: &export.Report{}, when: now.Add(-time.Hour)}
	if f := newHealth(p, nil, true, failed, now).facts[3]; f.text != "Last export failed 1 hour ago" || f.tone != widgets.Warning {
		t.Errorf("a failed export: %+v", f)
	}
	missing := project.Project{Game: project.Game{StartScene: project.StartScene{Name: project.SceneFile,
		Parameters: []project.Parameter{{Name: "path", Value: "scenes/cave.tscene"}}}}}
	if f := startSceneFact(&missing); f.text != "Start scene “cave” is missing" || f.tone != widgets.Danger {
		t.Errorf("a missing start scene: %+v", f)
	}
}

func TestTheNewestReportCounts(t *testing.T) {
	dir := t.TempDir()
	if findLastExport(dir) != nil || findLastExport(filepath.Join(dir, "none")) != nil {
		t.Error("a report out of nothing")
	}
	old := (&export.Report{Success: true, Game: "Old", Target: "linux-x64"}).Text()
	recent := (&export.Report{Success: true, Game: "New", Target: "linux-x64"}).Text()
	write(t, filepath.Join(dir, "new.report.json"), string(recent))
	write(t, filepath.Join(dir, "old.report.json"), string(old))
	write(t, filepath.Join(dir, "other.json"), "{}")
	when := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "old.report.json"), when, when); err != nil {
		t.Fatal(err)
	}
	if got := findLastExport(dir); got == nil || got.report.Game != "New" {
		t.Errorf("found %+v", got)
	}
	write(t, filepath.Join(dir, "z.report.json"), "{ broken")
	if findLastExport(dir) != nil {
		t.Error("a broken report was read")
	}
}

func TestPresenterDropsWhatComesAfterTheEnd(t *testing.T) {
	var queue []func()
	p := newPresenter(func(f func()) { queue = append(queue, f) }, true)
	ran := ""
	p.do(func() { ran += "a" })
	p.close()
	p.do(func() { ran += "b" })
	for _, f := range queue {
		f()
	}
	if ran != "" {
		t.Errorf("ran %q", ran)
	}
}

func TestTickersRunWhenTheyAreDue(t *testing.T) {
	p := newPresenter(func(f func()) { f() }, true)
	counts := map[string]int{}
	stop := p.every(tickInterval, func() { counts["fast"]++ })
	p.every(time.Second, func() { counts["slow"]++ })
	now := time.Unix(1000, 0)
	for range 20 {
		p.tick(now)
		now = now.Add(tickInterval)
	}
	if counts["fast"] != 20 || counts["slow"] != 2 {
		t.Errorf("ran %v", counts)
	}
	stop()
	p.tick(now)
	if counts["fast"] != 20 {
		t.Error("ran after it was stopped")
	}
}

func TestThePresenterTicksByItself(t *testing.T) {
	p := newPresenter(func(f func()) { f() }, false)
	ticked := make(chan struct{})
	var stop func()
	stop = p.every(0, func() {
		select {
		case ticked <- struct{}{}:
		default:
		}
	})
	<-ticked
	<-ticked
	stop()
	p.close()
}

func TestVersionLike(t *testing.T) {
	for text, want := range map[string]bool{"": true, "1": true, "0.9.2": true, "1.2.3.4": false, "v1": false, "1..2": false, "+1": false, "99999999999": false} {
		if got := versionLike(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestOpeningOnlyMovesForward(t *testing.T) {
	for _, expected := range []int{0, 100, 5000} {
		m := openingModel{expected: expected}
		last := 0.0
		move := func(title string, done, total int) {
			m.progress(title, "", done, total)
			if now := m.overall(); now < last || now > 1 {
				t.Errorf("expecting %d: %s %d of %d went from %v to %v", expected, title, done, total, last, now)
			} else {
				last = now
			}
		}
		move("settings", 1, 2)
		move("settings", 2, 2)
		for n := 0; n <= 1000; n += 100 {
			move("assets", n, 0)
		}
		move("assets", 1000, 1000)
		move("checks", 1, 1)
		if last != 1 {
			t.Errorf("expecting %d: the end is %v", expected, last)
		}
	}
}
