// Package hub is what the window shows before a project is open: the recent projects as cards, and the ways to open
// another one.
package hub

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"talebinder/gui/settings"
	"talebinder/project"
)

// A State says what has become of a recent project's folder.
type State uint8

// The states.
const (
	Unknown   State = iota // not looked at yet
	Present                // it is there
	Gone                   // the folder does not exist
	Changed                // the folder exists but is no project any more
	Forbidden              // the folder cannot be read
)

// look finds out what has become of a project's folder.
func look(dir string) State {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Gone
	case err != nil:
		return Forbidden
	case !info.IsDir():
		return Changed
	}
	if found, err := project.Find(dir); err != nil || !sameFolder(found, dir) {
		return Changed
	}
	return Present
}

func sameFolder(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// explain says why a card is marked as missing and what can be done, in two sentences.
func explain(r settings.Recent, s State) (title, body string) {
	switch s {
	case Changed:
		return "This folder is no Talesmith project any more",
			"The folder is still there, but it has no assets/config/game.json. The project may lie in another folder now."
	case Forbidden:
		return "This folder cannot be read",
			"The system does not allow reading it, or the drive that it lies on does not answer."
	}
	body = "The folder has been moved, renamed or deleted, or the drive that it lies on is not connected."
	if parent := nearest(r.Path); parent != "" {
		body += " The nearest folder that exists is " + parent + "."
	}
	return "The project folder is not there", body
}

// nearest gives the nearest folder above a path that exists.
func nearest(path string) string {
	for {
		parent := filepath.Dir(path)
		if parent == path {
			return ""
		}
		if info, err := os.Stat(parent); err == nil && info.IsDir() {
			return parent
		}
		path = parent
	}
}

// monogram gives the one or two letters that stand for a title without a picture.
func monogram(title string) string {
	var out []rune
	fresh := true
	for _, r := range title {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r)
		if letter && fresh && len(out) < 2 {
			out = append(out, unicode.ToUpper(r))
		}
		fresh = !letter
	}
	if len(out) == 0 {
		return "?"
	}
	return string(out)
}

// colourOf picks one of n colours for a path, always the same one.
func colourOf(path string, n int) int {
	h := uint32(2166136261)
	for _, b := range []byte(strings.ToLower(path)) {
		h = (h ^ uint32(b)) * 16777619
	}
	return int(h % uint32(n))
}
