package widgets

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
)

// PickItem is one thing to choose in a picker.
type PickItem struct {
	Key    string        // what OnPick is told
	Title  string        // searched, and shown first
	Detail string        // searched, and shown after the title, muted
	Icon   fyne.Resource // may be nil

	text string // what a search looks at
}

// PickerOptions says what a picker offers.
type PickerOptions struct {
	Placeholder string
	Items       []PickItem
	Empty       string // shown when there is nothing to choose at all
	EmptyTitle  string // above it; "" says that everything has been chosen
	// OnPick is told what was chosen. A picker that stays open offers the remaining items afterwards.
	OnPick func(keys []string)
	Stay   bool
	// AllLabel makes a button that picks everything that the search shows; "Add all %d" becomes "Add all 3".
	AllLabel func(n int) string
	// Extra is a last row below the list, for "none" or "type a path".
	ExtraLabel string
	OnExtra    func()
	// OnRename and OnRemove are offered for every item, by a button in its row and by F2 and Delete, when they are set.
	OnRename, OnRemove func(key string)
	Width              float32 // 0 means 380
}

// Picker is a small window over the others: a search field, a list of what matches, and a button for all of it.
type Picker struct {
	options PickerOptions
	items   []PickItem // not picked yet
	shown   []PickItem // of these, what matches

	float  *float
	search *SearchEntry
	rows   *Rows
	empty  *EmptyState
	all    *widget.Button
	body   *fyne.Container
}

// ShowPicker opens a picker below an object, or above it when there is more room.
func ShowPicker(c fyne.Canvas, anchor fyne.CanvasObject, o PickerOptions) *Picker {
	p := &Picker{options: o, items: append([]PickItem(nil), o.Items...)}
	for i, item := range p.items {
		p.items[i].text = strings.ToLower(item.Title + " " + item.Detail)
	}
	p.search = NewSearchEntry(o.Placeholder, func(string) { p.filter() })
	p.search.OnEscape = p.Close
	p.search.OnEnter = func() { p.pick(max(0, p.rows.Selected())) }
	p.search.OnDown = func() {
		if len(p.shown) > 0 {
			p.rows.Select(max(0, p.rows.Selected()))
			c.Focus(p.rows)
		}
	}
	p.rows = NewRows(func() int { return len(p.shown) }, func() fyne.CanvasObject { return newPickRow(p) },
		func(i int, o fyne.CanvasObject) { o.(*pickRow).set(p.shown[i]) })
	p.rows.Height = 28
	p.rows.OnActivated = p.pick
	p.rows.OnClicked = p.pick
	p.rows.OnKey = func(e *fyne.KeyEvent) bool {
		switch {
		case e.Name == fyne.KeyEscape:
			p.Close()
			return true
		case e.Name == fyne.KeyUp && p.rows.Selected() <= 0:
			c.Focus(p.search.Entry)
			return true
		case e.Name == fyne.KeyF2 && o.OnRename != nil:
			p.change(o.OnRename, p.rows.Selected())
			return true
		case e.Name == fyne.KeyDelete && o.OnRemove != nil:
			p.change(o.OnRemove, p.rows.Selected())
			return true
		}
		return false
	}
	p.empty = NewEmptyState(nil, "", "")
	p.all = widget.NewButtonWithIcon("", theme.Icon(theme.IconAdd), p.pickAll)
	foot := []fyne.CanvasObject{}
	if o.AllLabel != nil {
		foot = append(foot, p.all)
	}
	if o.ExtraLabel != "" {
		foot = append(foot, widget.NewButton(o.ExtraLabel, func() {
			p.Close()
			o.OnExtra()
		}))
	}
	width, height := o.Width, p.height()
	if width == 0 {
		width = 380
	}
	p.body = container.New(&pickerLayout{p: p, foot: foot},
		append([]fyne.CanvasObject{p.search, p.rows, p.empty}, foot...)...)
	p.filter()
	p.float = newFloat(c, NewPad(8, p.body), func(window fyne.Size) (fyne.Position, fyne.Size) {
		size := fyne.NewSize(fyne.Min(width, window.Width-32), fyne.Min(height, window.Height-32))
		return p.place(window, anchor, size), size
	})
	c.Focus(p.search.Entry)
	return p
}

// height gives room for the items there are, up to eleven rows.
func (p *Picker) height() float32 {
	rows := max(4, min(len(p.items), 11))
	h := float32(rows)*p.rows.Height + p.search.MinSize().Height + 8 + 16
	if p.options.AllLabel != nil || p.options.ExtraLabel != "" {
		h += p.all.MinSize().Height + 8
	}
	return h
}

// place puts the picker below its anchor with the right ends aligned, above it when there is no room, and into the window.
func (p *Picker) place(window fyne.Size, anchor fyne.CanvasObject, size fyne.Size) fyne.Position {
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(anchor)
	x := at.X + anchor.Size().Width - size.Width
	y := at.Y + anchor.Size().Height + 4
	if y+size.Height > window.Height-8 {
		if above := at.Y - 4 - size.Height; above >= 8 {
			y = above
		} else {
			y = window.Height - 8 - size.Height
		}
	}
	return fyne.NewPos(fyne.Max(8, fyne.Min(x, window.Width-size.Width-8)), fyne.Max(8, y))
}

// Close takes the picker away.
func (p *Picker) Close() { p.float.close() }

// Shown gives the keys of the items that match the search.
func (p *Picker) Shown() []string {
	keys := make([]string, len(p.shown))
	for i, item := range p.shown {
		keys[i] = item.Key
	}
	return keys
}

// Search gives the search field.
func (p *Picker) Search() *SearchEntry { return p.search }

func (p *Picker) filter() {
	words := strings.Fields(strings.ToLower(p.search.Text()))
	p.shown = p.shown[:0]
	for _, item := range p.items {
		matches := true
		for _, w := range words {
			matches = matches && strings.Contains(item.text, w)
		}
		if matches {
			p.shown = append(p.shown, item)
		}
	}
	if len(p.shown) == 0 {
		if len(p.items) == 0 {
			title := p.options.EmptyTitle
			if title == "" {
				title = "Nothing left to add"
			}
			p.empty.Set(title, p.options.Empty)
		} else {
			p.empty.Set("Nothing matches", "No entry contains “"+p.search.Text()+"”.")
		}
	}
	p.empty.Hidden = len(p.shown) > 0
	p.rows.Hidden = len(p.shown) == 0
	if p.options.AllLabel != nil {
		p.all.SetText(p.options.AllLabel(len(p.shown)))
		p.all.Hidden = len(p.shown) == 0
	}
	p.rows.Mark(-1)
	p.rows.ScrollToTop()
	p.rows.Refresh()
	p.body.Refresh()
}

func (p *Picker) pick(i int) {
	if i < 0 || i >= len(p.shown) {
		return
	}
	p.done([]string{p.shown[i].Key})
}

func (p *Picker) pickAll() { p.done(p.Shown()) }

func (p *Picker) done(keys []string) {
	if len(keys) == 0 {
		return
	}
	if !p.options.Stay {
		p.Close()
		p.options.OnPick(keys)
		return
	}
	picked := map[string]bool{}
	for _, k := range keys {
		picked[k] = true
	}
	var rest []PickItem
	for _, item := range p.items {
		if !picked[item.Key] {
			rest = append(rest, item)
		}
	}
	p.items = rest
	p.options.OnPick(keys)
	p.filter()
	if len(p.items) == 0 {
		p.Close()
	}
}

// change closes the picker and does something to an item.
func (p *Picker) change(f func(key string), i int) {
	if i >= 0 && i < len(p.shown) {
		key := p.shown[i].Key
		p.Close()
		f(key)
	}
}

type pickerLayout struct {
	p    *Picker
	foot []fyne.CanvasObject
}

func (l *pickerLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(200, 120) }

func (l *pickerLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	search := l.p.search.MinSize().Height
	l.p.search.Move(fyne.NewPos(4, 0))
	l.p.search.Resize(fyne.NewSize(size.Width-4, search))
	bottom := size.Height
	if len(l.foot) > 0 {
		height := l.foot[0].MinSize().Height
		bottom -= height
		x := size.Width
		for i := len(l.foot) - 1; i >= 0; i-- {
			min := l.foot[i].MinSize()
			x -= min.Width
			l.foot[i].Move(fyne.NewPos(x, bottom))
			l.foot[i].Resize(fyne.NewSize(min.Width, height))
			x -= 6
		}
		bottom -= 6
	}
	for _, o := range []fyne.CanvasObject{l.p.rows, l.p.empty} {
		o.Move(fyne.NewPos(0, search+8))
		o.Resize(fyne.NewSize(size.Width, bottom-search-8))
	}
}

// pickRow is an icon, a title, and what else there is to say about it.
type pickRow struct {
	widget.BaseWidget

	key     string
	icon    *canvas.Image
	title   *theme.Text
	detail  *theme.Text
	buttons []*RowButton
}

func newPickRow(p *Picker) fyne.CanvasObject {
	r := &pickRow{icon: canvas.NewImageFromResource(nil), title: theme.Body(""), detail: theme.MonoMuted("")}
	r.icon.FillMode = canvas.ImageFillContain
	r.title.Truncate = theme.TruncateEnd
	offer := func(icon theme.IconName, f func(string)) {
		if f == nil {
			return
		}
		b := NewRowButton(theme.Icon(icon))
		b.OnTapped = func() {
			p.change(f, slices.IndexFunc(p.shown, func(i PickItem) bool { return i.Key == r.key }))
		}
		r.buttons = append(r.buttons, b)
	}
	offer(theme.IconLabel, p.options.OnRename)
	offer(theme.IconTrash, p.options.OnRemove)
	r.ExtendBaseWidget(r)
	return r
}

func (r *pickRow) set(item PickItem) {
	r.key = item.Key
	icon := tinted(item.Icon, theme.ColorNameMuted)
	r.icon.Hidden = icon == nil
	if icon != nil && (r.icon.Resource == nil || r.icon.Resource.Name() != icon.Name()) {
		r.icon.Resource = icon
		r.icon.Refresh()
	}
	r.title.SetText(item.Title)
	r.detail.SetText(item.Detail)
	r.layout(r.Size())
}

func (r *pickRow) layout(size fyne.Size) {
	x := float32(8)
	if r.icon.Visible() {
		r.icon.Move(fyne.NewPos(x, (size.Height-16)/2))
		r.icon.Resize(fyne.NewSquareSize(16))
		x += 24
	}
	right := size.Width - 8
	for i := len(r.buttons) - 1; i >= 0; i-- {
		right -= 22
		r.buttons[i].Move(fyne.NewPos(right, (size.Height-22)/2))
		r.buttons[i].Resize(fyne.NewSquareSize(22))
	}
	rest := right - x
	title := rest
	if r.detail.Text != "" {
		style := fyne.MeasureText(r.title.Text, theme.Size(fynetheme.SizeNameText), fyne.TextStyle{})
		title = fyne.Min(style.Width+2, rest*0.6)
		r.detail.Move(fyne.NewPos(x+title+10, 0))
		r.detail.Resize(fyne.NewSize(rest-title-10, size.Height))
	}
	r.title.Move(fyne.NewPos(x, 0))
	r.title.Resize(fyne.NewSize(title, size.Height))
}

func (r *pickRow) CreateRenderer() fyne.WidgetRenderer { return &pickRowRenderer{r} }

type pickRowRenderer struct{ r *pickRow }

func (r *pickRowRenderer) Destroy()              {}
func (r *pickRowRenderer) MinSize() fyne.Size    { return fyne.NewSize(120, 20) }
func (r *pickRowRenderer) Layout(size fyne.Size) { r.r.layout(size) }
func (r *pickRowRenderer) Refresh()              { canvas.Refresh(r.r) }
func (r *pickRowRenderer) Objects() []fyne.CanvasObject {
	objects := []fyne.CanvasObject{r.r.icon, r.r.title, r.r.detail}
	for _, b := range r.r.buttons {
		objects = append(objects, b)
	}
	return objects
}
