package packview

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/gif" // formats of pictures
	_ "image/jpeg"
	_ "image/png"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	_ "golang.org/x/image/bmp"
	_ "golang.org/x/image/webp"

	"talebinder/formats"
	"talebinder/formats/assetpath"
	"talebinder/formats/ogg"
	"talebinder/formats/wav"
)

// Limits of what a preview reads.
const (
	maxText    = 256 << 10 // bytes
	maxHead    = 1 << 10   // bytes
	maxPicture = 64 << 20  // bytes, compressed as a picture is
	maxPixels  = 64 << 20
	maxSound   = 64 << 20 // bytes of a sound that has to be decompressed for its end to be seen
)

// PreviewKind says what can be shown of a file.
type PreviewKind uint8

// The kinds of previews.
const (
	DataPreview    PreviewKind = iota // its first bytes
	TextPreview                       // its text
	PicturePreview                    // facts, and the picture itself by Picture
	SoundPreview                      // facts
)

// A Preview is what can be shown of a file.
type Preview struct {
	Kind      PreviewKind
	Head      []byte // the first bytes, at most 1 KB
	Text      string // of a text, its beginning
	Truncated bool   // the text goes on

	Picture PictureFacts
	Sound   SoundFacts

	Err error // why a picture or a sound is not shown as what its name says; the preview is one of its data then
}

// PictureFacts are what a picture says about itself.
type PictureFacts struct {
	Format        string // such as "png"
	Width, Height int    // pixels
}

// SoundFacts are what a sound says about itself.
type SoundFacts struct {
	Format   string // such as "WAV, PCM"
	Rate     int    // samples a second of each channel
	Channels int
	Bits     int           // of a sample; 0 where there is no such number
	Duration time.Duration // 0 when it is not known
}

// Preview reads what can be shown of a file. Its error says that the file cannot be read at all.
func (v *View) Preview(ctx context.Context, n *Node) (*Preview, error) {
	content, err := v.open(n)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", n.Path, err)
	}
	defer content.Close()
	in := &cancelled{ctx, content}
	start, err := io.ReadAll(io.LimitReader(in, maxText+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", n.Path, err)
	}
	p := &Preview{Head: start[:min(len(start), maxHead)]}
	whole := io.MultiReader(bytes.NewReader(start), in)
	switch ext := assetpath.Ext(n.Path); ext {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp":
		p.Err = p.picture(whole)
	case ".wav":
		p.Err = p.wav(whole, n.Size)
	case ".ogg":
		p.Err = v.ogg(ctx, p, n)
	default:
		p.text(start)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return p, nil
}

// text shows a file as text, if it is one.
func (p *Preview) text(start []byte) {
	text := start[:min(len(start), maxText)]
	p.Truncated = len(start) > len(text)
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	if p.Truncated { // perhaps within a character
		for cut := 1; cut < utf8.UTFMax && cut < len(text) && !utf8.Valid(text); cut++ {
			text = text[:len(text)-1]
		}
	}
	if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
		p.Truncated = false
		return
	}
	p.Kind, p.Text = TextPreview, string(text)
}

func (p *Preview) picture(r io.Reader) error {
	config, format, err := image.DecodeConfig(r)
	if err != nil {
		return err
	}
	p.Kind, p.Picture = PicturePreview, PictureFacts{format, config.Width, config.Height}
	return nil
}

func (p *Preview) wav(r io.Reader, size int64) error {
	info, err := wav.ReadInfo(r, size)
	if err != nil {
		return err
	}
	p.Kind = SoundPreview
	p.Sound = SoundFacts{"WAV, " + info.Encoding.String(), info.Rate, info.Channels, info.Bits, info.Duration()}
	return nil
}

// ogg needs the end of a file as well as its beginning.
func (v *View) ogg(ctx context.Context, p *Preview, n *Node) error {
	file, closer, err := v.readerAt(ctx, n)
	if err != nil {
		return err
	}
	defer closer.Close()
	info, err := ogg.ReadInfo(file, n.Size)
	if err != nil {
		return err
	}
	p.Kind = SoundPreview
	p.Sound = SoundFacts{"Ogg " + info.Codec, info.Rate, info.Channels, 0, info.Duration()}
	return nil
}

// readerAt opens a file to be read anywhere. One that is compressed in the pack is read into memory for that.
func (v *View) readerAt(ctx context.Context, n *Node) (io.ReaderAt, io.Closer, error) {
	content, err := v.open(n)
	if err != nil {
		return nil, nil, err
	}
	if file, ok := content.(*os.File); ok {
		return file, file, nil
	}
	if n.Size > maxSound {
		return nil, nil, errors.Join(&formats.LimitError{What: "the size of a sound", Value: n.Size, Max: maxSound, Unit: "bytes"}, content.Close())
	}
	data, err := io.ReadAll(&cancelled{ctx, content})
	if err != nil {
		return nil, nil, errors.Join(err, content.Close())
	}
	return bytes.NewReader(data), content, nil
}

// Picture decodes a picture. It refuses one that is too large to be shown.
func (v *View) Picture(ctx context.Context, n *Node) (image.Image, error) {
	fail := func(err error) (image.Image, error) { return nil, fmt.Errorf("%s: %w", n.Path, err) }
	if n.Size > maxPicture {
		return fail(&formats.LimitError{What: "the size of a picture", Value: n.Size, Max: maxPicture, Unit: "bytes"})
	}
	content, err := v.open(n)
	if err != nil {
		return fail(err)
	}
	defer content.Close()
	data, err := io.ReadAll(&cancelled{ctx, content})
	if err != nil {
		return fail(err)
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return fail(err)
	}
	if config.Width > maxPixels/max(config.Height, 1) {
		return fail(&formats.LimitError{What: "the number of pixels", Value: int64(config.Width) * int64(config.Height), Max: maxPixels})
	}
	picture, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return fail(err)
	}
	return picture, ctx.Err()
}

// cancelled is a reader that ends with its context.
type cancelled struct {
	ctx context.Context
	r   io.Reader
}

func (c *cancelled) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(b)
}

// HexDump gives bytes as people read them: offset, 16 bytes in hexadecimal digits, and as characters.
func HexDump(b []byte) string {
	var text strings.Builder
	for at := 0; at < len(b); at += 16 {
		line := b[at:min(at+16, len(b))]
		fmt.Fprintf(&text, "%04x  % -47x  ", at, line)
		for _, c := range line {
			if c < ' ' || c > '~' {
				c = '.'
			}
			text.WriteByte(c)
		}
		text.WriteByte('\n')
	}
	return text.String()
}
