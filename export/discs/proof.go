package discs

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"talebinder/formats/iso9660"
	"talebinder/formats/n64rom"
)

// A proof compares an image that has been written with what was to be written. It opens the file from scratch.
type proof struct {
	*prepared
	path string

	image2 *Image
	sum    [sha256.Size]byte // of the new image
	proven int               // files of the content
	tasks  []task
}

// A task is a part of a proof that can be done at the same time as others.
type task struct {
	size int64 // bytes that it reads of the new image
	run  func(ctx context.Context, counter *counter) error
}

func (p *proof) add(size int64, run func(ctx context.Context, counter *counter) error) {
	p.tasks = append(p.tasks, task{size, run})
}

// run does everything. The number of bytes that progress counts up to goes to begin first.
func (p *proof) run(ctx context.Context, progress Progress, begin func(total int64)) error {
	var err error
	if p.image2, err = Open(ctx, p.path); err != nil {
		return err
	}
	defer p.image2.Close()
	switch im := p.image2; {
	case im.Container != p.image.Container:
		return fmt.Errorf("it is an image of the kind .%s, expected .%s", im.Container, p.image.Container)
	case im.Size != p.plan.Size:
		return fmt.Errorf("it has %d bytes, expected %d", im.Size, p.plan.Size)
	case im.broken != nil:
		return im.broken
	}
	p.add(p.image2.Size, p.hashImage)
	if err := p.proveSections(); err != nil {
		return err
	}
	if p.image.Container == Cartridge {
		err = p.proveCartridge(ctx)
	} else {
		err = p.proveDisc(ctx)
	}
	if err != nil {
		return err
	}

	total := int64(0)
	for _, t := range p.tasks {
		total += t.size
	}
	begin(total)
	counter := newCounter(total, progress)
	// The large ones first, so that all cores have work until the end.
	slices.SortStableFunc(p.tasks, func(a, b task) int { return cmp.Compare(b.size, a.size) })
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, t := range p.tasks {
		group.Go(func() error { return t.run(ctx, counter) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	counter.finish()
	return nil
}

func (p *proof) hashImage(ctx context.Context, counter *counter) error {
	h := sha256.New()
	if err := counter.copy(ctx, h, io.NewSectionReader(p.image2.file, 0, p.image2.Size), ""); err != nil {
		return err
	}
	h.Sum(p.sum[:0])
	return nil
}

// compare adds a task that compares size bytes of two readers, from the first to the last, and hashes the first hashed of
// them into sum unless that is nil.
func (p *proof) compare(what string, old, now *io.SectionReader, hashed int64, sum *[sha256.Size]byte) error {
	if old.Size() != now.Size() {
		return fmt.Errorf("%s: %d bytes, expected %d", what, now.Size(), old.Size())
	}
	p.add(old.Size(), func(ctx context.Context, counter *counter) error {
		h := sha256.New()
		left, right := make([]byte, min(old.Size(), pieceSize)), make([]byte, min(old.Size(), pieceSize))
		for at := int64(0); at < old.Size(); {
			if err := ctx.Err(); err != nil {
				return err
			}
			n := min(old.Size()-at, pieceSize)
			if m, err := old.ReadAt(left[:n], at); int64(m) < n {
				return fmt.Errorf("%s: %w", what, err)
			}
			if m, err := now.ReadAt(right[:n], at); int64(m) < n {
				return fmt.Errorf("%s of the new image: %w", what, err)
			}
			if !bytes.Equal(left[:n], right[:n]) {
				return p.differs(what, at, left[:n], right[:n])
			}
			if at < hashed {
				h.Write(left[:min(n, hashed-at)])
			}
			at += n
			counter.add(n, what)
		}
		if sum != nil {
			h.Sum(sum[:0])
		}
		return nil
	})
	return nil
}

// differs says where two parts differ. The cause may be that the image was changed while it was read.
func (p *proof) differs(what string, at int64, old, now []byte) error {
	if err := p.image.changed(); err != nil {
		return err
	}
	for i := range old {
		if old[i] != now[i] {
			return fmt.Errorf("%s: byte %d is %02X, expected %02X", what, at+int64(i), now[i], old[i])
		}
	}
	return nil
}

// proveSections compares the kept parts that are no files.
func (p *proof) proveSections() error {
	now := make(map[string]*io.SectionReader)
	for _, s := range p.image2.sections() {
		now[s.name] = s.reader
	}
	for i := range p.kept {
		k := &p.kept[i]
		if k.reader == nil {
			continue
		}
		reader := now[k.name]
		if reader == nil {
			return fmt.Errorf("%s is missing", k.name)
		}
		if err := p.compare(k.name, k.reader, reader, k.size, &k.sum); err != nil {
			return err
		}
	}
	return nil
}

// proveContent adds a task that compares the hash of a file of the new image with that of what was written.
func (p *proof) proveContent(e *contentEntry, what string, now *io.SectionReader) error {
	if now.Size() != e.info.Size() {
		return fmt.Errorf("%s has %d bytes, expected %d", what, now.Size(), e.info.Size())
	}
	p.proven++
	p.add(now.Size(), func(ctx context.Context, counter *counter) error {
		h := sha256.New()
		if err := counter.copy(ctx, h, now, what); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		var sum [sha256.Size]byte
		h.Sum(sum[:0])
		if now.Size() == 0 {
			e.sum, e.read = sum, true
		}
		switch {
		case !e.read:
			return fmt.Errorf("%s was not read to its end", what)
		case sum != e.sum:
			return fmt.Errorf("%s: its sha256 is %x, expected %x", what, sum, e.sum)
		}
		return nil
	})
	return nil
}

// freeFields are the bytes of a primary volume descriptor that a swap sets: the length of the volume, the path tables, and
// the record of the root directory, apart from its date.
var freeFields = [][2]int{{80, 88}, {132, 156}, {156, 174}, {181, 190}}

func (p *proof) proveDisc(ctx context.Context) error {
	old, now := p.image, p.image2
	if err := now.volume.Verify(ctx); err != nil {
		return err
	}
	if now.cdi != nil {
		if !slices.Equal(tracksOf(now.cdi.Tracks), p.plan.TracksAfter) {
			return errors.New("its tracks are not those that were planned")
		}
		if now.data.Track().SectorSize != iso9660.SectorSize {
			// The run-out is compared as it is stored: its codes need not be right.
			sectors := p.disc.VolumeSectors
			p.add(int64(sectors)*int64(now.data.Track().SectorSize), func(ctx context.Context, counter *counter) error {
				return now.cdi.VerifySectors(ctx, sectors, func(n int64) { counter.add(n, "sector codes") })
			})
		}
	}
	var descriptors [2][iso9660.SectorSize]byte
	for i, im := range []*Image{old, now} {
		if _, err := im.track.ReadAt(descriptors[i][:], 16*iso9660.SectorSize); err != nil {
			return fmt.Errorf("primary volume descriptor: %w", err)
		}
		for _, field := range freeFields {
			clear(descriptors[i][field[0]:field[1]])
		}
	}
	if descriptors[0] != descriptors[1] {
		return p.differs("primary volume descriptor", 0, descriptors[0][:], descriptors[1][:])
	}
	if runOut := int64(p.disc.RunOut); runOut > 0 {
		if err := p.compare("run-out", old.tail(runOut), now.tail(runOut), 0, nil); err != nil {
			return err
		}
	}

	tree, err := now.volume.ReadTree(ctx)
	if err != nil {
		return err
	}
	if found, planned := tree.Files+tree.Dirs, len(p.disc.Kept)+len(p.disc.New); found != planned {
		return fmt.Errorf("it has %d files and directories, expected %d", found, planned)
	}
	nodes := make(map[string]*iso9660.Node, tree.Files+tree.Dirs)
	for n := range tree.All() {
		nodes[n.Path()] = n
	}
	find := func(planned *iso9660.Planned) (*iso9660.Node, error) {
		n := nodes[planned.DiscPath]
		switch {
		case n == nil:
			return nil, fmt.Errorf("%s is missing", planned.Path)
		case n.Dir != planned.Dir:
			return nil, fmt.Errorf("%s is a file where a directory was planned, or the other way round", planned.Path)
		case !n.Dir && (n.Size != planned.Size || n.Size > 0 && n.LBA != planned.LBA):
			return nil, fmt.Errorf("%s has %d bytes at %d, expected %d at %d", planned.Path, n.Size, n.LBA, planned.Size, planned.LBA)
		}
		return n, nil
	}
	for i := range p.disc.Kept {
		n, err := find(&p.disc.Kept[i])
		if err != nil {
			return err
		}
		if n.Date != p.disc.Kept[i].Node.Date {
			return fmt.Errorf("%s has another date than before", p.disc.Kept[i].Path)
		}
	}
	for i := range p.kept {
		if k := &p.kept[i]; k.node != nil {
			n, err := find(k.node)
			if err != nil {
				return err
			}
			// Whole sectors: what lies behind the last byte of a file is kept too.
			if err := p.compare(k.name, old.extent(k.node.Node.LBA, k.size), now.extent(n.LBA, k.size), k.size, &k.sum); err != nil {
				return err
			}
		}
	}
	entries := make(map[string]*contentEntry, len(p.content.entries))
	for _, e := range p.content.entries {
		entries[e.path] = e
	}
	for i := range p.disc.New {
		planned := &p.disc.New[i]
		n, err := find(planned)
		if err != nil {
			return err
		}
		if n.Dir {
			continue
		}
		content, err := now.volume.Open(n)
		if err != nil {
			return err
		}
		if err := p.proveContent(entries[planned.Source.Path], planned.Path, content); err != nil {
			return err
		}
	}
	return nil
}

// extent gives the whole sectors that size bytes at an address take.
func (im *Image) extent(lba uint32, size int64) *io.SectionReader {
	if size == 0 {
		return io.NewSectionReader(im.track, 0, 0)
	}
	sectors := (size + iso9660.SectorSize - 1) / iso9660.SectorSize
	return io.NewSectionReader(im.track, int64(lba-im.volume.Base)*iso9660.SectorSize, sectors*iso9660.SectorSize)
}

// tail gives the last sectors of the data track as they are stored.
func (im *Image) tail(sectors int64) *io.SectionReader {
	if im.cdi == nil {
		end := im.Size / iso9660.SectorSize
		return io.NewSectionReader(im.file, (end-sectors)*iso9660.SectorSize, sectors*iso9660.SectorSize)
	}
	t := im.data.Track()
	size := int64(t.SectorSize)
	end := t.Offset + (int64(t.Pregap)+int64(t.Length))*size
	return io.NewSectionReader(im.file, end-sectors*size, sectors*size)
}

func (p *proof) proveCartridge(ctx context.Context) error {
	old, now := p.image, p.image2
	if now.dfs.Offset != old.dfs.Offset || now.dfs.Size != p.layout.Size {
		return fmt.Errorf("its file system has %d bytes at %d, expected %d at %d", now.dfs.Size, now.dfs.Offset, p.layout.Size, old.dfs.Offset)
	}
	// Everything in front of the file system, but for the two words of the table that a swap sets.
	table := old.rom.Table
	cookie, size := table.Offset+4, table.Offset+16+int64(old.dfsAt*table.EntrySize)+4
	at := int64(0)
	for _, word := range append(slices.Sorted(slices.Values([]int64{cookie, size})), old.dfs.Offset) {
		err := p.compare("the part ahead of the file system", io.NewSectionReader(old.file, at, word-at), io.NewSectionReader(now.file, at, word-at), 0, nil)
		if err != nil {
			return err
		}
		at = word + 4
	}
	padding := io.NewSectionReader(now.file, now.dfs.End(), now.Size-now.dfs.End())
	if err := p.compare("padding", io.NewSectionReader(zeros{}, 0, padding.Size()), padding, 0, nil); err != nil {
		return err
	}
	p.add(now.dfs.Size, func(ctx context.Context, counter *counter) error {
		h := n64rom.NewHash
		if err := counter.copy(ctx, &h, io.NewSectionReader(now.file, now.dfs.Offset, now.dfs.Size), ""); err != nil {
			return err
		}
		table, err := now.rom.Table.Patch(now.dfsAt, now.dfs.Size, h)
		if err == nil && !bytes.Equal(table, now.rom.Table.Bytes()) {
			err = errors.New("the cookie of the table of contents is not that of the file system")
		}
		return err
	})
	if now.fs.Files != len(p.files) {
		return fmt.Errorf("it has %d files, expected %d", now.fs.Files, len(p.files))
	}
	dirs := 1
	for _, e := range p.content.entries {
		if e.dir {
			dirs++
		}
	}
	if now.fs.Dirs != dirs {
		return fmt.Errorf("it has %d directories, expected %d", now.fs.Dirs, dirs)
	}
	for n := range now.fs.All() {
		if n.Dir {
			continue
		}
		path := n.Path()
		e := p.files[path]
		if e == nil {
			return fmt.Errorf("%s was not to be written", path)
		}
		if err := p.proveContent(e, path, io.NewSectionReader(now.file, now.dfs.Offset+n.Offset, n.Size)); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// zeros reads as zeros without end.
type zeros struct{}

func (zeros) ReadAt(b []byte, _ int64) (int, error) {
	clear(b)
	return len(b), nil
}
