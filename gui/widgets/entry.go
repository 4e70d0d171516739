package widgets

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
)

// Entry is a line of text to type. It can be filled from a document while somebody types in it.
type Entry struct {
	widget.Entry

	// OnFocus is told when the entry gets the focus, OnLeave when it loses it.
	OnFocus, OnLeave func()
	// OnKey sees every key before the entry does and returns true to keep it.
	OnKey func(*fyne.KeyEvent) bool
	// Outer, when set, takes the wheel: the toolkit's entry keeps it, so that a form would stop under the pointer.
	Outer fyne.Scrollable
}

// NewEntry makes an empty entry.
func NewEntry() *Entry {
	e := &Entry{}
	e.Wrapping = fyne.TextWrapOff
	e.Scroll = fyne.ScrollHorizontalOnly
	e.ExtendBaseWidget(e)
	return e
}

// NewMonoEntry makes an entry in the monospaced face, for paths.
func NewMonoEntry() *Entry {
	e := NewEntry()
	e.TextStyle = fyne.TextStyle{Monospace: true}
	return e
}

// CreateRenderer implements fyne.Widget.
func (e *Entry) CreateRenderer() fyne.WidgetRenderer {
	e.ExtendBaseWidget(e)
	w := &wheelGuard{entry: e}
	w.ExtendBaseWidget(w)
	return &entryRenderer{WidgetRenderer: e.Entry.CreateRenderer(), guard: w}
}

// entryRenderer is the toolkit's, with the guard above everything else.
type entryRenderer struct {
	fyne.WidgetRenderer
	guard *wheelGuard
}

func (r *entryRenderer) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	r.guard.Resize(size)
}

func (r *entryRenderer) Objects() []fyne.CanvasObject {
	objects := r.WidgetRenderer.Objects()
	if r.guard.entry.Outer == nil {
		return objects
	}
	return append(objects[:len(objects):len(objects)], r.guard)
}

// wheelGuard lies over an entry, cannot be seen, and takes nothing but the wheel.
type wheelGuard struct {
	widget.BaseWidget
	entry *Entry
}

var _ fyne.Scrollable = (*wheelGuard)(nil)

func (w *wheelGuard) Scrolled(e *fyne.ScrollEvent) { w.entry.Outer.Scrolled(e) }

func (w *wheelGuard) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(canvas.NewRectangle(color.Transparent))
}

// Load sets the text without telling OnChanged. A text that is shown already is left alone, caret and all; otherwise the
// caret stays at what it stood at.
func (e *Entry) Load(text string) {
	if e.Text == text {
		return
	}
	caret := moveCaret([]rune(e.Text), []rune(text), e.CursorColumn)
	changed := e.OnChanged
	e.OnChanged = nil
	e.SetText(text)
	e.OnChanged = changed
	e.CursorColumn = caret
	e.Refresh()
}

// moveCaret gives the place of a caret after a text was replaced by another: it keeps its distance from the end when it
// stood behind the change, stays when it stood before it, and goes to the end of the change otherwise.
func moveCaret(before, after []rune, caret int) int {
	prefix := 0
	for prefix < min(len(before), len(after)) && before[prefix] == after[prefix] {
		prefix++
	}
	suffix := 0
	for suffix < min(len(before), len(after))-prefix && before[len(before)-1-suffix] == after[len(after)-1-suffix] {
		suffix++
	}
	switch {
	case caret >= len(before)-suffix:
		return max(0, caret+len(after)-len(before))
	case caret <= prefix:
		return caret
	}
	return len(after) - suffix
}

// FocusGained implements fyne.Focusable.
func (e *Entry) FocusGained() {
	e.Entry.FocusGained()
	if e.OnFocus != nil {
		e.OnFocus()
	}
}

// FocusLost implements fyne.Focusable.
func (e *Entry) FocusLost() {
	e.Entry.FocusLost()
	if e.OnLeave != nil {
		e.OnLeave()
	}
}

// TypedKey implements fyne.Focusable.
func (e *Entry) TypedKey(key *fyne.KeyEvent) {
	if e.OnKey != nil && e.OnKey(key) {
		return
	}
	e.Entry.TypedKey(key)
}

// SearchEntry is an entry with a magnifying glass. Escape empties it.
type SearchEntry struct {
	widget.BaseWidget

	Entry *Entry
	// OnDown is called for the down arrow, to go on to the list below; OnEnter for Enter; OnEscape for Escape in an empty entry.
	OnDown, OnEnter, OnEscape func()

	clear *IconButton
}

// NewSearchEntry makes an empty search field. onChanged is told every change of the text.
func NewSearchEntry(placeholder string, onChanged func(text string)) *SearchEntry {
	s := &SearchEntry{Entry: NewEntry()}
	s.Entry.SetPlaceHolder(placeholder)
	s.Entry.OnKey = s.key
	s.clear = NewIconButton(theme.Icon(theme.IconClose), "Clear the search", func() { s.Entry.SetText("") })
	s.clear.Quiet = true
	s.clear.Hide()
	s.Entry.OnChanged = func(text string) {
		if s.clear.Visible() != (text != "") {
			s.clear.Hidden = text == ""
			s.Refresh()
		}
		if onChanged != nil {
			onChanged(text)
		}
	}
	s.ExtendBaseWidget(s)
	return s
}

// Text gives what is searched for.
func (s *SearchEntry) Text() string { return s.Entry.Text }

// Focus puts the caret into the entry.
func (s *SearchEntry) Focus() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(s); c != nil {
		c.Focus(s.Entry)
	}
}

func (s *SearchEntry) key(e *fyne.KeyEvent) bool {
	switch e.Name {
	case fyne.KeyEscape:
		if s.Entry.Text != "" {
			s.Entry.SetText("")
			return true
		}
		return call(s.OnEscape)
	case fyne.KeyDown:
		return call(s.OnDown)
	case fyne.KeyReturn, fyne.KeyEnter:
		return call(s.OnEnter)
	}
	return false
}

func call(f func()) bool {
	if f == nil {
		return false
	}
	f()
	return true
}

// CreateRenderer implements fyne.Widget.
func (s *SearchEntry) CreateRenderer() fyne.WidgetRenderer {
	s.ExtendBaseWidget(s)
	icon := canvas.NewImageFromResource(nil)
	icon.FillMode = canvas.ImageFillContain
	r := &searchRenderer{s: s, icon: icon}
	r.icon.Resource = tinted(theme.Icon(theme.IconSearch), theme.ColorNameMuted)
	return r
}

type searchRenderer struct {
	s    *SearchEntry
	icon *canvas.Image
}

const searchIcon = 20

func (r *searchRenderer) Destroy() {}

func (r *searchRenderer) MinSize() fyne.Size {
	return fyne.NewSize(120, r.s.Entry.MinSize().Height)
}

func (r *searchRenderer) Layout(size fyne.Size) {
	r.icon.Move(fyne.NewPos(0, (size.Height-16)/2))
	r.icon.Resize(fyne.NewSquareSize(16))
	right := size.Width
	if r.s.clear.Visible() {
		right -= 26
	}
	r.s.clear.Move(fyne.NewPos(right+2, (size.Height-24)/2))
	r.s.clear.Resize(fyne.NewSquareSize(24))
	r.s.Entry.Move(fyne.NewPos(searchIcon+2, 0))
	r.s.Entry.Resize(fyne.NewSize(right-searchIcon-2, size.Height))
}

func (r *searchRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.icon, r.s.Entry, r.s.clear}
}

func (r *searchRenderer) Refresh() {
	r.icon.Resource = tinted(theme.Icon(theme.IconSearch), theme.ColorNameMuted)
	r.Layout(r.s.Size())
	r.icon.Refresh()
	r.s.clear.Refresh()
}
