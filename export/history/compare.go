package history

import (
	"cmp"
	"errors"
	"slices"
	"strings"
)

// A Comparison says how two exports differ.
type Comparison struct {
	Before, After Summary
	Added         []Change // in After only; the largest first
	Removed       []Change // in Before only; the largest first
	Grown         []Change // in both and larger in After; the most grown first
	Shrunk        []Change // in both and smaller in After; the most shrunk first
	Unchanged     int      // files of the same sizes in both
	Categories    []CategoryChange
}

// A Change is a file that is of another size in two exports, or in only one of them.
type Change struct {
	Place, Path, Kind, Reason string // those of After, or of Before when it is only there; see Asset
	Before, After             int64  // bytes as stored; 0 where the file is not there
	BeforeSize, AfterSize     int64  // bytes before compression; 0 where the file is not there
}

// Delta is by how many bytes the file has grown in the build.
func (c Change) Delta() int64 { return c.After - c.Before }

// A CategoryChange is a category in two exports; in one of them it may be missing, and then it is zero there.
type CategoryChange struct {
	Name          string
	Before, After Category
}

// Delta is by how many bytes the category has grown in the build.
func (c CategoryChange) Delta() int64 { return c.After.Size - c.Before.Size }

// Delta is by how many bytes the whole build has grown.
func (c *Comparison) Delta() int64 { return c.After.TotalSize - c.Before.TotalSize }

// Compare says what has changed from one export to another. What counts is the size in the build; a file that takes the same
// there but another size before compression counts by that.
func Compare(before, after *Record) *Comparison {
	c := &Comparison{Before: before.Summary, After: after.Summary}
	type key struct{ place, path string }
	old := make(map[key]Asset, len(before.Assets))
	for _, a := range before.Assets {
		old[key{a.Place, a.Path}] = a
	}
	for _, a := range after.Assets {
		k := key{a.Place, a.Path}
		b, both := old[k]
		delete(old, k)
		change := Change{
			Place: a.Place, Path: a.Path, Kind: a.Kind, Reason: a.Reason,
			Before: b.StoredSize, After: a.StoredSize, BeforeSize: b.Size, AfterSize: a.Size,
		}
		switch by := cmp.Or(cmp.Compare(a.StoredSize, b.StoredSize), cmp.Compare(a.Size, b.Size)); {
		case !both:
			c.Added = append(c.Added, change)
		case by > 0:
			c.Grown = append(c.Grown, change)
		case by < 0:
			c.Shrunk = append(c.Shrunk, change)
		default:
			c.Unchanged++
		}
	}
	for _, b := range old {
		c.Removed = append(c.Removed, Change{Place: b.Place, Path: b.Path, Kind: b.Kind, Reason: b.Reason, Before: b.StoredSize, BeforeSize: b.Size})
	}
	for _, list := range [][]Change{c.Added, c.Removed, c.Grown, c.Shrunk} {
		slices.SortFunc(list, func(a, b Change) int {
			return cmp.Or(cmp.Compare(abs(b.Delta()), abs(a.Delta())), strings.Compare(a.Path, b.Path), strings.Compare(a.Place, b.Place))
		})
	}
	c.Categories = compareCategories(before.Categories, after.Categories)
	return c
}

// compareCategories gives every category of either, the most changed first and then the largest.
func compareCategories(before, after []Category) []CategoryChange {
	var all []CategoryChange
	at := make(map[string]int)
	place := func(name string) *CategoryChange {
		i, ok := at[name]
		if !ok {
			i = len(all)
			at[name] = i
			all = append(all, CategoryChange{Name: name, Before: Category{Name: name}, After: Category{Name: name}})
		}
		return &all[i]
	}
	for _, c := range after {
		place(c.Name).After = c
	}
	for _, c := range before {
		place(c.Name).Before = c
	}
	slices.SortStableFunc(all, func(a, b CategoryChange) int {
		return cmp.Or(cmp.Compare(abs(b.Delta()), abs(a.Delta())), cmp.Compare(b.After.Size, a.After.Size), strings.Compare(a.Name, b.Name))
	})
	return all
}

func abs(n int64) int64 {
	if n < 0 {
		return -n
	}
	return n
}

// ErrNothingToCompare says that there are not two exports of a kind that succeeded.
var ErrNothingToCompare = errors.New("there are not two successful exports to compare")

// LastTwo chooses from a list, newest first, the newest export that succeeded and the one before it that made the same: for the
// same target in the same profile, with or without the player. When nothing else made the same, the newest that succeeded
// for the same target is taken, and when there is none, the error is ErrNothingToCompare.
func LastTwo(list []Summary) (before, after Summary, err error) {
	i := slices.IndexFunc(list, func(s Summary) bool { return s.Success })
	if i < 0 {
		return Summary{}, Summary{}, ErrNothingToCompare
	}
	after = list[i]
	rest := list[i+1:]
	for _, like := range []func(Summary) bool{
		func(s Summary) bool { return s.Profile == after.Profile && s.ContentOnly == after.ContentOnly },
		func(Summary) bool { return true },
	} {
		j := slices.IndexFunc(rest, func(s Summary) bool { return s.Success && s.Target == after.Target && like(s) })
		if j >= 0 {
			return rest[j], after, nil
		}
	}
	return Summary{}, Summary{}, ErrNothingToCompare
}
