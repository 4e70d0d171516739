// Package examples holds the sample game that comes with the program: Driftmail, a small game about carrying letters
// by sea. Its pictures, sounds, scenes and scripts were made for this project and are under its licence.
package examples

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

//go:embed all:driftmail
var files embed.FS

// Name is the sample game's title and the name of the folder that Extract makes.
const Name = "Driftmail"

// Files gives the sample project's files, with build.json and assets at the top.
func Files() fs.FS {
	sub, err := fs.Sub(files, "driftmail")
	if err != nil {
		// The name is a constant that the embed directive above has checked.
		panic(err)
	}
	return sub
}

// Extract writes the sample project to a folder called Driftmail below parent and returns that folder. A folder that
// is already there is left as it is, with whatever a person has changed in it. The folder appears only when it is
// complete.
func Extract(parent string) (string, error) {
	target := filepath.Join(parent, Name)
	if _, err := os.Stat(target); err == nil {
		return target, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("sample game: %w", err)
	}
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", fmt.Errorf("sample game: %w", err)
	}
	staging, err := os.MkdirTemp(parent, "."+Name+"-")
	if err != nil {
		return "", fmt.Errorf("sample game: %w", err)
	}
	defer os.RemoveAll(staging)
	if err := copyTree(staging, Files()); err != nil {
		return "", fmt.Errorf("sample game: %w", err)
	}
	if err := os.Chmod(staging, 0o755); err != nil {
		return "", fmt.Errorf("sample game: %w", err)
	}
	if err := os.Rename(staging, target); err != nil {
		// Another process may have put the same folder there in the meantime.
		if _, statErr := os.Stat(target); statErr == nil {
			return target, nil
		}
		return "", fmt.Errorf("sample game: %w", err)
	}
	return target, nil
}

func copyTree(target string, from fs.FS) error {
	return fs.WalkDir(from, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(target, filepath.FromSlash(path.Clean(name)))
		if entry.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		data, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o644)
	})
}
