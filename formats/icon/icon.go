// Package icon makes the pictures of an application icon: one PNG of any shape in, square PNGs of the wanted sizes out.
//
// A picture that is not square is centred on a transparent square. The sizes are made as follows, all of them with
// premultiplied alpha, so that the colour of transparent pixels never shows:
//
//	smaller    averaged over 2x2 pixels while twice the wanted size or more is left, then Catmull-Rom
//	the same   as it is
//	larger     every pixel repeated by the smallest whole factor that reaches the size; when that is too large,
//	           Catmull-Rom from there, so that the edges of pixel art stay edges at every size
//
// The PNGs have 8 bits each of red, green, blue and alpha, even when every pixel is opaque: Windows accepts no other
// kind in an icon. The same picture gives the same bytes.
package icon

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/png"
	"runtime"

	"golang.org/x/image/draw"
	"golang.org/x/sync/errgroup"

	"talebinder/formats"
)

const (
	// MaxSide is the largest width and height of a picture in pixels.
	MaxSide = 4096

	signature = "\x89PNG\r\n\x1a\n"
	// maxRatio is more than deflate can compress: a stored byte gives at most 1032.
	maxRatio = 1032
)

// Image is one size of an icon.
type Image struct {
	Size int    // width and height in pixels
	PNG  []byte // a complete PNG file
}

// Picture is the picture that an icon is made of. Its methods may be called from many goroutines at once.
type Picture struct {
	width, height int
	opaque        bool
	levels        []*image.RGBA // square; each half the side of the one before
}

// Read decodes a PNG file. The error is a *formats.Fault of kind formats.ErrUnsupported when it is another kind of file,
// one of kind formats.ErrDamaged when the PNG is broken, and a *formats.LimitError when a side is longer than MaxSide; in
// all these cases no memory was taken for the pixels.
func Read(data []byte) (*Picture, error) {
	if err := check(data); err != nil {
		return nil, err
	}
	source, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, formats.Damaged("PNG", -1, err.Error(), "a complete picture; open it in an image editor and save it again as PNG")
	}
	size := source.Bounds().Size()
	side := max(size.X, size.Y)
	square := image.NewRGBA(image.Rect(0, 0, side, side))
	at := image.Pt((side-size.X)/2, (side-size.Y)/2)
	draw.Draw(square, image.Rectangle{Min: at, Max: at.Add(size)}, source, source.Bounds().Min, draw.Src)
	p := &Picture{width: size.X, height: size.Y, opaque: square.Opaque(), levels: []*image.RGBA{square}}
	for side%2 == 0 && side > 2 {
		square, side = halve(square), side/2
		p.levels = append(p.levels, square)
	}
	return p, nil
}

// check looks at the signature and the first chunk, without decoding anything.
func check(data []byte) error {
	if !bytes.HasPrefix(data, []byte(signature)) {
		if len(data) > 0 && len(data) < len(signature) && bytes.HasPrefix([]byte(signature), data) {
			return formats.Damaged("PNG", 0, fmt.Sprintf("the end of the file after %d bytes", len(data)), "a PNG file")
		}
		return formats.Unsupported("icon", 0, kind(data), "a PNG file; save the picture as PNG and choose that")
	}
	const ihdr = 8 + 8 + 13
	if len(data) < ihdr || string(data[12:16]) != "IHDR" {
		return formats.Damaged("PNG: header", 8, "no IHDR chunk", "an IHDR chunk of 13 bytes")
	}
	width, height := int64(binary.BigEndian.Uint32(data[16:])), int64(binary.BigEndian.Uint32(data[20:]))
	for _, side := range []struct {
		name   string
		pixels int64
	}{{"width", width}, {"height", height}} {
		if side.pixels > MaxSide {
			return fmt.Errorf("icon: %w", &formats.LimitError{What: side.name + " of the picture", Value: side.pixels, Max: MaxSide, Unit: "pixels"})
		}
	}
	channels := map[byte]int64{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[data[25]]
	if needed := height * (1 + (width*channels*int64(data[24])+7)/8) / maxRatio; needed > int64(len(data)) {
		return formats.Damaged("PNG", -1, fmt.Sprintf("%d bytes", len(data)), fmt.Sprintf("more than %d for a picture of %dx%d pixels; the file is cut off", needed, width, height))
	}
	return nil
}

// kind names the kind of a file that is no PNG.
func kind(data []byte) string {
	for _, k := range []struct{ start, name string }{
		{"\xff\xd8\xff", "a JPEG file"}, {"GIF8", "a GIF file"}, {"BM", "a BMP file"}, {"\x00\x00\x01\x00", "a Windows icon"},
		{"icns", "a macOS icon"}, {"<svg", "an SVG file"}, {"<?xml", "an XML file"}, {"8BPS", "a Photoshop file"},
		{"II*\x00", "a TIFF file"}, {"MM\x00*", "a TIFF file"},
	} {
		if bytes.HasPrefix(data, []byte(k.start)) {
			return k.name
		}
	}
	switch {
	case len(data) == 0:
		return "an empty file"
	case len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return "a WebP file"
	}
	return fmt.Sprintf("%q", data[:min(len(data), len(signature))])
}

// Width gives the width of the file's picture in pixels.
func (p *Picture) Width() int { return p.width }

// Height gives the height of the file's picture in pixels.
func (p *Picture) Height() int { return p.height }

// Square says whether the picture fills the square of an icon.
func (p *Picture) Square() bool { return p.width == p.height }

// Warnings gives sentences on what makes the picture less than good for an icon, though it can be used. A small one is
// none of them: pixel art is enlarged without loss.
func (p *Picture) Warnings() []string {
	var all []string
	if !p.Square() {
		all = append(all, fmt.Sprintf("The picture has %dx%d pixels and is not square: it is centred, with transparent margins.", p.width, p.height))
	}
	return all
}

// Scale gives the picture as a square of size x size pixels with premultiplied alpha. The size is at least 1; the image
// is the caller's.
func (p *Picture) Scale(size int) *image.RGBA {
	best := p.levels[0]
	for _, level := range p.levels[1:] {
		if level.Rect.Dx() < 2*size {
			break
		}
		best = level
	}
	side := best.Rect.Dx()
	if side < size {
		best = repeat(best, (size+side-1)/side)
		side = best.Rect.Dx()
	}
	scaled := image.NewRGBA(image.Rect(0, 0, size, size))
	if side == size {
		copy(scaled.Pix, best.Pix)
		return scaled
	}
	draw.CatmullRom.Scale(scaled, scaled.Rect, best, best.Rect, draw.Src, nil)
	return scaled
}

// PNG gives the picture as a PNG file of size x size pixels.
func (p *Picture) PNG(size int) ([]byte, error) {
	var m image.Image = p.Scale(size)
	if p.opaque {
		m = withAlpha{m}
	}
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&b, m); err != nil {
		return nil, fmt.Errorf("icon of %d pixels: %w", size, err)
	}
	return b.Bytes(), nil
}

// withAlpha makes the encoder write an alpha channel.
type withAlpha struct{ image.Image }

func (withAlpha) Opaque() bool { return false }

// PNGs gives the sizes in their order, made on all cores.
func (p *Picture) PNGs(ctx context.Context, sizes []int) ([]Image, error) {
	images := make([]Image, len(sizes))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, size := range sizes {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			data, err := p.PNG(size)
			images[i] = Image{Size: size, PNG: data}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return images, nil
}

// halve averages 2x2 pixels. The sides of m are even.
func halve(m *image.RGBA) *image.RGBA {
	side := m.Rect.Dx() / 2
	half := image.NewRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		above, below := m.Pix[2*y*m.Stride:][:m.Stride], m.Pix[(2*y+1)*m.Stride:][:m.Stride]
		row := half.Pix[y*half.Stride:][:half.Stride]
		for x := range side {
			for c := range 4 {
				i := 8*x + c
				row[4*x+c] = uint8((int(above[i]) + int(above[i+4]) + int(below[i]) + int(below[i+4]) + 2) / 4)
			}
		}
	}
	return half
}

// repeat makes a square of factor x factor pixels of every pixel.
func repeat(m *image.RGBA, factor int) *image.RGBA {
	side := m.Rect.Dx()
	large := image.NewRGBA(image.Rect(0, 0, side*factor, side*factor))
	for y := range side {
		row := large.Pix[y*factor*large.Stride:][:large.Stride]
		for x := range side {
			pixel := m.Pix[y*m.Stride+4*x:][:4]
			for i := range factor {
				copy(row[4*(x*factor+i):], pixel)
			}
		}
		for i := 1; i < factor; i++ {
			copy(large.Pix[(y*factor+i)*large.Stride:], row)
		}
	}
	return large
}
