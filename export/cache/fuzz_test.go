package cache

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"talebinder/formats"
)

// seedSegment is a sound segment.
func seedSegment(f *testing.F) []byte {
	f.Helper()
	c := small(f.TempDir(), 1<<20)
	s := begin(f, c)
	add(s, 1, 2, 3)
	end(f, s)
	files, err := c.list()
	if err != nil || len(files) != 1 {
		f.Fatal(files, err)
	}
	text, err := os.ReadFile(files[0].path)
	if err != nil {
		f.Fatal(err)
	}
	return text
}

func FuzzReadTable(f *testing.F) {
	sound := seedSegment(f)
	f.Add(sound)
	f.Add(sound[:len(sound)-1])
	f.Add(sound[len(sound)-footerSize:])
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, text []byte) {
		rows, err := readTable(bytes.NewReader(text), int64(len(text)))
		if err != nil && !errors.Is(err, formats.ErrDamaged) {
			t.Errorf("an error that is no damage: %v", err)
		}
		for _, r := range rows {
			if r.offset < 0 || r.length < 0 || r.offset+r.length > int64(len(text)) {
				t.Errorf("a form of %d bytes at %d in a segment of %d", r.length, r.offset, len(text))
			}
		}
	})
}

func FuzzReadLedger(f *testing.F) {
	c := small(f.TempDir(), 1<<20)
	s := begin(f, c)
	l := s.Ledger("project")
	l.lines[pathKey("a")] = line{stamp: Stamp{size: 1}}
	l.told = true
	end(f, s)
	sound, err := os.ReadFile(l.file)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(sound)
	f.Add(sound[:len(sound)-lineSize])
	f.Add([]byte(ledgerMagic))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		file := filepath.Join(dir, "ledger")
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
		if lines, err := readLedger(file); err != nil && (lines != nil || !errors.Is(err, formats.ErrDamaged)) {
			t.Errorf("%d lines, %v", len(lines), err)
		}
	})
}
