//go:build headless

package main

import (
	"os"

	"talebinder/cli"
)

// openWindow says that this build of the program has commands only.
func openWindow(path string) int {
	return cli.NoWindow(os.Stderr, path)
}
