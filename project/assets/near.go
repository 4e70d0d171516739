package assets

import (
	"slices"
	"strings"
	"unicode/utf8"

	"talebinder/formats/assetpath"
)

// A nameIndex finds assets by parts of their paths, ignoring case.
type nameIndex struct {
	byPath map[string]int32   // the first asset of each folded path
	byBase map[string][]int32 // the assets of each folded last segment, in path order
}

// indexNames makes the index. It is made when it is first needed.
func (d *Database) indexNames() *nameIndex {
	x := &nameIndex{make(map[string]int32, len(d.assets)), make(map[string][]int32, len(d.assets))}
	for i := range d.assets {
		key := assetpath.Fold(d.assets[i].Path)
		if _, ok := x.byPath[key]; !ok {
			x.byPath[key] = int32(i)
		}
		base := assetpath.Base(key)
		x.byBase[base] = append(x.byBase[base], int32(i))
	}
	return x
}

// Most of what NearMiss looks at; beyond it a proposal would be a guess that takes long.
const (
	maxNamesakes = 500  // assets of the same name
	maxSiblings  = 2000 // assets of one folder
	maxName      = 64   // characters of a name
)

// NearMiss proposes the path of an asset for a path that names none: one that differs only by case, else one of the
// same name in another folder, else one in the same folder whose name differs by a letter or two. It gives "" when there
// is none, or when the path does name an asset.
func (d *Database) NearMiss(path string) string { return d.nearMiss(path, true) }

// nearMiss is NearMiss, with or without a look at names that are spelled differently, which takes longer.
func (d *Database) nearMiss(path string, spelling bool) string {
	path, err := assetpath.Normalize(path)
	if err != nil || path == "" || d.ByPath(path) != nil {
		return ""
	}
	key := assetpath.Fold(path)
	x := d.names()
	if i, ok := x.byPath[key]; ok {
		return d.assets[i].Path
	}
	if same := x.byBase[assetpath.Base(key)]; len(same) > 0 {
		best := slices.MinFunc(same[:min(len(same), maxNamesakes)], func(a, b int32) int {
			return difference(key, d.assets[a].Path) - difference(key, d.assets[b].Path)
		})
		return d.assets[best].Path
	}
	if !spelling {
		return ""
	}
	return d.nearSibling(path)
}

// difference counts the segments of the folders of two paths that differ, ignoring case, when those that both begin or
// end with are set aside.
func difference(key, path string) int {
	a := strings.Split(key, "/")
	b := strings.Split(assetpath.Fold(path), "/")
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	return len(a) + len(b)
}

// nearSibling gives the asset in the same folder whose name is closest, if it is close.
func (d *Database) nearSibling(path string) string {
	name := assetpath.Fold(assetpath.Base(path))
	length := utf8.RuneCountInString(name)
	if length > maxName {
		return ""
	}
	limit := 1
	if length >= 6 {
		limit = 2
	}
	best := ""
	for _, a := range d.inFolder(assetpath.Dir(path), maxSiblings) {
		other := assetpath.Fold(assetpath.Base(a.Path))
		if n := distance(name, other, limit); n <= limit {
			limit = n - 1
			best = a.Path
		}
	}
	return best
}

// inFolder gives what lies directly in a folder, or else in one whose path differs only by case, in path order
// and at most so many.
func (d *Database) inFolder(folder string, most int) []*Asset {
	prefix := ""
	within := d.all
	if folder != "" {
		i, ok := d.byPath[d.key(folder)]
		if !ok {
			i, ok = d.names().byPath[assetpath.Fold(folder)]
		}
		if !ok {
			return nil
		}
		prefix = d.assets[i].Path + "/"
		within = d.from(prefix)
	}
	var inside []*Asset
	for len(within) > 0 && len(inside) < most && strings.HasPrefix(within[0].Path, prefix) {
		path := within[0].Path
		if slash := strings.IndexByte(path[len(prefix):], '/'); slash >= 0 {
			// On to what comes after everything in that folder: "0" is the character after "/".
			within = d.from(path[:len(prefix)+slash] + "0")
			continue
		}
		inside = append(inside, within[0])
		within = within[1:]
	}
	return inside
}

// distance counts the letters to insert, remove, replace or swap with their neighbour to turn a into b; it gives up
// above limit and then gives more than limit.
func distance(a, b string, limit int) int {
	if d := utf8.RuneCountInString(a) - utf8.RuneCountInString(b); d > limit || -d > limit {
		return limit + 1
	}
	r, s := []rune(a), []rune(b)
	before := make([]int, len(s)+1)
	last := make([]int, len(s)+1)
	row := make([]int, len(s)+1)
	for j := range last {
		last[j] = j
	}
	for i := range r {
		row[0] = i + 1
		least := row[0]
		for j := range s {
			cost := 1
			if r[i] == s[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && r[i] == s[j-1] && r[i-1] == s[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
			least = min(least, row[j+1])
		}
		if least > limit {
			return limit + 1
		}
		before, last, row = last, row, before
	}
	return last[len(s)]
}
