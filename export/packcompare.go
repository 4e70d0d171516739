package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"talebinder/formats/assetpath"
	"talebinder/formats/tspack"
)

// A PackChange is a file that two packs do not have in common. Sizes are in bytes, and -1 in the pack that does not have the
// file.
type PackChange struct {
	Path         string // as the second pack writes it, if it has the file
	Before       int64  // size in the first pack, once decompressed
	After        int64
	StoredBefore int64 // size in the first pack as it is stored
	StoredAfter  int64
}

// A PackComparison says what became of the files of one pack in another. Files are the same when their content is, however it
// is compressed. The lists are in ordinal path order.
type PackComparison struct {
	Added, Removed, Changed []PackChange
	Same                    int   // files
	SameBytes               int64 // of them, once decompressed
}

// Equal says that both packs give a game the same files.
func (c *PackComparison) Equal() bool {
	return len(c.Added)+len(c.Removed)+len(c.Changed) == 0
}

// ComparePacks compares the files that a game sees in two packs, ignoring the case of their paths, on all cores and without
// holding files in memory. An entry that cannot be read is an error. progress, which may be nil, is called from one goroutine
// at a time.
func ComparePacks(ctx context.Context, a, b *PackFile, progress func(done, total int, path string)) (*PackComparison, error) {
	before, after := seen(a), seen(b)
	c := &PackComparison{}
	var common []string
	for key, e := range before {
		if _, ok := after[key]; ok {
			common = append(common, key)
		} else {
			c.Removed = append(c.Removed, PackChange{e.Path, e.ContentLength(), -1, e.StoredLength, -1})
		}
	}
	for key, e := range after {
		if _, ok := before[key]; !ok {
			c.Added = append(c.Added, PackChange{e.Path, -1, e.ContentLength(), -1, e.StoredLength})
		}
	}
	slices.Sort(common)

	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next atomic.Int64
	var workers sync.WaitGroup
	var lock sync.Mutex
	done := 0
	for range min(runtime.GOMAXPROCS(0), len(common)) {
		workers.Go(func() {
			p := newContentPair()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(common) {
					return
				}
				x, y := before[common[i]], after[common[i]]
				same, err := p.same(ctx, a, x, b, y)
				if err != nil {
					stop(err)
					return
				}
				lock.Lock()
				if same {
					c.Same++
					c.SameBytes += y.ContentLength()
				} else {
					c.Changed = append(c.Changed, PackChange{y.Path, x.ContentLength(), y.ContentLength(), x.StoredLength, y.StoredLength})
				}
				if done++; progress != nil {
					progress(done, len(common), y.Path)
				}
				lock.Unlock()
			}
		})
	}
	workers.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	for _, list := range [][]PackChange{c.Added, c.Removed, c.Changed} {
		slices.SortFunc(list, func(x, y PackChange) int { return assetpath.Compare(x.Path, y.Path) })
	}
	return c, nil
}

// seen gives the entries that a game sees, by their folded path.
func seen(p *PackFile) map[string]tspack.Entry {
	byKey := make(map[string]tspack.Entry, len(p.Entries()))
	for _, e := range p.Entries() {
		byKey[assetpath.Fold(e.Path)] = e // the last one counts
	}
	return byKey
}

// A contentPair compares entries with memory of its own.
type contentPair struct{ x, y []byte }

func newContentPair() *contentPair { return &contentPair{make([]byte, 1<<18), make([]byte, 1<<18)} }

// same says whether two entries have the same content.
func (p *contentPair) same(ctx context.Context, a *PackFile, x tspack.Entry, b *PackFile, y tspack.Entry) (bool, error) {
	if x.ContentLength() != y.ContentLength() {
		return false, nil
	}
	// The same stored bytes have the same content, and need not be decompressed. Others of the same content are rare.
	if x.Compression == y.Compression && x.StoredLength == y.StoredLength {
		same, err := p.equal(ctx, a, x, (*tspack.Reader).OpenStored, b, y)
		if same || err != nil || x.Compression == tspack.Stored {
			return same, err
		}
	}
	return p.equal(ctx, a, x, (*tspack.Reader).Open, b, y)
}

// equal reads two entries side by side.
func (p *contentPair) equal(ctx context.Context, a *PackFile, x tspack.Entry, open func(*tspack.Reader, tspack.Entry) (io.ReadCloser, error), b *PackFile, y tspack.Entry) (bool, error) {
	first, err := open(a.Reader, x)
	if err != nil {
		return false, fmt.Errorf("%s: %w", a.Path, err)
	}
	defer first.Close()
	second, err := open(b.Reader, y)
	if err != nil {
		return false, fmt.Errorf("%s: %w", b.Path, err)
	}
	defer second.Close()
	for {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		n, err := fill(first, p.x)
		if err != nil {
			return false, fmt.Errorf("%s: %w", a.Path, err)
		}
		m, err := fill(second, p.y)
		if err != nil {
			return false, fmt.Errorf("%s: %w", b.Path, err)
		}
		if !bytes.Equal(p.x[:n], p.y[:m]) {
			return false, nil
		}
		if n < len(p.x) {
			return true, nil
		}
	}
}

// fill reads until the buffer is full or the content ends.
func fill(r io.Reader, b []byte) (int, error) {
	n, err := io.ReadFull(r, b)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return n, err
}
