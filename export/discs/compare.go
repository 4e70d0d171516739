package discs

import (
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// A Comparison says what differs between two images.
type Comparison struct {
	Before, After           *Identity
	Added, Removed, Changed []Difference // in the order of the paths
	Same                    int          // files and parts that are equal
	SameBytes               int64
}

// Equal says that nothing differs that a console would see.
func (c *Comparison) Equal() bool { return len(c.Added)+len(c.Removed)+len(c.Changed) == 0 }

// A Difference is a file, or a part such as IP.BIN, that one image has and the other has not, or has otherwise.
type Difference struct {
	Path          string
	Part          bool  // it is a part of the image and no file
	Before, After int64 // bytes; -1 where it is not there
}

// Compare compares two images file by file and part by part; where the files lie does not count. Images of different
// containers can be compared. Names are compared ignoring case where both images are discs.
func Compare(ctx context.Context, a, b *Image, progress Progress) (*Comparison, error) {
	var sides [2]map[string]compared
	fold := a.Container != Cartridge && b.Container != Cartridge
	c := &Comparison{}
	for i, im := range []*Image{a, b} {
		id, err := im.Identity(ctx)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			c.Before = id
		} else {
			c.After = id
		}
		if sides[i], err = im.compared(ctx, fold); err != nil {
			return nil, err
		}
	}
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	var pairs [][2]compared
	var total int64
	for key, before := range sides[0] {
		after, ok := sides[1][key]
		switch {
		case !ok:
			c.Removed = append(c.Removed, Difference{before.path, before.part, before.size, -1})
		case before.size != after.size:
			c.Changed = append(c.Changed, Difference{after.path, after.part, before.size, after.size})
		default:
			pairs = append(pairs, [2]compared{before, after})
			total += after.size
		}
	}
	for key, after := range sides[1] {
		if _, ok := sides[0][key]; !ok {
			c.Added = append(c.Added, Difference{after.path, after.part, -1, after.size})
		}
	}
	slices.SortFunc(pairs, func(x, y [2]compared) int { return strings.Compare(x[1].path, y[1].path) })
	counter := newCounter(total, progress)
	for _, pair := range pairs {
		group.Go(func() error {
			left, err := pair[0].open()
			if err != nil {
				return refuse(a.Path, err, "")
			}
			right, err := pair[1].open()
			if err != nil {
				return refuse(b.Path, err, "")
			}
			equal, err := sameBytes(ctx, counter, left, right, pair[0].size, pair[1].path)
			if err != nil {
				var other *otherError
				if errors.As(err, &other) {
					return refuse(b.Path, other.error, "")
				}
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			if equal {
				c.Same++
				c.SameBytes += pair[0].size
			} else {
				c.Changed = append(c.Changed, Difference{pair[1].path, pair[1].part, pair[0].size, pair[1].size})
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	counter.finish()
	for _, list := range [][]Difference{c.Added, c.Removed, c.Changed} {
		slices.SortFunc(list, func(x, y Difference) int { return strings.Compare(x.Path, y.Path) })
	}
	for _, im := range []*Image{a, b} {
		if err := im.changed(); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// compared is a file or a part of an image.
type compared struct {
	path string
	part bool
	size int64
	open func() (*io.SectionReader, error)
}

// compared gives the files and parts of an image by what they are compared by.
func (im *Image) compared(ctx context.Context, fold bool) (map[string]compared, error) {
	files, err := im.Files(ctx)
	if err != nil {
		return nil, err
	}
	list := make(map[string]compared)
	for _, s := range im.sections() {
		list["part\x00"+s.name] = compared{s.name, true, s.reader.Size(), func() (*io.SectionReader, error) { return s.reader, nil }}
	}
	for _, f := range files {
		if f.Dir {
			continue
		}
		key := f.Path
		if fold {
			key = lower(key)
		}
		list["file\x00"+key] = compared{f.Path, false, f.Size, func() (*io.SectionReader, error) { return im.Reader(f) }}
	}
	return list, nil
}
