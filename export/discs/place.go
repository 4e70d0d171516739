package discs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"talebinder/export"
	"talebinder/export/words"
)

// A place is where a new image goes.
type place struct {
	target  string // as it is named to people
	inPlace bool   // it is the image itself, under whatever spelling
	alias   string // another name of the same file, a hard link, that is to be one afterwards too; or ""
	folder  string // that the new image is written to, behind all links
	base    string // name of the file that is written, behind all links
	own     []fs.FileInfo
	backup  bool
	old     int64 // bytes of the image, which a backup may need again
}

// findPlace finds out where the new image goes, and whether it can.
func findPlace(im *Image, target string) (*place, error) {
	pl := &place{target: target, old: im.Size, own: []fs.FileInfo{im.info}}
	if target == "" {
		pl.target, pl.inPlace = im.Path, true
	} else if info, err := os.Stat(target); err == nil {
		switch {
		case os.SameFile(info, im.info):
			pl.inPlace = true
			if behindLinks(target) != behindLinks(im.Path) {
				pl.alias = target
			}
			pl.target = im.Path
		case info.IsDir():
			return nil, &Refusal{What: target, Found: "it is a folder", Needed: "the file that the new image goes into"}
		case !info.Mode().IsRegular():
			return nil, &Refusal{What: target, Found: "it is not an ordinary file", Needed: "the file that the new image goes into"}
		default:
			pl.own = append(pl.own, info)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	real := behindLinks(pl.target)
	pl.folder, pl.base = filepath.Dir(real), filepath.Base(real)
	info, err := os.Stat(pl.folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &Refusal{What: pl.target, Found: "the folder " + pl.folder + " does not exist", Needed: "a folder for the new image", Advice: "Make it first", Err: err}
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, &Refusal{What: pl.target, Found: pl.folder + " is a file", Needed: "a folder for the new image"}
	}
	pl.own = append(pl.own, info)
	if err := export.CheckWritable(pl.folder); err != nil {
		return nil, &Refusal{What: pl.target, Found: err.Error(), Needed: "a folder that you may write to", Advice: "Name another target, or change the folder's permissions", Err: err}
	}
	if info, err := os.Stat(real); err == nil && info.Mode().Perm()&0o222 == 0 {
		return nil, &Refusal{What: pl.target, Found: "the file is marked read-only", Needed: "a file that may be replaced", Advice: "Name another target, or change the file's permissions", Err: fs.ErrPermission}
	}
	return pl, nil
}

// behindLinks is the absolute path that a path leads to. What does not exist is as it is named.
func behindLinks(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if link, err := os.Readlink(path); err == nil { // one that leads to nothing yet
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(path), link)
		}
		path = link
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(folder, filepath.Base(path))
	}
	return path
}

// checkSpace refuses to write size bytes to a disk that has no room for them.
func (pl *place) checkSpace(size int64) error {
	free := export.FreeSpace(pl.folder)
	if free < 0 || free >= size {
		return nil
	}
	return &Refusal{
		What: pl.target, Found: fmt.Sprintf("%s are free on the disk of %s", words.Size(free), pl.folder), Needed: words.Size(size) + ", since the old image stays until the new one is complete",
		Advice: "Free some space, or name a target on another disk",
	}
}

// keep gives the old image another name beside it, jazz2.cdi.bak as a rule, and returns that name.
func (pl *place) keep() (string, error) {
	image := filepath.Join(pl.folder, pl.base)
	for n := 1; ; n++ {
		backup := image + ".bak"
		if n > 1 {
			backup = fmt.Sprintf("%s.%d.bak", image, n)
		}
		err := os.Link(image, backup)
		switch {
		case errors.Is(err, fs.ErrExist):
			continue
		case err == nil:
			return backup, nil
		}
		// A file system without hard links: the bytes are copied.
		if err := pl.checkSpace(pl.old); err != nil {
			return "", err
		}
		err = copyNew(backup, image)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		return backup, err
	}
}

func copyNew(target, source string) error {
	in, err := os.Open(source)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err == nil {
		err = out.Sync()
	}
	if closeErr := out.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		_ = os.Remove(target)
	}
	return err
}

// linkAgain makes the other name of the image one of the new image.
func (pl *place) linkAgain() error {
	if pl.alias == "" {
		return nil
	}
	temp := pl.alias + ".tmp"
	_ = os.Remove(temp)
	if err := os.Link(filepath.Join(pl.folder, pl.base), temp); err != nil {
		return err
	}
	if err := os.Rename(temp, pl.alias); err != nil {
		_ = os.Remove(temp)
		return err
	}
	return nil
}
