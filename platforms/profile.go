package platforms

import (
	"fmt"
	"strings"
)

// A Profile says whom a build is for.
type Profile uint8

// The profiles, with the numbers that files may use for them.
const (
	Development Profile = iota
	Release
	Distribution
)

// ProfileInfo is what a profile means.
type ProfileInfo struct {
	Profile   Profile
	ID        string // as written in build.json and in reports
	Name      string // for people
	Sentence  string // what it is for, in one sentence
	Symbols   bool   // scripts and plugins ship with their .pdb files
	LogLevel  string // lowest level that the player logs
	DevTools  bool   // the player's developer tools
	KeySuffix string // end of the player key
	Archive   bool   // the finished build is archived as well
}

var profiles = []ProfileInfo{
	{Development, "development", "Development",
		"Debug scripts with symbols, developer tools and a talkative log: for trying things out.",
		true, "debug", true, "jit-symbols", false},
	{Release, "release", "Release",
		"Optimized and without developer tools: what players get, as a folder.",
		false, "warning", false, "r2r-nosymbols", false},
	{Distribution, "distribution", "Distribution",
		"A release build, and beside it an archive ready to upload.",
		false, "warning", false, "r2r-nosymbols", true},
}

// Profiles returns all profiles, in the order in which they are shown.
func Profiles() []ProfileInfo { return append([]ProfileInfo(nil), profiles...) }

// ParseProfile reads a profile's id, ignoring case, or one of the numbers 0, 1 and 2.
func ParseProfile(s string) (Profile, bool) {
	for i, p := range profiles {
		if strings.EqualFold(p.ID, s) || s == fmt.Sprint(i) {
			return p.Profile, true
		}
	}
	return Release, false
}

// Info returns what the profile means. A value that is no profile counts as Release.
func (p Profile) Info() ProfileInfo {
	if int(p) >= len(profiles) {
		p = Release
	}
	return profiles[p]
}

// String returns the profile's id.
func (p Profile) String() string { return p.Info().ID }

// MarshalText writes the profile's id.
func (p Profile) MarshalText() ([]byte, error) { return []byte(p.String()), nil }
