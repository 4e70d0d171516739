// Talebinder opens, checks and exports Talesmith games, in a window and as commands.
package main

import (
	"context"
	_ "embed"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"golang.org/x/term"

	"talebinder/cli"
)

// metadata is what packages of the program say about it, its version included.
//
//go:embed FyneApp.toml
var metadata string

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	if path, window := cli.WindowArgument(args); window {
		return openWindow(path)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return cli.Run(ctx, args, cli.Streams{
		Out:      os.Stdout,
		Err:      os.Stderr,
		Terminal: term.IsTerminal(int(os.Stderr.Fd())),
		Version:  version(),
	})
}

// version is the program's version, from its metadata.
func version() string {
	_, rest, _ := strings.Cut(metadata, "\nVersion = \"")
	number, _, _ := strings.Cut(rest, "\"")
	return number
}
