// Talebinder opens, checks and exports Talesmith games, in a window and as commands.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/term"

	"talebinder/cli"
)

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
	})
}
