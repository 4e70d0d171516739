// Package netbundle reads the bundle that makes a .NET program a single file, and moves it within that file.
//
// The program's own executable, the host, stands first; the bundled files and the bundle's header are appended to it.
// Every offset counts from the start of the whole file, so that a change of the host's length breaks the bundle unless
// all offsets are moved along. All numbers are little-endian; offsets and sizes are signed.
//
//	Part     Offset    Size  Content
//	host     marker    8     offset of the header, 0 in a host without a bundle
//	         marker+8  32    SHA-256 of ".net core bundle" and a line feed
//	files    ...             the contents of the files
//	header   0         4     major version: 1 (.NET Core 3), 2 (.NET 5), 6 (.NET 6 and later)
//	         4         4     minor version, 0
//	         8         4     number of files, at least 1
//	         12        ...   text: the bundle's id, which names the folder that files are extracted to
//	         +0        8     offset of the .deps.json, 0 without one    from version 2 on
//	         +8        8     its size                                   from version 2 on
//	         +16       8     offset of the .runtimeconfig.json          from version 2 on
//	         +24       8     its size                                   from version 2 on
//	         +32       8     flags; 1: extract all files at the start   from version 2 on
//	entry    0         8     offset of the content, more than 0
//	         8         8     size of the file
//	         +0        8     size of the content, 0 when it is stored   from version 6 on
//	         +0        1     type
//	         +1        ...   text: the file's path, with /
//
// A text is UTF-8 after its length in bytes, seven bits a byte from the lowest on, with the high bit set in all bytes but
// the last; the host reads at most two such bytes. A content whose size is not 0 is a raw deflate stream.
//
// The runtime maps assemblies from the bundle into memory. They are aligned at 16 or 4096 bytes, depending on the system
// and the processor they are built for, because ReadyToRun code for ARM64 addresses data by page, and pages have to stay
// where they are. A bundle is therefore only to be moved by multiples of Alignment: that keeps every assembly at its place
// within a page.
package netbundle

import (
	"crypto/sha256"
	"fmt"
	"io"
)

// Alignment is what a bundle's shift has to be a multiple of, in bytes.
const Alignment = 4096

const (
	markerSize    = 40
	offsetSize    = 8
	maxPathLength = 1<<14 - 1 // what two bytes of a text's length can say
	extractAll    = 1         // flag
)

// signature is what follows the header's offset in the host. It is computed so that a program which reads bundles does not
// itself look like a host.
func signature() [sha256.Size]byte { return sha256.Sum256([]byte(".net core bundle\n")) }

// Type is the kind of a bundled file, which tells the host how to use it.
type Type uint8

// The types of files. Version 1 has Unknown alone.
const (
	Unknown           Type = iota
	Assembly               // managed code, with or without native code beside it
	NativeBinary           // a library of the system
	DepsJSON               // .deps.json
	RuntimeConfigJSON      // .runtimeconfig.json
	Symbols                // .pdb
	typeCount
)

// String gives the type in words.
func (t Type) String() string {
	switch t {
	case Unknown:
		return "file"
	case Assembly:
		return "assembly"
	case NativeBinary:
		return "native library"
	case DepsJSON:
		return "deps.json"
	case RuntimeConfigJSON:
		return "runtimeconfig.json"
	case Symbols:
		return "symbols"
	}
	return fmt.Sprintf("type %d", uint8(t))
}

// Entry is a file of a bundle.
type Entry struct {
	Path           string // relative, with /; it does not leave its folder
	Type           Type
	Offset         int64 // of the content, from the start of the executable
	Size           int64 // of the file in bytes
	CompressedSize int64 // of the content in bytes, or 0 when it is stored as it is
	field          int64 // where Offset is written
}

// StoredSize gives the bytes that the content takes in the executable.
func (e Entry) StoredSize() int64 {
	if e.CompressedSize != 0 {
		return e.CompressedSize
	}
	return e.Size
}

// Location is the place of a file that the host reads before all others. The zero value means that there is none.
type Location struct {
	Offset, Size int64 // in bytes
	field        int64 // where Offset is written
}

// Bundle is a bundle's header. Its methods may be called from many goroutines at once.
type Bundle struct {
	Major, Minor  uint32
	ID            string
	DepsJSON      Location // zero before version 2
	RuntimeConfig Location // zero before version 2
	Flags         uint64   // 0 before version 2
	Entries       []Entry
	Marker        int64 // offset of the 40 bytes in the host
	Header, End   int64 // offset of the header and of its end

	file io.ReaderAt
}

// Version gives the version as the .NET tools write it.
func (b *Bundle) Version() string { return fmt.Sprintf("%d.%d", b.Major, b.Minor) }

// ExtractsAll says whether the host extracts every file to a folder before the program starts.
func (b *Bundle) ExtractsAll() bool { return b.Major == 1 || b.Flags&extractAll != 0 }

// Start gives the offset of the bundle's first byte: of its files or, when they stand behind it, of its header.
func (b *Bundle) Start() int64 {
	start := b.Header
	for _, e := range b.Entries {
		start = min(start, e.Offset)
	}
	return start
}
