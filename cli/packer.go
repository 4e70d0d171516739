package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"talebinder/cli/internal/packer"
	"talebinder/export"
)

// A packerCommand is a command that the game's asset packer has as well.
type packerCommand struct {
	name  string
	short string
	usage string // arguments and options, in lines; printed as it is
	own   []packer.Option
	// job makes the job of the arguments, or gives nil for too few of them.
	job func(packer.Args) (export.Job, error)
}

// errUsage ends a command with its usage on standard output.
var errUsage = errors.New("usage")

// command is the command for the table. The flags of the command library are left out of it, see package packer.
func (p packerCommand) command(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:                p.name,
		Short:              p.short,
		Long:               p.usage,
		DisableFlagParsing: true,
		RunE: func(c *cobra.Command, args []string) error {
			err := p.run(c.Context(), s, args)
			var argument *packer.ArgumentError
			switch {
			case errors.As(err, &argument):
				fmt.Fprintf(s.Err, "Error: %v\n", err)
				fmt.Fprintln(s.Out, p.usage)
				return errReported
			case errors.Is(err, errUsage):
				fmt.Fprintln(s.Out, p.usage)
				return errReported
			}
			return err
		},
	}
}

func (p packerCommand) run(ctx context.Context, s Streams, words []string) error {
	args, err := packer.Read(words, p.own...)
	if err != nil {
		return err
	}
	if args.Help {
		return errUsage
	}
	job, err := p.job(args)
	if err != nil {
		return err
	}
	return runPacker(ctx, s, job)
}

// runPacker runs a job the asset packer's way: what it tells and warnings go to standard output, errors to standard error, and
// the last line of a success is Done.
func runPacker(ctx context.Context, s Streams, job export.Job) error {
	r := &packerReporter{textReporter{streams: s}}
	report, err := job.Run(ctx, r)
	if err != nil {
		return jobError(err, report)
	}
	fmt.Fprintln(s.Out, "Done")
	return nil
}

// packerReporter prints a job's log as lines; on a terminal a last line shows how far the work has got.
type packerReporter struct{ textReporter }

func (r *packerReporter) Step(index, count int, _ string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.index, r.count = index, count
	r.clear()
}

func (r *packerReporter) Log(e export.Entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.clear()
	switch e.Level {
	case export.Debug:
	case export.Info:
		fmt.Fprintln(r.streams.Out, e)
	case export.Warning:
		fmt.Fprintf(r.streams.Out, "Warning: %s\n", e)
	default:
		fmt.Fprintf(r.streams.Err, "Error: %s\n", e)
	}
}
