package picture

import (
	"math"

	"talebinder/project/scene"
)

// A Point is a place in the world, in world units with y pointing down, or on the screen, in pixels.
type Point struct{ X, Y float64 }

func pointOf(v scene.Vector) Point { return Point{float64(v.X), float64(v.Y)} }

func (p Point) plus(q Point) Point       { return Point{p.X + q.X, p.Y + q.Y} }
func (p Point) minus(q Point) Point      { return Point{p.X - q.X, p.Y - q.Y} }
func (p Point) times(f float64) Point    { return Point{p.X * f, p.Y * f} }
func (p Point) distance(q Point) float64 { return math.Hypot(p.X-q.X, p.Y-q.Y) }
func (p Point) turned(rot float64) Point {
	s, c := math.Sincos(rot)
	return Point{p.X*c - p.Y*s, p.X*s + p.Y*c}
}
func (p Point) scaled(v scene.Vector) Point { return Point{p.X * float64(v.X), p.Y * float64(v.Y)} }

// A Box is a rectangle with its sides along the axes. The zero Box is empty.
type Box struct{ Min, Max Point }

// Empty says whether nothing is in the box, not even a point.
func (b Box) Empty() bool { return b.Max.X < b.Min.X || b.Max.Y < b.Min.Y || b == Box{} }

// Size gives width and height.
func (b Box) Size() Point { return b.Max.minus(b.Min) }

// Center gives the middle.
func (b Box) Center() Point { return b.Min.plus(b.Max).times(0.5) }

// Contains says whether a point is in the box or on its edge.
func (b Box) Contains(p Point) bool {
	return p.X >= b.Min.X && p.X <= b.Max.X && p.Y >= b.Min.Y && p.Y <= b.Max.Y
}

// Overlaps says whether the boxes have a point in common.
func (b Box) Overlaps(c Box) bool {
	return b.Min.X <= c.Max.X && c.Min.X <= b.Max.X && b.Min.Y <= c.Max.Y && c.Min.Y <= b.Max.Y
}

// Union gives the smallest box around both.
func (b Box) Union(c Box) Box {
	switch {
	case b.Empty():
		return c
	case c.Empty():
		return b
	}
	return Box{Point{min(b.Min.X, c.Min.X), min(b.Min.Y, c.Min.Y)}, Point{max(b.Max.X, c.Max.X), max(b.Max.Y, c.Max.Y)}}
}

// Grown gives the box with room around it.
func (b Box) Grown(by float64) Box {
	return Box{Point{b.Min.X - by, b.Min.Y - by}, Point{b.Max.X + by, b.Max.Y + by}}
}

func boxOf(points ...Point) Box {
	if len(points) == 0 {
		return Box{}
	}
	b := Box{points[0], points[0]}
	for _, p := range points[1:] {
		b.Min.X, b.Min.Y = min(b.Min.X, p.X), min(b.Min.Y, p.Y)
		b.Max.X, b.Max.Y = max(b.Max.X, p.X), max(b.Max.Y, p.Y)
	}
	return b
}

// A Quad is where the unit square of a sprite is: its top left corner, and the ways from there to the top right and to the bottom
// left one.
type Quad struct{ Origin, Across, Down Point }

// Corners gives the corners clockwise from the top left one.
func (q Quad) Corners() [4]Point {
	right := q.Origin.plus(q.Across)
	return [4]Point{q.Origin, right, right.plus(q.Down), q.Origin.plus(q.Down)}
}

// Inside gives the place of a point within the unit square; ok is false when it is outside or the quad has no area.
func (q Quad) Inside(p Point) (at Point, ok bool) {
	area := q.Across.X*q.Down.Y - q.Across.Y*q.Down.X
	if area == 0 {
		return Point{}, false
	}
	d := p.minus(q.Origin)
	at = Point{(d.X*q.Down.Y - d.Y*q.Down.X) / area, (d.Y*q.Across.X - d.X*q.Across.Y) / area}
	return at, at.X >= 0 && at.X < 1 && at.Y >= 0 && at.Y < 1
}

// A View is the part of the world that a picture of Width by Height pixels shows.
type View struct {
	Center        Point   // of the picture, in the world
	Zoom          float64 // pixels a world unit
	Width, Height int
}

// offset gives the place of the world's origin on the screen. It is a whole pixel, so that pixel art keeps its edges.
func (v View) offset() Point {
	return Point{math.Round(float64(v.Width)/2 - v.Center.X*v.Zoom), math.Round(float64(v.Height)/2 - v.Center.Y*v.Zoom)}
}

// ToScreen gives the pixel of a place in the world.
func (v View) ToScreen(p Point) Point { return p.times(v.Zoom).plus(v.offset()) }

// ToWorld gives the place of a pixel in the world.
func (v View) ToWorld(p Point) Point { return p.minus(v.offset()).times(1 / v.Zoom) }

// Box gives what is seen of the world.
func (v View) Box() Box {
	return Box{v.ToWorld(Point{}), v.ToWorld(Point{float64(v.Width), float64(v.Height)})}
}

// Around gives the view with another zoom in which the pixel at shows the same place.
func (v View) Around(at Point, zoom float64) View {
	place := v.ToWorld(at)
	v.Zoom = zoom
	v.Center = place.minus(at.minus(Point{float64(v.Width) / 2, float64(v.Height) / 2}).times(1 / zoom))
	return v
}

// Fit gives the view that shows all of a box with a margin in pixels around it, enlarged up to maxZoom.
func (v View) Fit(b Box, margin, maxZoom float64) View {
	if b.Empty() {
		return v
	}
	size := b.Size()
	zoom := maxZoom
	if size.X > 0 {
		zoom = min(zoom, max(1, float64(v.Width)-2*margin)/size.X)
	}
	if size.Y > 0 {
		zoom = min(zoom, max(1, float64(v.Height)-2*margin)/size.Y)
	}
	v.Zoom = max(zoom, MinZoom)
	v.Center = b.Center()
	return v
}

// The bounds of a zoom.
const (
	MinZoom = 1.0 / 1024
	MaxZoom = 128
)
