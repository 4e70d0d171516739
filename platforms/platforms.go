// Package platforms holds what each target of an export needs: names, folders, layout and defaults.
//
// It is data before it is code: one table of targets, one of profiles, and the rules that turn a game's title into file
// names. Adding a target starts with a row in the table below.
package platforms

import (
	"fmt"
	"runtime"
	"strings"
)

// The platforms of the targets.
const (
	Windows = "Windows"
	Linux   = "Linux"
	MacOS   = "macOS"
)

// A Target is a kind of computer that a game is exported for.
type Target struct {
	ID         string // as written in build.json and in folder names, such as "linux-x64"
	Platform   string // Windows, Linux or MacOS
	Name       string // for people, such as "Linux x64"
	Arch       string // processor, such as "x64"
	PlayerFile string // the player's executable in a player folder
	ExeSuffix  string // what the executable's name ends with, such as ".exe"
	ArchiveExt string // extension of the distribution archive, with its dot

	// ExecutableBit says that the executable needs execute permission.
	ExecutableBit bool
}

var targets = []Target{
	{ID: "win-x64", Platform: Windows, Name: "Windows x64", Arch: "x64", PlayerFile: "talesmith-player.exe", ExeSuffix: ".exe", ArchiveExt: ".zip"},
	{ID: "linux-x64", Platform: Linux, Name: "Linux x64", Arch: "x64", PlayerFile: "talesmith-player", ArchiveExt: ".tar.gz", ExecutableBit: true},
	{ID: "osx-arm64", Platform: MacOS, Name: "macOS arm64", Arch: "arm64", PlayerFile: "talesmith-player", ArchiveExt: ".tar.gz", ExecutableBit: true},
	{ID: "osx-x64", Platform: MacOS, Name: "macOS x64", Arch: "x64", PlayerFile: "talesmith-player", ArchiveExt: ".tar.gz", ExecutableBit: true},
}

// Targets returns all targets, in the order in which they are shown.
func Targets() []Target { return append([]Target(nil), targets...) }

// TargetByID finds a target by its id, ignoring case.
func TargetByID(id string) (Target, bool) {
	for _, t := range targets {
		if strings.EqualFold(t.ID, id) {
			return t, true
		}
	}
	return Target{}, false
}

// Host returns the target that this computer runs. It is also what a project without a target, or with an unknown one,
// is built for.
func Host() Target { return host(runtime.GOOS, runtime.GOARCH) }

func host(goos, goarch string) Target {
	id := "linux-x64"
	switch {
	case goos == "windows":
		id = "win-x64"
	case goos == "darwin" && goarch == "arm64":
		id = "osx-arm64"
	case goos == "darwin":
		id = "osx-x64"
	}
	t, _ := TargetByID(id)
	return t
}

// PlayerKey names the player that a build of this target and profile needs, such as "linux-x64-r2r-nosymbols": the name
// of its folder below a players folder.
func (t Target) PlayerKey(p Profile) string { return t.ID + "-" + p.Info().KeySuffix }

// BuildFolder is the name of the folder that a build of the game ends up in. The name is a result of SanitizeName.
func (t Target) BuildFolder(name string) string { return name + "-" + t.ID }

// ArchiveName is the file name of the distribution archive. The version is used as it is; see CheckVersion.
func (t Target) ArchiveName(name, version string) string {
	return name + "-" + version + "-" + t.ID + t.ArchiveExt
}

// ReportName is the file name of the report beside the build folder.
func (t Target) ReportName(name string) string { return t.BuildFolder(name) + ".report.json" }

// StagingName is the name of the folder that a build is put together in, beside the build folder.
func (t Target) StagingName(name string) string { return "." + t.BuildFolder(name) + ".staging" }

// PreviousName is the name that the old build has for a moment where two folders cannot be exchanged in one call.
func (t Target) PreviousName(name string) string { return "." + t.BuildFolder(name) + ".previous" }

// ArchivePartName is the name of the archive while it is written.
func (t Target) ArchivePartName(name string) string { return "." + t.BuildFolder(name) + ".archive" }

// ReportPartName is the name of the report while it is written.
func (t Target) ReportPartName(name string) string { return "." + t.BuildFolder(name) + ".report" }

// LockName is the name of the file whose lock keeps two exports from writing the same build.
func (t Target) LockName(name string) string { return "." + t.BuildFolder(name) + ".lock" }

// A Layout says where the parts of a build are. Paths use forward slashes and, except for LauncherGameFolder, are relative
// to the build folder.
type Layout struct {
	GameDir            string // the game folder: pack, config, scripts, plugins
	ExeDir             string // folder of the executable, the player's other files and launcher.json; "" is the build folder
	Executable         string
	Launcher           string // launcher.json
	LauncherGameFolder string // the game folder as launcher.json names it, relative to the executable's folder
	Icon               string // where the icon goes as a file; "" when it goes into the executable
	Info               string // Info.plist of an application bundle, else ""
	Bundle             string // the folder of an application bundle, else ""
	DesktopEntry       string // the entry for a menu of applications that a build may have, else ""

	foldsCase bool // paths that differ only in case are the same
}

// Layout returns the layout of a build. The name is a result of SanitizeName.
func (t Target) Layout(name string) Layout {
	if t.Platform == MacOS {
		contents := name + ".app/Contents"
		return Layout{
			GameDir:            contents + "/Resources/game",
			ExeDir:             contents + "/MacOS",
			Executable:         contents + "/MacOS/" + name,
			Launcher:           contents + "/MacOS/" + LauncherFile,
			LauncherGameFolder: "../Resources/game",
			Icon:               contents + "/Resources/" + name + ".icns",
			Info:               contents + "/Info.plist",
			Bundle:             name + ".app",
			foldsCase:          true,
		}
	}
	l := Layout{
		GameDir:            "game",
		Executable:         name + t.ExeSuffix,
		Launcher:           LauncherFile,
		LauncherGameFolder: "game",
		foldsCase:          t.Platform == Windows,
	}
	if t.Platform == Linux {
		l.Icon = name + ".png"
		l.DesktopEntry = name + ".desktop"
	}
	return l
}

// LauncherFile is the name of the file that tells the player which game to play.
const LauncherFile = "launcher.json"

// Clash says which part of the layout has the same path as the executable, or "" when none has. A game titled "game" would
// need its executable where its game folder is.
func (l Layout) Clash() string {
	for _, other := range []string{l.GameDir, l.Launcher, l.Icon, l.DesktopEntry} {
		if other == l.Executable || l.foldsCase && strings.EqualFold(other, l.Executable) {
			return other
		}
	}
	return ""
}

// CheckVersion refuses a version that cannot be a part of a file name, since archives are named after it.
func CheckVersion(version string) error {
	for _, r := range version {
		if r == '/' || r == '\\' || r < ' ' {
			return fmt.Errorf("version %q contains %q, which cannot be in a file name: archives are named after the version", version, r)
		}
	}
	return nil
}
