package cache

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"talebinder/formats/tspack"
)

// old is a file that was changed long ago, as far as its own time says.
func old(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(file, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	return file
}

// settle waits until the files that were written last are old enough to be trusted.
func settle(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("waits for two seconds")
	}
	time.Sleep(settled + 50*time.Millisecond)
}

// learn lets a ledger know a file, if it wants to.
func learn(t *testing.T, c *Cache, file string, content tspack.Sum) {
	t.Helper()
	s := begin(t, c)
	l := s.Ledger("project")
	if stamp, ok := l.Look(file); ok {
		l.Tell(file, stamp, content)
	}
	end(t, s)
}

func known(t *testing.T, c *Cache, file string) (tspack.Sum, bool) {
	t.Helper()
	s := begin(t, c)
	defer end(t, s)
	return s.Ledger("project").Known(file)
}

func needStamps(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("stamps say too little here")
	}
}

func TestLedgerKnowsUntouchedFiles(t *testing.T) {
	needStamps(t)
	c := small(t.TempDir(), 1<<20)
	file := old(t, "content")
	want := tspack.Sum{1, 2, 3}
	learn(t, c, file, want)
	if _, ok := known(t, c, file); ok {
		t.Error("a file that has just been made is trusted because its time was set back")
	}
	settle(t)
	learn(t, c, file, want)
	if got, ok := known(t, c, file); !ok || got != want {
		t.Errorf("%x, %v", got, ok)
	}
	if _, ok := known(t, c, old(t, "other")); ok {
		t.Error("another file is known")
	}
	for name, touch := range map[string]func() error{
		"written to": func() error { return os.WriteFile(file, []byte("CONTENT"), 0o666) },
		"replaced": func() error {
			other := old(t, "CONTENT")
			return os.Rename(other, file)
		},
		"removed": func() error { return os.Remove(file) },
	} {
		t.Run(name, func(t *testing.T) {
			text, _ := os.ReadFile(file)
			if text == nil {
				file = old(t, "content")
			}
			info, err := os.Stat(file)
			if err != nil {
				t.Fatal(err)
			}
			settle(t)
			learn(t, c, file, want)
			if _, ok := known(t, c, file); !ok {
				t.Fatal("not known to begin with")
			}
			if err := touch(); err != nil {
				t.Fatal(err)
			}
			_ = os.Chtimes(file, time.Time{}, info.ModTime()) // as some programs do
			if _, ok := known(t, c, file); ok {
				t.Error("the file is believed to be as it was")
			}
		})
	}
}

func TestLedgerForgetsFilesThatChangeWhileTheyAreRead(t *testing.T) {
	needStamps(t)
	c := small(t.TempDir(), 1<<20)
	file := old(t, "content")
	settle(t)
	s := begin(t, c)
	l := s.Ledger("project")
	before, _ := l.Look(file)
	if err := os.WriteFile(file, []byte("content!"), 0o666); err != nil {
		t.Fatal(err)
	}
	l.Tell(file, before, tspack.Sum{1})
	end(t, s)
	if _, ok := known(t, c, file); ok {
		t.Error("what was read before the change is believed")
	}
}

func TestLedgerKeepsWhatIsOfUse(t *testing.T) {
	needStamps(t)
	c := small(t.TempDir(), 1<<20)
	a, b := old(t, "a"), old(t, "b")
	settle(t)
	learn(t, c, a, tspack.Sum{1})
	learn(t, c, b, tspack.Sum{2}) // an export that did not come to its end
	if _, ok := known(t, c, a); !ok {
		t.Error("a file is forgotten")
	}
	s := begin(t, c)
	l := s.Ledger("project")
	l.Known(b)
	l.Complete()
	end(t, s)
	if _, ok := known(t, c, a); ok {
		t.Error("a file that a complete export did not ask for is kept")
	}
	if _, ok := known(t, c, b); !ok {
		t.Error("a file is forgotten")
	}
}

func TestDamagedLedgersAreEmpty(t *testing.T) {
	needStamps(t)
	c := small(t.TempDir(), 1<<20)
	file := old(t, "content")
	settle(t)
	for name, damage := range map[string]func(b []byte) []byte{
		"a flipped bit": func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"cut off":       func(b []byte) []byte { return b[:len(b)-lineSize] },
		"cut off more":  func(b []byte) []byte { return b[:7] },
		"empty":         func([]byte) []byte { return nil },
		"another magic": func(b []byte) []byte { b[0]++; return b },
	} {
		learn(t, c, file, tspack.Sum{1})
		ledgers, err := filepath.Glob(filepath.Join(c.Dir, "*"+ledgerExt))
		if err != nil || len(ledgers) != 1 {
			t.Fatal(ledgers, err)
		}
		text, err := os.ReadFile(ledgers[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(ledgers[0], damage(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, ok := known(t, c, file); ok {
			t.Errorf("%s: the ledger is believed", name)
		}
	}
	learn(t, c, file, tspack.Sum{1})
	usage, err := c.Usage()
	if err != nil || usage.Bytes == 0 || usage.Entries != 0 {
		t.Errorf("%+v, %v", usage, err)
	}
	if _, err := c.Clear(); err != nil {
		t.Fatal(err)
	}
	if usage, err := c.Usage(); err != nil || usage.Bytes != 0 {
		t.Errorf("after clearing: %+v, %v", usage, err)
	}
}

func BenchmarkLedger(b *testing.B) {
	const files = 50_000
	c := New(b.TempDir(), DefaultLimit)
	s := begin(b, c)
	l := s.Ledger("project")
	for i := range files {
		l.lines[pathKey(string(rune(i)))] = line{stamp: Stamp{size: int64(i)}, content: tspack.Sum{byte(i)}}
	}
	l.told = true
	end(b, s)
	for b.Loop() {
		s := begin(b, c)
		if l := s.Ledger("project"); len(l.lines) != files {
			b.Fatal(len(l.lines))
		}
		end(b, s)
	}
}
