package widgets

import (
	"image"
	"image/color"
	"image/draw"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
)

// PixelImage shows a picture with every pixel as a square of whole device pixels, on a chequerboard that shows where it is
// transparent. A picture larger than the room is shrunk smoothly instead.
type PixelImage struct {
	widget.BaseWidget

	// Room is the area that the picture may take, in device-independent pixels.
	Room fyne.Size

	pixels *image.RGBA
}

// NewPixelImage makes a view; img may be nil. The picture is copied.
func NewPixelImage(img image.Image, room fyne.Size) *PixelImage {
	p := &PixelImage{Room: room}
	p.ExtendBaseWidget(p)
	p.setImage(img)
	return p
}

// SetImage shows another picture, or none.
func (p *PixelImage) SetImage(img image.Image) {
	p.setImage(img)
	p.Refresh()
}

func (p *PixelImage) setImage(img image.Image) {
	p.pixels = nil
	if img != nil && !img.Bounds().Empty() {
		// The painter takes RGBA as it is and converts every other kind each time it draws.
		b := img.Bounds()
		p.pixels = image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
		draw.Draw(p.pixels, p.pixels.Bounds(), img, b.Min, draw.Src)
	}
}

// Empty says whether there is no picture.
func (p *PixelImage) Empty() bool { return p.pixels == nil }

// fit gives the size of the picture in an area, in device-independent pixels, and whether it is enlarged.
func (p *PixelImage) fit(area fyne.Size, scale float32) (fyne.Size, bool) {
	w, h := float32(p.pixels.Rect.Dx()), float32(p.pixels.Rect.Dy())
	zoom := fyne.Min(area.Width*scale/w, area.Height*scale/h)
	if zoom >= 1 {
		zoom = float32(int(zoom))
		return fyne.NewSize(w*zoom/scale, h*zoom/scale), true
	}
	return fyne.NewSize(w*zoom/scale, h*zoom/scale), false
}

// CreateRenderer implements fyne.Widget.
func (p *PixelImage) CreateRenderer() fyne.WidgetRenderer {
	p.ExtendBaseWidget(p)
	r := &pixelRenderer{p: p, frame: canvas.NewRectangle(nil), picture: &canvas.Image{FillMode: canvas.ImageFillStretch}}
	r.board = canvas.NewRaster(chequerboard)
	r.Refresh()
	return r
}

// chequerboard draws squares of a fixed size in two quiet colours.
func chequerboard(w, h int) image.Image {
	const side = 6
	light, dark := color.RGBA{0xbb, 0xbb, 0xbb, 0xff}, color.RGBA{0x99, 0x99, 0x99, 0xff}
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := light
			if (x/side+y/side)%2 == 1 {
				c = dark
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

type pixelRenderer struct {
	p       *PixelImage
	frame   *canvas.Rectangle
	board   *canvas.Raster
	picture *canvas.Image
}

func (r *pixelRenderer) Destroy()           {}
func (r *pixelRenderer) MinSize() fyne.Size { return r.p.Room }
func (r *pixelRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.frame, r.board, r.picture}
}

func (r *pixelRenderer) Layout(size fyne.Size) {
	r.frame.Resize(size)
	if r.p.pixels == nil {
		return
	}
	scale := float32(1)
	if c := fyne.CurrentApp().Driver().CanvasForObject(r.p); c != nil {
		scale = c.Scale()
	}
	area, enlarged := r.p.fit(size.SubtractWidthHeight(4, 4), scale)
	at := fyne.NewPos((size.Width-area.Width)/2, (size.Height-area.Height)/2)
	at = fyne.NewPos(float32(int(at.X*scale))/scale, float32(int(at.Y*scale))/scale)
	r.picture.ScaleMode = canvas.ImageScaleSmooth
	if enlarged {
		r.picture.ScaleMode = canvas.ImageScalePixels
	}
	for _, o := range []fyne.CanvasObject{r.board, r.picture} {
		o.Move(at)
		o.Resize(area)
	}
}

func (r *pixelRenderer) Refresh() {
	r.frame.FillColor, r.frame.CornerRadius = theme.Color(fynetheme.ColorNameInputBackground), 4
	r.frame.StrokeColor, r.frame.StrokeWidth = theme.Color(fynetheme.ColorNameInputBorder), 1
	r.board.Hidden, r.picture.Hidden = r.p.pixels == nil, r.p.pixels == nil
	if r.p.pixels != nil {
		r.picture.Image = r.p.pixels
	}
	r.Layout(r.p.Size())
	r.frame.Refresh()
	r.board.Refresh()
	r.picture.Refresh()
}
