package gui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"talebinder/export"
	"talebinder/formats/assetpath"
	"talebinder/gui/theme"
	"talebinder/gui/ui"
	"talebinder/gui/widgets"
	"talebinder/project"
	"talebinder/project/problem"
)

// A fact is one statement about the state of a project, with the screen where more is said about it.
type fact struct {
	icon   theme.IconName
	tone   widgets.Tone
	text   string // one short sentence
	brief  string // the same where there is little room
	screen string
	focus  string
}

// health is what the window says about an open project at a glance.
type health struct {
	facts            []fact
	errors, warnings int
	checked          bool // the problems are known
}

// lastExport is the newest report found in the output folder.
type lastExport struct {
	report *export.Report
	when   time.Time
}

// summary is the word beside the project's name.
func (h health) summary() (icon theme.IconName, tone widgets.Tone, text string) {
	switch {
	case !h.checked:
		return theme.IconWaiting, widgets.Neutral, "Checking…"
	case h.errors > 0:
		return theme.IconError, widgets.Danger, ui.Plural(h.errors, "error")
	case h.warnings > 0:
		return theme.IconProblems, widgets.Warning, ui.Plural(h.warnings, "warning")
	}
	return theme.IconHealthy, widgets.Success, "Healthy"
}

// newHealth looks at a project. It reads nothing from disk.
func newHealth(p *project.Project, problems []problem.Problem, checked bool, last *lastExport, now time.Time) health {
	h := health{checked: checked}
	for _, q := range problems {
		switch q.Level {
		case problem.Error:
			h.errors++
		case problem.Warning:
			h.warnings++
		}
	}
	h.facts = []fact{startSceneFact(p), sceneFact(p), problemFact(h), exportFact(last, now)}
	return h
}

func startSceneFact(p *project.Project) fact {
	f := fact{icon: theme.IconPlay, screen: ui.ScreenBuild, focus: "startScene"}
	if p.GameErr != nil {
		f.icon, f.tone, f.text, f.brief = theme.IconError, widgets.Danger, "game.json cannot be read", "game.json"
		f.screen, f.focus = ui.ScreenProblems, ""
		return f
	}
	start := p.Game.StartScene
	if start.Name != project.SceneFile {
		f.text, f.brief = "Starts with “"+start.Name+"”", "“"+start.Name+"”"
		return f
	}
	path, _ := start.Parameter("path")
	found := p.Assets != nil && path != "" && p.Assets.ByPath(path) != nil
	name := strings.TrimSuffix(filepath.Base(filepath.FromSlash(path)), filepath.Ext(path))
	if path == "" { // named by its guid; the check tells whether it exists
		f.text, f.brief = "Start scene is set", "Start scene"
		return f
	}
	if !found {
		f.icon, f.tone = theme.IconError, widgets.Danger
		f.text, f.brief = "Start scene “"+name+"” is missing", "No start scene"
		return f
	}
	f.text, f.brief = "Starts with “"+name+"”", "“"+name+"”"
	return f
}

func sceneFact(p *project.Project) fact {
	f := fact{icon: theme.IconScene, screen: ui.ScreenBuild, focus: "scenes"}
	if p.Build == nil || p.Build.Err() != nil {
		f.icon, f.tone, f.text, f.brief = theme.IconError, widgets.Danger, "build.json cannot be read", "build.json"
		f.screen, f.focus = ui.ScreenProblems, ""
		return f
	}
	on, all := countScenes(p)
	switch {
	case all == 0:
		f.text, f.brief = "No scenes listed", "0 scenes"
	case on == all:
		f.text, f.brief = ui.Plural(on, "scene")+" in the build", ui.Plural(on, "scene")
	default:
		f.text = fmt.Sprintf("%d of %s in the build", on, ui.Plural(all, "scene"))
		f.brief = fmt.Sprintf("%d of %s", on, ui.Plural(all, "scene"))
	}
	return f
}

// countScenes gives how many scenes ship and how many are listed. The start scene ships in every case.
func countScenes(p *project.Project) (on, all int) {
	start := ""
	if p.GameErr == nil && p.Game.StartScene.Name == project.SceneFile {
		start, _ = p.Game.StartScene.Parameter("path")
	}
	listed := false
	for _, s := range p.Build.Settings().Scenes {
		isStart := start != "" && assetpath.Fold(s.Path) == assetpath.Fold(start)
		listed = listed || isStart
		all++
		if s.Enabled || isStart {
			on++
		}
	}
	if start != "" && !listed {
		on, all = on+1, all+1
	}
	return on, all
}

func problemFact(h health) fact {
	f := fact{screen: ui.ScreenProblems}
	f.icon, f.tone, f.text = h.summary()
	if h.checked && h.errors+h.warnings == 0 {
		f.text = "No problems"
	}
	if h.errors > 0 && h.warnings > 0 {
		f.text += ", " + ui.Plural(h.warnings, "warning")
	}
	f.brief = f.text
	return f
}

func exportFact(last *lastExport, now time.Time) fact {
	f := fact{icon: theme.IconHistory, screen: ui.ScreenExports, text: "Not exported yet", brief: "No export"}
	if last == nil {
		return f
	}
	age := ui.Age(last.when, now)
	f.text, f.brief = "Last export "+age, age
	if !last.report.Success {
		f.icon, f.tone, f.text = theme.IconFailed, widgets.Warning, "Last export failed "+age
	}
	return f
}

// findLastExport reads the newest report in the output folder of a project; nil when there is none that can be read.
func findLastExport(outputFolder string) *lastExport {
	entries, err := os.ReadDir(outputFolder)
	if err != nil {
		return nil
	}
	var newest os.DirEntry
	var when time.Time
	for _, e := range entries {
		if e.IsDir() || !strings.HasSuffix(e.Name(), ".report.json") {
			continue
		}
		if info, err := e.Info(); err == nil && info.ModTime().After(when) && info.Size() < 64<<20 {
			newest, when = e, info.ModTime()
		}
	}
	if newest == nil {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(outputFolder, newest.Name()))
	if err != nil {
		return nil
	}
	report, err := export.ParseReport(text)
	if err != nil || report == nil {
		return nil
	}
	return &lastExport{report: report, when: when}
}

// outputFolder is where a project's exports go.
func outputFolder(p *project.Project) string {
	folder := "builds"
	if p.Build != nil && p.Build.Settings().OutputFolder != "" {
		folder = p.Build.Settings().OutputFolder
	}
	if filepath.IsAbs(folder) {
		return folder
	}
	return filepath.Join(p.Dir, filepath.FromSlash(folder))
}

// refreshHealth looks at the open project again: at once at what is known, in the background at the rest.
func (s *Shell) refreshHealth() {
	o := s.open
	if o == nil || o.work.Project == nil || s.space == nil {
		return
	}
	s.showHealth()
	o.work.Check()
	folder := outputFolder(o.work.Project)
	s.options.Spawn(func() {
		last := findLastExport(folder)
		s.Do(func() {
			if s.open == o {
				o.last = last
				s.showHealth()
			}
		})
	})
}

// showHealth shows what is known.
func (s *Shell) showHealth() {
	o := s.open
	o.health = newHealth(o.work.Project, o.work.Problems(), o.checked, o.last, s.options.Now())
	s.space.refresh()
}
