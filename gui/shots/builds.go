package main

import (
	"bytes"
	"os"
	"path/filepath"

	"talebinder/export"
	"talebinder/export/history"
	"talebinder/gui/ui"
	"talebinder/platforms"
	"talebinder/project"
)

// builds shows what has become of exports: the history, two of them compared, budgets, and the pack of a build.
func (s *studio) builds(sample string) error {
	w := s.shell.Workspace()
	budgets := history.DefaultBudgets()
	if err := budgets.Set(sample, "linux-x64", 90<<10); err != nil {
		return err
	}
	if err := budgets.Set(sample, "win-x64", 64<<20); err != nil {
		return err
	}
	// The game changes before it is exported again: a scene grows, and one picture more ships.
	scene := filepath.Join(sample, "assets", "scenes", "harbour.tscene")
	text, err := os.ReadFile(scene)
	if err != nil {
		return err
	}
	if err := os.WriteFile(scene, append(text, bytes.Repeat([]byte("// A line that only makes the scene longer.\n"), 60)...), 0o644); err != nil {
		return err
	}
	err = w.Project.Build.Change("Always include", "", func(b *project.BuildSettings) { b.AlwaysInclude = append(b.AlwaysInclude, "icon.png") })
	if err != nil {
		return err
	}
	profile := platforms.Release
	job, err := export.NewBuild(w.Project, export.BuildOptions{Target: "linux-x64", Profile: &profile, ContentOnly: true})
	if err != nil {
		return err
	}
	row := w.Queue.Add(job)
	w.Queue.Wait()
	if report := row.Snapshot().Report; report == nil || !report.Success {
		return row.Snapshot().Err
	}
	s.shell.Show(ui.ScreenHistory, "")
	s.shot("history")
	s.shell.Show(ui.ScreenHistory, "compare")
	s.shot("history-compare")
	s.shell.Show(ui.ScreenHistory, "budgets")
	s.shot("budgets")
	s.shell.Show(ui.ScreenPacks, "")
	s.shot("packs-empty")
	s.shell.Show(ui.ScreenPacks, job.Output())
	s.settle()
	s.shell.Show(ui.ScreenPacks, "sprites/boat.png")
	s.shot("packs-picture")
	s.shell.Show(ui.ScreenPacks, "scenes/reef.tscene")
	s.shot("packs-text")
	s.shell.RunCommand("packs.verify")
	s.shot("packs-verified")
	w.Project.Build.Undo()
	w.Queue.Remove(row)
	return os.WriteFile(scene, text, 0o644)
}
