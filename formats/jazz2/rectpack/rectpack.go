// Package rectpack places rectangles on a sheet of at most 1024x1024 pixels, as Jazz² Resurrection does for fonts and sprite
// sheets. The places are part of the files, so they are the same as the game's own for every list.
//
// The rectangles are put on shelves, by falling height, then falling width, then their order in the list. A shelf is as high
// as its first rectangle, and a rectangle goes to the first shelf that has room for it, counted from the oldest. Sheets are
// divided into pages of 512x512 pixels, and no rectangle lies across the line between two pages: shelves have a row of
// rectangles in each page that they cross, and when the rectangles do not fit into the first 512 rows, the shelves are kept
// within bands of 512 rows as well. Only if no sheet can be made that way, pages are given up.
//
// All widths of a sheet are tried. The best sheet has, in this order of importance: the smallest area once both sides are
// rounded up to powers of two; not more than one page; the smallest area; the sides closest to each other; the narrowest
// width that was tried.
package rectpack

import (
	"cmp"
	"context"
	"errors"
	"image"
	"math/bits"
	"slices"
)

const (
	// MaxSide is the largest width and height of a sheet in pixels.
	MaxSide = 1024
	// Page is the side of a page in pixels.
	Page = 512
)

// ErrDoesNotFit says that there is no sheet for a list of rectangles, or that the list has nothing to place.
var ErrDoesNotFit = errors.New("there is no room for all rectangles")

// A Size is the width and height of a rectangle in pixels; both may be 0, and neither is negative.
type Size struct{ Width, Height int }

// A Sheet says where rectangles lie.
type Sheet struct {
	Width, Height int           // in pixels, 1 to MaxSide
	Positions     []image.Point // upper left corners, in the order of the list
}

// Crosses says whether a rectangle that is not empty lies on more than one page.
func Crosses(r image.Rectangle) bool {
	return r.Min.X/Page != (r.Max.X-1)/Page || r.Min.Y/Page != (r.Max.Y-1)/Page
}

// Pack finds the best sheet for the sizes, with at least spacing pixels between two rectangles. The error is ErrDoesNotFit
// or that of ctx.
func Pack(ctx context.Context, sizes []Size, spacing int) (*Sheet, error) {
	if len(sizes) == 0 || slices.ContainsFunc(sizes, func(s Size) bool { return s.Width > MaxSide || s.Height > MaxSide }) {
		return nil, ErrDoesNotFit
	}
	p := newPacker(sizes, spacing)
	for _, page := range []int{Page, MaxSide} {
		if err := p.tryWidths(ctx, page); err != nil {
			return nil, err
		}
		if p.best.width > 0 {
			return p.sheet(), nil
		}
	}
	return nil, ErrDoesNotFit
}

// A group is a run of equal rectangles in the order of placement.
type group struct{ width, height, count int }

// A row is a number of rectangles of one group side by side.
type row struct{ x, y, count int }

// tried is a layout: the rows in the order of placement and the extent of what was placed.
type tried struct {
	rows          []row
	width, height int
}

// A key orders layouts; the smaller one is better.
type key struct {
	padded    int
	pages     int // 0 within a single page
	area      int
	imbalance int
}

func (l *tried) key() key {
	k := key{padded: powerOfTwo(l.width) * powerOfTwo(l.height), area: l.width * l.height, imbalance: max(l.width-l.height, l.height-l.width)}
	if l.width > Page || l.height > Page {
		k.pages = 1
	}
	return k
}

func (k key) compare(other key) int {
	return cmp.Or(cmp.Compare(k.padded, other.padded), cmp.Compare(k.pages, other.pages), cmp.Compare(k.area, other.area),
		cmp.Compare(k.imbalance, other.imbalance))
}

// powerOfTwo gives the smallest power of two that is not below v.
func powerOfTwo(v int) int {
	if v <= 1 {
		return 1
	}
	return 1 << bits.Len(uint(v-1))
}

type packer struct {
	sizes   []Size
	order   []int32 // indices of sizes in the order of placement
	groups  []group
	spacing int
	widest  int
	area    int // of all rectangles together

	found   bool
	best    tried
	bestKey key
	try     tried
	shelves shelves
}

func newPacker(sizes []Size, spacing int) *packer {
	p := &packer{sizes: sizes, spacing: spacing, widest: 1, order: make([]int32, len(sizes))}
	for i, s := range sizes {
		p.order[i] = int32(i)
		p.widest = max(p.widest, s.Width)
		p.area += s.Width * s.Height
	}
	slices.SortFunc(p.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(sizes[b].Height, sizes[a].Height), cmp.Compare(sizes[b].Width, sizes[a].Width), cmp.Compare(a, b))
	})
	for _, i := range p.order {
		s := sizes[i]
		if n := len(p.groups); n > 0 && p.groups[n-1].width == s.Width && p.groups[n-1].height == s.Height {
			p.groups[n-1].count++
		} else {
			p.groups = append(p.groups, group{s.Width, s.Height, 1})
		}
	}
	return p
}

// sheet gives every rectangle of the best layout its place.
func (p *packer) sheet() *Sheet {
	s := &Sheet{Width: max(1, p.best.width), Height: max(1, p.best.height), Positions: make([]image.Point, len(p.sizes))}
	next := 0
	for _, r := range p.best.rows {
		x := r.x
		for range r.count {
			i := p.order[next]
			s.Positions[i] = image.Pt(x, r.y)
			x += p.sizes[i].Width + p.spacing
			next++
		}
	}
	return s
}

// tryWidths looks for the best layout among those of all widths.
//
// A layout depends on the width only through what no longer fits into its last column. So every width down to the extent of
// what was placed, failed tries included, gives the same layout as long as the number of columns is the same, and is passed
// over. The extent of a try that was given up, since it could not become the best any more, serves as well: a narrower one
// would be given up at the same rectangle.
func (p *packer) tryWidths(ctx context.Context, page int) error {
	for width := MaxSide; width >= p.widest; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if p.area > width*MaxSide {
			return nil // nor does a narrower sheet have room
		}
		reached := 0
		outcome := failed
		if page != Page || p.area <= width*Page {
			outcome = p.layout(width, page, false)
			reached = p.try.width
		}
		if outcome == failed && page == Page {
			outcome = p.layout(width, page, true)
			reached = max(reached, p.try.width)
		}
		if outcome == placed {
			if k := p.try.key(); !p.found || k.compare(p.bestKey) <= 0 {
				p.found, p.bestKey = true, k
				p.best, p.try = p.try, p.best
			}
		}
		width = max(reached, (width-1)/page*page+1) - 1
	}
	return nil
}

type outcome uint8

const (
	placed  outcome = iota
	failed          // a rectangle had no room
	givenUp         // everything may fit, but not better than in the best layout
)

// layout places all rectangles on a sheet of the width and leaves the result in p.try.
func (p *packer) layout(width, page int, banded bool) outcome {
	columns, bands := (width+page-1)/page, 1
	if banded {
		bands = (MaxSide + page - 1) / page
	}
	var right, fill, bottom [2]int
	for c := range columns {
		right[c] = (c+1)*page - p.spacing
	}
	right[columns-1] = width
	for b := range bands {
		fill[b] = b * page
		bottom[b] = (b+1)*page - p.spacing
	}
	bottom[bands-1] = min(bands*page, MaxSide)

	s := &p.shelves
	s.reset()
	p.try.rows, p.try.width, p.try.height = p.try.rows[:0], 0, 0
	for _, g := range p.groups {
		step := g.width + p.spacing
		for left := g.count; left > 0; {
			i := s.find(g.width)
			if i < 0 {
				band := 0
				for band < bands && fill[band]+g.height > bottom[band] {
					band++
				}
				if band == bands {
					return failed
				}
				shelf := shelf{y: fill[band], right: [2]int{noRoom, noRoom}}
				for c := range columns {
					shelf.cursor[c], shelf.right[c] = c*page, right[c]
				}
				fill[band] += g.height + p.spacing
				if shelf.room() < g.width {
					return failed
				}
				i = s.add(shelf)
			}
			shelf := &s.all[i]
			c := 0
			if shelf.cursor[0]+g.width > shelf.right[0] {
				c = 1
			}
			x, count := shelf.cursor[c], left
			if step > 0 {
				count = min(left, (shelf.right[c]-x-g.width)/step+1)
			}
			shelf.cursor[c] += count * step
			s.changed(i)
			left -= count
			p.try.rows = append(p.try.rows, row{x, shelf.y, count})
			p.try.width = max(p.try.width, shelf.cursor[c]-p.spacing)
			p.try.height = max(p.try.height, shelf.y+g.height)
			if p.found && powerOfTwo(p.try.width)*powerOfTwo(p.try.height) > p.bestKey.padded {
				return givenUp
			}
		}
	}
	return placed
}
