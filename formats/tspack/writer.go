package tspack

import (
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
	batch    int64 // bytes of small files that are handed to a worker together
	lanes    int   // pieces of a large file that are compressed at once
}

var defaultLimits = limits{piece: 1 << maxWindow, inFlight: 16 << 20, batch: 256 << 10, lanes: 4}

const (
	leastWeight = 4 << 10 // bytes that even an empty file counts for in flight
	jobsAhead   = 2       // jobs in flight for each worker; more would not make it faster, and touch more memory
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
		jobs: make(chan *job), blocks: make(chan []byte, (jobsAhead+2)*o.Workers), order: make(chan *job, jobsAhead*o.Workers), pieces: make(chan *piece), budget: semaphore.NewWeighted(l.inFlight)}

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

	free   []*piece    // whose memory can be used again
	blocks chan []byte // the same for jobs
}

// job is a file that a worker packs, or several small ones: handing each one over would take as long as packing it.
type job struct {
	first, count int
	weight       int64
	done         chan []packed
	block        []byte // memory of its files
}

// packed is a file as it goes into the pack.
type packed struct {
	data        []byte
	own         bool // data is not the worker's memory
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
	for i := 0; i < len(p.sources); {
		j := p.nextJob(i)
		i += j.count
		if j.weight > 0 && p.budget.Acquire(ctx, j.weight) != nil {
			return
		}
		select {
		case p.order <- j:
		case <-ctx.Done():
			return
		}
		if j.weight == 0 {
			continue
		}
		select {
		case p.jobs <- j:
		case <-ctx.Done():
			return
		}
	}
}

// nextJob makes the job that begins with a file. One without a weight is for no worker.
func (p *packer) nextJob(first int) *job {
	j := &job{first: first, count: 1, done: make(chan []packed, 1)}
	if p.sources[first].Size > int64(p.limits.piece) && !p.compressed(first) {
		// Nothing to do before its turn. What is compressed depends on the real size, so that is looked at.
		j.done <- []packed{{large: true}}
		return j
	}
	j.weight = p.weight(first)
	for i := first + 1; i < len(p.sources); i++ {
		weight := p.weight(i)
		if j.weight+weight > p.limits.batch {
			break
		}
		j.weight += weight
		j.count++
	}
	return j
}

// weight is what a file counts for in flight.
func (p *packer) weight(i int) int64 {
	size := p.sources[i].Size
	if size < 0 {
		size = int64(p.limits.piece)
	}
	return min(max(size, leastWeight), int64(p.limits.piece), p.limits.inFlight)
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
			j.done <- w.packAll(ctx, j)
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
	block      []byte // of the job that is done: what is in it belongs to files
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

// packAll packs the files of a job, up to the first one that cannot be packed.
func (w *worker) packAll(ctx context.Context, j *job) []packed {
	files := make([]packed, 0, j.count)
	if w.block = nil; j.weight <= w.packer.limits.batch {
		select {
		case w.block = <-w.packer.blocks:
		default:
			w.block = make([]byte, 0, w.packer.limits.batch+1) // so that the end of the last file is seen in it
		}
		j.block = w.block
	}
	for i := range j.count {
		files = append(files, w.pack(ctx, j.first+i))
		if files[i].err != nil {
			break
		}
	}
	return files
}

// pack reads a file and compresses it, unless it is a large one.
func (w *worker) pack(ctx context.Context, i int) packed {
	p := w.packer
	known, ok := w.known(ctx, i)
	if ok {
		return known
	}
	memory := w.source
	if !p.compressed(i) { // what is read is what is stored
		memory = w.room(int64(w.expected(i)))
	}
	data, err := w.read(ctx, i, memory[:cap(memory)])
	if err != nil {
		return packed{err: sourceError(p.entries[i].Path, err)}
	}
	if p.compressed(i) {
		w.source = data[:cap(data)]
	}
	if len(data) > p.limits.piece {
		return w.lookUp(ctx, i)
	}
	file := packed{data: data, length: int64(len(data)), own: !p.compressed(i), fault: known.fault}
	if !file.own && len(data) > 0 {
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
	if !file.own {
		file.data, file.own = append(w.room(int64(len(file.data))), file.data...), true
	}
	if n := len(w.block); len(file.data) > 0 && n < cap(w.block) && &file.data[0] == &w.block[:n+1][n] {
		w.block = w.block[:n+len(file.data)]
	}
}

// room gives an empty buffer for n bytes of one file: what is left of the job's block, if that is enough. It is the same each
// time until a file that is in it is sealed.
func (w *worker) room(n int64) []byte {
	if used := len(w.block); int64(cap(w.block)-used) >= n {
		return w.block[used : used : int64(used)+n]
	}
	return make([]byte, 0, n)
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

// expected is how many bytes of memory a file is likely to need: one more than it has, so that its end is seen.
func (w *worker) expected(i int) int {
	return int(min(max(w.packer.sources[i].Size, 1<<10), int64(w.packer.limits.piece))) + 1
}

// read reads a file, or as much of it as shows that it is a large one, into memory or, when that is not enough, into other.
func (w *worker) read(ctx context.Context, i int, memory []byte) ([]byte, error) {
	content, err := w.packer.sources[i].Open()
	if err != nil {
		return nil, err
	}
	defer content.Close()
	limit := w.packer.limits.piece + 1
	if expected := w.expected(i); len(memory) < expected {
		memory = make([]byte, expected)
	}
	for n := 0; ; {
		m, end, err := fill(ctx, content, memory[n:min(len(memory), limit)])
		n += m
		if err != nil || end || n == limit {
			return memory[:n], err
		}
		grown := make([]byte, min(2*len(memory), limit))
		copy(grown, memory)
		memory = grown
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
		var files []packed
		select {
		case files = <-j.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		for i := range files {
			if err := p.writeFile(ctx, j.first+i, &files[i]); err != nil {
				return err
			}
			if done++; p.options.Progress != nil {
				p.options.Progress(done, p.entries[j.first+i].Path)
			}
		}
		p.budget.Release(j.weight)
		if j.block != nil {
			select {
			case p.blocks <- j.block:
			default:
			}
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

// writeFile writes an entry.
func (p *packer) writeFile(ctx context.Context, i int, file *packed) error {
	if file.err != nil {
		return file.err
	}
	e := &p.entries[i]
	e.Offset = p.out.position
	if file.large {
		if err := p.writeLarge(ctx, i, file); err != nil {
			return err
		}
	} else {
		if _, err := p.out.Write(file.data); err != nil {
			return err
		}
	}
	e.Length, e.Compression = file.length, file.compression
	e.StoredLength = p.out.position - e.Offset
	if p.options.Record != nil {
		p.options.Record(Packing{Entry: *e, Origin: file.origin, Checksum: file.checksum, Content: file.content, Fault: file.fault})
	}
	return nil
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
