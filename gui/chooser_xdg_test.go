//go:build linux || freebsd || netbsd || openbsd || dragonfly

package gui

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestAPlusThatWasReadAsASpaceIsFoundAgain(t *testing.T) {
	root := t.TempDir()
	real := filepath.Join(root, "a+b", "c d+e")
	write(t, filepath.Join(real, "f"), "")
	for said, want := range map[string]string{
		filepath.Join(root, "a b", "c d e"):      real,
		filepath.Join(root, "a b", "c d e", "f"): filepath.Join(real, "f"),
		real:                                     real,
		filepath.Join(root, "no such", "x"):      filepath.Join(root, "no such", "x"),
	} {
		if got := restorePlus(said); got != want {
			t.Errorf("%s: %s, want %s", strings.TrimPrefix(said, root), got, want)
		}
	}
}
