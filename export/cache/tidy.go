package cache

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"talebinder/export/internal/filelock"
	"talebinder/formats/tspack"
)

// tidy keeps the cache small: in bytes, in forms and in segments. The sound forms of damaged segments are kept. It does nothing
// while another process does it.
func (c *Cache) tidy(damaged []string) error {
	lock, err := filelock.Acquire(filepath.Join(c.Dir, lockName))
	if errors.Is(err, filelock.ErrLocked) || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer lock.Release()
	files, err := c.list()
	if err != nil {
		return err
	}
	var complete []file
	for _, f := range files {
		switch {
		case !f.temporary:
			complete = append(complete, f)
		case time.Since(f.used) > abandoned:
			_ = os.Remove(f.path)
		}
	}
	errs := []error{c.evict(&complete)}
	repair := func(f file) bool { return slices.Contains(damaged, f.path) }
	errs = append(errs, c.merge(&complete, repair))
	for i, most := range c.sizes.tiers {
		least := int64(0)
		if i > 0 {
			least = c.sizes.tiers[i-1]
		}
		inTier := func(f file) bool { return !f.foreign && !f.ledger && f.size >= least && f.size < most }
		count := 0
		for _, f := range complete {
			if inTier(f) {
				count++
			}
		}
		if count >= c.sizes.perTier {
			errs = append(errs, c.merge(&complete, inTier))
		}
	}
	return errors.Join(errs...)
}

// evict removes the files that have not been of use for longest until the cache is well within its limits, so that not
// every export has to. The files are sorted by time.
func (c *Cache) evict(files *[]file) error {
	var size int64
	forms := 0
	for _, f := range *files {
		size += f.size
		forms += f.forms
	}
	if size <= c.Limit && forms <= c.sizes.forms {
		return nil
	}
	var errs []error
	for len(*files) > 0 && (size > c.Limit-c.Limit/10 || forms > c.sizes.forms-c.sizes.forms/10) {
		f := (*files)[0]
		if err := os.Remove(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
		size -= f.size
		forms -= f.forms
		*files = (*files)[1:]
	}
	return errors.Join(errs...)
}

// merge puts the chosen segments together into one, which takes their place among the files, in time too. Each content is
// kept once, and forms that are damaged not at all.
func (c *Cache) merge(files *[]file, choose func(file) bool) error {
	var chosen, rest []file
	for _, f := range *files {
		if choose(f) {
			chosen = append(chosen, f)
		} else {
			rest = append(rest, f)
		}
	}
	if len(chosen) == 0 {
		return nil
	}
	w := newWriter(c.Dir)
	kept := make(map[tspack.Sum]bool)
	for _, f := range slices.Backward(chosen) {
		copyForms(w, f, kept)
	}
	path, err := w.finish()
	if err != nil {
		return err
	}
	var errs []error
	for _, f := range chosen {
		if err := os.Remove(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	*files = rest
	if info, err := os.Stat(path); path != "" && err == nil {
		last := chosen[len(chosen)-1].used
		_ = os.Chtimes(path, time.Time{}, last)
		*files = append(rest, file{path: path, size: info.Size(), used: last})
	}
	return errors.Join(errs...)
}

// copyForms copies the sound forms of a segment that are not kept yet.
func copyForms(w *writer, f file, kept map[tspack.Sum]bool) {
	in, err := os.Open(f.path)
	if err != nil {
		return
	}
	defer in.Close()
	rows, err := readTable(in, f.size)
	if err != nil {
		return
	}
	for _, r := range rows {
		if kept[r.content] {
			continue
		}
		start := w.position
		h := sha256.New()
		_, err := io.Copy(io.MultiWriter(w, h), io.NewSectionReader(in, r.offset, r.length))
		if err != nil || r.length > 0 && !bytes.Equal(h.Sum(nil), r.sum[:]) || w.position-start != r.length {
			w.rewind(start)
			continue
		}
		kept[r.content] = true
		w.keep(r.content, r.contentLength, start, r.sum)
	}
}
