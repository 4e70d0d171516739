package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"talebinder/formats/assetpath"
	"talebinder/formats/guid"
	"talebinder/formats/jsondoc"
	"talebinder/platforms"
	"talebinder/project/assets"
	"talebinder/project/problem"
)

// scanCodes are the findings of a scan that an export repeats: those that change what the game gets.
var scanCodes = []string{"guid-duplicate", "meta-invalid", "meta-unreadable", "file-unreadable", "folder-unreadable"}

// Check gives what the first step of an export says: errors keep the export from going on. The target is the id of a
// platform; empty or unknown means that of build.json, else this computer. What ships, and which of its references are
// missing, is found out later in an export.
func (p *Project) Check(target string) []problem.Problem {
	all := p.fileProblems()
	for _, found := range p.Assets.Problems() {
		if slices.Contains(scanCodes, found.Code) {
			all = append(all, found)
		}
	}
	if p.GameErr == nil {
		all = append(all, p.checkStartScene()...)
		all = append(all, p.checkLoadingImage()...)
	}
	all = append(all, p.Plugins.Problems()...)
	if p.Build.Err() == nil {
		s := p.Build.Settings()
		for i, scene := range s.Scenes {
			if scene.Enabled {
				all = appendFields(all, p.checkScene(i, scene)...)
			}
		}
		all = appendFields(all, p.checkIcon(s)...)
		if target == "" {
			all = appendFields(all, p.checkTarget(s)...)
		}
	}
	return problem.Merge(all)
}

// appendFields adds the problems of fields, without the notes.
func appendFields(all []problem.Problem, found ...FieldProblem) []problem.Problem {
	for _, f := range found {
		if f.Level > problem.Info {
			all = append(all, f.Problem)
		}
	}
	return all
}

// gameProblem makes a problem of game.json at a value.
func gameProblem(level problem.Level, code string, at jsondoc.Value, hint, format string, args ...any) problem.Problem {
	line, column := at.Position()
	return problem.Problem{
		Level: level, Code: code, File: GameFile, Line: line, Column: column, Message: fmt.Sprintf(format, args...), Hint: hint,
	}
}

// gameValue gives a value of game.json by the names on the way to it, or as much of the way as there is.
func (p *Project) gameValue(names ...string) jsondoc.Value {
	if p.gameDoc == nil {
		return jsondoc.Value{}
	}
	v := p.gameDoc.Root()
	for _, name := range names {
		next := v.Get(name)
		if !next.Exists() {
			break
		}
		v = next
	}
	if v.Start() == p.gameDoc.Root().Start() {
		return jsondoc.Value{} // nothing more exact than the file
	}
	return v
}

// named gives the asset that a path names, as it is written somewhere; nil when there is none. The error says that the path
// leaves the asset folder.
func (p *Project) named(path string) (*assets.Asset, error) {
	normal, err := assetpath.Normalize(path)
	if err != nil {
		return nil, err
	}
	return p.Assets.ByPath(normal), nil
}

// nearMiss is a hint with the asset that may be meant, or else what to do.
func (p *Project) nearMiss(path, otherwise string) string {
	normal, err := assetpath.Normalize(path)
	if err != nil {
		return otherwise
	}
	near := p.Assets.NearMiss(normal)
	switch {
	case near == "":
		return otherwise
	case assetpath.Fold(near) == assetpath.Fold(normal):
		return near + " exists with another case."
	}
	return near + " exists."
}

const leavesHint = "Paths are relative to the folder assets and stay in it."

func (p *Project) checkStartScene() []problem.Problem {
	scene := p.Game.StartScene
	if scene.Name != SceneFile {
		return p.checkParameters()
	}
	if path, ok := scene.Parameter("path"); ok {
		at := p.gameValue("startScene", "parameters", "path")
		asset, err := p.named(path)
		switch {
		case err != nil:
			return []problem.Problem{gameProblem(problem.Error, "path-leaves", at, leavesHint, "the start scene %q leaves the asset folder", path)}
		case asset == nil:
			return []problem.Problem{gameProblem(problem.Error, "start-scene-missing", at,
				p.nearMiss(path, "Choose another start scene in the project settings, or bring the file back."), "the start scene %s does not exist", path)}
		case asset.Kind.ID != assets.Scene:
			return []problem.Problem{gameProblem(problem.Warning, "start-scene-kind", at, "Choose a .tscene file.",
				"the start scene %s is not a scene but: %s", path, asset.Kind.Name)}
		}
		return nil
	}
	text, ok := scene.Parameter("guid")
	at := p.gameValue("startScene", "parameters", "guid")
	if !ok {
		return []problem.Problem{gameProblem(problem.Error, "start-scene-missing", at, "Add the parameter \"path\" with the path of a .tscene file.",
			"the start scene %q has neither a path nor a guid", SceneFile)}
	}
	id, err := guid.Parse(text)
	switch {
	case err != nil || id.IsZero():
		return []problem.Problem{gameProblem(problem.Error, "start-scene-missing", at, "Name the scene by its path, or copy the guid from its .meta file.",
			"the start scene's guid %q is not a guid", text)}
	case p.Assets.ByGuid(id) == nil:
		return []problem.Problem{gameProblem(problem.Error, "start-scene-missing", at, "Name the scene by its path, or bring its file and .meta back.",
			"the start scene with the guid %s does not exist", id)}
	}
	return nil
}

// checkParameters looks at the parameters of a start scene other than the built-in one: what looks like the path of an
// asset has to be one.
func (p *Project) checkParameters() []problem.Problem {
	var all []problem.Problem
	for _, parameter := range p.Game.StartScene.Parameters {
		at := p.gameValue("startScene", "parameters", parameter.Name)
		for part := range strings.SplitSeq(parameter.Value, ";") {
			part = strings.TrimSpace(part)
			if part == "" || strings.Contains(part, " ") || assets.KindOf(part).ID == assets.Other {
				continue
			}
			asset, err := p.named(part)
			switch {
			case err != nil:
				all = append(all, gameProblem(problem.Error, "path-leaves", at, leavesHint,
					"the start scene's parameter %s names %q, which leaves the asset folder", parameter.Name, part))
			case asset == nil:
				all = append(all, gameProblem(problem.Error, "start-scene-missing", at,
					p.nearMiss(part, "Correct the parameter in the project settings, or bring the file back."),
					"the start scene's parameter %s names %s, which does not exist", parameter.Name, part))
			}
		}
	}
	return all
}

func (p *Project) checkLoadingImage() []problem.Problem {
	image := p.Game.LoadingScreen.Image
	if image == nil || *image == "" {
		return nil
	}
	at := p.gameValue("loadingScreen", "image")
	asset, err := p.named(*image)
	switch {
	case err != nil:
		return []problem.Problem{gameProblem(problem.Error, "path-leaves", at, leavesHint, "the loading screen's image %q leaves the asset folder", *image)}
	case asset == nil:
		return []problem.Problem{gameProblem(problem.Warning, "loading-image", at,
			p.nearMiss(*image, "Without it the player shows the title."), "the loading screen's image %s does not exist", *image)}
	case asset.Kind.ID != assets.Texture:
		return []problem.Problem{gameProblem(problem.Warning, "loading-image", at, "Without a picture the player shows the title.",
			"the loading screen's image %s is not a picture but: %s", *image, asset.Kind.Name)}
	}
	return nil
}

// checkScene looks at a scene of build.json. The problems of one that is not enabled are warnings, since it does not ship.
func (p *Project) checkScene(i int, scene SceneEntry) []FieldProblem {
	level := problem.Error
	if !scene.Enabled {
		level = problem.Warning
	}
	field := fmt.Sprintf("scenes/%d", i)
	if strings.TrimSpace(scene.Path) == "" {
		return []FieldProblem{p.field(field, level, "scene-path", "Choose a scene, or take the row off the list.", "scene %d of the list has no path", i+1)}
	}
	asset, err := p.named(scene.Path)
	switch {
	case err != nil:
		return []FieldProblem{p.field(field, level, "path-leaves", leavesHint, "the scene %q leaves the asset folder", scene.Path)}
	case asset == nil:
		return []FieldProblem{p.field(field, level, "scene-missing", p.nearMiss(scene.Path, "Bring the file back, or take the scene off the list."),
			"the scene %s does not exist", scene.Path)}
	case asset.Kind.ID != assets.Scene:
		return []FieldProblem{p.field(field, level, "scene-kind", "Choose a .tscene file, or move the entry to the files that are always included.",
			"%s is not a scene but: %s", scene.Path, asset.Kind.Name)}
	}
	return nil
}

// checkIcon looks at whether the icon can be used at all. The build goes on without it.
func (p *Project) checkIcon(s BuildSettings) []FieldProblem {
	if s.Icon == nil || *s.Icon == "" {
		return nil
	}
	icon := *s.Icon
	info, err := os.Stat(p.IconPath(icon))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return []FieldProblem{p.field("icon", problem.Warning, "icon-missing", p.nearMiss(icon, "Without it the game has no icon."),
			"the icon %s does not exist", icon)}
	case err != nil:
		return []FieldProblem{p.field("icon", problem.Warning, "icon-unreadable", "Without it the game has no icon.",
			"the icon %s cannot be read: %s", icon, systemReason(err))}
	case !info.Mode().IsRegular():
		return []FieldProblem{p.field("icon", problem.Warning, "icon-missing", "Choose a PNG file.", "the icon %s is not a file", icon)}
	case assetpath.Fold(icon[max(0, len(icon)-len(".png")):]) != ".PNG":
		return []FieldProblem{p.field("icon", problem.Warning, "icon-kind", "Choose a PNG file; without one the game has no icon.",
			"the icon %s does not end in .png", icon)}
	}
	return nil
}

// checkTarget looks at the target that build.json names.
func (p *Project) checkTarget(s BuildSettings) []FieldProblem {
	if s.Target == nil {
		return nil
	}
	if _, known := platforms.TargetByID(*s.Target); known {
		return nil
	}
	ids := make([]string, 0, len(platforms.Targets()))
	for _, t := range platforms.Targets() {
		ids = append(ids, t.ID)
	}
	return []FieldProblem{p.field("target", problem.Warning, "target-unknown", "The targets are "+strings.Join(ids, ", ")+".",
		"the target %q is not known: the build is for this computer, %s", *s.Target, platforms.Host().ID)}
}
