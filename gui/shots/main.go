// Shots draws every screen of the window without a display, in light and dark and at two sizes, and writes the pictures
// as PNG files into the folder named on the command line.
//
// It uses the sample game in a temporary folder, and nothing of the person's own settings.
package main

import (
	"context"
	"errors"
	"fmt"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/adrg/xdg"

	"talebinder/examples"
	"talebinder/export"
	"talebinder/gui"
	"talebinder/gui/settings"
	"talebinder/gui/ui"
	"talebinder/platforms"
	"talebinder/project"
)

func main() {
	folder := "shots"
	if len(os.Args) > 1 {
		folder = os.Args[1]
	}
	only := ""
	if len(os.Args) > 2 {
		only = os.Args[2]
	}
	if err := run(folder, only); err != nil {
		fmt.Fprintln(os.Stderr, "shots:", err)
		os.Exit(1)
	}
}

// A loop stands for the interface's goroutine: what is dispatched and what is to run in the background waits until
// the loop is drained, so that every picture shows a settled window.
type loop struct {
	mu    sync.Mutex
	queue []func()
	jobs  []func()
}

func (l *loop) dispatch(f func()) { l.mu.Lock(); defer l.mu.Unlock(); l.queue = append(l.queue, f) }

func (l *loop) spawn(f func()) { l.mu.Lock(); defer l.mu.Unlock(); l.jobs = append(l.jobs, f) }

func (l *loop) drain() {
	for {
		l.mu.Lock()
		var next func()
		switch {
		case len(l.queue) > 0:
			next, l.queue = l.queue[0], l.queue[1:]
		case len(l.jobs) > 0:
			next, l.jobs = l.jobs[0], l.jobs[1:]
		}
		l.mu.Unlock()
		if next == nil {
			return
		}
		next()
	}
}

// A studio takes the pictures of one variant.
type studio struct {
	folder, variant string
	only            string
	loop            *loop
	shell           *gui.Shell
	failed          error
	opened          bool // the picture of opening is taken
}

func (s *studio) settle() {
	s.loop.drain()
	s.shell.Tick()
	s.loop.drain()
}

// shot writes the window as it is now.
func (s *studio) shot(name string) {
	s.settle()
	if s.failed != nil || s.only != "" && !strings.Contains(name, s.only) {
		return
	}
	path := filepath.Join(s.folder, name+"-"+s.variant+".png")
	f, err := os.Create(path)
	if err == nil {
		err = errors.Join(png.Encode(f, s.shell.Window().Canvas().Capture()), f.Close())
	}
	s.failed = err
	fmt.Println(path)
}

func run(folder, only string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "talebinder-shots-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	// Nothing of this machine is to be seen in the pictures.
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "TALEBINDER_CACHE"} {
		if err := os.Setenv(name, filepath.Join(temp, strings.ToLower(name))); err != nil {
			return err
		}
	}
	xdg.Reload()
	for _, size := range []fyne.Size{{Width: 1280, Height: 800}, {Width: 800, Height: 600}} {
		for _, look := range []string{"dark", "light"} {
			variant := fmt.Sprintf("%s-%dx%d", look, int(size.Width), int(size.Height))
			if err := photograph(folder, only, variant, look, size, filepath.Join(temp, variant)); err != nil {
				return fmt.Errorf("%s: %w", variant, err)
			}
		}
	}
	return nil
}

func photograph(folder, only, variant, look string, size fyne.Size, temp string) error {
	if err := os.MkdirAll(temp, 0o755); err != nil {
		return err
	}
	sample, err := examples.Extract(temp)
	if err != nil {
		return err
	}
	set, err := settings.Open(filepath.Join(temp, "config"))
	if err != nil {
		return err
	}
	if err := set.SetTheme(look); err != nil {
		return err
	}
	l := &loop{}
	s := &studio{folder: folder, variant: variant, only: only, loop: l}
	app := test.NewApp()
	defer app.Quit()
	s.shell = gui.New(app, gui.Options{
		Settings: set, Sample: examples.Extract, DataFolder: filepath.Join(temp, "data"), Version: "0.1.0",
		Dispatch: l.dispatch, Spawn: l.spawn,
		Watch: func(string, func()) (func(), error) { return func() {}, nil },
		Open:  s.open,
	})
	s.shell.Window().Resize(size)
	s.shell.Window().Show()

	s.shot("hub-empty")
	if err := rememberSome(set, sample, temp); err != nil {
		return err
	}
	s.shell.ReloadHub()
	s.shot("hub")
	s.shell.Open(sample)
	s.settle()
	if s.shell.Workspace() == nil {
		return errors.New("the sample game did not open")
	}
	for _, screen := range []string{ui.ScreenBuild, ui.ScreenContent, ui.ScreenExports, ui.ScreenProblems, ui.ScreenReadiness, ui.ScreenPlayers} {
		s.shell.Show(screen, "")
		s.shot(screen)
	}
	if err := s.players(temp); err != nil {
		return err
	}
	s.sheets()
	s.scenes()
	if err := s.exports(); err != nil {
		return err
	}
	if err := s.builds(sample); err != nil {
		return err
	}
	if err := s.fonts(temp); err != nil {
		return err
	}
	if err := s.coverage(temp); err != nil {
		return err
	}
	if err := s.palette(temp); err != nil {
		return err
	}
	if err := s.discs(temp); err != nil {
		return err
	}
	if err := s.diskChange(sample); err != nil {
		return err
	}
	if err := s.broken(filepath.Join(temp, "broken")); err != nil {
		return err
	}
	return s.failed
}

// broken shows the problems of a project in which several things are wrong.
func (s *studio) broken(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	dir, err := examples.Extract(folder)
	if err != nil {
		return err
	}
	if err := breakProject(dir); err != nil {
		return err
	}
	w := s.shell.Workspace()
	w.Project.Build.Revert()
	s.shell.Open(dir)
	s.settle()
	s.shell.Show(ui.ScreenProblems, "")
	s.shot("problems-found")
	s.shell.RunCommand("problems.repairAll")
	s.shot("repair")
	s.shell.CloseSheets()
	s.shell.Error(fmt.Errorf("build.json not saved: %w", &os.PathError{Op: "open", Path: filepath.Join(dir, "build.json"), Err: os.ErrPermission}))
	s.shot("error")
	s.shell.CloseSheets()
	s.shell.Open(folder)
	s.shot("refused")
	s.shell.CloseSheets()
	return nil
}

// breakProject takes every third .meta file away, empties a scene, and names a scene that does not exist.
func breakProject(dir string) error {
	var metas, scenes []string
	err := filepath.WalkDir(filepath.Join(dir, "assets"), func(path string, d fs.DirEntry, err error) error {
		switch filepath.Ext(path) {
		case ".meta":
			metas = append(metas, path)
		case ".tscene":
			scenes = append(scenes, path)
		}
		return err
	})
	if err != nil {
		return err
	}
	for i := 0; i < len(metas); i += 3 {
		if err := os.Remove(metas[i]); err != nil {
			return err
		}
	}
	for _, path := range scenes[1:] {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(text), ".png", "-old.png")), 0o644); err != nil {
			return err
		}
	}
	path := filepath.Join(dir, "build.json")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text = []byte(strings.ReplaceAll(string(text), "scenes/reef", "scenes/Reef-2"))
	return os.WriteFile(path, text, 0o644)
}

// open reads a project and takes a picture of the first one half way through the assets.
func (s *studio) open(ctx context.Context, path string, o project.Options) (*project.Project, error) {
	type report struct {
		step, detail string
		done, total  int
	}
	var mu sync.Mutex
	var seen []report
	progress := o.Progress
	o.Progress = func(step, detail string, done, total int) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, report{step, detail, done, total})
	}
	p, err := project.Open(ctx, path, o)
	for i, r := range seen {
		progress(r.step, r.detail, r.done, r.total)
		if !s.opened && i > 0 && r.step != seen[0].step && r.done > 0 {
			s.opened = true
			s.shot("opening")
		}
	}
	return p, err
}

// rememberSome fills the list of recent projects: the sample, one that is gone, and some that only have a name.
func rememberSome(set *settings.Settings, sample, temp string) error {
	now := time.Now()
	list := []struct {
		path, title string
		age         time.Duration
	}{
		{filepath.Join(temp, "Tidewrack"), "Tidewrack", 400 * 24 * time.Hour},
		{filepath.Join(temp, "games", "Ember & Ash"), "Ember & Ash", 20 * 24 * time.Hour},
		{filepath.Join(temp, "a-very-long-folder-name-for-a-small-game", "prototype-3"), "The Long Way Round the Mountain", 3 * 24 * time.Hour},
		{sample, "Driftmail", 5 * time.Minute},
	}
	for i, r := range list {
		if i == 1 || i == 2 { // these are there, without a picture
			if err := os.MkdirAll(filepath.Join(r.path, "assets", "config"), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(r.path, "assets", "config", "game.json"), []byte("{ \"title\": \"x\" }"), 0o644); err != nil {
				return err
			}
		}
		if err := set.Remember(r.path, r.title, now.Add(-r.age)); err != nil {
			return err
		}
	}
	return nil
}

// sheets shows what stands in front of the window.
func (s *studio) sheets() {
	s.shell.Show(ui.ScreenBuild, "")
	for _, sheet := range []struct{ name, command string }{
		{"palette", "view.palette"}, {"shortcuts", "help.shortcuts"}, {"settings", "view.settings"},
	} {
		s.shell.RunCommand(sheet.command)
		s.shot(sheet.name)
		s.shell.CloseSheets()
	}
}

// exports shows an export while it runs, and the report of a real one.
func (s *studio) exports() error {
	w := s.shell.Workspace()
	s.shell.Show(ui.ScreenExports, "")
	for _, profile := range []platforms.Profile{platforms.Development, platforms.Release} {
		job, err := export.NewBuild(w.Project, export.BuildOptions{Target: "linux-x64", Profile: &profile, ContentOnly: true})
		if err != nil {
			return err
		}
		w.Queue.Add(job)
		w.Queue.Wait() // both write into the same folder
	}
	s.settle()
	s.shot("report")
	running := newHeld("Driftmail for Windows x64, release", "win-x64", w.Project.Dir)
	w.Queue.Add(running)
	second := newHeld("Driftmail for macOS Apple silicon, release", "osx-arm64", w.Project.Dir)
	w.Queue.Add(second)
	w.Queue.Add(newHeld("Driftmail for macOS Intel, release", "osx-x64", w.Project.Dir))
	running.wait()
	second.wait()
	s.settle()
	s.shot("running")
	w.Queue.CancelAll()
	w.Queue.Wait()
	s.settle()
	for _, row := range w.Queue.Rows() {
		w.Queue.Remove(row)
	}
	return s.several()
}

// players shows the two screens about players again, with a players folder that has some of them.
func (s *studio) players(temp string) error {
	folder := filepath.Join(temp, "players")
	for _, t := range platforms.Targets() {
		if t.Platform == platforms.MacOS {
			continue
		}
		dir := filepath.Join(folder, t.PlayerKey(platforms.Release))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		for name, text := range map[string]string{
			t.PlayerFile:                          "a stand-in, which on Windows is not a program",
			"talesmith-player.deps.json":          `{ "libraries": { "talesmith-player/0.3.1": {} } }`,
			"talesmith-player.runtimeconfig.json": `{ "runtimeOptions": { "tfm": "net10.0" } }`,
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
				return err
			}
		}
	}
	if err := s.shell.Settings().SetPlayersFolder(folder); err != nil {
		return err
	}
	s.shell.Workspace().Changed(ui.SettingsChanged)
	s.shell.Show(ui.ScreenPlayers, platforms.Host().PlayerKey(platforms.Release))
	s.shot("players-some")
	s.shell.Show(ui.ScreenReadiness, "win-x64")
	s.shot("readiness-some")
	return nil
}

// several shows how exports that were started together end: some finished, one failed, and what is said about that one.
func (s *studio) several() error {
	w := s.shell.Workspace()
	jobs, err := export.Batch{Targets: platforms.Targets()[:1]}.Jobs(w.Project, export.BuildOptions{PlayersDir: s.shell.Settings().PlayersFolder()})
	if err != nil {
		return err
	}
	folders, err := export.Batch{Targets: platforms.Targets()[1:], Profiles: []platforms.Profile{platforms.Development, platforms.Release}, ContentOnly: true}.
		Jobs(w.Project, export.BuildOptions{})
	if err != nil {
		return err
	}
	var failed *export.Row
	for _, job := range append(jobs, folders...) {
		row := w.Queue.Add(job)
		if job.Target() == "win-x64" {
			failed = row
		}
	}
	w.Queue.Wait()
	s.settle()
	s.shot("results")
	s.shell.Show(ui.ScreenExports, strconv.Itoa(failed.ID()))
	s.shot("failed")
	s.shell.Show(ui.ScreenBuild, "")
	s.shell.RunCommand("build.presets")
	s.shot("presets")
	s.shell.Window().Canvas().Overlays().Remove(s.shell.Window().Canvas().Overlays().Top())
	return nil
}

// held is a job that stops in the middle until it is cancelled.
type held struct {
	title, target, output string
	there                 chan struct{}
}

func newHeld(title, target, dir string) *held {
	return &held{title: title, target: target, output: filepath.Join(dir, "builds", target), there: make(chan struct{})}
}

func (h *held) Title() string  { return h.title }
func (h *held) Target() string { return h.target }
func (h *held) Output() string { return h.output }
func (h *held) Command() []string {
	return []string{"talebinder", "export", "PROJECT", "--target", h.target}
}
func (h *held) wait() { <-h.there }

func (h *held) Run(ctx context.Context, r export.Reporter) (*export.Report, error) {
	steps := []string{"Check the project", "Collect the content", "Pack the content", "Copy the player"}
	for i, step := range steps[:3] {
		r.Step(i, len(steps), step)
		r.Log(export.Entry{Time: time.Now(), Level: export.Info, Message: step + ".", Step: step})
	}
	r.Log(export.Entry{Time: time.Now(), Level: export.Warning, Message: "The texture has an odd width.", File: "sprites/lamp.png", Step: steps[2]})
	r.Progress(0.6, "audio/harbour.wav")
	close(h.there)
	<-ctx.Done()
	return nil, ctx.Err()
}

// diskChange shows the banner and the comparison after build.json was changed by somebody else.
func (s *studio) diskChange(sample string) error {
	s.shell.Show(ui.ScreenBuild, "")
	w := s.shell.Workspace()
	err := w.Project.Build.Change("Version", "", func(b *project.BuildSettings) { b.Version = "1.3.0" })
	if err != nil {
		return err
	}
	w.Changed(ui.BuildEdited)
	path := filepath.Join(sample, "build.json")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text = []byte(strings.Replace(string(text), "{", "{\n  \"note\": \"from the artists\",", 1))
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return err
	}
	w.Changed(ui.BuildEdited)
	s.shot("disk-changed")
	s.shell.Compare()
	s.shot("compare")
	s.shell.CloseSheets()
	s.shell.Quit()
	s.shot("quit")
	s.shell.CloseSheets()
	return nil
}
