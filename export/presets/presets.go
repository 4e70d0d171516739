// Package presets keeps named choices of what to export, such as "Friday: all targets, distribution". They belong to a person
// and a project, and are kept with the program's settings and not in the project.
package presets

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"talebinder/export/folders"
	"talebinder/export/internal/perproject"
	"talebinder/platforms"
)

// A Preset names targets and profiles. All of the targets are exported in all of the profiles.
type Preset struct {
	Name        string   `json:"name"`
	Targets     []string `json:"targets"`               // ids; none stands for the target of build.json
	Profiles    []string `json:"profiles"`              // ids; none stands for the profile of build.json
	ContentOnly bool     `json:"contentOnly,omitempty"` // make the game folders only
}

// longestName is the most characters that a name may have.
const longestName = 80

// Check says what is wrong with a preset.
func (p Preset) Check() error {
	switch {
	case p.Name == "" || strings.TrimSpace(p.Name) != p.Name:
		return fmt.Errorf("the preset's name %q is empty, or has spaces around it", p.Name)
	case utf8.RuneCountInString(p.Name) > longestName:
		return fmt.Errorf("the preset's name has more than %d characters", longestName)
	case strings.ContainsFunc(p.Name, unicode.IsControl) || !utf8.ValidString(p.Name):
		return fmt.Errorf("the preset's name %q has characters that cannot be shown", p.Name)
	}
	for _, id := range p.Targets {
		if _, ok := platforms.TargetByID(id); !ok {
			return fmt.Errorf("the preset %q names the target %q, which does not exist", p.Name, id)
		}
	}
	for _, id := range p.Profiles {
		if _, ok := platforms.ParseProfile(id); !ok {
			return fmt.Errorf("the preset %q names the profile %q, which does not exist", p.Name, id)
		}
	}
	return nil
}

// Choice gives the targets and profiles, each once, in the order in which the preset names them.
func (p Preset) Choice() (targets []platforms.Target, profiles []platforms.Profile, err error) {
	if err := p.Check(); err != nil {
		return nil, nil, err
	}
	for _, id := range p.Targets {
		if t, _ := platforms.TargetByID(id); !slices.Contains(targets, t) {
			targets = append(targets, t)
		}
	}
	for _, id := range p.Profiles {
		if profile, _ := platforms.ParseProfile(id); !slices.Contains(profiles, profile) {
			profiles = append(profiles, profile)
		}
	}
	return targets, profiles, nil
}

// A Store holds the presets of all projects in a file.
type Store struct{ file perproject.File[[]Preset] }

// Open gives the presets in a file, which need not exist yet.
func Open(path string) Store { return Store{perproject.New[[]Preset](path)} }

// Default are the presets in the program's configuration folder.
func Default() Store { return Open(filepath.Join(folders.Config(), "presets.json")) }

// List gives the presets of a project in the order in which they were saved first.
func (s Store) List(project string) ([]Preset, error) { return s.file.Get(project) }

// A NotFoundError says that a project has no preset of a name.
type NotFoundError struct {
	Name string
	Have []string // the names that there are
}

// Error names what there is instead.
func (e *NotFoundError) Error() string {
	if len(e.Have) == 0 {
		return fmt.Sprintf("there is no preset %q: this project has none", e.Name)
	}
	return fmt.Sprintf("there is no preset %q, but %s", e.Name, strings.Join(e.Have, ", "))
}

// find gives the place of a name in a list, ignoring case.
func find(list []Preset, name string) int {
	return slices.IndexFunc(list, func(p Preset) bool { return strings.EqualFold(p.Name, name) })
}

func notFound(list []Preset, name string) error {
	e := &NotFoundError{Name: name}
	for _, p := range list {
		e.Have = append(e.Have, fmt.Sprintf("%q", p.Name))
	}
	return e
}

// Find gives the preset of a name, ignoring case. The error is a *NotFoundError, or says that the file cannot be read.
func (s Store) Find(project, name string) (Preset, error) {
	list, err := s.List(project)
	if err != nil {
		return Preset{}, err
	}
	if i := find(list, name); i >= 0 {
		return list[i], nil
	}
	return Preset{}, notFound(list, name)
}

// Save keeps a preset in the place of the one of the same name, ignoring case, or behind the others.
func (s Store) Save(project string, p Preset) error {
	if err := p.Check(); err != nil {
		return err
	}
	return s.file.Change(project, func(list []Preset) ([]Preset, bool) {
		if i := find(list, p.Name); i >= 0 {
			list[i] = p
		} else {
			list = append(list, p)
		}
		return list, true
	})
}

// Remove takes the preset of a name away, ignoring case. The error is a *NotFoundError when there is none.
func (s Store) Remove(project, name string) error {
	var missing error
	err := s.file.Change(project, func(list []Preset) ([]Preset, bool) {
		i := find(list, name)
		if i < 0 {
			missing = notFound(list, name)
			return list, len(list) > 0
		}
		list = slices.Delete(list, i, i+1)
		return list, len(list) > 0
	})
	if err != nil {
		return err
	}
	return missing
}
