package widgets

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// PixelArea is an area in which every device pixel is drawn by hand, so that nothing is ever scaled. It is made to be embedded:
// call Setup with the widget that embeds it.
type PixelArea struct {
	widget.BaseWidget

	least  fyne.Size
	paint  func(dst *image.RGBA)
	raster *canvas.Raster
	buffer *image.RGBA
}

// Setup readies the area. paint fills the whole picture, which is kept from one frame to the next.
func (p *PixelArea) Setup(self fyne.Widget, least fyne.Size, paint func(dst *image.RGBA)) {
	p.least, p.paint = least, paint
	p.raster = canvas.NewRaster(p.draw)
	p.ExtendBaseWidget(self)
}

func (p *PixelArea) draw(w, h int) image.Image {
	if p.buffer == nil || p.buffer.Rect.Dx() != w || p.buffer.Rect.Dy() != h {
		p.buffer = image.NewRGBA(image.Rect(0, 0, w, h))
	}
	if w > 0 && h > 0 {
		p.paint(p.buffer)
	}
	return p.buffer
}

// Scale is how many device pixels a unit of the toolkit has.
func (p *PixelArea) Scale() float32 {
	if c := fyne.CurrentApp().Driver().CanvasForObject(p.raster); c != nil {
		return c.Scale()
	}
	return 1
}

// Device turns a place in the area into device pixels.
func (p *PixelArea) Device(at fyne.Position) image.Point {
	s := p.Scale()
	return image.Pt(int(at.X*s), int(at.Y*s))
}

// Room is the size of the area in device pixels.
func (p *PixelArea) Room() image.Point {
	size, s := p.raster.Size(), p.Scale()
	return image.Pt(int(size.Width*s+0.5), int(size.Height*s+0.5))
}

// Redraw draws the area again.
func (p *PixelArea) Redraw() { p.raster.Refresh() }

// CreateRenderer implements fyne.Widget.
func (p *PixelArea) CreateRenderer() fyne.WidgetRenderer { return &pixelAreaRenderer{p} }

type pixelAreaRenderer struct{ p *PixelArea }

func (r *pixelAreaRenderer) Destroy()                     {}
func (r *pixelAreaRenderer) Layout(size fyne.Size)        { r.p.raster.Resize(size) }
func (r *pixelAreaRenderer) MinSize() fyne.Size           { return r.p.least }
func (r *pixelAreaRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.p.raster} }
func (r *pixelAreaRenderer) Refresh()                     { r.p.raster.Refresh() }

// A PixelView is the part of a picture that is looked at. Every pixel of the picture is a square of Zoom device pixels.
type PixelView struct {
	Zoom int
	At   image.Point // where the corner of the window lies on the enlarged picture, in device pixels; negative leaves a border
}

// PixelZooms are the steps of enlargement.
func PixelZooms() []int { return []int{1, 2, 3, 4, 6, 8, 12, 16} }

// FitPixels shows all of a picture in its middle, as large as a window of a size allows.
func FitPixels(picture, window image.Point) PixelView {
	v := PixelView{Zoom: 1}
	for _, z := range PixelZooms() {
		if picture.X*z <= window.X && picture.Y*z <= window.Y {
			v.Zoom = z
		}
	}
	return v.Clamp(picture, window)
}

// Step gives the zoom some steps away.
func (v PixelView) Step(by int) int {
	zooms := PixelZooms()
	i := 0
	for i < len(zooms)-1 && zooms[i] < v.Zoom {
		i++
	}
	return zooms[min(max(i+by, 0), len(zooms)-1)]
}

// Clamp centres a picture that is smaller than the window, and keeps a larger one from leaving it.
func (v PixelView) Clamp(picture, window image.Point) PixelView {
	one := func(at, size, room int) int {
		if size <= room {
			return (size - room) / 2
		}
		const border = 16
		return min(max(at, -border), size-room+border)
	}
	v.At.X = one(v.At.X, picture.X*v.Zoom, window.X)
	v.At.Y = one(v.At.Y, picture.Y*v.Zoom, window.Y)
	return v
}

// ZoomAt changes the zoom so that what lies at a place of the window stays there.
func (v PixelView) ZoomAt(zoom int, place image.Point) PixelView {
	p := v.At.Add(place)
	v.At = image.Pt(floorDiv(p.X*zoom, v.Zoom), floorDiv(p.Y*zoom, v.Zoom)).Sub(place)
	v.Zoom = zoom
	return v
}

// Pixel gives the pixel of the picture at a place of the window.
func (v PixelView) Pixel(place image.Point) image.Point {
	p := v.At.Add(place)
	return image.Pt(floorDiv(p.X, v.Zoom), floorDiv(p.Y, v.Zoom))
}

// Rect gives where a rectangle of the picture lies in the window.
func (v PixelView) Rect(r image.Rectangle) image.Rectangle {
	return image.Rectangle{Min: r.Min.Mul(v.Zoom), Max: r.Max.Mul(v.Zoom)}.Sub(v.At)
}

// Visible gives the pixels of a picture that lie in the window.
func (v PixelView) Visible(picture, window image.Point) image.Rectangle {
	r := image.Rectangle{Min: v.Pixel(image.Point{}), Max: v.Pixel(window).Add(image.Pt(1, 1))}
	return r.Intersect(image.Rectangle{Max: picture})
}

// Reveal moves the view as little as it takes to show a rectangle, and to its middle when it was out of sight.
func (v PixelView) Reveal(r image.Rectangle, picture, window image.Point) PixelView {
	at := v.Rect(r)
	if at.In(image.Rectangle{Max: window}) {
		return v
	}
	v.At = v.At.Add(at.Min.Add(at.Max).Div(2)).Sub(window.Div(2))
	return v.Clamp(picture, window)
}

func floorDiv(a, b int) int {
	if a < 0 {
		return -((-a + b - 1) / b)
	}
	return a / b
}
