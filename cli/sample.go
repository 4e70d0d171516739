package cli

import (
	"fmt"
	"path/filepath"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"talebinder/examples"
)

func sampleCommand(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "sample [FOLDER]",
		Short: "Put the sample game into FOLDER, else into the user's data folder, and print where it is",
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
			dir, err := examples.Extract(parent)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(s.Out, dir)
			return err
		},
	}
}
