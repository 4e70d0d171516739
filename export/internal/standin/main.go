// Standin stands in for the Talesmith player in tests. It finds its game exactly as the player does, reads everything that the
// player would read at the start, and prints what it found, one fact a line. It shows nothing and plays nothing.
//
// It exits with 0 when all is there, with 1 when something is missing or damaged, and with 2 when the arguments are wrong.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	exe, err := os.Executable()
	if err == nil {
		exe, err = filepath.EvalSymlinks(exe)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	cwd, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(play(os.Args[1:], filepath.Dir(exe), cwd, os.Stdout, os.Stderr))
}

// settings are what the player starts with.
type settings struct {
	title      string
	gameFolder string
	logLevel   string
	devTools   bool
	renderer   string
	captures   string
	mute       bool
}

var logLevels = []string{"trace", "debug", "information", "warning", "error", "critical", "none"}

// play does what the player does until the first frame.
func play(args []string, ownFolder, cwd string, stdout, stderr io.Writer) int {
	fail := func(code int, err error) int {
		fmt.Fprintln(stderr, "error:", err)
		return code
	}
	s := settings{gameFolder: cwd, logLevel: "information", devTools: true, renderer: "auto"}
	launched, err := readLauncher(filepath.Join(ownFolder, "launcher.json"), &s)
	if err != nil {
		return fail(1, err)
	}
	if err := readArguments(args, cwd, &s); err != nil {
		return fail(2, err)
	}
	if info, err := os.Stat(s.gameFolder); err != nil || !info.IsDir() {
		return fail(2, fmt.Errorf("the game folder %s does not exist", s.gameFolder))
	}

	say := func(format string, values ...any) { fmt.Fprintf(stdout, format+"\n", values...) }
	say("launcher: %s", word(launched, "launcher.json", "none"))
	say("title: %s", s.title)
	say("log level: %s", s.logLevel)
	say("developer tools: %s", word(s.devTools, "on", "off"))
	say("game folder: %s", relative(ownFolder, s.gameFolder))

	g, err := openGame(s.gameFolder)
	if err != nil {
		return fail(1, err)
	}
	defer g.close()
	say("asset root: %s", relative(s.gameFolder, g.root))
	if g.pack != nil {
		say("pack: %d entries", len(g.pack.Entries()))
	} else {
		say("pack: none")
	}
	if err := g.readCatalog(); err != nil {
		return fail(1, err)
	}
	say("catalog: %d assets from %s", len(g.catalog), g.catalogSource)

	missing := g.check(say)
	for _, m := range missing {
		say("missing: %s", m)
	}
	if len(missing) > 0 {
		return 1
	}
	say("ready")
	return 0
}

// readArguments lets the command line override what the launcher says.
func readArguments(args []string, cwd string, s *settings) error {
	value := func(i int) (string, error) {
		if i+1 >= len(args) {
			return "", fmt.Errorf("%s needs a value", args[i])
		}
		return args[i+1], nil
	}
	for i := 0; i < len(args); i++ {
		var err error
		switch arg := args[i]; arg {
		case "--no-dev-tools":
			s.devTools = false
		case "--mute":
			s.mute = true
		case "--log-level":
			if s.logLevel, err = value(i); err == nil && !slices.Contains(logLevels, strings.ToLower(s.logLevel)) {
				err = fmt.Errorf("%q is no log level", s.logLevel)
			}
			i++
		case "--renderer":
			if s.renderer, err = value(i); err == nil && !slices.Contains([]string{"auto", "vulkan", "skia"}, s.renderer) {
				err = fmt.Errorf("%q is no renderer", s.renderer)
			}
			i++
		case "--captures":
			s.captures, err = value(i)
			i++
		default:
			if strings.HasPrefix(arg, "-") {
				return fmt.Errorf("unknown option %s", arg)
			}
			s.gameFolder = arg
			if !filepath.IsAbs(arg) {
				s.gameFolder = filepath.Join(cwd, arg)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func word(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

// relative gives a path relative to a folder, with forward slashes, where that is possible.
func relative(folder, path string) string {
	if rel, err := filepath.Rel(folder, path); err == nil {
		path = rel
	}
	return filepath.ToSlash(path)
}
