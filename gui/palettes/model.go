// Package palettes is the screen where pictures of Jazz² Resurrection get the palette's colours in place of its indices, and
// indices in place of colours. Both pictures stand side by side, and colours that are not in the palette are marked.
//
// Everything below the widgets is plain: a [Picture] is what is shown, and drawing works on pixels alone.
package palettes

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"talebinder/export"
	"talebinder/formats"
	"talebinder/formats/jazz2/palette"
)

// A Direction says what becomes of a picture.
type Direction uint8

// The directions.
const (
	Guess     Direction = iota // by what the picture is: one of colours gets indices
	ToColors                   // indices become the palette's colours
	ToIndices                  // colours become the nearest indices
)

// Limits of what is shown.
const (
	maxShown = 32 << 20 // pixels
	maxOdd   = 1 << 16  // colours that are not in the palette; more are counted only
)

// An Odd is a colour that is not in the palette.
type Odd struct {
	Color   color.NRGBA // opaque
	Index   uint8       // the nearest of the palette
	Squared int         // distance
	Pixels  int
	First   image.Point // the first pixel that has it
}

// Distance is that in the space of red, green and blue.
func (o Odd) Distance() float64 { return math.Sqrt(float64(o.Squared)) }

// A Picture is one that was opened, with what becomes of it. It is not changed once it is made.
type Picture struct {
	Path      string
	Direction Direction
	Size      image.Point
	Colors    *image.NRGBA // what the picture looks like: the source, or the result of ToColors
	Indices   []uint8      // of each pixel; 0 draws nothing
	Alpha     []uint8
	Counts    [256]int // pixels of each index

	Inexact palette.Inexact // of ToIndices
	Odd     []Odd           // the furthest first
	MoreOdd bool            // there are others, which are in Inexact only
	Colored int             // pixels whose red, green and blue differ
	stamp   stamp
}

// stamp tells whether a file has been written.
type stamp struct {
	size int64
	time time.Time
}

func stampOf(path string) stamp {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{size: -1}
	}
	return stamp{info.Size(), info.ModTime()}
}

// Changed says whether the file has been written since it was read.
func (p *Picture) Changed() bool { return stampOf(p.Path) != p.stamp }

// Open reads a picture and works out what becomes of it.
func Open(ctx context.Context, path string, d Direction) (*Picture, error) {
	mark := stampOf(path)
	m, err := export.ReadPicture(path)
	if err != nil {
		return nil, err
	}
	if n := m.Rect.Dx() * m.Rect.Dy(); n > maxShown {
		return nil, fmt.Errorf("%s: %w; the commands apply-palette and to-indices take larger ones", path,
			&formats.LimitError{What: "the picture", Value: int64(n), Max: maxShown, Unit: "pixels to be shown"})
	}
	p, err := convert(ctx, m, d)
	if err != nil {
		return nil, err
	}
	p.Path, p.stamp = path, mark
	return p, nil
}

// band is what was found in some rows.
type band struct {
	counts  [256]int
	inexact palette.Inexact
	odd     map[color.NRGBA]*Odd
	more    bool
}

// convert works on all cores; what comes out is the same whatever their count.
func convert(ctx context.Context, m *image.NRGBA, d Direction) (*Picture, error) {
	size := m.Rect.Size()
	p := &Picture{Direction: d, Size: size, Indices: make([]uint8, size.X*size.Y), Alpha: make([]uint8, size.X*size.Y)}
	p.Colored = colored(m)
	if d == Guess {
		p.Direction = ToColors
		if p.Colored > 0 {
			p.Direction = ToIndices
		}
	}
	p.Colors = m
	if p.Direction == ToColors {
		p.Colors = image.NewNRGBA(image.Rectangle{Max: size})
	}
	rows := (size.Y + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0)
	bands := make([]band, (size.Y+rows-1)/max(1, rows))
	group, ctx := errgroup.WithContext(ctx)
	for i := range bands {
		group.Go(func() error {
			b := &bands[i]
			b.odd = map[color.NRGBA]*Odd{}
			resolver := palette.NewResolver()
			for y := i * rows; y < min((i+1)*rows, size.Y); y++ {
				if err := ctx.Err(); err != nil {
					return err
				}
				p.row(m, y, resolver, b)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	p.join(bands)
	return p, nil
}

// row works out the pixels of a row.
func (p *Picture) row(m *image.NRGBA, y int, resolver *palette.Resolver, b *band) {
	src := m.Pix[y*m.Stride:][:4*p.Size.X]
	indices, alphas := p.Indices[y*p.Size.X:][:p.Size.X], p.Alpha[y*p.Size.X:][:p.Size.X]
	if p.Direction == ToColors {
		palette.Apply(p.Colors.Pix[y*p.Colors.Stride:][:4*p.Size.X], src)
	}
	for x := range indices {
		r, g, bl, a := src[4*x], src[4*x+1], src[4*x+2], src[4*x+3]
		index, squared := r, 0
		switch {
		case a == 0:
			index = 0
		case p.Direction == ToIndices:
			index, squared = resolver.Nearest(r, g, bl)
		}
		indices[x], alphas[x] = index, a
		b.counts[index]++
		if squared == 0 {
			continue
		}
		b.inexact = b.inexact.Add(palette.Inexact{Pixels: 1, Squared: squared})
		key := color.NRGBA{r, g, bl, 255}
		o := b.odd[key]
		if o == nil {
			if len(b.odd) == maxOdd {
				b.more = true
				continue
			}
			o = &Odd{Color: key, Index: index, Squared: squared, First: image.Pt(x, y)}
			b.odd[key] = o
		}
		o.Pixels++
	}
}

// join puts together what was found in the bands.
func (p *Picture) join(bands []band) {
	all := map[color.NRGBA]*Odd{}
	for i := range bands {
		b := &bands[i]
		p.Inexact = p.Inexact.Add(b.inexact)
		p.MoreOdd = p.MoreOdd || b.more
		for index, n := range b.counts {
			p.Counts[index] += n
		}
		for key, o := range b.odd {
			if first := all[key]; first != nil {
				first.Pixels += o.Pixels
			} else {
				all[key] = o
			}
		}
	}
	for _, o := range all {
		p.Odd = append(p.Odd, *o)
	}
	slices.SortFunc(p.Odd, func(a, b Odd) int {
		return cmp.Or(cmp.Compare(b.Squared, a.Squared), cmp.Compare(b.Pixels, a.Pixels), cmp.Compare(a.First.Y, b.First.Y), cmp.Compare(a.First.X, b.First.X))
	})
	if len(p.Odd) > maxOdd {
		p.Odd, p.MoreOdd = p.Odd[:maxOdd], true
	}
}

// colored counts the visible pixels whose channels differ: a picture of indices has none.
func colored(m *image.NRGBA) int {
	n := 0
	for y := range m.Rect.Dy() {
		for row := m.Pix[y*m.Stride:][:4*m.Rect.Dx()]; len(row) > 0; row = row[4:] {
			if row[3] != 0 && (row[0] != row[1] || row[0] != row[2]) {
				n++
			}
		}
	}
	return n
}

// Result is the picture as it would be saved.
func (p *Picture) Result() *image.NRGBA {
	if p.Direction == ToColors {
		return p.Colors
	}
	m := image.NewNRGBA(image.Rectangle{Max: p.Size})
	for i, index := range p.Indices {
		m.Pix[4*i], m.Pix[4*i+1], m.Pix[4*i+2], m.Pix[4*i+3] = index, index, index, p.Alpha[i]
	}
	return m
}

// Target is the name that the result gets by itself, beside the picture.
func (p *Picture) Target() string { return targetName(p.Path, p.Direction) }

func targetName(path string, d Direction) string {
	base := strings.TrimSuffix(path, filepath.Ext(path))
	for _, word := range []string{"-colours", "-colors", "-indices"} {
		base = strings.TrimSuffix(base, word)
	}
	if d == ToColors {
		return base + "-colours.png"
	}
	return base + "-indices.png"
}

// job makes the job, which is also a command, that does the same.
func job(d Direction, source, target string) *export.FontJob {
	if d == ToColors {
		return export.NewApplyPalette(source, target)
	}
	return export.NewToIndices(source, target)
}

// In says whether a pixel is in the picture.
func (p *Picture) In(at image.Point) bool { return at.In(image.Rectangle{Max: p.Size}) }

// Index gives the index of a pixel.
func (p *Picture) Index(at image.Point) uint8 { return p.Indices[at.Y*p.Size.X+at.X] }

// Squared gives how far the colour of a pixel is from that of its index.
func (p *Picture) Squared(at image.Point) int {
	i := p.Colors.PixOffset(at.X, at.Y)
	if p.Direction != ToIndices || p.Colors.Pix[i+3] == 0 {
		return 0
	}
	return squared(p.Colors.Pix[i:], palette.Color(p.Index(at)))
}

func squared(rgb []uint8, c color.NRGBA) int {
	dr, dg, db := int(rgb[0])-int(c.R), int(rgb[1])-int(c.G), int(rgb[2])-int(c.B)
	return dr*dr + dg*dg + db*db
}

// Used counts the indices that the picture has, other than 0.
func (p *Picture) Used() int {
	n := 0
	for _, c := range p.Counts[1:] {
		if c > 0 {
			n++
		}
	}
	return n
}

// hex writes a colour as #RRGGBB.
func hex(c color.NRGBA) string { return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B) }

// Describe says what there is at a pixel.
func (p *Picture) Describe(at image.Point) string {
	if !p.In(at) {
		return ""
	}
	index := p.Index(at)
	c := p.Colors.NRGBAAt(at.X, at.Y)
	alpha := p.Alpha[at.Y*p.Size.X+at.X]
	text := fmt.Sprintf("%d, %d   ", at.X, at.Y)
	switch {
	case index == 0 && p.Direction == ToColors && alpha != 0:
		return text + "index 0, transparent"
	case alpha == 0:
		return text + "transparent"
	case p.Direction == ToIndices:
		if d := p.Squared(at); d > 0 {
			text += fmt.Sprintf("%s → index %d %s, off by %.1f", hex(c), index, hex(palette.Color(index)), math.Sqrt(float64(d)))
		} else {
			text += fmt.Sprintf("%s = index %d", hex(c), index)
		}
	default:
		text += fmt.Sprintf("index %d = %s", index, hex(palette.Color(index)))
	}
	if alpha != 255 {
		text += fmt.Sprintf(", alpha %d", alpha)
	}
	return text
}
