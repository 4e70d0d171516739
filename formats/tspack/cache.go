package tspack

import (
	"context"
	"crypto/sha256"
	"fmt"
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
	Length int64     // of the stream in bytes; 0 when compressing the content is not worthwhile
	Sum    Sum       // of the stream
	Stream io.Reader // gives Length bytes, and then io.EOF only if they have the Sum
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
	Origin Origin
	Sum    Sum   // of the stored bytes
	Fault  error // why a form of the cache could not be used; the file was compressed instead
}

// recall takes the compressed form of a file in memory from the cache.
func (w *worker) recall(ctx context.Context, file *packed, form Form) error {
	if form.Length == 0 {
		return nil
	}
	if err := form.check(file.length); err != nil {
		return err
	}
	// One byte more, so that the end is seen.
	if int64(cap(w.stream)) <= form.Length {
		w.stream = make([]byte, form.Length+1)
	}
	stream := w.stream[:form.Length+1]
	if err := drain(ctx, form, stream, func([]byte) error { return nil }); err != nil {
		return err
	}
	file.data, file.compression, file.sum = stream[:form.Length], Brotli, form.Sum
	return nil
}

// check refuses a form that the writer would not have made of a content of length bytes.
func (f Form) check(length int64) error {
	if f.Length < 0 || !worthwhile(f.Length, length) {
		return fmt.Errorf("a compressed form of %d bytes for a content of %d bytes", f.Length, length)
	}
	return nil
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
