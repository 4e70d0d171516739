package pe_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"talebinder/formats/ico"
	"talebinder/formats/netbundle"
	"talebinder/formats/netbundle/bundletest"
	"talebinder/formats/pe"
)

// build compiles the program in testdata for Windows.
func build(t testing.TB, arch string) []byte {
	t.Helper()
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("the go command is not there")
	}
	exe := filepath.Join(t.TempDir(), "hello.exe")
	command := exec.Command(tool, "build", "-buildvcs=false", "-trimpath", "-o", exe, "./testdata/hello")
	command.Env = append(os.Environ(), "GOOS=windows", "GOARCH="+arch, "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Real executables of every kind, which have no resources at first: they get a section for them, are branded again in it,
// and carry a bundle along both times.
func TestRealExecutables(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program for Windows")
	}
	for arch, machine := range map[string]pe.Machine{"amd64": pe.X64, "386": pe.X86, "arm64": pe.ARM64} {
		t.Run(arch, func(t *testing.T) {
			bundle := bundletest.Bundle{Major: 6, Files: bundletest.Files(6), Align: 4096}
			exe := bundle.Append(build(t, arch))
			before := load(t, exe)
			f := open(t, exe)
			if f.Machine() != machine || f.Wide() != (machine != pe.X86) || f.Subsystem() != pe.Console {
				t.Errorf("%v, wide %v, %v", f.Machine(), f.Wide(), f.Subsystem())
			}
			if v, err := f.VersionInfo(); v != nil || err != nil {
				t.Errorf("version information %v, %v", v, err)
			}
			once, result := brand(t, exe, brandings["all"])
			checkKept(t, before, load(t, once))
			if !result.SectionAdded || result.Bundle == nil || result.OverlayShift == 0 {
				t.Errorf("%+v", result)
			}
			twice, result := brand(t, once, brandings["huge icon"])
			after := load(t, twice)
			checkKept(t, before, after)
			if result.SectionAdded || result.Bundle == nil || result.OverlayShift == 0 {
				t.Errorf("%+v", result)
			}
			moved, found, err := netbundle.Find(bytes.NewReader(twice), int64(len(twice)))
			if err != nil || !found {
				t.Fatalf("%v, %v", found, err)
			}
			original, _, err := netbundle.Find(bytes.NewReader(exe), int64(len(exe)))
			if err != nil {
				t.Fatal(err)
			}
			if err := netbundle.Compare(t.Context(), original, moved); err != nil {
				t.Error(err)
			}
			icons, err := open(t, twice).Icons()
			if err != nil || len(icons) != 10 || icons[6].Width != ico.MaxSize {
				t.Errorf("%d images, %v", len(icons), err)
			}
		})
	}
}
