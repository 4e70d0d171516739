// Package players finds the player that a build is made with: the engine's program, published for a target and a profile,
// that a game's executable is a copy of.
//
// A player folder holds the player file of its target, such as talesmith-player, beside whatever it needs. It is named
// after its key, such as linux-x64-r2r-nosymbols, and is looked for in this order:
//
//  1. DIR/<key>, when a players folder DIR was named;
//  2. players/<key> next to the running program;
//  3. this program's own cache, <cache>/players/<key>-<fingerprint>, when the engine's sources are at hand and the player was
//     published from them as they are;
//  4. the engine's cache, <cache>/players/<key>-<fingerprint>, where a folder counts only when it holds a file .complete.
//     For Windows the engine publishes players with a game's title, version and icon in them and keeps them as
//     <key>-<brand>-<fingerprint>. The newest folder wins, but one of the right brand comes before all others;
//  5. the newest player in this program's own cache.
//
// What is found nowhere can be published from a checkout of the engine's sources with the .NET SDK, see [Publish].
package players

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"talebinder/export/folders"
	"talebinder/platforms"
)

// Options say where to look. The zero value looks in the usual places.
type Options struct {
	Dir        string // a players folder that a person named; looked at first; "" for none
	ProgramDir string // where the running program is; "" finds out
	CacheDir   string // the engine's cache; "" stands for EngineCache()
	OwnCache   string // this program's cache; "" stands for folders.Cache()
	Source     string // a checkout of the engine's sources; "" finds one, see FindCheckout
	Brand      string // see Brand; "" for none

	fingerprint func() (string, error) // of the sources as they are, when many players are looked for at once
}

// currentFingerprint is that of the engine's sources as they are.
func (o Options) currentFingerprint() (string, error) {
	if o.fingerprint != nil {
		return o.fingerprint()
	}
	checkout, err := FindCheckout(o)
	if err != nil {
		return "", err
	}
	return checkout.Fingerprint(context.Background())
}

func (o Options) programDir() string {
	if o.ProgramDir != "" {
		return o.ProgramDir
	}
	return ownFolder()
}

func (o Options) engineCache() string {
	if o.CacheDir != "" {
		return o.CacheDir
	}
	return EngineCache()
}

func (o Options) ownCache() string {
	if o.OwnCache != "" {
		return o.OwnCache
	}
	return folders.Cache()
}

// Where a player comes from.
const (
	Named     = "players folder"
	Beside    = "beside the program"
	InCache   = "engine's cache"
	Published = "published from the engine's sources"
)

// A Player is a player folder.
type Player struct {
	Dir    string // with all links resolved
	Key    string
	Source string // Named, Beside, InCache or Published

	// Outdated says that the player was published from sources that have changed since, or that are not there any more.
	Outdated bool
}

// File is the player's executable.
func (p Player) File(target platforms.Target) string { return filepath.Join(p.Dir, target.PlayerFile) }

// A NotFoundError says that no player was found, and where it was looked for.
type NotFoundError struct {
	Target platforms.Target
	Key    string
	Looked []string // each place with what was wrong there
}

// Error names the target, the places and what to do.
func (e *NotFoundError) Error() string {
	return fmt.Sprintf("no player for %s was found. Put the folder %s with %s in it into a players folder beside this program, name a players folder, or publish one from the engine's sources. Looked at %s",
		e.Target.Name, e.Key, e.Target.PlayerFile, strings.Join(e.Looked, "; "))
}

// Find looks for the player of a target and a profile. The error is a *NotFoundError.
func Find(target platforms.Target, profile platforms.Profile, o Options) (Player, error) {
	key := target.PlayerKey(profile)
	notFound := &NotFoundError{Target: target, Key: key}
	look := func(dir, source string) (Player, bool) {
		if abs, err := filepath.Abs(dir); err == nil {
			dir = abs
		}
		resolved, err := check(dir, target.PlayerFile)
		if err != nil {
			notFound.Looked = append(notFound.Looked, fmt.Sprintf("%s (%v)", dir, err))
			return Player{}, false
		}
		return Player{Dir: resolved, Key: key, Source: source}, true
	}
	if o.Dir != "" {
		if p, ok := look(filepath.Join(o.Dir, key), Named); ok {
			return p, nil
		}
	}
	if dir := o.programDir(); dir != "" {
		if p, ok := look(filepath.Join(dir, "players", key), Beside); ok {
			return p, nil
		}
	}
	own, _ := cached(filepath.Join(o.ownCache(), "players"), key, "")
	current := ""
	if len(own) > 0 {
		current = currentFolder(own, key, o)
	}
	if current != "" {
		if p, ok := look(current, Published); ok {
			return p, nil
		}
	}
	if cache := o.engineCache(); cache != "" {
		folder := filepath.Join(cache, "players")
		candidates, err := cached(folder, key, o.Brand)
		if len(candidates) == 0 {
			why := "no complete folder of this key"
			if err != nil {
				why = reason(err)
			}
			notFound.Looked = append(notFound.Looked, fmt.Sprintf("%s (%s)", filepath.Join(folder, key+"-*"), why))
		}
		for _, dir := range candidates {
			if p, ok := look(dir, InCache); ok {
				return p, nil
			}
		}
	}
	for _, dir := range own {
		if dir == current {
			continue
		}
		if p, ok := look(dir, Published); ok {
			p.Outdated = true
			return p, nil
		}
	}
	return Player{}, notFound
}

// currentFolder gives the one of the published folders that was made from the engine's sources as they are, or "".
func currentFolder(own []string, key string, o Options) string {
	fingerprint, err := o.currentFingerprint()
	if err != nil {
		return ""
	}
	for _, dir := range own {
		if filepath.Base(dir) == key+"-"+fingerprint {
			return dir
		}
	}
	return ""
}

// check resolves a player folder and says what is wrong with it.
func check(dir, playerFile string) (string, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return "", errors.New(reason(err))
	}
	if !info.IsDir() {
		return "", errors.New("not a folder")
	}
	file, err := os.Stat(filepath.Join(dir, playerFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("no %s in it", playerFile)
	case err != nil:
		return "", fmt.Errorf("%s: %s", playerFile, reason(err))
	case !file.Mode().IsRegular():
		return "", fmt.Errorf("%s is not a file", playerFile)
	case file.Size() == 0:
		return "", fmt.Errorf("%s is empty", playerFile)
	}
	return filepath.EvalSymlinks(dir)
}

// reason puts a system error into words without the path, which stands beside it.
func reason(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "does not exist"
	}
	if errors.Is(err, fs.ErrPermission) {
		return "may not be read"
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}

// completeFile marks a finished folder of the engine's cache. It holds the time at which the folder was finished.
const completeFile = ".complete"

// cached lists the complete player folders of a key in the engine's cache: those of the brand first, then the newest first.
func cached(folder, key, brand string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	type candidate struct {
		dir     string
		branded bool
		done    time.Time
	}
	var found []candidate
	for _, e := range entries {
		rest, ok := strings.CutPrefix(e.Name(), key+"-")
		if !ok {
			continue
		}
		dir := filepath.Join(folder, e.Name())
		done, ok := completedAt(filepath.Join(dir, completeFile))
		if !ok {
			continue
		}
		found = append(found, candidate{dir, brand != "" && strings.HasPrefix(rest, brand+"-"), done})
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		if a.branded != b.branded {
			if a.branded {
				return -1
			}
			return 1
		}
		return cmp.Or(b.done.Compare(a.done), strings.Compare(a.dir, b.dir))
	})
	dirs := make([]string, len(found))
	for i, c := range found {
		dirs[i] = c.dir
	}
	return dirs, nil
}

// completedAt reads the time in a .complete file, or takes the file's own when it holds none.
func completedAt(path string) (time.Time, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return time.Time{}, false
	}
	const longest = 100 // the text is a time of 28 characters
	if info.Size() <= longest {
		if text, err := os.ReadFile(path); err == nil {
			if t, err := time.Parse(time.RFC3339Nano, strings.TrimSpace(string(text))); err == nil {
				return t, true
			}
		}
	}
	return info.ModTime(), true
}

// Brand names the title, version and icon that the engine publishes a Windows player with. It is "" without a title.
func Brand(title, version string, icon []byte) string {
	if title == "" {
		return ""
	}
	hash := sha256.New()
	fmt.Fprintf(hash, "%s\n%s\n", title, version)
	hash.Write(icon)
	return hex.EncodeToString(hash.Sum(nil))[:12]
}

// EngineCache is the folder where the engine keeps what it can make again, or "" when there is none on this computer:
// TALESMITH_CACHE, else Talesmith in the system's cache folder.
func EngineCache() string { return engineCache(runtime.GOOS, os.Getenv) }

func engineCache(goos string, env func(string) string) string {
	if dir := env("TALESMITH_CACHE"); dir != "" {
		return dir
	}
	if goos == "windows" {
		if dir := env("LOCALAPPDATA"); dir != "" {
			return filepath.Join(dir, "Talesmith", "Cache")
		}
		return ""
	}
	if dir := env("XDG_CACHE_HOME"); dir != "" {
		return filepath.Join(dir, "Talesmith")
	}
	if home := env("HOME"); home != "" {
		return filepath.Join(home, ".cache", "Talesmith")
	}
	return ""
}

// ownFolder is the folder of the running program, links resolved.
func ownFolder() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	return filepath.Dir(path)
}
