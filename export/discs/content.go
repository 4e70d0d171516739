package discs

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Limits of a content folder, far beyond what a medium holds.
const (
	maxContentDepth   = 64
	maxContentEntries = 1 << 18
)

// A contentEntry is a file or folder that goes onto a medium.
type contentEntry struct {
	path string // below Content, slashes
	host string // on this system
	dir  bool
	info fs.FileInfo

	sum  [sha256.Size]byte // of what was read from it
	read bool              // it has been read to its end
}

// A content is a folder that goes onto a medium.
type content struct {
	folder  string
	modTime time.Time
	entries []*contentEntry // a folder before what is in it, names in the order of their bytes
	bytes   int64
	leftOut []string // paths that staging leaves out
}

// readContent looks at everything in a folder. Links are followed. What is neither a file nor a folder is refused, and so is
// what is one of own: the image, and the folder that the new one goes into.
func readContent(ctx context.Context, folder string, own []fs.FileInfo) (*content, error) {
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &Refusal{What: "The content folder " + folder, Found: "it does not exist", Needed: "a folder whose files become Content", Err: err}
	case err != nil:
		return nil, fmt.Errorf("the content folder: %w", err)
	case !info.IsDir():
		return nil, &Refusal{What: "The content folder " + folder, Found: "it is a file", Needed: "a folder whose files become Content"}
	}
	c := &content{folder: folder, modTime: info.ModTime()}
	w := contentWalk{content: c, own: own}
	if err := w.walk(ctx, folder, "", []fs.FileInfo{info}); err != nil {
		return nil, err
	}
	return c, nil
}

type contentWalk struct {
	*content
	own []fs.FileInfo
}

// walk reads a folder; above are the folders that lead to it, itself last.
func (w *contentWalk) walk(ctx context.Context, folder, at string, above []fs.FileInfo) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(above) > maxContentDepth {
		return &Refusal{What: folder, Found: fmt.Sprintf("folders more than %d deep inside one another", maxContentDepth), Needed: "fewer"}
	}
	if err := w.checkOwn(folder, above[len(above)-1]); err != nil {
		return err
	}
	names, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("the content folder: %w", err)
	}
	for _, name := range names {
		e := &contentEntry{path: path.Join(at, name.Name()), host: filepath.Join(folder, name.Name())}
		if len(w.entries) >= maxContentEntries {
			return &Refusal{What: w.folder, Found: fmt.Sprintf("more than %d files and folders", maxContentEntries), Needed: "fewer"}
		}
		if e.info, err = os.Stat(e.host); err != nil {
			if name.Type()&fs.ModeSymlink != 0 {
				return &Refusal{What: e.host, Found: "a link that leads to nothing", Needed: "a file or a folder", Advice: "Repair or remove the link", Err: err}
			}
			return fmt.Errorf("the content folder: %w", err)
		}
		w.entries = append(w.entries, e)
		switch {
		case e.info.IsDir():
			e.dir = true
			if slices.ContainsFunc(above, func(a fs.FileInfo) bool { return os.SameFile(a, e.info) }) {
				return &Refusal{What: e.host, Found: "a link that leads to a folder above it, so that the folders have no end", Needed: "folders that end", Advice: "Remove the link"}
			}
			if err := w.walk(ctx, e.host, e.path, append(slices.Clip(above), e.info)); err != nil {
				return err
			}
		case !e.info.Mode().IsRegular():
			return &Refusal{What: e.host, Found: "a " + kindOfFile(e.info.Mode()), Needed: "files and folders only", Advice: "Remove it from the content folder"}
		default:
			if err := w.checkOwn(e.host, e.info); err != nil {
				return err
			}
			file, err := os.Open(e.host)
			if err != nil {
				return &Refusal{What: e.host, Found: "it cannot be read (" + cause(err).Error() + ")", Needed: "files that you may read", Err: err}
			}
			_ = file.Close()
			w.bytes += e.info.Size()
		}
	}
	return nil
}

// checkOwn refuses the image itself, and the folder that the new one is written to, as content.
func (w *contentWalk) checkOwn(name string, info fs.FileInfo) error {
	for _, own := range w.own {
		if os.SameFile(own, info) {
			what := "the image itself is in the content folder"
			if own.IsDir() {
				what = "the image is written into the content folder, where it would become part of itself"
			}
			return &Refusal{What: name, Found: what, Needed: "a content folder without the image", Advice: "Move the image out of the content folder, or name a folder below it"}
		}
	}
	return nil
}

func kindOfFile(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "pipe"
	case mode&fs.ModeSocket != 0:
		return "socket"
	case mode&fs.ModeDevice != 0:
		return "device"
	}
	return "special file"
}

// cause is an error of the system without the path that leads to it.
func cause(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}

// open gives the content of a file, and keeps its hash when it has been read to its end. A file that is not what it was when
// the folder was looked at is an error.
func (e *contentEntry) open() (io.ReadCloser, error) {
	file, err := os.Open(e.host)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = e.unchanged(info)
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return &hashedFile{entry: e, file: file, hash: sha256.New()}, nil
}

func (e *contentEntry) unchanged(info fs.FileInfo) error {
	if info.Size() == e.info.Size() && info.ModTime().Equal(e.info.ModTime()) {
		return nil
	}
	return &Refusal{What: e.host, Found: "the file was changed while it was read", Needed: "a content folder that stays as it is until the work is done", Advice: "Try again when nothing writes to it"}
}

type hashedFile struct {
	entry *contentEntry
	file  *os.File
	hash  hash.Hash
	size  int64
}

func (f *hashedFile) Read(p []byte) (int, error) {
	n, err := f.file.Read(p)
	f.hash.Write(p[:n])
	f.size += int64(n)
	if f.size == f.entry.info.Size() && !f.entry.read {
		// All of it has been read: whoever reads need not come to the end of the file.
		info, statErr := f.file.Stat()
		if statErr == nil {
			statErr = f.entry.unchanged(info)
		}
		if statErr != nil {
			return n, statErr
		}
		f.hash.Sum(f.entry.sum[:0])
		f.entry.read = true
	}
	return n, err
}

func (f *hashedFile) Close() error { return f.file.Close() }

// stage leaves out of a content what a cartridge does not need, as the build of one does: at the top .n64-temp; below Music
// the modules that libdragon does not play; below Cinematics those that have a video in the console's own format; below
// Translations their sources. A Source.pak at the top becomes Prebaked.pak. Folders stay, also when they are empty then.
func (c *content) stage() {
	files := make(map[string]bool)
	for _, e := range c.entries {
		if !e.dir {
			files[e.path] = true
		}
	}
	staged := c.entries[:0:0]
	for _, e := range c.entries {
		if c.omitted(e, files) {
			if !e.dir {
				c.leftOut = append(c.leftOut, e.path)
				c.bytes -= e.info.Size()
			}
			continue
		}
		if e.path == "Source.pak" && !e.dir {
			e.path = "Prebaked.pak"
		}
		staged = append(staged, e)
	}
	c.entries = staged
}

// musicSources are what the game's music is made of, which a cartridge has as .xm64 and .wav64.
var musicSources = []string{"j2b", "it", "s3m", "mod", "mo3", "xm", "ogg", "umx"}

func (c *content) omitted(e *contentEntry, files map[string]bool) bool {
	top, below, deep := strings.Cut(e.path, "/")
	if !deep {
		return e.dir && top == ".n64-temp" || !e.dir && e.path == "Prebaked.pak" && files["Source.pak"]
	}
	if top == ".n64-temp" {
		return true
	}
	if e.dir {
		return false
	}
	name := path.Base(below)
	stem, ext := name, ""
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 && strings.Trim(name[:dot], ".") != "" {
		stem, ext = name[:dot], lower(name[dot+1:])
	}
	switch lower(top) {
	case "music":
		return slices.Contains(musicSources, ext)
	case "cinematics":
		beside := strings.TrimSuffix(e.path, name) + stem
		return ext == "j2v" && (files[beside+".m1v"] || files[beside+".h264"])
	case "translations":
		return ext == "po"
	}
	return false
}

// lower makes ASCII letters small.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
