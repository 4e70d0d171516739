package fonts

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/export"
	"talebinder/formats/jazz2/charlist"
	"talebinder/gui/settings"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/project/atomicfile"
	"talebinder/project/document"
)

// What is remembered without any project, and how many fonts of it.
const (
	rememberFonts  = "fonts"
	rememberSample = "fontSample"
	mostRecent     = 8
)

var (
	errNothingChosen = errors.New("no glyph is chosen")
	errMend          = errors.New("the list has to be mended first")
)

// source says where a glyph was chosen; everything else follows.
type source uint8

const (
	fromList source = iota
	fromSheet
	fromElsewhere
)

type screen struct {
	host ui.Host
	work *Workshop // nil while nothing is open

	table   Table
	found   []Problem
	problem *Problem // the chosen one
	glyph   int      // the chosen one, or -1
	atlas   bool
	overlay Overlay
	sample  Sample
	dragged int // the advance that is being dragged, or -1

	shown, closed bool
	opening       int // counts what was asked for, so that an answer that comes late is dropped
	began         int // round of the packing that was begun last
	packing       context.CancelFunc
	looking       bool
	again         bool // files have changed while they were looked at
	tries         int
	tripTold      bool            // the line above the font is about a round trip of what it was
	keep          bool            // the edits are kept although the list has changed on disk
	agreed        map[string]bool // targets that may be replaced without a question
	stopWatch     func()

	watch func(folder string, names []string, changed func()) (stop func(), err error)
	after func(d time.Duration, f func())
	first func() // what a person sees who has never opened a font

	root, landing, page, recents *fyne.Container
	loading                      *widgets.EmptyState
	top                          *fyne.Container
	summary, place, state        *theme.Text
	banner                       *fyne.Container
	bannerNote                   *widgets.Note
	openButton, save, trip, more *widget.Button
	lists                        *lists
	inspector                    *inspector
	sheet                        *sheetView
	which                        *widgets.Segmented
	zoomText                     *theme.Text
	chips                        map[string]*widgets.Chip
	blank                        *widgets.EmptyState
	view                         *sampleView
	text                         *widget.Entry
	hex                          *widgets.Entry
	grounds, zooms               *widgets.Segmented
	lacks                        *theme.Text
}

var (
	_ ui.Screen  = (*screen)(nil)
	_ ui.Focuser = (*screen)(nil)
	_ ui.Taker   = (*screen)(nil)
	_ ui.Editor  = (*screen)(nil)
)

// New makes the screen.
func New(h ui.Host) ui.Screen { return newScreen(h) }

func newScreen(h ui.Host) *screen {
	s := &screen{host: h, glyph: -1, dragged: -1, agreed: map[string]bool{}, watch: watchFiles}
	s.after = func(d time.Duration, f func()) { time.AfterFunc(d, func() { h.Do(f) }) }
	s.first = s.openSample
	s.build()
	return s
}

func (s *screen) ID() string                 { return ui.ScreenFonts }
func (s *screen) Title() string              { return "Fonts" }
func (s *screen) Icon() fyne.Resource        { return theme.Icon(theme.IconFont) }
func (s *screen) Content() fyne.CanvasObject { return s.root }

// Badge counts what keeps the font from being packed, and what is to be said about it.
func (s *screen) Badge() string {
	if len(s.found) == 0 {
		return ""
	}
	return strconv.Itoa(len(s.found))
}

// Shown looks at the files again, for systems that cannot watch them.
func (s *screen) Shown() {
	s.shown = true
	switch {
	case s.work != nil:
		s.look()
	case s.opening == 0 && len(s.recent()) == 0:
		s.first()
	}
}

// Hidden keeps the text of the sample for the next time.
func (s *screen) Hidden() {
	s.shown = false
	s.keepSample()
}

func (s *screen) keepSample() {
	if s.sample.Text == s.settledText() {
		return
	}
	s.host.Error(s.host.Settings().ChangeProject("", func(m *settings.Memory) { m.Values[rememberSample] = s.sample.Text }))
}

// settledText is the text of the sample that was kept last.
func (s *screen) settledText() string {
	if text, ok := s.host.Settings().Project("").Values[rememberSample]; ok {
		return text
	}
	return firstSample
}

// Close ends watching and packing.
func (s *screen) Close() {
	s.closed = true
	s.keepSample()
	s.unwatch()
	if s.packing != nil {
		s.packing()
	}
}

// Takes says which files are for this screen. A picture is one when it has a list beside it, or stands in front of it already.
func (s *screen) Takes(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".font":
		return true
	case ".png":
		if s.shown {
			return true
		}
		list, _ := export.FontListPath(path)
		_, err := os.Stat(list)
		return err == nil
	case ".json":
		if isList(path) {
			return true
		}
	}
	return s.shown && s.inspector.lacks.takes(path)
}

// Drop opens a grid image, its list or a packed font. Texts are checked for what the open font lacks.
func (s *screen) Drop(paths []string) bool {
	texts := slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return isList(p) || !s.inspector.lacks.takes(p) })
	if len(texts) > 0 {
		s.inspector.lacks.load(texts)
		return true
	}
	i := slices.IndexFunc(paths, s.Takes)
	if i < 0 {
		return false
	}
	s.show(paths[i])
	return true
}

// Focus opens a font, or chooses a glyph of the one that is open by its code point: U+0041.
func (s *screen) Focus(what string) {
	if code, ok := strings.CutPrefix(what, "U+"); ok && s.work != nil {
		if n, err := strconv.ParseUint(code, 16, 32); err == nil && s.work.List() != nil {
			i := slices.IndexFunc(s.work.List().Characters, func(c charlist.Character) bool { return uint64(c.Code) == n })
			if i >= 0 {
				s.choose(i, fromElsewhere)
			}
			return
		}
	}
	switch what {
	case "problems":
		s.lists.turn(1)
		if len(s.lists.lines) > 0 {
			s.lists.problems.Select(0)
		}
	case "glyphs":
		s.lists.turn(0)
	case "coverage":
		s.inspector.turn(coverageTab)
	default:
		if s.inspector.lacks.takes(what) && !isList(what) {
			s.inspector.lacks.load([]string{what})
			return
		}
		s.show(what)
	}
}

// isList says whether a path is named as a list is.
func isList(path string) bool { return strings.HasSuffix(strings.ToLower(path), ".png.json") }

// show opens what a path leads to, after asking about edits that are not saved.
func (s *screen) show(path string) {
	if s.Dirty() {
		s.host.Confirm("Open another font?", "The changes of "+strings.Join(s.DirtyFiles(), ", ")+" are not saved and would be lost.", "Discard and open", func() { s.open(path) })
		return
	}
	s.open(path)
}

func (s *screen) open(path string) {
	s.opening++
	wanted := s.opening
	if s.work == nil {
		s.loading.Set("Opening "+filepath.Base(path), "The image and its list are read, and the font is packed.")
		s.put(container.NewStack(s.loading))
	}
	var w *Workshop
	s.host.Go("Opening "+filepath.Base(path), func(ctx context.Context) error {
		var err error
		w, err = Open(ctx, path)
		return err
	}, func(err error) {
		if s.closed || wanted != s.opening {
			return
		}
		if err != nil {
			if s.work == nil {
				s.put(s.landing)
			}
			if !errors.Is(err, context.Canceled) {
				s.host.Error(fmt.Errorf("nothing was opened: %w", err))
			}
			return
		}
		s.arrived(w)
	})
}

func (s *screen) arrived(w *Workshop) {
	again := s.work != nil && s.work.Path == w.Path
	s.work = w
	s.began = w.Round()
	s.keep, s.tries = false, 0
	s.problem = nil
	if !again {
		s.glyph = -1
		s.table = Table{}
		s.lists.search.Entry.SetText("")
		s.lists.only.Load(false)
		s.atlas = w.Form == PackedFont
		s.which.Load(map[bool]int{false: 0, true: 1}[s.atlas])
		s.view.offset = fyne.Delta{}
		s.sheet.fitted = false
		if l := w.List(); l != nil {
			s.glyph = max(0, slices.IndexFunc(l.Characters, func(c charlist.Character) bool { return c.Code == 'A' }))
		}
	}
	s.remember(w.Path)
	s.rewatch()
	s.banner.Hide()
	s.put(s.page)
	s.fill()
	if !again && len(s.found) > 0 && s.found[0].Level == Error {
		s.Focus("problems")
	} else if !again {
		s.lists.turn(0)
		s.lists.glyphs.ScrollTo(s.table.Row(s.glyph))
	}
}

// fill shows the font as it is now.
func (s *screen) fill() {
	w := s.work
	s.found = w.Problems()
	s.problem = s.sameProblem()
	if l := w.List(); l == nil || s.glyph >= len(l.Characters) {
		s.glyph = -1
	}
	s.place.SetText(w.Path)
	s.summary.SetText(s.summaryText())
	s.lists.fill()
	s.inspector.showGlyph()
	s.inspector.showFont()
	s.inspector.lacks.update()
	s.showBlank()
	s.sheet.Redraw()
	s.showSample()
	s.controls()
	s.host.BadgesChanged()
}

// sameProblem finds the chosen problem among those of now.
func (s *screen) sameProblem() *Problem {
	if s.problem == nil {
		return nil
	}
	for i := range s.found {
		if s.found[i].Title == s.problem.Title {
			if len(s.problem.Spots) == 1 && len(s.found[i].Spots) > 1 {
				return s.problem
			}
			return &s.found[i]
		}
	}
	return nil
}

func (s *screen) summaryText() string {
	w := s.work
	parts := []string{w.Name()}
	if l := w.List(); l != nil {
		parts = append(parts, ui.Plural(len(l.Characters), "glyph"))
	}
	if f := w.Font(); f != nil {
		parts = append(parts, fmt.Sprintf("atlas %d × %d", f.Atlas.Width, f.Atlas.Height), ui.Size(w.Result().Size))
	} else {
		parts = append(parts, "not packed")
	}
	return strings.Join(parts, " · ")
}

// controls turns buttons on and off.
func (s *screen) controls() {
	ready := s.work != nil && s.work.Font() != nil && s.work.Result().Err == nil
	on := func(b *widget.Button, enabled bool) {
		if enabled == b.Disabled() {
			if enabled {
				b.Enable()
			} else {
				b.Disable()
			}
		}
	}
	on(s.save, ready && (s.work.Form != PackedFont || s.Dirty()))
	on(s.trip, ready)
	title := "Pack .font"
	if s.work != nil && s.work.Form == PackedFont {
		title = "Save"
	}
	if s.save.Text != title {
		s.save.SetText(title)
	}
	state := ""
	switch {
	case s.work == nil:
	case s.began != s.work.Round() || s.packing != nil:
		state = "Packing…"
	case s.Dirty():
		state = filepath.Base(s.work.ListPath()) + " is not saved"
	case s.work.Form != PackedFont && s.work.Result().Err == nil:
		state = fmt.Sprintf("Packed in %d ms", max(1, s.work.Result().Took.Milliseconds()))
	}
	s.state.SetText(state)
}

// chosen gives the chosen glyph.
func (s *screen) chosen() (Glyph, bool) {
	if s.work == nil {
		return Glyph{}, false
	}
	return s.work.Glyph(s.glyph)
}

// choose chooses a glyph everywhere.
func (s *screen) choose(i int, from source) {
	if s.work == nil || i == s.glyph && from == fromList {
		return
	}
	s.glyph = i
	if from != fromList {
		row := s.table.Row(i)
		s.lists.glyphs.Mark(row)
		if row >= 0 {
			s.lists.glyphs.ScrollTo(row)
		}
	}
	if from == fromElsewhere || from == fromSheet {
		s.inspector.turn(0)
	}
	s.inspector.showGlyph()
	if from == fromSheet {
		s.sheet.Redraw()
		return
	}
	if from != fromElsewhere || s.problem == nil {
		s.problem = nil
		s.lists.problems.Mark(-1)
		s.lists.showDetail()
	}
	s.revealChosen()
}

// next goes to the glyph beside the chosen one in the list.
func (s *screen) next(by int) {
	if n := s.table.Len(); n > 0 {
		s.lists.glyphs.Select(min(max(s.table.Row(s.glyph)+by, 0), n-1))
	}
}

// chooseProblem leads to where a problem is.
func (s *screen) chooseProblem(l line) {
	p := s.found[l.problem]
	glyph := p.Glyph
	if l.spot >= 0 {
		p.Spots = p.Spots[l.spot : l.spot+1]
		glyph = p.Spots[0].Glyph
	} else if glyph < 0 && len(p.Spots) > 0 {
		glyph = p.Spots[0].Glyph
	}
	s.problem = &p
	if len(p.Spots) > 0 {
		s.showAtlas(p.Atlas)
	}
	if glyph >= 0 {
		s.choose(glyph, fromElsewhere)
	} else {
		s.revealChosen()
	}
	s.lists.showDetail()
}

// nextProblem chooses the problem, or the place of one, behind the chosen.
func (s *screen) nextProblem() {
	s.lists.turn(1)
	if n := len(s.lists.lines); n > 0 {
		s.lists.problems.Select((s.lists.problems.Selected() + 1) % n)
	}
}

func (s *screen) focus(o fyne.Focusable) {
	if c := s.host.Window().Canvas(); c != nil {
		c.Focus(o)
	}
}

// advance gives the advance of the chosen glyph, as it is dragged.
func (s *screen) advance(g Glyph) int {
	if s.dragged >= 0 && g.Index == s.glyph {
		return s.dragged
	}
	return g.Advance
}

// dragAdvance shows another advance without changing anything: only the glyph and the sample are drawn again.
func (s *screen) dragAdvance(v int) {
	if v == s.dragged {
		return
	}
	s.dragged = v
	s.inspector.view.Redraw()
	s.inspector.advance.load(v, nil)
	s.lists.glyphs.RefreshRow(s.table.Row(s.glyph))
	s.view.Redraw()
}

// dropAdvance makes the dragged advance an edit.
func (s *screen) dropAdvance() {
	v := s.dragged
	s.dragged = -1
	if v >= 0 {
		s.host.Error(s.setAdvance(v))
		s.inspector.showGlyph()
	}
}

func (s *screen) setAdvance(v int) error {
	if s.work == nil {
		return errNothingChosen
	}
	err := s.work.SetAdvance(s.glyph, v)
	if err == nil {
		s.edited()
	}
	return err
}

func (s *screen) stepAdvance(by int) {
	if g, ok := s.chosen(); ok && s.work.listErr == nil {
		if v := g.Advance + by; v >= 0 && v <= charlist.MaxAdvance {
			s.host.Error(s.setAdvance(v))
		}
	}
}

func (s *screen) set(setting Setting, v int) error {
	if s.work == nil {
		return errNothingChosen
	}
	err := s.work.Set(setting, v)
	if err == nil {
		s.edited()
	}
	return err
}

// edited takes up an edit, and packs when it has moved glyphs.
func (s *screen) edited() {
	if s.tripTold {
		s.tripTold = false
		s.banner.Hide()
		s.relayout()
	}
	s.fill()
	s.repack()
}

// repack packs in the background what has not been packed yet; an earlier packing is given up.
func (s *screen) repack() {
	if s.work == nil || s.began == s.work.Round() {
		return
	}
	if s.packing != nil {
		s.packing()
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.packing = cancel
	s.began = s.work.Round()
	w, job := s.work, s.work.Job()
	s.controls()
	var r *Result
	s.host.Go("Packing "+w.Name(), func(outer context.Context) error {
		defer context.AfterFunc(outer, cancel)()
		r = job.Run(ctx)
		return ctx.Err()
	}, func(error) {
		over := s.began == job.round && s.work == w
		if over {
			s.packing = nil
		}
		cancelled := ctx.Err() != nil
		cancel()
		if s.closed || !over || cancelled || !w.Adopt(job, r) {
			if over && !s.closed {
				s.controls()
			}
			return
		}
		s.fill()
	})
}

// The edits of the list, for the window.

func (s *screen) UndoTitle() string {
	if s.work == nil {
		return ""
	}
	return s.work.doc.UndoTitle()
}

func (s *screen) RedoTitle() string {
	if s.work == nil {
		return ""
	}
	return s.work.doc.RedoTitle()
}

func (s *screen) Undo() {
	if s.work != nil && s.work.Undo() {
		s.edited()
	}
}

func (s *screen) Redo() {
	if s.work != nil && s.work.Redo() {
		s.edited()
	}
}

func (s *screen) Dirty() bool { return s.work != nil && s.work.doc.Dirty() }

func (s *screen) DirtyFiles() []string {
	if !s.Dirty() {
		return nil
	}
	return []string{filepath.Base(s.work.ListPath())}
}

// Save writes the list, or the packed font that was opened.
func (s *screen) Save(done func(error)) {
	if done == nil {
		done = s.host.Error
	}
	if s.work == nil {
		done(nil)
		return
	}
	save := s.work.doc.Save
	if s.keep {
		save = s.work.doc.SaveOver
	}
	err := save()
	if conflict, ok := errorAs[*document.ConflictError](err); ok {
		s.showBanner()
		err = conflict
	}
	if err == nil {
		s.keep = false
		s.banner.Hide()
		s.relayout()
	}
	s.controls()
	s.host.BadgesChanged()
	done(err)
}

// Revert takes the edits back.
func (s *screen) Revert() {
	if s.work != nil {
		s.work.Revert()
		s.edited()
	}
}

// saveFont writes the packed font where it went before, saving the list first: what is packed is what the files say.
func (s *screen) saveFont() {
	if s.work == nil || s.work.Font() == nil {
		return
	}
	if s.work.Form == PackedFont {
		s.Save(func(err error) {
			s.host.Error(err)
			if err == nil {
				s.host.Notify("Saved " + s.work.Name())
			}
		})
		return
	}
	target := s.work.Target()
	if _, err := os.Stat(target); err == nil && !s.agreed[target] {
		s.host.Confirm("Replace "+filepath.Base(target)+"?", target+" exists already. It is asked once for each font.", "Replace", func() { s.saveFontTo(target) })
		return
	}
	s.saveFontTo(target)
}

func (s *screen) saveFontAs() {
	if s.work == nil || s.work.Font() == nil {
		return
	}
	s.host.Chooser().Save("Save the packed font", filepath.Dir(s.work.Path), filepath.Base(s.work.Target()), func(path string) {
		if filepath.Ext(path) == "" {
			path += ".font"
		}
		s.saveFontTo(path)
	})
}

func (s *screen) saveFontTo(target string) {
	w := s.work
	if target == w.ListPath() || target == w.Path || target == w.Path+".font" {
		s.host.Error(fmt.Errorf("the font was not saved: %s is one of the files that it is packed from; choose another name", target))
		return
	}
	if err := w.Result().Err; err != nil {
		s.host.Error(fmt.Errorf("the font was not saved: %w", err))
		return
	}
	write := func() {
		f := w.Font()
		size := 0
		s.host.Go("Saving "+filepath.Base(target), func(context.Context) error {
			data, err := f.File()
			if err != nil {
				return err
			}
			if err := verify(f, data); err != nil {
				return err
			}
			size = len(data)
			return atomicfile.Write(target, data)
		}, func(err error) {
			if err != nil {
				s.host.Error(fmt.Errorf("the font was not saved: %w", err))
				return
			}
			s.agreed[target] = true
			s.host.Notify(fmt.Sprintf("Packed %s, %s", filepath.Base(target), ui.ExactSize(int64(size))))
		})
	}
	if !s.Dirty() {
		write()
		return
	}
	s.Save(func(err error) {
		if err != nil {
			s.host.Error(fmt.Errorf("the font was not saved: %w", err))
			return
		}
		write()
	})
}

// packJob packs the files as a job of the queue.
func (s *screen) packJob() {
	if w := s.work; w != nil && w.Form != PackedFont {
		s.enqueue(export.NewPackFont(w.Path, w.Target()))
	}
}

func (s *screen) packAll() {
	start := ""
	if s.work != nil {
		start = filepath.Dir(s.work.Path)
	}
	s.host.Chooser().Folder("Pack all fonts in a folder", start, func(folder string) { s.enqueue(export.NewPackFonts(folder)) })
}

func (s *screen) enqueue(job export.Job) {
	row := s.host.Workspace().Queue.Add(job)
	s.host.Show(ui.ScreenExports, strconv.Itoa(row.ID()))
}

// unpack writes the packed font out as image and list, and goes on with those.
func (s *screen) unpack() {
	w := s.work
	if w == nil || w.Font() == nil {
		return
	}
	name := strings.TrimSuffix(w.Name(), filepath.Ext(w.Name()))
	if w.Form != PackedFont {
		name += "-grid"
	}
	s.host.Chooser().Save("Unpack into a grid image", filepath.Dir(w.Path), name+".png", func(path string) {
		if !strings.EqualFold(filepath.Ext(path), ".png") {
			path += ".png"
		}
		source := w.Path
		if w.Form != PackedFont {
			source = w.Target()
		}
		if _, err := os.Stat(path); err == nil {
			s.host.Confirm("Replace "+filepath.Base(path)+"?", "The image and the lists beside it exist already and are replaced.", "Replace", func() { s.unpackTo(source, path) })
			return
		}
		s.unpackTo(source, path)
	})
}

func (s *screen) unpackTo(source, path string) {
	var report *export.Report
	s.host.Go("Unpacking "+filepath.Base(source), func(ctx context.Context) error {
		var err error
		report, err = export.NewUnpackFont(source, path).Run(ctx, export.Discard())
		if report != nil && len(report.Errors) > 0 {
			return errors.New(report.Errors[0].Message)
		}
		return err
	}, func(err error) {
		if errors.Is(err, context.Canceled) {
			return
		}
		if err != nil {
			s.host.Error(fmt.Errorf("the font was not unpacked: %w", err))
			return
		}
		s.host.Notify("Unpacked into " + filepath.Base(path))
		s.show(path)
	})
}

// roundTrip packs, unpacks and packs again, and says what came of it.
func (s *screen) roundTrip() {
	w := s.work
	if w == nil || w.Font() == nil {
		return
	}
	f := w.Font()
	var t Trip
	s.host.Go("Round trip of "+w.Name(), func(ctx context.Context) error {
		var err error
		t, err = RoundTrip(ctx, f, w.Form == PackedFont)
		return err
	}, func(err error) {
		s.tripTold = true
		switch {
		case s.closed || errors.Is(err, context.Canceled):
		case err != nil:
			s.tell("Round trip: it was not finished, because of this: "+err.Error(), widgets.Danger)
		case t.Identical:
			s.tell(t.String(), widgets.Success)
		default:
			s.tell(t.String(), widgets.Danger)
		}
	})
}

// tell shows a line above the font until it is closed.
func (s *screen) tell(text string, tone widgets.Tone, actions ...fyne.CanvasObject) {
	s.bannerNote.Set(text, tone)
	actions = append(actions, widgets.NewIconButton(theme.Icon(theme.IconClose), "Close", func() { s.banner.Hide(); s.relayout() }))
	s.banner.Objects[1] = container.NewHBox(actions...)
	s.banner.Show()
	s.relayout()
}

func (s *screen) relayout() {
	s.top.Refresh()
	s.page.Refresh()
}

// showBanner asks what to do about a list that was changed here and on disk.
func (s *screen) showBanner() {
	name := filepath.Base(s.work.ListPath())
	s.tripTold = false
	s.tell(name+" was changed on disk, and here too.", widgets.Warning,
		widgets.NewLink("Keep mine", func() {
			s.keep = true
			s.banner.Hide()
			s.relayout()
			s.host.Notify("Your numbers are kept. Save writes them over " + name)
		}),
		widgets.NewLink("Reload", func() { s.banner.Hide(); s.relayout(); s.reload() }))
}

func (s *screen) copyCommand() {
	w := s.work
	if w == nil {
		return
	}
	job := export.NewPackFont(w.Path, w.Target())
	if w.Form == PackedFont {
		job = export.NewUnpackFont(w.Path, strings.TrimSuffix(w.Path, filepath.Ext(w.Path))+".png")
	}
	s.host.Copy(ui.CommandLine(job.Command()))
	s.host.Notify("The command is in the clipboard")
}

// beginList asks for the size of a cell and begins the list of an image that has none.
func (s *screen) beginList() {
	if s.work == nil || !s.work.NoList() {
		return
	}
	parse := func(text string) (int, int, error) {
		var w, h int
		if n, _ := fmt.Sscanf(strings.ReplaceAll(strings.ToLower(text), "×", "x"), "%dx%d", &w, &h); n != 2 || w < 1 || h < 1 || w > charlist.MaxCell || h > charlist.MaxCell {
			return 0, 0, errors.New("write width and height of a cell in pixels, such as 12x16")
		}
		return w, h, nil
	}
	s.host.Ask(ui.Question{
		Title: "Begin a list", Body: "The list begins with the 95 printable characters of ASCII, one in each cell from the top left. Edit it as text to add others.",
		Label: "Size of a cell in pixels", Text: "16x16", Verb: "Begin",
		Check: func(text string) error { _, _, err := parse(text); return err },
		OK: func(text string) {
			w, h, err := parse(text)
			if err == nil {
				err = s.work.BeginList(w, h)
			}
			if err != nil {
				s.host.Error(err)
				return
			}
			s.glyph = -1
			s.problem = nil
			s.lists.turn(0)
			s.edited()
		},
	})
}

// rewatch watches the files of the open font.
func (s *screen) rewatch() {
	s.unwatch()
	base := s.work.Name()
	stop, err := s.watch(filepath.Dir(s.work.Path), []string{base, base + ".json", base + ".font"}, func() { s.host.Do(s.look) })
	if err == nil {
		s.stopWatch = stop
	}
}

func (s *screen) unwatch() {
	if s.stopWatch != nil {
		s.stopWatch()
		s.stopWatch = nil
	}
}

// look takes up what another program has written.
func (s *screen) look() {
	if s.closed || s.work == nil {
		return
	}
	if s.looking {
		s.again = true
		return
	}
	s.looking, s.again = true, false
	w := s.work
	var l *Look
	s.host.Go("Reading "+w.Name()+" again", func(ctx context.Context) error {
		l = w.Look(ctx)
		return nil
	}, func(error) {
		s.looking = false
		if s.closed || s.work != w {
			return
		}
		s.take(l)
		if s.again {
			s.look()
		}
	})
}

func (s *screen) take(l *Look) {
	w := s.work
	if l == nil || l.Nothing() {
		if s.tries > 0 {
			s.tries = 0
		}
		return
	}
	if l.sheetErr != nil && s.tries < retries {
		s.tries++ // it may be in the middle of being written
		s.after(retryDelay, s.look)
		l.sheetErr = nil
		if l.Nothing() {
			return
		}
	} else if l.sheetErr == nil {
		s.tries = 0
	}
	w.Take(l)
	switch {
	case l.other && !s.Dirty():
		s.host.Error(w.SwitchList())
	case l.list && s.Dirty():
		if !s.keep {
			s.showBanner()
		}
	case l.list:
		s.reload()
		return
	}
	s.edited()
}

// reload takes the numbers from the file. A list in the middle of being written gives an error, which the next look mends.
func (s *screen) reload() {
	if s.work == nil {
		return
	}
	if err := s.work.Reload(); err != nil {
		if s.tries < retries {
			s.tries++
			s.after(retryDelay, s.look)
			return
		}
		s.host.Error(fmt.Errorf("the file was not read again: %w", err))
		return
	}
	s.edited()
}

// recent gives the fonts opened lately, the newest first.
func (s *screen) recent() []string {
	text := s.host.Settings().Project("").Values[rememberFonts]
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
	s.host.Error(s.host.Settings().ChangeProject("", func(m *settings.Memory) { m.Values[rememberFonts] = strings.Join(list, "\n") }))
	s.fillRecents()
}

func (s *screen) fillRecents() {
	s.recents.Objects = nil
	list := s.recent()
	if len(list) > 0 {
		s.recents.Add(theme.Overline("Opened lately"))
	}
	for _, path := range list {
		s.recents.Add(widgets.NewPathRow(theme.IconIn(theme.IconFont, theme.ColorNameMuted), path, "", func() { s.show(path) }))
	}
	s.recents.Refresh()
}

func (s *screen) chooseFile() {
	start := ""
	if s.work != nil {
		start = filepath.Dir(s.work.Path)
	}
	s.host.Chooser().File("Open a grid image or a packed font", start, []string{".png", ".font"}, s.show)
}

func (s *screen) openMenu() {
	items := []*fyne.MenuItem{fyne.NewMenuItem("A grid image or packed font…", s.chooseFile), fyne.NewMenuItem("The sample font", s.openSample)}
	if list := s.recent(); len(list) > 0 {
		items = append(items, fyne.NewMenuItemSeparator())
		for _, path := range list {
			items = append(items, fyne.NewMenuItem(filepath.Join(filepath.Base(filepath.Dir(path)), filepath.Base(path)), func() { s.show(path) }))
		}
	}
	s.menuBelow(s.openButton, items)
}

func (s *screen) moreMenu() {
	var items []*fyne.MenuItem
	if w := s.work; w != nil {
		if w.Form == PackedFont {
			items = append(items, fyne.NewMenuItem("Unpack to a grid image…", s.unpack))
		} else {
			items = append(items, fyne.NewMenuItem("Save the font as…", s.saveFontAs), fyne.NewMenuItem("Pack as a job in Exports", s.packJob))
		}
		if w.NoList() {
			items = append(items, fyne.NewMenuItem("Begin a list…", s.beginList))
		}
		items = append(items, fyne.NewMenuItem("Copy as command", s.copyCommand),
			fyne.NewMenuItem("Show in its folder", func() { s.host.OpenFolder(w.Path) }), fyne.NewMenuItemSeparator())
	}
	s.menuBelow(s.more, append(items, fyne.NewMenuItem("Pack all in a folder…", s.packAll)))
}

func (s *screen) menuBelow(o fyne.CanvasObject, items []*fyne.MenuItem) {
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), s.host.Window().Canvas(), at.AddXY(0, o.Size().Height))
}

// Commands are what the menus offer for fonts.
func (s *screen) Commands() []ui.Command {
	open := func() bool { return s.shown && s.work != nil }
	packed := func() bool { return open() && s.work.Font() != nil }
	sheet := func() bool { return packed() && s.work.Form != PackedFont }
	here := func(f func()) func() { return func() { s.host.Show(ui.ScreenFonts, ""); f() } }
	toggle := func(word string) func() { return func() { s.chips[word].Toggle() } }
	list := []ui.Command{
		{ID: "fonts.open", Title: "Open a font…", Menu: ui.MenuExport, Group: 8, Icon: theme.Icon(theme.IconFont), Run: here(s.chooseFile)},
		{ID: "fonts.openSample", Title: "Open the sample font", Run: here(s.openSample)},
		{ID: "fonts.packAll", Title: "Pack all fonts in a folder…", Menu: ui.MenuExport, Group: 8, Run: s.packAll},
		{ID: "fonts.pack", Title: "Pack the open font", Enabled: packed, Run: s.saveFont},
		{ID: "fonts.packAs", Title: "Save the open font as…", Enabled: sheet, Run: s.saveFontAs},
		{ID: "fonts.packJob", Title: "Pack the open font as a job", Enabled: sheet, Run: s.packJob},
		{ID: "fonts.unpack", Title: "Unpack the open font to a grid image…", Enabled: func() bool { return packed() && s.work.Form == PackedFont }, Run: s.unpack},
		{ID: "fonts.roundTrip", Title: "Round trip of the open font", Enabled: packed, Run: s.roundTrip},
		{ID: "fonts.copyCommand", Title: "Copy packing the font as a command", Enabled: open, Run: s.copyCommand},
		{ID: "fonts.beginList", Title: "Begin a list for the open sheet…", Enabled: func() bool { return open() && s.work.NoList() }, Run: s.beginList},
		{ID: "fonts.search", Title: "Search glyphs of the font", Enabled: open, Run: func() { s.lists.turn(0); s.lists.search.Focus() }},
		{ID: "fonts.nextProblem", Title: "Next problem of the font", Enabled: func() bool { return open() && len(s.found) > 0 }, Run: s.nextProblem},
		{ID: "fonts.sheet", Title: "Show the sheet or the atlas", Enabled: open, Run: func() { s.showAtlas(!s.atlas) }},
		{ID: "fonts.zoomIn", Title: "Zoom into the sheet", Enabled: open, Run: func() { s.sheet.zoom(1, s.sheet.middle()) }},
		{ID: "fonts.zoomOut", Title: "Zoom out of the sheet", Enabled: open, Run: func() { s.sheet.zoom(-1, s.sheet.middle()) }},
		{ID: "fonts.fit", Title: "Show all of the sheet", Enabled: open, Run: s.sheet.fit},
		{ID: "fonts.wider", Title: "Glyph: advance one pixel more", Enabled: open, Run: func() { s.stepAdvance(1) }},
		{ID: "fonts.narrower", Title: "Glyph: advance one pixel less", Enabled: open, Run: func() { s.stepAdvance(-1) }},
		{ID: "fonts.next", Title: "Next glyph", Enabled: open, Run: func() { s.next(1) }},
		{ID: "fonts.previous", Title: "Previous glyph", Enabled: open, Run: func() { s.next(-1) }},
		{ID: "fonts.numbers", Title: "Numbers and limits of the font", Enabled: open, Run: func() { s.inspector.turn(1) }},
	}
	for _, t := range []struct{ id, word, what string }{
		{"cells", "Cells", "cells"}, {"boxes", "Boxes", "trimmed boxes"}, {"baseline", "Baseline", "baselines"}, {"pages", "512 pages", "pages of 512 pixels"},
		{"padded", "Padded", "the padded texture"}, {"marks", "Marks", "marks on odd pixels"}, {"palette", "Palette", "the palette, or raw indices"},
	} {
		list = append(list, ui.Command{ID: "fonts." + t.id, Title: "Font: show " + t.what, Enabled: open, Run: toggle(t.word)})
	}
	list = append(list, s.inspector.lacks.commands()...)
	for i, word := range []string{"1×", "2×", "3×"} {
		list = append(list, ui.Command{ID: "fonts.sample" + strconv.Itoa(i+1), Title: "Font: sample at " + word, Enabled: open, Run: func() { s.zooms.SetSelected(i) }})
	}
	for i, word := range []string{"dark", "light", "chequer", "a colour"} {
		list = append(list, ui.Command{ID: "fonts.ground" + strconv.Itoa(i+1), Title: "Font: sample on " + word, Enabled: open, Run: func() { s.grounds.SetSelected(i) }})
	}
	return list
}

func (s *screen) redrawAll() {
	s.sheet.Redraw()
	s.inspector.view.Redraw()
	s.view.Redraw()
}

func (s *screen) put(o fyne.CanvasObject) {
	if s.root.Objects[0] != o {
		s.root.Objects[0] = o
		s.root.Refresh()
	}
}

// build makes the widgets.
func (s *screen) build() {
	open := widget.NewButtonWithIcon("Open a font…", theme.Icon(theme.IconFolderOpen), s.chooseFile)
	open.Importance = widget.HighImportance
	all := widget.NewButtonWithIcon("Pack all in a folder…", theme.Icon(theme.IconExports), s.packAll)
	empty := widgets.NewEmptyState(theme.Icon(theme.IconFont), "See a font as the game draws it",
		"Open or drop a grid image (.png with its list beside it) or a packed .font. While you draw in your image editor, every save is packed "+
			"and shown here at once: metrics, limits, warnings, and a line of text of your own.", open, all, widgets.NewLink("Try the sample font", s.openSample))
	s.recents = widgets.NewStack(2)
	s.landing = container.New(landingLayout{}, empty, s.recents)
	s.loading = widgets.NewEmptyState(theme.Icon(theme.IconWaiting), "", "")

	s.summary = theme.Muted("").WithTruncation(theme.TruncateEnd)
	s.place, s.state = theme.MonoMuted(""), theme.Caption("")
	s.state.Align = fyne.TextAlignTrailing
	s.openButton = widget.NewButtonWithIcon("Open", theme.Icon(theme.IconFolderOpen), s.openMenu)
	s.save = widget.NewButtonWithIcon("Pack .font", theme.Icon(theme.IconSave), s.saveFont)
	s.save.Importance = widget.HighImportance
	s.trip = widget.NewButtonWithIcon("Round trip", theme.Icon(theme.IconCompare), s.roundTrip)
	s.more = widget.NewButtonWithIcon("", theme.Icon(theme.IconMore), s.moreMenu)
	s.bannerNote = widgets.NewNote("", widgets.Neutral)
	s.banner = container.New(bannerLayout{}, s.bannerNote, container.NewHBox())
	s.banner.Hide()

	s.lists = newLists(s)
	centre := s.buildCentre()
	s.inspector = newInspector(s)
	bottom := s.buildSample()
	head := container.New(widgets.HeadLayout{}, theme.Title("Fonts"), s.summary, container.NewHBox(s.openButton, s.trip, s.save, s.more))
	s.top = widgets.NewStack(6, head, container.New(placeLayout{}, s.place, s.state), s.banner)

	// Both are shares of the width: the parts can be dragged wider.
	least := func(width, height float32, o fyne.CanvasObject) fyne.CanvasObject {
		return container.New(leastLayout{width, height}, o)
	}
	right := widgets.NewAdaptive(least(200, 120, centre), least(196, 120, s.inspector.object), 0, 0.66, 0.5)
	bench := widgets.NewAdaptive(least(176, 120, s.lists.object), least(400, 120, right), 0, 0.25, 0.5)
	const never = 1 << 20
	whole := widgets.NewAdaptive(least(280, 160, bench), bottom, never, 0.5, 0.75)
	s.page = container.New(widgets.PageLayout{}, container.New(&widgets.PadLayout{Left: 16, Top: 10, Right: 16, Bottom: 8}, s.top),
		widgets.NewGround(theme.ColorNameHairline, 0), whole)
	s.root = container.NewStack(s.landing)
	s.fillRecents()
}

// leastLayout gives an object all there is, and a least size of its own: the parts scroll or shrink inside.
type leastLayout struct{ width, height float32 }

func (l leastLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(l.width, l.height) }

func (l leastLayout) Layout(o []fyne.CanvasObject, size fyne.Size) { o[0].Resize(size) }

// placeLayout puts a path and a state into a line; the path gives way.
type placeLayout struct{}

func (placeLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(160, max(o[0].MinSize().Height, o[1].MinSize().Height))
}

func (placeLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	state := min(o[1].MinSize().Width, size.Width/2)
	o[0].Move(fyne.Position{})
	o[0].Resize(fyne.NewSize(max(0, size.Width-state-12), size.Height))
	o[1].Move(fyne.NewPos(size.Width-state, 0))
	o[1].Resize(fyne.NewSize(state, size.Height))
}

// bannerLayout puts what is to be said before its actions; it wraps.
type bannerLayout struct{}

func (bannerLayout) HeightFor(o []fyne.CanvasObject, width float32) float32 {
	return max(widgets.HeightFor(o[0], width-o[1].MinSize().Width-12), o[1].MinSize().Height)
}

func (l bannerLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(160, max(o[0].MinSize().Height, o[1].MinSize().Height))
}

func (l bannerLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	actions := o[1].MinSize()
	note := size.Width - actions.Width - 12
	height := widgets.HeightFor(o[0], note)
	o[0].Move(fyne.NewPos(0, max(0, (size.Height-height)/2)))
	o[0].Resize(fyne.NewSize(note, height))
	o[1].Move(fyne.NewPos(size.Width-actions.Width, (size.Height-actions.Height)/2))
	o[1].Resize(actions)
}

// landingLayout puts what the screen is for above what was opened lately, in the middle.
type landingLayout struct{}

const landingWidth = 520

func (landingLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(280, 200) }

func (landingLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	width := min(size.Width-32, landingWidth)
	y := float32(0)
	heights := [2]float32{widgets.HeightFor(o[0], width), widgets.HeightFor(o[1], width)}
	y = max(16, (size.Height-heights[0]-heights[1]-12)/2)
	for i := range o {
		o[i].Move(fyne.NewPos((size.Width-width)/2, y))
		o[i].Resize(fyne.NewSize(width, heights[i]))
		y += heights[i] + 12
	}
}
