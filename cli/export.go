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
	"talebinder/platforms"
)

func exportCommand(s Streams) *cobra.Command {
	var target, profile, output, players string
	var contentOnly, noCache, asJSON bool
	c := &cobra.Command{
		Use:   "export PROJECT",
		Short: "Export a game; what is not said here comes from the project's build.json",
		Args:  exactly("PROJECT"),
		RunE: func(c *cobra.Command, args []string) error {
			var options export.BuildOptions
			if c.Flags().Changed("target") {
				chosen, ok := platforms.TargetByID(target)
				if !ok {
					return usagef("unknown target %q, expected %s", target, targetIDs())
				}
				options.Target = chosen.ID
			}
			if c.Flags().Changed("profile") {
				chosen, ok := platforms.ParseProfile(profile)
				if !ok {
					return usagef("unknown profile %q, expected development, release or distribution", profile)
				}
				options.Profile = &chosen
			}
			options.Output, options.PlayersDir = output, players
			options.ContentOnly, options.NoCache = contentOnly, noCache
			p, err := openProject(c.Context(), args[0])
			if err != nil {
				return err
			}
			job, err := export.NewBuild(p, options)
			if err != nil {
				return err
			}
			return runJob(c.Context(), s, job, asJSON)
		},
	}
	c.Flags().StringVar(&target, "target", "", "what to export for: "+targetIDs())
	c.Flags().StringVar(&profile, "profile", "", "development, release or distribution")
	c.Flags().StringVar(&output, "output", "", "the folder that builds go into")
	c.Flags().StringVar(&players, "players", "", "a folder with players, one folder each")
	c.Flags().BoolVar(&contentOnly, "content-only", false, "make the game folder without a player around it")
	c.Flags().BoolVar(&noCache, "no-cache", false, "compress every file anew, and keep nothing for the next export")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON lines: step, progress, log, and the report last")
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
	fmt.Fprintf(w, "\n%s, %s, %s: %s in %s\n\n", r.Game, r.Target, r.Profile, size(r.TotalSize), r.Duration.Round(time.Millisecond))
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "FILES\tSTORED\tORIGINAL\t  CATEGORY")
	for _, category := range r.Categories {
		fmt.Fprintf(t, "%d\t%s\t%s\t  %s\n", category.Files, size(category.Size), size(category.OriginalSize), category.Name)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if n := len(r.Warnings); n > 0 {
		fmt.Fprintf(w, "\nFinished with %s\n", count(n, "warning"))
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
