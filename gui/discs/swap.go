package discs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"talebinder/export"
	"talebinder/export/discs"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// job is the last job about the open image, or nil.
func (s *screen) job() *job {
	if s.open == nil {
		return nil
	}
	return s.jobs[s.open.path]
}

// running says that a job about the open image waits or runs.
func (s *screen) running() bool {
	j := s.job()
	return j != nil && !j.row.State().Ended()
}

// swapParts is what is to become of the open image, and what has.
func (s *screen) swapParts() []fyne.CanvasObject {
	if s.open.id.Refusal != nil {
		return []fyne.CanvasObject{widgets.NewCard("", widgets.NewStack(6, s.refusedImage(s.live[pageSwap])...))}
	}
	if j := s.job(); j != nil {
		parts := append([]fyne.CanvasObject{theme.Caption("Content: " + j.content).WithTruncation(theme.TruncateMiddle)}, s.jobParts(j, s.live[pageSwap])...)
		if !j.row.State().Ended() {
			parts = append(parts, mediumParts(j.plan.Plan)...)
		}
		return parts
	}
	parts := []fyne.CanvasObject{s.input}
	switch {
	case s.planning != nil:
		return append(parts, theme.Paragraph("The content folder is compared with what is on the image. Nothing is written."))
	case s.refused != nil:
		again := widget.NewButtonWithIcon("Plan again", theme.Icon(theme.IconReload), s.replan)
		card := append(refusal(s.icons, "The content cannot be swapped", s.refused, s.open.path), container.New(&widgets.FlowLayout{Gap: 8, Line: 32}, again))
		return append(parts, widgets.NewCard("", widgets.NewStack(6, card...)))
	case s.planned != nil:
		return append(parts, s.planParts(s.planned)...)
	}
	parts = append(parts, theme.Paragraph("The directory Content of the image is replaced by this folder. Everything else stays byte for byte: "+
		"the bootstrap, the executable and whatever else is on it. First you see a plan; nothing is written before you say so."))
	if s.content != "" {
		parts = append(parts, container.New(&widgets.FlowLayout{Gap: 8, Line: 32}, widget.NewButtonWithIcon("Plan", theme.Icon(theme.IconReload), s.replan)))
	}
	return parts
}

// planParts says what a plan comes to, and offers to do it.
func (s *screen) planParts(p *Planned) []fyne.CanvasObject {
	var parts []fyne.CanvasObject
	if s.stale != "" {
		again := widget.NewButtonWithIcon("Plan again", theme.Icon(theme.IconReload), s.replan)
		again.Importance = widget.HighImportance
		parts = append(parts, widgets.NewCard("", widgets.NewStack(8,
			widgets.NewNote(s.stale+". What is listed may not be what would be written.", widgets.Warning),
			container.New(&widgets.FlowLayout{Gap: 8, Line: 32}, again))))
	}
	sentence := theme.Paragraph(planSentence(p.Plan)).WithColor(fynetheme.ColorNameForeground)
	write := widget.NewButtonWithIcon("Write new image…", theme.Icon(theme.IconSave), s.writeNew)
	write.Importance = widget.HighImportance
	replace := widget.NewButton("Replace in place…", s.replaceInPlace)
	if s.stale != "" {
		write.Disable()
		replace.Disable()
	}
	if p.Locked != nil {
		replace.Disable()
	}
	parts = append(parts, sentence, container.New(&widgets.FlowLayout{Gap: 8, Line: 32}, write, replace))
	if p.Locked != nil {
		parts = append(parts, widgets.NewNote("The image cannot be replaced in place: "+p.Locked.Error()+".", widgets.Notice))
	} else {
		parts = append(parts, s.keep)
	}
	parts = append(parts, container.New(&widgets.FlowLayout{Gap: 16, Line: 22},
		widgets.NewLink("Copy as command", s.copyCommand), widgets.NewLink("Copy as command, in place", s.copyCommandInPlace)))
	if p.nothingChanges() {
		parts = append(parts, widgets.NewNote("The image has exactly this content already.", widgets.Notice))
	}
	for _, w := range p.Warnings {
		parts = append(parts, widgets.NewNote(ui.Sentence(w), widgets.Warning))
	}
	parts = append(parts, mediumParts(p.Plan)...)
	facts := []fyne.CanvasObject{
		fact("Image", changeText(p.SizeBefore, p.Size)), fact("Content", changeText(p.ContentBefore, p.ContentSize)),
	}
	for i, t := range p.TracksAfter {
		if i < len(p.TracksBefore) && p.TracksBefore[i] != t {
			facts = append(facts, fact(fmt.Sprintf("Track %d", t.Number), fmt.Sprintf("%s sectors, then %s",
				ui.Count(int64(p.TracksBefore[i].Length)), ui.Count(int64(t.Length)))))
		}
	}
	switch n := len(p.Moved); n {
	case 0:
	case 1:
		facts = append(facts, fact("Moves", "1 kept file gets another place on the disc"))
	default:
		facts = append(facts, fact("Moves", ui.Plural(n, "kept file")+" get another place on the disc"))
	}
	if n := len(p.LeftOut); n > 0 {
		facts = append(facts, fact("Left out", ui.Plural(n, "file")+" of the folder, which a cartridge has no use for"))
	}
	return append(parts, widgets.NewStack(0, facts...))
}

// mediumParts show what is taken of the medium.
func mediumParts(p *discs.Plan) []fyne.CanvasObject {
	before, after := usages(p)
	tone := widgets.Neutral
	if p.Free < 0 {
		tone = widgets.Danger
	}
	return []fyne.CanvasObject{overline("On the medium"), newMediumBars(before, after, p.Medium.Size), widgets.NewNote(freeText(p), tone)}
}

// changeText writes a size before and after.
func changeText(before, after int64) string {
	if before == after {
		return ui.Size(after) + ", as before"
	}
	return fmt.Sprintf("%s → %s (%s)", ui.Size(before), ui.Size(after), ui.SignedSize(after-before))
}

func (s *screen) canWrite() bool {
	return s.open != nil && s.planned != nil && s.stale == "" && !s.running()
}

func (s *screen) canReplace() bool { return s.canWrite() && s.planned.Locked == nil }

// writeNew asks where the new image goes, and writes it.
func (s *screen) writeNew() {
	if !s.canWrite() {
		return
	}
	image := s.open.path
	start := s.recall(rememberOutput)
	if start == "" {
		start = filepath.Dir(image)
	}
	s.host.Chooser().Save("Write the new image as", start, newName(image), func(target string) {
		if filepath.Ext(target) == "" {
			target += filepath.Ext(image)
		}
		if same(target, image) {
			s.replaceInPlace()
			return
		}
		s.overwrite(target, func() {
			s.keepValue(rememberOutput, filepath.Dir(target))
			s.begins(discs.SwapOptions{Image: image, Target: target, Content: s.content})
		})
	})
}

// same says that two paths lead to one file.
func same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// replaceInPlace says what is going to happen to the image, and does it.
func (s *screen) replaceInPlace() {
	if !s.canReplace() {
		return
	}
	image, content := s.open.path, s.content
	name := nameOf(image)
	old := "The old image is gone afterwards."
	if s.backup {
		old = "The old image stays beside it as " + name + ".bak."
	}
	body := "The new image is written beside " + image + ", opened from scratch and compared with the plan. Only when all of it is right it takes the place of " +
		name + "; until then nothing changes.\n\n" + old
	s.host.Confirm("Replace the content of "+name+"?", body, "Replace in place", func() {
		s.begins(discs.SwapOptions{Image: image, Content: content, Backup: s.backup})
	})
}

func (s *screen) begins(o discs.SwapOptions) {
	swap, err := discs.NewSwap(o)
	if err != nil {
		s.host.Error(err)
		return
	}
	s.enqueue(swap, &job{image: o.Image, content: o.Content, plan: s.planned})
}

func (s *screen) copyCommand() {
	if s.open == nil || s.content == "" {
		return
	}
	folder := s.recall(rememberOutput)
	if folder == "" {
		folder = filepath.Dir(s.open.path)
	}
	s.copySwap(discs.SwapOptions{Image: s.open.path, Target: filepath.Join(folder, newName(s.open.path)), Content: s.content})
}

func (s *screen) copyCommandInPlace() {
	if s.open != nil && s.content != "" {
		s.copySwap(discs.SwapOptions{Image: s.open.path, Content: s.content, Backup: s.backup})
	}
}

func (s *screen) copySwap(o discs.SwapOptions) {
	swap, err := discs.NewSwap(o)
	if err != nil {
		s.host.Error(err)
		return
	}
	s.host.Copy(ui.CommandLine(swap.Command()))
	s.host.Notify("The command is on the clipboard")
}

func (s *screen) cancelJob() {
	if s.running() {
		s.host.Workspace().Queue.Cancel(s.job().row)
		s.followJobs()
	}
}

// followJobs brings what is shown of jobs up to date, and looks at what those that have ended leave behind.
func (s *screen) followJobs() {
	if s.closed {
		return
	}
	for path, j := range s.jobs {
		ended := j.row.State().Ended()
		if ended == j.seen {
			continue
		}
		j.seen = ended
		if s.open == nil || s.open.path != path {
			continue
		}
		s.fill()
		if ended {
			s.ended(j)
		}
		s.host.BadgesChanged()
	}
	if s.running() {
		for _, l := range s.live {
			l.update()
		}
	}
}

// ended follows the end of a job about the open image.
func (s *screen) ended(j *job) {
	r := j.row.Snapshot().Report
	if r == nil || !r.Success {
		return
	}
	s.proven(r)
	if same(j.row.Job().Output(), s.open.path) {
		s.planned = nil
		s.show(s.open.path) // it is another image now
	}
}

// proven adds the hashes of what was written to the list of files.
func (s *screen) proven(r *export.Report) {
	sums := map[string]string{}
	for _, sum := range r.Sums {
		if sum.Role == "content" || sum.Role == "kept" {
			sums[sum.Path] = sum.SHA256
		}
	}
	for _, n := range s.plan.tree.nodes {
		if sum := sums[n.Path]; sum != "" && n.Mark != Removed {
			n.SHA256 = sum
		}
	}
	s.plan.list()
}

// dismiss goes back from what came of a job to the plan.
func (s *screen) dismiss() {
	j := s.job()
	if j == nil {
		return
	}
	delete(s.jobs, s.open.path)
	if !j.converts() && s.planned == nil && s.content != "" {
		s.replan()
		return
	}
	s.fill()
}

// again runs a job that has failed once more.
func (s *screen) again() {
	if j := s.job(); j != nil && s.host.Workspace().Queue.Retry(j.row) {
		j.seen = false
		s.fill()
	}
}

// liveJob shows how far a job is. It keeps its lines and changes only what they say.
type liveJob struct {
	screen *screen
	object fyne.CanvasObject
	title  *theme.Text
	steps  *fyne.Container
	bar    *widgets.Meter
	detail *theme.Text
	left   *theme.Text
	stop   *widget.Button
	shown  string // what the list of steps was made for
}

func newLiveJob(s *screen) *liveJob {
	l := &liveJob{screen: s, title: theme.Heading("").WithTruncation(theme.TruncateMiddle), steps: widgets.NewStack(0), bar: widgets.NewMeter(6),
		detail: theme.Mono("").WithColor(theme.ColorNameMuted), left: theme.Caption("")}
	l.stop = widget.NewButtonWithIcon("Cancel", theme.Icon(theme.IconClose), s.cancelJob)
	l.detail.Truncate = theme.TruncateEnd
	queue := widgets.NewLink("Show in Exports", func() {
		if j := s.job(); j != nil {
			s.host.Show(ui.ScreenExports, fmt.Sprint(j.row.ID()))
		}
	})
	l.object = widgets.NewStack(8, l.title, l.steps, l.bar, widgets.NewStack(2, l.detail, l.left),
		container.New(&widgets.FlowLayout{Gap: 12, Line: 32}, l.stop, queue))
	return l
}

// update shows how far the job about the open image is.
func (l *liveJob) update() {
	j := l.screen.job()
	if j == nil {
		return
	}
	state := j.row.Snapshot()
	step, detail, left := progressOf(state)
	title := "Writing " + nameOf(j.row.Job().Output())
	if j.converts() {
		title = "Converting to " + nameOf(j.row.Job().Output())
	}
	l.title.SetText(title)
	l.showSteps(j, state, step)
	color := theme.ColorNameAccent
	if state.Cancelling {
		color = theme.ColorNameMuted
	}
	l.bar.Set(state.Overall, color)
	l.detail.SetText(detail)
	parts := []string{ui.Percent(state.Overall)}
	if left != "" {
		parts = append(parts, left)
	}
	l.left.SetText(strings.Join(parts, " · "))
	enable(l.stop, !state.Cancelling)
}

// showSteps lists the steps of the job: those that are over, the one at work, those to come.
func (l *liveJob) showSteps(j *job, state export.RowState, step string) {
	at := fmt.Sprint(j.row.ID(), state.State, state.StepIndex, step)
	if at == l.shown {
		return
	}
	l.shown = at
	stepped, ok := j.row.Job().(interface{ Steps() []string })
	if !ok || state.Cancelling || state.State == export.Waiting {
		l.steps.Objects = []fyne.CanvasObject{stepLine(l.screen.icons, theme.IconWaiting, theme.ColorNameMuted, step, true)}
		widgets.Relayout(l.steps)
		return
	}
	titles := stepped.Steps()
	lines := make([]fyne.CanvasObject, len(titles))
	for i, title := range titles {
		switch {
		case i < state.StepIndex:
			lines[i] = stepLine(l.screen.icons, theme.IconSuccess, fynetheme.ColorNameSuccess, title, false)
		case i == state.StepIndex:
			lines[i] = stepLine(l.screen.icons, theme.IconPlay, theme.ColorNameAccent, title, true)
		default:
			lines[i] = stepLine(l.screen.icons, theme.IconWaiting, theme.ColorNameMuted, title, false)
		}
	}
	l.steps.Objects = lines
	widgets.Relayout(l.steps)
}

func stepLine(icons theme.Icons, icon theme.IconName, color fyne.ThemeColorName, text string, now bool) fyne.CanvasObject {
	t := theme.Body(text).WithTruncation(theme.TruncateEnd)
	t.Style.Bold = now
	if !now {
		t.ColorName = theme.ColorNameMuted
	}
	return container.New(&stepLayout{}, widget.NewIcon(icons.Get(icon, color)), t)
}

// stepLayout puts a small icon in front of a line.
type stepLayout struct{}

func (stepLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(120, 24) }

func (stepLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	const side = 16
	o[0].Move(fyne.NewPos(0, (size.Height-side)/2))
	o[0].Resize(fyne.NewSquareSize(side))
	o[1].Move(fyne.NewPos(side+8, 0))
	o[1].Resize(fyne.NewSize(max(0, size.Width-side-8), size.Height))
}

// jobParts is how far a job is, or what came of it.
func (s *screen) jobParts(j *job, live *liveJob) []fyne.CanvasObject {
	if !j.row.State().Ended() {
		live.update()
		return []fyne.CanvasObject{live.object}
	}
	return s.resultParts(j, j.row.Snapshot())
}
