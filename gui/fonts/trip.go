package fonts

import (
	"bytes"
	"context"
	"fmt"

	pack "talebinder/export/fonts"
	"talebinder/formats/jazz2/charlist"
	"talebinder/formats/jazz2/font"
	"talebinder/formats/jazz2/picture"
)

// A Trip is what came of unpacking a font and packing it again.
type Trip struct {
	Identical  bool
	Difference string // the first one
	Placed     bool   // of a packed font: another packer placed the glyphs, and nothing else differs
	Bytes      int    // of the payload that was compared
}

// String says it in a sentence.
func (t Trip) String() string {
	switch {
	case t.Identical && t.Placed:
		return "Round trip: identical but for the places on the atlas, which another packer has chosen."
	case t.Identical:
		return fmt.Sprintf("Round trip: packed, unpacked and packed again, the %d bytes are identical.", t.Bytes)
	}
	return "Round trip: not the same. " + t.Difference
}

// RoundTrip unpacks a font into the files that an artist would edit, in memory, packs those and compares. packed says that the
// font comes from a file whose packer may have placed the glyphs in another way.
func RoundTrip(ctx context.Context, f *font.Font, packed bool) (Trip, error) {
	first, err := f.Payload()
	if err != nil {
		return Trip{}, err
	}
	again, err := unpackAndPack(ctx, f)
	if err != nil {
		return Trip{}, err
	}
	second, err := again.Payload()
	if err != nil {
		return Trip{}, err
	}
	if bytes.Equal(first, second) {
		return Trip{Identical: true, Bytes: len(first)}, nil
	}
	if packed {
		// The same glyphs in other places are the same font. A second trip has to keep the places.
		if sameGlyphs(f, again) == "" {
			third, err := unpackAndPack(ctx, again)
			if err != nil {
				return Trip{}, err
			}
			if d := difference(again, third); d != "" {
				return Trip{Difference: d}, nil
			}
			return Trip{Identical: true, Placed: true, Bytes: len(second)}, nil
		}
		return Trip{Difference: sameGlyphs(f, again)}, nil
	}
	return Trip{Difference: difference(f, again)}, nil
}

// unpackAndPack goes through the bytes of the image and the text of the list.
func unpackAndPack(ctx context.Context, f *font.Font) (*font.Font, error) {
	grid, err := pack.NewGrid(f)
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	if err := picture.Write(&file, grid.Image()); err != nil {
		return nil, err
	}
	sheet, err := picture.Read(file.Bytes())
	if err != nil {
		return nil, err
	}
	list, err := charlist.ParseJSON(grid.List.JSON())
	if err != nil {
		return nil, fmt.Errorf("the list in its JSON form: %w", err)
	}
	p, err := pack.Pack(ctx, sheet, list)
	if err != nil {
		return nil, err
	}
	return p.Font, nil
}

// difference says in which first thing two fonts differ, or "".
func difference(a, b *font.Font) string {
	if d := sameHead(a, b); d != "" {
		return d
	}
	if a.Atlas.Width != b.Atlas.Width || a.Atlas.Height != b.Atlas.Height {
		return fmt.Sprintf("The atlas is %d × %d, and then %d × %d.", a.Atlas.Width, a.Atlas.Height, b.Atlas.Width, b.Atlas.Height)
	}
	for i := range a.Glyphs {
		if x, y := a.Glyphs[i], b.Glyphs[i]; x.X != y.X || x.Y != y.Y {
			return fmt.Sprintf("%s lies at %d, %d on the atlas, and then at %d, %d.", charlist.CodeName(x.Code), x.X, x.Y, y.X, y.Y)
		}
	}
	return sameGlyphs(a, b)
}

// sameHead compares the numbers of two fonts.
func sameHead(a, b *font.Font) string {
	for _, n := range [...]struct {
		name string
		a, b int
	}{
		{"line height", a.LineHeight, b.LineHeight}, {"base spacing", a.BaseSpacing, b.BaseSpacing}, {"first code point", a.ASCIIFirst, b.ASCIIFirst},
		{"length of the range", a.ASCIICount, b.ASCIICount}, {"number of glyphs", len(a.Glyphs), len(b.Glyphs)},
	} {
		if n.a != n.b {
			return fmt.Sprintf("The %s is %d, and then %d.", n.name, n.a, n.b)
		}
	}
	return ""
}

// sameGlyphs compares all but the places on the atlas.
func sameGlyphs(a, b *font.Font) string {
	if d := sameHead(a, b); d != "" {
		return d
	}
	for i := range a.Glyphs {
		x, y := a.Glyphs[i], b.Glyphs[i]
		name := charlist.CodeName(x.Code)
		switch {
		case x.Code != y.Code:
			return fmt.Sprintf("Glyph %d is %s, and then %s.", i, name, charlist.CodeName(y.Code))
		case x.Advance != y.Advance:
			return fmt.Sprintf("The advance of %s is %d, and then %d.", name, x.Advance, y.Advance)
		case x.Width != y.Width || x.Height != y.Height:
			return fmt.Sprintf("%s draws %d × %d pixels, and then %d × %d.", name, x.Width, x.Height, y.Width, y.Height)
		case x.BearingX != y.BearingX || x.BearingY != y.BearingY:
			return fmt.Sprintf("The bearing of %s is %d, %d, and then %d, %d.", name, x.BearingX, x.BearingY, y.BearingX, y.BearingY)
		}
		for row := range x.Height {
			if !bytes.Equal(a.Atlas.Row(&x, row), b.Atlas.Row(&y, row)) {
				return fmt.Sprintf("Row %d of %s has other pixels.", row, name)
			}
		}
	}
	return ""
}
