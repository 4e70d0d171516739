package scenes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/formats/guid"
	"talebinder/gui/scenes/stage"
	"talebinder/gui/settings"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/project/assets"
	"talebinder/project/document"
	"talebinder/project/problem"
	"talebinder/project/scene"
	"talebinder/project/scene/overrides"
	"talebinder/project/scene/picture"
)

const (
	tick       = 100 * time.Millisecond // how often work is looked at
	diskTick   = 2 * time.Second        // how often the edited files are looked at
	remembered = "scene"                // what was open, of what is remembered of a project
)

// work is the comparison of the whole project.
type work struct {
	cancel      context.CancelFunc
	done, total atomic.Int64
	mu          sync.Mutex
	file        string
}

func (w *work) progress(done, total int, file string) {
	w.done.Store(int64(done))
	w.total.Store(int64(total))
	w.mu.Lock()
	w.file = file
	w.mu.Unlock()
}

func (w *work) fraction() float64 {
	if total := w.total.Load(); total > 0 {
		return float64(w.done.Load()) / float64(total)
	}
	return 0
}

func (w *work) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if total := w.total.Load(); total > 0 {
		return fmt.Sprintf("Comparing: %s of %s · %s", ui.Count(w.done.Load()), ui.Plural(int(total), "document"), w.file)
	}
	return "Comparing instances with their prefabs"
}

type screen struct {
	host     ui.Host
	icons    icons
	thumbs   *stage.Thumbs
	textures *picture.Textures
	data     *overrides.Workspace // nil until the screen was shown
	start    string

	documents  []DocumentRow
	file       string // asset path of the document that is shown or being read
	open       *Opened
	node       guid.Guid // of the chosen entity; zero: none
	inspection *Inspection
	at         place // component and path of the chosen item
	chosen     bool  // there is a chosen item
	list       *List
	difference *key
	stamp      stamp  // of the file as it was when it was read
	focusWhat  string // what to show as soon as it can be

	shown, closed, busy, loading bool
	reading                      int // counts what was asked for, so that an answer that comes late is dropped
	comparing                    int
	work                         *work
	ticker, diskTicker           func()
	stop                         func()
	conflict                     []string
	dialog                       *dialog

	root      *fyne.Container
	title     *theme.Text
	summary   *theme.Text
	updating  *widgets.Badge
	modes     *widgets.Segmented
	banner    *fyne.Container
	warning   *widgets.Note
	middle    *fyne.Container
	browse    fyne.CanvasObject
	filter    *widgets.SearchEntry
	docs      *widgets.Rows
	entities  *widgets.SearchEntry
	tree      *widgets.Rows
	treeNone  *widgets.EmptyState
	problems  *fyne.Container
	fold      *widgets.Link
	treeBox   *fyne.Container
	inspector *inspector
	stage     *stage.Stage
	pane      *paneLayout
	paneBox   *fyne.Container
	overrides *overridesPage
	top       *fyne.Container
}

var (
	_ ui.Screen  = (*screen)(nil)
	_ ui.Focuser = (*screen)(nil)
	_ ui.Editor  = (*screen)(nil)
)

// New makes the screen.
func New(h ui.Host) ui.Screen { return newScreen(h) }

func newScreen(h ui.Host) *screen {
	s := &screen{host: h, icons: icons{}, textures: picture.NewTextures(64 << 20)}
	s.thumbs = stage.NewThumbs(h.Do, s.textures)
	s.build()
	s.stop = h.Workspace().Subscribe(s.changed)
	return s
}

func (s *screen) ID() string                 { return ui.ScreenScenes }
func (s *screen) Title() string              { return "Scenes & prefabs" }
func (s *screen) Icon() fyne.Resource        { return theme.Icon(theme.IconScenes) }
func (s *screen) Content() fyne.CanvasObject { return s.root }
func (s *screen) db() *assets.Database       { return s.host.Workspace().Project.Assets }

func (s *screen) Badge() string { return "" }

// waste counts what Clean up would remove.
func (s *screen) waste() int {
	n := 0
	for i := range s.list.table.Rows {
		if c := s.list.table.Rows[i].Class; c == overrides.Redundant || c == overrides.Orphaned {
			n++
		}
	}
	return n
}

// Shown reads the project's scenes the first time, and afterwards what has changed meanwhile.
func (s *screen) Shown() {
	s.shown = true
	s.begin()
	s.lookAtDisk()
	s.keepTicking()
}

func (s *screen) Hidden() {
	s.shown = false
	s.keepTicking()
}

// Close ends what runs; edits that are not saved are the window's to ask about.
func (s *screen) Close() {
	s.closed, s.shown = true, false
	s.stop()
	s.stopTable()
	s.keepTicking()
	s.stage.Close()
	s.thumbs.Close()
	if s.dialog != nil {
		s.dialog.close()
	}
}

// begin opens the document that was open last, else the scene that the game starts with.
func (s *screen) begin() {
	p := s.host.Workspace().Project
	if s.data != nil || p == nil {
		return
	}
	s.data = overrides.NewWorkspace(p.Assets, document.NewGroup(p.AssetRoot()))
	s.start = startScene(p)
	s.stage.SetGame(p.Game)
	files := s.data.Documents()
	s.listDocuments()
	if len(files) == 0 {
		s.fill()
		return
	}
	first := s.host.Settings().Project(p.Dir).Values[remembered]
	if s.focusWhat == "" || s.focusWhat == focusOverrides {
		switch {
		case slices.Contains(files, first):
		case slices.Contains(files, s.start):
			first = s.start
		default:
			first = s.documents[0].Path
		}
		s.openFile(first)
	}
	s.compareAll()
	if what := s.focusWhat; what != "" {
		s.focusWhat = ""
		s.Focus(what)
	}
}

const focusOverrides = "overrides"

// Focus shows the list of overrides for "overrides", else a document by its asset path, with ":" and a line of it.
func (s *screen) Focus(what string) {
	if s.data == nil {
		s.focusWhat = what
		return
	}
	if what == focusOverrides {
		s.setMode(1)
		return
	}
	file, line := what, 0
	if i := strings.LastIndexByte(what, ':'); i > 0 {
		if n, err := strconv.Atoi(what[i+1:]); err == nil {
			file, line = what[:i], n
		}
	}
	file = trimAssets(file)
	if !slices.Contains(s.data.Documents(), file) {
		s.host.Notify("The project has no scene or prefab " + file)
		return
	}
	s.setMode(0)
	s.read(file, func() {
		if line > 0 && s.open.Document != nil {
			s.chooseLine(line)
		}
	})
}

// chooseLine chooses the entity that a line of the file belongs to.
func (s *screen) chooseLine(line int) {
	var id guid.Guid
	for i := range s.open.Document.Entities {
		e := &s.open.Document.Entities[i]
		if l, _ := e.JSON.Position(); l > line {
			break
		}
		id = e.ID
	}
	if node, ok := s.open.Expansion.Find(id); ok {
		s.chooseNode(node, true)
	}
}

func (s *screen) changed(c ui.Change) {
	if c != ui.Rescanned || s.data == nil {
		return
	}
	p := s.host.Workspace().Project
	s.data.Refresh(p.Assets)
	s.start = startScene(p)
	s.stage.SetGame(p.Game)
	s.lookAtDisk()
	s.refresh()
}

// refresh reads again what is shown, after an edit or a scan.
func (s *screen) refresh() {
	s.listDocuments()
	if s.file != "" {
		s.read(s.file, nil)
	}
	s.compareAll()
	s.host.BadgesChanged()
}

func (s *screen) listDocuments() {
	var t *overrides.Table
	if s.list != nil {
		t = s.list.table
	}
	s.documents = documentRows(s.data.Documents(), t, s.data.Files().DirtyFiles(), s.start, s.filter.Text())
	s.docs.Mark(slices.IndexFunc(s.documents, func(d DocumentRow) bool { return d.Path == s.file }))
	s.docs.Refresh()
}

// openFile shows a document.
func (s *screen) openFile(file string) {
	s.setMode(0)
	if s.file == file && s.open != nil {
		return
	}
	s.read(file, nil)
}

// read reads a document in the background and shows it; then is called afterwards, unless another one was asked for.
func (s *screen) read(file string, then func()) {
	if s.file != file {
		s.node, s.chosen = guid.Guid{}, false
	}
	s.file = file
	s.stamp = s.stampOf(file)
	s.reading++
	wanted := s.reading
	s.updating.Show()
	s.docs.Mark(slices.IndexFunc(s.documents, func(d DocumentRow) bool { return d.Path == file }))
	var o *Opened
	s.host.Go("Reading "+path.Base(file), func(ctx context.Context) error {
		var err error
		o, err = openDocument(ctx, s.data, file)
		return err
	}, func(err error) {
		if s.closed || wanted != s.reading {
			return
		}
		s.updating.Hide()
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				s.host.Error(fmt.Errorf("%s was not read: %w", file, err))
			}
			return
		}
		s.arrived(o)
		if then != nil {
			then()
		}
	})
}

func (s *screen) arrived(o *Opened) {
	again := s.open != nil && s.open.File == o.File
	if again && o.Tree != nil && s.open.Tree != nil {
		o.Tree.take(s.open.Tree)
	}
	s.open = o
	if !again {
		s.loading = true
		s.entities.Entry.SetText("")
		s.loading = false
		if p := s.host.Workspace().Project; p != nil {
			_ = s.host.Settings().ChangeProject(p.Dir, func(m *settings.Memory) {
				if m.Values == nil {
					m.Values = map[string]string{}
				}
				m.Values[remembered] = o.File
			})
		}
	}
	s.stage.Set(o.Expansion, s.db())
	s.fill()
}

// fill shows the document that is open.
func (s *screen) fill() {
	o := s.open
	s.showHead()
	s.problems.Objects = nil
	switch {
	case len(s.documents) == 0 && s.filter.Text() == "":
		s.treeNone.Set("No scenes yet", "Scenes and prefabs of the project appear here.")
	case o == nil:
		s.treeNone.Set("", "")
	case o.Err != nil:
		title, body := failure(o.File, o.Err)
		s.treeNone.Set(title, body)
		line := lineOf(o.Err)
		s.problems.Objects = []fyne.CanvasObject{widgets.NewLink("Open the file", func() { s.host.OpenPlace("assets/"+o.File, line) })}
	case o.Tree.Len() == 0 && s.entities.Text() != "":
		s.treeNone.Set("Nothing matches", "No entity has this in its name or among its components.")
	default:
		s.treeNone.Set("No entities", "This document has no entities yet.")
	}
	s.treeNone.Hidden = o != nil && o.Tree != nil && o.Tree.Len() > 0
	if o != nil {
		for i, p := range o.Problems {
			if i == 2 {
				s.problems.Add(theme.Caption("and " + ui.Plural(len(o.Problems)-i, "more problem") + " on the Problems screen"))
				break
			}
			tone := widgets.Notice
			if p.Level != problem.Info {
				tone = widgets.Warning
			}
			line := p.Line
			text := p.Message
			if line > 0 {
				text = "Line " + ui.Count(int64(line)) + ": " + text
			}
			s.problems.Add(widgets.NewNote(ui.Sentence(text), tone))
		}
	}
	s.problems.Hidden = len(s.problems.Objects) == 0
	s.showFold()
	node := -1
	if o != nil && o.Expansion != nil && !s.node.IsZero() {
		if i, ok := o.Expansion.Find(s.node); ok {
			node = i
		}
	}
	if node < 0 && o != nil && o.Expansion != nil && len(o.Expansion.Roots) > 0 && s.node.IsZero() {
		node = firstNode(o)
	}
	s.tree.Refresh()
	s.treeBox.Refresh()
	s.chooseNode(node, false)
	widgets.Relayout(s.root)
}

// firstNode is what is worth looking at first: an entity that differs from its prefab, else the first one.
func firstNode(o *Opened) int {
	for i := range o.Tree.Len() {
		if node := o.Tree.Row(i).Node; o.Tree.Marks(node).Own > 0 {
			return node
		}
	}
	return o.Expansion.Roots[0]
}

func (s *screen) showHead() {
	text := ""
	if s.modes.Selected() == 0 && s.open != nil {
		text = s.open.File
		if summary := s.open.Summary(); summary != "" {
			text += " · " + summary
		}
	} else if s.list != nil {
		text = ui.Plural(len(s.list.table.Rows), "difference") + " in " + ui.Plural(s.list.table.Files, "document")
	}
	s.summary.SetText(text)
	s.top.Refresh()
}

func (s *screen) showFold() {
	o := s.open
	s.fold.Hidden = o == nil || o.Tree == nil || o.Tree.Len() == 0 || s.entities.Text() != ""
	if s.fold.Hidden {
		return
	}
	title := "Unfold all"
	if o.Tree.AnyOpen() {
		title = "Fold all"
	}
	s.fold.Set(title, func() {
		o.Tree.SetAllOpen(!o.Tree.AnyOpen())
		s.showTree()
	})
}

// showTree brings the tree up to date with what is folded.
func (s *screen) showTree() {
	s.showFold()
	if s.inspection != nil {
		s.tree.Mark(s.open.Tree.Index(s.inspection.Node))
	}
	s.tree.Refresh()
}

// nameOf gives the name of an entity of the document, for values that refer to one.
func (s *screen) nameOf(id guid.Guid) string {
	if s.open == nil || s.open.Expansion == nil || s.inspection == nil {
		return ""
	}
	n := &s.open.Expansion.Nodes[s.inspection.Node]
	for i := range n.Components {
		if node, ok := s.open.Expansion.Resolve(s.inspection.Node, &n.Components[i], id); ok {
			return s.open.Expansion.Nodes[node].Name
		}
	}
	return ""
}

// chooseNode inspects an entity; -1 is none.
func (s *screen) chooseNode(node int, reveal bool) {
	o := s.open
	s.inspection = nil
	moved := false
	if o != nil && o.Expansion != nil && node >= 0 {
		other := s.node != o.Expansion.Nodes[node].ID
		s.node = o.Expansion.Nodes[node].ID
		s.inspection = inspect(s.db(), s.data, o.File, o.Expansion, node, o.Differences)
		moved = other
		if other {
			s.chosen = false
			for i := range s.inspection.Items {
				if item := &s.inspection.Items[i]; item.Row != nil {
					s.at, s.chosen = place{item.Component, item.Path}, true
					break
				}
			}
		}
		line := o.Tree.Index(node)
		if reveal || line < 0 {
			line = o.Tree.Reveal(node)
			s.loading = true
			if s.entities.Text() != o.Tree.query {
				s.entities.Entry.SetText(o.Tree.query)
			}
			s.loading = false
			s.tree.Refresh()
		}
		s.tree.Mark(line)
		if reveal {
			s.tree.ScrollTo(line)
		}
		s.stage.Select(node)
		if reveal {
			s.stage.Reveal(node)
		}
	} else {
		s.tree.Mark(-1)
		s.stage.Select(picture.NoNode)
	}
	s.inspector.show()
	if moved {
		s.inspector.rows.ScrollToTop()
		if i := s.itemIndex(); i >= 0 {
			s.inspector.rows.ScrollTo(i)
		}
	}
	s.host.BadgesChanged()
}

func (s *screen) itemIndex() int {
	if s.inspection == nil || !s.chosen {
		return -1
	}
	return s.inspection.Find(s.at.component, s.at.path)
}

// item gives the chosen line of the inspector, or nil.
func (s *screen) item() *Item {
	if i := s.itemIndex(); i >= 0 {
		return &s.inspection.Items[i]
	}
	return nil
}

func (s *screen) chooseItem(i int) {
	item := &s.inspection.Items[i]
	s.at, s.chosen = place{item.Component, item.Path}, true
	s.inspector.editor.show()
	s.inspector.page.Refresh()
	s.inspector.rows.ScrollTo(i)
	s.host.BadgesChanged()
}

func (s *screen) tapItem(item *Item) {
	if s.inspection == nil || item == nil {
		return
	}
	if i := s.inspection.Find(item.Component, item.Path); i >= 0 {
		s.inspector.rows.Select(i)
		s.host.Window().Canvas().Focus(s.inspector.rows)
	}
}

func (s *screen) showAsset(a *assets.Asset) {
	if a != nil {
		s.host.Show(ui.ScreenContent, a.Path)
	}
}

func (s *screen) toggle(node int) {
	i := s.open.Tree.Index(node)
	if i < 0 {
		return
	}
	s.open.Tree.SetOpen(node, !s.open.Tree.Row(i).Open)
	s.showTree()
}

// treeKey folds and unfolds as file managers do; Enter goes on to the values.
func (s *screen) treeKey(e *fyne.KeyEvent) bool {
	i := s.tree.Selected()
	if s.open == nil || s.open.Tree == nil || i < 0 || i >= s.open.Tree.Len() {
		return false
	}
	t := s.open.Tree
	r := t.Row(i)
	switch e.Name {
	case fyne.KeyRight:
		switch {
		case r.Children && !r.Open:
			s.toggle(r.Node)
		case r.Children && i+1 < t.Len():
			s.tree.Select(i + 1)
		default:
			s.toValues()
		}
		return true
	case fyne.KeyLeft:
		if r.Children && r.Open && t.query == "" {
			s.toggle(r.Node)
			return true
		}
		for j := i - 1; j >= 0 && r.Depth > 0; j-- {
			if t.Row(j).Depth < r.Depth {
				s.tree.Select(j)
				break
			}
		}
		return true
	case fyne.KeySpace:
		if r.Children {
			s.toggle(r.Node)
		}
		return true
	}
	return false
}

// toValues gives the keyboard to the inspector.
func (s *screen) toValues() {
	if s.inspection == nil {
		return
	}
	s.pane.choose(0)
	s.host.Window().Canvas().Focus(s.inspector.rows)
	if s.itemIndex() < 0 && len(s.inspection.Items) > 0 {
		s.inspector.rows.Select(0)
	}
}

// setMode changes between a document and the list of overrides.
func (s *screen) setMode(i int) {
	s.modes.Load(i)
	var page fyne.CanvasObject = s.browse
	if i == 1 {
		page = s.overrides.object
		s.overrides.fill()
	}
	if s.middle.Objects[0] != page {
		s.middle.Objects[0] = page
		s.middle.Refresh()
	}
	s.showHead()
	s.keepTicking()
	s.host.BadgesChanged()
}

// compareAll lists the differences of the whole project again, in the background, when anything has changed.
func (s *screen) compareAll() {
	s.stopTable()
	s.comparing++
	wanted := s.comparing
	ctx, cancel := context.WithCancel(context.Background())
	w := &work{cancel: cancel}
	s.work = w
	s.keepTicking()
	var list *List
	db := s.db()
	s.host.Go("Comparing instances with prefabs", func(outer context.Context) error {
		defer context.AfterFunc(outer, cancel)()
		t, err := s.data.Overrides(ctx, overrides.Filter{}, w.progress)
		if err == nil {
			list = newList(db, t)
		}
		return err
	}, func(err error) {
		cancel()
		if s.work == w {
			s.work = nil
		}
		if s.closed || wanted != s.comparing {
			return
		}
		s.keepTicking()
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				s.host.Error(fmt.Errorf("the project was not compared: %w", err))
			}
			s.overrides.fill()
			return
		}
		if s.list != nil {
			list.take(s.list)
		}
		s.list = list
		s.listDocuments()
		if s.modes.Selected() == 1 {
			s.overrides.fill()
		}
		s.showHead()
		s.host.BadgesChanged()
	})
}

func (s *screen) stopTable() {
	if s.work != nil {
		s.work.cancel()
	}
}

func (s *screen) keepTicking() {
	set := func(ticker *func(), on bool, d time.Duration, f func()) {
		switch {
		case on && *ticker == nil:
			*ticker = s.host.Every(d, f)
		case !on && *ticker != nil:
			(*ticker)()
			*ticker = nil
		}
	}
	set(&s.ticker, s.shown && s.work != nil && s.modes.Selected() == 1, tick, s.overrides.showWork)
	set(&s.diskTicker, s.shown && s.data != nil, diskTick, s.lookAtDisk)
	if s.overrides != nil {
		s.overrides.showWork()
	}
}

// A stamp is what says of a file, without reading it, that it has changed.
type stamp struct {
	size    int64
	changed time.Time
}

func (s *screen) stampOf(file string) stamp {
	info, err := os.Stat(filepath.Join(s.data.Files().Folder(), filepath.FromSlash(file)))
	if err != nil {
		return stamp{}
	}
	return stamp{info.Size(), info.ModTime()}
}

// lookAtDisk warns when files with edits have become others on the disk.
func (s *screen) lookAtDisk() {
	if s.data == nil {
		return
	}
	changed, err := s.data.Files().DiskChanged()
	if err != nil {
		changed = nil // saving will say what is wrong
	}
	if s.file != "" && !slices.Contains(changed, s.file) && s.stampOf(s.file) != s.stamp {
		s.refresh() // another program has saved what is shown
	}
	if slices.Equal(changed, s.conflict) {
		return
	}
	dirty := s.data.Files().DirtyFiles()
	if !slices.ContainsFunc(changed, func(f string) bool { return slices.Contains(dirty, f) }) && len(changed) > 0 {
		// Nothing of ours would be lost: the files are taken as they are now.
		if err := s.data.Files().Reload(changed...); err == nil {
			s.conflict = nil
			s.refresh()
			return
		}
	}
	s.conflict = changed
	s.showBanner()
}

func (s *screen) showBanner() {
	s.banner.Hidden = len(s.conflict) == 0
	if len(s.conflict) > 0 {
		text := s.conflict[0] + " was changed by another program after you began to edit it."
		if n := len(s.conflict); n > 1 {
			text = ui.Plural(n, "file") + " with edits were changed by another program, " + s.conflict[0] + " among them."
		}
		s.warning.Set(text, widgets.Warning)
	}
	s.top.Refresh()
	widgets.Relayout(s.root)
}

// takeDisk drops the edits of files that have changed on the disk.
func (s *screen) takeDisk() {
	if err := s.data.Files().Reload(s.conflict...); err != nil {
		s.host.Error(fmt.Errorf("the files were not read again: %w", err))
		return
	}
	s.conflict = nil
	s.showBanner()
	s.refresh()
}

// keepMine writes the edits over what is on the disk.
func (s *screen) keepMine() {
	s.host.Confirm("Write over the other changes?", "What another program has changed in "+strings.Join(s.conflict, ", ")+" is lost.", "Save mine", func() {
		if err := s.data.Files().SaveOver(); err != nil {
			s.host.Error(fmt.Errorf("the files were not saved: %w", err))
			return
		}
		s.saved()
	})
}

func (s *screen) saved() {
	s.conflict = nil
	s.stamp = s.stampOf(s.file)
	s.showBanner()
	s.listDocuments()
	s.host.BadgesChanged()
}

// UndoTitle implements ui.Editor.
func (s *screen) UndoTitle() string {
	if s.data == nil {
		return ""
	}
	return s.data.Files().UndoTitle()
}

// RedoTitle implements ui.Editor.
func (s *screen) RedoTitle() string {
	if s.data == nil {
		return ""
	}
	return s.data.Files().RedoTitle()
}

// Undo implements ui.Editor.
func (s *screen) Undo() {
	if title := s.UndoTitle(); title != "" && s.dialog == nil && s.data.Files().Undo() {
		s.host.Notify("Undone: " + title)
		s.refresh()
	}
}

// Redo implements ui.Editor.
func (s *screen) Redo() {
	if title := s.RedoTitle(); title != "" && s.dialog == nil && s.data.Files().Redo() {
		s.host.Notify("Done again: " + title)
		s.refresh()
	}
}

// Dirty implements ui.Editor.
func (s *screen) Dirty() bool { return s.data != nil && s.data.Files().Dirty() }

// DirtyFiles implements ui.Editor.
func (s *screen) DirtyFiles() []string {
	if s.data == nil {
		return nil
	}
	return s.data.Files().DirtyFiles()
}

// Save implements ui.Editor: all files or none of them.
func (s *screen) Save(done func(error)) {
	if done == nil {
		done = func(error) {}
	}
	if s.data == nil {
		done(nil)
		return
	}
	files := s.data.Files()
	err := files.Save()
	var conflict *document.GroupConflictError
	if errors.As(err, &conflict) {
		s.lookAtDisk()
	}
	if err == nil {
		s.saved()
	}
	done(err)
}

// Revert implements ui.Editor: everything that is not saved goes, as a step to undo.
func (s *screen) Revert() {
	if s.data != nil && s.dialog == nil {
		s.data.Files().Revert()
		s.refresh()
	}
}

func (s *screen) newStage() *stage.Stage {
	st := stage.New(stage.Options{Do: s.host.Do, Textures: s.textures})
	if p := s.host.Workspace().Project; p != nil {
		st.SetGame(p.Game)
	}
	return st
}

// compare shows in a preview what the open document looks like before and after.
func (s *screen) compare(d *dialog) {
	o, change, data := s.open, d.preview.Change, s.data
	var after *scene.Expansion
	s.host.Go("Drawing the preview", func(ctx context.Context) error {
		var err error
		after, err = changed(ctx, data, o, change)
		return err
	}, func(err error) {
		if s.closed || d.closed {
			return
		}
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				s.host.Error(fmt.Errorf("the preview was not drawn: %w", err))
			}
			return
		}
		d.picture.SetCompare(o.Expansion, after, s.db())
		if s.inspection != nil {
			if node, ok := after.Find(s.node); ok {
				d.picture.Select(node)
			}
		}
	})
}

// build makes the widgets.
func (s *screen) build() {
	s.title = theme.Title("Scenes & prefabs")
	s.summary = theme.Muted("").WithTruncation(theme.TruncateMiddle)
	s.updating = widgets.NewBadge("Updating…", widgets.Accent)
	s.updating.Hide()
	s.modes = widgets.NewSegmented([]string{"Hierarchy", "Overrides"}, s.setMode)
	s.modes.Load(0)
	s.warning = widgets.NewNote("", widgets.Warning)
	s.banner = container.NewBorder(nil, nil, nil, container.NewHBox(widget.NewButton("Read again", s.takeDisk), widget.NewButton("Keep mine…", s.keepMine)), s.warning)
	s.banner.Hide()

	s.filter = widgets.NewSearchEntry("Search scenes and prefabs", func(string) {
		if s.data != nil {
			s.listDocuments()
		}
	})
	s.docs = widgets.NewRows(func() int { return len(s.documents) }, func() fyne.CanvasObject { return newDocumentLine(s) }, func(i int, o fyne.CanvasObject) {
		o.(*documentLine).set(&s.documents[i])
	})
	s.docs.Height = theme.Size(theme.SizeNameRow)
	s.docs.OnSelected = func(i int) { s.openFile(s.documents[i].Path) }
	s.docs.OnActivated = func(int) { s.host.Window().Canvas().Focus(s.tree) }
	s.docs.OnSecondary = func(_ int, at fyne.Position) { s.documentMenu(at) }
	s.filter.OnDown = func() {
		s.host.Window().Canvas().Focus(s.docs)
		if s.docs.Selected() < 0 && len(s.documents) > 0 {
			s.docs.Select(0)
		}
	}
	s.entities = widgets.NewSearchEntry("Search entities", func(text string) {
		if s.open != nil && s.open.Tree != nil && !s.loading {
			s.open.Tree.SetQuery(text)
			s.treeNone.Hidden = s.open.Tree.Len() > 0
			s.treeNone.Set("Nothing matches", "No entity has this in its name or among its components.")
			s.showTree()
		}
	})
	s.tree = widgets.NewRows(func() int {
		if s.open == nil || s.open.Tree == nil {
			return 0
		}
		return s.open.Tree.Len()
	}, func() fyne.CanvasObject { return newTreeLine(s) }, func(i int, o fyne.CanvasObject) { o.(*treeLine).set(s.open.Tree.Row(i)) })
	s.tree.Height = 24
	s.tree.OnSelected = func(i int) { s.chooseNode(s.open.Tree.Row(i).Node, false); s.stage.Reveal(s.open.Tree.Row(i).Node) }
	s.tree.OnActivated = func(int) { s.toValues() }
	s.tree.OnKey = s.treeKey
	s.tree.OnSecondary = func(_ int, at fyne.Position) { s.entityMenu(at) }
	s.entities.OnDown = func() {
		s.host.Window().Canvas().Focus(s.tree)
		if s.tree.Selected() < 0 && s.open != nil && s.open.Tree != nil && s.open.Tree.Len() > 0 {
			s.tree.Select(0)
		}
	}
	s.treeNone = widgets.NewEmptyState(theme.Icon(theme.IconScenes), "", "")
	s.problems = widgets.NewStack(5)
	s.fold = widgets.NewLink("Fold all", nil)
	s.fold.Hide()

	s.stage = s.newStage()
	s.stage.OnPicked = func(node int) {
		if node == picture.NoNode {
			return
		}
		s.chooseNode(node, true)
	}
	s.stage.OnActivated = func(node int) {
		if node != picture.NoNode {
			s.chooseNode(node, true)
			s.toValues()
		}
	}
	s.inspector = newInspector(s)
	s.overrides = newOverridesPage(s)

	hairline := func() fyne.CanvasObject { return widgets.NewGround(theme.ColorNameHairline, 0) }
	pad := func(o fyne.CanvasObject) fyne.CanvasObject {
		return container.New(&widgets.PadLayout{Left: 8, Top: 7, Right: 8, Bottom: 6}, o)
	}
	documents := container.New(widgets.PageLayout{}, pad(s.filter), hairline(), s.docs)
	foot := container.New(&widgets.PadLayout{Left: edge, Top: 5, Right: edge, Bottom: 5}, widgets.NewStack(5, s.problems, container.NewHBox(s.fold)))
	s.treeBox = container.New(&footLayout{}, container.NewStack(s.tree, s.treeNone), foot)
	tree := container.New(widgets.PageLayout{}, pad(s.entities), hairline(), s.treeBox)
	left := container.NewStack(widgets.NewGround(theme.ColorNamePanel, 0), widgets.NewAdaptive(documents, tree, 100000, 0.5, 0.32))
	s.pane = newPane(s.inspector.object, s.stage)
	s.paneBox = s.pane.box
	s.browse = widgets.NewAdaptive(left, s.paneBox, 460, 0.27, 0.4)

	s.top = widgets.NewStack(8, container.New(&headLayout{}, s.title, s.summary, s.updating, s.modes), s.banner)
	s.middle = container.NewStack(s.browse)
	s.root = container.New(widgets.PageLayout{}, container.New(&widgets.PadLayout{Left: 16, Top: 10, Right: 16, Bottom: 9}, s.top), hairline(), s.middle)
	s.inspector.show()
}

// headLayout is the head of the screen: title, summary, a badge, and the switch at the end.
type headLayout struct{}

func (headLayout) width(o fyne.CanvasObject) float32 {
	t := o.(*theme.Text)
	return fyne.MeasureText(t.Text, theme.Size(theme.SizeNameTitle), t.Style).Width + 2
}

func (l headLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(l.width(o[0])+o[3].MinSize().Width+20, max(o[0].MinSize().Height, o[3].MinSize().Height))
}

func (l headLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	title, modes, badge := l.width(o[0]), o[3].MinSize(), o[2].MinSize()
	put := func(o fyne.CanvasObject, x, w, h float32) {
		o.Move(fyne.NewPos(x, (size.Height-h)/2))
		o.Resize(fyne.NewSize(max(0, w), h))
	}
	put(o[0], 0, title, o[0].MinSize().Height)
	put(o[3], size.Width-modes.Width, modes.Width, modes.Height)
	right := size.Width - modes.Width - 12
	if o[2].Visible() {
		right -= badge.Width
		put(o[2], right, badge.Width, badge.Height)
		right -= 10
	}
	put(o[1], title+16, right-title-16, o[1].MinSize().Height)
}

// footLayout puts a list and, as high as it wants to be, what stands below it.
type footLayout struct{}

func (footLayout) MinSize(o []fyne.CanvasObject) fyne.Size { return fyne.NewSize(120, 120) }
func (footLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	foot := min(widgets.HeightFor(o[1], size.Width), size.Height/2)
	o[0].Resize(fyne.NewSize(size.Width, size.Height-foot))
	o[1].Move(fyne.NewPos(0, size.Height-foot))
	o[1].Resize(fyne.NewSize(size.Width, foot))
}

// paneLayout shows the values of an entity and the picture of its document side by side while there is room, else one of the
// two, with a switch.
type paneLayout struct {
	box     *fyne.Container
	modes   *widgets.Segmented
	both    *widgets.Adaptive
	parts   [2]fyne.CanvasObject
	holders [2]*fyne.Container // in the split
	single  *fyne.Container
	shown   int
	wide    bool
}

const (
	bothWide  = 640 // from this width on both are shown
	paneModes = 40  // height of the switch
)

func newPane(values, picture fyne.CanvasObject) *paneLayout {
	p := &paneLayout{parts: [2]fyne.CanvasObject{values, picture}, wide: true, single: container.NewStack()}
	p.modes = widgets.NewSegmented([]string{"Values", "Picture"}, p.choose)
	p.modes.Load(0)
	for i, part := range p.parts {
		p.holders[i] = container.NewStack(part)
	}
	p.both = widgets.NewAdaptive(p.holders[1], p.holders[0], bothWide, 0.5, 0.5)
	p.box = container.New(p, p.modes, p.both, p.single)
	p.modes.Hide()
	return p
}

// choose shows one of the two where there is room for one only.
func (p *paneLayout) choose(i int) {
	p.shown = i
	p.modes.Load(i)
	if !p.wide {
		p.single.Objects = []fyne.CanvasObject{p.parts[i]}
		p.single.Refresh()
	}
}

// turn moves the parts from one arrangement to the other: an object has one place only.
func (p *paneLayout) turn(wide bool) {
	p.wide = wide
	for i, part := range p.parts {
		p.holders[i].Objects = nil
		if wide {
			p.holders[i].Objects = []fyne.CanvasObject{part}
		}
	}
	p.single.Objects = nil
	if !wide {
		p.single.Objects = []fyne.CanvasObject{p.parts[p.shown]}
	}
	setShown(p.modes, !wide)
	setShown(p.both, wide)
	setShown(p.single, !wide)
	p.holders[0].Refresh()
	p.holders[1].Refresh()
	p.single.Refresh()
}

func (p *paneLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(240, 200) }

func (p *paneLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	if wide := size.Width >= bothWide; wide != p.wide {
		p.turn(wide)
	}
	p.both.Resize(size)
	p.modes.Move(fyne.NewPos(10, 6))
	p.modes.Resize(fyne.NewSize(min(size.Width-20, p.modes.MinSize().Width), p.modes.MinSize().Height))
	p.single.Move(fyne.NewPos(0, paneModes))
	p.single.Resize(fyne.NewSize(size.Width, max(0, size.Height-paneModes)))
}
