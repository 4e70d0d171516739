package gui

import (
	"fmt"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"talebinder/gui/theme"
	"talebinder/gui/widgets"
)

// noticeTime is how long a notice stays in the status bar.
const noticeTime = 8 * time.Second

// The statusBar has the project's folder at its left, then what runs in the background, and the latest notice at its right.
type statusBar struct {
	shell  *Shell
	root   *fyne.Container
	path   *theme.Text
	folder *widgets.Pressable
	task   *theme.Text
	spin   *spinner
	cancel *widgets.Link
	text   *theme.Text

	said  string // the latest notice
	until time.Time
	stop  func()
}

func newStatusBar(s *Shell) *statusBar {
	b := &statusBar{shell: s, path: theme.MonoMuted(""), task: theme.Caption("").WithTruncation(theme.TruncateEnd),
		text: theme.Caption("").WithTruncation(theme.TruncateEnd), spin: newSpinner()}
	b.text.Align = fyne.TextAlignTrailing
	b.folder = widgets.NewPressable(container.New(&widgets.PadLayout{Left: 8, Right: 8}, b.path), func() {
		if o := s.open; o != nil {
			s.OpenFolder(o.work.Project.Dir)
		}
	})
	b.folder.Radius = 0
	b.folder.Hide()
	b.cancel = widgets.NewLink("Cancel", nil)
	b.root = container.New(&statusLayout{b}, b.folder, b.spin, b.task, b.cancel, b.text)
	b.setTask("", 0, nil)
	ground := newGround(theme.ColorNameSidebar)
	line := newGround(theme.ColorNameHairline)
	b.root = container.New(&barLayout{top: true}, ground, line, b.root)
	return b
}

// Content is the bar.
func (b *statusBar) Content() fyne.CanvasObject { return b.root }

func (b *statusBar) setPath(path string) {
	b.path.SetText(path)
	if path == "" {
		b.folder.Hide()
	} else {
		b.folder.Show()
	}
	b.root.Refresh()
}

// setTask shows a piece of work that runs, and how many others do; without words there is none.
func (b *statusBar) setTask(what string, others int, cancel func()) {
	if what == "" {
		b.spin.stop()
		b.task.SetText("")
		b.spin.Hide()
		b.cancel.Hide()
		return
	}
	if others > 0 {
		what += fmt.Sprintf(" and %d more", others)
	}
	b.task.SetText(what + "…")
	b.cancel.Set("Cancel", cancel)
	b.spin.step()
	if !b.spin.Visible() {
		b.spin.Show()
		b.cancel.Show()
	}
	b.root.Refresh()
}

// notice shows a sentence for a while.
func (b *statusBar) notice(text string) {
	b.said = text
	b.text.SetText(text)
	if text == "" {
		return
	}
	b.until = b.shell.options.Now().Add(noticeTime)
	if b.stop == nil {
		b.stop = b.shell.Every(time.Second, func() {
			if b.shell.options.Now().After(b.until) {
				b.notice("")
				b.stop()
				b.stop = nil
			}
		})
	}
}

// hint says what the thing under the pointer is; an empty text brings the notice back.
func (b *statusBar) hint(text string) {
	if text == "" {
		text = b.said
	}
	b.text.SetText(text)
}

// statusLayout shares the width between folder, work and notice.
type statusLayout struct{ b *statusBar }

func (l *statusLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(200, theme.Size(theme.SizeNameBar)-1)
}

func (l *statusLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	b := l.b
	place := func(o fyne.CanvasObject, x, w float32) {
		h := min(o.MinSize().Height, size.Height)
		o.Move(fyne.NewPos(x, (size.Height-h)/2))
		o.Resize(fyne.NewSize(w, h))
	}
	x := float32(0)
	if b.folder.Visible() {
		want := fyne.MeasureText(b.path.Text, theme.Size("helperText"), b.path.Style).Width + 17
		w := min(want, size.Width*0.4)
		b.folder.Move(fyne.NewPos(0, 0))
		b.folder.Resize(fyne.NewSize(w, size.Height))
		x = w + 8
	} else {
		x = 10
	}
	if b.spin.Visible() {
		place(b.spin, x, 14)
		x += 20
		w := min(fyne.MeasureText(b.task.Text, theme.Size("helperText"), b.task.Style).Width+2, size.Width*0.34)
		place(b.task, x, w)
		x += w + 4
		cw := b.cancel.MinSize().Width
		place(b.cancel, x, cw)
		x += cw + 8
	}
	place(b.text, x, max(0, size.Width-x-10))
}

// barLayout stretches a ground, puts a hairline at the top or bottom of it, and the rest beside the hairline.
type barLayout struct{ top bool }

func (l *barLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return objects[2].MinSize().AddWidthHeight(0, 1)
}

func (l *barLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Resize(size)
	objects[1].Resize(fyne.NewSize(size.Width, 1))
	objects[2].Resize(fyne.NewSize(size.Width, size.Height-1))
	if l.top {
		objects[1].Move(fyne.NewPos(0, 0))
		objects[2].Move(fyne.NewPos(0, 1))
	} else {
		objects[1].Move(fyne.NewPos(0, size.Height-1))
		objects[2].Move(fyne.NewPos(0, 0))
	}
}
