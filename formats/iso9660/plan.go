package iso9660

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"talebinder/formats"
)

// maxRunOut is how many sectors behind the volume are taken for the run-out of a track, and kept.
const maxRunOut = 150

// Source is a file or a directory that goes into the replaced directory.
type Source struct {
	Path    string // below the replaced directory, names separated by slashes
	Dir     bool
	Size    int64                         // in bytes
	ModTime time.Time                     // zero: unknown
	Open    func() (io.ReadCloser, error) // of a file; called once, when its turn comes
}

// Replacement says which directory of the root is replaced, and by what.
type Replacement struct {
	Name    string    // how the directory is spelled afterwards; it is found ignoring the case of ASCII letters
	ModTime time.Time // of the directory

	// Sources is what the directory holds afterwards, in any order. A directory that is not listed and has something in it
	// is made without a date.
	Sources []Source

	Location   *time.Location // the dates of a disc are a wall clock's; nil is the local one
	KeepLength bool           // the track does not become shorter: files move to its end, and the room is in front of them
}

// Planned is a file or a directory of the volume that is planned.
type Planned struct {
	Path       string  // from the root, names separated by slashes
	DiscPath   string  // as it is read from the new volume: other than Path where Joliet cannot spell a character
	Identifier string  // in the plain hierarchy, such as "SYSTEM.CNF;1"
	Dir        bool    // then Size is that of the plain directory
	Size       int64   // in bytes
	LBA        uint32  // where it will be
	Node       *Node   // of a kept one: as it is now
	Source     *Source // of a new one; nil for a directory that no source lists
}

// Moved says whether a kept file gets another place.
func (p Planned) Moved() bool { return p.Node != nil && !p.Dir && p.Size > 0 && p.Node.LBA != p.LBA }

// Plan is a volume that is laid out and not yet written. All numbers of sectors are of 2048 bytes.
type Plan struct {
	Replaced *Node     // the directory that goes away with all that is in it; nil: the volume has none of that name
	Kept     []Planned // directories ahead of what is in them, in the order of the new volume
	New      []Planned // the same; the first one is the directory itself

	VolumeSectors uint32 // of the new volume
	RunOut        uint32 // sectors at the end of the track that are kept as they are, behind the volume
	TrackSectors  uint32 // both together
	SourceSectors uint32 // of the track as it is
	Required      uint32 // sectors that are needed for the volume; the others are empty

	AddsJoliet    bool // the new volume has Joliet names, the old one has none
	DropsElTorito bool // the boot record for PCs goes away

	volume *Volume
	root   *entry
	dirs   []*entry // breadth first, children in the order of the plain hierarchy
	files  []*entry // directory by directory, in the same order
	tables [2]table // of the plain and of the Joliet hierarchy
	first  int64    // sector of the track where files begin
}

// entry is a file or a directory of the volume that is planned.
type entry struct {
	name          string
	dir           bool
	size          int64 // of a file
	date          Date
	node          *Node // of a kept one
	source        *Source
	parent        *entry
	children      []*entry
	byPlain       []*entry // the children
	byJoliet      []*entry
	plain, joliet string // identifiers
	number        int    // of a directory, from 1
	depth         int    // of a directory, 0 for the root
	extents       [2]extent
}

// extent is where something lies. A file has the same one in both hierarchies.
type extent struct {
	lba  uint32
	size int64
}

// table is the path table of a hierarchy.
type table struct {
	size          int64
	little, big   uint32 // LBA
	sectorsOfEach int64
}

func (e *entry) path() string {
	if e.parent == nil {
		return ""
	}
	var names []string
	for ; e.parent != nil; e = e.parent {
		names = append(names, e.name)
	}
	for i, j := 0, len(names)-1; i < j; i, j = i+1, j-1 {
		names[i], names[j] = names[j], names[i]
	}
	return strings.Join(names, "/")
}

func (e *entry) identifier(joliet int) string {
	switch {
	case e.parent == nil:
		return "\x00"
	case joliet == 1:
		return e.joliet
	}
	return e.plain
}

func clash(a, b *entry, how string) error {
	if a.name == b.name {
		how = "have the same name"
	}
	return &NameError{Path: b.path(), Other: a.path(), Problem: how}
}

func withPath(err error, e *entry) error { return fmt.Errorf("%s: %w", quote(e.path()), err) }

// NameError says that two entries of a directory cannot both be on the disc.
type NameError struct {
	Path, Other string
	Problem     string
}

// Error names both paths.
func (e *NameError) Error() string {
	return fmt.Sprintf("%s and %s %s: rename one of them", quote(e.Other), quote(e.Path), e.Problem)
}

// Unwrap says that it is the medium that cannot hold them.
func (e *NameError) Unwrap() error { return formats.ErrUnsupported }

// NewPlan lays out the volume that is v with one directory of the root replaced. t is the tree of v.
//
// Kept are the system area, the texts and dates of the descriptors, and all files and directories outside the replaced
// directory, with their names, dates and content, and up to 150 sectors behind the volume. The plain identifiers are made
// anew; names that follow interchange level 2 keep theirs. Rock Ridge, boot records and flags of files go away.
//
// What cannot be kept gives the fault of the file, two names that a disc cannot tell apart a *NameError, and what does
// not fit a *formats.LimitError. Only v's system area and descriptors are read later on, besides the kept files.
func NewPlan(ctx context.Context, v *Volume, t *Tree, r Replacement) (*Plan, error) {
	p := &Plan{volume: v, SourceSectors: v.Sectors, AddsJoliet: v.Joliet == nil, DropsElTorito: v.ElTorito}
	p.root = &entry{dir: true, date: v.Primary.rootDate, node: t.Root}
	if err := p.keep(t, r.Name); err != nil {
		return nil, err
	}
	if err := p.add(r); err != nil {
		return nil, err
	}
	if err := p.order(ctx); err != nil {
		return nil, err
	}
	if err := p.place(r.KeepLength); err != nil {
		return nil, err
	}
	p.list()
	return p, nil
}

// keep takes over everything outside the directory that is replaced.
func (p *Plan) keep(t *Tree, replaced string) error {
	for _, c := range t.Root.Children {
		if !equalFold(c.Name, replaced) {
			continue
		}
		switch {
		case !c.Dir:
			return formats.Unsupported(part(c), c.at, "a file", "a directory: this disc keeps something else under the name that is to be replaced")
		case p.Replaced != nil:
			return formats.Damaged(part(c), c.at, "the name a second time", "one directory of that name")
		}
		p.Replaced = c
	}
	for queue := []*entry{p.root}; len(queue) > 0; queue = queue[1:] {
		dir := queue[0]
		names := make(map[string]*Node, len(dir.node.Children))
		for _, n := range dir.node.Children {
			if n == p.Replaced {
				continue
			}
			if n.Fault != nil {
				return n.Fault
			}
			if other, ok := names[fold(n.Name)]; ok {
				return formats.Damaged(part(n), n.at, "the name a second time, "+quote(other.Name)+" is there", "names that differ in more than the case of letters")
			}
			names[fold(n.Name)] = n
			e := &entry{name: n.Name, dir: n.Dir, date: n.Date, node: n, parent: dir}
			dir.children = append(dir.children, e)
			if n.Dir {
				queue = append(queue, e)
			} else {
				e.size = n.Size
			}
		}
	}
	return nil
}

// add puts the new directory into the root.
func (p *Plan) add(r Replacement) error {
	where := r.Location
	if where == nil {
		where = time.Local
	}
	top := &entry{name: r.Name, dir: true, date: DateOf(r.ModTime, where), parent: p.root}
	p.root.children = append(p.root.children, top)
	byPath := make(map[string]*entry, len(r.Sources))
	// Directories first, so that they have their dates whatever the order.
	for i := range r.Sources {
		s := &r.Sources[i]
		if err := s.check(); err != nil {
			return err
		}
		if s.Dir {
			e := directoryAt(byPath, top, s.Path)
			if e.source != nil {
				return &NameError{Path: s.Path, Other: s.Path, Problem: "have the same name"}
			}
			e.source, e.date = s, DateOf(s.ModTime, where)
		}
	}
	for i := range r.Sources {
		s := &r.Sources[i]
		if s.Dir {
			continue
		}
		parent, name := top, s.Path
		if i := strings.LastIndexByte(s.Path, '/'); i >= 0 {
			parent, name = directoryAt(byPath, top, s.Path[:i]), s.Path[i+1:]
		}
		parent.children = append(parent.children, &entry{name: name, size: s.Size, date: DateOf(s.ModTime, where), source: s, parent: parent})
	}
	return nil
}

// directoryAt gives the directory with a path below top, and makes it when it is not there.
func directoryAt(byPath map[string]*entry, top *entry, path string) *entry {
	missing := []string{}
	e, ok := top, false
	for {
		if e, ok = byPath[path]; ok {
			break
		}
		i := strings.LastIndexByte(path, '/')
		missing = append(missing, path)
		if i < 0 {
			e = top
			break
		}
		path = path[:i]
	}
	for i := len(missing) - 1; i >= 0; i-- {
		path := missing[i]
		child := &entry{name: path[strings.LastIndexByte(path, '/')+1:], dir: true, parent: e}
		e.children = append(e.children, child)
		byPath[path] = child
		e = child
	}
	return e
}

func (s *Source) check() error {
	for name := range strings.SplitSeq(s.Path, "/") {
		if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "\\\x00") {
			return formats.Unsupported("the name "+quote(s.Path), -1, quote(name), "names without separators, which every system can read from the disc")
		}
	}
	switch {
	case s.Size < 0:
		return fmt.Errorf("%s: a size of %d bytes", quote(s.Path), s.Size)
	case s.Size > math.MaxUint32:
		return &formats.LimitError{What: "size of " + quote(s.Path), Value: s.Size, Max: math.MaxUint32, Unit: "bytes"}
	case !s.Dir && s.Size > 0 && s.Open == nil:
		return fmt.Errorf("%s: nothing to read it from", quote(s.Path))
	}
	return nil
}

// order gives everything its identifiers and its place in the two lists.
func (p *Plan) order(ctx context.Context) error {
	p.dirs = []*entry{p.root}
	entries := 0
	for i := 0; i < len(p.dirs); i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		d := p.dirs[i]
		d.number = i + 1
		if d.parent != nil {
			d.depth = d.parent.depth + 1
		}
		entries += len(d.children)
		switch {
		case d.depth > maxDepth:
			return withPath(&formats.LimitError{What: "nesting of directories", Value: int64(d.depth), Max: maxDepth}, d)
		case entries > maxEntries:
			return &formats.LimitError{What: "number of files and directories", Value: int64(entries), Max: maxEntries}
		}
		if err := d.setIdentifiers(); err != nil {
			return err
		}
		for _, c := range d.byPlain {
			if c.dir {
				p.dirs = append(p.dirs, c)
			} else {
				p.files = append(p.files, c)
			}
		}
	}
	if n := int64(len(p.dirs)); n > maxDirectories {
		return &formats.LimitError{What: "number of directories", Value: n, Max: maxDirectories}
	}
	return nil
}

// place gives everything its sectors: descriptors, path tables and directories at the start, files at the end.
func (p *Plan) place(keepLength bool) error {
	base := int64(p.volume.Base)
	next := int64(systemSectors + 3) // counted from the start of the track
	for h := range p.tables {
		t := &p.tables[h]
		for _, d := range p.dirs {
			n := int64(len(d.identifier(h)))
			t.size += 8 + n + n&1
		}
		t.sectorsOfEach = sectorsOf(t.size)
		t.little, t.big = uint32(base+next), uint32(base+next+t.sectorsOfEach)
		next += 2 * t.sectorsOfEach
	}
	for h := range p.tables {
		for _, d := range p.dirs {
			d.extents[h] = extent{uint32(base + next), d.sizeIn(h)}
			if size := d.extents[h].size; size > maxDirectorySize {
				return withPath(&formats.LimitError{What: "size of the directory", Value: size, Max: maxDirectorySize, Unit: "bytes"}, d)
			}
			next += sectorsOf(d.extents[h].size)
		}
	}
	required := next
	for _, f := range p.files {
		required += sectorsOf(f.size)
	}
	v := p.volume
	runOut := int64(v.Sectors) - int64(v.Primary.Sectors)
	if runOut < 0 || runOut > maxRunOut {
		runOut = 0
	}
	track := required + runOut
	if keepLength {
		track = max(track, int64(v.Sectors))
	}
	if most := math.MaxUint32 - base; track > most {
		return &formats.LimitError{What: "size of the new volume", Value: track, Max: most, Unit: "sectors"}
	}
	p.Required, p.RunOut, p.TrackSectors, p.VolumeSectors = uint32(required), uint32(runOut), uint32(track), uint32(track-runOut)
	p.first = track - runOut - (required - next)
	at := p.first
	for _, f := range p.files {
		f.extents[0] = extent{uint32(base + at), f.size}
		f.extents[1] = f.extents[0]
		at += sectorsOf(f.size)
	}
	return nil
}

// sorted gives the entries of a directory in the order of a hierarchy.
func (e *entry) sorted(h int) []*entry {
	if h == 1 {
		return e.byJoliet
	}
	return e.byPlain
}

// sizeIn gives the length of a directory in a hierarchy, always whole sectors.
func (e *entry) sizeIn(h int) int64 {
	size := int64(2 * recordLength(1))
	for _, c := range e.sorted(h) {
		n := int64(recordLength(len(c.identifier(h))))
		if size%SectorSize+n > SectorSize {
			size = sectorsOf(size) * SectorSize
		}
		size += n
	}
	return sectorsOf(size) * SectorSize
}

// recordLength gives the length of a record whose identifier has n bytes.
func recordLength(n int) int { return (recordSize + n + 1) &^ 1 }

// list fills in what callers see.
func (p *Plan) list() {
	onDisc := map[*entry]string{p.root: ""} // of directories, with a slash behind
	for _, d := range p.dirs {
		for _, c := range d.byPlain {
			path := onDisc[d] + nameOf([]byte(c.joliet), true)
			if c.dir {
				onDisc[c] = path + "/"
			}
			n := Planned{Path: c.path(), DiscPath: path, Identifier: c.plain, Dir: c.dir, Size: c.extents[0].size, LBA: c.extents[0].lba, Node: c.node, Source: c.source}
			if c.node != nil {
				p.Kept = append(p.Kept, n)
				continue
			}
			p.New = append(p.New, n)
		}
	}
}
