package export

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"talebinder/export/internal/testassembly"
	"talebinder/formats/guid"
	"talebinder/platforms"
	"talebinder/project"
	"talebinder/project/problem"
)

// tree is a folder's files: path to content.
type tree map[string]string

// with returns a copy with other files changed, added, or, when their content is "-", taken out.
func (t tree) with(changes tree) tree {
	all := make(tree)
	for path, text := range t {
		all[path] = text
	}
	for path, text := range changes {
		if text == "-" {
			delete(all, path)
		} else {
			all[path] = text
		}
	}
	return all
}

// write puts the files into a folder. All get the same time, so that none is newer than another.
func (t tree) write(tb testing.TB, dir string) string {
	tb.Helper()
	when := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for path, text := range t {
		file := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			tb.Fatal(err)
		}
		if err := os.Chtimes(file, when, when); err != nil {
			tb.Fatal(err)
		}
	}
	return dir
}

// readTree reads a folder's files.
func readTree(tb testing.TB, dir string) tree {
	tb.Helper()
	files := make(tree)
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(rel)] = string(text)
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return files
}

func (t tree) paths() []string {
	var paths []string
	for path := range t {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

// id is the guid of a test's asset.
func id(name string) string {
	sum := sha256.Sum256([]byte(name))
	return guid.Guid(sum[:16]).String()
}

// meta is a .meta file.
func meta(name, importer string) string {
	text := fmt.Sprintf("{\n  \"version\": 1,\n  \"guid\": %q", id(name))
	if importer != "" {
		text += fmt.Sprintf(",\n  \"importer\": %q,\n  \"importerVersion\": 1", importer)
	}
	return text + "\n}"
}

// entity is a scene or prefab with references to assets.
func scene(name string, assets ...string) string {
	var components []string
	for _, a := range assets {
		components = append(components, fmt.Sprintf(`{ "type": "Sprite", "data": { "texture": %q } }`, id(a)))
	}
	return fmt.Sprintf(`{ "version": 1, "id": %q, "entities": [ { "id": %q, "components": [ %s ] } ] }`,
		id(name+" document"), id(name+" entity"), strings.Join(components, ", "))
}

// tidewater is a small project with something of everything: what ships for each reason, and what does not.
func tidewater() tree {
	return tree{
		"build.json": `{
  "target": "linux-x64",
  "profile": "release",
  "outputFolder": "builds",
  "scenes": [
    { "path": "scenes/harbour.tscene", "enabled": true },
    { "path": "scenes/draft.tscene", "enabled": false }
  ],
  "alwaysInclude": [ "label:music", "extra" ],
  "version": "1.2.0",
  "icon": "sprites/icon.png",
  "compress": true
}
`,
		"assets/config/game.json":  `{ "title": "Tide: Water", "startScene": "scenes/pier.tscene", "loadingScreen": { "image": "sprites/loading.png" } }`,
		"assets/config/input.json": `{ "jump": "space" }`,
		"assets/config/.local":     `hidden`,

		"assets/scenes/pier.tscene":         scene("pier", "sprites/gull.png", "prefabs/boat.tprefab"),
		"assets/scenes/pier.tscene.meta":    meta("scenes/pier.tscene", "scenedocument"),
		"assets/scenes/harbour.tscene":      scene("harbour", "prefabs/boat.tprefab"),
		"assets/scenes/harbour.tscene.meta": meta("scenes/harbour.tscene", "scenedocument"),
		"assets/scenes/draft.tscene":        scene("draft", "no such asset"),
		"assets/scenes/draft.tscene.meta":   meta("scenes/draft.tscene", "scenedocument"),

		"assets/prefabs/boat.tprefab":      scene("boat", "sprites/boat.png"),
		"assets/prefabs/boat.tprefab.meta": meta("prefabs/boat.tprefab", "prefabdocument"),

		"assets/sprites/gull.png":         "\x89PNG gull",
		"assets/sprites/gull.png.meta":    meta("sprites/gull.png", "texture"),
		"assets/sprites/boat.png":         "\x89PNG boat",
		"assets/sprites/boat.png.meta":    meta("sprites/boat.png", "texture"),
		"assets/sprites/loading.png":      "\x89PNG loading",
		"assets/sprites/loading.png.meta": meta("sprites/loading.png", "texture"),
		"assets/sprites/icon.png":         "\x89PNG icon",
		"assets/sprites/icon.png.meta":    meta("sprites/icon.png", "texture"),
		"assets/sprites/unused.png":       "\x89PNG unused",
		"assets/sprites/unused.png.meta":  meta("sprites/unused.png", "texture"),

		"assets/audio/tide.wav":        strings.Repeat("RIFF wave after wave ", 500),
		"assets/audio/tide.wav.meta":   meta("audio/tide.wav", "audio"),
		"assets/audio/shanty.ogg":      "OggS shanty",
		"assets/audio/shanty.ogg.meta": strings.Replace(meta("audio/shanty.ogg", "audio"), "\n}", ",\n  \"labels\": [\n    \"Music\"\n  ]\n}", 1),
		"assets/extra/deep/chart.txt":  "chart",
		"assets/text/en.tloc":          `{ "hello": "Ahoy" }`,

		"assets/scripts/Game.cs":              `class Game { string sound = "audio/tide.wav"; }`,
		"assets/scripts/bin/Game.Scripts.dll": string(testassembly.Build("Game.Scripts", "audio/tide.wav")),
		"assets/scripts/bin/Game.Scripts.pdb": "symbols",

		"assets/plugins/rain/plugin.json":           `{ "id": "rain", "assembly": "Rain.dll", "editorAssembly": "Rain.Editor.dll", "contractVersion": 1 }`,
		"assets/plugins/rain/Rain.dll":              string(testassembly.Build("Rain", "sprites/drop.png")),
		"assets/plugins/rain/Rain.pdb":              "symbols",
		"assets/plugins/rain/Rain.xml":              "<doc/>",
		"assets/plugins/rain/Rain.Editor.dll":       "editor",
		"assets/plugins/rain/rain.editor.deps.json": "{}",
		"assets/plugins/rain/data/rain.txt":         "drops",
		"assets/plugins/fog/plugin.json":            `{ "id": "fog", "assembly": "Fog.dll", "contractVersion": 1, "enabled": false }`,
		"assets/plugins/fog/Fog.dll":                "fog",
		"assets/plugins/hail/plugin.json":           `{ "id": "hail" }`,
		"assets/sprites/drop.png":                   "\x89PNG drop",
		"assets/sprites/drop.png.meta":              meta("sprites/drop.png", "texture"),
	}
}

// openProject opens a project.
func openProject(tb testing.TB, dir string) *project.Project {
	tb.Helper()
	p, err := project.Open(tb.Context(), dir, project.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// plantPlayers makes a players folder with a player for each profile, made of the given content.
func plantPlayers(tb testing.TB, content string) string {
	tb.Helper()
	dir := tb.TempDir()
	linux, _ := platforms.TargetByID("linux-x64")
	for _, key := range []string{linux.PlayerKey(platforms.Development), linux.PlayerKey(platforms.Release)} {
		tree{
			key + "/" + linux.PlayerFile: content,
			key + "/libSkiaSharp.so":     "library",
			key + "/launcher.json":       "not this one",
			key + "/.complete":           "",
		}.write(tb, dir)
	}
	return dir
}

// build exports a project and returns what was logged. Players beside the program and in the caches of this computer are out
// of reach.
func build(tb testing.TB, dir string, o BuildOptions) (*Report, *recorder, error) {
	tb.Helper()
	if o.Output == "" {
		o.Output = tb.TempDir()
	}
	job, err := NewBuild(openProject(tb, dir), o)
	if err != nil {
		tb.Fatal(err)
	}
	out := &recorder{}
	report, err := job.Run(tb.Context(), out)
	return report, out, err
}

// messages gives the entries of a level as text.
func (r *recorder) messages(level Level) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []string
	for _, e := range r.entries {
		if e.Level == level {
			list = append(list, e.String())
		}
	}
	return list
}

func profile(p platforms.Profile) *platforms.Profile { return &p }

func withCode(problems []problem.Problem, code string) []problem.Problem {
	var list []problem.Problem
	for _, p := range problems {
		if p.Code == code {
			list = append(list, p)
		}
	}
	return list
}

func TestMain(m *testing.M) {
	os.Exit(runTests(m))
}

// runTests points the folders of this computer that an export looks at to an empty place, and forgets its engine sources.
func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "talebinder-export")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if cache, err := os.UserCacheDir(); err == nil && os.Getenv("GOCACHE") == "" {
		os.Setenv("GOCACHE", filepath.Join(cache, "go-build")) // for the Go tool, which a test uses
	}
	for _, name := range []string{"TALESMITH_CACHE", "TALEBINDER_CACHE", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"} {
		os.Setenv(name, filepath.Join(dir, strings.ToLower(name)))
	}
	os.Unsetenv("TALESMITH_SOURCE")
	if arguments := os.Getenv(exportInstead); arguments != "" {
		return exportForever(arguments)
	}
	return m.Run()
}
