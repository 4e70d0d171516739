package players

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// playerProject is the file that a checkout of the engine's sources is recognised by: what the player is built from.
const playerProject = "src/Talesmith.Player/Talesmith.Player.csproj"

// SourceVariable is the environment variable that names a checkout of the engine's sources.
const SourceVariable = "TALESMITH_SOURCE"

// A Checkout is a copy of the engine's sources, which players can be published from.
type Checkout struct{ Dir string }

// Project is the file that the player is built from.
func (c Checkout) Project() string { return filepath.Join(c.Dir, filepath.FromSlash(playerProject)) }

// FindCheckout finds the engine's sources: the folder that Options.Source or TALESMITH_SOURCE names, or else the nearest one
// above the running program. A folder that is named and holds no sources is an error; so is none at all.
func FindCheckout(o Options) (Checkout, error) {
	named, by := o.Source, "the folder that was named"
	if named == "" {
		named, by = os.Getenv(SourceVariable), SourceVariable
	}
	if named != "" {
		dir, err := filepath.Abs(named)
		if err != nil {
			return Checkout{}, err
		}
		c := Checkout{dir}
		if !c.exists() {
			return Checkout{}, fmt.Errorf("%s, %s, is no checkout of the engine's sources: there is no %s in it", by, dir, playerProject)
		}
		return c, nil
	}
	for dir := o.programDir(); dir != ""; {
		if c := (Checkout{dir}); c.exists() {
			return c, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	return Checkout{}, fmt.Errorf("the engine's sources are not above this program, and %s does not name them", SourceVariable)
}

func (c Checkout) exists() bool {
	info, err := os.Stat(c.Project())
	return err == nil && info.Mode().IsRegular()
}

// Fingerprint gives 16 hex digits that change whenever a player published from the sources could: made of the names, sizes and
// contents of all files below src, except what a build leaves there, and of the files beside it that the builds of all
// projects read.
func (c Checkout) Fingerprint(ctx context.Context) (string, error) {
	var files []string
	err := filepath.WalkDir(filepath.Join(c.Dir, "src"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if name == "bin" || name == "obj" || strings.HasPrefix(name, ".") {
				return filepath.SkipDir
			}
			return ctx.Err()
		}
		if entry.Type().IsRegular() {
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	beside, err := os.ReadDir(c.Dir)
	if err != nil {
		return "", err
	}
	for _, entry := range beside {
		if entry.Type().IsRegular() && readByEveryBuild(entry.Name()) {
			files = append(files, filepath.Join(c.Dir, entry.Name()))
		}
	}
	slices.Sort(files)
	sum := sha256.New()
	for _, argument := range publishArguments(nil) {
		fmt.Fprintf(sum, "%s\n", argument)
	}
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		if err := c.add(sum, file); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil))[:16], nil
}

// readByEveryBuild recognises files that set properties, package versions and the SDK for all projects below them.
func readByEveryBuild(name string) bool {
	lower := strings.ToLower(name)
	if lower == "global.json" || lower == "nuget.config" {
		return true
	}
	return strings.HasPrefix(lower, "directory.") && (strings.HasSuffix(lower, ".props") || strings.HasSuffix(lower, ".targets"))
}

func (c Checkout) add(sum hash.Hash, file string) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	content := sha256.New()
	n, err := io.Copy(content, in)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(c.Dir, file)
	if err != nil {
		return err
	}
	fmt.Fprintf(sum, "%s\n%d %x\n", filepath.ToSlash(rel), n, content.Sum(nil))
	return nil
}

// projects counts the projects of the sources, which is at least as many as a player is built from.
func (c Checkout) projects() int {
	found, err := filepath.Glob(filepath.Join(c.Dir, "src", "*", "*.csproj"))
	if err != nil {
		return 1
	}
	return max(len(found), 1)
}

// ErrNoSources is wrapped by the error of a publishing that has no sources to work from.
var ErrNoSources = errors.New("no sources of the engine")
