package pe

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"talebinder/formats"
	"talebinder/formats/icon"
	"talebinder/formats/netbundle"
)

// Branding says what an executable is to look like. What is empty stays as it is.
type Branding struct {
	Icon      []icon.Image // at most 256 pixels each, the sizes of package ico as a rule
	Version   *VersionInfo
	Subsystem Subsystem
}

// Result says what Brand has done.
type Result struct {
	Size             int64 // of the copy in bytes
	Checksum         uint32
	SignatureRemoved bool // the executable was signed, and the copy is not
	SectionAdded     bool // the resources have a new section

	// What was behind the last section, without a signature at the end: where it was, how long it is and, when it is not
	// empty, by how many bytes it has moved, always a multiple of 4096. What is appended to an executable may count offsets
	// from its start, and other than a .NET bundle it is not told of the move.
	OverlayOffset, OverlaySize, OverlayShift int64

	Bundle *netbundle.Bundle // of the executable that was read, nil when it has none; the copy's has been moved
}

// Brand copies the executable in r, which is size bytes long, to the current position of w on, branded. The copy is
// streamed, and the checksum, which stands near its start, is written last.
//
// An executable that cannot be branded gives a *formats.Fault that says what can be done; then nothing is written. Only
// errors of w and of reading leave a part of the copy.
func Brand(ctx context.Context, w io.WriteSeeker, r io.ReaderAt, size int64, b Branding) (*Result, error) {
	f, err := NewFile(r, size)
	if err != nil {
		return nil, err
	}
	return f.Brand(ctx, w, b)
}

// Brand is the function Brand for an executable whose headers have been read.
func (f *File) Brand(ctx context.Context, w io.WriteSeeker, b Branding) (*Result, error) {
	p, err := f.plan(b)
	if err != nil {
		return nil, err
	}
	if err := f.moveBundle(p); err != nil {
		return nil, err
	}
	p.result.Checksum, err = p.write(ctx, w)
	if err != nil {
		return nil, err
	}
	return &p.result, nil
}

// plan is a copy of an executable before it is written: its pieces in order, and changes of a few bytes.
type plan struct {
	f       *File
	pieces  []piece
	patches []patch
	cut     span  // what is left out of the file, or where something is put in
	put     int64 // bytes in place of it
	plain   bool  // the copy is the same
	result  Result
}

// piece is a part of a copy: bytes of the file, new bytes, or zeros.
type piece struct {
	copied bool
	source int64  // in the file, when copied
	data   []byte // else, when there are any
	size   int64
}

// patch is a change at a place of the copy.
type patch struct {
	offset int64
	data   []byte
}

// packers lists the names that programs which pack executables give to sections.
var packers = []struct{ prefix, packer, remedy string }{
	{"UPX", "UPX", "unpack it with `upx -d`, or publish the program without packing it"},
	{".MPRESS", "MPRESS", "publish the program without packing it"},
	{".aspack", "ASPack", "publish the program without packing it"},
	{"PEC2", "PECompact", "publish the program without packing it"},
	{".petite", "Petite", "publish the program without packing it"},
	{".vmp", "VMProtect", "brand the program before it is protected"},
	{".themida", "Themida", "brand the program before it is protected"},
	{".enigma", "Enigma Protector", "brand the program before it is protected"},
}

func (f *File) plan(b Branding) (*plan, error) {
	p := &plan{f: f}
	p.result.OverlayOffset, p.result.OverlaySize = f.Overlay()
	if len(b.Icon) == 0 && b.Version == nil && (b.Subsystem == 0 || b.Subsystem == f.subsystem) {
		p.plain = true
		p.pieces = []piece{{copied: true, size: f.size}}
		p.result.Size = f.size
		return p, nil
	}
	for _, s := range f.sections {
		for _, k := range packers {
			if strings.HasPrefix(s.Name, k.prefix) {
				return nil, formats.Unsupported(fmt.Sprintf("section %q", s.Name), s.header, "an executable packed with "+k.packer, "one that is not packed: "+k.remedy)
			}
		}
	}
	if b.Subsystem != 0 && b.Subsystem != f.subsystem {
		if b.Subsystem != Windowed && b.Subsystem != Console {
			return nil, formats.Unsupported("branding", -1, b.Subsystem.String(), "windowed or console")
		}
		if f.subsystem != Windowed && f.subsystem != Console {
			return nil, formats.Unsupported("optional header: subsystem", f.optional+68, f.subsystem.String(), "a windowed or console program")
		}
		p.put16(f.optional+68, uint16(b.Subsystem))
	}
	if len(b.Icon) > 0 || b.Version != nil {
		if err := p.replaceResources(b); err != nil {
			return nil, err
		}
	} else {
		p.cut = span{f.overlay, 0}
		p.pieces = []piece{{copied: true, size: f.overlay}}
	}
	p.appendOverlay()
	if err := p.moveOffsets(); err != nil {
		return nil, err
	}
	if f.Signed() {
		p.result.SignatureRemoved = true
		p.put32(f.directoryAt+8*securityDirectory, 0)
		p.put32(f.directoryAt+8*securityDirectory+4, 0)
	}
	for _, piece := range p.pieces {
		p.result.Size += piece.size
	}
	return p, p.moveDebugData()
}

func (p *plan) put16(offset int64, v uint16) {
	p.patches = append(p.patches, patch{offset, binary.LittleEndian.AppendUint16(nil, v)})
}

func (p *plan) put32(offset int64, v uint32) {
	p.patches = append(p.patches, patch{offset, binary.LittleEndian.AppendUint32(nil, v)})
}

// place gives the offset in the copy of a byte of the file; ok is false for what is left out.
func (p *plan) place(offset int64) (moved int64, ok bool) {
	switch {
	case offset < p.cut.offset:
		return offset, true
	case offset < p.cut.end():
		return 0, false
	}
	return offset + p.put - p.cut.size, true
}

// replaceResources puts the new resources into the copy, in place of the old ones or in a section of their own.
func (p *plan) replaceResources(b Branding) error {
	f := p.f
	if len(f.directories) <= resourceDirectory {
		return formats.Unsupported("optional header", f.directoryAt-4, fmt.Sprintf("%d data directories", len(f.directories)), "at least 3, so that there is one for resources")
	}
	resources, err := f.Resources()
	if err != nil {
		return err
	}
	if len(b.Icon) > 0 {
		if resources, err = f.setIcon(resources, b.Icon); err != nil {
			return err
		}
	}
	if b.Version != nil {
		data, err := b.Version.encode()
		if err != nil {
			return err
		}
		resources = slices.DeleteFunc(resources, func(r Resource) bool { return r.Type == number(typeVersion) })
		resources = append(resources, newResource(typeVersion, number(1), data))
	}
	l, err := arrange(resources, f.size)
	if err != nil {
		return err
	}
	if i, ok := f.resourceSection(); ok {
		if moved, ok := f.roomFor(i, l.size); ok {
			return p.replaceSection(i, moved, l)
		}
	}
	return p.addSection(l)
}

// resourceSection finds the section that holds the resources and nothing else.
func (f *File) resourceSection() (index int, ok bool) {
	d := f.directory(resourceDirectory)
	if d.size == 0 {
		return 0, false
	}
	i := slices.IndexFunc(f.sections, func(s Section) bool { return s.Address == d.address && s.Size > 0 })
	return i, i >= 0 && !f.refersTo(f.sections[i], resourceDirectory)
}

// refersTo says whether the headers refer to an address in a section, in a directory other than a given one.
func (f *File) refersTo(s Section, except int) bool {
	for i, d := range f.directories {
		if i != except && i != securityDirectory && d.size > 0 && f.holds(s, d.address) {
			return true
		}
	}
	return f.entryPoint != 0 && f.holds(s, f.entryPoint)
}

// roomFor says whether a section can take n bytes in memory, and by how much the sections behind it have to move there.
func (f *File) roomFor(index int, n int64) (moved int64, ok bool) {
	s := f.sections[index]
	room := roundUp(int64(s.extent()), f.sectionAlignment)
	if n <= room {
		return 0, true
	}
	for _, behind := range f.sections[index+1:] {
		const fixed = containsCode | executable | writable
		d := f.directory(relocationDirectory)
		if behind.Characteristics&discardable == 0 || behind.Characteristics&fixed != 0 || f.refersTo(behind, relocationDirectory) ||
			d.size > 0 && f.holds(behind, d.address) && behind.Address != d.address {
			return 0, false
		}
	}
	moved = roundUp(n, f.sectionAlignment) - room
	last := f.sections[len(f.sections)-1]
	return moved, int64(last.Address)+int64(last.extent())+moved < maxSection
}

// overlayUnit gives what the distance by which sections and the overlay move is a multiple of.
func (f *File) overlayUnit() int64 {
	if _, size := f.Overlay(); size > 0 {
		return max(f.fileAlignment, netbundle.Alignment)
	}
	return f.fileAlignment
}

// replaceSection puts the resources into the section that they have now.
func (p *plan) replaceSection(index int, moved int64, l *layout) error {
	f := p.f
	s := f.sections[index]
	p.cut = span{int64(s.Offset), f.overlay - int64(s.Offset)}
	for _, next := range f.inFileOrder() {
		if next.Offset > s.Offset {
			p.cut.size = int64(next.Offset) - int64(s.Offset)
			break
		}
	}
	least, unit := roundUp(l.size, f.fileAlignment), f.overlayUnit()
	p.put = least + ((p.cut.size-least)%unit+unit)%unit // the distance is a multiple of unit
	fileSize := f.sizeInFile(l.size, p.put)

	// The pages in memory stay as many as they were unless the sections behind move along: Windows wants no gaps.
	memory := l.size
	if moved == 0 && roundUp(memory, f.sectionAlignment) < roundUp(int64(s.extent()), f.sectionAlignment) && index < len(f.sections)-1 {
		memory = int64(s.extent())
	}
	p.put32(s.header+8, uint32(memory))
	p.put32(s.header+16, uint32(fileSize))
	p.put32(f.directoryAt+8*resourceDirectory+4, uint32(l.size))
	p.put32(f.optional+8, uint32(int64(f.initialized)+fileSize-int64(s.Size)))
	end := int64(s.Address) + memory
	for _, behind := range f.sections[index+1:] {
		end = int64(behind.Address) + int64(behind.extent()) + moved
		if moved != 0 {
			p.put32(behind.header+12, uint32(int64(behind.Address)+moved))
			if d := f.directory(relocationDirectory); d.size > 0 && d.address == behind.Address {
				p.put32(f.directoryAt+8*relocationDirectory, uint32(int64(behind.Address)+moved))
			}
		}
	}
	p.put32(f.optional+56, uint32(roundUp(end, f.sectionAlignment)))

	p.pieces = []piece{{copied: true, size: p.cut.offset}}
	p.appendResources(l, s.Address, p.put)
	p.pieces = append(p.pieces, piece{copied: true, source: p.cut.end(), size: f.overlay - p.cut.end()})
	return nil
}

// sizeInFile gives the bytes of the file that a section counts as its own when it has n bytes in memory and room for more in
// the file: all of that, so that what follows is next to it, but no more than its pages in memory.
func (f *File) sizeInFile(n, room int64) int64 {
	return max(min(room/f.fileAlignment*f.fileAlignment, roundUp(n, f.sectionAlignment)), roundUp(n, f.fileAlignment))
}

// addSection puts the resources into a new section behind all others.
func (p *plan) addSection(l *layout) error {
	f := p.f
	if len(f.sections) == maxSections {
		return fmt.Errorf("section table: %w", &formats.LimitError{What: "number of sections", Value: maxSections + 1, Max: maxSections})
	}
	room := f.headers
	if all := f.inFileOrder(); len(all) > 0 {
		room = min(room, int64(all[0].Offset))
	}
	const remedy = "40 free bytes for another section; publish the program with an icon and a version, so that it has a section for resources"
	if room-f.tableEnd < sectionHeaderSize {
		return formats.Unsupported("section table", f.tableEnd, fmt.Sprintf("%d bytes before the first section", room-f.tableEnd), remedy)
	}
	free, err := f.read("section table", f.tableEnd, sectionHeaderSize)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(free, func(b byte) bool { return b != 0 }) {
		return formats.Unsupported("section table", f.tableEnd, "other data behind it", remedy)
	}
	last := f.sections[len(f.sections)-1]
	address := roundUp(int64(last.Address)+int64(last.extent()), f.sectionAlignment)
	if address+l.size > maxSection {
		return fmt.Errorf("resources: %w", &formats.LimitError{What: "size of the image", Value: address + l.size, Max: maxSection, Unit: "bytes"})
	}
	start := roundUp(f.overlay, f.fileAlignment)
	if start+l.size > math.MaxUint32 {
		return fmt.Errorf("executable: %w", &formats.LimitError{What: "end of the last section", Value: start + l.size, Max: math.MaxUint32, Unit: "bytes"})
	}
	p.cut = span{f.overlay, 0}
	p.put = roundUp(start-f.overlay+roundUp(l.size, f.fileAlignment), f.overlayUnit())
	fileSize := f.sizeInFile(l.size, p.put-(start-f.overlay))

	header := append([]byte(".rsrc"), 0, 0, 0)
	for _, n := range []uint32{uint32(l.size), uint32(address), uint32(fileSize), uint32(start), 0, 0, 0, initializedData | readable} {
		header = binary.LittleEndian.AppendUint32(header, n)
	}
	p.patches = append(p.patches, patch{f.tableEnd, header})
	p.put16(f.coff+6, uint16(len(f.sections)+1))
	p.put32(f.directoryAt+8*resourceDirectory, uint32(address))
	p.put32(f.directoryAt+8*resourceDirectory+4, uint32(l.size))
	p.put32(f.optional+8, uint32(int64(f.initialized)+fileSize))
	p.put32(f.optional+56, uint32(roundUp(address+l.size, f.sectionAlignment)))
	p.result.SectionAdded = true

	p.pieces = []piece{{copied: true, size: f.overlay}, {size: start - f.overlay}}
	p.appendResources(l, uint32(address), p.put-(start-f.overlay))
	return nil
}

// appendResources appends the tree for an address, filled up to size bytes.
func (p *plan) appendResources(l *layout, address uint32, size int64) {
	tables := l.render(address)
	p.pieces = append(p.pieces, piece{data: tables, size: int64(len(tables))}, piece{size: l.tables - int64(len(tables))})
	p.pieces = append(p.pieces, l.pieces...)
	p.pieces = append(p.pieces, piece{size: size - l.size})
}

// appendOverlay appends what is behind the last section, without a signature. A signature in the middle becomes zeros, so
// that what is behind it moves by the same distance.
func (p *plan) appendOverlay() {
	f := p.f
	end := f.overlayEnd()
	if p.result.OverlaySize > 0 {
		p.result.OverlayShift = p.put - p.cut.size
	}
	if f.Signed() && !f.signatureLast() {
		p.pieces = append(p.pieces, piece{copied: true, source: f.overlay, size: f.signature.offset - f.overlay}, piece{size: f.signature.size},
			piece{copied: true, source: f.signature.end(), size: end - f.signature.end()})
		return
	}
	p.pieces = append(p.pieces, piece{copied: true, source: f.overlay, size: end - f.overlay})
}

// moveOffsets tells the headers where sections and symbols are in the copy.
func (p *plan) moveOffsets() error {
	for _, s := range p.f.sections {
		if s.Size > 0 {
			if err := p.moveOffset(s.header+20, s.Offset); err != nil {
				return err
			}
		}
	}
	return p.moveOffset(p.f.coff+12, p.f.symbols)
}

// moveOffset changes an offset that stands at a place of the file when what it refers to moves.
func (p *plan) moveOffset(field int64, offset uint32) error {
	moved, ok := p.place(int64(offset))
	here, kept := p.place(field)
	if offset == 0 || int64(offset) >= p.f.size || moved == int64(offset) || !ok || !kept {
		return nil
	}
	if moved > math.MaxUint32 {
		return fmt.Errorf("executable: %w", &formats.LimitError{What: "offset of a section", Value: moved, Max: math.MaxUint32, Unit: "bytes"})
	}
	p.put32(here, uint32(moved))
	return nil
}

// maxDebugEntries is far above what linkers write.
const maxDebugEntries = 256

// moveDebugData tells the debug directory, whose entries count from the start of the file, where its data are in the copy.
// A directory that cannot be read is left alone: programs run without it.
func (p *plan) moveDebugData() error {
	const entrySize, field = 28, 24
	f := p.f
	d := f.directory(debugDirectory)
	count := min(int64(d.size)/entrySize, maxDebugEntries)
	if count == 0 || p.put == p.cut.size {
		return nil
	}
	at, _, err := f.locate("debug directory", d.address, count*entrySize)
	if err != nil {
		return nil
	}
	b, err := f.read("debug directory", at, count*entrySize)
	if err != nil {
		return err
	}
	for i := range count {
		if err := p.moveOffset(at+i*entrySize+field, binary.LittleEndian.Uint32(b[i*entrySize+field:])); err != nil {
			return err
		}
	}
	return nil
}

// moveBundle tells a .NET bundle of its new place.
func (f *File) moveBundle(p *plan) error {
	bundle, found, err := netbundle.FindInHost(f.r, f.size, f.overlay)
	if err != nil || !found {
		return err
	}
	p.result.Bundle = bundle
	if p.plain {
		return nil
	}
	if bundle.Start() < f.overlay || bundle.End > f.overlayEnd() {
		return formats.Unsupported("bundle", bundle.Start(), fmt.Sprintf("a bundle from byte %d to %d", bundle.Start(), bundle.End),
			fmt.Sprintf("one between %d, the end of the last section, and %d, the end of the program", f.overlay, f.overlayEnd()))
	}
	if p.result.OverlayShift == 0 {
		return nil
	}
	for _, change := range bundle.Shift(p.result.OverlayShift) {
		moved, ok := p.place(change.Offset)
		if !ok {
			return formats.Unsupported("bundle", change.Offset, "its place among the resources", "one in the program's data")
		}
		p.patches = append(p.patches, patch{moved, change.Data})
	}
	return nil
}
