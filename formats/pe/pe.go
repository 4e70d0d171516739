// Package pe brands a finished Windows executable: it writes a copy with another icon, other version information and
// another subsystem, and with everything else as it was.
//
// All numbers are little-endian. An address is relative to the place where the image is loaded (RVA).
//
//	At               Size  Content
//	0                2     "MZ"
//	0x3C             4     offset of the PE header
//	PE header        4     "PE\0\0"
//	+4               2     machine: 0x14C x86, 0x8664 x64, 0xAA64 ARM64
//	+6               2     number of sections, at most 96
//	+12              4     offset of the COFF symbol table, 0 without one
//	+20              2     size of the optional header
//	optional header
//	(PE header +24)  2     0x10B: PE32, 0x20B: PE32+
//	+8               4     sum of the sizes of sections with initialized data
//	+16              4     address of the entry point
//	+32, +36         4, 4  alignment of sections in memory and in the file
//	+56              4     size of the image in memory
//	+60              4     size of all headers in the file
//	+64              4     checksum
//	+68              2     subsystem: 2 windowed, 3 console
//	+92 or +108      4     number of data directories (PE32 or PE32+)
//	after it         8 n   data directories: address, size
//	                       2 resources, 4 signature (offset in the file, not an address), 5 base relocations, 6 debug data
//	after the optional header: the section table, 40 bytes a section
//	+0               8     name
//	+8, +12          4, 4  size and address in memory
//	+16, +20         4, 4  size and offset in the file
//	+24, +28         4, 4  offsets of relocations and line numbers, only in object files
//	+36              4     characteristics
//	headers' end ... the sections; behind the last one whatever was appended: a .NET bundle, an archive, the signature
//
// The checksum is the sum of all 16-bit words of the file, the checksum itself counting as 0, where every carry out of 16
// bits is added again, plus the file's length.
//
// The resources are a tree of three levels in a section of their own, .rsrc: type, name, language. Offsets count from the
// start of the tree.
//
//	directory   0   12     not used
//	            12  2, 2   number of entries with a name, and with a number; in this order, sorted
//	            16  8 n    entries: u32 number, or offset of the name with bit 31 set;
//	                       u32 offset of a leaf, or of a directory with bit 31 set
//	name        0   2      length, and as many UTF-16 units
//	leaf        0   4, 4   address and size of the data
//	            8   4      code page
//	            12  4      0
//
// The types that matter here: 3 an icon's image, 14 an icon (a list of images), 16 version information, 24 the manifest.
//
// # How the resources get room
//
// Where the tree has its section to itself, it is replaced in it. What follows in the file moves by a multiple of the
// alignment there. Sections that follow in memory move, when the pages of the section do not suffice, if nothing but the
// relocation directory refers to them: .reloc and debug data at the end. If other sections are in the way, or there is no
// tree yet, a new section is added behind all others, for which the section table needs 40 free bytes; the old tree stays
// where it is, unused.
//
// What is appended to the executable moves by a multiple of 4096 bytes, so that its parts keep their place within a page;
// the bytes in between are zeros. The offsets of the COFF symbol table and of debug data are put right, and the bundle of a
// single-file .NET program is told of its new place.
package pe

import "fmt"

// Subsystem decides how Windows starts a program.
type Subsystem uint16

// The subsystems that programs of a user have.
const (
	Windowed Subsystem = 2 // without a console window
	Console  Subsystem = 3 // in a console window, which is opened when there is none
)

// String gives the subsystem in words.
func (s Subsystem) String() string {
	switch s {
	case 1:
		return "native"
	case Windowed:
		return "windowed"
	case Console:
		return "console"
	case 9:
		return "Windows CE"
	case 10, 11, 12, 13:
		return "EFI"
	case 16:
		return "boot"
	}
	return fmt.Sprintf("subsystem %d", uint16(s))
}

// Machine is the processor that an executable is made for.
type Machine uint16

// The machines that Windows runs on.
const (
	X86   Machine = 0x14C
	X64   Machine = 0x8664
	ARM   Machine = 0x1C4
	ARM64 Machine = 0xAA64
)

// String gives the machine's usual name.
func (m Machine) String() string {
	switch m {
	case X86:
		return "x86"
	case X64:
		return "x64"
	case ARM:
		return "ARM"
	case ARM64:
		return "ARM64"
	}
	return fmt.Sprintf("machine 0x%X", uint16(m))
}

// Data directories that are looked at.
const (
	resourceDirectory   = 2
	securityDirectory   = 4
	relocationDirectory = 5
	debugDirectory      = 6
	maxDirectories      = 16
)

const (
	dosHeaderSize     = 64
	coffHeaderSize    = 24 // with the signature "PE\0\0"
	sectionHeaderSize = 40
	maxSections       = 96 // the limit of the Windows loader
	sectorSize        = 512
)

// Characteristics of a section.
const (
	containsCode    = 0x00000020
	initializedData = 0x00000040
	discardable     = 0x02000000
	executable      = 0x20000000
	readable        = 0x40000000
	writable        = 0x80000000
)

// Section is an entry of the section table.
type Section struct {
	Name            string
	VirtualSize     uint32 // bytes in memory
	Address         uint32 // in memory
	Size            uint32 // bytes in the file
	Offset          uint32 // in the file
	Characteristics uint32
	header          int64 // where the entry stands in the file
}

// extent gives the bytes that the section covers in memory, before they are rounded up.
func (s Section) extent() uint32 {
	if s.VirtualSize == 0 {
		return s.Size // as old linkers write it
	}
	return s.VirtualSize
}

// end gives the end of the section's bytes in the file.
func (s Section) end() int64 { return int64(s.Offset) + int64(s.Size) }

// roundUp gives the smallest multiple of unit that is not below n.
func roundUp(n, unit int64) int64 { return (n + unit - 1) / unit * unit }
