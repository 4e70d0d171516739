package packs

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	_ "image/gif"  // pictures of a game may be GIF files
	_ "image/jpeg" // or JPEG files
	_ "image/png"  // or PNG files
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	_ "golang.org/x/image/bmp" // or BMP files
	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp" // or WebP files

	"talebinder/export"
	"talebinder/formats/assetpath"
	"talebinder/gui/ui"
)

// Bounds of what a preview reads and keeps.
const (
	maxPictureFile   = 64 << 20 // bytes
	maxPicturePixels = 32 << 20 // decoded, they take four bytes each for a moment
	maxPictureSide   = 1024     // of what is kept and sent to the graphics card
	maxText          = 256 << 10
	maxLine          = 400 // characters of a line that are shown
	maxSound         = 256 << 10
)

// A Preview is what can be shown of a file, or why there is nothing.
type Preview struct {
	Path    string
	Image   *image.RGBA
	Lines   []string // of a text
	Facts   []Fact   // of a picture or sound
	Note    string   // what was left out
	Problem string   // why there is nothing to show
}

// A Fact is a line about a file.
type Fact struct{ Name, Value string }

var (
	pictures = []string{".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp"}
	sounds   = []string{".wav", ".ogg", ".mp3", ".flac"}
)

// preview reads a file of the pack at pack as far as it takes to show it. It opens the pack anew, so that an export may
// replace it in the meantime.
func preview(ctx context.Context, pack, name string) Preview {
	p := Preview{Path: name}
	file, err := export.OpenPack(pack)
	if err != nil {
		p.Problem = err.Error()
		return p
	}
	defer file.Close()
	entry, ok, err := file.Find(name)
	if err == nil && !ok {
		err = errors.New("the pack has changed and does not hold this file any more")
	}
	if err != nil {
		p.Problem = err.Error()
		return p
	}
	ext := assetpath.Ext(name)
	size, limit := entry.ContentLength(), int64(maxText)
	switch {
	case slices.Contains(pictures, ext):
		if limit = maxPictureFile; size > limit {
			p.Problem = "Too large for a preview: " + ui.Size(size) + ", at most " + ui.Size(limit) + "."
			return p
		}
	case slices.Contains(sounds, ext):
		limit = maxSound
	}
	in, err := file.Open(entry)
	if err != nil {
		p.Problem = "The file is damaged: " + err.Error()
		return p
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(&reader{ctx, in}, limit))
	switch {
	case err != nil:
		p.Problem = "The file is damaged: " + err.Error()
	case slices.Contains(pictures, ext):
		p.picture(data)
	case slices.Contains(sounds, ext):
		p.sound(ext, data, size)
	default:
		p.text(data, size)
	}
	return p
}

// reader ends a read when its context does.
type reader struct {
	ctx context.Context
	in  io.Reader
}

func (r *reader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.in.Read(b)
}

// picture decodes a picture whose size it looks at first.
func (p *Preview) picture(data []byte) {
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		p.Problem = "The picture cannot be decoded: " + err.Error() + "."
		return
	}
	p.Facts = []Fact{{"Pixels", fmt.Sprintf("%s × %s", ui.Count(int64(config.Width)), ui.Count(int64(config.Height)))}, {"Format", strings.ToUpper(format)}}
	if config.Width <= 0 || config.Height <= 0 {
		p.Problem = "The picture has no pixels."
		return
	}
	if config.Width > maxPicturePixels/config.Height {
		p.Problem = fmt.Sprintf("Too many pixels for a preview: at most %d million.", maxPicturePixels>>20)
		return
	}
	source, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		p.Problem = "The picture cannot be decoded: " + err.Error() + "."
		return
	}
	size := source.Bounds().Size()
	if longest := max(size.X, size.Y); longest > maxPictureSide {
		size.X, size.Y = max(1, size.X*maxPictureSide/longest), max(1, size.Y*maxPictureSide/longest)
		p.Note = "Shown smaller than it is."
	}
	p.Image = image.NewRGBA(image.Rectangle{Max: size})
	if size == source.Bounds().Size() {
		draw.Draw(p.Image, p.Image.Rect, source, source.Bounds().Min, draw.Src)
	} else {
		draw.ApproxBiLinear.Scale(p.Image, p.Image.Rect, source, source.Bounds(), draw.Src, nil)
	}
}

// text breaks a text into lines. What is no UTF-8 or has zero bytes is none.
func (p *Preview) text(data []byte, size int64) {
	whole := int64(len(data)) == size
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !whole {
		for cut := 0; cut < utf8.UTFMax && len(data) > 0 && !utf8.Valid(data); cut++ {
			data = data[:len(data)-1] // the last character may be cut through
		}
		p.Note = "The first " + ui.Size(maxText) + " of it."
	}
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		p.Note, p.Problem = "", "There is no preview for this kind of file."
		return
	}
	if len(data) == 0 {
		p.Problem = "The file is empty."
		return
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(string(data), "\n"), "\n") {
		line = strings.ReplaceAll(strings.TrimSuffix(line, "\r"), "\t", "    ")
		if len(line) > maxLine {
			runes := []rune(line)
			line = string(runes[:min(len(runes), maxLine)])
		}
		p.Lines = append(p.Lines, line)
	}
}

// sound reads what the head of a sound says.
func (p *Preview) sound(ext string, head []byte, size int64) {
	var s soundFacts
	ok := false
	switch ext {
	case ".wav":
		s, ok = wavFacts(head)
	case ".ogg":
		s, ok = oggFacts(head)
	case ".flac":
		s, ok = flacFacts(head)
	case ".mp3":
		s, ok = soundFacts{codec: "MP3"}, true
	}
	if !ok {
		p.Problem = "The head of this sound cannot be read."
		return
	}
	p.Facts = append(p.Facts, Fact{"Codec", s.codec})
	if s.rate > 0 {
		p.Facts = append(p.Facts, Fact{"Rate", ui.Count(int64(s.rate)) + " Hz"})
	}
	switch s.channels {
	case 0:
	case 1:
		p.Facts = append(p.Facts, Fact{"Channels", "Mono"})
	case 2:
		p.Facts = append(p.Facts, Fact{"Channels", "Stereo"})
	default:
		p.Facts = append(p.Facts, Fact{"Channels", fmt.Sprint(s.channels)})
	}
	if s.bits > 0 {
		p.Facts = append(p.Facts, Fact{"Bits", fmt.Sprint(s.bits)})
	}
	if s.length > 0 {
		p.Facts = append(p.Facts, Fact{"Length", ui.Duration(s.length)})
	} else if s.bitRate > 0 {
		p.Facts = append(p.Facts, Fact{"Length", "about " + ui.Duration(time.Duration(float64(size)*8/float64(s.bitRate)*float64(time.Second)))})
	}
}

type soundFacts struct {
	codec                string
	rate, channels, bits int
	bitRate              int           // bits a second
	length               time.Duration // 0: not known
}

func samples(count uint64, rate int) time.Duration {
	if rate <= 0 {
		return 0
	}
	return time.Duration(float64(count) / float64(rate) * float64(time.Second))
}

// wavFacts walks the chunks of a RIFF file up to its data.
func wavFacts(b []byte) (s soundFacts, ok bool) {
	if len(b) < 12 || string(b[:4]) != "RIFF" || string(b[8:12]) != "WAVE" {
		return s, false
	}
	bytesASecond := 0
	for b = b[12:]; len(b) >= 8; {
		id, size := string(b[:4]), int64(binary.LittleEndian.Uint32(b[4:8]))
		b = b[8:]
		switch {
		case id == "fmt " && len(b) >= 16:
			format := binary.LittleEndian.Uint16(b)
			s.codec = map[uint16]string{1: "PCM", 2: "ADPCM", 3: "PCM, floating point", 0x11: "ADPCM", 0xfffe: "PCM"}[format]
			if s.codec == "" {
				s.codec = fmt.Sprintf("WAV format %d", format)
			}
			s.channels, s.rate = int(binary.LittleEndian.Uint16(b[2:])), int(binary.LittleEndian.Uint32(b[4:]))
			bytesASecond, s.bits = int(binary.LittleEndian.Uint32(b[8:])), int(binary.LittleEndian.Uint16(b[14:]))
			ok = true
		case id == "data":
			s.length = samples(uint64(size), bytesASecond)
			return s, ok
		}
		if size += size & 1; size > int64(len(b)) {
			break
		}
		b = b[size:]
	}
	return s, ok
}

// oggFacts reads the first packet of an Ogg file: that of Vorbis or of Opus.
func oggFacts(b []byte) (s soundFacts, ok bool) {
	if len(b) < 28 || string(b[:4]) != "OggS" || len(b) < 27+int(b[26]) {
		return s, false
	}
	b = b[27+int(b[26]):]
	switch {
	case len(b) >= 30 && string(b[:7]) == "\x01vorbis":
		s.codec, s.channels, s.rate = "Vorbis", int(b[11]), int(binary.LittleEndian.Uint32(b[12:]))
		if nominal := int32(binary.LittleEndian.Uint32(b[20:])); nominal > 0 {
			s.bitRate = int(nominal)
		}
	case len(b) >= 19 && string(b[:8]) == "OpusHead":
		s.codec, s.channels, s.rate = "Opus", int(b[9]), 48000
	default:
		return s, false
	}
	return s, true
}

// flacFacts reads the stream information that a FLAC file begins with.
func flacFacts(b []byte) (s soundFacts, ok bool) {
	if len(b) < 42 || string(b[:4]) != "fLaC" || b[4]&0x7f != 0 {
		return s, false
	}
	bits := binary.BigEndian.Uint64(b[18:])
	s = soundFacts{codec: "FLAC", rate: int(bits >> 44), channels: int(bits>>41&7) + 1, bits: int(bits>>36&31) + 1}
	s.length = samples(bits&(1<<36-1), s.rate)
	return s, true
}
