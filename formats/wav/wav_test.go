package wav

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"talebinder/formats"
)

func chunk(name, content string) string {
	b := binary.LittleEndian.AppendUint32([]byte(name), uint32(len(content)))
	b = append(b, content...)
	return string(append(b, make([]byte, len(content)%2)...))
}

// format is the content of a chunk "fmt ".
func format(encoding Encoding, channels, rate, perSecond, frame, bits int, more string) string {
	le := binary.LittleEndian
	b := le.AppendUint16(nil, uint16(encoding))
	b = le.AppendUint16(b, uint16(channels))
	b = le.AppendUint32(b, uint32(rate))
	b = le.AppendUint32(b, uint32(perSecond))
	b = le.AppendUint16(b, uint16(frame))
	return string(le.AppendUint16(b, uint16(bits))) + more
}

func riff(chunks ...string) string {
	all := strings.Join(chunks, "")
	return "RIFF" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(all)+4))) + "WAVE" + all
}

func read(text string) (Info, error) {
	return ReadInfo(iotest.HalfReader(strings.NewReader(text)), int64(len(text)))
}

func TestReadInfo(t *testing.T) {
	cd := chunk("fmt ", format(PCM, 2, 44_100, 176_400, 4, 16, ""))
	second := strings.Repeat("s", 176_400)
	endless := "data\xFF\xFF\xFF\xFF" + second
	for _, c := range []struct {
		name, text string
		want       Info
		duration   time.Duration
	}{
		{"a second", riff(cd, chunk("data", second)), Info{PCM, 2, 44_100, 16, 44_100}, time.Second},
		{"other chunks before and behind", riff(chunk("LIST", "odd"), cd, chunk("cue ", "1234"), chunk("data", second), chunk("smpl", "x")), Info{PCM, 2, 44_100, 16, 44_100}, time.Second},
		{"more in the chunk", riff(chunk("fmt ", format(Float, 1, 8000, 32_000, 4, 32, "\x00\x00")), chunk("data", second)), Info{Float, 1, 8000, 32, 44_100}, 5512500 * time.Microsecond},
		{"extensible", riff(chunk("fmt ", format(extensible, 2, 44_100, 176_400, 4, 16, "\x16\x00\x10\x00\x03\x00\x00\x00\x01\x00"+strings.Repeat("x", 14))), chunk("data", second)), Info{PCM, 2, 44_100, 16, 44_100}, time.Second},
		{"ADPCM with a fact", riff(chunk("fmt ", format(ADPCM, 1, 22_050, 11_155, 512, 4, "")), chunk("fact", "\x22\x56\x00\x00"), chunk("data", "xyz")), Info{ADPCM, 1, 22_050, 4, 22_050}, time.Second},
		{"ADPCM without one", riff(chunk("fmt ", format(IMAADPCM, 1, 22_050, 11_025, 512, 4, "")), chunk("data", strings.Repeat("x", 11_025))), Info{IMAADPCM, 1, 22_050, 4, 22_050}, time.Second},
		{"a length that was never filled in", riff(cd, endless), Info{PCM, 2, 44_100, 16, 44_100}, time.Second},
		{"a length beyond the file", riff(cd, "data\xFF\xFF\xFF\x0F"+second), Info{PCM, 2, 44_100, 16, 44_100}, time.Second},
		{"RF64", strings.Replace(riff(chunk("ds64", "12345678\x10\xB1\x02\x00\x00\x00\x00\x00"), cd, endless, "more"), "RIFF", "RF64", 1), Info{PCM, 2, 44_100, 16, 44_100}, time.Second},
		{"no samples", riff(cd, chunk("data", "")), Info{PCM, 2, 44_100, 16, 0}, 0},
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
	cd := chunk("fmt ", format(PCM, 2, 44_100, 176_400, 4, 16, ""))
	for name, text := range map[string]string{
		"nothing":             "",
		"another file":        "OggS" + strings.Repeat("x", 50),
		"another RIFF":        "RIFF\x04\x00\x00\x00AVI ",
		"no chunks":           riff(),
		"no samples":          riff(cd),
		"no format":           riff(chunk("data", "1234")),
		"a short format":      riff(chunk("fmt ", "short"), chunk("data", "1234")),
		"a format cut off":    riff(cd)[:30],
		"a huge chunk":        riff("LIST\xFF\xFF\xFF\xFFx"),
		"no channels":         riff(chunk("fmt ", format(PCM, 0, 44_100, 0, 4, 16, "")), chunk("data", "1234")),
		"a rate of 0":         riff(chunk("fmt ", format(PCM, 1, 0, 0, 4, 16, "")), chunk("data", "1234")),
		"frames of 0 bytes":   riff(chunk("fmt ", format(PCM, 1, 8000, 0, 0, 16, "")), chunk("data", "1234")),
		"a chunk header only": riff("dat"),
	} {
		if info, err := read(text); !errors.Is(err, formats.ErrDamaged) {
			t.Errorf("%s: %+v, %v", name, info, err)
		}
	}
	broken := errors.New("the disk is gone")
	if _, err := ReadInfo(iotest.ErrReader(broken), 100); !errors.Is(err, broken) {
		t.Error(err)
	}
}

func TestRealFiles(t *testing.T) {
	files, _ := filepath.Glob(filepath.FromSlash("../../../shared/golden/media/n64/*.wav"))
	if len(files) == 0 {
		t.Skip("the shared files are not here")
	}
	read := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		info, err := ReadInfo(strings.NewReader(string(text)), int64(len(text)))
		var fault *formats.Fault
		if err != nil && !errors.As(err, &fault) {
			t.Errorf("%s: %v", file, err)
		}
		if err == nil {
			read++
		}
		t.Logf("%s: %+v, %v, %v", filepath.Base(file), info, info.Duration(), err)
	}
	t.Logf("%d of %d files", read, len(files))
}

func FuzzReadInfo(f *testing.F) {
	cd := chunk("fmt ", format(PCM, 2, 44_100, 176_400, 4, 16, ""))
	f.Add([]byte(riff(cd, chunk("data", "12345678"))))
	f.Add([]byte(riff(chunk("ds64", "1234567812345678"), cd, "data\xFF\xFF\xFF\xFF")))
	f.Add([]byte(riff(chunk("fact", "1234"), chunk("fmt ", format(ADPCM, 1, 1, 1, 1, 4, "")), chunk("data", "x"))))
	f.Fuzz(func(t *testing.T, text []byte) {
		info, err := read(string(text))
		var fault *formats.Fault
		if err != nil && !errors.As(err, &fault) {
			t.Errorf("an error that is no fault: %v", err)
		}
		if err == nil && (info.Channels <= 0 || info.Rate <= 0 || info.Frames < 0 || info.Duration() < 0) {
			t.Errorf("%+v", info)
		}
	})
}
