package discs

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"talebinder/formats/cdi"
	"talebinder/formats/dragonfs"
	"talebinder/formats/iso9660"
	"talebinder/formats/n64rom"
)

// A Plan says what a swap makes of an image. Nothing has been written for it.
type Plan struct {
	Image   *Identity
	Content string // the folder that becomes Content
	Target  string // the file that is written; "" when that is decided later
	InPlace bool   // it is the image itself

	Kept    []Part   // what stays byte for byte
	Changes []Change // what is in Content afterwards or was before, in the order of the paths
	LeftOut []string // files of the content folder that a cartridge does not get
	Moved   []Move   // kept files that get another place

	SizeBefore, Size           int64 // of the image, in bytes
	ContentBefore, ContentSize int64 // of the files in Content, in bytes
	Medium                     Medium
	Free                       int64 // bytes of the medium that are left; negative when it is too small
	TracksBefore, TracksAfter  []Track
	Warnings                   []string
}

// A Part is a part of an image that stays as it is.
type Part struct {
	Path   string // of a file, or what it is, such as "IP.BIN"
	Size   int64  // bytes
	SHA256 string // hexadecimal
}

// ChangeKind says what becomes of a file of the content.
type ChangeKind uint8

// The kinds of changes.
const (
	Unchanged ChangeKind = iota
	Added
	Changed
	Removed
)

// String gives the kind in a word.
func (k ChangeKind) String() string {
	return [...]string{"unchanged", "added", "changed", "removed"}[k]
}

// A Change is what becomes of a file or a folder of the content.
type Change struct {
	Path          string // on the medium
	Kind          ChangeKind
	Dir           bool
	Before, After int64 // bytes of a file; -1 where it is not there
}

// A Move is a kept file that gets another place.
type Move struct {
	Path     string
	From, To int64 // sectors
}

// A Medium is what an image is written to in the end.
type Medium struct {
	Name string
	Size int64 // bytes
}

// Count gives the number of files that a kind of change happens to.
func (p *Plan) Count(kind ChangeKind) int {
	n := 0
	for _, c := range p.Changes {
		if c.Kind == kind && !c.Dir {
			n++
		}
	}
	return n
}

// Progress is told how many of how many bytes have been looked at, and what is being looked at.
type Progress func(done, total int64, what string)

// The media that images are for.
var (
	compactDisc = Medium{"CD (80 minutes)", cdi.MaxDiscSectors * iso9660.SectorSize}
	media       = []Medium{compactDisc, {"DVD", 2295104 * iso9660.SectorSize}, {"DVD with two layers", 4171712 * iso9660.SectorSize}}
	cartridge   = Medium{"Nintendo 64 cartridge", n64rom.CartridgeSize}
)

// prepared is a swap that is ready to be written: everything that can be checked has been.
type prepared struct {
	image   *Image
	id      *Identity
	content *content
	place   *place
	plan    *Plan

	disc    *iso9660.Plan     // of a disc
	spelled map[string]string // paths of the content folder that the disc cannot spell, and how it does

	layout *dragonfs.Layout
	files  map[string]*contentEntry // of a cartridge, by path on the medium

	kept []keptPart
}

// A keptPart is a part to be compared afterwards. Its place in the new image is found when that has been opened.
type keptPart struct {
	name   string
	size   int64
	reader *io.SectionReader
	node   *iso9660.Planned // of a file of a disc
	sum    [sha256.Size]byte
}

// prepare opens the image, looks at the content folder and lays out the new image.
func (s *Swap) prepare(ctx context.Context, say func(step string)) (p *prepared, err error) {
	im, err := Open(ctx, s.options.Image)
	if err != nil {
		return nil, err
	}
	p = &prepared{image: im, spelled: make(map[string]string)}
	defer func() {
		if err != nil {
			_ = im.Close()
		}
	}()
	if p.id, err = im.Identity(ctx); err != nil {
		return nil, err
	}
	if p.id.Refusal != nil {
		return nil, p.id.Refusal
	}
	say("content")
	if p.place, err = s.place(im); err != nil {
		return nil, err
	}
	if p.content, err = readContent(ctx, s.options.Content, p.place.own); err != nil {
		return nil, err
	}
	p.plan = &Plan{
		Image: p.id, Content: s.options.Content, Target: p.place.target, InPlace: p.place.inPlace,
		SizeBefore: im.Size, TracksBefore: p.id.Tracks, Warnings: slices.Clone(p.id.Warnings),
	}
	if im.Container == Cartridge {
		err = p.layOutCartridge()
	} else {
		err = p.layOutDisc(ctx, s)
	}
	if err != nil {
		return nil, err
	}
	for _, section := range im.sections() {
		p.kept = append(p.kept, keptPart{name: section.name, size: section.reader.Size(), reader: section.reader})
	}
	slices.SortStableFunc(p.plan.Changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	if s.options.NoPlace {
		return p, nil
	}
	return p, p.place.checkSpace(p.plan.Size)
}

func (p *prepared) layOutDisc(ctx context.Context, s *Swap) error {
	im := p.image
	tree, err := im.volume.ReadTree(ctx)
	if err != nil {
		return refuse(im.Path+": its content cannot be swapped", err, "")
	}
	r := iso9660.Replacement{Name: contentName, ModTime: p.content.modTime, Location: s.options.Location, KeepLength: im.Container == CDI}
	for _, e := range p.content.entries {
		source := iso9660.Source{Path: e.path, Dir: e.dir, ModTime: e.info.ModTime()}
		if !e.dir {
			source.Size, source.Open = e.info.Size(), e.open
		}
		r.Sources = append(r.Sources, source)
	}
	if p.disc, err = iso9660.NewPlan(ctx, im.volume, tree, r); err != nil {
		if ctx.Err() != nil {
			return err
		}
		return refuse(im.Path+": its content cannot be swapped", err, "")
	}
	plan := p.plan
	if p.disc.Replaced == nil {
		plan.Warnings = append(plan.Warnings, "There is no directory Content on the disc: one is added")
	}
	if p.disc.DropsElTorito {
		plan.Warnings = append(plan.Warnings, "The boot record for PCs (El Torito) is not kept")
	}
	sectors := int64(p.disc.TrackSectors)
	if im.Container == ISO {
		plan.Size = sectors * iso9660.SectorSize
		plan.TracksAfter = slices.Clone(plan.TracksBefore)
		plan.TracksAfter[0].Length = p.disc.TrackSectors
		plan.Medium = media[len(media)-1]
		for _, m := range media {
			if plan.Size <= m.Size {
				plan.Medium = m
				break
			}
		}
		plan.Free = plan.Medium.Size - plan.Size
	} else {
		p.planTracks(sectors)
	}
	p.compareDisc(tree)
	return nil
}

// planTracks works out what becomes of the tracks of a DiscJuggler image.
func (p *prepared) planTracks(sectors int64) {
	im, plan := p.image, p.plan
	data := im.data.Track()
	grown := max(sectors-int64(data.Length), 0)
	plan.Size = im.Size + grown*int64(data.SectorSize)
	plan.TracksAfter = slices.Clone(plan.TracksBefore)
	for i, t := range im.cdi.Tracks {
		if t == data {
			plan.TracksAfter[i].Length += uint32(grown)
		}
	}
	plan.Medium = compactDisc
	after := int64(im.cdi.DiscSectors) + grown
	plan.Free = (cdi.MaxDiscSectors - after) * iso9660.SectorSize
	if plan.Free < 0 {
		plan.Warnings = append(plan.Warnings, fmt.Sprintf("The disc has %d sectors afterwards, a CD of 80 minutes holds %d", after, cdi.MaxDiscSectors))
	}
}

// compareDisc lists what becomes of the files of a disc.
func (p *prepared) compareDisc(tree *iso9660.Tree) {
	plan := p.plan
	for i := range p.disc.Kept {
		k := &p.disc.Kept[i]
		if k.Dir {
			continue
		}
		p.kept = append(p.kept, keptPart{name: k.Path, size: k.Size, node: k})
		if k.Moved() {
			plan.Moved = append(plan.Moved, Move{k.Path, int64(k.Node.LBA), int64(k.LBA)})
		}
	}
	for i := range p.disc.New {
		if n := &p.disc.New[i]; n.Source != nil && n.DiscPath != n.Path {
			p.spelled[n.Source.Path] = n.DiscPath
		}
	}
	before := make(map[string]*iso9660.Node)
	if p.disc.Replaced != nil {
		for n := range below(p.disc.Replaced) {
			before[lower(contentName+strings.TrimPrefix(n.Path(), p.disc.Replaced.Path()))] = n
			if !n.Dir {
				plan.ContentBefore += n.Size
			}
		}
	}
	for _, e := range p.content.entries {
		path := p.onMedium(e)
		c := Change{Path: path, Dir: e.dir, Kind: Added, Before: -1, After: -1}
		if !e.dir {
			c.After = e.info.Size()
			plan.ContentSize += c.After
		}
		if n := before[lower(path)]; n != nil && n.Dir == e.dir {
			delete(before, lower(path))
			c.Kind = Unchanged
			if !e.dir {
				c.Before = n.Size
				if n.Size != c.After {
					c.Kind = Changed
				}
			}
		}
		plan.Changes = append(plan.Changes, c)
	}
	for _, n := range before {
		c := Change{Path: contentName + strings.TrimPrefix(n.Path(), p.disc.Replaced.Path()), Dir: n.Dir, Kind: Removed, Before: -1, After: -1}
		if !n.Dir {
			c.Before = n.Size
		}
		plan.Changes = append(plan.Changes, c)
	}
}

// below gives everything in a directory.
func below(dir *iso9660.Node) func(yield func(*iso9660.Node) bool) {
	return (&iso9660.Tree{Root: dir}).All()
}

func (p *prepared) layOutCartridge() error {
	im, plan := p.image, p.plan
	p.content.stage()
	p.files = make(map[string]*contentEntry)
	plan.LeftOut = p.content.leftOut
	sources := []dragonfs.Source{{Path: contentName, Dir: true}}
	for _, e := range p.content.entries {
		path := contentName + "/" + e.path
		source := dragonfs.Source{Path: path, Dir: e.dir}
		if !e.dir {
			source.Size, source.Open = e.info.Size(), e.open
			p.files[path] = e
		}
		sources = append(sources, source)
	}
	what := im.Path + ": its content cannot be swapped"
	var err error
	if p.layout, err = dragonfs.NewLayout(sources); err != nil {
		return refuse(what, err, "")
	}
	end := im.dfs.Offset + p.layout.Size
	plan.Size = (end + n64rom.Alignment - 1) / n64rom.Alignment * n64rom.Alignment
	plan.Medium, plan.Free = cartridge, cartridge.Size-plan.Size
	if plan.Free < 0 {
		return &Refusal{
			What: what, Found: fmt.Sprintf("the new ROM has %d bytes", plan.Size), Needed: fmt.Sprintf("%d bytes at most, which is what a cartridge can address", cartridge.Size),
			Advice: fmt.Sprintf("Leave out %d bytes of content", -plan.Free),
		}
	}

	before := make(map[string]*dragonfs.Node)
	for n := range im.fs.All() {
		before[n.Path()] = n
		if !n.Dir {
			plan.ContentBefore += n.Size
		}
	}
	dropped := 0
	delete(before, contentName)
	for _, s := range sources[1:] {
		c := Change{Path: s.Path, Dir: s.Dir, Kind: Added, Before: -1, After: -1}
		if !s.Dir {
			c.After = s.Size
			plan.ContentSize += s.Size
		}
		if n := before[s.Path]; n != nil && n.Dir == s.Dir {
			delete(before, s.Path)
			c.Kind = Unchanged
			if !s.Dir {
				c.Before = n.Size
				if n.Size != s.Size {
					c.Kind = Changed
				}
			}
		}
		plan.Changes = append(plan.Changes, c)
	}
	for path, n := range before {
		c := Change{Path: path, Dir: n.Dir, Kind: Removed, Before: -1, After: -1}
		if !n.Dir {
			c.Before = n.Size
			if !strings.HasPrefix(path, contentName+"/") {
				dropped++
			}
		}
		plan.Changes = append(plan.Changes, c)
	}
	if dropped > 0 {
		plan.Warnings = append(plan.Warnings, fmt.Sprintf("The file system has %d files outside Content, which are not kept", dropped))
	}
	return nil
}

// pieceSize is how much is read at a time.
const pieceSize = 1 << 20

// sectionOf gives the content of a kept part of the old image.
func (p *prepared) sectionOf(k *keptPart) (*io.SectionReader, error) {
	if k.reader != nil {
		return io.NewSectionReader(k.reader, 0, k.size), nil
	}
	return p.image.volume.Open(k.node.Node)
}

// examine hashes what is kept, and compares the files of the content that have kept their size.
func (p *prepared) examine(ctx context.Context, progress Progress) error {
	var total int64
	for i := range p.kept {
		total += p.kept[i].size
	}
	var same []*Change
	for i := range p.plan.Changes {
		if c := &p.plan.Changes[i]; c.Kind == Unchanged && !c.Dir {
			same = append(same, c)
			total += c.After
		}
	}
	counter := newCounter(total, progress)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range p.kept {
		group.Go(func() error {
			k := &p.kept[i]
			r, err := p.sectionOf(k)
			if err != nil {
				return refuse(p.image.Path+": "+k.name, err, "")
			}
			h := sha256.New()
			if err := counter.copy(ctx, h, r, k.name); err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}
			h.Sum(k.sum[:0])
			return nil
		})
	}
	hosts, old := p.hosts(), p.oldFiles()
	for _, c := range same {
		group.Go(func() error {
			equal, err := p.equal(ctx, counter, c, hosts[c.Path], old[p.key(c.Path)])
			if err == nil && !equal {
				c.Kind = Changed
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	counter.finish()
	for i := range p.kept {
		k := &p.kept[i]
		p.plan.Kept = append(p.plan.Kept, Part{k.name, k.size, hex.EncodeToString(k.sum[:])})
	}
	slices.SortStableFunc(p.plan.Kept, func(a, b Part) int { return cmp.Compare(rank(a), rank(b)) })
	return p.image.changed()
}

// rank puts what people look for first ahead of other kept parts.
func rank(p Part) int {
	switch name := lower(p.Path); {
	case name == "ip.bin", name == "rom header":
		return 0
	case name == "1st_read.bin", name == "system.cnf", name == "bootcode":
		return 1
	case strings.HasSuffix(name, ".elf"), strings.HasSuffix(name, "(executable)"):
		return 2
	}
	return 3
}

// onMedium is the path that a file of the content folder has on the medium.
func (p *prepared) onMedium(e *contentEntry) string {
	if path, other := p.spelled[e.path]; other {
		return path
	}
	return contentName + "/" + e.path
}

// hosts finds the files of the content folder by their path on the medium.
func (p *prepared) hosts() map[string]*contentEntry {
	files := make(map[string]*contentEntry)
	for _, e := range p.content.entries {
		if !e.dir {
			files[p.onMedium(e)] = e
		}
	}
	return files
}

// key is what paths of the image's content are compared by: on a disc no two differ in the case of letters only.
func (p *prepared) key(path string) string {
	if p.image.Container == Cartridge {
		return path
	}
	return lower(path)
}

// oldFiles finds the content of the image's files by their keys.
func (p *prepared) oldFiles() map[string]*io.SectionReader {
	files := make(map[string]*io.SectionReader)
	if p.image.Container == Cartridge {
		for n := range p.image.fs.All() {
			if !n.Dir {
				files[n.Path()] = io.NewSectionReader(p.image.source, p.image.dfs.Offset+n.Offset, n.Size)
			}
		}
		return files
	}
	if p.disc.Replaced == nil {
		return files
	}
	for n := range below(p.disc.Replaced) {
		if r, err := p.image.volume.Open(n); err == nil && !n.Dir {
			files[p.key(contentName+strings.TrimPrefix(n.Path(), p.disc.Replaced.Path()))] = r
		}
	}
	return files
}

// equal compares a file of the content folder with the one on the image. One on the image that cannot be read is another.
func (p *prepared) equal(ctx context.Context, counter *counter, c *Change, e *contentEntry, old *io.SectionReader) (bool, error) {
	if old == nil {
		return false, nil
	}
	file, err := os.Open(e.host)
	if err != nil {
		return false, err
	}
	defer file.Close()
	equal, err := sameBytes(ctx, counter, file, old, c.After, c.Path)
	var other *otherError
	if errors.As(err, &other) {
		return false, nil
	}
	return equal, err
}

// otherError is an error of the second of two readers.
type otherError struct{ error }

func (e *otherError) Unwrap() error { return e.error }

// sameBytes compares size bytes of two readers and stops at the first difference.
func sameBytes(ctx context.Context, counter *counter, a, b io.Reader, size int64, what string) (bool, error) {
	left, right := make([]byte, min(size, pieceSize)), make([]byte, min(size, pieceSize))
	for done := int64(0); done < size; {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		n := min(size-done, pieceSize)
		if _, err := io.ReadFull(a, left[:n]); err != nil {
			return false, err
		}
		if _, err := io.ReadFull(b, right[:n]); err != nil {
			return false, &otherError{err}
		}
		if !bytes.Equal(left[:n], right[:n]) {
			counter.add(size-done, what)
			return false, nil
		}
		done += n
		counter.add(n, what)
	}
	return true, nil
}

// A counter adds up what several goroutines have done.
type counter struct {
	total    int64
	done     atomic.Int64
	progress Progress
}

func newCounter(total int64, progress Progress) *counter {
	if progress == nil {
		progress = func(int64, int64, string) {}
	}
	return &counter{total: total, progress: progress}
}

func (c *counter) add(n int64, what string) { c.progress(c.done.Add(n), c.total, what) }

func (c *counter) finish() { c.progress(c.total, c.total, "") }

// copy reads all of r into w, in pieces.
func (c *counter) copy(ctx context.Context, w io.Writer, r *io.SectionReader, what string) error {
	b := make([]byte, min(r.Size(), pieceSize))
	for done := int64(0); done < r.Size(); {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(r.Size()-done, pieceSize)
		if m, err := r.ReadAt(b[:n], done); int64(m) < n {
			return err
		}
		if _, err := w.Write(b[:n]); err != nil {
			return err
		}
		done += n
		c.add(n, what)
	}
	return nil
}
