package iso9660

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"talebinder/formats"
)

// Verify checks that v is a volume as WriteVolume makes it, down to the last byte that is not content: the descriptors,
// path tables and directories are made anew from what can be read of the files, and compared. What differs gives a
// *formats.Fault with its place. The content of files is not read.
//
// It is meant for an image that has just been written and opened anew; discs of other programs are laid out in other ways.
func (v *Volume) Verify(ctx context.Context) error {
	if v.Joliet == nil {
		return formats.Damaged("volume", v.at(systemSectors+1, 0), "no Joliet descriptor", "one")
	}
	joliet, err := v.readTree(ctx, v.Joliet, true)
	if err != nil {
		return err
	}
	plain, err := v.readTree(ctx, v.Primary, false)
	if err != nil {
		return err
	}
	if int64(v.Primary.Sectors) > int64(v.Sectors) {
		return formats.Damaged("primary volume descriptor", v.at(systemSectors, 80), fmt.Sprintf("a volume of %d sectors", v.Primary.Sectors), fmt.Sprintf("at most %d, the track's", v.Sectors))
	}
	if plain.Files != joliet.Files || plain.Dirs != joliet.Dirs {
		return formats.Damaged("plain hierarchy", -1, fmt.Sprintf("%d files and %d directories", plain.Files, plain.Dirs), fmt.Sprintf("%d and %d as in the Joliet hierarchy", joliet.Files, joliet.Dirs))
	}
	p := &Plan{volume: v, root: &entry{dir: true, date: v.Primary.rootDate, node: joliet.Root}}
	if err := p.pair(ctx, plain, joliet); err != nil {
		return err
	}
	if err := p.place(false); err != nil {
		return err
	}
	// Empty sectors between directories and files belong to the volume.
	gap := int64(v.Primary.Sectors) - int64(p.VolumeSectors)
	if gap < 0 {
		return formats.Damaged("primary volume descriptor", v.at(systemSectors, 80), fmt.Sprintf("a volume of %d sectors", v.Primary.Sectors), fmt.Sprintf("at least %d", p.VolumeSectors))
	}
	p.VolumeSectors, p.first = v.Primary.Sectors, p.first+gap
	for _, f := range p.files {
		f.extents[0].lba += uint32(gap)
		f.extents[1].lba += uint32(gap)
		if f.node.LBA != f.extents[0].lba {
			return formats.Damaged(part(f.node), f.node.at, fmt.Sprintf("sector %d", f.node.LBA), fmt.Sprintf("sector %d", f.extents[0].lba))
		}
	}
	c := &comparison{v: v, have: make([]byte, 0, blockSize)}
	o := &output{ctx: ctx, w: c, block: make([]byte, 0, blockSize)}
	p.writeSystem(o)
	for h := range p.tables {
		p.writeTable(o, h, false)
		p.writeTable(o, h, true)
	}
	for h := range p.tables {
		for _, d := range p.dirs {
			o.directory(d, h)
		}
	}
	o.zeros(p.first*SectorSize - o.written)
	o.flush()
	return o.err
}

// pair makes the entries of a plan from the two hierarchies of a volume, which spell the same entries in two ways.
func (p *Plan) pair(ctx context.Context, plain, joliet *Tree) error {
	// The extents of the directories are in the same order in both.
	partner := make(map[*Node]*Node, plain.Dirs+1)
	a, b := plain.byExtent(), joliet.byExtent()
	for i := range a {
		partner[b[i]] = a[i]
	}
	p.dirs = []*entry{p.root}
	for i := 0; i < len(p.dirs); i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		d := p.dirs[i]
		d.number = i + 1
		spelled, err := spelling(d.node, partner)
		if err != nil {
			return err
		}
		for _, n := range d.node.Children {
			if n.Fault != nil {
				return n.Fault
			}
			identifier, err := jolietIdentifier(n.Name, n.Dir, true)
			if err != nil {
				return err
			}
			c := &entry{name: n.Name, dir: n.Dir, size: n.Size, date: n.Date, node: n, parent: d, joliet: identifier, plain: spelled[n].Name}
			if !c.dir {
				c.plain += versionOne
			}
			d.byPlain = append(d.byPlain, c)
		}
		d.byJoliet = slices.Clone(d.byPlain)
		slices.SortFunc(d.byPlain, func(a, b *entry) int { return strings.Compare(a.plain, b.plain) })
		slices.SortFunc(d.byJoliet, func(a, b *entry) int { return strings.Compare(a.joliet, b.joliet) })
		for _, c := range d.byPlain {
			if c.dir {
				p.dirs = append(p.dirs, c)
			} else {
				p.files = append(p.files, c)
			}
		}
	}
	return nil
}

// spelling finds for each entry of a directory the one in the plain hierarchy. partner tells it of directories.
//
// The plain names of a directory follow from its Joliet names, but for an underscore, which may stand for a character that
// Joliet does not spell. Then extents and dates tell which entries belong together.
func spelling(dir *Node, partner map[*Node]*Node) (map[*Node]*Node, error) {
	plain := partner[dir]
	if len(plain.Children) != len(dir.Children) {
		return nil, formats.Damaged(part(dir), dir.at, fmt.Sprintf("%d entries", len(dir.Children)), fmt.Sprintf("%d as in the plain hierarchy", len(plain.Children)))
	}
	spelled := make(map[*Node]*Node, len(dir.Children))
	if known := !slices.ContainsFunc(dir.Children, func(n *Node) bool { return strings.Contains(n.Name, "_") }); known {
		type identifier struct {
			name string
			dir  bool
		}
		byName := make(map[identifier]*Node, len(plain.Children))
		for _, n := range plain.Children {
			byName[identifier{n.Name, n.Dir}] = n
		}
		wanted := &entry{}
		for _, n := range dir.Children {
			wanted.children = append(wanted.children, &entry{name: n.Name, dir: n.Dir, node: n})
		}
		if err := wanted.setIdentifiers(); err != nil {
			return nil, err
		}
		for _, c := range wanted.children {
			n, ok := byName[identifier{strings.TrimSuffix(c.plain, versionOne), c.dir}]
			if !ok {
				return nil, formats.Damaged(part(c.node), c.node.at, "no entry in the plain hierarchy", "one called "+quote(c.plain))
			}
			spelled[c.node] = n
		}
	} else {
		inOrder := func(n *Node) []*Node { return slices.SortedFunc(slices.Values(n.Children), compareExtents) }
		others := inOrder(plain)
		for i, n := range inOrder(dir) {
			// Directories have another extent in each hierarchy, and come in the same order.
			spelled[n] = others[i]
			if !wellSpelled(others[i]) {
				return nil, formats.Damaged(part(others[i]), others[i].at, "the plain name "+quote(others[i].Name), "capital letters, digits and underscores")
			}
		}
	}
	for n, other := range spelled {
		switch {
		case n.Dir != other.Dir || n.Dir && partner[n] != other:
			return nil, formats.Damaged(part(n), n.at, "something else than "+part(other), "the same in both hierarchies")
		case !n.Dir && compareExtents(n, other) != 0:
			return nil, formats.Damaged(part(n), n.at, fmt.Sprintf("%d bytes at sector %d", n.Size, n.LBA),
				fmt.Sprintf("%d at %d as in the plain hierarchy, and its date", other.Size, other.LBA))
		}
	}
	return spelled, nil
}

// wellSpelled says whether a plain name has only characters that it may have.
func wellSpelled(n *Node) bool {
	base, extension, dot := n.Name, "", false
	if !n.Dir {
		base, extension, dot = strings.Cut(n.Name, ".")
	}
	return base == capitals(base) && extension == capitals(extension) && dot == (extension != "")
}

// byExtent gives all directories in the order of their extents.
func (t *Tree) byExtent() []*Node {
	dirs := []*Node{t.Root}
	for n := range t.All() {
		if n.Dir {
			dirs = append(dirs, n)
		}
	}
	slices.SortFunc(dirs, func(a, b *Node) int { return cmp.Compare(a.LBA, b.LBA) })
	return dirs
}

// compareExtents puts files ahead of directories.
func compareExtents(a, b *Node) int {
	kind := func(n *Node) int {
		if n.Dir {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(kind(a), kind(b)), cmp.Compare(a.LBA, b.LBA), cmp.Compare(a.Size, b.Size), bytes.Compare(a.Date[:], b.Date[:]))
}

// comparison compares what is written with what is there.
type comparison struct {
	v    *Volume
	have []byte
	at   int64
}

func (c *comparison) Write(b []byte) (int, error) {
	c.have = slices.Grow(c.have[:0], len(b))[:len(b)]
	if _, err := io.ReadFull(io.NewSectionReader(c.v.r, c.at, int64(len(b))), c.have); err != nil {
		return 0, fmt.Errorf("sector %d: %w", int64(c.v.Base)+c.at/SectorSize, err)
	}
	if !bytes.Equal(c.have, b) {
		i := 0
		for b[i] == c.have[i] {
			i++
		}
		sector := int64(c.v.Base) + (c.at+int64(i))/SectorSize
		return 0, formats.Damaged(fmt.Sprintf("sector %d", sector), c.v.offset(c.at+int64(i)), fmt.Sprintf("the byte %02X", c.have[i]), fmt.Sprintf("%02X", b[i]))
	}
	c.at += int64(len(b))
	return len(b), nil
}
