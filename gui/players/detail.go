package players

import (
	"errors"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/export/players"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// logHeight is the height of the output of a publication, in device-independent pixels.
const logHeight = 200

// detail says everything about the selected player: what it is, what to do about it, and how its publishing goes.
type detail struct {
	screen *screen
	object fyne.CanvasObject
	column *widgets.Column

	title  *theme.Text
	badge  *widgets.Badge
	stack  *fyne.Container // everything below the head
	status *widgets.Note
	bar    *widgets.Meter
	log    *widgets.LogView
	output fyne.CanvasObject
	busy   *fyne.Container // how the publishing goes
	cancel *widget.Button

	key     string
	next    int  // line of the output to ask for next
	offered view // what the parts were made for
	told    bool // that there was a publication when they were made
}

func newDetail(s *screen) *detail {
	d := &detail{
		screen: s, title: theme.Heading("").WithTruncation(theme.TruncateEnd), badge: widgets.NewBadge("", widgets.Neutral),
		status: widgets.NewNote("", widgets.Neutral), bar: widgets.NewMeter(6), log: widgets.NewLogView(keptLines), stack: widgets.NewStack(12),
	}
	d.cancel = widget.NewButtonWithIcon("Cancel", theme.Icon(theme.IconClose), s.cancelSelected)
	d.log.OnCopy = s.host.Copy
	d.output = container.New(sizedLayout{logHeight}, d.log)
	d.busy = widgets.NewStack(8, d.status, d.bar, d.output)
	head := container.NewBorder(nil, nil, nil, d.badge, d.title)
	d.column = widgets.NewColumn(container.New(&widgets.PadLayout{Left: 16, Top: 12, Right: 18, Bottom: 16}, widgets.NewStack(6, head, d.stack)))
	d.object = container.NewStack(widgets.NewGround(theme.ColorNamePanel, 0), d.column)
	return d
}

// show fills everything anew.
func (d *detail) show() {
	l, ok := d.screen.model.current()
	d.stack.Hidden = !ok
	if !ok {
		return
	}
	if l.Key != d.key {
		d.key, d.next = l.Key, 0
		d.log.Clear()
		d.column.Offset = fyne.Position{}
	}
	v, busy := d.screen.publisher.see(l.Key)
	d.offered, d.told = v, busy
	d.offered.fraction, d.offered.latest = 0, ""
	d.title.SetText(l.title())
	word, tone := status(l, v, busy)
	d.badge.Set(word, tone)

	parts := []fyne.CanvasObject{theme.Paragraph(l.purpose())}
	add := func(o fyne.CanvasObject) { parts = append(parts, o) }
	if text := l.trouble(); text != "" {
		add(widgets.NewNote(text, widgets.Danger))
	}
	if facts := d.facts(l); facts != nil {
		add(facts)
	}
	if busy {
		add(d.busy)
	}
	active := busy && !v.outcome.ended()
	if !active {
		if text, _ := l.advice(); text != "" {
			add(widgets.NewStack(3, theme.Overline("What to do"), theme.Paragraph(text).WithColor("foreground")))
		}
	}
	add(container.New(&widgets.FlowLayout{Gap: 8, Line: 30}, d.buttons(l, active)...))
	if looked := l.looked(); len(looked) > 0 {
		list := widgets.NewStack(4, theme.Overline("Where it was looked for"))
		for _, place := range looked {
			list.Add(widgets.NewMonoNote(place, widgets.Neutral))
		}
		add(list)
	}
	d.stack.Objects = parts
	d.stack.Refresh()
	d.update()
	d.column.Relayout()
}

func (d *detail) facts(l line) fyne.CanvasObject {
	facts := l.facts()
	if facts == nil {
		return nil
	}
	list := widgets.NewStack(2)
	for _, f := range facts {
		list.Add(container.New(factLayout{}, theme.Muted(f.name), theme.Body(f.value).WithTruncation(theme.TruncateEnd)))
	}
	open := widgets.NewIconButton(theme.Icon(theme.IconFolderOpen), "Open "+l.Player.Dir, d.screen.openFolder)
	copied := widgets.NewIconButton(theme.Icon(theme.IconCopy), "Copy "+l.Player.Dir, func() { d.screen.host.Copy(l.Player.Dir) })
	open.Quiet, copied.Quiet = true, true
	path := container.NewBorder(nil, nil, nil, container.NewHBox(open, copied), theme.Mono(l.Player.Dir))
	list.Add(container.New(factLayout{}, theme.Muted("Folder"), path))
	return list
}

// buttons gives what can be done, the best first.
func (d *detail) buttons(l line, active bool) []fyne.CanvasObject {
	s := d.screen
	var list []fyne.CanvasObject
	button := func(text string, icon theme.IconName, f func()) {
		b := widget.NewButtonWithIcon(text, theme.Icon(icon), f)
		if len(list) == 0 && l.state() != found {
			b.Importance = widget.HighImportance
		}
		list = append(list, b)
	}
	if active {
		return []fyne.CanvasObject{d.cancel}
	}
	_, actions := l.advice()
	for _, a := range actions {
		switch a {
		case publish:
			text := "Publish"
			if l.Player != nil {
				text = "Publish again"
			}
			button(text, theme.IconBuild, s.publishSelected)
		case chooseFolder:
			button("Choose players folder…", theme.IconFolderOpen, s.chooseFolder)
		case chooseSources:
			button("Choose the engine's sources…", theme.IconScript, s.chooseSources)
		}
	}
	if l.Player != nil {
		button("Open folder", theme.IconFolderOpen, s.openFolder)
	}
	if l.state() != found {
		button("Copy as command", theme.IconCopy, s.copyCommand)
	}
	return list
}

// update follows the publishing of the selected player; it is called ten times a second meanwhile.
func (d *detail) update() {
	l, ok := d.screen.model.current()
	if !ok || l.Key != d.key {
		return
	}
	v, busy := d.screen.publisher.see(l.Key)
	stage := v
	stage.fraction, stage.latest = 0, ""
	if busy != d.told || stage.outcome != d.offered.outcome || stage.stopping != d.offered.stopping {
		d.show()
		return
	}
	if !busy {
		return
	}
	lines, next := d.screen.publisher.output(l.Key, d.next)
	d.next = next
	now := time.Now()
	for _, line := range lines {
		d.log.Append(widgets.LogLine{Time: now, Tone: widgets.Notice, Text: line})
	}
	text, tone := progressText(v)
	if d.status.Text() != text {
		d.status.Set(text, tone)
		d.column.Relayout()
	}
	color := theme.ColorNameAccent
	if v.stopping {
		color = theme.ColorNameMuted
	}
	d.bar.Set(v.fraction, color)
	d.bar.Hidden = v.outcome != running
	d.output.(*fyne.Container).Hidden = next == 0
	if v.stopping {
		d.cancel.Disable()
	} else {
		d.cancel.Enable()
	}
}

// progressText says in a sentence how a publication goes or went.
func progressText(v view) (string, widgets.Tone) {
	switch v.outcome {
	case waiting:
		return "It is published as soon as the one before it is.", widgets.Neutral
	case running:
		if v.stopping {
			return "Cancelling, and removing what is half done.", widgets.Neutral
		}
		return "Publishing, " + ui.Percent(v.fraction) + ".", widgets.Neutral
	case published:
		return "Published.", widgets.Success
	case cancelled:
		return "Publishing was cancelled. What was built so far is used the next time.", widgets.Neutral
	}
	text := v.err.Error()
	var failure *players.PublishError
	if errors.As(v.err, &failure) && len(failure.Errors) > 1 {
		text = "Publishing failed with " + ui.Plural(len(failure.Errors), "error") + ". The first one: " + failure.Errors[0]
	}
	return ui.Sentence(text), widgets.Danger
}
