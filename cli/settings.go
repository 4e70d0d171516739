package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"talebinder/formats/assetpath"
	"talebinder/platforms"
	"talebinder/project"
	"talebinder/project/problem"
)

// settingNames lists what --set and --unset take, as build.json names it, in the order of the file.
var settingNames = [...]string{"target", "profile", "outputFolder", "version", "executableName", "icon", "bundleIdentifier", "compress"}

func settingsCommand(s Streams) *cobra.Command {
	var edits settingEdits
	var force bool
	c := &cobra.Command{
		Use:   "settings PROJECT",
		Short: "Print a project's build settings, or change them where they are stored, in build.json",
		Long: "Prints build.json as the engine would write it. With options that change something, only the values that they name\n" +
			"change in the file; comments, order and formatting of everything else stay.",
		Args: exactly("PROJECT"),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := openProject(c.Context(), args[0])
			if err != nil {
				return err
			}
			if err := p.Build.Err(); err != nil {
				return err
			}
			if !edits.any() {
				_, err := s.Out.Write(p.Build.Settings().Text())
				return err
			}
			if err := p.Build.Change("Settings from the command line", "", func(b *project.BuildSettings) { err = edits.apply(b) }); err != nil {
				return err
			}
			if err != nil {
				return err
			}
			refused := false
			for _, found := range p.ValidateBuild(p.Build.Settings()) {
				if found.Level == problem.Info {
					continue
				}
				refused = refused || found.Level == problem.Error
				fmt.Fprintf(s.Err, "%s: %s: %s\n", found.Level, found.Field, found.Message)
				if found.Hint != "" {
					fmt.Fprintf(s.Err, "  %s\n", found.Hint)
				}
			}
			if refused && !force {
				fmt.Fprintln(s.Err, "build.json was left as it was; --force saves settings with errors")
				return errReported
			}
			return p.Build.Save()
		},
	}
	f := c.Flags()
	f.StringArrayVar(&edits.set, "set", nil, "NAME=VALUE, where NAME is "+strings.Join(settingNames[:], ", "))
	f.StringArrayVar(&edits.unset, "unset", nil, "NAME: go back to the default")
	f.StringArrayVar(&edits.addScenes, "add-scene", nil, "PATH: ship this scene, as the last of the list")
	f.StringArrayVar(&edits.removeScenes, "remove-scene", nil, "PATH: take this scene off the list")
	f.StringArrayVar(&edits.enableScenes, "enable-scene", nil, "PATH: tick this scene")
	f.StringArrayVar(&edits.disableScenes, "disable-scene", nil, "PATH: untick this scene, it stays in the list")
	f.StringArrayVar(&edits.moveScenes, "move-scene", nil, "PATH=POSITION: move this scene, the first position is 1")
	f.StringArrayVar(&edits.include, "include", nil, "always include this file, folder or label:NAME")
	f.StringArrayVar(&edits.exclude, "exclude", nil, "no longer always include this entry")
	f.BoolVar(&force, "force", false, "save settings that have errors too")
	return c
}

type settingEdits struct {
	set, unset                                                       []string
	addScenes, removeScenes, enableScenes, disableScenes, moveScenes []string
	include, exclude                                                 []string
}

func (e *settingEdits) any() bool {
	for _, list := range [][]string{e.set, e.unset, e.addScenes, e.removeScenes, e.enableScenes, e.disableScenes, e.moveScenes, e.include, e.exclude} {
		if len(list) > 0 {
			return true
		}
	}
	return false
}

// apply makes the edits in a fixed order: values, scenes away, scenes in, ticks, moves, includes.
func (e *settingEdits) apply(b *project.BuildSettings) error {
	for _, assignment := range e.set {
		name, value, found := strings.Cut(assignment, "=")
		if !found {
			return usagef("--set takes NAME=VALUE, found %q", assignment)
		}
		if err := setSetting(b, name, &value); err != nil {
			return err
		}
	}
	for _, name := range e.unset {
		if err := setSetting(b, name, nil); err != nil {
			return err
		}
	}
	for _, path := range e.removeScenes {
		i, err := sceneIndex(b, path)
		if err != nil {
			return err
		}
		b.Scenes = slices.Delete(b.Scenes, i, i+1)
	}
	for _, path := range e.addScenes {
		clean, err := assetpath.Normalize(path)
		if err != nil {
			return usageError{err}
		}
		if _, err := sceneIndex(b, clean); err == nil {
			return usagef("scene %q is in the list already", clean)
		}
		b.Scenes = append(b.Scenes, project.SceneEntry{Path: clean, Enabled: true})
	}
	tick := func(paths []string, enabled bool) error {
		for _, path := range paths {
			i, err := sceneIndex(b, path)
			if err != nil {
				return err
			}
			b.Scenes[i].Enabled = enabled
		}
		return nil
	}
	if err := tick(e.enableScenes, true); err != nil {
		return err
	}
	if err := tick(e.disableScenes, false); err != nil {
		return err
	}
	for _, move := range e.moveScenes {
		path, text, _ := strings.Cut(move, "=")
		position, err := strconv.Atoi(text)
		if err != nil || position < 1 || position > len(b.Scenes) {
			return usagef("--move-scene takes PATH=POSITION with a position from 1 to %d, found %q", len(b.Scenes), move)
		}
		i, err := sceneIndex(b, path)
		if err != nil {
			return err
		}
		scene := b.Scenes[i]
		b.Scenes = slices.Insert(slices.Delete(b.Scenes, i, i+1), position-1, scene)
	}
	for _, entry := range e.include {
		if slices.Contains(b.AlwaysInclude, entry) {
			return usagef("%q is included already", entry)
		}
		b.AlwaysInclude = append(b.AlwaysInclude, entry)
	}
	for _, entry := range e.exclude {
		i := slices.Index(b.AlwaysInclude, entry)
		if i < 0 {
			return usagef("%q is not in the list of what is always included", entry)
		}
		b.AlwaysInclude = slices.Delete(b.AlwaysInclude, i, i+1)
	}
	return nil
}

func sceneIndex(b *project.BuildSettings, path string) (int, error) {
	i := slices.IndexFunc(b.Scenes, func(s project.SceneEntry) bool {
		clean, err := assetpath.Normalize(s.Path)
		return s.Path == path || err == nil && clean == path
	})
	if i < 0 {
		return 0, usagef("scene %q is not in the list", path)
	}
	return i, nil
}

// setSetting gives a setting a value as text, or its default when value is nil.
func setSetting(b *project.BuildSettings, name string, value *string) error {
	defaults := project.DefaultBuildSettings()
	text := func(field *string, fallback string) {
		*field = fallback
		if value != nil {
			*field = *value
		}
	}
	switch name {
	case "target":
		b.Target = value
	case "profile":
		b.Profile = defaults.Profile
		if value != nil {
			profile, ok := platforms.ParseProfile(*value)
			if !ok {
				return usagef("unknown profile %q, expected development, release or distribution", *value)
			}
			b.Profile = profile
		}
	case "outputFolder":
		text(&b.OutputFolder, defaults.OutputFolder)
	case "version":
		text(&b.Version, defaults.Version)
	case "executableName":
		b.ExecutableName = value
	case "icon":
		b.Icon = value
	case "bundleIdentifier":
		b.BundleIdentifier = value
	case "compress":
		b.Compress = defaults.Compress
		if value != nil {
			compress, err := strconv.ParseBool(*value)
			if err != nil {
				return usagef("compress is true or false, found %q", *value)
			}
			b.Compress = compress
		}
	default:
		return usagef("unknown setting %q, expected one of %s", name, strings.Join(settingNames[:], ", "))
	}
	return nil
}
