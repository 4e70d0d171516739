package hub

import (
	"image"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/settings"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// Options are what the hub needs from the window around it. Every function but Spawn and Do is called on the interface's
// goroutine.
type Options struct {
	Settings     *settings.Settings
	Now          func() time.Time
	Open         func(path string)
	OpenFolder   func() // asks for a folder and opens it
	Sample       func() // nil: there is no sample game
	Spawn        func(func())
	Do           func(func())
	Missing      func(r settings.Recent, title, body string) // explains a card whose project is not there
	Error        func(error)
	ShowSettings func()
	Tools        []Tool            // what needs no project
	Hint         func(text string) // says what the button under the pointer does; empty: nothing any more
}

// A Tool is something that the program does without a project.
type Tool struct {
	Icon  fyne.Resource
	Title string
	Text  string // a few words
	Run   func()
}

// A Hub is the first page of the window.
type Hub struct {
	o      Options
	root   fyne.CanvasObject
	search *widgets.SearchEntry
	count  *theme.Text
	grid   *fyne.Container
	column *widgets.Column
	none   *widgets.EmptyState
	empty  fyne.CanvasObject
	foot   fyne.CanvasObject
	body   *fyne.Container
	head   *fyne.Container

	recents []settings.Recent
	known   map[string]found // by path, kept between visits
	cards   map[string]*card
}

// found is what was found out about a project on disk.
type found struct {
	state   State
	picture *image.RGBA
}

// New makes the hub.
func New(o Options) *Hub {
	h := &Hub{o: o, known: map[string]found{}, cards: map[string]*card{}}
	h.search = widgets.NewSearchEntry("Find by name or folder", func(string) { h.fill() })
	h.search.OnEnter = h.openFirst
	h.count = theme.Caption("")
	h.grid = container.New(&gridLayout{gap: 12, least: 330})
	h.column = widgets.NewColumn(container.New(&widgets.PadLayout{Bottom: 12}, h.grid))
	h.none = widgets.NewEmptyState(theme.Icon(theme.IconSearch), "No project has that name",
		"The search looks at the name and the folder of the projects that were opened before.",
		widget.NewButton("Show all projects", func() { h.search.Entry.SetText("") }))
	h.empty = h.newEmpty()
	h.head = h.newHead()
	h.body = container.NewStack(h.column)
	h.foot = h.newFoot()
	h.root = container.New(&pageLayout{width: 1080, margin: 28}, h.head, h.body, h.foot)
	return h
}

// Content is the page.
func (h *Hub) Content() fyne.CanvasObject { return h.root }

func (h *Hub) openButton() *widget.Button {
	b := widget.NewButtonWithIcon("Open project folder…", theme.IconIn(theme.IconFolderOpen, "foregroundOnPrimary"), h.o.OpenFolder)
	b.Importance = widget.HighImportance
	return b
}

func (h *Hub) sampleButton() *widget.Button {
	if h.o.Sample == nil {
		return nil
	}
	return widget.NewButtonWithIcon("Try the sample game", theme.Icon(theme.IconSample), h.o.Sample)
}

func (h *Hub) newHead() *fyne.Container {
	title := theme.Title("Projects").WithTruncation(theme.TruncateNone)
	buttons := []fyne.CanvasObject{}
	if b := h.sampleButton(); b != nil {
		buttons = append(buttons, b)
	}
	buttons = append(buttons, h.openButton())
	right := container.NewHBox(buttons...)
	first := container.NewBorder(nil, nil, title, right)
	second := container.New(&searchLayout{}, h.search, h.count)
	return widgets.NewStack(14, first, second)
}

func (h *Hub) newFoot() fyne.CanvasObject {
	hint := theme.Caption("Drop a project folder, or a file of a project, anywhere on this window. Opening a project changes nothing in it.").
		WithTruncation(theme.TruncateEnd)
	set := widgets.NewLink("Settings", h.o.ShowSettings)
	line := container.NewBorder(nil, nil, nil, set, hint)
	if len(h.o.Tools) == 0 {
		return line
	}
	row := container.New(&pointsLayout{gap: 10})
	for _, t := range h.o.Tools {
		row.Add(newTool(t))
	}
	return widgets.NewStack(8, theme.Overline("Tools without a project"), row, line)
}

// newTool is a button for a tool with its icon, name and a few words.
func newTool(t Tool) fyne.CanvasObject {
	icon := canvas.NewImageFromResource(t.Icon)
	icon.FillMode = canvas.ImageFillContain
	icon.SetMinSize(fyne.NewSquareSize(18))
	words := widgets.NewStack(2, theme.Strong(t.Title).WithTruncation(theme.TruncateEnd), theme.Caption(t.Text).WithTruncation(theme.TruncateEnd))
	content := container.New(&widgets.PadLayout{Left: 12, Top: 8, Right: 10, Bottom: 8}, container.NewBorder(nil, nil, container.New(&widgets.PadLayout{Right: 8}, icon), nil, words))
	p := widgets.NewPressable(content, t.Run)
	p.Ground, p.Border, p.Radius = theme.ColorNameCard, true, theme.Size(theme.SizeNameRadius)
	return p
}

// Reload takes up the list of recent projects and looks at their folders again, in the background.
func (h *Hub) Reload() {
	h.recents = h.o.Settings.Recents()
	h.fill()
	paths := make([]string, len(h.recents))
	for i, r := range h.recents {
		paths[i] = r.Path
	}
	h.o.Spawn(func() {
		for _, path := range paths {
			f := found{state: look(path)}
			if f.state == Present {
				f.picture = toRGBA(picture(path))
			}
			h.o.Do(func() { h.learn(path, f) })
		}
	})
}

func (h *Hub) learn(path string, f found) {
	h.known[path] = f
	if c := h.cards[path]; c != nil {
		c.set(c.recent, f, h.o.Now())
	}
}

// fill shows the cards that the search asks for.
func (h *Hub) fill() {
	if len(h.recents) == 0 {
		h.search.Hide()
		h.count.SetText("")
		h.head.Hide()
		h.show(h.empty)
		return
	}
	h.head.Show()
	h.search.Show()
	list := settings.Search(h.recents, h.search.Text())
	h.count.SetText(ui.Plural(len(h.recents), "project"))
	if len(list) < len(h.recents) {
		h.count.SetText(ui.Count(int64(len(list))) + " of " + ui.Plural(len(h.recents), "project"))
	}
	h.grid.Objects = nil
	for _, r := range list {
		c := h.cards[r.Path]
		if c == nil {
			c = newCard(h)
			h.cards[r.Path] = c
		}
		c.set(r, h.known[r.Path], h.o.Now())
		h.grid.Objects = append(h.grid.Objects, c.press)
	}
	h.grid.Refresh()
	h.column.Relayout()
	if len(list) == 0 {
		h.show(h.none)
		return
	}
	h.show(h.column)
}

func (h *Hub) show(o fyne.CanvasObject) {
	if len(h.body.Objects) == 1 && h.body.Objects[0] == o {
		h.root.Refresh()
		return
	}
	h.body.Objects = []fyne.CanvasObject{o}
	h.root.Refresh()
}

// openFirst opens the only or first card that the search has left.
func (h *Hub) openFirst() {
	if list := settings.Search(h.recents, h.search.Text()); len(list) > 0 {
		h.open(list[0])
	}
}

func (h *Hub) open(r settings.Recent) {
	if s := h.known[r.Path].state; s == Gone || s == Changed || s == Forbidden {
		title, body := explain(r, s)
		h.o.Missing(r, title, body)
		return
	}
	h.o.Open(r.Path)
}

// forget takes a card away; the project stays as it is.
func (h *Hub) forget(r settings.Recent) {
	h.o.Error(h.o.Settings.Forget(r.Path))
	delete(h.cards, r.Path)
	h.recents = slices.DeleteFunc(h.recents, func(o settings.Recent) bool { return o.Path == r.Path })
	h.fill()
}

func (h *Hub) pin(r settings.Recent) {
	h.o.Error(h.o.Settings.Pin(r.Path, !r.Pinned))
	h.recents = h.o.Settings.Recents()
	h.fill()
}

// Titles gives the names on the cards that are shown, in their order.
func (h *Hub) Titles() []string {
	var out []string
	if len(h.body.Objects) == 1 && h.body.Objects[0] == fyne.CanvasObject(h.column) {
		for _, r := range settings.Search(h.recents, h.search.Text()) {
			out = append(out, r.Title)
		}
	}
	return out
}

// pageLayout keeps a page of at most a width in the middle: head, body, foot.
type pageLayout struct{ width, margin float32 }

func (l *pageLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(400, 300) }

func (l *pageLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	w := min(l.width, size.Width-2*l.margin)
	x := (size.Width - w) / 2
	top, foot := l.margin-4, objects[2].MinSize().Height
	y := top
	if objects[0].Visible() {
		h := widgets.HeightFor(objects[0], w)
		objects[0].Move(fyne.NewPos(x, y))
		objects[0].Resize(fyne.NewSize(w, h))
		y += h + 16
	}
	objects[2].Move(fyne.NewPos(x, size.Height-foot-8))
	objects[2].Resize(fyne.NewSize(w, foot))
	objects[1].Move(fyne.NewPos(x, y))
	objects[1].Resize(fyne.NewSize(w, size.Height-foot-16-y))
}

// searchLayout keeps the search field at a readable width and puts the count behind it.
type searchLayout struct{}

// MinSize implements fyne.Layout.
func (l *searchLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(200, objects[0].MinSize().Height)
}

// Layout implements fyne.Layout.
func (l *searchLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	count := objects[1].MinSize()
	w := min(440, size.Width-count.Width-12)
	objects[0].Move(fyne.Position{})
	objects[0].Resize(fyne.NewSize(w, size.Height))
	objects[1].Move(fyne.NewPos(w+12, (size.Height-count.Height)/2))
	objects[1].Resize(count)
}

// gridLayout puts cards of one size in as many columns as fit.
type gridLayout struct{ gap, least float32 }

func (l *gridLayout) columns(width float32) int {
	return max(1, int((width+l.gap)/(l.least+l.gap)))
}

// HeightFor gives the height of all rows at a width.
func (l *gridLayout) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	n := l.columns(width)
	rows := (len(objects) + n - 1) / n
	return float32(rows)*(cardHeight+l.gap) - l.gap
}

// MinSize implements fyne.Layout.
func (l *gridLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(l.least, l.HeightFor(objects, l.least))
}

// Layout implements fyne.Layout.
func (l *gridLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	n := l.columns(size.Width)
	w := (size.Width - l.gap*float32(n-1)) / float32(n)
	for i, o := range objects {
		o.Move(fyne.NewPos(float32(i%n)*(w+l.gap), float32(i/n)*(cardHeight+l.gap)))
		o.Resize(fyne.NewSize(w, cardHeight))
	}
}
