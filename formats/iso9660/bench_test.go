package iso9660_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"testing"

	"talebinder/formats/disctest"
	"talebinder/formats/iso9660"
)

// sparse is an image of 700 MB and more, most of which is zeros that take no memory.
type sparse struct{ head []byte }

func (s sparse) ReadAt(b []byte, at int64) (int, error) {
	clear(b)
	if at < int64(len(s.head)) {
		copy(b, s.head[at:])
	}
	return len(b), nil
}

const largeSectors = 350000

// large gives an image with a kept file of 650 MB.
func large() (sparse, int64) {
	many := files()
	for i := range 20 {
		many = append(many, disctest.File{Path: fmt.Sprintf("%03d.DAT", i), Content: make([]byte, 100)})
	}
	image := disctest.ISO{System: []byte(bootstrap), Joliet: true, Files: append(many, disctest.File{Path: "0.0"})}.Build()
	sectors := uint32(len(image.Data) / iso9660.SectorSize)
	le := func(at int, v uint32) {
		for i := range 4 {
			image.Data[at+i] = byte(v >> (8 * i))
		}
	}
	for _, at := range []int{image.Plain["0.0"], image.Joliet["0.0"]} {
		le(at+2, sectors)
		le(at+10, (largeSectors-sectors)*iso9660.SectorSize)
	}
	le(image.Primary+80, largeSectors)
	le(image.Second+80, largeSectors)
	return sparse{image.Data}, largeSectors * iso9660.SectorSize
}

// identify reads what an identity card needs.
func identify(t testing.TB, r io.ReaderAt, size int64) *iso9660.Volume {
	v, err := iso9660.NewVolume(r, size, 0)
	if err != nil {
		t.Fatal(err)
	}
	if bin, err := v.ReadIPBin(t.Context()); bin == nil || err != nil {
		t.Fatal(bin, err)
	}
	if cnf, err := v.ReadSystemCNF(t.Context()); cnf == nil || err != nil {
		t.Fatal(cnf, err)
	}
	if _, err := v.RockRidge(t.Context()); err != nil {
		t.Fatal(err)
	}
	return v
}

func BenchmarkIdentify(b *testing.B) {
	r, size := large()
	b.ReportAllocs()
	for b.Loop() {
		identify(b, r, size)
	}
}

func planLarge(t testing.TB) *iso9660.Plan {
	r, size := large()
	v := identify(t, r, size)
	plan, err := iso9660.NewPlan(t.Context(), v, tree(t, v), replacement())
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// BenchmarkWriteImage writes 700 MB to nowhere, so it is the cost of the layout and of moving bytes.
func BenchmarkWriteImage(b *testing.B) {
	plan := planLarge(b)
	b.SetBytes(int64(plan.TrackSectors) * iso9660.SectorSize)
	b.ReportAllocs()
	for b.Loop() {
		if err := plan.WriteImage(b.Context(), io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkManyFiles reads and lays out a volume of 20000 files.
func BenchmarkManyFiles(b *testing.B) {
	image := disctest.ISO{Joliet: true, Files: files()}.Build()
	r := iso9660.Replacement{Name: "Content"}
	for i := range 20000 {
		r.Sources = append(r.Sources, disctest.Source(fmt.Sprintf("folder %d/a rather long file name that collides %d.data", i/100, i), nil, summer, false))
	}
	image.Data, _, _ = swap(b, image.Data, r)
	b.ReportAllocs()
	for b.Loop() {
		v := open(b, image.Data)
		if _, err := iso9660.NewPlan(b.Context(), v, tree(b, v), r); err != nil {
			b.Fatal(err)
		}
	}
}

// TestMemory lays out and writes a large image in little memory, however much of it there is.
func TestMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	plan := planLarge(t)
	if err := plan.WriteImage(t.Context(), io.Discard); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if size := int64(plan.TrackSectors) * iso9660.SectorSize; size < 700e6 {
		t.Fatal(size, "bytes")
	}
	// All that was ever taken is a bound of what was taken at a time.
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 8<<20 {
		t.Errorf("%d bytes of memory", taken)
	}
}

// TestCollisions gives thousands of names that want one identifier different ones, in time.
func TestCollisions(t *testing.T) {
	image := disctest.ISO{Files: files()}.Build()
	r := iso9660.Replacement{Name: "Content"}
	for i := range 20000 {
		r.Sources = append(r.Sources, disctest.Source(fmt.Sprintf("a name that is long enough to collide %d.x", i), nil, summer, false))
	}
	got, plan, err := swap(t, image.Data, r)
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	for _, p := range plan.New {
		if seen[p.Identifier] {
			t.Fatal(p.Identifier, "twice")
		}
		seen[p.Identifier] = true
	}
	if err := open(t, got).Verify(t.Context()); err != nil {
		t.Error(err)
	}
	again, _, err := swap(t, got, r)
	if err != nil || !bytes.Equal(got, again) {
		t.Error("not the same again", err)
	}
}
