package players

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"talebinder/formats/netbundle"
	"talebinder/formats/pe"
	"talebinder/platforms"
)

// program is the name of the player's own assembly.
const program = "talesmith-player"

// Facts are what a player says about itself.
type Facts struct {
	Version    string // of the engine, or of the game that a Windows player was published for; "" when it does not say
	From       string // where the version was read: "file version", "deps.json", or "" without one
	Product    string // what the executable calls itself, when that is not the engine's own name
	Runtime    string // such as ".NET 10.0.2"; "" when it does not say
	SingleFile bool   // the assemblies are inside the executable
}

// largestJSON is the most bytes of a description that are read.
const largestJSON = 16 << 20

// ReadFacts reads what a player says about itself: the version information of a Windows executable, and the descriptions
// NAME.deps.json and NAME.runtimeconfig.json, which lie beside the executable or, in a player that is a single file, inside. An
// executable that is damaged is an error; one that says nothing is not.
func (p Player) ReadFacts(target platforms.Target) (Facts, error) {
	file, err := os.Open(p.File(target))
	if err != nil {
		return Facts{}, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return Facts{}, err
	}
	var facts Facts
	if target.Platform == platforms.Windows {
		if err := facts.readExecutable(file, info.Size()); err != nil {
			return Facts{}, fmt.Errorf("%s: %w", file.Name(), err)
		}
	}
	bundle, single, err := netbundle.Find(file, info.Size())
	if err != nil {
		return Facts{}, fmt.Errorf("%s: %w", file.Name(), err)
	}
	facts.SingleFile = single
	deps, err := p.description(bundle, netbundle.DepsJSON, program+".deps.json")
	if err != nil {
		return Facts{}, err
	}
	if version := depsVersion(deps); version != "" && facts.Version == "" {
		facts.Version, facts.From = version, "deps.json"
	}
	config, err := p.description(bundle, netbundle.RuntimeConfigJSON, program+".runtimeconfig.json")
	if err != nil {
		return Facts{}, err
	}
	facts.Runtime = runtimeVersion(config)
	return facts, nil
}

func (f *Facts) readExecutable(r io.ReaderAt, size int64) error {
	file, err := pe.NewFile(r, size)
	if err != nil {
		return err
	}
	info, err := file.VersionInfo()
	if err != nil || info == nil {
		return err
	}
	n := info.FileNumber
	f.Version = cmp.Or(info.ProductVersion, info.FileVersion, fmt.Sprintf("%d.%d.%d.%d", n[0], n[1], n[2], n[3]))
	f.Version, _, _ = strings.Cut(f.Version, "+") // what follows is the commit
	f.From = "file version"
	if info.ProductName != "Talesmith" {
		f.Product = info.ProductName
	}
	return nil
}

// description reads a description of the player: the one beside the executable, or the one in its bundle.
func (p Player) description(bundle *netbundle.Bundle, kind netbundle.Type, name string) ([]byte, error) {
	text, err := readLimited(filepath.Join(p.Dir, name))
	if err == nil || !errors.Is(err, fs.ErrNotExist) || bundle == nil {
		return text, ignoreMissing(err)
	}
	for _, entry := range bundle.Entries {
		if entry.Type != kind || entry.Size > largestJSON {
			continue
		}
		content, err := bundle.Open(entry)
		if err != nil {
			return nil, err
		}
		defer content.Close()
		return io.ReadAll(content)
	}
	return nil, nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func readLimited(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, largestJSON))
}

// depsVersion finds the version of the player's own assembly, which is listed as NAME/VERSION. A text that is not understood
// has none.
func depsVersion(text []byte) string {
	var deps struct {
		Libraries map[string]json.RawMessage `json:"libraries"`
	}
	if json.Unmarshal(text, &deps) != nil {
		return ""
	}
	for name := range deps.Libraries {
		if version, ok := strings.CutPrefix(name, program+"/"); ok {
			return version
		}
	}
	return ""
}

// runtimeVersion finds the .NET that a player brings along or asks for.
func runtimeVersion(text []byte) string {
	type framework struct{ Name, Version string }
	var config struct {
		RuntimeOptions struct {
			TFM                string      `json:"tfm"`
			Framework          framework   `json:"framework"`
			IncludedFrameworks []framework `json:"includedFrameworks"`
		} `json:"runtimeOptions"`
	}
	if json.Unmarshal(text, &config) != nil {
		return ""
	}
	o := config.RuntimeOptions
	for _, f := range append(o.IncludedFrameworks, o.Framework) {
		if f.Name == "Microsoft.NETCore.App" && f.Version != "" {
			return ".NET " + f.Version
		}
	}
	if version, ok := strings.CutPrefix(o.TFM, "net"); ok && version != "" {
		return ".NET " + version
	}
	return ""
}

// Framework gives the name of the .NET that scripts for the player are compiled for, such as "net10.0", or "" when the facts
// do not say.
func (f Facts) Framework() string {
	version, ok := strings.CutPrefix(f.Runtime, ".NET ")
	if !ok {
		return ""
	}
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return ""
	}
	return "net" + parts[0] + "." + parts[1]
}
