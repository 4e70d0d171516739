package discs

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/export/discs"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// comparison shows what differs between two images.
type comparison struct {
	screen   *screen
	object   fyne.CanvasObject
	sentence *theme.Text
	before   *theme.Text
	after    *theme.Text
	pane     *treePane
}

func newComparison(s *screen) *comparison {
	c := &comparison{screen: s, sentence: theme.Muted("").WithTruncation(theme.TruncateEnd), before: theme.MonoMuted(""), after: theme.MonoMuted("")}
	c.pane = newTreePane(s.host, s.icons, planColumns()[:3], compareGroups())
	c.pane.columns[0].title = "Difference"
	c.pane.nothing = [2]string{"No differences", "Both images hold the same files and parts, with the same content."}
	back := widget.NewButton("Back to the image", s.leaveComparison)
	copied := widget.NewButtonWithIcon("Copy", theme.Icon(theme.IconCopy), c.copy)
	place := func(name string, t *theme.Text) fyne.CanvasObject {
		return container.New(&widgets.PadLayout{}, container.New(&placeLayout{}, theme.Muted(name), t))
	}
	head := container.New(widgets.HeadLayout{}, theme.Title("Comparison"), c.sentence, container.NewHBox(copied, back))
	top := widgets.NewStack(6, head, widgets.NewStack(0, place("Before", c.before), place("After", c.after)))
	c.object = container.New(widgets.PageLayout{}, container.New(&widgets.PadLayout{Left: 16, Top: 10, Right: 16, Bottom: 8}, top),
		widgets.NewGround(theme.ColorNameHairline, 0), container.NewStack(widgets.NewGround(theme.ColorNamePanel, 0), c.pane.object))
	return c
}

func (c *comparison) show(found *discs.Comparison) {
	c.sentence.SetText(compareSentence(found))
	line := func(id *discs.Identity) string { return id.Path + "  ·  " + ui.Size(id.Size) }
	c.before.SetText(line(found.Before))
	c.after.SetText(line(found.After))
	c.pane.show(NewTree(compareItems(found)), false)
}

func (c *comparison) copy() {
	if found := c.screen.compared; found != nil {
		c.screen.host.Copy(compareText(found))
		c.screen.host.Notify("The comparison is on the clipboard")
	}
}

// placeLayout puts a name and a path into a line.
type placeLayout struct{}

func (placeLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(200, 20) }

func (placeLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	const name = 52
	o[0].Resize(fyne.NewSize(name, size.Height))
	o[1].Move(fyne.NewPos(name, 0))
	o[1].Resize(fyne.NewSize(max(0, size.Width-name), size.Height))
}
