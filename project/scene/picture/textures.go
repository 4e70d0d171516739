package picture

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/gif"  // textures may be GIF files
	_ "image/jpeg" // or JPEG files
	_ "image/png"  // or PNG files
	"io"
	"math"
	"os"
	"runtime"
	"sync"
	"time"

	_ "golang.org/x/image/bmp" // or BMP files
	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp" // or WebP files

	"talebinder/formats"
	"talebinder/formats/assetpath"
	"talebinder/project/assets"
)

const (
	// maxPixels bounds what is decoded: 32 million pixels take 128 MB for a moment.
	maxPixels = 32 << 20
	// maxSide bounds what is kept, in pixels.
	maxSide = 2048
	// maxLevel is the number of times that a picture is halved for being shown smaller.
	maxLevel = 8
	// DefaultMemory is what Textures keep at most unless told otherwise, in bytes.
	DefaultMemory = 256 << 20
)

// A Texture is a decoded picture. It never changes.
type Texture struct {
	Width, Height int           // of the file, in pixels
	levels        []*image.RGBA // the picture, then smaller ones, each half as large
	err           error
}

// Err says why there is no picture, or nil.
func (t *Texture) Err() error { return t.err }

// Image gives the picture, at most 2048 pixels a side, or nil when it cannot be read. It is not to be changed.
func (t *Texture) Image() *image.RGBA {
	if t.err != nil {
		return nil
	}
	return t.levels[0]
}

// Fitted gives a part of the picture as large as it fits into an area: with every pixel as a square when it is enlarged. The part is
// given in parts of width and height. It is nil when the picture cannot be read.
func (t *Texture) Fitted(part Box, width, height int) *image.RGBA {
	size := part.Size()
	if t.err != nil || width <= 0 || height <= 0 || !(size.X > 0 && size.Y > 0) {
		return nil
	}
	w, h := float64(t.levels[0].Rect.Dx())*size.X, float64(t.levels[0].Rect.Dy())*size.Y
	scale := min(float64(width)/w, float64(height)/h)
	if scale >= 1 {
		scale = math.Floor(scale)
	}
	out := image.NewRGBA(image.Rect(0, 0, max(1, int(w*scale)), max(1, int(h*scale))))
	c := canvas{dst: out, clip: out.Rect}
	c.sprite(Quad{Across: Point{X: float64(out.Rect.Dx())}, Down: Point{Y: float64(out.Rect.Dy())}}, t, part, color.NRGBA{255, 255, 255, 255})
	return out
}

func (t *Texture) bytes() int64 {
	n := int64(256)
	for _, l := range t.levels {
		n += int64(len(l.Pix))
	}
	return n
}

type textureKey struct {
	file string
	size int64
	time time.Time
}

// Textures reads the pictures of a project in the background, each once, and keeps those that were used last. It may be used
// by many goroutines.
type Textures struct {
	memory int64

	mu      sync.Mutex
	entries map[textureKey]*list.Element // of *textureEntry
	recent  *list.List                   // the one used last in front
	used    int64
	waiting []*textureEntry
	workers int
	idle    *sync.Cond
	loaded  []chan<- struct{}
	sizes   map[textureKey]sizeResult
	closed  bool
}

type textureEntry struct {
	key     textureKey
	premult bool
	texture *Texture // nil until it is read
}

type sizeResult struct {
	width, height int
	err           error
}

// NewTextures makes an empty store that keeps about this many bytes of pictures; 0 means DefaultMemory.
func NewTextures(memory int64) *Textures {
	if memory <= 0 {
		memory = DefaultMemory
	}
	t := &Textures{memory: memory, entries: map[textureKey]*list.Element{}, recent: list.New(), sizes: map[textureKey]sizeResult{}}
	t.idle = sync.NewCond(&t.mu)
	return t
}

func keyOf(db *assets.Database, a *assets.Asset) (textureKey, error) {
	file, err := assetpath.SafeJoin(db.Root(), a.Path)
	return textureKey{file, a.Size, a.ModTime}, err
}

// Notify sends to c, without waiting for a reader, whenever pictures have been read. c needs room for one.
func (t *Textures) Notify(c chan<- struct{}) (stop func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.loaded = append(t.loaded, c)
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		for i, o := range t.loaded {
			if o == c {
				t.loaded = append(t.loaded[:i:i], t.loaded[i+1:]...)
				return
			}
		}
	}
}

// Get gives the picture of a texture, or nil when it has not been read yet; reading it begins then.
func (t *Textures) Get(db *assets.Database, a *assets.Asset) *Texture {
	key, err := keyOf(db, a)
	if err != nil {
		return &Texture{err: err}
	}
	return t.get(key, a)
}

func premultiplied(a *assets.Asset) bool {
	return len(a.Meta.Settings) > 0 && SheetOf(a, 1, 1).Premultiplied
}

func (t *Textures) get(key textureKey, a *assets.Asset) *Texture {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.entries[key]; e != nil {
		t.recent.MoveToFront(e)
		return e.Value.(*textureEntry).texture
	}
	if t.closed {
		return &Texture{err: context.Canceled}
	}
	entry := &textureEntry{key: key, premult: premultiplied(a)}
	t.entries[key] = t.recent.PushFront(entry)
	t.waiting = append(t.waiting, entry)
	if t.workers < max(1, runtime.GOMAXPROCS(0)-1) {
		t.workers++
		go t.work()
	}
	return nil
}

// Wait waits until nothing is being read.
func (t *Textures) Wait() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.workers > 0 {
		t.idle.Wait()
	}
}

// Close gives up what waits to be read and waits for what is being read.
func (t *Textures) Close() {
	t.mu.Lock()
	t.closed = true
	for _, e := range t.waiting {
		t.recent.Remove(t.entries[e.key])
		delete(t.entries, e.key)
	}
	t.waiting = nil
	t.mu.Unlock()
	t.Wait()
}

func (t *Textures) work() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.waiting) > 0 {
		entry := t.waiting[0]
		t.waiting = t.waiting[1:]
		t.mu.Unlock()
		texture := readTexture(entry.key.file, entry.premult)
		t.mu.Lock()
		entry.texture = texture
		t.used += texture.bytes()
		t.drop()
		for _, c := range t.loaded {
			select {
			case c <- struct{}{}:
			default:
			}
		}
	}
	t.workers--
	t.idle.Broadcast()
}

// drop gives up the pictures that were not used for longest, but never the one that was used last.
func (t *Textures) drop() {
	for e := t.recent.Back(); e != nil && t.used > t.memory && e != t.recent.Front(); {
		before := e.Prev()
		if entry := e.Value.(*textureEntry); entry.texture != nil {
			t.used -= entry.texture.bytes()
			t.recent.Remove(e)
			delete(t.entries, entry.key)
		}
		e = before
	}
}

// Size gives the size of a texture's file in pixels. It reads only the beginning of the file, and that once.
func (t *Textures) Size(db *assets.Database, a *assets.Asset) (width, height int, err error) {
	key, err := keyOf(db, a)
	if err != nil {
		return 0, 0, err
	}
	t.mu.Lock()
	r, ok := t.sizes[key]
	t.mu.Unlock()
	if ok {
		return r.width, r.height, r.err
	}
	f, err := os.Open(key.file)
	if err == nil {
		r.width, r.height, r.err = readSize(f)
		f.Close()
	} else {
		r.err = err
	}
	t.mu.Lock()
	t.sizes[key] = r
	t.mu.Unlock()
	return r.width, r.height, r.err
}

func readSize(r io.Reader) (width, height int, err error) {
	config, _, err := image.DecodeConfig(r)
	switch {
	case errors.Is(err, image.ErrFormat):
		return 0, 0, fmt.Errorf("this kind of picture is not shown: %w", formats.ErrUnsupported)
	case err != nil:
		return 0, 0, fmt.Errorf("the picture is damaged: %w", err)
	case config.Width <= 0 || config.Height <= 0:
		return 0, 0, fmt.Errorf("the picture has no pixels: %w", formats.ErrDamaged)
	case config.Width > maxPixels/config.Height:
		return 0, 0, &formats.LimitError{What: "the picture", Value: int64(config.Width) * int64(config.Height), Max: maxPixels, Unit: "pixels"}
	}
	return config.Width, config.Height, nil
}

// readTexture decodes a file. Its size is looked at first, so that a small file cannot ask for much memory.
func readTexture(file string, premult bool) *Texture {
	t, err := decodeTexture(file, premult)
	if err != nil {
		return &Texture{err: err}
	}
	return t
}

func decodeTexture(file string, premult bool) (*Texture, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	width, height, err := readSize(f)
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	source, _, err := image.Decode(f)
	if err != nil {
		return nil, fmt.Errorf("the picture is damaged: %w", err)
	}
	return newTexture(source, width, height, premult), nil
}

func newTexture(source image.Image, width, height int, premult bool) *Texture {
	t := &Texture{Width: width, Height: height}
	whole := toRGBA(source, premult)
	if longest := max(width, height); longest > maxSide {
		small := image.NewRGBA(image.Rect(0, 0, max(1, width*maxSide/longest), max(1, height*maxSide/longest)))
		draw.ApproxBiLinear.Scale(small, small.Rect, whole, whole.Rect, draw.Src, nil)
		whole = small
	}
	t.levels = append(t.levels, whole)
	for l := whole; len(t.levels) < maxLevel && max(l.Rect.Dx(), l.Rect.Dy()) > 1; {
		l = halved(l)
		t.levels = append(t.levels, l)
	}
	return t
}

// toRGBA copies a picture into the form that is drawn from: colors multiplied by their alpha. When the file has them so already
// they are taken as they are, at most as bright as their alpha.
func toRGBA(source image.Image, premult bool) *image.RGBA {
	b := source.Bounds()
	out := image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	if !premult {
		draw.Draw(out, out.Rect, source, b.Min, draw.Src)
		return out
	}
	for y := range b.Dy() {
		for x := range b.Dx() {
			c := color.NRGBAModel.Convert(source.At(b.Min.X+x, b.Min.Y+y)).(color.NRGBA)
			out.SetRGBA(x, y, color.RGBA{min(c.R, c.A), min(c.G, c.A), min(c.B, c.A), c.A})
		}
	}
	return out
}

// halved gives a picture of half the size, rounded up; each pixel is the mean of those that it stands for.
func halved(l *image.RGBA) *image.RGBA {
	w, h := l.Rect.Dx(), l.Rect.Dy()
	out := image.NewRGBA(image.Rect(0, 0, (w+1)/2, (h+1)/2))
	for y := range out.Rect.Dy() {
		above := l.Pix[2*y*l.Stride:]
		below := l.Pix[min(2*y+1, h-1)*l.Stride:]
		row := out.Pix[y*out.Stride:]
		for x := range out.Rect.Dx() {
			a, b := 8*x, 4*min(2*x+1, w-1)
			for c := range 4 {
				row[4*x+c] = uint8((int(above[a+c]) + int(above[b+c]) + int(below[a+c]) + int(below[b+c]) + 2) / 4)
			}
		}
	}
	return out
}
