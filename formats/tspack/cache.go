package tspack

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
)

// Encoding names how the writer compresses. It changes with every change of the encoder or its settings that gives a
// content other bytes, so that nothing compressed in another way is taken from a [Cache].
const Encoding = "brotli 4/22 zm32"

// A Sum is a SHA-256.
type Sum [sha256.Size]byte

// A Cache keeps the compressed forms of contents from one pack to the next, so that a content is compressed once. The
// writer trusts it: a cache says so when it cannot give what was added to it. Its methods are called from several goroutines
// at once. That something could not be kept is the cache's own affair.
type Cache interface {
	// Find gives what is known about the content with this SHA-256.
	Find(content Sum) (form Form, found bool)
	// Expects reports whether something may be known about a content of this length. Without that, a file that is too
	// large for the memory is not read an additional time for its SHA-256.
	Expects(length int64) bool
	// Add keeps the form of a content of length bytes. An empty stream says that compressing the content is not
	// worthwhile. The stream's memory is used again afterwards.
	Add(content Sum, length int64, stream []byte, sum Sum)
	// Create begins a form that does not come in one piece.
	Create() FormWriter
}

// A Form is the compressed form of a content.
type Form struct {
	ContentLength int64     // in bytes
	Length        int64     // of the stream in bytes; 0 when compressing the content is not worthwhile
	Stream        io.Reader // gives Length bytes, and then io.EOF only if they are those that were added
}

// A FormWriter takes a compressed form in pieces. One of its methods Keep and Discard ends it.
type FormWriter interface {
	io.Writer // never fails
	// Keep adds the form to the cache, as Add does.
	Keep(content Sum, length int64, sum Sum)
	// Discard forgets the form.
	Discard()
}

// Origin says where the stored bytes of an entry come from.
type Origin uint8

// The origins of an entry.
const (
	AsItIs  Origin = iota // nothing was to be compressed
	Encoded               // the encoder worked on the file, even when its result was not worthwhile
	Cached                // the cache knew the content
)

// A Packing says how a file got into a pack.
type Packing struct {
	Entry
	Origin   Origin
	Checksum uint32 // of the stored bytes, see NewChecksum
	Content  Sum    // of the file; zero when nobody had to know
	Fault    error  // why a form of the cache could not be used; the file was compressed instead
}

// NewChecksum makes the checksum of a [Packing]: CRC-32C, which processors have an instruction for.
func NewChecksum() hash.Hash32 { return crc32.New(castagnoli()) }

func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) } // made once by the library

// recall takes the compressed form of a file in memory from the cache.
func (w *worker) recall(ctx context.Context, file *packed, form Form) error {
	if form.Length == 0 {
		return nil
	}
	if err := form.check(); err != nil {
		return err
	}
	stream := w.room(form.Length + 1)[:form.Length+1] // one byte more, so that the end is seen
	if err := drain(ctx, form, stream, func([]byte) error { return nil }); err != nil {
		return err
	}
	file.data, file.own, file.compression = stream[:form.Length], true, Brotli
	return nil
}

// check refuses a form that the writer would not have made.
func (f Form) check() error {
	if f.Length < 0 || !worthwhile(f.Length, f.ContentLength) {
		return fmt.Errorf("a compressed form of %d bytes for a content of %d bytes", f.Length, f.ContentLength)
	}
	return nil
}

// known packs a file whose SHA-256 is known from the cache, without reading it.
func (w *worker) known(ctx context.Context, i int) (file packed, ok bool) {
	p := w.packer
	source, cache := p.sources[i], p.options.Cache
	if cache == nil || source.Known == nil || !p.compressed(i) {
		return file, false
	}
	content, ok := source.Known()
	if !ok {
		return file, false
	}
	form, found := cache.Find(content)
	if !found || form.Length == 0 {
		return file, false
	}
	file.content, file.length, file.origin = content, form.ContentLength, Cached
	if form.ContentLength > int64(p.limits.piece) {
		file.large, file.form = true, &form
		return file, true
	}
	if file.fault = w.recall(ctx, &file, form); file.fault != nil {
		return file, false
	}
	w.seal(&file)
	return file, true
}

// drain reads a form to its end through a buffer and hands over what comes.
func drain(ctx context.Context, form Form, buffer []byte, take func([]byte) error) error {
	for length := int64(0); ; {
		n, end, err := fill(ctx, form.Stream, buffer)
		if length += int64(n); err == nil && (length > form.Length || end && length < form.Length) {
			err = fmt.Errorf("a compressed form of %d bytes, expected %d", length, form.Length)
		}
		if err != nil {
			return err
		}
		if err := take(buffer[:n]); err != nil || end {
			return err
		}
	}
}
