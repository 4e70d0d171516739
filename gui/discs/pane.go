package discs

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// group is a choice of which files are listed.
type group struct {
	name string
	has  func(Mark) bool // nil: all
}

func is(marks ...Mark) func(Mark) bool {
	return func(m Mark) bool {
		for _, want := range marks {
			if m == want {
				return true
			}
		}
		return false
	}
}

// planGroups are the choices of a plan.
func planGroups() []group {
	return []group{{"All", nil}, {"Changes", is(Added, Removed, Changed)}, {"Kept", is(Kept, Moved)}, {"Left out", is(LeftOut)}}
}

// compareGroups are the choices of a comparison.
func compareGroups() []group {
	return []group{{"Differences", nil}, {"Added", is(Added)}, {"Removed", is(Removed)}, {"Changed", is(Changed)}}
}

// treePane is a list of files in folders with a search, and groups to choose from, and what there is to say about the chosen
// one below.
type treePane struct {
	host    ui.Host
	icons   theme.Icons
	columns []column
	groups  []group
	tree    *Tree
	chosen  string // path of a file or folder
	loading bool
	nothing [2]string // title and text while the tree is empty

	onChosen func()
	onMenu   func(at fyne.Position)

	object   *fyne.Container
	choice   *widgets.Segmented
	search   *widgets.SearchEntry
	head     *header
	rows     *widgets.Rows
	none     *widgets.EmptyState
	count    *theme.Text
	footer   *fyne.Container
	path     *theme.Text
	note     *widgets.Note
	hash     *theme.Text
	hashLine *fyne.Container
}

func newTreePane(host ui.Host, icons theme.Icons, columns []column, groups []group) *treePane {
	p := &treePane{host: host, icons: icons, columns: columns, groups: groups, tree: NewTree(nil)}
	p.search = widgets.NewSearchEntry("Search paths", func(text string) {
		if !p.loading {
			p.tree.Search(text)
			p.list()
			p.rows.ScrollToTop()
		}
	})
	p.search.OnDown = func() {
		host.Window().Canvas().Focus(p.rows)
		if p.rows.Selected() < 0 && p.tree.Len() > 0 {
			p.rows.Select(0)
		}
	}
	var top fyne.CanvasObject = p.search
	if groups != nil {
		names := make([]string, len(groups))
		for i, g := range groups {
			names[i] = g.name
		}
		p.choice = widgets.NewSegmented(names, func(int) { p.narrow() })
		top = container.New(&widgets.FilterLayout{}, p.choice, p.search)
	}
	p.head = newHeader(columns, func() {
		p.tree.Sort(p.head.order(), p.head.descending)
		p.list()
		p.rows.ScrollToTop()
	})
	p.rows = widgets.NewRows(func() int { return p.tree.Len() }, func() fyne.CanvasObject { return newFileRow(p) },
		func(i int, o fyne.CanvasObject) { o.(*fileRow).set(p.tree.Row(i)) })
	p.rows.Height = theme.Size(theme.SizeNameRow)
	p.rows.OnSelected = func(i int) { p.choose(p.tree.Row(i).Path) }
	p.rows.OnActivated = func(i int) { p.toggle(p.tree.Row(i)) }
	p.rows.OnKey = p.key
	p.rows.OnSecondary = func(_ int, at fyne.Position) {
		if p.onMenu != nil {
			p.onMenu(at)
		}
	}
	p.none = widgets.NewEmptyState(theme.Icon(theme.IconSearch), "", "")
	p.none.Hide()
	p.count = theme.Caption("").WithTruncation(theme.TruncateEnd)
	p.path = theme.MonoMuted("")
	p.note = widgets.NewNote("", widgets.Neutral)
	p.hash = theme.MonoMuted("")
	copied := widgets.NewIconButton(theme.Icon(theme.IconCopy), "Copy the SHA-256", func() {
		if n := p.node(); n != nil {
			host.Copy(n.SHA256)
			host.Notify("The SHA-256 of " + n.Name + " is on the clipboard")
		}
	})
	copied.Quiet = true
	p.hashLine = container.NewBorder(nil, nil, theme.Caption("SHA-256  "), copied, p.hash)
	p.footer = widgets.NewStack(2, p.count, p.path, p.note, p.hashLine)
	list := container.New(widgets.PageLayout{}, container.New(&widgets.PadLayout{Left: edge, Top: 8, Right: edge, Bottom: 6}, top),
		widgets.NewGround(theme.ColorNameHairline, 0),
		container.New(&listLayout{}, p.head, container.NewStack(p.rows, p.none),
			container.New(&widgets.PadLayout{Left: edge, Top: 5, Right: edge, Bottom: 6}, p.footer)))
	p.object = container.NewStack(list)
	return p
}

// show shows another tree. With keep, search, order, open folders and the chosen path stay.
func (p *treePane) show(t *Tree, keep bool) {
	if keep {
		t.Take(p.tree)
	} else {
		p.chosen = ""
		p.loading = true
		p.search.Entry.SetText("")
		if p.choice != nil {
			p.choice.Load(0)
		}
		p.loading = false
		t.Sort(p.head.order(), p.head.descending)
	}
	p.tree = t
	if p.choice != nil {
		labels := make([]string, len(p.groups))
		for i, g := range p.groups {
			n := 0
			for _, node := range t.nodes {
				if !node.Dir && (g.has == nil || g.has(node.Mark)) {
					n++
				}
			}
			labels[i] = g.name + "  " + ui.Count(int64(n))
		}
		p.choice.SetOptions(labels)
	}
	p.list()
	if !keep {
		p.rows.ScrollToTop()
	}
}

func (p *treePane) narrow() {
	if !p.loading {
		p.tree.Filter(p.groups[max(0, p.choice.Selected())].has)
		p.list()
		p.rows.ScrollToTop()
	}
}

// list brings the rows up to date with the tree.
func (p *treePane) list() {
	t := p.tree
	p.none.Hidden = t.Len() > 0
	if t.Empty() {
		p.none.Set(p.nothing[0], p.nothing[1])
	} else {
		p.none.Set("Nothing matches", "No file here has this in its path.")
	}
	root := t.Root()
	text := ""
	if !t.Empty() {
		text = ui.Plural(root.Files, "file") + ", " + ui.Size(root.After)
	}
	p.count.SetText(text)
	p.rows.Mark(t.Index(t.Find(p.chosen)))
	p.rows.Refresh()
	p.about()
}

// node is what is chosen, or nil.
func (p *treePane) node() *Node {
	if p.chosen == "" {
		return nil
	}
	return p.tree.Find(p.chosen)
}

func (p *treePane) choose(path string) {
	p.chosen = path
	p.about()
	if p.onChosen != nil {
		p.onChosen()
	}
}

// about says what there is to say about what is chosen.
func (p *treePane) about() {
	n := p.node()
	p.count.Hidden = n != nil
	p.path.Hidden, p.note.Hidden, p.hashLine.Hidden = n == nil, true, true
	if n != nil {
		size := ui.Plural(n.Files, "file") + ", " + ui.ExactSize(n.After)
		if !n.Dir {
			size = ui.ExactSize(max(n.After, n.Before, 0))
		}
		p.path.SetText(n.Path + "  ·  " + size)
		switch {
		case n.Fault != nil:
			p.note.Set(ui.Sentence(n.Fault.Error()), widgets.Danger)
			p.note.Show()
		case n.Note != "":
			p.note.Set(ui.Sentence(n.Note), widgets.Neutral)
			p.note.Show()
		}
		p.hash.SetText(n.SHA256)
		p.hashLine.Hidden = n.SHA256 == ""
	}
	widgets.Relayout(p.object)
}

func (p *treePane) toggle(n *Node) {
	if n != nil && n.Dir {
		p.tree.SetOpen(n, !p.tree.Open(n))
		p.list()
	}
}

// key folds and unfolds as file managers do.
func (p *treePane) key(e *fyne.KeyEvent) bool {
	i := p.rows.Selected()
	if i < 0 || i >= p.tree.Len() {
		return false
	}
	n := p.tree.Row(i)
	switch e.Name {
	case fyne.KeyRight:
		switch {
		case !n.Dir:
		case !p.tree.Open(n):
			p.toggle(n)
		case i+1 < p.tree.Len():
			p.rows.Select(i + 1)
		}
		return true
	case fyne.KeyLeft:
		if n.Dir && p.tree.Open(n) && len(p.tree.query) == 0 {
			p.toggle(n)
		} else if j := p.tree.Index(n.parent); j >= 0 {
			p.rows.Select(j)
		}
		return true
	case fyne.KeySpace:
		p.toggle(n)
		return true
	case fyne.KeyEscape:
		p.rows.Mark(-1)
		p.choose("")
		return true
	}
	return false
}

// menuAt shows a menu where the pointer is.
func menuAt(h ui.Host, at fyne.Position, items ...*fyne.MenuItem) {
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), h.Window().Canvas(), at)
}

// listLayout puts the names of the columns, the rows and the footer below each other, without a gap.
type listLayout struct{}

func (listLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	head, rows, foot := o[0].MinSize(), o[1].MinSize(), o[2].MinSize()
	return fyne.NewSize(max(head.Width, rows.Width), head.Height+rows.Height+foot.Height)
}

func (listLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	head, foot := o[0].MinSize().Height, widgets.HeightFor(o[2], size.Width)
	o[0].Move(fyne.Position{})
	o[0].Resize(fyne.NewSize(size.Width, head))
	o[1].Move(fyne.NewPos(0, head))
	o[1].Resize(fyne.NewSize(size.Width, max(0, size.Height-head-foot)))
	o[2].Move(fyne.NewPos(0, size.Height-foot))
	o[2].Resize(fyne.NewSize(size.Width, foot))
}
