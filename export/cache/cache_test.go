package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"talebinder/formats/tspack"
)

// useInstead names the environment variable that makes the test program use a cache over and over, for tests with several
// processes.
const useInstead = "TALEBINDER_TEST_CACHE"

func TestMain(m *testing.M) {
	if dir := os.Getenv(useInstead); dir != "" {
		useForever(dir)
	}
	os.Exit(m.Run())
}

// content number i of the tests, and its form.
func content(i int) (sum tspack.Sum, length int64, stream []byte, streamSum tspack.Sum) {
	sum = sha256.Sum256(fmt.Appendf(nil, "content %d", i))
	stream = bytes.Repeat(fmt.Appendf(nil, "form %d ", i), 1+i%50)
	return sum, int64(len(stream)) * 3, stream, sha256.Sum256(stream)
}

// small is a cache with small segments.
func small(dir string, limit int64) *Cache {
	c := New(dir, limit)
	c.sizes = sizes{segment: 10_000, tiers: []int64{2000, 8000}, perTier: 4, forms: 10_000}
	return c
}

func begin(t testing.TB, c *Cache) *Session {
	t.Helper()
	s, err := c.Begin()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func end(t testing.TB, s *Session) {
	t.Helper()
	if errs := s.Close(); errs != nil {
		t.Fatal(errs)
	}
}

func add(s *Session, numbers ...int) {
	for _, i := range numbers {
		sum, length, stream, streamSum := content(i)
		s.Add(sum, length, stream, streamSum)
	}
}

// read gives the form of a content, and whether there is one.
func read(s *Session, i int) (stream []byte, found bool, err error) {
	sum, _, _, _ := content(i)
	form, found := s.Find(sum)
	if !found || form.Length == 0 {
		return nil, found, nil
	}
	stream, err = io.ReadAll(form.Stream)
	return stream, true, err
}

// has says whether the session has a sound form of the content.
func has(t testing.TB, s *Session, i int) bool {
	t.Helper()
	got, found, err := read(s, i)
	_, _, want, _ := content(i)
	if found && (err != nil || !bytes.Equal(got, want)) {
		t.Fatalf("content %d: %q, %v", i, got, err)
	}
	return found
}

func numbers(from, to int) []int {
	var all []int
	for i := from; i < to; i++ {
		all = append(all, i)
	}
	return all
}

func TestFormsAreKept(t *testing.T) {
	c := small(filepath.Join(t.TempDir(), "not", "there"), 1<<20)
	s := begin(t, c)
	if has(t, s, 1) {
		t.Error("an empty cache knows something")
	}
	add(s, numbers(0, 300)...)
	none := tspack.Sum(sha256.Sum256([]byte("noise")))
	s.Add(none, 500, nil, tspack.Sum{})
	end(t, s)

	s = begin(t, c)
	defer end(t, s)
	for i := range 300 {
		if !has(t, s, i) {
			t.Errorf("content %d is gone", i)
		}
	}
	if has(t, s, 300) {
		t.Error("the cache knows what it was not told")
	}
	if form, found := s.Find(none); !found || form.Length != 0 {
		t.Error("that compressing is not worthwhile is forgotten")
	}
	usage, err := c.Usage()
	if err != nil || usage.Entries != 301 || usage.Bytes < 30_000 || usage.Bytes > 120_000 || usage.Limit != 1<<20 || usage.Folder != c.Dir {
		t.Errorf("%+v, %v", usage, err)
	}
}

func TestFormsInPieces(t *testing.T) {
	c := small(t.TempDir(), 1<<20)
	s := begin(t, c)
	write := func(i int, keep bool) {
		sum, length, stream, streamSum := content(i)
		w := s.Create()
		for len(stream) > 0 {
			n := min(7, len(stream))
			_, _ = w.Write(stream[:n])
			stream = stream[n:]
		}
		if keep {
			w.Keep(sum, length*10_000, streamSum)
		} else {
			w.Discard()
		}
	}
	for i := range 40 {
		write(i, i%3 != 0)
		add(s, 100+i) // at the same time
	}
	write(1, true) // again
	end(t, s)
	s = begin(t, c)
	defer end(t, s)
	for i := range 40 {
		if got := has(t, s, i); got != (i%3 != 0) {
			t.Errorf("content %d: %v", i, got)
		}
		_, length, _, _ := content(i)
		if got := s.Expects(length * 10_000); got != (i%3 != 0) {
			t.Errorf("a content as long as number %d is expected: %v", i, got)
		}
		if !has(t, s, 100+i) {
			t.Errorf("content %d is gone", 100+i)
		}
	}
	if !s.Expects(5) || s.Expects(1<<30) {
		t.Error("short contents are always expected, others when they are known")
	}
}

func TestFilesAreFewAndOfBoundedSize(t *testing.T) {
	c := small(t.TempDir(), 1<<30)
	for i := range 200 { // exports after a change of one file
		s := begin(t, c)
		add(s, i)
		end(t, s)
	}
	files, err := c.list()
	if err != nil || len(files) > 12 {
		t.Errorf("%d files, %v", len(files), err)
	}
	s := begin(t, c)
	for i := range 200 {
		if !has(t, s, i) {
			t.Errorf("content %d is gone", i)
		}
	}
	add(s, numbers(1000, 1500)...)
	end(t, s)
	files, _ = c.list()
	for _, f := range files {
		if f.size > 30_000 {
			t.Errorf("a segment of %d bytes", f.size)
		}
	}
}

// age makes the files of a cache that much older.
func age(t *testing.T, c *Cache, by time.Duration) {
	t.Helper()
	files, err := c.list()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := os.Chtimes(f.path, time.Time{}, f.used.Add(-by)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWhatWasNotOfUseForLongestGoes(t *testing.T) {
	c := small(t.TempDir(), 60_000)
	for batch := range 4 {
		s := begin(t, c)
		has(t, s, 0)                                 // the beginning of the first batch stays of use
		add(s, numbers(batch*100, batch*100+100)...) // about 31 kB
		end(t, s)
		age(t, c, time.Hour)
	}
	usage, err := c.Usage()
	if err != nil || usage.Bytes > 60_000 || usage.Bytes < 30_000 {
		t.Errorf("%+v, %v", usage, err)
	}
	s := begin(t, c)
	defer end(t, s)
	if !has(t, s, 0) || !has(t, s, 399) {
		t.Error("what was of use is gone")
	}
	gone := 0
	for i := range 200 {
		if !has(t, s, 100+i) {
			gone++
		}
	}
	if gone < 100 {
		t.Errorf("of 200 forms that were of no use %d are gone", gone)
	}
}

func TestTooManyFormsGo(t *testing.T) {
	c := small(t.TempDir(), 1<<30)
	c.sizes.forms = 500
	for batch := range 10 {
		s := begin(t, c)
		for i := range 100 {
			s.Add(sha256.Sum256(fmt.Append(nil, batch, i)), 10, nil, tspack.Sum{})
		}
		end(t, s)
		age(t, c, time.Minute)
	}
	if usage, err := c.Usage(); err != nil || usage.Entries > 500 || usage.Entries < 100 {
		t.Errorf("%+v, %v", usage, err)
	}
}

func TestALowerLimitHolds(t *testing.T) {
	c := small(t.TempDir(), 1<<30)
	s := begin(t, c)
	add(s, numbers(0, 500)...)
	end(t, s)
	c.Limit = 40_000
	s = begin(t, c)
	has(t, s, 1)
	end(t, s)
	if usage, err := c.Usage(); err != nil || usage.Bytes > 40_000 {
		t.Errorf("%+v, %v", usage, err)
	}
}

func TestClear(t *testing.T) {
	c := small(t.TempDir(), 1<<20)
	s := begin(t, c)
	add(s, numbers(0, 100)...)
	end(t, s)
	if err := os.WriteFile(filepath.Join(c.Dir, "notes.txt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	reading := begin(t, c) // clearing does not wait for it
	has(t, reading, 5)
	removed, err := c.Clear()
	if err != nil || removed.Entries != 100 || removed.Bytes == 0 {
		t.Errorf("%+v, %v", removed, err)
	}
	if usage, err := c.Usage(); err != nil || usage.Entries != 0 || usage.Bytes != 0 {
		t.Errorf("%+v, %v", usage, err)
	}
	if _, err := os.Stat(filepath.Join(c.Dir, "notes.txt")); err != nil {
		t.Error("a file that is not of the cache is removed: ", err)
	}
	end(t, reading)
	if removed, err = c.Clear(); err != nil || removed.Entries != 0 {
		t.Errorf("again: %+v, %v", removed, err)
	}
}

// segments gives the only segment, or the segments.
func segments(t *testing.T, c *Cache) []file {
	t.Helper()
	files, err := c.list()
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	return files
}

func TestDamagedSegmentsAreRemoved(t *testing.T) {
	for name, damage := range map[string]func(b []byte) []byte{
		"a flipped bit in the table":  func(b []byte) []byte { b[len(b)-footerSize-10] ^= 1; return b },
		"a flipped bit in the footer": func(b []byte) []byte { b[len(b)-footerSize+33] ^= 1; return b },
		"another magic":               func(b []byte) []byte { b[0] = 'X'; return b },
		"cut off":                     func(b []byte) []byte { return b[:len(b)-1] },
		"cut off within the forms":    func(b []byte) []byte { return b[:100] },
		"empty":                       func([]byte) []byte { return nil },
		"zeros":                       func(b []byte) []byte { clear(b); return b },
		"longer":                      func(b []byte) []byte { return append(b, 0) },
		"a count beyond the file": func(b []byte) []byte {
			binary.LittleEndian.PutUint64(b[len(b)-footerSize+40:], 1<<60)
			return b
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := small(t.TempDir(), 1<<20)
			s := begin(t, c)
			add(s, 1, 2, 3)
			end(t, s)
			path := segments(t, c)[0].path
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, damage(text), 0o666); err != nil {
				t.Fatal(err)
			}
			s = begin(t, c)
			if has(t, s, 1) {
				t.Error("a form of a damaged segment")
			}
			add(s, 1)
			errs := s.Close()
			if len(errs) != 1 || !strings.Contains(errs[0].Error(), path) {
				t.Errorf("reported %v", errs)
			}
			if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
				t.Error("the segment stays: ", err)
			}
			s = begin(t, c)
			if !has(t, s, 1) {
				t.Error("what was kept afterwards is gone")
			}
			end(t, s)
		})
	}
}

func TestPoisonedFormsAreNoticed(t *testing.T) {
	c := small(t.TempDir(), 1<<20)
	s := begin(t, c)
	add(s, numbers(0, 20)...)
	end(t, s)
	path := segments(t, c)[0].path
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(text, []byte("form 7"))
	text[at+20] ^= 1
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	s = begin(t, c)
	if _, found, err := read(s, 7); !found || err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("found %v, %v", found, err)
	}
	if _, found, _ := read(s, 7); found {
		t.Error("the form is given again")
	}
	add(s, 7)
	end(t, s)
	s = begin(t, c)
	for i := range 20 {
		if !has(t, s, i) {
			t.Errorf("content %d is gone", i)
		}
	}
	end(t, s)
	if usage, err := c.Usage(); err != nil || usage.Entries != 20 {
		t.Errorf("%+v, %v", usage, err)
	}
}

func TestFormsOfAnotherEncodingAreLeftAlone(t *testing.T) {
	c := small(t.TempDir(), 1<<20)
	s := begin(t, c)
	add(s, 1)
	end(t, s)
	path := segments(t, c)[0].path
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other := sha256.Sum256([]byte("another encoding"))
	copy(text[len(text)-footerSize:], other[:])
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		s = begin(t, c)
		if has(t, s, 1) {
			t.Fatal("a form of another encoding is given")
		}
		add(s, 100+i)
		end(t, s)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

func TestWhatCannotBeKeptIsReported(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	c := small(filepath.Join(dir, "file", "cache"), 1<<20)
	s, err := c.Begin()
	if err == nil { // a folder that cannot be made
		add(s, numbers(0, 100)...)
		w := s.Create()
		_, _ = w.Write([]byte("form"))
		w.Keep(tspack.Sum{1}, 5, tspack.Sum{2})
		if errs := s.Close(); len(errs) == 0 {
			t.Error("nothing is reported")
		}
	}
}

func TestGoroutinesShareASession(t *testing.T) {
	c := small(t.TempDir(), 1<<30)
	s := begin(t, c)
	add(s, numbers(0, 500)...)
	end(t, s)
	s = begin(t, c)
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for i := range 500 {
				got, found, err := read(s, i)
				if _, _, want, _ := content(i); !found || err != nil || !bytes.Equal(got, want) {
					t.Errorf("content %d: %v, %v", i, found, err)
				}
				add(s, 500+i, 1000+worker)
			}
		})
	}
	all.Wait()
	end(t, s)
	if usage, err := c.Usage(); err != nil || usage.Entries != 1008 {
		t.Errorf("%+v, %v", usage, err)
	}
}

// useForever uses a cache until it is killed, or for 40 sessions. What it reads has to be right.
func useForever(dir string) {
	c := small(dir, 40_000)
	seed := uint64(os.Getpid())
	r := rand.New(rand.NewPCG(seed, seed))
	for range 40 {
		s, err := c.Begin()
		if err != nil {
			fmt.Println("begin:", err)
			os.Exit(1)
		}
		for range 200 {
			i := r.IntN(400)
			got, found, err := read(s, i)
			_, _, want, _ := content(i)
			if found && (err != nil || !bytes.Equal(got, want)) {
				fmt.Printf("content %d: %v\n", i, err)
				os.Exit(1)
			}
			if !found {
				add(s, i)
			}
		}
		if errs := s.Close(); errs != nil {
			fmt.Println("close:", errs)
			os.Exit(1)
		}
		fmt.Println("used")
	}
	os.Exit(0)
}

func TestProcessesShareACache(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), useInstead+"="+dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	all.Wait()
	c := small(dir, 40_000)
	usage, err := c.Usage()
	if err != nil || usage.Entries == 0 || usage.Bytes > 80_000 { // each process may have added a little since the last tidying
		t.Errorf("%+v, %v", usage, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), segmentExt) {
			t.Errorf("%s is left", entry.Name())
		}
	}
}

func TestKilledProcessesLeaveNoDamage(t *testing.T) {
	dir := t.TempDir()
	c := small(dir, 40_000)
	left := 0
	for n := range 15 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), useInstead+"="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		_, _ = io.ReadFull(out, make([]byte, 5))
		time.Sleep(time.Duration(rand.IntN(20)) * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		s := begin(t, c)
		for i := range 400 {
			has(t, s, i)
		}
		add(s, 1000+n)
		end(t, s)
	}
	files, _ := c.list()
	for _, f := range files {
		if f.temporary {
			left++
		}
	}
	t.Logf("%d unfinished segments left by 15 processes", left)
	age(t, c, 2*abandoned)
	s := begin(t, c)
	add(s, 2000)
	end(t, s)
	for _, f := range segments(t, c) {
		if f.temporary {
			t.Errorf("%s is left", f.path)
		}
	}
}

func TestLimit(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv(LimitVariable, "")
	for _, c := range []struct {
		file, variable string
		want           int64
		fails          bool
	}{
		{"", "", DefaultLimit, false},
		{`{"limit":5000}`, "", 5000, false},
		{`{}`, "", DefaultLimit, false},
		{`{"limit":5000}`, "64 MB", 64 << 20, false},
		{`{"limit":-1}`, "", DefaultLimit, true},
		{`{"limit":`, "", DefaultLimit, true},
		{"", "much", DefaultLimit, true},
		{`{"limit":0}`, "", 0, false},
	} {
		t.Setenv(LimitVariable, c.variable)
		if err := os.RemoveAll(settingsFile()); err != nil {
			t.Fatal(err)
		}
		if c.file != "" {
			if err := os.MkdirAll(filepath.Dir(settingsFile()), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(settingsFile(), []byte(c.file), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := Limit(); got != c.want || (err != nil) != c.fails {
			t.Errorf("%+v: %d, %v", c, got, err)
		}
	}
	t.Setenv(LimitVariable, "")
	if err := SetLimit(-1); err == nil {
		t.Error("a limit below 0 is kept")
	}
	if err := SetLimit(123); err != nil {
		t.Fatal(err)
	}
	if got, err := Limit(); got != 123 || err != nil {
		t.Error(got, err)
	}
}

func BenchmarkSession(b *testing.B) {
	const forms = 50_000
	c := New(b.TempDir(), DefaultLimit)
	s := begin(b, c)
	add(s, numbers(0, forms)...)
	end(b, s)
	b.Run("Begin", func(b *testing.B) {
		for b.Loop() {
			s := begin(b, c)
			end(b, s)
		}
	})
	b.Run("Find", func(b *testing.B) {
		s := begin(b, c)
		defer end(b, s)
		buffer := make([]byte, 4096)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			sum := tspack.Sum(sha256.Sum256(fmt.Appendf(nil, "content %d", i%forms)))
			form, found := s.Find(sum)
			if !found {
				b.Fatal("not found")
			}
			if _, err := io.ReadFull(form.Stream, buffer[:form.Length+1]); err != io.ErrUnexpectedEOF {
				b.Fatal(err)
			}
		}
	})
	b.Run("Add", func(b *testing.B) {
		s := begin(b, New(b.TempDir(), DefaultLimit))
		_, length, stream, sum := content(40)
		var next [8]byte
		for i := uint64(0); b.Loop(); i++ {
			binary.LittleEndian.PutUint64(next[:], i)
			s.Add(sha256.Sum256(next[:]), length, stream, sum)
		}
		end(b, s)
	})
}
