package content

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func encoded(t testing.TB, width, height int) []byte {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	m.Set(0, 0, color.NRGBA{R: 255, A: 255})
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// claims makes a PNG file that says it is far larger than its data.
func claims(width, height uint32) []byte {
	chunk := append([]byte("IHDR"), make([]byte, 13)...)
	binary.BigEndian.PutUint32(chunk[4:], width)
	binary.BigEndian.PutUint32(chunk[8:], height)
	chunk[12], chunk[13] = 8, 6
	out := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d")
	out = append(out, chunk...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(chunk))
}

func TestPreview(t *testing.T) {
	dir := t.TempDir()
	whole := encoded(t, 40, 30)
	for _, c := range []struct {
		name          string
		data          []byte
		width, height int // of the picture shown, 0: none
		problem       string
	}{
		{"small", whole, 40, 30, ""},
		{"wide", encoded(t, 3000, 30), 1024, 10, ""},
		{"thin", encoded(t, 1, 2048), 1, 1024, ""},
		{"cut", whole[:len(whole)-20], 0, 0, "unexpected EOF"},
		{"empty", nil, 0, 0, "No preview"},
		{"text", []byte("not a picture"), 0, 0, "No preview"},
		{"huge", claims(60_000, 60_000), 0, 0, "Too large for a preview: 60000 × 60000"},
		{"largest", claims(1<<31-1, 1<<31-1), 0, 0, "cannot be decoded"},
		{"lies", claims(4000, 4000), 0, 0, "ends too early"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(dir, c.name+".png")
			if err := os.WriteFile(file, c.data, 0o666); err != nil {
				t.Fatal(err)
			}
			p := loadPreview("a.png", file)
			if c.problem != "" {
				if p.Image != nil || !strings.Contains(p.Problem, c.problem) {
					t.Errorf("problem %q", p.Problem)
				}
				return
			}
			if p.Problem != "" || p.Image.Bounds().Dx() != c.width || p.Image.Bounds().Dy() != c.height {
				t.Errorf("problem %q, %v", p.Problem, p.Image.Bounds())
			}
		})
	}
	if p := loadPreview("a.png", filepath.Join(dir, "none.png")); !strings.Contains(p.Problem, "cannot be read") || strings.Contains(p.Problem, dir) {
		t.Errorf("a file that is gone: %q", p.Problem)
	}
}

func TestPreviewKeepsPixels(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.png")
	if err := os.WriteFile(file, encoded(t, 4, 4), 0o666); err != nil {
		t.Fatal(err)
	}
	p := loadPreview("a.png", file)
	if got := p.Image.RGBAAt(0, 0); got != (color.RGBA{R: 255, A: 255}) {
		t.Errorf("first pixel %v", got)
	}
	if got := p.Image.RGBAAt(1, 0); got != (color.RGBA{}) {
		t.Errorf("second pixel %v", got)
	}
}

func TestPreviewerKeepsOnlyTheLatest(t *testing.T) {
	var works []func()
	var loaded, done []string
	p := &previewer{start: func(w func()) { works = append(works, w) }, done: func(v Preview) { done = append(done, v.Path) }}
	p.load = func(asset, _ string) Preview {
		loaded = append(loaded, asset)
		if asset == "a" { // while this one is decoded the person goes on
			p.want("b", "")
			p.want("c", "")
		}
		return Preview{Path: asset}
	}
	p.want("a", "")
	for _, w := range works {
		w()
	}
	if len(works) != 1 || strings.Join(loaded, "") != "ac" || strings.Join(done, "") != "c" {
		t.Errorf("%d workers, decoded %v, shown %v", len(works), loaded, done)
	}
	p.want("d", "")
	p.want("", "") // nothing with a picture is selected any more
	works[1]()
	if strings.Join(done, "") != "c" {
		t.Errorf("shown %v", done)
	}
}
