package packs

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/google/go-cmp/cmp"

	"talebinder/examples"
	"talebinder/export"
	"talebinder/export/packview"
	"talebinder/formats/tspack"
	"talebinder/gui/ui"
	"talebinder/gui/ui/uitest"
	"talebinder/platforms"
	"talebinder/project"
)

// packOf writes a pack with files, given as paths and contents, in path order; compressed where that helps.
func packOf(t testing.TB, name string, files map[string]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	var paths []string
	for p := range files {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	var sources []tspack.Source
	for _, p := range paths {
		sources = append(sources, tspack.Source{Path: p, Size: int64(len(files[p])), Open: func() (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(files[p])), nil
		}})
	}
	if _, err := tspack.Write(t.Context(), out, sources, tspack.WriterOptions{Compress: true}); err != nil {
		t.Fatal(err)
	}
	return path
}

func picture(width, height int) string {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			img.Set(x, y, color.RGBA{uint8(x * 16), uint8(y * 16), 128, 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err)
	}
	return b.String()
}

// wave is a second of silence in stereo.
func wave() string {
	var b bytes.Buffer
	word := func(v ...any) {
		for _, v := range v {
			if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
				panic(err)
			}
		}
	}
	b.WriteString("RIFF")
	word(uint32(36 + 4*22050))
	b.WriteString("WAVEfmt ")
	word(uint32(16), uint16(1), uint16(2), uint32(22050), uint32(4*22050), uint16(4), uint16(16))
	b.WriteString("data")
	word(uint32(4 * 22050))
	b.Write(make([]byte, 4*22050))
	return b.String()
}

func files() map[string]string {
	return map[string]string{
		"sprites/lamp.png":        picture(16, 8),
		"sprites/broken.png":      picture(16, 8)[:40],
		"scenes/dock.tscene":      "\ufeff{\n\t\"name\": \"dock\"\n}\n" + strings.Repeat("// sea\n", 500),
		"scenes/deep/cave.tscene": "{}",
		"audio/harbour.wav":       wave(),
		"data/table.bin":          "\x00\x01\x02\xff",
	}
}

// rig is the screen in a test window, in the sample game.
type rig struct {
	*screen
	host *uitest.Host
	dir  string
}

func newRig(t testing.TB) *rig {
	t.Helper()
	for _, name := range []string{"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "TALEBINDER_CACHE"} {
		t.Setenv(name, t.TempDir())
	}
	dir, err := examples.Extract(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p, err := project.Open(t.Context(), dir, project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h := uitest.New(t)
	h.SetWorkspace(ui.NewWorkspace(p, export.NewQueue(1), h))
	s := newScreen(h)
	t.Cleanup(s.Close)
	h.Put(s)
	h.Drain()
	return &rig{s, h, dir}
}

// build exports the sample game's folder and gives where it went.
func (r *rig) build(t testing.TB) string {
	t.Helper()
	profile := platforms.Development
	job, err := export.NewBuild(r.host.Workspace().Project, export.BuildOptions{Target: "linux-x64", Profile: &profile, ContentOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	report, err := job.Run(t.Context(), export.Discard())
	if err != nil {
		t.Fatal(err)
	}
	return report.OutputDirectory
}

func rows(s *screen) []string {
	var out []string
	for i := range s.tree.Len() {
		r := s.tree.Row(i)
		indent := strings.Repeat("  ", int(r.Depth))
		if f := s.tree.Folder(r); f != nil {
			out = append(out, indent+f.Name+"/")
		} else {
			out = append(out, indent+s.tree.Entry(r).Name)
		}
	}
	return out
}

func TestNothingIsOpenAtFirst(t *testing.T) {
	r := newRig(t)
	if r.root.Objects[0] != r.landing || r.lastLink.Visible() {
		t.Error("the empty state is not shown")
	}
	r.host.Answer = packOf(t, "a.tspack", files())
	r.chooseFile()
	r.host.Drain()
	if r.root.Objects[0] != r.page || r.open == nil {
		t.Fatal("the pack is not shown")
	}
	if got := r.recent(); len(got) != 1 || got[0] != r.host.Answer {
		t.Errorf("remembered %v", got)
	}
}

func TestTree(t *testing.T) {
	r := newRig(t)
	r.Focus(packOf(t, "a.tspack", files()))
	r.host.Drain()
	want := []string{
		"audio/", "  harbour.wav", "data/", "  table.bin", "scenes/", "  deep/", "    cave.tscene", "  dock.tscene", "sprites/", "  broken.png", "  lamp.png",
	}
	if diff := cmp.Diff(want, rows(r.screen)); diff != "" {
		t.Error(diff)
	}
	r.search.Entry.SetText("SCENE cave")
	if diff := cmp.Diff([]string{"scenes/", "  deep/", "    cave.tscene"}, rows(r.screen)); diff != "" {
		t.Error(diff)
	}
	r.search.Entry.SetText("no such file")
	if r.tree.Len() != 0 || !r.none.Visible() {
		t.Error("a search without results is not explained")
	}
	r.search.Entry.SetText("")
	r.toggle("scenes")
	if got := rows(r.screen); len(got) != 8 || got[4] != "scenes/" || got[5] != "sprites/" {
		t.Errorf("after closing a folder: %v", got)
	}
	r.tree.SortBy(BySize)
	if got := rows(r.screen); got[0] != "audio/" || got[len(got)-1] != "  table.bin" {
		t.Errorf("by size: %v", got)
	}
	if f := r.tree.FolderByPath("scenes"); f.Files != 2 || f.Size != int64(len(files()["scenes/dock.tscene"]))+2 || f.Stored >= f.Size {
		t.Errorf("folder %+v", f)
	}
	r.reveal("scenes/deep/cave.tscene")
	if r.chosen != "scenes/deep/cave.tscene" || r.rows.Selected() < 0 {
		t.Error("a file in a closed folder is not found")
	}
}

func TestPreviews(t *testing.T) {
	pack := packOf(t, "a.tspack", files())
	for _, c := range []struct {
		path, problem string
		check         func(p Preview) bool
	}{
		{"sprites/lamp.png", "", func(p Preview) bool { return p.Image.Rect.Dx() == 16 && p.Facts[0].Value == "16 × 8" }},
		{"sprites/broken.png", "not shown", func(p Preview) bool { return p.Image == nil && p.Facts[0].Value == "16 × 8" }},
		{"scenes/dock.tscene", "", func(p Preview) bool { return len(p.Lines) == 503 && p.Lines[1] == `    "name": "dock"` }},
		{"audio/harbour.wav", "", func(p Preview) bool {
			return cmp.Equal(p.Facts, []Fact{{"Format", "WAV, PCM"}, {"Rate", "22,050 Hz"}, {"Channels", "Stereo"}, {"Bits", "16"}, {"Length", "1.0 s"}})
		}},
		{"data/table.bin", "", func(p Preview) bool { return len(p.Lines) == 1 && strings.HasPrefix(p.Lines[0], "0000  00 01 02 ff") }},
		{"data/gone.bin", "does not have this file any more", nil},
	} {
		p := preview(t.Context(), pack, c.path, c.path)
		if !strings.Contains(p.Problem, c.problem) || (p.Problem == "") != (c.problem == "") || c.check != nil && !c.check(p) {
			t.Errorf("%s: problem %q, facts %v, lines %.3q", c.path, p.Problem, p.Facts, p.Lines)
		}
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if p := preview(stopped, pack, "scenes/dock.tscene", ""); p.Lines != nil {
		t.Error("a preview that nobody wants is read")
	}
}

func TestLongLinesAndLargePicturesAreBounded(t *testing.T) {
	pack := packOf(t, "a.tspack", map[string]string{"long.txt": strings.Repeat("ä", 1<<20), "wide.png": picture(3000, 1)})
	p := preview(t.Context(), pack, "long.txt", "long.txt")
	if len(p.Lines) != 1 || len([]rune(p.Lines[0])) != maxLine || p.Note == "" {
		t.Errorf("%d lines, %q", len(p.Lines), p.Note)
	}
	if p := preview(t.Context(), pack, "wide.png", "wide.png"); p.Image == nil || p.Image.Rect.Dx() != maxPictureSide || p.Note == "" {
		t.Errorf("picture %v, %q", p.Image, p.Problem)
	}
}

func TestDetailFollowsTheChoice(t *testing.T) {
	r := newRig(t)
	r.Focus(packOf(t, "a.tspack", files()))
	r.host.Drain()
	r.reveal("sprites/lamp.png")
	if r.detail.shown != nil {
		t.Fatal("a picture is there before it was read")
	}
	r.reveal("scenes/dock.tscene") // before the picture arrives
	r.host.Drain()
	if r.detail.shown == nil || r.detail.shown.Path != "scenes/dock.tscene" || !r.detail.text.Visible() || r.detail.column.Visible() {
		t.Error("the text is not shown")
	}
	r.reveal("sprites/lamp.png")
	r.host.Drain()
	if r.detail.picture.Empty() || r.detail.text.Visible() || !r.detail.column.Visible() {
		t.Error("the picture is not shown")
	}
	r.choose("scenes")
	if r.extract.Text != "Extract…" || r.detail.shown != nil {
		t.Error("a folder keeps the preview of a file")
	}
}

func TestVerifyAndExtractABuild(t *testing.T) {
	r := newRig(t)
	out := r.build(t)
	r.Shown()
	r.host.Drain()
	if r.last != out || !r.lastLink.Visible() {
		t.Fatalf("the last build is %q, want %q", r.last, out)
	}
	r.openLast()
	r.host.Drain()
	if r.open == nil || r.open.path != out {
		t.Fatal("the last build is not open")
	}
	r.verifyOpen()
	if r.work == nil || !r.progress.Visible() || !r.verify.Disabled() || r.host.Tickers() != 1 {
		t.Error("the work is not shown")
	}
	r.host.Drain()
	if r.work != nil || r.detail.verified == nil || !r.detail.verified.Sound() || r.host.Tickers() != 0 || r.verify.Disabled() {
		t.Fatalf("verified %+v, errors %v", r.detail.verified, r.host.Errors)
	}
	into := t.TempDir()
	r.host.Answer = into
	if r.tree.pack != "game/content.tspack" || r.tree.ByPath("game/config/game.json") == nil {
		t.Fatalf("the tree of the build: %v", rows(r.screen))
	}
	r.choose("game/config/game.json")
	if !r.extract.Disabled() {
		t.Error("a file beside the pack can be extracted")
	}
	r.openPlace()
	if want := filepath.Join(out, "game", "config", "game.json"); len(r.host.Folders) != 1 || r.host.Folders[0] != want {
		t.Errorf("opened %v", r.host.Folders)
	}
	r.host.Drain()
	if r.detail.shown == nil || len(r.detail.shown.Lines) == 0 {
		t.Error("a file beside the pack is not shown")
	}
	r.choose("game/content.tspack/scenes")
	r.extractChosen()
	r.host.Drain()
	entries, err := os.ReadDir(into)
	if err != nil || len(entries) != 1 || entries[0].Name() != "scenes" {
		t.Fatalf("extracted %v, %v, errors %v", entries, err, r.host.Errors)
	}
	r.choose("")
	r.extractChosen() // the folder is not empty now
	if len(r.host.Questions) != 1 {
		t.Fatal("files are replaced without a question")
	}
	r.host.Questions[0].OK()
	r.stop()
	r.host.Drain()
	if n := len(r.host.Notices); n == 0 || r.host.Notices[n-1] != "Extracting: cancelled" || r.work != nil {
		t.Errorf("notices %v", r.host.Notices)
	}

	damaged, err := os.ReadFile(r.open.pack)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(damaged) - 600; i < len(damaged); i++ {
		damaged[i] ^= 0xff
	}
	if err := os.WriteFile(r.open.pack, damaged, 0o666); err != nil {
		t.Fatal(err)
	}
	r.Shown() // it is read again, since it is another one now
	r.host.Drain()
	r.verifyOpen()
	r.host.Drain()
	if r.detail.verified == nil || r.detail.verified.Sound() {
		t.Errorf("a damaged pack is sound; errors %v", r.host.Errors)
	}

	if err := os.WriteFile(r.open.pack, []byte("TSPACK"), 0o666); err != nil {
		t.Fatal(err)
	}
	r.Shown()
	r.host.Drain()
	if r.open.err == nil || !r.extract.Disabled() || !r.compare.Disabled() || r.verify.Disabled() || r.tree.Len() == 0 {
		t.Error("the rest of a build with a damaged pack is not shown")
	}
}

func TestComparingPacks(t *testing.T) {
	r := newRig(t)
	other := files()
	delete(other, "data/table.bin")
	other["scenes/dock.tscene"] = strings.Replace(other["scenes/dock.tscene"], "dock", "dosk", 1) // of the same length
	other["audio/sea.wav"] = wave() + "x"
	a, b := packOf(t, "a.tspack", files()), packOf(t, "b.tspack", other)
	if !r.Drop([]string{a, b}) {
		t.Fatal("two packs are not taken")
	}
	r.host.Drain()
	c := r.compared.comparison
	if c == nil || r.middle.Objects[0] != r.compared.object {
		t.Fatalf("nothing is compared: %v", r.host.Errors)
	}
	if c.Counts != [...]int{3, 1, 1, 1, 4} {
		t.Errorf("counts %v", c.Counts)
	}
	want := map[string]Change{"audio/sea.wav": Added, "data/table.bin": Removed, "scenes/dock.tscene": Changed}
	got := map[string]Change{}
	for i := range c.Len() {
		got[c.Row(i).Path] = c.Row(i).Change
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	r.compared.filters.SetSelected(int(Same))
	if c.Len() != 4 {
		t.Errorf("%d are the same", c.Len())
	}
	r.compared.search.Entry.SetText("broken")
	if c.Len() != 1 || c.Row(0).Path != "sprites/broken.png" {
		t.Error("the search does not narrow")
	}
	r.compared.copy()
	if len(r.host.Copied) != 1 || !strings.Contains(r.host.Copied[0], "same\tsprites/broken.png") {
		t.Errorf("copied %q", r.host.Copied)
	}
	r.compared.rows.OnActivated(0)
	if r.chosen != "sprites/broken.png" || r.middle.Objects[0] != r.split {
		t.Error("a file of the comparison is not shown in the pack")
	}
	r.compareTo(a)
	r.host.Drain()
	if got := r.compared.comparison.Sentence(); got != "Both packs hold the same: 6 files." || !r.compared.none.Visible() {
		t.Errorf("%q", got)
	}
}

func TestWhatIsNoPack(t *testing.T) {
	r := newRig(t)
	if r.Drop([]string{r.dir}) {
		t.Error("a project is taken for a build")
	}
	broken := filepath.Join(t.TempDir(), "broken.tspack")
	if err := os.WriteFile(broken, []byte("nothing"), 0o666); err != nil {
		t.Fatal(err)
	}
	r.Focus(broken)
	r.host.Drain()
	if len(r.host.Errors) != 1 || !strings.Contains(r.host.Errors[0].Error(), broken) || r.root.Objects[0] != r.landing {
		t.Errorf("errors %v", r.host.Errors)
	}
	r.openLast()
	if n := len(r.host.Notices); n != 1 {
		t.Errorf("notices %v", r.host.Notices)
	}
}

func TestKeysFoldFolders(t *testing.T) {
	r := newRig(t)
	r.Focus(packOf(t, "a.tspack", files()))
	r.host.Drain()
	press := func(k fyne.KeyName) { r.key(&fyne.KeyEvent{Name: k}) }
	r.rows.Select(0)
	press(fyne.KeyLeft)
	if got := rows(r.screen); got[1] != "data/" {
		t.Errorf("Left does not close: %v", got)
	}
	press(fyne.KeyRight)
	press(fyne.KeyRight)
	if r.chosen != "audio/harbour.wav" {
		t.Errorf("Right leads to %q", r.chosen)
	}
	press(fyne.KeyLeft)
	if r.chosen != "audio" {
		t.Errorf("Left leads to %q", r.chosen)
	}
}

func BenchmarkTree(b *testing.B) {
	files := map[string]string{}
	for i := range 20_000 {
		files[fmt.Sprintf("%c/%c/file-%d.png", 'a'+i%26, 'a'+i/26%26, i)] = "x"
	}
	v, err := packview.Open(b.Context(), packOf(b, "large.tspack", files))
	if err != nil {
		b.Fatal(err)
	}
	defer v.Close()
	for b.Loop() {
		t := NewTree(v)
		t.Search("file 99")
		t.SortBy(ByStored)
	}
}
