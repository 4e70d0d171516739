package rectpack

import (
	"context"
	"encoding/json"
	"errors"
	"image"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

type vector struct {
	Spacing        int
	Sizes          [][2]int
	Fits           bool
	Width, Height  int
	AcrossPageLine bool
	Positions      [][2]int
}

// TestVectors places every list as the game's own tool does.
func TestVectors(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "shared", "golden", "fonts", "rectangles.json"))
	if err != nil {
		t.Skip("the shared test material is missing: ", err)
	}
	var vectors []vector
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	for i, v := range vectors {
		sizes := make([]Size, len(v.Sizes))
		for j, s := range v.Sizes {
			sizes[j] = Size{s[0], s[1]}
		}
		sheet, err := Pack(context.Background(), sizes, v.Spacing)
		if !v.Fits {
			if !errors.Is(err, ErrDoesNotFit) {
				t.Errorf("vector %d: %v, want ErrDoesNotFit", i, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("vector %d: %v", i, err)
			continue
		}
		want := &Sheet{Width: v.Width, Height: v.Height}
		for _, p := range v.Positions {
			want.Positions = append(want.Positions, image.Pt(p[0], p[1]))
		}
		if sheet.Width != want.Width || sheet.Height != want.Height || !slices.Equal(sheet.Positions, want.Positions) {
			t.Errorf("vector %d: %+v, want %+v", i, sheet, want)
		}
		across := false
		for j, p := range sheet.Positions {
			across = across || Crosses(image.Rectangle{Min: p, Max: p.Add(image.Pt(sizes[j].Width, sizes[j].Height))})
		}
		if across != v.AcrossPageLine {
			t.Errorf("vector %d: across a page line is %v, want %v", i, across, v.AcrossPageLine)
		}
	}
	t.Logf("%d lists", len(vectors))
}

// naive tries every width and looks at every shelf, as the package describes the placement.
func naive(sizes []Size, spacing int) (*Sheet, bool) {
	widest := 1
	order := make([]int, len(sizes))
	for i, s := range sizes {
		order[i], widest = i, max(widest, s.Width)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if sizes[a].Height != sizes[b].Height {
			return sizes[b].Height - sizes[a].Height
		}
		return sizes[b].Width - sizes[a].Width
	})
	layout := func(width, page int, banded bool) (*Sheet, bool) {
		columns, bands := (width+page-1)/page, 1
		if banded {
			bands = (MaxSide + page - 1) / page
		}
		right, bottom, fill := make([]int, columns), make([]int, bands), make([]int, bands)
		for c := range right {
			right[c] = (c+1)*page - spacing
		}
		right[columns-1] = width
		for b := range bottom {
			bottom[b], fill[b] = (b+1)*page-spacing, b*page
		}
		bottom[bands-1] = min(bands*page, MaxSide)
		type shelf struct {
			y, height int
			cursor    []int
		}
		var shelves []*shelf
		l := &Sheet{Positions: make([]image.Point, len(sizes))}
		for _, i := range order {
			w, h := sizes[i].Width, sizes[i].Height
			take := func(s *shelf) bool {
				for c := range columns {
					if s.cursor[c]+w <= right[c] {
						l.Positions[i] = image.Pt(s.cursor[c], s.y)
						l.Width, l.Height = max(l.Width, s.cursor[c]+w), max(l.Height, s.y+h)
						s.cursor[c] += w + spacing
						return true
					}
				}
				return false
			}
			if slices.ContainsFunc(shelves, func(s *shelf) bool { return s.height >= h && take(s) }) {
				continue
			}
			b := 0
			for b < bands && fill[b]+h > bottom[b] {
				b++
			}
			if b == bands {
				return nil, false
			}
			s := &shelf{y: fill[b], height: h}
			for c := range columns {
				s.cursor = append(s.cursor, c*page)
			}
			fill[b] += h + spacing
			shelves = append(shelves, s)
			if !take(s) {
				return nil, false
			}
		}
		return l, true
	}
	var best *Sheet
	var bestKey key
	for _, page := range []int{Page, MaxSide} {
		for width := MaxSide; width >= widest; width-- {
			l, ok := layout(width, page, false)
			if !ok && page == Page {
				l, ok = layout(width, page, true)
			}
			if ok {
				k := (&tried{width: l.Width, height: l.Height}).key()
				if best == nil || k.compare(bestKey) <= 0 {
					best, bestKey = l, k
				}
			}
		}
		if best != nil && best.Width > 0 {
			best.Height = max(1, best.Height)
			return best, true
		}
	}
	return nil, false
}

// TestSameAsTryingEverything compares the packer, with all that it passes over, with one that passes over nothing.
func TestSameAsTryingEverything(t *testing.T) {
	lists, fit := 300, 0
	if testing.Short() {
		lists = 40
	}
	r := rand.New(rand.NewPCG(11, 12))
	for i := range lists {
		largest := []int{4, 20, 90, 300, 520}[r.IntN(5)]
		sizes := make([]Size, 1+r.IntN(60))
		for j := range sizes {
			if sizes[j] = (Size{1 + r.IntN(largest), 1 + r.IntN(largest)}); r.IntN(12) == 0 {
				sizes[j] = Size{r.IntN(3), r.IntN(3)}
			}
			if j > 0 && r.IntN(3) == 0 {
				sizes[j] = sizes[r.IntN(j)]
			}
		}
		spacing := r.IntN(4)
		want, ok := naive(sizes, spacing)
		got, err := Pack(context.Background(), sizes, spacing)
		if ok != (err == nil) {
			t.Fatalf("list %d: %v, trying everything %v", i, err, ok)
		}
		if ok {
			fit++
			if got.Width != want.Width || got.Height != want.Height || !slices.Equal(got.Positions, want.Positions) {
				t.Fatalf("list %d (spacing %d, sizes %v):\n%v, trying everything\n%v", i, spacing, sizes, got, want)
			}
		}
	}
	t.Logf("%d lists, %d of them fit", lists, fit)
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Pack(ctx, []Size{{3, 3}}, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestNothingToPlaceAndHugeSizes(t *testing.T) {
	for _, sizes := range [][]Size{nil, {{0, 0}}, {{1 << 40, 1 << 40}}, {{1, 1025}}} {
		if _, err := Pack(context.Background(), sizes, 0); !errors.Is(err, ErrDoesNotFit) {
			t.Errorf("%v: %v", sizes, err)
		}
	}
}

func benchmark(b *testing.B, count int, size func(r *rand.Rand) Size) {
	r := rand.New(rand.NewPCG(13, 14))
	sizes := make([]Size, count)
	for i := range sizes {
		sizes[i] = size(r)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Pack(context.Background(), sizes, 0); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFont places as many glyphs as a font with the characters of many languages has.
func BenchmarkFont(b *testing.B) {
	benchmark(b, 349, func(r *rand.Rand) Size { return Size{5 + r.IntN(16), 6 + r.IntN(16)} })
}

// BenchmarkMostGlyphs places as many glyphs as a font can have.
func BenchmarkMostGlyphs(b *testing.B) {
	benchmark(b, 255+65535, func(r *rand.Rand) Size { return Size{3 + r.IntN(2), 3 + r.IntN(2)} })
}
