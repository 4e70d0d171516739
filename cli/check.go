package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"talebinder/export"
	"talebinder/platforms"
	"talebinder/project"
	"talebinder/project/problem"
)

func checkCommand(s Streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "check PROJECT",
		Short: "List what is wrong with a project, each problem with its place and what to do",
		Args:  exactly("PROJECT"),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := openProject(c.Context(), args[0])
			if err != nil {
				return err
			}
			problems, err := allProblems(c.Context(), p)
			if err != nil {
				return err
			}
			return reportProblems(s.Out, problems, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

// reportProblems prints what a check has found, and fails when an error is among it.
func reportProblems(w io.Writer, problems []problem.Problem, asJSON bool) error {
	var err error
	if asJSON {
		if problems == nil {
			problems = []problem.Problem{}
		}
		err = printJSON(w, struct {
			Problems []problem.Problem `json:"problems"`
		}{problems})
	} else {
		err = printProblems(w, problems)
	}
	if err != nil {
		return err
	}
	return errorIfAny(problems)
}

// allProblems lists everything that is known to be wrong with a project: what opening found, what an export would check
// first, and what is missing in what ships.
func allProblems(ctx context.Context, p *project.Project) ([]problem.Problem, error) {
	found := problem.Merge(p.Problems(), p.Check(buildTarget(p).ID))
	if p.GameErr != nil {
		// Nothing can be said about what ships before game.json is in order, which is among the problems.
		return found, nil
	}
	content, err := export.CollectContent(ctx, p, p.Build.Settings().Profile)
	if err != nil {
		return nil, err
	}
	return problem.Merge(found, content.Problems), nil
}

// buildTarget is the target that build.json names, else this computer.
func buildTarget(p *project.Project) platforms.Target {
	if id := p.Build.Settings().Target; id != nil {
		if target, ok := platforms.TargetByID(*id); ok {
			return target
		}
	}
	return platforms.Host()
}

func printProblems(w io.Writer, problems []problem.Problem) error {
	counts := map[problem.Level]int{}
	for _, p := range problems {
		counts[p.Level]++
		if _, err := fmt.Fprintf(w, "%s: %s\n", p.Level, p); err != nil {
			return err
		}
		if p.Hint != "" {
			fmt.Fprintf(w, "  %s\n", p.Hint)
		}
	}
	_, err := fmt.Fprintf(w, "%s, %s\n", count(counts[problem.Error], "error"), count(counts[problem.Warning], "warning"))
	return err
}

func errorIfAny(problems []problem.Problem) error {
	for _, p := range problems {
		if p.Level == problem.Error {
			return errReported
		}
	}
	return nil
}
