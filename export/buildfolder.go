package export

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"talebinder/formats/jsondoc"
	"talebinder/platforms"
)

// BuildKind says how much of a build there is.
type BuildKind uint8

// The kinds of builds.
const (
	CompleteBuild BuildKind = iota // a player with its game
	GameFolder                     // the game alone
	PackAlone                      // a content pack alone
)

// String gives the kind in words.
func (k BuildKind) String() string {
	switch k {
	case GameFolder:
		return "game folder"
	case PackAlone:
		return "content pack"
	}
	return "complete build"
}

// A BuildFolder says where the parts of a build are. What it names need not exist, so that it can be said to be missing.
type BuildFolder struct {
	Kind     BuildKind
	Folder   string // what was given: the folder of the build or of the game, or that of the pack
	Launcher string // launcher.json of a complete build
	Game     string // the game folder; of a complete build only once the launcher was read
	Root     string // the asset root; known with Game
	Pack     string // the content pack; known with Root
}

// FindBuild finds the parts of a build from outside, where a person finds them: path is a build folder, also one with an
// application bundle for macOS in it, such a bundle, a game folder, or a content pack. It opens none of them.
func FindBuild(path string) (BuildFolder, error) {
	b := BuildFolder{Folder: path}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return b, err
	case info.Mode().IsRegular() && filepath.Base(path) == platforms.LauncherFile:
		b.Folder, b.Launcher = filepath.Dir(path), path
		return b, nil
	case info.Mode().IsRegular():
		return BuildFolder{Kind: PackAlone, Folder: filepath.Dir(path), Pack: path}, nil
	case !info.IsDir():
		return b, fmt.Errorf("%s: neither a file nor a folder", path)
	}
	bundle := path
	if bundles, err := filepath.Glob(filepath.Join(globQuoted(path), "*.app")); err == nil && len(bundles) == 1 {
		bundle = bundles[0]
	}
	executables := filepath.Join(bundle, "Contents", "MacOS")
	for _, dir := range []string{path, executables} {
		if launcher := filepath.Join(dir, platforms.LauncherFile); exists(launcher) {
			b.Launcher = launcher
			return b, nil
		}
	}
	for _, file := range []string{packPath, "assets/" + packPath, viaGame, "assets/" + viaGame} {
		if exists(filepath.Join(path, filepath.FromSlash(file))) {
			b.Kind = GameFolder
			b.setGame(path)
			return b, nil
		}
	}
	// A folder that a game lies in is a build without a launcher, unless there is nothing but the game: then the game folder is
	// what was exported.
	switch game := filepath.Join(path, "game"); {
	case isDir(game):
		b.Launcher = filepath.Join(path, platforms.LauncherFile)
		if alone(path, "game") {
			b.Kind, b.Launcher = GameFolder, ""
			b.setGame(game)
		}
		return b, nil
	case isDir(filepath.Join(bundle, "Contents", "Resources", "game")):
		b.Launcher = filepath.Join(executables, platforms.LauncherFile)
		if !exists(executables) {
			b.Kind, b.Launcher = GameFolder, ""
			b.setGame(filepath.Join(bundle, "Contents", "Resources", "game"))
		}
		return b, nil
	}
	return b, fmt.Errorf("%s: neither a build, nor a game folder, nor a content pack: there is no %s, no %s and no folder game in it", path, platforms.LauncherFile, packPath)
}

// setGame takes a game folder, and finds the asset root and the pack as the player does.
func (b *BuildFolder) setGame(folder string) {
	b.Game, b.Root = folder, folder
	if assets := filepath.Join(folder, "assets"); isDir(assets) {
		b.Root = assets
	}
	b.Pack = filepath.Join(b.Root, packPath)
}

// rel gives a path relative to what was given, with forward slashes.
func (b *BuildFolder) rel(path string) string {
	if rel, err := filepath.Rel(b.Folder, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(path)
}

// FindPack gives the content pack of a build, which path names as FindBuild wants it.
func FindPack(path string) (string, error) {
	b, err := FindBuild(path)
	if err != nil {
		return "", err
	}
	if b.Pack == "" {
		launcher, err := readLauncher(b.Launcher)
		if errors.Is(err, fs.ErrNotExist) {
			launcher.GameFolder, err = defaultGameFolder, nil
		}
		if err != nil {
			return "", err
		}
		b.setGame(filepath.Join(filepath.Dir(b.Launcher), filepath.FromSlash(launcher.GameFolder)))
	}
	return b.Pack, nil
}

// defaultGameFolder is what a launcher that names no game folder plays.
const defaultGameFolder = "game"

// A launcher is the content of launcher.json.
type launcher struct {
	GameFolder string // relative to the file
	Title      string
	LogLevel   string
	DevTools   bool
}

// logLevels are the words for what the player logs, each level with those behind it.
var logLevels = [...]string{"trace", "debug", "information", "warning", "error", "critical", "none"}

// readLauncher reads a launcher.json, whose members are all optional. Its error names the file.
func readLauncher(path string) (launcher, error) {
	l := launcher{GameFolder: defaultGameFolder, LogLevel: "warning"}
	fail := func(err error) (launcher, error) { return l, fmt.Errorf("%s: %w", path, err) }
	text, err := os.ReadFile(path)
	if err != nil {
		return l, err
	}
	doc, err := jsondoc.Parse(text)
	if err != nil {
		return fail(err)
	}
	root := doc.Root()
	if root.Kind() != jsondoc.Object {
		return fail(errors.New("not an object"))
	}
	for name, target := range map[string]*string{"gameFolder": &l.GameFolder, "title": &l.Title, "logLevel": &l.LogLevel} {
		if v := root.Get(name); v.Exists() {
			if *target, err = v.Text(); err != nil {
				return fail(fmt.Errorf("%s: %w", name, err))
			}
		}
	}
	if v := root.Get("developerTools"); v.Exists() {
		if l.DevTools, err = v.Bool(); err != nil {
			return fail(fmt.Errorf("developerTools: %w", err))
		}
	}
	if !slices.Contains(logLevels[:], strings.ToLower(l.LogLevel)) {
		return fail(fmt.Errorf("logLevel is %q, expected one of %s", l.LogLevel, strings.Join(logLevels[:], ", ")))
	}
	return l, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// alone says whether a folder has no other entry than that of the name, hidden ones aside.
func alone(dir, name string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() != name && !strings.HasPrefix(e.Name(), ".") })
}

// globQuoted lets a path be a path in a pattern.
func globQuoted(path string) string {
	if filepath.Separator == '\\' {
		return path // where patterns know no quoting, and names no stars
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
