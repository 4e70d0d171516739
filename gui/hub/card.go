package hub

import (
	"image"
	"image/draw"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/settings"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

const cardHeight, tileSide = 84, 60

// A card is a recent project.
type card struct {
	recent  settings.Recent
	found   found
	press   *widgets.Pressable
	content *fyne.Container
	tile    *tile
	title   *theme.Text
	path    *theme.Text
	age     *theme.Text
	missing *widgets.Badge
	pin     *widgets.IconButton
	remove  *widgets.IconButton
}

func newCard(h *Hub) *card {
	c := &card{title: theme.Strong("").WithTruncation(theme.TruncateEnd), path: theme.MonoMuted(""), age: theme.Caption(""),
		tile: newTile(), missing: widgets.NewBadge("Missing", widgets.Warning)}
	c.pin = widgets.NewIconButton(theme.Icon(theme.IconPin), "Keep at the top", func() { h.pin(c.recent) })
	c.pin.Quiet = true
	c.remove = widgets.NewIconButton(theme.Icon(theme.IconClose), "Remove the card; the project stays as it is", func() { h.forget(c.recent) })
	c.remove.Quiet = true
	c.pin.OnHint, c.remove.OnHint = h.o.Hint, h.o.Hint
	c.content = container.New(&cardLayout{c}, c.tile, c.title, c.path, c.age, c.missing, c.pin, c.remove)
	c.press = widgets.NewPressable(c.content, func() { h.open(c.recent) })
	c.press.Ground, c.press.Border, c.press.Radius = theme.ColorNameCard, true, theme.Size(theme.SizeNameRadius)
	c.press.OnKey = func(e *fyne.KeyEvent) bool {
		if e.Name != fyne.KeyDelete {
			return false
		}
		h.forget(c.recent)
		return true
	}
	return c
}

func (c *card) set(r settings.Recent, f found, now time.Time) {
	c.recent, c.found = r, f
	c.title.SetText(r.Title)
	c.path.SetText(r.Path)
	c.age.SetText("Opened " + ui.Age(r.Opened, now))
	pin := theme.IconIn(theme.IconPin, theme.ColorNameMuted)
	if r.Pinned {
		pin = theme.IconIn(theme.IconPin, theme.ColorNameAccent)
	}
	c.pin.Quiet = !r.Pinned
	c.pin.SetIcon(pin)
	c.missing.Hidden = f.state == Unknown || f.state == Present
	color := fyne.ThemeColorName("")
	if !c.missing.Hidden {
		color = theme.ColorNameMuted
	}
	c.title.SetColor(color)
	c.tile.set(r, f.picture, !c.missing.Hidden)
	c.content.Refresh()
	c.press.Refresh()
}

type cardLayout struct{ c *card }

func (l *cardLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(260, cardHeight) }

func (l *cardLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	c := l.c
	pad := float32(cardHeight-tileSide) / 2
	c.tile.Move(fyne.NewPos(pad, pad))
	c.tile.Resize(fyne.NewSquareSize(tileSide))
	x := pad + tileSide + 12
	icon := c.remove.MinSize()
	c.remove.Resize(icon)
	c.remove.Move(fyne.NewPos(size.Width-icon.Width-6, 6))
	c.pin.Resize(icon)
	c.pin.Move(fyne.NewPos(size.Width-2*icon.Width-8, 6))
	line := func(o fyne.CanvasObject, y, right float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(max(0, size.Width-x-right), o.MinSize().Height))
	}
	line(c.title, 12, 2*icon.Width+14)
	line(c.path, 35, 12)
	line(c.age, 55, 12)
	if !c.missing.Hidden {
		m := c.missing.MinSize()
		c.missing.Resize(m)
		c.missing.Move(fyne.NewPos(size.Width-m.Width-12, 53))
	}
}

// A tile is the picture of a project, or the first letters of its title on a colour of its own.
type tile struct {
	widget.BaseWidget
	letters string
	colour  int
	picture *image.RGBA
	faded   bool
}

func newTile() *tile {
	t := &tile{}
	t.ExtendBaseWidget(t)
	return t
}

func (t *tile) set(r settings.Recent, picture *image.RGBA, faded bool) {
	t.letters, t.colour, t.faded = monogram(r.Title), colourOf(r.Path, 8), faded
	t.picture = picture
	t.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (t *tile) CreateRenderer() fyne.WidgetRenderer {
	r := &tileRenderer{t: t, back: canvas.NewRectangle(nil), text: canvas.NewText("", nil),
		picture: &canvas.Image{FillMode: canvas.ImageFillStretch}}
	r.text.Alignment = fyne.TextAlignCenter
	r.text.TextStyle = fyne.TextStyle{Bold: true}
	r.text.TextSize = 22
	r.Refresh()
	return r
}

type tileRenderer struct {
	t       *tile
	back    *canvas.Rectangle
	text    *canvas.Text
	picture *canvas.Image
}

func (r *tileRenderer) Destroy()           {}
func (r *tileRenderer) MinSize() fyne.Size { return fyne.NewSquareSize(tileSide) }

func (r *tileRenderer) Layout(size fyne.Size) {
	r.back.Resize(size)
	r.text.Resize(size)
	if r.t.picture == nil {
		return
	}
	scale := float32(1)
	if c := fyne.CurrentApp().Driver().CanvasForObject(r.t); c != nil {
		scale = c.Scale()
	}
	w, h := float32(r.t.picture.Rect.Dx()), float32(r.t.picture.Rect.Dy())
	zoom := min((size.Width-8)*scale/w, (size.Height-8)*scale/h)
	r.picture.ScaleMode = canvas.ImageScaleSmooth
	if zoom >= 1 { // whole device pixels, so that all of them are equal
		zoom = float32(int(zoom))
		r.picture.ScaleMode = canvas.ImageScalePixels
	}
	r.picture.Resize(fyne.NewSize(w*zoom/scale, h*zoom/scale))
	x, y := (size.Width-w*zoom/scale)/2, (size.Height-h*zoom/scale)/2
	r.picture.Move(fyne.NewPos(float32(int(x*scale))/scale, float32(int(y*scale))/scale))
}

func (r *tileRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.back, r.text, r.picture}
}

func (r *tileRenderer) Refresh() {
	t := r.t
	colour := theme.CategoryColor(t.colour)
	if t.faded {
		colour = theme.ColorNameMuted
	}
	r.back.CornerRadius = 5
	r.back.FillColor = theme.Color(theme.ColorNamePanel)
	r.back.StrokeColor, r.back.StrokeWidth = theme.Color(theme.ColorNameHairline), 1
	r.text.Text, r.text.Color = t.letters, theme.Color(colour)
	r.text.Hidden = t.picture != nil
	r.picture.Hidden = t.picture == nil
	if t.picture != nil {
		r.picture.Image = t.picture
		r.picture.Translucency = 0
		if t.faded {
			r.picture.Translucency = 0.6
		}
	}
	r.Layout(t.Size())
	r.back.Refresh()
	r.text.Refresh()
	r.picture.Refresh()
}

// toRGBA copies a picture into the one kind that the painter takes as it is.
func toRGBA(img image.Image) *image.RGBA {
	if img == nil || img.Bounds().Empty() {
		return nil
	}
	b := img.Bounds()
	out := image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(out, out.Bounds(), img, b.Min, draw.Src)
	return out
}
