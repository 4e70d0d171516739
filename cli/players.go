package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"talebinder/export"
	"talebinder/export/players"
	"talebinder/export/words"
	"talebinder/platforms"
)

func playersCommand(s Streams) *cobra.Command {
	var from engine
	var asJSON bool
	c := &cobra.Command{
		Use:   "players",
		Short: "List the players that games are exported with: what is there, and what to do where none is",
		Args:  exactly(),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := from.fill(); err != nil {
				return err
			}
			all, err := players.Inventory(c.Context(), players.Options{Dir: from.players, Source: from.sources})
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(s.Out, playersDocument(all))
			}
			return printPlayers(s.Out, all)
		},
	}
	from.addTo(c.Flags())
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	c.AddCommand(publishCommand(s))
	return c
}

type playerJSON struct {
	Target      string     `json:"target"`
	Profile     string     `json:"profile"`
	Key         string     `json:"key"`
	Found       bool       `json:"found"`
	Folder      string     `json:"folder,omitempty"`
	Source      string     `json:"source,omitempty"`
	Outdated    bool       `json:"outdated,omitempty"`
	Version     string     `json:"version,omitempty"`
	VersionFrom string     `json:"versionFrom,omitempty"`
	Product     string     `json:"product,omitempty"`
	Runtime     string     `json:"runtime,omitempty"`
	Files       int        `json:"files,omitempty"`
	Size        int64      `json:"size,omitempty"`
	Changed     *time.Time `json:"changed,omitempty"`
	Problem     string     `json:"problem,omitempty"`
	Publishable bool       `json:"publishable"`
	Advice      string     `json:"advice,omitempty"`
}

type playersJSON struct {
	Players []playerJSON `json:"players"`
}

func playersDocument(all []players.Status) playersJSON {
	var document playersJSON
	for _, p := range all {
		j := playerJSON{
			Target: p.Target.ID, Profile: p.Profile.String(), Key: p.Key, Found: p.Player != nil,
			Version: p.Version, VersionFrom: p.From, Product: p.Product, Runtime: p.Runtime,
			Files: p.Files, Size: p.Size, Publishable: p.Checkout != nil, Advice: p.Advice,
		}
		if p.Player != nil {
			j.Folder, j.Source, j.Outdated = p.Player.Dir, p.Player.Source, p.Player.Outdated
		}
		if !p.Changed.IsZero() {
			j.Changed = &p.Changed
		}
		if p.Err != nil {
			j.Problem = p.Err.Error()
		}
		document.Players = append(document.Players, j)
	}
	return document
}

func printPlayers(w io.Writer, all []players.Status) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "TARGET\tPROFILE\tVERSION\tSIZE\tWHERE")
	for _, p := range all {
		version, bytes, where := "-", "-", "none"
		if p.Player != nil {
			version, bytes = versionOf(p), words.Size(p.Size)
			where = fmt.Sprintf("%s (%s)", p.Player.Dir, p.Player.Source)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", p.Target.ID, p.Profile, version, bytes, where)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	told := map[string]bool{}
	for _, p := range all {
		if p.Advice == "" || told[p.Key] {
			continue
		}
		told[p.Key] = true
		fmt.Fprintf(w, "\n%s:", p.Key)
		if p.Player != nil && p.Err != nil {
			fmt.Fprintf(w, " %v.", p.Err)
		}
		fmt.Fprintf(w, " %s\n", p.Advice)
	}
	return nil
}

// versionOf is the version of a player, or the day it was made when it does not say.
func versionOf(p players.Status) string {
	switch {
	case p.Version == "":
		return p.Changed.Format(time.DateOnly)
	case p.Product != "":
		return fmt.Sprintf("%s (%s)", p.Version, p.Product)
	}
	return p.Version
}

func publishCommand(s Streams) *cobra.Command {
	var chosen choice
	var from engine
	var asJSON bool
	c := &cobra.Command{
		Use:   "publish [FOLDER]",
		Short: "Publish players from the engine's sources, and put them into FOLDER",
		Long: "Publishes players from the engine's sources with the .NET SDK and keeps them, so that exports find them. With FOLDER they\n" +
			"are copied there too, as a players folder for other computers: see --players.\n\n" +
			"The sources are those that --sources or " + players.SourceVariable + " names, those set in the window, or those above this program.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("%q is one argument too many", args[1])
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			targets, profiles, err := chosen.read()
			if err != nil {
				return err
			}
			if len(targets) == 0 {
				targets = []platforms.Target{platforms.Host()}
			}
			if len(profiles) == 0 {
				profiles = []platforms.Profile{platforms.Release}
			}
			folder := ""
			if len(args) == 1 {
				folder = args[0]
			}
			if err := from.fill(); err != nil {
				return err
			}
			return publish(c.Context(), s, targets, profiles, players.Options{Source: from.sources}, folder, asJSON)
		},
	}
	chosen.addTo(c.Flags(), "what the player is for, this computer when none is named", "how the player is built, release when none is named")
	from.addSources(c.Flags())
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON lines: step, progress, log, and the players last")
	return c
}

// publish publishes a player for each target and profile; those that profiles share are published once. The others go on when
// one fails.
func publish(ctx context.Context, s Streams, targets []platforms.Target, profiles []platforms.Profile, o players.Options, folder string, asJSON bool) error {
	type order struct {
		target  platforms.Target
		profile platforms.Profile
	}
	var orders []order
	keys := map[string]bool{}
	for _, target := range targets {
		for _, profile := range profiles {
			if key := target.PlayerKey(profile); !keys[key] {
				keys[key] = true
				orders = append(orders, order{target, profile})
			}
		}
	}
	var reporter export.Reporter = &textReporter{streams: s}
	lines := &jsonReporter{out: s.Out}
	if asJSON {
		reporter = lines
	}
	var made []publishedJSON
	failed := false
	for i, next := range orders {
		reporter.Step(i, len(orders), fmt.Sprintf("Publishing the player for %s, %s", next.target.Name, next.profile))
		player, err := players.Publish(ctx, next.target, next.profile, o, func(fraction float64, line string) {
			reporter.Progress(fraction, line)
			reporter.Log(export.Entry{Time: time.Now(), Level: export.Debug, Message: line})
		})
		if err == nil && folder != "" {
			player.Dir, err = player.CopyTo(ctx, folder)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		result := publishedJSON{Target: next.target.ID, Profile: next.profile.String(), Key: next.target.PlayerKey(next.profile), Success: err == nil, Folder: player.Dir}
		if err != nil {
			failed = true
			result.Errors = publishErrors(err)
			for _, message := range result.Errors {
				reporter.Log(export.Entry{Time: time.Now(), Level: export.Error, Message: message})
			}
		}
		made = append(made, result)
	}
	if asJSON {
		lines.print(struct {
			Event   string          `json:"event"`
			Success bool            `json:"success"`
			Players []publishedJSON `json:"players"`
		}{"report", !failed, made})
	} else {
		for _, m := range made {
			if m.Success {
				fmt.Fprintln(s.Out, m.Folder)
			}
		}
	}
	if failed {
		return errReported
	}
	return nil
}

type publishedJSON struct {
	Target  string   `json:"target"`
	Profile string   `json:"profile"`
	Key     string   `json:"key"`
	Success bool     `json:"success"`
	Folder  string   `json:"folder,omitempty"`
	Errors  []string `json:"errors,omitempty"`
}

// publishErrors gives what a failed publishing has to say: what the build complained about, and a summary.
func publishErrors(err error) []string {
	var failed *players.PublishError
	if !errors.As(err, &failed) {
		return []string{err.Error()}
	}
	lines := failed.Errors
	if len(lines) == 0 {
		lines = failed.Tail
	}
	return append(lines[:len(lines):len(lines)], fmt.Sprintf("Publishing the player for %s, %s, failed with exit code %d", failed.Target.Name, failed.Profile, failed.ExitCode))
}
