// Package history keeps the reports of exports, outside of the projects, so that two of them can be compared later.
//
// A record is a JSON file of its own:
//
//	<history>/<project folder's name>-<12 hex digits of its path's SHA-256>/<time>-<target>-<8 random hex digits>.json
//
//	{
//	  "version": 1,
//	  "summary": { what a list shows },
//	  "report": { the report, as in the report file beside the build },
//	  "assets": [ a line for each file of the build ]       or, when that is long,
//	  "assetsGzip": "the same list, compressed, in base64"
//	}
//
// Lists read no further than the summary. Files appear complete or not at all, and no file is ever changed, so that any number
// of programs can write, read and prune at the same time.
package history

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"talebinder/export/folders"
	"talebinder/export/internal/perproject"
	"talebinder/project/atomicfile"
)

// Kept is how many records of a project and a target stay; the oldest go first.
const Kept = 50

// Bounds of what is read, so that a damaged file does not eat memory.
const (
	largestFile   = 64 << 20
	largestAssets = 256 << 20
	longAssets    = 32 << 10 // from this many bytes on the list of assets is compressed
)

// version is the number of the form that is written. A record with a greater one is passed over.
const version = 1

// A Store is a folder of records.
type Store struct {
	dir  string
	kept int
}

// Open gives the store in a folder, which need not exist yet.
func Open(dir string) *Store { return &Store{dir, Kept} }

// Default is the store in the program's data folder.
func Default() *Store { return Open(filepath.Join(folders.Data(), "history")) }

// A Category is a part of a build's size: a kind of asset, or one of the loose parts.
type Category struct {
	Name         string `json:"name"`
	Files        int    `json:"files"`
	Size         int64  `json:"size"`         // bytes as stored
	OriginalSize int64  `json:"originalSize"` // bytes before compression
}

// A Summary is what a list shows of an export.
type Summary struct {
	ID          string        `json:"id"`      // names the record; given by Add
	Project     string        `json:"project"` // the project folder
	Game        string        `json:"game"`    // the game's title
	Target      string        `json:"target"`
	Profile     string        `json:"profile"`
	ContentOnly bool          `json:"contentOnly,omitempty"`
	Success     bool          `json:"success"`
	Cancelled   bool          `json:"cancelled,omitempty"`
	Failure     string        `json:"failure,omitempty"` // the first error of an export that failed
	StartedAt   time.Time     `json:"startedAt"`
	Duration    time.Duration `json:"duration"` // nanoseconds
	Output      string        `json:"output,omitempty"`
	TotalSize   int64         `json:"totalSize"`  // bytes
	AssetCount  int           `json:"assetCount"` // packed assets
	Warnings    int           `json:"warnings"`
	Errors      int           `json:"errors"`
	Categories  []Category    `json:"categories"`
}

// Where a file of a build is.
const (
	InPack     = ""       // in the content pack
	InGame     = "game"   // beside the pack, in the game folder
	WithPlayer = "player" // a part of the player
)

// An Asset is a file of a build.
type Asset struct {
	Place      string `json:"place,omitempty"` // InPack, InGame or WithPlayer
	Path       string `json:"path"`            // relative to that place
	Kind       string `json:"kind"`            // name of its category
	Reason     string `json:"reason,omitempty"`
	Size       int64  `json:"size"`       // bytes before compression
	StoredSize int64  `json:"storedSize"` // bytes as stored
}

// A Record is an export.
type Record struct {
	Summary
	Report []byte  // the report as it is written beside the build
	Assets []Asset // in the order of the build
}

// stored is a record as it is in a file, in the order in which it is read.
type stored struct {
	Version    int             `json:"version"`
	Summary    Summary         `json:"summary"`
	Report     json.RawMessage `json:"report"`
	Assets     []Asset         `json:"assets,omitempty"`
	AssetsGzip []byte          `json:"assetsGzip,omitempty"`
}

// folder is where the records of a project are.
func (s *Store) folder(project string) string {
	project = perproject.Folder(project)
	sum := sha256.Sum256([]byte(project))
	name := strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`<>:"/\|?*`, r) {
			return '_'
		}
		return r
	}, filepath.Base(project))
	const longest = 40
	if runes := []rune(name); len(runes) > longest {
		name = string(runes[:longest])
	}
	return filepath.Join(s.dir, strings.Trim(name, ". ")+"-"+hex.EncodeToString(sum[:6]))
}

// stamp is the form of the time in a record's name: in UTC and of one length, so that names sort by time.
const stamp = "20060102T150405.000Z"

// named is the form of an id.
var named = regexp.MustCompile(`^(\d{8}T\d{6}\.\d{3}Z)-([A-Za-z0-9_-]{1,64})-[0-9a-f]{8}$`)

// Add keeps a record and gives its id. The project, target and start of the record have to be set. Of the project's records
// for the target the oldest are removed when there are too many.
func (s *Store) Add(r *Record) (id string, err error) {
	var random [4]byte
	_, _ = rand.Read(random[:]) // it never fails
	id = r.StartedAt.UTC().Format(stamp) + "-" + r.Target + "-" + hex.EncodeToString(random[:])
	if !named.MatchString(id) {
		return "", fmt.Errorf("an export for %q that began %s cannot be kept", r.Target, r.StartedAt)
	}
	file := stored{Version: version, Summary: r.Summary, Report: r.Report}
	file.Summary.ID = id
	file.Summary.Project = perproject.Folder(r.Project)
	assets, err := json.Marshal(r.Assets)
	if err != nil {
		return "", err
	}
	if len(assets) < longAssets {
		file.Assets = r.Assets
	} else if file.AssetsGzip, err = compress(assets); err != nil {
		return "", err
	}
	text, err := json.Marshal(file)
	if err != nil {
		return "", err
	}
	folder := s.folder(r.Project)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	if err := atomicfile.Write(filepath.Join(folder, id+".json"), text); err != nil {
		return "", err
	}
	s.prune(folder, r.Target)
	return id, nil
}

func compress(text []byte) ([]byte, error) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// ids lists the records in a folder, newest first: of one target, or of all when it is "".
func ids(folder, target string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var found []string
	for _, entry := range entries {
		id, ok := strings.CutSuffix(entry.Name(), ".json")
		if m := named.FindStringSubmatch(id); ok && m != nil && (target == "" || m[2] == target) {
			found = append(found, id)
		}
	}
	slices.SortFunc(found, func(a, b string) int { return strings.Compare(b, a) })
	return found, nil
}

// prune removes the oldest records of a target, and what writers that were killed have left. Another program may do the same
// at the same time; what cannot be removed is tried again next time.
func (s *Store) prune(folder, target string) {
	found, err := ids(folder, target)
	if err != nil {
		return
	}
	for _, id := range found[min(s.kept, len(found)):] {
		_ = os.Remove(filepath.Join(folder, id+".json"))
	}
	const abandoned = time.Hour
	left, _ := filepath.Glob(filepath.Join(folder, ".*.tmp"))
	for _, path := range left {
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > abandoned {
			_ = os.Remove(path)
		}
	}
}

// List gives the exports of a project, newest first: those for a target, or all when it is "". A record that cannot be read is
// left out and told about in damaged.
func (s *Store) List(project, target string) (list []Summary, damaged []error, err error) {
	folder := s.folder(project)
	found, err := ids(folder, target)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range found {
		summary, err := readSummary(folder, id)
		switch {
		case err == nil:
			list = append(list, summary)
		case !errors.Is(err, fs.ErrNotExist): // else it was pruned meanwhile
			damaged = append(damaged, err)
		}
	}
	return list, damaged, nil
}

// readSummary reads a record as far as its summary.
func readSummary(folder, id string) (Summary, error) {
	path := filepath.Join(folder, id+".json")
	file, err := os.Open(path)
	if err != nil {
		return Summary{}, err
	}
	defer file.Close()
	in := json.NewDecoder(io.LimitReader(file, largestFile))
	var head stored
	for _, want := range []any{json.Delim('{'), "version", &head.Version, "summary", &head.Summary} {
		switch want := want.(type) {
		case *int, *Summary:
			err = in.Decode(want)
		default:
			var token json.Token
			if token, err = in.Token(); err == nil && token != want {
				err = fmt.Errorf("%v where %v is expected", token, want)
			}
		}
		if err != nil {
			return Summary{}, damage(path, err)
		}
		if head.Version > version {
			return Summary{}, newer(path, head.Version)
		}
	}
	head.Summary.ID = id
	return head.Summary, nil
}

func damage(path string, err error) error {
	return fmt.Errorf("%s is damaged and left out of the history: %w", path, err)
}

func newer(path string, v int) error {
	return fmt.Errorf("%s was written by a newer version of Talebinder (form %d, this one reads up to %d) and is left out of the history", path, v, version)
}

// ErrNoRecord says that there is no record of an id.
var ErrNoRecord = errors.New("no such export in the history")

// Load reads a record of a project.
func (s *Store) Load(project, id string) (*Record, error) {
	if !named.MatchString(id) {
		return nil, fmt.Errorf("%q: %w", id, ErrNoRecord)
	}
	path := filepath.Join(s.folder(project), id+".json")
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%q: %w", id, ErrNoRecord)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, largestFile+1))
	if err != nil {
		return nil, err
	}
	if len(text) > largestFile {
		return nil, damage(path, fmt.Errorf("more than %d bytes", largestFile))
	}
	var r stored
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, damage(path, err)
	}
	if r.Version > version {
		return nil, newer(path, r.Version)
	}
	if len(r.AssetsGzip) > 0 {
		if r.Assets, err = readAssets(r.AssetsGzip); err != nil {
			return nil, damage(path, err)
		}
	}
	r.Summary.ID = id
	return &Record{Summary: r.Summary, Report: r.Report, Assets: r.Assets}, nil
}

func readAssets(compressed []byte) ([]Asset, error) {
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(r, largestAssets+1))
	if err != nil {
		return nil, err
	}
	if len(text) > largestAssets {
		return nil, fmt.Errorf("a list of assets of more than %d bytes", largestAssets)
	}
	var assets []Asset
	return assets, json.Unmarshal(text, &assets)
}

// Remove takes a record out of the history.
func (s *Store) Remove(project, id string) error {
	if !named.MatchString(id) {
		return fmt.Errorf("%q: %w", id, ErrNoRecord)
	}
	err := os.Remove(filepath.Join(s.folder(project), id+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%q: %w", id, ErrNoRecord)
	}
	return err
}
