package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// gameFile makes a folder a project.
var gameFile = filepath.Join("assets", "config", "game.json")

// A NotProjectError says that a path does not lie in a project.
type NotProjectError struct {
	Path   string // what was to be opened
	Looked string // what was looked for, and where
	Hint   string // what the person can do
	Err    error  // the error of the system, when it could not be looked for properly, or nil
}

// Error says what was looked for and what to do.
func (e *NotProjectError) Error() string {
	text := fmt.Sprintf("%s is not a Talesmith project: %s", e.Path, e.Looked)
	if e.Hint != "" {
		text += ". " + e.Hint
	}
	return text
}

// Unwrap gives the error of the system, if there is one.
func (e *NotProjectError) Unwrap() error { return e.Err }

// Find gives the absolute path of the project folder for the folder itself, any folder inside it, or any file inside it,
// such as build.json, game.json or a scene. Of projects within each other it is the innermost. The error is a
// *NotProjectError.
func Find(path string) (dir string, err error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", &NotProjectError{Path: path, Looked: "the path cannot be resolved: " + systemReason(err), Err: err}
	}
	info, err := os.Stat(absolute)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", &NotProjectError{
			Path: path, Looked: "it does not exist", Err: err,
			Hint: "If the project was moved or renamed, open it in its new place.",
		}
	case err != nil:
		return "", &NotProjectError{
			Path: path, Looked: "it cannot be looked at: " + systemReason(err), Err: err,
			Hint: "Check the permissions of the folder and of the folders above it.",
		}
	}
	start := absolute
	if !info.IsDir() {
		start = filepath.Dir(absolute)
	}
	var blocked error
	for at := start; ; {
		found, err := isProject(at)
		if found {
			return at, nil
		}
		if blocked == nil {
			blocked = err
		}
		parent := filepath.Dir(at)
		if parent == at {
			break
		}
		at = parent
	}
	if blocked != nil {
		return "", &NotProjectError{
			Path: path, Looked: "its files cannot be looked at: " + systemReason(blocked), Err: blocked,
			Hint: "Check the permissions of the folder assets and of what is in it.",
		}
	}
	return "", &NotProjectError{
		Path:   path,
		Looked: fmt.Sprintf("there is no assets/config/game.json in %s or in a folder above it", start),
		Hint:   findHint(start),
	}
}

// isProject says whether a folder is a project. An error means that it could not be found out.
func isProject(dir string) (bool, error) {
	info, err := os.Stat(filepath.Join(dir, gameFile))
	if err == nil {
		return !info.IsDir(), nil
	}
	if errors.Is(err, fs.ErrPermission) {
		return false, err
	}
	return false, nil
}

// maxNeighbours bounds the search for a project below a folder that is none.
const maxNeighbours = 500

// findHint looks for what the person may have meant.
func findHint(dir string) string {
	is := func(path ...string) bool {
		_, err := os.Stat(filepath.Join(append([]string{dir}, path...)...))
		return err == nil
	}
	if is("content.tspack") || is("launcher.json") || is("game", "content.tspack") {
		return "This is an exported game. Open the project that it was made from."
	}
	if f, err := os.Open(dir); err == nil {
		defer f.Close()
		entries, _ := f.ReadDir(maxNeighbours)
		var inside []string
		for _, entry := range entries {
			if found, _ := isProject(filepath.Join(dir, entry.Name())); found {
				inside = append(inside, entry.Name())
			}
		}
		switch {
		case len(inside) == 1:
			return fmt.Sprintf("The folder %s in it is a project: open that one.", inside[0])
		case len(inside) > 1:
			return fmt.Sprintf("%d folders in it are projects: open one of them.", len(inside))
		}
	}
	switch {
	case is("assets", "config"):
		return "The folder assets/config is there, but game.json is missing in it: open the project in Talesmith once, or bring the file back."
	case is("assets"):
		return "The folder assets is there, but config/game.json is missing in it."
	}
	return "Open the folder that holds assets, or anything inside it."
}
