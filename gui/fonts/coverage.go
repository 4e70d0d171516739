package fonts

import (
	"context"
	"errors"
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/examples"
	"talebinder/export"
	"talebinder/export/folders"
	"talebinder/export/fonts/coverage"
	"talebinder/formats/jazz2/charlist"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/project/assets"
	"talebinder/project/atomicfile"
)

// Covers gives what the game draws with the font as it is, or as far as the list says while it cannot be packed; nil when nothing
// is known.
func (w *Workshop) Covers() coverage.Font {
	switch {
	case w.result != nil && w.result.Font != nil:
		return coverage.Of(w.result.Font)
	case w.list != nil:
		return coverage.OfList(w.list)
	}
	return nil
}

// CanAddCells says why no cells can be added, or nil.
func (w *Workshop) CanAddCells() error {
	switch {
	case w.list == nil || w.listErr != nil:
		return errMend
	case w.Form == PackedFont:
		return errors.New("a packed font has no cells; unpack it to add some")
	}
	return nil
}

// AddCells adds empty cells for characters behind the others, as one step to undo. The image is not changed: see MissingRoom.
func (w *Workshop) AddCells(characters []rune) (*coverage.Cells, error) {
	if err := w.CanAddCells(); err != nil {
		return nil, err
	}
	cells := coverage.AddCells(w.list, characters)
	if len(cells.Added) == 0 {
		return cells, nil
	}
	text := cells.List.Binary()
	if w.Form == JSONList {
		var err error
		if text, _, err = cells.JSON(w.doc.Text()); err != nil {
			return nil, err
		}
	}
	title := "Add a cell for " + charlist.CodeName(uint32(cells.Added[0].Code))
	if n := len(cells.Added); n > 1 {
		title = fmt.Sprintf("Add %d cells", n)
	}
	w.doc.Apply(title, "", text)
	w.follow()
	return cells, nil
}

// MissingRoom gives the size that the image should have when cells lie outside of it.
func (w *Workshop) MissingRoom() (size image.Point, missing bool) {
	if w.Form == PackedFont || w.sheet == nil || w.list == nil {
		return image.Point{}, false
	}
	size = w.sheet.Rect.Size()
	need := image.Pt(max(size.X, min(len(w.list.Characters), w.list.Columns)*w.list.CellWidth), max(size.Y, w.list.Rows()*w.list.CellHeight))
	return need, need != size
}

// excerpt shows a text in one line, with the place of a character in sight.
func excerpt(text string, r rune) string {
	const before = 14
	runes := []rune(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text))
	if at := slices.Index(runes, r); at > before+2 {
		return "…" + string(runes[at-before:])
	}
	return string(runes)
}

// smallText is how many bytes of texts are checked at once; more are checked in the background.
const smallText = 1 << 18

// coveragePage shows the characters that the texts of a game need and the font lacks.
type coveragePage struct {
	s *screen

	files   []string
	texts   []coverage.String
	size    int // bytes of the texts
	report  *coverage.Report
	checked *Result // that the report is about
	round   int     // counts what was asked for
	chosen  rune    // of the missing characters, or -1

	object          *fyne.Container
	empty           *widgets.EmptyState
	project         *widgets.Link
	begin           *fyne.Container
	page            *fyne.Container
	names           *theme.Text
	verdict         *widgets.Note
	missing, places *widgets.Rows
	fine            *widgets.EmptyState
	add, addAll     *widget.Button
}

func newCoveragePage(s *screen) *coveragePage {
	p := &coveragePage{s: s, chosen: -1}
	open := widget.NewButtonWithIcon("Open a text…", theme.Icon(theme.IconFolderOpen), p.choose)
	p.project = widgets.NewLink("Check the project's tables", p.checkProject)
	p.empty = widgets.NewEmptyState(theme.Icon(theme.IconLabel), "What does the font lack?",
		"Drop a translation (.po), a localization table (.tloc) or any text on the window, to see the characters that this font cannot draw, and the strings that need them.")
	p.begin = container.New(beginLayout{}, p.empty, open, p.project)

	p.names = theme.Mono("").WithTruncation(theme.TruncateMiddle)
	p.verdict = widgets.NewNote("", widgets.Neutral)
	again := widgets.NewIconButton(theme.Icon(theme.IconFolderOpen), "Open another text", p.choose)
	end := widgets.NewIconButton(theme.Icon(theme.IconClose), "End the coverage", p.close)
	head := widgets.NewPad(10, widgets.NewStack(4, container.NewBorder(nil, nil, nil, container.NewHBox(again, end), p.names), p.verdict))

	p.missing = widgets.NewRows(func() int { return len(p.list()) }, func() fyne.CanvasObject { return newMissingRow() }, func(i int, o fyne.CanvasObject) {
		o.(*missingRow).set(p.list()[i])
	})
	p.missing.Height = theme.Size(theme.SizeNameRow)
	p.missing.OnSelected = func(i int) { p.pick(p.list()[i].Code) }
	p.missing.OnActivated = func(int) { p.addCells(false) }
	p.places = widgets.NewRows(func() int { return len(p.strings()) }, func() fyne.CanvasObject { return newPlaceRow() }, func(i int, o fyne.CanvasObject) {
		o.(*placeRow).set(p.report.Strings[p.strings()[i]], p.chosen)
	})
	p.places.Height = 38
	p.places.OnActivated = func(i int) { p.lead(p.report.Strings[p.strings()[i]]) }
	p.fine = widgets.NewEmptyState(theme.Icon(theme.IconHealthy), "Nothing is missing", "The font draws every character of these texts.")
	p.add = widget.NewButton("Add cell", func() { p.addCells(false) })
	p.addAll = widget.NewButton("Add all", func() { p.addCells(true) })
	foot := container.New(&widgets.PadLayout{Left: 10, Top: 6, Right: 10, Bottom: 8}, container.NewHBox(p.addAll, p.add))
	p.page = container.New(coverageLayout{}, head, container.NewStack(p.missing, p.fine), widgets.NewGround(theme.ColorNameHairline, 0), p.places,
		widgets.NewGround(theme.ColorNameHairline, 0), foot)
	p.object = container.NewStack(p.begin)
	return p
}

func (p *coveragePage) list() []coverage.Missing {
	if p.report == nil {
		return nil
	}
	return p.report.Missing
}

// strings gives the strings that need the chosen character.
func (p *coveragePage) strings() []int {
	for _, m := range p.list() {
		if m.Code == p.chosen {
			return m.Strings
		}
	}
	return nil
}

// takes says whether a file is a text of which the coverage can be shown.
func (p *coveragePage) takes(path string) bool { return p.s.work != nil && coverage.Reads(path) }

func (p *coveragePage) choose() {
	start := ""
	switch {
	case len(p.files) > 0:
		start = filepath.Dir(p.files[0])
	case p.s.work != nil:
		start = filepath.Dir(p.s.work.Path)
	}
	p.s.host.Chooser().File("Open a text of the game", start, coverage.Extensions(), func(path string) { p.load([]string{path}) })
}

// tables gives the localization tables of the project that is open.
func (p *coveragePage) tables() []string {
	project := p.s.host.Workspace().Project
	if project == nil || project.Assets == nil {
		return nil
	}
	var list []string
	for _, a := range project.Assets.All() {
		if a.Kind.ID == assets.Localization {
			list = append(list, filepath.Join(project.AssetRoot(), filepath.FromSlash(a.Path)))
		}
	}
	return list
}

func (p *coveragePage) checkProject() {
	if list := p.tables(); len(list) > 0 {
		p.load(list)
	}
}

// load reads texts in place of those before.
func (p *coveragePage) load(files []string) {
	p.round++
	round := p.round
	what := ui.Plural(len(files), "text")
	if len(files) == 1 {
		what = filepath.Base(files[0])
	}
	var texts []coverage.String
	p.s.host.Go("Reading "+what, func(ctx context.Context) error {
		for _, file := range files {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			more, err := coverage.Read(file)
			if err != nil {
				return err
			}
			texts = append(texts, more...)
		}
		return nil
	}, func(err error) {
		switch {
		case p.s.closed || round != p.round || errors.Is(err, context.Canceled):
			return
		case err != nil:
			p.s.host.Error(fmt.Errorf("the coverage was not checked: %w", err))
			return
		}
		p.files, p.texts, p.size = files, texts, 0
		for _, t := range texts {
			p.size += len(t.Text)
		}
		p.chosen, p.checked, p.report = -1, nil, nil
		p.s.inspector.turn(coverageTab)
		p.update()
	})
}

// close forgets the texts.
func (p *coveragePage) close() {
	p.round++
	p.files, p.texts, p.report, p.checked, p.chosen = nil, nil, nil, nil, -1
	p.update()
}

// update checks the texts again when the font has changed.
func (p *coveragePage) update() {
	w := p.s.work
	if w == nil || len(p.files) == 0 {
		p.report = nil
		p.fill()
		return
	}
	if p.checked == w.Result() && p.report != nil {
		p.fill()
		return
	}
	font := w.Covers()
	if font == nil {
		p.report = nil
		p.fill()
		return
	}
	result, texts := w.Result(), p.texts
	p.checked = result
	if p.size <= smallText {
		p.report, _ = coverage.Check(context.Background(), font, texts)
		p.fill()
		return
	}
	p.round++
	round := p.round
	var report *coverage.Report
	p.s.host.Go("Checking the coverage of "+w.Name(), func(ctx context.Context) error {
		var err error
		report, err = coverage.Check(ctx, font, texts)
		return err
	}, func(err error) {
		if p.s.closed || round != p.round || err != nil {
			return
		}
		p.report = report
		p.fill()
	})
}

// fill shows the report.
func (p *coveragePage) fill() {
	list := p.list()
	word := "Coverage"
	if len(list) > 0 {
		word = fmt.Sprintf("Coverage %d", len(list))
	}
	p.s.inspector.pages.SetOptions([]string{"Glyph", "Font", word})
	p.project.Hidden = len(p.tables()) == 0
	if len(p.files) == 0 {
		p.put(p.begin)
		return
	}
	if !slices.ContainsFunc(list, func(m coverage.Missing) bool { return m.Code == p.chosen }) {
		p.chosen = -1
		if len(list) > 0 {
			p.chosen = list[0].Code
		}
	}
	name := filepath.Base(p.files[0])
	if n := len(p.files); n > 1 {
		name = ui.Plural(n, "text")
	}
	p.names.SetText(name)
	p.verdict.Set(p.sentence())
	p.fine.Hidden = p.report == nil || len(list) > 0
	p.missing.Refresh()
	p.missing.Mark(slices.IndexFunc(list, func(m coverage.Missing) bool { return m.Code == p.chosen }))
	p.places.Mark(-1)
	p.places.Refresh()
	p.places.ScrollToTop()
	p.buttons()
	p.put(p.page)
	relayout(p.page)
	p.page.Refresh()
}

// sentence says what the report comes to.
func (p *coveragePage) sentence() (string, widgets.Tone) {
	r := p.report
	switch {
	case r == nil && p.checked == nil:
		return "Nothing is known of this font yet: its list has to be mended first.", widgets.Warning
	case r == nil:
		return "Checking…", widgets.Neutral
	case len(r.Missing) == 0:
		return fmt.Sprintf("All %s of %s are drawn.", ui.Plural(r.Distinct, "character"), ui.Plural(len(r.Strings), "string")), widgets.Success
	}
	absent := len(r.Absent())
	var parts []string
	if absent > 0 {
		parts = append(parts, fmt.Sprintf("%s missing", ui.Plural(absent, "character")))
	}
	if blank := len(r.Missing) - absent; blank > 0 {
		parts = append(parts, fmt.Sprintf("%s still to be drawn", ui.Plural(blank, "cell")))
	}
	return strings.Join(parts, ", ") + fmt.Sprintf("; %d of %s need them.", r.Affected, ui.Plural(len(r.Strings), "string")), widgets.Warning
}

func (p *coveragePage) buttons() {
	able := p.s.work != nil && p.s.work.CanAddCells() == nil
	enable := func(b *widget.Button, on bool) {
		if on {
			b.Enable()
		} else {
			b.Disable()
		}
	}
	absent := 0
	if p.report != nil {
		absent = len(p.report.Absent())
	}
	text := "Add all"
	if absent > 0 {
		text = "Add " + ui.Plural(absent, "cell")
	}
	p.addAll.SetText(text)
	enable(p.addAll, able && absent > 0)
	enable(p.add, able && p.state() == coverage.Absent)
}

// state is that of the chosen character.
func (p *coveragePage) state() coverage.State {
	for _, m := range p.list() {
		if m.Code == p.chosen {
			return m.State
		}
	}
	return coverage.Drawn
}

// pick shows the strings of a missing character, and its glyph when it has one.
func (p *coveragePage) pick(r rune) {
	if p.chosen == r {
		return
	}
	p.chosen = r
	p.places.Mark(-1)
	p.places.Refresh()
	p.places.ScrollToTop()
	p.buttons()
	p.reveal(r)
}

// reveal shows the cell of a character on the sheet.
func (p *coveragePage) reveal(r rune) {
	s := p.s
	if s.work.List() == nil {
		return
	}
	i := slices.IndexFunc(s.work.List().Characters, func(c charlist.Character) bool { return c.Code == uint32(r) })
	if i >= 0 {
		s.choose(i, fromElsewhere)
		s.inspector.turn(coverageTab)
	}
}

// lead shows where a string is.
func (p *coveragePage) lead(t coverage.String) {
	if project := p.s.host.Workspace().Project; project != nil {
		if rel, err := filepath.Rel(project.Dir, t.File); err == nil && filepath.IsLocal(rel) {
			p.s.host.OpenPlace(filepath.ToSlash(rel), t.Line)
			return
		}
	}
	p.s.host.OpenFolder(t.File)
}

// addCells adds a cell for the chosen character, or for all that are missing.
func (p *coveragePage) addCells(all bool) {
	s := p.s
	if s.work == nil || p.report == nil {
		return
	}
	wanted := []rune{p.chosen}
	if all {
		wanted = p.report.Absent()
	} else if p.state() != coverage.Absent {
		return
	}
	cells, err := s.work.AddCells(wanted)
	if err != nil {
		s.host.Error(fmt.Errorf("no cells were added: %w", err))
		return
	}
	if len(cells.Added) > 0 {
		s.edited()
		p.reveal(cells.Added[0].Code)
	}
	p.told(cells)
}

// told says what was added, what was not, and whether the image has room for it.
func (p *coveragePage) told(cells *coverage.Cells) {
	s := p.s
	var parts []string
	tone := widgets.Success
	if n := len(cells.Added); n > 0 {
		parts = append(parts, fmt.Sprintf("Added %s: draw them in the image.", ui.Plural(n, "cell")))
	}
	if n := len(cells.Skipped); n > 0 {
		tone = widgets.Warning
		first := cells.Skipped[0]
		parts = append(parts, fmt.Sprintf("%s got none: %s.", charlist.CodeName(uint32(first.Code)), first.Reason))
		if n > 1 {
			parts = append(parts, fmt.Sprintf("So did %d others.", n-1))
		}
	}
	var actions []fyne.CanvasObject
	if size, missing := s.work.MissingRoom(); missing {
		have := s.work.sheet.Rect.Size()
		parts = append(parts, fmt.Sprintf("The image has %d × %d pixels, the cells need %d × %d.", have.X, have.Y, size.X, size.Y))
		actions = append(actions, widgets.NewLink("Extend the image", s.extendImage))
	}
	if len(parts) > 0 {
		s.tell(strings.Join(parts, " "), tone, actions...)
	}
}

// extendImage gives the image transparent pixels where cells lie outside of it. It reads the file again, which another program may
// have saved since.
func (s *screen) extendImage() {
	w := s.work
	if w == nil || w.list == nil {
		return
	}
	list := w.list
	s.host.Go("Extending "+w.Name(), func(context.Context) error {
		m, err := export.ReadPicture(w.Path)
		if err != nil {
			return err
		}
		grown, err := coverage.Grow(m, list)
		if err != nil || grown == m {
			return err
		}
		data, err := coverage.PNG(grown)
		if err != nil {
			return err
		}
		return atomicfile.Write(w.Path, data)
	}, func(err error) {
		if err != nil {
			s.host.Error(fmt.Errorf("the image was not extended: %w", err))
			return
		}
		if s.closed || s.work != w {
			return
		}
		s.banner.Hide()
		s.relayout()
		s.host.Notify("Extended " + w.Name())
		s.look()
	})
}

// copyMissing puts the missing characters into the clipboard.
func (p *coveragePage) copyMissing() {
	var b strings.Builder
	for _, m := range p.list() {
		b.WriteRune(m.Code)
	}
	p.s.host.Copy(b.String())
	p.s.host.Notify("Copied " + ui.Plural(len(p.list()), "character"))
}

func (p *coveragePage) copyCommand() {
	p.s.host.Copy(ui.CommandLine(append([]string{"talebinder", "font", "coverage", p.s.work.Path}, p.files...)))
	p.s.host.Notify("The command is in the clipboard")
}

func (p *coveragePage) commands() []ui.Command {
	open := func() bool { return p.s.work != nil }
	read := func() bool { return open() && len(p.files) > 0 }
	missing := func() bool { return read() && len(p.list()) > 0 }
	absent := func() bool {
		return missing() && p.s.work.CanAddCells() == nil && len(p.report.Absent()) > 0
	}
	return []ui.Command{
		{ID: "fonts.coverage", Title: "Coverage of the font by a text…", Enabled: open, Run: p.choose},
		{ID: "fonts.coverageProject", Title: "Coverage of the font by the project's tables", Enabled: func() bool { return open() && len(p.tables()) > 0 }, Run: p.checkProject},
		{ID: "fonts.coveragePage", Title: "Characters that the font lacks", Enabled: open, Run: func() { p.s.inspector.turn(coverageTab) }},
		{ID: "fonts.coverageNext", Title: "Next character that the font lacks", Enabled: missing, Run: func() {
			p.s.inspector.turn(coverageTab)
			p.missing.Select((p.missing.Selected() + 1) % len(p.list()))
		}},
		{ID: "fonts.addCell", Title: "Add a cell for the missing character", Enabled: func() bool { return absent() && p.state() == coverage.Absent }, Run: func() { p.addCells(false) }},
		{ID: "fonts.addCells", Title: "Add cells for all missing characters", Enabled: absent, Run: func() { p.addCells(true) }},
		{ID: "fonts.extendImage", Title: "Extend the sheet to hold all cells", Enabled: func() bool {
			if !open() {
				return false
			}
			_, missing := p.s.work.MissingRoom()
			return missing
		}, Run: p.s.extendImage},
		{ID: "fonts.copyMissing", Title: "Copy the characters that the font lacks", Enabled: missing, Run: p.copyMissing},
		{ID: "fonts.copyCoverage", Title: "Copy the coverage as a command", Enabled: read, Run: p.copyCommand},
		{ID: "fonts.coverageEnd", Title: "End the coverage", Enabled: read, Run: p.close},
	}
}

func (p *coveragePage) put(o fyne.CanvasObject) {
	if p.object.Objects[0] != o {
		p.object.Objects[0] = o
	}
	p.object.Refresh()
}

// openSample opens the sample font, which is written to the person's folder for what is kept unless it is there.
func (s *screen) openSample() {
	dir, err := examples.ExtractFont(folders.Data())
	if err != nil {
		s.host.Error(err)
		return
	}
	s.show(filepath.Join(dir, examples.FontImage))
}

// snugLayout gives an object the width it wants, or what there is.
type snugLayout struct{}

func (snugLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(100, o[0].MinSize().Height)
}

func (snugLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Resize(fyne.NewSize(min(o[0].MinSize().Width, size.Width), size.Height))
}

// beginLayout puts what the page is for above its buttons, in the middle.
type beginLayout struct{}

func (beginLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(150, 160) }

func (beginLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	const gap = 8
	width := size.Width - 16
	heights := []float32{widgets.HeightFor(o[0], width), o[1].MinSize().Height, o[2].MinSize().Height}
	y := max(8, (size.Height-heights[0]-heights[1]-heights[2]-2*gap)/2)
	for i := range o {
		least := width
		if i > 0 {
			least = min(width, o[i].MinSize().Width)
		}
		o[i].Move(fyne.NewPos((size.Width-least)/2, y))
		o[i].Resize(fyne.NewSize(least, heights[i]))
		y += heights[i] + gap
	}
}

// coverageLayout gives the two lists what head and foot leave, the first a little more than half.
type coverageLayout struct{}

func (coverageLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(150, 220) }

func (coverageLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	y := float32(0)
	put := func(o fyne.CanvasObject, height float32) {
		o.Move(fyne.NewPos(0, y))
		o.Resize(fyne.NewSize(size.Width, max(0, height)))
		y += max(0, height)
	}
	head, foot := widgets.HeightFor(o[0], size.Width), o[5].MinSize().Height
	room := size.Height - head - foot - 2
	put(o[0], head)
	put(o[1], float32(int(room*0.55)))
	put(o[2], 1)
	put(o[3], room-float32(int(room*0.55)))
	put(o[4], 1)
	put(o[5], foot)
}

// missingRow is a line of the list of missing characters.
type missingRow struct {
	widget.BaseWidget
	char, code, name, count *theme.Text
	blank                   *widget.Icon
}

func newMissingRow() *missingRow {
	r := &missingRow{char: theme.Strong(""), code: theme.MonoMuted(""), name: theme.Caption("").WithTruncation(theme.TruncateEnd), count: theme.Mono(""),
		blank: widget.NewIcon(theme.IconIn(theme.IconImage, theme.ColorNameMuted))}
	r.count.Align = fyne.TextAlignTrailing
	r.char.Truncate = theme.TruncateEnd
	r.ExtendBaseWidget(r)
	return r
}

func (r *missingRow) set(m coverage.Missing) {
	r.char.SetText(characterText(uint32(m.Code)))
	r.code.SetText(charlist.CodeName(uint32(m.Code)))
	name := m.Name()
	for _, usual := range []string{"latin small letter ", "latin capital letter "} {
		name = strings.TrimPrefix(name, usual) // the character itself is in front
	}
	if m.State == coverage.Blank {
		name = "has an empty cell"
	}
	r.name.SetText(name)
	r.count.SetText(ui.Count(int64(m.Count)))
	r.blank.Hidden = m.State != coverage.Blank
	r.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (r *missingRow) CreateRenderer() fyne.WidgetRenderer { return &missingRowRenderer{r} }

type missingRowRenderer struct{ r *missingRow }

func (r *missingRowRenderer) Destroy()           {}
func (r *missingRowRenderer) MinSize() fyne.Size { return fyne.NewSize(140, 20) }
func (r *missingRowRenderer) Refresh()           { r.Layout(r.r.Size()); canvas.Refresh(r.r) }
func (r *missingRowRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.r.char, r.r.code, r.r.name, r.r.count, r.r.blank}
}

func (r *missingRowRenderer) Layout(size fyne.Size) {
	put := func(o fyne.CanvasObject, x, width float32) {
		o.Move(fyne.NewPos(x, 0))
		o.Resize(fyne.NewSize(max(0, width), size.Height))
	}
	put(r.r.char, 10, 32)
	put(r.r.code, 44, 58)
	right := size.Width - 8
	put(r.r.count, right-34, 34)
	right -= 40
	if !r.r.blank.Hidden {
		r.r.blank.Move(fyne.NewPos(right-14, (size.Height-14)/2))
		r.r.blank.Resize(fyne.NewSquareSize(14))
		right -= 18
	}
	r.r.name.Hidden = right-106 < 30
	put(r.r.name, 106, right-106)
}

// placeRow is a string that needs the chosen character, above where it is.
type placeRow struct {
	widget.BaseWidget
	text, place *theme.Text
}

func newPlaceRow() *placeRow {
	r := &placeRow{text: theme.Body("").WithTruncation(theme.TruncateEnd), place: theme.Caption("").WithTruncation(theme.TruncateEnd)}
	r.ExtendBaseWidget(r)
	return r
}

func (r *placeRow) set(t coverage.String, missing rune) {
	r.text.SetText(excerpt(t.Text, missing))
	place := fmt.Sprintf("%s, line %d", filepath.Base(t.File), t.Line)
	if t.Key != "" {
		place = fmt.Sprintf("line %d · %s", t.Line, excerpt(t.Key, -1))
	}
	r.place.SetText(place)
}

// CreateRenderer implements fyne.Widget.
func (r *placeRow) CreateRenderer() fyne.WidgetRenderer { return &placeRowRenderer{r} }

type placeRowRenderer struct{ r *placeRow }

func (r *placeRowRenderer) Destroy()           {}
func (r *placeRowRenderer) MinSize() fyne.Size { return fyne.NewSize(140, 36) }
func (r *placeRowRenderer) Refresh()           { r.Layout(r.r.Size()); canvas.Refresh(r.r) }
func (r *placeRowRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.r.text, r.r.place}
}

func (r *placeRowRenderer) Layout(size fyne.Size) {
	y := float32(3)
	for _, t := range []*theme.Text{r.r.text, r.r.place} {
		height := t.MinSize().Height
		t.Move(fyne.NewPos(10, y))
		t.Resize(fyne.NewSize(max(0, size.Width-18), height))
		y += height
	}
}
