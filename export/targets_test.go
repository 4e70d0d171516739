package export

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	debugpe "debug/pe"
	"fmt"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talebinder/formats/desktopentry"
	"talebinder/formats/icns"
	"talebinder/formats/ico"
	"talebinder/formats/pe"
	"talebinder/formats/plist"
	"talebinder/platforms"
)

func target(tb testing.TB, id string) platforms.Target {
	tb.Helper()
	t, ok := platforms.TargetByID(id)
	if !ok {
		tb.Fatalf("%s is no target", id)
	}
	return t
}

// plant makes a players folder with a player of a target for each profile, made of the given content.
func plant(tb testing.TB, dir string, t platforms.Target, content string) string {
	tb.Helper()
	for _, p := range []platforms.Profile{platforms.Development, platforms.Release} {
		tree{
			t.PlayerKey(p) + "/" + t.PlayerFile:      content,
			t.PlayerKey(p) + "/native/library.bin":   "library",
			t.PlayerKey(p) + "/launcher.json":        "not this one",
			t.PlayerKey(p) + "/native/.DS_Store":     "left behind",
			t.PlayerKey(p) + "/licenses/LICENCE.txt": "all rights",
		}.write(tb, dir)
	}
	return dir
}

func TestEveryTargetAndProfile(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a player for each target")
	}
	dir, playersDir := sampleGame(t), t.TempDir()
	for _, target := range platforms.Targets() {
		plant(t, playersDir, target, standInFor(t, target.ID))
	}
	for _, target := range platforms.Targets() {
		for _, info := range platforms.Profiles() {
			t.Run(target.ID+" "+info.ID, func(t *testing.T) {
				t.Parallel()
				output := t.TempDir()
				options := BuildOptions{Target: target.ID, Profile: &info.Profile, Output: output, PlayersDir: playersDir, DesktopEntry: true}
				report, out, err := build(t, dir, options)
				if err != nil {
					t.Fatal(err, out.lines)
				}
				checkTree(t, target, info, output)
				archive := checkArchive(t, target, info, report)
				folder := report.OutputDirectory
				if report.Executable != filepath.Join(folder, filepath.FromSlash(target.Layout("Driftmail").Executable)) {
					t.Errorf("executable %s", report.Executable)
				}
				switch target.Platform {
				case platforms.Windows:
					checkWindowsExecutable(t, report.Executable, info)
				case platforms.MacOS:
					checkAppBundle(t, filepath.Join(folder, "Driftmail.app"))
					checkSigningNote(t, report, output)
				case platforms.Linux:
					checkDesktopEntry(t, filepath.Join(folder, "Driftmail.desktop"))
					if platforms.Host().ID == target.ID {
						said, code := start(t, report.Executable)
						if code != 0 {
							t.Errorf("exit code %d", code)
						}
						says(t, said, "title: Driftmail\n", "game folder: game\n", "ready\n")
					}
				}
				if target.Platform != platforms.MacOS && len(report.Notes) > 0 {
					t.Errorf("notes: %v", report.Notes)
				}
				if warnings := out.messages(Warning); len(warnings) > 0 {
					t.Errorf("warnings: %q", warnings)
				}

				// The same files give the same bytes, at any other time.
				options.Output = t.TempDir()
				again, out, err := build(t, dir, options)
				if err != nil {
					t.Fatal(err, out.lines)
				}
				if diff := cmp.Diff(digest(t, folder), digest(t, again.OutputDirectory)); diff != "" {
					t.Error("a second export differs: ", diff)
				}
				if info.Archive {
					if second, err := os.ReadFile(again.Archive); err != nil || !bytes.Equal(archive, second) {
						t.Errorf("the archive of a second export differs: %v", err)
					}
				}
			})
		}
	}
}

// digest gives the files of a folder with their times and content.
func digest(tb testing.TB, dir string) map[string]string {
	tb.Helper()
	all := make(map[string]string)
	for file, content := range readTree(tb, dir) {
		info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(file)))
		if err != nil {
			tb.Fatal(err)
		}
		all[file] = fmt.Sprintf("%v %v %d %x", info.ModTime(), info.Mode(), len(content), checksum(content))
	}
	return all
}

func checksum(s string) (sum uint64) {
	for _, c := range []byte(s) {
		sum = (sum ^ uint64(c)) * 1099511628211
	}
	return sum
}

// checkTree holds the paths of a build, and what may be executed, against what is documented.
func checkTree(t *testing.T, target platforms.Target, info platforms.ProfileInfo, output string) {
	t.Helper()
	folder := "Driftmail-" + target.ID + "/"
	game, beside := "game/", ""
	var want []string
	switch target.Platform {
	case platforms.Windows:
		want = []string{"Driftmail.exe"}
	case platforms.Linux:
		want = []string{"Driftmail", "Driftmail.png", "Driftmail.desktop"}
	case platforms.MacOS:
		game, beside = "Driftmail.app/Contents/Resources/game/", "Driftmail.app/Contents/MacOS/"
		want = []string{"Driftmail.app/Contents/Info.plist", "Driftmail.app/Contents/Resources/Driftmail.icns", beside + "Driftmail"}
	}
	want = append(want, beside+"launcher.json", beside+"native/library.bin", beside+"licenses/LICENCE.txt",
		game+"content.tspack", game+"config/game.json", game+"config/input.json", game+"scripts/bin/Game.Scripts.dll")
	for i := range want {
		want[i] = folder + want[i]
	}
	want = append(want, "Driftmail-"+target.ID+".report.json")
	if info.Archive {
		want = append(want, "Driftmail-1.2.0-"+target.ID+target.ArchiveExt)
	}
	slices.Sort(want)
	files := readTree(t, output)
	if diff := cmp.Diff(want, files.paths()); diff != "" {
		t.Fatal(diff)
	}
	launcher := fmt.Sprintf("{\n  \"gameFolder\": %q,\n  \"title\": \"Driftmail\",\n  \"logLevel\": %q,\n  \"developerTools\": %v\n}",
		map[bool]string{true: "../Resources/game", false: "game"}[target.Platform == platforms.MacOS], info.LogLevel, info.DevTools)
	if got := files[folder+beside+"launcher.json"]; got != launcher {
		t.Errorf("launcher.json: %s", got)
	}
	if runtime.GOOS == "windows" || target.Platform == platforms.Windows {
		return
	}
	for file := range files {
		info, err := os.Stat(filepath.Join(output, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		base := path.Base(file)
		if mayRun := base == "Driftmail" || base == "Driftmail.desktop"; mayRun != (info.Mode()&0o111 == 0o111) {
			t.Errorf("%s: mode %v", file, info.Mode())
		}
	}
}

// checkArchive reads the archive of a build and holds it against the build folder.
func checkArchive(t *testing.T, target platforms.Target, info platforms.ProfileInfo, report *Report) []byte {
	t.Helper()
	if !info.Archive {
		if report.Archive != "" {
			t.Errorf("archive %s", report.Archive)
		}
		return nil
	}
	data, err := os.ReadFile(report.Archive)
	if err != nil {
		t.Fatal(err)
	}
	type file struct {
		content string
		mode    os.FileMode
		changed time.Time
	}
	var order []string
	got := make(map[string]file)
	keep := func(name string, r io.Reader, mode os.FileMode, changed time.Time) {
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		order = append(order, name)
		got[name] = file{string(content), mode, changed}
	}
	if target.ArchiveExt == ".zip" {
		r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.File {
			content, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			if f.Method != zip.Deflate {
				t.Errorf("%s: method %d", f.Name, f.Method)
			}
			local := f.Modified.Local()
			if date := uint16(local.Day() + int(local.Month())<<5 + (local.Year()-1980)<<9); f.ModifiedDate != date {
				t.Errorf("%s: date %x, want %x", f.Name, f.ModifiedDate, date)
			}
			if clock := uint16(local.Second()/2 + local.Minute()<<5 + local.Hour()<<11); f.ModifiedTime != clock {
				t.Errorf("%s: time %x, want %x", f.Name, f.ModifiedTime, clock)
			}
			keep(f.Name, content, f.Mode(), f.Modified)
		}
	} else {
		unpacked, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		r := tar.NewReader(unpacked)
		for {
			h, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if h.Uid != 0 || h.Gid != 0 || h.Uname != "" {
				t.Errorf("%s belongs to somebody", h.Name)
			}
			keep(h.Name, r, os.FileMode(h.Mode), h.ModTime)
		}
	}
	if !slices.IsSorted(order) {
		t.Errorf("order %q", order)
	}
	top := filepath.Base(report.OutputDirectory)
	for name, content := range readTree(t, report.OutputDirectory) {
		f, ok := got[top+"/"+name]
		delete(got, top+"/"+name)
		if !ok || f.content != content {
			t.Errorf("%s is not in the archive as it is in the build", name)
			continue
		}
		info, err := os.Stat(filepath.Join(report.OutputDirectory, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if !f.changed.Equal(info.ModTime().Truncate(time.Second)) {
			t.Errorf("%s: time %v, want %v", name, f.changed, info.ModTime())
		}
		mode := os.FileMode(0o644)
		if base := path.Base(name); target.ArchiveExt == ".zip" {
			mode = f.mode &^ 0o111
		} else if base == "Driftmail" || base == "Driftmail.desktop" {
			mode = 0o755
		}
		if f.mode != mode {
			t.Errorf("%s: mode %v, want %v", name, f.mode, mode)
		}
	}
	for name := range got {
		t.Errorf("%s is only in the archive", name)
	}
	return data
}

// checkWindowsExecutable reads a Windows executable back, with what is at hand.
func checkWindowsExecutable(t *testing.T, file string, info platforms.ProfileInfo) {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	stat, err := in.Stat()
	if err != nil {
		t.Fatal(err)
	}
	other, err := debugpe.NewFile(in)
	if err != nil {
		t.Fatal(err)
	}
	header := other.OptionalHeader.(*debugpe.OptionalHeader64)
	want := uint16(debugpe.IMAGE_SUBSYSTEM_WINDOWS_GUI)
	if info.Profile == platforms.Development {
		want = debugpe.IMAGE_SUBSYSTEM_WINDOWS_CUI
	}
	if header.Subsystem != want {
		t.Errorf("subsystem %d, want %d", header.Subsystem, want)
	}
	f, err := pe.NewFile(in, stat.Size())
	if err != nil {
		t.Fatal(err)
	}
	if right, err := f.VerifyChecksum(t.Context()); err != nil || !right {
		t.Errorf("checksum %x is wrong: %v", f.Checksum(), err)
	}
	version, err := f.VersionInfo()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&pe.VersionInfo{
		FileNumber: [4]uint16{1, 2}, ProductNumber: [4]uint16{1, 2}, FileVersion: "1.2.0.0", ProductVersion: "1.2.0",
		FileDescription: "Driftmail", ProductName: "Driftmail", InternalName: "Driftmail", OriginalFilename: "Driftmail.exe",
	}, version); diff != "" {
		t.Error("version: ", diff)
	}
	icons, err := f.Icons()
	if err != nil {
		t.Fatal(err)
	}
	var sizes []int
	for _, i := range icons {
		sizes = append(sizes, i.Width)
		if picture, err := png.DecodeConfig(bytes.NewReader(i.Data)); err != nil || picture.Width != i.Width || picture.Height != i.Width {
			t.Errorf("icon of %d pixels: %v, %v", i.Width, picture, err)
		}
	}
	if !slices.Equal(sizes, ico.Sizes()) {
		t.Errorf("icon sizes %v", sizes)
	}
	if tool, err := exec.LookPath("wrestool"); err == nil {
		listed, err := exec.Command(tool, "--list", file).CombinedOutput()
		if err != nil || strings.Count(string(listed), "--type=3 ") != len(sizes) || !strings.Contains(string(listed), "--type=14 ") || !strings.Contains(string(listed), "--type=16 ") {
			t.Errorf("wrestool: %v\n%s", err, listed)
		}
	}
}

// checkAppBundle reads Info.plist and the icon back, with what is at hand.
func checkAppBundle(t *testing.T, app string) {
	t.Helper()
	file := filepath.Join(app, "Contents", "Info.plist")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	info, err := plist.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(plist.Dict{
		{Key: "CFBundleDisplayName", Value: "Driftmail"}, {Key: "CFBundleExecutable", Value: "Driftmail"}, {Key: "CFBundleIconFile", Value: "Driftmail.icns"},
		{Key: "CFBundleIdentifier", Value: "com.talesmith.driftmail"}, {Key: "CFBundleInfoDictionaryVersion", Value: "6.0"}, {Key: "CFBundleName", Value: "Driftmail"},
		{Key: "CFBundlePackageType", Value: "APPL"}, {Key: "CFBundleShortVersionString", Value: "1.2.0"}, {Key: "CFBundleVersion", Value: "1.2.0"},
		{Key: "LSMinimumSystemVersion", Value: "11.0"}, {Key: "NSHighResolutionCapable", Value: true},
	}, info); diff != "" {
		t.Error("Info.plist: ", diff)
	}
	if tool, err := exec.LookPath("plistutil"); err == nil {
		if said, err := exec.Command(tool, "-i", file).CombinedOutput(); err != nil || !strings.Contains(string(said), "com.talesmith.driftmail") {
			t.Errorf("plistutil: %v\n%s", err, said)
		}
	}
	file = filepath.Join(app, "Contents", "Resources", "Driftmail.icns")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := icns.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	var sizes []int
	for _, e := range entries {
		sizes = append(sizes, e.Size)
		if picture, err := png.DecodeConfig(bytes.NewReader(e.Data)); err != nil || picture.Width != e.Size || picture.Height != e.Size {
			t.Errorf("icon of %d pixels: %v, %v", e.Size, picture, err)
		}
	}
	if !slices.Equal(sizes, icns.Sizes()) {
		t.Errorf("icon sizes %v", sizes)
	}
	if tool, err := exec.LookPath("icns2png"); err == nil {
		said, err := exec.Command(tool, "--list", file).CombinedOutput()
		for _, size := range []string{"256x256", "512x512", "1024x1024"} {
			if err != nil || !strings.Contains(string(said), size) {
				t.Errorf("icns2png does not list %s: %v\n%s", size, err, said)
			}
		}
	}
}

func checkSigningNote(t *testing.T, report *Report, output string) {
	t.Helper()
	if len(report.Notes) != 1 {
		t.Fatalf("%d notes", len(report.Notes))
	}
	commands := strings.Join(report.Notes[0].Commands, "\n")
	bundle := filepath.Base(report.OutputDirectory) + "/Driftmail.app"
	for _, part := range []string{"cd '" + output + "'", "codesign ", "'" + bundle + "/Contents/MacOS'", "ditto -c -k", "xcrun notarytool submit", "xcrun stapler staple '" + bundle + "'"} {
		if !strings.Contains(commands, part) {
			t.Errorf("the commands lack %q:\n%s", part, commands)
		}
	}
	text, err := os.ReadFile(report.ReportFile)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ParseReport(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(report.Notes, again.Notes); diff != "" {
		t.Error("notes in the report file: ", diff)
	}
}

func checkDesktopEntry(t *testing.T, file string) {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	entry, err := desktopentry.Read(in)
	if err != nil {
		t.Fatal(err)
	}
	if entry.Name != "Driftmail" || entry.Icon != "Driftmail" || entry.Terminal || !slices.Equal(entry.Categories, []string{"Game"}) {
		t.Errorf("%+v", entry)
	}
	if tool, err := exec.LookPath("desktop-file-validate"); err == nil {
		if said, err := exec.Command(tool, file).CombinedOutput(); err != nil {
			t.Errorf("desktop-file-validate: %v\n%s", err, said)
		}
	}
	if platforms.Host().Platform != platforms.Linux {
		return
	}
	words := entryCommand(t, file)
	said, code := start(t, words[0], words[1:]...)
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
	says(t, said, "ready\n")
}

// entryCommand gives the command line that a desktop makes of an entry: every field code replaced, each argument as it is.
func entryCommand(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	entry, err := desktopentry.Read(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, a := range entry.Exec {
		if a.Code {
			a.Text = strings.ReplaceAll(a.Text, "%k", file)
		}
		words = append(words, a.Text)
	}
	return words
}
