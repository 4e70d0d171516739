package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"talebinder/export/cache"
	"talebinder/export/internal/filelock"
	"talebinder/export/players"
	"talebinder/formats/tspack"
	"talebinder/platforms"
	"talebinder/project"
	"talebinder/project/problem"
)

// BuildOptions say what differs from a project's build settings.
type BuildOptions struct {
	Target      string             // id of the target; "" takes the settings' target, or this computer
	Profile     *platforms.Profile // nil takes the settings' profile
	Output      string             // folder that the build goes into; "" takes the settings' output folder
	ContentOnly bool               // make the game folder only, without a player

	// DesktopEntry puts an entry for the menu of applications beside the executable of a Linux build.
	DesktopEntry bool

	// PlayersDir is a players folder that is looked at before the usual places; "" for none.
	PlayersDir string

	// EngineSources is a checkout of the engine's sources that players are published from; "" finds one, see players.FindCheckout.
	EngineSources string

	// Reopen reads the project from disk again when the job starts, unsaved changes left aside. A window, whose project has been
	// open for a while and may change during the export, sets it; a command that has just opened the project does not.
	Reopen        bool
	EngineVersion string // for reading it again; see project.Options

	NoCache    bool         // compress everything anew, and keep nothing of it
	Cache      *cache.Cache // of compressed files; nil for the usual one
	HistoryDir string       // where the report is kept for comparisons; "" for the usual place

	shared *sharedPacks // with other builds of a batch; nil for none

	Workers int              // 0 means one for each core
	Now     func() time.Time // nil means time.Now
}

// A Build is the job that makes a game out of a project: a build folder, in the distribution profile an archive too, and a
// report. It replaces the previous build only when everything went well, and changes no file of the project.
type Build struct {
	project *project.Project
	options BuildOptions
	target  platforms.Target
	profile platforms.Profile
	places  places

	exchange func(a, b string) error // swaps two folders in one call, where the system can
}

// NewBuild prepares a build of the project. It fails when build.json is not valid or the target is unknown.
func NewBuild(p *project.Project, o BuildOptions) (*Build, error) {
	if err := p.Build.Err(); err != nil {
		return nil, fmt.Errorf("build.json is not valid: %w", err)
	}
	settings := p.Build.Settings()
	b := &Build{project: p, options: o, target: platforms.Host(), profile: settings.Profile, exchange: exchange}
	if settings.Target != nil {
		if t, ok := platforms.TargetByID(*settings.Target); ok {
			b.target = t
		}
	}
	if o.Target != "" {
		t, ok := platforms.TargetByID(o.Target)
		if !ok {
			return nil, fmt.Errorf("%q is not a target. The targets are %s", o.Target, targetIDs())
		}
		b.target = t
	}
	if o.Profile != nil {
		b.profile = *o.Profile
	}
	if o.Now == nil {
		b.options.Now = time.Now
	}
	var err error
	b.places, err = b.findPlaces(p)
	return b, err
}

func targetIDs() string {
	var ids []string
	for _, t := range platforms.Targets() {
		ids = append(ids, t.ID)
	}
	return strings.Join(ids, ", ")
}

// OutputRoot gives the absolute folder that builds go into: a folder that was named, else the settings' output folder, which
// may be relative to the project.
func OutputRoot(projectDir, outputFolder, named string) (string, error) {
	if named == "" {
		named = outputFolder
		if !filepath.IsAbs(named) {
			named = filepath.Join(projectDir, filepath.FromSlash(named))
		}
	}
	return filepath.Abs(named)
}

// places are the files and folders that a build writes.
type places struct {
	root        string // the output folder
	name        string // of the executable, and in the names of the rest
	build       string // the build folder
	staging     string // where the build is put together
	previous    string // where the old build is for a moment, when folders cannot be exchanged
	archive     string
	archivePart string // the archive while it is written
	report      string
	reportPart  string // the report while it is written
	lock        string
	layout      platforms.Layout
}

// findPlaces names the places of a build of the project.
func (b *Build) findPlaces(p *project.Project) (places, error) {
	settings := p.Build.Settings()
	title := p.Title()
	if settings.ExecutableName != nil {
		title = *settings.ExecutableName
	}
	root, err := OutputRoot(p.Dir, settings.OutputFolder, b.options.Output)
	if err != nil {
		return places{}, err
	}
	name, t := platforms.SanitizeName(title), b.target
	return places{
		root:        root,
		name:        name,
		build:       filepath.Join(root, t.BuildFolder(name)),
		staging:     filepath.Join(root, t.StagingName(name)),
		previous:    filepath.Join(root, t.PreviousName(name)),
		archive:     filepath.Join(root, t.ArchiveName(name, settings.Version)),
		archivePart: filepath.Join(root, t.ArchivePartName(name)),
		report:      filepath.Join(root, t.ReportName(name)),
		reportPart:  filepath.Join(root, t.ReportPartName(name)),
		lock:        filepath.Join(root, t.LockName(name)),
		layout:      t.Layout(name),
	}, nil
}

// Title says what is built, such as "Hex Quest for Linux x64, release".
func (b *Build) Title() string {
	title := fmt.Sprintf("%s for %s, %s", b.project.Title(), b.target.Name, b.profile)
	if b.options.ContentOnly {
		title += ", game folder only"
	}
	return title
}

// Target is the id of the target.
func (b *Build) Target() string { return b.target.ID }

// Profile is the profile of the build.
func (b *Build) Profile() platforms.Profile { return b.profile }

// ContentOnly says that only the game folder is made.
func (b *Build) ContentOnly() bool { return b.options.ContentOnly }

// Output is the build folder.
func (b *Build) Output() string { return b.places.build }

// Command gives the words of the command line that makes the same build.
func (b *Build) Command() []string {
	o := b.options
	if o.Output != "" {
		o.Output = b.places.root
	}
	o.DesktopEntry = o.DesktopEntry && b.target.Platform == platforms.Linux
	return append([]string{"talebinder", "export", b.project.Dir, "--target", b.target.ID, "--profile", b.profile.String()}, o.words()...)
}

// words gives the options of a command line that say the same, apart from target and profile.
func (o BuildOptions) words() []string {
	var words []string
	if o.Output != "" {
		words = append(words, "--output", o.Output)
	}
	if o.ContentOnly {
		words = append(words, "--content-only")
	}
	if o.DesktopEntry {
		words = append(words, "--desktop-entry")
	}
	if o.PlayersDir != "" {
		words = append(words, "--players", o.PlayersDir)
	}
	if o.EngineSources != "" {
		words = append(words, "--sources", o.EngineSources)
	}
	if o.NoCache {
		words = append(words, "--no-cache")
	}
	return words
}

var _ Job = (*Build)(nil)

// run is one run of a Build: what its steps hand on to each other.
type run struct {
	*tracker
	Build
	settings project.BuildSettings
	lock     *filelock.Lock // held while the output is written
	unnamed  bool           // game.json could not be read: there is nothing to report about

	player    players.Player
	publish   bool // the player is published from the engine's sources before it is needed
	scripts   *scripts
	content   *Content
	packed    []tspack.Entry // in the order of the pack: the index first
	packing   *packing       // how they got there
	documents *sync.Map      // see sharedPack
	files     []players.File // what is taken from the player folder
	copied    []players.File // what has been taken
	appIcon   *appIcon       // nil when the game has none
	notes     []Note
	made      made
}

// made is what a run has finished.
type made struct {
	build, executable, archive string
}

// steps is the list of what a build does, in order.
func (r *run) steps() []step {
	steps := []step{
		{"Checking the project", r.check},
		{"Compiling scripts", r.compileScripts},
		{"Collecting content", r.collectContent},
		{"Packing content", r.packContent},
	}
	if !r.options.ContentOnly {
		steps = append(steps,
			step{"Preparing the player", r.preparePlayer},
			step{"Assembling the build", r.assemble},
		)
	}
	return append(steps, step{"Finishing", r.finishBuild})
}

// Steps gives the titles of what a build does, in order.
func (b *Build) Steps() []string {
	steps := (&run{Build: *b}).steps()
	titles := make([]string, len(steps))
	for i, s := range steps {
		titles[i] = s.title
	}
	return titles
}

// Run makes the build. A project whose game.json cannot be read ends it at once, without a report.
func (b *Build) Run(ctx context.Context, out Reporter) (*Report, error) {
	r := &run{tracker: newTracker(out, b.options.Now), Build: *b, settings: b.project.Build.Settings()}
	started := r.now()
	steps := r.steps()
	if b.project.GameErr != nil && !b.options.Reopen {
		r.fail(gameError(b.project.GameErr))
		r.finish(len(steps), "Failed")
		return nil, fmt.Errorf("the export %w: %w", ErrFailed, b.project.GameErr)
	}

	r.options.shared.enter()
	defer r.options.shared.leave()
	err := r.tracker.run(ctx, steps)
	tidied := r.tidy()
	outcome := r.conclude(ctx, err)
	if r.unnamed {
		tidied()
		r.finish(len(steps), outcome)
		r.unlock()
		return nil, fmt.Errorf("the export %w: %w", ErrFailed, r.project.GameErr)
	}
	report := r.report(started, err)
	r.remember(report)
	tidied()
	r.unlock()
	r.finish(len(steps), outcome)
	switch {
	case err == nil:
		return report, nil
	case report.Cancelled:
		return report, fmt.Errorf("the export was cancelled: %w", err)
	}
	return report, fmt.Errorf("the export %w with %s", err, count(len(report.Errors)-1, "error", "errors")) // the last one sums up
}

// conclude logs how the run ended and names the outcome.
func (r *run) conclude(ctx context.Context, err error) string {
	kept := "The previous build, if there was one, is as it was"
	if r.made.build != "" {
		kept = "The new build is in its place"
	}
	switch {
	case err == nil:
		return "Done"
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		r.warn("", "The export was stopped, and what it had made so far is removed")
		r.log(Entry{Level: Error, Message: "The export was cancelled. " + kept})
		return "Cancelled"
	case !r.unnamed:
		r.log(Entry{Level: Error, Message: fmt.Sprintf("The export failed with %s. %s", count(r.errorCount(), "error", "errors"), kept)})
	}
	return "Failed"
}

// gameError is the error of a config/game.json that cannot be read.
func gameError(err error) error {
	return &placedError{file: viaGame, message: fmt.Sprintf("not valid: %v", err)}
}

// logProblems logs what was found about the project.
func (r *run) logProblems(problems []problem.Problem) {
	for _, p := range problems {
		e := Entry{Level: Info, Message: p.Message, File: strings.TrimPrefix(p.File, "assets/"), Line: p.Line, Column: p.Column}
		if p.Hint != "" {
			e.Message += ". " + p.Hint
		}
		switch p.Level {
		case problem.Warning:
			e.Level = Warning
		case problem.Error:
			e.Level = Error
		}
		r.log(e)
	}
}

// collectContent is the step that finds out what ships.
func (r *run) collectContent(ctx context.Context) error {
	content, err := collect(ctx, collection{
		project: r.project, settings: r.settings, profile: r.profile, scripts: r.scripts, progress: r.progress,
	})
	if err != nil {
		return err
	}
	r.content = content
	r.logProblems(content.Problems)
	r.checkNames()
	r.checkPaths()
	r.info("%s ship, %s left out", count(len(content.Items), "asset", "assets"), count(len(content.Left), "file", "files"))
	return nil
}

// largestCount is how many assets a report lists.
const largestCount = 15

// report makes the report and writes it beside the build.
func (r *run) report(started time.Time, err error) *Report {
	report := &Report{
		Success:         err == nil,
		Cancelled:       err != nil && !errors.Is(err, ErrFailed),
		Game:            r.project.Title(),
		Target:          r.target.ID,
		Profile:         r.profile,
		StartedAt:       started,
		OutputDirectory: r.made.build,
		Executable:      r.made.executable,
		Archive:         r.made.archive,
		ReportFile:      r.places.report,
		Categories:      r.categories(),
		LargestAssets:   r.largest(),
	}
	if err == nil {
		report.Notes = r.notes
	}
	if len(r.packed) > 0 {
		report.AssetCount = len(r.packed) - 1
	}
	for _, c := range report.Categories {
		report.TotalSize += c.Size
	}
	fill := func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		report.Steps = slices.Clone(r.times)
		report.Warnings, report.Errors = slices.Clone(r.warnings), slices.Clone(r.errors)
	}
	report.Duration = r.now().Sub(started)
	fill()
	if r.lock == nil {
		report.ReportFile = "" // the place belongs to whoever holds the lock, or cannot be written
		return report
	}
	if err := r.writeReport(report.Text()); err != nil {
		r.warn("", fmt.Sprintf("The report could not be written: %v", err))
		report.ReportFile = ""
		fill()
	}
	return report
}

// writeReport puts the report in its place, complete or not at all.
func (r *run) writeReport(text []byte) error {
	if err := os.RemoveAll(r.places.reportPart); err != nil {
		return err
	}
	err := writeFile(r.places.reportPart, text, time.Time{})
	if err == nil {
		err = flushFile(r.places.reportPart)
	}
	if err == nil {
		err = os.Rename(r.places.reportPart, r.places.report)
	}
	if err != nil {
		_ = os.Remove(r.places.reportPart)
	}
	return err
}

// categories adds up what is in the build, the largest first.
func (r *run) categories() []Category {
	var list []Category
	at := make(map[string]int)
	add := func(name string, size, original int64) {
		i, ok := at[name]
		if !ok {
			i = len(list)
			at[name] = i
			list = append(list, Category{Name: name})
		}
		list[i].Files++
		list[i].Size += size
		list[i].OriginalSize += original
	}
	if len(r.packed) > 0 {
		for i, entry := range r.packed[1:] {
			add(r.content.Items[i].Kind, entry.StoredLength, entry.Length)
		}
		for _, file := range r.content.Loose {
			add(file.Category, file.Size, file.Size)
		}
	}
	for _, file := range r.copied {
		add(CategoryPlayer, file.Size, file.Size)
	}
	slices.SortStableFunc(list, func(a, b Category) int { return cmp.Compare(b.Size, a.Size) })
	return list
}

// largest lists the packed assets that take the most room.
func (r *run) largest() []AssetSize {
	if len(r.packed) == 0 {
		return nil
	}
	order := make([]int, len(r.packed)-1)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.packed[b+1].StoredLength, r.packed[a+1].StoredLength) })
	var list []AssetSize
	for _, i := range order[:min(len(order), largestCount)] {
		item, entry := r.content.Items[i], r.packed[i+1]
		list = append(list, AssetSize{Path: item.Path, Kind: item.Kind, Size: entry.Length, StoredSize: entry.StoredLength, Reason: item.Reason})
	}
	return list
}
