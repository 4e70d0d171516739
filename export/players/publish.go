package players

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"talebinder/export/internal/dotnet"
	"talebinder/export/internal/filelock"
	"talebinder/formats/assetpath"
	"talebinder/platforms"
)

// A PublishError says that the player could not be built from the engine's sources, with what the build complained about.
type PublishError struct {
	Target   platforms.Target
	Profile  platforms.Profile
	ExitCode int
	Errors   []string // each complaint once, in the order in which they came
	Tail     []string // the last lines of the output
}

// Error names the target and the first complaint, or the last line when there was none.
func (e *PublishError) Error() string {
	text := fmt.Sprintf("publishing the player for %s, %s, failed with exit code %d", e.Target.Name, e.Profile, e.ExitCode)
	switch {
	case len(e.Errors) == 1:
		text += ": " + e.Errors[0]
	case len(e.Errors) > 1:
		text += fmt.Sprintf(": %s (and %d more)", e.Errors[0], len(e.Errors)-1)
	case len(e.Tail) > 0:
		text += ": " + e.Tail[len(e.Tail)-1]
	}
	return text
}

// The limits of what is kept of a failed build's output.
const (
	mostErrors = 20
	tailLines  = 20
)

// publishArguments are the arguments that decide what a player consists of. Of no key it gives those of all players alike,
// which the fingerprint of the sources covers too, so that a change of them publishes again.
//
//   - Self-contained: players of games have no .NET of their own.
//   - One file, with the native libraries beside it instead of inside, so that a game starts without unpacking anything. That
//     is how the engine ships its games: the executable, launcher.json, the libraries, and the game folder.
//   - Nothing is trimmed away, since scripts and plugins may use what the player itself does not.
//   - The packs of the runtime come from the package source and not from the SDK's folder, because those of some
//     distributions are linked against the distribution's own libraries. An empty folder in their place brings that about.
//   - Players of the release profiles are compiled ahead (ReadyToRun), carry no symbols and open no console on Windows; those
//     for development are compiled as they run, and carry their symbols inside.
//
// The game's title, version and icon are not among them: this program writes them into the finished executable.
func publishArguments(key *publishing) []string {
	arguments := []string{
		"-c", "Release",
		"--self-contained", "true",
		"--nologo",
		"-p:PublishSingleFile=true",
		"-p:IncludeNativeLibrariesForSelfExtract=false",
		"-p:PublishTrimmed=false",
		"-p:GenerateDocumentationFile=false",
		"-p:SatelliteResourceLanguages=en",
		"-p:AllowMissingPrunePackageData=true",
	}
	if key == nil {
		return arguments
	}
	ahead, symbols, windowed := "true", "none", "true"
	if key.profile.Info().Symbols {
		ahead, symbols, windowed = "false", "embedded", "false"
	}
	arguments = append(arguments,
		"-r", key.target.ID, // a target's id is what .NET calls a runtime identifier
		"-o", key.staging,
		"--artifacts-path", key.artifacts,
		"-p:PublishReadyToRun="+ahead,
		"-p:DebugType="+symbols,
		"-p:TalesmithWindowedPlayer="+windowed,
		"-p:NetCoreTargetingPackRoot="+dotnet.EscapeProperty(key.packs),
	)
	return append(arguments, dotnet.NoServers()...)
}

// publishing is a player that is being published.
type publishing struct {
	target    platforms.Target
	profile   platforms.Profile
	checkout  Checkout
	folder    string // where it goes
	staging   string // where it is put together
	artifacts string // where the build keeps what it can use again; not in the checkout, which stays as it is
	packs     string // see publishArguments
}

// Publish publishes the player of a target and profile from the engine's sources with the .NET SDK and returns it. It is kept
// in this program's cache: when it is there already for the sources as they are, nothing is done. Progress is told as a
// fraction from 0 to 1, with a line of what the build prints, or what is waited for. A cancelled or failed publishing leaves
// nothing but what a later one can use again.
//
// The error wraps ErrNoSources, or is a *dotnet.NotFoundError, a *PublishError, that of ctx, or one of the system.
func Publish(ctx context.Context, target platforms.Target, profile platforms.Profile, o Options, progress func(fraction float64, line string)) (Player, error) {
	if progress == nil {
		progress = func(float64, string) {}
	}
	checkout, err := FindCheckout(o)
	if err != nil {
		return Player{}, fmt.Errorf("%w: %w", ErrNoSources, err)
	}
	progress(0, "Looking at the engine's sources in "+checkout.Dir)
	fingerprint, err := checkout.Fingerprint(ctx)
	if err != nil {
		return Player{}, fmt.Errorf("the engine's sources cannot be read: %w", err)
	}
	key := target.PlayerKey(profile)
	cache := o.ownCache()
	root := filepath.Join(cache, "players")
	if err := os.MkdirAll(root, 0o777); err != nil {
		return Player{}, err
	}
	p := &publishing{
		target: target, profile: profile, checkout: checkout,
		folder:    filepath.Join(root, key+"-"+fingerprint),
		staging:   filepath.Join(root, "."+key+".publishing"),
		artifacts: filepath.Join(cache, "artifacts", key),
		packs:     filepath.Join(cache, "packs"),
	}
	lock, err := filelock.Wait(ctx, filepath.Join(root, "."+key+".lock"), func() {
		progress(0, "Waiting for another program to publish the same player")
	})
	if err != nil {
		return Player{}, err
	}
	defer lock.Release()
	if _, done := completedAt(filepath.Join(p.folder, completeFile)); !done {
		if err := p.make(ctx, progress); err != nil {
			return Player{}, err
		}
		p.removeOlder(root, key)
	}
	dir, err := check(p.folder, target.PlayerFile)
	if err != nil {
		return Player{}, fmt.Errorf("the published player in %s cannot be used: %w. Remove the folder and publish again", p.folder, err)
	}
	progress(1, "Published "+dir)
	return Player{Dir: dir, Key: key, Source: Published}, nil
}

// make builds the player in the staging folder and gives it its name when it is complete.
func (p *publishing) make(ctx context.Context, progress func(float64, string)) error {
	sdk, err := dotnet.Find(ctx)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(p.staging); err != nil {
		return err
	}
	defer os.RemoveAll(p.staging)
	if err := os.MkdirAll(p.packs, 0o777); err != nil {
		return err
	}
	progress(0, fmt.Sprintf("Publishing the player for %s, %s, with .NET SDK %s", p.target.Name, p.profile, sdk.Newest()))
	failed := &PublishError{Target: p.target, Profile: p.profile}
	built, projects := 0, p.checkout.projects()
	fraction := 0.0
	arguments := append([]string{"publish", p.checkout.Project()}, publishArguments(p)...)
	failed.ExitCode, err = sdk.Run(ctx, filepath.Dir(p.checkout.Project()), arguments, func(line string) {
		line = strings.TrimSpace(line)
		if d, ok := dotnet.ParseDiagnostic(line); ok && !d.Warning && len(failed.Errors) < mostErrors && !slices.Contains(failed.Errors, d.String()) {
			failed.Errors = append(failed.Errors, d.String())
		}
		if len(failed.Tail) == tailLines {
			failed.Tail = failed.Tail[1:]
		}
		failed.Tail = append(failed.Tail, line)
		if strings.Contains(line, " -> ") { // a project and what it was built into
			built++
			fraction = min(float64(built)/float64(projects+1), 0.95)
		}
		progress(fraction, line)
	})
	switch {
	case err != nil:
		return err
	case failed.ExitCode != 0:
		return failed
	}
	if _, err := check(p.staging, p.target.PlayerFile); err != nil {
		return fmt.Errorf("publishing the player for %s ended well, but what it made is no player: %w", p.target.Name, err)
	}
	if err := p.tidy(); err != nil {
		return err
	}
	now := time.Now().UTC().Format(time.RFC3339Nano)
	if err := os.WriteFile(filepath.Join(p.staging, completeFile), []byte(now), 0o666); err != nil {
		return err
	}
	if err := os.RemoveAll(p.folder); err != nil { // one without its mark
		return err
	}
	return os.Rename(p.staging, p.folder)
}

// tidy removes what the build leaves beside the player: documentation, and symbols unless the profile ships them.
func (p *publishing) tidy() error {
	entries, err := os.ReadDir(p.staging)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		ext := strings.ToLower(filepath.Ext(entry.Name()))
		if entry.IsDir() || ext != ".xml" && (ext != ".pdb" || p.profile.Info().Symbols) {
			continue
		}
		if err := os.Remove(filepath.Join(p.staging, entry.Name())); err != nil {
			return err
		}
	}
	return nil
}

// kept is how many published players of a key stay: the new one, and one for an export that is still copying it.
const kept = 2

// removeOlder removes the oldest players of the key.
func (p *publishing) removeOlder(root, key string) {
	folders, err := cached(root, key, "")
	if err != nil {
		return
	}
	for _, folder := range folders[min(kept, len(folders)):] {
		if folder != p.folder {
			_ = os.RemoveAll(folder) // it is tried again next time
		}
	}
}

// CopyTo copies the player into a players folder, under its key, and returns the folder that was made: what Options.Dir and
// the --players option take. A folder of that key is replaced when the copy is complete.
func (p Player) CopyTo(ctx context.Context, folder string) (string, error) {
	files, err := p.Files(ctx)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return "", err
	}
	lock, err := filelock.Wait(ctx, filepath.Join(folder, "."+p.Key+".lock"), nil)
	if err != nil {
		return "", err
	}
	defer lock.Release()
	target, staging := filepath.Join(folder, p.Key), filepath.Join(folder, "."+p.Key+".copying")
	if resolved, err := filepath.EvalSymlinks(target); err == nil && resolved == p.Dir {
		return target, nil
	}
	if err := os.RemoveAll(staging); err != nil {
		return "", err
	}
	defer os.RemoveAll(staging)
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		path, err := assetpath.SafeJoin(staging, file.Path)
		if err == nil {
			err = copyFile(path, file)
		}
		if err != nil {
			return "", err
		}
	}
	if err := os.RemoveAll(target); err != nil {
		return "", err
	}
	return target, os.Rename(staging, target)
}

func copyFile(path string, file File) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	in, err := os.Open(file.Source)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, file.Mode|0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in)
	return err
}
