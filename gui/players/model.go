// Package players is the screen of the players that games are exported with: which are there for every target and profile,
// where they come from, and what to do about those that are not.
package players

import (
	"errors"
	"slices"
	"strings"

	"talebinder/export/players"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/platforms"
)

// state is how it stands with a player.
type state uint8

const (
	missing state = iota
	damaged
	outdated
	found
)

// line is one player: of a target, for the profiles that share it.
type line struct {
	players.Status
	profiles []platforms.Profile
}

// linesOf puts the profiles that share a player together.
func linesOf(all []players.Status) []line {
	var lines []line
	at := map[string]int{}
	for _, s := range all {
		i, ok := at[s.Key]
		if !ok {
			i = len(lines)
			at[s.Key] = i
			lines = append(lines, line{Status: s})
		}
		lines[i].profiles = append(lines[i].profiles, s.Profile)
	}
	return lines
}

func (l line) state() state {
	switch {
	case l.Player == nil:
		return missing
	case l.Err != nil:
		return damaged
	case l.Player.Outdated:
		return outdated
	}
	return found
}

// word says in a word or two how it stands with the player, and how bad that is.
func (l line) word() (string, widgets.Tone) {
	switch l.state() {
	case missing:
		return "Not found", widgets.Neutral // it may not be needed
	case damaged:
		return "Cannot be used", widgets.Danger
	case outdated:
		return "Out of date", widgets.Notice
	}
	return "Found", widgets.Success
}

// profileNames gives the profiles in words: "Release and Distribution".
func (l line) profileNames() string {
	var names []string
	for _, p := range l.profiles {
		names = append(names, p.Info().Name)
	}
	return strings.Join(names, " and ")
}

func (l line) title() string { return l.Target.Name + " · " + l.profileNames() }

// purpose says what the player is for.
func (l line) purpose() string {
	noun := "profile"
	if len(l.profiles) > 1 {
		noun = "profiles"
	}
	return "For builds for " + l.Target.Name + " with the " + noun + " " + l.profileNames() + "."
}

// version is the version of a player in words; empty when it does not say.
func (l line) version() string {
	if l.Version != "" && l.Product != "" {
		return l.Version + " (" + l.Product + ")"
	}
	return l.Version
}

// brief is what the list says about a player.
func (l line) brief() string {
	if l.Player == nil {
		return l.Key
	}
	var parts []string
	for _, part := range []string{l.version(), l.Runtime, l.Player.Source} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " · ")
}

// A fact is a line of what is known about a player.
type fact struct{ name, value string }

func (l line) facts() []fact {
	if l.Player == nil {
		return nil
	}
	facts := []fact{{"Comes from", l.Player.Source}}
	version := l.version()
	if version == "" && l.Err == nil {
		version = "It does not say"
	}
	if version != "" {
		facts = append(facts, fact{"Version", version})
	}
	if l.Runtime != "" {
		facts = append(facts, fact{"Runtime", l.Runtime})
	}
	if l.Files > 0 {
		facts = append(facts, fact{"Size", ui.Size(l.Size) + " in " + ui.Plural(l.Files, "file")})
	}
	if !l.Changed.IsZero() {
		facts = append(facts, fact{"Made", l.Changed.Format("2 January 2006, 15:04")})
	}
	return facts
}

// looked lists where a missing player was looked for, with what was wrong at each place.
func (l line) looked() []string {
	var not *players.NotFoundError
	if l.Player == nil && errors.As(l.Err, &not) {
		return not.Looked
	}
	return nil
}

// trouble is what is wrong with a player that is there; empty when nothing is.
func (l line) trouble() string {
	if l.Player == nil || l.Err == nil {
		return ""
	}
	return ui.Sentence(l.Err.Error())
}

// An action is something that the person can do about a player.
type action uint8

const (
	publish action = iota
	chooseFolder
	chooseSources
)

// advice says what to do about a player, with the actions that do it, the best one first.
func (l line) advice() (text string, actions []action) {
	noSources := errors.Is(l.CannotBe, players.ErrNoSources)
	switch l.state() {
	case missing:
		switch {
		case l.Checkout != nil:
			return "It can be published here from the engine's sources. That takes a few minutes, and only the first time.",
				[]action{publish, chooseFolder}
		case noSources:
			return "Choose a players folder with a folder " + l.Key + " in it, or the engine's sources to publish the player from.",
				[]action{chooseFolder, chooseSources}
		}
		return "The engine's sources are here, but nothing that builds them. " + ui.Sentence(l.CannotBe.Error()), []action{chooseFolder}
	case damaged:
		if l.Player.Source == players.Published {
			return "Remove its folder, then publish the player again.", nil
		}
		return "Put another player in its place, or choose another players folder.", []action{chooseFolder}
	case outdated:
		if l.Checkout != nil {
			return "The engine's sources have changed since it was published. Exports go on using it until it is published again.", []action{publish}
		}
		return "The sources that it was published from are not at hand. Exports use it all the same.", nil
	}
	return "", nil
}

// command is the command line that publishes the player.
func (l line) command() []string {
	return []string{"talebinder", "players", "publish", "--target", l.Target.ID, "--profile", l.Profile.String()}
}

// publishable says that publishing would give a player that is missing or out of date.
func (l line) publishable() bool {
	return l.Checkout != nil && (l.state() == missing || l.state() == outdated)
}

// model is the list behind the screen.
type model struct {
	lines    []line
	known    bool // the players have been looked for
	selected string
	checkout *players.Checkout
	cannot   error
}

func (m *model) set(all []players.Status) {
	m.lines, m.known = linesOf(all), true
	m.checkout, m.cannot = nil, nil
	if len(all) > 0 {
		m.checkout, m.cannot = all[0].Checkout, all[0].CannotBe
	}
	if m.index(m.selected) < 0 {
		m.selected = ""
	}
	if m.selected == "" && len(m.lines) > 0 {
		m.selected = m.lines[m.first()].Key
	}
}

// first is the line to begin with: this computer's first one that needs something, or else its first one.
func (m *model) first() int {
	host := platforms.Host().ID
	own := max(0, slices.IndexFunc(m.lines, func(l line) bool { return l.Target.ID == host }))
	if i := slices.IndexFunc(m.lines, func(l line) bool { return l.Target.ID == host && l.state() != found }); i >= 0 {
		return i
	}
	return own
}

func (m *model) index(key string) int {
	return slices.IndexFunc(m.lines, func(l line) bool { return l.Key == key })
}

func (m *model) current() (line, bool) {
	if i := m.index(m.selected); i >= 0 {
		return m.lines[i], true
	}
	return line{}, false
}

// publishable gives the players that publishing would bring up to date.
func (m *model) publishable() []line {
	return slices.DeleteFunc(slices.Clone(m.lines), func(l line) bool { return !l.publishable() })
}

// summary counts the players.
func (m *model) summary() string {
	usable, all := 0, len(m.lines)
	for _, l := range m.lines {
		if l.Usable() {
			usable++
		}
	}
	switch {
	case !m.known:
		return ""
	case usable == all:
		return "All players are there"
	case usable == 0:
		return "No player was found"
	}
	return ui.Count(int64(usable)) + " of " + ui.Plural(all, "player") + " found"
}

// badge is how many players cannot be used although they are there; one that is not there may not be needed.
func (m *model) badge() string {
	n := 0
	for _, l := range m.lines {
		if l.state() == damaged {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return ui.Count(int64(n))
}

// sources says in a line where the engine's sources are, or why none are used.
func (m *model) sources() (text string, ok bool) {
	switch {
	case !m.known:
		return "", true
	case m.checkout != nil:
		return m.checkout.Dir, true
	case errors.Is(m.cannot, players.ErrNoSources):
		return "None found", false
	case m.cannot != nil:
		return ui.Sentence(m.cannot.Error()), false
	}
	return "", true
}
