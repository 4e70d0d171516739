package export

import (
	"path/filepath"

	"talebinder/platforms"
	"talebinder/project"
)

// A Batch is several builds of a project in one go: every target in every profile.
type Batch struct {
	Targets     []platforms.Target  // none stands for the one of the options, or of build.json
	Profiles    []platforms.Profile // none stands for the one of the options, or of build.json
	ContentOnly bool                // make the game folders only
}

// Jobs prepares the builds: the profiles of the first target, then those of the next one. They differ from the options in target
// and profile. Builds of several profiles have the same names, so each profile gets a folder of its own, named after its id,
// below the output folder. Builds that run at the same time pack their content once.
func (b Batch) Jobs(p *project.Project, options BuildOptions) ([]*Build, error) {
	targets, profiles := b.Targets, b.Profiles
	if len(targets) == 0 {
		targets = []platforms.Target{{ID: options.Target}}
	}
	options.ContentOnly = options.ContentOnly || b.ContentOnly
	options.shared = newSharedPacks()
	output := options.Output
	var jobs []*Build
	for _, target := range targets {
		options.Target = target.ID
		if len(profiles) == 0 {
			job, err := NewBuild(p, options)
			if err != nil {
				return nil, err
			}
			jobs = append(jobs, job)
			continue
		}
		for _, profile := range profiles {
			options.Profile = &profile
			if len(profiles) > 1 {
				root, err := OutputRoot(p.Dir, p.Build.Settings().OutputFolder, output)
				if err != nil {
					return nil, err
				}
				options.Output = filepath.Join(root, profile.String())
			}
			job, err := NewBuild(p, options)
			if err != nil {
				return nil, err
			}
			jobs = append(jobs, job)
		}
	}
	return jobs, nil
}

// Command gives the words of the command line that makes the same builds.
func (b Batch) Command(p *project.Project, options BuildOptions) []string {
	words := []string{"talebinder", "export", p.Dir}
	switch {
	case len(b.Targets) == len(platforms.Targets()):
		words = append(words, "--all")
	case len(b.Targets) == 0 && options.Target != "":
		words = append(words, "--target", options.Target)
	}
	for _, t := range b.Targets {
		if len(b.Targets) < len(platforms.Targets()) {
			words = append(words, "--target", t.ID)
		}
	}
	if len(b.Profiles) == 0 && options.Profile != nil {
		words = append(words, "--profile", options.Profile.String())
	}
	for _, profile := range b.Profiles {
		words = append(words, "--profile", profile.String())
	}
	options.ContentOnly = options.ContentOnly || b.ContentOnly
	return append(words, options.words()...)
}
