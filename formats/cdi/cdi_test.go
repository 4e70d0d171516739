package cdi_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"talebinder/formats"
	"talebinder/formats/cdi"
	"talebinder/formats/disctest"
	"talebinder/formats/iso9660"
)

const base = 11702

// volume gives the user data of a data track.
func volume() []byte {
	return disctest.ISO{Base: base, System: []byte("SEGA SEGAKATANA"), Joliet: true, RunOut: 2, Files: []disctest.File{
		{Path: "1ST_READ.BIN", Content: bytes.Repeat([]byte("scrambled"), 3000)},
		{Path: "Content", Dir: true},
		{Path: "Content/old.pak", Content: bytes.Repeat([]byte("old"), 5000)},
	}}.Build().Data
}

// disc describes an image as programs for Dreamcast discs make them: silence, and a data track in a session of its own.
func disc(version uint32, size int, long bool) disctest.CDI {
	return disctest.CDI{Version: version, Long: long, Tracks: []disctest.CDITrack{
		{Session: 1, Mode: 0, SectorSize: 2352, Pregap: 2, Sectors: bytes.Repeat([]byte{1}, 4*2352)},
		{Session: 2, Mode: 2, SectorSize: size, Pregap: 3, LBA: base, Sectors: disctest.Stored(volume(), size, 2)},
	}}
}

func read(t testing.TB, data []byte) *cdi.Image {
	t.Helper()
	im, err := cdi.NewImage(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return im
}

func TestReading(t *testing.T) {
	want := volume()
	for version, name := range map[uint32]string{0x80000004: "2", 0x80000005: "3", 0x80000006: "3.5"} {
		for _, size := range []int{2048, 2336, 2352} {
			for _, long := range []bool{false, true} {
				t.Run(fmt.Sprintf("version %s, %d bytes, long %v", name, size, long), func(t *testing.T) {
					image := disc(version, size, long).Build()
					im := read(t, image.Data)
					if im.Version.String() != name || im.Sessions != 2 || len(im.Tracks) != 2 || im.Tracks[0].Mode != cdi.Audio {
						t.Errorf("%+v", im)
					}
					if got := im.Tracks[1]; got.Session != 2 || got.Number != 2 || got.Mode != cdi.Mode2 || got.SectorSize != size || got.Pregap != 3 || got.LBA != base || got.Offset != 6*2352 {
						t.Errorf("%+v", got)
					}
					data, err := im.Data()
					if err != nil {
						t.Fatal(err)
					}
					if data.Size() != int64(len(want)) || data.Base() != base || data.Track().Number != 2 {
						t.Error(data.Size(), data.Base())
					}
					if err := iotest.TestReader(io.NewSectionReader(data, 0, data.Size()), want); err != nil {
						t.Error(err)
					}
					random := rand.New(rand.NewPCG(1, 2))
					for range 300 {
						at, n := random.IntN(len(want)), random.IntN(10000)
						if random.IntN(5) == 0 {
							n *= 100
						}
						b := make([]byte, n)
						k, err := data.ReadAt(b, int64(at))
						if end := min(at+n, len(want)); !bytes.Equal(b[:k], want[at:end]) || (err == io.EOF) != (at+n > len(want)) {
							t.Fatalf("%d bytes at %d: %d, %v", n, at, k, err)
						}
						if k > 0 && image.Data[data.FileOffset(int64(at))] != want[at] {
							t.Fatalf("byte %d is not at %d of the file", at, data.FileOffset(int64(at)))
						}
					}
					if _, err := data.ReadAt(make([]byte, 1), -1); err == nil {
						t.Error("a negative offset")
					}
				})
			}
		}
	}
	mode1 := disctest.CDI{Version: 0x80000006, Tracks: []disctest.CDITrack{{Session: 1, Mode: 1, SectorSize: 2352, Sectors: disctest.Stored(want, 2352, 1)}}}.Build()
	data, err := read(t, mode1.Data).Data()
	if err != nil {
		t.Fatal(err)
	}
	if err := iotest.TestReader(io.NewSectionReader(data, 0, data.Size()), want); err != nil {
		t.Error("mode 1:", err)
	}
}

// rewrite writes an image with other user data.
func rewrite(t testing.TB, im *cdi.Image, user []byte, runOut uint32) []byte {
	t.Helper()
	var out bytes.Buffer
	err := im.Rewrite(t.Context(), &out, cdi.Replacement{Sectors: uint32(len(user)/2048) + runOut, RunOut: runOut, Write: func(_ context.Context, w io.Writer) error {
		_, err := w.Write(user)
		return err
	}})
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestRewriting(t *testing.T) {
	user := make([]byte, 300*2048)
	rand.NewChaCha8([32]byte{7}).Read(user)
	for _, version := range []uint32{0x80000004, 0x80000005, 0x80000006} {
		for _, size := range []int{2048, 2336} {
			for _, sectors := range []int{10, 300} {
				t.Run(fmt.Sprintf("%X, %d bytes, %d sectors", version, size, sectors), func(t *testing.T) {
					old := disc(version, size, true).Build()
					im := read(t, old.Data)
					got := rewrite(t, im, user[:sectors*2048], 2)
					now := read(t, got)
					if err := now.VerifySectors(t.Context(), uint32(sectors), nil); err != nil {
						t.Error(err)
					}
					grown := sectors + 2 - int(im.Tracks[1].Length)
					if now.DiscSectors != uint32(int(im.DiscSectors)+grown) || int(now.Tracks[1].Length) != sectors+2 {
						t.Errorf("%d sectors became %d", im.DiscSectors, now.DiscSectors)
					}
					if n, err := im.DiscLength(uint32(sectors + 2)); n != int64(now.DiscSectors) || err != nil {
						t.Error(n, err)
					}
					start := 6*2352 + 3*size
					if !bytes.Equal(got[:start], old.Data[:start]) {
						t.Error("something ahead of the data has changed")
					}
					data, err := now.Data()
					if err != nil {
						t.Fatal(err)
					}
					content := make([]byte, data.Size())
					if _, err := data.ReadAt(content, 0); err != nil || !bytes.Equal(content[:sectors*2048], user[:sectors*2048]) {
						t.Error("other user data", err)
					}
					end := len(got) - (len(old.Data) - old.Descriptor)
					if !bytes.Equal(got[end-2*size:end], old.Data[old.Descriptor-2*size:old.Descriptor]) {
						t.Error("another run-out")
					}
					// But for 16 bytes of lengths and the place in the footer the descriptor is the same.
					a, b := slices.Clone(old.Data[old.Descriptor:]), slices.Clone(got[end:])
					track := old.Tracks[1] - old.Descriptor
					for _, at := range []int{track + 6, track + 36, track + 65, old.Disc - old.Descriptor} {
						clear(a[at : at+4])
						clear(b[at : at+4])
					}
					if version != 0x80000006 {
						clear(a[len(a)-4:])
						clear(b[len(b)-4:])
					}
					if !bytes.Equal(a, b) {
						t.Error("another descriptor")
					}
				})
			}
		}
	}
}

// TestSameAgain writes an image with its own user data: it comes out the same.
func TestSameAgain(t *testing.T) {
	im := read(t, disc(0x80000006, 2336, false).Build().Data)
	once := rewrite(t, im, volume(), 0)
	if twice := rewrite(t, read(t, once), volume(), 0); !bytes.Equal(once, twice) {
		t.Error("another image")
	}
}

type damage struct {
	name string
	disc disctest.CDI
	do   func(disctest.CDIImage) []byte
	want string
}

func damages() []damage {
	usual := disc(0x80000006, 2336, true)
	put := func(at func(disctest.CDIImage) int, b ...byte) func(disctest.CDIImage) []byte {
		return func(i disctest.CDIImage) []byte {
			copy(i.Data[at(i):], b)
			return i.Data
		}
	}
	track := func(n, offset int) func(disctest.CDIImage) int {
		return func(i disctest.CDIImage) int { return i.Tracks[n] + offset }
	}
	fromEnd := func(n int) func(disctest.CDIImage) int {
		return func(i disctest.CDIImage) int { return len(i.Data) - n }
	}
	old := disc(0x80000004, 2048, false)
	return []damage{
		{"empty", usual, func(disctest.CDIImage) []byte { return nil }, "no DiscJuggler image"},
		{"other version", usual, put(fromEnd(8), 7), "no DiscJuggler image"},
		{"descriptor ahead of the file", usual, put(fromEnd(4), 0xFF, 0xFF, 0xFF, 0x7F), "one ahead of byte"},
		{"descriptor behind the footer", usual, put(fromEnd(4), 3, 0, 0, 0), "one ahead of byte"},
		{"place behind the file", old, put(fromEnd(4), 0xFF, 0xFF, 0xFF, 0xFF), "one ahead of byte"},
		{"descriptor too long", disctest.CDI{Version: 0x80000004, Tracks: []disctest.CDITrack{{Session: 1, Mode: 1, SectorSize: 2048, Sectors: make([]byte, 2<<20)}}},
			put(fromEnd(4), 0, 0, 0, 0), "at most 1048576"},
		{"cut descriptor", usual, func(i disctest.CDIImage) []byte {
			cut := append(i.Data[:i.Disc:i.Disc], i.Data[len(i.Data)-8:]...)
			binary.LittleEndian.PutUint32(cut[len(cut)-4:], uint32(len(cut)-i.Descriptor))
			return cut
		}, "bytes more"},
		{"cut track", usual, func(i disctest.CDIImage) []byte { return i.Data[2352:] }, "cut off or damaged"},
		{"something between tracks and descriptor", usual, func(i disctest.CDIImage) []byte { return append(make([]byte, 100), i.Data...) }, "cut off or damaged"},
		{"sector size number 3", usual, put(track(1, 56), 3), "sectors with subchannels"},
		{"sector size number 9", usual, put(track(1, 56), 9), "sector size number 9"},
		{"second length", usual, put(track(1, 36), 1), "the pregap and the track"},
		{"third length", usual, put(track(1, 65), 1), "the pregap and the track"},
		{"lengths that overflow", usual, func(i disctest.CDIImage) []byte {
			for _, at := range []int{2, 6, 36, 65} {
				binary.LittleEndian.PutUint32(i.Data[i.Tracks[1]+at:], 0xFFFFFFFF)
			}
			return i.Data
		}, "the pregap and the track"},
		{"no tracks", disctest.CDI{Version: 0x80000005}, func(i disctest.CDIImage) []byte { return i.Data }, "no tracks"},
		{"more sessions than there are", usual, func(i disctest.CDIImage) []byte {
			i.Data[i.Descriptor] = 200
			return i.Data
		}, "descriptor"},
	}
}

func TestDamages(t *testing.T) {
	for _, d := range damages() {
		t.Run(d.name, func(t *testing.T) {
			data := d.do(d.disc.Build())
			_, err := cdi.NewImage(bytes.NewReader(data), int64(len(data)))
			if err == nil || !strings.Contains(err.Error(), d.want) {
				t.Fatalf("%v, want %q", err, d.want)
			}
			checkRefusal(t, err)
			t.Log(err)
		})
	}
}

func TestImagesThatAreNotWritten(t *testing.T) {
	audio := disctest.CDITrack{Session: 1, SectorSize: 2352, Sectors: make([]byte, 2352)}
	data := disctest.CDITrack{Session: 1, Mode: 2, SectorSize: 2048, LBA: base, Sectors: volume()}
	for name, c := range map[string]struct {
		tracks []disctest.CDITrack
		want   string
	}{
		"audio alone":         {[]disctest.CDITrack{audio}, "no data track"},
		"2352 bytes":          {disc(0x80000006, 2352, false).Tracks, "2352-byte sectors"},
		"audio behind":        {[]disctest.CDITrack{data, audio}, "an audio track behind the data track"},
		"audio behind, and 2": {[]disctest.CDITrack{data, data, audio}, "an audio track behind the data track"},
	} {
		im := read(t, disctest.CDI{Version: 0x80000006, Tracks: c.tracks}.Build().Data)
		err := im.Rewrite(t.Context(), nil, cdi.Replacement{})
		if err == nil || !strings.Contains(err.Error(), c.want) || im.Writable() == nil {
			t.Errorf("%s: %v, want %q", name, err, c.want)
			continue
		}
		checkRefusal(t, err)
	}
	im := read(t, disctest.CDI{Version: 0x80000006, Tracks: []disctest.CDITrack{audio}}.Build().Data)
	if _, err := im.Data(); !errors.Is(err, cdi.ErrNoDataTrack) {
		t.Error(err)
	}
	if err := im.VerifyData(t.Context(), nil); !errors.Is(err, cdi.ErrNoDataTrack) {
		t.Error(err)
	}
	if _, err := im.DiscLength(1); !errors.Is(err, cdi.ErrNoDataTrack) {
		t.Error(err)
	}
}

func TestRewriteErrors(t *testing.T) {
	im := read(t, disc(0x80000004, 2336, false).Build().Data)
	write := func(n int) func(context.Context, io.Writer) error {
		return func(_ context.Context, w io.Writer) error { _, err := w.Write(make([]byte, n)); return err }
	}
	broken := errors.New("broken")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		w    io.Writer
		r    cdi.Replacement
		want string
	}{
		"less than planned":    {t.Context(), io.Discard, cdi.Replacement{Sectors: 10, Write: write(9 * 2048)}, "18432 bytes of user data instead of the planned 20480"},
		"more than planned":    {t.Context(), io.Discard, cdi.Replacement{Sectors: 10, Write: write(11 * 2048)}, "instead of the planned"},
		"a part of a sector":   {t.Context(), io.Discard, cdi.Replacement{Sectors: 10, Write: write(100)}, "100 bytes into a sector"},
		"run-out too long":     {t.Context(), io.Discard, cdi.Replacement{Sectors: 10, RunOut: 11, Write: write(0)}, "a run-out of 11 sectors"},
		"a track too long":     {t.Context(), io.Discard, cdi.Replacement{Sectors: 0xFFFFFFFF, Write: write(0)}, "the limit is 4294967295 sectors"},
		"a place too far":      {t.Context(), io.Discard, cdi.Replacement{Sectors: 2000000, Write: write(0)}, "place of the descriptor"},
		"a content that fails": {t.Context(), io.Discard, cdi.Replacement{Sectors: 10, Write: func(context.Context, io.Writer) error { return broken }}, "broken"},
		"a full disk":          {t.Context(), failing{broken}, cdi.Replacement{Sectors: 10, Write: write(10 * 2048)}, "broken"},
		"cancelled":            {cancelled, io.Discard, cdi.Replacement{Sectors: 10, Write: write(10 * 2048)}, "context canceled"},
	} {
		if err := im.Rewrite(c.ctx, c.w, c.r); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if err := im.VerifyData(cancelled, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestVerifyData(t *testing.T) {
	good := rewrite(t, read(t, disc(0x80000006, 2336, false).Build().Data), volume(), 0)
	start := 6*2352 + 3*2336
	for place, want := range map[int]string{0: "its data", 8: "its data", 2055: "its data", 2056: "the EDC", 2060: "the P parity", 2231: "the P parity", 2232: "the Q parity", 2335: "the Q parity"} {
		for _, sector := range []int{16, 17, 40} {
			bad := slices.Clone(good)
			bad[start+sector*2336+place] ^= 1
			bad[start+50*2336+2300] ^= 1 // another one further on, which is not the one that is told
			err := read(t, bad).VerifyData(t.Context(), nil)
			var fault *formats.Fault
			if !errors.As(err, &fault) || !strings.HasPrefix(fault.Part, fmt.Sprintf("sector %d of track 2", base+sector)) {
				t.Errorf("byte %d of sector %d: %v", place, sector, err)
				continue
			}
			// A change of the data is seen in the EDC that is no longer right.
			if place >= 2056 && (fault.Offset != int64(start+sector*2336+place) || !strings.Contains(fault.Found, want)) {
				t.Errorf("byte %d of sector %d: %v", place, sector, err)
			}
		}
	}
	form2 := slices.Clone(good)
	form2[start+16*2336+2] |= 0x20
	done := int64(0)
	var mutex sync.Mutex
	if err := read(t, form2).VerifyData(t.Context(), func(n int64) { mutex.Lock(); done += n; mutex.Unlock() }); err != nil {
		t.Error("a Form 2 sector:", err)
	}
	if im := read(t, form2); done != int64(im.Tracks[1].Length)*2336 {
		t.Errorf("%d bytes were reported", done)
	}
}

// TestIndependentReader lets another program read the data track that is cut out of an image.
func TestIndependentReader(t *testing.T) {
	program, err := exec.LookPath("isoinfo")
	if err != nil {
		t.Skip("isoinfo is not installed")
	}
	image := disc(0x80000006, 2336, true).Build()
	content := bytes.Repeat([]byte("new"), 70000)
	got, _, err := swap(t, image.Data, iso9660.Replacement{Name: "Content", Location: time.UTC, KeepLength: true, Sources: []iso9660.Source{
		disctest.Source("dir/new.pak", content, time.Unix(1500000000, 0), false),
	}})
	if err != nil {
		t.Fatal(err)
	}
	data, err := read(t, got).Data()
	if err != nil {
		t.Fatal(err)
	}
	track := make([]byte, data.Size())
	if _, err := data.ReadAt(track, 0); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "track")
	if err := os.WriteFile(path, track, 0o666); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"/1ST_READ.BIN;1": strings.Repeat("scrambled", 3000), "/CONTENT/DIR/NEW.PAK;1": string(content)} {
		out, err := exec.Command(program, "-N", fmt.Sprint(base), "-i", path, "-x", name).Output()
		if err != nil || string(out) != want {
			t.Errorf("%s: %d bytes, %v, want %d", name, len(out), err, len(want))
		}
	}
}

// FuzzImage opens anything as an image. What can be read is read, and written again with its own user data: the result is
// an image with the same tracks.
func FuzzImage(f *testing.F) {
	small := func(version uint32, size int, long bool) disctest.CDI {
		d := disc(version, size, long)
		d.Tracks[0].Sectors = d.Tracks[0].Sectors[:2352]
		d.Tracks[0].Pregap, d.Tracks[1].Pregap = 0, 1
		d.Tracks[1].Sectors = d.Tracks[1].Sectors[:2*size]
		return d
	}
	seeds := make(map[string][]byte)
	for _, version := range []uint32{0x80000004, 0x80000005, 0x80000006} {
		for _, size := range []int{2048, 2336, 2352} {
			seeds[fmt.Sprint(version, size)] = small(version, size, size == 2336).Build().Data
		}
	}
	for _, d := range damages() {
		if len(d.disc.Tracks) == 2 {
			d.disc = small(d.disc.Version, d.disc.Tracks[1].SectorSize, d.disc.Long)
			seeds[d.name] = d.do(d.disc.Build())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(seeds)) {
		f.Add(seeds[name])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		im, err := cdi.NewImage(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			checkRefusal(t, err)
			return
		}
		track, err := im.Data()
		if err != nil {
			checkRefusal(t, err)
			return
		}
		if err := im.VerifyData(t.Context(), nil); err != nil {
			checkRefusal(t, err)
		}
		user := make([]byte, track.Size())
		if n, err := track.ReadAt(user, 0); n != len(user) || err != nil {
			t.Fatal(n, err)
		}
		if err := im.Writable(); err != nil {
			checkRefusal(t, err)
			return
		}
		var out bytes.Buffer
		err = im.Rewrite(t.Context(), &out, cdi.Replacement{Sectors: track.Track().Length, Write: func(_ context.Context, w io.Writer) error {
			_, err := w.Write(user)
			return err
		}})
		if err != nil {
			checkRefusal(t, err)
			return
		}
		now := read(t, out.Bytes())
		if !slices.Equal(now.Tracks, im.Tracks) || out.Len() != len(data) || now.DiscSectors != im.DiscSectors {
			t.Fatalf("%+v became %+v", im, now)
		}
		if err := now.VerifyData(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		again, err := now.Data()
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, again.Size())
		if _, err := again.ReadAt(got, 0); err != nil || !bytes.Equal(got, user) {
			t.Fatal("other user data", err)
		}
	})
}

// sparse is an image of 800 MB, most of which is zeros that take no memory.
type sparse struct {
	size int64
	tail []byte
}

func (s sparse) ReadAt(b []byte, at int64) (int, error) {
	clear(b)
	for i := range b {
		if j := at + int64(i) - (s.size - int64(len(s.tail))); j >= 0 {
			return i + copy(b[i:], s.tail[j:]), nil
		}
		if skip := s.size - int64(len(s.tail)) - at - int64(len(b)); skip > 0 {
			break
		}
	}
	return len(b), nil
}

// large gives an image with a data track of 340000 sectors.
func large(t testing.TB) *cdi.Image {
	const sectors = 340000
	d := disctest.CDI{Version: 0x80000006, Tracks: []disctest.CDITrack{{Session: 1, Mode: 2, SectorSize: 2336, LBA: base, Sectors: make([]byte, 2336)}}}.Build()
	for _, at := range []int{6, 36, 65} {
		binary.LittleEndian.PutUint32(d.Data[d.Tracks[0]+at:], sectors)
	}
	tail := d.Data[d.Descriptor:]
	size := sectors*2336 + int64(len(tail))
	im, err := cdi.NewImage(sparse{size, tail}, size)
	if err != nil {
		t.Fatal(err)
	}
	return im
}

// TestMemory rewrites a large image in little memory, however much of it there is.
func TestMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	im := large(t)
	data, err := im.Data()
	if err != nil {
		t.Fatal(err)
	}
	err = im.Rewrite(t.Context(), io.Discard, cdi.Replacement{Sectors: data.Track().Length, Write: func(_ context.Context, w io.Writer) error {
		_, err := io.CopyBuffer(w, struct{ io.Reader }{io.NewSectionReader(data, 0, data.Size())}, make([]byte, 1<<20))
		return err
	}})
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	// All that was ever taken is a bound of what was taken at a time.
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 32<<20 {
		t.Errorf("%d bytes of memory", taken)
	}
}

func BenchmarkIdentify(b *testing.B) {
	for b.Loop() {
		large(b)
	}
}

// BenchmarkRewrite writes 64 MiB of user data that is not zero.
func BenchmarkRewrite(b *testing.B) {
	user := make([]byte, 64<<20)
	rand.NewChaCha8([32]byte{1}).Read(user)
	im := read(b, disc(0x80000006, 2336, false).Build().Data)
	b.SetBytes(int64(len(user)))
	b.ReportAllocs()
	for b.Loop() {
		err := im.Rewrite(b.Context(), io.Discard, cdi.Replacement{Sectors: uint32(len(user) / 2048), Write: func(_ context.Context, w io.Writer) error {
			_, err := w.Write(user)
			return err
		}})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkVerifyData checks 64 MiB of user data.
func BenchmarkVerifyData(b *testing.B) {
	user := make([]byte, 64<<20)
	rand.NewChaCha8([32]byte{1}).Read(user)
	im := read(b, rewrite(b, read(b, disc(0x80000006, 2336, false).Build().Data), user, 0))
	b.SetBytes(int64(len(user)))
	for b.Loop() {
		if err := im.VerifyData(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReadAt reads user data out of stored sectors.
func BenchmarkReadAt(b *testing.B) {
	data, err := large(b).Data()
	if err != nil {
		b.Fatal(err)
	}
	buffer := make([]byte, 1<<20)
	b.SetBytes(int64(len(buffer)))
	for b.Loop() {
		if _, err := data.ReadAt(buffer, 100*2048); err != nil {
			b.Fatal(err)
		}
	}
}
