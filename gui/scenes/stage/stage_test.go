package stage

import (
	"image"
	"image/color"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"talebinder/examples"
	valuecolor "talebinder/formats/color"
	"talebinder/formats/guid"
	"talebinder/gui/theme"
	"talebinder/project"
	"talebinder/project/assets"
	"talebinder/project/scene"
	"talebinder/project/scene/picture"
)

// A rig has a stage in a window. What is to run later runs when the test drains it; background work runs at once.
type rig struct {
	t      *testing.T
	stage  *Stage
	window fyne.Window
	db     *assets.Database
	now    time.Time
	picked []int
	opened []int

	mu    sync.Mutex
	queue []func()
}

func newRig(t *testing.T) *rig {
	t.Helper()
	test.NewTempApp(t).Settings().SetTheme(theme.New(theme.Dark))
	dir, err := examples.Extract(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, now: time.Unix(1000, 0)}
	if r.db, err = assets.Scan(t.Context(), filepath.Join(dir, "assets"), assets.Options{}); err != nil {
		t.Fatal(err)
	}
	r.stage = New(Options{Do: r.do, Go: func(f func()) { f() }, Now: func() time.Time { return r.now }})
	t.Cleanup(r.stage.Close)
	r.stage.OnPicked = func(n int) { r.picked = append(r.picked, n) }
	r.stage.OnActivated = func(n int) { r.opened = append(r.opened, n) }
	r.window = test.NewTempWindow(t, r.stage)
	r.window.SetPadded(false)
	r.window.Resize(fyne.NewSize(900, 600))
	return r
}

func (r *rig) do(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.queue = append(r.queue, f)
}

func (r *rig) drain() {
	for {
		r.mu.Lock()
		if len(r.queue) == 0 {
			r.mu.Unlock()
			return
		}
		f := r.queue[0]
		r.queue = r.queue[1:]
		r.mu.Unlock()
		f()
	}
}

// see draws until the picture is complete.
func (r *rig) see() image.Image {
	r.window.Canvas().Capture()
	r.drain()
	r.stage.textures.Wait()
	r.stage.draw()
	r.drain()
	return r.window.Canvas().Capture()
}

func (r *rig) expand(change func(string) string) *scene.Expansion {
	r.t.Helper()
	catalog := scene.NewProjectCatalog(r.db)
	d, err := catalog.Read("scenes/harbour.tscene")
	if err != nil {
		r.t.Fatal(err)
	}
	if change != nil {
		if d, err = scene.Parse(scene.Scene, d.Name, []byte(change(string(d.Text())))); err != nil {
			r.t.Fatal(err)
		}
	}
	x, err := scene.NewExpander(catalog, scene.Options{Display: true}).Expand(r.t.Context(), d)
	if err != nil {
		r.t.Fatal(err)
	}
	return x
}

func (r *rig) node(name string) int {
	r.t.Helper()
	for i := range r.stage.given[1].Nodes {
		if r.stage.given[1].Nodes[i].Name == name {
			return i
		}
	}
	r.t.Fatalf("no node %q", name)
	return 0
}

// place gives where a place of the world is on the pane.
func (r *rig) place(x, y float64) fyne.Position {
	p := r.stage.view.ToScreen(picture.Point{X: x, Y: y})
	return fyne.NewPos(float32(p.X/r.stage.scale), float32(p.Y/r.stage.scale))
}

func (r *rig) tap(at fyne.Position) {
	test.TapAt(r.stage.pane, at)
	r.drain()
}

func game() project.Game {
	g := project.DefaultGame()
	g.View = &project.View{Width: 320, Height: 180}
	return g
}

func TestPickPanAndZoom(t *testing.T) {
	r := newRig(t)
	r.stage.SetGame(game())
	r.stage.Set(r.expand(nil), r.db)
	r.see()
	if v := r.stage.view; v.Center != (picture.Point{X: 160, Y: 90}) || v.Zoom != 2 {
		t.Fatalf("it begins at %v with the zoom %v, not at the camera", v.Center, v.Zoom)
	}

	r.tap(r.place(262, 92))
	lighthouse := r.node("Lighthouse")
	if len(r.picked) != 1 || r.picked[0] != lighthouse || r.stage.Selected() != lighthouse {
		t.Fatalf("picked %v, want the lighthouse %d", r.picked, lighthouse)
	}
	r.now = r.now.Add(100 * time.Millisecond)
	r.tap(r.place(262, 92))
	if len(r.opened) != 1 || r.opened[0] != lighthouse || len(r.picked) != 1 {
		t.Errorf("two taps: activated %v, picked %v", r.opened, r.picked)
	}
	r.now = r.now.Add(time.Second)
	r.tap(r.place(2000, 2000))
	if r.stage.Selected() != picture.NoNode || r.picked[len(r.picked)-1] != picture.NoNode {
		t.Errorf("a tap beside everything leaves %d selected", r.stage.Selected())
	}

	before := r.place(160, 90)
	r.stage.pane.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(30, -12)})
	r.drain()
	if got := r.place(160, 90); got.X-before.X != 30 || got.Y-before.Y != -12 {
		t.Errorf("a drag moves the picture by %v", got.Subtract(before))
	}

	at := fyne.NewPos(200, 150)
	world := r.stage.view.ToWorld(r.stage.pane.pixel(at))
	r.stage.pane.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: at}, Scrolled: fyne.NewDelta(0, 50)})
	r.drain()
	after := r.stage.view.ToWorld(r.stage.pane.pixel(at))
	if r.stage.view.Zoom <= 2 || after.X-world.X > 0.5 || world.X-after.X > 0.5 || after.Y-world.Y > 0.5 || world.Y-after.Y > 0.5 {
		t.Errorf("the wheel zooms to %v around %v, not around %v", r.stage.view.Zoom, after, world)
	}
	r.stage.pane.TypedRune('1')
	if r.stage.Zoom() != 1 {
		t.Errorf("1 gives the zoom %v", r.stage.Zoom())
	}
	r.stage.pane.TypedRune('+')
	if r.stage.Zoom() != 2 {
		t.Errorf("+ gives the zoom %v", r.stage.Zoom())
	}
	r.stage.pane.TypedRune('-')
	r.stage.pane.TypedRune('-')
	if r.stage.Zoom() != 0.5 {
		t.Errorf("- gives the zoom %v", r.stage.Zoom())
	}
	center := r.stage.view.Center
	r.stage.pane.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if r.stage.view.Center.X <= center.X {
		t.Error("the right arrow does not lead to the right")
	}

	// The same document again, as after an edit: what is seen stays.
	view := r.stage.view
	r.stage.Select(lighthouse)
	r.stage.Set(r.expand(nil), r.db)
	r.drain()
	if r.stage.view != view || r.stage.Selected() != lighthouse {
		t.Errorf("after an edit the view is %v, was %v; %d is selected", r.stage.view, view, r.stage.Selected())
	}
	r.stage.FitNode(lighthouse)
	if c := r.stage.view.Center; c.X < 240 || c.X > 290 {
		t.Errorf("the lighthouse is fitted at %v", c)
	}
	r.stage.pane.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	r.stage.Set(nil, r.db)
	r.see()
}

func TestCompareShowsBothStates(t *testing.T) {
	r := newRig(t)
	r.stage.SetGame(game())
	before := r.expand(nil)
	after := r.expand(func(text string) string { // the boat has moved
		return strings.Replace(text, `"position": [84, 138]`, `"position": [240, 40]`, 1)
	})
	r.stage.SetCompare(before, after, r.db)
	r.see()
	f := r.stage.front
	if f == nil || !f.two || f.split != f.view.Width/2 {
		t.Fatalf("no line in the middle: %+v", f)
	}
	boat := r.node("Boat")
	r.now = r.now.Add(time.Hour)
	r.tap(r.place(84, 130)) // left of the line it is where it was
	r.now = r.now.Add(time.Hour)
	r.tap(r.place(240, 32))
	if len(r.picked) != 2 || r.picked[0] != boat || r.picked[1] != boat {
		t.Errorf("picked %v, want the boat %d on both sides", r.picked, boat)
	}
	pixel := func() color.RGBA {
		p := r.stage.view.ToScreen(picture.Point{X: 84, Y: 131})
		return r.stage.front.image.RGBAAt(int(p.X), int(p.Y))
	}
	r.stage.Select(picture.NoNode)
	r.see()
	old := pixel()

	// Drag the line to the left end: only the new state is left.
	line := fyne.NewPos(float32(float64(f.split)/r.stage.scale), 100)
	r.stage.pane.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: line}, Button: desktop.MouseButtonPrimary})
	r.stage.pane.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(0, 100)}, Dragged: fyne.NewDelta(-line.X, 0)})
	r.stage.pane.DragEnd()
	r.see()
	if r.stage.divider != 0 || pixel() == old {
		t.Errorf("the line is at %v, and the boat is still there: %v", r.stage.divider, pixel())
	}
	test.TapAt(r.stage.bar.before, fyne.NewPos(5, 5))
	r.see()
	if r.stage.divider != 1 || pixel() != old {
		t.Errorf("before: the line is at %v, %v, want %v", r.stage.divider, pixel(), old)
	}
	r.stage.Set(after, r.db)
	r.see()
	if r.stage.front.two || r.stage.bar.before.Visible() {
		t.Error("the line stays when one state is shown")
	}
}

func TestNamesAndSwitches(t *testing.T) {
	r := newRig(t)
	changes := 0
	r.stage.OnShow = func() { changes++ }
	r.stage.SetGame(game())
	r.stage.Set(r.expand(nil), r.db)
	r.see()
	visible := func() (names []string) {
		for _, o := range test.WidgetRenderer(r.stage.pane).Objects() {
			if t, ok := o.(*tag); ok && t.Visible() && t.text != "Before" && t.text != "After" {
				names = append(names, t.text)
			}
		}
		return names
	}
	if n := visible(); len(n) != 0 {
		t.Errorf("names are shown at first: %v", n)
	}
	r.stage.pane.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: r.place(262, 92)}})
	r.see()
	if n := visible(); len(n) != 1 || n[0] != "Lighthouse" {
		t.Errorf("below the pointer: %v", n)
	}
	r.stage.pane.MouseOut()
	test.TapAt(r.stage.bar.names, fyne.NewPos(5, 5))
	r.see()
	if n := strings.Join(visible(), " "); !strings.Contains(n, "Boat") || !strings.Contains(n, "Gull") {
		t.Errorf("names: %s", n)
	}
	for _, c := range "gco" {
		r.stage.pane.TypedRune(c)
	}
	if names, grid, frames, outlines := r.stage.Shown(); !names || !grid || frames || outlines || changes != 4 {
		t.Errorf("%v %v %v %v after %d changes", names, grid, frames, outlines, changes)
	}
}

func TestDisplaysWithAScaleStayCrisp(t *testing.T) {
	r := newRig(t)
	r.stage.SetGame(game())
	for _, scale := range []float32{1, 1.25, 2} {
		r.window.Canvas().(test.WindowlessCanvas).SetScale(scale)
		r.stage.moved = false
		r.stage.Set(r.expand(nil), r.db)
		r.see()
		f := r.stage.front.image.Rect
		size := r.stage.pane.Size()
		if dx := float32(f.Dx()) - size.Width*scale; dx < -1.01 || dx > 1.01 {
			t.Errorf("at %v the picture has %d pixels for %v", scale, f.Dx(), size.Width)
		}
		if z := r.stage.view.Zoom; z != float64(int(z)) {
			t.Errorf("at %v a world unit has %v pixels", scale, z)
		}
	}
}

func TestNewestStateWins(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.New(theme.Dark))
	var jobs []func()
	frames := 0
	s := New(Options{Do: func(f func()) { frames++; f() }, Go: func(f func()) { jobs = append(jobs, f) }})
	defer s.Close()
	s.resized(40, 30, 1)
	for i := range 50 {
		s.pan(float64(i), 0)
	}
	if len(jobs) != 1 {
		t.Fatalf("%d jobs are running", len(jobs))
	}
	jobs[0]()
	if frames != 1 || s.front == nil || s.front.view != s.view {
		t.Errorf("%d frames were drawn for 50 moves", frames)
	}
}

func TestValues(t *testing.T) {
	r := newRig(t)
	swatch := NewColorSwatch(valuecolor.Color{A: 0, R: 255, G: 178, B: 90})
	img := image.NewRGBA(image.Rect(0, 0, 28, 16))
	swatch.draw(img, 1)
	if img.RGBAAt(27, 0) != (color.RGBA{255, 178, 90, 255}) || img.RGBAAt(0, 0) == img.RGBAAt(4, 0) {
		t.Errorf("a transparent color: %v, %v and %v", img.RGBAAt(27, 0), img.RGBAAt(0, 0), img.RGBAAt(4, 0))
	}
	gradient := NewGradientView(scene.Gradient{{Position: 0, Color: valuecolor.Color{A: 255}}, {Position: 1, Color: valuecolor.White()}})
	img = image.NewRGBA(image.Rect(0, 0, 100, 20))
	gradient.draw(img, 1)
	if a, b := img.RGBAAt(0, 0).R, img.RGBAAt(99, 0).R; a > 4 || b < 250 || img.RGBAAt(50, 0).R < 120 || img.RGBAAt(50, 0).R > 136 {
		t.Errorf("a gradient from %d over %d to %d", a, img.RGBAAt(50, 0).R, b)
	}
	curve := NewCurveView(scene.Curve{{Time: 0, Value: -1}, {Time: 2, Value: 3}})
	if t0, t1, low, high := curve.ranges(); t0 != 0 || t1 != 2 || low != -1 || high != 3 {
		t.Errorf("a curve from %v to %v with values from %v to %v", t0, t1, low, high)
	}
	curve.draw(image.NewRGBA(image.Rect(0, 0, 1, 1)), 1) // as small as it gets

	thumbs := NewThumbs(r.do, nil)
	defer thumbs.Close()
	boat := r.db.ByPath("sprites/boat.png")
	for want, id := range map[string]guid.Guid{"boat.png": boat.Meta.Guid, "None": {}, "Missing 01": {1}, "bottle.tprefab": r.db.ByPath("prefabs/bottle.tprefab").Meta.Guid} {
		thumb := NewAssetThumb(thumbs, nil)
		thumb.Set(r.db, id)
		renderer := test.WidgetRenderer(thumb).(*thumbRenderer)
		thumbs.textures.Wait()
		thumbs.update()
		if got := renderer.text.Text; !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		if has := renderer.texture != nil; has != (want == "boat.png") {
			t.Errorf("%s has a picture: %v", want, has)
		}
		thumb.Set(r.db, guid.Guid{})
		if renderer.texture != nil {
			t.Error("the picture of another asset stays")
		}
	}
}
