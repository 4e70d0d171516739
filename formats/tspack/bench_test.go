package tspack

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
)

// benchmarkSources makes some 40 MB of scenes, sounds and pictures.
func benchmarkSources() (sources []Source, total int64) {
	add := func(path, text string) {
		sources = append(sources, textSource(path, text))
		total += int64(len(text))
	}
	for i := range 200 {
		var scene strings.Builder
		for k := range 250 {
			fmt.Fprintf(&scene, "{\n  \"id\": \"%032x\",\n  \"name\": \"Entity %d\",\n  \"position\": [\n    %d,\n    %d\n  ]\n}\n", uint64(i*251+k)*0x9E3779B97F4A7C15, k, k*37%5000, i*k%1000)
		}
		add(fmt.Sprintf("scenes/level%d.tscene", i), scene.String())
		sound := []byte(noise(100_000, uint64(i)))
		for k := 1; k < len(sound); k += 2 {
			sound[k] = byte(int(40 * math.Sin(float64(k)/float64(20+i))))
		}
		add(fmt.Sprintf("audio/clip%d.wav", i), string(sound))
		add(fmt.Sprintf("sprites/sprite%d.png", i), noise(60_000, uint64(i)))
	}
	return sources, total
}

func BenchmarkWrite(b *testing.B) {
	sources, total := benchmarkSources()
	for _, compress := range []bool{true, false} {
		b.Run(fmt.Sprintf("compress=%v", compress), func(b *testing.B) {
			b.SetBytes(total)
			b.ReportAllocs()
			var m memory
			for b.Loop() {
				m = memory{data: m.data[:0]}
				if _, err := Write(b.Context(), &m, sources, WriterOptions{Compress: compress}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(m.data))/float64(total), "stored/original")
		})
	}
}

func BenchmarkWriteLargeFile(b *testing.B) {
	text := strings.Repeat(noise(1000, 1)+longText, 32<<20/1100)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		pack(b, []Source{textSource("large.txt", text)}, WriterOptions{Compress: true})
	}
}

func BenchmarkVerify(b *testing.B) {
	sources, total := benchmarkSources()
	r := open(b, pack(b, sources, WriterOptions{Compress: true}))
	b.SetBytes(total)
	for b.Loop() {
		if errs := r.Verify(context.Background(), nil); errs != nil {
			b.Fatal(errs)
		}
	}
}

func BenchmarkReadFile(b *testing.B) {
	sources, total := benchmarkSources()
	r := open(b, pack(b, sources, WriterOptions{Compress: true}))
	b.SetBytes(total)
	b.ReportAllocs()
	for b.Loop() {
		for _, e := range r.Entries() {
			if _, err := r.ReadFile(e.Path); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	var sources []Source
	for i := range 50_000 {
		sources = append(sources, textSource(fmt.Sprintf("folder%d/subfolder/Asset number %d.png", i/500, i), ""))
	}
	data := pack(b, sources, WriterOptions{})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := NewReader(bytes.NewReader(data), int64(len(data))); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkWriteAgain packs what a cache knows.
func BenchmarkWriteAgain(b *testing.B) {
	sources, total := benchmarkSources()
	cache := newShelf()
	o := WriterOptions{Compress: true, Cache: cache, Check: true, Record: func(Packing) {}}
	m := memory{data: pack(b, sources, o)}
	b.SetBytes(total)
	for b.Loop() {
		m = memory{data: m.data[:0]}
		if _, err := Write(b.Context(), &m, sources, o); err != nil {
			b.Fatal(err)
		}
	}
}
