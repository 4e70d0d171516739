package n64rom

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"talebinder/formats"
	"talebinder/formats/disctest"
	"talebinder/formats/internal/seed"
)

// sample is a small cartridge: header, table of contents, and three parts, the last one being the file system.
func sample() []byte {
	b := make([]byte, 0x2100)
	copy(b, "\x80\x37\x12\x40")
	binary.BigEndian.PutUint32(b[8:], 0x80000400)
	binary.BigEndian.PutUint32(b[0x10:], 0x11223344)
	binary.BigEndian.PutUint32(b[0x14:], 0x55667788)
	copy(b[0x20:], "TIDE WATER          ")
	copy(b[0x3B:], "NEDE\x11")
	t := b[0x1000:]
	copy(t, "TOC0\xCA\xFE\xBA\xBE")
	binary.BigEndian.PutUint32(t[8:], 1024)
	binary.BigEndian.PutUint16(t[12:], 64)
	binary.BigEndian.PutUint16(t[14:], 3)
	for i, e := range []Entry{{"tide.elf", 0x1800, 256}, {"tide.sym", 0x1900, 10}, {"tide.dfs", 0x2000, 0x100}} {
		row := t[16+64*i:]
		binary.BigEndian.PutUint32(row, uint32(e.Offset))
		binary.BigEndian.PutUint32(row[4:], uint32(e.Size))
		copy(row[8:], e.Name)
	}
	return b
}

func open(b []byte) (*ROM, error) { return NewReader(bytes.NewReader(b), int64(len(b))) }

func TestReader(t *testing.T) {
	r, err := open(sample())
	if err != nil {
		t.Fatal(err)
	}
	if r.Title != "TIDE WATER" || r.Code != "NEDE" || r.Region != 'E' || !r.HasSave || r.SaveType != 0x11 || r.Entry != 0x80000400 || r.CRC1 != 0x11223344 || r.CRC2 != 0x55667788 {
		t.Errorf("header %+v", r.Header)
	}
	if r.Table.Cookie != 0xCAFEBABE || r.Table.Offset != 0x1000 || len(r.Table.Entries) != 3 || r.Table.Entries[1] != (Entry{"tide.sym", 0x1900, 10}) {
		t.Errorf("table %+v", r.Table)
	}
	i, e, err := r.FileSystem()
	if err != nil || i != 2 || e.End() != 0x2100 {
		t.Errorf("file system %d, %+v, %v", i, e, err)
	}
	patch, err := r.Table.Patch(2, 0x300, NewHash)
	if err != nil {
		t.Fatal(err)
	}
	want := bytes.Clone(sample()[0x1000 : 0x1000+16+3*64])
	binary.BigEndian.PutUint32(want[16+2*64+4:], 0x300)
	hash := NewHash
	hash.Write(want[16:])
	binary.BigEndian.PutUint32(want[4:], uint32(hash))
	if !bytes.Equal(patch, want) || !bytes.Equal(r.Table.Bytes(), sample()[0x1000:0x1000+16+3*64]) {
		t.Errorf("patch % X, want % X", patch, want)
	}
	if _, err := r.Table.Patch(3, 1, NewHash); err == nil {
		t.Error("an entry that there is not")
	}
	var limit *formats.LimitError
	if _, err := r.Table.Patch(2, CartridgeSize+1, NewHash); !errors.As(err, &limit) {
		t.Error(err)
	}
}

func TestHash(t *testing.T) {
	for text, want := range map[string]Hash{"": 0x811c9dc5, "a": 0xe40c292c, "foobar": 0xbf9cf968} {
		h := NewHash
		if h.Write([]byte(text)); h != want {
			t.Errorf("%q: %08x, want %08x", text, h, want)
		}
	}
}

// defects are what is wrong with images, by name, and what an error has to say of it.
var defects = map[string]struct {
	change func(b []byte) []byte
	want   string
}{
	"byte-swapped":   {func(b []byte) []byte { Reorder(b, ByteSwapped); return b }, "convert it first"},
	"little-endian":  {func(b []byte) []byte { Reorder(b, LittleEndian); return b }, "convert it first"},
	"no-word":        {func(b []byte) []byte { b[0] = 0; return b }, "80 37 12 40"},
	"cut-header":     {func(b []byte) []byte { return b[:20] }, "the end of the file"},
	"short":          {func(b []byte) []byte { return b[:0x100F] }, "4112 at least"},
	"no-table":       {func(b []byte) []byte { b[0x1000] = 'X'; return b }, "none behind the bootcode"},
	"entry-size-8":   {func(b []byte) []byte { b[0x100D] = 8; return b }, "entries of 8 bytes"},
	"old-table":      {func(b []byte) []byte { b[0x100D] = 0; return b }, "newer ones"},
	"entry-size-max": {func(b []byte) []byte { binary.BigEndian.PutUint16(b[0x100C:], 1024); return b }, "entries of 1024 bytes"},
	"count-max":      {func(b []byte) []byte { binary.BigEndian.PutUint16(b[0x100E:], 1024); return b }, "1024 entries"},
	"count":          {func(b []byte) []byte { b[0x100F] = 16; return b }, "16 entries of 64 bytes"},
	"table-outside":  {func(b []byte) []byte { binary.BigEndian.PutUint32(b[0x1008:], 0xFFFFFFFF); return b }, "within the image's"},
	"no-dfs":         {func(b []byte) []byte { b[0x1000+16+2*64+8+5] = 'X'; return b }, ".dfs"},
	"dfs-outside":    {func(b []byte) []byte { b[0x1000+16+2*64+6] = 2; return b }, "the image's length"},
	"dfs-in-table":   {func(b []byte) []byte { binary.BigEndian.PutUint32(b[0x1000+16+2*64:], 0x1004); return b }, "behind the table"},
	"dfs-not-last":   {func(b []byte) []byte { binary.BigEndian.PutUint32(b[0x1000+16+64+4:], 0x10000); return b }, "the last part"},
}

func TestDefects(t *testing.T) {
	for name, d := range defects {
		r, err := open(d.change(sample()))
		if err == nil {
			_, _, err = r.FileSystem()
		}
		if err == nil || !strings.Contains(err.Error(), d.want) {
			t.Errorf("%s: %v, want %q", name, err, d.want)
			continue
		}
		checkFault(t, err)
	}
	var limit *formats.LimitError
	if _, err := NewReader(bytes.NewReader(sample()), MaxSize+1); !errors.As(err, &limit) {
		t.Error(err)
	}
}

func checkFault(t *testing.T, err error) {
	t.Helper()
	var limit *formats.LimitError
	if !errors.Is(err, formats.ErrDamaged) && !errors.Is(err, formats.ErrUnsupported) && !errors.As(err, &limit) {
		t.Errorf("an error of another kind: %v", err)
	}
}

func TestOrders(t *testing.T) {
	straight := sample()
	for o := range orders {
		order := Order(o)
		b := sample()
		Reorder(b, order)
		if got, ok := Detect(b); !ok || got != order {
			t.Errorf("%v: detected %v, %v", order, got, ok)
		}
		h, err := ReadHeader(bytes.NewReader(b))
		if err != nil || h.Title != "TIDE WATER" || h.Order != order {
			t.Errorf("%v: %+v, %v", order, h, err)
		}
		for _, in := range []io.Reader{bytes.NewReader(b), iotest.OneByteReader(bytes.NewReader(b))} {
			if got, err := io.ReadAll(NewConverter(in, order)); err != nil || !bytes.Equal(got, straight) {
				t.Errorf("%v: converted to %d bytes, %v", order, len(got), err)
			}
		}
		at := NewReaderAt(bytes.NewReader(b), order)
		for _, c := range [][2]int{{0, 4}, {1, 1}, {3, 7}, {0x21, 9}, {len(b) - 3, 3}} {
			got := make([]byte, c[1])
			if n, err := at.ReadAt(got, int64(c[0])); n != c[1] || err != nil || !bytes.Equal(got, straight[c[0]:][:c[1]]) {
				t.Errorf("%v: %d bytes at %d: %q, %v", order, n, c[0], got, err)
			}
		}
		if n, err := at.ReadAt(make([]byte, 8), int64(len(b)-4)); n != 4 || err == nil {
			t.Errorf("%v: behind the end: %d, %v", order, n, err)
		}
		if order.Unit() > 1 {
			if _, err := io.ReadAll(NewConverter(bytes.NewReader(b[:len(b)-1]), order)); !errors.Is(err, formats.ErrDamaged) {
				t.Errorf("%v: an image that ends within a unit: %v", order, err)
			}
		}
	}
}

func TestGoldenImages(t *testing.T) {
	read, refused := 0, 0
	for _, c := range disctest.Cases(t, "../..", "z64") {
		image := c.Image(t)
		r, err := open(image)
		if err == nil {
			_, _, err = r.FileSystem()
		}
		if !c.Refused() {
			if err != nil {
				t.Errorf("%s: %v", c.ID, err)
			}
			read++
		} else if err != nil {
			checkFault(t, err)
			refused++
		}
	}
	t.Logf("%d cartridges read, %d refused by their table", read, refused)
}

// seeds are the sample and each of its defects.
func seeds() map[string][]byte {
	all := map[string][]byte{"sample": sample()[:0x1200]}
	for name, d := range defects {
		b := d.change(sample())
		all[name] = b[:min(len(b), 0x1200)]
	}
	return all
}

func TestSeeds(t *testing.T) { seed.Check(t, "FuzzReader", seeds()) }

// FuzzReader opens anything as a cartridge. Whatever the bytes are, a file system that is found lies within them.
func FuzzReader(f *testing.F) {
	f.Add(sample())
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := open(data)
		if err != nil {
			checkFault(t, err)
			return
		}
		i, e, err := r.FileSystem()
		if err != nil {
			checkFault(t, err)
			return
		}
		if e.End() > int64(len(data)) || r.Table.Entries[i] != e {
			t.Fatalf("%+v in %d bytes", e, len(data))
		}
		if same, err := r.Table.Patch(i, min(e.Size, CartridgeSize), NewHash); err != nil || !bytes.Equal(same[16:], r.Table.Bytes()[16:]) {
			t.Errorf("the same size changes the entries: %v", err)
		}
	})
}

func BenchmarkReorder(b *testing.B) {
	data := make([]byte, 1<<20)
	for o := range orders {
		b.Run(Order(o).String(), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				Reorder(data, Order(o))
			}
		})
	}
}
