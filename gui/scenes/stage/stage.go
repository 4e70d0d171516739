// Package stage shows a scene as a picture: a widget to pan, zoom and pick in, with names, frames of cameras and a comparison of two
// states, and the small pictures that values are shown with.
package stage

import (
	"context"
	"image"
	"image/color"
	"math"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
	"talebinder/project"
	"talebinder/project/assets"
	"talebinder/project/scene"
	"talebinder/project/scene/picture"
)

const (
	mostLabels = 150
	// doubleTap is the longest time between two taps that count as one double tap. The toolkit's own would hold back every tap.
	doubleTap = 350 * time.Millisecond
)

// Options say how a Stage works. The zero Options are those of a program.
type Options struct {
	Do       func(func())      // runs on the interface's goroutine; nil: fyne.Do
	Go       func(func())      // runs beside it; nil: a new goroutine
	Now      func() time.Time  // nil: time.Now
	Textures *picture.Textures // to share them between stages; nil: its own
}

// A Stage shows a scene. All methods are called on the interface's goroutine; the picture is drawn beside it, the newest state first.
//
// A drag moves the picture and the wheel zooms around the pointer; with the focus the arrow keys move it, + and - zoom, 0 or Home
// shows everything, 1 shows a world unit as a pixel, N, G, C and O switch names, grid, camera frames and outlines.
type Stage struct {
	widget.BaseWidget

	OnPicked    func(node int)    // a tap on a node, or beside all of them: picture.NoNode
	OnActivated func(node int)    // two taps on a node
	OnShow      func()            // a switch was changed
	OnHint      func(hint string) // what the button below the pointer or with the focus does; "" when there is none

	o        Options
	textures *picture.Textures
	pane     *pane
	bar      *bar

	build   int // counts what was set
	cancel  context.CancelFunc
	db      *assets.Database
	options picture.Options
	given   [2]*scene.Expansion // before (nil unless two are compared) and after
	name    string              // of the document that is shown
	fitted  string              // name of the document that the view was fitted to
	shown   [2]*picture.Picture
	moved   bool    // the person chose the view
	divider float64 // in compare, the part of the width that shows the state before
	show    picture.Show
	names   bool
	view    picture.View
	scale   float64 // pixels a unit of the toolkit
	reveal  int
	lastTap time.Time
	tapped  int
	closed  bool
	stop    func()

	renderers [2]*picture.Renderer // used by the one that draws

	mu      sync.Mutex
	drawing bool
	wanted  *request
	ready   *frame
	spare   []*image.RGBA

	front *frame // on the screen
}

// A request is all that a frame depends on.
type request struct {
	shown   [2]*picture.Picture
	view    picture.View
	show    [2]picture.Show
	style   picture.Style
	ground  color.NRGBA
	divider float64
	names   bool
}

// A frame is a drawn request.
type frame struct {
	image  *image.RGBA
	view   picture.View
	labels []picture.Label
	split  int // pixels from the left that show the state before
	two    bool
}

// New makes a stage. Close it when it is no longer shown.
func New(o Options) *Stage {
	if o.Do == nil {
		o.Do = fyne.Do
	}
	if o.Go == nil {
		o.Go = func(f func()) { go f() }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Stage{o: o, textures: o.Textures, show: picture.Everything(), divider: 0.5, reveal: picture.NoNode, tapped: picture.NoNode, scale: 1}
	if s.textures == nil {
		s.textures = picture.NewTextures(0)
	}
	s.renderers = [2]*picture.Renderer{picture.NewRenderer(s.textures), picture.NewRenderer(s.textures)}
	s.view.Zoom = 1
	s.pane, s.bar = newPane(s), newBar(s)
	loaded, done := make(chan struct{}, 1), make(chan struct{})
	unsubscribe := s.textures.Notify(loaded)
	s.stop = func() {
		unsubscribe()
		close(done)
	}
	go func() {
		for {
			select {
			case <-loaded:
				o.Do(s.draw)
			case <-done:
				return
			}
		}
	}()
	s.ExtendBaseWidget(s)
	return s
}

// Close ends what runs in the background.
func (s *Stage) Close() {
	if s.closed {
		return
	}
	s.closed = true
	s.stop()
	if s.cancel != nil {
		s.cancel()
	}
	if s.o.Textures == nil {
		go s.textures.Close()
	}
}

// SetGame takes the size of what a camera sees and the color behind scenes without one from the game's settings.
func (s *Stage) SetGame(g project.Game) {
	o := picture.Options{
		View:  scene.Vector{X: float32(g.WindowWidth), Y: float32(g.WindowHeight)},
		Clear: color.NRGBA{R: g.ClearColor.R, G: g.ClearColor.G, B: g.ClearColor.B, A: 255},
	}
	if g.View != nil {
		o.View = scene.Vector{X: float32(g.View.Width), Y: float32(g.View.Height)}
	}
	if o != s.options {
		s.options = o
		s.rebuild()
	}
}

// Set shows an expanded scene or prefab, or nothing for nil. The view stays as it is when the document was shown before.
func (s *Stage) Set(x *scene.Expansion, db *assets.Database) { s.SetCompare(nil, x, db) }

// SetCompare shows two states of a document: before on the left of a line that can be dragged, after on its right. Nodes are those of
// after. Without before it is Set.
func (s *Stage) SetCompare(before, after *scene.Expansion, db *assets.Database) {
	if after == nil {
		before = nil
	}
	s.given, s.db, s.name = [2]*scene.Expansion{before, after}, db, ""
	if after != nil {
		s.name = after.Document.Name
	}
	s.rebuild()
}

func (s *Stage) rebuild() {
	s.build++
	build := s.build
	if s.cancel != nil {
		s.cancel()
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	given, db, options, textures := s.given, s.db, s.options, s.textures
	if given[1] == nil {
		s.put(given, [2]*picture.Picture{})
		return
	}
	s.o.Go(func() {
		var pictures [2]*picture.Picture
		for i, x := range given {
			if x == nil {
				continue
			}
			var err error
			if pictures[i], err = picture.Build(ctx, x, db, textures, options); err != nil {
				return // something newer is to be shown
			}
		}
		s.o.Do(func() {
			if s.build == build && !s.closed {
				s.put(given, pictures)
			}
		})
	})
}

// put shows pictures that have been built.
func (s *Stage) put(given [2]*scene.Expansion, pictures [2]*picture.Picture) {
	var selected *scene.Node
	if old := s.shown[1]; old != nil && given[1] != nil && s.show.Selected >= 0 && s.show.Selected < len(old.Expansion.Nodes) && old.Expansion != given[1] {
		selected = &old.Expansion.Nodes[s.show.Selected]
	}
	s.shown = pictures
	s.show.Hovered = picture.NoNode
	if selected != nil { // the nodes may have other numbers now
		s.show.Selected = picture.NoNode
		if i, ok := given[1].Find(selected.ID); ok {
			s.show.Selected = i
		}
	}
	if s.fitted != s.name {
		s.moved = false
		s.fitted = s.name
	}
	if !s.moved {
		s.start()
	}
	if s.reveal != picture.NoNode {
		s.Reveal(s.reveal)
	}
	s.bar.update()
	s.draw()
}

// start looks at what the camera sees.
func (s *Stage) start() {
	if s.shown[1] == nil || s.view.Width == 0 {
		return
	}
	s.view = s.view.Fit(s.shown[1].Start(), 24*s.scale, 8*s.actual())
	s.view.Zoom = s.settle(s.view.Zoom)
	s.bar.update()
}

// settle gives the nearest zoom below that shows pixel art evenly: a whole number of pixels for each.
func (s *Stage) settle(zoom float64) float64 {
	if zoom > 1 {
		return math.Floor(zoom)
	}
	return zoom
}

// actual gives the zoom of 100 %: a whole number of pixels a world unit, even on displays with a scale like 1.25.
func (s *Stage) actual() float64 { return max(1, math.Round(s.scale)) }

// Fit shows all that the game shows.
func (s *Stage) Fit() {
	if s.shown[1] == nil {
		return
	}
	b := s.shown[1].Bounds()
	if s.shown[0] != nil {
		b = b.Union(s.shown[0].Bounds())
	}
	s.look(s.view.Fit(b, 24*s.scale, 8*s.actual()))
}

// FitNode shows a node and all below it as large as possible.
func (s *Stage) FitNode(node int) {
	if s.shown[1] == nil || node < 0 {
		return
	}
	if b := s.shown[1].BoundsOf(node); !b.Empty() {
		s.look(s.view.Fit(b, 60*s.scale, 8*s.actual()))
	}
}

// Actual shows a world unit as a pixel.
func (s *Stage) Actual() { s.zoomTo(s.actual(), s.middle()) }

// Zoom gives the zoom, where 1 is a world unit a pixel.
func (s *Stage) Zoom() float64 { return s.view.Zoom / s.actual() }

// View gives what is shown, in pixels of the display.
func (s *Stage) View() picture.View { return s.view }

// Reveal moves the picture when a node cannot be seen in it. Before a scene has been set it is remembered.
func (s *Stage) Reveal(node int) {
	s.reveal = picture.NoNode
	p := s.shown[1]
	if p == nil || s.view.Width == 0 {
		s.reveal = node
		return
	}
	if node < 0 || node >= len(p.Expansion.Nodes) {
		return
	}
	if b := p.BoundsOf(node); !s.view.Box().Contains(b.Center()) {
		v := s.view
		v.Center = b.Center()
		s.look(v)
	}
}

// Select outlines a node; picture.NoNode outlines none. OnPicked is not called.
func (s *Stage) Select(node int) {
	if node < 0 {
		node = picture.NoNode
	}
	if s.show.Selected != node {
		s.show.Selected = node
		s.draw()
	}
}

// Selected gives the node that is outlined, or picture.NoNode.
func (s *Stage) Selected() int { return s.show.Selected }

// ShowNames writes the names of entities.
func (s *Stage) ShowNames(on bool) { s.toggle(&s.names, on) }

// ShowGrid draws a grid.
func (s *Stage) ShowGrid(on bool) { s.toggle(&s.show.Grid, on) }

// ShowFrames draws what cameras see and keep inside of.
func (s *Stage) ShowFrames(on bool) { s.toggle(&s.show.Frames, on) }

// ShowOutlines draws lights, colliders and shadow casters, and marks for entities without anything to see.
func (s *Stage) ShowOutlines(on bool) {
	s.show.Marks = on
	s.toggle(&s.show.Outlines, on)
}

// Shown says which switches are on.
func (s *Stage) Shown() (names, grid, frames, outlines bool) {
	return s.names, s.show.Grid, s.show.Frames, s.show.Outlines
}

func (s *Stage) toggle(flag *bool, on bool) {
	*flag = on
	s.bar.update()
	s.draw()
	if s.OnShow != nil {
		s.OnShow()
	}
}

// SetDivider moves the line between the states that are compared: 0 shows only the state after, 1 only that before.
func (s *Stage) SetDivider(part float64) {
	s.divider = min(max(part, 0), 1)
	s.bar.update()
	s.draw()
}

// comparing says whether two states are shown.
func (s *Stage) comparing() bool { return s.given[0] != nil }

func (s *Stage) middle() picture.Point {
	return picture.Point{X: float64(s.view.Width) / 2, Y: float64(s.view.Height) / 2}
}

// look takes a view that the person chose.
func (s *Stage) look(v picture.View) {
	s.moved = true
	v.Zoom = min(max(v.Zoom, picture.MinZoom), picture.MaxZoom)
	s.view = v
	s.bar.update()
	s.draw()
}

func (s *Stage) zoomTo(zoom float64, at picture.Point) {
	s.look(s.view.Around(at, min(max(zoom, picture.MinZoom), picture.MaxZoom)))
}

// step zooms to the next power of two.
func (s *Stage) step(in bool) {
	at := math.Log2(s.view.Zoom / s.actual())
	if in {
		at = math.Floor(at+1e-6) + 1
	} else {
		at = math.Ceil(at-1e-6) - 1
	}
	s.zoomTo(math.Exp2(at)*s.actual(), s.middle())
}

// pan moves the picture by a way in pixels.
func (s *Stage) pan(x, y float64) {
	v := s.view
	v.Center.X -= x / v.Zoom
	v.Center.Y -= y / v.Zoom
	s.look(v)
}

// split gives the pixels from the left that show the state before.
func (s *Stage) split() int {
	if !s.comparing() {
		return 0
	}
	return int(math.Round(s.divider * float64(s.view.Width)))
}

// at finds the node at a pixel. In what shows the state before it may be one that is not there any more: gone.
func (s *Stage) at(px picture.Point) (node int, gone bool) {
	p := s.shown[1]
	before := s.shown[0] != nil && px.X < float64(s.split())
	if before {
		p = s.shown[0]
	}
	if p == nil {
		return picture.NoNode, false
	}
	node, ok := p.Hit(s.view.ToWorld(px), 8*s.scale/s.view.Zoom, s.textures, s.show)
	if !ok {
		return picture.NoNode, false
	}
	if before {
		after, ok := s.shown[1].Expansion.Find(p.Expansion.Nodes[node].ID)
		if !ok {
			return picture.NoNode, true
		}
		return after, false
	}
	return node, false
}

// hover outlines the node at a pixel.
func (s *Stage) hover(px picture.Point) {
	if node, _ := s.at(px); node != s.show.Hovered {
		s.show.Hovered = node
		s.draw()
	}
}

func (s *Stage) unhover() {
	if s.show.Hovered != picture.NoNode {
		s.show.Hovered = picture.NoNode
		s.draw()
	}
}

func (s *Stage) tap(px picture.Point) {
	node, gone := s.at(px)
	if gone {
		return
	}
	now := s.o.Now()
	twice := node == s.tapped && node != picture.NoNode && now.Sub(s.lastTap) < doubleTap
	s.lastTap, s.tapped = now, node
	if twice {
		s.tapped = picture.NoNode
		if s.OnActivated != nil {
			s.OnActivated(node)
		}
		return
	}
	s.Select(node)
	if s.OnPicked != nil {
		s.OnPicked(node)
	}
}

// resized takes the size that the picture has on the display.
func (s *Stage) resized(width, height int, scale float64) {
	if width == s.view.Width && height == s.view.Height && scale == s.scale {
		return
	}
	first := s.view.Width == 0
	if !first && scale != s.scale {
		s.view.Zoom *= scale / s.scale
	}
	s.view.Width, s.view.Height, s.scale = width, height, scale
	if !s.moved {
		s.start()
	}
	if s.reveal != picture.NoNode {
		s.Reveal(s.reveal)
	}
	s.draw()
}

func nrgba(c color.Color) color.NRGBA { return color.NRGBAModel.Convert(c).(color.NRGBA) }

// draw asks for a picture of the state as it is now. While one is being drawn only the newest request is kept.
func (s *Stage) draw() {
	if s.closed || s.view.Width <= 0 || s.view.Height <= 0 {
		return
	}
	style := picture.DefaultStyle(s.scale)
	style.Selected = nrgba(theme.Color(theme.ColorNameAccent))
	r := &request{shown: s.shown, view: s.view, show: [2]picture.Show{s.show, s.show}, style: style, divider: s.divider, names: s.names,
		ground: nrgba(theme.Color(theme.ColorNamePanel))}
	if before, after := s.shown[0], s.shown[1]; before != nil && after != nil {
		r.show[0].Selected = counterpart(after.Expansion, before.Expansion, s.show.Selected)
		r.show[0].Hovered = counterpart(after.Expansion, before.Expansion, s.show.Hovered)
	}
	s.mu.Lock()
	s.wanted = r
	begin := !s.drawing
	s.drawing = true
	s.mu.Unlock()
	if begin {
		s.o.Go(s.work)
	}
}

// counterpart finds a node of one expansion in another.
func counterpart(from, to *scene.Expansion, node int) int {
	if node >= 0 && node < len(from.Nodes) {
		if i, ok := to.Find(from.Nodes[node].ID); ok {
			return i
		}
	}
	return picture.NoNode
}

// work draws requests until there is none.
func (s *Stage) work() {
	for {
		s.mu.Lock()
		r := s.wanted
		s.wanted = nil
		if r == nil {
			s.drawing = false
			s.mu.Unlock()
			return
		}
		target := s.take(r.view.Width, r.view.Height)
		s.mu.Unlock()

		f := &frame{image: target, view: r.view}
		all := target.Rect
		if r.shown[1] == nil {
			fill(target, r.ground)
		} else {
			if r.shown[0] != nil {
				f.two, f.split = true, int(math.Round(r.divider*float64(r.view.Width)))
			}
			left := image.Rect(0, 0, f.split, all.Max.Y)
			right := image.Rect(f.split, 0, all.Max.X, all.Max.Y)
			if !left.Empty() {
				s.renderers[0].Render(target, left, r.shown[0], r.view, r.show[0], r.style)
			}
			if !right.Empty() {
				s.renderers[1].Render(target, right, r.shown[1], r.view, r.show[1], r.style)
			}
			f.labels = labels(r, f.split)
		}

		s.mu.Lock()
		if s.ready != nil {
			s.spare = append(s.spare, s.ready.image)
		}
		s.ready = f
		s.mu.Unlock()
		s.o.Do(s.present)
	}
}

// labels gives the names to write: each on its side of the line, the hovered and the selected one first.
func labels(r *request, split int) []picture.Label {
	var out []picture.Label
	for i, p := range r.shown {
		if p == nil {
			continue
		}
		add := func(l picture.Label) {
			if (l.At.X < float64(split)) != (i == 0) {
				return
			}
			if i == 0 { // nodes are those of the state after
				l.Node = counterpart(p.Expansion, r.shown[1].Expansion, l.Node)
			}
			out = append(out, l)
		}
		for _, node := range []int{r.show[i].Hovered, r.show[i].Selected} {
			if l, ok := p.Label(r.view, node); ok && (r.names || node == r.show[i].Hovered) {
				add(l)
			}
		}
		for _, l := range p.Labels(r.view, r.show[i], r.names, mostLabels) {
			add(l)
		}
	}
	return out
}

// take gives a picture to draw into. Three go round: one on the screen, one waiting for it, one being drawn.
func (s *Stage) take(width, height int) *image.RGBA {
	for n := len(s.spare); n > 0; n = len(s.spare) {
		last := s.spare[n-1]
		s.spare = s.spare[:n-1]
		if last.Rect.Dx() == width && last.Rect.Dy() == height {
			return last
		}
	}
	return image.NewRGBA(image.Rect(0, 0, width, height))
}

// present puts the newest frame on the screen.
func (s *Stage) present() {
	s.mu.Lock()
	f := s.ready
	s.ready = nil
	if f != nil && s.front != nil {
		s.spare = append(s.spare, s.front.image)
	}
	s.mu.Unlock()
	if f == nil || s.closed {
		return
	}
	s.front = f
	s.pane.Refresh()
}

func fill(dst *image.RGBA, c color.NRGBA) {
	for i := 0; i < len(dst.Pix); i += 4 {
		dst.Pix[i], dst.Pix[i+1], dst.Pix[i+2], dst.Pix[i+3] = c.R, c.G, c.B, 255
	}
}

// CreateRenderer implements fyne.Widget.
func (s *Stage) CreateRenderer() fyne.WidgetRenderer { return &stageRenderer{s} }

type stageRenderer struct{ s *Stage }

func (r *stageRenderer) Destroy() {}
func (r *stageRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.s.pane, r.s.bar}
}
func (r *stageRenderer) MinSize() fyne.Size {
	bar := r.s.bar.MinSize()
	return fyne.NewSize(max(160, bar.Width), 120+bar.Height)
}

func (r *stageRenderer) Layout(size fyne.Size) {
	height := r.s.bar.MinSize().Height
	r.s.pane.Resize(fyne.NewSize(size.Width, size.Height-height))
	r.s.bar.Move(fyne.NewPos(0, size.Height-height))
	r.s.bar.Resize(fyne.NewSize(size.Width, height))
}

func (r *stageRenderer) Refresh() {
	r.s.bar.Refresh()
	r.s.pane.Refresh()
	r.s.draw()
}
