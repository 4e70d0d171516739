package export

import (
	"bytes"
	"context"
	"errors"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"talebinder/formats/jazz2/font"
	jazzpicture "talebinder/formats/jazz2/picture"
)

const gridList = `{"CellWidth":4,"CellHeight":3,"Columns":2,"Characters":[{"Char":"A","Advance":4},{"Char":"é","Advance":3}]}`

// gridImage is an image of two cells of 4x3 pixels, each with one pixel of an index.
func gridImage(t *testing.T) []byte {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 8, 3))
	copy(m.Pix[m.PixOffset(1, 1):], []byte{64, 64, 64, 255})
	copy(m.Pix[m.PixOffset(6, 2):], []byte{65, 65, 65, 255})
	var b bytes.Buffer
	if err := jazzpicture.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// fontFolder writes files below a new folder, makes it the current one, and returns it.
func fontFolder(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// told runs a job and gives its log as lines.
func told(t *testing.T, job Job) (lines []string, report *Report, err error) {
	t.Helper()
	q := NewQueue(1)
	row := q.Add(job)
	q.Wait()
	entries, _ := row.Entries(0)
	for _, e := range entries {
		lines = append(lines, e.Level.String()+": "+filepath.ToSlash(e.String()))
	}
	s := row.Snapshot()
	return lines, s.Report, s.Err
}

func TestPackAndUnpackJobs(t *testing.T) {
	fontFolder(t, map[string]string{"a.png": string(gridImage(t)), "a.png.json": gridList})
	lines, report, err := told(t, NewPackFont("a.png", "a.font"))
	if err != nil || !report.Success || report.AssetCount != 1 || report.TotalSize == 0 || len(report.Steps) != 2 {
		t.Fatalf("%v, %+v", err, report)
	}
	if len(lines) != 2 || lines[0] != "info: Character list: a.png.json" || !strings.HasPrefix(lines[1], "info: 2 glyphs packed onto 3x6 pixels, 75 % of the grid image of 8x3, in a file of ") {
		t.Errorf("told %q", lines)
	}
	first, err := os.ReadFile("a.font")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := told(t, NewUnpackFont("a.font", "b.png")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := told(t, NewPackFont("b.png", "b.font")); err != nil {
		t.Fatal(err)
	}
	if second, err := os.ReadFile("b.font"); err != nil || !bytes.Equal(second, first) {
		t.Errorf("packed again: %v, or another file", err)
	}
	// The binary list serves when there is no other.
	if err := os.Remove("b.png.json"); err != nil {
		t.Fatal(err)
	}
	lines, _, err = told(t, NewPackFont("b.png", "c.font"))
	if err != nil || lines[0] != "info: Character list: b.png.font" {
		t.Errorf("told %q, %v", lines, err)
	}
	if third, err := os.ReadFile("c.font"); err != nil || !bytes.Equal(third, first) {
		t.Errorf("packed from the binary list: %v, or another file", err)
	}
}

func TestPicturesInPlace(t *testing.T) {
	fontFolder(t, map[string]string{"a.png": string(gridImage(t))})
	before, err := ReadPicture("a.png")
	if err != nil {
		t.Fatal(err)
	}
	for _, job := range []Job{NewApplyPalette("a.png", "a.png"), NewToIndices("a.png", "a.png")} {
		if lines, _, err := told(t, job); err != nil || !slices.Equal(lines, []string{"info: 8x3 pixels"}) {
			t.Errorf("told %q, %v", lines, err)
		}
	}
	after, err := ReadPicture("a.png")
	if err != nil || !bytes.Equal(after.Pix, before.Pix) {
		t.Errorf("%v, or other pixels", err)
	}
}

// TestPackAll has fonts at several depths: one broken, one without a list, and none of the others suffer.
func TestPackAll(t *testing.T) {
	grid := string(gridImage(t))
	fontFolder(t, map[string]string{
		"fonts/b.PNG": grid, "fonts/b.PNG.json": gridList,
		"fonts/a/x.png": grid, "fonts/a/x.png.json": `{"CellWidth": 0}`,
		"fonts/a/deep/y.png": grid, "fonts/a/deep/y.png.json": strings.Replace(gridList, "é", "A", 1),
		"fonts/picture.png": grid,
		"fonts/readme.json": "{}",
	})
	job := NewPackFonts("fonts")
	lines, report, err := told(t, job)
	if !errors.Is(err, ErrFailed) || report.Success || len(report.Errors) != 1 || report.AssetCount != 2 {
		t.Fatalf("%v, %+v", err, report)
	}
	want := []string{
		"info: Character list: fonts/a/deep/y.png.json",
		"warning: fonts/a/deep/y.png.json: U+0041 is listed outside the range",
		"warning: fonts/a/deep/y.png.json: U+0041 is listed more than once",
		"info: 2 glyphs packed onto 3x6 pixels",
		"info: Character list: fonts/a/x.png.json",
		"error: fonts/a/x.png.json(1,15): CellWidth is 0, expected 1 to 65535",
		"info: Character list: fonts/b.PNG.json",
		"info: 2 glyphs packed onto 3x6 pixels",
	}
	if len(lines) != len(want) {
		t.Fatalf("told %q", lines)
	}
	for i := range want {
		if !strings.HasPrefix(lines[i], want[i]) {
			t.Errorf("told %q, want %q", lines[i], want[i])
		}
	}
	for name, there := range map[string]bool{"fonts/b.font": true, "fonts/a/deep/y.font": true, "fonts/a/x.font": false, "fonts/picture.font": false} {
		if _, err := ReadFont(name); (err == nil) != there {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := job.Command(); !slices.Equal(got, []string{"talebinder", "pack-font", "--all", "fonts"}) || job.Output() != "fonts" || !slices.Equal(job.Steps(), []string{"Look for fonts", "Pack"}) {
		t.Errorf("%q, %s, %q", got, job.Output(), job.Steps())
	}
}

func TestFontJobErrors(t *testing.T) {
	grid := string(gridImage(t))
	files := map[string]string{
		"a.png": grid, "a.png.json": gridList, "cut.png": grid[:50], "text.png": "no picture", "text.font": "no font",
		"alone.png": grid, "empty/x.txt": "", "bad.png": grid, "bad.png.json": "{\n\n  \"CellWidth\": \"x\" }", "short.png": grid, "short.png.font": "\x00\x01",
		"many.png": grid, "many.png.json": strings.Replace(gridList, `{"Char":"é","Advance":3}`, strings.Repeat(`{"Char":"é","Advance":3},`, 600_000), 1),
	}
	tests := []struct {
		name string
		job  Job
		want string
	}{
		{"no picture", NewPackFont("none.png", "out"), "none.png: there is no such file"},
		{"a folder for a picture", NewApplyPalette("empty", "out"), "empty: cannot be read: is a directory"},
		{"a text", NewToIndices("text.png", "out"), `text.png: PNG: signature at byte 0: "no pictu"`},
		{"a cut picture", NewApplyPalette("cut.png", "out"), `cut.png: PNG: chunk "IDAT" at byte 33: a length of`},
		{"no list", NewPackFont("alone.png", "out"), "alone.png.font: there is no such file"},
		{"a bad list", NewPackFont("bad.png", "out"), "bad.png.json(3,16): CellWidth is not a number, expected 1 to 65535"},
		{"a short list", NewPackFont("short.png", "out"), "short.png.font: the file ends at byte 2, expected the header at byte 0"},
		{"a list of 600000 characters", NewPackFont("many.png", "out"), "many.png.json: the number of characters outside the range of the list is 600000, the limit is 65535"},
		{"no font", NewUnpackFont("text.font", "out"), "text.font: font: signature at byte 0"},
		{"no folder for the font", NewPackFont("a.png", "none/a.font"), "none/a.font was not written: the folder none does not exist"},
		{"a folder in the way", NewPackFont("a.png", "empty"), "empty was not written: it is a folder"},
		{"no folder to look into", NewPackFonts("none"), "none: there is no such file"},
		{"nothing to pack", NewPackFonts("empty"), "empty: there is no grid image here"},
	}
	fontFolder(t, files)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			lines, report, err := told(t, test.job)
			if !errors.Is(err, ErrFailed) || report == nil || report.Success || report.Cancelled || len(report.Errors) != 1 {
				t.Fatalf("%v, %+v", err, report)
			}
			if last := lines[len(lines)-1]; !strings.HasPrefix(last, "error: "+test.want) {
				t.Errorf("told %q, want %q", last, test.want)
			}
		})
	}
	left, _ := filepath.Glob(".*")
	if _, err := os.Stat("out"); !os.IsNotExist(err) || len(left) > 0 {
		t.Errorf("something is left: %v, %v", err, left)
	}
}

// TestUnpackedFilesAppearTogether has a folder where one of three files should go: the picture keeps its old content.
func TestUnpackedFilesAppearTogether(t *testing.T) {
	f := &font.Font{LineHeight: 1, Glyphs: []font.Glyph{{Code: 'A', Width: 1, Height: 1, Advance: 1}}, Atlas: font.Atlas{Width: 1, Height: 1, Pix: []byte{1}}}
	data, err := f.File()
	if err != nil {
		t.Fatal(err)
	}
	fontFolder(t, map[string]string{"a.font": string(data), "a.png": "old", "a.png.json/x": ""})
	if _, _, err := told(t, NewUnpackFont("a.font", "a.png")); !errors.Is(err, ErrFailed) {
		t.Errorf("the error is %v", err)
	}
	names, _ := filepath.Glob("*")
	if text, _ := os.ReadFile("a.png"); string(text) != "old" || !slices.Equal(names, []string{"a.font", "a.png", "a.png.json"}) {
		t.Errorf("the picture holds %q, the folder %q", text, names)
	}
}

func TestFontJobsAreCancelled(t *testing.T) {
	fontFolder(t, map[string]string{"a.png": string(gridImage(t)), "a.png.json": gridList})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, job := range []Job{NewPackFont("a.png", "out"), NewApplyPalette("a.png", "out"), NewPackFonts(".")} {
		report, err := job.Run(ctx, Discard())
		if !errors.Is(err, context.Canceled) || !report.Cancelled {
			t.Errorf("%s: %v, %+v", job.Title(), err, report)
		}
	}
	if names, _ := filepath.Glob("*"); !slices.Equal(names, []string{"a.png", "a.png.json"}) {
		t.Errorf("the folder holds %q", names)
	}
}
