package cache

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	"talebinder/formats"
	"talebinder/formats/tspack"
)

const (
	ledgerMagic = "TBLEDGE\n"
	lineSize    = 80
)

// settled is how long ago a file must have been changed before its times say that it has not been changed since: no file
// system is less exact.
const settled = 2 * time.Second

// A Stamp tells a file that was changed from one that was not.
type Stamp struct {
	size     int64
	modified int64 // nanoseconds since 1970
	changed  int64 // the same; set by the system, not by programs
	number   uint64
}

// A Ledger knows the content of files that have not been changed since it was told. Its methods may be called from many
// goroutines, until the session is closed.
type Ledger struct {
	file string

	mu    sync.Mutex
	lines map[[16]byte]line
	told  bool
	all   bool // every file was asked for
}

// line is what a ledger says about a file.
type line struct {
	stamp   Stamp
	content tspack.Sum
	ofUse   bool // it was asked for and holds, or was told
}

// Ledger gives the ledger for the files below a folder. One that is damaged is empty.
func (s *Session) Ledger(folder string) *Ledger {
	sum := sha256.Sum256([]byte(folder))
	l := &Ledger{file: filepath.Join(s.cache.Dir, hex.EncodeToString(sum[:16])+ledgerExt)}
	l.lines, _ = readLedger(l.file) // what it knew is found out again
	if l.lines == nil {
		l.lines = make(map[[16]byte]line)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ledgers = append(s.ledgers, l)
	return l
}

// Look gives the stamp of a file as it is now. It reports false where the system's stamps say too little.
func (l *Ledger) Look(path string) (Stamp, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return Stamp{}, false
	}
	return stampOf(info)
}

// Known gives the SHA-256 of a file if the file has not been changed since it was told.
func (l *Ledger) Known(path string) (tspack.Sum, bool) {
	now, ok := l.Look(path)
	if !ok {
		return tspack.Sum{}, false
	}
	k := pathKey(path)
	l.mu.Lock()
	defer l.mu.Unlock()
	found, ok := l.lines[k]
	if !ok || found.stamp != now {
		return tspack.Sum{}, false
	}
	if !found.ofUse {
		found.ofUse = true
		l.lines[k] = found
	}
	return found.content, true
}

// Tell says what was read from a file that had the stamp before. It is forgotten if the file was changed since, or so shortly
// before that one cannot know.
func (l *Ledger) Tell(path string, before Stamp, content tspack.Sum) {
	now, ok := l.Look(path)
	if !ok || now != before || time.Since(time.Unix(0, max(now.modified, now.changed))) < settled {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines[pathKey(path)] = line{now, content, true}
	l.told = true
}

// Complete says that every file was asked for, so that what the ledger knows about others is of no use any more.
func (l *Ledger) Complete() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = true
}

func pathKey(path string) [16]byte {
	sum := sha256.Sum256([]byte(path))
	return [16]byte(sum[:16])
}

// save writes the ledger, if it says something new.
func (l *Ledger) save(now time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all {
		before := len(l.lines)
		maps.DeleteFunc(l.lines, func(_ [16]byte, line line) bool { return !line.ofUse })
		l.told = l.told || len(l.lines) < before
	}
	if !l.told {
		if len(l.lines) > 0 {
			_ = os.Chtimes(l.file, time.Time{}, now)
		}
		return nil
	}
	le := binary.LittleEndian
	text := make([]byte, 0, len(ledgerMagic)+len(l.lines)*lineSize+sha256.Size)
	text = append(text, ledgerMagic...)
	for k, line := range l.lines {
		text = append(text, k[:]...)
		text = le.AppendUint64(text, uint64(line.stamp.size))
		text = le.AppendUint64(text, uint64(line.stamp.modified))
		text = le.AppendUint64(text, uint64(line.stamp.changed))
		text = le.AppendUint64(text, line.stamp.number)
		text = append(text, line.content[:]...)
	}
	sum := sha256.Sum256(text)
	text = append(text, sum[:]...)
	if err := os.MkdirAll(filepath.Dir(l.file), 0o700); err != nil {
		return err
	}
	name := make([]byte, 16)
	_, _ = rand.Read(name) // never fails
	temporary := filepath.Join(filepath.Dir(l.file), hex.EncodeToString(name)+temporaryExt)
	err := os.WriteFile(temporary, text, 0o600)
	if err == nil {
		err = os.Rename(temporary, l.file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	return nil
}

// readLedger reads a ledger. One that does not exist is empty.
func readLedger(path string) (map[[16]byte]line, error) {
	in, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return nil, err
	}
	const frame = len(ledgerMagic) + sha256.Size
	const most = 256 << 20 // bytes; three million files
	if size := info.Size(); size < int64(frame) || size > most || (size-int64(frame))%lineSize != 0 {
		return nil, formats.Damaged("ledger", -1, "a length that none has", "")
	}
	text := make([]byte, info.Size())
	if _, err := io.ReadFull(in, text); err != nil {
		return nil, err
	}
	end := len(text) - sha256.Size
	if sha256.Sum256(text[:end]) != [sha256.Size]byte(text[end:]) || string(text[:len(ledgerMagic)]) != ledgerMagic {
		return nil, formats.Damaged("ledger", int64(end), "another SHA-256", "")
	}
	le := binary.LittleEndian
	lines := make(map[[16]byte]line, (len(text)-frame)/lineSize)
	for b := text[len(ledgerMagic):end]; len(b) > 0; b = b[lineSize:] {
		lines[[16]byte(b[:16])] = line{
			stamp: Stamp{
				size:     int64(le.Uint64(b[16:])),
				modified: int64(le.Uint64(b[24:])),
				changed:  int64(le.Uint64(b[32:])),
				number:   le.Uint64(b[40:]),
			},
			content: tspack.Sum(b[48:80]),
		}
	}
	return lines, nil
}
