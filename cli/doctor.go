package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"talebinder/export"
	"talebinder/project/problem"
)

func doctorCommand(s Streams) *cobra.Command {
	var chosen choice
	var from engine
	var output string
	var contentOnly, asJSON bool
	c := &cobra.Command{
		Use:   "doctor PROJECT",
		Short: "Say for each target whether an export can be made, and what is missing",
		Long: "Looks at everything that an export looks at before it writes: the project, the settings, the player, the scripts, what ships,\n" +
			"the output folder and the free space of its disk. Nothing is written.",
		Args: exactly("PROJECT"),
		RunE: func(c *cobra.Command, args []string) error {
			targets, profiles, err := chosen.read()
			if err != nil {
				return err
			}
			if len(profiles) > 1 {
				return usagef("--profile may be given once here")
			}
			if err := from.fill(); err != nil {
				return err
			}
			options := from.build(export.BuildOptions{Output: output, ContentOnly: contentOnly})
			if len(profiles) == 1 {
				options.Profile = &profiles[0]
			}
			var ids []string
			for _, t := range targets {
				ids = append(ids, t.ID)
			}
			p, err := openProject(c.Context(), args[0])
			if err != nil {
				return err
			}
			all, err := export.Doctor(c.Context(), p, ids, options)
			if err != nil {
				return err
			}
			if asJSON {
				err = printJSON(s.Out, doctorDocument(all))
			} else {
				err = printReadiness(s.Out, all)
			}
			if err != nil {
				return err
			}
			for _, r := range all {
				if r.State == export.NotReady {
					return errReported
				}
			}
			return nil
		},
	}
	chosen.addTo(c.Flags(), "what to export for, all when none is named", "the profile, that of build.json when none is named")
	c.Flags().StringVar(&output, "output", "", "the folder that builds would go into")
	from.addTo(c.Flags())
	c.Flags().BoolVar(&contentOnly, "content-only", false, "for the game folder without a player around it")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

type readinessJSON struct {
	Target  string            `json:"target"`
	Profile string            `json:"profile"`
	State   export.ReadyState `json:"state"`
	Output  string            `json:"output,omitempty"`
}

type targetProblemJSON struct {
	problem.Problem
	Fix    string `json:"fix,omitempty"`
	Target string `json:"target"`
}

type doctorJSON struct {
	Targets  []readinessJSON     `json:"targets"`
	Problems []targetProblemJSON `json:"problems"`
}

// doctorDocument lists what stands in the way; what is well is not among the problems.
func doctorDocument(all []export.Readiness) doctorJSON {
	document := doctorJSON{Problems: []targetProblemJSON{}}
	for _, r := range all {
		document.Targets = append(document.Targets, readinessJSON{r.Target.ID, r.Profile.String(), r.State, r.Output})
		for _, c := range r.Checks {
			if c.Level > problem.Info {
				document.Problems = append(document.Problems, targetProblemJSON{c.Problem, c.Fix.ID, r.Target.ID})
			}
		}
	}
	return document
}

func printReadiness(w io.Writer, all []export.Readiness) error {
	for i, r := range all {
		if i > 0 {
			fmt.Fprintln(w)
		}
		what := r.Profile.String()
		if r.ContentOnly {
			what += ", game folder only"
		}
		fmt.Fprintf(w, "%s, %s: %s\n", r.Target.Name, what, r.State)
		for _, c := range r.Checks {
			word := c.Level.String()
			if c.Level == problem.Info {
				word = "ok"
			}
			if _, err := fmt.Fprintf(w, "  %-8s %s\n", word+":", c.Problem); err != nil {
				return err
			}
			if c.Hint != "" {
				fmt.Fprintf(w, "           %s\n", c.Hint)
			}
			if len(c.Fix.Command) > 0 {
				fmt.Fprintf(w, "           %s\n", strings.Join(c.Fix.Command, " "))
			}
		}
	}
	return nil
}
