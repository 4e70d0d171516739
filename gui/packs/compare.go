package packs

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"io"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

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
// progress is called from several goroutines.
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
	c := &Comparison{Before: before, After: after}
	old, current := seen(a.Entries()), seen(b.Entries())
	var both []string // keys of what has to be read
	for key, e := range current {
		c.Sizes[1] += e.StoredLength
		o, ok := old[key]
		switch {
		case !ok:
			c.add(e.Path, Added, 0, e.StoredLength)
		case o.Length != e.Length:
			c.add(e.Path, Changed, o.StoredLength, e.StoredLength)
		default:
			both = append(both, key)
		}
	}
	for key, o := range old {
		c.Sizes[0] += o.StoredLength
		if _, ok := current[key]; !ok {
			c.add(o.Path, Removed, o.StoredLength, 0)
		}
	}
	slices.Sort(both)
	same := make([]bool, len(both))
	var done atomic.Int64
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(2) // each of them reads two files at once
	for i, key := range both {
		if inner.Err() != nil {
			break
		}
		group.Go(func() error {
			x, err := digest(inner, a, old[key])
			if err != nil {
				return err
			}
			y, err := digest(inner, b, current[key])
			same[i] = x == y
			progress(int(done.Add(1)), len(both), current[key].Path)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for i, key := range both {
		change := Changed
		if same[i] {
			change = Same
		}
		c.add(current[key].Path, change, old[key].StoredLength, current[key].StoredLength)
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

func digest(ctx context.Context, p *export.PackFile, e tspack.Entry) (sum [sha256.Size]byte, err error) {
	in, err := p.Open(e)
	if err != nil {
		return sum, err
	}
	defer in.Close()
	h := sha256.New()
	_, err = io.Copy(h, &reader{ctx, in})
	return [sha256.Size]byte(h.Sum(nil)), err
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
