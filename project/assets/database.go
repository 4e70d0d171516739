package assets

import (
	"cmp"
	"crypto/sha256"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"unicode/utf16"

	"talebinder/formats/assetpath"
	"talebinder/formats/guid"
	"talebinder/project/problem"
)

// A Database is the result of a scan. It does not change and may be used by many goroutines.
type Database struct {
	root string
	fold bool // paths are equal ignoring case

	assets  []Asset // in ordinal path order
	all     []*Asset
	byPath  map[string]int32
	byGuid  map[guid.Guid]int32
	targets [][]int32 // by asset
	users   []int32   // those of the asset i are users[usersAt[i]:usersAt[i+1]]
	usersAt []int32
	notes   []note
	details map[int32]*detail

	names    func() *nameIndex
	problems func() []problem.Problem
}

// link fills what follows from the rest.
func (d *Database) link() {
	d.all = make([]*Asset, len(d.assets))
	for i := range d.assets {
		d.all[i] = &d.assets[i]
	}
	d.usersAt = make([]int32, len(d.assets)+1)
	for _, targets := range d.targets {
		for _, t := range targets {
			d.usersAt[t+1]++
		}
	}
	for i := range d.assets {
		d.usersAt[i+1] += d.usersAt[i]
	}
	d.users = make([]int32, d.usersAt[len(d.assets)])
	next := slices.Clone(d.usersAt)
	for i, targets := range d.targets {
		for _, t := range targets {
			d.users[next[t]] = int32(i)
			next[t]++
		}
	}
	d.names = sync.OnceValue(d.indexNames)
	d.problems = sync.OnceValue(d.listProblems)
}

// key gives the key under which paths are equal as the project compares them.
func (d *Database) key(path string) string {
	if d.fold {
		return assetpath.Fold(path)
	}
	return path
}

// resolve gives the index of the asset that a reference leads to, or -1.
func (d *Database) resolve(r Reference) int32 {
	var i int32
	var ok bool
	if r.Guid.IsZero() {
		i, ok = d.byPath[d.key(r.Path)]
	} else {
		i, ok = d.byGuid[r.Guid]
	}
	if !ok {
		return -1
	}
	return i
}

// pick gives the assets with the indices.
func (d *Database) pick(indices []int32) []*Asset {
	if len(indices) == 0 {
		return nil
	}
	picked := make([]*Asset, len(indices))
	for k, i := range indices {
		picked[k] = d.all[i]
	}
	return picked
}

// Root gives the asset root as it was given to Scan.
func (d *Database) Root() string { return d.root }

// All gives every asset, folders included, in ordinal path order. The list is not to be changed.
func (d *Database) All() []*Asset { return d.all }

// Len gives the number of assets, folders included.
func (d *Database) Len() int { return len(d.all) }

// ByPath finds an asset by its normalized path: exactly, but on Windows without regard to case. It gives nil when
// there is none.
func (d *Database) ByPath(path string) *Asset {
	if i, ok := d.byPath[d.key(path)]; ok {
		return d.all[i]
	}
	return nil
}

// ByGuid finds an asset by its guid. It gives nil when there is none.
func (d *Database) ByGuid(g guid.Guid) *Asset {
	if i, ok := d.byGuid[g]; ok {
		return d.all[i]
	}
	return nil
}

// FilesWithin gives the files at or below a normalized path, at any depth, in ordinal path order. "" is the asset root.
func (d *Database) FilesWithin(folder string) []*Asset {
	if a := d.ByPath(folder); a != nil {
		if !a.Folder {
			return []*Asset{a}
		}
		folder = a.Path // as it is written on the disk
	}
	within := d.all
	if folder != "" {
		// What begins with one text stands together in ordinal order.
		within = d.from(folder + "/")
	}
	var files []*Asset
	for _, a := range within {
		if !assetpath.Within(a.Path, folder) {
			break
		}
		if !a.Folder {
			files = append(files, a)
		}
	}
	return files
}

// from gives the assets whose paths do not come before a text.
func (d *Database) from(text string) []*Asset {
	first, _ := slices.BinarySearchFunc(d.all, text, func(a *Asset, text string) int { return assetpath.Compare(a.Path, text) })
	return d.all[first:]
}

// WithLabel gives the files and folders that have a label, ignoring case, in ordinal path order.
func (d *Database) WithLabel(label string) []*Asset {
	key := assetpath.Fold(label)
	var with []*Asset
	for _, a := range d.all {
		if slices.ContainsFunc(a.Meta.Labels, func(l string) bool { return assetpath.Fold(l) == key }) {
			with = append(with, a)
		}
	}
	return with
}

// Labels gives every label, each once ignoring case, sorted ignoring case. Of several spellings it gives that of the
// first asset in path order.
func (d *Database) Labels() []string {
	byKey := make(map[string]string)
	for _, a := range d.all {
		for _, label := range a.Meta.Labels {
			if key := assetpath.Fold(label); byKey[key] == "" {
				byKey[key] = label
			}
		}
	}
	return slices.SortedFunc(maps.Values(byKey), func(a, b string) int {
		return cmp.Compare(assetpath.Fold(a), assetpath.Fold(b))
	})
}

// Folders gives every folder in ordinal path order.
func (d *Database) Folders() []*Asset {
	var folders []*Asset
	for _, a := range d.all {
		if a.Folder {
			folders = append(folders, a)
		}
	}
	return folders
}

// AssetsNamed gives the assets that the string literals of one source name, in the order of the literals. A literal
// counts when it has 3 to 260 UTF-16 units, a "." or "/" and neither line feed, quote nor asterisk, and is, after
// trimming and normalizing, the path of a file, or of a folder when it ends with a slash. Of literals that normalize to
// the same path only the first counts, whether it names an asset or not.
func (d *Database) AssetsNamed(literals []string) []*Asset {
	seen := make(map[string]bool)
	var named []*Asset
	for _, literal := range literals {
		if !mayBePath(literal) {
			continue
		}
		path, err := assetpath.Normalize(strings.TrimSpace(literal))
		if err != nil || path == "" {
			continue
		}
		key := d.key(path)
		if seen[key] {
			continue
		}
		seen[key] = true
		if a := d.ByPath(path); a != nil && a.Folder == strings.HasSuffix(literal, "/") {
			named = append(named, a)
		}
	}
	return named
}

// mayBePath reports whether a literal looks like an asset path.
func mayBePath(literal string) bool {
	if len(literal) < 3 || !strings.ContainsAny(literal, "./") || strings.ContainsAny(literal, "\n\"*") {
		return false
	}
	const most = 260
	if len(literal) > 3*most { // an UTF-16 unit takes at most 3 bytes
		return false
	}
	units := 0
	for _, r := range literal {
		units += utf16.RuneLen(r)
	}
	return units >= 3 && units <= most
}

// Targets gives the assets that an asset refers to, in the order of their first occurrence: guids before paths, and
// without the asset itself.
func (d *Database) Targets(a *Asset) []*Asset { return d.pick(d.targets[a.index]) }

// Users gives the assets that refer to an asset, in ordinal path order.
func (d *Database) Users(a *Asset) []*Asset {
	return d.pick(d.users[d.usersAt[a.index]:d.usersAt[a.index+1]])
}

// Missing gives the references of an asset that lead nowhere, in the order of their first occurrence: guids before
// paths. The list is not to be changed.
func (d *Database) Missing(a *Asset) []MissingReference {
	if detail := d.details[a.index]; detail != nil {
		return detail.missing
	}
	return nil
}

// SHA256 reads a file and gives its hash.
func (d *Database) SHA256(a *Asset) (sum [32]byte, err error) {
	f, err := os.Open(d.file(a.Path))
	if err != nil {
		return sum, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return sum, err
	}
	h.Sum(sum[:0])
	return sum, nil
}
