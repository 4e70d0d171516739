package scene

import (
	"math"
	"slices"
)

// A Transform is where something is: its position in world units with y pointing down, its rotation in radians, clockwise, and
// its scale. A local one is relative to the parent.
type Transform struct {
	Position Vector
	Rotation float32
	Scale    Vector
}

// Identity is the transform that changes nothing.
func Identity() Transform { return Transform{Scale: Vector{X: 1, Y: 1}} }

// TransformOf reads the data of a Transform component. What is missing or cannot be read keeps its default, as in the engine.
func TransformOf(c *NodeComponent) Transform {
	t := Identity()
	if c == nil {
		return t
	}
	if v, err := ReadVector(c.Data.Get("position")); err == nil {
		t.Position = v
	}
	if f, err := ReadFloat32(c.Data.Get("rotation")); err == nil {
		t.Rotation = f
	}
	if v, err := ReadVector(c.Data.Get("scale")); err == nil {
		t.Scale = v
	}
	return t
}

// Apply gives the place of a point that is relative to t.
func (t Transform) Apply(p Vector) Vector {
	sin, cos := math.Sincos(float64(t.Rotation))
	x, y := float64(p.X)*float64(t.Scale.X), float64(p.Y)*float64(t.Scale.Y)
	return Vector{X: t.Position.X + float32(x*cos-y*sin), Y: t.Position.Y + float32(x*sin+y*cos)}
}

// Then gives the transform of a child, relative to what t is relative to: its position is placed by t, rotations add up and
// scales multiply, so nothing is ever sheared.
func (t Transform) Then(child Transform) Transform {
	return Transform{
		Position: t.Apply(child.Position),
		Rotation: t.Rotation + child.Rotation,
		Scale:    Vector{X: t.Scale.X * child.Scale.X, Y: t.Scale.Y * child.Scale.Y},
	}
}

// Local gives the transform of a node relative to its parent.
func (x *Expansion) Local(i int) Transform { return TransformOf(x.Nodes[i].Component("Transform")) }

// World gives the transform of a node in the scene: its own and those of its parents. Where parents form a circle, the last one
// before it closes counts as a root.
func (x *Expansion) World(i int) Transform {
	t := x.Local(i)
	seen := map[int32]bool{int32(i): true}
	for p := x.Nodes[i].ParentIndex; p >= 0 && !seen[p]; p = x.Nodes[p].ParentIndex {
		seen[p] = true
		t = x.Local(int(p)).Then(t)
	}
	return t
}

// Worlds gives the transforms of all nodes in the scene, each worked out once. Of parents that form a circle, one counts as a
// root.
func (x *Expansion) Worlds() []Transform {
	worlds := make([]Transform, len(x.Nodes))
	done := make([]bool, len(x.Nodes))
	var way []int32
	for i := range x.Nodes {
		way = way[:0]
		at := int32(i)
		for ; at >= 0 && !done[at]; at = x.Nodes[at].ParentIndex {
			done[at] = true
			way = append(way, at)
		}
		parent := at // it is known, unless it is on the way itself
		for n := len(way) - 1; n >= 0; n-- {
			worlds[way[n]] = x.Local(int(way[n]))
			if parent >= 0 && (n < len(way)-1 || !slices.Contains(way, parent)) {
				worlds[way[n]] = worlds[parent].Then(worlds[way[n]])
			}
			parent = way[n]
		}
	}
	return worlds
}
