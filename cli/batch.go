package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"talebinder/export"
	"talebinder/export/words"
)

// A batchJob is one of several jobs that run at the same time.
type batchJob struct {
	export.Job
	name     string // for people and programs, such as "linux-x64-release"
	reporter export.Reporter
	ended    func(*batchJob)

	report *export.Report
	err    error
}

// Run runs the job and tells the batch's own reporter too.
func (j *batchJob) Run(ctx context.Context, r export.Reporter) (*export.Report, error) {
	j.report, j.err = j.Job.Run(ctx, both{r, j.reporter})
	j.ended(j)
	return j.report, j.err
}

// both tells two reporters.
type both struct{ a, b export.Reporter }

func (r both) Step(index, count int, title string) {
	r.a.Step(index, count, title)
	r.b.Step(index, count, title)
}

func (r both) Progress(fraction float64, detail string) {
	r.a.Progress(fraction, detail)
	r.b.Progress(fraction, detail)
}

func (r both) Log(e export.Entry) {
	r.a.Log(e)
	r.b.Log(e)
}

// lockedWriter lets several goroutines write lines, one at a time.
type lockedWriter struct {
	mu  sync.Mutex
	out io.Writer
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(p)
}

// runBatch runs several jobs, some of them at a time, and prints how they get on and a table of what came of them. The others go
// on when one fails.
func runBatch(ctx context.Context, s Streams, builds []*export.Build, asJSON bool) error {
	queue := export.NewQueue(0)
	out, errs := &lockedWriter{out: s.Out}, &lockedWriter{out: s.Err}
	var jobs []*batchJob
	for _, build := range builds {
		j := &batchJob{Job: build, name: build.Target() + "-" + build.Profile().String()}
		if asJSON {
			lines := &jsonReporter{out: out, job: j.name}
			j.reporter = lines
			j.ended = func(j *batchJob) {
				if j.report != nil {
					lines.Report(j.report)
				} else {
					fmt.Fprintf(errs, "error: %s: %v\n", j.name, j.err)
				}
			}
		} else {
			j.reporter = &batchReporter{out: out, err: errs, name: j.name}
			j.ended = func(j *batchJob) { fmt.Fprintf(out, "[%s] %s\n", j.name, j.result()) }
		}
		jobs = append(jobs, j)
	}
	for _, j := range jobs {
		queue.Add(j)
	}
	stop := context.AfterFunc(ctx, queue.CancelAll)
	queue.Wait()
	stop()
	if !asJSON {
		if err := printBatch(s.Out, builds, jobs); err != nil {
			return err
		}
	}
	for _, j := range jobs {
		if j.report == nil && j.err == nil { // cancelled before it began
			return context.Canceled
		}
		if j.err != nil && ctx.Err() == nil {
			return errReported
		}
	}
	return ctx.Err()
}

// result says how the job ended.
func (j *batchJob) result() string {
	switch {
	case j.report == nil && j.err == nil, errors.Is(j.err, context.Canceled):
		return "Cancelled"
	case j.report == nil:
		return fmt.Sprintf("Failed: %v", j.err)
	case j.err != nil:
		return "Failed with " + count(len(j.report.Errors), "error")
	case len(j.report.Warnings) > 0:
		return "Finished with " + count(len(j.report.Warnings), "warning")
	}
	return "Finished"
}

// printBatch prints the table of results.
func printBatch(w io.Writer, builds []*export.Build, jobs []*batchJob) error {
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "TARGET\tPROFILE\tRESULT\tSIZE\tTIME\tMADE")
	failed := 0
	for i, j := range jobs {
		bytes, took, made := "-", "-", "-"
		if r := j.report; r != nil {
			took = r.Duration.Round(10 * time.Millisecond).String()
			if j.err == nil {
				bytes, made = words.Size(r.TotalSize), r.OutputDirectory
				if r.Archive != "" {
					made = r.Archive
				}
			}
		}
		if j.err != nil {
			failed++
		}
		result, _, _ := strings.Cut(j.result(), ":")
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", builds[i].Target(), builds[i].Profile(), result, bytes, took, made)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%s, %d failed or cancelled\n", count(len(jobs), "export"), failed)
	for _, j := range jobs {
		if j.report == nil {
			continue
		}
		for _, note := range j.report.Notes {
			if _, err := fmt.Fprintf(w, "%s: the commands are in %s\n", note.Title, j.report.ReportFile); err != nil {
				return err
			}
		}
	}
	return err
}

// batchReporter prints the steps, warnings and errors of one of several jobs, with its name in front.
type batchReporter struct {
	out, err io.Writer
	name     string
}

func (r *batchReporter) Step(index, count int, title string) {
	if index < count {
		fmt.Fprintf(r.out, "[%s] %d/%d %s\n", r.name, index+1, count, title)
	}
}

func (r *batchReporter) Progress(float64, string) {}

func (r *batchReporter) Log(e export.Entry) {
	if e.Level >= export.Warning {
		fmt.Fprintf(r.err, "%s: [%s] %s\n", e.Level, r.name, e)
	}
}
