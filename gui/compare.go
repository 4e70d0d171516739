package gui

import (
	"os"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"talebinder/gui/theme"
	"talebinder/gui/widgets"
)

// Compare shows how build.json on disk differs from the text in the window.
func (s *Shell) Compare() {
	o := s.open
	if o == nil {
		return
	}
	build := o.work.Project.Build
	disk, err := os.ReadFile(build.Path())
	if err != nil {
		s.Error(err)
		return
	}
	lines := around(diffLines(build.Text(), disk), 3)
	list := widgets.NewRows(func() int { return len(lines) }, newDiffRow, func(i int, row fyne.CanvasObject) {
		fillDiffRow(row.(*fyne.Container), lines[i])
	})
	list.Height = 18
	legend := theme.Caption("− only in this window      + only on disk")
	content := container.NewBorder(container.New(&widgets.PadLayout{Bottom: 6}, legend), nil, nil, nil,
		container.NewStack(newGround(fynetheme.ColorNameInputBackground), list))
	s.showSheet(sheetOptions{
		icon: theme.IconCompare, tone: widgets.Notice, title: "build.json: this window and the disk",
		content: content, width: 760, height: min(420, float32(len(lines)+1)*18+30),
		buttons: []sheetButton{
			{text: "Reload", run: s.reloadBuild},
			{text: "Keep mine", run: s.keepMine},
			{text: "Cancel"},
		},
	})
}

// A row of the comparison: ground, line number, sign and text.
func newDiffRow() fyne.CanvasObject {
	number := theme.MonoMuted("").WithAlign(fyne.TextAlignTrailing)
	text := theme.Mono("").WithTruncation(theme.TruncateEnd)
	return container.New(&diffRowLayout{}, newGround(fynetheme.ColorNameInputBackground), number, theme.Mono(""), text)
}

func fillDiffRow(row *fyne.Container, l diffLine) {
	color, back, sign, number := fyne.ThemeColorName(theme.ColorNameMuted), fyne.ThemeColorName(fynetheme.ColorNameInputBackground), "", l.right
	switch l.kind {
	case removed:
		color, back, sign, number = fynetheme.ColorNameError, theme.ColorNameErrorSoft, "−", l.left
	case added:
		color, back, sign = fynetheme.ColorNameSuccess, theme.ColorNameSuccessSoft, "+"
	}
	row.Objects[0].(*ground).set(back)
	text := ""
	if number > 0 {
		text = strconv.Itoa(number)
	}
	row.Objects[1].(*theme.Text).Set(text, theme.ColorNameMuted)
	row.Objects[2].(*theme.Text).Set(sign, color)
	row.Objects[3].(*theme.Text).Set(l.text, color)
}

type diffRowLayout struct{}

func (l *diffRowLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(100, 18) }

func (l *diffRowLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Resize(size)
	for i, x := range []float32{0, 44, 60} {
		end := []float32{36, 58, size.Width - 4}[i]
		objects[i+1].Move(fyne.NewPos(x, 0))
		objects[i+1].Resize(fyne.NewSize(max(0, end-x), size.Height))
	}
}
