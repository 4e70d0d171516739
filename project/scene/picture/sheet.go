package picture

import (
	"math"
	"path"
	"strconv"
	"strings"

	"talebinder/formats/jsondoc"
	"talebinder/project/assets"
	"talebinder/project/scene"
)

// maxCells bounds the grid of a texture; a larger one is taken for a mistake.
const maxCells = 1 << 20

// A Slice is a sprite of a texture.
type Slice struct {
	Name  string
	Rect  scene.Rect   // in pixels of the texture
	Pivot scene.Vector // from (0, 0) at the top left to (1, 1)
}

// A Sheet is a texture as its import settings cut it. Cells of the grid are worked out when they are asked for.
type Sheet struct {
	Width, Height float32 // of the texture as the engine uses it, after maxSize

	Nearest       bool // enlarged without smoothing; false also when the settings leave it to the game
	Premultiplied bool // colors of the file are multiplied by their alpha already

	grid   *grid
	slices []Slice
}

type grid struct {
	cellWidth, cellHeight, offsetX, offsetY, spacingX, spacingY, columns, rows int
	prefix                                                                     string
	pivot                                                                      scene.Vector
}

// SheetOf reads the import settings of a texture whose file has this many pixels. What the settings say wrongly is left out.
//
//	settings   filter, premultipliedAlpha, maxSize (0: any), spriteMode (single or multiple), grid, slices
//	grid       cellWidth, cellHeight, offsetX, offsetY, spacingX, spacingY, columns and rows (0: as many as fit),
//	           namePrefix (default: the file's name and _), pivot ([0.5, 0.5])
//	slices     list of name, rect ([x, y, width, height]) and pivot ([0.5, 0.5])
//
// Cells are counted from the top left, row by row, and named by prefix and number; a slice takes the place of a cell of its
// name. Larger pictures than maxSize are scaled down, and their cells and slices with them.
func SheetOf(a *assets.Asset, width, height int) *Sheet {
	s := &Sheet{Width: float32(width), Height: float32(height)}
	doc, err := jsondoc.Parse(a.Meta.Settings)
	if err != nil {
		return s // no settings, or none that can be read: one sprite
	}
	settings := doc.Root()
	filter, _ := settings.GetFold("filter").Text()
	s.Nearest = strings.EqualFold(filter, "nearest")
	s.Premultiplied, _ = settings.GetFold("premultipliedAlpha").Bool()
	scale := float32(1)
	if most := number(settings, "maxSize", 0); most > 0 && max(width, height) > most {
		scale = float32(most) / float32(max(width, height))
		s.Width, s.Height = max(1, round(s.Width*scale)), max(1, round(s.Height*scale))
	}
	if mode, _ := settings.GetFold("spriteMode").Text(); !strings.EqualFold(mode, "multiple") {
		return s
	}
	if g := settings.GetFold("grid"); g.Kind() == jsondoc.Object {
		s.grid = s.readGrid(g, strings.TrimSuffix(path.Base(a.Path), path.Ext(a.Path)), scale)
	}
	for item := range settings.GetFold("slices").Items() {
		if slice, ok := s.readSlice(item, scale); ok {
			s.slices = append(s.slices, slice)
		}
	}
	return s
}

func round(f float32) float32 { return float32(math.RoundToEven(float64(f))) }

func number(v jsondoc.Value, name string, missing int) int {
	n, err := v.GetFold(name).Int32()
	if err != nil {
		return missing
	}
	return int(n)
}

func pivotOf(v jsondoc.Value) scene.Vector {
	if p, err := scene.ReadVector(v.GetFold("pivot")); err == nil {
		return p
	}
	return scene.Vector{X: 0.5, Y: 0.5}
}

func (s *Sheet) readGrid(v jsondoc.Value, base string, scale float32) *grid {
	scaled := func(name string) int { return int(round(float32(number(v, name, 0)) * scale)) }
	g := &grid{
		cellWidth: max(1, scaled("cellWidth")), cellHeight: max(1, scaled("cellHeight")),
		offsetX: scaled("offsetX"), offsetY: scaled("offsetY"), spacingX: scaled("spacingX"), spacingY: scaled("spacingY"),
		columns: number(v, "columns", 0), rows: number(v, "rows", 0), prefix: base + "_", pivot: pivotOf(v),
	}
	if number(v, "cellWidth", 0) <= 0 || number(v, "cellHeight", 0) <= 0 || g.cellWidth+g.spacingX <= 0 || g.cellHeight+g.spacingY <= 0 {
		return nil
	}
	if prefix, err := v.GetFold("namePrefix").Text(); err == nil {
		g.prefix = prefix
	}
	if g.columns <= 0 {
		g.columns = max(0, (int(s.Width)-g.offsetX+g.spacingX)/(g.cellWidth+g.spacingX))
	}
	if g.rows <= 0 {
		g.rows = max(0, (int(s.Height)-g.offsetY+g.spacingY)/(g.cellHeight+g.spacingY))
	}
	if g.columns > maxCells || g.rows > maxCells || g.columns*g.rows > maxCells {
		return nil
	}
	return g
}

func (s *Sheet) readSlice(v jsondoc.Value, scale float32) (Slice, bool) {
	name, err := v.GetFold("name").Text()
	if err != nil || strings.TrimSpace(name) == "" {
		return Slice{}, false
	}
	r, err := scene.ReadRect(v.GetFold("rect"))
	if err != nil {
		return Slice{}, false
	}
	left, top := max(0, r.X*scale), max(0, r.Y*scale)
	right, bottom := min(s.Width, (r.X+r.Width)*scale), min(s.Height, (r.Y+r.Height)*scale)
	if !(right > left && bottom > top) { // also when a number is not finite
		return Slice{}, false
	}
	return Slice{Name: name, Rect: scene.Rect{X: left, Y: top, Width: right - left, Height: bottom - top}, Pivot: pivotOf(v)}, true
}

// Cut says whether the texture is cut into sprites.
func (s *Sheet) Cut() bool { return s.grid != nil || len(s.slices) > 0 }

// Sample gives the part of the texture that stands for it in a small picture, as parts of its width and height: its first sprite, or all
// of it.
func (s *Sheet) Sample() Box {
	r := s.Whole().Rect
	if len(s.slices) > 0 {
		r = s.slices[0].Rect
	} else if s.grid != nil {
		if first, ok := s.Sprite(s.grid.prefix + "0"); ok {
			r = first.Rect
		}
	}
	w, h := float64(s.Width), float64(s.Height)
	return Box{Point{float64(r.X) / w, float64(r.Y) / h}, Point{float64(r.X+r.Width) / w, float64(r.Y+r.Height) / h}}
}

// Whole gives the texture as one sprite.
func (s *Sheet) Whole() Slice {
	return Slice{Rect: scene.Rect{Width: s.Width, Height: s.Height}, Pivot: scene.Vector{X: 0.5, Y: 0.5}}
}

// Sprite finds a sprite by its name. Of slices with one name the last counts.
func (s *Sheet) Sprite(name string) (Slice, bool) {
	for i := len(s.slices) - 1; i >= 0; i-- {
		if s.slices[i].Name == name {
			return s.slices[i], true
		}
	}
	g := s.grid
	if g == nil {
		return Slice{}, false
	}
	digits, ok := strings.CutPrefix(name, g.prefix)
	if !ok {
		return Slice{}, false
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 || n >= g.columns*g.rows || strconv.Itoa(n) != digits {
		return Slice{}, false
	}
	x, y := g.offsetX+n%g.columns*(g.cellWidth+g.spacingX), g.offsetY+n/g.columns*(g.cellHeight+g.spacingY)
	if x < 0 || y < 0 || float32(x+g.cellWidth) > s.Width || float32(y+g.cellHeight) > s.Height {
		return Slice{}, false // the engine leaves cells out that are not all in the texture
	}
	return Slice{Name: name, Rect: scene.Rect{X: float32(x), Y: float32(y), Width: float32(g.cellWidth), Height: float32(g.cellHeight)}, Pivot: g.pivot}, true
}
