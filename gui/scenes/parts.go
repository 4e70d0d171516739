package scenes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/formats/jsondoc"
	"talebinder/gui/scenes/stage"
	"talebinder/gui/theme"
	"talebinder/gui/widgets"
	"talebinder/project/assets"
	"talebinder/project/scene"
	"talebinder/project/scene/overrides"
)

// icons keeps the icons in their colours: a list asks for them again and again, and each costs reading a file.
type icons map[iconKey]fyne.Resource

type iconKey struct {
	name  theme.IconName
	color fyne.ThemeColorName
}

func (c icons) get(name theme.IconName, color fyne.ThemeColorName) fyne.Resource {
	key := iconKey{name, color}
	r, ok := c[key]
	if !ok {
		r = theme.IconIn(name, color)
		c[key] = r
	}
	return r
}

// A mark is an icon in a row that may change or be missing.
type mark struct{ *canvas.Image }

func newMark() *mark {
	m := &mark{&canvas.Image{}}
	m.FillMode = canvas.ImageFillContain
	m.Hide()
	return m
}

// set shows an icon, or none. Reading an icon is not free, so that one which is shown already stays.
func (m *mark) set(r fyne.Resource) {
	m.Hidden = r == nil
	if r != nil && m.Resource != r {
		m.Resource = r
		m.Refresh()
	}
}

func (m *mark) place(x, height, side float32) {
	m.Move(fyne.NewPos(x, (height-side)/2))
	m.Resize(fyne.NewSquareSize(side))
}

// A dot says that a value is the instance's own. Its colour is that of the class, and its shape says the same without
// colour: filled for a value that counts, a ring for one that does nothing.
type dot struct{ *canvas.Circle }

func newDot() *dot {
	d := &dot{&canvas.Circle{}}
	d.Hide()
	return d
}

const dotSide = 8

func (d *dot) set(show bool, class overrides.Class) {
	d.Hidden = !show
	if !show {
		return
	}
	c := theme.Color(classTone(class).Color())
	d.StrokeColor, d.StrokeWidth = c, 1.5
	d.FillColor = c
	if class != overrides.Effective {
		d.FillColor = nil
	}
	d.Refresh()
}

func (d *dot) place(x, height float32) {
	d.Move(fyne.NewPos(x, (height-dotSide)/2))
	d.Resize(fyne.NewSquareSize(dotSide))
}

func classTone(c overrides.Class) widgets.Tone {
	switch c {
	case overrides.Effective:
		return widgets.Accent
	case overrides.Redundant:
		return widgets.Notice
	case overrides.Hidden, overrides.Orphaned:
		return widgets.Warning
	}
	return widgets.Danger
}

// className names a class at the beginning of a line.
func className(c overrides.Class) string { return upper(c.String()) }

// classHelp says what a class means, in a sentence.
func classHelp(c overrides.Class) string {
	switch c {
	case overrides.Effective:
		return "The game shows the instance's value in place of the prefab's."
	case overrides.Redundant:
		return "The instance says what the prefab says anyway. Without it nothing changes, until the prefab does."
	case overrides.Hidden:
		return "It does nothing: a component of the instance's own takes the place of the one it is for."
	case overrides.Orphaned:
		return "It does nothing: what it is for is no longer in the prefab."
	}
	return "It cannot be set at all."
}

// A valueCell shows a value on one line: a swatch before a colour, a curve or gradient drawn, an asset as picture and name.
type valueCell struct {
	widget.BaseWidget

	thumbs   *stage.Thumbs
	tapped   func(*assets.Asset) // a tap on an asset; may be nil
	text     *theme.Text
	swatch   *stage.ColorSwatch
	curve    *stage.CurveView
	gradient *stage.GradientView
	thumb    *stage.AssetThumb
	shown    fyne.CanvasObject // beside or instead of the text; may be nil
	wide     bool              // it is shown instead of the text
}

func newValueCell(thumbs *stage.Thumbs, tapped func(*assets.Asset)) *valueCell {
	c := &valueCell{thumbs: thumbs, tapped: tapped, text: theme.Body("").WithTruncation(theme.TruncateEnd)}
	c.ExtendBaseWidget(c)
	return c
}

// set shows a value in a colour of the theme.
func (c *valueCell) set(db *assets.Database, v jsondoc.Value, f scene.Field, text string, color fyne.ThemeColorName) {
	before := c.shown
	c.shown, c.wide = nil, false
	c.text.Style.Monospace = false
	switch f.Type {
	case scene.ColorType:
		if value, err := scene.ReadColor(v); err == nil {
			if c.swatch == nil {
				c.swatch = stage.NewColorSwatch(value)
			}
			c.swatch.SetColor(value)
			c.shown = c.swatch
		}
	case scene.CurveType:
		if value, err := scene.ReadCurve(v); err == nil && v.Exists() {
			if c.curve == nil {
				c.curve = stage.NewCurveView(value)
			}
			c.curve.SetCurve(value)
			c.shown, c.wide = c.curve, true
		}
	case scene.GradientType:
		if value, err := scene.ReadGradient(v); err == nil && v.Exists() {
			if c.gradient == nil {
				c.gradient = stage.NewGradientView(value)
			}
			c.gradient.SetGradient(value)
			c.shown, c.wide = c.gradient, true
		}
	case scene.AssetType:
		if value, err := scene.ReadReference(v); err == nil && !value.IsZero() {
			if c.thumb == nil {
				c.thumb = stage.NewAssetThumb(c.thumbs, func() {
					if c.tapped != nil {
						c.tapped(c.thumb.Asset())
					}
				})
			}
			c.thumb.Set(db, value)
			c.shown, c.wide = c.thumb, true
		}
	case scene.Unknown, scene.ScriptsType:
		c.text.Style.Monospace = v.Exists() && text != ""
	}
	c.text.Set(text, color)
	c.text.Hidden = c.wide
	if before != c.shown && before != nil {
		before.Hide()
	}
	if c.shown != nil {
		c.shown.Show()
	}
	if before != c.shown {
		c.Refresh()
	}
	c.layout(c.Size())
}

func (c *valueCell) layout(size fyne.Size) {
	x := float32(0)
	switch {
	case c.shown != nil && c.wide:
		c.shown.Move(fyne.NewPos(0, 2))
		width := size.Width
		if c.shown != fyne.CanvasObject(c.thumb) {
			width = min(width, 120)
		}
		c.shown.Resize(fyne.NewSize(width, size.Height-4))
	case c.shown != nil:
		side := min(16, size.Height-6)
		c.shown.Move(fyne.NewPos(0, (size.Height-side)/2))
		c.shown.Resize(fyne.NewSize(22, side))
		x = 28
	}
	c.text.Move(fyne.NewPos(x, 0))
	c.text.Resize(fyne.NewSize(max(0, size.Width-x), size.Height))
}

func (c *valueCell) CreateRenderer() fyne.WidgetRenderer { return &valueRenderer{c} }

type valueRenderer struct{ c *valueCell }

func (r *valueRenderer) Destroy()              {}
func (r *valueRenderer) MinSize() fyne.Size    { return fyne.NewSize(40, 20) }
func (r *valueRenderer) Layout(size fyne.Size) { r.c.layout(size) }
func (r *valueRenderer) Refresh()              { r.c.layout(r.c.Size()); canvas.Refresh(r.c) }
func (r *valueRenderer) Objects() []fyne.CanvasObject {
	objects := []fyne.CanvasObject{r.c.text}
	for _, o := range []fyne.CanvasObject{r.c.shown} {
		if o != nil {
			objects = append(objects, o)
		}
	}
	return objects
}

// foreground is the colour of ordinary text.
const foreground = fynetheme.ColorNameForeground
