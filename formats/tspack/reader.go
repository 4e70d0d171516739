package tspack

import (
	"fmt"
	"io"
	"io/fs"
	"sync"

	"github.com/andybalholm/brotli"

	"talebinder/formats"
	"talebinder/formats/assetpath"
)

// Reader reads a content pack. All methods may be called from many goroutines at once.
type Reader struct {
	file     io.ReaderAt
	version  int32
	entries  []Entry
	index    map[string]int32 // folded path to the last entry of that path
	decoders sync.Pool        // of *brotli.Reader, whose buffers are worth keeping
}

// NewReader reads the header and the table of contents of the pack in r, which is size bytes long. Nothing else is read
// until an entry is opened. A file that is not a pack, or a damaged one, gives a *formats.Fault of kind
// formats.ErrDamaged; a pack of a newer version one of kind formats.ErrUnsupported.
func NewReader(r io.ReaderAt, size int64) (*Reader, error) {
	h, err := readHeader(r, size)
	if err != nil {
		return nil, err
	}
	entries, err := readTable(r, size, h)
	if err != nil {
		return nil, err
	}
	pack := &Reader{file: r, version: h.version, entries: entries, index: make(map[string]int32, len(entries))}
	for i, e := range entries {
		pack.index[assetpath.Fold(e.Path)] = int32(i)
	}
	return pack, nil
}

// Version gives the version in the header, 1 or below.
func (r *Reader) Version() int32 { return r.version }

// Entries gives the entries in the order of the table. The slice belongs to the reader.
func (r *Reader) Entries() []Entry { return r.entries }

// Find looks up the entry of an asset path, ignoring case. The path is normalized first; an error says that it leaves
// the asset folder.
func (r *Reader) Find(path string) (Entry, bool, error) {
	normal, err := assetpath.Normalize(path)
	if err != nil {
		return Entry{}, false, err
	}
	i, ok := r.index[assetpath.Fold(normal)]
	if !ok {
		return Entry{}, false, nil
	}
	return r.entries[i], true, nil
}

// Open gives the content of an entry of this pack as a stream, decompressed while it is read. Damage is reported by Read
// as a *formats.Fault: data that is not Brotli, or that ends before the entry's length.
func (r *Reader) Open(e Entry) (io.ReadCloser, error) {
	if e.Offset < headerSize || e.StoredLength < 0 || e.Length < 0 {
		return nil, fmt.Errorf("open %s: not an entry of this pack", quote(e.Path))
	}
	stored := &section{file: r.file, entry: e}
	switch e.Compression {
	case Stored:
		return stored, nil
	case Brotli:
		d, _ := r.decoders.Get().(*brotli.Reader)
		if d == nil {
			d = brotli.NewReader(stored)
		} else {
			d.Reset(stored)
		}
		return &inflater{pack: r, stored: stored, decoder: d, rest: e.Length}, nil
	}
	return nil, formats.Unsupported(part(e), e.Offset, e.Compression.String(), "none or brotli")
}

// OpenStored gives the stored bytes of an entry of this pack as they are in the file, compressed or not.
func (r *Reader) OpenStored(e Entry) (io.ReadCloser, error) {
	if e.Offset < headerSize || e.StoredLength < 0 {
		return nil, fmt.Errorf("open %s: not an entry of this pack", quote(e.Path))
	}
	return &section{file: r.file, entry: e}, nil
}

// ContentLength is how many bytes Open gives for the entry.
func (e Entry) ContentLength() int64 {
	if e.Compression == Stored {
		return e.StoredLength
	}
	return e.Length
}

// ReadFile gives the content of the file with this asset path, looked up as Find does. A path that the pack does not
// hold gives an error that wraps fs.ErrNotExist. Memory grows with the bytes that really arrive, whatever the table
// says.
func (r *Reader) ReadFile(path string) ([]byte, error) {
	e, ok, err := r.Find(path)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("%s: %w in the content pack", quote(path), fs.ErrNotExist)
	}
	content, err := r.Open(e)
	if err != nil {
		return nil, err
	}
	defer content.Close()
	return readAll(content, e)
}

// part names an entry in a message.
func part(e Entry) string { return "entry " + quote(e.Path) }
