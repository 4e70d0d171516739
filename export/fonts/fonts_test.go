package fonts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"talebinder/formats"
	"talebinder/formats/jazz2/charlist"
	"talebinder/formats/jazz2/font"
	"talebinder/formats/jazz2/palette"
	"talebinder/formats/jazz2/rectpack"
)

// drawing makes a grid image of text: a letter is a pixel of that index, a dot is empty, ? is an index without alpha, ! alpha
// without an index, and % an index with half its alpha.
func drawing(rows ...string) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, len(rows[0]), len(rows)))
	for y, row := range rows {
		for x, c := range row {
			p := m.Pix[m.PixOffset(x, y):][:4]
			switch c {
			case '.':
			case '?':
				p[0] = 9
			case '!':
				p[3] = 1
			case '%':
				p[0], p[3] = 9, 128
			default:
				p[0], p[1], p[2], p[3] = byte(c), byte(c), byte(c), 255
			}
		}
	}
	return m
}

// listOf has cells of 4x3 pixels, two side by side, and the range worked out.
func listOf(characters string) *charlist.List {
	l := &charlist.List{CellWidth: 4, CellHeight: 3, Columns: 2, LineHeight: 3}
	for _, r := range characters {
		l.Characters = append(l.Characters, charlist.Character{Code: uint32(r), Advance: 4})
	}
	l.FitRange()
	return l
}

func TestPackMeasuresAndPlaces(t *testing.T) {
	sheet := drawing(
		"....a..b",
		".aa.....",
		".a..c...",
		"......d.")
	before := bytes.Clone(sheet.Pix)
	list := listOf("ABCDE")
	p, err := Pack(context.Background(), sheet, list)
	if err != nil {
		t.Fatal(err)
	}
	wantInk := []image.Rectangle{image.Rect(1, 1, 3, 3), image.Rect(4, 0, 8, 3), {}, image.Rect(6, 3, 7, 4), {}}
	if !reflect.DeepEqual(p.Ink, wantInk) {
		t.Errorf("ink %v, want %v", p.Ink, wantInk)
	}
	f := p.Font
	if f.Atlas.Width != 7 || f.Atlas.Height != 9 || f.ASCIIFirst != 'A' || f.ASCIICount != 5 {
		t.Errorf("font %+v", f)
	}
	if g := f.Glyphs[0]; g.BearingX != 1 || g.BearingY != 1 || g.Width != 2 || g.Height != 2 || g.Advance != 4 {
		t.Errorf("glyph %+v", g)
	}
	if g := f.Glyphs[2]; g != (font.Glyph{Code: 'C', Advance: 4}) {
		t.Errorf("a glyph that draws nothing is %+v", g)
	}
	if got := string(f.Atlas.Row(&f.Glyphs[0], 1)) + string(f.Atlas.Row(&f.Glyphs[1], 0)); got != "a\x00a\x00\x00b" {
		t.Errorf("drawn %q", got)
	}
	if len(p.Warnings) > 0 || p.Percent() != 196 {
		t.Errorf("warnings %v, %d %%", p.Warnings, p.Percent())
	}
	want := []Limit{{AtlasWidth, 7, 1024, -1}, {AtlasHeight, 9, 1024, -1}, {GlyphWidth, 4, 255, 1}, {GlyphHeight, 3, 255, 1}, {BearingX, 2, 127, 3}, {BearingY, 1, 127, 0},
		{RangeGlyphs, 5, 255, -1}, {OtherGlyphs, 0, 65535, -1}}
	if !reflect.DeepEqual(p.Limits, want) {
		t.Errorf("limits %v, want %v", p.Limits, want)
	}
	if !bytes.Equal(sheet.Pix, before) {
		t.Error("the image was changed")
	}
}

func TestWarningsHaveTheirPlaces(t *testing.T) {
	sheet := drawing(
		"?..a%%..!",
		"....%..b.",
		".a.....!.")
	p, err := Pack(context.Background(), sheet, listOf("AB"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Warning{
		{Kind: TransparentPixels, Glyph: -1, Count: 3, Spots: []Spot{{0, image.Rect(0, 0, 1, 1), 1}, {1, image.Rect(7, 2, 8, 3), 1}, {-1, image.Rect(8, 0, 9, 1), 1}}},
		{Kind: PartialPixels, Glyph: -1, Count: 3, Spots: []Spot{{1, image.Rect(4, 0, 6, 2), 3}}},
	}
	if !reflect.DeepEqual(p.Warnings, want) {
		t.Errorf("warnings\n%+v, want\n%+v", p.Warnings, want)
	}
	for i, text := range []string{"3 pixels have a palette index without alpha, or alpha", "3 pixels are covered in part"} {
		if got := p.Warnings[i].String(); !strings.HasPrefix(got, text) {
			t.Errorf("%q, want %q", got, text)
		}
	}
	// Half covered pixels are ink, the others are not.
	if got := p.Ink; got[0] != image.Rect(1, 0, 4, 3) || got[1] != image.Rect(4, 0, 8, 2) {
		t.Errorf("ink %v", got)
	}
}

func TestCheckList(t *testing.T) {
	list := &charlist.List{CellWidth: 1, CellHeight: 1, Columns: 9, ASCIIFirst: 0x7E, ASCIICount: 3, Characters: []charlist.Character{
		{Code: 0x7E}, {Code: 0x7F}, {Code: 0x80}, {Code: 'a'}, {Code: 0}, {Code: 0x104}, {Code: 'a'}, {Code: 0}, {Code: 0x104}, {Code: 0x104},
	}}
	var got []string
	for _, w := range CheckList(list) {
		got = append(got, fmt.Sprintf("%d %d %s %d %d", w.Kind, w.Glyph, charlist.CodeName(w.Code), w.Count, len(w.Spots)))
	}
	want := []string{
		"0 2 U+0080 1 1",
		"1 3 U+0061 1 1", "1 6 U+0061 1 1",
		"2 7 U+0000 2 2", "2 6 U+0061 2 2", "2 9 U+0104 3 3",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if w := CheckList(listOf("ABC")); w != nil {
		t.Errorf("a good list gives %v", w)
	}
}

func TestOtherWarnings(t *testing.T) {
	if w := FontWarnings(&font.Font{MissingPixels: 1}); len(w) != 1 || w[0].String() != "The atlas ends too early. The last 1 pixel is made up." {
		t.Error(w)
	}
	if w := ColorWarnings(palette.Inexact{Pixels: 2, Squared: 101}); len(w) != 1 || w[0].Value != 10 || !strings.Contains(w[0].String(), "2 pixels are not in the palette") {
		t.Error(w)
	}
	if FontWarnings(&font.Font{}) != nil || ColorWarnings(palette.Inexact{}) != nil {
		t.Error("something is told about nothing")
	}
}

// block draws one glyph of a size at a place of its cell.
func block(cell, at, size image.Point) (*image.NRGBA, *charlist.List) {
	m := image.NewNRGBA(image.Rectangle{Max: cell})
	for y := at.Y; y < at.Y+size.Y; y++ {
		for x := at.X; x < at.X+size.X; x++ {
			copy(m.Pix[m.PixOffset(x, y):], []byte{7, 7, 7, 255})
		}
	}
	return m, &charlist.List{CellWidth: cell.X, CellHeight: cell.Y, Columns: 1, LineHeight: 1, ASCIIFirst: 'A', ASCIICount: 1, Characters: []charlist.Character{{Code: 'A'}}}
}

func TestErrors(t *testing.T) {
	pt := image.Pt
	big := func(n int) (*image.NRGBA, *charlist.List) {
		m, l := block(pt(250, 250*n), pt(0, 0), pt(250, 250*n))
		l.CellHeight, l.Characters = 250, slices.Repeat(l.Characters, n)
		l.FitRange()
		return m, l
	}
	tests := []struct {
		name    string
		pack    func() (*image.NRGBA, *charlist.List)
		kind    ErrorKind
		message string
		is      error // nil for a limit
	}{
		{"too many characters", func() (*image.NRGBA, *charlist.List) {
			m, l := block(pt(4, 4), pt(0, 0), pt(1, 1))
			l.Characters = slices.Repeat(l.Characters, 1+font.MaxOthers+1)
			return m, l
		}, TooMany, "the number of characters outside the range of the list is 65536, the limit is 65535", nil},
		{"too wide", func() (*image.NRGBA, *charlist.List) { return block(pt(300, 9), pt(1, 2), pt(256, 4)) }, GlyphSize, "U+0041 draws 256x4 pixels: the longer side is 256 pixels, the limit is 255 pixels", nil},
		{"too high", func() (*image.NRGBA, *charlist.List) { return block(pt(9, 300), pt(1, 2), pt(4, 256)) }, GlyphSize, "U+0041 draws 4x256 pixels", nil},
		{"too far", func() (*image.NRGBA, *charlist.List) { return block(pt(200, 9), pt(128, 3), pt(1, 1)) }, GlyphBearing,
			"U+0041 lies 128 pixels right of and 3 below the corner of its cell: the larger distance is 128 pixels, the limit is 127 pixels", nil},
		{"nothing drawn", func() (*image.NRGBA, *charlist.List) { return block(pt(9, 9), pt(0, 0), pt(0, 0)) }, NoInk, "damaged: no glyph draws anything", formats.ErrDamaged},
		{"no room", func() (*image.NRGBA, *charlist.List) { return big(17) }, AtlasFull, "the atlas would be larger than 1024x1024 pixels", rectpack.ErrDoesNotFit},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			sheet, list := test.pack()
			p, err := Pack(context.Background(), sheet, list)
			var e *Error
			if !errors.As(err, &e) || e.Kind != test.kind || !strings.HasPrefix(err.Error(), test.message) {
				t.Fatalf("the error is %v, want %s", err, test.message)
			}
			var limit *formats.LimitError
			if test.is == nil && !errors.As(err, &limit) || test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("%v is of another kind", err)
			}
			if p == nil || p.Font != nil || len(p.Limits) == 0 {
				t.Errorf("what was found is %+v", p)
			}
			if test.kind == GlyphSize && (e.Glyph != 0 || e.Rect != p.Ink[0]) {
				t.Errorf("the place is %d, %v", e.Glyph, e.Rect)
			}
		})
	}
	sheet, list := big(16)
	if p, err := Pack(context.Background(), sheet, list); err != nil || p.Font.Atlas.Width != 1016 || p.Font.Atlas.Height != 1016 {
		t.Errorf("16 glyphs of 250 pixels: %v", err)
	}
	list.Columns = 0
	var inList *charlist.Error
	if _, err := Pack(context.Background(), sheet, list); !errors.As(err, &inList) {
		t.Errorf("a list without columns gives %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Pack(ctx, drawing("a"), listOf("A")); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestPageLine(t *testing.T) {
	// Nine squares of 255 with their margins are too many for pages, each of which takes one.
	m, l := block(image.Pt(255, 255*9), image.Pt(0, 0), image.Pt(255, 255*9))
	l.CellHeight, l.Characters = 255, slices.Repeat(l.Characters, 9)
	l.FitRange()
	p, err := Pack(context.Background(), m, l)
	if err != nil || len(p.Warnings) != 1 || p.Warnings[0].Kind != PageLine || p.Warnings[0].Count == 0 || !strings.Contains(p.Warnings[0].String(), "512") {
		t.Errorf("%+v, %v", p.Warnings, err)
	}
}

// TestRoundTrip lays random fonts out again and packs them: the block is the same.
func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for i := range 40 {
		sheet, list := randomFont(r, 1+r.IntN(300), 3+r.IntN(20), 3+r.IntN(20))
		p, err := Pack(context.Background(), sheet, list)
		if err != nil {
			t.Fatal(err)
		}
		file, err := p.Font.File()
		if err != nil {
			t.Fatal(err)
		}
		f, err := font.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		grid, err := NewGrid(f)
		if err != nil {
			t.Fatal(err)
		}
		read, err := charlist.ParseJSON(grid.List.JSON())
		if err != nil {
			t.Fatal(err)
		}
		again, err := Pack(context.Background(), grid.Image(), read)
		if err != nil || len(again.Warnings) > 0 {
			t.Fatal(err, again.Warnings)
		}
		want, _ := p.Font.Payload()
		if got, err := again.Font.Payload(); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("font %d: %v, or another block", i, err)
		}
	}
}

func TestGridOfADeepGlyph(t *testing.T) {
	f := &font.Font{LineHeight: 2, Glyphs: []font.Glyph{{Code: 'A', Width: 1, Height: 5, BearingX: 1, BearingY: 3, Advance: 1}, {Code: 'B', Height: 3, Y: 2, Advance: 7}},
		Atlas: font.Atlas{Width: 1, Height: 5, Pix: []byte{1, 2, 3, 4, 5}}}
	g, err := NewGrid(f)
	if err != nil || g.List.CellWidth != 7 || g.List.CellHeight != 8 || g.List.LineHeight != 2 || g.List.Columns != 2 || g.Width != 14 || g.Height != 8 {
		t.Fatalf("%+v, %v", g, err)
	}
	m := g.Image()
	for y := range 8 {
		want := byte(max(0, y-2))
		if c := m.NRGBAAt(1, y); c.R != want || (c.A == 255) != (want > 0) {
			t.Errorf("row %d is %v", y, c)
		}
	}
}

func TestGridTooLarge(t *testing.T) {
	f := &font.Font{LineHeight: 60000, Glyphs: []font.Glyph{{Advance: 1}}, Atlas: font.Atlas{Width: 1, Height: 1}}
	var e *Error
	if _, err := NewGrid(f); !errors.As(err, &e) || e.Kind != GridSize || !errors.Is(err, formats.ErrDamaged) {
		t.Errorf("the error is %v", err)
	}
}

// randomFont draws blobs into cells. The first 95 are ASCII; of as many as a font can have, 255 are the range.
func randomFont(r *rand.Rand, count, width, height int) (*image.NRGBA, *charlist.List) {
	list := &charlist.List{CellWidth: width, CellHeight: height, Columns: min(count, 255), LineHeight: height, BaseSpacing: -1}
	first, inRange := 0x20, 95
	if count > font.MaxOthers {
		first, inRange = 0, font.MaxRange
	}
	for i := range count {
		code := uint32(first + i)
		if i >= inRange {
			code = uint32(0x400 + i)
		}
		list.Characters = append(list.Characters, charlist.Character{Code: code, Advance: uint8(r.IntN(width + 1))})
	}
	list.FitRange()
	m := image.NewNRGBA(image.Rect(0, 0, list.Columns*width, list.Rows()*height))
	for i := range count {
		cell := list.Cell(i)
		x0, y0 := cell.Min.X+r.IntN(width), cell.Min.Y+r.IntN(height)
		x1, y1 := x0+1+r.IntN(cell.Max.X-x0), y0+1+r.IntN(cell.Max.Y-y0)
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				if v := byte(64 + r.IntN(8)); r.IntN(5) > 0 || i == 0 {
					copy(m.Pix[m.PixOffset(x, y):], []byte{v, v, v, 255})
				}
			}
		}
	}
	return m, list
}

func benchmark(b *testing.B, count, width, height int) {
	sheet, list := randomFont(rand.New(rand.NewPCG(31, 32)), count, width, height)
	b.ReportAllocs()
	for b.Loop() {
		p, err := Pack(context.Background(), sheet, list)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := p.Font.File(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFont packs as many glyphs as a font with the characters of many languages has.
func BenchmarkFont(b *testing.B) { benchmark(b, 349, 15, 20) }

// BenchmarkMostGlyphs packs as many glyphs as a font can have.
func BenchmarkMostGlyphs(b *testing.B) { benchmark(b, font.MaxRange+font.MaxOthers, 2, 2) }

func BenchmarkUnpack(b *testing.B) {
	sheet, list := randomFont(rand.New(rand.NewPCG(31, 32)), 349, 15, 20)
	p, err := Pack(context.Background(), sheet, list)
	if err != nil {
		b.Fatal(err)
	}
	file, err := p.Font.File()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		f, err := font.Read(file)
		if err != nil {
			b.Fatal(err)
		}
		g, err := NewGrid(f)
		if err != nil {
			b.Fatal(err)
		}
		g.Image()
	}
}
