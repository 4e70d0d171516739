package icon_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"talebinder/formats"
	"talebinder/formats/icon"
	"talebinder/formats/internal/seed"
)

func encode(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func read(t testing.TB, m image.Image) *icon.Picture {
	t.Helper()
	p, err := icon.Read(encode(t, m))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// noise is a picture of random opaque pixels, the worst case for scaling.
func noise(width, height int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	random := rand.New(rand.NewPCG(1, uint64(width)))
	for i := range m.Pix {
		m.Pix[i] = byte(random.Uint32())
		if i%4 == 3 {
			m.Pix[i] = 255
		}
	}
	return m
}

func enlarge(m *image.NRGBA, factor int) *image.NRGBA {
	large := image.NewNRGBA(image.Rect(0, 0, m.Rect.Dx()*factor, m.Rect.Dy()*factor))
	for y := range large.Rect.Dy() {
		for x := range large.Rect.Dx() {
			large.SetNRGBA(x, y, m.NRGBAAt(x/factor, y/factor))
		}
	}
	return large
}

// distance is the largest difference of a channel.
func distance(a, b image.Image) int {
	most := 0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			ar, ag, ab, aa := a.At(x, y).RGBA()
			br, bg, bb, ba := b.At(x, y).RGBA()
			for _, d := range []int{int(ar) - int(br), int(ag) - int(bg), int(ab) - int(bb), int(aa) - int(ba)} {
				most = max(most, max(d, -d)>>8)
			}
		}
	}
	return most
}

func TestTheOwnSizeIsKept(t *testing.T) {
	m := noise(48, 48)
	if d := distance(read(t, m).Scale(48), m); d != 0 {
		t.Errorf("a channel differs by %d", d)
	}
}

func TestPixelArtGrowsByWholeFactors(t *testing.T) {
	m := noise(16, 16)
	p := read(t, m)
	for _, factor := range []int{2, 3, 8, 16} {
		if d := distance(p.Scale(16*factor), enlarge(m, factor)); d != 0 {
			t.Errorf("%d times: a channel differs by %d", factor, d)
		}
	}
}

// Between whole factors only the pixels along an edge are mixed.
func TestPixelArtKeepsItsEdgesAtOtherSizes(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 24, 24))
	draw.Draw(m, m.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(m, image.Rect(0, 0, 12, 24), image.NewUniform(color.Black), image.Point{}, draw.Src)
	scaled := read(t, m).Scale(256)
	mixed := 0
	for x := range 256 {
		if c := scaled.RGBAAt(x, 100); c.R > 8 && c.R < 247 {
			mixed++
		}
	}
	if mixed > 2 {
		t.Errorf("the edge is %d pixels wide, expected at most 2", mixed)
	}
	if left, right := scaled.RGBAAt(120, 100).R, scaled.RGBAAt(135, 100).R; left > 8 || right < 247 {
		t.Errorf("beside the edge: %d and %d", left, right)
	}
}

func TestEvenAreasStayEvenWhenMadeSmaller(t *testing.T) {
	for _, side := range []int{1024, 1000, 999, 255} {
		m := image.NewNRGBA(image.Rect(0, 0, side, side))
		grey := color.NRGBA{R: 200, G: 100, B: 50, A: 255}
		draw.Draw(m, m.Rect, image.NewUniform(grey), image.Point{}, draw.Src)
		p := read(t, m)
		for _, size := range []int{16, 24, 48, 128} {
			scaled := p.Scale(size)
			for i := 0; i < len(scaled.Pix); i += 4 {
				if !bytes.Equal(scaled.Pix[i:i+4], []byte{200, 100, 50, 255}) {
					t.Fatalf("%d to %d: pixel %d is %v", side, size, i/4, scaled.Pix[i:i+4])
				}
			}
		}
	}
}

// A whole factor down is the average of the squares, give or take what the sharper filter adds.
func TestSmallerSizesShowThePicture(t *testing.T) {
	small := image.NewNRGBA(image.Rect(0, 0, 16, 16))
	for y := range 16 {
		for x := range 16 {
			small.SetNRGBA(x, y, color.NRGBA{R: uint8(40 + 10*x), G: uint8(40 + 10*y), B: 90, A: 255})
		}
	}
	p := read(t, enlarge(small, 64))
	if d := distance(p.Scale(16), small); d > 3 {
		t.Errorf("a channel differs by %d", d)
	}
}

func TestPicturesThatAreNotSquareAreCentred(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 32, 12))
	draw.Draw(m, m.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	p := read(t, m)
	if p.Square() || p.Width() != 32 || p.Height() != 12 {
		t.Errorf("%d x %d, square: %v", p.Width(), p.Height(), p.Square())
	}
	scaled := p.Scale(64)
	for y := range 64 {
		want := uint8(0)
		if y >= 20 && y < 44 {
			want = 255
		}
		if got := scaled.RGBAAt(30, y); got != (color.RGBA{want, want, want, want}) {
			t.Errorf("row %d is %v, expected %d", y, got, want)
		}
	}
}

func TestTransparentPixelsLendNoColour(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	for y := range 64 {
		for x := range 64 {
			c := color.NRGBA{R: 255, A: 0} // invisible red
			if x < 30 {
				c = color.NRGBA{B: 255, A: 255}
			}
			m.SetNRGBA(x, y, c)
		}
	}
	scaled := read(t, m).Scale(16)
	for i := 0; i < len(scaled.Pix); i += 4 {
		if scaled.Pix[i] != 0 {
			t.Fatalf("pixel %d has red %d", i/4, scaled.Pix[i])
		}
	}
}

func TestWarnings(t *testing.T) {
	for name, c := range map[string]struct {
		width, height int
		words         []string
	}{
		"square and large":       {1024, 1024, nil},
		"small":                  {64, 64, nil},
		"not square":             {1024, 1000, []string{"1024x1000", "not square"}},
		"small and not square":   {10, 20, []string{"10x20", "not square"}},
		"a single row of pixels": {2048, 1, []string{"not square"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := strings.Join(read(t, image.NewNRGBA(image.Rect(0, 0, c.width, c.height))).Warnings(), "\n")
			for _, w := range c.words {
				if !strings.Contains(got, w) {
					t.Errorf("no %q in %q", w, got)
				}
			}
			if c.words == nil && got != "" {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestEveryKindOfPNGIsRead(t *testing.T) {
	paletted := image.NewPaletted(image.Rect(0, 0, 20, 20), color.Palette{color.Black, color.White})
	for name, m := range map[string]image.Image{
		"palette": paletted, "grey": image.NewGray(image.Rect(0, 0, 20, 20)), "16 bits": image.NewNRGBA64(image.Rect(0, 0, 20, 20)),
		"grey of 16 bits": image.NewGray16(image.Rect(0, 0, 20, 20)), "an offset origin": noise(40, 40).SubImage(image.Rect(10, 10, 30, 30)),
	} {
		if d := distance(read(t, m).Scale(20), toOrigin(m)); d != 0 {
			t.Errorf("%s: a channel differs by %d", name, d)
		}
	}
}

func toOrigin(m image.Image) image.Image {
	moved := image.NewRGBA(image.Rect(0, 0, m.Bounds().Dx(), m.Bounds().Dy()))
	draw.Draw(moved, moved.Rect, m, m.Bounds().Min, draw.Src)
	return moved
}

func TestPNGsHaveAnAlphaChannelAndTheSameBytesEveryTime(t *testing.T) {
	data := encode(t, noise(100, 100))
	sizes := []int{16, 24, 32, 48, 64, 128, 256}
	var first []icon.Image
	for range 3 {
		p, err := icon.Read(data)
		if err != nil {
			t.Fatal(err)
		}
		images, err := p.PNGs(t.Context(), sizes)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range images {
			config, err := png.DecodeConfig(bytes.NewReader(m.PNG))
			if err != nil || m.Size != sizes[i] || config.Width != m.Size || config.Height != m.Size {
				t.Fatalf("size %d: %+v, %v", m.Size, config, err)
			}
			if depth, kind := m.PNG[24], m.PNG[25]; depth != 8 || kind != 6 {
				t.Errorf("size %d has depth %d and colour type %d, expected 8 and 6", m.Size, depth, kind)
			}
			if first != nil && !bytes.Equal(m.PNG, first[i].PNG) {
				t.Errorf("size %d differs from the first time", m.Size)
			}
		}
		first = images
	}
}

func TestPNGsStopWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := read(t, noise(16, 16)).PNGs(ctx, []int{16, 32}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// sized is a PNG file whose header claims other sides than its pixels have.
func sized(data []byte, width, height uint32) []byte {
	b := slices.Clone(data)
	binary.BigEndian.PutUint32(b[16:], width)
	binary.BigEndian.PutUint32(b[20:], height)
	binary.BigEndian.PutUint32(b[29:], crc32.ChecksumIEEE(b[12:29]))
	return b
}

func tiny() []byte {
	var b bytes.Buffer
	m := image.NewNRGBA(image.Rect(0, 0, 3, 3))
	m.SetNRGBA(1, 1, color.NRGBA{R: 9, G: 8, B: 7, A: 128})
	if err := png.Encode(&b, m); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func TestBadPictures(t *testing.T) {
	good := tiny()
	broken := slices.Clone(good)
	broken[len(broken)-20] ^= 0xff
	for name, c := range map[string]struct {
		data []byte
		kind error // nil: a LimitError
		says string
	}{
		"an empty file":             {nil, formats.ErrUnsupported, "an empty file"},
		"a JPEG file":               {[]byte("\xff\xd8\xff\xe0....JFIF"), formats.ErrUnsupported, "a JPEG file, expected a PNG file; save the picture as PNG"},
		"a GIF file":                {[]byte("GIF89a......"), formats.ErrUnsupported, "a GIF file"},
		"a WebP file":               {[]byte("RIFF\x00\x00\x00\x00WEBPVP8 "), formats.ErrUnsupported, "a WebP file"},
		"a Windows icon":            {[]byte("\x00\x00\x01\x00\x01\x00"), formats.ErrUnsupported, "a Windows icon"},
		"a text":                    {[]byte("hello, world"), formats.ErrUnsupported, `"hello, w"`},
		"half of the signature":     {good[:5], formats.ErrDamaged, "the end of the file after 5 bytes"},
		"half of the header":        {good[:20], formats.ErrDamaged, "no IHDR chunk"},
		"the end is missing":        {good[:len(good)-14], formats.ErrDamaged, "save it again as PNG"},
		"a wrong checksum":          {broken, formats.ErrDamaged, "checksum"},
		"too wide":                  {sized(good, 4097, 3), nil, "width of the picture is 4097 pixels, the limit is 4096 pixels"},
		"too high":                  {sized(good, 3, 1<<31-1), nil, "height of the picture is 2147483647 pixels"},
		"no width":                  {sized(good, 0, 3), formats.ErrDamaged, "PNG"},
		"more pixels than it has":   {sized(good, 4096, 4096), formats.ErrDamaged, "4096x4096 pixels; the file is cut off"},
		"a little more than it has": {sized(good, 64, 64), formats.ErrDamaged, "PNG"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := icon.Read(c.data)
			var limit *formats.LimitError
			if c.kind == nil && !errors.As(err, &limit) || c.kind != nil && !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
}

func TestSeeds(t *testing.T) {
	good := tiny()
	seed.Check(t, "FuzzRead", map[string][]byte{
		"three-pixels.png":         good,
		"cut-in-the-header.png":    good[:20],
		"cut-in-the-pixels.png":    good[:len(good)-20],
		"huge-sides.png":           sized(good, 4096, 4096),
		"one-row.png":              sized(good, 3, 1),
		"sides-beyond-31-bits.png": sized(good, 1<<31, 1<<31),
		"jpeg.png":                 []byte("\xff\xd8\xff\xe0....JFIF"),
	})
}

func FuzzRead(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := icon.Read(data)
		if err != nil {
			var limit *formats.LimitError
			if !errors.Is(err, formats.ErrDamaged) && !errors.Is(err, formats.ErrUnsupported) && !errors.As(err, &limit) {
				t.Fatalf("an error of no kind: %v", err)
			}
			return
		}
		if max(p.Width(), p.Height()) > 512 {
			return
		}
		out, err := p.PNG(33)
		if err != nil {
			t.Fatal(err)
		}
		if config, err := png.DecodeConfig(bytes.NewReader(out)); err != nil || config.Width != 33 || config.Height != 33 {
			t.Fatalf("%+v, %v", config, err)
		}
	})
}

func BenchmarkPNGs(b *testing.B) {
	for _, side := range []int{256, 1024, 4096} {
		b.Run(image.Rect(0, 0, side, side).Size().String(), func(b *testing.B) {
			m := image.NewNRGBA(image.Rect(0, 0, side, side))
			for y := range side {
				for x := range side {
					m.SetNRGBA(x, y, color.NRGBA{R: uint8(x * 255 / side), G: uint8(y * 255 / side), B: uint8(x ^ y), A: 255})
				}
			}
			data := encode(b, m)
			b.ReportAllocs()
			for b.Loop() {
				p, err := icon.Read(data)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := p.PNGs(b.Context(), []int{16, 24, 32, 48, 64, 128, 256}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
