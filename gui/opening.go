package gui

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// A step is one of the steps of opening a project, with what it is at.
type step struct {
	title       string
	detail      string
	done, total int
	finished    bool
}

// openingModel takes the progress of opening from any goroutine.
type openingModel struct {
	expected int // assets found the last time, 0: not known

	mu    sync.Mutex
	steps []step
}

// overall is how far opening has come, from 0 to 1. How many assets there are is known only when all of them have been
// found: until then the count of the last time stands for it, and at the first time a curve that never arrives.
func (m *openingModel) overall() float64 {
	steps := m.snapshot()
	if len(steps) == 0 {
		return 0
	}
	s := steps[len(steps)-1]
	done, part := float64(s.done), 0.0
	switch {
	case s.total > 0:
		part = done / float64(s.total)
	case m.expected > 0:
		part = min(done/float64(m.expected), 0.99)
	default:
		part = done / (done + 5000)
	}
	// The first step reads a handful of files, the second takes nearly all of the time.
	bounds := [...]float64{0, 0.05, 0.97, 1}
	i := min(len(steps), len(bounds)-1)
	return bounds[i-1] + (bounds[i]-bounds[i-1])*part
}

func (m *openingModel) progress(title, detail string, done, total int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := len(m.steps)
	if n == 0 || m.steps[n-1].title != title {
		if n > 0 {
			m.steps[n-1].finished = true
		}
		m.steps = append(m.steps, step{title: title})
		n++
	}
	s := &m.steps[n-1]
	s.detail, s.done, s.total = detail, done, total
}

func (m *openingModel) snapshot() []step {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]step(nil), m.steps...)
}

// count is the progress of a step in words.
func (s step) count() string {
	switch {
	case s.total > 0:
		return fmt.Sprintf("%s of %s", ui.Count(int64(s.done)), ui.Count(int64(s.total)))
	case s.done > 0:
		return ui.Count(int64(s.done))
	}
	return ""
}

// openingView stands in the place of the workspace while a project is read.
type openingView struct {
	model  openingModel
	root   fyne.CanvasObject
	list   *fyne.Container
	rows   []*openingRow
	detail *theme.Text
	bar    *widget.ProgressBar
	cancel context.CancelFunc
}

type openingRow struct {
	icon  *canvas.Image
	title *theme.Text
	count *theme.Text
	shown step
}

// openingSteps is how many lines the view keeps room for, so that it does not grow while it works.
const openingSteps = 3

// rememberAssets is the key under which a project's count of assets is remembered.
const rememberAssets = "shell.assets"

func newOpeningView(s *Shell, dir string, cancel context.CancelFunc) *openingView {
	v := &openingView{cancel: cancel}
	// A value that is no number counts as not known.
	v.model.expected, _ = strconv.Atoi(s.options.Settings.Project(dir).Values[rememberAssets])
	v.list = container.New(&openingListLayout{})
	v.detail = theme.MonoMuted("")
	v.bar = widget.NewProgressBar()
	v.bar.TextFormatter = func() string { return "" }
	title := theme.Title("Opening " + filepath.Base(dir))
	path := theme.MonoMuted(dir)
	button := widget.NewButtonWithIcon("Cancel", theme.Icon(theme.IconClose), cancel)
	body := widgets.NewStack(10, title, path, v.list, container.New(&thinBarLayout{}, v.bar), v.detail,
		container.NewHBox(button))
	v.root = container.NewStack(newGround("background"), container.New(&centredLayout{width: 460}, body))
	return v
}

// Content is the view.
func (v *openingView) Content() fyne.CanvasObject { return v.root }

// progress may be called from any goroutine.
func (v *openingView) progress(title, detail string, done, total int) {
	v.model.progress(title, detail, done, total)
}

func (v *openingView) refresh() {
	steps := v.model.snapshot()
	for len(v.rows) < len(steps) {
		r := &openingRow{icon: canvas.NewImageFromResource(nil), title: theme.Body(""), count: theme.Number("")}
		r.icon.FillMode = canvas.ImageFillContain
		r.count.ColorName = theme.ColorNameMuted
		v.rows = append(v.rows, r)
		v.list.Add(container.New(&openingRowLayout{}, r.icon, r.title, r.count))
	}
	for i, st := range steps {
		r := v.rows[i]
		if r.shown == st {
			continue
		}
		if icon, color := theme.IconArrowRight, theme.ColorNameAccent; st.finished {
			r.icon.Resource = theme.IconIn(theme.IconCheck, "success")
			r.title.Set(st.title, theme.ColorNameMuted)
		} else {
			r.icon.Resource = theme.IconIn(icon, color)
			r.title.Set(st.title, "")
		}
		r.icon.Refresh()
		r.count.SetText(st.count())
		r.shown = st
	}
	if n := len(steps); n > 0 {
		v.detail.SetText(steps[n-1].detail)
		v.bar.SetValue(v.model.overall())
	}
}

type openingListLayout struct{}

const openingRowHeight = 24

func (l *openingListLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(200, openingRowHeight*float32(max(openingSteps, len(objects))))
}

func (l *openingListLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for i, o := range objects {
		o.Move(fyne.NewPos(0, float32(i)*openingRowHeight))
		o.Resize(fyne.NewSize(size.Width, openingRowHeight))
	}
}

type openingRowLayout struct{}

func (l *openingRowLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(200, openingRowHeight)
}

func (l *openingRowLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Move(fyne.NewPos(0, (size.Height-16)/2))
	objects[0].Resize(fyne.NewSquareSize(16))
	w := objects[2].MinSize().Width
	objects[1].Move(fyne.NewPos(26, 0))
	objects[1].Resize(fyne.NewSize(size.Width-26-w-8, size.Height))
	objects[2].Move(fyne.NewPos(size.Width-w, 0))
	objects[2].Resize(fyne.NewSize(w, size.Height))
}

// thinBarLayout makes a progress bar a line.
type thinBarLayout struct{}

func (l *thinBarLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(100, 6) }

func (l *thinBarLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.Position{})
		o.Resize(size)
	}
}

// centredLayout keeps a column of a width in the middle, somewhat above the centre.
type centredLayout struct{ width float32 }

func (l *centredLayout) MinSize(objects []fyne.CanvasObject) fyne.Size { return fyne.NewSize(200, 200) }

func (l *centredLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	w := min(l.width, size.Width-48)
	for _, o := range objects {
		h := min(widgets.HeightFor(o, w), size.Height)
		o.Move(fyne.NewPos((size.Width-w)/2, max(0, (size.Height-h)*0.42)))
		o.Resize(fyne.NewSize(w, h))
	}
}
