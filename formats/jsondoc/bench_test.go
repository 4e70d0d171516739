package jsondoc

import (
	"fmt"
	"testing"
)

// scene makes a scene of about that many bytes, laid out as the engine writes it.
func scene(size int) []byte {
	w := NewWriter(Relaxed)
	w.BeginObject()
	w.Name("version")
	w.Int(1)
	w.Name("entities")
	w.BeginArray()
	for n := 0; len(w.Bytes()) < size; n++ {
		w.BeginObject()
		w.Name("id")
		w.String(fmt.Sprintf("%032x", uint64(n)*0x9E3779B9))
		w.Name("name")
		w.String(fmt.Sprintf("Fliege Nr. %d – é", n))
		w.Name("parent")
		w.Null()
		w.Name("active")
		w.Bool(n%3 != 0)
		w.Name("components")
		w.BeginArray()
		for _, kind := range []string{"Transform", "SpriteRenderer"} {
			w.BeginObject()
			w.Name("type")
			w.String(kind)
			w.Name("data")
			w.BeginObject()
			w.Name("position")
			w.Vector(float32(n)/3, float32(n*7%1000)/10)
			w.Name("rotation")
			w.Float32(float32(n%628) / 100)
			w.Name("tint")
			w.String("#FFC080")
			w.Name("frames")
			w.BeginArray()
			for i := range n % 7 {
				w.Int(int64(i))
			}
			w.EndArray()
			w.EndObject()
			w.EndObject()
		}
		w.EndArray()
		w.EndObject()
	}
	w.EndArray()
	w.EndObject()
	return w.Bytes()
}

func BenchmarkParse(b *testing.B) {
	for _, megabytes := range []int{1, 50} {
		text := scene(megabytes << 20)
		b.Run(fmt.Sprintf("%dMB", megabytes), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkApply(b *testing.B) {
	doc, err := Parse(scene(50 << 20))
	if err != nil {
		b.Fatal(err)
	}
	entities := doc.Root().Get("entities")
	name := entities.Index(entities.Len() / 2).Get("name")
	b.SetBytes(int64(len(doc.Text())))
	for b.Loop() {
		if _, err := doc.Apply(name.Replace([]byte(`"Firefly"`))); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWalk(b *testing.B) {
	doc, err := Parse(scene(1 << 20))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(doc.Text())))
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for entity := range doc.Root().Get("entities").Items() {
			for component := range entity.Get("components").Items() {
				n += component.Get("data").Get("frames").Len()
			}
		}
		if n == 0 {
			b.Fatal("nothing found")
		}
	}
}

func BenchmarkWriter(b *testing.B) {
	doc, err := Parse(scene(1 << 20))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(doc.Text())))
	b.ReportAllocs()
	for b.Loop() {
		w := NewWriter(Relaxed)
		w.Data(doc.Root())
	}
}
