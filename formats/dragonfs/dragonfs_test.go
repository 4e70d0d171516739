package dragonfs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"talebinder/formats"
	"talebinder/formats/disctest"
	"talebinder/formats/internal/seed"
	"talebinder/formats/n64rom"
)

func source(path, content string) Source {
	return Source{Path: path, Size: int64(len(content)), Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }}
}

func dir(path string) Source { return Source{Path: path, Dir: true} }

// tree has empty files and directories, names that collide in the lookup table, and names of odd and even lengths.
func tree() []Source {
	return []Source{
		source("Content/BB", "second"), source("Content/Aa", "first"), dir("Content/Empty"), source("Content/Music/tide.xm64", "notes"),
		source("Content/empty.bin", ""), source("Content/Music/Deep/x", "odd"), source("Content/café.txt", "signed bytes"),
	}
}

func write(t testing.TB, sources []Source) []byte {
	t.Helper()
	l, err := NewLayout(sources)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := l.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if int64(b.Len()) != l.Size {
		t.Fatalf("%d bytes written, %d planned", b.Len(), l.Size)
	}
	return b.Bytes()
}

func open(b []byte) (*FS, error) { return NewReader(bytes.NewReader(b), int64(len(b))) }

// sources gives back what an image holds, as what a new one is made of.
func sources(fs *FS) []Source {
	var list []Source
	for n := range fs.All() {
		list = append(list, Source{Path: n.Path(), Dir: n.Dir, Size: n.Size, Open: func() (io.ReadCloser, error) { return io.NopCloser(fs.Open(n)), nil }})
	}
	return list
}

func TestRoundTrip(t *testing.T) {
	image := write(t, tree())
	fs, err := open(image)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for n := range fs.All() {
		text, err := io.ReadAll(fs.Open(n))
		if err != nil {
			t.Fatal(err)
		}
		got[n.Path()] = string(text)
	}
	for _, s := range tree() {
		want := ""
		if !s.Dir {
			r, _ := s.Open()
			text, _ := io.ReadAll(r)
			want = string(text)
		}
		if text, ok := got[s.Path]; !ok || text != want {
			t.Errorf("%s: %q, %v, want %q", s.Path, text, ok, want)
		}
	}
	if fs.Files != 6 || fs.Dirs != 4 || len(got) != 10 {
		t.Errorf("%d files, %d directories: %v", fs.Files, fs.Dirs, got)
	}
	if again := write(t, sources(fs)); !bytes.Equal(again, image) {
		t.Error("given back its own tree it is another image")
	}
	reversed := tree()
	slices.Reverse(reversed)
	if again := write(t, reversed); !bytes.Equal(again, image) {
		t.Error("the order of the sources changes the image")
	}
}

func TestLookupTable(t *testing.T) {
	image := write(t, tree())
	at := binary.BigEndian.Uint32(image[8:])
	size := binary.BigEndian.Uint32(image)
	table := image[at:][:size]
	count := binary.BigEndian.Uint32(table)
	text := image[binary.BigEndian.Uint32(table[4:]):]
	last := uint32(0)
	var paths []string
	for i := range count {
		row := table[8+16*i:]
		h, place := binary.BigEndian.Uint32(row), binary.BigEndian.Uint32(row[4:])
		path := string(text[place&0xFFFFF:][:place>>20-1])
		if h < last || h != hash(path) || place&1 != 0 {
			t.Errorf("%q has the hash %08x behind %08x", path, h, last)
		}
		last = h
		paths = append(paths, path)
	}
	// Aa and BB have the same hash, and Content/Aa is stored first.
	if a := slices.Index(paths, "Content/Aa"); len(paths) != 6 || a < 0 || paths[a+1] != "Content/BB" {
		t.Error(paths)
	}
}

func TestHash(t *testing.T) {
	for path, want := range map[string]uint32{"": 0, "a": 0x61, "Aa": 0x840, "BB": 0x840, "Content/Prebaked.pak": 0x904a68aa, "Content/café.txt": 0xf258505a, "Content/日.bin": 0x4c0acdb7} {
		if got := hash(path); got != want {
			t.Errorf("%q: %08x, want %08x", path, got, want)
		}
	}
}

// The file systems of golden cartridges come out the same from their own trees.
func TestGoldenFileSystems(t *testing.T) {
	same := 0
	for _, c := range disctest.Cases(t, "../..", "z64") {
		if c.Refused() {
			continue
		}
		image := c.Image(t)
		rom, err := n64rom.NewReader(bytes.NewReader(image), int64(len(image)))
		if err != nil {
			t.Fatal(err)
		}
		_, e, err := rom.FileSystem()
		if err != nil {
			t.Fatal(err)
		}
		data := image[e.Offset:e.End()]
		fs, err := open(data)
		if err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
		if again := write(t, sources(fs)); !bytes.Equal(again, data) {
			t.Errorf("%s: given back its own tree it is another image", c.ID)
		}
		same++
	}
	t.Logf("%d file systems come out the same", same)
}

func TestRefusals(t *testing.T) {
	long := strings.Repeat("n", MaxName+1)
	var deep, many []Source
	deep = append(deep, dir(strings.Repeat("d/", maxDepth+1)+"d"))
	for i := range 300 {
		many = append(many, source(fmt.Sprintf("%s%d", strings.Repeat(strings.Repeat("p", 240)+"/", 15), i), ""))
	}
	for name, c := range map[string]struct {
		sources []Source
		want    string
	}{
		"empty":         {nil, "a file or a directory at least"},
		"long name":     {[]Source{source("Content/"+long, "")}, "is 244 bytes, the limit is 243"},
		"long dir":      {[]Source{dir("Content/" + long)}, "is 244 bytes"},
		"long path":     {[]Source{source(strings.Repeat(strings.Repeat("p", 240)+"/", 17)+"x", "")}, "the limit is 4094"},
		"large":         {[]Source{{Path: "x", Size: MaxFile + 1}}, "the limit is 268435455"},
		"all too large": {[]Source{{Path: "x", Size: MaxFile}, {Path: "y", Size: MaxFile}}, "size of the file system"},
		"twice":         {[]Source{source("x", ""), source("x", "")}, "two files have this path"},
		"both":          {[]Source{source("x", ""), dir("x")}, "a file and a directory"},
		"below a file":  {[]Source{source("x", ""), source("x/y", "")}, "a file and a directory"},
		"no name":       {[]Source{source("x//y", "")}, "an empty name"},
		"NUL":           {[]Source{source("x\x00", "")}, "a NUL"},
		"deep":          {deep, "directories"},
		"all paths":     {many, "length of all paths"},
	} {
		if _, err := NewLayout(c.sources); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	for name, s := range map[string]Source{
		"shorter": {Path: "x", Size: 5, Open: source("x", "abc").Open},
		"longer":  {Path: "x", Size: 2, Open: source("x", "abc").Open},
	} {
		l, err := NewLayout([]Source{s})
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Write(t.Context(), io.Discard); err == nil || !strings.Contains(err.Error(), "did it change?") {
			t.Errorf("a source that is %s: %v", name, err)
		}
	}
}

// defects are what is wrong with the image of the tree, by name.
var defects = map[string]struct {
	change func(b []byte) []byte
	want   string
}{
	"short":         {func(b []byte) []byte { return b[:24] }, "25 at least"},
	"mark":          {func(b []byte) []byte { b[4] = 0; return b }, "FF FF FF FF"},
	"version-2.0":   {func(b []byte) []byte { b[23] = '0'; return b }, "newer tools"},
	"no-identifier": {func(b []byte) []byte { b[12] = 'X'; return b }, "DragonFS 2.1"},
	"loop":          {func(b []byte) []byte { binary.BigEndian.PutUint32(b[26:], 26); return b }, "in a circle"},
	"child-is-root": {func(b []byte) []byte { binary.BigEndian.PutUint32(b[34:], 26); return b }, "in a circle"},
	"odd-entry":     {func(b []byte) []byte { binary.BigEndian.PutUint32(b[26:], 47); return b }, "even offset"},
	"entry-outside": {func(b []byte) []byte { binary.BigEndian.PutUint32(b[26:], 0xFFFFFFF0); return b }, "even offset"},
	"flags":         {func(b []byte) []byte { b[30] = 0x20; return b }, "flags 20000000"},
	"data-outside":  {func(b []byte) []byte { binary.BigEndian.PutUint32(b[26+4:], 0x0FFFFFFF); return b }, "within the file system's"},
	"no-name":       {func(b []byte) []byte { b[38] = 0; return b }, "no name"},
	"slash-in-name": {func(b []byte) []byte { b[39] = '/'; return b }, "the slash that parts names"},
	"endless-name":  {func(b []byte) []byte { return append(b[:38], bytes.Repeat([]byte{'n'}, 300)...) }, "no name"},
}

func TestDefects(t *testing.T) {
	for name, d := range defects {
		_, err := open(d.change(write(t, tree())))
		if err == nil || !strings.Contains(err.Error(), d.want) {
			t.Errorf("%s: %v, want %q", name, err, d.want)
			continue
		}
		checkFault(t, err)
	}
	var limit *formats.LimitError
	if _, err := NewReader(bytes.NewReader(nil), maxImage+1); !errors.As(err, &limit) {
		t.Error(err)
	}
	empty := write(t, tree())[:rootSize]
	binary.BigEndian.PutUint32(empty[8:], rootSize)
	if fs, err := open(empty); err != nil || fs.Files+fs.Dirs != 0 {
		t.Errorf("an image without an entry: %+v, %v", fs, err)
	}
}

func checkFault(t *testing.T, err error) {
	t.Helper()
	var limit *formats.LimitError
	if !errors.Is(err, formats.ErrDamaged) && !errors.Is(err, formats.ErrUnsupported) && !errors.As(err, &limit) {
		t.Errorf("an error of another kind: %v", err)
	}
}

// seeds are the image of the tree and each of its defects.
func seeds(t testing.TB) map[string][]byte {
	all := map[string][]byte{"tree": write(t, tree())}
	for name, d := range defects {
		all[name] = d.change(write(t, tree()))
	}
	return all
}

func TestSeeds(t *testing.T) { seed.Check(t, "FuzzReader", seeds(t)) }

// FuzzReader opens anything as a file system. Whatever the bytes are, the files lie within them, and a tree that can be
// written comes out the same again.
func FuzzReader(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		fs, err := open(data)
		if err != nil {
			checkFault(t, err)
			return
		}
		total := int64(0)
		for n := range fs.All() {
			if n.Offset+n.Size > int64(len(data)) {
				t.Fatalf("%q ends at %d of %d", n.Path(), n.Offset+n.Size, len(data))
			}
			total += n.Size
		}
		if total > 1<<20 {
			return // files that overlap
		}
		l, err := NewLayout(sources(fs))
		if err != nil {
			return // names twice, or none
		}
		var first bytes.Buffer
		if err := l.Write(t.Context(), &first); err != nil {
			t.Fatal(err)
		}
		again, err := open(first.Bytes())
		if err != nil || again.Files != fs.Files {
			t.Fatalf("%d files, then %+v, %v", fs.Files, again, err)
		}
		if second := write(t, sources(again)); !bytes.Equal(second, first.Bytes()) {
			t.Error("given back its own tree it is another image")
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	var list []Source
	content := strings.Repeat("x", 64<<10)
	for i := range 500 {
		list = append(list, source(fmt.Sprintf("Content/%d/%d.bin", i%20, i), content))
	}
	l, err := NewLayout(list)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(l.Size)
	for b.Loop() {
		if err := l.Write(b.Context(), io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
