package hub

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"talebinder/gui/theme"
	"talebinder/gui/widgets"
)

// newEmpty makes what is shown before any project has been opened: what the program is for, and the two ways to begin.
func (h *Hub) newEmpty() fyne.CanvasObject {
	icon := canvas.NewImageFromResource(theme.AppIcon())
	icon.FillMode, icon.ScaleMode = canvas.ImageFillContain, canvas.ImageScaleSmooth
	icon.SetMinSize(fyne.NewSquareSize(88))
	title := theme.Title("Welcome to Talebinder").WithTruncation(theme.TruncateNone)
	text := theme.Paragraph("It checks and exports Talesmith games. Open the folder of a project, or any folder inside of it; you can also drop it on this window. Opening a project changes nothing in it.")
	title.Align, text.Align = fyne.TextAlignCenter, fyne.TextAlignCenter

	buttons := container.NewHBox(h.openButton())
	if b := h.sampleButton(); b != nil {
		buttons.Add(b)
	}
	points := container.New(&pointsLayout{gap: 14},
		newPoint(theme.IconContent, "See what ships", "Every file says why it is in the build, or why it is not."),
		newPoint(theme.IconExports, "Export in the background", "Several targets at once. The last build stays until the new one is whole."),
		newPoint(theme.IconHealthy, "Know before you ship", "Missing scenes and broken references are listed, with what to do about them."),
	)
	body := widgets.NewStack(12, container.NewCenter(icon), title, container.New(&narrowLayout{440}, text),
		container.NewCenter(buttons), container.New(&widgets.PadLayout{Top: 26}, points))
	return container.New(&middleLayout{}, body)
}

// newPoint is one of the things that the program does.
func newPoint(icon theme.IconName, title, text string) fyne.CanvasObject {
	image := canvas.NewImageFromResource(theme.IconIn(icon, theme.ColorNameAccent))
	image.FillMode = canvas.ImageFillContain
	image.SetMinSize(fyne.NewSquareSize(20))
	body := widgets.NewStack(6, container.NewHBox(image), theme.Strong(title), theme.Paragraph(text))
	return widgets.NewCard("", widgets.NewPad(2, body))
}

// middleLayout puts a block into the middle, somewhat above the centre.
type middleLayout struct{}

// MinSize implements fyne.Layout.
func (l *middleLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(300, 200) }

// Layout implements fyne.Layout.
func (l *middleLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		w := min(size.Width, 860)
		h := min(widgets.HeightFor(o, w), size.Height)
		o.Move(fyne.NewPos((size.Width-w)/2, max(0, (size.Height-h)*0.45)))
		o.Resize(fyne.NewSize(w, h))
	}
}

// narrowLayout keeps a paragraph at a width that reads well, in the middle.
type narrowLayout struct{ width float32 }

// HeightFor gives the height at a width.
func (l *narrowLayout) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	return widgets.HeightFor(objects[0], min(l.width, width))
}

// MinSize implements fyne.Layout.
func (l *narrowLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(200, l.HeightFor(objects, l.width))
}

// Layout implements fyne.Layout.
func (l *narrowLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	w := min(l.width, size.Width)
	objects[0].Move(fyne.NewPos((size.Width-w)/2, 0))
	objects[0].Resize(fyne.NewSize(w, size.Height))
}

// pointsLayout puts things of one width beside each other, all as high as the highest.
type pointsLayout struct{ gap float32 }

func (l *pointsLayout) each(n int, width float32) float32 {
	return (width - l.gap*float32(n-1)) / float32(n)
}

// HeightFor gives the height at a width.
func (l *pointsLayout) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	h := float32(0)
	for _, o := range objects {
		h = max(h, widgets.HeightFor(o, l.each(len(objects), width)))
	}
	return h
}

// MinSize implements fyne.Layout.
func (l *pointsLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(300, l.HeightFor(objects, 600))
}

// Layout implements fyne.Layout.
func (l *pointsLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	w := l.each(len(objects), size.Width)
	for i, o := range objects {
		o.Move(fyne.NewPos(float32(i)*(w+l.gap), 0))
		o.Resize(fyne.NewSize(w, size.Height))
	}
}
