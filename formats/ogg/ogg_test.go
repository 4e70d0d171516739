package ogg

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"talebinder/formats"
)

// page makes a page with one packet.
func page(position int64, stream uint32, number uint32, packet string) string {
	b := []byte("OggS\x00\x00")
	b = binary.LittleEndian.AppendUint64(b, uint64(position))
	b = binary.LittleEndian.AppendUint32(b, stream)
	b = binary.LittleEndian.AppendUint32(b, number)
	b = append(b, 0, 0, 0, 0, byte(len(packet)/255+1))
	b = append(b, bytes.Repeat([]byte{255}, len(packet)/255)...)
	b = append(b, byte(len(packet)%255))
	b = append(b, packet...)
	binary.LittleEndian.PutUint32(b[22:], crc(b))
	return string(b)
}

func vorbis(channels byte, rate uint32) string {
	b := append([]byte("\x01vorbis\x00\x00\x00\x00"), channels)
	return string(append(binary.LittleEndian.AppendUint32(b, rate), make([]byte, 14)...))
}

func opus(channels byte, delay uint16) string {
	b := append([]byte("OpusHead\x01"), channels)
	b = binary.LittleEndian.AppendUint16(b, delay)
	return string(binary.LittleEndian.AppendUint32(b, 44_100)) + "\x00\x00\x00"
}

func read(text string) (Info, error) { return ReadInfo(strings.NewReader(text), int64(len(text))) }

func TestReadInfo(t *testing.T) {
	first := page(0, 7, 0, vorbis(2, 44_100))
	for _, c := range []struct {
		name, text string
		want       Info
		duration   time.Duration
	}{
		{"Vorbis", first + page(44_100, 7, 1, "a") + page(66_150, 7, 2, "b"), Info{"Vorbis", 2, 44_100, 66_150}, 1500 * time.Millisecond},
		{"Opus", page(0, 1, 0, opus(1, 312)) + page(48_312, 1, 1, "a"), Info{"Opus", 1, 48_000, 48_000}, time.Second},
		{"another stream at the end", first + page(441, 7, 1, "a") + page(5, 8, 0, "b"), Info{"Vorbis", 2, 44_100, 441}, 10 * time.Millisecond},
		{"a page in which no packet ends", first + page(441, 7, 1, "a") + page(-1, 7, 2, strings.Repeat("b", 300)), Info{"Vorbis", 2, 44_100, 441}, 10 * time.Millisecond},
		{"the mark of a page within a sound", first + page(441, 7, 1, "a OggS\x00\x04 of a sound that says so") + "OggS\x00", Info{"Vorbis", 2, 44_100, 441}, 10 * time.Millisecond},
		{"a last page that is damaged", first + page(441, 7, 1, "a") + page(882, 7, 2, "b")[:27] + "\x01c", Info{"Vorbis", 2, 44_100, 441}, 10 * time.Millisecond},
		{"more than is searched behind the last page", first + page(441, 7, 1, "a") + strings.Repeat("x", searched), Info{"Vorbis", 2, 44_100, -1}, 0},
		{"many marks", first + strings.Repeat("OggS\x00", 300_000), Info{"Vorbis", 2, 44_100, -1}, 0},
		{"the first page alone", first, Info{"Vorbis", 2, 44_100, 0}, 0},
		{"longer than time", page(0, 7, 0, vorbis(1, 1)) + page(1<<62, 7, 1, "a"), Info{"Vorbis", 1, 1, 1 << 62}, (1 << 33) * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := read(c.text)
			if err != nil || got != c.want || got.Duration() != c.duration {
				t.Errorf("%+v %v, %v", got, got.Duration(), err)
			}
		})
	}
}

func TestFaults(t *testing.T) {
	first := page(0, 7, 0, vorbis(2, 44_100))
	for _, c := range []struct {
		name, text string
		kind       error
	}{
		{"nothing", "", formats.ErrDamaged},
		{"another file", "RIFF" + strings.Repeat("x", 100), formats.ErrDamaged},
		{"cut off", first[:40], formats.ErrDamaged},
		{"changed", strings.Replace(first, "vorbis", "vorbiz", 1), formats.ErrDamaged},
		{"another codec", page(0, 7, 0, "\x80theora"+strings.Repeat("x", 30)), formats.ErrUnsupported},
		{"no channels", page(0, 7, 0, vorbis(0, 44_100)), formats.ErrDamaged},
		{"a rate of 0", page(0, 7, 0, vorbis(1, 0)), formats.ErrDamaged},
	} {
		if _, err := read(c.text); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestRealFile(t *testing.T) {
	text, err := os.ReadFile(filepath.FromSlash("../../../shared/golden/convert/in/content/Animations/Jazz/own.ogg"))
	if err != nil {
		t.Skip("the shared files are not here: ", err)
	}
	info, err := read(string(text))
	t.Logf("%+v, %v", info, info.Duration())
	var fault *formats.Fault
	if err != nil && !errors.As(err, &fault) || err == nil && (info.Rate == 0 || info.Channels == 0) {
		t.Errorf("%+v, %v", info, err)
	}
}

func FuzzReadInfo(f *testing.F) {
	f.Add([]byte(page(0, 7, 0, vorbis(2, 44_100)) + page(441, 7, 1, "a")))
	f.Add([]byte(page(0, 7, 0, opus(1, 312)) + page(-1, 7, 1, "a")))
	f.Add([]byte("OggS"))
	f.Fuzz(func(t *testing.T, text []byte) {
		info, err := read(string(text))
		var fault *formats.Fault
		if err != nil && !errors.As(err, &fault) {
			t.Errorf("an error that is no fault: %v", err)
		}
		if err == nil && (info.Channels <= 0 || info.Rate <= 0 || info.Frames < -1 || info.Duration() < 0) {
			t.Errorf("%+v", info)
		}
	})
}
