package cli

import (
	"fmt"
	"path/filepath"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"talebinder/examples"
)

func sampleCommand(s Streams) *cobra.Command {
	var font bool
	c := &cobra.Command{
		Use:   "sample [FOLDER]",
		Short: "Put the sample game or font into FOLDER, else into the user's data folder, and print where it is",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("%q is one argument too many", args[1])
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			parent := filepath.Join(xdg.DataHome, "talebinder")
			if len(args) == 1 {
				parent = args[0]
			}
			extract := examples.Extract
			if font {
				extract = examples.ExtractFont
			}
			dir, err := extract(parent)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(s.Out, dir)
			return err
		},
	}
	c.Flags().BoolVar(&font, "font", false, "the sample font instead of the game")
	return c
}
