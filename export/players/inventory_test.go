package players

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talebinder/formats/netbundle"
	"talebinder/formats/netbundle/bundletest"
	"talebinder/formats/pe"
	"talebinder/formats/pe/petest"
	"talebinder/platforms"
)

const (
	depsJSON   = `{ "runtimeTarget": {}, "libraries": { "SkiaSharp/3.1.0": { "type": "package" }, "talesmith-player/0.3.1": { "type": "project" } } }`
	configJSON = `{ "runtimeOptions": { "tfm": "net10.0", "includedFrameworks": [ { "name": "Microsoft.NETCore.App", "version": "10.0.2" } ] } }`
)

// singleFile is a player that is a single file.
func singleFile() string {
	return string(bundletest.Bundle{Major: 6, Files: []bundletest.File{
		{Path: "talesmith-player.dll", Type: netbundle.Assembly, Content: []byte("player")},
		{Path: "Talesmith.Core.dll", Type: netbundle.Assembly, Content: bytes.Repeat([]byte("core "), 100), Compress: true},
		{Path: "Microsoft.Extensions.Logging.Abstractions.dll", Type: netbundle.Assembly, Content: []byte("logging")},
		{Path: "System.Runtime.dll", Type: netbundle.Assembly, Content: []byte("system")},
		{Path: "sub/Talesmith.Other.dll", Type: netbundle.Assembly, Content: []byte("elsewhere")},
		{Path: "Talesmith.native.dll", Type: netbundle.NativeBinary, Content: []byte("native")},
		{Path: "talesmith-player.deps.json", Type: netbundle.DepsJSON, Content: []byte(depsJSON)},
		{Path: "talesmith-player.runtimeconfig.json", Type: netbundle.RuntimeConfigJSON, Content: []byte(configJSON)},
	}}.Append(append([]byte("\x7fELF host "), bundletest.Marker()...)))
}

func TestInventory(t *testing.T) {
	w := newWorkshop(t)
	plant(t, w.dir, map[string]string{
		"mine/linux-x64-r2r-nosymbols/talesmith-player":                         singleFile(),
		"mine/linux-x64-r2r-nosymbols/libSkiaSharp.so":                          "skia",
		"mine/linux-x64-jit-symbols/talesmith-player":                           "host",
		"mine/linux-x64-jit-symbols/talesmith-player.deps.json":                 depsJSON,
		"mine/linux-x64-jit-symbols/talesmith-player.runtimeconfig.json":        `{ "runtimeOptions": { "tfm": "net9.0" } }`,
		"mine/win-x64-jit-symbols/readme":                                       "",
		"mine/win-x64-r2r-nosymbols/talesmith-player.exe":                       "not a program",
		"mine/osx-arm64-r2r-nosymbols/talesmith-player":                         "host without a word",
		"mine/osx-x64-r2r-nosymbols/talesmith-player":                           singleFile()[:len(singleFile())-20],
		"mine/osx-x64-jit-symbols/talesmith-player.deps.json":                   depsJSON,
		"cache/players/osx-arm64-jit-symbols-0011223344556677/.complete":        "2026-03-01T10:00:00Z",
		"cache/players/osx-arm64-jit-symbols-0011223344556677/talesmith-player": "old",
	})
	exe := petest.Image{Wide: true, Sections: petest.Usual()}.Build()
	branded, err := os.Create(filepath.Join(w.dir, "mine", "win-x64-jit-symbols", "talesmith-player.exe"))
	if err != nil {
		t.Fatal(err)
	}
	version := &pe.VersionInfo{ProductName: "Hex Quest", ProductVersion: "1.4.0-beta+3f2a"}
	if _, err := pe.Brand(t.Context(), branded, bytes.NewReader(exe), int64(len(exe)), pe.Branding{Version: version}); err != nil {
		t.Fatal(err)
	}
	if err := branded.Close(); err != nil {
		t.Fatal(err)
	}
	o := w.options
	o.Dir = filepath.Join(w.dir, "mine")
	all, err := Inventory(t.Context(), o)
	if err != nil || len(all) != len(platforms.Targets())*len(platforms.Profiles()) {
		t.Fatalf("%d, %v", len(all), err)
	}
	at := func(id string, profile platforms.Profile) Status {
		i := slices.IndexFunc(all, func(s Status) bool { return s.Target.ID == id && s.Profile == profile })
		return all[i]
	}
	s := at("linux-x64", platforms.Release)
	if diff := cmp.Diff(Facts{Version: "0.3.1", From: "deps.json", Runtime: ".NET 10.0.2", SingleFile: true}, s.Facts); diff != "" {
		t.Error(diff)
	}
	if !s.Usable() || s.Files != 2 || s.Size != int64(len(singleFile())+len("skia")) || s.Changed.IsZero() || s.Advice != "" || s.Player.Source != Named || s.Framework() != "net10.0" {
		t.Errorf("%+v", s)
	}
	if other := at("linux-x64", platforms.Distribution); other.Player == nil || other.Player.Dir != s.Player.Dir || other.Profile != platforms.Distribution {
		t.Errorf("release and distribution share a player: %+v", other)
	}
	if s = at("linux-x64", platforms.Development); s.Version != "0.3.1" || s.Runtime != ".NET 9.0" || s.SingleFile || !s.Usable() {
		t.Errorf("%+v", s)
	}
	if s = at("osx-arm64", platforms.Release); s.Facts != (Facts{}) || !s.Usable() {
		t.Errorf("%+v", s)
	}
	if s = at("win-x64", platforms.Development); !s.Usable() || s.Version != "1.4.0-beta" || s.From != "file version" || s.Product != "Hex Quest" {
		t.Errorf("%+v", s)
	}
	if s = at("win-x64", platforms.Release); s.Usable() || s.Player == nil || s.Err == nil || !strings.Contains(s.Advice, "another player") {
		t.Errorf("%+v", s)
	}
	if s = at("osx-x64", platforms.Release); s.Usable() || s.Err == nil {
		t.Errorf("a damaged bundle: %+v", s)
	}
	var notFound *NotFoundError
	if s = at("osx-x64", platforms.Development); !errors.As(s.Err, &notFound) || s.Player != nil || s.Checkout == nil ||
		s.Advice != "Publish it from the engine's sources: talebinder players publish --target osx-x64 --profile development" {
		t.Errorf("%+v", s)
	}
	if s = at("osx-arm64", platforms.Development); !s.Usable() || !s.Player.Outdated || !strings.Contains(s.Advice, "have changed since") {
		t.Errorf("%+v", s)
	}

	t.Setenv("PATH", "/nowhere")
	if all, err = Inventory(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if s = at("osx-x64", platforms.Development); s.Checkout != nil || s.CannotBe == nil || !strings.Contains(s.Advice, "no .NET SDK") {
		t.Errorf("%+v", s)
	}
	o.Source = ""
	if all, err = Inventory(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if s = at("osx-x64", platforms.Development); !errors.Is(s.CannotBe, ErrNoSources) || !strings.Contains(s.Advice, "Put the folder osx-x64-jit-symbols") {
		t.Errorf("%+v", s)
	}
}

func TestAssembliesForScripts(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, map[string]string{
		"single/talesmith-player":       singleFile(),
		"folder/talesmith-player":       "host",
		"folder/Talesmith.Core.dll":     "core",
		"folder/Talesmith.Core.xml":     "words",
		"folder/System.Runtime.dll":     "system",
		"folder/talesmith-player.dll":   "player",
		"folder/Talesmith.Audio.dll":    "audio",
		"native/talesmith-player":       "compiled to the last byte",
		"damaged/talesmith-player":      singleFile()[:len(singleFile())-20],
		"folder/licences/Talesmith.dll": "deeper",
	})
	linux := target(t, "linux-x64")
	list := func(folder string) ([]string, error) {
		files, err := Player{Dir: filepath.Join(dir, folder)}.Assemblies(t.Context(), linux, filepath.Join(dir, "extracted"))
		var names []string
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Error(err)
			}
			names = append(names, filepath.Base(file)+" "+string(text))
		}
		return names, err
	}
	got, err := list("single")
	if diff := cmp.Diff([]string{"Microsoft.Extensions.Logging.Abstractions.dll logging", "Talesmith.Core.dll " + strings.Repeat("core ", 100)}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	got, err = list("folder")
	if diff := cmp.Diff([]string{"Talesmith.Audio.dll audio", "Talesmith.Core.dll core"}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if _, err = list("native"); !errors.Is(err, ErrNoAssemblies) {
		t.Error(err)
	}
	if _, err = list("damaged"); err == nil || errors.Is(err, ErrNoAssemblies) {
		t.Error(err)
	}
}
