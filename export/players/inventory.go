package players

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"talebinder/export/internal/dotnet"
	"talebinder/platforms"
)

// A Status says what there is of a player: for a target and a profile.
type Status struct {
	Target  platforms.Target
	Profile platforms.Profile
	Key     string
	Player  *Player // nil when none was found
	Facts           // of the player that was found
	Size    int64   // bytes of all files that a build takes from it
	Files   int     // number of those files
	Changed time.Time
	Err     error // why no player was found, or what is wrong with the one that was

	Checkout *Checkout // the sources that the player can be published from; nil when it cannot
	CannotBe error     // why it cannot be published here, or nil
	Advice   string    // what to do when there is none, or when it is out of date; else ""
}

// Usable says that builds can be made with the player.
func (s Status) Usable() bool { return s.Player != nil && s.Err == nil }

// Publishable finds out whether players can be published here: whether the engine's sources and a .NET SDK are there.
func Publishable(ctx context.Context, o Options) (Checkout, error) {
	checkout, err := FindCheckout(o)
	if err != nil {
		return Checkout{}, fmt.Errorf("%w: %w", ErrNoSources, err)
	}
	if _, err := dotnet.Find(ctx); err != nil {
		return Checkout{}, err
	}
	return checkout, nil
}

// Inventory looks for the player of every target and profile, in the order in which those are shown. Profiles that share a
// player have the same of it. The error is that of ctx.
func Inventory(ctx context.Context, o Options) ([]Status, error) {
	var checkout *Checkout
	found, cannot := Publishable(ctx, o)
	if cannot == nil {
		checkout = &found
	}
	o.fingerprint = sync.OnceValues(o.currentFingerprint)
	var all []Status
	byKey := make(map[string]*Status)
	var working sync.WaitGroup
	for _, target := range platforms.Targets() {
		for _, profile := range platforms.Profiles() {
			key := target.PlayerKey(profile.Profile)
			if byKey[key] == nil {
				s := &Status{Target: target, Profile: profile.Profile, Key: key, Checkout: checkout, CannotBe: cannot}
				byKey[key] = s
				working.Go(func() { s.look(ctx, o) })
			}
			all = append(all, Status{Target: target, Profile: profile.Profile, Key: key})
		}
	}
	working.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for i, s := range all {
		all[i] = *byKey[s.Key]
		all[i].Profile = s.Profile
	}
	return all, nil
}

// look fills in what there is.
func (s *Status) look(ctx context.Context, o Options) {
	player, err := Find(s.Target, s.Profile, o)
	if err != nil {
		s.Err = err
		s.advise()
		return
	}
	s.Player = &player
	files, err := player.Files(ctx)
	if err != nil {
		s.Err = err
	}
	for _, file := range files {
		s.Size += file.Size
	}
	s.Files = len(files)
	if info, err := os.Stat(player.File(s.Target)); err == nil {
		s.Changed = info.ModTime()
	}
	if s.Facts, err = player.ReadFacts(s.Target); err != nil && s.Err == nil {
		s.Err = err
	}
	s.advise()
}

// advise says what the person can do.
func (s *Status) advise() {
	command := fmt.Sprintf("talebinder players publish --target %s --profile %s", s.Target.ID, s.Profile)
	var sdk *dotnet.NotFoundError
	switch {
	case s.Player != nil && s.Err != nil && s.Player.Source == Published:
		s.Advice = "Remove " + s.Player.Dir + " and publish the player again."
	case s.Player != nil && s.Err != nil:
		s.Advice = "Put another player in the place of " + s.Player.Dir + "."
	case s.Player != nil && s.Player.Outdated && s.Checkout != nil:
		s.Advice = "The engine's sources have changed since it was published. Publish it again: " + command
	case s.Player != nil:
	case s.Checkout != nil:
		s.Advice = "Publish it from the engine's sources: " + command
	case errors.As(s.CannotBe, &sdk):
		s.Advice = "The engine's sources are here, but no .NET SDK: install it, then publish the player with " + command
	default:
		s.Advice = fmt.Sprintf("Put the folder %s, as it was published elsewhere, into a players folder and name that folder, "+
			"or let %s name a checkout of the engine's sources and publish it: %s", s.Key, SourceVariable, command)
	}
}
