package palettes

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/examples"
	"talebinder/export/folders"
	"talebinder/formats/jazz2/palette"
	"talebinder/formats/jazz2/picture"
	"talebinder/gui/settings"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/project/atomicfile"
)

// What is remembered without any project, and how many pictures of it.
const (
	rememberPictures = "palettePictures"
	mostRecent       = 8
)

// look is how often the file is looked at for changes.
const look = 500 * time.Millisecond

// nowhere is outside of every picture.
var nowhere = image.Pt(-1, -1)

type screen struct {
	host ui.Host
	open *Picture // nil while there is none

	wanted  Direction // what the person chose for the open picture, or Guess
	view    widgets.PixelView
	fitted  bool // a view was chosen for the window that there is
	window  image.Point
	raw     map[Direction]bool
	marks   bool
	picked  Pick
	hover   image.Point
	opening int // counts what was asked for, so that an answer that comes late is dropped
	reading bool
	failed  stamp // of a changed file that could not be read
	closed  bool
	stop    func()

	root, landing, page, recents *fyne.Container
	loading                      *widgets.EmptyState
	top                          *fyne.Container
	summary, place               *theme.Text
	openButton, save, more       *widget.Button
	direction                    *widgets.Segmented
	zoomText                     *theme.Text
	marksChip, rawChip           *widgets.Chip
	verdict                      *widgets.Note
	captions                     [2]*theme.Text
	pictures                     [2]*pictureView
	grid                         *gridView
	detail                       *theme.Text
	odd                          *widgets.Rows
	none                         *widgets.EmptyState
	oddHead                      *theme.Text
}

var (
	_ ui.Screen  = (*screen)(nil)
	_ ui.Focuser = (*screen)(nil)
	_ ui.Taker   = (*screen)(nil)
)

// New makes the screen.
func New(h ui.Host) ui.Screen { return newScreen(h) }

func newScreen(h ui.Host) *screen {
	s := &screen{host: h, marks: true, raw: map[Direction]bool{ToColors: true}, picked: nothing(), hover: nowhere}
	s.build()
	return s
}

func (s *screen) ID() string                 { return ui.ScreenPalette }
func (s *screen) Title() string              { return "Palette" }
func (s *screen) Icon() fyne.Resource        { return theme.Icon(theme.IconPalette) }
func (s *screen) Content() fyne.CanvasObject { return s.root }
func (s *screen) Badge() string              { return "" }

// Shown looks whether the picture has been written since, and goes on looking.
func (s *screen) Shown() {
	s.check()
	if s.stop == nil {
		s.stop = s.host.Every(look, s.check)
	}
}

// Hidden ends the looking.
func (s *screen) Hidden() {
	if s.stop != nil {
		s.stop()
		s.stop = nil
	}
}

// Close drops what is on its way.
func (s *screen) Close() {
	s.closed = true
	s.Hidden()
}

// Takes says that all pictures of its kind are for this screen. Those with a list are the font workshop's, which is asked before.
func (s *screen) Takes(path string) bool { return strings.EqualFold(filepath.Ext(path), ".png") }

// Drop opens a picture; several are a batch.
func (s *screen) Drop(paths []string) bool {
	pictures := slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return !s.Takes(p) })
	switch len(pictures) {
	case 0:
		return false
	case 1:
		s.load(pictures[0], Guess)
	default:
		s.batch(pictures)
	}
	return true
}

// Focus opens a picture.
func (s *screen) Focus(what string) { s.load(what, Guess) }

// load reads a picture in the background.
func (s *screen) load(path string, d Direction) {
	s.opening++
	wanted := s.opening
	if s.open == nil {
		s.loading.Set("Opening "+filepath.Base(path), "Every colour is looked up in the palette.")
		s.put(container.NewStack(s.loading))
	}
	var p *Picture
	s.host.Go("Reading "+filepath.Base(path), func(ctx context.Context) error {
		var err error
		p, err = Open(ctx, path, d)
		return err
	}, func(err error) {
		if s.closed || wanted != s.opening {
			return
		}
		if err != nil {
			if s.open == nil {
				s.put(s.landing)
			} else {
				s.direction.Load(int(s.open.Direction - ToColors))
			}
			if !errors.Is(err, context.Canceled) {
				s.host.Error(fmt.Errorf("the picture was not opened: %w", err))
			}
			return
		}
		s.wanted = d
		s.arrived(p)
	})
}

func (s *screen) arrived(p *Picture) {
	if s.open == nil || s.open.Path != p.Path || s.open.Size != p.Size {
		s.fitted = false
	}
	if s.open == nil || s.open.Path != p.Path || s.open.Direction != p.Direction || s.picked.Odd >= 0 {
		s.picked = nothing()
	}
	s.open = p
	s.hover = nowhere
	s.remember(p.Path)
	s.put(s.page)
	s.fill()
	if room := s.pictures[0].Room(); !s.fitted && room.X > 0 && room.Y > 0 {
		s.view, s.window, s.fitted = widgets.FitPixels(p.Size, room), room, true
		s.showZoom()
	}
}

// check reads the picture again when another program has written it. One that is still being written is left for the next look.
func (s *screen) check() {
	if s.open == nil || s.reading || s.closed || !s.open.Changed() {
		return
	}
	old := s.open
	mark := stampOf(old.Path)
	if mark.size < 0 || s.failed == mark {
		return
	}
	s.reading = true
	var p *Picture
	s.host.Go("Reading "+filepath.Base(old.Path)+" again", func(ctx context.Context) error {
		var err error
		p, err = Open(ctx, old.Path, s.wanted)
		return err
	}, func(err error) {
		s.reading = false
		if s.closed || s.open != old {
			return
		}
		if err != nil {
			s.failed = mark
			s.verdict.Set("The file has changed, and cannot be read now: "+err.Error(), widgets.Warning)
			s.top.Refresh()
			return
		}
		s.arrived(p)
	})
}

// fill shows the picture that is open.
func (s *screen) fill() {
	p := s.open
	s.place.SetText(p.Path)
	s.summary.SetText(fmt.Sprintf("%s · %d × %d · %s", filepath.Base(p.Path), p.Size.X, p.Size.Y, indices(p.Used())))
	s.direction.Load(int(p.Direction - ToColors))
	names := [2]string{"Colours", "Indices, as they will look"}
	if p.Direction == ToColors {
		names = [2]string{"Indices", "Colours"}
	}
	if s.raw[p.Direction] {
		names[map[Direction]int{ToColors: 0, ToIndices: 1}[p.Direction]] = "Indices, as greys"
	}
	for i, word := range []string{"Source · ", "Result · "} {
		s.captions[i].SetText(word + names[i])
	}
	s.rawChip.Load(s.raw[p.Direction])
	s.marksChip.Load(s.marks)
	text, tone := verdict(p)
	s.verdict.Set(text, tone)
	s.oddHead.SetText("Not in the palette")
	if n := len(p.Odd); n > 0 {
		more := ""
		if p.MoreOdd {
			more = "+"
		}
		s.oddHead.SetText(fmt.Sprintf("Not in the palette: %s%s", ui.Plural(n, "colour"), more))
	}
	switch {
	case len(p.Odd) > 0:
	case p.Direction == ToColors:
		s.none.Set("Every index has a colour", "Resolve the result, and the same indices come back.")
	default:
		s.none.Set("All colours are exact", "Every colour of the picture is one of the palette.")
	}
	s.none.Hidden = len(p.Odd) > 0
	s.none.Refresh()
	s.odd.Refresh()
	s.odd.Mark(s.picked.Odd)
	s.describe()
	s.redraw()
	s.top.Refresh()
	s.page.Refresh()
}

// verdict says what the conversion comes to.
func verdict(p *Picture) (string, widgets.Tone) {
	switch {
	case p.Direction == ToColors && p.Colored > 0:
		return fmt.Sprintf("%s of this picture differ in red, green and blue: it may have colours already. Only red counts as the index.", ui.Plural(p.Colored, "pixel")), widgets.Warning
	case p.Direction == ToColors:
		return fmt.Sprintf("%s get the colours of the palette.", indices(p.Used())), widgets.Neutral
	case p.Inexact.Pixels > 0:
		return fmt.Sprintf("%s are not in the palette and get the nearest colour; the furthest is off by %d.", ui.Plural(p.Inexact.Pixels, "pixel"), p.Inexact.Distance()), widgets.Warning
	case p.Colored == 0:
		return "This picture has no colours: it may be in indices already.", widgets.Notice
	}
	return "All colours are in the palette.", widgets.Success
}

// indices counts them in words.
func indices(n int) string {
	if n == 1 {
		return "1 index"
	}
	return ui.Count(int64(n)) + " indices"
}

// offText writes a distance.
func offText(o Odd) string { return strconv.FormatFloat(o.Distance(), 'f', 1, 64) }

// describe says what is under the pointer, or what is highlighted.
func (s *screen) describe() {
	p := s.open
	if p == nil {
		return
	}
	text := ""
	switch index := s.grid.at; {
	case index >= 0:
		text = describeIndex(p, index)
	case p.In(s.hover):
		text = p.Describe(s.hover)
	case s.picked.Odd >= 0:
		o := p.Odd[s.picked.Odd]
		text = fmt.Sprintf("%s gets index %d %s: %s", hex(o.Color), o.Index, hex(palette.Color(o.Index)), ui.Plural(o.Pixels, "pixel"))
	case s.picked.Index >= 0:
		text = describeIndex(p, s.picked.Index)
	default:
		text = "Point at a pixel or a colour. A tap highlights all pixels of its index."
	}
	s.detail.SetText(text)
}

func describeIndex(p *Picture, index int) string {
	name := hex(palette.Color(uint8(index)))
	if index == 0 {
		name = "transparent"
	}
	return fmt.Sprintf("Index %d, %s: %s", index, name, ui.Plural(p.Counts[index], "pixel"))
}

// show gives how the pictures are drawn.
func (s *screen) show() Show {
	pick := s.picked
	if pick.Index >= 0 && s.open.Counts[pick.Index] == 0 {
		pick = nothing() // there would be nothing left to see
	}
	return Show{Raw: s.raw[s.open.Direction], Marks: s.marks, Pick: pick, Hover: s.hover}
}

func (s *screen) redraw() {
	for _, v := range s.pictures {
		v.Redraw()
	}
	s.grid.Redraw()
}

func (s *screen) showZoom() { s.zoomText.SetText(fmt.Sprintf("%d×", s.view.Zoom)) }

func (s *screen) set(v widgets.PixelView) {
	if s.open != nil {
		s.view = v.Clamp(s.open.Size, s.window)
		s.showZoom()
		s.redraw()
	}
}

// move moves both pictures by device pixels.
func (s *screen) move(by image.Point) {
	v := s.view
	v.At = v.At.Add(by)
	s.set(v)
}

// zoom steps the enlargement of both pictures around a place of the window.
func (s *screen) zoom(by int, place image.Point) {
	if s.open != nil && s.view.Zoom > 0 {
		s.set(s.view.ZoomAt(s.view.Step(by), place))
	}
}

func (s *screen) fit() {
	s.fitted = false
	s.redraw()
}

// point follows the pointer in both pictures.
func (s *screen) point(at image.Point) {
	if s.open == nil || at == s.hover || !s.open.In(at) && !s.open.In(s.hover) {
		return
	}
	s.hover = at
	s.describe()
	s.redraw()
}

// pickIndex highlights the pixels of an index, or ends that.
func (s *screen) pickIndex(i int) {
	if s.picked.Index == i {
		i = -1
	}
	s.pick(Pick{i, -1})
}

func (s *screen) pick(k Pick) {
	if s.open == nil {
		return
	}
	s.picked = k
	s.odd.Mark(k.Odd)
	if k.Odd >= 0 && s.window != (image.Point{}) {
		first := s.open.Odd[k.Odd].First
		s.view = s.view.Reveal(image.Rectangle{Min: first, Max: first.Add(image.Pt(1, 1))}, s.open.Size, s.window)
	}
	s.describe()
	s.redraw()
}

// nextOdd leads to the next colour that is not in the palette, beginning with the furthest.
func (s *screen) nextOdd() {
	if s.open != nil && len(s.open.Odd) > 0 {
		s.odd.Select((s.odd.Selected() + 1) % len(s.open.Odd))
	}
}

func (s *screen) turn(d Direction) {
	if s.open != nil && s.open.Direction != d {
		s.load(s.open.Path, d)
	}
}

// saveResult asks where the result goes and writes it.
func (s *screen) saveResult() {
	p := s.open
	if p == nil {
		return
	}
	target := p.Target()
	s.host.Chooser().Save("Save the result", filepath.Dir(target), filepath.Base(target), func(path string) {
		if filepath.Ext(path) == "" {
			path += ".png"
		}
		if _, err := os.Stat(path); err == nil {
			what := path + " exists already."
			if same(path, p.Path) {
				what = path + " is the picture that is open."
			}
			s.host.Confirm("Replace "+filepath.Base(path)+"?", what, "Replace", func() { s.write(p, path) })
			return
		}
		s.write(p, path)
	})
}

// same says whether two paths are the same file.
func same(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

func (s *screen) write(p *Picture, path string) {
	s.host.Go("Saving "+filepath.Base(path), func(context.Context) error {
		f, err := atomicfile.Create(path)
		if err != nil {
			return err
		}
		defer f.Abort()
		if err := picture.Write(f, p.Result()); err != nil {
			return err
		}
		return f.Commit()
	}, func(err error) {
		if err != nil {
			s.host.Error(fmt.Errorf("the result was not saved: %w", err))
			return
		}
		s.host.Notify("Saved " + path)
	})
}

// batchFolder turns all pictures of a folder, but not of those in it.
func (s *screen) batchFolder() {
	s.host.Chooser().Folder("Choose the folder with the pictures", s.folder(), func(folder string) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			s.host.Error(fmt.Errorf("the folder was not read: %w", err))
			return
		}
		var pictures []string
		for _, e := range entries {
			if !e.IsDir() && s.Takes(e.Name()) {
				pictures = append(pictures, filepath.Join(folder, e.Name()))
			}
		}
		if len(pictures) == 0 {
			s.host.Error(fmt.Errorf("%s: there are no pictures (.png) in this folder", folder))
			return
		}
		s.batch(pictures)
	})
}

// batch asks what becomes of several pictures and where they go, and makes a job of each.
func (s *screen) batch(pictures []string) {
	d := ToIndices
	if s.open != nil {
		d = s.open.Direction
	}
	verb := map[Direction]string{ToColors: "colours", ToIndices: "indices"}[d]
	s.host.Chooser().Folder(fmt.Sprintf("Choose the folder for the %s of %s", verb, ui.Plural(len(pictures), "picture")), filepath.Dir(pictures[0]), func(folder string) {
		replaced := 0
		targets := make([]string, len(pictures))
		taken := map[string]bool{}
		for i, source := range pictures {
			targets[i] = filepath.Join(folder, filepath.Base(source))
			if same(folder, filepath.Dir(source)) {
				targets[i] = targetName(source, d)
			}
			if taken[targets[i]] {
				s.host.Error(fmt.Errorf("two pictures would both be written to %s; turn them one after the other", targets[i]))
				return
			}
			taken[targets[i]] = true
			if _, err := os.Stat(targets[i]); !errors.Is(err, fs.ErrNotExist) {
				replaced++
			}
		}
		start := func() {
			for i, source := range pictures {
				s.host.Workspace().Queue.Add(job(d, source, targets[i]))
			}
			rows := s.host.Workspace().Queue.Rows()
			s.host.Show(ui.ScreenExports, strconv.Itoa(rows[len(rows)-len(pictures)].ID()))
		}
		if replaced > 0 {
			s.host.Confirm(fmt.Sprintf("Replace %s?", ui.Plural(replaced, "picture")), "They are in "+folder+" already.", "Replace", start)
			return
		}
		start()
	})
}

// addJob turns the open picture as a job.
func (s *screen) addJob() {
	if p := s.open; p != nil {
		row := s.host.Workspace().Queue.Add(job(p.Direction, p.Path, p.Target()))
		s.host.Show(ui.ScreenExports, strconv.Itoa(row.ID()))
	}
}

func (s *screen) copyCommand() {
	if p := s.open; p != nil {
		s.host.Copy(ui.CommandLine(job(p.Direction, p.Path, p.Target()).Command()))
		s.host.Notify("The command is in the clipboard")
	}
}

func (s *screen) folder() string {
	if s.open == nil {
		return ""
	}
	return filepath.Dir(s.open.Path)
}

func (s *screen) chooseFile() {
	s.host.Chooser().File("Open a picture", s.folder(), []string{".png"}, func(path string) { s.load(path, Guess) })
}

// trySample opens the coloured picture of the sample font.
func (s *screen) trySample() {
	dir, err := examples.ExtractFont(folders.Data())
	if err != nil {
		s.host.Error(err)
		return
	}
	s.load(filepath.Join(dir, examples.FontColors), Guess)
}

// recent gives the pictures opened lately, the newest first.
func (s *screen) recent() []string {
	text := s.host.Settings().Project("").Values[rememberPictures]
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

func (s *screen) remember(path string) {
	list := []string{path}
	for _, p := range s.recent() {
		if p != path && len(list) < mostRecent {
			list = append(list, p)
		}
	}
	if slices.Equal(list, s.recent()) {
		return
	}
	s.host.Error(s.host.Settings().ChangeProject("", func(m *settings.Memory) { m.Values[rememberPictures] = strings.Join(list, "\n") }))
	s.fillRecents()
}

func (s *screen) fillRecents() {
	s.recents.Objects = nil
	list := s.recent()
	if len(list) > 0 {
		s.recents.Add(theme.Overline("Opened lately"))
	}
	for _, path := range list {
		s.recents.Add(widgets.NewPathRow(theme.IconIn(theme.IconImage, theme.ColorNameMuted), path, "", func() { s.load(path, Guess) }))
	}
	s.recents.Refresh()
}

func (s *screen) menu(at fyne.CanvasObject, items []*fyne.MenuItem) {
	c := s.host.Window().Canvas()
	place := fyne.CurrentApp().Driver().AbsolutePositionForObject(at)
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), c, place.Add(fyne.NewPos(0, at.Size().Height+2)))
}

func (s *screen) openMenu() {
	items := []*fyne.MenuItem{fyne.NewMenuItem("A picture…", s.chooseFile), fyne.NewMenuItem("The sample font in colours", s.trySample)}
	if list := s.recent(); len(list) > 0 {
		items = append(items, fyne.NewMenuItemSeparator())
		for _, path := range list {
			items = append(items, fyne.NewMenuItem(filepath.Join(filepath.Base(filepath.Dir(path)), filepath.Base(path)), func() { s.load(path, Guess) }))
		}
	}
	s.menu(s.openButton, items)
}

func (s *screen) moreMenu() {
	s.menu(s.more, []*fyne.MenuItem{
		fyne.NewMenuItem("Save as a job", s.addJob),
		fyne.NewMenuItem("All pictures in a folder…", s.batchFolder),
		fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem("Copy as command", s.copyCommand),
		fyne.NewMenuItem("Show in its folder", func() { s.host.OpenFolder(s.open.Path) }),
	})
}

func (s *screen) focus(o fyne.Focusable) {
	if c := s.host.Window().Canvas(); c != nil {
		c.Focus(o)
	}
}

func (s *screen) put(o fyne.CanvasObject) {
	if s.root.Objects[0] != o {
		s.root.Objects[0] = o
		s.root.Refresh()
	}
}

// Commands gives all that the screen can do.
func (s *screen) Commands() []ui.Command {
	open := func() bool { return s.open != nil }
	odd := func() bool { return open() && len(s.open.Odd) > 0 }
	here := func(f func()) func() { return func() { s.host.Show(ui.ScreenPalette, ""); f() } }
	return []ui.Command{
		{ID: "palette.open", Title: "Open a picture for the palette…", Menu: ui.MenuExport, Group: 8, Icon: theme.Icon(theme.IconPalette), Run: here(s.chooseFile)},
		{ID: "palette.batch", Title: "Palette: all pictures in a folder…", Run: here(s.batchFolder)},
		{ID: "palette.sample", Title: "Palette: open the sample font in colours", Run: here(s.trySample)},
		{ID: "palette.save", Title: "Palette: save the result…", Enabled: open, Run: s.saveResult},
		{ID: "palette.job", Title: "Palette: save the result as a job", Enabled: open, Run: s.addJob},
		{ID: "palette.copyCommand", Title: "Palette: copy as command", Enabled: open, Run: s.copyCommand},
		{ID: "palette.toColours", Title: "Palette: turn indices into colours", Enabled: open, Run: func() { s.turn(ToColors) }},
		{ID: "palette.toIndices", Title: "Palette: turn colours into indices", Enabled: open, Run: func() { s.turn(ToIndices) }},
		{ID: "palette.marks", Title: "Palette: mark colours that are not in it", Enabled: open, Run: s.marksChip.Toggle},
		{ID: "palette.raw", Title: "Palette: show indices as greys", Enabled: open, Run: s.rawChip.Toggle},
		{ID: "palette.nextInexact", Title: "Palette: next colour that is not in it", Enabled: odd, Run: s.nextOdd},
		{ID: "palette.clear", Title: "Palette: end the highlight", Enabled: func() bool { return open() && s.picked.Any() }, Run: func() { s.pick(nothing()) }},
		{ID: "palette.zoomIn", Title: "Palette: zoom in", Enabled: open, Run: func() { s.zoom(1, s.window.Div(2)) }},
		{ID: "palette.zoomOut", Title: "Palette: zoom out", Enabled: open, Run: func() { s.zoom(-1, s.window.Div(2)) }},
		{ID: "palette.fit", Title: "Palette: show all of the picture", Enabled: open, Run: s.fit},
	}
}

// build makes the widgets.
func (s *screen) build() {
	open := widget.NewButtonWithIcon("Open a picture…", theme.Icon(theme.IconFolderOpen), s.chooseFile)
	open.Importance = widget.HighImportance
	all := widget.NewButtonWithIcon("All in a folder…", theme.Icon(theme.IconExports), s.batchFolder)
	try := widgets.NewLink("Try it on the sample font", s.trySample)
	empty := widgets.NewEmptyState(theme.Icon(theme.IconPalette), "Colours to indices, and back",
		"Open or drop a picture (.png). Colours become the nearest of the game's 256, and indices the colours that they stand for. Both pictures stand side by side, "+
			"and what is not exact is marked and counted before anything is written.", open, all, try)
	s.recents = widgets.NewStack(2)
	s.landing = container.New(landingLayout{}, empty, s.recents)
	s.loading = widgets.NewEmptyState(theme.Icon(theme.IconWaiting), "", "")

	s.summary = theme.Muted("").WithTruncation(theme.TruncateEnd)
	s.place = theme.MonoMuted("").WithTruncation(theme.TruncateMiddle)
	s.openButton = widget.NewButtonWithIcon("Open", theme.Icon(theme.IconFolderOpen), s.openMenu)
	s.save = widget.NewButtonWithIcon("Save result…", theme.Icon(theme.IconSave), s.saveResult)
	s.save.Importance = widget.HighImportance
	s.more = widget.NewButtonWithIcon("", theme.Icon(theme.IconMore), s.moreMenu)
	s.verdict = widgets.NewNote("", widgets.Neutral)

	s.direction = widgets.NewSegmented([]string{"To colours", "To indices"}, func(i int) { s.turn(ToColors + Direction(i)) })
	s.zoomText = theme.Caption("").WithAlign(fyne.TextAlignCenter)
	smaller := widgets.NewIconButton(theme.Icon(theme.IconRemove), "Zoom out", func() { s.zoom(-1, s.window.Div(2)) })
	larger := widgets.NewIconButton(theme.Icon(theme.IconAdd), "Zoom in", func() { s.zoom(1, s.window.Div(2)) })
	fit := widgets.NewLink("Fit", s.fit)
	s.marksChip = widgets.NewChip("Mark inexact", true, func(on bool) { s.marks = on; s.redraw() })
	s.rawChip = widgets.NewChip("Indices as greys", false, func(on bool) {
		s.raw[s.open.Direction] = on
		s.fill()
	})
	strip := container.New(&widgets.FlowLayout{Gap: 8, Line: 26}, s.direction, container.NewHBox(smaller, container.NewGridWrap(fyne.NewSize(26, 26), s.zoomText), larger),
		container.NewCenter(fit), s.marksChip.Pressable, s.rawChip.Pressable)

	for i := range s.pictures {
		s.captions[i] = theme.Caption("").WithTruncation(theme.TruncateEnd)
		s.pictures[i] = newPictureView(s, Side(i))
	}
	side := func(i int) fyne.CanvasObject {
		return container.NewBorder(container.New(&widgets.PadLayout{Left: 10, Top: 4, Right: 10, Bottom: 4}, s.captions[i]), nil, nil, nil, s.pictures[i])
	}
	pair := container.New(pairLayout{}, side(0), widgets.NewGround(theme.ColorNameHairline, 0), side(1))

	s.grid = newGridView(s)
	s.detail = theme.Caption("")
	s.detail.Wrap = true
	s.odd = widgets.NewRows(func() int {
		if s.open == nil {
			return 0
		}
		return len(s.open.Odd)
	}, func() fyne.CanvasObject { return newOddRow() }, func(i int, o fyne.CanvasObject) { o.(*oddRow).set(s.open.Odd[i]) })
	s.odd.Height = theme.Size(theme.SizeNameRow)
	s.odd.OnSelected = func(i int) { s.pick(Pick{-1, i}) }
	s.odd.OnKey = func(e *fyne.KeyEvent) bool {
		if e.Name == fyne.KeyEscape {
			s.pick(nothing())
			return true
		}
		return false
	}
	s.none = widgets.NewEmptyState(theme.Icon(theme.IconHealthy), "", "")
	s.oddHead = theme.Overline("").WithTruncation(theme.TruncateEnd)
	list := container.NewBorder(container.New(&widgets.PadLayout{Left: panelPad, Top: 6, Right: panelPad, Bottom: 4}, s.oddHead), nil, nil, nil, container.NewStack(s.odd, s.none))
	panel := container.NewStack(widgets.NewGround(theme.ColorNamePanel, 0),
		container.New(panelLayout{}, s.grid, s.detail, widgets.NewGround(theme.ColorNameHairline, 0), list))

	head := container.New(widgets.HeadLayout{}, theme.Title("Palette"), s.summary, container.NewHBox(s.openButton, s.save, s.more))
	s.top = widgets.NewStack(6, head, s.place, s.verdict, strip)
	body := widgets.NewAdaptive(pair, panel, 480, 0.74, 0.5)
	s.page = container.New(widgets.PageLayout{}, container.New(&widgets.PadLayout{Left: 16, Top: 10, Right: 16, Bottom: 8}, s.top),
		widgets.NewGround(theme.ColorNameHairline, 0), body)
	s.root = container.NewStack(s.landing)
	s.fillRecents()
}
