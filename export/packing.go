package export

import (
	"fmt"
	"io"
	"strconv"

	"talebinder/export/cache"
	"talebinder/formats/assetpath"
	"talebinder/formats/tspack"
)

// packing is what is known about how the files of a build got into its pack.
type packing struct {
	cache    *cache.Session // nil: nothing is kept
	ledger   *cache.Ledger  // nil when cache is
	root     string         // the asset root
	items    []Item         // in the order of the pack, where the index comes before them
	stamps   []stamped      // of the items, when there is a ledger
	sums     []uint32       // checksums of the stored bytes, in the order of the pack
	encoded  int            // files that the encoder worked on
	recalled int            // files that the cache knew
	damaged  int            // forms of the cache that could not be used
	loose    []int64        // bytes that were copied of each file beside the pack
}

// mostDamaged is how many damaged forms of the cache are reported one by one.
const mostDamaged = 10

// beginPacking opens the cache. An export does without one that cannot be used.
func (r *run) beginPacking() *packing {
	p := &packing{root: r.project.AssetRoot(), items: r.content.Items}
	if r.options.NoCache || !r.settings.Compress {
		return p
	}
	c, err := cache.Default()
	if err != nil {
		r.warn("", err.Error())
	}
	if r.options.Cache != nil {
		c = r.options.Cache
	}
	if c.Limit <= 0 {
		return p
	}
	if p.cache, err = c.Begin(); err != nil {
		r.warn("", fmt.Sprintf("Every file is compressed anew, since the cache of compressed files cannot be used: %v", err))
		return p
	}
	p.ledger = p.cache.Ledger(p.root)
	p.stamps = make([]stamped, len(p.items))
	return p
}

// A stamped file is one that is read so that the ledger may know it the next time.
type stamped struct {
	stamp cache.Stamp // from before it was read
	ok    bool
}

// source gives an item of the content to be packed.
func (p *packing) source(i int) tspack.Source {
	item := &p.items[i]
	s := tspack.Source{Path: item.Path, Size: item.Size, Open: func() (io.ReadCloser, error) { return p.open(i) }}
	if p.remembers(i) {
		s.Known = func() (tspack.Sum, bool) { return p.ledger.Known(p.file(i)) }
	}
	return s
}

// remembers says whether the content of an item is worth knowing: it is when the item would be compressed.
func (p *packing) remembers(i int) bool {
	return p.ledger != nil && !tspack.Precompressed(assetpath.Ext(p.items[i].Path))
}

func (p *packing) file(i int) string { return fileBelow(p.root, p.items[i].Path) }

func (p *packing) open(i int) (io.ReadCloser, error) {
	file := p.file(i)
	if p.remembers(i) && !p.stamps[i].ok {
		p.stamps[i].stamp, p.stamps[i].ok = p.ledger.Look(file)
	}
	return openPlain(file)
}

// options adds to how a pack is written what is kept, checked and recorded of it.
func (p *packing) options(r *run, o tspack.WriterOptions) tspack.WriterOptions {
	if p.cache != nil {
		o.Cache = p.cache
	}
	o.Check = true
	o.Record = func(entry tspack.Packing) {
		p.sums = append(p.sums, entry.Checksum)
		switch entry.Origin {
		case tspack.Encoded:
			p.encoded++
		case tspack.Cached:
			p.recalled++
		}
		if i := len(p.sums) - 2; p.ledger != nil && i >= 0 && p.stamps[i].ok && entry.Content != (tspack.Sum{}) { // the first one is the index
			p.ledger.Tell(p.file(i), p.stamps[i].stamp, entry.Content)
		}
		if entry.Fault != nil {
			if p.damaged++; p.damaged <= mostDamaged {
				r.warn(entry.Path, fmt.Sprintf("compressed anew, because the cache's copy of it was damaged: %v", entry.Fault))
			}
		}
	}
	return o
}

// end lets other exports use what was compressed, and says how much that was.
func (p *packing) end(r *run, complete bool) {
	if complete && p.ledger != nil {
		p.ledger.Complete()
	}
	if p.damaged > mostDamaged {
		r.warn("", fmt.Sprintf("%s compressed anew, because the cache was damaged. Check the disk that it is on", count(p.damaged-mostDamaged, "more file was", "more files were")))
	}
	if p.cache != nil {
		for _, err := range p.cache.Close() {
			r.warn("", err.Error())
		}
	}
	if r.settings.Compress {
		r.info("%s compressed, %s from the cache", grouped(p.encoded), grouped(p.recalled))
	}
}

// grouped gives a number with commas between its thousands.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
