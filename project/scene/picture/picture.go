// Package picture makes a picture of an expanded scene: what the game would draw and what an editor draws around it.
//
// Build lists the items of a scene in drawing order, a Renderer draws those that a View shows, and Hit finds the one at a point.
// The components that are understood, with their defaults:
//
//	Sprite            texture, sprite (of the texture's sheet; none: all of it), tint (white), layer (300), flipX, flipY, sortByY,
//	                  visible (true), and source, size and origin, which follow the sprite unless they are set
//	TileMapRenderer   map, renderLayer (100): a labelled place, as the cells of maps are not read
//	Camera            zoom (1), bounds (none), active (true): a frame as large as the game's view
//	Light2D           type (point), color (white), radius (256), innerRadius (0), spotAngle (60°)
//	Collider2D        shape (box), size (32, 32), radius (16), points, offset, rotation, isTrigger
//	ShadowCaster2D    shape, size, radius, points, offset
//
// Lower layers are drawn first. Within a layer the order is by the bottom edge for sprites with sortByY, by 0 for all others, then
// that of the hierarchy. A sprite's origin, from (0, 0) at its top left to (1, 1), is at the position of its entity; scale, then
// rotation (clockwise) go around it. Entities that are hidden in the editor are left out, inactive ones are drawn faintly, and those
// without anything to see get a small mark.
package picture

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
	"talebinder/project/assets"
	"talebinder/project/scene"
)

// A Kind says what an item is.
type Kind uint8

// The kinds of items. Sprites and tile maps are what the game shows, in its order; the rest lies above them.
const (
	Sprite       Kind = iota
	TileMap           // the place of a tile map
	CameraBounds      // what a camera keeps inside of
	CameraFrame       // what a camera sees
	Light             // how far a light reaches
	Shadow            // the shape of a shadow caster
	Collider          // the shape of a collider
	Trigger           // the shape of a collider that lets through
	Marker            // the place of an entity
)

// A Symbol is the sign of a Marker.
type Symbol uint8

// The symbols, by what the entity has.
const (
	Nothing Symbol = iota
	CameraSymbol
	LightSymbol
	SoundSymbol
	ParticleSymbol
	MapSymbol
	ScriptSymbol
)

// The layers of components that do not say theirs.
const (
	defaultLayer    = 300
	defaultMapLayer = 100
)

// missingSize is the side of what is drawn for a texture of unknown size, in world units.
const missingSize = 32

// An Item is something to draw. Items do not change.
type Item struct {
	Node    int // index in Expansion.Nodes
	Kind    Kind
	Symbol  Symbol // of a Marker
	Dimmed  bool   // the entity is not active
	Locked  bool   // the entity cannot be picked
	Bounds  Box    // in the world; a point for a Marker
	Missing string // why a sprite has no texture, with its name, or which tile map is not drawn

	// A sprite: the quad in the world, and the region of the texture as parts of its width and height.
	Quad    Quad
	Texture *assets.Asset
	Region  Box
	Tint    color.NRGBA
	Layer   int32
	sort    float32

	// An outline: a line through points, or a circle, or both.
	Points []Point
	Open   bool // the last point is not joined with the first
	Circle Circle
	Color  color.NRGBA // of a light; of others that of the style
}

// A Circle is one when its radius is above 0.
type Circle struct {
	Center Point
	Radius float64
}

// A Picture is a scene as a list of items. It never changes and may be used by many goroutines.
type Picture struct {
	Expansion *scene.Expansion
	Items     []Item // in drawing order, the last on top
	Clear     color.NRGBA

	assets *assets.Database
	bounds []box32 // of Items
	places []Point // of the nodes
	first  []int32 // of each node, the places of its items in order: from first[i] to first[i+1]
	order  []int32
}

// box32 is a Box in half the memory, rounded outwards.
type box32 struct{ x0, y0, x1, y1 float32 }

func narrow(b Box) box32 {
	down := func(f float64) float32 { return math.Nextafter32(float32(f), float32(math.Inf(-1))) }
	up := func(f float64) float32 { return math.Nextafter32(float32(f), float32(math.Inf(1))) }
	return box32{down(b.Min.X), down(b.Min.Y), up(b.Max.X), up(b.Max.Y)}
}

func (b box32) overlaps(c box32) bool {
	return b.x0 <= c.x1 && c.x0 <= b.x1 && b.y0 <= c.y1 && c.y0 <= b.y1
}

// Options say what a scene itself does not.
type Options struct {
	View  scene.Vector // the size of what a camera with zoom 1 sees, in world units; 1280 by 720 when it is zero
	Clear color.NRGBA  // behind a scene that has no color of its own
}

// Build lists the items of an expanded scene or prefab. It works on all cores and reads the beginning of the textures' files; textures
// keeps their sizes. The error is that of ctx.
func Build(ctx context.Context, x *scene.Expansion, db *assets.Database, textures *Textures, o Options) (*Picture, error) {
	if o.View.X <= 0 || o.View.Y <= 0 {
		o.View = scene.Vector{X: 1280, Y: 720}
	}
	p := &Picture{Expansion: x, Clear: o.Clear, assets: db}
	if e := x.Document.Environment; e != nil && e.ClearColor != nil {
		p.Clear = e.ClearColor.NRGBA()
	}
	worlds := x.Worlds()
	p.places = make([]Point, len(worlds))
	b := &builder{x: x, worlds: worlds, sheets: newSheets(db, textures), view: o.View}

	const chunk = 2048
	parts := make([][]Item, (len(x.Nodes)+chunk-1)/chunk)
	var wait sync.WaitGroup
	next := make(chan int)
	for range min(runtime.GOMAXPROCS(0), len(parts)) {
		wait.Go(func() {
			for i := range next {
				for n := i * chunk; n < min((i+1)*chunk, len(x.Nodes)); n++ {
					p.places[n] = pointOf(worlds[n].Position)
					parts[i] = b.node(parts[i], n)
				}
			}
		})
	}
	for i := range parts {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p.Items = inOrder(slices.Concat(parts...))
	p.index()
	return p, ctx.Err()
}

// inOrder sorts items into drawing order: their places are sorted, as items are large.
func inOrder(items []Item) []Item {
	places := make([]int32, len(items))
	for i := range places {
		places[i] = int32(i)
	}
	slices.SortFunc(places, func(a, b int32) int {
		return cmp.Or(compareItems(&items[a], &items[b]), cmp.Compare(a, b))
	})
	sorted := make([]Item, len(items))
	for i, at := range places {
		sorted[i] = items[at]
	}
	return sorted
}

// compareItems gives the drawing order of items; between equals the hierarchy decides.
func compareItems(a, b *Item) int {
	if seenA, seenB := a.Kind <= TileMap, b.Kind <= TileMap; !seenA || !seenB {
		if seenA != seenB {
			if seenA {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.Kind, b.Kind)
	}
	return cmp.Or(cmp.Compare(a.Layer, b.Layer), cmp.Compare(a.sort, b.sort))
}

func (p *Picture) index() {
	p.bounds = make([]box32, len(p.Items))
	p.first = make([]int32, len(p.places)+1)
	for i := range p.Items {
		p.bounds[i] = narrow(p.Items[i].Bounds)
		p.first[p.Items[i].Node+1]++
	}
	for i := range p.places {
		p.first[i+1] += p.first[i]
	}
	p.order = make([]int32, len(p.Items))
	next := slices.Clone(p.first)
	for i := range p.Items {
		n := p.Items[i].Node
		p.order[next[n]] = int32(i)
		next[n]++
	}
}

// ItemsOf gives the indexes of the items of a node, the topmost last.
func (p *Picture) ItemsOf(node int) []int32 {
	if node < 0 || node >= len(p.places) {
		return nil
	}
	return p.order[p.first[node]:p.first[node+1]]
}

// Place gives the position of a node in the world.
func (p *Picture) Place(node int) Point { return p.places[node] }

// Bounds gives the box around everything that the game shows, or around all entities when that is nothing.
func (p *Picture) Bounds() Box {
	var seen, all Box
	for i := range p.Items {
		item := &p.Items[i]
		switch item.Kind {
		case Sprite, TileMap:
			seen = seen.Union(item.Bounds)
		case Marker, Collider, Trigger, Shadow:
			all = all.Union(item.Bounds.Grown(1))
		}
	}
	if seen.Empty() {
		return all
	}
	return seen
}

// Start gives what to look at first: what the camera sees when the scene has one, else everything.
func (p *Picture) Start() Box {
	for i := range p.Items {
		if p.Items[i].Kind == CameraFrame && !p.Items[i].Dimmed {
			return p.Items[i].Bounds
		}
	}
	return p.Bounds()
}

// BoundsOf gives the box around a node and its descendants.
func (p *Picture) BoundsOf(node int) Box {
	if node < 0 || node >= len(p.places) {
		return Box{}
	}
	var b Box
	seen := map[int]bool{node: true} // parents may form a circle
	for way := []int{node}; len(way) > 0; {
		n := way[len(way)-1]
		way = way[:len(way)-1]
		b = b.Union(Box{p.places[n], p.places[n]}.Grown(0.5))
		for _, i := range p.ItemsOf(n) {
			if k := p.Items[i].Kind; k != CameraBounds && k != CameraFrame && k != Light {
				b = b.Union(p.Items[i].Bounds)
			}
		}
		for _, c := range p.Expansion.Children(n) {
			if !seen[c] {
				seen[c] = true
				way = append(way, c)
			}
		}
	}
	return b
}

// Hit finds the node to pick at a point: the topmost mark within reach, else the topmost sprite that is not transparent there,
// else the smallest outline around the point. Locked entities are passed over. reach is in world units. Pictures that have not
// been read yet count as opaque.
func (p *Picture) Hit(at Point, reach float64, textures *Textures, show Show) (node int, ok bool) {
	near := narrow(Box{at, at}.Grown(reach))
	outline, area := -1, math.Inf(1)
	sprite := -1
	for i := len(p.Items) - 1; i >= 0; i-- {
		if !p.bounds[i].overlaps(near) {
			continue
		}
		item := &p.Items[i]
		if item.Locked || !show.item(item) {
			continue
		}
		switch item.Kind {
		case Marker:
			if item.Bounds.Min.distance(at) <= reach {
				return item.Node, true
			}
		case Sprite:
			if sprite < 0 && p.opaque(item, at, textures) {
				sprite = item.Node
			}
		case TileMap, Collider, Trigger, Shadow:
			size := item.Bounds.Size()
			if a := size.X * size.Y; a < area && item.Bounds.Contains(at) {
				outline, area = item.Node, a
			}
		}
	}
	if sprite >= 0 {
		return sprite, true
	}
	return outline, outline >= 0
}

func (p *Picture) opaque(item *Item, at Point, textures *Textures) bool {
	in, ok := item.Quad.Inside(at)
	if !ok {
		return false
	}
	if item.Texture == nil || textures == nil {
		return true
	}
	texture := textures.Get(p.assets, item.Texture)
	if texture == nil || texture.Image() == nil {
		return true
	}
	img := texture.Image()
	x := int((item.Region.Min.X + in.X*(item.Region.Max.X-item.Region.Min.X)) * float64(img.Rect.Dx()))
	y := int((item.Region.Min.Y + in.Y*(item.Region.Max.Y-item.Region.Min.Y)) * float64(img.Rect.Dy()))
	return !image.Pt(x, y).In(img.Rect) || img.RGBAAt(x, y).A > 8
}

// A builder turns nodes into items. It is used by many goroutines.
type builder struct {
	x      *scene.Expansion
	worlds []scene.Transform
	sheets *sheets
	view   scene.Vector
}

// written gives the entity that decides how the editor shows a node.
func written(n *scene.Node) *scene.Entity {
	if n.Instance != nil && n.ID == n.Instance.ID {
		return n.Instance.Entity
	}
	return n.Entity
}

// node appends the items of a node.
func (b *builder) node(items []Item, n int) []Item {
	node := &b.x.Nodes[n]
	base := Item{Node: n, Dimmed: !node.Active}
	if e := written(node); e != nil {
		if e.Hidden {
			return items
		}
		base.Locked = e.Locked
	}
	world := b.worlds[n]
	if !finite(world) {
		return items
	}
	before, seen := len(items), false
	symbol := Nothing
	for i := range node.Components {
		c := &node.Components[i]
		switch c.Type {
		case "Sprite":
			if item, ok := b.sprite(base, world, c.Data); ok {
				items, seen = append(items, item), true
			}
		case "TileMapRenderer":
			item := base
			item.Kind, item.Layer = TileMap, whole(c.Data, "renderLayer", defaultMapLayer)
			item.Bounds = Box{pointOf(world.Position), pointOf(world.Position)}.Grown(missingSize / 2)
			item.Points = corners(item.Bounds)
			if name := b.sheets.name(c.Data.Get("map")); name != "" {
				item.Missing = "Tile map " + name + " (not drawn)"
			}
			items, symbol = append(items, item), MapSymbol
		case "Camera":
			items = b.camera(items, base, world, c.Data)
			symbol = CameraSymbol
		case "Light2D":
			items = append(items, light(base, world, c.Data))
			symbol = max(symbol, LightSymbol)
		case "Collider2D":
			base := base
			base.Kind = Collider
			if flag(c.Data, "isTrigger", false) {
				base.Kind = Trigger
			}
			items = append(items, shape(base, world, c.Data))
		case "ShadowCaster2D":
			base := base
			base.Kind = Shadow
			items = append(items, shape(base, world, c.Data))
		case "AudioSource":
			symbol = max(symbol, SoundSymbol)
		case "ParticleEmitter":
			symbol = max(symbol, ParticleSymbol)
		case "ScriptComponent":
			if symbol == Nothing {
				symbol = ScriptSymbol
			}
		}
	}
	kept := slices.DeleteFunc(items[before:], func(i Item) bool { return !finiteBox(i.Bounds) })
	items = items[:before+len(kept)]
	if !seen {
		item := base
		item.Kind, item.Symbol = Marker, symbol
		item.Bounds = Box{pointOf(world.Position), pointOf(world.Position)}
		items = append(items, item)
	}
	return items
}

func (b *builder) sprite(item Item, world scene.Transform, data jsondoc.Value) (Item, bool) {
	if !flag(data, "visible", true) {
		return item, false
	}
	asset, err := scene.ReadReference(data.Get("texture"))
	if err != nil || asset.IsZero() {
		return item, false // the game draws nothing
	}
	name, _ := data.Get("sprite").Text()
	found := b.sheets.find(asset, name)
	item.Kind, item.Texture, item.Missing = Sprite, found.texture, found.missing
	item.Layer = whole(data, "layer", defaultLayer)
	item.Tint = color.NRGBA{255, 255, 255, 255}
	if c, err := scene.ReadColor(data.Get("tint")); err == nil {
		item.Tint = c.NRGBA()
	}
	source := found.slice.Rect
	if r, err := scene.ReadRect(data.Get("source")); err == nil {
		source = r
	}
	size := vector(data, "size", scene.Vector{X: found.slice.Rect.Width, Y: found.slice.Rect.Height})
	origin := vector(data, "origin", found.slice.Pivot)
	if found.width > 0 && found.height > 0 {
		w, h := float64(found.width), float64(found.height)
		item.Region = Box{Point{float64(source.X) / w, float64(source.Y) / h},
			Point{float64(source.X+source.Width) / w, float64(source.Y+source.Height) / h}}
	}
	item.Quad = quad(world, size, origin, flag(data, "flipX", false), flag(data, "flipY", false))
	c := item.Quad.Corners()
	item.Bounds = boxOf(c[:]...)
	if flag(data, "sortByY", false) {
		item.sort = world.Position.Y + (1-origin.Y)*size.Y*world.Scale.Y
	}
	return item, true
}

func quad(world scene.Transform, size, origin scene.Vector, flipX, flipY bool) Quad {
	w, h := float64(size.X)*float64(world.Scale.X), float64(size.Y)*float64(world.Scale.Y)
	if flipX {
		w = -w
	}
	if flipY {
		h = -h
	}
	turn := float64(world.Rotation)
	corner := Point{-float64(origin.X) * w, -float64(origin.Y) * h}.turned(turn)
	return Quad{Origin: pointOf(world.Position).plus(corner), Across: Point{X: w}.turned(turn), Down: Point{Y: h}.turned(turn)}
}

func (b *builder) camera(items []Item, base Item, world scene.Transform, data jsondoc.Value) []Item {
	if !flag(data, "active", true) {
		base.Dimmed = true
	}
	if r, err := scene.ReadRect(data.Get("bounds")); err == nil {
		item := base
		item.Kind = CameraBounds
		item.Bounds = boxOf(Point{float64(r.X), float64(r.Y)}, Point{float64(r.X + r.Width), float64(r.Y + r.Height)})
		item.Points = corners(item.Bounds)
		items = append(items, item)
	}
	zoom := float64(1)
	if z, err := scene.ReadFloat32(data.Get("zoom")); err == nil && z > 0 {
		zoom = float64(z)
	}
	item := base
	item.Kind = CameraFrame
	half := pointOf(b.view).times(0.5 / zoom)
	at := pointOf(world.Position)
	item.Bounds = Box{at.minus(half), at.plus(half)}
	item.Points = corners(item.Bounds)
	return append(items, item)
}

func light(item Item, world scene.Transform, data jsondoc.Value) Item {
	item.Kind = Light
	item.Color = color.NRGBA{255, 255, 255, 255}
	if c, err := scene.ReadColor(data.Get("color")); err == nil {
		item.Color = c.NRGBA()
	}
	at, turn := pointOf(world.Position), float64(world.Rotation)
	radius := float64(real(data, "radius", 256))
	along := func(angle, length float64) Point { return at.plus(Point{X: length}.turned(turn + angle)) }
	kind, _ := scene.ReadEnum(data.Get("type"), []string{"point", "spot", "directional"})
	switch kind {
	case "directional": // it has no place: an arrow along its rotation
		const length, head = 48, 12
		tip := along(0, length)
		item.Points = []Point{at, tip, tip.plus(Point{X: -head}.turned(turn + 0.5)), tip, tip.plus(Point{X: -head}.turned(turn - 0.5))}
		item.Open = true
	case "spot":
		half := float64(real(data, "spotAngle", math.Pi/3)) / 2
		item.Points = append(item.Points, at)
		const steps = 12
		for i := range steps + 1 {
			item.Points = append(item.Points, along(half*(2*float64(i)/steps-1), radius))
		}
	default:
		item.Circle = Circle{at, radius}
		item.Bounds = Box{at, at}.Grown(radius)
		return item
	}
	item.Bounds = boxOf(item.Points...)
	return item
}

// shape gives the outline of a collider or a shadow caster.
func shape(item Item, world scene.Transform, data jsondoc.Value) Item {
	turn := float64(world.Rotation)
	at := pointOf(world.Position).plus(pointOf(vector(data, "offset", scene.Vector{})).scaled(world.Scale).turned(turn))
	turn += float64(real(data, "rotation", 0))
	size := vector(data, "size", scene.Vector{X: 32, Y: 32})
	half := pointOf(size).scaled(world.Scale).times(0.5)
	half = Point{math.Abs(half.X), math.Abs(half.Y)}
	place := func(p Point) Point { return at.plus(p.turned(turn)) }
	kind, _ := scene.ReadEnum(data.Get("shape"), []string{"box", "circle", "capsule", "polygon"})
	switch kind {
	case "circle":
		radius := float64(real(data, "radius", 16)) * max(math.Abs(float64(world.Scale.X)), math.Abs(float64(world.Scale.Y)))
		item.Circle = Circle{at, radius}
		item.Bounds = Box{at, at}.Grown(radius)
		return item
	case "capsule": // a box with round ends on its shorter sides
		const steps = 8
		radius := min(half.X, half.Y)
		straight := Point{half.X - radius, half.Y - radius}
		for quarter, sign := range [4]Point{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}} {
			for i := range steps + 1 {
				angle := (float64(quarter) + float64(i)/steps) * math.Pi / 2
				item.Points = append(item.Points, place(Point{sign.X * straight.X, sign.Y * straight.Y}.plus(Point{X: radius}.turned(angle))))
			}
		}
	case "polygon":
		for v := range data.Get("points").Items() {
			if p, err := scene.ReadVector(v); err == nil {
				item.Points = append(item.Points, place(pointOf(p).scaled(world.Scale)))
			}
		}
	default:
		item.Points = []Point{place(Point{-half.X, -half.Y}), place(Point{half.X, -half.Y}), place(half), place(Point{-half.X, half.Y})}
	}
	if len(item.Points) == 0 {
		item.Points = []Point{at}
	}
	item.Bounds = boxOf(item.Points...)
	return item
}

func corners(b Box) []Point {
	return []Point{b.Min, {b.Max.X, b.Min.Y}, b.Max, {b.Min.X, b.Max.Y}}
}

func finite(t scene.Transform) bool {
	sum := float64(t.Position.X) + float64(t.Position.Y) + float64(t.Rotation) + float64(t.Scale.X) + float64(t.Scale.Y)
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

func finiteBox(b Box) bool {
	sum := b.Min.X + b.Min.Y + b.Max.X + b.Max.Y
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

func flag(data jsondoc.Value, name string, missing bool) bool {
	if b, err := data.Get(name).Bool(); err == nil {
		return b
	}
	return missing
}

func whole(data jsondoc.Value, name string, missing int32) int32 {
	if n, err := data.Get(name).Int32(); err == nil {
		return n
	}
	return missing
}

func real(data jsondoc.Value, name string, missing float32) float32 {
	if f, err := scene.ReadFloat32(data.Get(name)); err == nil {
		return f
	}
	return missing
}

func vector(data jsondoc.Value, name string, missing scene.Vector) scene.Vector {
	if v, err := scene.ReadVector(data.Get(name)); err == nil {
		return v
	}
	return missing
}

// sheets finds the sprites of textures, each looked up once.
type sheets struct {
	db       *assets.Database
	textures *Textures

	mu    sync.Mutex
	byID  map[guid.Guid]*sheetEntry
	cells map[spriteKey]found
}

type sheetEntry struct {
	once  sync.Once
	sheet *Sheet
	err   error
}

type spriteKey struct {
	asset guid.Guid
	name  string
}

// found is a sprite in a texture.
type found struct {
	texture       *assets.Asset
	slice         Slice
	width, height float32 // of the texture
	missing       string
}

func newSheets(db *assets.Database, textures *Textures) *sheets {
	return &sheets{db: db, textures: textures, byID: map[guid.Guid]*sheetEntry{}, cells: map[spriteKey]found{}}
}

// name gives the name of the asset that a value refers to, for people.
func (s *sheets) name(v jsondoc.Value) string {
	id, err := scene.ReadReference(v)
	if err != nil || id.IsZero() {
		return ""
	}
	if s.db != nil {
		if a := s.db.ByGuid(id); a != nil {
			return path.Base(a.Path)
		}
	}
	return "missing " + id.String()
}

func (s *sheets) find(asset guid.Guid, name string) found {
	key := spriteKey{asset, name}
	s.mu.Lock()
	f, ok := s.cells[key]
	s.mu.Unlock()
	if ok {
		return f
	}
	f = s.look(asset, name)
	if f.slice.Rect.Width <= 0 || f.slice.Rect.Height <= 0 {
		f.slice = Slice{Rect: scene.Rect{Width: missingSize, Height: missingSize}, Pivot: scene.Vector{X: 0.5, Y: 0.5}}
	}
	s.mu.Lock()
	s.cells[key] = f
	s.mu.Unlock()
	return f
}

func (s *sheets) look(asset guid.Guid, name string) found {
	if s.db == nil {
		return found{missing: asset.String()}
	}
	a := s.db.ByGuid(asset)
	switch {
	case a == nil:
		return found{missing: "missing texture " + asset.String()}
	case a.Kind.ID == assets.Atlas:
		return s.atlas(a, name)
	case a.Kind.ID != assets.Texture:
		return found{missing: path.Base(a.Path) + " is no texture"}
	}
	sheet, err := s.sheet(a)
	if err != nil {
		return found{missing: path.Base(a.Path) + " cannot be read"}
	}
	f := found{texture: a, slice: sheet.Whole(), width: sheet.Width, height: sheet.Height}
	if name != "" {
		if slice, ok := sheet.Sprite(name); ok {
			f.slice = slice // a sprite that is missing shows the whole texture, as in the game
		}
	}
	return f
}

func (s *sheets) sheet(a *assets.Asset) (*Sheet, error) {
	s.mu.Lock()
	e := s.byID[a.Meta.Guid]
	if e == nil {
		e = &sheetEntry{}
		s.byID[a.Meta.Guid] = e
	}
	s.mu.Unlock()
	e.once.Do(func() {
		width, height, err := s.textures.Size(s.db, a)
		if err != nil {
			e.err = err
			return
		}
		e.sheet = SheetOf(a, width, height)
	})
	return e.sheet, e.err
}

// atlas finds a sprite of an atlas in the textures that it packs: the first one with a sprite of the name, or whose file has it.
// Sprites look the same there as in the packed picture, which exists only while the game runs.
func (s *sheets) atlas(a *assets.Asset, name string) found {
	for _, source := range s.db.Targets(a) {
		textures := []*assets.Asset{source}
		if source.Folder {
			textures = s.db.FilesWithin(source.Path)
		}
		for _, t := range textures {
			if t.Kind.ID != assets.Texture {
				continue
			}
			sheet, err := s.sheet(t)
			if err != nil {
				continue
			}
			if sheet.Cut() {
				if slice, ok := sheet.Sprite(name); ok {
					return found{texture: t, slice: slice, width: sheet.Width, height: sheet.Height}
				}
			} else if strings.TrimSuffix(path.Base(t.Path), path.Ext(t.Path)) == name {
				return found{texture: t, slice: sheet.Whole(), width: sheet.Width, height: sheet.Height}
			}
		}
	}
	if name == "" {
		return found{missing: fmt.Sprintf("all of %s", path.Base(a.Path))}
	}
	return found{missing: fmt.Sprintf("no sprite %q in %s", name, path.Base(a.Path))}
}
