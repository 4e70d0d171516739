// Package examples holds what comes with the program to try it on: Driftmail, a small game about carrying letters by sea, and
// Postmark, a font for Jazz² Resurrection. Pictures, sounds, scenes, scripts and glyphs were made for this project and are
// under its licence.
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

//go:generate go run ./internal/pixelfont/draw fonts/postmark.txt fonts/Postmark

//go:embed all:driftmail
var files embed.FS

//go:embed fonts/*.png fonts/*.json fonts/*.po
var fontFiles embed.FS

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

// The sample font's name, which is also that of the folder that ExtractFont makes, and the files in it.
const (
	FontName        = "Postmark"
	FontImage       = "Postmark.png"         // the grid image in palette indices, with its list in Postmark.png.json beside it
	FontColors      = "Postmark-colours.png" // the same in colours, all of them in the palette
	FontTranslation = "Driftmail-pl.po"      // a translation that needs characters which the font does not have
)

// Fonts gives the sample font's files.
func Fonts() fs.FS {
	sub, err := fs.Sub(fontFiles, "fonts")
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
	dir, err := extract(parent, Name, Files())
	if err != nil {
		return "", fmt.Errorf("sample game: %w", err)
	}
	return dir, nil
}

// ExtractFont writes the sample font to a folder called Postmark below parent and returns that folder, in the way of Extract.
func ExtractFont(parent string) (string, error) {
	dir, err := extract(parent, FontName, Fonts())
	if err != nil {
		return "", fmt.Errorf("sample font: %w", err)
	}
	return dir, nil
}

func extract(parent, name string, from fs.FS) (string, error) {
	target := filepath.Join(parent, name)
	if _, err := os.Stat(target); err == nil {
		return target, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	staging, err := os.MkdirTemp(parent, "."+name+"-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(staging)
	if err := copyTree(staging, from); err != nil {
		return "", err
	}
	if err := os.Chmod(staging, 0o755); err != nil {
		return "", err
	}
	if err := os.Rename(staging, target); err != nil {
		// Another process may have put the same folder there in the meantime.
		if _, statErr := os.Stat(target); statErr == nil {
			return target, nil
		}
		return "", err
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
