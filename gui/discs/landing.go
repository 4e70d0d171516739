package discs

import (
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
	"talebinder/gui/widgets"
)

// landing says what the screen is for while nothing is open, or why nothing was opened.
type landing struct {
	screen *screen
	object fyne.CanvasObject
	stack  *fyne.Container
	column *widgets.Column
	empty  fyne.CanvasObject
}

func newLanding(s *screen) *landing {
	open := widget.NewButtonWithIcon("Open an image…", theme.Icon(theme.IconDisc), s.chooseFile)
	open.Importance = widget.HighImportance
	l := &landing{screen: s, stack: widgets.NewStack(14)}
	l.empty = widgets.NewEmptyState(theme.Icon(theme.IconDisc), "Look into a disc or cartridge image",
		"Open or drop one: see what it is and what is on it, take files out, compare it with another one (drop two at once), and swap its "+
			"content for a folder. What will happen is shown before anything is written, and the new image is read back and compared.", open)
	l.column = widgets.NewColumn(container.New(&landingLayout{}, l.stack))
	l.object = l.column
	return l
}

// show brings the landing up to date.
func (l *landing) show() {
	s := l.screen
	var parts []fyne.CanvasObject
	switch {
	case s.loading != "":
		parts = append(parts, widgets.NewNote("Opening "+s.loading+"…", widgets.Notice))
	case s.failed != nil:
		parts = append(parts, widgets.NewCard("", widgets.NewStack(4, refusal(s.icons, nameOf(s.denied)+" cannot be opened", s.failed, s.denied)...)))
	}
	parts = append(parts, l.empty)
	if list := s.recent(rememberImages); len(list) > 0 {
		recents := widgets.NewStack(2, theme.Overline("Opened lately"))
		for _, path := range list {
			row := widgets.NewPathRow(s.icons.Get(theme.IconDisc, theme.ColorNameMuted), path, "", func() { s.show(path) })
			row.OnFocus = func() { l.column.Reveal(row) }
			recents.Add(row)
		}
		parts = append(parts, recents)
	}
	parts = append(parts, widgets.NewStack(0, overline("What is read"),
		fact("Dreamcast", "DiscJuggler images (.cdi) whose data track stores 2048 or 2336 bytes a sector. With 2352 bytes they can be looked into, and not be rewritten."),
		fact("PlayStation 2", "Plain volumes (.iso)."),
		fact("Nintendo 64", "ROMs (.z64) that end with their DragonFS image. Byte-swapped ones (.v64, .n64) are converted first, with one button."),
		fact("Not read", ".gdi, .mds, .nrg, .chd and other containers: their programs can save a .cdi or .iso.")))
	l.stack.Objects = parts
	l.column.Relayout()
	l.stack.Refresh()
}

// landingLayout keeps what it shows in the middle, and not wider than reads well.
type landingLayout struct{}

const landingWidth = 560

func (landingLayout) width(all float32) float32 { return min(all-48, landingWidth) }

// HeightFor gives the height at a width, with some room above and below.
func (l landingLayout) HeightFor(o []fyne.CanvasObject, width float32) float32 {
	return widgets.HeightFor(o[0], l.width(width)) + 56
}

func (landingLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(280, 200) }

func (l landingLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	width := l.width(size.Width)
	o[0].Move(fyne.NewPos((size.Width-width)/2, 32))
	o[0].Resize(fyne.NewSize(width, widgets.HeightFor(o[0], width)))
}

// nameOf is the name of a file for sentences.
func nameOf(path string) string { return filepath.Base(path) }
