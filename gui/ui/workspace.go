package ui

import (
	"context"
	"slices"

	"talebinder/export"
	"talebinder/platforms"
	"talebinder/project"
	"talebinder/project/problem"
)

// A Change says what has become different in a workspace.
type Change uint8

// The changes.
const (
	BuildEdited     Change = iota // the text of build.json in the window: an edit, undo, redo, revert, reload
	BuildSaved                    // build.json was written
	DiskChanged                   // build.json on disk is no longer what was read
	Rescanned                     // assets, settings of the game or plugins were read again
	QueueChanged                  // rows were added, removed or made progress; at most ten times a second
	ContentReady                  // the content of the build was computed again
	ProblemsReady                 // the list of problems was computed again
	SettingsChanged               // a setting that screens use, such as the players folder
)

// A Background runs work beside the interface; a [Host] is one.
type Background interface {
	Do(f func())
	Go(what string, work func(ctx context.Context) error, done func(error))
}

// A Workspace is an open project with everything that its screens share. All methods are called on the interface's
// goroutine.
type Workspace struct {
	// Project is the project as it was read last. It is replaced as a whole and never changed, so that work in the background
	// can go on with the one it began with: ask for it each time. It is nil while the window shows the tools that need no
	// project; screens that only a project has never see that.
	Project *project.Project
	Queue   *export.Queue

	// Collect finds what a build would ship; it is export.CollectContent unless a test has its own. It runs in the background.
	Collect func(ctx context.Context, p *project.Project, profile platforms.Profile) (*export.Content, error)

	back     Background
	watchers []*watcher
	target   string

	generation int // of the inputs of content
	content    *export.Content
	contentErr error
	contentGen int // generation that content belongs to, 0: none
	running    bool
	cancel     context.CancelFunc
	waiting    []func(*export.Content, error)

	problems []problem.Problem
	checking bool
	again    bool // something has changed since checking began
}

type watcher struct{ f func(Change) }

// NewWorkspace makes the workspace of an open project. back may be nil when nobody asks for content.
func NewWorkspace(p *project.Project, q *export.Queue, back Background) *Workspace {
	w := &Workspace{Project: p, Queue: q, Collect: export.CollectContent, back: back, generation: 1}
	if p == nil || p.Build == nil {
		return w
	}
	if t := p.Build.Settings().Target; t != nil {
		w.target = *t
	}
	return w
}

// Dir is the folder of the open project, by which settings remember what belongs to it; empty without a project.
func (w *Workspace) Dir() string {
	if w.Project == nil {
		return ""
	}
	return w.Project.Dir
}

// Target is the id of the target that checks are made for; empty: the host's.
func (w *Workspace) Target() string { return w.target }

// SetTarget changes the target that checks are made for.
func (w *Workspace) SetTarget(id string) { w.target = id }

// Subscribe calls f after each change, until unsubscribe is called.
func (w *Workspace) Subscribe(f func(Change)) (unsubscribe func()) {
	entry := &watcher{f}
	w.watchers = append(w.watchers, entry)
	return func() {
		w.watchers = slices.DeleteFunc(w.watchers, func(e *watcher) bool { return e == entry })
	}
}

// Changed tells everyone who subscribed what has become different.
func (w *Workspace) Changed(c Change) {
	if c == BuildEdited || c == Rescanned {
		w.stale()
	}
	for _, e := range slices.Clone(w.watchers) {
		e.f(c)
	}
}

// Replace puts the project read again in the place of the one before, and tells everyone.
func (w *Workspace) Replace(p *project.Project) {
	w.Project = p
	w.Changed(Rescanned)
}

func (w *Workspace) stale() {
	w.generation++
	if w.cancel != nil {
		w.cancel()
	}
}

// Content gives what the build would ship. It is computed in the background, once per change of the project, and handed
// over later on the interface's goroutine; when it is known already, done is called at once.
func (w *Workspace) Content(done func(*export.Content, error)) {
	if w.contentGen == w.generation {
		done(w.content, w.contentErr)
		return
	}
	w.waiting = append(w.waiting, done)
	if !w.running {
		w.collect()
	}
}

// ContentNow gives the content computed last, or nil; fresh tells whether nothing has changed since.
func (w *Workspace) ContentNow() (c *export.Content, fresh bool) {
	return w.content, w.contentGen == w.generation
}

func (w *Workspace) collect() {
	w.running = true
	generation := w.generation
	var profile platforms.Profile
	if w.Project.Build != nil {
		profile = w.Project.Build.Settings().Profile
	}
	ctx, cancel := context.WithCancel(context.Background())
	w.cancel = cancel
	var got *export.Content
	p := w.Project
	w.back.Go("Finding what ships", func(outer context.Context) error {
		stop := context.AfterFunc(outer, cancel)
		defer stop()
		var err error
		got, err = w.Collect(ctx, p, profile)
		return err
	}, func(err error) {
		cancel()
		w.running, w.cancel = false, nil
		if generation != w.generation && len(w.waiting) > 0 {
			w.collect() // the project changed meanwhile
			return
		}
		w.content, w.contentErr, w.contentGen = got, err, generation
		waiting := w.waiting
		w.waiting = nil
		for _, f := range waiting {
			f(got, err)
		}
		w.Changed(ContentReady)
	})
}

// Problems gives the list of problems computed last: what the project has to say about itself and what an export for
// the target would say before it starts; the worst first.
func (w *Workspace) Problems() []problem.Problem { return w.problems }

// Checking tells whether the list of problems is being computed.
func (w *Workspace) Checking() bool { return w.checking }

// Check computes the list of problems again, in the background, and tells ProblemsReady when it is there.
func (w *Workspace) Check() {
	if w.checking {
		w.again = true
		return
	}
	w.checking = true
	p, target := w.Project, w.target
	var got []problem.Problem
	w.back.Go("Checking the project", func(context.Context) error {
		got = Merge(p.Problems(), p.Check(target))
		return nil
	}, func(error) {
		w.problems, w.checking = got, false
		if w.again {
			w.again = false
			w.Check()
		}
		w.Changed(ProblemsReady)
	})
}

// Merge puts lists of problems together: the most severe first, then in the order of files and lines; a problem that
// stands in two lists is given once.
func Merge(lists ...[]problem.Problem) []problem.Problem {
	type key struct {
		message, file string
		line          int
	}
	seen := map[key]bool{}
	var out []problem.Problem
	for _, list := range lists {
		for _, p := range list {
			k := key{p.Message, p.File, p.Line}
			if !seen[k] {
				seen[k] = true
				out = append(out, p)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b problem.Problem) int {
		if a.Level != b.Level {
			return int(b.Level) - int(a.Level)
		}
		if a.File != b.File {
			if a.File < b.File {
				return -1
			}
			return 1
		}
		return a.Line - b.Line
	})
	return out
}
