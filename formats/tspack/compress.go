package tspack

import (
	"bytes"
	"context"
	"io"
	"math/bits"

	"github.com/andybalholm/brotli"
	"github.com/andybalholm/brotli/matchfinder"
)

// Brotli as the writer uses it. The ZM match finder with blocks of 32 KB makes packs at most a few per cent larger than
// the reference encoder at quality 4, which the engine uses, in a third of its time. Only files of a few KB come out
// larger than that, for lack of Brotli's dictionary, and for them clearing ZM's tables is what takes the time: they go
// through the reference encoder.
const (
	smallFile   = 16 << 10 // bytes; up to here the reference encoder is used
	smallWindow = 16       // bits; covers smallFile
	quality     = 4
	maxWindow   = 22                // bits
	maxDistance = 1<<maxWindow - 16 // the format keeps 16 bytes of the window back
	blockSize   = 1 << 15           // bytes that share their Huffman codes
	keepRatio   = 0.97              // compressed data that is a larger part of the original is not worth it

	headerBits  = 4 // of a stream whose window is 18 bits or more
	endBits     = 2 // of the empty last block, both set
	endOfStream = uint32(1)<<endBits - 1
)

// Precompressed reports whether files with this extension ("." included, in lower case) hold compressed data already
// and are stored as they are.
func Precompressed(ext string) bool {
	switch ext {
	case ".png", ".jpg", ".jpeg", ".webp", ".gif", ".ogg", ".mp3", ".flac", ".zip", ".gz", ".br", ".woff2":
		return true
	}
	return false
}

// worthwhile reports whether an entry of length bytes is kept in its compressed form. An empty one is not.
func worthwhile(compressed, length int64) bool {
	return length > 0 && float64(compressed) <= float64(length)*keepRatio
}

// compressor makes Brotli streams. It has more than 1 MB of tables, so it is kept and used again. Its streams depend on
// their input alone.
type compressor struct {
	small   *brotli.Writer
	finder  matchfinder.ZM
	encoder brotli.Encoder
	matches []matchfinder.Match
}

// file appends the content of a file, which is not empty, to dst as a Brotli stream.
func (c *compressor) file(ctx context.Context, dst, src []byte) ([]byte, error) {
	if len(src) > smallFile {
		return c.piece(ctx, dst, src)
	}
	if c.small == nil {
		c.small = brotli.NewWriterOptions(nil, brotli.WriterOptions{Quality: quality, LGWin: smallWindow})
	}
	out := bytes.NewBuffer(dst)
	c.small.Reset(out)
	_, err := c.small.Write(src)
	if err == nil {
		err = c.small.Close()
	}
	return out.Bytes(), err
}

// piece appends src, which is not empty, to dst as a Brotli stream that a joiner can join.
func (c *compressor) piece(ctx context.Context, dst, src []byte) ([]byte, error) {
	c.finder.MaxDistance = maxDistance
	c.finder.Reset()
	c.encoder.Reset()
	start, window := len(dst), windowBits(len(src))
	for len(src) > 0 {
		if err := ctx.Err(); err != nil {
			return dst, err
		}
		block := src[:min(len(src), blockSize)]
		src = src[len(block):]
		c.matches = c.finder.FindMatches(c.matches[:0], block)
		dst = c.encoder.Encode(dst, block, c.matches, len(src) == 0)
	}
	// The encoder announces a window of 16 MB, for which a player may take the memory. Announce what is used.
	dst[start] = dst[start]&^(1<<headerBits-1) | byte((window-17)<<1|1)
	return dst, nil
}

// windowBits gives the smallest window that covers length bytes, out of those whose header has 4 bits.
func windowBits(length int) int {
	return min(max(bits.Len(uint(length+15)), 18), maxWindow)
}

// joiner makes one Brotli stream of many, so that the pieces of a large file can be compressed on all cores. It drops
// the header of all but the first stream and the end of all but the last; no stream looks back past its own beginning,
// neither for data nor for distances, so what is left can stand anywhere. The first stream has to have the largest
// window.
type joiner struct {
	w       io.Writer
	started bool
	bits    uint32 // the last bits of the stream, up to 7, that do not make a byte yet
	count   int
}

// add writes a stream that compressor.piece has made. The memory of the stream is overwritten.
func (j *joiner) add(stream []byte) error {
	last := len(stream) - 1
	end := 8*last + bits.Len8(stream[last]) - endBits // the bits of the end are ones, and only zeros follow
	skip := headerBits
	if !j.started {
		j.started, skip = true, 0
	}
	out := stream[:0]
	for i := range (end + 7) / 8 {
		b, n := uint32(stream[i]), 8
		if i == 0 {
			b, n = b>>skip, n-skip
		} else if rest := end - 8*i; rest < 8 {
			b, n = b&(1<<rest-1), rest
		}
		j.bits |= b << j.count
		if j.count += n; j.count >= 8 {
			out = append(out, byte(j.bits))
			j.bits >>= 8
			j.count -= 8
		}
	}
	_, err := j.w.Write(out)
	return err
}

// close ends the stream.
func (j *joiner) close() error {
	j.bits |= endOfStream << j.count
	end := []byte{byte(j.bits), byte(j.bits >> 8)}
	_, err := j.w.Write(end[:(j.count+endBits+7)/8])
	return err
}
