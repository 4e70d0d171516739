package discs

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"talebinder/export"
	"talebinder/export/internal/filelock"
	"talebinder/export/words"
	"talebinder/formats/cdi"
	"talebinder/formats/n64rom"
	"talebinder/project/atomicfile"
)

// SwapOptions say what a swap is about.
type SwapOptions struct {
	Image   string // file of the image
	Target  string // file of the new image; "" replaces the image in place
	Content string // folder that becomes the directory Content
	Backup  bool   // in place: the old image stays beside the new one, with .bak behind its name
	NoPlace bool   // for a plan only: where the new image goes is decided later, so that its place is not looked at

	Location *time.Location   // of the dates on a disc, which are a wall clock's; nil for the local one
	Now      func() time.Time // nil means time.Now
}

// A Swap is the job that replaces the content of an image. Everything else on it stays byte for byte.
//
// The new image is written to a file beside its target, flushed to the disk, opened from scratch and compared: what is kept
// byte for byte with the image, every file of the content by its hash. Only then it takes the target's place. Until then
// nothing else changes, whatever goes wrong.
type Swap struct{ options SwapOptions }

// NewSwap prepares a swap. Only the arguments are looked at.
func NewSwap(o SwapOptions) (*Swap, error) {
	switch {
	case o.Image == "":
		return nil, errors.New("which image? None is named")
	case o.Content == "":
		return nil, errors.New("which content? No folder is named")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Location == nil {
		o.Location = time.Local
	}
	return &Swap{o}, nil
}

// Title says what the job makes.
func (s *Swap) Title() string { return "Swap the content of " + filepath.Base(s.options.Image) }

// Target is empty: a swap is for no target of a project.
func (s *Swap) Target() string { return "" }

// Output is the file of the new image.
func (s *Swap) Output() string {
	if s.options.Target == "" {
		return s.options.Image
	}
	return s.options.Target
}

// Command gives the words of the command line that does the same.
func (s *Swap) Command() []string {
	words := []string{"talebinder", "swap-content", s.options.Image}
	if s.options.Target != "" {
		words = append(words, s.options.Target)
	}
	words = append(words, "--content="+s.options.Content)
	if s.options.Backup {
		words = append(words, "--backup")
	}
	return words
}

var _ export.Job = (*Swap)(nil)

func (s *Swap) place(im *Image) (*place, error) {
	if s.options.NoPlace {
		return &place{own: []fs.FileInfo{im.info}}, nil
	}
	pl, err := findPlace(im, s.options.Target)
	if err == nil {
		pl.backup = s.options.Backup && pl.inPlace
	}
	return pl, err
}

// Plan says what the swap will do, and writes nothing. What would keep the swap from being done is an error here too. To tell
// what changes it reads the content and what is kept.
func (s *Swap) Plan(ctx context.Context, progress Progress) (*Plan, error) {
	p, err := s.prepare(ctx, func(string) {})
	if err != nil {
		return nil, err
	}
	defer p.image.Close()
	if err := p.examine(ctx, progress); err != nil {
		return nil, err
	}
	return p.plan, nil
}

// swapRun is one run of a Swap.
type swapRun struct {
	*export.Work
	*Swap
	prepared *prepared
	place    *place
	lock     *filelock.Lock
	file     *atomicfile.File
	size     int64
	sum      string // of the new image
	backup   string // the old image, when it is kept
	done     bool
}

func (r *swapRun) steps() []export.Step {
	return []export.Step{
		{Title: "Reading the content", Run: r.read},
		{Title: "Writing the new image", Run: r.write},
		{Title: "Verifying the new image", Run: r.verify},
		{Title: "Putting the image in its place", Run: r.commit},
	}
}

// Steps gives the titles of what a swap does, in order.
func (s *Swap) Steps() []string { return titles((&swapRun{Swap: s}).steps()) }

func titles(steps []export.Step) []string {
	list := make([]string, len(steps))
	for i, step := range steps {
		list[i] = step.Title
	}
	return list
}

// Run swaps the content.
func (s *Swap) Run(ctx context.Context, out export.Reporter) (*export.Report, error) {
	if s.options.NoPlace {
		return nil, fmt.Errorf("where does the new image go? The swap is for a plan only: %w", export.ErrFailed)
	}
	r := &swapRun{Work: export.NewWork(out, s.options.Now), Swap: s}
	started := s.options.Now()
	steps := r.steps()
	err := r.Work.Run(ctx, steps)
	r.close()
	report := r.report(started, err)
	outcome := "Done"
	switch {
	case report.Cancelled:
		outcome = "Cancelled"
	case err != nil:
		outcome = "Failed"
	}
	r.Finish(len(steps), outcome)
	return report, jobError("the swap", report, err)
}

// jobError is the error of a job whose steps ended with err.
func jobError(what string, report *export.Report, err error) error {
	switch {
	case err == nil:
		return nil
	case report.Cancelled:
		return fmt.Errorf("%s was cancelled: %w", what, err)
	}
	return fmt.Errorf("%s %w", what, err)
}

// close lets go of everything that a run holds. What has not been committed is removed.
func (r *swapRun) close() {
	if r.file != nil {
		r.file.Abort()
	}
	if r.prepared != nil {
		_ = r.prepared.image.Close()
	}
	r.lock.Release()
}

// read is the step that looks at the image and the content folder, and plans.
func (r *swapRun) read(ctx context.Context) error {
	r.Info("Reading the image %s", r.options.Image)
	p, err := r.prepare(ctx, func(string) { r.Info("Reading the content folder %s", r.options.Content) })
	if err != nil {
		return err
	}
	r.prepared, r.place = p, p.place
	for _, warning := range p.plan.Warnings {
		r.Warn("", warning)
	}
	return nil
}

// write is the step that writes the new image beside its target.
func (r *swapRun) write(ctx context.Context) error {
	p := r.prepared
	var err error
	r.lock, err = filelock.Acquire(filepath.Join(r.place.folder, "."+r.place.base+".lock"))
	if errors.Is(err, filelock.ErrLocked) {
		return &Refusal{What: r.place.target, Found: "another swap writes this image", Advice: "Wait until it is done", Err: err}
	}
	if err != nil {
		return err
	}
	if r.file, err = atomicfile.CreateTmp(filepath.Join(r.place.folder, r.place.base)); err != nil {
		return err
	}
	if grown := int64(tracksLength(p.plan.TracksAfter)) - int64(tracksLength(p.plan.TracksBefore)); p.image.Container == CDI && grown > 0 {
		r.Info("The data track grows by %d sectors", grown)
	}
	if p.plan.InPlace {
		r.Info("Writing the image in place of %s", p.image.Path)
	} else {
		r.Info("Writing the image %s", p.plan.Target)
	}
	w := &imageWriter{file: r.file, rate: newRate(r.Work, p.plan.Size, r.options.Now), what: filepath.Base(p.plan.Target)}
	if err := p.writeTo(ctx, w); err != nil {
		return err
	}
	r.size = p.plan.Size
	if w.size != p.plan.Size {
		return fmt.Errorf("%d bytes were written, %d planned", w.size, p.plan.Size)
	}
	if p.image.Container == Cartridge {
		r.Info("%d files stored, %.1f MiB used, %.1f MiB left of 64", p.layout.Files, float64(p.plan.Size)/(1<<20), float64(p.plan.Free)/(1<<20))
	}
	r.Progress(1, "Flushing to the disk")
	if err := r.file.Flush(); err != nil {
		return err
	}
	return p.image.changed()
}

func tracksLength(tracks []Track) uint32 {
	n := uint32(0)
	for _, t := range tracks {
		n += t.Length
	}
	return n
}

// writeTo writes the new image from its first byte to its last.
func (p *prepared) writeTo(ctx context.Context, w *imageWriter) error {
	switch p.image.Container {
	case ISO:
		return p.disc.WriteImage(ctx, w)
	case CDI:
		return p.image.cdi.Rewrite(ctx, w, cdi.Replacement{Sectors: p.disc.TrackSectors, RunOut: p.disc.RunOut, Write: p.disc.WriteVolume})
	}
	// A cartridge: everything in front of the file system, the file system, zeros; then the table, whose cookie depends on it.
	ahead := io.NewSectionReader(p.image.source, 0, p.image.dfs.Offset)
	if err := copyContext(ctx, w, ahead); err != nil {
		return err
	}
	cookie := n64rom.NewHash
	if err := p.layout.Write(ctx, io.MultiWriter(w, &cookie)); err != nil {
		return err
	}
	if _, err := w.Write(make([]byte, p.plan.Size-w.size)); err != nil {
		return err
	}
	table := &p.image.rom.Table
	patch, err := table.Patch(p.image.dfsAt, p.layout.Size, cookie)
	if err != nil {
		return err
	}
	if _, err := w.file.Seek(table.Offset, io.SeekStart); err != nil {
		return err
	}
	_, err = w.file.Write(patch)
	return err
}

func copyContext(ctx context.Context, w io.Writer, r io.Reader) error {
	b := make([]byte, pieceSize)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := io.ReadFull(r, b)
		if n > 0 {
			if _, err := w.Write(b[:n]); err != nil {
				return err
			}
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// earlyPortion is how many bytes are written before the disk is set to work on them.
const earlyPortion = 8 << 20

// An imageWriter writes a new image, tells how far it is, and keeps the disk busy meanwhile.
type imageWriter struct {
	file  *atomicfile.File
	rate  *rate
	what  string
	size  int64
	begun int64 // up to where the disk is at work
}

func (w *imageWriter) Write(b []byte) (int, error) {
	n, err := w.file.Write(b)
	w.size += int64(n)
	if w.size-w.begun >= earlyPortion {
		w.file.StartFlush(w.begun, w.size-w.begun)
		w.begun = w.size
	}
	w.rate.tell(w.size, w.what)
	return n, err
}

// A rate turns counts of bytes into the progress of a step.
type rate struct {
	work    *export.Work
	total   int64
	started time.Time
	now     func() time.Time

	mu   sync.Mutex
	last time.Time
}

func newRate(work *export.Work, total int64, now func() time.Time) *rate {
	return &rate{work: work, total: total, now: now, started: now()}
}

// tell reports how much is done, some times a second. It may be called from any goroutine.
func (r *rate) tell(done int64, what string) {
	if r.total <= 0 {
		return
	}
	now := r.now()
	r.mu.Lock()
	held := done < r.total && now.Sub(r.last) < 50*time.Millisecond
	if !held {
		r.last = now
	}
	r.mu.Unlock()
	if held {
		return
	}
	detail := words.Size(done) + " of " + words.Size(r.total)
	if elapsed := now.Sub(r.started); elapsed > 200*time.Millisecond {
		detail += ", " + words.Size(int64(float64(done)/elapsed.Seconds())) + "/s"
	}
	if what != "" {
		detail += ": " + what
	}
	r.work.Progress(float64(done)/float64(r.total), detail)
}

// verify is the step that opens the new image from scratch and compares it with what was to be written.
func (r *swapRun) verify(ctx context.Context) error {
	proof := &proof{prepared: r.prepared, path: r.file.Temp()}
	var rate *rate
	err := proof.run(ctx, func(done, total int64, what string) { rate.tell(done, what) }, func(total int64) { rate = newRate(r.Work, total, r.options.Now) })
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var refusal *Refusal
		if errors.As(err, &refusal) {
			return err
		}
		return fmt.Errorf("the new image is not what was to be written, so nothing was replaced: %w", err)
	}
	r.sum = hex.EncodeToString(proof.sum[:])
	r.Info("Verified: %d kept parts byte for byte, %d files of the content by their hashes", len(r.prepared.kept), proof.proven)
	return nil
}

// commit is the step that puts the new image in its place.
func (r *swapRun) commit(ctx context.Context) error {
	p := r.prepared
	if err := p.image.changed(); err != nil {
		return err
	}
	if r.place.backup {
		var err error
		if r.backup, err = r.place.keep(); err != nil {
			return fmt.Errorf("the old image could not be kept: %w", err)
		}
	}
	_ = p.image.Close() // an open file cannot be replaced everywhere
	if err := r.file.Commit(); err != nil {
		if r.backup != "" {
			_ = os.Remove(r.backup)
			r.backup = ""
		}
		return err
	}
	r.done = true
	if err := r.place.linkAgain(); err != nil {
		r.Warn(r.place.alias, fmt.Sprintf("It is still the old image: %v", err))
	}
	if r.backup != "" {
		r.Info("The old image is kept as %s", r.backup)
	}
	r.Info("Finished: %s, sha256 %s", p.plan.Target, r.sum)
	return nil
}

// report says how the run ended, and logs the same when it failed.
func (r *swapRun) report(started time.Time, err error) *export.Report {
	report := &export.Report{
		Success: err == nil, Cancelled: err != nil && !errors.Is(err, export.ErrFailed), Kind: "swap-content",
		Game: filepath.Base(r.options.Image), StartedAt: started, Duration: r.options.Now().Sub(started),
	}
	if p := r.prepared; p != nil {
		if p.id.Title != "" {
			report.Game = p.id.Title
		}
		if err == nil {
			r.result(report)
		}
	}
	if err != nil {
		kept := "Nothing was changed"
		if r.done {
			kept = "The new image is in its place"
		}
		word := "failed"
		if report.Cancelled {
			word = "was cancelled"
		}
		r.Fail(fmt.Errorf("The swap %s. %s", word, kept))
	}
	r.Fill(report)
	return report
}

// result adds what came of a successful run.
func (r *swapRun) result(report *export.Report) {
	p := r.prepared
	report.OutputDirectory = r.place.folder
	report.TotalSize = r.size
	report.Sums = append(report.Sums, export.Sum{Role: "image", Path: p.plan.Target, Size: r.size, SHA256: r.sum})
	if r.backup != "" {
		report.Sums = append(report.Sums, export.Sum{Role: "backup", Path: r.backup, Size: p.image.Size})
	}
	kept := export.Category{Name: "Kept"}
	for i := range p.kept {
		k := &p.kept[i]
		kept.Files++
		kept.Size += k.size
		report.Sums = append(report.Sums, export.Sum{Role: "kept", Path: k.name, Size: k.size, SHA256: hex.EncodeToString(k.sum[:])})
	}
	content := export.Category{Name: "Content"}
	for _, e := range p.content.entries {
		if e.dir {
			continue
		}
		content.Files++
		content.Size += e.info.Size()
		report.Sums = append(report.Sums, export.Sum{Role: "content", Path: contentName + "/" + e.path, Size: e.info.Size(), SHA256: hex.EncodeToString(e.sum[:])})
	}
	report.AssetCount = content.Files
	kept.OriginalSize, content.OriginalSize = kept.Size, content.Size
	report.Categories = []export.Category{content, kept}
}
