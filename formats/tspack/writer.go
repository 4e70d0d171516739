package tspack

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"runtime"
	"sync"
	"unicode/utf8"

	"golang.org/x/sync/semaphore"

	"talebinder/formats"
	"talebinder/formats/assetpath"
)

// Source is a file to be packed.
type Source struct {
	Path string                        // asset path
	Open func() (io.ReadCloser, error) // called from any goroutine, and up to three times for a large file
	Size int64                         // in bytes, or -1: a hint; if it is too small, a large file may stay uncompressed

	// Known gives the SHA-256 of the content if it is known without reading it, so that a file whose form is in the cache
	// need not be read. It is called from any goroutine; nil when nothing is known.
	Known func() (content Sum, ok bool)
}

// WriterOptions says how a pack is written.
type WriterOptions struct {
	Compress bool                        // store everything as it is when false
	Workers  int                         // goroutines that read and compress; 0 for one per core
	Progress func(done int, path string) // called by Write after each entry, in order; may be nil
	Cache    Cache                       // knows compressed forms from earlier packs; may be nil
	Check    bool                        // decompress what was compressed, and compare it with the source
	Record   func(Packing)               // called by Write after each entry, in order; may be nil
}

// DuplicateError says that two sources have the same path, ignoring case.
type DuplicateError struct{ First, Second string }

// Error names both paths.
func (e *DuplicateError) Error() string {
	if e.First == e.Second {
		return fmt.Sprintf("%s is to be packed twice", quote(e.First))
	}
	return fmt.Sprintf("%s and %s differ only in case, and a content pack does not tell them apart: rename one of them", quote(e.First), quote(e.Second))
}

// limits bound the memory of a Write.
type limits struct {
	piece    int   // bytes; a larger file is compressed in pieces of this size, and is never in memory as a whole
	inFlight int64 // bytes of files that are read ahead of the one that is written
	lanes    int   // pieces of a large file that are compressed at once
}

var defaultLimits = limits{piece: 1 << maxWindow, inFlight: 16 << 20, lanes: 4}

const (
	leastWeight = 4 << 10   // bytes that even an empty file counts for in flight
	queueLength = 1 << 10   // files in flight
	keptBuffers = 64        // buffers that are kept to be used again
	keptBuffer  = 256 << 10 // bytes of the largest of them
)

// Write packs the sources in their order, from the current position of w on, and gives the table of contents. Files are
// compressed with Brotli when o says so, except those whose extension is Precompressed, and stay as they are when that
// does not save 3 %.
//
// The bytes written depend on the sources alone, not on the number of workers. Memory is bounded, however large and
// many the files are: 16 MB of files read ahead, and for each worker some 4 MB while files are small and
// 30 MB otherwise.
//
// The header, without which nothing is a pack, is written last; when Write fails w holds the beginning of a pack
// without it. An error of a source begins with its path. When ctx is done Write returns its error, as soon as the reads
// under way have ended; no source is open any more then.
func Write(ctx context.Context, w io.WriteSeeker, sources []Source, o WriterOptions) ([]Entry, error) {
	return write(ctx, w, sources, o, defaultLimits)
}

func write(ctx context.Context, w io.WriteSeeker, sources []Source, o WriterOptions, l limits) ([]Entry, error) {
	entries, err := plan(sources)
	if err != nil {
		return nil, err
	}
	out, err := newOutput(w)
	if err != nil {
		return nil, err
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	l.lanes = min(l.lanes, o.Workers)
	p := &packer{sources: sources, entries: entries, options: o, limits: l, out: out,
		jobs: make(chan *job), buffers: make(chan []byte, keptBuffers), order: make(chan *job, queueLength), pieces: make(chan *piece), budget: semaphore.NewWeighted(l.inFlight)}

	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { p.dispatch(ctx) })
	for range o.Workers {
		running.Go(func() { p.work(ctx) })
	}
	err = p.write(ctx)
	cancel()
	running.Wait()
	if err != nil {
		return nil, err
	}
	return entries, nil
}

// plan checks the paths and makes the entries, which have their normalized path and nothing else yet.
func plan(sources []Source) ([]Entry, error) {
	if len(sources) > math.MaxInt32 {
		return nil, &formats.LimitError{What: "number of entries", Value: int64(len(sources)), Max: math.MaxInt32}
	}
	entries := make([]Entry, len(sources))
	first := make(map[string]string, len(sources))
	for i, s := range sources {
		path, err := assetpath.Normalize(s.Path)
		switch {
		case err != nil:
			return nil, err
		case path == "":
			return nil, fmt.Errorf("%s: a file in a content pack needs a path", quote(s.Path))
		case !utf8.ValidString(path):
			return nil, fmt.Errorf("%s: the path is not UTF-8", quote(path))
		case len(path) > maxPathBytes:
			return nil, fmt.Errorf("%s: %w", quote(path), &formats.LimitError{What: "length of the path", Value: int64(len(path)), Max: maxPathBytes, Unit: "bytes"})
		}
		key := assetpath.Fold(path)
		if other, ok := first[key]; ok {
			return nil, &DuplicateError{First: other, Second: path}
		}
		first[key] = path
		entries[i].Path = path
	}
	return entries, nil
}

// packer is the state of a Write. The dispatcher hands out jobs in order; workers read and compress whole files; the
// goroutine that called Write puts the results one after another. Large files are read by that goroutine when their turn
// has come, and compressed by the workers in pieces.
type packer struct {
	sources []Source
	entries []Entry
	options WriterOptions
	limits  limits
	out     *output

	jobs   chan *job // to the workers
	order  chan *job // to the writing goroutine, the same jobs
	pieces chan *piece
	budget *semaphore.Weighted

	free    []*piece    // whose memory can be used again
	buffers chan []byte // the same for packed files
}

// job is a file that a worker packs.
type job struct {
	index  int
	weight int64
	done   chan packed
}

// packed is a file as it goes into the pack.
type packed struct {
	data        []byte
	length      int64
	compression Compression
	origin      Origin
	content     Sum    // of the file, if someone had to know
	checksum    uint32 // of data, if someone wants to know
	fault       error  // of the cache
	large       bool   // nothing was packed: the file has to be written in pieces
	form        *Form
	err         error
}

// piece is a part of a large file.
type piece struct {
	source []byte // of the limits' size
	length int
	stream []byte
	done   chan error
}

// compressed reports whether an entry is to be compressed if that is worthwhile.
func (p *packer) compressed(i int) bool {
	return p.options.Compress && !Precompressed(assetpath.Ext(p.entries[i].Path))
}

// dispatch hands out the jobs, as many as the budget allows.
func (p *packer) dispatch(ctx context.Context) {
	defer close(p.order)
	defer close(p.jobs)
	for i, s := range p.sources {
		j := &job{index: i, done: make(chan packed, 1)}
		large := s.Size > int64(p.limits.piece) && !p.compressed(i)
		if large { // nothing to do before its turn; what is compressed depends on the real size, so it is looked at
			j.done <- packed{large: true}
		} else {
			j.weight = s.Size
			if s.Size < 0 {
				j.weight = int64(p.limits.piece)
			}
			j.weight = min(max(j.weight, leastWeight), int64(p.limits.piece), p.limits.inFlight)
			if p.budget.Acquire(ctx, j.weight) != nil {
				return
			}
		}
		select {
		case p.order <- j:
		case <-ctx.Done():
			return
		}
		if large {
			continue
		}
		select {
		case p.jobs <- j:
		case <-ctx.Done():
			return
		}
	}
}

// work packs files and compresses pieces until ctx is done. Pieces go first: they belong to the file that is written
// now.
func (p *packer) work(ctx context.Context) {
	w := &worker{packer: p}
	jobs := p.jobs
	for {
		select {
		case c := <-p.pieces:
			w.compressPiece(ctx, c)
			continue
		default:
		}
		select {
		case c := <-p.pieces:
			w.compressPiece(ctx, c)
		case j, ok := <-jobs:
			if !ok {
				jobs = nil
				continue
			}
			j.done <- w.pack(ctx, j.index)
		case <-ctx.Done():
			return
		}
	}
}

// worker is the memory of one worker.
type worker struct {
	packer     *packer
	compressor *compressor
	checker    checker
	source     []byte
	stream     []byte
}

func (w *worker) compressPiece(ctx context.Context, c *piece) {
	var err error
	c.stream, err = w.tools().piece(ctx, c.stream[:0], c.source[:c.length])
	c.done <- err
}

// tools gives the compressor, which a pack without compression does not need.
func (w *worker) tools() *compressor {
	if w.compressor == nil {
		w.compressor = new(compressor)
	}
	return w.compressor
}

// pack reads a file and compresses it, unless it is a large one.
func (w *worker) pack(ctx context.Context, i int) packed {
	p := w.packer
	known, ok := w.known(ctx, i)
	if ok {
		return known
	}
	data, err := w.read(ctx, p.sources[i], p.limits.piece+1)
	if err != nil {
		return packed{err: sourceError(p.entries[i].Path, err)}
	}
	if len(data) > p.limits.piece {
		return w.lookUp(ctx, i)
	}
	file := packed{data: data, length: int64(len(data)), fault: known.fault}
	if len(data) > 0 && p.compressed(i) {
		if err := w.compress(ctx, &file); err != nil {
			return packed{err: sourceError(p.entries[i].Path, err)}
		}
	}
	w.seal(&file)
	return file
}

// seal makes a file independent of the worker's memory.
func (w *worker) seal(file *packed) {
	if w.packer.options.Record != nil {
		file.checksum = crc32.Checksum(file.data, castagnoli())
	}
	file.data = w.packer.clone(file.data)
}

// compress puts the compressed form of a file in the place of its content, if that is worthwhile. The form comes from
// the cache if it is there, and goes into the cache if it is not.
func (w *worker) compress(ctx context.Context, file *packed) (err error) {
	cache := w.packer.options.Cache
	if cache != nil {
		file.content = sha256.Sum256(file.data)
		if form, found := cache.Find(file.content); found {
			fault := w.recall(ctx, file, form)
			if fault == nil {
				file.origin = Cached
				return nil
			}
			file.fault = fault
		}
	}
	if w.stream, err = w.tools().file(ctx, w.stream[:0], file.data); err != nil {
		return err
	}
	file.origin = Encoded
	if !worthwhile(int64(len(w.stream)), file.length) {
		if cache != nil {
			cache.Add(file.content, file.length, nil, Sum{})
		}
		return nil
	}
	if w.packer.options.Check {
		if err := w.checker.check(w.stream, file.data); err != nil {
			return err
		}
	}
	file.data, file.compression = w.stream, Brotli
	if cache != nil {
		cache.Add(file.content, file.length, w.stream, sha256.Sum256(w.stream))
	}
	return nil
}

// lookUp finds out what the cache knows about a large file.
func (w *worker) lookUp(ctx context.Context, i int) packed {
	p, file := w.packer, packed{large: true}
	cache, source := p.options.Cache, p.sources[i]
	if cache == nil || !p.compressed(i) || source.Size >= 0 && !cache.Expects(source.Size) {
		return file
	}
	content, err := source.Open()
	if err != nil {
		return packed{err: sourceError(p.entries[i].Path, err)}
	}
	defer content.Close()
	h := sha256.New()
	for end := false; !end; {
		var n int
		if n, end, err = fill(ctx, content, w.source); err != nil {
			return packed{err: sourceError(p.entries[i].Path, err)}
		}
		h.Write(w.source[:n])
		file.length += int64(n)
	}
	h.Sum(file.content[:0])
	if form, found := cache.Find(file.content); found {
		file.form = &form
	}
	return file
}

// clone copies data out of a worker's memory.
func (p *packer) clone(data []byte) []byte {
	select {
	case b := <-p.buffers:
		return append(b, data...)
	default:
		return bytes.Clone(data)
	}
}

// release takes back what clone gave.
func (p *packer) release(b []byte) {
	if cap(b) > keptBuffer {
		return
	}
	select {
	case p.buffers <- b[:0]:
	default:
	}
}

// read reads a file, or its first limit bytes. The memory is the worker's.
func (w *worker) read(ctx context.Context, s Source, limit int) ([]byte, error) {
	content, err := s.Open()
	if err != nil {
		return nil, err
	}
	defer content.Close()
	if expected := int(min(max(s.Size, 1<<10), int64(limit)-1)) + 1; cap(w.source) < expected {
		w.source = make([]byte, expected)
	}
	w.source = w.source[:cap(w.source)]
	n := 0
	for {
		m, end, err := fill(ctx, content, w.source[n:min(len(w.source), limit)])
		n += m
		if err != nil || end || n == limit {
			return w.source[:n], err
		}
		grown := make([]byte, min(2*len(w.source), limit))
		copy(grown, w.source)
		w.source = grown
	}
}

// fill reads until b is full or the content has ended.
func fill(ctx context.Context, content io.Reader, b []byte) (n int, end bool, err error) {
	for empty := 0; n < len(b); {
		if err := ctx.Err(); err != nil {
			return n, false, err
		}
		m, err := content.Read(b[n:min(len(b), n+1<<18)])
		n += m
		switch {
		case errors.Is(err, io.EOF):
			return n, true, nil
		case err != nil:
			return n, false, err
		case m > 0:
			empty = 0
		default:
			if empty++; empty == 100 {
				return n, false, io.ErrNoProgress
			}
		}
	}
	return n, false, nil
}

// sourceError names the file that an error belongs to.
func sourceError(path string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// write puts the pack together.
func (p *packer) write(ctx context.Context) error {
	if _, err := p.out.Write(make([]byte, headerSize)); err != nil {
		return err
	}
	for done := 0; done < len(p.entries); {
		var j *job
		select {
		case j = <-p.order:
		case <-ctx.Done():
			return ctx.Err()
		}
		var file packed
		select {
		case file = <-j.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if file.err != nil {
			return file.err
		}
		e := &p.entries[j.index]
		e.Offset = p.out.position
		if file.large {
			if err := p.writeLarge(ctx, j.index, &file); err != nil {
				return err
			}
		} else {
			if _, err := p.out.Write(file.data); err != nil {
				return err
			}
			p.release(file.data)
		}
		e.Length, e.Compression = file.length, file.compression
		e.StoredLength = p.out.position - e.Offset
		p.budget.Release(j.weight)
		if p.options.Record != nil {
			p.options.Record(Packing{Entry: *e, Origin: file.origin, Checksum: file.checksum, Content: file.content, Fault: file.fault})
		}
		if done++; p.options.Progress != nil {
			p.options.Progress(done, e.Path)
		}
	}
	h := header{version: version, count: int32(len(p.entries)), tableOffset: p.out.position}
	var row []byte
	for _, e := range p.entries {
		row = appendEntry(row[:0], e)
		if _, err := p.out.Write(row); err != nil {
			return err
		}
	}
	h.tableLength = p.out.position - h.tableOffset
	return p.out.finish(h)
}

// newPiece gives a piece that no one uses.
func (p *packer) newPiece() *piece {
	if last := len(p.free) - 1; last >= 0 {
		c := p.free[last]
		p.free = p.free[:last]
		return c
	}
	return &piece{source: make([]byte, p.limits.piece), done: make(chan error, 1)}
}
