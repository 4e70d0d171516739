package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"talebinder/project/assets"
)

func repairCommand(s Streams) *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:   "repair PROJECT [ID...]",
		Short: "List what can be repaired in a project, or carry out the repairs that are named",
		Long: "Opening, checking and exporting change no file of a project. What the engine would put right by itself, such as a\n" +
			"missing .meta file, is listed here and written only when it is asked for: by its id, or with --all.",
		Args: atLeast("PROJECT"),
		RunE: func(c *cobra.Command, args []string) error {
			ids := args[1:]
			if all && len(ids) > 0 {
				return usagef("--all and the ids of single repairs exclude each other")
			}
			p, err := openProject(c.Context(), args[0])
			if err != nil {
				return err
			}
			repairs := p.Repairs()
			if !all && len(ids) == 0 {
				for _, repair := range repairs {
					fmt.Fprintf(s.Out, "%s: %s\n", repair.ID, repair.Title)
					for _, file := range repair.Files {
						fmt.Fprintf(s.Out, "  %s\n", file)
					}
				}
				fmt.Fprintf(s.Out, "%s to make\n", count(len(repairs), "repair"))
				return nil
			}
			for _, id := range ids {
				if !slices.ContainsFunc(repairs, func(r assets.Repair) bool { return r.ID == id }) {
					return usagef("this project has no repair %q; `talebinder repair PROJECT` lists them", id)
				}
			}
			for _, repair := range repairs {
				if !all && !slices.Contains(ids, repair.ID) {
					continue
				}
				if err := p.Repair(repair.ID); err != nil {
					return err
				}
				fmt.Fprintf(s.Out, "Repaired: %s\n", repair.Title)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&all, "all", false, "carry out every repair")
	return c
}
