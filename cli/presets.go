package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"talebinder/export/presets"
	"talebinder/project"
)

func presetsCommand(s Streams) *cobra.Command {
	var chosen choice
	var all, contentOnly, asJSON bool
	c := &cobra.Command{
		Use:   "presets PROJECT [list | save NAME | remove NAME]",
		Short: "List, save or remove named choices of what to export",
		Long: "A preset is a choice of targets and profiles that `talebinder export PROJECT --preset NAME` exports in one go. Presets belong to you\n" +
			"and this computer and are not written into the project.",
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return usagef("PROJECT is missing")
			case len(args) == 1:
				return nil
			case args[1] == "list":
				if len(args) > 2 {
					return usagef("%q is one argument too many", args[2])
				}
				return nil
			case args[1] != "save" && args[1] != "remove":
				return usagef("unknown action %q, expected list, save or remove", args[1])
			case len(args) == 2:
				return usagef("NAME is missing")
			case len(args) > 3:
				return usagef("%q is one argument too many", args[3])
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			dir, err := project.Find(args[0])
			if err != nil {
				return err
			}
			action, store := "list", presets.Default()
			if len(args) > 1 {
				action = args[1]
			}
			if action != "save" && (all || contentOnly || len(chosen.targets)+len(chosen.profiles) > 0) {
				return usagef("--target, --profile, --all and --content-only go with save")
			}
			switch action {
			case "save":
				targets, profiles, err := chosen.batch(all)
				if err != nil {
					return err
				}
				p := presets.Preset{Name: args[2], ContentOnly: contentOnly, Targets: []string{}, Profiles: []string{}}
				for _, t := range targets {
					p.Targets = append(p.Targets, t.ID)
				}
				for _, profile := range profiles {
					p.Profiles = append(p.Profiles, profile.String())
				}
				if err := p.Check(); err != nil {
					return usageError{err}
				}
				return store.Save(dir, p)
			case "remove":
				return store.Remove(dir, args[2])
			}
			list, err := store.List(dir)
			if err != nil {
				return err
			}
			if asJSON {
				if list == nil {
					list = []presets.Preset{}
				}
				return printJSON(s.Out, struct {
					Presets []presets.Preset `json:"presets"`
				}{list})
			}
			return printPresets(s.Out, list)
		},
	}
	chosen.addTo(c.Flags(), "what to export for, the target of build.json when none is named", "the profile, that of build.json when none is named")
	c.Flags().BoolVar(&all, "all", false, "every target")
	c.Flags().BoolVar(&contentOnly, "content-only", false, "make the game folders without a player around them")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

func printPresets(w io.Writer, list []presets.Preset) error {
	for _, p := range list {
		parts := []string{"the target of build.json", "the profile of build.json"}
		if len(p.Targets) > 0 {
			parts[0] = strings.Join(p.Targets, " ")
		}
		if len(p.Profiles) > 0 {
			parts[1] = strings.Join(p.Profiles, " ")
		}
		if p.ContentOnly {
			parts = append(parts, "game folder only")
		}
		if _, err := fmt.Fprintf(w, "%s: %s\n", p.Name, strings.Join(parts, ", ")); err != nil {
			return err
		}
	}
	if len(list) == 0 {
		fmt.Fprintln(w, "No presets")
	}
	return nil
}
