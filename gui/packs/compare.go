package packs

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"talebinder/export"
	"talebinder/formats/assetpath"
	"talebinder/formats/tspack"
	"talebinder/gui/ui"
	"talebinder/project/assets"
)

// Change says how a file of one pack stands to that of the other.
type Change uint8

// The changes.
const (
	AnyChange Change = iota // as a filter: all that is not the same
	Added                   // in the second pack only
	Removed                 // in the first pack only
	Changed                 // of other content
	Same
)

// A Difference is a file in two packs.
type Difference struct {
	Path, Kind    string
	Change        Change
	Before, After int64 // bytes in the pack; 0 where it is not there
}

// Delta is by how many bytes it has grown.
func (d Difference) Delta() int64 { return d.After - d.Before }

// A Comparison is two packs compared by the content of their files.
type Comparison struct {
	Before, After string // paths of the packs
	All           []Difference
	Counts        [Same + 1]int
	Sizes         [2]int64 // of all entries as stored, of each

	filter Change
	query  string
	rows   []int32 // of All, what the filter leaves
}

// compare opens two packs and compares what the game would see of them: which files there are, and what they contain.
// progress is called from one goroutine at a time.
func compare(ctx context.Context, before, after string, progress func(done, total int, path string)) (*Comparison, error) {
	a, err := export.OpenPack(before)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	b, err := export.OpenPack(after)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	found, err := export.ComparePacks(ctx, a, b, progress)
	if err != nil {
		return nil, err
	}
	c := &Comparison{Before: before, After: after}
	named := map[string]bool{}
	for change, list := range map[Change][]export.PackChange{Added: found.Added, Removed: found.Removed, Changed: found.Changed} {
		for _, d := range list {
			named[assetpath.Fold(d.Path)] = true
			c.add(d.Path, change, max(0, d.StoredBefore), max(0, d.StoredAfter))
		}
	}
	old := seen(a.Entries())
	for _, e := range old {
		c.Sizes[0] += e.StoredLength
	}
	for key, e := range seen(b.Entries()) {
		c.Sizes[1] += e.StoredLength
		if !named[key] {
			c.add(e.Path, Same, old[key].StoredLength, e.StoredLength)
		}
	}
	slices.SortFunc(c.All, func(a, b Difference) int {
		if (a.Change == Same) != (b.Change == Same) {
			return int(a.Change) - int(b.Change) // what is the same comes last
		}
		return cmp.Or(cmp.Compare(max(b.Delta(), -b.Delta()), max(a.Delta(), -a.Delta())), strings.Compare(a.Path, b.Path))
	})
	c.Narrow(AnyChange, "")
	return c, nil
}

// seen gives the entries that the game sees, by folded path.
func seen(entries []tspack.Entry) map[string]tspack.Entry {
	m := make(map[string]tspack.Entry, len(entries))
	for _, e := range entries {
		m[assetpath.Fold(e.Path)] = e
	}
	return m
}

func (c *Comparison) add(path string, change Change, before, after int64) {
	c.All = append(c.All, Difference{path, assets.KindOf(path).Name, change, before, after})
	c.Counts[change]++
	if change != Same {
		c.Counts[AnyChange]++
	}
}

// Narrow lists what is of a change and has all words of a query in its path.
func (c *Comparison) Narrow(f Change, query string) {
	c.filter, c.query = f, query
	words := strings.Fields(strings.ToLower(query))
	c.rows = c.rows[:0]
	for i, d := range c.All {
		if f == AnyChange && d.Change == Same || f != AnyChange && d.Change != f {
			continue
		}
		path := strings.ToLower(d.Path)
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(path, w) }) {
			c.rows = append(c.rows, int32(i))
		}
	}
}

// Len is the number of differences that are listed.
func (c *Comparison) Len() int { return len(c.rows) }

// Row gives a difference that is listed.
func (c *Comparison) Row(i int) Difference { return c.All[c.rows[i]] }

// Largest is the largest difference of size, in bytes.
func (c *Comparison) Largest() int64 {
	n := int64(0)
	for _, d := range c.All {
		n = max(n, d.Delta(), -d.Delta())
	}
	return n
}

// Sentence says what the comparison comes to.
func (c *Comparison) Sentence() string {
	if c.Counts[AnyChange] == 0 {
		return "Both packs hold the same: " + ui.Plural(c.Counts[Same], "file") + "."
	}
	size := "of the same size"
	switch d := c.Sizes[1] - c.Sizes[0]; {
	case d > 0:
		size = ui.Size(d) + " larger"
	case d < 0:
		size = ui.Size(-d) + " smaller"
	}
	return ui.Plural(c.Counts[AnyChange], "difference") + ": the second pack is " + size + "."
}

// Text is the list for the clipboard: a line for each difference, with tabs between the columns.
func (c *Comparison) Text() string {
	words := [...]string{"", "added", "removed", "changed", "same"}
	var b bytes.Buffer
	b.WriteString(c.Before + "\n" + c.After + "\n" + c.Sentence() + "\n")
	for i := range c.Len() {
		d := c.Row(i)
		b.WriteString(words[d.Change] + "\t" + d.Path + "\t" + ui.ExactSize(d.Before) + "\t" + ui.ExactSize(d.After) + "\n")
	}
	return b.String()
}
