package pe_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"talebinder/formats/netbundle"
	"talebinder/formats/netbundle/bundletest"
	"talebinder/formats/pe"
	"talebinder/formats/pe/petest"
)

// large writes a single-file program of about 100 MB, a tenth of it the host, as players are.
func large(b *testing.B) string {
	b.Helper()
	random := rand.NewChaCha8([32]byte{1})
	noise := func(n int) []byte {
		p := make([]byte, n)
		random.Read(p)
		return p
	}
	sections := petest.Usual()
	sections[0].Data = noise(10 << 20)
	files := make([]bundletest.File, 90)
	for i := range files {
		files[i] = bundletest.File{Path: string(rune('a'+i/26)) + string(rune('a'+i%26)) + ".dll", Type: netbundle.Assembly, Content: noise(1 << 20)}
	}
	exe := bundletest.Bundle{Major: 6, Files: files, Align: 4096}.Append(host(petest.Image{Wide: true, Sections: sections, Resources: resources()}))
	path := filepath.Join(b.TempDir(), "large.exe")
	if err := os.WriteFile(path, exe, 0o666); err != nil {
		b.Fatal(err)
	}
	return path
}

// BenchmarkBrand compares branding a file with copying it, in the usual way and by reading and writing.
func BenchmarkBrand(b *testing.B) {
	path := large(b)
	source, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer source.Close()
	info, err := source.Stat()
	if err != nil {
		b.Fatal(err)
	}
	run := func(name string, work func(out *os.File) error) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(info.Size())
			b.ReportAllocs()
			for b.Loop() {
				out, err := os.Create(filepath.Join(b.TempDir(), "out.exe"))
				if err != nil {
					b.Fatal(err)
				}
				if err := work(out); err != nil {
					b.Fatal(err)
				}
				if err := out.Close(); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				if err := os.Remove(out.Name()); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
		})
	}
	run("copy", func(out *os.File) error {
		if _, err := source.Seek(0, io.SeekStart); err != nil {
			return err
		}
		_, err := io.Copy(out, source)
		return err
	})
	run("read and write", func(out *os.File) error {
		_, err := io.CopyBuffer(struct{ io.Writer }{out}, io.NewSectionReader(struct{ io.ReaderAt }{source}, 0, info.Size()), make([]byte, 1<<20))
		return err
	})
	branding := pe.Branding{Icon: images(16, 24, 32, 48, 64, 128, 256), Version: version(), Subsystem: pe.Windowed}
	run("brand", func(out *os.File) error {
		_, err := pe.Brand(b.Context(), out, source, info.Size(), branding)
		return err
	})
	run("brand and verify", func(out *os.File) error {
		result, err := pe.Brand(b.Context(), out, source, info.Size(), branding)
		if err != nil {
			return err
		}
		return pe.Verify(b.Context(), out, result.Size, branding, result)
	})
}

func BenchmarkVerifyChecksum(b *testing.B) {
	exe := petest.Image{Wide: true, Sections: petest.Usual(), Overlay: make([]byte, 16<<20)}.Build()
	f, err := pe.NewFile(bytes.NewReader(exe), int64(len(exe)))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(exe)))
	for b.Loop() {
		if right, err := f.VerifyChecksum(b.Context()); !right || err != nil {
			b.Fatal(right, err)
		}
	}
}
