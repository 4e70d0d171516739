package problems

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
	"talebinder/gui/widgets"
	"talebinder/project/problem"
)

// detail says everything about the selected problem.
type detail struct {
	screen  *Screen
	root    fyne.CanvasObject
	column  *widgets.Column
	icon    *canvas.Image
	level   *theme.Text
	message *theme.Text
	place   *theme.Text
	hint    *theme.Text
	hintBox *fyne.Container
	files   *theme.Text
	fileBox *fyne.Container
	open    *widget.Button
	repair  *widget.Button
	copy    *widget.Button
	body    *fyne.Container
}

func newDetail(s *Screen) *detail {
	d := &detail{screen: s, level: theme.Overline(""), message: theme.Paragraph(""), place: theme.Mono(""), hint: theme.Paragraph(""), files: theme.Paragraph("")}
	d.icon = canvas.NewImageFromResource(nil)
	d.icon.FillMode = canvas.ImageFillContain
	d.message.ColorName = fynetheme.ColorNameForeground
	d.place.Truncate, d.place.Wrap = theme.TruncateNone, true
	d.hint.ColorName = fynetheme.ColorNameForeground
	d.files.Style, d.files.SizeName = fyne.TextStyle{Monospace: true}, fynetheme.SizeNameCaptionText
	d.hintBox = widgets.NewStack(3, theme.Overline("What to do"), d.hint)
	d.fileBox = widgets.NewStack(3, theme.Overline("The repair writes"), d.files)
	d.open = widget.NewButtonWithIcon("Go to the place", theme.Icon(theme.IconArrowRight), s.goTo)
	d.repair = widget.NewButtonWithIcon("Repair…", theme.IconIn(theme.IconWrench, fynetheme.ColorNameForegroundOnPrimary), s.repairSelected)
	d.repair.Importance = widget.HighImportance
	d.copy = widget.NewButtonWithIcon("Copy", theme.Icon(theme.IconCopy), func() {
		if p, ok := s.selected(); ok {
			s.host.Copy(text(p))
		}
	})
	head := container.New(&levelLayout{}, d.icon, d.level)
	d.body = widgets.NewStack(12, head, d.message, d.place, d.hintBox, d.fileBox, container.NewHBox(d.repair, d.open, d.copy))
	d.column = widgets.NewColumn(widgets.NewPad(14, d.body))
	d.root = d.column
	return d
}

func (d *detail) show(p problem.Problem, ok bool) {
	d.body.Hidden = !ok
	if !ok {
		d.body.Refresh()
		return
	}
	name, tone := icon(p.Level)
	d.icon.Resource = theme.IconIn(name, tone.Color())
	word := map[problem.Level]string{problem.Error: "ERROR", problem.Warning: "WARNING", problem.Info: "NOTE"}[p.Level]
	d.level.Set(word, tone.Color())
	d.message.SetText(p.Message)
	d.place.SetText(place(p))
	d.place.Hidden = p.File == ""
	d.hint.SetText(p.Hint)
	d.hintBox.Hidden = p.Hint == ""
	r, can := repairOf(d.screen.repairs(), p)
	d.repair.Hidden = !can
	d.fileBox.Hidden = !can
	files := ""
	for i, f := range r.Files {
		if i > 0 {
			files += "\n"
		}
		files += f
	}
	d.files.SetText(files)
	d.open.Hidden = p.File == ""
	d.icon.Refresh()
	d.body.Refresh()
	d.column.Relayout()
}

// levelLayout puts the mark of the level before its word.
type levelLayout struct{}

func (l *levelLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(100, 18) }

func (l *levelLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Move(fyne.NewPos(0, (size.Height-16)/2))
	objects[0].Resize(fyne.NewSquareSize(16))
	objects[1].Move(fyne.NewPos(24, 0))
	objects[1].Resize(fyne.NewSize(size.Width-24, size.Height))
}
