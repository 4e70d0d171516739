package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
	"talebinder/gui/theme"
)

// PathField takes a path by typing, pasting, browsing, or choosing from recent ones, and shows below what it resolves to.
// Dropping is up to the window, which hands a dropped path to Type.
type PathField struct {
	widget.BaseWidget

	Entry *Entry
	// OnChanged is told every change made by hand.
	OnChanged func(text string)
	// OnBrowse opens the chooser.
	OnBrowse func()
	// Recents gives the paths to offer in the menu, the newest first.
	Recents func() []string

	browse   *widget.Button
	recent   *IconButton
	resolved *Note
	menu     *widget.PopUpMenu
	renderer *pathFieldRenderer
}

var _ HeightForWidth = (*PathField)(nil)

// NewPathField makes an empty field.
func NewPathField() *PathField {
	p := &PathField{Entry: NewMonoEntry(), resolved: NewMonoNote("", Neutral)}
	p.Entry.OnChanged = func(text string) {
		if p.OnChanged != nil {
			p.OnChanged(text)
		}
	}
	p.browse = widget.NewButtonWithIcon("Browse…", theme.Icon(theme.IconFolderOpen), func() {
		if p.OnBrowse != nil {
			p.OnBrowse()
		}
	})
	p.recent = NewIconButton(theme.Icon(theme.IconHistory), "Recent folders", p.showRecents)
	p.ExtendBaseWidget(p)
	return p
}

// Load sets the path without telling OnChanged.
func (p *PathField) Load(text string) { p.Entry.Load(text) }

// Type sets the path as if it had been typed: OnChanged is told.
func (p *PathField) Type(text string) { p.Entry.SetText(text) }

// Text gives the path as written.
func (p *PathField) Text() string { return p.Entry.Text }

// SetResolved sets the line below: the path that is really meant. It returns whether that changed.
func (p *PathField) SetResolved(text string) bool {
	if p.resolved.Text() == text {
		return false
	}
	p.resolved.Set(text, Neutral)
	return true
}

// Resolved gives the line below.
func (p *PathField) Resolved() string { return p.resolved.Text() }

func (p *PathField) showRecents() {
	c := fyne.CurrentApp().Driver().CanvasForObject(p)
	if c == nil || p.Recents == nil {
		return
	}
	var items []*fyne.MenuItem
	for _, path := range p.Recents() {
		items = append(items, fyne.NewMenuItem(path, func() { p.Type(path) }))
	}
	if len(items) == 0 {
		none := fyne.NewMenuItem("No recent folders yet", nil)
		none.Disabled = true
		items = append(items, none)
	}
	p.menu = widget.NewPopUpMenu(fyne.NewMenu("", items...), c)
	p.menu.ShowAtRelativePosition(fyne.NewPos(p.recent.Size().Width-p.menu.MinSize().Width, p.recent.Size().Height+2), p.recent)
}

// Relayout lays the line below out again.
func (p *PathField) Relayout() {
	if p.renderer != nil {
		p.renderer.Layout(p.Size())
	}
}

// HeightForWidth gives the height with the resolved path wrapped.
func (p *PathField) HeightForWidth(width float32) float32 {
	height := p.Entry.MinSize().Height
	if h := p.resolved.HeightForWidth(width); h > 0 {
		height += h + fieldGap
	}
	return height
}

// CreateRenderer implements fyne.Widget.
func (p *PathField) CreateRenderer() fyne.WidgetRenderer {
	p.ExtendBaseWidget(p)
	p.renderer = &pathFieldRenderer{p}
	return p.renderer
}

type pathFieldRenderer struct{ p *PathField }

func (r *pathFieldRenderer) Destroy() {}

func (r *pathFieldRenderer) MinSize() fyne.Size {
	return fyne.NewSize(180, r.p.HeightForWidth(fyne.Max(180, r.p.Size().Width)))
}

func (r *pathFieldRenderer) Layout(size fyne.Size) {
	p := r.p
	height := p.Entry.MinSize().Height
	browse := p.browse.MinSize().Width
	p.browse.Move(fyne.NewPos(size.Width-browse, 0))
	p.browse.Resize(fyne.NewSize(browse, height))
	p.recent.Move(fyne.NewPos(size.Width-browse-4-24, (height-24)/2))
	p.recent.Resize(fyne.NewSquareSize(24))
	p.Entry.Move(fyne.Position{})
	p.Entry.Resize(fyne.NewSize(size.Width-browse-4-24-4, height))
	p.resolved.Move(fyne.NewPos(0, height+fieldGap))
	p.resolved.Resize(fyne.NewSize(size.Width, p.resolved.HeightForWidth(size.Width)))
}

func (r *pathFieldRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.p.Entry, r.p.recent, r.p.browse, r.p.resolved}
}

func (r *pathFieldRenderer) Refresh() {
	r.Layout(r.p.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}
