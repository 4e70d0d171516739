package hub

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/google/go-cmp/cmp"

	"talebinder/gui/settings"
	"talebinder/gui/theme"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

type rig struct {
	hub     *Hub
	set     *settings.Settings
	opened  []string
	missing []string
	asked   int
	jobs    []func()
}

func newRig(t *testing.T, sample bool) *rig {
	t.Helper()
	set, err := settings.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	app := test.NewTempApp(t)
	app.Settings().SetTheme(theme.New(theme.Dark))
	r := &rig{set: set}
	o := Options{
		Settings: set, Now: func() time.Time { return noon },
		Open:         func(path string) { r.opened = append(r.opened, path) },
		OpenFolder:   func() { r.asked++ },
		Spawn:        func(f func()) { r.jobs = append(r.jobs, f) },
		Do:           func(f func()) { f() },
		Missing:      func(_ settings.Recent, title, _ string) { r.missing = append(r.missing, title) },
		Error:        func(err error) { check(t, err) },
		ShowSettings: func() {},
		Hint:         func(string) {},
	}
	if sample {
		o.Sample = func() { r.opened = append(r.opened, "sample") }
	}
	r.hub = New(o)
	w := test.NewTempWindow(t, r.hub.Content())
	w.Resize(fyne.NewSize(1000, 700))
	return r
}

func (r *rig) reload() {
	r.hub.Reload()
	for _, f := range r.jobs {
		f()
	}
	r.jobs = nil
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	check(t, os.MkdirAll(filepath.Dir(path), 0o755))
	check(t, os.WriteFile(path, []byte(text), 0o644))
}

func newProject(t *testing.T, dir, game, build string) string {
	t.Helper()
	write(t, filepath.Join(dir, "assets", "config", "game.json"), game)
	if build != "" {
		write(t, filepath.Join(dir, "build.json"), build)
	}
	return dir
}

func writePicture(t *testing.T, path string, w, h int, c color.Color) {
	t.Helper()
	check(t, os.MkdirAll(filepath.Dir(path), 0o755))
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Set(x, y, c)
		}
	}
	f, err := os.Create(path)
	check(t, err)
	check(t, png.Encode(f, img))
	check(t, f.Close())
}

func TestWithoutRecentProjectsTheHubWelcomes(t *testing.T) {
	r := newRig(t, true)
	r.reload()
	if r.hub.body.Objects[0] != r.hub.empty || r.hub.head.Visible() {
		t.Error("the welcome is not shown")
	}
	if r.hub.sampleButton() == nil || newRig(t, false).hub.sampleButton() != nil {
		t.Error("the sample game is offered where there is none, or is not where there is one")
	}
}

func TestCardsOpenAndExplainAndGo(t *testing.T) {
	r := newRig(t, true)
	there := newProject(t, filepath.Join(t.TempDir(), "There"), "{}", "")
	gone := filepath.Join(t.TempDir(), "Gone")
	plain := t.TempDir()
	check(t, r.set.Remember(there, "There", noon.Add(-time.Hour)))
	check(t, r.set.Remember(gone, "Gone", noon.Add(-2*time.Hour)))
	check(t, r.set.Remember(plain, "Plain", noon.Add(-3*time.Hour)))
	r.reload()
	if diff := cmp.Diff([]string{"There", "Gone", "Plain"}, r.hub.Titles()); diff != "" {
		t.Fatal(diff)
	}
	for path, missing := range map[string]bool{there: false, gone: true, plain: true} {
		if got := r.hub.cards[path].missing.Visible(); got != missing {
			t.Errorf("%s is marked as missing: %v", path, got)
		}
	}
	test.Tap(r.hub.cards[there].press)
	test.Tap(r.hub.cards[gone].press)
	test.Tap(r.hub.cards[plain].press)
	if !slices.Equal(r.opened, []string{there}) || len(r.missing) != 2 || r.missing[0] == r.missing[1] {
		t.Errorf("opened %v, explained %v", r.opened, r.missing)
	}
	if got := r.hub.cards[there].age.Text; got != "Opened 1 hour ago" {
		t.Errorf("age %q", got)
	}

	test.Tap(r.hub.cards[plain].pin)
	if diff := cmp.Diff([]string{"Plain", "There", "Gone"}, r.hub.Titles()); diff != "" {
		t.Error("with a pin:", diff)
	}
	test.Tap(r.hub.cards[gone].remove)
	r.hub.cards[plain].press.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDelete})
	if diff := cmp.Diff([]string{"There"}, r.hub.Titles()); diff != "" {
		t.Error("after removing two:", diff)
	}
	if _, err := os.Stat(plain); err != nil || len(r.set.Recents()) != 1 {
		t.Errorf("the project itself: %v; %d remembered", err, len(r.set.Recents()))
	}
}

func TestSearching(t *testing.T) {
	r := newRig(t, true)
	check(t, r.set.Remember("/games/grove", "Lantern", noon))
	check(t, r.set.Remember("/games/harbour", "Driftmail", noon.Add(-time.Minute)))
	r.reload()
	test.Type(r.hub.search.Entry, "GROVE")
	if diff := cmp.Diff([]string{"Lantern"}, r.hub.Titles()); diff != "" {
		t.Error(diff)
	}
	if r.hub.count.Text != "1 of 2 projects" {
		t.Errorf("count %q", r.hub.count.Text)
	}
	test.Type(r.hub.search.Entry, "zzz")
	if len(r.hub.Titles()) != 0 || r.hub.body.Objects[0] != fyne.CanvasObject(r.hub.none) {
		t.Error("nothing found, and no word about it")
	}
	r.hub.search.Entry.SetText("")
	r.hub.known["/games/grove"] = found{state: Present}
	r.hub.openFirst()
	if !slices.Equal(r.opened, []string{"/games/grove"}) {
		t.Errorf("Enter opens %v", r.opened)
	}
}

func TestExplanationsNameTheNearestFolder(t *testing.T) {
	root := t.TempDir()
	title, body := explain(settings.Recent{Path: filepath.Join(root, "a", "b")}, Gone)
	if title == "" || !strings.Contains(body, root) {
		t.Errorf("%q, %q", title, body)
	}
	if _, body := explain(settings.Recent{Path: root}, Changed); !strings.Contains(body, "game.json") {
		t.Errorf("changed: %q", body)
	}
}

func TestThePictureOfAProject(t *testing.T) {
	red, green, blue := color.RGBA{0xff, 0, 0, 0xff}, color.RGBA{0, 0xff, 0, 0xff}, color.RGBA{0, 0, 0xff, 0xff}
	colour := func(dir string) color.Color {
		img := picture(dir)
		if img == nil {
			return nil
		}
		return color.RGBAModel.Convert(img.At(img.Bounds().Min.X, img.Bounds().Min.Y))
	}
	dir := newProject(t, t.TempDir(), `{ "loadingScreen": { "image": "ui/load.png" } }`, `{ "icon": "Icon.png" }`)
	assets := filepath.Join(dir, "assets")
	if got := colour(dir); got != nil {
		t.Errorf("without any picture: %v", got)
	}
	writePicture(t, filepath.Join(assets, "a", "first.png"), 4, 4, blue)
	write(t, filepath.Join(assets, "a", "broken.png"), "no picture")
	if got := colour(dir); got != blue {
		t.Errorf("the first texture: %v", got)
	}
	writePicture(t, filepath.Join(assets, "ui", "load.png"), 4, 4, green)
	if got := colour(dir); got != green {
		t.Errorf("the loading image: %v", got)
	}
	writePicture(t, filepath.Join(assets, "Icon.png"), 400, 200, red)
	if got := colour(dir); got != red {
		t.Errorf("the icon: %v", got)
	}
	if b := picture(dir).Bounds(); b.Dx() != thumbnail || b.Dy() != thumbnail/2 {
		t.Errorf("a large picture became %v", b)
	}
}

func TestAnIconOutsideTheProjectIsNotRead(t *testing.T) {
	root := t.TempDir()
	writePicture(t, filepath.Join(root, "secret.png"), 4, 4, color.White)
	dir := newProject(t, filepath.Join(root, "p"), "{}", `{ "icon": "../../secret.png" }`)
	if picture(dir) != nil {
		t.Error("it was read")
	}
}

func TestMonograms(t *testing.T) {
	for title, want := range map[string]string{"Lantern Grove": "LG", "driftmail": "D", "The long way": "TL", "  ": "?", "42 ways": "4W", "Éclair": "É"} {
		if got := monogram(title); got != want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
	if a, b := colourOf("/A/b", 8), colourOf("/a/B", 8); a != b || a < 0 || a > 7 {
		t.Errorf("colours %d and %d", a, b)
	}
}
