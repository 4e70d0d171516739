// Package packer reads the arguments of the commands that the game's asset packer has as well: convert, pack-font, unpack-font,
// apply-palette, to-indices, recompress-video, convert-music and swap-content.
//
// These commands have habits of their own. Options may stand anywhere, and their values follow an equals sign. All of them take
// the options of all the others, which have no effect then, but whose values are looked at all the same. Up to two arguments
// that are no options are the source and the target. An option that there is not is refused, and what is wrong with the
// arguments gives exit code 1.
package packer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// profiles are the values of --target.
var profiles = [...]string{"desktop", "console", "dreamcast", "wii", "gamecube", "psp", "ps2", "n64", "emscripten", "web"}

// Profiles gives the values of --target, the one that stands for no option first. "web" is another word for "emscripten".
func Profiles() []string { return slices.Clone(profiles[:]) }

// MaxDownscale is the largest value of --video-downscale.
const MaxDownscale = 4

// An Option is one that a single command has beside the shared ones.
type Option struct {
	Name  string             // with its dashes, such as "--dry-run"
	Value bool               // it is written --name=value
	Check func(string) error // of the value; may be nil
}

// Args are the arguments of a command.
type Args struct {
	Positional []string // at most two; an empty one counts as not given, see Source and Target
	Options    Options
	Help       bool              // usage is asked for; nothing else has been looked at
	own        map[string]string // by name
}

// Options are those that all commands share. Texts are empty where an option is not given.
type Options struct {
	Source               string // --source=
	Content              string // --content=
	Profile              string // --target=, one of Profiles
	N64Tools             string // --n64-tools=
	VideoDownscale       int    // --video-downscale=, 1 to MaxDownscale; 0 when it is not given
	OriginalsOnly        bool   // --originals-only, also with --shareware-only
	SharewareOnly        bool   // --shareware-only
	AllVideos            bool   // --all-videos
	SkipNonEpisodeLevels bool   // --skip-non-episode-levels
}

// Source is the first argument, or "".
func (a Args) Source() string { return a.positional(0) }

// Target is the second argument, or "".
func (a Args) Target() string { return a.positional(1) }

func (a Args) positional(i int) string {
	if i < len(a.Positional) {
		return a.Positional[i]
	}
	return ""
}

// Has says whether an option of the command's own is given.
func (a Args) Has(name string) bool {
	_, given := a.own[name]
	return given
}

// Value gives the value of an option of the command's own, or "".
func (a Args) Value(name string) string { return a.own[name] }

// An ArgumentError is an argument that the command does not take.
type ArgumentError struct {
	Argument string
	Reason   string
}

// Error names the argument and what is wrong with it.
func (e *ArgumentError) Error() string { return fmt.Sprintf("argument %q: %s", e.Argument, e.Reason) }

// Read takes the arguments behind a command's name apart. The error is an *ArgumentError.
func Read(args []string, own ...Option) (Args, error) {
	a := Args{own: map[string]string{}}
	if slices.Contains(args, "--help") || slices.Contains(args, "-h") {
		a.Help = true
		return a, nil
	}
	for _, arg := range args {
		if !strings.HasPrefix(arg, "--") {
			if len(a.Positional) == 2 {
				return a, &ArgumentError{arg, "there is a source and a target already"}
			}
			a.Positional = append(a.Positional, arg)
			continue
		}
		if err := a.option(arg, own); err != nil {
			return a, &ArgumentError{arg, err.Error()}
		}
	}
	return a, nil
}

// option takes in an argument that begins with two dashes.
func (a *Args) option(arg string, own []Option) error {
	name, value, hasValue := strings.Cut(arg, "=")
	for _, o := range own {
		if o.Name != name || o.Value != hasValue {
			continue
		}
		if o.Check != nil {
			if err := o.Check(value); err != nil {
				return err
			}
		}
		a.own[name] = value
		return nil
	}
	if hasValue {
		return a.valued(name, value)
	}
	switch o := &a.Options; name {
	case "--originals-only":
		o.OriginalsOnly = true
	case "--shareware-only":
		o.OriginalsOnly, o.SharewareOnly = true, true
	case "--all-videos":
		o.AllVideos = true
	case "--skip-non-episode-levels":
		o.SkipNonEpisodeLevels = true
	case "--source", "--content", "--target", "--n64-tools", "--video-downscale":
		return fmt.Errorf("its value is missing, write %s=VALUE", name)
	default:
		return errUnknown
	}
	return nil
}

var errUnknown = fmt.Errorf("there is no such option; a file whose name begins with dashes is written ./--name")

// valued takes in a shared option with a value.
func (a *Args) valued(name, value string) error {
	switch o := &a.Options; name {
	case "--source":
		o.Source = value
	case "--content":
		o.Content = value
	case "--n64-tools":
		o.N64Tools = value
	case "--target":
		if !slices.Contains(profiles[:], value) {
			return fmt.Errorf("there is no such target, expected %s or %s", strings.Join(profiles[:len(profiles)-1], ", "), profiles[len(profiles)-1])
		}
		o.Profile = value
	case "--video-downscale":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > MaxDownscale {
			return fmt.Errorf("expected a number from 1 to %d", MaxDownscale)
		}
		o.VideoDownscale = n
	default:
		return errUnknown
	}
	return nil
}
