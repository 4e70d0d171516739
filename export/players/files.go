package players

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A File of a player folder.
type File struct {
	Path   string // relative to the player folder, with forward slashes
	Source string // where its bytes are, behind all links
	Size   int64
	Mode   fs.FileMode // permissions
}

// Files lists what a build takes from the player: every file at any depth whose name does not start with a dot, in lexical
// order of the folders. A link counts as the file that it leads to, which has to be in the player folder too; a link to a
// folder is refused.
func (p Player) Files(ctx context.Context) ([]File, error) {
	var files []File
	err := filepath.WalkDir(p.Dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if entry.IsDir() || strings.HasPrefix(entry.Name(), ".") {
			return nil
		}
		rel, err := filepath.Rel(p.Dir, path)
		if err != nil {
			return err
		}
		source := path
		if entry.Type()&fs.ModeSymlink != 0 {
			if source, err = inside(p.Dir, path); err != nil {
				return err
			}
		}
		info, err := os.Stat(source)
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s: a player may hold files only, this is something else (%s)", path, info.Mode().Type())
		}
		files = append(files, File{Path: filepath.ToSlash(rel), Source: source, Size: info.Size(), Mode: info.Mode().Perm()})
		return nil
	})
	return files, err
}

// inside resolves a link and refuses one that leads out of dir. dir has no links in it.
func inside(dir, link string) (string, error) {
	target, err := filepath.EvalSymlinks(link)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s: the link leads to nothing", link)
	}
	if err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(dir, target); err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s: the link leads out of the player folder, to %s", link, target)
	}
	return target, nil
}
