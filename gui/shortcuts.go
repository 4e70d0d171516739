package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// A shortcutLine is a line of the shortcut sheet.
type shortcutLine struct {
	title string
	keys  []string
}

// A shortcutGroup is what the sheet lists under one menu's name.
type shortcutGroup struct {
	name  string
	lines []shortcutLine
}

// shortcutGroups lists every command that has a key, by menu.
func shortcutGroups(commands []ui.Command) []shortcutGroup {
	var out []shortcutGroup
	for _, menu := range ui.Menus() {
		g := shortcutGroup{name: menu}
		for _, c := range commands {
			if c.Menu != menu {
				continue
			}
			line := shortcutLine{title: c.Title}
			for _, sc := range append([]fyne.Shortcut{c.Shortcut}, c.Also...) {
				if text := ui.ShortcutText(sc); text != "" {
					line.keys = append(line.keys, text)
				}
			}
			if len(line.keys) > 0 {
				g.lines = append(g.lines, line)
			}
		}
		if len(g.lines) > 0 {
			out = append(out, g)
		}
	}
	return out
}

func (s *Shell) showShortcuts() {
	groups := shortcutGroups(s.commands)
	groups = append(groups, shortcutGroup{name: "Lists", lines: []shortcutLine{
		{"Move the selected row", []string{"Alt+Up", "Alt+Down"}},
		{"Tick or untick the selected row", []string{"Space"}},
		{"Go on to the next field", []string{"Tab"}},
		{"Close what is in front", []string{"Esc"}},
	}})
	columns := container.New(&columnsLayout{gap: 28, least: 260})
	for _, g := range groups {
		lines := []fyne.CanvasObject{theme.Overline(g.name)}
		for _, l := range g.lines {
			lines = append(lines, newShortcutRow(l))
		}
		columns.Add(container.New(&widgets.PadLayout{Bottom: 12}, widgets.NewStack(3, lines...)))
	}
	s.showSheet(sheetOptions{
		icon: theme.IconKeyboard, tone: widgets.Accent, title: "Keyboard shortcuts",
		content: widgets.NewColumn(container.New(&widgets.PadLayout{Right: 14}, columns)), width: 700, height: 460,
		buttons: []sheetButton{{text: "Close"}},
	})
}

func newShortcutRow(l shortcutLine) fyne.CanvasObject {
	row := container.New(&shortcutRowLayout{}, theme.Body(l.title).WithTruncation(theme.TruncateEnd))
	for _, k := range l.keys {
		row.Add(newKeyCap(k))
	}
	return row
}

// newKeyCap draws a shortcut as a key.
func newKeyCap(text string) fyne.CanvasObject {
	back := canvas.NewRectangle(theme.Color(theme.ColorNameBadge))
	back.CornerRadius = 4
	t := theme.Caption(text)
	t.ColorName = theme.ColorNameBadgeText
	return container.NewStack(back, container.New(&widgets.PadLayout{Left: 6, Right: 6, Top: 2, Bottom: 2}, t))
}

type shortcutRowLayout struct{}

func (l *shortcutRowLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(200, 24) }

func (l *shortcutRowLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	right := size.Width
	for i := len(objects) - 1; i > 0; i-- {
		m := objects[i].MinSize()
		right -= m.Width
		objects[i].Move(fyne.NewPos(right, (size.Height-m.Height)/2))
		objects[i].Resize(m)
		right -= 4
	}
	objects[0].Move(fyne.Position{})
	objects[0].Resize(fyne.NewSize(max(0, right-6), size.Height))
}

// columnsLayout fills as many columns as fit, each group whole, the shortest column first.
type columnsLayout struct{ gap, least float32 }

func (l *columnsLayout) arrange(objects []fyne.CanvasObject, width float32, place bool) float32 {
	n := max(1, int((width+l.gap)/(l.least+l.gap)))
	w := (width - l.gap*float32(n-1)) / float32(n)
	heights := make([]float32, n)
	for _, o := range objects {
		at := 0
		for i := range heights {
			if heights[i] < heights[at] {
				at = i
			}
		}
		h := widgets.HeightFor(o, w)
		if place {
			o.Move(fyne.NewPos(float32(at)*(w+l.gap), heights[at]))
			o.Resize(fyne.NewSize(w, h))
		}
		heights[at] += h
	}
	most := float32(0)
	for _, h := range heights {
		most = max(most, h)
	}
	return most
}

func (l *columnsLayout) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	return l.arrange(objects, width, false)
}

func (l *columnsLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(l.least, l.arrange(objects, l.least, false))
}

func (l *columnsLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.arrange(objects, size.Width, true)
}
