package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"talebinder/export"
	"talebinder/export/words"
	"talebinder/project/problem"
)

func verifyCommand(s Streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "verify BUILD",
		Short: "Open a build as the player does, and list what is missing or damaged",
		Long: "BUILD is a build folder, also of an application bundle for macOS, a game folder, or a content pack. The launcher, the game folder,\n" +
			"the pack with each of its entries, the index, the start scene, what scenes and other assets refer to, and the files beside the\n" +
			"pack are looked at. The build may have been made by the engine.",
		Args: exactly("BUILD"),
		RunE: func(c *cobra.Command, args []string) error {
			v, err := export.VerifyBuild(c.Context(), args[0], nil)
			if err != nil {
				return err
			}
			problems := problem.Merge(v.Problems)
			if asJSON {
				if problems == nil {
					problems = []problem.Problem{}
				}
				err = printJSON(s.Out, struct {
					Problems []problem.Problem `json:"problems"`
					Assets   int               `json:"assets"`
					Bytes    int64             `json:"bytes"`
				}{problems, v.Assets, v.Bytes})
			} else {
				err = printVerification(s, args[0], v, problems)
			}
			if err != nil {
				return err
			}
			return errorIfAny(problems)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

func printVerification(s Streams, path string, v *export.Verification, problems []problem.Problem) error {
	title := v.Build.Kind.String()
	if v.Title != "" {
		title += " of " + v.Title
	}
	fmt.Fprintf(s.Out, "%s: %s, %s, %s once decompressed\n", path, title, files(v.Assets), words.Size(v.Bytes))
	if len(problems) == 0 {
		_, err := fmt.Fprintln(s.Out, "All well")
		return err
	}
	return printProblems(s.Out, problems)
}
