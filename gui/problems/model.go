// Package problems is the screen that lists what is wrong with a project, with what to do about each of it.
package problems

import (
	"fmt"
	"slices"
	"strings"

	"talebinder/gui/ui"
	"talebinder/project"
	"talebinder/project/assets"
	"talebinder/project/problem"
)

// A filter says which problems are shown.
type filter int

const (
	everything filter = iota
	onlyErrors
	onlyWarnings
	onlyNotes
)

// model is the list behind the screen.
type model struct {
	all    []problem.Problem
	shown  []problem.Problem
	filter filter
	query  string
}

func (m *model) set(all []problem.Problem) { m.all = all; m.choose() }

func (m *model) setFilter(f filter) { m.filter = f; m.choose() }

func (m *model) setQuery(q string) { m.query = q; m.choose() }

// choose takes what filter and query ask for; every word of the query has to occur in message, file, hint or code.
func (m *model) choose() {
	words := strings.Fields(strings.ToLower(m.query))
	m.shown = nil
	for _, p := range m.all {
		switch {
		case m.filter == onlyErrors && p.Level != problem.Error,
			m.filter == onlyWarnings && p.Level != problem.Warning,
			m.filter == onlyNotes && p.Level != problem.Info:
			continue
		}
		text := strings.ToLower(p.Message + "\n" + p.File + "\n" + p.Hint + "\n" + p.Code)
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			m.shown = append(m.shown, p)
		}
	}
}

// counts gives the number of errors, warnings and notes.
func (m *model) counts() (errors, warnings, notes int) {
	for _, p := range m.all {
		switch p.Level {
		case problem.Error:
			errors++
		case problem.Warning:
			warnings++
		default:
			notes++
		}
	}
	return errors, warnings, notes
}

// badge is what the side bar shows: errors and warnings together, nothing when there are none.
func (m *model) badge() string {
	errors, warnings, _ := m.counts()
	if errors+warnings == 0 {
		return ""
	}
	return ui.Count(int64(errors + warnings))
}

// labels gives the words of the filter, with counts.
func (m *model) labels() []string {
	e, w, n := m.counts()
	return []string{
		fmt.Sprintf("All %s", ui.Count(int64(len(m.all)))), ui.Plural(e, "error"), ui.Plural(w, "warning"), ui.Plural(n, "note"),
	}
}

// find gives the index of a shown problem like p, or -1.
func (m *model) find(p problem.Problem) int { return slices.Index(m.shown, p) }

// place writes where a problem is: file, line and column as far as they are known.
func place(p problem.Problem) string {
	switch {
	case p.File == "":
		return ""
	case p.Line == 0:
		return p.File
	case p.Column == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// text writes a problem for the clipboard.
func text(p problem.Problem) string {
	out := p.Level.String() + ": " + p.String()
	if p.Hint != "" {
		out += "\n  hint: " + p.Hint
	}
	return out
}

// repairOf gives the repair of a problem.
func repairOf(all []assets.Repair, p problem.Problem) (assets.Repair, bool) {
	if p.Repair == "" {
		return assets.Repair{}, false
	}
	i := slices.IndexFunc(all, func(r assets.Repair) bool { return r.ID == p.Repair })
	if i < 0 {
		return assets.Repair{}, false
	}
	return all[i], true
}

// repairAll gives the repair that does all others, if there is one.
func repairAll(all []assets.Repair) (assets.Repair, bool) {
	i := slices.IndexFunc(all, func(r assets.Repair) bool { return r.ID == assets.AllMetas })
	if i < 0 {
		return assets.Repair{}, false
	}
	return all[i], true
}

// countReferences counts the references between the assets of a project.
func countReferences(d *assets.Database) int {
	n := 0
	for _, a := range d.All() {
		n += len(d.Targets(a))
	}
	return n
}

// checks says what has been looked at and found right, for a project without problems.
func checks(p *project.Project, references int) []string {
	out := []string{"The settings of the game and of the build can be read"}
	if p.Game.StartScene.Name == project.SceneFile {
		out = append(out, "The start scene exists")
	}
	if p.Build != nil {
		if n := len(p.Build.Settings().Scenes); n > 0 {
			out = append(out, ui.Plural(n, "scene")+" of the build found")
		}
	}
	if p.Assets != nil {
		out = append(out, ui.Plural(p.Assets.Len(), "asset")+" with a .meta file in order", ui.Plural(references, "reference")+", all of them lead somewhere")
	}
	if p.Plugins != nil {
		if n := len(p.Plugins.All()); n > 0 {
			out = append(out, ui.Plural(n, "plugin")+" can be loaded")
		}
	}
	return out
}
