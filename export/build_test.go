package export

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talebinder/formats/tspack"
	"talebinder/platforms"
	"talebinder/project"
)

// readPack reads the whole of a pack, in its order.
func readPack(tb testing.TB, path string) (paths []string, content tree) {
	tb.Helper()
	file, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		tb.Fatal(err)
	}
	pack, err := tspack.NewReader(file, info.Size())
	if err != nil {
		tb.Fatal(err)
	}
	content = make(tree)
	for _, e := range pack.Entries() {
		data, err := pack.ReadFile(e.Path)
		if err != nil {
			tb.Fatal(err)
		}
		paths = append(paths, e.Path)
		content[e.Path] = string(data)
	}
	return paths, content
}

func TestGoldenExportOfLanternGrove(t *testing.T) {
	dir := lanternGrove(t)
	report, out, err := build(t, dir, BuildOptions{ContentOnly: true})
	if err != nil {
		t.Fatal(err, out.lines)
	}
	paths, content := readPack(t, filepath.Join(report.OutputDirectory, "game", "content.tspack"))
	var manifest struct{ Items []struct{ Path string } }
	if err := json.Unmarshal(golden(t, "lantern_grove/manifest.json"), &manifest); err != nil {
		t.Fatal(err)
	}
	want := []string{"assets.index.json"}
	for _, item := range manifest.Items {
		want = append(want, item.Path)
		source, err := os.ReadFile(filepath.Join(dir, "assets", filepath.FromSlash(item.Path)))
		if err != nil {
			t.Fatal(err)
		}
		if content[item.Path] != string(source) {
			t.Errorf("%s is not what is in the project", item.Path)
		}
	}
	if diff := cmp.Diff(want, paths); diff != "" {
		t.Error("order of the pack: ", diff)
	}
	if content["assets.index.json"] != string(golden(t, "lantern_grove/assets.index.json")) {
		t.Error("the index differs")
	}
	if report.AssetCount != len(manifest.Items) || len(report.Errors) != 0 {
		t.Errorf("report: %d assets, errors %v", report.AssetCount, report.Errors)
	}
	t.Logf("%d entries; warnings: %v", len(paths), out.messages(Warning))
}

func TestBuildFolder(t *testing.T) {
	playersDir := plantPlayers(t, "#!/bin/sh\n")
	dir := tidewater().write(t, t.TempDir())
	source := readTree(t, dir)
	for _, info := range platforms.Profiles() {
		t.Run(info.ID, func(t *testing.T) {
			output := t.TempDir()
			report, out, err := build(t, dir, BuildOptions{Profile: &info.Profile, Output: output, PlayersDir: playersDir})
			if err != nil {
				t.Fatal(err, out.lines)
			}
			files := readTree(t, output)
			paths := []string{
				"Tide Water-linux-x64.report.json",
				"Tide Water-linux-x64/Tide Water",
				"Tide Water-linux-x64/Tide Water.png",
				"Tide Water-linux-x64/game/config/game.json",
				"Tide Water-linux-x64/game/config/input.json",
				"Tide Water-linux-x64/game/content.tspack",
				"Tide Water-linux-x64/game/plugins/rain/Rain.dll",
				"Tide Water-linux-x64/game/plugins/rain/data/rain.txt",
				"Tide Water-linux-x64/game/plugins/rain/plugin.json",
				"Tide Water-linux-x64/game/scripts/bin/Game.Scripts.dll",
				"Tide Water-linux-x64/launcher.json",
				"Tide Water-linux-x64/libSkiaSharp.so",
			}
			if info.Symbols {
				paths = append(paths, "Tide Water-linux-x64/game/plugins/rain/Rain.pdb", "Tide Water-linux-x64/game/scripts/bin/Game.Scripts.pdb")
			}
			if info.Archive {
				paths = append(paths, "Tide Water-1.2.0-linux-x64.tar.gz")
			}
			slices.Sort(paths)
			if diff := cmp.Diff(paths, files.paths()); diff != "" {
				t.Fatal(diff)
			}

			const top = "Tide Water-linux-x64/"
			launcher := fmt.Sprintf("{\n  \"gameFolder\": \"game\",\n  \"title\": \"Tide: Water\",\n  \"logLevel\": %q,\n  \"developerTools\": %v\n}", info.LogLevel, info.DevTools)
			for path, want := range map[string]string{
				"Tide Water":                        "#!/bin/sh\n",
				"Tide Water.png":                    source["assets/sprites/icon.png"],
				"launcher.json":                     launcher,
				"game/config/game.json":             source["assets/config/game.json"],
				"game/scripts/bin/Game.Scripts.dll": source["assets/scripts/bin/Game.Scripts.dll"],
				"game/plugins/rain/data/rain.txt":   source["assets/plugins/rain/data/rain.txt"],
			} {
				if files[top+path] != want {
					t.Errorf("%s: %q, want %q", path, files[top+path], want)
				}
			}
			order, packed := readPack(t, filepath.Join(output, top, "game", "content.tspack"))
			if order[0] != "assets.index.json" || !slices.IsSorted(order[1:]) || len(order) != 12 {
				t.Error("order of the pack: ", order)
			}
			for path, content := range packed {
				if path != "assets.index.json" && content != source["assets/"+path] {
					t.Errorf("%s is not what is in the project", path)
				}
			}
			executable, err := os.Stat(filepath.Join(output, top, "Tide Water"))
			if err != nil || runtime.GOOS != "windows" && executable.Mode().Perm()&0o111 != 0o111 {
				t.Errorf("executable: %v, %v", executable.Mode(), err)
			}

			want := &Report{
				Success: true, Game: "Tide: Water", Target: "linux-x64", Profile: info.Profile,
				OutputDirectory: filepath.Join(output, "Tide Water-linux-x64"),
				Executable:      filepath.Join(output, "Tide Water-linux-x64", "Tide Water"),
				ReportFile:      filepath.Join(output, "Tide Water-linux-x64.report.json"),
				AssetCount:      11,
			}
			if info.Archive {
				want.Archive = filepath.Join(output, "Tide Water-1.2.0-linux-x64.tar.gz")
			}
			got := *report
			checkReportFigures(t, &got, files)
			got.StartedAt, got.Duration, got.TotalSize = time.Time{}, 0, 0
			got.Categories, got.LargestAssets, got.Steps, got.Warnings = nil, nil, nil, nil
			if diff := cmp.Diff(want, &got); diff != "" {
				t.Error("report: ", diff)
			}
			if files["Tide Water-linux-x64.report.json"] != string(report.Text()) {
				t.Error("the report file is not the report")
			}
		})
	}
	if diff := cmp.Diff(source, readTree(t, dir)); diff != "" {
		t.Error("exporting changed the project: ", diff)
	}
}

// checkReportFigures holds the figures of a report against the files that were made.
func checkReportFigures(t *testing.T, r *Report, files tree) {
	t.Helper()
	var total int64
	byName := make(map[string]Category)
	for i, c := range r.Categories {
		total += c.Size
		byName[c.Name] = c
		if i > 0 && c.Size > r.Categories[i-1].Size {
			t.Errorf("categories are not sorted: %v", r.Categories)
		}
	}
	if total != r.TotalSize || total == 0 {
		t.Errorf("total size %d, sum of the categories %d", r.TotalSize, total)
	}
	var scripts, plugins int64
	for path, content := range files {
		if strings.Contains(path, "/game/scripts/") {
			scripts += int64(len(content))
		}
		if strings.Contains(path, "/game/plugins/") {
			plugins += int64(len(content))
		}
	}
	for name, want := range map[string]Category{
		"Engine and player": {"Engine and player", 2, 17, 17},
		"Scripts":           {"Scripts", byName["Scripts"].Files, scripts, scripts},
		"Plugins":           {"Plugins", byName["Plugins"].Files, plugins, plugins},
		"Scene":             {"Scene", 2, byName["Scene"].Size, byName["Scene"].OriginalSize},
	} {
		if byName[name] != want {
			t.Errorf("category %+v, want %+v", byName[name], want)
		}
	}
	audio := byName["Audio"]
	if audio.Files != 2 || audio.OriginalSize != 10511 || audio.Size > 1000 {
		t.Errorf("audio: %+v", audio)
	}
	if len(r.LargestAssets) != 11 || r.LargestAssets[0].StoredSize < r.LargestAssets[10].StoredSize {
		t.Errorf("largest: %v", r.LargestAssets)
	}
	var titles []string
	for _, s := range r.Steps {
		titles = append(titles, s.Title)
	}
	if diff := cmp.Diff([]string{"Checking the project", "Compiling scripts", "Collecting content", "Packing content",
		"Preparing the player", "Assembling the build", "Finishing"}, titles); diff != "" {
		t.Error("steps: ", diff)
	}
}

func TestContentOnly(t *testing.T) {
	for _, target := range platforms.Targets() {
		t.Run(target.ID, func(t *testing.T) {
			output := t.TempDir()
			report, out, err := build(t, tidewater().write(t, t.TempDir()), BuildOptions{
				Target: target.ID, Profile: profile(platforms.Distribution), ContentOnly: true, Output: output,
			})
			if err != nil {
				t.Fatal(err, out.lines)
			}
			top := "Tide Water-" + target.ID
			game := top + "/" + target.Layout("Tide Water").GameDir
			if diff := cmp.Diff([]string{
				top + ".report.json",
				game + "/config/game.json", game + "/config/input.json", game + "/content.tspack",
				game + "/plugins/rain/Rain.dll", game + "/plugins/rain/data/rain.txt", game + "/plugins/rain/plugin.json",
				game + "/scripts/bin/Game.Scripts.dll",
			}, readTree(t, output).paths()); diff != "" {
				t.Error(diff)
			}
			if report.Executable != "" || report.Archive != "" || len(report.Steps) != 5 {
				t.Errorf("report: %+v", report)
			}
		})
	}
}

func TestWithoutCompressionEverythingIsStored(t *testing.T) {
	text := strings.Replace(tidewater()["build.json"], `"compress": true`, `"compress": false`, 1)
	report, _, err := build(t, tidewater().with(tree{"build.json": text}).write(t, t.TempDir()), BuildOptions{ContentOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(filepath.Join(report.OutputDirectory, "game", "content.tspack"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	pack, err := tspack.NewReader(file, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range pack.Entries() {
		if e.Compression != tspack.Stored || e.StoredLength != e.Length {
			t.Errorf("%+v", e)
		}
	}
}

func TestArchive(t *testing.T) {
	players := plantPlayers(t, "#!/bin/sh\n")
	dir := tidewater().write(t, t.TempDir())
	options := BuildOptions{Profile: profile(platforms.Distribution), PlayersDir: players}
	report, _, err := build(t, dir, options)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(report.Archive)
	if err != nil {
		t.Fatal(err)
	}
	zr, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if zr.Name != "" || !zr.ModTime.IsZero() {
		t.Errorf("the gzip header says %+v", zr.Header)
	}
	folder := readTree(t, report.OutputDirectory)
	var names []string
	for tr := tar.NewReader(zr); ; {
		h, err := tr.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		rel, ok := strings.CutPrefix(h.Name, "Tide Water-linux-x64/")
		if !ok || folder[rel] != string(content) {
			t.Errorf("%s is not as in the folder", h.Name)
		}
		mode := int64(0o644)
		if rel == "Tide Water" {
			mode = 0o755
		}
		if h.Mode != mode || h.Typeflag != tar.TypeReg || h.Uid != 0 || h.Uname != "" {
			t.Errorf("%s: %+v", h.Name, h)
		}
		if !strings.HasPrefix(rel, "lib") && !h.ModTime.Equal(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)) {
			t.Errorf("%s: time %v", h.Name, h.ModTime)
		}
		names = append(names, rel)
	}
	if !slices.IsSorted(names) || len(names) != len(folder) {
		t.Errorf("names: %v", names)
	}

	again, _, err := build(t, dir, options)
	if err != nil {
		t.Fatal(err)
	}
	same, err := os.ReadFile(again.Archive)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, same) {
		t.Error("the same project gives another archive")
	}
}

func TestBuildErrors(t *testing.T) {
	players := plantPlayers(t, "#!/bin/sh\n")
	always := func(name, from, to string) tree {
		text := strings.Replace(tidewater()[name], from, to, 1)
		if text == tidewater()[name] {
			t.Fatalf("%s has no %s", name, from)
		}
		return tree{name: text}
	}
	for _, c := range []struct {
		name    string
		changes tree
		options BuildOptions
		step    string
		want    []string // parts of the first error
	}{
		{"no player", nil, BuildOptions{PlayersDir: "nowhere"}, "Checking the project",
			[]string{"no player for Linux x64", "linux-x64-r2r-nosymbols", "nowhere", "game folder alone"}},
		{"no player for another system", nil, BuildOptions{Target: "win-x64"}, "Checking the project",
			[]string{"no player for Windows x64", "talesmith-player.exe", "publish one from the engine's sources"}},
		{"scripts that are not compiled", tree{"assets/scripts/bin/Game.Scripts.dll": "-"}, BuildOptions{}, "Compiling scripts",
			[]string{"1 script has not been compiled", "assets/scripts/bin/Game.Scripts.dll"}},
		{"an assembly that is none", tree{"assets/scripts/bin/Game.Scripts.dll": "MZ..."}, BuildOptions{}, "Compiling scripts",
			[]string{"scripts/bin/Game.Scripts.dll: not a .NET assembly"}},
		{"a version with a separator", always("build.json", "1.2.0", "1/2"), BuildOptions{Profile: profile(platforms.Distribution)}, "Checking the project",
			[]string{"build.json", `"1/2"`}},
		{"an executable named like the game folder", always("build.json", `"icon"`, `"executableName": "game", "icon"`), BuildOptions{}, "Checking the project",
			[]string{"build.json", `"game"`, "executableName"}},
		{"a missing reference", always("assets/scenes/pier.tscene", id("sprites/gull.png"), id("gone")), BuildOptions{}, "Collecting content",
			[]string{"scenes/pier.tscene(1,", id("gone")}},
		{"assets that differ by case", tree{"assets/extra/a.txt": "1", "assets/extra/A.txt": "2"}, BuildOptions{}, "Collecting content",
			[]string{"extra/a.txt", "extra/A.txt"}},
		{"a start scene that is not there", tree{"assets/scenes/pier.tscene": "-"}, BuildOptions{}, "Checking the project",
			[]string{"config/game.json", "scenes/pier.tscene"}},
		{"an enabled scene that is not there", tree{"assets/scenes/harbour.tscene": "-"}, BuildOptions{}, "Checking the project",
			[]string{"build.json", "scenes/harbour.tscene"}},
		{"an invalid plugins.json", tree{"assets/config/plugins.json": `{ "off": [] }`}, BuildOptions{}, "Checking the project",
			[]string{"config/plugins.json"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			output := t.TempDir()
			tree{"Tide Water-linux-x64/game/old": "the previous build"}.write(t, output)
			c.options.Output = output
			if c.options.PlayersDir == "" {
				c.options.PlayersDir = players
			}
			report, out, err := build(t, tidewater().with(c.changes).write(t, t.TempDir()), c.options)
			if !errors.Is(err, ErrFailed) || report == nil || report.Success || report.Cancelled {
				t.Fatal(err, out.lines)
			}
			errs := out.messages(Error)
			for _, part := range c.want {
				if !strings.Contains(errs[0], part) {
					t.Errorf("the error does not say %q: %s", part, errs[0])
				}
			}
			if report.Errors[0].Step != c.step || len(report.Errors) != len(errs) {
				t.Errorf("%d errors in step %q, want step %q", len(report.Errors), report.Errors[0].Step, c.step)
			}
			last := report.Errors[len(report.Errors)-1]
			if want := fmt.Sprintf("The export failed with %s.", count(len(errs)-1, "error", "errors")); !strings.HasPrefix(last.Message, want) || last.Step != c.step {
				t.Errorf("the summary is %+v, want %s", last, want)
			}
			if out.lines[len(out.lines)-2] != fmt.Sprintf("7/7 Failed") {
				t.Errorf("the last report is %q", out.lines[len(out.lines)-2:])
			}
			left := []string{filepath.Base(report.ReportFile), "Tide Water-linux-x64/game/old"}
			slices.Sort(left)
			if diff := cmp.Diff(left, readTree(t, output).paths()); diff != "" {
				t.Error("the output: ", diff)
			}
			if text, err := os.ReadFile(report.ReportFile); err != nil || string(text) != string(report.Text()) {
				t.Errorf("the report file: %v", err)
			}
		})
	}
}

func TestGameThatCannotBeRead(t *testing.T) {
	for _, reopen := range []bool{false, true} {
		dir := tidewater().with(tree{"assets/config/game.json": "{\n  \"title\": 5\n}"}).write(t, t.TempDir())
		output := t.TempDir()
		report, out, err := build(t, dir, BuildOptions{Output: output, ContentOnly: true, Reopen: reopen})
		if report != nil || !errors.Is(err, ErrFailed) {
			t.Fatal(report, err)
		}
		errs := out.messages(Error)
		if len(errs) != 1 || !strings.HasPrefix(errs[0], "config/game.json") || !strings.Contains(errs[0], "line 2") && !strings.Contains(errs[0], "(2,") {
			t.Errorf("errors: %v", errs)
		}
		if files := readTree(t, output); len(files) != 0 {
			t.Errorf("written: %v", files.paths())
		}
	}
}

func TestNewBuildRefuses(t *testing.T) {
	p := openProject(t, tidewater().with(tree{"build.json": `{ "compress": 1 }`}).write(t, t.TempDir()))
	if _, err := NewBuild(p, BuildOptions{}); err == nil || !strings.Contains(err.Error(), "build.json") {
		t.Error(err)
	}
	p = openProject(t, tidewater().write(t, t.TempDir()))
	if _, err := NewBuild(p, BuildOptions{Target: "amiga"}); err == nil || !strings.Contains(err.Error(), "linux-x64") {
		t.Error(err)
	}
}

func TestBuildWarnings(t *testing.T) {
	later := func(t *testing.T, dir string) {
		t.Helper()
		when := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
		if err := os.Chtimes(filepath.Join(dir, "assets", "scripts", "Game.cs"), when, when); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name    string
		changes tree
		prepare func(t *testing.T, dir string)
		want    string
	}{
		{"a source newer than the assembly", nil, later, "scripts/Game.cs: changed after"},
		{"scripts that are not compiled", tree{"assets/scripts/bin/Game.Scripts.dll": "-"}, nil, "has not been compiled"},
		{"an icon that is not there", tree{"assets/sprites/icon.png": "-"}, nil, "build.json"},
		{"a failed plugin", nil, nil, "hail"},
		{"an included file that is not there", tree{"assets/extra/deep/chart.txt": "-"}, nil, `build.json: alwaysInclude names "extra"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := tidewater().with(c.changes).write(t, t.TempDir())
			if c.name == "an included file that is not there" {
				if err := os.RemoveAll(filepath.Join(dir, "assets", "extra")); err != nil {
					t.Fatal(err)
				}
			}
			if c.prepare != nil {
				c.prepare(t, dir)
			}
			report, out, err := build(t, dir, BuildOptions{ContentOnly: true})
			if err != nil {
				t.Fatal(err, out.lines)
			}
			warnings := out.messages(Warning)
			if len(report.Warnings) != len(warnings) || !slices.ContainsFunc(warnings, func(w string) bool { return strings.Contains(w, c.want) }) {
				t.Errorf("warnings: %v", warnings)
			}
		})
	}
}

func TestOutputsThatAreRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		output func(dir string) string // of a project
		want   string
	}{
		{"the asset folder", func(dir string) string { return filepath.Join(dir, "assets") }, "lies in the assets folder"},
		{"a folder in it", func(dir string) string { return filepath.Join(dir, "assets", "x", "y") }, "lies in the assets folder"},
		{"a detour into it", func(dir string) string { return filepath.Join(dir, "builds", "..", "assets", "x") }, "lies in the assets folder"},
		{"a link into it", func(dir string) string {
			link := filepath.Join(filepath.Dir(dir), "link")
			if err := os.Symlink(filepath.Join(dir, "assets"), link); err != nil {
				t.Skip("links cannot be made here: ", err)
			}
			return filepath.Join(link, "new")
		}, "lies in the assets folder"},
		{"the folder above a project with the name of the build", filepath.Dir, "would replace the project"},
		{"a file", func(dir string) string { return filepath.Join(dir, "build.json") }, "output folder"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := tidewater().write(t, filepath.Join(t.TempDir(), "Tide Water-linux-x64"))
			before := readTree(t, dir)
			report, out, err := build(t, dir, BuildOptions{ContentOnly: true, Output: c.output(dir)})
			if !errors.Is(err, ErrFailed) || !strings.Contains(report.Errors[0].Message, c.want) {
				t.Error(err, out.lines)
			}
			if diff := cmp.Diff(before, readTree(t, dir)); diff != "" {
				t.Error("the project has changed: ", diff)
			}
		})
	}
}

func TestAFileInThePlaceOfTheBuildFolder(t *testing.T) {
	output := t.TempDir()
	tree{"Tide Water-linux-x64": "a file"}.write(t, output)
	report, _, err := build(t, tidewater().write(t, t.TempDir()), BuildOptions{ContentOnly: true, Output: output})
	if !errors.Is(err, ErrFailed) || !strings.Contains(report.Errors[0].Message, "is not a folder") {
		t.Error(err)
	}
	if readTree(t, output)["Tide Water-linux-x64"] != "a file" {
		t.Error("the file is gone")
	}
}

func TestReadOnlyOutput(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("permissions do not keep this user from writing")
	}
	output := t.TempDir()
	if err := os.Chmod(output, 0o555); err != nil {
		t.Fatal(err)
	}
	report, _, err := build(t, tidewater().write(t, t.TempDir()), BuildOptions{ContentOnly: true, Output: output})
	if !errors.Is(err, ErrFailed) || !strings.Contains(report.Errors[0].Message, "Choose an output folder that you may write to") {
		t.Error(err)
	}
}

func TestDefaultOutputIsTheOnlyThingCreatedInTheProject(t *testing.T) {
	dir := tidewater().write(t, t.TempDir())
	before := readTree(t, dir)
	job, err := NewBuild(openProject(t, dir), BuildOptions{ContentOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(dir, "builds", "Tide Water-linux-x64"); job.Output() != want {
		t.Errorf("output %s, want %s", job.Output(), want)
	}
	if _, err := job.Run(t.Context(), Discard()); err != nil {
		t.Fatal(err)
	}
	after := readTree(t, dir)
	for path := range after {
		if strings.HasPrefix(path, "builds/") {
			delete(after, path)
		}
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
}

func TestTwoExportsOfTheSameBuild(t *testing.T) {
	dir, output := tidewater().write(t, t.TempDir()), t.TempDir()
	p := openProject(t, dir)
	first, err := NewBuild(p, BuildOptions{ContentOnly: true, Output: output})
	if err != nil {
		t.Fatal(err)
	}
	second, err := NewBuild(p, BuildOptions{ContentOnly: true, Output: output})
	if err != nil {
		t.Fatal(err)
	}
	var once atomic.Bool
	out := &hooked{hook: func(step string) {
		if step != "Packing content" || once.Swap(true) {
			return
		}
		report, err := second.Run(context.Background(), Discard())
		if !errors.Is(err, ErrFailed) || !strings.Contains(report.Errors[0].Message, "another export") || report.ReportFile != "" {
			t.Errorf("the second one: %v %+v", err, report)
		}
	}}
	if _, err := first.Run(t.Context(), out); err != nil || !once.Load() {
		t.Fatal("the first one: ", err)
	}
	if _, err := second.Run(t.Context(), Discard()); err != nil {
		t.Error("once the first has ended: ", err)
	}
	for _, path := range readTree(t, output).paths() {
		if strings.HasPrefix(path, ".") {
			t.Errorf("%s is left", path)
		}
	}
}

// hooked is a Reporter that calls a function at the start of a step.
type hooked struct {
	recorder
	hook func(step string)
}

func (h *hooked) Step(index, count int, title string) {
	h.recorder.Step(index, count, title)
	h.hook(title)
}

func TestCancelAtEveryStep(t *testing.T) {
	players := plantPlayers(t, "#!/bin/sh\n")
	dir := tidewater().write(t, t.TempDir())
	output := t.TempDir()
	options := BuildOptions{Profile: profile(platforms.Distribution), PlayersDir: players, Output: output}
	if _, _, err := build(t, dir, options); err != nil {
		t.Fatal(err)
	}
	before := readTree(t, output)
	job, err := NewBuild(openProject(t, dir), options)
	if err != nil {
		t.Fatal(err)
	}
	for _, title := range []string{"Checking the project", "Compiling scripts", "Collecting content", "Packing content",
		"Preparing the player", "Assembling the build", "Finishing"} {
		t.Run(title, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			out := &hooked{hook: func(step string) {
				if step == title {
					cancel()
				}
			}}
			report, err := job.Run(ctx, out)
			if !errors.Is(err, context.Canceled) || report == nil || !report.Cancelled || report.Success {
				t.Fatalf("%v %+v", err, report)
			}
			if len(report.Warnings) == 0 || len(report.Errors) != 1 || report.Errors[0].Step != title {
				t.Errorf("warnings %v, errors %v", report.Warnings, report.Errors)
			}
			for _, s := range report.Steps {
				if s.Title == title {
					t.Error("the cancelled step has a time")
				}
			}
			if out.lines[len(out.lines)-2] != "7/7 Cancelled" {
				t.Errorf("the last report is %q", out.lines[len(out.lines)-2:])
			}
			after := readTree(t, output)
			for _, files := range []tree{before, after} {
				delete(files, "Tide Water-linux-x64.report.json")
			}
			if diff := cmp.Diff(before, after); diff != "" {
				t.Error("the previous build: ", diff)
			}
		})
	}
}

// A job is cancelled in the middle of a large file, wherever bytes are moved.
func TestCancelInTheMiddleOfAFile(t *testing.T) {
	players := plantPlayers(t, strings.Repeat("player", 5_000_000))
	large := noise(30_000_000)
	dir := tidewater().with(tree{"assets/extra/noise.bin": string(large), "assets/extra/noise.png": string(large)}).write(t, t.TempDir())
	p := openProject(t, dir)
	for _, c := range []struct{ step, detail string }{
		{"Packing content", "extra/deep/chart.txt"}, // the entry before the large ones
		{"Preparing the player", "talesmith-player"},
		{"Finishing", "Tide Water"},
		{"Finishing", "game/content.tspack"},
	} {
		t.Run(c.step+" "+c.detail, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			output := t.TempDir()
			clock := newClock(time.Second) // so that no report is dropped
			job, err := NewBuild(p, BuildOptions{Profile: profile(platforms.Distribution), PlayersDir: players, Output: output, Now: clock.Now})
			if err != nil {
				t.Fatal(err)
			}
			out := &stopper{at: c.detail, in: c.step, cancel: cancel}
			report, err := job.Run(ctx, out)
			if !out.stopped || !errors.Is(err, context.Canceled) || !report.Cancelled {
				t.Fatalf("stopped %v: %v", out.stopped, err)
			}
			if out.after > 3 {
				t.Errorf("%d more reports after the cancellation", out.after)
			}
			if diff := cmp.Diff([]string{"Tide Water-linux-x64.report.json"}, readTree(t, output).paths()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// stopper is a Reporter that cancels a job when it sees a detail in a step.
type stopper struct {
	in, at  string
	cancel  func()
	step    string
	stopped bool
	after   int // reports of progress after that
}

func (s *stopper) Step(_, _ int, title string) { s.step = title }
func (s *stopper) Log(Entry)                   {}
func (s *stopper) Progress(_ float64, detail string) {
	if s.stopped {
		s.after++
	}
	if s.step == s.in && detail == s.at {
		s.stopped = true
		s.cancel()
	}
}

func TestReopenTakesWhatIsOnDisk(t *testing.T) {
	dir := tidewater().write(t, t.TempDir())
	p := openProject(t, dir)
	output := t.TempDir()
	job, err := NewBuild(p, BuildOptions{ContentOnly: true, Output: output, Reopen: true})
	if err != nil {
		t.Fatal(err)
	}
	tree{"assets/config/game.json": `{ "title": "Ebb", "startScene": "scenes/draft.tscene" }`, "assets/scenes/draft.tscene": scene("draft", "sprites/unused.png")}.write(t, dir)
	report, err := job.Run(t.Context(), Discard())
	if err != nil {
		t.Fatal(err)
	}
	if report.Game != "Ebb" || filepath.Base(report.OutputDirectory) != "Ebb-linux-x64" {
		t.Errorf("%+v", report)
	}
	if _, packed := readPack(t, filepath.Join(report.OutputDirectory, "game", "content.tspack")); packed["sprites/unused.png"] == "" {
		t.Error("the new start scene's picture is not in the pack")
	}
}

func TestCommandMakesTheSameBuild(t *testing.T) {
	dir := tidewater().write(t, t.TempDir())
	job, err := NewBuild(openProject(t, dir), BuildOptions{
		Target: "osx-x64", Profile: profile(platforms.Development), Output: filepath.Join(dir, "out"), ContentOnly: true, PlayersDir: "players here",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"talebinder", "export", dir, "--target", "osx-x64", "--profile", "development", "--output", filepath.Join(dir, "out"), "--content-only", "--players", "players here"}
	if diff := cmp.Diff(want, job.Command()); diff != "" {
		t.Error(diff)
	}
	if job.Title() != "Tide: Water for macOS x64, development, game folder only" || job.Target() != "osx-x64" {
		t.Errorf("%s, %s", job.Title(), job.Target())
	}
}

func TestPlayerFileInTheWay(t *testing.T) {
	players := plantPlayers(t, "#!/bin/sh\n")
	tree{"linux-x64-r2r-nosymbols/game/content.tspack": "not the game's"}.write(t, players)
	report, _, err := build(t, tidewater().write(t, t.TempDir()), BuildOptions{PlayersDir: players})
	if !errors.Is(err, ErrFailed) || !strings.Contains(report.Errors[0].Message, "two parts of the build have this path") {
		t.Error(err, report)
	}
}

func TestUnreadableAsset(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("permissions do not keep this user from reading")
	}
	dir := tidewater().write(t, t.TempDir())
	p := openProject(t, dir)
	if err := os.Chmod(filepath.Join(dir, "assets", "audio", "tide.wav"), 0); err != nil {
		t.Fatal(err)
	}
	job, err := NewBuild(p, BuildOptions{ContentOnly: true, Output: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	report, err := job.Run(t.Context(), Discard())
	if !errors.Is(err, ErrFailed) || !strings.Contains(report.Errors[0].Message, "audio/tide.wav") {
		t.Error(err, report)
	}
}

func TestAssetThatVanishes(t *testing.T) {
	dir := tidewater().write(t, t.TempDir())
	p := openProject(t, dir)
	if err := os.Remove(filepath.Join(dir, "assets", "audio", "tide.wav")); err != nil {
		t.Fatal(err)
	}
	output := t.TempDir()
	job, err := NewBuild(p, BuildOptions{ContentOnly: true, Output: output})
	if err != nil {
		t.Fatal(err)
	}
	report, err := job.Run(t.Context(), Discard())
	if !errors.Is(err, ErrFailed) || !strings.Contains(report.Errors[0].Message, "audio/tide.wav") {
		t.Error(err, report)
	}
	if diff := cmp.Diff([]string{"Tide Water-linux-x64.report.json"}, readTree(t, output).paths()); diff != "" {
		t.Error(diff)
	}
}

func TestGoldenLaunchers(t *testing.T) {
	type launcher struct {
		Title, GameFolder, LogLevel, Text string
		DeveloperTools                    bool
	}
	for _, c := range goldenCases[launcher](t, "launcher_json.json") {
		got := launcherText(c.GameFolder, c.Title, platforms.ProfileInfo{LogLevel: c.LogLevel, DevTools: c.DeveloperTools})
		if diff := cmp.Diff(c.Text, string(got)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestSpaceIsCheckedBeforeWriting(t *testing.T) {
	dir := tidewater().write(t, t.TempDir())
	job, err := NewBuild(openProject(t, dir), BuildOptions{ContentOnly: true, Output: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	content, err := CollectContent(t.Context(), openProject(t, dir), platforms.Release)
	if err != nil {
		t.Fatal(err)
	}
	r := &run{tracker: newTracker(Discard(), time.Now), Build: *job, settings: project.BuildSettings{Compress: true}, content: content}
	least, most := r.spaceNeeded()
	var pictures, all, loose int64
	for _, item := range content.Items {
		all += item.Size
		if strings.HasSuffix(item.Path, ".png") || strings.HasSuffix(item.Path, ".ogg") {
			pictures += item.Size
		}
	}
	for _, file := range content.Loose {
		loose += file.Size
	}
	if least != pictures+loose || most != all+loose {
		t.Errorf("needs %d to %d, want %d to %d", least, most, pictures+loose, all+loose)
	}
	for _, c := range []struct {
		free     int64
		fails    bool
		warnings int
	}{{least - 1, true, 0}, {least, false, 1}, {most, false, 0}, {-1, false, 0}} {
		r.tracker = newTracker(Discard(), time.Now)
		if err := r.checkFree(c.free); (err != nil) != c.fails || len(r.warnings) != c.warnings {
			t.Errorf("%d bytes free: %v, warnings %v", c.free, err, r.warnings)
		}
	}
	if free := freeSpace(t.TempDir()); free == 0 || free < -1 {
		t.Errorf("free space %d", free)
	}
}

func TestErrorsOfTheDiskSayWhatToDo(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err == nil {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer full.Close()
		_, err = full.WriteString("x")
		if err = explain(err); err == nil || !strings.Contains(err.Error(), "The disk is full") {
			t.Error(err)
		}
	}
	if err := explain(&fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission}); !strings.Contains(err.Error(), "may write to") || !errors.Is(err, fs.ErrPermission) {
		t.Error(err)
	}
	if explain(nil) != nil {
		t.Error("no error has an explanation")
	}
}

func TestBuildKnowsItsSteps(t *testing.T) {
	whole, part := (&Build{}).Steps(), (&Build{options: BuildOptions{ContentOnly: true}}).Steps()
	if len(whole) != 7 || whole[0] != "Checking the project" || whole[6] != "Finishing" {
		t.Errorf("a whole build: %v", whole)
	}
	if len(part) != 5 || part[3] != "Packing content" || part[4] != "Finishing" {
		t.Errorf("the game folder alone: %v", part)
	}
}
