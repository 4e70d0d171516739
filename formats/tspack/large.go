package tspack

import (
	"context"
	"crypto/sha256"
	"hash"
)

// writeLarge writes a file without holding it in memory. When it is seen only afterwards that a form of the cache is
// damaged, or that compressing the file is not worthwhile, the file is read once more and takes the place of what was
// written.
func (p *packer) writeLarge(ctx context.Context, i int, file *packed) error {
	if !p.compressed(i) {
		return p.storeLarge(ctx, i, file)
	}
	if file.form != nil {
		file.origin = Cached
		if file.form.Length == 0 {
			return p.storeLarge(ctx, i, file)
		}
		err := p.recallLarge(ctx, file)
		if err == nil || file.fault == nil {
			return err
		}
		if err := p.out.seek(p.entries[i].Offset); err != nil {
			return err
		}
	}
	file.origin = Encoded
	done, err := p.compressLarge(ctx, i, file)
	if done || err != nil {
		return err
	}
	if err := p.out.seek(p.entries[i].Offset); err != nil {
		return err
	}
	return p.storeLarge(ctx, i, file)
}

// recallLarge copies the form of a file from the cache into the pack. An error is also the file's fault unless it is one
// of the pack or of ctx.
func (p *packer) recallLarge(ctx context.Context, file *packed) error {
	if err := file.form.check(); err != nil {
		file.fault = err
		return err
	}
	checksum := NewChecksum()
	err := drain(ctx, *file.form, make([]byte, 1<<18), func(part []byte) error {
		checksum.Write(part)
		_, err := p.out.Write(part)
		return err
	})
	switch {
	case err == nil:
		file.compression, file.checksum = Brotli, checksum.Sum32()
	case ctx.Err() == nil && p.out.err == nil:
		file.fault = err
	}
	return err
}

// sink is where the compressed form of a large file goes.
type sink struct {
	out      *output
	checksum hash.Hash32
	form     FormWriter   // of the cache, or nil
	sum      hash.Hash    // of what is in form
	check    *streamCheck // nil when nothing is to be checked
}

func (s *sink) Write(b []byte) (int, error) {
	if n, err := s.out.Write(b); err != nil {
		return n, err
	}
	s.checksum.Write(b)
	if s.form != nil {
		s.sum.Write(b)
		_, _ = s.form.Write(b)
	}
	if s.check != nil {
		return s.check.Write(b)
	}
	return len(b), nil
}

// compressLarge writes the compressed form of a file, if that is worthwhile.
func (p *packer) compressLarge(ctx context.Context, i int, file *packed) (done bool, err error) {
	e := p.entries[i]
	s := &sink{out: p.out, checksum: NewChecksum()}
	if p.options.Cache != nil {
		s.form, s.sum = p.options.Cache.Create(), sha256.New()
	}
	if p.options.Check {
		s.check = newStreamCheck()
	}
	content := sha256.New()
	file.length, err = p.encode(ctx, i, s, content)
	done = err == nil && worthwhile(p.out.position-e.Offset, file.length)
	content.Sum(file.content[:0])
	if s.check != nil {
		if done {
			if err = s.check.finish(file.content, file.length); err != nil {
				done, err = false, sourceError(e.Path, err)
			}
		} else {
			s.check.abandon()
		}
	}
	if s.form != nil {
		if done {
			s.form.Keep(file.content, file.length, Sum(s.sum.Sum(nil)))
		} else {
			s.form.Discard()
		}
	}
	if done {
		file.compression, file.checksum = Brotli, s.checksum.Sum32()
	}
	return done, err
}

// encode writes a file to s as one Brotli stream made of pieces, its content to the hash, and gives its length. It stops
// early, with a stream that is cut off and not worthwhile, when there are too many compressed bytes already for a file of
// the source's size.
func (p *packer) encode(ctx context.Context, i int, s *sink, h hash.Hash) (length int64, err error) {
	e, source := p.entries[i], p.sources[i]
	content, err := source.Open()
	if err != nil {
		return 0, sourceError(e.Path, err)
	}
	defer content.Close()
	join := &joiner{w: s}
	var waiting []*piece // with the workers, in order
	next := func() (*piece, error) {
		c := waiting[0]
		waiting = waiting[1:]
		select {
		case err := <-c.done:
			p.free = append(p.free, c)
			return c, err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	for end := false; !end || len(waiting) > 0; {
		if end || len(waiting) == p.limits.lanes {
			c, err := next()
			if err == nil {
				err = join.add(c.stream)
			}
			if err != nil {
				return 0, err
			}
			if source.Size >= 0 && !worthwhile(p.out.position-e.Offset, max(source.Size, length)) {
				for len(waiting) > 0 {
					if _, err := next(); err != nil {
						return 0, err
					}
				}
				return length, nil
			}
			continue
		}
		c := p.newPiece()
		if c.length, end, err = fill(ctx, content, c.source); err != nil {
			return 0, sourceError(e.Path, err)
		}
		if c.length == 0 {
			p.free = append(p.free, c)
			continue
		}
		length += int64(c.length)
		waiting = append(waiting, c)
		select {
		case p.pieces <- c:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
		h.Write(c.source[:c.length]) // while the piece is compressed; both only read it
	}
	if length == 0 {
		return 0, nil
	}
	return length, join.close()
}

// storeLarge copies a file into the pack. If the encoder has worked on it in vain the cache is told.
func (p *packer) storeLarge(ctx context.Context, i int, file *packed) error {
	e := p.entries[i]
	content, err := p.sources[i].Open()
	if err != nil {
		return sourceError(e.Path, err)
	}
	defer content.Close()
	var cache Cache
	if file.origin == Encoded {
		cache, file.content = p.options.Cache, Sum{}
	}
	h, checksum := sha256.New(), NewChecksum()
	buffer := make([]byte, 1<<18)
	file.length, file.compression = 0, Stored
	for end := false; !end; {
		var n int
		if n, end, err = fill(ctx, content, buffer); err != nil {
			return sourceError(e.Path, err)
		}
		if _, err := p.out.Write(buffer[:n]); err != nil {
			return err
		}
		checksum.Write(buffer[:n])
		if cache != nil {
			h.Write(buffer[:n])
		}
		file.length += int64(n)
	}
	file.checksum = checksum.Sum32()
	if cache != nil && file.length > 0 {
		h.Sum(file.content[:0])
		cache.Add(file.content, file.length, nil, Sum{})
	}
	return nil
}
