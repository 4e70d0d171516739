package clr_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"talebinder/formats"
	"talebinder/formats/clr"
)

func userStrings(b []byte) ([]string, error) {
	return clr.UserStrings(bytes.NewReader(b), int64(len(b)))
}

func TestGolden(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "shared", "golden", "talesmith")
	text, err := os.ReadFile(filepath.Join(dir, "assemblies.json"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("no golden files beside the project")
	}
	var list struct {
		Cases []struct {
			File, Outcome string
			Strings       []string
		}
	}
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list.Cases {
		b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(c.File)))
		if err != nil {
			t.Fatal(err)
		}
		got, err := userStrings(b)
		if c.Outcome == "error" {
			if !errors.Is(err, formats.ErrDamaged) {
				t.Errorf("%s: got error %v, want damage", c.File, err)
			}
			continue
		}
		if err != nil || !slices.Equal(got, c.Strings) {
			t.Errorf("%s: got %q, %v, want %q", c.File, got, err, c.Strings)
		}
	}
	t.Logf("%d cases", len(list.Cases))
}

// An assembly is the description of a PE file; build lays it out. The zero value of a field gives a valid file.
type assembly struct {
	plus        bool   // PE32+
	native      bool   // no CLI header
	directories uint32 // 0 means 16
	heap        []byte
	stream      string // name of the heap's stream; "" means #US
}

const (
	peAt       = 0x80
	sectionRVA = 0x2000
	sectionAt  = 0x200
	metadataAt = 72 // in the section, after the CLI header
)

func (a assembly) build() []byte {
	le := binary.LittleEndian
	name := append([]byte(cmp.Or(a.stream, "#US")), 0)
	for len(name)%4 != 0 {
		name = append(name, 0)
	}
	version := []byte("v4.0.30319\x00\x00")
	root := le.AppendUint32(nil, 0x424A5342)
	root = le.AppendUint32(root, 1<<16|1)
	root = le.AppendUint32(root, 0)
	root = le.AppendUint32(root, uint32(len(version)))
	root = append(root, version...)
	root = le.AppendUint32(root, 2<<16)
	first := append(le.AppendUint32(le.AppendUint32(nil, 0), 0), "#~\x00\x00"...)
	heapAt := len(root) + len(first) + 8 + len(name)
	root = append(root, first...)
	root = le.AppendUint32(root, uint32(heapAt))
	root = le.AppendUint32(root, uint32(len(a.heap)))
	root = append(append(root, name...), a.heap...)

	content := make([]byte, metadataAt)
	le.PutUint32(content, metadataAt)
	le.PutUint32(content[8:], sectionRVA+metadataAt)
	le.PutUint32(content[12:], uint32(len(root)))
	content = append(content, root...)

	magic, directories := uint16(0x10B), 92
	if a.plus {
		magic, directories = 0x20B, 108
	}
	optional := make([]byte, directories+4+16*8)
	le.PutUint16(optional, magic)
	le.PutUint32(optional[directories:], cmp.Or(a.directories, 16))
	if !a.native {
		le.PutUint32(optional[directories+4+14*8:], sectionRVA)
		le.PutUint32(optional[directories+4+14*8+4:], metadataAt)
	}
	out := make([]byte, peAt)
	copy(out, "MZ")
	le.PutUint32(out[0x3C:], peAt)
	coff := make([]byte, 24)
	copy(coff, "PE\x00\x00")
	le.PutUint16(coff[6:], 1)
	le.PutUint16(coff[20:], uint16(len(optional)))
	header := make([]byte, 40)
	copy(header, ".text")
	le.PutUint32(header[8:], uint32(len(content)))
	le.PutUint32(header[12:], sectionRVA)
	le.PutUint32(header[16:], uint32(len(content)))
	le.PutUint32(header[20:], sectionAt)
	out = append(append(append(out, coff...), optional...), header...)
	out = append(out, make([]byte, sectionAt-len(out))...)
	return append(out, content...)
}

// heapOf writes strings as the #US heap stores them.
func heapOf(all ...string) []byte {
	heap := []byte{0}
	for _, s := range all {
		units := utf16.Encode([]rune(s))
		n := 2*len(units) + 1
		switch {
		case n < 0x80:
			heap = append(heap, byte(n))
		case n < 0x4000:
			heap = binary.BigEndian.AppendUint16(heap, uint16(n)|0x8000)
		default:
			heap = binary.BigEndian.AppendUint32(heap, uint32(n)|0xC0000000)
		}
		for _, u := range units {
			heap = binary.LittleEndian.AppendUint16(heap, u)
		}
		heap = append(heap, 0)
	}
	return heap
}

func TestStringsOfEveryLength(t *testing.T) {
	want := []string{"", "a", strings.Repeat("b", 63), strings.Repeat("c", 64), strings.Repeat("d", 8191),
		strings.Repeat("e", 8192), "café/日.png", "🏮"}
	for _, plus := range []bool{false, true} {
		got, err := userStrings(assembly{plus: plus, heap: append(heapOf(want...), 0, 0, 0)}.build())
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("plus %v: got %d strings, %v, want %d", plus, len(got), err, len(want))
		}
	}
}

func TestFilesWithoutStrings(t *testing.T) {
	for name, a := range map[string]assembly{
		"not managed":             {native: true, heap: heapOf("a/b")},
		"few directories":         {directories: 14, heap: heapOf("a/b")},
		"no #US stream":           {stream: "#Strings", heap: heapOf("a/b")},
		"an empty heap":           {},
		"a heap of padding":       {heap: []byte{0, 0, 0, 0}},
		"a PE32+ without a table": {plus: true, native: true},
	} {
		if got, err := userStrings(a.build()); err != nil || len(got) != 0 {
			t.Errorf("%s: got %q, %v, want nothing", name, got, err)
		}
	}
}

func TestHalfASurrogatePairIsReplaced(t *testing.T) {
	got, err := userStrings(assembly{heap: []byte{0, 5, 0x3C, 0xD8, 'a', 0, 0}}.build())
	if err != nil || !slices.Equal(got, []string{"\uFFFDa"}) {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestDamage(t *testing.T) {
	le := binary.LittleEndian
	const optional, header, content = peAt + 24, peAt + 24 + 224, sectionAt
	for _, c := range []struct {
		name   string
		damage func(b []byte) []byte
		want   string
	}{
		{"an empty file", func(b []byte) []byte { return nil }, "DOS header"},
		{"another kind of file", func(b []byte) []byte { b[0] = 'X'; return b }, `"MZ"`},
		{"a PE header beyond the file", func(b []byte) []byte { le.PutUint32(b[0x3C:], 0xFFFFFFF0); return b }, "PE header"},
		{"a wrong PE signature", func(b []byte) []byte { b[peAt+1] = 'F'; return b }, "PE signature"},
		{"too many sections", func(b []byte) []byte { le.PutUint16(b[peAt+6:], 0xFFFF); return b }, "65535 sections"},
		{"an optional header cut off", func(b []byte) []byte { le.PutUint16(b[peAt+20:], 0xFFFF); return b }, "optional header"},
		{"an optional header of 1 byte", func(b []byte) []byte { le.PutUint16(b[peAt+20:], 1); return b }, "optional header"},
		{"an optional header without directories", func(b []byte) []byte { le.PutUint16(b[peAt+20:], 90); return b }, "optional header"},
		{"too few bytes of directories", func(b []byte) []byte { le.PutUint16(b[peAt+20:], 96); return b }, "data directories"},
		{"an unknown magic", func(b []byte) []byte { b[optional] = 7; return b }, "magic 0x107"},
		{"an address outside the sections", func(b []byte) []byte { le.PutUint32(b[optional+96+14*8:], 0x99999); return b }, "outside every section"},
		{"a section beyond the file", func(b []byte) []byte { le.PutUint32(b[header+20:], 0x999999); return b }, "CLI header"},
		{"metadata of no bytes", func(b []byte) []byte { le.PutUint32(b[content+12:], 0); return b }, "metadata of 0 bytes"},
		{"metadata beyond its section", func(b []byte) []byte { le.PutUint32(b[content+12:], 0xFFFFFFFF); return b }, "beyond their section"},
		{"metadata too short", func(b []byte) []byte { le.PutUint32(b[content+12:], 8); return b }, "at least 16"},
		{"a wrong metadata signature", func(b []byte) []byte { b[content+metadataAt] = 'X'; return b }, "0x424A5342"},
		{"a long version text", func(b []byte) []byte { le.PutUint32(b[content+metadataAt+12:], 0xFFFFFFF0); return b }, "version text"},
		{"a version text that fills the metadata", func(b []byte) []byte { le.PutUint32(b[content+metadataAt+12:], 200); return b }, "version text"},
		{"too many streams", func(b []byte) []byte { le.PutUint16(b[content+metadataAt+30:], 999); return b }, "999 streams"},
		{"more streams than headers", func(b []byte) []byte {
			le.PutUint16(b[content+metadataAt+30:], 60)
			copy(b[content+metadataAt+52:], "#UX")
			return b
		}, "stream header"},
		{"a stream name without an end", func(b []byte) []byte {
			copy(b[content+metadataAt+40:], strings.Repeat("x", 40))
			return b
		}, "name without an end"},
		{"a heap beyond the metadata", func(b []byte) []byte { le.PutUint32(b[content+metadataAt+44:], 0xFFFFFFFF); return b }, "metadata's length"},
		{"a string beyond the heap", func(b []byte) []byte { b[len(b)-len(heapOf("sprites/hero.png"))+1] = 0x7F; return b }, "a string of 127 bytes"},
		{"a length byte of no form", func(b []byte) []byte { b[len(b)-len(heapOf("sprites/hero.png"))+1] = 0xFF; return b }, "length byte 0xFF"},
		{"the last byte missing", func(b []byte) []byte { return b[:len(b)-1] }, "beyond the file"},
	} {
		b := c.damage(assembly{heap: heapOf("sprites/hero.png")}.build())
		got, err := userStrings(b)
		if !errors.Is(err, formats.ErrDamaged) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %q, %v, want damage that names %q", c.name, got, err, c.want)
		}
	}
}

func TestCutOffAnywhereIsDamage(t *testing.T) {
	b := assembly{heap: heapOf("sprites/hero.png")}.build()
	for n := range b {
		if _, err := userStrings(b[:n]); !errors.Is(err, formats.ErrDamaged) {
			t.Fatalf("cut at %d of %d bytes: got %v, want damage", n, len(b), err)
		}
	}
}

// failing gives an error of its own from a certain offset on.
type failing struct {
	io.ReaderAt
	from int64
	err  error
}

func (f failing) ReadAt(b []byte, at int64) (int, error) {
	if at >= f.from {
		return 0, f.err
	}
	return f.ReaderAt.ReadAt(b, at)
}

func TestErrorsOfTheReaderAreKept(t *testing.T) {
	b := assembly{heap: heapOf("a/b")}.build()
	broken := fmt.Errorf("the disk is gone")
	_, err := clr.UserStrings(failing{bytes.NewReader(b), sectionAt, broken}, int64(len(b)))
	if !errors.Is(err, broken) || errors.Is(err, formats.ErrDamaged) {
		t.Errorf("got %v, want the reader's error", err)
	}
	if _, err := clr.UserStrings(bytes.NewReader(b[:sectionAt]), int64(len(b))); !errors.Is(err, formats.ErrDamaged) {
		t.Errorf("a file shorter than it says: got %v, want damage", err)
	}
}

func FuzzUserStrings(f *testing.F) {
	f.Add(assembly{heap: heapOf("sprites/hero.png", strings.Repeat("x", 100))}.build())
	f.Add(assembly{plus: true, heap: heapOf("a/b")}.build())
	f.Add(assembly{native: true}.build())
	f.Add([]byte("MZ"))
	f.Fuzz(func(t *testing.T, b []byte) {
		all, err := userStrings(b)
		if err != nil {
			if !errors.Is(err, formats.ErrDamaged) {
				t.Fatalf("an error that is no damage: %v", err)
			}
			return
		}
		total := 0
		for _, s := range all {
			total += len(s)
		}
		// A UTF-16 unit of 2 bytes takes at most 3 bytes of UTF-8.
		if total > 2*len(b) {
			t.Fatalf("%d bytes of strings from a file of %d", total, len(b))
		}
	})
}

func BenchmarkUserStrings(b *testing.B) {
	all := make([]string, 5000)
	for i := range all {
		all[i] = fmt.Sprintf("sprites/set%d/sprite%d.png", i/50, i)
	}
	data := assembly{heap: heapOf(all...)}.build()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := userStrings(data); err != nil {
			b.Fatal(err)
		}
	}
}
