// Package tspack reads and writes Talesmith content packs, the .tspack files that hold the assets of an exported game.
//
// A pack is a header of 32 bytes, the stored bytes of the entries one after another, and a table of contents. All
// numbers are little-endian.
//
//	Header
//	 0   8  magic: 54 53 50 41 43 4B 0D 0A ("TSPACK\r\n")
//	 8   4  int32  version, 1; readers take every version up to 1, also those below
//	12   4  int32  number of entries
//	16   8  int64  offset of the table
//	24   8  int64  length of the table
//
//	Table, once per entry
//	 0   n  path: its length in bytes in groups of 7 bits, the least significant group first, the high bit set when
//	        another group follows, at most 5 groups; then that many bytes of UTF-8
//	+0   8  int64  offset of the stored bytes in the file
//	+8   8  int64  stored length
//	+16  8  int64  length once decompressed
//	+24  1  uint8  compression: 0 none, 1 Brotli
//
// The writer puts the entries one after another from offset 32, in the order of the table, and the table behind the
// last one. A reader asks for less: gaps and overlaps between entries, bytes after the table and a table length that
// is too small are allowed. Of an entry that is not compressed it takes the stored bytes, whatever its length says; of
// a compressed one it takes exactly the length, and more than that in the Brotli stream is ignored.
//
// Paths are asset paths (see package assetpath). A pack compares them ignoring case; when two are equal, the last one
// counts. Bytes of a path that are not UTF-8 are read as U+FFFD.
package tspack

// Compression tells how the bytes of an entry are stored.
type Compression uint8

// The compressions of the format.
const (
	Stored Compression = 0 // as they are
	Brotli Compression = 1
)

// String gives "none" or "brotli".
func (c Compression) String() string {
	if c == Brotli {
		return "brotli"
	}
	return "none"
}

// Entry is a row of a pack's table of contents.
type Entry struct {
	Path         string // asset path, normalized
	Offset       int64  // of the stored bytes, in bytes from the start of the pack
	StoredLength int64  // in bytes
	Length       int64  // in bytes, once decompressed; of no meaning to a reader when Compression is Stored
	Compression  Compression
}

const (
	magic        = "TSPACK\r\n"
	version      = 1
	headerSize   = 32
	entrySize    = 26      // the least bytes of an entry in the table: an empty path, three int64 and the compression
	maxPathBytes = 1 << 16 // no system that the engine runs on has longer ones
)
