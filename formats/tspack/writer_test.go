package tspack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"talebinder/formats"
	"talebinder/formats/assetpath"
)

// memory is a file in memory.
type memory struct {
	data     []byte
	position int64
}

func (m *memory) Write(p []byte) (int, error) {
	if grow := m.position + int64(len(p)) - int64(len(m.data)); grow > 0 {
		m.data = append(m.data, make([]byte, grow)...)
	}
	copy(m.data[m.position:], p)
	m.position += int64(len(p))
	return len(p), nil
}

func (m *memory) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekStart:
		m.position = offset
	case io.SeekCurrent:
		m.position += offset
	default:
		return 0, errors.ErrUnsupported
	}
	return m.position, nil
}

func textSource(path, text string) Source {
	return Source{Path: path, Size: int64(len(text)), Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(text)), nil
	}}
}

// noise gives bytes that cannot be compressed.
func noise(n int, seed uint64) string {
	b := make([]byte, n)
	r := rand.NewChaCha8([32]byte{byte(seed)})
	_, _ = r.Read(b)
	return string(b)
}

// sampleSources makes n files of many lengths and kinds.
func sampleSources(n int) ([]Source, map[string][]byte) {
	var sources []Source
	contents := make(map[string][]byte)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		text := strings.Repeat(fmt.Sprintf("%s%d", longText, i), r.IntN(200))
		ext := []string{".txt", ".json", ".png", ".bin", ""}[i%5]
		switch {
		case ext == ".bin":
			text = noise(r.IntN(40000), uint64(i))
		case i%7 == 3:
			text = ""
		case i%11 == 4:
			text += noise(30000, uint64(i)) + text
		}
		path := fmt.Sprintf("folder%d/Datei %d é%s", i%4, i, ext)
		s := textSource(path, text)
		if i%3 == 0 {
			s.Size = -1
		}
		sources = append(sources, s)
		contents[path] = []byte(text)
	}
	return sources, contents
}

// pack writes a pack in memory.
func pack(t testing.TB, sources []Source, o WriterOptions) []byte {
	t.Helper()
	var m memory
	if _, err := Write(context.Background(), &m, sources, o); err != nil {
		t.Fatal(err)
	}
	return m.data
}

// check opens a pack, compares its contents, and sees that it is laid out without gaps and each entry stored as it ought
// to be.
func check(t testing.TB, data []byte, contents map[string][]byte) *Reader {
	t.Helper()
	r, err := NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	position := int64(headerSize)
	for _, e := range r.Entries() {
		want, ok := contents[e.Path]
		if !ok {
			t.Fatalf("%q is not to be packed", e.Path)
		}
		got, err := r.ReadFile(e.Path)
		if err != nil {
			t.Error(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%q: %d bytes are not the %d that were packed", e.Path, len(got), len(want))
		}
		if e.Length != int64(len(want)) || e.Offset != position || e.Compression == Stored && e.StoredLength != e.Length {
			t.Errorf("%+v at %d", e, position)
		}
		if e.Compression == Brotli && (float64(e.StoredLength) > float64(e.Length)*0.97 || Precompressed(assetpath.Ext(e.Path))) {
			t.Errorf("%+v should not be compressed", e)
		}
		position += e.StoredLength
	}
	h, err := readHeader(bytes.NewReader(data), int64(len(data)))
	if err != nil || h.tableOffset != position || h.tableOffset+h.tableLength != int64(len(data)) || h.version != 1 {
		t.Errorf("header %+v of %d bytes, %v", h, len(data), err)
	}
	if len(r.Entries()) != len(contents) {
		t.Errorf("%d entries, want %d", len(r.Entries()), len(contents))
	}
	return r
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	sources, contents := sampleSources(150)
	for _, compress := range []bool{true, false} {
		r := check(t, pack(t, sources, WriterOptions{Compress: compress}), contents)
		kinds := map[Compression]int{}
		for i, e := range r.Entries() {
			if e.Path != sources[i].Path {
				t.Errorf("entry %d is %q, want %q", i, e.Path, sources[i].Path)
			}
			kinds[e.Compression]++
		}
		if kinds[Stored] == 0 || compress != (kinds[Brotli] > 0) {
			t.Errorf("compress %v gave %v", compress, kinds)
		}
	}
	check(t, pack(t, nil, WriterOptions{Compress: true}), nil)
}

func TestSameBytesWhateverTheWorkers(t *testing.T) {
	sources, contents := sampleSources(120)
	small := limits{piece: 10000, inFlight: 50000, lanes: 3}
	for _, l := range []limits{defaultLimits, small} {
		var first []byte
		for _, workers := range []int{1, 2, 7} {
			for hint := range 3 {
				list := slices.Clone(sources)
				for i := range list {
					if hint == 1 {
						list[i].Size = -1
					} else if hint == 2 {
						list[i].Size = int64(len(contents[list[i].Path]))
					}
				}
				var m memory
				if _, err := write(t.Context(), &m, list, WriterOptions{Compress: true, Workers: workers}, l); err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = m.data
					check(t, first, contents)
				} else if !bytes.Equal(m.data, first) {
					t.Errorf("%d workers, %+v, hints %d: other bytes", workers, l, hint)
				}
			}
		}
	}
}

func TestThreePercentRule(t *testing.T) {
	for _, c := range []struct {
		compressed, length int64
		want               bool
	}{
		{97, 100, true}, {98, 100, false}, {970, 1000, true}, {971, 1000, false}, {32, 33, true}, {33, 34, false},
		{1, 2, true}, {1, 1, false}, {0, 0, false},
	} {
		if got := worthwhile(c.compressed, c.length); got != c.want {
			t.Errorf("worthwhile(%d, %d) = %v", c.compressed, c.length, got)
		}
	}
}

func TestPrecompressedFilesAreStored(t *testing.T) {
	text := strings.Repeat(longText, 20)
	var sources []Source
	for _, ext := range []string{".png", ".jpg", ".jpeg", ".webp", ".gif", ".ogg", ".mp3", ".flac", ".zip", ".gz", ".br", ".woff2"} {
		sources = append(sources, textSource("a"+ext, text), textSource("b"+strings.ToUpper(ext), text))
	}
	stored := len(sources)
	for _, name := range []string{"a.txt", "png", "a.png.json", "a.wav", "a.", "a.woff"} {
		sources = append(sources, textSource(name, text))
	}
	for i, e := range open(t, pack(t, sources, WriterOptions{Compress: true})).Entries() {
		if (e.Compression == Stored) != (i < stored) {
			t.Errorf("%s: %v", e.Path, e.Compression)
		}
	}
}

func TestLargeFilesAreWrittenInPieces(t *testing.T) {
	l := limits{piece: 50000, inFlight: 60000, lanes: 2}
	long := strings.Repeat(longText+"x", 4000)
	jumble := noise(400000, 1)
	texts := map[string]string{
		"a-small.txt":        long[:1000],
		"b-large.txt":        long,
		"c-exact.txt":        long[:50000],
		"d-one-more.txt":     long[:50001],
		"e-two-pieces.txt":   long[:100000],
		"f-noise.bin":        jumble,
		"g-stored.png":       long,
		"h-noise-first.bin":  jumble[:100000] + long,
		"i-noise-last.bin":   long[:100000] + jumble,
		"j-small.txt":        long[:2000],
		"k-last-of-noise.in": jumble[:200000],
	}
	for _, hint := range []string{"exact", "unknown", "too small", "too large", "absurd"} {
		t.Run(hint, func(t *testing.T) {
			var sources []Source
			contents := map[string][]byte{}
			for _, path := range slices.Sorted(maps.Keys(texts)) {
				s := textSource(path, texts[path])
				switch hint {
				case "unknown":
					s.Size = -1
				case "too small":
					s.Size = 10
				case "too large":
					s.Size = 10 << 20
				case "absurd":
					s.Size = math.MaxInt64
				}
				sources = append(sources, s)
				contents[path] = []byte(texts[path])
			}
			f, err := os.Create(filepath.Join(t.TempDir(), "content.tspack"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if _, err := write(t.Context(), f, sources, WriterOptions{Compress: true, Workers: 3}, l); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(f.Name())
			if err != nil {
				t.Fatal(err)
			}
			r := check(t, data, contents)
			if hint == "too small" {
				return // too small a hint may cost the compression of a file that begins with noise
			}
			for path, want := range map[string]Compression{"b-large.txt": Brotli, "e-two-pieces.txt": Brotli, "h-noise-first.bin": Brotli,
				"f-noise.bin": Stored, "i-noise-last.bin": Brotli, "k-last-of-noise.in": Stored} {
				if e, _, _ := r.Find(path); e.Compression != want {
					t.Errorf("%s: %v, want %v", path, e.Compression, want)
				}
			}
		})
	}
}

// A file is in memory only up to the size of a piece.
func TestLargeFileIsNotHeldInMemory(t *testing.T) {
	const size = 32 << 20
	source := Source{Path: "large.bin", Size: size, Open: func() (io.ReadCloser, error) {
		return io.NopCloser(io.LimitReader(&repeater{text: longText}, size)), nil
	}}
	l := limits{piece: 1 << 16, inFlight: 1 << 16, lanes: 2}
	got := allocated(func() {
		var m memory
		if _, err := write(t.Context(), &m, []Source{source}, WriterOptions{Compress: true, Workers: 2}, l); err != nil {
			t.Error(err)
		}
	})
	if got > size/2 {
		t.Errorf("%d bytes taken for a file of %d", got, size)
	}
}

// allocated gives the bytes that f takes, whether or not it keeps them.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// repeater repeats a text for ever.
type repeater struct {
	text string
	at   int
}

func (r *repeater) Read(p []byte) (int, error) {
	n := copy(p, r.text[r.at:])
	r.at = (r.at + n) % len(r.text)
	return n, nil
}

func TestPackBeginsWhereTheFileStands(t *testing.T) {
	sources, contents := sampleSources(20)
	m := memory{data: []byte("prefix"), position: 6}
	entries, err := Write(t.Context(), &m, sources, WriterOptions{Compress: true})
	if err != nil {
		t.Fatal(err)
	}
	if string(m.data[:6]) != "prefix" || m.position != int64(len(m.data)) {
		t.Errorf("file of %d bytes left at %d", len(m.data), m.position)
	}
	r := check(t, m.data[6:], contents)
	if !slices.Equal(entries, r.Entries()) {
		t.Error("Write gives another table than the reader")
	}
}

func TestProgressComesInOrder(t *testing.T) {
	sources, _ := sampleSources(50)
	var seen []string
	pack(t, sources, WriterOptions{Compress: true, Progress: func(done int, path string) {
		if seen = append(seen, path); len(seen) != done {
			t.Errorf("entry %d is reported as %d", len(seen), done)
		}
	}})
	for i, s := range sources {
		if seen[i] != s.Path {
			t.Errorf("entry %d is reported as %q, want %q", i, seen[i], s.Path)
		}
	}
}

func TestPathsAreRefused(t *testing.T) {
	for _, c := range []struct {
		name  string
		paths []string
		want  string
	}{
		{"empty", []string{"a", ""}, `"": a file in a content pack needs a path`},
		{"nothing but dots", []string{"a", "./b/.."}, `"./b/..": a file in a content pack needs a path`},
		{"leaves", []string{"a", "../b"}, `"../b": the path leaves the asset folder`},
		{"not UTF-8", []string{"a\xff"}, `"a\xff": the path is not UTF-8`},
		{"twice", []string{"a/b", "c", `a\b`}, `"a/b" is to be packed twice`},
		{"twice but for case", []string{"a/É", "c", `A/é`},
			`"a/É" and "A/é" differ only in case, and a content pack does not tell them apart: rename one of them`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var sources []Source
			for _, p := range c.paths {
				sources = append(sources, textSource(p, "x"))
			}
			var m memory
			_, err := Write(t.Context(), &m, sources, WriterOptions{})
			if err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
			if len(m.data) != 0 {
				t.Error("something was written")
			}
			var duplicate *DuplicateError
			if errors.As(err, &duplicate) != strings.HasPrefix(c.name, "twice") {
				t.Errorf("error of type %T", err)
			}
		})
	}
	var limit *formats.LimitError
	if _, err := Write(t.Context(), &memory{}, []Source{textSource(strings.Repeat("x", maxPathBytes+1), "")}, WriterOptions{}); !errors.As(err, &limit) {
		t.Errorf("a path of 64 KB: %v", err)
	}
}

// failing gives some bytes and then an error.
type failing struct {
	text   io.Reader
	err    error
	closed *atomic.Int32
}

func (f *failing) Read(p []byte) (int, error) {
	n, err := f.text.Read(p)
	if err == io.EOF {
		err = f.err
	}
	return n, err
}

func (f *failing) Close() error {
	f.closed.Add(-1)
	return nil
}

func TestSourceErrorsNameThePath(t *testing.T) {
	broken := errors.New("unreadable sector")
	l := limits{piece: 5000, inFlight: 20000, lanes: 2}
	for _, c := range []struct {
		name string
		path string
		size int64 // the hint
		text string
	}{
		{"small", "bad.txt", -1, "abc"},
		{"large", "bad.txt", -1, strings.Repeat(longText, 500)},
		{"large and hinted", "bad.txt", 39000, strings.Repeat(longText, 500)},
		{"large and stored", "bad.png", 39000, strings.Repeat(longText, 500)},
	} {
		t.Run(c.name, func(t *testing.T) {
			var open atomic.Int32
			sources, _ := sampleSources(30)
			for i := range sources {
				inner := sources[i].Open
				sources[i].Open = func() (io.ReadCloser, error) {
					open.Add(1)
					content, err := inner()
					return &failing{content, io.EOF, &open}, err
				}
			}
			sources[20] = Source{Path: c.path, Size: c.size, Open: func() (io.ReadCloser, error) {
				open.Add(1)
				return &failing{strings.NewReader(c.text), broken, &open}, nil
			}}
			sources[25] = Source{Path: "later", Open: func() (io.ReadCloser, error) { return nil, fs.ErrPermission }}
			for _, workers := range []int{1, 4} {
				var m memory
				_, err := write(t.Context(), &m, sources, WriterOptions{Compress: true, Workers: workers}, l)
				if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), c.path+": ") {
					t.Errorf("%d workers: %v", workers, err)
				}
				if n := open.Load(); n != 0 {
					t.Errorf("%d sources are still open", n)
				}
				if _, err := NewReader(bytes.NewReader(m.data), int64(len(m.data))); err == nil {
					t.Error("a pack that is not complete can be opened")
				}
			}
			sources[20] = Source{Path: c.path, Size: c.size, Open: func() (io.ReadCloser, error) { return nil, fs.ErrPermission }}
			_, err := write(t.Context(), &memory{}, sources, WriterOptions{Compress: true}, l)
			if !errors.Is(err, fs.ErrPermission) || !strings.HasPrefix(err.Error(), c.path+": ") {
				t.Error(err)
			}
		})
	}
	stuck := Source{Path: "stuck", Open: func() (io.ReadCloser, error) { return io.NopCloser(stuckReader{}), nil }}
	if _, err := Write(t.Context(), &memory{}, []Source{stuck}, WriterOptions{}); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("a source that gives nothing: %v", err)
	}
}

type stuckReader struct{}

func (stuckReader) Read([]byte) (int, error) { return 0, nil }

// A file that is written to by another program while it is packed is packed as some state of it, or not at all.
func TestSourceThatChangesWhileItIsRead(t *testing.T) {
	l := limits{piece: 5000, inFlight: 20000, lanes: 2}
	jumble := noise(60000, 3)
	long := strings.Repeat(longText, 800)
	for _, c := range []struct{ name, first, later string }{
		{"grows beyond a piece", long[:4000], long},
		{"shrinks", long, long[:100]},
		{"becomes empty", long, ""},
		{"becomes noise", long, jumble},
		{"noise shrinks", jumble, jumble[:20000]},
		{"noise becomes empty", jumble, ""},
		{"noise grows", jumble[:20000], jumble},
	} {
		for calls := 1; calls <= 2; calls++ {
			for _, hint := range []int64{-1, 0, int64(len(c.first)), int64(len(c.later))} {
				opened := 0
				source := Source{Path: "x.bin", Size: hint, Open: func() (io.ReadCloser, error) {
					if opened++; opened > calls {
						return io.NopCloser(strings.NewReader(c.later)), nil
					}
					return io.NopCloser(strings.NewReader(c.first)), nil
				}}
				sources := []Source{textSource("a.txt", long), source, textSource("z.txt", long)}
				name := filepath.Join(t.TempDir(), "p")
				f, err := os.Create(name)
				if err != nil {
					t.Fatal(err)
				}
				if _, err = write(t.Context(), f, sources, WriterOptions{Compress: true, Workers: 2}, l); err != nil {
					t.Fatal(err)
				}
				f.Close()
				data, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				got, err := open(t, data).ReadFile("x.bin")
				if err != nil || string(got) != c.first && string(got) != c.later {
					t.Errorf("%s: %d bytes, %v", c.name, len(got), err)
				}
				check(t, data, map[string][]byte{"a.txt": []byte(long), "x.bin": got, "z.txt": []byte(long)})
			}
		}
	}
}

// limitedFile fails after some bytes, as a full disk does.
type limitedFile struct {
	memory
	rest int
}

var errFull = errors.New("no space left on device")

func (f *limitedFile) Write(p []byte) (int, error) {
	if len(p) > f.rest {
		return 0, errFull
	}
	f.rest -= len(p)
	return f.memory.Write(p)
}

func (f *limitedFile) Seek(offset int64, whence int) (int64, error) {
	if f.rest < 0 {
		return 0, errFull
	}
	return f.memory.Seek(offset, whence)
}

func TestFullDisk(t *testing.T) {
	sources, _ := sampleSources(60)
	l := limits{piece: 20000, inFlight: 50000, lanes: 2}
	whole := int64(0)
	for rest := -1; ; rest += 9000 {
		f := &limitedFile{rest: rest}
		_, err := write(t.Context(), f, sources, WriterOptions{Compress: true, Workers: 3}, l)
		if err == nil {
			whole = int64(len(f.data))
			break
		}
		if want := "write the pack: "; !errors.Is(err, errFull) || !strings.HasPrefix(err.Error(), want) {
			t.Fatalf("room for %d bytes: %v", rest, err)
		}
	}
	if whole < 50000 {
		t.Errorf("only %d bytes were written", whole)
	}
}

func TestWriteIsCancelled(t *testing.T) {
	l := limits{piece: 5000, inFlight: 20000, lanes: 2}
	for _, size := range []int64{-1, 1 << 40} {
		for _, path := range []string{"endless.txt", "endless.png"} {
			ctx, cancel := context.WithCancel(t.Context())
			var open atomic.Int32
			endless := Source{Path: path, Size: size, Open: func() (io.ReadCloser, error) {
				open.Add(1)
				time.AfterFunc(20*time.Millisecond, cancel)
				return &failing{&repeater{text: longText}, nil, &open}, nil
			}}
			sources, _ := sampleSources(100)
			sources[50] = endless
			_, err := write(ctx, &memory{}, sources, WriterOptions{Compress: true, Workers: 2}, l)
			if err != context.Canceled || open.Load() != 0 {
				t.Errorf("%v with %d sources open", err, open.Load())
			}
			cancel()
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	sources, _ := sampleSources(10)
	if _, err := Write(ctx, &memory{}, sources, WriterOptions{}); err != context.Canceled {
		t.Error(err)
	}
}
