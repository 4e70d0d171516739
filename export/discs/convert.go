package discs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"talebinder/export"
	"talebinder/export/internal/filelock"
	"talebinder/formats/n64rom"
	"talebinder/project/atomicfile"
)

// A Convert is the job that brings a byte-swapped cartridge image (.v64, .n64) into the console's order (.z64). The image
// itself stays. The new one is read back and compared before it takes its place.
type Convert struct {
	image, target string
	now           func() time.Time
}

// NewConvert prepares a conversion. An empty target is the image's name with the extension .z64. Only the arguments are
// looked at.
func NewConvert(image, target string) (*Convert, error) {
	if image == "" {
		return nil, errors.New("which image? None is named")
	}
	if target == "" {
		target = strings.TrimSuffix(image, filepath.Ext(image)) + n64rom.BigEndian.Extension()
	}
	return &Convert{image: image, target: target, now: time.Now}, nil
}

// Title says what the job makes.
func (c *Convert) Title() string {
	return "Convert " + filepath.Base(c.image) + " to " + n64rom.BigEndian.Extension()
}

// Target is empty: a conversion is for no target of a project.
func (c *Convert) Target() string { return "" }

// Output is the file of the new image.
func (c *Convert) Output() string { return c.target }

// Command gives the words of the command line that does the same.
func (c *Convert) Command() []string {
	return []string{"talebinder", "disc", "convert", c.image, c.target}
}

var _ export.Job = (*Convert)(nil)

// convertRun is one run of a Convert.
type convertRun struct {
	*export.Work
	*Convert
	image *Image
	place *place
	lock  *filelock.Lock
	file  *atomicfile.File
	sum   [sha256.Size]byte
}

func (r *convertRun) steps() []export.Step {
	return []export.Step{
		{Title: "Reading the image", Run: r.read},
		{Title: "Writing the new image", Run: r.write},
		{Title: "Verifying the new image", Run: r.verify},
		{Title: "Putting the image in its place", Run: func(context.Context) error {
			if err := r.image.changed(); err != nil {
				return err
			}
			if err := r.file.Commit(); err != nil {
				return err
			}
			r.Info("Finished: %s, sha256 %x", r.target, r.sum)
			return nil
		}},
	}
}

// Steps gives the titles of what a conversion does, in order.
func (c *Convert) Steps() []string { return titles((&convertRun{Convert: c}).steps()) }

// Run converts the image.
func (c *Convert) Run(ctx context.Context, out export.Reporter) (*export.Report, error) {
	r := &convertRun{Work: export.NewWork(out, c.now), Convert: c}
	started := c.now()
	steps := r.steps()
	err := r.Work.Run(ctx, steps)
	report := &export.Report{
		Success: err == nil, Cancelled: err != nil && !errors.Is(err, export.ErrFailed), Kind: "convert-rom",
		Game: filepath.Base(c.image), StartedAt: started, Duration: c.now().Sub(started),
	}
	if r.image != nil {
		if title := r.image.header.Title; title != "" {
			report.Game = title
		}
		if err == nil {
			report.OutputDirectory, report.TotalSize = r.place.folder, r.image.Size
			report.Sums = []export.Sum{{Role: "image", Path: c.target, Size: r.image.Size, SHA256: hex.EncodeToString(r.sum[:])}}
		}
		_ = r.image.Close()
	}
	if r.file != nil {
		r.file.Abort()
	}
	r.lock.Release()
	outcome := "Done"
	if err != nil {
		outcome = "Failed"
		if report.Cancelled {
			outcome = "Cancelled"
		}
		r.Fail(fmt.Errorf("%s. Nothing was changed", map[string]string{"Failed": "The conversion failed", "Cancelled": "The conversion was cancelled"}[outcome]))
	}
	r.Fill(report)
	r.Finish(len(steps), outcome)
	return report, jobError("the conversion", report, err)
}

func (r *convertRun) read(ctx context.Context) error {
	im, err := Open(ctx, r.Convert.image)
	if err != nil {
		return err
	}
	switch {
	case im.Container != Cartridge:
		_ = im.Close()
		return &Refusal{What: im.Path, Found: "it is no Nintendo 64 cartridge", Needed: "a .v64 or .n64 image"}
	case im.order == n64rom.BigEndian:
		_ = im.Close()
		return &Refusal{What: im.Path, Found: "the ROM is in the console's order (.z64) already", Needed: "a .v64 or .n64 image", Advice: "It can be used as it is"}
	}
	r.image = im
	if unit := im.order.Unit(); im.Size%unit != 0 {
		return &Refusal{What: im.Path, Found: fmt.Sprintf("%d bytes", im.Size), Needed: fmt.Sprintf("a multiple of %d, as the order %s has it", unit, im.order.Extension()), Advice: "The image is cut off: copy it again"}
	}
	if im.Size > n64rom.MaxSize {
		return &Refusal{What: im.Path, Found: fmt.Sprintf("%d bytes", im.Size), Needed: fmt.Sprintf("%d at most", n64rom.MaxSize)}
	}
	if r.place, err = findPlace(im, r.target); err != nil {
		return err
	}
	if r.place.inPlace {
		return &Refusal{What: r.target, Found: "it is the image itself", Needed: "another file for the new image", Advice: "Name a file that ends with .z64"}
	}
	return r.place.checkSpace(im.Size)
}

func (r *convertRun) write(ctx context.Context) error {
	var err error
	if r.lock, err = filelock.Acquire(filepath.Join(r.place.folder, "."+r.place.base+".lock")); err != nil {
		if errors.Is(err, filelock.ErrLocked) {
			return &Refusal{What: r.target, Found: "another job writes this image", Advice: "Wait until it is done", Err: err}
		}
		return err
	}
	if r.file, err = atomicfile.CreateTmp(filepath.Join(r.place.folder, r.place.base)); err != nil {
		return err
	}
	r.Info("Converting the %s image (%s)", r.image.order, r.image.order.Extension())
	w := &imageWriter{file: r.file, rate: newRate(r.Work, r.image.Size, r.now), what: filepath.Base(r.target)}
	h := sha256.New()
	in := n64rom.NewConverter(io.NewSectionReader(r.image.file, 0, r.image.Size), r.image.order)
	if err := copyContext(ctx, io.MultiWriter(w, h), in); err != nil {
		return err
	}
	h.Sum(r.sum[:0])
	return r.file.Flush()
}

// verify reads the new image from scratch, as one of its own order, and compares it with the old one in its order.
func (r *convertRun) verify(ctx context.Context) error {
	now, err := Open(ctx, r.file.Temp())
	if err != nil {
		return err
	}
	defer now.Close()
	if now.Container != Cartridge || now.order != n64rom.BigEndian || now.Size != r.image.Size {
		return fmt.Errorf("the new image is not a .z64 of %d bytes", r.image.Size)
	}
	rate := newRate(r.Work, now.Size, r.now)
	left, right := make([]byte, pieceSize), make([]byte, pieceSize)
	for at := int64(0); at < now.Size; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(now.Size-at, pieceSize)
		if _, err := r.image.file.ReadAt(left[:n], at); err != nil {
			return err
		}
		if _, err := now.file.ReadAt(right[:n], at); err != nil {
			return err
		}
		n64rom.Reorder(right[:n], r.image.order)
		if !bytes.Equal(left[:n], right[:n]) {
			return fmt.Errorf("the new image is another one from byte %d on, so nothing was replaced", at)
		}
		at += n
		rate.tell(at, "")
	}
	return nil
}
