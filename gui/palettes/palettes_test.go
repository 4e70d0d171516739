package palettes

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/google/go-cmp/cmp"

	"talebinder/examples"
	"talebinder/export"
	"talebinder/formats"
	"talebinder/formats/jazz2/palette"
	"talebinder/formats/jazz2/picture"
	"talebinder/gui/ui"
	"talebinder/gui/ui/uitest"
	"talebinder/gui/widgets"
)

// photo is a picture with colours that are not in the palette, some transparent and some half covered.
func photo() *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, 24, 16))
	for y := range 16 {
		for x := range 24 {
			c := palette.Color(uint8(40 + x%8))
			switch {
			case y < 2:
				c = color.NRGBA{}
			case y >= 8 && x < 4:
				c = color.NRGBA{uint8(100 + x), 120, uint8(10 * y), 128}
			}
			m.SetNRGBA(x, y, c)
		}
	}
	m.SetNRGBA(23, 15, color.NRGBA{0, 255, 255, 255})
	return m
}

func write(t testing.TB, m *image.NRGBA, path string) string {
	t.Helper()
	var b bytes.Buffer
	if err := picture.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestWhatIsShownIsWhatTheCommandsWrite(t *testing.T) {
	dir := t.TempDir()
	source := write(t, photo(), filepath.Join(dir, "photo.png"))
	for _, d := range []Direction{ToColors, ToIndices} {
		p, err := Open(t.Context(), source, d)
		if err != nil {
			t.Fatal(err)
		}
		target := filepath.Join(dir, "target.png")
		report, err := job(d, source, target).Run(t.Context(), export.Discard())
		if err != nil {
			t.Fatal(err)
		}
		want, err := export.ReadPicture(target)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(p.Result().Pix, want.Pix) {
			t.Errorf("direction %d: the picture is another one", d)
		}
		if d == ToIndices && (len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0].Message, fmt.Sprint(p.Inexact.Distance()))) {
			t.Errorf("warnings %v, %+v", report.Warnings, p.Inexact)
		}
	}
}

func TestInexactColors(t *testing.T) {
	for _, cores := range []int{1, 3} {
		before := runtime.GOMAXPROCS(cores)
		p, err := convert(t.Context(), photo(), Guess)
		runtime.GOMAXPROCS(before)
		if err != nil || p.Direction != ToIndices {
			t.Fatal(p, err)
		}
		if p.Inexact.Pixels != 33 || len(p.Odd) != 33 || p.Odd[0].Squared != p.Inexact.Squared || p.MoreOdd {
			t.Errorf("%d cores: %+v, %d colours, %+v", cores, p.Inexact, len(p.Odd), p.Odd[0])
		}
		for _, o := range p.Odd {
			index, squared := palette.Nearest(o.Color.R, o.Color.G, o.Color.B)
			if o.Index != index || o.Squared != squared || o.Pixels != 1 || p.Squared(o.First) != squared {
				t.Fatalf("%+v, want %d %d", o, index, squared)
			}
		}
		if p.Counts[0] != 48 || p.Index(image.Pt(5, 5)) != 45 || p.Squared(image.Pt(5, 5)) != 0 {
			t.Errorf("counts %v", p.Counts)
		}
	}
	p, err := convert(t.Context(), photo(), ToColors)
	if err != nil || p.Inexact.Pixels != 0 || p.Odd != nil || p.Colored == 0 {
		t.Errorf("%+v, %v", p, err)
	}
	if text, tone := verdict(p); tone != widgets.Warning || !strings.Contains(text, "may have colours already") {
		t.Error(text)
	}
}

func TestDescribe(t *testing.T) {
	p, _ := convert(t.Context(), photo(), ToIndices)
	for at, want := range map[image.Point]string{
		{0, 0}: "0, 0   transparent", {5, 5}: "5, 5   #9B1B00 = index 45", {24, 0}: "", {-1, 3}: "",
		{0, 8}: fmt.Sprintf("0, 8   #647850 → index %d", p.Index(image.Pt(0, 8))),
	} {
		if got := p.Describe(at); !strings.HasPrefix(got, want) || (want == "") != (got == "") {
			t.Errorf("%v: %q, want %q", at, got, want)
		}
	}
	if got := p.Describe(image.Pt(0, 8)); !strings.HasSuffix(got, ", alpha 128") || !strings.Contains(got, "off by") {
		t.Error(got)
	}
	indexed, _ := convert(t.Context(), p.Result(), Guess)
	if indexed.Direction != ToColors {
		t.Error("a picture of indices is taken for one of colours")
	}
	if got := indexed.Describe(image.Pt(5, 5)); got != "5, 5   index 45 = #9B1B00" {
		t.Error(got)
	}
}

func TestTargets(t *testing.T) {
	for _, c := range []struct {
		path string
		d    Direction
		want string
	}{
		{"a/font.png", ToColors, "a/font-colours.png"}, {"a/font-colours.png", ToIndices, "a/font-indices.png"},
		{"font-indices.PNG", ToColors, "font-colours.png"}, {"font.png", ToIndices, "font-indices.png"},
	} {
		if got := targetName(c.path, c.d); got != c.want {
			t.Errorf("%s: %s", c.path, got)
		}
	}
}

func TestDrawing(t *testing.T) {
	p, _ := convert(t.Context(), photo(), ToIndices)
	back := color.RGBA{1, 2, 3, 255}
	draw := func(s Side, show Show) *image.RGBA {
		dst := image.NewRGBA(image.Rect(0, 0, 130, 100))
		drawPicture(dst, p, s, widgets.PixelView{Zoom: 4, At: image.Pt(-10, -10)}, show, back)
		return dst
	}
	plain := Show{Pick: nothing(), Hover: nowhere}
	at := func(m *image.RGBA, x, y int) color.RGBA { return m.RGBAAt(10+4*x+2, 10+4*y+2) }
	source, result := draw(Source, plain), draw(Result, plain)
	want := color.RGBA{0x9b, 0x1b, 0, 255}
	if at(source, 5, 5) != want || at(result, 5, 5) != want || source.RGBAAt(0, 0) != back || source.RGBAAt(120, 50) != back {
		t.Errorf("%v %v %v", at(source, 5, 5), at(result, 5, 5), source.RGBAAt(0, 0))
	}
	if c := at(source, 3, 0); c != chequer[0] && c != chequer[1] {
		t.Errorf("a transparent pixel is %v", c)
	}
	raw := plain
	raw.Raw = true
	if got := at(draw(Result, raw), 5, 5); got != (color.RGBA{45, 45, 45, 255}) {
		t.Errorf("an index as a grey is %v", got)
	}
	if got := at(draw(Source, raw), 5, 5); got != want {
		t.Errorf("the colours are %v", got)
	}
	marks := plain
	marks.Marks = true
	if draw(Source, marks).RGBAAt(10+4*23, 10+4*15) != mark || draw(Result, marks).RGBAAt(10+4*23, 10+4*15) == mark || draw(Source, marks).RGBAAt(10+4*5, 10+4*5) == mark {
		t.Error("the marks are in the wrong places")
	}
	picked := plain
	picked.Pick = Pick{45, -1}
	if m := draw(Source, picked); at(m, 5, 5) != want || at(m, 6, 5) == at(source, 6, 5) {
		t.Error("the highlight is not seen")
	}
	picked.Pick = Pick{-1, 0}
	if m := draw(Result, picked); at(m, 5, 5) == want || at(m, p.Odd[0].First.X, p.Odd[0].First.Y) != at(result, p.Odd[0].First.X, p.Odd[0].First.Y) {
		t.Error("the highlight of an inexact colour is not seen")
	}
	hover := plain
	hover.Hover = image.Pt(5, 5)
	if draw(Source, hover).RGBAAt(10+4*5-1, 10+4*5) != frame || draw(Result, hover).RGBAAt(10+4*5-1, 10+4*5) != frame {
		t.Error("the pixel under the pointer has no frame")
	}
	grid := image.NewRGBA(image.Rect(0, 0, 160, 160))
	drawPalette(grid, p, 3, 45, back)
	if grid.RGBAAt(135, 25) != want || grid.RGBAAt(130, 20) != frame || grid.RGBAAt(30, 0) != frame || gridAt(image.Pt(160, 160), image.Pt(135, 25)) != 45 || gridAt(image.Pt(160, 160), image.Pt(161, 3)) != -1 {
		t.Error("the palette is drawn wrongly")
	}
}

// rig is the screen in a test window, without a project.
type rig struct {
	*screen
	host *uitest.Host
	dir  string
}

func newRig(t testing.TB) *rig {
	t.Helper()
	for _, name := range []string{"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "TALEBINDER_CACHE"} {
		t.Setenv(name, t.TempDir())
	}
	h := uitest.New(t)
	h.SetWorkspace(ui.NewWorkspace(nil, export.NewQueue(1), h))
	s := newScreen(h)
	t.Cleanup(s.Close)
	h.Put(s)
	s.Shown()
	h.Drain()
	return &rig{s, h, t.TempDir()}
}

func (r *rig) photo(t testing.TB, name string) string {
	t.Helper()
	path := write(t, photo(), filepath.Join(r.dir, name))
	r.load(path, Guess)
	r.host.Drain()
	if r.open == nil || r.root.Objects[0] != r.page {
		t.Fatal("the picture is not open", r.host.Errors)
	}
	return path
}

func TestTheSampleIsExact(t *testing.T) {
	r := newRig(t)
	if r.root.Objects[0] != r.landing {
		t.Fatal("the empty state is not shown")
	}
	r.trySample()
	r.host.Drain()
	if r.open == nil || filepath.Base(r.open.Path) != examples.FontColors || r.open.Direction != ToIndices || r.verdict.Tone() != widgets.Success || !r.none.Visible() {
		t.Fatalf("%+v, errors %v", r.verdict.Text(), r.host.Errors)
	}
	r.direction.SetSelected(0)
	r.host.Drain()
	if r.open.Direction != ToColors || r.verdict.Tone() != widgets.Warning {
		t.Errorf("the other direction says %q", r.verdict.Text())
	}
	if got := r.recent(); len(got) != 1 || got[0] != r.open.Path {
		t.Errorf("remembered %v", got)
	}
}

func TestBothPicturesMoveTogether(t *testing.T) {
	r := newRig(t)
	r.photo(t, "a.png")
	r.host.Window().Canvas().Capture()
	v := r.pictures[1]
	if !r.fitted || r.view.Zoom < 4 {
		t.Fatalf("view %+v", r.view)
	}
	r.zoom(9, image.Pt(0, 0))
	zoom := r.view.Zoom
	test.Scroll(r.host.Window().Canvas(), fyne.CurrentApp().Driver().AbsolutePositionForObject(v).Add(fyne.NewPos(5, 5)), 0, -10)
	if r.view.Zoom >= zoom {
		t.Errorf("the wheel does not zoom: %d", r.view.Zoom)
	}
	r.zoom(9, image.Pt(0, 0))
	r.set(widgets.PixelView{Zoom: 16, At: image.Pt(20, 20)})
	before := r.view
	v.Dragged(&fyne.DragEvent{Dragged: fyne.Delta{DX: -7, DY: -3}})
	if got := r.view.At.Sub(before.At); got.X < 0 || got.Y < 0 || r.view.Zoom != 16 {
		t.Errorf("dragged by %v", got)
	}
	v.TypedRune('0')
	r.host.Window().Canvas().Capture()
	if !r.fitted || r.zoomText.Text != fmt.Sprintf("%d×", r.view.Zoom) {
		t.Error("it is not fitted")
	}
	place := r.view.Rect(image.Rect(5, 5, 6, 6)).Min.Add(image.Pt(1, 1))
	v.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(float32(place.X), float32(place.Y))}})
	if r.hover != image.Pt(5, 5) || !strings.Contains(r.detail.Text, "index 45") {
		t.Errorf("hover %v, %q", r.hover, r.detail.Text)
	}
	test.TapAt(v, fyne.NewPos(float32(place.X), float32(place.Y)))
	v.MouseOut()
	if r.picked.Index != 45 || !strings.Contains(r.detail.Text, "Index 45, #9B1B00") {
		t.Errorf("picked %+v, %q", r.picked, r.detail.Text)
	}
	v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if r.picked.Any() {
		t.Error("Escape does not end the highlight")
	}
}

func TestThePaletteLeadsToPixels(t *testing.T) {
	r := newRig(t)
	r.photo(t, "a.png")
	g := r.grid
	g.FocusGained()
	for range 2 {
		g.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	}
	g.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if !strings.Contains(r.detail.Text, "Index 33") {
		t.Errorf("%q", r.detail.Text)
	}
	g.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	g.FocusLost()
	if r.picked.Index != 33 {
		t.Errorf("picked %+v", r.picked)
	}
	r.nextOdd()
	if r.picked != (Pick{-1, 0}) || !strings.Contains(r.detail.Text, hex(r.open.Odd[0].Color)) {
		t.Errorf("picked %+v, %q", r.picked, r.detail.Text)
	}
	r.nextOdd()
	if r.picked.Odd != 1 {
		t.Errorf("picked %+v", r.picked)
	}
	if r.verdict.Tone() != widgets.Warning || !strings.Contains(r.verdict.Text(), "33 pixels") || !strings.Contains(r.oddHead.Text, "33 colours") {
		t.Errorf("%q, %q", r.verdict.Text(), r.oddHead.Text)
	}
	for _, c := range r.Commands() {
		if strings.Contains(c.ID, "marks") || strings.Contains(c.ID, "raw") {
			c.Run()
		}
	}
	if r.marks || !r.raw[ToIndices] || !strings.Contains(r.captions[1].Text, "greys") {
		t.Error("the switches have no commands")
	}
}

func TestSaving(t *testing.T) {
	r := newRig(t)
	source := r.photo(t, "a.png")
	r.host.Answer = filepath.Join(r.dir, "out")
	r.saveResult()
	r.host.Drain()
	got, err := export.ReadPicture(filepath.Join(r.dir, "out.png"))
	if err != nil || !bytes.Equal(got.Pix, r.open.Result().Pix) {
		t.Fatal("not saved", err, r.host.Errors)
	}
	r.saveResult()
	if n := len(r.host.Questions); n != 1 {
		t.Fatal("a file is replaced without a question")
	}
	r.host.Questions[0].OK()
	r.host.Drain()
	r.host.Answer = source
	r.saveResult()
	if n := len(r.host.Questions); n != 2 || !strings.Contains(r.host.Questions[1].Body, "is open") {
		t.Fatalf("questions %+v", r.host.Questions)
	}
	r.host.Answer = filepath.Join(r.dir, "nowhere", "a.png")
	r.saveResult()
	r.host.Drain()
	if n := len(r.host.Errors); n != 1 || !strings.Contains(r.host.Errors[0].Error(), "not saved") {
		t.Errorf("errors %v", r.host.Errors)
	}
	r.copyCommand()
	if len(r.host.Copied) != 1 || !strings.HasPrefix(r.host.Copied[0], "talebinder to-indices ") || !strings.Contains(r.host.Copied[0], "a-indices.png") {
		t.Errorf("copied %v", r.host.Copied)
	}
}

func TestBatch(t *testing.T) {
	r := newRig(t)
	a := r.photo(t, "a.png")
	b := write(t, photo(), filepath.Join(r.dir, "b.png"))
	out := t.TempDir()
	r.host.Answer = out
	if !r.Drop([]string{a, "notes.txt", b}) {
		t.Fatal("pictures are not taken")
	}
	queue := r.host.Workspace().Queue
	queue.Wait()
	if rows := queue.Rows(); len(rows) != 2 || rows[0].Snapshot().Err != nil || len(r.host.Screens) != 1 || r.host.Screens[0].Screen != ui.ScreenExports {
		t.Fatalf("%d jobs, shown %v", len(rows), r.host.Screens)
	}
	for _, name := range []string{"a.png", "b.png"} {
		if got, err := export.ReadPicture(filepath.Join(out, name)); err != nil || !bytes.Equal(got.Pix, r.open.Result().Pix) {
			t.Error(name, err)
		}
	}
	r.batch([]string{a, b})
	if len(r.host.Questions) != 1 || !strings.Contains(r.host.Questions[0].Title, "2 pictures") {
		t.Errorf("questions %+v", r.host.Questions)
	}
	r.host.Answer = r.dir
	r.batchFolder()
	queue.Wait()
	if _, err := os.Stat(filepath.Join(r.dir, "b-indices.png")); err != nil {
		t.Error("beside the pictures", err)
	}
	r.batch([]string{a, filepath.Join(out, "a.png")})
	if n := len(r.host.Errors); n != 0 {
		t.Errorf("errors %v", r.host.Errors)
	}
	r.host.Answer = t.TempDir()
	r.batch([]string{a, filepath.Join(out, "a.png")})
	if n := len(r.host.Errors); n != 1 || !strings.Contains(r.host.Errors[0].Error(), "two pictures") {
		t.Errorf("errors %v", r.host.Errors)
	}
	r.batchFolder()
	if n := len(r.host.Errors); n != 2 || !strings.Contains(r.host.Errors[1].Error(), "no pictures") {
		t.Errorf("errors %v", r.host.Errors)
	}
}

func TestAChangedPictureIsReadAgain(t *testing.T) {
	r := newRig(t)
	path := r.photo(t, "a.png")
	later := func(n int) {
		at := time.Now().Add(time.Duration(n) * time.Hour)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	m := photo()
	m.SetNRGBA(23, 15, palette.Color(45))
	write(t, m, path)
	later(1)
	r.host.Tick()
	r.host.Drain()
	if r.open.Inexact.Pixels != 32 {
		t.Errorf("%+v", r.open.Inexact)
	}
	if err := os.WriteFile(path, []byte("half a picture"), 0o666); err != nil {
		t.Fatal(err)
	}
	later(2)
	for range 3 {
		r.host.Tick()
		r.host.Drain()
	}
	if r.open.Inexact.Pixels != 32 || !strings.Contains(r.verdict.Text(), "cannot be read") || len(r.host.Errors) != 0 {
		t.Errorf("%q, errors %v", r.verdict.Text(), r.host.Errors)
	}
	write(t, photo(), path)
	later(3)
	r.host.Tick()
	r.host.Drain()
	if r.open.Inexact.Pixels != 33 {
		t.Errorf("%+v", r.open.Inexact)
	}
	r.Hidden()
	if r.host.Tickers() != 0 {
		t.Error("it goes on looking while it is hidden")
	}
}

func TestWhatIsNoPicture(t *testing.T) {
	r := newRig(t)
	if r.Drop([]string{"a.txt"}) || r.Takes("a.font") || !r.Takes("A.PNG") {
		t.Error("the wrong files are taken")
	}
	broken := filepath.Join(r.dir, "broken.png")
	if err := os.WriteFile(broken, []byte("nothing of a picture"), 0o666); err != nil {
		t.Fatal(err)
	}
	r.Focus(broken)
	r.host.Drain()
	if len(r.host.Errors) != 1 || !strings.Contains(r.host.Errors[0].Error(), broken) || r.root.Objects[0] != r.landing {
		t.Errorf("errors %v", r.host.Errors)
	}
	large := write(t, image.NewNRGBA(image.Rect(0, 0, 8192, 4097)), filepath.Join(r.dir, "large.png"))
	var limit *formats.LimitError
	if _, err := Open(t.Context(), large, Guess); !errors.As(err, &limit) || !strings.Contains(err.Error(), "to-indices") {
		t.Errorf("%v", err)
	}
}

func TestCommandsAreComplete(t *testing.T) {
	r := newRig(t)
	var enabled []string
	for _, c := range r.Commands() {
		if c.CanRun() {
			enabled = append(enabled, c.ID)
		}
	}
	if diff := cmp.Diff([]string{"palette.open", "palette.batch", "palette.sample"}, enabled); diff != "" {
		t.Error(diff)
	}
	r.photo(t, "a.png")
	if slices.ContainsFunc(r.Commands(), func(c ui.Command) bool { return c.ID != "palette.clear" && !c.CanRun() }) {
		t.Error("a command is off while a picture is open")
	}
}

func BenchmarkDraw(b *testing.B) {
	m := image.NewNRGBA(image.Rect(0, 0, 1024, 1024))
	for i := range m.Pix {
		m.Pix[i] = uint8(i * i >> 3)
	}
	p, err := convert(b.Context(), m, ToIndices)
	if err != nil {
		b.Fatal(err)
	}
	dst := image.NewRGBA(image.Rect(0, 0, 480, 700))
	for b.Loop() {
		drawPicture(dst, p, Source, widgets.PixelView{Zoom: 1}, Show{Marks: true, Pick: nothing(), Hover: nowhere}, color.RGBA{A: 255})
	}
}

func BenchmarkConvert(b *testing.B) {
	m := image.NewNRGBA(image.Rect(0, 0, 1024, 1024))
	for i := range m.Pix {
		m.Pix[i] = uint8(i * i >> 3)
	}
	for b.Loop() {
		if _, err := convert(b.Context(), m, ToIndices); err != nil {
			b.Fatal(err)
		}
	}
}
