package export

import (
	"fmt"
	"strconv"

	"talebinder/export/cache"
	"talebinder/formats/tspack"
)

// packing is what is known about how the files of a build got into its pack.
type packing struct {
	cache    *cache.Session // nil: nothing is kept
	sums     []tspack.Sum   // of the stored bytes, in the order of the pack
	encoded  int            // files that the encoder worked on
	recalled int            // files that the cache knew
	damaged  int            // forms of the cache that could not be used
}

// mostDamaged is how many damaged forms of the cache are reported one by one.
const mostDamaged = 10

// beginPacking opens the cache. An export does without one that cannot be used.
func (r *run) beginPacking() *packing {
	p := &packing{}
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
	}
	return p
}

// options adds to how a pack is written what is kept, checked and recorded of it.
func (p *packing) options(r *run, o tspack.WriterOptions) tspack.WriterOptions {
	if p.cache != nil {
		o.Cache = p.cache
	}
	o.Check = true
	o.Record = func(entry tspack.Packing) {
		p.sums = append(p.sums, entry.Sum)
		switch entry.Origin {
		case tspack.Encoded:
			p.encoded++
		case tspack.Cached:
			p.recalled++
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
func (p *packing) end(r *run) {
	if p.damaged > mostDamaged {
		r.warn("", fmt.Sprintf("%s more compressed anew, because the cache was damaged. Check the disk that it is on", count(p.damaged-mostDamaged, "file was", "files were")))
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
