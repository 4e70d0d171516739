package compile

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"talebinder/export/internal/process"
	"talebinder/formats/assetpath"
)

// engineCommand is the name of the engine's own command.
const engineCommand = "talesmith"

// engineCompiler lets the engine's own command compile. That command has none for scripts alone, and its export may repair
// files of the project; so it exports the game folder of a project that is made for it and has the scripts and the plugins'
// assemblies in it, and nothing else.
type engineCompiler struct{ command string }

// WithEngine gives a compiler that uses the engine's own command, which has to be on PATH.
func WithEngine() (Compiler, error) {
	command, err := exec.LookPath(engineCommand)
	if err == nil {
		command, err = filepath.Abs(command)
	}
	if err != nil {
		return nil, fmt.Errorf("there is no %s command on PATH", engineCommand)
	}
	return &engineCompiler{command}, nil
}

func (c *engineCompiler) Name() string { return "the engine's command " + c.command }

func (c *engineCompiler) identify(w io.Writer) error {
	info, err := os.Stat(c.command)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%d %d\n", info.Size(), info.ModTime().UnixNano())
	return err
}

// logged is how the engine prints an entry of its log: on standard error with its level in front, with or without a place.
var logged = regexp.MustCompile(`^(warning|error): (?:(.+?)\((\d+),(\d+)\): )?(.+)$`)

// coded recognises what the C# compiler has said, and not the export around it.
var coded = regexp.MustCompile(`^[A-Z]{2,}\d+: `)

func (c *engineCompiler) compile(ctx context.Context, r *Request, work string, line func(string)) ([]Diagnostic, error) {
	root := filepath.Join(work, "project", "assets")
	if err := c.lay(r, root); err != nil {
		return nil, err
	}
	profile := "release"
	if r.Debug {
		profile = "development"
	}
	out := filepath.Join(work, "builds")
	var found []Diagnostic
	var others []string
	code, err := process.Run(ctx, process.Command{
		Path: c.command, Dir: work,
		Args: []string{"--export", filepath.Dir(root), "--content-only", "--profile", profile, "--output", out},
	}, func(text string) {
		line(text)
		m := logged.FindStringSubmatch(text)
		if m == nil {
			return
		}
		d := Diagnostic{File: r.name(m[2], root), Warning: m[1] == "warning", Text: m[5]}
		d.Line, _ = strconv.Atoi(m[3])
		d.Column, _ = strconv.Atoi(m[4])
		switch {
		case coded.MatchString(d.Text) && !slices.Contains(found, d):
			found = append(found, d)
		case m[1] == "error":
			others = append(others, text)
		}
	})
	if err != nil {
		return nil, err
	}
	if code != 0 {
		if slices.ContainsFunc(found, func(d Diagnostic) bool { return !d.Warning }) {
			return nil, &FailedError{found}
		}
		return nil, fmt.Errorf("%s ended with exit code %d: %s", c.Name(), code, strings.Join(others, "; "))
	}
	// The build folder is named after the title and the computer.
	builds, err := os.ReadDir(out)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	for _, build := range builds {
		made := filepath.Join(out, build.Name(), "game", "scripts", "bin")
		if _, err := os.Stat(filepath.Join(made, assemblyFile)); err == nil {
			return found, collect(made, work)
		}
	}
	return nil, fmt.Errorf("%s ended well and left no %s", c.Name(), assemblyFile)
}

// lay puts a project with the scripts and the plugins into a folder.
func (c *engineCompiler) lay(r *Request, root string) error {
	game := map[string]string{"title": "Scripts"}
	if r.PluginsFolder != "" {
		game["pluginsFolder"] = r.PluginsFolder
	}
	text, err := json.Marshal(game)
	if err != nil {
		return err
	}
	config := filepath.Join(root, "config")
	if err := os.MkdirAll(config, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(config, "game.json"), text, 0o666); err != nil {
		return err
	}
	files := slices.Clone(r.Sources)
	if len(r.Plugins) > 0 {
		files = append(files, File{Path: "config/plugins.json", Source: filepath.Join(r.AssetRoot, "config", "plugins.json")})
	}
	for _, plugin := range r.Plugins {
		beside, err := os.ReadDir(filepath.Dir(plugin.Source))
		if err != nil {
			return err
		}
		for _, entry := range beside {
			if ext := strings.ToLower(filepath.Ext(entry.Name())); entry.IsDir() || ext != ".dll" && ext != ".json" {
				continue
			}
			files = append(files, File{
				Path:   path.Dir(plugin.Path) + "/" + entry.Name(),
				Source: filepath.Join(filepath.Dir(plugin.Source), entry.Name()),
			})
		}
	}
	for _, file := range files {
		target, err := assetpath.SafeJoin(root, file.Path)
		if err == nil {
			err = copyFile(target, file.Source)
		}
		if err != nil && !(errors.Is(err, os.ErrNotExist) && file.Path == "config/plugins.json") {
			return err
		}
	}
	return nil
}

func copyFile(target, source string) (err error) {
	in, err := os.Open(source)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
		return err
	}
	out, err := os.Create(target)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in)
	return err
}
