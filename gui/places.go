package gui

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"talebinder/formats/jsondoc"
	"talebinder/gui/ui"
	"talebinder/project"
	"talebinder/project/scene"
)

// buildFile is the name of the build settings in the project folder.
const buildFile = "build.json"

// A place is where in the window a file of a project is shown.
type place struct {
	screen string // empty: nowhere, the file manager has to do
	focus  string
}

// findPlace says where a file of a project is shown. file is relative to the project folder, with forward slashes.
func findPlace(p *project.Project, file string, line int) place {
	if file == buildFile {
		field := ""
		if p.Build != nil && line > 0 {
			field = fieldAt(p.Build.Text(), line)
		}
		return place{ui.ScreenBuild, field}
	}
	root, err := filepath.Rel(p.Dir, p.AssetRoot())
	if err != nil || p.Assets == nil {
		return place{}
	}
	asset, ok := strings.CutPrefix(file, filepath.ToSlash(root)+"/")
	if !ok {
		asset = file
	}
	if a := p.Assets.ByPath(asset); a != nil && line > 0 {
		if _, ok := scene.KindOf(a.Path); ok {
			return place{ui.ScreenScenes, fmt.Sprintf("%s:%d", a.Path, line)}
		}
	}
	asset = strings.TrimSuffix(asset, ".meta")
	if a := p.Assets.ByPath(asset); a != nil {
		return place{ui.ScreenContent, a.Path}
	}
	return place{}
}

// fieldAt names the field of build.json that stands on a line: "version", "scenes/2"; empty when it is none.
func fieldAt(text []byte, line int) string {
	doc, err := jsondoc.Parse(text)
	if err != nil {
		return ""
	}
	on := func(v jsondoc.Value) bool {
		first, _ := doc.Position(v.Start())
		last, _ := doc.Position(v.End())
		return first <= line && line <= last
	}
	for name, v := range doc.Root().Members() {
		if !on(v) {
			continue
		}
		i := 0
		for item := range v.Items() {
			if on(item) {
				return fmt.Sprintf("%s/%d", name, i)
			}
			i++
		}
		return name
	}
	return ""
}

// OpenPlace leads to where a problem is; see [ui.Host].
func (s *Shell) OpenPlace(file string, line int) {
	if s.open == nil || s.open.work.Project == nil || file == "" {
		return
	}
	p := s.open.work.Project
	at := findPlace(p, file, line)
	if at.screen == "" {
		path := file
		if !filepath.IsAbs(path) {
			path = filepath.Join(p.Dir, filepath.FromSlash(file))
			if _, err := os.Stat(path); err != nil {
				path = filepath.Join(p.AssetRoot(), filepath.FromSlash(file))
			}
		}
		s.OpenFolder(path)
		return
	}
	s.Show(at.screen, at.focus)
}

// OpenFolder shows a folder, or the folder of a file, in the file manager; see [ui.Host].
func (s *Shell) OpenFolder(path string) {
	folder := existingFolder(path)
	if folder == "" {
		s.Error(fmt.Errorf("folder not shown: %s does not exist", path))
		return
	}
	slashed := filepath.ToSlash(folder)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive letter on Windows
	}
	if err := s.app.OpenURL(&url.URL{Scheme: "file", Path: slashed}); err != nil {
		s.Error(fmt.Errorf("folder not shown: %s: %w", folder, err))
	}
}
