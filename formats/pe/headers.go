package pe

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"
	"strings"

	"talebinder/formats"
)

// directory is a data directory.
type directory struct{ address, size uint32 }

// File is an executable whose headers have been read. Its methods may be called from many goroutines at once.
type File struct {
	r    io.ReaderAt
	size int64

	machine     Machine
	wide        bool // PE32+
	subsystem   Subsystem
	checksum    uint32
	sections    []Section // in the order of the table
	directories []directory
	coff        int64 // offset of "PE\0\0"
	optional    int64 // offset of the optional header
	directoryAt int64 // offset of the first data directory
	tableEnd    int64 // end of the section table
	headers     int64 // size of all headers

	sectionAlignment, fileAlignment int64
	entryPoint                      uint32
	initialized                     uint32 // size of initialized data
	symbols                         uint32 // offset of the COFF symbol table

	overlay   int64 // end of the last section
	signature span  // empty without a signature
}

// span is a range of a file.
type span struct{ offset, size int64 }

func (s span) end() int64 { return s.offset + s.size }

// NewFile reads the headers of the executable in r, which is size bytes long. Another kind of file, and one that is cut
// off or contradicts itself, gives a *formats.Fault of kind formats.ErrDamaged.
func NewFile(r io.ReaderAt, size int64) (*File, error) {
	f := &File{r: r, size: size}
	if err := f.readHeaders(); err != nil {
		return nil, err
	}
	if err := f.readSections(); err != nil {
		return nil, err
	}
	if err := f.checkSections(); err != nil {
		return nil, err
	}
	if err := f.findSignature(); err != nil {
		return nil, err
	}
	return f, nil
}

// read gives n bytes at an offset of the file.
func (f *File) read(part string, offset, n int64) ([]byte, error) {
	if offset < 0 || n < 0 || offset > f.size || n > f.size-offset {
		return nil, formats.Damaged(part, offset, fmt.Sprintf("%d bytes that end beyond the file", n),
			fmt.Sprintf("an end at or before byte %d, the file's length", f.size))
	}
	b := make([]byte, n)
	return b, f.fill(part, b, offset)
}

// fill reads bytes that lie inside the file.
func (f *File) fill(part string, b []byte, offset int64) error {
	n, err := f.r.ReadAt(b, offset)
	if n == len(b) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return formats.Damaged(part, offset+int64(n), "the end of the file", fmt.Sprintf("%d more bytes", len(b)-n))
	}
	return fmt.Errorf("%s at byte %d: %w", part, offset, err)
}

// otherKind names the kind of a file that is no Windows executable.
func otherKind(start []byte) string {
	for _, k := range []struct{ start, name string }{
		{"\x7fELF", "a Linux executable (ELF)"}, {"\xcf\xfa\xed\xfe", "a macOS executable (Mach-O)"},
		{"\xca\xfe\xba\xbe", "a macOS executable (Mach-O)"}, {"#!", "a script"}, {"PK\x03\x04", "a ZIP archive"},
	} {
		if bytes.HasPrefix(start, []byte(k.start)) {
			return k.name
		}
	}
	if len(start) == 0 {
		return "an empty file"
	}
	return fmt.Sprintf("%q", start[:min(len(start), 4)])
}

func (f *File) readHeaders() error {
	start, err := f.read("executable", 0, min(f.size, dosHeaderSize))
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(start, []byte("MZ")) {
		return formats.Damaged("executable", 0, otherKind(start), `"MZ", the start of a Windows executable`)
	}
	if len(start) < dosHeaderSize {
		return formats.Damaged("DOS header", int64(len(start)), "the end of the file", fmt.Sprintf("%d bytes", dosHeaderSize))
	}
	le := binary.LittleEndian
	f.coff = int64(le.Uint32(start[0x3C:]))
	coff, err := f.read("PE header", f.coff, coffHeaderSize)
	if err != nil {
		return err
	}
	if string(coff[:4]) != "PE\x00\x00" {
		return formats.Damaged("PE header", f.coff, fmt.Sprintf("%q", coff[:4]), `"PE\x00\x00", as in executables for Windows 95 and later`)
	}
	f.machine = Machine(le.Uint16(coff[4:]))
	f.symbols = le.Uint32(coff[12:])
	count, optionalSize := int64(le.Uint16(coff[6:])), int64(le.Uint16(coff[20:]))
	if count == 0 || count > maxSections {
		return formats.Damaged("PE header: number of sections", f.coff+6, fmt.Sprint(count), fmt.Sprintf("1 to %d", maxSections))
	}
	f.optional = f.coff + coffHeaderSize
	optional, err := f.read("optional header", f.optional, optionalSize)
	if err != nil {
		return err
	}
	if err := f.readOptional(optional); err != nil {
		return err
	}
	f.tableEnd = f.optional + optionalSize + count*sectionHeaderSize
	if f.headers < f.tableEnd || f.headers > f.size {
		return formats.Damaged("optional header: size of headers", f.optional+60, fmt.Sprint(f.headers),
			fmt.Sprintf("%d, the end of the section table, to %d, the file's length", f.tableEnd, f.size))
	}
	f.sections = make([]Section, count)
	return nil
}

// readOptional reads the optional header, which says where and how the image is loaded.
func (f *File) readOptional(b []byte) error {
	le := binary.LittleEndian
	if len(b) < 2 {
		return formats.Damaged("optional header", f.optional, fmt.Sprintf("%d bytes", len(b)), "at least 96")
	}
	counted := 0
	switch magic := le.Uint16(b); magic {
	case 0x10B:
		counted = 92
	case 0x20B:
		counted, f.wide = 108, true
	default:
		return formats.Damaged("optional header", f.optional, fmt.Sprintf("magic 0x%X", magic), "0x10B (PE32) or 0x20B (PE32+)")
	}
	if len(b) < counted+4 {
		return formats.Damaged("optional header", f.optional, fmt.Sprintf("%d bytes", len(b)), fmt.Sprintf("at least %d", counted+4))
	}
	f.initialized = le.Uint32(b[8:])
	f.entryPoint = le.Uint32(b[16:])
	f.sectionAlignment, f.fileAlignment = int64(le.Uint32(b[32:])), int64(le.Uint32(b[36:]))
	f.headers = int64(le.Uint32(b[60:]))
	f.checksum = le.Uint32(b[64:])
	f.subsystem = Subsystem(le.Uint16(b[68:]))
	if a := f.fileAlignment; bits.OnesCount64(uint64(a)) != 1 || a < sectorSize || a > 1<<16 {
		return formats.Unsupported("optional header: alignment in the file", f.optional+36, fmt.Sprint(a), fmt.Sprintf("a power of two from %d to %d", sectorSize, 1<<16))
	}
	if a := f.sectionAlignment; bits.OnesCount64(uint64(a)) != 1 || a < f.fileAlignment || a > 1<<30 {
		return formats.Unsupported("optional header: alignment in memory", f.optional+32, fmt.Sprint(a), fmt.Sprintf("a power of two from %d on", f.fileAlignment))
	}
	n := min(int(le.Uint32(b[counted:])), maxDirectories)
	if n < 0 || len(b) < counted+4+8*n {
		return formats.Damaged("optional header: number of data directories", f.optional+int64(counted), fmt.Sprint(le.Uint32(b[counted:])),
			fmt.Sprintf("at most %d, as many as there is room for", (len(b)-counted-4)/8))
	}
	f.directoryAt = f.optional + int64(counted) + 4
	f.directories = make([]directory, n)
	for i := range f.directories {
		at := counted + 4 + 8*i
		f.directories[i] = directory{le.Uint32(b[at:]), le.Uint32(b[at+4:])}
	}
	return nil
}

// directory gives a data directory; one that is absent has the size 0.
func (f *File) directory(i int) directory {
	if i >= len(f.directories) {
		return directory{}
	}
	return f.directories[i]
}

func (f *File) readSections() error {
	table := f.tableEnd - int64(len(f.sections))*sectionHeaderSize
	b, err := f.read("section table", table, f.tableEnd-table)
	if err != nil {
		return err
	}
	le := binary.LittleEndian
	for i := range f.sections {
		h := b[i*sectionHeaderSize:]
		s := Section{
			Name:            strings.TrimRight(string(h[:8]), "\x00"),
			VirtualSize:     le.Uint32(h[8:]),
			Address:         le.Uint32(h[12:]),
			Size:            le.Uint32(h[16:]),
			Offset:          le.Uint32(h[20:]),
			Characteristics: le.Uint32(h[36:]),
			header:          table + int64(i)*sectionHeaderSize,
		}
		if s.Offset == 0 {
			s.Size = 0 // a section without bytes in the file
		}
		f.sections[i] = s
	}
	return nil
}

// checkSections checks that sections neither overlap nor lie outside of the file and of the address space.
func (f *File) checkSections() error {
	last := f.headers
	for _, s := range f.sections {
		part := fmt.Sprintf("section %q", s.Name)
		if int64(s.Address) < last || int64(s.Address)%f.sectionAlignment != 0 {
			return formats.Damaged(part, s.header+12, fmt.Sprintf("address 0x%X", s.Address),
				fmt.Sprintf("a multiple of 0x%X from 0x%X on, behind what comes before it", f.sectionAlignment, last))
		}
		last = int64(s.Address) + int64(s.extent())
		if last > math.MaxUint32 {
			return formats.Damaged(part, s.header+8, fmt.Sprintf("%d bytes in memory at address 0x%X", s.extent(), s.Address), "an end below 4 GB")
		}
	}
	f.overlay = f.headers
	before := "the headers"
	for _, s := range f.inFileOrder() {
		part := fmt.Sprintf("section %q", s.Name)
		switch {
		case s.end() > f.size:
			return formats.Damaged(part, s.header+16, fmt.Sprintf("bytes %d to %d", s.Offset, s.end()),
				fmt.Sprintf("an end at or before byte %d, the file's length; the file is cut off", f.size))
		case int64(s.Offset) < f.overlay:
			return formats.Damaged(part, s.header+20, fmt.Sprintf("bytes from %d on", s.Offset), fmt.Sprintf("a start at or behind byte %d, the end of %s", f.overlay, before))
		case s.Offset%sectorSize != 0:
			return formats.Unsupported(part, s.header+20, fmt.Sprintf("bytes from %d on", s.Offset), fmt.Sprintf("a multiple of %d", sectorSize))
		}
		f.overlay, before = s.end(), part
	}
	return nil
}

// inFileOrder gives the sections that have bytes in the file, by offset.
func (f *File) inFileOrder() []Section {
	var all []Section
	for _, s := range f.sections {
		if s.Size > 0 {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b Section) int { return cmp.Compare(a.Offset, b.Offset) })
	return all
}

func (f *File) findSignature() error {
	d := f.directory(securityDirectory)
	if d.size == 0 {
		return nil
	}
	s := span{int64(d.address), int64(d.size)}
	if s.offset < f.overlay || s.end() > f.size {
		return formats.Damaged("signature", f.directoryAt+8*securityDirectory, fmt.Sprintf("bytes %d to %d", s.offset, s.end()),
			fmt.Sprintf("bytes between %d, the end of the last section, and %d, the file's length", f.overlay, f.size))
	}
	f.signature = s
	return nil
}

// locate gives the offset in the file of n bytes at an address, and how many bytes there are from it to the end of their
// section.
func (f *File) locate(part string, address uint32, n int64) (offset, rest int64, err error) {
	for _, s := range f.sections {
		if !f.holds(s, address) {
			continue
		}
		within := int64(address - s.Address)
		if within+n > int64(s.Size) {
			return 0, 0, formats.Damaged(part, int64(s.Offset)+within, fmt.Sprintf("%d bytes", n),
				fmt.Sprintf("at most %d, up to the end of section %q", max(int64(s.Size)-within, 0), s.Name))
		}
		return int64(s.Offset) + within, int64(s.Size) - within, nil
	}
	return 0, 0, formats.Damaged(part, -1, fmt.Sprintf("address 0x%X outside every section", address), "an address inside a section")
}

// holds says whether an address lies in the pages of a section.
func (f *File) holds(s Section, address uint32) bool {
	return address >= s.Address && int64(address-s.Address) < roundUp(int64(s.extent()), f.sectionAlignment)
}

// Machine gives the processor that the executable is made for.
func (f *File) Machine() Machine { return f.machine }

// Wide says whether the headers are PE32+, as in 64-bit executables.
func (f *File) Wide() bool { return f.wide }

// Subsystem gives the subsystem in the headers.
func (f *File) Subsystem() Subsystem { return f.subsystem }

// Checksum gives the checksum in the headers, which need not be right.
func (f *File) Checksum() uint32 { return f.checksum }

// Sections gives the section table. The slice belongs to the file.
func (f *File) Sections() []Section { return f.sections }

// Signed says whether the executable carries an Authenticode signature. Whether it is valid is not checked.
func (f *File) Signed() bool { return f.signature.size > 0 }

// Overlay gives what is appended behind the last section, without a signature at the end of the file.
func (f *File) Overlay() (offset, size int64) { return f.overlay, f.overlayEnd() - f.overlay }

// overlayEnd gives the end of what is carried over.
func (f *File) overlayEnd() int64 {
	if f.signatureLast() {
		return f.signature.offset
	}
	return f.size
}

// signatureLast says whether nothing but padding follows the signature.
func (f *File) signatureLast() bool {
	return f.signature.size > 0 && roundUp(f.signature.end(), 8) >= f.size
}
