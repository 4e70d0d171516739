package cdi

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"runtime"
	"testing"
)

func TestGoldenSectors(t *testing.T) {
	text, err := os.ReadFile("../../../shared/golden/discs/vectors.json")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the golden files are not here")
	}
	if err != nil {
		t.Fatal(err)
	}
	var vectors struct {
		Sectors []struct {
			UserData string `json:"user_data"`
			EDC      string `json:"edc_stored"`
			P, Q     string
			SHA256   string `json:"sha256_of_2336"`
		} `json:"mode2_form1"`
	}
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	contents := map[string]func(i int) byte{
		"zeros":                               func(int) byte { return 0 },
		"ff":                                  func(int) byte { return 0xFF },
		"byte i is i mod 256":                 func(i int) byte { return byte(i) },
		"byte i is (i * 7 + i / 256) mod 256": func(i int) byte { return byte(i*7 + i/256) },
	}
	for _, v := range vectors.Sectors {
		content, ok := contents[v.UserData]
		if !ok {
			t.Fatalf("user data %q", v.UserData)
		}
		var data [sectorSize]byte
		for i := range data {
			data[i] = content(i)
		}
		var sector [rawSize]byte
		EncodeForm1(&sector, &data)
		sum := sha256.Sum256(sector[:])
		for _, c := range []struct{ what, got, want string }{
			{"EDC", hex.EncodeToString(sector[edcAt:pAt]), v.EDC},
			{"P", hex.EncodeToString(sector[pAt:qAt]), v.P},
			{"Q", hex.EncodeToString(sector[qAt:]), v.Q},
			{"SHA-256", hex.EncodeToString(sum[:]), v.SHA256},
		} {
			if c.got != c.want {
				t.Errorf("%s: %s is %s, want %s", v.UserData, c.what, c.got, c.want)
			}
		}
	}
	t.Logf("%d sectors", len(vectors.Sectors))
	if len(vectors.Sectors) == 0 {
		t.Error("nothing to compare with")
	}
}

// noise gives bytes that no code is right for by accident.
func noise(n int, seed byte) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{seed}).Read(b)
	return b
}

// multiply is the product in GF(256), bit by bit.
func multiply(a, b byte) (p byte) {
	for ; b > 0; b >>= 1 {
		if b&1 > 0 {
			p ^= a
		}
		if a&0x80 > 0 {
			a = a<<1 ^ 0x1D
		} else {
			a <<= 1
		}
	}
	return p
}

// TestCodewords checks the parity of random sectors as its definition has it: every codeword vanishes at 1 and at 2.
func TestCodewords(t *testing.T) {
	for seed := range byte(20) {
		var sector [rawSize]byte
		EncodeForm1(&sector, (*[sectorSize]byte)(noise(sectorSize, seed)))
		block := append(make([]byte, 4), sector[:]...)
		for plane := range 2 {
			word := func(i int) byte { return block[2*i+plane] }
			check := func(code string, number int, v []byte) {
				t.Helper()
				var s0, s1 byte
				for _, c := range v {
					s0 ^= c
					s1 = multiply(s1, 2) ^ c
				}
				if s0 != 0 || s1 != 0 {
					t.Fatalf("%s codeword %d of plane %d: sums %02X and %02X", code, number, plane, s0, s1)
				}
			}
			for c := range 43 {
				var v []byte
				for r := range 26 {
					v = append(v, word(c+43*r))
				}
				check("P", c, v)
			}
			for d := range 26 {
				var v []byte
				for k := range 43 {
					v = append(v, word((43*d+44*k)%1118))
				}
				check("Q", d, append(v, word(1118+d), word(1144+d)))
			}
		}
		e := uint32(0)
		for _, c := range sector[:edcAt] {
			e ^= uint32(c)
			for range 8 {
				e = e>>1 ^ e&1*polynomial
			}
		}
		if got := le.Uint32(sector[edcAt:]); got != e {
			t.Fatalf("EDC %08X, want %08X", got, e)
		}
	}
}

// TestEncoder compares the pieces that all cores make with sectors made one by one, zeros and pieces of any length among
// them.
func TestEncoder(t *testing.T) {
	data := noise(1000*sectorSize, 1)
	clear(data[300*sectorSize : 700*sectorSize])
	var want bytes.Buffer
	for i := 0; i < len(data); i += sectorSize {
		var sector [rawSize]byte
		EncodeForm1(&sector, (*[sectorSize]byte)(data[i:]))
		want.Write(sector[:])
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, cores := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(cores)
		random := rand.New(rand.NewPCG(1, 2))
		var got bytes.Buffer
		e := NewEncoder(&got)
		for rest := data; len(rest) > 0; {
			n := min(random.IntN(500000), len(rest))
			if k, err := e.Write(rest[:n]); k != n || err != nil {
				t.Fatal(k, err)
			}
			rest = rest[n:]
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("other sectors with %d cores than one by one", cores)
		}
		if _, err := e.Write(data[:1]); err == nil {
			t.Error("a closed encoder takes data")
		}
	}
}

// full is a writer with room for n bytes.
type full struct{ n int }

var errFull = errors.New("no space left")

func (f *full) Write(b []byte) (int, error) {
	if f.n -= len(b); f.n < 0 {
		return 0, errFull
	}
	return len(b), nil
}

func TestEncoderErrors(t *testing.T) {
	t.Run("a full disk", func(t *testing.T) {
		e := NewEncoder(&full{1 << 20})
		_, err := io.Copy(e, io.LimitReader(zeros{}, 1<<30))
		if !errors.Is(err, errFull) {
			t.Error(err)
		}
		if err := e.Close(); !errors.Is(err, errFull) {
			t.Error(err)
		}
	})
	t.Run("a full disk at the end", func(t *testing.T) {
		e := NewEncoder(&full{1})
		if _, err := e.Write(make([]byte, sectorSize)); err != nil {
			t.Error(err)
		}
		if err := e.Close(); !errors.Is(err, errFull) {
			t.Error(err)
		}
	})
	t.Run("a part of a sector", func(t *testing.T) {
		var out bytes.Buffer
		e := NewEncoder(&out)
		if _, err := e.Write(make([]byte, sectorSize+5)); err != nil {
			t.Error(err)
		}
		if err := e.Close(); err == nil || out.Len() != rawSize {
			t.Errorf("%d bytes, %v", out.Len(), err)
		}
		if err := e.Close(); err == nil {
			t.Error("the second Close forgets the error")
		}
	})
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

func BenchmarkEDC(b *testing.B) {
	data := noise(edcAt, 1)
	b.SetBytes(edcAt)
	for b.Loop() {
		edc(data)
	}
}

func BenchmarkEncodeForm1(b *testing.B) {
	data := (*[sectorSize]byte)(noise(sectorSize, 1))
	var sector [rawSize]byte
	b.SetBytes(sectorSize)
	for b.Loop() {
		EncodeForm1(&sector, data)
	}
}

// BenchmarkEncoder encodes on all cores.
func BenchmarkEncoder(b *testing.B) {
	data := noise(16<<20, 1)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		e := NewEncoder(io.Discard)
		if _, err := e.Write(data); err != nil {
			b.Fatal(err)
		}
		if err := e.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
