package netbundle_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"talebinder/formats"
	"talebinder/formats/internal/seed"
	"talebinder/formats/netbundle"
	"talebinder/formats/netbundle/bundletest"
)

// host is an executable as far as a bundle cares: bytes of any kind with a marker among them.
func host(size, marker int) []byte {
	b := make([]byte, size)
	random := rand.New(rand.NewPCG(uint64(size), 2))
	for i := range b {
		b[i] = byte(random.Uint32())
	}
	copy(b[marker:], bundletest.Marker())
	return b
}

func find(data []byte) (*netbundle.Bundle, bool, error) {
	return netbundle.Find(bytes.NewReader(data), int64(len(data)))
}

func mustFind(t testing.TB, data []byte) *netbundle.Bundle {
	t.Helper()
	b, found, err := find(data)
	if err != nil || !found {
		t.Fatalf("found: %v, %v", found, err)
	}
	return b
}

func full(major uint32) bundletest.Bundle {
	return bundletest.Bundle{Major: major, Files: bundletest.Files(major)}
}

// check compares a bundle with its description.
func check(t testing.TB, b *netbundle.Bundle, want bundletest.Bundle) {
	t.Helper()
	if b.Major != want.Major || b.Flags != want.Flags || len(b.Entries) != len(want.Files) {
		t.Fatalf("version %s, flags %d, %d files", b.Version(), b.Flags, len(b.Entries))
	}
	for i, e := range b.Entries {
		f := want.Files[i]
		if e.Path != f.Path || e.Type != f.Type || e.Size != int64(len(f.Content)) || (e.CompressedSize != 0) != f.Compress {
			t.Errorf("file %d: %+v", i, e)
		}
		r, err := b.Open(e)
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(iotest.OneByteReader(r))
		if err != nil || !bytes.Equal(content, f.Content) {
			t.Errorf("%s: %d bytes, %v", e.Path, len(content), err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := b.Verify(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestEveryVersion(t *testing.T) {
	for _, major := range []uint32{1, 2, 6} {
		want := full(major)
		data := want.Append(host(10000, 4000))
		b := mustFind(t, data)
		check(t, b, want)
		if b.Marker != 4000 || b.Start() < 10000 || b.Start() > 10015 || b.End != int64(len(data)) || b.ID != "F1xture_id-0" {
			t.Errorf("version %d: marker %d, start %d, end %d of %d, id %q", major, b.Marker, b.Start(), b.End, len(data), b.ID)
		}
		if b.ExtractsAll() != (major == 1) {
			t.Errorf("version %d: extracts all: %v", major, b.ExtractsAll())
		}
		if major > 1 && (b.DepsJSON.Size != 62 || b.RuntimeConfig.Size != 21) {
			t.Errorf("version %d: %+v, %+v", major, b.DepsJSON, b.RuntimeConfig)
		}
	}
}

func TestFlags(t *testing.T) {
	want := full(6)
	want.Flags = 1
	if b := mustFind(t, want.Append(host(200, 100))); !b.ExtractsAll() || b.Flags != 1 {
		t.Errorf("flags %d", b.Flags)
	}
}

func TestTypesInWords(t *testing.T) {
	for kind, want := range map[netbundle.Type]string{netbundle.Unknown: "file", netbundle.Assembly: "assembly", netbundle.NativeBinary: "native library",
		netbundle.DepsJSON: "deps.json", netbundle.RuntimeConfigJSON: "runtimeconfig.json", netbundle.Symbols: "symbols", 9: "type 9"} {
		if kind.String() != want {
			t.Errorf("%q, expected %q", kind.String(), want)
		}
	}
}

func TestExecutablesWithoutABundle(t *testing.T) {
	marker := bundletest.Marker()
	for name, data := range map[string][]byte{
		"an empty file":                      nil,
		"a small file":                       []byte("MZ"),
		"a native program":                   bytes.Repeat([]byte("native"), 500000),
		"a host that has got no bundle":      host(3<<20, 2<<20),
		"a signature without room before it": append(slices.Clone(marker[9:]), make([]byte, 100)...),
		"a signature that is cut off":        append(make([]byte, 50), marker[:39]...),
	} {
		if b, found, err := find(data); found || b != nil || err != nil {
			t.Errorf("%s: %v, %v, %v", name, b, found, err)
		}
	}
}

// The host is searched in parts; the marker is found wherever it lies across them.
func TestMarkersAreFoundEverywhere(t *testing.T) {
	for _, at := range []int{0, 1, 1<<20 - 80, 1<<20 - 41, 1<<20 - 40, 1<<20 - 39, 1<<20 - 20, 1<<20 - 1, 1 << 20, 2<<20 - 60, 2<<20 - 40} {
		want := bundletest.Bundle{Major: 6, Files: []bundletest.File{{Path: "a", Content: []byte("x")}}}
		if b := mustFind(t, want.Append(host(2<<20+50, at))); b.Marker != int64(at) {
			t.Errorf("found at %d, expected %d", b.Marker, at)
		}
	}
}

func TestFalseStartsAreNoMarker(t *testing.T) {
	data := full(6).Append(host(5000, 3000))
	copy(data[2000:], bundletest.Marker()[8+13:])
	if b := mustFind(t, data); b.Marker != 3000 {
		t.Errorf("found at %d", b.Marker)
	}
}

func TestOnlyTheHostIsSearched(t *testing.T) {
	data := full(6).Append(host(5000, 4900))
	if _, found, err := netbundle.FindInHost(bytes.NewReader(data), int64(len(data)), 4900); found || err != nil {
		t.Errorf("found: %v, %v", found, err)
	}
	if _, found, err := netbundle.FindInHost(bytes.NewReader(data), int64(len(data)), 4940); !found || err != nil {
		t.Errorf("found: %v, %v", found, err)
	}
}

// move does by hand what a change of the host does: the rest of the file slides, the patches are applied.
func move(data []byte, b *netbundle.Bundle, hostSize, delta int64) []byte {
	patched := slices.Clone(data)
	for _, p := range b.Shift(delta) {
		copy(patched[p.Offset:], p.Data)
	}
	moved := append(slices.Clone(patched[:hostSize]), make([]byte, delta)...)
	return append(moved, patched[hostSize:]...)
}

func TestMovedBundlesAreTheSame(t *testing.T) {
	for _, major := range []uint32{1, 2, 6} {
		want := full(major)
		want.Align = 4096
		data := want.Append(host(10000, 4000))
		before := mustFind(t, data)
		for _, delta := range []int64{0, 4096, 1 << 20} {
			after := mustFind(t, move(data, before, 10000, delta))
			check(t, after, want)
			if err := netbundle.Compare(t.Context(), before, after); err != nil {
				t.Errorf("version %d by %d: %v", major, delta, err)
			}
			if after.Header != before.Header+delta || after.End != before.End+delta {
				t.Errorf("version %d by %d: header %d, end %d", major, delta, after.Header, after.End)
			}
			for _, e := range after.Entries {
				if e.Type == netbundle.Assembly && e.CompressedSize == 0 && e.Offset%4096 != 0 {
					t.Errorf("version %d by %d: %s at %d", major, delta, e.Path, e.Offset)
				}
			}
			back := after.Shift(-delta)
			restored := slices.Delete(move(move(data, before, 10000, delta), after, int64(len(data))+delta, 0), 10000, 10000+int(delta))
			for _, p := range back {
				at := p.Offset
				if at > 10000 {
					at -= delta
				}
				copy(restored[at:], p.Data)
			}
			if !bytes.Equal(restored, data) {
				t.Errorf("version %d by %d: moving back gives other bytes", major, delta)
			}
		}
	}
}

func TestComparisonsNoticeEveryDifference(t *testing.T) {
	base := full(6)
	data := base.Append(host(10000, 4000))
	before := mustFind(t, data)
	changed := func(change func(*bundletest.Bundle)) []byte {
		b := base
		b.Files = slices.Clone(base.Files)
		change(&b)
		return b.Append(host(10000, 4000))
	}
	other := slices.Clone(data)
	other[before.Entries[0].Offset+2999] ^= 1
	uneven := move(data, before, 10000, 16)
	for name, c := range map[string]struct {
		data []byte
		says string
	}{
		"a byte of a file":           {other, "game.dll: other bytes"},
		"a distance that is no page": {uneven, "distance: 16, expected a multiple of 4096"},
		"the id":                     {changed(func(b *bundletest.Bundle) { b.ID = "F1xture_id-1" }), "id"},
		"the flags":                  {changed(func(b *bundletest.Bundle) { b.Flags = 1 }), "flags"},
		"the type of a file":         {changed(func(b *bundletest.Bundle) { b.Files[5].Type = netbundle.Symbols }), "file 5"},
		"the place of a special file": {changed(func(b *bundletest.Bundle) {
			b.Files[3], b.Files[4] = b.Files[4], b.Files[3]
		}), "place of the .deps.json"},
		"the number of files": {move(changed(func(b *bundletest.Bundle) { b.Files = append(b.Files, bundletest.File{Path: "z"}) }), before, 10000, 0), "number of files"},
	} {
		t.Run(name, func(t *testing.T) {
			after := mustFind(t, c.data)
			err := netbundle.Compare(t.Context(), before, after)
			if !errors.Is(err, formats.ErrDamaged) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := netbundle.Compare(ctx, before, before); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := before.Verify(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// damaged is a bundle of one file, "ab.txt" with the content "content", changed at an offset from its header.
type damaged struct {
	data   []byte
	header int
}

func small(major uint32) damaged {
	b := bundletest.Bundle{Major: major, ID: "id", Files: []bundletest.File{{Path: "ab.txt", Content: []byte("content")}}}
	data := b.Append(host(200, 100))
	return damaged{data, 207}
}

func (d damaged) put(at int, b ...byte) damaged {
	data := slices.Clone(d.data)
	copy(data[d.header+at:], b)
	return damaged{data, d.header}
}

func (d damaged) put64(at int, v int64) damaged {
	return d.put(at, binary.LittleEndian.AppendUint64(nil, uint64(v))...)
}

func (d damaged) cut(at int) damaged { return damaged{d.data[:d.header+at], d.header} }

// In a bundle of version 6 with a two-letter id, the places begin at 15, the flags at 47 and the entry at 55.
var faults = map[string]struct {
	file damaged
	kind error
	says string
}{
	"header-in-the-host":        {small(6).put64(100-207, 50), formats.ErrDamaged, "bundle: offset of the header at byte 100: 50, expected 140 to"},
	"header-beyond-the-end":     {small(6).put64(100-207, 1<<40), formats.ErrDamaged, "offset of the header at byte 100: 1099511627776"},
	"negative-header":           {small(6).put64(100-207, -1), formats.ErrDamaged, "offset of the header at byte 100: -1"},
	"cut-in-the-version":        {small(6).cut(6), formats.ErrDamaged, "bundle: header at byte 213: the end of the file, expected 2 more bytes"},
	"version-3":                 {small(6).put(0, 3), formats.ErrUnsupported, "bundle: version at byte 207: 3.0, expected 1.0, 2.0 or 6.0; publish"},
	"version-7":                 {small(6).put(0, 7), formats.ErrUnsupported, "7.0"},
	"version-6-1":               {small(6).put(4, 1), formats.ErrUnsupported, "6.1"},
	"no-files":                  {small(6).put(8, 0), formats.ErrDamaged, "number of files at byte 215: 0"},
	"negative-count":            {small(6).put(8, 255, 255, 255, 255), formats.ErrDamaged, "number of files at byte 215: -1"},
	"two-billion-files":         {small(6).put(8, 255, 255, 255, 127), formats.ErrDamaged, "number of files at byte 215: 2147483647"},
	"empty-id":                  {small(6).put(12, 0), formats.ErrDamaged, "bundle: header: length of a text at byte 219: 0"},
	"long-length-of-the-id":     {small(6).put(12, 0x82, 0x80, 0), formats.ErrDamaged, "length of a text at byte 219: more than 2 bytes"},
	"id-beyond-the-end":         {small(6).put(12, 0xff, 0x7f), formats.ErrDamaged, "the end of the file, expected"},
	"id-not-utf-8":              {small(6).put(13, 0xff), formats.ErrDamaged, "which is not UTF-8"},
	"deps-beyond-the-end":       {small(6).put64(15, 10000), formats.ErrDamaged, "bundle: place of the .deps.json at byte 222: bytes 10000 to 10000"},
	"config-of-negative-size":   {small(6).put64(31, 10).put64(39, -5), formats.ErrDamaged, "place of the .runtimeconfig.json at byte 238: -5 bytes from byte 10 on"},
	"cut-in-the-flags":          {small(6).cut(50), formats.ErrDamaged, "bundle: header at byte 257: the end of the file"},
	"file-at-0":                 {small(6).put64(55, 0), formats.ErrDamaged, "bundle: file 0 at byte 262: bytes 0 to 7"},
	"file-beyond-the-end":       {small(6).put64(63, 1<<62), formats.ErrDamaged, "bundle: file 0 at byte 262: bytes 200 to"},
	"file-of-negative-size":     {small(6).put64(63, -1), formats.ErrDamaged, "-1 bytes from byte 200 on"},
	"sum-beyond-64-bits":        {small(6).put64(55, 1<<62).put64(63, 1<<63-1), formats.ErrDamaged, "9223372036854775807 bytes from byte"},
	"compressed-beyond-the-end": {small(6).put64(71, 1<<20), formats.ErrDamaged, "bytes 200 to 1048776"},
	"negative-compressed":       {small(6).put64(71, -1), formats.ErrDamaged, "file 0"},
	"type-6":                    {small(6).put(79, 6), formats.ErrDamaged, "bundle: file 0: type at byte 286: 6, expected 0 to 5"},
	"path-that-leaves":          {small(6).put(81, '.', '.', '/'), formats.ErrDamaged, `the path "../txt"`},
	"path-with-backslashes":     {small(6).put(81, '.', '.', '\\'), formats.ErrDamaged, `leave its folder`},
	"path-on-a-drive":           {small(6).put(82, ':'), formats.ErrDamaged, `"a:.txt"`},
	"absolute-path":             {small(6).put(81, '/'), formats.ErrDamaged, `"/b.txt"`},
	"cut-in-the-path":           {small(6).cut(84), formats.ErrDamaged, "bundle: file 0 at byte 291: the end of the file, expected 3 more bytes"},
	"cut-in-version-1":          {small(1).cut(30), formats.ErrDamaged, "the end of the file"},
}

func TestDamage(t *testing.T) {
	for name, c := range faults {
		t.Run(name, func(t *testing.T) {
			b, found, err := find(c.file.data)
			if b != nil || found || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, %v, want %q", found, err, c.says)
			}
		})
	}
	t.Run("a path twice", func(t *testing.T) {
		b := bundletest.Bundle{Major: 6, Files: []bundletest.File{{Path: "a"}, {Path: "b"}, {Path: "a"}}}
		if _, _, err := find(b.Append(host(200, 100))); !errors.Is(err, formats.ErrDamaged) || !strings.Contains(err.Error(), `"a" for the second time`) {
			t.Errorf("got %v", err)
		}
	})
}

func TestErrorsOfTheFileAreKept(t *testing.T) {
	data := full(6).Append(host(5000, 4000))
	for _, limit := range []int64{0, 4010, int64(len(data)) - 5} {
		failing := failingAfter{bytes.NewReader(data), limit}
		if _, _, err := netbundle.Find(failing, int64(len(data))); !errors.Is(err, iotest.ErrTimeout) {
			t.Errorf("failing from %d on: %v", limit, err)
		}
	}
	if _, _, err := netbundle.Find(bytes.NewReader(data[:4500]), int64(len(data))); !errors.Is(err, formats.ErrDamaged) {
		t.Errorf("shorter than it said: %v", err)
	}
}

type failingAfter struct {
	file  io.ReaderAt
	limit int64
}

func (f failingAfter) ReadAt(p []byte, offset int64) (int, error) {
	if offset+int64(len(p)) > f.limit {
		return 0, iotest.ErrTimeout
	}
	return f.file.ReadAt(p, offset)
}

func TestDamagedContents(t *testing.T) {
	text := bytes.Repeat([]byte("some text that is compressed. "), 100)
	b := bundletest.Bundle{Major: 6, Files: []bundletest.File{{Path: "first.txt", Content: []byte("stored")}, {Path: "text.txt", Content: text, Compress: true},
		{Path: "a.deps.json", Type: netbundle.DepsJSON, Content: []byte("{}")}}}
	data := b.Append(host(200, 100))
	at := mustFind(t, data)
	field := bytes.LastIndex(data, []byte("text.txt")) - 1 - 1 - 24
	deps := int(at.Header) + 4 + 4 + 4 + 1 + len(at.ID)
	change := func(at int, v uint64) []byte {
		c := slices.Clone(data)
		binary.LittleEndian.PutUint64(c[at:], v)
		return c
	}
	broken := slices.Clone(data)
	broken[at.Entries[1].Offset] = 0xff
	for name, c := range map[string]struct {
		data []byte
		says string
	}{
		"no deflate stream":           {broken, "bundle: text.txt at byte 206: data that cannot be decompressed"},
		"a stream that ends early":    {change(field+16, uint64(at.Entries[1].CompressedSize-5)), "cannot be decompressed: unexpected EOF"},
		"more than the size":          {change(field+8, 2999), "text.txt at byte 206: more than 2999 bytes, expected 2999, the file's size"},
		"less than the size":          {change(field+8, 3001), "text.txt at byte 206: 3000 bytes, expected 3001"},
		"a header with another place": {change(deps, 201), "place of the deps.json at byte"},
		"a header with another size":  {change(deps+8, 1), "place of the deps.json at byte"},
	} {
		t.Run(name, func(t *testing.T) {
			err := mustFind(t, c.data).Verify(t.Context())
			if !errors.Is(err, formats.ErrDamaged) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
}

func TestSeeds(t *testing.T) {
	seeds := map[string][]byte{}
	for name, c := range faults {
		seeds[name] = c.file.data
	}
	for name, major := range map[string]uint32{"version-1": 1, "version-2": 2, "version-6": 6} {
		seeds[name] = small(major).data
	}
	seeds["compressed"] = bundletest.Bundle{Major: 6, Files: []bundletest.File{{Path: "a.txt", Content: bytes.Repeat([]byte("a"), 100), Compress: true},
		{Path: "a.deps.json", Type: netbundle.DepsJSON, Content: []byte("{}")}}}.Append(bundletest.Marker())
	seeds["no-bundle"] = host(100, 20)
	seed.Check(t, "FuzzFind", seeds)
}

// Whatever is found can be verified and read without harm, and moving it by a page gives the same bundle.
func FuzzFind(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		b, found, err := find(data)
		if err != nil {
			if !errors.Is(err, formats.ErrDamaged) && !errors.Is(err, formats.ErrUnsupported) {
				t.Fatalf("an error of no kind: %v", err)
			}
			return
		}
		if !found {
			return
		}
		if err := b.Verify(t.Context()); err != nil && !errors.Is(err, formats.ErrDamaged) {
			t.Fatalf("an error of no kind: %v", err)
		}
		hostSize := b.Marker + 40
		if b.Start() < hostSize || b.DepsJSON.Offset != 0 && b.DepsJSON.Offset < hostSize || b.RuntimeConfig.Offset != 0 && b.RuntimeConfig.Offset < hostSize {
			return
		}
		for _, e := range b.Entries {
			if e.Offset+e.StoredSize() > b.Header {
				return // a content that overlaps the header changes with it
			}
		}
		after, found, err := find(move(data, b, hostSize, 4096))
		if err != nil || !found {
			t.Fatalf("moved: %v, %v", found, err)
		}
		if err := netbundle.Compare(t.Context(), b, after); err != nil {
			t.Fatal(err)
		}
	})
}

func BenchmarkFind(b *testing.B) {
	data := host(100<<20, 99<<20)
	for i := 0; i < len(data); i += 7 { // as common as it is in the code of a processor
		if i < 99<<20-10 || i > 99<<20+50 {
			data[i] = 0x8b
		}
	}
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, found, err := find(data); found || err != nil {
			b.Fatal(found, err)
		}
	}
}

func BenchmarkVerify(b *testing.B) {
	files := make([]bundletest.File, 100)
	for i := range files {
		files[i] = bundletest.File{Path: strings.Repeat("a", i+1), Content: bytes.Repeat([]byte("managed code with a little variety "), 10000), Compress: true}
	}
	bundle := mustFind(b, bundletest.Bundle{Major: 6, Files: files}.Append(bundletest.Marker()))
	b.SetBytes(100 * 350000)
	for b.Loop() {
		if err := bundle.Verify(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
