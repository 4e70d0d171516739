package problems

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
	"talebinder/gui/widgets"
)

// healthyView is shown when there is nothing to say: it tells what has been looked at.
type healthyView struct {
	root  fyne.CanvasObject
	lines *fyne.Container
}

func newHealthyView(again func()) *healthyView {
	v := &healthyView{lines: widgets.NewStack(6)}
	shield := canvas.NewImageFromResource(theme.IconIn(theme.IconHealthy, fynetheme.ColorNameSuccess))
	shield.FillMode = canvas.ImageFillContain
	shield.SetMinSize(fyne.NewSquareSize(52))
	title := theme.Title("Everything is in order").WithTruncation(theme.TruncateNone)
	title.Align = fyne.TextAlignCenter
	button := widget.NewButtonWithIcon("Check again", theme.Icon(theme.IconReload), again)
	card := widgets.NewCard("", widgets.NewPad(4, v.lines))
	v.root = container.New(&healthyLayout{}, widgets.NewStack(14, container.NewCenter(shield), title, card, container.NewCenter(button)))
	return v
}

// set shows what has been found right.
func (v *healthyView) set(checks []string) {
	v.lines.Objects = nil
	for _, c := range checks {
		tick := canvas.NewImageFromResource(theme.IconIn(theme.IconCheck, fynetheme.ColorNameSuccess))
		tick.FillMode = canvas.ImageFillContain
		v.lines.Add(container.New(&levelLayout{}, tick, theme.Body(c).WithTruncation(theme.TruncateEnd)))
	}
	v.lines.Refresh()
	v.root.Refresh()
}

// healthyLayout puts a narrow column into the middle, somewhat above the centre.
type healthyLayout struct{}

func (l *healthyLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(300, 200) }

func (l *healthyLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	w := min(400, size.Width-32)
	h := min(widgets.HeightFor(objects[0], w), size.Height)
	objects[0].Move(fyne.NewPos((size.Width-w)/2, max(0, (size.Height-h)*0.42)))
	objects[0].Resize(fyne.NewSize(w, h))
}
