//go:build unix

package discs

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"syscall"
	"testing"
	"time"

	"talebinder/export"
	"talebinder/formats/disctest"
)

// benchSize is how large the image is whose content is swapped, in bytes.
const benchSize = 700 << 20

// largeSwap makes an image of 700 MB of 2048-byte sectors, and another content of that size.
func largeSwap(b *testing.B) (image, content string) {
	folder := b.TempDir()
	small := filepath.Join(folder, "small.iso")
	disc := disctest.ISO{Joliet: true, Files: []disctest.File{
		{Path: "Content", Dir: true}, {Path: "SYSTEM.CNF", Content: []byte("BOOT2 = cdrom0:\\TIDE.ELF;1\r\n")}, {Path: "TIDE.ELF", Content: make([]byte, 4<<20)},
	}}.Build().Data
	if err := os.WriteFile(small, disc, 0o666); err != nil {
		b.Fatal(err)
	}
	random := rand.NewChaCha8([32]byte{1})
	contents := [2]string{filepath.Join(folder, "old"), filepath.Join(folder, "new")}
	block := make([]byte, 1<<20)
	for _, content := range contents {
		for left, n := int64(benchSize-8<<20), 0; left > 0; n++ {
			size := min(int64(n%7*n%7+1)<<20, left) // 1 to 36 MiB
			left -= size
			dir := filepath.Join(content, fmt.Sprint("dir", n%5))
			if err := os.MkdirAll(dir, 0o777); err != nil {
				b.Fatal(err)
			}
			file, err := os.Create(filepath.Join(dir, fmt.Sprint(n, ".bin")))
			if err != nil {
				b.Fatal(err)
			}
			w := bufio.NewWriterSize(file, 1<<20)
			for at := int64(0); at < size; at += int64(len(block)) {
				_, _ = random.Read(block)
				_, _ = w.Write(block)
			}
			if err := w.Flush(); err != nil {
				b.Fatal(err)
			}
			_ = file.Close()
		}
	}
	image = filepath.Join(folder, "disc.iso")
	benchSwap(b, small, image, contents[0])
	return image, contents[1]
}

func benchSwap(b *testing.B, image, target, content string) {
	b.Helper()
	s, err := NewSwap(SwapOptions{Image: image, Target: target, Content: content})
	if err != nil {
		b.Fatal(err)
	}
	if report, err := s.Run(context.Background(), export.Discard()); err != nil {
		b.Fatal(err, report.Errors)
	}
}

// BenchmarkSwapAgainstCopy swaps the content of an image of 700 MB, and compares the time with what copying that image with cp,
// sync and sha256sum over both takes: at most 1.3 times that is wanted. The memory is the most that the program had from the
// system during a swap: less than 64 MB is wanted.
func BenchmarkSwapAgainstCopy(b *testing.B) {
	image, content := largeSwap(b)
	target := filepath.Join(filepath.Dir(image), "target.iso")
	syscall.Sync()
	var swapping, copying time.Duration
	var most uint64
	for b.Loop() {
		_ = os.Remove(target)
		started := time.Now()
		memory := watchMemory()
		benchSwap(b, image, target, content)
		most = max(most, memory())
		swapping += time.Since(started)

		_ = os.Remove(target)
		syscall.Sync()
		started = time.Now()
		for _, words := range [][]string{{"cp", image, target}, {"sync", target}, {"sha256sum", image}, {"sha256sum", target}} {
			if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
				b.Skipf("%v: %v %s", words, err, out)
			}
		}
		copying += time.Since(started)
		_ = os.Remove(target)
		syscall.Sync()
	}
	b.ReportMetric(swapping.Seconds()/float64(b.N), "s/swap")
	b.ReportMetric(copying.Seconds()/float64(b.N), "s/copy")
	b.ReportMetric(float64(swapping)/float64(copying), "ratio")
	b.ReportMetric(float64(most)/(1<<20), "MB")
}

// watchMemory looks at the memory that the program has from the system until the function that it returns is called, which
// gives the most of it in bytes.
func watchMemory() func() uint64 {
	runtime.GC()
	debug.FreeOSMemory()
	stop, most := make(chan struct{}), make(chan uint64)
	go func() {
		found := uint64(0)
		for {
			select {
			case <-stop:
				most <- found
				return
			case <-time.After(5 * time.Millisecond):
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				found = max(found, m.Sys-m.HeapReleased)
			}
		}
	}()
	return func() uint64 {
		close(stop)
		return <-most
	}
}

// BenchmarkIdentify makes the identity card of an image of 700 MB: less than 50 ms is wanted.
func BenchmarkIdentify(b *testing.B) {
	image := filepath.Join(b.TempDir(), "disc.iso")
	if err := os.WriteFile(image, small(), 0o666); err != nil {
		b.Fatal(err)
	}
	if err := os.Truncate(image, benchSize); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Identify(b.Context(), image); err != nil {
			b.Fatal(err)
		}
	}
}
