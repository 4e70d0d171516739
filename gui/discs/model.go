package discs

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"talebinder/export"
	"talebinder/export/discs"
	"talebinder/gui/ui"
)

// imageExtensions are those of the files that the screen opens.
var imageExtensions = []string{".cdi", ".iso", ".z64", ".v64", ".n64"}

// otherExtensions are those of images that the screen opens only to say what is needed instead.
var otherExtensions = []string{".bin", ".ccd", ".chd", ".cso", ".cue", ".gdi", ".img", ".mdf", ".mds", ".nrg", ".rom"}

func isImage(path string) bool {
	return slices.Contains(imageExtensions, strings.ToLower(filepath.Ext(path)))
}

// An opened image is what is known of it. The file is not kept open: a swap may replace it at any time.
type opened struct {
	path  string
	id    *discs.Identity
	files *Tree
	err   error // why the files cannot be listed
}

// openImage reads what an image is and what is on it.
func openImage(ctx context.Context, path string) (*opened, error) {
	im, err := discs.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer im.Close()
	o := &opened{path: path}
	if o.id, err = im.Identity(ctx); err != nil {
		return nil, err
	}
	files, err := im.Files(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	o.err = err
	o.files = NewTree(fileItems(files))
	return o, nil
}

func fileItems(files []discs.File) []Item {
	items := make([]Item, 0, len(files))
	for _, f := range files {
		i := Item{Path: f.Path, Dir: f.Dir, Before: -1, After: -1, Place: f.Place, Fault: f.Fault}
		if !f.Dir {
			i.After = f.Size
		} else if f.ModTime.IsZero() {
			i.Place = -1 // a cartridge has no place of its own for a folder
		}
		if !f.ModTime.IsZero() {
			i.Date = f.ModTime.Format("2006-01-02 15:04")
		}
		items = append(items, i)
	}
	return items
}

// changed says that the file is another one than when it was opened, or gone.
func (o *opened) changed() bool {
	info, err := os.Stat(o.path)
	return err != nil || info.Size() != o.id.Size || !info.ModTime().Equal(o.id.ModTime)
}

// title is what the game on the image is called: what the image says, unless that cannot be read, else the name of its volume
// or of its file.
func (o *opened) title() string {
	names := []string{o.id.Title, "", filepath.Base(o.path)}
	if o.id.Volume != nil {
		names[1] = o.id.Volume.ID
	}
	return names[slices.IndexFunc(names, func(name string) bool {
		return name != "" && 3*strings.Count(name, "?") <= len(name) || name == names[2]
	})]
}

// summary says in a line what an image is.
func (o *opened) summary() string {
	parts := []string{o.title(), o.id.Console, o.id.Kind, ui.Size(o.id.Size)}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}

// A Reason says why something is not done: about what, what was found, what is needed, how to get there.
type Reason struct{ About, Found, Needed, Advice string }

// reasonOf takes an error apart that knows all that.
func reasonOf(err error) Reason {
	var r *discs.Refusal
	if !errors.As(err, &r) {
		return Reason{Found: ui.Sentence(err.Error())}
	}
	about, _, _ := strings.Cut(r.What, ": ")
	return Reason{about, ui.Sentence(r.Found), ui.Sentence(r.Needed), ui.Sentence(r.Advice)}
}

// Text gives the reason in sentences.
func (r Reason) Text() string {
	text := r.Found
	if r.Needed != "" {
		text += " Needed: " + r.Needed
	}
	if r.Advice != "" {
		text += " " + r.Advice
	}
	return text
}

// A stamp tells whether a folder has changed: its files, their sizes and times.
type stamp struct {
	files int
	sum   uint64
}

// stampOf looks at every file of a folder. Links are not followed.
func stampOf(ctx context.Context, folder string) (stamp, error) {
	var s stamp
	h := fnv.New64a()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		s.files++
		size := info.Size()
		if d.IsDir() {
			size = 0 // it is the system's business
		}
		_, err = fmt.Fprintf(h, "%q %d %d\n", path, size, info.ModTime().UnixNano())
		return err
	})
	s.sum = h.Sum64()
	return s, err
}

// A Planned swap is a plan with what it was made of, to tell when it is out of date.
type Planned struct {
	*discs.Plan
	Tree    *Tree
	Locked  error // why nothing can be written into the image's folder; nil when it can
	content stamp
}

// planSwap plans what becomes of an image. Nothing is written.
func planSwap(ctx context.Context, image, content string, progress discs.Progress) (*Planned, error) {
	swap, err := discs.NewSwap(discs.SwapOptions{Image: image, Content: content, NoPlace: true})
	if err != nil {
		return nil, err
	}
	p := &Planned{}
	// A folder that is missing is for the plan to refuse.
	if p.content, err = stampOf(ctx, content); ctx.Err() != nil {
		return nil, ctx.Err()
	}
	plan, planErr := swap.Plan(ctx, progress)
	if planErr != nil {
		return nil, planErr
	}
	if err != nil {
		return nil, fmt.Errorf("the content folder: %w", err)
	}
	p.Plan, p.Tree = plan, NewTree(planItems(plan))
	p.Locked = export.CheckWritable(filepath.Dir(image))
	return p, nil
}

// nothingChanges says that the image has the content already.
func (p *Planned) nothingChanges() bool {
	return p.Count(discs.Added)+p.Count(discs.Removed)+p.Count(discs.Changed)+len(p.Moved) == 0
}

// outdated says why a plan is not to be trusted any more; empty when it is.
func (p *Planned) outdated(ctx context.Context) string {
	info, err := os.Stat(p.Image.Path)
	switch {
	case err != nil:
		return "The image is not there any more"
	case info.Size() != p.Image.Size || !info.ModTime().Equal(p.Image.ModTime):
		return "The image has changed since it was planned"
	}
	now, err := stampOf(ctx, p.Content)
	switch {
	case ctx.Err() != nil:
		return ""
	case err != nil:
		return "The content folder cannot be read any more"
	case now != p.content:
		return "The content folder has changed since it was planned"
	}
	return ""
}

// planItems lists what a plan says about every file.
func planItems(p *discs.Plan) []Item {
	moved := make(map[string]discs.Move, len(p.Moved))
	for _, m := range p.Moved {
		moved[m.Path] = m
	}
	var items []Item
	for _, k := range p.Kept {
		i := Item{Path: k.Path, Mark: Kept, Before: k.Size, After: k.Size, Place: -1, SHA256: k.SHA256, Note: "Stays byte for byte"}
		if m, ok := moved[k.Path]; ok {
			i.Mark = Moved
			i.Note = fmt.Sprintf("Stays byte for byte, and moves from sector %s to %s", ui.Count(m.From), ui.Count(m.To))
		}
		items = append(items, i)
	}
	marks := [...]Mark{discs.Unchanged: Unchanged, discs.Added: Added, discs.Changed: Changed, discs.Removed: Removed}
	for _, c := range p.Changes {
		i := Item{Path: c.Path, Dir: c.Dir, Mark: marks[c.Kind], Before: c.Before, After: c.After, Place: -1}
		switch {
		case i.Dir:
		case i.Mark == Added:
			i.Note = "Is new"
		case i.Mark == Removed:
			i.Note = "Is on the image, and not in the content folder"
		case i.Mark == Unchanged:
			i.Note = "Has the same content as before"
		case c.Before != c.After:
			i.Note = ui.SignedSize(c.After-c.Before) + " (" + ui.ExactSize(c.Before) + ", then " + ui.ExactSize(c.After) + ")"
		default:
			i.Note = "Has as many bytes as before, and other ones"
		}
		items = append(items, i)
	}
	for _, path := range p.LeftOut {
		items = append(items, Item{Path: "Content/" + path, Mark: LeftOut, Before: -1, After: -1, Place: -1, Note: "A cartridge has no use for it: it stays in the folder"})
	}
	return items
}

// planSentence says what a plan comes to.
func planSentence(p *discs.Plan) string {
	var parts []string
	for _, k := range []discs.ChangeKind{discs.Added, discs.Removed, discs.Changed, discs.Unchanged} {
		if n := p.Count(k); n > 0 {
			parts = append(parts, ui.Count(int64(n))+" "+k.String())
		}
	}
	text := "Content stays empty"
	if len(parts) > 0 {
		text = "Files of Content: " + strings.Join(parts, ", ")
	}
	kept := ui.Plural(len(p.Kept), "part") + " stay byte for byte"
	if len(p.Kept) == 1 {
		kept = "1 part stays byte for byte"
	}
	return text + ". " + kept + "."
}

// usage is what an image takes of its medium, in bytes that a file could have.
type usage struct{ content, rest int64 }

func (u usage) total() int64 { return u.content + u.rest }

// sectorSize is the number of bytes that a file has in a sector, whatever the sector has around them.
const sectorSize = 2048

// usages gives what is taken of the medium before and after the swap.
func usages(p *discs.Plan) (before, after usage) {
	total := p.Medium.Size - p.Free
	was := p.SizeBefore
	if p.Image.Container != discs.Cartridge {
		was = total - (sectorsOf(p.TracksAfter)-sectorsOf(p.TracksBefore))*sectorSize
	}
	share := func(content, total int64) usage {
		content = min(content, max(total, 0))
		return usage{content, max(total, 0) - content}
	}
	return share(p.ContentBefore, was), share(p.ContentSize, total)
}

func sectorsOf(tracks []discs.Track) int64 {
	n := int64(0)
	for _, t := range tracks {
		n += int64(t.Length)
	}
	return n
}

// freeText says what is left of the medium.
func freeText(p *discs.Plan) string {
	if p.Free < 0 {
		return fmt.Sprintf("%s more than a %s holds (%s)", ui.Size(-p.Free), mediumName(p.Medium.Name), ui.Size(p.Medium.Size))
	}
	return fmt.Sprintf("%s free of %s (%s)", ui.Size(p.Free), ui.Size(p.Medium.Size), mediumName(p.Medium.Name))
}

func mediumName(name string) string {
	return strings.Replace(name, " (80 minutes)", " of 80 minutes", 1)
}

// A job is a swap or a conversion in the queue.
type job struct {
	row     *export.Row
	image   string // the file that it is about
	content string // "" for a conversion
	plan    *Planned
	seen    bool // that it has ended
}

func (j *job) converts() bool { return j.content == "" }

// newName is the name offered for the image with new content.
func newName(image string) string {
	ext := filepath.Ext(image)
	return strings.TrimSuffix(filepath.Base(image), ext) + "-new" + ext
}

// progressOf says how far a job is: its step, what is in its hands, and how long it still takes.
func progressOf(s export.RowState) (step, detail, left string) {
	switch {
	case s.State == export.Waiting:
		return "Waiting", "It starts as soon as another job has ended", ""
	case s.Cancelling:
		return "Cancelling…", "Stopping, and removing what is half done", ""
	}
	step = "Starting"
	if s.StepCount > 0 {
		step = fmt.Sprintf("Step %d of %d: %s", min(s.StepIndex+1, s.StepCount), s.StepCount, s.Step)
	}
	if s.Remaining >= 0 {
		left = "about " + ui.Duration(s.Remaining.Round(time.Second)) + " left"
		if s.Remaining < 10*time.Second {
			left = "a few seconds left"
		}
	}
	return step, s.Detail, left
}

// compareItems lists what differs between two images.
func compareItems(c *discs.Comparison) []Item {
	var items []Item
	for _, list := range []struct {
		mark Mark
		all  []discs.Difference
	}{{Added, c.Added}, {Removed, c.Removed}, {Changed, c.Changed}} {
		for _, d := range list.all {
			note := ""
			if d.Part {
				note = "A part of the image, and no file"
			}
			items = append(items, Item{Path: d.Path, Mark: list.mark, Before: d.Before, After: d.After, Place: -1, Note: note})
		}
	}
	return items
}

// compareSentence says what a comparison comes to.
func compareSentence(c *discs.Comparison) string {
	same := ui.Plural(c.Same, "file") + " and parts are equal (" + ui.Size(c.SameBytes) + ")."
	if c.Equal() {
		return "No console sees a difference: " + same
	}
	return ui.Plural(len(c.Added)+len(c.Removed)+len(c.Changed), "difference") + ". " + same
}

// compareText is a comparison for the clipboard: a line for each difference, with tabs between the columns.
func compareText(c *discs.Comparison) string {
	var b strings.Builder
	fmt.Fprintf(&b, "before\t%s\nafter\t%s\n%s\n", c.Before.Path, c.After.Path, compareSentence(c))
	for _, i := range compareItems(c) {
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\n", strings.ToLower(i.Mark.String()), i.Path, bytesText(i.Before), bytesText(i.After))
	}
	return b.String()
}

func bytesText(n int64) string {
	if n < 0 {
		return "–"
	}
	return ui.ExactSize(n)
}
