// Package readiness is the screen that says for every target whether an export of the open project would go through, what
// stands in its way, and what to do about it.
package readiness

import (
	"strings"

	"talebinder/export"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/platforms"
	"talebinder/project/problem"
)

// look is the icon and the tone of a state. Every state has an icon of its own, so that colour is never the only difference.
func look(s export.ReadyState) (theme.IconName, widgets.Tone) {
	switch s {
	case export.Ready:
		return theme.IconSuccess, widgets.Success
	case export.ReadyWithLimits:
		return theme.IconProblems, widgets.Warning
	}
	return theme.IconFailed, widgets.Danger
}

// levelLook is the icon and the tone of a check.
func levelLook(l problem.Level) (theme.IconName, widgets.Tone) {
	switch l {
	case problem.Error:
		return theme.IconError, widgets.Danger
	case problem.Warning:
		return theme.IconProblems, widgets.Warning
	}
	return theme.IconCheck, widgets.Success
}

// counts gives the number of errors, warnings and good points of a target.
func counts(r export.Readiness) (errors, warnings, fine int) {
	for _, c := range r.Checks {
		switch c.Level {
		case problem.Error:
			errors++
		case problem.Warning:
			warnings++
		default:
			fine++
		}
	}
	return errors, warnings, fine
}

// brief is what the list says about a target: the worst of it in one line.
func brief(r export.Readiness) string {
	for _, level := range []problem.Level{problem.Error, problem.Warning} {
		n, first := 0, ""
		for _, c := range r.Checks {
			if c.Level == level {
				if n == 0 {
					short, _, _ := strings.Cut(c.Message, ". ")
					first = ui.Sentence(short)
				}
				n++
			}
		}
		switch {
		case n == 1:
			return first
		case n > 1:
			noun := map[problem.Level]string{problem.Error: "error", problem.Warning: "warning"}[level]
			return ui.Plural(n, noun) + ". " + first
		}
	}
	return "Everything that an export needs is there."
}

// headline says in a sentence what an export for a target would come to.
func headline(r export.Readiness) string {
	errors, warnings, _ := counts(r)
	what := "A " + strings.ToLower(r.Profile.Info().Name) + " build for " + r.Target.Name
	if r.ContentOnly {
		what = "The game folder for " + r.Target.Name
	}
	switch r.State {
	case export.Ready:
		return what + " can be exported."
	case export.ReadyWithLimits:
		return what + " can be exported, with " + ui.Plural(warnings, "warning") + "."
	}
	return what + " cannot be exported: " + ui.Plural(errors, "error") + "."
}

// groups sorts the checks of a target by how bad they are, each group in the order of the export.
func groups(r export.Readiness) []group {
	all := []group{{title: "Stands in the way"}, {title: "Does not stand in the way"}, {title: "In order"}}
	for _, c := range r.Checks {
		i := 2
		switch c.Level {
		case problem.Error:
			i = 0
		case problem.Warning:
			i = 1
		}
		all[i].checks = append(all[i].checks, c)
	}
	var some []group
	for _, g := range all {
		if len(g.checks) > 0 {
			some = append(some, g)
		}
	}
	return some
}

type group struct {
	title  string
	checks []export.Check
}

// summary counts the targets that can be exported.
func summary(all []export.Readiness) string {
	ready, limits := 0, 0
	for _, r := range all {
		switch r.State {
		case export.Ready:
			ready++
		case export.ReadyWithLimits:
			limits++
		}
	}
	switch {
	case len(all) == 0:
		return ""
	case ready == len(all):
		return "All targets are ready"
	case ready+limits == 0:
		return "No target is ready"
	case limits > 0:
		return ui.Count(int64(ready+limits)) + " of " + ui.Plural(len(all), "target") + " can be exported, " + ui.Count(int64(limits)) + " with limits"
	}
	return ui.Count(int64(ready)) + " of " + ui.Plural(len(all), "target") + " are ready"
}

// text writes a target's checks for the clipboard.
func text(r export.Readiness) string {
	var b strings.Builder
	b.WriteString(r.Target.Name + ", " + r.Profile.Info().Name + ": " + r.State.String() + "\n")
	for _, c := range r.Checks {
		b.WriteString("  " + c.Level.String() + ": " + c.String() + "\n")
		if c.Hint != "" {
			b.WriteString("    hint: " + c.Hint + "\n")
		}
		if len(c.Fix.Command) > 0 {
			b.WriteString("    " + ui.CommandLine(c.Fix.Command) + "\n")
		}
	}
	return b.String()
}

// place writes where a check points to.
func place(c export.Check) string {
	return strings.TrimSuffix(export.Entry{File: c.File, Line: c.Line, Column: c.Column}.String(), ": ")
}

func profileNames() []string {
	var names []string
	for _, p := range platforms.Profiles() {
		names = append(names, p.Name)
	}
	return names
}
