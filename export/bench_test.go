package export

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"talebinder/platforms"
)

// large is a project with many assets, all of which ship.
func large(scenes, perScene int) tree {
	random := rand.NewChaCha8([32]byte{7})
	files := tree{}
	var entries []string
	for s := range scenes {
		var refs []string
		for n := range perScene {
			path := fmt.Sprintf("sprites/set%d/sprite%d.png", s, n)
			picture := make([]byte, 4000)
			_, _ = random.Read(picture)
			files["assets/"+path], files["assets/"+path+".meta"] = string(picture), meta(path, "texture")
			refs = append(refs, path)
		}
		path := fmt.Sprintf("scenes/level%d.tscene", s)
		files["assets/"+path], files["assets/"+path+".meta"] = scene(path, refs...), meta(path, "scenedocument")
		entries = append(entries, fmt.Sprintf(`{ "path": %q, "enabled": true }`, path))
	}
	files["assets/config/game.json"] = `{ "title": "Large", "startScene": "scenes/level0.tscene" }`
	files["build.json"] = fmt.Sprintf(`{ "target": "linux-x64", "scenes": [ %s ] }`, strings.Join(entries, ", "))
	return files
}

func BenchmarkCollect(b *testing.B) {
	p := openProject(b, large(100, 100).write(b, b.TempDir()))
	b.ReportAllocs()
	for b.Loop() {
		c, err := CollectContent(b.Context(), p, platforms.Release)
		if err != nil || len(c.Items) != 10_100 {
			b.Fatal(err, len(c.Items))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10_100, "ns/asset")
}

func BenchmarkIndex(b *testing.B) {
	p := openProject(b, large(100, 100).write(b, b.TempDir()))
	c, err := CollectContent(b.Context(), p, platforms.Release)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		text, err := c.indexText()
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(text)))
	}
}

func BenchmarkExportContent(b *testing.B) {
	p := openProject(b, large(20, 100).write(b, b.TempDir()))
	job, err := NewBuild(p, BuildOptions{ContentOnly: true, Output: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		report, err := job.Run(b.Context(), Discard())
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(report.TotalSize)
	}
}

func BenchmarkArchive(b *testing.B) {
	dir := tree{
		"game/content.tspack": string(noise(32 << 20)),
		"Large":               strings.Repeat("a program repeats itself ", 400_000),
	}.write(b, b.TempDir())
	for name, write := range map[string]func(*archive, context.Context, io.Writer) error{"tar.gz": (*archive).writeTarGz, "zip": (*archive).writeZip} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(32<<20 + 10_000_000)
			for b.Loop() {
				a, err := listArchive(dir, "Large", []string{"Large"})
				if err != nil {
					b.Fatal(err)
				}
				if err := write(a, b.Context(), io.Discard); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// noise is data that cannot be compressed, the same each time.
func noise(n int) []byte {
	data := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(data)
	return data
}

// BenchmarkBrand compares branding an executable of 100 MB with a bundle, as an export does it, with copying it.
func BenchmarkBrand(b *testing.B) {
	const size = 100_000_000
	player := bundled(tinyProgram{padding: size / 10}.bytes(), map[string]string{"Game.dll": string(noise(size * 9 / 10))})
	dir := tidewater().with(tree{"assets/sprites/icon.png": picture(b, 256, 256)}).write(b, b.TempDir())
	win := target(b, "win-x64")
	job, err := NewBuild(openProject(b, dir), BuildOptions{Target: win.ID, PlayersDir: plant(b, b.TempDir(), win, string(player)), Output: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	r := &run{tracker: newTracker(Discard(), time.Now), Build: *job, settings: job.project.Build.Settings()}
	r.readIcon()
	if err := r.checkPlayer(b.Context()); err != nil {
		b.Fatal(err)
	}
	out := r.staged(r.places.layout.Executable)
	for name, write := range map[string]func() error{
		"copy":  func() error { return copyFile(b.Context(), out, r.playerExecutable().Source, 0o666, nil) },
		"brand": func() error { return r.brandExecutable(b.Context()) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(player)))
			for b.Loop() {
				if err := write(); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				if err := os.Remove(out); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
		})
	}
}
