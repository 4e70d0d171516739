// Package palette holds the 256 colours of Jazz² Resurrection's sprites and fonts, and translates pictures between colours
// and palette indices.
//
// Entry 0 is transparent black. All other entries are opaque, and no two of them are the same colour:
//
//	1-9, 246-254                      nearly black, components 0 to 2
//	10-14, 56-58, 172-175, 208-245    single colours
//	15, 255                           white, less one step of blue or of red
//	16-55                             green, red, blue, orange, pink, 8 each
//	59-63                             gold
//	64-95                             sand, steel, spring green, violet, 8 each
//	96-159                            magenta, purple to navy, cyan, indigo, 16 each
//	160-171, 176-207                  teal (12), blue-violet (32)
//
// Pictures are rows of 8-bit red, green, blue and alpha, not premultiplied. In an indexed picture red is the index, green and
// blue say nothing (what is written has all three equal), and alpha is coverage.
package palette

import (
	"image"
	"image/color"
	"math"
)

// Color gives the colour of an index.
func Color(index uint8) color.NRGBA {
	c := colors[index]
	if index == 0 {
		return color.NRGBA{}
	}
	return color.NRGBA{R: c[0], G: c[1], B: c[2], A: 255}
}

// Palette gives the 256 colours in the form of the image packages, for an image.Paletted.
func Palette() color.Palette {
	p := make(color.Palette, len(colors))
	for i := range p {
		p[i] = Color(uint8(i))
	}
	return p
}

// Apply writes to dst the colours that the indices in src stand for. Both are pixels of four bytes, and may be the same.
// Index 0 becomes transparent black; other pixels keep their alpha.
func Apply(dst, src []byte) {
	for i := 0; i+4 <= len(src); i += 4 {
		index, alpha := src[i], src[i+3]
		c := &colors[index]
		if index == 0 {
			alpha = 0
		}
		dst[i], dst[i+1], dst[i+2], dst[i+3] = c[0], c[1], c[2], alpha
	}
}

// ApplyImage is [Apply] on a picture, which stays as it is.
func ApplyImage(m *image.NRGBA) *image.NRGBA {
	applied := image.NewNRGBA(m.Rect)
	for y := range m.Rect.Dy() {
		Apply(applied.Pix[y*applied.Stride:][:4*m.Rect.Dx()], m.Pix[y*m.Stride:][:4*m.Rect.Dx()])
	}
	return applied
}

// Inexact says how far the colours of a picture are from those of the palette.
type Inexact struct {
	Pixels  int // visible pixels whose colour is not in the palette
	Squared int // the largest squared distance of such a pixel to the entry it got
}

// Distance is the largest distance in the space of red, green and blue, rounded down.
func (x Inexact) Distance() int { return int(math.Sqrt(float64(x.Squared))) }

// Add joins what was found in two parts of a picture.
func (x Inexact) Add(other Inexact) Inexact {
	return Inexact{x.Pixels + other.Pixels, max(x.Squared, other.Squared)}
}

// Nearest gives the index from 1 to 255 whose colour is the closest, the lowest of several, and its squared distance.
func Nearest(r, g, b uint8) (index uint8, squared int) {
	squared = math.MaxInt
	for i := 1; i < len(colors); i++ {
		c := &colors[i]
		dr, dg, db := int(c[0])-int(r), int(c[1])-int(g), int(c[2])-int(b)
		if d := dr*dr + dg*dg + db*db; d < squared {
			index, squared = uint8(i), d
		}
	}
	return index, squared
}

// A Resolver finds the nearest indices of many pixels; it remembers colours that it has seen. It is for one goroutine.
type Resolver struct {
	known [1 << 12]struct {
		color   uint32 // 1<<24 | red<<16 | green<<8 | blue; 0 marks an empty place
		squared int32
		index   uint8
	}
}

// NewResolver returns a Resolver that has seen nothing yet.
func NewResolver() *Resolver { return new(Resolver) }

// Nearest is the function of the same name, faster for a colour that was asked for before.
func (r *Resolver) Nearest(red, green, blue uint8) (index uint8, squared int) {
	c := 1<<24 | uint32(red)<<16 | uint32(green)<<8 | uint32(blue)
	k := &r.known[c*2654435761>>20]
	if k.color != c {
		index, squared := Nearest(red, green, blue)
		k.color, k.squared, k.index = c, int32(squared), index
	}
	return k.index, int(k.squared)
}

// Resolve writes to dst the indices that are nearest to the colours in src. Both are pixels of four bytes, and may be the
// same. Invisible pixels, those with alpha 0, become index 0; all others get one of 1 to 255 and keep their alpha.
func (r *Resolver) Resolve(dst, src []byte) Inexact {
	var x Inexact
	for i := 0; i+4 <= len(src); i += 4 {
		var index uint8
		alpha := src[i+3]
		if alpha != 0 {
			var squared int
			if index, squared = r.Nearest(src[i], src[i+1], src[i+2]); squared > 0 {
				x.Pixels++
				x.Squared = max(x.Squared, squared)
			}
		}
		dst[i], dst[i+1], dst[i+2], dst[i+3] = index, index, index, alpha
	}
	return x
}

// ResolveImage is Resolve on a picture, which stays as it is.
func ResolveImage(m *image.NRGBA) (*image.NRGBA, Inexact) {
	resolved := image.NewNRGBA(m.Rect)
	r := NewResolver()
	var x Inexact
	for y := range m.Rect.Dy() {
		x = x.Add(r.Resolve(resolved.Pix[y*resolved.Stride:][:4*m.Rect.Dx()], m.Pix[y*m.Stride:][:4*m.Rect.Dx()]))
	}
	return resolved, x
}
