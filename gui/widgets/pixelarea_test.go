package widgets

import (
	"image"
	"image/color"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

func TestPixelViewKeepsThePlaceUnderThePointer(t *testing.T) {
	v := PixelView{Zoom: 2, At: image.Pt(-13, 40)}
	for _, zoom := range PixelZooms() {
		for _, place := range []image.Point{{0, 0}, {17, 33}, {200, 5}} {
			if got, want := v.ZoomAt(zoom, place).Pixel(place), v.Pixel(place); got != want && zoom >= 2 {
				t.Errorf("zoom %d at %v: pixel %v, expected %v", zoom, place, got, want)
			}
		}
	}
	if f := FitPixels(image.Pt(100, 50), image.Pt(650, 400)); f.Zoom != 6 || f.At != image.Pt(-25, -50) {
		t.Errorf("%+v", f)
	}
}

func TestPixelViewStaysAtThePicture(t *testing.T) {
	picture, window := image.Pt(100, 10), image.Pt(120, 60)
	v := PixelView{Zoom: 4, At: image.Pt(1000, 1000)}.Clamp(picture, window)
	if v.At != image.Pt(296, -10) || v.Visible(picture, window) != image.Rect(74, 0, 100, 10) {
		t.Errorf("%+v shows %v", v, v.Visible(picture, window))
	}
	far := image.Rect(2, 3, 3, 4)
	if r := v.Reveal(far, picture, window); !r.Rect(far).In(image.Rectangle{Max: window}) || r.Reveal(far, picture, window) != r {
		t.Errorf("revealed at %+v", r)
	}
	if v.Step(1) != 6 || v.Step(-9) != 1 || v.Step(99) != 16 {
		t.Error("the steps of the zoom")
	}
}

func TestPixelAreaIsDrawnPixelByPixel(t *testing.T) {
	test.NewTempApp(t)
	var area PixelArea
	var sizes []image.Point
	area.Setup(&area, fyne.NewSize(20, 10), func(dst *image.RGBA) {
		sizes = append(sizes, dst.Rect.Size())
		dst.SetRGBA(3, 2, color.RGBA{255, 0, 0, 255})
	})
	w := test.NewTempWindow(t, &area)
	w.SetPadded(false)
	w.Canvas().(test.WindowlessCanvas).SetScale(2)
	w.Resize(fyne.NewSize(40, 30))
	got := w.Canvas().Capture().At(3, 2)
	if r, g, _, _ := got.RGBA(); r != 0xffff || g != 0 {
		t.Errorf("the pixel is %v", got)
	}
	if last := sizes[len(sizes)-1]; last != image.Pt(80, 60) || area.Room() != last || area.Device(fyne.NewPos(10, 5)) != image.Pt(20, 10) {
		t.Errorf("drawn at %v, room %v", last, area.Room())
	}
}

func TestChip(t *testing.T) {
	test.NewTempApp(t)
	var told []bool
	c := NewChip("Cells", true, func(on bool) { told = append(told, on) })
	test.NewTempWindow(t, c.Pressable)
	test.Tap(c.Pressable)
	c.Load(true)
	c.Toggle()
	if c.On() || len(told) != 2 || told[0] || told[1] {
		t.Errorf("on %v, told %v", c.On(), told)
	}
}
