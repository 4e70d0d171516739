package packs

import (
	"context"
	"fmt"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/export"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/project/problem"
)

// shownProblems is how many problems a verification lists.
const shownProblems = 200

// detailPane shows the chosen file with its picture, text or sound, a folder, or what a verification has found.
type detailPane struct {
	screen   *screen
	object   fyne.CanvasObject
	verified *export.Verification // of the open pack; nil while nobody asked

	column  *widgets.Column // facts, a picture, a verification
	stack   *fyne.Container
	picture *widgets.PixelImage
	caption *theme.Text
	text    *fyne.Container // a text with the facts above it
	above   *fyne.Container
	lines   *widgets.Rows
	note    *theme.Text

	path   string // of the preview that is wanted
	shown  *Preview
	cancel context.CancelFunc
	closed atomic.Bool
}

const pictureRoom = 280

func newDetailPane(s *screen) *detailPane {
	d := &detailPane{screen: s, picture: widgets.NewPixelImage(nil, fyne.NewSize(pictureRoom, pictureRoom)), caption: theme.Caption("")}
	d.caption.Align = fyne.TextAlignCenter
	d.stack = widgets.NewStack(8)
	d.column = widgets.NewColumn(container.New(&widgets.PadLayout{Left: 14, Top: 12, Right: 14, Bottom: 16}, d.stack))
	d.lines = widgets.NewRows(func() int {
		if d.shown == nil {
			return 0
		}
		return len(d.shown.Lines)
	}, func() fyne.CanvasObject { return newTextLine() }, func(i int, o fyne.CanvasObject) {
		o.(*fyne.Container).Objects[0].(*theme.Text).SetText(d.shown.Lines[i])
	})
	d.lines.Height = 18
	d.note = theme.Caption("")
	d.above = widgets.NewStack(8)
	d.text = container.New(widgets.PageLayout{}, container.New(&widgets.PadLayout{Left: 14, Top: 12, Right: 14, Bottom: 8}, d.above),
		widgets.NewGround(theme.ColorNameHairline, 0), d.lines)
	d.text.Hide()
	d.object = container.NewStack(widgets.NewGround(theme.ColorNamePanel, 0), d.column, d.text)
	return d
}

func newTextLine() fyne.CanvasObject {
	t := theme.Mono("")
	t.Truncate = theme.TruncateEnd
	return container.New(&widgets.PadLayout{Left: 14, Right: 14}, t)
}

// close drops a preview that is on its way.
func (d *detailPane) close() {
	d.closed.Store(true)
	d.drop()
}

func (d *detailPane) drop() {
	if d.cancel != nil {
		d.cancel()
		d.cancel = nil
	}
}

// show fills the pane for what is chosen, and asks for a preview.
func (d *detailPane) show() {
	s := d.screen
	if s.open == nil {
		return
	}
	if e := s.tree.ByPath(s.chosen); e != nil && (d.path != e.Path || d.shown == nil) {
		d.drop()
		d.path, d.shown = e.Path, nil
		ctx, cancel := context.WithCancel(context.Background())
		d.cancel = cancel
		place, inside, path := s.open.path, e.Path, e.Path
		if e.Asset != "" {
			place, inside = s.open.pack, e.Asset
		}
		d.fill()
		s.host.Go("Reading "+path, func(outer context.Context) error {
			defer context.AfterFunc(outer, cancel)()
			if ctx.Err() != nil {
				return nil // the person has gone on already
			}
			p := preview(ctx, place, inside, path)
			if ctx.Err() == nil && !d.closed.Load() {
				s.host.Do(func() { d.arrived(p) })
			}
			return nil
		}, nil)
		return
	} else if e == nil {
		d.drop()
		d.path, d.shown = "", nil
	}
	d.fill()
}

// arrived shows a preview, unless the person has gone on to another file.
func (d *detailPane) arrived(p Preview) {
	if d.path == p.Path && !d.closed.Load() {
		d.shown = &p
		d.fill()
	}
}

// fill shows what is known.
func (d *detailPane) fill() {
	s := d.screen
	e := s.tree.ByPath(s.chosen)
	f := s.tree.FolderByPath(s.chosen)
	asText := e != nil && d.shown != nil && d.shown.Lines != nil
	var parts []fyne.CanvasObject
	switch {
	case e != nil:
		parts = d.file(e)
	case f != nil:
		parts = d.folder(f)
	case d.verified != nil:
		parts = d.verification(d.verified)
	default:
		parts = d.pack()
	}
	if asText {
		d.above.Objects = parts
		d.lines.Mark(-1)
		d.lines.Refresh()
		d.lines.ScrollToTop()
	} else {
		d.stack.Objects = parts
		d.column.Offset = fyne.Position{}
		d.column.Relayout()
	}
	if d.text.Hidden = !asText; asText {
		d.column.Hide()
	} else {
		d.column.Show()
	}
	d.object.Refresh()
}

func (d *detailPane) title(name, path string) fyne.CanvasObject {
	s := d.screen
	buttons := container.NewHBox()
	button := func(icon theme.IconName, hint string, f func()) {
		b := widgets.NewIconButton(theme.Icon(icon), hint, f)
		b.Quiet = true
		buttons.Add(b)
	}
	if path != "" {
		button(theme.IconCopy, "Copy the path", s.copyPath)
		if _, ok := s.extractable(); ok {
			button(theme.IconSave, "Extract…", s.extractChosen)
		} else {
			button(theme.IconExternal, "Show in its folder", s.openPlace)
		}
		if s.inProject() {
			button(theme.IconContent, "Show in the project", s.showInProject)
		}
	}
	heading := theme.Heading(name).WithTruncation(theme.TruncateMiddle)
	return container.NewBorder(nil, nil, nil, buttons, widgets.NewStack(1, heading, theme.MonoMuted(path)))
}

// file is a file with its preview.
func (d *detailPane) file(e *Entry) []fyne.CanvasObject {
	path := e.Path
	if e.Asset != "" {
		path = e.Asset // which is how the game and the project call it
	}
	parts := []fyne.CanvasObject{d.title(e.Name, path)}
	facts := []Fact{{"Kind", e.Kind}, {"Size", ui.ExactSize(e.Size)}}
	how := "No"
	if e.Packed {
		how = "To " + ratioText(e.Stored, e.Size)
	}
	if e.Asset != "" {
		facts = append(facts, Fact{"In the pack", ui.ExactSize(e.Stored)}, Fact{"Compressed", how})
	} else {
		facts = append(facts, Fact{"Where", "Beside the pack"})
	}
	switch p := d.shown; {
	case p == nil:
		return append(parts, factList(facts), theme.Caption("Reading the file…"))
	case p.Lines != nil:
		parts = append(parts, factList(facts))
		if p.Problem != "" {
			parts = append(parts, d.failure(p))
		}
		if p.Note != "" {
			d.note.SetText(p.Note)
			parts = append(parts, d.note)
		}
	default:
		parts = append(parts, factList(append(facts, p.Facts...)))
		if p.Image != nil {
			d.picture.SetImage(p.Image)
			parts = append(parts, d.picture)
		}
		if p.Note != "" {
			d.caption.SetText(p.Note)
			parts = append(parts, d.caption)
		}
		if p.Problem != "" {
			parts = append(parts, d.failure(p))
		}
	}
	return parts
}

// failure says why a file is not shown as what it should be.
func (d *detailPane) failure(p *Preview) fyne.CanvasObject {
	tone := widgets.Neutral
	if p.Damaged {
		tone = widgets.Danger
	}
	return widgets.NewNote(p.Problem, tone)
}

func (d *detailPane) folder(f *Folder) []fyne.CanvasObject {
	return []fyne.CanvasObject{
		d.title(f.Name, f.Path),
		factList([]Fact{
			{"Files", ui.Count(int64(f.Files))}, {"Size", ui.ExactSize(f.Size)}, {"Stored", ui.ExactSize(f.Stored) + " (" + ratioText(f.Stored, f.Size) + ")"},
		}),
		d.kinds(f.Path),
	}
}

// kinds is the bar of the kinds of files below a folder.
func (d *detailPane) kinds(folder string) fyne.CanvasObject {
	bar := widgets.NewSizeBar()
	var parts []widgets.SizePart
	for i, p := range d.screen.tree.Parts(folder) {
		parts = append(parts, widgets.SizePart{Name: p.Kind, Detail: ui.Size(p.Stored), Size: p.Stored, Color: theme.CategoryColor(i)})
	}
	bar.Set(parts)
	return bar
}

// pack is what there is to say while nothing is chosen.
func (d *detailPane) pack() []fyne.CanvasObject {
	s := d.screen
	hidden := 0
	compressed := 0
	for i := range s.tree.entries {
		if s.tree.entries[i].Hidden {
			hidden++
		}
		if s.tree.entries[i].Packed {
			compressed++
		}
	}
	parts := []fyne.CanvasObject{d.title(s.open.name(), "")}
	if s.open.err != nil {
		parts = append(parts, widgets.NewNote("The content pack cannot be read: "+s.open.err.Error(), widgets.Danger))
	} else {
		parts = append(parts, factList([]Fact{
			{"Pack file", ui.ExactSize(s.open.size)}, {"Files", ui.Count(int64(len(s.tree.entries)))}, {"Compressed", ui.Plural(compressed, "file")},
			{"Written", s.open.changed.Format("2 Jan 2006, 15:04")},
		}))
	}
	if hidden > 0 {
		parts = append(parts, widgets.NewNote(ui.Plural(hidden, "file")+" can never be seen by the game: a later one has the same path.", widgets.Warning))
	}
	return append(parts, theme.Paragraph("Choose a file to see what is in it. Verify reads every file and looks at all that the player would need."))
}

// verification is what came of looking at the build as the player does.
func (d *detailPane) verification(v *export.Verification) []fyne.CanvasObject {
	errors, warnings := 0, 0
	for _, p := range v.Problems {
		switch p.Level {
		case problem.Error:
			errors++
		case problem.Warning:
			warnings++
		}
	}
	what := v.Build.Kind.String()
	text, icon, tone := "This "+what+" is sound.", theme.IconSuccess, fynetheme.ColorNameSuccess
	switch {
	case errors > 0:
		text, icon, tone = "This "+what+" is not sound: "+ui.Plural(errors, "error")+".", theme.IconFailed, fynetheme.ColorNameError
	case warnings > 0:
		text, icon, tone = "This "+what+" is sound, with "+ui.Plural(warnings, "warning")+".", theme.IconProblems, fynetheme.ColorNameWarning
	}
	head := theme.Heading(text)
	head.Wrap = true
	picture := widget.NewIcon(d.screen.icons.Get(icon, tone))
	parts := []fyne.CanvasObject{container.NewBorder(nil, nil, picture, nil, head)}
	facts := []Fact{{"Read", fmt.Sprintf("%s, %s unpacked", ui.Plural(v.Assets, "file"), ui.Size(v.Bytes))}}
	if v.Title != "" {
		facts = append([]Fact{{"Game", v.Title}}, facts...)
	}
	parts = append(parts, factList(facts))
	for i, p := range v.Problems {
		if i == shownProblems {
			parts = append(parts, theme.Caption("and "+ui.Count(int64(len(v.Problems)-i))+" more"))
			break
		}
		parts = append(parts, d.problem(p))
	}
	if len(v.Problems) == 0 {
		parts = append(parts, theme.Paragraph("Every file was read to its end, and everything that the player looks for is there."))
	}
	return parts
}

func (d *detailPane) problem(p problem.Problem) fyne.CanvasObject {
	tone := widgets.Notice
	switch p.Level {
	case problem.Error:
		tone = widgets.Danger
	case problem.Warning:
		tone = widgets.Warning
	}
	list := widgets.NewStack(2, widgets.NewNote(p.Message, tone))
	if p.File != "" {
		var open func()
		if _, ok := d.screen.tree.Find(p.File); ok {
			open = func() { d.screen.reveal(p.File) }
		}
		place := widgets.NewPathRow(d.screen.icons.Get(theme.IconArrowRight, theme.ColorNameMuted), p.File, "", open)
		place.OnFocus = func() { d.column.Reveal(place) }
		list.Add(container.New(&widgets.PadLayout{Left: 12}, place))
	}
	if p.Hint != "" {
		list.Add(container.New(&widgets.PadLayout{Left: 18}, widgets.NewNote(p.Hint, widgets.Neutral)))
	}
	return list
}

func factList(facts []Fact) fyne.CanvasObject {
	list := widgets.NewStack(2)
	for _, f := range facts {
		list.Add(container.New(&factLayout{}, theme.Muted(f.Name).WithTruncation(theme.TruncateEnd), theme.Body(f.Value).WithTruncation(theme.TruncateEnd)))
	}
	return list
}

// factLayout puts a name and its value into a line.
type factLayout struct{}

const factName = 96

func (factLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(160, 22) }

func (factLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.Position{})
	o[0].Resize(fyne.NewSize(factName-6, size.Height))
	o[1].Move(fyne.NewPos(factName, 0))
	o[1].Resize(fyne.NewSize(max(0, size.Width-factName), size.Height))
}

// comparePage shows what differs between two packs.
type comparePage struct {
	screen     *screen
	object     fyne.CanvasObject
	comparison *Comparison

	sentence *theme.Text
	before   *theme.Text
	after    *theme.Text
	filters  *widgets.Segmented
	search   *widgets.SearchEntry
	rows     *widgets.Rows
	none     *widgets.EmptyState
	loading  bool
}

var changeWords = [...]string{"Differences", "Added", "Removed", "Changed", "Same"}

func newComparePage(s *screen) *comparePage {
	p := &comparePage{screen: s, sentence: theme.Strong("").WithTruncation(theme.TruncateEnd), before: theme.MonoMuted(""), after: theme.MonoMuted("")}
	p.filters = widgets.NewSegmented(changeWords[:], func(int) { p.narrow() })
	p.search = widgets.NewSearchEntry("Search paths", func(string) { p.narrow() })
	p.rows = widgets.NewRows(func() int {
		if p.comparison == nil {
			return 0
		}
		return p.comparison.Len()
	}, func() fyne.CanvasObject { return newDifferenceRow(s.icons) }, func(i int, o fyne.CanvasObject) {
		o.(*differenceRow).set(p.comparison.Row(i), p.comparison.Largest())
	})
	p.rows.Height = theme.Size(theme.SizeNameRow)
	p.rows.OnActivated = func(i int) {
		if d := p.comparison.Row(i); d.Change != Added {
			s.reveal(d.Path)
		}
	}
	p.search.OnDown = func() {
		s.host.Window().Canvas().Focus(p.rows)
		p.rows.Select(0)
	}
	p.none = widgets.NewEmptyState(theme.Icon(theme.IconSearch), "", "")
	back := widget.NewButton("Back to the pack", s.leaveComparison)
	copied := widgets.NewIconButton(theme.Icon(theme.IconCopy), "Copy the comparison", p.copy)
	place := func(name string, t *theme.Text) fyne.CanvasObject {
		return container.New(&factLayout{}, theme.Muted(name), t)
	}
	top := container.New(&widgets.PadLayout{Left: 16, Top: 10, Right: 14, Bottom: 8}, widgets.NewStack(6,
		container.NewBorder(nil, nil, nil, container.NewHBox(copied, back), p.sentence),
		widgets.NewStack(0, place("Before", p.before), place("After", p.after)),
		container.New(&widgets.FilterLayout{}, p.filters, p.search)))
	p.object = container.NewStack(widgets.NewGround(theme.ColorNamePanel, 0),
		container.New(widgets.PageLayout{}, top, widgets.NewGround(theme.ColorNameHairline, 0), container.NewStack(p.rows, p.none)))
	return p
}

func (p *comparePage) show(c *Comparison) {
	p.comparison = c
	p.sentence.SetText(c.Sentence())
	p.before.SetText(c.Before + " · " + ui.Size(c.Sizes[0]))
	p.after.SetText(c.After + " · " + ui.Size(c.Sizes[1]))
	labels := make([]string, len(changeWords))
	for i, word := range changeWords {
		labels[i] = word + "  " + ui.Count(int64(c.Counts[i]))
	}
	p.loading = true
	p.filters.SetOptions(labels)
	p.filters.Load(int(AnyChange))
	p.search.Entry.SetText("")
	p.loading = false
	p.list()
}

func (p *comparePage) narrow() {
	if !p.loading && p.comparison != nil {
		p.comparison.Narrow(Change(max(0, p.filters.Selected())), p.search.Text())
		p.list()
	}
}

func (p *comparePage) list() {
	p.rows.Mark(-1)
	p.rows.Refresh()
	p.rows.ScrollToTop()
	p.none.Hidden = p.comparison.Len() > 0
	if p.comparison.Counts[AnyChange] == 0 {
		p.none.Set("No differences", "Both packs hold the same files with the same content.")
	} else {
		p.none.Set("Nothing matches", "No file of this group has this in its path.")
	}
	p.none.Refresh()
}

func (p *comparePage) copy() {
	if p.comparison != nil {
		p.screen.host.Copy(p.comparison.Text())
		p.screen.host.Notify("The comparison is on the clipboard")
	}
}
