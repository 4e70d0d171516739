package export

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"time"
	"unicode/utf16"

	"talebinder/export/internal/compile"
	"talebinder/export/internal/dotnet"
	"talebinder/export/internal/filelock"
	"talebinder/export/players"
	"talebinder/export/words"
	"talebinder/platforms"
	"talebinder/project"
	"talebinder/project/problem"
)

// A Fix is what a person can do about something from where it is shown. The zero Fix is none.
type Fix struct {
	ID      string   // one of the words below; a window offers a button for it
	Title   string   // a verb with its object, for the button
	Field   string   // of build.json, for FixSetting; "" for the settings as a whole
	Repair  string   // for FixRepair: the id that Project.Repair takes
	Command []string // a command line that does it, or nil
}

// The ids of fixes.
const (
	FixSetting       = "setting"        // change the build settings
	FixOutput        = "output-folder"  // choose another output folder
	FixPublishPlayer = "publish-player" // publish the player from the engine's sources
	FixPlayersFolder = "players-folder" // name a players folder
	FixRepair        = "repair"         // carry out a repair of the project
)

// settingFix leads to a field of the build settings.
func settingFix(field string) Fix { return Fix{ID: FixSetting, Title: "Change setting", Field: field} }

// A Check is one thing that an export needs, and how it stands: of level Info when all is well, of level Warning when the export
// goes on without it, of level Error when it does not.
type Check struct {
	problem.Problem
	Fix Fix
}

// ReadyState says whether an export can be made.
type ReadyState uint8

// The states, from the worst to the best.
const (
	NotReady        ReadyState = iota // an export would fail
	ReadyWithLimits                   // an export would go on, with warnings
	Ready
)

// String gives the state in words for people.
func (s ReadyState) String() string {
	return [...]string{"Not ready", "Ready with limits", "Ready"}[s]
}

// MarshalText writes the state's word: notReady, limits or ready.
func (s ReadyState) MarshalText() ([]byte, error) {
	return []byte([...]string{"notReady", "limits", "ready"}[s]), nil
}

// Readiness is what stands between a project and a build for a target.
type Readiness struct {
	Target      platforms.Target
	Profile     platforms.Profile
	ContentOnly bool
	State       ReadyState
	Output      string  // the build folder that an export would make
	Checks      []Check // in the order in which an export comes to them
}

// Doctor finds out whether the project can be exported for targets, none of which stand for all. The options are those of
// an export; their target is not used. Nothing is written. The error is that of ctx, or says that a target does not exist.
func Doctor(ctx context.Context, p *project.Project, targets []string, o BuildOptions) ([]Readiness, error) {
	if len(targets) == 0 {
		for _, t := range platforms.Targets() {
			targets = append(targets, t.ID)
		}
	}
	var all []Readiness
	shared := &sharedContent{}
	for _, id := range targets {
		target, ok := platforms.TargetByID(id)
		if !ok {
			return nil, fmt.Errorf("%q is not a target. The targets are %s", id, targetIDs())
		}
		o.Target = target.ID
		d := &diagnosis{Readiness: Readiness{Target: target, ContentOnly: o.ContentOnly, Profile: p.Build.Settings().Profile}}
		if o.Profile != nil {
			d.Profile = *o.Profile
		}
		if err := d.make(ctx, p, o, shared); err != nil {
			return nil, err
		}
		all = append(all, d.Readiness)
	}
	return all, nil
}

// sharedContent is what ships, which is the same for all targets.
type sharedContent struct {
	found   bool
	content *Content
	err     error
}

// diagnosis makes a Readiness.
type diagnosis struct {
	Readiness
	entries []Entry // logged by the point that is being looked at
}

func (d *diagnosis) Step(int, int, string)    {}
func (d *diagnosis) Progress(float64, string) {}
func (d *diagnosis) Log(e Entry)              { d.entries = append(d.entries, e) }

var _ Reporter = (*diagnosis)(nil)

// make looks at everything that an export would look at before it writes.
func (d *diagnosis) make(ctx context.Context, p *project.Project, o BuildOptions, shared *sharedContent) error {
	d.addProblems(p.Check(d.Target.ID))
	job, err := NewBuild(p, o)
	if err != nil || p.GameErr != nil {
		d.judge() // both are among the problems of the project
		return ctx.Err()
	}
	d.Output = job.Output()
	r := &run{tracker: newTracker(d, time.Now), Build: *job, settings: p.Build.Settings()}
	if d.State = ReadyWithLimits; !d.has(problem.Warning) {
		d.add(problem.Info, "project", "The start scene, the scenes of the build and the plugins are in order", Fix{})
	}
	for _, point := range r.points() {
		if err := d.look(ctx, r, point); err != nil {
			return err
		}
	}
	for _, point := range []point{
		{"output", func() string { return "Builds go into " + r.places.root }, Fix{ID: FixOutput, Title: "Choose output folder"}, r.checkOutput},
		{"scripts", nil, Fix{}, r.checkScripts},
		{"content", nil, Fix{}, func(ctx context.Context) error { return shared.collect(ctx, r) }},
		{"paths", nil, Fix{ID: FixOutput, Title: "Choose output folder"}, func(context.Context) error { r.checkPaths(); return nil }},
		{"space", nil, Fix{ID: FixOutput, Title: "Choose output folder"}, r.checkRoom},
	} {
		if err := d.look(ctx, r, point); err != nil {
			return err
		}
		if point.code == "content" && r.content != nil {
			d.addProblems(r.content.Problems)
		}
	}
	d.judge()
	return nil
}

// look looks at a point and adds what it says. The error is that of ctx.
func (d *diagnosis) look(ctx context.Context, r *run, p point) error {
	d.entries = nil
	err := p.look(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	worst := problem.Info
	for _, e := range d.entries {
		if e.Level < Info {
			continue
		}
		level := problem.Info
		switch e.Level {
		case Warning:
			level = problem.Warning
		case Error:
			level = problem.Error
		}
		worst = max(worst, level)
		c := Check{Problem: problem.Problem{Level: level, Code: p.code, Message: e.Message, File: e.File, Line: e.Line, Column: e.Column}}
		if level > problem.Info {
			c.Fix = p.fix
		}
		d.Checks = append(d.Checks, c)
	}
	if err != nil {
		d.Checks = append(d.Checks, d.failed(r, p, err))
		return nil
	}
	if worst == problem.Info && p.fine != nil {
		if text := p.fine(); text != "" {
			d.add(problem.Info, p.code, text, Fix{})
		}
	}
	return nil
}

// failed makes a check of an error.
func (d *diagnosis) failed(r *run, p point, err error) Check {
	c := Check{Problem: problem.Problem{Level: problem.Error, Code: p.code, Message: err.Error()}, Fix: p.fix}
	var placed *placedError
	var missing *players.NotFoundError
	switch {
	case errors.As(err, &placed):
		c.Message, c.File, c.Line, c.Column = placed.message, placed.file, placed.line, placed.column
	case errors.As(err, &missing):
		c.Code = "player-missing"
		c.Message = fmt.Sprintf("no player for %s, %s, was found. Looked at %s", d.Target.Name, d.Profile, strings.Join(missing.Looked, "; "))
		c.Hint = fmt.Sprintf("Put the folder %s into a players folder and name that folder, or export the game folder only.", missing.Key)
		c.Fix = Fix{ID: FixPlayersFolder, Title: "Choose players folder", Command: append(r.Command(), "--players", "FOLDER")}
	}
	if p.code == "player" && c.Fix.ID == "" {
		c.Fix = Fix{ID: FixPlayersFolder, Title: "Choose players folder"}
	}
	return c
}

func (d *diagnosis) add(level problem.Level, code, message string, fix Fix) {
	d.Checks = append(d.Checks, Check{Problem: problem.Problem{Level: level, Code: code, Message: message}, Fix: fix})
}

// addProblems adds problems of the project that tell against an export.
func (d *diagnosis) addProblems(problems []problem.Problem) {
	for _, p := range problems {
		if p.Level == problem.Info {
			continue
		}
		c := Check{Problem: p}
		if p.Repair != "" {
			c.Fix = Fix{ID: FixRepair, Title: "Repair", Repair: p.Repair}
		}
		d.Checks = append(d.Checks, c)
	}
}

// has says whether a check is of the level or worse.
func (d *diagnosis) has(level problem.Level) bool {
	for _, c := range d.Checks {
		if c.Level >= level {
			return true
		}
	}
	return false
}

func (d *diagnosis) judge() {
	switch {
	case d.has(problem.Error):
		d.State = NotReady
	case d.has(problem.Warning):
		d.State = ReadyWithLimits
	default:
		d.State = Ready
	}
}

// checkOutput finds out whether the output folder may be written to, without writing.
func (r *run) checkOutput(context.Context) error {
	if err := r.checkPlaces(); err != nil {
		return err
	}
	if err := writable(existing(r.places.root)); err != nil {
		return fmt.Errorf("the output folder cannot be written to: %w", explain(err))
	}
	if _, err := os.Stat(r.places.lock); err == nil {
		lock, err := filelock.Acquire(r.places.lock)
		if errors.Is(err, filelock.ErrLocked) {
			r.warn("", fmt.Sprintf("%s is being written by another export. Wait for it to end, or choose another output folder", r.places.build))
		}
		lock.Release()
	}
	return nil
}

// existing gives the nearest folder at or above a path that exists.
func existing(path string) string {
	for {
		if _, err := os.Stat(path); err == nil {
			return path
		}
		parent := filepath.Dir(path)
		if parent == path {
			return path
		}
		path = parent
	}
}

// checkScripts finds out whether the scripts can ship compiled, without compiling them.
func (r *run) checkScripts(ctx context.Context) error {
	s, err := findScripts(ctx, r.project.AssetRoot(), r.profile)
	if err != nil {
		return err
	}
	r.scripts = s
	file, why := s.outdated()
	switch {
	case len(s.sources) == 0:
		r.info("The game has no scripts")
		return nil
	case why == "":
		r.info("The scripts are compiled")
		return nil
	}
	with, err := r.foreseeCompiler(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	switch {
	case err == nil:
		r.info("%s will be compiled with %s", count(len(s.sources), "script", "scripts"), with)
	case r.options.ContentOnly && s.managed == nil:
		r.warn(file, fmt.Sprintf("%s. Nothing here can compile them: %v. %s", why, err, inEditor))
	default:
		return &placedError{file: file, message: fmt.Sprintf("%s. Nothing here can compile them: %v. %s", why, err, inEditor)}
	}
	return nil
}

// foreseeCompiler says what an export would compile with. A player that is going to be published has what that takes.
func (r *run) foreseeCompiler(ctx context.Context) (string, error) {
	if engine, err := compile.WithEngine(); err == nil {
		return engine.Name(), nil
	}
	if r.publish {
		sdk, err := dotnet.Find(ctx)
		if err != nil {
			return "", err
		}
		return ".NET SDK " + sdk.Newest(), nil
	}
	c, err := r.compiler(ctx)
	if err != nil {
		return "", err
	}
	return c.Name(), nil
}

// collect finds out what ships, once for all targets.
func (s *sharedContent) collect(ctx context.Context, r *run) error {
	if !s.found {
		s.found = true
		s.content, s.err = collect(ctx, collection{project: r.project, settings: r.settings, profile: r.profile, scripts: r.scripts})
	}
	if s.err != nil {
		return s.err
	}
	r.content = s.content
	size := int64(0)
	for _, item := range r.content.Items {
		size += item.Size
	}
	r.info("%s ship, %s before compression", count(len(r.content.Items), "asset", "assets"), words.Size(size))
	r.checkNames()
	return nil
}

// checkRoom compares the free space of the disk with what the build needs.
func (r *run) checkRoom(context.Context) error {
	if r.content == nil {
		return nil
	}
	free := freeSpace(existing(r.places.root))
	if err := r.checkFree(free); err != nil {
		return err
	}
	_, most := r.spaceNeeded()
	if free >= most {
		r.info("%s free, at most %s needed", words.Size(free), words.Size(most))
	}
	return nil
}

// The lengths of paths that Windows programs cope with: 259 characters for a file. A build that is unpacked into a person's
// folder of downloads has about a hundred of them in front.
const (
	windowsPath = 259
	roomAbove   = 100
)

// checkPaths warns of files whose paths are too long for Windows: in the output folder when that is on Windows, and on the
// players' computers when the build is for Windows.
func (r *run) checkPaths() {
	if r.content == nil || r.target.Platform != platforms.Windows && runtime.GOOS != "windows" {
		return
	}
	layout := r.places.layout
	longest := path.Join(layout.GameDir, packPath)
	longer := func(file string) {
		if units(file) > units(longest) {
			longest = file
		}
	}
	for _, file := range r.content.Loose {
		longer(layout.GameDir + "/" + file.Path)
	}
	for _, file := range r.files {
		longer(path.Join(layout.ExeDir, file.Path))
	}
	if here := units(r.places.staging) + 1 + units(longest); runtime.GOOS == "windows" && here > windowsPath {
		r.warn("", fmt.Sprintf("the path of %s in the output folder has %d characters, and many programs of Windows cope with %d. Choose an output folder with a shorter path", longest, here, windowsPath))
		return
	}
	if r.target.Platform != platforms.Windows {
		return
	}
	if there := units(filepath.Base(r.places.build)) + 1 + units(longest); there > windowsPath-roomAbove {
		r.warn("", fmt.Sprintf("the path of %s has %d characters below the folder that a player unpacks the build into, and Windows programs cope with %d in all. Give the file a shorter path", longest, there, windowsPath))
	}
}

// units is the length of a text as Windows counts it.
func units(text string) int { return len(utf16.Encode([]rune(text))) }
