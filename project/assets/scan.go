package assets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"talebinder/formats"
	"talebinder/formats/assetpath"
	"talebinder/formats/guid"
)

// change says how the meta that was decided differs from the file.
type change uint8

const (
	isNew           change = 1 << iota // there was none
	isReplaced                         // the file is not valid
	isRestored                         // the file is only there as the backup of an interrupted write
	folderCorrected                    // the folder flag contradicted the disk
	guidReplaced                       // another asset has the same guid
	importerAdded                      // none was named
	importerRaised                     // an older version was named
)

// defaultPlugins is the plugins folder of a game that names none.
const defaultPlugins = "plugins"

// Scan reads the assets below root: the asset folder of a project. An error means that root itself cannot be read, or
// that ctx was cancelled; everything else that is wrong is a problem of the database. Scan writes nothing.
func Scan(ctx context.Context, root string, o Options) (*Database, error) {
	return scan(ctx, root, o, runtime.GOOS == "windows")
}

// scan is Scan on a system where paths are equal ignoring case, or not.
func scan(ctx context.Context, root string, o Options, fold bool) (*Database, error) {
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	plugins, err := assetpath.Normalize(o.PluginsFolder)
	if err != nil || plugins == "" {
		plugins = defaultPlugins
	}
	w := &walk{ctx: ctx, root: root, plugins: plugins, fold: fold}
	if err := w.run(workers); err != nil {
		return nil, err
	}
	s := &scanning{
		ctx:     ctx,
		workers: workers,
		db:      &Database{root: root, fold: fold, notes: w.notes, details: make(map[int32]*detail)},
	}
	report := s.report(o.Progress)
	defer report()
	slices.SortFunc(w.entries, func(a, b entry) int { return assetpath.Compare(a.path, b.path) })
	for _, step := range []func() error{
		func() error { return s.readMetas(w.entries) },
		s.decide,
		s.findReferences,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(s.db.notes, func(a, b note) int {
		return cmp.Or(assetpath.Compare(a.path, b.path), cmp.Compare(a.code, b.code))
	})
	s.db.link()
	return s.db, nil
}

// scanning is a scan at work.
type scanning struct {
	ctx     context.Context
	workers int
	db      *Database

	done atomic.Int64
	path atomic.Pointer[string]

	mu sync.Mutex // guards notes and details of db while workers run
}

// detail is what the database knows about the few assets with which something is wrong.
type detail struct {
	original  Meta  // as it was read, when the decision differs
	metaErr   error // why the meta is invalid
	duplicate int32 // the asset that keeps the guid, or -1
	fileErr   error // why the search for references broke off
	filePlace place // where it did, or zero
	missing   []MissingReference
}

// detail gives the detail of an asset, to be filled. The caller holds mu or is alone.
func (s *scanning) detail(a *Asset) *detail {
	d := s.db.details[a.index]
	if d == nil {
		d = &detail{duplicate: -1}
		s.db.details[a.index] = d
	}
	return d
}

// report calls progress ten times a second until the function that it gives is called, and then a last time.
func (s *scanning) report(progress func(done int, path string)) (stop func()) {
	if progress == nil {
		return func() {}
	}
	tell := func() {
		path := ""
		if p := s.path.Load(); p != nil {
			path = *p
		}
		progress(int(s.done.Load()), path)
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				tell()
			case <-end:
				tell()
				return
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}

// each has workers call work for every index below n, in portions and no particular order. Begin makes what a worker
// needs for itself.
func each[T any](s *scanning, n, portion int, begin func() T, work func(own T, i int)) error {
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(s.workers, (n+portion-1)/portion) {
		all.Go(func() {
			own := begin()
			for s.ctx.Err() == nil {
				first := int(next.Add(int64(portion))) - portion
				if first >= n {
					return
				}
				for i := first; i < min(first+portion, n); i++ {
					work(own, i)
				}
			}
		})
	}
	all.Wait()
	return s.ctx.Err()
}

// metaBuffer is the size in bytes that nearly all metas stay below.
const metaBuffer = 8 << 10

// metaReader is what a worker reads metas with.
type metaReader struct {
	buf  []byte
	keep *pool
}

// readMetas makes the assets: the entries that can be read, each with its meta.
func (s *scanning) readMetas(entries []entry) error {
	all := make([]Asset, len(entries))
	states := make([]error, len(entries)) // why an asset is left out, or its meta invalid
	begin := func() *metaReader { return &metaReader{make([]byte, metaBuffer), newPool()} }
	err := each(s, len(entries), 64, begin, func(own *metaReader, i int) {
		all[i], states[i] = s.readAsset(&entries[i], own)
		s.done.Add(1)
		s.path.Store(&entries[i].path)
	})
	if err != nil {
		return err
	}
	kept := all[:0]
	for i := range all {
		a := all[i]
		if a.Path == "" { // left out
			var unreadable *unreadableError
			errors.As(states[i], &unreadable)
			s.db.notes = append(s.db.notes, note{unreadable.code, entries[i].path, unreadable.err})
			continue
		}
		a.index = int32(len(kept))
		kept = append(kept, a)
		if states[i] != nil {
			s.detail(&a).metaErr = states[i]
		}
	}
	s.db.assets = kept
	return nil
}

// unreadableError says that an asset is left out since it, or its meta, cannot be read.
type unreadableError struct {
	code string
	err  error
}

func (e *unreadableError) Error() string { return e.code + ": " + e.err.Error() }

// readAsset looks at a file or folder and reads its meta. An *unreadableError comes with an asset without a path.
func (s *scanning) readAsset(e *entry, own *metaReader) (Asset, error) {
	a := Asset{Path: e.path, Folder: e.folder, Link: e.link, Kind: folderKind}
	info, err := s.stat(e)
	if err != nil {
		return Asset{}, &unreadableError{"file-unreadable", err}
	}
	a.ModTime = info.ModTime()
	if !e.folder {
		a.Kind = KindOf(e.path)
		a.Size = info.Size()
	}
	if e.meta == noMeta {
		a.MetaState, a.changes = MetaAbsent, isNew
		return a, nil
	}
	if e.meta == metaBackup {
		a.MetaState, a.changes = MetaRestored, isRestored
	}
	text, err := own.read(s.db.metaFile(&a))
	var limit *formats.LimitError
	if err != nil && !errors.As(err, &limit) {
		return Asset{}, &unreadableError{"meta-unreadable", err}
	}
	if err == nil {
		a.Meta, err = parseMeta(text, own.keep)
	}
	if err != nil {
		a.MetaState = MetaInvalid
		a.changes |= isReplaced
	}
	return a, err
}

// stat gives what the system knows about a file or folder, and an error when a file cannot be read.
func (s *scanning) stat(e *entry) (fs.FileInfo, error) {
	path := s.db.file(e.path)
	stat := os.Lstat
	if e.link {
		stat = os.Stat
	}
	info, err := stat(path)
	if err != nil || e.folder || info.Mode().Perm()&0o004 != 0 {
		return info, err
	}
	// A file that not everybody may read: whether we may is only known by trying.
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return info, f.Close()
}

// read gives the text of a meta, valid until the next one is read.
func (m *metaReader) read(path string) ([]byte, error) {
	for {
		n, whole, err := fill(path, m.buf)
		switch {
		case err != nil:
			return nil, err
		case n > maxMeta:
			m.buf = make([]byte, metaBuffer)
			return nil, &formats.LimitError{What: "the size of a .meta file", Value: int64(n), Max: maxMeta, Unit: "bytes"}
		case whole:
			return m.buf[:n], nil
		}
		m.buf = make([]byte, 8*len(m.buf))
	}
}

// decide settles what the metas have to say, in memory, in ordinal path order.
func (s *scanning) decide() error {
	all := s.db.assets
	owners := make(map[guid.Guid]int32, len(all))
	var duplicates []*Asset
	for i := range all {
		a := &all[i]
		if a.changes&(isNew|isReplaced) != 0 {
			continue
		}
		original := a.Meta
		if a.Meta.Folder != a.Folder {
			a.changes |= folderCorrected
			if a.Meta.Folder = a.Folder; a.Folder {
				a.Meta.Importer = ""
			}
		}
		if owner, taken := owners[a.Meta.Guid]; taken {
			a.changes |= guidReplaced
			s.detail(a).duplicate = owner
			duplicates = append(duplicates, a)
		} else {
			owners[a.Meta.Guid] = int32(i)
		}
		if im := importerOf(a.Path); im != nil && !a.Folder {
			switch {
			case a.Meta.Importer == "":
				a.changes |= importerAdded
				a.Meta.Importer, a.Meta.ImporterVersion = im.id, im.version
			case a.Meta.Importer == im.id && a.Meta.ImporterVersion < im.version:
				a.changes |= importerRaised
				a.Meta.ImporterVersion = im.version
			}
		}
		if a.changes != 0 {
			s.detail(a).original = original
		}
	}
	derive := func(a *Asset) {
		a.Meta.Guid = guid.FromPath(a.Path)
		for n := 2; ; n++ {
			if _, taken := owners[a.Meta.Guid]; !taken {
				break
			}
			a.Meta.Guid = guid.FromPath(fmt.Sprintf("%s#%d", a.Path, n))
		}
		owners[a.Meta.Guid] = a.index
	}
	for _, a := range duplicates {
		derive(a)
	}
	for i := range all {
		a := &all[i]
		if a.changes&(isNew|isReplaced) == 0 {
			continue
		}
		a.Meta = Meta{Version: metaVersion, Folder: a.Folder}
		if im := importerOf(a.Path); im != nil && !a.Folder {
			a.Meta.Importer, a.Meta.ImporterVersion = im.id, im.version
		}
		derive(a)
	}
	s.db.byGuid = owners
	s.db.byPath = make(map[string]int32, len(all))
	for i := range all {
		s.db.byPath[s.db.key(all[i].Path)] = int32(i)
	}
	return s.ctx.Err()
}

// resolver is what a worker finds and resolves references with.
type resolver struct {
	searcher
	seen []int32 // for each asset, the last one (plus 1) that refers to it
}

// findReferences searches the documents and resolves what they refer to.
func (s *scanning) findReferences() error {
	all := s.db.assets
	var documents []int32
	for i := range all {
		if !all[i].Folder && extractorOf(all[i].Path) != nil {
			documents = append(documents, int32(i))
		}
	}
	s.db.targets = make([][]int32, len(all))
	begin := func() *resolver { return &resolver{seen: make([]int32, len(all))} }
	return each(s, len(documents), 4, begin, func(own *resolver, i int) {
		a := &all[documents[i]]
		s.path.Store(&a.Path)
		s.findIn(a, own)
	})
}

// findIn searches one document.
func (s *scanning) findIn(a *Asset, own *resolver) {
	f, err := os.Open(s.db.file(a.Path))
	if err != nil {
		s.broken(a, nil, err)
		return
	}
	defer f.Close()
	references, err := extractorOf(a.Path)(&own.searcher, a.Path, f, a.Size)
	if err != nil {
		s.broken(a, f, err)
	}
	targets := make([]int32, 0, len(references))
	var missing []found
	for _, r := range references {
		target := s.db.resolve(r.Reference)
		switch {
		case target < 0:
			missing = append(missing, r)
		case target != a.index && own.seen[target] != a.index+1:
			own.seen[target] = a.index + 1
			targets = append(targets, target)
		}
	}
	if len(targets) > 0 {
		s.db.targets[a.index] = slices.Clip(targets)
	}
	if len(missing) > 0 {
		s.missing(a, f, missing)
	}
}

// missing keeps the references of a document that lead nowhere, with their places.
func (s *scanning) missing(a *Asset, f *os.File, references []found) {
	all := make([]MissingReference, len(references))
	var order []int // by offset
	for i, r := range references {
		all[i].Reference = r.Reference
		if r.offset >= 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j int) int { return int(references[i].offset - references[j].offset) })
	offsets := make([]int64, len(order))
	for k, i := range order {
		offsets[k] = references[i].offset
	}
	if found, err := placesIn(f, offsets); err == nil {
		for k, i := range order {
			all[i].Line, all[i].Column = found[k].line, found[k].column
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.detail(a).missing = all
}

// broken keeps why the search in a document broke off.
func (s *scanning) broken(a *Asset, f *os.File, err error) {
	var at place
	// The offset of a fault that is wrapped is one inside an archive.
	if fault, ok := err.(*formats.Fault); ok && fault.Offset >= 0 {
		if found, err := placesIn(f, []int64{fault.Offset}); err == nil {
			at = found[0]
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.detail(a)
	d.fileErr, d.filePlace = err, at
}

// placesIn is places from the start of a file.
func placesIn(f *os.File, offsets []int64) ([]place, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return places(f, offsets)
}

// file gives an asset path on this computer.
func (d *Database) file(path string) string { return filepath.Join(d.root, filepath.FromSlash(path)) }

// metaFile gives the file that holds an asset's meta, or would: the backup for a meta that is only there.
func (d *Database) metaFile(a *Asset) string {
	if a.changes&isRestored != 0 {
		return backupOf(d.file(a.Path + ".meta"))
	}
	return d.file(a.Path + ".meta")
}
