package scenes

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/formats/jsondoc"
	"talebinder/gui/scenes/stage"
	"talebinder/gui/theme"
	"talebinder/gui/widgets"
	"talebinder/project/assets"
	"talebinder/project/scene"
	"talebinder/project/scene/overrides"
)

// editor shows the chosen value at full length and takes a new one.
type editor struct {
	screen *screen
	object fyne.CanvasObject
	column *widgets.Column
	stack  *fyne.Container

	title   *theme.Text
	badge   *widgets.Badge
	what    *widgets.Note
	field   *widgets.Field
	entry   *widgets.Entry
	choice  *widget.Select
	toggle  *widgets.Segmented
	set     *widget.Button
	more    *widgets.IconButton
	raw     bool // JSON is typed although the field has a type
	loading bool
	item    *Item
	first   fyne.Focusable // what takes the focus
}

func newEditor(s *screen) *editor {
	e := &editor{screen: s, title: theme.Strong("").WithTruncation(theme.TruncateMiddle), badge: widgets.NewBadge("", widgets.Accent), what: widgets.NewNote("", widgets.Neutral)}
	e.stack = widgets.NewStack(7)
	e.column = widgets.NewColumn(container.New(&widgets.PadLayout{Left: edge + 2, Top: 9, Right: 12, Bottom: 10}, e.stack))
	e.object = container.New(&editorLayout{e}, widgets.NewGround(theme.ColorNameCard, widgets.EdgeTop), e.column)
	e.more = widgets.NewIconButton(theme.Icon(theme.IconMore), "More to do with it", func() {
		s.itemMenu(s.host.App().Driver().AbsolutePositionForObject(e.more).AddXY(0, e.more.Size().Height))
	})
	e.more.Quiet = true
	return e
}

type editorLayout struct{ e *editor }

func (l *editorLayout) HeightFor(o []fyne.CanvasObject, width float32) float32 {
	return widgets.HeightFor(l.e.column.Content, width) + 1
}
func (l *editorLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(120, 40) }
func (l *editorLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Resize(size)
	o[1].Move(fyne.NewPos(0, 1))
	o[1].Resize(fyne.NewSize(size.Width, size.Height-1))
}

// show is about the chosen item; without one the editor is hidden.
func (e *editor) show() {
	s := e.screen
	item := s.item()
	if e.item == nil || item == nil || item.Component != e.item.Component || item.Path != e.item.Path {
		e.raw = false
	}
	e.item = item
	e.entry, e.choice, e.toggle, e.first, e.field = nil, nil, nil, nil, nil
	e.object.(*fyne.Container).Hidden = item == nil
	if item == nil {
		return
	}
	e.title.SetText(itemTitle(item))
	e.badge.Hidden = item.Row == nil
	if item.Row != nil {
		e.badge.Set(className(item.Row.Class), classTone(item.Row.Class))
	}
	e.stack.Objects = []fyne.CanvasObject{container.NewBorder(nil, nil, nil, e.more, container.New(&nameLayout{}, e.title, e.badge))}
	add := func(o ...fyne.CanvasObject) { e.stack.Objects = append(e.stack.Objects, o...) }
	if item.Row != nil && item.Row.Reason != "" {
		add(widgets.NewNote(item.Row.Reason, classTone(item.Row.Class)))
	} else if item.Row != nil && item.Row.Class == overrides.Redundant {
		add(widgets.NewNote(classHelp(item.Row.Class), classTone(item.Row.Class)))
	}
	if item.IsComponent() || item.Group {
		e.component(item, add)
	} else {
		e.value(item, add)
	}
	e.column.Offset = fyne.Position{}
	e.column.Relayout()
	e.object.Refresh()
}

func itemTitle(i *Item) string {
	if i.IsComponent() {
		return i.Component
	}
	return i.Component + " › " + strings.ReplaceAll(i.Path, ".", " › ")
}

// component offers what can be done with a component, and shows all of its data as JSON.
func (e *editor) component(item *Item, add func(...fyne.CanvasObject)) {
	s := e.screen
	row := container.New(&widgets.FlowLayout{Gap: 6, Line: 32})
	button := func(title string, run func()) { row.Add(widget.NewButton(title, run)) }
	switch {
	case item.Removed:
		button("Restore component", s.restoreComponent)
		button("Apply removal…", s.apply)
	case item.Member && (item.Row != nil || item.Below > 0):
		button("Revert…", s.revertComponent)
		button("Apply…", s.apply)
	}
	if item.IsComponent() && !item.Removed && item.Component != transform {
		button("Remove component", s.removeComponent)
	}
	if len(row.Objects) > 0 {
		add(row)
	}
	v := item.Value
	if !v.Exists() {
		v = item.Base
	}
	if v.Exists() {
		text := string(v.Raw())
		add(container.NewBorder(nil, nil, nil, widgets.NewLink("Copy the JSON", func() { s.host.Copy(text) }), theme.Overline("JSON")))
		add(newJSONText(text))
	}
}

// value offers to change a value.
func (e *editor) value(item *Item, add func(...fyne.CanvasObject)) {
	s := e.screen
	db := s.db()
	f := item.Field
	if e.raw {
		f = scene.Field{Name: f.Name}
	}
	if item.Member && !item.Unset {
		add(container.New(&comparedLayout{}, e.cell("Prefab", item.Base, item.Field), e.cell("Instance", item.Value, item.Field)))
	} else if o := painted(item.Value, item.Field); o != nil {
		add(o)
	}
	if a := asset(db, item); a != nil {
		add(container.NewHBox(widgets.NewLink("Show "+a.Path+" in the content", func() { s.host.Show("content", a.Path) })))
	}
	old := item.Value
	text := editText(old, f)
	if e.raw && old.Exists() {
		text = string(old.Raw())
	}
	options := slices.Clone(f.Enum)
	if f.Type == scene.Enum {
		for _, v := range []jsondoc.Value{old, item.Base} {
			if name, err := v.Text(); err == nil && !slices.Contains(options, name) {
				options = append(options, name)
			}
		}
	}
	switch {
	case f.Type == scene.Bool:
		e.toggle = widgets.NewSegmented([]string{"Yes", "No"}, func(i int) {
			if !e.loading {
				s.setValue([]byte([...]string{"true", "false"}[i]))
			}
		})
		on, err := old.Bool()
		switch {
		case err != nil:
			e.toggle.Load(-1)
		case on:
			e.toggle.Load(0)
		default:
			e.toggle.Load(1)
		}
		e.first = e.toggle
		add(container.NewHBox(e.toggle, e.actions(item, false)))
	case f.Type == scene.Enum:
		e.choice = widget.NewSelect(options, func(name string) {
			if !e.loading && name != text {
				s.setValue(quoted(name))
			}
		})
		e.loading = true
		e.choice.PlaceHolder = "Choose"
		if text != "" {
			e.choice.SetSelected(text)
		}
		e.loading = false
		e.first = e.choice
		add(container.NewHBox(e.choice, e.actions(item, false)))
	default:
		e.entry = e.newEntry(f, text)
		e.first = e.entry
		e.field = widgets.NewField("", e.entry)
		e.field.SetHelp(expects(f))
		var input fyne.CanvasObject = e.field
		if f.Type == scene.AssetType {
			pick := widget.NewButton("Choose…", nil)
			pick.OnTapped = func() { e.pickAsset(pick, f) }
			input = container.NewBorder(nil, nil, nil, container.NewVBox(pick), e.field)
		}
		add(input)
		add(container.NewHBox(e.actions(item, true)))
	}
}

// newEntry makes the field for a text that stands for the value.
func (e *editor) newEntry(f scene.Field, text string) *widgets.Entry {
	s := e.screen
	multi := f.Type == scene.Unknown || f.Type == scene.CurveType || f.Type == scene.GradientType || f.Type == scene.ScriptsType || strings.Contains(text, "\n")
	var entry *widgets.Entry
	if f.Type == scene.Text {
		entry = widgets.NewEntry()
	} else {
		entry = widgets.NewMonoEntry()
	}
	if multi {
		entry.MultiLine = true
		entry.Wrapping = fyne.TextWrapBreak
		entry.SetMinRowsVisible(min(6, max(2, strings.Count(text, "\n")+1)))
	}
	entry.Outer = e.column
	entry.Load(text)
	if f.Type == scene.AssetType {
		if a := asset(s.db(), e.item); a != nil && e.item.Value.Exists() {
			entry.Load(a.Path)
		}
	}
	loaded := entry.Text
	entry.OnChanged = func(typed string) { e.typed(f, typed, loaded) }
	entry.OnSubmitted = func(string) { e.commit() }
	entry.OnKey = func(k *fyne.KeyEvent) bool {
		if k.Name == fyne.KeyEscape {
			entry.SetText(loaded)
			s.host.Window().Canvas().Focus(s.inspector.rows)
			return true
		}
		return false
	}
	return entry
}

// typed looks at what is being typed: what it would be is said at once, and nothing is written.
func (e *editor) typed(f scene.Field, typed, loaded string) {
	_, err := parseValue(e.screen.db(), typed, f, e.item.Value)
	status := ""
	if err != nil && typed != loaded {
		status = err.Error()
	}
	e.set.Disable()
	if err == nil && typed != loaded {
		e.set.Enable()
	}
	if e.field.SetStatus(status, widgets.Danger) {
		e.column.Relayout()
		e.screen.inspector.page.Refresh()
	}
}

// commit sets what was typed, when it is valid and another value.
func (e *editor) commit() {
	if e.entry == nil || e.item == nil {
		return
	}
	f := e.item.Field
	if e.raw {
		f = scene.Field{Name: f.Name}
	}
	value, err := parseValue(e.screen.db(), e.entry.Text, f, e.item.Value)
	if err != nil {
		e.field.SetStatus(err.Error(), widgets.Danger)
		e.column.Relayout()
		return
	}
	if same(value, e.item.Value.Raw()) {
		e.screen.host.Window().Canvas().Focus(e.screen.inspector.rows)
		return
	}
	e.screen.setValue(value)
}

// focus puts the caret into the field.
func (e *editor) focus() {
	if e.first != nil {
		e.screen.host.Window().Canvas().Focus(e.first)
		if e.entry != nil && !e.entry.MultiLine {
			e.entry.TypedShortcut(&fyne.ShortcutSelectAll{})
		}
	}
}

// actions are the buttons for a value.
func (e *editor) actions(item *Item, typed bool) fyne.CanvasObject {
	s := e.screen
	e.set = widget.NewButton("Set", e.commit)
	e.set.Importance = widget.HighImportance
	e.set.Disable()
	box := container.NewHBox()
	if typed {
		box.Add(e.set)
	}
	if item.Row != nil && item.Member {
		box.Add(widget.NewButtonWithIcon("Revert", theme.Icon(theme.IconUndo), s.revertValue))
		box.Add(widget.NewButtonWithIcon("Apply…", theme.Icon(theme.IconPrefab), s.apply))
	}
	if item.Field.Type != scene.Unknown {
		title := "as JSON"
		if e.raw {
			title = "as " + typeName(item.Field)
		}
		box.Add(widgets.NewLink(title, func() {
			e.raw = !e.raw
			e.show()
			s.inspector.page.Refresh()
		}))
	}
	return box
}

func typeName(f scene.Field) string {
	switch f.Type {
	case scene.Number, scene.Integer:
		return "number"
	case scene.Bool:
		return "yes or no"
	case scene.Enum:
		return "choice"
	case scene.VectorType:
		return "vector"
	case scene.RectType:
		return "rectangle"
	case scene.ColorType:
		return "color"
	case scene.AssetType:
		return "asset"
	case scene.EntityType:
		return "entity"
	case scene.Angle:
		return "angle"
	case scene.TextSet:
		return "words"
	}
	return "text"
}

// cell is one of the two values that are compared.
func (e *editor) cell(label string, v jsondoc.Value, f scene.Field) fyne.CanvasObject {
	s := e.screen
	text := showValue(s.db(), s.nameOf, v, f)
	if !v.Exists() {
		text = "nothing"
	}
	if o := painted(v, f); o != nil {
		return widgets.NewStack(2, theme.Caption(label), o, theme.Caption(clipTo(text, 60)))
	}
	cell := newValueCell(s.thumbs, func(a *assets.Asset) { s.showAsset(a) })
	cell.set(s.db(), v, f, text, foreground)
	return widgets.NewStack(2, theme.Caption(label), container.New(&fixedLayout{22}, cell))
}

func clipTo(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}

// painted draws a curve or a gradient large; it gives nil for what is shown as a line.
func painted(v jsondoc.Value, f scene.Field) fyne.CanvasObject {
	if !v.Exists() {
		return nil
	}
	switch f.Type {
	case scene.CurveType:
		if c, err := scene.ReadCurve(v); err == nil {
			return container.New(&fixedLayout{64}, stage.NewCurveView(c))
		}
	case scene.GradientType:
		if g, err := scene.ReadGradient(v); err == nil {
			return container.New(&fixedLayout{28}, stage.NewGradientView(g))
		}
	}
	return nil
}

// pickAsset offers the assets of the field's kind.
func (e *editor) pickAsset(anchor fyne.CanvasObject, f scene.Field) {
	s := e.screen
	var items []widgets.PickItem
	for _, a := range s.db().All() {
		if a.Folder || f.Asset != "" && a.Kind.ID != f.Asset || f.Asset == "" && a.Kind.ID == assets.Other {
			continue
		}
		items = append(items, widgets.PickItem{Key: a.Meta.Guid.String(), Title: a.Path, Detail: a.Kind.Name, Icon: s.icons.get(theme.KindIcon(a.Kind.Name), theme.ColorNameMuted)})
	}
	widgets.ShowPicker(s.host.Window().Canvas(), anchor, widgets.PickerOptions{
		Placeholder: "Search assets", Items: items, Empty: "The project has no asset of this kind.", EmptyTitle: "Nothing to choose",
		OnPick:     func(keys []string) { s.setValue(quoted(keys[0])) },
		ExtraLabel: "None", OnExtra: func() { s.setValue([]byte("null")) },
	})
}

// comparedLayout puts two values side by side.
type comparedLayout struct{}

func (comparedLayout) HeightFor(o []fyne.CanvasObject, width float32) float32 {
	return max(widgets.HeightFor(o[0], width/2-6), widgets.HeightFor(o[1], width/2-6))
}
func (comparedLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(120, max(o[0].MinSize().Height, o[1].MinSize().Height))
}
func (comparedLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	w := size.Width/2 - 6
	for i, part := range o {
		part.Move(fyne.NewPos(float32(i)*(w+12), 0))
		part.Resize(fyne.NewSize(w, size.Height))
	}
}

// fixedLayout gives an object a height.
type fixedLayout struct{ height float32 }

func (l *fixedLayout) HeightFor([]fyne.CanvasObject, float32) float32 { return l.height }
func (l *fixedLayout) MinSize([]fyne.CanvasObject) fyne.Size          { return fyne.NewSize(30, l.height) }
func (l *fixedLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	for _, part := range o {
		part.Resize(size)
	}
}

// mostJSON is how many lines of JSON are shown of a component; all of it can be copied.
const mostJSON = 200

// newJSONText shows JSON as it stands in the file, without its indentation in there.
func newJSONText(text string) fyne.CanvasObject {
	lines := strings.Split(strings.ReplaceAll(text, "\r", ""), "\n")
	least := -1
	for _, l := range lines[1:] {
		if n := len(l) - len(strings.TrimLeft(l, " \t")); strings.TrimSpace(l) != "" && (least < 0 || n < least) {
			least = n
		}
	}
	list := widgets.NewStack(0)
	for i, l := range lines {
		if i == mostJSON {
			list.Add(theme.Caption("…"))
			break
		}
		if i > 0 && least > 0 && len(l) >= least {
			l = l[least:]
		}
		line := theme.Mono(strings.ReplaceAll(clip(l), "\t", "  ")).WithTruncation(theme.TruncateEnd)
		list.Add(line)
	}
	return list
}
