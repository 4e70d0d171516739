package exports

import (
	"path/filepath"
	"strings"

	"talebinder/export"
	"talebinder/gui/ui"
	"talebinder/platforms"
	"talebinder/project"
)

// A Report is what the screen says about an export that has ended.
type Report struct {
	Mark     Mark
	Kind     string // empty for the export of a game, else what the job does
	Target   string // target id; empty when it is for none
	Outcome  string // one sentence
	Next     string // what to do now; empty when there is nothing to do
	Size     string // of everything; empty when nothing was made
	Exact    string // the same in bytes
	Total    int64  // the same as a number
	Assets   string
	Time     string
	Parts    []Part
	Largest  []Asset
	Steps    []Step
	Problems []Problem
	More     int // problems beyond those listed
	Notes    []Note
	Paths    []Path
	Sums     []export.Sum // hashes to quote
}

// A Part is a slice of a build by category.
type Part struct {
	Name     string
	Size     int64 // bytes as stored
	Stored   string
	Original string // before compression; empty when that is the same
	Files    string
}

// An Asset is one of the largest.
type Asset struct {
	Path     string
	Kind     string
	Reason   string
	Stored   string
	Original string  // before compression; empty when that is the same
	Share    float64 // of the largest one, 0 to 1
}

// A Problem is a warning or error of an export.
type Problem struct {
	Fatal bool
	Text  string
	File  string // relative to the project folder; empty when it is about no file that can be opened
	Line  int
	Place string // the file and line, for people
}

// A Note is advice about what to do with a finished build.
type Note struct {
	Title, Text string
	Commands    []string // to run in a terminal, in order
}

// A Path is something that an export has written.
type Path struct {
	Name, Path string
}

// shownProblems is how many problems a report lists; the log has them all.
const shownProblems = 100

// reportOf writes the report of an export that has ended, or nil before that. p may be nil.
func reportOf(row *export.Row, p *project.Project) *Report {
	s := row.Snapshot()
	if !s.State.Ended() {
		return nil
	}
	return reportFrom(row.Job(), s, p)
}

// reportFrom writes the report of an export whose end is in s.
func reportFrom(job subject, s export.RowState, p *project.Project) *Report {
	r := &Report{Mark: lineOf(0, job, s, "").Mark, Target: job.Target(), Time: ui.Duration(s.Elapsed), Steps: stepsOf(job, s, s.StepSince)}
	r.Outcome, r.Next = outcome(job, s)
	in := s.Report
	if in == nil {
		if s.State == export.Failed {
			r.Problems = []Problem{{Fatal: true, Text: ui.Sentence(firstError(s))}}
		}
		return r
	}
	r.Kind, r.Sums = kindOf(job, in), in.Sums
	if in.Success {
		r.Total, r.Size, r.Exact = in.TotalSize, ui.Size(in.TotalSize), ui.ExactSize(in.TotalSize)
		r.Assets = ui.Count(int64(in.AssetCount))
	}
	for _, c := range in.Categories {
		part := Part{Name: c.Name, Size: c.Size, Stored: ui.Size(c.Size), Files: ui.Plural(c.Files, "file")}
		if c.OriginalSize != c.Size {
			part.Original = ui.Size(c.OriginalSize)
		}
		r.Parts = append(r.Parts, part)
	}
	for _, a := range in.LargestAssets {
		asset := Asset{Path: a.Path, Kind: a.Kind, Reason: ui.ReasonWord(a.Reason), Stored: ui.Size(a.StoredSize)}
		if a.Size != a.StoredSize {
			asset.Original = ui.Size(a.Size)
		}
		if largest := in.LargestAssets[0].StoredSize; largest > 0 {
			asset.Share = float64(a.StoredSize) / float64(largest)
		}
		r.Largest = append(r.Largest, asset)
	}
	r.problems(in, p)
	for _, n := range in.Notes {
		r.Notes = append(r.Notes, Note(n))
	}
	folder := "Build folder"
	if r.Kind != "" {
		folder = "Folder"
	}
	for _, out := range []Path{
		{folder, in.OutputDirectory}, {"Executable", in.Executable}, {"Archive", in.Archive}, {"Report", in.ReportFile},
	} {
		if out.Path != "" {
			r.Paths = append(r.Paths, out)
		}
	}
	return r
}

func (r *Report) problems(in *export.Report, p *project.Project) {
	errors := in.Errors
	// The last entry sums up the others, which the outcome does already.
	if len(errors) > 1 && !in.Success {
		errors = errors[:len(errors)-1]
	}
	if in.Cancelled {
		errors = nil
	}
	for i, list := range [][]export.Entry{errors, in.Warnings} {
		for _, e := range list {
			if in.Cancelled && e.File == "" {
				continue // says that it was cancelled, as the outcome does
			}
			if len(r.Problems) == shownProblems {
				r.More++
				continue
			}
			problem := Problem{Fatal: i == 0, Text: ui.Sentence(e.Message), File: placeOf(e.File, p), Line: e.Line, Place: e.File}
			if e.Line > 0 {
				problem.Place = strings.TrimSuffix(export.Entry{File: e.File, Line: e.Line, Column: e.Column}.String(), ": ")
			}
			r.Problems = append(r.Problems, problem)
		}
	}
}

// outcome says in a sentence what came of an export, and what to do about it.
func outcome(job subject, s export.RowState) (sentence, next string) {
	if s.Report != nil && kindOf(job, s.Report) != "" {
		return toolOutcome(job, s)
	}
	what, target := job.Title(), ""
	if s.Report != nil && s.Report.Game != "" {
		what = s.Report.Game
		if t, ok := platforms.TargetByID(job.Target()); ok {
			target = " for " + t.Name
		}
		if m, ok := job.(made); ok && m.ContentOnly() {
			what = "The game folder of " + what
		}
	}
	switch s.State {
	case export.Finished:
		return what + target + " is ready.", ""
	case export.FinishedWithWarnings:
		return what + target + " is ready, with " + ui.Plural(s.Warnings, "warning") + ".", "Look at the warnings before you give it away."
	case export.Cancelled:
		if s.Started.IsZero() {
			return what + target + " was cancelled before it started.", ""
		}
		return what + target + " was cancelled after " + ui.Duration(s.Elapsed) + ".", lastWord(s)
	}
	errors := max(s.Errors, 1)
	if s.Report != nil && len(s.Report.Errors) > 1 {
		errors = len(s.Report.Errors) - 1
	}
	return what + target + " was not exported: " + ui.Plural(errors, "error") + ".", lastWord(s)
}

// toolOutcome says what came of a job that exports no game.
func toolOutcome(job subject, s export.RowState) (sentence, next string) {
	done := job.Title() + ": done"
	if kind := s.Report.Kind; kind == kindSwap || kind == kindConvert {
		done = filepath.Base(job.Output()) + " is written and verified"
	}
	switch s.State {
	case export.Finished:
		return done + ".", ""
	case export.FinishedWithWarnings:
		return done + ", with " + ui.Plural(s.Warnings, "warning") + ".", ""
	case export.Cancelled:
		return job.Title() + ": cancelled after " + ui.Duration(s.Elapsed) + ".", lastWord(s)
	}
	return job.Title() + ": failed.", lastWord(s)
}

// lastWord is what a failed or cancelled export said at the end, which includes what became of the build.
func lastWord(s export.RowState) string {
	if s.Report == nil || len(s.Report.Errors) == 0 {
		return ""
	}
	return ui.Sentence(s.Report.Errors[len(s.Report.Errors)-1].Message)
}

// placeOf turns the file of a log entry into a path that the window can open.
func placeOf(file string, p *project.Project) string { return ui.PlaceOf(file, p) }
