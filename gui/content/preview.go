package content

import (
	"errors"
	"fmt"
	"image"
	_ "image/gif"  // pictures of a project may be GIF files
	_ "image/jpeg" // or JPEG files
	_ "image/png"  // or PNG files
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"

	_ "golang.org/x/image/bmp" // or BMP files
	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp" // or WebP files

	"talebinder/gui/ui"
)

const (
	// maxPreviewPixels bounds what is decoded: 32 million pixels take 128 MB for a moment.
	maxPreviewPixels = 32 << 20
	// maxPreviewSide bounds what is kept and sent to the graphics card.
	maxPreviewSide = 1024
)

// A Preview is a picture ready to be shown, or the reason why there is none.
type Preview struct {
	Path          string // asset path it belongs to
	Image         *image.RGBA
	Width, Height int    // of the file, in pixels; 0 when unknown
	Format        string // such as "PNG"
	Problem       string // why there is no picture; empty when there is one
}

// loadPreview decodes the picture in a file. It reads the size first and refuses what would take too much memory.
func loadPreview(asset, file string) (p Preview) {
	p.Path = asset
	f, err := os.Open(file)
	if err != nil {
		p.Problem = "The picture cannot be read: " + plainError(err)
		return p
	}
	defer f.Close()
	config, format, err := image.DecodeConfig(f)
	if err != nil {
		p.Problem = unreadable(err)
		return p
	}
	p.Width, p.Height, p.Format = config.Width, config.Height, strings.ToUpper(format)
	if config.Width <= 0 || config.Height <= 0 {
		p.Problem = "The picture has no pixels."
		return p
	}
	if config.Width > maxPreviewPixels/config.Height {
		p.Problem = fmt.Sprintf("Too large for a preview: %d × %d pixels, at most %s million.", p.Width, p.Height, ui.Count(maxPreviewPixels>>20))
		return p
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		p.Problem = "The picture cannot be read: " + plainError(err)
		return p
	}
	source, _, err := image.Decode(f)
	if err != nil {
		p.Problem = unreadable(err)
		return p
	}
	p.Image = fitted(source)
	return p
}

func unreadable(err error) string {
	if errors.Is(err, image.ErrFormat) {
		return "No preview for this kind of picture."
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "The picture is damaged: it ends too early."
	}
	return "The picture cannot be decoded: " + plainError(err) + "."
}

// plainError leaves out the path, which the screen shows anyway.
func plainError(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return err.Error()
}

// fitted copies a picture into the form that the graphics card takes, smaller when it is very large. Small pictures keep
// every pixel.
func fitted(source image.Image) *image.RGBA {
	size := source.Bounds().Size()
	if longest := max(size.X, size.Y); longest > maxPreviewSide {
		size.X = max(1, size.X*maxPreviewSide/longest)
		size.Y = max(1, size.Y*maxPreviewSide/longest)
	}
	out := image.NewRGBA(image.Rectangle{Max: size})
	if size == source.Bounds().Size() {
		draw.Draw(out, out.Bounds(), source, source.Bounds().Min, draw.Src)
	} else {
		draw.ApproxBiLinear.Scale(out, out.Bounds(), source, source.Bounds(), draw.Src, nil)
	}
	return out
}

// previewer decodes one picture at a time. While one is being decoded only the latest request is kept, so that walking
// through a list with the arrow keys stays light.
type previewer struct {
	start func(work func()) // runs work somewhere else
	done  func(Preview)     // is told about a picture that is still wanted; called where the work runs
	load  func(a, f string) Preview

	mu      sync.Mutex
	running bool
	wanted  [2]string // asset path and file
}

func (p *previewer) want(asset, file string) {
	p.mu.Lock()
	p.wanted = [2]string{asset, file}
	begin := !p.running && asset != ""
	if begin {
		p.running = true
	}
	p.mu.Unlock()
	if begin {
		p.start(p.work)
	}
}

func (p *previewer) work() {
	for {
		p.mu.Lock()
		wanted := p.wanted
		if wanted[0] == "" {
			p.running = false
			p.mu.Unlock()
			return
		}
		p.mu.Unlock()
		preview := p.load(wanted[0], wanted[1])
		p.mu.Lock()
		still := p.wanted == wanted
		if still {
			p.wanted = [2]string{}
		}
		p.mu.Unlock()
		if still {
			p.done(preview)
		}
	}
}
