package cache

import (
	"bufio"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"talebinder/formats"
	"talebinder/formats/tspack"
)

const (
	magic      = "TBCACHE\n"
	rowSize    = 88
	footerSize = 80
)

// row is a form in the table of a segment.
type row struct {
	content, sum  tspack.Sum
	contentLength int64
	offset        int64
	length        int64
}

func (r row) append(b []byte) []byte {
	b = append(b, r.content[:]...)
	b = append(b, r.sum[:]...)
	le := binary.LittleEndian
	b = le.AppendUint64(b, uint64(r.contentLength))
	b = le.AppendUint64(b, uint64(r.offset))
	return le.AppendUint64(b, uint64(r.length))
}

func parseRow(b []byte) row {
	le := binary.LittleEndian
	return row{
		content:       tspack.Sum(b[:32]),
		sum:           tspack.Sum(b[32:64]),
		contentLength: int64(le.Uint64(b[64:])),
		offset:        int64(le.Uint64(b[72:])),
		length:        int64(le.Uint64(b[80:])),
	}
}

// footer is the end of a segment.
type footer struct {
	encoding tspack.Sum
	table    int64
	count    int64
	sum      tspack.Sum
}

func (f footer) append(b []byte) []byte {
	b = append(b, f.encoding[:]...)
	b = binary.LittleEndian.AppendUint64(b, uint64(f.table))
	return binary.LittleEndian.AppendUint64(b, uint64(f.count))
}

// readFooter reads and checks the end of a segment of size bytes.
func readFooter(r io.ReaderAt, size int64) (footer, error) {
	var f footer
	if size < int64(len(magic))+footerSize {
		return f, formats.Damaged("segment", -1, fmt.Sprintf("%d bytes", size), fmt.Sprintf("at least %d", len(magic)+footerSize))
	}
	var b [footerSize]byte
	if _, err := r.ReadAt(b[:], size-footerSize); err != nil {
		return f, err
	}
	f.encoding = tspack.Sum(b[:32])
	f.table = int64(binary.LittleEndian.Uint64(b[32:]))
	f.count = int64(binary.LittleEndian.Uint64(b[40:]))
	f.sum = tspack.Sum(b[48:])
	if f.table < int64(len(magic)) || f.table > size || f.count < 0 || f.count > size/rowSize || f.table+f.count*rowSize+footerSize != size {
		return f, formats.Damaged("footer", size-footerSize, fmt.Sprintf("%d forms in a table at byte %d", f.count, f.table),
			fmt.Sprintf("a table that ends at byte %d", size-footerSize))
	}
	return f, nil
}

// encoding is the name of the encoding as segments have it.
func encoding() tspack.Sum { return sha256.Sum256([]byte(tspack.Encoding)) }

// readTable reads the table of a segment of size bytes. It refuses a table that is not as it was written. One of another
// encoding has no forms.
func readTable(r io.ReaderAt, size int64) ([]row, error) {
	f, err := readFooter(r, size)
	if err != nil {
		return nil, err
	}
	var start [len(magic)]byte
	if _, err := r.ReadAt(start[:], 0); err != nil {
		return nil, err
	}
	if string(start[:]) != magic {
		return nil, formats.Damaged("segment", 0, fmt.Sprintf("%q", start[:]), fmt.Sprintf("%q", magic))
	}
	if f.encoding != encoding() {
		return nil, nil
	}
	table := make([]byte, f.count*rowSize) // not more than the file has
	if _, err := r.ReadAt(table, f.table); err != nil {
		return nil, err
	}
	h := sha256.New()
	h.Write(table)
	h.Write(f.append(nil))
	if sum := tspack.Sum(h.Sum(nil)); sum != f.sum {
		return nil, formats.Damaged("table", f.table, fmt.Sprintf("bytes with the SHA-256 %x", sum), fmt.Sprintf("%x", f.sum))
	}
	rows := make([]row, f.count)
	for i := range rows {
		rows[i] = parseRow(table[i*rowSize:])
		if form := rows[i]; form.offset < int64(len(magic)) || form.length < 0 || form.offset > f.table || form.length > f.table-form.offset {
			return nil, formats.Damaged("table", f.table, fmt.Sprintf("a form of %d bytes at byte %d", form.length, form.offset), fmt.Sprintf("one before byte %d", f.table))
		}
	}
	return rows, nil
}

// A writer writes a segment. It remembers the first error and does nothing from then on.
type writer struct {
	file     *os.File
	out      *bufio.Writer
	position int64
	rows     []byte
	err      error
}

// newWriter begins a segment under a temporary name.
func newWriter(dir string) *writer {
	w := &writer{}
	name := make([]byte, 16)
	_, _ = rand.Read(name) // never fails
	if w.err = os.MkdirAll(dir, 0o700); w.err != nil {
		return w
	}
	w.file, w.err = os.OpenFile(filepath.Join(dir, hex.EncodeToString(name)+temporaryExt), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if w.err == nil {
		w.out = bufio.NewWriterSize(w.file, 1<<18)
		_, _ = w.Write([]byte(magic))
	}
	return w
}

func (w *writer) Write(b []byte) (int, error) {
	if w.err == nil {
		_, w.err = w.out.Write(b)
		w.position += int64(len(b))
	}
	return len(b), nil
}

// keep adds what was written since the given position as a form.
func (w *writer) keep(content tspack.Sum, contentLength int64, start int64, sum tspack.Sum) {
	if w.err == nil {
		w.rows = row{content, sum, contentLength, start, w.position - start}.append(w.rows)
	}
}

// rewind goes back to a position.
func (w *writer) rewind(position int64) {
	if w.err != nil || w.position == position {
		return
	}
	if w.err = w.out.Flush(); w.err != nil {
		return
	}
	if _, w.err = w.file.Seek(position, io.SeekStart); w.err == nil {
		w.err = w.file.Truncate(position)
		w.position = position
	}
}

// finish completes the segment and gives its path, or "" when it has no forms.
func (w *writer) finish() (string, error) {
	if w.err != nil || len(w.rows) == 0 {
		err := w.err
		w.discard()
		return "", err
	}
	f := footer{encoding: encoding(), table: w.position, count: int64(len(w.rows) / rowSize)}
	end := f.append(nil)
	h := sha256.New()
	h.Write(w.rows)
	h.Write(end)
	_, _ = w.Write(w.rows)
	_, _ = w.Write(h.Sum(end))
	if w.err == nil {
		w.err = w.out.Flush()
	}
	if err := w.file.Close(); w.err == nil {
		w.err = err
	}
	temporary := w.file.Name()
	path := temporary[:len(temporary)-len(temporaryExt)] + segmentExt
	if w.err == nil {
		// No fsync: what a crash leaves of a segment is checked when it is read.
		w.err = os.Rename(temporary, path)
	}
	if w.err != nil {
		return "", errors.Join(w.err, os.Remove(temporary))
	}
	return path, nil
}

// discard removes what was written.
func (w *writer) discard() {
	if w.file != nil {
		_ = w.file.Close()
		_ = os.Remove(w.file.Name())
	}
}
