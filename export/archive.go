package export

import (
	"archive/tar"
	"bufio"
	"context"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zip"

	"talebinder/formats/assetpath"
)

// writeArchive writes the distribution archive of the staged build beside its place.
func (r *run) writeArchive(ctx context.Context) error {
	if err := os.RemoveAll(r.places.archivePart); err != nil {
		return err
	}
	a, err := listArchive(r.places.staging, filepath.Base(r.places.build), r.executableFiles())
	if err != nil {
		return err
	}
	a.progress = func(fraction float64, detail string) { r.progress(verifyShare+(1-verifyShare)*fraction, detail) }
	out, err := createFile(r.places.archivePart, 0o666)
	if err != nil {
		return explain(err)
	}
	buffered := bufio.NewWriterSize(out.File, 1<<20)
	if r.target.ArchiveExt == ".zip" {
		err = a.writeZip(ctx, buffered)
	} else {
		err = a.writeTarGz(ctx, buffered)
	}
	if err == nil {
		err = buffered.Flush()
	}
	if err == nil {
		err = out.Sync()
	}
	return out.finish(time.Time{}, err)
}

// An archive is what goes into the archive of a build: its files, in ordinal order of their paths. Nothing about the computer
// gets in, neither owners nor the time of the archive, so that the same files give the same bytes.
type archive struct {
	folder     string
	top        string   // the name that all paths begin with
	executable []string // names of files that may be executed
	entries    []archiveEntry
	progress   func(fraction float64, detail string)
	done       int64 // bytes
	total      int64
}

type archiveEntry struct {
	path string // below the folder, with forward slashes
	info fs.FileInfo
}

// listArchive lists the regular files below a folder.
func listArchive(folder, top string, executable []string) (*archive, error) {
	a := &archive{folder: folder, top: top, executable: executable, progress: func(float64, string) {}}
	err := filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(folder, file)
		if err != nil {
			return err
		}
		a.total += info.Size()
		a.entries = append(a.entries, archiveEntry{filepath.ToSlash(rel), info})
		return nil
	})
	slices.SortFunc(a.entries, func(x, y archiveEntry) int { return assetpath.Compare(x.path, y.path) })
	return a, err
}

// copyEntry writes a file's bytes.
func (a *archive) copyEntry(ctx context.Context, w io.Writer, e archiveEntry) error {
	file, err := os.Open(filepath.Join(a.folder, filepath.FromSlash(e.path)))
	if err != nil {
		return err
	}
	defer file.Close()
	return copyBytes(ctx, w, file, func(n int64) {
		a.done += n
		a.progress(float64(a.done)/float64(max(a.total, 1)), e.path)
	})
}

// writeTarGz writes the archive as a tar of the PAX format, compressed with gzip.
func (a *archive) writeTarGz(ctx context.Context, w io.Writer) error {
	zw := gzip.NewWriter(w)
	tw := tar.NewWriter(zw)
	for _, e := range a.entries {
		header := &tar.Header{
			Typeflag: tar.TypeReg,
			Name:     a.top + "/" + e.path,
			Size:     e.info.Size(),
			Mode:     0o644,
			ModTime:  e.info.ModTime().Truncate(time.Second),
			Format:   tar.FormatPAX,
		}
		if slices.Contains(a.executable, path.Base(e.path)) {
			header.Mode = 0o755
		}
		if err := tw.WriteHeader(header); err != nil {
			return err
		}
		if err := a.copyEntry(ctx, tw, e); err != nil {
			return err
		}
	}
	if err := tw.Close(); err != nil {
		return err
	}
	return zw.Close()
}

// writeZip writes the archive as a zip file, every entry deflated. The times of a zip file have no time zone: they are those of
// this computer's, beside which the exact time stands too.
func (a *archive) writeZip(ctx context.Context, w io.Writer) error {
	zw := zip.NewWriter(w)
	for _, e := range a.entries {
		entry, err := zw.CreateHeader(&zip.FileHeader{
			Name:     a.top + "/" + e.path,
			Method:   zip.Deflate,
			Modified: zipTime(e.info.ModTime()),
		})
		if err != nil {
			return err
		}
		if err := a.copyEntry(ctx, entry, e); err != nil {
			return err
		}
	}
	return zw.Close()
}

// zipTime gives the time that is closest to t in the years that a zip file can hold, in whole seconds.
func zipTime(t time.Time) time.Time {
	const first, last = 1980, 2105 // the exact time is counted from 1970 in 32 bits
	t = t.Local().Truncate(time.Second)
	switch {
	case t.Year() < first:
		return time.Date(first, 1, 1, 0, 0, 0, 0, time.Local)
	case t.Year() > last:
		return time.Date(last, 12, 31, 23, 59, 58, 0, time.Local)
	}
	return t
}
