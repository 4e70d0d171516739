package project

import (
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"talebinder/formats/assetpath"
	"talebinder/platforms"
	"talebinder/project/problem"
)

// A FieldProblem is a finding about one field of the build settings. Notes, such as the real name of the executable, are
// of level Info.
type FieldProblem struct {
	Field string // the name in build.json, with an index for an item of a list: "version", "scenes/2", "alwaysInclude/0"
	problem.Problem
}

// field makes a finding about a field, with its place in the present text of build.json.
func (p *Project) field(field string, level problem.Level, code, hint, format string, args ...any) FieldProblem {
	line, column := p.Build.Place(field)
	return FieldProblem{field, problem.Problem{
		Level: level, Code: code, File: BuildFile, Line: line, Column: column, Message: fmt.Sprintf(format, args...), Hint: hint,
	}}
}

// ValidateBuild gives what there is to say about build settings while they are being typed, in the order of the form. It
// takes its knowledge from the database and from a look at the icon and the output folder; it reads no asset. Line and
// column are those of the present text of build.json.
func (p *Project) ValidateBuild(s BuildSettings) []FieldProblem {
	var all []FieldProblem
	all = append(all, p.checkTarget(s)...)
	all = append(all, p.validateOutput(s)...)
	all = append(all, p.validateScenes(s)...)
	all = append(all, p.validateIncludes(s)...)
	all = append(all, p.validateVersion(s)...)
	all = append(all, p.validateName(s)...)
	all = append(all, p.validateIcon(s)...)
	all = append(all, p.validateBundle(s)...)
	return all
}

func (p *Project) validateOutput(s BuildSettings) []FieldProblem {
	const field = "outputFolder"
	folder := s.OutputFolder
	root := p.OutputRoot(s)
	if strings.ContainsRune(folder, 0) {
		return []FieldProblem{p.field(field, problem.Error, "output-folder", "", "the output folder has a character that no path can have")}
	}
	if strings.TrimSpace(folder) == "" {
		return []FieldProblem{p.field(field, problem.Warning, "output-empty", "The usual folder is \"builds\".",
			"the output folder is empty: builds go into the project folder itself")}
	}
	real := realPath(root)
	if within(real, realPath(p.AssetRoot())) {
		return []FieldProblem{p.field(field, problem.Error, "output-in-assets", "Choose a folder outside of assets, such as \"builds\".",
			"the output folder %s lies in the folder assets, where builds would become a part of the game", folder)}
	}
	if info, err := os.Stat(root); err == nil && !info.IsDir() {
		return []FieldProblem{p.field(field, problem.Error, "output-not-folder", "Choose another folder.", "the output folder %s is a file", folder)}
	}
	if filepath.IsAbs(folder) || looksAbsolute(folder) {
		if rel := p.relative(root); filepath.IsAbs(folder) && !filepath.IsAbs(filepath.FromSlash(rel)) {
			return []FieldProblem{p.field(field, problem.Warning, "output-absolute", fmt.Sprintf("Write %q instead.", rel),
				"the output folder is written with its full path, which others who work on the project do not have")}
		}
		return []FieldProblem{p.field(field, problem.Warning, "output-absolute", "A folder relative to the project, such as \"builds\", works for everybody.",
			"the output folder %s is a place of this computer, which others who work on the project may not have", folder)}
	}
	return nil
}

// looksAbsolute recognizes full paths of other systems too, since the file is shared.
func looksAbsolute(path string) bool {
	return strings.HasPrefix(path, "/") || strings.HasPrefix(path, `\`) || len(path) > 2 && path[1] == ':' && (path[2] == '/' || path[2] == '\\')
}

// realPath follows links as far as the path exists.
func realPath(path string) string {
	rest := ""
	for {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Join(real, rest)
		}
		parent := filepath.Dir(path)
		if parent == path {
			return filepath.Join(path, rest)
		}
		rest = filepath.Join(filepath.Base(path), rest)
		path = parent
	}
}

// within says whether a real path is a folder or lies in it, by the rules of the system's file names.
func within(path, folder string) bool {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		path, folder = assetpath.Fold(path), assetpath.Fold(folder)
	}
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func (p *Project) validateScenes(s BuildSettings) []FieldProblem {
	var all []FieldProblem
	start := ""
	if path, ok := p.Game.StartScene.Parameter("path"); ok && p.Game.StartScene.Name == SceneFile {
		start, _ = assetpath.Normalize(path)
	}
	seen := map[string]int{} // by path ignoring case
	for i, scene := range s.Scenes {
		found := p.checkScene(i, scene)
		all = append(all, found...)
		path, err := assetpath.Normalize(scene.Path)
		if err != nil || path == "" {
			continue
		}
		field := fmt.Sprintf("scenes/%d", i)
		earlier, twice := seen[assetpath.Fold(path)]
		if !twice {
			seen[assetpath.Fold(path)] = i
		}
		switch other := ""; {
		case twice:
			if other, _ = assetpath.Normalize(s.Scenes[earlier].Path); other == path {
				all = append(all, p.field(field, problem.Warning, "scene-twice", "Take one of the two off the list.",
					"the scene %s is in the list already, at %d", path, earlier+1))
			} else {
				level := problem.Warning
				mine, theirs := p.Assets.ByPath(path), p.Assets.ByPath(other)
				if scene.Enabled && s.Scenes[earlier].Enabled && mine != nil && theirs != nil && mine != theirs {
					level = problem.Error // both are there, and a pack cannot hold both
				}
				all = append(all, p.field(field, level, "scene-case", "Packs do not tell upper from lower case: keep the one that exists, or rename one of the files.",
					"the scene %s differs from %s only by case", path, other))
			}
		case start != "" && path == start && len(found) == 0:
			all = append(all, p.field(field, problem.Info, "scene-start", "", "this is the start scene, which ships in any case"))
		}
	}
	return all
}

// The codes of findings that an export makes too, when it collects what ships.
const (
	includeMissing = "always-include-missing"
	includeLeaves  = "always-include-leaves"
)

func (p *Project) validateIncludes(s BuildSettings) []FieldProblem {
	var all []FieldProblem
	add := func(i int, level problem.Level, code, hint, format string, args ...any) {
		all = append(all, p.field(fmt.Sprintf("alwaysInclude/%d", i), level, code, hint, format, args...))
	}
	seen := map[string]int{}
	for i, entry := range s.AlwaysInclude {
		label, path, err := ParseInclude(entry)
		named := isLabel(entry)
		key := path
		if named {
			key = "\x00" + assetpath.Fold(label)
		}
		if earlier, twice := seen[key]; twice && key != "" && err == nil {
			add(i, problem.Warning, "include-twice", "Take one of the two off the list.", "%s is in the list already, at %d", strings.TrimSpace(entry), earlier+1)
			continue
		}
		if key != "" && err == nil {
			seen[key] = i
		}
		switch {
		case err != nil:
			add(i, problem.Error, includeLeaves, leavesHint, "%q leaves the asset folder", entry)
		case strings.TrimSpace(entry) == "":
			add(i, problem.Warning, "include-empty", "Take it off the list.", "the entry is blank and brings nothing")
		case named && label == "":
			add(i, problem.Warning, "include-empty", "Write the label's name after \"label:\".", "the label has no name and brings nothing")
		case named && len(p.Assets.WithLabel(label)) == 0:
			add(i, problem.Warning, "include-label", p.labelHint(), "no asset has the label %s, so it brings nothing", label)
		case named:
		case path == "":
			add(i, problem.Warning, "include-root", "Name the folders of assets that are to ship.", "%q would be the whole asset folder, which an entry cannot name: it brings nothing", entry)
		default:
			all = append(all, p.validateIncludedPath(i, entry, path)...)
		}
	}
	return all
}

// labelHint names the labels that there are.
func (p *Project) labelHint() string {
	const most = 8
	labels := p.Assets.Labels()
	switch {
	case len(labels) == 0:
		return "No asset of the project has a label."
	case len(labels) > most:
		return "The project's labels are " + strings.Join(labels[:most], ", ") + ", ..."
	}
	return "The project's labels are " + strings.Join(labels, ", ") + "."
}

func (p *Project) validateIncludedPath(i int, entry, path string) []FieldProblem {
	field := fmt.Sprintf("alwaysInclude/%d", i)
	plugins := p.Plugins.Folder()
	switch asset := p.Assets.ByPath(path); {
	case assetpath.Within(path, "config"):
		return []FieldProblem{p.field(field, problem.Info, "include-needless", "", "the files of config ship beside the pack in any case")}
	case plugins != "" && assetpath.Within(path, plugins):
		return []FieldProblem{p.field(field, problem.Info, "include-needless", "", "plugins ship beside the pack when they are switched on")}
	case asset == nil:
		return []FieldProblem{p.field(field, problem.Warning, includeMissing, p.nearMiss(path, "Bring it back, or take the entry off the list."),
			"%s is neither a file nor a folder of the project", entry)}
	case assetpath.Within(path, "scripts") || asset.Kind.ID == "script":
		return []FieldProblem{p.field(field, problem.Warning, "include-script", "Take the entry off the list.", "sources of scripts never ship, only what is compiled of them")}
	case asset.Folder && len(p.Assets.FilesWithin(path)) == 0:
		return []FieldProblem{p.field(field, problem.Warning, "include-empty", "Take the entry off the list, or put files into the folder.", "the folder %s is empty and brings nothing", path)}
	}
	return nil
}

// numbered is how a version has to begin so that all platforms can show it.
var numbered = regexp.MustCompile(`^\d+(\.\d+){0,2}`)

func (p *Project) validateVersion(s BuildSettings) []FieldProblem {
	const field = "version"
	if strings.TrimSpace(s.Version) == "" {
		return []FieldProblem{p.field(field, problem.Error, "version-empty", "Write something such as 1.0.0.", "the version is empty, but archives are named after it")}
	}
	if err := platforms.CheckVersion(s.Version); err != nil {
		return []FieldProblem{p.field(field, problem.Error, "version-shape", "Write numbers with dots, such as 1.0.0.", "%v", err)}
	}
	if i := strings.IndexAny(s.Version, `<>:"|?*`); i >= 0 || strings.HasSuffix(s.Version, " ") {
		character := " "
		if i >= 0 {
			character = s.Version[i : i+1]
		}
		return []FieldProblem{p.field(field, problem.Warning, "version-shape", "Write numbers with dots, such as 1.0.0.",
			"the version %q has the character %q, which Windows does not allow in the names of archives", s.Version, character)}
	}
	if !numbered.MatchString(s.Version) {
		return []FieldProblem{p.field(field, problem.Info, "version-number", "", "Windows and macOS show versions that begin with a number; they will show 1.0.0")}
	}
	return nil
}

// before is the part of s before the first separator.
func before(s, separator string) string {
	part, _, _ := strings.Cut(s, separator)
	return part
}

func (p *Project) validateName(s BuildSettings) []FieldProblem {
	const field = "executableName"
	name := p.ExecutableName(s)
	var all []FieldProblem
	switch written := s.ExecutableName; {
	case written == nil:
	case strings.TrimSpace(*written) == "":
		all = append(all, p.field(field, problem.Warning, "name-empty", "Leave the field out to use the game's title.", "the name is empty: the executable is named %s", name))
	case platforms.Reserved(strings.Trim(*written, " .")) && !platforms.Reserved(name):
		all = append(all, p.field(field, problem.Warning, "name-reserved", "Choose another name.", "Windows reserves the name %s: the executable is named %s", *written, name))
	case name != *written:
		all = append(all, p.field(field, problem.Info, "name-changed", "", "the executable is named %s, so that all systems take the name", name))
	}
	target := p.target("", s)
	if platforms.Reserved(name) {
		level := problem.Warning
		if target.Platform == platforms.Windows {
			level = problem.Error
		}
		all = append(all, p.field(field, level, "name-reserved", "Choose another name.", "Windows reserves names that begin with %s for a device, so %s cannot be there", before(name, "."), name+".exe"))
	}
	if clash := target.Layout(name).Clash(); clash != "" {
		all = append(all, p.field(field, problem.Error, "name-clash", "Choose another name for the executable.",
			"the executable would be named %s, which the build needs for something else", clash))
	}
	return all
}

// smallIcon is the size in pixels below which an icon looks blurred in today's docks and launchers.
const smallIcon = 256

func (p *Project) validateIcon(s BuildSettings) []FieldProblem {
	const field = "icon"
	if found := p.checkIcon(s); len(found) > 0 || s.Icon == nil || *s.Icon == "" {
		return found
	}
	icon := *s.Icon
	var all []FieldProblem
	if normal, err := assetpath.Normalize(icon); err != nil || filepath.IsAbs(icon) || looksAbsolute(icon) || p.Assets.ByPath(normal) == nil {
		all = append(all, p.field(field, problem.Info, "icon-outside", "A PNG below assets goes with the project.",
			"the icon is not an asset of the project, so others who work on it may not have it"))
	}
	f, err := os.Open(p.IconPath(icon))
	if err != nil {
		return append(all, p.field(field, problem.Warning, "icon-unreadable", "Without it the game has no icon.",
			"the icon %s cannot be read: %s", icon, systemReason(err)))
	}
	defer f.Close()
	size, err := png.DecodeConfig(f)
	switch {
	case err != nil:
		return append(all, p.field(field, problem.Warning, "icon-kind", "Save the picture as PNG.", "the icon %s is not a PNG picture: %v", icon, err))
	case size.Width != size.Height:
		return append(all, p.field(field, problem.Warning, "icon-shape", "Use a square picture of 512 × 512 pixels.",
			"the icon has %d × %d pixels and is not square", size.Width, size.Height))
	case size.Width < smallIcon:
		return append(all, p.field(field, problem.Info, "icon-size", "", "%d × %d pixels; from %d on it looks sharp everywhere", size.Width, size.Height, smallIcon))
	}
	return append(all, p.field(field, problem.Info, "icon-size", "", "%d × %d pixels", size.Width, size.Height))
}

func (p *Project) validateBundle(s BuildSettings) []FieldProblem {
	const field = "bundleIdentifier"
	if s.BundleIdentifier == nil {
		return nil
	}
	const hint = "Write something such as com.example.game: letters, digits and hyphens, with dots between at least two parts."
	id := *s.BundleIdentifier
	level := problem.Warning
	if strings.HasPrefix(p.target("", s).ID, "osx-") {
		level = problem.Error
	}
	if id == "" {
		return []FieldProblem{p.field(field, level, "bundle-shape", "Leave the field out to use an identifier made of the game's name.", "the bundle identifier is empty")}
	}
	if err := platforms.CheckBundleIdentifier(id); err != nil {
		return []FieldProblem{p.field(field, level, "bundle-shape", hint, "%v", err)}
	}
	return nil
}
