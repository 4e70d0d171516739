package widgets

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/gui/theme"
)

// LogLine is one entry of a log.
type LogLine struct {
	Time time.Time
	Tone Tone   // Neutral for details, Notice for information, Warning, Danger
	Text string // one line
	Data any    // whatever the owner wants back
}

// LogView shows the latest lines of a log, with a choice of what is shown and a button that copies what is shown. It follows
// the end of the log as long as the end is in sight.
type LogView struct {
	widget.BaseWidget

	// OnCopy is given the text of the lines that the filter shows.
	OnCopy func(text string)
	// OnActivated is called for Enter or a double tap on a line.
	OnActivated func(LogLine)
	// OnSelected is told which line was chosen, for instance to show all of a line that is longer than the view is wide.
	OnSelected func(LogLine)

	capacity int
	lines    []LogLine // a ring once it is full
	first    int       // number of the oldest line kept
	next     int       // number of the next line
	shown    []int     // numbers of the lines that the filter lets through
	least    Tone

	levels *Segmented
	copy   *IconButton
	empty  *theme.Text
	rows   *Rows
}

// The levels that can be chosen, from all lines to errors only.
var logLevels = [...]struct {
	name  string
	least Tone
}{{"All", Neutral}, {"Info", Notice}, {"Warnings", Warning}, {"Errors", Danger}}

// NewLogView makes a view that keeps the latest lines, as many as the capacity says.
func NewLogView(capacity int) *LogView {
	v := &LogView{capacity: max(capacity, 1)}
	names := make([]string, len(logLevels))
	for i, l := range logLevels {
		names[i] = l.name
	}
	v.levels = NewSegmented(names, func(i int) {
		v.least = logLevels[i].least
		v.filter()
	})
	v.levels.Load(0)
	v.copy = NewIconButton(theme.Icon(theme.IconCopy), "Copy the log", func() {
		if v.OnCopy != nil {
			v.OnCopy(v.Text())
		}
	})
	v.empty = theme.Muted("")
	v.empty.Align = fyne.TextAlignCenter
	v.rows = NewRows(func() int { return len(v.shown) }, newLogRow, func(i int, o fyne.CanvasObject) {
		o.(*logRow).set(v.line(v.shown[i]))
	})
	v.rows.Height = 20
	v.rows.OnSelected = func(i int) {
		if v.OnSelected != nil {
			v.OnSelected(v.line(v.shown[i]))
		}
	}
	v.rows.OnActivated = func(i int) {
		if v.OnActivated != nil {
			v.OnActivated(v.line(v.shown[i]))
		}
	}
	v.rows.OnShortcut = func(s fyne.Shortcut) {
		if _, ok := s.(*fyne.ShortcutCopy); ok && v.OnCopy != nil {
			if i := v.rows.Selected(); i >= 0 {
				v.OnCopy(logText(v.line(v.shown[i])))
			} else {
				v.OnCopy(v.Text())
			}
		}
	}
	v.ExtendBaseWidget(v)
	return v
}

// Append adds lines at the end. The oldest lines go when there are more than the capacity.
func (v *LogView) Append(lines ...LogLine) {
	if len(lines) == 0 {
		return
	}
	follow := v.rows.AtBottom()
	for _, l := range lines {
		if len(v.lines) < v.capacity {
			v.lines = append(v.lines, l)
		} else {
			v.lines[v.next%v.capacity] = l
			v.first++
		}
		if l.Tone >= v.least {
			v.shown = append(v.shown, v.next)
		}
		v.next++
	}
	gone := 0
	for gone < len(v.shown) && v.shown[gone] < v.first {
		gone++
	}
	v.shown = v.shown[gone:]
	if i := v.rows.Selected(); gone > 0 && i >= 0 {
		v.rows.Mark(max(i-gone, -1))
	}
	v.update(follow)
}

// Clear takes all lines away.
func (v *LogView) Clear() {
	v.lines, v.shown, v.first, v.next = v.lines[:0], nil, 0, 0
	v.rows.Mark(-1)
	v.update(true)
}

// Len gives the number of lines kept.
func (v *LogView) Len() int { return len(v.lines) }

// Shown gives the number of lines that the filter lets through.
func (v *LogView) Shown() int { return len(v.shown) }

// SetLevel shows only the lines of a tone and worse; it is one of Neutral, Notice, Warning and Danger.
func (v *LogView) SetLevel(least Tone) {
	for i, l := range logLevels {
		if l.least == least {
			v.levels.SetSelected(i)
		}
	}
}

// Text gives the lines that are shown, each with its time and level.
func (v *LogView) Text() string {
	var b strings.Builder
	for _, n := range v.shown {
		b.WriteString(logText(v.line(n)))
		b.WriteByte('\n')
	}
	return b.String()
}

func logText(l LogLine) string {
	level := map[Tone]string{Neutral: "debug  ", Warning: "warning", Danger: "error  ", Success: "done   "}[l.Tone]
	if level == "" {
		level = "info   "
	}
	return l.Time.Format("15:04:05.000") + "  " + level + "  " + l.Text
}

func (v *LogView) line(n int) LogLine { return v.lines[n%v.capacity] }

func (v *LogView) filter() {
	v.shown = nil
	for n := v.first; n < v.next; n++ {
		if v.line(n).Tone >= v.least {
			v.shown = append(v.shown, n)
		}
	}
	v.rows.Mark(-1)
	v.update(true)
}

func (v *LogView) update(follow bool) {
	switch {
	case len(v.lines) == 0:
		v.empty.SetText("Nothing has been logged yet")
	case len(v.shown) == 0:
		v.empty.SetText("No line of this level")
	default:
		v.empty.SetText("")
	}
	v.rows.Refresh()
	if follow {
		v.rows.ScrollToBottom()
	}
}

// CreateRenderer implements fyne.Widget.
func (v *LogView) CreateRenderer() fyne.WidgetRenderer {
	v.ExtendBaseWidget(v)
	v.update(true)
	return &logRenderer{v}
}

type logRenderer struct{ v *LogView }

func (r *logRenderer) Destroy() {}

func (r *logRenderer) MinSize() fyne.Size {
	bar := r.v.levels.MinSize()
	return fyne.NewSize(bar.Width+8+24, bar.Height+6+3*r.v.rows.Height)
}

func (r *logRenderer) Layout(size fyne.Size) {
	bar := r.v.levels.MinSize()
	r.v.levels.Resize(bar)
	r.v.copy.Move(fyne.NewPos(size.Width-24, (bar.Height-24)/2))
	r.v.copy.Resize(fyne.NewSquareSize(24))
	top := bar.Height + 6
	r.v.rows.Move(fyne.NewPos(0, top))
	r.v.rows.Resize(fyne.NewSize(size.Width, size.Height-top))
	r.v.empty.Move(fyne.NewPos(0, top))
	r.v.empty.Resize(fyne.NewSize(size.Width, fyne.Min(size.Height-top, 60)))
}

func (r *logRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.v.levels, r.v.copy, r.v.empty, r.v.rows}
}

func (r *logRenderer) Refresh() {
	r.v.levels.Refresh()
	r.v.copy.Refresh()
	r.v.empty.Refresh()
	r.v.rows.Refresh()
}

// logRow is a time, a mark and a line of text.
type logRow struct {
	widget.BaseWidget

	time, text *theme.Text
	icon       *canvas.Image
}

func newLogRow() fyne.CanvasObject {
	r := &logRow{time: theme.MonoMuted(""), text: theme.Mono(""), icon: canvas.NewImageFromResource(nil)}
	r.text.Truncate = theme.TruncateEnd
	r.icon.FillMode = canvas.ImageFillContain
	r.ExtendBaseWidget(r)
	return r
}

func (r *logRow) set(l LogLine) {
	r.time.SetText(l.Time.Format("15:04:05"))
	name := fynetheme.ColorNameForeground
	switch l.Tone {
	case Neutral:
		name = theme.ColorNameMuted
	case Warning, Danger:
		name = l.Tone.Color()
	}
	r.text.Set(l.Text, name)
	icon := l.Tone.Icon()
	r.icon.Hidden = icon == nil
	if icon != nil && (r.icon.Resource == nil || r.icon.Resource.Name() != icon.Name()) {
		r.icon.Resource = icon
		r.icon.Refresh()
	}
}

func (r *logRow) CreateRenderer() fyne.WidgetRenderer { return &logRowRenderer{r} }

type logRowRenderer struct{ r *logRow }

func (r *logRowRenderer) Destroy()           {}
func (r *logRowRenderer) MinSize() fyne.Size { return fyne.NewSize(120, 18) }
func (r *logRowRenderer) Refresh()           { canvas.Refresh(r.r) }
func (r *logRowRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.r.time, r.r.icon, r.r.text}
}

func (r *logRowRenderer) Layout(size fyne.Size) {
	const timeWidth = 62
	r.r.time.Move(fyne.NewPos(6, 0))
	r.r.time.Resize(fyne.NewSize(timeWidth, size.Height))
	r.r.icon.Move(fyne.NewPos(6+timeWidth, (size.Height-13)/2))
	r.r.icon.Resize(fyne.NewSquareSize(13))
	left := float32(6 + timeWidth + 20)
	r.r.text.Move(fyne.NewPos(left, 0))
	r.r.text.Resize(fyne.NewSize(size.Width-left-6, size.Height))
}
