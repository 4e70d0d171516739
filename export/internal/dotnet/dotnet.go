// Package dotnet runs the .NET SDK, which publishes players and compiles scripts.
package dotnet

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"talebinder/export/internal/process"
)

// An SDK that is installed on this computer.
type SDK struct {
	Command  string   // the dotnet command
	Versions []string // of the SDKs that it knows, such as 10.0.100; the newest last
}

// Newest is the version of the newest SDK.
func (s *SDK) Newest() string { return s.Versions[len(s.Versions)-1] }

// Major is the first number of the newest version: the newest .NET that the SDK makes programs for.
func (s *SDK) Major() int {
	major, _, _ := strings.Cut(s.Newest(), ".")
	n, _ := strconv.Atoi(major)
	return n
}

// A NotFoundError says that there is no .NET SDK, and where it was looked for.
type NotFoundError struct{ Looked []string }

// Error says what is missing and what to do.
func (e *NotFoundError) Error() string {
	where := "there is no dotnet command on PATH"
	if len(e.Looked) > 0 {
		where = strings.Join(e.Looked, "; ")
	}
	return "no .NET SDK was found: " + where + ". Install the .NET SDK, or let DOTNET_ROOT name its folder"
}

// askTime is how long the command may take to list its SDKs, the first start after an installation included.
const askTime = 30 * time.Second

// Find looks for the SDK: in the folder that DOTNET_ROOT names, then in the folders of PATH. A command that comes without an
// SDK, as that of a mere runtime does, is passed over. The error is a *NotFoundError, or that of ctx.
func Find(ctx context.Context) (*SDK, error) {
	name := "dotnet"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	var candidates []string
	if root := os.Getenv("DOTNET_ROOT"); root != "" {
		candidates = append(candidates, filepath.Join(root, name))
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if filepath.IsAbs(dir) {
			candidates = append(candidates, filepath.Join(dir, name))
		}
	}
	missing := &NotFoundError{}
	asked := map[string]bool{}
	for _, command := range candidates {
		info, err := os.Stat(command)
		if err != nil || !info.Mode().IsRegular() || asked[command] {
			continue
		}
		asked[command] = true
		versions, err := list(ctx, command)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			missing.Looked = append(missing.Looked, err.Error())
		case len(versions) == 0:
			missing.Looked = append(missing.Looked, command+" runs .NET programs but has no SDK")
		default:
			return &SDK{command, versions}, nil
		}
	}
	return nil, missing
}

// listed is a line of dotnet --list-sdks: the version and the folder.
var listed = regexp.MustCompile(`^(\d+\.\d+\.\d+\S*) \[`)

func list(ctx context.Context, command string) ([]string, error) {
	asking, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	var versions []string
	code, err := process.Run(asking, process.Command{Path: command, Args: []string{"--list-sdks"}, Env: environment}, func(line string) {
		if m := listed.FindStringSubmatch(line); m != nil {
			versions = append(versions, m[1])
		}
	})
	switch {
	case asking.Err() != nil && ctx.Err() == nil:
		return nil, fmt.Errorf("%s did not list its SDKs within %s", command, askTime)
	case err != nil:
		return nil, err
	case code != 0:
		return nil, fmt.Errorf("%s --list-sdks ended with exit code %d", command, code)
	}
	return versions, nil
}

// environment makes dotnet speak English, which its lines are read in, keeps it from greeting and from reporting home, and
// from leaving servers behind, which would go on after a cancelled job.
var environment = []string{
	"DOTNET_CLI_UI_LANGUAGE=en",
	"DOTNET_NOLOGO=1",
	"DOTNET_CLI_TELEMETRY_OPTOUT=1",
	"DOTNET_CLI_USE_MSBUILD_SERVER=0",
	"MSBUILDDISABLENODEREUSE=1",
}

// NoServers are arguments for dotnet build and publish that keep the compiler from staying in memory.
func NoServers() []string { return []string{"-nodeReuse:false", "-p:UseSharedCompilation=false"} }

// Run runs dotnet in a folder and returns its exit code. The lines that it prints go to line. See process.Run.
func (s *SDK) Run(ctx context.Context, dir string, args []string, line func(string)) (int, error) {
	return process.Run(ctx, process.Command{Path: s.Command, Args: args, Dir: dir, Env: environment}, line)
}

// EscapeProperty writes a text so that MSBuild takes it literally, as the value of a property or the name of a file.
func EscapeProperty(text string) string { return escapes.Replace(text) }

// escapes are the characters that MSBuild gives a meaning.
var escapes = strings.NewReplacer("%", "%25", "$", "%24", "@", "%40", "'", "%27", "(", "%28", ")", "%29", ";", "%3B", ",", "%2C", "?", "%3F", "*", "%2A")

// A Diagnostic is an error or a warning of a compiler or a build.
type Diagnostic struct {
	File    string // as it was printed; "" when it is about no file
	Line    int    // from 1; 0 when there is none
	Column  int    // from 1; 0 when there is none
	Warning bool   // else it is an error
	Code    string // such as CS0246
	Text    string
}

// diagnostic is the form in which MSBuild and its tools print errors and warnings:
//
//	ORIGIN(LINE,COLUMN): error CODE: TEXT [PROJECT]
//
// ORIGIN is a file, or the name of a tool without a place.
var diagnostic = regexp.MustCompile(`^\s*(?:(.*?)(?:\((\d+)(?:,(\d+)(?:[,-]\d+)*)?\))?\s*:\s)?\s*(?:[a-z]+ )?(error|warning)(?:\s+([A-Z][A-Za-z]*\d+))?\s*:\s*(.*?)(?:\s+\[[^\[\]]*\])?$`)

// tools are the origins that are no files.
var tools = map[string]bool{"CSC": true, "MSBUILD": true, "EXEC": true, "NUGET": true}

// ParseDiagnostic reads a line as a diagnostic. The second result is false for other lines.
func ParseDiagnostic(line string) (Diagnostic, bool) {
	m := diagnostic.FindStringSubmatch(line)
	if m == nil {
		return Diagnostic{}, false
	}
	d := Diagnostic{File: strings.TrimSpace(m[1]), Warning: m[4] == "warning", Code: m[5], Text: m[6]}
	d.Line, _ = strconv.Atoi(m[2])
	d.Column, _ = strconv.Atoi(m[3])
	if tools[strings.ToUpper(d.File)] {
		d.File = ""
	}
	return d, d.Text != ""
}

// String gives the code and the text.
func (d Diagnostic) String() string {
	if d.Code == "" {
		return d.Text
	}
	return d.Code + ": " + d.Text
}
