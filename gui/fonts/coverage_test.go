package fonts

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"talebinder/examples"
	"talebinder/export"
	"talebinder/export/fonts/coverage"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/project"
)

// sampleRig is the workshop with the sample font, and the path of the translation beside it.
func sampleRig(t testing.TB) (r *rig, translation string) {
	t.Helper()
	dir, err := examples.ExtractFont(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r = newRig(t, filepath.Join(dir, examples.FontImage))
	return r, filepath.Join(dir, examples.FontTranslation)
}

func lacking(p *coveragePage) string {
	var b strings.Builder
	for _, m := range p.list() {
		b.WriteRune(m.Code)
	}
	return b.String()
}

func TestCoverageOfATranslation(t *testing.T) {
	r, translation := sampleRig(t)
	p := r.inspector.lacks
	if p.object.Objects[0] != p.begin || r.Takes("scene.tscene") || !r.Takes("a.po") || !r.Takes("words.JSON") {
		t.Error("the wrong files are taken, or something is shown before a text is dropped")
	}
	if !r.Drop([]string{translation}) {
		t.Fatal("a translation is not taken")
	}
	r.host.Drain()
	if p.object.Objects[0] != p.page || r.inspector.front.Objects[0] != p.object || lacking(p) != "ęśłń”„…" || p.verdict.Tone() != widgets.Warning {
		t.Fatalf("missing %q, %q, errors %v", lacking(p), p.verdict.Text(), r.host.Errors)
	}
	if p.chosen != 'ę' || len(p.strings()) != 3 || p.addAll.Text != "Add 7 cells" || p.add.Disabled() {
		t.Errorf("chosen %c, %d strings, %q", p.chosen, len(p.strings()), p.addAll.Text)
	}
	p.missing.Select(1)
	if p.chosen != 'ś' || len(p.strings()) != 2 {
		t.Errorf("chosen %c", p.chosen)
	}
	p.places.OnActivated(0)
	if len(r.host.Folders) != 1 || r.host.Folders[0] != translation {
		t.Errorf("opened %v", r.host.Folders)
	}
	var off []string
	for _, c := range p.commands() {
		if !c.CanRun() {
			off = append(off, c.ID)
		}
	}
	if !slices.Equal(off, []string{"fonts.coverageProject", "fonts.extendImage"}) {
		t.Errorf("commands that are off: %v", off)
	}
	p.copyMissing()
	p.copyCommand()
	if len(r.host.Copied) != 2 || r.host.Copied[0] != "ęśłń”„…" || !strings.HasPrefix(r.host.Copied[1], "talebinder font coverage ") || !strings.HasSuffix(r.host.Copied[1], "Driftmail-pl.po") {
		t.Errorf("copied %q", r.host.Copied)
	}
	p.close()
	if p.object.Objects[0] != p.begin || p.list() != nil {
		t.Error("the coverage is not ended")
	}
}

func TestCellsAreAddedAndTakenBack(t *testing.T) {
	r, translation := sampleRig(t)
	p := r.inspector.lacks
	list := r.work.ListPath()
	before := read(t, list)
	r.Drop([]string{translation})
	r.host.Drain()
	p.missing.Select(1)
	p.addCells(false)
	r.host.Drain()
	if r.UndoTitle() != "Add a cell for U+015B" || lacking(p) != "ęśłń”„…" || p.state() != coverage.Blank || p.addAll.Text != "Add 6 cells" || !p.add.Disabled() {
		t.Fatalf("undo %q, missing %q, state %v, %q", r.UndoTitle(), lacking(p), p.state(), p.addAll.Text)
	}
	if g, _ := r.chosen(); g.Code != 'ś' || r.inspector.front.Objects[0] != p.object {
		t.Errorf("the new cell is not chosen: %+v", g)
	}
	if !strings.Contains(r.bannerNote.Text(), "the cells need 208 × 247") {
		t.Errorf("%q", r.bannerNote.Text())
	}
	p.addCells(true)
	r.host.Drain()
	if n := len(r.work.List().Characters); n != 199 || r.UndoTitle() != "Add 6 cells" || !strings.Contains(p.verdict.Text(), "7 cells still to be drawn") {
		t.Errorf("%d characters, %q, %q", n, r.UndoTitle(), p.verdict.Text())
	}
	r.Undo()
	r.Undo()
	r.host.Drain()
	if r.Dirty() || string(r.work.doc.Text()) != before || !strings.Contains(p.verdict.Text(), "7 characters missing") {
		t.Errorf("after undo: dirty %v, %q", r.Dirty(), p.verdict.Text())
	}
	r.Redo()
	r.Redo()
	r.host.Drain()
	r.Save(nil)
	after := read(t, list)
	if lines := strings.Split(after, "\n"); len(lines) != len(strings.Split(before, "\n"))+7 || !slices.Contains(lines, "\t\t{ \"Char\": \"ś\", \"Advance\": 8 },") {
		t.Error("the list has other changes than new lines")
	}

	r.extendImage()
	r.host.Drain()
	m, err := export.ReadPicture(r.work.Path)
	if err != nil || m.Rect.Dy() != 247 || r.work.Sheet().Rect.Dy() != 247 {
		t.Fatalf("the image is %v, %v, errors %v", m.Rect, err, r.host.Errors)
	}
	for i, c := range r.work.List().Characters {
		if c.Code == 'ś' { // drawn in an image editor
			at := r.work.List().Cell(i)
			copyCell(m.Pix[m.PixOffset(at.Min.X, at.Min.Y):], m.Pix[m.PixOffset(r.work.List().Cell(83).Min.X, r.work.List().Cell(83).Min.Y):], m.Stride, at.Dx(), at.Dy())
		}
	}
	writeSheet(t, r.work.Path, m)
	r.written()
	r.host.Drain()
	if lacking(p) != "ęłń”„…" {
		t.Errorf("after drawing ś: %q missing", lacking(p))
	}
}

func copyCell(dst, src []byte, stride, width, height int) {
	for y := range height {
		copy(dst[y*stride:][:4*width], src[y*stride:][:4*width])
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestCoverageOfAPackedFont(t *testing.T) {
	r, translation := sampleRig(t)
	target := filepath.Join(t.TempDir(), "p.font")
	if _, err := export.NewPackFont(r.work.Path, target).Run(t.Context(), export.Discard()); err != nil {
		t.Fatal(err)
	}
	r.Drop([]string{target})
	r.host.Drain()
	p := r.inspector.lacks
	r.Drop([]string{translation})
	r.host.Drain()
	if lacking(p) != "ęśłń”„…" || !p.add.Disabled() || !p.addAll.Disabled() {
		t.Errorf("%q", lacking(p))
	}
	p.addCells(true)
	if n := len(r.host.Errors); n != 1 || !strings.Contains(r.host.Errors[0].Error(), "unpack it") {
		t.Errorf("errors %v", r.host.Errors)
	}
}

func TestCoverageFollowsTheFontAndSaysWhatItCannotRead(t *testing.T) {
	r := newRig(t, fontFiles(t, listText))
	p := r.inspector.lacks
	text := filepath.Join(t.TempDir(), "a.txt")
	write(t, text, []byte("AB\nAżé"))
	r.Drop([]string{text})
	r.host.Drain()
	if !strings.Contains(lacking(p), "ż") || strings.Contains(lacking(p), "B") {
		t.Fatalf("%q", lacking(p))
	}
	write(t, text, []byte("A\xff"))
	r.Drop([]string{text})
	r.host.Drain()
	if n := len(r.host.Errors); n != 1 || !strings.Contains(r.host.Errors[0].Error(), text+":1") || len(p.list()) == 0 {
		t.Errorf("errors %v", r.host.Errors)
	}
	large := filepath.Join(t.TempDir(), "large.txt")
	write(t, large, []byte(strings.Repeat("A long text with ż\n", 20_000)))
	r.Drop([]string{large})
	r.host.Drain()
	if len(p.strings()) == 0 || p.report.Missing[0].Count < 20_000 {
		t.Errorf("a large text: %q", lacking(p))
	}
}

func TestExcerptKeepsThePlaceInSight(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"kżk", "kżk"}, {"one\ntwo ż", "one two ż"}, {strings.Repeat("a", 40) + "żb", "…" + strings.Repeat("a", 14) + "żb"}, {"no", "no"},
	} {
		if got := excerpt(c.text, 'ż'); got != c.want {
			t.Errorf("%q", got)
		}
	}
}

func TestTheSampleIsOpenedOnTheFirstVisit(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	r := newRig(t, "")
	r.first = r.openSample
	r.Shown()
	r.host.Drain()
	if r.work == nil || r.work.Name() != examples.FontImage || r.work.Font() == nil || len(r.found) != 0 {
		t.Fatalf("not opened: %v", r.host.Errors)
	}
	again := newScreen(r.host)
	defer again.Close()
	again.Shown()
	if again.opening != 0 {
		t.Error("it is opened again on the second visit")
	}
}

func TestCoverageOfTheProject(t *testing.T) {
	r, _ := sampleRig(t)
	dir, err := examples.Extract(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p, err := project.Open(t.Context(), dir, project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.host.SetWorkspace(ui.NewWorkspace(p, export.NewQueue(1), r.host))
	page := r.inspector.lacks
	page.checkProject()
	r.host.Drain()
	if lacking(page) == "" || !strings.Contains(lacking(page), "š") || !page.project.Visible() {
		t.Fatalf("missing %q, errors %v", lacking(page), r.host.Errors)
	}
	page.places.OnActivated(0)
	if len(r.host.Places) != 1 || r.host.Places[0].File != "assets/localization/letters.tloc" || r.host.Places[0].Line < 10 {
		t.Errorf("led to %v", fmt.Sprint(r.host.Places))
	}
}
