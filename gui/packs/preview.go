package packs

import (
	"context"
	"errors"
	"fmt"
	"image"
	"strings"

	"golang.org/x/image/draw"

	"talebinder/export/packview"
	"talebinder/gui/ui"
)

// Bounds of what is kept of a preview.
const (
	maxPictureSide = 1024 // pixels that are sent to the graphics card
	maxLine        = 400  // characters of a line that are shown
)

// A Preview is what can be shown of a file, or why there is nothing.
type Preview struct {
	Path    string // in the tree
	Image   *image.RGBA
	Lines   []string // of a text, or of the first bytes of anything else
	Facts   []Fact   // of a picture or sound
	Note    string   // what was left out
	Problem string   // why there is nothing to show
	Damaged bool     // the problem is one of the file
}

// A Fact is a line about a file.
type Fact struct{ Name, Value string }

// preview reads a file of what lies at place as far as it takes to show it. inside is its path there; path is the one in the
// tree. It opens the place anew, so that an export may replace it in the meantime.
func preview(ctx context.Context, place, inside, path string) Preview {
	p := Preview{Path: path}
	v, err := packview.Open(ctx, place)
	if err != nil {
		p.Problem = err.Error()
		return p
	}
	defer v.Close()
	n := v.Root.Find(inside)
	if n == nil || n.Folder {
		p.Problem = "The build has changed and does not have this file any more."
		return p
	}
	if err := p.read(ctx, v, n); err != nil && !errors.Is(err, context.Canceled) {
		p.Problem, p.Damaged = "The file cannot be read: "+err.Error(), true
	}
	return p
}

func (p *Preview) read(ctx context.Context, v *packview.View, n *packview.Node) error {
	found, err := v.Preview(ctx, n)
	if err != nil {
		return err
	}
	switch found.Kind {
	case packview.TextPreview:
		p.text(found.Text)
		if found.Truncated {
			p.Note = "The first " + ui.Size(int64(len(found.Text))) + " of it."
		}
	case packview.PicturePreview:
		p.Facts = []Fact{
			{"Pixels", ui.Count(int64(found.Picture.Width)) + " × " + ui.Count(int64(found.Picture.Height))}, {"Format", strings.ToUpper(found.Picture.Format)},
		}
		picture, err := v.Picture(ctx, n)
		if err != nil {
			p.Problem = "The picture is not shown: " + err.Error()
			return nil
		}
		p.picture(picture)
	case packview.SoundPreview:
		p.sound(found.Sound)
	default:
		if found.Err != nil {
			p.Problem, p.Damaged = "It is not what its name says: "+found.Err.Error(), true
		}
		if len(found.Head) > 0 {
			p.text(packview.HexDump(found.Head))
			if int64(len(found.Head)) < n.Size {
				p.Note = "The first " + ui.Size(int64(len(found.Head))) + " of it."
			}
		}
	}
	return nil
}

// text breaks a text into lines.
func (p *Preview) text(text string) {
	if text == "" {
		p.Problem = "The file is empty."
		return
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		line = strings.ReplaceAll(strings.TrimSuffix(line, "\r"), "\t", "    ")
		if len(line) > maxLine {
			runes := []rune(line)
			line = string(runes[:min(len(runes), maxLine)])
		}
		p.Lines = append(p.Lines, line)
	}
}

// picture copies a picture into the form that the graphics card takes, smaller when it is very large.
func (p *Preview) picture(source image.Image) {
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

func (p *Preview) sound(s packview.SoundFacts) {
	channels := fmt.Sprint(s.Channels)
	switch s.Channels {
	case 1:
		channels = "Mono"
	case 2:
		channels = "Stereo"
	}
	p.Facts = []Fact{{"Format", s.Format}, {"Rate", ui.Count(int64(s.Rate)) + " Hz"}, {"Channels", channels}}
	if s.Bits > 0 {
		p.Facts = append(p.Facts, Fact{"Bits", fmt.Sprint(s.Bits)})
	}
	if s.Duration > 0 {
		p.Facts = append(p.Facts, Fact{"Length", ui.Duration(s.Duration)})
	}
}
