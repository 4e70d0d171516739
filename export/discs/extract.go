package discs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"

	"talebinder/export"
	"talebinder/export/words"
	"talebinder/formats/assetpath"
)

// Totals say what an extraction wrote.
type Totals struct {
	Files int
	Bytes int64
}

// Extract writes files of an image below a folder, which is made when it does not exist: all of them, or the files and
// folders whose paths are named, ignoring case. A path that would leave the folder, or that no file here can have, is
// refused before anything is written. A file that is there already is not replaced, and links below the folder are not
// followed.
func Extract(ctx context.Context, im *Image, folder string, paths []string, progress Progress) (Totals, error) {
	var totals Totals
	files, err := im.Files(ctx)
	if err != nil {
		return totals, err
	}
	if files, err = choose(files, paths); err != nil {
		return totals, err
	}
	targets := make([]string, len(files))
	taken := make(map[string]string)
	var bytes int64
	for i, f := range files {
		if f.Fault != nil {
			return totals, refuse(im.Path, f.Fault, "")
		}
		if targets[i], err = safeTarget(folder, f.Path); err != nil {
			return totals, err
		}
		if key := foldedName(targets[i]); !f.Dir || taken[key] != "" {
			if other := taken[key]; other != "" {
				return totals, &Refusal{What: f.Path, Found: fmt.Sprintf("%s has the same name here", other), Needed: "one name for each file", Advice: "Extract them into two folders"}
			}
			taken[key] = f.Path
		}
		bytes += f.Size
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return totals, err
	}
	if free := export.FreeSpace(folder); free >= 0 && free < bytes {
		return totals, &Refusal{What: folder, Found: words.Size(free) + " are free on its disk", Needed: words.Size(bytes), Advice: "Free some space, or name another folder"}
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return totals, err
	}
	defer root.Close()
	counter := newCounter(bytes, progress)
	for i, f := range files {
		if err := im.extract(ctx, root, f, targets[i], counter); err != nil {
			return totals, err
		}
		if !f.Dir {
			totals.Files++
			totals.Bytes += f.Size
		}
	}
	counter.finish()
	return totals, im.changed()
}

// foldedName is what names are compared by where case does not count.
func foldedName(name string) string {
	if runtime.GOOS == "linux" {
		return name
	}
	return assetpath.Fold(name)
}

// choose keeps the files that are named, and what is in the folders that are named.
func choose(files []File, paths []string) ([]File, error) {
	if len(paths) == 0 {
		return files, nil
	}
	wanted := make([]string, len(paths))
	found := make([]bool, len(paths))
	for i, p := range paths {
		wanted[i] = assetpath.Fold(strings.Trim(path.Clean("/"+filepath.ToSlash(p)), "/"))
	}
	var chosen []File
	for _, f := range files {
		name, hit := assetpath.Fold(f.Path), false
		for i, w := range wanted {
			if w == "" || name == w || strings.HasPrefix(name, w+"/") {
				found[i], hit = true, true
			}
		}
		if hit {
			chosen = append(chosen, f)
		}
	}
	for i, ok := range found {
		if !ok {
			return nil, &Refusal{What: paths[i], Found: "the image has no such file or folder", Advice: "List the image to see what there is"}
		}
	}
	return chosen, nil
}

// safeTarget is the path of a file below the folder, with the separators of this system.
func safeTarget(folder, name string) (string, error) {
	refusal := &Refusal{What: fmt.Sprintf("%q cannot be extracted", name), Needed: "a name that stays below " + folder}
	for _, part := range strings.Split(name, "/") {
		switch {
		case part == "" || part == "." || part == "..":
			refusal.Found = "a name that leads elsewhere"
			return "", refusal
		case strings.ContainsAny(part, "\\\x00") || !utf8.ValidString(part):
			refusal.Found = "a name that no file here can have"
			return "", refusal
		}
	}
	target, err := filepath.Localize(name)
	if err == nil {
		_, err = assetpath.SafeJoin(folder, name)
	}
	if err != nil {
		refusal.Found, refusal.Err = "a name that no file here can have", err
		return "", refusal
	}
	return target, nil
}

// extract writes one file. Nothing is left of one that could not be written to its end.
func (im *Image) extract(ctx context.Context, root *os.Root, f File, target string, counter *counter) error {
	if f.Dir {
		return root.MkdirAll(target, 0o777)
	}
	if dir := filepath.Dir(target); dir != "." {
		if err := root.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	r, err := im.Reader(f)
	if err != nil {
		return err
	}
	out, err := root.OpenFile(target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return &Refusal{What: filepath.Join(root.Name(), target), Found: "the file is there already", Needed: "a folder without it", Advice: "Name another folder, or remove the file", Err: err}
	}
	if err != nil {
		return err
	}
	err = counter.copy(ctx, out, r, f.Path)
	if closeErr := out.Close(); err == nil {
		err = closeErr
	}
	if err == nil && !f.ModTime.IsZero() {
		err = root.Chtimes(target, time.Time{}, f.ModTime)
	}
	if err != nil {
		_ = root.Remove(target)
		if export.IsFull(err) {
			return &Refusal{What: f.Path, Found: "the disk is full", Needed: words.Size(f.Size), Advice: "Free some space, or name another folder", Err: err}
		}
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	return nil
}
