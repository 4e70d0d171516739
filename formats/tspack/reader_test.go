package tspack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"
	"testing"

	"talebinder/formats"
	"talebinder/formats/assetpath"
)

func TestUnusualPacksAreRead(t *testing.T) {
	long := strings.Repeat(longText, 8)
	for _, c := range []struct {
		defect  string
		entries int
		path    string
		want    string
	}{
		{"valid", 3, "Data/EMPTY.txt", ""},
		{"valid", 3, `\data\x\..\long.txt`, long},
		{"count-less", 1, "hello.txt", helloText},
		{"path-length-5-groups", 3, "hello.txt", helloText},
		{"path-not-normal", 3, "hello.txt", helloText},
		{"path-not-utf8", 3, "hello\uFFFD\uFFFD.txt", helloText},
		{"path-empty", 3, "", helloText},
		{"path-twice-but-for-case", 3, "DATA/LONG.TXT", long},
		{"entries-overlap", 3, "hello.txt", helloText + longStream[:5]},
		{"stored-length-differs", 3, "hello.txt", helloText},
		{"brotli-longer-than-length", 3, "data/long.txt", long[:615]},
		{"brotli-length-0", 3, "data/long.txt", ""},
	} {
		t.Run(c.defect+" "+c.path, func(t *testing.T) {
			for _, d := range defects() {
				if d.name != c.defect {
					continue
				}
				r := open(t, d.build())
				got, err := r.ReadFile(c.path)
				if err != nil || string(got) != c.want {
					t.Errorf("read %q, %v, want %q", got, err, c.want)
				}
				if len(r.Entries()) != c.entries {
					t.Errorf("%d entries, want %d", len(r.Entries()), c.entries)
				}
				return
			}
			t.Error("no such pack")
		})
	}
}

func TestLookUpFails(t *testing.T) {
	p := sample()
	r := open(t, p.bytes())
	if _, err := r.ReadFile("data"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), `"data"`) {
		t.Errorf("a folder: %v", err)
	}
	if _, err := r.ReadFile("a/../../hello.txt"); !errors.Is(err, assetpath.ErrLeaves) {
		t.Errorf("a path that leaves: %v", err)
	}
	for _, e := range []Entry{{}, {Offset: 32, StoredLength: -1}, {Offset: 32, Length: -1}, {Offset: 32, Compression: 9}} {
		if _, err := r.Open(e); err == nil {
			t.Errorf("opened %+v", e)
		}
	}
}

func TestReplacementOfBadUTF8(t *testing.T) {
	for in, want := range map[string]string{
		"ok é 😀":            "ok é 😀",
		"\xff\xfe":          "\uFFFD\uFFFD",
		"a\xe2\x82":         "a\uFFFD",
		"\xe2\x82x":         "\uFFFDx",
		"\xf0\x9f\x98\xf0!": "\uFFFD\uFFFD!",
		"\xed\xa0\x80":      "\uFFFD\uFFFD\uFFFD", // half of a surrogate pair: no byte of it begins a character
		"\xc0\xaf":          "\uFFFD\uFFFD",
	} {
		if got := toText([]byte(in)); got != want {
			t.Errorf("%+q became %+q, want %+q", in, got, want)
		}
	}
}

func TestPathOfMoreThan64KBIsRefused(t *testing.T) {
	p := sample()
	p.path(0, strings.Repeat("x", maxPathBytes))
	data := p.bytes()
	if _, err := NewReader(bytes.NewReader(data), int64(len(data))); err != nil {
		t.Error(err)
	}
	p.path(0, strings.Repeat("x", maxPathBytes+1))
	data = p.bytes()
	_, err := NewReader(bytes.NewReader(data), int64(len(data)))
	if want := "table of contents: entry 1 at byte 99: a path of 65537 bytes, expected at most 65536"; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	p.path(0, strings.Repeat("é", 150), 0xAC, 0x02)
	p.set(0, offsetField, 0)
	data = p.bytes()
	if _, err = NewReader(bytes.NewReader(data), int64(len(data))); err == nil || !strings.Contains(err.Error(), `é…"`) {
		t.Errorf("a long path is not shortened: %v", err)
	}
}

// faulty fails at and behind a place of the file.
type faulty struct {
	data []byte
	from int64
	err  error
}

func (f *faulty) ReadAt(p []byte, offset int64) (int, error) {
	if offset >= f.from {
		return 0, f.err
	}
	n := copy(p, f.data[offset:])
	if n < len(p) || offset+int64(n) > f.from {
		return int(min(int64(n), f.from-offset)), f.err
	}
	return n, nil
}

func TestErrorsOfTheFileBelow(t *testing.T) {
	broken := errors.New("the disk is broken")
	p := sample()
	data := p.bytes()
	for _, from := range []int64{0, 20, 99, 120} {
		if _, err := NewReader(&faulty{data, from, broken}, int64(len(data))); !errors.Is(err, broken) {
			t.Errorf("broken from byte %d: %v", from, err)
		}
	}
	f := &faulty{data, int64(len(data)), io.EOF}
	r, err := NewReader(f, int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"hello.txt", "data/long.txt"} {
		f.from, f.err = 40, broken
		if _, err := r.ReadFile(path); !errors.Is(err, broken) || errors.Is(err, formats.ErrDamaged) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s on a broken disk: %v", path, err)
		}
		f.err = io.EOF
		if _, err := r.ReadFile(path); !errors.Is(err, formats.ErrDamaged) || !strings.Contains(err.Error(), "end of the file") {
			t.Errorf("%s of a file that was cut off: %v", path, err)
		}
	}
}

func TestContentIsStreamed(t *testing.T) {
	p := sample()
	r := open(t, p.bytes())
	for _, e := range r.Entries()[:2] {
		content, err := r.Open(e)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := content.Read(nil); n != 0 || err != nil {
			t.Errorf("reading nothing: %d, %v", n, err)
		}
		if n, err := content.Read(make([]byte, 3)); n == 0 || err != nil {
			t.Errorf("reading a little: %d, %v", n, err)
		}
		for range 2 {
			if err := content.Close(); err != nil {
				t.Error(err)
			}
		}
		if _, err := content.Read(make([]byte, 3)); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("reading after Close: %v", err)
		}
	}
}

// A length in the table costs nothing: memory is taken as bytes arrive.
func TestHugeLengthTakesNoMemory(t *testing.T) {
	for _, d := range defects() {
		if d.name != "brotli-length-huge" {
			continue
		}
		r := open(t, d.build())
		got := allocated(func() {
			if _, err := r.ReadFile("data/long.txt"); err == nil {
				t.Error("no error")
			}
		})
		if got > 1<<20 {
			t.Errorf("%d bytes taken", got)
		}
		return
	}
	t.Error("no such pack")
}

func TestManyGoroutinesRead(t *testing.T) {
	sources, contents := sampleSources(60)
	r := open(t, pack(t, sources, WriterOptions{Compress: true}))
	var group sync.WaitGroup
	for g := range 8 {
		group.Go(func() {
			for i := range sources {
				path := sources[(i+g*7)%len(sources)].Path
				got, err := r.ReadFile(strings.ToUpper(path))
				if err != nil || !bytes.Equal(got, contents[path]) {
					t.Errorf("%s: %d bytes, %v", path, len(got), err)
				}
			}
		})
	}
	group.Wait()
}

func TestVerifyReportsInOrder(t *testing.T) {
	var sources []Source
	for i := range 40 {
		sources = append(sources, textSource(fmt.Sprintf("f%02d.txt", i), strings.Repeat(longText, i+1)))
	}
	data := pack(t, sources, WriterOptions{Compress: true})
	r := open(t, data)
	for _, i := range []int{3, 17, 30} {
		e := r.Entries()[i]
		clear(data[e.Offset : e.Offset+e.StoredLength])
	}
	seen := map[string]int{}
	last := 0
	errs := r.Verify(t.Context(), func(done, total int, path string) {
		seen[path]++
		if done != last+1 || total != 40 {
			t.Errorf("progress %d of %d after %d", done, total, last)
		}
		last = done
	})
	if len(seen) != 40 {
		t.Errorf("progress of %d entries", len(seen))
	}
	if len(errs) != 3 || !strings.Contains(errs[0].Error(), "f03") || !strings.Contains(errs[1].Error(), "f17") || !strings.Contains(errs[2].Error(), "f30") {
		t.Errorf("errors %v", errs)
	}
}

func TestVerifyIsCancelled(t *testing.T) {
	sources, _ := sampleSources(200)
	r := open(t, pack(t, sources, WriterOptions{Compress: true}))
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	errs := r.Verify(ctx, func(done, total int, path string) {
		calls++
		cancel()
	})
	if len(errs) != 1 || !errors.Is(errs[0], context.Canceled) || calls != 1 {
		t.Errorf("%v after %d entries", errs, calls)
	}
}
