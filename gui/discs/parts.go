package discs

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/export/discs"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

func overline(text string) fyne.CanvasObject {
	return container.New(&widgets.PadLayout{Top: 8, Bottom: 2}, theme.Overline(text))
}

// fact is a name with its value, which takes as many lines as it needs.
func fact(name, value string) fyne.CanvasObject {
	v := theme.Body(value)
	v.Wrap = true
	return container.New(&factLayout{}, theme.Muted(name).WithTruncation(theme.TruncateEnd), v)
}

// factLayout puts a name and its value into a line.
type factLayout struct{}

const factName = 104

// HeightFor gives the height with the value wrapped.
func (factLayout) HeightFor(o []fyne.CanvasObject, width float32) float32 {
	return max(22, widgets.HeightFor(o[1], width-factName)+4)
}

func (factLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(160, max(22, o[1].MinSize().Height))
}

func (factLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.NewPos(0, 2))
	o[0].Resize(fyne.NewSize(factName-6, o[0].MinSize().Height))
	o[1].Move(fyne.NewPos(factName, 2))
	o[1].Resize(fyne.NewSize(max(0, size.Width-factName), size.Height-2))
}

// heading is an icon in front of a sentence that wraps.
func heading(icon fyne.Resource, text string) fyne.CanvasObject {
	head := theme.Heading(text)
	head.Wrap = true
	return container.New(&headingLayout{}, widget.NewIcon(icon), head)
}

// headingLayout puts an icon in front of wrapped text, level with its first line.
type headingLayout struct{}

const headingIcon = 20

// HeightFor gives the height at a width.
func (headingLayout) HeightFor(o []fyne.CanvasObject, width float32) float32 {
	return max(headingIcon, widgets.HeightFor(o[1], width-headingIcon-8))
}

func (headingLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(120, max(headingIcon, o[1].MinSize().Height))
}

func (headingLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.Position{})
	o[0].Resize(fyne.NewSquareSize(headingIcon))
	o[1].Move(fyne.NewPos(headingIcon+8, 0))
	o[1].Resize(fyne.NewSize(size.Width-headingIcon-8, size.Height))
}

// refusal says plainly why something is not done: what was found, what is needed, how to get there. What it is about is left
// out when that is the image in front.
func refusal(icons theme.Icons, title string, err error, image string) []fyne.CanvasObject {
	r := reasonOf(err)
	parts := []fyne.CanvasObject{heading(icons.Get(theme.IconFailed, fynetheme.ColorNameError), title)}
	if strings.HasPrefix(r.About, image) {
		r.About = ""
	}
	for _, line := range [][2]string{{"About", r.About}, {"Found", r.Found}, {"Needed", r.Needed}, {"What to do", r.Advice}} {
		if line[1] != "" {
			parts = append(parts, fact(line[0], line[1]))
		}
	}
	return parts
}

// tracksBar draws the tracks of a disc, or the parts of a cartridge. It is nil when there are none.
func tracksBar(id *discs.Identity) fyne.CanvasObject {
	var parts []widgets.SizePart
	for i, t := range id.Tracks {
		parts = append(parts, widgets.SizePart{
			Name: fmt.Sprintf("%d %s", t.Number, t.Mode), Detail: fmt.Sprintf("%s × %s", ui.Count(int64(t.Length)), ui.Count(int64(t.SectorSize))),
			Size: int64(t.Length), Color: theme.CategoryColor(trackColor(t, i)),
		})
	}
	if id.ROM != nil {
		for i, p := range id.ROM.Parts {
			name := p.Name
			if name == "" {
				name = "unnamed"
			}
			parts = append(parts, widgets.SizePart{Name: name, Detail: ui.Size(p.Size), Size: p.Size, Color: theme.CategoryColor(i)})
		}
	}
	if len(parts) == 0 {
		return nil
	}
	bar := widgets.NewSizeBar()
	bar.Set(parts)
	return bar
}

// trackColor gives data the colour of the content, and sound another one.
func trackColor(t discs.Track, i int) int {
	if t.Mode == "audio" {
		return 1 + i%2*4
	}
	return 0
}
