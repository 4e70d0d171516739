package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"talebinder/export"
	"talebinder/export/presets"
	"talebinder/export/words"
	"talebinder/platforms"
)

func exportCommand(s Streams) *cobra.Command {
	var chosen choice
	var from engine
	var preset, output string
	var all, contentOnly, desktopEntry, noCache, asJSON bool
	c := &cobra.Command{
		Use:   "export PROJECT",
		Short: "Export a game; what is not said here comes from the project's build.json",
		Long: "Exports a game. What is not said comes from the project's build.json.\n\n" +
			"Several targets and profiles are exported in one go, all of the targets in all of the profiles and some at a time. With several\n" +
			"profiles each of them gets a folder of its own below the output folder.",
		Args: exactly("PROJECT"),
		RunE: func(c *cobra.Command, args []string) error {
			targets, profiles, err := chosen.batch(all)
			if err != nil {
				return err
			}
			if preset != "" && len(targets)+len(profiles) > 0 {
				return usagef("--preset excludes --target, --profile and --all")
			}
			if err := from.fill(); err != nil {
				return err
			}
			p, err := openProject(c.Context(), args[0])
			if err != nil {
				return err
			}
			if preset != "" {
				saved, err := presets.Default().Find(p.Dir, preset)
				var missing *presets.NotFoundError
				if errors.As(err, &missing) {
					return usageError{err}
				}
				if err != nil {
					return err
				}
				if targets, profiles, err = saved.Choice(); err != nil {
					return err
				}
				contentOnly = contentOnly || saved.ContentOnly
			}
			batch := export.Batch{Targets: targets, Profiles: profiles, ContentOnly: contentOnly}
			jobs, err := batch.Jobs(p, from.build(export.BuildOptions{Output: output, ContentOnly: contentOnly, NoCache: noCache, DesktopEntry: desktopEntry}))
			if err != nil {
				return err
			}
			if len(jobs) == 1 {
				return runJob(c.Context(), s, jobs[0], asJSON)
			}
			return runBatch(c.Context(), s, jobs, asJSON)
		},
	}
	chosen.addTo(c.Flags(), "what to export for", "the profile")
	c.Flags().BoolVar(&all, "all", false, "export for every target")
	c.Flags().StringVar(&preset, "preset", "", "a choice of targets and profiles that was saved with `talebinder presets`")
	c.Flags().StringVar(&output, "output", "", "the folder that builds go into")
	from.addTo(c.Flags())
	c.Flags().BoolVar(&contentOnly, "content-only", false, "make the game folder without a player around it")
	c.Flags().BoolVar(&desktopEntry, "desktop-entry", false, "put an entry for the menu of applications into Linux builds")
	c.Flags().BoolVar(&noCache, "no-cache", false, "compress every file anew, and keep nothing for the next export")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON lines: step, progress, log, and the report last; with several exports each line names its job")
	return c
}

func targetIDs() string {
	ids := ""
	for i, target := range platforms.Targets() {
		if i > 0 {
			ids += ", "
		}
		ids += target.ID
	}
	return ids
}

// runJob runs a job in the foreground and prints how it gets on and what came of it.
func runJob(ctx context.Context, s Streams, job export.Job, asJSON bool) error {
	if asJSON {
		reporter := &jsonReporter{out: s.Out}
		report, err := job.Run(ctx, reporter)
		if report != nil {
			reporter.Report(report)
		}
		return jobError(err, report)
	}
	reporter := &textReporter{streams: s}
	report, err := job.Run(ctx, reporter)
	if report != nil && err == nil {
		return printReport(s.Out, report)
	}
	if report != nil && !report.Cancelled {
		fmt.Fprintf(s.Err, "The export failed with %s\n", count(len(report.Errors), "error"))
	}
	return jobError(err, report)
}

// jobError is the error of a job that ended, less what its report has told already.
func jobError(err error, report *export.Report) error {
	if report != nil && errors.Is(err, export.ErrFailed) {
		return errReported
	}
	return err
}

func printReport(w io.Writer, r *export.Report) error {
	fmt.Fprintf(w, "\n%s, %s, %s: %s in %s\n\n", r.Game, r.Target, r.Profile, words.Size(r.TotalSize), r.Duration.Round(time.Millisecond))
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "FILES\tSTORED\tORIGINAL\t  CATEGORY")
	for _, category := range r.Categories {
		fmt.Fprintf(t, "%d\t%s\t%s\t  %s\n", category.Files, words.Size(category.Size), words.Size(category.OriginalSize), category.Name)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if n := len(r.Warnings); n > 0 {
		fmt.Fprintf(w, "\nFinished with %s\n", count(n, "warning"))
	}
	for _, note := range r.Notes {
		fmt.Fprintf(w, "\n%s\n%s\n\n", note.Title, note.Text)
		for _, command := range note.Commands {
			fmt.Fprintf(w, "    %s\n", command)
		}
	}
	made := r.Executable
	if made == "" {
		made = r.OutputDirectory
	}
	fmt.Fprintf(w, "\n%s\n", made)
	if r.Archive != "" {
		fmt.Fprintln(w, r.Archive)
	}
	return nil
}
