// Package assets is the asset database of a Talesmith project: every file and folder below the asset root with its
// guid, kind, importer, labels and references.
//
// A scan reads and never writes. Where the engine would create or repair a .meta file, the scan takes the same
// decision in memory, so that two scans of the same files agree, and lists it as a problem whose repair a person can
// start. Nothing is remembered between scans and no file is hashed; see [Database.SHA256] for a hash on demand.
//
// # Which files are assets
//
// Everything below the root, folders included, except a path with a segment that starts with ".", ends with "~" or
// ".meta", or is Thumbs.db or desktop.ini; assets.index.json in the root; bin and obj folders below scripts; and the
// plugins folder. A folder that is a symbolic link is listed but not entered.
//
// # What a scan decides
//
// The .meta of x/y.png is x/y.png.meta, that of the folder x is x.meta. In this order:
//
//  1. A missing .meta is read from .<name>.meta.bak when an interrupted write left one.
//  2. A folder flag that contradicts the disk is corrected; what becomes a folder also loses its importer.
//  3. Of several assets with one guid the first in ordinal path order keeps it; the others get one derived from
//     their path.
//  4. An asset without a valid .meta gets a guid derived from its path.
//  5. A file whose extension has an importer, and whose .meta names none, gets that importer; an older version of
//     the same importer is raised.
package assets

import (
	"context"
	"time"

	"talebinder/formats/guid"
	"talebinder/project/problem"
)

// MetaState says where the Meta of an asset comes from.
type MetaState uint8

// The states of a .meta file.
const (
	MetaValid    MetaState = iota // read from the .meta file
	MetaAbsent                    // there is no .meta file
	MetaInvalid                   // the .meta file is damaged or of a newer version
	MetaRestored                  // read from the backup of an interrupted write
)

// An Asset is a file or folder below the asset root. Assets belong to their Database and are not to be changed.
type Asset struct {
	Path      string // relative to the asset root, normalized
	Kind      Kind
	Folder    bool
	Link      bool  // a symbolic link; a folder that is one is not entered
	Size      int64 // in bytes; 0 for a folder
	ModTime   time.Time
	Meta      Meta // as decided by the scan, which the .meta file need not say yet
	MetaState MetaState

	index int32
}

// Options steer a scan.
type Options struct {
	PluginsFolder string                      // relative to the asset root; "plugins" when empty
	Workers       int                         // 0 means one for each core; the result does not depend on it
	Progress      func(done int, path string) // called about ten times a second and at the end, never twice at a time
}

// A Database is the result of a scan. It does not change and may be used by many goroutines.
type Database struct{}

// Scan reads the assets below root. An error means that root itself cannot be read, or that ctx was cancelled;
// everything else that is wrong is a problem of the database.
func Scan(ctx context.Context, root string, o Options) (*Database, error) { return &Database{}, nil }

// Root gives the asset root as it was given to Scan.
func (d *Database) Root() string { return "" }

// All gives every asset, folders included, in ordinal path order.
func (d *Database) All() []*Asset { return nil }

// Len gives the number of assets, folders included.
func (d *Database) Len() int { return 0 }

// ByPath finds an asset by its normalized path: exactly, but on Windows without regard to case.
func (d *Database) ByPath(path string) *Asset { return nil }

// ByGuid finds an asset by its guid.
func (d *Database) ByGuid(g guid.Guid) *Asset { return nil }

// FilesWithin gives the files at or below a path, at any depth, in ordinal path order.
func (d *Database) FilesWithin(folder string) []*Asset { return nil }

// WithLabel gives the files and folders that have a label, ignoring case, in ordinal path order.
func (d *Database) WithLabel(label string) []*Asset { return nil }

// Labels gives every label, each once ignoring case, sorted ignoring case.
func (d *Database) Labels() []string { return nil }

// Folders gives every folder in ordinal path order.
func (d *Database) Folders() []*Asset { return nil }

// AssetsNamed gives the assets that string literals name, in the order of the literals: one pass over one source.
func (d *Database) AssetsNamed(literals []string) []*Asset { return nil }

// Targets gives the assets that an asset refers to, in the order of their first occurrence.
func (d *Database) Targets(a *Asset) []*Asset { return nil }

// Missing gives the references of an asset that lead nowhere, in the order of their first occurrence.
func (d *Database) Missing(a *Asset) []MissingReference { return nil }

// Users gives the assets that refer to an asset, in ordinal path order.
func (d *Database) Users(a *Asset) []*Asset { return nil }

// NearMiss proposes the path of an asset for a path that names none, or gives "".
func (d *Database) NearMiss(path string) string { return "" }

// Problems gives what the scan found.
func (d *Database) Problems() []problem.Problem { return nil }

// Repairs gives what the engine would write.
func (d *Database) Repairs() []Repair { return nil }

// A Repair is a change of .meta files that a person can start.
type Repair struct {
	ID    string
	Title string
	Files []string // what it writes, relative to the project folder
}

// Repair carries out a repair. The database does not change: scan again afterwards.
func (d *Database) Repair(id string) error { return nil }

// SHA256 reads a file and gives its hash.
func (d *Database) SHA256(a *Asset) ([32]byte, error) { return [32]byte{}, nil }
