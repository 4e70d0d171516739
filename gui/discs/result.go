package discs

import (
	"path/filepath"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"talebinder/export"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
)

// An Outcome is what came of a job, in words.
type Outcome struct {
	Icon     theme.IconName
	Tone     widgets.Tone
	Sentence string
	Next     string // what became of the files; empty when the sentence says it
}

// outcomeOf says what came of a job that has ended.
func outcomeOf(j *job, s export.RowState) Outcome {
	name := nameOf(j.row.Job().Output())
	what := "The swap"
	done := name + " is written and verified."
	if j.converts() {
		what = "The conversion"
	} else if s.Report != nil && same(j.row.Job().Output(), j.image) {
		done = name + " has its new content, and is verified."
	}
	next := ""
	if s.Report != nil && len(s.Report.Errors) > 0 {
		next = ui.Sentence(s.Report.Errors[len(s.Report.Errors)-1].Message)
	}
	switch s.State {
	case export.Finished:
		return Outcome{theme.IconSuccess, widgets.Success, done, ""}
	case export.FinishedWithWarnings:
		return Outcome{theme.IconProblems, widgets.Warning, done, "It finished with " + ui.Plural(s.Warnings, "warning") + "."}
	case export.Cancelled:
		return Outcome{theme.IconCancelled, widgets.Neutral, what + " was cancelled.", "Nothing was changed."}
	}
	return Outcome{theme.IconFailed, widgets.Danger, what + " failed.", next}
}

// resultParts is what came of a job: one sentence, what to do now, and the proof.
func (s *screen) resultParts(j *job, state export.RowState) []fyne.CanvasObject {
	o := outcomeOf(j, state)
	parts := []fyne.CanvasObject{heading(s.icons.Get(o.Icon, o.Tone.Color()), o.Sentence)}
	if o.Next != "" {
		parts = append(parts, theme.Paragraph(o.Next))
	}
	r := state.Report
	if r == nil || !r.Success {
		if r != nil && state.State == export.Failed {
			for _, e := range r.Errors[:max(0, len(r.Errors)-1)] { // the last one sums up
				parts = append(parts, widgets.NewNote(ui.Sentence(e.Message), widgets.Danger))
			}
		} else if state.Err != nil && state.State == export.Failed {
			parts = append(parts, widgets.NewNote(ui.Sentence(state.Err.Error()), widgets.Danger))
		}
		again := widget.NewButtonWithIcon("Retry", theme.Icon(theme.IconReload), s.again)
		again.Importance = widget.HighImportance
		return append(parts, container.New(&widgets.FlowLayout{Gap: 8, Line: 32}, again, widget.NewButton("Back", s.dismiss)))
	}

	output := j.row.Job().Output()
	folder := widget.NewButtonWithIcon("Open folder", theme.Icon(theme.IconFolderOpen), func() { s.host.OpenFolder(output) })
	proof := widget.NewButtonWithIcon("Copy for a report", theme.Icon(theme.IconCopy), s.copyProof)
	buttons := []fyne.CanvasObject{folder, proof}
	if !same(output, j.image) {
		look := widget.NewButtonWithIcon("Open "+shortName(nameOf(output)), theme.Icon(theme.IconDisc), func() { s.show(output) })
		if j.converts() {
			look.Importance = widget.HighImportance
			buttons = append([]fyne.CanvasObject{look}, buttons...)
		} else {
			folder.Importance = widget.HighImportance
			buttons = append(buttons, look)
		}
	} else {
		folder.Importance = widget.HighImportance
	}
	buttons = append(buttons, widget.NewButton("Done", s.dismiss))
	parts = append(parts, container.New(&widgets.FlowLayout{Gap: 8, Line: 32}, buttons...))
	for _, w := range r.Warnings {
		parts = append(parts, widgets.NewNote(ui.Sentence(w.String()), widgets.Warning))
	}
	parts = append(parts, overline("Proof"), theme.Paragraph(proofSentence(r)),
		widgets.NewStack(0, fact("Written", output), fact("Size", ui.ExactSize(r.TotalSize)), fact("Time", ui.Duration(state.Elapsed))))
	return append(parts, s.sums(r)...)
}

// shortName keeps a button from growing as long as a long name.
func shortName(name string) string {
	const most = 24
	if r := []rune(name); len(r) > most {
		ext := []rune(filepath.Ext(name))
		return string(r[:max(1, most-len(ext)-1)]) + "…" + string(ext)
	}
	return name
}

// proofSentence says what was proven, and how.
func proofSentence(r *export.Report) string {
	count := func(role string) int {
		n := 0
		for _, s := range r.Sums {
			if s.Role == role {
				n++
			}
		}
		return n
	}
	kept, content := count("kept"), count("content")
	if kept+content == 0 {
		return "The new image was read back from the disk and compared with the old one."
	}
	return "The new image was opened from scratch: " + ui.Plural(kept, "kept part") + " compared byte for byte, " +
		ui.Plural(content, "file") + " of the content by SHA-256. Only then it was put in its place."
}

// sums lists the hashes of the image and of what was kept; those of the content stand in the list of files.
func (s *screen) sums(r *export.Report) []fyne.CanvasObject {
	copied := func(hash string) {
		s.host.Copy(hash)
		s.host.Notify("The SHA-256 is on the clipboard")
	}
	var parts []fyne.CanvasObject
	for _, group := range []struct{ role, title string }{{"image", "New image"}, {"backup", "Old image"}, {"kept", "Kept"}} {
		list := widgets.NewStack(0)
		for _, sum := range r.Sums {
			if sum.Role != group.role {
				continue
			}
			name := sum.Path
			if group.role != "kept" {
				name = nameOf(name)
			}
			row := widgets.NewSumRow(name, ui.Size(sum.Size), sum.SHA256, copied)
			row.SetOnFocus(func() { s.swap.column.Reveal(row) })
			list.Add(row)
		}
		if len(list.Objects) > 0 {
			parts = append(parts, overline(group.title), list)
		}
	}
	if slices.ContainsFunc(r.Sums, func(sum export.Sum) bool { return sum.Role == "content" }) {
		parts = append(parts, theme.Caption("Those of the content are in the list of files, and in what is copied for a report.").WithColor(theme.ColorNameMuted))
	}
	return parts
}

// proof is the text for a report about the last job of the open image; empty when there is none to tell of.
func (s *screen) proof() string {
	j := s.job()
	if j == nil {
		return ""
	}
	state := j.row.Snapshot()
	if state.Report == nil || !state.Report.Success {
		return ""
	}
	return outcomeOf(j, state).Sentence + "\n" + proofSentence(state.Report) + "\n" +
		"command\t" + ui.CommandLine(j.row.Job().Command()) + "\nstarted\t" + state.Report.StartedAt.Format("2006-01-02 15:04:05 -0700") + "\n" +
		ui.SumsText(state.Report.Sums)
}

func (s *screen) copyProof() {
	if text := s.proof(); text != "" {
		s.host.Copy(text)
		s.host.Notify("The proof is on the clipboard")
	}
}
