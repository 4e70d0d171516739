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

	"talebinder/formats/assetpath"
)

// writeArchive writes the distribution archive of the staged build beside its place.
func (r *run) writeArchive(ctx context.Context) error {
	if err := os.RemoveAll(r.places.archivePart); err != nil {
		return err
	}
	out, err := createFile(r.places.archivePart, 0o666)
	if err != nil {
		return explain(err)
	}
	buffered := bufio.NewWriterSize(out.File, 1<<20)
	err = writeTarGz(ctx, buffered, r.places.staging, filepath.Base(r.places.build), path.Base(r.places.layout.Executable), r.progress)
	if err == nil {
		err = buffered.Flush()
	}
	return out.finish(time.Time{}, err)
}

// writeTarGz archives the files of a folder below the name top, in ordinal order of their paths. Nothing about the computer
// gets in, neither owners nor the time of the archive, so that the same files give the same bytes. Files named executable may be
// executed.
func writeTarGz(ctx context.Context, w io.Writer, folder, top, executable string, progress func(fraction float64, detail string)) error {
	type entry struct {
		path string
		info fs.FileInfo
	}
	var entries []entry
	var done, total int64
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
		total += info.Size()
		entries = append(entries, entry{filepath.ToSlash(rel), info})
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(entries, func(a, b entry) int { return assetpath.Compare(a.path, b.path) })

	zw := gzip.NewWriter(w)
	tw := tar.NewWriter(zw)
	for _, e := range entries {
		header := &tar.Header{
			Typeflag: tar.TypeReg,
			Name:     top + "/" + e.path,
			Size:     e.info.Size(),
			Mode:     0o644,
			ModTime:  e.info.ModTime().Truncate(time.Second),
			Format:   tar.FormatPAX,
		}
		if path.Base(e.path) == executable {
			header.Mode = 0o755
		}
		if err := tw.WriteHeader(header); err != nil {
			return err
		}
		file, err := os.Open(filepath.Join(folder, filepath.FromSlash(e.path)))
		if err != nil {
			return err
		}
		err = copyBytes(ctx, tw, file, func(n int64) {
			done += n
			progress(float64(done)/float64(max(total, 1)), e.path)
		})
		_ = file.Close()
		if err != nil {
			return err
		}
	}
	if err := tw.Close(); err != nil {
		return err
	}
	return zw.Close()
}
