package build

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"talebinder/export"
	"talebinder/export/presets"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/platforms"
	"talebinder/project/problem"
)

// preset gives what is chosen under a name.
func (m *model) preset(name string) presets.Preset {
	p := presets.Preset{Name: name, ContentOnly: true}
	for _, c := range m.chosen() {
		p.Targets = append(p.Targets, c.target.ID)
		p.ContentOnly = p.ContentOnly && c.contentOnly
	}
	for _, profile := range m.profiles() {
		p.Profiles = append(p.Profiles, profile.String())
	}
	return p
}

// presetName proposes a name for what is chosen: "All targets, Distribution".
func (m *model) presetName() string {
	chosen := m.chosen()
	what := ui.Plural(len(chosen), "target")
	switch {
	case len(chosen) == len(platforms.Targets()):
		what = "All targets"
	case len(chosen) == 1:
		what = chosen[0].target.Name
	}
	var profiles []string
	for _, p := range m.profiles() {
		profiles = append(profiles, p.Info().Name)
	}
	return what + ", " + and(profiles)
}

// presetText says in a few words what a preset exports.
func presetText(p presets.Preset) string {
	targets, profiles, err := p.Choice()
	if err != nil {
		return "names what does not exist"
	}
	what := "target of build.json"
	switch n := len(targets); {
	case n == len(platforms.Targets()):
		what = "all targets"
	case n == 1:
		what = targets[0].Name
	case n > 1:
		what = ui.Plural(n, "target")
	}
	var names []string
	for _, profile := range profiles {
		names = append(names, profile.Info().Name)
	}
	if len(names) > 0 {
		what += " · " + and(names)
	}
	if p.ContentOnly {
		what += " · game folder only"
	}
	return what
}

// presetBatches gives what a preset exports.
func (m *model) presetBatches(p presets.Preset) ([]export.Batch, error) {
	targets, profiles, err := p.Choice()
	if err != nil {
		return nil, err
	}
	if len(targets) == 0 {
		targets = []platforms.Target{m.main()}
	}
	if len(profiles) == 0 {
		profiles = []platforms.Profile{m.current().Profile}
	}
	return []export.Batch{{Targets: targets, Profiles: profiles, ContentOnly: p.ContentOnly}}, nil
}

// renamePreset gives a preset another name. It keeps its place when only the spelling changes, and is last otherwise.
func (m *model) renamePreset(old, name string) error {
	dir := m.project().Dir
	p, err := m.presets.Find(dir, old)
	if err != nil {
		return err
	}
	p.Name = name
	if err := m.presets.Save(dir, p); err != nil || strings.EqualFold(old, name) {
		return err
	}
	return m.presets.Remove(dir, old)
}

// showPresets offers the presets of the project: to run, to rename, to remove, and to save what is chosen as another one.
func (s *screen) showPresets() {
	list, err := s.model.presets.List(s.model.project().Dir)
	if err != nil {
		s.host.Error(fmt.Errorf("presets not read: %w", err))
		return
	}
	var items []widgets.PickItem
	for _, p := range list {
		items = append(items, widgets.PickItem{Key: p.Name, Title: p.Name, Detail: presetText(p), Icon: theme.Icon(theme.IconPlay)})
	}
	s.picker = widgets.ShowPicker(s.host.Window().Canvas(), s.foot.presets, widgets.PickerOptions{
		Placeholder: "Run a preset", Items: items, Width: 480,
		EmptyTitle: "No presets yet",
		Empty:      "A preset is a choice of targets and profiles under a name, such as “Friday: all targets”. The command line knows it too, as --preset.",
		OnPick:     func(keys []string) { s.runPreset(keys[0]) },
		OnRename:   s.renamePreset,
		OnRemove:   s.removePreset,
		ExtraLabel: "Save this choice…", OnExtra: s.savePreset,
	})
}

// checkName says whether a name can be given to a preset; that of another one cannot.
func (s *screen) checkName(own string) func(string) error {
	return func(name string) error {
		if err := (presets.Preset{Name: name}).Check(); err != nil {
			return err
		}
		if p, err := s.model.presets.Find(s.model.project().Dir, name); err == nil && !strings.EqualFold(p.Name, own) {
			return fmt.Errorf("there is a preset %q already", p.Name)
		}
		return nil
	}
}

func (s *screen) savePreset() {
	s.host.Ask(ui.Question{
		Title: "Save the choice as a preset", Body: "It exports: " + presetText(s.model.preset("it")) + ".",
		Label: "Name", Text: s.model.presetName(), Verb: "Save", Check: s.checkName(""),
		OK: func(name string) {
			if err := s.model.presets.Save(s.model.project().Dir, s.model.preset(name)); err != nil {
				s.host.Error(fmt.Errorf("preset not saved: %w", err))
				return
			}
			s.host.Notify("Saved the preset " + name + ".")
		},
	})
}

func (s *screen) renamePreset(old string) {
	s.host.Ask(ui.Question{
		Title: "Rename the preset", Label: "Name", Text: old, Verb: "Rename", Check: s.checkName(old),
		OK: func(name string) {
			if err := s.model.renamePreset(old, name); err != nil {
				s.host.Error(fmt.Errorf("preset not renamed: %w", err))
			}
		},
	})
}

func (s *screen) removePreset(name string) {
	s.host.Confirm("Remove the preset?", name+"\nWhat was exported with it stays.", "Remove", func() {
		if err := s.model.presets.Remove(s.model.project().Dir, name); err != nil {
			s.host.Error(fmt.Errorf("preset not removed: %w", err))
		}
	})
}

// runPreset looks whether the builds of a preset can be made, and exports those that can.
func (s *screen) runPreset(name string) {
	s.model.left()
	p, err := s.model.presets.Find(s.model.project().Dir, name)
	var batches []export.Batch
	if err == nil {
		batches, err = s.model.presetBatches(p)
	}
	if err == nil {
		err = s.model.broken()
	}
	if err != nil {
		s.host.Error(fmt.Errorf("preset not run: %w", err))
		return
	}
	project, o := s.model.project(), s.model.options()
	found := map[exportKey]export.Readiness{}
	s.host.Go("Looking at what the preset needs", func(ctx context.Context) error {
		for _, b := range batches {
			if err := examine(ctx, project, b, o, found); err != nil {
				return err
			}
		}
		return nil
	}, func(err error) {
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				s.host.Error(err)
			}
			return
		}
		s.runReady(name, batches, found)
	})
}

// runReady exports what is ready, after asking when some is not.
func (s *screen) runReady(name string, batches []export.Batch, found map[exportKey]export.Readiness) {
	var blocked []string
	for _, b := range batches {
		for _, t := range b.Targets {
			for _, profile := range b.Profiles {
				r := found[exportKey{t.ID, profile, b.ContentOnly}]
				if r.State == export.NotReady {
					blocked = append(blocked, t.Name+", "+profile.Info().Name+": "+firstError(r))
				}
			}
		}
	}
	rest := len(found) - len(blocked)
	switch {
	case len(blocked) == 0:
		s.startPreset(batches, nil)
	case rest == 0:
		s.host.Error(errors.New("preset not run: nothing of " + name + " can be exported.\n" + strings.Join(blocked, "\n")))
	default:
		title := fmt.Sprintf("%d of %s cannot be exported", len(blocked), ui.Plural(len(found), "build"))
		s.host.Confirm(title, strings.Join(blocked, "\n"), "Export the other "+strconv.Itoa(rest), func() {
			s.startPreset(batches, func(j *export.Build) bool {
				return found[exportKey{j.Target(), j.Profile(), j.ContentOnly()}].State == export.NotReady
			})
		})
	}
}

// firstError is what stands in the way of an export first, in short.
func firstError(r export.Readiness) string {
	for _, c := range r.Checks {
		if c.Level == problem.Error {
			short, _, _ := strings.Cut(c.Message, ". ")
			return short
		}
	}
	return ""
}

func (s *screen) startPreset(batches []export.Batch, skip func(*export.Build) bool) {
	rows, err := s.model.startBatches(batches, skip)
	if err != nil {
		s.host.Error(err)
		return
	}
	s.host.Workspace().Changed(ui.QueueChanged)
	s.host.Show(ui.ScreenExports, strconv.Itoa(rows[0].ID()))
}
