package players

import (
	"os"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/platforms"
)

// holdsPlayers says that a folder has a player's folder in it.
func holdsPlayers(dir string) bool {
	for _, t := range platforms.Targets() {
		for _, p := range platforms.Profiles() {
			if info, err := os.Stat(filepath.Join(dir, t.PlayerKey(p.Profile))); err == nil && info.IsDir() {
				return true
			}
		}
	}
	return false
}

// targetIcon is the sign of a target's platform.
func targetIcon(t platforms.Target, color fyne.ThemeColorName) fyne.Resource {
	switch t.Platform {
	case platforms.Windows:
		return theme.IconIn(theme.IconWindows, color)
	case platforms.MacOS:
		return theme.IconIn(theme.IconApple, color)
	}
	return theme.IconIn(theme.IconLinux, color)
}

// place is a line with a folder that can be chosen and forgotten.
type place struct {
	object fyne.CanvasObject
	path   *theme.Text
	forget *widgets.Link
	row    *fyne.Container
}

func newPlace(name string, choose, forget func()) *place {
	p := &place{path: theme.Mono(""), forget: widgets.NewLink("Forget", forget)}
	p.row = container.New(&placeLayout{}, theme.Muted(name), p.path, widgets.NewLink("Choose…", choose), p.forget)
	p.object = p.row
	return p
}

// set shows a path, or words when isPath is not set.
func (p *place) set(text string, isPath, chosen bool) {
	p.path.Style.Monospace = isPath
	p.path.ColorName = theme.ColorNameMuted
	if isPath {
		p.path.ColorName = fynetheme.ColorNameForeground
	}
	p.path.Text = text
	p.path.Refresh()
	p.forget.Hidden = !chosen
	p.row.Refresh()
}

// placeLayout puts a name of fixed width, a path as wide as it needs to be and links behind it into one line.
type placeLayout struct{}

const placeName, placeHeight = 116, 22

func (placeLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(280, placeHeight) }

func (placeLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	links := float32(0)
	for _, l := range o[2:] {
		if l.Visible() {
			links += l.MinSize().Width + 4
		}
	}
	path := o[1].(*theme.Text)
	want := fyne.MeasureText(path.Text, theme.Size(fynetheme.SizeNameCaptionText), path.Style).Width + 2
	width := max(0, min(want, size.Width-placeName-links-8))
	o[0].Move(fyne.Position{})
	o[0].Resize(fyne.NewSize(placeName, size.Height))
	o[1].Move(fyne.NewPos(placeName, 0))
	o[1].Resize(fyne.NewSize(width, size.Height))
	x := placeName + width + 8
	for _, l := range o[2:] {
		if l.Visible() {
			min := l.MinSize()
			l.Move(fyne.NewPos(x, (size.Height-min.Height)/2))
			l.Resize(min)
			x += min.Width + 4
		}
	}
}

const rowHeight = 48

// row is one player in the list.
type row struct {
	widget.BaseWidget

	icon  *canvas.Image
	title *theme.Text
	text  *theme.Text
	word  *widgets.Badge
	size  *theme.Text
	bar   *widgets.Meter
}

func newRow() fyne.CanvasObject {
	r := &row{
		icon: canvas.NewImageFromResource(nil), title: theme.Strong("").WithTruncation(theme.TruncateEnd),
		text: theme.Caption("").WithTruncation(theme.TruncateEnd), word: widgets.NewBadge("", widgets.Neutral),
		size: theme.Caption("").WithAlign(fyne.TextAlignTrailing), bar: widgets.NewMeter(4),
	}
	r.icon.FillMode = canvas.ImageFillContain
	r.ExtendBaseWidget(r)
	return r
}

func (r *row) set(l line, v view, busy bool) {
	color := fynetheme.ColorNameForeground
	if l.state() == missing {
		color = theme.ColorNameMuted
	}
	r.icon.Resource = targetIcon(l.Target, color)
	r.icon.Refresh()
	r.title.SetText(l.title())
	text, mono := l.brief(), l.state() == missing
	word, tone := status(l, v, busy)
	size := ""
	if l.Files > 0 {
		size = ui.Size(l.Size)
	}
	active := busy && !v.outcome.ended()
	if busy && v.outcome == running {
		text, mono, size = v.latest, false, ui.Percent(v.fraction)
	}
	r.text.Style.Monospace = mono
	r.text.SetText(text)
	r.text.Refresh()
	r.word.Set(word, tone)
	r.size.SetText(size)
	r.bar.Set(v.fraction, theme.ColorNameAccent)
	r.bar.Hidden = !active || v.outcome == waiting
	r.Refresh()
}

// status says how it stands with a player, or with the publishing of it.
func status(l line, v view, busy bool) (string, widgets.Tone) {
	switch {
	case !busy:
	case v.outcome == waiting:
		return "Waiting", widgets.Neutral
	case v.outcome == running && v.stopping:
		return "Cancelling…", widgets.Neutral
	case v.outcome == running:
		return "Publishing", widgets.Accent
	case v.outcome == failed:
		return "Failed", widgets.Danger
	}
	return l.word()
}

func (r *row) CreateRenderer() fyne.WidgetRenderer { return &rowRenderer{r} }

type rowRenderer struct{ r *row }

func (n *rowRenderer) Destroy()           {}
func (n *rowRenderer) MinSize() fyne.Size { return fyne.NewSize(200, rowHeight) }
func (n *rowRenderer) Refresh()           { n.Layout(n.r.Size()); canvas.Refresh(n.r) }
func (n *rowRenderer) Objects() []fyne.CanvasObject {
	r := n.r
	return []fyne.CanvasObject{r.icon, r.title, r.text, r.word, r.size, r.bar}
}

func (n *rowRenderer) Layout(size fyne.Size) {
	r := n.r
	const left, side = 44, 18
	right := size.Width - 14 // a scroll bar may lie over the edge
	r.icon.Move(fyne.NewPos(14, (size.Height-side)/2))
	r.icon.Resize(fyne.NewSquareSize(side))
	badge := r.word.MinSize()
	r.word.Move(fyne.NewPos(right-badge.Width, 6))
	r.word.Resize(badge)
	number := r.size.MinSize().Width
	r.size.Move(fyne.NewPos(right-number, 26))
	r.size.Resize(fyne.NewSize(number, 16))
	r.title.Move(fyne.NewPos(left, 6))
	r.title.Resize(fyne.NewSize(max(0, right-badge.Width-10-left), 17))
	r.text.Move(fyne.NewPos(left, 26))
	r.text.Resize(fyne.NewSize(max(0, right-number-10-left), 16))
	r.bar.Move(fyne.NewPos(left, size.Height-5))
	r.bar.Resize(fyne.NewSize(right-left, 4))
}

// factLayout puts a name of fixed width in front of a value.
type factLayout struct{}

const factName = 84

func (factLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(factName+60, max(18, o[1].MinSize().Height))
}

func (factLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.Position{})
	o[0].Resize(fyne.NewSize(factName, size.Height))
	o[1].Move(fyne.NewPos(factName, 0))
	o[1].Resize(fyne.NewSize(size.Width-factName, size.Height))
}

// sizedLayout gives an object a fixed height.
type sizedLayout struct{ height float32 }

func (l sizedLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(o[0].MinSize().Width, l.height)
}

func (l sizedLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.Position{})
	o[0].Resize(size)
}
