package compile

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"talebinder/export/internal/dotnet"
	"talebinder/export/players"
	"talebinder/platforms"
)

// sdkCompiler compiles with the .NET SDK against the engine's assemblies, which a player has with it.
type sdkCompiler struct {
	sdk       *dotnet.SDK
	player    players.Player
	target    platforms.Target
	framework string // such as net10.0
}

// WithSDK gives a compiler that uses the .NET SDK and the assemblies of a player for the target. The error says what keeps it
// from compiling, as far as that shows beforehand.
func WithSDK(ctx context.Context, player players.Player, target platforms.Target) (Compiler, error) {
	sdk, err := dotnet.Find(ctx)
	if err != nil {
		return nil, err
	}
	facts, err := player.ReadFacts(target)
	if err != nil {
		return nil, err
	}
	c := &sdkCompiler{sdk, player, target, facts.Framework()}
	if c.framework == "" {
		c.framework = fmt.Sprintf("net%d.0", sdk.Major())
	}
	major, _, _ := strings.Cut(strings.TrimPrefix(c.framework, "net"), ".")
	if n, err := strconv.Atoi(major); err == nil && n > sdk.Major() {
		return nil, fmt.Errorf("the .NET SDK %s is older than the .NET %d that the player in %s runs on: install the SDK for it", sdk.Newest(), n, player.Dir)
	}
	return c, nil
}

func (c *sdkCompiler) Name() string { return ".NET SDK " + c.sdk.Newest() }

func (c *sdkCompiler) identify(w io.Writer) error {
	file := c.player.File(c.target)
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s %q %d %d\n", c.framework, file, info.Size(), info.ModTime().UnixNano())
	return err
}

// usings are the namespaces that the engine lets every script use without naming them.
var usings = []string{
	"System", "System.Collections.Generic", "System.Linq", "System.Numerics", "System.Threading.Tasks",
	"Talesmith.Assets", "Talesmith.Assets.Textures", "Talesmith.Audio", "Talesmith.Authoring", "Talesmith.Ecs", "Talesmith.Input",
	"Talesmith.Mathematics", "Talesmith.Physics", "Talesmith.Runtime.Components", "Talesmith.Scripting", "Talesmith.Systems",
}

const projectFile = assemblyName + ".csproj"

func (c *sdkCompiler) compile(ctx context.Context, r *Request, work string, line func(string)) ([]Diagnostic, error) {
	references, err := c.player.Assemblies(ctx, c.target, filepath.Join(work, "engine"))
	if err != nil {
		return nil, err
	}
	for _, plugin := range r.Plugins {
		references = append(references, plugin.Source)
	}
	if err := os.WriteFile(filepath.Join(work, projectFile), c.project(r, references), 0o666); err != nil {
		return nil, err
	}
	configuration := "Release"
	if r.Debug {
		configuration = "Debug"
	}
	arguments := append([]string{"build", projectFile, "-c", configuration, "--nologo", "-v", "minimal"}, dotnet.NoServers()...)
	var found []Diagnostic
	tail := ""
	code, err := c.sdk.Run(ctx, work, arguments, func(text string) {
		line(text)
		tail = text
		if d, ok := dotnet.ParseDiagnostic(text); ok {
			diagnostic := Diagnostic{File: r.name(d.File, r.AssetRoot), Line: d.Line, Column: d.Column, Warning: d.Warning, Text: d.String()}
			if !slices.Contains(found, diagnostic) { // the build tells everything twice
				found = append(found, diagnostic)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	if code == 0 {
		return found, collect(filepath.Join(work, "out"), work)
	}
	if !slices.ContainsFunc(found, func(d Diagnostic) bool { return !d.Warning }) {
		return nil, fmt.Errorf("%s ended with exit code %d: %s", c.Name(), code, tail)
	}
	return nil, &FailedError{found}
}

// name gives a file of the asset root its path in the project; others keep their names.
func (r *Request) name(file, assetRoot string) string {
	if rel, err := filepath.Rel(assetRoot, file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return file
}

// collect moves what was compiled from a folder to another.
func collect(from, to string) error {
	for _, name := range []string{assemblyFile, symbolsFile} {
		err := os.Rename(filepath.Join(from, name), filepath.Join(to, name))
		if err != nil && !errors.Is(err, os.ErrNotExist) { // a missing assembly is noticed later
			return err
		}
	}
	return nil
}

// project is the text of the file that the SDK builds. It takes nothing from the folders above it, and refers to no packages,
// so that it needs no network.
func (c *sdkCompiler) project(r *Request, references []string) []byte {
	var b bytes.Buffer
	escape := func(text string) string {
		var e bytes.Buffer
		_ = xml.EscapeText(&e, []byte(text)) // a buffer takes everything
		return e.String()
	}
	group := func(properties ...string) {
		b.WriteString("  <PropertyGroup>\n")
		for i := 0; i < len(properties); i += 2 {
			fmt.Fprintf(&b, "    <%[1]s>%[2]s</%[1]s>\n", properties[i], escape(properties[i+1]))
		}
		b.WriteString("  </PropertyGroup>\n")
	}
	b.WriteString("<Project>\n")
	group("ImportDirectoryBuildProps", "false", "ImportDirectoryBuildTargets", "false", "ImportDirectoryPackagesProps", "false",
		"BaseIntermediateOutputPath", "obj/")
	b.WriteString("  <Import Project=\"Sdk.props\" Sdk=\"Microsoft.NET.Sdk\" />\n")
	group("TargetFramework", c.framework, "AssemblyName", assemblyName, "OutputPath", "out/", "AppendTargetFrameworkToOutputPath", "false",
		"LangVersion", "latest", "Nullable", "enable", "ImplicitUsings", "disable", "EnableDefaultItems", "false",
		"DefineConstants", "$(DefineConstants);TALESMITH",
		"Deterministic", "true", "DebugType", "portable", "EmbedAllSources", "true", "ProduceReferenceAssembly", "false",
		"GenerateAssemblyInfo", "false", "GenerateDependencyFile", "false", "EnableNETAnalyzers", "false",
		"ManagePackageVersionsCentrally", "false", "NuGetAudit", "false", "CheckEolTargetFramework", "false")
	// The assembly must not tell where the project lies on this computer. A path with these characters cannot be mapped.
	if !strings.ContainsAny(r.AssetRoot, ",=") {
		group("PathMap", dotnet.EscapeProperty(r.AssetRoot)+"=assets")
	}
	b.WriteString("  <ItemGroup>\n")
	for _, source := range r.Sources {
		fmt.Fprintf(&b, "    <Compile Include=\"%s\" />\n", escape(dotnet.EscapeProperty(source.Source)))
	}
	for _, name := range usings {
		fmt.Fprintf(&b, "    <Using Include=\"%s\" />\n", name)
	}
	for _, reference := range references {
		name := strings.TrimSuffix(filepath.Base(reference), filepath.Ext(reference))
		fmt.Fprintf(&b, "    <Reference Include=\"%s\">\n      <HintPath>%s</HintPath>\n      <Private>false</Private>\n    </Reference>\n",
			escape(dotnet.EscapeProperty(name)), escape(dotnet.EscapeProperty(reference)))
	}
	b.WriteString("  </ItemGroup>\n  <Import Project=\"Sdk.targets\" Sdk=\"Microsoft.NET.Sdk\" />\n</Project>\n")
	return b.Bytes()
}
