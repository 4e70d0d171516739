package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"talebinder/export/words"
	"talebinder/formats/icon"
	"talebinder/platforms"
	"talebinder/project"
)

// maxIconFile is the largest icon file that is read, in bytes.
const maxIconFile = 64 << 20

// An appIcon is the picture that a game has as its icon.
type appIcon struct {
	file    string
	data    []byte        // the file
	picture *icon.Picture // nil when the file is no picture that can be used
	changed time.Time
}

// iconFile is the file that the settings name as icon, or "" when there is none that can be used, about which the checks warn.
func iconFile(p *project.Project) string {
	s := p.Build.Settings()
	if s.Icon == nil || *s.Icon == "" || !strings.EqualFold(filepath.Ext(*s.Icon), ".png") {
		return ""
	}
	file := p.IconPath(*s.Icon)
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return file
}

// readIcon reads the icon file and says what is wrong with the picture. Without a usable icon the game has none, which is no
// error.
func (r *run) readIcon() {
	file := iconFile(r.project)
	if file == "" {
		return
	}
	warn := func(format string, args ...any) {
		r.warn(viaBuild, fmt.Sprintf("the icon %s ", *r.settings.Icon)+fmt.Sprintf(format, args...))
	}
	data, changed, err := readLimited(file, maxIconFile)
	if err != nil {
		warn("cannot be read: %v. Without it the game has no icon", err)
		return
	}
	r.appIcon = &appIcon{file: file, data: data, changed: changed}
	picture, err := icon.Read(data)
	if err != nil {
		without := "Without it the game has no icon"
		if r.target.Platform == platforms.Linux {
			without = "It is copied as it is, but desktops will not show it"
		}
		warn("cannot be used: %v. %s", err, without)
		return
	}
	r.appIcon.picture = picture
	if r.target.Platform != platforms.Linux {
		for _, warning := range picture.Warnings() {
			r.warn(viaBuild, fmt.Sprintf("the icon %s: %s", *r.settings.Icon, warning))
		}
	}
}

// readLimited reads a file of at most limit bytes, and its time.
func readLimited(file string, limit int64) ([]byte, time.Time, error) {
	f, err := os.Open(file)
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return nil, time.Time{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, time.Time{}, err
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("the file is larger than %s", words.Size(limit))
	}
	return data, info.ModTime(), err
}

// iconImages makes the sizes of the icon, none when the game has no usable icon.
func (r *run) iconImages(ctx context.Context, sizes []int) ([]icon.Image, error) {
	if r.appIcon == nil || r.appIcon.picture == nil {
		return nil, nil
	}
	return r.appIcon.picture.PNGs(ctx, sizes)
}

// newest gives the latest of the times of files; those that do not exist do not count. What is made of several files gets it,
// so that the same files give the same build, down to the times in its archive.
func newest(files ...string) time.Time {
	var latest time.Time
	for _, file := range files {
		if info, err := os.Stat(file); err == nil && info.ModTime().After(latest) {
			latest = info.ModTime()
		}
	}
	return latest
}

// settingsFiles are the files that a game's title, name and version come from.
func (r *run) settingsFiles() []string {
	return []string{fileBelow(r.project.AssetRoot(), viaGame), filepath.Join(r.project.Dir, viaBuild)}
}

// shownTitle is the game's title without control characters, or else its name.
func (r *run) shownTitle() string {
	title := strings.TrimSpace(strings.Map(func(c rune) rune {
		if c < ' ' || c >= 0x7f && c < 0xa0 || c == 0xfffe || c == 0xffff {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(r.project.Title(), "\ufffd")))
	if title == "" {
		return r.places.name
	}
	return title
}
