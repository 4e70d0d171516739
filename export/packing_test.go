package export

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talebinder/export/cache"
)

// manyFiles is a project with files of all sizes, some of which cannot be compressed.
func manyFiles(count int) tree {
	changes := make(tree)
	for n := range count {
		text := strings.Repeat(fmt.Sprintf("%d bottles on the wall, ", n), 1+n*7)
		if n%10 == 3 {
			text = string(bytes.Repeat([]byte{byte(n)}, 1)) // too short to be compressed
		}
		changes[fmt.Sprintf("assets/extra/%d.txt", n)] = text
	}
	return tidewater().with(changes)
}

// packed says what an export logged about compressing.
func packed(t *testing.T, out *recorder) string {
	t.Helper()
	for _, m := range out.messages(Info) {
		if strings.HasSuffix(m, "from the cache") {
			return m
		}
	}
	t.Error("nothing is said about compressing: ", out.lines)
	return ""
}

// packOf exports the game folder and gives the pack.
func packOf(t *testing.T, dir string, o BuildOptions) ([]byte, *recorder) {
	t.Helper()
	o.ContentOnly = true
	report, out, err := build(t, dir, o)
	if err != nil {
		t.Fatal(err, out.lines)
	}
	pack, err := os.ReadFile(filepath.Join(report.OutputDirectory, "game", "content.tspack"))
	if err != nil {
		t.Fatal(err)
	}
	return pack, out
}

func TestSecondExportCompressesNothing(t *testing.T) {
	dir := manyFiles(60).write(t, t.TempDir())
	want, out := packOf(t, dir, BuildOptions{NoCache: true, Workers: 1})
	files := 60 + 7 // and the index
	if got, want := packed(t, out), fmt.Sprintf("%d compressed, 0 from the cache", files); got != want {
		t.Errorf("without a cache: %q, want %q", got, want)
	}
	for _, workers := range []int{1, 2, 7} {
		kept := cache.New(t.TempDir(), cache.DefaultLimit)
		for i, says := range []string{fmt.Sprintf("%d compressed, 0 from the cache", files), fmt.Sprintf("0 compressed, %d from the cache", files)} {
			got, out := packOf(t, dir, BuildOptions{Cache: kept, Workers: workers})
			if !bytes.Equal(got, want) {
				t.Errorf("%d workers, export %d: the pack has other bytes", workers, i)
			}
			if got := packed(t, out); got != says {
				t.Errorf("%d workers, export %d: %q, want %q", workers, i, got, says)
			}
			if len(out.messages(Warning)) != 1 { // about the plugin that cannot be loaded
				t.Error(out.messages(Warning))
			}
		}
		if usage, err := kept.Usage(); err != nil || usage.Entries != files {
			t.Errorf("%+v, %v", usage, err)
		}
	}
}

func TestOneChangedFileIsCompressedAlone(t *testing.T) {
	dir := manyFiles(40).write(t, t.TempDir())
	kept := cache.New(t.TempDir(), cache.DefaultLimit)
	packOf(t, dir, BuildOptions{Cache: kept})
	file := filepath.Join(dir, "assets", "extra", "20.txt")
	text := strings.Repeat("0 bottles on the wall. ", 141) // as long as before
	before, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	// A program that puts the time back is not believed.
	if err := os.Chtimes(file, time.Time{}, before.ModTime()); err != nil {
		t.Fatal(err)
	}
	output := t.TempDir()
	got, out := packOf(t, dir, BuildOptions{Cache: kept, Output: output})
	if got := packed(t, out); got != "1 compressed, 46 from the cache" {
		t.Error(got)
	}
	if _, content := readPack(t, filepath.Join(output, "Tide Water-linux-x64", "game", "content.tspack")); content["extra/20.txt"] != text {
		t.Error("the pack has the file as it was")
	}
	if fresh, _ := packOf(t, dir, BuildOptions{NoCache: true}); !bytes.Equal(got, fresh) {
		t.Error("the pack has other bytes than without a cache")
	}
}

// Files that were old when they were packed are not read again, and those that were new are.
func TestUntouchedFilesAreNotRead(t *testing.T) {
	dir := manyFiles(10).write(t, t.TempDir())
	file := filepath.Join(dir, "assets", "extra", "5.txt")
	kept := cache.New(t.TempDir(), cache.DefaultLimit)
	ledger := func() *cache.Ledger {
		s, err := kept.Begin()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s.Ledger(openProject(t, dir).AssetRoot())
	}
	if _, ok := ledger().Look(file); !ok {
		t.Skip("the system does not tell files that were changed from others")
	}
	packOf(t, dir, BuildOptions{Cache: kept})
	if _, known := ledger().Known(file); known {
		t.Error("a file that has just been written is believed to be as it was")
	}
	if testing.Short() {
		t.Skip("waits for two seconds")
	}
	time.Sleep(2100 * time.Millisecond)
	packOf(t, dir, BuildOptions{Cache: kept})
	if _, known := ledger().Known(file); !known {
		t.Error("the file's content is not known")
	}
	if err := os.WriteFile(file, []byte("changed"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, known := ledger().Known(file); known {
		t.Error("a file that was changed is believed to be as it was")
	}
}

func TestPoisonedCacheIsNoticed(t *testing.T) {
	dir := manyFiles(40).write(t, t.TempDir())
	kept := cache.New(t.TempDir(), cache.DefaultLimit)
	want, _ := packOf(t, dir, BuildOptions{Cache: kept})
	segments, err := filepath.Glob(filepath.Join(kept.Dir, "*.segment"))
	if err != nil || len(segments) != 1 {
		t.Fatal(segments, err)
	}
	sound, err := os.ReadFile(segments[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		poison func(b []byte) []byte
		warns  int
		says   string
	}{
		{"one form", func(b []byte) []byte { b[40] ^= 1; return b }, 1, "compressed anew, because the cache's copy of it was damaged"},
		{"all forms", func(b []byte) []byte {
			table := binary.LittleEndian.Uint64(b[len(b)-48:])
			for i := range b[8:table] {
				b[8+i] ^= 0x55
			}
			return b
		}, 11, "more files were compressed anew"},
		{"the table", func(b []byte) []byte { b[len(b)-100] ^= 1; return b }, 1, "the cache was damaged, and a part of it is removed"},
		{"cut off", func(b []byte) []byte { return b[:len(b)/2] }, 1, "the cache was damaged, and a part of it is removed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			poisoned := cache.New(t.TempDir(), cache.DefaultLimit)
			if err := os.WriteFile(filepath.Join(poisoned.Dir, filepath.Base(segments[0])), c.poison(bytes.Clone(sound)), 0o666); err != nil {
				t.Fatal(err)
			}
			for i, warns := range []int{c.warns, 0} { // the second export finds it mended
				got, out := packOf(t, dir, BuildOptions{Cache: poisoned})
				if !bytes.Equal(got, want) {
					t.Errorf("export %d: the pack has other bytes", i)
				}
				warnings := out.messages(Warning)[1:] // the first is about a plugin
				if len(warnings) != warns || warns > 0 && !strings.Contains(strings.Join(warnings, "\n"), c.says) {
					t.Errorf("export %d: %d warnings, want %d: %v", i, len(warnings), warns, warnings)
				}
			}
		})
	}
}

func TestExportWithoutAUsableCache(t *testing.T) {
	dir := tidewater().write(t, t.TempDir())
	blocked := filepath.Join(tree{"file": ""}.write(t, t.TempDir()), "file")
	want, _ := packOf(t, dir, BuildOptions{NoCache: true})
	got, out := packOf(t, dir, BuildOptions{Cache: cache.New(filepath.Join(blocked, "cache"), cache.DefaultLimit)})
	if !bytes.Equal(got, want) {
		t.Error("the pack has other bytes")
	}
	if all := strings.Join(out.messages(Warning), "\n"); !strings.Contains(all, "cache") {
		t.Error("nothing is said about the cache: ", all)
	}
	switchedOff := cache.New(t.TempDir(), 0)
	if _, out = packOf(t, dir, BuildOptions{Cache: switchedOff}); !strings.HasSuffix(packed(t, out), " 0 from the cache") {
		t.Error(packed(t, out))
	}
	if usage, err := switchedOff.Usage(); err != nil || usage.Bytes != 0 {
		t.Errorf("%+v, %v", usage, err)
	}
}

func TestBuildsAreTheSameWithACache(t *testing.T) {
	dir := manyFiles(20).write(t, t.TempDir())
	kept := cache.New(t.TempDir(), cache.DefaultLimit)
	players := plantPlayers(t, "program")
	var trees []tree
	for _, o := range []BuildOptions{{NoCache: true}, {Cache: kept}, {Cache: kept}} {
		o.PlayersDir = players
		report, out, err := build(t, dir, o)
		if err != nil {
			t.Fatal(err, out.lines)
		}
		trees = append(trees, readTree(t, report.OutputDirectory))
	}
	if !cmp.Equal(trees[0], trees[1]) || !cmp.Equal(trees[0], trees[2]) {
		t.Error("builds differ")
	}
}
