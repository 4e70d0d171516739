package tspack

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talebinder/formats"
	"talebinder/formats/assetpath"
)

// FuzzReader opens anything as a pack. Whatever the bytes are, opening and reading end with content or with a Fault, and
// a pack that can be read can be written again with the same contents.
func FuzzReader(f *testing.F) {
	seeds, err := filepath.Glob("testdata/packs/*.tspack")
	if err != nil || len(seeds) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, name := range seeds {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			checkFault(t, err)
			return
		}
		var sources []Source
		contents := make(map[string][]byte)
		total := int64(0)
		for _, e := range r.Entries() {
			normal, err := assetpath.Normalize(e.Path)
			if err != nil || normal != e.Path {
				t.Errorf("path %q became %q, %v", e.Path, normal, err)
			}
			last, found, err := r.Find(strings.ToUpper(e.Path))
			if err != nil || found && assetpath.Fold(last.Path) != assetpath.Fold(e.Path) {
				t.Errorf("Find(%q) = %+v, %v", e.Path, last, err)
			}
			content, err := r.Open(e)
			if err != nil {
				t.Fatal(err)
			}
			// A few KB can decompress to gigabytes, and that is no fault; they are not all worth reading here.
			text, err := io.ReadAll(io.LimitReader(content, 1<<20))
			content.Close()
			if err != nil {
				checkFault(t, err)
				continue
			}
			if e.Compression == Brotli && int64(len(text)) > e.Length {
				t.Errorf("%+v gave %d bytes", e, len(text))
			}
			key := assetpath.Fold(e.Path)
			if total += int64(len(text)); contents[key] == nil && e.Path != "" && total < 1<<22 {
				contents[key] = append([]byte{}, text...)
				sources = append(sources, textSource(e.Path, string(text)))
			}
		}
		again := open(t, pack(t, sources, WriterOptions{Compress: true, Workers: 2}))
		for _, s := range sources {
			got, err := again.ReadFile(s.Path)
			if err != nil || !bytes.Equal(got, contents[assetpath.Fold(s.Path)]) {
				t.Errorf("%q: %d bytes, %v", s.Path, len(got), err)
			}
		}
	})
}

// FuzzRoundTrip packs a file of any content under any path, whole and in pieces.
func FuzzRoundTrip(f *testing.F) {
	f.Add("a.txt", []byte("hello"), uint16(1), false)
	f.Add("data/été.json", []byte(longText), uint16(100), false)
	f.Add("data/level.bin", []byte(noise(300, 1)+longText), uint16(90), true)
	f.Add("sound.wav", []byte(noise(10, 2)), uint16(2000), true)
	f.Add("zeros", make([]byte, 70), uint16(1000), true)
	f.Add("icon.PNG", []byte{}, uint16(0), false)
	f.Add("../x", []byte("x"), uint16(1), false)
	f.Fuzz(func(t *testing.T, path string, text []byte, times uint16, unknown bool) {
		content := bytes.Repeat(text, int(min(times, 2000)))
		content = content[:min(len(content), 1<<16)]
		source := textSource(path, string(content))
		if unknown {
			source.Size = -1
		}
		l := limits{piece: 20000, inFlight: 40000, lanes: 3}
		var whole, pieces memory
		_, err := write(context.Background(), &whole, []Source{source}, WriterOptions{Compress: true, Workers: 1}, defaultLimits)
		if err != nil {
			var limit *formats.LimitError
			if !errors.Is(err, assetpath.ErrLeaves) && !errors.As(err, &limit) && !strings.Contains(err.Error(), "needs a path") && !strings.Contains(err.Error(), "not UTF-8") {
				t.Error(err)
			}
			return
		}
		if _, err := write(context.Background(), &pieces, []Source{source}, WriterOptions{Compress: true, Workers: 2}, l); err != nil {
			t.Fatal(err)
		}
		normal, _ := assetpath.Normalize(path)
		for _, data := range [][]byte{whole.data, pieces.data} {
			if len(data) > headerSize+len(content)+len(normal)+5+entrySize && len(content) <= l.piece {
				t.Errorf("%d bytes became %d", len(content), len(data))
			}
			h, err := readHeader(bytes.NewReader(data), int64(len(data)))
			if err != nil {
				t.Fatal(err)
			}
			// A file in memory is not cut off, so bytes of a larger attempt may follow the table.
			check(t, data[:h.tableOffset+h.tableLength], map[string][]byte{normal: content})
		}
	})
}
