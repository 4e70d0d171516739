package tspack

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// shelf is a cache in memory.
type shelf struct {
	mu    sync.Mutex
	forms map[Sum]shelved
	added int
	asked int // large files that were looked at for their SHA-256
}

type shelved struct {
	length int64
	stream []byte
	sum    Sum
}

func newShelf() *shelf { return &shelf{forms: make(map[Sum]shelved)} }

func (s *shelf) Find(content Sum) (Form, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	form, ok := s.forms[content]
	stream := &verified{bytes.NewReader(form.stream), sha256.Sum256(form.stream) == form.sum}
	return Form{ContentLength: form.length, Length: int64(len(form.stream)), Stream: stream}, ok
}

// verified is a reader that tells damage at the end.
type verified struct {
	*bytes.Reader
	sound bool
}

var errPoisoned = errors.New("poisoned")

func (v *verified) Read(p []byte) (int, error) {
	n, err := v.Reader.Read(p)
	if err == io.EOF && !v.sound {
		err = errPoisoned
	}
	return n, err
}

func (s *shelf) Expects(length int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	for _, form := range s.forms {
		if form.length == length {
			return true
		}
	}
	return false
}

func (s *shelf) Add(content Sum, length int64, stream []byte, sum Sum) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.added++
	s.forms[content] = shelved{length, bytes.Clone(stream), sum}
}

func (s *shelf) Create() FormWriter { return &shelfWriter{shelf: s} }

type shelfWriter struct {
	bytes.Buffer
	shelf *shelf
}

func (w *shelfWriter) Keep(content Sum, length int64, sum Sum) {
	w.shelf.Add(content, length, w.Bytes(), sum)
}
func (w *shelfWriter) Discard() {}

// smallPieces make large files of small ones.
var smallPieces = limits{piece: 20_000, inFlight: 100_000, batch: 30_000, lanes: 2}

// record packs with small pieces and gives the pack and what was recorded.
func record(t *testing.T, sources []Source, cache Cache, workers int) ([]byte, []Packing) {
	t.Helper()
	var m memory
	var all []Packing
	o := WriterOptions{Compress: true, Workers: workers, Check: true, Record: func(p Packing) { all = append(all, p) }}
	if cache != nil {
		o.Cache = cache
	}
	if _, err := write(t.Context(), &m, sources, o, smallPieces); err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		checksum := NewChecksum()
		checksum.Write(m.data[p.Offset : p.Offset+p.StoredLength])
		if got := checksum.Sum32(); got != p.Checksum {
			t.Errorf("%s: recorded the checksum %08x, stored are bytes with %08x", p.Path, p.Checksum, got)
		}
	}
	return m.data, all
}

func origins(all []Packing) (count [Cached + 1]int, faults int) {
	for _, p := range all {
		count[p.Origin]++
		if p.Fault != nil {
			faults++
		}
	}
	return count, faults
}

func TestPacksAreTheSameWithACache(t *testing.T) {
	sources, contents := sampleSources(120)
	for i := range 3 { // files of many pieces
		text := strings.Repeat(fmt.Sprint(longText, i), 3000)
		sources = append(sources, textSource(fmt.Sprintf("large%d.txt", i), text), textSource(fmt.Sprintf("large%d.raw", i), noise(60_000, uint64(i))))
		contents[fmt.Sprintf("large%d.txt", i)], contents[fmt.Sprintf("large%d.raw", i)] = []byte(text), []byte(noise(60_000, uint64(i)))
	}
	want, without := record(t, sources, nil, 1)
	check(t, want, contents)
	plain, _ := origins(without)
	for _, workers := range []int{1, 2, 7} {
		cache := newShelf()
		cold, packings := record(t, sources, cache, workers)
		if !bytes.Equal(cold, want) {
			t.Errorf("%d workers: a pack whose files go into the cache has other bytes", workers)
		}
		if got, faults := origins(packings); got[AsItIs] != plain[AsItIs] || got[Encoded]+got[Cached] != plain[Encoded] || faults != 0 {
			t.Errorf("%d workers: %v, without a cache %v; %d faults", workers, got, plain, faults)
		}
		warm, packings := record(t, sources, cache, workers)
		if !bytes.Equal(warm, want) {
			t.Errorf("%d workers: a pack from the cache has other bytes", workers)
		}
		if got, faults := origins(packings); got != [...]int{plain[AsItIs], 0, plain[Encoded]} || faults != 0 {
			t.Errorf("%d workers, from the cache: %v, %d faults", workers, got, faults)
		}
	}
}

func TestOneChangedFileIsCompressed(t *testing.T) {
	var sources []Source
	for i := range 50 {
		sources = append(sources, textSource(fmt.Sprintf("%d.txt", i), strings.Repeat(fmt.Sprint(i, longText), 10+i*8)))
	}
	cache := newShelf()
	record(t, sources, cache, 3)
	for _, changed := range []int{3, 49} { // a small and a large one
		sources[changed] = textSource(sources[changed].Path, strings.Repeat("changed "+longText, 10+changed*8))
		_, packings := record(t, sources, cache, 3)
		if got, _ := origins(packings); got != [...]int{0, 1, 49} || packings[changed].Origin != Encoded {
			t.Errorf("after changing %d: %v", changed, got)
		}
	}
}

func TestPoisonedFormsAreCompressedAnew(t *testing.T) {
	sources, _ := sampleSources(30)
	sources = append(sources, textSource("large.txt", strings.Repeat(longText, 3000)))
	for name, poison := range map[string]func(s *shelved){
		"a flipped bit":      func(s *shelved) { s.stream[len(s.stream)/2] ^= 4 },
		"cut off":            func(s *shelved) { s.stream = s.stream[:len(s.stream)-1] },
		"too long":           func(s *shelved) { s.stream = append(s.stream, make([]byte, s.length)...) },
		"another's SHA-256":  func(s *shelved) { s.sum[0]++ },
		"emptied, seems bad": func(s *shelved) { s.stream = []byte{0}; s.sum[31]++ },
	} {
		t.Run(name, func(t *testing.T) {
			cache := newShelf()
			want, _ := record(t, sources, cache, 2)
			poisoned := 0
			for content, form := range cache.forms {
				if len(form.stream) > 0 {
					poison(&form)
					cache.forms[content] = form
					poisoned++
				}
			}
			got, packings := record(t, sources, cache, 2)
			if !bytes.Equal(got, want) {
				t.Error("the pack has other bytes")
			}
			count, faults := origins(packings)
			if faults != poisoned || count[Encoded] != poisoned {
				t.Errorf("%d forms are poisoned, %d noticed, %d compressed", poisoned, faults, count[Encoded])
			}
			if _, packings = record(t, sources, cache, 2); packings[len(packings)-1].Origin != Cached {
				t.Error("the file was not kept again")
			}
		})
	}
}

func TestLargeFilesAreNotReadInVain(t *testing.T) {
	cache := newShelf()
	opened := 0
	source := textSource("large.txt", strings.Repeat(longText, 3000))
	inner := source.Open
	source.Open = func() (io.ReadCloser, error) { opened++; return inner() }
	for i, want := range []int{2, 2} { // to see that it is large, and to compress it or for its SHA-256
		opened = 0
		if record(t, []Source{source}, cache, 1); opened != want {
			t.Errorf("pack %d: opened %d times, want %d", i, opened, want)
		}
	}
}

// broken gives the errors of checking a stream that was made from a content, as one and as it is written.
func broken(stream, content []byte) (whole, written error) {
	var c checker
	for range 2 { // the checker is used again after an error
		whole = c.check(stream, content)
	}
	s := newStreamCheck()
	for rest := stream; len(rest) > 0; {
		n := min(len(rest), 1000)
		if _, err := s.Write(rest[:n]); err != nil {
			break
		}
		rest = rest[n:]
	}
	return whole, s.finish(sha256.Sum256(content), int64(len(content)))
}

func TestWhatTheEncoderMakesIsChecked(t *testing.T) {
	content := []byte(strings.Repeat(longText, 500) + noise(5000, 1))
	stream, err := new(compressor).file(t.Context(), nil, content)
	if err != nil {
		t.Fatal(err)
	}
	if whole, written := broken(stream, content); whole != nil || written != nil {
		t.Error(whole, written)
	}
	changed := func(b []byte, i int) []byte { b = bytes.Clone(b); b[i] ^= 1; return b }
	for name, c := range map[string]struct{ stream, content []byte }{
		"other content":    {stream, changed(content, 20_000)},
		"shorter content":  {stream, content[:len(content)-1]},
		"longer content":   {stream, append(bytes.Clone(content), 0)},
		"no content":       {stream, nil},
		"changed stream":   {changed(stream, len(stream)-3000), content},
		"cut off stream":   {stream[:len(stream)-1], content},
		"more than stream": {append(bytes.Clone(stream), 7), content},
		"no stream":        {nil, content},
	} {
		t.Run(name, func(t *testing.T) {
			if whole, written := broken(c.stream, c.content); !errors.Is(whole, errEncoding) || !errors.Is(written, errEncoding) {
				t.Errorf("as a whole: %v; while it is written: %v", whole, written)
			}
		})
	}
}

func TestAbandonedChecksEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	source := textSource("large.txt", strings.Repeat(longText, 10_000))
	inner := source.Open
	source.Open = func() (io.ReadCloser, error) {
		r, err := inner()
		return &cancelling{r, cancel, 100_000}, err
	}
	var m memory
	cache := newShelf()
	_, err := write(ctx, &m, []Source{source}, WriterOptions{Compress: true, Check: true, Cache: cache}, smallPieces)
	if !errors.Is(err, context.Canceled) || cache.added != 0 {
		t.Errorf("%v, %d forms kept", err, cache.added)
	}
}

// cancelling ends a context after some bytes.
type cancelling struct {
	io.ReadCloser
	cancel context.CancelFunc
	rest   int
}

func (c *cancelling) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	if c.rest -= n; c.rest < 0 {
		c.cancel()
	}
	return n, err
}

// What is kept in caches under the name of the encoding stays right only if the encoder does not change under that name.
func TestEncodingIsNamedAnewWhenItChanges(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the encoder's cost estimates, and so its bytes, may differ with the processor's way of rounding")
	}
	sources, _ := sampleSources(60)
	sources = append(sources, textSource("large.txt", strings.Repeat(longText+noise(40, 1), 40_000)))
	h := sha256.New()
	h.Write(pack(t, sources, WriterOptions{Compress: true}))
	const encoding, sum = "brotli 4/22 zm32", "8611146ecc3d4ddd929631c18163668de13e75c135edfde29caf20f086dadf63"
	if got := hex.EncodeToString(h.Sum(nil)); Encoding != encoding || got != sum {
		t.Errorf("the encoder makes other bytes: give Encoding another name, and note it here with %s", got)
	}
}
