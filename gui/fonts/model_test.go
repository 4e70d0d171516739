package fonts

import (
	"bytes"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	pack "talebinder/export/fonts"
	"talebinder/formats/jazz2/charlist"
	"talebinder/formats/jazz2/font"
	"talebinder/formats/jazz2/picture"
	"talebinder/gui/widgets"
)

// listText is a list with everything that an edit has to leave alone.
const listText = `{
	// drawn by hand
	"CellWidth": 8, "CellHeight":  10,
	"Columns": 4,
	"Note": [1,  2],
	"Characters": [
		{ "Char": "A", "Advance": 5 },
		{ "Char": "B", "Advance":   6 }, // wide
		{ "Char": "C", "Advance": 7 },
		{ "Char": " ", "Advance": 3 },
		{ "Char": "\u00e9", "Advance": 5 },
		{ "Fallback": true, "Advance": 4 },
	],
}
`

// sheetOf draws six glyphs of 8 by 10 pixels; the fourth is empty, and the second has a pixel that is covered in part.
func sheetOf() *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, 32, 20))
	ink := func(x, y int, index, alpha uint8) {
		m.SetNRGBA(x, y, color.NRGBA{index, index, index, alpha})
	}
	for i := range 6 {
		if i == 3 {
			continue
		}
		x, y := i%4*8+1, i/4*10+2
		for d := range 4 + i%3 {
			ink(x, y+d, 64, 255)
			ink(x+d%4, y, 71, 255)
		}
	}
	ink(8+3, 4, 66, 128)
	return m
}

func writeSheet(t testing.TB, path string, m *image.NRGBA) {
	t.Helper()
	var b bytes.Buffer
	if err := picture.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	write(t, path, b.Bytes())
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// fontFiles puts the small font into a folder and gives the path of its image.
func fontFiles(t testing.TB, list string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lamp.png")
	writeSheet(t, path, sheetOf())
	write(t, path+".json", []byte(list))
	return path
}

func openFont(t testing.TB, path string) *Workshop {
	t.Helper()
	w, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestOpenPacks(t *testing.T) {
	w := openFont(t, fontFiles(t, listText))
	if w.Result().Err != nil || w.Font() == nil {
		t.Fatalf("not packed: %v", w.Result().Err)
	}
	g, _ := w.Glyph(1)
	if g.Code != 'B' || g.Advance != 6 || g.Bearing != image.Pt(1, 2) || g.Width == 0 || !g.Packed {
		t.Errorf("%+v", g)
	}
	if g, _ := w.Glyph(3); g.Width != 0 || g.Text() != "space" {
		t.Errorf("a glyph without ink: %+v", g)
	}
	found := w.Problems()
	if len(found) == 0 || found[len(found)-1].Title != "1 pixel is partly covered" || found[len(found)-1].Spots[0].Glyph != 1 {
		t.Errorf("%+v", found)
	}
}

func TestEditsLeaveTheRestOfTheListAlone(t *testing.T) {
	path := fontFiles(t, listText)
	w := openFont(t, path)
	for _, err := range []error{w.SetAdvance(1, 7), w.SetAdvance(1, 9), w.Set(BaseSpacing, -1), w.Set(LineHeight, 12)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := strings.Replace(listText, `"Advance":   6`, `"Advance":   9`, 1)
	got := string(w.doc.Text())
	for line := range strings.SplitSeq(want, "\n") {
		if !strings.Contains(got, strings.TrimSuffix(line, ",")) {
			t.Errorf("lost %q", line)
		}
	}
	if w.List().LineHeight != 12 || w.List().BaseSpacing != -1 || w.Font().LineHeight != 12 || w.Font().BaseSpacing != -1 || w.Font().Glyphs[1].Advance != 9 {
		t.Error("the packed font does not follow")
	}
	if w.Pending(w.Round()) {
		t.Error("numbers alone ask for packing")
	}
	if err := w.doc.Save(); err != nil {
		t.Fatal(err)
	}
	for range 3 { // the two steps of the advance are one
		if !w.Undo() {
			t.Fatal("nothing to undo")
		}
	}
	if w.Undo() || string(w.doc.Text()) != listText || w.Font().Glyphs[1].Advance != 6 || w.Font().LineHeight != 10 {
		t.Errorf("after undo: %s", w.doc.Text())
	}
	if !w.Redo() || w.Font().Glyphs[1].Advance != 9 {
		t.Error("redo did nothing")
	}
}

func TestEditsOfCellsAskForPacking(t *testing.T) {
	w := openFont(t, fontFiles(t, listText))
	round := w.Round()
	if err := w.Set(CellWidth, 16); err != nil {
		t.Fatal(err)
	}
	if err := w.SetAdvance(0, 11); err != nil {
		t.Fatal(err)
	}
	if !w.Pending(round) {
		t.Fatal("other cells do not ask for packing")
	}
	stale := Job{round: round}
	if w.Adopt(stale, &Result{}) {
		t.Error("took the result of what is no longer there")
	}
	job := w.Job()
	r := job.Run(t.Context())
	if err := w.SetAdvance(0, 12); err != nil { // edited while it was packed
		t.Fatal(err)
	}
	if !w.Adopt(job, r) || w.Font() == nil || w.Font().Glyphs[0].Advance != 12 {
		t.Errorf("after packing: %+v", w.Result())
	}
}

func TestEditsAreRefused(t *testing.T) {
	w := openFont(t, fontFiles(t, listText))
	for name, err := range map[string]error{
		"advance": w.SetAdvance(0, 256), "negative": w.SetAdvance(0, -1), "no glyph": w.SetAdvance(6, 1), "columns": w.Set(Columns, 0),
		"spacing": w.Set(BaseSpacing, 40000),
	} {
		if err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	if w.doc.Dirty() {
		t.Error("a refused edit has changed the list")
	}
}

func TestBinaryList(t *testing.T) {
	path := fontFiles(t, listText)
	list, err := charlist.ParseJSON([]byte(listText))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path + ".json"); err != nil {
		t.Fatal(err)
	}
	write(t, path+".font", list.Binary())
	w := openFont(t, path+".font")
	if w.Form != BinaryList || w.Path != path || w.CanSet(LineHeight) == nil {
		t.Fatalf("form %d of %s", w.Form, w.Path)
	}
	if err := w.SetAdvance(0, 8); err != nil {
		t.Fatal(err)
	}
	back, err := charlist.ParseBinary(w.doc.Text())
	if err != nil || back.Characters[0].Advance != 8 {
		t.Errorf("%+v, %v", back, err)
	}
}

func TestPackedFont(t *testing.T) {
	w := openFont(t, fontFiles(t, listText))
	data, err := w.Font().File()
	if err != nil {
		t.Fatal(err)
	}
	path := w.Target()
	write(t, path, data)
	p := openFont(t, path)
	if p.Form != PackedFont || p.Sheet() == nil || p.CanSet(Columns) == nil {
		t.Fatalf("%+v", p)
	}
	if err := p.SetAdvance(2, 15); err != nil {
		t.Fatal(err)
	}
	if err := p.Set(LineHeight, 21); err != nil {
		t.Fatal(err)
	}
	if err := p.doc.Save(); err != nil {
		t.Fatal(err)
	}
	saved, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	back, err := font.Read(saved)
	if err != nil || back.Glyphs[2].Advance != 15 || back.LineHeight != 21 {
		t.Fatalf("%+v, %v", back, err)
	}
	if d := sameGlyphs(&font.Font{LineHeight: 21, BaseSpacing: w.Font().BaseSpacing, ASCIIFirst: back.ASCIIFirst, ASCIICount: back.ASCIICount, Glyphs: back.Glyphs, Atlas: back.Atlas}, back); d != "" {
		t.Error(d)
	}
	if !p.Undo() || !p.Undo() || p.Font().Glyphs[2].Advance != 7 {
		t.Error("undo does not lead back")
	}
}

func TestErrorsOfTheListPointAtTheRow(t *testing.T) {
	cases := map[string]struct {
		list     string
		position int
		rows     int
	}{
		"order":     {strings.Replace(listText, `"Columns": 4,`, `"Columns": 4, "AsciiFirst": 65, "AsciiCount": 4,`, 1), 3, 6},
		"advance":   {strings.Replace(listText, `"Advance": 7`, `"Advance": 700`, 1), 2, 6},
		"two chars": {strings.Replace(listText, `"Char": "B"`, `"Char": "BB"`, 1), 1, 6},
		"syntax":    {listText[:60], -1, 0},
		"no cells":  {`{ "Characters": [ { "Char": "A", "Advance": 5 } ] }`, -1, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := openFont(t, fontFiles(t, c.list))
			found := w.Problems()
			if len(found) == 0 || found[0].Level != Error || found[0].Glyph != c.position || !strings.Contains(found[0].Title, "line") {
				t.Fatalf("%+v", found)
			}
			rows := 0
			if w.List() != nil {
				rows = len(w.List().Characters)
			}
			if rows != c.rows {
				t.Errorf("%d rows, expected %d", rows, c.rows)
			}
			if w.SetAdvance(0, 1) == nil {
				t.Error("a list with an error was edited")
			}
		})
	}
}

func TestNoList(t *testing.T) {
	path := fontFiles(t, listText)
	if err := os.Remove(path + ".json"); err != nil {
		t.Fatal(err)
	}
	w := openFont(t, path)
	if !w.NoList() || w.Problems()[0].Title != "There is no list" {
		t.Fatalf("%+v", w.Problems())
	}
	if err := w.BeginList(8, 10); err != nil {
		t.Fatal(err)
	}
	if l := w.List(); l == nil || len(l.Characters) != 95 || l.Columns != 4 || !w.doc.Dirty() {
		t.Fatalf("%+v", w.List())
	}
	w.Adopt(w.Job(), w.Job().Run(t.Context()))
	if w.Font() == nil {
		t.Error(w.Result().Err)
	}
	if err := w.doc.Save(); err != nil {
		t.Fatal(err)
	}
	if again := openFont(t, path); again.NoList() || again.listErr != nil {
		t.Error(again.listErr)
	}
}

func TestLookSeesWhatOthersWrite(t *testing.T) {
	path := fontFiles(t, listText)
	w := openFont(t, path)
	if l := w.Look(t.Context()); !l.Nothing() {
		t.Fatalf("%+v", l)
	}
	m := sheetOf()
	m.SetNRGBA(6, 8, color.NRGBA{65, 65, 65, 255})
	var b bytes.Buffer
	if err := picture.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	write(t, path, b.Bytes()[:b.Len()/2])
	if l := w.Look(t.Context()); l.sheetErr == nil {
		t.Error("half an image was taken")
	}
	write(t, path, append(b.Bytes(), 0))
	l := w.Look(t.Context())
	if l.sheet == nil {
		t.Fatalf("%+v", l)
	}
	round := w.Round()
	w.Take(l)
	if !w.Pending(round) || w.Sheet().NRGBAAt(6, 8).R != 65 {
		t.Error("the new image is not what is packed next")
	}
	write(t, path+".json", []byte(strings.Replace(listText, `"Advance": 5`, `"Advance": 15`, 1)))
	if l := w.Look(t.Context()); !l.list {
		t.Error("the changed list was not seen")
	}
	if err := w.Reload(); err != nil || w.List().Characters[0].Advance != 15 {
		t.Errorf("%v, %+v", err, w.List())
	}
}

func TestTable(t *testing.T) {
	w := openFont(t, fontFiles(t, listText))
	for query, want := range map[string]int{"": 6, "B": 1, "é": 1, "U+E9": 1, "u+00e": 1, "0x41": 1, "66": 1, "acute small": 1, "letter": 4, "fallback": 1, "zebra": 0} {
		table := Table{Query: query}
		if table.Update(w); table.Len() != want {
			t.Errorf("%q finds %d glyphs, expected %d", query, table.Len(), want)
		}
	}
	table := Table{Problems: true}
	table.Update(w)
	// The second has a pixel that is covered in part, and the space is outside the range.
	if table.Len() != 2 || table.At(0) != 1 || table.Level(1) != Warning || table.Row(3) != 1 || table.Row(0) != -1 {
		t.Errorf("%+v", table)
	}
}

func TestRoundTrip(t *testing.T) {
	w := openFont(t, fontFiles(t, listText))
	trip, err := RoundTrip(t.Context(), w.Font(), false)
	if err != nil || !trip.Identical || trip.Bytes == 0 {
		t.Fatalf("%+v, %v", trip, err)
	}
	other := *w.Font()
	other.Glyphs = append([]font.Glyph(nil), other.Glyphs...)
	other.Glyphs[2].Advance = 99
	if d := difference(w.Font(), &other); !strings.Contains(d, "U+0043 is 7, and then 99") {
		t.Error(d)
	}
}

// goldenCases gives the folders of the reference's fonts.
func goldenCases(t testing.TB) []string {
	cases, _ := filepath.Glob("../../../shared/golden/fonts/pack/*/packed.font")
	if len(cases) == 0 {
		t.Skip("no reference fonts here")
	}
	return cases
}

func TestGoldenFonts(t *testing.T) {
	n := 0
	for _, path := range goldenCases(t) {
		dir := filepath.Dir(path)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want, err := font.Read(data)
		if err != nil {
			continue // a case of the reader, not of the workshop
		}
		p := openFont(t, path)
		if d := difference(want, p.Font()); d != "" {
			t.Errorf("%s: opened as another font: %s", path, d)
		}
		sheets, _ := filepath.Glob(filepath.Join(dir, "source.png"))
		for _, sheet := range sheets {
			w := openFont(t, sheet)
			if w.Font() == nil {
				t.Errorf("%s: %v", sheet, w.Result().Err)
				continue
			}
			if d := difference(want, w.Font()); d != "" {
				t.Errorf("%s: %s", sheet, d)
			}
			if _, err := w.Font().Payload(); err != nil {
				t.Error(err)
			}
			if w.List().ASCIIFirst+w.List().ASCIICount <= 256 {
				if trip, err := RoundTrip(t.Context(), w.Font(), false); err != nil || !trip.Identical {
					t.Errorf("%s: %v, %v", sheet, trip, err)
				}
			}
			n++
		}
	}
	t.Logf("%d fonts", n)
}

// TestSampleIsWhatTheGameDraws compares the drawn sample with the sheet: one glyph behind the other, cell by cell.
func TestSampleIsWhatTheGameDraws(t *testing.T) {
	m := sheetOf()
	w := openFont(t, fontFiles(t, strings.Replace(listText, `"Columns": 4`, `"Columns": 4, "BaseSpacing": 2`, 1)))
	dst := image.NewRGBA(image.Rect(0, 0, 120, 60))
	drawSample(dst, w.Result(), Sample{Text: "AC\nA\u0416", Zoom: 2, Glyph: -1}, &Colors{})
	table := colorsOf(false)
	const border = 8
	for _, place := range []struct {
		glyph int
		at    image.Point
	}{{0, image.Pt(0, 0)}, {2, image.Pt(5+2, 0)}, {0, image.Pt(0, 10)}, {5, image.Pt(5+2, 10)}} {
		cell := w.List().Cell(place.glyph)
		for y := range 10 {
			for x := range 7 { // the next one begins behind them
				p := m.NRGBAAt(cell.Min.X+x, cell.Min.Y+y)
				got := dst.RGBAAt(border+(place.at.X+x)*2, border+(place.at.Y+y)*2)
				if p.A != 0 && got != table[p.R] {
					t.Fatalf("glyph %d at %d, %d: %v, expected %v", place.glyph, x, y, got, table[p.R])
				}
			}
		}
	}
	if list := missing(w.Result(), "A?Ж\n?é"); string(list) != "?Ж" {
		t.Errorf("missing %q", string(list))
	}
}

func TestMarksAndBoxes(t *testing.T) {
	w := openFont(t, fontFiles(t, listText))
	c := &Colors{Mark: color.RGBA{255, 0, 255, 255}, Ink: color.RGBA{0, 0, 255, 255}, Accent: color.RGBA{0, 255, 0, 255}, Danger: color.RGBA{255, 0, 0, 255}, Light: color.RGBA{1, 1, 1, 255}, Dark: color.RGBA{2, 2, 2, 255}, Back: color.RGBA{3, 3, 3, 255}}
	dst := image.NewRGBA(image.Rect(0, 0, 160, 100))
	v := widgets.PixelView{Zoom: 4}
	drawSheet(dst, w, v, Overlay{Marks: true, Boxes: true, Glyph: 4, Spots: []pack.Spot{{Rect: image.Rect(17, 3, 20, 5)}}}, c)
	for name, at := range map[string]struct {
		p image.Point
		c color.RGBA
	}{
		"mark": {v.Rect(image.Rect(11, 4, 12, 5)).Min, c.Mark}, "box": {v.Rect(w.ink(2)).Min, c.Ink}, "chosen": {v.Rect(w.List().Cell(4)).Min, c.Accent},
		"spot": {v.Rect(image.Rect(17, 3, 20, 5)).Min.Sub(image.Pt(3, 3)), c.Danger}, "outside": {image.Pt(150, 90), c.Back},
	} {
		if got := dst.RGBAAt(at.p.X, at.p.Y); got != at.c {
			t.Errorf("%s at %v: %v, expected %v", name, at.p, got, at.c)
		}
	}
	if glyphAt(w, image.Pt(9, 3), false) != 1 || glyphAt(w, image.Pt(40, 3), false) != -1 {
		t.Error("a place on the sheet leads to another glyph")
	}
	if ink := w.Font().Glyphs[2].Ink(); glyphAt(w, ink.Min, true) != 2 {
		t.Error("a place on the atlas leads to another glyph")
	}
}

func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(filepath.Dir(goldenCases(b)[0]), "..", "random_medium", "source.png")
	for b.Loop() {
		if _, err := Open(b.Context(), path); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFrame draws what is drawn again while an advance is dragged: the glyph and the sample.
func BenchmarkFrame(b *testing.B) {
	w := openFont(b, fontFiles(b, listText))
	glyph, sample := image.NewRGBA(image.Rect(0, 0, 280, 240)), image.NewRGBA(image.Rect(0, 0, 900, 160))
	g, _ := w.Glyph(0)
	text := strings.Repeat("AB C\u00e9 ", 12) + "\n" + strings.Repeat("CAB ", 20)
	for b.Loop() {
		drawGlyph(glyph, w, g, StageOf(w, g, glyph.Rect.Size()), 9, false, &Colors{})
		drawSample(sample, w.Result(), Sample{Text: text, Zoom: 3, Glyph: 0, Advance: 9}, &Colors{})
	}
}

// BenchmarkAtlas draws the largest atlas in a window.
func BenchmarkAtlas(b *testing.B) {
	w := openFont(b, filepath.Join(filepath.Dir(goldenCases(b)[0]), "..", "full_1024", "packed.font"))
	dst := image.NewRGBA(image.Rect(0, 0, 1000, 600))
	for b.Loop() {
		drawAtlas(dst, w, widgets.PixelView{Zoom: 1, At: image.Pt(10, 10)}, Overlay{Cells: true, Boxes: true, Baseline: true, Pages: true, Glyph: -1}, themeColorsForTest)
	}
}

var themeColorsForTest = &Colors{Line: color.RGBA{255, 255, 255, 96}, Ink: color.RGBA{80, 200, 255, 208}, Baseline: color.RGBA{1, 2, 3, 192}, Page: color.RGBA{255, 0, 255, 255}}
