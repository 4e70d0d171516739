// Package cli is the program without its window: every job that a screen offers, as a command for terminals and build
// servers.
//
// Exit codes: 0 the work is done, 1 it failed, was cancelled, or a check found an error, 2 the arguments are wrong. With
// --json a command prints one JSON document on standard output, and what is meant for people goes to standard error;
// commands that run a job print JSON lines instead.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"talebinder/export/preferences"
	"talebinder/project"
)

// The exit codes of every command.
const (
	Done     = 0 // the work is done
	Failure  = 1 // the work failed, was cancelled, or a check found an error
	BadUsage = 2 // the arguments are wrong
)

// Streams are where a command reads and writes.
type Streams struct {
	Out, Err io.Writer
	Terminal bool   // Err is a terminal: progress may overwrite its line
	Version  string // of the program, for --version
}

// usageError is a mistake in the arguments.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// errReported ends a command with exit code 1 whose reasons have been printed already.
var errReported = errors.New("already reported")

// Run carries out the command that args name, without the program's own name, and returns the exit code.
func Run(ctx context.Context, args []string, s Streams) int {
	root := newRoot(s)
	root.SetArgs(args)
	command, err := root.ExecuteContextC(ctx)
	var usage usageError
	var notProject *project.NotProjectError
	switch {
	case err == nil:
		return Done
	case errors.Is(err, errReported):
		return Failure
	case errors.As(err, &usage), strings.HasPrefix(err.Error(), "unknown command"):
		fmt.Fprintf(s.Err, "error: %v\n\n%s", err, command.UsageString())
		return BadUsage
	case errors.As(err, &notProject):
		fmt.Fprintf(s.Err, "error: %v\n\n%s", err, command.UsageString())
		return BadUsage
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(s.Err, "Cancelled")
		return Failure
	}
	fmt.Fprintf(s.Err, "error: %v\n", err)
	return Failure
}

// WindowArgument says whether args, without the program's own name, ask for the window: there are none, or a single one
// that is neither a command nor an option, which is then the path to open.
func WindowArgument(args []string) (path string, window bool) {
	switch {
	case len(args) == 0:
		return "", true
	case len(args) > 1, strings.HasPrefix(args[0], "-"):
		return "", false
	}
	root := newRoot(Streams{Out: io.Discard, Err: io.Discard})
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
	for _, command := range root.Commands() {
		if command.Name() == args[0] || command.HasAlias(args[0]) {
			return "", false
		}
	}
	return args[0], true
}

func newRoot(s Streams) *cobra.Command {
	root := &cobra.Command{
		Use:     "talebinder",
		Version: s.Version,
		Short:   "Open, check and export Talesmith games",
		Long: "Talebinder opens Talesmith projects, checks what a build would ship, and exports games.\n\n" +
			"Without arguments, or with a project folder alone, it opens its window.\n\n" +
			"Exit codes: 0 done; 1 the work failed, was cancelled, or a check found an error; 2 wrong arguments.",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddCommand(
		exportCommand(s),
		checkCommand(s),
		contentCommand(s),
		packCommand(s),
		verifyCommand(s),
		cacheCommand(s),
		settingsCommand(s),
		repairCommand(s),
		doctorCommand(s),
		historyCommand(s),
		budgetCommand(s),
		presetsCommand(s),
		playersCommand(s),
		sceneCommand(s),
		prefabCommand(s),
		formatCommand(s),
		packFontCommand(s),
		unpackFontCommand(s),
		applyPaletteCommand(s),
		toIndicesCommand(s),
		fontCommand(s),
		swapCommand(s),
		discCommand(s),
		sampleCommand(s),
	)
	return root
}

// exactly refuses any other number of arguments than the names say.
func exactly(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return usagef("%s is missing", names[len(args)])
		case len(args) > len(names):
			return usagef("%q is one argument too many", args[len(names)])
		}
		return nil
	}
}

// atLeast refuses fewer arguments than the names say.
func atLeast(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return usagef("%s is missing", names[len(args)])
		}
		return nil
	}
}

// printJSON writes the one JSON document of a command.
func printJSON(w io.Writer, document any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(document)
}

// openProject opens the project that a command names, with the engine's version that was set in the window.
func openProject(ctx context.Context, path string) (*project.Project, error) {
	set, err := preferences.Read()
	if err != nil {
		return nil, err
	}
	p, err := project.Open(ctx, path, project.Options{EngineVersion: set.EngineVersion})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// count gives a number with its noun, such as "1 file" or "3 files".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// NoWindow tells a person who asked the program without a window to open it, and returns the exit code.
func NoWindow(w io.Writer, path string) int {
	what := "opening the window"
	if path != "" {
		what = fmt.Sprintf("opening the window on %q", path)
	}
	fmt.Fprintf(w, "error: %s: this build of Talebinder has commands only\n\n%s", what, newRoot(Streams{Out: w, Err: w}).UsageString())
	return BadUsage
}
