package picture

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talebinder/project/assets"
	"talebinder/project/scene"
)

const (
	textureID = "11111111111111111111111111111111"
	sheetID   = "22222222222222222222222222222222"
	atlasID   = "33333333333333333333333333333333"
	mapID     = "44444444444444444444444444444444"
)

var (
	red   = color.NRGBA{255, 0, 0, 255}
	green = color.NRGBA{0, 255, 0, 255}
	blue  = color.NRGBA{0, 0, 255, 255}
	white = color.NRGBA{255, 255, 255, 255}
	none  = color.NRGBA{}
)

// tiny has a color in each corner: red, green, blue, white.
func tiny() *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 2, 2))
	img.SetNRGBA(0, 0, red)
	img.SetNRGBA(1, 0, green)
	img.SetNRGBA(0, 1, blue)
	img.SetNRGBA(1, 1, white)
	return img
}

// project writes a project with a texture of four pixels and a sheet of four columns: red, green, blue and nothing.
func testProject(t testing.TB) *assets.Database {
	t.Helper()
	root := t.TempDir()
	sheet := image.NewNRGBA(image.Rect(0, 0, 8, 2))
	for i, c := range []color.NRGBA{red, green, blue, none} {
		for p := range 4 {
			sheet.SetNRGBA(2*i+p%2, p/2, c)
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	picture := func(name string, img image.Image) {
		t.Helper()
		var b strings.Builder
		if err := png.Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		write(name, b.String())
	}
	meta := func(id, importer, settings string) string {
		return fmt.Sprintf(`{"version": 1, "guid": %q, "importer": %q, "importerVersion": 1, "settings": %s}`, id, importer, settings)
	}
	picture("tiny.png", tiny())
	write("tiny.png.meta", meta(textureID, "texture", "{}"))
	picture("sheet.png", sheet)
	write("sheet.png.meta", meta(sheetID, "texture", `{"spriteMode": "multiple",
		"grid": {"cellWidth": 2, "cellHeight": 2, "namePrefix": "cell-", "pivot": [0, 1]},
		"slices": [{"name": "cell-1", "rect": [4, 0, 2, 2], "pivot": [0.5, 0.5]}, {"name": "wide", "rect": [0, 0, 40, 1]}, {"name": "beside", "rect": [9, 0, 2, 2]}]}`))
	write("all.tatlas", fmt.Sprintf(`{"version": 1, "sources": [%q, %q]}`, textureID, sheetID))
	write("all.tatlas.meta", meta(atlasID, "atlas", "{}"))
	write("world.hexy", "{}")
	write("world.hexy.meta", meta(mapID, "tilemap", "{}"))
	write("broken.png", "no picture")
	db, err := assets.Scan(t.Context(), root, assets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// an entity of a test scene.
func entity(n int, more string, components ...string) string {
	return fmt.Sprintf(`{"id": "%032d", "name": "E%d"%s, "components": [%s]}`, n, n, more, strings.Join(components, ","))
}

func component(kind, data string) string {
	return fmt.Sprintf(`{"type": %q, "data": {%s}}`, kind, data)
}

func at(x, y float64, more string) string {
	return component("Transform", fmt.Sprintf(`"position": [%g, %g]%s`, x, y, more))
}

func sprite(data string) string { return component("Sprite", `"texture": "`+textureID+`"`+data) }

func expand(t testing.TB, entities ...string) *scene.Expansion {
	t.Helper()
	text := `{"environment": {"clearColor": "#102030"}, "entities": [` + strings.Join(entities, ",\n") + `]}`
	d, err := scene.Parse(scene.Scene, "test.tscene", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	x, err := scene.NewExpander(scene.Prefabs{}, scene.Options{Display: true}).Expand(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func build(t testing.TB, x *scene.Expansion, db *assets.Database) (*Picture, *Textures) {
	t.Helper()
	textures := NewTextures(0)
	t.Cleanup(textures.Close)
	p, err := Build(t.Context(), x, db, textures, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p, textures
}

// render draws the world around the origin: width by height pixels, zoom pixels a unit.
func render(t testing.TB, p *Picture, textures *Textures, width, height int, zoom float64, show Show) *image.RGBA {
	t.Helper()
	dst := image.NewRGBA(image.Rect(0, 0, width, height))
	r := NewRenderer(textures)
	v := View{Zoom: zoom, Width: width, Height: height}
	r.Render(dst, dst.Rect, p, v, show, DefaultStyle(1))
	textures.Wait()
	if n := r.Render(dst, dst.Rect, p, v, show, DefaultStyle(1)); n != 0 {
		t.Errorf("%d textures are still waited for", n)
	}
	return dst
}

// letters spells a picture: one letter a pixel.
func letters(img *image.RGBA) string {
	names := map[color.RGBA]byte{{255, 0, 0, 255}: 'r', {0, 255, 0, 255}: 'g', {0, 0, 255, 255}: 'b', {255, 255, 255, 255}: 'w', {16, 32, 48, 255}: '.'}
	var rows []string
	for y := range img.Rect.Dy() {
		row := make([]byte, img.Rect.Dx())
		for x := range row {
			row[x] = '?'
			if n, ok := names[img.RGBAAt(x, y)]; ok {
				row[x] = n
			}
		}
		rows = append(rows, string(row))
	}
	return strings.Join(rows, "\n")
}

func bare() Show { return Show{Selected: NoNode, Hovered: NoNode} }

func TestSpritesAreDrawnAsTheGameDoes(t *testing.T) {
	db := testProject(t)
	const quarter = "1.5707964"
	for name, c := range map[string]struct{ transform, sprite, want string }{
		"centered on its position": {``, ``, "......\n......\n..rg..\n..bw..\n......\n......"},
		"flipped in x":             {``, `, "flipX": true`, "......\n......\n..gr..\n..wb..\n......\n......"},
		"flipped in y":             {``, `, "flipY": true`, "......\n......\n..bw..\n..rg..\n......\n......"},
		"turned clockwise":         {`, "rotation": ` + quarter, ``, "......\n......\n..br..\n..wg..\n......\n......"},
		"scaled":                   {`, "scale": [2, 1]`, ``, "......\n......\n.rrgg.\n.bbww.\n......\n......"},
		"mirrored by its scale":    {`, "scale": [-1, 1]`, ``, "......\n......\n..gr..\n..wb..\n......\n......"},
		"turned, then at its top left": {`, "rotation": ` + quarter, `, "origin": [0, 0]`,
			"......\n......\n......\n.br...\n.wg...\n......"},
		"origin at the bottom":    {``, `, "origin": [0.5, 1]`, "......\n..rg..\n..bw..\n......\n......\n......"},
		"of another size":         {``, `, "size": [4, 2]`, "......\n......\n.rrgg.\n.bbww.\n......\n......"},
		"a region":                {``, `, "source": [1, 0, 1, 2], "size": [1, 2], "origin": [0, 0]`, "......\n......\n......\n...g..\n...w..\n......"},
		"not visible":             {``, `, "visible": false`, strings.Repeat("......\n", 5) + "......"},
		"tinted with one channel": {``, `, "tint": "#FF0000", "source": [0, 0, 2, 1], "size": [2, 2]`, "......\n......\n..r?..\n..r?..\n......\n......"},
	} {
		t.Run(name, func(t *testing.T) {
			p, textures := build(t, expand(t, entity(1, "", at(0, 0, c.transform), sprite(c.sprite))), db)
			if got := letters(render(t, p, textures, 6, 6, 1, bare())); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestTintAndTransparencyAreMultiplied(t *testing.T) {
	db := testProject(t)
	p, textures := build(t, expand(t, entity(1, "", at(0, 0, ""), sprite(`, "tint": "#80FF8040"`))), db)
	img := render(t, p, textures, 2, 2, 1, bare())
	// White times #FF8040 at an opacity of 128 over #102030.
	part := func(c, ground int) uint8 { return uint8((c*128 + ground*127 + 127) / 255) }
	want := color.RGBA{part(255, 0x10), part(128, 0x20), part(64, 0x30), 255}
	got := img.RGBAAt(1, 1)
	for _, d := range []int{int(got.R) - int(want.R), int(got.G) - int(want.G), int(got.B) - int(want.B)} {
		if d < -1 || d > 1 {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}

func TestSheetsAreCutByTheirSettings(t *testing.T) {
	db := testProject(t)
	for name, want := range map[string]string{
		"cell-0": "....\n....\n..rr\n..rr\n....\n....", // pivot at the bottom left, so it stands above the middle
		"cell-1": "....\n....\n.bb.\n.bb.\n....\n....", // a slice takes the place of a cell
		"cell-2": "....\n....\n..bb\n..bb\n....\n....",
		"cell-9": "",
		"wide":   "",
		"beside": "",
	} {
		sheet := SheetOf(db.ByPath("sheet.png"), 8, 2)
		slice, ok := sheet.Sprite(name)
		switch name {
		case "wide":
			if slice.Rect != (scene.Rect{Width: 8, Height: 1}) {
				t.Errorf("wide is %v: a slice ends with the texture", slice.Rect)
			}
			continue
		case "cell-9", "beside":
			if ok {
				t.Errorf("there is a sprite %q: %v", name, slice)
			}
			continue
		}
		p, textures := build(t, expand(t, entity(1, "", at(0, 0, ""), component("Sprite", `"texture": "`+sheetID+`", "sprite": "`+name+`"`))), db)
		got := letters(render(t, p, textures, 4, 6, 1, bare()))
		if name != "cell-1" { // the whole height above the origin
			want = strings.Replace(want, "....\n....\n", "....\n", 1) + "\n...."
		}
		if got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
	p, _ := build(t, expand(t,
		entity(1, "", component("Sprite", `"texture": "`+atlasID+`", "sprite": "tiny"`)),
		entity(2, "", component("Sprite", `"texture": "`+atlasID+`", "sprite": "cell-2"`)),
		entity(3, "", component("Sprite", `"texture": "`+atlasID+`", "sprite": "gone"`))), db)
	if a := p.Items[0].Texture; a == nil || a.Path != "tiny.png" {
		t.Errorf("the atlas does not lead to the texture of the name: %v", a)
	}
	if a, r := p.Items[1].Texture, p.Items[1].Region; a == nil || a.Path != "sheet.png" || r.Min.X != 0.5 || r.Max.X != 0.75 {
		t.Errorf("the atlas does not lead to a cell: %v %v", a, r)
	}
	if m := p.Items[2].Missing; !strings.Contains(m, "gone") {
		t.Errorf("missing sprite of an atlas: %q", m)
	}
}

func TestMaxSizeScalesCellsToo(t *testing.T) {
	a := &assets.Asset{Path: "big.png", Meta: assets.Meta{Settings: []byte(`{"maxSize": 50, "spriteMode": "multiple", "grid": {"cellWidth": 20, "cellHeight": 10}}`)}}
	s := SheetOf(a, 100, 40)
	slice, ok := s.Sprite("big_6")
	if !ok || s.Width != 50 || s.Height != 20 || slice.Rect != (scene.Rect{X: 10, Y: 5, Width: 10, Height: 5}) {
		t.Errorf("%v × %v, %v %v", s.Width, s.Height, slice, ok)
	}
}

func TestDrawingOrder(t *testing.T) {
	db := testProject(t)
	x := expand(t,
		entity(1, "", at(0, 0, ""), sprite(`, "layer": 310`)),
		entity(2, "", at(0, 5, ""), sprite(`, "sortByY": true`)),
		entity(3, "", at(0, -5, ""), sprite(`, "sortByY": true`)),
		entity(4, "", at(0, 0, ""), sprite(``)),
		entity(5, "", at(0, 0, ""), sprite(``)),
		entity(6, "", at(0, 0, ""), sprite(`, "layer": -1`)),
		entity(7, "", at(0, 0, ""), component("TileMapRenderer", `"map": "`+mapID+`"`)),
		entity(8, `, "editor": {"hidden": true}`, at(0, 0, ""), sprite(``)),
		entity(9, "", at(0, 0, ""), component("Light2D", ``)),
	)
	p, _ := build(t, x, db)
	var got []string
	for _, i := range p.Items {
		got = append(got, x.Nodes[i.Node].Name)
	}
	if s, want := strings.Join(got, " "), "E6 E7 E3 E4 E5 E2 E1 E9 E7 E9"; s != want {
		t.Errorf("drawn in the order %s, want %s", s, want)
	}
	if p.Clear != (color.NRGBA{16, 32, 48, 255}) {
		t.Errorf("ground %v", p.Clear)
	}
}

func TestHit(t *testing.T) {
	db := testProject(t)
	x := expand(t,
		entity(1, "", at(0, 0, ""), component("Sprite", `"texture": "`+sheetID+`", "size": [80, 20]`)), // its last quarter is transparent
		entity(2, "", at(0, 0, ""), sprite(`, "layer": 100, "size": [200, 200]`)),
		entity(3, `, "editor": {"locked": true}`, at(0, 0, ""), sprite(`, "layer": 900, "size": [200, 200]`)),
		entity(4, "", at(60, 60, "")),
		entity(5, "", at(500, 0, ""), component("Collider2D", `"size": [100, 100]`), sprite(`, "visible": false`)),
		entity(6, "", at(500, 0, ""), component("Collider2D", `"shape": "circle", "radius": 30`), component("Sprite", `"texture": "`+textureID+`"`)),
		entity(7, "", at(-500, 0, `, "rotation": 0.7853982`), sprite(`, "size": [100, 10]`)),
	)
	p, textures := build(t, x, db)
	for _, a := range []string{"tiny.png", "sheet.png"} {
		textures.Get(db, db.ByPath(a))
	}
	textures.Wait()
	for _, c := range []struct {
		at   Point
		want string
	}{
		{Point{-30, 0}, "E1"},
		{Point{30, 0}, "E2"},   // through what is transparent
		{Point{0, 50}, "E2"},   // beside it; the locked one on top is passed over
		{Point{61, 59}, "E4"},  // the mark of an entity without anything to see
		{Point{500, 25}, "E6"}, // the smaller outline
		{Point{545, 45}, "E5"},
		{Point{-470, 30}, "E7"}, // on the turned sprite
		{Point{-470, 0}, ""},    // in its box, but beside it
		{Point{9000, 0}, ""},
	} {
		got := ""
		if n, ok := p.Hit(c.at, 3, textures, Everything()); ok {
			got = x.Nodes[n].Name
		}
		if got != c.want {
			t.Errorf("at %v: %q, want %q", c.at, got, c.want)
		}
	}
}

func TestMissingTexturesAreNamed(t *testing.T) {
	db := testProject(t)
	x := expand(t,
		entity(1, "", at(0, 0, ""), component("Sprite", `"texture": "99999999999999999999999999999999"`)),
		entity(2, "", at(0, 0, ""), component("Sprite", `"texture": "`+db.ByPath("broken.png").Meta.Guid.String()+`"`)),
		entity(3, "", at(0, 0, ""), component("Sprite", `"texture": "`+mapID+`"`)),
		entity(4, "", at(0, 0, ""), component("Sprite", `"texture": null`)),
	)
	p, textures := build(t, x, db)
	for i, want := range []string{"missing texture 9999", "broken.png cannot be read", "world.hexy is no texture"} {
		if !strings.Contains(p.Items[i].Missing, want) {
			t.Errorf("%q, want %q", p.Items[i].Missing, want)
		}
	}
	if n := len(p.Items); n != 4 || p.Items[3].Kind != Marker {
		t.Errorf("%d items; a sprite without a texture draws nothing", n)
	}
	labels := p.Labels(View{Zoom: 1, Width: 100, Height: 100}, Everything(), false, 10)
	if len(labels) != 3 || !labels[0].Bad {
		t.Errorf("labels %v", labels)
	}
	img := render(t, p, textures, 40, 40, 1, bare())
	if a, b := img.RGBAAt(5, 5), img.RGBAAt(13, 5); a == b || a == (color.RGBA{16, 32, 48, 255}) {
		t.Errorf("no chequer: %v %v", a, b)
	}
}

func TestCamerasLightsAndShapes(t *testing.T) {
	x := expand(t,
		entity(1, "", at(100, 50, ""), component("Camera", `"zoom": 2, "bounds": [-10, -20, 300, 400]`)),
		entity(2, "", at(0, 0, `, "rotation": 1.5707964, "scale": [2, 2]`), component("Collider2D", `"size": [10, 4], "offset": [3, 0], "isTrigger": true`)),
		entity(3, "", at(0, 0, ""), component("Light2D", `"type": "spot", "radius": 10, "spotAngle": 3.1415927`)),
		entity(4, "", at(0, 0, ""), component("ShadowCaster2D", `"shape": "polygon", "points": [[0, 0], [4, 0], {"x": 4, "y": 9}]`)),
		entity(5, "", at(0, 0, ""), component("Collider2D", `"shape": "capsule", "size": [8, 20]`)),
		entity(6, "", component("Transform", `"position": [1e38, 1e38], "scale": [1e38, 1e38]`), component("Collider2D", ``)),
	)
	p, err := Build(t.Context(), x, nil, NewTextures(0), Options{View: scene.Vector{X: 640, Y: 360}})
	if err != nil {
		t.Fatal(err)
	}
	find := func(node int, k Kind) Item {
		for _, i := range p.ItemsOf(node) {
			if p.Items[i].Kind == k {
				return p.Items[i]
			}
		}
		t.Fatalf("no item of kind %d", k)
		return Item{}
	}
	near := func(what string, got, want Box) {
		t.Helper()
		if got.Min.distance(want.Min) > 0.01 || got.Max.distance(want.Max) > 0.01 {
			t.Errorf("%s at %v, want %v", what, got, want)
		}
	}
	near("frame", find(0, CameraFrame).Bounds, Box{Point{-60, -40}, Point{260, 140}})
	near("bounds", find(0, CameraBounds).Bounds, Box{Point{-10, -20}, Point{290, 380}})
	near("trigger", find(1, Trigger).Bounds, Box{Point{-4, -4}, Point{4, 16}})
	near("spot", find(2, Light).Bounds, Box{Point{0, -10}, Point{10, 10}})
	near("polygon", find(3, Shadow).Bounds, Box{Point{0, 0}, Point{4, 9}})
	near("capsule", find(4, Collider).Bounds, Box{Point{-4, -10}, Point{4, 10}})
	near("start", p.Start(), find(0, CameraFrame).Bounds)
}

func TestResultDoesNotDependOnBands(t *testing.T) {
	db := testProject(t)
	var entities []string
	for i := range 300 {
		entities = append(entities, entity(i+1, "", at(float64(i%20*9-90), float64(i/20*9-60), fmt.Sprintf(`, "rotation": %g, "scale": [3, 5]`, float64(i)/7)),
			sprite(`, "tint": "#A0FF80C0"`), component("Light2D", `"radius": 20`), component("Collider2D", `"shape": "circle"`)))
	}
	p, textures := build(t, expand(t, entities...), db)
	show := Everything()
	show.Grid, show.Selected, show.Hovered = true, 7, 9
	whole := render(t, p, textures, 200, 140, 1.3, show)
	r := NewRenderer(textures)
	v := View{Zoom: 1.3, Width: 200, Height: 140}
	parts := image.NewRGBA(whole.Rect)
	for _, clip := range []image.Rectangle{{Max: image.Pt(71, 140)}, {Min: image.Pt(71, 0), Max: image.Pt(200, 33)}, {Min: image.Pt(71, 33), Max: image.Pt(200, 140)}} {
		// Marks that are left out where others lie depend on what is seen, so they are not compared.
		show.Marks = false
		r.Render(parts, clip, p, v, show, DefaultStyle(1))
	}
	whole = render(t, p, textures, 200, 140, 1.3, show)
	for i := range whole.Pix {
		if whole.Pix[i] != parts.Pix[i] {
			t.Fatalf("pixel %d, %d differs", i/4%200, i/800)
		}
	}
}

func TestTexturesStayWithinTheirMemory(t *testing.T) {
	root := t.TempDir()
	img := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	for i := range 20 {
		f, err := os.Create(filepath.Join(root, fmt.Sprintf("t%02d.png", i)))
		if err != nil {
			t.Fatal(err)
		}
		if err := png.Encode(f, img); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	db, err := assets.Scan(t.Context(), root, assets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const each = 64 * 64 * 4 * 4 / 3
	textures := NewTextures(5 * each)
	for _, a := range db.All() {
		textures.Get(db, a)
		textures.Wait()
	}
	if textures.used > 5*each || len(textures.entries) > 5 || len(textures.entries) < 3 {
		t.Errorf("%d bytes in %d pictures", textures.used, len(textures.entries))
	}
	if textures.Get(db, db.All()[19]) == nil || textures.Get(db, db.All()[0]) != nil {
		t.Error("the picture that was used last is gone, or the first is still there")
	}
	textures.Close()
}

func TestViews(t *testing.T) {
	v := View{Center: Point{10, -20}, Zoom: 2.5, Width: 301, Height: 200}
	p := Point{33, 44}
	if got := v.ToScreen(v.ToWorld(p)); got.distance(p) > 1e-9 {
		t.Errorf("there and back: %v", got)
	}
	before := v.ToWorld(p)
	if got := v.Around(p, 7).ToWorld(p); got.distance(before) > 0.2 { // the origin is a whole pixel
		t.Errorf("zooming around a pixel moves it from %v to %v", before, got)
	}
	f := v.Fit(Box{Point{0, 0}, Point{100, 10}}, 20, 8)
	if f.Zoom != 2.61 || f.Center != (Point{50, 5}) {
		t.Errorf("fitted to %v", f)
	}
}

// TestSamples builds the pictures of real projects and looks at what is known of them.
func TestSamples(t *testing.T) {
	for _, c := range []struct {
		root, scene string
		order       string // of the sprites
		at          Point
		hit         string
	}{
		{"../../../../shared/samples/LanternGrove/assets", "scenes/grove.tscene", "Sky Moon Far Hills Near Hills Grove Campfire Shrine Lantern 1 Lantern 2 Lantern 3 Lantern 4 Lantern 5 Lantern 6 Lantern 7 Player",
			Point{640, 250}, "Sky"},
		{"../../../examples/driftmail/assets", "scenes/harbour.tscene", "Sky Island Lighthouse Sea Bottle 1 Bottle 2 Golden bottle Left buoy Right buoy Boat Gull", Point{262, 92}, "Lighthouse"},
	} {
		if _, err := os.Stat(c.root); err != nil {
			t.Logf("skipped: %v", err)
			continue
		}
		db, err := assets.Scan(t.Context(), c.root, assets.Options{})
		if err != nil {
			t.Fatal(err)
		}
		catalog := scene.NewProjectCatalog(db)
		d, err := catalog.Read(c.scene)
		if err != nil {
			t.Fatal(err)
		}
		x, err := scene.NewExpander(catalog, scene.Options{Display: true}).Expand(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		p, textures := build(t, x, db)
		var order []string
		for i := range p.Items {
			item := &p.Items[i]
			if item.Kind > TileMap {
				break
			}
			order = append(order, x.Nodes[item.Node].Name)
			if item.Kind == Sprite && item.Missing != "" {
				t.Errorf("%s: %s", x.Nodes[item.Node].Name, item.Missing)
			}
		}
		if got := strings.Join(order, " "); got != c.order {
			t.Errorf("%s is drawn in the order\n%s, want\n%s", c.scene, got, c.order)
		}
		dst := image.NewRGBA(image.Rect(0, 0, 300, 200))
		v := View{Width: 300, Height: 200}.Fit(p.Bounds(), 5, 1)
		r := NewRenderer(textures)
		r.Render(dst, dst.Rect, p, v, Everything(), DefaultStyle(1))
		textures.Wait()
		if n, ok := p.Hit(c.at, 2, textures, bare()); !ok || x.Nodes[n].Name != c.hit {
			t.Errorf("%s at %v: node %d, want %s", c.scene, c.at, n, c.hit)
		}
		for name, want := range map[string]Box{"Player": {Point{224, 596}, Point{288, 676}}} { // hero-0, 64 by 80 with the pivot (0.5, 0.95) at 256, 672
			for i := range p.Items {
				if item := &p.Items[i]; item.Kind == Sprite && x.Nodes[item.Node].Name == name {
					if item.Bounds.Min.distance(want.Min) > 0.01 || item.Bounds.Max.distance(want.Max) > 0.01 || item.Region.Max != (Point{0.1, 1}) {
						t.Errorf("%s at %v with the part %v of its texture", name, item.Bounds, item.Region)
					}
				}
			}
		}
	}
}

func large(b *testing.B, n int) (*scene.Expansion, *assets.Database) {
	b.Helper()
	db := testProject(b)
	entities := make([]string, n)
	for i := range entities {
		entities[i] = entity(i+1, "", at(float64(i%400*40), float64(i/400*40), fmt.Sprintf(`, "rotation": %g`, float64(i%7))),
			sprite(`, "size": [32, 32]`), component("Collider2D", `"size": [30, 30]`))
	}
	return expand(b, entities...), db
}

func BenchmarkBuild100000(b *testing.B) {
	x, db := large(b, 100_000)
	textures := NewTextures(0)
	for b.Loop() {
		if _, err := Build(b.Context(), x, db, textures, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRender(b *testing.B) {
	x, db := large(b, 100_000)
	p, textures := build(b, x, db)
	for _, c := range []struct {
		name string
		view View
		show Show
	}{
		{"100000/near", View{Center: Point{8000, 5000}, Zoom: 1, Width: 900, Height: 600}, Everything()},
		{"100000/all", View{Width: 900, Height: 600}.Fit(p.Bounds(), 10, 1), Everything()},
		{"100000/all sprites", View{Width: 900, Height: 600}.Fit(p.Bounds(), 10, 1), bare()},
	} {
		b.Run(c.name, func(b *testing.B) {
			dst := image.NewRGBA(image.Rect(0, 0, 900, 600))
			r := NewRenderer(textures)
			r.Render(dst, dst.Rect, p, c.view, c.show, DefaultStyle(1))
			textures.Wait()
			for b.Loop() {
				r.Render(dst, dst.Rect, p, c.view, c.show, DefaultStyle(1))
			}
		})
	}
	b.Run("typical", func(b *testing.B) { // 900 by 600 pixels covered four times, and 200 sprites
		var entities []string
		for i := range 4 {
			entities = append(entities, entity(i+1, "", at(0, 0, ""), sprite(`, "size": [900, 600], "layer": 1`)))
		}
		for i := range 200 {
			entities = append(entities, entity(i+10, "", at(float64(i%20*40-400), float64(i/20*50-250), fmt.Sprintf(`, "rotation": %g`, float64(i%7))),
				sprite(`, "size": [64, 64], "tint": "#80FFFFFF"`), component("Collider2D", ``), component("Light2D", `"radius": 80`)))
		}
		p, textures := build(b, expand(b, entities...), db)
		dst := image.NewRGBA(image.Rect(0, 0, 900, 600))
		r := NewRenderer(textures)
		v := View{Zoom: 1, Width: 900, Height: 600}
		r.Render(dst, dst.Rect, p, v, Everything(), DefaultStyle(1))
		textures.Wait()
		for b.Loop() {
			r.Render(dst, dst.Rect, p, v, Everything(), DefaultStyle(1))
		}
	})
	b.Run("hit", func(b *testing.B) {
		for b.Loop() {
			p.Hit(Point{8000, 5000}, 4, textures, Everything())
		}
	})
}
