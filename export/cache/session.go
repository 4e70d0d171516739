package cache

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"talebinder/formats/tspack"
)

// shortContent is the length in bytes below which a cache does not know which contents it may hold.
const shortContent = 64 << 10

// A Session is the use of a cache by one export. Its methods may be called from many goroutines, Close once and last.
type Session struct {
	cache *Cache

	mu       sync.Mutex
	size     int64 // of the cache when the session began
	segments []*segment
	index    map[uint64]place // by the beginning of the content's SHA-256
	lengths  map[int64]bool   // of the contents that are not short
	added    map[tspack.Sum]bool
	writer   *writer   // of forms that come in one piece; nil while there are none
	streams  []*writer // of other forms, those that nobody writes to
	made     []string  // complete segments
	ledgers  []*Ledger
	errs     []error
}

var _ tspack.Cache = (*Session)(nil)

// segment is a complete one.
type segment struct {
	file
	rows    []row
	handle  *os.File // open from the first use on
	used    bool
	damaged bool
}

// place is a form: a segment and a row of its table.
type place struct{ segment, row int32 }

// key is the beginning of a SHA-256. That two contents share it does not happen, and would only mean that one of them is
// not found.
func key(content tspack.Sum) uint64 { return binary.LittleEndian.Uint64(content[:]) }

// Begin reads the tables of the cache. An error says that the cache cannot be used at all; damaged segments are removed and
// reported by Close.
func (c *Cache) Begin() (*Session, error) {
	files, err := c.list()
	if err != nil {
		return nil, err
	}
	// When there are too many forms, those that were of use last are read.
	forms, first := 0, len(files)
	for first > 0 && forms < c.sizes.forms {
		first--
		forms += files[first].forms
	}
	s := &Session{cache: c, index: make(map[uint64]place, min(forms, c.sizes.forms)), lengths: make(map[int64]bool), added: make(map[tspack.Sum]bool)}
	for i, f := range files {
		s.size += f.size
		if i < first || f.temporary || f.ledger || f.foreign {
			continue
		}
		if err := s.load(f); err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.errs = append(s.errs, fmt.Errorf("the cache was damaged, and a part of it is removed: %s: %w", f.path, err))
			_ = os.Remove(f.path)
		}
	}
	return s, nil
}

// load reads the table of a segment.
func (s *Session) load(f file) error {
	in, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer in.Close()
	rows, err := readTable(in, f.size)
	if err != nil {
		return err
	}
	for i, r := range rows {
		s.index[key(r.content)] = place{int32(len(s.segments)), int32(i)}
		if r.contentLength >= shortContent {
			s.lengths[r.contentLength] = true
		}
	}
	s.segments = append(s.segments, &segment{file: f, rows: rows})
	return nil
}

// Find gives what the cache knows about the content with this SHA-256. What it gives is to be read before Close.
func (s *Session) Find(content tspack.Sum) (tspack.Form, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.index[key(content)]
	if !ok {
		return tspack.Form{}, false
	}
	segment := s.segments[p.segment]
	r := &segment.rows[p.row]
	if r.content != content {
		return tspack.Form{}, false
	}
	if r.length > 0 && segment.handle == nil {
		var err error
		if segment.handle, err = os.Open(segment.path); err != nil {
			// Another process has removed it, because the cache became too large or was cleared.
			delete(s.index, key(content))
			return tspack.Form{}, false
		}
	}
	segment.used = true
	form := tspack.Form{ContentLength: r.contentLength, Length: r.length}
	if r.length > 0 {
		form.Stream = &stream{session: s, segment: segment, row: r, in: io.NewSectionReader(segment.handle, r.offset, r.length), hash: sha256.New()}
	}
	return form, true
}

// stream reads a form and checks it.
type stream struct {
	session *Session
	segment *segment
	row     *row
	in      *io.SectionReader
	hash    hash.Hash
}

func (r *stream) Read(b []byte) (int, error) {
	n, err := r.in.Read(b)
	r.hash.Write(b[:n])
	if err == nil || errors.Is(err, io.EOF) && tspack.Sum(r.hash.Sum(nil)) == r.row.sum {
		return n, err
	}
	if errors.Is(err, io.EOF) {
		err = errors.New("not what was kept")
	}
	r.session.drop(r.segment, r.row)
	return n, fmt.Errorf("%s at byte %d: %w", r.segment.path, r.row.offset, err)
}

// drop forgets a form that is damaged.
func (s *Session) drop(segment *segment, r *row) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.index, key(r.content))
	segment.damaged = true
}

// Expects reports whether the cache may know a content of this length in bytes.
func (s *Session) Expects(length int64) bool {
	return length < shortContent || s.lengths[length]
}

// Add keeps a form.
func (s *Session) Add(content tspack.Sum, length int64, stream []byte, sum tspack.Sum) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.added[content] {
		return // the same content under another name
	}
	s.added[content] = true
	if s.writer == nil {
		s.writer = newWriter(s.cache.Dir)
	}
	start := s.writer.position
	_, _ = s.writer.Write(stream)
	s.writer.keep(content, length, start, sum)
	if s.writer.position >= s.cache.sizes.segment {
		s.complete(s.writer)
		s.writer = nil
	}
}

// complete finishes a segment.
func (s *Session) complete(w *writer) {
	path, err := w.finish()
	if err != nil {
		s.errs = append(s.errs, fmt.Errorf("what was compressed could not be kept in the cache: %w", err))
	} else if path != "" {
		s.made = append(s.made, path)
	}
}

// Create begins a form that does not come in one piece.
func (s *Session) Create() tspack.FormWriter {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := &formWriter{session: s}
	if last := len(s.streams) - 1; last >= 0 {
		f.writer, s.streams = s.streams[last], s.streams[:last]
	} else {
		f.writer = newWriter(s.cache.Dir)
	}
	f.start = f.writer.position
	return f
}

// formWriter is a form that is written to a segment of its own, or behind others of its kind.
type formWriter struct {
	*writer
	session *Session
	start   int64
}

func (f *formWriter) Keep(content tspack.Sum, length int64, sum tspack.Sum) {
	s := f.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.added[content] {
		f.rewind(f.start)
	} else {
		s.added[content] = true
		f.keep(content, length, f.start, sum)
	}
	f.give()
}

func (f *formWriter) Discard() {
	f.rewind(f.start)
	f.session.mu.Lock()
	defer f.session.mu.Unlock()
	f.give()
}

// give hands the segment to the next form.
func (f *formWriter) give() {
	if f.err != nil || f.position >= f.session.cache.sizes.segment {
		f.session.complete(f.writer)
	} else {
		f.session.streams = append(f.session.streams, f.writer)
	}
}

// Close puts what was added into the cache, also for other processes, and keeps the cache within its limit. It gives what
// went wrong; none of it matters to the pack that was written.
func (s *Session) Close() []error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range append(s.streams, s.writer) {
		if w != nil {
			s.complete(w)
		}
	}
	now := time.Now()
	for _, l := range s.ledgers {
		if err := l.save(now); err != nil {
			s.errs = append(s.errs, fmt.Errorf("which files are unchanged could not be kept in the cache: %w", err))
		}
	}
	var damaged []string
	for _, segment := range s.segments {
		if segment.handle != nil {
			_ = segment.handle.Close()
		}
		switch {
		case segment.damaged: // and older than what was kept instead
			damaged = append(damaged, segment.path)
		case segment.used:
			_ = os.Chtimes(segment.path, time.Time{}, now) // or another process has removed it
		}
	}
	if len(s.made) > 0 || len(damaged) > 0 || s.size > s.cache.Limit {
		if err := s.cache.tidy(damaged); err != nil {
			s.errs = append(s.errs, fmt.Errorf("the cache could not be tidied: %w", err))
		}
	}
	return s.errs
}
