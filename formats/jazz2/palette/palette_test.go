package palette

import (
	"bytes"
	"image"
	"image/color"
	"math/rand/v2"
	"testing"
)

func TestEntries(t *testing.T) {
	seen := map[color.NRGBA]int{}
	for i := range 256 {
		c := Color(uint8(i))
		if before, ok := seen[c]; ok {
			t.Errorf("entries %d and %d are the same colour", before, i)
		}
		seen[c] = i
		if wantAlpha := uint8(255); i == 0 && c != (color.NRGBA{}) || i > 0 && c.A != wantAlpha {
			t.Errorf("entry %d is %v", i, c)
		}
		if Palette()[i] != c {
			t.Errorf("entry %d of the palette is %v", i, Palette()[i])
		}
	}
	for i, want := range map[uint8]color.NRGBA{15: {255, 255, 254, 255}, 255: {254, 255, 255, 255}, 16: {199, 255, 0, 255}} {
		if got := Color(i); got != want {
			t.Errorf("entry %d is %v, want %v", i, got, want)
		}
	}
}

func TestApply(t *testing.T) {
	src := []byte{0, 9, 9, 200, 16, 9, 9, 100, 255, 0, 0, 0}
	want := []byte{0, 0, 0, 0, 199, 255, 0, 100, 254, 255, 255, 0}
	got := make([]byte, len(src))
	if Apply(got, src); !bytes.Equal(got, want) {
		t.Errorf("applied %v, want %v", got, want)
	}
	if Apply(src, src); !bytes.Equal(src, want) {
		t.Errorf("applied in place %v, want %v", src, want)
	}
}

func TestResolve(t *testing.T) {
	src := []byte{
		199, 255, 0, 0, // invisible
		199, 255, 0, 1, // exact
		0, 0, 0, 255, // black is not index 0
		200, 255, 0, 9, // one off
	}
	want := []byte{0, 0, 0, 0, 16, 16, 16, 1, 1, 1, 1, 255, 16, 16, 16, 9}
	got := make([]byte, len(src))
	if x := NewResolver().Resolve(got, src); x != (Inexact{Pixels: 2, Squared: 1}) || x.Distance() != 1 {
		t.Errorf("inexact: %+v", x)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("resolved %v, want %v", got, want)
	}
}

// TestRemembered compares the resolver with the plain search on colours that fall on the same places of its memory.
func TestRemembered(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	r := NewResolver()
	for range 60000 {
		red, green, blue := uint8(random.Uint32()), uint8(random.Uint32())&0xF0, uint8(random.Uint32())&0xC0
		index, squared := r.Nearest(red, green, blue)
		if i, s := Nearest(red, green, blue); i != index || s != squared {
			t.Fatalf("(%d, %d, %d): %d at %d, want %d at %d", red, green, blue, index, squared, i, s)
		}
	}
}

func TestAppliedIndicesAreFoundAgain(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 16, 16))
	for i := range 256 {
		m.Pix[4*i], m.Pix[4*i+1], m.Pix[4*i+2], m.Pix[4*i+3] = byte(i), byte(i), byte(i), byte(i)
	}
	got, x := ResolveImage(ApplyImage(m))
	if x != (Inexact{}) || !bytes.Equal(got.Pix, m.Pix) {
		t.Errorf("%+v, or other indices", x)
	}
}

func BenchmarkApply(b *testing.B) {
	pix := make([]byte, 4<<20)
	b.SetBytes(int64(len(pix)))
	for b.Loop() {
		Apply(pix, pix)
	}
}

// BenchmarkResolve has every pixel in a colour of its own.
func BenchmarkResolve(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	src, dst := make([]byte, 4<<16), make([]byte, 4<<16)
	for i := range src {
		src[i] = byte(random.Uint32()) | 1
	}
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		NewResolver().Resolve(dst, src)
	}
}
