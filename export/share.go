package export

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"os"
	"runtime"
	"sync"
	"time"

	"talebinder/formats/tspack"
)

// sharedPacks let builds that run at the same time pack once what they have in common: a project has the same pack for every
// target. The first build that needs a pack makes it, and the others copy it. Each of them verifies its own.
type sharedPacks struct {
	mu     sync.Mutex
	active int // builds that run
	packs  map[packKey]*sharedPack
}

// packKey stands for everything that a pack depends on.
type packKey [sha256.Size]byte

// A sharedPack is a pack that a build has made, or is making.
type sharedPack struct {
	key     packKey
	target  string        // of the build that makes it
	ready   chan struct{} // closed when it has come to its end
	file    *os.File      // the pack, to be read; nil when it could not be made
	entries []tspack.Entry
	sums    []uint32

	documents *sync.Map // what verifying has found in an entry: its number to []problem.Problem
}

func newSharedPacks() *sharedPacks {
	if runtime.GOOS == "windows" {
		return nil // where the folder of a file that is open cannot be renamed
	}
	return &sharedPacks{packs: make(map[packKey]*sharedPack)}
}

// enter says that a build runs which may share packs.
func (s *sharedPacks) enter() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active++
}

// leave says that a build has ended. With the last one the packs are let go.
func (s *sharedPacks) leave() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active--; s.active > 0 {
		return
	}
	for key, pack := range s.packs {
		delete(s.packs, key)
		if pack.file != nil {
			_ = pack.file.Close()
		}
	}
}

// claim gives the pack of a key, and whether the caller is the one to make it, who then has to call made.
func (s *sharedPacks) claim(key packKey, target string) (pack *sharedPack, first bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if pack, ok := s.packs[key]; ok {
		return pack, false
	}
	pack = &sharedPack{key: key, target: target, ready: make(chan struct{}), documents: new(sync.Map)}
	s.packs[key] = pack
	return pack, true
}

// made ends the making of a pack. Without a file the next one who claims the pack makes it.
func (s *sharedPacks) made(pack *sharedPack, file *os.File, entries []tspack.Entry, sums []uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	pack.file, pack.entries, pack.sums = file, entries, sums
	if file == nil {
		delete(s.packs, pack.key)
	}
	close(pack.ready)
}

// packKey is that of the build's own pack.
func (r *run) packKey(index []byte) packKey {
	h := sha256.New()
	var b []byte
	text := func(s string) {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	text(r.project.AssetRoot())
	text(string(index))
	if r.settings.Compress {
		text("compress")
	}
	for _, item := range r.content.Items {
		text(item.Path)
		b = binary.AppendVarint(b, item.Size)
		b = binary.AppendVarint(b, item.Asset.ModTime.UnixNano())
		if len(b) >= 1<<16 {
			h.Write(b)
			b = b[:0]
		}
	}
	h.Write(b)
	return packKey(h.Sum(nil))
}

// sharePack makes the pack, or copies it from another build that makes the same one.
func (r *run) sharePack(ctx context.Context, index []byte, newest time.Time) error {
	share := r.options.shared
	if share == nil {
		return r.makePack(ctx, index, newest)
	}
	key := r.packKey(index)
	for {
		pack, first := share.claim(key, r.target.ID)
		if first {
			return r.makeSharedPack(ctx, pack, index, newest)
		}
		r.progress(0, "Waiting for the pack that the export for "+pack.target+" makes")
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-pack.ready:
		}
		if pack.file != nil {
			return r.copyPack(ctx, pack, newest)
		}
	}
}

// makeSharedPack makes the pack for this build and others.
func (r *run) makeSharedPack(ctx context.Context, pack *sharedPack, index []byte, newest time.Time) error {
	var file *os.File
	defer func() { // however this ends, others wait for it
		if file != nil {
			r.options.shared.made(pack, file, r.packed, r.packing.sums)
		} else {
			r.options.shared.made(pack, nil, nil, nil)
		}
	}()
	err := r.makePack(ctx, index, newest)
	if err == nil {
		r.documents = pack.documents
		file, err = os.Open(r.staged(r.places.layout.GameDir + "/" + packPath))
	}
	return err
}

// copyPack copies the pack of another build.
func (r *run) copyPack(ctx context.Context, pack *sharedPack, newest time.Time) error {
	info, err := pack.file.Stat()
	if err != nil {
		return err
	}
	out, err := createFile(r.staged(r.places.layout.GameDir+"/"+packPath), 0o666)
	if err != nil {
		return explain(err)
	}
	var done int64
	err = copyBytes(ctx, &earlyFile{File: out.File}, io.NewSectionReader(pack.file, 0, info.Size()), func(n int64) {
		done += n
		r.progress(float64(done)/float64(info.Size()), packPath)
	})
	if err := out.finish(newest, err); err != nil {
		return err
	}
	r.packed, r.packing, r.documents = pack.entries, &packing{sums: pack.sums}, pack.documents
	r.info("The pack is the one that was made for %s", pack.target)
	return nil
}
