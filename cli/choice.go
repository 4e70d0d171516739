package cli

import (
	"slices"

	"github.com/spf13/pflag"

	"talebinder/platforms"
)

// choice is what --target, repeated, and --profile, repeated, choose.
type choice struct {
	targets, profiles []string
}

// addTo adds the options to a command's flags.
func (c *choice) addTo(flags *pflag.FlagSet, targetUse, profileUse string) {
	flags.StringArrayVar(&c.targets, "target", nil, targetUse+": "+targetIDs()+"; may be repeated")
	flags.StringArrayVar(&c.profiles, "profile", nil, profileUse+": development, release or distribution; may be repeated")
}

// read gives the targets and profiles in the order in which they were named, each once.
func (c *choice) read() (targets []platforms.Target, profiles []platforms.Profile, err error) {
	for _, name := range c.targets {
		t, ok := platforms.TargetByID(name)
		if !ok {
			return nil, nil, usagef("unknown target %q, expected %s", name, targetIDs())
		}
		if !slices.Contains(targets, t) {
			targets = append(targets, t)
		}
	}
	for _, name := range c.profiles {
		p, ok := platforms.ParseProfile(name)
		if !ok {
			return nil, nil, usagef("unknown profile %q, expected development, release or distribution", name)
		}
		if !slices.Contains(profiles, p) {
			profiles = append(profiles, p)
		}
	}
	return targets, profiles, nil
}

// batch is read, with every target when all is set.
func (c *choice) batch(all bool) ([]platforms.Target, []platforms.Profile, error) {
	if all && len(c.targets) > 0 {
		return nil, nil, usagef("--all and --target exclude each other")
	}
	targets, profiles, err := c.read()
	if all {
		targets = platforms.Targets()
	}
	return targets, profiles, err
}
