package stage

import (
	"image"
	"image/color"
	"math"
	"path"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	valuecolor "talebinder/formats/color"
	"talebinder/formats/guid"
	"talebinder/gui/theme"
	"talebinder/project/assets"
	"talebinder/project/scene"
	"talebinder/project/scene/picture"
)

// chequer gives the ground of a transparent color at a pixel.
func chequer(x, y, side int) color.NRGBA {
	if (x/side+y/side)%2 == 0 {
		return color.NRGBA{R: 0xbb, G: 0xbb, B: 0xbb, A: 0xff}
	}
	return color.NRGBA{R: 0x88, G: 0x88, B: 0x88, A: 0xff}
}

// on puts a color over an opaque ground. cover from 0 to 1 is the part of the pixel that it fills.
func on(ground, c color.NRGBA, cover float64) color.NRGBA {
	a := float64(c.A) / 255 * cover
	mix := func(g, c uint8) uint8 { return uint8(float64(g)*(1-a) + float64(c)*a + 0.5) }
	return color.NRGBA{R: mix(ground.R, c.R), G: mix(ground.G, c.G), B: mix(ground.B, c.B), A: 255}
}

func put(img *image.RGBA, x, y int, c color.NRGBA) {
	n := img.PixOffset(x, y)
	img.Pix[n], img.Pix[n+1], img.Pix[n+2], img.Pix[n+3] = c.R, c.G, c.B, c.A
}

// painted is a value that is drawn pixel by pixel, with a thin frame.
type painted struct {
	widget.BaseWidget
	min   fyne.Size
	paint func(img *image.RGBA, scale float64)
}

// CreateRenderer implements fyne.Widget.
func (p *painted) CreateRenderer() fyne.WidgetRenderer {
	r := &paintedRenderer{p: p, frame: canvas.NewRectangle(color.Transparent)}
	r.raster = canvas.NewRaster(func(w, h int) image.Image {
		img := image.NewRGBA(image.Rect(0, 0, max(w, 1), max(h, 1)))
		if size := r.raster.Size(); size.Width > 0 {
			p.paint(img, float64(w)/float64(size.Width))
		}
		return img
	})
	r.raster.ScaleMode = canvas.ImageScalePixels
	r.Refresh()
	return r
}

type paintedRenderer struct {
	p      *painted
	raster *canvas.Raster
	frame  *canvas.Rectangle
}

func (r *paintedRenderer) Destroy()           {}
func (r *paintedRenderer) MinSize() fyne.Size { return r.p.min }
func (r *paintedRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.raster, r.frame}
}
func (r *paintedRenderer) Layout(size fyne.Size) {
	r.raster.Resize(size)
	r.frame.Resize(size)
}

func (r *paintedRenderer) Refresh() {
	r.frame.StrokeColor, r.frame.StrokeWidth = theme.Color(theme.ColorNameCardBorder), 1
	r.raster.Refresh()
	r.frame.Refresh()
}

// A ColorSwatch shows a color, on a chequerboard when one can see through it: the left half as it is, the right half opaque.
type ColorSwatch struct {
	painted
	color color.NRGBA
}

// NewColorSwatch makes a swatch.
func NewColorSwatch(c valuecolor.Color) *ColorSwatch {
	s := &ColorSwatch{color: c.NRGBA()}
	s.min = fyne.NewSize(28, 16)
	s.paint = s.draw
	s.ExtendBaseWidget(s)
	return s
}

// SetColor shows another color.
func (s *ColorSwatch) SetColor(c valuecolor.Color) {
	if s.color != c.NRGBA() {
		s.color = c.NRGBA()
		s.Refresh()
	}
}

func (s *ColorSwatch) draw(img *image.RGBA, scale float64) {
	opaque := s.color
	opaque.A = 255
	side := max(1, int(4*scale))
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			c := opaque
			if x < img.Rect.Dx()/2 {
				c = on(chequer(x, y, side), s.color, 1)
			}
			put(img, x, y, c)
		}
	}
}

// A GradientView shows a gradient from 0 to 1 with its stops.
type GradientView struct {
	painted
	gradient scene.Gradient
}

// NewGradientView makes a view.
func NewGradientView(g scene.Gradient) *GradientView {
	v := &GradientView{gradient: g}
	v.min = fyne.NewSize(96, 20)
	v.paint = v.draw
	v.ExtendBaseWidget(v)
	return v
}

// SetGradient shows another gradient.
func (v *GradientView) SetGradient(g scene.Gradient) {
	if !slices.Equal(v.gradient, g) {
		v.gradient = g
		v.Refresh()
	}
}

func (v *GradientView) draw(img *image.RGBA, scale float64) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	side, stops := max(1, int(4*scale)), h-max(1, int(4*scale))
	ground, mark := nrgba(theme.Color(theme.ColorNameCard)), nrgba(theme.Color(fynetheme.ColorNameForeground))
	for x := range w {
		c := v.gradient.At((float32(x) + 0.5) / float32(w)).NRGBA()
		for y := range h {
			if y < stops {
				put(img, x, y, on(chequer(x, y, side), c, 1))
			} else {
				put(img, x, y, ground)
			}
		}
	}
	half := max(1, int(1.5*scale))
	for _, s := range v.gradient {
		at := int(min(max(float64(s.Position), 0), 1) * float64(w-1))
		for x := max(0, at-half); x <= min(w-1, at+half); x++ {
			for y := stops; y < h; y++ {
				put(img, x, y, mark)
			}
		}
	}
}

// A CurveView shows a curve over the time of its keys, with 0 as a thin line where it is in sight.
type CurveView struct {
	painted
	curve scene.Curve
}

// NewCurveView makes a view.
func NewCurveView(c scene.Curve) *CurveView {
	v := &CurveView{curve: c}
	v.min = fyne.NewSize(96, 40)
	v.paint = v.draw
	v.ExtendBaseWidget(v)
	return v
}

// SetCurve shows another curve.
func (v *CurveView) SetCurve(c scene.Curve) {
	if !slices.Equal(v.curve, c) {
		v.curve = c
		v.Refresh()
	}
}

// ranges gives the times of the keys and the values between them; a range is never empty.
func (v *CurveView) ranges() (t0, t1, low, high float64) {
	t0, t1 = 0, 1
	if n := len(v.curve); n > 0 && v.curve[n-1].Time > v.curve[0].Time {
		t0, t1 = float64(v.curve[0].Time), float64(v.curve[n-1].Time)
	}
	low, high = math.Inf(1), math.Inf(-1)
	take := func(f float32) {
		if f := float64(f); !math.IsNaN(f) && !math.IsInf(f, 0) {
			low, high = min(low, f), max(high, f)
		}
	}
	const samples = 128 // tangents may lead beyond the keys
	for i := range samples + 1 {
		take(v.curve.At(float32(t0 + (t1-t0)*float64(i)/samples)))
	}
	for _, k := range v.curve {
		take(k.Value)
	}
	if low > high {
		low, high = 0, 1
	}
	if high-low < 1e-9 {
		low, high = min(low, 0), max(high, 1)
	}
	return t0, t1, low, high
}

func (v *CurveView) draw(img *image.RGBA, scale float64) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	ground := nrgba(theme.Color(fynetheme.ColorNameInputBackground))
	fill(img, ground)
	t0, t1, low, high := v.ranges()
	pad := 4 * scale
	at := func(x float64) float64 { // the row of the curve in a column
		f := float64(v.curve.At(float32(t0 + (t1-t0)*(x-pad)/max(1, float64(w)-2*pad))))
		return pad + (high-f)/(high-low)*(float64(h)-2*pad)
	}
	rule := nrgba(theme.Color(theme.ColorNameHairline))
	if low <= 0 && high >= 0 {
		y := int(pad + high/(high-low)*(float64(h)-2*pad))
		for x := range w {
			if y >= 0 && y < h {
				put(img, x, y, rule)
			}
		}
	}
	line, half := nrgba(theme.Color(theme.ColorNameAccent)), max(0.75, 0.75*scale)
	for x := range w {
		from, to := at(float64(x)), at(float64(x)+1)
		if math.IsNaN(from) || math.IsNaN(to) {
			continue
		}
		top, bottom := min(from, to)-half, max(from, to)+half
		for y := max(0, int(top)-1); y <= min(h-1, int(min(bottom, float64(h)))+1); y++ {
			cover := min(bottom, float64(y)+1) - max(top, float64(y))
			if cover > 0 {
				put(img, x, y, on(nrgba(img.RGBAAt(x, y)), line, min(cover, 1)))
			}
		}
	}
	mark, size := nrgba(theme.Color(fynetheme.ColorNameForeground)), max(1, int(1.5*scale))
	for _, k := range v.curve {
		x := int(pad + (float64(k.Time)-t0)/(t1-t0)*(float64(w)-2*pad))
		y := int(pad + (high-float64(k.Value))/(high-low)*(float64(h)-2*pad))
		for dy := -size; dy <= size; dy++ {
			for dx := -size; dx <= size; dx++ {
				if (image.Point{X: x + dx, Y: y + dy}).In(img.Rect) {
					put(img, x+dx, y+dy, mark)
				}
			}
		}
	}
}

// Thumbs are the small pictures of assets, shared by all AssetThumbs of a screen. They are read in the background, and those that were
// shown last are kept.
type Thumbs struct {
	textures *picture.Textures
	own      bool
	shown    map[*AssetThumb]bool // those that wait for their picture
	stop     func()
}

// NewThumbs makes a store. do runs on the interface's goroutine; nil is fyne.Do. Pictures may be shared with a stage; nil textures
// are its own.
func NewThumbs(do func(func()), textures *picture.Textures) *Thumbs {
	if do == nil {
		do = fyne.Do
	}
	t := &Thumbs{textures: textures, shown: map[*AssetThumb]bool{}}
	if textures == nil {
		t.textures, t.own = picture.NewTextures(64<<20), true
	}
	loaded, done := make(chan struct{}, 1), make(chan struct{})
	unsubscribe := t.textures.Notify(loaded)
	t.stop = func() {
		unsubscribe()
		close(done)
	}
	go func() {
		for {
			select {
			case <-loaded:
				do(t.update)
			case <-done:
				return
			}
		}
	}()
	return t
}

// Close ends what runs in the background. It is called once.
func (t *Thumbs) Close() {
	t.stop()
	if t.own {
		go t.textures.Close()
	}
}

func (t *Thumbs) update() {
	for w := range t.shown {
		w.Refresh()
	}
}

// An AssetThumb shows the asset that a value refers to: a small picture of a texture, else the sign of its kind, and its name. It is
// one line high.
type AssetThumb struct {
	widget.BaseWidget

	thumbs *Thumbs
	tapped func()
	db     *assets.Database
	id     guid.Guid
}

var _ fyne.Tappable = (*AssetThumb)(nil)

// NewAssetThumb makes one that shows no asset. tapped may be nil.
func NewAssetThumb(thumbs *Thumbs, tapped func()) *AssetThumb {
	a := &AssetThumb{thumbs: thumbs, tapped: tapped}
	a.ExtendBaseWidget(a)
	return a
}

// Set shows an asset of a project. The zero guid is none.
func (a *AssetThumb) Set(db *assets.Database, id guid.Guid) {
	if a.db != db || a.id != id {
		a.db, a.id = db, id
		a.Refresh()
	}
}

// Asset gives what is shown, or nil.
func (a *AssetThumb) Asset() *assets.Asset {
	if a.db == nil || a.id.IsZero() {
		return nil
	}
	return a.db.ByGuid(a.id)
}

// Text gives the words that are shown.
func (a *AssetThumb) Text() string {
	switch asset := a.Asset(); {
	case a.id.IsZero():
		return "None"
	case asset == nil:
		return "Missing " + a.id.String()
	default:
		return path.Base(asset.Path)
	}
}

// Tapped implements fyne.Tappable.
func (a *AssetThumb) Tapped(*fyne.PointEvent) {
	if a.tapped != nil {
		a.tapped()
	}
}

// CreateRenderer implements fyne.Widget.
func (a *AssetThumb) CreateRenderer() fyne.WidgetRenderer {
	r := &thumbRenderer{a: a, icon: canvas.NewImageFromResource(nil), text: theme.Body("")}
	r.icon.FillMode = canvas.ImageFillContain
	r.text.Truncate = theme.TruncateMiddle
	r.picture = canvas.NewRaster(r.draw)
	r.picture.ScaleMode = canvas.ImageScalePixels
	r.Refresh()
	return r
}

const thumbSide = 18

type thumbRenderer struct {
	a       *AssetThumb
	picture *canvas.Raster
	icon    *canvas.Image
	text    *theme.Text
	texture *picture.Texture
	part    picture.Box // of the texture
}

func (r *thumbRenderer) Destroy() { delete(r.a.thumbs.shown, r.a) }
func (r *thumbRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.picture, r.icon, r.text}
}
func (r *thumbRenderer) MinSize() fyne.Size { return fyne.NewSize(thumbSide+80, thumbSide+2) }

func (r *thumbRenderer) Layout(size fyne.Size) {
	at := fyne.NewPos(0, (size.Height-thumbSide)/2)
	for _, o := range []fyne.CanvasObject{r.picture, r.icon} {
		o.Resize(fyne.NewSquareSize(thumbSide))
		o.Move(at)
	}
	h := r.text.MinSize().Height
	r.text.Resize(fyne.NewSize(max(0, size.Width-thumbSide-6), h))
	r.text.Move(fyne.NewPos(thumbSide+6, (size.Height-h)/2))
}

// draw shows the texture as large as it fits, on a chequerboard.
func (r *thumbRenderer) draw(w, h int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, max(1, w), max(1, h)))
	if r.texture == nil {
		return img
	}
	small := r.texture.Fitted(r.part, w, h)
	if small == nil {
		return img
	}
	x0, y0 := (w-small.Rect.Dx())/2, (h-small.Rect.Dy())/2
	side := max(1, w/6)
	for y := range small.Rect.Dy() {
		for x := range small.Rect.Dx() {
			put(img, x0+x, y0+y, on(chequer(x, y, side), nrgba(small.RGBAAt(x, y)), 1))
		}
	}
	return img
}

func (r *thumbRenderer) Refresh() {
	a := r.a
	asset := a.Asset()
	r.texture = nil
	delete(a.thumbs.shown, a)
	if asset != nil && asset.Kind.ID == assets.Texture {
		if t := a.thumbs.textures.Get(a.db, asset); t == nil {
			a.thumbs.shown[a] = true
		} else if t.Image() != nil {
			r.texture, r.part = t, picture.SheetOf(asset, t.Width, t.Height).Sample()
		}
	}
	r.picture.Hidden, r.icon.Hidden = r.texture == nil, r.texture != nil || a.id.IsZero()
	colour := fyne.ThemeColorName("")
	switch {
	case a.id.IsZero():
		colour = theme.ColorNameMuted
	case asset == nil:
		colour = fynetheme.ColorNameError
		r.icon.Resource = theme.Icon(theme.IconError)
	default:
		r.icon.Resource = theme.Icon(theme.KindIcon(asset.Kind.Name))
	}
	r.text.Text, r.text.ColorName = a.Text(), colour
	r.text.Refresh()
	r.icon.Refresh()
	r.picture.Refresh()
}
