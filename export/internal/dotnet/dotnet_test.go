package dotnet

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// plant makes a dotnet command that is a shell script.
func plant(t *testing.T, dir, script string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("stand-in commands are shell scripts")
	}
	path := filepath.Join(dir, "dotnet")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o777); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	path := func(names ...string) {
		var list []string
		for _, name := range names {
			list = append(list, filepath.Join(dir, name))
		}
		t.Setenv("PATH", strings.Join(append(list, "/usr/bin", "/bin"), string(os.PathListSeparator)))
	}
	t.Setenv("DOTNET_ROOT", "")
	plant(t, filepath.Join(dir, "runtime"), "exit 0\n")
	plant(t, filepath.Join(dir, "broken"), "exit 7\n")
	sdk := plant(t, filepath.Join(dir, "sdk"), `[ "$*" = --list-sdks ] && [ "$DOTNET_NOLOGO" = 1 ] && printf '8.0.404 [/usr/share/dotnet/sdk]\r\n10.0.100-rc.1 [/usr/share/dotnet/sdk]\r\n'`+"\n")
	root := plant(t, filepath.Join(dir, "root"), "echo '9.0.1 [x]'\n")

	path("none", "broken", "runtime", "sdk")
	found, err := Find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&SDK{Command: sdk, Versions: []string{"8.0.404", "10.0.100-rc.1"}}, found); diff != "" {
		t.Error(diff)
	}
	if found.Newest() != "10.0.100-rc.1" || found.Major() != 10 {
		t.Errorf("newest %s, major %d", found.Newest(), found.Major())
	}

	t.Setenv("DOTNET_ROOT", filepath.Dir(root))
	if found, err = Find(t.Context()); err != nil || found.Command != root {
		t.Errorf("with DOTNET_ROOT: %+v, %v", found, err)
	}

	t.Setenv("DOTNET_ROOT", filepath.Join(dir, "runtime"))
	path("broken", "runtime")
	_, err = Find(t.Context())
	var missing *NotFoundError
	if !errors.As(err, &missing) || len(missing.Looked) != 2 || !strings.Contains(err.Error(), "has no SDK") || !strings.Contains(err.Error(), "exit code 7") {
		t.Errorf("%v", err)
	}
	t.Setenv("DOTNET_ROOT", "")
	path("none")
	if _, err = Find(t.Context()); err == nil || !strings.Contains(err.Error(), "no dotnet command on PATH") {
		t.Errorf("%v", err)
	}
	path("sdk")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = Find(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestParseDiagnostic(t *testing.T) {
	for _, c := range []struct {
		line string
		want Diagnostic
	}{
		{"/game/assets/scripts/Hero.cs(12,8): error CS0246: The type 'Foo' could not be found [/cache/Game.Scripts.csproj]",
			Diagnostic{File: "/game/assets/scripts/Hero.cs", Line: 12, Column: 8, Code: "CS0246", Text: "The type 'Foo' could not be found"}},
		{`  C:\My Game (2)\Hero.cs(3,1,3,9): warning CS0168: The variable 'x' is declared but never used [C:\c\Game.Scripts.csproj::TargetFramework=net10.0]`,
			Diagnostic{File: `C:\My Game (2)\Hero.cs`, Line: 3, Column: 1, Warning: true, Code: "CS0168", Text: "The variable 'x' is declared but never used"}},
		{"CSC : error CS5001: Program does not contain a static 'Main' method [/c/a.csproj]",
			Diagnostic{Code: "CS5001", Text: "Program does not contain a static 'Main' method"}},
		{"MSBUILD : error MSB1009: Project file does not exist.", Diagnostic{Code: "MSB1009", Text: "Project file does not exist."}},
		{"/sdk/Microsoft.NET.targets(83,5): error NETSDK1045: The current .NET SDK does not support targeting .NET 10.0.",
			Diagnostic{File: "/sdk/Microsoft.NET.targets", Line: 83, Column: 5, Code: "NETSDK1045", Text: "The current .NET SDK does not support targeting .NET 10.0."}},
		{"error: NuGet failed", Diagnostic{Text: "NuGet failed"}},
		{"a.cs(7): error CS1: [Obsolete] is not x [/p/q.csproj]", Diagnostic{File: "a.cs", Line: 7, Code: "CS1", Text: "[Obsolete] is not x"}},
	} {
		got, ok := ParseDiagnostic(c.line)
		if diff := cmp.Diff(c.want, got); diff != "" || !ok {
			t.Errorf("%s: %s", c.line, diff)
		}
	}
	for _, line := range []string{"", "Build succeeded.", "    0 Error(s)", "  Game.Scripts -> /out/Game.Scripts.dll", "no errors here: fine", "error CS1:"} {
		if d, ok := ParseDiagnostic(line); ok {
			t.Errorf("%q is taken for %+v", line, d)
		}
	}
}

func FuzzParseDiagnostic(f *testing.F) {
	f.Add("/game/Hero.cs(12,8): error CS0246: The type [/cache/Game.Scripts.csproj]")
	f.Add("x(99999999999999999999,1): warning A1: y")
	f.Add("CSC : error CS5001: m")
	f.Fuzz(func(t *testing.T, line string) {
		if d, ok := ParseDiagnostic(line); ok && (d.Text == "" || d.Line < 0 || d.Column < 0) {
			t.Errorf("%q: %+v", line, d)
		}
	})
}

func TestEscapeProperty(t *testing.T) {
	if got := EscapeProperty(`/my games/100%; $(x) a*`); got != `/my games/100%25%3B %24%28x%29 a%2A` {
		t.Error(got)
	}
}
