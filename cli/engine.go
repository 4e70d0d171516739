package cli

import (
	"cmp"
	"os"

	"github.com/spf13/pflag"

	"talebinder/export"
	"talebinder/export/players"
	"talebinder/export/preferences"
)

// engine says where the players and the sources of the engine are. What a command line leaves open is as it was set up in the
// window on the same computer.
type engine struct {
	players, sources, version string
}

func (e *engine) addTo(flags *pflag.FlagSet) {
	flags.StringVar(&e.players, "players", "", "a folder with players, one folder each, that is looked at first; else the one set in the window")
	e.addSources(flags)
}

func (e *engine) addSources(flags *pflag.FlagSet) {
	flags.StringVar(&e.sources, "sources", "", "a checkout of the engine's sources that players are published from; else "+players.SourceVariable+", or the one set in the window")
}

// fill takes over what was set up in the window and was not said here.
func (e *engine) fill() error {
	p, err := preferences.Read()
	if err != nil {
		return err
	}
	e.players = cmp.Or(e.players, p.PlayersFolder)
	if os.Getenv(players.SourceVariable) == "" {
		e.sources = cmp.Or(e.sources, p.EngineSources)
	}
	e.version = p.EngineVersion
	return nil
}

// build fills in the options of an export.
func (e *engine) build(o export.BuildOptions) export.BuildOptions {
	o.PlayersDir, o.EngineSources, o.EngineVersion = e.players, e.sources, e.version
	return o
}
