// Draw makes the sample font's files from its drawing: the grid image, its character list, and the same image in colours.
//
//	go run ./internal/pixelfont/draw fonts/postmark.txt fonts/Postmark
package main

import (
	"errors"
	"fmt"
	"os"

	"talebinder/examples/internal/pixelfont"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: draw DRAWING.txt FONT")
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	files, err := pixelfont.Files(text)
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	for suffix, data := range files {
		if err := os.WriteFile(args[1]+suffix, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
