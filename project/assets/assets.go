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

import "time"

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

	index   int32
	changes change // how Meta differs from the file
}

// Options steer a scan.
type Options struct {
	PluginsFolder string                      // relative to the asset root; "plugins" when empty
	Workers       int                         // 0 means one for each core; the result does not depend on it
	Progress      func(done int, path string) // called about ten times a second and at the end, never twice at a time
}
