package picture

import (
	"encoding/binary"
	"image"
	"image/color"
	"math"
	"runtime"
	"sync"

	"talebinder/project/assets"
)

// A Renderer draws pictures. It keeps its lists between calls; use it for one call at a time.
type Renderer struct {
	Textures *Textures

	draws    []drawing
	taken    []uint64 // squares of the screen that have a mark already
	byAsset  map[*assets.Asset]*Texture
	groups   map[int]Box // around marked nodes without anything to see, with all below them
	groupsOf *Picture
}

// A drawing is an item on the screen.
type drawing struct {
	item    *Item
	texture *Texture // nil: not read yet
	quad    Quad     // in pixels
	top     float64  // first and last row
	bottom  float64
}

// NewRenderer makes a renderer that takes its pictures from textures.
func NewRenderer(textures *Textures) *Renderer {
	return &Renderer{Textures: textures, byAsset: map[*assets.Asset]*Texture{}, groups: map[int]Box{}}
}

// Render draws what a view shows of a picture into the part clip of dst; the top left of dst is that of the view. It draws on all
// cores, with the same result however many there are. Pictures that have not been read are replaced by a plain field; Textures
// tell when they are there. It gives the number of those.
func (r *Renderer) Render(dst *image.RGBA, clip image.Rectangle, p *Picture, v View, show Show, style Style) (waiting int) {
	clip = clip.Intersect(dst.Rect)
	if clip.Empty() || v.Zoom <= 0 {
		return 0
	}
	waiting = r.collect(p, v, clip, show, style)
	r.group(p, show.Hovered)
	r.group(p, show.Selected)
	rows := clip.Dy()
	bands := min(rows, max(1, runtime.GOMAXPROCS(0)*4))
	if bands == 1 {
		r.band(dst, clip, p, v, show, style)
		return waiting
	}
	next := make(chan image.Rectangle, bands)
	for i := range bands {
		next <- image.Rect(clip.Min.X, clip.Min.Y+rows*i/bands, clip.Max.X, clip.Min.Y+rows*(i+1)/bands)
	}
	close(next)
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for band := range next {
				r.band(dst, band, p, v, show, style)
			}
		})
	}
	wait.Wait()
	clear(r.draws) // what was drawn need not be kept
	return waiting
}

// collect lists the items that are seen.
func (r *Renderer) collect(p *Picture, v View, clip image.Rectangle, show Show, style Style) (waiting int) {
	r.draws = r.draws[:0]
	clear(r.byAsset)
	const square = 6 // pixels of a mark's square
	across := (v.Width/square + 2)
	squares := across * (v.Height/square + 2)
	if cap(r.taken) < (squares+63)/64 {
		r.taken = make([]uint64, (squares+63)/64)
	}
	r.taken = r.taken[:(squares+63)/64]
	clear(r.taken)

	margin := float64(16*style.Pixel) + style.Line
	seen := narrow(Box{v.ToWorld(Point{float64(clip.Min.X), float64(clip.Min.Y)}), v.ToWorld(Point{float64(clip.Max.X), float64(clip.Max.Y)})}.Grown(margin / v.Zoom))
	offset := v.offset()
	for i := range p.bounds {
		if !p.bounds[i].overlaps(seen) {
			continue
		}
		item := &p.Items[i]
		if !show.item(item) {
			continue
		}
		d := drawing{item: item, top: item.Bounds.Min.Y*v.Zoom + offset.Y, bottom: item.Bounds.Max.Y*v.Zoom + offset.Y}
		switch item.Kind {
		case Sprite:
			d.quad = Quad{item.Quad.Origin.times(v.Zoom).plus(offset), item.Quad.Across.times(v.Zoom), item.Quad.Down.times(v.Zoom)}
			if item.Texture != nil {
				texture, ok := r.byAsset[item.Texture]
				if !ok {
					texture = r.Textures.Get(p.assets, item.Texture)
					if texture == nil {
						waiting++
					}
					r.byAsset[item.Texture] = texture
				}
				d.texture = texture
			}
		case Marker:
			at := v.ToScreen(item.Bounds.Min)
			x, y := int(at.X)/square, int(at.Y)/square
			if x >= 0 && y >= 0 && x < across {
				if n := y*across + x; n < squares {
					if r.taken[n/64]&(1<<(n%64)) != 0 && item.Node != show.Selected {
						continue // another mark is there: more would only cover it
					}
					r.taken[n/64] |= 1 << (n % 64)
				}
			}
			d.top, d.bottom = at.Y-margin, at.Y+margin
		default:
			if size := item.Bounds.Size(); max(size.X, size.Y)*v.Zoom < 3*style.Line && item.Kind != TileMap {
				continue // a dot would say nothing
			}
			d.top, d.bottom = d.top-style.Line, d.bottom+style.Line
		}
		r.draws = append(r.draws, d)
	}
	return waiting
}

// group works out the box around a node and all below it, once as long as the same picture is drawn.
func (r *Renderer) group(p *Picture, node int) {
	if r.groupsOf != p || len(r.groups) > 64 {
		clear(r.groups)
		r.groupsOf = p
	}
	if _, known := r.groups[node]; known || node < 0 || node >= len(p.places) || len(p.Expansion.Children(node)) == 0 {
		return
	}
	r.groups[node] = p.BoundsOf(node)
}

// band draws some rows.
func (r *Renderer) band(dst *image.RGBA, band image.Rectangle, p *Picture, v View, show Show, style Style) {
	c := canvas{dst: dst, clip: band}
	c.fill(band, color.NRGBA{p.Clear.R, p.Clear.G, p.Clear.B, 255})
	top, bottom := float64(band.Min.Y), float64(band.Max.Y)
	grid := show.Grid
	for i := range r.draws {
		d := &r.draws[i]
		if d.item.Kind > TileMap && grid { // over what the game shows, below everything else
			c.grid(v, style)
			grid = false
		}
		if d.bottom < top || d.top > bottom {
			continue
		}
		c.draw(d, v, style)
	}
	if grid {
		c.grid(v, style)
	}
	c.mark(p, v, show.Hovered, r.groups[show.Hovered], style.Hovered, style.Line, style)
	c.mark(p, v, show.Selected, r.groups[show.Selected], style.Selected, 2*style.Line, style)
}

func (c *canvas) draw(d *drawing, v View, style Style) {
	item := d.item
	paint := func(k color.NRGBA) color.NRGBA {
		if item.Dimmed {
			k.A /= 3
		}
		return k
	}
	switch item.Kind {
	case Sprite:
		switch {
		case item.Texture == nil || d.texture != nil && d.texture.Image() == nil:
			c.chequer(d.quad, paint(style.Missing[0]), paint(style.Missing[1]), 8*style.Pixel)
		case d.texture == nil:
			c.chequer(d.quad, paint(style.Loading), paint(style.Loading), 8)
		default:
			c.sprite(d.quad, d.texture, item.Region, paint(item.Tint))
		}
	case TileMap:
		c.outline(item, v, paint(style.Map), style.Line, 4*style.Line)
	case CameraFrame:
		c.outline(item, v, paint(style.Frame), style.Line, 0)
	case CameraBounds:
		c.outline(item, v, paint(style.Bounds), style.Line, 6*style.Line)
	case Light:
		k := item.Color
		k.A = 170
		c.outline(item, v, paint(k), style.Line, 3*style.Line)
	case Shadow:
		c.outline(item, v, paint(style.Shadow), style.Line, 0)
	case Collider:
		c.outline(item, v, paint(style.Collider), style.Line, 0)
	case Trigger:
		c.outline(item, v, paint(style.Trigger), style.Line, 4*style.Line)
	case Marker:
		c.symbol(v.ToScreen(item.Bounds.Min), symbols[item.Symbol], style.Pixel, paint(style.Mark), paint(style.MarkEdge))
	}
}

// mark outlines all that a node has to see, or the group around it.
func (c *canvas) mark(p *Picture, v View, node int, group Box, k color.NRGBA, width float64, style Style) {
	if node < 0 || node >= len(p.places) {
		return
	}
	edge := width + 2*style.Line
	drawn := false
	for _, i := range p.ItemsOf(node) {
		item := &p.Items[i]
		switch item.Kind {
		case Sprite:
			corners := item.Quad.Corners()
			for j := range corners {
				corners[j] = v.ToScreen(corners[j])
			}
			c.polygon(corners[:], true, style.Edge, edge, 0)
			c.polygon(corners[:], true, k, width, 0)
			drawn = true
		case TileMap, CameraFrame, Collider, Trigger, Shadow, Light:
			c.outline(item, v, k, width, 0)
		}
	}
	if !drawn && !group.Empty() {
		points := corners(group)
		for j := range points {
			points[j] = v.ToScreen(points[j])
		}
		c.polygon(points, true, k, max(1, width/2), 4*style.Line)
	}
	at := v.ToScreen(p.places[node])
	if !drawn {
		radius := float64(8 * style.Pixel)
		c.circle(Circle{at, radius}, style.Edge, edge, 0)
		c.circle(Circle{at, radius}, k, width, 0)
		return
	}
	arm := 4 * width // where its origin is
	for _, way := range []Point{{arm, 0}, {0, arm}} {
		c.segment(at.minus(way), at.plus(way), style.Edge, edge/2+width/2)
	}
	for _, way := range []Point{{arm, 0}, {0, arm}} {
		c.segment(at.minus(way), at.plus(way), k, width/2+0.5)
	}
}

// A canvas draws into some rows of a picture.
type canvas struct {
	dst  *image.RGBA
	clip image.Rectangle
}

// packed gives a color as pixels keep it: its alpha multiplied into it.
func packed(k color.NRGBA) uint32 {
	a := uint32(k.A)
	return (uint32(k.R)*a+127)/255 | (uint32(k.G)*a+127)/255<<8 | (uint32(k.B)*a+127)/255<<16 | a<<24
}

// over puts a color with its alpha multiplied into it over a pixel. Two channels are worked on at once.
func over(pix []byte, source uint32) {
	a := source >> 24
	if a == 255 {
		binary.LittleEndian.PutUint32(pix, source)
		return
	}
	if a == 0 {
		return
	}
	below := binary.LittleEndian.Uint32(pix)
	binary.LittleEndian.PutUint32(pix, source+shade(below, 255-a))
}

// shade multiplies all channels with f/255, rounded.
func shade(k, f uint32) uint32 {
	const half = 0x00800080
	even := (k&0x00ff00ff)*f + half
	even = (even + even>>8&0x00ff00ff) >> 8 & 0x00ff00ff
	odd := (k>>8&0x00ff00ff)*f + half
	odd = (odd + odd>>8&0x00ff00ff) & 0xff00ff00
	return even | odd
}

// tinted multiplies each channel of a color with that of another.
func tinted(k, tint uint32) uint32 {
	mul := func(shift uint) uint32 {
		n := (k >> shift & 255) * (tint >> shift & 255)
		return (n + 127) / 255 << shift
	}
	return mul(0) | mul(8) | mul(16) | mul(24)
}

func (c *canvas) fill(r image.Rectangle, k color.NRGBA) {
	r = r.Intersect(c.clip)
	if r.Empty() {
		return
	}
	source := packed(k)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := c.dst.Pix[c.dst.PixOffset(r.Min.X, y):c.dst.PixOffset(r.Max.X, y)]
		for i := 0; i < len(row); i += 4 {
			over(row[i:i+4:i+4], source)
		}
	}
}

// scan calls line for every row of the parallelogram with the pixels whose centers are in it: from x0 to x1, and where in the unit
// square the center of x0 is. step is the way in the unit square from a pixel to the next.
func (c *canvas) scan(q Quad, line func(y, x0, x1 int, at, step Point)) {
	area := q.Across.X*q.Down.Y - q.Across.Y*q.Down.X
	if area == 0 || math.IsNaN(area) || math.IsInf(area, 0) {
		return
	}
	corners := q.Corners()
	box := boxOf(corners[:]...)
	y0 := clampInt(math.Ceil(box.Min.Y-0.5), c.clip.Min.Y, c.clip.Max.Y)
	y1 := clampInt(math.Ceil(box.Max.Y-0.5), c.clip.Min.Y, c.clip.Max.Y)
	step := Point{q.Down.Y / area, -q.Across.Y / area}
	for y := y0; y < y1; y++ {
		d := Point{0.5 - q.Origin.X, float64(y) + 0.5 - q.Origin.Y}
		start := Point{(d.X*q.Down.Y - d.Y*q.Down.X) / area, (d.Y*q.Across.X - d.X*q.Across.Y) / area}
		low, high := float64(c.clip.Min.X), float64(c.clip.Max.X)
		low, high = within(start.X, step.X, low, high)
		low, high = within(start.Y, step.Y, low, high)
		if x0, x1 := int(math.Ceil(low)), int(math.Ceil(high)); x0 < x1 {
			line(y, x0, x1, start.plus(step.times(float64(x0))), step)
		}
	}
}

// within narrows the range from low to high, of which low is in it, to the numbers x with 0 <= start+x*step < 1.
func within(start, step, low, high float64) (float64, float64) {
	switch {
	case step > 0:
		return max(low, -start/step), min(high, (1-start)/step)
	case step < 0: // the far edge does not belong to it, the near one does: the next number is close enough
		return max(low, (1-start)/step), min(high, -start/step)
	case start >= 0 && start < 1:
		return low, high
	}
	return 0, 0
}

func clampInt(f float64, low, high int) int {
	return int(min(max(f, float64(low)), float64(high)))
}

// sprite draws a region of a texture into a quad. The pixel whose center is nearest decides; a texture that is shown smaller is taken
// from one that was made smaller before, so that nothing flickers.
func (c *canvas) sprite(q Quad, t *Texture, region Box, tint color.NRGBA) {
	whole := t.levels[0]
	part := region.Size()
	shown := Point{math.Hypot(q.Across.X, q.Across.Y), math.Hypot(q.Down.X, q.Down.Y)}
	shrunk := min(math.Abs(part.X)*float64(whole.Rect.Dx())/shown.X, math.Abs(part.Y)*float64(whole.Rect.Dy())/shown.Y)
	level := 0
	if shrunk >= 1.5 {
		level = min(int(math.Log2(shrunk)+0.5), len(t.levels)-1)
	}
	img := t.levels[level]
	w, h := img.Rect.Dx(), img.Rect.Dy()
	k := packed(tint)
	plain := tint == color.NRGBA{255, 255, 255, 255}

	// Only whole pixels of the region are taken, so that neighbours on a sheet do not shine through.
	left, right := edges(region.Min.X, region.Max.X, w)
	top, bottom := edges(region.Min.Y, region.Max.Y, h)
	if left >= right || top >= bottom {
		return
	}
	scale := Point{part.X * float64(w), part.Y * float64(h)}
	origin := Point{region.Min.X * float64(w), region.Min.Y * float64(h)}
	const one = 1 << 32
	c.scan(q, func(y, x0, x1 int, at, step Point) {
		u, v := int64((origin.X+at.X*scale.X)*one), int64((origin.Y+at.Y*scale.Y)*one)
		du, dv := int64(step.X*scale.X*one), int64(step.Y*scale.Y*one)
		row := c.dst.Pix[c.dst.PixOffset(x0, y):c.dst.PixOffset(x1, y)]
		if dv == 0 {
			line := img.Pix[min(max(int(v>>32), top), bottom-1)*img.Stride:]
			last, source := -1, uint32(0)
			for ; len(row) >= 4; row = row[4:] {
				if n := min(max(int(u>>32), left), right-1) * 4; n != last { // enlarged, most pixels are like the one before
					last, source = n, binary.LittleEndian.Uint32(line[n:n+4])
					if !plain {
						source = tinted(source, k)
					}
				}
				if source >= 255<<24 {
					binary.LittleEndian.PutUint32(row, source)
				} else if source != 0 {
					over(row, source)
				}
				u += du
			}
			return
		}
		for ; len(row) >= 4; row = row[4:] {
			n := min(max(int(v>>32), top), bottom-1)*img.Stride + min(max(int(u>>32), left), right-1)*4
			source := binary.LittleEndian.Uint32(img.Pix[n : n+4])
			if !plain {
				source = tinted(source, k)
			}
			if source >= 255<<24 {
				binary.LittleEndian.PutUint32(row, source)
			} else if source != 0 {
				over(row, source)
			}
			u, v = u+du, v+dv
		}
	})
}

// edges gives the pixels of a side of n pixels from a to b, which are parts of it.
func edges(a, b float64, n int) (first, end int) {
	if a > b {
		a, b = b, a
	}
	first = clampInt(math.Floor(a*float64(n)+1e-6), 0, n)
	return first, clampInt(max(math.Ceil(b*float64(n)-1e-6), float64(first+1)), 0, n)
}

// chequer fills a quad with squares in two colors.
func (c *canvas) chequer(q Quad, a, b color.NRGBA, side int) {
	colors := [2]uint32{packed(a), packed(b)}
	from := Point{math.Floor(q.Origin.X), math.Floor(q.Origin.Y)}
	c.scan(q, func(y, x0, x1 int, _, _ Point) {
		row := c.dst.Pix[c.dst.PixOffset(x0, y):c.dst.PixOffset(x1, y)]
		for i := 0; i+4 <= len(row); i += 4 {
			n := int(math.Floor(float64(x0+i/4-int(from.X))/float64(side))) + int(math.Floor(float64(y-int(from.Y))/float64(side)))
			over(row[i:i+4:i+4], colors[n&1])
		}
	})
}

// outline draws the lines of an item. dash is the length of a dash and of the gap behind it; 0 is a whole line.
func (c *canvas) outline(item *Item, v View, k color.NRGBA, width, dash float64) {
	if item.Circle.Radius > 0 {
		c.circle(Circle{v.ToScreen(item.Circle.Center), item.Circle.Radius * v.Zoom}, k, width, dash)
	}
	if len(item.Points) > 0 {
		points := make([]Point, len(item.Points))
		for i, p := range item.Points {
			points[i] = v.ToScreen(p)
		}
		c.polygon(points, !item.Open, k, width, dash)
	}
}

func (c *canvas) circle(o Circle, k color.NRGBA, width, dash float64) {
	if o.Radius < 1 || o.Center.Y+o.Radius+width < float64(c.clip.Min.Y) || o.Center.Y-o.Radius-width > float64(c.clip.Max.Y) {
		return
	}
	steps := int(min(max(12, 2*math.Sqrt(o.Radius)*math.Pi), 512))
	points := make([]Point, steps)
	for i := range points {
		points[i] = o.Center.plus(Point{X: o.Radius}.turned(2 * math.Pi * float64(i) / float64(steps)))
	}
	c.polygon(points, true, k, width, dash)
}

func (c *canvas) polygon(points []Point, closed bool, k color.NRGBA, width, dash float64) {
	done := 0.0
	for i := range points {
		if i == len(points)-1 && !closed {
			break
		}
		a, b := points[i], points[(i+1)%len(points)]
		if dash <= 0 {
			c.segment(a, b, k, width)
			continue
		}
		done = c.dashes(a, b, k, width, dash, done)
	}
}

// dashes draws a line in dashes; done is the length of the lines before it. Only what can be seen is walked along.
func (c *canvas) dashes(a, b Point, k color.NRGBA, width, dash, done float64) float64 {
	length := a.distance(b)
	if length == 0 || math.IsInf(length, 0) || math.IsNaN(length) {
		return done
	}
	from, to, ok := c.visible(a, b, width)
	if !ok {
		return done + length
	}
	way := b.minus(a).times(1 / length)
	period := 2 * dash
	for at := math.Floor((done+from*length)/period) * period; at < done+to*length; at += period {
		start, end := max(at-done, 0), min(at+dash-done, length)
		if start < end {
			c.segment(a.plus(way.times(start)), a.plus(way.times(end)), k, width)
		}
	}
	return done + length
}

// visible gives the part of a line that may touch the clip, from 0 to 1.
func (c *canvas) visible(a, b Point, width float64) (from, to float64, ok bool) {
	from, to = 0, 1
	cut := func(start, way, low, high float64) {
		switch {
		case way > 0:
			from, to = max(from, (low-start)/way), min(to, (high-start)/way)
		case way < 0:
			from, to = max(from, (high-start)/way), min(to, (low-start)/way)
		case start < low || start > high:
			to = -1
		}
	}
	cut(a.X, b.X-a.X, float64(c.clip.Min.X)-width-1, float64(c.clip.Max.X)+width+1)
	cut(a.Y, b.Y-a.Y, float64(c.clip.Min.Y)-width-1, float64(c.clip.Max.Y)+width+1)
	return from, to, from < to
}

// segment draws a line with smooth edges.
func (c *canvas) segment(a, b Point, k color.NRGBA, width float64) {
	from, to, ok := c.visible(a, b, width)
	if !ok {
		return
	}
	way := b.minus(a)
	a, b = a.plus(way.times(from)), a.plus(way.times(to))
	way = b.minus(a)
	length := math.Hypot(way.X, way.Y)
	half := width / 2
	if length == 0 {
		return
	}
	along := way.times(1 / length)
	normal := Point{-along.Y, along.X}
	source := packed(k)
	// The rows, and in each the pixels whose centers are near enough to the line.
	reach := half + 1
	y0 := clampInt(math.Floor(min(a.Y, b.Y)-reach), c.clip.Min.Y, c.clip.Max.Y)
	y1 := clampInt(math.Ceil(max(a.Y, b.Y)+reach), c.clip.Min.Y, c.clip.Max.Y)
	for y := y0; y < y1; y++ {
		dy := float64(y) + 0.5 - a.Y
		low, high := min(a.X, b.X)-reach, max(a.X, b.X)+reach
		if math.Abs(normal.X) > 1e-9 {
			one, other := a.X+(-reach-dy*normal.Y)/normal.X, a.X+(reach-dy*normal.Y)/normal.X
			low, high = max(low, min(one, other)), min(high, max(one, other))
		}
		x0, x1 := clampInt(math.Floor(low), c.clip.Min.X, c.clip.Max.X), clampInt(math.Ceil(high), c.clip.Min.X, c.clip.Max.X)
		if x0 >= x1 {
			continue
		}
		row := c.dst.Pix[c.dst.PixOffset(x0, y):c.dst.PixOffset(x1, y)]
		for i := 0; i+4 <= len(row); i += 4 {
			d := Point{float64(x0+i/4) + 0.5 - a.X, dy}
			t := d.X*along.X + d.Y*along.Y
			beside := math.Abs(d.X*normal.X+d.Y*normal.Y) - half
			beyond := max(-t, t-length)
			cover := min(0.5-beside, 0.5-beyond, 1)
			if cover > 0 {
				over(row[i:i+4:i+4], shade(source, uint32(cover*255+0.5)))
			}
		}
	}
}

// symbol draws a sign in the middle of at, with an edge that sets it off.
func (c *canvas) symbol(at Point, rows []string, pixel int, k, edge color.NRGBA) {
	x0, y0 := int(math.Floor(at.X))-len(rows[0])*pixel/2, int(math.Floor(at.Y))-len(rows)*pixel/2
	set := func(x, y int) bool { return y >= 0 && y < len(rows) && x >= 0 && x < len(rows[y]) && rows[y][x] == 'x' }
	for y := -1; y <= len(rows); y++ {
		for x := -1; x <= len(rows[0]); x++ {
			cell := image.Rect(x0+x*pixel, y0+y*pixel, x0+(x+1)*pixel, y0+(y+1)*pixel)
			switch {
			case set(x, y):
				c.fill(cell, k)
			case set(x-1, y) || set(x+1, y) || set(x, y-1) || set(x, y+1):
				c.fill(cell, edge)
			}
		}
	}
}

// grid draws lines at distances that suit the zoom: a power of two of world units, every fourth one stronger.
func (c *canvas) grid(v View, style Style) {
	step := 1.0
	for step*v.Zoom < 16*style.Line {
		step *= 2
	}
	for step*v.Zoom >= 32*style.Line && step > 1 {
		step /= 2
	}
	offset := v.offset()
	width := max(1, int(style.Line))
	line := func(n int, at float64, r func(at int) image.Rectangle) {
		k := style.Grid
		switch {
		case n == 0:
			k = style.Axis
		case n%4 == 0:
			k.A = uint8(min(255, 2*int(k.A)))
		}
		c.fill(r(int(math.Round(at))), k)
	}
	for n := int(math.Floor((float64(c.clip.Min.X) - offset.X) / (step * v.Zoom))); ; n++ {
		at := float64(n)*step*v.Zoom + offset.X
		if at > float64(c.clip.Max.X) {
			break
		}
		line(n, at, func(at int) image.Rectangle { return image.Rect(at, c.clip.Min.Y, at+width, c.clip.Max.Y) })
	}
	for n := int(math.Floor((float64(c.clip.Min.Y) - offset.Y) / (step * v.Zoom))); ; n++ {
		at := float64(n)*step*v.Zoom + offset.Y
		if at > float64(c.clip.Max.Y) {
			break
		}
		line(n, at, func(at int) image.Rectangle { return image.Rect(c.clip.Min.X, at, c.clip.Max.X, at+width) })
	}
}
