// Package cache keeps the compressed forms of assets from one export to the next, keyed by what the assets contain.
//
// A cache is a folder of segments, files that are written once and never changed, so that any number of processes use it at
// the same time without waiting for each other. An export writes what it compresses into segments of its own, which appear in
// the folder when they are complete. What is read is checked: a segment whose table is damaged is removed, and a form that is
// not what was kept is reported and kept anew.
//
//	Segment
//	 0   8  magic: "TBCACHE" and a line feed
//	 8   n  the compressed forms, one after another
//	 t  88  table, once per form:
//	          0  32  SHA-256 of the content
//	         32  32  SHA-256 of the compressed form
//	         64   8  length of the content
//	         72   8  offset of the compressed form in the file
//	         80   8  length of the compressed form; 0: compressing the content is not worthwhile
//	     80  footer:
//	          0  32  SHA-256 of the name of the encoding
//	         32   8  offset of the table
//	         40   8  number of forms
//	         48  32  SHA-256 of the table and the 48 bytes before this
//
// A ledger remembers which content the files of a project had, so that files that have not been touched need not be read to
// know it.
//
//	Ledger
//	 0   8  magic: "TBLEDGE" and a line feed
//	 8  80  once per file:
//	          0  16  beginning of the SHA-256 of the file's path
//	         16   8  length
//	         24   8  time of the last change of the content, in nanoseconds since 1970
//	         32   8  time of the last change of the file, in nanoseconds since 1970
//	         40   8  number of the file on its disk
//	         48  32  SHA-256 of the content
//	     32  SHA-256 of everything before
//
// Numbers are little-endian. The time of a file is when it was last of use. What has not been of use for longest goes when
// the cache would grow beyond its limit; small segments are put together now and then.
package cache

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"talebinder/export/folders"
	"talebinder/export/history"
	"talebinder/project/atomicfile"
)

// DefaultLimit is how many bytes a cache may take unless something else was chosen.
const DefaultLimit = 2 << 30

// A Cache is a folder of compressed forms. The zero value keeps nothing.
type Cache struct {
	Dir   string
	Limit int64 // in bytes; a cache of 0 bytes keeps nothing

	sizes sizes
}

// sizes steer how segments are made.
type sizes struct {
	segment int64   // bytes after which a segment is complete
	tiers   []int64 // bytes below which segments are small, from the smallest
	perTier int     // small segments of a tier that are put together
	forms   int     // most forms of a cache, since its tables are held in memory
}

var usual = sizes{
	segment: 64 << 20,
	tiers:   []int64{64 << 10, 512 << 10, 4 << 20, 32 << 20},
	perTier: 8,
	forms:   1 << 19,
}

// The names of files in a cache.
const (
	segmentExt   = ".segment"
	ledgerExt    = ".ledger"
	temporaryExt = ".tmp"
	lockName     = "tidy.lock"
)

// abandoned is how long nothing was written to an unfinished segment before it is taken for one that its process left behind.
const abandoned = time.Hour

// New gives the cache in a folder, which need not exist.
func New(dir string, limit int64) *Cache { return &Cache{Dir: dir, Limit: limit, sizes: usual} }

// Default gives the cache of this computer's user: entries in the program's cache folder, as large as [Limit] says.
func Default() (*Cache, error) {
	limit, err := Limit()
	return New(filepath.Join(folders.Cache(), "entries"), limit), err
}

// LimitVariable names the environment variable with the limit.
const LimitVariable = "TALEBINDER_CACHE_LIMIT"

// Limit is how many bytes the cache of this computer's user may take: what TALEBINDER_CACHE_LIMIT says, such as "4 GB", else
// what SetLimit has kept, else DefaultLimit. After an error it is DefaultLimit.
func Limit() (int64, error) {
	if text := os.Getenv(LimitVariable); text != "" {
		limit, err := history.ParseSize(text)
		if err != nil {
			return DefaultLimit, fmt.Errorf("%s: %w", LimitVariable, err)
		}
		return limit, nil
	}
	text, err := os.ReadFile(settingsFile())
	if errors.Is(err, fs.ErrNotExist) {
		return DefaultLimit, nil
	}
	var s settings
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err == nil && s.Limit != nil && *s.Limit < 0 {
		err = errors.New("limit is below 0")
	}
	if err != nil {
		return DefaultLimit, fmt.Errorf("%s: the size of the cache: %w", settingsFile(), err)
	}
	if s.Limit == nil {
		return DefaultLimit, nil
	}
	return *s.Limit, nil
}

// SetLimit keeps how many bytes the cache of this computer's user may take. 0 switches it off. What is too much goes with the
// next export.
func SetLimit(bytes int64) error {
	if bytes < 0 {
		return fmt.Errorf("a cache of %d bytes", bytes)
	}
	text, err := json.Marshal(settings{&bytes})
	if err == nil {
		err = os.MkdirAll(filepath.Dir(settingsFile()), 0o777)
	}
	if err != nil {
		return err
	}
	return atomicfile.Write(settingsFile(), append(text, '\n'))
}

type settings struct {
	Limit *int64 `json:"limit,omitempty"`
}

func settingsFile() string { return filepath.Join(folders.Config(), "cache.json") }

// Usage says what a cache holds.
type Usage struct {
	Folder  string
	Entries int   // contents whose compressed form is known
	Bytes   int64 // of all files
	Limit   int64 // in bytes
}

// Usage looks at the folder. One that does not exist is empty.
func (c *Cache) Usage() (Usage, error) {
	u := Usage{Folder: c.Dir, Limit: c.Limit}
	files, err := c.list()
	for _, f := range files {
		u.Bytes += f.size
		u.Entries += f.forms
	}
	return u, err
}

// Clear removes everything, and gives what was removed. Where the system does not let go of files that another process is
// reading they stay, with an error.
func (c *Cache) Clear() (Usage, error) {
	files, err := c.list()
	removed := Usage{Folder: c.Dir, Limit: c.Limit}
	for _, f := range files {
		if failed := os.Remove(f.path); failed != nil && !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
			continue
		}
		removed.Bytes += f.size
		removed.Entries += f.forms
	}
	return removed, err
}

// file is a file of the cache.
type file struct {
	path      string
	size      int64
	used      time.Time
	temporary bool // not complete
	ledger    bool // not a segment
	forms     int  // that it says to hold
	foreign   bool // they are of another encoding
}

// list gives the files of the cache, those first that have not been of use for longest.
func (c *Cache) list() ([]file, error) {
	entries, err := os.ReadDir(c.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var files []file
	for _, entry := range entries {
		name := entry.Name()
		f := file{path: filepath.Join(c.Dir, name)}
		switch filepath.Ext(name) {
		case temporaryExt:
			f.temporary = true
		case ledgerExt:
			f.ledger = true
		case segmentExt:
		default:
			continue
		}
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue // another process has removed it
		}
		f.size, f.used = info.Size(), info.ModTime()
		if !f.temporary && !f.ledger {
			f.look()
		}
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b file) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.path, b.path)) })
	return files, nil
}

// look reads what the end of a segment says. One that is damaged has no forms.
func (f *file) look() {
	in, err := os.Open(f.path)
	if err != nil {
		return
	}
	defer in.Close()
	if foot, err := readFooter(in, f.size); err == nil {
		f.forms, f.foreign = int(foot.count), foot.encoding != encoding()
	}
}
