package export

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"talebinder/export/fonts"
	"talebinder/formats/jazz2/charlist"
	"talebinder/formats/jazz2/palette"
	jazzpicture "talebinder/formats/jazz2/picture"
	"talebinder/project/atomicfile"
)

// A FontJob is the work of one of the asset packer's commands on fonts and their pictures. What is made appears when it is
// complete, and the source and the target may be the same file. The report has no target; its categories are the files that
// were written.
type FontJob struct {
	command string
	source  string // file, or the folder of the command that packs all fonts in it
	target  string
	title   string
	steps   func(*fontRun) []step
}

var _ Job = (*FontJob)(nil)

// NewPackFont packs a grid image, and the list beside it, into a font file.
func NewPackFont(source, target string) *FontJob {
	return &FontJob{"pack-font", source, target, "Font " + filepath.Base(target), (*fontRun).packSteps}
}

// NewUnpackFont lays a font file out as a grid image, and writes its list in both forms beside it.
func NewUnpackFont(source, target string) *FontJob {
	return &FontJob{"unpack-font", source, target, "Grid image " + filepath.Base(target), (*fontRun).unpackSteps}
}

// NewApplyPalette replaces the palette indices of a picture by their colours.
func NewApplyPalette(source, target string) *FontJob {
	return &FontJob{"apply-palette", source, target, "Colours of " + filepath.Base(target), func(r *fontRun) []step {
		return r.pictureSteps("Apply the palette", func(row []byte) { palette.Apply(row, row) })
	}}
}

// NewToIndices replaces the colours of a picture by the nearest palette indices.
func NewToIndices(source, target string) *FontJob {
	return &FontJob{"to-indices", source, target, "Indices of " + filepath.Base(target), func(r *fontRun) []step {
		resolver := palette.NewResolver()
		return r.pictureSteps("Find the indices", func(row []byte) { r.inexact = r.inexact.Add(resolver.Resolve(row, row)) })
	}}
}

// NewPackFonts packs every grid image in a folder and below, each into a font beside it. When one fails the others are written
// all the same.
func NewPackFonts(folder string) *FontJob {
	return &FontJob{"pack-font", folder, "", "Fonts in " + filepath.Base(folder), (*fontRun).allSteps}
}

// Title says what the job makes.
func (j *FontJob) Title() string { return j.title }

// Target is empty: fonts are the same for every target.
func (j *FontJob) Target() string { return "" }

// Output is the file, or the folder, that the job writes.
func (j *FontJob) Output() string {
	if j.target == "" {
		return j.source
	}
	return j.target
}

// Command gives the words of a command line that does the same.
func (j *FontJob) Command() []string {
	if j.target == "" {
		return []string{"talebinder", j.command, "--all", j.source}
	}
	return []string{"talebinder", j.command, j.source, j.target}
}

// Steps gives the titles of the job's steps in their order.
func (j *FontJob) Steps() []string {
	var titles []string
	for _, s := range j.steps(&fontRun{FontJob: j}) {
		titles = append(titles, s.title)
	}
	return titles
}

// Run does the work.
func (j *FontJob) Run(ctx context.Context, out Reporter) (*Report, error) {
	r := &fontRun{FontJob: j, tracker: newTracker(out, time.Now)}
	steps := j.steps(r)
	started := r.now()
	err := r.run(ctx, steps)
	report := &Report{
		Success: err == nil, Cancelled: ctx.Err() != nil && errors.Is(err, ctx.Err()), Game: j.title, StartedAt: started, Duration: r.now().Sub(started),
		Steps: r.times, Warnings: r.warnings, Errors: r.errors, AssetCount: len(r.written),
	}
	for _, w := range r.written {
		report.TotalSize += w.Size
		report.Categories = append(report.Categories, w)
	}
	if err == nil {
		report.OutputDirectory = filepath.Dir(j.Output())
		if j.target == "" {
			report.OutputDirectory = j.source
		}
	}
	switch {
	case err == nil:
		r.finish(len(steps), "Done")
		return report, nil
	case report.Cancelled:
		r.finish(len(steps), "Cancelled")
		return report, fmt.Errorf("%s was cancelled: %w", j.command, err)
	}
	r.finish(len(steps), "Failed")
	return report, fmt.Errorf("%s %w with %s", j.command, err, count(len(report.Errors), "error", "errors"))
}

// fontRun is what a job knows while it runs.
type fontRun struct {
	*FontJob
	*tracker
	packing *fontPacking
	grid    *fonts.Grid
	picture *jazzpicture.Reader
	inexact palette.Inexact
	found   []FontSource
	written []Category // one a file
}

func (r *fontRun) wrote(path string, size int64) {
	r.written = append(r.written, Category{Name: filepath.Base(path), Files: 1, Size: size, OriginalSize: size})
}

func (r *fontRun) tell(file string, warnings []fonts.Warning) {
	for _, w := range warnings {
		r.warn(file, w.String())
	}
}

// fontPacking packs one grid image. What it has to tell goes to log as it comes up, in the order of the game's own tool.
type fontPacking struct {
	source FontSource
	log    func(Entry)
	packed *fonts.Packed
	file   []byte
}

func (p *fontPacking) warnings(file string, warnings []fonts.Warning) {
	for _, w := range warnings {
		p.log(Entry{Level: Warning, File: file, Message: w.String()})
	}
}

// run packs in memory.
func (p *fontPacking) run(ctx context.Context) error {
	sheet, err := ReadPicture(p.source.Image)
	if err != nil {
		return err
	}
	p.log(Entry{Level: Info, Message: "Character list: " + p.source.List})
	list, err := readList(p.source.List, p.source.JSON)
	if err != nil {
		return err
	}
	if p.source.JSON {
		p.warnings(p.source.List, fonts.CheckList(list))
	}
	p.packed, err = fonts.Pack(ctx, sheet, list)
	p.warnings(p.source.Image, p.packed.Warnings)
	if err == nil {
		p.file, err = p.packed.Font.File()
	}
	var inList *charlist.Error
	var inFont *fonts.Error
	switch {
	case errors.As(err, &inList), errors.As(err, &inFont) && inFont.Kind == fonts.TooMany:
		return inFile(p.source.List, err)
	case err != nil && ctx.Err() == nil:
		return inFile(p.source.Image, err)
	}
	return err
}

// write makes the file.
func (p *fontPacking) write() error {
	if err := atomicfile.Write(p.source.Target, p.file); err != nil {
		return err
	}
	atlas := p.packed.Font.Atlas
	p.log(Entry{Level: Info, Message: fmt.Sprintf("%s packed onto %dx%d pixels, %d %% of the grid image of %dx%d, in a file of %d bytes",
		count(len(p.packed.Font.Glyphs), "glyph", "glyphs"), atlas.Width, atlas.Height, p.packed.Percent(), p.packed.Grid.X, p.packed.Grid.Y, len(p.file))})
	return nil
}

func (r *fontRun) packSteps() []step {
	return []step{
		{"Pack", func(ctx context.Context) error {
			list, isJSON := FontListPath(r.source)
			r.packing = &fontPacking{source: FontSource{r.source, list, isJSON, r.target}, log: r.log}
			return r.packing.run(ctx)
		}},
		{"Write", func(context.Context) error {
			if err := r.packing.write(); err != nil {
				return err
			}
			r.wrote(r.target, int64(len(r.packing.file)))
			return nil
		}},
	}
}

func (r *fontRun) unpackSteps() []step {
	return []step{
		{"Unpack", func(context.Context) error {
			f, err := ReadFont(r.source)
			if err != nil {
				return err
			}
			r.tell(r.source, fonts.FontWarnings(f))
			if r.grid, err = fonts.NewGrid(f); err != nil {
				return inFile(r.source, err)
			}
			return nil
		}},
		{"Write", func(ctx context.Context) error {
			if err := r.writeGrid(ctx); err != nil {
				return err
			}
			list := r.grid.List
			r.info("%s unpacked into %d x %d cells of %dx%d pixels", count(len(list.Characters), "glyph", "glyphs"),
				list.Columns, list.Rows(), list.CellWidth, list.CellHeight)
			return nil
		}},
	}
}

// writeGrid writes the image and both lists; all three are complete before the first one takes its place.
func (r *fontRun) writeGrid(ctx context.Context) error {
	image, err := r.createPicture(ctx, r.grid.Width, r.grid.Height, func(y int, row []byte) error {
		r.grid.Row(y, row)
		return nil
	})
	if err != nil {
		return err
	}
	files := []*atomicfile.File{image}
	defer func() {
		for _, f := range files {
			f.Abort()
		}
	}()
	for _, list := range []struct {
		suffix string
		data   []byte
	}{{binaryListSuffix, r.grid.List.Binary()}, {jsonListSuffix, r.grid.List.JSON()}} {
		f, err := atomicfile.Create(r.target + list.suffix)
		if err != nil {
			return err
		}
		files = append(files, f)
		if _, err := f.Write(list.data); err != nil {
			return err
		}
		r.wrote(r.target+list.suffix, int64(len(list.data)))
	}
	for _, f := range files {
		if err := f.Commit(); err != nil {
			return err
		}
	}
	return nil
}

// createPicture writes a picture row by row to a file that is still to be committed.
func (r *fontRun) createPicture(ctx context.Context, width, height int, next func(y int, row []byte) error) (_ *atomicfile.File, err error) {
	f, err := atomicfile.Create(r.target)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			f.Abort()
		}
	}()
	size := &counter{w: f}
	w, err := jazzpicture.NewWriter(size, width, height)
	if err != nil {
		return nil, err
	}
	row := make([]byte, 4*width)
	for y := range height {
		if y%64 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			r.progress(float64(y)/float64(height), fmt.Sprintf("row %d of %d", y, height))
		}
		if err := next(y, row); err != nil {
			return nil, err
		}
		if err := w.WriteRow(row); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	r.wrote(r.target, size.n)
	return f, nil
}

// counter counts what is written.
type counter struct {
	w interface{ Write([]byte) (int, error) }
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// pictureSteps changes the pixels of a picture a row at a time. The source is in memory before the target is opened.
func (r *fontRun) pictureSteps(title string, change func(row []byte)) []step {
	return []step{
		{"Read", func(context.Context) error {
			data, err := readBounded(r.source, jazzpicture.MaxFile)
			if err != nil {
				return err
			}
			if r.picture, err = jazzpicture.NewReader(data); err != nil {
				return inFile(r.source, err)
			}
			return nil
		}},
		{title, func(ctx context.Context) error {
			f, err := r.createPicture(ctx, r.picture.Width(), r.picture.Height(), func(_ int, row []byte) error {
				if err := r.picture.ReadRow(row); err != nil {
					return inFile(r.source, err)
				}
				change(row)
				return nil
			})
			if err != nil {
				return err
			}
			defer f.Abort()
			if err := f.Commit(); err != nil {
				return err
			}
			r.info("%dx%d pixels", r.picture.Width(), r.picture.Height())
			r.tell(r.target, fonts.ColorWarnings(r.inexact))
			return nil
		}},
	}
}

func (r *fontRun) allSteps() []step {
	return []step{
		{"Look for fonts", func(ctx context.Context) error {
			var err error
			r.found, err = FindFonts(ctx, r.source)
			if err == nil && len(r.found) == 0 {
				err = &placedError{file: r.source, message: "there is no grid image here: a .png file with its character list beside it, such as font.png.json"}
			}
			return err
		}},
		{"Pack", r.packAll},
	}
}

// packAll packs on all cores. What is told about a font is held back until those before it have been told of.
func (r *fontRun) packAll(ctx context.Context) error {
	type result struct {
		entries []Entry
		size    int64
		err     error
		done    chan struct{}
	}
	results := make([]result, len(r.found))
	for i := range results {
		results[i].done = make(chan struct{})
	}
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0) + 1) // one of them hands out the work
	group.Go(func() error {
		for i, source := range r.found {
			if groupCtx.Err() != nil {
				return groupCtx.Err()
			}
			group.Go(func() error {
				res := &results[i]
				defer close(res.done)
				p := &fontPacking{source: source, log: func(e Entry) { res.entries = append(res.entries, e) }}
				if res.err = p.run(groupCtx); res.err == nil {
					res.err = p.write()
				}
				res.size = int64(len(p.file))
				return groupCtx.Err()
			})
		}
		return nil
	})
	for i := range results {
		r.progress(float64(i)/float64(len(results)), r.found[i].Image)
		select {
		case <-results[i].done:
		case <-ctx.Done():
			return errors.Join(ctx.Err(), group.Wait())
		}
		for _, e := range results[i].entries {
			r.log(e)
		}
		if err := results[i].err; err == nil {
			r.wrote(r.found[i].Target, results[i].size)
		} else if ctx.Err() == nil {
			r.fail(err)
		}
	}
	return group.Wait()
}
