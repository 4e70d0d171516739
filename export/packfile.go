package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"talebinder/formats/assetpath"
	"talebinder/formats/guid"
	"talebinder/formats/tspack"
	"talebinder/project/atomicfile"
)

// A PackFile is an open content pack on disk.
type PackFile struct {
	*tspack.Reader
	Path string
	file *os.File
}

// OpenPack opens the content pack at path. Errors name the file.
func OpenPack(path string) (*PackFile, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: is no file, expected a content pack", path)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	reader, err := tspack.NewReader(file, info.Size())
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &PackFile{Reader: reader, Path: path, file: file}, nil
}

// Close closes the file.
func (p *PackFile) Close() error { return p.file.Close() }

// PackTotals says what was taken out of a pack or put into one.
type PackTotals struct {
	Files int
	Bytes int64 // once decompressed
}

// ExtractPack writes entries of a pack below folder, which is created when it is not there: all of them, or those that
// paths name, each a file or a folder of the pack. Where the pack holds a path twice, ignoring case, it takes the one that
// the game would see. Files appear complete or not at all, and nothing is written outside folder, not through symbolic
// links either. progress, which may be nil, is called from several goroutines.
func ExtractPack(ctx context.Context, pack *PackFile, folder string, paths []string, progress func(done, total int, path string)) (PackTotals, error) {
	chosen, err := chooseEntries(pack, paths)
	if err != nil {
		return PackTotals{}, err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return PackTotals{}, err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return PackTotals{}, err
	}
	defer root.Close()

	var done, bytes atomic.Int64
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, entry := range chosen {
		if inner.Err() != nil {
			break
		}
		group.Go(func() error {
			n, err := extractEntry(inner, pack, root, entry)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", pack.Path, entry.Path, err)
			}
			bytes.Add(n)
			if count := done.Add(1); progress != nil {
				progress(int(count), len(chosen), entry.Path)
			}
			return nil
		})
	}
	err = group.Wait()
	if err == nil && done.Load() < int64(len(chosen)) {
		err = context.Cause(ctx)
	}
	return PackTotals{Files: int(done.Load()), Bytes: bytes.Load()}, err
}

// chooseEntries gives the entries that the game would see, in the order of the pack, restricted to paths.
func chooseEntries(pack *PackFile, paths []string) ([]tspack.Entry, error) {
	wanted := make([]string, 0, len(paths))
	for _, p := range paths {
		clean, err := assetpath.Normalize(p)
		if err != nil {
			return nil, err
		}
		wanted = append(wanted, assetpath.Fold(clean))
	}
	last := map[string]int{}
	entries := pack.Entries()
	for i, entry := range entries {
		last[assetpath.Fold(entry.Path)] = i
	}
	found := make([]bool, len(wanted))
	var chosen []tspack.Entry
	for i, entry := range entries {
		key := assetpath.Fold(entry.Path)
		if last[key] != i {
			continue
		}
		take := len(wanted) == 0
		for w, want := range wanted {
			if assetpath.Within(key, want) {
				found[w], take = true, true
			}
		}
		if take {
			chosen = append(chosen, entry)
		}
	}
	if missing := slices.Index(found, false); missing >= 0 {
		return nil, fmt.Errorf("%s: holds no file or folder %q", pack.Path, paths[missing])
	}
	return chosen, nil
}

func extractEntry(ctx context.Context, pack *PackFile, root *os.Root, entry tspack.Entry) (int64, error) {
	// The pack's paths are normalized. What the system cannot hold as a name below one folder is refused here.
	if !filepath.IsLocal(filepath.FromSlash(entry.Path)) || strings.ContainsRune(entry.Path, 0) {
		return 0, errors.New("cannot be a file name on this system")
	}
	name := filepath.FromSlash(entry.Path)
	if dir := filepath.Dir(name); dir != "." {
		if err := root.MkdirAll(dir, 0o777); err != nil {
			return 0, err
		}
	}
	source, err := pack.Open(entry)
	if err != nil {
		return 0, err
	}
	defer source.Close()
	temporary := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+"."+guid.New().String()+".tmp")
	file, err := root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(file, &contextReader{ctx, source})
	err = errors.Join(err, file.Close())
	if err == nil {
		err = root.Rename(temporary, name)
	}
	if err != nil {
		return 0, errors.Join(err, root.Remove(temporary))
	}
	return n, nil
}

// contextReader ends a copy when its context does.
type contextReader struct {
	ctx    context.Context
	source io.Reader
}

func (r *contextReader) Read(p []byte) (int, error) {
	if err := context.Cause(r.ctx); err != nil {
		return 0, err
	}
	return r.source.Read(p)
}

// CreatePack packs every file below folder into a content pack at target, which is replaced only when the new pack is
// complete. Hidden files and folders, and the pack itself, stay out; a symbolic link is an error, since a pack cannot say
// what it points to. An index of assets comes first, then everything in ordinal path order. progress, which may be nil, is
// called from one goroutine at a time.
func CreatePack(ctx context.Context, folder, target string, compress bool, progress func(done, total int, path string)) (PackTotals, error) {
	sources, totals, err := packSources(ctx, folder, target)
	if err != nil {
		return PackTotals{}, err
	}
	file, err := atomicfile.Create(target)
	if err != nil {
		return PackTotals{}, err
	}
	defer file.Abort()
	_, err = tspack.Write(ctx, file, sources, tspack.WriterOptions{
		Compress: compress,
		Progress: func(done int, path string) {
			if progress != nil {
				progress(done, len(sources), path)
			}
		},
	})
	if err != nil {
		return PackTotals{}, fmt.Errorf("%s: %w", target, err)
	}
	return totals, file.Commit()
}

func packSources(ctx context.Context, folder, target string) ([]tspack.Source, PackTotals, error) {
	var sources []tspack.Source
	var totals PackTotals
	own, _ := os.Stat(target)
	err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err == nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		if name != folder && strings.HasPrefix(entry.Name(), ".") {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if entry.IsDir() {
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s: is a link or a device, a pack holds only files; replace it by what it stands for", name)
		}
		if own != nil && os.SameFile(own, info) {
			return nil
		}
		relative, err := filepath.Rel(folder, name)
		if err != nil {
			return err
		}
		sources = append(sources, tspack.Source{
			Path: path.Clean(filepath.ToSlash(relative)),
			Size: info.Size(),
			Open: func() (io.ReadCloser, error) { return os.Open(name) },
		})
		totals.Files++
		totals.Bytes += info.Size()
		return nil
	})
	if err != nil {
		return nil, PackTotals{}, err
	}
	slices.SortFunc(sources, func(a, b tspack.Source) int {
		if first := (a.Path == indexPath); first != (b.Path == indexPath) {
			if first {
				return -1
			}
			return 1
		}
		return assetpath.Compare(a.Path, b.Path)
	})
	return sources, totals, nil
}
